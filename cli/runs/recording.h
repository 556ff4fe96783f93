// cli/runs/recording.h - reads what a projection follows from an earlier log (--telemetry).
#ifndef FORESEE_CLI_RUNS_RECORDING_H
#define FORESEE_CLI_RUNS_RECORDING_H

#include "projector/recording.h"

// Reads the episode `wanted` (0: the last) of the log at `path`, which is called `name` in logs;
// all of *out lives in `a`. With `robot` the recorded robot of that name, or the only one there is,
// stands in for another: of its rows only its motion, its grippers' commands and its wrenches are
// read. Without, it is the only one, and all of its rows are. E_INPUT: no log, no such episode, no
// such robot or several, no encoders, or a row that cannot be read.
status recording_read(arena *a, const char *path, const char *name, int64_t wanted,
                      const char *robot, const recording **out, error *err);

#endif
