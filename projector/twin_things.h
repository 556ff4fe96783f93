// projector/twin_things.h - what a robot believes of things that can move, as bodies of its twin.
//
// The robot's end tells over a link, again and again, what its mind believes of each thing of its
// catalogue: where it is, in which hand, or that it is not known any more. The twin's end changes
// its world where what it hears is other than before, and nowhere else: in between, things move in
// the twin as they are pushed. A thing is put, at rest, where it is believed to be, once nothing is
// in its place; one that is believed to be in a hand is put into the twin's, where it is fast and
// passes through the hand's parts; one that is not known any more is taken away.
//
// Owns:      the messages under way, and which body of the twin stands for what.
#ifndef FORESEE_PROJECTOR_TWIN_THINGS_H
#define FORESEE_PROJECTOR_TWIN_THINGS_H

#include "base/link/channel.h"
#include "projector/agent.h"

// Of each type that the robot cannot tell beforehand how many there are.
enum { TWIN_SPARE = 8 };

typedef struct twin_things twin_things;

// A thing that stands in the twin's world, or stood there.
typedef struct twin_thing {
    const char *name, *type, *color; // as the robot calls them
    size_t body;                     // of the twin's simulation
} twin_thing;

// `world` is what `s` was made of: world_assumed of what the robot knows, with TWIN_SPARE spare
// bodies. All is borrowed.
twin_things *twin_things_create(const agent *of, const world_model *world, sim *s,
                                const channel_traits *link, rng_key key);
void twin_things_destroy(twin_things *t); // NULL is a no-op
void twin_things_rekey(twin_things *t, rng_key key);
// The robot tells what it believes; the twin takes what has arrived. From time to time.
void twin_things_exchange(twin_things *t, nanos now);
size_t twin_things_count(const twin_things *t);
const twin_thing *twin_things_at(const twin_things *t, size_t i);

#endif
