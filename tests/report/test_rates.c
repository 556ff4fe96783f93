// tests/report/test_rates.c - rates of many samples with their intervals, as text and as JSON.
#include "report/batch/batch_report.h"
#include "report/evidence/binomial.h"

#include <math.h>

#include "tests/testlib.h"

static void near(double value, double expected) {
    if (fabs(value - expected) > 5e-5)
        fail_msg("%.6f is not %.6f", value, expected);
}

// Values of Wilson's interval as published (Newcombe 1998, table I, method 3: 81/263, 15/148, 0/20,
// 1/29).
static void wilson_intervals_agree_with_published_values(void **state) {
    (void)state;
    double low, high;
    rate_interval(81, 263, &low, &high);
    near(low, 0.2553);
    near(high, 0.3662);
    rate_interval(15, 148, &low, &high);
    near(low, 0.0624);
    near(high, 0.1605);
    rate_interval(0, 20, &low, &high);
    near(low, 0);
    near(high, 0.1611);
    rate_interval(1, 29, &low, &high);
    near(low, 0.0061);
    near(high, 0.1718);
    rate_interval(0, 0, &low, &high);
    near(low, 0);
    near(high, 1);
    rate_interval(20, 20, &low, &high);
    near(high, 1);
}

static char *json_of(const results *r) {
    text_buffer out = {0};
    batch_report b = {.results = r, .alpha = 0.05, .margin = 0.05};
    batch_json(&b, &out);
    return text_take(&out);
}

static void the_better_plan_comes_first_and_flaws_count_once_a_sample(void **state) {
    (void)state;
    results t = {0};
    results_add_plan(&t, "worse.yaml", "worse.yaml");
    results_add_plan(&t, "better.yaml", "better.yaml");
    results_add_sample(&t, 0, 1, "failed", 10 * NANOS_PER_SECOND, 0);
    results_add_flaw(&t, "slipped", true, "", "");
    results_add_flaw(&t, "slipped", true, "", "");
    results_add_flaw(&t, "never_achieved", false, "", "");
    results_add_sample(&t, 0, 2, "succeeded", 20 * NANOS_PER_SECOND, 0);
    results_add_sample(&t, 0, 3, "failed", 30 * NANOS_PER_SECOND, 0);
    results_add_flaw(&t, "slipped", true, "", "");
    results_add_sample(&t, 1, 1, "succeeded", 12500000000, 0);
    results_add_sample(&t, 1, 2, "invalid", NANOS_PER_SECOND, 0);
    results_add_sample(&t, 1, 3, "succeeded", 14 * NANOS_PER_SECOND, 0);
    char *json = json_of(&t);
    const char *better = strstr(json, "better.yaml"), *worse = strstr(json, "worse.yaml");
    assert_non_null(better);
    assert_non_null(worse);
    assert_true(better < worse);
    assert_non_null(
        strstr(better, "\"samples\": 3, \"succeeded\": 2, \"failed\": 0, \"invalid\": 1"));
    assert_non_null(strstr(better, "\"duration\": { \"median\": 12.5, \"p90\": 14 }"));
    assert_non_null(strstr(worse, "\"name\": \"slipped\", \"root\": true, \"count\": 2"));
    assert_non_null(strstr(worse, "\"name\": \"never_achieved\", \"root\": false, \"count\": 1"));
    assert_non_null(strstr(worse, "\"median\": 20, \"p90\": 30"));
    assert_non_null(strstr(worse, "\"first_seed\": 1 }"));
    free(json);
    results_finish(&t);
}

static void a_batch_without_answers_has_no_duration(void **state) {
    (void)state;
    results t = {0};
    results_add_plan(&t, "plan.yaml", "plan.yaml");
    results_add_sample(&t, 0, 1, "incomplete", NANOS_PER_SECOND, 0);
    char *json = json_of(&t);
    assert_non_null(strstr(json, "\"duration\": { \"median\": null, \"p90\": null }"));
    assert_non_null(strstr(json, "\"incomplete\": 1"));
    free(json);
    results_finish(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wilson_intervals_agree_with_published_values),
        cmocka_unit_test(the_better_plan_comes_first_and_flaws_count_once_a_sample),
        cmocka_unit_test(a_batch_without_answers_has_no_duration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
