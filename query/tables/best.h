// query/tables/best.h - tables of which the best row of each key alone counts.
#ifndef FORESEE_QUERY_BEST_H
#define FORESEE_QUERY_BEST_H

#include "query/tables/table.h"

// Makes the table keep only the best row of each key, as its predicate says. False: out of memory.
bool table_keep_best(table *t, values *v);
void best_destroy(best_rows *b, budget *from); // NULL is a no-op
// Adds the row to such a table, unless it has this row or a better one of the key.
status best_add(table *t, const value *row, uint32_t origin, uint32_t round);
// Returns whether a better row took the place of this one; in other tables no row is beaten.
bool table_is_beaten(const table *t, uint32_t row);

#endif
