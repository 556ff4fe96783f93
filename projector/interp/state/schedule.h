// projector/interp/state/schedule.h - which task is stepped when: ready frames, late ones, timers.
#ifndef FORESEE_PROJECTOR_INTERP_STATE_SCHEDULE_H
#define FORESEE_PROJECTOR_INTERP_STATE_SCHEDULE_H

#include "projector/interp/state/frame.h"

// The frame is stepped in this cycle. A construct that decides by what ended first (pursue,
// with_policy) is stepped when no other can move.
void schedule_ready(interp *i, frame *f);
void schedule_hurry(interp *i, frame *f); // as schedule_ready, but never late
// The next frame to be stepped, out of the queue; NULL: the first of the queue need not be stepped.
// Needs a frame that is ready or late.
frame *schedule_next(interp *i);
// at_location: the frame is looked at in every cycle from now on.
void schedule_watch_place(interp *i, frame *f);
void schedule_wake(interp *i, frame *f, nanos t); // made ready, or its action stepped, at t
void schedule_stop_timer(interp *i, frame *f);
void schedule_take_due(interp *i); // wakes the frames whose timers are due

#endif
