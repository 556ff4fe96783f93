// report/batch/rates.h - the results of many projections: rates with Wilson's 95 % intervals.
#ifndef FORESEE_REPORT_BATCH_RATES_H
#define FORESEE_REPORT_BATCH_RATES_H

#include "base/text/text.h"
#include "base/time/times.h"
#include "report/evidence/binomial.h"

typedef struct tally_kind { // one kind of flaw, as a root or not
    char name[64];
    bool root;
    int64_t count;      // samples that show it
    int64_t first_seed; // of the first such sample, in the order of samples
    int64_t last_seed;
} tally_kind;
typedef struct tally_candidate {
    char plan[1024];
    int64_t samples, succeeded, failed, invalid, incomplete;
    ARRAY(nanos) durations; // of samples that are neither invalid nor incomplete
    ARRAY(tally_kind) kinds;
} tally_candidate;
// Start from {0}.
typedef struct tally {
    ARRAY(tally_candidate) candidates;
} tally;

void tally_add(tally *t, const char *plan);
void tally_sample(tally *t, size_t candidate, int64_t seed, const char *outcome, nanos end);
// Counts a flaw. Several flaws of one name in one sample count once. Called after tally_sample of
// the same seed.
void tally_flaw(tally *t, size_t candidate, int64_t seed, const char *name, bool root);
const tally_candidate *tally_at(const tally *t, size_t i);
// Writes the candidates sorted by rate of success, then by median duration, best first.
void tally_text(const tally *t, text_buffer *out);
void tally_json(const tally *t, text_buffer *out);
void tally_finish(tally *t);

#endif
