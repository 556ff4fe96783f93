// tests/world/test_bounded.c - linear equations whose unknowns are bounded: what is found obeys
// every condition, whatever was guessed, and where equations are taken in twice.
#include "projector/world/dynamics/bounded.h"
#include "tests/testlib.h"
#include <math.h>

static double chance(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (double)(1u << 24);
}

// Random equations, like those of contacts: the matrix is B B^T of a tall, sparse B, and a little
// on the diagonal; some unknowns have no bounds, some one, some two, some none of the way between.
static void equations_fill(bounded *p, size_t n, unsigned *seed) {
    enum { MOST = 48, WIDE = 24 };
    double b[MOST][WIDE];
    bounded_begin(p, n);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < WIDE; k++)
            b[i][k] = k / 6 == i * WIDE / 6 / n || k / 6 == i % 4 ? chance(seed) - 0.5 : 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = i == j ? 1e-3 : 0;
            for (size_t k = 0; k < WIDE; k++)
                sum += b[i][k] * b[j][k];
            p->a[i * n + j] = sum;
            if (sum != 0 && j < p->first[i])
                p->first[i] = j;
        }
        p->b[i] = 20 * (chance(seed) - 0.5);
        double kind = chance(seed);
        if (kind > 0.2)
            p->lo[i] = kind > 0.5 ? -3 * chance(seed) : 0;
        if (kind > 0.5)
            p->hi[i] = kind > 0.95 ? p->lo[i] : 3 * chance(seed);
        p->at[i] = (signed char)(3 * chance(seed)) - 1;
    }
}

static void assert_solved(const bounded *p, size_t count) {
    for (size_t i = 0; i < count; i++) {
        double r = -p->b[i];
        for (size_t j = 0; j < count; j++)
            r += (i > j ? p->a[i * p->count + j] : p->a[j * p->count + i]) * p->x[j];
        assert_true(p->x[i] >= p->lo[i] - 1e-7 && p->x[i] <= p->hi[i] + 1e-7);
        if (p->x[i] > p->lo[i] + 1e-7)
            assert_true(r < 1e-6);
        if (p->x[i] < p->hi[i] - 1e-7)
            assert_true(r > -1e-6);
    }
}

static void what_is_found_obeys_every_condition(void **state) {
    (void)state;
    bounded p = {0};
    unsigned seed = 7;
    for (int round = 0; round < 400; round++) {
        size_t n = 1 + (size_t)(47 * chance(&seed)), first = n / 2;
        equations_fill(&p, n, &seed);
        assert_true(bounded_solve(&p, first));
        assert_solved(&p, first);
        for (size_t i = first; i < n; i++) // as friction's bounds follow from what was found
            p.hi[i] = fmax(p.lo[i], p.hi[i] / 2);
        assert_true(bounded_solve(&p, n));
        assert_solved(&p, n);
    }
    bounded_finish(&p);
}

static void the_guess_does_not_matter(void **state) {
    (void)state;
    bounded p = {0};
    unsigned seed = 11;
    for (int round = 0; round < 100; round++) {
        enum { N = 30 };
        double found[N];
        equations_fill(&p, N, &seed);
        assert_true(bounded_solve(&p, N));
        memcpy(found, p.x, sizeof found);
        for (size_t i = 0; i < N; i++)
            p.at[i] = (signed char)(3 * chance(&seed)) - 1;
        p.factored = 0;
        assert_true(bounded_solve(&p, N));
        for (size_t i = 0; i < N; i++)
            assert_true(fabs(p.x[i] - found[i]) < 1e-6);
    }
    bounded_finish(&p);
}

static void what_is_no_number_has_no_answer(void **state) {
    (void)state;
    bounded p = {0};
    unsigned seed = 3;
    equations_fill(&p, 12, &seed);
    p.b[5] = NAN;
    assert_false(bounded_solve(&p, 12));
    bounded_finish(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_found_obeys_every_condition),
        cmocka_unit_test(the_guess_does_not_matter),
        cmocka_unit_test(what_is_no_number_has_no_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
