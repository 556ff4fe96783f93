// query/demand/demand_linear.c - follows linear recursion from each key that is asked for.
//
// Where every recursive rule hands some columns through unchanged, as
//     tc(X, Y) :- edge(X, Z), tc(Z, Y).
// does with Y, the other columns (X) walk from key to key, and the walk does not depend on the
// columns that are handed through. So for a call that binds the walking columns only the walk is
// derived,
//     reach(S, S) :- asked(S).     reach(S, Z) :- reach(S, X), edge(X, Z).
// and the other rules give the answers where it leads: tc(S, Y) :- reach(S, X), edge(X, Y). A magic
// table alone would derive all rows of every key on the way (Naughton, Ramakrishnan, Sagiv and
// Ullman, Efficient evaluation of right-, left-, and multi-linear rules, 1989).
//
// The walk of each key is kept apart, so this is for few keys, or for those that a query, an
// aggregate or a negation names by other literals: on a graph where all are asked for it costs up
// to twice the whole, on long chains the whole would not fit in memory.
#include "query/demand/demand_int.h"
#include "query/fault.h"

// Finds the only literal of the rule in its own component; UINT32_MAX: there is none. False: the
// recursion is not linear.
static bool find_recursive(const rule *r, uint32_t *at) {
    *at = UINT32_MAX;
    for (uint32_t i = 0; i < r->literal_count; i++) {
        const literal *l = &r->literals[i];
        if (!l->pred || l->pred->component != r->pred->component)
            continue;
        if (l->pred != r->pred || l->kind != LITERAL_RELATION || l->negated || *at != UINT32_MAX)
            return false;
        *at = i;
    }
    return true;
}

static uint32_t times_in(const pattern *p, uint32_t var) {
    uint32_t n = p->kind == PATTERN_VAR && p->var == var;
    for (uint32_t i = 0; p->kind == PATTERN_COMPOUND && i < p->arity; i++)
        n += times_in(p->args[i], var);
    return n;
}

static bool stands_once(const pattern *const *args, uint32_t count, uint32_t var) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++)
        n += times_in(args[i], var);
    return n == 1;
}

// Returns the columns that the rule hands through: head and recursive literal have the same
// variable there, which stands nowhere else.
static uint32_t columns_through(const rule *r, uint32_t at) {
    const literal *l = &r->literals[at];
    uint32_t mask = 0;
    varset rest = {0};
    for (uint32_t i = 0; i < r->literal_count; i++) {
        if (i != at)
            literal_vars(&r->literals[i], &rest);
    }
    for (uint32_t i = 0; i < r->arg_count; i++) {
        const pattern *h = r->args[i], *c = l->args[i];
        if (h->kind == PATTERN_VAR && c->kind == PATTERN_VAR && h->var == c->var &&
            !varset_has(&rest, h->var) && stands_once(r->args, r->arg_count, h->var) &&
            stands_once(l->args, l->arg_count, h->var))
            mask |= UINT32_C(1) << i;
    }
    return mask;
}

// Returns whether the literals beside the recursive one can run when the head's columns in the mask
// are bound, and lead to finitely many keys.
static bool walks_columns(demand *d, const rule *r, uint32_t at, uint32_t mask) {
    bool *done = demand_alloc(d, r->literal_count + 1);
    varset bound = {0}, made = {0};
    if (!done)
        return false;
    for (uint32_t i = 0; i < r->arg_count; i++) {
        if (mask >> i & 1)
            pattern_vars(r->args[i], &bound);
    }
    done[at] = true;
    uint32_t left = r->literal_count - 1;
    for (bool moved = true; moved && left > 0;) {
        moved = false;
        for (uint32_t i = 0; i < r->literal_count; i++) {
            const literal *l = &r->literals[i];
            if (done[i] || !literal_ready(r, l, &bound, &r->bindable, literal_required(l)))
                continue;
            demand_note_made(r, r->pred->component, l, &bound, &made);
            literal_outputs(l, &bound);
            done[i] = moved = true;
            left--;
        }
    }
    const literal *l = &r->literals[at];
    for (uint32_t i = 0; i < l->arg_count; i++) {
        if (mask >> i & 1 &&
            (l->args[i]->kind == PATTERN_COMPOUND || !pattern_within(l->args[i], &bound) ||
             pattern_meets(l->args[i], &made)))
            return false;
    }
    return left == 0;
}

static bool has_ranges(const rule *r) {
    for (uint32_t v = 0; v < r->var_count; v++) {
        if (r->is_range[v])
            return true;
    }
    return r->head_range != VAR_NONE;
}

static void look_at_recursion(demand *d, const pred *p, linear *out) {
    uint32_t all = p->arity < 32 ? (UINT32_C(1) << p->arity) - 1 : 0, through = all, at;
    bool recursive = false;
    if (p->fact || p->temporal || p->auxiliary || p->best)
        return;
    for (size_t i = 0; i < p->rules.count; i++) {
        const rule *r = p->rules.items[i];
        if (has_ranges(r) || !find_recursive(r, &at))
            return;
        if (at == UINT32_MAX)
            continue;
        through &= columns_through(r, at);
        recursive = true;
    }
    uint32_t walked = all & ~through, keys = (uint32_t)__builtin_popcount(walked);
    if (!recursive || through == 0)
        return;
    out->through = through;
    if (walked == 0 || (p->required & ~walked) != 0 || 2 * keys > RELATION_ARITY_MAX)
        return;
    for (size_t i = 0; i < p->rules.count; i++) {
        const rule *r = p->rules.items[i];
        if (r->var_count + keys >= VARS_MAX)
            return;
        if (find_recursive(r, &at) && at != UINT32_MAX && !walks_columns(d, r, at, walked))
            return;
    }
    out->walked = walked;
}

linear linear_of(demand *d, const pred *p) {
    linear *l = &d->linear[p->index];
    if (!l->known) {
        look_at_recursion(d, p, l);
        l->known = true;
    }
    return *l;
}

// ---- The rules ----

typedef struct walk {
    demand *d;
    table *t, *reach;
    uint32_t keys; // columns of a key
} walk;

// Copies the rule with one more variable for each column of the key, the seed; `seeds` gets these
// variables.
static const rule *with_seeds(walk *w, const rule *r, const pattern ***seeds) {
    demand *d = w->d;
    uint32_t count = r->var_count + w->keys;
    rule *made = demand_alloc(d, sizeof *made);
    pattern *vars = demand_alloc(d, w->keys * sizeof *vars);
    const pattern **at = demand_alloc(d, 2 * w->keys * sizeof *at);
    const char **names = demand_alloc(d, count * sizeof *names);
    bool *ranges = demand_alloc(d, count), *times = demand_alloc(d, count);
    if (!made || !vars || !at || !names || !ranges || !times)
        return NULL;
    *made = *r;
    memcpy(names, r->var_names, r->var_count * sizeof *names);
    memcpy(times, r->is_time, r->var_count);
    for (uint32_t i = 0; i < w->keys; i++) {
        vars[i] = (pattern){.kind = PATTERN_VAR, .var = r->var_count + i};
        at[i] = &vars[i];
        names[r->var_count + i] = "_";
        varset_add(&made->bindable, r->var_count + i);
    }
    made->var_count = count;
    made->var_names = names;
    made->is_range = ranges;
    made->is_time = times;
    *seeds = at;
    return made;
}

// Returns the seeds, and behind them the key's columns of `args`.
static const pattern **reached_columns(walk *w, const pattern *const *seeds,
                                       const pattern *const *args) {
    const pattern **out = demand_alloc(w->d, (2 * w->keys + 1) * sizeof *out);
    uint32_t n = w->keys;
    if (!out)
        return NULL;
    memcpy(out, seeds, n * sizeof *out);
    for (uint32_t i = 0; i < w->t->arity; i++) {
        if (w->t->mask >> i & 1)
            out[n++] = args[i];
    }
    return out;
}

// Returns the columns of `args`, with the seeds in place of the key.
static const pattern **answer_columns(walk *w, const pattern *const *seeds,
                                      const pattern *const *args) {
    const pattern **out = demand_alloc(w->d, (w->t->arity + 1) * sizeof *out);
    uint32_t n = 0;
    for (uint32_t i = 0; out && i < w->t->arity; i++)
        out[i] = w->t->mask >> i & 1 ? seeds[n++] : args[i];
    return out;
}

static void add_walk(walk *w, const rule *original) {
    const pattern **seeds = NULL;
    uint32_t at;
    find_recursive(original, &at);
    const rule *r = with_seeds(w, original, &seeds);
    const pattern **from = r ? reached_columns(w, seeds, r->args) : NULL;
    if (!from)
        return;
    literal guard = demand_read(w->reach, from, 2 * w->keys);
    if (at == UINT32_MAX) {
        guard.leads = true;
        const pattern **args =
            answer_columns(w, FAULT(WRONG_SEED) ? from + w->keys : seeds, r->args);
        if (args)
            demand_sweep(w->d, w->t, r, &guard, UINT32_MAX, args);
        return;
    }
    const pattern **to = reached_columns(w, seeds, r->literals[at].args);
    if (to)
        demand_sweep(w->d, w->reach, r, &guard, at, to);
}

// A walk may also end in a clause without a body.
static void add_facts(walk *w, const rule *bare, const pattern **columns) {
    demand *d = w->d;
    table *facts = demand_table(d, w->t->pred, w->t->arity);
    const pattern **seeds = NULL;
    if (!facts)
        return;
    facts->base = true;
    if (demand_fill(d, facts) != OK)
        return;
    const rule *r = with_seeds(w, bare, &seeds);
    const pattern **from = r ? reached_columns(w, seeds, columns) : NULL;
    const pattern **args = r ? answer_columns(w, seeds, columns) : NULL;
    if (!from || !args)
        return;
    literal body[2] = {demand_read(w->reach, from, 2 * w->keys),
                       demand_read(facts, columns, w->t->arity)};
    demand_rule(d, r, w->t, body, 2, args, w->t->arity);
}

void linear_rules(demand *d, table *t) {
    walk w = {.d = d, .t = t, .keys = (uint32_t)__builtin_popcount(t->mask)};
    const pattern **columns = NULL, **key;
    d->followed = true;
    w.reach = demand_table(d, t->pred, 2 * w.keys);
    const rule *bare = w.reach ? demand_copying_rule(d, t->pred, t->arity, &columns) : NULL;
    key = bare ? demand_alloc(d, (w.keys + 1) * sizeof *key) : NULL;
    if (!key)
        return;
    w.reach->magic = true;
    w.reach->mask = t->mask;
    w.reach->context = t->context;
    w.reach->selective = t->selective;
    for (uint32_t i = 0, n = 0; i < t->arity; i++) {
        if (t->mask >> i & 1)
            key[n++] = columns[i];
    }
    literal asked = demand_read(t->guard, key, w.keys);
    const pattern **start = reached_columns(&w, key, columns);
    if (!start)
        return;
    demand_rule(d, bare, w.reach, &asked, 1, start, 2 * w.keys);
    if (t->pred->fact_count > 0)
        add_facts(&w, bare, columns);
    for (size_t i = 0; i < t->pred->rules.count && d->failed == OK; i++)
        add_walk(&w, t->pred->rules.items[i]);
}
