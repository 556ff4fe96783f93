// cli/program/program.h - which program runs a command.
//
// Asking a log is done in milliseconds, and a program that draws in a simulation and a drawing
// library needs more than that to begin. So `foresee` runs what asks, and hands everything else to
// `foresee-project`, which stands beside it and runs all.
#ifndef FORESEE_CLI_PROGRAM_H
#define FORESEE_CLI_PROGRAM_H

#include "cli/commands/commands.h"

typedef struct command_entry {
    const char *name;
    int (*run)(const arguments *a); // returns the exit status
    bool asks_only;                 // options that draw or project are for foresee-project
} command_entry;
extern const command_entry COMMANDS[]; // of this program; ended by a name that is NULL

#endif
