// tests/bench/timing.h - what benchmarks share: processor time, and medians of what was measured.
#ifndef FORESEE_TESTS_BENCH_TIMING_H
#define FORESEE_TESTS_BENCH_TIMING_H

#include <stdlib.h>
#include <time.h>

// What this process has had of a processor, s: other work on the machine does not count.
static inline double processor_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

// Sorts `v`.
static inline double median(double *v, size_t n) {
    qsort(v, n, sizeof *v, ascending);
    return n % 2 ? v[n / 2] : 0.5 * (v[n / 2 - 1] + v[n / 2]);
}

#endif
