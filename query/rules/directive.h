// query/rules/directive.h - directives of rule files: declare, split, temporal, module, table and
// their like.
#ifndef FORESEE_QUERY_DIRECTIVE_H
#define FORESEE_QUERY_DIRECTIVE_H

#include "query/rules/program.h"

// Returns whether the next clause is a directive.
bool directive_ahead(reader *r);
// Reads a directive from behind its `:-` up to its '.', gives what it says to the program, and
// moves the reader behind it. False: mistakes are in `list`.
bool directive_read(program *p, reader *r, errors *list);

// Gives the program a directive that names an argument, as it was read.
void directive_position(program *p, position_directive d);

// Returns whether declarations know a type of this name (types.def).
bool type_is_known(const char *name);

#endif
