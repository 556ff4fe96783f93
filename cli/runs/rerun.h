// cli/runs/rerun.h - what an episode was run with, read back from its log, to run it again.
//
// Owns:      a copy of what the log holds; the log itself is closed.
#ifndef FORESEE_CLI_RERUN_H
#define FORESEE_CLI_RERUN_H

#include "base/files/files.h"
#include "base/time/times.h"
#include "base/yaml/yaml_read.h"

typedef struct rerun {
    arena *memory;
    file_set files;
    const char *plan, *world, *robot; // names of these among `files`
    const char *plan_name;            // what the episode calls its plan; NULL: nothing
    settings set;                     // the parameters that were in force
    settings conditions;              // interventions and placebos, where the episode is a re-run
    const char *telemetry;            // log that the robot followed, among `files`; NULL: none
    int64_t recorded;                 // episode of it
    bool edited;                      // the plan is no longer that of the episode
    settings branches;                // what was otherwise from an instant on (stage.h)
    int64_t episode, seed;
    nanos step, cycle;
    nanos end;   // the last instant of the episode
    nanos until; // TIME_OPEN: the episode was not cut off
} rerun;

// Reads the episode `wanted` (0: the last) of a log. E_INPUT: no log, no such episode, or an
// episode without its files. On OK the caller ends *out by rerun_finish.
status rerun_read(const char *log, int64_t wanted, rerun *out, error *err);
void rerun_finish(rerun *r);
// The file of this name among those that the episode read; NULL: there is none.
const kept_file *rerun_file(const rerun *r, const char *name);
// Replaces the text of a plan among the files: of `plan`, or one that a robot has for itself.
void rerun_replace_plan(rerun *r, const char *name, const char *text, size_t length);

#endif
