// query/directive.c - what stands behind `:-`: declare, split, temporal, instant, and their like.
#include <stdio.h>
#include "query/program.h"

typedef struct scanner {
    program *p;
    reader *r;
    errors *list;
    char kind; // n name, i integer, s string, e end of the clause, x end of the text, or a sign
    char text[256];
    int line, column; // of the present token
    bool failed;
} scanner;

static char look(const reader *r, size_t ahead) {
    return r->at + ahead < r->length ? r->text[r->at + ahead] : 0;
}

static void step(reader *r) {
    if (r->at >= r->length)
        return;
    if (r->text[r->at++] == '\n') {
        r->line++;
        r->column = 1;
    } else {
        r->column++;
    }
}

static void skip_blanks(reader *r) {
    for (;;) {
        char c = look(r, 0);
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            step(r);
        } else if (c == '%') {
            while (r->at < r->length && look(r, 0) != '\n')
                step(r);
        } else if (c == '/' && look(r, 1) == '*') {
            // An open comment is left for the reader, which says so.
            reader saved = *r;
            step(r);
            step(r);
            while (r->at < r->length && !(look(r, 0) == '*' && look(r, 1) == '/'))
                step(r);
            if (r->at >= r->length) {
                *r = saved;
                return;
            }
            step(r);
            step(r);
        } else {
            return;
        }
    }
}

static bool in_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void next(scanner *s) {
    skip_blanks(s->r);
    s->line = s->r->line;
    s->column = s->r->column;
    char c = look(s->r, 0);
    size_t n = 0;
    if (s->r->at >= s->r->length) {
        s->kind = 'x';
    } else if (c >= '0' && c <= '9') {
        s->kind = 'i';
        while (look(s->r, 0) >= '0' && look(s->r, 0) <= '9') {
            if (n + 1 < sizeof s->text)
                s->text[n++] = look(s->r, 0);
            step(s->r);
        }
    } else if (in_name(c)) {
        s->kind = 'n';
        while (in_name(look(s->r, 0))) {
            if (n + 1 < sizeof s->text)
                s->text[n++] = look(s->r, 0);
            step(s->r);
        }
    } else if (c == '"') {
        s->kind = 's';
        step(s->r);
        while (s->r->at < s->r->length && look(s->r, 0) != '"')
            step(s->r);
        step(s->r);
    } else {
        s->kind = c == '.' ? 'e' : c;
        step(s->r);
    }
    s->text[n] = 0;
}

static void fail(scanner *s, const char *expected) {
    if (!s->failed)
        errors_add(s->list, s->r->file, s->line, s->column, "a directive expects %s here",
                   expected);
    s->failed = true;
}

static const char *take_name(scanner *s, const char *what) {
    if (s->kind != 'n') {
        fail(s, what);
        return "";
    }
    const char *name = arena_strdup(s->p->texts, s->text);
    next(s);
    return name;
}

static uint32_t take_number(scanner *s) {
    if (s->kind != 'i' || strlen(s->text) > 3) {
        fail(s, "a number");
        return 0;
    }
    uint32_t n = (uint32_t)strtoul(s->text, NULL, 10);
    next(s);
    return n;
}

static bool take(scanner *s, char kind, const char *expected) {
    if (s->kind != kind) {
        fail(s, expected);
        return false;
    }
    next(s);
    return true;
}

// `name on N`
static const char *take_position(scanner *s, uint32_t *position) {
    const char *name = take_name(s, "the name of a predicate");
    if (s->kind != 'n' || strcmp(s->text, "on") != 0)
        fail(s, "'on' and the position of an argument");
    next(s);
    int line = s->line, column = s->column;
    *position = take_number(s);
    if (!s->failed && (*position == 0 || *position > RELATION_ARITY_MOST)) {
        errors_add(s->list, s->r->file, line, column, "positions of arguments count from 1");
        s->failed = true;
    }
    return name;
}

// `name/arity`, or `name(functor/arity)`
static mark take_mark(scanner *s) {
    mark m = {.name = take_name(s, "the name of a predicate")};
    bool inner = s->kind == '(';
    if (inner) {
        next(s);
        m.functor = take_name(s, "a functor");
    }
    take(s, '/', "'/' and an arity");
    m.arity = take_number(s);
    if (inner)
        take(s, ')', "')'");
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

// Passes the arguments of an occasion, as in holds_w(on(top: object, bottom: object), time: time).
static void skip_inner(scanner *s) {
    do {
        next(s);
        take_name(s, "the name of an argument");
        if (s->kind == ':') {
            next(s);
            take_name(s, "a type");
        }
    } while (s->kind == ',' && !s->failed);
    take(s, ')', "')' or ','");
}

static void read_declare(scanner *s) {
    declaration d = {.file = s->r->file, .line = s->line, .column = s->column};
    const char *names[RELATION_ARITY_MOST], *types[RELATION_ARITY_MOST];
    size_t from = s->r->at - strlen(s->text);
    d.name = take_name(s, "the name of a predicate");
    if (s->kind == '(') {
        do {
            next(s);
            if (d.arity == RELATION_ARITY_MOST) {
                fail(s, "at most 31 arguments");
                return;
            }
            names[d.arity] = take_name(s, "the name of an argument");
            types[d.arity] = "any";
            if (s->kind == '(')
                skip_inner(s);
            if (s->kind == ':') {
                next(s);
                types[d.arity] = take_name(s, "a type");
            }
            d.arity++;
        } while (s->kind == ',' && !s->failed);
        take(s, ')', "')' or ','");
    }
    size_t to = s->r->at;
    while (to > from && s->r->text[to - 1] != ')')
        to--;
    d.text = to > from ? arena_copy(s->p->texts, s->r->text + from, to - from) : d.name;
    d.arg_names = arena_alloc(s->p->texts, (d.arity + 1) * sizeof *d.arg_names);
    d.arg_types = arena_alloc(s->p->texts, (d.arity + 1) * sizeof *d.arg_types);
    for (uint32_t i = 0; i < d.arity; i++) {
        d.arg_names[i] = names[i];
        d.arg_types[i] = types[i];
    }
    d.doc = "";
    if (s->kind == 's') {
        // Back to the quote that opened it.
        size_t close = s->r->at - 1, open = close;
        while (open > 0 && s->r->text[open - 1] != '"')
            open--;
        d.doc = take_doc(s, open > 0 ? open - 1 : 0);
        next(s);
    }
    if (!s->failed)
        array_push(&s->p->declarations, d);
}

bool directive_ahead(reader *r) {
    skip_blanks(r);
    return look(r, 0) == ':' && look(r, 1) == '-';
}

bool directive_read(program *p, reader *r, errors *list) {
    scanner s = {.p = p, .r = r, .list = list};
    step(r);
    step(r);
    next(&s);
    int line = s.line, column = s.column;
    const char *word = take_name(&s, "a word: declare, split, temporal, ...");
    uint32_t position = 0;
    static const char *const words[] = {"declare",  "split",     "temporal",       "instant",
                                        "override", "on_demand", "agent_optional", "pointwise"};
    if (s.failed) {
        // nothing more to say
    } else if (strcmp(word, "declare") == 0) {
        read_declare(&s);
    } else if (strcmp(word, "split") == 0) {
        const char *name = take_position(&s, &position);
        program_shape(p, name, true)->split_on = position;
    } else if (strcmp(word, "temporal") == 0) {
        const char *name = take_position(&s, &position);
        program_shape(p, name, true)->temporal_on = position;
    } else if (strcmp(word, "instant") == 0) {
        const char *name = take_position(&s, &position);
        program_shape(p, name, true)->instant_on = position;
    } else if (strcmp(word, "override") == 0) {
        const char *name = take_position(&s, &position);
        program_shape(p, name, true)->override_on = position;
    } else if (strcmp(word, "agent_optional") == 0) {
        mark m = take_mark(&s);
        if (!s.failed)
            program_shape(p, m.name, true)->agent_arity = m.arity;
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
    if (!s.failed && s.kind != 'e')
        fail(&s, "'.' at its end");
    while (s.kind != 'e' && s.kind != 'x')
        next(&s);
    return !s.failed;
}
