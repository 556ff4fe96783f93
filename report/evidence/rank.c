// report/evidence/rank.c - Spearman's rank correlation.
#include "report/evidence/rank.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

typedef struct ranked {
    double value;
    size_t at;
} ranked;

static int by_value(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

// Gives each value its rank from 1; equal values share the mean of theirs.
static void ranks_give(const double *values, size_t n, double *ranks) {
    ranked *order = mem_must(n + 1, sizeof *order);
    for (size_t i = 0; i < n; i++)
        order[i] = (ranked){values[i], i};
    qsort(order, n, sizeof *order, by_value);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && order[end].value <= order[i].value; end++)
            ;
        for (size_t k = i; k < end; k++)
            ranks[order[k].at] = (double)(i + end + 1) / 2;
    }
    free(order);
}

rank_correlation rank_correlate(const double *x, const double *y, size_t n) {
    rank_correlation r = {.n = n, .low = -1, .high = 1};
    double *rx = mem_must(n + 1, sizeof *rx), *ry = mem_must(n + 1, sizeof *ry);
    double mean = ((double)n + 1) / 2, xx = 0, yy = 0, xy = 0;
    ranks_give(x, n, rx);
    ranks_give(y, n, ry);
    for (size_t i = 0; i < n; i++) {
        xx += (rx[i] - mean) * (rx[i] - mean);
        yy += (ry[i] - mean) * (ry[i] - mean);
        xy += (rx[i] - mean) * (ry[i] - mean);
    }
    free(rx);
    free(ry);
    r.varies = xx > 0 && yy > 0;
    if (!r.varies)
        return r;
    r.value = fmax(-1, fmin(1, xy / sqrt(xx * yy)));
    if (n > 3 && fabs(r.value) < 1) {
        double z = atanh(r.value),
               half = 1.959963984540054 * sqrt((1 + r.value * r.value / 2) / ((double)n - 3));
        r.low = tanh(z - half);
        r.high = tanh(z + half);
    } else if (n > 3) {
        r.low = r.high = r.value;
    }
    return r;
}
