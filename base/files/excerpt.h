// base/files/excerpt.h - a mistake as compilers print it, with the line it stands in.
#ifndef FORESEE_BASE_FILES_EXCERPT_H
#define FORESEE_BASE_FILES_EXCERPT_H

#include "base/files/files.h"
#include "base/status.h"

// "file:line:column: error: text", and where the place is known the line with a caret below, each
// line ended. The line comes from `text` where that is given, else from the file of that name in
// `files` (NULL: the disk); names that a log gives are looked up in the log alone. Bytes that are
// no character, or would steer a terminal, are shown as \xHH. The caller frees it; NULL: no memory
// is left.
char *error_excerpt(const error *err, const char *text, const file_set *files);

#endif
