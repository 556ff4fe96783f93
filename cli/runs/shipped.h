// cli/runs/shipped.h - questions to a log by the rules that come with foresee.
#ifndef FORESEE_CLI_SHIPPED_H
#define FORESEE_CLI_SHIPPED_H

#include "report/diagnosis/diagnosis.h"

// Opens an episode (0: the last) of a log with the shipped rules. On OK the caller closes *out.
status shipped_ask(const char *log, int64_t episode, ask **out, error *err);
// Diagnoses an episode by them, and by the `more` files of rules; a stop of the command interrupts
// that. On OK the caller owns *out.
status shipped_diagnose(const char *log, int64_t episode, const char *const *more, size_t count,
                        diagnosis **out, error *err);

#endif
