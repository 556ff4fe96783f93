// report/evidence/shift.c - the shift between paired durations.
#include "report/evidence/shift.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

enum { EXACT_MAX = 50 };

// Returns the largest k with P(W <= k) <= 0.025 of Wilcoxon's signed-rank statistic of n pairs; -1:
// none.
static long signed_rank_bound(size_t n) {
    size_t most = n * (n + 1) / 2;
    if (n > EXACT_MAX) {
        double mean = (double)most / 2,
               deviation = sqrt((double)n * ((double)n + 1) * (2 * (double)n + 1) / 24);
        return (long)floor(mean - 0.5 - 1.959963984540054 * deviation);
    }
    // share[w]: the probability of the sum w, each rank being in it with probability 1/2.
    double *share = mem_must(most + 1, sizeof *share);
    share[0] = 1;
    for (size_t rank = 1; rank <= n; rank++)
        for (size_t w = rank * (rank + 1) / 2 + 1; w-- > 0;)
            share[w] = (share[w] + (w >= rank ? share[w - rank] : 0)) / 2;
    double sum = 0;
    long k = -1;
    while ((size_t)(k + 1) <= most && sum + share[k + 1] <= 0.025)
        sum += share[++k];
    free(share);
    return k;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

shift shift_estimate(const double *differences, size_t count) {
    size_t n = count < SHIFT_PAIRS_MAX ? count : SHIFT_PAIRS_MAX, m = 0;
    shift s = {.pairs = n};
    if (n == 0)
        return s;
    double *walsh = mem_must(n * (n + 1) / 2, sizeof *walsh);
    for (size_t i = 0; i < n; i++)
        for (size_t k = i; k < n; k++)
            walsh[m++] = (differences[i] + differences[k]) / 2;
    qsort(walsh, m, sizeof *walsh, by_value);
    s.value = m % 2 ? walsh[m / 2] : (walsh[m / 2 - 1] + walsh[m / 2]) / 2;
    long k = signed_rank_bound(n);
    s.bounded = k >= 0;
    if (s.bounded) {
        s.low = walsh[k];
        s.high = walsh[m - 1 - (size_t)k];
    }
    free(walsh);
    return s;
}
