// query/tables/keep.c - what queries derived, for later queries.
#include "query/tables/keep.h"

static size_t slot_of(const keep *k, uint64_t fingerprint, uint32_t mask) {
    uint64_t h = (fingerprint ^ (uint64_t)mask * UINT64_C(0x9e3779b97f4a7c15)) *
                 UINT64_C(0xd6e8feb86659fd93);
    return (size_t)(h >> 32) & (k->slot_count - 1);
}

static void enter(keep *k, uint32_t item) {
    size_t at = slot_of(k, k->items.items[item].fingerprint, k->items.items[item].mask);
    while (k->slots[at])
        at = (at + 1) & (k->slot_count - 1);
    k->slots[at] = item + 1;
}

// Room for one more item. False: memory is out.
static bool reserve(keep *k) {
    if (!array_reserve_try(&k->items, k->items.count + 1))
        return false;
    if (2 * (k->items.count + 1) <= k->slot_count)
        return true;
    size_t count = k->slot_count ? 2 * k->slot_count : 64;
    uint32_t *slots = calloc(count, sizeof *slots);
    if (!slots)
        return false;
    free(k->slots);
    k->slots = slots;
    k->slot_count = count;
    for (uint32_t i = 0; i < k->items.count; i++)
        enter(k, i);
    return true;
}

static kept *find(keep *k, uint64_t fingerprint, uint32_t mask) {
    if (!k || fingerprint == 0 || k->slot_count == 0)
        return NULL;
    for (size_t at = slot_of(k, fingerprint, mask); k->slots[at];
         at = (at + 1) & (k->slot_count - 1)) {
        kept *i = &k->items.items[k->slots[at] - 1];
        if (i->fingerprint == fingerprint && i->mask == mask)
            return i;
    }
    return NULL;
}

const kept *keep_find(keep *k, pred *p, uint32_t mask) {
    kept *i = find(k, p->fingerprint, mask);
    if (!i)
        return NULL;
    i->used = k->queries;
    // The predicate that it was derived for may have been made anew.
    i->rows->pred = p;
    if (i->keys)
        i->keys->pred = p;
    return i;
}

static void free_item(kept *i) {
    table_free(i->rows);
    table_free(i->keys);
    i->rows = i->keys = NULL;
}

// Closes the gaps that items without a table leave.
static void close_gaps(keep *k) {
    size_t n = 0;
    for (size_t i = 0; i < k->items.count; i++) {
        if (k->items.items[i].rows)
            k->items.items[n++] = k->items.items[i];
    }
    k->items.count = n;
    memset(k->slots, 0, k->slot_count * sizeof *k->slots);
    for (uint32_t i = 0; i < n; i++)
        enter(k, i);
}

// ---- Taking
// --------------------------------------------------------------------------------------

static void own(table *t) {
    t->kept = true;
    t->demand = t->guard = NULL;
    array_finish(&t->rules);
}

static status add_rows(table *to, const table *from, nanos end) {
    const relation *r = from->rows;
    status s = OK;
    for (uint32_t i = 0; i < r->count && s == OK; i++)
        s = table_add(to, relation_row(r, i), relation_origin(r, i), relation_round(r, i), end);
    if (s == OK && to->temporal)
        s = table_merge(to, to->rows->budget);
    to->old = to->now = to->rows->count;
    return s;
}

// The rows first: of a key that is in, all must be.
static status add_keys(kept *to, const table *t, nanos end) {
    // What was copied from here needs not go back.
    if (t->guard != t->demand && t->guard->rows->count == 0)
        return OK;
    status s = add_rows(to->rows, t, end);
    return s == OK ? add_rows(to->keys, t->demand, end) : s;
}

static void take(keep *k, table *t, nanos end) {
    uint64_t fingerprint = t->pred->fingerprint;
    kept *known = find(k, fingerprint, t->mask);
    if (known && t->mask != 0) {
        known->rows->pred = known->keys->pred = t->pred;
        known->lacking = add_keys(known, t, end) != OK || known->lacking;
    } else if (!known && reserve(k)) {
        kept i = {.fingerprint = fingerprint, .mask = t->mask, .used = k->queries, .rows = t};
        if (t->mask != 0) {
            i.keys = t->demand;
            own(i.keys);
        }
        own(t);
        k->items.items[k->items.count++] = i;
        enter(k, (uint32_t)k->items.count - 1);
    }
}

static void drop_oldest(keep *k, const budget *b) {
    while (b->used > b->limit / 2) {
        kept *oldest = NULL;
        for (size_t i = 0; i < k->items.count; i++) {
            kept *at = &k->items.items[i];
            if (at->rows && (!oldest || at->used < oldest->used))
                oldest = at;
        }
        if (!oldest)
            return;
        free_item(oldest);
    }
}

void keep_take(keep *k, tables *all, budget *b, nanos end) {
    for (size_t i = 0; i < all->count; i++) {
        table *t = all->items[i];
        if (!t->magic && !t->base && !t->kept && !t->windowed && t->complete &&
            t->pred->fingerprint != 0)
            take(k, t, end);
    }
    size_t n = 0;
    for (size_t i = 0; i < all->count; i++) {
        if (!all->items[i]->kept)
            all->items[n++] = all->items[i];
    }
    all->count = n;
    // Not before: the query may have used the tables itself.
    for (size_t i = 0; i < k->items.count; i++) {
        if (k->items.items[i].lacking)
            free_item(&k->items.items[i]);
    }
    k->queries++;
    drop_oldest(k, b);
    if (k->slots)
        close_gaps(k);
}

void keep_drop(keep *k) {
    for (size_t i = 0; i < k->items.count; i++)
        free_item(&k->items.items[i]);
    k->items.count = 0;
    if (k->slots)
        memset(k->slots, 0, k->slot_count * sizeof *k->slots);
}

void keep_finish(keep *k) {
    keep_drop(k);
    array_finish(&k->items);
    free(k->slots);
    *k = (keep){0};
}
