// query/relation.h - sets of rows, with hash indexes that appear when they are asked for.
//
// Owns:      its rows and indexes.
// Invariant: rows are only ever appended, each once, so that a range of row numbers is a delta.
#ifndef FORESEE_QUERY_RELATION_H
#define FORESEE_QUERY_RELATION_H

#include "query/value.h"

#define RELATION_ARITY_MOST 31
#define ROW_NONE UINT32_MAX

typedef struct relation_index relation_index;
typedef struct relation {
    uint32_t arity, count, capacity;
    value *rows;      // count * arity
    uint32_t *origin; // of each row: the rule that gave it; 0 for facts
    uint32_t *round;  // and in which round; premises come from earlier ones
    uint32_t *slots;  // open addressing, row + 1
    uint32_t slot_count;
    relation_index *indexes;
    budget *budget;
} relation;

relation *relation_create(uint32_t arity, budget *b); // NULL: out of memory
void relation_destroy(relation *r);                   // NULL is a no-op
static inline const value *relation_row(const relation *r, uint32_t row) {
    return r->rows + (size_t)row * r->arity;
}
// Appends the row unless it is there. E_LIMIT, E_MEMORY.
status relation_add(relation *r, const value *row, uint32_t origin, uint32_t round, bool *added);
// Appends without looking whether it is there: the caller knows it is not.
status relation_append(relation *r, const value *row, uint32_t origin, uint32_t round);
uint32_t relation_find(const relation *r, const value *row); // ROW_NONE when absent

// The index over the columns in `mask` (bit i: column i), made or brought up to date. E_LIMIT,
// E_MEMORY.
status relation_index_on(relation *r, uint32_t mask, relation_index **out);
status relation_index_refresh(relation *r, relation_index *i); // after rows were added
// The newest row whose columns in the mask equal `key` (in the columns' order); then older ones.
uint32_t relation_first(const relation *r, const relation_index *i, const value *key);
uint32_t relation_next(const relation_index *i, uint32_t row);
// How many different keys the index has.
uint32_t relation_keys(const relation_index *i);

#endif
