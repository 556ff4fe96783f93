// tests/query/random/naive.c - evaluation that is too simple to share an engine's mistakes.
//
// Every rule is tried over all rows until nothing is added; the instants of a temporal row are the
// bits of a word, so that there are no intervals but where a literal asks for them.
#include <math.h>
#include "tests/query/random/random.h"
#include "base/hash.h"

#define ROWS_MAX 260
#define DEPTH_MAX 9

// ---- Rows ----

static size_t row_slot(const rows_t *r, const int *args, int arity) {
    size_t at = (size_t)hash_bytes(args, (size_t)arity * sizeof *args) % r->slot_count;
    for (; r->slots[at]; at = (at + 1) % r->slot_count) {
        if (memcmp(r->rows.items[r->slots[at] - 1].args, args, (size_t)arity * sizeof *args) == 0)
            break;
    }
    return at;
}

row_t *rows_find(const rows_t *r, const int *args, int arity) {
    if (r->slot_count == 0)
        return NULL;
    size_t at = row_slot(r, args, arity);
    return r->slots[at] ? &r->rows.items[r->slots[at] - 1] : NULL;
}

// True: something is new.
static bool rows_add(rows_t *r, const int *args, int arity, uint64_t when) {
    if (r->rows.count * 2 >= r->slot_count) {
        free(r->slots);
        r->slot_count = r->slot_count ? 2 * r->slot_count : 64;
        r->slots = calloc(r->slot_count, sizeof *r->slots);
        assert_non_null(r->slots);
        for (size_t i = 0; i < r->rows.count; i++)
            r->slots[row_slot(r, r->rows.items[i].args, arity)] = (int)i + 1;
    }
    size_t at = row_slot(r, args, arity);
    if (r->slots[at]) {
        row_t *old = &r->rows.items[r->slots[at] - 1];
        bool moved = (when & ~old->when) != 0;
        old->when |= when;
        return moved;
    }
    row_t fresh = {.when = when};
    memcpy(fresh.args, args, (size_t)arity * sizeof *args);
    array_push(&r->rows, fresh);
    r->slots[at] = (int)r->rows.count;
    return true;
}

bool rows_same(const rows_t *a, const rows_t *b, int arity) {
    if (a->rows.count != b->rows.count)
        return false;
    for (size_t i = 0; i < a->rows.count; i++) {
        const row_t *other = rows_find(b, a->rows.items[i].args, arity);
        if (!other || other->when != a->rows.items[i].when)
            return false;
    }
    return true;
}

bool interval_after(uint64_t when, int from, int *start, int *end) {
    int s = from;
    // One that began earlier is not seen again.
    while (s > 0 && s < SLOTS_MAX && (when >> s & 1) && (when >> (s - 1) & 1))
        s++;
    while (s < SLOTS_MAX && !(when >> s & 1))
        s++;
    if (s >= SLOTS_MAX)
        return false;
    *start = s;
    for (*end = s; *end < SLOTS_MAX && (when >> *end & 1);)
        ++*end;
    return true;
}

// ---- Patterns ----

typedef struct frame {
    model *m;
    const program_t *p;
    const rule_t *r;
    bool moved;
    const lit *lits; // of the rule, or of a scope in it
    int count;
    struct solutions *into; // of a scope: where its solutions go
} frame;

// NO_TERM: it is no number, or too large a one.
static int sum_of(const pat *p, int a) {
    int64_t n;
    if (a == NO_TERM || ground_at(a)->kind != GROUND_INT ||
        __builtin_add_overflow(ground_at(a)->n, (int64_t)p->n, &n))
        return NO_TERM;
    return ground_int(n);
}

static int evaluate_pat(frame *f, int at, const int *env) {
    const pat *p = &f->p->pool[at];
    switch (p->kind) {
    case PAT_CONST:
        return p->n;
    case PAT_VAR:
        if (env[p->n] == NO_TERM)
            f->m->unsafe = true;
        return env[p->n];
    case PAT_ANY:
        f->m->unsafe = true;
        return NO_TERM;
    case PAT_SUM:
        return sum_of(p, evaluate_pat(f, p->args[0], env));
    default: {
        int a = evaluate_pat(f, p->args[0], env), b = NO_TERM;
        if (functor_arity(p->n) == 2)
            b = evaluate_pat(f, p->args[1], env);
        if (f->m->unsafe)
            return NO_TERM;
        return ground_of(GROUND_COMPOUND, p->n, a, b);
    }
    }
}

// A number is the instant of so many seconds.
static bool same_ground(int a, int b) {
    const ground *x = ground_at(a), *y = ground_at(b);
    if (x->kind == GROUND_TIME && y->kind == GROUND_INT)
        return same_ground(b, a);
    return a == b || (x->kind == GROUND_INT && y->kind == GROUND_TIME && y->n % 1000000000 == 0 &&
                      x->n == y->n / 1000000000);
}

static bool match_pat(const program_t *program, int at, int t, int *env) {
    const pat *p = &program->pool[at];
    switch (p->kind) {
    case PAT_CONST:
        return same_ground(p->n, t);
    case PAT_VAR:
        if (env[p->n] == NO_TERM)
            env[p->n] = t;
        return same_ground(env[p->n], t);
    case PAT_ANY:
        return true;
    case PAT_SUM: {
        int sum = sum_of(p, env[program->pool[p->args[0]].n]);
        return sum != NO_TERM && same_ground(sum, t);
    }
    default: {
        const ground *g = ground_at(t);
        if (g->kind != GROUND_COMPOUND || g->n != p->n)
            return false;
        int a = g->args[0], b = g->args[1];
        return match_pat(program, p->args[0], a, env) &&
               (functor_arity(p->n) == 1 || match_pat(program, p->args[1], b, env));
    }
    }
}

static int64_t time_of(frame *f, int at, const int *env) {
    int t = evaluate_pat(f, at, env);
    return t == NO_TERM ? 0 : ground_at(t)->n;
}

static bool bit(uint64_t when, int64_t at) {
    return at >= 0 && at < SLOTS_MAX && (when >> at & 1);
}

// Whether a row's instants meet a specification whose times are bound.
static bool spec_holds(frame *f, const call *c, uint64_t when, const int *env) {
    int64_t a = time_of(f, c->a, env), b = c->spec == SPEC_AT ? a : time_of(f, c->b, env);
    if (c->spec == SPEC_AT)
        return bit(when, a);
    if (c->spec >= SPEC_DURING && b < a)
        return false; // no span
    if (c->spec == SPEC_DURING) {
        for (int64_t t = a; t < b || t == a; t++) {
            if (bit(when, t))
                return true;
        }
        return false;
    }
    int start, end;
    for (int from = 0; interval_after(when, from, &start, &end); from = end) {
        if (start <= a && b <= end)
            return true;
    }
    return false;
}

// Calls `each` for every way in which the call holds, with the variables it binds. False stops.
typedef bool (*found)(frame *f, int *env, uint64_t when, void *context);
static bool each_way(frame *f, const call *c, const int *env, found each, void *context) {
    const predicate *d = &f->p->preds[c->pred];
    // Rows are added while they are gone through: fetched anew each time.
    for (size_t i = 0; i < f->m->of[c->pred].rows.count; i++) {
        row_t row = f->m->of[c->pred].rows.items[i];
        int bound[LOCALS_MAX];
        memcpy(bound, env, sizeof bound);
        bool fits = ++f->m->steps < f->m->most;
        for (int k = 0; k < d->arity && fits; k++)
            fits = match_pat(f->p, c->args[k], row.args[k], bound);
        if (!fits)
            continue;
        if (c->spec == SPEC_INTERVAL) {
            int start, end;
            for (int from = 0; interval_after(row.when, from, &start, &end); from = end) {
                int inner[LOCALS_MAX];
                memcpy(inner, bound, sizeof inner);
                if (match_pat(f->p, c->a, ground_time(start), inner) &&
                    match_pat(f->p, c->b, ground_time(end), inner) &&
                    !each(f, inner, row.when, context))
                    return false;
            }
        } else if (c->spec == SPEC_EVER ? row.when != 0
                                        : c->spec == SPEC_NONE || c->spec == SPEC_INSTANT ||
                                              spec_holds(f, c, row.when, bound)) {
            if (!each(f, bound, row.when, context))
                return false;
        }
        if (f->m->unsafe)
            return false;
    }
    return true;
}

// ---- Literals ----

static void run(frame *f, int k, int *env, uint64_t when);

typedef struct onward {
    int k;
    uint64_t when;
    bool instant;
} onward;

static bool go_on(frame *f, int *env, uint64_t when, void *context) {
    const onward *o = context;
    uint64_t left = o->instant ? o->when & when : o->when;
    if (left)
        run(f, o->k, env, left);
    return true;
}

static bool gather_when(frame *f, int *env, uint64_t when, void *context) {
    (void)f;
    (void)env;
    *(uint64_t *)context |= when;
    return true;
}

static bool note_hit(frame *f, int *env, uint64_t when, void *context) {
    (void)f;
    (void)env;
    (void)when;
    *(bool *)context = true;
    return false;
}

static bool compare_holds(frame *f, const lit *l, const int *env) {
    int a = evaluate_pat(f, l->a, env), b = evaluate_pat(f, l->b, env);
    if (f->m->unsafe || a == NO_TERM || b == NO_TERM)
        return false;
    const ground *x = ground_at(a), *y = ground_at(b);
    bool ordered = (x->kind == GROUND_INT || x->kind == GROUND_TIME) && x->kind == y->kind;
    switch (l->op) {
    case LESS:
        return ordered && x->n < y->n;
    case AT_MOST:
        return ordered && x->n <= y->n;
    case UNEQUAL:
        return a != b;
    case EQUAL:
        return a == b;
    default:
        return ground_order(a, b) < 0;
    }
}

static int computed(frame *f, const lit *l, const int *env) {
    int a = evaluate_pat(f, l->a, env), b = evaluate_pat(f, l->b, env);
    if (f->m->unsafe)
        return NO_TERM;
    const ground *x = ground_at(a), *y = ground_at(b);
    int64_t n;
    if (x->kind == GROUND_TIME) {
        n = l->op == PLUS ? x->n + y->n : x->n - y->n;
        return ground_time(n);
    }
    if (x->kind != GROUND_INT || y->kind != GROUND_INT)
        return NO_TERM;
    bool over = l->op == PLUS    ? __builtin_add_overflow(x->n, y->n, &n)
                : l->op == TIMES ? __builtin_mul_overflow(x->n, y->n, &n)
                                 : __builtin_sub_overflow(x->n, y->n, &n);
    if (over)
        return NO_TERM;
    return ground_int(l->op == APART && n < 0 ? -n : n);
}

// The solutions of an aggregate's calls.
typedef struct solution {
    int env[LOCALS_MAX];
} solution;
typedef struct solutions {
    ARRAY(solution) all;
    const lit *l;
    int at;
} solutions;

static bool gather(frame *f, int *env, uint64_t when, void *context) {
    (void)when;
    solutions *s = context;
    if (++s->at < s->l->count) {
        each_way(f, &s->l->calls[s->at], env, gather, s);
    } else {
        solution one;
        memcpy(one.env, env, sizeof one.env);
        array_push(&s->all, one);
    }
    s->at--;
    return f->m->steps < f->m->most;
}

static void add_solution(solutions *s, const int *env) {
    solution one;
    memcpy(one.env, env, sizeof one.env);
    array_push(&s->all, one);
}

static bool same_on(const int *a, const int *b, uint32_t vars) {
    for (int v = 0; v < LOCALS_MAX; v++) {
        if ((vars >> v & 1) && a[v] != b[v])
            return false;
    }
    return true;
}

#define ITEMS_MAX 300

static int by_order(const void *a, const void *b) {
    return ground_order(*(const int *)a, *(const int *)b);
}

static int list_of(int *items, int count) {
    int list = ground_of(GROUND_SYMBOL, 0, NO_TERM, NO_TERM);
    qsort(items, (size_t)count, sizeof *items, by_order);
    while (count-- > 0)
        list = ground_of(GROUND_COMPOUND, FUNCTOR_CONS, items[count], list);
    return list;
}

// Counts of goals, and sums, are over all ways in which the goals hold.
static bool of_all_ways(const lit *l) {
    return l->op == GROUP_GOALS || l->op == GROUP_SUM || l->op == GROUP_FLOOR_AVG;
}

// The aggregate over the solutions that agree with `env` on the groups.
static int aggregate(const solutions *s, const int *env) {
    const lit *l = s->l;
    int64_t count = 0, total = 0;
    bool overflow = false;
    int least = NO_TERM, most = NO_TERM, distinct[ITEMS_MAX];
    for (size_t i = 0; i < s->all.count; i++) {
        const int *one = s->all.items[i].env;
        bool fresh = same_on(one, env, l->groups);
        for (size_t k = 0; k < i && fresh && !of_all_ways(l); k++)
            fresh = !same_on(s->all.items[k].env, env, l->groups) ||
                    !same_on(s->all.items[k].env, one, 1u << l->over);
        if (!fresh)
            continue;
        count++;
        if (l->op == GROUP_GOALS)
            continue;
        int x = one[l->over];
        if (l->op == GROUP_LIST && count <= ITEMS_MAX)
            distinct[count - 1] = x;
        overflow = __builtin_add_overflow(total, ground_at(x)->n, &total) || overflow;
        least = least == NO_TERM || ground_order(x, least) < 0 ? x : least;
        most = most == NO_TERM || ground_order(x, most) > 0 ? x : most;
    }
    switch (l->op) {
    case GROUP_SUM:
        return overflow ? NO_TERM : ground_int(total);
    case GROUP_MIN:
        return least;
    case GROUP_MAX:
        return most;
    case GROUP_FLOOR_AVG:
        return count ? ground_int((int64_t)floor((double)total / (double)count)) : NO_TERM;
    case GROUP_LIST:
        return list_of(distinct, count > ITEMS_MAX ? ITEMS_MAX : (int)count);
    default:
        return ground_int(count);
    }
}

static void run_group(frame *f, int k, int *env, uint64_t when) {
    const lit *l = &f->lits[k];
    solutions s = {.l = l, .at = 0};
    each_way(f, &l->calls[0], env, gather, &s);
    for (size_t i = 0; i < (l->enumerates ? s.all.count : 1); i++) {
        int inner[LOCALS_MAX];
        memcpy(inner, env, sizeof inner);
        bool fresh = true;
        for (size_t j = 0; l->enumerates && j < i && fresh; j++)
            fresh = !same_on(s.all.items[j].env, s.all.items[i].env, l->groups);
        for (int v = 0; v < LOCALS_MAX && l->enumerates; v++) {
            if (l->groups >> v & 1)
                inner[v] = s.all.items[i].env[v];
        }
        int got = fresh ? aggregate(&s, inner) : NO_TERM;
        if (got == NO_TERM)
            continue;
        inner[l->var] = got;
        run(f, k + 1, inner, when);
    }
    array_finish(&s.all);
}

static void emit(frame *f, const int *env, uint64_t when) {
    const rule_t *r = f->r;
    const predicate *d = &f->p->preds[r->pred];
    int args[WIDTH_MAX];
    uint64_t all = f->p->slots == 64 ? ~UINT64_C(0) : (UINT64_C(1) << f->p->slots) - 1;
    for (int i = 0; i < d->arity; i++) {
        args[i] = evaluate_pat(f, r->args[i], env);
        if (f->m->unsafe)
            return;
        if (ground_at(args[i])->depth > DEPTH_MAX) {
            f->m->steps = f->m->most;
            return;
        }
    }
    if (!d->temporal) {
        when = 0;
    } else if (r->spec != SPEC_INSTANT) {
        int64_t a = time_of(f, r->a, env), b = r->spec == SPEC_AT ? a + 1 : time_of(f, r->b, env);
        when = 0;
        for (int64_t t = a < 0 ? 0 : a; t < b && t < f->p->slots; t++)
            when |= UINT64_C(1) << t;
    }
    when &= all;
    if ((d->temporal && !when) || f->m->unsafe)
        return;
    if (rows_add(&f->m->of[r->pred], args, d->arity, when))
        f->moved = true;
    if (f->m->of[r->pred].rows.count > ROWS_MAX)
        f->m->steps = f->m->most;
}

static void run_negated(frame *f, int k, int *env, uint64_t when) {
    const lit *l = &f->lits[k];
    if (f->m->ignore_negation) {
        run(f, k + 1, env, when);
        return;
    }
    for (int i = 0; i < f->p->preds[l->calls[0].pred].arity; i++) {
        if (f->p->pool[l->calls[0].args[i]].kind != PAT_ANY)
            evaluate_pat(f, l->calls[0].args[i], env);
    }
    if (l->calls[0].spec == SPEC_INSTANT) {
        uint64_t taken = 0;
        each_way(f, &l->calls[0], env, gather_when, &taken);
        if (when & ~taken)
            run(f, k + 1, env, when & ~taken);
        return;
    }
    bool hit = false;
    each_way(f, &l->calls[0], env, note_hit, &hit);
    if (!hit)
        run(f, k + 1, env, when);
}

// A scope is solved by itself for what is bound around it.
static void run_scope(frame *f, int k, int *env, uint64_t when) {
    const lit *l = &f->lits[k];
    solutions s = {.l = l};
    frame inner = {f->m, f->p, f->r, false, f->p->nested + l->first, l->inside, &s};
    int own[LOCALS_MAX];
    memcpy(own, env, sizeof own);
    run(&inner, 0, own, 1);
    int got = l->scope == SCOPE_NOT ? NO_TERM : aggregate(&s, env);
    bool empty = s.all.count == 0;
    array_finish(&s.all);
    if (f->m->steps >= f->m->most || f->m->unsafe)
        return;
    if (l->scope == SCOPE_NOT) {
        if (empty || f->m->ignore_negation)
            run(f, k + 1, env, when);
        return;
    }
    if (l->scope == SCOPE_VALUE) {
        memcpy(own, env, sizeof own);
        own[l->var] = got;
        if (got != NO_TERM)
            run(f, k + 1, own, when);
        return;
    }
    int64_t n = got == NO_TERM ? 0 : ground_at(got)->n;
    bool holds = got != NO_TERM && (l->compare == LESS      ? n < l->n
                                    : l->compare == AT_MOST ? n <= l->n
                                    : l->compare == EQUAL   ? n == l->n
                                                            : n != l->n);
    if (holds == (l->scope == SCOPE_TEST) || f->m->ignore_negation)
        run(f, k + 1, env, when);
}

static bool allen_holds(frame *f, const lit *l, const int *env) {
    int64_t a = time_of(f, l->a, env), b = time_of(f, l->b, env);
    int64_t c = time_of(f, l->c, env), d = time_of(f, l->d, env);
    switch (l->op) {
    case 0: // before
        return b < c;
    case 1: // after
        return d < a;
    case 2: // meets
        return b == c;
    case 3: // met_by
        return d == a;
    case 4: // overlaps
        return a < c && c < b && b < d;
    case 5: // overlapped_by
        return c < a && a < d && d < b;
    case 6: // starts
        return a == c && b < d;
    case 7: // started_by
        return a == c && d < b;
    case 8: // during
        return c < a && b < d;
    case 9: // contains
        return a < c && d < b;
    case 10: // finishes
        return b == d && c < a;
    case 11: // finished_by
        return b == d && a < c;
    case 12: // equals
        return a == c && b == d;
    default: // intersects: empty intervals share no instant
        return a < b && c < d && a < d && c < b;
    }
}

// Whether a list of so many items is the same from its end.
static bool reads_backwards(int list, int length) {
    int items[64], n = 0;
    for (; n < length && n < 64; list = ground_at(list)->args[1])
        items[n++] = ground_at(list)->args[0];
    for (int i = 0; i < n; i++) {
        if (items[i] != items[n - 1 - i])
            return false;
    }
    return true;
}

// Of what is no text and no list, nothing of the kind holds.
static bool text_holds(frame *f, const lit *l, const int *env) {
    int t = evaluate_pat(f, l->a, env);
    if (t == NO_TERM)
        return false;
    const ground *g = ground_at(t);
    bool nil = g->kind == GROUND_SYMBOL && g->n == 0;
    int length = 0, at = t;
    while (ground_at(at)->kind == GROUND_COMPOUND && ground_at(at)->n == FUNCTOR_CONS) {
        length++;
        at = ground_at(at)->args[1];
    }
    bool list = ground_at(at)->kind == GROUND_SYMBOL && ground_at(at)->n == 0;
    switch (l->op) {
    case 0: // is_symbol, which the empty list is, too
        return g->kind == GROUND_SYMBOL;
    case 1: // is_list
        return list;
    case 2: // length(a, n)
        return list && length == l->n;
    case 3: // starts_with(a, c)
        return g->kind == GROUND_SYMBOL && g->n == 2;
    case 5: // text_length(a, n)
        return g->kind == GROUND_SYMBOL && (nil ? 2 : 1) == l->n;
    case 6: // concat(a, c, bc)
        return g->kind == GROUND_SYMBOL && g->n == 1;
    case 7: // reverse(a, a)
        return list && reads_backwards(t, length);
    case 8: // sort(a, a)
        for (at = t; list && length-- > 1; at = ground_at(at)->args[1]) {
            if (ground_order(ground_at(at)->args[0], ground_at(ground_at(at)->args[1])->args[0]) >
                0)
                return false;
        }
        return list;
    case 9: // adjacent(a, n, _)
        for (at = t; list && length-- > 1; at = ground_at(at)->args[1]) {
            if (ground_at(at)->args[0] == ground_int(l->n))
                return true;
        }
        return false;
    case 10: // regex(a, "^[cd]$")
        return g->kind == GROUND_SYMBOL && g->n >= 2;
    case 11: // substring(a, 1, 1, b)
        return g->kind == GROUND_SYMBOL && g->n == 1;
    case 12: // number(a, n)
        return t == ground_int(l->n);
    default: // member(n, a)
        for (at = t; list && at != NO_TERM && length-- > 0; at = ground_at(at)->args[1]) {
            if (ground_at(at)->args[0] == ground_int(l->n))
                return true;
        }
        return false;
    }
}

// In a scope what both sides give is one solution.
typedef struct either {
    int next;
    uint64_t when;
    ARRAY(solution) seen;
} either;

static bool go_on_once(frame *f, int *env, uint64_t when, void *context) {
    either *e = context;
    solution one;
    memcpy(one.env, env, sizeof one.env);
    for (size_t i = 0; i < e->seen.count; i++) {
        if (memcmp(e->seen.items[i].env, one.env, sizeof one.env) == 0)
            return true;
    }
    array_push(&e->seen, one);
    (void)when; // no instant variable of the rule stands in a scope
    run(f, e->next, env, e->when);
    return f->m->steps < f->m->most;
}

static void run(frame *f, int k, int *env, uint64_t when) {
    if (f->m->unsafe || ++f->m->steps >= f->m->most)
        return;
    if (k == f->count) {
        if (f->into)
            add_solution(f->into, env);
        else
            emit(f, env, when);
        return;
    }
    const lit *l = &f->lits[k];
    switch (l->kind) {
    case LIT_CALL:
    case LIT_OR:
        if (f->into && l->kind == LIT_OR) {
            either both = {.next = k + 1, .when = when};
            for (int c = 0; c < 2; c++)
                each_way(f, &l->calls[c], env, go_on_once, &both);
            array_finish(&both.seen);
            break;
        }
        for (int c = 0; c < (l->kind == LIT_OR ? 2 : 1); c++)
            each_way(f, &l->calls[c], env, go_on,
                     &(onward){k + 1, when, l->calls[c].spec == SPEC_INSTANT});
        break;
    case LIT_NOT:
        run_negated(f, k, env, when);
        break;
    case LIT_COMPARE:
        if (compare_holds(f, l, env))
            run(f, k + 1, env, when);
        break;
    case LIT_COMPUTE: {
        int inner[LOCALS_MAX], got = computed(f, l, env);
        memcpy(inner, env, sizeof inner);
        inner[l->var] = got;
        if (got != NO_TERM)
            run(f, k + 1, inner, when);
        break;
    }
    case LIT_GROUP:
        run_group(f, k, env, when);
        break;
    case LIT_ALIAS: {
        int inner[LOCALS_MAX];
        memcpy(inner, env, sizeof inner);
        inner[l->var] = evaluate_pat(f, l->a, env);
        if (!f->m->unsafe)
            run(f, k + 1, inner, when);
        break;
    }
    case LIT_ALLEN:
        if (allen_holds(f, l, env))
            run(f, k + 1, env, when);
        break;
    case LIT_TEXT:
        if (text_holds(f, l, env))
            run(f, k + 1, env, when);
        break;
    case LIT_SCOPE:
        run_scope(f, k, env, when);
        break;
    case LIT_INSTANT: {
        int64_t at = time_of(f, l->a, env);
        uint64_t left = 0;
        for (int t = 0; t < f->p->slots; t++) {
            bool in = l->op == 0 ? t < at : l->op == 1 ? t <= at : l->op == 2 ? t > at : t >= at;
            left |= in ? UINT64_C(1) << t : 0;
        }
        if (when & left)
            run(f, k + 1, env, when & left);
        break;
    }
    case LIT_LONGER: {
        int64_t length = time_of(f, l->b, env) - time_of(f, l->a, env);
        if (l->op ? length < l->n : length >= l->n)
            run(f, k + 1, env, when);
        break;
    }
    }
}

// ---- Programs ----

void model_finish(model *m) {
    for (int i = 0; i < PREDS_MAX; i++) {
        array_finish(&m->of[i].rows);
        free(m->of[i].slots);
    }
    memset(m->of, 0, sizeof m->of);
}

void model_start(model *m, const program_t *p) {
    model_finish(m);
    m->steps = 0;
    m->unsafe = false;
    for (int i = 0; i < p->fact_count; i++) {
        const fact_t *f = &p->facts[i];
        uint64_t when = 0;
        for (int t = f->start; t < f->end && t < p->slots; t++)
            when |= UINT64_C(1) << t;
        if (when || !p->preds[f->pred].temporal)
            rows_add(&m->of[f->pred], f->args, p->preds[f->pred].arity, when);
    }
}

// Leaves the best row of each key.
static void leave_best(rows_t *r, const predicate *d) {
    rows_t all = *r;
    int last = d->arity - 1;
    *r = (rows_t){0};
    for (size_t i = 0; i < all.rows.count; i++) {
        const row_t *row = &all.rows.items[i];
        bool beaten = false;
        for (size_t k = 0; k < all.rows.count && !beaten; k++) {
            const row_t *other = &all.rows.items[k];
            int64_t mine = ground_at(row->args[last])->n, its = ground_at(other->args[last])->n;
            beaten = memcmp(row->args, other->args, (size_t)last * sizeof *row->args) == 0 &&
                     (d->best == BEST_LEAST ? its < mine : its > mine);
        }
        if (!beaten)
            rows_add(r, row->args, d->arity, row->when);
    }
    array_finish(&all.rows);
    free(all.slots);
}

bool model_stratum(model *m, const program_t *p, int stratum) {
    for (bool moved = true; moved;) {
        moved = false;
        for (int i = 0; i < p->rule_count; i++) {
            int env[LOCALS_MAX];
            for (int v = 0; v < LOCALS_MAX; v++)
                env[v] = NO_TERM;
            frame f = {m, p, &p->rules[i], false, p->rules[i].lits, p->rules[i].count, NULL};
            uint64_t all = p->slots == 64 ? ~UINT64_C(0) : (UINT64_C(1) << p->slots) - 1;
            if (p->preds[p->rules[i].pred].stratum != stratum)
                continue;
            run(&f, 0, env, all);
            moved = moved || f.moved;
            if (m->steps >= m->most || m->unsafe)
                return false;
        }
    }
    // All values first, of which there are finitely many: the engine leaves out what is beaten as
    // it goes.
    for (int i = 0; i < p->pred_count; i++) {
        if (p->preds[i].stratum == stratum && p->preds[i].best != BEST_NONE)
            leave_best(&m->of[i], &p->preds[i]);
    }
    return true;
}

bool model_run(model *m, const program_t *p) {
    model_start(m, p);
    for (int s = 0; s < p->strata; s++) {
        if (!model_stratum(m, p, s))
            return false;
    }
    return true;
}
