// cli/batch/sample.h - one sample: projected, diagnosed, and told to whoever counts it.
//
// What a sample gave is told as lines of text, which a worker leaves in a file:
//   sample CANDIDATE SEED EPISODE OUTCOME END_NS
//   flaw ROOT NAME PATH BODY        (one for each flaw; parts are separated by tabs)
#ifndef FORESEE_CLI_BATCH_SAMPLE_H
#define FORESEE_CLI_BATCH_SAMPLE_H

#include "cli/batch/candidates.h"
#include "report/batch/results.h"

// Projects a sample into the log at `path` as its next episode, diagnoses it, and appends its
// lines. A projection that diverged is told as invalid, one that what was drawn does not allow as
// refused, with the episode 0; why was printed. E_INTERRUPTED; other errors were printed.
status sample_project(const candidates *c, size_t which, int64_t seed, const char *path,
                      text_buffer *out);
// Diagnoses an episode that a log holds already, and appends its lines.
status sample_diagnose(const candidates *c, size_t which, int64_t seed, const char *path,
                       int64_t episode, text_buffer *out);

// What the lines of one sample say.
typedef struct sample_lines {
    size_t which;
    int64_t seed, episode; // in the log of the worker
    const char *begin, *end;
} sample_lines;
// Finds the lines of the next sample in a text that ends with a 0, and moves *at behind them.
// False: there is none, or what is there is damaged.
bool sample_next(const char **at, sample_lines *out);
// Adds a sample to the results, with its number of an episode in the batch's log.
void sample_add(const candidates *c, const sample_lines *lines, int64_t episode, results *r);
// Adds a sample that gave no answer and has no episode.
void sample_add_crashed(const candidates *c, size_t which, int64_t seed, results *r);

#endif
