// query/builtins/terms.c - builtins over terms, kinds of terms, symbols and integers.
#include <math.h>
#include "query/builtins/builtin.h"
#include "base/utf8.h"

#include <stdio.h>

#define RELATION_ARGS_MAX 64

static status emit_if(builtin_call *c, bool yes) {
    return yes ? builtin_emit(c, c->args) : OK;
}

status builtin_true(builtin_call *c) {
    return emit_if(c, true);
}

status builtin_false(builtin_call *c) {
    return emit_if(c, false);
}

// ---- Terms --------------------------------------------------------------------------------------

typedef struct matching {
    const values *v;
    value names[64], found[64];
    size_t count;
} matching;

static bool match_pattern(matching *m, value pattern, value x) {
    if (values_is(m->v, pattern, "$var", 1)) {
        value name = values_args(m->v, pattern)[0];
        const char *text = values_text(m->v, name);
        if (text[0] == '_' && (text[1] == 0 || text[1] == '#'))
            return true;
        for (size_t i = 0; i < m->count; i++) {
            if (m->names[i] == name)
                return values_same(m->v, m->found[i], x);
        }
        if (m->count == 64)
            return false;
        m->names[m->count] = name;
        m->found[m->count++] = x;
        return true;
    }
    if (value_kind(pattern) != VALUE_COMPOUND || value_kind(x) != VALUE_COMPOUND)
        return values_same(m->v, pattern, x);
    if (values_arity(m->v, pattern) != values_arity(m->v, x) ||
        values_functor(m->v, pattern) != values_functor(m->v, x))
        return false;
    for (uint32_t i = 0; i < values_arity(m->v, x); i++) {
        if (!match_pattern(m, values_args(m->v, pattern)[i], values_args(m->v, x)[i]))
            return false;
    }
    return true;
}

status builtin_matches(builtin_call *c) {
    matching m = {.v = c->values};
    return emit_if(c, match_pattern(&m, c->args[0], c->args[1]));
}

status builtin_functor(builtin_call *c) {
    value t = c->args[0];
    bool compound = value_kind(t) == VALUE_COMPOUND;
    if (!compound && value_kind(t) != VALUE_SYMBOL)
        return OK;
    value out[2] = {compound ? values_functor(c->values, t) : t,
                    values_int(c->values, compound ? values_arity(c->values, t) : 0)};
    return builtin_answer(c, 1, out, 2);
}

status builtin_arg(builtin_call *c) {
    value t = c->args[1];
    if (value_kind(t) != VALUE_COMPOUND)
        return OK;
    for (uint32_t i = 0; i < values_arity(c->values, t); i++) {
        value row[3] = {values_int(c->values, i + 1), t, values_args(c->values, t)[i]};
        status s = builtin_emit(c, row);
        if (s != OK)
            return s;
    }
    return OK;
}

status builtin_args(builtin_call *c) {
    value t = c->args[0], out;
    bool compound = value_kind(t) == VALUE_COMPOUND;
    if (!compound && value_kind(t) != VALUE_SYMBOL)
        return OK;
    out = values_list(c->values, compound ? values_args(c->values, t) : NULL,
                      compound ? values_arity(c->values, t) : 0);
    return builtin_answer(c, 1, &out, 1);
}

status builtin_compose(builtin_call *c) {
    builtin_items items = {0};
    bool proper = false;
    status s = OK;
    if (value_kind(c->args[0]) == VALUE_SYMBOL)
        s = builtin_take_items(c, c->args[1], &items, &proper);
    if (s == OK && proper && items.count <= RELATION_ARGS_MAX) {
        value out = items.count == 0 ? c->args[0]
                                     : values_compound_of(c->values, c->args[0],
                                                          (uint32_t)items.count, items.items);
        s = builtin_answer(c, 2, &out, 1);
    }
    array_finish(&items);
    return s;
}

static status emit_subterms(builtin_call *c, value t) {
    value row[2] = {c->args[0], t};
    status s = builtin_emit(c, row);
    if (value_kind(t) != VALUE_COMPOUND)
        return s;
    // The last argument is followed in a loop, so that long lists need no stack.
    while (s == OK && value_kind(t) == VALUE_COMPOUND) {
        uint32_t n = values_arity(c->values, t);
        for (uint32_t i = 0; i + 1 < n && s == OK; i++)
            s = emit_subterms(c, values_args(c->values, t)[i]);
        t = values_args(c->values, t)[n - 1];
        if (s == OK) {
            row[1] = t;
            s = builtin_emit(c, row);
        }
    }
    return s;
}

status builtin_subterm(builtin_call *c) {
    return emit_subterms(c, c->args[0]);
}

// ---- Kinds and texts ----------------------------------------------------------------------------

status builtin_is_symbol(builtin_call *c) {
    return emit_if(c, value_kind(c->args[0]) == VALUE_SYMBOL);
}

status builtin_is_number(builtin_call *c) {
    return emit_if(c, value_is_number(c->args[0]));
}

status builtin_is_time(builtin_call *c) {
    return emit_if(c, value_kind(c->args[0]) == VALUE_TIME);
}

status builtin_is_string(builtin_call *c) {
    return emit_if(c, value_kind(c->args[0]) == VALUE_STRING);
}

status builtin_is_compound(builtin_call *c) {
    return emit_if(c, value_kind(c->args[0]) == VALUE_COMPOUND);
}

status builtin_is_list(builtin_call *c) {
    value head, rest = c->args[0];
    while (values_uncons(c->values, rest, &head, &rest))
        continue;
    return emit_if(c, values_is_nil(c->values, rest));
}

static const char *text_of(const builtin_call *c, uint32_t arg) {
    value_tag k = value_kind(c->args[arg]);
    return k == VALUE_SYMBOL || k == VALUE_STRING ? values_text(c->values, c->args[arg]) : NULL;
}

status builtin_starts_with(builtin_call *c) {
    const char *a = text_of(c, 0), *b = text_of(c, 1);
    return emit_if(c, a && b && strncmp(a, b, strlen(b)) == 0);
}

status builtin_ends_with(builtin_call *c) {
    const char *a = text_of(c, 0), *b = text_of(c, 1);
    return emit_if(c,
                   a && b && strlen(a) >= strlen(b) && strcmp(a + strlen(a) - strlen(b), b) == 0);
}

status builtin_has_text(builtin_call *c) {
    const char *a = text_of(c, 0), *b = text_of(c, 1);
    return emit_if(c, a && b && strstr(a, b));
}

status builtin_text_length(builtin_call *c) {
    const char *a = text_of(c, 0);
    int64_t n = 0; // characters: bytes that continue one do not count
    for (const char *at = a; at && *at; at++)
        n += !utf8_continues(*at);
    value out = a ? values_int(c->values, n) : VALUE_NONE;
    return builtin_answer(c, 1, &out, 1);
}

status builtin_concat(builtin_call *c) {
    const char *a = text_of(c, 0), *b = text_of(c, 1);
    char number[64];
    if (a && !b && value_is_number(c->args[1])) {
        values_format(c->values, c->args[1], number, sizeof number);
        b = number;
    }
    if (!a || !b)
        return OK;
    if (strlen(a) + strlen(b) > TEXT_MAX)
        return error_set(c->err, E_LIMIT, TEXT_TOO_LONG, TEXT_MAX);
    size_t length = strlen(a) + strlen(b);
    char *text = malloc(length + 1);
    if (!text)
        return E_MEMORY;
    memcpy(text, a, strlen(a));
    memcpy(text + strlen(a), b, strlen(b) + 1);
    value out = value_kind(c->args[0]) == VALUE_SYMBOL ? values_symbol(c->values, text)
                                                       : values_string(c->values, text);
    free(text);
    return builtin_answer(c, 2, &out, 1);
}

status builtin_before_term(builtin_call *c) {
    return emit_if(c, values_order(c->values, c->args[0], c->args[1]) < 0);
}

#define BETWEEN_MAX 1000000

status builtin_between(builtin_call *c) {
    int64_t low, high, n;
    double x;
    if (!values_whole(c->values, c->args[0], &low) || !values_whole(c->values, c->args[1], &high))
        return OK;
    if (c->args[2] != VALUE_NONE) {
        if (values_whole(c->values, c->args[2], &n))
            return n >= low && n <= high ? builtin_emit(c, c->args) : OK;
        // Answers are compared by value: 2.0 is one of them.
        bool one = values_number(c->values, c->args[2], &x) && x == floor(x) &&
                   values_compare(c->values, c->args[2], c->args[0]) >= 0 &&
                   values_compare(c->values, c->args[2], c->args[1]) <= 0;
        return one ? builtin_emit(c, c->args) : OK;
    }
    if (high < low)
        return OK;
    uint64_t more = (uint64_t)high - (uint64_t)low;
    if (more >= BETWEEN_MAX)
        return error_set(c->err, E_LIMIT, "between would give more than %d numbers", BETWEEN_MAX);
    for (uint64_t i = 0; i <= more; i++) {
        value out = values_int(c->values, low + (int64_t)i);
        status s = builtin_answer(c, 2, &out, 1);
        if (s != OK)
            return s;
    }
    return OK;
}
