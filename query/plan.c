// query/plan.c - the order in which a rule's literals run, and running them.
//
// Order: what only tests comes as soon as its variables are bound; of the rest the literal that is
// expected to give the fewest rows. Relations are read through an index over the columns that are
// bound by then.
#include "query/plan_int.h"

#include <math.h>
#include <stdio.h>

// ---- Cost
// ----------------------------------------------------------------------------------------

static relation *relation_of(const literal *l) {
    const table *t = l->table;
    if (!t)
        return NULL;
    bool merged =
        t->temporal && (l->source == SOURCE_MAXIMAL || l->source == SOURCE_MERGED || t->complete);
    return merged ? t->maximal : t->rows;
}

static bool pattern_bound(const pattern *p, const varset *bound) {
    varset v = {0};
    pattern_vars(p, &v);
    return varset_within(&v, bound);
}

static uint32_t bound_columns(const literal *l, const varset *bound) {
    uint32_t mask = 0;
    for (uint32_t i = 0; i < l->arg_count; i++) {
        if (pattern_bound(l->args[i], bound))
            mask |= UINT32_C(1) << i;
    }
    return mask;
}

static double rows_expected(machine *m, const literal *l, const varset *bound, bool delta) {
    double rows = 0;
    uint32_t mask = bound_columns(l, bound), arity = l->arg_count;
    if (l->pred && l->pred->fact && !l->table) {
        rows = facts_size(m->facts, l->pred->fact);
    } else {
        const relation *r = relation_of(l);
        rows = delta ? l->table->now - l->table->old : r ? r->count : 0;
    }
    if (rows == 0)
        return 0;
    uint32_t n = (uint32_t)__builtin_popcount(mask);
    if (n == arity)
        return 0.5;
    return n == 0 ? rows : pow(rows, 1.0 - (double)n / arity) + 0.1;
}

static double cost_of(machine *m, const rule *r, const literal *l, const varset *bound,
                      bool delta) {
    varset vars = {0};
    (void)r;
    switch (l->kind) {
    case LITERAL_COMPARE:
    case LITERAL_UNIFY:
    case LITERAL_ROUNDS:
    case LITERAL_TO_TIME:
    case LITERAL_NARROW:
        return -1;
    case LITERAL_RELATION:
        return l->negated ? 0.4 : rows_expected(m, l, bound, delta);
    case LITERAL_CARVE:
        return 0.6;
    case LITERAL_AGGREGATE:
        return 2;
    case LITERAL_BUILTIN:
        literal_vars(l, &vars);
        // Signals cost most, and their intervals multiply; tests on bound values cost little.
        if (l->arg_count > 0 && builtin_type(l->builtin, 0) == 's')
            return 8;
        return varset_within(&vars, bound) ? 0.45 : 1.5;
    }
    return 1;
}

// ---- Making
// --------------------------------------------------------------------------------------

static bool same_component(const rule *r, const literal *l) {
    return l->table && r->table && !l->table->complete &&
           l->table->component == r->table->component;
}

static step *add_step(plan *p, const literal *l, uint32_t number) {
    step *s = &p->steps[p->step_count++];
    s->l = l;
    s->number = number;
    return s;
}

static void settle_step(plan *p, step *s, const varset *bound, int delta) {
    const literal *l = s->l;
    s->mask = bound_columns(l, bound);
    varset own = {0}, outputs = {0};
    literal_vars(l, &own);
    literal_outputs(l, &outputs);
    s->recursive = l->kind == LITERAL_RELATION && !l->negated && same_component(p->r, l);
    s->range = !s->recursive || delta < -1 ? READ_ALL
               : delta < 0                 ? READ_ALL
               : (int)s->number == delta   ? READ_DELTA
               : (int)s->number < delta    ? READ_OLD
                                           : READ_NOW;
    for (uint32_t v = 0; v < p->r->var_count; v++) {
        if (varset_has(&own, v) && !varset_has(bound, v) && !p->r->is_range[v])
            s->fresh[s->fresh_count++] = v;
    }
    if (l->kind == LITERAL_UNIFY) {
        varset left = {0};
        expr_vars(l->left, &left);
        s->from_left = varset_within(&left, bound);
    }
    for (uint32_t i = 0; i < l->arg_count; i++) {
        if (s->mask >> i & 1)
            s->columns[s->column_count++] = i;
    }
}

plan *plan_create(machine *m, const rule *r, int delta) {
    size_t flexible = (r->literal_count + 1) * sizeof(step);
    plan *p = calloc(1, sizeof *p + flexible);
    bool *done = calloc(r->literal_count + 1, sizeof *done);
    if (!p || !done) {
        free(p);
        free(done);
        return NULL;
    }
    p->r = r;
    varset bound = {0};
    for (uint32_t left = r->literal_count; left > 0; left--) {
        uint32_t best = UINT32_MAX;
        double best_cost = INFINITY;
        for (uint32_t i = 0; i < r->literal_count; i++) {
            const literal *l = &r->literals[i];
            if (done[i] || !literal_ready(r, l, &bound, &r->bindable, literal_required(l)))
                continue;
            double cost = cost_of(m, r, l, &bound, (int)i == delta);
            // What a round added comes first: the rest hangs on it.
            if ((int)i == delta)
                cost = -2;
            if (l->table && l->table->magic && cost >= 0)
                cost *= 0.5;
            if (cost < best_cost) {
                best = i;
                best_cost = cost;
            }
        }
        if (best == UINT32_MAX)
            best = rule_last_resort(r, done, &bound);
        if (best == UINT32_MAX)
            break;
        done[best] = true;
        step *s = add_step(p, &r->literals[best], best);
        settle_step(p, s, &bound, delta);
        literal_outputs(s->l, &bound);
        if (s->l->kind == LITERAL_ROUNDS)
            varset_add(&bound, s->l->left->var);
        p->ordered++;
    }
    free(done);
    p->env = calloc(r->var_count + 1, sizeof *p->env);
    p->low = calloc(r->var_count + 1, sizeof *p->low);
    p->high = calloc(r->var_count + 1, sizeof *p->high);
    if (!p->env || !p->low || !p->high) {
        plan_discard(p);
        return NULL;
    }
    return p;
}

void plan_discard(plan *p) {
    if (!p)
        return;
    for (uint32_t i = 0; i < p->step_count; i++) {
        free(p->steps[i].call.rows.items);
        array_finish(&p->steps[i].gaps);
        array_finish(&p->steps[i].found);
    }
    free(p->env);
    free(p->low);
    free(p->high);
    free(p);
}

// ---- Running
// -------------------------------------------------------------------------------------

static bool run_from(machine *m, plan *p, uint32_t k);

static bool stop(machine *m, status why) {
    if (m->failed == OK)
        m->failed = why;
    return false;
}

static void forget(const step *s, plan *p) {
    for (uint32_t i = 0; i < s->fresh_count; i++)
        p->env[s->fresh[i]] = VALUE_NONE;
}

static bool emit(machine *m, plan *p) {
    const rule *r = p->r;
    table *t = r->table;
    value row[RELATION_ARITY_MOST];
    const column_kind *kinds = t->magic ? NULL : t->pred->columns;
    for (uint32_t i = 0; i < r->arg_count; i++) {
        row[i] = pattern_value(m->values, r->args[i], p->env);
        if (row[i] == VALUE_NONE)
            return values_failed(m->values) == OK || stop(m, values_failed(m->values));
        if (kinds && (kinds[i] == COLUMN_INSTANT || (t->temporal && i + 2 >= t->arity)))
            row[i] = value_as_time(m->values, row[i]);
    }
    if (r->head_range != VAR_NONE && t->temporal) {
        row[r->arg_count] = values_time(p->low[r->head_range]);
        row[r->arg_count + 1] = values_time(p->high[r->head_range]);
    }
    status s = table_add(t, row, r->id, m->round, m->end);
    return s == OK || stop(m, s);
}

// The relation a step reads, with the rows for its bound columns loaded.
static relation *prepare(machine *m, step *s, const value *key) {
    const literal *l = s->l;
    if (l->table)
        return relation_of(l);
    int indexed = fact_indexed(l->pred->fact), bound = -1;
    value partition = VALUE_NONE;
    for (uint32_t i = 0; i < s->column_count; i++) {
        if ((int)s->columns[i] == indexed) {
            bound = indexed;
            partition = key[i];
        }
    }
    relation *r = NULL;
    error err = {0};
    status st = facts_load(m->facts, l->pred->fact, bound, partition, &r, &err);
    if (st != OK) {
        if (m->err && m->failed == OK)
            *m->err = err;
        stop(m, st);
        return NULL;
    }
    return r;
}

// Whether the interval of a row meets the condition of a negated call.
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

// Calls `k` for every row that matches the step; false stops.
static bool each_row(machine *m, plan *p, step *s,
                     bool (*each)(machine *, plan *, step *, const value *)) {
    const literal *l = s->l;
    value key[RELATION_ARITY_MOST];
    for (uint32_t i = 0; i < s->column_count; i++) {
        key[i] = pattern_value(m->values, l->args[s->columns[i]], p->env);
        if (key[i] == VALUE_NONE)
            return values_failed(m->values) == OK || stop(m, values_failed(m->values));
    }
    relation *r = prepare(m, s, key);
    if (!r)
        return m->failed == OK;
    uint32_t low = 0, high = r->count;
    if (s->range == READ_DELTA)
        low = l->table->old;
    if (s->range == READ_OLD)
        high = l->table->old;
    if (s->range == READ_DELTA || s->range == READ_NOW)
        high = l->table->now;
    if (low >= high)
        return true;
    if (s->column_count == r->arity && r->slots) {
        uint32_t row = relation_find(r, key);
        return row == ROW_NONE || row < low || row >= high || each(m, p, s, relation_row(r, row));
    }
    if (s->column_count == 0) {
        for (uint32_t row = low; row < high; row++) {
            if (!each(m, p, s, relation_row(r, row)))
                return false;
        }
        return true;
    }
    if (s->indexed != r) {
        status st = relation_index_on(r, s->mask, &s->index);
        if (st != OK)
            return stop(m, st);
        s->indexed = r;
    } else {
        status st = relation_index_refresh(r, s->index);
        if (st != OK)
            return stop(m, st);
    }
    for (uint32_t row = relation_first(r, s->index, key); row != ROW_NONE && row >= low;
         row = relation_next(s->index, row)) {
        if (row < high && !each(m, p, s, relation_row(r, row)))
            return false;
    }
    return true;
}

static bool match_columns(machine *m, plan *p, const step *s, const value *row) {
    const literal *l = s->l;
    forget(s, p);
    for (uint32_t i = 0; i < l->arg_count; i++) {
        if (!(s->mask >> i & 1) && !pattern_match(m->values, l->args[i], row[i], p->env))
            return false;
    }
    return true;
}

static bool on_row(machine *m, plan *p, step *s, const value *row) {
    return !match_columns(m, p, s, row) || run_from(m, p, (uint32_t)(s - p->steps) + 1);
}

static bool on_absent(machine *m, plan *p, step *s, const value *row) {
    if (match_columns(m, p, s, row) && condition_holds(m, s->l, row, p->env)) {
        s->hit = true;
        forget(s, p);
        return false;
    }
    return true;
}

static bool on_carve(machine *m, plan *p, step *s, const value *row) {
    if (!match_columns(m, p, s, row))
        return true;
    uint32_t arity = s->l->table->arity;
    interval in = {value_nanos(row[arity - 2]), value_nanos(row[arity - 1])};
    return array_push_try(&s->found, in) || stop(m, E_MEMORY);
}

static bool run_carve(machine *m, plan *p, uint32_t k) {
    step *s = &p->steps[k];
    uint32_t v = s->l->range;
    nanos low = p->low[v], high = p->high[v];
    s->found.count = 0;
    if (!each_row(m, p, s, on_carve))
        return false;
    forget(s, p);
    intervals_normalise(&s->found);
    s->gaps.count = 0;
    intervals_complement(&s->found, (interval){low, high}, &s->gaps);
    for (size_t i = 0; i < s->gaps.count; i++) {
        p->low[v] = s->gaps.items[i].start;
        p->high[v] = s->gaps.items[i].end;
        if (p->low[v] < p->high[v] && !run_from(m, p, k + 1))
            return false;
    }
    p->low[v] = low;
    p->high[v] = high;
    return true;
}

static bool narrow_to(machine *m, plan *p, uint32_t k, uint32_t v, nanos from, nanos to) {
    nanos low = p->low[v], high = p->high[v];
    p->low[v] = from > low ? from : low;
    p->high[v] = to < high ? to : high;
    bool ok = p->low[v] >= p->high[v] || run_from(m, p, k + 1);
    p->low[v] = low;
    p->high[v] = high;
    return ok;
}

static bool run_narrow(machine *m, plan *p, uint32_t k) {
    const literal *l = p->steps[k].l;
    value s = pattern_value(m->values, l->args[0], p->env),
          e = pattern_value(m->values, l->args[1], p->env);
    return narrow_to(m, p, k, l->range, value_nanos(s), value_nanos(e));
}

static bool compare(const values *v, compare_op op, value a, value b) {
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

static bool is_range(const plan *p, const expr *e) {
    return e->op == EXPR_VAR && p->r->is_range[e->var];
}

// T < X and its kin, T an instant variable.
static bool run_bound(machine *m, plan *p, uint32_t k, uint32_t v, compare_op op,
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

static bool run_compare(machine *m, plan *p, uint32_t k) {
    static const compare_op mirror[] = {COMPARE_MORE, COMPARE_AT_LEAST, COMPARE_LESS,
                                        COMPARE_AT_MOST, COMPARE_UNEQUAL};
    const literal *l = p->steps[k].l;
    if (is_range(p, l->left))
        return run_bound(m, p, k, l->left->var, l->op, l->right);
    if (is_range(p, l->right))
        return run_bound(m, p, k, l->right->var, mirror[l->op], l->left);
    value a = expr_value(m->values, l->left, p->env), b = expr_value(m->values, l->right, p->env);
    if (a == VALUE_NONE || b == VALUE_NONE)
        return values_failed(m->values) == OK || stop(m, values_failed(m->values));
    return compare(m->values, l->op, a, b) == l->negated || run_from(m, p, k + 1);
}

static bool run_unify(machine *m, plan *p, uint32_t k) {
    step *s = &p->steps[k];
    const literal *l = s->l;
    const expr *known = s->from_left ? l->left : l->right,
               *open = s->from_left ? l->right : l->left;
    forget(s, p);
    value a = expr_value(m->values, known, p->env);
    if (a == VALUE_NONE)
        return values_failed(m->values) == OK || stop(m, values_failed(m->values));
    bool equal;
    if (s->fresh_count == 0) {
        value b = expr_value(m->values, open, p->env);
        equal = b != VALUE_NONE && values_same(m->values, a, b);
    } else if (open->op == EXPR_VAR) {
        p->env[open->var] = p->r->is_time[open->var] ? value_as_time(m->values, a) : a;
        equal = true;
    } else {
        equal = open->op == EXPR_TERM && pattern_match(m->values, open->term, a, p->env);
    }
    bool ok = equal == l->negated || run_from(m, p, k + 1);
    forget(s, p);
    return ok;
}

// An answer of a builtin against an argument of the call.
static bool answer_fits(machine *m, const plan *p, const pattern *arg, value answer) {
    if (arg->kind == PATTERN_CONST)
        return value_rounds_to(m->values, answer, arg->constant);
    if (arg->kind == PATTERN_VAR && p->env[arg->var] != VALUE_NONE)
        return values_same(m->values, answer, p->env[arg->var]);
    if (arg->kind == PATTERN_VAR && p->r->is_time[arg->var])
        answer = value_as_time(m->values, answer);
    return pattern_match(m->values, arg, answer, p->env);
}

static bool run_builtin(machine *m, plan *p, uint32_t k) {
    step *s = &p->steps[k];
    const literal *l = s->l;
    value args[BUILTIN_ARITY_MOST];
    error err = {0};
    forget(s, p);
    for (uint32_t i = 0; i < l->arg_count; i++) {
        args[i] = s->mask >> i & 1 ? pattern_value(m->values, l->args[i], p->env) : VALUE_NONE;
        if (s->mask >> i & 1 && args[i] == VALUE_NONE)
            return values_failed(m->values) == OK || stop(m, values_failed(m->values));
    }
    s->call.values = m->values;
    s->call.signals = m->signals;
    s->call.end = m->end;
    s->call.args = args;
    s->call.arity = l->arg_count;
    s->call.rows.count = 0;
    s->call.err = &err;
    status st = l->builtin->run(&s->call);
    if (st == OK)
        st = values_failed(m->values);
    if (st != OK) {
        if (m->err && m->failed == OK && err.text[0])
            error_at(m->err, st, p->r->file, l->line, l->column, "%s", err.text);
        return stop(m, st);
    }
    size_t width = l->arg_count ? l->arg_count : 1, count = s->call.rows.count / width;
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        // Fetched anew each time: what runs behind may use this step's rows no more, but others'.
        const value *row = s->call.rows.items + i * width;
        forget(s, p);
        bool fits = true;
        for (uint32_t j = 0; j < l->arg_count && fits; j++)
            fits = answer_fits(m, p, l->args[j], row[j]);
        any = any || fits;
        if (fits && !l->negated && !run_from(m, p, k + 1))
            return false;
    }
    forget(s, p);
    return !l->negated || any || run_from(m, p, k + 1);
}

static bool run_absent(machine *m, plan *p, uint32_t k) {
    step *s = &p->steps[k];
    s->hit = false;
    each_row(m, p, s, on_absent);
    forget(s, p);
    return m->failed == OK && (s->hit || run_from(m, p, k + 1));
}

bool plan_continue(machine *m, plan *p, uint32_t k) {
    return run_from(m, p, k);
}

static bool run_from(machine *m, plan *p, uint32_t k) {
    if (k == p->step_count)
        return emit(m, p);
    if ((++m->steps & 0xff) == 0) {
        if (atomic_load_explicit(&m->budget->interrupted, memory_order_relaxed))
            return stop(m, E_INTERRUPTED);
        if (m->step_limit && m->steps > m->step_limit) {
            if (m->err && m->failed == OK)
                error_set(m->err, E_LIMIT, "the query needs more than %llu steps",
                          (unsigned long long)m->step_limit);
            return stop(m, E_LIMIT);
        }
    }
    step *s = &p->steps[k];
    const literal *l = s->l;
    switch (l->kind) {
    case LITERAL_RELATION: {
        if (l->negated)
            return run_absent(m, p, k);
        bool ok = each_row(m, p, s, on_row);
        forget(s, p);
        return ok;
    }
    case LITERAL_COMPARE:
        return run_compare(m, p, k);
    case LITERAL_UNIFY:
        return run_unify(m, p, k);
    case LITERAL_BUILTIN:
        return run_builtin(m, p, k);
    case LITERAL_AGGREGATE:
        return aggregate_run(m, p, k);
    case LITERAL_NARROW:
        return run_narrow(m, p, k);
    case LITERAL_CARVE:
        return run_carve(m, p, k);
    case LITERAL_ROUNDS: {
        if (s->fresh_count > 0) {
            p->env[l->left->var] = value_as_time(m->values, l->right->constant);
            bool ok = run_from(m, p, k + 1);
            forget(s, p);
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
        forget(s, p);
        return ok;
    }
    }
    return true;
}

status plan_run(machine *m, plan *p) {
    if (p->ordered != p->r->literal_count)
        return E_USAGE;
    for (uint32_t v = 0; v < p->r->var_count; v++) {
        p->env[v] = VALUE_NONE;
        p->low[v] = 0;
        p->high[v] = m->end + 1;
    }
    run_from(m, p, 0);
    return m->failed;
}
