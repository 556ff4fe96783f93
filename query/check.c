// query/check.c - what is wrong with rules before they run, and what their columns hold.
#include <stdio.h>
#include "query/fact.h"
#include "query/program.h"

typedef struct checker {
    program *p;
    uint32_t first;
    errors *list;
} checker;

static pred *pred_at(const checker *c, size_t i) {
    return c->p->preds.items[i];
}

static bool is_defined(const pred *d) {
    return d->rules.count > 0 || d->facts.count > 0 || d->fact || d->declared || d->auxiliary;
}

// ---- Undefined names
// -----------------------------------------------------------------------------

static void report_undefined(const checker *c, const rule *r, const literal *l) {
    const pred *d = l->pred;
    char label[300];
    const char **names = malloc((c->p->preds.count + 400) * sizeof *names);
    size_t count = 0;
    ASSERT(names);
    const char *sought = d->functor ? d->functor : d->name;
    const pred *other_arity = NULL;
    for (size_t i = 0; i < c->p->preds.count; i++) {
        const pred *o = pred_at(c, i);
        if (!is_defined(o) || o->auxiliary || o == d)
            continue;
        if (d->functor && (!o->functor || strcmp(o->name, d->name) != 0))
            continue;
        const char *name = d->functor ? o->functor : o->name;
        if (strcmp(name, sought) == 0)
            other_arity = o;
        names[count++] = name;
    }
    uint32_t fact_arity = 0, n = 0;
    if (!d->functor) {
        const builtin *b;
        const fact *f;
        for (size_t i = 0; (b = builtin_at(i)) && n < 200; i++, n++) {
            names[count++] = b->name;
            fact_arity = strcmp(b->name, sought) == 0 ? b->arity : fact_arity;
        }
        n = 0;
        for (size_t i = 0; (f = fact_at(i)) && n < 200; i++, n++) {
            names[count++] = f->name;
            fact_arity = strcmp(f->name, sought) == 0 ? f->arity : fact_arity;
        }
    }
    pred_label(d, label, sizeof label);
    const char *near = nearest_name(sought, names, count);
    uint32_t takes = other_arity && other_arity->functor ? other_arity->functor_arity
                     : other_arity ? other_arity->arity - (other_arity->temporal ? 1 : 0)
                                   : fact_arity;
    if (other_arity || fact_arity)
        errors_add(c->list, r->file, l->line, l->column,
                   "%s is not defined; %s takes %u argument%s", label, sought, takes,
                   takes == 1 ? "" : "s");
    else if (near)
        errors_add(c->list, r->file, l->line, l->column, "%s is not defined; did you mean '%s'?",
                   label, near);
    else
        errors_add(c->list, r->file, l->line, l->column, "%s is not defined", label);
    free(names);
}

static void check_defined(const checker *c) {
    for (size_t i = c->first; i < c->p->preds.count; i++) {
        for (size_t k = 0; k < pred_at(c, i)->rules.count; k++) {
            const rule *r = pred_at(c, i)->rules.items[k];
            for (uint32_t j = 0; j < r->literal_count; j++) {
                if (r->literals[j].pred && !is_defined(r->literals[j].pred))
                    report_undefined(c, r, &r->literals[j]);
            }
        }
    }
}

// ---- Which columns and variables hold times
// ------------------------------------------------------

static column_kind join(column_kind a, column_kind b) {
    if (a == COLUMN_UNKNOWN || a == b)
        return b;
    return b == COLUMN_UNKNOWN ? a : COLUMN_MIXED;
}

static column_kind column_of(const pred *d, uint32_t i) {
    if (d->temporal && i + 2 >= d->arity)
        return COLUMN_INSTANT;
    if (d->fact)
        return fact_column_is_time(d->fact, i) ? COLUMN_INSTANT : COLUMN_OTHER;
    return d->columns[i];
}

static column_kind kind_of_value(value v) {
    return value_kind(v) == VALUE_TIME ? COLUMN_INSTANT : COLUMN_OTHER;
}

// What an expression gives, where its variables have `kinds`.
static column_kind expr_kind(const expr *e, const column_kind *kinds) {
    switch (e->op) {
    case EXPR_CONST:
        return kind_of_value(e->constant);
    case EXPR_VAR:
        return kinds[e->var];
    case EXPR_ADD:
    case EXPR_MIN:
    case EXPR_MAX: {
        column_kind a = expr_kind(e->args[0], kinds), b = expr_kind(e->args[1], kinds);
        return a == COLUMN_INSTANT || b == COLUMN_INSTANT ? COLUMN_INSTANT
               : a == COLUMN_MIXED || b == COLUMN_MIXED   ? COLUMN_MIXED
                                                          : COLUMN_OTHER;
    }
    case EXPR_SUBTRACT: {
        column_kind a = expr_kind(e->args[0], kinds), b = expr_kind(e->args[1], kinds);
        return a == COLUMN_INSTANT && b != COLUMN_INSTANT ? COLUMN_INSTANT : COLUMN_OTHER;
    }
    default:
        return COLUMN_OTHER;
    }
}

// A variable that stands in a column of instants holds one.
static void learn(column_kind *kinds, const pattern *p, column_kind k) {
    if (p->kind != PATTERN_VAR || k == COLUMN_UNKNOWN || kinds[p->var] == COLUMN_INSTANT)
        return;
    if (k == COLUMN_INSTANT || kinds[p->var] == COLUMN_UNKNOWN)
        kinds[p->var] = k;
}

static void infer_rule(const rule *r, column_kind *kinds) {
    memset(kinds, 0, VARS_MOST * sizeof *kinds);
    for (uint32_t v = 0; v < r->var_count; v++) {
        if (r->is_range[v])
            kinds[v] = COLUMN_INSTANT;
    }
    for (int pass = 0; pass < 8; pass++) {
        for (uint32_t j = 0; j < r->literal_count; j++) {
            const literal *l = &r->literals[j];
            if (l->kind == LITERAL_RELATION && !l->negated) {
                for (uint32_t i = 0; i < l->arg_count; i++)
                    learn(kinds, l->args[i], column_of(l->pred, i));
            } else if (l->kind == LITERAL_BUILTIN && !l->negated) {
                for (uint32_t i = 0; i < l->arg_count; i++) {
                    if (!builtin_needs(l->builtin, i))
                        learn(kinds, l->args[i],
                              builtin_type(l->builtin, i) == 't' ? COLUMN_INSTANT : COLUMN_MIXED);
                }
            } else if (l->kind == LITERAL_UNIFY && !l->negated) {
                pattern p = {.kind = PATTERN_VAR};
                if (l->left->op == EXPR_VAR) {
                    p.var = l->left->var;
                    learn(kinds, &p, expr_kind(l->right, kinds));
                }
                if (l->right->op == EXPR_VAR) {
                    p.var = l->right->var;
                    learn(kinds, &p, expr_kind(l->left, kinds));
                }
            } else if (l->kind == LITERAL_AGGREGATE) {
                bool extreme = l->aggregate == AGGREGATE_MIN || l->aggregate == AGGREGATE_MAX;
                pattern p = {.kind = PATTERN_VAR, .var = l->right->var};
                learn(kinds, &p, extreme ? column_of(l->pred, l->pred->arity - 1) : COLUMN_OTHER);
                for (uint32_t i = 0; i < l->arg_count; i++)
                    learn(kinds, l->args[i], column_of(l->pred, i));
            } else if (l->kind == LITERAL_TO_TIME) {
                pattern p = {.kind = PATTERN_VAR, .var = l->right->var};
                learn(kinds, &p, COLUMN_INSTANT);
            }
        }
    }
}

static bool is_bound_word(const checker *c, value v) {
    if (value_kind(v) != VALUE_SYMBOL)
        return false;
    const char *text = values_text(c->p->values, v);
    return strcmp(text, "start") == 0 || strcmp(text, "end") == 0;
}

static void infer_kinds(const checker *c) {
    column_kind kinds[VARS_MOST];
    bool moved = true;
    for (int pass = 0; moved && pass < 64; pass++) {
        moved = false;
        for (size_t i = c->first; i < c->p->preds.count; i++) {
            pred *d = pred_at(c, i);
            uint32_t width = d->temporal ? d->arity - 2 : d->arity;
            for (size_t k = 0; k < d->facts.count && pass == 0; k++) {
                for (uint32_t j = 0; j < width; j++) {
                    value v = d->facts.items[k][j];
                    if (!(d->columns[j] == COLUMN_INSTANT &&
                          (value_is_number(v) || is_bound_word(c, v))))
                        d->columns[j] = join(d->columns[j], kind_of_value(v));
                }
            }
            for (size_t k = 0; k < d->rules.count; k++) {
                const rule *r = d->rules.items[k];
                infer_rule(r, kinds);
                for (uint32_t j = 0; j < width; j++) {
                    const pattern *p = r->args[j];
                    column_kind got = p->kind == PATTERN_VAR ? kinds[p->var] : COLUMN_OTHER;
                    if (p->kind == PATTERN_CONST) {
                        got = kind_of_value(p->constant);
                        if (is_bound_word(c, p->constant) ||
                            (d->columns[j] == COLUMN_INSTANT && value_is_number(p->constant)))
                            got = COLUMN_UNKNOWN;
                    }
                    // A column declared to hold instants stays one: numbers become instants.
                    if (d->typed >> j & 1)
                        continue;
                    column_kind now = join(d->columns[j], got);
                    moved = moved || now != d->columns[j];
                    d->columns[j] = now;
                }
            }
        }
    }
}

static value as_instant(const checker *c, value v) {
    double s;
    if (is_bound_word(c, v))
        return values_time(strcmp(values_text(c->p->values, v), "end") == 0 ? c->p->end : 0);
    if (value_is_number(v) && values_number(c->p->values, v, &s) && s > -SECONDS_MOST &&
        s < SECONDS_MOST)
        return values_time(nanos_from_seconds(s));
    return v;
}

static const pattern *make_var(arena *a, rule *r, uint32_t *var) {
    pattern *p = arena_alloc(a, sizeof *p);
    p->kind = PATTERN_VAR;
    p->var = *var = r->var_count++;
    r->var_names[p->var] = "_";
    varset_add(&r->bindable, p->var);
    return p;
}

static const pattern *make_const(arena *a, value v) {
    pattern *p = arena_alloc(a, sizeof *p);
    p->kind = PATTERN_CONST;
    p->constant = v;
    return p;
}

static const expr *make_expr(arena *a, expr_op op, uint32_t var, value constant) {
    expr *e = arena_alloc(a, sizeof *e);
    e->op = op;
    e->var = var;
    e->constant = constant;
    return e;
}

typedef ARRAY(literal) literals;

// One column of a call: literals that are meant as times, and instants in columns of numbers.
static const pattern *settle_column(const checker *c, rule *r, const literal *l, uint32_t i,
                                    const column_kind *kinds, literals *more) {
    arena *a = c->p->current;
    const pattern *p = l->args[i];
    column_kind k = column_of(l->pred, i);
    literal extra = {.line = l->line, .column = l->column, .range = VAR_NONE};
    uint32_t var;
    if (r->var_count + 1 >= VARS_MOST)
        return p;
    if (p->kind == PATTERN_CONST && k == COLUMN_INSTANT &&
        (is_bound_word(c, p->constant) || (l->negated && value_is_number(p->constant))))
        return make_const(a, as_instant(c, p->constant));
    if (l->negated)
        return p;
    if (p->kind == PATTERN_CONST && value_is_number(p->constant) &&
        (k == COLUMN_INSTANT || k == COLUMN_MIXED)) {
        value written = p->constant;
        p = make_var(a, r, &var);
        extra.kind = LITERAL_ROUNDS;
        extra.left = make_expr(a, EXPR_VAR, var, 0);
        extra.right = make_expr(a, EXPR_CONST, 0, written);
        array_push(more, extra);
    } else if (p->kind == PATTERN_VAR && kinds[p->var] == COLUMN_INSTANT &&
               (k == COLUMN_OTHER || k == COLUMN_MIXED)) {
        uint32_t meant = p->var;
        p = make_var(a, r, &var);
        extra.kind = LITERAL_TO_TIME;
        extra.left = make_expr(a, EXPR_VAR, var, 0);
        extra.right = make_expr(a, EXPR_VAR, meant, 0);
        array_push(more, extra);
    }
    return p;
}

static const expr *settle_side(const checker *c, const expr *e, const expr *other,
                               const column_kind *kinds) {
    if (e->op == EXPR_CONST && other->op != EXPR_CONST && expr_kind(other, kinds) == COLUMN_INSTANT)
        return make_expr(c->p->current, EXPR_CONST, 0, as_instant(c, e->constant));
    return e;
}

static void settle_rule(const checker *c, rule *r) {
    column_kind kinds[VARS_MOST];
    arena *a = c->p->current;
    literals more = {0};
    infer_rule(r, kinds);
    for (uint32_t v = 0; v < VARS_MOST; v++)
        r->is_time[v] = kinds[v] == COLUMN_INSTANT;
    for (uint32_t j = 0; j < r->literal_count; j++) {
        literal *l = &r->literals[j];
        if (l->kind == LITERAL_RELATION || l->kind == LITERAL_CARVE) {
            const pattern **args = arena_alloc(a, (l->arg_count + 1) * sizeof *args);
            for (uint32_t i = 0; i < l->arg_count; i++)
                args[i] = settle_column(c, r, l, i, kinds, &more);
            l->args = args;
        } else if (l->kind == LITERAL_UNIFY || l->kind == LITERAL_COMPARE) {
            const expr *left = settle_side(c, l->left, l->right, kinds);
            l->right = settle_side(c, l->right, l->left, kinds);
            l->left = left;
        }
    }
    const pattern **args = arena_alloc(a, (r->arg_count + 1) * sizeof *args);
    for (uint32_t i = 0; i < r->arg_count; i++) {
        args[i] = r->args[i];
        if (args[i]->kind == PATTERN_CONST && column_of(r->pred, i) == COLUMN_INSTANT)
            args[i] = make_const(a, as_instant(c, args[i]->constant));
    }
    r->args = args;
    if (more.count > 0) {
        literal *all = arena_alloc(a, (r->literal_count + more.count) * sizeof *all);
        memcpy(all, r->literals, r->literal_count * sizeof *all);
        memcpy(all + r->literal_count, more.items, more.count * sizeof *all);
        r->literals = all;
        r->literal_count += (uint32_t)more.count;
    }
    array_finish(&more);
}

static void settle_times(const checker *c) {
    infer_kinds(c);
    for (size_t i = c->first; i < c->p->preds.count; i++) {
        pred *d = pred_at(c, i);
        for (size_t k = 0; k < d->rules.count; k++)
            settle_rule(c, d->rules.items[k]);
        for (size_t k = 0; k < d->facts.count; k++) {
            for (uint32_t j = 0; j < d->arity; j++) {
                if (d->columns[j] == COLUMN_INSTANT)
                    ((value *)(uintptr_t)d->facts.items[k])[j] =
                        as_instant(c, d->facts.items[k][j]);
            }
        }
    }
}

// ---- Safety, and what callers must bind
// ----------------------------------------------------------

static void head_vars(const rule *r, varset *out) {
    for (uint32_t i = 0; i < r->arg_count; i++)
        pattern_vars(r->args[i], out);
}

static bool rule_runs(const rule *r, varset bound, bool *done) {
    varset head = {0};
    head_vars(r, &head);
    return rule_run_dry(r, &bound, done) && varset_within(&head, &bound);
}

// Columns of the head that give the variables in `needed`: of a variable that stands in several,
// the first.
static uint32_t columns_with(const rule *r, const varset *needed) {
    uint32_t mask = 0;
    varset left = *needed;
    for (uint32_t i = 0; i < r->arg_count; i++) {
        varset v = {0};
        pattern_vars(r->args[i], &v);
        if (!varset_meets(&v, &left))
            continue;
        mask |= UINT32_C(1) << i;
        for (uint32_t k = 0; k < r->var_count; k++) {
            if (varset_has(&v, k))
                varset_remove(&left, k);
        }
    }
    return mask;
}

// The head variables that callers may bind: all but an interval's ends, and all that the body
// mentions (a fact may repeat its own).
static void caller_vars(const rule *r, varset *out) {
    varset body = {0};
    for (uint32_t i = 0; i < r->literal_count; i++)
        literal_vars(&r->literals[i], &body);
    uint32_t width =
        r->pred->temporal && r->arg_count == r->pred->arity ? r->arg_count - 2 : r->arg_count;
    for (uint32_t i = 0; i < width; i++) {
        varset v = {0};
        pattern_vars(r->args[i], &v);
        for (uint32_t k = 0; k < r->var_count; k++) {
            if (varset_has(&v, k) && (varset_has(&body, k) || r->literal_count == 0))
                varset_add(out, k);
        }
    }
}

static uint32_t required_of(const rule *r, bool *done) {
    varset needed = {0};
    if (rule_runs(r, needed, done))
        return 0;
    caller_vars(r, &needed);
    if (!rule_runs(r, needed, done))
        return columns_with(r, &needed);
    for (uint32_t v = 0; v < r->var_count; v++) {
        if (!varset_has(&needed, v))
            continue;
        varset fewer = needed;
        varset_remove(&fewer, v);
        if (rule_runs(r, fewer, done))
            needed = fewer;
    }
    return columns_with(r, &needed);
}

static bool *done_flags(const checker *c) {
    uint32_t most = 0;
    for (size_t i = c->first; i < c->p->preds.count; i++) {
        for (size_t k = 0; k < pred_at(c, i)->rules.count; k++) {
            uint32_t n = pred_at(c, i)->rules.items[k]->literal_count;
            most = n > most ? n : most;
        }
    }
    bool *done = calloc(most + 1, sizeof *done);
    ASSERT(done);
    return done;
}

static uint32_t first_unbound(const varset *v, const varset *bound) {
    for (uint32_t i = 0; i < VARS_MOST; i++) {
        if (varset_has(v, i) && !varset_has(bound, i))
            return i;
    }
    return VAR_NONE;
}

// The name to show for a variable; those the engine made have none.
static const char *var_name(const rule *r, uint32_t v) {
    const char *name = v == VAR_NONE ? "_" : r->var_names[v];
    return name[0] == '_' && (name[1] == 0 || name[1] == '$' || name[1] == '#') ? "_" : name;
}

// Whether the variable is an instant that something asks about.
static bool is_instant(const rule *r, uint32_t v) {
    if (v == VAR_NONE)
        return false;
    if (r->is_range[v])
        return true;
    for (uint32_t i = 0; i < r->literal_count; i++) {
        const literal *l = &r->literals[i];
        varset vars = {0};
        if (l->kind == LITERAL_BUILTIN) {
            for (uint32_t k = 0; k < l->arg_count; k++) {
                if (builtin_type(l->builtin, k) == 't' && builtin_needs(l->builtin, k))
                    pattern_vars(l->args[k], &vars);
            }
        } else if (l->kind == LITERAL_RELATION && l->pred && l->pred->required != 0) {
            for (uint32_t k = 0; k < l->arg_count; k++) {
                if (l->pred->required >> k & 1 && column_of(l->pred, k) == COLUMN_INSTANT)
                    pattern_vars(l->args[k], &vars);
            }
        } else if (l->kind == LITERAL_RELATION && l->condition != CONDITION_NONE) {
            expr_vars(l->left, &vars);
            expr_vars(l->right, &vars);
        } else if (l->kind == LITERAL_COMPARE) {
            // S =< T, where S begins an interval.
            bool left = l->left->op == EXPR_VAR && r->is_time[l->left->var];
            bool right = l->right->op == EXPR_VAR && r->is_time[l->right->var];
            if (left)
                expr_vars(l->right, &vars);
            if (right)
                expr_vars(l->left, &vars);
        }
        if (varset_has(&vars, v))
            return true;
    }
    return false;
}

static void report_stuck(const checker *c, const rule *r, const varset *given, const bool *done) {
    varset bound = *given, vars = {0};
    const literal *l = NULL;
    for (uint32_t i = 0; i < r->literal_count; i++) {
        if (done[i])
            literal_outputs(&r->literals[i], &bound);
        else if (!l)
            l = &r->literals[i];
    }
    if (!l) {
        head_vars(r, &vars);
        uint32_t v = first_unbound(&vars, &bound);
        errors_add(c->list, r->file, r->line, r->column,
                   is_instant(r, v)
                       ? "%s would enumerate instants; bind it, or ask for interval(S, E)"
                       : "unsafe variable %s: no literal binds it",
                   var_name(r, v));
        return;
    }
    char label[300];
    uint32_t required = literal_required(l), column = 0, v;
    literal_vars(l, &vars);
    v = first_unbound(&vars, &bound);
    bool named = false;
    for (uint32_t i = 0; i < l->arg_count && !named; i++) {
        varset own = {0};
        pattern_vars(l->args[i], &own);
        bool needs = l->kind == LITERAL_BUILTIN ? builtin_needs(l->builtin, i) : required >> i & 1;
        if (needs && first_unbound(&own, &bound) != VAR_NONE) {
            v = first_unbound(&own, &bound);
            column = i;
            named = true;
        }
    }
    if (is_instant(r, v))
        errors_add(c->list, r->file, l->line, l->column,
                   "%s would enumerate instants; bind it, or ask for interval(S, E)",
                   var_name(r, v));
    else if (named && l->kind == LITERAL_BUILTIN)
        errors_add(c->list, r->file, l->line, l->column,
                   "argument %u of %s/%u must be bound; nothing binds %s", column + 1,
                   l->builtin->name, l->builtin->arity, var_name(r, v));
    else if (named && !l->pred->auxiliary)
        errors_add(c->list, r->file, l->line, l->column,
                   "argument %u of %s must be bound; nothing binds %s", column + 1,
                   pred_label(l->pred, label, sizeof label), var_name(r, v));
    else if (l->negated)
        errors_add(c->list, r->file, l->line, l->column,
                   "unsafe variable %s: it occurs only under negation; write _%s if any is meant",
                   var_name(r, v), var_name(r, v));
    else
        errors_add(c->list, r->file, l->line, l->column, "unsafe variable %s: no literal binds it",
                   var_name(r, v));
}

static void check_safety(const checker *c) {
    bool *done = done_flags(c);
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t i = c->first; i < c->p->preds.count; i++) {
            pred *d = pred_at(c, i);
            for (size_t k = 0; k < d->rules.count; k++) {
                uint32_t required = d->required | required_of(d->rules.items[k], done);
                moved = moved || required != d->required;
                d->required = required;
            }
        }
    }
    for (size_t i = c->first; i < c->p->preds.count; i++) {
        pred *d = pred_at(c, i);
        bool is_query = d->auxiliary && strncmp(d->name, "query$", 6) == 0;
        for (size_t k = 0; k < d->rules.count; k++) {
            const rule *r = d->rules.items[k];
            varset given = {0};
            if (!is_query)
                caller_vars(r, &given);
            varset bound = given;
            if (!rule_runs(r, bound, done))
                report_stuck(c, r, &given, done);
        }
    }
    free(done);
}

// ---- Components of mutual recursion
// --------------------------------------------------------------

typedef struct walk {
    const checker *c;
    uint32_t *index, *low, *stack, *frames;
    size_t *edge; // next edge to follow of each predicate on the walk
    bool *on_stack;
    uint32_t next, depth, frame_count;
} walk;

// The k-th predicate that `d` depends on, or NULL past the last.
static const literal *edge_at(const pred *d, size_t k, const rule **in) {
    for (size_t i = 0; i < d->rules.count; i++) {
        const rule *r = d->rules.items[i];
        if (k < r->literal_count) {
            *in = r;
            return &r->literals[k];
        }
        k -= r->literal_count;
    }
    return NULL;
}

static bool is_negative(const literal *l) {
    return l->negated || l->kind == LITERAL_CARVE || l->kind == LITERAL_AGGREGATE ||
           l->source == SOURCE_MAXIMAL;
}

static void visit(walk *w, uint32_t i) {
    w->index[i] = w->low[i] = ++w->next;
    w->stack[w->depth++] = i;
    w->on_stack[i] = true;
    w->edge[i] = 0;
    w->frames[w->frame_count++] = i;
}

// Tarjan's algorithm without recursion, so that long chains of predicates need no stack.
static void find_components(const checker *c) {
    size_t n = c->p->preds.count;
    walk w = {.c = c};
    w.index = calloc(n + 1, sizeof *w.index);
    w.low = calloc(n + 1, sizeof *w.low);
    w.stack = calloc(n + 1, sizeof *w.stack);
    w.frames = calloc(n + 1, sizeof *w.frames);
    w.edge = calloc(n + 1, sizeof *w.edge);
    w.on_stack = calloc(n + 1, sizeof *w.on_stack);
    ASSERT(w.index && w.low && w.stack && w.frames && w.edge && w.on_stack);
    for (uint32_t root = c->first; root < n; root++) {
        if (w.index[root])
            continue;
        visit(&w, root);
        while (w.frame_count > 0) {
            uint32_t at = w.frames[w.frame_count - 1];
            const rule *in;
            const literal *l = edge_at(pred_at(c, at), w.edge[at]++, &in);
            if (l) {
                if (!l->pred || l->pred->index < c->first)
                    continue;
                uint32_t to = l->pred->index;
                if (!w.index[to])
                    visit(&w, to);
                else if (w.on_stack[to] && w.index[to] < w.low[at])
                    w.low[at] = w.index[to];
                continue;
            }
            w.frame_count--;
            if (w.frame_count > 0) {
                uint32_t parent = w.frames[w.frame_count - 1];
                if (w.low[at] < w.low[parent])
                    w.low[parent] = w.low[at];
            }
            if (w.low[at] == w.index[at]) {
                uint32_t member;
                do {
                    member = w.stack[--w.depth];
                    w.on_stack[member] = false;
                    pred_at(c, member)->component = c->p->component_count;
                } while (member != at);
                c->p->component_count++;
            }
        }
    }
    free(w.index);
    free(w.low);
    free(w.stack);
    free(w.frames);
    free(w.edge);
    free(w.on_stack);
}

// The way back from `from` to `to` inside their component, as text.
static void cycle_text(const checker *c, const pred *from, const pred *to, char *out, size_t size) {
    size_t n = c->p->preds.count, head = 0, tail = 0;
    uint32_t *queue = calloc(n + 1, sizeof *queue), *came = calloc(n + 1, sizeof *came);
    ASSERT(queue && came);
    queue[tail++] = to->index;
    came[to->index] = to->index + 1;
    // Backwards from `to`, so that the chain reads forwards from `from`.
    while (head < tail && !came[from->index]) {
        uint32_t at = queue[head++];
        for (size_t i = c->first; i < n; i++) {
            const pred *d = pred_at(c, i);
            const rule *in;
            const literal *l;
            if (came[i] || d->component != to->component)
                continue;
            for (size_t k = 0; (l = edge_at(d, k, &in)); k++) {
                if (l->pred && l->pred->index == at) {
                    came[i] = at + 1;
                    queue[tail++] = (uint32_t)i;
                    break;
                }
            }
        }
    }
    size_t used = 0;
    out[0] = 0;
    for (uint32_t at = from->index; came[at]; at = came[at] - 1) {
        char label[300];
        int wrote = snprintf(out + used, size - used, " -> %s",
                             pred_label(pred_at(c, at), label, sizeof label));
        used += wrote > 0 && (size_t)wrote < size - used ? (size_t)wrote : 0;
        if (at == to->index)
            break;
    }
    free(queue);
    free(came);
}

static void check_strata(const checker *c) {
    for (size_t i = c->first; i < c->p->preds.count; i++) {
        const pred *d = pred_at(c, i);
        const rule *r;
        const literal *l;
        for (size_t k = 0; (l = edge_at(d, k, &r)); k++) {
            if (!l->pred || !is_negative(l) || l->pred->component != d->component ||
                l->pred->index < c->first)
                continue;
            char label[300], way[400];
            cycle_text(c, l->pred, d, way, sizeof way);
            const char *how =
                l->kind == LITERAL_AGGREGATE ? "an aggregate"
                : l->source == SOURCE_MAXIMAL && !l->negated && l->kind != LITERAL_CARVE
                    ? "maximal intervals"
                    : "negation";
            errors_add(c->list, r->file, l->line, l->column, "cycle through %s: %s%s", how,
                       pred_label(d, label, sizeof label), way);
        }
    }
}

void check_program(program *p, uint32_t first, errors *list) {
    checker c = {p, first, list};
    size_t before = list->count;
    check_defined(&c);
    if (list->count == before)
        settle_times(&c);
    find_components(&c);
    check_strata(&c);
    if (list->count == before)
        check_safety(&c);
}
