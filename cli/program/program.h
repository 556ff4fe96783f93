// cli/program/program.h - which of the two programs runs a command.
//
// A question to a log is answered in milliseconds, while a program that links a simulation and a
// drawing library needs longer than that to start. So `foresee` runs the commands that ask, and
// hands all others to `foresee-project`, which stands beside it and runs all of them.
#ifndef FORESEE_CLI_PROGRAM_H
#define FORESEE_CLI_PROGRAM_H

#include "cli/commands/commands.h"

typedef struct command_entry {
    const char *name;
    int (*run)(const arguments *a); // returns the exit status
    bool asks_only;                 // options that draw or project are left to foresee-project
} command_entry;
extern const command_entry COMMANDS[]; // the commands of this program; ended by a name that is NULL

#endif
