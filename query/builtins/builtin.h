// query/builtins/builtin.h - builtins: predicates that C functions answer.
#ifndef FORESEE_QUERY_BUILTIN_H
#define FORESEE_QUERY_BUILTIN_H

#include "base/math/geom.h"
#include "query/rows/value.h"

#define BUILTIN_ARITY_MAX 9

// A builtin that would make a longer text fails.
#define TEXT_MAX 65536
#define TEXT_TOO_LONG "a text would be longer than %d bytes"

typedef struct builtin_call {
    const struct builtin *builtin;
    values *values;
    struct signals *signals; // poses, contacts, signals of the episode
    nanos end;               // the last recorded instant
    const windows *within;   // answers with intervals need be right there alone; NULL: everywhere
    const value *args;       // VALUE_NONE where unbound
    uint32_t arity;
    ARRAY(value) rows; // answers: whole argument lists, one after the other
    budget *budget;    // what `rows` may take; NULL: it is not counted
    size_t counted;    // bytes of `rows` that are counted
    error *err;        // filled where a call returns neither OK nor answers
    void *kept;        // by the builtin, from one call of a goal to the next
    void (*drop)(void *kept);
} builtin_call;

typedef struct builtin {
    const char *name;
    const char *modes; // for each argument a sign, + bound or - free, and a type:
                       // t time, s signal, o other than a time, l list, e item of it, a any
    status (*run)(builtin_call *c);
    uint32_t arity;
    const char *doc;
    // Of a builtin that a program which uses the library defines:
    const char *label; // name(+argument: type, ...); NULL: of the engine
    void *context;     // of `run`
    uint64_t serial;   // tells it from one of the same name before
} builtin;
// The builtins that a program defines, beside the engine's own.
typedef ARRAY(const builtin *) builtin_list;

// Finds a builtin of the engine; program_builtin knows those of programs, too. NULL: there is none.
const builtin *builtin_find(const char *name, uint32_t arity);
const builtin *builtin_at(size_t i); // NULL past the last
static inline bool builtin_needs(const builtin *b, uint32_t arg) {
    return b->modes[2 * arg] == '+';
}
static inline char builtin_type(const builtin *b, uint32_t arg) {
    return b->modes[2 * arg + 1];
}
// Adds an answer. E_MEMORY.
status builtin_emit(builtin_call *c, const value *row);
// Adds an answer: the call's own arguments with those from `first` on replaced by `out`.
status builtin_answer(builtin_call *c, uint32_t first, const value *out, uint32_t count);
// Ends the calls of a goal.
void builtin_finish(builtin_call *c);
// Adds the items of a list. `proper`: it is one. E_MEMORY.
typedef ARRAY(value) builtin_items;
status builtin_take_items(const builtin_call *c, value list, builtin_items *out, bool *proper);
// Reads a time argument: an instant or a number of seconds.
bool builtin_time(const builtin_call *c, uint32_t arg, nanos *out);
// Reads an interval(S, E) argument.
bool builtin_interval(const builtin_call *c, uint32_t arg, interval *out);
value builtin_interval_value(builtin_call *c, interval i);
// Makes the interval of two ends. False: they are no times, or make none.
bool builtin_interval_of(const values *v, value start, value end, interval *out);
// Returns whether the builtin is a relation of two intervals; *holds: whether it holds of these.
bool builtin_interval_test(const builtin *b, interval i, interval j, bool *holds);
// Reads pose(...) of three or seven numbers, or pose2(...) of three. False: the value is none.
// *planar: it had three numbers.
bool pose_from_value(const values *v, value x, pose *out, bool *planar);

#define BUILTIN(name, modes, function, doc) status function(builtin_call *c);
#include "query/builtins/builtins.def"
#undef BUILTIN

#endif
