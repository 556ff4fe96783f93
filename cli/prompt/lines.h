// cli/prompt/lines.h - cuts text into clauses and commands; keeps the history.
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
    const char *text; // within the text that it was taken from, not ended by a 0
    size_t length;    // including its '.', without the end of its line
    size_t body;      // where the goal, the fact or the name of a command begins
} input;

// Returns the length of the first clause of `text` with its '.'; 0: the clause has not ended. A
// clause ends at a '.' outside quotes and comments that is followed by white space or a comment. A
// quote that is not closed on its line ends the clause with the line.
size_t repl_clause_length(const char *text);
// Takes the first clause or command behind text + *at, and moves *at behind it. `whole`: no more
// text will follow, so that a missing last '.' is accepted. False: nothing is there, or its end is
// missing; *at is where it begins.
bool repl_next_input(const char *text, size_t *at, bool whole, input *out);
// Gives line and column of a place in a text, from 1.
void repl_line_and_column(const char *text, size_t at, int *line, int *column);

char *repl_copy(const char *text, size_t length); // a copy ended by a 0, from malloc; never NULL

// Loads the history: entries of one or more lines, kept in a file.
void repl_history_load(void);
// Adds an entry to the history and its file, unless the last entry is the same.
void repl_history_add(const char *text, size_t length);

#endif
