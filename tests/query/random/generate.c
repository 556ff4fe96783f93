// tests/query/random/generate.c - drawing stratified programs whose answers are worth comparing.
//
// Strata are made from below and evaluated at once: a predicate that nothing satisfies is drawn
// again a few times, one that explodes always.
#include "tests/query/random/random.h"

#define TRIES 6

// The closure of a predicate of two columns: q(X, Y) :- e(X, Y).  q(X, Z) :- e(X, Y), q(Y, Z).
static bool make_closure(program_t *p, int pred) {
    const predicate *d = &p->preds[pred];
    for (int tries = 0; tries < 20; tries++) {
        int e = (int)draw((uint32_t)p->pred_count);
        const predicate *o = &p->preds[e];
        if (o->stratum >= d->stratum || o->arity != 2 || o->temporal != d->temporal ||
            o->columns[0] != o->columns[1] || o->columns[0] == COLUMN_AT ||
            o->columns[0] != d->columns[0] || d->columns[1] != d->columns[0])
            continue;
        for (int i = 0; i < 2; i++) {
            rule_t *r = &p->rules[p->rule_count++];
            *r = (rule_t){.pred = pred, .count = 1 + i, .locals = 2 + i, .recursion = i == 1};
            for (int v = 0; v < 3; v++)
                r->types[v] = d->columns[0];
            spec s = r->spec = d->temporal ? SPEC_INSTANT : SPEC_NONE;
            int x = pat_var(p, 0), y = pat_var(p, 1), z = pat_var(p, 2);
            r->args[0] = x;
            r->args[1] = i ? z : y;
            r->lits[0] = (lit){.kind = LIT_CALL, .count = 1, .var = -1, .over = -1};
            r->lits[0].calls[0] = (call){.pred = e, .args = {x, y}, .spec = s};
            r->lits[1] = (lit){.kind = LIT_CALL, .count = 1, .var = -1, .over = -1};
            r->lits[1].calls[0] = (call){.pred = pred, .args = {y, z}, .spec = s};
        }
        p->preds[pred].closure = e + 1;
        return true;
    }
    return false;
}

// The shortest ways along predicates of two columns, or the widest:
//   b(X, Y, c) :- e(X, Y).  b(X, Z, W) :- b(X, Y, V), e(Y, Z), W = V + c, V < k.
// also with another b in place of e. Of all values there are finitely many.
static bool make_best(program_t *p, int pred) {
    const predicate *d = &p->preds[pred];
    int edges[PREDS_MAX], count = 0, sign = d->best == BEST_LEAST ? 1 : -1;
    for (int i = 0; i < p->pred_count; i++) {
        const predicate *o = &p->preds[i];
        if (o->stratum < d->stratum && o->arity == 2 && !o->temporal &&
            o->columns[0] == d->columns[0] && o->columns[1] == d->columns[0])
            edges[count++] = i;
    }
    int rules = count > 0 ? 2 + (int)draw(3) : 0;
    for (int i = 0; i < rules; i++) {
        bool ends = i < 1 + (rules > 3), twice = !ends && chance(35);
        rule_t *r = &p->rules[p->rule_count++];
        *r = (rule_t){.pred = pred, .locals = ends ? 2 : 6};
        for (int v = 0; v < 6; v++)
            r->types[v] = v < 3 ? d->columns[0] : COLUMN_NUM;
        int x = pat_var(p, 0), y = pat_var(p, 1), z = pat_var(p, 2), v = pat_var(p, 3);
        int e = edges[draw((uint32_t)count)], u = pat_var(p, 4), w = pat_var(p, 5);
        int step = pat_const(p, ground_int(draw(4)));
        bool turned = chance(40);
        r->args[0] = x;
        r->args[1] = ends ? y : z;
        r->args[2] = ends ? pat_const(p, ground_int(sign * (int)draw(4))) : w;
        lit edge = {.kind = LIT_CALL, .count = 1, .var = -1, .over = -1};
        edge.calls[0] = (call){.pred = e, .args = {ends || turned ? x : y, ends || turned ? y : z}};
        if (!ends) {
            lit own = edge;
            own.calls[0] = (call){.pred = pred, .args = {turned ? y : x, turned ? z : y, v}};
            r->lits[r->count++] = own;
            int limit = pat_const(p, ground_int(sign * (4 + (int)draw(5))));
            r->lits[r->count++] = (lit){.kind = LIT_COMPARE,
                                        .var = -1,
                                        .over = -1,
                                        .op = LESS,
                                        .a = sign > 0 ? v : limit,
                                        .b = sign > 0 ? limit : v};
            if (twice) {
                edge.calls[0].pred = pred;
                edge.calls[0].args[2] = u;
            }
        }
        r->lits[r->count++] = edge;
        if (twice) {
            int limit = pat_const(p, ground_int(sign * (4 + (int)draw(5))));
            r->lits[r->count++] = (lit){.kind = LIT_COMPARE,
                                        .var = -1,
                                        .over = -1,
                                        .op = LESS,
                                        .a = sign > 0 ? u : limit,
                                        .b = sign > 0 ? limit : u};
        }
        if (!ends)
            r->lits[r->count++] = (lit){.kind = LIT_COMPUTE,
                                        .over = -1,
                                        .var = 5,
                                        .a = v,
                                        .op = twice || sign > 0 ? PLUS : MINUS,
                                        .b = twice ? u : step};
    }
    p->ours = p->ours || rules > 0;
    return rules > 0;
}

static void add_fact(program_t *p, int pred, int a, int b, int start, int end) {
    if (p->fact_count < FACTS_MAX)
        p->facts[p->fact_count++] = (fact_t){pred, {a, b, NO_TERM}, start, end};
}

static void make_facts(program_t *p, bool temporal) {
    static const predicate kinds[] = {
        {1, {COLUMN_NUM}, false, -1, 0},
        {2, {COLUMN_NUM, COLUMN_NUM}, false, -1, 0},
        {2, {COLUMN_ALL, COLUMN_ALL}, false, -1, 0},
        {1, {COLUMN_ALL}, false, -1, 0},
        {2, {COLUMN_AT, COLUMN_AT}, false, -1, 0},
        {1, {COLUMN_NUM}, true, -1, 0},
        {1, {COLUMN_ALL}, true, -1, 0},
        {2, {COLUMN_NUM, COLUMN_NUM}, true, -1, 0},
    };
    int some[8];
    for (int i = 0; i < 8; i++)
        some[i] = draw_any(p, 2);
    p->pred_count = temporal ? 8 : 4;
    for (int i = 0; i < p->pred_count; i++) {
        p->preds[i] = kinds[i];
        int n = kinds[i].arity == 1 && !kinds[i].temporal ? 5 : 7 + (int)draw(6);
        for (int f = 0; f < n; f++) {
            int args[2];
            for (int c = 0; c < 2; c++)
                args[c] = kinds[i].columns[c] == COLUMN_ALL && c < kinds[i].arity && chance(70)
                              ? some[draw(8)]
                              : draw_value(p, kinds[i].columns[c]);
            int start = (int)draw((uint32_t)p->slots), end = start + 1 + (int)draw(8);
            if (kinds[i].columns[0] == COLUMN_AT) {
                args[0] = ground_time(start);
                args[1] = ground_time(chance(15) ? start : end);
            }
            add_fact(p, i, args[0], kinds[i].arity == 2 ? args[1] : NO_TERM, start, end);
            // A piece that touches the last one, of the same key.
            if (kinds[i].temporal && chance(35))
                add_fact(p, i, args[0], kinds[i].arity == 2 ? args[1] : NO_TERM, end,
                         end + 1 + (int)draw(4));
        }
    }
}

static bool stratum_is_empty(const model *m, const program_t *p, int stratum) {
    for (int i = 0; i < p->pred_count; i++) {
        if (p->preds[i].stratum == stratum && m->of[i].rows.count == 0)
            return true;
    }
    return false;
}

bool generate(program_t *p, model *m, uint64_t seed) {
    static const int lengths[] = {12, 20, 33, 63};
    memset(p, 0, sizeof *p);
    draw_seed = seed * 1000003u + 17;
    draw(2);
    p->seed = seed;
    bool temporal = p->temporal = chance(60);
    p->slots = lengths[draw(4)];
    p->wide = chance(12);
    p->split = chance(50);
    p->nests = chance(55); // peers are asked about the others
    make_facts(p, temporal);
    model_start(m, p);
    int strata = 3 + (int)draw(3);
    for (int s = 0; s < strata; s++) {
        int from = p->pred_count, rules = p->rule_count, pool = p->pool_count;
        int nested = p->nested_count;
        int made = 1 + (int)draw(2) + chance(15);
        if (from + made > PREDS_MAX || rules + 3 * made > CLAUSES_MAX)
            break;
        bool alone =
            chance(20); // a best one: a stratum of its own: others would see values before the best
        made = alone ? 1 : made;
        p->strata = s + 1;
        for (int tries = 0;; tries++) {
            p->pred_count = from;
            p->rule_count = rules;
            p->pool_count = pool;
            p->nested_count = nested;
            if (tries == 3 * TRIES)
                return false;
            for (int i = from; i < from + made; i++) {
                predicate *d = &p->preds[i];
                *d = (predicate){.arity = 1 + (int)draw(3), .stratum = s};
                d->temporal = temporal && chance(45);
                if (d->temporal && d->arity == 3)
                    d->arity = 2;
                for (int c = 0; c < WIDTH_MAX; c++)
                    d->columns[c] = chance(45)                                  ? COLUMN_NUM
                                    : chance(temporal && !d->temporal ? 25 : 0) ? COLUMN_AT
                                                                                : COLUMN_ALL;
                if (chance(25))
                    d->columns[1] = d->columns[0];
            }
            p->pred_count = from + made;
            for (int i = from; i < from + made; i++) {
                predicate *d = &p->preds[i];
                if (alone) {
                    column c = chance(50) ? COLUMN_NUM : COLUMN_ALL;
                    *d = (predicate){.arity = 3,
                                     .columns = {c, c, COLUMN_NUM},
                                     .stratum = s,
                                     .best = chance(50) ? BEST_LEAST : BEST_GREATEST};
                    if (make_best(p, i))
                        continue;
                    d->best = BEST_NONE;
                }
                if (p->preds[i].arity == 2 && chance(35) && make_closure(p, i))
                    continue;
                int count = 1 + (int)draw(3);
                for (int r = 0; r < count; r++)
                    make_rule(p, i, r == 0);
            }
            for (int i = from; i < p->pred_count; i++) {
                m->of[i].rows.count = 0;
                free(m->of[i].slots);
                m->of[i].slots = NULL;
                m->of[i].slot_count = 0;
            }
            m->steps = 0;
            m->most = 60000;
            m->unsafe = false;
            bool done = model_stratum(m, p, s);
            assert_false(m->unsafe);
            if (done && (tries >= TRIES || !stratum_is_empty(m, p, s)))
                break;
        }
    }
    return true;
}
