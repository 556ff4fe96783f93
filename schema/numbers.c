// schema/numbers.c - packs lists of numbers into one character each.
#include "schema/numbers.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/text.h"

#define FIRST 36          // the first code point that is used
#define SURROGATES 0xd800 // from here on to 0xffff none is used
#define PAST_THEM 0x10000 // where they go on
#define CODE_MAX (0x10ffff - (PAST_THEM - SURROGATES) - FIRST)
#define DECIMALS_MAX 9
#define DIGITS_MAX 9 // so that no number in units leaves 64 bits

enum { FORM_DIFFERENCES = 10, FORM_POSE = 20, FORMS = 40 };

typedef struct number {
    bool none;
    int64_t units; // of its last decimal
    int decimals;
} number;
typedef ARRAY(number) number_list;

static const char *opening_of(int form) {
    return form >= FORM_POSE ? "pose(" : "[";
}

static int64_t power_of_ten(int exponent) {
    int64_t power = 1;
    while (exponent-- > 0)
        power *= 10;
    return power;
}

// Reads "-12.345" as -12345 with three decimals. False: no such number.
static bool number_read(const char **at, number *out) {
    const char *p = *at;
    bool negative = *p == '-';
    int digits = 0;
    *out = (number){0};
    if (strncmp(p, "none", 4) == 0) {
        out->none = true;
        *at = p + 4;
        return true;
    }
    p += negative;
    for (; *p >= '0' && *p <= '9' && digits < DIGITS_MAX; p++, digits++)
        out->units = 10 * out->units + (*p - '0');
    if (digits == 0 || *p++ != '.')
        return false;
    for (; *p >= '0' && *p <= '9' && digits < DIGITS_MAX; p++, digits++) {
        out->units = 10 * out->units + (*p - '0');
        out->decimals++;
    }
    out->units = negative ? -out->units : out->units;
    *at = p;
    return out->decimals > 0 && out->decimals <= DECIMALS_MAX;
}

static bool list_read(const char *text, bool is_pose, number_list *out) {
    const char *p = text + strlen(opening_of(is_pose ? FORM_POSE : 0));
    for (;;) {
        number n;
        if (!number_read(&p, &n) || !array_push_try(out, n))
            return false;
        if (strncmp(p, ", ", 2) != 0)
            return strcmp(p, is_pose ? ")" : "]") == 0;
        p += 2;
    }
}

// Gives all numbers the decimals of the one that has the most.
static int list_align(number_list *list) {
    int most = 1;
    for (size_t i = 0; i < list->count; i++)
        most = list->items[i].decimals > most ? list->items[i].decimals : most;
    for (size_t i = 0; i < list->count; i++)
        list->items[i].units *= power_of_ten(most - list->items[i].decimals);
    return most;
}

static char *put_code(char *out, int64_t code) {
    uint32_t c = (uint32_t)code + FIRST;
    c += c >= SURROGATES ? PAST_THEM - SURROGATES : 0;
    if (c < 0x80) {
        *out++ = (char)c;
    } else if (c < 0x800) {
        *out++ = (char)(0xc0 | c >> 6);
        *out++ = (char)(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        *out++ = (char)(0xe0 | c >> 12);
        *out++ = (char)(0x80 | (c >> 6 & 0x3f));
        *out++ = (char)(0x80 | (c & 0x3f));
    } else {
        *out++ = (char)(0xf0 | c >> 18);
        *out++ = (char)(0x80 | (c >> 12 & 0x3f));
        *out++ = (char)(0x80 | (c >> 6 & 0x3f));
        *out++ = (char)(0x80 | (c & 0x3f));
    }
    return out;
}

// Returns the packed list in this form, NULL where a number has no code.
static char *list_pack(const number_list *list, int form, int decimals) {
    char *text = malloc(4 * list->count + 3), *out = text;
    int64_t before = 0;
    if (!text)
        return NULL;
    *out++ = '#';
    *out++ = (char)('A' + form + decimals);
    for (size_t i = 0; i < list->count; i++) {
        number n = list->items[i];
        int64_t units = n.units - before;
        int64_t code = n.none ? 0 : units < 0 ? -2 * units : 2 * units + 1;
        if (code > CODE_MAX) {
            free(text);
            return NULL;
        }
        if (!n.none && form % FORM_POSE == FORM_DIFFERENCES)
            before = n.units;
        out = put_code(out, code);
    }
    *out = 0;
    return text;
}

char *numbers_pack(const char *text) {
    number_list list = {0};
    bool is_pose = strncmp(text, "pose(", 5) == 0;
    int form = is_pose ? FORM_POSE : 0;
    char *best = NULL;
    if ((is_pose || text[0] == '[') && list_read(text, is_pose, &list)) {
        int decimals = list_align(&list);
        char *plain = list_pack(&list, form, decimals),
             *differences = list_pack(&list, form + FORM_DIFFERENCES, decimals);
        bool shorter = differences && (!plain || strlen(differences) < strlen(plain));
        best = shorter ? differences : plain;
        free(shorter ? plain : differences);
    }
    array_finish(&list);
    char *again = best ? numbers_unpack(best) : NULL;
    if (best && (!again || strcmp(again, text) != 0)) { // "1.50", say
        free(best);
        best = NULL;
    }
    free(again);
    return best;
}

// Reads one code point. False: no well-formed character.
static bool code_read(const char **at, int64_t *code) {
    const unsigned char *p = (const unsigned char *)*at;
    int more = p[0] < 0x80 ? 0 : p[0] >= 0xf0 ? 3 : p[0] >= 0xe0 ? 2 : 1;
    uint32_t c = more == 0 ? p[0] : p[0] & (0x3fU >> more);
    if (p[0] >= 0x80 && p[0] < 0xc0)
        return false;
    for (int i = 1; i <= more; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return false;
        c = c << 6 | (p[i] & 0x3f);
    }
    if (c < FIRST || (c >= SURROGATES && c < PAST_THEM) || c > 0x10ffff)
        return false;
    *code = (int64_t)c - FIRST - (c >= PAST_THEM ? PAST_THEM - SURROGATES : 0);
    *at += more + 1;
    return true;
}

// The digits come from the last one on, without the zeros that end a fraction.
static void put_number(text_buffer *out, int64_t units, int decimals) {
    char digits[32], *p = digits + sizeof digits;
    uint64_t left = units < 0 ? 0 - (uint64_t)units : (uint64_t)units;
    for (; decimals > 1 && left % 10 == 0; decimals--)
        left /= 10;
    *--p = 0;
    for (; decimals > 0; decimals--, left /= 10)
        *--p = (char)('0' + left % 10);
    *--p = '.';
    do {
        *--p = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    if (units < 0)
        *--p = '-';
    text_put(out, p);
}

char *numbers_unpack(const char *packed) {
    if (packed[0] != '#' || packed[1] < 'A' || packed[1] >= 'A' + FORMS || !packed[2])
        return NULL;
    int form = packed[1] - 'A', decimals = form % 10;
    int64_t before = 0, code;
    text_buffer out = {.may_fail = true};
    text_put(&out, opening_of(form));
    for (const char *p = packed + 2; *p;) {
        if (decimals == 0 || !code_read(&p, &code)) {
            text_finish(&out);
            return NULL;
        }
        int64_t units = (code & 1 ? code >> 1 : -(code >> 1)) + before;
        if (code == 0)
            text_put(&out, "none");
        else
            put_number(&out, units, decimals);
        if (code != 0 && form % FORM_POSE >= FORM_DIFFERENCES)
            before = units;
        if (*p)
            text_put(&out, ", ");
    }
    text_put(&out, form >= FORM_POSE ? ")" : "]");
    return text_take(&out);
}

static void sql_numbers(sqlite3_context *context, int count, sqlite3_value **values) {
    const char *text = sqlite3_value_type(values[0]) == SQLITE_TEXT
                           ? (const char *)sqlite3_value_text(values[0])
                           : NULL;
    char *list = text && text[0] == '#' ? numbers_unpack(text) : NULL;
    (void)count;
    if (list)
        sqlite3_result_text(context, list, -1, free);
    else
        sqlite3_result_value(context, values[0]);
}

static void sql_fixed(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    if (sqlite3_value_type(values[0]) == SQLITE_INTEGER)
        sqlite3_result_double(context, (double)sqlite3_value_int64(values[0]) /
                                           sqlite3_value_double(values[1]));
    else
        sqlite3_result_value(context, values[0]);
}

static void sql_planar(sqlite3_context *context, int count, sqlite3_value **values) {
    double v[4];
    for (int i = 0; i < count; i++) {
        if (sqlite3_value_type(values[i]) != SQLITE_INTEGER)
            return;
        v[i] = (double)sqlite3_value_int64(values[i]);
    }
    char *text =
        sqlite3_mprintf("pose(%!.4f, %!.4f, %!.4f)", v[0] / 1e6, v[1] / 1e6, 2 * atan2(v[3], v[2]));
    if (text)
        sqlite3_result_text(context, text, -1, sqlite3_free);
    else
        sqlite3_result_error_nomem(context);
}

int numbers_register(sqlite3 *db) {
    const int how = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    int rc = sqlite3_create_function_v2(db, "numbers", 1, how, NULL, sql_numbers, NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_create_function_v2(db, "fixed", 2, how, NULL, sql_fixed, NULL, NULL, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_create_function_v2(db, "planar", 4, how, NULL, sql_planar, NULL, NULL, NULL);
    return rc;
}
