// query/api/api_value.c - values of the C interface: their kinds and parts, and making new ones.
#include "query/api/api_int.h"

#include <math.h>

#include "query/builtins/builtin.h"
#include "query/rules/program.h"
#include "query/rules/source.h"

// Turns a word of the engine into a value of the interface, of which 0 is none.
value api_word(foresee_value v) {
    return v ^ VALUE_NONE;
}

foresee_value api_value(value word) {
    return word ^ VALUE_NONE;
}

values *api_values(const foresee *f) {
    return f && f->engine ? engine_program(f->engine)->values : NULL;
}

// Takes a value of a caller; false: it is none of this connection.
static bool take_value(const foresee *f, foresee_value v, const values **all, value *out) {
    *all = api_values(f);
    *out = api_word(v);
    return *all && values_holds(*all, *out);
}

// ---- Kinds and parts

int foresee_value_type(const foresee *f, foresee_value given) {
    const values *all;
    value v;
    if (!take_value(f, given, &all, &v))
        return 0;
    switch (value_kind(v)) {
    case VALUE_INT:
    case VALUE_WIDE:
        return FORESEE_INTEGER;
    case VALUE_FLOAT:
        return FORESEE_FLOAT;
    case VALUE_SYMBOL:
        return values_is_nil(all, v) ? FORESEE_COMPOUND : FORESEE_SYMBOL;
    case VALUE_STRING:
        return FORESEE_STRING;
    case VALUE_TIME:
        return FORESEE_TIME;
    case VALUE_COMPOUND:
        return FORESEE_COMPOUND;
    case VALUE_NOTHING:
        break;
    }
    return 0;
}

// Returns the nearest whole number towards 0 that an int64_t holds.
static int64_t whole_number(double x) {
    if (x >= 9223372036854775807.0)
        return INT64_MAX;
    return x <= -9223372036854775808.0 ? INT64_MIN : (int64_t)x;
}

int64_t foresee_value_int64(const foresee *f, foresee_value given) {
    const values *all;
    value v;
    double number;
    if (!take_value(f, given, &all, &v))
        return 0;
    if (value_kind(v) == VALUE_INT || value_kind(v) == VALUE_WIDE)
        return values_integer(all, v);
    return values_number(all, v, &number) ? whole_number(number) : 0;
}

double foresee_value_double(const foresee *f, foresee_value given) {
    const values *all;
    value v;
    double number;
    return take_value(f, given, &all, &v) && values_number(all, v, &number) ? number : 0;
}

int64_t foresee_value_time(const foresee *f, foresee_value given) {
    const values *all;
    value v;
    double number;
    if (!take_value(f, given, &all, &v))
        return 0;
    if (value_kind(v) == VALUE_TIME)
        return value_nanos(v);
    return values_number(all, v, &number) ? whole_number(rint(number * 1e9)) : 0;
}

const char *foresee_value_text(const foresee *f, foresee_value given) {
    const values *all;
    value v;
    if (!take_value(f, given, &all, &v))
        return NULL;
    bool text =
        value_kind(v) == VALUE_STRING || (value_kind(v) == VALUE_SYMBOL && !values_is_nil(all, v));
    return text ? values_text(all, v) : NULL;
}

const char *foresee_value_name(const foresee *f, foresee_value given) {
    const values *all;
    value v, head, rest;
    if (!take_value(f, given, &all, &v) || value_kind(v) != VALUE_COMPOUND ||
        values_uncons(all, v, &head, &rest))
        return NULL;
    return values_text(all, values_functor(all, v));
}

size_t foresee_value_parts(const foresee *f, foresee_value given, foresee_value *out, size_t room) {
    const values *all;
    value v, head, rest;
    size_t n = 0;
    if (!take_value(f, given, &all, &v) || value_kind(v) != VALUE_COMPOUND)
        return 0;
    if (!values_uncons(all, v, &head, &rest)) {
        for (uint32_t i = 0; i < values_arity(all, v); i++, n++)
            if (out && n < room)
                out[n] = api_value(values_args(all, v)[i]);
        return n;
    }
    for (rest = v; values_uncons(all, rest, &head, &rest); n++)
        if (out && n < room)
            out[n] = api_value(head);
    if (values_is_nil(all, rest))
        return n;
    if (out && n < room)
        out[n] = api_value(rest);
    return n + 1;
}

int foresee_value_is_list(const foresee *f, foresee_value given) {
    const values *all;
    value v, head;
    if (!take_value(f, given, &all, &v))
        return 0;
    while (values_uncons(all, v, &head, &v))
        ;
    return values_is_nil(all, v);
}

int foresee_value_pose(const foresee *f, foresee_value given, double out[7]) {
    const values *all;
    value v;
    pose p;
    bool planar;
    if (!out || !take_value(f, given, &all, &v) || !pose_from_value(all, v, &p, &planar))
        return 0;
    memcpy(out, (double[]){p.p.x, p.p.y, p.p.z, p.q.w, p.q.x, p.q.y, p.q.z}, 7 * sizeof *out);
    return 1;
}

// Returns the bytes that writing a value takes at most, up to `most`. A part that several compounds
// share is written wherever it stands.
size_t api_weight(const values *all, value v, size_t most) {
    size_t sum = API_CELL;
    if (value_kind(v) == VALUE_SYMBOL || value_kind(v) == VALUE_STRING)
        return sum + API_LETTER * strlen(values_text(all, v));
    if (value_kind(v) != VALUE_COMPOUND)
        return sum;
    value head, rest = v;
    while (sum < most && values_uncons(all, rest, &head, &rest))
        sum += API_CELL + api_weight(all, head, most - sum);
    if (rest != v)
        return sum < most ? sum + api_weight(all, rest, most - sum) : sum;
    sum += API_LETTER * strlen(values_text(all, values_functor(all, v)));
    uint32_t n = values_arity(all, v);
    for (uint32_t i = 0; sum < most && i < n; i++)
        sum += api_weight(all, values_args(all, v)[i], most - sum);
    return sum;
}

int foresee_value_term(foresee *f, foresee_value given, char **out) {
    const values *all;
    value v;
    if (!f)
        return FORESEE_MISUSE;
    if (!out || !take_value(f, given, &all, &v))
        return api_misuse(f, out ? "this is no value of the connection"
                                 : "a value is written to a place for its text");
    *out = NULL;
    size_t weight = api_weight(all, v, API_CELL_MAX);
    mem_fund fund;
    if (weight >= API_CELL_MAX || !mem_fund_open(&fund, API_FUND_SMALL + weight))
        return api_starved(f);
    arena *a = arena_create();
    *out = api_copy(term_text(a, values_to_term(all, a, v)));
    arena_destroy(a);
    mem_fund_close(&fund);
    return *out ? FORESEE_OK : api_starved(f);
}

// ---- New values

// Says why a value could not be made.
static foresee_value fail_unmade(foresee *f) {
    const values *all = api_values(f);
    status s = values_failed(all);
    if (values_too_deep(all)) {
        api_misuse(f, "a term may be nested 200 deep, no deeper");
    } else if (s == E_MEMORY) {
        api_starved(f);
    } else if (s != OK) {
        mem_fund fund;
        if (!mem_fund_open(&fund, API_FUND_SMALL)) {
            api_starved(f);
            return 0;
        }
        error err = {0};
        error_set(&err, s, "the value needs more memory than the connection may hold");
        api_begin(f);
        errors_append(&f->mistakes, &err);
        api_end(f, s);
        mem_fund_close(&fund);
    }
    return 0;
}

// Begins making a value. False: no log is open. Within a predicate of the caller's an earlier
// failure is kept.
static bool may_make(foresee *f) {
    values *all = api_values(f);
    if (!all) {
        if (f)
            api_misuse(f, "the log is not open");
        return false;
    }
    if (!f->inside)
        values_forgive(all);
    return true;
}

static foresee_value give_value(foresee *f, value v) {
    return v == VALUE_NONE ? fail_unmade(f) : api_value(v);
}

foresee_value foresee_make_int64(foresee *f, int64_t number) {
    return may_make(f) ? give_value(f, values_int(api_values(f), number)) : 0;
}

foresee_value foresee_make_double(foresee *f, double number) {
    if (!may_make(f))
        return 0;
    if (!isfinite(number)) {
        api_misuse(f, "a value is no infinite number, and none that is not a number");
        return 0;
    }
    return give_value(f, values_float(api_values(f), number));
}

foresee_value foresee_make_time(foresee *f, int64_t nanoseconds) {
    if (!may_make(f))
        return 0;
    if (nanoseconds > TIME_MAX || nanoseconds < -TIME_MAX) {
        api_misuse(f, "the time lies more than 18 years from the start");
        return 0;
    }
    return give_value(f, values_time(nanoseconds));
}

static foresee_value make_text(foresee *f, const char *text,
                               value (*make)(values *, const char *)) {
    if (!may_make(f))
        return 0;
    if (!text) {
        api_misuse(f, "a symbol or string needs a text");
        return 0;
    }
    return give_value(f, make(api_values(f), text));
}

foresee_value foresee_make_symbol(foresee *f, const char *text) {
    return make_text(f, text, values_symbol);
}

foresee_value foresee_make_string(foresee *f, const char *text) {
    return make_text(f, text, values_string);
}

// Returns the words of the caller's values; NULL: no memory, or one of them is no value.
static value *words_of(foresee *f, const foresee_value *given, size_t count) {
    value *words = count < SIZE_MAX / sizeof *words ? malloc((count + 1) * sizeof *words) : NULL;
    if (!words)
        api_starved(f);
    for (size_t i = 0; words && i < count; i++) {
        words[i] = api_word(given[i]);
        if (!values_holds(api_values(f), words[i])) {
            api_misuse(f, "part %zu is no value of the connection", i);
            free(words);
            return NULL;
        }
    }
    return words;
}

foresee_value foresee_make_compound(foresee *f, const char *name, const foresee_value *arguments,
                                    size_t count) {
    if (!may_make(f))
        return 0;
    if (!name || !arguments || count == 0 || count > UINT32_MAX) {
        api_misuse(f, "a compound needs a name and at least one argument");
        return 0;
    }
    value *words = words_of(f, arguments, count);
    foresee_value v =
        words ? give_value(f, values_compound(api_values(f), name, (uint32_t)count, words)) : 0;
    free(words);
    return v;
}

foresee_value foresee_make_list(foresee *f, const foresee_value *items, size_t count) {
    if (!may_make(f))
        return 0;
    if (!items && count > 0) {
        api_misuse(f, "a list needs its items");
        return 0;
    }
    value *words = words_of(f, items, count);
    foresee_value v = words ? give_value(f, values_list(api_values(f), words, count)) : 0;
    free(words);
    return v;
}

foresee_value foresee_make_term(foresee *f, const char *text) {
    mem_fund fund;
    if (!may_make(f))
        return 0;
    if (!text) {
        api_misuse(f, "a term needs a text");
        return 0;
    }
    if (!mem_fund_open(&fund, API_FUND)) {
        api_starved(f);
        return 0;
    }
    arena *a = arena_create();
    error err = {0};
    const term *t = NULL;
    foresee_value v = 0;
    api_begin(f);
    f->asked = text;
    status s = source_term(a, API_QUERY, text, &t, &err);
    if (s == OK && !term_ground(t))
        s = error_at(&err, E_INPUT, API_QUERY, t->line, t->column, "a value has no variables");
    if (s != OK)
        errors_append(&f->mistakes, &err);
    api_end(f, s);
    if (s == OK)
        v = give_value(f, values_from_term(api_values(f), t));
    arena_destroy(a);
    mem_fund_close(&fund);
    return v;
}
