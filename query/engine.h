// query/engine.h - asking one episode of a log.
//
// Owns:      the loaded rules, the facts read so far, and what queries derived whole, which later
// ones use. Threads:   one engine belongs to one thread; only engine_interrupt may be called from
// another, or from a
//            signal handler.
// Invariant: an engine that answered with an error can be asked again.
#ifndef FORESEE_QUERY_ENGINE_H
#define FORESEE_QUERY_ENGINE_H

#include "base/term.h"
#include "query/value.h"
#include "schema/store.h"

typedef struct engine engine;
typedef struct answers answers;

typedef struct engine_options {
    size_t memory_limit; // bytes, of all it holds
    uint64_t step_limit; // literals that one query may try; 0: any number
    bool derive_whole;   // no demand but where it is needed: for tests that compare
} engine_options;
engine_options engine_options_default(void);

// The store is borrowed and must outlive the engine; `episode` 0 is the last. `opt` NULL: the
// defaults.
status engine_open(store *s, int64_t episode, const engine_options *opt, engine **out, error *err);
void engine_close(engine *e); // NULL is a no-op
const store_episode *engine_episode(const engine *e);

// Adds rules. E_INPUT with mistakes of form in `list`; nothing of the text is kept then. What rules
// mean is checked by engine_check, or by the next query.
status engine_load(engine *e, const char *file, const char *text, size_t length, errors *list);
status engine_load_file(engine *e, const char *path, errors *list);
// E_INPUT with everything that is wrong with the rules in `list`.
status engine_check(engine *e, errors *list);

// Asks; `text` is the body of a rule, a '.' at its end is allowed, `file` names it in messages. On
// OK the caller owns *out, which lives as long as the engine. Otherwise the list says why: E_INPUT
// (the rules or the query are wrong, or the log is damaged), E_LIMIT (memory), E_INTERRUPTED, E_IO,
// E_MEMORY.
status engine_query(engine *e, const char *file, const char *text, answers **out, errors *list);
// Ends the query that runs, or the next. Safe in signal handlers.
void engine_interrupt(engine *e);

// Answers are sorted, each once. A query without variables has no columns, and one row when it
// holds.
size_t answers_count(const answers *a);
size_t answers_columns(const answers *a);
const char *answers_name(const answers *a, size_t column);
value answers_value(const answers *a, size_t row, size_t column);
// The same as a term (times are floats in seconds), in `into`.
const term *answers_term(const answers *a, size_t row, size_t column, arena *into);
const term *answers_query(const answers *a); // as it was read
const values *answers_values(const answers *a);
void answers_free(answers *a); // NULL is a no-op

const values *engine_values(const engine *e);
// Names of predicates with their documentation, for help and completion: those declared or defined,
// then facts, then builtins. False past the last. `label` is like on(top: object, ...) or
// name/arity.
bool engine_predicate(engine *e, size_t i, char *label, size_t size, const char **doc);
// What the last query cost.
typedef struct engine_cost {
    double derive;        // seconds of the processor, reading the log included
    uint64_t steps, rows; // literals tried; rows derived
    size_t bytes;         // in use
    uint32_t tables, rules;
} engine_cost;
engine_cost engine_last_cost(const engine *e);

#endif
