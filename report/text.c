#include "report/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/number.h"

static void reserve(text_buffer *b, size_t more) {
    if (b->count + more > b->capacity)
        array_grow_must((void **)&b->items, &b->capacity, b->count + more, 1);
}

static void text_bytes(text_buffer *b, const char *text, size_t length) {
    reserve(b, length + 1);
    memcpy(b->items + b->count, text, length);
    b->count += length;
}

void text_put(text_buffer *b, const char *text) {
    text_bytes(b, text, strlen(text));
}

void text_add(text_buffer *b, const char *format, ...) {
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    int n = vsnprintf(NULL, 0, format, values);
    ASSERT(n >= 0);
    reserve(b, (size_t)n + 1);
    vsnprintf(b->items + b->count, (size_t)n + 1, format, again);
    b->count += (size_t)n;
    va_end(again);
    va_end(values);
}

size_t text_sequence(const char *text, size_t length) {
    const unsigned char *s = (const unsigned char *)text;
    size_t n = s[0] < 0x80                   ? 1
               : s[0] >= 0xC2 && s[0] < 0xE0 ? 2
               : (s[0] & 0xF0) == 0xE0       ? 3
               : s[0] >= 0xF0 && s[0] < 0xF5 ? 4
                                             : 0;
    if (n > length)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    if ((n == 3 && ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F))) ||
        (n == 4 && ((s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F))))
        return 0;
    return n;
}

void json_string(text_buffer *b, const char *text) {
    if (!text) {
        text_put(b, "null");
        return;
    }
    text_put(b, "\"");
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        size_t n = text_sequence((const char *)s, strnlen((const char *)s, 4));
        if (*s == '"' || *s == '\\')
            text_add(b, "\\%c", *s);
        else if (*s == '\n')
            text_put(b, "\\n");
        else if (*s == '\t')
            text_put(b, "\\t");
        else if (*s < 0x20 || *s == 0x7F)
            text_add(b, "\\u%04x", *s);
        else if (n == 0)
            text_put(b, "\\ufffd");
        else
            text_bytes(b, (const char *)s, n);
        s += n ? n : 1;
    }
    text_put(b, "\"");
}

void json_number(text_buffer *b, double value) {
    if (!isfinite(value)) {
        text_put(b, "null");
        return;
    }
    char digits[NUMBER_SIZE];
    if (value == floor(value) && fabs(value) < 1e15) {
        text_add(b, "%.0f", value == 0 ? 0.0 : value);
        return;
    }
    number_format(value, digits);
    text_put(b, digits);
}

void json_seconds(text_buffer *b, nanos t) {
    bool negative = t < 0;
    uint64_t n = negative ? 0 - (uint64_t)t : (uint64_t)t;
    char digits[16];
    snprintf(digits, sizeof digits, "%09llu", (unsigned long long)(n % 1000000000u));
    size_t length = 9;
    while (length > 0 && digits[length - 1] == '0')
        length--;
    text_add(b, "%s%llu%s%.*s", negative ? "-" : "", (unsigned long long)(n / 1000000000u),
             length ? "." : "", (int)length, digits);
}
