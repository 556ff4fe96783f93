// cli/limits.h - what ends a command before its end: SIGINT and SIGTERM, --time, and memory that
// runs out, --memory's or the machine's.
//
// The first of them sets `cli_stopped`, which loops look at, and what is asked is interrupted: the
// command ends in order. What has not ended GRACE later is ended by the handler, with system calls
// alone: children first, then temporary files, then the process.
#ifndef FORESEE_CLI_LIMITS_H
#define FORESEE_CLI_LIMITS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>
#include "cli/command.h"
#include "include/foresee.h"
#include "report/ask.h"

// Set by what ends the command; a second SIGINT or SIGTERM ends the program at once.
extern volatile sig_atomic_t cli_stopped;
bool cli_is_stopped(void); // the same, for who wants a function

void limits_begin(void); // catches signals, and memory that runs out
// Signals wait: until the program that this one becomes catches them, or it could not be begun.
void limits_hold(void);
void limits_release(void);
// --memory and --time of the command line, from here on. E_USAGE names the option.
status limits_set(const arguments *a, error *err);
// The status that the program ends with, where the command ended with `result`: what was stopped by
// a limit says which in a sentence.
int limits_end(int result);
// Nothing has been stopped, and nothing is about to be: for a program that runs several commands.
void limits_calm(void);
// After a fork, in the child: it is stopped by itself, and ends with its parent.
void limits_child(void);

// A child that does not outlive this process, and one that has ended.
void limits_add_process(pid_t child);
void limits_drop_process(pid_t child);
// A folder of files, or a file, that does not outlive this process, and one that is gone.
void limits_add_path(const char *path);
void limits_drop_path(const char *path);

// What a stop interrupts besides; NULL: nothing. It must be taken back before it is closed.
void cli_interrupts(foresee *f);
void cli_interrupts_ask(ask *a);
// SIGTERM that another handler took, as the prompt's.
void limits_stop(int signal_number);

#endif
