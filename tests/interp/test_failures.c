// tests/interp/test_failures.c - failures: how they are handled, retried and passed on, clean-ups,
// and livelocks.
#include "tests/interp/rig.h"
#include "tests/testlib.h"

#define HEAD "plan: p\nbody:\n  tag: top\n"

static bool top_done(rig *r, const char *body) {
    char text[4096];
    snprintf(text, sizeof text, "%s%s", HEAD, body);
    rig_start(r, text);
    return rig_run(r, 100);
}

static void retry_enters_the_body_again_with_a_bounded_counter(void **state) {
    (void)state;
    rig r;
    assert_true(top_done(&r,
                         "  seq:\n    - { set: \"?n\", to: 0 }\n    - tag: try\n      on_failure:\n"
                         "        do:\n          - { set: \"?n\", to: \"?n + 1\" }\n"
                         "          - { if: \"?n < 3\", then: { fail: searching_failed } }\n"
                         "        handle: [ { failure: searching_failed, retry: 2 } ]\n"));
    assert_string_equal(rig_values(&r, "n"), "0 1 2 3");
    assert_string_equal(rig_task(&r, "top/try/do@3")->TASK.path, "top/try/do");
    assert_string_equal(rig_statuses(&r, "top/try/do@2"), "created active failed");
    assert_string_equal(rig_statuses(&r, "top/try/do@3"), "created active done");
    assert_int_equal(rig_failure(&r, "top/try/do@2")->FAILURE.handled_by,
                     rig_task(&r, "top/try")->id);
    // The failure at the beginning of the chain is handled, too.
    assert_int_equal(rig_failure(&r, "top/try/do/seq[2]/then")->FAILURE.handled_by,
                     rig_task(&r, "top/try")->id);
    rig_stop(&r);
}

static void retries_exhausted_leave_the_original_failure(void **state) {
    (void)state;
    rig r;
    assert_false(top_done(
        &r, "  on_failure:\n    do: { fail: { class: searching_failed, reason: dark } }\n"
            "    handle: [ { failure: searching_failed, retry: 2, then: { log: again } } ]\n"));
    assert_string_equal(rig_notes(&r), "again again");
    const record *f = rig_failure(&r, "top");
    assert_string_equal(f->FAILURE.class, "searching_failed");
    assert_string_equal(f->FAILURE.reason, "dark");
    assert_int_equal(f->FAILURE.handled_by, 0);
    assert_int_equal(f->FAILURE.cause, rig_failure(&r, "top/do@3")->id);
    assert_int_equal(rig_failure(&r, "top/do@3")->FAILURE.handled_by, 0);
    rig_stop(&r);
}

static void a_clause_is_passed_over_where_its_guard_is_not_believed(void **state) {
    (void)state;
    rig r;
    assert_true(top_done(
        &r,
        "  on_failure:\n    do: { fail: { class: searching_failed, reason: dark } }\n"
        "    handle:\n      - { failure: searching_failed, guard: 1 > 2, then: { log: first } }\n"
        "      - { failure: plan_failure, guard: 2 > 1, retry: 1, then: { log: second } }\n"
        "      - { failure: searching_failed, then: { log: third } }\n"));
    assert_string_equal(rig_notes(&r), "second third");
    rig_stop(&r);
    // A guard that has no value is not believed.
    assert_false(top_done(
        &r,
        "  on_failure:\n    do: { fail: { class: searching_failed, reason: dark } }\n"
        "    handle: [ { failure: plan_failure, guard: \"first([]) > 2\", then: { log: x } } ]\n"));
    assert_string_equal(rig_failure(&r, "top")->FAILURE.reason, "dark");
    rig_stop(&r);
}

static void the_counter_is_per_entry(void **state) {
    (void)state;
    rig r;
    assert_true(top_done(
        &r,
        "  seq:\n    - { set: \"?n\", to: 0 }\n    - loop:\n        times: 2\n        do:\n"
        "          on_failure:\n            do:\n              - { set: \"?n\", to: \"?n + 1\" }\n"
        "              - { if: \"?n mod 2 = 1\", then: { fail: searching_failed } }\n"
        "            handle: [ { failure: plan_failure, retry: 1 } ]\n"));
    assert_string_equal(rig_values(&r, "n"), "0 1 2 3 4");
    rig_stop(&r);
}

static void a_clause_catches_the_classes_below_its_own(void **state) {
    (void)state;
    rig r;
    assert_true(top_done(
        &r, "  on_failure:\n    do: { fail: { class: gripper_closed_completely, reason: air } }\n"
            "    handle:\n      - { failure: high_level_failure, then: { log: wrong } }\n"
            "      - { failure: [ searching_failed, low_level_failure ], as: \"?why\", then: { "
            "log: \"?why\" } }\n"
            "      - { failure: plan_failure, then: { log: late } }\n"));
    assert_string_equal(rig_notes(&r), "failure(gripper_closed_completely, \"air\")");
    rig_stop(&r);
    assert_false(
        top_done(&r, "  on_failure:\n    do: { fail: searching_failed }\n"
                     "    handle: [ { failure: low_level_failure, then: { log: wrong } } ]\n"));
    assert_string_equal(rig_notes(&r), "");
    rig_stop(&r);
}

static void a_failing_handler_fails_the_task(void **state) {
    (void)state;
    rig r;
    assert_false(top_done(
        &r, "  on_failure:\n    do: { fail: searching_failed }\n"
            "    handle: [ { failure: plan_failure, then: { fail: delivering_failed } } ]\n"));
    assert_string_equal(rig_failure(&r, "top")->FAILURE.class, "delivering_failed");
    assert_int_equal(rig_failure(&r, "top/do")->FAILURE.handled_by, rig_task(&r, "top")->id);
    rig_stop(&r);
}

static void nested_retries_multiply(void **state) {
    (void)state;
    rig r;
    assert_false(top_done(&r, "  on_failure:\n    handle: [ { failure: plan_failure, retry: 1 } "
                              "]\n    do:\n      on_failure:\n"
                              "        handle: [ { failure: plan_failure, retry: 2 } ]\n        "
                              "do: [ { log: x }, { fail: searching_failed } ]\n"));
    assert_string_equal(rig_notes(&r), "x x x x x x");
    assert_non_null(rig_task(&r, "top/do@2/do@3"));
    rig_stop(&r);
}

static void clean_up_runs_however_the_body_ends(void **state) {
    (void)state;
    rig r;
    assert_true(top_done(&r, "  on_failure: { do: { log: body }, clean_up: { log: clean } }\n"));
    assert_string_equal(rig_notes(&r), "body clean");
    rig_stop(&r);
    assert_false(top_done(
        &r, "  on_failure: { do: { fail: searching_failed }, clean_up: { log: clean } }\n"));
    assert_string_equal(rig_notes(&r), "clean");
    assert_string_equal(rig_failure(&r, "top")->FAILURE.class, "searching_failed");
    assert_int_equal(rig_failure(&r, "top")->FAILURE.cause, rig_failure(&r, "top/do")->id);
    rig_stop(&r);
    assert_false(top_done(&r,
                          "  par:\n    - on_failure: { do: { wait: { seconds: 9 } }, clean_up: [ { "
                          "wait: { seconds: 1 } }, { log: clean } ] }\n"
                          "    - seq: [ { wait: { seconds: 1 } }, { fail: searching_failed } ]\n"));
    assert_string_equal(rig_notes(&r), "clean");
    // A clean-up may take time; the tasks around it end after it.
    assert_string_equal(rig_statuses(&r, "top/par[1]"), "created active evaporated");
    assert_string_equal(rig_statuses(&r, "top/par[1]/do"), "created active evaporated");
    assert_string_equal(rig_statuses(&r, "top/par[1]/clean_up"), "created active done");
    assert_int_equal(rig_task(&r, "top")->TASK.end_ns, 2 * NANOS_PER_SECOND);
    rig_stop(&r);
}

static void a_failing_clean_up_is_attached_to_the_original_failure(void **state) {
    (void)state;
    rig r;
    assert_false(top_done(&r, "  on_failure: { do: { fail: { class: searching_failed, reason: dark "
                              "} }, clean_up: { fail: { class: livelock, reason: stuck } } }\n"));
    const record *f = rig_failure(&r, "top");
    assert_string_equal(f->FAILURE.class, "searching_failed");
    assert_string_equal(f->FAILURE.reason, "dark; and its clean-up failed: livelock: stuck");
    assert_int_equal(rig_failure(&r, "top/clean_up")->FAILURE.attached, f->id);
    assert_int_equal(f->FAILURE.attached, 0);
    rig_stop(&r);
    assert_false(top_done(&r, "  on_failure: { do: { log: fine }, clean_up: { fail: { class: "
                              "livelock, reason: stuck } } }\n"));
    assert_string_equal(rig_failure(&r, "top")->FAILURE.class, "livelock");
    rig_stop(&r);
}

static void clean_up_of_what_never_began_does_not_run(void **state) {
    (void)state;
    rig r;
    assert_false(top_done(&r, "  par:\n    - fail: searching_failed\n    - on_failure: { do: { "
                              "log: body }, clean_up: { log: clean } }\n"));
    assert_string_equal(rig_notes(&r), "");
    assert_string_equal(rig_statuses(&r, "top/par[2]"), "created evaporated");
    rig_stop(&r);
}

static void endless_loops_fail_as_livelock(void **state) {
    (void)state;
    rig r;
    assert_false(top_done(&r, "  loop: { do: { log: x } }\n"));
    assert_string_equal(rig_failure(&r, "top")->FAILURE.class, "livelock");
    rig_stop(&r);
    // A handler that catches the livelock and goes on at once makes the plan fail for livelock.
    assert_false(
        top_done(&r, "  loop: { do: { on_failure: { do: { loop: { do: { set: \"?x\", to: 1 } } }, "
                     "handle: [ { failure: plan_failure, retry: 1000000 } ] } } }\n"));
    assert_string_equal(rig_failure(&r, "top")->FAILURE.class, "livelock");
    assert_int_equal(rig_task(&r, "top")->TASK.end_ns, 0);
    rig_stop(&r);
    // The same happens within a clean-up.
    assert_false(top_done(&r, "  on_failure: { do: { log: a }, clean_up: { loop: { do: { "
                              "on_failure: { do: { loop: { do: { set: \"?x\", to: 1 } } }, handle: "
                              "[ { failure: plan_failure, then: { log: b } } ] } } } } }\n"));
    rig_stop(&r);
}

static void long_loops_through_time_are_no_livelock(void **state) {
    (void)state;
    rig r;
    rig_start(&r, "plan: p\nbody:\n  tag: top\n  loop: { times: 300, do: [ { loop: { times: 200, "
                  "do: { set: \"?x\", to: 1 } } }, { wait: { seconds: 0.02 } } ] }\n");
    r.keep = false;
    assert_true(rig_run(&r, 60));
    rig_stop(&r);
}

static void nothing_is_left_open_after_the_end(void **state) {
    (void)state;
    rig r;
    assert_false(top_done(&r, "  par:\n    - loop: { do: { wait: { seconds: 0.3 } } }\n    - "
                              "pursue: [ { wait: { seconds: 1 } }, { wait: { seconds: 3 } } ]\n"
                              "    - on_failure: { do: [ { wait: { seconds: 2 } }, { fail: "
                              "searching_failed } ], clean_up: { wait: { seconds: 1 } } }\n"));
    for (size_t k = 0; k < r.records.count; k++) {
        const record *x = &r.records.items[k].r;
        if (x->kind == RECORD_TASK) {
            assert_int_not_equal(x->TASK.end_ns, TIME_OPEN);
            assert_true(x->TASK.end_ns >= x->TASK.start_ns);
        }
    }
    rig_stop(&r);
}

static void tasks_that_only_wait_for_one_another_fail_as_deadlock(void **state) {
    (void)state;
    rig r;
    // Nothing could set the variable or end one of the tasks any more.
    assert_false(top_done(&r, "  let: ?n\n  be: 0\n  in:\n    par:\n"
                              "      - { tag: a, wait_for: \"?n = 1\" }\n"
                              "      - { tag: b, wait_for: \"task(c, done)\" }\n"
                              "      - { tag: c, wait_for: \"task(b, done)\" }\n"
                              "      - { wait: { seconds: 1 } }\n"));
    assert_string_equal(rig_failure(&r, "top")->FAILURE.class, "resource_deadlock");
    assert_int_equal(rig_task(&r, "top")->TASK.end_ns, NANOS_PER_SECOND);
    rig_stop(&r);
    // Of two tasks that wait for each other one fails, and its handler lets the other go on.
    assert_true(
        top_done(&r, "  par:\n"
                     "    - tag: one\n      using: { actuators: [ left ], do: [ { wait: { "
                     "seconds: 1 } }, { using: { actuators: [ right ], do: { log: one } } } ] }\n"
                     "    - on_failure:\n        handle: [ { failure: resource_deadlock, then: { "
                     "log: gives_way } } ]\n        do: { using: { actuators: [ right ], do: [ { "
                     "wait: { seconds: 2 } }, { using: { actuators: [ left ], do: { log: two } } "
                     "} ] } }\n"));
    assert_string_equal(rig_notes(&r), "gives_way one");
    rig_stop(&r);
}

// Runs a plan that fails as `class`, and returns when it did, in seconds.
static double fails_after(const char *body, const char *class) {
    rig r;
    char text[4096];
    snprintf(text, sizeof text, "%s%s", HEAD, body);
    rig_start(&r, text);
    assert_false(rig_run(&r, 9000));
    assert_string_equal(rig_failure(&r, "top")->FAILURE.class, class);
    double end = seconds(rig_task(&r, "top")->TASK.end_ns);
    rig_stop(&r);
    return end;
}

static void a_plan_that_only_waits_for_a_belief_ends_after_an_hour(void **state) {
    (void)state;
    const char *lone = "  wait_for: on(a(cup), table_1)\n",
               *beside = "  par:\n    - wait_for: on(a(cup), table_1)\n"
                         "    - wait: { seconds: 500 }\n",
               *longer = "  wait_for: on(a(cup), table_1)\n  timeout: 4000\n";
    assert_float_equal(fails_after(lone, "action_timed_out"), 3600, 0.05);
    // The hour begins when the last step beside it is over; a timeout may be longer than that.
    assert_float_equal(fails_after(beside, "action_timed_out"), 4100, 0.05);
    assert_float_equal(fails_after(longer, "action_timed_out"), 4000, 0.05);
}

static void who_waits_for_long_is_noted(void **state) {
    (void)state;
    rig r;
    char text[] =
        HEAD "  pursue:\n"
             "    - tag: keeper\n      using: { actuators: [ head ], do: { loop: { do: { "
             "wait: { seconds: 10 } } } } }\n"
             "    - tag: waiter\n      using: { actuators: [ head ], do: { log: never } }\n"
             "    - wait: { seconds: 700 }\n";
    rig_start(&r, text);
    assert_true(rig_run(&r, 800));
    assert_string_equal(rig_notes(&r), "starves: has waited 600 s for actuators of top/keeper");
    const record *note = rig_record(&r, RECORD_NOTE, 0);
    assert_int_equal(note->NOTE.task, rig_task(&r, "top/waiter")->id);
    assert_int_equal(note->NOTE.t_ns, 600 * NANOS_PER_SECOND);
    rig_stop(&r);
}

static void the_task_that_goes_round_is_the_one_in_livelock(void **state) {
    (void)state;
    rig r;
    assert_true(
        top_done(&r, "  par:\n"
                     "    - loop: { times: 20, do: [ { log: n }, { wait: { seconds: 0.02 } } ] }\n"
                     "    - on_failure:\n"
                     "        do: [ { wait: { seconds: 0.1 } }, { tag: spins, loop: { do: { set: "
                     "\"?x\", to: 1 } } } ]\n"
                     "        handle: [ { failure: livelock, then: { log: caught } } ]\n"));
    assert_string_equal(rig_failure(&r, "top/par[2]/do/spins")->FAILURE.class, "livelock");
    assert_non_null(strstr(rig_notes(&r), "caught"));
    rig_stop(&r);
}

static void a_clean_up_runs_though_it_was_suspended_when_all_was_given_up(void **state) {
    (void)state;
    rig r;
    char text[] =
        HEAD "  pursue:\n    - at_location:\n        location: at(2.0, 2.6, 90)\n        do:\n"
             "          on_failure:\n            do: { fail: searching_failed }\n"
             "            clean_up: [ { tag: w, wait: { seconds: 1 } }, { log: cleaned } ]\n"
             "    - seq: [ { wait_for: \"task(w, suspended)\" }, { log: gone } ]\n"
             "routines:\n  - { achieve: \"loc(robot, ?p)\", effects: [], body: { navigate: { to: "
             "\"?p\" } } "
             "}\n";
    rig_start(&r, text);
    for (int k = 0; k < 3000 && !rig_task(&r, "top/pursue[1]/do/clean_up/w"); k++)
        rig_cycles(&r, 1);
    r.push.p.x = 0.3;
    bool done = false;
    for (int k = 0; k < 1000 && !rig_ended(&r, &done); k++)
        rig_cycles(&r, 1);
    assert_true(done);
    assert_string_equal(rig_notes(&r), "gone cleaned");
    rig_stop(&r);
}

static void a_failing_clean_up_of_what_evaporates_is_attached_to_nothing(void **state) {
    (void)state;
    rig r;
    assert_true(top_done(&r,
                         "  pursue:\n    - { tag: a, on_failure: { do: { wait: { seconds: 9 } }, "
                         "clean_up: { fail: livelock } } }\n    - wait: { seconds: 1 }\n"));
    assert_string_equal(rig_statuses(&r, "top/a"), "created active evaporated");
    assert_int_equal(rig_failure(&r, "top/a/clean_up")->FAILURE.attached, 0);
    assert_null(rig_failure(&r, "top/a"));
    rig_stop(&r);
}

static void a_clean_up_that_fails_while_a_sibling_s_failure_ends_it_is_attached_to_that(void **s) {
    (void)s;
    rig r;
    assert_false(top_done(
        &r, "  par:\n    - seq:\n        - { tag: a, on_failure: { do: { wait: { seconds: 9 "
            "} }, clean_up: [ { wait: { seconds: 1 } }, { fail: livelock } ] } }\n"
            "    - seq: [ { wait: { seconds: 1 } }, { tag: b, fail: searching_failed } ]\n"));
    const record *reason = rig_failure(&r, "top/par[2]");
    assert_non_null(reason);
    assert_string_equal(reason->FAILURE.class, "searching_failed");
    assert_string_equal(rig_statuses(&r, "top/par[1]/a"), "created active evaporated");
    assert_int_equal(rig_failure(&r, "top/par[1]/a/clean_up")->FAILURE.attached, reason->id);
    assert_int_equal(rig_failure(&r, "top")->FAILURE.cause, reason->id);
    rig_stop(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(retry_enters_the_body_again_with_a_bounded_counter),
        cmocka_unit_test(retries_exhausted_leave_the_original_failure),
        cmocka_unit_test(a_clause_is_passed_over_where_its_guard_is_not_believed),
        cmocka_unit_test(the_counter_is_per_entry),
        cmocka_unit_test(a_clause_catches_the_classes_below_its_own),
        cmocka_unit_test(a_failing_handler_fails_the_task),
        cmocka_unit_test(nested_retries_multiply),
        cmocka_unit_test(clean_up_runs_however_the_body_ends),
        cmocka_unit_test(a_failing_clean_up_is_attached_to_the_original_failure),
        cmocka_unit_test(clean_up_of_what_never_began_does_not_run),
        cmocka_unit_test(endless_loops_fail_as_livelock),
        cmocka_unit_test(long_loops_through_time_are_no_livelock),
        cmocka_unit_test(nothing_is_left_open_after_the_end),
        cmocka_unit_test(tasks_that_only_wait_for_one_another_fail_as_deadlock),
        cmocka_unit_test(a_plan_that_only_waits_for_a_belief_ends_after_an_hour),
        cmocka_unit_test(who_waits_for_long_is_noted),
        cmocka_unit_test(the_task_that_goes_round_is_the_one_in_livelock),
        cmocka_unit_test(a_clean_up_runs_though_it_was_suspended_when_all_was_given_up),
        cmocka_unit_test(a_failing_clean_up_of_what_evaporates_is_attached_to_nothing),
        cmocka_unit_test(
            a_clean_up_that_fails_while_a_sibling_s_failure_ends_it_is_attached_to_that),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
