// query/format.h - answers as text.
#ifndef FORESEE_QUERY_FORMAT_H
#define FORESEE_QUERY_FORMAT_H

#include "query/engine.h"

typedef enum format_kind {
    FORMAT_TABLE, // aligned columns under their names; yes or no without variables
    FORMAT_LINES, // each answer as the query with its variables filled in and a '.', sorted
    FORMAT_CSV,   // RFC 4180, with a line of names
    FORMAT_JSON,  // {"query": ..., "columns": [...], "rows": [[...]]}: numbers and times (in
                  // seconds) are numbers, symbols, strings and compounds strings, lists arrays
    FORMAT_PLAIN  // the last column of each answer as it is, without quotes, a line each
} format_kind;

// The caller frees *out. `width`: of the terminal, to which a table's widest columns are cut; 0:
// not cut.
status format_answers(const answers *a, format_kind kind, int width, char **out);
// table, lines, csv, json, plain. False: none of them.
bool format_find(const char *name, format_kind *out);

#endif
