// tests/interp/test_policies.c - with_policy: when the body is interrupted, what recovers and
// cleans up, and which failure remains.
#include "tests/interp/rig.h"
#include "tests/testlib.h"

static void start(rig *r, const char *body) {
    char text[4096];
    snprintf(text, sizeof text,
             "plan: p\n"
             "body:\n"
             "  tag: top\n"
             "%s",
             body);
    rig_start(r, text);
}

static bool top_done(rig *r, const char *body) {
    start(r, body);
    return rig_run(r, 100);
}

#define RECOVERS                                                                                   \
    "        init: { log: init }\n        recover: { log: recover }\n"                             \
    "        clean_up: { log: clean }\n"

static void a_condition_that_is_met_interrupts_recovers_cleans_up_and_fails(void **s) {
    (void)s;
    rig r;
    assert_false(top_done(
        &r,
        "  let: ?n\n"
        "  be: 0\n"
        "  in:\n"
        "    par:\n"
        "    - tag: pol\n"
        "      with_policy:\n" RECOVERS "        when: ?n > 2\n"
        "        reason: \"n is ?n, too many\"\n"
        "        do: { on_failure: { do: { wait: { seconds: 9 } }, clean_up: { log: inner } } }\n"
        "    - seq: [ { wait: { seconds: 1 } }, { set: \"?n\", to: \"3\" }, { wait: { seconds: 5 } "
        "} ]\n"));
    assert_string_equal(rig_notes(&r), "init inner recover clean");
    const record *f = rig_failure(&r, "top/in/pol");
    assert_string_equal(f->FAILURE.class, "policy_condition_met");
    assert_string_equal(f->FAILURE.reason, "n is 3, too many (3 > 2: true)");
    assert_int_equal(f->FAILURE.cause, 0);
    assert_int_equal(rig_task(&r, "top/in/pol")->TASK.end_ns, NANOS_PER_SECOND);
    assert_string_equal(rig_pulses(&r, "top/in/pol"), "1");
    assert_string_equal(rig_statuses(&r, "top/in/pol/do"), "created active evaporated");
    assert_string_equal(rig_statuses(&r, "top/in/pol"), "created active failed");
    assert_string_equal(rig_task(&r, "top/in/pol")->TASK.expr, "with_policy(0 > 2)");
    rig_stop(&r);
}

static void a_body_that_ends_ends_the_policy_after_its_clean_up(void **s) {
    (void)s;
    rig r;
    assert_true(top_done(&r, "  let: ?n\n"
                             "  be: 0\n"
                             "  in:\n"
                             "    seq:\n"
                             "    - into: ?m\n"
                             "      with_policy:\n" RECOVERS "        when: ?n > 2\n"
                             "        check: { wait: { seconds: 0.3 } }\n"
                             "        do: [ { wait: { seconds: 1 } }, { log: body } ]\n"));
    assert_string_equal(rig_notes(&r), "init body clean");
    assert_string_equal(rig_statuses(&r, "top/in/seq[1]/check@3"), "created active done");
    assert_string_equal(rig_statuses(&r, "top/in/seq[1]/check@4"), "created active evaporated");
    assert_null(rig_task(&r, "top/in/seq[1]/check@5"));
    rig_stop(&r);
    assert_false(top_done(&r, "  seq:\n"
                              "    - with_policy:\n" RECOVERS "        when: false\n"
                              "        do: { fail: searching_failed }\n"));
    assert_string_equal(rig_notes(&r), "init clean");
    const record *f = rig_failure(&r, "top/seq[1]");
    assert_string_equal(f->FAILURE.class, "searching_failed");
    assert_int_equal(f->FAILURE.cause, rig_failure(&r, "top/seq[1]/do")->id);
    rig_stop(&r);
}

static void a_failing_init_is_the_failure_and_only_clean_up_runs(void **s) {
    (void)s;
    rig r;
    assert_false(top_done(&r, "  with_policy:\n"
                              "    init: { fail: searching_failed }\n"
                              "    when: true\n"
                              "    check: { wait: { seconds: 1 } }\n"
                              "    recover: { log: recover }\n"
                              "    clean_up: { log: clean }\n"
                              "    do: { log: body }\n"));
    assert_string_equal(rig_notes(&r), "clean");
    assert_string_equal(rig_failure(&r, "top")->FAILURE.class, "searching_failed");
    assert_null(rig_task(&r, "top/do"));
    assert_string_equal(rig_pulses(&r, "top"), "");
    rig_stop(&r);
}

static void a_condition_true_at_the_begin_counts_and_the_body_does_nothing(void **s) {
    (void)s;
    rig r;
    assert_false(top_done(&r, "  with_policy:\n"
                              "    when: 1 < 2\n"
                              "    recover: { log: recover }\n"
                              "    do: { log: body }\n"));
    assert_string_equal(rig_notes(&r), "recover");
    assert_string_equal(rig_failure(&r, "top")->FAILURE.class, "policy_condition_met");
    assert_string_equal(rig_failure(&r, "top")->FAILURE.reason, "1 < 2: true");
    assert_string_equal(rig_statuses(&r, "top/do"), "created evaporated");
    rig_stop(&r);
}

static void a_failing_check_fails_the_whole_without_recovery(void **s) {
    (void)s;
    rig r;
    assert_false(top_done(&r, "  let: ?n\n"
                              "  be: 0\n"
                              "  in:\n"
                              "    with_policy:\n"
                              "      when: ?n > 99\n"
                              "      recover: { log: recover }\n"
                              "      clean_up: { log: clean }\n"
                              "      check:\n"
                              "        - { set: \"?n\", to: \"?n + 1\" }\n"
                              "        - { wait: { seconds: 0.5 } }\n"
                              "        - { if: \"?n = 3\", then: { fail: delivering_failed } }\n"
                              "      do: { wait: { seconds: 9 } }\n"));
    assert_string_equal(rig_notes(&r), "clean");
    const record *f = rig_failure(&r, "top/in");
    assert_string_equal(f->FAILURE.class, "delivering_failed");
    assert_int_equal(f->FAILURE.cause, rig_failure(&r, "top/in/check@3")->id);
    assert_int_equal(rig_task(&r, "top")->TASK.end_ns, 3 * NANOS_PER_SECOND / 2);
    assert_string_equal(rig_statuses(&r, "top/in/do"), "created active evaporated");
    rig_stop(&r);
}

static void a_check_that_takes_no_time_is_a_livelock_of_the_policy(void **s) {
    (void)s;
    rig r;
    assert_false(top_done(&r, "  par:\n"
                              "    - { tag: pol, with_policy: { when: false, check: { log: x }, "
                              "do: { wait: { seconds: 1 } } } }\n"
                              "    - wait: { seconds: 2 }\n"));
    assert_string_equal(rig_failure(&r, "top/pol")->FAILURE.class, "livelock");
    assert_int_equal(rig_task(&r, "top")->TASK.end_ns, 0);
    rig_stop(&r);
}

static void the_condition_wins_over_the_bodys_end_in_the_same_cycle(void **s) {
    (void)s;
    static const char *const bodies[] = {"{ log: body }", "{ fail: searching_failed }"};
    for (int k = 0; k < 2; k++) {
        rig r;
        char text[1200];
        // The body ends before the condition comes true, in the same cycle.
        snprintf(text, sizeof text,
                 "  let: ?n\n"
                 "  be: 0\n"
                 "  in:\n"
                 "    par:\n"
                 "    - tag: pol\n"
                 "      with_policy:\n"
                 "        when: ?n = 1\n"
                 "        recover: { log: recover }\n"
                 "        do: [ { wait: { seconds: 1 } }, %s ]\n"
                 "    - seq: [ { wait: { seconds: 1 } }, { log: a }, { log: b }, { log: c }, { "
                 "set: \"?n\", to: \"1\" } ]\n",
                 bodies[k]);
        assert_false(top_done(&r, text));
        const record *f = rig_failure(&r, "top/in/pol");
        assert_string_equal(f->FAILURE.class, "policy_condition_met");
        assert_non_null(strstr(rig_notes(&r), "recover"));
        const record *body = rig_task(&r, "top/in/pol/do");
        assert_string_equal(body->TASK.status, k == 0 ? "done" : "failed");
        assert_int_equal(f->FAILURE.cause, k == 0 ? 0 : rig_failure(&r, "top/in/pol/do")->id);
        rig_stop(&r);
    }
}

static void what_fails_in_recovery_and_clean_up_is_attached(void **s) {
    (void)s;
    rig r;
    assert_false(top_done(&r, "  with_policy:\n"
                              "    when: true\n"
                              "    reason: why\n"
                              "    recover: { fail: { class: searching_failed, reason: dark } }\n"
                              "    clean_up: { fail: { class: delivering_failed, reason: wet } }\n"
                              "    do: { log: body }\n"));
    const record *f = rig_failure(&r, "top");
    assert_string_equal(f->FAILURE.class, "policy_condition_met");
    assert_string_equal(f->FAILURE.reason, "why (true); and its recovery failed: searching_failed: "
                                           "dark; and its clean-up failed: delivering_failed: wet");
    assert_int_equal(rig_failure(&r, "top/recover")->FAILURE.attached, f->id);
    assert_int_equal(rig_failure(&r, "top/clean_up")->FAILURE.attached, f->id);
    assert_int_equal(f->FAILURE.attached, 0);
    assert_int_equal(f->FAILURE.cause, 0);
    rig_stop(&r);
}

static void a_failing_clean_up_fails_what_was_done(void **s) {
    (void)s;
    rig r;
    assert_false(top_done(&r, "  with_policy:\n"
                              "    when: false\n"
                              "    clean_up: { fail: { class: delivering_failed, reason: wet } }\n"
                              "    do: { log: body }\n"));
    const record *f = rig_failure(&r, "top");
    assert_string_equal(f->FAILURE.class, "delivering_failed");
    assert_int_equal(f->FAILURE.cause, rig_failure(&r, "top/clean_up")->id);
    assert_int_equal(rig_failure(&r, "top/clean_up")->FAILURE.attached, 0);
    rig_stop(&r);
}

static void an_evaporated_policy_cleans_up_and_does_not_recover(void **s) {
    (void)s;
    rig r;
    assert_true(top_done(&r, "  pursue:\n"
                             "    - with_policy:\n" RECOVERS "        when: false\n"
                             "        do: { wait: { seconds: 9 } }\n"
                             "    - wait: { seconds: 1 }\n"));
    assert_string_equal(rig_notes(&r), "init clean");
    assert_string_equal(rig_statuses(&r, "top/pursue[1]"), "created active evaporated");
    rig_stop(&r);
    // A policy may be evaporated in its init, too.
    assert_true(top_done(&r, "  pursue:\n"
                             "    - with_policy:\n"
                             "        init: { wait: { seconds: 9 } }\n"
                             "        recover: { log: recover }\n"
                             "        clean_up: { log: clean }\n"
                             "        when: true\n"
                             "        do: { log: body }\n"
                             "    - wait: { seconds: 1 }\n"));
    assert_string_equal(rig_notes(&r), "clean");
    rig_stop(&r);
}

// The inner policy recovers from 1 s on; the outer fires at 2 s.
static void an_outer_interrupt_ends_an_inner_recovery_but_not_its_clean_up(void **s) {
    (void)s;
    rig r;
    assert_false(
        top_done(&r, "  let: ?n\n"
                     "  be: 0\n"
                     "  in:\n"
                     "    par:\n"
                     "    - tag: outer\n"
                     "      with_policy:\n"
                     "        when: ?n = 2\n"
                     "        recover: { log: outer_recovers }\n"
                     "        clean_up: { log: outer_cleans }\n"
                     "        do:\n"
                     "          tag: inner\n"
                     "          with_policy:\n"
                     "            when: ?n = 1\n"
                     "            recover: [ { log: inner_recovers }, { wait: { seconds: 5 } }, { "
                     "log: never } ]\n"
                     "            clean_up: [ { wait: { seconds: 1 } }, { log: inner_cleans } ]\n"
                     "            do: { wait: { seconds: 9 } }\n"
                     "    - seq: [ { wait: { seconds: 1 } }, { set: \"?n\", to: \"1\" }, { wait: { "
                     "seconds: 1 } }, { set: \"?n\", to: \"2\" }, { wait: { seconds: 9 } } ]\n"));
    assert_string_equal(rig_notes(&r), "inner_recovers inner_cleans outer_recovers outer_cleans");
    assert_string_equal(rig_statuses(&r, "top/in/outer/inner"), "created active evaporated");
    assert_string_equal(rig_statuses(&r, "top/in/outer/inner/recover"),
                        "created active evaporated");
    assert_int_equal(rig_task(&r, "top/in/outer")->TASK.end_ns, 3 * NANOS_PER_SECOND);
    assert_null(rig_failure(&r, "top/in/outer/inner"));
    assert_string_equal(rig_failure(&r, "top/in/outer")->FAILURE.class, "policy_condition_met");
    rig_stop(&r);
}

static void an_interrupt_does_not_touch_a_clean_up_that_runs(void **s) {
    (void)s;
    rig r;
    assert_false(top_done(&r, "  let: ?n\n"
                              "  be: 0\n"
                              "  in:\n"
                              "    par:\n"
                              "    - tag: outer\n"
                              "      with_policy:\n"
                              "        when: ?n = 2\n"
                              "        recover: { log: outer_recovers }\n"
                              "        do: { on_failure: { do: { fail: searching_failed }, "
                              "clean_up: [ { wait: { seconds: 3 } }, { log: cleaned } ] } }\n"
                              "    - seq: [ { wait: { seconds: 1 } }, { set: \"?n\", to: \"2\" }, "
                              "{ wait: { seconds: 9 } } ]\n"));
    assert_string_equal(rig_notes(&r), "cleaned outer_recovers");
    assert_int_equal(rig_task(&r, "top/in/outer")->TASK.end_ns, 3 * NANOS_PER_SECOND);
    rig_stop(&r);
}

static void a_policys_failure_is_retried_with_a_fresh_watch(void **s) {
    (void)s;
    rig r;
    assert_true(top_done(&r, "  let: ?n\n"
                             "  be: 0\n"
                             "  in:\n"
                             "    tag: try\n"
                             "    on_failure:\n"
                             "      handle: [ { failure: policy_condition_met, retry: 3 } ]\n"
                             "      do:\n"
                             "        tag: pol\n"
                             "        with_policy:\n"
                             "          init: { set: \"?n\", to: \"?n + 1\" }\n"
                             "          when: ?n < 3\n"
                             "          clean_up: { log: clean }\n"
                             "          do: { log: body }\n"));
    assert_string_equal(rig_notes(&r), "clean clean body clean");
    assert_int_equal(rig_failure(&r, "top/try/pol")->FAILURE.handled_by,
                     rig_task(&r, "top/try")->id);
    rig_stop(&r);
}

static void attached_failures_stay_so_when_the_failure_is_handled(void **s) {
    (void)s;
    rig r;
    assert_true(
        top_done(&r, "  on_failure:\n"
                     "    handle: [ { failure: policy_condition_met, then: { log: handled } } ]\n"
                     "    do:\n"
                     "      tag: pol\n"
                     "      with_policy:\n"
                     "        when: true\n"
                     "        clean_up: { fail: searching_failed }\n"
                     "        do: { log: body }\n"));
    assert_int_equal(rig_failure(&r, "top/pol")->FAILURE.handled_by, rig_task(&r, "top")->id);
    assert_int_equal(rig_failure(&r, "top/pol/clean_up")->FAILURE.attached,
                     rig_failure(&r, "top/pol")->id);
    rig_stop(&r);
}

static void a_condition_met_while_suspended_interrupts_on_return(void **s) {
    (void)s;
    rig r;
    start(&r,
          "  let: ?n\n"
          "  be: 0\n"
          "  in:\n"
          "    pursue:\n"
          "      - at_location:\n"
          "          location: at(2.0, 2.6, 90)\n"
          "          do: { tag: pol, with_policy: { when: \"?n = 1\", recover: { log: recover }, "
          "do: { tag: body, wait: { seconds: 60 } } } }\n"
          "      - seq:\n"
          "          - wait_for: \"task(body, suspended)\"\n"
          "          - { set: \"?n\", to: \"1\" }\n"
          "          - log: set\n"
          "          - wait: { seconds: 50 }\n"
          "routines:\n"
          "  - { achieve: \"loc(robot, ?p)\", effects: [], body: { navigate: { to: \"?p\" } } }\n");
    for (int k = 0; k < 3000 && !rig_task(&r, "top/in/pursue[1]/pol"); k++)
        rig_cycles(&r, 1);
    rig_cycles(&r, 20);
    r.push.p.x = 0.3;
    bool done;
    for (int k = 0; k < 3000 && !rig_ended(&r, &done); k++)
        rig_cycles(&r, 1);
    assert_string_equal(rig_notes(&r), "set recover");
    assert_string_equal(rig_failure(&r, "top/in/pursue[1]/pol")->FAILURE.class,
                        "policy_condition_met");
    rig_stop(&r);
}

static void places_within_places_and_policies_are_left_and_kept(void **s) {
    (void)s;
    rig r;
    start(&r,
          "  at_location:\n"
          "    location: at(2.0, 2.6, 90)\n"
          "    do:\n"
          "      - with_policy:\n"
          "          when: false\n"
          "          clean_up: { log: clean }\n"
          "          do:\n"
          "            at_location:\n"
          "              location: at(2.3, 2.6, 90)\n"
          "              do: [ { log: inside }, { wait: { seconds: 2 } }, { log: done_inside } ]\n"
          "      - { wait: { seconds: 1 } }\n"
          "      - log: back\n"
          "routines:\n"
          "  - { achieve: \"loc(robot, ?p)\", effects: [], body: { navigate: { to: \"?p\" } } }\n");
    bool done = false;
    for (int k = 0; k < 5000 && !rig_ended(&r, &done); k++)
        rig_cycles(&r, 1);
    assert_true(done);
    assert_string_equal(rig_notes(&r), "inside done_inside clean back");
    // The robot left the outer place for the inner one, and went back before the outer body went
    // on.
    assert_non_null(rig_task(&r, "top/go@2"));
    rig_stop(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_condition_that_is_met_interrupts_recovers_cleans_up_and_fails),
        cmocka_unit_test(a_body_that_ends_ends_the_policy_after_its_clean_up),
        cmocka_unit_test(a_failing_init_is_the_failure_and_only_clean_up_runs),
        cmocka_unit_test(a_condition_true_at_the_begin_counts_and_the_body_does_nothing),
        cmocka_unit_test(a_failing_check_fails_the_whole_without_recovery),
        cmocka_unit_test(a_check_that_takes_no_time_is_a_livelock_of_the_policy),
        cmocka_unit_test(the_condition_wins_over_the_bodys_end_in_the_same_cycle),
        cmocka_unit_test(what_fails_in_recovery_and_clean_up_is_attached),
        cmocka_unit_test(a_failing_clean_up_fails_what_was_done),
        cmocka_unit_test(an_evaporated_policy_cleans_up_and_does_not_recover),
        cmocka_unit_test(an_outer_interrupt_ends_an_inner_recovery_but_not_its_clean_up),
        cmocka_unit_test(an_interrupt_does_not_touch_a_clean_up_that_runs),
        cmocka_unit_test(a_policys_failure_is_retried_with_a_fresh_watch),
        cmocka_unit_test(attached_failures_stay_so_when_the_failure_is_handled),
        cmocka_unit_test(a_condition_met_while_suspended_interrupts_on_return),
        cmocka_unit_test(places_within_places_and_policies_are_left_and_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
