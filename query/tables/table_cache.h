// query/tables/table_cache.h - tables that queries derived, kept for later queries.
//
// A predicate is kept whole, or by the keys that were asked for: then all its rows with these keys
// are there. The log and values stay what they are as long as the engine lives, so a table is right
// for every predicate that has the fingerprint of the one it was derived for; the fingerprint
// covers all clauses that a predicate depends on.
//
// Owns:      the tables it keeps.
// Invariant: every table is complete.
#ifndef FORESEE_QUERY_TABLE_CACHE_H
#define FORESEE_QUERY_TABLE_CACHE_H

#include "query/tables/table.h"

typedef struct cached_table {
    uint64_t fingerprint;
    uint32_t mask; // columns of its keys; 0: whole
    uint32_t used; // the last query that used it
    table *rows;   // of the predicate
    table *keys;   // the keys of which it has all rows; NULL: it is whole
    bool lacking;  // there was no memory for some rows: it is freed as soon as the query has ended
} cached_table;

typedef struct table_cache {
    ARRAY(cached_table) items;
    uint32_t *slots; // by fingerprint and mask: item + 1
    size_t slot_count;
    uint32_t queries;
} table_cache;

// Returns the table of the predicate for these columns; NULL: there is none. Valid until the next
// table_cache_take or table_cache_clear.
const cached_table *table_cache_find(table_cache *c, pred *p, uint32_t mask);
// Takes tables that a query derived: those that it keeps leave the list, the others stay the
// query's. Rows of new keys are added to tables that are there already. Tables for which there is
// no memory are not kept; when more than half of the budget is in use, those that were unused for
// longest are freed.
void table_cache_take(table_cache *c, tables *all, budget *b, nanos end);
void table_cache_clear(table_cache *c); // frees its tables
void table_cache_finish(
    table_cache *c); // frees its tables and itself; a zeroed one may be finished

#endif
