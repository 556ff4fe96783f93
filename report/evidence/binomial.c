// report/evidence/binomial.c - limits of rates, from the beta distribution.
#include "report/evidence/binomial.h"

#include <float.h>
#include <math.h>

// The continued fraction of I_x(a, b); converges quickly for x < (a + 1) / (a + b + 2).
static double beta_fraction(double x, double a, double b) {
    const double tiny = DBL_MIN / DBL_EPSILON;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double value = d;
    for (int m = 1; m <= 100000; m++) {
        for (int odd = 0; odd < 2; odd++) {
            double term = odd ? -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
                              : m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
            d = 1 + term * d;
            c = 1 + term / c;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            c = fabs(c) < tiny ? tiny : c;
            value *= c * d;
        }
        if (fabs(c * d - 1) < 4 * DBL_EPSILON)
            break;
    }
    return value;
}

double beta_share(double x, double a, double b) {
    if (x <= 0)
        return 0;
    if (x >= 1)
        return 1;
    // x^a (1-x)^b / B(a, b)
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(x, a, b) / a;
    return 1 - front * beta_fraction(1 - x, b, a) / b;
}

double beta_quantile(double p, double a, double b) {
    double low = 0, high = 1;
    for (;;) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high)
            return middle;
        if (beta_share(middle, a, b) < p)
            low = middle;
        else
            high = middle;
        if (high - low < DBL_EPSILON)
            return low + (high - low) / 2;
    }
}

double binomial_share(int64_t k, int64_t n, double p) {
    if (k < 0)
        return 0;
    if (k >= n)
        return 1;
    return beta_share(1 - p, (double)(n - k), (double)k + 1);
}

void rate_exact(int64_t k, int64_t n, double alpha, double *low, double *high) {
    double failures = (double)(n - k);
    *low = k <= 0 ? 0 : beta_quantile(alpha / 2, (double)k, failures + 1);
    *high = k >= n ? 1 : beta_quantile(1 - alpha / 2, (double)k + 1, failures);
}

void rate_interval(int64_t count, int64_t n, double *low, double *high) {
    if (n <= 0) {
        *low = 0;
        *high = 1;
        return;
    }
    const double z = 1.959963984540054; // 97.5 % quantile of the normal distribution
    double trials = (double)n, p = (double)count / trials;
    double scale = 1 + z * z / trials;
    double centre = (p + z * z / (2 * trials)) / scale;
    double half = z * sqrt(p * (1 - p) / trials + z * z / (4 * trials * trials)) / scale;
    *low = count == 0 ? 0 : fmax(0, centre - half);
    *high = count == n ? 1 : fmin(1, centre + half);
}
