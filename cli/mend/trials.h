// cli/mend/trials.h - versions of a plan, made by edits, and their projections with seeds.
//
// Owns:      the versions, and the log into which their episodes go.
// Invariant: version 0 is the plan itself; no two versions have the same text but for their
//            provenance; a version is projected with a seed at most once.
#ifndef FORESEE_CLI_MEND_TRIALS_H
#define FORESEE_CLI_MEND_TRIALS_H

#include "cli/batch/course.h"
#include "cli/runs/rerun.h"

enum { VERSIONS_MAX = 200 };

typedef struct version {
    const char *text; // of the plan
    size_t length;
    uint64_t hash; // of the text without its provenance
} version;

typedef struct trials {
    arena *memory;
    const char *plan_path; // of the plan's file
    rerun *again;          // of a log's plan; NULL: plan, world and robot are files
    candidates c; // world, robot, set, rules and how: set by the caller before trials_begin
    version versions[VERSIONS_MAX];
    course course;
    bool quiet;
} trials;

// Loads the plan as version 0, and makes the log at `output`, or finds it to be one. `jobs` are
// worker processes at a time. Mistakes go to `list`.
status trials_begin(trials *t, const char *text, size_t length, const char *output, int64_t jobs,
                    errors *list);
void trials_end(trials *t); // also after trials_begin failed

// Makes edits (as JSON) in a version; the new one is called `label` in the log. On OK *out is its
// number: that of an earlier one, where the text is the same. Mistakes in the edits, and in the
// plan that they make, go to `list`: E_INPUT.
status trials_edit(trials *t, size_t from, const char *edits, const char *label, size_t *out,
                   errors *list);

// Projects those of the samples that have not been, in this order. `doing` says for what, in
// progress. E_INTERRUPTED: what had ended is in the log.
status trials_project(trials *t, const course_sample *wanted, size_t count, const char *doing,
                      error *err);
// Returns how many of the samples have not been projected.
size_t trials_missing(const trials *t, const course_sample *wanted, size_t count);
size_t trials_projected(const trials *t); // in all

// Returns a sample; NULL: it has not been projected. Valid until the next projection.
const result_sample *trials_sample(const trials *t, size_t which, int64_t seed);
// An episode that was cut off has failed: the plan did not come to an end in time.
sample_answer trials_answer(const result_sample *s);

// ---- What samples show

// A flaw that several samples show: of one name, at one step. Texts live as long as the trials.
typedef struct shown_flaw {
    const char *name, *path, *body; // "" where the flaw has no step or no body
    size_t count;                   // samples with it as a root
    int64_t seed, episode;          // of the first of them
} shown_flaw;
typedef ARRAY(shown_flaw) shown_flaws;

// Lists the roots of a version's failed samples, the most frequent first. The caller ends the list
// by array_finish.
void trials_roots(const trials *t, size_t which, shown_flaws *out);
// Returns whether a sample shows the flaw, as a root or not: one of its name, at its step or with
// its first body.
bool trials_shows(const trials *t, const result_sample *s, const shown_flaw *f);

#endif
