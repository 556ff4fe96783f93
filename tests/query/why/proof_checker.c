// tests/query/why/proof_checker.c - replaying proofs, step by step.
#include "tests/query/why/proof_checker_int.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

bool refuse(replay *c, const char *format, ...) {
    if (!c->refused) {
        va_list args;
        va_start(args, format);
        vsnprintf(c->why, c->size, format, args);
        va_end(args);
    }
    c->refused = true;
    return false;
}

const char *shown(replay *c, const term *t) {
    return t ? term_text(c->a, t) : "?";
}

// ---- Values ----

bool is_arithmetic(const term *t) {
    static const char *const two[] = {"+", "-", "*", "/", "mod"};
    for (size_t i = 0; i < sizeof two / sizeof *two; i++) {
        if (term_is(t, two[i], 2))
            return true;
    }
    return term_is(t, "-", 1);
}

bool is_function(const term *t) {
    static const struct {
        const char *name;
        uint32_t arity;
    } all[] = {{"abs", 1},     {"min", 2},    {"max", 2},  {"sqrt", 1},  {"sin", 1},
               {"cos", 1},     {"tan", 1},    {"asin", 1}, {"acos", 1},  {"atan", 1},
               {"atan2", 2},   {"exp", 1},    {"log", 1},  {"pow", 2},   {"floor", 1},
               {"ceil", 1},    {"round", 1},  {"int", 1},  {"float", 1}, {"radians", 1},
               {"degrees", 1}, {"seconds", 1}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (term_is(t, all[i].name, all[i].arity))
            return true;
    }
    return is_arithmetic(t);
}

bool evaluate_number(const replay *c, const term *t, double *out) {
    double x, y = 0;
    if (term_number(t, out))
        return true;
    if (term_is_symbol(t, "pi"))
        return *out = 3.14159265358979323846, true;
    if (term_is_symbol(t, "start"))
        return *out = 0, true;
    if (term_is_symbol(t, "end"))
        return *out = c->end, true;
    if (!is_function(t) || !evaluate_number(c, t->args[0], &x) ||
        (t->arity == 2 && !evaluate_number(c, t->args[1], &y)))
        return false;
    const char *f = t->text;
    if (t->arity == 1 && strcmp(f, "-") == 0)
        *out = -x;
    else if (strcmp(f, "+") == 0)
        *out = x + y;
    else if (strcmp(f, "-") == 0)
        *out = x - y;
    else if (strcmp(f, "*") == 0)
        *out = x * y;
    else if (strcmp(f, "/") == 0)
        *out = x / y;
    else if (strcmp(f, "mod") == 0)
        *out = x - y * floor(x / y);
    else if (strcmp(f, "abs") == 0)
        *out = fabs(x);
    else if (strcmp(f, "min") == 0)
        *out = x < y ? x : y;
    else if (strcmp(f, "max") == 0)
        *out = x > y ? x : y;
    else if (strcmp(f, "sqrt") == 0)
        *out = sqrt(x);
    else if (strcmp(f, "sin") == 0)
        *out = sin(x);
    else if (strcmp(f, "cos") == 0)
        *out = cos(x);
    else if (strcmp(f, "tan") == 0)
        *out = tan(x);
    else if (strcmp(f, "asin") == 0)
        *out = asin(x);
    else if (strcmp(f, "acos") == 0)
        *out = acos(x);
    else if (strcmp(f, "atan") == 0)
        *out = atan(x);
    else if (strcmp(f, "atan2") == 0)
        *out = atan2(x, y);
    else if (strcmp(f, "exp") == 0)
        *out = exp(x);
    else if (strcmp(f, "log") == 0)
        *out = log(x);
    else if (strcmp(f, "pow") == 0)
        *out = pow(x, y);
    else if (strcmp(f, "floor") == 0)
        *out = floor(x);
    else if (strcmp(f, "ceil") == 0)
        *out = ceil(x);
    else if (strcmp(f, "round") == 0)
        *out = round(x);
    else if (strcmp(f, "int") == 0)
        *out = trunc(x);
    else if (strcmp(f, "radians") == 0)
        *out = x * 3.14159265358979323846 / 180;
    else if (strcmp(f, "degrees") == 0)
        *out = x * 180 / 3.14159265358979323846;
    else
        *out = x; // float, seconds
    return isfinite(*out);
}

// Numbers of seconds are exact to the nanosecond, other numbers to what doubles give.
bool nearly(double a, double b) {
    double size = fmax(fabs(a), fabs(b));
    return fabs(a - b) <= 1.2e-9 + 1e-12 * size;
}

bool same_value(const replay *c, const term *a, const term *b) {
    double x, y;
    if (a->kind == TERM_INT && b->kind == TERM_INT)
        return a->integer == b->integer;
    if (evaluate_number(c, a, &x) && evaluate_number(c, b, &y))
        return nearly(x, y);
    if (a->kind != TERM_COMPOUND || b->kind != TERM_COMPOUND)
        return term_equal(a, b);
    if (a->arity != b->arity || strcmp(a->text, b->text) != 0)
        return false;
    for (uint32_t i = 0; i < a->arity; i++) {
        if (!same_value(c, a->args[i], b->args[i]))
            return false;
    }
    return true;
}

// A number that a rule writes where a column holds instants stands for all that round to it.
static bool rounds_to(const term *written, double x) {
    double w;
    return term_number(written, &w) && fabs(w - x) <= 0.0005;
}

// ---- Bindings ----

const term *value_of(const replay *c, const char *name) {
    for (size_t i = c->bound.count; i > 0; i--) {
        if (strcmp(c->bound.items[i - 1].name, name) == 0)
            return c->bound.items[i - 1].value;
    }
    return NULL;
}

static const term *lookup(void *context, const char *name) {
    return value_of(context, name);
}

const term *filled(replay *c, const term *t) {
    return term_substitute(c->a, t, lookup, c);
}

static bool holds_braces(const term *t) {
    if (term_is(t, "{}", 3))
        return true;
    for (uint32_t i = 0; t->kind == TERM_COMPOUND && i < t->arity; i++) {
        if (holds_braces(t->args[i]))
            return true;
    }
    return false;
}

bool has_braces(const term *t) {
    return holds_braces(t);
}

void later(replay *c, const term *pattern, const term *value) {
    array_push(&c->later, (owed){pattern, value});
}

// Matches what a rule writes with what a proof shows: variables bind, arithmetic is checked once
// all is bound. In what is shown `_` stands for what nothing binds.
bool fits(replay *c, const term *pattern, const term *value) {
    double x;
    if (pattern->kind == TERM_VAR) {
        if (term_is_anonymous(pattern))
            return true;
        const term *known = value_of(c, pattern->text);
        if (known)
            return value->kind == TERM_VAR ? term_equal(known, value) || known->kind == TERM_VAR
                                           : same_value(c, known, value);
        array_push(&c->bound, (binding){pattern->text, value});
        return true;
    }
    if (value->kind == TERM_VAR && value->text[0] == '_')
        return false;
    if (!c->raw && (is_arithmetic(pattern) || has_braces(pattern))) {
        later(c, pattern, value);
        return true;
    }
    if (term_number(pattern, &x) || pattern->kind == TERM_SYMBOL) {
        double y;
        if (same_value(c, pattern, value))
            return true;
        return term_number(value, &y) && rounds_to(pattern, y);
    }
    if (pattern->kind != TERM_COMPOUND)
        return term_equal(pattern, value);
    if (value->kind != TERM_COMPOUND || value->arity != pattern->arity ||
        strcmp(value->text, pattern->text) != 0)
        return false;
    for (uint32_t i = 0; i < value->arity; i++) {
        if (!fits(c, pattern->args[i], value->args[i]))
            return false;
    }
    return true;
}

// ---- Rules as texts ----

// Where the text goes on behind a directive.
static size_t directive_end(const char *text, size_t at) {
    for (char quote = 0; text[at]; at++) {
        if (quote) {
            at += text[at] == '\\' && text[at + 1];
            quote = text[at] == quote ? 0 : quote;
        } else if (text[at] == '"' || text[at] == '\'') {
            quote = text[at];
        } else if (text[at] == '%') {
            while (text[at + 1] && text[at + 1] != '\n')
                at++;
        } else if (text[at] == '.' && (!text[at + 1] || strchr(" \t\r\n%", text[at + 1]))) {
            return at + 1;
        }
    }
    return at;
}

static void note_directive(replay *c, const char *text, size_t length) {
    char *copy = arena_copy(c->a, text, length), name[200], functor[200];
    unsigned n;
    for (char *s = copy; *s; s++)
        *s = *s == '\n' ? ' ' : *s;
    note one = {0};
    if (sscanf(copy, ":- split %199s on %u", name, &n) == 2)
        one.kind = 's';
    else if (sscanf(copy, ":- temporal %199s on %u", name, &n) == 2)
        one.kind = 't';
    else if (sscanf(copy, ":- instant %199s on %u", name, &n) == 2)
        one.kind = 'i';
    else if (sscanf(copy, ":- least %199s on %u", name, &n) == 2)
        one.kind = 'l';
    else if (sscanf(copy, ":- greatest %199s on %u", name, &n) == 2)
        one.kind = 'g';
    else if (sscanf(copy, ":- agent_optional %199[^/ ]/%u", name, &n) == 2)
        one.kind = 'a';
    else if (sscanf(copy, ":- pointwise %199[^( ](%199[^/ ]/%u)", name, functor, &n) == 3)
        one.kind = 'p', one.functor = arena_strdup(c->a, functor);
    else
        return;
    one.name = arena_strdup(c->a, name);
    one.n = n;
    array_push(&c->notes, one);
}

uint32_t noted(const replay *c, char kind, const char *name, const char *functor, uint32_t arity) {
    for (size_t i = 0; i < c->notes.count; i++) {
        const note *n = &c->notes.items[i];
        if (n->kind == kind && strcmp(n->name, name) == 0 &&
            (kind != 'p' || (functor && strcmp(n->functor, functor) == 0 && n->n == arity)))
            return kind == 'p' ? 1 : n->n;
    }
    return 0;
}

static bool read_rules(replay *c, const proof_rules *r) {
    reader in;
    reader_init(&in, c->a, r->file, r->text, strlen(r->text), 1, 1);
    for (;;) {
        // Blanks and comments, to see whether a directive stands ahead.
        reader ahead = in;
        size_t at = in.at;
        for (;;) {
            while (at < in.length && strchr(" \t\r\n", r->text[at]))
                at++;
            if (r->text[at] == '%') {
                while (at < in.length && r->text[at] != '\n')
                    at++;
            } else if (r->text[at] == '/' && r->text[at + 1] == '*') {
                const char *end = strstr(r->text + at, "*/");
                at = end ? (size_t)(end - r->text) + 2 : in.length;
            } else {
                break;
            }
        }
        if (at + 1 < in.length && r->text[at] == ':' && r->text[at + 1] == '-') {
            size_t end = directive_end(r->text, at);
            note_directive(c, r->text + at, end - at);
            for (size_t i = in.at; i < end; i++) {
                in.line += r->text[i] == '\n';
                in.column = r->text[i] == '\n' ? 1 : in.column + 1;
            }
            in.at = end;
            continue;
        }
        const term *t;
        error err = {0};
        in = ahead;
        if (reader_clause(&in, &t, &err) != OK)
            return refuse(c, "%s:%d: %s", r->file, err.line, err.text);
        if (!t)
            return true;
        bool ruled = term_is(t, ":-", 2);
        stated s = {r->file, ruled ? t->args[0] : t, ruled ? t->args[1] : NULL};
        array_push(&c->clauses, s);
    }
}

// ---- The whole ----

// The episode in which a step is said to hold.
static bool enter_episode(replay *c, const step_read *s) {
    int64_t episode = c->w->episode;
    for (const step_read *up = s->above; up && episode == c->w->episode; up = up->above) {
        if (strcmp(up->kind, "episode") == 0)
            episode = (int64_t)json_number_of(up->j, "episode");
    }
    c->other = episode != c->w->episode;
    c->episode = episode;
    c->end = c->w->end;
    sqlite3_stmt *stmt = NULL;
    if (!c->other)
        return true;
    bool found = sqlite3_prepare_v2(c->db, "SELECT end_ns FROM episode WHERE id = ?1", -1, &stmt,
                                    NULL) == SQLITE_OK &&
                 sqlite3_bind_int64(stmt, 1, episode) == SQLITE_OK &&
                 sqlite3_step(stmt) == SQLITE_ROW;
    c->end = found ? (double)sqlite3_column_int64(stmt, 0) * 1e-9 : 0;
    sqlite3_finalize(stmt);
    return found || refuse(c, "the log has no episode %lld", (long long)episode);
}

// Terms of all steps, in order; a step's own number is its place.
static bool read_steps(replay *c, json *j) {
    size_t number = 0;
    const json *kind = json_get(j, "kind"), *what = json_get(j, "what");
    step_read *s = arena_alloc(c->a, sizeof *s);
    s->j = j;
    if (!kind || kind->kind != '"' || !what || what->kind != '"')
        return refuse(c, "a step without kind or what");
    error err = {0};
    if (term_parse(c->a, "proof", what->text, strlen(what->text), 1, 1, &s->what, &err) != OK)
        return refuse(c, "'%s' is no term: %s", what->text, err.text);
    array_push(&c->steps, s);
    s->kind = kind->text;
    s->order = c->steps.count;
    bool numbered = strcmp(s->kind, "seen") != 0 && strcmp(s->kind, "cut") != 0;
    number = numbered ? ++c->numbered : 0;
    if (numbered && json_number_of(j, "step") != (double)number)
        return refuse(c, "step %zu has the number %g", number, json_number_of(j, "step"));
    s->number = number;
    const json *parts = json_get(j, "parts");
    s->count = parts ? parts->count : 0;
    s->parts = arena_alloc(c->a, (s->count + 1) * sizeof *s->parts);
    for (size_t i = 0; i < s->count; i++) {
        size_t at = c->steps.count;
        if (!read_steps(c, parts->items[i]))
            return false;
        s->parts[i] = c->steps.items[at];
        s->parts[i]->above = s;
    }
    return true;
}

bool proof_replay(const proof_world *w, const char *text, char *why, size_t size) {
    replay c = {.w = w, .why = why, .size = size, .a = arena_create()};
    c.episode = w->episode;
    why[0] = 0;
    json *all = json_parse(c.a, text);
    bool ok = all && all->kind == '[' ? true : refuse(&c, "this is no JSON of proofs");
    if (ok && w->log && sqlite3_open_v2(w->log, &c.db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
        ok = refuse(&c, "%s cannot be opened", w->log);
    for (size_t i = 0; i < w->rule_count && ok; i++)
        ok = read_rules(&c, &w->rules[i]);
    for (size_t i = 0; ok && i < all->count; i++) {
        c.steps.count = 0;
        c.numbered = 0;
        ok = read_steps(&c, all->items[i]);
        for (size_t k = 0; k < c.steps.count && ok; k++) {
            c.bound.count = 0;
            c.later.count = 0;
            ok = enter_episode(&c, c.steps.items[k]) && replay_step(&c, c.steps.items[k]);
        }
    }
    if (!ok && !why[0])
        snprintf(why, size, "refused");
    sqlite3_close(c.db);
    array_finish(&c.notes);
    array_finish(&c.clauses);
    array_finish(&c.steps);
    array_finish(&c.bound);
    array_finish(&c.later);
    arena_destroy(c.a);
    return ok;
}
