// projector/interp/interp.h - the plan interpreter: task frames, scheduler, constructs, failures.
//
// One interpreter serves one robot. interp_cycle runs every task that can move until none can (the
// cycle's quiescence); time does not pass within it.
#ifndef FORESEE_PROJECTOR_INTERP_INTERP_H
#define FORESEE_PROJECTOR_INTERP_INTERP_H

#include "plans/plan.h"
#include "projector/interp/state/news.h"
#include "projector/robot/actions/actions.h"

typedef struct interp interp;

// `p` and `m` are borrowed. Puts the top task.
status interp_create(const plan *p, mind *m, nanos t, interp **out, error *err);
void interp_destroy(interp *i);
// Takes what the middleware has delivered (belief first, then running actions), steps actions, runs
// tasks to quiescence. The error is for a broken log or middleware; failures of the plan are the
// plan's.
status interp_cycle(interp *i, nanos t, error *err);
// What the cycles since interp_forget_news have to tell other robots that run the plan, in order.
// It lives as long as the interpreter.
const step_news *interp_news(const interp *i, size_t *count);
void interp_forget_news(interp *i);
// Takes what another robot told, before a cycle; texts are copied, `from` and the class are not.
void interp_hear(interp *i, const step_news *n);
// The top task's end: false while it runs. *done: it ended as done (not failed).
// The instant before which no task can move, unless a reading comes: the next timer; now where a
// task acts or asks for the time. TIME_OPEN: none ever.
nanos interp_idle_until(const interp *i);
bool interp_finished(const interp *i, bool *done);
// The actuators that tasks have claimed now: bits of use_bit.
unsigned interp_claims(const interp *i);
uint64_t interp_step_count(const interp *i); // construct steps, for benchmarks

#endif
