// query/demand.c - from a query to the tables it needs and the rules that fill them.
//
// A predicate is derived whole unless few of its rows are asked for (a query names constants and
// what they lead to), it can only run for bound columns, or it is marked so. Then each call adds
// what it asks for to a magic table, whose rules are the literals before the call. Where that would
// send a negation round in a circle, the predicate is derived whole after all.
#include "query/fact.h"
#include "query/table.h"

#define TABLES_MOST 20000

typedef struct demand {
    program *p;
    arena *a;
    budget *b;
    const program_query *q;
    tables *out;
    bool *whole; // by predicate: never by demand
    size_t next; // table whose rules come next
    bool everything_whole;
    status failed;
} demand;

typedef struct sweep { // through one rule's literals
    demand *d;
    table *t;
    const rule *r;
    bool is_query;
    varset bound, chosen; // variables bound; those that come from what was asked for
    varset made;          // those that are computed: to ask recursively for them might never end
    literal *literals;    // in their new order, the magic one first
    uint32_t count;
} sweep;

static table *new_table(demand *d, pred *p, uint32_t arity) {
    table *t = d->out->count < TABLES_MOST ? table_create(p, arity, d->b) : NULL;
    if (!t || !array_push_try(d->out, t)) {
        table_free(t);
        d->failed = E_LIMIT;
        return NULL;
    }
    return t;
}

static status fill_facts(demand *d, table *t) {
    for (size_t i = 0; i < t->pred->facts.count; i++) {
        status s =
            table_add(t, t->pred->facts.items[i], t->pred->fact_rules.items[i], 0, d->p->end);
        if (s != OK)
            return s;
    }
    return OK;
}

static uint32_t bits_in(uint32_t mask) {
    return (uint32_t)__builtin_popcount(mask);
}

static table *table_for(demand *d, pred *p, uint32_t mask, uint32_t context, bool selective) {
    if (mask == 0)
        context = 0, selective = false;
    for (size_t i = 0; i < d->out->count; i++) {
        table *t = d->out->items[i];
        if (t->pred == p && !t->magic && t->mask == mask && t->context == context &&
            t->selective == selective)
            return t;
    }
    table *t = new_table(d, p, p->arity);
    if (!t)
        return NULL;
    t->mask = mask;
    t->context = context;
    t->selective = selective;
    t->temporal = p->temporal;
    if (mask != 0) {
        t->demand = new_table(d, p, bits_in(mask));
        if (!t->demand)
            return NULL;
        t->demand->magic = true;
        t->demand->mask = mask;
        t->demand->context = context;
        t->demand->selective = selective;
    }
    if (fill_facts(d, t) != OK)
        d->failed = E_LIMIT;
    return t;
}

static bool pattern_within(const pattern *p, const varset *set) {
    varset v = {0};
    pattern_vars(p, &v);
    return varset_within(&v, set);
}

static bool pattern_meets(const pattern *p, const varset *set) {
    varset v = {0};
    pattern_vars(p, &v);
    return varset_meets(&v, set);
}

// Which columns of a call to ask for, and whether that narrows down what is derived.
static uint32_t mask_of(const sweep *w, const literal *l, bool *selective) {
    const pred *p = l->pred;
    uint32_t keys = p->temporal ? p->arity - 2 : p->arity, all = 0, chosen = 0;
    bool any_chosen = false;
    for (uint32_t i = 0; i < l->arg_count && i < keys; i++) {
        const pattern *arg = l->args[i];
        if (!pattern_within(arg, &w->bound))
            continue;
        bool recursive = p->component == w->t->pred->component && !w->is_query;
        if (recursive && (arg->kind == PATTERN_COMPOUND || pattern_meets(arg, &w->made)))
            continue;
        all |= UINT32_C(1) << i;
        bool constant = arg->kind == PATTERN_CONST;
        if (constant || pattern_within(arg, &w->chosen))
            chosen |= UINT32_C(1) << i;
        if (constant ? w->is_query : pattern_meets(arg, &w->chosen))
            any_chosen = true;
    }
    *selective = false;
    all |= p->required;
    if (w->d->whole[p->index] || (w->d->everything_whole && !(p->auxiliary && p->on_demand)))
        return p->required;
    if (p->on_demand) {
        *selective = true;
        return all;
    }
    if (!any_chosen)
        return p->required;
    *selective = true;
    return chosen | p->required;
}

static void copy_rule(demand *d, const rule *r, table *t, literal *literals, uint32_t count,
                      const pattern **args, uint32_t arg_count) {
    rule *made = arena_alloc(d->a, sizeof *made);
    *made = *r;
    made->table = t;
    made->literals = arena_alloc(d->a, (count + 1) * sizeof *literals);
    memcpy(made->literals, literals, count * sizeof *literals);
    made->literal_count = count;
    made->args = args;
    made->arg_count = arg_count;
    if (t->magic)
        made->head_range = VAR_NONE;
    if (!array_push_try(&t->rules, made))
        d->failed = E_MEMORY;
}

// Whether the literal speaks of an instant variable.
static bool touches_range(const rule *r, const literal *l) {
    varset v = {0};
    literal_vars(l, &v);
    for (uint32_t i = 0; i < r->var_count; i++) {
        if (r->is_range[i] && varset_has(&v, i))
            return true;
    }
    return false;
}

// The rule that asks for a call: what stands before it, without what only filters.
static void ask_for(sweep *w, const literal *l, table *callee) {
    demand *d = w->d;
    literal *body = arena_alloc(d->a, (w->count + 1) * sizeof *body);
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        const literal *before = &w->literals[i];
        if (!before->negated && before->kind != LITERAL_CARVE && !touches_range(w->r, before))
            body[count++] = *before;
    }
    const pattern **args = arena_alloc(d->a, (callee->demand->arity + 1) * sizeof *args);
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->arg_count; i++) {
        if (callee->mask >> i & 1)
            args[n++] = l->args[i];
    }
    // To ask for what is being asked for adds nothing.
    if (count == 1 && body[0].table == callee->demand) {
        bool same = true;
        for (uint32_t i = 0; i < n; i++)
            same = same && args[i]->kind == PATTERN_VAR && body[0].args[i]->kind == PATTERN_VAR &&
                   args[i]->var == body[0].args[i]->var;
        if (same)
            return;
    }
    copy_rule(d, w->r, callee->demand, body, count, args, n);
}

static void resolve_call(sweep *w, literal *l) {
    demand *d = w->d;
    pred *p = l->pred;
    if (p->fact)
        return;
    if (p->kept) {
        l->table = p->kept;
        return;
    }
    bool selective;
    uint32_t mask = mask_of(w, l, &selective);
    uint32_t context = w->is_query || w->t->mask != 0 ? w->t->context : w->t->pred->component + 1;
    l->table = table_for(d, p, mask, context, selective);
    if (l->table && l->table->demand)
        ask_for(w, l, l->table);
}

// How early a ready literal should run: what filters first, then what is tied to what was asked
// for.
static int preference(const sweep *w, const literal *l) {
    varset vars = {0};
    literal_vars(l, &vars);
    switch (l->kind) {
    case LITERAL_UNIFY:
    case LITERAL_COMPARE:
    case LITERAL_ROUNDS:
    case LITERAL_TO_TIME:
    case LITERAL_NARROW:
        return 0;
    case LITERAL_RELATION:
        if (l->negated)
            return 5;
        if (varset_within(&vars, &w->bound))
            return 1;
        for (uint32_t i = 0; i < l->arg_count; i++) {
            if (pattern_meets(l->args[i], &w->chosen) ||
                (w->is_query && l->args[i]->kind == PATTERN_CONST))
                return 2;
        }
        for (uint32_t i = 0; i < l->arg_count; i++) {
            if (pattern_meets(l->args[i], &w->bound))
                return l->pred->fact ? 3 : 4;
        }
        return l->pred->fact ? 6 : 7;
    case LITERAL_BUILTIN:
        return varset_within(&vars, &w->bound) ? 2 : 3;
    case LITERAL_CARVE:
        return 5;
    case LITERAL_AGGREGATE:
        return 8;
    }
    return 9;
}

// Which variables the literal computes; a relation that is derived apart holds only finitely many.
static void note_made(sweep *w, const literal *l) {
    varset fresh = {0};
    literal_outputs(l, &fresh);
    bool settles = l->kind == LITERAL_RELATION && !l->negated && l->pred &&
                   l->pred->component != w->t->pred->component && l->pred->required == 0;
    bool copies = l->kind == LITERAL_RELATION || l->kind == LITERAL_TO_TIME ||
                  (l->kind == LITERAL_UNIFY && l->left->op == EXPR_VAR && l->right->op == EXPR_VAR);
    varset vars = {0};
    literal_vars(l, &vars);
    bool spreads = varset_meets(&vars, &w->made) && l->kind == LITERAL_UNIFY;
    for (uint32_t v = 0; v < w->r->var_count; v++) {
        if (!varset_has(&fresh, v))
            continue;
        if (settles)
            varset_remove(&w->made, v);
        else if (!varset_has(&w->bound, v) && (!copies || spreads))
            varset_add(&w->made, v);
    }
}

static void take(sweep *w, uint32_t i, bool *done) {
    literal l = w->r->literals[i];
    varset vars = {0};
    done[i] = true;
    if (l.pred)
        resolve_call(w, &l);
    w->literals[w->count++] = l;
    literal_vars(&l, &vars);
    bool constant = false;
    for (uint32_t k = 0; k < l.arg_count; k++)
        constant = constant || l.args[k]->kind == PATTERN_CONST;
    bool joined =
        varset_meets(&vars, &w->chosen) || (w->is_query && constant && l.kind == LITERAL_RELATION);
    note_made(w, &l);
    literal_outputs(&l, &w->bound);
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

// The query itself, and what its aggregates and negations were made into: their constants are what
// it names.
static bool of_query(const demand *d, const pred *p) {
    return p == d->q->pred || (p->auxiliary && !p->on_demand && p->index >= d->q->first_pred);
}

static void sweep_rule(demand *d, table *t, const rule *r) {
    sweep w = {.d = d, .t = t, .r = r, .is_query = of_query(d, t->pred)};
    w.literals = arena_alloc(d->a, (r->literal_count + 2) * sizeof *w.literals);
    bool *done = arena_alloc(d->a, r->literal_count + 1);
    if (t->mask != 0) {
        literal magic = {.kind = LITERAL_RELATION,
                         .table = t->demand,
                         .arg_count = t->demand->arity,
                         .range = VAR_NONE};
        magic.args = arena_alloc(d->a, (magic.arg_count + 1) * sizeof *magic.args);
        uint32_t n = 0;
        for (uint32_t i = 0; i < r->arg_count; i++) {
            if (t->mask >> i & 1)
                magic.args[n++] = r->args[i];
        }
        for (uint32_t i = 0; i < n; i++)
            pattern_vars(magic.args[i], &w.bound);
        if (t->selective)
            w.chosen = w.bound;
        w.literals[w.count++] = magic;
    }
    for (uint32_t left = r->literal_count; left > 0 && d->failed == OK; left--) {
        uint32_t best = UINT32_MAX;
        int best_cost = 100;
        for (uint32_t i = 0; i < r->literal_count; i++) {
            const literal *l = &r->literals[i];
            if (done[i] || !literal_ready(r, l, &w.bound, &r->bindable, literal_required(l)))
                continue;
            int cost = preference(&w, l);
            if (cost < best_cost) {
                best = i;
                best_cost = cost;
            }
        }
        if (best == UINT32_MAX)
            best = rule_last_resort(r, done, &w.bound);
        if (best == UINT32_MAX) {
            d->failed = E_USAGE; // the checker let nothing unsafe pass
            return;
        }
        take(&w, best, done);
    }
    copy_rule(d, r, t, w.literals, w.count, r->args, r->arg_count);
}

// ---- Components
// ----------------------------------------------------------------------------------

typedef struct frame {
    uint32_t at, rule, literal;
} frame;

static bool is_negative(const literal *l) {
    return l->negated || l->kind == LITERAL_CARVE || l->kind == LITERAL_AGGREGATE ||
           l->source == SOURCE_MAXIMAL;
}

// Tarjan's algorithm over tables, without recursion. Tables carry their number in `old` meanwhile.
static bool number_components(demand *d) {
    size_t n = d->out->count;
    uint32_t *index = calloc(n + 1, sizeof *index), *low = calloc(n + 1, sizeof *low);
    uint32_t *stack = calloc(n + 1, sizeof *stack), next = 0, depth = 0, component = 0;
    frame *frames = calloc(n + 1, sizeof *frames);
    bool *on = calloc(n + 1, sizeof *on), ok = index && low && stack && frames && on;
    for (size_t i = 0; i < n; i++)
        d->out->items[i]->old = (uint32_t)i;
    for (uint32_t root = 0; ok && root < n; root++) {
        if (index[root])
            continue;
        uint32_t count = 0;
        frames[count++] = (frame){root, 0, 0};
        index[root] = low[root] = ++next;
        stack[depth++] = root;
        on[root] = true;
        while (count > 0) {
            frame *f = &frames[count - 1];
            table *t = d->out->items[f->at];
            if (f->rule < t->rules.count) {
                const rule *r = t->rules.items[f->rule];
                if (f->literal >= r->literal_count) {
                    f->rule++;
                    f->literal = 0;
                    continue;
                }
                const table *to = r->literals[f->literal++].table;
                if (!to || to->complete)
                    continue;
                if (!index[to->old]) {
                    index[to->old] = low[to->old] = ++next;
                    stack[depth++] = to->old;
                    on[to->old] = true;
                    frames[count++] = (frame){to->old, 0, 0};
                } else if (on[to->old] && index[to->old] < low[f->at]) {
                    low[f->at] = index[to->old];
                }
                continue;
            }
            uint32_t at = f->at;
            count--;
            if (count > 0 && low[at] < low[frames[count - 1].at])
                low[frames[count - 1].at] = low[at];
            if (low[at] == index[at]) {
                uint32_t member;
                do {
                    member = stack[--depth];
                    on[member] = false;
                    d->out->items[member]->component = component;
                } while (member != at);
                component++;
            }
        }
    }
    for (size_t i = 0; i < n; i++)
        d->out->items[i]->old = 0;
    free(index);
    free(low);
    free(stack);
    free(frames);
    free(on);
    return ok;
}

// Predicates that must be derived whole after all. True: there are new ones.
static bool give_up_demand(demand *d, const pred **culprit) {
    bool moved = false;
    for (size_t i = 0; i < d->out->count; i++) {
        const table *t = d->out->items[i];
        // Derived whole anyway: a part of it would be derived twice.
        if (t->magic || t->mask != 0 || t->pred->required != 0 || d->whole[t->pred->index])
            continue;
        for (size_t k = 0; k < d->out->count && !d->whole[t->pred->index]; k++) {
            const table *other = d->out->items[k];
            if (other->pred == t->pred && other->mask != 0)
                d->whole[t->pred->index] = moved = true;
        }
    }
    if (moved)
        return true;
    for (size_t i = 0; i < d->out->count; i++) {
        const table *t = d->out->items[i];
        for (size_t k = 0; k < t->rules.count; k++) {
            const rule *r = t->rules.items[k];
            for (uint32_t j = 0; j < r->literal_count; j++) {
                const table *to = r->literals[j].table;
                if (!to || to->complete || !is_negative(&r->literals[j]) ||
                    to->component != t->component)
                    continue;
                *culprit = to->pred;
                for (size_t m = 0; m < d->out->count; m++) {
                    const table *in = d->out->items[m];
                    if (in->component == t->component && in->mask != 0 && in->pred->required == 0 &&
                        !d->whole[in->pred->index])
                        d->whole[in->pred->index] = moved = true;
                }
            }
        }
    }
    return moved;
}

static int by_component(const void *a, const void *b) {
    const table *x = *(table *const *)a, *y = *(table *const *)b;
    return (x->component > y->component) - (x->component < y->component);
}

static status build(demand *d, error *err) {
    for (;;) {
        const pred *culprit = NULL;
        d->next = 0;
        table_for(d, d->q->pred, 0, 0, false);
        for (; d->next < d->out->count && d->failed == OK; d->next++) {
            table *t = d->out->items[d->next];
            for (size_t i = 0; !t->magic && i < t->pred->rules.count && d->failed == OK; i++)
                sweep_rule(d, t, t->pred->rules.items[i]);
        }
        if (d->failed != OK)
            return error_set(err, d->failed,
                             "the query could not be prepared: it leads to too many rules");
        if (!number_components(d))
            return error_set(err, E_MEMORY, "no memory is left for the query");
        bool again = give_up_demand(d, &culprit);
        if (!again && !culprit)
            break;
        if (!again) {
            char label[300];
            return error_set(err, E_INPUT,
                             "%s can only be asked for bound arguments, and what they are depends "
                             "on its negation",
                             pred_label(culprit, label, sizeof label));
        }
        tables_free(d->out);
    }
    qsort(d->out->items, d->out->count, sizeof *d->out->items, by_component);
    return OK;
}

static status start(program *p, arena *a, budget *b, const program_query *q, tables *out,
                    bool everything, error *err) {
    demand d = {.p = p, .a = a, .b = b, .q = q, .out = out, .everything_whole = everything};
    d.whole = arena_alloc(a, p->preds.count + 1);
    return build(&d, err);
}

status demand_build(program *p, arena *a, budget *b, const program_query *q, tables *out,
                    error *err) {
    return start(p, a, b, q, out, false, err);
}

status demand_build_whole(program *p, arena *a, budget *b, const program_query *q, tables *out,
                          error *err) {
    return start(p, a, b, q, out, true, err);
}
