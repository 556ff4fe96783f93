// cli/batch/candidates.h - the plans of a batch, loaded, with all that a sample of theirs depends
// on.
//
// A sample is a candidate and a seed. Its key says what it was projected from: the files that were
// read, the parameters, the seed, and the program. Samples of one key have the same episode.
#ifndef FORESEE_CLI_BATCH_CANDIDATES_H
#define FORESEE_CLI_BATCH_CANDIDATES_H

#include "cli/batch/vary.h"
#include "cli/runs/scenario.h"

typedef struct candidate {
    const char *path; // as it was given
    const char *real; // the same, from the root
    const char
        *name;      // in the log: the file's name, with as many folders as tell it from the others
    scenario scene; // with the parameters that do not vary
    projection_inputs inputs; // of that
    projection_member *members;
    bool loaded;
    uint64_t sources; // hash of the files
} candidate;
typedef struct candidates {
    arena *memory;
    candidate *items;
    size_t count;
    const char *world, *robot; // in place of those that the plans name; NULL: none
    settings set;
    variation *vary;          // NULL: no parameter varies
    const char *const *rules; // files by which samples are diagnosed beside the shipped ones
    size_t rule_count;
    projection_options how;
    uint64_t program; // hash of the program
} candidates;

// Loads the plans at `paths`, and the file of what varies (NULL: none). `memory` must outlive *c;
// world, robot, set, rules and how are set by the caller before. All mistakes go to `list`.
status candidates_load(candidates *c, arena *memory, const char *const *paths, size_t count,
                       const char *vary, errors *list);
void candidates_finish(candidates *c);
// Returns the path from the root, with the file's own name where that is a symbolic link; in
// `memory`.
const char *candidates_place(arena *memory, const char *path);

// Finds out that all parameters can be drawn for these seeds. E_USAGE names the parameter.
status candidates_check_draws(const candidates *c, int64_t first_seed, int64_t seeds, error *err);
// Appends the settings of a sample's projection: those of the command line, and what is drawn.
// Texts live in `memory`.
void candidates_settings(const candidates *c, size_t i, int64_t seed, arena *memory, settings *out);
// Returns the value that is drawn for a parameter, by its number among those that vary;
// not-a-number: the value is no number.
double candidates_value(const candidates *c, size_t i, int64_t seed, size_t which);
// Returns the hash by which samples are known.
uint64_t candidates_key(const candidates *c, size_t i, int64_t seed);
// Says in what an episode of a log differs from the sample, as a sentence; in `memory`.
const char *candidates_difference(const candidates *c, size_t i, sqlite3 *db,
                                  const store_episode *e, arena *memory);
// The key of an episode of a log. E_IO, E_INPUT.
status episode_key(sqlite3 *db, const char *path, const store_episode *e, uint64_t *key,
                   error *err);
// Whether an episode's plan, as the log names it, may be this candidate: its path ends so.
bool candidate_is_named(const candidate *c, const char *name);

#endif
