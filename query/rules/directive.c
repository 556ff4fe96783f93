// query/rules/directive.c - what stands behind `:-`: declare, split, temporal, module, table, and
// their like.
#include <stdio.h>
#include "base/hash.h"
#include "query/rules/directive.h"
#include "query/rules/flaw_form.h"
#include "query/rules/module.h"
#include "query/rules/scanner.h"

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

// `name on N`
static const char *take_position(scanner *s, uint32_t *position) {
    const char *name = scanner_predicate(s);
    if (s->kind != 'n' || strcmp(s->text, "on") != 0)
        scanner_fail(s, "'on' and the position of an argument");
    scanner_next(s);
    int line = s->line, column = s->column;
    *position = scanner_number(s);
    if (!s->failed && (*position == 0 || *position > RELATION_ARITY_MAX)) {
        errors_add(s->list, s->r->file, line, column, "positions of arguments count from 1");
        s->failed = true;
    }
    return name;
}

// `name/arity`, or `name(functor/arity)`
static mark take_mark(scanner *s) {
    mark m = {.name = scanner_predicate(s)};
    bool inner = s->kind == '(';
    if (inner) {
        scanner_next(s);
        m.functor = scanner_name(s, "a functor");
    }
    scanner_token(s, '/', "'/' and an arity");
    m.arity = scanner_number(s);
    if (inner)
        scanner_token(s, ')', "')'");
    return m;
}

// `name: type`, the type any where it is left out. What stands here must be a known type.
static void take_typed(scanner *s, const char **name, const char **type) {
    *name = scanner_name(s, "the name of an argument");
    *type = "any";
}

static void take_type(scanner *s, const char **type) {
    if (s->kind != ':' || s->failed)
        return;
    scanner_next(s);
    int line = s->line, column = s->column;
    *type = scanner_name(s, "a type");
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
        scanner_next(s);
        if (n == RELATION_ARITY_MAX) {
            scanner_fail(s, "at most 31 arguments");
            return;
        }
        take_typed(s, &names[n], &types[n]);
        take_type(s, &types[n]);
        n++;
    } while (s->kind == ',' && !s->failed);
    if (s->failed || !scanner_token(s, ')', "')' or ','"))
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
    d.name = scanner_predicate(s);
    if (s->kind == '(') {
        do {
            scanner_next(s);
            if (d.arity == RELATION_ARITY_MAX) {
                scanner_fail(s, "at most 31 arguments");
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
        scanner_token(s, ')', "')' or ','");
    }
    d.text = to > from ? arena_copy(s->p->texts, s->r->text + from, to - from) : d.name;
    d.arg_names = arena_alloc(s->p->texts, (d.arity + 1) * sizeof *d.arg_names);
    d.arg_types = arena_alloc(s->p->texts, (d.arity + 1) * sizeof *d.arg_types);
    for (uint32_t i = 0; i < d.arity; i++) {
        d.arg_names[i] = names[i];
        d.arg_types[i] = types[i];
    }
    d.doc = scanner_doc(s);
    d.example = s->kind == 's' ? scanner_doc(s) : NULL;
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
    f.name = arena_strdup(a, scanner_name(s, "the name of the flaw"));
    if (s->kind != '(')
        scanner_fail(s, "'(' and the arguments of the flaw, as Task: task");
    do {
        scanner_next(s);
        if (f.arity == RELATION_ARITY_MAX || s->kind != 'n' || s->text[0] < 'A' ||
            s->text[0] > 'Z') {
            scanner_fail(s, "an argument of the flaw, a variable such as Task");
            return;
        }
        flaw_argument *argument = &arguments[f.arity++];
        argument->variable = arena_strdup(a, scanner_name(s, "a variable"));
        argument->name = argument_name(a, argument->variable);
        argument->type = "any";
        take_type(s, &argument->type);
        argument->type = arena_strdup(a, argument->type);
    } while (s->kind == ',' && !s->failed);
    scanner_token(s, ')', "')' or ','");
    if (s->failed)
        return;
    const char *doc = scanner_doc(s), *example = s->kind == 's' ? scanner_doc(s) : NULL;
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

// ---- Modules ----

// `name/arity, ...`
static bool take_item(scanner *s, module_item *out) {
    *out = (module_item){.line = s->line, .column = s->column};
    out->name = arena_strdup(s->p->reading->arena, scanner_name(s, "the name of a predicate"));
    scanner_token(s, '/', "'/' and an arity");
    out->arity = scanner_number(s);
    return !s->failed;
}

static void read_module(scanner *s) {
    rule_source *source = s->p->reading;
    int line = s->line, column = s->column;
    const char *name = arena_strdup(source->arena, scanner_name(s, "the name of the module"));
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
        scanner_next(s);
    }
}

// import "file" or import "file" (name/arity, ...)
static void read_import(scanner *s) {
    module_import import = {.line = s->line, .column = s->column};
    if (s->kind != 's' || s->too_long || !s->text[0]) {
        scanner_fail(s, "the name of a file in \"...\"");
        return;
    }
    import.path = module_path(s->p->reading->arena, s->p->reading->name, s->text);
    scanner_next(s);
    import.all = s->kind != '(';
    if (!import.all) {
        do {
            module_item item;
            scanner_next(s);
            if (!take_item(s, &item))
                break;
            array_push(&import.items, item);
        } while (s->kind == ',');
        scanner_token(s, ')', "')' or ','");
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

// `name on N`
static void read_position(scanner *s, const char *word) {
    position_directive d = {.word = word, .file = s->r->file, .line = s->line, .column = s->column};
    d.name = take_position(s, &d.position);
    if (!s->failed)
        directive_position(s->p, d);
}

// The last directive counts; check_directives refuses others that differ.
void directive_position(program *p, position_directive d) {
    const char *word = d.word;
    predicate_traits *of = program_traits(p, d.name, true);
    d.name = of->name;
    bool greatest = strcmp(word, "greatest") == 0;
    if (greatest || strcmp(word, "least") == 0)
        of->greatest = greatest;
    *(strcmp(word, "split") == 0      ? &of->split_on
      : strcmp(word, "temporal") == 0 ? &of->temporal_on
      : strcmp(word, "instant") == 0  ? &of->instant_on
      : strcmp(word, "override") == 0 ? &of->override_on
                                      : &of->best_on) = d.position;
    array_push(&p->positions, d);
}

// Moves behind the '.' of a directive that cannot be read, or to the next line that begins at its
// margin, where something else does.
static void pass_rest(scanner *s) {
    reader *r = s->r;
    if (s->unclosed.text) {
        *r = s->unclosed;
        while (r->line == s->unclosed.line || !scanner_clause_begins(r))
            reader_step(r);
        return;
    }
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
        if (scanner_clause_begins(r))
            return;
        if (c == '.' && (r->at + 1 >= r->length || strchr(" \t\r\n%", reader_look(r, 1)))) {
            reader_step(r);
            return;
        }
        reader_step(r);
    }
}

bool directive_ahead(reader *r) {
    scanner_skip_blanks(r);
    return reader_look(r, 0) == ':' && reader_look(r, 1) == '-';
}

bool directive_read(program *p, reader *r, errors *list) {
    scanner s = {.p = p, .r = r, .list = list};
    size_t at = r->at;
    reader_step(r);
    reader_step(r);
    scanner_next(&s);
    int line = s.line, column = s.column;
    const char *word = scanner_name(&s, "a word: declare, split, temporal, ...");
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
        table_form_read(&s);
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
    if (!s.failed && s.kind != 'e' && !s.unclosed.text && s.line > s.before.line &&
        (s.column == 1 || s.kind == 'x')) {
        errors_add(list, r->file, s.before.line, s.before.column,
                   "the directive ends without a '.'");
        *r = s.before;
        return false;
    }
    if (!s.failed && s.kind != 'e')
        scanner_fail(&s, "'.' at its end");
    bool ends = s.kind == 'e' && (s.open <= 0 || !reader_goes_on(r, s.open));
    if (s.failed && (!ends || s.unclosed.text))
        pass_rest(&s);
    return !s.failed;
}
