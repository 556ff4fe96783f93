// query/tables/table.h - the relations that one query needs, with the rules that fill them.
#ifndef FORESEE_QUERY_TABLE_H
#define FORESEE_QUERY_TABLE_H

#include "query/rows/cover.h"
#include "query/rules/rule.h"

typedef struct best_rows best_rows;
struct table {
    pred *pred;       // of a magic table: what is asked for
    uint32_t arity;   // columns of `rows`
    uint32_t mask;    // bound columns of the predicate; 0: derived whole
    uint32_t context; // on whose behalf; apart, so that demand makes no cycles
    bool selective;   // few rows are asked for: what they lead to is asked for by them, too
    bool magic;       // holds what is asked for
    bool temporal;
    bool complete; // nothing will be added
    bool followed; // linear recursion from few keys (demand_linear.c)
    bool windowed; // only what of it lies within `window` (demand_window.c)
    interval window;
    bool base;        // the clauses without a body alone
    bool ground;      // clauses of constants alone come from the predicate, not from `rules`
    bool cached;      // for later queries, whose engine owns it
    table *demand;    // the magic table that calls ask into
    table *guard;     // and the one that the rules read: without what is kept
    table *next_form; // of the same predicate, for another form of call
    ARRAY(rule *) rules;
    uint32_t component;
    uint32_t layer;    // in its component: what a negation or aggregate there reads lies lower
    relation *rows;    // of a temporal one: pieces that do not overlap
    relation *maximal; // of a temporal one: merged, when complete or asked for
    relation *keys;    // of a temporal one
    cover *covers;     // of each key: merged intervals
    uint32_t cover_count, cover_capacity;
    best_rows *best;   // of a predicate of which the best row alone stays (best.h); else NULL
    uint32_t old, now; // rows known before the last round, and after it
};
typedef ARRAY(table *) tables;

void tables_free(tables *all); // those that are kept stay
// Whether the rule is a clause of constants alone, of a temporal predicate: there may be many.
bool rule_is_ground(const rule *r);
table *table_create(pred *d, uint32_t arity, budget *b);
void table_free(table *t);
// Adds a row; of a temporal table the keys with an interval, clipped to [0, end + 1) and its
// window.
status table_add(table *t, const value *row, uint32_t origin, uint32_t round, nanos end);
// Brings `maximal` up to date.
status table_merge(table *t, budget *b);

#endif
