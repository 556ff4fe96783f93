// query/why/proof_build.c - builds the proof of a row: its rule, and the rows that the rule used.
//
// Rows that are not yet proved wait on a stack of their own, so that a chain of rules may have any
// length; a row that was proved before is referred to. Below the depth that was asked for, the same
// code counts the steps without keeping them.
#include "base/hash.h"
#include "query/engine_int.h"
#include "query/rules/predicates.h"
#include "query/why/proof_int.h"

typedef ARRAY(const proof *) parts;

bool prover_fail(prover *P, status why) {
    if (P->failed == OK)
        P->failed = why;
    return false;
}

static proof *create_node(prover *P, proof_kind kind) {
    proof *n = arena_try(P->into, sizeof *n);
    if (!n) {
        prover_fail(P, E_MEMORY);
        return NULL;
    }
    P->counted++;
    *n = (proof){.kind = kind};
    return n;
}

const clause *prover_clause(prover *P, uint32_t id) {
    return id ? program_clause(P->p, id) : NULL;
}

static bool add_part(prover *P, parts *to, const proof *n) {
    return n && (array_push_try(to, n) || prover_fail(P, E_MEMORY));
}

// Moves the gathered parts into the node.
static bool give_parts(prover *P, proof *n, parts *from) {
    size_t size = from->count * sizeof *from->items;
    n->parts = arena_try(P->into, size + sizeof *from->items);
    if (n->parts && from->count > 0)
        memcpy(n->parts, from->items, size);
    n->part_count = n->parts ? from->count : 0;
    array_finish(from);
    return n->parts || prover_fail(P, E_MEMORY);
}

// ---- What was proved before ---------------------------------------------------------------------

static uint64_t ref_hash(const proof_ref *r) {
    uint64_t h = hash_mix(0, (uint64_t)(uintptr_t)r->t);
    uint32_t n = r->span ? r->t->arity : 1;
    for (uint32_t i = 0; i < n; i++)
        h = hash_mix(h, r->span ? r->span[i] : r->row);
    return h;
}

static bool ref_equal(const proof_ref *a, const proof_ref *b) {
    if (a->t != b->t || !a->span != !b->span)
        return false;
    return a->span ? memcmp(a->span, b->span, a->t->arity * sizeof(value)) == 0 : a->row == b->row;
}

static proved *slot_of(proved *slots, size_t room, const proof_ref *r) {
    size_t k = (size_t)ref_hash(r) & (room - 1);
    while (slots[k].ref.t && !ref_equal(&slots[k].ref, r))
        k = (k + 1) & (room - 1);
    return &slots[k];
}

static proved *find_proved(prover *P, const proof_ref *r) {
    if (P->known_room == 0)
        return NULL;
    proved *s = slot_of(P->known, P->known_room, r);
    return s->ref.t ? s : NULL;
}

static bool remember_proved(prover *P, const proof_ref *r, const proof *n) {
    if ((P->known_count + 1) * 2 > P->known_room) {
        size_t room = P->known_room ? P->known_room * 2 : 64;
        proved *grown = calloc(room, sizeof *grown);
        if (!grown)
            return prover_fail(P, E_MEMORY);
        for (size_t i = 0; i < P->known_room; i++) {
            if (P->known[i].ref.t)
                *slot_of(grown, room, &P->known[i].ref) = P->known[i];
        }
        free(P->known);
        P->known = grown;
        P->known_room = room;
    }
    proved *s = slot_of(P->known, P->known_room, r);
    P->known_count += !s->ref.t;
    *s = (proved){*r, n};
    return true;
}

// ---- What a cut rests on ------------------------------------------------------------------------

// Notes a fact that a counted step rests on.
static bool use_fact(prover *P, const pred *of) {
    for (size_t i = 0; i < P->used.count; i++) {
        if (P->used.items[i].of == of) {
            P->used.items[i].count++;
            return true;
        }
    }
    return array_push_try(&P->used, (used_facts){of, 1}) || prover_fail(P, E_MEMORY);
}

static int by_use(const void *a, const void *b) {
    const used_facts *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return (x->of->index > y->of->index) - (x->of->index < y->of->index);
}

// Gives the cut the facts that its steps rest on, as noted.
static void give_premises(prover *P, proof *n) {
    proof_premise *all = arena_try(P->a, (P->used.count + 1) * sizeof *all);
    if (!all) {
        prover_fail(P, E_MEMORY);
        return;
    }
    if (P->used.count > 0)
        qsort(P->used.items, P->used.count, sizeof *P->used.items, by_use);
    for (size_t i = 0; i < P->used.count; i++) {
        char label[300];
        pred_label(P->used.items[i].of, label, sizeof label);
        all[i] = (proof_premise){arena_strdup(P->a, label), P->used.items[i].count};
    }
    n->premises = all;
    n->premise_count = P->used.count;
    P->used.count = 0;
}

// ---- Literals -----------------------------------------------------------------------------------

static bool add_goals(prover *P, const way *w, uint32_t depth, parts *to);

// Returns a node for a row that is proved later.
static proof *wait_for(prover *P, proof_ref ref, uint32_t depth) {
    proof *n = create_node(P, PROOF_CUT);
    if (n && !array_push_try(&P->pending, (pending_proof){ref, n, depth}))
        prover_fail(P, E_MEMORY);
    return n;
}

static bool values_of(prover *P, const literal *l, const way *w, value *row) {
    for (uint32_t i = 0; i < l->arg_count; i++) {
        row[i] = pattern_value(P->p->values, l->args[i], w->env);
        if (row[i] == VALUE_NONE)
            return prover_fail(P, values_failed(P->p->values) != OK ? values_failed(P->p->values)
                                                                    : E_USAGE);
    }
    return true;
}

static const proof *prove_log(prover *P, const literal *l, const value *row) {
    proof *n = create_node(P, PROOF_LOG);
    if (!n || (P->counting && !use_fact(P, l->pred)))
        return NULL;
    if (P->counting)
        return n;
    const fact *f = l->pred->fact;
    const term **columns = arena_alloc(P->into, (f->arity + 1) * sizeof *columns);
    for (uint32_t i = 0; i < f->arity; i++)
        columns[i] = values_to_term(P->p->values, P->into, row[i]);
    n->what = f->arity ? term_compound(P->into, f->name, f->arity, columns)
                       : term_symbol(P->into, f->name);
    n->held = f->held != NULL;
    status s = facts_cite(P->m.facts, f, row, &n->row, &n->table, P->err);
    if (s != OK)
        prover_fail(P, s);
    return n;
}

// Returns the time that a goal asked for, from its conditions on the ends of the interval.
static const term *asked_time(prover *P, const goal_group *g, const way *w) {
    const rule *r = w->r;
    const expr *a = g->start->right, *b = g->end->left;
    if (g->start->op == COMPARE_LESS) {
        const expr *until = a->op == EXPR_MAX ? a->args[0] : a;
        const term *ends[2] = {expr_term(P, r, b, w), expr_term(P, r, until, w)};
        return term_compound(P->into, "during", 2, ends);
    }
    const term *ends[2] = {expr_term(P, r, a, w), expr_term(P, r, b, w)};
    if (g->end->op == COMPARE_LESS)
        return term_compound(P->into, "at", 1, ends);
    return term_compound(P->into, "throughout", 2, ends);
}

static const proof *prove_temporal(prover *P, const goal_group *g, const way *w, const value *row,
                                   uint32_t depth) {
    const literal *l = g->main;
    table *t = l->table;
    value *span = arena_try(P->rows, t->arity * sizeof *span);
    if (!span) {
        prover_fail(P, E_MEMORY);
        return NULL;
    }
    memcpy(span, row, t->arity * sizeof *span);
    bool own = w->r->table && t->component == w->r->table->component;
    bool timed = g->start && g->end;
    proof *within = timed ? create_node(P, PROOF_WITHIN) : NULL;
    proof_ref ref = {.t = t, .row = ROW_NONE, .span = span, .before = own ? P->m.before : 0};
    const proof *n = wait_for(P, ref, depth + (timed ? 2 : 1));
    if (!timed || !within || !n)
        return n;
    if (!P->counting) {
        const term **columns = arena_alloc(P->into, (t->arity + 1) * sizeof *columns);
        for (uint32_t i = 0; i + 2 < t->arity; i++)
            columns[i] = values_to_term(P->p->values, P->into, row[i]);
        within->what = pred_atom(P, t->pred, columns, asked_time(P, g, w));
    }
    parts one = {0};
    add_part(P, &one, n);
    give_parts(P, within, &one);
    return within;
}

// Returns whether the engine made the predicate for a goal in brackets under two negations, which
// is shown as if it stood in the rule itself.
static bool is_bracket(const pred *d) {
    return d->auxiliary && strncmp(d->name, "not$", 4) == 0;
}

// Proves a goal about another episode by the engine of that episode. A goal that cannot be asked
// there by itself is cited with the number of the episode alone.
static const proof *prove_elsewhere(prover *P, const layout *y, const goal_group *g, const way *w,
                                    const value *row, uint32_t depth) {
    proof *n = create_node(P, PROOF_EPISODE);
    if (!n || P->counting)
        return n;
    n->row = values_integer(P->p->values, row[0]);
    const term *goal = g->goal ? goal_term(P, y, g->goal, w) : NULL;
    n->what = goal ? goal : term_symbol(P->into, "in_episode");
    if (!goal || !term_is(goal, "in_episode", 2) || depth >= P->opt.depth)
        return n;
    engine *there;
    errors list = {0};
    status s = engine_beside(P->e, n->row, &there, &list);
    if (s != OK) {
        errors_finish(&list);
        prover_fail(P, s);
        return NULL;
    }
    proof_options one = {
        .answers = 1, .parts_most = P->opt.parts_most, .depth = P->opt.depth - depth};
    const proof **all;
    size_t count = 0;
    s = engine_why(there, P->a, P->file, term_text(P->into, goal->args[1]), &one, &all, &count,
                   &list);
    errors_finish(&list);
    if (s == E_MEMORY || s == E_LIMIT || s == E_INTERRUPTED)
        prover_fail(P, s);
    else if (s == OK && count > 0) {
        n->parts = all;
        n->part_count = 1;
    }
    return n;
}

static bool add_relation(prover *P, const layout *y, const goal_group *g, const way *w,
                         uint32_t depth, parts *to) {
    const literal *l = g->main;
    value row[RELATION_ARITY_MAX];
    if (!values_of(P, l, w, row))
        return false;
    if (!l->table && l->pred->episode_call)
        return add_part(P, to, prove_elsewhere(P, y, g, w, row, depth));
    if (!l->table)
        return l->pred->fact ? add_part(P, to, prove_log(P, l, row)) : prover_fail(P, E_USAGE);
    if (l->table->temporal)
        return add_part(P, to, prove_temporal(P, g, w, row, depth));
    uint32_t k = relation_find(l->table->rows, row);
    if (k == ROW_NONE)
        return prover_fail(P, E_USAGE);
    if (is_bracket(l->table->pred)) {
        way inner;
        return (way_to_row(P, l->table, k, &inner) || prover_fail(P, E_USAGE)) &&
               add_goals(P, &inner, depth, to);
    }
    return add_part(P, to, wait_for(P, (proof_ref){.t = l->table, .row = k}, depth + 1));
}

// Returns how many rows a negation looks at.
static uint64_t rows_looked_at(prover *P, const literal *l, const way *w) {
    if (l->table)
        return l->table->temporal ? l->table->maximal->count : l->table->rows->count;
    uint32_t bound = 0;
    value key[RELATION_ARITY_MAX];
    for (uint32_t i = 0; i < l->arg_count; i++) {
        key[i] = pattern_value(P->p->values, l->args[i], w->env);
        bound |= key[i] != VALUE_NONE ? UINT32_C(1) << i : 0;
    }
    bool other = l->pred->episode_call != NULL;
    int column = other ? -1 : fact_key(l->pred->fact, bound);
    relation *r = NULL;
    status s = other ? episodes_load(&P->m, l->pred, key, &r, P->err)
                     : facts_load(P->m.facts, l->pred->fact, column,
                                  column < 0 ? VALUE_NONE : key[column], &r, P->err);
    if (s != OK) {
        prover_fail(P, s);
        return 0;
    }
    uint64_t count = 0;
    for (uint32_t i = 0; i < r->count; i++)
        count += column < 0 || relation_row(r, i)[column] == key[column];
    return count;
}

static const term *negated_time(prover *P, const literal *l, const way *w) {
    if (l->kind == LITERAL_SUBTRACT)
        return span_term(P, "during", w->span.start, w->span.end);
    if (l->condition == CONDITION_NONE) {
        const term *ends[2] = {pattern_term(P, w->r, l->args[l->arg_count - 2], w),
                               pattern_term(P, w->r, l->args[l->arg_count - 1], w)};
        return term_compound(P->into, "interval", 2, ends);
    }
    const term *ends[2] = {expr_term(P, w->r, l->left, w),
                           l->right ? expr_term(P, w->r, l->right, w) : NULL};
    if (l->condition == CONDITION_AT)
        return term_compound(P->into, "at", 1, ends);
    return term_compound(P->into, l->condition == CONDITION_DURING ? "during" : "throughout", 2,
                         ends);
}

// The goal of a negation that is a scope of its own, asked for at this time.
static const term *goal_at(prover *P, const pred *scope, const term *goal, const term *time) {
    const rule *r = scope->rules.items[0];
    const pred *of = NULL;
    char name[300];
    for (uint32_t i = 0; i < r->literal_count; i++) {
        if (r->literals[i].pred && r->literals[i].pred->temporal)
            of = r->literals[i].pred;
    }
    if (!of || goal->kind != TERM_COMPOUND)
        return goal;
    const predicate_traits *s =
        program_traits(P->p, program_union_name(of, name, sizeof name) ? name : of->name, false);
    uint32_t left_out = s && s->agent_arity && goal->arity + 1 == s->agent_arity ? 1 : 0;
    const term **args = arena_alloc(P->into, (goal->arity + 1) * sizeof *args);
    for (uint32_t i = 0; i < goal->arity; i++)
        args[i] = s && i + 1 + left_out == s->temporal_on ? time : goal->args[i];
    return term_compound(P->into, goal->text, goal->arity, args);
}

static bool add_absence(prover *P, const layout *y, const goal_group *g, const way *w, parts *to) {
    proof *n = create_node(P, PROOF_ABSENT);
    if (!n || P->counting)
        return add_part(P, to, n);
    const literal *l = g->main;
    n->count = rows_looked_at(P, l, w);
    if (is_bracket(l->pred) || l->pred->episode_call) {
        const term *goal = goal_term(P, y, g->goal, w);
        if (l->pred->temporal)
            goal = goal_at(P, l->pred, goal, negated_time(P, l, w));
        n->what = term_is(goal, "not", 1) ? goal : negation_of(P, goal);
        return add_part(P, to, n);
    }
    const term **columns = arena_alloc(P->into, (l->arg_count + 1) * sizeof *columns);
    for (uint32_t i = 0; i < l->arg_count; i++)
        columns[i] = pattern_term(P, w->r, l->args[i], w);
    const term *time = l->pred->temporal ? negated_time(P, l, w) : NULL;
    n->what = negation_of(P, pred_atom(P, l->pred, columns, time));
    return add_part(P, to, n);
}

// ---- Aggregates ---------------------------------------------------------------------------------

// Adds one way to a row of a group: its goals, under one step where they are several.
static bool add_member(prover *P, const table *t, uint32_t row, uint32_t depth, parts *to) {
    way w;
    if (!way_to_row(P, t, row, &w))
        return prover_fail(P, E_USAGE);
    parts own = {0};
    bool ok = add_goals(P, &w, depth, &own);
    if (ok && own.count == 1) {
        ok = add_part(P, to, own.items[0]);
        array_finish(&own);
        return ok;
    }
    proof *n = ok ? create_node(P, PROOF_ANSWER) : NULL;
    if (!n || !give_parts(P, n, &own)) {
        array_finish(&own);
        return false;
    }
    const layout *y = prover_layout(P, w.r);
    const term *all = NULL;
    for (size_t i = y ? y->groups.count : 0; i > 0 && !P->counting; i--) {
        const goal_group *g = &y->groups.items[i - 1];
        if (!g->goal)
            continue;
        const term *one = goal_term(P, y, g->goal, &w);
        if (g->main && (g->main->negated || g->main->kind == LITERAL_SUBTRACT) &&
            !term_is(one, "not", 1))
            one = negation_of(P, one);
        const term *both[2] = {one, all};
        all = all ? term_compound(P->into, ",", 2, both) : one;
    }
    n->what = all ? all : term_symbol(P->into, "true");
    return add_part(P, to, n);
}

static bool group_fits(prover *P, const literal *l, const way *w, const value *row) {
    for (uint32_t i = 0; i < l->arg_count; i++) {
        if (pattern_value(P->p->values, l->args[i], w->env) != row[i])
            return false;
    }
    return true;
}

static const term *brace_at(const term *t, const literal *l) {
    if (term_is(t, "{}", 3) && t->line == l->line && t->column == l->column)
        return t;
    for (uint32_t i = 0; t->kind == TERM_COMPOUND && i < t->arity; i++) {
        const term *found = brace_at(t->args[i], l);
        if (found)
            return found;
    }
    return NULL;
}

// Members in the order of their values; what decides a maximum comes first.
typedef struct members {
    prover *P;
    const relation *r;
    bool last;
    ARRAY(uint32_t) rows;
} members;

static int by_member(const void *a, const void *b, void *context) {
    const members *m = context;
    const value *x = relation_row(m->r, *(const uint32_t *)a),
                *y = relation_row(m->r, *(const uint32_t *)b);
    for (uint32_t i = m->r->arity; i > 0; i--) {
        int c = values_order(m->P->p->values, x[i - 1], y[i - 1]);
        if (c != 0)
            return m->last ? -c : c;
    }
    return 0;
}

static bool add_aggregate(prover *P, const layout *y, const literal *l, const way *w,
                          uint32_t depth, parts *to) {
    proof *n = create_node(P, PROOF_AGGREGATE);
    if (!n)
        return false;
    value result = w->env[l->right->var];
    const relation *r = l->table->rows;
    members m = {.P = P, .r = r, .last = l->aggregate == AGGREGATE_MAX};
    parts own = {0};
    bool ok = true;
    for (uint32_t i = 0; i < r->count && ok; i++) {
        if (group_fits(P, l, w, relation_row(r, i)))
            ok = array_push_try(&m.rows, i) || prover_fail(P, E_MEMORY);
    }
    if (m.rows.count > 1)
        qsort_r(m.rows.items, m.rows.count, sizeof *m.rows.items, by_member, &m);
    n->count = m.rows.count;
    for (size_t i = 0; i < m.rows.count && i < P->opt.parts_most && ok; i++)
        ok = add_member(P, l->table, m.rows.items[i], depth, &own);
    array_finish(&m.rows);
    if (!ok || !give_parts(P, n, &own)) {
        array_finish(&own);
        return false;
    }
    const clause *c = prover_clause(P, w->r->id);
    const term *braces = y->body ? brace_at(y->body, l) : NULL;
    if (!braces && c)
        braces = brace_at(c->head, l);
    if (!P->counting) {
        const term *sides[2] = {values_to_term(P->p->values, P->into, result),
                                braces ? goal_term(P, y, braces, w) : term_symbol(P->into, "_")};
        n->what = term_compound(P->into, "=", 2, sides);
    }
    return add_part(P, to, n);
}

// ---- Goals --------------------------------------------------------------------------------------

static const term *computed_term(prover *P, const layout *y, const goal_group *g, const way *w) {
    static const char *const ops[] = {"<", "<=", ">", ">=", "!="};
    const literal *l = g->main;
    const term *t;
    if (l->kind == LITERAL_COMPARE) {
        const term *sides[2] = {expr_term(P, w->r, l->left, w), expr_term(P, w->r, l->right, w)};
        t = term_compound(P->into, ops[l->op], 2, sides);
    } else if (l->kind == LITERAL_BUILTIN) {
        const term **args = arena_alloc(P->into, (l->arg_count + 1) * sizeof *args);
        for (uint32_t i = 0; i < l->arg_count; i++)
            args[i] = pattern_term(P, w->r, l->args[i], w);
        t = l->arg_count ? term_compound(P->into, l->builtin->name, l->arg_count, args)
                         : term_symbol(P->into, l->builtin->name);
    } else if (g->goal && !g->aggregate_count) {
        t = goal_term(P, y, g->goal, w);
    } else {
        const term *sides[2] = {expr_term(P, w->r, l->left, w), expr_term(P, w->r, l->right, w)};
        t = term_compound(P->into, "=", 2, sides);
    }
    return l->negated && !term_is(t, "not", 1) ? negation_of(P, t) : t;
}

// V = count { ... }: the aggregate says it all.
static bool is_plain_aggregate(const goal_group *g) {
    const literal *l = g->main;
    return l && l->kind == LITERAL_UNIFY && !l->negated && g->aggregate_count == 1 &&
           l->left->op == EXPR_VAR && l->right->op == EXPR_VAR;
}

static bool add_computed(prover *P, const layout *y, const goal_group *g, const way *w,
                         uint32_t depth, parts *to) {
    bool alone = !g->main || is_plain_aggregate(g);
    proof *n = alone ? NULL : create_node(P, PROOF_COMPUTED);
    parts own = {0};
    bool ok = alone || n;
    for (size_t i = 0; i < g->aggregate_count && ok; i++)
        ok = add_aggregate(P, y, g->aggregates[i], w, depth + (alone ? 1 : 2), alone ? to : &own);
    if (alone || !ok) {
        array_finish(&own);
        return ok;
    }
    if (!P->counting)
        n->what = computed_term(P, y, g, w);
    return give_parts(P, n, &own) && add_part(P, to, n);
}

// The goals of a way, each proved or waiting to be.
static bool add_goals(prover *P, const way *w, uint32_t depth, parts *to) {
    const layout *y = prover_layout(P, w->r);
    for (size_t i = 0; y && i < y->groups.count && P->failed == OK; i++) {
        const goal_group *g = &y->groups.items[i];
        const literal *l = g->main;
        bool ok;
        if (l && l->kind == LITERAL_RELATION && !l->negated) {
            ok = add_relation(P, y, g, w, depth, to);
            for (size_t k = 0; k < g->aggregate_count && ok; k++)
                ok = add_aggregate(P, y, g->aggregates[k], w, depth, to);
        } else if (l && (l->kind == LITERAL_RELATION || l->kind == LITERAL_SUBTRACT)) {
            ok = add_absence(P, y, g, w, to);
        } else {
            ok = add_computed(P, y, g, w, depth, to);
        }
        if (!ok)
            return prover_fail(P, E_USAGE);
    }
    return P->failed == OK;
}

// ---- Rows ---------------------------------------------------------------------------------------

static void cite_clause(prover *P, proof *n, const clause *c) {
    n->kind = c->body ? PROOF_RULE : PROOF_STATED;
    n->file = c->file;
    n->line = c->line;
    const term *sides[2] = {c->head, c->body};
    n->rule = term_text(P->into, c->body ? term_compound(P->into, ":-", 2, sides) : c->head);
}

// A union of a split predicate's relations is no step of its own: the node becomes that of its row.
static bool pass_on(prover *P, const way *w, proof *n, uint32_t depth) {
    const literal *l = NULL;
    for (uint32_t i = 0; i < w->r->literal_count; i++) {
        if (w->r->literals[i].table && !w->r->literals[i].table->magic)
            l = &w->r->literals[i];
    }
    value row[RELATION_ARITY_MAX];
    if (!l || !values_of(P, l, w, row))
        return prover_fail(P, E_USAGE);
    proof_ref ref = {.t = l->table, .row = ROW_NONE};
    if (l->table->temporal) {
        value *span = arena_try(P->rows, l->table->arity * sizeof *span);
        if (!span)
            return prover_fail(P, E_MEMORY);
        memcpy(span, row, l->table->arity * sizeof *span);
        ref.span = span;
        ref.before = l->table->component == w->r->table->component ? P->m.before : 0;
    } else {
        ref.row = relation_find(l->table->rows, row);
    }
    if (!ref.span && ref.row == ROW_NONE)
        return prover_fail(P, E_USAGE);
    return array_push_try(&P->pending, (pending_proof){ref, n, depth}) || prover_fail(P, E_MEMORY);
}

// A way as a step: the rule, and its goals.
static bool fill_way(prover *P, const table *t, const way *w, const value *row, proof *n,
                     uint32_t depth) {
    const clause *c = prover_clause(P, w->r->id);
    if (!c)
        return prover_fail(P, E_USAGE);
    if (!P->counting) {
        value whole[RELATION_ARITY_MAX];
        memcpy(whole, row, t->arity * sizeof *whole);
        if (t->temporal) {
            whole[t->arity - 2] = values_time(w->span.start);
            whole[t->arity - 1] = values_time(w->span.end);
        }
        n->what = row_atom(P, t, whole);
        cite_clause(P, n, c);
    } else {
        n->kind = c->body ? PROOF_RULE : PROOF_STATED;
    }
    parts own = {0};
    if (c->body && !add_goals(P, w, depth, &own)) {
        array_finish(&own);
        return false;
    }
    return give_parts(P, n, &own);
}

static bool expand_row(prover *P, const pending_proof *job) {
    const table *t = job->ref.t;
    uint32_t row = job->ref.row;
    proof *n = job->node;
    if (relation_round(t->rows, row) == 0) {
        n->kind = PROOF_STATED;
        if (P->counting)
            return use_fact(P, t->pred);
        const clause *c = prover_clause(P, relation_origin(t->rows, row));
        if (!c)
            return prover_fail(P, E_USAGE);
        n->what = row_atom(P, t, relation_row(t->rows, row));
        cite_clause(P, n, c);
        return true;
    }
    way w;
    if (!way_to_row(P, t, row, &w))
        return prover_fail(P, E_USAGE);
    uint32_t before = P->m.before;
    P->m.before = relation_round(t->rows, row);
    bool ok = pred_is_union(t->pred)
                  ? pass_on(P, &w, n, job->depth)
                  : fill_way(P, t, &w, relation_row(t->rows, row), n, job->depth);
    P->m.before = before;
    return ok;
}

static bool expand_span(prover *P, const pending_proof *job) {
    const proof_ref *ref = &job->ref;
    const table *t = ref->t;
    proof *n = job->node;
    ways all = {0};
    if (!ways_to_span(P, ref, &all)) {
        array_finish(&all);
        return false;
    }
    uint32_t before = P->m.before;
    bool any = pred_is_union(t->pred), ok = true;
    const value *from = &ref->span[t->arity - 2];
    bool alone = all.count == 1 && (any || (all.items[0].span.start <= value_nanos(from[0]) &&
                                            all.items[0].span.end >= value_nanos(from[1])));
    if (alone) {
        P->m.before = all.items[0].round;
        ok = any ? pass_on(P, &all.items[0], n, job->depth)
                 : fill_way(P, t, &all.items[0], ref->span, n, job->depth);
    } else {
        n->kind = PROOF_MERGED;
        n->count = all.count;
        if (!P->counting)
            n->what = row_atom(P, t, ref->span);
        parts own = {0};
        for (size_t i = 0; i < all.count && i < P->opt.parts_most && ok; i++) {
            P->m.before = all.items[i].round;
            proof *one = create_node(P, PROOF_CUT);
            ok = one &&
                 (any ? pass_on(P, &all.items[i], one, job->depth + 1)
                      : fill_way(P, t, &all.items[i], ref->span, one, job->depth + 1)) &&
                 add_part(P, &own, one);
        }
        ok = ok && give_parts(P, n, &own);
        if (!ok)
            array_finish(&own);
    }
    P->m.before = before;
    array_finish(&all);
    return ok;
}

static bool expand_pending(prover *P, const pending_proof *job) {
    return job->ref.span ? expand_span(P, job) : expand_row(P, job);
}

// ---- The whole ----------------------------------------------------------------------------------

// Turns round what was pushed since `from`, so that it comes off the stack in the order of pushing.
static void turn_round(prover *P, size_t from) {
    for (size_t i = from, k = P->pending.count; i + 1 < k; i++) {
        pending_proof swap = P->pending.items[i];
        P->pending.items[i] = P->pending.items[--k];
        P->pending.items[k] = swap;
    }
}

// Counts the steps from `job` on, each once.
static void count_below(prover *P, const pending_proof *job) {
    size_t floor = P->pending.count;
    uint64_t before = P->counted;
    P->counting = true;
    P->into = P->scratch;
    if (!array_push_try(&P->pending, *job))
        prover_fail(P, E_MEMORY);
    while (P->pending.count > floor && P->failed == OK) {
        pending_proof next = P->pending.items[--P->pending.count];
        if (find_proved(P, &next.ref))
            continue;
        arena_reset(P->scratch);
        proof dummy = {0};
        next.node = &dummy;
        if (!expand_pending(P, &next))
            break;
        if (dummy.kind != PROOF_STATED && dummy.kind != PROOF_CUT)
            remember_proved(P, &next.ref, NULL);
    }
    P->counting = false;
    P->into = P->a;
    job->node->kind = PROOF_CUT;
    // The count includes the node itself.
    job->node->count = P->counted - before + 1;
    give_premises(P, job->node);
}

static bool prove_one(prover *P, const pending_proof *job) {
    const proved *known = find_proved(P, &job->ref);
    proof *n = job->node;
    const table *t = job->ref.t;
    if (known && known->node) {
        n->kind = PROOF_SEEN;
        n->what = known->node->what;
        n->same = known->node;
        return true;
    }
    // A fact takes no more room than a cut, so it is shown.
    bool is_stated = !job->ref.span && relation_round(t->rows, job->ref.row) == 0;
    if (job->depth > P->opt.depth && !is_stated) {
        count_below(P, job);
        n->what =
            row_atom(P, t, job->ref.span ? job->ref.span : relation_row(t->rows, job->ref.row));
        return P->failed == OK;
    }
    if (!expand_pending(P, job))
        return false;
    // A fact is cited wherever it is used, and a union became the node of another row.
    return n->kind == PROOF_STATED || n->kind == PROOF_CUT || remember_proved(P, &job->ref, n);
}

static bool prove_pending(prover *P) {
    while (P->pending.count > 0 && P->failed == OK) {
        pending_proof job = P->pending.items[--P->pending.count];
        size_t from = P->pending.count;
        if (!prove_one(P, &job))
            return prover_fail(P, E_USAGE);
        turn_round(P, from);
    }
    return P->failed == OK;
}

const proof *prover_answer(prover *P, table *t, uint32_t row) {
    parts own = {0};
    way w;
    // The row of a query of equations alone has no rule.
    bool ruled = relation_round(t->rows, row) > 0;
    if (ruled && !way_to_row(P, t, row, &w)) {
        prover_fail(P, E_USAGE);
        return NULL;
    }
    P->m.before = relation_round(t->rows, row);
    bool ok = !ruled || add_goals(P, &w, 1, &own);
    const proof *only = ok && own.count == 1 ? own.items[0] : NULL;
    proof *n = ok && !only ? create_node(P, ruled ? PROOF_ANSWER : PROOF_COMPUTED) : NULL;
    if (n) {
        const layout *y = ruled ? prover_layout(P, w.r) : NULL;
        n->what = y ? goal_term(P, y, P->query, &w) : P->query;
        give_parts(P, n, &own);
    }
    array_finish(&own);
    turn_round(P, 0);
    prove_pending(P);
    return P->failed == OK ? (only ? only : n) : NULL;
}
