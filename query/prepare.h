// query/prepare.h - completes a program for what is asked of it: rules made of clauses and checked,
// and a query as a predicate of its own.
#ifndef FORESEE_QUERY_PREPARE_H
#define FORESEE_QUERY_PREPARE_H

#include "query/lower/arrange.h"
#include "query/rules/program.h"
#include "query/check/query_scope.h"

// Makes and checks the rules that users wrote, and those of libraries that they lead to. E_INPUT
// with the mistakes in `list`. After OK every rule can run for the columns that its predicate
// requires.
status prepare_rules(program *p, errors *list);
// The same for all rules, those of libraries too.
status prepare_all_rules(program *p, errors *list);

// A query as a predicate of its own, whose columns are the variables in `names` (in order of
// appearance, those with `_` first left out). Predicates of aggregates and the like come with it;
// prepare_drop_query ends them.
typedef struct prepared_query {
    pred *pred;
    const char **names;
    uint32_t name_count;
    arrangement order;               // of the answers
    uint32_t first_pred, components; // state to go back to
} prepared_query;
status prepare_query(program *p, arena *a, const term *body, const query_scope *scope,
                     prepared_query *out, errors *list);
void prepare_drop_query(program *p, const prepared_query *q);

#endif
