// report/batch/results.h - what many projections gave: samples in the order of (seed, plan), and
// the flaws of each.
//
// Owns:      all texts that were added.
// Invariant: samples of one plan stand in the order of their seeds, each seed once.
#ifndef FORESEE_REPORT_BATCH_RESULTS_H
#define FORESEE_REPORT_BATCH_RESULTS_H

#include "base/symtab.h"
#include "base/time/times.h"
#include "report/evidence/decide.h"
#include "report/evidence/rank.h"

typedef struct result_flaw {
    uint32_t name, path, body; // numbers of texts; "" where a flaw has no step or no body
    bool root;
} result_flaw;
typedef struct result_sample {
    size_t plan;
    int64_t seed;
    int64_t episode;     // in the log; 0: the log has none
    const char *outcome; // succeeded, failed, invalid, incomplete, crashed
    nanos end;
    size_t first_flaw, flaw_count;
} result_sample;
// A parameter that is drawn for each seed.
typedef struct result_parameter {
    const char *name;     // scope.name
    ARRAY(double) values; // of each sample, in their order; not-a-number: the value is no number
} result_parameter;

// Start from {0}.
typedef struct results {
    symtab *texts;
    arena *memory;
    ARRAY(const char *) plans; // their files, as they were given
    ARRAY(const char *) names; // what people read: short, and different
    ARRAY(result_sample) samples;
    ARRAY(result_flaw) flaws;
    ARRAY(result_parameter) parameters;
} results;

void results_add_plan(results *r, const char *plan, const char *name);
// Adds a parameter, before the first sample; each sample then has a value by results_add_value.
void results_add_parameter(results *r, const char *name);
void results_add_sample(results *r, size_t plan, int64_t seed, const char *outcome, nanos end,
                        int64_t episode);
// These add to the last sample.
void results_add_flaw(results *r, const char *name, bool root, const char *path, const char *body);
void results_add_value(results *r, size_t parameter, double value);
void results_finish(results *r);

const char *results_text(const results *r, uint32_t number);
sample_answer results_answer(const result_sample *s);
// Returns the samples of a plan, in the order of seeds. The caller frees the array.
const result_sample **results_of_plan(const results *r, size_t plan, size_t *count);

// Correlates the success of a plan's samples that gave an answer with a parameter's values.
rank_correlation results_correlate(const results *r, size_t plan, size_t parameter);

// ---- What one plan gave
// --------------------------------------------------------------------------

typedef struct flaw_place_count { // a kind of flaw at one step, with one body
    uint32_t path, body;
    int64_t count, first_seed;
} flaw_place_count;
typedef struct flaw_kind { // one kind of flaw, as a root or not
    uint32_t name;
    bool root;
    int64_t count;      // samples that show it
    int64_t first_seed; // of the first such sample
    int64_t first_episode;
    ARRAY(flaw_place_count) places; // the most frequent first
    int64_t last_seed;
} flaw_kind;
enum { HISTOGRAM_BINS = 12 };
typedef struct duration_histogram {
    double from, width; // s; width 0: no sample has a duration
    int64_t succeeded[HISTOGRAM_BINS], failed[HISTOGRAM_BINS];
} duration_histogram;
typedef struct plan_summary {
    size_t plan;
    int64_t samples, succeeded, failed, invalid, incomplete; // invalid: diverged or crashed
    ARRAY(nanos) durations; // sorted; of samples that are neither invalid nor incomplete
    ARRAY(flaw_kind) kinds; // roots first, then by their counts
    duration_histogram histogram;
} plan_summary;

// Gives the summaries of all plans, the best first: by the rate of success, then by the median
// duration. The caller frees them by summaries_free.
plan_summary *summaries_make(const results *r);
void summaries_free(plan_summary *s, size_t count);
// Returns the duration at share `p`, by nearest rank; -1: there is none.
nanos summary_quantile(const plan_summary *s, double p);
double summary_rate(const plan_summary *s);

#endif
