// query/check/fingerprint.c - computes the fingerprint of each predicate: as long as it stays the
// same, the rows that were derived for the predicate stay right.
//
// A fingerprint is a hash of the predicate's rules and facts, the ids of their clauses, and the
// fingerprints of the predicates that the rules lead to. Predicates that lead to each other are
// hashed together.
#include "query/check/check_int.h"
#include "base/hash.h"
#include "query/log/fact.h"
#include "query/fault.h"

static uint64_t mix_text(uint64_t h, const char *text) {
    return hash_mix(h, text ? hash_bytes(text, strlen(text)) : 0);
}

// Hashes a predicate without its rules. A predicate that the engine made is known by its rules
// alone, since its name is only a number.
static uint64_t mix_name(uint64_t h, const pred *d) {
    h = hash_mix(h, d->best * 2 + d->greatest);
    h = hash_mix(h, d->arity * 8 + d->temporal * 4u + d->instant * 2u + d->auxiliary);
    return d->auxiliary ? h
                        : mix_text(mix_text(hash_mix(h, d->functor_arity), d->name), d->functor);
}

static uint64_t mix_pattern(uint64_t h, const pattern *p) {
    if (!p)
        return hash_mix(h, 1);
    h = hash_mix(h, p->kind);
    if (p->kind == PATTERN_VAR)
        return hash_mix(h, p->var);
    h = hash_mix(h, p->constant);
    for (uint32_t i = 0; p->kind == PATTERN_COMPOUND && i < p->arity; i++)
        h = mix_pattern(h, p->args[i]);
    return h;
}

static uint64_t mix_expr(uint64_t h, const expr *e) {
    if (!e)
        return hash_mix(h, 1);
    h = hash_mix(hash_mix(hash_mix(h, e->op), e->constant), e->var);
    h = mix_pattern(h, e->term);
    return mix_expr(mix_expr(h, e->args[0]), e->args[1]);
}

static uint64_t mix_literal(uint64_t h, const literal *l, const pred *of) {
    h = hash_mix(h, l->kind * 1000u + l->source * 100u + l->condition * 10u + l->aggregate);
    h = hash_mix(h, l->op * 8u + l->negated * 4u + l->enumerates * 2u);
    h = hash_mix(h, l->range);
    h = mix_text(h, l->builtin ? l->builtin->name : NULL);
    h = l->builtin && l->builtin->serial ? hash_mix(h, l->builtin->serial) : h;
    // A predicate of a lower component adds its fingerprint, one of the same component its name.
    if (l->pred)
        h = l->pred->component == of->component ? mix_name(h, l->pred)
                                                : hash_mix(h, l->pred->fingerprint);
    for (uint32_t i = 0; i < l->arg_count; i++)
        h = mix_pattern(h, l->args[i]);
    return mix_expr(mix_expr(h, l->left), l->right);
}

static uint64_t own_fingerprint(const pred *d) {
    uint64_t h = hash_mix(mix_name(UINT64_C(0x51ed270b), d), d->required);
    for (uint32_t i = 0; i < d->arity; i++)
        h = hash_mix(h, d->columns[i]);
    if (d->fact) {
        h = mix_text(mix_text(h, d->fact->columns), d->fact->source);
        h = mix_text(mix_text(h, d->fact->from), d->fact->kinds);
    }
    for (size_t i = 0; i < d->facts.count && !FAULT(STALE_TABLE); i++) {
        const fact_rows *f = &d->facts.items[i];
        h = hash_mix(hash_mix(h, f->first), f->count);
        for (size_t k = 0; k < (size_t)f->count * d->arity; k++)
            h = hash_mix(h, f->rows[k]);
    }
    for (size_t i = 0; i < d->rules.count; i++) {
        const rule *r = d->rules.items[i];
        h = hash_mix(hash_mix(h, r->id), r->head_range);
        for (uint32_t k = 0; k < r->arg_count; k++)
            h = mix_pattern(h, r->args[k]);
        for (uint32_t k = 0; k < r->literal_count; k++)
            h = mix_literal(h, &r->literals[k], d);
    }
    return h;
}

static int by_component(const void *a, const void *b) {
    const pred *x = *(pred *const *)a, *y = *(pred *const *)b;
    if (x->component != y->component)
        return x->component < y->component ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

void fingerprint_program(program *p, uint32_t first) {
    size_t n = p->preds.count - first;
    pred **order = mem_must(n + 1, sizeof(pred *));
    for (size_t i = 0; i < n; i++)
        order[i] = p->preds.items[first + i];
    qsort(order, n, sizeof *order, by_component);
    for (size_t i = 0, end; i < n; i = end) {
        uint64_t all = 0;
        for (end = i; end < n && order[end]->component == order[i]->component; end++)
            all += order[end]->fingerprint = own_fingerprint(order[end]);
        for (size_t k = i; k < end; k++)
            order[k]->fingerprint =
                hash_mix(hash_mix(UINT64_C(0x2545f491), order[k]->fingerprint), all);
    }
    free(order);
}
