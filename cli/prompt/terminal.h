// cli/prompt/terminal.h - lines and keys from the terminal, its size, and signals while a query
// runs.
#ifndef FORESEE_CLI_TERMINAL_H
#define FORESEE_CLI_TERMINAL_H

#include "cli/prompt/repl_int.h"

void repl_catch_signals(bool terminal);
// Called before and after a call that may take long: Ctrl-C interrupts it, and after a second
// standard error shows how long it runs. The second returns the seconds that it took.
void repl_begin_call(repl *r, foresee *f);
double repl_end_call(repl *r);
bool repl_interrupted(void); // whether Ctrl-C was pressed since repl_clear_interrupt
bool repl_terminated(void);  // whether a signal has told the program to end
void repl_clear_interrupt(void);
// Reads a key without echo; 0: Ctrl-C or the end of input.
int repl_read_key(void);
// Gives a key back, which will be the first of the next line.
void repl_give_back_key(int key);
int repl_screen_width(void);
int repl_screen_height(void);
bool repl_knows_colours(int fd);
void repl_open_terminal(void);
FILE *repl_prompt_stream(void); // the stream that prompts are written to
// Reads a line, which the caller frees. NULL: the end of input, or Ctrl-C, and then *dropped is the
// line that Ctrl-C cleared, which the caller frees. Otherwise *dropped is NULL.
char *repl_read_line(const char *prompt, char **dropped);

#endif
