// query/demand/demand_order.c - the order in which a rule's literals pass demand on.
//
// The order follows from the literals themselves, never from where they stand: first those that
// only filter, then those that share variables with the demand; of these the one with more bound
// columns, then the one with fewer rows, and at last by name.
#include "query/demand/demand_int.h"
#include "query/log/fact.h"
#include "query/rules/module.h"

bool demand_is_given(const literal *l) {
    const pred *p = l->pred;
    return l->kind == LITERAL_RELATION && !l->negated && p->of_query && p->rules.count == 0 &&
           p->fact_count > 0;
}

// The ranks of literals that can run; the lowest goes first.
static int class_of(const sweep *w, const literal *l, const varset *vars) {
    switch (l->kind) {
    case LITERAL_UNIFY:
        return l->is_value ? 9 : 0;
    case LITERAL_COMPARE:
    case LITERAL_ROUNDS:
    case LITERAL_TO_TIME:
    case LITERAL_INTERSECT:
        return 0;
    case LITERAL_RELATION:
        if (l->negated)
            return 5;
        if (varset_within(vars, &w->bound) || demand_is_given(l))
            return 1;
        for (uint32_t i = 0; i < l->arg_count; i++) {
            if (pattern_meets(l->args[i], &w->chosen) ||
                (w->is_query && l->args[i]->kind == PATTERN_CONST))
                return 2;
        }
        for (uint32_t i = 0; i < l->arg_count; i++) {
            if (pattern_meets(l->args[i], &w->bound))
                return l->pred->fact ? 3 : 4;
        }
        return l->pred->fact ? 6 : 7;
    case LITERAL_BUILTIN:
        return varset_within(vars, &w->bound) ? 2 : 3;
    case LITERAL_SUBTRACT:
        return 5;
    case LITERAL_AGGREGATE:
        return 8;
    }
    return 9;
}

static uint32_t columns_bound(const sweep *w, const literal *l) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->arg_count; i++)
        n += pattern_within(l->args[i], &w->bound);
    return n;
}

uint32_t demand_rows(const sweep *w, const literal *l) {
    const pred *p = l->pred;
    if (!p)
        return UINT32_MAX;
    if (p->fact)
        return w->d->options.facts ? facts_size(w->d->options.facts, p->fact) : UINT32_MAX;
    const cached_table *whole = table_cache_find(w->d->options.cache, l->pred, 0);
    if (whole)
        return whole->rows->rows->count;
    return p->rules.count == 0 ? p->fact_count : UINT32_MAX;
}

bool demand_is_few(const sweep *w, const literal *l) {
    if (l->negated)
        return false;
    if (l->kind == LITERAL_RELATION)
        return w->ranks[l - w->r->literals].rows <= FEW_MAX;
    if (l->kind != LITERAL_UNIFY && l->kind != LITERAL_TO_TIME)
        return false;
    // A variable that is computed from few values has few.
    varset vars = {0};
    literal_vars(l, &vars);
    for (uint32_t v = 0; v < w->r->var_count; v++) {
        if (varset_has(&vars, v) && varset_has(&w->bound, v) && !varset_has(&w->few, v))
            return false;
    }
    return true;
}

// Returns whether the bound variables, or variables computed from them, stand in a literal of the
// rule that reads rows; true for a rule without such a literal.
static bool rule_narrows(const rule *r, uint32_t mask) {
    varset bound = {0}, vars;
    bool runs = false;
    for (uint32_t i = 0; i < r->arg_count; i++) {
        if (!(mask >> i & 1))
            continue;
        if (r->args[i]->kind != PATTERN_VAR)
            return true;
        pattern_vars(r->args[i], &bound);
    }
    for (bool moved = true; moved;) {
        varset before = bound;
        for (uint32_t i = 0; i < r->literal_count; i++) {
            const literal *l = &r->literals[i];
            if ((l->kind == LITERAL_UNIFY || l->kind == LITERAL_TO_TIME) &&
                literal_ready(r, l, &bound, &r->bindable, 0))
                literal_outputs(l, &bound);
        }
        moved = memcmp(&before, &bound, sizeof before) != 0;
    }
    for (uint32_t i = 0; i < r->literal_count; i++) {
        const literal *l = &r->literals[i];
        vars = (varset){0};
        literal_outputs(l, &vars);
        if (l->negated || l->kind == LITERAL_UNIFY || l->kind == LITERAL_TO_TIME)
            continue;
        runs = runs || !varset_within(&vars, &bound);
        vars = (varset){0};
        literal_vars(l, &vars);
        if (varset_meets(&vars, &bound) && l->kind != LITERAL_COMPARE)
            return true;
    }
    return !runs;
}

bool demand_narrows(const pred *p, uint32_t mask) {
    for (size_t i = 0; i < p->rules.count; i++) {
        if (rule_narrows(p->rules.items[i], mask))
            return true;
    }
    return false;
}

// ---- By name, where nothing else tells two literals apart ----

static int order_numbers(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

static int compare_vars(const rule *r, uint32_t a, uint32_t b) {
    int c = strcmp(r->var_names[a], r->var_names[b]);
    return c ? c : order_numbers(a, b);
}

static int compare_patterns(const sweep *w, const pattern *a, const pattern *b) {
    if (a->kind != b->kind)
        return order_numbers(a->kind, b->kind);
    if (a->kind == PATTERN_VAR)
        return compare_vars(w->r, a->var, b->var);
    int c = values_order(w->d->p->values, a->constant, b->constant);
    if (a->kind == PATTERN_CONST || c != 0)
        return c;
    if (a->arity != b->arity)
        return order_numbers(a->arity, b->arity);
    for (uint32_t i = 0; i < a->arity && c == 0; i++)
        c = compare_patterns(w, a->args[i], b->args[i]);
    return c;
}

static int compare_exprs(const sweep *w, const expr *a, const expr *b) {
    if (!a || !b)
        return order_numbers(a != NULL, b != NULL);
    if (a->op != b->op)
        return order_numbers(a->op, b->op);
    switch (a->op) {
    case EXPR_CONST:
        return values_order(w->d->p->values, a->constant, b->constant);
    case EXPR_VAR:
        return compare_vars(w->r, a->var, b->var);
    case EXPR_TERM:
        return compare_patterns(w, a->term, b->term);
    default:
        break;
    }
    int c = compare_exprs(w, a->args[0], b->args[0]);
    return c ? c : compare_exprs(w, a->args[1], b->args[1]);
}

// Compares predicates by their labels, which begin with their names.
static int compare_preds(const pred *a, const pred *b) {
    const char *x = module_plain(a->name), *y = module_plain(b->name);
    while (*x && *x == *y)
        x++, y++;
    if (*x && *y)
        return order_numbers((unsigned char)*x, (unsigned char)*y);
    char first[300], second[300];
    return strcmp(pred_label(a, first, sizeof first), pred_label(b, second, sizeof second));
}

static int compare_names(const sweep *w, const literal *a, const literal *b) {
    int c = order_numbers(a->kind, b->kind);
    if (c == 0 && a->pred && b->pred && a->pred != b->pred)
        c = compare_preds(a->pred, b->pred);
    if (c == 0 && a->builtin && b->builtin)
        c = strcmp(a->builtin->name, b->builtin->name);
    if (c == 0)
        c = order_numbers(a->arg_count, b->arg_count);
    for (uint32_t i = 0; i < a->arg_count && c == 0; i++)
        c = compare_patterns(w, a->args[i], b->args[i]);
    if (c == 0)
        c = compare_exprs(w, a->left, b->left);
    return c ? c : compare_exprs(w, a->right, b->right);
}

// Returns whether another literal must give the instant at which this one is called: asked for
// there alone, less of it is derived.
static bool awaits_instant(const sweep *w, const literal *l) {
    if (l->kind != LITERAL_RELATION || !l->pred->temporal || l->pred->rules.count == 0 ||
        l->arg_count < 2)
        return false;
    varset ends = {0};
    pattern_vars(l->args[l->arg_count - 2], &ends);
    pattern_vars(l->args[l->arg_count - 1], &ends);
    for (uint32_t i = 0; i < w->r->literal_count; i++) {
        const literal *c = &w->r->literals[i];
        varset left = {0}, right = {0};
        if (c->kind != LITERAL_COMPARE)
            continue;
        expr_vars(c->left, &left);
        expr_vars(c->right, &right);
        if ((varset_meets(&left, &ends) && !varset_within(&right, &w->bound)) ||
            (varset_meets(&right, &ends) && !varset_within(&left, &w->bound)))
            return true;
    }
    return false;
}

static bool is_followed(const sweep *w, const literal *l) {
    return l->kind == LITERAL_RELATION && l->pred && linear_of(w->d, l->pred).walked != 0;
}

static const rank *rank_of(const sweep *w, uint32_t at) {
    rank *k = &w->ranks[at];
    const literal *l = &w->r->literals[at];
    if (!k->known) {
        k->known = true;
        k->class_of = class_of(w, l, &k->vars);
        k->awaits = awaits_instant(w, l);
        k->columns = columns_bound(w, l);
    }
    return k;
}

int demand_prefer(const sweep *w, uint32_t a, uint32_t b) {
    const rank *x = rank_of(w, a), *y = rank_of(w, b);
    const literal *l = &w->r->literals[a], *m = &w->r->literals[b];
    int c = x->class_of - y->class_of;
    if (c == 0)
        c = order_numbers(x->awaits, y->awaits);
    if (c == 0)
        c = order_numbers(y->columns, x->columns);
    if (c == 0)
        c = order_numbers(x->rows, y->rows);
    // A linear recursion is followed from the values that other literals give.
    if (c == 0)
        c = order_numbers(is_followed(w, l), is_followed(w, m));
    return c ? c : compare_names(w, l, m);
}
