// What re-runs make of a suspected cause.
#include "report/verify.h"
#include "tests/testlib.h"

static const char *verdict(const char *change, bool answered, bool gone, int placebos, int still) {
    flaw_verification v = {
        .change = change, .stream = "laser", .gone = gone, .placebos = placebos, .still = still};
    return verify_verdict(&v, answered);
}

static void a_cause_is_verified_when_the_flaw_goes_with_it_and_stays_with_placebos(void **state) {
    (void)state;
    assert_string_equal(verdict("firm_grip", true, true, 5, 5), "verified");
    assert_string_equal(verdict("firm_grip", true, true, 5, 4), "verified");
    assert_string_equal(verdict("firm_grip", true, true, 5, 3), "unverified");
    assert_string_equal(verdict("firm_grip", true, true, 5, 0), "unverified");
}

static void a_flaw_that_stays_without_the_cause_refutes_it(void **state) {
    (void)state;
    assert_string_equal(verdict("firm_grip", true, false, 0, 0), "refuted");
    assert_string_equal(verdict("firm_grip", true, false, 5, 5), "refuted");
}

static void without_an_answer_or_a_cause_nothing_is_said(void **state) {
    (void)state;
    assert_string_equal(verdict(NULL, false, false, 0, 0), "untestable");
    assert_string_equal(verdict("firm_grip", false, false, 0, 0), "unverified");
    // Four placebos of which all show the flaw: the fifth gave no answer.
    assert_string_equal(verdict("firm_grip", true, true, 4, 4), "unverified");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cause_is_verified_when_the_flaw_goes_with_it_and_stays_with_placebos),
        cmocka_unit_test(a_flaw_that_stays_without_the_cause_refutes_it),
        cmocka_unit_test(without_an_answer_or_a_cause_nothing_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
