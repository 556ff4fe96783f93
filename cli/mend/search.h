// cli/mend/search.h - looks for edits with which more projections succeed.
#ifndef FORESEE_CLI_MEND_SEARCH_H
#define FORESEE_CLI_MEND_SEARCH_H

#include "cli/mend/mend.h"

// Tries what is suggested against the roots of the kept version's failures, the most frequent root
// first: each suggestion on the seed that shows the root, those that succeed there on all seeds
// that choose. Where none succeeds, those that take the flaw away are gone on from, and pairs are
// combined. *found: a version with more successes is kept now, and its edits are in the story.
status search_improvement(mending *m, bool *found, error *err);

// ---- What the search uses (mend.c)

// Projects versions over seeds from `first` on, seed by seed.
status mending_project(mending *m, const size_t *which, size_t count, int64_t first, int64_t seeds,
                       const char *doing, error *err);
// Returns with how many of the seeds that choose a version succeeds; *seeds (NULL: not asked): how
// many gave an answer.
int64_t mending_successes(const mending *m, size_t which, int64_t *seeds);
// Returns whether so many projections leave what judging needs at least.
bool mending_affords(const mending *m, int64_t projections);

#endif
