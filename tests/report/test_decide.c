// tests/report/test_decide.c - stopping rules: how often they err, what they save, and that nothing
// but the outcomes in order matters to them.
#include "report/evidence/decide.h"

#include <math.h>

#include "base/math/rng.h"
#include "tests/testlib.h"

// A seed is as hard for all candidates: with the share `common` a candidate's draw is the seed's.
static bool succeeds(uint64_t batch, int64_t row, size_t candidate, double rate, double common) {
    rng_key key = rng_key_make(batch, "decide", "");
    bool shared = rng_uniform(key, (uint64_t)row, 1000 + (uint32_t)candidate) < common;
    return rng_uniform(key, (uint64_t)row, shared ? 0 : 1 + (uint32_t)candidate) < rate;
}

// Runs a decision to its end over synthetic plans; returns how many projections it took.
static int64_t run(decision *d, int64_t rows, size_t candidates, const double *rates, double common,
                   uint64_t batch) {
    int64_t taken = 0;
    for (int64_t row = 0; row < rows; row++)
        for (size_t c = 0; c < candidates; c++)
            if (decision_wants(d, row, c)) {
                decision_take(d, row, c,
                              succeeds(batch, row, c, rates[c], common) ? ANSWER_SUCCEEDED
                                                                        : ANSWER_FAILED);
                taken++;
            }
    decision_end(d);
    return taken;
}

static void of_equal_plans_few_comparisons_decide_though_each_pair_is_looked_at(void **state) {
    (void)state;
    int decided = 0;
    for (uint64_t batch = 1; batch <= 1000; batch++) {
        double rate = 0.2 + 0.7 * (double)(batch % 8) / 7;
        decision *d = decision_create(
            &(decision_options){.rule = DECIDE_SURE, .candidates = 2, .rows = 500, .alpha = 0.05});
        run(d, 500, 2, (double[]){rate, rate}, batch % 2 ? 0.5 : 0, batch);
        decided += decision_state(d) == DECISION_SURE;
        decision_destroy(d);
    }
    print_message("of 1000 null comparisons of 500 pairs %d decided\n", decided);
    assert_true(decided <= 50);
    assert_true(decided > 0); // a rule that never decides would pass, too
}

static void unequal_plans_are_told_apart_soon(void **state) {
    (void)state;
    int64_t pairs = 0;
    int right = 0;
    for (uint64_t batch = 1; batch <= 300; batch++) {
        decision *d = decision_create(
            &(decision_options){.rule = DECIDE_SURE, .candidates = 2, .rows = 500, .alpha = 0.05});
        pairs += run(d, 500, 2, (double[]){0.7, 0.9}, 1, batch) / 2;
        right += decision_state(d) == DECISION_SURE && decision_best(d) == 1;
        decision_destroy(d);
    }
    print_message("0.9 against 0.7 takes %.1f pairs\n", (double)pairs / 300);
    assert_true(right >= 285);
    assert_true(pairs / 300 < 45);
}

static void a_race_saves_projections_and_has_the_same_winner(void **state) {
    (void)state;
    double rates[8];
    for (size_t i = 0; i < 8; i++)
        rates[(3 * i + 2) % 8] = 0.95 - 0.65 * (double)i / 7;
    int64_t taken = 0;
    int wrong = 0;
    for (uint64_t batch = 1; batch <= 100; batch++) {
        decision *race = decision_create(
            &(decision_options){.rule = DECIDE_RACE, .candidates = 8, .rows = 50, .alpha = 0.05});
        decision *all = decision_create(
            &(decision_options){.rule = DECIDE_ROWS, .candidates = 8, .rows = 50, .alpha = 0.05});
        taken += run(race, 50, 8, rates, 0.5, batch);
        assert_int_equal(run(all, 50, 8, rates, 0.5, batch), 400);
        // Where the winners differ, the recorded rates of the two are close.
        size_t a = decision_best(race), b = decision_best(all);
        if (a != b) {
            int gap = 0;
            for (int64_t row = 0; row < 50; row++)
                gap +=
                    succeeds(batch, row, b, rates[b], 0.5) - succeeds(batch, row, a, rates[a], 0.5);
            wrong += gap >= 0.15 * 50;
        }
        decision_destroy(race);
        decision_destroy(all);
    }
    print_message("a race of 8 takes %.1f %% of 400 projections\n", (double)taken / 400);
    assert_true(taken <= 100 * 400 * 3 / 4);
    assert_int_equal(wrong, 0);
}

static void a_gap_of_fifteen_hundredths_has_the_same_winner(void **state) {
    (void)state;
    int wrong = 0;
    for (uint64_t batch = 1; batch <= 100; batch++) {
        double rates[8] = {0.3, 0.4, 0.95, 0.5, 0.8, 0.7, 0.6, 0.35};
        decision *race = decision_create(
            &(decision_options){.rule = DECIDE_RACE, .candidates = 8, .rows = 50, .alpha = 0.05});
        run(race, 50, 8, rates, 0.5, batch);
        // The best of all by rate never leaves.
        wrong += decision_after(race, 2) != 0;
        decision_destroy(race);
    }
    assert_int_equal(wrong, 0);
}

static void halving_spends_the_budget_on_the_better_half(void **state) {
    (void)state;
    double rates[8] = {0.3, 0.4, 0.95, 0.5, 0.6, 0.35, 0.45, 0.55};
    assert_int_equal(decision_budget_least(8), 24);
    assert_int_equal(decision_budget_rows(8, 240), 10 + 20 + 40);
    int best = 0;
    for (uint64_t batch = 1; batch <= 100; batch++) {
        decision *d = decision_create(&(decision_options){
            .rule = DECIDE_BUDGET, .candidates = 8, .rows = 70, .budget = 240, .alpha = 0.05});
        assert_int_equal(run(d, 70, 8, rates, 0.5, batch), 8 * 10 + 4 * 20 + 2 * 40);
        assert_int_equal(decision_state(d), DECISION_HALVED);
        best += decision_best(d) == 2;
        int64_t left_early = 0;
        for (size_t c = 0; c < 8; c++)
            left_early += decision_after(d, c) == 10;
        assert_int_equal(left_early, 4);
        decision_destroy(d);
    }
    assert_true(best >= 95);
    // Three candidates: two rounds, of which the second has two.
    decision *d = decision_create(&(decision_options){
        .rule = DECIDE_BUDGET, .candidates = 3, .rows = 99, .budget = 12, .alpha = 0.05});
    assert_int_equal(run(d, 99, 3, rates, 0, 1), 3 * 2 + 2 * 3);
    decision_destroy(d);
}

static void the_ratio_test_stops_at_its_bounds(void **state) {
    (void)state;
    decision_options o = {.rule = DECIDE_ACCEPT,
                          .candidates = 1,
                          .rows = 1000,
                          .alpha = 0.05,
                          .accept = 0.95,
                          .reject = 0.8};
    // ln(19) / ln(0.95 / 0.8) = 17.13: eighteen successes in a row accept.
    decision *d = decision_create(&o);
    assert_int_equal(run(d, 1000, 1, (double[]){1}, 0, 1), 18);
    assert_int_equal(decision_state(d), DECISION_ACCEPTED);
    decision_destroy(d);
    // ln(19) / ln(0.2 / 0.05) = 2.12: three failures in a row reject.
    d = decision_create(&o);
    assert_int_equal(run(d, 1000, 1, (double[]){0}, 0, 1), 3);
    assert_int_equal(decision_state(d), DECISION_REJECTED);
    decision_destroy(d);
    int wrong = 0;
    for (uint64_t batch = 1; batch <= 1000; batch++) {
        double rate = batch % 2 ? o.accept : o.reject;
        d = decision_create(&o);
        run(d, 1000, 1, &rate, 0, batch);
        wrong += decision_state(d) != (batch % 2 ? DECISION_ACCEPTED : DECISION_REJECTED);
        decision_destroy(d);
    }
    print_message("the ratio test erred in %d of 1000\n", wrong);
    assert_true(wrong <= 50);
    // A sample without an answer moves nothing.
    d = decision_create(&o);
    decision_take(d, 0, 0, ANSWER_NONE);
    assert_true(decision_log_ratio(d) == 0);
    decision_destroy(d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_equal_plans_few_comparisons_decide_though_each_pair_is_looked_at),
        cmocka_unit_test(unequal_plans_are_told_apart_soon),
        cmocka_unit_test(a_race_saves_projections_and_has_the_same_winner),
        cmocka_unit_test(a_gap_of_fifteen_hundredths_has_the_same_winner),
        cmocka_unit_test(halving_spends_the_budget_on_the_better_half),
        cmocka_unit_test(the_ratio_test_stops_at_its_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
