// query/lower/lower.h - lowers clauses to rules: one rule for each way through a clause's
// disjunctions, with calls resolved to predicates and times to columns and conditions.
#ifndef FORESEE_QUERY_LOWER_H
#define FORESEE_QUERY_LOWER_H

#include "query/rules/program.h"

// Lowers `head :- body` (body NULL: a fact) to rules of their predicates. `id`: of the clause, for
// the rules. `fixed`: the predicate of a clause that the engine made, whose columns are the head's
// arguments; NULL: the head says which. False: mistakes are in `list`.
bool lower_clause(program *p, const clause *c, uint32_t id, pred *fixed, errors *list);
// Gives the rows of a clause that stands for many facts to their predicate. False: mistakes are in
// `list`.
bool lower_facts(program *p, const clause *c, errors *list);
// Returns the term of a fact's head that stands in this column of its predicate; NULL: none does.
const term *lower_head_column(program *p, const clause *c, const pred *of, uint32_t column);

#endif
