// cli/runs/verify.h - tests the causes of flaws by re-runs, for foresee diagnose --verify.
#ifndef FORESEE_CLI_VERIFY_H
#define FORESEE_CLI_VERIFY_H

#include "cli/cli.h"
#include "report/diagnosis/diagnosis.h"

// Tests the cause of every root of `d`, the diagnosis of the episode that `asked` asks, and sets
// the verdicts (report/diagnosis/verify.h). Re-runs are processes of this program, --jobs at a
// time, in a temporary folder that is removed afterwards; the log is only read. `rules` and `more`
// are the rule files of the diagnosis. E_USAGE, E_INPUT: a wrong --suspect or --jobs.
// E_INTERRUPTED.
status verify_flaws(const arguments *a, ask *asked, diagnosis *d, const char *rules,
                    const char *const *more, size_t more_count, error *err);

#endif
