// query/rules/rule.h - rules as the engine runs them: a clause without disjunctions, with one
// relation for each functor of a split predicate, and with columns and conditions for its times.
//
// All of it lives in the arena of the program or of the query that made it.
#ifndef FORESEE_QUERY_RULE_H
#define FORESEE_QUERY_RULE_H

#include "query/builtins/builtin.h"
#include "query/rows/relation.h"
#include "query/rows/value.h"

// A pattern stands in a column: a constant, a variable, or a compound that holds variables.
typedef enum pattern_kind { PATTERN_CONST, PATTERN_VAR, PATTERN_COMPOUND } pattern_kind;
typedef struct pattern pattern;
struct pattern {
    pattern_kind kind;
    value constant; // of a compound: its functor
    uint32_t var, arity;
    const pattern **args;
    const term *written; // what it was made of; NULL: the engine made it
};

typedef enum expr_op {
    EXPR_CONST,
    EXPR_VAR,
    EXPR_TERM, // a compound, not evaluated
#define ARITHMETIC(op, text, arity) EXPR_##op,
#include "query/rules/arithmetic.def"
#undef ARITHMETIC
    EXPR_OPS
} expr_op;
typedef struct expr expr;
struct expr {
    expr_op op;
    value constant;
    uint32_t var;
    const pattern *term;
    const expr *args[2];
};

typedef enum compare_op {
    COMPARE_LESS,
    COMPARE_AT_MOST,
    COMPARE_MORE,
    COMPARE_AT_LEAST,
    COMPARE_UNEQUAL
} compare_op;

typedef enum literal_kind {
    LITERAL_RELATION, // the columns match a row; negated: no row matches them and meets `condition`
    LITERAL_COMPARE,  // left op right
    LITERAL_UNIFY,    // left = right
    LITERAL_BUILTIN,
    LITERAL_AGGREGATE, // right = aggregate over the rows of `pred` that match the group columns
    LITERAL_INTERSECT, // the set of instants of `range` is intersected with [args[0], args[1])
    LITERAL_SUBTRACT, // the intervals of `pred` with these keys are subtracted from the instants of
                      // `range`
    LITERAL_ROUNDS,   // left, a column's value, is the number or instant that was written at right
    LITERAL_TO_TIME   // right = left as an instant
} literal_kind;

// Which rows of a temporal relation a literal reads.
typedef enum source_kind {
    SOURCE_ROWS,   // of a plain relation
    SOURCE_PIECES, // pieces that together cover its intervals; all that recursion may see
    SOURCE_MERGED, // maximal intervals of what is derived so far, for a bound throughout(A, B)
    SOURCE_MAXIMAL // maximal intervals, complete: stratified like negation
} source_kind;

// The condition that a negated temporal literal sets for the interval of a row.
typedef enum condition_kind {
    CONDITION_NONE,
    CONDITION_AT,
    CONDITION_DURING,
    CONDITION_THROUGHOUT
} condition_kind;

typedef enum aggregate_kind {
    AGGREGATE_COUNT,
    AGGREGATE_SUM,
    AGGREGATE_MIN,
    AGGREGATE_MAX,
    AGGREGATE_AVG,
    AGGREGATE_LIST
} aggregate_kind;

typedef struct pred pred;
typedef struct table table;

typedef struct literal {
    literal_kind kind;
    bool negated;
    source_kind source;
    condition_kind condition;
    pred *pred;
    table *table; // in a query that runs; NULL in a program
    uint32_t arg_count;
    const pattern **args;     // columns; a builtin's arguments; an aggregate's groups
    const expr *left, *right; // also the condition's times
    compare_op op;
    const builtin *builtin;
    aggregate_kind aggregate;
    bool enumerates; // the aggregate finds its groups itself; a group without rows gives no result
    bool windowed;   // only those parts of a signal's intervals are needed that the rule's table
                     // holds
    bool leads;      // runs first, over all rows: an index over so many rows would cost more
    bool is_value;   // computes an aggregate's value: it runs last, and a value that cannot be
                     // computed is an error
    bool exact;      // computes with a value that recursion may still better: it runs late, and
                     // where it cannot be computed, the query ends with an error
    uint32_t range;  // of INTERSECT and SUBTRACT: the instant variable
    int line, column;
    const term *written; // the goal it was made of; NULL: the engine made it
} literal;

// A set of a rule's variables.
#define VARS_MAX 256
typedef struct varset {
    uint64_t bits[VARS_MAX / 64];
} varset;
static inline void varset_add(varset *s, uint32_t v) {
    s->bits[v / 64] |= UINT64_C(1) << v % 64;
}
static inline void varset_remove(varset *s, uint32_t v) {
    s->bits[v / 64] &= ~(UINT64_C(1) << v % 64);
}
static inline bool varset_has(const varset *s, uint32_t v) {
    return s->bits[v / 64] >> v % 64 & 1;
}
// Returns whether a is a subset of b.
static inline bool varset_within(const varset *a, const varset *b) {
    for (size_t i = 0; i < VARS_MAX / 64; i++) {
        if (a->bits[i] & ~b->bits[i])
            return false;
    }
    return true;
}
// Returns whether they share a variable.
static inline bool varset_meets(const varset *a, const varset *b) {
    for (size_t i = 0; i < VARS_MAX / 64; i++) {
        if (a->bits[i] & b->bits[i])
            return true;
    }
    return false;
}

typedef struct rule {
    uint32_t id; // of its clause, from 1
    pred *pred;
    table *table;
    uint32_t arg_count;
    const pattern **args; // all columns of the head, an interval's ends too
    uint32_t head_range;  // instant variable that gives the last two columns, or VAR_NONE
    uint32_t some_range;  // an instant variable that the head does not have: the rule holds where
                          // some instant of it is left
    literal *literals;
    uint32_t literal_count;
    uint32_t var_count, var_room; // room: for how many variables there is memory
    const char **var_names;
    bool *is_range; // instant variables
    bool *is_time;  // variables that hold instants
    varset given; // the head's variables that callers may bind; in the rule of a scope, those that
                  // they do bind
    varset bindable; // `given`, and the variables that literals bind, but for groups of aggregates
    varset grouped;  // the variables that aggregates of the rule enumerate themselves
    const char *file;
    int line, column;
    const term *written; // the head of its clause; of a query or a scope its body; NULL: none
} rule;
#define VAR_NONE UINT32_MAX

// Makes room for `more` variables behind those that the rule has.
void rule_make_room(rule *r, arena *a, uint32_t more);
// These add the variables of a pattern, an expression, a literal to *out.
void pattern_vars(const pattern *p, varset *out);
void expr_vars(const expr *e, varset *out);
void literal_vars(const literal *l, varset *out);
// Adds the variables that a literal binds when it runs; a negated one binds none.
void literal_outputs(const literal *l, varset *out);
// Finds the variables that can be bound (`bindable`), and which of them the scopes within the rule
// are given.
void rule_bind(rule *r);
// Returns whether the variable stands for anything under a negation, since nothing binds it.
bool rule_has_wildcard(const rule *r, uint32_t var);
// Returns whether the literal can run when the variables `bound` are bound. `required`: the columns
// that must be bound of a derived predicate, a bit each. Variables that nothing in the rule binds
// (`bindable`) are wildcards under negation.
bool literal_ready(const rule *r, const literal *l, const varset *bound, const varset *bindable,
                   uint32_t required);
// Returns the columns that callers of the literal's predicate must bind, a bit each.
uint32_t literal_required(const literal *l);
// Returns the literal to run where none is ready: LITERAL_ROUNDS whose column no other literal
// binds, so that its number stands for its exact instant and binds the left variable. UINT32_MAX:
// there is none.
uint32_t rule_last_resort(const rule *r, const bool *done, const varset *bound);
// Goes through the literals as long as one is ready, and adds the variables that they bind. done[i]
// says which literals were ready. True: all of them were.
bool rule_run_dry(const rule *r, varset *bound, bool *done);

// Whether a column holds instants, as all rules of its predicate together say.
typedef enum column_kind {
    COLUMN_UNKNOWN,
    COLUMN_NUMBERS, // numbers alone
    COLUMN_OTHER,   // no instants
    COLUMN_INSTANT,
    COLUMN_INSTANTS, // lists of instants
    COLUMN_MIXED
} column_kind;

// The call of another episode that an auxiliary predicate in_episode(E, ...) stands for. The
// predicate has a rule, too, so that the call is checked; the rule never runs.
struct episode_call {
    const term *goal;
    const char **names; // of the columns; the first holds the episode
    uint32_t count;
    const struct rule_source *source; // whose names the goal uses; NULL: those of the common space
    const char *file;
};

// Rows of clauses of constants, one behind the other: row i is that of the clause with the id first
// + i.
typedef struct fact_rows {
    const value *rows;
    uint32_t count, first;
} fact_rows;

// One relation of a program: a predicate, or one functor of a split one.
struct pred {
    const char *name, *functor; // functor NULL: not split
    uint32_t functor_arity;
    uint32_t arity; // columns; a temporal one's last two are start and end
    bool temporal, instant;
    bool on_demand; // a hint, or the union of a split predicate
    bool auxiliary; // made by the engine
    bool scoped;    // it stands for the goal of a negation or an aggregate: one literal of one rule
                    // reads it
    uint32_t shared, spread; // scoped: columns that the rule around has, then those of a solution
    const char *goal;        // scoped, of prepared rules: as it is written; NULL: its rule says it
    column_kind *around;     // scoped: what the rule around knows of the shared ones; NULL: nothing
    bool of_query;           // made for a query, and dropped with it
    bool declared;
    uint32_t index;          // in the program
    uint32_t split_at;       // column where the functor's arguments begin
    const struct fact *fact; // a table of the log
    const struct episode_call
        *episode_call; // an in_episode call: its rule is checked, never run here
    ARRAY(rule *) rules;
    ARRAY(fact_rows) facts; // ground clauses
    uint32_t fact_count;    // of all of them
    uint32_t required;      // columns that a caller must bind
    uint32_t component;     // of mutual recursion; lower ones come first
    uint64_t fingerprint;   // of its rules and facts and all that they lead to: predicates with the
                            // same one have the same rows
    column_kind *columns;
    uint32_t best; // the column, counted from 1, of which only the best value is kept for each key
                   // of the other columns; 0: none
    bool greatest; // the best is the greatest, not the least
    bool best_computed; // recursion computes with the best values, or compares them by size
#define BEST_IS_NO_NUMBER                                                                          \
    "the recursion computes with the best value, or compares it by size; %s is neither a number "  \
    "nor a time"
    uint32_t typed; // columns declared to hold instants (bit per column)
    const char *doc, *file;
    int line, column;
};
void pred_add_facts(pred *d, const value *rows, uint32_t count, uint32_t first);
// Writes the name as users write it, such as holds_w(on/2), to `buffer`, and returns it.
const char *pred_label(const pred *p, char *buffer, size_t size);

#endif
