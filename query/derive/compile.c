// query/derive/compile.c - compiles a rule, in the order of its plan, to small actions.
//
// The action of a literal for each column is chosen here once: it compares the column with a slot,
// puts it into a slot, or matches a pattern. Where later literals bound a column of its rows by
// values that are known before, they become a range of an ordered index (row_order.h); they are
// tested all the same.
#include "query/derive/rule_plan_int.h"

// ---- Bounds ----

typedef struct finder {
    const rule *r;
    const literal *l;
    const varset *bound;
    struct {
        uint32_t column;
        bool upper;
        row_bound b;
    } found[2 * BOUNDS_MAX];
    uint32_t count;
} finder;

static bool pattern_known(const pattern *p, const varset *bound) {
    varset v = {0};
    pattern_vars(p, &v);
    return varset_within(&v, bound);
}

static bool expr_known(const rule *r, const expr *e, const varset *bound) {
    varset v = {0};
    expr_vars(e, &v);
    return varset_within(&v, bound) && !(e->op == EXPR_VAR && r->is_range[e->var]);
}

// Returns the column of the literal that binds this variable.
static uint32_t column_of(const finder *f, uint32_t var) {
    if (varset_has(f->bound, var))
        return UINT32_MAX;
    for (uint32_t i = 0; i < f->l->arg_count; i++) {
        if (f->l->args[i]->kind == PATTERN_VAR && f->l->args[i]->var == var)
            return i;
    }
    return UINT32_MAX;
}

static void note_bound(finder *f, uint32_t column, bool upper, row_bound b) {
    if (column == UINT32_MAX || f->count == 2 * BOUNDS_MAX)
        return;
    f->found[f->count].column = column;
    f->found[f->count].upper = upper;
    f->found[f->count++].b = b;
}

static void from_compare(finder *f, const literal *c) {
    if (c->negated || c->op == COMPARE_UNEQUAL)
        return;
    bool less = c->op == COMPARE_LESS || c->op == COMPARE_AT_MOST;
    if (c->left->op == EXPR_VAR && expr_known(f->r, c->right, f->bound))
        note_bound(f, column_of(f, c->left->var), less, (row_bound){.value = c->right});
    if (c->right->op == EXPR_VAR && expr_known(f->r, c->left, f->bound))
        note_bound(f, column_of(f, c->right->var), !less, (row_bound){.value = c->left});
}

// Notes a bound x <= y of which one side is a column of the row and the other is known.
static void from_ends(finder *f, const pattern *x, const pattern *y) {
    if (x->kind == PATTERN_VAR && y->kind != PATTERN_COMPOUND && pattern_known(y, f->bound))
        note_bound(f, column_of(f, x->var), true, (row_bound){.pattern = y});
    if (y->kind == PATTERN_VAR && x->kind != PATTERN_COMPOUND && pattern_known(x, f->bound))
        note_bound(f, column_of(f, y->var), false, (row_bound){.pattern = x});
}

// The pairs x <= y that follow from Allen's relations for the ends of [s, e) and [t, u).
static const struct {
    const char *name, *ends;
} IMPLIED[] = {
    {"before", "et"},          {"after", "us"},
    {"meets", "et te"},        {"met_by", "us su"},
    {"overlaps", "st te eu"},  {"overlapped_by", "ts su ue"},
    {"starts", "st ts eu"},    {"started_by", "st ts ue"},
    {"during", "ts eu"},       {"contains", "st ue"},
    {"finishes", "eu ue ts"},  {"finished_by", "eu ue st"},
    {"equals", "st ts eu ue"}, {"intersects", "su te"},
};

static void from_builtin(finder *f, const literal *b) {
    const char *ends = NULL;
    if (b->negated || b->arg_count != 2 || b->args[0]->kind != PATTERN_COMPOUND ||
        b->args[1]->kind != PATTERN_COMPOUND || b->args[0]->arity != 2 || b->args[1]->arity != 2)
        return;
    for (size_t i = 0; i < sizeof IMPLIED / sizeof *IMPLIED && !ends; i++) {
        if (strcmp(b->builtin->name, IMPLIED[i].name) == 0)
            ends = IMPLIED[i].ends;
    }
    for (; ends && *ends; ends += ends[2] ? 3 : 2) {
        const pattern *pair[2];
        for (int i = 0; i < 2; i++) {
            const pattern *whole = b->args[ends[i] == 't' || ends[i] == 'u'];
            pair[i] = whole->args[ends[i] == 'e' || ends[i] == 'u'];
        }
        from_ends(f, pair[0], pair[1]);
    }
}

static void from_narrow(finder *f, const literal *n) {
    const row_bound b = {.range = n->range};
    if (n->args[0]->kind == PATTERN_VAR)
        note_bound(f, column_of(f, n->args[0]->var), true, b);
    if (n->args[1]->kind == PATTERN_VAR)
        note_bound(f, column_of(f, n->args[1]->var), false, b);
}

// Notes the bounds on the ends of a negated call's interval that its condition sets.
static void from_condition(finder *f) {
    const literal *l = f->l;
    uint32_t start = l->table->arity - 2, end = l->table->arity - 1;
    if (l->kind == LITERAL_SUBTRACT) {
        note_bound(f, start, true, (row_bound){.range = l->range});
        note_bound(f, end, false, (row_bound){.range = l->range});
    } else if (l->condition == CONDITION_AT || l->condition == CONDITION_THROUGHOUT) {
        note_bound(f, start, true, (row_bound){.value = l->left});
        note_bound(f, end, false, (row_bound){.value = l->right ? l->right : l->left});
    } else if (l->condition == CONDITION_DURING) {
        // [A, B) counts as the instant A where it is empty.
        note_bound(f, end, false, (row_bound){.value = l->left});
    }
}

uint32_t rule_plan_bounds(const rule *r, const literal *l, const varset *known, row_bound *out,
                          uint32_t *start, uint32_t *end) {
    finder f = {.r = r, .l = l, .bound = known};
    if (l->kind == LITERAL_SUBTRACT || (l->negated && l->condition != CONDITION_NONE))
        from_condition(&f);
    for (uint32_t i = 0; i < r->literal_count && l->kind == LITERAL_RELATION && !l->negated; i++) {
        const literal *other = &r->literals[i];
        if (other->kind == LITERAL_COMPARE)
            from_compare(&f, other);
        else if (other->kind == LITERAL_INTERSECT)
            from_narrow(&f, other);
        else if (other->kind == LITERAL_BUILTIN)
            from_builtin(&f, other);
    }
    if (f.count == 0)
        return 0;
    // Rows lie in the order of a column that is bounded above; how far they reach is that of one
    // that is bounded below.
    uint32_t upper = UINT32_MAX, lower = UINT32_MAX;
    for (uint32_t i = 0; i < f.count; i++) {
        uint32_t *side = f.found[i].upper ? &upper : &lower;
        if (*side == UINT32_MAX)
            *side = f.found[i].column;
    }
    *start = upper != UINT32_MAX ? upper : lower;
    *end = lower != UINT32_MAX ? lower : upper;
    uint32_t count = 0;
    for (uint32_t i = 0; i < f.count && count + 2 <= BOUNDS_MAX; i++) {
        if (f.found[i].upper && f.found[i].column == *start) {
            out[count] = f.found[i].b;
            out[count++].kind = BOUND_TO;
        }
        if (!f.found[i].upper && f.found[i].column == *start) {
            out[count] = f.found[i].b;
            out[count++].kind = BOUND_FROM;
        }
        if (!f.found[i].upper && f.found[i].column == *end) {
            out[count] = f.found[i].b;
            out[count++].kind = BOUND_REACH;
        }
    }
    return count;
}

// ---- Actions ----

typedef struct maker {
    rule_plan *p;
    const values *v;
    uint32_t constants; // slots in use behind the variables
} maker;

static uint32_t constant_slot(maker *k, value x) {
    uint32_t slot = k->p->r->var_count + k->constants++;
    k->p->env[slot] = x;
    return slot;
}

static supply supply_of(maker *k, const pattern *from) {
    supply s = {SLOT_NONE, from};
    if (from->kind == PATTERN_CONST)
        s.slot = constant_slot(k, from->constant);
    else if (from->kind == PATTERN_VAR)
        s.slot = from->var;
    return s;
}

static bool reads_rows(const literal *l) {
    return l->kind == LITERAL_RELATION || l->kind == LITERAL_SUBTRACT;
}

static void make_actions(maker *k, step *s, const varset *before) {
    const literal *l = s->l;
    varset bound = *before;
    for (uint32_t i = 0; i < l->arg_count; i++) {
        const pattern *arg = l->args[i];
        if (s->mask >> i & 1)
            continue;
        action *a = &s->actions[s->action_count++];
        *a = (action){.column = i, .slot = SLOT_NONE, .pattern = arg};
        if (arg->kind == PATTERN_COMPOUND) {
            a->kind = ACTION_MATCH;
            s->clears = true;
        } else if (arg->kind == PATTERN_VAR && !varset_has(&bound, arg->var)) {
            a->kind = ACTION_BIND;
            a->slot = arg->var;
        } else {
            a->kind = ACTION_CHECK;
            a->slot = supply_of(k, arg).slot;
        }
        pattern_vars(arg, &bound);
    }
}

// interval(S, E) with bound ends on both sides of a relation of intervals.
static void compile_interval_test(maker *k, step *s) {
    const literal *l = s->l;
    bool holds;
    if (l->arg_count != 2 || s->mask != 3 ||
        !builtin_interval_test(l->builtin, (interval){0, 0}, (interval){0, 0}, &holds))
        return;
    for (uint32_t i = 0; i < 2; i++) {
        const pattern *p = l->args[i];
        if (p->kind != PATTERN_COMPOUND || p->arity != 2 ||
            strcmp(values_text(k->v, p->constant), "interval") != 0 ||
            p->args[0]->kind == PATTERN_COMPOUND || p->args[1]->kind == PATTERN_COMPOUND)
            return;
    }
    for (uint32_t i = 0; i < 4; i++)
        s->ends[i] = supply_of(k, l->args[i / 2]->args[i % 2]).slot;
    s->of_ends = true;
}

static void compile_step(maker *k, step *s, const varset *bound, int delta, bool given) {
    const literal *l = s->l;
    const rule *r = k->p->r;
    varset own = {0};
    literal_vars(l, &own);
    for (uint32_t i = 0; i < l->arg_count; i++) {
        if (pattern_known(l->args[i], bound)) {
            s->mask |= UINT32_C(1) << i;
            s->columns[s->column_count++] = i;
        }
    }
    // Of a table of the same component, a literal reads the rows that a round added, or those that
    // stood before.
    bool same =
        l->table && r->table && !l->table->complete && l->table->component == r->table->component;
    s->recursive = l->kind == LITERAL_RELATION && !l->negated && same;
    s->range = !s->recursive || given    ? READ_ALL
               : delta < 0               ? READ_NOW
               : (int)s->number == delta ? READ_DELTA
               : (int)s->number < delta  ? READ_OLD
                                         : READ_NOW;
    for (uint32_t v = 0; v < r->var_count; v++) {
        if (varset_has(&own, v) && !varset_has(bound, v) && !r->is_range[v])
            s->fresh[s->fresh_count++] = v;
    }
    if (l->kind == LITERAL_UNIFY) {
        varset left = {0};
        expr_vars(l->left, &left);
        s->from_left = varset_within(&left, bound);
    }
    s->fact_key = -1;
    if (l->kind == LITERAL_BUILTIN)
        compile_interval_test(k, s);
    if (!reads_rows(l))
        return;
    if (!l->table && l->pred && l->pred->fact)
        s->fact_key = fact_key(l->pred->fact, s->mask);
    for (uint32_t i = 0; i < s->column_count; i++)
        s->keys[i] = supply_of(k, l->args[s->columns[i]]);
    make_actions(k, s, bound);
    // A proof goes back through rows that were the best when they were read.
    s->best_alone = l->table && l->table->best && !(given && same);
    if (s->range != READ_DELTA)
        s->bound_count = rule_plan_bounds(r, l, bound, s->bounds, &s->start, &s->end);
    // What is looked for in vain leaves no trace.
    s->clears = s->clears || l->negated || l->kind == LITERAL_SUBTRACT;
}

static void compile_head(maker *k) {
    rule_plan *p = k->p;
    const rule *r = p->r;
    const table *t = r->table;
    const column_kind *kinds = t && !t->magic && t->pred ? t->pred->columns : NULL;
    p->plain_head = t && !t->temporal && !t->best && r->head_range == VAR_NONE;
    for (uint32_t i = 0; i < r->arg_count; i++) {
        p->head[i] = supply_of(k, r->args[i]);
        if (p->head[i].slot == SLOT_NONE || (kinds && kinds[i] == COLUMN_INSTANT))
            p->plain_head = false;
    }
}

// Returns whether different ways through the rule give different heads, and no other rule gives
// any: every row that is read can be told from the head.
static bool is_distinct(const rule_plan *p, int delta) {
    const rule *r = p->r;
    const table *t = r->table;
    if (!p->plain_head || delta >= 0 || t->magic || t->rules.count != 1)
        return false;
    varset head = {0};
    for (uint32_t i = 0; i < r->arg_count; i++)
        pattern_vars(r->args[i], &head);
    for (uint32_t k = 0; k < p->step_count; k++) {
        const step *s = &p->steps[k];
        switch (s->l->kind) {
        case LITERAL_BUILTIN: // may answer the same twice
        case LITERAL_AGGREGATE:
        case LITERAL_INTERSECT:
        case LITERAL_SUBTRACT:
            return false;
        case LITERAL_RELATION:
            if (s->recursive)
                return false;
            for (uint32_t i = 0; !s->l->negated && i < s->fresh_count; i++) {
                if (!varset_has(&head, s->fresh[i]))
                    return false;
            }
            break;
        case LITERAL_COMPARE:
        case LITERAL_UNIFY:
        case LITERAL_ROUNDS:
        case LITERAL_TO_TIME:
            break;
        }
    }
    return true;
}

// Which columns of its rows the last literal hands to the head.
static void find_copied(rule_plan *p, step *s) {
    s->copies = !s->clears && !s->best_alone && s->bound_count == 0;
    for (uint32_t i = 0; i < p->r->arg_count; i++)
        p->copied[i] = SLOT_NONE;
    for (uint32_t i = 0; i < s->action_count; i++) {
        const action *a = &s->actions[i];
        s->copies = s->copies && a->kind == ACTION_BIND;
        for (uint32_t k = 0; k < p->r->arg_count; k++) {
            if (p->head[k].slot == a->slot)
                p->copied[k] = a->column;
        }
    }
}

bool rule_plan_compile(const machine *m, rule_plan *p, const varset *given, int delta) {
    const rule *r = p->r;
    size_t args = 0, vars = 0;
    for (uint32_t k = 0; k < p->step_count; k++) {
        varset own = {0};
        literal_vars(p->steps[k].l, &own);
        for (size_t i = 0; i < VARS_MAX / 64; i++)
            vars += (size_t)__builtin_popcountll(own.bits[i]);
        args += p->steps[k].l->arg_count;
    }
    size_t constants = args + r->arg_count + 4 * (size_t)p->step_count;
    p->env = calloc(r->var_count + constants + 1, sizeof *p->env);
    p->low = calloc(2 * (size_t)r->var_count + 1, sizeof *p->low);
    p->block = calloc(1, args * (sizeof(action) + sizeof(supply)) + r->arg_count * sizeof(supply) +
                             vars * sizeof(uint32_t) + 1);
    if (!p->env || !p->low || !p->block)
        return false;
    p->high = p->low + r->var_count;
    action *actions = p->block;
    supply *sources = (supply *)(actions + args);
    p->head = sources + args;
    uint32_t *fresh = (uint32_t *)(p->head + r->arg_count);
    maker k = {.p = p, .v = m->values};
    varset bound = given ? *given : (varset){0};
    for (uint32_t i = 0; i < p->step_count; i++) {
        step *s = &p->steps[i];
        s->actions = actions;
        s->keys = sources;
        s->fresh = fresh;
        compile_step(&k, s, &bound, delta, given != NULL);
        actions += s->l->arg_count;
        sources += s->l->arg_count;
        fresh += s->fresh_count;
        literal_outputs(s->l, &bound);
        if (s->l->kind == LITERAL_ROUNDS)
            varset_add(&bound, s->l->left->var);
    }
    compile_head(&k);
    rule_plan_cut(p, given != NULL);
    p->distinct = !given && is_distinct(p, delta);
    if (p->step_count > 0) {
        step *s = &p->steps[p->step_count - 1];
        s->last = p->plain_head && s->l->kind == LITERAL_RELATION && !s->l->negated;
        if (s->last)
            find_copied(p, s);
    }
    return true;
}
