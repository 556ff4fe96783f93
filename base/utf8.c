// base/utf8.c - characters of texts that come from elsewhere.
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

size_t utf8_character(const char *text, size_t length) {
    const unsigned char *c = (const unsigned char *)text;
    size_t n = c[0] < 0x80                   ? 1
               : c[0] >= 0xC2 && c[0] < 0xE0 ? 2
               : (c[0] & 0xF0) == 0xE0       ? 3
               : c[0] >= 0xF0 && c[0] < 0xF5 ? 4
                                             : 0;
    if (n > length)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((c[i] & 0xC0) != 0x80)
            return 0;
    if ((n == 3 && ((c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xED && c[1] > 0x9F))) ||
        (n == 4 && ((c[0] == 0xF0 && c[1] < 0x90) || (c[0] == 0xF4 && c[1] > 0x8F))))
        return 0;
    return n;
}

size_t utf8_printable(const char *text, size_t length) {
    const unsigned char *c = (const unsigned char *)text;
    size_t n = utf8_character(text, length);
    bool control =
        (n == 1 && (c[0] < 0x20 || c[0] == 0x7F)) || (n == 2 && c[0] == 0xC2 && c[1] < 0xA0);
    return control ? 0 : n;
}

size_t utf8_decode(const char *text, size_t length, uint32_t *code) {
    const unsigned char *c = (const unsigned char *)text;
    size_t n = utf8_character(text, length);
    if (n == 0)
        return 0;
    uint32_t bits = n == 1 ? c[0] : c[0] & (0x7Fu >> n);
    for (size_t i = 1; i < n; i++)
        bits = bits << 6 | (c[i] & 0x3Fu);
    *code = bits;
    return n;
}

size_t utf8_count(const char *text, size_t length) {
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += !utf8_continues(text[i]);
    return count;
}

size_t utf8_begin(const char *text, size_t at) {
    while (at > 0 && utf8_continues(text[at]))
        at--;
    return at;
}

size_t utf8_cut(const char *text, size_t length) {
    size_t from = length;
    for (int i = 0; i < 3 && from > 0 && utf8_continues(text[from - 1]); i++)
        from--;
    if (from == 0 || (unsigned char)text[from - 1] < 0xC0)
        return length; // no character begins here that could lack its end
    return utf8_character(text + from - 1, length - from + 1) ? length : from - 1;
}

static size_t write_as_is(utf8_written *out, const char *text, size_t n) {
    memcpy(out->bytes, text, n);
    out->count = n;
    return n;
}

size_t utf8_show(const char *text, size_t length, utf8_written *out) {
    size_t n = *text == '\n' || *text == '\t' ? 1 : utf8_printable(text, length);
    if (n > 0)
        return write_as_is(out, text, n);
    n = utf8_character(text, length);
    n = n ? n : 1;
    out->count = 0;
    for (size_t i = 0; i < n; i++)
        out->count += (size_t)snprintf(out->bytes + out->count, sizeof out->bytes - out->count,
                                       "\\x%02x", (unsigned)(unsigned char)text[i]);
    return n;
}
