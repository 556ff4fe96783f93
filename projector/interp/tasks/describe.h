// projector/interp/tasks/describe.h - the expression and the goal in a task's record.
#ifndef FORESEE_PROJECTOR_INTERP_TASKS_DESCRIBE_H
#define FORESEE_PROJECTOR_INTERP_TASKS_DESCRIBE_H

#include "projector/interp/state/frame.h"

// Computes what a task begins with (arguments, goal) and writes it as text, in scratch; *goal NULL:
// none. What cannot be evaluated becomes the task's trouble.
void task_describe(interp *i, frame *f, const frame *scope, const char **expr, const char **goal);

#endif
