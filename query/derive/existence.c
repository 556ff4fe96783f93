// query/derive/existence.c - finds where one match of a step is enough, and where a failure makes
// further matches useless.
//
// Where no later step needs the variables of some steps, the first match of these steps is enough,
// whether the later steps find heads or not: with `hit(X) :- t(X), a(_), b(_)` neither a nor b is
// run through. And where the steps from one on give no head, only a step that binds a variable of
// theirs can change that, so the matches of the steps between the two are skipped (graph-based
// backjumping, Dechter, Enhancement schemes for constraint processing, 1990).
#include "query/derive/rule_plan_int.h"
#include "query/fault.h"

// Adds the variables that the step sets: those it binds, and instants that it restricts.
static void add_touched(const rule_plan *p, const step *s, varset *out) {
    varset own = {0};
    literal_vars(s->l, &own);
    for (uint32_t i = 0; i < s->fresh_count; i++)
        varset_add(out, s->fresh[i]);
    for (uint32_t v = 0; v < p->r->var_count; v++) {
        if (p->r->is_range[v] && varset_has(&own, v))
            varset_add(out, v);
    }
}

static bool step_touches(const rule_plan *p, const step *s, const varset *set) {
    varset touched = {0};
    add_touched(p, s, &touched);
    return varset_meets(&touched, set);
}

// Returns whether the steps behind this one may run more than once for it.
static bool step_repeats(const step *s) {
    switch (s->l->kind) {
    case LITERAL_RELATION:
    case LITERAL_BUILTIN:
    case LITERAL_AGGREGATE:
        return !s->l->negated && s->fresh_count > 0;
    case LITERAL_SUBTRACT:
        return true;
    case LITERAL_COMPARE:
    case LITERAL_UNIFY:
    case LITERAL_INTERSECT:
    case LITERAL_ROUNDS:
    case LITERAL_TO_TIME:
        return false;
    }
    return true;
}

// `to`, where a step from there on to the one before `k` repeats.
static uint32_t where_it_pays(const rule_plan *p, uint32_t to, uint32_t k) {
    for (uint32_t i = to; i < k; i++) {
        if (step_repeats(&p->steps[i]))
            return to;
    }
    return NO_CUT;
}

// Returns the first of the steps before `k` whose variables no step from `k` on needs.
static uint32_t first_done(const rule_plan *p, uint32_t k, const varset *needed) {
    uint32_t i = k;
    while (i > 0 && !step_touches(p, &p->steps[i - 1], needed))
        i--;
    return where_it_pays(p, i, k);
}

void rule_plan_cut(rule_plan *p, bool proving) {
    varset needed = {0},
           tried = {0}; // variables of the steps from k on and the head; of those steps alone
    for (uint32_t i = 0; i < p->r->arg_count; i++)
        pattern_vars(p->r->args[i], &needed);
    if (p->r->head_range != VAR_NONE)
        varset_add(&needed, p->r->head_range);
    if (!p->plain_head)
        tried = needed; // it may turn out to be none
    p->cut_head = proving ? NO_CUT : first_done(p, p->step_count, &needed);
    for (uint32_t k = p->step_count; k-- > 0;) {
        step *s = &p->steps[k];
        s->cut = s->back = NO_CUT;
        if (proving)
            continue;
        if (!FAULT(EARLY_CUT) || k + 1 < p->step_count)
            literal_vars(s->l, &needed);
        literal_vars(s->l, &tried);
        s->cut = first_done(p, k, &needed);
        uint32_t back = k;
        while (back > 0 && !step_touches(p, &p->steps[back - 1], &tried))
            back--;
        s->back = where_it_pays(p, back, k);
    }
}
