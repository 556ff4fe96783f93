// tests/query/why/proof_checker_int.h - the state of replaying a proof.
#ifndef FORESEE_TESTS_QUERY_PROOF_CHECKER_INT_H
#define FORESEE_TESTS_QUERY_PROOF_CHECKER_INT_H

#include <sqlite3.h>
#include "base/term/term.h"
#include "tests/query/why/proof_checker.h"
#include "tests/query/why/proof_json.h"

typedef struct step_read step_read;
struct step_read {
    const json *j;
    const char *kind;
    const term *what;
    size_t order, number;
    step_read **parts;
    size_t count;
    const step_read *above;
};
typedef struct stated { // a clause
    const char *file;
    const term *head, *body;
} stated;
typedef struct note { // what a directive says: s split, t temporal, i instant, a agent, p
                      // pointwise, l least, g greatest
    char kind;
    const char *name, *functor;
    uint32_t n;
} note;
typedef struct owed { // to be equal once all variables are bound
    const term *pattern, *value;
} owed;

typedef struct replay {
    const proof_world *w;
    char *why;
    size_t size, numbered;
    bool refused, raw;
    arena *a;
    sqlite3 *db;
    int64_t episode;
    double end; // of it
    bool other; // another episode than that of the proof
    ARRAY(note) notes;
    ARRAY(stated) clauses;
    ARRAY(step_read *) steps;
    bindings bound;
    ARRAY(owed) later;
} replay;

bool refuse(replay *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *shown(replay *c, const term *t);
bool is_arithmetic(const term *t); // an operator that is evaluated wherever it stands
bool is_function(const term *t);   // or a function
bool has_braces(const term *t);
bool evaluate_number(const replay *c, const term *t, double *out);
bool nearly(double a, double b);
bool same_value(const replay *c, const term *a, const term *b);
const term *value_of(const replay *c, const char *name);
const term *filled(replay *c, const term *t); // with the variables' values
void later(replay *c, const term *pattern, const term *value);
bool fits(replay *c, const term *pattern, const term *value);
uint32_t noted(const replay *c, char kind, const char *name, const char *functor, uint32_t arity);

// (proof_checker_steps.c)
bool replay_step(replay *c, const step_read *s);
// Whether goals follow from steps, one after the other. (proof_checker_steps.c)
bool goals_follow(replay *c, const term *body, step_read *const *parts, size_t count);
// Builtins over lists and texts. *known: it is one of those. (proof_checker_builtins.c)
bool builtin_computes(replay *c, const term *t, bool *known);
// (proof_checker_log.c)
bool log_has(replay *c, const step_read *s);
bool log_lacks(replay *c, const term *atom, bool *known); // *known: it is a table of the log

#endif
