// tests/query/random/shrink.c - the smallest program that still fails, for people to read.
#include "tests/query/random/random.h"

// ---- Safety, in the order of the literals ----

static void vars_in(const program_t *p, int at, uint32_t *out) {
    const pat *x = &p->pool[at];
    if (x->kind == PAT_VAR)
        *out |= 1u << x->n;
    if (x->kind == PAT_SUM)
        vars_in(p, x->args[0], out);
    if (x->kind == PAT_COMPOUND) {
        vars_in(p, x->args[0], out);
        if (functor_arity(x->n) == 2)
            vars_in(p, x->args[1], out);
    }
}

// Variables of a call that it binds, and those that must be bound.
static void vars_of_call(const program_t *p, const call *c, uint32_t *binds, uint32_t *needs) {
    for (int i = 0; i < p->preds[c->pred].arity; i++)
        vars_in(p, c->args[i], binds);
    uint32_t *times = c->spec == SPEC_INTERVAL ? binds : needs;
    if (c->spec >= SPEC_AT)
        vars_in(p, c->a, times);
    if (c->spec >= SPEC_DURING)
        vars_in(p, c->b, times);
}

// The variables that a scope has from around it are those that were bound before; its own end with
// it.
static void vars_of_scope(const program_t *p, const lit *l, uint32_t bound, uint32_t *needs);

static void vars_of_lit(const program_t *p, const lit *l, uint32_t bound, uint32_t *binds,
                        uint32_t *needs) {
    for (int c = 0; c < l->count; c++)
        vars_of_call(p, &l->calls[c], binds, needs);
    if (l->kind == LIT_NOT) {
        *needs |= *binds;
        *binds = 0;
    }
    if (l->kind == LIT_GROUP) {
        *needs |= l->enumerates ? 0 : l->groups;
        *binds = l->groups | 1u << l->var;
    }
    if (l->kind == LIT_COMPUTE || l->kind == LIT_ALIAS)
        *binds = 1u << l->var;
    if (l->kind == LIT_SCOPE) {
        vars_of_scope(p, l, bound, needs);
        *binds = l->scope == SCOPE_VALUE ? 1u << l->var : 0;
    }
    if (l->kind == LIT_COMPARE || l->kind == LIT_COMPUTE || l->kind == LIT_LONGER ||
        l->kind == LIT_ALLEN)
        vars_in(p, l->b, needs);
    if (l->kind >= LIT_COMPARE && l->kind != LIT_GROUP && l->kind != LIT_SCOPE)
        vars_in(p, l->a, needs);
    if (l->kind == LIT_ALLEN) {
        vars_in(p, l->c, needs);
        vars_in(p, l->d, needs);
    }
}

static void vars_of_scope(const program_t *p, const lit *l, uint32_t bound, uint32_t *needs) {
    for (int i = 0; i < l->inside; i++) {
        uint32_t binds = 0, own = 0;
        vars_of_lit(p, &p->nested[l->first + i], bound, &binds, &own);
        *needs |= own & ~bound;
        bound |= binds;
    }
    if (l->over >= 0)
        *needs |= (1u << l->over) & ~bound;
}

// Whether the variables of an aggregate's groups all stand elsewhere too: else they are none.
static bool groups_stand_elsewhere(const program_t *p, const rule_t *r, int at) {
    uint32_t vars = 0;
    vars_of_call(p,
                 &(call){.pred = r->pred,
                         .args = {r->args[0], r->args[1], r->args[2]},
                         .spec = r->spec,
                         .a = r->a,
                         .b = r->b},
                 &vars, &vars);
    for (int k = 0; k < r->count; k++) {
        const lit *l = &r->lits[k];
        if (k == at)
            continue;
        for (int c = 0; c < l->count; c++)
            vars_of_call(p, &l->calls[c], &vars, &vars);
        if (l->kind == LIT_COMPARE || l->kind == LIT_COMPUTE || l->kind == LIT_LONGER)
            vars_in(p, l->b, &vars);
        if (l->kind >= LIT_COMPARE && l->kind != LIT_GROUP && l->kind != LIT_SCOPE)
            vars_in(p, l->a, &vars);
    }
    return !(r->lits[at].groups & ~vars);
}

bool rule_is_safe(const program_t *p, const rule_t *r) {
    uint32_t bound = 0, head = 0;
    for (int k = 0; k < r->count; k++) {
        const lit *l = &r->lits[k];
        uint32_t binds = 0, needs = 0;
        vars_of_lit(p, l, bound, &binds, &needs);
        // What only an aggregate enumerates stays so.
        if ((needs & ~bound) || (l->kind == LIT_GROUP && l->enumerates && !(l->groups & ~bound)))
            return false;
        if (l->kind == LIT_GROUP && !groups_stand_elsewhere(p, r, k))
            return false;
        bound |= binds;
    }
    vars_of_call(p,
                 &(call){.pred = r->pred,
                         .args = {r->args[0], r->args[1], r->args[2]},
                         .spec = r->spec,
                         .a = r->a,
                         .b = r->b},
                 &head, &head);
    return !(head & ~bound);
}

static bool scope_has_clauses(const program_t *p, const lit *l) {
    for (int i = 0; l->kind == LIT_SCOPE && i < l->inside; i++) {
        const lit *in = &p->nested[l->first + i];
        for (int c = 0; c < in->count; c++) {
            if (!pred_has_clauses(p, in->calls[c].pred))
                return false;
        }
        if (!scope_has_clauses(p, in))
            return false;
    }
    return true;
}

// Whether every predicate that is read has clauses left, and the program is safe.
static bool is_whole(const program_t *p, model *m) {
    for (int i = 0; i < p->rule_count; i++) {
        if (!rule_is_safe(p, &p->rules[i]))
            return false;
        for (int k = 0; k < p->rules[i].count; k++) {
            const lit *l = &p->rules[i].lits[k];
            for (int c = 0; c < l->count; c++) {
                if (!pred_has_clauses(p, l->calls[c].pred))
                    return false;
            }
            if (!scope_has_clauses(p, l))
                return false;
        }
    }
    m->most = 400000;
    return p->rule_count > 0 && model_run(m, p);
}

// An instant variable must stand somewhere.
static bool keeps_instant(const program_t *p, const rule_t *r) {
    bool temporal = p->preds[r->pred].temporal;
    if (r->spec != SPEC_INSTANT)
        return true;
    for (int k = 0; k < r->count; k++) {
        const lit *l = &r->lits[k];
        if (!temporal && (l->kind == LIT_INSTANT || l->kind == LIT_NOT))
            continue; // they ask for none
        if (l->kind == LIT_INSTANT || (l->count > 0 && l->calls[0].spec == SPEC_INSTANT))
            return true;
    }
    return false;
}

typedef struct attempt {
    home *h;
    failing fails;
    void *context;
    int tries;
    model m;
    const char *said;
} attempt;

static bool still_fails(attempt *a, const program_t *p) {
    if (a->tries-- <= 0 || !is_whole(p, &a->m))
        return false;
    const char *said = a->fails(a->h, p, &a->m, a->context);
    if (said)
        a->said = said;
    return said != NULL;
}

static bool drop_rules(attempt *a, program_t *p, program_t *next) {
    bool moved = false;
    for (int i = p->rule_count - 1; i >= 0; i--) {
        *next = *p;
        memmove(next->rules + i, next->rules + i + 1,
                (size_t)(next->rule_count - i - 1) * sizeof *next->rules);
        next->rule_count--;
        if (still_fails(a, next)) {
            *p = *next;
            moved = true;
        }
    }
    return moved;
}

static bool drop_lits(attempt *a, program_t *p, program_t *next) {
    bool moved = false;
    for (int i = 0; i < p->rule_count; i++) {
        for (int k = p->rules[i].count - 1; k >= 0; k--) {
            *next = *p;
            rule_t *r = &next->rules[i];
            memmove(r->lits + k, r->lits + k + 1, (size_t)(r->count - k - 1) * sizeof *r->lits);
            r->count--;
            if (r->count > 0 && keeps_instant(next, r) && still_fails(a, next)) {
                *p = *next;
                moved = true;
            }
        }
    }
    return moved;
}

static bool drop_nested(attempt *a, program_t *p, program_t *next) {
    bool moved = false;
    for (int i = 0; i < p->nested_count; i++) {
        for (int k = p->nested[i].inside - 1; k >= 0 && p->nested[i].kind == LIT_SCOPE; k--) {
            *next = *p;
            lit *l = &next->nested[i], *at = &next->nested[l->first + k];
            memmove(at, at + 1, (size_t)(l->inside - k - 1) * sizeof *at);
            if (--l->inside > 0 && still_fails(a, next)) {
                *p = *next;
                moved = true;
            }
        }
    }
    for (int i = 0; i < p->rule_count; i++) {
        for (int j = 0; j < p->rules[i].count; j++) {
            for (int k = p->rules[i].lits[j].inside - 1; k >= 0; k--) {
                *next = *p;
                lit *l = &next->rules[i].lits[j], *at = &next->nested[l->first + k];
                memmove(at, at + 1, (size_t)(l->inside - k - 1) * sizeof *at);
                if (--l->inside > 0 && still_fails(a, next)) {
                    *p = *next;
                    moved = true;
                }
            }
        }
    }
    return moved;
}

static bool drop_facts(attempt *a, program_t *p, program_t *next) {
    bool moved = false;
    for (int width = p->fact_count / 2; width > 0; width /= 2) {
        for (int i = 0; i + width <= p->fact_count;) {
            *next = *p;
            memmove(next->facts + i, next->facts + i + width,
                    (size_t)(next->fact_count - i - width) * sizeof *next->facts);
            next->fact_count -= width;
            if (still_fails(a, next)) {
                *p = *next;
                moved = true;
            } else {
                i += width;
            }
        }
    }
    return moved;
}

const char *shrink(home *h, program_t *p, failing fails, void *context, int tries) {
    attempt a = {.h = h, .fails = fails, .context = context, .tries = tries};
    program_t *next = malloc(sizeof *next);
    assert_non_null(next);
    for (bool moved = true; moved && a.tries > 0;) {
        moved = drop_rules(&a, p, next);
        moved = drop_facts(&a, p, next) || moved;
        moved = drop_lits(&a, p, next) || moved;
        moved = drop_nested(&a, p, next) || moved;
    }
    model_finish(&a.m);
    free(next);
    return a.said;
}
