// cli/batch/cluster/parts.h - the engine of many machines: samples are projected in parts, by
// Slurm or by whatever calls `foresee batch --part`.
//
// Parts come in waves. Wave W is the folder LOG.parts/W beside the log, with its manifest and the
// parts that were projected. What is there when a batch is killed is there for the one that resumes
// it, and tasks of Slurm that run by then are waited for.
#ifndef FORESEE_CLI_BATCH_CLUSTER_PARTS_H
#define FORESEE_CLI_BATCH_CLUSTER_PARTS_H

#include "cli/batch/course.h"

typedef struct parts_options {
    size_t tasks;       // of one array of Slurm, at most; 0: somebody else calls the parts
    double chunk;       // seconds of work in a part
    bool may_stop;      // the batch may end early: no wave is larger than what has been taken
    bool resume;        // goes on with the parts that are there
    bool quiet;         // does not say what is to be called
    const char *memory; // --memory for the tasks of Slurm; NULL: none
} parts_options;

// Makes the engine of a course that has begun. E_INPUT: there are parts already, of another batch,
// or of one that is not to be resumed, or of one that still runs. On OK the caller owns *out.
status engine_parts(course *b, const parts_options *options, engine **out, error *err);

#endif
