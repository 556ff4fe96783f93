// query/rules/predicates.h - the predicates of a program, which are made when something asks for
// them.
//
// A predicate lives in the arena that the program makes rules in now: its own, or that of the query
// that is prepared.
#ifndef FORESEE_QUERY_PREDICATES_H
#define FORESEE_QUERY_PREDICATES_H

#include "query/rules/program.h"

// Returns the predicate name/arity, where `functor` is not NULL its relation for functor/arity, and
// makes it where there is none.
pred *program_pred(program *p, const char *name, uint32_t arity, const char *functor,
                   uint32_t functor_arity);
// Makes a predicate of the engine's own; `what` begins its name.
pred *program_auxiliary(program *p, const char *what, uint32_t arity);
// Returns the union of a split predicate's relations, with the occasion in one column. `arity`: of
// the predicate in source text. It has no rules before program_fill_unions.
pred *program_union(program *p, const predicate_traits *s, uint32_t arity);
// Writes the name of the predicate that `any` is the union of to `buffer` and returns it; NULL: it
// is no union.
const char *program_union_name(const pred *any, char *buffer, size_t size);
// Gives the unions from predicate `from` on their rules: all functors are known now.
void program_fill_unions(program *p, size_t from);
// Notes that a column is declared to hold instants.
void pred_type_time(pred *d, uint32_t column);

#endif
