// query/rules/rule.c - the variables that literals have, need and bind.
#include "query/rules/rule.h"

#include <stdio.h>
#include "query/rules/module.h"

void pattern_vars(const pattern *p, varset *out) {
    if (p->kind == PATTERN_VAR)
        varset_add(out, p->var);
    for (uint32_t i = 0; p->kind == PATTERN_COMPOUND && i < p->arity; i++)
        pattern_vars(p->args[i], out);
}

void expr_vars(const expr *e, varset *out) {
    if (!e)
        return;
    if (e->op == EXPR_VAR)
        varset_add(out, e->var);
    else if (e->op == EXPR_TERM)
        pattern_vars(e->term, out);
    else
        for (size_t i = 0; i < 2; i++)
            expr_vars(e->args[i], out);
}

void literal_vars(const literal *l, varset *out) {
    for (uint32_t i = 0; i < l->arg_count; i++) {
        const pattern *p = l->args[i];
        if (p->kind == PATTERN_VAR)
            varset_add(out, p->var);
        else if (p->kind == PATTERN_COMPOUND)
            pattern_vars(p, out);
    }
    if (l->left)
        expr_vars(l->left, out);
    if (l->right)
        expr_vars(l->right, out);
    if (l->kind == LITERAL_INTERSECT || l->kind == LITERAL_SUBTRACT)
        varset_add(out, l->range);
}

void literal_outputs(const literal *l, varset *out) {
    if (l->negated)
        return;
    switch (l->kind) {
    case LITERAL_RELATION:
    case LITERAL_BUILTIN:
    case LITERAL_UNIFY:
    case LITERAL_AGGREGATE:
    case LITERAL_TO_TIME:
        literal_vars(l, out);
        break;
    case LITERAL_COMPARE:
    case LITERAL_INTERSECT:
    case LITERAL_SUBTRACT:
    case LITERAL_ROUNDS:
        break;
    }
}

static bool expr_bound(const expr *e, const varset *bound) {
    varset v = {0};
    expr_vars(e, &v);
    return varset_within(&v, bound);
}

static bool pattern_bound(const pattern *p, const varset *bound) {
    varset v = {0};
    if (p->kind != PATTERN_COMPOUND)
        return p->kind == PATTERN_CONST || varset_has(bound, p->var);
    pattern_vars(p, &v);
    return varset_within(&v, bound);
}

// Returns whether the expression computes nothing, so that a value can be matched against it.
static bool expr_is_pattern(const expr *e) {
    return e->op == EXPR_VAR || e->op == EXPR_TERM || e->op == EXPR_CONST;
}

static bool compare_ready(const rule *r, const literal *l, const varset *bound) {
    if (expr_bound(l->left, bound) && expr_bound(l->right, bound))
        return true;
    // A comparison with a bound on one side removes instants from an instant variable.
    if (l->negated || l->op == COMPARE_UNEQUAL)
        return false;
    if (l->left->op == EXPR_VAR && r->is_range[l->left->var])
        return expr_bound(l->right, bound);
    return l->right->op == EXPR_VAR && r->is_range[l->right->var] && expr_bound(l->left, bound);
}

// Returns whether every variable is bound or a wildcard.
static bool negation_ready(const rule *r, const literal *l, const varset *bound,
                           const varset *bindable) {
    varset v = {0};
    for (uint32_t i = 0; i < l->arg_count; i++)
        pattern_vars(l->args[i], &v);
    for (uint32_t i = 0; i < r->var_count; i++) {
        if (varset_has(&v, i) && !varset_has(bound, i) &&
            (varset_has(bindable, i) || varset_has(&r->grouped, i) || r->var_names[i][0] != '_'))
            return false;
    }
    return !l->left || (expr_bound(l->left, bound) && (!l->right || expr_bound(l->right, bound)));
}

bool literal_ready(const rule *r, const literal *l, const varset *bound, const varset *bindable,
                   uint32_t required) {
    varset v = {0};
    switch (l->kind) {
    case LITERAL_RELATION:
        for (uint32_t i = 0; i < l->arg_count; i++) {
            if (required >> i & 1 && !pattern_bound(l->args[i], bound))
                return false;
        }
        return !l->negated || negation_ready(r, l, bound, bindable);
    case LITERAL_COMPARE:
        return compare_ready(r, l, bound);
    case LITERAL_UNIFY:
        if (l->negated)
            return expr_bound(l->left, bound) && expr_bound(l->right, bound);
        return (expr_bound(l->left, bound) &&
                (expr_is_pattern(l->right) || expr_bound(l->right, bound))) ||
               (expr_bound(l->right, bound) && expr_is_pattern(l->left));
    case LITERAL_BUILTIN:
        for (uint32_t i = 0; i < l->arg_count; i++) {
            if (builtin_needs(l->builtin, i) && !pattern_bound(l->args[i], bound))
                return false;
        }
        return !l->negated || negation_ready(r, l, bound, bindable);
    case LITERAL_AGGREGATE:
        // Groups that another literal binds are looked up, so the aggregate waits for it.
        for (uint32_t i = 0; i < l->arg_count; i++)
            pattern_vars(l->args[i], &v);
        for (uint32_t i = 0; i < l->arg_count; i++) {
            if (required >> i & 1 && !pattern_bound(l->args[i], bound))
                return false;
        }
        for (uint32_t i = 0; i < r->var_count; i++) {
            if (varset_has(&v, i) && varset_has(bindable, i) && !varset_has(bound, i))
                return false;
        }
        return true;
    case LITERAL_INTERSECT:
        return pattern_bound(l->args[0], bound) && pattern_bound(l->args[1], bound);
    case LITERAL_SUBTRACT:
        for (uint32_t i = 0; i < l->arg_count; i++) {
            if (required >> i & 1 && !pattern_bound(l->args[i], bound))
                return false;
        }
        return negation_ready(r, l, bound, bindable);
    case LITERAL_ROUNDS:
    case LITERAL_TO_TIME:
        return expr_bound(l->left, bound);
    }
    return false;
}

// Adds the variables that the literals but `without` can bind. Groups that an aggregate enumerates
// itself do not count.
static void bind_all(const rule *r, const literal *without, varset *bound) {
    varset nothing = {0};
    for (bool moved = true; moved;) {
        varset before = *bound;
        for (uint32_t i = 0; i < r->literal_count; i++) {
            const literal *l = &r->literals[i];
            if (l == without)
                continue;
            if (l->kind == LITERAL_AGGREGATE)
                expr_vars(l->right, bound);
            else if (literal_ready(r, l, bound, &nothing, 0))
                literal_outputs(l, bound);
        }
        moved = memcmp(&before, bound, sizeof before) != 0;
    }
}

// Tells the rules of a scope which of their columns the rule around it binds.
static void hand_down(const rule *r, const literal *l, const varset *around) {
    varset bound = *around;
    if (l->pred->episode_call && !l->negated) {
        // The answers of the call itself do not bind its columns.
        bound = r->given;
        bind_all(r, l, &bound);
    }
    for (size_t k = 0; k < l->pred->rules.count; k++) {
        rule *inner = l->pred->rules.items[k];
        for (uint32_t i = 0; i < l->pred->shared; i++) {
            if (pattern_bound(l->args[i], &bound))
                pattern_vars(inner->args[i], &inner->given);
        }
        rule_bind(inner);
    }
}

void rule_make_room(rule *r, arena *a, uint32_t more) {
    uint32_t room = r->var_count + more;
    const char **names = arena_alloc(a, room * sizeof *names);
    bool *ranges = arena_alloc(a, 2 * (size_t)room);
    for (uint32_t v = 0; v < r->var_count; v++) {
        names[v] = r->var_names[v];
        ranges[v] = r->is_range[v];
        ranges[room + v] = r->is_time[v];
    }
    r->var_names = names;
    r->is_range = ranges;
    r->is_time = ranges + room;
    r->var_room = room;
}

void rule_bind(rule *r) {
    for (size_t i = 0; i < VARS_MAX / 64; i++)
        r->bindable.bits[i] |= r->given.bits[i];
    bind_all(r, NULL, &r->bindable);
    for (uint32_t i = 0; i < r->literal_count; i++) {
        literal *l = &r->literals[i];
        varset own = {0};
        for (uint32_t k = 0; k < l->arg_count && l->kind == LITERAL_AGGREGATE; k++)
            pattern_vars(l->args[k], &own);
        l->enumerates = l->kind == LITERAL_AGGREGATE && !varset_within(&own, &r->bindable);
        for (size_t k = 0; l->enumerates && k < VARS_MAX / 64; k++)
            r->grouped.bits[k] |= own.bits[k] & ~r->bindable.bits[k];
        if (l->pred && l->pred->scoped)
            hand_down(r, l, &r->bindable);
    }
}

bool rule_has_wildcard(const rule *r, uint32_t var) {
    return !varset_has(&r->bindable, var) && !varset_has(&r->grouped, var) &&
           r->var_names[var][0] == '_';
}

uint32_t literal_required(const literal *l) {
    return l->pred ? l->pred->required : 0;
}

uint32_t rule_last_resort(const rule *r, const bool *done, const varset *bound) {
    for (uint32_t i = 0; i < r->literal_count; i++) {
        const literal *l = &r->literals[i];
        if (!done[i] && l->kind == LITERAL_ROUNDS && !varset_has(bound, l->left->var))
            return i;
    }
    return UINT32_MAX;
}

bool rule_run_dry(const rule *r, varset *bound, bool *done) {
    uint32_t left = r->literal_count;
    memset(done, 0, r->literal_count * sizeof *done);
    for (bool moved = true; moved && left > 0;) {
        moved = false;
        for (uint32_t i = 0; i < r->literal_count; i++) {
            const literal *l = &r->literals[i];
            if (done[i] || !literal_ready(r, l, bound, &r->bindable, literal_required(l)))
                continue;
            literal_outputs(l, bound);
            done[i] = moved = true;
            left--;
        }
        uint32_t last = moved ? UINT32_MAX : rule_last_resort(r, done, bound);
        if (last != UINT32_MAX) {
            varset_add(bound, r->literals[last].left->var);
            done[last] = moved = true;
            left--;
        }
    }
    return left == 0;
}

void pred_add_facts(pred *d, const value *rows, uint32_t count, uint32_t first) {
    array_push(&d->facts, (fact_rows){rows, count, first});
    d->fact_count += count;
}

const char *pred_label(const pred *p, char *buffer, size_t size) {
    const char *name = module_plain(p->name);
    if (p->functor && p->functor_arity > 0)
        snprintf(buffer, size, "%s(%s/%u)", name, p->functor, p->functor_arity);
    else if (p->functor)
        snprintf(buffer, size, "%s(%s)", name, p->functor);
    else
        snprintf(buffer, size, "%s/%u", name, p->temporal ? p->arity - 1 : p->arity);
    return buffer;
}
