// projector/interp/state/claims.h - the actuators that tasks claim, granted first come, first
// served.
#ifndef FORESEE_PROJECTOR_INTERP_STATE_CLAIMS_H
#define FORESEE_PROJECTOR_INTERP_STATE_CLAIMS_H

#include "projector/interp/state/frame.h"

typedef enum claim_answer { CLAIM_GRANTED, CLAIM_WAITS, CLAIM_DEADLOCK } claim_answer;
// Claims actuators (bits of use_bit) for a task. CLAIM_DEADLOCK: it would wait for a task that
// waits for it.
claim_answer claim_make(interp *i, frame *f, unsigned uses);
bool claim_is_granted(const interp *i, const frame *f); // true where it has none
void claim_release(interp *i, frame *f);
// Puts a NOTE for each task that has waited for STARVED_AFTER seconds, naming the task that it
// waits for.
void claims_note_starved(interp *i);

#endif
