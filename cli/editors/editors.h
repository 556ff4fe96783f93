// cli/editors/editors.h - what editors and shells are given; each returns the exit status of the
// program.
#ifndef FORESEE_CLI_EDITORS_EDITORS_H
#define FORESEE_CLI_EDITORS_EDITORS_H

#include "cli/cli.h"

int command_schema(const arguments *a);       // prints the JSON Schema of a kind of file
int command_completion(const arguments *a);   // prints the completion of a shell
int command_highlighting(const arguments *a); // prints how an editor colours rule files

#endif
