// report/batch/compare.h - two plans over the seeds that both were projected with.
#ifndef FORESEE_REPORT_BATCH_COMPARE_H
#define FORESEE_REPORT_BATCH_COMPARE_H

#include "report/batch/results.h"
#include "report/evidence/paired.h"
#include "report/evidence/shift.h"

// A kind of root flaw that one plan shows with seeds with which the other does not.
typedef struct flaw_change {
    uint32_t name;
    int64_t only_a, only_b;                 // seeds with which only this plan shows it
    ARRAY(const result_sample *) witnesses; // of the plan that shows it more often, by seed
} flaw_change;
typedef struct comparison {
    size_t a, b;
    paired_counts counts;
    int64_t unanswered;           // common seeds with which one of both gave no answer
    double difference, low, high; // the rate of b minus that of a, with its limits at 95 %
    double p, log_e;
    paired_verdict verdict;
    shift duration;                 // of b minus a, s, over the seeds with which both succeed
    ARRAY(flaw_change) gone, added; // shown more often by a, and by b
    ARRAY(const result_sample *) only_a, only_b; // samples of the plan that alone succeeded
} comparison;
typedef struct comparison_rule {
    double threshold; // of log E
    double margin;    // up to which plans are alike
} comparison_rule;

// Compares plan `a` with plan `b`. comparison_finish frees *out, which refers to samples of `r`.
void comparison_make(const results *r, size_t a, size_t b, const comparison_rule *rule,
                     comparison *out);
void comparison_finish(comparison *c);
const char *verdict_word(paired_verdict v); // of b: better, worse, alike, undecided
// Returns how many common seeds would decide, were the shares of the seeds so far to stay; 0: none
// would, or they do.
int64_t comparison_seeds_needed(const comparison *c, const comparison_rule *rule);

#endif
