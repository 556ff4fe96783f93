// cli/prompt/ask.c - what is typed, put to the log: queries and reasons; and what is said of
// mistakes.
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/term/term.h"
#include "cli/prompt/repl_int.h"

// ---- Saying

static void style(const repl *r, const char *code) {
    if (r->notes_coloured)
        fprintf(stderr, "\033[%sm", code);
}

void repl_note(repl *r, const char *format, ...) {
    va_list values;
    va_start(values, format);
    fflush(stdout);
    style(r, "2");
    cli_vprint(stderr, format, values);
    style(r, "0");
    fputs("\n", stderr);
    va_end(values);
}

// "place: error: sentence"
static void say(repl *r, const char *place, const char *kind, const char *sentence) {
    fflush(stdout);
    cli_print(stderr, "%s", place);
    style(r, strcmp(kind, "error") == 0 ? "31" : "33");
    cli_print(stderr, "%s:", kind);
    style(r, "0");
    char shown[1024];
    snprintf(shown, sizeof shown, "%s", sentence);
    text_make_printable(shown);
    cli_print(stderr, " %s\n", shown);
}

// "stdin:line:column: " of a place in an input.
static void place_of(const repl *r, const input *in, size_t at, char *into, size_t size) {
    int line, column;
    repl_place(r->text, (size_t)(in->text - r->text) + at, &line, &column);
    snprintf(into, size, "%s:%d:%d: ", r->origin, line, column);
}

int repl_wrong(repl *r, const input *in, const char *format, ...) {
    char place[64] = "", sentence[1024];
    va_list values;
    va_start(values, format);
    vsnprintf(sentence, sizeof sentence, format, values);
    va_end(values);
    if (!r->terminal && in)
        place_of(r, in, 0, place, sizeof place);
    say(r, place, "error", sentence);
    return EXIT_WRONG;
}

// The line of `text` around `at`, with a caret under that place; of a long one the part around it.
static void show_place(const char *text, size_t length, size_t at) {
    size_t from = at, to = at;
    while (from > 0 && text[from - 1] != '\n')
        from--;
    while (to < length && text[to] != '\n' && text[to] != '\r')
        to++;
    size_t width = (size_t)repl_width() - 4, before = 0;
    if (width > 120)
        width = 120;
    if (at - from > width * 2 / 3) {
        before = 3;
        from = at - width * 2 / 3 + before;
        while (from < at && ((unsigned char)text[from] & 0xC0) == 0x80)
            from++;
    }
    if (to - from > width - before) {
        to = from + width - before;
        while (to > at && ((unsigned char)text[to] & 0xC0) == 0x80)
            to--;
    }
    char line[160], head[160];
    snprintf(line, sizeof line, "%s%.*s", before ? "..." : "", (int)(to - from), text + from);
    snprintf(head, sizeof head, "%s%.*s", before ? "..." : "", (int)(at - from), text + from);
    for (char *c = line; *c; c++)
        *c = *c == '\t' ? ' ' : *c;
    text_make_printable(line);
    cli_print(stderr, "  %s\n  %*s^\n", line, (int)text_columns(head), "");
}

char *repl_copy(const char *text, size_t length) {
    char *copy = mem_must(length + 1, 1);
    memcpy(copy, text, length);
    return copy;
}

int repl_no_memory(repl *r, const input *in) {
    repl_wrong(r, in, "no memory is left");
    return EXIT_NONE;
}

// Where line and column, both from 1, lie in a text.
static size_t offset_of(const char *text, int line, int column) {
    const char *c = text;
    for (int i = 1; i < line && *c; i++) {
        c += strcspn(c, "\n");
        c += *c == '\n';
    }
    size_t rest = strcspn(c, "\n");
    size_t n = column > 0 ? (size_t)column - 1 : 0;
    return (size_t)(c - text) + (n < rest ? n : rest);
}

// Says one mistake, with a caret under its place where that was typed: *at is it, in the input.
static bool say_one(repl *r, const char *kind, const foresee_mistake *one, const input *in,
                    const given *g, size_t *at) {
    char where[400] = "";
    const char *file = one->file ? one->file : "";
    bool typed = one->line > 0 && (!*file || strcmp(file, g->name) == 0);
    if (!typed) {
        if (*file && one->line > 0)
            snprintf(where, sizeof where, "%s:%d:%d: ", file, one->line, one->column);
        else if (*file && strcmp(file, g->name) != 0)
            snprintf(where, sizeof where, "%s: ", file);
        else if (!r->terminal)
            place_of(r, in, 0, where, sizeof where);
        say(r, where, kind, one->text);
        return false;
    }
    ptrdiff_t place = (ptrdiff_t)offset_of(g->text, one->line, one->column) + g->shift;
    *at = place < 0 ? 0 : (size_t)place > in->length ? in->length : (size_t)place;
    if (!r->terminal)
        place_of(r, in, *at, where, sizeof where);
    say(r, where, kind, one->text);
    show_place(in->text, in->length, *at);
    return true;
}

int repl_mistakes(repl *r, foresee *f, int code, const input *in, const given *g) {
    foresee_mistake one;
    size_t at;
    for (size_t i = 0; foresee_mistake_at(f, i, &one); i++) {
        if (say_one(r, "error", &one, in, g, &at) && r->terminal && !r->again) {
            r->again = strndup(in->text, in->length);
            r->again_point = (int)at;
        }
    }
    return session_exit(code);
}

// What may be why a query has no answer; for people alone.
static void notes(repl *r, foresee_query *q, const input *in, const given *g) {
    foresee_mistake one;
    size_t at;
    for (size_t i = 0; foresee_note_at(q, i, &one); i++)
        say_one(r, "note", &one, in, g, &at);
}

void repl_warnings(repl *r, foresee *f, const input *in, const given *g) {
    foresee_mistake one;
    size_t at;
    for (size_t i = 0; foresee_warning_at(f, i, &one); i++)
        if (one.file && strcmp(one.file, g->name) == 0)
            say_one(r, "warning", &one, in, g, &at);
}

int repl_stopped(repl *r, const input *in, double ran) {
    if (r->terminal)
        repl_note(r, "stopped after %.2f s", ran);
    else
        repl_wrong(r, in, "interrupted after %.2f s", ran);
    return EXIT_INTERRUPTED;
}

// ---- Queries

// What the asking of one input needs to say something of it.
typedef struct asking {
    repl *r;
    const input *in;
    const given *g;
} asking;

static void begin_call(void *context, foresee *f) {
    repl_begin(((const asking *)context)->r, f);
}

static void end_call(void *context) {
    repl_end(((const asking *)context)->r);
}

static void warn_of_query(void *context, foresee *f) {
    const asking *a = context;
    repl_warnings(a->r, f, a->in, a->g);
}

// Why there are no answers, or no reasons.
static int failed(const asking *a, const session_asked *asked) {
    return asked->code == FORESEE_INTERRUPTED
               ? repl_stopped(a->r, a->in, asked->seconds)
               : repl_mistakes(a->r, asked->failed, asked->code, a->in, a->g);
}

// FORESEE_OK; FORESEE_MEMORY: not all are printed.
static int print_answers(repl *r, const char *text, const session_asked *a) {
    session *s = r->s;
    int code = FORESEE_OK;
    if (r->paged && r->terminal && s->form == FORM_TABLE) {
        code = table_show(r, a->queries, s->count);
    } else {
        answers_wanted wanted = {text,     a->queries, s->episodes,
                                 s->count, s->many,    repl_interrupted};
        code = answers_write(s->form, &wanted, stdout);
        // The terminal is there still, after a write that Ctrl-C ended.
        if (code == FORESEE_INTERRUPTED && r->terminal)
            clearerr(stdout);
    }
    if (!r->terminal)
        cli_flush();
    return code;
}

static void print_costs(repl *r, const session_asked *a, double printing) {
    text_buffer out = {0};
    session_put_costs(r->s, a, 0, printing, &out);
    fflush(stdout);
    if (out.count)
        cli_show(stderr, out.items, out.count);
    array_finish(&out);
}

// Who means to state something as one does in Prolog is told how it is done here.
static void tell_of_facts(repl *r, const char *text) {
    arena *a = arena_create();
    const term *t = NULL;
    foresee_mistake one;
    if (r->terminal && foresee_mistake_at(r->s->logs[0], 0, &one) &&
        strstr(one.text, "not defined") &&
        term_parse(a, "", text, strlen(text), 1, 1, &t, NULL) == OK && t->kind == TERM_COMPOUND &&
        term_ground(t) && !term_is(t, ",", 2) && !term_is(t, "not", 1))
        repl_note(r, "a fact is stated with a + before it: +%s", text);
    arena_destroy(a);
}

int repl_ask(repl *r, const input *in) {
    session *s = r->s;
    if (s->why) {
        input goal = *in;
        goal.kind = INPUT_WHY;
        return repl_why(r, &goal);
    }
    char *text = repl_copy(in->text, in->length);
    const given g = {text, "query", 0};
    asking how = {r, in, &g};
    session_guard guard = {begin_call, end_call, warn_of_query, &how};
    session_asked a = session_query(s, text, &guard);
    int result;
    if (!a.failed) {
        double began = session_clock();
        int code = print_answers(r, text, &a);
        print_costs(r, &a, session_clock() - began);
        result = a.found ? EXIT_YES : EXIT_NO;
        if (code == FORESEE_INTERRUPTED)
            result = EXIT_INTERRUPTED;
        else if (code != FORESEE_OK)
            result = repl_no_memory(r, in);
        else if (!a.found && s->form == FORM_TABLE)
            notes(r, a.queries[0], in, &g);
    } else {
        result = failed(&how, &a);
        if (a.code != FORESEE_INTERRUPTED)
            tell_of_facts(r, text);
    }
    session_asked_finish(s, &a);
    free(text);
    return result;
}

// ---- Reasons

int repl_why(repl *r, const input *in) {
    session *s = r->s;
    size_t length = in->length - in->body;
    if (length > 0 && in->text[in->length - 1] == '.')
        length--;
    text_buffer goal = {0};
    ptrdiff_t shift = (ptrdiff_t)in->body;
    if (in->kind == INPUT_WHY_NOT) {
        text_put(&goal, "not (");
        shift -= 5;
    }
    text_add(&goal, "%.*s%s", (int)length, in->text + in->body,
             in->kind == INPUT_WHY_NOT ? ")" : "");
    text_add(&goal, "%c", 0);
    const given g = {goal.items, "query", shift};
    asking how = {r, in, &g};
    session_guard guard = {begin_call, end_call, warn_of_query, &how};
    session_asked a = session_explain(s, goal.items, &guard);
    int result = a.found ? EXIT_YES : EXIT_NO;
    if (a.failed) {
        result = failed(&how, &a);
    } else {
        text_add(&a.reasons, "%c", 0);
        text_show(r, a.reasons.items);
    }
    session_asked_finish(s, &a);
    array_finish(&goal);
    return result;
}
