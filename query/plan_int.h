// query/plan_int.h - a rule being run, shared by plan.c and aggregate.c.
#ifndef FORESEE_QUERY_PLAN_INT_H
#define FORESEE_QUERY_PLAN_INT_H

#include "query/exec.h"

typedef enum read_range { READ_ALL, READ_OLD, READ_DELTA, READ_NOW } read_range;

typedef struct step {
    const literal *l;
    uint32_t number; // of the literal in its rule
    uint32_t mask;   // columns bound when it runs
    uint32_t columns[RELATION_ARITY_MOST], column_count;
    uint32_t fresh[VARS_MOST], fresh_count; // variables that it binds
    bool recursive, from_left, hit;
    read_range range;
    relation *indexed; // the relation that `index` belongs to
    relation_index *index;
    builtin_call call;
    intervals found, gaps;
} step;

struct plan {
    const rule *r;
    value *env;        // by variable; VALUE_NONE: unbound
    nanos *low, *high; // of instant variables
    uint32_t step_count, ordered;
    step steps[];
};

// Runs the steps from k on. False: stopped.
bool plan_continue(machine *m, plan *p, uint32_t k);
bool aggregate_run(machine *m, plan *p, uint32_t k);

#endif
