// cli/branch/begun.h - edits of steps that have begun, which come too late.
#ifndef FORESEE_CLI_BRANCH_BEGUN_H
#define FORESEE_CLI_BRANCH_BEGUN_H

#include "base/time/times.h"
#include "plans/edit.h"

// Refuses edits whose step began before `t` in the episode of a log: a step that has begun cannot
// be replaced, wrapped, unwrapped, deleted or given other properties, and nothing comes before it.
// E_INPUT, with the place of the edit: the error names the step and when it began. What is no list
// of edits is passed over, for edit_apply to refuse.
status begun_check(const edit_file *edits, const char *log, int64_t episode, nanos t, errors *list);

#endif
