// cli/prompt/lines.h - text to clauses and commands, and the history of what was typed.
#ifndef FORESEE_CLI_LINES_H
#define FORESEE_CLI_LINES_H

#include <stdbool.h>
#include <stddef.h>

typedef enum input_kind {
    INPUT_COMMAND, // .help
    INPUT_QUERY,   // p(X).
    INPUT_RULE,    // p(X) :- q(X).   and directives
    INPUT_FACT,    // +p(a).
    INPUT_WHY,     // why p(a).
    INPUT_WHY_NOT  // why not p(a).
} input_kind;

// One clause or command of a text.
typedef struct input {
    input_kind kind;
    const char *text; // in the text it was taken from, not ended
    size_t length;    // with its '.', without the end of its line
    size_t body;      // where the goal, the fact or a command's name begins
} input;

// The length of the first clause of `text` with its '.', or 0 where it has not ended: a '.' that is
// followed by white space or a comment, outside quotes and comments. A quote that is not closed on
// its line ends the clause with the line.
size_t repl_clause_length(const char *text);
// White space and comments before a clause.
size_t repl_blank_length(const char *text);
// What stands first in text + *at, and moves *at behind it. `whole`: no more will follow, a missing
// last '.' is let pass. False: nothing is there, or its end is missing; *at is where it begins.
bool repl_next_input(const char *text, size_t *at, bool whole, input *out);
// Line and column of a place in a text, from 1.
void repl_line_and_column(const char *text, size_t at, int *line, int *column);

char *repl_copy(const char *text, size_t length); // ended by a 0, from malloc; never NULL

// The history: entries of one or more lines, kept in a file.
void repl_history_load(void);
// Adds an entry, unless the last one says the same.
void repl_history_add(const char *text, size_t length);

#endif
