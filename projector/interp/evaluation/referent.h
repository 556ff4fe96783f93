// projector/interp/evaluation/referent.h - the thing that descriptions stand for.
//
// Descriptions that the plan says to be of the same thing are equals: they share one referent, with
// its solution, which fits them all, and what was tried for it. Equals are named together, and are
// freed together when nothing names any of them.
#ifndef FORESEE_PROJECTOR_INTERP_EVALUATION_REFERENT_H
#define FORESEE_PROJECTOR_INTERP_EVALUATION_REFERENT_H

#include "projector/interp/state/frame.h"

typedef enum designator_kind { IS_OBJECT, IS_LOCATION, IS_ACTION } designator_kind;
extern const char *const designator_kinds[]; // names

typedef struct tried tried;
struct tried {
    const term *what;
    tried *next;
};

typedef struct referent {
    designator_kind kind;
    arena *memory;        // of one of its descriptions
    designator *first;    // equals, by number
    const term *solution; // NULL: not resolved
    tried *tried;         // set aside, latest first
    bool resolving;
    bool named, walked; // referents_mark: something names it; what it names is marked
} referent;

struct designator {
    int64_t number, id; // of its name; of its record
    designator_kind kind;
    arena *memory; // holds the designator itself
    const char *name;
    const term *description;
    referent *of;
    designator *equal; // the next of those that share the referent
};

designator *designator_find(const interp *i, const term *t); // NULL: the term names none
void referents_mark(interp *i); // sets `named` of those that anything can still ask for

bool referent_was_tried(const referent *r, const term *t);
void referent_set_aside(referent *r, const term *t);
// Sets aside all of a list, its oldest first.
void referent_share_tried(referent *to, const tried *from);
size_t referent_tried_count(const referent *r);
// "cup#1, cup#2", in the order in which they were tried; adds how many to *count.
const char *referent_tried_text(interp *i, const tried *x, size_t *count);

void referent_solve(referent *r, const term *solution); // NULL: no longer resolved
// Makes two referents one and returns it; what was tried for the older of them comes first. Its
// solution is the older one's.
referent *referent_merge(referent *a, referent *b);

#endif
