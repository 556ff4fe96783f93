// cli/commands_asking.c - what foresee runs itself.
#include "cli/commands.h"

const command_entry COMMANDS[] = {{"query", command_query},
                                  {"diagnose", command_diagnose},
                                  {"tree", command_tree},
                                  {"derive", command_derive},
                                  {NULL, NULL}};

const command_extras EXTRAS = {0};
