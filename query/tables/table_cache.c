// query/tables/table_cache.c - keeps tables that queries derived for later queries.
#include "query/tables/table_cache.h"

#include "base/hash.h"

static size_t slot_of(const table_cache *c, uint64_t fingerprint, uint32_t mask) {
    return (size_t)hash_word(hash_mix(fingerprint, mask)) & (c->slot_count - 1);
}

static void enter_item(table_cache *c, uint32_t item) {
    size_t at = slot_of(c, c->items.items[item].fingerprint, c->items.items[item].mask);
    while (c->slots[at])
        at = (at + 1) & (c->slot_count - 1);
    c->slots[at] = item + 1;
}

// Makes room for one more item. False: memory is out.
static bool reserve_item(table_cache *c) {
    if (!array_reserve_try(&c->items, c->items.count + 1))
        return false;
    if (2 * (c->items.count + 1) <= c->slot_count)
        return true;
    size_t count = c->slot_count ? 2 * c->slot_count : 64;
    uint32_t *slots = calloc(count, sizeof *slots);
    if (!slots)
        return false;
    free(c->slots);
    c->slots = slots;
    c->slot_count = count;
    for (uint32_t i = 0; i < c->items.count; i++)
        enter_item(c, i);
    return true;
}

static cached_table *find_item(table_cache *c, uint64_t fingerprint, uint32_t mask) {
    if (!c || fingerprint == 0 || c->slot_count == 0)
        return NULL;
    for (size_t at = slot_of(c, fingerprint, mask); c->slots[at];
         at = (at + 1) & (c->slot_count - 1)) {
        cached_table *i = &c->items.items[c->slots[at] - 1];
        if (i->fingerprint == fingerprint && i->mask == mask)
            return i;
    }
    return NULL;
}

const cached_table *table_cache_find(table_cache *c, pred *p, uint32_t mask) {
    cached_table *i = find_item(c, p->fingerprint, mask);
    if (!i)
        return NULL;
    i->used = c->queries;
    // The predicate that it was derived for may have been made anew.
    i->rows->pred = p;
    if (i->keys)
        i->keys->pred = p;
    return i;
}

static void free_item(cached_table *i) {
    table_destroy(i->rows);
    table_destroy(i->keys);
    i->rows = i->keys = NULL;
}

// Closes the gaps that items without a table leave.
static void close_gaps(table_cache *c) {
    size_t n = 0;
    for (size_t i = 0; i < c->items.count; i++) {
        if (c->items.items[i].rows)
            c->items.items[n++] = c->items.items[i];
    }
    c->items.count = n;
    memset(c->slots, 0, c->slot_count * sizeof *c->slots);
    for (uint32_t i = 0; i < n; i++)
        enter_item(c, i);
}

// ---- Taking the tables of a query ----

static void own_table(table *t) {
    t->cached = true;
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

// Rows are added before keys: of a key that is there, all rows must be.
static status add_keys(cached_table *to, const table *t, nanos end) {
    // All rows came from the cache.
    if (t->guard != t->demand && t->guard->rows->count == 0)
        return OK;
    status s = add_rows(to->rows, t, end);
    return s == OK ? add_rows(to->keys, t->demand, end) : s;
}

static void take_table(table_cache *c, table *t, nanos end) {
    uint64_t fingerprint = t->pred->fingerprint;
    cached_table *known = find_item(c, fingerprint, t->mask);
    if (known && t->mask != 0) {
        known->rows->pred = known->keys->pred = t->pred;
        known->lacking = add_keys(known, t, end) != OK || known->lacking;
    } else if (!known && reserve_item(c)) {
        cached_table i = {
            .fingerprint = fingerprint, .mask = t->mask, .used = c->queries, .rows = t};
        if (t->mask != 0) {
            i.keys = t->demand;
            own_table(i.keys);
        }
        own_table(t);
        c->items.items[c->items.count++] = i;
        enter_item(c, (uint32_t)c->items.count - 1);
    }
}

static void drop_oldest(table_cache *c, const budget *b) {
    while (b->used > b->limit / 2) {
        cached_table *oldest = NULL;
        for (size_t i = 0; i < c->items.count; i++) {
            cached_table *at = &c->items.items[i];
            if (at->rows && (!oldest || at->used < oldest->used))
                oldest = at;
        }
        if (!oldest)
            return;
        free_item(oldest);
    }
}

void table_cache_take(table_cache *c, tables *all, budget *b, nanos end) {
    for (size_t i = 0; i < all->count; i++) {
        table *t = all->items[i];
        if (!t->magic && !t->base && !t->cached && !table_within(t) && t->complete &&
            t->pred->fingerprint != 0)
            take_table(c, t, end);
    }
    size_t n = 0;
    for (size_t i = 0; i < all->count; i++) {
        if (!all->items[i]->cached)
            all->items[n++] = all->items[i];
    }
    all->count = n;
    // The items go only now, since the query may have used their tables.
    for (size_t i = 0; i < c->items.count; i++) {
        if (c->items.items[i].lacking)
            free_item(&c->items.items[i]);
    }
    c->queries++;
    drop_oldest(c, b);
    if (c->slots)
        close_gaps(c);
}

void table_cache_clear(table_cache *c) {
    for (size_t i = 0; i < c->items.count; i++)
        free_item(&c->items.items[i]);
    c->items.count = 0;
    if (c->slots)
        memset(c->slots, 0, c->slot_count * sizeof *c->slots);
}

void table_cache_finish(table_cache *c) {
    table_cache_clear(c);
    array_finish(&c->items);
    free(c->slots);
    *c = (table_cache){0};
}
