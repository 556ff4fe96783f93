// tests/report/test_evidence.c - limits, comparisons and correlations against published and worked
// values, and their coverage by simulation.
#include <math.h>

#include "base/math/rng.h"
#include "report/evidence/binomial.h"
#include "report/evidence/paired.h"
#include "report/evidence/rank.h"
#include "report/evidence/shift.h"
#include "tests/testlib.h"

static void near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9f is not %.9f", value, expected);
}

// Table I of Newcombe (1998, Statistics in Medicine 17, 857-872), method 5.
static void exact_limits_agree_with_published_values(void **state) {
    (void)state;
    static const struct {
        int64_t k, n;
        double low, high;
    } published[] = {{81, 263, 0.2527, 0.3676},
                     {15, 148, 0.0578, 0.1617},
                     {0, 20, 0, 0.1684},
                     {1, 29, 0.0009, 0.1776}};
    double low, high;
    for (size_t i = 0; i < 4; i++) {
        rate_exact(published[i].k, published[i].n, 0.05, &low, &high);
        near(low, published[i].low, 5.1e-5);
        near(high, published[i].high, 5.1e-5);
    }
    // Without a failure the lower limit solves p^n = alpha / 2.
    rate_exact(20, 20, 0.05, &low, &high);
    near(low, pow(0.025, 1.0 / 20), 1e-12);
    near(high, 1, 0);
    rate_exact(0, 0, 0.05, &low, &high);
    near(low, 0, 0);
    near(high, 1, 0);
    rate_exact(500000, 1000000, 0.05, &low, &high);
    near(low, 0.49902, 1e-5);
}

static void the_beta_function_agrees_with_sums(void **state) {
    (void)state;
    near(beta_share(0.3, 1, 1), 0.3, 1e-14);
    near(beta_share(0.25, 0.5, 0.5), 2 / M_PI * asin(sqrt(0.25)), 1e-13); // the arcsine law
    double sum = 0, term = pow(0.7, 12);
    for (int64_t k = 0; k <= 4; k++) {
        sum += term;
        near(binomial_share(k, 12, 0.3), sum, 1e-13);
        term *= (double)(12 - k) / (double)(k + 1) * 0.3 / 0.7;
    }
    near(binomial_share(-1, 12, 0.3), 0, 0);
    near(binomial_share(12, 12, 0.3), 1, 0);
    near(beta_share(beta_quantile(0.1, 3, 40), 3, 40), 0.1, 1e-12);
}

static void the_paired_difference_is_newcombes_tenth_method(void **state) {
    (void)state;
    double difference, low, high;
    // Table III of Newcombe (1998, Statistics in Medicine 17, 2635-2650).
    paired_difference(&(paired_counts){36, 12, 2, 0}, &difference, &low, &high);
    near(difference, 0.2, 1e-12);
    near(low, 0.0569, 5.1e-5);
    near(high, 0.3404, 5.1e-5);
    // Without any success of both sorts phi is 0, and Wilson's limits of both rates add up.
    paired_difference(&(paired_counts){54, 0, 0, 0}, &difference, &low, &high);
    double wilson_low, wilson_high;
    rate_interval(54, 54, &wilson_low, &wilson_high);
    near(difference, 0, 0);
    near(high, 1 - wilson_low, 1e-12);
    near(low, -(1 - wilson_low), 1e-12);
    // Exchanging the plans turns the interval round.
    double other_low, other_high;
    paired_difference(&(paired_counts){20, 9, 3, 8}, &difference, &low, &high);
    paired_difference(&(paired_counts){20, 3, 9, 8}, &difference, &other_low, &other_high);
    near(low, -other_high, 1e-12);
    near(high, -other_low, 1e-12);
    paired_difference(&(paired_counts){0, 0, 0, 0}, &difference, &low, &high);
    near(high - low, 2, 0);
}

static void discordant_seeds_decide(void **state) {
    (void)state;
    near(paired_p(&(paired_counts){36, 12, 2, 0}), 2 * (1 + 14 + 91) / 16384.0, 1e-12);
    near(paired_p(&(paired_counts){5, 0, 0, 5}), 1, 0);
    near(paired_p(&(paired_counts){0, 3, 3, 0}), 1, 0);
    // B(n + 1/2, 1/2) / B(1/2, 1/2) = (2n-1)!! / (2n)!!, so that n = 7 gives 128 * 135135 / 645120.
    near(exp(paired_log_e(&(paired_counts){0, 7, 0, 0})), 128 * 135135.0 / 645120, 1e-9);
    near(exp(paired_log_e(&(paired_counts){9, 0, 0, 2})), 1, 1e-9);
    double limit = paired_threshold(2, 0.05);
    near(exp(limit), 20, 1e-9);
    near(exp(paired_threshold(8, 0.05)), 140, 1e-9);
    assert_int_equal(paired_judge(&(paired_counts){3, 7, 0, 1}, limit, 0.05), PAIRED_A_BETTER);
    assert_int_equal(paired_judge(&(paired_counts){3, 0, 7, 1}, limit, 0.05), PAIRED_B_BETTER);
    assert_int_equal(paired_judge(&(paired_counts){3, 6, 0, 1}, limit, 0.05), PAIRED_UNDECIDED);
    assert_int_equal(paired_judge(&(paired_counts){400, 2, 2, 0}, limit, 0.05), PAIRED_ALIKE);
}

// Depression scores before and after treatment, example 3.1 of Hollander & Wolfe (1999).
static void the_shift_of_paired_values_agrees_with_published_values(void **state) {
    (void)state;
    static const double before[] = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30},
                        after[] = {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
    double differences[9];
    for (size_t i = 0; i < 9; i++)
        differences[i] = before[i] - after[i];
    shift s = shift_estimate(differences, 9);
    assert_int_equal(s.pairs, 9);
    near(s.value, 0.46, 1e-9);
    assert_true(s.bounded);
    near(s.low, 0.010, 1e-9);
    near(s.high, 0.786, 1e-9);
    s = shift_estimate(differences, 5); // 2^-5 is more than 0.025
    assert_false(s.bounded);
    s = shift_estimate(differences, 6);
    assert_true(s.bounded);
    assert_int_equal(shift_estimate(differences, 0).pairs, 0);
    double many[60];
    for (size_t i = 0; i < 60; i++)
        many[i] = (double)i;
    s = shift_estimate(many, 60);
    near(s.value, 29.5, 1e-9);
    near(s.low + s.high, 59, 1e-9);
    assert_true(s.low > 24 && s.low < 26.5);
}

static void ranks_correlate_whatever_the_scale(void **state) {
    (void)state;
    static const double x[] = {1, 2, 3, 4, 5, 6}, cubes[] = {1, 8, 27, 64, 125, 216},
                        // Worked: differences of ranks 1, 1, 1, 1, 0, 0 give 1 - 6 * 4 / 210.
        swapped[] = {2, 1, 4, 3, 5, 6}, same[] = {7, 7, 7, 7, 7, 7}, ties[] = {0, 0, 0, 1, 1, 1};
    near(rank_correlate(x, cubes, 6).value, 1, 1e-12);
    rank_correlation r = rank_correlate(x, swapped, 6);
    near(r.value, 1 - 24.0 / 210, 1e-12);
    near(atanh(r.high) - atanh(r.value), 1.959963984540054 * sqrt((1 + r.value * r.value / 2) / 3),
         1e-9);
    assert_false(rank_correlate(x, same, 6).varies);
    // Pearson's correlation of (1..6) and mean ranks (2, 2, 2, 5, 5, 5).
    near(rank_correlate(x, ties, 6).value, 13.5 / sqrt(17.5 * 13.5), 1e-12);
}

// ---- Coverage -----------------------------------------------------------------------------------

enum { DRAWS = 10000 };

static double draw(uint64_t *at) {
    return rng_uniform(rng_key_make(18, "coverage", ""), ++*at, 0);
}

static void exact_limits_cover_the_rate(void **state) {
    (void)state;
    static const int64_t sizes[] = {5, 20, 50};
    static const double rates[] = {0.02, 0.1, 0.3, 0.5, 0.85, 0.97};
    uint64_t at = 0;
    for (size_t i = 0; i < 3; i++)
        for (size_t r = 0; r < 6; r++) {
            int64_t n = sizes[i], covered = 0;
            double low[51], high[51];
            for (int64_t k = 0; k <= n; k++)
                rate_exact(k, n, 0.05, &low[k], &high[k]);
            for (int d = 0; d < DRAWS; d++) {
                int64_t k = 0;
                for (int64_t t = 0; t < n; t++)
                    k += draw(&at) < rates[r];
                covered += low[k] <= rates[r] && rates[r] <= high[k];
            }
            // Three standard errors of a share of 0.95 below it.
            if ((double)covered < DRAWS * 0.95 - 3 * sqrt(DRAWS * 0.95 * 0.05))
                fail_msg("n %d, rate %g: covered in %d of %d", (int)n, rates[r], (int)covered,
                         DRAWS);
        }
}

static void newcombes_limits_cover_the_difference(void **state) {
    (void)state;
    static const int64_t sizes[] = {20, 50, 100};
    // Shares of seeds with which only a, only b, and both succeed.
    static const double cells[][3] = {{0.1, 0.1, 0.6},    {0.25, 0.05, 0.65}, {0.3, 0.1, 0.4},
                                      {0.05, 0.05, 0.85}, {0.2, 0.2, 0.3},    {0.4, 0.1, 0.25},
                                      {0.1, 0.02, 0.2},   {0.5, 0.1, 0.2}};
    uint64_t at = (uint64_t)1 << 40;
    double sum = 0, least = 1;
    for (size_t i = 0; i < 3; i++)
        for (size_t c = 0; c < 8; c++) {
            int covered = 0;
            double truth = cells[c][0] - cells[c][1];
            for (int d = 0; d < DRAWS; d++) {
                paired_counts p = {0};
                for (int64_t t = 0; t < sizes[i]; t++) {
                    double u = draw(&at);
                    if (u < cells[c][0])
                        p.only_a++;
                    else if (u < cells[c][0] + cells[c][1])
                        p.only_b++;
                    else if (u < cells[c][0] + cells[c][1] + cells[c][2])
                        p.both++;
                    else
                        p.neither++;
                }
                double difference, low, high;
                paired_difference(&p, &difference, &low, &high);
                covered += low <= truth && truth <= high;
            }
            double share = (double)covered / DRAWS;
            sum += share;
            least = fmin(least, share);
        }
    print_message("Newcombe: mean coverage %.4f, least %.4f\n", sum / 24, least);
    // Up to three standard errors of the mean of 240,000 draws.
    assert_true(sum / 24 >= 0.95 - 3 * sqrt(0.05 * 0.95 / (24.0 * DRAWS)));
    assert_true(least >= 0.93);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_limits_agree_with_published_values),
        cmocka_unit_test(the_beta_function_agrees_with_sums),
        cmocka_unit_test(the_paired_difference_is_newcombes_tenth_method),
        cmocka_unit_test(discordant_seeds_decide),
        cmocka_unit_test(the_shift_of_paired_values_agrees_with_published_values),
        cmocka_unit_test(ranks_correlate_whatever_the_scale),
        cmocka_unit_test(exact_limits_cover_the_rate),
        cmocka_unit_test(newcombes_limits_cover_the_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
