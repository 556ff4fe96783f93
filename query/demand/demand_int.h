// query/demand/demand_int.h - the state of finding out what a query needs, shared by demand*.c.
#ifndef FORESEE_QUERY_DEMAND_INT_H
#define FORESEE_QUERY_DEMAND_INT_H

#include "query/tables/table_cache.h"
#include "query/demand/demand.h"
#include "query/tables/table.h"

// At most so many values are few, so that each may be followed by itself.
#define FEW_MAX 64

// Linear recursion that hands columns through.
typedef struct linear {
    bool known;
    uint32_t through; // columns that are handed through: asking for them asks for no more keys on
                      // the way
    uint32_t walked;  // the other columns, where all can be followed from each seed; 0: they cannot
} linear;

typedef struct demand {
    program *p;
    arena *a;
    budget *b;
    pred *query;
    demand_options options;
    tables *out;
    table **forms;  // by predicate: its tables for each form of call, linked by next_form
    bool *whole;    // by predicate: never by demand
    bool *timeless; // by predicate: never within a window
    bool *unasked;  // by predicate: never within windows that goals before the call give
    bool *some;     // by predicate: it can have rows; NULL: that was not looked for
    bool *many;     // by predicate: it is asked for by more than a few keys
    linear *linear;
    uint32_t passes; // how often the building of tables began
    bool followed;   // some recursion is followed from each seed
    bool crowded;    // `many` has grown since
    bool sparing;    // what asks waits for no aggregate that gives none of the keys
    bool too_many; // there are too many forms of calls: predicates that need no demand are derived
                   // whole
    size_t next;   // table whose rules come next
    struct {
        literal *literals;
        struct rank *ranks;
        bool *done;
        uint32_t count;
    } room; // for the literals of the rule that is swept
    status failed;
} demand;

// What decides when a literal's turn comes (demand_order.c).
typedef struct rank {
    varset vars;   // of the literal
    uint32_t rows; // at most so many
    bool known;    // the rest is that of the variables that are bound now
    int class_of;
    bool awaits;
    uint32_t columns;
} rank;

typedef struct sweep { // through one rule's literals
    demand *d;
    table *t;
    const rule *r;
    bool is_query;
    varset bound, chosen; // bound variables, and those of them whose values come from the demand
    varset few;           // variables that have only a few values
    varset made;          // variables that are computed: recursive demand for them might never end
    varset fixed;         // variables that follow from constants of the rule by computing alone
    value *known;         // the values that equations give; NULL: not looked for yet
    rank *ranks;          // of the rule's literals
    literal *literals;    // in their new order, the magic one first
    uint32_t count;
} sweep;

// A call's table and, where it is asked for by columns, the rule that asks.
typedef struct call_form {
    uint32_t mask;
    bool selective, followed; // see linear
    windows *within;          // NULL: for all time
    table *when;              // that gives the windows; NULL: they are known beforehand
} call_form;

void *demand_alloc(demand *d, size_t size); // NULL: d->failed says why
table *demand_table(demand *d, pred *p, uint32_t arity);
status demand_fill(demand *d, table *t); // with the clauses that have no body
void demand_rule(demand *d, const rule *r, table *t, const literal *literals, uint32_t count,
                 const pattern **args, uint32_t arg_count);
// Makes a rule, still without literals, that copies between tables of one predicate: its variables
// are its columns.
rule *demand_copying_rule(demand *d, pred *p, uint32_t columns, const pattern ***vars);
// Returns a literal that reads a table.
literal demand_read(table *t, const pattern **args, uint32_t count);
// Orders the literals of a rule for table `t`, behind the literal `guard` (NULL: none) and without
// literal `skip` (UINT32_MAX: none), and adds the rule to `t` with these columns.
void demand_sweep(demand *d, table *t, const rule *r, const literal *guard, uint32_t skip,
                  const pattern **args);
bool pattern_within(const pattern *p, const varset *set);
bool pattern_meets(const pattern *p, const varset *set);
// Notes the variables that a literal computes, in a rule of component `component`.
void demand_note_made(const rule *r, uint32_t component, const literal *l, const varset *bound,
                      varset *made);

// Finds which of the predicates that the query reaches can have rows. (demand_some.c)
void demand_find_some(demand *d, pred *const *reached, size_t count);
// Returns whether none of the relations that a rule joins is known to have no rows.
bool demand_may_run(const demand *d, const rule *r);

// Returns how the recursion of `p` hands columns through. (demand_linear.c)
linear linear_of(demand *d, const pred *p);
// Makes the rules of a table that is followed from its seeds.
void linear_rules(demand *d, table *t);

// Compares two literals of a rule, by their numbers, in the order in which they pass demand on.
// Negative: `a` goes first. (demand_order.c)
int demand_prefer(const sweep *w, uint32_t a, uint32_t b);
// Returns how many rows a literal's relation has at most; UINT32_MAX: only deriving it would tell.
uint32_t demand_rows(const sweep *w, const literal *l);
bool demand_is_few(const sweep *w, const literal *l);
// Returns whether asking for the columns in the mask leaves fewer rows to run through than deriving
// all does.
bool demand_narrows(const pred *p, uint32_t mask);
bool demand_is_given(const literal *l); // the literal gives the values that come with the query

// Finds the windows of time within which literal `at` of the rule is needed. Where goals before it
// give their instants, `asked` is the table of these, which is made. False: it is needed for all
// time. (demand_window.c)
bool demand_window(sweep *w, uint32_t at, windows **out, table **asked);
// Returns whether a literal before a call stands in the rule that asks for the call: it does not
// only filter.
bool demand_passes_on(const sweep *w, const literal *before);
// Gives these literals; `more` places are left behind them. `fixed`: only those that compute values
// that the rule itself gives. NULL: out of memory.
literal *demand_before(const sweep *w, bool fixed, uint32_t more, uint32_t *count);
// Returns the context in which a rule asks for its calls: see struct table.
uint32_t demand_context(const sweep *w);

// Numbers components, and finds the predicates that must be derived whole after all.
// (demand_strata.c)
bool demand_number(demand *d);
bool demand_give_up(demand *d, const pred **culprit);
// Numbers layers within components in which only demand closes a circle through a negation. False,
// with *culprit: rules close one, too; without: out of memory.
bool demand_layers(demand *d, const pred **culprit);

#endif
