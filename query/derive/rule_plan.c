// query/derive/rule_plan.c - chooses the order in which a rule's literals run.
//
// A literal that only tests runs as soon as its variables are bound. Of the others, those that
// share bound variables go first, and of these the literal that is expected to give the fewest
// rows. Between equals the text of the literals decides, never the place where they were written.
// Relations are read through an index over the columns that are bound by then.
#include <math.h>
#include "query/derive/rule_plan_int.h"

#define ELSEWHERE_ROWS 1e5 // of an in_episode call: what else a rule says comes first

#define TEST_COST 0.9 // of a literal whose first match is enough

// ---- Cost ----

static bool pattern_bound(const pattern *p, const varset *bound) {
    varset v = {0};
    pattern_vars(p, &v);
    return varset_within(&v, bound);
}

// Returns how many of `rows` rows are expected to meet bounds on a column, or on both ends of an
// interval.
static double bounded_rows(const rule *r, const literal *l, const varset *known, double rows) {
    row_bound found[BOUNDS_MAX];
    uint32_t start, end, count = rule_plan_bounds(r, l, known, found, &start, &end);
    if (count == 0 || rows <= 1)
        return rows;
    bool to = false, below = false;
    for (uint32_t i = 0; i < count; i++) {
        to = to || found[i].kind == BOUND_TO;
        below = below || found[i].kind != BOUND_TO;
    }
    return to && below ? 1 + rows * 0.05 : rows * 0.4;
}

static double rows_expected(machine *m, const rule *owner, const literal *l, const varset *bound,
                            bool started) {
    double rows = 0;
    uint32_t mask = 0, arity = l->arg_count;
    bool joined = false;
    for (uint32_t i = 0; i < arity; i++) {
        if (pattern_bound(l->args[i], bound)) {
            mask |= UINT32_C(1) << i;
            joined = joined || l->args[i]->kind != PATTERN_CONST;
        }
    }
    relation *r = NULL;
    if (!l->table && l->pred && l->pred->episode_call) {
        rows = ELSEWHERE_ROWS;
    } else if (!l->table && l->pred && l->pred->fact) {
        rows = facts_size(m->facts, l->pred->fact);
    } else {
        r = rule_plan_relation(m, owner, l);
        rows = r ? r->count : 0;
    }
    if (rows == 0)
        return 0;
    uint32_t n = (uint32_t)__builtin_popcount(mask);
    if (n == arity)
        return 0.5;
    if (n > 0 && r) {
        double distinct = relation_distinct(r, mask);
        rows /= distinct > 1 ? distinct : 1;
    } else if (n > 0) {
        rows = pow(rows, 1.0 - (double)n / arity) + 0.1;
    }
    rows = bounded_rows(owner, l, bound, rows);
    // A literal without a bound variable multiplies all work behind it.
    return started && !joined && rows > 1 ? rows * 16 : rows;
}

// A signal costs least at an instant, most where the whole episode is gone through; of two that
// look at a window, the one with at most one answer goes first.
static double signal_cost(const builtin *b) {
    uint32_t instants = 0, answers = 0;
    for (uint32_t i = 1; i < b->arity; i++) {
        bool time = builtin_type(b, i) == 't';
        instants += time && b->modes[2 * i] == '+';
        answers += time && b->modes[2 * i] == '-';
    }
    return instants == 1 ? 4 : instants == 0 ? 12 : answers < 2 ? 7 : 8;
}

static double cost_of(machine *m, const rule *r, const literal *l, const varset *bound,
                      bool started) {
    varset vars = {0};
    switch (l->kind) {
    case LITERAL_UNIFY:
        return l->is_value ? INFINITY : l->exact ? 1e300 : -1;
    case LITERAL_COMPARE:
        return l->exact ? 1e300 : -1;
    case LITERAL_ROUNDS:
    case LITERAL_TO_TIME:
    case LITERAL_INTERSECT:
        return -1;
    case LITERAL_RELATION:
        return l->negated ? 0.4 : rows_expected(m, r, l, bound, started);
    case LITERAL_SUBTRACT:
        return 0.6;
    case LITERAL_AGGREGATE:
        return 2;
    case LITERAL_BUILTIN:
        literal_vars(l, &vars);
        // Signals cost most, and their intervals multiply; tests on bound values cost little.
        if (l->arg_count > 0 && builtin_type(l->builtin, 0) == 's')
            return signal_cost(l->builtin);
        return varset_within(&vars, bound) ? 0.45 : 1.5;
    }
    return 1;
}

// ---- Ties ----

static int order_vars(const rule *r, uint32_t a, uint32_t b) {
    return strcmp(r->var_names[a] ? r->var_names[a] : "", r->var_names[b] ? r->var_names[b] : "");
}

static int order_numbers(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

static int order_patterns(const machine *m, const rule *r, const pattern *a, const pattern *b) {
    if (a->kind != b->kind)
        return order_numbers(a->kind, b->kind);
    if (a->kind == PATTERN_VAR)
        return order_vars(r, a->var, b->var);
    int c = values_order(m->values, a->constant, b->constant);
    if (c != 0 || a->kind == PATTERN_CONST)
        return c;
    c = order_numbers(a->arity, b->arity);
    for (uint32_t i = 0; c == 0 && i < a->arity; i++)
        c = order_patterns(m, r, a->args[i], b->args[i]);
    return c;
}

static int order_exprs(const machine *m, const rule *r, const expr *a, const expr *b) {
    if (!a || !b)
        return (a != NULL) - (b != NULL);
    if (a->op != b->op)
        return order_numbers(a->op, b->op);
    if (a->op == EXPR_CONST)
        return values_order(m->values, a->constant, b->constant);
    if (a->op == EXPR_VAR)
        return order_vars(r, a->var, b->var);
    if (a->op == EXPR_TERM)
        return order_patterns(m, r, a->term, b->term);
    int c = 0;
    for (size_t i = 0; c == 0 && i < 2; i++)
        c = order_exprs(m, r, a->args[i], b->args[i]);
    return c;
}

static const char *name_of(const literal *l) {
    if (l->kind == LITERAL_BUILTIN)
        return l->builtin->name;
    const pred *p = l->table ? l->table->pred : l->pred;
    return p && p->name ? p->name : "";
}

static const char *functor_of(const literal *l) {
    const pred *p = l->table ? l->table->pred : l->pred;
    return p && p->functor ? p->functor : "";
}

// Compares the texts of two literals.
static int order_literals(const machine *m, const rule *r, const literal *a, const literal *b) {
    int c = order_numbers(a->kind, b->kind);
    if (c == 0)
        c = order_numbers(a->negated, b->negated);
    if (c == 0)
        c = strcmp(name_of(a), name_of(b));
    if (c == 0)
        c = strcmp(functor_of(a), functor_of(b));
    if (c == 0)
        c = order_numbers(a->table && a->table->magic, b->table && b->table->magic);
    if (c == 0)
        c = order_numbers(a->op, b->op);
    if (c == 0)
        c = order_numbers(a->arg_count, b->arg_count);
    for (uint32_t i = 0; c == 0 && i < a->arg_count; i++)
        c = order_patterns(m, r, a->args[i], b->args[i]);
    if (c == 0)
        c = order_exprs(m, r, a->left, b->left);
    return c ? c : order_exprs(m, r, a->right, b->right);
}

// ---- Making ----

// Returns the variables that only one of the remaining literals has, and not the head: of a literal
// that binds no others, the first match is enough.
static varset alone_in(const rule *r, const bool *done) {
    varset once = {0}, often = {0};
    for (uint32_t i = 0; i < r->arg_count; i++)
        pattern_vars(r->args[i], &often);
    for (uint32_t i = 0; i < r->literal_count; i++) {
        varset own = {0};
        if (!done[i])
            literal_vars(&r->literals[i], &own);
        for (size_t k = 0; k < VARS_MAX / 64; k++) {
            often.bits[k] |= once.bits[k] & own.bits[k];
            once.bits[k] |= own.bits[k];
        }
    }
    for (size_t k = 0; k < VARS_MAX / 64; k++)
        once.bits[k] &= ~often.bits[k];
    return once;
}

static bool is_test(const literal *l, const varset *bound, const varset *alone) {
    varset own = {0}, known = *bound;
    if (l->kind != LITERAL_RELATION || l->negated)
        return false;
    literal_vars(l, &own);
    for (size_t k = 0; k < VARS_MAX / 64; k++)
        known.bits[k] |= alone->bits[k];
    return varset_within(&own, &known);
}

// Returns the literal to run next; UINT32_MAX: none can run.
static uint32_t choose_literal(machine *m, const rule *r, const bool *done, const varset *bound,
                               int delta, bool started) {
    uint32_t best = UINT32_MAX;
    double best_cost = INFINITY;
    const varset alone = alone_in(r, done);
    for (uint32_t i = 0; i < r->literal_count; i++) {
        const literal *l = &r->literals[i];
        if (done[i] || !literal_ready(r, l, bound, &r->bindable, literal_required(l)))
            continue;
        // The rows that a round added come first, since they are few.
        double cost = (int)i == delta        ? -2
                      : l->leads && !started ? -0.5
                                             : cost_of(m, r, l, bound, started);
        if (cost > TEST_COST && is_test(l, bound, &alone))
            cost = TEST_COST;
        if (l->table && l->table->magic && cost >= 0)
            cost *= 0.5;
        if (best == UINT32_MAX || cost < best_cost ||
            (cost == best_cost && order_literals(m, r, l, &r->literals[best]) < 0)) {
            best = i;
            best_cost = cost;
        }
    }
    return best != UINT32_MAX ? best : rule_last_resort(r, done, bound);
}

rule_plan *rule_plan_create(machine *m, const rule *r, int delta, const varset *given) {
    rule_plan *p = calloc(1, sizeof *p + (r->literal_count + 1) * sizeof(step));
    bool *done = calloc(r->literal_count + 1, sizeof *done);
    if (!p || !done) {
        free(p);
        free(done);
        return NULL;
    }
    p->r = r;
    varset bound = given ? *given : (varset){0};
    bool started = given != NULL;
    for (uint32_t left = r->literal_count; left > 0; left--) {
        uint32_t best = choose_literal(m, r, done, &bound, delta, started);
        if (best == UINT32_MAX)
            break;
        done[best] = true;
        step *s = &p->steps[p->step_count++];
        s->l = &r->literals[best];
        s->number = best;
        started = started || s->l->kind == LITERAL_RELATION;
        literal_outputs(s->l, &bound);
        if (s->l->kind == LITERAL_ROUNDS)
            varset_add(&bound, s->l->left->var);
        p->ordered++;
    }
    free(done);
    if (!rule_plan_compile(m, p, given, delta)) {
        rule_plan_destroy(p);
        return NULL;
    }
    return p;
}

void rule_plan_destroy(rule_plan *p) {
    if (!p)
        return;
    for (uint32_t i = 0; i < p->step_count; i++) {
        step *s = &p->steps[i];
        builtin_finish(&s->call);
        array_finish(&s->gaps);
        array_finish(&s->found);
        array_finish(&s->met);
        if (s->memo.results)
            budget_return(s->memo.budget, s->memo.count * sizeof *s->memo.results);
        free(s->memo.results);
    }
    if (p->budget)
        budget_return(p->budget, p->charged);
    free(p->env);
    free(p->low);
    free(p->block);
    free(p);
}
