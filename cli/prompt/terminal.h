// cli/prompt/terminal.h - a line from the terminal, its size and keys, and what runs while signals
// come.
#ifndef FORESEE_CLI_TERMINAL_H
#define FORESEE_CLI_TERMINAL_H

#include "cli/prompt/repl_int.h"

void repl_catch_signals(bool terminal);
// Brackets around what may take long: Ctrl-C ends it, after a second standard error shows how long
// it runs. The second gives the seconds it ran.
void repl_begin_call(repl *r, foresee *f);
double repl_end_call(repl *r);
bool repl_interrupted(void); // since repl_clear_interrupt
bool repl_terminated(void);  // told to end by a signal
void repl_clear_interrupt(void);
// A key from the terminal, unseen; 0: Ctrl-C or the end of input.
int repl_read_key(void);
// Gives a key back: it will be the first of the next line.
void repl_give_back_key(int key);
int repl_screen_width(void);
int repl_screen_height(void);
bool repl_knows_colours(int fd);
void repl_open_terminal(void);
FILE *repl_prompt_stream(void); // where prompts are written
bool repl_has_typed_ahead(void);
// A line, which the caller frees, edited from `begin` (or NULL) with the cursor there. NULL: the
// end, or Ctrl-C; *dropped is then what it cleared, which the caller frees, otherwise NULL.
char *repl_read_line(const char *prompt, const char *begin, int cursor, char **dropped);

#endif
