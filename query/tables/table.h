// query/tables/table.h - the relations that one query needs, with the rules that fill them.
#ifndef FORESEE_QUERY_TABLE_H
#define FORESEE_QUERY_TABLE_H

#include "query/rows/cover.h"
#include "query/rules/rule.h"

typedef struct best_rows best_rows;
struct table {
    pred *pred;       // of a magic table: the predicate that is asked for
    uint32_t arity;   // columns of `rows`
    uint32_t mask;    // bound columns of the predicate; 0: derived whole
    uint32_t context; // for whose demand it is; tables of other contexts stand apart, so that
                      // demand makes no cycles
    bool selective;   // few rows are asked for, so calls in its rules ask by their values, too
    bool magic;       // it holds the keys that are asked for
    bool temporal;
    bool complete;    // no row will be added
    bool followed;    // linear recursion from few keys (demand_linear.c)
    windows *within;  // it holds only these parts of intervals (demand_window.c); NULL: all
    table *when;      // whose rows give them, two instants each; NULL: they are known beforehand
    bool base;        // it holds the clauses without a body alone
    bool ground;      // clauses of constants alone come from the predicate, not from `rules`
    bool cached;      // the table cache owns it
    table *demand;    // the magic table that calls ask into
    table *guard;     // the one that the rules read, which lacks the keys that are cached
    table *next_form; // of the same predicate, for another form of call
    ARRAY(rule *) rules;
    uint32_t component;
    uint32_t layer;    // in its component: a negation or aggregate reads lower layers alone
    relation *rows;    // of a temporal one: pieces that do not overlap
    relation *maximal; // of a temporal one: merged, when complete or asked for
    relation *keys;    // of a temporal one
    cover *covers;     // of each key: merged intervals
    uint32_t cover_count, cover_capacity;
    best_rows *best;   // where only the best row of each key is kept (best.h); else NULL
    uint32_t old, now; // rows known before the last round, and after it
};
typedef ARRAY(table *) tables;

void tables_destroy(tables *all); // cached tables stay
// Returns whether the rule is a clause of constants alone, of a temporal predicate; there may be
// many.
bool rule_is_ground(const rule *r);
table *table_create(pred *d, uint32_t arity, budget *b);
void table_destroy(table *t);
// Gives the parts of time that the table holds; NULL: all.
static inline const windows *table_within(const table *t) {
    return t->within && !t->within->all ? t->within : NULL;
}
// Takes the rows of a complete table of instants as its windows, up to the instant `end`.
status table_take_windows(table *when, const values *v, nanos end);
// Adds a row; of a temporal table the keys with an interval, clipped to [0, end + 1) and its
// windows.
status table_add(table *t, const value *row, uint32_t origin, uint32_t round, nanos end);
// Brings `maximal` up to date.
status table_merge(table *t, budget *b);

#endif
