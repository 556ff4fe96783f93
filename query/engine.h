// query/engine.h - asking one episode of a log.
//
// Owns:      the loaded rules, the facts read so far, and the tables that later queries can use.
// Threads:   one engine belongs to one thread; only engine_interrupt may be called from another
//            thread or from a signal handler.
// Invariant: an engine that answered with an error can be asked again.
#ifndef FORESEE_QUERY_ENGINE_H
#define FORESEE_QUERY_ENGINE_H

#include "base/term/term.h"
#include "query/builtins/builtin.h"
#include "query/check/query_scope.h"
#include "schema/store/store.h"

typedef struct engine engine;
typedef struct answers answers;

typedef struct engine_options {
    size_t memory_limit; // bytes, of everything it holds
    uint64_t step_limit; // literals that one query may try; 0: any number
    bool derive_whole;   // derives predicates whole where it can: for tests that compare
    bool forget_origins; // rows carry no rule and round, so there are no proofs: for benchmarks
    bool plan;           // keep how queries were run, for engine_last_plan
} engine_options;
engine_options engine_options_default(void);

// The store is borrowed and must outlive the engine; `episode` 0 is the last. `opt` NULL: the
// defaults.
status engine_open(store *s, int64_t episode, const engine_options *opt, engine **out, error *err);
// The same for another episode of the log of `before`, which is to be closed. Its answers stay
// valid, since its values and its limit of memory go over to the new engine. It has no rules yet.
status engine_open_after(const engine *before, int64_t episode, engine **out, error *err);
// Loads the rules of another engine, in their order.
status engine_take_rules(engine *e, const engine *from, errors *list);
void engine_close(engine *e); // NULL is a no-op
const store_episode *engine_episode(const engine *e);

// Adds rules, in place of those loaded under the same name before. E_INPUT with mistakes of form in
// `list`; nothing changes then. The meaning of rules is checked by engine_check, or by the next
// query. Tables that depend on no changed clause are kept.
status engine_load(engine *e, const char *file, const char *text, size_t length, errors *list);
status engine_load_file(engine *e, const char *path, errors *list);
// The same for rules that are known to be right, as those that foresee brings: they are read,
// lowered and checked when a rule of a user, or a query, leads to them.
status engine_load_library(engine *e, const char *file, const char *text, size_t length,
                           errors *list);
status engine_load_library_file(engine *e, const char *path, errors *list);
// Takes facts of name/arity that stand in memory as rules of the name `source`: `count` times
// `arity` values of its table. E_INPUT: the predicate is already defined otherwise.
status engine_hold(engine *e, const char *source, const char *name, uint32_t arity,
                   const value *rows, size_t count, errors *list);
// Gives the engine predicates of the program that uses it. The list is borrowed; call this after
// each change of it.
void engine_supply(engine *e, const builtin_list *supplied);
// Unloads the rules or facts of this name. False: there were none.
bool engine_unload(engine *e, const char *file);
// Checks the rules. E_INPUT with all mistakes in `list`.
status engine_check(engine *e, errors *list);

// Answers a query. `text` is the body of a rule, with or without a '.' at its end; `file` names it
// in messages. On OK the caller owns *out, which lives as long as the engine. Otherwise the list
// says why: E_INPUT (the rules or the query are wrong, or the log is damaged), E_LIMIT (memory),
// E_INTERRUPTED, E_IO, E_MEMORY.
status engine_query(engine *e, const char *file, const char *text, answers **out, errors *list);
// The same for a body that has been read and that stands in a scope; it is copied.
status engine_ask(engine *e, const query_scope *scope, const term *body, answers **out,
                  errors *list);
// Returns warnings about the rules as they were checked last, and about the last query: rules that
// can never fire, clauses that stand twice. They stop nothing, and live until the next check or
// query.
const errors *engine_warnings(engine *e);
// Adds notes on why a query may have found nothing: objects that the log does not name.
status engine_notes(engine *e, const char *file, const term *body, errors *notes);
// Ends the query that runs, or else the next one. Safe in signal handlers.
void engine_interrupt(engine *e);
// Has `watch` called from within a running query about every `every` nanoseconds; NULL: nothing is
// called. The query ends when `watch` returns true.
void engine_watch(engine *e, bool (*watch)(void *, const budget *), void *context, nanos every);
// Returns the rules, to check queries against them and to list them. Borrowed.
struct program *engine_program(engine *e);

// Answers are sorted, each once. A query without variables has no columns, and one row when it
// holds.
size_t answers_count(const answers *a);
size_t answers_columns(const answers *a);
const char *answers_name(const answers *a, size_t column);
value answers_value(const answers *a, size_t row, size_t column);
// The same as a term (times are floats in seconds), in `into`.
const term *answers_term(const answers *a, size_t row, size_t column, arena *into);
const values *answers_values(const answers *a);
void answers_destroy(answers *a); // NULL is a no-op

const values *engine_values(const engine *e);
// The cost of the last query.
typedef struct engine_cost {
    double derive;        // seconds
    double load;          // of these, reading the log
    uint64_t steps, rows; // literals tried and rows read; rows derived
    size_t bytes;         // in use
    uint32_t tables, rules;
} engine_cost;
engine_cost engine_last_cost(const engine *e);
// Returns how the last query was run: strata, rules, the order of their literals, indexes, rows and
// time of each rule. The text lives until the next query.
const char *engine_last_plan(const engine *e);

#endif
