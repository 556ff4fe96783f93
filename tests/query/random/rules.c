// tests/query/random/rules.c - drawing one rule of a random program.
//
// Every rule is safe in the order of its literals, and no recursion builds larger terms, so that
// every engine comes to an end.
#include "tests/query/random/random.h"

#define BOUND 12 // numbers made within recursion stay below

typedef struct maker {
    program_t *p;
    rule_t *r;
    int stratum;
    bool recursive; // some call is of the same stratum
    bool has_instant;
    bool locked[LOCALS_MAX]; // groups that only an aggregate enumerates
    bool bound[LOCALS_MAX];
    bool lists[LOCALS_MAX];      // of size with nothing
    int same[LOCALS_MAX];        // 1 + the variable that this is another name of
    bool sized[LOCALS_MAX];      // compared by size, or equal to what has one
    bool told[LOCALS_MAX];       // equal to what has no size
    int pairs[8][2], pair_count; // patterns of times A =< B
    lit *lits;                   // where literals go: the rule's, or those of a scope
    int *count;
    int depth; // of scopes
    int from;  // the first variable of the scope
} maker;

static int pat_of(program_t *p, pat_kind kind, int n, int a, int b) {
    assert_true(p->pool_count < POOL_MAX);
    p->pool[p->pool_count] = (pat){kind, n, {a, b}};
    return p->pool_count++;
}

int pat_const(program_t *p, int t) {
    return pat_of(p, PAT_CONST, t, 0, 0);
}

int pat_var(program_t *p, int v) {
    return pat_of(p, PAT_VAR, v, 0, 0);
}

// ---- Values ----

static int draw_number(const program_t *p) {
    if (p->wide && chance(40))
        return ground_int((INT64_C(1) << (58 + draw(5))) + (int64_t)draw(3));
    return ground_int((int64_t)draw(6));
}

int draw_any(const program_t *p, int depth) {
    uint32_t r = draw(10);
    if (depth == 0 || r < 4)
        return chance(65) ? draw_number(p)
                          : ground_of(GROUND_SYMBOL, (int64_t)draw(SYMBOLS), NO_TERM, NO_TERM);
    if (r < 7)
        return ground_of(GROUND_COMPOUND, FUNCTOR_F, draw_any(p, depth - 1), NO_TERM);
    if (r < 9)
        return ground_of(GROUND_COMPOUND, FUNCTOR_G, draw_any(p, depth - 1),
                         draw_any(p, depth - 1));
    int list = ground_of(GROUND_SYMBOL, 0, NO_TERM, NO_TERM);
    for (uint32_t n = 1 + draw(2); n > 0; n--)
        list = ground_of(GROUND_COMPOUND, FUNCTOR_CONS, draw_any(p, depth - 1), list);
    return list;
}

int draw_value(const program_t *p, column c) {
    return c == COLUMN_NUM   ? draw_number(p)
           : c == COLUMN_ALL ? draw_any(p, 2)
                             : ground_time((int64_t)draw((uint32_t)p->slots));
}

// ---- Variables ----

static bool column_takes(column c, column type) {
    return c == type || (c == COLUMN_ALL && type == COLUMN_NUM);
}

// A bound variable for a column, or -1.
static int some_var(maker *k, column c) {
    int at = (int)draw(LOCALS_MAX);
    for (int i = 0; i < LOCALS_MAX; i++, at = (at + 1) % LOCALS_MAX) {
        if (at < k->r->locals && k->bound[at] && column_takes(c, k->r->types[at]))
            return at;
    }
    return -1;
}

static int fresh_var(maker *k, column type) {
    if (k->r->locals == LOCALS_MAX)
        return -1;
    k->r->types[k->r->locals] = type;
    k->r->deep[k->r->locals] = 0;
    k->same[k->r->locals] = 0;
    k->sized[k->r->locals] = k->told[k->r->locals] = false;
    k->bound[k->r->locals] = true;
    return k->r->locals++;
}

// A pattern of what is bound already.
static int known(maker *k, column c) {
    int v = chance(88) ? some_var(k, c) : -1;
    return v >= 0 ? pat_var(k->p, v) : pat_const(k->p, draw_value(k->p, c));
}

static int known_var(maker *k, column c) {
    int v = some_var(k, c);
    return v >= 0 ? pat_var(k->p, v) : pat_const(k->p, draw_value(k->p, c));
}

// A pattern of a positive call: binds.
static int binder(maker *k, column c) {
    uint32_t r = draw(100);
    if (r < 5)
        return pat_const(k->p, draw_value(k->p, c));
    if (r < 13)
        return pat_of(k->p, PAT_ANY, 0, 0, 0);
    if (r < 22 && c == COLUMN_ALL && k->r->locals + 2 < LOCALS_MAX) {
        int f = (int)draw(FUNCTORS), a = binder(k, COLUMN_ALL);
        return pat_of(k->p, PAT_COMPOUND, f, a, functor_arity(f) == 2 ? binder(k, COLUMN_ALL) : 0);
    }
    int v = r < 62 ? some_var(k, c) : -1;
    if (v < 0 && c == COLUMN_NUM && r < 50) {
        // Joined with what may be anything, a variable of this scope is a number.
        v = some_var(k, COLUMN_ALL);
        v = v >= k->from ? v : -1;
        if (v >= 0)
            k->r->types[v] = COLUMN_NUM;
    }
    if (v < 0)
        v = fresh_var(k, c);
    if (v < 0)
        v = some_var(k, c);
    return v < 0 ? pat_const(k->p, draw_value(k->p, c)) : pat_var(k->p, v);
}

// ---- Literals ----

static lit *add_lit(maker *k, lit_kind kind) {
    lit *l = &k->lits[(*k->count)++];
    *l = (lit){.kind = kind, .var = -1, .over = -1};
    return l;
}

static bool has_room(const maker *k) {
    return *k->count + 3 < LITS_MAX;
}

static int draw_pred(maker *k, int most, bool (*fits)(const maker *, const predicate *)) {
    for (int tries = 0; tries < 40; tries++) {
        int i = (int)draw((uint32_t)k->p->pred_count);
        const predicate *d = &k->p->preds[i];
        if (d->stratum <= most && (!fits || fits(k, d)) && (d->stratum >= 0 || chance(60)))
            return i;
    }
    return 0;
}

static void times_between(maker *k, call *c) {
    if (k->pair_count > 0 && chance(80)) {
        uint32_t i = draw((uint32_t)k->pair_count);
        c->a = k->pairs[i][0];
        c->b = k->pairs[i][1];
        return;
    }
    int64_t a = (int64_t)draw((uint32_t)k->p->slots), b = a + (int64_t)draw(7);
    // Now and then a span that ends before it begins, which is none.
    if (chance(6))
        b = a > 2 ? a - 2 : 0;
    c->a = pat_const(k->p, ground_time(a));
    c->b = pat_const(k->p, ground_time(b));
}

static void remember_pair(maker *k, int a, int b) {
    if (k->pair_count < 8) {
        k->pairs[k->pair_count][0] = a;
        k->pairs[k->pair_count++][1] = b;
    }
}

// The time of a positive call.
static void time_of_call(maker *k, call *c, bool below) {
    bool instants = k->depth == 0 && k->r->spec == SPEC_INSTANT;
    if (instants && chance(75)) {
        c->spec = SPEC_INSTANT;
        k->has_instant = true;
    } else if (below && chance(55) && k->r->locals + 2 < LOCALS_MAX) {
        c->spec = SPEC_INTERVAL;
        c->a = pat_var(k->p, fresh_var(k, COLUMN_AT));
        c->b = pat_var(k->p, fresh_var(k, COLUMN_AT));
        remember_pair(k, c->a, c->b);
    } else if (chance(45)) {
        c->spec = SPEC_AT;
        c->a = known_var(k, COLUMN_AT);
    } else {
        c->spec = chance(50) ? SPEC_DURING : SPEC_THROUGHOUT;
        times_between(k, c);
    }
}

static call draw_call(maker *k, int most, bool (*fits)(const maker *, const predicate *)) {
    call c = {.pred = draw_pred(k, most, fits)};
    const predicate *d = &k->p->preds[c.pred];
    for (int i = 0; i < d->arity; i++)
        c.args[i] = binder(k, d->columns[i]);
    // Facts whose two columns are times hold spans.
    if (d->stratum < 0 && d->arity == 2 && d->columns[0] == COLUMN_AT &&
        k->p->pool[c.args[0]].kind != PAT_ANY && k->p->pool[c.args[1]].kind != PAT_ANY)
        remember_pair(k, c.args[0], c.args[1]);
    if (d->temporal)
        time_of_call(k, &c, d->stratum < k->stratum);
    k->recursive = k->recursive || d->stratum == k->stratum;
    return c;
}

static bool same_stratum(const maker *k, const predicate *d) {
    return d->stratum == k->stratum;
}
static bool has_times(const maker *k, const predicate *d) {
    (void)k;
    return d->temporal || (d->stratum < 0 && d->columns[0] == COLUMN_AT);
}
static bool is_wide(const maker *k, const predicate *d) {
    (void)k;
    return d->arity >= 2 || d->temporal;
}

// One of two calls of the strata below, with the same variables.
static void add_or(maker *k) {
    lit *l = add_lit(k, LIT_OR);
    l->count = 2;
    l->calls[0] = draw_call(k, k->stratum - 1, is_wide);
    const predicate *d = &k->p->preds[l->calls[0].pred];
    l->calls[1] = l->calls[0];
    for (int tries = 0; tries < 20; tries++) {
        int other = (int)draw((uint32_t)k->p->pred_count);
        const predicate *o = &k->p->preds[other];
        if (o->stratum < k->stratum && o->arity == d->arity && o->temporal == d->temporal &&
            memcmp(o->columns, d->columns, sizeof d->columns) == 0)
            l->calls[1].pred = other;
    }
}

static void add_calls(maker *k, int most) {
    int calls = 1 + (int)draw(2) + (most == k->stratum && chance(30));
    int own = most == k->stratum && chance(70) ? (int)draw((uint32_t)calls) : -1;
    const predicate *head = &k->p->preds[k->r->pred];
    for (int i = 0; i < calls; i++) {
        if (i > 0 && chance(10)) {
            add_or(k);
            continue;
        }
        lit *l = add_lit(k, LIT_CALL);
        call c;
        if (i == own)
            c = draw_call(k, k->stratum, same_stratum);
        else if ((head->temporal || head->columns[0] == COLUMN_AT) && chance(50))
            c = draw_call(k, k->stratum - 1, has_times);
        else
            c = draw_call(k, most, NULL);
        l->calls[0] = c;
        l->count = 1;
    }
}

// l < v < h
static void add_between(maker *k, int v, int64_t low, int64_t high) {
    lit *l = add_lit(k, LIT_COMPARE);
    l->op = LESS;
    l->a = pat_const(k->p, ground_int(low));
    l->b = pat_var(k->p, v);
    l = add_lit(k, LIT_COMPARE);
    l->op = LESS;
    l->a = pat_var(k->p, v);
    l->b = pat_const(k->p, ground_int(high));
}

static void add_compute(maker *k) {
    const predicate *head = &k->p->preds[k->r->pred];
    bool times = false;
    for (int i = 0; i < head->arity; i++)
        times = times || head->columns[i] == COLUMN_AT;
    int v = some_var(k, COLUMN_AT);
    if (v >= 0 && !(k->recursive && times) && chance(50)) {
        int z = fresh_var(k, COLUMN_AT);
        if (z < 0)
            return;
        lit *l = add_lit(k, LIT_COMPUTE);
        l->op = chance(65) ? PLUS : MINUS;
        l->a = pat_var(k->p, v);
        l->b = pat_const(k->p, ground_time((int64_t)draw(5)));
        l->var = z;
        if (l->op == PLUS)
            remember_pair(k, l->a, pat_var(k->p, z));
        return;
    }
    v = some_var(k, COLUMN_NUM);
    if (v < 0)
        return;
    lit made = {.kind = LIT_COMPUTE, .over = -1, .op = (int)draw(k->p->wide ? TIMES : COMPUTES)};
    made.a = pat_var(k->p, v);
    made.b = chance(50) ? known_var(k, COLUMN_NUM) : pat_const(k->p, ground_int(1 + draw(3)));
    made.var = fresh_var(k, COLUMN_NUM);
    if (made.var < 0)
        return;
    *add_lit(k, LIT_COMPUTE) = made;
    if (k->recursive)
        add_between(k, made.var, -1, BOUND);
    else if (!k->p->wide)
        add_between(k, made.var, -1000, 1000);
}

static bool groupable(const maker *k, const predicate *d) {
    (void)k;
    return d->arity >= 1;
}

// Z = aggregate over one or two calls of the strata below.
static void add_group(maker *k) {
    lit l = {.kind = LIT_GROUP, .op = (int)draw(GROUPS), .count = chance(25) ? 2 : 1, .var = -1};
    int over = -1;
    column type = COLUMN_NUM;
    for (int c = 0; c < l.count; c++) {
        int pred = draw_pred(k, k->stratum - 1, groupable);
        const predicate *d = &k->p->preds[pred];
        l.calls[c].pred = pred;
        if (d->temporal && chance(60) && k->r->locals + 4 < LOCALS_MAX) {
            l.calls[c].spec = SPEC_INTERVAL;
            int s = fresh_var(k, COLUMN_AT), e = fresh_var(k, COLUMN_AT);
            l.calls[c].a = pat_var(k->p, s);
            l.calls[c].b = pat_var(k->p, e);
            k->bound[s] = k->bound[e] = false;
            if (over < 0 && chance(50)) {
                over = chance(50) ? s : e;
                type = COLUMN_AT;
            }
        } else if (d->temporal) {
            l.calls[c].spec = SPEC_AT;
            l.calls[c].a = known_var(k, COLUMN_AT);
            if (k->p->pool[l.calls[c].a].kind == PAT_VAR)
                l.groups |= 1u << k->p->pool[l.calls[c].a].n;
        }
        // One column is what is gone over; the others group, join, or stand for anything.
        int mine = over < 0 || (c == 1 && chance(50)) ? (int)draw((uint32_t)d->arity) : -1;
        for (int i = 0; i < d->arity; i++) {
            int v = -1;
            if (i == mine && over < 0) {
                v = fresh_var(k, d->columns[i]);
                if (v < 0)
                    return;
                over = v;
                type = d->columns[i];
                k->bound[v] = false;
            } else if (c == 1 && over >= 0 && i == mine && column_takes(d->columns[i], type)) {
                v = over;
            } else if (chance(60)) {
                v = some_var(k, d->columns[i]);
                if (v >= 0)
                    l.groups |= 1u << v;
                // An equation would say what the groups are; none follows.
                if (v < 0 && l.count == 1 && d->columns[i] != COLUMN_AT &&
                    (v = fresh_var(k, d->columns[i])) >= 0) {
                    l.groups |= 1u << v;
                    l.enumerates = true;
                    k->locked[v] = true;
                }
            }
            l.calls[c].args[i] = v < 0 ? pat_of(k->p, PAT_ANY, 0, 0, 0) : pat_var(k->p, v);
        }
    }
    if (over < 0)
        return;
    if (l.op == GROUP_SUM && (type != COLUMN_NUM || k->p->wide))
        l.op = chance(50) ? GROUP_COUNT : GROUP_MIN;
    l.over = over;
    l.var = fresh_var(k, l.op == GROUP_MIN || l.op == GROUP_MAX ? type : COLUMN_NUM);
    if (l.var < 0)
        return;
    *add_lit(k, LIT_GROUP) = l;
    bool numbers = l.op == GROUP_COUNT || l.op == GROUP_SUM || l.op == GROUP_GOALS;
    if (k->recursive && numbers)
        add_between(k, l.var, -1, BOUND);
}

// Whether more may be said of the instant: where the head has none, a call must have asked for it.
static bool may_narrow(const maker *k) {
    return k->depth == 0 && k->r->spec == SPEC_INSTANT &&
           (k->p->preds[k->r->pred].temporal || k->has_instant);
}

static int root_of(const maker *k, const pat *p);

// A sum of a variable that may hold no number, though nothing says that it holds none; NO_TERM:
// there is no such variable.
static int sum(maker *k, int v) {
    int at = v < 0 ? NO_TERM : pat_var(k->p, v), root = v < 0 ? -1 : root_of(k, &k->p->pool[at]);
    if (v < 0 || (root >= 0 && k->told[root]) || k->lists[v])
        return NO_TERM;
    if (root >= 0)
        k->sized[root] = true;
    k->p->ours = true;
    return pat_of(k->p, PAT_SUM, 1 + (int)draw(3), at, 0);
}

// What a negation names: now and then a sum of what may be no number, a number where instants are,
// or an instant where numbers are.
static int absent(maker *k, column c) {
    column other = c == COLUMN_AT ? COLUMN_NUM : COLUMN_AT;
    int added = c != COLUMN_AT && chance(12) ? sum(k, some_var(k, COLUMN_ALL)) : NO_TERM;
    if (added != NO_TERM)
        return added;
    int v = k->p->temporal && chance(15) ? some_var(k, other) : -1;
    if (v < 0)
        return known(k, c);
    k->p->ours = true;
    return pat_var(k->p, v);
}

static void add_not(maker *k) {
    lit l = {.kind = LIT_NOT, .count = 1, .var = -1, .over = -1};
    call *c = &l.calls[0];
    c->pred = draw_pred(k, k->stratum - 1, is_wide);
    const predicate *d = &k->p->preds[c->pred];
    for (int i = 0; i < d->arity; i++)
        c->args[i] = chance(18) ? pat_of(k->p, PAT_ANY, 0, 0, 0) : absent(k, d->columns[i]);
    if (d->temporal) {
        uint32_t r = draw(100);
        if (may_narrow(k) && r < 75) {
            c->spec = SPEC_INSTANT;
            k->has_instant = true;
        } else if (chance(25)) {
            c->spec = SPEC_EVER;
            k->p->ours = true;
        } else if (r < 85) {
            c->spec = SPEC_AT;
            c->a = known_var(k, COLUMN_AT);
        } else {
            c->spec = r < 93 ? SPEC_DURING : SPEC_THROUGHOUT;
            times_between(k, c);
        }
    }
    *add_lit(k, LIT_NOT) = l;
}

// ---- Scopes ----

static bool has_any(const program_t *p, int at) {
    const pat *x = &p->pool[at];
    return x->kind == PAT_ANY ||
           (x->kind == PAT_COMPOUND &&
            (has_any(p, x->args[0]) || (functor_arity(x->n) == 2 && has_any(p, x->args[1]))));
}

// A call that binds, of a stratum below, or one of two.
static void add_inner_call(maker *k) {
    bool recursive = k->recursive;
    if (chance(20)) {
        add_or(k);
        k->recursive = recursive;
        lit *l = &k->lits[*k->count - 1];
        // Each `_` is a variable of its own, which the other side has not: two solutions, not one.
        for (int i = 0; i < k->p->preds[l->calls[0].pred].arity; i++) {
            if (has_any(k->p, l->calls[0].args[i])) {
                l->kind = LIT_CALL;
                l->count = 1;
            }
        }
        return;
    }
    lit *l = add_lit(k, LIT_CALL);
    l->calls[0] = draw_call(k, k->stratum - 1, NULL);
    l->count = 1;
    k->recursive = recursive;
}

static int root_of(const maker *k, const pat *x) {
    int v = x->kind == PAT_VAR ? x->n : -1;
    while (v >= 0 && k->same[v])
        v = k->same[v] - 1;
    return v;
}

// What the checker knows to be no number is neither compared by size nor equal to one: that is
// refused. Nor is a list equal to anything but a list.
static void settle_compare(maker *k, lit *l) {
    const pat *a = &k->p->pool[l->a], *b = &k->p->pool[l->b];
    int x = root_of(k, a), y = root_of(k, b);
    bool list = (a->kind == PAT_VAR && k->lists[a->n]) || (b->kind == PAT_VAR && k->lists[b->n]);
    bool told = (x >= 0 && k->told[x]) || (y >= 0 && k->told[y]);
    if (list)
        l->op = BEFORE;
    if (l->op == BEFORE || l->op == UNEQUAL)
        return;
    ground_kind kind = b->kind == PAT_CONST ? ground_at(b->n)->kind : GROUND_INT;
    bool tells = l->op == EQUAL && (kind == GROUND_SYMBOL || kind == GROUND_COMPOUND);
    if (told || (tells && k->sized[x])) {
        l->op = l->op == EQUAL ? UNEQUAL : BEFORE;
        return;
    }
    if (x >= 0)
        *(tells ? &k->told[x] : &k->sized[x]) = true;
    if (y >= 0)
        k->sized[y] = true;
}

static void add_compare(maker *k) {
    lit l = {.kind = LIT_COMPARE, .var = -1, .over = -1};
    bool times = chance(25);
    int x = times ? some_var(k, COLUMN_AT) : some_var(k, COLUMN_ALL);
    if (x < 0 || k->locked[x])
        return;
    l.op = times ? (int)draw(BEFORE) : (int)draw(COMPARES);
    l.a = pat_var(k->p, x);
    int other = some_var(k, k->r->types[x]);
    l.b = other >= 0 && other != x && !k->locked[other]
              ? pat_var(k->p, other)
              : pat_const(k->p, draw_value(k->p, k->r->types[x]));
    settle_compare(k, &l);
    *add_lit(k, LIT_COMPARE) = l;
}

static void add_alias(maker *k) {
    int x = some_var(k, chance(70) ? COLUMN_ALL : COLUMN_AT);
    if (x < 0 || k->locked[x] || k->r->locals + 2 > LOCALS_MAX)
        return;
    lit l = {.kind = LIT_ALIAS, .over = -1, .a = pat_var(k->p, x)};
    // A variable that holds numbers since it is joined with some may hold others where it is
    // copied.
    l.var = fresh_var(k, k->r->types[x] == COLUMN_NUM ? COLUMN_ALL : k->r->types[x]);
    k->lists[l.var] = k->lists[x];
    k->same[l.var] = x + 1;
    *add_lit(k, LIT_ALIAS) = l;
}

static void add_allen(maker *k) {
    call i = {0}, j = {0};
    times_between(k, &i);
    times_between(k, &j);
    lit l = {.kind = LIT_ALLEN, .var = -1, .over = -1, .op = (int)draw(14)};
    l.a = i.a;
    l.b = i.b;
    l.c = j.a;
    l.d = j.b;
    *add_lit(k, LIT_ALLEN) = l;
    k->p->ours = true;
}

static void add_text(maker *k) {
    int x = some_var(k, COLUMN_ALL);
    if (x < 0 || k->locked[x] || k->r->types[x] != COLUMN_ALL)
        return;
    *add_lit(k, LIT_TEXT) = (lit){.kind = LIT_TEXT,
                                  .var = -1,
                                  .over = -1,
                                  .op = (int)draw(TEXT_TESTS),
                                  .a = pat_var(k->p, x),
                                  .n = (int)draw(4)};
    k->p->ours = true;
}

static void add_scope(maker *k);

static void fill_scope(maker *k) {
    for (int n = 1 + (int)draw(2); n > 0; n--)
        add_inner_call(k);
    if (chance(30))
        add_compare(k);
    if (chance(20))
        add_alias(k);
    if (chance(15))
        add_allen(k);
    if (chance(12))
        add_text(k);
    if (chance(20))
        add_not(k);
    if (k->depth < DEPTH_OF_SCOPES && chance(35))
        add_scope(k);
}

// What an aggregate goes over: a variable of its own literals, which binds it.
static int draw_over(const maker *k, int from, bool number) {
    int many = k->r->locals - from, at = many > 0 ? (int)draw((uint32_t)many) : 0;
    for (int i = 0; i < many; i++) {
        int v = from + (at + i) % many;
        if (k->bound[v] && (!number || k->r->types[v] == COLUMN_NUM))
            return v;
    }
    return -1;
}

// A scope with literals of its own, and scopes in it. What is bound so far it has from around it.
static void add_scope(maker *k) {
    lit own[LITS_MAX], l = {.kind = LIT_SCOPE, .var = -1, .over = -1};
    lit *outer = k->lits;
    int *outer_count = k->count, count = 0, from = k->r->locals, pairs = k->pair_count,
        outer_from = k->from;
    column result = COLUMN_NUM;
    if (k->r->locals + 8 > LOCALS_MAX || k->p->nested_count + LITS_MAX > NESTED_MAX)
        return;
    l.scope = (scope)draw(4);
    // What an aggregate alone enumerates is bound for no other one.
    for (int v = 0; v < from; v++)
        k->bound[v] = k->bound[v] && !k->locked[v];
    k->lits = own;
    k->count = &count;
    k->from = from;
    k->depth++;
    fill_scope(k);
    k->depth--;
    k->from = outer_from;
    k->lits = outer;
    k->count = outer_count;
    k->pair_count = pairs;
    if (l.scope != SCOPE_NOT) {
        l.op = (int)draw(l.scope == SCOPE_VALUE ? GROUPS_OURS : GROUP_MIN);
        if (l.scope != SCOPE_VALUE && chance(40))
            l.op = GROUP_GOALS;
        bool adds = l.op == GROUP_SUM || l.op == GROUP_FLOOR_AVG;
        l.over = l.op == GROUP_GOALS ? -1 : draw_over(k, from, adds);
        if (l.over < 0 || (adds && k->p->wide)) {
            l.op = GROUP_GOALS;
            l.over = -1;
        } else if (l.op == GROUP_MIN || l.op == GROUP_MAX) {
            result = k->r->types[l.over];
        } else if (l.op == GROUP_LIST) {
            // Terms have no instants within.
            result = COLUMN_ALL;
            if (k->r->types[l.over] == COLUMN_AT)
                l.op = GROUP_COUNT, result = COLUMN_NUM;
        }
    }
    for (int v = 0; v < from; v++)
        k->bound[v] = k->bound[v] || k->locked[v];
    for (int v = from; v < k->r->locals; v++) {
        k->bound[v] = false;
        // Scopes side by side have names in common, those around them have not.
        if (!k->r->deep[v] && k->r->locals - from < 9)
            k->r->deep[v] = (int8_t)(10 * (k->depth + 1) + (v - from) + 1);
    }
    l.compare = (int)draw(BEFORE);
    l.n = (int)draw(4);
    l.first = k->p->nested_count;
    l.inside = count;
    memcpy(k->p->nested + l.first, own, (size_t)count * sizeof *own);
    k->p->nested_count += count;
    if (l.scope == SCOPE_VALUE && (l.var = fresh_var(k, result)) < 0)
        return;
    if (l.scope == SCOPE_VALUE)
        k->lists[l.var] =
            l.op == GROUP_LIST || ((l.op == GROUP_MIN || l.op == GROUP_MAX) && k->lists[l.over]);
    *add_lit(k, LIT_SCOPE) = l;
    k->p->ours = true;
    bool numbers = l.op != GROUP_MIN && l.op != GROUP_MAX && l.op != GROUP_LIST;
    if (l.scope == SCOPE_VALUE && k->recursive && k->depth == 0 && numbers)
        add_between(k, l.var, -1, BOUND);
}

static void add_tests(maker *k) {
    if (has_room(k) && chance(35)) {
        lit l = {.kind = LIT_COMPARE, .var = -1, .over = -1};
        int v = some_var(k, COLUMN_ALL), t = some_var(k, COLUMN_AT);
        column type = t >= 0 && (v < 0 || chance(50)) ? COLUMN_AT : COLUMN_ALL;
        l.op = type == COLUMN_AT ? (int)draw(BEFORE) : (int)draw(COMPARES);
        int x = type == COLUMN_AT ? t : v;
        if (x >= 0) {
            l.a = pat_var(k->p, x);
            int other = some_var(k, type);
            // A number and what is none are never compared: that is refused.
            l.b = other >= 0 && other != x ? pat_var(k->p, other)
                                           : pat_const(k->p, draw_value(k->p, k->r->types[x]));
            const pat *b = &k->p->pool[l.b];
            if (l.op == EQUAL && (k->locked[x] || (b->kind == PAT_VAR && k->locked[b->n])))
                l.op = UNEQUAL;
            settle_compare(k, &l);
            if (l.op == UNEQUAL && type == COLUMN_ALL && chance(30)) {
                int added = sum(k, x);
                l.a = added != NO_TERM ? added : l.a;
            }
            *add_lit(k, LIT_COMPARE) = l;
        }
    }
    if (has_room(k) && k->pair_count > 0 && chance(30)) {
        uint32_t i = draw((uint32_t)k->pair_count);
        *add_lit(k, LIT_LONGER) = (lit){.kind = LIT_LONGER,
                                        .var = -1,
                                        .over = -1,
                                        .op = chance(30),
                                        .a = k->pairs[i][0],
                                        .b = k->pairs[i][1],
                                        .n = 2 + (int)draw(5)};
    }
    for (int n = 0; n < 2 && has_room(k) && k->stratum > 0 && chance(n ? 20 : 55); n++)
        add_not(k);
    if (may_narrow(k) && has_room(k) && chance(25)) {
        *add_lit(k, LIT_INSTANT) = (lit){.kind = LIT_INSTANT,
                                         .var = -1,
                                         .over = -1,
                                         .op = (int)draw(4),
                                         .a = known(k, COLUMN_AT)};
        k->has_instant = true;
    }
}

static void make_head(maker *k) {
    const predicate *d = &k->p->preds[k->r->pred];
    for (int i = 0; i < d->arity; i++) {
        column c = d->columns[i];
        if (c == COLUMN_ALL && chance(18)) {
            // Within recursion only of numbers, of which there are few.
            column inner = k->recursive ? COLUMN_NUM : COLUMN_ALL;
            int f = (int)draw(FUNCTORS), v = some_var(k, inner), w = some_var(k, inner);
            if (v >= 0 && w >= 0) {
                k->r->args[i] = pat_of(k->p, PAT_COMPOUND, f, pat_var(k->p, v), pat_var(k->p, w));
                continue;
            }
        }
        k->r->args[i] = known(k, c);
    }
    if (d->temporal && k->r->spec == SPEC_AT) {
        k->r->a = known_var(k, COLUMN_AT);
    } else if (d->temporal && k->r->spec == SPEC_INTERVAL) {
        call c = {0};
        times_between(k, &c);
        k->r->a = c.a;
        k->r->b = c.b;
    } else if (d->temporal && !k->has_instant) {
        *add_lit(k, LIT_INSTANT) = (lit){.kind = LIT_INSTANT,
                                         .var = -1,
                                         .over = -1,
                                         .op = (int)draw(4),
                                         .a = known(k, COLUMN_AT)};
    }
}

static void draw_rule(program_t *p, int pred, bool first) {
    maker k = {.p = p, .r = &p->rules[p->rule_count++], .stratum = p->preds[pred].stratum};
    *k.r = (rule_t){.pred = pred};
    k.lits = k.r->lits;
    k.count = &k.r->count;
    if (p->preds[pred].temporal) {
        uint32_t r = draw(100);
        k.r->spec = r < 65 ? SPEC_INSTANT : r < 90 ? SPEC_INTERVAL : SPEC_AT;
    } else if (chance(25)) {
        k.r->spec = SPEC_INSTANT; // some instant, where a call asks for one
    }
    add_calls(&k, first ? k.stratum - 1 : k.stratum);
    if (!p->preds[pred].temporal && k.r->spec == SPEC_INSTANT) {
        p->ours = p->ours || k.has_instant;
        k.r->spec = k.has_instant ? SPEC_INSTANT : SPEC_NONE;
    }
    if (has_room(&k) && chance(30))
        add_compute(&k);
    if (has_room(&k) && k.stratum > 0 && chance(30))
        add_group(&k);
    if (has_room(&k) && k.stratum > 0 && p->nests && chance(45))
        add_scope(&k);
    add_tests(&k);
    make_head(&k);
}

void make_rule(program_t *p, int pred, bool first) {
    int pool = p->pool_count, nested = p->nested_count;
    for (int tries = 0; tries < 50; tries++) {
        draw_rule(p, pred, first);
        if (rule_is_safe(p, &p->rules[p->rule_count - 1]))
            return;
        p->rule_count--;
        p->pool_count = pool;
        p->nested_count = nested;
    }
    fail_msg("no safe rule came of 50");
}
