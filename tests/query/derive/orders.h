// tests/query/derive/orders.h - a query's literals in another order.
#ifndef FORESEE_TESTS_QUERY_ORDERS_H
#define FORESEE_TESTS_QUERY_ORDERS_H

#include "base/term/term.h"

#define ORDERS 24 // of one query, drawn evenly from all
#define LITERALS_MAX 8

static inline size_t literals_of(const term *t, const term **out) {
    size_t n = 0;
    for (; term_is(t, ",", 2) && n + 1 < LITERALS_MAX; t = t->args[1])
        out[n++] = t->args[0];
    out[n++] = t;
    return n;
}

static inline const char *in_order(arena *a, const term *const *literals, const size_t *order,
                                   size_t n) {
    const char *text = term_text(a, literals[order[0]]);
    for (size_t i = 1; i < n; i++)
        text = arena_format(a, "%s, %s", text, term_text(a, literals[order[i]]));
    return text;
}

// The k-th order of n things; k < n!.
static inline void order_at(size_t k, size_t n, size_t *order) {
    size_t left[LITERALS_MAX];
    for (size_t i = 0; i < n; i++)
        left[i] = i;
    for (size_t i = 0; i < n; i++) {
        size_t rest = n - i, at = k % rest;
        k /= rest;
        order[i] = left[at];
        memmove(left + at, left + at + 1, (rest - at - 1) * sizeof *left);
    }
}

#endif
