// query/lower/lower_int.h - the state of lowering one clause, shared by lower.c, lower_time.c and
// scope.c.
#ifndef FORESEE_QUERY_LOWER_INT_H
#define FORESEE_QUERY_LOWER_INT_H

#include "query/lower/goals.h"
#include "query/lower/lower.h"
#include "query/rules/predicates.h"

#define PI_VALUE 3.14159265358979323846

typedef ARRAY(const char *) names;

// A temporal call, whose time is lowered when all literals of the rule are known.
typedef struct pending {
    pred *pred;
    const pattern **keys;
    uint32_t key_count;
    const term *spec;
    bool negated;
    const term *at; // for messages
} pending;

// A scope within the clause, which is lowered when it is known which variables the clause binds.
typedef struct scope_body {
    pred *aux;
    clause clause;
} scope_body;

typedef struct builder {
    program *p;
    arena *a;
    const char *file;
    const rule_source *source; // whose names the clause uses; NULL: those of the common space
    errors *list;
    int line, column;
    uint32_t clause;
    pred *fixed;
    const term *head, *written; // the rules' `written`
    goal_list *goals;
    names scope;  // the variables that stand in the clause itself, not only in scopes within it
    names around; // in a scope: the variables that the clause around it binds
    ARRAY(scope_body) scopes;
    names names;
    ARRAY(literal) literals;
    ARRAY(pending) pending;
    bool failed;
} builder;

typedef struct resolved {
    const char *name; // of the predicate, and its arity in source text
    uint32_t arity;
    pred *pred;
    const term **args;
    uint32_t arg_count;
    const term *spec;
} resolved;

void builder_error(builder *b, const term *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
uint32_t builder_var(builder *b, const char *name);
uint32_t builder_fresh(builder *b);
literal *builder_literal(builder *b, literal_kind kind, const term *at); // valid until the next one
void builder_compare(builder *b, compare_op op, const expr *left, const expr *right,
                     const term *at);
bool builder_resolve(builder *b, const term *atom, bool head, resolved *out);
pattern *pattern_var(builder *b, uint32_t var);
const pattern *pattern_of(builder *b, const term *t, bool raw);
expr *expr_new(builder *b, expr_op op);
const expr *expr_var(builder *b, uint32_t var);
const expr *expr_const(builder *b, value constant);
const expr *expr_time(builder *b, const term *t);
bool term_is_task_time(const term *t); // start(Task) or end(Task)
const pattern *
pattern_end(builder *b,
            const term *t); // the pattern of an end of an interval, where start and end are times
// Returns the pattern of a signal: arithmetic stays a term, and where it has instants start and end
// are those. (lower_signal.c)
const pattern *pattern_signal(builder *b, const term *t);
// Returns whether a term in the place of a value is computed: arithmetic is, and with `functions`
// abs(X) and the like.
bool term_computes(const term *t, bool functions);

// ---- Scopes (scope.c) ----
bool names_have(const names *set, const char *name);
// Adds the variables of `t` that do not stand in a scope within it.
void names_here(const term *t, names *out);
// Reports variables that occur once in their scope: as mistakes of a clause; of a query as
// warnings, where another scope has a variable of the same name.
void scope_check(program *p, const clause *c, bool is_query, errors *list);
void scope_open(builder *b); // finds the variables of the clause that is lowered
void scope_lower(builder *b, const varset *bound);            // lowers the scopes of the clause
bool scope_is_atom(const term *negated);                      // the negated goal is no scope
void scope_negation(builder *b, const term *t, bool negated); // not (...)
// Makes a temporal predicate of a negated goal, with its keys; the negation keeps the argument
// `timed`, which says when. `apart`: what stands for anything is a key, too, so that the times of
// different things are not merged. *out NULL: there was a mistake. Returns the number of keys.
uint32_t scope_absence(builder *b, const term *t, uint32_t timed, bool apart, pred **out,
                       const pattern ***keys);
uint32_t scope_aggregate(builder *b, const term *t); // the variable of its result
void scope_in_episode(builder *b, const term *t, bool negated);
// The functor of the equation that computes the value of an aggregate.
#define SCOPE_VALUE "$value"

// Lowers a clause; the clause around a scope binds the variables `around`.
bool builder_lower(program *p, const clause *c, uint32_t id, pred *fixed, const names *around,
                   errors *list);
// Resolves the head and the pending times, and adds the rule to its predicate. (lower_time.c)
void builder_finish(builder *b);

#endif
