// tests/world/test_contact_long.c - the matrices of contact in full: all masses, forces, directions
// and times.
#include "tests/world/contact_cases.h"

static void a_stack_of_ten_boxes_rests_a_minute_without_sleep(void **state) {
    (void)state;
    case_stack_rests(60, true, false);
    case_stack_rests(60, true, true);
}

static void slip_begins_within_two_percent_over_every_case(void **state) {
    (void)state;
    static const double masses[3] = {0.1, 0.5, 1.2}, forces[3] = {8, 20, 60},
                        accelerations[3] = {0.3, 1, 3};
    for (int k = 0; k < 2; k++)
        for (int t = 0; t < 5; t++)
            for (int i = 0; i < 27; i++) {
                grip_case c = {case_shape(k ? SHAPE_CYLINDER : SHAPE_BOX), masses[i % 3],
                               forces[i / 3 % 3], accelerations[i / 9], PI / 16 * t};
                case_slip_onset(&c, 0.02);
            }
}

static void a_held_thing_creeps_at_most_a_tenth_of_a_millimetre_over_every_case(void **state) {
    (void)state;
    static const double masses[3] = {0.2, 0.4, 0.8}, forces[3] = {10, 25, 50};
    for (int k = 0; k < 2; k++)
        for (int t = 0; t < 3; t++)
            for (int i = 0; i < 9; i++) {
                double crept = case_creep(case_shape(k ? SHAPE_CYLINDER : SHAPE_BOX), masses[i % 3],
                                          forces[i / 3], CASE_TURNS[t], 10);
                if (crept > 1e-4)
                    fail_msg("%s of %g kg with %g N, turned by %g, creeps %.3f mm",
                             k ? "cylinder" : "box", masses[i % 3], forces[i / 3], CASE_TURNS[t],
                             1e3 * crept);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_of_ten_boxes_rests_a_minute_without_sleep),
        cmocka_unit_test(slip_begins_within_two_percent_over_every_case),
        cmocka_unit_test(a_held_thing_creeps_at_most_a_tenth_of_a_millimetre_over_every_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
