// projector/relay.h - carries what robots that run one plan tell one another of its steps (as:
// NAME).
//
// Owns:      what is under way.
// Invariant: what a robot tells in a cycle reaches the others in the next one, or later, in the
//            order in which it was told. What a link loses is sent again every second until it
//            arrives.
#ifndef FORESEE_PROJECTOR_RELAY_H
#define FORESEE_PROJECTOR_RELAY_H

#include "projector/agent.h"
#include "projector/inputs.h"

typedef struct relay relay;

// All arguments are borrowed. NULL: no plan has such steps, and nobody tells anybody of any.
relay *relay_create(const projection_inputs *in, agent *agents, uint64_t seed);
// In these, NULL is a no-op.
void relay_destroy(relay *r);
// Tells the interpreters what has arrived by `now`; before the cycles of that time.
void relay_deliver(relay *r, nanos now);
// Sends what the interpreters have to tell; after the cycles of that time.
void relay_send(relay *r, nanos now);
// When the next news arrive; TIME_OPEN: none are under way.
nanos relay_next(const relay *r);
// What is sent from now on is drawn from another seed.
void relay_reseed(relay *r, uint64_t seed);

#endif
