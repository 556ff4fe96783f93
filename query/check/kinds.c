// query/check/kinds.c - which columns and variables hold times, and literals that are meant as
// times.
#include "query/check/check_int.h"
#include "query/log/fact.h"

static column_kind join(column_kind a, column_kind b) {
    if (a == COLUMN_UNKNOWN || a == b)
        return b;
    return b == COLUMN_UNKNOWN ? a : COLUMN_MIXED;
}

column_kind pred_column(const pred *d, uint32_t i) {
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

// A variable that stands in a column of instants holds one. True: this was news.
static bool learn(column_kind *kinds, const pattern *p, column_kind k) {
    if (p->kind != PATTERN_VAR || k == COLUMN_UNKNOWN || kinds[p->var] == COLUMN_INSTANT ||
        kinds[p->var] == k || (k != COLUMN_INSTANT && kinds[p->var] != COLUMN_UNKNOWN))
        return false;
    kinds[p->var] = k;
    return true;
}

// What one literal says of the variables. True: it was news.
static bool infer_literal(const literal *l, column_kind *kinds) {
    bool news = false;
    pattern p = {.kind = PATTERN_VAR};
    if (l->negated)
        return false;
    switch (l->kind) {
    case LITERAL_RELATION:
        for (uint32_t i = 0; i < l->arg_count; i++)
            news |= learn(kinds, l->args[i], pred_column(l->pred, i));
        break;
    case LITERAL_BUILTIN:
        for (uint32_t i = 0; i < l->arg_count; i++) {
            char type = builtin_type(l->builtin, i);
            if (!builtin_needs(l->builtin, i))
                news |= learn(kinds, l->args[i],
                              type == 't'   ? COLUMN_INSTANT
                              : type == 'o' ? COLUMN_OTHER
                                            : COLUMN_MIXED);
        }
        break;
    case LITERAL_UNIFY:
        if (l->left->op == EXPR_VAR) {
            p.var = l->left->var;
            news |= learn(kinds, &p, expr_kind(l->right, kinds));
        }
        if (l->right->op == EXPR_VAR) {
            p.var = l->right->var;
            news |= learn(kinds, &p, expr_kind(l->left, kinds));
        }
        break;
    case LITERAL_AGGREGATE: {
        bool extreme = l->aggregate == AGGREGATE_MIN || l->aggregate == AGGREGATE_MAX;
        p.var = l->right->var;
        news |= learn(kinds, &p, extreme ? pred_column(l->pred, l->pred->arity - 1) : COLUMN_OTHER);
        for (uint32_t i = 0; i < l->arg_count; i++)
            news |= learn(kinds, l->args[i], pred_column(l->pred, i));
        break;
    }
    case LITERAL_TO_TIME:
        p.var = l->right->var;
        news |= learn(kinds, &p, COLUMN_INSTANT);
        break;
    case LITERAL_COMPARE:
    case LITERAL_INTERSECT:
    case LITERAL_SUBTRACT:
    case LITERAL_ROUNDS:
        break;
    }
    return news;
}

static void infer_rule(const rule *r, column_kind *kinds) {
    memset(kinds, 0, r->var_count * sizeof *kinds);
    for (uint32_t v = 0; v < r->var_count; v++) {
        if (r->is_range[v])
            kinds[v] = COLUMN_INSTANT;
    }
    bool news = true;
    for (int pass = 0; news && pass < 8; pass++) {
        news = false;
        for (uint32_t j = 0; j < r->literal_count; j++)
            news |= infer_literal(&r->literals[j], kinds);
    }
}

static bool is_bound_word(const checker *c, value v) {
    if (value_kind(v) != VALUE_SYMBOL)
        return false;
    const char *text = values_text(c->p->values, v);
    return strcmp(text, "start") == 0 || strcmp(text, "end") == 0;
}

static void infer_facts(const checker *c, pred *d, const fact_rows *f, uint32_t width) {
    const value *row = f->rows;
    for (uint32_t i = 0; i < f->count; i++, row += d->arity) {
        for (uint32_t j = 0; j < width; j++) {
            if (!(d->columns[j] == COLUMN_INSTANT &&
                  (value_is_number(row[j]) || is_bound_word(c, row[j]))))
                d->columns[j] = join(d->columns[j], kind_of_value(row[j]));
        }
    }
}

static void infer_kinds(const checker *c) {
    column_kind kinds[VARS_MAX];
    bool moved = true;
    for (int pass = 0; moved && pass < 64; pass++) {
        moved = false;
        for (size_t i = c->first; i < c->p->preds.count; i++) {
            pred *d = pred_at(c, i);
            uint32_t width = d->temporal ? d->arity - 2 : d->arity;
            for (size_t k = 0; k < d->facts.count && pass == 0; k++)
                infer_facts(c, d, &d->facts.items[k], width);
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
    column_kind k = pred_column(l->pred, i);
    literal extra = {.line = l->line, .column = l->column, .range = VAR_NONE};
    uint32_t var;
    if (r->var_count + 1 >= VARS_MAX)
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

// Variables that are compared with instants: `T = end` means the instant then, not the symbol.
static void note_compared(const rule *r, const column_kind *kinds, varset *out) {
    for (uint32_t j = 0; j < r->literal_count; j++) {
        const literal *l = &r->literals[j];
        if (l->kind != LITERAL_COMPARE)
            continue;
        if (l->left->op == EXPR_VAR && expr_kind(l->right, kinds) == COLUMN_INSTANT)
            varset_add(out, l->left->var);
        if (l->right->op == EXPR_VAR && expr_kind(l->left, kinds) == COLUMN_INSTANT)
            varset_add(out, l->right->var);
    }
}

static const expr *settle_side(const checker *c, const expr *e, const expr *other,
                               const column_kind *kinds, const varset *compared) {
    bool meant = other->op == EXPR_VAR && varset_has(compared, other->var) && e->op == EXPR_CONST &&
                 is_bound_word(c, e->constant);
    if (e->op == EXPR_CONST && other->op != EXPR_CONST &&
        (meant || expr_kind(other, kinds) == COLUMN_INSTANT))
        return make_expr(c->p->current, EXPR_CONST, 0, as_instant(c, e->constant));
    return e;
}

static void settle_rule(const checker *c, rule *r) {
    column_kind kinds[VARS_MAX];
    arena *a = c->p->current;
    literals more = {0};
    infer_rule(r, kinds);
    for (uint32_t v = 0; v < r->var_count; v++)
        r->is_time[v] = kinds[v] == COLUMN_INSTANT;
    varset compared = {0};
    note_compared(r, kinds, &compared);
    for (uint32_t j = 0; j < r->literal_count; j++) {
        literal *l = &r->literals[j];
        if (l->kind == LITERAL_RELATION || l->kind == LITERAL_SUBTRACT) {
            const pattern **args = arena_alloc(a, (l->arg_count + 1) * sizeof *args);
            for (uint32_t i = 0; i < l->arg_count; i++)
                args[i] = settle_column(c, r, l, i, kinds, &more);
            l->args = args;
        } else if (l->kind == LITERAL_UNIFY || l->kind == LITERAL_COMPARE) {
            const expr *left = settle_side(c, l->left, l->right, kinds, &compared);
            l->right = settle_side(c, l->right, l->left, kinds, &compared);
            l->left = left;
        }
    }
    const pattern **args = arena_alloc(a, (r->arg_count + 1) * sizeof *args);
    for (uint32_t i = 0; i < r->arg_count; i++) {
        args[i] = r->args[i];
        if (args[i]->kind == PATTERN_CONST && pred_column(r->pred, i) == COLUMN_INSTANT)
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

// What files state stays as it is written there: the rows with instants are others.
static void settle_facts(const checker *c, const pred *d, fact_rows *f) {
    value *rows = arena_alloc(c->p->current, (size_t)f->count * d->arity * sizeof *rows);
    for (size_t i = 0; i < (size_t)f->count * d->arity; i++)
        rows[i] =
            d->columns[i % d->arity] == COLUMN_INSTANT ? as_instant(c, f->rows[i]) : f->rows[i];
    f->rows = rows;
}

void settle_times(const checker *c) {
    infer_kinds(c);
    for (size_t i = c->first; i < c->p->preds.count; i++) {
        pred *d = pred_at(c, i);
        for (size_t k = 0; k < d->rules.count; k++)
            settle_rule(c, d->rules.items[k]);
        bool timed = false;
        for (uint32_t j = 0; j < d->arity; j++)
            timed = timed || d->columns[j] == COLUMN_INSTANT;
        for (size_t k = 0; timed && k < d->facts.count; k++)
            settle_facts(c, d, &d->facts.items[k]);
    }
}
