// query/rows/row_order.h - rows of each key in the order of a column, to read those whose interval
// meets another one.
//
// Owns:      arrays of row numbers, beside the rows of a relation.
// Invariant: what it gives holds all rows asked for and may hold more, since numbers are compared
//            as doubles here: the caller tests each row exactly.
#ifndef FORESEE_QUERY_ROW_ORDER_H
#define FORESEE_QUERY_ROW_ORDER_H

#include <math.h>
#include "query/rows/relation.h"

typedef ARRAY(uint32_t) row_list;

// The number a value is ordered by, seconds of a time; NaN: it is no number.
double order_number(const values *v, value x);

// Rows whose column `start` is in [from, to] and whose column `end` is at least `reach`, all up to
// rounding. Infinite where there is no such bound.
typedef struct order_range {
    double from, to, reach;
} order_range;

// The order of the rows below `limit` by column `start` within each key of `i` (NULL: all rows are
// one key), made or brought up to date: a few of the newest rows may be missing. E_LIMIT, E_MEMORY,
// E_INTERRUPTED.
status relation_order_on(relation *r, const relation_index *i, uint32_t mask, uint32_t start,
                         uint32_t end, uint32_t limit, const values *v, relation_order **out);
// Rows from this number on are not in it.
uint32_t relation_order_covered(const relation_order *o);
// Adds the rows of the key that `row` has (any row of it below _covered; 0 without an index) that
// meet the range. E_MEMORY.
status relation_order_find(const relation_order *o, uint32_t row, order_range range, row_list *out);
void orders_destroy(relation *r);

#endif
