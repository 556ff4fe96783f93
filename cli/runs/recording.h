// cli/runs/recording.h - reads what a projection follows from an earlier log (--telemetry).
#ifndef FORESEE_CLI_RUNS_RECORDING_H
#define FORESEE_CLI_RUNS_RECORDING_H

#include "projector/recording.h"

// Reads the episode `wanted` (0: the last) of the log at `path`, which is called `name` in logs;
// all of *out lives in `a`. E_INPUT: no log, no such episode, several robots in it, no encoders, or
// a row that cannot be read.
status recording_read(arena *a, const char *path, const char *name, int64_t wanted,
                      const recording **out, error *err);

#endif
