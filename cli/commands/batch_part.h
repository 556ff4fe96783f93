// cli/commands/batch_part.h - the part of `foresee batch` that a scheduler calls.
#ifndef FORESEE_CLI_COMMANDS_BATCH_PART_H
#define FORESEE_CLI_COMMANDS_BATCH_PART_H

#include "cli/command.h"

// Projects a part of a manifest; returns the exit status of the program.
int command_batch_part(const arguments *a);

#endif
