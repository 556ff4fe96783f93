// cli/batch/course.h - the course of a batch: samples in the order of (seed, candidate), from the
// first to the one at which the stopping rule ends it.
//
// Samples are numbered in that order. An engine projects them in any order and on any machine; the
// course takes them one by one, appends each to the log, and asks the rule. So the log and the
// decision depend on the outcomes alone.
#ifndef FORESEE_CLI_BATCH_COURSE_H
#define FORESEE_CLI_BATCH_COURSE_H

#include "cli/batch/sample.h"

typedef struct engine engine;
typedef struct course_sample {
    size_t candidate;
    int64_t seed;
} course_sample;
typedef struct course {
    const candidates *c;
    int64_t first_seed;
    const course_sample *picked; // the samples one by one, all of which are wanted; NULL: by seed
    const char *doing;           // what they are projected for, in words; NULL: a batch
    size_t count;                // samples, at most: seeds times candidates
    const char *output;
    char folder[4096]; // for what samples leave until they are in the log
    int64_t jobs;
    decision *decision; // of samples by seed
    int64_t *episodes;  // of samples that the log holds already; 0: of none
    size_t recorded;    // how many it holds
    size_t at;          // the sample that is taken next
    size_t finished;    // samples that were projected
    results results;
    progress progress;
    nanos began;
} course;

static inline int64_t course_seed(const course *b, size_t i) {
    return b->picked ? b->picked[i].seed : b->first_seed + (int64_t)(i / b->c->count);
}
static inline size_t course_candidate(const course *b, size_t i) {
    return b->picked ? b->picked[i].candidate : i % b->c->count;
}
// Returns whether a sample is to be projected, as far as is known now.
bool course_wants(const course *b, size_t i);
// The path of a file in the folder: NUMBER and an ending.
void course_path(const course *b, size_t i, const char *ending, char *path, size_t size);

// Makes the folder beside the log, and removes those that killed batches left there.
status course_begin(course *b, error *err);
// Takes samples until the rule or their number ends the batch. E_INTERRUPTED: what had ended is in
// the log.
status course_run(course *b, engine *e, error *err);
void course_end(course *b); // removes the folder
// Shows how far the batch is; `running`: samples that are being projected.
void course_show(course *b, size_t running);

// ---- Engines

// A sample that an engine projected.
typedef struct fetched {
    bool answered;       // false: its worker crashed, or told why on standard error
    char log[4096 + 32]; // holds the sample's episode
    int64_t episode;
    char *lines; // as sample.h says; the caller frees it
} fetched;
typedef struct engine_class {
    // Waits until a sample has ended, while others are projected that will be wanted. `only_ended`:
    // does not wait, nor project more; E_LIMIT: the sample has not ended.
    status (*fetch)(engine *e, size_t i, bool only_ended, fetched *out, error *err);
    void (*release)(engine *e, size_t i); // the sample is in the log
    void (*stop)(engine *e);              // ends what runs
    void (*destroy)(engine *e);
} engine_class;
struct engine {
    const engine_class *class;
};
engine *engine_local(course *b); // worker processes of this machine

#endif
