// query/aggregate.c - count, sum, min, max, avg and list over the rows of an auxiliary relation.
//
// Its first columns are the groups, its last the value (count without a value has none).
#include <math.h>
#include <stdlib.h>
#include "query/plan_int.h"

typedef struct fold {
    uint32_t count;
    int64_t whole;
    bool is_whole, failed;
    double real;
    value best;
    ARRAY(value) items;
} fold;

static void fold_sum(fold *f, const values *v, value x) {
    double real;
    // Times add up as seconds.
    if (!values_number(v, x, &real)) {
        f->failed = true;
        return;
    }
    bool whole = value_kind(x) == VALUE_INT || value_kind(x) == VALUE_WIDE;
    if (!whole || !f->is_whole || __builtin_add_overflow(f->whole, values_integer(v, x), &f->whole))
        f->is_whole = false;
    f->real += real;
}

static bool fold_row(fold *f, const values *v, aggregate_kind kind, value x) {
    f->count++;
    switch (kind) {
    case AGGREGATE_COUNT:
        return true;
    case AGGREGATE_SUM:
    case AGGREGATE_AVG:
        fold_sum(f, v, x);
        return true;
    case AGGREGATE_MIN:
        if (f->best == VALUE_NONE || values_order(v, x, f->best) < 0)
            f->best = x;
        return true;
    case AGGREGATE_MAX:
        if (f->best == VALUE_NONE || values_order(v, x, f->best) > 0)
            f->best = x;
        return true;
    case AGGREGATE_LIST:
        return array_push_try(&f->items, x);
    }
    return false;
}

static int compare_values(const void *a, const void *b, void *v) {
    return values_order(v, *(const value *)a, *(const value *)b);
}

// VALUE_NONE: nothing, as of min over an empty group.
static value fold_result(fold *f, values *v, aggregate_kind kind) {
    if (f->failed)
        return VALUE_NONE;
    switch (kind) {
    case AGGREGATE_COUNT:
        return values_int(v, f->count);
    case AGGREGATE_SUM:
        if (f->is_whole)
            return values_int(v, f->whole);
        return isfinite(f->real) ? values_float(v, f->real) : VALUE_NONE;
    case AGGREGATE_AVG:
        return f->count > 0 && isfinite(f->real) ? values_float(v, f->real / f->count) : VALUE_NONE;
    case AGGREGATE_MIN:
    case AGGREGATE_MAX:
        return f->best;
    case AGGREGATE_LIST:
        if (f->items.count > 0)
            qsort_r(f->items.items, f->items.count, sizeof *f->items.items, compare_values, v);
        return values_list(v, f->items.items, f->items.count);
    }
    return VALUE_NONE;
}

static bool fail(machine *m, status why) {
    if (m->failed == OK)
        m->failed = why;
    return false;
}

static bool give(machine *m, plan *p, uint32_t k, fold *f) {
    const literal *l = p->steps[k].l;
    value result = fold_result(f, m->values, l->aggregate);
    array_finish(&f->items);
    if (result == VALUE_NONE)
        return values_failed(m->values) == OK || fail(m, values_failed(m->values));
    value *slot = &p->env[l->right->var], before = *slot;
    if (before != VALUE_NONE && !values_same(m->values, before, result))
        return true;
    *slot = result;
    bool ok = plan_continue(m, p, k + 1);
    *slot = before;
    return ok;
}

// Folds the rows of one group. NULL index: all rows.
static bool fold_group(machine *m, fold *f, const literal *l, const relation *r,
                       const relation_index *i, const value *key) {
    *f = (fold){.is_whole = true, .best = VALUE_NONE};
    uint32_t row = i ? relation_first(r, i, key) : 0;
    bool ok = true;
    while (ok && row != ROW_NONE && row < r->count) {
        ok = fold_row(f, m->values, l->aggregate,
                      r->arity ? relation_row(r, row)[r->arity - 1] : VALUE_NONE);
        row = i ? relation_next(i, row) : row + 1;
    }
    if (!ok)
        array_finish(&f->items);
    return ok || fail(m, E_MEMORY);
}

static uint32_t group_mask(const literal *l) {
    return l->arg_count ? (UINT32_C(1) << l->arg_count) - 1 : 0;
}

static bool each_group(machine *m, plan *p, uint32_t k, relation *r, relation_index *i) {
    step *s = &p->steps[k];
    const literal *l = s->l;
    for (uint32_t row = 0; row < r->count; row++) {
        const value *v = relation_row(r, row);
        // Each group once: by its newest row.
        if (i && relation_first(r, i, v) != row)
            continue;
        for (uint32_t j = 0; j < s->fresh_count; j++)
            p->env[s->fresh[j]] = VALUE_NONE;
        bool fits = true;
        for (uint32_t j = 0; j < l->arg_count && fits; j++)
            fits = pattern_match(m->values, l->args[j], v[j], p->env);
        fold f;
        if (!fits)
            continue;
        if (!fold_group(m, &f, l, r, i, v) || !give(m, p, k, &f))
            return false;
    }
    return true;
}

bool aggregate_run(machine *m, plan *p, uint32_t k) {
    step *s = &p->steps[k];
    const literal *l = s->l;
    relation *r = l->table->rows;
    relation_index *i = NULL;
    uint32_t mask = group_mask(l);
    if (mask != 0) {
        status st = relation_index_on(r, mask, &i);
        if (st != OK)
            return fail(m, st);
    }
    bool all_bound = (s->mask & mask) == mask;
    if (!all_bound) {
        bool ok = each_group(m, p, k, r, i);
        for (uint32_t j = 0; j < s->fresh_count; j++)
            p->env[s->fresh[j]] = VALUE_NONE;
        return ok;
    }
    value key[RELATION_ARITY_MOST];
    for (uint32_t j = 0; j < l->arg_count; j++) {
        key[j] = pattern_value(m->values, l->args[j], p->env);
        if (key[j] == VALUE_NONE)
            return values_failed(m->values) == OK || fail(m, values_failed(m->values));
    }
    fold f;
    if (!fold_group(m, &f, l, r, i, key))
        return false;
    if (f.count == 0 && l->enumerates) {
        array_finish(&f.items);
        return true;
    }
    return give(m, p, k, &f);
}
