// query/fact.h - the tables of the log as predicates (facts.def).
#ifndef FORESEE_QUERY_FACT_H
#define FORESEE_QUERY_FACT_H

#include "query/relation.h"
#include "schema/store.h"

typedef struct fact {
    const char *name;
    uint32_t arity;
    const char *kinds;                  // a letter for each argument: see facts.def
    const char *columns, *source, *key; // SQL, a condition, position and column of the index
    record_kind table;                  // whose ids of the episode bound the rows
    const char *doc;
} fact;

const fact *fact_find(const char *name, uint32_t arity); // NULL: there is none
const fact *fact_at(size_t i);                           // NULL past the last
bool fact_column_is_time(const fact *f, uint32_t column);

typedef struct facts facts;
// Reads the episode's names. The store must outlive it.
status facts_open(store *s, const store_episode *e, values *v, budget *b, facts **out, error *err);
void facts_close(facts *f); // NULL is a no-op
// The relation of a predicate, all of it, or at least the rows whose column `bound` is `key` where
// that column has an index (pass bound < 0 for all). Borrowed until facts_close; it may grow.
status facts_load(facts *f, const fact *what, int bound, value key, relation **out, error *err);
// Column that has an index, or -1.
int fact_indexed(const fact *f);
// How many rows the predicate has or may have.
uint32_t facts_size(facts *f, const fact *what);
// Names to row ids of the table object: 0 when there is none.
int64_t facts_object(const facts *f, value name);

#endif
