// projector/interp/evaluation/functions.c - functions of expressions that need no robot: numbers,
// lists, names, and properties that the belief has of the items of a list.
#include "projector/interp/evaluation/designator.h"
#include "projector/interp/evaluation/eval.h"

#include "base/text/number.h"

// ---- Numbers ------------------------------------------------------------------------------------

static const term *number_term(arena *a, double value, bool whole) {
    if (whole && value >= -9e15 && value <= 9e15 && value == (double)(int64_t)value)
        return term_int(a, (int64_t)value);
    return term_float(a, value);
}

static bool apply_arithmetic(const evaluation *e, functor f, const term *t, const term **out) {
    double x = 0, y = 0, r = 0;
    bool two = t->arity == 2;
    if (!term_number(t->args[0], &x) || (two && !term_number(t->args[1], &y)))
        return eval_complain_term(e->i, "not a number in", t);
    bool whole = t->args[0]->kind == TERM_INT && (!two || t->args[1]->kind == TERM_INT);
    switch (f) {
    case FUNCTOR_PLUS:
        r = x + y;
        break;
    case FUNCTOR_MINUS:
        r = two ? x - y : -x;
        break;
    case FUNCTOR_TIMES:
        r = x * y;
        break;
    case FUNCTOR_MIN:
        r = fmin(x, y);
        break;
    case FUNCTOR_MAX:
        r = fmax(x, y);
        break;
    case FUNCTOR_ABS:
        r = fabs(x);
        break;
    default:
        if (y == 0)
            return eval_complain_term(e->i, "division by zero in", t);
        r = f == FUNCTOR_MOD ? x - y * floor(x / y) : x / y;
        whole = whole && f == FUNCTOR_MOD;
        break;
    }
    if (!isfinite(r))
        return eval_complain_term(e->i, "the result is no number:", t);
    *out = number_term(e->i->scratch, r, whole);
    return true;
}

// ---- Lists --------------------------------------------------------------------------------------

static bool need_list(const evaluation *e, const term *t, const term *list, int64_t *length) {
    *length = term_list_length(list);
    return *length >= 0 || eval_complain_term(e->i, "not a list in", t);
}

// The items of a list without those that equal `except` (may be NULL).
static const term **items_of(arena *a, const term *list, int64_t length, const term *except,
                             size_t *count) {
    const term **items = arena_alloc(a, ((size_t)length + 1) * sizeof *items);
    *count = 0;
    for (; term_is(list, "[|]", 2); list = list->args[1]) {
        if (!except || !term_equal(list->args[0], except))
            items[(*count)++] = list->args[0];
    }
    return items;
}

static bool apply_to_list(const evaluation *e, functor f, const term *t, const term **out) {
    arena *a = e->i->scratch;
    const term *list = t->args[0];
    int64_t length;
    if (!need_list(e, t, list, &length))
        return false;
    if (f == FUNCTOR_LENGTH) {
        *out = term_int(a, length);
        return true;
    }
    if (f == FUNCTOR_REVERSE) {
        size_t count;
        const term **items = items_of(a, list, length, NULL, &count);
        for (size_t k = 0; k < count / 2; k++) {
            const term *swap = items[k];
            items[k] = items[count - 1 - k];
            items[count - 1 - k] = swap;
        }
        *out = term_list(a, items, count, NULL);
        return true;
    }
    if (length == 0)
        return eval_complain_term(e->i, "the list is empty in", t);
    if (f == FUNCTOR_REST)
        *out = list->args[1];
    else
        *out = term_list_item(list, f == FUNCTOR_FIRST ? 0 : (size_t)length - 1);
    return true;
}

static bool apply_pairs(const evaluation *e, const term *t, const term **out) {
    arena *a = e->i->scratch;
    int64_t length, other;
    if (!need_list(e, t, t->args[0], &length) || !need_list(e, t, t->args[1], &other))
        return false;
    const term **items = arena_alloc(a, ((size_t)length + 1) * sizeof *items);
    size_t count = 0;
    const term *x = t->args[0], *y = t->args[1];
    for (; term_is(x, "[|]", 2) && term_is(y, "[|]", 2); x = x->args[1], y = y->args[1]) {
        const term *both[2] = {x->args[0], y->args[0]};
        items[count++] = term_list(a, both, 2, NULL);
    }
    *out = term_list(a, items, count, NULL);
    return true;
}

static bool apply_to_list_and_more(const evaluation *e, functor f, const term *t,
                                   const term **out) {
    arena *a = e->i->scratch;
    const term *list = t->args[0], *other = t->args[1];
    int64_t length;
    double number = 0;
    size_t count;
    if (!need_list(e, t, list, &length))
        return false;
    switch (f) {
    case FUNCTOR_NTH:
        if (!term_number(other, &number) || !(number >= 1 && number <= (double)length))
            return eval_complain_term(e->i, "no such place (they count from 1) in", t);
        *out = term_list_item(list, (size_t)number - 1);
        return true;
    case FUNCTOR_TAKE: {
        if (!term_number(other, &number) || !(number >= 0))
            return eval_complain_term(e->i, "no number of items in", t);
        const term **items = items_of(a, list, length, NULL, &count);
        *out = term_list(a, items, number < (double)count ? (size_t)number : count, NULL);
        return true;
    }
    case FUNCTOR_COUNT:
        items_of(a, list, length, other, &count);
        *out = term_int(a, length - (int64_t)count);
        return true;
    case FUNCTOR_WITHOUT: {
        const term **items = items_of(a, list, length, other, &count);
        *out = term_list(a, items, count, NULL);
        return true;
    }
    default: {
        const term **items = items_of(a, list, length, NULL, &count);
        const term *tail = term_list_length(other) >= 0 ? other : term_list(a, &other, 1, NULL);
        *out = term_list(a, items, count, tail);
        return true;
    }
    }
}

enum { RANGE_MAX = 100000 };

static bool apply_range(const evaluation *e, const term *t, const term **out) {
    double from = 1, to = 0;
    if (!term_number(t->args[t->arity - 1], &to) ||
        (t->arity == 2 && !term_number(t->args[0], &from)) || !(fabs(from) < 9e15))
        return eval_complain_term(e->i, "not a number in", t);
    if (to - from > RANGE_MAX)
        return eval_complain_term(e->i, "more than 100000 items in", t);
    size_t count = to < from ? 0 : (size_t)(to - from) + 1;
    const term **items = arena_alloc(e->i->scratch, (count + 1) * sizeof *items);
    for (size_t k = 0; k < count; k++)
        items[k] = number_term(e->i->scratch, from + (double)k, true);
    *out = term_list(e->i->scratch, items, count, NULL);
    return true;
}

// Applies name(place_, 2), which is place_2.
static bool apply_name(const evaluation *e, const term *t, const term **out) {
    const char *parts[2];
    for (int k = 0; k < 2; k++) {
        const term *p = t->args[k];
        if (p->kind == TERM_COMPOUND || p->kind == TERM_VAR)
            return eval_complain_term(e->i, "no name can be made by", t);
        parts[k] = p->kind == TERM_SYMBOL || p->kind == TERM_STRING ? p->text
                                                                    : term_text(e->i->scratch, p);
    }
    *out = term_symbol(e->i->scratch, arena_format(e->i->scratch, "%s%s", parts[0], parts[1]));
    return true;
}

// ---- What the belief says of items --------------------------------------------------------------

// Whether an object is believed to have a property: type(cup) of plate#1 is asked as type(plate#1,
// cup).
static bool has_property(const evaluation *e, const term *object, const term *wanted, bool *out) {
    interp *i = e->i;
    uint32_t given = wanted->kind == TERM_COMPOUND ? wanted->arity : 0;
    if (wanted->kind != TERM_COMPOUND && wanted->kind != TERM_SYMBOL)
        return eval_complain_term(i, "this is no property", wanted);
    const term **args = arena_alloc(i->scratch, (given + 1) * sizeof *args);
    args[0] = object;
    for (uint32_t k = 0; k < given; k++)
        args[k + 1] = wanted->args[k];
    error err = {0};
    i->found.count = 0;
    status s =
        belief_solve(i->mind->belief, i->scratch,
                     term_compound(i->scratch, wanted->text, given + 1, args), &i->found, &err);
    *out = i->found.count > 0;
    return s == OK || eval_refused(i, s, &err);
}

static bool apply_fitting(const evaluation *e, const term *t, const term **out) {
    int64_t length, properties;
    if (!need_list(e, t, t->args[0], &length) || !need_list(e, t, t->args[1], &properties))
        return false;
    const term **kept = arena_alloc(e->i->scratch, ((size_t)length + 1) * sizeof *kept);
    size_t count = 0;
    for (const term *l = t->args[0]; term_is(l, "[|]", 2); l = l->args[1]) {
        bool fits = true;
        for (const term *p = t->args[1]; fits && term_is(p, "[|]", 2); p = p->args[1]) {
            if (!has_property(e, l->args[0], p->args[0], &fits))
                return false;
        }
        if (fits)
            kept[count++] = l->args[0];
    }
    *out = term_list(e->i->scratch, kept, count, NULL);
    return true;
}

static bool distance_of(const evaluation *e, const term *object, double *out) {
    const belief *b = e->i->mind->belief;
    const term *what = designator_resolve(e->i, e->task, object);
    if (!what)
        return false;
    const believed_object *o = what->kind == TERM_SYMBOL ? belief_find(b, what->text) : NULL;
    if (!o)
        return eval_complain_term(e->i, "it is not believed in, so has no distance", what);
    pose self = belief_robot(b);
    *out = hypot(o->at.p.x - self.p.x, o->at.p.y - self.p.y);
    return true;
}

static bool key_of(const evaluation *e, const term *item, const term *by, const term **out) {
    if (term_is_symbol(by, "value")) {
        *out = item;
        return true;
    }
    if (term_is_symbol(by, "distance")) {
        double d = 0;
        if (!distance_of(e, item, &d))
            return false;
        *out = term_float(e->i->scratch, d);
        return true;
    }
    const term *call = term_compound(e->i->scratch, by->text, 1, &item);
    functor f = functor_of(e->i, call);
    if (f == FUNCTOR_NONE)
        return eval_complain(e->i, "nothing can be sorted by %.60s: it is no function", by->text);
    return eval_apply(e, f, call, out);
}

// Sorts items by their keys, in a stable merge sort.
static void sort_keyed(const term **items, const term **keys, const term **spare, size_t count) {
    if (count < 2)
        return;
    size_t half = count / 2;
    sort_keyed(items, keys, spare, half);
    sort_keyed(items + half, keys + half, spare, count - half);
    const term **spare_keys = spare + count;
    for (size_t a = 0, b = half, k = 0; k < count; k++) {
        bool left = b == count || (a < half && term_order(keys[a], keys[b]) <= 0);
        size_t from = left ? a++ : b++;
        spare[k] = items[from];
        spare_keys[k] = keys[from];
    }
    memcpy(items, spare, count * sizeof *items);
    memcpy(keys, spare_keys, count * sizeof *keys);
}

static bool apply_sort_by(const evaluation *e, const term *t, const term *by, const term **out) {
    arena *a = e->i->scratch;
    int64_t length;
    size_t count;
    if (!need_list(e, t, t->args[0], &length))
        return false;
    if (by->kind != TERM_SYMBOL)
        return eval_complain_term(e->i, "nothing can be sorted by", by);
    const term **items = items_of(a, t->args[0], length, NULL, &count);
    const term **keys = arena_alloc(a, (count + 1) * sizeof *keys);
    for (size_t k = 0; k < count; k++) {
        if (!key_of(e, items[k], by, &keys[k]))
            return false;
    }
    sort_keyed(items, keys, arena_alloc(a, (2 * count + 1) * sizeof *keys), count);
    *out = term_list(a, items, count, NULL);
    return true;
}

static bool apply_nearest(const evaluation *e, const term *t, const term **out) {
    const term *sorted;
    if (!apply_sort_by(e, t, term_symbol(e->i->scratch, "distance"), &sorted))
        return false;
    if (!term_is(sorted, "[|]", 2))
        return eval_complain_term(e->i, "the list is empty in", t);
    *out = sorted->args[0];
    return true;
}

static bool apply_arm_of(const evaluation *e, const term *t, const term **out) {
    const robot_model *r = e->i->mind->robot;
    for (size_t k = 0; k < r->arm_count; k++) {
        if (term_is_symbol(t->args[0], r->arms[k].gripper.name) ||
            term_is_symbol(t->args[0], r->arms[k].name)) {
            *out = term_symbol(e->i->scratch, r->arms[k].name);
            return true;
        }
    }
    return eval_complain_term(e->i, "the robot has no such hand", t->args[0]);
}

bool function_apply(const evaluation *e, functor f, const term *t, const term **out) {
    switch (f) {
    case FUNCTOR_PLUS:
    case FUNCTOR_MINUS:
    case FUNCTOR_TIMES:
    case FUNCTOR_DIVIDED:
    case FUNCTOR_MOD:
    case FUNCTOR_MIN:
    case FUNCTOR_MAX:
    case FUNCTOR_ABS:
        return apply_arithmetic(e, f, t, out);
    case FUNCTOR_FIRST:
    case FUNCTOR_REST:
    case FUNCTOR_LAST:
    case FUNCTOR_LENGTH:
    case FUNCTOR_REVERSE:
        return apply_to_list(e, f, t, out);
    case FUNCTOR_NTH:
    case FUNCTOR_APPEND:
    case FUNCTOR_WITHOUT:
    case FUNCTOR_TAKE:
    case FUNCTOR_COUNT:
        return apply_to_list_and_more(e, f, t, out);
    case FUNCTOR_RANGE:
        return apply_range(e, t, out);
    case FUNCTOR_PAIRS:
        return apply_pairs(e, t, out);
    case FUNCTOR_SORT_BY:
        return apply_sort_by(e, t, t->args[1], out);
    case FUNCTOR_NEAREST:
        return apply_nearest(e, t, out);
    case FUNCTOR_NAME:
        return apply_name(e, t, out);
    case FUNCTOR_FITTING:
    case FUNCTOR_ARM_OF: {
        const term *what = designator_resolve(e->i, e->task, t);
        if (!what)
            return false;
        return f == FUNCTOR_FITTING ? apply_fitting(e, what, out) : apply_arm_of(e, what, out);
    }
    default:
        return true; // data
    }
}
