// tests/bench/cliffs.h - programs on which engines fall off: each costs what its answer costs, or
// a thousand times that.
#ifndef FORESEE_TESTS_BENCH_CLIFFS_H
#define FORESEE_TESTS_BENCH_CLIFFS_H

#include "tests/bench/peers.h"

typedef struct cliff {
    const char *name, *what;
    void (*facts)(clauses *t);
    const char *rules;
    const char *query; // the last column of its one row is the number that all are to say
    double most;       // seconds of the query alone; 0: no peer is to be faster, all with reading
    // NULL: its rules are ours, it is not asked. clingo: rules for answer(N); prolog: a goal for N.
    const char *clingo_rules, *clingo;
    const char *tables, *prolog_rules, *prolog;
    const char *souffle; // declarations, rules, and one for answer(n)
    const char *body;    // a conjunction whose order is to play no part; NULL: none
} cliff;

extern const cliff CLIFFS[];
extern const size_t CLIFF_COUNT;
// Its facts, and rules. The caller finishes it.
clauses cliff_program(const cliff *c, const char *rules);

#endif
