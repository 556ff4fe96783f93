// cli/commands_all.c - what foresee-project runs: everything.
#include "cli/commands.h"
#include "cli/verify.h"
#include "report/html.h"

const command_entry COMMANDS[] = {{"run", command_run},       {"batch", command_batch},
                                  {"query", command_query},   {"diagnose", command_diagnose},
                                  {"tree", command_tree},     {"show", command_show},
                                  {"check", command_check},   {"edit", command_edit},
                                  {"derive", command_derive}, {NULL, NULL}};

const command_extras EXTRAS = {.html = html_write, .verify = verify_flaws};
