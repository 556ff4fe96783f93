// query/demand/demand.h - from a query to the tables that it needs, and the rules that fill them.
//
// A predicate is derived whole, or only for the columns that are bound where it is called: then a
// magic table holds the keys that are asked for, and rules of its own fill that.
#ifndef FORESEE_QUERY_DEMAND_H
#define FORESEE_QUERY_DEMAND_H

#include "query/rules/program.h"
#include "query/tables/table.h"

struct table_cache;
struct facts;
typedef struct demand_options {
    bool whole;                // no demand but where it is needed: for tests that compare
    bool as_written;           // the rules as they stand, for proofs
    struct table_cache *cache; // what earlier queries derived, or NULL
    struct facts *facts;       // sizes of the log's tables, or NULL
} demand_options;
// Makes the tables that the predicate of a query needs and their rules, in order of components
// (tables[i]->component ascending). E_INPUT when the keys that must be asked for cannot be
// stratified.
status demand_build(program *p, arena *a, budget *b, pred *query, const demand_options *opt,
                    tables *out, error *err);

#endif
