// query/rules/directive.c - what stands behind `:-`: declare, split, temporal, module, table, and
// their like.
#include <ctype.h>
#include <stdio.h>
#include "base/hash.h"
#include "query/log/fact.h"
#include "query/rules/directive.h"
#include "query/rules/flaw_form.h"
#include "query/rules/module.h"

// ---- Names of types ----

static const char *const TYPE_NAMES[] = {
#define TYPE(name, classes, noun) #name,
#include "query/rules/types.def"
#undef TYPE
};
#define TYPE_NAME_COUNT (sizeof TYPE_NAMES / sizeof *TYPE_NAMES)

bool type_is_known(const char *name) {
    for (size_t i = 0; i < TYPE_NAME_COUNT; i++) {
        if (strcmp(TYPE_NAMES[i], name) == 0)
            return true;
    }
    return false;
}

// Returns the known name that was probably meant; NULL: none is near.
static const char *type_near(const char *name) {
    return nearest_name(name, TYPE_NAMES, TYPE_NAME_COUNT);
}

// ---- Tokens ----

typedef struct scanner {
    program *p;
    reader *r;
    errors *list;
    char kind; // n name, i integer, s string, q quoted name, e end of the clause, x end of the
               // text, or a sign
    char text[256];
    bool too_long;    // the text does not fit
    int line, column; // of the present token
    reader before;    // behind the token before it
    bool failed;
} scanner;

static void skip_blanks(reader *r) {
    for (;;) {
        char c = reader_look(r, 0);
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            reader_step(r);
        } else if (c == '%') {
            while (r->at < r->length && reader_look(r, 0) != '\n')
                reader_step(r);
        } else if (c == '/' && reader_look(r, 1) == '*') {
            // An open comment is left for the reader, which says so.
            reader saved = *r;
            reader_step(r);
            reader_step(r);
            while (r->at < r->length && !(reader_look(r, 0) == '*' && reader_look(r, 1) == '/'))
                reader_step(r);
            if (r->at >= r->length) {
                *r = saved;
                return;
            }
            reader_step(r);
            reader_step(r);
        } else {
            return;
        }
    }
}

static void next_token(scanner *s) {
    s->before = *s->r;
    skip_blanks(s->r);
    s->line = s->r->line;
    s->column = s->r->column;
    char c = reader_look(s->r, 0);
    size_t n = 0;
    s->too_long = false;
    if (s->r->at >= s->r->length) {
        s->kind = 'x';
    } else if (c >= '0' && c <= '9') {
        s->kind = 'i';
        while (reader_look(s->r, 0) >= '0' && reader_look(s->r, 0) <= '9') {
            if (n + 1 < sizeof s->text)
                s->text[n++] = reader_look(s->r, 0);
            reader_step(s->r);
        }
    } else if (name_goes_on(c)) {
        s->kind = 'n';
        while (name_goes_on(reader_look(s->r, 0))) {
            if (n + 1 < sizeof s->text)
                s->text[n++] = reader_look(s->r, 0);
            reader_step(s->r);
        }
    } else if (c == '"' || c == '\'') {
        s->kind = c == '"' ? 's' : 'q';
        reader_step(s->r);
        while (s->r->at < s->r->length && reader_look(s->r, 0) != c) {
            if (n + 1 < sizeof s->text)
                s->text[n++] = reader_look(s->r, 0);
            else
                s->too_long = true;
            reader_step(s->r);
        }
        reader_step(s->r);
    } else {
        s->kind = c == '.' ? 'e' : c;
        reader_step(s->r);
    }
    s->text[n] = 0;
}

static void fail_expected(scanner *s, const char *expected) {
    if (!s->failed)
        errors_add(s->list, s->r->file, s->line, s->column, "a directive expects %s here",
                   expected);
    s->failed = true;
}

static const char *take_name(scanner *s, const char *what) {
    if (s->kind != 'n') {
        fail_expected(s, what);
        return "";
    }
    const char *name = arena_strdup(s->p->texts, s->text);
    next_token(s);
    return name;
}

static uint32_t take_number(scanner *s) {
    if (s->kind != 'i' || strlen(s->text) > 3) {
        fail_expected(s, "a number");
        return 0;
    }
    uint32_t n = (uint32_t)strtoul(s->text, NULL, 10);
    next_token(s);
    return n;
}

static bool take_token(scanner *s, char kind, const char *expected) {
    if (s->kind != kind) {
        fail_expected(s, expected);
        return false;
    }
    next_token(s);
    return true;
}

// The name of a predicate, as this file means it.
static const char *take_predicate(scanner *s) {
    const char *name = take_name(s, "the name of a predicate");
    return s->failed ? name : module_directed(s->p, s->p->reading, name);
}

static bool at_word(const scanner *s, const char *word) {
    return s->kind == 'n' && strcmp(s->text, word) == 0;
}

// `name on N`
static const char *take_position(scanner *s, uint32_t *position) {
    const char *name = take_predicate(s);
    if (s->kind != 'n' || strcmp(s->text, "on") != 0)
        fail_expected(s, "'on' and the position of an argument");
    next_token(s);
    int line = s->line, column = s->column;
    *position = take_number(s);
    if (!s->failed && (*position == 0 || *position > RELATION_ARITY_MAX)) {
        errors_add(s->list, s->r->file, line, column, "positions of arguments count from 1");
        s->failed = true;
    }
    return name;
}

// `name/arity`, or `name(functor/arity)`
static mark take_mark(scanner *s) {
    mark m = {.name = take_predicate(s)};
    bool inner = s->kind == '(';
    if (inner) {
        next_token(s);
        m.functor = take_name(s, "a functor");
    }
    take_token(s, '/', "'/' and an arity");
    m.arity = take_number(s);
    if (inner)
        take_token(s, ')', "')'");
    return m;
}

static char *take_doc(scanner *s, size_t start) {
    // The scanner stands behind the string; its text lies between the quotes, blanks run together.
    const char *text = s->r->text;
    size_t from = start;
    while (text[from] != '"')
        from++;
    size_t to = ++from;
    while (to < s->r->length && text[to] != '"')
        to++;
    char *doc = arena_alloc(s->p->texts, to - from + 1);
    size_t n = 0;
    for (size_t i = from; i < to; i++) {
        bool blank = text[i] == ' ' || text[i] == '\n' || text[i] == '\t' || text[i] == '\r';
        if (!blank)
            doc[n++] = text[i];
        else if (n > 0 && doc[n - 1] != ' ')
            doc[n++] = ' ';
    }
    doc[n] = 0;
    return doc;
}

// The documentation, when it stands next.
static const char *doc_of(scanner *s) {
    if (s->kind != 's')
        return "";
    // Back to the quote that opened it.
    size_t close = s->r->at - 1, open = close;
    while (open > 0 && s->r->text[open - 1] != '"')
        open--;
    const char *doc = take_doc(s, open > 0 ? open - 1 : 0);
    next_token(s);
    return doc;
}

// `name: type`, the type any where it is left out. What stands here must be a known type.
static void take_typed(scanner *s, const char **name, const char **type) {
    *name = take_name(s, "the name of an argument");
    *type = "any";
}

static void take_type(scanner *s, const char **type) {
    if (s->kind != ':' || s->failed)
        return;
    next_token(s);
    int line = s->line, column = s->column;
    *type = take_name(s, "a type");
    if (s->failed || type_is_known(*type))
        return;
    const char *near = type_near(*type);
    errors_add(s->list, s->r->file, line, column,
               near ? "unknown type '%s'; did you mean '%s'?" : "unknown type '%s'", *type, near);
}

// The arguments of an occasion, as in holds_w(on(top: object, bottom: object), time: time).
static void take_inner(scanner *s, declaration *d) {
    const char *names[RELATION_ARITY_MAX], *types[RELATION_ARITY_MAX];
    uint32_t n = 0;
    do {
        next_token(s);
        if (n == RELATION_ARITY_MAX) {
            fail_expected(s, "at most 31 arguments");
            return;
        }
        take_typed(s, &names[n], &types[n]);
        take_type(s, &types[n]);
        n++;
    } while (s->kind == ',' && !s->failed);
    if (s->failed || !take_token(s, ')', "')' or ','"))
        return;
    d->inner_arity = n;
    d->inner_names = arena_alloc(s->p->texts, (n + 1) * sizeof *d->inner_names);
    d->inner_types = arena_alloc(s->p->texts, (n + 1) * sizeof *d->inner_types);
    memcpy(d->inner_names, names, n * sizeof *names);
    memcpy(d->inner_types, types, n * sizeof *types);
}

static void read_declare(scanner *s) {
    declaration d = {.file = s->r->file, .line = s->line, .column = s->column};
    const char *names[RELATION_ARITY_MAX], *types[RELATION_ARITY_MAX];
    size_t from = s->r->at - strlen(s->text), to = from;
    d.name = take_predicate(s);
    if (s->kind == '(') {
        do {
            next_token(s);
            if (d.arity == RELATION_ARITY_MAX) {
                fail_expected(s, "at most 31 arguments");
                return;
            }
            take_typed(s, &names[d.arity], &types[d.arity]);
            if (s->kind == '(') {
                d.inner_at = d.arity + 1;
                d.inner_name = names[d.arity];
                take_inner(s, &d);
            }
            take_type(s, &types[d.arity]);
            d.arity++;
        } while (s->kind == ',' && !s->failed);
        to = s->r->at; // behind the ')'
        take_token(s, ')', "')' or ','");
    }
    d.text = to > from ? arena_copy(s->p->texts, s->r->text + from, to - from) : d.name;
    d.arg_names = arena_alloc(s->p->texts, (d.arity + 1) * sizeof *d.arg_names);
    d.arg_types = arena_alloc(s->p->texts, (d.arity + 1) * sizeof *d.arg_types);
    for (uint32_t i = 0; i < d.arity; i++) {
        d.arg_names[i] = names[i];
        d.arg_types[i] = types[i];
    }
    d.doc = doc_of(s);
    d.example = s->kind == 's' ? doc_of(s) : NULL;
    if (!s->failed)
        array_push(&s->p->declarations, d);
}

// ---- Flaws ----

// The name of an argument as declarations write it: SeenThing as seen_thing.
static const char *argument_name(arena *a, const char *variable) {
    char *name = arena_alloc(a, 2 * strlen(variable) + 1);
    size_t n = 0;
    for (const char *c = variable; *c; c++) {
        bool capital = *c >= 'A' && *c <= 'Z';
        if (capital && c != variable && c[-1] != '_')
            name[n++] = '_';
        name[n++] = (char)(capital ? *c - 'A' + 'a' : *c);
    }
    return name;
}

static void declare_flaw(scanner *s, const flaw_form *f, const char *doc, const char *example) {
    arena *a = s->p->texts;
    declaration d = {.file = s->r->file, .line = f->line, .column = f->column, .arity = 1};
    d.name = module_directed(s->p, s->p->reading, "flaw");
    d.inner_at = 1;
    d.inner_arity = f->arity;
    d.inner_name = arena_strdup(a, f->name);
    d.arg_names = arena_alloc(a, 2 * sizeof *d.arg_names);
    d.arg_types = arena_alloc(a, 2 * sizeof *d.arg_types);
    d.arg_names[0] = d.inner_name;
    d.arg_types[0] = "any";
    d.inner_names = arena_alloc(a, (f->arity + 1) * sizeof *d.inner_names);
    d.inner_types = arena_alloc(a, (f->arity + 1) * sizeof *d.inner_types);
    const char *text = "";
    for (uint32_t i = 0; i < f->arity; i++) {
        d.inner_names[i] = arena_strdup(a, f->arguments[i].name);
        d.inner_types[i] = arena_strdup(a, f->arguments[i].type);
        text =
            arena_format(a, "%s%s%s: %s", text, i ? ", " : "", d.inner_names[i], d.inner_types[i]);
    }
    d.text = arena_format(a, "flaw(%s(%s))", f->name, text);
    d.doc = doc;
    d.example = example;
    array_push(&s->p->declarations, d);
}

// flaw name(Variable: type, ...) "documentation" "example"
static void read_flaw(scanner *s, size_t at) {
    rule_source *source = s->p->reading;
    arena *a = source->found ? s->p->texts : source->arena;
    flaw_argument arguments[RELATION_ARITY_MAX];
    flaw_form f = {.at = at, .line = s->line, .column = s->column};
    f.name = arena_strdup(a, take_name(s, "the name of the flaw"));
    if (s->kind != '(')
        fail_expected(s, "'(' and the arguments of the flaw, as Task: task");
    do {
        next_token(s);
        if (f.arity == RELATION_ARITY_MAX || s->kind != 'n' || s->text[0] < 'A' ||
            s->text[0] > 'Z') {
            fail_expected(s, "an argument of the flaw, a variable such as Task");
            return;
        }
        flaw_argument *argument = &arguments[f.arity++];
        argument->variable = arena_strdup(a, take_name(s, "a variable"));
        argument->name = argument_name(a, argument->variable);
        argument->type = "any";
        take_type(s, &argument->type);
        argument->type = arena_strdup(a, argument->type);
    } while (s->kind == ',' && !s->failed);
    take_token(s, ')', "')' or ','");
    if (s->failed)
        return;
    const char *doc = doc_of(s), *example = s->kind == 's' ? doc_of(s) : NULL;
    f.arguments =
        memcpy(arena_alloc(a, f.arity * sizeof *arguments), arguments, f.arity * sizeof *arguments);
    f.length = s->r->at - at;
    f.hash = hash_bytes(s->r->text + at, f.length);
    declare_flaw(s, &f, doc, example);
    if (!source->found) {
        flaw_form *kept = arena_alloc(a, sizeof *kept);
        *kept = f;
        flaw_form_begin(source, kept);
    }
}

// ---- Tables ----

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
        fail_expected(s, what);
        return "";
    }
    const char *name = arena_strdup(s->p->texts, s->text);
    next_token(s);
    return name;
}

// `name: type`, or `name: type?`, whose NULL is `none`.
static void take_argument(scanner *s, table_text *t) {
    uint32_t i = t->arity;
    t->arg_places[i] = place_here(s);
    t->args[i] = take_name(s, "the name of an argument");
    if (s->kind != ':')
        fail_expected(s, "':' and the type of the argument");
    next_token(s);
    fact_place at = place_here(s);
    t->types[i] = take_name(s, "a type");
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
        next_token(s);
    }
    t->kinds[i] = kind;
    t->arity++;
}

static void take_arguments(scanner *s, table_text *t) {
    if (s->kind != '(') {
        fail_expected(s, "'(' and the arguments of the predicate");
        return;
    }
    do {
        next_token(s);
        if (t->arity == RELATION_ARITY_MAX) {
            fail_expected(s, "at most 31 arguments");
            return;
        }
        take_argument(s, t);
    } while (s->kind == ',' && !s->failed);
    take_token(s, ')', "')' or ','");
}

// `(column, ...)`; without them columns are called like the arguments.
static void take_columns(scanner *s, table_text *t) {
    uint32_t needed = 0, n = 0;
    for (uint32_t i = 0; i < t->arity; i++)
        needed += fact_kind_columns(t->kinds[i]);
    fact_place at = place_here(s);
    if (s->kind == '(') {
        do {
            next_token(s);
            if (n == 7 * RELATION_ARITY_MAX)
                break;
            t->column_places[n] = place_here(s);
            t->columns[n++] = take_sql_name(s, "the name of a column");
        } while (s->kind == ',' && !s->failed);
        take_token(s, ')', "')' or ','");
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
    while (!s->failed && (at_word(s, "key") || at_word(s, "episode"))) {
        bool key = at_word(s, "key");
        next_token(s);
        fact_place at = place_here(s);
        if (!key) {
            t->o.episode_place = at;
            t->o.episode = take_sql_name(s, "the column that says of which episode a row is");
            continue;
        }
        const char *name = take_name(s, "the argument that rows are looked up by");
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
static void read_table(scanner *s) {
    table_text t = {.o = {.file = s->r->file, .name = place_here(s)}};
    const char *name = take_predicate(s);
    take_arguments(s, &t);
    if (!s->failed && !at_word(s, "from"))
        fail_expected(s, "'from' and a table or view of the database");
    next_token(s);
    t.o.from = place_here(s);
    const char *from = s->failed ? "" : take_sql_name(s, "the name of a table or view");
    if (!s->failed)
        take_columns(s, &t);
    if (!s->failed)
        take_options(s, &t);
    const char *doc = s->failed ? "" : doc_of(s);
    if (!s->failed && s->kind == 'e')
        keep_table(s, &t, name, from, doc);
}

// ---- Modules ----

// `name/arity, ...`
static bool take_item(scanner *s, module_item *out) {
    *out = (module_item){.line = s->line, .column = s->column};
    out->name = arena_strdup(s->p->reading->arena, take_name(s, "the name of a predicate"));
    take_token(s, '/', "'/' and an arity");
    out->arity = take_number(s);
    return !s->failed;
}

static void read_module(scanner *s) {
    rule_source *source = s->p->reading;
    int line = s->line, column = s->column;
    const char *name = arena_strdup(source->arena, take_name(s, "the name of the module"));
    bool first = source->clauses.count == 0 && source->directives.count <= 1;
    module *m = source->module;
    if (s->failed || (m && m->name && strcmp(m->name, name) == 0 && !first))
        return;
    if (!first || name[0] < 'a' || name[0] > 'z') {
        errors_add(s->list, s->r->file, line, column,
                   first ? "the name of a module begins with a small letter"
                         : "':- module' stands once, before all else in its file");
        s->failed = true;
        return;
    }
    m = module_of(source);
    m->name = name;
    m->line = line;
    m->column = column;
}

static void read_export(scanner *s) {
    module_item item;
    for (;;) {
        if (!take_item(s, &item))
            return;
        array_push(&module_of(s->p->reading)->exports, item);
        if (s->kind != ',')
            return;
        next_token(s);
    }
}

// import "file" or import "file" (name/arity, ...)
static void read_import(scanner *s) {
    module_import import = {.line = s->line, .column = s->column};
    if (s->kind != 's' || s->too_long || !s->text[0]) {
        fail_expected(s, "the name of a file in \"...\"");
        return;
    }
    import.path = module_path(s->p->reading->arena, s->p->reading->name, s->text);
    next_token(s);
    import.all = s->kind != '(';
    if (!import.all) {
        do {
            module_item item;
            next_token(s);
            if (!take_item(s, &item))
                break;
            array_push(&import.items, item);
        } while (s->kind == ',');
        take_token(s, ')', "')' or ','");
    }
    if (s->failed)
        array_finish(&import.items);
    else
        array_push(&module_of(s->p->reading)->imports, import);
}

// ---- Arguments with a meaning ----

static bool is_position_word(const char *word) {
    static const char *const words[] = {"split",    "temporal", "instant",
                                        "override", "least",    "greatest"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(word, words[i]) == 0)
            return true;
    }
    return false;
}

// `name on N`, for which the last directive counts; check_directives refuses others that differ.
static void read_position(scanner *s, const char *word) {
    position_directive d = {.word = word, .file = s->r->file, .line = s->line, .column = s->column};
    d.name = take_position(s, &d.position);
    if (s->failed)
        return;
    predicate_traits *of = program_traits(s->p, d.name, true);
    d.name = of->name;
    bool greatest = strcmp(word, "greatest") == 0;
    if (greatest || strcmp(word, "least") == 0)
        of->greatest = greatest;
    *(strcmp(word, "split") == 0      ? &of->split_on
      : strcmp(word, "temporal") == 0 ? &of->temporal_on
      : strcmp(word, "instant") == 0  ? &of->instant_on
      : strcmp(word, "override") == 0 ? &of->override_on
                                      : &of->best_on) = d.position;
    array_push(&s->p->positions, d);
}

// Moves behind the '.' of a directive that cannot be read, or to the next line that begins at its
// margin, where something else does.
static void pass_rest(scanner *s) {
    reader *r = s->r;
    while (r->at < r->length) {
        char c = reader_look(r, 0);
        const char *rest = r->text + r->at + 1;
        size_t left = r->length - r->at - 1;
        const char *close = c == '"' ? memchr(rest, '"', left) : NULL;
        if (close && !memchr(rest, '\n', (size_t)(close - rest))) {
            for (size_t n = (size_t)(close - rest) + 2; n > 0; n--)
                reader_step(r);
            continue;
        }
        bool begins = c == ':' || c == '%' || (c >= 'a' && c <= 'z');
        if (r->column == 1 && begins)
            return;
        if (c == '.' && (r->at + 1 >= r->length || strchr(" \t\r\n%", reader_look(r, 1)))) {
            reader_step(r);
            return;
        }
        reader_step(r);
    }
}

bool directive_ahead(reader *r) {
    skip_blanks(r);
    return reader_look(r, 0) == ':' && reader_look(r, 1) == '-';
}

bool directive_read(program *p, reader *r, errors *list) {
    scanner s = {.p = p, .r = r, .list = list};
    size_t at = r->at;
    reader_step(r);
    reader_step(r);
    next_token(&s);
    int line = s.line, column = s.column;
    const char *word = take_name(&s, "a word: declare, split, temporal, ...");
#define DIRECTIVE(word) word,
    static const char *const words[] = {
#include "query/rules/directives.def"
    };
#undef DIRECTIVE
    if (s.failed) {
        // nothing more to say
    } else if (strcmp(word, "declare") == 0) {
        read_declare(&s);
    } else if (strcmp(word, "flaw") == 0) {
        read_flaw(&s, at);
    } else if (strcmp(word, "table") == 0) {
        read_table(&s);
    } else if (strcmp(word, "module") == 0) {
        read_module(&s);
    } else if (strcmp(word, "export") == 0) {
        read_export(&s);
    } else if (strcmp(word, "import") == 0) {
        read_import(&s);
    } else if (is_position_word(word)) {
        read_position(&s, word);
    } else if (strcmp(word, "agent_optional") == 0) {
        mark m = take_mark(&s);
        if (!s.failed)
            program_traits(p, m.name, true)->agent_arity = m.arity;
    } else if (strcmp(word, "on_demand") == 0) {
        mark m = take_mark(&s);
        array_push(&p->on_demand, m);
    } else if (strcmp(word, "pointwise") == 0) {
        mark m = take_mark(&s);
        array_push(&p->pointwise, m);
    } else {
        const char *near = nearest_name(word, words, sizeof words / sizeof *words);
        errors_add(list, r->file, line, column,
                   near ? "unknown directive '%s'; did you mean '%s'?" : "unknown directive '%s'",
                   word, near);
        s.failed = true;
    }
    if (!s.failed && s.kind != 'e' && s.line > s.before.line && (s.column == 1 || s.kind == 'x')) {
        errors_add(list, r->file, s.before.line, s.before.column,
                   "the directive ends without a '.'");
        *r = s.before;
        return false;
    }
    if (!s.failed && s.kind != 'e')
        fail_expected(&s, "'.' at its end");
    if (s.failed && s.kind != 'e')
        pass_rest(&s);
    return !s.failed;
}
