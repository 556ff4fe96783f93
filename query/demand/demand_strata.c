// query/demand/demand_strata.c - components of tables that depend on each other, and the predicates
// for which demand must not be used.
#include "query/demand/demand_int.h"
#include "query/fault.h"

typedef struct frame {
    uint32_t at, rule, literal;
    bool windows; // those of the table were followed
} frame;

static bool is_negative(const literal *l) {
    return l->negated || l->kind == LITERAL_SUBTRACT || l->kind == LITERAL_AGGREGATE ||
           l->source == SOURCE_MAXIMAL;
}

// Returns whether the literal only gives keys to ask for, which may grow at any time.
static bool only_asks(const table *t, const literal *l) {
    return t->magic && !is_negative(l);
}

// Gives the next table that a table needs, its windows first; NULL: what comes next needs none.
static const table *next_needed(const table *t, frame *f, bool layers) {
    if (!f->windows) {
        f->windows = true;
        return t->when;
    }
    const rule *r = t->rules.items[f->rule];
    if (f->literal >= r->literal_count) {
        f->rule++;
        f->literal = 0;
        return NULL;
    }
    const literal *l = &r->literals[f->literal++];
    if ((layers && only_asks(t, l)) || (FAULT(EARLY_NEGATION) && l->negated))
        return NULL;
    return l->table;
}

// Tarjan's algorithm over tables, without recursion. Tables carry their number in `old` meanwhile.
static bool number_tables(demand *d, bool layers) {
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
        frames[count++] = (frame){.at = root};
        index[root] = low[root] = ++next;
        stack[depth++] = root;
        on[root] = true;
        while (count > 0) {
            frame *f = &frames[count - 1];
            table *t = d->out->items[f->at];
            if (f->rule < t->rules.count || !f->windows) {
                const table *to = next_needed(t, f, layers);
                if (!to || to->complete)
                    continue;
                if (!index[to->old]) {
                    index[to->old] = low[to->old] = ++next;
                    stack[depth++] = to->old;
                    on[to->old] = true;
                    frames[count++] = (frame){.at = to->old};
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
                    *(layers ? &d->out->items[member]->layer : &d->out->items[member]->component) =
                        component;
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

bool demand_number(demand *d) {
    return number_tables(d, false);
}

// Makes the table's predicate one that is derived whole. False: it is one already, or can only run
// for bound columns.
static bool make_whole(demand *d, const table *t) {
    if (t->mask == 0 || t->pred->required != 0 || d->whole[t->pred->index])
        return false;
    return d->whole[t->pred->index] = true;
}

// Where a predicate is derived whole anyway, a part of it would be derived twice.
static bool give_up_parts(demand *d) {
    bool moved = false, *entire = demand_alloc(d, d->p->preds.count + 1);
    for (size_t i = 0; entire && i < d->out->count; i++) {
        const table *t = d->out->items[i];
        if (!t->magic && !t->base && t->mask == 0 && !t->within)
            entire[t->pred->index] = true;
    }
    for (size_t i = 0; entire && i < d->out->count; i++) {
        const table *t = d->out->items[i];
        if (!entire[t->pred->index])
            continue;
        moved = make_whole(d, t) || moved;
        if (t->within && !t->magic && !d->timeless[t->pred->index])
            moved = d->timeless[t->pred->index] = true;
    }
    return moved;
}

// Returns whether the literal reads the best value of each key from outside the recursion: before
// all values are derived, it might read one that is beaten later.
static bool reads_best(const table *t, const literal *l) {
    return l->table->best && !t->magic && t->pred->component != l->table->pred->component;
}

// Returns whether the literal of a table's rule closes a circle through a negation, or through
// another literal that needs its predicate complete.
static bool is_circle(const table *t, const literal *l) {
    return l->table && !l->table->complete && l->table->component == t->component &&
           (is_negative(l) || reads_best(t, l));
}

// Predicates that are negated in a circle are derived whole first; where that is not enough, all
// predicates of the circle are.
static bool give_up_circles(demand *d, bool all, const pred **culprit) {
    bool moved = false;
    for (size_t i = 0; i < d->out->count; i++) {
        const table *t = d->out->items[i];
        for (size_t k = 0; k < t->rules.count; k++) {
            const rule *r = t->rules.items[k];
            for (uint32_t j = 0; j < r->literal_count; j++) {
                if (!is_circle(t, &r->literals[j]))
                    continue;
                *culprit = r->literals[j].table->pred;
                if (!all)
                    moved = make_whole(d, r->literals[j].table) || moved;
                for (size_t m = 0; all && m < d->out->count; m++) {
                    if (d->out->items[m]->component == t->component)
                        moved = make_whole(d, d->out->items[m]) || moved;
                }
            }
        }
    }
    return moved;
}

// Windows must be complete before what they narrow is derived.
static bool give_up_windows(demand *d) {
    bool moved = false;
    for (size_t i = 0; i < d->out->count; i++) {
        const table *t = d->out->items[i];
        if (!t->when || t->when->component != t->component || d->unasked[t->when->pred->index])
            continue;
        moved = d->unasked[t->when->pred->index] = true;
    }
    return moved;
}

// Finds predicates that must be derived whole after all. True: there are new ones.
bool demand_give_up(demand *d, const pred **culprit) {
    bool moved = give_up_windows(d);
    return give_up_parts(d) || moved || give_up_circles(d, false, culprit) ||
           give_up_circles(d, true, culprit);
}

bool demand_layers(demand *d, const pred **culprit) {
    bool *circles = demand_alloc(d, d->out->count + 1); // by component
    *culprit = NULL;
    if (!circles || !number_tables(d, true))
        return false;
    for (size_t i = 0; i < d->out->count; i++) {
        const table *t = d->out->items[i];
        for (size_t k = 0; k < t->rules.count; k++) {
            const rule *r = t->rules.items[k];
            for (uint32_t j = 0; j < r->literal_count; j++) {
                const literal *l = &r->literals[j];
                if (!is_circle(t, l))
                    continue;
                circles[t->component] = true;
                if (l->table->layer == t->layer)
                    *culprit = l->table->pred;
            }
        }
    }
    for (size_t i = 0; i < d->out->count; i++) {
        table *t = d->out->items[i];
        t->layer = circles[t->component] ? t->layer : 0;
    }
    return *culprit == NULL;
}
