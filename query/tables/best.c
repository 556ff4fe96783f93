// query/tables/best.c - keeps only the best row of each key of a table.
//
// The key of a row is its other columns. A row is added where it is the first of its key or better
// than the best one so far, which is then beaten. Beaten rows stay in the relation, since proofs go
// back through them.
#include "query/tables/best.h"

struct best_rows {
    values *values;
    uint32_t column;
    bool greatest;
    relation *keys;              // the other columns
    uint32_t *row, row_capacity; // by key: the best so far, counted from 1; 0: none yet
    uint64_t *beaten;            // a bit for each row
    uint32_t beaten_capacity;    // words
};

void best_destroy(best_rows *b, budget *from) {
    if (!b)
        return;
    budget_return(from, b->row_capacity * sizeof *b->row + b->beaten_capacity * sizeof *b->beaten);
    relation_destroy(b->keys);
    free(b->row);
    free(b->beaten);
    free(b);
}

bool table_keep_best(table *t, values *v) {
    best_rows *b = calloc(1, sizeof *b);
    if (!b)
        return false;
    *b = (best_rows){.values = v, .column = t->pred->best - 1, .greatest = t->pred->greatest};
    b->keys = relation_create(t->arity - 1, t->rows->budget);
    t->best = b;
    return b->keys != NULL;
}

bool table_is_beaten(const table *t, uint32_t row) {
    const best_rows *b = t->best;
    return b && row / 64 < b->beaten_capacity && (b->beaten[row / 64] >> row % 64 & 1);
}

// Doubles an array of `size` bytes each until it has more than `at`.
static status best_reserve(void **items, uint32_t *capacity, size_t size, uint32_t at, budget *b) {
    uint32_t wanted = *capacity ? *capacity : 16;
    while (wanted <= at)
        wanted *= 2;
    if (wanted == *capacity)
        return OK;
    size_t more = (wanted - *capacity) * size;
    if (!budget_take(b, more))
        return E_LIMIT;
    void *moved = realloc(*items, wanted * size);
    if (!moved) {
        budget_return(b, more);
        return E_MEMORY;
    }
    memset((char *)moved + *capacity * size, 0, more);
    *items = moved;
    *capacity = wanted;
    return OK;
}

status best_add(table *t, const value *row, uint32_t origin, uint32_t round) {
    best_rows *b = t->best;
    budget *from = t->rows->budget;
    value key[RELATION_ARITY_MAX];
    uint32_t n = 0, k, at;
    for (uint32_t i = 0; i < t->arity; i++) {
        if (i != b->column)
            key[n++] = row[i];
    }
    status s = relation_put(b->keys, key, 0, 0, &k);
    if (s == OK)
        s = best_reserve((void **)&b->row, &b->row_capacity, sizeof *b->row, k, from);
    if (s != OK)
        return s;
    // Rows are counted from 1 here; 0: the key is new.
    uint32_t known = b->row[k];
    if (known) {
        int c =
            values_order(b->values, row[b->column], relation_row(t->rows, known - 1)[b->column]);
        if (b->greatest ? c <= 0 : c >= 0)
            return OK;
        s = best_reserve((void **)&b->beaten, &b->beaten_capacity, sizeof *b->beaten,
                         (known - 1) / 64, from);
        if (s != OK)
            return s;
    }
    s = relation_put(t->rows, row, origin, round, &at);
    if (s != OK)
        return s;
    b->row[k] = at + 1;
    if (known)
        b->beaten[(known - 1) / 64] |= UINT64_C(1) << (known - 1) % 64;
    return OK;
}
