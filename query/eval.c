// query/eval.c - components bottom up, each by semi-naive rounds.
#include <stdlib.h>
#include "query/plan_int.h"

// The plans of one rule: for the first round, and for each literal that recursion feeds.
typedef struct rule_plans {
    const rule *r;
    plan *first;
    plan **deltas; // by literal; NULL where it is not recursive
    uint32_t planned_at;
    bool naive; // it asks for merged intervals of its own component: all of it runs every round
    bool recursive;
} rule_plans;

typedef struct component {
    machine *m;
    table **tables;
    size_t table_count;
    ARRAY(rule_plans) rules;
} component;

static bool is_own(const component *c, const literal *l) {
    return l->kind == LITERAL_RELATION && !l->negated && l->table && !l->table->complete &&
           l->table->component == c->tables[0]->component;
}

static status gather(component *c) {
    for (size_t i = 0; i < c->table_count; i++) {
        const table *t = c->tables[i];
        for (size_t k = 0; k < t->rules.count; k++) {
            rule_plans p = {.r = t->rules.items[k]};
            p.deltas = calloc(p.r->literal_count + 1, sizeof *p.deltas);
            if (!p.deltas)
                return E_MEMORY;
            for (uint32_t j = 0; j < p.r->literal_count; j++) {
                const literal *l = &p.r->literals[j];
                if (!is_own(c, l))
                    continue;
                p.recursive = true;
                p.naive = p.naive || l->source == SOURCE_MERGED;
            }
            if (!array_push_try(&c->rules, p)) {
                free(p.deltas);
                return E_MEMORY;
            }
        }
    }
    return OK;
}

static void drop_plans(rule_plans *p) {
    plan_discard(p->first);
    p->first = NULL;
    for (uint32_t j = 0; j < p->r->literal_count; j++) {
        plan_discard(p->deltas[j]);
        p->deltas[j] = NULL;
    }
}

static void finish(component *c) {
    for (size_t i = 0; i < c->rules.count; i++) {
        drop_plans(&c->rules.items[i]);
        free(c->rules.items[i].deltas);
    }
    array_finish(&c->rules);
}

static status run_plan(component *c, rule_plans *p, plan **slot, int delta) {
    if (!*slot)
        *slot = plan_create(c->m, p->r, delta);
    return *slot ? plan_run(c->m, *slot) : E_MEMORY;
}

// Brings merged intervals up to date for the rules that ask for them within their own component.
static status merge_own(component *c) {
    for (size_t i = 0; i < c->rules.count; i++) {
        const rule_plans *p = &c->rules.items[i];
        for (uint32_t j = 0; p->naive && j < p->r->literal_count; j++) {
            const literal *l = &p->r->literals[j];
            if (is_own(c, l) && l->source == SOURCE_MERGED) {
                status s = table_merge(l->table, c->m->budget);
                if (s != OK)
                    return s;
            }
        }
    }
    return OK;
}

static bool advance(component *c) {
    bool more = false;
    for (size_t i = 0; i < c->table_count; i++) {
        table *t = c->tables[i];
        t->old = t->now;
        t->now = t->rows->count;
        more = more || t->now > t->old;
    }
    return more;
}

static status first_round(component *c) {
    c->m->round++;
    status s = merge_own(c);
    for (size_t i = 0; i < c->rules.count && s == OK; i++)
        s = run_plan(c, &c->rules.items[i], &c->rules.items[i].first, -1);
    return s;
}

// Whether a round's number is a power of two: then sizes may have changed enough to plan anew.
static bool plan_anew(uint32_t n) {
    return n >= 4 && (n & (n - 1)) == 0;
}

static status later_rounds(component *c) {
    status s = OK;
    for (uint32_t n = 1; s == OK && advance(c); n++) {
        c->m->round++;
        s = merge_own(c);
        for (size_t i = 0; i < c->rules.count && s == OK; i++) {
            rule_plans *p = &c->rules.items[i];
            if (!p->recursive)
                continue;
            // Plans of naive rules hold indexes of relations that were merged anew.
            if (plan_anew(n) || p->naive)
                drop_plans(p);
            if (p->naive) {
                s = run_plan(c, p, &p->first, -1);
                continue;
            }
            for (uint32_t j = 0; j < p->r->literal_count && s == OK; j++) {
                const literal *l = &p->r->literals[j];
                if (is_own(c, l) && l->table->now > l->table->old)
                    s = run_plan(c, p, &p->deltas[j], (int)j);
            }
        }
    }
    return s;
}

static status complete(component *c) {
    for (size_t i = 0; i < c->table_count; i++) {
        table *t = c->tables[i];
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
    status s = gather(&c);
    bool recursive = false;
    for (size_t i = 0; i < c.rules.count; i++)
        recursive = recursive || c.rules.items[i].recursive;
    if (s == OK)
        s = first_round(&c);
    if (s == OK && recursive)
        s = later_rounds(&c);
    if (s == OK)
        s = complete(&c);
    finish(&c);
    return s;
}

status evaluate(machine *m, tables *all) {
    status s = OK;
    for (size_t i = 0; i < all->count && s == OK;) {
        size_t end = i + 1;
        while (end < all->count && all->items[end]->component == all->items[i]->component)
            end++;
        s = run_component(m, all->items + i, end - i);
        i = end;
    }
    if (s == OK || m->failed != OK)
        return m->failed != OK ? m->failed : s;
    m->failed = s;
    return s;
}
