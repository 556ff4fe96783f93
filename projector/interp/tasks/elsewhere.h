// projector/interp/tasks/elsewhere.h - steps of a plan of several robots that one of them does
// alone (as: NAME). In the interpreters of the others such a step is a task that lasts until they
// have heard how it ended.
#ifndef FORESEE_PROJECTOR_INTERP_TASKS_ELSEWHERE_H
#define FORESEE_PROJECTOR_INTERP_TASKS_ELSEWHERE_H

#include "projector/interp/state/frame.h"

// Whether a step is another robot's than the interpreter's.
bool step_is_elsewhere(const interp *i, const plan_node *n);
// Steps a task of such a step.
void elsewhere_step(interp *i, frame *f);
// Notes, to be told, the end of a step that is the interpreter's robot's alone; that of any other
// is nothing to the others.
void elsewhere_tell(interp *i, const frame *f);

#endif
