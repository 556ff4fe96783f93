// foresee.h - questions to logs of projected robot plans, from C and from whatever calls C.
//
//     foresee *log;
//     foresee_query *q;
//     if (foresee_open("table.db", NULL, &log) == FORESEE_OK &&
//         foresee_prepare(log, "holds_w(on(X, Y), at(end)).", &q) == FORESEE_OK) {
//         foresee_bind_symbol(q, "Y", "dining_table");
//         while (foresee_step(q) == FORESEE_ROW)
//             puts(foresee_column_text(q, 0));
//         foresee_finalize(q);
//     } else {
//         fprintf(stderr, "%s\n", foresee_errmsg(log));
//     }
//     foresee_close(log);
//
// Owns:      a connection owns one log, opened for reading, rules, and what was derived so far.
// Threads:   a connection and its queries belong to one thread; foresee_interrupt alone may be
//            called from another, or from a signal handler. Several connections may be open.
// Times:     instants are integer nanoseconds of simulated time; as numbers they are seconds.
// Strings:   UTF-8, ended by a 0. Those returned are borrowed, until when is said; those written
//            to a char ** are the caller's, who frees them with foresee_free.
// Nothing here prints or exits. Link with -lforesee (pkg-config foresee); neither ODE nor readline
// is drawn in. The query language is in docs/query.md, the predicates in docs/predicates.md.
#ifndef FORESEE_H
#define FORESEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define FORESEE_API __attribute__((visibility("default")))
#else
#define FORESEE_API
#endif

// What every call that can fail returns. FORESEE_ROW and FORESEE_DONE come from foresee_step alone.
enum {
    FORESEE_OK = 0,
    FORESEE_MISUSE,      // a wrong argument, or calls in a wrong order
    FORESEE_INPUT,       // the log, a rule or a query is wrong; foresee_errmsg says where and how
    FORESEE_IO,          // the log or a file cannot be read
    FORESEE_MEMORY,      // no memory is left
    FORESEE_LIMIT,       // the query needs more memory or steps than it was allowed
    FORESEE_INTERRUPTED, // by foresee_interrupt
    FORESEE_ROW = 100,   // an answer is there to be read
    FORESEE_DONE = 101   // there is none, or no further one
};

// Kinds of values.
enum {
    FORESEE_INTEGER = 1, // 64 bits
    FORESEE_FLOAT,
    FORESEE_SYMBOL,
    FORESEE_STRING,
    FORESEE_TIME,
    FORESEE_COMPOUND // lists, too
};

typedef struct foresee foresee;
typedef struct foresee_query foresee_query;
// What stands in a column, in an argument of a compound, in a fact: see Values. 0: none.
typedef uint64_t foresee_value;

// ---- Connections

typedef struct foresee_options {
    size_t size;         // sizeof(foresee_options), so that later fields can be told from none
    int64_t episode;     // 0: the last
    const char *rules;   // folder of rule files; NULL: the shipped predicates; "": none
    size_t memory_limit; // bytes that a connection may hold; 0: 2 GiB
    uint64_t step_limit; // literals that one query may try; 0: any number
    int derive_whole;    // not 0: what is asked for narrows nothing; for comparisons
} foresee_options;

FORESEE_API const char *foresee_version(void); // of the library, like "0.2.0"

// Opens a log, choosing one episode, and loads the rules. `options` NULL: the defaults. Where it
// fails *out may still be a connection, for foresee_errmsg; foresee_close frees it. NULL: no
// memory.
FORESEE_API int foresee_open(const char *log, const foresee_options *options, foresee **out);
// Ends the connection; where queries are not finalized yet, with the last of them. NULL is a no-op.
FORESEE_API void foresee_close(foresee *f);
// All mistakes of the last call that failed, a line each, "file:line:column: error: text" with the
// line and a caret below where there is one; "" after a call that did not. Until the next call.
FORESEE_API const char *foresee_errmsg(const foresee *f);
// The same one by one. 0: there is none. `text` is the sentence alone; line and column count from
// 1, 0: none.
typedef struct foresee_mistake {
    const char *file, *text;
    int line, column;
} foresee_mistake;
FORESEE_API int foresee_mistake_at(const foresee *f, size_t i, foresee_mistake *out);
// A sentence on the state the log was found in (left by a crash and recovered, being written), or
// NULL.
FORESEE_API const char *foresee_note(const foresee *f);

typedef struct foresee_episode {
    int64_t id;
    const char *plan, *outcome; // succeeded, failed, invalid, incomplete, unjudged
    uint64_t seed;
    int64_t end; // ns, the last recorded instant
    int complete;
} foresee_episode;
// The i-th episode of the log; 0: there is none. Texts live as long as the connection.
FORESEE_API int foresee_episode_at(const foresee *f, size_t i, foresee_episode *out);
// Which one is asked. Choosing another drops what was derived. Queries may be open: one that is
// being stepped keeps its answers, and asks the episode that is chosen then when it is stepped for
// the first time or after foresee_reset; its bindings stay.
FORESEE_API int64_t foresee_episode_chosen(const foresee *f);
FORESEE_API int foresee_choose(foresee *f, int64_t episode);

// Adds rules from a file, or from a text that is called `name` in messages. What was loaded under
// the same name before is replaced. With mistakes nothing changes. What depends on no changed
// clause stays derived.
FORESEE_API int foresee_load(foresee *f, const char *path);
FORESEE_API int foresee_load_text(foresee *f, const char *name, const char *text);
FORESEE_API int foresee_unload(foresee *f, const char *name);
// The same for facts that stand in memory: `rows` are `count` times `arity` values (1 to 31), fact
// after fact, and are copied. The facts are those of predicate/arity, which nothing else may
// define; rules and queries call it like a table of the log. A column of nothing but instants is
// one of times.
FORESEE_API int foresee_load_facts(foresee *f, const char *name, const char *predicate, int arity,
                                   const foresee_value *rows, size_t count);

// The name of the i-th file or text of rules, imported ones included; NULL: there is none. Until
// rules are loaded or the connection ends.
FORESEE_API const char *foresee_file_at(const foresee *f, size_t i);
// What is likely wrong but stops nothing, with the rules as they are loaded and with the query
// prepared last: a rule that can never give anything, a clause that stands twice. Until rules are
// loaded or a query is prepared.
FORESEE_API int foresee_warning_at(const foresee *f, size_t i, foresee_mistake *out);

// Ends the query that runs, or the next. Safe in signal handlers.
FORESEE_API void foresee_interrupt(foresee *f);

// Looks on while foresee_step and foresee_explain run: `call` is called about every so many
// seconds, by the thread that asks; not 0 from it ends what runs, with FORESEE_INTERRUPTED. It may
// not ask the connection. NULL: nobody looks on.
typedef struct foresee_progress {
    double seconds; // since it began
    uint64_t steps; // literals tried; of a query that asks other episodes, in one of them
    size_t bytes;   // held by the connection
} foresee_progress;
typedef int foresee_progress_function(const foresee_progress *so_far, void *context);
FORESEE_API int foresee_on_progress(foresee *f, double every_seconds,
                                    foresee_progress_function *call, void *context);

// ---- Queries

// Reads and checks the body of a rule; a '.' at its end is allowed. The answers are the values of
// its variables that do not begin with '_'. What only a binding can mend is said by foresee_step.
// The caller finalizes *out.
FORESEE_API int foresee_prepare(foresee *f, const char *text, foresee_query **out);
// Gives a variable of the query its value before it runs. FORESEE_MISUSE: there is no such
// variable, or the query is being stepped (foresee_reset first). Texts are copied. A variable that
// begins with '_' may be given a value, too, and is no column.
FORESEE_API int foresee_bind_int64(foresee_query *q, const char *variable, int64_t value);
FORESEE_API int foresee_bind_double(foresee_query *q, const char *variable, double value);
FORESEE_API int foresee_bind_symbol(foresee_query *q, const char *variable, const char *text);
FORESEE_API int foresee_bind_string(foresee_query *q, const char *variable, const char *text);
FORESEE_API int foresee_bind_time(foresee_query *q, const char *variable, int64_t nanoseconds);
// A term as it is written in rules: "on(plate_1, table)".
FORESEE_API int foresee_bind_term(foresee_query *q, const char *variable, const char *text);
// Exactly this value, of the same connection: 3 is not 3.0 then, and an instant no other.
FORESEE_API int foresee_bind_value(foresee_query *q, const char *variable, foresee_value v);
// The same by number: the i-th variable, from 0, is the i-th column; behind the columns come the
// variables that begin with '_'. foresee_variable_at gives its name, as long as q; NULL: there is
// none.
FORESEE_API int foresee_bind(foresee_query *q, int i, foresee_value v);
FORESEE_API const char *foresee_variable_at(const foresee_query *q, int i);
FORESEE_API int foresee_clear_bindings(foresee_query *q);

// FORESEE_ROW: the next answer, in the standard order (or that of order_by). FORESEE_DONE: there is
// none left. The first call derives them all. Each answer comes once.
FORESEE_API int foresee_step(foresee_query *q);
// Back to before the first answer; the bindings stay. They are derived again only where bindings or
// rules have changed.
FORESEE_API int foresee_reset(foresee_query *q);
FORESEE_API void foresee_finalize(foresee_query *q);             // NULL is a no-op
FORESEE_API foresee *foresee_connection(const foresee_query *q); // that it was prepared on

// Of the answer that foresee_step gave last. Columns count from 0; a query without variables has
// none. A column past the last has no name, the kind 0 and the value 0.
FORESEE_API int foresee_column_count(const foresee_query *q);
FORESEE_API const char *foresee_column_name(const foresee_query *q, int column);
FORESEE_API int foresee_column_type(const foresee_query *q, int column);
// Numbers, and times in seconds, cut to whole ones that fit.
FORESEE_API int64_t foresee_column_int64(const foresee_query *q, int column);
FORESEE_API double foresee_column_double(const foresee_query *q, int column); // times in seconds
FORESEE_API int64_t foresee_column_time(const foresee_query *q, int column);  // ns
// Symbols and strings as they are, times in seconds, other values as they are written. Until the
// next step, reset or end of q. NULL: there is no such column or no answer, or no memory is left to
// write the value; foresee_errmsg then says so, and it can be asked for again.
FORESEE_API const char *foresee_column_text(foresee_query *q, int column);
// Every value as it is written in rules, quotes included. As long as the same.
FORESEE_API const char *foresee_column_term(foresee_query *q, int column);
// The value itself, to take apart, to bind or to keep; 0: there is none.
FORESEE_API foresee_value foresee_column_value(const foresee_query *q, int column);
FORESEE_API size_t foresee_row_count(const foresee_query *q); // answers; 0 before the first step
// Why a query that was stepped may have no answer: objects in it that the log does not name. 0:
// there is none. Until the query ends.
FORESEE_API int foresee_note_at(foresee_query *q, size_t i, foresee_mistake *out);

typedef struct foresee_cost {
    double load, derive;  // seconds: reading the log, deriving
    uint64_t steps, rows; // literals tried; rows derived
    size_t bytes;         // held by the connection
} foresee_cost;
FORESEE_API foresee_cost foresee_query_cost(const foresee_query *q);
// How the query was run: strata, rules, the order of their literals, the indexes read, rows and
// time of each. After its first step and before another query's; FORESEE_MISUSE otherwise.
FORESEE_API int foresee_query_plan(foresee_query *q, char **out);

// ---- Values
//
// A value belongs to one connection. It lives until that chooses another episode or is closed, and
// is the same number as long: two values are equal exactly when their numbers are (3, 3.0 and the
// instant 3 s are three). The calls below take any number: of one that is no value they make none.

FORESEE_API int foresee_value_type(const foresee *f, foresee_value v); // as of a column; 0: none
FORESEE_API int64_t foresee_value_int64(const foresee *f, foresee_value v); // as of a column
FORESEE_API double foresee_value_double(const foresee *f, foresee_value v); // times in seconds
FORESEE_API int64_t foresee_value_time(const foresee *f, foresee_value v);  // ns
// A symbol or string as it is; NULL for other values. As long as the value.
FORESEE_API const char *foresee_value_text(const foresee *f, foresee_value v);
// The name of a compound (on, of on(cup, table)); NULL for other values and for lists. As long.
FORESEE_API const char *foresee_value_name(const foresee *f, foresee_value v);
// How many arguments a compound, or items a list, has; 0 for other values. The first `room` of them
// are written to `out`. What stands behind the `|` of a list that does not end in [] is its last.
FORESEE_API size_t foresee_value_parts(const foresee *f, foresee_value v, foresee_value *out,
                                       size_t room);
// Whether it is a list that ends in []; [] itself is one.
FORESEE_API int foresee_value_is_list(const foresee *f, foresee_value v);
// The position of a pose in m and its orientation as a quaternion: x, y, z, qw, qx, qy, qz. Planar
// poses stand on the floor. 0: the value is no pose, and `out` is untouched.
FORESEE_API int foresee_value_pose(const foresee *f, foresee_value v, double out[7]);
// As it is written in rules; the caller frees *out with foresee_free.
FORESEE_API int foresee_value_term(foresee *f, foresee_value v, char **out);

// New values. 0: there is none, and foresee_errmsg says why. Texts and parts are copied.
FORESEE_API foresee_value foresee_make_int64(foresee *f, int64_t number);
FORESEE_API foresee_value foresee_make_double(foresee *f, double number);     // finite
FORESEE_API foresee_value foresee_make_time(foresee *f, int64_t nanoseconds); // within 18 years
FORESEE_API foresee_value foresee_make_symbol(foresee *f, const char *text);
FORESEE_API foresee_value foresee_make_string(foresee *f, const char *text);
FORESEE_API foresee_value foresee_make_compound(foresee *f, const char *name,
                                                const foresee_value *arguments, size_t count);
FORESEE_API foresee_value foresee_make_list(foresee *f, const foresee_value *items, size_t count);
// A term as it is written in rules, without variables; numbers in it are no instants.
FORESEE_API foresee_value foresee_make_term(foresee *f, const char *text);

// ---- Predicates of one's own
//
// A function that answers a predicate: rules and queries call it like a builtin. It is called for
// arguments that the query leads to, each perhaps more than once, and must answer the same every
// time: what is derived from it is kept.

typedef struct foresee_call foresee_call;
// Gives all answers to one call. FORESEE_OK: that was all; a code of an error ends the query with
// it, FORESEE_INPUT with the sentence of foresee_call_fail, at the place of the call. It may make
// and read values of the connection, but not ask it.
typedef int foresee_function(foresee_call *call, void *context);
// `pattern` declares the arguments, at most 9: "distance_to(+body: object, -metres: number)". What
// has a + is bound when the function is called, what has a - is for it to answer, though it may be
// bound, too: answers that do not fit are left out. Types, which may be left out, are those of
// declarations; of them only `time` changes what is handed over, numbers as instants. Another
// definition of the same name and number of arguments replaces this one; `run` NULL takes it back.
// FORESEE_MISUSE: the pattern is none, or the name is taken. FORESEE_INPUT: rules would be wrong;
// nothing changes then. `context` is the caller's, until then or until the connection ends.
FORESEE_API int foresee_define(foresee *f, const char *pattern, const char *documentation,
                               foresee_function *run, void *context);
FORESEE_API foresee *foresee_call_connection(const foresee_call *call);
// The i-th argument, from 0; 0: it is not bound.
FORESEE_API foresee_value foresee_call_argument(const foresee_call *call, int i);
// An answer: a value for every argument, 0 for one that is as the call has it. The code is for the
// function to return where it is not FORESEE_OK.
FORESEE_API int foresee_call_answer(foresee_call *call, const foresee_value *row);
// What went wrong, as the rest of a sentence that begins with the predicate: "cannot reach its
// server". Copied; gives the code to return.
FORESEE_API int foresee_call_fail(foresee_call *call, const char *sentence);

// ---- Reasons

// Why a goal holds: the proof of its first answers, down to the log's tables and ids. `not Goal`:
// why it does not hold, for each rule how far it got and the nearest miss. `format`: "text" or
// "json" (docs/query.md has its shape). FORESEE_DONE: the goal has no answer, and *out says why.
FORESEE_API int foresee_explain(foresee *f, const char *goal, const char *format, char **out);

// ---- What can be asked

typedef struct foresee_predicate {
    const char *label; // holds_w(on(top: object, bottom: object), time: time), or name/arity
    const char *name;  // alone: on
    const char *of;    // what it is an occasion, event or flaw of: holds_w; "" otherwise
    const char *documentation; // "" where there is none
    const char *kind;          // rule, fact, builtin, signal
    const char *file;          // of a rule; "" otherwise
    int line;
    int arity;       // arguments of `name`
    const char *all; // of a rule: a query for all of it, variables named as its arguments, times
                     // with "_s": holds_w(on(Top, Bottom), interval(Start_s, End_s)). "" where it
                     // cannot be enumerated
    const char *module; // of one that queries name only with it, module:name, as label and all do;
                        // "" otherwise
} foresee_predicate;
// 0: there is none. Texts live until rules are loaded or the connection ends.
FORESEE_API int foresee_predicate_at(foresee *f, size_t i, foresee_predicate *out);
// The clauses of all predicates or split functors of a name, or of one of a module (module:name),
// as they are written, each behind its file:line. FORESEE_DONE: there is none.
FORESEE_API int foresee_rules(foresee *f, const char *name, char **out);

FORESEE_API void foresee_free(void *text); // NULL is a no-op

#ifdef __cplusplus
}
#endif
#endif
