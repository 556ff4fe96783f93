// cli/batch/recorded.h - which samples a log holds already: the log is the state of a batch.
#ifndef FORESEE_CLI_BATCH_RECORDED_H
#define FORESEE_CLI_BATCH_RECORDED_H

#include "cli/batch/candidates.h"

// Finds the episode of each sample in order (seed by seed, of each the candidates): episodes[i] is
// its number, 0 where the log has none that ran to its end. `strict`: E_INPUT where the log has,
// under the name and the seed of a sample that is missing, an episode of other files, parameters or
// program; the error names the difference. A file that is not there holds none.
status recorded_find(const candidates *c, int64_t first_seed, int64_t seeds, const char *log,
                     bool strict, int64_t *episodes, error *err);

#endif
