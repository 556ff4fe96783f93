// query/tables/table.c - fills one relation; a temporal table keeps the instants that each key
// covers.
#include "query/tables/best.h"
#include "query/tables/expression.h"

bool rule_is_ground(const rule *r) {
    if (r->literal_count > 0 || r->head_range != VAR_NONE)
        return false;
    // A rule without variables has only constants.
    for (uint32_t i = 0; i < r->arg_count && r->var_count > 0; i++) {
        if (r->args[i]->kind != PATTERN_CONST)
            return false;
    }
    return true;
}

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

void table_destroy(table *t) {
    if (!t)
        return;
    for (uint32_t i = 0; i < t->cover_count; i++)
        cover_finish(&t->covers[i], t->rows->budget);
    budget_return(t->rows->budget, t->cover_capacity * sizeof *t->covers);
    free(t->covers);
    best_destroy(t->best, t->rows->budget);
    relation_destroy(t->rows);
    relation_destroy(t->maximal);
    relation_destroy(t->keys);
    array_finish(&t->rules);
    free(t);
}

void tables_destroy(tables *all) {
    for (size_t i = 0; i < all->count; i++) {
        if (!all->items[i]->cached)
            table_destroy(all->items[i]);
    }
    array_finish(all);
}

typedef struct adding {
    table *t;
    const value *keys;
    uint32_t origin, round;
} adding;

// Returns whether the newest piece of a key can be extended by an interval that touches it: it is
// of the same rule and round, and nothing has read it yet.
static bool can_grow(const adding *a, const cover *c) {
    const relation *r = a->t->rows;
    return c->newest != ROW_NONE && c->newest >= a->t->now &&
           (r->plain || (r->origin[c->newest] == a->origin && r->round[c->newest] == a->round));
}

static status add_piece(void *context, cover *c, interval in) {
    const adding *a = context;
    relation *r = a->t->rows;
    uint32_t first = a->t->arity - 2;
    if (can_grow(a, c)) {
        value *row = r->rows + (size_t)c->newest * r->arity;
        if (value_nanos(row[first + 1]) == in.start) {
            row[first + 1] = values_time(in.end);
            return OK;
        }
        if (value_nanos(row[first]) == in.end) {
            row[first] = values_time(in.start);
            return OK;
        }
    }
    value row[RELATION_ARITY_MAX];
    memcpy(row, a->keys, first * sizeof *row);
    row[first] = values_time(in.start);
    row[first + 1] = values_time(in.end);
    c->newest = r->count;
    return relation_append(r, row, a->origin, a->round);
}

// Returns the place of a key's cover, which is made for a new key.
static status cover_of(table *t, const value *row, uint32_t origin, uint32_t round, cover **out) {
    budget *b = t->rows->budget;
    if (!t->keys) {
        t->keys = relation_create(t->arity - 2, b);
        if (!t->keys)
            return E_MEMORY;
    }
    uint32_t key;
    status s = relation_put(t->keys, row, origin, round, &key);
    if (s != OK)
        return s;
    // A key may stand there without a cover where memory ran out before.
    while (t->cover_count <= key) {
        if (t->cover_count == t->cover_capacity) {
            uint32_t wanted = t->cover_capacity ? t->cover_capacity * 2 : 4;
            size_t more = (wanted - t->cover_capacity) * sizeof *t->covers;
            if (!budget_take(b, more))
                return E_LIMIT;
            cover *moved = realloc(t->covers, wanted * sizeof *moved);
            if (!moved) {
                budget_return(b, more);
                return E_MEMORY;
            }
            t->covers = moved;
            t->cover_capacity = wanted;
        }
        cover_init(&t->covers[t->cover_count++]);
    }
    *out = &t->covers[key];
    return OK;
}

static status add_interval(table *t, const value *row, interval in, uint32_t origin,
                           uint32_t round) {
    cover *c;
    if (in.start >= in.end)
        return OK;
    status s = cover_of(t, row, origin, round, &c);
    if (s != OK)
        return s;
    adding a = {t, row, origin, round};
    return cover_add(c, in, t->rows->budget, add_piece, &a);
}

status table_add(table *t, const value *row, uint32_t origin, uint32_t round, nanos end) {
    bool added;
    if (t->best)
        return best_add(t, row, origin, round);
    if (!t->temporal)
        return relation_add(t->rows, row, origin, round, &added);
    value first = row[t->arity - 2], last = row[t->arity - 1];
    if (value_kind(first) != VALUE_TIME || value_kind(last) != VALUE_TIME)
        return OK; // an empty interval holds at no time
    interval in = {value_nanos(first), value_nanos(last)};
    in.start = in.start < 0 ? 0 : in.start;
    in.end = in.end > end + 1 ? end + 1 : in.end;
    const windows *within = table_within(t);
    if (!within)
        return add_interval(t, row, in, origin, round);
    status s = OK;
    for (uint32_t i = 0; i < within->count && s == OK; i++) {
        const interval *w = &within->items[i];
        interval part = {in.start > w->start ? in.start : w->start,
                         in.end < w->end ? in.end : w->end};
        s = add_interval(t, row, part, origin, round);
    }
    return s;
}

static int order_windows(const void *a, const void *b) {
    const interval *x = a, *y = b;
    return x->start != y->start ? (x->start > y->start) - (x->start < y->start)
                                : (x->end > y->end) - (x->end < y->end);
}

status table_take_windows(table *when, const values *v, nanos end) {
    windows *w = when->within;
    uint32_t rows = when->rows->count, count = 0;
    w->known = true;
    interval *found = malloc((rows + 1) * sizeof *found);
    if (!found)
        return E_MEMORY;
    for (uint32_t i = 0; i < rows; i++) {
        const value *row = relation_row(when->rows, i);
        value a = value_as_time(v, row[0]), b = value_as_time(v, row[1]);
        if (value_kind(a) != VALUE_TIME || value_kind(b) != VALUE_TIME)
            continue;
        nanos x = value_nanos(a), y = value_nanos(b);
        // Comparisons may leave out the instants themselves: one more on each side does no harm.
        interval in = {(x < y ? x : y) - 1, (x < y ? y : x) + 2};
        in.start = in.start < 0 ? 0 : in.start;
        in.end = in.end > end + 1 ? end + 1 : in.end;
        if (in.start < in.end)
            found[count++] = in;
    }
    qsort(found, count, sizeof *found, order_windows);
    for (uint32_t i = 0; i < count && !w->all; i++) {
        interval *last = w->count > 0 ? &w->items[w->count - 1] : NULL;
        if (last && found[i].start <= last->end)
            last->end = found[i].end > last->end ? found[i].end : last->end;
        else if (w->count < WINDOWS_MAX)
            w->items[w->count++] = found[i];
        else
            w->all = true;
    }
    free(found);
    return OK;
}

status table_merge(table *t, budget *b) {
    relation_destroy(t->maximal);
    t->maximal = relation_create_plain(t->arity, b);
    if (!t->maximal)
        return E_MEMORY;
    uint32_t merged = 0;
    for (uint32_t k = 0; k < t->cover_count; k++) {
        const cover *c = &t->covers[k];
        value row[RELATION_ARITY_MAX];
        memcpy(row, relation_row(t->keys, k), (t->arity - 2) * sizeof *row);
        for (uint32_t i = 0; i < c->count; i++) {
            for (uint32_t j = 0; j < c->chunks[i].count; j++) {
                row[t->arity - 2] = values_time(c->chunks[i].items[j].start);
                row[t->arity - 1] = values_time(c->chunks[i].items[j].end);
                status s = relation_append(t->maximal, row, 0, 0);
                if (s == OK && (++merged & 0x3fff) == 0 && budget_interrupted(b))
                    s = E_INTERRUPTED;
                if (s != OK)
                    return s;
            }
        }
    }
    return OK;
}
