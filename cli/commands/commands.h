// cli/commands/commands.h - the subcommands: each returns the exit status of the program.
#ifndef FORESEE_CLI_COMMANDS_H
#define FORESEE_CLI_COMMANDS_H

#include "cli/cli.h"
#include "report/diagnosis/diagnosis.h"

// Extras of a diagnosis beside asking; a member is NULL where the program does not have it.
typedef struct diagnose_extras {
    // Writes the diagnosis as a page with pictures; `rules` is the folder of rule files.
    status (*html)(ask *a, diagnosis *d, const char *rules, text_buffer *out, error *err);
    // Tests the causes of a diagnosis by re-runs (cli/runs/verify.h).
    status (*verify)(const arguments *a, ask *asked, diagnosis *d, const char *rules,
                     const char *const *more, size_t more_count, error *err);
    // Tries suggestions by projections (cli/mend/try.h).
    status (*try)(const arguments *a, const char *log, int64_t episode, diagnosis *d, error *err);
} diagnose_extras;

int command_run(const arguments *a);
int command_batch(const arguments *a);
int command_branch(const arguments *a);
int command_mend(const arguments *a);
int command_query(const arguments *a);
int command_diagnose(const arguments *a, const diagnose_extras *extras);
int command_compare(const arguments *a);
int command_diff(const arguments *a);
int command_tree(const arguments *a);
int command_show(const arguments *a);
int command_view(const arguments *a);
int command_check(const arguments *a);
int command_edit(const arguments *a);
int command_derive(const arguments *a);
int command_couple(const arguments *a);

#endif
