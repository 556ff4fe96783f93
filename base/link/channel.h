// base/link/channel.h - one direction of a link: messages that arrive late, not at all, or twice.
//
// A channel delays each message by `delay` and a uniform draw of up to `jitter` more, loses it with
// probability `loss`, and delivers it a second time, delayed on its own, with probability
// `duplication`. Draws are keyed by the number of the message, so what happens to one message hangs
// on no other, nor on when messages are asked for.
//
// Owns:      copies of the messages under way.
// Invariant: messages are handed out in the order in which they are due; of those due at the same
//            instant the one that was sent first comes first.
#ifndef FORESEE_BASE_LINK_CHANNEL_H
#define FORESEE_BASE_LINK_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/math/rng.h"
#include "base/status.h"
#include "base/time/times.h"

typedef struct channel_traits {
    nanos delay, jitter;      // at least 0
    double loss, duplication; // probabilities: at least 0, below 1
    bool ordered; // a message waits for those sent before it; otherwise it may overtake them
} channel_traits;

// What became of the messages. sent + doubled = lost + delivered + under way.
typedef struct channel_counts {
    uint64_t sent;      // given to channel_send
    uint64_t lost;      // never to arrive
    uint64_t doubled;   // second copies, put under way in addition
    uint64_t delivered; // handed out, second copies included
    uint64_t overtaken; // among those delivered: a message sent later had been delivered before
} channel_counts;

// What a receiver learns beside the message.
typedef struct channel_stamp {
    uint64_t number; // of the message, from 0, in the order of sending
    nanos sent, due;
    bool copy; // the second copy of a message that was doubled
} channel_stamp;

typedef struct channel channel;

// E_INPUT: a trait is out of its range; the sentence names it.
status channel_check(const channel_traits *traits, error *err);
// Makes a channel of messages of `size` bytes each. The traits must be right.
channel *channel_create(const channel_traits *traits, size_t size, rng_key key);
void channel_destroy(channel *c); // NULL is a no-op
// What is sent from now on is drawn by another key.
void channel_rekey(channel *c, rng_key key);
// Copies the message. `now` must not go back from one call to the next.
void channel_send(channel *c, nanos now, const void *message);
// Writes the next message that is due at `now` or was before. False: there is none, and nothing is
// written. `stamp` may be NULL.
bool channel_receive(channel *c, nanos now, void *message, channel_stamp *stamp);
// The instant at which the next message is due; -1: none is under way.
nanos channel_next(const channel *c);
size_t channel_under_way(const channel *c);
channel_counts channel_count(const channel *c);

#endif
