// projector/interp/evaluation/watch.h - conditions that are watched: when they are evaluated, and
// their pulses.
#ifndef FORESEE_PROJECTOR_INTERP_EVALUATION_WATCH_H
#define FORESEE_PROJECTOR_INTERP_EVALUATION_WATCH_H

#include "projector/interp/state/frame.h"

// A watch begins with an evaluation of the frame's condition, and ends with the task.
void watch_begin(interp *i, frame *f);
void watch_end(interp *i, frame *f);    // no-op where there is none
unsigned watch_depends(const frame *f); // change_kind, any of
uint64_t watch_pulses(const frame *f);
const char *watch_reason(const frame *f);  // of the first pulse; NULL: none
const char *watch_trouble(const frame *f); // why the condition cannot be evaluated; NULL: it can
// Evaluates the watched conditions that depend on anything that has changed.
void watches_evaluate(interp *i);
// Notes that the task of an observed step has changed its state.
void observation_note(interp *i, frame *f);

#endif
