// tests/interp/test_goals.c - achieve and perceive: the choice of routines, their variables and
// results, and goals that are believed already.
#include "tests/interp/rig.h"
#include "tests/testlib.h"

static const record *choice(const rig *r, const char *what) {
    for (size_t k = 0; rig_record(r, RECORD_CHOICE, k); k++) {
        const record *x = rig_record(r, RECORD_CHOICE, k);
        if (strcmp(x->CHOICE.what, what) == 0)
            return x;
    }
    return NULL;
}

static const record *note(const rig *r, const char *kind) {
    for (size_t k = 0; rig_record(r, RECORD_TASK_NOTE, k); k++) {
        const record *x = rig_record(r, RECORD_TASK_NOTE, k);
        if (strcmp(x->TASK_NOTE.kind, kind) == 0)
            return x;
    }
    return NULL;
}

static void the_first_routine_whose_guard_is_believed_is_used(void **state) {
    (void)state;
    rig r;
    rig_start(&r, "plan: p\n"
                  "routines:\n"
                  "  - { achieve: tidy(?x), name: laden, guard: \"on(_, table_1)\", effects: [], "
                  "body: { log: laden } }\n"
                  "  - { achieve: tidy(?x), name: empty, guard: \"not(on(_, table_1))\", effects: "
                  "[], body: { log: \"empty ?x\" } }\n"
                  "  - { achieve: tidy(?x), name: last, effects: [], body: { log: last } }\n"
                  "  - { achieve: wipe(?x), effects: [], body: { log: wipe } }\n"
                  "body: { tag: top, seq: [ { achieve: tidy(table_1) } ] }\n");
    assert_true(rig_run(&r, 1));
    assert_string_equal(rig_notes(&r), "empty table_1");
    const record *c = choice(&r, "routine");
    assert_string_equal(c->CHOICE.question, "tidy(table_1)");
    assert_string_equal(c->CHOICE.chosen, "empty");
    assert_string_equal(c->CHOICE.candidates, "[laden, empty, last]");
    assert_non_null(strstr(c->CHOICE.reason, "laden: on(_, table_1): not believed"));
    // The routine's tasks stand below the caller's, in a path with the routine's name.
    const record *body = rig_task(&r, "top/seq[1]/empty");
    assert_int_equal(body->TASK.parent, rig_task(&r, "top/seq[1]")->id);
    assert_string_equal(rig_task(&r, "top/seq[1]")->TASK.goal, "tidy(table_1)");
    assert_string_equal(rig_values(&r, "x"), "table_1");
    rig_stop(&r);
}

static void a_goal_that_no_routine_may_achieve_now_fails(void **state) {
    (void)state;
    rig r;
    rig_start(
        &r, "plan: p\nroutines: [ { achieve: tidy(?x), guard: \"on(_, ?x)\", body: { log: x } } ]\n"
            "body: { tag: top, achieve: tidy(table_1) }\n");
    assert_false(rig_run(&r, 1));
    assert_string_equal(rig_failure(&r, "top")->FAILURE.class, "goal_not_achieved");
    rig_stop(&r);
}

static void what_is_believed_already_is_skipped_unless_told_otherwise(void **state) {
    (void)state;
    rig r;
    rig_start(&r, "plan: p\nroutines: [ { achieve: \"on(?x, ?y)\", body: { log: \"?x\" } } ]\n"
                  "body: { tag: top, seq: [ { achieve: \"on(chair_1, floor)\" }, { achieve: "
                  "\"on(chair_2, floor)\", skip_when_true: false } ] }\n");
    assert_true(rig_run(&r, 1));
    assert_string_equal(rig_notes(&r), "chair_2");
    assert_true(rig_task(&r, "top/seq[1]")->TASK.skipped);
    assert_string_equal(rig_statuses(&r, "top/seq[1]"), "created active done");
    assert_false(rig_task(&r, "top/seq[2]")->TASK.skipped);
    rig_stop(&r);
}

static void effects_become_beliefs_derived_from_the_task(void **state) {
    (void)state;
    rig r;
    rig_start(&r, "plan: p\nroutines: [ { achieve: \"on(?x, ?y)\", expects: [ \"collision(?x, _)\" "
                  "], requires: [ believed(?x) ], body: { log: \"?x\" } } ]\n"
                  "body: { tag: top, achieve: \"on(chair_2, floor)\", skip_when_true: false }\n");
    assert_true(rig_run(&r, 1));
    bool found = false;
    for (size_t k = 0; rig_record(&r, RECORD_BELIEVED_FRAME, k); k++) {
        const record *x = rig_record(&r, RECORD_BELIEVED_FRAME, k);
        found = found || (strcmp(x->BELIEVED_FRAME.source, "effect") == 0 &&
                          x->BELIEVED_FRAME.task == rig_task(&r, "top")->id);
    }
    assert_true(found);
    assert_string_equal(note(&r, "expects")->TASK_NOTE.term, "collision(chair_2, _)");
    assert_string_equal(note(&r, "requires")->TASK_NOTE.term, "believed(chair_2)");
    assert_string_equal(note(&r, "effect")->TASK_NOTE.term, "on(chair_2, floor)");
    rig_stop(&r);
}

static void verify_looks_whether_the_goal_is_believed_at_the_end(void **state) {
    (void)state;
    rig r;
    const char *form =
        "plan: p\nroutines: [ { achieve: \"on(?x, ?y)\", effects: [], body: { log: \"?x\" } } ]\n"
        "body: { tag: top, achieve: \"on(chair_1, %s)\", skip_when_true: false, verify: true }\n";
    char text[512];
    snprintf(text, sizeof text, form, "table_1");
    rig_start(&r, text);
    assert_false(rig_run(&r, 1));
    assert_string_equal(rig_failure(&r, "top")->FAILURE.class, "goal_not_achieved");
    assert_string_equal(rig_statuses(&r, "top"), "created active failed");
    rig_stop(&r);
    snprintf(text, sizeof text, form, "floor");
    rig_start(&r, text);
    assert_true(rig_run(&r, 1));
    rig_stop(&r);
}

static void arguments_and_let_of_a_routine_get_values(void **state) {
    (void)state;
    rig r;
    rig_start(&r,
              "plan: p\nroutines: [ { achieve: tidy(?x), effects: [], with: { n: 1, m: 2 }, let: { "
              "sum: \"?n + ?m\" }, returns: \"?sum\", body: { log: \"?n ?m ?sum\" } } ]\n"
              "body: { tag: top, seq: [ { achieve: tidy(a), with: { m: 40 }, into: \"?r\" }, { "
              "log: \"?r\" } ] }\n");
    assert_true(rig_run(&r, 1));
    assert_string_equal(rig_notes(&r), "1 40 41 41");
    assert_string_equal(rig_task(&r, "top/seq[1]")->TASK.result, "41");
    rig_stop(&r);
}

static void a_routine_does_not_see_its_callers_variables(void **state) {
    (void)state;
    rig r;
    rig_start(&r, "plan: p\nroutines: [ { achieve: tidy(?x), effects: [], body: [ { set: \"?y\", "
                  "to: 2 }, { log: \"?y\" } ] } ]\n"
                  "body: { tag: top, seq: [ { set: \"?y\", to: 1 }, { achieve: tidy(a) }, { log: "
                  "\"?y\" } ] }\n");
    assert_true(rig_run(&r, 1));
    assert_string_equal(rig_notes(&r), "2 1");
    rig_stop(&r);
}

static void described_objects_are_resolved_against_the_belief(void **state) {
    (void)state;
    rig r;
    rig_start(
        &r,
        "plan: p\nroutines: [ { achieve: tidy(?x), effects: [], body: { log: \"?x\" } } ]\n"
        "body: { tag: top, seq: [ { achieve: tidy(a(table)) }, { achieve: tidy(a(plate)) } ] }\n");
    assert_false(rig_run(&r, 1));
    assert_string_equal(rig_notes(&r), "table_1");
    assert_string_equal(rig_task(&r, "top/seq[1]")->TASK.goal, "tidy(table_1)");
    assert_string_equal(choice(&r, "object")->CHOICE.chosen, "table_1");
    assert_string_equal(rig_failure(&r, "top/seq[2]")->FAILURE.class,
                        "designator_reference_failure");
    rig_stop(&r);
}

static void perceive_gives_one_or_all_and_fails_when_one_is_asked_for_and_none_found(void **state) {
    (void)state;
    rig r;
    const char *form =
        "plan: p\nroutines: [ { achieve: \"perceived(?what, ?region)\", returns: "
        "\"fitting([chair_1, table_1, chair_2], ?what)\", body: { log: \"?region\" } } ]\n"
        "body:\n  tag: top\n  seq:\n    - perceive: { %s, region: on(floor), into: \"?found\" }\n  "
        "  - log: \"?found\"\n";
    static const struct {
        const char *what, *notes, *result;
    } cases[] = {{"all: { type: chair }", "on(floor) [chair_1, chair_2]", "[chair_1, chair_2]"},
                 {"a: { type: chair }", "on(floor) chair_1", "chair_1"},
                 {"the: table", "on(floor) table_1", "table_1"},
                 {"all: cup", "on(floor) []", "[]"},
                 {"a: cup", "on(floor)", NULL}};
    for (size_t k = 0; k < 5; k++) {
        char text[1024];
        snprintf(text, sizeof text, form, cases[k].what);
        rig_start(&r, text);
        assert_int_equal(rig_run(&r, 1), cases[k].result != NULL);
        assert_string_equal(rig_notes(&r), cases[k].notes);
        if (cases[k].result)
            assert_string_equal(rig_task(&r, "top/seq[1]")->TASK.result, cases[k].result);
        else
            assert_string_equal(rig_failure(&r, "top")->FAILURE.class,
                                "perception_object_not_found");
        rig_stop(&r);
    }
    rig_start(&r, "plan: p\nroutines: [ { achieve: \"perceived(?what, anywhere)\", returns: "
                  "\"[]\", body: { log: x } } ]\n"
                  "body: { tag: top, perceive: { all: { type: cup, color: red } } }\n");
    assert_true(rig_run(&r, 1));
    assert_string_equal(rig_task(&r, "top")->TASK.expr,
                        "perceive(all, [type(cup), color(red)], anywhere)");
    rig_stop(&r);
}

#define GO                                                                                         \
    "routines: [ { achieve: \"loc(robot, ?place)\", name: drive, effects: [], body: { navigate: "  \
    "{ to: \"?place\" } } } ]\n"

static void leaving_a_location_suspends_the_body_and_goes_back(void **state) {
    (void)state;
    rig r;
    rig_start(&r, "plan: p\n" GO "body:\n  tag: top\n  at_location:\n    location: at(2, 2.6, 90)\n"
                  "    do: [ { wait: { seconds: 3 } }, { log: finished } ]\n");
    rig_cycles(&r, 50);
    assert_string_equal(rig_statuses(&r, "top/do/seq[1]"), "created active");
    r.push = pose_planar(0.5, 0, 0); // someone pushes it
    bool done = rig_run(&r, 60);
    assert_true(done);
    assert_string_equal(rig_statuses(&r, "top/do"), "created active suspended active done");
    assert_string_equal(rig_statuses(&r, "top/do/seq[1]"), "created active suspended active done");
    assert_string_equal(rig_statuses(&r, "top/go@2"), "created active done");
    assert_string_equal(rig_notes(&r), "finished");
    assert_true(v3_distance(belief_robot(r.belief).p, v3(2, 2.6, 0)) < 0.1);
    rig_stop(&r);
}

static void a_small_shift_is_no_leaving(void **state) {
    (void)state;
    rig r;
    rig_start(&r, "plan: p\n" GO "body:\n  tag: top\n  at_location: { location: \"at(2, 2.6, "
                  "90)\", do: { wait: { seconds: 1 } } }\n");
    rig_cycles(&r, 10);
    r.push = pose_planar(0.05, 0, 0);
    assert_true(rig_run(&r, 5));
    assert_string_equal(rig_statuses(&r, "top/do"), "created active done");
    rig_stop(&r);
}

static void a_second_location_waits_for_the_first(void **state) {
    (void)state;
    rig r;
    rig_start(&r, "plan: p\n" GO "body:\n  tag: top\n  par:\n"
                  "    - at_location: { location: \"at(2, 2.6, 90)\", do: [ { wait: { seconds: 2 } "
                  "}, { log: first } ] }\n"
                  "    - at_location: { location: \"at(2.4, 2.6, 90)\", do: { log: second } }\n");
    assert_true(rig_run(&r, 60));
    assert_string_equal(rig_notes(&r), "first second");
    assert_string_equal(rig_statuses(&r, "top/par[2]"), "created active suspended active done");
    assert_true(rig_task(&r, "top/par[2]/go")->TASK.start_ns >=
                rig_task(&r, "top/par[1]")->TASK.end_ns);
    rig_stop(&r);
}

static void a_location_within_a_location_may_leave_it(void **state) {
    (void)state;
    rig r;
    rig_start(&r, "plan: p\n" GO
                  "body:\n  tag: top\n  at_location:\n    location: at(2, 2.6, 90)\n    do:\n"
                  "      - at_location: { location: \"at(2.5, 2.6, 90)\", do: { log: away } }\n"
                  "      - wait: { seconds: 1 }\n      - log: back\n");
    assert_true(rig_run(&r, 60));
    assert_string_equal(rig_notes(&r), "away back");
    assert_non_null(rig_task(&r, "top/go@2"));
    rig_stop(&r);
}

static void an_actuator_claimed_twice_is_given_in_turn(void **state) {
    (void)state;
    rig r;
    rig_start(&r, "plan: p\nbody:\n  tag: top\n  par:\n"
                  "    - seq: [ { navigate: { to: \"at(2.3, 2.6, 90)\" } }, { log: a } ]\n"
                  "    - seq: [ { navigate: { to: \"at(2, 2.6, 90)\" } }, { log: b } ]\n"
                  "    - seq: [ { navigate: { to: \"at(2.2, 2.6, 90)\" } }, { log: c } ]\n");
    assert_true(rig_run(&r, 60));
    assert_string_equal(rig_notes(&r), "a b c");
    assert_string_equal(rig_statuses(&r, "top/par[3]/seq[1]"),
                        "created active suspended active done");
    rig_stop(&r);
}

static void a_cycle_of_waits_fails_as_resource_deadlock(void **state) {
    (void)state;
    rig r;
    rig_start(&r, "plan: p\nbody:\n  tag: top\n  par:\n"
                  "    - using: { actuators: left, do: [ { wait: { seconds: 1 } }, { using: { "
                  "actuators: [ right ], do: { log: a } } } ] }\n"
                  "    - using: { actuators: right, do: [ { wait: { seconds: 2 } }, { using: { "
                  "actuators: [ left, head ], do: { log: b } } } ] }\n");
    assert_false(rig_run(&r, 60));
    assert_string_equal(rig_failure(&r, "top")->FAILURE.class, "resource_deadlock");
    assert_string_equal(rig_statuses(&r, "top/par[1]/do/seq[2]"),
                        "created active suspended evaporated");
    rig_stop(&r);
    // Tasks below `using` may use the actuators that it holds; others wait.
    rig_start(&r, "plan: p\nbody:\n  tag: top\n  par:\n"
                  "    - using: { actuators: left, do: [ { wait: { seconds: 1 } }, { using: { "
                  "actuators: left, do: { log: a } } } ] }\n"
                  "    - using: { actuators: left, do: { log: b } }\n");
    assert_true(rig_run(&r, 60));
    assert_string_equal(rig_notes(&r), "a b");
    rig_stop(&r);
}

static void an_action_past_the_plans_deadline_fails(void **state) {
    (void)state;
    rig r;
    rig_start(&r, "plan: p\nbody: { tag: top, wait: { seconds: 5 }, deadline: 1 }\n");
    assert_false(rig_run(&r, 60));
    assert_string_equal(rig_failure(&r, "top")->FAILURE.class, "action_timed_out");
    assert_int_equal(rig_task(&r, "top")->TASK.end_ns, NANOS_PER_SECOND);
    rig_stop(&r);
}

static void an_evaporated_motion_ends_its_operation(void **state) {
    (void)state;
    rig r;
    rig_start(&r, "plan: p\nbody:\n  tag: top\n  pursue: [ { navigate: { to: \"at(3, 2.6, 90)\" } "
                  "}, { wait: { seconds: 1 } } ]\n");
    assert_true(rig_run(&r, 60));
    assert_string_equal(rig_statuses(&r, "top/pursue[1]"), "created active evaporated");
    rig_cycles(&r, 100);
    assert_true(r.vx == 0 && r.vy == 0 && r.wz == 0);
    for (size_t k = 0; rig_record(&r, RECORD_OPERATION, k); k++)
        assert_int_not_equal(rig_record(&r, RECORD_OPERATION, k)->OPERATION.end_ns, TIME_OPEN);
    rig_stop(&r);
}

static void a_plans_own_routines_go_before_the_librarys(void **state) {
    (void)state;
    rig r;
    // A plan's routine replaces the library's routine of the same name; a routine of another name
    // is tried before those of the library.
    rig_start(&r, "plan: p\nroutines:\n"
                  "  - { achieve: \"perceived(?what, anywhere)\", name: look_around, returns: "
                  "\"[chair_1]\", body: { log: mine } }\n"
                  "  - { achieve: \"loc(robot, ?place)\", name: stay, effects: [], body: { log: "
                  "\"stay away from ?place\" } }\n  - pick_and_place.yaml\n"
                  "body:\n  tag: top\n  seq:\n    - perceive: { a: chair, into: \"?c\" }\n"
                  "    - { achieve: \"loc(robot, reach(?c))\" }\n");
    assert_true(rig_run(&r, 5));
    assert_string_equal(rig_notes(&r), "mine stay away from reach(chair_1)");
    const record *first = NULL, *second = NULL;
    for (size_t k = 0; rig_record(&r, RECORD_CHOICE, k); k++) {
        const record *x = rig_record(&r, RECORD_CHOICE, k);
        if (strcmp(x->CHOICE.what, "routine") != 0)
            continue;
        second = first ? x : NULL;
        first = first ? first : x;
    }
    assert_non_null(first);
    assert_non_null(second);
    assert_string_equal(first->CHOICE.chosen, "look_around");
    assert_string_equal(second->CHOICE.chosen, "stay");
    assert_string_equal(second->CHOICE.candidates, "[stay, go]");
    assert_non_null(strstr(second->CHOICE.reason, "go: comes later"));
    rig_stop(&r);
}

static void functions_make_sort_and_pair_lists(void **state) {
    (void)state;
    static const struct {
        const char *what, *value;
    } cases[] = {
        {"range(4)", "[1, 2, 3, 4]"},
        {"range(3, 5)", "[3, 4, 5]"},
        {"range(0)", "[]"},
        {"take([a, b, c], 2)", "[a, b]"},
        {"take([a], 5)", "[a]"},
        {"pairs([a, b, c], [1, 2])", "[[a, 1], [b, 2]]"},
        {"count([a, b, a], a)", "2"},
        {"sort_by([3, 1, 2], value)", "[1, 2, 3]"},
        {"sort_by([table_1, chair_2, chair_1], type_of)", "[chair_2, chair_1, table_1]"},
        {"sort_by([chair_2, chair_4, chair_1, chair_3], distance)",
         "[chair_1, chair_3, chair_4, chair_2]"},
        {"nearest([chair_2, chair_4])", "chair_4"},
        {"name(place_, 2 + 1)", "place_3"},
        {"first(last(pairs([a], [b])))", "a"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rig r;
        char text[300];
        snprintf(text, sizeof text,
                 "plan: p\nbody: { tag: top, seq: [ { set: \"?v\", to: \"%s\" }, { log: \"?v\" } ] "
                 "}\n",
                 cases[k].what);
        rig_start(&r, text);
        assert_true(rig_run(&r, 1));
        assert_string_equal(rig_notes(&r), cases[k].value);
        rig_stop(&r);
    }
    static const char *const wrong[] = {"take([a], b)", "range(1000000)", "nearest([])",
                                        "nearest([cup_9])", "sort_by([a], weight_of)"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        rig r;
        char text[300];
        snprintf(text, sizeof text, "plan: p\nbody: { tag: top, set: \"?v\", to: \"%s\" }\n",
                 wrong[k]);
        rig_start(&r, text);
        assert_false(rig_run(&r, 1));
        assert_string_equal(rig_failure(&r, "top")->FAILURE.class, "designator_reference_failure");
        rig_stop(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_routine_whose_guard_is_believed_is_used),
        cmocka_unit_test(a_goal_that_no_routine_may_achieve_now_fails),
        cmocka_unit_test(what_is_believed_already_is_skipped_unless_told_otherwise),
        cmocka_unit_test(effects_become_beliefs_derived_from_the_task),
        cmocka_unit_test(verify_looks_whether_the_goal_is_believed_at_the_end),
        cmocka_unit_test(arguments_and_let_of_a_routine_get_values),
        cmocka_unit_test(a_routine_does_not_see_its_callers_variables),
        cmocka_unit_test(described_objects_are_resolved_against_the_belief),
        cmocka_unit_test(perceive_gives_one_or_all_and_fails_when_one_is_asked_for_and_none_found),
        cmocka_unit_test(leaving_a_location_suspends_the_body_and_goes_back),
        cmocka_unit_test(a_small_shift_is_no_leaving),
        cmocka_unit_test(a_second_location_waits_for_the_first),
        cmocka_unit_test(a_location_within_a_location_may_leave_it),
        cmocka_unit_test(an_actuator_claimed_twice_is_given_in_turn),
        cmocka_unit_test(a_cycle_of_waits_fails_as_resource_deadlock),
        cmocka_unit_test(an_action_past_the_plans_deadline_fails),
        cmocka_unit_test(an_evaporated_motion_ends_its_operation),
        cmocka_unit_test(a_plans_own_routines_go_before_the_librarys),
        cmocka_unit_test(functions_make_sort_and_pair_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
