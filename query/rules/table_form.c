// query/rules/table_form.c - what `:- table` says: tables of a database as facts.
#include "query/rules/scanner.h"

#include <ctype.h>
#include "query/log/fact.h"
#include "query/rules/module.h"

typedef struct table_text {
    fact_origin o;
    const char *args[RELATION_ARITY_MAX], *types[RELATION_ARITY_MAX];
    fact_place arg_places[RELATION_ARITY_MAX];
    char kinds[RELATION_ARITY_MAX + 1];
    const char *columns[7 * RELATION_ARITY_MAX];
    fact_place column_places[7 * RELATION_ARITY_MAX];
    uint32_t arity;
} table_text;

static fact_place place_here(const scanner *s) {
    return (fact_place){s->line, s->column};
}

static void wrong_at(scanner *s, fact_place at, const char *text, const char *name,
                     const char *near) {
    if (!s->failed)
        errors_add(s->list, s->r->file, at.line, at.column,
                   near ? "%s '%s'; did you mean '%s'?" : "%s '%s'", text, name, near);
    s->failed = true;
}

// A name of the database: plain, or in quotes of either kind.
static const char *take_sql_name(scanner *s, const char *what) {
    if ((s->kind != 'n' && s->kind != 's' && s->kind != 'q') || s->too_long || !s->text[0]) {
        scanner_fail(s, what);
        return "";
    }
    const char *name = arena_strdup(s->p->texts, s->text);
    scanner_next(s);
    return name;
}

// `name: type`, or `name: type?`, whose NULL is `none`.
static void take_argument(scanner *s, table_text *t) {
    uint32_t i = t->arity;
    t->arg_places[i] = place_here(s);
    t->args[i] = scanner_name(s, "the name of an argument");
    if (s->kind != ':')
        scanner_fail(s, "':' and the type of the argument");
    scanner_next(s);
    fact_place at = place_here(s);
    t->types[i] = scanner_name(s, "a type");
    if (s->failed)
        return;
    size_t count;
    const char *const *types = fact_types(&count);
    char kind = fact_kind(t->types[i]);
    if (!kind) {
        wrong_at(s, at, "there is no type", t->types[i], nearest_name(t->types[i], types, count));
        return;
    }
    if (s->kind == '?') {
        if (strchr("tedp", kind))
            wrong_at(s, at, "a column may not be missing where the type is", t->types[i], NULL);
        kind = (char)toupper((unsigned char)kind);
        t->types[i] = arena_format(s->p->texts, "%s?", t->types[i]);
        scanner_next(s);
    }
    t->kinds[i] = kind;
    t->arity++;
}

static void take_arguments(scanner *s, table_text *t) {
    if (s->kind != '(') {
        scanner_fail(s, "'(' and the arguments of the predicate");
        return;
    }
    do {
        scanner_next(s);
        if (t->arity == RELATION_ARITY_MAX) {
            scanner_fail(s, "at most 31 arguments");
            return;
        }
        take_argument(s, t);
    } while (s->kind == ',' && !s->failed);
    scanner_token(s, ')', "')' or ','");
}

// `(column, ...)`; without them columns are called like the arguments.
static void take_columns(scanner *s, table_text *t) {
    uint32_t needed = 0, n = 0;
    for (uint32_t i = 0; i < t->arity; i++)
        needed += fact_kind_columns(t->kinds[i]);
    fact_place at = place_here(s);
    if (s->kind == '(') {
        do {
            scanner_next(s);
            if (n == 7 * RELATION_ARITY_MAX)
                break;
            t->column_places[n] = place_here(s);
            t->columns[n++] = take_sql_name(s, "the name of a column");
        } while (s->kind == ',' && !s->failed);
        scanner_token(s, ')', "')' or ','");
    } else {
        for (; n < t->arity; n++) {
            t->columns[n] = t->args[n];
            t->column_places[n] = t->arg_places[n];
        }
    }
    t->o.column_count = n;
    if (!s->failed && n != needed) {
        errors_add(s->list, s->r->file, at.line, at.column,
                   "the arguments take %u column%s, but %u %s named", needed,
                   needed == 1 ? "" : "s", n, n == 1 ? "is" : "are");
        s->failed = true;
    }
}

static void take_options(scanner *s, table_text *t) {
    t->o.key = -1;
    while (!s->failed && (scanner_at_word(s, "key") || scanner_at_word(s, "episode"))) {
        bool key = scanner_at_word(s, "key");
        scanner_next(s);
        fact_place at = place_here(s);
        if (!key) {
            t->o.episode_place = at;
            t->o.episode = take_sql_name(s, "the column that says of which episode a row is");
            continue;
        }
        const char *name = scanner_name(s, "the argument that rows are looked up by");
        for (uint32_t i = 0; i < t->arity; i++) {
            if (strcmp(t->args[i], name) == 0)
                t->o.key = (int)i;
        }
        if (t->o.key < 0)
            wrong_at(s, at, "key names an argument; there is none called", name,
                     nearest_name(name, t->args, t->arity));
        else if (!strchr("ioyst", t->kinds[t->o.key]))
            wrong_at(s, at, "rows cannot be looked up by an argument of type", t->types[t->o.key],
                     NULL);
    }
}

static const void *keep_copy(scanner *s, const void *items, size_t size) {
    void *copy = arena_alloc(s->p->texts, size + 1);
    if (size > 0)
        memcpy(copy, items, size);
    return copy;
}

static void keep_table(scanner *s, table_text *t, const char *name, const char *from,
                       const char *doc) {
    const fact *known = program_fact(s->p, name, t->arity);
    // What the same file said when it was loaded before goes.
    bool before = known && known->origin && known->origin->file != s->r->file &&
                  strcmp(known->origin->file, s->r->file) == 0;
    if (known && !before) {
        errors_add(s->list, s->r->file, t->o.name.line, t->o.name.column,
                   known->origin ? "%s/%u is mapped already (%s:%d)"
                                 : "%s/%u is a table of the log; give this predicate another name",
                   module_plain(name), t->arity, known->origin ? known->origin->file : "",
                   known->origin ? known->origin->name.line : 0);
        s->failed = true;
        return;
    }
    fact_origin *o = arena_alloc(s->p->texts, sizeof *o);
    *o = t->o;
    o->args = (const char **)(uintptr_t)keep_copy(s, t->args, t->arity * sizeof *t->args);
    o->types = (const char **)(uintptr_t)keep_copy(s, t->types, t->arity * sizeof *t->types);
    o->arg_places =
        (fact_place *)(uintptr_t)keep_copy(s, t->arg_places, t->arity * sizeof *t->arg_places);
    o->columns =
        (const char **)(uintptr_t)keep_copy(s, t->columns, o->column_count * sizeof *t->columns);
    o->column_places = (fact_place *)(uintptr_t)keep_copy(
        s, t->column_places, o->column_count * sizeof *t->column_places);
    fact *f = arena_alloc(s->p->texts, sizeof *f);
    *f = (fact){.name = name,
                .arity = t->arity,
                .kinds = arena_strdup(s->p->texts, t->kinds),
                .columns = "",
                .source = "",
                .key = "",
                .table = RECORD_KINDS,
                .doc = doc,
                .from = from,
                .origin = o};
    array_push(&s->p->tables, f);
}

// table name(arg: type, ...) from table(column, ...) key arg episode column "documentation"
void table_form_read(scanner *s) {
    table_text t = {.o = {.file = s->r->file, .name = place_here(s)}};
    const char *name = scanner_predicate(s);
    take_arguments(s, &t);
    if (!s->failed && !scanner_at_word(s, "from"))
        scanner_fail(s, "'from' and a table or view of the database");
    scanner_next(s);
    t.o.from = place_here(s);
    const char *from = s->failed ? "" : take_sql_name(s, "the name of a table or view");
    if (!s->failed)
        take_columns(s, &t);
    if (!s->failed)
        take_options(s, &t);
    const char *doc = s->failed ? "" : scanner_doc(s);
    if (!s->failed && s->kind == 'e')
        keep_table(s, &t, name, from, doc);
}
