// query/builtins/lists.c - builtins over lists.
#include <math.h>
#include <stdlib.h>
#include "query/builtins/builtin.h"

status builtin_take_items(const builtin_call *c, value list, builtin_items *out, bool *proper) {
    value head, rest = list;
    while (values_uncons(c->values, rest, &head, &rest)) {
        if (!array_push_try(out, head))
            return E_MEMORY;
    }
    *proper = values_is_nil(c->values, rest);
    return OK;
}

// Gives an answer with a list of these items in argument `arg`.
static status answer_list(builtin_call *c, uint32_t arg, const builtin_items *items) {
    value out = values_list(c->values, items->items, items->count);
    return builtin_answer(c, arg, &out, 1);
}

// Returns whether the value is a list to its end, and not such as [a | b].
static bool is_proper(const builtin_call *c, value list) {
    value head;
    while (values_uncons(c->values, list, &head, &list)) {
    }
    return values_is_nil(c->values, list);
}

status builtin_member(builtin_call *c) {
    value head, rest = c->args[1];
    if (!is_proper(c, rest))
        return OK;
    while (values_uncons(c->values, rest, &head, &rest)) {
        value row[2] = {head, c->args[1]};
        status s = builtin_emit(c, row);
        if (s != OK)
            return s;
    }
    return OK;
}

status builtin_nth(builtin_call *c) {
    value head, rest = c->args[1];
    int64_t wanted = 0;
    if (!is_proper(c, rest))
        return OK;
    if (!values_whole(c->values, c->args[0], &wanted))
        wanted = 0;
    for (int64_t n = 1; values_uncons(c->values, rest, &head, &rest); n++) {
        if ((wanted > 0 && n != wanted) ||
            (c->args[2] != VALUE_NONE && !values_same(c->values, c->args[2], head)))
            continue;
        value row[3] = {values_int(c->values, n), c->args[1], head};
        status s = builtin_emit(c, row);
        if (s != OK)
            return s;
    }
    return OK;
}

status builtin_length(builtin_call *c) {
    value head, rest = c->args[0];
    int64_t n = 0;
    while (values_uncons(c->values, rest, &head, &rest))
        n++;
    if (!values_is_nil(c->values, rest))
        return OK;
    value out = values_int(c->values, n);
    return builtin_answer(c, 1, &out, 1);
}

status builtin_append(builtin_call *c) {
    builtin_items items = {0};
    bool first = false, second = false;
    status s = builtin_take_items(c, c->args[0], &items, &first);
    if (s == OK)
        s = builtin_take_items(c, c->args[1], &items, &second);
    if (s == OK && first && second)
        s = answer_list(c, 2, &items);
    array_finish(&items);
    return s;
}

static void reverse_items(const builtin_call *c, builtin_items *items) {
    (void)c;
    for (size_t i = 0; i < items->count / 2; i++) {
        value *a = &items->items[i], *b = &items->items[items->count - 1 - i], kept = *a;
        *a = *b;
        *b = kept;
    }
}

static int compare_items(const void *a, const void *b, void *v) {
    return values_order(v, *(const value *)a, *(const value *)b);
}

static void sort_items(const builtin_call *c, builtin_items *items) {
    if (items->count > 0)
        qsort_r(items->items, items->count, sizeof *items->items, compare_items, c->values);
}

static status rearrange_list(builtin_call *c, void (*how)(const builtin_call *, builtin_items *)) {
    builtin_items items = {0};
    bool proper = false;
    status s = builtin_take_items(c, c->args[0], &items, &proper);
    if (s == OK && proper) {
        how(c, &items);
        s = answer_list(c, 1, &items);
    }
    array_finish(&items);
    return s;
}

status builtin_reverse(builtin_call *c) {
    return rearrange_list(c, reverse_items);
}

status builtin_sort(builtin_call *c) {
    return rearrange_list(c, sort_items);
}

// Adds up as `sum { X : Goal }` does: in integers while all items are and the sum fits, else in
// floats; times count as seconds.
status builtin_sum_list(builtin_call *c) {
    value head, rest = c->args[0];
    int64_t whole = 0;
    bool is_whole = true;
    double real = 0, x;
    while (values_uncons(c->values, rest, &head, &rest)) {
        if (!values_number(c->values, head, &x)) {
            char text[80];
            values_format(c->values, head, text, sizeof text);
            return error_set(c->err, E_INPUT, "sum_list adds up numbers; %s is none", text);
        }
        int64_t n;
        if (!values_whole(c->values, head, &n) || __builtin_add_overflow(whole, n, &whole))
            is_whole = false;
        real += x;
    }
    if (!values_is_nil(c->values, rest) || !isfinite(real))
        return OK;
    value out = is_whole ? values_int(c->values, whole) : values_float(c->values, real);
    return builtin_answer(c, 1, &out, 1);
}

status builtin_adjacent(builtin_call *c) {
    value before, item, rest = c->args[0];
    if (!is_proper(c, rest) || !values_uncons(c->values, rest, &before, &rest))
        return OK;
    for (; values_uncons(c->values, rest, &item, &rest); before = item) {
        if ((c->args[1] != VALUE_NONE && !values_same(c->values, c->args[1], before)) ||
            (c->args[2] != VALUE_NONE && !values_same(c->values, c->args[2], item)))
            continue;
        value row[3] = {c->args[0], before, item};
        status s = builtin_emit(c, row);
        if (s != OK)
            return s;
    }
    return OK;
}
