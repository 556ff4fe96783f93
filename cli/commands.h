// cli/commands.h - which program runs a command.
//
// Asking a log is done in milliseconds, and a program that draws in a simulation and a drawing
// library needs more than that to begin. So `foresee` runs what asks, and hands everything else to
// `foresee-project`, which stands beside it and runs all.
#ifndef FORESEE_CLI_COMMANDS_H
#define FORESEE_CLI_COMMANDS_H

#include "cli/cli.h"
#include "report/diagnose.h"

typedef struct command_entry {
    const char *name;
    int (*run)(const arguments *a);
} command_entry;
extern const command_entry COMMANDS[]; // of this program; ended by a name that is NULL

// What makes a diagnosis more than asking: NULL in a program that only asks.
typedef struct command_extras {
    // The diagnosis as a page with pictures; `rules`: the folder of rule files.
    status (*html)(ask *a, diagnosis *d, const char *rules, text_buffer *out, error *err);
    // Puts the causes of a diagnosis to the test by re-runs (verify.h).
    status (*verify)(const arguments *a, ask *asked, diagnosis *d, const char *rules,
                     const char *const *more, size_t more_count, error *err);
} command_extras;
extern const command_extras EXTRAS;

#endif
