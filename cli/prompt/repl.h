// cli/prompt/repl.h - the prompt: reads questions from standard input, with editing at a terminal,
// clause by clause from a pipe.
//
// Both take queries, rules, `+` facts, `why` and dot commands (commands.def). At a terminal there
// are history, completion, tables that fit, and pages. In a pipe answers are printed as `foresee
// query LOG QUERY` prints them, without decoration or echo.
#ifndef FORESEE_CLI_REPL_H
#define FORESEE_CLI_REPL_H

#include <stdio.h>

#include "cli/prompt/session.h"

// Reads from a terminal. EXIT_YES when the user leaves.
int repl_run(session *s);
// Reads the whole stream. Returns the worst status: 2 or 3 if a clause was wrong or could not be
// answered, else 1 if a query had no answer, else 0.
int repl_read(session *s, FILE *in);

#endif
