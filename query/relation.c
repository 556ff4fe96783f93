// query/relation.c - rows, the hash that keeps them apart, and indexes as chains of rows.
#include "query/relation.h"

struct relation_index {
    relation_index *next;
    uint32_t mask, columns[RELATION_ARITY_MOST], column_count;
    uint32_t covered, capacity; // rows in the chains; room in `chain`
    uint32_t *chain;            // of each row: the next older with the same key, or ROW_NONE
    uint32_t *heads;            // open addressing: newest row + 1
    uint32_t head_count, keys;  // head_count is a power of two
};

static uint64_t mix(uint64_t h, value a) {
    h = (h ^ a) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

static uint64_t row_hash(const value *row, uint32_t arity) {
    uint64_t h = 0x51ed270b;
    for (uint32_t i = 0; i < arity; i++)
        h = mix(h, row[i]);
    return h ^ h >> 32;
}

relation *relation_create(uint32_t arity, budget *b) {
    if (!budget_take(b, sizeof(relation)))
        return NULL;
    relation *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->arity = arity;
    r->budget = b;
    return r;
}

static void give_back(relation *r, size_t bytes) {
    r->budget->used -= bytes < r->budget->used ? bytes : r->budget->used;
}

void relation_destroy(relation *r) {
    if (!r)
        return;
    for (relation_index *i = r->indexes, *next; i; i = next) {
        next = i->next;
        give_back(r, (i->capacity + i->head_count) * sizeof(uint32_t));
        free(i->chain);
        free(i->heads);
        free(i);
    }
    give_back(r, r->capacity * (r->arity * sizeof(value) + 2 * sizeof(uint32_t)) +
                     r->slot_count * sizeof(uint32_t) + sizeof *r);
    free(r->rows);
    free(r->origin);
    free(r->round);
    free(r->slots);
    free(r);
}

static status reserve_rows(relation *r) {
    if (r->count < r->capacity)
        return OK;
    if (r->capacity >= UINT32_MAX / 4)
        return E_LIMIT;
    uint32_t capacity = r->capacity ? r->capacity * 2 : 8;
    size_t more = (capacity - r->capacity) * (r->arity * sizeof(value) + 2 * sizeof(uint32_t));
    if (!budget_take(r->budget, more))
        return E_LIMIT;
    value *rows = realloc(r->rows, (size_t)capacity * (r->arity ? r->arity : 1) * sizeof *rows);
    if (rows)
        r->rows = rows;
    uint32_t *origin = realloc(r->origin, capacity * sizeof *origin);
    if (origin)
        r->origin = origin;
    uint32_t *round = realloc(r->round, capacity * sizeof *round);
    if (round)
        r->round = round;
    if (!rows || !origin || !round) {
        give_back(r, more);
        return E_MEMORY;
    }
    r->capacity = capacity;
    return OK;
}

static status reserve_slots(relation *r) {
    if (r->slots && (r->count + 1) * 2 <= r->slot_count)
        return OK;
    uint32_t size = r->slot_count ? r->slot_count * 2 : 16;
    while ((r->count + 1) * 2 > size)
        size *= 2;
    if (!budget_take(r->budget, (size - r->slot_count) * sizeof(uint32_t)))
        return E_LIMIT;
    uint32_t *slots = calloc(size, sizeof *slots);
    if (!slots) {
        give_back(r, (size - r->slot_count) * sizeof(uint32_t));
        return E_MEMORY;
    }
    for (uint32_t i = 0; i < r->count; i++) {
        uint32_t k = (uint32_t)row_hash(relation_row(r, i), r->arity) & (size - 1);
        while (slots[k])
            k = (k + 1) & (size - 1);
        slots[k] = i + 1;
    }
    free(r->slots);
    r->slots = slots;
    r->slot_count = size;
    return OK;
}

// The slot where `row` is or would be.
static uint32_t slot_of(const relation *r, const value *row) {
    uint32_t mask = r->slot_count - 1, k = (uint32_t)row_hash(row, r->arity) & mask;
    for (; r->slots[k]; k = (k + 1) & mask) {
        const value *other = relation_row(r, r->slots[k] - 1);
        uint32_t i = 0;
        while (i < r->arity && other[i] == row[i])
            i++;
        if (i == r->arity)
            break;
    }
    return k;
}

static void store(relation *r, const value *row, uint32_t origin, uint32_t round) {
    for (uint32_t i = 0; i < r->arity; i++)
        r->rows[(size_t)r->count * r->arity + i] = row[i];
    r->origin[r->count] = origin;
    r->round[r->count] = round;
    r->count++;
}

status relation_append(relation *r, const value *row, uint32_t origin, uint32_t round) {
    status s = reserve_rows(r);
    if (s != OK)
        return s;
    // The hash is rebuilt whole when it is next asked for.
    if (r->slots) {
        give_back(r, r->slot_count * sizeof(uint32_t));
        free(r->slots);
        r->slots = NULL;
        r->slot_count = 0;
    }
    store(r, row, origin, round);
    return OK;
}

status relation_add(relation *r, const value *row, uint32_t origin, uint32_t round, bool *added) {
    status s = reserve_slots(r);
    if (s != OK)
        return s;
    uint32_t k = slot_of(r, row);
    *added = !r->slots[k];
    if (!*added)
        return OK;
    s = reserve_rows(r);
    if (s != OK)
        return s;
    store(r, row, origin, round);
    r->slots[k] = r->count;
    return OK;
}

uint32_t relation_find(const relation *r, const value *row) {
    if (r->slots) {
        uint32_t k = slot_of(r, row);
        return r->slots[k] ? r->slots[k] - 1 : ROW_NONE;
    }
    for (uint32_t i = 0; i < r->count; i++) {
        if (r->arity == 0 || memcmp(relation_row(r, i), row, r->arity * sizeof *row) == 0)
            return i;
    }
    return ROW_NONE;
}

static uint64_t key_hash(const relation_index *i, const value *key) {
    return row_hash(key, i->column_count);
}

static bool key_equal(const relation *r, const relation_index *i, uint32_t row, const value *key) {
    const value *v = relation_row(r, row);
    for (uint32_t c = 0; c < i->column_count; c++) {
        if (v[i->columns[c]] != key[c])
            return false;
    }
    return true;
}

static void key_of(const relation *r, const relation_index *i, uint32_t row, value *key) {
    const value *v = relation_row(r, row);
    for (uint32_t c = 0; c < i->column_count; c++)
        key[c] = v[i->columns[c]];
}

static uint32_t head_of(const relation *r, const relation_index *i, const value *key) {
    uint32_t mask = i->head_count - 1, k = (uint32_t)key_hash(i, key) & mask;
    while (i->heads[k] && !key_equal(r, i, i->heads[k] - 1, key))
        k = (k + 1) & mask;
    return k;
}

static status grow_heads(relation *r, relation_index *i) {
    if (i->heads && (i->keys + 1) * 2 <= i->head_count)
        return OK;
    uint32_t size = i->head_count ? i->head_count * 2 : 16, *old = i->heads,
             old_count = i->head_count;
    if (!budget_take(r->budget, (size - old_count) * sizeof(uint32_t)))
        return E_LIMIT;
    uint32_t *heads = calloc(size, sizeof *heads);
    if (!heads) {
        give_back(r, (size - old_count) * sizeof(uint32_t));
        return E_MEMORY;
    }
    i->heads = heads;
    i->head_count = size;
    for (uint32_t k = 0; k < old_count; k++) {
        if (!old[k])
            continue;
        value key[RELATION_ARITY_MOST];
        key_of(r, i, old[k] - 1, key);
        i->heads[head_of(r, i, key)] = old[k];
    }
    free(old);
    return OK;
}

static status extend(relation *r, relation_index *i) {
    if (i->capacity < r->count) {
        uint32_t capacity = r->capacity;
        if (!budget_take(r->budget, (capacity - i->capacity) * sizeof(uint32_t)))
            return E_LIMIT;
        uint32_t *chain = realloc(i->chain, capacity * sizeof *chain);
        if (!chain) {
            give_back(r, (capacity - i->capacity) * sizeof(uint32_t));
            return E_MEMORY;
        }
        i->chain = chain;
        i->capacity = capacity;
    }
    for (; i->covered < r->count; i->covered++) {
        status s = grow_heads(r, i);
        if (s != OK)
            return s;
        value key[RELATION_ARITY_MOST];
        key_of(r, i, i->covered, key);
        uint32_t k = head_of(r, i, key);
        i->keys += !i->heads[k];
        i->chain[i->covered] = i->heads[k] ? i->heads[k] - 1 : ROW_NONE;
        i->heads[k] = i->covered + 1;
    }
    return OK;
}

status relation_index_refresh(relation *r, relation_index *i) {
    return i->covered < r->count ? extend(r, i) : OK;
}

status relation_index_on(relation *r, uint32_t mask, relation_index **out) {
    relation_index *i = r->indexes;
    while (i && i->mask != mask)
        i = i->next;
    if (!i) {
        i = calloc(1, sizeof *i);
        if (!i)
            return E_MEMORY;
        i->mask = mask;
        for (uint32_t c = 0; c < r->arity; c++) {
            if (mask >> c & 1)
                i->columns[i->column_count++] = c;
        }
        i->next = r->indexes;
        r->indexes = i;
    }
    status s = extend(r, i);
    if (s == OK)
        *out = i;
    return s;
}

uint32_t relation_first(const relation *r, const relation_index *i, const value *key) {
    if (!i->heads)
        return ROW_NONE;
    uint32_t k = head_of(r, i, key);
    return i->heads[k] ? i->heads[k] - 1 : ROW_NONE;
}

uint32_t relation_next(const relation_index *i, uint32_t row) {
    return i->chain[row];
}

uint32_t relation_keys(const relation_index *i) {
    return i->keys;
}
