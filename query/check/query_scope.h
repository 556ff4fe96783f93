// query/check/query_scope.h - what a query stands in: the names that it may use, and the values
// that come with it.
#ifndef FORESEE_QUERY_SCOPE_H
#define FORESEE_QUERY_SCOPE_H

#include "query/rows/value.h"
#include "query/rules/source.h"

// Variables of a query that come with values: a relation of one row in its body.
typedef struct query_given {
    const char *const *names;
    const value *values;
    uint32_t count;
    const char *const *columns; // of the answers; NULL: the query's own variables
    uint32_t column_count;
} query_given;

// A constant of a query that stands for an object.
typedef struct mention {
    value name;
    int line, column;
} mention;
typedef ARRAY(mention) mention_list;

// Only `file` must be set.
typedef struct query_scope {
    const char *file;          // named in messages
    const rule_source *source; // whose names the query uses; NULL: those of the common space
    const query_given *given;  // NULL: no variable comes with a value
    bool answered;             // values of an answer stand in it, which fit only one of the rules'
                               // alternatives: types are not judged again
    mention_list *mentions;    // the query's objects are added here; NULL: nobody asks
} query_scope;

#endif
