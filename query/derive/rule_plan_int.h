// query/derive/rule_plan_int.h - a rule that runs, shared by rule_plan.c, compile.c, run.c and
// aggregate.c.
#ifndef FORESEE_QUERY_RULE_PLAN_INT_H
#define FORESEE_QUERY_RULE_PLAN_INT_H

#include "query/derive/exec.h"
#include "query/rows/relation_int.h"
#include "query/rows/row_order.h"

// The rows that a literal reads of a table of its component: those before the last round, those
// that it added, or both.
typedef enum read_range { READ_ALL, READ_OLD, READ_DELTA, READ_NOW } read_range;

// What a step does with one column of a row that it found. Slots are places in the plan's `env`:
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

// A bound that later literals set on a column of a row, known before the row is read.
typedef enum bound_kind { BOUND_FROM, BOUND_TO, BOUND_REACH } bound_kind; // as in order_range
typedef struct row_bound {
    bound_kind kind;
    const expr *value; // one of the two; both NULL: the present range of `range`
    const pattern *pattern;
    uint32_t range;
} row_bound;
#define BOUNDS_MAX 8

// The aggregates that were computed for groups, by the newest row of each group.
typedef struct memo {
    value *results; // VALUE_NONE: not computed yet; VALUE_EMPTY: it has no result
    uint32_t count;
    budget *budget;
} memo;
#define VALUE_EMPTY (VALUE_NONE + 8)

typedef struct step {
    const literal *l;
    uint32_t number; // of the literal in its rule
    uint32_t mask;   // the columns that are bound when it runs
    uint32_t columns[RELATION_ARITY_MAX], column_count;
    uint32_t *fresh, fresh_count; // variables that it binds
    action *actions;              // of the columns that are not bound
    uint32_t action_count;
    supply *keys; // of the columns that are
    bool recursive, from_left, hit;
    bool best_alone; // rows that were beaten by a better value are left out
    bool clears;     // its variables must be unbound before a row is matched
    bool of_ends;    // it relates two intervals whose ends are slots: no terms are made of them
    bool last;       // the head comes next, made of slots alone
    bool copies;     // the head is copied from each row that is found, which needs no other test
    // Once it ran, what is left of the steps from `cut` on is left out; where it gave no head, of
    // those from `back` on. NO_CUT: of none. (existence.c)
    uint32_t cut, back;
    read_range range;
    int fact_key; // the column that rows of a table of the log are looked up by, or -1
    row_bound bounds[BOUNDS_MAX];
    uint32_t bound_count, start, end; // columns of the order that the bounds are for
    row_list met;
    uint64_t walked;   // rows read without the order, which is made when they are many
    relation *indexed; // the relation that `index` belongs to
    relation_index *index;
    builtin_call call;
    uint32_t ends[4]; // of_ends: slots
    intervals found, gaps;
    memo memo;
    size_t charged; // bytes of its lists that the budget has counted
} step;

struct rule_plan {
    const rule *r;
    value *env;        // by variable, VALUE_NONE: unbound; then constants
    nanos *low, *high; // of instant variables
    uint32_t step_count, ordered;
    rule_plan_found found; // called in place of adding the head; NULL: the head is added
    void *context;
    supply *head;
    bool plain_head; // the head is made of slots alone
    bool distinct;   // no head can come twice, so heads are added without looking for them
    uint32_t copied[RELATION_ARITY_MAX]; // by column of the head: that of the row, or SLOT_NONE
    uint32_t cut_head;                   // the `cut` of the head, which stands behind all steps
    uint32_t cut_to;                     // the step that is unwound to; NO_CUT: none
    uint64_t given;                      // heads, whether new or not
    void *block;                         // actions and the like
    budget *budget;
    size_t charged; // bytes to give back to the budget
    step steps[];
};

// Rows that wait to be added to a table together, so that accesses to memory overlap.
typedef struct batch {
    const rule *r;
    bool distinct; // the rows are new, and each comes once
    uint32_t count;
    value rows[RELATION_BATCH * RELATION_ARITY_MAX];
} batch;

// Returns the relation that a literal reads.
relation *rule_plan_relation(const machine *m, const rule *r, const literal *l);
// Makes each step's actions, keys and bounds. False: out of memory.
bool rule_plan_compile(const machine *m, rule_plan *p, const varset *given, int delta);
// Finds the matches that each step can skip; `proving`: none, since a proof asks for all ways.
void rule_plan_cut(rule_plan *p, bool proving);
// Gives the bounds that literals which have not run set on the rows of `l`, where `known` is bound,
// and returns their number: 0 where the rows have no order worth using.
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
// Returns whether to go on. Whatever takes long asks once in a while.
bool machine_look(machine *m);

#endif
