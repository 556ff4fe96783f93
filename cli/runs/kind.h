// cli/runs/kind.h - tells what kind of file an operand is.
#ifndef FORESEE_CLI_KIND_H
#define FORESEE_CLI_KIND_H

#include <stdbool.h>
#include "base/status.h"

typedef enum file_kind {
    FILE_RULES,
    FILE_PLAN,
    FILE_WORLD,
    FILE_ROBOT,
    FILE_LIBRARY,
    FILE_LOG,
    FILE_FMU,
    FILE_UNKNOWN
} file_kind;

const char *file_kind_name(file_kind k);
bool file_is_log(const char *path); // judged by its first bytes
// Judges .dl, .urdf and .fmu files by their names, logs by their first bytes, others by the key
// that every file of a kind has. Mistakes go to `list`; an unknown kind is a mistake (E_INPUT).
status file_kind_find(const char *path, file_kind *kind, errors *list);

#endif
