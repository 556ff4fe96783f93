// cli/mend/mend.h - a small transformational planner: what the diagnosis of a failing plan suggests
// is made in it and projected; what is better is kept, again and again.
//
// Seeds that serve to choose never serve to judge: what was chosen is compared with the plan on
// further seeds, by the sequential test of report/evidence/paired.h, and is written only where that
// says that it is better.
#ifndef FORESEE_CLI_MEND_MEND_H
#define FORESEE_CLI_MEND_MEND_H

#include "cli/mend/trials.h"
#include "report/mending/story.h"

typedef struct mending {
    trials t;    // begun by the caller, who also ends it
    story s;     // plan, output, log, first_seed, seeds, budget and enough are set by the caller
    size_t kept; // the version that is best so far
} mending;

// The fewest projections with which a plan can be mended: the plan and an edited one on the seeds
// that choose, and as many pairs as can decide at best.
int64_t mending_budget_least(int64_t seeds);
// Mends the plan, within the budget, and tells it in the story; writes no plan. E_INTERRUPTED: the
// story says how far it came. E_IO: the plan gave no answer.
status mending_run(mending *m, error *err);
// Returns the edits that were kept, as JSON; in the memory of the trials.
const char *mending_edits(const mending *m);

#endif
