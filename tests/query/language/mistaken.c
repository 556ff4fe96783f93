// tests/query/language/mistaken.c - the sessions that mistaken.h describes.
#include "tests/query/language/mistaken.h"

#include "base/files/files.h"
#include "base/text/text.h"
#include "query/rule_files.h"

// ---- Draws ----

void mistaken_seed(mistaken *m, uint64_t seed) {
    m->state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
}

uint32_t mistaken_draw(mistaken *m, uint32_t below) {
    m->state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t x = m->state;
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)((x ^ x >> 31) % below);
}

// ---- What was written ----

static void take_term(mistaken *m, const char *text, size_t length) {
    const term *t = NULL;
    if (term_parse(m->arena, "", text, length, 1, 1, &t, NULL) == OK && t->kind == TERM_COMPOUND)
        array_push(&m->written, t);
}

// All that stands between two of these marks, where it is a term.
static void take_quoted(mistaken *m, const char *text, char mark) {
    for (const char *c = strchr(text, mark); c; c = strchr(c, mark)) {
        const char *end = strchr(++c, mark);
        if (!end)
            return;
        take_term(m, c, (size_t)(end - c));
        c = end + 1;
    }
}

static void take_clauses(mistaken *m, const char *text, size_t length) {
    reader r;
    reader_init(&r, m->arena, "", text, length, 1, 1);
    for (;;) {
        const term *t = NULL;
        error err = {0};
        status s = reader_clause(&r, &t, &err);
        if (s == OK && !t)
            return;
        if (s == OK && t->kind == TERM_COMPOUND)
            array_push(&m->written, t);
    }
}

static void take_file(mistaken *m, const char *path, char mark) {
    char *text = NULL;
    size_t length = 0;
    error err = {0};
    ASSERT(file_read(path, &text, &length, &err) == OK);
    take_quoted(m, text, mark);
    if (mark == '"')
        take_clauses(m, text, length);
    for (const char *block = mark == '`' ? strstr(text, "```") : NULL; block;) {
        const char *begin = block + strcspn(block, "\n"), *end = strstr(begin, "```");
        if (!end)
            break;
        take_clauses(m, begin, (size_t)(end - begin));
        block = strstr(end + 3, "```");
    }
    free(text);
}

void mistaken_open(mistaken *m) {
    *m = (mistaken){.arena = arena_create()};
    rule_files files = {0};
    error err = {0};
    ASSERT(rule_files_list(m->arena, FORESEE_SOURCE_DIR "/predicates", &files, &err) == OK);
    for (size_t i = 0; i < files.count; i++)
        take_file(m, files.items[i], '"');
    array_finish(&files);
    take_file(m, FORESEE_SOURCE_DIR "/docs/query.md", '`');
    take_file(m, FORESEE_SOURCE_DIR "/docs/predicates.md", '`');
    ASSERT(m->written.count > 500);
}

void mistaken_close(mistaken *m) {
    array_finish(&m->written);
    arena_destroy(m->arena);
}

// ---- Mistakes ----

static const term *any_written(mistaken *m) {
    return m->written.items[mistaken_draw(m, (uint32_t)m->written.count)];
}

// A part of something that was written.
static const term *any_part(mistaken *m) {
    const term *t = any_written(m);
    while (t->kind == TERM_COMPOUND && mistaken_draw(m, 4) > 0)
        t = t->args[mistaken_draw(m, t->arity)];
    return t;
}

static const term *any_goal(mistaken *m) {
    const term *t = any_written(m);
    if (term_is(t, ":-", 2))
        t = t->args[mistaken_draw(m, 4) == 0 ? 0 : 1];
    while ((term_is(t, ",", 2) || term_is(t, ";", 2) || term_is(t, ":-", 1)) &&
           mistaken_draw(m, 5) > 0)
        t = t->args[mistaken_draw(m, t->arity)];
    return t;
}

static const term *made(mistaken *m, const char *functor, const term *a, const term *b) {
    const term *args[2] = {a, b};
    return term_compound(m->arena, functor, b ? 2 : 1, args);
}

static const char *const NAMES[] = {
    "nosuch",    "foo",     "cup",      "robot",       "holds_w", "holds_b",  "occurs_w",
    "goal_door", "on",      "spill",    "interval",    "at",      "flaw",     "pick_up",
    "task",      "start",   "end",      "none",        "object",  "contact",  "episode",
    "why",       "query$1", "not$1",    "holds_w$any", "[]",      "a b",      "\xed\xa0\x80",
    "p/1|f",     "signal",  "distance", "speed",       "and",     "x\033[2J", "q'q"};
static const char *const VARIABLES[] = {"X", "Y", "S", "E", "_", "_A", "_#a0", "T", "_$1"};

static const char *any_name(mistaken *m) {
    if (mistaken_draw(m, 60) > 0)
        return NAMES[mistaken_draw(m, sizeof NAMES / sizeof *NAMES)];
    size_t n = 200 + mistaken_draw(m, 200);
    char *name = arena_alloc(m->arena, n + 1);
    memset(name, 'n', n);
    return name;
}

static const term *any_value(mistaken *m) {
    static const int64_t whole[] = {
        0, 1, -1, INT64_MAX, INT64_MIN, 1000000000, 2305843009213693952};
    static const double real[] = {0.5, -0.0, 1e308, -1e308, 1e-320, 9.2e9, 3.0};
    switch (mistaken_draw(m, 11)) {
    case 0:
        return term_int(m->arena, whole[mistaken_draw(m, 7)]);
    case 1:
        return term_float(m->arena, real[mistaken_draw(m, 7)]);
    case 2:
        return term_string(m->arena, any_name(m));
    case 3:
    case 4:
        return term_var(m->arena, VARIABLES[mistaken_draw(m, 9)]);
    case 5:
        return made(m, "interval", term_var(m->arena, "S"), term_var(m->arena, "E"));
    case 6:
        return made(m, mistaken_draw(m, 2) ? "throughout" : "during", any_part(m), any_part(m));
    case 7: {
        const term *items[2] = {any_part(m), any_part(m)};
        return term_list(m->arena, items, mistaken_draw(m, 3),
                         mistaken_draw(m, 2) ? any_part(m) : NULL);
    }
    case 8:
        return any_part(m);
    case 9: {
        const term *deep = term_var(m->arena, "X");
        const char *name = any_name(m);
        for (uint32_t n = mistaken_draw(m, 20) ? 3 : 190; n > 0; n--)
            deep = made(m, name, deep, NULL);
        return deep;
    }
    default:
        return term_symbol(m->arena, any_name(m));
    }
}

// One argument more or less, two swapped, or another name.
static const term *reshaped(mistaken *m, const term *t) {
    uint32_t n = t->arity, how = mistaken_draw(m, 6);
    const term **args = arena_alloc(m->arena, (n + 40) * sizeof *args);
    for (uint32_t i = 0; i < n; i++)
        args[i] = t->args[i];
    const char *name = t->text;
    uint32_t at = mistaken_draw(m, n), other = mistaken_draw(m, n);
    if (how == 0) {
        args[at] = t->args[other];
        args[other] = t->args[at];
    } else if (how == 1) {
        for (uint32_t i = at; i + 1 < n; i++)
            args[i] = args[i + 1];
        n--;
    } else if (how == 2) {
        for (uint32_t more = mistaken_draw(m, 12) ? 1 : 35; more > 0; more--)
            args[n++] = any_value(m);
    } else if (how == 3) {
        name = any_name(m);
    } else if (how == 4 && name[0] && name[1]) {
        name = arena_strdup(m->arena, name + 1);
    } else {
        args[at] = made(m, any_name(m), args[at], NULL);
    }
    return n == 0 ? term_symbol(m->arena, name) : term_compound(m->arena, name, n, args);
}

static const term *mistake(mistaken *m, const term *t) {
    if (t->kind == TERM_COMPOUND && mistaken_draw(m, 4) > 0) {
        const term **args = arena_alloc(m->arena, t->arity * sizeof *args);
        uint32_t at = mistaken_draw(m, t->arity);
        for (uint32_t i = 0; i < t->arity; i++)
            args[i] = i == at ? mistake(m, t->args[i]) : t->args[i];
        return term_compound(m->arena, t->text, t->arity, args);
    }
    if (t->kind == TERM_COMPOUND && mistaken_draw(m, 3) > 0)
        return reshaped(m, t);
    switch (mistaken_draw(m, 8)) {
    case 0:
        return made(m, "not", t, NULL);
    case 1: {
        const term *args[3] = {term_symbol(m->arena, mistaken_draw(m, 2) ? "count" : "list"),
                               any_part(m), t};
        return term_compound(m->arena, "{}", 3, args);
    }
    case 2:
        return made(m, ";", t, any_goal(m));
    case 3:
        return made(m, "in_episode", term_var(m->arena, "X"), t);
    default:
        return any_value(m);
    }
}

static const term *mistaken_term(mistaken *m, const term *t) {
    for (uint32_t n = mistaken_draw(m, 4); n > 0; n--)
        t = mistake(m, t);
    return t;
}

const char *mistaken_goal(mistaken *m) {
    const term *t = mistaken_term(m, any_goal(m));
    if (mistaken_draw(m, 4) == 0)
        t = made(m, ",", t, mistaken_term(m, any_goal(m)));
    return term_text(m->arena, t);
}

const char *mistaken_fact(mistaken *m) {
    const term *t = any_written(m);
    return term_text(m->arena, mistaken_term(m, term_is(t, ":-", 2) ? t->args[0] : t));
}

const char *mistaken_rules(mistaken *m) {
    text_buffer out = {0};
    for (uint32_t n = 1 + mistaken_draw(m, 3); n > 0; n--) {
        const term *t = any_written(m);
        if (!term_is(t, ":-", 2) || mistaken_draw(m, 2)) {
            const char *name = arena_format(m->arena, "r%u", mistaken_draw(m, 4));
            const term *head =
                made(m, name, term_var(m->arena, mistaken_draw(m, 2) ? "X" : "_A"), NULL);
            const term *body = mistaken_draw(m, 3)
                                   ? any_goal(m)
                                   : made(m, arena_format(m->arena, "r%u", mistaken_draw(m, 4)),
                                          term_var(m->arena, "X"), NULL);
            t = made(m, ":-", head, body);
        }
        text_add(&out, "%s.\n", term_text(m->arena, mistaken_term(m, t)));
    }
    const char *text = arena_format(m->arena, "%.*s", (int)out.count, out.items);
    array_finish(&out);
    return text;
}
