// query/demand/demand_window.c - calls that ask only what holds within a window of time.
//
// A call at an instant, such as `holds_w(O, at(20))`, derives only what holds then: the table holds
// the parts of its intervals within the window, and its rules hand the window on
// - where an instant variable of the head restricts the intervals that they read,
// - where they hand the ends of an interval through to the head,
// - and to signals, which are evaluated only around the window.
// A literal that reads whole intervals is derived for all time.
//
// Where goals before a call give its instant, as in `occurs_w(E, T), holds_w(O, at(T))`, a table of
// these instants is derived first, like the keys of a magic table, and its rows are the windows of
// the call. Many instants stand for all time.
#include "query/demand/demand_int.h"
#include "query/tables/expression.h"
#include "query/fault.h"

// ---- Values that a rule knows beforehand ----

// Takes the value that an equation gives a variable without one. True: it gave one.
static bool take_equation(const sweep *w, const literal *l, value *env) {
    values *v = w->d->p->values;
    for (int side = 0; side < (l->kind == LITERAL_UNIFY ? 2 : 1); side++) {
        const expr *to = side ? l->left : l->right, *from = side ? l->right : l->left;
        varset vars = {0};
        bool known = to->op == EXPR_VAR && env[to->var] == VALUE_NONE;
        if (known)
            expr_vars(from, &vars);
        for (uint32_t k = 0; known && k < w->r->var_count; k++)
            known = !varset_has(&vars, k) || env[k] != VALUE_NONE;
        value x = known ? expr_value(v, from, env) : VALUE_NONE;
        x = x != VALUE_NONE && l->kind == LITERAL_TO_TIME ? value_as_time(v, x) : x;
        if (x == VALUE_NONE)
            continue;
        env[to->var] = x;
        return true;
    }
    return false;
}

// Finds the values that equations, and relations of one row that come with a query, give the rule's
// variables.
static value *known_values(sweep *w) {
    const rule *r = w->r;
    if (w->known)
        return w->known;
    value *env = w->known = demand_alloc(w->d, (r->var_count + 1) * sizeof *env);
    for (uint32_t v = 0; env && v < r->var_count; v++)
        env[v] = VALUE_NONE;
    for (uint32_t i = 0; env && i < r->literal_count; i++) {
        const literal *l = &r->literals[i];
        for (uint32_t k = 0; demand_is_given(l) && l->pred->fact_count == 1 && k < l->arg_count;
             k++) {
            if (l->args[k]->kind == PATTERN_VAR)
                env[l->args[k]->var] = l->pred->facts.items[0].rows[k];
        }
    }
    for (bool moved = env != NULL; moved;) {
        moved = false;
        for (uint32_t i = 0; i < r->literal_count; i++) {
            const literal *l = &r->literals[i];
            if ((l->kind == LITERAL_UNIFY || l->kind == LITERAL_TO_TIME) && !l->negated &&
                !l->is_value && !l->exact)
                moved = take_equation(w, l, env) || moved;
        }
    }
    return env;
}

// Finds the instant that an expression is in every way through the rule.
static bool known_instant(sweep *w, const expr *e, nanos *out) {
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

// Returns whether the literals before the call give what the expression computes with.
static bool given_before(const sweep *w, const expr *e) {
    varset vars = {0}, given = {0};
    expr_vars(e, &vars);
    if (!varset_within(&vars, &w->bound))
        return false;
    for (uint32_t i = 0; i < w->count; i++) {
        if (demand_passes_on(w, &w->literals[i]))
            literal_outputs(&w->literals[i], &given);
    }
    return varset_within(&vars, &given);
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
    // As they are written, where literals before the call give them:
    const expr *last, *first;
    uint32_t count; // of bounds
    bool computed;  // one of them is not known beforehand
} bounds;

static void bound_side(bounds *b, bool *side, nanos at) {
    bool any = b->above || b->below;
    b->low = !any || at < b->low ? at : b->low;
    b->high = !any || at > b->high ? at : b->high;
    *side = true;
}

// Takes a comparison that mentions an end. False: it asks for more than that the interval meets a
// window.
static bool take_bound(sweep *w, const literal *c, ends of, bounds *b) {
    nanos at = 0;
    if (c->kind != LITERAL_COMPARE || c->negated || c->op == COMPARE_UNEQUAL)
        return false;
    bool left = c->left->op == EXPR_VAR && (c->left->var == of.start || c->left->var == of.end);
    const expr *mine = left ? c->left : c->right, *other = left ? c->right : c->left;
    if (mine->op != EXPR_VAR || (mine->var != of.start && mine->var != of.end))
        return false;
    bool known = known_instant(w, other, &at);
    if (known ? at < -TIME_MAX || at > TIME_MAX : !given_before(w, other))
        return false;
    b->computed = b->computed || !known;
    b->count++;
    bool less = c->op == COMPARE_LESS || c->op == COMPARE_AT_MOST;
    bool strict = c->op == COMPARE_LESS || c->op == COMPARE_MORE;
    bool is_upper = less == left; // of the end, on whichever side it stands
    if (mine->var == of.start && is_upper) {
        bound_side(b, &b->above, strict ? at - 1 : at);
        b->last = other;
    } else if (mine->var == of.end && !is_upper) {
        bound_side(b, &b->below, strict ? at : at - 1);
        b->first = other;
    } else {
        return false;
    }
    return true;
}

// Finds the bounds of a literal's interval. A row meets them if and only if its part within the
// window between them does. False: they set no window, or the rule asks for more.
static bool named_bounds(sweep *w, const literal *l, ends of, bounds *b) {
    const rule *r = w->r;
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
            !take_bound(w, &r->literals[i], of, b))
            return false;
    }
    return b->above && b->below && (!b->computed || b->count == 2);
}

// Finds the bounds that the condition of a negated call sets.
static bool negated_bounds(sweep *w, const literal *l, bounds *b) {
    nanos from = 0, to;
    if (l->condition != CONDITION_AT && l->condition != CONDITION_DURING)
        return false;
    bool known = known_instant(w, l->left, &from) && from >= 0 && from <= TIME_MAX;
    to = from;
    if (l->right)
        known = known_instant(w, l->right, &to) && to <= TIME_MAX && known;
    b->computed = !known;
    b->first = l->left;
    b->last = l->right ? l->right : l->left;
    b->low = from;
    b->high = to > from ? to - (l->right != NULL) : from;
    return known || (given_before(w, b->first) && given_before(w, b->last));
}

// ---- Windows that goals before the call give ----

// Gives the table of the instants at which a predicate is called.
static table *when_table(sweep *w, pred *p) {
    demand *d = w->d;
    uint32_t context = demand_context(w);
    for (table *t = d->forms[p->index]; t; t = t->next_form) {
        if (t->when && t->when->pred == p && t->when->context == context)
            return t->when;
    }
    table *t = demand_table(d, p, 2);
    windows *within = demand_alloc(d, sizeof *within);
    if (!t || !within)
        return NULL;
    t->magic = true;
    t->mask = UINT32_C(3) << (p->arity - 2);
    t->context = context;
    t->within = within;
    return t;
}

// Adds the rule that gives the instants of a call, as the values of two more variables.
static bool ask_when(sweep *w, table *when, const bounds *b) {
    demand *d = w->d;
    const rule *r = w->r;
    uint32_t n = r->var_count, count;
    rule *wide = demand_alloc(d, sizeof *wide);
    const char **names = demand_alloc(d, (n + 2) * sizeof *names);
    bool *is_range = demand_alloc(d, n + 2), *is_time = demand_alloc(d, n + 2);
    pattern *columns = demand_alloc(d, 2 * sizeof *columns);
    expr *vars = demand_alloc(d, 2 * sizeof *vars);
    const pattern **args = demand_alloc(d, 2 * sizeof *args);
    literal *body = demand_before(w, false, 2, &count);
    if (!wide || !names || !is_range || !is_time || !columns || !vars || !args || !body)
        return false;
    *wide = *r;
    memcpy(names, r->var_names, n * sizeof *names);
    memcpy(is_range, r->is_range, n);
    memcpy(is_time, r->is_time, n);
    wide->var_names = names;
    wide->is_range = is_range;
    wide->is_time = is_time;
    wide->var_count = n + 2;
    for (uint32_t i = 0; i < 2; i++) {
        names[n + i] = "_";
        varset_add(&wide->bindable, n + i);
        columns[i] = (pattern){.kind = PATTERN_VAR, .var = n + i};
        vars[i] = (expr){.op = EXPR_VAR, .var = n + i};
        args[i] = &columns[i];
        body[count++] = (literal){.kind = LITERAL_UNIFY,
                                  .left = &vars[i],
                                  .right = i ? b->last : b->first,
                                  .range = VAR_NONE,
                                  .line = r->line,
                                  .column = r->column};
    }
    demand_rule(d, wide, when, body, count, args, 2);
    return true;
}

static bool take_windows(sweep *w, pred *p, const bounds *b, windows **out, table **asked) {
    if (!b->computed) {
        windows *one = demand_alloc(w->d, sizeof *one);
        if (!one)
            return false;
        *one = (windows){.known = true, .count = 1, .items = {{b->low, b->high + 1}}};
        *out = one;
        return true;
    }
    if (w->d->unasked[p->index] || w->r->var_count + 2 > VARS_MAX ||
        (p->component == w->t->pred->component && !w->is_query))
        return false;
    table *when = when_table(w, p);
    if (!when || !ask_when(w, when, b))
        return false;
    *out = when->within;
    *asked = when;
    return true;
}

// ---- The calls ----

bool demand_window(sweep *w, uint32_t at, windows **out, table **asked) {
    const rule *r = w->r;
    const literal *l = &r->literals[at];
    const table *t = w->t;
    bool inside = t->within && !t->magic;
    bounds b = {0};
    ends of;
    if (w->d->options.whole || w->d->options.as_written)
        return false;
    if (l->kind == LITERAL_BUILTIN)
        return inside && !l->negated && l->arg_count > 0 && builtin_type(l->builtin, 0) == 's' &&
               ends_of(l->args, l->arg_count, &of) && hands_through(r, l, of);
    pred *p = l->pred;
    if (!p || !p->temporal || p->fact || p->episode_call || p->rules.count == 0 ||
        w->d->timeless[p->index] || p->required >> (p->arity - 2) != 0)
        return false;
    bool handed = l->kind == LITERAL_SUBTRACT && l->range == r->head_range;
    if (l->kind == LITERAL_RELATION && l->negated)
        return l->condition != CONDITION_NONE && negated_bounds(w, l, &b) &&
               take_windows(w, p, &b, out, asked);
    if (l->kind == LITERAL_RELATION) {
        if (!ends_of(l->args, l->arg_count, &of))
            return false;
        bool pieces = l->source != SOURCE_MAXIMAL;
        handed = hands_through(r, l, of) || (pieces && narrows_head(r, l, of)) ||
                 (!pieces && FAULT(NARROW_WINDOW));
        if (!(inside && handed))
            return pieces && named_bounds(w, l, of, &b) && take_windows(w, p, &b, out, asked);
    }
    if (!inside || !handed)
        return false;
    *out = t->within;
    *asked = t->when;
    return true;
}
