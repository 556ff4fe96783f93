// query/derive/rule_plan_int.h - a rule being run, shared by rule_plan.c, compile.c, run.c and
// aggregate.c.
#ifndef FORESEE_QUERY_RULE_PLAN_INT_H
#define FORESEE_QUERY_RULE_PLAN_INT_H

#include "query/derive/exec.h"
#include "query/rows/relation_int.h"
#include "query/rows/row_order.h"

// Of a table of the same component: what stood before the last round, what that round added, both.
typedef enum read_range { READ_ALL, READ_OLD, READ_DELTA, READ_NOW } read_range;

// What is done with one column of a row that was found. Slots are places in the plan's `env`:
// variables, and behind them constants.
typedef enum action_kind { ACTION_CHECK, ACTION_BIND, ACTION_MATCH } action_kind;
typedef struct action {
    action_kind kind;
    uint32_t column, slot;
    const pattern *pattern; // MATCH
} action;

// Where the value of a column of an index, or of a head, comes from.
typedef struct supply {
    uint32_t slot;          // SLOT_NONE: made of the pattern each time
    const pattern *pattern; // never NULL
} supply;
#define SLOT_NONE UINT32_MAX
#define NO_CUT UINT32_MAX

// What later literals ask of a column of a row, known before the row is read.
typedef enum bound_kind { BOUND_FROM, BOUND_TO, BOUND_REACH } bound_kind; // as in order_range
typedef struct row_bound {
    bound_kind kind;
    const expr *value; // one of the two; both NULL: the present range of `range`
    const pattern *pattern;
    uint32_t range;
} row_bound;
#define BOUNDS_MAX 8

// A fold that was computed for a group, by the group's newest row.
typedef struct memo {
    value *results; // VALUE_NONE: not yet computed; VALUE_EMPTY: nothing
    uint32_t count;
    budget *budget;
} memo;
#define VALUE_EMPTY (VALUE_NONE + 8)

typedef struct step {
    const literal *l;
    uint32_t number; // of the literal in its rule
    uint32_t mask;   // columns bound when it runs
    uint32_t columns[RELATION_ARITY_MAX], column_count;
    uint32_t *fresh, fresh_count; // variables that it binds
    action *actions;              // of the columns that are not bound
    uint32_t action_count;
    supply *keys; // of the columns that are
    bool recursive, from_left, hit;
    bool best_alone; // rows that were beaten are left out
    bool clears;     // its variables must be unbound before a row is matched
    bool of_ends;    // it relates two intervals whose ends are slots: no terms are made of them
    bool last;       // the head comes next, made of slots alone
    bool copies;     // and of each row that is found: nothing else is asked of it
    // Once it ran, what is left of the steps from `cut` on is left out; where it gave no head, of
    // those from `back` on. NO_CUT: of none. (existence.c)
    uint32_t cut, back;
    read_range range;
    int fact_key; // the column that rows of a table of the log are looked up by, or -1
    row_bound bounds[BOUNDS_MAX];
    uint32_t bound_count, start, end; // columns of the order that the bounds are for
    row_list met;
    uint64_t walked;   // rows read without the order: it is made when they are many
    relation *indexed; // the relation that `index` belongs to
    relation_index *index;
    builtin_call call;
    uint32_t ends[4]; // of_ends: slots
    intervals found, gaps;
    memo memo;
    size_t charged; // bytes of its lists that were counted
} step;

struct rule_plan {
    const rule *r;
    value *env;        // by variable, VALUE_NONE: unbound; then constants
    nanos *low, *high; // of instant variables
    uint32_t step_count, ordered;
    rule_plan_found found; // instead of adding the head; NULL: adds it
    void *context;
    supply *head;
    bool plain_head;                     // it is made of slots alone
    bool distinct;                       // no head can come twice: none is looked for
    uint32_t copied[RELATION_ARITY_MAX]; // by column of the head: that of the row, or SLOT_NONE
    uint32_t cut_head;                   // the `cut` of what stands behind all steps: the head
    uint32_t cut_to;                     // the step that is unwound to; NO_CUT: none
    uint64_t given;                      // heads, whether new or not
    void *block;                         // actions and the like
    budget *budget;
    size_t charged; // to be given back
    step steps[];
};

// Rows on their way into a table, so that what memory takes to answer overlaps.
typedef struct batch {
    const rule *r;
    bool distinct; // they are new, each once
    uint32_t count;
    value rows[RELATION_BATCH * RELATION_ARITY_MAX];
} batch;

// The rows that a literal reads.
relation *rule_plan_relation(const machine *m, const rule *r, const literal *l);
// Makes each step's actions, keys and bounds. False: out of memory.
bool rule_plan_compile(const machine *m, rule_plan *p, const varset *given, int delta);
// Finds what each step leaves out; `proving`: nothing, as all ways are asked for.
void rule_plan_cut(rule_plan *p, bool proving);
// The bounds that literals not yet done set on the rows of `l`, given what is bound; how many there
// are, none where the rows have no order worth using.
uint32_t rule_plan_bounds(const rule *r, const literal *l, const varset *known, row_bound *out,
                          uint32_t *start, uint32_t *end);
// Adds the head of a rule without a body, all constants, to the table.
status rule_state(machine *m, table *t, const rule *r);
static inline uint64_t rule_plan_given(const rule_plan *p) {
    return p->given;
}
// Runs the steps from k on. False: stopped.
bool rule_plan_continue(machine *m, rule_plan *p, uint32_t k);
bool aggregate_run(machine *m, rule_plan *p, uint32_t k);
bool machine_stop(machine *m, status why); // false
// Whether to go on, looked at once in a while by whatever takes long.
bool machine_look(machine *m);

#endif
