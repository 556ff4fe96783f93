// tests/base/test_rng.c - keyed random draws: the same for the same key, spread as they should be.
#include <math.h>

#include "base/math/rng.h"
#include "tests/testlib.h"

#define DRAWS 200000

static void the_same_key_gives_the_same_draw(void **state) {
    (void)state;
    rng_key a = rng_key_make(7, "camera/see", "plate_1"),
            b = rng_key_make(7, "camera/see", "plate_1");
    double first[100];
    for (uint64_t i = 0; i < 100; i++)
        first[i] = rng_normal(a, i, 2);
    for (uint64_t i = 100; i-- > 0;) // in another order, with others between
        assert_true(first[i] == rng_normal(b, i, 2) &&
                    rng_uniform(a, i, 0) == rng_uniform(b, i, 0));
    assert_true(rng_draw(7, "camera/see", "plate_1", 3) == rng_uniform(a, 3, 0));
}

static void every_part_of_the_key_counts(void **state) {
    (void)state;
    double base = rng_draw(1, "camera", "plate", 0);
    assert_true(base != rng_draw(2, "camera", "plate", 0));
    assert_true(base != rng_draw(1, "camerb", "plate", 0));
    assert_true(base != rng_draw(1, "camera", "platf", 0));
    assert_true(base != rng_draw(1, "camera", "plate", 1));
    assert_true(base != rng_draw(1, "plate", "camera", 0));
    assert_true(rng_draw(1, "ab", "c", 0) != rng_draw(1, "a", "bc", 0));
    assert_true(rng_draw(1, "", "a", 0) != rng_draw(1, "a", "", 0));
    assert_true(rng_draw(1, "a", NULL, 0) == rng_draw(1, "a", "", 0));
    rng_key key = rng_key_make(1, "camera", "plate");
    assert_true(rng_uniform(key, 0, 0) != rng_uniform(key, 0, 1));
    assert_true(rng_normal(key, 0, 0) != rng_normal(key, 0, 1));
    assert_true(rng_uniform(key, UINT64_C(1) << 32, 0) != rng_uniform(key, 0, 1));
}

static int order(const void *x, const void *y) {
    const uint64_t *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

static void many_names_give_many_keys(void **state) {
    (void)state;
    enum { KEYS = 50000 };
    uint64_t *hashes = malloc(KEYS * sizeof *hashes);
    assert_non_null(hashes);
    for (int i = 0; i < KEYS; i++) {
        char source[32], object[32];
        snprintf(source, sizeof source, "seq[%d]", i % 100);
        snprintf(object, sizeof object, "plate_with_long_name_%d", i / 100);
        hashes[i] = rng_key_make((uint64_t)(i % 3), source, object).hash;
    }
    qsort(hashes, KEYS, sizeof *hashes, order);
    for (int i = 1; i < KEYS; i++)
        assert_true(hashes[i] != hashes[i - 1]);
    free(hashes);
}

static void uniform_draws_fill_the_unit_interval(void **state) {
    (void)state;
    rng_key key = rng_key_make(42, "uniform", "");
    double sum = 0;
    int bins[100] = {0};
    for (uint64_t i = 0; i < DRAWS; i++) {
        double u = rng_uniform(key, i, 0);
        assert_true(u >= 0 && u < 1);
        sum += u;
        bins[(int)(u * 100)]++;
    }
    double chi = 0, each = DRAWS / 100.0;
    for (int i = 0; i < 100; i++)
        chi += (bins[i] - each) * (bins[i] - each) / each;
    assert_true(fabs(sum / DRAWS - 0.5) < 0.003);
    assert_true(chi > 50 && chi < 165); // 99 degrees of freedom: within about 4.5 sigma
}

static void normal_draws_have_the_right_moments_and_tails(void **state) {
    (void)state;
    rng_key key = rng_key_make(42, "normal", "");
    double sum[5] = {0};
    int past[4] = {0};
    for (uint64_t i = 0; i < DRAWS; i++) {
        double x = rng_normal(key, i, 0);
        assert_true(isfinite(x));
        for (int k = 1; k < 5; k++)
            sum[k] += pow(x, k);
        for (int s = 1; s < 4; s++)
            past[s] += fabs(x) > s;
    }
    assert_true(fabs(sum[1] / DRAWS) < 0.01);
    assert_true(fabs(sum[2] / DRAWS - 1) < 0.015);
    assert_true(fabs(sum[3] / DRAWS) < 0.04);
    assert_true(fabs(sum[4] / DRAWS - 3) < 0.15);
    assert_true(fabs((double)past[1] / DRAWS - 0.3173) < 0.005);
    assert_true(fabs((double)past[2] / DRAWS - 0.0455) < 0.003);
    assert_true(fabs((double)past[3] / DRAWS - 0.0027) < 0.0006);
}

// Correlation of two streams of normal draws.
static double correlation(rng_key a, rng_key b, uint64_t shift, uint32_t channel_a,
                          uint32_t channel_b) {
    double sum = 0;
    for (uint64_t i = 0; i < DRAWS / 4; i++)
        sum += rng_normal(a, i, channel_a) * rng_normal(b, i + shift, channel_b);
    return sum / (DRAWS / 4);
}

static void neighbouring_draws_are_independent(void **state) {
    (void)state;
    rng_key a = rng_key_make(1, "camera", "plate_1"), b = rng_key_make(1, "camera", "plate_2");
    rng_key c = rng_key_make(2, "camera", "plate_1");
    const double limit = 0.02; // 4.5 sigma
    assert_true(fabs(correlation(a, a, 1, 0, 0)) < limit);
    assert_true(fabs(correlation(a, a, 0, 0, 1)) < limit);
    assert_true(fabs(correlation(a, b, 0, 0, 0)) < limit);
    assert_true(fabs(correlation(a, c, 0, 0, 0)) < limit);
    // A uniform and a normal draw of one place share nothing either.
    double sum = 0;
    for (uint64_t i = 0; i < DRAWS / 4; i++)
        sum += (rng_uniform(a, i, 0) - 0.5) * rng_normal(a, i, 0);
    assert_true(fabs(sum / (DRAWS / 4)) < limit / 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_key_gives_the_same_draw),
        cmocka_unit_test(every_part_of_the_key_counts),
        cmocka_unit_test(many_names_give_many_keys),
        cmocka_unit_test(uniform_draws_fill_the_unit_interval),
        cmocka_unit_test(normal_draws_have_the_right_moments_and_tails),
        cmocka_unit_test(neighbouring_draws_are_independent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
