// tests/plans/test_handlers.c - clauses that can never catch anything are told, and no others.
#include "tests/plans/plan_text.h"
#include "tests/testlib.h"

static void handle(const char *body, const char *clauses, const char *expected) {
    char text[2048];
    snprintf(text, sizeof text,
             "plan: p\nroutines: [ mine.yaml ]\nbody:\n  on_failure:\n    do: %s\n    handle:\n%s",
             body, clauses);
    static const char *const mine =
        "library: mine\nroutines:\n"
        "  - { achieve: reached(?x), body: { navigate: { to: \"?x\" } } }\n"
        "  - { achieve: again(?x), body: { try_in_order: [ { achieve: again(?x) }, { fail: "
        "fetching_failed } ] } }\n";
    plan_text_expect(text, mine, expected);
}

static void a_clause_is_reached_when_something_in_the_body_signals_its_class(void **state) {
    (void)state;
    static const char never[] = "7:20: this clause can never be reached: nothing in the body ";
    const char *localise = "      - { failure: localisation_failed, retry: 1 }\n";
    const char *navigation = "      - { failure: navigation_goal_not_reached, retry: 1 }\n";
    const char *unreachable = "      - { failure: object_unreachable, retry: 1 }\n";
    char text[512];
    handle("{ localise: }", localise, "");
    handle("{ achieve: reached(table_1) }", navigation, "");
    handle("{ par: [ { log: x }, { loop: { times: 2, do: { achieve: reached(table_1) } } } ] }",
           navigation, "");
    snprintf(text, sizeof text,
             "%ssignals 'navigation_goal_not_reached'; it may signal localisation_failed, "
             "action_timed_out, designator_reference_failure, resource_deadlock, livelock\n",
             never);
    handle("{ localise: }", navigation, text);
    // Through routines, and round in a circle.
    handle("{ achieve: again(x) }", "      - { failure: fetching_failed, retry: 1 }\n", "");
    snprintf(text, sizeof text,
             "%ssignals 'object_unreachable'; it may signal navigation_pose_unreachable, "
             "navigation_goal_not_reached, navigation_way_blocked, perception_object_not_found, "
             "action_timed_out, "
             "goal_not_achieved, designator_reference_failure, resource_deadlock, livelock\n",
             never);
    handle("{ achieve: reached(table_1) }", unreachable, text);
    // What is caught inside does not come out, unless its retries end.
    handle("{ on_failure: { do: { fail: object_unreachable }, handle: [ { failure: "
           "object_unreachable, retry: 2 } ] } }",
           unreachable, "");
    snprintf(text, sizeof text, "%ssignals 'object_unreachable'; it may signal livelock\n", never);
    handle("{ on_failure: { do: { fail: object_unreachable }, handle: [ { failure: "
           "high_level_failure, then: { log: x } } ] } }",
           unreachable, text);
    // A handler's own failure comes out.
    handle("{ on_failure: { do: { fail: livelock }, handle: [ { failure: livelock, then: { fail: "
           "object_unreachable } } ] } }",
           unreachable, "");
    // Where nothing is left that could make it true.
    handle("{ wait_for: \"1 > 2\" }", "      - { failure: resource_deadlock, retry: 1 }\n", "");
    // Of what is not known, anything.
    handle("{ let: \"?g\", be: again(x), in: { achieve: \"?g\" } }",
           "      - { failure: fetching_failed, retry: 1 }\n", "");
    handle("{ let: \"?a\", be: x, in: { perform: \"?a\" } }", unreachable, "");
    handle("{ perform: { type: localise } }", localise, "");
    handle("{ perform: { type: reached, x: table_1 } }", navigation, "");
    // Several failures become one of a class above.
    handle("{ try_all: [ { localise: }, { navigate: { to: table_1 } } ] }",
           "      - { failure: low_level_failure, retry: 1 }\n", "");
    handle("{ with_policy: { when: \"true\", do: { log: x } } }",
           "      - { failure: policy_condition_met, retry: 1 }\n", "");
}

static void a_clause_behind_one_that_catches_the_same_is_told(void **state) {
    (void)state;
    const char *by = ": this clause can never be reached: the clause of line 7 before it catches ";
    char text[512];
    snprintf(text, sizeof text, "8:9%s'localisation_failed'\n", by);
    handle("{ localise: }",
           "      - { failure: low_level_failure, retry: 1 }\n"
           "      - { failure: localisation_failed, retry: 1 }\n",
           text);
    handle("{ localise: }",
           "      - { failure: localisation_failed, retry: 1 }\n"
           "      - { failure: low_level_failure, retry: 1 }\n",
           "");
    // One of several that is still free is enough.
    handle("{ localise: }",
           "      - { failure: localisation_failed, retry: 1 }\n"
           "      - { failure: [ localisation_failed, action_timed_out ], retry: 1 }\n",
           "");
    snprintf(text, sizeof text, "9:9%s'action_timed_out'\n", by);
    handle("{ localise: }",
           "      - { failure: action_timed_out, retry: 1 }\n"
           "      - { failure: localisation_failed, retry: 1 }\n"
           "      - { failure: [ action_timed_out, localisation_failed ], retry: 1 }\n",
           text);
}

static void a_clause_with_a_guard_hides_none_behind_it(void **state) {
    (void)state;
    handle("{ fail: searching_failed }",
           "      - { failure: plan_failure, guard: 1 < 2, then: { log: a } }\n"
           "      - { failure: searching_failed, then: { log: b } }\n",
           "");
}

static void clauses_of_a_library_are_judged_as_it_stands(void **state) {
    (void)state;
    const char *mine = "library: mine\nroutines:\n"
                       "  - achieve: tidy(?x)\n"
                       "    body:\n"
                       "      on_failure:\n"
                       "        do: { achieve: reached(?x) }\n"
                       "        handle: [ { failure: localisation_failed, retry: 1 } ]\n"
                       "  - achieve: washed(?x)\n"
                       "    body:\n"
                       "      on_failure:\n"
                       "        do: { log: x }\n"
                       "        handle: [ { failure: localisation_failed, retry: 1 } ]\n";
    // Another plan's way of going there may localise.
    plan_text_expect(
        "plan: p\nroutines: [ mine.yaml, { achieve: reached(?x), body: { log: x } } ]\n"
        "body: { achieve: tidy(x) }\n",
        mine,
        "mine.yaml:12:30: this clause can never be reached: nothing in the body "
        "signals 'localisation_failed'; it may signal livelock\n");
}

static void every_class_that_constructs_and_actions_signal_is_declared(void **state) {
    (void)state;
    static const char *const signalled[] = {
#define SIGNALS(id, class) #class,
#include "plans/constructs.def"
    };
    for (size_t k = 0; k < sizeof signalled / sizeof *signalled; k++) {
        bool found = false;
        for (size_t i = 0; ROBOT_NAMES.failures[i]; i++)
            found = found || strcmp(ROBOT_NAMES.failures[i], signalled[k]) == 0;
        if (!found)
            fail_msg("%s is not in failures.def", signalled[k]);
    }
    for (size_t k = 0; ROBOT_NAMES.actions[k]; k++) {
        size_t length = strlen(ROBOT_NAMES.actions[k]), own = 0;
        for (size_t i = 0; ROBOT_NAMES.signals[i]; i++)
            own += strncmp(ROBOT_NAMES.signals[i], ROBOT_NAMES.actions[k], length) == 0 &&
                   ROBOT_NAMES.signals[i][length] == '.';
        if (own == 0)
            fail_msg("nothing says what %s signals", ROBOT_NAMES.actions[k]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clause_is_reached_when_something_in_the_body_signals_its_class),
        cmocka_unit_test(a_clause_behind_one_that_catches_the_same_is_told),
        cmocka_unit_test(a_clause_with_a_guard_hides_none_behind_it),
        cmocka_unit_test(clauses_of_a_library_are_judged_as_it_stands),
        cmocka_unit_test(every_class_that_constructs_and_actions_signal_is_declared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
