// tests/interp/bench_interp.c - the speed of the interpreter alone, with a body that obeys at once
// and a sink that discards. Prints steps of constructs a second, and the time for each parallel
// task as their number grows.
#include <inttypes.h>
#include <time.h>

#include "tests/interp/rig.h"
#include "tests/testlib.h"

static double now(void) {
    struct timespec ts;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
    return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

// Runs a plan to its end, and returns the seconds of processor time; *steps is the number of steps.
static double run(const char *text, uint64_t *steps) {
    rig r;
    rig_start(&r, text);
    r.keep = false;
    double start = now();
    assert_true(rig_run(&r, 1e6));
    double spent = now() - start;
    *steps = interp_step_count(r.interp);
    rig_stop(&r);
    return spent;
}

static void a_million_steps_a_second(void **state) {
    (void)state;
    uint64_t steps;
    double spent = run("plan: p\nbody:\n  seq:\n    - { set: \"?n\", to: 0 }\n    - loop:\n        "
                       "times: 100\n        do:\n"
                       "          - loop:\n              times: 2000\n              do:\n          "
                       "      - { set: \"?n\", to: \"?n + 1\" }\n"
                       "                - { if: \"?n mod 2 = 0\", then: { seq: [] }, else: { par: "
                       "[ { seq: [] }, { seq: [] } ] } }\n"
                       "          - wait: { seconds: 0.02 }\n",
                       &steps);
    printf("%" PRIu64 " construct steps, %.2f million a second\n", steps,
           (double)steps / spent * 1e-6);
    assert_true((double)steps / spent > 1e6);
}

static void a_thousand_parallel_tasks_cost_no_more_each_than_ten(void **state) {
    (void)state;
    double each[3];
    static const int counts[3] = {10, 1000, 10000};
    for (int k = 0; k < 3; k++) {
        char *text = malloc(200 + (size_t)counts[k] * 100), *at = text;
        assert_non_null(text);
        at += sprintf(at, "plan: p\nbody:\n  par:\n");
        for (int j = 0; j < counts[k]; j++)
            at += sprintf(at, "    - loop: { times: 50, do: { wait: { seconds: 0.02 } } }\n");
        uint64_t steps;
        double spent = 1e9;
        for (int again = 0; again < 3; again++)
            spent = fmin(spent, run(text, &steps));
        each[k] = spent / counts[k] / 50;
        printf("%d parallel tasks: %.2f us for each wait\n", counts[k], 1e6 * each[k]);
        free(text);
    }
    printf("1000 cost %.2f times what 10 do for each task, 10000 %.2f times\n", each[1] / each[0],
           each[2] / each[0]);
    assert_true(each[1] < 1.6 * each[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_million_steps_a_second),
        cmocka_unit_test(a_thousand_parallel_tasks_cost_no_more_each_than_ten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
