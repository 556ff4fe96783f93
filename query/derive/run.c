// query/derive/run.c - runs a rule: its literals in the order of its plan; each way through them
// gives a head.
#include <stdio.h>
#include "query/fault.h"
#include "query/tables/best.h"
#include "query/derive/episodes.h"
#include "query/derive/rule_plan_int.h"

// Rows between two looks at whether the query is to end.
#define ROWS_PER_LOOK 0xfff

static bool run_from(machine *m, rule_plan *p, uint32_t k);

relation *rule_plan_relation(const machine *m, const rule *r, const literal *l) {
    const table *t = l->table;
    if (!t)
        return NULL;
    // A proof goes back through the pieces in the order in which they came.
    if (m->before && t->temporal && l->source == SOURCE_PIECES && r->table &&
        t->component == r->table->component)
        return t->rows;
    bool merged =
        t->temporal && (l->source == SOURCE_MAXIMAL || l->source == SOURCE_MERGED || t->complete);
    return merged ? t->maximal : t->rows;
}

bool machine_stop(machine *m, status why) {
    if (m->failed == OK)
        m->failed = why;
    return false;
}

bool machine_look(machine *m) {
    return !budget_interrupted(m->budget) || machine_stop(m, E_INTERRUPTED);
}

static bool stop_run(machine *m, status why) {
    return machine_stop(m, why);
}

static void forget_step(const step *s, rule_plan *p) {
    for (uint32_t i = 0; i < s->fresh_count; i++)
        p->env[s->fresh[i]] = VALUE_NONE;
}

// ---- Heads ----

static bool flush_batch(machine *m) {
    batch *b = m->batch;
    if (b->count == 0)
        return true;
    relation *to = b->r->table->rows;
    status s = OK;
    if (b->distinct) {
        for (uint32_t i = 0; i < b->count && s == OK; i++)
            s = relation_append(to, b->rows + (size_t)i * to->arity, b->r->id, m->round);
    } else {
        s = relation_add_batch(to, b->rows, b->count, b->r->id, m->round);
    }
    b->count = 0;
    return s == OK ? machine_look(m) : stop_run(m, s);
}

// Goes back to the step `to`, which goes on with its next match. Returns true where there is no
// such step to go back to.
static inline bool cut_to_step(rule_plan *p, uint32_t to) {
    p->cut_to = to;
    return to == NO_CUT;
}

// Adds a head that is made of slots alone to a table without time.
static inline bool emit_plain(machine *m, rule_plan *p) {
    batch *b = m->batch;
    const rule *r = p->r;
    p->given++;
    if (b->count == RELATION_BATCH && !flush_batch(m))
        return false;
    b->r = r;
    value *row = b->rows + (size_t)b->count++ * r->arg_count;
    for (uint32_t i = 0; i < r->arg_count; i++)
        row[i] = p->env[p->head[i].slot];
    return cut_to_step(p, p->cut_head);
}

// Returns a value as the column of the head holds it.
static value settle_value(machine *m, const table *t, uint32_t column, value x) {
    const column_kind *kinds = t->magic ? NULL : t->pred->columns;
    bool timed =
        kinds && (kinds[column] == COLUMN_INSTANT || (t->temporal && column + 2 >= t->arity));
    return timed ? value_as_time(m->values, x) : x;
}

status rule_state(machine *m, table *t, const rule *r) {
    value row[RELATION_ARITY_MAX];
    for (uint32_t i = 0; i < r->arg_count; i++)
        row[i] = settle_value(m, t, i, r->args[i]->constant);
    return table_add(t, row, r->id, m->round, m->end);
}

static bool is_sized(value x) {
    return value_is_number(x) || value_kind(x) == VALUE_TIME;
}

static bool refuse_best(machine *m, const rule *r, value x) {
    char text[200];
    values_format(m->values, x, text, sizeof text);
    if (m->err && m->failed == OK)
        error_at(m->err, E_INPUT, r->file, r->line, r->column, BEST_IS_NO_NUMBER, text);
    return stop_run(m, E_INPUT);
}

static bool emit_head(machine *m, rule_plan *p) {
    const rule *r = p->r;
    table *t = r->table;
    if (p->plain_head)
        return emit_plain(m, p);
    value row[RELATION_ARITY_MAX];
    for (uint32_t i = 0; i < r->arg_count; i++) {
        row[i] = p->head[i].slot != SLOT_NONE ? p->env[p->head[i].slot]
                                              : pattern_value(m->values, r->args[i], p->env);
        if (row[i] == VALUE_NONE)
            return values_failed(m->values) == OK || stop_run(m, values_failed(m->values));
        row[i] = settle_value(m, t, i, row[i]);
    }
    if (r->head_range != VAR_NONE && t->temporal) {
        row[r->arg_count] = values_time(p->low[r->head_range]);
        row[r->arg_count + 1] = values_time(p->high[r->head_range]);
    }
    p->given++;
    if (t->best && t->pred->best_computed && !is_sized(row[t->pred->best - 1]))
        return refuse_best(m, r, row[t->pred->best - 1]);
    status s = table_add(t, row, r->id, m->round, m->end);
    return s == OK ? cut_to_step(p, p->cut_head) : stop_run(m, s);
}

// ---- Rows ----

// Returns the relation that a step reads, with the rows for its bound columns loaded.
static relation *prepare_relation(machine *m, const rule_plan *p, step *s, const value *key) {
    const literal *l = s->l;
    if (l->table)
        return rule_plan_relation(m, p->r, l);
    value partition = VALUE_NONE, bound[RELATION_ARITY_MAX];
    for (uint32_t i = 0; l->pred->episode_call && i < l->arg_count; i++)
        bound[i] = VALUE_NONE;
    for (uint32_t i = 0; i < s->column_count; i++) {
        bound[s->columns[i]] = key[i];
        if ((int)s->columns[i] == s->fact_key)
            partition = key[i];
    }
    relation *r = NULL;
    error err = {0};
    status st = l->pred->episode_call
                    ? episodes_load(m, l->pred, bound, &r, &err)
                    : facts_load(m->facts, l->pred->fact, s->fact_key, partition, &r, &err);
    if (st != OK) {
        if (m->err && m->failed == OK)
            *m->err = err;
        stop_run(m, st);
        return NULL;
    }
    return r;
}

// Returns whether the interval of a row meets the condition of a negated call.
static bool condition_holds(machine *m, const literal *l, const value *row, const value *env) {
    if (l->condition == CONDITION_NONE)
        return true;
    nanos start = value_nanos(row[l->table->arity - 2]),
          end = value_nanos(row[l->table->arity - 1]);
    value a = value_as_time(m->values, expr_value(m->values, l->left, env));
    value b = l->right ? value_as_time(m->values, expr_value(m->values, l->right, env)) : a;
    if (a == VALUE_NONE || b == VALUE_NONE || value_kind(a) != VALUE_TIME ||
        value_kind(b) != VALUE_TIME)
        return false;
    nanos from = value_nanos(a), to = value_nanos(b);
    if (to < from)
        return false; // no span
    switch (l->condition) {
    case CONDITION_AT:
        return start <= from && from < end;
    case CONDITION_THROUGHOUT:
        return start <= from && to <= end;
    default:
        to = to > from + 1 ? to : from + 1;
        return start < to && from < end;
    }
}

static inline bool is_seen(const machine *m, const step *s, const relation *r, uint32_t row) {
    return (!m->before || relation_round(r, row) < m->before) &&
           (!s->best_alone || FAULT(BEATEN_READ) || !table_is_beaten(s->l->table, row));
}

static inline bool match_columns(machine *m, rule_plan *p, const step *s, const value *row) {
    if (s->clears)
        forget_step(s, p);
    for (uint32_t i = 0; i < s->action_count; i++) {
        const action *a = &s->actions[i];
        value x = row[a->column];
        switch (a->kind) {
        case ACTION_BIND:
            p->env[a->slot] = x;
            break;
        case ACTION_CHECK:
            if (p->env[a->slot] != x)
                return false;
            break;
        case ACTION_MATCH:
            if (!pattern_match(m->values, a->pattern, x, p->env))
                return false;
            break;
        }
    }
    return true;
}

// Computes the values that the index is asked for. False: no row can have them.
static inline bool make_key(machine *m, const rule_plan *p, const step *s, value *key) {
    for (uint32_t i = 0; i < s->column_count; i++) {
        key[i] = s->keys[i].slot != SLOT_NONE
                     ? p->env[s->keys[i].slot]
                     : pattern_value(m->values, s->keys[i].pattern, p->env);
        if (key[i] == VALUE_NONE) {
            if (values_failed(m->values) != OK)
                stop_run(m, values_failed(m->values));
            return false;
        }
    }
    return true;
}

// Computes the range of an order that the step's bounds give. False: no row can meet them.
static bool make_range(machine *m, const rule_plan *p, const step *s, order_range *out, bool *any) {
    *out = (order_range){-(double)INFINITY, (double)INFINITY, -(double)INFINITY};
    *any = false;
    for (uint32_t i = 0; i < s->bound_count; i++) {
        const row_bound *b = &s->bounds[i];
        double x;
        if (b->value || b->pattern) {
            value v = b->value ? expr_value(m->values, b->value, p->env)
                               : pattern_value(m->values, b->pattern, p->env);
            if (v == VALUE_NONE && values_failed(m->values) != OK)
                stop_run(m, values_failed(m->values));
            if (v == VALUE_NONE || !values_number(m->values, v, &x))
                return false;
        } else {
            nanos at = b->kind == BOUND_TO ? p->high[b->range] : p->low[b->range];
            if (at <= 0 || at > m->end)
                continue; // the whole episode
            x = (double)at / 1e9;
        }
        *any = true;
        // Instants compare as nanoseconds, also with numbers, which are rounded to them.
        double slack = 2e-9 + fabs(x) * 1e-15;
        if (b->kind == BOUND_TO)
            out->to = fmin(out->to, x + slack);
        else if (b->kind == BOUND_FROM)
            out->from = fmax(out->from, x - slack);
        else
            out->reach = fmax(out->reach, x - slack);
    }
    return true;
}

typedef bool (*on_found)(machine *m, rule_plan *p, step *s, const value *row);

static inline bool look_at_row(machine *m) {
    return (++m->rows_read & ROWS_PER_LOOK) != 0 || machine_look(m);
}

// Takes the bytes by which the step's lists have grown from the budget.
static bool plan_charge(machine *m, rule_plan *p, step *s) {
    size_t bytes = s->met.capacity * sizeof *s->met.items +
                   (s->found.capacity + s->gaps.capacity) * sizeof(interval);
    if (bytes <= s->charged)
        return true;
    if (!budget_take(m->budget, bytes - s->charged))
        return stop_run(m, E_LIMIT);
    p->budget = m->budget;
    p->charged += bytes - s->charged;
    s->charged = bytes;
    return true;
}

// Gathers the rows that meet the step's bounds, since later steps may sort them anew. *done false:
// there are too few rows to need an order.
static bool gather_met(machine *m, rule_plan *p, step *s, relation *r, const value *key,
                       uint32_t high, bool *done) {
    order_range range;
    relation_order *o;
    bool any;
    *done = false;
    // Sorting pays when as many rows were read in vain as there are.
    if (high < 16 || s->walked < high ||
        (s->column_count > 0 && relation_keys(s->index) > high / 8))
        return true;
    s->met.count = 0;
    if (!make_range(m, p, s, &range, &any)) {
        *done = true;
        return m->failed == OK;
    }
    if (!any)
        return true;
    *done = true;
    relation_index *i = s->column_count > 0 ? s->index : NULL;
    status st = relation_order_on(r, i, s->mask, s->start, s->end, high, m->values, &o);
    if (st != OK)
        return stop_run(m, st);
    // What the order does not cover yet, then what it finds.
    uint32_t covered = relation_order_covered(o), row = 0;
    if (i) {
        for (row = relation_first(r, i, key); row != ROW_NONE && row >= covered;
             row = relation_next(i, row)) {
            if (!array_push_try(&s->met, row))
                return stop_run(m, E_MEMORY);
        }
    } else {
        for (uint32_t k = high; k > covered; k--) {
            if (!array_push_try(&s->met, k - 1))
                return stop_run(m, E_MEMORY);
        }
    }
    if (row != ROW_NONE && covered > 0)
        st = relation_order_find(o, row, range, &s->met);
    return st == OK ? plan_charge(m, p, s) : stop_run(m, st);
}

// In a proof the newest rows that are seen come first: a row was often made of rows of the round
// before.
static bool newest_first(machine *m, rule_plan *p, step *s, const relation *r,
                         bool (*each)(machine *, rule_plan *, step *, const value *)) {
    uint32_t low = 0, high = r->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (relation_round(r, middle) < m->before)
            low = middle + 1;
        else
            high = middle;
    }
    while (low-- > 0) {
        if (is_seen(m, s, r, low) && (!look_at_row(m) || !each(m, p, s, relation_row(r, low))))
            return false;
    }
    return true;
}

static inline bool on_last_row(machine *m, rule_plan *p, step *s, const value *row);

// Rows from `row` on, along the index where the step has one, each copied into a head beside what
// is known before.
static inline __attribute__((always_inline)) bool copy_rows(machine *m, rule_plan *p, const step *s,
                                                            const relation *r, uint32_t row,
                                                            uint32_t low, uint32_t high,
                                                            uint32_t width) {
    batch *b = m->batch;
    const uint32_t *chain = s->column_count > 0 ? s->index->chain : NULL;
    value known[RELATION_ARITY_MAX];
    uint32_t columns[RELATION_ARITY_MAX];
    for (uint32_t i = 0; i < width; i++) {
        columns[i] = p->copied[i];
        known[i] = p->env[p->head[i].slot];
    }
    while (row != ROW_NONE && row >= low && (chain || row < high)) {
        if (b->count == RELATION_BATCH && !flush_batch(m))
            return false;
        b->r = p->r;
        // Takes as many rows as there is room for; the relation does not move meanwhile.
        const value *rows = r->rows;
        const uint32_t arity = r->arity, before = b->count;
        uint32_t count = before;
        while (row != ROW_NONE && row >= low && (chain || row < high) && count < RELATION_BATCH) {
            const value *from = rows + (size_t)row * arity;
            value *to = b->rows + (size_t)count * width;
            for (uint32_t i = 0; i < width; i++)
                to[i] = columns[i] == SLOT_NONE ? known[i] : from[columns[i]];
            count += row < high;
            row = chain ? chain[row] : row + 1;
        }
        b->count = count;
        m->rows_read += count - before;
        p->given += count - before;
    }
    return true;
}

static bool copy_found(machine *m, rule_plan *p, const step *s, const relation *r, uint32_t row,
                       uint32_t low, uint32_t high) {
    // The width that occurs most has a loop of its own.
    return p->r->arg_count == 2 ? copy_rows(m, p, s, r, row, low, high, 2)
                                : copy_rows(m, p, s, r, row, low, high, p->r->arg_count);
}

// Calls `each` for every row that matches the step; false stops.
static inline __attribute__((always_inline)) bool each_row(machine *m, rule_plan *p, step *s,
                                                           on_found each) {
    const literal *l = s->l;
    value key[RELATION_ARITY_MAX];
    if (!make_key(m, p, s, key))
        return m->failed == OK;
    relation *r = prepare_relation(m, p, s, key);
    if (!r)
        return m->failed == OK;
    uint32_t low = 0, high = r->count;
    if (s->range != READ_ALL && r == l->table->rows) {
        low = s->range == READ_DELTA ? l->table->old : 0;
        high = s->range == READ_OLD ? l->table->old : l->table->now;
        if (FAULT(LOST_DELTA) && s->range == READ_DELTA && high > low)
            high--;
        if (FAULT(OLD_FOR_NOW) && s->range == READ_NOW)
            high = l->table->old;
    }
    if (low >= high)
        return true;
    if (s->column_count == r->arity && r->slots) {
        uint32_t row = relation_find(r, key);
        return row == ROW_NONE || row < low || row >= high || !is_seen(m, s, r, row) ||
               each(m, p, s, relation_row(r, row));
    }
    if (s->column_count > 0) {
        // Rows of this round are left out of the index: they may yet change.
        status st = OK;
        if (s->indexed != r)
            st = relation_index_upto(r, s->mask, high, &s->index);
        else if (s->index->covered < high)
            st = relation_index_extend(r, s->index, high);
        if (st != OK)
            return stop_run(m, st);
        s->indexed = r;
    }
    if (s->bound_count > 0 && low == 0) {
        bool done;
        if (!gather_met(m, p, s, r, key, high, &done))
            return false;
        for (size_t k = 0; done && k < s->met.count; k++) {
            uint32_t row = s->met.items[k];
            if (row < high && is_seen(m, s, r, row) &&
                (!look_at_row(m) || !each(m, p, s, relation_row(r, row))))
                return false;
        }
        if (done)
            return true;
    }
    if (s->column_count == 0 && m->before)
        return newest_first(m, p, s, r, each);
    if (each == on_last_row && s->copies && !m->before && p->cut_head == NO_CUT)
        return copy_found(m, p, s, r, s->column_count > 0 ? relation_first(r, s->index, key) : low,
                          low, high);
    if (s->column_count == 0) {
        s->walked += high - low;
        for (uint32_t row = low; row < high; row++) {
            if (is_seen(m, s, r, row) && (!look_at_row(m) || !each(m, p, s, relation_row(r, row))))
                return false;
        }
        return true;
    }
    for (uint32_t row = relation_first(r, s->index, key); row != ROW_NONE && row >= low;
         row = s->index->chain[row]) {
        s->walked++;
        if (row < high && is_seen(m, s, r, row) &&
            (!look_at_row(m) || !each(m, p, s, relation_row(r, row))))
            return false;
    }
    return true;
}

static bool on_row(machine *m, rule_plan *p, step *s, const value *row) {
    return !match_columns(m, p, s, row) || run_from(m, p, (uint32_t)(s - p->steps) + 1);
}

static inline bool on_last_row(machine *m, rule_plan *p, step *s, const value *row) {
    return !match_columns(m, p, s, row) || emit_plain(m, p);
}

static bool on_absent(machine *m, rule_plan *p, step *s, const value *row) {
    if (match_columns(m, p, s, row) && condition_holds(m, s->l, row, p->env)) {
        s->hit = true;
        forget_step(s, p);
        return false;
    }
    return true;
}

static bool on_carve(machine *m, rule_plan *p, step *s, const value *row) {
    if (!match_columns(m, p, s, row))
        return true;
    uint32_t arity = s->l->table->arity;
    interval in = {value_nanos(row[arity - 2]), value_nanos(row[arity - 1])};
    return array_push_try(&s->found, in) || stop_run(m, E_MEMORY);
}

static bool run_carve(machine *m, rule_plan *p, uint32_t k) {
    step *s = &p->steps[k];
    uint32_t v = s->l->range;
    nanos low = p->low[v], high = p->high[v];
    s->found.count = 0;
    if (!each_row(m, p, s, on_carve))
        return false;
    forget_step(s, p);
    intervals_normalise(&s->found);
    s->gaps.count = 0;
    intervals_complement(&s->found, (interval){low, high}, &s->gaps);
    if (!plan_charge(m, p, s))
        return false;
    bool ok = true;
    for (size_t i = 0; ok && i + (size_t)FAULT(LAST_GAP) < s->gaps.count; i++) {
        p->low[v] = s->gaps.items[i].start;
        p->high[v] = s->gaps.items[i].end;
        if (p->low[v] < p->high[v])
            ok = run_from(m, p, k + 1);
    }
    p->low[v] = low;
    p->high[v] = high;
    return ok;
}

static bool narrow_to(machine *m, rule_plan *p, uint32_t k, uint32_t v, nanos from, nanos to) {
    nanos low = p->low[v], high = p->high[v];
    p->low[v] = from > low ? from : low;
    p->high[v] = to < high ? to : high;
    bool ok = p->low[v] >= p->high[v] || run_from(m, p, k + 1);
    p->low[v] = low;
    p->high[v] = high;
    return ok;
}

static bool run_narrow(machine *m, rule_plan *p, uint32_t k) {
    const literal *l = p->steps[k].l;
    value s = pattern_value(m->values, l->args[0], p->env),
          e = pattern_value(m->values, l->args[1], p->env);
    return narrow_to(m, p, k, l->range, value_nanos(s), value_nanos(e) + FAULT(LATE_END));
}

static bool compare_values(const values *v, compare_op op, value a, value b) {
    double x;
    if (op == COMPARE_UNEQUAL)
        return !values_same(v, a, b);
    if (!values_number(v, a, &x) || !values_number(v, b, &x))
        return false;
    int c = values_compare(v, a, b);
    switch (op) {
    case COMPARE_LESS:
        return c < 0;
    case COMPARE_AT_MOST:
        return c <= 0;
    case COMPARE_MORE:
        return c > 0;
    default:
        return c >= 0;
    }
}

static bool is_range(const rule_plan *p, const expr *e) {
    return e->op == EXPR_VAR && p->r->is_range[e->var];
}

// Runs a comparison with an instant variable, such as T < X.
static bool run_bound(machine *m, rule_plan *p, uint32_t k, uint32_t v, compare_op op,
                      const expr *other) {
    value x = value_as_time(m->values, expr_value(m->values, other, p->env));
    if (x == VALUE_NONE || value_kind(x) != VALUE_TIME)
        return true;
    nanos t = value_nanos(x);
    switch (op) {
    case COMPARE_LESS:
        return narrow_to(m, p, k, v, INT64_MIN, t);
    case COMPARE_AT_MOST:
        return narrow_to(m, p, k, v, INT64_MIN, t + 1);
    case COMPARE_MORE:
        return narrow_to(m, p, k, v, t + 1, INT64_MAX);
    default:
        return narrow_to(m, p, k, v, t, INT64_MAX);
    }
}

// A side of the literal has no value: then it does not hold, and its negation does.
static bool cannot_compute(machine *m, rule_plan *p, uint32_t k) {
    if (values_failed(m->values) != OK)
        return stop_run(m, values_failed(m->values));
    return !p->steps[k].l->negated || run_from(m, p, k + 1);
}

// Ends the query, since a recursion cannot compute the next of a best value.
static bool overflows(machine *m, const rule_plan *p, const literal *l) {
    if (values_failed(m->values) != OK)
        return stop_run(m, values_failed(m->values));
    if (m->err && m->failed == OK)
        error_at(m->err, E_INPUT, p->r->file, l->line, l->column,
                 "this cannot be computed of a best value within its recursion: the result is past "
                 "the numbers that there are; compare the value with a limit first");
    return stop_run(m, E_INPUT);
}

// Returns whether a side that has no value is wrong because of the numbers in it, not because
// something in it is no number.
static bool is_past_numbers(machine *m, const rule_plan *p, const literal *l, const expr *e) {
    return l->exact && expr_misfit(m->values, e, p->env) == VALUE_NONE;
}

static bool run_compare(machine *m, rule_plan *p, uint32_t k) {
    static const compare_op mirror[] = {COMPARE_MORE, COMPARE_AT_LEAST, COMPARE_LESS,
                                        COMPARE_AT_MOST, COMPARE_UNEQUAL};
    const literal *l = p->steps[k].l;
    if (is_range(p, l->left))
        return run_bound(m, p, k, l->left->var, l->op, l->right);
    if (is_range(p, l->right))
        return run_bound(m, p, k, l->right->var, mirror[l->op], l->left);
    value a = expr_value(m->values, l->left, p->env), b = expr_value(m->values, l->right, p->env);
    if ((a == VALUE_NONE && is_past_numbers(m, p, l, l->left)) ||
        (b == VALUE_NONE && is_past_numbers(m, p, l, l->right)))
        return overflows(m, p, l);
    if (a == VALUE_NONE || b == VALUE_NONE)
        return cannot_compute(m, p, k);
    return compare_values(m->values, l->op, a, b) == l->negated || run_from(m, p, k + 1);
}

// An aggregate goes over what computes with a value that is no number. (What divides by zero or
// overflows only fails.)
static bool value_misfits(machine *m, const rule_plan *p, const literal *l) {
    value wrong = expr_misfit(m->values, l->right, p->env);
    if (wrong == VALUE_NONE)
        return values_failed(m->values) == OK || stop_run(m, values_failed(m->values));
    char text[200];
    values_format(m->values, wrong, text, sizeof text);
    if (m->err && m->failed == OK)
        error_at(m->err, E_INPUT, p->r->file, l->line, l->column,
                 "the value of this aggregate cannot be computed: %s is no number", text);
    return stop_run(m, E_INPUT);
}

static bool run_unify(machine *m, rule_plan *p, uint32_t k) {
    step *s = &p->steps[k];
    const literal *l = s->l;
    const expr *known = s->from_left ? l->left : l->right,
               *open = s->from_left ? l->right : l->left;
    forget_step(s, p);
    value a = expr_value(m->values, known, p->env);
    if (a == VALUE_NONE && l->is_value)
        return value_misfits(m, p, l);
    if (a == VALUE_NONE && is_past_numbers(m, p, l, known))
        return overflows(m, p, l);
    if (a == VALUE_NONE)
        return cannot_compute(m, p, k);
    bool equal;
    if (s->fresh_count == 0) {
        value b = expr_value(m->values, open, p->env);
        if (b == VALUE_NONE && is_past_numbers(m, p, l, open))
            return overflows(m, p, l);
        equal = b != VALUE_NONE && values_same(m->values, a, b);
    } else if (open->op == EXPR_VAR) {
        p->env[open->var] = p->r->is_time[open->var] ? value_as_time(m->values, a) : a;
        equal = true;
    } else {
        equal = open->op == EXPR_TERM && pattern_match(m->values, open->term, a, p->env);
    }
    bool ok = equal == l->negated || run_from(m, p, k + 1);
    forget_step(s, p);
    return ok;
}

// Matches an answer of a builtin with an argument of the call.
static bool answer_fits(machine *m, const rule_plan *p, const pattern *arg, value answer) {
    if (arg->kind == PATTERN_CONST)
        return value_rounds_to(m->values, answer, arg->constant);
    if (arg->kind == PATTERN_VAR && p->env[arg->var] != VALUE_NONE)
        return values_same(m->values, answer, p->env[arg->var]);
    if (arg->kind == PATTERN_VAR && p->r->is_time[arg->var])
        answer = value_as_time(m->values, answer);
    return pattern_match(m->values, arg, answer, p->env);
}

static bool run_interval_test(machine *m, rule_plan *p, uint32_t k) {
    const step *s = &p->steps[k];
    interval i, j;
    bool holds = false;
    if (builtin_interval_of(m->values, p->env[s->ends[0]], p->env[s->ends[1]], &i) &&
        builtin_interval_of(m->values, p->env[s->ends[2]], p->env[s->ends[3]], &j))
        builtin_interval_test(s->l->builtin, i, j, &holds);
    return holds == s->l->negated || run_from(m, p, k + 1);
}

static bool run_builtin(machine *m, rule_plan *p, uint32_t k) {
    step *s = &p->steps[k];
    const literal *l = s->l;
    value args[BUILTIN_ARITY_MAX];
    error err = {0};
    forget_step(s, p);
    for (uint32_t i = 0; i < l->arg_count; i++) {
        args[i] = s->mask >> i & 1 ? pattern_value(m->values, l->args[i], p->env) : VALUE_NONE;
        if (s->mask >> i & 1 && args[i] == VALUE_NONE)
            return values_failed(m->values) == OK || stop_run(m, values_failed(m->values));
    }
    s->call.builtin = l->builtin;
    s->call.values = m->values;
    s->call.budget = m->budget;
    s->call.signals = m->signals;
    s->call.end = m->end;
    s->call.within = l->windowed ? table_within(p->r->table) : NULL;
    s->call.args = args;
    s->call.arity = l->arg_count;
    s->call.rows.count = 0;
    s->call.err = &err;
    status st = l->builtin->run(&s->call);
    if (st == OK)
        st = values_failed(m->values);
    if (st != OK) {
        // A mistake in the log is reported for the log, and what a builtin refuses for the rule.
        if (m->err && m->failed == OK && err.file[0])
            *m->err = err;
        else if (m->err && m->failed == OK && err.text[0])
            error_at(m->err, st, p->r->file, l->line, l->column, "%s", err.text);
        return stop_run(m, st);
    }
    size_t width = l->arg_count ? l->arg_count : 1, count = s->call.rows.count / width;
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        // Fetched anew each time: what runs behind may use this step's rows no more, but others'.
        const value *row = s->call.rows.items + i * width;
        forget_step(s, p);
        bool fits = true;
        for (uint32_t j = 0; j < l->arg_count && fits; j++)
            fits = answer_fits(m, p, l->args[j], row[j]);
        any = any || fits;
        if (fits && !l->negated && !run_from(m, p, k + 1))
            return false;
    }
    forget_step(s, p);
    return !l->negated || any || run_from(m, p, k + 1);
}

static bool run_absent(machine *m, rule_plan *p, uint32_t k) {
    step *s = &p->steps[k];
    s->hit = false;
    each_row(m, p, s, on_absent);
    forget_step(s, p);
    return m->failed == OK && (s->hit || run_from(m, p, k + 1));
}

bool rule_plan_continue(machine *m, rule_plan *p, uint32_t k) {
    return run_from(m, p, k);
}

static bool run_step(machine *m, rule_plan *p, uint32_t k) {
    if ((++m->steps & 0xff) == 0) {
        if (budget_interrupted(m->budget))
            return stop_run(m, E_INTERRUPTED);
        if (m->step_limit && m->steps > m->step_limit) {
            if (m->err && m->failed == OK)
                error_set(m->err, E_LIMIT, "the query needs more than %llu steps",
                          (unsigned long long)m->step_limit);
            return stop_run(m, E_LIMIT);
        }
    }
    step *s = &p->steps[k];
    const literal *l = s->l;
    switch (l->kind) {
    case LITERAL_RELATION: {
        if (l->negated)
            return run_absent(m, p, k);
        if (s->last && !p->found)
            return each_row(m, p, s, on_last_row);
        return each_row(m, p, s, on_row);
    }
    case LITERAL_COMPARE:
        return run_compare(m, p, k);
    case LITERAL_UNIFY:
        return run_unify(m, p, k);
    case LITERAL_BUILTIN:
        return s->of_ends ? run_interval_test(m, p, k) : run_builtin(m, p, k);
    case LITERAL_AGGREGATE:
        return aggregate_run(m, p, k);
    case LITERAL_INTERSECT:
        return run_narrow(m, p, k);
    case LITERAL_SUBTRACT:
        return run_carve(m, p, k);
    case LITERAL_ROUNDS: {
        if (s->fresh_count > 0) {
            p->env[l->left->var] = value_as_time(m->values, l->right->constant);
            bool ok = run_from(m, p, k + 1);
            forget_step(s, p);
            return ok;
        }
        value x = expr_value(m->values, l->left, p->env);
        return !value_rounds_to(m->values, x, l->right->constant) || run_from(m, p, k + 1);
    }
    case LITERAL_TO_TIME: {
        value x = value_as_time(m->values, expr_value(m->values, l->left, p->env));
        bool fits = true, bound = s->fresh_count == 0;
        if (bound)
            fits = p->env[l->right->var] == x;
        else
            p->env[l->right->var] = x;
        bool ok = !fits || run_from(m, p, k + 1);
        forget_step(s, p);
        return ok;
    }
    }
    return true;
}

static bool run_from(machine *m, rule_plan *p, uint32_t k) {
    if (k == p->step_count)
        return p->found ? p->found(m, p, p->context) : emit_head(m, p);
    const step *s = &p->steps[k];
    uint64_t given = p->given;
    if (!run_step(m, p, k)) {
        if (p->cut_to != k || m->failed != OK)
            return false;
        p->cut_to = NO_CUT;
    }
    return cut_to_step(p, s->back < s->cut && p->given == given ? s->back : s->cut);
}

static void clear_plan(const machine *m, rule_plan *p) {
    p->cut_to = NO_CUT;
    for (uint32_t v = 0; v < p->r->var_count; v++) {
        p->env[v] = VALUE_NONE;
        p->low[v] = 0;
        p->high[v] = m->end + 1;
    }
    const table *t = p->r->table;
    const windows *within = t ? table_within(t) : NULL;
    if (within && within->count > 0 && p->r->head_range != VAR_NONE) {
        nanos *low = &p->low[p->r->head_range], *high = &p->high[p->r->head_range];
        nanos first = within->items[0].start, last = within->items[within->count - 1].end;
        *low = first > *low ? first : *low;
        *high = last < *high ? last : *high;
    }
}

status rule_plan_run(machine *m, rule_plan *p) {
    if (p->ordered != p->r->literal_count)
        return E_USAGE;
    clear_plan(m, p);
    m->batch->distinct = p->distinct && p->r->table->rows->count == 0;
    run_from(m, p, 0);
    if (m->failed == OK)
        flush_batch(m);
    m->batch->count = 0;
    return m->failed;
}

// ---- Proving ----

const value *rule_plan_env(const rule_plan *p) {
    return p->env;
}

bool rule_plan_span(const rule_plan *p, interval *out) {
    uint32_t v = p->r->table->temporal ? p->r->head_range : p->r->some_range;
    if (v == VAR_NONE)
        return false;
    *out = (interval){p->low[v], p->high[v]};
    return true;
}

status rule_plan_prove(machine *m, const rule *r, const value *row, rule_plan_found found,
                       void *context) {
    uint32_t keys = r->table->temporal ? r->table->arity - 2 : r->arg_count;
    varset given = {0};
    for (uint32_t i = 0; i < keys; i++)
        pattern_vars(r->args[i], &given);
    rule_plan *p = rule_plan_create(m, r, -1, &given);
    if (!p)
        return E_MEMORY;
    clear_plan(m, p);
    bool fits = true;
    for (uint32_t i = 0; i < keys && fits; i++)
        fits = pattern_match(m->values, r->args[i], row[i], p->env);
    p->found = found;
    p->context = context;
    status s = p->ordered != r->literal_count ? E_USAGE : OK;
    if (s == OK && fits) {
        run_from(m, p, 0);
        s = m->failed;
    }
    rule_plan_destroy(p);
    return s;
}
