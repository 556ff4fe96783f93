// query/why/proof_int.h - the state of rebuilding proofs, shared by proof*.c.
#ifndef FORESEE_QUERY_PROOF_INT_H
#define FORESEE_QUERY_PROOF_INT_H

#include "query/derive/exec.h"
#include "query/why/proof.h"

#define PROOF_DEPTH_MAX 500

// A goal of a clause as the user wrote it, with the literals that were made of it.
typedef struct goal_group {
    const term *goal;     // NULL: made by the engine
    const literal *main;  // relation, builtin, comparison, equation; NULL: an aggregate alone
    const literal *start; // of a goal at a time: conditions on the ends of the interval
    const literal *end;
    const literal **aggregates; // that stand in it
    size_t aggregate_count;
} goal_group;
typedef struct layout {
    const rule *r;
    const term *body; // of the clause, or of the query
    ARRAY(goal_group) groups;
} layout;

// A thing to prove: a row of a table, or that pieces of a temporal table cover a span.
typedef struct proof_ref {
    table *t;
    uint32_t row;      // not temporal
    const value *span; // temporal: keys, start, end
    uint32_t before;   // by pieces of earlier rounds alone; 0: by any
} proof_ref;

typedef struct pending_proof {
    proof_ref ref;
    proof *node;
    uint32_t depth;
} pending_proof;

// One way through a rule: its bindings, and the span that it gives.
typedef struct way {
    const rule *r;
    value *env;
    interval span;  // of a temporal table
    uint32_t round; // of what it gave
} way;

typedef struct proved { // by a hash of its table and row
    proof_ref ref;
    const proof *node; // NULL: counted, not shown
} proved;

// How often the counted steps used facts of a predicate.
typedef struct used_facts {
    const pred *of;
    uint64_t count;
} used_facts;

typedef struct prover {
    engine *e;
    program *p;
    machine m;
    tables all;
    const term *query;
    const char *file; // of the query
    proof_options opt;
    arena *a;       // of what is returned
    arena *rows;    // of spans
    arena *scratch; // of steps that are only counted
    arena *into;    // `a` or `scratch`
    bool counting;
    uint64_t counted;
    ARRAY(used_facts) used; // of the cut that is being counted
    ARRAY(layout *) layouts;
    ARRAY(pending_proof) pending;
    proved *known;
    size_t known_count, known_room;
    error *err;
    status failed;
} prover;

bool prover_fail(prover *P, status why); // false
const clause *prover_clause(prover *P, uint32_t id);
bool pred_is_union(const pred *d);

// ---- Terms as users write them (proof_atom.c)
const term *pattern_term(prover *P, const rule *r, const pattern *p, const way *w);
const term *expr_term(prover *P, const rule *r, const expr *e, const way *w);
// Returns the atom of a predicate: its columns but for an interval's ends, and the time (NULL:
// none).
const term *pred_atom(prover *P, const pred *d, const term *const *columns, const term *time);
const term *row_atom(prover *P, const table *t, const value *row);
const term *span_term(prover *P, const char *name, nanos start, nanos end);
// Returns a goal with the values of its variables.
const term *goal_term(prover *P, const layout *l, const term *goal, const way *w);
const term *negation_of(prover *P, const term *t);
const layout *prover_layout(prover *P, const rule *r);

// ---- Ways through rules (proof_way.c)
// Finds the first way to a row that reads only earlier rounds. False: there is none, or it failed.
bool way_to_row(prover *P, const table *t, uint32_t row, way *out);
typedef ARRAY(way) ways;
// Finds ways that together cover the span, in order of time. False: there are none, or it failed.
bool ways_to_span(prover *P, const proof_ref *ref, ways *out);

// Proves one answer of the query's table. (proof_build.c)
const proof *prover_answer(prover *P, table *t, uint32_t row);

#endif
