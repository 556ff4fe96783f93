// tests/query/random/write.c - a program in the syntax of three engines.
//
// The peers know no intervals: there a temporal predicate has its instants in one more column, and
// helpers give runs of them.
#include "tests/query/random/random.h"

typedef struct text {
    FILE *out;
    const program_t *p;
    const rule_t *r;
    syntax s;
    int number;
    int uses[LOCALS_MAX]; // how often a variable stands in the rule
    uint32_t renamed;     // variables with another name, as bits
    bool names_any;       // `_` gets a name of its own
    int fresh, opened;    // names made so far
    bool shuffled;
} text;

static void put_var(text *t, int v) {
    bool once = t->s == SYNTAX_OURS && t->uses[v] == 1, shared = t->r && t->r->deep[v];
    fprintf(t->out, "%s%c%d%s", once ? "_" : "", shared ? 'W' : 'V', shared ? t->r->deep[v] : v,
            t->renamed >> v & 1 ? "r" : "");
}

// The order in which so many things are written.
static void draw_order(const text *t, int *order, int n) {
    if (t->shuffled)
        shuffle(order, n);
    for (int i = 0; i < n && !t->shuffled; i++)
        order[i] = i;
}

static void put_pat(text *t, int at) {
    const pat *p = &t->p->pool[at];
    switch (p->kind) {
    case PAT_CONST:
        ground_write(t->out, p->n, t->s);
        break;
    case PAT_ANY:
        if (t->names_any)
            fprintf(t->out, "A%d", t->fresh++);
        else
            fputc('_', t->out);
        break;
    case PAT_VAR:
        // Ours: what stands once alone says so.
        put_var(t, p->n);
        break;
    case PAT_SUM:
        put_pat(t, p->args[0]);
        fprintf(t->out, " + %d", p->n);
        break;
    default: {
        static const char *const names[] = {"f(", "g(", "cons("};
        bool list = p->n == FUNCTOR_CONS && t->s == SYNTAX_OURS;
        fputs(list ? "[" : names[p->n], t->out);
        put_pat(t, p->args[0]);
        if (functor_arity(p->n) == 2) {
            fputs(list ? "|" : ",", t->out);
            put_pat(t, p->args[1]);
        }
        fputc(list ? ']' : ')', t->out);
    }
    }
}

static void count_pat(text *t, int at) {
    const pat *p = &t->p->pool[at];
    if (p->kind == PAT_VAR)
        t->uses[p->n]++;
    if (p->kind == PAT_SUM)
        count_pat(t, p->args[0]);
    if (p->kind == PAT_COMPOUND) {
        count_pat(t, p->args[0]);
        if (functor_arity(p->n) == 2)
            count_pat(t, p->args[1]);
    }
}

static void count_call(text *t, const call *c) {
    for (int i = 0; i < t->p->preds[c->pred].arity; i++)
        count_pat(t, c->args[i]);
    if (c->spec >= SPEC_AT)
        count_pat(t, c->a);
    if (c->spec >= SPEC_DURING)
        count_pat(t, c->b);
}

static uint32_t calls_vars(const text *t, const lit *l) {
    text counted = {.p = t->p};
    uint32_t vars = 0;
    for (int c = 0; c < l->count; c++)
        count_call(&counted, &l->calls[c]);
    for (int v = 0; v < LOCALS_MAX; v++)
        vars |= counted.uses[v] ? 1u << v : 0;
    return vars;
}

// Sums and plain counts are over all variables there are.
static bool names_all(const lit *l) {
    return l->kind == LIT_GROUP && (l->op == GROUP_SUM || l->op == GROUP_GOALS);
}

static void count_lit(text *t, const lit *l) {
    for (int c = 0; c < l->count; c++)
        count_call(t, &l->calls[c]);
    if (l->kind == LIT_COMPARE || l->kind == LIT_COMPUTE || l->kind == LIT_LONGER ||
        l->kind == LIT_ALLEN)
        count_pat(t, l->b);
    if (l->kind >= LIT_COMPARE && l->kind != LIT_GROUP && l->kind != LIT_SCOPE)
        count_pat(t, l->a);
    if (l->kind == LIT_ALLEN) {
        count_pat(t, l->c);
        count_pat(t, l->d);
    }
    if (l->var >= 0)
        t->uses[l->var]++;
    if (l->over >= 0 && l->op != GROUP_GOALS)
        t->uses[l->over]++;
    for (int i = 0; l->kind == LIT_SCOPE && i < l->inside; i++)
        count_lit(t, &t->p->nested[l->first + i]);
}

static void count_uses(text *t) {
    const rule_t *r = t->r;
    memset(t->uses, 0, sizeof t->uses);
    count_call(t, &(call){.pred = r->pred,
                          .args = {r->args[0], r->args[1], r->args[2]},
                          .spec = r->spec,
                          .a = r->a,
                          .b = r->b});
    for (int k = 0; k < r->count; k++)
        count_lit(t, &r->lits[k]);
}

static void put_args(text *t, const int *args, int count) {
    for (int i = 0; i < count; i++) {
        fputs(i ? "," : "", t->out);
        put_pat(t, args[i]);
    }
}

// ---- Ours ----

void write_pred(FILE *out, const program_t *p, int pred, const char *const *args,
                const char *time) {
    const predicate *d = &p->preds[pred];
    bool split = d->temporal && p->split;
    fprintf(out, "%sp%d(", split ? "o(" : "", pred);
    for (int i = 0; i < d->arity; i++)
        fprintf(out, "%s%s", i ? ", " : "", args[i]);
    if (d->temporal)
        fprintf(out, "%s, %s", split ? ")" : "", time);
    fputc(')', out);
}

// What the head does not have may stand once.
static void put_instant(text *t) {
    fputs(t->r && !t->p->preds[t->r->pred].temporal ? "_T" : "T", t->out);
}

static void put_ours(text *t, const call *c) {
    static const char *const specs[] = {"", "", "", "at(", "during(", "throughout(", "interval("};
    const predicate *d = &t->p->preds[c->pred];
    bool split = d->temporal && t->p->split;
    fprintf(t->out, "%sp%d(", split ? "o(" : "", c->pred);
    put_args(t, c->args, d->arity);
    fputs(split ? ")" : "", t->out);
    if (d->temporal) {
        fputs(", ", t->out);
        if (c->spec == SPEC_EVER) {
            fputs("_", t->out);
        } else if (c->spec == SPEC_INSTANT) {
            put_instant(t);
        } else {
            fputs(specs[c->spec], t->out);
            put_pat(t, c->a);
            if (c->spec >= SPEC_DURING) {
                fputs(", ", t->out);
                put_pat(t, c->b);
            }
            fputc(')', t->out);
        }
    }
    fputc(')', t->out);
}

static bool is_time(const program_t *p, int at) {
    return p->pool[at].kind == PAT_CONST && ground_at(p->pool[at].n)->kind == GROUND_TIME;
}

static void put_our_lit(text *t, const lit *l);

// not (...), and aggregates with literals of all kinds.
static void put_our_scope(text *t, const lit *l) {
    static const char *const groups[] = {"count", "sum", "min", "max", "count", "avg", "list"};
    static const char *const compares[] = {" < ", " =< ", " != ", " = "};
    if (l->scope == SCOPE_VALUE) {
        put_var(t, l->var);
        fputs(" = ", t->out);
    }
    fputs(l->scope == SCOPE_NOT || l->scope == SCOPE_NO_TEST ? "not " : "", t->out);
    if (l->scope == SCOPE_NOT)
        fputs("(", t->out);
    else
        fprintf(t->out, "%s%s { ", l->op == GROUP_FLOOR_AVG ? "floor(" : "", groups[l->op]);
    if (l->scope != SCOPE_NOT && l->op != GROUP_GOALS) {
        put_var(t, l->over);
        fputs(" : ", t->out);
    }
    int order[LITS_MAX];
    draw_order(t, order, l->inside);
    for (int i = 0; i < l->inside; i++) {
        fputs(i ? ", " : "", t->out);
        put_our_lit(t, &t->p->nested[l->first + order[i]]);
    }
    // A negated atom alone is no scope.
    fputs(l->scope == SCOPE_NOT && l->inside == 1 ? ", true" : "", t->out);
    fputs(l->scope == SCOPE_NOT ? ")" : l->op == GROUP_FLOOR_AVG ? " })" : " }", t->out);
    if (l->scope == SCOPE_TEST || l->scope == SCOPE_NO_TEST)
        fprintf(t->out, "%s%d", compares[l->compare], l->n);
}

static void put_our_lit(text *t, const lit *l) {
    static const char *const compares[] = {" < ", " =< ", " != ", " = "};
    static const char *const instants[] = {"<", "=<", ">", ">="};
    static const char *const groups[] = {"count", "sum", "min", "max", "count"};
    static const char signs[] = "+-*-";
    int side[2];
    draw_order(t, side, 2);
    switch (l->kind) {
    case LIT_CALL:
        put_ours(t, &l->calls[0]);
        break;
    case LIT_NOT:
        fputs("not ", t->out);
        put_ours(t, &l->calls[0]);
        break;
    case LIT_OR:
        fputc('(', t->out);
        put_ours(t, &l->calls[side[0]]);
        fputs(" ; ", t->out);
        put_ours(t, &l->calls[side[1]]);
        fputc(')', t->out);
        break;
    case LIT_COMPARE:
        fputs(l->op == BEFORE ? "before_term(" : "", t->out);
        bool turned = side[0] == 1 && (l->op == EQUAL || l->op == UNEQUAL);
        put_pat(t, turned ? l->b : l->a);
        fputs(l->op == BEFORE ? ", " : compares[l->op], t->out);
        put_pat(t, turned ? l->a : l->b);
        fputs(l->op == BEFORE ? ")" : "", t->out);
        break;
    case LIT_COMPUTE:
        fprintf(t->out, "%sV%d = %s", t->uses[l->var] == 1 ? "_" : "", l->var,
                l->op == APART ? "abs(" : "");
        put_pat(t, l->a);
        fprintf(t->out, " %c ", signs[l->op]);
        // What is added to a time is a length.
        if (is_time(t->p, l->b))
            seconds_write(t->out, ground_at(t->p->pool[l->b].n)->n);
        else
            put_pat(t, l->b);
        fputs(l->op == APART ? ")" : "", t->out);
        break;
    case LIT_GROUP:
        fprintf(t->out, "%sV%d = %s { ", t->uses[l->var] == 1 ? "_" : "", l->var, groups[l->op]);
        if (l->op != GROUP_GOALS)
            fprintf(t->out, "V%d : ", l->over);
        for (int c = 0; c < l->count; c++) {
            fputs(c ? ", " : "", t->out);
            put_ours(t, &l->calls[l->count == 2 ? side[c] : c]);
        }
        fputs(" }", t->out);
        break;
    case LIT_ALIAS:
        put_var(t, l->var);
        fputs(" = ", t->out);
        put_pat(t, l->a);
        break;
    case LIT_ALLEN: {
        static const char *const names[] = {"before",   "after",         "meets",    "met_by",
                                            "overlaps", "overlapped_by", "starts",   "started_by",
                                            "during",   "contains",      "finishes", "finished_by",
                                            "equals",   "intersects"};
        const int ends[] = {l->a, l->b, l->c, l->d};
        fputs(names[l->op], t->out);
        for (int i = 0; i < 4; i++) {
            fputs(i == 0 ? "(interval(" : i == 2 ? "), interval(" : ", ", t->out);
            put_pat(t, ends[i]);
        }
        fputs("))", t->out);
        break;
    }
    case LIT_TEXT: {
        // What stands before the term, and behind it; # is the number, & the term once more.
        static const char *const tests[TEXT_TESTS][2] = {
            {"is_symbol(", ")"},      {"is_list(", ")"},           {"length(", ", #)"},
            {"starts_with(", ", c)"}, {"member(#, ", ")"},         {"text_length(", ", #)"},
            {"concat(", ", c, bc)"},  {"reverse(", ", &)"},        {"sort(", ", &)"},
            {"adjacent(", ", #, _)"}, {"regex(", ", \"^[cd]$\")"}, {"substring(", ", 1, 1, b)"},
            {"number(", ", #)"},
        };
        for (int end = 0; end < 2; end++) {
            for (const char *at = tests[l->op][end]; *at; at++) {
                if (*at == '#')
                    fprintf(t->out, "%d", l->n);
                else if (*at == '&')
                    put_pat(t, l->a);
                else
                    fputc(*at, t->out);
            }
            if (end == 0)
                put_pat(t, l->a);
        }
        break;
    }
    case LIT_SCOPE:
        put_our_scope(t, l);
        break;
    case LIT_INSTANT:
        put_instant(t);
        fprintf(t->out, " %s ", instants[l->op]);
        put_pat(t, l->a);
        break;
    case LIT_LONGER:
        put_pat(t, l->b);
        fputs(" - ", t->out);
        put_pat(t, l->a);
        fprintf(t->out, " %s ", l->op ? "<" : ">=");
        // Half a nanosecond less, since lengths are floats.
        fprintf(t->out, "0.%09d5", l->n - 1);
        break;
    }
}

// The recursion of a closure on another side.
static rule_t on_side(const rule_t *r, int side) {
    rule_t other = *r;
    if (!r->recursion || side == 0 || r->count != 2)
        return other;
    other.lits[0].calls[0].pred = r->pred;
    other.lits[1].calls[0].pred = side == 1 ? r->lits[0].calls[0].pred : r->pred;
    return other;
}

static void put_our_rule(text *t, const rule_t *original, style s) {
    rule_t r = on_side(original, s.side);
    int order[LITS_MAX];
    t->r = &r;
    t->renamed = 0;
    count_uses(t);
    draw_order(t, order, r.count);
    put_ours(t, &(call){.pred = r.pred,
                        .args = {r.args[0], r.args[1], r.args[2]},
                        .spec = r.spec,
                        .a = r.a,
                        .b = r.b});
    fputs(" :- ", t->out);
    for (int k = 0; k < r.count; k++) {
        fputs(k ? ", " : "", t->out);
        put_our_lit(t, &r.lits[order[k]]);
    }
    fputs(".\n", t->out);
    t->r = NULL;
}

void write_ours(FILE *out, const program_t *p, style s) {
    text t = {.out = out, .p = p, .s = SYNTAX_OURS, .shuffled = s.shuffled};
    int order[FACTS_MAX];
    if (p->split)
        fputs(":- split o on 1. :- temporal o on 2.\n", out);
    for (int i = 0; i < p->pred_count; i++) {
        const predicate *d = &p->preds[i];
        if (d->temporal) {
            if (!p->split)
                fprintf(out, ":- temporal p%d on %d.\n", i, d->arity + 1);
            continue;
        }
        if (d->best != BEST_NONE)
            fprintf(out, ":- %s p%d on %d.\n", d->best == BEST_LEAST ? "least" : "greatest", i,
                    d->arity);
        if (s.bare && pred_has_clauses(p, i))
            continue;
        fprintf(out, ":- declare p%d(", i);
        for (int c = 0; c < d->arity; c++)
            fprintf(out, "%sa%d: %s", c ? ", " : "", c,
                    d->columns[c] == COLUMN_AT ? "time" : "any");
        fputs(").\n", out);
    }
    draw_order(&t, order, p->fact_count);
    for (int i = 0; i < p->fact_count; i++) {
        const fact_t *f = &p->facts[order[i]];
        const predicate *d = &p->preds[f->pred];
        fprintf(out, "%sp%d(", d->temporal && p->split ? "o(" : "", f->pred);
        for (int c = 0; c < d->arity; c++) {
            fputs(c ? ", " : "", out);
            ground_write(out, f->args[c], SYNTAX_OURS);
        }
        if (d->temporal) {
            fprintf(out, "%s, interval(", p->split ? ")" : "");
            seconds_write(out, f->start);
            fputs(", ", out);
            seconds_write(out, f->end);
            fputs(")", out);
        }
        fputs(i % 6 == 5 ? ").\n" : "). ", out);
    }
    fputc('\n', out);
    draw_order(&t, order, p->rule_count);
    for (int i = 0; i < p->rule_count; i++)
        put_our_rule(&t, &p->rules[order[i]], s);
}

// ---- The peers ----

// prefix name(args, more)
static void put_peer(text *t, const char *prefix, const call *c, const char *more) {
    fprintf(t->out, "%sq%d_%d(", prefix, t->number, c->pred);
    put_args(t, c->args, t->p->preds[c->pred].arity);
    fprintf(t->out, "%s%s)", *more ? "," : "", more);
}

static void put_times(text *t, const char *prefix, const call *c) {
    fprintf(t->out, "%sq%d_%d(", prefix, t->number, c->pred);
    put_args(t, c->args, t->p->preds[c->pred].arity);
    fputc(',', t->out);
    put_pat(t, c->a);
    if (c->spec > SPEC_AT) {
        fputc(',', t->out);
        put_pat(t, c->b);
    }
    fputc(')', t->out);
}

// Prolog: called with nothing bound and matched afterwards, so that there is one table for each
// predicate, and none for f(X), f(f(X)), ... of a recursion that looks into terms.
static void put_open(text *t, const char *prefix, const call *c) {
    int arity = t->p->preds[c->pred].arity, from = t->opened;
    int times = c->spec == SPEC_NONE ? 0 : c->spec == SPEC_INTERVAL ? 2 : 1;
    t->opened += arity + times;
    fprintf(t->out, "(%sq%d_%d(", prefix, t->number, c->pred);
    for (int i = 0; i < arity + times; i++)
        fprintf(t->out, "%sO%d", i ? "," : "", from + i);
    fputs(")", t->out);
    for (int i = 0; i < arity; i++) {
        fprintf(t->out, ", O%d = ", from + i);
        put_pat(t, c->args[i]);
    }
    for (int i = 0; i < times; i++) {
        fprintf(t->out, ", O%d = ", from + arity + i);
        if (c->spec == SPEC_INSTANT)
            fputc('T', t->out);
        else
            put_pat(t, i ? c->b : c->a);
    }
    fputc(')', t->out);
}

// A call, positive or under negation, alike for both peers: what looks at several instants has a
// helper of its own: run_ for maximal intervals, all_ for throughout, some_ for during.
static void put_peer_call(text *t, const call *c) {
    if (t->s == SYNTAX_PROLOG && c->spec != SPEC_DURING && c->spec != SPEC_THROUGHOUT) {
        put_open(t, c->spec == SPEC_INTERVAL ? "run_" : "", c);
        return;
    }
    switch (c->spec) {
    case SPEC_EVER: // ours alone
    case SPEC_NONE:
        put_peer(t, "", c, "");
        break;
    case SPEC_INSTANT:
        put_peer(t, "", c, "T");
        break;
    case SPEC_AT:
        put_times(t, "", c);
        break;
    case SPEC_DURING:
        put_times(t, "some_", c);
        break;
    case SPEC_THROUGHOUT:
        put_times(t, "all_", c);
        break;
    case SPEC_INTERVAL:
        put_times(t, "run_", c);
        break;
    }
}

static bool may_be_no_number(const text *t, int at) {
    const pat *p = &t->p->pool[at];
    return p->kind == PAT_COMPOUND || (p->kind == PAT_VAR && t->r->types[p->n] == COLUMN_ALL) ||
           (p->kind == PAT_CONST && ground_at(p->n)->kind >= GROUND_SYMBOL);
}

static void put_number_guard(text *t, int at) {
    if (!may_be_no_number(t, at))
        return;
    // In the order of clingo numbers stand before everything else.
    fputs(t->s == SYNTAX_PROLOG ? "integer(" : "", t->out);
    put_pat(t, at);
    fputs(t->s == SYNTAX_PROLOG ? "), " : " < 2000000000, ", t->out);
}

// The calls of an aggregate with local variables of their own: they bind its groups.
static void put_groups_found(text *t, const lit *l) {
    uint32_t locals = ~l->groups;
    t->renamed = locals;
    for (int c = 0; c < l->count; c++) {
        put_peer_call(t, &l->calls[c]);
        fputs(", ", t->out);
    }
    t->renamed = 0;
}

static void put_peer_group(text *t, const lit *l) {
    static const char *const ours[] = {"#count", "#sum", "#min", "#max", "#count"};
    static const char *const theirs[] = {"length(L%d, V%d)", "fs_total(L%d, V%d)", "L%d = [V%d|_]",
                                         "last(L%d, V%d)", "length(L%d, V%d)"};
    uint32_t locals = calls_vars(t, l) & ~l->groups;
    bool every = names_all(l);
    bool prolog = t->s == SYNTAX_PROLOG;
    if (l->enumerates || (!prolog && (l->op == GROUP_MIN || l->op == GROUP_MAX)))
        put_groups_found(t, l);
    if (prolog)
        fprintf(t->out, "findall(");
    else
        fprintf(t->out, "V%d = %s { ", l->var, ours[l->op]);
    bool first = true;
    if (l->op != GROUP_GOALS) {
        fprintf(t->out, "V%d", l->over);
        first = false;
        locals &= ~(1u << l->over);
    } else if (prolog) {
        fputs("x", t->out);
        first = false;
    }
    for (int v = 0; every && v < LOCALS_MAX; v++) {
        if (locals >> v & 1) {
            fprintf(t->out, "%sV%d", first ? "" : prolog ? "-" : ",", v);
            first = false;
        }
    }
    for (int c = 0, n = 0; every && c < l->count; c++) {
        for (int i = 0; i < t->p->preds[l->calls[c].pred].arity; i++) {
            if (t->p->pool[l->calls[c].args[i]].kind != PAT_ANY)
                continue;
            fprintf(t->out, "%sA%d", first ? "" : prolog ? "-" : ",", n++);
            first = false;
        }
    }
    if (first)
        fputs("x", t->out);
    t->names_any = every;
    t->fresh = 0;
    fputs(prolog ? ", (" : " : ", t->out);
    for (int c = 0; c < l->count; c++) {
        fputs(c ? ", " : "", t->out);
        put_peer_call(t, &l->calls[c]);
    }
    t->names_any = false;
    if (!prolog) {
        fputs(" }", t->out);
        return;
    }
    fprintf(t->out, "), L%da), sort(L%da, L%d), ", l->var, l->var, l->var);
    fprintf(t->out, theirs[l->op], l->var, l->var);
}

static void put_peer_lit(text *t, const lit *l) {
    static const char *const compares[SYNTAX_PROLOG + 1][COMPARES] = {
        {0}, {" < ", " <= ", " != ", " = ", " < "}, {" < ", " =< ", " \\== ", " == ", " @< "}};
    static const char *const instants[2][4] = {{"<", "<=", ">", ">="}, {"<", "=<", ">", ">="}};
    static const char signs[] = "+-*-";
    bool prolog = t->s == SYNTAX_PROLOG;
    switch (l->kind) {
    case LIT_CALL:
        put_peer_call(t, &l->calls[0]);
        break;
    case LIT_NOT:
        fputs(prolog ? "\\+ " : "not ", t->out);
        put_peer_call(t, &l->calls[0]);
        break;
    case LIT_OR:
        fputc('(', t->out);
        put_peer_call(t, &l->calls[0]);
        fputs(" ; ", t->out);
        put_peer_call(t, &l->calls[1]);
        fputc(')', t->out);
        break;
    case LIT_COMPARE:
        if (l->op <= AT_MOST) {
            put_number_guard(t, l->a);
            put_number_guard(t, l->b);
        }
        put_pat(t, l->a);
        fputs(compares[t->s][l->op], t->out);
        put_pat(t, l->b);
        break;
    case LIT_COMPUTE:
        fprintf(t->out, "V%d %s %s", l->var, prolog ? "is" : "=",
                l->op != APART ? ""
                : prolog       ? "abs("
                               : "|");
        put_pat(t, l->a);
        fprintf(t->out, " %c ", signs[l->op]);
        put_pat(t, l->b);
        fputs(l->op != APART ? "" : prolog ? ")" : "|", t->out);
        // Past 64 bits there is no result.
        if (prolog && t->p->wide)
            fprintf(t->out, ", V%d >= -9223372036854775808, V%d =< 9223372036854775807", l->var,
                    l->var);
        break;
    case LIT_GROUP:
        put_peer_group(t, l);
        break;
    case LIT_INSTANT:
        fprintf(t->out, "T %s ", instants[prolog][l->op]);
        put_pat(t, l->a);
        break;
    case LIT_LONGER:
        put_pat(t, l->b);
        fputs(" - ", t->out);
        put_pat(t, l->a);
        fprintf(t->out, " %s %d", l->op ? "<" : ">=", l->n);
        break;
    case LIT_ALIAS:
    case LIT_ALLEN:
    case LIT_TEXT:
    case LIT_SCOPE:
        fail_msg("peers are not asked about this");
    }
}

static bool binds_instant(const lit *l) {
    return l->kind == LIT_CALL && l->calls[0].spec == SPEC_INSTANT;
}
static bool reads_instant(const lit *l) {
    return l->kind == LIT_INSTANT || (l->count > 0 && l->calls[0].spec == SPEC_INSTANT);
}

// `branch`: which of the calls of a disjunction, for clingo, which has none.
static void put_peer_rule(text *t, const rule_t *r, int branch) {
    const predicate *d = &t->p->preds[r->pred];
    bool prolog = t->s == SYNTAX_PROLOG, instant = false;
    t->r = r;
    call head = {.pred = r->pred, .args = {r->args[0], r->args[1], r->args[2]}, .a = r->a};
    if (d->temporal && r->spec == SPEC_AT) {
        head.spec = SPEC_AT;
        put_times(t, "", &head);
    } else {
        put_peer(t, "", &head, d->temporal ? "T" : "");
    }
    fputs(" :- ", t->out);
    for (int k = 0; k < r->count; k++) {
        lit l = r->lits[k];
        if (reads_instant(&l) && !instant && !binds_instant(&l))
            fprintf(t->out, "inst_q%d(T), ", t->number);
        instant = instant || reads_instant(&l);
        if (!prolog && l.kind == LIT_OR) {
            l.kind = LIT_CALL;
            l.calls[0] = l.calls[branch];
        }
        put_peer_lit(t, &l);
        fputs(k + 1 < r->count ? ", " : "", t->out);
    }
    if (d->temporal && r->spec == SPEC_AT) {
        fprintf(t->out, ", inst_q%d(", t->number);
        put_pat(t, r->a);
        fputc(')', t->out);
    } else if (d->temporal && r->spec == SPEC_INTERVAL) {
        fprintf(t->out, ", inst_q%d(T), T >= ", t->number);
        put_pat(t, r->a);
        fputs(", T < ", t->out);
        put_pat(t, r->b);
    } else if (d->temporal && !instant) {
        fprintf(t->out, ", inst_q%d(T)", t->number);
    }
    fputs(".\n", t->out);
    t->r = NULL;
}

// Whether anything of the predicate is left; what is shrunk loses some.
bool pred_has_clauses(const program_t *p, int pred) {
    for (int i = 0; i < p->rule_count; i++) {
        if (p->rules[i].pred == pred)
            return true;
    }
    for (int i = 0; i < p->fact_count; i++) {
        if (p->facts[i].pred == pred)
            return true;
    }
    return false;
}

static bool uses_spec(const program_t *p, int pred, spec s) {
    for (int i = 0; i < p->rule_count; i++) {
        for (int k = 0; k < p->rules[i].count; k++) {
            const lit *l = &p->rules[i].lits[k];
            for (int c = 0; c < l->count; c++) {
                if (l->calls[c].pred == pred && l->calls[c].spec == s)
                    return true;
            }
        }
    }
    return false;
}

static void put_facts(text *t) {
    for (int i = 0; i < t->p->fact_count; i++) {
        const fact_t *f = &t->p->facts[i];
        const predicate *d = &t->p->preds[f->pred];
        int end = f->end < t->p->slots ? f->end : t->p->slots;
        for (int at = d->temporal ? f->start : 0; at < (d->temporal ? end : 1); at++) {
            fprintf(t->out, "q%d_%d(", t->number, f->pred);
            for (int c = 0; c < d->arity; c++) {
                fputs(c ? "," : "", t->out);
                ground_write(t->out, f->args[c], t->s);
            }
            if (d->temporal)
                fprintf(t->out, ",%d", at);
            fputs("). ", t->out);
        }
    }
    fputc('\n', t->out);
}

// "A0,A1," of a predicate's keys.
static void key_text(const predicate *d, char *keys, size_t size) {
    size_t n = 0;
    for (int c = 0; c < d->arity; c++)
        n += (size_t)snprintf(keys + n, size - n, "A%d,", c);
}

void write_asp(FILE *out, const program_t *p, int number) {
    text t = {.out = out, .p = p, .s = SYNTAX_ASP, .number = number};
    fprintf(out, "inst_q%d(0..%d).\n", number, p->slots - 1);
    put_facts(&t);
    for (int i = 0; i < p->pred_count; i++) {
        const predicate *d = &p->preds[i];
        char k[40], q[20];
        key_text(d, k, sizeof k);
        snprintf(q, sizeof q, "q%d_%d", number, i);
        fprintf(out, "#show %s/%d.\n", q, d->arity + d->temporal);
        if (d->temporal && uses_spec(p, i, SPEC_INTERVAL)) {
            fprintf(out, "go_%s(%sS,S) :- %s(%sS), not %s(%sS-1).\n", q, k, q, k, q, k);
            fprintf(out, "go_%s(%sS,E+1) :- go_%s(%sS,E), %s(%sE+1).\n", q, k, q, k, q, k);
            fprintf(out, "run_%s(%sS,E+1) :- go_%s(%sS,E), not %s(%sE+1).\n", q, k, q, k, q, k);
        }
        if (d->temporal && uses_spec(p, i, SPEC_THROUGHOUT)) {
            fprintf(out, "all_%s(%sT,T+1) :- %s(%sT).\n", q, k, q, k);
            fprintf(out, "all_%s(%sS,E+1) :- all_%s(%sS,E), %s(%sE).\n", q, k, q, k, q, k);
            // Nothing at all, where an interval begins, goes on or ends.
            fprintf(out, "all_%s(%sT,T) :- %s(%sT).\n", q, k, q, k);
            fprintf(out, "all_%s(%sT+1,T+1) :- %s(%sT).\n", q, k, q, k);
        }
        if (d->temporal && uses_spec(p, i, SPEC_DURING)) {
            // [A, B) meets an instant; A may lie before the episode, B after it.
            fprintf(out,
                    "some_%s(%sA,B) :- %s(%sT), A = -40..T, B = T+1..%d.\n"
                    "some_%s(%sT,T) :- %s(%sT).\n",
                    q, k, q, k, p->slots + 40, q, k, q, k);
        }
    }
    for (int i = 0; i < p->rule_count; i++) {
        int branches = 1;
        for (int l = 0; l < p->rules[i].count; l++)
            branches = p->rules[i].lits[l].kind == LIT_OR ? 2 : branches;
        for (int b = 0; b < branches; b++)
            put_peer_rule(&t, &p->rules[i], b);
    }
}

void write_prolog(FILE *out, const program_t *p, int number) {
    text t = {.out = out, .p = p, .s = SYNTAX_PROLOG, .number = number};
    fprintf(out, "inst_q%d(T) :- between(0,%d,T).\n", number, p->slots - 1);
    for (int i = 0; i < p->pred_count; i++) {
        const predicate *d = &p->preds[i];
        char k[40], q[20];
        key_text(d, k, sizeof k);
        snprintf(q, sizeof q, "q%d_%d", number, i);
        int width = d->arity + d->temporal;
        // Facts too, since they may be written twice.
        if (pred_has_clauses(p, i))
            fprintf(out, ":- table %s/%d.\n", q, width);
        if (!d->temporal)
            continue;
        // That it holds of the keys at an instant, of which any may be bound.
        char o[40], same[80];
        size_t n = 0;
        for (int c = 0; c < d->arity; c++)
            n += (size_t)snprintf(same + n, sizeof same - n, ", B%d = A%d", c, c);
        for (size_t c = 0; c <= strlen(k); c++)
            o[c] = k[c] == 'A' ? 'B' : k[c];
        fprintf(out, "at_%s(%sT) :- %s(%sU)%s, U = T.\n", q, k, q, o, same);
        fprintf(out, ":- table go_%s/%d, run_%s/%d, all_%s/%d.\n", q, d->arity + 2, q, d->arity + 2,
                q, d->arity + 2);
        fprintf(out, "go_%s(%sS,S) :- at_%s(%sS), S0 is S-1, \\+ at_%s(%sS0).\n", q, k, q, k, q, k);
        fprintf(out, "go_%s(%sS,F) :- go_%s(%sS,E), F is E+1, at_%s(%sF).\n", q, k, q, k, q, k);
        fprintf(out, "run_%s(%sS,F) :- go_%s(%sS,E), F is E+1, \\+ at_%s(%sF).\n", q, k, q, k, q,
                k);
        fprintf(out, "all_%s(%sA,B) :- A =:= B, at_%s(%sA).\n", q, k, q, k);
        fprintf(out, "all_%s(%sA,B) :- A =:= B, C is A-1, at_%s(%sC).\n", q, k, q, k);
        fprintf(out,
                "all_%s(%sA,B) :- A < B, C is A+1, at_%s(%sA), (C =:= B -> true ; "
                "all_%s(%sC,B)).\n",
                q, k, q, k, q, k);
        fprintf(out, "some_%s(%sA,B) :- at_%s(%sT), A =< T, (T < B -> true ; A =:= B, T =:= A).\n",
                q, k, q, k);
    }
    put_facts(&t);
    for (int i = 0; i < p->rule_count; i++)
        put_peer_rule(&t, &p->rules[i], 0);
    for (int i = 0; i < p->pred_count; i++) {
        const predicate *d = &p->preds[i];
        fprintf(out, "fs_show(%d, q%d_%d(", number, number, i);
        for (int c = 0; c < d->arity + d->temporal; c++)
            fprintf(out, "%s_", c ? "," : "");
        fputs(")).\n", out);
    }
}
