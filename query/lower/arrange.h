// query/lower/arrange.h - the order of a query's answers, and how many of them are given:
// order_by(...), limit(N) and offset(N) at the top level of a query.
#ifndef FORESEE_QUERY_ARRANGE_H
#define FORESEE_QUERY_ARRANGE_H

#include "query/rows/value.h"

// One key of order_by.
typedef struct arrange_key {
    const char *name;
    uint32_t column; // of the answers
    bool descending;
    int line, column_of_text;
} arrange_key;

typedef struct arrangement {
    arrange_key *keys; // in the arena of the query
    uint32_t key_count;
    bool limited, skips; // a limit is given; an offset is given
    uint64_t limit, offset;
} arrangement;

struct program;
// Returns the body without the literals that arrange answers, which go to *out. NULL: no other goal
// is left, or a mistake is in `list`. Where a user defines a predicate of such a name, its calls
// are goals.
const term *arrange_take(struct program *p, arena *a, const term *body, const char *file,
                         arrangement *out, errors *list);
// Finds the columns of order_by among the names of the answers. False: mistakes are in `list`.
bool arrange_resolve(arrangement *r, const char *const *names, uint32_t count, const char *file,
                     errors *list);
// Sorts rows of `columns` values: by the keys, then in the standard order of whole rows; and drops
// those outside the limits. *rows moves on to the first row that stays.
void arrange_rows(const arrangement *r, const values *v, value **rows, uint32_t columns,
                  size_t *count);
// Returns whether the goal arranges answers, wherever it stands; rules and brackets may not hold
// one.
bool arrange_is(const term *goal);

#endif
