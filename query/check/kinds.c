// query/check/kinds.c - finds the columns and variables that hold times, and turns literals that
// are meant as times into instants.
#include "query/check/check_int.h"
#include "query/log/fact.h"
#include "query/rules/predicates.h"

static bool holds_no_instants(column_kind k) {
    return k == COLUMN_NUMBERS || k == COLUMN_OTHER;
}

static column_kind join_kinds(column_kind a, column_kind b) {
    if (a == COLUMN_UNKNOWN || a == b)
        return b;
    if (holds_no_instants(a) && holds_no_instants(b))
        return COLUMN_OTHER;
    return b == COLUMN_UNKNOWN ? a : COLUMN_MIXED;
}

column_kind pred_column(const pred *d, uint32_t i) {
    if (d->temporal && i + 2 >= d->arity)
        return COLUMN_INSTANT;
    if (d->fact && fact_column_is_time(d->fact, i))
        return COLUMN_INSTANT;
    if (d->fact)
        return strchr("ir", d->fact->kinds[i]) ? COLUMN_NUMBERS : COLUMN_OTHER;
    return d->columns[i];
}

static column_kind kind_of_value(value v) {
    return value_kind(v) == VALUE_TIME ? COLUMN_INSTANT
           : value_is_number(v)        ? COLUMN_NUMBERS
                                       : COLUMN_OTHER;
}

// Returns whether the value is the symbol start or end, which may stand for an instant.
static bool is_bound_word(const checker *c, value v) {
    if (value_kind(v) != VALUE_SYMBOL)
        return false;
    const char *text = values_text(c->p->values, v);
    return strcmp(text, "start") == 0 || strcmp(text, "end") == 0;
}

// Kinds are inferred in stages, so that no order of clauses decides. From `start` and `end`, and
// from sums of what is unknown, nothing follows at first. Then the two words are symbols in columns
// of which nothing else is known, and in the end instants in equations, and what is unknown in sums
// is a number.
typedef enum stage { STAGE_CERTAIN, STAGE_COLUMNS, STAGE_PRESUMED } stage;

typedef struct inference {
    const checker *c;
    stage stage;
} inference;

static column_kind sum_kind(const inference *n, column_kind a, column_kind b) {
    if (a == COLUMN_INSTANT || b == COLUMN_INSTANT)
        return COLUMN_INSTANT;
    if (a == COLUMN_MIXED || b == COLUMN_MIXED)
        return COLUMN_MIXED;
    bool unknown = a == COLUMN_UNKNOWN || b == COLUMN_UNKNOWN;
    return unknown && n->stage < STAGE_PRESUMED ? COLUMN_UNKNOWN : COLUMN_NUMBERS;
}

// Returns the kind of an expression's value, where its variables have `kinds`.
static column_kind expr_kind(const inference *n, const expr *e, const column_kind *kinds) {
    column_kind a, b;
    switch (e->op) {
    case EXPR_CONST:
        if (is_bound_word(n->c, e->constant))
            return n->stage < STAGE_PRESUMED ? COLUMN_UNKNOWN : COLUMN_INSTANT;
        return kind_of_value(e->constant);
    case EXPR_VAR:
        return kinds[e->var];
    case EXPR_TERM:
        return COLUMN_OTHER;
    case EXPR_ADD:
    case EXPR_MIN:
    case EXPR_MAX:
        return sum_kind(n, expr_kind(n, e->args[0], kinds), expr_kind(n, e->args[1], kinds));
    case EXPR_SUBTRACT:
        a = expr_kind(n, e->args[0], kinds);
        b = expr_kind(n, e->args[1], kinds);
        if (b == COLUMN_UNKNOWN && n->stage < STAGE_PRESUMED)
            return COLUMN_UNKNOWN;
        return b == COLUMN_INSTANT ? COLUMN_NUMBERS : sum_kind(n, a, b);
    default:
        return COLUMN_NUMBERS;
    }
}

static bool tells_instants(column_kind k) {
    return k == COLUMN_INSTANT || k == COLUMN_INSTANTS;
}

// Notes the kind of a variable that stands in a column of kind `k`. True: it was not known.
static bool learn_kind(column_kind *kinds, const pattern *p, column_kind k) {
    if (p->kind != PATTERN_VAR || k == COLUMN_UNKNOWN || kinds[p->var] == k ||
        tells_instants(kinds[p->var]))
        return false;
    // Of a variable that stands in several places the narrowest kind holds.
    if (!tells_instants(k) && kinds[p->var] != COLUMN_UNKNOWN &&
        !(k == COLUMN_NUMBERS && kinds[p->var] == COLUMN_OTHER))
        return false;
    kinds[p->var] = k;
    return true;
}

// Returns the kind of a builtin's answer, by the letter of the argument: an item of a list of
// instants is an instant.
static column_kind answer_kind(const literal *l, uint32_t answer, const column_kind *kinds) {
    char type = builtin_type(l->builtin, answer);
    if (type == 't')
        return COLUMN_INSTANT;
    if (type == 'n' || type == 'o')
        return type == 'n' ? COLUMN_NUMBERS : COLUMN_OTHER;
    column_kind lists = COLUMN_UNKNOWN;
    for (uint32_t i = 0; i < l->arg_count; i++) {
        const pattern *p = l->args[i];
        if (builtin_type(l->builtin, i) == 'l' && builtin_needs(l->builtin, i))
            lists = join_kinds(lists, p->kind == PATTERN_VAR && kinds[p->var] ? kinds[p->var]
                                                                              : COLUMN_OTHER);
    }
    if (lists == COLUMN_INSTANTS)
        return type == 'l' ? COLUMN_INSTANTS : COLUMN_INSTANT;
    return type == 'l' ? COLUMN_OTHER : COLUMN_MIXED;
}

// Infers kinds of variables from one literal. True: one was not known.
static bool infer_literal(const inference *n, const literal *l, column_kind *kinds) {
    bool news = false;
    pattern p = {.kind = PATTERN_VAR};
    if (l->negated)
        return false;
    switch (l->kind) {
    case LITERAL_RELATION:
        for (uint32_t i = 0; i < l->arg_count; i++)
            news |= learn_kind(kinds, l->args[i], pred_column(l->pred, i));
        break;
    case LITERAL_BUILTIN:
        for (uint32_t i = 0; i < l->arg_count; i++) {
            if (!builtin_needs(l->builtin, i))
                news |= learn_kind(kinds, l->args[i], answer_kind(l, i, kinds));
        }
        break;
    case LITERAL_UNIFY:
        for (int side = 0; side < 2; side++) {
            const expr *var = side ? l->right : l->left, *is = side ? l->left : l->right;
            bool word = is->op == EXPR_CONST && is_bound_word(n->c, is->constant);
            if (var->op != EXPR_VAR || (word && kinds[var->var] == COLUMN_OTHER))
                continue;
            p.var = var->var;
            news |= learn_kind(kinds, &p, expr_kind(n, is, kinds));
        }
        break;
    case LITERAL_AGGREGATE: {
        bool extreme = l->aggregate == AGGREGATE_MIN || l->aggregate == AGGREGATE_MAX;
        bool collects = l->aggregate == AGGREGATE_LIST;
        column_kind of = extreme || collects ? pred_column(l->pred, l->pred->arity - 1) : 0;
        p.var = l->right->var;
        news |= learn_kind(kinds, &p,
                           extreme                            ? of
                           : collects && of == COLUMN_INSTANT ? COLUMN_INSTANTS
                           : collects                         ? COLUMN_OTHER
                                                              : COLUMN_NUMBERS);
        for (uint32_t i = 0; i < l->arg_count; i++)
            news |= learn_kind(kinds, l->args[i], pred_column(l->pred, i));
        break;
    }
    case LITERAL_TO_TIME:
        p.var = l->right->var;
        news |= learn_kind(kinds, &p, COLUMN_INSTANT);
        break;
    case LITERAL_COMPARE:
    case LITERAL_INTERSECT:
    case LITERAL_SUBTRACT:
    case LITERAL_ROUNDS:
        break;
    }
    return news;
}

// Returns whether no literal of the rule binds the variable, so that the caller must.
static bool only_given(const rule *r, uint32_t var) {
    for (uint32_t i = 0; i < r->literal_count; i++) {
        const literal *l = &r->literals[i];
        varset out = {0};
        if (l->kind != LITERAL_UNIFY)
            literal_outputs(l, &out);
        if (varset_has(&out, var))
            return false;
    }
    return varset_has(&r->given, var);
}

static void infer_rule(const inference *n, const rule *r, column_kind *kinds) {
    memset(kinds, 0, r->var_count * sizeof *kinds);
    for (uint32_t v = 0; v < r->var_count; v++) {
        if (r->is_range[v])
            kinds[v] = COLUMN_INSTANT;
    }
    for (uint32_t i = 0; r->pred->around && i < r->pred->shared; i++)
        learn_kind(kinds, r->args[i], r->pred->around[i]);
    // What only the caller binds is an instant where the declaration says so.
    for (uint32_t i = 0; i < r->arg_count && r->pred->typed; i++) {
        const pattern *p = r->args[i];
        if (r->pred->typed >> i & 1 && p->kind == PATTERN_VAR && only_given(r, p->var))
            learn_kind(kinds, p, COLUMN_INSTANT);
    }
    for (inference now = {.c = n->c}; now.stage <= n->stage; now.stage++) {
        bool news = true;
        for (int pass = 0; news && pass < 8; pass++) {
            news = false;
            for (uint32_t j = 0; j < r->literal_count; j++)
                news |= infer_literal(&now, &r->literals[j], kinds);
        }
    }
}

// A scope has variables of the rule around it: what that knows of them holds within. True: it was
// news.
static bool hand_down_kinds(const checker *c, const literal *l, const column_kind *kinds) {
    pred *d = l->pred;
    bool news = false;
    if (!d || !d->scoped || d->episode_call)
        return false;
    if (!d->around)
        d->around = arena_alloc(c->p->current, (d->shared + 1) * sizeof *d->around);
    for (uint32_t i = 0; i < d->shared && i < l->arg_count; i++) {
        const pattern *p = l->args[i];
        if (p->kind != PATTERN_VAR || !tells_instants(kinds[p->var]) ||
            d->around[i] == kinds[p->var])
            continue;
        d->around[i] = kinds[p->var];
        news = true;
    }
    return news;
}

// Returns whether the predicate is the goal of a negation: literals that read it ask about values,
// and bind none.
static bool is_negation(const pred *d) {
    return d->scoped && strncmp(d->name, "not$", 4) == 0;
}

// Returns the kind of a constant that a clause has in a column of kind `k`.
static column_kind kind_in_column(const inference *n, value v, column_kind k) {
    if (!is_bound_word(n->c, v))
        return kind_of_value(v);
    return n->stage == STAGE_CERTAIN || k == COLUMN_INSTANT ? COLUMN_UNKNOWN : COLUMN_OTHER;
}

static void infer_facts(const inference *n, pred *d, const fact_rows *f, uint32_t width) {
    const value *row = f->rows;
    for (uint32_t i = 0; i < f->count; i++, row += d->arity) {
        for (uint32_t j = 0; j < width; j++) {
            if (!(d->typed >> j & 1))
                d->columns[j] = join_kinds(d->columns[j], kind_in_column(n, row[j], d->columns[j]));
        }
    }
}

// Infers the columns of a predicate from one of its rules. True: there was news.
static bool infer_head(const inference *n, pred *d, const rule *r, const column_kind *kinds) {
    uint32_t width = d->temporal ? d->arity - 2 : d->arity;
    bool moved = false;
    for (uint32_t j = 0; j < width; j++) {
        const pattern *p = r->args[j];
        // A column declared to hold instants stays one: numbers become instants. So does that of a
        // negation, where one way through it has instants.
        if (d->typed >> j & 1)
            continue;
        column_kind got = p->kind == PATTERN_VAR     ? kinds[p->var]
                          : p->kind == PATTERN_CONST ? kind_in_column(n, p->constant, d->columns[j])
                                                     : COLUMN_OTHER;
        if (got == COLUMN_INSTANT && is_negation(d)) {
            moved = true;
            pred_type_time(d, j);
            continue;
        }
        column_kind now = join_kinds(d->columns[j], got);
        moved = moved || now != d->columns[j];
        d->columns[j] = now;
    }
    return moved;
}

// Infers kinds from one rule, and notes the pass in `news` by each predicate of which it tells
// more. True: there was news.
static bool infer_from(const inference *n, pred *d, const rule *r, int pass, int *news) {
    column_kind kinds[VARS_MAX];
    bool moved = false;
    infer_rule(n, r, kinds);
    for (uint32_t j = 0; j < r->literal_count; j++) {
        if (hand_down_kinds(n->c, &r->literals[j], kinds)) {
            news[r->literals[j].pred->index] = pass;
            moved = true;
        }
    }
    if (infer_head(n, d, r, kinds)) {
        news[d->index] = pass;
        moved = true;
    }
    return moved;
}

// Returns whether there was news of the rule's predicates in the last pass, or in this one.
static bool has_news(const rule *r, const pred *d, int pass, const int *news) {
    bool some = news[d->index] >= pass - 1;
    for (uint32_t j = 0; !some && j < r->literal_count; j++)
        some = r->literals[j].pred && news[r->literals[j].pred->index] >= pass - 1;
    return some;
}

static void infer_kinds(const checker *c) {
    size_t count = c->p->preds.count;
    int *news = mem_must(count + 1, sizeof *news);
    for (inference n = {.c = c}; n.stage <= STAGE_PRESUMED; n.stage++) {
        bool moved = true;
        memset(news, 0, count * sizeof *news);
        for (int pass = 1; moved && pass <= 64; pass++) {
            moved = false;
            for (size_t i = c->first; i < count; i++) {
                pred *d = pred_at(c, i);
                for (size_t k = 0; pass == 1 && k < d->facts.count; k++)
                    infer_facts(&n, d, &d->facts.items[k], d->temporal ? d->arity - 2 : d->arity);
                for (size_t k = 0; k < d->rules.count; k++) {
                    if (has_news(d->rules.items[k], d, pass, news))
                        moved |= infer_from(&n, d, d->rules.items[k], pass, news);
                }
            }
        }
    }
    free(news);
}

static value as_instant(const checker *c, value v) {
    double s;
    if (is_bound_word(c, v))
        return values_time(strcmp(values_text(c->p->values, v), "end") == 0 ? c->p->end : 0);
    if (value_is_number(v) && values_number(c->p->values, v, &s) && s > -SECONDS_MAX &&
        s < SECONDS_MAX)
        return values_time(nanos_from_seconds(s));
    return v;
}

static const pattern *make_var(arena *a, rule *r, uint32_t *var) {
    pattern *p = arena_alloc(a, sizeof *p);
    if (r->var_count == r->var_room)
        rule_make_room(r, a, 4);
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

static bool is_absence(const literal *l) {
    return l->negated || l->kind == LITERAL_SUBTRACT;
}

// Settles one column of a call: numbers that are meant as times, and instants in columns of
// numbers.
static const pattern *settle_column(const checker *c, rule *r, const literal *l, uint32_t i,
                                    const column_kind *kinds, literals *more) {
    arena *a = c->p->current;
    const pattern *p = l->args[i];
    column_kind k = pred_column(l->pred, i);
    literal extra = {.line = l->line, .column = l->column, .range = VAR_NONE};
    uint32_t var;
    if (r->var_count + 1 >= VARS_MAX)
        return p;
    if (p->kind == PATTERN_CONST && is_bound_word(c, p->constant) &&
        (k == COLUMN_INSTANT || column_reads_moments(l->pred, i)))
        return make_const(a, as_instant(c, p->constant));
    if (p->kind == PATTERN_CONST && k == COLUMN_INSTANT && is_absence(l) &&
        value_is_number(p->constant))
        return make_const(a, as_instant(c, p->constant));
    if (is_absence(l)) {
        if (p->kind != PATTERN_VAR || k != COLUMN_INSTANT || kinds[p->var] == COLUMN_INSTANT ||
            rule_has_wildcard(r, p->var))
            return p;
        // The literal asks about an instant, whatever the variable holds.
        const pattern *meant = make_var(a, r, &var);
        extra.kind = LITERAL_TO_TIME;
        extra.left = make_expr(a, EXPR_VAR, p->var, 0);
        extra.right = make_expr(a, EXPR_VAR, var, 0);
        array_push(more, extra);
        return meant;
    }
    if (p->kind == PATTERN_CONST && value_is_number(p->constant) &&
        (k == COLUMN_INSTANT || k == COLUMN_MIXED)) {
        value written = p->constant;
        p = make_var(a, r, &var);
        extra.kind = LITERAL_ROUNDS;
        extra.left = make_expr(a, EXPR_VAR, var, 0);
        extra.right = make_expr(a, EXPR_CONST, 0, written);
        array_push(more, extra);
    } else if (p->kind == PATTERN_VAR && kinds[p->var] == COLUMN_INSTANT &&
               (holds_no_instants(k) || k == COLUMN_MIXED)) {
        uint32_t meant = p->var;
        p = make_var(a, r, &var);
        extra.kind = LITERAL_TO_TIME;
        extra.left = make_expr(a, EXPR_VAR, var, 0);
        extra.right = make_expr(a, EXPR_VAR, meant, 0);
        array_push(more, extra);
    }
    return p;
}

// In an equation or a comparison `start` and `end` are instants, unless the other side holds
// neither instants nor numbers: then they are symbols like any other.
static const expr *settle_side(const inference *n, const expr *e, const expr *other,
                               const column_kind *kinds) {
    const checker *c = n->c;
    if (e->op != EXPR_CONST)
        return e;
    if (is_bound_word(c, e->constant)
            ? expr_kind(n, other, kinds) == COLUMN_OTHER
            : other->op == EXPR_CONST || expr_kind(n, other, kinds) != COLUMN_INSTANT)
        return e;
    return make_expr(c->p->current, EXPR_CONST, 0, as_instant(c, e->constant));
}

static void settle_rule(const checker *c, rule *r) {
    column_kind kinds[VARS_MAX];
    arena *a = c->p->current;
    literals more = {0};
    const inference n = {c, STAGE_PRESUMED};
    infer_rule(&n, r, kinds);
    for (uint32_t v = 0; v < r->var_count; v++)
        r->is_time[v] = kinds[v] == COLUMN_INSTANT;
    for (uint32_t j = 0; j < r->literal_count; j++) {
        literal *l = &r->literals[j];
        if (l->kind == LITERAL_RELATION || l->kind == LITERAL_SUBTRACT) {
            const pattern **args = arena_alloc(a, (l->arg_count + 1) * sizeof *args);
            for (uint32_t i = 0; i < l->arg_count; i++)
                args[i] = settle_column(c, r, l, i, kinds, &more);
            l->args = args;
        } else if (l->kind == LITERAL_UNIFY || l->kind == LITERAL_COMPARE) {
            const expr *left = settle_side(&n, l->left, l->right, kinds);
            l->right = settle_side(&n, l->right, l->left, kinds);
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

// Rows of facts stay as their files write them; the rows with instants are a copy.
static void settle_facts(const checker *c, const pred *d, fact_rows *f) {
    value *rows = arena_alloc(c->p->current, (size_t)f->count * d->arity * sizeof *rows);
    for (size_t i = 0; i < (size_t)f->count * d->arity; i++)
        rows[i] =
            d->columns[i % d->arity] == COLUMN_INSTANT ? as_instant(c, f->rows[i]) : f->rows[i];
    f->rows = rows;
}

// ---- Negations that look at rows as times ----

// Returns whether a row is compared with the argument as an instant, so not by its value alone.
static bool reads_as_time(const rule *r, const literal *l, uint32_t i, const column_kind *kinds) {
    const pattern *p = l->args[i];
    column_kind k = pred_column(l->pred, i);
    if (p->kind == PATTERN_CONST)
        return value_is_number(p->constant) && (k == COLUMN_INSTANT || k == COLUMN_MIXED);
    return p->kind == PATTERN_VAR && !rule_has_wildcard(r, p->var) &&
           kinds[p->var] == COLUMN_INSTANT && (holds_no_instants(k) || k == COLUMN_MIXED);
}

// The goal as a scope of its own, as if it were written not (Goal, true): in it the goal means what
// it means anywhere.
static void make_scope(const checker *c, rule *r, literal *l) {
    arena *a = c->p->current;
    varset shared = {0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->arg_count; i++)
        pattern_vars(l->args[i], &shared);
    const pattern **args = arena_alloc(a, (r->var_count + 3) * sizeof *args);
    uint32_t known = 0;
    bool temporal = l->condition != CONDITION_NONE || l->kind == LITERAL_SUBTRACT;
    // What stands for anything is a key where the times of different things must not be merged.
    bool apart = l->condition == CONDITION_THROUGHOUT;
    for (int wild = 0; wild <= apart; wild++) {
        for (uint32_t v = 0; v < r->var_count; v++) {
            if (!varset_has(&shared, v) || rule_has_wildcard(r, v) != wild)
                continue;
            pattern *p = arena_alloc(a, sizeof *p);
            p->kind = PATTERN_VAR;
            p->var = v;
            args[n++] = p;
        }
        known = wild ? known : n;
    }
    uint32_t width = temporal ? n + 2 : n;
    if (width > RELATION_ARITY_MAX || r->var_count + 2 >= VARS_MAX)
        return;
    pred *d = program_auxiliary(c->p, "not", width);
    d->scoped = true;
    d->shared = known;
    d->temporal = temporal;
    d->file = r->file;
    d->line = l->line;
    d->column = l->column;
    rule *inner = arena_alloc(a, sizeof *inner);
    *inner = (rule){.id = r->id,
                    .pred = d,
                    .arg_count = width,
                    .args = args,
                    .head_range = VAR_NONE,
                    .some_range = VAR_NONE,
                    .literal_count = 1,
                    .file = r->file,
                    .line = l->line,
                    .column = l->column,
                    .written = l->written};
    rule_make_room(inner, a, r->var_count + 2);
    inner->var_count = r->var_count;
    memcpy(inner->var_names, r->var_names, r->var_count * sizeof *inner->var_names);
    inner->literals = arena_alloc(a, sizeof *inner->literals);
    literal *goal = &inner->literals[0];
    *goal = (literal){.kind = LITERAL_RELATION,
                      .source = temporal ? SOURCE_PIECES : l->source,
                      .pred = l->pred,
                      .arg_count = l->arg_count,
                      .args = l->args,
                      .range = VAR_NONE,
                      .line = l->line,
                      .column = l->column,
                      .written = l->written};
    if (temporal) {
        // The keys alone are asked for; when they hold, the negation looks at by itself.
        goal->args = arena_alloc(a, (l->arg_count + 2) * sizeof *goal->args);
        memcpy(goal->args, l->args, l->arg_count * sizeof *goal->args);
        for (int i = 0; i < 2; i++) {
            uint32_t end;
            args[n + (uint32_t)i] = goal->args[goal->arg_count++] = make_var(a, inner, &end);
        }
    }
    array_push(&d->rules, inner);
    l->pred = d;
    l->source = temporal ? SOURCE_MAXIMAL : SOURCE_ROWS;
    l->args = args;
    l->arg_count = n;
}

static bool make_scopes(const checker *c) {
    const inference n = {c, STAGE_PRESUMED};
    column_kind kinds[VARS_MAX];
    bool made = false;
    for (size_t i = c->first, count = c->p->preds.count; i < count; i++) {
        for (size_t k = 0; k < pred_at(c, i)->rules.count; k++) {
            rule *r = pred_at(c, i)->rules.items[k];
            bool inferred = false, changed = false;
            for (uint32_t j = 0; j < r->literal_count; j++) {
                literal *l = &r->literals[j];
                bool reads_rows = l->kind == LITERAL_RELATION || l->kind == LITERAL_SUBTRACT;
                if (!reads_rows || !is_absence(l) || l->pred->scoped || l->pred->episode_call)
                    continue;
                if (!inferred)
                    infer_rule(&n, r, kinds);
                inferred = true;
                bool differs = false;
                for (uint32_t arg = 0; arg < l->arg_count; arg++)
                    differs = differs || reads_as_time(r, l, arg, kinds);
                if (differs)
                    make_scope(c, r, l);
                changed = changed || differs;
            }
            if (changed)
                rule_bind(r);
            made = made || changed;
        }
    }
    return made;
}

void settle_times(const checker *c) {
    infer_kinds(c);
    if (make_scopes(c))
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
