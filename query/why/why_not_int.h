// query/why/why_not_int.h - the state of finding out why a goal does not hold, shared by
// why_not*.c.
#ifndef FORESEE_QUERY_WHY_NOT_INT_H
#define FORESEE_QUERY_WHY_NOT_INT_H

#include "query/lower/goals.h"
#include "query/rules/program.h"
#include "query/why/proof.h"

#define GOALS_MAX 24 // of one body of which sets are tried

typedef struct asker {
    engine *e;
    program *p;
    arena *a;
    uint32_t left;            // queries that may still be asked
    uint64_t steps;           // literals that they may try
    uint32_t depth;           // of denials below denials
    ARRAY(const char *) path; // texts of the goals that are being explained
    nanos end;
    bool spent; // a query was refused, for too many were asked
    status failed;
    errors *list;
} asker;

// A goal of a body as it is asked, and as the rule writes it.
typedef struct body_goal {
    const term *ask;     // what must hold: the goal, and what its time asks for
    const term *written; // with the values that the head gives
} body_goal;
typedef struct body {
    ARRAY(body_goal) goals;
    ARRAY(body_goal) rest; // goals past GOALS_MAX: tried one by one behind the others
    const char *file;
} body;

// Asks the conjunction of some goals. False: it cannot be asked (not everything is bound), or the
// asker failed. *out may be NULL: then only *count is wanted.
bool why_not_ask(asker *k, const term *goal, const char *file, answers **out, size_t *count);
const term *why_not_conjunction(asker *k, const body *b, uint32_t goals);
// The most goals that hold at once, those written first before others: a bit for each.
// (why_not_search.c)
uint32_t why_not_largest_set(asker *k, const body *b);

// Says how near goal `i` of the body comes to holding while those of `reached` hold: a sentence, or
// NULL; *failing is the goal with the values that it has then. (why_not_near.c)
const char *nearest_miss(asker *k, const body *b, uint32_t reached, uint32_t i,
                         const term **failing);
// Says which name in the goal no object and no rule has, or NULL. (why_not_near.c)
const char *unknown_names(asker *k, const term *goal);

// Makes the bodies of a clause for a goal, one for each way through its disjunctions; *count 0: the
// head does not fit. (why_not_head.c)
body *bodies_for(asker *k, const clause *c, const term *goal, size_t *count);
void bodies_finish(body *b, size_t count);
// Returns which argument of a temporal goal, from 1, is its time; 0: it has none.
uint32_t why_not_time_place(asker *k, const term *atom);
// Returns the term with another argument `i`, from 0.
const term *why_not_with_arg(asker *k, const term *t, uint32_t i, const term *arg);

#endif
