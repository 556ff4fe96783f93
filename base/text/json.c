// base/text/json.c - values as JSON.
#include "base/text/json.h"

#include <math.h>
#include <stdio.h>

#include "base/text/number.h"
#include "base/utf8.h"

typedef enum dialect { DIALECT_JSON, DIALECT_YAML } dialect;

// The escape of one letter, or NULL.
static const char *short_escape(char c, dialect d) {
    switch (c) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\n':
        return "\\n";
    case '\t':
        return "\\t";
    case '\r':
        return d == DIALECT_YAML ? "\\r" : NULL;
    default:
        return NULL;
    }
}

static bool yaml_wants_escape(uint32_t code) {
    return code == 0x2028 || code == 0x2029 || code == 0xfeff;
}

// Appends the first character, or U+FFFD for a byte that begins none; returns the bytes read.
static size_t put_character(text_buffer *b, const char *text, size_t length, dialect d) {
    uint32_t code;
    size_t n = utf8_decode(text, length, &code);
    const char *escape = n == 0 ? "\\ufffd" : short_escape(*text, d);
    if (escape)
        text_put(b, escape);
    else if (!utf8_printable(text, length) || (d == DIALECT_YAML && yaml_wants_escape(code)))
        text_add(b, "\\u%04x", (unsigned)code);
    else
        text_put_bytes(b, text, n);
    return n ? n : 1;
}

static void put_string(text_buffer *b, const char *text, size_t length, dialect d) {
    text_put(b, "\"");
    for (size_t taken; length > 0; text += taken, length -= taken)
        taken = put_character(b, text, length, d);
    text_put(b, "\"");
}

void json_string(text_buffer *b, const char *text) {
    if (text)
        put_string(b, text, strlen(text), DIALECT_JSON);
    else
        text_put(b, "null");
}

void json_member(text_buffer *b, const char *lead, const char *name, const char *text) {
    text_put(b, lead);
    text_add(b, "\"%s\": ", name);
    json_string(b, text);
}

void yaml_string(text_buffer *b, const char *text, size_t length) {
    put_string(b, text, length, DIALECT_YAML);
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
