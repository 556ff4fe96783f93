// tests/couple/test_arm.c - questions about an arm that another program asks: which can be.
#include <math.h>

#include "projector/couple/arm.h"
#include "tests/testlib.h"

static arm_question right(void) {
    arm_question q = {.arm = 1, .time = 0.5, .lent = 1, .heard = 1, .fresh = 1, .age = 0.02};
    for (size_t k = 0; k < ARM_JOINTS_MAX; k++)
        q.joints[k] = (arm_joint_question){.place = -1, .speed = -2, .stiffness = 800};
    return q;
}

static void what_cannot_be_asked_is_told_from_what_can(void **state) {
    (void)state;
    arm_question q = right();
    assert_true(arm_question_can_be(&q, 2));
    assert_false(arm_question_can_be(&q, 1)); // no such arm
    // Each number that has a range, and what lies outside of it.
    double *const numbers[] = {&q.arm,
                               &q.arm,
                               &q.arm,
                               &q.time,
                               &q.lent,
                               &q.heard,
                               &q.fresh,
                               &q.age,
                               &q.joints[0].stiffness,
                               &q.joints[ARM_JOINTS_MAX - 1].damping};
    const double wrong[] = {0.5, -1, 1e300, -0.002, 2, 0.5, -1, -1e-9, -1, -0.1};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        q = right();
        *numbers[i] = wrong[i];
        if (arm_question_can_be(&q, 2))
            fail_msg("case %zu: %g can be", i, wrong[i]);
    }
    q = right();
    q.heard = 0; // nothing can be new of what was never heard
    assert_false(arm_question_can_be(&q, 2));
    q.fresh = 0;
    assert_true(arm_question_can_be(&q, 2));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_asked_is_told_from_what_can),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
