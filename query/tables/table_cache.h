// query/tables/table_cache.h - what queries derived, for later queries.
//
// A predicate is kept whole, or by the keys that were asked for: then all its rows with these keys
// are there. The log and values stay what they are as long as the engine lives, so a table is right
// for every predicate with the fingerprint of the one that it was derived for: that of all clauses
// that it depends on.
//
// Owns:      the tables it keeps.
// Invariant: every table is complete.
#ifndef FORESEE_QUERY_TABLE_CACHE_H
#define FORESEE_QUERY_TABLE_CACHE_H

#include "query/tables/table.h"

typedef struct cached_table {
    uint64_t fingerprint;
    uint32_t mask; // columns of its keys; 0: whole
    uint32_t used; // the last query that did
    table *rows;   // of the predicate
    table *keys;   // those it has all rows of; NULL: whole
    bool lacking;  // there was no memory for some: it goes as soon as the query has ended
} cached_table;

typedef struct table_cache {
    ARRAY(cached_table) items;
    uint32_t *slots; // by fingerprint and mask: item + 1
    size_t slot_count;
    uint32_t queries;
} table_cache;

// NULL: nothing is kept of these columns. Valid until the next table_cache_take or
// table_cache_clear.
const cached_table *table_cache_find(table_cache *c, pred *p, uint32_t mask);
// Takes what a query derived: tables that move leave the list, the others stay the query's. Of what
// is kept already the rows of new keys are added. What there is no memory for is not kept; when
// more than half of the budget is in use, what was not used for longest goes.
void table_cache_take(table_cache *c, tables *all, budget *b, nanos end);
void table_cache_clear(table_cache *c);  // all of it
void table_cache_finish(table_cache *c); // and what it is made of; an empty one may be finished

#endif
