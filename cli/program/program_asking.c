// cli/program/program_asking.c - the commands that foresee runs itself: those that ask a log.
#include "cli/program/program.h"

static int diagnose_by_asking(const arguments *a) {
    static const diagnose_extras none = {0};
    return command_diagnose(a, &none);
}

const command_entry COMMANDS[] = {{"query", command_query, true},
                                  {"diagnose", diagnose_by_asking, true},
                                  {"compare", command_compare, true},
                                  {"diff", command_diff, true},
                                  {"tree", command_tree, true},
                                  {"derive", command_derive, true},
                                  {NULL, NULL, false}};
