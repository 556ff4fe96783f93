// base/text/number.c - decimal numbers as text, the same in every locale.
#include "base/mem.h"
#include "base/text/number.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

static size_t skip_digits(const char *text, size_t length, size_t at) {
    while (at < length && text[at] >= '0' && text[at] <= '9')
        at++;
    return at;
}

// The grammar is checked by hand: strtod would also take inf, hexadecimal and leading blanks.
static bool looks_like_number(const char *text, size_t length) {
    size_t at = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    size_t end = skip_digits(text, length, at);
    if (end == at && !(at < length && text[at] == '.')) // .025
        return false;
    at = end;
    if (at < length && text[at] == '.') {
        end = skip_digits(text, length, at + 1);
        if (end == at + 1)
            return false;
        at = end;
    }
    if (at < length && (text[at] == 'e' || text[at] == 'E')) {
        at++;
        if (at < length && (text[at] == '-' || text[at] == '+'))
            at++;
        end = skip_digits(text, length, at);
        if (end == at)
            return false;
        at = end;
    }
    return at == length;
}

// The C locale is static in the C library: asking for it allocates nothing.
static locale_t c_locale(void) {
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    ASSERT(c != (locale_t)0);
    return c;
}

bool number_parse(const char *text, size_t length, double *out) {
    if (!looks_like_number(text, length))
        return false;
    char fixed[128];
    char *copy = length < sizeof fixed ? fixed : mem_must(length + 1, 1);
    memcpy(copy, text, length);
    copy[length] = 0;
    locale_t c = c_locale();
    double value = strtod_l(copy, NULL, c);
    freelocale(c);
    if (copy != fixed)
        free(copy);
    if (!isfinite(value))
        return false;
    *out = value;
    return true;
}

bool number_parse_integer(const char *text, size_t length, int64_t *out) {
    bool negative = length > 0 && text[0] == '-';
    size_t at = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    if (at == length || skip_digits(text, length, at) != length)
        return false;
    // Counted downwards, because the least integer has no positive twin.
    int64_t value = 0;
    for (; at < length; at++) {
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_sub_overflow(value, text[at] - '0', &value))
            return false;
    }
    if (!negative && __builtin_sub_overflow(0, value, &value))
        return false;
    *out = value;
    return true;
}

size_t number_format(double value, char buffer[NUMBER_SIZE]) {
    if (isnan(value) || isinf(value)) {
        const char *text = isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
        strcpy(buffer, text);
        return strlen(text);
    }
    locale_t c = c_locale();
    locale_t old = uselocale(c);
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buffer, NUMBER_SIZE, "%.*g", digits, value);
        if (strtod_l(buffer, NULL, c) == value)
            break;
    }
    uselocale(old);
    freelocale(c);
    if (!strpbrk(buffer, ".e"))
        strcat(buffer, ".0");
    return strlen(buffer);
}
