#include "report/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/number.h"
#include "base/utf8.h"

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

void json_string(text_buffer *b, const char *text) {
    if (!text) {
        text_put(b, "null");
        return;
    }
    text_put(b, "\"");
    for (size_t length = strlen(text), taken; length > 0; text += taken, length -= taken) {
        utf8_written json;
        taken = utf8_json(text, length, &json);
        text_bytes(b, json.bytes, json.count);
    }
    text_put(b, "\"");
}

void text_put_shown(text_buffer *b, const char *text, size_t length) {
    for (size_t taken; length > 0; text += taken, length -= taken) {
        utf8_written shown;
        taken = utf8_show(text, length, &shown);
        text_bytes(b, shown.bytes, shown.count);
    }
}

void shell_word(text_buffer *b, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_@%+=:,./-";
    // What begins with a dash would be an option.
    const char *before = *word == '-' ? "./" : "";
    if (*word && word[strspn(word, plain)] == 0) {
        text_add(b, "%s%s", before, word);
        return;
    }
    text_add(b, "'%s", before);
    for (; *word; word++) {
        if (*word == '\'')
            text_put(b, "'\\''");
        else
            text_bytes(b, word, 1);
    }
    text_put(b, "'");
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
