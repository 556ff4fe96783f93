// query/exec.h - running rules over tables.
#ifndef FORESEE_QUERY_EXEC_H
#define FORESEE_QUERY_EXEC_H

#include "query/fact.h"
#include "query/table.h"

struct signals;

// What a query runs in.
typedef struct machine {
    values *values;
    facts *facts;
    struct signals *signals;
    program *program;
    budget *budget;
    nanos end;
    uint32_t round;      // of the derivation, counts on
    uint64_t steps;      // literals tried
    uint64_t step_limit; // 0: none
    error *err;
    status failed;
} machine;

// A rule with its literals in the order in which they run.
typedef struct plan plan;
// `delta`: the literal that reads only what the last round added, or -1. `first`: the first round
// of a component, in which every literal reads all there is.
plan *plan_create(machine *m, const rule *r, int delta);
void plan_discard(plan *p);
// Adds all heads the rule gives.
status plan_run(machine *m, plan *p);

// Fills all tables.
status evaluate(machine *m, tables *all);

// NULL-like VALUE_NONE where the expression has no value (division by zero, no number, ...).
value expr_value(values *v, const expr *e, const value *env);
value pattern_value(values *v, const pattern *p, const value *env);
// Binds the unbound variables (VALUE_NONE) of the pattern so that it equals `x`. False: it cannot.
bool pattern_match(const values *v, const pattern *p, value x, value *env);
// Whether the written number stands for this value: the same number, or an instant that rounds to
// it.
bool value_rounds_to(const values *v, value x, value written);
value value_as_time(const values *v, value x); // numbers as seconds; others as they are

#endif
