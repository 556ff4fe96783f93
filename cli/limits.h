// cli/limits.h - what ends a command early: SIGINT and SIGTERM, --time, and memory that runs out,
// that of --memory or of the machine.
//
// The first of them sets `cli_stopped`, which loops look at, and interrupts the engine: the command
// ends in order. If it has not ended GRACE later, the handler ends it with system calls alone:
// first child processes, then temporary files, then the process.
#ifndef FORESEE_CLI_LIMITS_H
#define FORESEE_CLI_LIMITS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>
#include "cli/command.h"
#include "include/foresee.h"
#include "report/ask.h"

// Set by the first stop. A second SIGINT or SIGTERM ends the program at once.
extern volatile sig_atomic_t cli_stopped;
bool cli_is_stopped(void); // the same as a function

void limits_begin(void); // handles signals and memory that runs out
// Block signals while this program becomes another one: until that handles them, or could not be
// started.
void limits_hold(void);
void limits_release(void);
// Applies --memory and --time of the command line. E_USAGE names the option.
status limits_set(const arguments *a, error *err);
// Returns the exit status of the program, where the command returned `result`; a limit that ended
// the command is reported in a sentence.
int limits_end(int result);
// Forgets a stop and cancels the timer, for a program that runs several commands.
void limits_calm(void);
// Called in a child after a fork: limits stop the child by itself, and it ends with its parent.
void limits_child(void);

// Add a child process, which then does not outlive this process, and drop one that has ended.
void limits_add_process(pid_t child);
void limits_drop_process(pid_t child);
// Add a file or a folder of files, which then does not outlive this process, and drop one that was
// removed.
void limits_add_path(const char *path);
void limits_drop_path(const char *path);

// Set the engine that a stop interrupts; NULL: none. It must be set to NULL before the engine is
// closed.
void cli_interrupts(foresee *f);
void cli_interrupts_ask(ask *a);

#endif
