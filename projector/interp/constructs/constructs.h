// projector/interp/constructs/constructs.h - one step of each construct of the plan language.
#ifndef FORESEE_PROJECTOR_INTERP_CONSTRUCTS_CONSTRUCTS_H
#define FORESEE_PROJECTOR_INTERP_CONSTRUCTS_CONSTRUCTS_H

#include "projector/interp/state/frame.h"

// steps.c: one step of a ready frame, whatever its construct.
void step_task(interp *i, frame *f);

// goals.c: achieve and perceive.
void goal_step(interp *i, frame *f);
// Enters a routine whose pattern's variables are bound in i->bound. False: the task has failed.
bool goal_enter(interp *i, frame *f, const plan_routine *r);
// Ends a task whose routine's body has ended.
void goal_end(interp *i, frame *f, frame *body);

// place.c: at_location.
void place_step(interp *i, frame *f);
void place_watch(interp *i, frame *f); // in every cycle: has the robot left the location?

// acting.c: primitive actions, using.
void acting_step(interp *i, frame *f);
void acting_run(interp *i, frame *f); // one cycle of a running action
void using_step(interp *i, frame *f);

void perform_step(interp *i, frame *f);  // perform.c
void policy_step(interp *i, frame *f);   // policy.c: with_policy
void whenever_step(interp *i, frame *f); // waiting.c
void wait_for_step(interp *i, frame *f);
void next_step(interp *i, frame *f); // descriptions.c
void equate_step(interp *i, frame *f);

#endif
