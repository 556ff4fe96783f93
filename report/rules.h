// report/rules.h - rule files on disk: the shipped folder, and those of the user.
#ifndef FORESEE_REPORT_RULES_H
#define FORESEE_REPORT_RULES_H

#include "base/mem.h"
#include "report/text.h"

// Paths of all .dl files of a folder in the order of their names, in `a`. E_INPUT: it cannot be
// read.
typedef ARRAY(const char *) rule_paths;
status rules_list(arena *a, const char *folder, rule_paths *out, error *err);
// Loads the shipped rules and `files` without a log; all mistakes go to `list`.
status rules_check(const char *folder, const char *const *files, size_t count, errors *list);
// The reference of the shipped predicates in Markdown, from their own declarations.
status rules_document(const char *folder, text_buffer *out, errors *list);

#endif
