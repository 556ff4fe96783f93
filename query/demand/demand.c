// query/demand/demand.c - makes the tables that a query needs and the rules that fill them.
//
// A predicate is derived by demand where a call asks for few of its rows (the query or a rule names
// constants, or values that follow from them), where it can only run for bound columns, and where a
// directive marks it so. Each call then adds the keys that it asks for to a magic table; the rules
// of that table are the literals before the call. All other predicates are derived whole, and so is
// one whose demand would close a circle through a negation.
//
// A call at an instant derives only what holds then (demand_window.c).
//
// Where the table cache has rows for some keys, only the other keys are derived: callers add keys
// to `demand`, the keys that are not cached go on to `guard`, which the rules read, and rows of
// cached keys are copied.
#include "query/tables/best.h"
#include "query/demand/demand_int.h"
#include "query/fault.h"
#include "query/log/fact.h"

// The tables that a query may have, beside two for each predicate.
#define TABLES_MAX 20000
// With so many forms of calls, only predicates that are marked for it are still derived by demand.
#define FORMS_MAX 1000
// A query that leads to so many predicates leads to too many forms of calls.
#define REACHED_MAX 500
#define PASSES_MAX 4 // then no recursion is followed any more

void *demand_alloc(demand *d, size_t size) {
    void *p = arena_try(d->a, size);
    if (!p && d->failed == OK)
        d->failed = E_MEMORY;
    return p;
}

static size_t tables_most(const demand *d) {
    return (d->too_many ? TABLES_MAX : FORMS_MAX) + 2 * d->p->preds.count;
}

table *demand_table(demand *d, pred *p, uint32_t arity) {
    size_t most = tables_most(d);
    table *t = d->out->count < most ? table_create(p, arity, d->b) : NULL;
    if (!t || !array_push_try(d->out, t)) {
        table_destroy(t);
        if (d->failed == OK)
            d->failed = d->out->count < most ? E_MEMORY : E_LIMIT;
        return NULL;
    }
    return t;
}

status demand_fill(demand *d, table *t) {
    const pred *p = t->pred;
    status s = OK;
    bool each = t->temporal || t->best;
    if (!each)
        s = relation_reserve(t->rows, p->fact_count);
    for (size_t i = 0; i < p->facts.count && s == OK; i++) {
        const fact_rows *f = &p->facts.items[i];
        if (!each)
            s = relation_fill(t->rows, f->rows, f->first, f->count);
        for (uint32_t k = 0; each && k < f->count && s == OK; k++)
            s = table_add(t, f->rows + (size_t)k * p->arity, f->first + k, 0, d->p->end);
    }
    if (s != OK && d->failed == OK)
        d->failed = s;
    return s;
}

static uint32_t bits_in(uint32_t mask) {
    return (uint32_t)__builtin_popcount(mask);
}

static table *magic_table(demand *d, const table *of) {
    table *m = demand_table(d, of->pred, bits_in(of->mask));
    if (!m)
        return NULL;
    m->magic = true;
    m->mask = of->mask;
    m->context = of->context;
    m->selective = of->selective;
    return m;
}

void demand_rule(demand *d, const rule *r, table *t, const literal *literals, uint32_t count,
                 const pattern **args, uint32_t arg_count) {
    rule *made = demand_alloc(d, sizeof *made);
    literal *copy = demand_alloc(d, (count + 1) * sizeof *copy);
    if (!made || !copy)
        return;
    *made = *r;
    memcpy(copy, literals, count * sizeof *copy);
    made->table = t;
    made->literals = copy;
    made->literal_count = count;
    made->args = args;
    made->arg_count = arg_count;
    if (t->magic)
        made->head_range = made->some_range = VAR_NONE;
    if (!array_push_try(&t->rules, made) && d->failed == OK)
        d->failed = E_MEMORY;
}

// ---- Tables of earlier queries ----

rule *demand_copying_rule(demand *d, pred *p, uint32_t columns, const pattern ***vars) {
    rule *r = demand_alloc(d, sizeof *r);
    pattern *all = demand_alloc(d, (columns + 1) * sizeof *all);
    const pattern **at = demand_alloc(d, (columns + 1) * sizeof *at);
    const char **names = demand_alloc(d, (columns + 1) * sizeof *names);
    bool *none = demand_alloc(d, columns + 1);
    if (!r || !all || !at || !names || !none)
        return NULL;
    r->pred = p;
    r->args = at;
    r->arg_count = r->var_count = columns;
    r->head_range = r->some_range = VAR_NONE;
    r->is_range = r->is_time = none;
    r->var_names = names;
    r->file = p->file;
    for (uint32_t i = 0; i < columns; i++) {
        all[i] = (pattern){.kind = PATTERN_VAR, .var = i};
        at[i] = &all[i];
        names[i] = "_";
        varset_add(&r->bindable, i);
    }
    *vars = at;
    return r;
}

literal demand_read(table *t, const pattern **args, uint32_t count) {
    return (literal){.kind = LITERAL_RELATION,
                     .source = t->temporal ? SOURCE_PIECES : SOURCE_ROWS,
                     .table = t,
                     .arg_count = count,
                     .args = args,
                     .range = VAR_NONE};
}

// Copies the rows of cached keys; only other keys reach the rules.
static void use_kept(demand *d, table *t, const cached_table *k) {
    const pattern **vars = NULL, **keys = demand_alloc(d, (t->arity + 1) * sizeof *keys);
    rule *r = demand_copying_rule(d, t->pred, t->arity, &vars);
    t->guard = magic_table(d, t);
    if (!keys || !r || !t->guard)
        return;
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->arity; i++) {
        if (t->mask >> i & 1)
            keys[n++] = vars[i];
    }
    literal body[2] = {demand_read(t->demand, keys, n), demand_read(k->rows, vars, t->arity)};
    demand_rule(d, r, t, body, 2, vars, t->arity);
    body[1] = demand_read(k->keys, keys, n);
    body[1].negated = true;
    demand_rule(d, r, t->guard, body, 2, keys, n);
}

static bool same_windows(const table *t, const call_form *f) {
    if (!t->within || !f->within || t->when || f->when)
        return t->within == f->within;
    return t->within->items[0].start == f->within->items[0].start &&
           t->within->items[0].end == f->within->items[0].end;
}

static table *table_for(demand *d, pred *p, call_form form, uint32_t context) {
    if (form.mask == 0)
        context = 0, form.selective = false;
    for (table *t = d->forms[p->index]; t; t = t->next_form) {
        if (t->mask == form.mask && t->context == context && t->selective == form.selective &&
            t->followed == form.followed && same_windows(t, &form))
            return t;
    }
    table *t = demand_table(d, p, p->arity);
    if (!t)
        return NULL;
    t->next_form = d->forms[p->index];
    d->forms[p->index] = t;
    t->mask = form.mask;
    t->context = context;
    t->selective = form.selective;
    t->followed = form.followed;
    t->within = form.within;
    t->when = form.when;
    if (p->best && !table_keep_best(t, d->p->values)) {
        d->failed = E_MEMORY;
        return NULL;
    }
    t->temporal = p->temporal;
    if (form.mask != 0) {
        t->demand = t->guard = magic_table(d, t);
        const cached_table *k =
            d->options.as_written ? NULL : table_cache_find(d->options.cache, p, form.mask);
        if (t->demand && k)
            use_kept(d, t, k);
    }
    if (!form.followed)
        demand_fill(d, t);
    return t;
}

// ---- Calls ----

bool pattern_within(const pattern *p, const varset *set) {
    varset v = {0};
    if (p->kind != PATTERN_COMPOUND)
        return p->kind == PATTERN_CONST || varset_has(set, p->var);
    pattern_vars(p, &v);
    return varset_within(&v, set);
}

bool pattern_meets(const pattern *p, const varset *set) {
    varset v = {0};
    if (p->kind != PATTERN_COMPOUND)
        return p->kind == PATTERN_VAR && varset_has(set, p->var);
    pattern_vars(p, &v);
    return varset_meets(&v, set);
}

// Returns whether the columns in the mask have only a few values in this call.
static bool asks_for_few(const sweep *w, const literal *l, uint32_t mask) {
    for (uint32_t i = 0; i < l->arg_count; i++) {
        if (mask >> i & 1 && !pattern_within(l->args[i], &w->few))
            return false;
    }
    return true;
}

// Returns whether the columns in the mask have values that the rule itself gives.
static bool asks_for_fixed(const sweep *w, const literal *l, uint32_t mask) {
    for (uint32_t i = 0; i < l->arg_count; i++) {
        if (mask >> i & 1 && !pattern_within(l->args[i], &w->fixed))
            return false;
    }
    return true;
}

// Returns whether the rule is the goal of a negation or an aggregate that is asked for by keys.
static bool in_scope(const sweep *w) {
    return w->t->pred->scoped && w->t->mask != 0;
}

// Returns whether a call of linear recursion is followed from its keys: they are few, or a query
// names them.
static bool form_of_linear(const sweep *w, const literal *l, uint32_t bound, call_form *out) {
    linear how = linear_of(w->d, l->pred);
    uint32_t through = how.through & bound;
    bool few_walks = asks_for_few(w, l, how.walked);
    // The keys that other literals of a query give are a part of all keys, and their walks are
    // seldom longer than all walks. Where the columns that are handed through have a few values,
    // deriving for each of these is less than for each of many keys.
    bool fewer_through = through != 0 && !few_walks && asks_for_few(w, l, through);
    if (how.walked != 0 && (how.walked & bound) == how.walked && !fewer_through &&
        (w->is_query || in_scope(w) || few_walks) && w->d->passes < PASSES_MAX) {
        *out = (call_form){.mask = how.walked, .selective = true, .followed = true};
        return true;
    }
    if (through == 0 || !(w->is_query || in_scope(w) || asks_for_few(w, l, through)))
        return false;
    *out = (call_form){.mask = through | l->pred->required, .selective = true};
    return true;
}

// Returns whether the goal of a negation or an aggregate is worth asking for by the keys that the
// rule around it has: it joins relations, or reads derived ones. One literal reads it, with these
// keys only.
static bool scope_narrows(const pred *p, uint32_t mask) {
    bool worth = false;
    for (size_t i = 0; i < p->rules.count; i++) {
        const rule *r = p->rules.items[i];
        uint32_t relations = 0;
        for (uint32_t k = 0; k < r->literal_count; k++) {
            const pred *q = r->literals[k].pred;
            relations += q != NULL;
            worth = worth || relations > 1 || (q && q->rules.count > 0);
        }
    }
    return worth && demand_narrows(p, mask);
}

// Chooses the columns that a call asks for, and whether asking for them derives less.
static call_form form_of(const sweep *w, const literal *l) {
    const pred *p = l->pred;
    uint32_t keys = p->temporal ? p->arity - 2 : p->arity, all = 0, chosen = 0, fixed = 0;
    bool any_chosen = false, recursive = p->component == w->t->pred->component && !w->is_query;
    for (uint32_t i = 0; i < l->arg_count && i < keys; i++) {
        const pattern *arg = l->args[i];
        if (!pattern_within(arg, &w->bound) || i + 1 == p->best)
            continue;
        if (recursive && (arg->kind == PATTERN_COMPOUND || pattern_meets(arg, &w->made)))
            continue;
        all |= UINT32_C(1) << i;
        bool constant = arg->kind == PATTERN_CONST;
        if (!recursive && pattern_within(arg, &w->fixed))
            fixed |= UINT32_C(1) << i;
        if (constant || pattern_within(arg, &w->chosen))
            chosen |= UINT32_C(1) << i;
        if (constant ? w->is_query : pattern_meets(arg, &w->chosen))
            any_chosen = true;
    }
    all |= p->required;
    const demand *d = w->d;
    // A predicate that has only facts is there whole.
    if (p->rules.count == 0 || d->whole[p->index] || (d->too_many && !p->on_demand) ||
        (d->options.whole && !(p->auxiliary && p->on_demand)))
        return (call_form){.mask = p->required};
    call_form form;
    if (!recursive && !d->options.as_written && form_of_linear(w, l, all, &form))
        return form;
    if (p->on_demand)
        return (call_form){.mask = all, .selective = true};
    // Values that a rule itself names are asked for whoever calls the rule.
    if (!any_chosen && fixed != 0 && (p->required & ~fixed) == 0 && demand_narrows(p, fixed))
        return (call_form){.mask = fixed, .selective = true};
    if (p->scoped && all != 0 && scope_narrows(p, all))
        return (call_form){.mask = all, .selective = true};
    // For many keys, the rows that each key would run through are derived once.
    if (!any_chosen || (!recursive && !asks_for_few(w, l, chosen) && !demand_narrows(p, chosen)))
        return (call_form){.mask = p->required};
    return (call_form){.mask = chosen | p->required, .selective = true};
}

// Returns whether the literal mentions an instant variable.
static bool touches_range(const rule *r, const literal *l) {
    varset v = {0};
    literal_vars(l, &v);
    for (uint32_t i = 0; i < r->var_count; i++) {
        if (r->is_range[i] && varset_has(&v, i))
            return true;
    }
    return false;
}

// Returns whether the literal computes values that the rule itself gives.
static bool gives_fixed(const sweep *w, const literal *l) {
    varset vars = {0};
    literal_vars(l, &vars);
    return (l->kind == LITERAL_UNIFY || l->kind == LITERAL_TO_TIME) &&
           varset_within(&vars, &w->fixed);
}

// Returns whether the literal gives values of the set, of which groups that are looked up are none.
static bool gives_some(const literal *l, const varset *set) {
    varset out = {0};
    if (l->kind == LITERAL_AGGREGATE && !l->enumerates)
        expr_vars(l->right, &out);
    else
        literal_outputs(l, &out);
    return varset_meets(&out, set);
}

// Leaves out the aggregates that give none of the keys, and what then cannot run. More may be asked
// for, but what asks does not wait for aggregates that might wait for its answer. Returns the
// number of literals.
static uint32_t spare_aggregates(const rule *r, literal *body, uint32_t count, varset needed) {
    bool keep[VARS_MAX] = {0};
    varset bound = {0};
    uint32_t kept = 0;
    if (count > VARS_MAX)
        return count;
    for (uint32_t i = count; i-- > 0;) {
        bool reads = body[i].kind == LITERAL_RELATION || body[i].kind == LITERAL_BUILTIN;
        keep[i] = body[i].kind != LITERAL_AGGREGATE || gives_some(&body[i], &needed);
        if (keep[i] && (reads || gives_some(&body[i], &needed)))
            literal_vars(&body[i], &needed);
    }
    for (uint32_t i = 0; i < count; i++) {
        bool rounds = body[i].kind == LITERAL_ROUNDS; // it may bind what it rounds
        if (!keep[i] || !(rounds || literal_ready(r, &body[i], &bound, &r->bindable, 0)))
            continue;
        literal_outputs(&body[i], &bound);
        if (rounds)
            varset_add(&bound, body[i].left->var);
        body[kept++] = body[i];
    }
    return kept;
}

bool demand_passes_on(const sweep *w, const literal *before) {
    return !before->negated && before->kind != LITERAL_SUBTRACT && !touches_range(w->r, before);
}

literal *demand_before(const sweep *w, bool fixed, uint32_t more, uint32_t *count) {
    literal *body = demand_alloc(w->d, (w->count + more + 1) * sizeof *body);
    *count = 0;
    for (uint32_t i = 0; body && i < w->count; i++) {
        const literal *before = &w->literals[i];
        if (demand_passes_on(w, before) && (!fixed || gives_fixed(w, before)))
            body[(*count)++] = *before;
    }
    return body;
}

// Adds the rule that asks for a call: the literals before it that do not only filter; for fixed
// values, those that compute them.
static void ask_for(sweep *w, const literal *l, table *callee, bool fixed) {
    demand *d = w->d;
    const pattern **args = demand_alloc(d, (callee->demand->arity + 1) * sizeof *args);
    uint32_t count = 0, n = 0;
    if (FAULT(FORGOTTEN_SEED) && callee->demand->rules.count > 0)
        return;
    literal *body = demand_before(w, fixed, 0, &count);
    if (!body || !args)
        return;
    for (uint32_t i = 0; i < l->arg_count; i++) {
        if (callee->mask >> i & 1)
            args[n++] = l->args[i];
    }
    if (d->sparing) {
        varset needed = {0};
        for (uint32_t i = 0; i < n; i++)
            pattern_vars(args[i], &needed);
        count = spare_aggregates(w->r, body, count, needed);
    }
    // A rule that asks for the keys it was asked for adds nothing.
    if (count == 1 && (body[0].table == callee->demand || body[0].table == callee->guard)) {
        bool same = true;
        for (uint32_t i = 0; i < n; i++)
            same = same && args[i]->kind == PATTERN_VAR && body[0].args[i]->kind == PATTERN_VAR &&
                   args[i]->var == body[0].args[i]->var;
        if (same)
            return;
    }
    demand_rule(d, w->r, callee->demand, body, count, args, n);
}

uint32_t demand_context(const sweep *w) {
    return w->is_query || w->t->mask != 0 ? w->t->context : w->t->pred->component + 1;
}

static void resolve_call(sweep *w, uint32_t at, literal *l) {
    demand *d = w->d;
    pred *p = l->pred;
    if (p->fact || p->episode_call)
        return;
    const cached_table *whole = table_cache_find(d->options.cache, p, 0);
    if (whole) {
        l->table = whole->rows;
        return;
    }
    call_form form = form_of(w, l);
    if (!form.followed)
        demand_window(w, at, &form.within, &form.when);
    uint32_t context = demand_context(w);
    // Calls whose keys depend on nothing share one table.
    bool fixed = !w->is_query && form.mask != 0 && p->component != w->t->pred->component &&
                 asks_for_fixed(w, l, form.mask);
    if (fixed)
        context = UINT32_MAX - p->component;
    if (form.mask != 0 && !form.followed && !d->many[p->index] && !asks_for_few(w, l, form.mask))
        d->many[p->index] = d->crowded = true;
    l->table = table_for(d, p, form, context);
    if (l->table && l->table->demand)
        ask_for(w, l, l->table, fixed);
}

// ---- Sweeping ----

void demand_note_made(const rule *r, uint32_t component, const literal *l, const varset *bound,
                      varset *made) {
    // A relation of another component holds only finitely many values.
    varset fresh = {0}, vars = {0};
    literal_outputs(l, &fresh);
    literal_vars(l, &vars);
    bool settles = l->kind == LITERAL_RELATION && !l->negated && l->pred &&
                   l->pred->component != component && l->pred->required == 0;
    bool copies = l->kind == LITERAL_RELATION || l->kind == LITERAL_TO_TIME ||
                  (l->kind == LITERAL_UNIFY && l->left->op == EXPR_VAR && l->right->op == EXPR_VAR);
    bool spreads = varset_meets(&vars, made) && l->kind == LITERAL_UNIFY;
    for (uint32_t v = 0; v < r->var_count; v++) {
        if (!varset_has(&fresh, v))
            continue;
        if (settles)
            varset_remove(made, v);
        else if (!varset_has(bound, v) && (!copies || spreads))
            varset_add(made, v);
    }
}

// Adds the variables that are computed from constants alone.
static void note_fixed(sweep *w, const literal *l) {
    varset known = {0};
    if (l->negated || l->is_value || (l->kind != LITERAL_UNIFY && l->kind != LITERAL_TO_TIME))
        return;
    literal_vars(l, &known);
    for (size_t i = 0; i < VARS_MAX / 64; i++)
        known.bits[i] &= w->bound.bits[i];
    if (varset_within(&known, &w->fixed))
        literal_outputs(l, &w->fixed);
}

static void take_literal(sweep *w, uint32_t i) {
    literal l = w->r->literals[i];
    const varset *vars = &w->ranks[i].vars;
    bool few = demand_is_few(w, &w->r->literals[i]);
    if (l.pred)
        resolve_call(w, i, &l);
    else if (l.kind == LITERAL_BUILTIN)
        l.windowed = demand_window(w, i, &(windows *){NULL}, &(table *){NULL});
    w->literals[w->count++] = l;
    bool constant = false;
    for (uint32_t k = 0; k < l.arg_count; k++)
        constant = constant || l.args[k]->kind == PATTERN_CONST;
    bool named = w->is_query && l.kind == LITERAL_RELATION && (constant || demand_is_given(&l));
    bool joined = varset_meets(vars, &w->chosen) || named;
    demand_note_made(w->r, w->t->pred->component, &l, &w->bound, &w->made);
    note_fixed(w, &l);
    literal_outputs(&l, &w->bound);
    if (few)
        literal_outputs(&l, &w->few);
    if (l.kind == LITERAL_ROUNDS) {
        varset_add(&w->bound, l.left->var);
        if (w->is_query)
            varset_add(&w->chosen, l.left->var);
    }
    if (joined && !l.negated)
        literal_outputs(&l, &w->chosen);
    if (w->is_query && l.kind == LITERAL_UNIFY &&
        (l.left->op == EXPR_CONST || l.right->op == EXPR_CONST))
        literal_outputs(&l, &w->chosen);
}

// Returns whether the predicate is the query itself or stands for one of its aggregates or
// negations: the query names their constants.
static bool of_query(const demand *d, const pred *p) {
    return p == d->query || (p->auxiliary && !p->on_demand && p->of_query);
}

// Makes room for the literals of one rule. No sweep begins while another goes on.
static bool make_room(demand *d, uint32_t count) {
    if (count <= d->room.count)
        return true;
    count = count < 64 ? 64 : count * 2;
    d->room.literals = demand_alloc(d, count * sizeof *d->room.literals);
    d->room.ranks = demand_alloc(d, count * sizeof *d->room.ranks);
    d->room.done = demand_alloc(d, count * sizeof *d->room.done);
    d->room.count = d->room.literals && d->room.ranks && d->room.done ? count : 0;
    return d->room.count > 0;
}

void demand_sweep(demand *d, table *t, const rule *r, const literal *guard, uint32_t skip,
                  const pattern **args) {
    sweep w = {.d = d, .t = t, .r = r, .is_query = of_query(d, t->pred)};
    if (!make_room(d, r->literal_count + 2))
        return;
    w.literals = d->room.literals;
    w.ranks = d->room.ranks;
    bool *done = d->room.done;
    memset(done, 0, r->literal_count);
    for (uint32_t i = 0; i < r->literal_count; i++) {
        w.ranks[i] = (rank){.rows = demand_rows(&w, &r->literals[i])};
        literal_vars(&r->literals[i], &w.ranks[i].vars);
    }
    if (guard) {
        literal_vars(guard, &w.bound);
        if (t->selective)
            w.chosen = w.bound;
        if (!d->many[t->pred->index] && !t->magic && !t->followed)
            w.few = w.bound;
        w.literals[w.count++] = *guard;
    }
    if (skip < r->literal_count)
        done[skip] = true;
    for (uint32_t left = r->literal_count - (skip < r->literal_count); left > 0; left--) {
        uint32_t best = UINT32_MAX;
        for (uint32_t i = 0; i < r->literal_count; i++) {
            const literal *l = &r->literals[i];
            w.ranks[i].known = false;
            if (!done[i] && literal_ready(r, l, &w.bound, &r->bindable, literal_required(l)) &&
                (best == UINT32_MAX || demand_prefer(&w, i, best) < 0))
                best = i;
        }
        if (best == UINT32_MAX)
            best = rule_last_resort(r, done, &w.bound);
        if (best == UINT32_MAX) {
            d->failed = E_USAGE; // check/safety.c refuses unsafe rules
            return;
        }
        done[best] = true;
        take_literal(&w, best);
        if (d->failed != OK)
            return;
    }
    demand_rule(d, r, t, w.literals, w.count, args, t->magic ? t->arity : r->arg_count);
}

static void sweep_rule(demand *d, table *t, const rule *r) {
    if (t->mask == 0) {
        demand_sweep(d, t, r, NULL, UINT32_MAX, r->args);
        return;
    }
    const pattern **args = demand_alloc(d, (t->guard->arity + 1) * sizeof *args);
    uint32_t n = 0;
    if (!args)
        return;
    for (uint32_t i = 0; i < r->arg_count; i++) {
        if (t->mask >> i & 1)
            args[n++] = r->args[i];
    }
    literal guard = demand_read(t->guard, args, n);
    demand_sweep(d, t, r, &guard, UINT32_MAX, r->args);
}

// ---- All tables of a query ----

static int by_component(const void *a, const void *b) {
    const table *x = *(table *const *)a, *y = *(table *const *)b;
    if (x->component != y->component)
        return x->component < y->component ? -1 : 1;
    return (x->layer > y->layer) - (x->layer < y->layer);
}

// A table that is derived whole takes the rows of facts as they stand.
static void sweep_rules(demand *d, table *t) {
    t->ground = t->mask == 0 && !d->options.as_written;
    for (size_t i = 0; i < t->pred->rules.count && d->failed == OK; i++) {
        rule *r = t->pred->rules.items[i];
        if (i + 16 < t->pred->rules.count)
            __builtin_prefetch(t->pred->rules.items[i + 16]);
        if ((!t->ground || !rule_is_ground(r)) && demand_may_run(d, r))
            sweep_rule(d, t, r);
    }
}

static void make_rules(demand *d) {
    d->next = 0;
    memset(d->forms, 0, (d->p->preds.count + 1) * sizeof *d->forms);
    table_for(d, d->query, (call_form){0}, 0);
    for (; d->next < d->out->count && d->failed == OK; d->next++) {
        table *t = d->out->items[d->next];
        if (t->magic || t->base)
            continue;
        if (budget_interrupted(d->b))
            d->failed = E_INTERRUPTED;
        else if (t->followed)
            linear_rules(d, t);
        else
            sweep_rules(d, t);
    }
}

static status build_tables(demand *d, error *err) {
    arena_mark start = arena_mark_of(d->a);
    for (;;) {
        const pred *culprit = NULL;
        // What an earlier pass made is of no use any more.
        arena_return_to(d->a, start);
        d->room.count = 0;
        d->followed = d->crowded = false;
        make_rules(d);
        if (d->failed == E_LIMIT && !d->too_many && d->out->count >= tables_most(d)) {
            d->too_many = true;
            d->failed = OK;
            tables_destroy(d->out);
            continue;
        }
        if (d->failed == E_LIMIT && d->out->count >= tables_most(d))
            return error_set(err, E_LIMIT,
                             "the query could not be prepared: it leads to too many rules");
        if (d->failed != OK)
            return d->failed;
        // A recursion was followed from keys that turned out to be many.
        bool again = d->followed && d->crowded;
        d->passes += again;
        if (!again && !demand_number(d))
            return E_MEMORY;
        again = again || demand_give_up(d, &culprit);
        if (!again && culprit && !demand_layers(d, &culprit) && !culprit)
            return E_MEMORY;
        if (!again && !culprit)
            break;
        if (!again && !d->sparing) {
            d->sparing = again = true;
        } else if (!again) {
            char label[300];
            return error_at(err, E_INPUT, culprit->file, culprit->line, culprit->column,
                            "%s can only be asked for bound arguments, and what they are depends "
                            "on its negation",
                            culprit->auxiliary ? "this" : pred_label(culprit, label, sizeof label));
        }
        tables_destroy(d->out);
    }
    qsort(d->out->items, d->out->count, sizeof *d->out->items, by_component);
    return OK;
}

// Goes through the predicates that the query leads to. True: they are more than so many.
static bool reaches_more_than(demand *d, size_t most) {
    pred **reached = demand_alloc(d, (d->p->preds.count + 1) * sizeof *reached);
    bool *seen = demand_alloc(d, d->p->preds.count + 1);
    size_t count = 0;
    if (d->failed != OK)
        return false;
    seen[d->query->index] = true;
    reached[count++] = d->query;
    for (size_t at = 0; at < count; at++) {
        for (size_t i = 0; i < reached[at]->rules.count; i++) {
            const rule *r = reached[at]->rules.items[i];
            for (uint32_t k = 0; k < r->literal_count; k++) {
                pred *next = r->literals[k].pred;
                if (next && !seen[next->index]) {
                    seen[next->index] = true;
                    reached[count++] = next;
                }
            }
        }
    }
    demand_find_some(d, reached, count);
    return count > most;
}

status demand_build(program *p, arena *a, budget *b, pred *query, const demand_options *opt,
                    tables *out, error *err) {
    demand d = {.p = p, .a = a, .b = b, .query = query, .options = *opt, .out = out};
    d.whole = demand_alloc(&d, p->preds.count + 1);
    d.timeless = demand_alloc(&d, p->preds.count + 1);
    d.unasked = demand_alloc(&d, p->preds.count + 1);
    d.many = demand_alloc(&d, p->preds.count + 1);
    d.forms = demand_alloc(&d, (p->preds.count + 1) * sizeof *d.forms);
    d.linear = demand_alloc(&d, (p->preds.count + 1) * sizeof *d.linear);
    d.too_many = reaches_more_than(&d, REACHED_MAX);
    return d.failed == OK ? build_tables(&d, err) : d.failed;
}
