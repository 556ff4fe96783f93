// query/rows/value.c - hash-consed values.
#include "query/rows/value.h"

#include <math.h>
#include <stdio.h>
#include "base/time/clock.h"
#include "base/hash.h"
#include "base/text/number.h"
#include "query/fault.h"

#define DEPTH_MAX 200
#define INLINE_MAX ((INT64_C(1) << 60) - 1)

typedef struct compound {
    value functor; // a symbol
    uint32_t arity, depth;
    value args[];
} compound;

typedef struct text_entry {
    const char *text;
    uint32_t length, hash;
} text_entry;

// A hash table by open addressing: each slot holds the index of an item + 1; 0 is free.
typedef struct slots {
    uint32_t *at;
    uint32_t size, used; // size is a power of two
} slots;

struct values {
    budget *budget;
    arena *arena;
    ARRAY(text_entry) texts;
    ARRAY(double) floats;
    ARRAY(int64_t) wides;
    ARRAY(compound *) compounds;
    slots text_slots, float_slots, wide_slots, compound_slots;
    value cons, nil;
    status failed;
    bool deep; // a value failed because a term would be too deep
};

bool budget_take(budget *b, size_t bytes) {
    if (bytes > b->limit || b->used > b->limit - bytes)
        return false;
    b->used += bytes;
    return true;
}

bool budget_watched(budget *b) {
    nanos now = clock_coarse();
    if (b->watch_next == 0)
        b->watch_next = now + b->watch_every;
    if (now < b->watch_next)
        return false;
    b->watch_next = now + b->watch_every;
    if (b->watch(b->watcher, b))
        atomic_store_explicit(&b->interrupted, true, memory_order_relaxed);
    return atomic_load_explicit(&b->interrupted, memory_order_relaxed);
}

static value make_value(value_tag tag, uint64_t payload) {
    return payload << 3 | (uint64_t)tag;
}

static uint32_t item_index(value a) {
    return (uint32_t)(a >> 3);
}

values *values_create(budget *b) {
    values *v = calloc(1, sizeof *v);
    if (!v)
        return NULL;
    v->budget = b;
    v->arena = arena_create();
    v->nil = values_symbol(v, "[]");
    v->cons = values_symbol(v, "[|]");
    return v;
}

void values_destroy(values *v) {
    if (!v)
        return;
    array_finish(&v->texts);
    array_finish(&v->floats);
    array_finish(&v->wides);
    array_finish(&v->compounds);
    free(v->text_slots.at);
    free(v->float_slots.at);
    free(v->wide_slots.at);
    free(v->compound_slots.at);
    arena_destroy(v->arena);
    free(v);
}

budget *values_budget(const values *v) {
    return v->budget;
}

static value fail_value(values *v, status why) {
    if (v->failed == OK)
        v->failed = why;
    return VALUE_NONE;
}

status values_failed(const values *v) {
    return v->failed;
}

bool values_too_deep(const values *v) {
    return v->deep;
}

void values_forgive(values *v) {
    v->failed = OK;
    v->deep = false;
}

static uint64_t text_hash(const char *text, size_t length) {
    return hash_word(hash_bytes(text, length));
}

static uint64_t double_hash(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return hash_word(bits);
}

static uint64_t compound_hash(value functor, uint32_t arity, const value *args) {
    uint64_t h = hash_word(functor + arity);
    for (uint32_t i = 0; i < arity; i++)
        h = hash_word(h ^ args[i]);
    return h;
}

static uint64_t item_hash(const values *v, const slots *s, uint32_t i) {
    if (s == &v->text_slots)
        return text_hash(v->texts.items[i].text, v->texts.items[i].length);
    if (s == &v->float_slots)
        return double_hash(v->floats.items[i]);
    if (s == &v->wide_slots)
        return hash_word((uint64_t)v->wides.items[i]);
    const compound *c = v->compounds.items[i];
    return compound_hash(c->functor, c->arity, c->args);
}

// Makes room for one more item. False: memory is out.
static bool slots_reserve(values *v, slots *s) {
    if (s->at && (s->used + 1) * 2 <= s->size)
        return true;
    uint32_t size = s->size ? s->size * 2 : 64;
    if (!budget_take(v->budget, (size - s->size) * sizeof *s->at))
        return false;
    uint32_t *at = calloc(size, sizeof *at);
    if (!at)
        return false;
    for (uint32_t i = 0; i < s->size; i++) {
        if (!s->at[i])
            continue;
        uint32_t k = (uint32_t)item_hash(v, s, s->at[i] - 1) & (size - 1);
        while (at[k])
            k = (k + 1) & (size - 1);
        at[k] = s->at[i];
    }
    free(s->at);
    s->at = at;
    s->size = size;
    return true;
}

value values_text_of(values *v, value_tag tag, const char *text, size_t length) {
    if (!slots_reserve(v, &v->text_slots))
        return fail_value(v, E_LIMIT);
    uint32_t mask = v->text_slots.size - 1;
    uint32_t k = (uint32_t)text_hash(text, length) & mask;
    for (; v->text_slots.at[k]; k = (k + 1) & mask) {
        const text_entry *e = &v->texts.items[v->text_slots.at[k] - 1];
        if (e->length == length && memcmp(e->text, text, length) == 0)
            return make_value(tag, v->text_slots.at[k] - 1);
    }
    if (!budget_take(v->budget, length + 1 + sizeof(text_entry)))
        return fail_value(v, E_LIMIT);
    char *copy = arena_try(v->arena, length + 1);
    if (!copy)
        return fail_value(v, E_MEMORY);
    memcpy(copy, text, length);
    if (!array_push_try(&v->texts, (text_entry){copy, (uint32_t)length, 0}))
        return fail_value(v, E_MEMORY);
    v->text_slots.at[k] = (uint32_t)v->texts.count;
    v->text_slots.used++;
    return make_value(tag, v->texts.count - 1);
}

value values_symbol(values *v, const char *text) {
    return values_text_of(v, VALUE_SYMBOL, text, strlen(text));
}

value values_string(values *v, const char *text) {
    return values_text_of(v, VALUE_STRING, text, strlen(text));
}

value values_int(values *v, int64_t n) {
    if (n >= -INLINE_MAX && n <= INLINE_MAX)
        return make_value(VALUE_INT, (uint64_t)n);
    if (FAULT(NARROW_INTEGER))
        return make_value(VALUE_INT, (uint64_t)n);
    if (!slots_reserve(v, &v->wide_slots))
        return fail_value(v, E_LIMIT);
    uint32_t mask = v->wide_slots.size - 1, k = (uint32_t)hash_word((uint64_t)n) & mask;
    for (; v->wide_slots.at[k]; k = (k + 1) & mask) {
        if (v->wides.items[v->wide_slots.at[k] - 1] == n)
            return make_value(VALUE_WIDE, v->wide_slots.at[k] - 1);
    }
    if (!budget_take(v->budget, sizeof n))
        return fail_value(v, E_LIMIT);
    if (!array_push_try(&v->wides, n))
        return fail_value(v, E_MEMORY);
    v->wide_slots.at[k] = (uint32_t)v->wides.count;
    v->wide_slots.used++;
    return make_value(VALUE_WIDE, v->wides.count - 1);
}

value values_float(values *v, double x) {
    if (x == 0)
        x = 0; // -0 and 0 are one value
    if (!slots_reserve(v, &v->float_slots))
        return fail_value(v, E_LIMIT);
    uint32_t mask = v->float_slots.size - 1, k = (uint32_t)double_hash(x) & mask;
    for (; v->float_slots.at[k]; k = (k + 1) & mask) {
        if (memcmp(&v->floats.items[v->float_slots.at[k] - 1], &x, sizeof x) == 0)
            return make_value(VALUE_FLOAT, v->float_slots.at[k] - 1);
    }
    if (!budget_take(v->budget, sizeof x))
        return fail_value(v, E_LIMIT);
    if (!array_push_try(&v->floats, x))
        return fail_value(v, E_MEMORY);
    v->float_slots.at[k] = (uint32_t)v->floats.count;
    v->float_slots.used++;
    return make_value(VALUE_FLOAT, v->floats.count - 1);
}

value values_time(nanos t) {
    if (t > TIME_MAX)
        t = TIME_MAX;
    if (t < -TIME_MAX)
        t = -TIME_MAX;
    return make_value(VALUE_TIME, (uint64_t)t);
}

static uint32_t depth_of(const values *v, value a) {
    return value_kind(a) == VALUE_COMPOUND ? v->compounds.items[item_index(a)]->depth : 0;
}

value values_compound_of(values *v, value functor, uint32_t arity, const value *args) {
    uint32_t depth = 0;
    for (uint32_t i = 0; i < arity; i++) {
        if (args[i] == VALUE_NONE)
            return VALUE_NONE;
        uint32_t d = depth_of(v, args[i]) + (functor == v->cons && i == 1 ? 0 : 1);
        depth = d > depth ? d : depth;
    }
    if (functor == VALUE_NONE)
        return VALUE_NONE;
    if (depth > DEPTH_MAX) {
        v->deep = v->deep || v->failed == OK;
        return fail_value(v, E_LIMIT);
    }
    if (!slots_reserve(v, &v->compound_slots))
        return fail_value(v, E_LIMIT);
    uint32_t mask = v->compound_slots.size - 1;
    uint32_t k = (uint32_t)compound_hash(functor, arity, args) & mask;
    for (; v->compound_slots.at[k]; k = (k + 1) & mask) {
        const compound *c = v->compounds.items[v->compound_slots.at[k] - 1];
        if (c->functor == functor && c->arity == arity &&
            memcmp(c->args, args, arity * sizeof *args) == 0)
            return make_value(VALUE_COMPOUND, v->compound_slots.at[k] - 1);
    }
    size_t size = sizeof(compound) + arity * sizeof *args;
    if (!budget_take(v->budget, size + sizeof(compound *)))
        return fail_value(v, E_LIMIT);
    compound *c = arena_try(v->arena, size);
    if (!c)
        return fail_value(v, E_MEMORY);
    c->functor = functor;
    c->arity = arity;
    c->depth = depth;
    memcpy(c->args, args, arity * sizeof *args);
    if (!array_push_try(&v->compounds, c))
        return fail_value(v, E_MEMORY);
    v->compound_slots.at[k] = (uint32_t)v->compounds.count;
    v->compound_slots.used++;
    return make_value(VALUE_COMPOUND, v->compounds.count - 1);
}

value values_compound(values *v, const char *functor, uint32_t arity, const value *args) {
    return values_compound_of(v, values_symbol(v, functor), arity, args);
}

value values_list(values *v, const value *items, size_t count) {
    value list = v->nil;
    for (size_t i = count; i > 0; i--)
        list = values_compound_of(v, v->cons, 2, (value[]){items[i - 1], list});
    return list;
}

bool values_holds(const values *v, value a) {
    switch (value_kind(a)) {
    case VALUE_INT:
    case VALUE_TIME:
        return true;
    case VALUE_SYMBOL:
    case VALUE_STRING:
        return a >> 3 < v->texts.count;
    case VALUE_FLOAT:
        return a >> 3 < v->floats.count;
    case VALUE_WIDE:
        return a >> 3 < v->wides.count;
    case VALUE_COMPOUND:
        return a >> 3 < v->compounds.count;
    case VALUE_NOTHING:
        break;
    }
    return false;
}

value values_copy(values *to, const values *from, value a) {
    switch (value_kind(a)) {
    case VALUE_SYMBOL:
        return values_symbol(to, values_text(from, a));
    case VALUE_STRING:
        return values_string(to, values_text(from, a));
    case VALUE_FLOAT:
        return values_float(to, from->floats.items[item_index(a)]);
    case VALUE_WIDE:
        return values_int(to, values_integer(from, a));
    case VALUE_COMPOUND:
        break;
    default:
        return a;
    }
    // Lists may be long, so they are copied along their tails; other terms are not deep.
    ARRAY(value) items = {0};
    value head, rest = a, made = VALUE_NONE;
    bool room = true;
    while (room && values_uncons(from, rest, &head, &rest))
        room = array_push_try(&items, values_copy(to, from, head));
    if (items.count > 0) {
        made = room ? values_copy(to, from, rest) : fail_value(to, E_MEMORY);
        for (size_t i = items.count; i > 0; i--)
            made = values_compound_of(to, to->cons, 2, (value[]){items.items[i - 1], made});
    } else if (room) {
        uint32_t n = values_arity(from, a);
        for (uint32_t i = 0; room && i < n; i++)
            room = array_push_try(&items, values_copy(to, from, values_args(from, a)[i]));
        made = room
                   ? values_compound(to, values_text(from, values_functor(from, a)), n, items.items)
                   : fail_value(to, E_MEMORY);
    }
    array_finish(&items);
    return made;
}

const char *values_text(const values *v, value a) {
    return v->texts.items[item_index(a)].text;
}

int64_t values_integer(const values *v, value a) {
    return value_kind(a) == VALUE_WIDE ? v->wides.items[item_index(a)] : (int64_t)a >> 3;
}

bool values_whole(const values *v, value a, int64_t *out) {
    if (value_kind(a) != VALUE_INT && value_kind(a) != VALUE_WIDE)
        return false;
    *out = values_integer(v, a);
    return true;
}

bool values_number(const values *v, value a, double *out) {
    switch (value_kind(a)) {
    case VALUE_INT:
    case VALUE_WIDE:
        *out = (double)values_integer(v, a);
        return true;
    case VALUE_FLOAT:
        *out = v->floats.items[item_index(a)];
        return true;
    case VALUE_TIME:
        // Division gives the nearest double, which prints as the time was written.
        *out = (double)value_nanos(a) / 1e9;
        return true;
    default:
        return false;
    }
}

value values_functor(const values *v, value a) {
    return v->compounds.items[item_index(a)]->functor;
}

uint32_t values_arity(const values *v, value a) {
    return v->compounds.items[item_index(a)]->arity;
}

const value *values_args(const values *v, value a) {
    return v->compounds.items[item_index(a)]->args;
}

bool values_is(const values *v, value a, const char *functor, uint32_t arity) {
    return value_kind(a) == VALUE_COMPOUND && values_arity(v, a) == arity &&
           strcmp(values_text(v, values_functor(v, a)), functor) == 0;
}

bool values_uncons(const values *v, value list, value *head, value *rest) {
    if (value_kind(list) != VALUE_COMPOUND || values_functor(v, list) != v->cons ||
        values_arity(v, list) != 2)
        return false;
    *head = values_args(v, list)[0];
    *rest = values_args(v, list)[1];
    return true;
}

bool values_is_nil(const values *v, value a) {
    return a == v->nil;
}

static int kind_rank(value a) {
    switch (value_kind(a)) {
    case VALUE_INT:
    case VALUE_WIDE:
    case VALUE_FLOAT:
    case VALUE_TIME:
        return 0;
    case VALUE_SYMBOL:
        return 1;
    case VALUE_STRING:
        return 2;
    default:
        return 3;
    }
}

// Compares exactly, where turning the integer into a double would round.
static int order_whole(int64_t a, double b) {
    if (b >= 0x1p63)
        return -1;
    if (b < -0x1p63)
        return 1;
    int64_t whole = (int64_t)b;
    if (a != whole)
        return a < whole ? -1 : 1;
    double rest = b - (double)whole;
    return (rest < 0) - (rest > 0);
}

static int order_numbers(const values *v, value a, value b) {
    value_tag ka = value_kind(a), kb = value_kind(b);
    if (ka == kb && (ka == VALUE_INT || ka == VALUE_TIME))
        return ((int64_t)a > (int64_t)b) - ((int64_t)a < (int64_t)b);
    bool whole_a = ka == VALUE_INT || ka == VALUE_WIDE,
         whole_b = kb == VALUE_INT || kb == VALUE_WIDE;
    if (whole_a && whole_b) {
        int64_t x = values_integer(v, a), y = values_integer(v, b);
        return (x > y) - (x < y);
    }
    if (ka == VALUE_TIME || kb == VALUE_TIME) {
        // Seconds become nanoseconds, so that 8.304 equals the instant that is written 8.304.
        double fa = 0, fb = 0;
        values_number(v, a, &fa);
        values_number(v, b, &fb);
        if (fabs(fa) < SECONDS_MAX && fabs(fb) < SECONDS_MAX) {
            nanos x = ka == VALUE_TIME ? value_nanos(a) : nanos_from_seconds(fa);
            nanos y = kb == VALUE_TIME ? value_nanos(b) : nanos_from_seconds(fb);
            return (x > y) - (x < y);
        }
        return (fa > fb) - (fa < fb);
    }
    double x = 0, y = 0;
    if (whole_a && values_number(v, b, &y))
        return order_whole(values_integer(v, a), y);
    if (whole_b && values_number(v, a, &x))
        return -order_whole(values_integer(v, b), x);
    values_number(v, a, &x);
    values_number(v, b, &y);
    return (x > y) - (x < y);
}

int values_compare(const values *v, value a, value b) {
    return order_numbers(v, a, b);
}

int values_order(const values *v, value a, value b) {
    while (a != b) {
        // Small integers and instants lie in the words themselves.
        if ((a & 7) == (b & 7) && ((a & 7) == VALUE_INT || (a & 7) == VALUE_TIME))
            return (int64_t)a < (int64_t)b ? -1 : 1;
        int ra = kind_rank(a), rb = kind_rank(b);
        if (ra != rb)
            return ra < rb ? -1 : 1;
        if (ra == 0) {
            int c = order_numbers(v, a, b);
            if (c != 0)
                return c;
            return value_kind(a) < value_kind(b) ? -1 : value_kind(a) > value_kind(b);
        }
        if (ra < 3) {
            int c = strcmp(values_text(v, a), values_text(v, b));
            return c < 0 ? -1 : c > 0;
        }
        uint32_t na = values_arity(v, a), nb = values_arity(v, b);
        if (na != nb)
            return na < nb ? -1 : 1;
        int c = strcmp(values_text(v, values_functor(v, a)), values_text(v, values_functor(v, b)));
        if (c != 0)
            return c < 0 ? -1 : 1;
        const value *xa = values_args(v, a), *xb = values_args(v, b);
        for (uint32_t i = 0; i + 1 < na; i++) {
            c = values_order(v, xa[i], xb[i]);
            if (c != 0)
                return c;
        }
        // The last argument is compared in this loop, so that long lists need no stack.
        a = xa[na - 1];
        b = xb[na - 1];
    }
    return 0;
}

bool values_same(const values *v, value a, value b) {
    if (a == b)
        return true;
    return kind_rank(a) == 0 && kind_rank(b) == 0 && order_numbers(v, a, b) == 0;
}

value values_from_term(values *v, const term *t) {
    switch (t->kind) {
    case TERM_INT:
        return values_int(v, t->integer);
    case TERM_FLOAT:
        return values_float(v, t->real);
    case TERM_STRING:
        return values_string(v, t->text);
    case TERM_SYMBOL:
        return values_symbol(v, t->text);
    case TERM_VAR:
        return values_compound(v, "$var", 1, (value[]){values_symbol(v, t->text)});
    case TERM_COMPOUND:
        break;
    }
    int64_t length = term_list_length(t);
    if (length > 0) {
        value *items = malloc((size_t)length * sizeof *items);
        if (!items)
            return fail_value(v, E_MEMORY);
        for (size_t i = 0; t->kind == TERM_COMPOUND; t = t->args[1])
            items[i++] = values_from_term(v, t->args[0]);
        value list = values_list(v, items, (size_t)length);
        free(items);
        return list;
    }
    value args[16], *all = t->arity <= 16 ? args : malloc(t->arity * sizeof *all);
    if (!all)
        return fail_value(v, E_MEMORY);
    for (uint32_t i = 0; i < t->arity; i++)
        all[i] = values_from_term(v, t->args[i]);
    value made = values_compound(v, t->text, t->arity, all);
    if (all != args)
        free(all);
    return made;
}

const term *values_to_term(const values *v, arena *a, value x) {
    double real;
    switch (value_kind(x)) {
    case VALUE_INT:
    case VALUE_WIDE:
        return term_int(a, values_integer(v, x));
    case VALUE_FLOAT:
    case VALUE_TIME:
        values_number(v, x, &real);
        return term_float(a, real);
    case VALUE_SYMBOL:
        return term_symbol(a, values_text(v, x));
    case VALUE_STRING:
        return term_string(a, values_text(v, x));
    case VALUE_NOTHING:
        return term_var(a, "_");
    case VALUE_COMPOUND:
        break;
    }
    if (values_is(v, x, "$var", 1))
        return term_var(a, values_text(v, values_args(v, x)[0]));
    size_t length = 0;
    value head, rest = x;
    while (values_uncons(v, rest, &head, &rest))
        length++;
    if (length > 0) {
        const term **items = arena_alloc(a, length * sizeof *items);
        rest = x;
        for (size_t i = 0; values_uncons(v, rest, &head, &rest); i++)
            items[i] = values_to_term(v, a, head);
        return term_list(a, items, length,
                         values_is_nil(v, rest) ? NULL : values_to_term(v, a, rest));
    }
    uint32_t n = values_arity(v, x);
    const term **args = arena_alloc(a, n * sizeof *args);
    for (uint32_t i = 0; i < n; i++)
        args[i] = values_to_term(v, a, values_args(v, x)[i]);
    return term_compound(a, values_text(v, values_functor(v, x)), n, args);
}

size_t values_format(const values *v, value x, char *buffer, size_t size) {
    arena *a = arena_create();
    size_t length = term_format(values_to_term(v, a, x), buffer, size);
    arena_destroy(a);
    return length;
}
