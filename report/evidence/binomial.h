// report/evidence/binomial.h - what k successes of n say of a rate: exact limits, and the beta and
// binomial distributions that they rest on.
#ifndef FORESEE_REPORT_EVIDENCE_BINOMIAL_H
#define FORESEE_REPORT_EVIDENCE_BINOMIAL_H

#include <stdint.h>

// Returns the regularised incomplete beta function I_x(a, b) for a, b > 0 and x in [0, 1], by its
// continued fraction (Abramowitz & Stegun 1964, 26.5.8; modified Lentz).
double beta_share(double x, double a, double b);
// Returns the x at which I_x(a, b) is `p`, to the precision of a double, by bisection.
double beta_quantile(double p, double a, double b);
// Returns P(X <= k) of X ~ Bin(n, p): I_{1-p}(n - k, k + 1).
double binomial_share(int64_t k, int64_t n, double p);

// Gives the exact limits of a rate (Clopper & Pearson 1934) at confidence 1 - alpha:
// B(alpha/2; k, n-k+1) and B(1-alpha/2; k+1, n-k); [0, 1] for n = 0. Needs 0 <= k <= n.
void rate_exact(int64_t k, int64_t n, double alpha, double *low, double *high);
// Gives Wilson's score interval (1927) at 95 %; [0, 1] for n = 0.
void rate_interval(int64_t count, int64_t n, double *low, double *high);

#endif
