// tests/interp/test_fluents.c - watched conditions: when they pulse, that no edge is missed,
// whenever and wait_for.
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

static void whenever_does_its_body_once_per_pulse_and_serves_those_that_came_meanwhile(void **s) {
    (void)s;
    rig r;
    assert_true(top_done(&r, "  let: ?n\n"
                             "  be: 0\n"
                             "  in:\n"
                             "    pursue:\n"
                             "      - tag: w\n"
                             "        whenever: pulsed(?n)\n"
                             "        do:\n"
                             "          - log: x\n"
                             "          - wait: { seconds: 1 }\n"
                             "      - seq:\n"
                             "          - { set: \"?n\", to: \"1\" }\n"
                             "          - { set: \"?n\", to: \"2\" }\n"
                             "          - { set: \"?n\", to: \"2\" }\n"
                             "          - wait: { seconds: 0.5 }\n"
                             "          - { set: \"?n\", to: \"3\" }\n"
                             "          - wait: { seconds: 9 }\n"));
    assert_string_equal(rig_pulses(&r, "top/in/w"), "0 0 0.5");
    assert_string_equal(rig_notes(&r), "x x x");
    const record *first = rig_task(&r, "top/in/w/do"), *second = rig_task(&r, "top/in/w/do@2"),
                 *third = rig_task(&r, "top/in/w/do@3");
    assert_string_equal(second->TASK.path, "top/in/w/do");
    assert_int_equal(first->TASK.start_ns, 0);
    assert_int_equal(second->TASK.start_ns, NANOS_PER_SECOND);
    assert_int_equal(third->TASK.start_ns, 2 * NANOS_PER_SECOND);
    // whenever never ends by itself.
    assert_string_equal(rig_statuses(&r, "top/in/w"), "created active evaporated");
    assert_string_equal(rig_task(&r, "top/in/w")->TASK.expr, "whenever(pulsed(0))");
    rig_stop(&r);
}

static void a_condition_pulses_when_it_becomes_true_and_once_when_it_is_so_at_the_begin(void **s) {
    (void)s;
    rig r;
    assert_true(top_done(&r, "  let: ?n\n"
                             "  be: 5\n"
                             "  in:\n"
                             "    pursue:\n"
                             "      - tag: w\n"
                             "        whenever: ?n > 3\n"
                             "        do: { log: x }\n"
                             "      - seq:\n"
                             "          - wait: { seconds: 1 }\n"
                             "          - { set: \"?n\", to: \"6\" }\n"
                             "          - wait: { seconds: 1 }\n"
                             "          - { set: \"?n\", to: \"1\" }\n"
                             "          - wait: { seconds: 1 }\n"
                             "          - { set: \"?n\", to: \"4\" }\n"
                             "          - { set: \"?n\", to: \"5\" }\n"
                             "          - { wait: { seconds: 1 } }\n"));
    assert_string_equal(rig_pulses(&r, "top/in/w"), "0 3");
    assert_string_equal(rig_record(&r, RECORD_PULSE, 1)->PULSE.reason, "4 > 3: true");
    rig_stop(&r);
}

static void edges_are_relative_to_when_the_watch_began(void **s) {
    (void)s;
    rig r;
    assert_true(top_done(&r,
                         "  let: ?n\n"
                         "  be: 5\n"
                         "  in:\n"
                         "    pursue:\n"
                         "      - { tag: up, whenever: \"rises(?n > 3)\", do: { log: up } }\n"
                         "      - { tag: down, whenever: \"falls(?n > 3)\", do: { log: down } }\n"
                         "      - { tag: turn, whenever: \"pulsed(?n > 3)\", do: { log: turn } }\n"
                         "      - seq:\n"
                         "          - wait: { seconds: 1 }\n"
                         "          - { set: \"?n\", to: \"1\" }\n"
                         "          - wait: { seconds: 1 }\n"
                         "          - { set: \"?n\", to: \"4\" }\n"
                         "          - wait: { seconds: 1 }\n"
                         "          - { set: \"?n\", to: \"5\" }\n"));
    assert_string_equal(rig_pulses(&r, "top/in/up"), "2");
    assert_string_equal(rig_pulses(&r, "top/in/down"), "1");
    assert_string_equal(rig_pulses(&r, "top/in/turn"), "1 2");
    rig_stop(&r);
}

static void pulsed_of_an_occasion_watches_whether_it_is_believed(void **s) {
    (void)s;
    rig r;
    assert_true(top_done(
        &r, "  pursue:\n"
            "    - { tag: w, whenever: \"pulsed(on(chair_1, table_1))\", do: { log: turn } }\n"
            "    - seq:\n"
            "        - wait: { seconds: 1 }\n"
            "        - { assert: \"on(chair_1, table_1)\" }\n"
            "        - wait: { seconds: 1 }\n"
            "        - { assert: \"on(chair_1, table_1)\" }\n"
            "        - wait: { seconds: 1 }\n"
            "        - { assert: \"on(chair_1, floor)\" }\n"
            "        - wait: { seconds: 1 }\n"));
    assert_string_equal(rig_pulses(&r, "top/w"), "1 3");
    rig_stop(&r);
}

static void no_edge_is_missed_not_even_two_within_a_cycle(void **s) {
    (void)s;
    rig r;
    assert_true(top_done(
        &r, "  let: ?n\n"
            "  be: 0\n"
            "  in:\n"
            "    pursue:\n"
            "      - { tag: w, whenever: \"?n = 1\", do: { wait: { seconds: 1 } } }\n"
            "      - { tag: both, whenever: \"and(rises(?n = 1), ?n > 0)\", do: { log: x } }\n"
            "      - seq:\n"
            "          - { set: \"?n\", to: \"1\" }\n"
            "          - { set: \"?n\", to: \"0\" }\n"
            "          - { set: \"?n\", to: \"1\" }\n"
            "          - { set: \"?n\", to: \"0\" }\n"
            "          - wait: { seconds: 3 }\n"));
    assert_string_equal(rig_pulses(&r, "top/in/w"), "0 0");
    assert_string_equal(rig_pulses(&r, "top/in/both"), "0 0");
    assert_string_equal(rig_statuses(&r, "top/in/w/do@2"), "created active done");
    assert_null(rig_task(&r, "top/in/w/do@3"));
    rig_stop(&r);
}

static void readings_of_one_cycle_pulse_each_by_itself(void **s) {
    (void)s;
    rig r;
    start(&r, "  pursue:\n"
              "    - { tag: shut, whenever: gripper_closed(left), do: { log: shut } }\n"
              "    - { tag: opens, whenever: falls(gripper_closed(left)), do: { log: opens } }\n"
              "    - { wait_for: \"task(shut, done)\", timeout: 2 }\n");
    rig_cycles(&r, 10);
    rig_feel(&r, 0, 0.04);
    rig_feel(&r, 0, 0.0);
    rig_feel(&r, 0, 0.04);
    rig_feel(&r, 0, 0.001);
    rig_feel(&r, 1, 0.04);
    rig_cycles(&r, 1);
    rig_feel(&r, 0, 0.04);
    rig_cycles(&r, 10);
    assert_string_equal(rig_pulses(&r, "top/shut"), "0.2 0.2");
    assert_string_equal(rig_pulses(&r, "top/opens"), "0.2 0.22");
    assert_string_equal(rig_notes(&r), "shut opens shut opens");
    rig_stop(&r);
}

static void an_operator_in_a_branch_that_is_not_looked_at_still_sees_its_edges(void **s) {
    (void)s;
    rig r;
    assert_true(top_done(
        &r, "  let: { \"?a\": 0, \"?b\": 0 }\n"
            "  in:\n"
            "    pursue:\n"
            "      - { tag: w, whenever: \"and(?a = 1, rises(?b = 1))\", do: { log: x } }\n"
            "      - { tag: v, whenever: \"or(rises(?a = 1), falls(?b = 1))\", do: { log: y } }\n"
            "      - seq:\n"
            "          - wait: { seconds: 1 }\n"
            "          - { set: \"?b\", to: \"1\" }\n"
            "          - wait: { seconds: 1 }\n"
            "          - { set: \"?a\", to: \"1\" }\n"
            "          - wait: { seconds: 1 }\n"
            "          - { set: \"?b\", to: \"0\" }\n"
            "          - wait: { seconds: 1 }\n"
            "          - { set: \"?b\", to: \"1\" }\n"
            "          - wait: { seconds: 1 }\n"));
    assert_string_equal(rig_pulses(&r, "top/in/w"), "4");
    assert_string_equal(rig_pulses(&r, "top/in/v"), "2 3");
    rig_stop(&r);
}

static void states_of_tasks_are_watched_even_where_they_pass_within_a_step(void **s) {
    (void)s;
    rig r;
    assert_false(top_done(
        &r,
        "  par:\n"
        "    - { tag: one, whenever: \"task(work, active)\", do: { log: one } }\n"
        "    - { tag: two, whenever: \"task(work, done)\", do: { log: two } }\n"
        "    - { tag: three, whenever: \"rises(task(fails, failed))\", do: { log: three } }\n"
        "    - { tag: four, whenever: \"not(task(never, begun))\", do: { log: four } }\n"
        "    - seq:\n"
        "        - wait: { seconds: 1 }\n"
        "        - loop: { times: 2, do: [ { tag: work, log: w }, { wait: { seconds: 1 } } ] }\n"
        "        - on_failure: { do: { tag: fails, fail: searching_failed }, handle: [ { failure: "
        "plan_failure, then: { wait: { seconds: 1 } } } ] }\n"
        "        - if: \"task('fails', ended)\"\n"
        "          then: { tag: never, fail: delivering_failed }\n"));
    assert_string_equal(rig_pulses(&r, "top/one"), "1 2");
    assert_string_equal(rig_pulses(&r, "top/two"), "1 2");
    assert_string_equal(rig_pulses(&r, "top/three"), "3");
    assert_string_equal(rig_pulses(&r, "top/four"), "0");
    assert_string_equal(rig_failure(&r, "top")->FAILURE.class, "delivering_failed");
    rig_stop(&r);
}

static void a_task_may_be_named_by_its_path(void **s) {
    (void)s;
    rig r;
    assert_true(top_done(
        &r, "  par:\n"
            "    - { tag: w, wait_for: \"task(\\\"top/x/seq[1]\\\", ended)\" }\n"
            "    - { tag: x, seq: [ { wait: { seconds: 1 } }, { wait: { seconds: 1 } } ] }\n"));
    assert_int_equal(rig_task(&r, "top/w")->TASK.end_ns, NANOS_PER_SECOND);
    rig_stop(&r);
}

static void wait_for_takes_what_is_true_at_once_and_waits_for_edges(void **s) {
    (void)s;
    rig r;
    assert_true(top_done(&r, "  let: ?n\n"
                             "  be: 1\n"
                             "  in:\n"
                             "    par:\n"
                             "      - { tag: now, wait_for: \"?n = 1\" }\n"
                             "      - { tag: edge, wait_for: \"rises(?n = 1)\" }\n"
                             "      - { tag: change, wait_for: \"pulsed(?n)\" }\n"
                             "      - seq:\n"
                             "          - wait: { seconds: 1 }\n"
                             "          - { set: \"?n\", to: \"0\" }\n"
                             "          - wait: { seconds: 1 }\n"
                             "          - { set: \"?n\", to: \"1\" }\n"
                             "          - { set: \"?n\", to: \"2\" }\n"));
    assert_int_equal(rig_task(&r, "top/in/now")->TASK.end_ns, 0);
    assert_int_equal(rig_task(&r, "top/in/change")->TASK.end_ns, NANOS_PER_SECOND);
    // The condition is true for a single instant, which is not missed.
    assert_int_equal(rig_task(&r, "top/in/edge")->TASK.end_ns, 2 * NANOS_PER_SECOND);
    assert_string_equal(rig_pulses(&r, "top/in/edge"), "2");
    rig_stop(&r);
}

static void wait_for_times_out_in_the_very_cycle(void **s) {
    (void)s;
    rig r;
    assert_false(top_done(&r, "  let: ?n\n"
                              "  be: 0\n"
                              "  in:\n"
                              "    par:\n"
                              "      - { tag: w, wait_for: \"?n = 1\", timeout: 0.5 }\n"
                              "      - { tag: v, wait_for: \"?n = 1\", timeout: 0.31 }\n"));
    assert_string_equal(rig_failure(&r, "top/in/v")->FAILURE.class, "action_timed_out");
    assert_int_equal(rig_task(&r, "top/in/v")->TASK.end_ns, 320000000);
    assert_string_equal(rig_statuses(&r, "top/in/w"), "created active evaporated");
    rig_stop(&r);
}

static void time_alone_makes_a_condition_true_in_the_very_cycle(void **s) {
    (void)s;
    rig r;
    assert_true(top_done(&r, "  seq:\n"
                             "    - tag: w\n"
                             "      wait_for: now >= 0.5\n"));
    assert_string_equal(rig_pulses(&r, "top/w"), "0.5");
    rig_stop(&r);
}

static void a_failing_body_fails_the_whenever(void **s) {
    (void)s;
    rig r;
    assert_false(top_done(&r, "  whenever: true\n"
                              "  do: { fail: searching_failed }\n"));
    assert_string_equal(rig_failure(&r, "top")->FAILURE.class, "searching_failed");
    assert_int_equal(rig_failure(&r, "top")->FAILURE.cause, rig_failure(&r, "top/do")->id);
    rig_stop(&r);
}

static void a_condition_that_cannot_be_evaluated_fails_its_task(void **s) {
    (void)s;
    rig r;
    assert_false(top_done(&r, "  let: ?l\n"
                              "  be: \"[1]\"\n"
                              "  in:\n"
                              "    par:\n"
                              "      - { tag: w, whenever: \"first(?l) > 1\", do: { log: x } }\n"
                              "      - seq: [ { wait: { seconds: 1 } }, { set: \"?l\", to: \"[]\" "
                              "}, { wait: { seconds: 1 } } ]\n"));
    assert_string_equal(rig_failure(&r, "top/in/w")->FAILURE.class, "designator_reference_failure");
    assert_non_null(strstr(rig_failure(&r, "top/in/w")->FAILURE.reason, "the list is empty"));
    assert_int_equal(rig_task(&r, "top")->TASK.end_ns, NANOS_PER_SECOND);
    rig_stop(&r);
}

static void pulses_are_counted_while_their_task_is_suspended(void **s) {
    (void)s;
    rig r;
    start(&r,
          "  let: ?n\n"
          "  be: 0\n"
          "  in:\n"
          "    pursue:\n"
          "      - at_location:\n"
          "          location: at(2.0, 2.6, 90)\n"
          "          do: { tag: w, whenever: \"pulsed(?n)\", do: { log: x } }\n"
          "      - seq:\n"
          "          - wait_for: \"task(w, suspended)\"\n"
          "          - { set: \"?n\", to: \"1\" }\n"
          "          - { set: \"?n\", to: \"2\" }\n"
          "          - log: suspended\n"
          "          - wait_for: \"task(w, active)\"\n"
          "          - log: resumed\n"
          "          - wait: { seconds: 1 }\n"
          "routines:\n"
          "  - { achieve: \"loc(robot, ?p)\", effects: [], body: { navigate: { to: \"?p\" } } }\n");
    for (int k = 0; k < 3000 && !rig_task(&r, "top/in/pursue[1]/w"); k++)
        rig_cycles(&r, 1);
    rig_cycles(&r, 20);
    r.push.p.x = 0.3;
    bool done;
    for (int k = 0; k < 3000 && !rig_ended(&r, &done); k++)
        rig_cycles(&r, 1);
    assert_string_equal(rig_notes(&r), "suspended x resumed x");
    rig_stop(&r);
}

static void a_whenever_that_triggers_itself_without_time_is_a_livelock_of_its_own(void **s) {
    (void)s;
    rig r;
    assert_true(top_done(
        &r,
        "  let: ?n\n"
        "  be: 0\n"
        "  in:\n"
        "    par:\n"
        "      - on_failure:\n"
        "          do: { tag: w, whenever: \"pulsed(?n)\", do: { set: \"?n\", to: \"?n + 1\" } }\n"
        "          handle: [ { failure: livelock, then: { log: caught } } ]\n"
        "      - seq: [ { wait: { seconds: 1 } }, { set: \"?n\", to: \"1\" }, { wait: { seconds: 1 "
        "} }, { log: alive } ]\n"));
    assert_string_equal(rig_notes(&r), "caught alive");
    assert_string_equal(rig_failure(&r, "top/in/par[1]/w")->FAILURE.class, "livelock");
    assert_int_equal(rig_task(&r, "top/in/par[1]/w")->TASK.end_ns, NANOS_PER_SECOND);
    rig_stop(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            whenever_does_its_body_once_per_pulse_and_serves_those_that_came_meanwhile),
        cmocka_unit_test(
            a_condition_pulses_when_it_becomes_true_and_once_when_it_is_so_at_the_begin),
        cmocka_unit_test(edges_are_relative_to_when_the_watch_began),
        cmocka_unit_test(pulsed_of_an_occasion_watches_whether_it_is_believed),
        cmocka_unit_test(no_edge_is_missed_not_even_two_within_a_cycle),
        cmocka_unit_test(readings_of_one_cycle_pulse_each_by_itself),
        cmocka_unit_test(an_operator_in_a_branch_that_is_not_looked_at_still_sees_its_edges),
        cmocka_unit_test(states_of_tasks_are_watched_even_where_they_pass_within_a_step),
        cmocka_unit_test(a_task_may_be_named_by_its_path),
        cmocka_unit_test(wait_for_takes_what_is_true_at_once_and_waits_for_edges),
        cmocka_unit_test(wait_for_times_out_in_the_very_cycle),
        cmocka_unit_test(time_alone_makes_a_condition_true_in_the_very_cycle),
        cmocka_unit_test(a_failing_body_fails_the_whenever),
        cmocka_unit_test(a_condition_that_cannot_be_evaluated_fails_its_task),
        cmocka_unit_test(pulses_are_counted_while_their_task_is_suspended),
        cmocka_unit_test(a_whenever_that_triggers_itself_without_time_is_a_livelock_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
