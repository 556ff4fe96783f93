// projector/interp/state/records.h - records of the interpreter, and the first error of a broken
// log or middleware.
#ifndef FORESEE_PROJECTOR_INTERP_STATE_RECORDS_H
#define FORESEE_PROJECTOR_INTERP_STATE_RECORDS_H

#include "projector/interp/state/frame.h"

void interp_check(interp *i, status s); // keeps the first error of a broken log or middleware
void interp_put(interp *i, const record *r);
void interp_end(interp *i, const record *r);
// Puts a CHOICE of a task.
void interp_put_choice(interp *i, const frame *f, const char *what, const term *question,
                       const char *chosen, const term *candidates, const char *reason);
// Whether a status means that the belief or the robot refuses what a plan asks, which is the plan's
// failure; any other error is a broken log.
static inline bool is_refusal(status s) {
    return s == E_INPUT || s == E_INFEASIBLE || s == E_LIMIT || s == E_USAGE;
}

#endif
