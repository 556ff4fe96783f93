// report/derive.h - predicates written into the log as tables, for those who ask in SQL.
//
// A predicate becomes the table derived_<predicate>, one functor of a split predicate
// derived_<predicate>_<functor>: derived_holds_w_on has episode, top, bottom, start_s and end_s,
// the names of its declaration. Times are seconds, numbers numbers, symbols and strings texts as
// they are, other terms texts as rules write them. The table `derived` says which tables these are.
//
// All answers are found before the log is written, in one transaction: either every table holds the
// episodes' answers, old ones replaced, or nothing has changed. Whoever else writes the log just
// then is waited for: for a minute at most.
#ifndef FORESEE_REPORT_DERIVE_H
#define FORESEE_REPORT_DERIVE_H

#include "base/mem.h"
#include "include/foresee.h"

typedef struct derive_request {
    const char *log;
    const char *const *rules; // files beside the shipped ones
    size_t rule_count;
    int64_t episode; // 0: the last; -1: all
    const char *const
        *wanted;         // on, on/2, holds_w(on/2), occurs_w (each functor), flaw/1 (its terms)
    size_t wanted_count; // 0: what derive_usual lists and `rules` define, as far as it can be
                         // enumerated in time
    // Called with the connection before it is asked, with NULL after. May be NULL.
    void (*watch)(void *context, foresee *f, int64_t episode);
    void *context;
    bool (*stopped)(void); // asked between rows, whether no more is wanted; NULL: never
} derive_request;

typedef struct derived_table {
    const char *table, *predicate;
    int64_t rows;
    const char *left_out; // why it was not written, or NULL
} derived_table;
typedef struct derive_result {
    arena *memory;
    ARRAY(derived_table) tables;
    const char *note; // on the state the log was found in, or NULL
} derive_result;

// E_INPUT: a wrong request, a log or rules that cannot be read, a table of that name that is not
// ours; E_FULL, E_IO: the log cannot be written, and is as it was. derive_finish in any case.
status derive_run(const derive_request *r, derive_result *out, errors *list);
void derive_finish(derive_result *r);

#endif
