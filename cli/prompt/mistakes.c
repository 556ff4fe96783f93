// cli/prompt/mistakes.c - prints mistakes, with the place where they were typed.
#include <stdarg.h>
#include <string.h>

#include "base/utf8.h"
#include "cli/prompt/repl_int.h"
#include "cli/prompt/table.h"
#include "cli/prompt/terminal.h"

static void put_style(const repl *r, const char *code) {
    if (r->notes_coloured)
        fprintf(stderr, "\033[%sm", code);
}

void repl_note(repl *r, const char *format, ...) {
    va_list values;
    va_start(values, format);
    fflush(stdout);
    put_style(r, "2");
    cli_vprint(stderr, format, values);
    put_style(r, "0");
    fputs("\n", stderr);
    va_end(values);
}

// Prints "place: error: sentence".
static void print_sentence(repl *r, const char *place, const char *kind, const char *sentence) {
    fflush(stdout);
    cli_print(stderr, "%s", place);
    put_style(r, strcmp(kind, "error") == 0 ? "31" : "33");
    cli_print(stderr, "%s:", kind);
    put_style(r, "0");
    char shown[1024];
    snprintf(shown, sizeof shown, "%s", sentence);
    text_make_printable(shown);
    cli_print(stderr, " %s\n", shown);
}

// Writes a place in an input as "stdin:line:column: ".
static void place_of(const repl *r, const input *in, size_t at, char *into, size_t size) {
    int line, column;
    repl_line_and_column(r->text, (size_t)(in->text - r->text) + at, &line, &column);
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
    print_sentence(r, place, "error", sentence);
    return EXIT_WRONG;
}

// Prints the line of `text` around `at` with a caret under that place; of a long line only the part
// around it.
static void show_place(const char *text, size_t length, size_t at) {
    size_t from = at, to = at;
    while (from > 0 && text[from - 1] != '\n')
        from--;
    while (to < length && text[to] != '\n' && text[to] != '\r')
        to++;
    size_t width = (size_t)repl_screen_width() - 4, before = 0;
    if (width > 120)
        width = 120;
    if (at - from > width * 2 / 3) {
        before = 3;
        from = at - width * 2 / 3 + before;
        while (from < at && utf8_continues(text[from]))
            from++;
    }
    if (to - from > width - before) {
        to = from + width - before;
        while (to > at && utf8_continues(text[to]))
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

int repl_no_memory(repl *r, const input *in) {
    repl_wrong(r, in, "no memory is left");
    return EXIT_NONE;
}

// Returns the offset of a line and column, both from 1, in a text.
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

// Prints one mistake. If its place was typed, also prints a caret there, sets *at to it and returns
// true.
static bool print_mistake(repl *r, const char *kind, const foresee_mistake *one, const input *in,
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
        print_sentence(r, where, kind, one->text);
        return false;
    }
    ptrdiff_t place = (ptrdiff_t)offset_of(g->text, one->line, one->column) + g->shift;
    *at = place < 0 ? 0 : (size_t)place > in->length ? in->length : (size_t)place;
    if (!r->terminal)
        place_of(r, in, *at, where, sizeof where);
    print_sentence(r, where, kind, one->text);
    show_place(in->text, in->length, *at);
    return true;
}

int repl_mistakes(repl *r, foresee *f, int code, const input *in, const given *g) {
    foresee_mistake one;
    size_t at;
    for (size_t i = 0; foresee_mistake_at(f, i, &one); i++) {
        if (print_mistake(r, "error", &one, in, g, &at) && r->terminal && !r->told_of_up) {
            repl_note(r, "Up brings the clause back");
            r->told_of_up = true;
        }
    }
    return session_exit(code);
}

void repl_query_notes(repl *r, foresee_query *q, const input *in, const given *g) {
    foresee_mistake one;
    size_t at;
    for (size_t i = 0; foresee_note_at(q, i, &one); i++)
        print_mistake(r, "note", &one, in, g, &at);
}

void repl_warnings(repl *r, foresee *f, const input *in, const given *g) {
    foresee_mistake one;
    size_t at;
    for (size_t i = 0; foresee_warning_at(f, i, &one); i++)
        if (one.file && strcmp(one.file, g->name) == 0)
            print_mistake(r, "warning", &one, in, g, &at);
}

int repl_stopped(repl *r, const input *in, double ran) {
    if (r->terminal)
        repl_note(r, "stopped after %.2f s", ran);
    else
        repl_wrong(r, in, "interrupted after %.2f s", ran);
    return EXIT_INTERRUPTED;
}
