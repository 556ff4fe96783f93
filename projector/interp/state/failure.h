// projector/interp/state/failure.h - failures: their classes, their records, and how they are
// handled.
#ifndef FORESEE_PROJECTOR_INTERP_STATE_FAILURE_H
#define FORESEE_PROJECTOR_INTERP_STATE_FAILURE_H

#include "projector/interp/state/frame.h"

// Writes a failure of a task down and makes it; `cause` becomes its own. `blocker` (may be NULL):
// the known body that is in the way.
failure *failure_signal(interp *i, const frame *f, const char *class, const char *reason,
                        const char *blocker, failure *cause);
void failure_put(interp *i, const failure *x); // writes handled_by and attached
// Notes that a task handles a failure, and with it all its causes.
void failure_handled(interp *i, failure *x, int64_t by);
void failure_destroy(interp *i, failure *x); // with its causes
bool failure_is(const char *class, const char *ancestor);
const char *failure_common(const char *a, const char *b); // the nearest class above both

#endif
