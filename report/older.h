// report/older.h - logs that lack what this program's tables have: of an earlier version, or with
// tables or columns gone. What there is of them is copied into a log of the present form, so that
// it can be asked, with a list of what is missing.
//
// Owns: the copy, a temporary file that older_log_finish removes.
#ifndef FORESEE_REPORT_OLDER_H
#define FORESEE_REPORT_OLDER_H

#include <stdbool.h>

#include "base/mem.h"
#include "base/status.h"

typedef struct older_log {
    arena *arena;
    char *path;                  // of the copy; NULL: none
    ARRAY(const char *) missing; // sentences
} older_log;

// E_INPUT: the file is no log of foresee, is of a later version, or has no table of episodes;
// nothing is to be finished then. E_INTERRUPTED: `stopped` (NULL: never) said so. `log` itself is
// only read: the columns of its tables as they are stored, nothing that it would compute.
status older_log_copy(const char *log, bool (*stopped)(void), older_log *out, error *err);
void older_log_finish(older_log *o); // of {0}: a no-op

#endif
