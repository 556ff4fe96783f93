// cli/runs/rerun.h - an episode read back from its log: everything it takes to run it again.
//
// Owns:      a copy of what the log holds; the log is closed again.
#ifndef FORESEE_CLI_RERUN_H
#define FORESEE_CLI_RERUN_H

#include "base/files/files.h"
#include "base/time/times.h"
#include "base/yaml/yaml_read.h"

typedef struct rerun {
    arena *memory;
    file_set files;
    const char *plan, *world, *robot; // of `files`, by their names there
    settings set;                     // the parameters that were in force
    settings conditions;              // what the episode changed, being a re-run itself
    int64_t episode, seed;
    nanos step, cycle;
    nanos end;   // its last instant
    nanos until; // TIME_OPEN unless it was cut off
} rerun;

// Episode `wanted` (0: the last) of a log. E_INPUT: no log, no such episode, or one that does not
// hold its files. On OK rerun_finish frees what *out has.
status rerun_read(const char *log, int64_t wanted, rerun *out, error *err);
void rerun_finish(rerun *r);
// The text of the plan that the files hold becomes another.
void rerun_replace_plan(rerun *r, const char *text, size_t length);

#endif
