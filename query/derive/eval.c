// query/derive/eval.c - derives components bottom up, each by semi-naive rounds.
//
// A component is a set of predicates that depend on each other. Most components are derived as one
// layer. A component has several layers where the keys that are asked for depend on answers, and a
// negation or an aggregate reads those answers: the predicates that are read stand in a lower
// layer. A round of a layer begins only when nothing is left to do in the layers below it, so that
// every key that was asked of these is answered completely.
#include <stdlib.h>
#include <time.h>
#include "query/derive/rule_plan_int.h"
#include "base/time/clock.h"
#include "query/derive/plan_log.h"

// One version of a rule, as semi-naive evaluation runs it: version `delta` reads only the new rows
// of the literal `delta`, and the rows so far of all others; version -1 reads all rows.
typedef struct way {
    const rule *r;
    table *feeds; // the table of literal `delta`; NULL: the version runs in the first round
    int delta;
    bool naive; // reads all rows in every round, since the rule reads merged intervals of its own
                // component, which change as rows are added
    bool ran;   // in layers: has run at least once
    uint32_t seen; // in layers: rows of `feeds` that it has read; naive: rows of the component
    rule_plan *plan;
    plan_entry *entry;
} way;

typedef struct component {
    machine *m;
    table **tables;
    size_t table_count;
    ARRAY(way) ways; // of each rule: version -1, then one version for each recursive literal
    bool recursive, naive, layered;
} component;

// Returns whether a literal reads a table of this component that is not complete yet.
static bool is_own(const component *c, const literal *l) {
    return l->kind == LITERAL_RELATION && !l->negated && l->table && !l->table->complete &&
           l->table->component == c->tables[0]->component;
}

// Rules lie all over memory, so they are prefetched before their turn comes.
static void fetch_ahead(rule *const *rules, size_t at, size_t count) {
    if (at + 24 >= count)
        return;
    __builtin_prefetch(rules[at + 24]);
    __builtin_prefetch(rules[at + 16]->args);
    if (rules[at + 8]->arg_count > 0)
        __builtin_prefetch(rules[at + 8]->args[0]);
}

// Adds the facts of rule files without a plan, since there may be many.
static status add_stated(component *c) {
    status s = OK;
    uint32_t n = 0;
    for (size_t i = 0; i < c->table_count; i++) {
        table *t = c->tables[i];
        rule *const *rules = t->ground ? t->pred->rules.items : t->rules.items;
        size_t count = t->ground ? t->pred->rules.count : t->rules.count;
        for (size_t k = 0; k < count && s == OK; k++) {
            const rule *r = rules[k];
            fetch_ahead(rules, k, count);
            if (!rule_is_ground(r))
                continue;
            s = (++n & 0xfff) != 0 || machine_look(c->m) ? OK : E_INTERRUPTED;
            if (s == OK)
                s = rule_state(c->m, t, r);
        }
    }
    return s;
}

static status gather_rule(component *c, const rule *r) {
    way first = {.r = r, .delta = -1};
    if (rule_is_ground(r))
        return OK;
    for (uint32_t j = 0; j < r->literal_count; j++) {
        const literal *l = &r->literals[j];
        bool own = is_own(c, l);
        c->recursive = c->recursive || own;
        first.naive = first.naive || (own && l->source == SOURCE_MERGED);
    }
    c->naive = c->naive || first.naive;
    if (!array_push_try(&c->ways, first))
        return E_MEMORY;
    for (uint32_t j = 0; j < r->literal_count && !first.naive; j++) {
        if (!is_own(c, &r->literals[j]))
            continue;
        way w = {.r = r, .delta = (int)j, .feeds = r->literals[j].table};
        if (!array_push_try(&c->ways, w))
            return E_MEMORY;
    }
    return OK;
}

static status gather_rules(component *c) {
    for (size_t i = 0; i < c->table_count; i++) {
        const table *t = c->tables[i];
        for (size_t k = 0; k < t->rules.count; k++) {
            status s = gather_rule(c, t->rules.items[k]);
            if (s != OK)
                return s;
        }
    }
    return OK;
}

static void drop_plan(way *w) {
    rule_plan_destroy(w->plan);
    w->plan = NULL;
}

static void component_finish(component *c) {
    for (size_t i = 0; i < c->ways.count; i++)
        drop_plan(&c->ways.items[i]);
    array_finish(&c->ways);
}

static status run_logged(machine *m, way *w) {
    uint64_t given = rule_plan_given(w->plan);
    uint32_t before = w->r->table->rows->count;
    nanos started = clock_wall();
    status s = rule_plan_run(m, w->plan);
    if (w->entry) {
        w->entry->spent += clock_wall() - started;
        w->entry->given += rule_plan_given(w->plan) - given;
        w->entry->fresh += w->r->table->rows->count - before;
        w->entry->times++;
    }
    return s;
}

// Returns whether the rule finds nothing now, since a relation that it joins has no rows.
static bool finds_nothing(const machine *m, const rule *r) {
    for (uint32_t j = 0; j < r->literal_count; j++) {
        const literal *l = &r->literals[j];
        if (l->kind != LITERAL_RELATION || l->negated)
            continue;
        if (l->table ? l->table->rows->count == 0
                     : l->pred->fact && facts_have_none(m->facts, l->pred->fact))
            return true;
    }
    return false;
}

static status run_way(component *c, way *w) {
    machine *m = c->m;
    if (!w->plan) {
        // Where plans are asked for, they are made of all rules.
        if (!m->log && finds_nothing(m, w->r))
            return OK;
        w->plan = rule_plan_create(m, w->r, w->delta, NULL);
        if (!w->plan)
            return E_MEMORY;
        if (m->log)
            w->entry = plan_log_entry(m->log, m, w->plan, w->delta);
    }
    return m->log ? run_logged(m, w) : rule_plan_run(m, w->plan);
}

// Brings merged intervals up to date for the rules that ask for them within their own component.
static status merge_own(component *c) {
    for (size_t i = 0; c->naive && i < c->ways.count; i++) {
        const way *w = &c->ways.items[i];
        for (uint32_t j = 0; w->naive && j < w->r->literal_count; j++) {
            const literal *l = &w->r->literals[j];
            if (is_own(c, l) && l->source == SOURCE_MERGED) {
                status s = table_merge(l->table, c->m->budget);
                if (s != OK)
                    return s;
            }
        }
    }
    return OK;
}

static bool advance_tables(component *c) {
    bool more = false;
    for (size_t i = 0; i < c->table_count; i++) {
        table *t = c->tables[i];
        t->old = t->now;
        t->now = t->rows->count;
        more = more || t->now > t->old;
    }
    return more;
}

// Rules read rows that stood before the round began: in the first round, facts.
static status first_round(component *c) {
    for (size_t i = 0; i < c->table_count; i++)
        c->tables[i]->now = c->tables[i]->rows->count;
    c->m->round++;
    status s = merge_own(c);
    if (s == OK)
        s = add_stated(c);
    for (size_t i = 0; i < c->ways.count && s == OK; i++) {
        way *w = &c->ways.items[i];
        if (w->feeds)
            continue;
        s = run_way(c, w);
        // The way does not run again.
        if (!w->naive)
            drop_plan(w);
    }
    return s;
}

// Returns whether a round's number is a power of two: sizes may then have changed enough to plan
// anew.
static bool plan_anew(uint64_t n) {
    return n >= 4 && (n & (n - 1)) == 0;
}

static status later_rounds(component *c, uint64_t *rounds) {
    status s = OK;
    for (uint64_t n = 1; s == OK && advance_tables(c); n++) {
        *rounds = n + 1;
        // Rounds are numbered with 32 bits, and rows are ordered by them.
        if (c->m->round == UINT32_MAX)
            return E_LIMIT;
        c->m->round++;
        s = machine_look(c->m) ? merge_own(c) : E_INTERRUPTED;
        for (size_t i = 0; i < c->ways.count && s == OK; i++) {
            way *w = &c->ways.items[i];
            // Plans of naive rules hold indexes of relations that were merged anew.
            if (w->naive || (w->feeds && plan_anew(n)))
                drop_plan(w);
            if (w->naive || (w->feeds && w->feeds->now > w->feeds->old))
                s = run_way(c, w);
        }
    }
    return s;
}

// ---- Layers ----

// Returns the rows of the component, all or those that stood before the round began.
static uint32_t rows_in(const component *c, bool before) {
    uint32_t n = 0;
    for (size_t i = 0; i < c->table_count; i++)
        n += before ? c->tables[i]->now : c->tables[i]->rows->count;
    return n;
}

// Returns whether rows have come that a version has not read.
static bool is_pending(const component *c, const way *w) {
    if (!w->ran && !w->feeds)
        return true;
    return w->naive ? w->seen != rows_in(c, false) : w->feeds && w->feeds->rows->count > w->seen;
}

// Brings the maximal intervals of the component that rules of the layer read up to date.
static status merge_layer(component *c, uint32_t layer) {
    status s = OK;
    for (size_t i = 0; i < c->ways.count && s == OK; i++) {
        way *w = &c->ways.items[i];
        for (uint32_t j = 0; w->r->table->layer == layer && j < w->r->literal_count; j++) {
            const literal *l = &w->r->literals[j];
            table *t = l->table;
            if (!t || t->complete || !t->temporal || t->component != w->r->table->component ||
                (l->source != SOURCE_MERGED && l->source != SOURCE_MAXIMAL))
                continue;
            // Its plan holds indexes of the relation that was merged before.
            drop_plan(w);
            s = table_merge(t, c->m->budget);
        }
    }
    return s;
}

// Reads the rows that the feeding table got since the last time.
static status run_pending(component *c, way *w) {
    status s;
    if (!w->feeds) {
        w->seen = rows_in(c, true);
        w->ran = true;
        return run_way(c, w);
    }
    w->feeds->old = w->seen;
    s = run_way(c, w);
    w->seen = w->feeds->old = w->feeds->now;
    return s;
}

static status run_layer(component *c, uint32_t layer) {
    if (c->m->round == UINT32_MAX)
        return E_LIMIT;
    c->m->round++;
    if (!machine_look(c->m))
        return E_INTERRUPTED;
    for (size_t i = 0; i < c->table_count; i++)
        c->tables[i]->old = c->tables[i]->now = c->tables[i]->rows->count;
    status s = merge_layer(c, layer);
    for (size_t i = 0; i < c->ways.count && s == OK; i++) {
        way *w = &c->ways.items[i];
        if (w->r->table->layer == layer && is_pending(c, w))
            s = run_pending(c, w);
    }
    return s;
}

static status run_layers(component *c, uint64_t *rounds) {
    status s = add_stated(c);
    for (*rounds = 0; s == OK; ++*rounds) {
        const way *lowest = NULL;
        for (size_t i = 0; i < c->ways.count; i++) {
            const way *w = &c->ways.items[i];
            if (is_pending(c, w) && (!lowest || w->r->table->layer < lowest->r->table->layer))
                lowest = w;
        }
        if (!lowest)
            break;
        s = run_layer(c, lowest->r->table->layer);
    }
    return s;
}

static status complete_tables(component *c) {
    for (size_t i = 0; i < c->table_count; i++) {
        table *t = c->tables[i];
        if (t->magic && t->within) {
            status s = table_take_windows(t, c->m->values, c->m->end);
            if (s != OK)
                return s;
        }
        // Such a table holds all, and may be kept for other queries.
        if (!table_within(t))
            t->within = NULL;
        if (t->temporal) {
            status s = table_merge(t, c->m->budget);
            if (s != OK)
                return s;
        }
        t->complete = true;
        t->old = t->now = t->rows->count;
    }
    return OK;
}

static status run_component(machine *m, table **first, size_t count) {
    component c = {.m = m, .tables = first, .table_count = count};
    uint64_t rounds = 1;
    if (m->log)
        plan_log_component(m->log, m, first, count);
    status s = gather_rules(&c);
    for (size_t i = 1; i < count; i++)
        c.layered = c.layered || first[i]->layer != first[0]->layer;
    if (s == OK && c.layered)
        s = run_layers(&c, &rounds);
    else if (s == OK)
        s = first_round(&c);
    if (s == OK && c.recursive && !c.layered)
        s = later_rounds(&c, &rounds);
    if (s == OK)
        s = complete_tables(&c);
    if (m->log)
        plan_log_rounds(m->log, first, count, rounds);
    component_finish(&c);
    return s;
}

status evaluate(machine *m, tables *all) {
    status s = OK;
    if (!budget_take(m->budget, sizeof *m->batch))
        return m->failed = E_LIMIT;
    m->batch = malloc(sizeof *m->batch);
    if (!m->batch) {
        budget_return(m->budget, sizeof *m->batch);
        return m->failed = E_MEMORY;
    }
    m->batch->count = 0;
    for (size_t i = 0; i < all->count && s == OK;) {
        size_t end = i + 1;
        while (end < all->count && all->items[end]->component == all->items[i]->component)
            end++;
        s = run_component(m, all->items + i, end - i);
        i = end;
    }
    free(m->batch);
    m->batch = NULL;
    budget_return(m->budget, sizeof *m->batch);
    if (s == OK || m->failed != OK)
        return m->failed != OK ? m->failed : s;
    m->failed = s;
    return s;
}
