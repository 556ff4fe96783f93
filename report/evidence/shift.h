// report/evidence/shift.h - how much longer one plan takes than another, over the seeds with which
// both succeed.
#ifndef FORESEE_REPORT_EVIDENCE_SHIFT_H
#define FORESEE_REPORT_EVIDENCE_SHIFT_H

#include <stdbool.h>
#include <stddef.h>

enum { SHIFT_PAIRS_MAX = 2000 }; // the mean of every two differences is looked at

typedef struct shift {
    size_t pairs;     // differences that were used: the first SHIFT_PAIRS_MAX
    double value;     // 0 without pairs
    double low, high; // only where `bounded`
    bool bounded;     // there are enough pairs for limits at 95 %: six
} shift;

// Gives the estimate of Hodges & Lehmann (1963) for the centre of `count` differences, the median
// of their Walsh averages, with the limits at 95 % that Wilcoxon's signed-rank test gives
// (Hollander & Wolfe 1999, 3.2 and 3.3): exact up to 50 pairs, from the normal distribution beyond.
shift shift_estimate(const double *differences, size_t count);

#endif
