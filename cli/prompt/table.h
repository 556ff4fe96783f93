// cli/prompt/table.h - answers and texts on a terminal, a page at a time.
#ifndef FORESEE_CLI_TABLE_H
#define FORESEE_CLI_TABLE_H

#include "cli/prompt/repl_int.h"

// Returns the columns that a text takes.
size_t text_columns(const char *text);
void text_make_printable(char *text); // replaces bytes that would steer the terminal by '?'
// Shows answers as a table that fits, a page at a time; each query was stepped once. Returns
// FORESEE_OK, also after Ctrl-C; FORESEE_MEMORY: not all answers are shown.
int table_show(repl *r, foresee_query *const *queries, size_t count);
// Shows a text, a screen at a time if it is longer than the screen.
void text_show(repl *r, const char *text);
// Shows lines of two columns, aligned; the second is wrapped to fit a terminal.
typedef struct text_pair {
    const char *left, *right;
} text_pair;
void pairs_show(repl *r, const text_pair *pairs, size_t count);

#endif
