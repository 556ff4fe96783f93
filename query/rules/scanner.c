// query/rules/scanner.c - tokens of directives, and the phrases that several of them have.
#include "query/rules/scanner.h"

#include "query/rules/module.h"

void scanner_skip_blanks(reader *r) {
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

bool scanner_clause_begins(const reader *r) {
    char c = reader_look(r, 0);
    return r->column == 1 && (c == ':' || c == '%' || (c >= 'a' && c <= 'z'));
}

// Returns whether the text in quotes from `begin` to `end`, where the next quote or the end of all
// text is, has run over what follows it: over the begin of a clause, and up to a quote that opens
// another text.
static bool runs_on(const reader *begin, const reader *end) {
    char next = reader_look(end, 1);
    if (end->at < end->length && (next == 0 || strchr(" .\"\t\r\n", next)))
        return false;
    reader r = *begin;
    while (r.at < end->at && !(r.line > begin->line && scanner_clause_begins(&r)))
        reader_step(&r);
    return r.at < end->at;
}

void scanner_next(scanner *s) {
    s->before = *s->r;
    scanner_skip_blanks(s->r);
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
        const reader begin = *s->r;
        s->kind = c == '"' ? 's' : 'q';
        reader_step(s->r);
        while (s->r->at < s->r->length && reader_look(s->r, 0) != c) {
            if (n + 1 < sizeof s->text)
                s->text[n++] = reader_look(s->r, 0);
            else
                s->too_long = true;
            reader_step(s->r);
        }
        if (!s->unclosed.text && runs_on(&begin, s->r))
            s->unclosed = begin;
        reader_step(s->r);
    } else {
        s->kind = c == '.' ? 'e' : c;
        s->open += (c == '(') - (c == ')');
        reader_step(s->r);
    }
    s->text[n] = 0;
}

void scanner_fail(scanner *s, const char *expected) {
    if (!s->failed && s->unclosed.text)
        errors_add(s->list, s->r->file, s->unclosed.line, s->unclosed.column,
                   "this %c is not closed", reader_look(&s->unclosed, 0));
    else if (!s->failed)
        errors_add(s->list, s->r->file, s->line, s->column, "a directive expects %s here",
                   expected);
    s->failed = true;
}

const char *scanner_name(scanner *s, const char *what) {
    if (s->kind != 'n') {
        scanner_fail(s, what);
        return "";
    }
    const char *name = arena_strdup(s->p->texts, s->text);
    scanner_next(s);
    return name;
}

uint32_t scanner_number(scanner *s) {
    if (s->kind != 'i' || strlen(s->text) > 3) {
        scanner_fail(s, "a number");
        return 0;
    }
    uint32_t n = (uint32_t)strtoul(s->text, NULL, 10);
    scanner_next(s);
    return n;
}

bool scanner_token(scanner *s, char kind, const char *expected) {
    if (s->kind != kind) {
        scanner_fail(s, expected);
        return false;
    }
    scanner_next(s);
    return true;
}

// The name of a predicate, as this file means it.
const char *scanner_predicate(scanner *s) {
    const char *name = scanner_name(s, "the name of a predicate");
    return s->failed ? name : module_directed(s->p, s->p->reading, name);
}

bool scanner_at_word(const scanner *s, const char *word) {
    return s->kind == 'n' && strcmp(s->text, word) == 0;
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
const char *scanner_doc(scanner *s) {
    if (s->kind != 's')
        return "";
    // Back to the quote that opened it.
    size_t close = s->r->at - 1, open = close;
    while (open > 0 && s->r->text[open - 1] != '"')
        open--;
    const char *doc = take_doc(s, open > 0 ? open - 1 : 0);
    scanner_next(s);
    return doc;
}
