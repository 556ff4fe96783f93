// query/demand/demand_window.c - calls that ask only what holds within a window of time.
//
// A call at an instant, such as `holds_w(O, at(20))`, derives only what holds then: the table holds
// the parts of its intervals within the window, and its rules hand the window on
// - where an instant variable of the head restricts the intervals that they read,
// - where they hand the ends of an interval through to the head,
// - and to signals, which are evaluated only around the window.
// A literal that reads whole intervals is derived for all time.
#include "query/demand/demand_int.h"
#include "query/tables/expression.h"
#include "query/fault.h"

// ---- Values that a rule knows beforehand ----

// Finds the values that equations, and relations of one row that come with a query, give the rule's
// variables.
static value *known_values(const sweep *w) {
    const rule *r = w->r;
    value *env = demand_alloc(w->d, (r->var_count + 1) * sizeof *env);
    for (uint32_t v = 0; env && v < r->var_count; v++)
        env[v] = VALUE_NONE;
    for (uint32_t i = 0; env && i < r->literal_count; i++) {
        const literal *l = &r->literals[i];
        if (demand_is_given(l) && l->pred->fact_count == 1) {
            for (uint32_t k = 0; k < l->arg_count; k++) {
                if (l->args[k]->kind == PATTERN_VAR)
                    env[l->args[k]->var] = l->pred->facts.items[0].rows[k];
            }
        }
        for (int side = 0; side < 2 && l->kind == LITERAL_UNIFY && !l->negated; side++) {
            const expr *to = side ? l->left : l->right, *from = side ? l->right : l->left;
            if (to->op == EXPR_VAR && from->op == EXPR_CONST)
                env[to->var] = from->constant;
        }
    }
    return env;
}

// Finds the instant that an expression is in every way through the rule.
static bool known_instant(const sweep *w, const expr *e, nanos *out) {
    value *env = known_values(w);
    varset vars = {0};
    expr_vars(e, &vars);
    for (uint32_t v = 0; env && v < w->r->var_count; v++) {
        if (varset_has(&vars, v) && (w->r->is_range[v] || env[v] == VALUE_NONE))
            return false;
    }
    value x = env ? expr_value(w->d->p->values, e, env) : VALUE_NONE;
    x = x == VALUE_NONE ? x : value_as_time(w->d->p->values, x);
    if (x == VALUE_NONE || value_kind(x) != VALUE_TIME)
        return false;
    *out = value_nanos(x);
    return true;
}

// ---- Who reads the ends of an interval ----

// Returns whether only the literals `own` and `other` (NULL: none), and the head where `in_head`,
// mention `var`.
static bool is_read_by(const rule *r, uint32_t var, const literal *own, const literal *other,
                       bool in_head) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < own->arg_count; i++) {
        varset in = {0};
        pattern_vars(own->args[i], &in);
        n += varset_has(&in, var);
    }
    for (uint32_t i = 0; i < r->arg_count; i++) {
        varset in = {0};
        pattern_vars(r->args[i], &in);
        if (varset_has(&in, var) && (!in_head || i + 2 < r->arg_count))
            return false;
    }
    for (uint32_t i = 0; i < r->literal_count; i++) {
        const literal *l = &r->literals[i];
        varset in = {0};
        literal_vars(l, &in);
        if (l != own && l != other && varset_has(&in, var))
            return false;
    }
    return n == 1;
}

typedef struct ends {
    uint32_t start, end; // variables of the last two columns
} ends;

static bool ends_of(const pattern *const *args, uint32_t count, ends *out) {
    if (count < 2 || args[count - 2]->kind != PATTERN_VAR || args[count - 1]->kind != PATTERN_VAR)
        return false;
    *out = (ends){args[count - 2]->var, args[count - 1]->var};
    return out->start != out->end;
}

// Returns whether the rule hands the interval of its literal through to its head.
static bool hands_through(const rule *r, const literal *l, ends of) {
    ends head;
    return r->head_range == VAR_NONE && ends_of(r->args, r->arg_count, &head) &&
           head.start == of.start && head.end == of.end && is_read_by(r, of.start, l, NULL, true) &&
           is_read_by(r, of.end, l, NULL, true);
}

// Returns whether the literal's interval is only intersected with the head's instant variable.
static bool narrows_head(const rule *r, const literal *l, ends of) {
    for (uint32_t i = 0; i < r->literal_count && r->head_range != VAR_NONE; i++) {
        const literal *n = &r->literals[i];
        ends narrowed;
        if (n->kind == LITERAL_INTERSECT && n->range == r->head_range &&
            ends_of(n->args, n->arg_count, &narrowed) && narrowed.start == of.start &&
            narrowed.end == of.end)
            return is_read_by(r, of.start, l, n, false) && is_read_by(r, of.end, l, n, false);
    }
    return false;
}

// ---- Windows that a rule names itself ----

// The bounds `start =< last` and `end > first` that the rule's comparisons set.
typedef struct bounds {
    bool above, below;
    nanos low, high; // the least and the greatest of first and last
} bounds;

static void bound_side(bounds *b, bool *side, nanos at) {
    bool any = b->above || b->below;
    b->low = !any || at < b->low ? at : b->low;
    b->high = !any || at > b->high ? at : b->high;
    *side = true;
}

// Takes a comparison that mentions an end. False: it asks for more than that the interval meets a
// window.
static bool take_bound(const sweep *w, const literal *c, ends of, bounds *b) {
    nanos at;
    if (c->kind != LITERAL_COMPARE || c->negated || c->op == COMPARE_UNEQUAL)
        return false;
    bool left = c->left->op == EXPR_VAR && (c->left->var == of.start || c->left->var == of.end);
    const expr *mine = left ? c->left : c->right, *other = left ? c->right : c->left;
    if (mine->op != EXPR_VAR || (mine->var != of.start && mine->var != of.end) ||
        !known_instant(w, other, &at) || at < -TIME_MAX || at > TIME_MAX)
        return false;
    bool less = c->op == COMPARE_LESS || c->op == COMPARE_AT_MOST;
    bool strict = c->op == COMPARE_LESS || c->op == COMPARE_MORE;
    bool is_upper = less == left; // of the end, on whichever side it stands
    if (mine->var == of.start && is_upper)
        bound_side(b, &b->above, strict ? at - 1 : at);
    else if (mine->var == of.end && !is_upper)
        bound_side(b, &b->below, strict ? at : at - 1);
    else
        return false;
    return true;
}

// A row meets the bounds if and only if its part within the window does.
static bool named_window(const sweep *w, const literal *l, ends of, interval *out) {
    const rule *r = w->r;
    bounds b = {0};
    varset both = {0}, in;
    varset_add(&both, of.start);
    varset_add(&both, of.end);
    for (uint32_t i = 0; i < r->arg_count; i++) {
        if (pattern_meets(r->args[i], &both))
            return false;
    }
    for (uint32_t i = 0; i + 2 < l->arg_count; i++) {
        if (pattern_meets(l->args[i], &both))
            return false;
    }
    for (uint32_t i = 0; i < r->literal_count; i++) {
        in = (varset){0};
        literal_vars(&r->literals[i], &in);
        if (&r->literals[i] != l && varset_meets(&in, &both) &&
            !take_bound(w, &r->literals[i], of, &b))
            return false;
    }
    *out = (interval){b.low, b.high + 1};
    return b.above && b.below;
}

static bool negated_window(const sweep *w, const literal *l, interval *out) {
    nanos from, to;
    if ((l->condition != CONDITION_AT && l->condition != CONDITION_DURING) ||
        !known_instant(w, l->left, &from) || from < 0 || from > TIME_MAX)
        return false;
    to = from;
    if (l->right && (!known_instant(w, l->right, &to) || to > TIME_MAX))
        return false;
    *out = (interval){from, to > from + 1 ? to : from + 1};
    return true;
}

// ---- The calls ----

bool demand_window(const sweep *w, uint32_t at, interval *out) {
    const rule *r = w->r;
    const literal *l = &r->literals[at];
    const table *t = w->t;
    bool inside = t->windowed && !t->magic;
    ends of;
    if (w->d->options.whole || w->d->options.as_written)
        return false;
    if (inside)
        *out = t->window;
    if (l->kind == LITERAL_BUILTIN)
        return inside && !l->negated && l->arg_count > 0 && builtin_type(l->builtin, 0) == 's' &&
               ends_of(l->args, l->arg_count, &of) && hands_through(r, l, of);
    const pred *p = l->pred;
    if (!p || !p->temporal || p->fact || p->episode_call || p->rules.count == 0 ||
        w->d->timeless[p->index] || p->required >> (p->arity - 2) != 0)
        return false;
    if (l->kind == LITERAL_SUBTRACT)
        return inside && l->range == r->head_range;
    if (l->kind != LITERAL_RELATION)
        return false;
    if (l->negated)
        return l->condition != CONDITION_NONE && negated_window(w, l, out);
    if (!ends_of(l->args, l->arg_count, &of))
        return false;
    if (inside && hands_through(r, l, of))
        return true;
    if (l->source == SOURCE_MAXIMAL)
        return inside && FAULT(NARROW_WINDOW);
    return (inside && narrows_head(r, l, of)) || named_window(w, l, of, out);
}
