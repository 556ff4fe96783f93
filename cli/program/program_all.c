// cli/program/program_all.c - the commands of foresee-project: all of them.
#include "cli/program/program.h"
#include "cli/editors/editors.h"
#include "cli/mend/try.h"
#include "cli/runs/verify.h"
#include "report/page/html.h"

static int diagnose_with_all(const arguments *a) {
    static const diagnose_extras extras = {
        .html = html_write, .verify = verify_flaws, .try = try_suggestions};
    return command_diagnose(a, &extras);
}

const command_entry COMMANDS[] = {{"run", command_run, false},
                                  {"batch", command_batch, false},
                                  {"branch", command_branch, false},
                                  {"mend", command_mend, false},
                                  {"query", command_query, false},
                                  {"diagnose", diagnose_with_all, false},
                                  {"compare", command_compare, false},
                                  {"diff", command_diff, false},
                                  {"tree", command_tree, false},
                                  {"show", command_show, false},
                                  {"view", command_view, false},
                                  {"check", command_check, false},
                                  {"edit", command_edit, false},
                                  {"derive", command_derive, false},
                                  {"couple", command_couple, false},
                                  {"schema", command_schema, false},
                                  {"completion", command_completion, false},
                                  {"highlighting", command_highlighting, false},
                                  {NULL, NULL, false}};
