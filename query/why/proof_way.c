// query/why/proof_way.c - finds the bindings of rules (ways) that gave a row, or that cover a span.
#include <stdlib.h>
#include "query/why/proof_int.h"

typedef struct finder {
    prover *P;
    const table *t;
    const rule *r;
    const value *keys;
    interval need; // temporal: what is to be covered
    ways *out;
    intervals covered;
    bool found;
} finder;

static bool give_up(finder *f, status why) {
    prover_fail(f->P, why);
    return false;
}

// ---- Intervals as they stood before a round -----------------------------------------------------

static int by_start(const void *a, const void *b) {
    const interval *x = a, *y = b;
    return x->start != y->start ? (x->start > y->start) - (x->start < y->start)
                                : (x->end > y->end) - (x->end < y->end);
}

// A rule that asks its own component for throughout(A, B) read intervals as they were merged in its
// round. This finds the literal's interval from pieces of earlier rounds alone, and binds its ends.
// False: there was none.
static bool merged_before(finder *f, const literal *l, value *env) {
    prover *P = f->P;
    const table *t = l->table;
    uint32_t keys = t->arity - 2;
    const pattern *sp = l->args[keys], *ep = l->args[keys + 1];
    if (sp->kind != PATTERN_VAR || ep->kind != PATTERN_VAR)
        return true;
    intervals pieces = {0};
    for (uint32_t i = 0; i < t->rows->count; i++) {
        const value *row = relation_row(t->rows, i);
        bool same = relation_round(t->rows, i) < P->m.before;
        for (uint32_t k = 0; k < keys && same; k++)
            same = row[k] == pattern_value(P->p->values, l->args[k], env);
        interval in = {value_nanos(row[keys]), value_nanos(row[keys + 1])};
        if (same && !array_push_try(&pieces, in)) {
            array_finish(&pieces);
            return give_up(f, E_MEMORY);
        }
    }
    intervals_normalise(&pieces);
    value whole_start = env[sp->var], whole_end = env[ep->var];
    bool fits = false;
    for (size_t i = 0; i < pieces.count && !fits; i++) {
        env[sp->var] = values_time(pieces.items[i].start);
        env[ep->var] = values_time(pieces.items[i].end);
        fits = true;
        for (uint32_t k = 0; k < f->r->literal_count && fits; k++) {
            const literal *c = &f->r->literals[k];
            if (c->kind != LITERAL_COMPARE || c->line != l->line || c->column != l->column)
                continue;
            value a = expr_value(P->p->values, c->left, env),
                  b = expr_value(P->p->values, c->right, env);
            fits = a != VALUE_NONE && b != VALUE_NONE &&
                   (c->op == COMPARE_LESS ? values_compare(P->p->values, a, b) < 0
                                          : values_compare(P->p->values, a, b) <= 0);
        }
    }
    array_finish(&pieces);
    if (!fits) {
        env[sp->var] = whole_start;
        env[ep->var] = whole_end;
    }
    return fits;
}

static bool merges_fit(finder *f, value *env) {
    for (uint32_t i = 0; i < f->r->literal_count; i++) {
        const literal *l = &f->r->literals[i];
        if (l->kind == LITERAL_RELATION && !l->negated && l->table && l->table->temporal &&
            l->source == SOURCE_MERGED && l->table->component == f->t->component &&
            !merged_before(f, l, env))
            return false;
    }
    return true;
}

// ---- Ways ---------------------------------------------------------------------------------------

static bool copy_way(finder *f, const rule_plan *p, way *out) {
    size_t size = (f->r->var_count + 1) * sizeof(value);
    arena *in = f->P->counting ? f->P->scratch : f->P->rows;
    *out = (way){.r = f->r, .env = arena_try(in, size), .round = f->P->m.before};
    if (!out->env)
        return give_up(f, E_MEMORY);
    memcpy(out->env, rule_plan_env(p), f->r->var_count * sizeof(value));
    rule_plan_span(p, &out->span);
    return true;
}

static bool take_first(machine *m, rule_plan *p, void *context) {
    finder *f = context;
    way w;
    (void)m;
    if (!copy_way(f, p, &w))
        return false;
    if (!merges_fit(f, w.env))
        return f->P->failed == OK;
    f->found = true;
    if (!array_push_try(f->out, w))
        return give_up(f, E_MEMORY);
    return false;
}

// Gives the interval that a way gives to the head. False: it gives none.
static bool span_of(finder *f, const rule_plan *p, const value *env, interval *out) {
    if (!rule_plan_span(p, out)) {
        values *v = f->P->p->values;
        uint32_t n = f->r->arg_count;
        value s = value_as_time(v, pattern_value(v, f->r->args[n - 2], env)),
              e = value_as_time(v, pattern_value(v, f->r->args[n - 1], env));
        if (value_kind(s) != VALUE_TIME || value_kind(e) != VALUE_TIME)
            return false;
        *out = (interval){value_nanos(s), value_nanos(e)};
    }
    nanos last = f->P->m.end + 1;
    out->start = out->start < 0 ? 0 : out->start;
    out->end = out->end > last ? last : out->end;
    return out->start < out->end;
}

// Returns how much of the needed time the intervals do not cover.
static nanos length_missing(finder *f, const intervals *have) {
    intervals gaps = {0};
    nanos left = 0;
    intervals_complement(have, f->need, &gaps);
    for (size_t i = 0; i < gaps.count; i++)
        left += gaps.items[i].end - gaps.items[i].start;
    array_finish(&gaps);
    return left;
}

static bool take_span(machine *m, rule_plan *p, void *context) {
    finder *f = context;
    way w;
    (void)m;
    interval span;
    if (!span_of(f, p, rule_plan_env(p), &span) || span.end <= f->need.start ||
        span.start >= f->need.end)
        return true;
    nanos before = length_missing(f, &f->covered);
    bool alone = span.start <= f->need.start && span.end >= f->need.end;
    intervals with = {0};
    bool room = array_reserve_try(&with, f->covered.count + 1);
    for (size_t i = 0; i < f->covered.count && room; i++)
        with.items[with.count++] = f->covered.items[i];
    if (!room)
        return give_up(f, E_MEMORY);
    with.items[with.count++] = span;
    intervals_normalise(&with);
    nanos after = length_missing(f, &with);
    if (after == before) {
        array_finish(&with);
        return true;
    }
    if (!copy_way(f, p, &w) || !merges_fit(f, w.env)) {
        array_finish(&with);
        return f->P->failed == OK;
    }
    w.span = span;
    array_finish(&f->covered);
    f->covered = with;
    f->found = after == 0;
    if (alone)
        f->out->count = 0; // a single way that covers all is the better proof
    if (!array_push_try(f->out, w))
        return give_up(f, E_MEMORY);
    return !f->found;
}

static bool run_rule(finder *f, rule_plan_found each) {
    status s = rule_plan_prove(&f->P->m, f->r, f->keys, each, f);
    return s == OK || prover_fail(f->P, s);
}

bool way_to_row(prover *P, const table *t, uint32_t row, way *out) {
    ways found = {0};
    finder f = {.P = P, .t = t, .keys = relation_row(t->rows, row), .out = &found};
    uint32_t before = P->m.before;
    P->m.before = relation_round(t->rows, row);
    bool ok = P->m.before > 0;
    for (size_t i = 0; i < t->rules.count && ok && !f.found; i++) {
        f.r = t->rules.items[i];
        if (f.r->id == relation_origin(t->rows, row))
            ok = run_rule(&f, take_first);
    }
    P->m.before = before;
    if (f.found && found.count > 0) // `found` is set even where there was no memory for the way
        *out = found.items[0];
    array_finish(&found);
    return ok && P->failed == OK && f.found;
}

// ---- Spans --------------------------------------------------------------------------------------

typedef struct piece {
    interval in;
    uint32_t row;
} piece;

static int by_piece(const void *a, const void *b) {
    return by_start(&((const piece *)a)->in, &((const piece *)b)->in);
}

bool ways_to_span(prover *P, const proof_ref *ref, ways *out) {
    const table *t = ref->t;
    uint32_t keys = t->arity - 2, mask = (UINT32_C(1) << keys) - 1;
    interval need = {value_nanos(ref->span[keys]), value_nanos(ref->span[keys + 1])};
    ARRAY(piece) pieces = {0};
    relation_index *index = NULL;
    status s = mask ? relation_index_on(t->rows, mask, &index) : OK;
    uint32_t row = index ? relation_first(t->rows, index, ref->span) : 0;
    while (s == OK && row != ROW_NONE && row < t->rows->count) {
        const value *v = relation_row(t->rows, row);
        piece one = {{value_nanos(v[keys]), value_nanos(v[keys + 1])}, row};
        if ((!ref->before || relation_round(t->rows, row) < ref->before) &&
            one.in.start < need.end && need.start < one.in.end && !array_push_try(&pieces, one))
            s = E_MEMORY;
        row = index ? relation_next(index, row) : row + 1;
    }
    if (s == OK && pieces.count > 1)
        qsort(pieces.items, pieces.count, sizeof *pieces.items, by_piece);
    nanos to = need.start;
    uint32_t before = P->m.before;
    for (size_t i = 0; i < pieces.count && s == OK && P->failed == OK && to < need.end; i++) {
        const piece *one = &pieces.items[i];
        if (one->in.end <= to)
            continue;
        ways found = {0};
        finder f = {.P = P, .t = t, .keys = ref->span, .out = &found};
        f.need.start = one->in.start > to ? one->in.start : to;
        f.need.end = one->in.end < need.end ? one->in.end : need.end;
        P->m.before = relation_round(t->rows, one->row);
        for (size_t k = 0; k < t->rules.count && !f.found && P->failed == OK; k++) {
            f.r = t->rules.items[k];
            if (f.r->id == relation_origin(t->rows, one->row))
                run_rule(&f, take_span);
        }
        bool gap = f.need.start > to;
        if (!f.found || gap)
            s = P->failed != OK ? P->failed : E_USAGE;
        for (size_t k = 0; k < found.count; k++) {
            if (!array_push_try(out, found.items[k]))
                s = E_MEMORY;
            to = found.items[k].span.end > to ? found.items[k].span.end : to;
        }
        array_finish(&found);
        array_finish(&f.covered);
    }
    P->m.before = before;
    array_finish(&pieces);
    if (s == OK && to < need.end)
        s = E_USAGE;
    return s == OK || prover_fail(P, s);
}
