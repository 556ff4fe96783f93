// cli/branch/futures.h - the futures of an episode: which there are, and running them all.
//
// Every change is a future of its own; with other noise, each is there once for every seed, in the
// order of seeds. Futures with the same plan and parameters of the plan share a trunk.
#ifndef FORESEE_CLI_BRANCH_FUTURES_H
#define FORESEE_CLI_BRANCH_FUTURES_H

#include "cli/branch/trunk.h"

typedef struct futures_request {
    const char *log;
    int64_t episode;   // 0: the last
    const char *at;    // seconds, as given
    const char *edits; // file of edits; NULL: none
    const char *const *changes;
    size_t change_count; // 0: one future without a change
    int64_t count;       // of seeds; 0: the noise stays as it was
    int64_t seed;        // the first; -1: the one after the episode's
    const char *vary;    // file of what varies with the seeds; NULL: nothing does
    nanos until;         // TIME_OPEN: as the episode
    bool quiet;
} futures_request;
typedef struct futures {
    arena *memory;
    rerun again;
    nanos at; // the beginning of the cycle with which they begin
    future *items;
    size_t count;
    trunk *trunks;
    size_t trunk_count;
    char *edits;
} futures;

// Reads the episode, and loads everything that its futures need. All mistakes go to `list`:
// E_INPUT, E_USAGE. The caller ends *out by futures_finish in any case.
status futures_load(const futures_request *request, futures *out, errors *list);
void futures_finish(futures *f);
// Runs all futures, `jobs` at a time, and appends their episodes to the new log `output` in order,
// as they end. Returns the exit status; what was wrong has been told. Futures that gave no answer
// have no episode.
int futures_run(futures *f, const char *output, int64_t jobs, bool quiet);

#endif
