// tests/query/random/random.h - random stratified programs as data, and what is done with them.
//
// A program is generated stratum by stratum, evaluated by a naive evaluator of its own, written in
// the syntax of three engines, and asked of each. Instants are single nanoseconds, so that an
// episode of at most 64 of them can be expanded where an engine knows no intervals, and every
// comparison of times is exact.
#ifndef FORESEE_TESTS_QUERY_RANDOM_RANDOM_H
#define FORESEE_TESTS_QUERY_RANDOM_RANDOM_H

#include "tests/query/querylib.h"

// ---- Draws: one stream for each seed. ----
extern uint64_t draw_seed;
uint32_t draw(uint32_t n);
bool chance(uint32_t percent);
void shuffle(int *order, int n);

// ---- Ground terms, each kept once, so that equality is of numbers. ----
#define NO_TERM (-1)
#define SYMBOLS 4 // the first is the empty list
typedef enum ground_kind { GROUND_INT, GROUND_TIME, GROUND_SYMBOL, GROUND_COMPOUND } ground_kind;
typedef enum functor { FUNCTOR_F, FUNCTOR_G, FUNCTOR_CONS, FUNCTORS } functor;
typedef struct ground {
    ground_kind kind;
    int64_t n; // integer, nanoseconds, symbol or functor
    int args[2];
    int depth;
} ground;
typedef enum syntax { SYNTAX_OURS, SYNTAX_ASP, SYNTAX_PROLOG } syntax;
void grounds_forget(void); // all of them: no program or model outlives this
int ground_of(ground_kind kind, int64_t n, int a, int b);
static inline int ground_int(int64_t n) {
    return ground_of(GROUND_INT, n, NO_TERM, NO_TERM);
}
static inline int ground_time(int64_t n) {
    return ground_of(GROUND_TIME, n, NO_TERM, NO_TERM);
}
const ground *ground_at(int t);
int functor_arity(int f);
int ground_order(int a, int b); // the standard order of terms
void ground_write(FILE *out, int t, syntax s);
int ground_read(const char **at, bool time); // as peers print it; NO_TERM: it is none
int ground_from_value(const values *v, value x);
void seconds_write(FILE *out, int64_t ns);

// ---- Programs ----
#define PREDS_MAX 20
#define CLAUSES_MAX 64
#define LITS_MAX 14
#define LOCALS_MAX 26
#define WIDTH_MAX 3
#define POOL_MAX 6000
#define FACTS_MAX 400
#define SLOTS_MAX 64
#define NESTED_MAX 300
#define DEPTH_OF_SCOPES 3
#define TEXT_TESTS 13

typedef enum column { COLUMN_NUM, COLUMN_ALL, COLUMN_AT } column;
typedef enum best { BEST_NONE, BEST_LEAST, BEST_GREATEST } best;
typedef struct predicate {
    int arity;
    column columns[WIDTH_MAX];
    bool temporal; // its rows have instants
    int stratum;   // -1: facts
    best best;     // of the last column that value alone stays for each of the others
    int closure;   // 1 + the predicate that this is the transitive closure of; 0: of none
} predicate;

// PAT_SUM: args[0] + n, which is nothing where that is no number.
typedef enum pat_kind { PAT_CONST, PAT_VAR, PAT_ANY, PAT_COMPOUND, PAT_SUM } pat_kind;
typedef struct pat {
    pat_kind kind;
    int n; // ground term, variable or functor
    int args[2];
} pat;

typedef enum spec {
    SPEC_NONE,
    SPEC_EVER,    // of a negation: at no time
    SPEC_INSTANT, // the rule's instant variable
    SPEC_AT,
    SPEC_DURING,
    SPEC_THROUGHOUT,
    SPEC_INTERVAL
} spec;
typedef struct call {
    int pred, args[WIDTH_MAX];
    spec spec;
    int a, b; // patterns of its times
} call;

typedef enum lit_kind {
    LIT_CALL,
    LIT_NOT,
    LIT_OR,      // one of two calls
    LIT_COMPARE, // of patterns a and b
    LIT_COMPUTE, // var = a op b
    LIT_GROUP,   // var = aggregate over its calls of the variable `over`
    LIT_INSTANT, // the instant variable op a
    LIT_LONGER,  // b - a is at least (or less than) n nanoseconds
    LIT_ALIAS,   // var = a
    LIT_ALLEN,   // the intervals [a, b) and [c, d) are related
    LIT_TEXT,    // a test of a text, or of a list
    LIT_SCOPE    // literals of their own, under a negation or an aggregate
} lit_kind;
typedef enum compare { LESS, AT_MOST, UNEQUAL, EQUAL, BEFORE, COMPARES } compare;
typedef enum compute { PLUS, MINUS, TIMES, APART, COMPUTES } compute;
typedef enum group {
    GROUP_COUNT,
    GROUP_SUM,
    GROUP_MIN,
    GROUP_MAX,
    GROUP_GOALS,
    GROUPS,                   // those that peers have
    GROUP_FLOOR_AVG = GROUPS, // whole, since there are no other numbers here
    GROUP_LIST,
    GROUPS_OURS
} group;
typedef enum scope {
    SCOPE_NOT,    // not (...)
    SCOPE_VALUE,  // var = aggregate
    SCOPE_TEST,   // aggregate op n
    SCOPE_NO_TEST // not aggregate op n
} scope;
typedef struct lit {
    lit_kind kind;
    int op;
    call calls[2];
    int count; // of calls
    int a, b, n, c, d;
    int var, over;
    scope scope;
    int compare;       // of SCOPE_TEST
    int first, inside; // of a scope: its literals, among those that are nested
    uint32_t groups;   // variables of an aggregate's calls that stand elsewhere too, as bits
    bool enumerates;   // ... and that nothing else binds
} lit;

typedef struct rule_t {
    int pred, args[WIDTH_MAX];
    spec spec;
    int a, b;
    lit lits[LITS_MAX];
    int count;
    int locals;
    column types[LOCALS_MAX];
    int8_t deep[LOCALS_MAX]; // 1 + the name that a variable of a scope has in common with others
    bool recursion;          // of a closure: may be written on either side
} rule_t;

typedef struct fact_t {
    int pred, args[WIDTH_MAX], start, end;
} fact_t;

typedef struct program_t {
    uint64_t seed;
    int slots;     // instants of the episode
    bool temporal; // it has instants
    bool wide;     // integers of more than 32 bits
    bool nests;    // it may have scopes within scopes
    bool split;    // temporal predicates are functors of one
    predicate preds[PREDS_MAX];
    int pred_count, strata;
    rule_t rules[CLAUSES_MAX];
    int rule_count;
    fact_t facts[FACTS_MAX];
    int fact_count;
    lit nested[NESTED_MAX];
    int nested_count;
    bool ours; // it has what peers do not
    pat pool[POOL_MAX];
    int pool_count;
} program_t;

bool pred_has_clauses(const program_t *p, int pred);

// ---- Naive evaluation: every rule over every row until nothing is added. ----
typedef struct row_t {
    int args[WIDTH_MAX];
    uint64_t when; // a bit for each instant
} row_t;
typedef struct rows_t {
    ARRAY(row_t) rows;
    int *slots;
    size_t slot_count;
} rows_t;
typedef struct model {
    rows_t of[PREDS_MAX];
    uint64_t steps, most; // literals tried, and how many may be
    bool ignore_negation;
    bool unsafe; // a variable was read before it was bound
} model;
void model_start(model *m, const program_t *p); // only facts; frees what was there
// False: too many steps or rows.
bool model_stratum(model *m, const program_t *p, int stratum);
bool model_run(model *m, const program_t *p);
void model_finish(model *m);
row_t *rows_find(const rows_t *r, const int *args, int arity);
bool rows_same(const rows_t *a, const rows_t *b, int arity);
// The maximal interval that begins at or after `from`. False: none does.
bool interval_after(uint64_t when, int from, int *start, int *end);

// ---- Generation. False: nothing reasonable came of this seed. `m` is left with the program's
// model.
// Draws a rule of the predicate; `first`: it does not recur. (rules.c)
void make_rule(program_t *p, int pred, bool first);
// A pattern of the program's pool: a constant, a variable of the rule.
int pat_const(program_t *p, int t);
int pat_var(program_t *p, int v);
// Draws a term nested so deep at most, and one that a column takes.
int draw_any(const program_t *p, int depth);
int draw_value(const program_t *p, column c);
bool generate(program_t *p, model *m, uint64_t seed);

// ---- Text ----
typedef struct style {
    bool shuffled; // goals, those of scopes and the sides of `;` and `=`, facts and rules
    bool bare;     // without declarations, where they say nothing that is needed
    int side;      // of the recursion of closures: 0 as generated, 1 the other, 2 both
} style;
void write_ours(FILE *out, const program_t *p, style s);
void write_pred(FILE *out, const program_t *p, int pred, const char *const *args,
                const char *time); // ours: an atom
// With `number` in front of every name.
void write_asp(FILE *out, const program_t *p, int number);
void write_prolog(FILE *out, const program_t *p, int number);

// ---- Asking. Each gives NULL, or what differs, in `texts`. ----
typedef struct tally {
    int programs, answers, not_empty, removed, proofs, denials;
} tally;
typedef struct home {
    char *folder;
    arena *texts;
    store *stores[SLOTS_MAX + 1]; // an episode of each length
} home;
home *home_open(void);
void home_close(home *h);
const char *check_ours(home *h, const program_t *p, const model *m, tally *t);

typedef enum peer { PEER_CLINGO, PEER_SWIPL, PEERS } peer;
bool peer_installed(peer which);
// Gives `many` programs to one process and compares all predicates. `wrong` says which program
// differs.
const char *check_peer(home *h, peer which, const program_t *const *programs, const model *models,
                       int many, int *wrong);

// In the order of its literals.
bool rule_is_safe(const program_t *p, const rule_t *r);
// Removes rules, literals and facts as long as it fails.
typedef const char *(*failing)(home *h, const program_t *p, const model *m, void *context);
const char *shrink(home *h, program_t *p, failing fails, void *context, int tries);

#endif
