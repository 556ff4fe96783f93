// query/program.c - what was loaded: clauses, directives, and the predicates they make.
#include "query/program.h"

#include <stdio.h>
#include "query/normal_int.h"

program *program_create(values *v, nanos end) {
    program *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->values = v;
    p->end = end;
    p->texts = arena_create();
    return p;
}

static void drop_preds(program *p, size_t from) {
    for (size_t i = from; i < p->preds.count; i++) {
        array_finish(&p->preds.items[i]->rules);
        array_finish(&p->preds.items[i]->facts);
        array_finish(&p->preds.items[i]->fact_rules);
    }
    if (p->preds.count > from)
        p->preds.count = from;
}

static void drop_rules(program *p) {
    drop_preds(p, 0);
    symtab_destroy(p->names);
    arena_destroy(p->arena);
    p->names = NULL;
    p->arena = NULL;
    p->settled = false;
}

void program_destroy(program *p) {
    if (!p)
        return;
    drop_rules(p);
    array_finish(&p->preds);
    array_finish(&p->clauses);
    array_finish(&p->shapes);
    array_finish(&p->declarations);
    array_finish(&p->on_demand);
    array_finish(&p->pointwise);
    arena_destroy(p->texts);
    free(p);
}

shape *program_shape(program *p, const char *name, bool create) {
    for (size_t i = 0; i < p->shapes.count; i++) {
        if (strcmp(p->shapes.items[i].name, name) == 0)
            return &p->shapes.items[i];
    }
    if (!create)
        return NULL;
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

static pred *add_pred(program *p, const char *name, uint32_t arity) {
    pred *d = arena_alloc(p->current, sizeof *d);
    d->name = arena_strdup(p->current, name);
    d->arity = arity;
    d->columns = arena_alloc(p->current, (arity + 1) * sizeof *d->columns);
    d->index = (uint32_t)p->preds.count;
    array_push(&p->preds, d);
    return d;
}

pred *program_pred(program *p, const char *name, uint32_t arity, const char *functor,
                   uint32_t functor_arity) {
    char key[600];
    int n = snprintf(key, sizeof key, "%.250s/%u|%.250s/%u", name, arity, functor ? functor : "",
                     functor_arity);
    size_t length = (size_t)n < sizeof key ? (size_t)n : sizeof key - 1;
    size_t settled = symtab_count(p->names);
    int64_t known = symtab_find(p->names, key, length);
    if (known >= 0)
        return p->preds.items[known];
    for (size_t i = settled; i < p->preds.count; i++) {
        pred *d = p->preds.items[i];
        if (strcmp(d->name, name) == 0 && d->arity == arity && !d->functor == !functor &&
            (!functor || (strcmp(d->functor, functor) == 0 && d->functor_arity == functor_arity)))
            return d;
    }
    if (!p->settled)
        symtab_add(p->names, key, length);
    pred *d = add_pred(p, name, arity);
    d->functor = functor ? arena_strdup(p->current, functor) : NULL;
    d->functor_arity = functor_arity;
    return d;
}

void pred_type_time(pred *d, uint32_t column) {
    d->columns[column] = COLUMN_INSTANT;
    d->typed |= UINT32_C(1) << column;
}

bool program_declares_time(const program *p, const char *name, uint32_t arity, uint32_t arg) {
    for (size_t i = 0; i < p->declarations.count; i++) {
        const declaration *d = &p->declarations.items[i];
        if (d->arity == arity && strcmp(d->name, name) == 0 &&
            strcmp(d->arg_types[arg], "time") == 0)
            return true;
    }
    return false;
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
    r->head_range = VAR_NONE;
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

pred *program_union(program *p, const shape *s, uint32_t arity) {
    char name[300];
    snprintf(name, sizeof name, "%.250s$any", s->name);
    bool temporal = s->temporal_on > 0;
    pred *any = program_pred(p, name, arity + (temporal ? 1 : 0), NULL, 0);
    any->auxiliary = any->on_demand = true;
    any->temporal = temporal;
    if (s->instant_on && s->instant_on <= arity)
        pred_type_time(any, s->instant_on - 1);
    return any;
}

// Unions get their rules when all functors are known.
static void fill_unions(program *p, size_t from) {
    for (size_t i = from; i < p->preds.count; i++) {
        pred *any = p->preds.items[i];
        const char *mark_at = strstr(any->name, "$any");
        if (!mark_at || !any->on_demand || !any->auxiliary || any->rules.count > 0)
            continue;
        char name[300];
        snprintf(name, sizeof name, "%.*s", (int)(mark_at - any->name), any->name);
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

static void apply_declarations(program *p) {
    for (size_t i = 0; i < p->declarations.count; i++) {
        const declaration *d = &p->declarations.items[i];
        const shape *s = program_shape(p, d->name, false);
        if (s && (s->split_on || s->temporal_on))
            continue;
        pred *known = program_pred(p, d->name, d->arity, NULL, 0);
        known->declared = true;
        known->doc = d->doc;
        for (uint32_t k = 0; k < d->arity; k++) {
            if (strcmp(d->arg_types[k], "time") == 0)
                pred_type_time(known, k);
        }
    }
}

status program_load(program *p, const char *file, const char *text, size_t length, errors *list) {
    size_t before = list->count, clauses = p->clauses.count;
    size_t directives[4] = {p->declarations.count, p->on_demand.count, p->pointwise.count,
                            p->shapes.count};
    shape *shapes = calloc(p->shapes.count + 1, sizeof *shapes);
    if (!shapes)
        return E_MEMORY;
    if (p->shapes.count > 0)
        memcpy(shapes, p->shapes.items, p->shapes.count * sizeof *shapes);
    reader r;
    char *copy = arena_copy(p->texts, text, length);
    const char *name = arena_strdup(p->texts, file);
    reader_init(&r, p->texts, name, copy, length, 1, 1);
    for (;;) {
        if (directive_ahead(&r)) {
            directive_read(p, &r, list);
            continue;
        }
        const term *t;
        error err = {0};
        status s = reader_clause(&r, &t, &err);
        if (s != OK) {
            errors_append(list, &err);
            if (r.at >= r.length)
                break;
            continue;
        }
        if (!t)
            break;
        bool is_rule = term_is(t, ":-", 2);
        const term *head = is_rule ? t->args[0] : t;
        clause c = {.head = head,
                    .body = is_rule ? t->args[1] : NULL,
                    .file = name,
                    .file_number = p->file_count,
                    .line = head->line ? head->line : t->line,
                    .column = head->line ? head->column : t->column};
        array_push(&p->clauses, c);
    }
    p->file_count++;
    p->settled = false;
    if (list->count != before) {
        p->clauses.count = clauses;
        p->declarations.count = directives[0];
        p->on_demand.count = directives[1];
        p->pointwise.count = directives[2];
        p->shapes.count = directives[3];
        for (size_t i = 0; i < directives[3]; i++)
            p->shapes.items[i] = shapes[i];
    }
    free(shapes);
    return list->count == before ? OK : E_INPUT;
}

// Whether a fact of a later file replaces this one.
static bool is_overridden(const program *p, size_t i, const shape *s) {
    const clause *c = &p->clauses.items[i];
    if (!s || !s->override_on || c->body || c->head->kind != TERM_COMPOUND ||
        c->head->arity < s->override_on)
        return false;
    const term *key = c->head->args[s->override_on - 1];
    for (size_t k = i + 1; k < p->clauses.count; k++) {
        const clause *later = &p->clauses.items[k];
        if (later->file_number > c->file_number && !later->body &&
            term_is(later->head, c->head->text, c->head->arity) &&
            term_equal(later->head->args[s->override_on - 1], key))
            return true;
    }
    return false;
}

status program_check(program *p, errors *list) {
    size_t before = list->count;
    drop_rules(p);
    p->names = symtab_create();
    p->arena = arena_create();
    p->current = p->arena;
    p->auxiliary_count = 0;
    apply_declarations(p);
    for (size_t i = 0; i < p->clauses.count; i++) {
        const clause *c = &p->clauses.items[i];
        const term *head = c->head;
        const shape *s = head->kind == TERM_COMPOUND ? program_shape(p, head->text, false) : NULL;
        if (!is_overridden(p, i, s))
            normal_clause(p, c, (uint32_t)i + 1, NULL, list);
    }
    fill_unions(p, 0);
    for (size_t i = 0; i < p->preds.count; i++)
        p->preds.items[i]->on_demand |= is_on_demand(p, p->preds.items[i]);
    // Where clauses could not be read, what they define would be reported as unknown too.
    if (list->count == before)
        check_program(p, 0, list);
    p->settled = list->count == before;
    return p->settled ? OK : E_INPUT;
}

// Variables that live inside an aggregate or a negation alone are no answers.
static void names_outside(const term *t, names *out) {
    if (t->kind == TERM_VAR)
        names_add(out, t->text);
    if (term_is(t, "{}", 3) || term_is(t, "not", 1))
        return;
    for (uint32_t i = 0; t->kind == TERM_COMPOUND && i < t->arity; i++)
        names_outside(t->args[i], out);
}

status program_prepare(program *p, arena *a, const term *body, const char *file, program_query *out,
                       errors *list) {
    size_t before = list->count;
    names free_names = {0}, shown = {0};
    names_outside(body, &free_names);
    *out =
        (program_query){.first_pred = (uint32_t)p->preds.count, .components = p->component_count};
    for (size_t i = 0; i < free_names.count; i++) {
        if (free_names.items[i][0] != '_')
            array_push(&shown, free_names.items[i]);
    }
    p->current = a;
    if (shown.count > RELATION_ARITY_MOST) {
        errors_add(list, file, body->line, body->column, "a query has at most %d variables",
                   RELATION_ARITY_MOST);
    } else {
        const term **args = arena_alloc(a, (shown.count + 1) * sizeof *args);
        out->names = arena_alloc(a, (shown.count + 1) * sizeof *out->names);
        for (size_t i = 0; i < shown.count; i++) {
            out->names[i] = arena_strdup(a, shown.items[i]);
            args[i] = term_var(a, shown.items[i]);
        }
        out->name_count = (uint32_t)shown.count;
        out->pred = program_auxiliary(p, "query", out->name_count);
        clause c = {.head = shown.count ? term_compound(a, "query", out->name_count, args)
                                        : term_symbol(a, "query"),
                    .body = body,
                    .file = file,
                    .line = body->line,
                    .column = body->column};
        normal_clause(p, &c, 0, out->pred, list);
        fill_unions(p, out->first_pred);
        if (list->count == before)
            check_program(p, out->first_pred, list);
    }
    array_finish(&free_names);
    array_finish(&shown);
    if (list->count == before)
        return OK;
    program_forget(p, out);
    return E_INPUT;
}

void program_forget(program *p, const program_query *q) {
    drop_preds(p, q->first_pred);
    p->component_count = q->components;
    p->current = p->arena;
}
