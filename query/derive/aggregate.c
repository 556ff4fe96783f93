// query/derive/aggregate.c - count, sum, min, max, avg and list over the rows of an auxiliary
// relation.
//
// Its first columns are the groups, its last the value (count without a value has none).
#include <math.h>
#include <stdlib.h>
#include "query/fault.h"
#include "query/derive/rule_plan_int.h"

typedef struct fold {
    uint32_t count;
    int64_t whole;
    bool is_whole;
    value wrong; // the value that is no number and cannot be added
    double real;
    value best;
    ARRAY(value) items;
    size_t counted; // bytes of the items that the budget has counted
} fold;

static void fold_sum(fold *f, const values *v, value x) {
    double real;
    // Times add up as seconds.
    if (!values_number(v, x, &real)) {
        f->wrong = x;
        return;
    }
    int64_t n;
    if (!values_whole(v, x, &n) || !f->is_whole || __builtin_add_overflow(f->whole, n, &f->whole))
        f->is_whole = false;
    f->real += real;
}

// A list's items count as long as it is made.
static status fold_item(fold *f, budget *b, value x) {
    if (!array_push_try(&f->items, x))
        return E_MEMORY;
    size_t bytes = f->items.capacity * sizeof x;
    if (bytes <= f->counted)
        return OK;
    if (!budget_take(b, bytes - f->counted))
        return E_LIMIT;
    f->counted = bytes;
    return OK;
}

static status fold_row(fold *f, const values *v, budget *b, aggregate_kind kind, value x) {
    f->count += FAULT(TWICE_COUNTED) && f->count == 1 ? 2u : 1u;
    switch (kind) {
    case AGGREGATE_COUNT:
        return OK;
    case AGGREGATE_SUM:
    case AGGREGATE_AVG:
        fold_sum(f, v, x);
        return OK;
    case AGGREGATE_MIN:
        if (f->best == VALUE_NONE || values_order(v, x, f->best) < 0)
            f->best = x;
        return OK;
    case AGGREGATE_MAX:
        if (f->best == VALUE_NONE || values_order(v, x, f->best) > 0)
            f->best = x;
        return OK;
    case AGGREGATE_LIST:
        return fold_item(f, b, x);
    }
    return OK;
}

static int compare_values(const void *a, const void *b, void *v) {
    return values_order(v, *(const value *)a, *(const value *)b);
}

// Returns the result; VALUE_NONE: there is none, as for min over an empty group.
static value fold_result(fold *f, values *v, aggregate_kind kind) {
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

static bool fail_aggregate(machine *m, status why) {
    return machine_stop(m, why);
}

// Goes on with the result of one group; `result` VALUE_NONE: it has none.
static bool give_group(machine *m, rule_plan *p, uint32_t k, value result) {
    const literal *l = p->steps[k].l;
    if (result == VALUE_NONE)
        return true;
    value *slot = &p->env[l->right->var], before = *slot;
    if (before != VALUE_NONE && !values_same(m->values, before, result))
        return true;
    *slot = result;
    bool ok = rule_plan_continue(m, p, k + 1);
    *slot = before;
    return ok;
}

static status refuse_value(machine *m, const rule *r, const literal *l, value wrong) {
    char text[200];
    values_format(m->values, wrong, text, sizeof text);
    if (m->err && m->failed == OK)
        error_at(m->err, E_INPUT, r->file, l->line, l->column, "%s adds up numbers; %s is none",
                 l->aggregate == AGGREGATE_SUM ? "sum" : "avg", text);
    return E_INPUT;
}

// Folds the rows of one group. NULL index: all rows. False: the query is stopped.
static bool fold_group(machine *m, const rule *rl, const literal *l, const relation *r,
                       const relation_index *i, const value *key, uint32_t *count, value *result) {
    fold f = {.is_whole = true, .best = VALUE_NONE, .wrong = VALUE_NONE};
    uint32_t row = i ? relation_first(r, i, key) : 0;
    status s = OK;
    while (s == OK && row != ROW_NONE && row < r->count) {
        s = fold_row(&f, m->values, m->budget, l->aggregate,
                     r->arity ? relation_row(r, row)[r->arity - 1] : VALUE_NONE);
        if (s == OK && (f.count & 0xfff) == 0 && budget_interrupted(m->budget))
            s = E_INTERRUPTED;
        row = i ? relation_next(i, row) : row + 1;
    }
    if (s == OK && f.wrong != VALUE_NONE)
        s = refuse_value(m, rl, l, f.wrong);
    *count = f.count;
    *result = s == OK ? fold_result(&f, m->values, l->aggregate) : VALUE_NONE;
    array_finish(&f.items);
    budget_return(m->budget, f.counted);
    if (s == OK && *result == VALUE_NONE)
        s = values_failed(m->values);
    return s == OK || fail_aggregate(m, s);
}

static bool remember_results(machine *m, memo *known, uint32_t rows) {
    size_t more = rows * sizeof *known->results;
    if (!budget_take(m->budget, more))
        return fail_aggregate(m, E_LIMIT);
    known->results = malloc(more);
    if (!known->results) {
        budget_return(m->budget, more);
        return fail_aggregate(m, E_MEMORY);
    }
    known->budget = m->budget;
    known->count = rows;
    for (uint32_t row = 0; row < rows; row++)
        known->results[row] = VALUE_NONE;
    return true;
}

// The same, but results are remembered for each group as soon as more rows were folded than there
// are, since many rows may ask for one group. `first` is the newest row of the group, which it
// stands for.
static bool fold_once(machine *m, const rule *rl, step *s, relation *r, const relation_index *i,
                      const value *key, uint32_t first, value *result) {
    memo *known = &s->memo;
    if (!known->results && s->walked > r->count && !remember_results(m, known, r->count))
        return false;
    value *slot = first < known->count ? &known->results[first] : NULL;
    if (slot && *slot != VALUE_NONE) {
        *result = *slot == VALUE_EMPTY ? VALUE_NONE : *slot;
        return true;
    }
    uint32_t count;
    if (!fold_group(m, rl, s->l, r, i, key, &count, result))
        return false;
    s->walked += count;
    if (slot)
        *slot = *result == VALUE_NONE ? VALUE_EMPTY : *result;
    return true;
}

static uint32_t group_mask(const literal *l) {
    return l->arg_count ? (UINT32_C(1) << l->arg_count) - 1 : 0;
}

// Groups whose bound columns equal `key`, through an index on those; without any, all groups.
static bool each_group(machine *m, rule_plan *p, uint32_t k, relation *r, relation_index *i,
                       const value *key) {
    step *s = &p->steps[k];
    const literal *l = s->l;
    relation_index *bound = NULL;
    uint32_t mask = s->mask & group_mask(l), row = 0;
    if (mask != 0) {
        status st = relation_index_on(r, mask, &bound);
        if (st != OK)
            return fail_aggregate(m, st);
        row = relation_first(r, bound, key);
    }
    for (; row != ROW_NONE && row < r->count; row = bound ? relation_next(bound, row) : row + 1) {
        value group[RELATION_ARITY_MAX];
        memcpy(group, relation_row(r, row), l->arg_count * sizeof *group);
        if ((++m->rows_read & 0xfff) == 0 && !machine_look(m))
            return false;
        // Each group is folded once, at its newest row.
        if (i && relation_first(r, i, group) != row)
            continue;
        for (uint32_t j = 0; j < s->fresh_count; j++)
            p->env[s->fresh[j]] = VALUE_NONE;
        bool fits = true;
        for (uint32_t j = 0; j < l->arg_count && fits; j++)
            fits = pattern_match(m->values, l->args[j], group[j], p->env);
        if (!fits)
            continue;
        value result;
        if (!fold_once(m, p->r, s, r, i, group, row, &result) || !give_group(m, p, k, result))
            return false;
    }
    return true;
}

bool aggregate_run(machine *m, rule_plan *p, uint32_t k) {
    step *s = &p->steps[k];
    const literal *l = s->l;
    relation *r = l->table->rows;
    relation_index *i = NULL;
    uint32_t mask = group_mask(l);
    if (mask != 0) {
        status st = relation_index_on(r, mask, &i);
        if (st != OK)
            return fail_aggregate(m, st);
    }
    value key[RELATION_ARITY_MAX];
    uint32_t n = 0;
    for (uint32_t j = 0; j < l->arg_count; j++) {
        if (!(s->mask >> j & 1))
            continue;
        key[n] = pattern_value(m->values, l->args[j], p->env);
        if (key[n++] == VALUE_NONE)
            return values_failed(m->values) == OK || fail_aggregate(m, values_failed(m->values));
    }
    if ((s->mask & mask) != mask) {
        bool ok = each_group(m, p, k, r, i, key);
        for (uint32_t j = 0; j < s->fresh_count; j++)
            p->env[s->fresh[j]] = VALUE_NONE;
        return ok;
    }
    value result;
    uint32_t count = 0, first = i ? relation_first(r, i, key) : r->count > 0 ? 0 : ROW_NONE;
    if (first != ROW_NONE)
        return fold_once(m, p->r, s, r, i, key, first, &result) && give_group(m, p, k, result);
    // The group is empty.
    if (l->enumerates)
        return true;
    return fold_group(m, p->r, l, r, i, key, &count, &result) && give_group(m, p, k, result);
}
