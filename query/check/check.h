// query/check/check.h - finds what is wrong with the rules of predicates before anything runs.
#ifndef FORESEE_QUERY_CHECK_H
#define FORESEE_QUERY_CHECK_H

#include "query/rules/program.h"
#include "query/check/query_scope.h"

// Checks the predicates from `first` on: undefined names, types, safety and stratification. Finds
// the kinds of their columns, the columns that callers must bind, their components and
// fingerprints. Mistakes go to `list`, warnings to the program. `libraries`: rules of libraries are
// judged too. `scope`: of the query that is prepared; NULL: none is.
void check_program(program *p, uint32_t first, bool libraries, const query_scope *scope,
                   errors *list);
// Checks the directives that say something of one argument of a predicate. (directives.c)
void check_directives(program *p, errors *list);
// Warns of words in the sentences of flaws that nothing says. (sentences.c)
void check_sentences(program *p);
// Warns of names in users' clauses that nothing says and that are nearly ones that something does.
// (misspelt.c)
void check_misspelt(program *p);
// Brings the mistakes from `from` on into the order of their places, each once.
void check_sort(errors *list, size_t from);

#endif
