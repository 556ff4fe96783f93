// query/rules/program.c - what was loaded: clauses, directives, and the predicates they make.
//
// Predicates are made when something asks for them. The clauses of users' files ask for themselves;
// those of libraries wait until a clause or a query leads to them. Each time the predicates that
// are new are unfolded, with all that they lead to, and checked together: what a predicate means
// depends on what it leads to alone, so that those checked before stay as they are.
#include "query/rules/program.h"

#include <stdio.h>
#include "base/hash.h"
#include "query/log/fact.h"
#include "query/rules/module.h"
#include "query/rules/normal_int.h"
#include "query/rules/stated.h"

program *program_create(values *v, nanos end) {
    program *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->values = v;
    p->end = end;
    p->texts = arena_create();
    p->ids = symtab_create();
    p->shape_names = symtab_create();
    return p;
}

// ---- What is made of clauses
// ---------------------------------------------------------------------

static void drop_preds(program *p, size_t from) {
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

static void drop_rules(program *p) {
    p->allowed = NULL;
    drop_preds(p, 0);
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
    drop_rules(p);
    for (size_t i = 0; i < p->sources.count; i++)
        source_destroy(p->sources.items[i]);
    array_finish(&p->preds);
    array_finish(&p->sources);
    array_finish(&p->heads);
    array_finish(&p->declared_first);
    array_finish(&p->by_id);
    array_finish(&p->id_users);
    array_finish(&p->mentions);
    array_finish(&p->shapes);
    array_finish(&p->declarations);
    array_finish(&p->on_demand);
    array_finish(&p->pointwise);
    array_finish(&p->tables);
    symtab_destroy(p->ids);
    symtab_destroy(p->shape_names);
    arena_destroy(p->texts);
    free(p);
}

static int64_t find_name(const symtab *t, const char *name) {
    return t ? symtab_find(t, name, strlen(name)) : -1;
}

// The name of the predicate that a clause defines.
static const char *own_name(program *p, const clause *c) {
    return c->source && c->source->module ? module_head(p, c->source, c->name) : c->name;
}

static int by_id(const void *a, const void *b) {
    const clause *x = *(clause *const *)a, *y = *(clause *const *)b;
    return (x->id > y->id) - (x->id < y->id);
}

// Whether directives say more of the predicate of these facts than what their columns hold: a time,
// a functor, an override.
static bool has_shape(const clause *c, void *context) {
    program *p = context;
    return program_shape(p, own_name(p, c), false) != NULL;
}

// Names of clauses and declarations, and clauses by their ids; rules start from nothing.
void program_index(program *p) {
    if (p->indexed)
        return;
    drop_rules(p);
    p->names = symtab_create();
    p->arena = p->current = arena_create();
    p->head_names = symtab_create();
    p->declared_names = symtab_create();
    for (size_t i = 0; i < p->sources.count; i++) {
        rule_source *s = p->sources.items[i];
        const char *last = NULL;
        uint32_t at = 0;
        stated_unfold(s, has_shape, p);
        for (size_t k = 0; k < s->clauses.count; k++) {
            clause *c = s->clauses.items[k];
            c->unfolded = c->flawed = false;
            const char *name = own_name(p, c);
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

static heads *heads_of(const program *p, const char *name) {
    int64_t at = find_name(p->head_names, name);
    return at < 0 ? NULL : &p->heads.items[at];
}

bool program_defines(program *p, const char *name) {
    program_index(p);
    if (heads_of(p, name) || find_name(p->declared_names, name) >= 0)
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
    const heads *h = heads_of(p, name);
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
        return stated_clause(c, id - c->id);
    errors ignored = {0};
    bool whole = c && source_read(c, &ignored);
    errors_finish(&ignored);
    return whole ? c : NULL;
}

// ---- Directives
// ----------------------------------------------------------------------------------

shape *program_shape(program *p, const char *name, bool create) {
    int64_t at = find_name(p->shape_names, name);
    if (at >= 0)
        return &p->shapes.items[at];
    if (!create)
        return NULL;
    symtab_add(p->shape_names, name, strlen(name));
    array_push(&p->shapes, (shape){.name = arena_strdup(p->texts, name)});
    return &p->shapes.items[p->shapes.count - 1];
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

static bool is_on_demand(const program *p, const pred *d) {
    for (size_t i = 0; i < p->on_demand.count; i++) {
        const mark *m = &p->on_demand.items[i];
        if (strcmp(m->name, d->name) != 0)
            continue;
        if (m->functor
                ? d->functor && strcmp(m->functor, d->functor) == 0 && m->arity == d->functor_arity
                : !d->functor && m->arity == (d->temporal ? d->arity - 1 : d->arity))
            return true;
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

// All that directives say, from the beginning: what a source said cannot be taken back one by one.
static void read_directives(program *p) {
    arena_destroy(p->texts);
    symtab_destroy(p->shape_names);
    p->texts = arena_create();
    p->shape_names = symtab_create();
    p->shapes.count = p->declarations.count = p->on_demand.count = p->pointwise.count = 0;
    p->tables.count = 0;
    for (size_t i = 0; i < p->sources.count; i++)
        source_direct(p->sources.items[i], p);
}

// ---- Loading
// -------------------------------------------------------------------------------------

// Gives a clause the ids of its key. Valid until the next one.
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

// An id for each clause: that of the same text in the same file at an earlier loading.
static void number_clauses(program *p, rule_source *s) {
    uint32_t loading = ++p->loadings;
    uint64_t file = hash_bytes(s->name, strlen(s->name));
    for (size_t i = 0; i < s->clauses.count; i++) {
        clause *c = s->clauses.items[i];
        if (c->facts) {
            uint64_t name = hash_bytes(c->name, strlen(c->name)), rows = stated_hash(c->facts);
            number_clause(p, c, (uint64_t[4]){file, rows ^ name, c->facts->count, UINT64_MAX});
            continue;
        }
        uint64_t text = hash_bytes(s->text + c->at, c->length);
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

static status load(program *p, const char *file, const char *text, size_t length, bool library,
                   bool tolerant, errors *list) {
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
    drop_rules(p);
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
    if (!module_load_imports(p, s, list) && !tolerant) {
        // As it was before.
        st = errors_status(list, before);
        st = st == OK ? E_INPUT : st;
        drop_rules(p);
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
    return load(p, file, text, length, false, false, list);
}

status program_load_library(program *p, const char *file, const char *text, size_t length,
                            errors *list) {
    return load(p, file, text, length, true, false, list);
}

status program_load_all(program *p, const char *file, const char *text, size_t length,
                        errors *list) {
    return load(p, file, text, length, false, true, list);
}

bool program_unload(program *p, const char *file) {
    size_t at = find_source(p, file);
    if (at == p->sources.count)
        return false;
    drop_rules(p);
    p->changes++;
    source_destroy(p->sources.items[at]);
    for (size_t i = at; i + 1 < p->sources.count; i++)
        p->sources.items[i] = p->sources.items[i + 1];
    p->sources.count--;
    read_directives(p);
    return true;
}

void program_renew(program *p) {
    drop_rules(p);
    p->changes++;
}

// Why no facts in memory may have the name; NULL: they may.
static const char *taken_by(program *p, const char *name, const fact *f) {
    program_index(p);
    const shape *s = program_shape(p, f->name, false);
    if (program_builtin(p, f->name, f->arity))
        return "is built in";
    if (s && (s->split_on || s->temporal_on || s->instant_on))
        return "is split or temporal; its facts are given by rules";
    if (heads_of(p, f->name))
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
        return load(p, r->name, r->text, r->length, r->library, false, list);
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

// ---- Predicates
// ----------------------------------------------------------------------------------

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

// What its declaration says of a predicate that is not split.
static void apply_declaration(program *p, pred *d) {
    const shape *s = program_shape(p, d->name, false);
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
    // What a name may hold, a key holds too: nothing in it ends the one and begins the other.
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
    const shape *s = program_shape(p, d->name, false);
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

// One rule for each functor: its arguments gathered into the occasion.
static void add_union_rule(program *p, pred *any, const shape *s, const pred *of) {
    arena *a = p->current;
    uint32_t split = s->split_on - 1, inner = of->functor_arity;
    rule *r = arena_alloc(a, sizeof *r);
    r->pred = any;
    r->head_range = r->some_range = VAR_NONE;
    r->var_count = of->arity;
    r->is_range = arena_alloc(a, VARS_MOST * sizeof *r->is_range);
    r->is_time = arena_alloc(a, VARS_MOST * sizeof *r->is_time);
    r->var_names = arena_alloc(a, VARS_MOST * sizeof *r->var_names);
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

pred *program_union(program *p, const shape *s, uint32_t arity) {
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

// The name of the predicate that this is the union of, in `buffer`; NULL: it is none.
static const char *union_of(const pred *any, char *buffer, size_t size) {
    const char *mark_at = any->auxiliary && any->on_demand ? strstr(any->name, UNION_MARK) : NULL;
    if (!mark_at)
        return NULL;
    snprintf(buffer, size, "%.*s", (int)(mark_at - any->name), any->name);
    return buffer;
}

// Unions get their rules when all functors are known.
static void fill_unions(program *p, size_t from) {
    for (size_t i = from; i < p->preds.count; i++) {
        pred *any = p->preds.items[i];
        char name[300];
        if (any->rules.count > 0 || !union_of(any, name, sizeof name))
            continue;
        const shape *s = program_shape(p, name, false);
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

// ---- Unfolding what is asked for
// -----------------------------------------------------------------

// Unfolds a clause once; what is wrong with it is said once.
static void unfold_clause(program *p, clause *c, errors *list) {
    if (c->unfolded)
        return;
    c->unfolded = true;
    if (!source_read(c, list) ||
        !(c->facts ? normal_facts(p, c, list) : normal_clause(p, c, c->id, NULL, list))) {
        heads *h = heads_of(p, own_name(p, c));
        c->flawed = true;
        if (h)
            h->broken = true;
    }
}

// Facts that a fact of a later file with the same key replaces are not unfolded.
static void drop_overridden(heads *h, const shape *s, errors *list) {
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
            c->unfolded = true;
        else
            last.items[at] = c->file_number;
    }
    array_finish(&last);
    symtab_destroy(keys);
}

// Whether the clause's head may be of this predicate. A head that leaves its functor to an equation
// of its body may be of any.
static bool may_define(const clause *c, const shape *s, const pred *d) {
    const term *head = c->head;
    if (!d->functor || !s || head->kind != TERM_COMPOUND || head->arity < s->split_on)
        return true;
    const term *occasion = head->args[s->split_on - 1];
    if (occasion->kind == TERM_VAR)
        return true;
    uint32_t arity = occasion->kind == TERM_COMPOUND ? occasion->arity : 0;
    return arity == d->functor_arity && strcmp(occasion->text, d->functor) == 0;
}

static void unfold_pred(program *p, const pred *d, errors *list) {
    char name[300];
    bool all = union_of(d, name, sizeof name) != NULL;
    if (d->auxiliary && !all)
        return;
    heads *h = heads_of(p, all ? name : d->name);
    if (!h)
        return;
    const shape *s = program_shape(p, all ? name : d->name, false);
    drop_overridden(h, s, list);
    for (size_t i = 0; i < h->clauses.count; i++) {
        clause *c = h->clauses.items[i];
        if (c->unfolded)
            continue;
        if (!source_read(c, list) || all || may_define(c, s, d))
            unfold_clause(p, c, list);
    }
}

// Unfolds what the predicates from `first` on lead to, and checks them all.
static void complete(program *p, uint32_t first, errors *list) {
    for (size_t i = first; i < p->preds.count; i++)
        unfold_pred(p, p->preds.items[i], list);
    fill_unions(p, first);
    for (size_t i = first; i < p->preds.count; i++)
        p->preds.items[i]->on_demand |= is_on_demand(p, p->preds.items[i]);
    check_program(p, first, list);
}

static status make_rules(program *p, bool libraries, errors *list) {
    size_t before = list->count;
    if (p->facts &&
        facts_declare(p->facts, p->tables.items, p->tables.count, p->texts, list) == E_MEMORY)
        return E_MEMORY;
    module_check(p, list);
    p->indexed = false;
    program_index(p);
    for (size_t i = 0; i < p->sources.count; i++) {
        rule_source *s = p->sources.items[i];
        for (size_t k = 0; k < s->clauses.count && (libraries || !s->library); k++) {
            clause *c = s->clauses.items[k];
            const char *name = own_name(p, c);
            drop_overridden(heads_of(p, name), program_shape(p, name, false), list);
            unfold_clause(p, c, list);
        }
    }
    complete(p, 0, list);
    check_sort(list, before);
    check_sort(&p->warnings, 0);
    p->own_warnings = p->warnings.count;
    p->settled = list->count == before;
    return p->settled ? OK : E_INPUT;
}

status program_settle(program *p, errors *list) {
    return p->settled ? OK : make_rules(p, false, list);
}

status program_check(program *p, errors *list) {
    p->checking_all = true;
    status s = make_rules(p, true, list);
    p->checking_all = false;
    return s;
}

// ---- Queries
// -------------------------------------------------------------------------------------

// The body with the values that come with the query.
static const term *with_given(program *p, arena *a, const term *body) {
    const query_given *g = p->given;
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

// The query as a clause of a predicate of its own. False: it has mistakes.
static bool unfold_query(program *p, arena *a, const term *body, const char *file,
                         program_query *out, errors *list) {
    size_t before = list->count;
    const term **args = arena_alloc(a, (out->name_count + 1) * sizeof *args);
    for (uint32_t i = 0; i < out->name_count; i++)
        args[i] = term_var(a, out->names[i]);
    out->first_pred = (uint32_t)p->preds.count;
    out->components = p->component_count;
    p->current = a;
    p->querying = true;
    p->mentions.count = 0;
    p->warnings.count = p->own_warnings;
    out->pred = program_auxiliary(p, "query", out->name_count);
    clause c = {.head = out->name_count ? term_compound(a, "query", out->name_count, args)
                                        : term_symbol(a, "query"),
                .body = with_given(p, a, body),
                .source = (rule_source *)(uintptr_t)p->asking,
                .file = file,
                .name = "query",
                .line = body->line,
                .column = body->column};
    normal_clause(p, &c, 0, out->pred, list);
    fill_unions(p, out->first_pred);
    return list->count == before;
}

// Makes predicates of the program of what the query calls and nothing called before. False: there
// was nothing of the kind. After a mistake all rules are dropped, so that it is said again.
static bool adopt_callees(program *p, program_query *q, errors *list) {
    typedef struct callee {
        const char *name, *functor;
        uint32_t arity, functor_arity, typed, split_at;
        bool auxiliary, on_demand, temporal, instant;
    } callee;
    ARRAY(callee) found = {0};
    for (size_t i = q->first_pred; i < p->preds.count; i++) {
        const pred *d = p->preds.items[i];
        char name[300];
        if (!d->auxiliary || union_of(d, name, sizeof name))
            array_push(&found,
                       (callee){d->name, d->functor, d->arity, d->functor_arity, d->typed,
                                d->split_at, d->auxiliary, d->on_demand, d->temporal, d->instant});
    }
    if (found.count == 0)
        return false;
    // Their names live on in the arena of the query.
    program_forget(p, q);
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
    complete(p, first, list);
    if (list->count != before)
        drop_rules(p);
    return true;
}

status program_prepare(program *p, arena *a, const term *body, const char *file, program_query *out,
                       errors *list) {
    size_t before = list->count;
    names free_names = {0}, shown = {0};
    program_index(p);
    *out =
        (program_query){.first_pred = (uint32_t)p->preds.count, .components = p->component_count};
    body = arrange_take(p, a, body, file, &out->order, list);
    if (!body)
        return E_INPUT;
    if (p->given && p->given->columns) {
        for (uint32_t i = 0; i < p->given->column_count; i++)
            array_push(&shown, p->given->columns[i]);
    } else {
        // Variables that live inside an aggregate or a negation alone are no answers.
        names_here(body, &free_names);
    }
    for (size_t i = 0; i < free_names.count; i++) {
        if (free_names.items[i][0] != '_')
            array_push(&shown, free_names.items[i]);
    }
    if (shown.count > RELATION_ARITY_MOST) {
        errors_add(list, file, body->line, body->column, "a query has at most %d variables",
                   RELATION_ARITY_MOST);
    } else {
        out->names = arena_alloc(a, (shown.count + 1) * sizeof *out->names);
        for (size_t i = 0; i < shown.count; i++)
            out->names[i] = arena_strdup(a, shown.items[i]);
        out->name_count = (uint32_t)shown.count;
        // The second time all that it calls is there.
        if (unfold_query(p, a, body, file, out, list) && adopt_callees(p, out, list) &&
            list->count == before)
            unfold_query(p, a, body, file, out, list);
        arrange_resolve(&out->order, out->names, out->name_count, file, list);
        if (list->count == before)
            check_program(p, out->first_pred, list);
    }
    array_finish(&free_names);
    array_finish(&shown);
    check_sort(list, before);
    if (list->count == before)
        return OK;
    program_forget(p, out);
    return E_INPUT;
}

void program_forget(program *p, const program_query *q) {
    drop_preds(p, q->first_pred);
    p->component_count = q->components;
    p->current = p->arena;
    p->querying = false;
}
