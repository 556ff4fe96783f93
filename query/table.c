// query/table.c - filling one relation; temporal ones keep what each key covers.
#include "query/table.h"

table *table_create(pred *d, uint32_t arity, budget *b) {
    table *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->pred = d;
    t->arity = arity;
    t->rows = relation_create(arity, b);
    if (!t->rows) {
        free(t);
        return NULL;
    }
    return t;
}

void table_free(table *t) {
    if (!t)
        return;
    relation_destroy(t->rows);
    relation_destroy(t->maximal);
    relation_destroy(t->keys);
    for (size_t i = 0; i < t->cover.count; i++)
        array_finish(&t->cover.items[i]);
    array_finish(&t->cover);
    array_finish(&t->rules);
    free(t);
}

void tables_free(tables *all) {
    for (size_t i = 0; i < all->count; i++) {
        if (!all->items[i]->pred || all->items[i]->pred->kept != all->items[i])
            table_free(all->items[i]);
    }
    array_finish(all);
}

static status add_piece(table *t, const value *keys, nanos start, nanos end, uint32_t origin,
                        uint32_t round) {
    value row[RELATION_ARITY_MOST];
    memcpy(row, keys, (t->arity - 2) * sizeof *row);
    row[t->arity - 2] = values_time(start);
    row[t->arity - 1] = values_time(end);
    return relation_append(t->rows, row, origin, round);
}

// Adds what [start, end) newly covers as pieces, and merges it into the cover.
static status cover_add(table *t, const value *keys, intervals *cover, interval in, uint32_t origin,
                        uint32_t round) {
    size_t low = 0, high = cover->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (cover->items[middle].end < in.start)
            low = middle + 1;
        else
            high = middle;
    }
    nanos at = in.start;
    interval merged = in;
    size_t last = low;
    for (; last < cover->count && cover->items[last].start <= in.end; last++) {
        interval c = cover->items[last];
        if (at < c.start) {
            status s = add_piece(t, keys, at, c.start, origin, round);
            if (s != OK)
                return s;
        }
        at = c.end > at ? c.end : at;
        merged.start = c.start < merged.start ? c.start : merged.start;
        merged.end = c.end > merged.end ? c.end : merged.end;
    }
    if (at < in.end) {
        status s = add_piece(t, keys, at, in.end, origin, round);
        if (s != OK)
            return s;
    }
    if (last == low) {
        if (!array_reserve_try(cover, cover->count + 1))
            return E_MEMORY;
        memmove(cover->items + low + 1, cover->items + low,
                (cover->count - low) * sizeof *cover->items);
        cover->count++;
    } else {
        memmove(cover->items + low + 1, cover->items + last,
                (cover->count - last) * sizeof *cover->items);
        cover->count -= last - low - 1;
    }
    cover->items[low] = merged;
    return OK;
}

status table_add(table *t, const value *row, uint32_t origin, uint32_t round, nanos end) {
    bool added;
    if (!t->temporal)
        return relation_add(t->rows, row, origin, round, &added);
    value first = row[t->arity - 2], last = row[t->arity - 1];
    if (value_kind(first) != VALUE_TIME || value_kind(last) != VALUE_TIME)
        return OK; // what is no interval holds at no time
    interval in = {value_nanos(first), value_nanos(last)};
    in.start = in.start < 0 ? 0 : in.start;
    in.end = in.end > end + 1 ? end + 1 : in.end;
    if (in.start >= in.end)
        return OK;
    if (!t->keys) {
        t->keys = relation_create(t->arity - 2, t->rows->budget);
        if (!t->keys)
            return E_MEMORY;
    }
    status s = relation_add(t->keys, row, origin, round, &added);
    if (s != OK)
        return s;
    if (added && !array_push_try(&t->cover, (intervals){0}))
        return E_MEMORY;
    uint32_t key = relation_find(t->keys, row);
    return cover_add(t, row, &t->cover.items[key], in, origin, round);
}

status table_merge(table *t, budget *b) {
    relation_destroy(t->maximal);
    t->maximal = relation_create(t->arity, b);
    if (!t->maximal)
        return E_MEMORY;
    for (uint32_t k = 0; t->keys && k < t->keys->count; k++) {
        const intervals *cover = &t->cover.items[k];
        value row[RELATION_ARITY_MOST];
        memcpy(row, relation_row(t->keys, k), (t->arity - 2) * sizeof *row);
        for (size_t i = 0; i < cover->count; i++) {
            row[t->arity - 2] = values_time(cover->items[i].start);
            row[t->arity - 1] = values_time(cover->items[i].end);
            status s = relation_append(t->maximal, row, 0, 0);
            if (s != OK)
                return s;
        }
    }
    return OK;
}
