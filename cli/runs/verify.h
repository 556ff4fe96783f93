// cli/runs/verify.h - foresee diagnose --verify: re-runs that put suspected causes to the test.
#ifndef FORESEE_CLI_VERIFY_H
#define FORESEE_CLI_VERIFY_H

#include "cli/cli.h"
#include "report/diagnosis/diagnosis.h"

// Tests the cause of every root of `d`, the diagnosis of what `asked` asks, and puts the verdicts
// into it (report/diagnosis/verify.h). Re-runs are processes of this very program, --jobs of them
// at once, in a temporary folder that is gone afterwards; the log is only read. `rules` and `more`
// are the rule files of the diagnosis. E_USAGE, E_INPUT: a wrong --suspect or --jobs.
// E_INTERRUPTED.
status verify_flaws(const arguments *a, ask *asked, diagnosis *d, const char *rules,
                    const char *const *more, size_t more_count, error *err);

#endif
