// report/rows.h - rows of a log in memory, found by their id.
#ifndef FORESEE_REPORT_ROWS_H
#define FORESEE_REPORT_ROWS_H

#include <stdint.h>
#include <stdlib.h>

// Orders an id and a row, whose first member is its id.
static inline int rows_order(const void *key, const void *row) {
    int64_t a = *(const int64_t *)key, b = *(const int64_t *)row;
    return a < b ? -1 : a > b;
}

// Finds the row with this id among rows that are sorted by id; NULL: there is none.
static inline void *rows_find(const void *rows, size_t count, size_t size, int64_t id) {
    return count ? bsearch(&id, rows, count, size, rows_order) : NULL;
}

#endif
