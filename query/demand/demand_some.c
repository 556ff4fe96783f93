// query/demand/demand_some.c - which predicates can have rows at all. An episode in which nothing
// is poured has no rows for whatever joins what was poured, and that needs no tables.
#include "query/demand/demand_int.h"
#include "query/log/fact.h"

bool demand_may_run(const demand *d, const rule *r) {
    for (uint32_t i = 0; d->some && i < r->literal_count; i++) {
        const literal *l = &r->literals[i];
        if (l->kind == LITERAL_RELATION && !l->negated && !d->some[l->pred->index])
            return false;
    }
    return true;
}

// Returns whether a predicate can have rows, as far as is known of those that it reads.
static bool may_have_rows(const demand *d, pred *p) {
    if (p->fact)
        return !facts_have_none(d->options.facts, p->fact);
    const cached_table *whole = table_cache_find(d->options.cache, p, 0);
    if (whole)
        return whole->rows->rows->count > 0;
    bool some = p->episode_call || p->fact_count > 0;
    for (size_t i = 0; !some && i < p->rules.count; i++)
        some = demand_may_run(d, p->rules.items[i]);
    return some;
}

void demand_find_some(demand *d, pred *const *reached, size_t count) {
    bool *some = demand_alloc(d, d->p->preds.count + 1);
    if (!some || !d->options.facts || d->options.as_written || d->options.whole)
        return;
    d->some = some;
    // Callees mostly stand behind their callers.
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t i = count; i-- > 0;) {
            pred *p = reached[i];
            if (!some[p->index] && may_have_rows(d, p))
                some[p->index] = moved = true;
        }
    }
}
