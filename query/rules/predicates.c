// query/rules/predicates.c - makes the predicates of a program when something asks for them.
#include "query/rules/predicates.h"
#include "base/symtab.h"

#include <stdio.h>

static pred *add_pred(program *p, const char *name, uint32_t arity) {
    pred *d = arena_alloc(p->current, sizeof *d);
    d->name = arena_strdup(p->current, name);
    d->arity = arity;
    d->columns = arena_alloc(p->current, (arity + 1) * sizeof *d->columns);
    d->index = (uint32_t)p->preds.count;
    d->of_query = p->querying;
    array_push(&p->preds, d);
    return d;
}

void pred_type_time(pred *d, uint32_t column) {
    d->columns[column] = COLUMN_INSTANT;
    d->typed |= UINT32_C(1) << column;
}

// Applies the declaration of a predicate that is not split.
static void apply_declaration(program *p, pred *d) {
    const predicate_traits *s = program_traits(p, d->name, false);
    const declaration *said = program_declaration(p, d->name, d->arity);
    if (!said || d->functor || (s && (s->split_on || s->temporal_on)))
        return;
    d->declared = true;
    d->doc = said->doc;
    for (uint32_t k = 0; k < d->arity; k++) {
        if (program_declares_time(p, d->name, d->arity, k))
            pred_type_time(d, k);
    }
}

pred *program_pred(program *p, const char *name, uint32_t arity, const char *functor,
                   uint32_t functor_arity) {
    const pred *last = p->latest;
    if (last && last->arity == arity && !last->functor && !functor && strcmp(last->name, name) == 0)
        return p->latest;
    // The counts stand before the names, so that no name can look like another key.
    size_t name_length = strlen(name), length = name_length + 1 + 3 * sizeof(uint32_t);
    length += functor ? strlen(functor) : 0;
    char small[256], *key = length <= sizeof small ? small : arena_alloc(p->current, length);
    const uint32_t counts[3] = {arity, functor_arity, functor != NULL};
    memcpy(key, counts, sizeof counts);
    memcpy(key + sizeof counts, name, name_length + 1);
    memcpy(key + sizeof counts + name_length + 1, functor ? functor : "",
           functor ? strlen(functor) : 0);
    size_t settled = symtab_count(p->names);
    int64_t known = symtab_find(p->names, key, length);
    if (known >= 0)
        return p->latest = p->preds.items[known];
    for (size_t i = settled; i < p->preds.count; i++) {
        pred *d = p->preds.items[i];
        if (strcmp(d->name, name) == 0 && d->arity == arity && !d->functor == !functor &&
            (!functor || (strcmp(d->functor, functor) == 0 && d->functor_arity == functor_arity)))
            return d;
    }
    if (!p->querying)
        symtab_add(p->names, key, length);
    pred *d = add_pred(p, name, arity);
    d->functor = functor ? arena_strdup(p->current, functor) : NULL;
    d->functor_arity = functor_arity;
    apply_declaration(p, d);
    const predicate_traits *s = program_traits(p, d->name, false);
    if (s && s->best_on && s->best_on <= arity && !functor) {
        d->best = s->best_on;
        d->greatest = s->greatest;
    }
    return d;
}

pred *program_auxiliary(program *p, const char *what, uint32_t arity) {
    char name[64];
    snprintf(name, sizeof name, "%s$%u", what, ++p->auxiliary_count);
    pred *d = program_pred(p, name, arity, NULL, 0);
    d->auxiliary = true;
    return d;
}

// Adds the rule of one functor, which gathers the functor's arguments into the occasion.
static void add_union_rule(program *p, pred *any, const predicate_traits *s, const pred *of) {
    arena *a = p->current;
    uint32_t split = s->split_on - 1, inner = of->functor_arity;
    rule *r = arena_alloc(a, sizeof *r);
    r->pred = any;
    r->head_range = r->some_range = VAR_NONE;
    rule_make_room(r, a, of->arity);
    r->var_count = of->arity;
    const pattern **columns = arena_alloc(a, (of->arity + 1) * sizeof *columns);
    for (uint32_t i = 0; i < of->arity; i++) {
        pattern *v = arena_alloc(a, sizeof *v);
        v->kind = PATTERN_VAR;
        v->var = i;
        columns[i] = v;
        r->var_names[i] = "_";
        varset_add(&r->bindable, i);
    }
    pattern *occasion = arena_alloc(a, sizeof *occasion);
    occasion->constant = values_symbol(p->values, of->functor);
    occasion->kind = inner > 0 ? PATTERN_COMPOUND : PATTERN_CONST;
    occasion->arity = inner;
    occasion->args = columns + split;
    r->arg_count = any->arity;
    r->args = arena_alloc(a, (any->arity + 1) * sizeof *r->args);
    for (uint32_t i = 0, k = 0; i < any->arity; i++) {
        r->args[i] = i == split ? occasion : columns[k];
        k += i == split ? inner : 1;
    }
    r->literal_count = 1;
    r->literals = arena_alloc(a, sizeof *r->literals);
    r->literals[0] = (literal){.kind = LITERAL_RELATION,
                               .source = of->temporal ? SOURCE_PIECES : SOURCE_ROWS,
                               .pred = (pred *)(uintptr_t)of,
                               .arg_count = of->arity,
                               .args = columns,
                               .range = VAR_NONE};
    r->file = any->file;
    array_push(&any->rules, r);
}

#define UNION_MARK "$any"

pred *program_union(program *p, const predicate_traits *s, uint32_t arity) {
    char name[300];
    snprintf(name, sizeof name, "%.250s" UNION_MARK, s->name);
    bool temporal = s->temporal_on > 0;
    pred *any = program_pred(p, name, arity + (temporal ? 1 : 0), NULL, 0);
    any->auxiliary = any->on_demand = true;
    any->temporal = temporal;
    if (s->instant_on && s->instant_on <= arity)
        pred_type_time(any, s->instant_on - 1);
    return any;
}

const char *program_union_name(const pred *any, char *buffer, size_t size) {
    const char *mark_at = any->auxiliary && any->on_demand ? strstr(any->name, UNION_MARK) : NULL;
    if (!mark_at)
        return NULL;
    snprintf(buffer, size, "%.*s", (int)(mark_at - any->name), any->name);
    return buffer;
}

void program_fill_unions(program *p, size_t from) {
    for (size_t i = from; i < p->preds.count; i++) {
        pred *any = p->preds.items[i];
        char name[300];
        if (any->rules.count > 0 || !program_union_name(any, name, sizeof name))
            continue;
        const predicate_traits *s = program_traits(p, name, false);
        for (size_t k = 0; s && k < p->preds.count; k++) {
            const pred *of = p->preds.items[k];
            if (of->functor && strcmp(of->name, name) == 0 && of->temporal == any->temporal &&
                of->arity - of->functor_arity + 1 == any->arity &&
                (of->rules.count > 0 || of->facts.count > 0))
                add_union_rule(p, any, s, of);
        }
        any->declared = true;
    }
}
