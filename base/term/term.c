// base/term/term.c - terms: making, comparing, matching. Printing is in term_print.c, reading in
// reader.c.
//
// Lists can be long, and are nested in their last argument: every walk loops along the last
// argument and recurses into the others only.
#include "base/term/term.h"

#include <math.h>

static term *term_new(arena *a, term_kind kind) {
    term *t = arena_alloc(a, sizeof *t);
    t->kind = kind;
    return t;
}

const term *term_int(arena *a, int64_t value) {
    term *t = term_new(a, TERM_INT);
    t->integer = value;
    return t;
}

const term *term_float(arena *a, double value) {
    term *t = term_new(a, TERM_FLOAT);
    t->real = value;
    return t;
}

static const term *term_named(arena *a, term_kind kind, const char *text) {
    term *t = term_new(a, kind);
    t->text = arena_strdup(a, text);
    return t;
}

const term *term_string(arena *a, const char *text) {
    return term_named(a, TERM_STRING, text);
}

const term *term_symbol(arena *a, const char *text) {
    return term_named(a, TERM_SYMBOL, text);
}

const term *term_var(arena *a, const char *name) {
    return term_named(a, TERM_VAR, name);
}

const term *term_compound(arena *a, const char *functor, uint32_t arity, const term *const *args) {
    if (arity == 0)
        return term_symbol(a, functor);
    term *t = term_new(a, TERM_COMPOUND);
    t->text = arena_strdup(a, functor);
    t->arity = arity;
    const term **copy = arena_alloc(a, arity * sizeof *copy);
    memcpy(copy, args, arity * sizeof *copy);
    t->args = copy;
    return t;
}

const term *term_list(arena *a, const term *const *items, size_t count, const term *tail) {
    const term *list = tail ? tail : term_symbol(a, "[]");
    const char *functor = count > 0 ? arena_strdup(a, "[|]") : NULL;
    for (size_t i = count; i-- > 0;) {
        term *t = term_new(a, TERM_COMPOUND);
        t->text = functor;
        t->arity = 2;
        const term **args = arena_alloc(a, 2 * sizeof *args);
        args[0] = items[i];
        args[1] = list;
        t->args = args;
        list = t;
    }
    return list;
}

bool term_equal(const term *a, const term *b) {
    return term_order(a, b) == 0;
}

// Variables stand before everything: a total order needs a place for them.
static int kind_rank(const term *t) {
    switch (t->kind) {
    case TERM_VAR:
        return 0;
    case TERM_INT:
    case TERM_FLOAT:
        return 1;
    case TERM_SYMBOL:
        return 2;
    case TERM_STRING:
        return 3;
    case TERM_COMPOUND:
        return 4;
    }
    return 5;
}

static int order_int(int64_t a, int64_t b) {
    return (a > b) - (a < b);
}

// Not-a-number stands before all others and equals itself.
static int order_float(double a, double b) {
    if (isnan(a) || isnan(b))
        return !isnan(a) - !isnan(b);
    return (a > b) - (a < b);
}

// Exact, where turning the integer into a double would not be.
static int order_int_float(int64_t a, double b) {
    if (isnan(b))
        return 1;
    if (b >= 0x1p63)
        return -1;
    if (b < -0x1p63)
        return 1;
    double whole = trunc(b);
    int order = order_int(a, (int64_t)whole);
    return order ? order : order_float(whole, b);
}

static int order_numbers(const term *a, const term *b) {
    if (a->kind == TERM_INT && b->kind == TERM_INT)
        return order_int(a->integer, b->integer);
    if (a->kind == TERM_FLOAT && b->kind == TERM_FLOAT)
        return order_float(a->real, b->real);
    // Of equal value, the float stands before the integer: they are two terms.
    if (a->kind == TERM_INT) {
        int order = order_int_float(a->integer, b->real);
        return order ? order : 1;
    }
    int order = order_int_float(b->integer, a->real);
    return order ? -order : -1;
}

int term_order(const term *a, const term *b) {
    for (;;) {
        if (a == b)
            return 0;
        int order = kind_rank(a) - kind_rank(b);
        if (order)
            return order;
        if (a->kind == TERM_INT || a->kind == TERM_FLOAT)
            return order_numbers(a, b);
        if (a->kind != TERM_COMPOUND)
            return strcmp(a->text, b->text);
        order = order_int(a->arity, b->arity);
        if (!order)
            order = strcmp(a->text, b->text);
        for (uint32_t i = 0; !order && i + 1 < a->arity; i++)
            order = term_order(a->args[i], b->args[i]);
        if (order || a->arity == 0)
            return order;
        const term *last = a->args[a->arity - 1];
        b = b->args[a->arity - 1];
        a = last;
    }
}

bool term_ground(const term *t) {
    for (;;) {
        if (t->kind == TERM_VAR)
            return false;
        if (t->kind != TERM_COMPOUND || t->arity == 0)
            return true;
        for (uint32_t i = 0; i + 1 < t->arity; i++) {
            if (!term_ground(t->args[i]))
                return false;
        }
        t = t->args[t->arity - 1];
    }
}

// Along the last argument without recursion, as lists are long.
bool term_mentions(const term *t, const char *variable) {
    for (;; t = t->args[t->arity - 1]) {
        if (t->kind == TERM_VAR)
            return strcmp(t->text, variable) == 0;
        if (t->kind != TERM_COMPOUND || t->arity == 0)
            return false;
        for (uint32_t i = 0; i + 1 < t->arity; i++) {
            if (term_mentions(t->args[i], variable))
                return true;
        }
    }
}

bool term_number(const term *t, double *out) {
    if (!t || (t->kind != TERM_INT && t->kind != TERM_FLOAT))
        return false;
    *out = t->kind == TERM_INT ? (double)t->integer : t->real;
    return true;
}

int64_t term_list_length(const term *t) {
    int64_t length = 0;
    for (; term_is(t, "[|]", 2); t = t->args[1])
        length++;
    return term_is_symbol(t, "[]") ? length : -1;
}

const term *term_list_item(const term *t, size_t i) {
    for (; i > 0; i--) {
        ASSERT(term_is(t, "[|]", 2));
        t = t->args[1];
    }
    ASSERT(term_is(t, "[|]", 2));
    return t->args[0];
}

// Copies `t` into `a`, variables replaced where `lookup` knows them. What it gives is copied too,
// as it is: the result lives in `a` alone.
static const term *term_rebuild(arena *a, const term *t, term_lookup lookup, void *context) {
    const term *result = NULL;
    const term **slot = &result;
    for (;;) {
        if (t->kind == TERM_VAR && lookup && t->text[0] != 0 && !term_is_anonymous(t)) {
            const term *value = lookup(context, t->text);
            if (value) {
                t = value;
                lookup = NULL;
            }
        }
        term *copy = term_new(a, t->kind);
        *copy = *t;
        if (t->text)
            copy->text = arena_strdup(a, t->text);
        *slot = copy;
        if (t->kind != TERM_COMPOUND || t->arity == 0)
            return result;
        const term **args = arena_alloc(a, t->arity * sizeof *args);
        for (uint32_t i = 0; i + 1 < t->arity; i++)
            args[i] = term_rebuild(a, t->args[i], lookup, context);
        copy->args = args;
        slot = &args[t->arity - 1];
        t = t->args[t->arity - 1];
    }
}

const term *term_copy(arena *a, const term *t) {
    return term_rebuild(a, t, NULL, NULL);
}

const term *term_substitute(arena *a, const term *t, term_lookup lookup, void *context) {
    return term_rebuild(a, t, lookup, context);
}

static bool match_variable(const term *pattern, const term *t, bindings *out) {
    if (term_is_anonymous(pattern))
        return true;
    for (size_t i = 0; i < out->count; i++) {
        if (strcmp(out->items[i].name, pattern->text) == 0)
            return term_equal(out->items[i].value, t);
    }
    array_push(out, (binding){pattern->text, t});
    return true;
}

static bool match_term(const term *pattern, const term *t, bindings *out) {
    for (;;) {
        if (pattern->kind == TERM_VAR)
            return match_variable(pattern, t, out);
        if (pattern->kind != TERM_COMPOUND)
            return term_equal(pattern, t);
        if (t->kind != TERM_COMPOUND || t->arity != pattern->arity ||
            strcmp(t->text, pattern->text) != 0)
            return false;
        for (uint32_t i = 0; i + 1 < t->arity; i++) {
            if (!match_term(pattern->args[i], t->args[i], out))
                return false;
        }
        if (t->arity == 0)
            return true;
        pattern = pattern->args[t->arity - 1];
        t = t->args[t->arity - 1];
    }
}

bool term_match(const term *pattern, const term *t, bindings *out) {
    size_t before = out->count;
    if (match_term(pattern, t, out))
        return true;
    out->count = before;
    return false;
}
