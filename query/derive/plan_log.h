// query/derive/plan_log.h - a record of how a query was run: strata, rules, orders, rows, time.
//
// Owns:      copies of all names in it.
// Invariant: a query runs the same with and without it, but for reading the clock.
#ifndef FORESEE_QUERY_PLAN_LOG_H
#define FORESEE_QUERY_PLAN_LOG_H

#include "query/derive/exec.h"

// One order in which a rule ran.
typedef struct plan_entry {
    const char *order;
    uint64_t given, fresh; // rows: all, and those that were new
    uint64_t times;
    nanos spent;
} plan_entry;

typedef struct plan_log plan_log;
plan_log *plan_log_create(void);    // NULL: out of memory
void plan_log_destroy(plan_log *l); // NULL is a no-op
// Returns the record as a text for people, which lives as long as the log; "" where nothing ran or
// memory is out.
const char *plan_log_text(plan_log *l);

// ---- Recording, by `evaluate`. What there is no memory for is left out. ----
// Notes that a component begins; `first` and `count` are its tables.
void plan_log_component(plan_log *l, const machine *m, table *const *first, size_t count);
// Notes that the component has ended after so many rounds.
void plan_log_rounds(plan_log *l, table *const *first, size_t count, uint64_t rounds);
// Returns the entry for a rule and its literal `delta`, which reads the rows that the last round
// added (-1: none does), with the order of `p`; there is one for each such pair in a component.
// NULL: out of memory.
plan_entry *plan_log_entry(plan_log *l, const machine *m, const rule_plan *p, int delta);

#endif
