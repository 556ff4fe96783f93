// query/rows/relation_int.h - the insides of an index, for the loops that walk its chains.
#ifndef FORESEE_QUERY_RELATION_INT_H
#define FORESEE_QUERY_RELATION_INT_H

#include "base/hash.h"
#include "query/fault.h"
#include "query/rows/relation.h"

struct relation_index {
    relation_index *next;
    uint32_t mask, columns[RELATION_ARITY_MAX], column_count;
    uint32_t covered, capacity; // rows in the chains; room in `chain`
    uint32_t *chain;            // of each row: the next older with the same key, or ROW_NONE
    uint32_t *heads;            // open addressing: newest row + 1
    uint32_t head_count, keys;  // head_count is a power of two
};

static inline uint64_t row_hash(const value *row, uint32_t arity) {
    uint64_t h = 0x51ed270b;
    for (uint32_t i = 0; i < arity - (uint32_t)(FAULT(PART_COMPARED) && arity > 1); i++)
        h = hash_mix(h, row[i]);
    return h ^ h >> 32;
}

#endif
