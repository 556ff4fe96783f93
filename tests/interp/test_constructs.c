// tests/interp/test_constructs.c - each construct of the plan language: order, results, iterations,
// statuses and paths of tasks.
#include "tests/interp/rig.h"
#include "tests/testlib.h"

#define HEAD "plan: p\nbody:\n  tag: top\n"

static bool top_done(rig *r, const char *body) {
    char text[4096];
    snprintf(text, sizeof text, "%s%s", HEAD, body);
    rig_start(r, text);
    return rig_run(r, 100);
}

static void seq_runs_its_steps_in_order(void **state) {
    (void)state;
    rig r;
    assert_true(top_done(&r, "  seq:\n    - log: one\n    - wait: { seconds: 0.1 }\n    - log: "
                             "two\n    - log: three\n"));
    assert_string_equal(rig_notes(&r), "one two three");
    assert_string_equal(rig_statuses(&r, "top"), "created active done");
    assert_string_equal(rig_statuses(&r, "top/seq[2]"), "created active done");
    const record *wait = rig_task(&r, "top/seq[2]");
    assert_string_equal(wait->TASK.construct, "wait");
    assert_string_equal(wait->TASK.expr, "wait(seconds(0.1))");
    assert_int_equal(wait->TASK.parent, rig_task(&r, "top")->id);
    assert_int_equal(wait->TASK.end_ns - wait->TASK.start_ns, 100000000);
    rig_stop(&r);
}

static void seq_fails_at_its_first_failure(void **state) {
    (void)state;
    rig r;
    assert_false(top_done(
        &r,
        "  seq:\n    - log: one\n    - fail: { class: livelock, reason: so }\n    - log: two\n"));
    assert_string_equal(rig_notes(&r), "one");
    assert_string_equal(rig_statuses(&r, "top"), "created active failed");
    const record *inner = rig_failure(&r, "top/seq[2]"), *outer = rig_failure(&r, "top");
    assert_string_equal(outer->FAILURE.class, "livelock");
    assert_string_equal(outer->FAILURE.reason, "so");
    assert_int_equal(outer->FAILURE.cause, inner->id);
    assert_int_equal(inner->FAILURE.cause, 0);
    assert_null(rig_task(&r, "top/seq[3]"));
    rig_stop(&r);
}

static void par_runs_all_at_once(void **state) {
    (void)state;
    rig r;
    assert_true(top_done(
        &r, "  par:\n    - wait: { seconds: 1 }\n    - wait: { seconds: 2 }\n    - log: now\n"));
    const record *a = rig_task(&r, "top/par[1]"), *b = rig_task(&r, "top/par[2]");
    assert_int_equal(a->TASK.start_ns, 0);
    assert_int_equal(b->TASK.start_ns, 0);
    assert_int_equal(a->TASK.end_ns, NANOS_PER_SECOND);
    assert_int_equal(b->TASK.end_ns, 2 * NANOS_PER_SECOND);
    assert_int_equal(rig_task(&r, "top")->TASK.end_ns, 2 * NANOS_PER_SECOND);
    rig_stop(&r);
}

static void par_evaporates_the_rest_when_one_fails(void **state) {
    (void)state;
    rig r;
    assert_false(top_done(&r,
                          "  par:\n"
                          "    - seq: [ { wait: { seconds: 5 } }, { log: never } ]\n"
                          "    - seq: [ { wait: { seconds: 1 } }, { fail: searching_failed } ]\n"));
    assert_string_equal(rig_statuses(&r, "top/par[1]"), "created active evaporated");
    assert_string_equal(rig_statuses(&r, "top/par[1]/seq[1]"), "created active evaporated");
    assert_string_equal(rig_statuses(&r, "top/par[2]"), "created active failed");
    assert_string_equal(rig_failure(&r, "top")->FAILURE.class, "searching_failed");
    assert_string_equal(rig_notes(&r), "");
    // The task ends no earlier than its children.
    assert_true(rig_task(&r, "top")->TASK.end_ns >= rig_task(&r, "top/par[1]/seq[1]")->TASK.end_ns);
    rig_stop(&r);
}

static void pursue_ends_with_the_first(void **state) {
    (void)state;
    rig r;
    assert_true(
        top_done(&r, "  pursue:\n    - wait: { seconds: 5 }\n    - wait: { seconds: 1 }\n"));
    assert_string_equal(rig_statuses(&r, "top/pursue[1]"), "created active evaporated");
    assert_int_equal(rig_task(&r, "top")->TASK.end_ns, NANOS_PER_SECOND);
    rig_stop(&r);
}

static void pursue_takes_a_failure_before_a_success_of_the_same_cycle(void **state) {
    (void)state;
    rig r;
    assert_false(top_done(&r, "  pursue:\n    - log: quick\n    - seq: [ { log: a }, { log: b }, { "
                              "fail: searching_failed } ]\n"));
    assert_string_equal(rig_notes(&r), "quick a b");
    assert_string_equal(rig_failure(&r, "top")->FAILURE.class, "searching_failed");
    rig_stop(&r);
}

static void try_all_succeeds_with_one_and_fails_with_all(void **state) {
    (void)state;
    rig r;
    assert_true(top_done(&r, "  try_all:\n    - fail: searching_failed\n    - wait: { seconds: 1 "
                             "}\n    - wait: { seconds: 9 }\n"));
    assert_string_equal(rig_statuses(&r, "top/try_all[3]"), "created active evaporated");
    assert_int_equal(rig_failure(&r, "top/try_all[1]")->FAILURE.handled_by,
                     rig_task(&r, "top")->id);
    rig_stop(&r);
    assert_false(
        top_done(&r, "  try_all:\n    - fail: searching_failed\n    - fail: delivering_failed\n"));
    const record *f = rig_failure(&r, "top");
    assert_string_equal(f->FAILURE.class, "high_level_failure");
    assert_non_null(strstr(f->FAILURE.reason, "searching_failed"));
    assert_non_null(strstr(f->FAILURE.reason, "delivering_failed"));
    rig_stop(&r);
}

static void try_in_order_goes_on_until_one_succeeds(void **state) {
    (void)state;
    rig r;
    assert_true(top_done(
        &r,
        "  try_in_order:\n    - fail: searching_failed\n    - log: second\n    - log: third\n"));
    assert_string_equal(rig_notes(&r), "second");
    assert_int_equal(rig_failure(&r, "top/try_in_order[1]")->FAILURE.handled_by,
                     rig_task(&r, "top")->id);
    rig_stop(&r);
    assert_false(top_done(&r,
                          "  try_in_order:\n    - fail: { class: searching_failed, reason: dark }\n"
                          "    - fail: { class: gripper_closed_completely, reason: air }\n"));
    const record *f = rig_failure(&r, "top");
    assert_string_equal(f->FAILURE.class, "plan_failure");
    assert_string_equal(f->FAILURE.reason,
                        "all 2 failed: searching_failed: dark; gripper_closed_completely: air");
    rig_stop(&r);
}

static void try_in_order_passes_over_steps_whose_guard_is_not_believed(void **state) {
    (void)state;
    rig r;
    assert_true(top_done(&r, "  try_in_order:\n    - { guard: 1 > 2, log: first }\n"
                             "    - { tag: b, guard: 2 > 1, log: second }\n    - log: third\n"));
    assert_string_equal(rig_notes(&r), "second");
    rig_stop(&r);
    // What was passed over is no way that failed: the failure is that of the one that was tried.
    assert_false(top_done(&r,
                          "  try_in_order:\n    - fail: { class: searching_failed, reason: dark }\n"
                          "    - { guard: 1 > 2, fail: { class: livelock, reason: no } }\n"));
    const record *f = rig_failure(&r, "top");
    assert_string_equal(f->FAILURE.class, "searching_failed");
    assert_string_equal(f->FAILURE.reason, "dark");
    rig_stop(&r);
    assert_false(top_done(&r, "  try_in_order: [ { guard: 1 > 2, log: x } ]\n"));
    f = rig_failure(&r, "top");
    assert_string_equal(f->FAILURE.class, "plan_failure");
    assert_string_equal(f->FAILURE.reason, "the guard of none of its steps is believed");
    rig_stop(&r);
    assert_false(top_done(&r, "  try_in_order: [ { guard: \"first([]) > 2\", log: x } ]\n"));
    assert_string_equal(rig_failure(&r, "top")->FAILURE.class, "designator_reference_failure");
    rig_stop(&r);
}

static void partial_order_releases_steps_when_they_may_begin(void **state) {
    (void)state;
    rig r;
    assert_true(top_done(&r,
                         "  partial_order:\n"
                         "    - { tag: late, log: late }\n"
                         "    - { tag: early, seq: [ { wait: { seconds: 1 } }, { log: early } ] }\n"
                         "    - { tag: other, log: other }\n"
                         "  before: [ [early, late] ]\n"));
    assert_string_equal(rig_notes(&r), "other early late");
    rig_stop(&r);
    assert_true(top_done(&r, "  partial_order:\n"
                             "    - { tag: late, log: late }\n"
                             "    - { tag: early, fail: searching_failed }\n"
                             "  before: [ [early, late, dead] ]\n"));
    assert_string_equal(rig_notes(&r), "late");
    rig_stop(&r);
    assert_false(top_done(&r, "  partial_order:\n"
                              "    - { tag: late, log: late }\n"
                              "    - { tag: early, fail: searching_failed }\n"
                              "  before: [ [early, late] ]\n"));
    assert_string_equal(rig_notes(&r), "");
    rig_stop(&r);
}

static void let_and_set_record_every_value_with_who_gave_it(void **state) {
    (void)state;
    rig r;
    assert_true(top_done(&r, "  let: ?n\n  be: 1 + 2 * 3\n  in:\n    - set: ?n\n      to: ?n + 1\n "
                             "   - log: \"n is ?n\"\n"));
    assert_string_equal(rig_values(&r, "n"), "7 8");
    assert_string_equal(rig_notes(&r), "n is 8");
    const record *first = rig_record(&r, RECORD_VARIABLE, 0), *second = NULL;
    for (size_t k = 0; rig_record(&r, RECORD_VARIABLE, k); k++) {
        const record *x = rig_record(&r, RECORD_VARIABLE, k);
        if (strcmp(x->VARIABLE.name, "n") == 0 && strcmp(x->VARIABLE.value, "7") == 0)
            first = x;
        if (strcmp(x->VARIABLE.name, "n") == 0 && strcmp(x->VARIABLE.value, "8") == 0)
            second = x;
    }
    assert_int_equal(first->VARIABLE.task, rig_task(&r, "top")->id);
    assert_int_equal(first->VARIABLE.by, rig_task(&r, "top")->id);
    assert_string_equal(first->VARIABLE.point, "begin");
    assert_int_equal(second->VARIABLE.task, rig_task(&r, "top")->id);
    assert_int_equal(second->VARIABLE.by, rig_task(&r, "top/in/seq[1]")->id);
    assert_string_equal(second->VARIABLE.point, "end");
    assert_string_equal(rig_task(&r, "top")->TASK.expr, "let(n = 1 + 2 * 3)");
    rig_stop(&r);
}

static void lists_are_taken_apart_and_joined(void **state) {
    (void)state;
    rig r;
    assert_true(top_done(
        &r, "  let:\n    ?l: \"[a, b, c]\"\n    ?m: append(without(?l, b), [d])\n"
            "    ?x: \"[first(?m), last(?m), nth(?m, 2), length(?m), reverse(rest(?m))]\"\n"
            "  in:\n    log: \"?x\"\n"));
    assert_string_equal(rig_notes(&r), "[a, d, c, 3, [d, c]]");
    rig_stop(&r);
    assert_false(top_done(&r, "  let: ?x\n  be: first([])\n  in: { log: never }\n"));
    assert_string_equal(rig_failure(&r, "top")->FAILURE.class, "designator_reference_failure");
    assert_string_equal(rig_notes(&r), "");
    rig_stop(&r);
}

static void if_decides_and_records_what_was_believed(void **state) {
    (void)state;
    rig r;
    assert_true(top_done(
        &r, "  seq:\n"
            "    - { if: \"on(counter_1, floor)\", then: { log: stands }, else: { log: floats } }\n"
            "    - { if: \"not(type(table_1, chair)), 1 < 2\", then: { log: yes } }\n"
            "    - { if: \"on(_, table_1)\", then: { log: laden } }\n"));
    assert_string_equal(rig_notes(&r), "stands yes");
    const record *c = rig_record(&r, RECORD_CHOICE, 0);
    assert_string_equal(c->CHOICE.what, "if");
    assert_string_equal(c->CHOICE.question, "on(counter_1, floor)");
    assert_string_equal(c->CHOICE.chosen, "true");
    assert_string_equal(c->CHOICE.reason, "on(counter_1, floor): believed");
    c = rig_record(&r, RECORD_CHOICE, 2);
    assert_string_equal(c->CHOICE.chosen, "false");
    assert_string_equal(c->CHOICE.reason, "on(_, table_1): not believed");
    rig_stop(&r);
}

static void loops_go_round_as_told(void **state) {
    (void)state;
    rig r;
    assert_true(
        top_done(&r, "  seq:\n"
                     "    - loop: { times: 3, do: { log: x } }\n"
                     "    - loop: { for_each: \"?i\", of: \"[1, 2]\", do: { log: \"i=?i\" } }\n"
                     "    - { set: \"?n\", to: 0 }\n"
                     "    - loop: { while: \"?n < 2\", do: { set: \"?n\", to: \"?n + 1\" } }\n"
                     "    - loop: { until: \"?n = 0\", do: { set: \"?n\", to: \"?n - 1\" } }\n"));
    assert_string_equal(rig_notes(&r), "x x x i=1 i=2");
    assert_string_equal(rig_values(&r, "n"), "0 1 2 1 0");
    // Iterations share the static path and differ in the dynamic one.
    assert_string_equal(rig_task(&r, "top/seq[1]/do@3")->TASK.path, "top/seq[1]/do");
    assert_non_null(rig_task(&r, "top/seq[1]/do"));
    rig_stop(&r);
}

static void wait_for_returns_at_once_or_when_it_comes_true_or_times_out(void **state) {
    (void)state;
    rig r;
    assert_true(top_done(&r, "  seq:\n    - wait_for: type(table_1, table)\n    - log: at once\n"));
    assert_int_equal(rig_task(&r, "top")->TASK.end_ns, 0);
    rig_stop(&r);
    assert_true(top_done(&r,
                         "  seq:\n    - { set: \"?n\", to: 0 }\n    - par:\n"
                         "        - seq: [ { wait_for: \"?n = 1\" }, { log: seen } ]\n"
                         "        - seq: [ { wait: { seconds: 1 } }, { set: \"?n\", to: 1 } ]\n"));
    assert_string_equal(rig_notes(&r), "seen");
    rig_stop(&r);
    assert_false(top_done(&r, "  wait_for: on(_, table_1)\n  timeout: 2\n"));
    assert_string_equal(rig_failure(&r, "top")->FAILURE.class, "action_timed_out");
    assert_int_equal(rig_task(&r, "top")->TASK.end_ns, 2 * NANOS_PER_SECOND);
    rig_stop(&r);
}

static void values_set_in_a_par_are_visible_at_once_in_order_of_task_ids(void **state) {
    (void)state;
    rig r;
    assert_true(top_done(&r, "  seq:\n    - { set: \"?n\", to: 0 }\n    - par:\n"
                             "        - set: ?n\n          to: ?n + 1\n        - log: \"?n\"\n     "
                             "   - set: ?n\n          to: 5\n"));
    assert_string_equal(rig_notes(&r), "1");
    rig_stop(&r);
}

static void branches_that_lose_are_evaporated_and_never_failed(void **state) {
    (void)state;
    static const char *const plans[] = {
        "  par: [ { wait: { seconds: 9 } }, { fail: livelock } ]\n",
        "  pursue: [ { wait: { seconds: 9 } }, { fail: livelock } ]\n",
        "  pursue: [ { wait: { seconds: 9 } }, { log: x } ]\n",
        "  try_all: [ { wait: { seconds: 9 } }, { log: x } ]\n",
        "  partial_order: [ { tag: a, wait: { seconds: 9 } }, { tag: b, fail: livelock } ]\n"};
    static const char *const losers[] = {"top/par[1]", "top/pursue[1]", "top/pursue[1]",
                                         "top/try_all[1]", "top/a"};
    for (size_t k = 0; k < sizeof plans / sizeof *plans; k++) {
        rig r;
        assert_int_equal(top_done(&r, plans[k]), k == 2 || k == 3);
        assert_string_equal(rig_statuses(&r, losers[k]), "created active evaporated");
        assert_null(rig_failure(&r, losers[k]));
        rig_stop(&r);
    }
}

static void of_two_that_fail_in_one_cycle_the_first_is_the_cause(void **state) {
    (void)state;
    rig r;
    assert_false(top_done(&r,
                          "  par: [ { wait: { seconds: 1 } }, { seq: [ { wait: { seconds: 1 } }, { "
                          "fail: searching_failed } ] }, { seq: [ { wait: { seconds: 1 } }, { "
                          "fail: delivering_failed } ] } ]\n"));
    assert_int_equal(rig_failure(&r, "top")->FAILURE.cause, rig_failure(&r, "top/par[2]")->id);
    assert_int_equal(rig_task(&r, "top")->TASK.end_ns, NANOS_PER_SECOND);
    assert_string_equal(rig_statuses(&r, "top/par[1]"), "created active done");
    rig_stop(&r);
}

static void a_retry_has_a_fresh_inner_scope_and_keeps_outer_variables(void **state) {
    (void)state;
    rig r;
    assert_true(top_done(&r,
                         "  let: ?outer\n  be: 0\n  in:\n    on_failure:\n"
                         "      handle: [ { failure: plan_failure, retry: 2 } ]\n      do:\n"
                         "        let: ?inner\n        be: 0\n        in:\n"
                         "          - { set: \"?inner\", to: \"?inner + 1\" }\n"
                         "          - { set: \"?outer\", to: \"?outer + 1\" }\n"
                         "          - log: \"?inner/?outer\"\n"
                         "          - { if: \"?outer < 3\", then: { fail: searching_failed } }\n"));
    assert_string_equal(rig_notes(&r), "1/1 1/2 1/3");
    rig_stop(&r);
}

static void a_composite_ends_after_clean_ups_of_branches_that_lost(void **state) {
    (void)state;
    rig r;
    assert_true(
        top_done(&r, "  seq:\n    - pursue:\n        - on_failure: { do: { wait: { seconds: 9 } }, "
                     "clean_up: { wait: { seconds: 2 } } }\n        - wait: { seconds: 1 }\n"
                     "    - log: after\n"));
    assert_int_equal(rig_task(&r, "top/seq[1]")->TASK.end_ns, 3 * NANOS_PER_SECOND);
    assert_int_equal(rig_task(&r, "top/seq[2]")->TASK.start_ns, 3 * NANOS_PER_SECOND);
    rig_stop(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seq_runs_its_steps_in_order),
        cmocka_unit_test(seq_fails_at_its_first_failure),
        cmocka_unit_test(par_runs_all_at_once),
        cmocka_unit_test(par_evaporates_the_rest_when_one_fails),
        cmocka_unit_test(pursue_ends_with_the_first),
        cmocka_unit_test(pursue_takes_a_failure_before_a_success_of_the_same_cycle),
        cmocka_unit_test(try_all_succeeds_with_one_and_fails_with_all),
        cmocka_unit_test(try_in_order_goes_on_until_one_succeeds),
        cmocka_unit_test(try_in_order_passes_over_steps_whose_guard_is_not_believed),
        cmocka_unit_test(partial_order_releases_steps_when_they_may_begin),
        cmocka_unit_test(let_and_set_record_every_value_with_who_gave_it),
        cmocka_unit_test(lists_are_taken_apart_and_joined),
        cmocka_unit_test(if_decides_and_records_what_was_believed),
        cmocka_unit_test(loops_go_round_as_told),
        cmocka_unit_test(wait_for_returns_at_once_or_when_it_comes_true_or_times_out),
        cmocka_unit_test(values_set_in_a_par_are_visible_at_once_in_order_of_task_ids),
        cmocka_unit_test(branches_that_lose_are_evaporated_and_never_failed),
        cmocka_unit_test(of_two_that_fail_in_one_cycle_the_first_is_the_cause),
        cmocka_unit_test(a_retry_has_a_fresh_inner_scope_and_keeps_outer_variables),
        cmocka_unit_test(a_composite_ends_after_clean_ups_of_branches_that_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
