// report/evidence/paired.c - the comparison of two plans over common seeds.
#include "report/evidence/paired.h"

#include <math.h>

#include "report/evidence/binomial.h"

int64_t paired_total(const paired_counts *c) {
    return c->both + c->only_a + c->only_b + c->neither;
}

// Returns the correlation of the two outcomes, corrected for continuity where it is positive.
static double paired_phi(const paired_counts *c) {
    double e = (double)c->both, f = (double)c->only_a, g = (double)c->only_b,
           h = (double)c->neither, n = e + f + g + h;
    double spread = (e + f) * (g + h) * (e + g) * (f + h);
    double product = e * h - f * g;
    if (spread <= 0)
        return 0;
    if (product > 0)
        product = fmax(product - n / 2, 0);
    return product / sqrt(spread);
}

void paired_difference(const paired_counts *c, double *difference, double *low, double *high) {
    int64_t n = paired_total(c), wins_a = c->both + c->only_a, wins_b = c->both + c->only_b;
    if (n == 0) {
        *difference = 0;
        *low = -1;
        *high = 1;
        return;
    }
    double rate_a = (double)wins_a / (double)n, rate_b = (double)wins_b / (double)n;
    double low_a, high_a, low_b, high_b, phi = paired_phi(c);
    rate_interval(wins_a, n, &low_a, &high_a);
    rate_interval(wins_b, n, &low_b, &high_b);
    double below_a = rate_a - low_a, above_a = high_a - rate_a, below_b = rate_b - low_b,
           above_b = high_b - rate_b;
    *difference = (double)(c->only_a - c->only_b) / (double)n;
    *low = *difference -
           sqrt(fmax(0, below_a * below_a - 2 * phi * below_a * above_b + above_b * above_b));
    *high = *difference +
            sqrt(fmax(0, above_a * above_a - 2 * phi * above_a * below_b + below_b * below_b));
    *low = fmax(*low, -1);
    *high = fmin(*high, 1);
}

double paired_p(const paired_counts *c) {
    int64_t fewer = c->only_a < c->only_b ? c->only_a : c->only_b;
    return fmin(1, 2 * binomial_share(fewer, c->only_a + c->only_b, 0.5));
}

double paired_log_e(const paired_counts *c) {
    double a = (double)c->only_a, b = (double)c->only_b;
    // log B(1/2, 1/2) = log pi
    return lgamma(a + 0.5) + lgamma(b + 0.5) - lgamma(a + b + 1) - log(M_PI) + (a + b) * log(2);
}

double paired_threshold(size_t candidates, double alpha) {
    return log((double)(candidates > 2 ? candidates - 1 : 1) / alpha);
}

paired_verdict paired_judge(const paired_counts *c, double threshold, double margin) {
    if (c->only_a != c->only_b && paired_log_e(c) >= threshold)
        return c->only_a > c->only_b ? PAIRED_A_BETTER : PAIRED_B_BETTER;
    double difference, low, high;
    paired_difference(c, &difference, &low, &high);
    return low >= -margin && high <= margin ? PAIRED_ALIKE : PAIRED_UNDECIDED;
}
