// report/page/html_text.c - the pieces of page.html, filled with texts.
#include "report/page/html_int.h"
#include "report/shell.h"

#include <stdarg.h>

#include "base/utf8.h"

static const char *const PARTS[] = {
#define PART(name, text) text,
#include "report/page/page.def"
};

void html_style(text_buffer *out) {
#define STYLE(line) text_put(out, line "\n");
#include "report/page/page.def"
}

void html_script(text_buffer *out) {
#define SCRIPT(line) text_put(out, line "\n");
#include "report/page/page.def"
}

void html_view_style(text_buffer *out) {
#define VIEW_STYLE(line) text_put(out, line "\n");
#include "report/page/page.def"
}

void html_view_script(text_buffer *out) {
#define VIEW_SCRIPT(line) text_put(out, line "\n");
#include "report/page/page.def"
}

// Writes a text escaped.
static void put_escaped_bytes(text_buffer *out, const char *text, size_t length) {
    for (size_t taken; length > 0; text += taken, length -= taken) {
        static const struct {
            char c;
            const char *as;
        } marks[] = {
            {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
        const char *as = NULL;
        for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
            if (*text == marks[i].c)
                as = marks[i].as;
        taken = *text == '\n' || *text == '\t' ? 1 : utf8_printable(text, length);
        // Control characters and bytes that are no UTF-8 are not allowed in a page.
        if (as || taken == 0)
            text_put(out, as ? as : "&#xfffd;");
        else
            text_put_bytes(out, text, taken);
        taken = taken ? taken : 1;
    }
}

static void put_escaped(text_buffer *out, const char *text) {
    if (text)
        put_escaped_bytes(out, text, strlen(text));
}

// Returns the text for a slot. A piece with a slot that is not filled is a bug.
static const char *slot_text(const char *name, size_t length, va_list slots) {
    va_list rest;
    va_copy(rest, slots);
    const char *text = NULL, *slot;
    while ((slot = va_arg(rest, const char *)) != NULL) {
        text = va_arg(rest, const char *);
        if (strlen(slot) == length && memcmp(slot, name, length) == 0)
            break;
    }
    va_end(rest);
    ASSERT(slot != NULL);
    return text;
}

static void fill_piece(html_page *p, html_part part, int n, va_list slots) {
    static const char others[] = "{>}";
    const char *at = PARTS[part];
    for (; n > 0; n--) {
        at = strstr(at, others);
        ASSERT(at != NULL);
        at += sizeof others - 1;
    }
    while (*at && strncmp(at, others, sizeof others - 1) != 0) {
        size_t plain = strcspn(at, "{");
        text_put_bytes(p->out, at, plain);
        at += plain;
        if (*at == '{' && at[1] != '>') {
            size_t length = strcspn(at, "}");
            put_escaped(p->out, slot_text(at + 1, length - 1, slots));
            at += length + 1;
        }
    }
}

void html_fill(html_page *p, html_part part, ...) {
    va_list slots;
    va_start(slots, part);
    fill_piece(p, part, 0, slots);
    va_end(slots);
}

void html_fill_rest(html_page *p, html_part part, int n, ...) {
    va_list slots;
    va_start(slots, n);
    fill_piece(p, part, n, slots);
    va_end(slots);
}

const char *html_shell_word(html_page *p, const char *word) {
    text_buffer quoted = {0};
    shell_word(&quoted, word);
    const char *text = arena_copy(p->arena, text_string(&quoted), quoted.count);
    text_finish(&quoted);
    return text;
}
