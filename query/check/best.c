// query/check/best.c - recursion through `least` and `greatest`: refuses rules in which a value
// that may yet be beaten decides anything.
//
// A recursion that keeps only the best value of each key has the same result in any order of
// derivation if a better value never derives less. So the value of a recursive call may go into the
// head's own best column, through arithmetic that keeps the order, and into comparisons that a
// better value passes, too. (Monotonic aggregation: Ross and Sagiv 1992; subsumption: Souffle;
// lattices: Flix.)
#include "query/check/check_int.h"
#include "query/lower/lower.h"

typedef struct tracing {
    const checker *c;
    const rule *r;
    bool greatest;
    varset traced; // variables whose value may yet be beaten
    bool failed;
} tracing;

static void refuse_rule(tracing *t, int line, int column, const char *what) {
    if (!t->failed)
        errors_add(t->c->list, t->r->file, line, column,
                   "a value that recursion may still better cannot be used here: %s", what);
    t->failed = true;
}

static bool literal_recurs(const rule *r, const literal *l) {
    return l->pred && l->pred->best && l->pred->component == r->pred->component;
}

static bool is_plain(const expr *e) {
    return e->op == EXPR_VAR || e->op == EXPR_CONST;
}

static bool expr_traced(const tracing *t, const expr *e) {
    varset vars = {0};
    expr_vars(e, &vars);
    return varset_meets(&vars, &t->traced);
}

// Returns whether a better value of a traced variable never makes the value of the expression
// worse.
static bool keeps_order(const tracing *t, const expr *e) {
    if (!e || !expr_traced(t, e))
        return true;
    const expr *a = e->args[0], *b = e->args[1];
    switch (e->op) {
    case EXPR_VAR:
        return true;
    case EXPR_ADD:
    case EXPR_MIN:
    case EXPR_MAX:
        return keeps_order(t, a) && keeps_order(t, b);
    case EXPR_SUBTRACT:
        return keeps_order(t, a) && !expr_traced(t, b);
    case EXPR_FLOOR:
    case EXPR_CEIL:
    case EXPR_ROUND:
    case EXPR_INT:
    case EXPR_FLOAT:
    case EXPR_SECONDS:
        return keeps_order(t, a);
    default:
        return false;
    }
}

// Traces the values of recursive literals, and the values that are computed from them.
static void trace_values(tracing *t) {
    const rule *r = t->r;
    for (uint32_t i = 0; i < r->literal_count; i++) {
        const literal *l = &r->literals[i];
        if (!literal_recurs(r, l))
            continue;
        const pattern *p = l->args[l->pred->best - 1];
        if (p->kind == PATTERN_VAR)
            varset_add(&t->traced, p->var);
        else
            refuse_rule(t, l->line, l->column, "write a variable in its place");
    }
    for (bool moved = true; moved;) {
        varset before = t->traced;
        for (uint32_t i = 0; i < r->literal_count; i++) {
            const literal *l = &r->literals[i];
            if ((l->kind != LITERAL_UNIFY && l->kind != LITERAL_TO_TIME) || l->negated)
                continue;
            if (l->left->op == EXPR_VAR && expr_traced(t, l->right))
                varset_add(&t->traced, l->left->var);
            else if (l->right->op == EXPR_VAR && expr_traced(t, l->left))
                varset_add(&t->traced, l->right->var);
        }
        moved = memcmp(&before, &t->traced, sizeof before) != 0;
    }
}

// Returns how many columns of the literal mention a traced variable.
static uint32_t columns_traced(const tracing *t, const literal *l) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->arg_count; i++) {
        varset vars = {0};
        pattern_vars(l->args[i], &vars);
        n += varset_meets(&vars, &t->traced);
    }
    return n;
}

static void judge_compare(tracing *t, const literal *l) {
    bool left = expr_traced(t, l->left), right = expr_traced(t, l->right);
    bool less = l->op == COMPARE_LESS || l->op == COMPARE_AT_MOST;
    if (!left && !right)
        return;
    if ((left && right) || l->negated || l->op == COMPARE_UNEQUAL ||
        (left ? less : !less) == t->greatest || !keeps_order(t, left ? l->left : l->right))
        refuse_rule(t, l->line, l->column,
                    t->greatest ? "a greater one might fail this comparison"
                                : "a smaller one might fail this comparison");
}

static void judge_literal(tracing *t, const literal *l, varset *defined) {
    switch (l->kind) {
    case LITERAL_COMPARE:
        judge_compare(t, l);
        return;
    case LITERAL_TO_TIME:
    case LITERAL_UNIFY: {
        bool left = l->left->op == EXPR_VAR && !varset_has(defined, l->left->var) &&
                    expr_traced(t, l->right);
        const expr *from = left ? l->right : l->left, *to = left ? l->left : l->right;
        if (!expr_traced(t, l->left) && !expr_traced(t, l->right))
            return;
        if (l->negated || l->is_value || to->op != EXPR_VAR || varset_has(defined, to->var) ||
            !keeps_order(t, from))
            refuse_rule(
                t, l->line, l->column,
                "it may be added to, and go through min, max and rounding, into one variable");
        else
            varset_add(defined, to->var);
        return;
    }
    default:
        break;
    }
    varset vars = {0};
    literal_vars(l, &vars);
    if (literal_recurs(t->r, l)) {
        const pattern *own = l->args[l->pred->best - 1];
        if (l->pred->greatest != t->greatest || !t->r->pred->best)
            refuse_rule(
                t, l->line, l->column,
                "rules that read it in its own recursion must be of predicates that keep the "
                "best in the same way");
        else if (columns_traced(t, l) > 1 || varset_has(defined, own->var))
            refuse_rule(t, l->line, l->column, "other goals may not look at it");
        else
            varset_add(defined, own->var);
    } else if (varset_meets(&vars, &t->traced)) {
        refuse_rule(t, l->line, l->column, "other goals may not look at it");
    }
}

// Marks what computes with traced values: where that fails a better value would give less than a
// worse one, so it is an error of the query.
static void mark_computed(const tracing *t) {
    bool computes = false;
    for (uint32_t i = 0; i < t->r->literal_count; i++) {
        literal *l = &t->r->literals[i];
        if ((l->kind != LITERAL_UNIFY && l->kind != LITERAL_COMPARE) ||
            (!expr_traced(t, l->left) && !expr_traced(t, l->right)))
            continue;
        l->exact = !is_plain(l->left) || !is_plain(l->right);
        computes = computes || l->exact || l->kind == LITERAL_COMPARE;
    }
    for (uint32_t i = 0; computes && i < t->r->literal_count; i++) {
        literal *l = &t->r->literals[i];
        if (literal_recurs(t->r, l))
            l->pred->best_computed = true;
    }
}

static void judge_rule(const checker *c, const rule *r) {
    tracing t = {.c = c, .r = r, .greatest = r->pred->greatest};
    varset defined = {0};
    bool any = false;
    for (uint32_t i = 0; i < r->literal_count; i++)
        any = any || literal_recurs(r, &r->literals[i]);
    if (!any)
        return;
    trace_values(&t);
    mark_computed(&t);
    for (uint32_t i = 0; i < 2 * r->literal_count && !t.failed; i++) {
        const literal *l = &r->literals[i % r->literal_count];
        if (literal_recurs(r, l) == (i < r->literal_count))
            judge_literal(&t, l, &defined);
    }
    for (uint32_t i = 0; i < r->arg_count && !t.failed; i++) {
        varset vars = {0};
        pattern_vars(r->args[i], &vars);
        if (varset_meets(&vars, &t.traced) &&
            (i + 1 != r->pred->best || r->args[i]->kind != PATTERN_VAR))
            refuse_rule(&t, r->line, r->column,
                        "in the head it may stand in the column that it is of");
    }
}

// Where recursion computes with the best values, facts give numbers or times.
static void check_facts(const checker *c, const pred *d) {
    for (size_t i = 0; d->best_computed && i < d->facts.count; i++) {
        const fact_rows *f = &d->facts.items[i];
        for (uint32_t k = 0; k < f->count; k++) {
            value x = f->rows[(size_t)k * d->arity + d->best - 1];
            const clause *from = program_clause(c->p, f->first + k);
            char text[80];
            if (value_is_number(x) || value_kind(x) == VALUE_TIME)
                continue;
            const term *at = lower_head_column(c->p, from, d, d->best - 1);
            values_format(c->p->values, x, text, sizeof text);
            errors_add(c->list, from->file, at && at->line ? at->line : from->line,
                       at && at->line ? at->column : from->column, BEST_IS_NO_NUMBER, text);
        }
    }
}

void check_best(const checker *c) {
    for (size_t i = c->first; i < c->p->preds.count; i++) {
        const pred *d = pred_at(c, i);
        for (size_t k = 0; k < d->rules.count; k++)
            judge_rule(c, d->rules.items[k]);
    }
    for (size_t i = c->first; i < c->p->preds.count; i++)
        check_facts(c, pred_at(c, i));
}
