// query/check/moments.c - columns that hold no instants, and yet are read as such by every rule of
// their predicate.
#include "query/check/check_int.h"

#include <string.h>

// How many predicates a variable is followed through.
enum { CALLS_MOST = 8 };

static bool reads_moments(const pred *d, uint32_t column, int calls);

// Returns whether the literal holds for no value of the variable but instants and numbers of
// seconds.
static bool needs_moment(const literal *l, uint32_t var, int calls) {
    for (uint32_t i = 0; !l->negated && i < l->arg_count; i++) {
        if (l->args[i]->kind != PATTERN_VAR || l->args[i]->var != var)
            continue;
        if (l->kind == LITERAL_BUILTIN && builtin_type(l->builtin, i) == 't')
            return true;
        if (l->kind == LITERAL_RELATION &&
            (pred_column(l->pred, i) == COLUMN_INSTANT || reads_moments(l->pred, i, calls - 1)))
            return true;
    }
    return false;
}

static bool reads_moments(const pred *d, uint32_t column, int calls) {
    if (calls == 0 || d->fact || d->facts.count > 0 || d->rules.count == 0)
        return false;
    for (size_t k = 0; k < d->rules.count; k++) {
        const rule *r = d->rules.items[k];
        const pattern *p = r->args[column];
        bool needs = false;
        for (uint32_t j = 0; p->kind == PATTERN_VAR && j < r->literal_count && !needs; j++)
            needs = needs_moment(&r->literals[j], p->var, calls);
        if (!needs)
            return false;
    }
    return true;
}

bool column_reads_moments(const pred *d, uint32_t column) {
    return reads_moments(d, column, CALLS_MOST);
}
