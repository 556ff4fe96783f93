// projector/interp/tasks/goal.h - goals against the belief: what they are about, whether they are
// believed, and the effects that are asserted when their tasks end.
#ifndef FORESEE_PROJECTOR_INTERP_TASKS_GOAL_H
#define FORESEE_PROJECTOR_INTERP_TASKS_GOAL_H

#include "projector/interp/state/frame.h"

// Whether a(Description) stands anywhere in a term.
bool goal_has_described(const term *t);
// A term with a believed object in place of each a(Description), the best that fits. NULL: none
// does; i->reason.
const term *goal_resolve(interp *i, const frame *f, const term *t);
// The first way in which a goal is believed true. NULL: it is not, or that cannot be told: whether
// the robot is where it can reach something is settled only by going there.
const term *goal_believed(interp *i, const term *goal);
// loc(X, Properties) with a description in place of the list of properties.
const term *goal_places(interp *i, const frame *f, const term *goal);
// At the end of a task that was done: asserts its effects and verifies its goal. False: it has
// failed instead (f->failure).
bool goal_conclude(interp *i, frame *f);

#endif
