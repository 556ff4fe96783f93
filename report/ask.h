// report/ask.h - questions to one episode of a log, answered by the query engine with the rule
// files.
//
// Owns:      the log, opened for reading, unless it is borrowed (ask_open_on), and an engine on it.
// Threads:   one thread; only ask_interrupt may be called by other threads and signal handlers.
#ifndef FORESEE_REPORT_ASK_H
#define FORESEE_REPORT_ASK_H

#include "base/term/term.h"
#include "base/time/times.h"
#include "schema/store/store.h"

typedef struct ask ask;
struct proof; // query/why/proof.h

// A value of an answer. Times have a term as well: their number of seconds.
typedef struct ask_value {
    const term *term;
    bool is_time;
    nanos time;
} ask_value;
typedef struct ask_rows {
    size_t columns;
    const char *const *names; // names of the variables, in the arena
    size_t count;             // how many rows
    ARRAY(ask_value) values;  // one row after another
} ask_rows;

// Opens an episode (0: the last) with all rule files in the folder `rules` and the files `more`.
// All mistakes go to `list`.
status ask_open(const char *log, int64_t episode, const char *rules, const char *const *more,
                size_t more_count, ask **out, errors *list);
// Opens a log that may lack tables or columns, and answers from the rest (store_salvage).
status ask_open_salvaged(const char *log, int64_t episode, const char *rules,
                         const char *const *more, size_t more_count, ask **out, errors *list);
// Asks a log that store_salvage opened from the file `log`, and that outlives what is opened here.
status ask_open_on(store *salvaged, const char *log, int64_t episode, const char *rules,
                   const char *const *more, size_t more_count, ask **out, errors *list);
void ask_close(ask *a);                         // NULL is a no-op
const store_episode *ask_episode(const ask *a); // borrowed
const char *ask_log(const ask *a);              // the file, named as it was given; borrowed
bool ask_is_salvaged(const ask *a);             // whether it may lack tables or columns
// Ends the question that is being answered, or the next one. Safe in signal handlers.
void ask_interrupt(ask *a);

// Finds all answers to a query, sorted. There is a column for each variable, in order of
// appearance, but for variables that begin with `_`. Terms live in `memory`;
// array_finish(&rows->values) frees the rest.
status ask_query(ask *a, arena *memory, const char *query, ask_rows *rows, errors *list);
// Finds all answers, and reports the first mistake alone.
status ask_all(ask *a, arena *memory, const char *query, ask_rows *rows, error *err);
static inline size_t ask_count(const ask_rows *r) {
    return r->count;
}
static inline const ask_value *ask_at(const ask_rows *r, size_t row, size_t column) {
    return &r->values.items[row * r->columns + column];
}
// The log's database, for questions that need no rule. Borrowed; read-only.
sqlite3 *ask_db(const ask *a);
const store *ask_store(const ask *a); // the log; borrowed
// Finds out whether the query has an answer.
status ask_whether(ask *a, const char *query, bool *yes, error *err);
// Proves the query's first answer down to rows of the log, in `memory`; *out NULL: it has no
// answer. An aggregate shows at most `parts` of its parts, and steps nest at most `depth` deep.
status ask_why(ask *a, arena *memory, const char *query, size_t parts, uint32_t depth,
               const struct proof **out, error *err);

#endif
