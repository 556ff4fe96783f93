// report/evidence/rank.h - on which parameter success hangs: rank correlations.
#ifndef FORESEE_REPORT_EVIDENCE_RANK_H
#define FORESEE_REPORT_EVIDENCE_RANK_H

#include <stdbool.h>
#include <stddef.h>

typedef struct rank_correlation {
    size_t n;
    double value;     // in [-1, 1]; 0 where one of both does not vary
    double low, high; // at 95 %; [-1, 1] with fewer than four values
    bool varies;      // both do
} rank_correlation;

// Gives Spearman's rank correlation (1904) of x and y, equal values with their mean rank, and its
// limits by Fisher's z with the variance of Bonett & Wright (2000), (1 + r^2 / 2) / (n - 3).
rank_correlation rank_correlate(const double *x, const double *y, size_t n);

#endif
