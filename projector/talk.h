// projector/talk.h - what several robots tell one another: a channel from each to each other.
//
// Owns:      the channels, and the records MESSAGE.
// Invariant: what a robot tells in a cycle reaches the others in the next one, or later.
#ifndef FORESEE_PROJECTOR_TALK_H
#define FORESEE_PROJECTOR_TALK_H

#include "projector/agent.h"
#include "projector/inputs.h"

typedef struct talk talk;

// All arguments are borrowed; the beliefs of the agents share from now on. Draws of the links are
// keyed by `seed` and the names of sender and receiver.
talk *talk_create(const projection_inputs *in, agent *agents, sink *log, uint64_t seed);
// In these, NULL is a no-op.
void talk_destroy(talk *t);
// Tells the beliefs what has arrived by `now`; before the cycles of that time.
status talk_deliver(talk *t, nanos now, error *err);
// Sends what the beliefs have put aside; after the cycles of that time.
status talk_send(talk *t, nanos now, error *err);
// When the next message arrives; TIME_OPEN: none is under way.
nanos talk_next(const talk *t);
// What is sent from now on is drawn from another seed; what is under way arrives as it was drawn.
void talk_reseed(talk *t, uint64_t seed);

#endif
