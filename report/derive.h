// report/derive.h - writes predicates into the log as tables, for questions in SQL.
//
// A predicate becomes the table derived_<predicate>; a functor of a split predicate becomes
// derived_<predicate>_<functor>. The columns have the names of the declaration: derived_holds_w_on
// has episode, top, bottom, start_s and end_s. Times are seconds, numbers are numbers, symbols and
// strings are texts as they are, other terms are texts as rules write them. The table `derived`
// lists these tables.
//
// All answers are found before the log is written, in one transaction: either every table holds the
// episodes' answers, in place of old ones, or nothing has changed. Another writer of the log is
// waited for, for at most a minute.
#ifndef FORESEE_REPORT_DERIVE_H
#define FORESEE_REPORT_DERIVE_H

#include "base/mem.h"
#include "include/foresee.h"

typedef struct derive_request {
    const char *log;
    const char *const *rules; // files of rules beside the shipped ones
    size_t rule_count;
    int64_t episode; // 0: the last; -1: all
    const char *const
        *wanted;         // on, on/2, holds_w(on/2), occurs_w (each functor), flaw/1 (its terms)
    size_t wanted_count; // 0: the usual predicates, and those that `rules` define, as far as they
                         // can be enumerated in time
    // Called with the connection before it is asked, and with NULL afterwards. May be NULL.
    void (*watch)(void *context, foresee *f, int64_t episode);
    void *context;
    bool (*stopped)(void); // asked between rows; true ends the derivation. NULL: nothing ends it
} derive_request;

typedef struct derived_table {
    const char *table, *predicate;
    int64_t rows;
    const char *left_out; // why the table was not written; NULL: it was
} derived_table;
typedef struct derive_result {
    arena *memory;
    ARRAY(derived_table) tables;
    const char *note; // on the state that the log was found in; NULL: nothing to say
} derive_result;

// E_INPUT: a wrong request, a log or rules that cannot be read, or a table of that name that this
// program did not make. E_FULL, E_IO: the log cannot be written, and is unchanged. derive_finish is
// called in any case.
status derive_run(const derive_request *r, derive_result *out, errors *list);
void derive_finish(derive_result *r);

#endif
