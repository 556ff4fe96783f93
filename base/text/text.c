// base/text/text.c - text that grows.
#include "base/text/text.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/utf8.h"

char *text_extend(text_buffer *b, size_t more) {
    if (b->failed || (b->limit > 0 && b->count > b->limit))
        return NULL;
    if (!b->may_fail)
        array_reserve(b, b->count + more + 1);
    else if (!array_reserve_try(b, b->count + more + 1))
        b->failed = true;
    if (b->failed)
        return NULL;
    char *room = b->items + b->count;
    b->count += more;
    b->items[b->count] = 0;
    return room;
}

void text_put_bytes(text_buffer *b, const char *bytes, size_t length) {
    char *room = text_extend(b, length);
    if (room && length > 0)
        memcpy(room, bytes, length);
}

void text_put(text_buffer *b, const char *text) {
    text_put_bytes(b, text, strlen(text));
}

void text_put_repeated(text_buffer *b, char c, size_t count) {
    char *room = text_extend(b, count);
    if (room)
        memset(room, c, count);
}

void text_add(text_buffer *b, const char *format, ...) {
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    int n = vsnprintf(NULL, 0, format, values);
    ASSERT(n >= 0);
    char *room = text_extend(b, (size_t)n);
    if (room)
        vsnprintf(room, (size_t)n + 1, format, again);
    va_end(again);
    va_end(values);
}

void text_put_shown(text_buffer *b, const char *text, size_t length) {
    for (size_t taken; length > 0; text += taken, length -= taken) {
        utf8_written shown;
        taken = utf8_show(text, length, &shown);
        text_put_bytes(b, shown.bytes, shown.count);
    }
}

const char *text_string(const text_buffer *b) {
    return b->items ? b->items : "";
}

char *text_take(text_buffer *b) {
    text_extend(b, 0); // an empty text is a text, too
    char *text = b->failed ? NULL : b->items;
    if (text)
        b->items = NULL;
    text_finish(b);
    return text;
}

void text_finish(text_buffer *b) {
    array_finish(b);
}

void text_put_base64(text_buffer *b, const void *bytes, size_t length) {
    const unsigned char *byte = bytes;
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < length; i += 3) {
        size_t n = length - i < 3 ? length - i : 3;
        uint32_t three = (uint32_t)byte[i] << 16;
        three |= n > 1 ? (uint32_t)byte[i + 1] << 8 : 0;
        three |= n > 2 ? byte[i + 2] : 0;
        char four[4];
        for (size_t k = 0; k < 4; k++)
            four[k] = k <= n ? digits[three >> (18 - 6 * k) & 63] : '=';
        text_put_bytes(b, four, 4);
    }
}

// Returns the length of the sequence that gives style at `at`: ESC [ ... m; else 0.
static size_t style_length(const char *at, const char *end) {
    if (end - at < 3 || at[0] != 033 || at[1] != '[')
        return 0;
    const char *c = at + 2;
    while (c < end && (*c == ';' || (*c >= '0' && *c <= '9')))
        c++;
    return c < end && *c == 'm' ? (size_t)(c + 1 - at) : 0;
}

// Returns how many bytes from `at` on fit into so many columns.
static size_t fitting(const char *at, const char *end, size_t columns) {
    const char *c = at;
    for (size_t used = 0; c < end;) {
        size_t style = style_length(c, end);
        if (style) {
            c += style;
            continue;
        }
        if (used == columns)
            break;
        for (c++; c < end && utf8_continues(*c);)
            c++;
        used++;
    }
    return (size_t)(c - at);
}

static void put_folded_line(text_buffer *b, const char *at, const char *end, size_t width,
                            bool cut) {
    size_t indent = 0;
    while (at + indent < end && at[indent] == ' ')
        indent++;
    size_t fits = fitting(at, end, width), first = indent;
    if (indent + 20 > width || cut) { // there is no room to fold
        bool all = fits == (size_t)(end - at) || !cut || width < 4;
        text_put_bytes(b, at, all ? (size_t)(end - at) : fitting(at, end, width - 3));
        if (!all)
            text_put(b, memchr(at, 033, (size_t)(end - at)) ? "\033[0m..." : "...");
        return;
    }
    while (fits < (size_t)(end - at)) {
        size_t n = fits;
        while (n > first && at[n] != ' ')
            n--;
        if (n <= first)
            n = fits; // a word that is longer than the line
        text_put_bytes(b, at, n);
        text_put(b, "\n");
        at += n;
        while (at < end && *at == ' ')
            at++;
        text_put_repeated(b, ' ', indent + 4);
        first = 0;
        fits = fitting(at, end, width - indent - 4);
    }
    text_put_bytes(b, at, (size_t)(end - at));
}

void text_put_folded(text_buffer *b, const char *text, size_t length, size_t width, bool cut) {
    const char *end = text + length;
    while (text < end) {
        const char *line = memchr(text, '\n', (size_t)(end - text));
        const char *stop = line ? line : end;
        if (width)
            put_folded_line(b, text, stop, width, cut);
        else
            text_put_bytes(b, text, (size_t)(stop - text));
        text_put(b, line ? "\n" : "");
        text = line ? line + 1 : end;
    }
}
