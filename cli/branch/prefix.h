// cli/branch/prefix.h - whether an episode that is played again is the one that a log holds.
#ifndef FORESEE_CLI_BRANCH_PREFIX_H
#define FORESEE_CLI_BRANCH_PREFIX_H

#include "cli/branch/tape.h"

// Compares what a tape keeps with the episode of a log, record for record up to `t`. `other_plan`:
// the plan was edited, or has another parameter. Then its text, its parameters and what its steps
// say are of course others, and the static path and the line of a task are names that an edit may
// give anew to steps that it does not change: they are passed over. What the robot did, read,
// believed and chose is compared in any case, and so is each draw, which is keyed by such a path.
// E_INPUT: the first record that differs, with its instant, its kind and both versions.
status prefix_compare(const tape *replayed, const char *log, int64_t episode, nanos t,
                      bool other_plan, error *err);

#endif
