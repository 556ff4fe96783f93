// query/why/proof_atom.c - rows and literals as the atoms and goals that users write.
//
// Rules run lowered: split predicates are relations of their own, times are columns and
// comparisons, braces and bracketed negations are predicates of the engine. A proof shows the
// clause instead: its literals are gathered under the goals that they were made of, by their places
// in the file.
#include <stdio.h>
#include "query/rules/module.h"
#include "query/why/proof_int.h"

bool pred_is_union(const pred *d) {
    return d->auxiliary && strstr(d->name, "$any") != NULL;
}

// ---- Terms --------------------------------------------------------------------------------------

const term *span_term(prover *P, const char *name, nanos start, nanos end) {
    const term *args[2] = {values_to_term(P->p->values, P->into, values_time(start)),
                           values_to_term(P->p->values, P->into, values_time(end))};
    return term_compound(P->into, name, 2, args);
}

static const term *free_variable(prover *P, const rule *r, uint32_t var) {
    const char *name = var < r->var_count ? r->var_names[var] : "_";
    bool own = name[0] == '_' || strchr(name, '$') || strchr(name, '#');
    return term_var(P->into, own ? "_" : name);
}

const term *pattern_term(prover *P, const rule *r, const pattern *p, const way *w) {
    switch (p->kind) {
    case PATTERN_CONST:
        return values_to_term(P->p->values, P->into, p->constant);
    case PATTERN_VAR:
        if (r->is_range[p->var])
            return span_term(P, "interval", w->span.start, w->span.end);
        if (w->env[p->var] == VALUE_NONE)
            return free_variable(P, r, p->var);
        return values_to_term(P->p->values, P->into, w->env[p->var]);
    case PATTERN_COMPOUND:
        break;
    }
    const term **args = arena_alloc(P->into, (p->arity + 1) * sizeof *args);
    for (uint32_t i = 0; i < p->arity; i++)
        args[i] = pattern_term(P, r, p->args[i], w);
    return term_compound(P->into, values_text(P->p->values, p->constant), p->arity, args);
}

const term *expr_term(prover *P, const rule *r, const expr *e, const way *w) {
    if (e->op == EXPR_VAR && r->is_range[e->var])
        return span_term(P, "interval", w->span.start, w->span.end);
    if (e->op == EXPR_TERM)
        return pattern_term(P, r, e->term, w);
    value x = expr_value(P->p->values, e, w->env);
    if (x == VALUE_NONE)
        return e->op == EXPR_VAR ? free_variable(P, r, e->var) : term_var(P->into, "_");
    return values_to_term(P->p->values, P->into, x);
}

const term *pred_atom(prover *P, const pred *d, const term *const *columns, const term *time) {
    char name[300];
    const char *ending = strstr(d->name, "$any");
    bool any = pred_is_union(d) && ending;
    snprintf(name, sizeof name, "%.*s", any ? (int)(ending - d->name) : (int)strlen(d->name),
             d->name);
    const predicate_traits *s = program_traits(P->p, name, false);
    uint32_t inner = d->functor ? d->functor_arity : 0, count = d->arity;
    if (d->temporal)
        count -= 2;
    bool pointwise = d->functor && !d->temporal && s && s->temporal_on &&
                     program_is_pointwise(P->p, d->name, d->functor, inner);
    if (pointwise)
        time = columns[--count];
    uint32_t temporal = s && time ? s->temporal_on : 0;
    uint32_t n = count - inner + (d->functor ? 1 : 0) + (temporal ? 1 : 0);
    const term **args = arena_alloc(P->into, (n + 1) * sizeof *args);
    for (uint32_t i = 0, k = 0; i < n; i++) {
        if (d->functor && i == d->split_at) {
            args[i] = inner ? term_compound(P->into, d->functor, inner, columns + k)
                            : term_symbol(P->into, d->functor);
            k += inner;
        } else {
            args[i] = i + 1 == temporal ? time : columns[k++];
        }
    }
    const char *plain = module_plain(name);
    return n ? term_compound(P->into, plain, n, args) : term_symbol(P->into, plain);
}

const term *row_atom(prover *P, const table *t, const value *row) {
    const pred *d = t->pred;
    const term **columns = arena_alloc(P->into, (d->arity + 1) * sizeof *columns);
    for (uint32_t i = 0; i < d->arity; i++)
        columns[i] = values_to_term(P->p->values, P->into, row[i]);
    const term *time = NULL;
    if (t->temporal)
        time = span_term(P, "interval", value_nanos(row[d->arity - 2]),
                         value_nanos(row[d->arity - 1]));
    return pred_atom(P, d, columns, time);
}

const term *negation_of(prover *P, const term *t) {
    return term_compound(P->into, "not", 1, &t);
}

// ---- Goals --------------------------------------------------------------------------------------

static bool same_name(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}

// Returns the term that replaced a variable for which V = f(...) stands in the body; such goals
// leave no literal.
static const term *alias_in(const term *body, const char *name) {
    if (term_is(body, ",", 2)) {
        const term *left = alias_in(body->args[0], name);
        return left ? left : alias_in(body->args[1], name);
    }
    if (!term_is(body, "=", 2))
        return NULL;
    for (int side = 0; side < 2; side++) {
        const term *var = body->args[side];
        if (var->kind == TERM_VAR && same_name(var->text, name) &&
            body->args[1 - side]->kind == TERM_COMPOUND)
            return body->args[1 - side];
    }
    return NULL;
}

static const term *fill_goal(prover *P, const layout *l, const term *t, const way *w, int depth) {
    if (t->kind == TERM_VAR) {
        const rule *r = l->r;
        for (uint32_t v = 0; v < r->var_count; v++) {
            if (!same_name(r->var_names[v], t->text))
                continue;
            if (v == r->some_range)
                return term_var(P->into, t->text); // whichever instant it is
            if (r->is_range[v])
                return span_term(P, "interval", w->span.start, w->span.end);
            if (w->env[v] != VALUE_NONE)
                return values_to_term(P->p->values, P->into, w->env[v]);
        }
        const term *alias = depth < 20 && l->body ? alias_in(l->body, t->text) : NULL;
        return alias ? fill_goal(P, l, alias, w, depth + 1)
                     : term_var(P->into, term_is_anonymous(t) ? "_" : t->text);
    }
    if (t->kind != TERM_COMPOUND || t->arity == 0)
        return t;
    const term **args = arena_alloc(P->into, t->arity * sizeof *args);
    for (uint32_t i = 0; i < t->arity; i++)
        args[i] = fill_goal(P, l, t->args[i], w, depth);
    return term_compound(P->into, t->text, t->arity, args);
}

const term *goal_term(prover *P, const layout *l, const term *goal, const way *w) {
    return fill_goal(P, l, goal, w, 0);
}

// ---- Which literals belong to which goal --------------------------------------------------------

typedef ARRAY(const term *) goal_list;

static bool holds_braces(const term *t) {
    if (term_is(t, "{}", 3))
        return true;
    for (uint32_t i = 0; t->kind == TERM_COMPOUND && i < t->arity; i++) {
        if (holds_braces(t->args[i]))
            return true;
    }
    return false;
}

// Lists all goals of a body at all depths, in the order of the text.
static bool list_goals(const term *t, goal_list *out) {
    if (term_is(t, ",", 2) || term_is(t, ";", 2))
        return list_goals(t->args[0], out) && list_goals(t->args[1], out);
    // The literal of a negation has the place of the negation or that of its goal.
    if (term_is(t, "not", 1))
        return array_push_try(out, t) && list_goals(t->args[0], out);
    if (term_is(t, "{}", 3))
        return list_goals(t->args[2], out);
    if (!array_push_try(out, t))
        return false;
    for (uint32_t i = 0; t->kind == TERM_COMPOUND && i < t->arity; i++) {
        if (holds_braces(t->args[i]) && !list_goals(t->args[i], out))
            return false;
    }
    return true;
}

static bool stands_at(const literal *l, const term *t) {
    return t->line != 0 && l->line == t->line && l->column == t->column;
}

static bool stands_in(const literal *l, const term *t) {
    if (stands_at(l, t))
        return true;
    for (uint32_t i = 0; t->kind == TERM_COMPOUND && i < t->arity; i++) {
        if (stands_in(l, t->args[i]))
            return true;
    }
    return false;
}

static bool is_variable(const pattern *p, const expr *e) {
    return p->kind == PATTERN_VAR && e && e->op == EXPR_VAR && e->var == p->var;
}

// Finds the comparisons that a goal at a time makes of the ends of its interval.
static void find_conditions(const rule *r, goal_group *g, bool *used) {
    const literal *m = g->main;
    if (m->kind != LITERAL_RELATION || m->negated || !m->pred || !m->pred->temporal ||
        m->arg_count < 2)
        return;
    const pattern *s = m->args[m->arg_count - 2], *e = m->args[m->arg_count - 1];
    for (uint32_t i = 0; i < r->literal_count; i++) {
        const literal *c = &r->literals[i];
        if (c->kind != LITERAL_COMPARE || c->line != m->line || c->column != m->column)
            continue;
        if (is_variable(s, c->left))
            g->start = c, used[i] = true;
        else if (is_variable(e, c->right))
            g->end = c, used[i] = true;
    }
}

static bool is_main(const literal *l) {
    switch (l->kind) {
    case LITERAL_RELATION:
        return l->pred && !(l->table && l->table->magic);
    case LITERAL_SUBTRACT:
    case LITERAL_BUILTIN:
    case LITERAL_COMPARE:
    case LITERAL_UNIFY:
        return true;
    default:
        return false;
    }
}

static bool add_aggregates(prover *P, const rule *r, goal_group *g, bool *used) {
    size_t room = 0;
    for (uint32_t i = 0; i < r->literal_count; i++)
        room += r->literals[i].kind == LITERAL_AGGREGATE;
    if (room == 0)
        return true;
    g->aggregates = arena_try(P->a, room * sizeof *g->aggregates);
    for (uint32_t i = 0; g->aggregates && i < r->literal_count; i++) {
        const literal *l = &r->literals[i];
        if (l->kind == LITERAL_AGGREGATE && !used[i] && (!g->goal || stands_in(l, g->goal))) {
            g->aggregates[g->aggregate_count++] = l;
            used[i] = true;
        }
    }
    return g->aggregates != NULL;
}

// Finds the main literal of a goal: a relation before a builtin before comparisons.
static int main_at(const rule *r, const term *goal, const bool *used) {
    int best = -1, best_rank = 9;
    for (uint32_t i = 0; i < r->literal_count; i++) {
        const literal *l = &r->literals[i];
        if (used[i] || !is_main(l) || !stands_at(l, goal))
            continue;
        int rank = l->kind == LITERAL_RELATION || l->kind == LITERAL_SUBTRACT ? 0
                   : l->kind == LITERAL_BUILTIN                               ? 1
                                                                              : 2;
        if (rank < best_rank) {
            best = (int)i;
            best_rank = rank;
        }
    }
    return best;
}

static bool group_literals(prover *P, layout *l, const goal_list *goals, bool *used) {
    const rule *r = l->r;
    for (size_t k = 0; k < goals->count; k++) {
        int i = main_at(r, goals->items[k], used);
        if (i < 0)
            continue;
        goal_group g = {.goal = goals->items[k], .main = &r->literals[i]};
        used[i] = true;
        find_conditions(r, &g, used);
        if (!add_aggregates(P, r, &g, used) || !array_push_try(&l->groups, g))
            return false;
    }
    // Literals of no goal are left: aggregates of the head, and those that the engine made.
    goal_group head = {0};
    if (!add_aggregates(P, r, &head, used) ||
        (head.aggregate_count > 0 && !array_push_try(&l->groups, head)))
        return false;
    for (uint32_t i = 0; i < r->literal_count; i++) {
        const literal *x = &r->literals[i];
        if (used[i] || !is_main(x) || x->kind == LITERAL_COMPARE || x->kind == LITERAL_UNIFY)
            continue;
        goal_group g = {.main = x};
        used[i] = true;
        find_conditions(r, &g, used);
        if (!array_push_try(&l->groups, g))
            return false;
    }
    return true;
}

const layout *prover_layout(prover *P, const rule *r) {
    for (size_t i = 0; i < P->layouts.count; i++) {
        if (P->layouts.items[i]->r == r)
            return P->layouts.items[i];
    }
    layout *l = arena_try(P->a, sizeof *l);
    bool *used = calloc(r->literal_count + 1, sizeof *used);
    goal_list goals = {0};
    bool ok = l && used;
    if (ok) {
        const clause *c = prover_clause(P, r->id);
        *l = (layout){.r = r, .body = c ? c->body : P->query};
        ok = (!l->body || list_goals(l->body, &goals)) && group_literals(P, l, &goals, used) &&
             array_push_try(&P->layouts, l);
    }
    free(used);
    array_finish(&goals);
    if (ok)
        return l;
    if (l)
        array_finish(&l->groups);
    prover_fail(P, E_MEMORY);
    return NULL;
}
