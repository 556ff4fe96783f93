// query/program.h - rule files: loaded, unfolded into rules, and checked before anything runs.
//
// Owns:      the clauses and everything made of them.
// Invariant: after program_check returned OK every rule can run for the columns its predicate
// requires.
#ifndef FORESEE_QUERY_PROGRAM_H
#define FORESEE_QUERY_PROGRAM_H

#include "query/rule.h"

// What directives say of all predicates of a name. Positions count from 1, 0: none.
typedef struct shape {
    const char *name;
    uint32_t split_on, temporal_on, instant_on, override_on, agent_arity;
} shape;

typedef struct clause {
    const term *head, *body; // body NULL: a fact
    const char *file;
    uint32_t file_number;
    int line, column;
} clause;

typedef struct declaration {
    const char *name, *doc, *file;
    const char *text; // as written: name(arg: type, ...)
    uint32_t arity;
    const char **arg_names, **arg_types;
    int line, column;
} declaration;

// name/arity, or name(functor/arity)
typedef struct mark {
    const char *name, *functor;
    uint32_t arity;
} mark;

typedef struct program {
    values *values;
    nanos end;    // of the episode
    arena *texts; // clauses as read
    arena *arena; // rules made of them
    ARRAY(clause) clauses;
    ARRAY(shape) shapes;
    ARRAY(declaration) declarations;
    ARRAY(mark) on_demand, pointwise;
    uint32_t file_count;
    bool settled; // rules are made and checked
    // made by program_check
    symtab *names;       // of predicates
    ARRAY(pred *) preds; // by number in `names`; those of a query behind
    uint32_t component_count, auxiliary_count;
    arena *current; // where rules are made now: `arena`, or that of a query
} program;

program *program_create(values *v, nanos end);
void program_destroy(program *p); // NULL is a no-op

// Reads clauses and directives; mistakes of form go to `list`, E_INPUT then, and nothing of the
// text is kept.
status program_load(program *p, const char *file, const char *text, size_t length, errors *list);
// Makes and checks all rules. E_INPUT with the mistakes in `list`. Drops what queries had kept.
status program_check(program *p, errors *list);

// A query as a predicate of its own, whose columns are the variables in `names` (in order of
// appearance, those with `_` first left out). Predicates of aggregates and the like come with it;
// program_forget ends them.
typedef struct program_query {
    pred *pred;
    const char **names;
    uint32_t name_count;
    uint32_t first_pred, components; // state to go back to
} program_query;
status program_prepare(program *p, arena *a, const term *body, const char *file, program_query *out,
                       errors *list);
void program_forget(program *p, const program_query *q);

// ---- for the parts of this module
shape *program_shape(program *p, const char *name, bool create);
pred *program_pred(program *p, const char *name, uint32_t arity, const char *functor,
                   uint32_t functor_arity);
// Whether argument `arg` (from 0) of name/arity is declared to be a time.
bool program_declares_time(const program *p, const char *name, uint32_t arity, uint32_t arg);
void pred_type_time(pred *d, uint32_t column);
// A predicate made by the engine.
pred *program_auxiliary(program *p, const char *what, uint32_t arity);
// The union of a split predicate's relations (its number of arguments in source text: `arity`),
// with the occasion in one column.
pred *program_union(program *p, const shape *s, uint32_t arity);
bool program_is_pointwise(const program *p, const char *name, const char *functor, uint32_t arity);
// Unfolds `head :- body` (body NULL: a fact) into rules of their predicates. `fixed` gives the
// predicate of an auxiliary clause, otherwise NULL; its head's arguments are its columns. False:
// there were mistakes.
bool normal_clause(program *p, const clause *c, uint32_t id, pred *fixed, errors *list);
// Column kinds, required columns, safety, undefined names, stratification, for the predicates from
// `first` on.
void check_program(program *p, uint32_t first, errors *list);
// Directives: text behind `:-` up to the '.'; advances the reader.
bool directive_read(program *p, reader *r, errors *list);
// Whether the next clause is a directive.
bool directive_ahead(reader *r);

#endif
