// cli/repl_ask.c - what is typed, put to the log: queries and reasons; and what is said of
// mistakes.
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/term.h"
#include "cli/repl_int.h"

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

// FORESEE_OK; FORESEE_MEMORY: not all are printed.
static int print_answers(repl *r, const char *text, foresee_query **queries) {
    session *s = r->s;
    int code = FORESEE_OK;
    if (r->paged && r->terminal && s->form == FORM_TABLE) {
        code = table_show(r, queries, s->count);
    } else {
        answers_wanted wanted = {text, queries, s->episodes, s->count, s->many, repl_interrupted};
        code = answers_write(s->form, &wanted, stdout);
        // The terminal is there still, after a write that Ctrl-C ended.
        if (code == FORESEE_INTERRUPTED && r->terminal)
            clearerr(stdout);
    }
    if (!r->terminal)
        cli_flush();
    return code;
}

static void print_costs(repl *r, foresee_query **queries, double printing) {
    session *s = r->s;
    text_buffer out = {0};
    if (s->planned)
        session_put_plans(s, queries, &out);
    if (s->timed)
        answers_time(queries, s->count, 0, printing, &out);
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
    foresee_query **queries = mem_must(s->count + 1, sizeof *queries);
    int code = FORESEE_OK;
    size_t at = 0;
    double ran = 0;
    for (; code == FORESEE_OK && at < s->count; at++) {
        repl_begin(r, s->logs[at]);
        code = foresee_prepare(s->logs[at], text, &queries[at]);
        if (code == FORESEE_OK)
            code = foresee_step(queries[at]);
        if (code == FORESEE_ROW || code == FORESEE_DONE)
            code = FORESEE_OK;
        ran += repl_end(r);
    }
    int result;
    if (code == FORESEE_OK) {
        double began = session_clock();
        size_t rows = 0;
        for (size_t i = 0; i < s->count; i++)
            rows += foresee_row_count(queries[i]);
        code = print_answers(r, text, queries);
        print_costs(r, queries, session_clock() - began);
        result = rows > 0 ? EXIT_YES : EXIT_NO;
        if (code == FORESEE_INTERRUPTED)
            result = EXIT_INTERRUPTED;
        else if (code != FORESEE_OK)
            result = repl_no_memory(r, in);
        else if (rows == 0 && s->form == FORM_TABLE)
            notes(r, queries[0], in, &(given){text, "query", 0});
    } else if (code == FORESEE_INTERRUPTED) {
        result = repl_stopped(r, in, ran);
    } else {
        result = repl_mistakes(r, s->logs[at - 1], code, in, &(given){text, "query", 0});
        tell_of_facts(r, text);
    }
    for (size_t i = 0; i < s->count; i++)
        foresee_finalize(queries[i]);
    free(queries);
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
    int result = EXIT_NO;
    text_buffer all = {0};
    for (size_t i = 0; i < s->count && result <= EXIT_NO; i++) {
        char *out = NULL;
        repl_begin(r, s->logs[i]);
        int code = foresee_explain(s->logs[i], goal.items,
                                   answer_form_is_json(s->form) ? "json" : "text", &out);
        double ran = repl_end(r);
        if (code == FORESEE_OK || code == FORESEE_DONE) {
            session_put_reasons(s, i, out ? out : "", &all);
            if (code == FORESEE_OK)
                result = EXIT_YES;
        } else if (code == FORESEE_INTERRUPTED) {
            result = repl_stopped(r, in, ran);
        } else {
            result = repl_mistakes(r, s->logs[i], code, in, &(given){goal.items, "query", shift});
        }
        foresee_free(out);
    }
    if (result <= EXIT_NO) {
        text_add(&all, "%c", 0);
        text_show(r, all.items);
    }
    array_finish(&all);
    array_finish(&goal);
    return result;
}
