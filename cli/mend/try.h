// cli/mend/try.h - what each suggestion does, for foresee diagnose --try.
#ifndef FORESEE_CLI_MEND_TRY_H
#define FORESEE_CLI_MEND_TRY_H

#include "cli/cli.h"
#include "report/diagnosis/diagnosis.h"

// Makes each suggestion of a flaw (--flaw; the first root that has any) in the plan that the
// episode of `log` ran, projects it over --samples seeds from the episode's own on, and the plan
// without it over the same seeds, and sets what that says (diagnosis_try). Projections are
// processes, --jobs at a time, in a temporary folder that is removed afterwards; the log is only
// read. E_USAGE, E_INPUT: a wrong option, a log without a plan. E_INTERRUPTED.
status try_suggestions(const arguments *a, const char *log, int64_t episode, diagnosis *d,
                       error *err);

#endif
