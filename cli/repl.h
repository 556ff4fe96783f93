// cli/repl.h - queries from standard input: line by line at a terminal, clause by clause from a
// file.
#ifndef FORESEE_CLI_REPL_H
#define FORESEE_CLI_REPL_H

#include "cli/cli.h"

// Answers one query, the text up to its '.'; gives an exit status.
typedef int (*repl_answer)(void *context, const char *query);

// At a terminal, with editing and history; EXIT_YES at the end of input or `quit.`.
int repl_run(repl_answer answer, void *context);
// Every clause of the stream. The worst status: 2 or 3 where one was wrong or had none, else 0 when
// all had answers, 1 otherwise.
int repl_read(FILE *in, repl_answer answer, void *context);

// The length of the first clause of `text` with its '.', or 0 where it has not ended: a '.' that is
// followed by white space or the end, outside quotes and comments.
size_t repl_clause(const char *text);

#endif
