// cli/batch/cluster/manifest.h - the manifest of a batch that is projected in parts: a YAML file
// that says all that a part hangs on, for whoever projects it, on this machine or another.
//
// Its paths are from the root; whoever projects a part must see the same files under them. The
// hashes of what was read stand beside, so that a part of something else is refused.
#ifndef FORESEE_CLI_BATCH_CLUSTER_MANIFEST_H
#define FORESEE_CLI_BATCH_CLUSTER_MANIFEST_H

#include "cli/batch/candidates.h"

// Samples that follow one another in the order of a batch: seed by seed, of each the plans.
typedef struct part_run {
    int64_t seed;
    size_t plan; // from 0; in the file from 1
    size_t count;
} part_run;
typedef struct part_runs {
    part_run *items;
    size_t count;
} part_runs;
typedef struct manifest {
    const char *path;
    const char **plans;
    size_t plan_count;
    const char *world, *robot, *vary; // NULL: none
    settings set;
    nanos until;
    const ynode *root; // for its hashes
    part_runs *parts;  // part N is the item N - 1
    size_t part_count;
} manifest;

// Writes the manifest but for its parts: equal for batches of the same samples.
status manifest_head(const candidates *c, text_buffer *out, error *err);
// Appends the line of a part.
void manifest_part(const part_run *runs, size_t count, text_buffer *out);

// Reads a manifest, whose texts live in `memory`. All mistakes go to `list`; E_INPUT. On OK the
// caller calls manifest_finish.
status manifest_read(arena *memory, const char *path, manifest *out, errors *list);
void manifest_finish(manifest *m);
// Loads what the manifest names. E_INPUT: a file or the program is another than the one whose hash
// it gives. The caller calls candidates_finish, in any case.
status manifest_load(const manifest *m, arena *memory, candidates *c, errors *list);

#endif
