// cli/branch/trunk.h - an episode that is played again up to an instant, and forked there.
//
// The trunk is a process of its own. What it plays is kept in memory (tape.h), compared with the
// log when the instant comes (prefix.h), and then each future is a fork of it, which writes the
// common past and goes on into a log of its own. So no database is open on both sides of a fork.
#ifndef FORESEE_CLI_BRANCH_TRUNK_H
#define FORESEE_CLI_BRANCH_TRUNK_H

#include "cli/runs/stage.h"

// One way in which the episode goes on.
typedef struct future {
    size_t number;            // from 0, in the order of the result
    stages stages;            // those of the episode, and its own
    const char *label, *seed; // for people: what is otherwise, and which noise; NULL: nothing is
    bool written;             // its log is there, with what it gave
    sample sampled;
} future;
// Futures that share what comes before them: one plan with its parameters.
typedef struct trunk {
    const char *log; // of the episode
    int64_t episode;
    scenario scene;
    stages stages; // of the episode itself
    bool other_plan;
    projection_options how;
    nanos at;
    const char *folder; // where futures leave NUMBER.db and NUMBER.txt
    int64_t jobs;
    ARRAY(future *) futures;
} trunk;

// Runs a trunk and its futures in this process and its children; returns the exit status. What was
// wrong is told on standard error, each line after `trunk_subject` where there are several.
int trunk_run(trunk *t);
// Takes up what a future left: false, if it has not ended. A future that gave no answer has no
// outcome.
bool trunk_fetch(const char *folder, future *f);
// The path of what a future leaves; `path` holds 4128 bytes.
void trunk_path(const char *folder, size_t number, const char *ending, char *path);

#endif
