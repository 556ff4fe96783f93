// query/rules/type_names.h - the names of types that a declaration may give an argument
// (types.def).
#ifndef FORESEE_QUERY_TYPE_NAMES_H
#define FORESEE_QUERY_TYPE_NAMES_H

#include <stdbool.h>

// Returns whether declarations know a type of this name.
bool type_is_known(const char *name);
// Returns the known name that was probably meant; NULL: none is near.
const char *type_near(const char *name);

#endif
