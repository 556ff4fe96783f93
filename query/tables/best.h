// query/tables/best.h - tables of which the best row of each key alone counts.
#ifndef FORESEE_QUERY_BEST_H
#define FORESEE_QUERY_BEST_H

#include "query/tables/table.h"

// Lets the best row of each key alone count, as the table's predicate says. False: out of memory.
bool table_keep_best(table *t, values *v);
void best_destroy(best_rows *b, budget *from); // NULL is a no-op
// Adds the row to a table that keeps the best, unless it has a better one of the key, or this one.
status best_add(table *t, const value *row, uint32_t origin, uint32_t round);
// Whether a better row took the place of this one; of other tables none is beaten.
bool table_is_beaten(const table *t, uint32_t row);

#endif
