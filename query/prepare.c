// query/prepare.c - completes a program for what is asked of it, and makes a query a predicate of
// it.
//
// Predicates are made when something asks for them. The clauses of users' files ask for themselves;
// those of libraries wait until a clause or a query leads to them. Each time, the predicates that
// are new are lowered, with all that they lead to, and checked together. What a predicate means
// depends on what it leads to alone, so predicates that were checked before stay as they are.
#include "query/prepare.h"

#include <stdio.h>
#include "base/symtab.h"
#include "query/check/check.h"
#include "query/log/fact.h"
#include "query/lower/lower_int.h"
#include "query/prepared/prepared.h"
#include "query/rules/module.h"
#include "query/rules/predicates.h"
#include "query/rules/fact_block.h"

// ---- Lowering the clauses that are asked for ----

// Lowers a clause once, so that its mistakes are reported once.
static void lower_once(program *p, clause *c, errors *list) {
    if (c->lowered)
        return;
    c->lowered = true;
    if (!source_read(c, list) ||
        !(c->facts ? lower_facts(p, c, list) : lower_clause(p, c, c->id, NULL, list))) {
        heads *h = program_heads(p, program_own_name(p, c));
        c->flawed = true;
        if (h)
            h->broken = true;
    }
}

// Marks facts that a fact of a later file with the same key replaces, so that they are not lowered.
static void drop_overridden(heads *h, const predicate_traits *s, errors *list) {
    if (!s || !s->override_on || h->sifted)
        return;
    h->sifted = true;
    symtab *keys = symtab_create();
    ARRAY(uint32_t) last = {0}; // by key: the last file that gives it
    for (size_t i = h->clauses.count; i-- > 0;) {
        clause *c = h->clauses.items[i];
        if (!source_read(c, list) || c->body || c->head->kind != TERM_COMPOUND ||
            c->head->arity < s->override_on)
            continue;
        char key[300];
        int n = snprintf(key, sizeof key, "%u ", c->head->arity);
        size_t length = (size_t)n + term_format(c->head->args[s->override_on - 1], key + n,
                                                sizeof key - (size_t)n);
        if (length >= sizeof key)
            continue;
        uint32_t at = symtab_add(keys, key, length);
        if (at == last.count)
            array_push(&last, c->file_number);
        if (last.items[at] > c->file_number)
            c->lowered = true;
        else
            last.items[at] = c->file_number;
    }
    array_finish(&last);
    symtab_destroy(keys);
}

// Returns whether the clause may define this predicate. A head whose functor an equation of the
// body gives may define any.
static bool may_define(const clause *c, const predicate_traits *s, const pred *d) {
    const term *head = c->head;
    if (!d->functor || !s || head->kind != TERM_COMPOUND || head->arity < s->split_on)
        return true;
    const term *occasion = head->args[s->split_on - 1];
    if (occasion->kind == TERM_VAR)
        return true;
    uint32_t arity = occasion->kind == TERM_COMPOUND ? occasion->arity : 0;
    return arity == d->functor_arity && strcmp(occasion->text, d->functor) == 0;
}

static void lower_pred(program *p, const pred *d, errors *list) {
    char name[300];
    bool all = program_union_name(d, name, sizeof name) != NULL;
    if (d->auxiliary && !all)
        return;
    heads *h = program_heads(p, all ? name : d->name);
    if (!h)
        return;
    const predicate_traits *s = program_traits(p, all ? name : d->name, false);
    drop_overridden(h, s, list);
    for (size_t i = 0; i < h->clauses.count; i++) {
        clause *c = h->clauses.items[i];
        if (c->lowered)
            continue;
        if (!source_read(c, list) || all || may_define(c, s, d))
            lower_once(p, c, list);
    }
}

// Lowers all clauses that the predicates from `first` on lead to, and checks those predicates.
static void complete_preds(program *p, uint32_t first, bool libraries, const query_scope *scope,
                           errors *list) {
    for (size_t i = first; i < p->preds.count; i++)
        lower_pred(p, p->preds.items[i], list);
    program_fill_unions(p, first);
    for (size_t i = first; i < p->preds.count; i++)
        p->preds.items[i]->on_demand |= program_is_on_demand(p, p->preds.items[i]);
    check_program(p, first, libraries, scope, list);
}

// Takes the rules from those that the build made, where they are of these files. False: they are to
// be made.
static bool take_prepared(program *p) {
    if (!prepared_fits(p, &prepared_rules))
        return false;
    p->indexed = false;
    program_index(p);
    p->settled = prepared_read(p, &prepared_rules) == OK;
    p->own_warnings = p->warnings.count;
    return p->settled;
}

static status make_rules(program *p, bool libraries, errors *list) {
    size_t before = list->count;
    if (p->facts &&
        facts_declare(p->facts, p->tables.items, p->tables.count, p->texts, list) == E_MEMORY)
        return E_MEMORY;
    module_check(p, list);
    if (!libraries && list->count == before && take_prepared(p))
        return OK;
    p->indexed = false;
    program_index(p);
    for (size_t i = 0; i < p->sources.count; i++) {
        rule_source *s = p->sources.items[i];
        for (size_t k = 0; k < s->clauses.count && (libraries || !s->library); k++) {
            clause *c = s->clauses.items[k];
            const char *name = program_own_name(p, c);
            drop_overridden(program_heads(p, name), program_traits(p, name, false), list);
            lower_once(p, c, list);
        }
    }
    check_directives(p, list);
    check_sentences(p);
    check_misspelt(p);
    complete_preds(p, 0, libraries, NULL, list);
    check_sort(list, before);
    check_sort(&p->warnings, 0);
    p->own_warnings = p->warnings.count;
    p->settled = list->count == before;
    return p->settled ? OK : E_INPUT;
}

status prepare_rules(program *p, errors *list) {
    return p->settled ? OK : make_rules(p, false, list);
}

status prepare_all_rules(program *p, errors *list) {
    return make_rules(p, true, list);
}

// ---- Queries ----

// Returns the body with a goal in front that binds the variables that come with values.
static const term *with_given(program *p, arena *a, const query_given *g, const term *body) {
    if (!g || g->count == 0)
        return body;
    pred *d = program_auxiliary(p, "given", g->count);
    value *row = arena_alloc(a, g->count * sizeof *row);
    const term **vars = arena_alloc(a, g->count * sizeof *vars);
    for (uint32_t i = 0; i < g->count; i++) {
        row[i] = g->values[i];
        vars[i] = term_var(a, g->names[i]);
    }
    pred_add_facts(d, row, 1, 0);
    const term *both[2] = {term_compound(a, d->name, g->count, vars), body};
    return term_compound(a, ",", 2, both);
}

// Lowers the query as a clause of a predicate of its own. False: it has mistakes.
static bool lower_query(program *p, arena *a, const term *body, const query_scope *scope,
                        prepared_query *out, errors *list) {
    size_t before = list->count;
    const term **args = arena_alloc(a, (out->name_count + 1) * sizeof *args);
    for (uint32_t i = 0; i < out->name_count; i++)
        args[i] = term_var(a, out->names[i]);
    out->first_pred = (uint32_t)p->preds.count;
    out->components = p->component_count;
    p->current = a;
    p->querying = true;
    p->warnings.count = p->own_warnings;
    out->pred = program_auxiliary(p, "query", out->name_count);
    clause c = {.head = out->name_count ? term_compound(a, "query", out->name_count, args)
                                        : term_symbol(a, "query"),
                .body = with_given(p, a, scope->given, body),
                .source = (rule_source *)(uintptr_t)scope->source,
                .file = scope->file,
                .name = "query",
                .line = body->line,
                .column = body->column};
    lower_clause(p, &c, 0, out->pred, list);
    program_fill_unions(p, out->first_pred);
    return list->count == before;
}

// Makes predicates that the query is the first to call predicates of the program. False: there are
// none. After a mistake all rules are dropped, so that the next query reports it again.
static bool adopt_callees(program *p, const query_scope *scope, prepared_query *q, errors *list) {
    typedef struct callee {
        const char *name, *functor;
        uint32_t arity, functor_arity, typed, split_at;
        bool auxiliary, on_demand, temporal, instant;
    } callee;
    ARRAY(callee) found = {0};
    for (size_t i = q->first_pred; i < p->preds.count; i++) {
        const pred *d = p->preds.items[i];
        char name[300];
        if (!d->auxiliary || program_union_name(d, name, sizeof name))
            array_push(&found,
                       (callee){d->name, d->functor, d->arity, d->functor_arity, d->typed,
                                d->split_at, d->auxiliary, d->on_demand, d->temporal, d->instant});
    }
    if (found.count == 0)
        return false;
    // The names of the dropped predicates live on in the arena of the query.
    prepare_drop_query(p, q);
    uint32_t first = (uint32_t)p->preds.count;
    for (size_t i = 0; i < found.count; i++) {
        const callee *c = &found.items[i];
        pred *d = program_pred(p, c->name, c->arity, c->functor, c->functor_arity);
        d->auxiliary = c->auxiliary;
        d->on_demand = c->on_demand;
        d->temporal = c->temporal;
        d->instant = c->instant;
        d->split_at = c->split_at;
        for (uint32_t k = 0; k < c->arity; k++) {
            if (c->typed >> k & 1)
                pred_type_time(d, k);
        }
    }
    array_finish(&found);
    size_t before = list->count;
    complete_preds(p, first, false, scope, list);
    if (list->count != before)
        program_drop_rules(p);
    return true;
}

status prepare_query(program *p, arena *a, const term *body, const query_scope *scope,
                     prepared_query *out, errors *list) {
    size_t before = list->count;
    const char *file = scope->file;
    const query_given *given = scope->given;
    names free_names = {0}, shown = {0};
    program_index(p);
    *out =
        (prepared_query){.first_pred = (uint32_t)p->preds.count, .components = p->component_count};
    body = arrange_take(p, a, body, file, &out->order, list);
    if (!body)
        return E_INPUT;
    if (given && given->columns) {
        for (uint32_t i = 0; i < given->column_count; i++)
            array_push(&shown, given->columns[i]);
    } else {
        // Variables that stand only inside an aggregate or a negation are no columns of the
        // answers.
        names_here(body, &free_names);
    }
    for (size_t i = 0; i < free_names.count; i++) {
        if (free_names.items[i][0] != '_')
            array_push(&shown, free_names.items[i]);
    }
    if (shown.count > RELATION_ARITY_MAX) {
        errors_add(list, file, body->line, body->column, "a query has at most %d variables",
                   RELATION_ARITY_MAX);
    } else {
        out->names = arena_alloc(a, (shown.count + 1) * sizeof *out->names);
        for (size_t i = 0; i < shown.count; i++)
            out->names[i] = arena_strdup(a, shown.items[i]);
        out->name_count = (uint32_t)shown.count;
        // The query is lowered again when it calls predicates that had not been made.
        if (lower_query(p, a, body, scope, out, list) && adopt_callees(p, scope, out, list) &&
            list->count == before)
            lower_query(p, a, body, scope, out, list);
        arrange_resolve(&out->order, out->names, out->name_count, file, list);
        if (list->count == before)
            check_program(p, out->first_pred, false, scope, list);
    }
    array_finish(&free_names);
    array_finish(&shown);
    check_sort(list, before);
    if (list->count == before)
        return OK;
    prepare_drop_query(p, out);
    return E_INPUT;
}

void prepare_drop_query(program *p, const prepared_query *q) {
    program_drop_preds(p, q->first_pred);
    p->component_count = q->components;
    p->current = p->arena;
    p->querying = false;
}
