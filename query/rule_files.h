// query/rule_files.h - the rule files of a folder.
#ifndef FORESEE_QUERY_RULE_FILES_H
#define FORESEE_QUERY_RULE_FILES_H

#include "base/mem.h"

// Paths of all .dl files of a folder in the order of their names, in `a`. E_INPUT: it cannot be
// read, or holds none. array_finish frees the list.
typedef ARRAY(const char *) rule_files;
status rule_files_list(arena *a, const char *folder, rule_files *out, error *err);

#endif
