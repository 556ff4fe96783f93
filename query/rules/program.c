// query/rules/program.c - loads rule files, and finds their clauses and directives by name and by
// id.
#include "query/rules/program.h"

#include <stdio.h>
#include "base/hash.h"
#include "base/symtab.h"
#include "query/log/fact.h"
#include "query/rules/flaw_form.h"
#include "query/rules/module.h"
#include "query/rules/fact_block.h"

program *program_create(values *v, nanos end) {
    program *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->values = v;
    p->end = end;
    p->texts = arena_create();
    p->ids = symtab_create();
    p->traits_names = symtab_create();
    return p;
}

// ---- Rules and indexes ----

void program_drop_preds(program *p, size_t from) {
    for (size_t i = from; i < p->preds.count; i++) {
        array_finish(&p->preds.items[i]->rules);
        array_finish(&p->preds.items[i]->facts);
    }
    if (p->preds.count > from)
        p->preds.count = from;
    p->latest = NULL;
}

static void drop_indexes(program *p) {
    for (size_t i = 0; i < p->heads.count; i++)
        array_finish(&p->heads.items[i].clauses);
    p->heads.count = p->declared_first.count = p->by_id.count = 0;
    symtab_destroy(p->head_names);
    symtab_destroy(p->declared_names);
    p->head_names = p->declared_names = NULL;
    p->indexed = false;
}

void program_drop_rules(program *p) {
    p->allowed = NULL;
    program_drop_preds(p, 0);
    drop_indexes(p);
    symtab_destroy(p->names);
    arena_destroy(p->arena);
    errors_finish(&p->warnings);
    p->own_warnings = 0;
    p->names = NULL;
    p->arena = p->current = NULL;
    p->component_count = p->auxiliary_count = 0;
    p->settled = p->querying = false;
}

void program_destroy(program *p) {
    if (!p)
        return;
    program_drop_rules(p);
    for (size_t i = 0; i < p->sources.count; i++)
        source_destroy(p->sources.items[i]);
    array_finish(&p->preds);
    array_finish(&p->sources);
    array_finish(&p->heads);
    array_finish(&p->declared_first);
    array_finish(&p->by_id);
    array_finish(&p->id_users);
    array_finish(&p->traits);
    array_finish(&p->positions);
    array_finish(&p->declarations);
    array_finish(&p->on_demand);
    array_finish(&p->pointwise);
    array_finish(&p->tables);
    symtab_destroy(p->ids);
    symtab_destroy(p->traits_names);
    arena_destroy(p->texts);
    free(p);
}

static int64_t find_name(const symtab *t, const char *name) {
    return t ? symtab_find(t, name, strlen(name)) : -1;
}

const char *program_own_name(program *p, const clause *c) {
    return c->source && c->source->module ? module_head(p, c->source, c->name) : c->name;
}

static int by_id(const void *a, const void *b) {
    const clause *x = *(clause *const *)a, *y = *(clause *const *)b;
    return (x->id > y->id) - (x->id < y->id);
}

// Returns whether directives give the predicate of these facts traits: a time, a functor, an
// override.
static bool has_traits(const clause *c, void *context) {
    program *p = context;
    return program_traits(p, program_own_name(p, c), false) != NULL;
}

// Indexes clauses and declarations by name, and clauses by id. All rules are dropped.
void program_index(program *p) {
    if (p->indexed)
        return;
    program_drop_rules(p);
    p->names = symtab_create();
    p->arena = p->current = arena_create();
    p->head_names = symtab_create();
    p->declared_names = symtab_create();
    for (size_t i = 0; i < p->sources.count; i++) {
        rule_source *s = p->sources.items[i];
        const char *last = NULL;
        uint32_t at = 0;
        fact_block_unfold(s, has_traits, p);
        for (size_t k = 0; k < s->clauses.count; k++) {
            clause *c = s->clauses.items[k];
            c->lowered = c->flawed = false;
            const char *name = program_own_name(p, c);
            if (name != last)
                at = symtab_add(p->head_names, name, strlen(name));
            last = name;
            if (at == p->heads.count)
                array_push(&p->heads, (heads){0});
            array_push(&p->heads.items[at].clauses, c);
            p->heads.items[at].broken |= c->broken;
            array_push(&p->by_id, c);
        }
    }
    if (p->by_id.count > 0)
        qsort(p->by_id.items, p->by_id.count, sizeof *p->by_id.items, by_id);
    for (size_t i = 0; i < p->declarations.count; i++) {
        declaration *d = &p->declarations.items[i];
        uint32_t at = symtab_add(p->declared_names, d->name, strlen(d->name));
        if (at == p->declared_first.count)
            array_push(&p->declared_first, 0);
        uint32_t *link = &p->declared_first.items[at];
        while (*link)
            link = &p->declarations.items[*link - 1].next;
        d->next = 0;
        *link = (uint32_t)i + 1;
    }
    p->indexed = true;
}

heads *program_heads(const program *p, const char *name) {
    int64_t at = find_name(p->head_names, name);
    return at < 0 ? NULL : &p->heads.items[at];
}

bool program_defines(program *p, const char *name) {
    program_index(p);
    if (program_heads(p, name) || find_name(p->declared_names, name) >= 0)
        return true;
    for (size_t i = 0; i < p->tables.count; i++) {
        if (strcmp(p->tables.items[i]->name, name) == 0)
            return true;
    }
    return false;
}

const fact *program_fact(const program *p, const char *name, uint32_t arity) {
    for (size_t i = 0; i < p->tables.count; i++) {
        const fact *f = p->tables.items[i];
        if (f->arity == arity && strcmp(f->name, name) == 0)
            return f;
    }
    return fact_find(name, arity);
}

const fact *program_fact_at(const program *p, size_t i) {
    size_t n = 0;
    const fact *f;
    for (; (f = fact_at(n)); n++) {
        if (n == i)
            return f;
    }
    return i - n < p->tables.count ? p->tables.items[i - n] : NULL;
}

const builtin *program_builtin_at(const program *p, size_t i) {
    size_t n = 0;
    const builtin *b;
    for (; (b = builtin_at(n)); n++) {
        if (n == i)
            return b;
    }
    return p->supplied && i - n < p->supplied->count ? p->supplied->items[i - n] : NULL;
}

const builtin *program_builtin(const program *p, const char *name, uint32_t arity) {
    const builtin *own = builtin_find(name, arity);
    for (size_t i = 0; !own && p->supplied && i < p->supplied->count; i++) {
        const builtin *b = p->supplied->items[i];
        if (b->arity == arity && strcmp(b->name, name) == 0)
            return b;
    }
    return own;
}

bool program_is_broken(const program *p, const char *name) {
    const heads *h = program_heads(p, name);
    return h && h->broken;
}

clause *program_holder(const program *p, uint32_t id) {
    size_t low = 0, high = p->by_id.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (p->by_id.items[middle]->id <= id)
            low = middle + 1;
        else
            high = middle;
    }
    clause *c = low > 0 ? p->by_id.items[low - 1] : NULL;
    return c && id - c->id < (c->facts ? c->facts->count : 1) ? c : NULL;
}

const clause *program_clause(program *p, uint32_t id) {
    program_index(p);
    clause *c = program_holder(p, id);
    if (c && c->facts)
        return fact_block_clause(c, id - c->id);
    errors ignored = {0};
    bool whole = c && source_read(c, &ignored);
    errors_finish(&ignored);
    return whole ? c : NULL;
}

// ---- Directives ----

predicate_traits *program_traits(program *p, const char *name, bool create) {
    int64_t at = find_name(p->traits_names, name);
    if (at >= 0)
        return &p->traits.items[at];
    if (!create)
        return NULL;
    symtab_add(p->traits_names, name, strlen(name));
    array_push(&p->traits, (predicate_traits){.name = arena_strdup(p->texts, name)});
    return &p->traits.items[p->traits.count - 1];
}

bool program_is_pointwise(const program *p, const char *name, const char *functor, uint32_t arity) {
    for (size_t i = 0; i < p->pointwise.count; i++) {
        const mark *m = &p->pointwise.items[i];
        if (m->functor && m->arity == arity && strcmp(m->name, name) == 0 &&
            strcmp(m->functor, functor) == 0)
            return true;
    }
    return false;
}

bool program_is_on_demand(const program *p, const pred *d) {
    for (size_t i = 0; i < p->on_demand.count; i++) {
        const mark *m = &p->on_demand.items[i];
        if (m->functor
                ? d->functor && m->arity == d->functor_arity && strcmp(m->functor, d->functor) == 0
                : !d->functor && m->arity == (d->temporal ? d->arity - 1 : d->arity)) {
            if (strcmp(m->name, d->name) == 0)
                return true;
        }
    }
    return false;
}

const declaration *program_declared(const program *p, const char *name) {
    int64_t at = find_name(p->declared_names, name);
    uint32_t first = at < 0 ? 0 : p->declared_first.items[at];
    return first ? &p->declarations.items[first - 1] : NULL;
}

const declaration *program_declaration(const program *p, const char *name, uint32_t arity) {
    const declaration *d = program_declared(p, name);
    while (d && d->arity != arity)
        d = d->next ? &p->declarations.items[d->next - 1] : NULL;
    return d;
}

bool program_declares_time(const program *p, const char *name, uint32_t arity, uint32_t arg) {
    int64_t at = find_name(p->declared_names, name);
    for (uint32_t i = at < 0 ? 0 : p->declared_first.items[at]; i;) {
        const declaration *d = &p->declarations.items[i - 1];
        if (d->arity == arity && strcmp(d->arg_types[arg], "time") == 0)
            return true;
        i = d->next;
    }
    return false;
}

// Reads the directives of all sources from the beginning, since what one source said cannot be
// taken back alone.
static void read_directives(program *p) {
    arena_destroy(p->texts);
    symtab_destroy(p->traits_names);
    p->texts = arena_create();
    p->traits_names = symtab_create();
    p->traits.count = p->positions.count = p->declarations.count = p->on_demand.count =
        p->pointwise.count = 0;
    p->tables.count = 0;
    for (size_t i = 0; i < p->sources.count; i++)
        source_direct(p->sources.items[i], p);
}

// ---- Loading ----

// Gives a clause the ids of its key. The result is valid until the next call.
static id_user *number_clause(program *p, clause *c, const uint64_t key[4]) {
    uint32_t at = symtab_add(p->ids, (const char *)key, 4 * sizeof *key);
    if (at == p->id_users.count) {
        array_push(&p->id_users, (id_user){.first = p->last_id + 1}); // ids count from 1
        p->last_id += c->facts ? c->facts->count : 1;
    }
    id_user *u = &p->id_users.items[at];
    c->id = u->first;
    return u;
}

// Gives each clause an id: the one that the same text in the same file had at an earlier loading,
// or a new one.
static void number_clauses(program *p, rule_source *s) {
    uint32_t loading = ++p->loadings;
    uint64_t file = hash_bytes(s->name, strlen(s->name));
    for (size_t i = 0; i < s->clauses.count; i++) {
        clause *c = s->clauses.items[i];
        if (c->facts) {
            uint64_t name = hash_bytes(c->name, strlen(c->name)), rows = fact_block_hash(c->facts);
            number_clause(p, c, (uint64_t[4]){file, rows ^ name, c->facts->count, UINT64_MAX});
            continue;
        }
        uint64_t text = source_clause_hash(c);
        id_user *first = number_clause(p, c, (uint64_t[4]){file, text, c->length, 0});
        if (first->loading == loading) { // two clauses of one text are two
            c->twin = c->id;
            number_clause(p, c, (uint64_t[4]){file, text, c->length, first->copies++});
        } else {
            first->loading = loading;
            first->copies = 1;
        }
    }
}

static size_t find_source(const program *p, const char *name) {
    return module_find(p, name);
}

const rule_source *program_source(const program *p, const char *name) {
    size_t i = find_source(p, name);
    return i < p->sources.count ? p->sources.items[i] : NULL;
}

size_t program_text(const program *p) {
    size_t all = 0;
    for (size_t i = 0; i < p->sources.count; i++)
        all += p->sources.items[i]->unstated;
    return all;
}

static status load_source(program *p, const char *file, const char *text, size_t length,
                          bool library, bool tolerant, errors *list) {
    size_t before = list->count, at = find_source(p, file);
    rule_source *s = source_create(p, file, text, length, library, list);
    if (!s) {
        error err = {0};
        status why =
            error_set(&err, E_LIMIT, "no memory is left for the rules and facts of %s", file);
        list->count = before;
        errors_append(list, &err);
        read_directives(p);
        return why;
    }
    status st = errors_status(list, before);
    bool replaces = at < p->sources.count;
    if (st != OK && !tolerant) {
        source_destroy(s);
        read_directives(p);
        return st;
    }
    program_drop_rules(p);
    p->changes++;
    rule_source *old = replaces ? p->sources.items[at] : NULL;
    if (replaces) {
        s->number = old->number;
        p->sources.items[at] = s;
        read_directives(p);
    } else {
        s->number = p->file_count++;
        array_push(&p->sources, s);
    }
    for (size_t i = 0; i < s->clauses.count; i++)
        s->clauses.items[i]->file_number = s->number;
    number_clauses(p, s);
    bool imported = module_load_imports(p, s, list);
    if (!imported && tolerant)
        st = E_IO; // names of what is missing are no mistakes of this file
    if (!imported && !tolerant) {
        // The program is as it was before.
        st = errors_status(list, before);
        st = st == OK ? E_INPUT : st;
        program_drop_rules(p);
        at = find_source(p, s->name);
        p->sources.items[at] = old;
        p->sources.count -= !old;
        old = s;
        read_directives(p);
    }
    source_destroy(old);
    return st;
}

status program_load(program *p, const char *file, const char *text, size_t length, errors *list) {
    return load_source(p, file, text, length, false, false, list);
}

status program_load_library(program *p, const char *file, const char *text, size_t length,
                            errors *list) {
    return load_source(p, file, text, length, true, false, list);
}

status program_load_all(program *p, const char *file, const char *text, size_t length,
                        errors *list) {
    return load_source(p, file, text, length, false, true, list);
}

bool program_unload(program *p, const char *file) {
    size_t at = find_source(p, file);
    if (at == p->sources.count)
        return false;
    program_drop_rules(p);
    p->changes++;
    source_destroy(p->sources.items[at]);
    for (size_t i = at; i + 1 < p->sources.count; i++)
        p->sources.items[i] = p->sources.items[i + 1];
    p->sources.count--;
    read_directives(p);
    return true;
}

void program_renew(program *p) {
    program_drop_rules(p);
    p->changes++;
}

// Returns why facts in memory may not have the name; NULL: they may.
static const char *taken_by(program *p, const char *name, const fact *f) {
    program_index(p);
    const predicate_traits *s = program_traits(p, f->name, false);
    if (program_builtin(p, f->name, f->arity))
        return "is built in";
    if (s && (s->split_on || s->temporal_on || s->instant_on))
        return "is split or temporal; its facts are given by rules";
    if (program_heads(p, f->name))
        return "is defined by rules";
    const fact *known = program_fact(p, f->name, f->arity);
    size_t at = find_source(p, name);
    bool own = at < p->sources.count && p->sources.items[at]->held == known;
    return known && !own ? "is a table, or given already" : NULL;
}

status program_hold(program *p, const char *name, const fact *f, errors *list) {
    const char *why = taken_by(p, name, f);
    if (why) {
        errors_add(list, name, 0, 0, "%s/%u %s; give these facts another name", f->name, f->arity,
                   why);
        return E_INPUT;
    }
    size_t at = find_source(p, name);
    rule_source *s = source_create(p, name, "", 0, false, list);
    if (!s)
        return E_MEMORY;
    source_hold(s, f);
    program_renew(p);
    if (at < p->sources.count) {
        s->number = p->sources.items[at]->number;
        source_destroy(p->sources.items[at]);
        p->sources.items[at] = s;
    } else {
        s->number = p->file_count++;
        array_push(&p->sources, s);
    }
    read_directives(p);
    return OK;
}

status program_load_same(program *p, const rule_source *r, const values *from, errors *list) {
    if (!r->held)
        return load_source(p, r->name, r->text, r->length, r->library, false, list);
    if (from == p->values)
        return program_hold(p, r->name, r->held, list);
    fact *copy = NULL;
    status s =
        fact_hold_copy(r->held, p->values, from, ++p->loadings, values_budget(p->values), &copy);
    if (s == OK)
        s = program_hold(p, r->name, copy, list);
    fact_release(copy);
    return s;
}
