// cli/prompt/repl.h - questions from standard input: with editing at a terminal, clause by clause
// from a pipe.
//
// Both take queries, rules, `+` facts, `why` and dot commands (commands.def). At a terminal
// there are history, completion, tables that fit and pages; in a pipe answers are printed as
// `foresee query LOG QUERY` prints them, without decoration or echo.
#ifndef FORESEE_CLI_REPL_H
#define FORESEE_CLI_REPL_H

#include <stdio.h>

#include "cli/prompt/session.h"

// Standard input is a terminal. EXIT_YES when the user leaves.
int repl_run(session *s);
// Everything that the stream holds. The worst status: 2 or 3 where a clause was wrong or had no
// answer, else 0 when all queries had answers, 1 otherwise.
int repl_read(session *s, FILE *in);

#endif
