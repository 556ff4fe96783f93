// report/diagnosis/source.c - quotes the plan's own lines from the text that the log has of it.
#include "report/diagnosis/diagnosis_int.h"

enum { LINES_MAX = 4 };

size_t source_line(const char *text, const char **next) {
    size_t n = strcspn(text, "\n");
    *next = text[n] ? text + n + 1 : NULL;
    return n > 0 && text[n - 1] == '\r' ? n - 1 : n;
}

// Returns where the content of a line begins; the dash of a list counts as indentation.
static size_t line_indentation(const char *line, size_t length) {
    size_t n = strspn(line, " ");
    while (n + 1 < length && line[n] == '-' && line[n + 1] == ' ') {
        n++;
        n += strspn(line + n, " ");
    }
    return n < length ? n : length;
}

static bool is_blank(const char *line, size_t length) {
    size_t n = strspn(line, " \t");
    return n >= length || line[n] == '#';
}

static const char *text_of(const diagnosis *d, const char *file) {
    for (size_t i = 0; i < d->sources.count; i++)
        if (strcmp(d->sources.items[i].name, file) == 0)
            return d->sources.items[i].text;
    return NULL;
}

// Returns whether the step is written on one line: `do: { move_arm: ... }`.
static bool is_whole(const char *line, size_t length) {
    while (length > 0 && line[length - 1] == ' ')
        length--;
    const char *colon = memchr(line, ':', length);
    size_t after = colon ? (size_t)(colon - line) + 1 : length;
    return after + 1 < length && line[after] == ' ' && line[after + 1] == '{' &&
           line[length - 1] == '}';
}

bool source_quote(const diagnosis *d, const flaw_place *p, quote *out) {
    const char *text = p->file && p->line > 0 ? text_of(d, p->file) : NULL;
    const char *next = text;
    for (int64_t line = 1; text && line < p->line; line++) {
        source_line(text, &next);
        text = next;
    }
    if (!text || !*text)
        return false;
    quote q = {text, p->line, p->line, p->line, strspn(text, " ")};
    size_t width = source_line(text, &next), own = line_indentation(text, width);
    if (is_whole(text, width))
        next = NULL;
    for (int64_t line = p->line + 1; next && *next && line < p->line + LINES_MAX; line++) {
        const char *here = next;
        size_t length = source_line(here, &next), blanks = strspn(here, " ");
        // Lines below the step's first key belong to it, deeper ones as well, but not the steps
        // inside it.
        if (is_blank(here, length) || blanks < own || here[blanks] == '-')
            break;
        q.last = line;
        q.indent = blanks < q.indent ? blanks : q.indent;
    }
    *out = q;
    return true;
}
