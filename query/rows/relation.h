// query/rows/relation.h - sets of rows, with hash indexes that are made when they are first used.
//
// Owns:      its rows, indexes and orders.
// Invariant: rows are only ever appended, each once, so that a range of row numbers is a delta.
#ifndef FORESEE_QUERY_RELATION_H
#define FORESEE_QUERY_RELATION_H

#include "query/rows/value.h"

#define RELATION_ARITY_MAX 31
#define ROW_NONE UINT32_MAX
#define RELATION_BATCH 128 // rows that are added at once, at most

typedef struct relation_index relation_index;
typedef struct relation_order relation_order; // row_order.h
typedef struct relation {
    uint32_t arity, count, capacity;
    value *rows;      // count * arity
    uint32_t *origin; // of each row: the rule that gave it; 0 for facts
    uint32_t *round;  // of each row: the round that gave it; premises come from earlier rounds
    uint32_t *slots;  // open addressing: row + 1 in the low bits, a part of its hash above
    uint32_t slot_count;
    bool plain; // without origins and rounds, both NULL: all rows count as facts
    relation_index *indexes;
    relation_order *orders;
    struct {
        uint32_t mask, count;
        double distinct;
    } guesses[4]; // of relation_distinct, made when there were `count` rows
    uint32_t next_guess;
    budget *budget;
} relation;

relation *relation_create(uint32_t arity, budget *b); // NULL: out of memory
relation *relation_create_plain(uint32_t arity, budget *b);
void relation_destroy(relation *r); // NULL is a no-op
static inline const value *relation_row(const relation *r, uint32_t row) {
    return r->rows + (size_t)row * r->arity;
}
// Returns the round that gave a row; 0 where none is kept.
static inline uint32_t relation_round(const relation *r, uint32_t row) {
    return r->round ? r->round[row] : 0;
}
static inline uint32_t relation_origin(const relation *r, uint32_t row) {
    return r->origin ? r->origin[row] : 0;
}
// Appends the row unless it is there. E_LIMIT, E_MEMORY, E_INTERRUPTED.
status relation_add(relation *r, const value *row, uint32_t origin, uint32_t round, bool *added);
// The same for up to RELATION_BATCH rows that lie one behind the other: their cache misses overlap.
status relation_add_batch(relation *r, const value *rows, uint32_t count, uint32_t origin,
                          uint32_t round);
// Makes room for so many rows in all, and no more than that.
status relation_reserve(relation *r, uint32_t count);
// Adds many rows of round 0, one behind the other, each with its origin: `origin` and what follows.
status relation_fill(relation *r, const value *rows, uint32_t origin, size_t count);
// Gives the row's number; a new row is appended.
status relation_put(relation *r, const value *row, uint32_t origin, uint32_t round, uint32_t *out);
// Appends without looking whether it is there: the caller knows it is not.
status relation_append(relation *r, const value *row, uint32_t origin, uint32_t round);
uint32_t relation_find(const relation *r, const value *row); // ROW_NONE when absent

// The index over the columns in `mask` (bit i: column i), made or brought up to date. E_LIMIT,
// E_MEMORY, E_INTERRUPTED.
status relation_index_on(relation *r, uint32_t mask, relation_index **out);
// The same up to row `limit`: rows behind it may change yet.
status relation_index_upto(relation *r, uint32_t mask, uint32_t limit, relation_index **out);
status relation_index_extend(relation *r, relation_index *i, uint32_t limit);
// Returns the newest row whose columns in the mask equal `key` (in the columns' order); then older
// ones.
uint32_t relation_first(const relation *r, const relation_index *i, const value *key);
uint32_t relation_next(const relation_index *i, uint32_t row);
// Returns how many different keys the index has.
uint32_t relation_keys(const relation_index *i);
// Estimates how many different values the columns in the mask have, from an index where there is
// one, else from a sample.
double relation_distinct(relation *r, uint32_t mask);

#endif
