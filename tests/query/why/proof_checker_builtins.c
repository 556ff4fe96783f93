// tests/query/why/proof_checker_builtins.c - builtins over lists and texts, computed anew.
#include <math.h>
#include <string.h>
#include "base/mem.h"
#include "base/text/number.h"
#include "tests/query/why/proof_checker_int.h"

static const term *item(const term *list, int64_t i) {
    return term_list_item(list, (size_t)i);
}

static bool is_list(const term *t) {
    return term_list_length(t) >= 0;
}

static bool is_text(const term *t) {
    return t->kind == TERM_SYMBOL || t->kind == TERM_STRING;
}

static bool is_number(const term *t) {
    return t->kind == TERM_INT || t->kind == TERM_FLOAT;
}

static bool reverses(const replay *c, const term *a, const term *b) {
    int64_t n = term_list_length(a);
    bool ok = n == term_list_length(b);
    for (int64_t i = 0; ok && i < n; i++)
        ok = same_value(c, item(a, i), item(b, n - 1 - i));
    return ok;
}

static bool appends(const replay *c, const term *a, const term *b, const term *all) {
    int64_t n = term_list_length(a), m = term_list_length(b);
    bool ok = n >= 0 && m >= 0 && n + m == term_list_length(all);
    for (int64_t i = 0; ok && i < n + m; i++)
        ok = same_value(c, i < n ? item(a, i) : item(b, i - n), item(all, i));
    return ok;
}

static bool adjoins(const replay *c, const term *list, const term *x, const term *y) {
    for (int64_t i = 0; i + 1 < term_list_length(list); i++) {
        if (same_value(c, item(list, i), x) && same_value(c, item(list, i + 1), y))
            return true;
    }
    return false;
}

static int64_t times_in(const replay *c, const term *list, const term *x) {
    int64_t times = 0;
    for (int64_t i = 0; i < term_list_length(list); i++)
        times += same_value(c, item(list, i), x);
    return times;
}

static int rank(const term *t) {
    return is_number(t) ? 0 : t->kind == TERM_SYMBOL ? 1 : t->kind == TERM_STRING ? 2 : 3;
}

// The same items, in an order that kinds and numbers do not gainsay.
static bool sorts(const replay *c, const term *a, const term *b) {
    int64_t n = term_list_length(a);
    bool ok = n >= 0 && n == term_list_length(b);
    for (int64_t i = 0; ok && i < n; i++)
        ok = times_in(c, a, item(a, i)) == times_in(c, b, item(a, i));
    for (int64_t i = 0; ok && i + 1 < n; i++) {
        const term *x = item(b, i), *y = item(b, i + 1);
        double v, w;
        ok = rank(x) < rank(y) ||
             (rank(x) == rank(y) && (!is_number(x) || !evaluate_number(c, x, &v) ||
                                     !evaluate_number(c, y, &w) || v <= w));
    }
    return ok;
}

static bool sums(const replay *c, const term *list, const term *sum) {
    double all = 0, x, said;
    for (int64_t i = 0; i < term_list_length(list); i++) {
        if (!evaluate_number(c, item(list, i), &x))
            return false;
        all += x;
    }
    return is_list(list) && evaluate_number(c, sum, &said) && nearly(all, said);
}

static size_t characters(const char *text, size_t bytes) {
    size_t n = 0;
    for (size_t i = 0; i < bytes; i++)
        n += ((unsigned char)text[i] & 0xc0) != 0x80;
    return n;
}

// Whether `part` is what stands in the text after `before` characters, `count` of them or to its
// end.
static bool cuts(const char *text, double from, double count, const char *part) {
    size_t length = strlen(text), size = strlen(part);
    for (size_t at = 0; from >= 1 && count >= 0 && at + size <= length; at++) {
        bool whole = (text[at] & 0xc0) != 0x80 || at == length;
        if (!whole || memcmp(text + at, part, size) != 0)
            continue;
        bool begins =
            (double)characters(text, at) == from - 1 || (at == length && from > (double)at);
        bool ends = (double)characters(part, size) == count ||
                    (at + size == length && (double)characters(part, size) < count);
        if (begins && ends)
            return true;
    }
    return false;
}

static bool reads(const replay *c, const term *text, const term *number) {
    double x, said;
    if (!is_text(text))
        return same_value(c, text, number);
    return number_parse(text->text, strlen(text->text), &x) && evaluate_number(c, number, &said) &&
           nearly(x, said);
}

static bool joins(const term *a, const term *b, const term *all) {
    size_t n = strlen(a->text), m = strlen(b->text);
    return is_text(all) && all->kind == a->kind && strlen(all->text) == n + m &&
           memcmp(all->text, a->text, n) == 0 && strcmp(all->text + n, b->text) == 0;
}

bool builtin_computes(replay *c, const term *t, bool *known) {
    double x, y;
    *known = true;
    if (term_is(t, "reverse", 2))
        return reverses(c, t->args[0], t->args[1]);
    if (term_is(t, "append", 3))
        return appends(c, t->args[0], t->args[1], t->args[2]);
    if (term_is(t, "adjacent", 3))
        return adjoins(c, t->args[0], t->args[1], t->args[2]);
    if (term_is(t, "sort", 2))
        return sorts(c, t->args[0], t->args[1]);
    if (term_is(t, "sum_list", 2))
        return sums(c, t->args[0], t->args[1]);
    if (term_is(t, "nth", 3))
        return evaluate_number(c, t->args[0], &x) && x >= 1 &&
               x <= (double)term_list_length(t->args[1]) &&
               same_value(c, item(t->args[1], (int64_t)x - 1), t->args[2]);
    if (term_is(t, "is_list", 1))
        return is_list(t->args[0]);
    if (term_is(t, "is_string", 1))
        return t->args[0]->kind == TERM_STRING;
    if (term_is(t, "number", 2))
        return reads(c, t->args[0], t->args[1]);
    if (term_is(t, "text_length", 2))
        return is_text(t->args[0]) && evaluate_number(c, t->args[1], &x) &&
               (double)characters(t->args[0]->text, strlen(t->args[0]->text)) == x;
    if (term_is(t, "substring", 4))
        return is_text(t->args[0]) && t->args[3]->kind == t->args[0]->kind &&
               evaluate_number(c, t->args[1], &x) && evaluate_number(c, t->args[2], &y) &&
               cuts(t->args[0]->text, x, y, t->args[3]->text);
    if (term_is(t, "concat", 3) && is_text(t->args[0]) && is_text(t->args[1]))
        return joins(t->args[0], t->args[1], t->args[2]);
    if (term_is(t, "starts_with", 2) && is_text(t->args[0]) && is_text(t->args[1]))
        return strncmp(t->args[0]->text, t->args[1]->text, strlen(t->args[1]->text)) == 0;
    if (term_is(t, "has_text", 2) && is_text(t->args[0]) && is_text(t->args[1]))
        return strstr(t->args[0]->text, t->args[1]->text) != NULL;
    *known = false;
    return true;
}
