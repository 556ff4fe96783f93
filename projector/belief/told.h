// projector/belief/told.h - what a belief tells of things, and what it makes of what others tell.
//
// A belief that shares puts an observation aside whenever it places a thing by what it saw, or by
// what its own hands did; what others told it is passed on to nobody. Places are in the map, which
// all robots of a world know, so the sender's error of its own place is in the deviations.
#ifndef FORESEE_PROJECTOR_BELIEF_TOLD_H
#define FORESEE_PROJECTOR_BELIEF_TOLD_H

#include "projector/belief/belief.h"

typedef enum told_kind {
    TOLD_SEEN,   // it was seen there
    TOLD_PUT,    // a hand let it go there
    TOLD_HELD,   // a hand took it, which was there then
    TOLD_MISSING // it is not where it was
} told_kind;
const char *told_kind_name(told_kind k);

typedef struct told {
    told_kind kind;
    int64_t teller;   // who tells: log id of its agent
    int64_t believed; // log id of the sender's object, by which it calls the thing
    const char *name; // of what is known a priori; NULL: the sender's own name tells nothing
    const char *type, *color; // borrowed from the sender's belief, for as long as that is there
    pose at;
    covariance cov;
    nanos stamp;     // when it was so
    int64_t percept; // log id of the last percept behind it; 0: none
} told;

typedef enum told_fate {
    FATE_TAKEN,    // it is believed now
    FATE_PAST,     // something later is known: it entered what was believed of its time
    FATE_OWN_HAND, // the receiver holds the thing itself, and knows better
    FATE_STRANGE   // it tells that a thing is gone which the receiver does not know
} told_fate;
const char *told_fate_name(told_fate f);

// From now on the belief puts observations aside.
void belief_share(belief *b);
// The observations since the last call; borrowed until the belief changes.
const told *belief_take_told(belief *b, size_t *count);
// Takes over what another belief told. The thing is the one that the sender told of before under
// the same id; or else, of those that the sender does not call otherwise, the nearest of the same
// kind where it may be, or the only one of the kind whose place is not known; or a new one. What is
// older than what is believed of the thing enters its past, by its stamp; what is newer holds from
// its stamp on. A thing that moves in another's hand is not followed: it is taken as being where
// the message says, and nobody may count on it until the next message. *became: log id of the
// object, 0: none.
status belief_hear(belief *b, const told *m, nanos t, told_fate *fate, int64_t *became, error *err);

#endif
