// query/rows/relation.c - rows, a hash table that finds equal rows, and indexes as chains of rows.
//
// The hash table has open addressing over row numbers. A slot of a table of 2^k slots holds the
// row's number + 1 in its low k bits and a part of the row's hash above them, so that most other
// rows are told apart without reading them.
#include <math.h>
#include "query/fault.h"
#include "query/rows/relation_int.h"
#include "query/rows/row_order.h"

#define ROWS_MAX (UINT32_MAX / 8)
// Rows between two looks at whether the query was interrupted.
#define ROWS_PER_LOOK 0x3fff

static inline bool row_equal(const value *a, const value *b, uint32_t arity) {
    for (uint32_t i = 0; i < arity - (uint32_t)(FAULT(PART_COMPARED) && arity > 1); i++) {
        if (a[i] != b[i])
            return false;
    }
    return true;
}

// ---- Rows

static relation *create_relation(uint32_t arity, budget *b, bool plain) {
    if (!budget_take(b, sizeof(relation)))
        return NULL;
    relation *r = calloc(1, sizeof *r);
    if (!r) {
        budget_return(b, sizeof *r);
        return NULL;
    }
    r->arity = arity;
    r->budget = b;
    r->plain = plain;
    return r;
}

relation *relation_create(uint32_t arity, budget *b) {
    return create_relation(arity, b, b->forget_origins);
}

relation *relation_create_plain(uint32_t arity, budget *b) {
    return create_relation(arity, b, true);
}

static size_t row_bytes(const relation *r) {
    return (r->arity ? r->arity : 1) * sizeof(value) + (r->plain ? 0 : 2 * sizeof(uint32_t));
}

static void index_destroy(relation *r, relation_index *i) {
    budget_return(r->budget, (i->capacity + i->head_count) * sizeof(uint32_t) + sizeof *i);
    free(i->chain);
    free(i->heads);
    free(i);
}

void relation_destroy(relation *r) {
    if (!r)
        return;
    for (relation_index *i = r->indexes, *next; i; i = next) {
        next = i->next;
        index_destroy(r, i);
    }
    orders_destroy(r);
    budget_return(r->budget,
                  r->capacity * row_bytes(r) + r->slot_count * sizeof(uint32_t) + sizeof *r);
    free(r->rows);
    free(r->origin);
    free(r->round);
    free(r->slots);
    free(r);
}

static bool grow_array(void *at, size_t size) {
    void **where = at, *moved = realloc(*where, size);
    if (moved)
        *where = moved;
    return moved != NULL;
}

static status grow_rows(relation *r, uint32_t capacity) {
    size_t taken = (capacity - r->capacity) * row_bytes(r);
    if (!budget_take(r->budget, taken))
        return E_LIMIT;
    bool ok = grow_array(&r->rows, (size_t)capacity * (r->arity ? r->arity : 1) * sizeof *r->rows);
    if (ok && !r->plain)
        ok = grow_array(&r->origin, capacity * sizeof *r->origin) &&
             grow_array(&r->round, capacity * sizeof *r->round);
    if (!ok) {
        budget_return(r->budget, taken);
        return E_MEMORY;
    }
    r->capacity = capacity;
    return OK;
}

static status reserve_rows(relation *r, uint32_t more) {
    if (r->capacity - r->count >= more)
        return OK;
    if (r->count + more > ROWS_MAX)
        return E_LIMIT;
    uint32_t capacity = r->capacity ? r->capacity : 4;
    // Large relations grow by half, so that less memory lies unused.
    while (capacity < r->count + more)
        capacity += capacity < 0x10000 ? capacity : capacity / 2;
    return grow_rows(r, capacity);
}

static inline uint32_t slot_word(const relation *r, uint64_t hash, uint32_t row) {
    // The tag is the part of the hash's high half that lies above the row's bits.
    return ((uint32_t)(hash >> 32) & ~(r->slot_count - 1)) | (row + 1);
}

static inline bool tag_equal(const relation *r, uint64_t hash, uint32_t slot) {
    return (((uint32_t)(hash >> 32) ^ slot) & ~(r->slot_count - 1)) == 0;
}

static inline uint32_t slot_row(const relation *r, uint32_t slot) {
    return (slot & (r->slot_count - 1)) - 1;
}

static void drop_slots(relation *r) {
    budget_return(r->budget, r->slot_count * sizeof(uint32_t));
    free(r->slots);
    r->slots = NULL;
    r->slot_count = 0;
}

// Makes room for `more` rows: at most half of the slots are in use.
static status reserve_slots(relation *r, uint32_t more) {
    if (r->slots && (r->count + more) * 2 <= r->slot_count)
        return OK;
    if (r->count + more > ROWS_MAX)
        return E_LIMIT;
    uint32_t size = r->slot_count ? r->slot_count * 2 : 16, old_size = r->slot_count;
    while ((r->count + more) * 2 > size)
        size *= 2;
    if (!budget_take(r->budget, (size - old_size) * sizeof(uint32_t)))
        return E_LIMIT;
    uint32_t *slots = calloc(size, sizeof *slots), *old = r->slots;
    if (!slots) {
        budget_return(r->budget, (size - old_size) * sizeof(uint32_t));
        return E_MEMORY;
    }
    r->slots = slots;
    r->slot_count = size;
    for (uint32_t i = 0; i < r->count; i++) {
        if ((i & ROWS_PER_LOOK) == ROWS_PER_LOOK && budget_interrupted(r->budget)) {
            free(slots);
            budget_return(r->budget, (size - old_size) * sizeof(uint32_t));
            r->slots = old;
            r->slot_count = old_size;
            return E_INTERRUPTED;
        }
        uint64_t h = row_hash(relation_row(r, i), r->arity);
        uint32_t k = (uint32_t)h & (size - 1);
        while (slots[k])
            k = (k + 1) & (size - 1);
        slots[k] = slot_word(r, h, i);
    }
    free(old);
    return OK;
}

// Returns the slot where `row` is or would be.
static inline uint32_t slot_of(const relation *r, const value *row, uint64_t h) {
    uint32_t mask = r->slot_count - 1, k = (uint32_t)h & mask;
    for (uint32_t s; (s = r->slots[k]); k = (k + 1) & mask) {
        if (tag_equal(r, h, s) && row_equal(relation_row(r, slot_row(r, s)), row, r->arity))
            break;
    }
    return k;
}

static inline void store_row(relation *r, const value *row, uint32_t origin, uint32_t round) {
    value *at = r->rows + (size_t)r->count * r->arity;
    for (uint32_t i = 0; i < r->arity; i++)
        at[i] = row[i];
    if (!r->plain) {
        r->origin[r->count] = origin;
        r->round[r->count] = round;
    }
    r->count++;
}

status relation_append(relation *r, const value *row, uint32_t origin, uint32_t round) {
    status s = reserve_rows(r, 1);
    if (s != OK)
        return s;
    // The hash is rebuilt whole when it is next asked for.
    if (r->slots)
        drop_slots(r);
    store_row(r, row, origin, round);
    return OK;
}

status relation_put(relation *r, const value *row, uint32_t origin, uint32_t round, uint32_t *out) {
    status s = reserve_slots(r, 1);
    if (s != OK)
        return s;
    uint64_t h = row_hash(row, r->arity);
    uint32_t k = slot_of(r, row, h);
    if (r->slots[k]) {
        *out = slot_row(r, r->slots[k]);
        return OK;
    }
    s = reserve_rows(r, 1);
    if (s != OK)
        return s;
    *out = r->count;
    r->slots[k] = slot_word(r, h, r->count);
    store_row(r, row, origin, round);
    return OK;
}

status relation_add(relation *r, const value *row, uint32_t origin, uint32_t round, bool *added) {
    uint32_t before = r->count, at;
    status s = relation_put(r, row, origin, round, &at);
    *added = r->count > before;
    return s;
}

// Adds rows in three passes, each of which fetches the memory that the next one reads.
static inline __attribute__((always_inline)) void add_all(relation *r, const value *rows,
                                                          uint32_t count, uint32_t origin,
                                                          uint32_t round, uint32_t arity) {
    uint64_t hashes[RELATION_BATCH];
    uint32_t mask = r->slot_count - 1;
    for (uint32_t i = 0; i < count; i++) {
        hashes[i] = row_hash(rows + i * arity, arity);
        __builtin_prefetch(&r->slots[(uint32_t)hashes[i] & mask]);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t s = r->slots[(uint32_t)hashes[i] & mask];
        if (s && tag_equal(r, hashes[i], s))
            __builtin_prefetch(r->rows + (size_t)slot_row(r, s) * arity);
    }
    for (uint32_t i = 0; i < count; i++) {
        const value *row = rows + i * arity;
        uint64_t h = hashes[i];
        uint32_t k = (uint32_t)h & mask, s;
        for (; (s = r->slots[k]); k = (k + 1) & mask) {
            if (tag_equal(r, h, s) &&
                row_equal(r->rows + (size_t)slot_row(r, s) * arity, row, arity))
                break;
        }
        if (s)
            continue;
        r->slots[k] = slot_word(r, h, r->count);
        store_row(r, row, origin, round);
    }
}

status relation_add_batch(relation *r, const value *rows, uint32_t count, uint32_t origin,
                          uint32_t round) {
    bool added;
    status s = OK;
    if (r->count < 4 * RELATION_BATCH || count < 8) {
        for (uint32_t i = 0; i < count && s == OK; i++)
            s = relation_add(r, rows + (size_t)i * r->arity, origin, round, &added);
        return s;
    }
    s = reserve_slots(r, count);
    if (s == OK)
        s = reserve_rows(r, count);
    if (s != OK)
        return s;
    // The commonest arities get loops of their own.
    switch (r->arity) {
    case 1:
        add_all(r, rows, count, origin, round, 1);
        break;
    case 2:
        add_all(r, rows, count, origin, round, 2);
        break;
    case 3:
        add_all(r, rows, count, origin, round, 3);
        break;
    default:
        add_all(r, rows, count, origin, round, r->arity);
    }
    return OK;
}

status relation_reserve(relation *r, uint32_t count) {
    if (count > ROWS_MAX)
        return E_LIMIT;
    status s = count > r->count ? reserve_slots(r, count - r->count) : OK;
    return s == OK && count > r->capacity ? grow_rows(r, count) : s;
}

status relation_fill(relation *r, const value *rows, uint32_t origin, size_t count) {
    if (count > ROWS_MAX - r->count)
        return E_LIMIT;
    status s = count > 0 ? reserve_slots(r, (uint32_t)count) : OK;
    if (s == OK)
        s = reserve_rows(r, (uint32_t)count);
    uint64_t hashes[RELATION_BATCH];
    for (size_t first = 0; first < count && s == OK; first += RELATION_BATCH) {
        size_t n = count - first < RELATION_BATCH ? count - first : RELATION_BATCH;
        for (size_t i = 0; i < n; i++) {
            hashes[i] = row_hash(rows + (first + i) * r->arity, r->arity);
            __builtin_prefetch(&r->slots[(uint32_t)hashes[i] & (r->slot_count - 1)], 1);
        }
        for (size_t i = 0; i < n; i++) {
            const value *row = rows + (first + i) * r->arity;
            uint32_t k = slot_of(r, row, hashes[i]);
            if (r->slots[k])
                continue;
            r->slots[k] = slot_word(r, hashes[i], r->count);
            store_row(r, row, origin + (uint32_t)(first + i), 0);
        }
        s = budget_interrupted(r->budget) ? E_INTERRUPTED : OK;
    }
    return s;
}

uint32_t relation_find(const relation *r, const value *row) {
    if (r->slots) {
        uint32_t k = slot_of(r, row, row_hash(row, r->arity));
        return r->slots[k] ? slot_row(r, r->slots[k]) : ROW_NONE;
    }
    for (uint32_t i = 0; i < r->count; i++) {
        if (row_equal(relation_row(r, i), row, r->arity))
            return i;
    }
    return ROW_NONE;
}

// ---- Indexes

static inline bool key_equal(const relation *r, const relation_index *i, uint32_t row,
                             const value *key) {
    const value *v = relation_row(r, row);
    for (uint32_t c = 0; c < i->column_count; c++) {
        if (v[i->columns[c]] != key[c])
            return false;
    }
    return true;
}

static inline void key_of(const relation *r, const relation_index *i, uint32_t row, value *key) {
    const value *v = relation_row(r, row);
    for (uint32_t c = 0; c < i->column_count; c++)
        key[c] = v[i->columns[c]];
}

static inline uint32_t head_of(const relation *r, const relation_index *i, const value *key) {
    uint32_t mask = i->head_count - 1, k = (uint32_t)row_hash(key, i->column_count) & mask;
    while (i->heads[k] && !key_equal(r, i, i->heads[k] - 1, key))
        k = (k + 1) & mask;
    return k;
}

static status grow_heads(relation *r, relation_index *i) {
    if (i->heads && (i->keys + 1) * 2 <= i->head_count)
        return OK;
    uint32_t size = i->head_count ? i->head_count * 2 : 16, *old = i->heads,
             old_count = i->head_count;
    size_t more = (size - old_count) * sizeof(uint32_t);
    if (!budget_take(r->budget, more))
        return E_LIMIT;
    uint32_t *heads = calloc(size, sizeof *heads);
    if (!heads) {
        budget_return(r->budget, more);
        return E_MEMORY;
    }
    i->heads = heads;
    i->head_count = size;
    for (uint32_t k = 0; k < old_count; k++) {
        if ((k & ROWS_PER_LOOK) == ROWS_PER_LOOK && budget_interrupted(r->budget)) {
            free(heads);
            i->heads = old;
            i->head_count = old_count;
            budget_return(r->budget, more);
            return E_INTERRUPTED;
        }
        if (!old[k])
            continue;
        value key[RELATION_ARITY_MAX];
        key_of(r, i, old[k] - 1, key);
        i->heads[head_of(r, i, key)] = old[k];
    }
    free(old);
    return OK;
}

status relation_index_extend(relation *r, relation_index *i, uint32_t limit) {
    if (i->covered >= limit)
        return OK;
    if (i->capacity < limit) {
        size_t more = (r->capacity - i->capacity) * sizeof(uint32_t);
        if (!budget_take(r->budget, more))
            return E_LIMIT;
        if (!grow_array(&i->chain, r->capacity * sizeof *i->chain)) {
            budget_return(r->budget, more);
            return E_MEMORY;
        }
        i->capacity = r->capacity;
    }
    for (; i->covered < limit; i->covered++) {
        status s = grow_heads(r, i);
        if (s == OK && (i->covered & ROWS_PER_LOOK) == ROWS_PER_LOOK &&
            budget_interrupted(r->budget))
            s = E_INTERRUPTED;
        if (s != OK)
            return s;
        value key[RELATION_ARITY_MAX];
        key_of(r, i, i->covered, key);
        uint32_t k = head_of(r, i, key);
        i->keys += !i->heads[k];
        i->chain[i->covered] = i->heads[k] ? i->heads[k] - 1 : ROW_NONE;
        i->heads[k] = i->covered + 1;
    }
    return OK;
}

status relation_index_upto(relation *r, uint32_t mask, uint32_t limit, relation_index **out) {
    relation_index *i = r->indexes;
    while (i && i->mask != mask)
        i = i->next;
    if (!i) {
        if (!budget_take(r->budget, sizeof *i))
            return E_LIMIT;
        i = calloc(1, sizeof *i);
        if (!i) {
            budget_return(r->budget, sizeof *i);
            return E_MEMORY;
        }
        i->mask = mask;
        for (uint32_t c = 0; c < r->arity; c++) {
            if (mask >> c & 1)
                i->columns[i->column_count++] = c;
        }
        if (FAULT(WRONG_INDEX) && i->column_count > 1)
            i->column_count--;
        i->next = r->indexes;
        r->indexes = i;
    }
    status s = relation_index_extend(r, i, limit);
    if (s == OK)
        *out = i;
    return s;
}

status relation_index_on(relation *r, uint32_t mask, relation_index **out) {
    return relation_index_upto(r, mask, r->count, out);
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

// ---- Estimates

#define SAMPLE 256

static int compare_hashes(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static double sample_distinct(const relation *r, uint32_t mask) {
    uint32_t n = r->count < SAMPLE ? r->count : SAMPLE, distinct = 0;
    uint64_t hashes[SAMPLE];
    for (uint32_t i = 0; i < n; i++) {
        const value *row = relation_row(r, (uint32_t)((uint64_t)i * r->count / n));
        uint64_t h = 0;
        for (uint32_t c = 0; c < r->arity; c++)
            h = mask >> c & 1 ? hash_mix(h, row[c]) : h;
        hashes[i] = h;
    }
    qsort(hashes, n, sizeof *hashes, compare_hashes);
    for (uint32_t i = 0; i < n; i++)
        distinct += i == 0 || hashes[i] != hashes[i - 1];
    if (n == r->count || distinct < n / 4)
        return distinct;
    if (distinct == n)
        return r->count;
    // D different values give D * (1 - exp(-n / D)) different ones among n.
    double low = distinct, high = r->count;
    for (int step = 0; step < 40; step++) {
        double middle = (low + high) / 2;
        if (middle * (1 - exp(-(double)n / middle)) < distinct)
            low = middle;
        else
            high = middle;
    }
    return low;
}

double relation_distinct(relation *r, uint32_t mask) {
    const uint32_t kept = sizeof r->guesses / sizeof *r->guesses;
    if (r->count == 0)
        return 0;
    for (const relation_index *i = r->indexes; i; i = i->next) {
        // An index that is in use covers most rows.
        if (i->mask == mask && i->covered > r->count / 2)
            return (double)i->keys * r->count / i->covered;
    }
    for (uint32_t i = 0; i < kept; i++) {
        uint32_t then = r->guesses[i].count;
        if (r->guesses[i].mask == mask && then > r->count / 2)
            return r->guesses[i].distinct * r->count / then;
    }
    double distinct = sample_distinct(r, mask);
    uint32_t at = r->next_guess++ % kept;
    r->guesses[at].mask = mask;
    r->guesses[at].count = r->count;
    r->guesses[at].distinct = distinct;
    return distinct;
}
