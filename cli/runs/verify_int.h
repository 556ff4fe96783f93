// cli/runs/verify_int.h - the re-runs of foresee diagnose --verify, and those that share a branch.
#ifndef FORESEE_CLI_VERIFY_INT_H
#define FORESEE_CLI_VERIFY_INT_H

#include "cli/cli.h"
#include "report/diagnosis/verify.h"

typedef struct test_run {     // one re-run
    const char *flag, *value; // --change TERM or --placebo STREAM=N
    const term *change;       // the intervention; NULL: a placebo
    pid_t process;            // 0: not running
    bool started, ended, answered;
    bool *shows; // by suspicion: whether the re-run shows the flaw; set where it gave an answer
    const char **why_not; // by suspicion: why the absence of the flaw proves nothing; NULL: it does
                          // prove something
    const char *note;     // why there is no answer, as a sentence
    nanos from;           // the change acts from then on; 0: from the start
    size_t branch;        // the re-run whose process makes this one, too; itself: it makes several
    int64_t episode;      // of that process's log; 0: the last
    bool impossible;      // the intervention cannot be made
} test_run;

typedef struct verifying {
    const char *log;
    int64_t episode, jobs;
    const char *until; // seconds after which a re-run is cut off; NULL: as the episode was
    bool named;        // the intervention was given on the command line
    const diagnosis *d;
    suspicions suspects;
    ARRAY(test_run) runs;
    const char *rules;
    const char *const *more;
    size_t more_count;
    char folder[4096], program[4096];
    arena *memory;
    progress line;
    nanos began; // wall time
    size_t ended;
    bool whole; // every re-run begins at the start
} verifying;

#define ALONE SIZE_MAX // in place of a branch: a re-run with a process of its own

// The path of what a re-run leaves, in v->memory.
const char *verify_path(const verifying *v, size_t run, const char *end);

// Has changes that act from an instant on share a branch, where that saves a fifth of an episode:
// the first of them becomes the `branch` of all.
void verify_share(verifying *v, ask *asked);
// Fills in the command line of the process that makes all re-runs of a branch, before any of their
// changes acts; returns how many words it has: at most 24, and two for each re-run.
size_t verify_branch_arguments(verifying *v, size_t leader, const char **args);
// Finds the episode of each of these re-runs in the log of the process. False: not all gave a whole
// answer.
bool verify_find_branched(verifying *v, size_t leader);

#endif
