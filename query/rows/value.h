// query/rows/value.h - the values in the columns of relations: ground terms as single words.
//
// Owns:      the texts, floats, wide integers and compounds that values refer to, each kept once:
//            two values are equal exactly when their words are.
// Threads:   one table belongs to one thread.
// Invariant: a value stays what it is as long as its table lives.
#ifndef FORESEE_QUERY_VALUE_H
#define FORESEE_QUERY_VALUE_H

#include <stdatomic.h>
#include "base/term/term.h"
#include "base/time/times.h"

typedef uint64_t value;

typedef enum value_tag {
    VALUE_INT,      // of 61 bits
    VALUE_SYMBOL,   // index of a text
    VALUE_TIME,     // nanoseconds
    VALUE_FLOAT,    // index of a double
    VALUE_STRING,   // index of a text
    VALUE_COMPOUND, // index of a compound
    VALUE_WIDE,     // index of an integer that needs more than 61 bits
    VALUE_NOTHING
} value_tag;
#define SECONDS_MAX 5e8                   // within TIME_MAX
#define VALUE_NONE ((value)VALUE_NOTHING) // unbound, or a value that could not be made

// The memory that one engine may use, counted by all that allocates for it.
typedef struct budget {
    size_t used, limit; // bytes
    atomic_bool interrupted;
    bool forget_origins; // relations keep no rule and round for each row
    // Called now and then while a query runs; NULL: not at all. True: the query shall end.
    bool (*watch)(void *context, const struct budget *b);
    void *watcher;
    nanos watch_every, watch_next; // of a clock that never goes back
    const uint64_t *steps;         // that the running query has tried; NULL: none runs
} budget;
bool budget_watched(budget *b); // calls `watch` when it is time; for budget_interrupted
// Returns whether the running query shall end. Asked often.
static inline bool budget_interrupted(budget *b) {
    return (b->watch && budget_watched(b)) ||
           atomic_load_explicit(&b->interrupted, memory_order_relaxed);
}
// False when `bytes` more pass the limit; counts them otherwise.
bool budget_take(budget *b, size_t bytes);
static inline void budget_return(budget *b, size_t bytes) {
    b->used -= bytes < b->used ? bytes : b->used;
}

// The parts of time that are needed, where not all is: disjoint and ascending.
#define WINDOWS_MAX 64
typedef struct windows {
    bool known; // false: they are still being derived
    bool all;   // there are too many: all of time counts
    uint32_t count;
    interval items[WINDOWS_MAX];
} windows;

typedef struct values values;
values *values_create(budget *b); // NULL: out of memory
void values_destroy(values *v);   // NULL is a no-op
budget *values_budget(const values *v);

static inline value_tag value_kind(value a) {
    return (value_tag)(a & 7);
}
static inline nanos value_nanos(value a) {
    return (int64_t)a >> 3;
}
static inline bool value_is_number(value a) {
    value_tag k = value_kind(a);
    return k == VALUE_INT || k == VALUE_FLOAT || k == VALUE_WIDE;
}

// Each gives VALUE_NONE when memory or the budget is out (values_failed then says which).
value values_symbol(values *v, const char *text);
value values_string(values *v, const char *text);
// A symbol or a string of so many bytes, none of which is 0.
value values_text_of(values *v, value_tag kind, const char *text, size_t length);
value values_int(values *v, int64_t n);
value values_float(values *v, double x); // not NaN
value values_time(nanos t);              // clamped to +-TIME_MAX
// Depth at most 200 (lists count as deep as their deepest item): E_LIMIT past it.
value values_compound(values *v, const char *functor, uint32_t arity, const value *args);
value values_compound_of(values *v, value functor, uint32_t arity, const value *args);
value values_list(values *v, const value *items, size_t count);
// OK, or why a value could not be made since the last call of values_forgive.
status values_failed(const values *v);
bool values_too_deep(const values *v); // it failed because a term would be nested too deep
void values_forgive(values *v);

// Returns whether this is a value of the table. The functions below take no other word.
bool values_holds(const values *v, value a);
// Makes the same value in another table; VALUE_NONE as above.
value values_copy(values *to, const values *from, value a);

const char *values_text(const values *v, value a); // of a symbol or string
int64_t values_integer(const values *v, value a);  // of an int
// Whether it is an integer, of whatever size; then *out is that.
bool values_whole(const values *v, value a, int64_t *out);
// Ints, floats, and times in seconds.
bool values_number(const values *v, value a, double *out);
value values_functor(const values *v, value a); // of a compound: a symbol
uint32_t values_arity(const values *v, value a);
const value *values_args(const values *v, value a); // lives as long as the table
bool values_is(const values *v, value a, const char *functor, uint32_t arity);
// Walks a list: true with its head and the rest; false at its end and for what is no list.
bool values_uncons(const values *v, value list, value *head, value *rest);
bool values_is_nil(const values *v, value a);

// Compares two numbers or times by value.
int values_compare(const values *v, value a, value b);
// Orders all values: numbers and times by value (a time against a number in seconds), then symbols,
// strings, compounds.
int values_order(const values *v, value a, value b);
// Returns whether both are the same number or time, of whatever kind, or the same word.
bool values_same(const values *v, value a, value b);
// Variables of the term become '$var'(Name), which `matches` understands.
value values_from_term(values *v, const term *t);
// Times become floats in seconds; '$var'(Name) a variable.
const term *values_to_term(const values *v, arena *a, value x);
// Writes a value so that it can be read again, as snprintf does; times in seconds.
size_t values_format(const values *v, value x, char *buffer, size_t size);

#endif
