// query/rules/rule.h - rules as the engine runs them: clauses with disjunctions unfolded, split
// predicates replaced by one relation per functor, and time specifications by columns and
// conditions.
//
// Everything lives in the arena of the program, or of one query, that made it.
#ifndef FORESEE_QUERY_RULE_H
#define FORESEE_QUERY_RULE_H

#include "query/builtins/builtin.h"
#include "query/rows/relation.h"
#include "query/rows/value.h"

// What may stand in a column: a constant, a variable, or a compound that holds variables.
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
    LITERAL_RELATION, // columns match a row; negated: no row matches, nor meets `condition`
    LITERAL_COMPARE,  // left op right
    LITERAL_UNIFY,    // left = right
    LITERAL_BUILTIN,
    LITERAL_AGGREGATE, // right = aggregate over the rows of `pred` that match the group columns
    LITERAL_INTERSECT, // the instant variable lies in [args[0], args[1])
    LITERAL_SUBTRACT,  // ... and in no interval of `pred` with these keys
    LITERAL_ROUNDS,    // left, a column's value, is the number or instant that was written at right
    LITERAL_TO_TIME    // right = left as an instant
} literal_kind;

// Which rows of a temporal relation a literal reads.
typedef enum source_kind {
    SOURCE_ROWS,   // of a plain relation
    SOURCE_PIECES, // some pieces that together cover it: all that recursion may see
    SOURCE_MERGED, // maximal intervals so far, when asked for a bound throughout(A, B)
    SOURCE_MAXIMAL // maximal intervals, complete: stratified like negation
} source_kind;

// Condition on the interval of a negated temporal literal.
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
    table *table; // of the query that runs; NULL in a program
    uint32_t arg_count;
    const pattern **args;     // columns; a builtin's arguments; an aggregate's groups
    const expr *left, *right; // also the condition's times
    compare_op op;
    const builtin *builtin;
    aggregate_kind aggregate;
    bool enumerates; // the aggregate has groups of its own: an empty one gives nothing
    bool windowed;   // of a signal's intervals only what lies within the window is needed
    interval window;
    bool leads;     // is run through first: an index over so many rows costs more than that
    bool is_value;  // computes an aggregate's value: runs last, and not to compute is an error
    uint32_t range; // INTERSECT, SUBTRACT: the instant variable
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
bool varset_within(const varset *a, const varset *b); // a is a subset of b
bool varset_meets(const varset *a, const varset *b);  // they share a variable

typedef struct rule {
    uint32_t id; // of its clause, from 1
    pred *pred;
    table *table;
    uint32_t arg_count;
    const pattern **args; // all columns of the head, an interval's ends too
    uint32_t head_range;  // instant variable that gives the last two columns, or VAR_NONE
    uint32_t some_range;  // instant variable that the head has not: some instant is left of it
    literal *literals;
    uint32_t literal_count;
    uint32_t var_count;
    const char **var_names;
    bool *is_range;  // instant variables
    bool *is_time;   // variables that hold instants
    varset given;    // variables of the head that callers may bind; of a scope: that they do bind
    varset bindable; // those, and what literals bind; groups of aggregates apart
    const char *file;
    int line, column;
    const term *written; // the head of its clause; of a query and the like its body; NULL: none
} rule;
#define VAR_NONE UINT32_MAX

void pattern_vars(const pattern *p, varset *out); // adds
void expr_vars(const expr *e, varset *out);
void literal_vars(const literal *l, varset *out);
// What a positive occurrence of the literal can bind once it is ready.
void literal_outputs(const literal *l, varset *out);
// Finds what is bindable, given what is `given`, and hands it down to the scopes within.
void rule_bind(rule *r);
// Whether the literal can run when `bound` is; `required` gives, for a derived predicate, the
// columns that must be bound (bit per column). Variables that nothing in the rule binds
// (`bindable`) are wildcards under negation.
bool literal_ready(const rule *r, const literal *l, const varset *bound, const varset *bindable,
                   uint32_t required);
// Columns that the literal's predicate asks its callers to bind.
uint32_t literal_required(const literal *l);
// Where no literal is ready: one that gives a number its exact instant after all, since nothing
// else binds the column it stands in; UINT32_MAX: none. It binds its left variable.
uint32_t rule_last_resort(const rule *r, const bool *done, const varset *bound);
// Runs literals as long as one is ready, and adds what they bind. done[i] says which ran. True: all
// did.
bool rule_run_dry(const rule *r, varset *bound, bool *done);

// The type of a column, for time: joined over all rules.
typedef enum column_kind {
    COLUMN_UNKNOWN,
    COLUMN_OTHER,
    COLUMN_INSTANT,
    COLUMN_INSTANTS, // lists of instants
    COLUMN_MIXED
} column_kind;

// What an in_episode call asks for: of the auxiliary predicate in_episode(E, ...) that stands for
// it, whose own rule is only checked.
struct episode_call {
    const term *goal;
    const char **names; // of the columns; the first is the episode's
    uint32_t count;
    const struct rule_source *source; // whose names the goal uses; NULL: those of queries
    const char *file;
};

// Rows of ground clauses, one behind the other: row i of the clause first + i.
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
    bool scoped; // ... of the goal of a negation or an aggregate: one literal of one rule reads it
    uint32_t shared, spread; // scoped: columns that the rule around has, then those of a solution
    column_kind *around;     // scoped: what the rule around knows of the shared ones; NULL: nothing
    bool of_query;           // made for a query, and ends with it
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
    uint64_t fingerprint;   // of its rules and facts and all below them: the same, the same rows
    column_kind *columns;
    uint32_t best;  // the column, counted from 1, whose best value alone stays for each of the
                    // others; 0: none
    bool greatest;  // the best is the greatest, not the least
    uint32_t typed; // columns declared to hold instants (bit per column)
    const char *doc, *file;
    int line, column;
};
void pred_add_facts(pred *d, const value *rows, uint32_t count, uint32_t first);
// The name as a user wrote it: holds_w(on/2).
const char *pred_label(const pred *p, char *buffer, size_t size);

#endif
