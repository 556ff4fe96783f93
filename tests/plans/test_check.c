// tests/plans/test_check.c - everything that is wrong with a plan is told at once, each mistake
// with its place and what to do.
#include "tests/plans/plan_text.h"
#include "tests/testlib.h"

#include <glob.h>

static void one_file_with_every_kind_of_mistake_tells_them_all(void **state) {
    (void)state;
    const char *text = "plan: p\n"
                       "routines:\n"
                       "  - pick_and_plac.yaml\n"
                       "  - { achieve: \"tidy(?x)\", with: { speed: 1 }, body: { log: \"?x\" } }\n"
                       "body:\n"
                       "  - sequence: [ { log: a } ]\n"
                       "  - { log: a, lg: b }\n"
                       "  - detct: { type: cup }\n"
                       "  - detect: { typ: cup }\n"
                       "  - log: ?cup\n"
                       "  - { assert: \"on(cup#1, tabel_1)\" }\n"
                       "  - { perform: { type: wiat, seconds: 1 } }\n"
                       "  - { perform: { type: wait, second: 1 } }\n"
                       "  - partial_order: [ { tag: a, log: x }, { tag: b, log: y } ]\n"
                       "    before: [ [ a, b ], [ b, a ] ]\n"
                       "  - on_failure:\n"
                       "      do: { wait: { seconds: 1 } }\n"
                       "      handle:\n"
                       "        - { failure: localisation_faild, retry: 1 }\n"
                       "        - { failure: localisation_failed, retry: 1 }\n"
                       "        - { failure: plan_failure, retry: 1 }\n"
                       "        - { failure: livelock, retry: 1 }\n"
                       "  - { if: \"rises(on(a(cup), table_1))\", then: { log: x } }\n"
                       "  - { next: cup }\n"
                       "  - { equate: [ 1, table_1 ] }\n"
                       "  - { wait_for: \"task(c, don)\" }\n"
                       "  - { fail: livelck }\n"
                       "  - { log: x }\n";
    plan_text_expect(
        text, NULL,
        "3:5: no routines 'pick_and_plac.yaml'; did you mean 'pick_and_place.yaml'?\n"
        "6:5: unknown construct 'sequence'; did you mean 'seq'?\n"
        "7:15: unknown key 'lg'; did you mean 'log'?\n"
        "8:5: unknown construct or action 'detct'; did you mean 'detect'?\n"
        "9:15: unknown argument of detect 'typ'; did you mean 'type'?\n"
        "10:10: ?cup has no value here; give it one with let:, set: or into: before\n"
        "11:26: unknown object 'tabel_1'; did you mean 'table_1'?\n"
        "12:24: unknown action or routine 'wiat'; did you mean 'wait'?\n"
        "13:30: unknown key of wait 'second'; did you mean 'seconds'?\n"
        "15:13: these orderings form a cycle: a before b before a\n"
        "19:22: unknown failure class 'localisation_faild'; did you mean 'localisation_failed'?\n"
        "20:22: this clause can never be reached: nothing in the body signals "
        "'localisation_failed'; it may signal action_timed_out, designator_reference_failure, "
        "resource_deadlock, livelock\n"
        "22:11: this clause can never be reached: the clause of line 21 before it catches "
        "'livelock'\n"
        "23:12: if: is looked at once, so that nothing rises there; watch for it with wait_for:, "
        "whenever: or with_policy:\n"
        "24:13: next: takes a variable with a description, as ?cup; nothing else has another "
        "solution\n"
        "25:17: equate: this is no variable, description or object\n"
        "26:23: no step here has the tag 'c'; did you mean 'a'?\n"
        "26:26: unknown status of a task 'don'; did you mean 'done'?\n"
        "27:5: unknown failure class 'livelck'; did you mean 'livelock'?\n"
        "28:5: this step can never be reached: the 'fail' of line 27 before it always fails\n");
}

static void motions_that_no_step_teaches_are_told_with_the_nearest(void **state) {
    (void)state;
    const char *again = "plan: p\n"
                        "routines:\n"
                        "  - achieve: \"shown(?x)\"\n"
                        "    body: { replay: { arm: left, name: bowl } }\n"
                        "body:\n"
                        "  - %s\n"
                        "  - { move_arm: { arm: left, to: taught(nod) } }\n"
                        "  - { replay: { arm: left, name: bow } }\n";
    static const struct {
        const char *step, *expected;
    } cases[] = {
        {"{ teach: { arm: left, name: bow, seconds: 1 } }",
         "4:40: no step teaches the motion 'bowl'; did you mean 'bow'?\n"
         "7:41: no step teaches the motion 'nod'; teach: remembers one under a name\n"},
        {"{ log: x }",
         "4:40: no step teaches the motion 'bowl'; teach: remembers one under a name\n"
         "7:41: no step teaches the motion 'nod'; teach: remembers one under a name\n"
         "8:34: no step teaches the motion 'bow'; teach: remembers one under a name\n"},
        // These names show only when the steps run.
        {"{ loop: { for_each: \"?n\", of: \"[bow, nod]\", do: { teach: { arm: left, name: \"?n\" } "
         "} } }",
         ""},
        {"{ loop: { for_each: \"?n\", of: \"[x]\", do: { perform: \"?n\" } } }", ""},
        {"{ perform: { type: teach, arm: left, name: bow } }",
         "4:40: no step teaches the motion 'bowl'; did you mean 'bow'?\n"
         "7:41: no step teaches the motion 'nod'; teach: remembers one under a name\n"},
        {"{ seq: [ { teach: { arm: left, name: bow, seconds: 1 } }, "
         "{ perform: { type: replay, arm: left, name: bows } } ] }",
         "4:40: no step teaches the motion 'bowl'; did you mean 'bow'?\n"
         "6:107: no step teaches the motion 'bows'; did you mean 'bow'?\n"
         "7:41: no step teaches the motion 'nod'; teach: remembers one under a name\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[700];
        snprintf(text, sizeof text, again, cases[i].step);
        plan_text_expect(text, NULL, cases[i].expected);
    }
}

static void routines_of_other_files_may_do_what_another_plan_teaches(void **state) {
    (void)state;
    const char *mine = "library: mine\n"
                       "routines:\n"
                       "  - achieve: \"shown(?x)\"\n"
                       "    body: { replay: { arm: left, name: bow } }\n";
    plan_text_expect("plan: p\n"
                     "routines: [ mine.yaml ]\n"
                     "body:\n"
                     "  - { log: x }\n",
                     mine, "");
    plan_text_expect("plan: p\n"
                     "routines: [ mine.yaml ]\n"
                     "body:\n"
                     "  - { replay: { arm: left, name: bow } }\n",
                     mine,
                     "4:34: no step teaches the motion 'bow'; teach: remembers one under a name\n");
}

static void goals_that_no_routine_achieves_are_told_with_the_nearest(void **state) {
    (void)state;
    const char *head = "plan: p\n"
                       "routines:\n"
                       "  - { achieve: \"tidy(?x)\", body: { log: \"?x\" } }\n"
                       "  - { achieve: \"loc(robot, ?p)\", body: { log: \"?p\" } }\n"
                       "  - { achieve: \"held(?x, left)\", body: { log: \"?x\" } }\n";
    static const struct {
        const char *step, *expected;
    } cases[] = {
        {"body: { achieve: tydy(x) }\n", "6:7: no routine achieves tydy/1; did you mean 'tidy'?\n"},
        {"body: { achieve: \"tidy(x, y)\" }\n",
         "6:7: no routine achieves tidy(x, y); the nearest is for tidy(?x)\n"},
        {"body: { achieve: \"loc(cart, x)\" }\n",
         "6:7: no routine achieves loc(cart, x); the nearest is for loc(robot, ?p)\n"},
        {"body: { achieve: fly(x) }\n",
         "6:7: no routine achieves fly with 1 arguments; name its file under routines:\n"},
        {"body: { perceive: { a: cup } }\n", "6:7: no routine achieves perceived/2; the routines "
                                             "of pick_and_place.yaml do: name that file "
                                             "under routines:\n"},
        {"body: { achieve: \"object_in_hand(table_1)\" }\n",
         "6:7: no routine achieves object_in_hand/1; the routines of pick_and_place.yaml do: name "
         "that "
         "file under routines:\n"},
        {"body: { at_location: { location: \"at(1, 2, 3)\", do: { log: x } } }\n", ""},
        {"body: { achieve: \"held(x, right)\" }\n",
         "6:7: no routine achieves held(x, right); the nearest is for held(?x, left)\n"},
        // Functions may give anything.
        {"body: { achieve: \"held(x, free_arm)\" }\n", ""},
        {"body: { achieve: \"held(x, free_hand(x))\" }\n", ""},
        {"body: { let: \"?g\", be: tidy(x), in: { achieve: \"?g\" } }\n", ""},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[1024];
        snprintf(text, sizeof text, "%s%s", head, cases[k].step);
        plan_text_expect(text, NULL, cases[k].expected);
    }
}

static void a_library_may_count_on_goals_of_others_unless_a_letter_is_wrong(void **state) {
    (void)state;
    const char *text = "library: mine\nroutines:\n"
                       "  - { achieve: closed_with_care(?x), body: { achieve: closed(?x) } }\n"
                       "  - { achieve: poured_into(?x), body: { achieve: poured_out(?x) } }\n"
                       "  - { achieve: tidy(?x), body: { achieve: tydy(?x) } }\n"
                       "  - { achieve: wiped(?x), body: { achieve: wipde(?x) } }\n";
    checked c = plan_text_check(text, NULL, &ROBOT_NAMES, NULL);
    assert_string_equal(c.errors, "5:32: no routine achieves tydy/1; did you mean 'tidy'?\n"
                                  "6:33: no routine achieves wipde/1; did you mean 'wiped'?\n");
    plan_text_finish(&c);
}

static void keys_of_a_step_among_the_arguments_are_told_as_such(void **state) {
    (void)state;
    plan_text_expect("plan: p\nbody:\n  - detect: { type: cup, into: \"?x\", deadline: 3 }\n", NULL,
                     "3:26: into: goes beside detect:, not among its arguments\n"
                     "3:38: deadline: goes beside detect:, not among its arguments\n"
                     "3:33: ?x has no value here; give it one with let:, set: or into: before\n");
}

static void routines_that_are_never_come_to_may_count_on_others(void **state) {
    (void)state;
    const char *mine = "library: mine\nroutines:\n"
                       "  - { achieve: tidy(?x), body: { log: x } }\n"
                       "  - { achieve: washed(?x), body: { achieve: rinsed(?x) } }\n";
    plan_text_expect("plan: p\nroutines: [ mine.yaml ]\nbody: { achieve: tidy(x) }\n", mine, "");
    plan_text_expect("plan: p\nroutines: [ mine.yaml ]\nbody: { achieve: washed(x) }\n", mine,
                     "mine.yaml:4:34: no routine achieves rinsed with 1 arguments; name its file "
                     "under routines:\n");
}

// ---- Steps behind an end ------------------------------------------------------------------------

static void steps(const char *first, const char *why) {
    char text[1024], expected[256] = "";
    snprintf(text, sizeof text, "plan: p\nbody:\n  - %s\n  - log: x\n  - log: y\n", first);
    if (why)
        snprintf(expected, sizeof expected,
                 "4:5: this step can never be reached: the %s of line 3 before it %s\n", why,
                 strstr(why, "fail") ? "always fails" : "never ends");
    plan_text_expect(text, NULL, expected);
}

static void steps_that_can_never_be_reached_are_told(void **state) {
    (void)state;
    steps("fail: livelock", "'fail'");
    steps("{ whenever: \"on(table_1, table_1)\", do: { log: x } }", "'whenever'");
    steps("loop: { do: { log: x } }", "'loop'");
    steps("loop: { while: \"true\", do: { log: x } }", "'loop'");
    steps("loop: { until: \"false\", do: { log: x } }", "'loop'");
    steps("loop: { while: \"1 < 2\", do: { log: x } }", NULL);
    steps("loop: { times: 2, do: { fail: livelock } }", NULL);
    steps("par: [ { log: x }, { fail: livelock } ]", "'fail'");
    steps("try_in_order: [ { fail: livelock }, { log: x } ]", NULL);
    steps("pursue: [ { whenever: \"true\", do: { log: x } }, { log: x } ]", NULL);
    steps("try_all: [ { fail: livelock }, { fail: livelock } ]", "'fail'");
    steps("{ if: \"1 < 2\", then: { fail: livelock } }", NULL);
    steps("{ if: \"1 < 2\", then: { fail: livelock }, else: { fail: livelock } }", "'fail'");
    steps("{ let: \"?x\", be: 1, in: [ { log: x }, { fail: livelock } ] }", "'fail'");
    steps("using: { actuators: [ left ], do: { fail: livelock } }", "'fail'");
    steps("on_failure: { do: { fail: livelock }, handle: [ { failure: livelock, then: { log: x } } "
          "] }",
          NULL);
    steps("on_failure: { do: { fail: livelock }, handle: [ { failure: livelock, retry: 3 } ] }",
          "'fail'");
    steps("on_failure: { do: { fail: livelock }, handle: [ { failure: livelock, then: { fail: "
          "livelock } } ] }",
          "'fail'");
    steps("on_failure: { do: { log: x }, clean_up: { fail: livelock } }", "'fail'");
    steps("with_policy: { when: \"1 < 2\", do: { fail: livelock } }", "'fail'");
    steps("with_policy: { when: \"1 < 2\", check: { fail: livelock }, recover: { fail: livelock }, "
          "do: { log: x } }",
          NULL);
    steps("{ partial_order: [ { tag: a, fail: livelock }, { tag: b, log: x } ], before: [ [ a, b ] "
          "] }",
          "'fail'");
    // What another waits for to be dead may fail.
    steps("{ partial_order: [ { tag: a, fail: livelock }, { tag: b, log: x } ], before: [ [ a, b, "
          "dead ] ] }",
          NULL);
    steps("{ partial_order: [ { tag: a, log: x }, { tag: b, fail: livelock } ], before: [ [ a, b, "
          "dead ] ] }",
          "'fail'");
    steps("{ partial_order: [ { tag: a, loop: { do: { localise: } } }, { tag: b, log: x } ], "
          "before: [ [ a, b, dead ] ] }",
          NULL);
}

// ---- Conditions ---------------------------------------------------------------------------------

static void a_guard_stands_on_a_way_to_try_and_nowhere_else(void **state) {
    (void)state;
    plan_text_expect("plan: p\nbody: { try_in_order: [ { guard: 1 < 2, log: x }, { log: y } ] }\n",
                     NULL, "");
    plan_text_expect(
        "plan: p\nbody: { seq: [ { log: y, guard: 1 < 2 } ] }\n", NULL,
        "2:26: unknown key 'guard'; known here: log, tag, as, doc, goal, into, expects, "
        "requires, effects, tolerance\n");
    plan_text_expect("plan: p\nbody: { try_in_order: [ { guard: \"?x = 1\", log: x } ] }\n", NULL,
                     "2:35: ?x has no value here; give it one with let:, set: or into: before\n");
}

static void pulses_are_refused_where_nothing_can_pulse(void **state) {
    (void)state;
    static const char tail[] = " there; watch for it with wait_for:, whenever: or with_policy:\n";
    char text[512];
    snprintf(text, sizeof text, "2:18: if: is looked at once, so that nothing falls%s", tail);
    plan_text_expect("plan: p\nbody: { if: \"not(falls(1 < 2))\", then: { log: x } }\n", NULL,
                     text);
    snprintf(text, sizeof text, "2:25: while: is looked at once, so that nothing pulses%s", tail);
    plan_text_expect("plan: p\nbody: { loop: { while: \"pulsed(1)\", do: { log: x } } }\n", NULL,
                     text);
    snprintf(text, sizeof text, "2:39: guard: is looked at once, so that nothing rises%s", tail);
    plan_text_expect(
        "plan: p\nroutines: [ { achieve: t(?x), guard: \"rises(?x)\", body: { log: x } "
        "} ]\nbody: { achieve: t(1) }\n",
        NULL, text);
    snprintf(text, sizeof text, "2:35: guard: is looked at once, so that nothing rises%s", tail);
    plan_text_expect("plan: p\nbody: { try_in_order: [ { guard: \"rises(1 < 2)\", log: x } ] }\n",
                     NULL, text);
    plan_text_expect("plan: p\nbody:\n  pursue:\n"
                     "    - wait_for: \"rises(1 < 2)\"\n"
                     "    - { whenever: \"or(pulsed(1), falls(1 < 2))\", do: { log: x } }\n"
                     "    - with_policy: { when: \"rises(1 < 2)\", do: { log: x } }\n",
                     NULL, "");
}

static void tasks_are_asked_for_by_the_tag_of_a_step_of_the_same_body(void **state) {
    (void)state;
    static const char plan_text[] =
        "plan: p\n"
        "routines:\n"
        "  - achieve: tidy(?x)\n"
        "    body: { par: [ { tag: wipe, log: x }, { wait_for: \"task(wipe, ended)\" } ] }\n"
        "body:\n"
        "  tag: top\n"
        "  par:\n"
        "    - { tag: bring, log: x }\n"
        "    - { seq: [ { tag: look, log: a } ], tag: one }\n"
        "    - { seq: [ { tag: look, log: a } ], tag: two }\n";
    char text[2048];
    snprintf(text, sizeof text,
             "%s    - { wait_for: \"and(task(bring, done), not(task('top/two/look', begun)))\" }\n",
             plan_text);
    // A path is a string.
    for (char *at = text; (at = strchr(at, '\''));)
        *at = '"';
    char *quoted = strstr(text, "wait_for: \"and");
    quoted[10] = '\'';
    quoted = strstr(text, ", begun)))\"");
    quoted[10] = '\'';
    checked c = plan_text_check(text, NULL, &SCENE_NAMES, NULL);
    assert_string_equal(c.errors, "");
    assert_true(plan_find(c.p, "top/bring")->observed);
    assert_true(plan_find(c.p, "top/two/look")->observed);
    assert_false(plan_find(c.p, "top/one/look")->observed);
    assert_true(plan_find(c.p, "tidy/wipe")->observed);
    assert_false(plan_find(c.p, "tidy")->observed);
    plan_text_finish(&c);
    static const struct {
        const char *step, *expected;
    } cases[] = {
        {"\"task(brin, done)\"", "11:23: no step here has the tag 'brin'; did you mean 'bring'?\n"},
        // A routine's steps are its own.
        {"\"task(wipe, done)\"", "11:23: no step here has the tag 'wipe'\n"},
        {"\"task(look, done)\"", "11:23: several steps have the tag 'look'; say which by its path: "
                                 "\"top/one/look\"\n"},
        {"'task(\"top/brin\", done)'",
         "11:23: no step here has the path 'top/brin'; did you mean 'top/bring'?\n"},
        {"\"task(3, done)\"", "11:18: task: needs the tag of a step here, or its path as a string: "
                              "task(bring, done)\n"},
        {"\"task(bring, ready)\"",
         "11:30: unknown status of a task 'ready'; there are: created, active, suspended, done, "
         "failed, evaporated, begun, ended\n"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        snprintf(text, sizeof text, "%s    - wait_for: %s\n", plan_text, cases[k].step);
        plan_text_expect(text, NULL, cases[k].expected);
    }
}

// ---- Performing ---------------------------------------------------------------------------------

static void what_is_performed_is_checked_by_its_type_and_keys(void **state) {
    (void)state;
    const char *routine =
        "{ achieve: \"poured(?from, ?into)\", name: pour, with: { angle: 90 }, "
        "body: { log: x } }, { achieve: \"taken(?object, ?left_hand)\", body: { log: x } "
        "}";
    static const struct {
        const char *step, *expected;
    } cases[] = {
        {"perform: { type: wait, seconds: 1 }", ""},
        {"perform: { type: pour, from: cup#1, into: bowl#1, angle: 45 }", ""},
        {"perform: { type: taken, object: cup#1 }", ""},
        {"perform: { type: wait }", "4:3: wait needs seconds:\n"},
        {"perform: { type: pour, into: bowl#1 }", "4:3: pour needs from:\n"},
        {"perform: { type: pour, from: , into: bowl#1 }", "4:26: from: needs a value\n"},
        {"perform: { type: poured, from: x, into: { object: { type: cup } } }", ""},
        {"perform: { action: { type: pour, from: cup#1, into: x } }", ""},
        {"{ let: \"?a\", be: { action: { type: pour, from: cup#1, into: x } }, in: { perform: "
         "\"?a\" } }",
         ""},
        {"{ perform: { type: wait, seconds: 1 }, deadline: 3 }", ""},
        {"perform: { type: poor }",
         "4:20: unknown action or routine 'poor'; did you mean 'pour'?\n"},
        {"perform: { type: pour, angel: 45 }",
         "4:26: unknown key of pour 'angel'; did you mean 'angle'?\n"},
        {"perform: { seconds: 1 }",
         "4:3: an action description needs type: with an action or a routine\n"},
        {"{ let: \"?a\", be: { action: { type: pour, form: cup#1 } }, in: { perform: \"?a\" } }",
         "4:44: unknown key of pour 'form'; did you mean 'from'?\n"},
        {"perform: { type: pour, into: x, from: { object: { type: cop } } }",
         "4:59: unknown type 'cop'; did you mean 'cup'?\n"},
        {"perform: pour",
         "4:12: perform: takes an action description: { type: open_gripper, arm: left }, or a "
         "variable with one\n"},
        {"perform: { object: { type: cup } }",
         "4:12: perform: takes an action description: { type: open_gripper, arm: left }, or a "
         "variable with one\n"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[1024];
        snprintf(text, sizeof text, "plan: p\nroutines: [ %s ]\nbody:\n  %s\n", routine,
                 cases[k].step);
        plan_text_expect(text, NULL, cases[k].expected);
    }
}

static void descriptions_name_things_that_there_are(void **state) {
    (void)state;
    plan_text_expect("plan: p\nroutines: [ pick_and_place.yaml ]\nbody:\n"
                     "  let: { cup: { object: { type: cop, on: tabel_1 } } }\n"
                     "  in:\n"
                     "    - let: ?place\n"
                     "      be: { location: { on: table_1, left_of: \"?cup\", near: shelve_1 } }\n"
                     "      in: { next: \"?place\" }\n"
                     "    - equate: [ \"?cup\", { objct: { type: cup } } ]\n"
                     "    - at_location: { location: { lft_of: chair_1 }, do: { log: x } }\n",
                     NULL,
                     "4:33: unknown type 'cop'; did you mean 'cup'?\n"
                     "4:42: unknown object 'tabel_1'; did you mean 'table_1'?\n"
                     "7:61: unknown object 'shelve_1'; did you mean 'shelf_1'?\n"
                     "9:27: equate: unknown kind of description 'objct'; did you mean 'object'?\n"
                     "10:34: unknown property of a place 'lft_of'; did you mean 'left_of'?\n");
}

// ---- Words --------------------------------------------------------------------------------------

static void step_expect(const char *step, const char *expected) {
    char text[1024];
    snprintf(
        text, sizeof text,
        "plan: p\nroutines: [ pick_and_place.yaml ]\nbody:\n  let: { x: chair_1 }\n  in:\n    - "
        "%s\n",
        step);
    plan_text_expect(text, NULL, expected);
}

static void slips_of_words_are_told_with_what_is_meant(void **state) {
    (void)state;
    static const struct {
        const char *step, *expected;
    } cases[] = {
        {"wait_for: \"object_in_hnd(?x)\"",
         "6:18: unknown condition 'object_in_hnd'; did you mean 'object_in_hand'?\n"},
        {"{ if: \"and(not(oor(true, false)), lft_of(?x, table_1))\", then: { log: x } }",
         "6:22: unknown condition 'oor'; did you mean 'or'?\n"
         "6:41: unknown condition 'lft_of'; did you mean 'left_of'?\n"},
        {"{ whenever: \"rises(grippr_force(left) > 2)\", do: { log: x } }",
         "6:26: unknown function 'grippr_force'; did you mean 'gripper_force'?\n"},
        {"{ let: { n: \"lenght([1, 2])\" }, in: { log: \"?n\" } }",
         "6:20: unknown function 'lenght'; did you mean 'length'?\n"},
        {"{ wait_for: \"gripper_force(middle) > 1\" }", "6:34: unknown arm 'middle'\n"},
        {"{ let: { c: \"object([tipe(cup), owner(anna)])\" }, in: { log: \"?c\" } }",
         "6:28: unknown property of an object 'tipe'; did you mean 'type'?\n"},
        {"{ perceive: { a: { type: cup, ownr: anna } } }",
         "6:37: unknown property of an object 'ownr'; did you mean 'owner'?\n"},
        {"{ let: { c: \"object([colour(red)])\" }, in: { log: \"?c\" } }",
         "6:28: unknown property of an object 'colour'; did you mean 'color'?\n"},
        {"{ perceive: { a: { type: cup, color: rde } } }",
         "6:44: unknown colour 'rde'; did you mean 'red'?\n"},
        {"{ perceive: { a: { type: cup, belongs_to: anna } } }",
         "6:37: unknown property of an object 'belongs_to'\n"},
        {"{ perceive: { a: { type: cup, author: lem } } }",
         "6:37: the robot knows the property 'author' of nothing: only bodies that it does not "
         "know beforehand have it; give it to a type\n"},
        {"{ achieve: \"within(a(cup, red), place_1)\" }",
         "6:26: a(cup, red) describes nothing; write a(Type), or a list of properties as in "
         "a([type(cup), color(red)])\n"},
        {"{ achieve: \"within(a(color(red)), place_1)\" }",
         "6:26: a(color(red)) describes nothing; write a(Type), or a list of properties as in "
         "a([type(cup), color(red)])\n"},
        {"{ achieve: \"within(a([type(cup), color(gren)]), place_1)\" }",
         "6:46: unknown colour 'gren'; did you mean 'green'?\n"},
        {"{ navigate: { to: viewx(table_1) } }",
         "6:25: unknown target of navigate 'viewx'; did you mean 'view'?\n"},
        {"{ at_location: { location: raech(table_1), do: { log: x } } }",
         "6:34: unknown target of navigate 'raech'; did you mean 'reach'?\n"},
        {"{ move_arm: { arm: lft, to: prak } }",
         "6:26: unknown arm 'lft'; did you mean 'left'?\n"
         "6:35: unknown target of move_arm 'prak'; did you mean 'park'?\n"},
        {"{ perform: { type: look_at, at: \"piont(1, 2, 3)\" } }",
         "6:40: unknown target of look_at 'piont'; did you mean 'point'?\n"},
        // What is data, or a word of one's own, is left alone.
        {"{ let: { a: tak(1), b: \"first([mix(1, 2)])\" }, in: { log: \"?a ?b\" } }", ""},
        {"{ move_arm: { arm: free_arm, to: carry } }", ""},
        {"{ wait_for: \"and(owner(?x, anna), ?x = frst(1), touched(robot_left_gripper))\" }", ""},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        step_expect(cases[k].step, cases[k].expected);
}

static void numbers_are_what_the_action_and_the_robot_allow(void **state) {
    (void)state;
    static const struct {
        const char *step, *expected;
    } cases[] = {
        {"{ loop: { times: -2, do: { log: x } } }", "6:24: times: must be >= 0, not -2\n"},
        {"{ loop: { times: 0, do: { log: x } } }", ""},
        {"{ loop: { times: \"0 - 2\", do: { log: x } } }", ""},
        {"{ open_gripper: { arm: left, opening: 5 } }",
         "6:45: opening of open_gripper is from 0 to 0.12 m with this robot, not 5\n"},
        {"{ open_gripper: { arm: left, opening: 0.1 } }", ""},
        {"{ open_gripper: { arm: right, opening: 0.1 } }",
         "6:46: opening of open_gripper is from 0 to 0.08 m with this robot, not 0.1\n"},
        {"{ open_gripper: { arm: free_arm, opening: 0.1 } }", ""},
        {"{ open_gripper: { arm: free_arm, opening: 0.13 } }",
         "6:49: opening of open_gripper is from 0 to 0.12 m with this robot, not 0.13\n"},
        // An action description names its own arm, before or after the number.
        {"{ perform: { type: open_gripper, arm: left, opening: 0.1 } }", ""},
        {"{ perform: { type: open_gripper, arm: right, opening: 0.1 } }",
         "6:61: opening of open_gripper is from 0 to 0.08 m with this robot, not 0.1\n"},
        {"{ perform: \"[type(open_gripper), opening(0.1), arm(right)]\" }",
         "6:48: opening of open_gripper is from 0 to 0.08 m with this robot, not 0.1\n"},
        {"{ seq: [ { open_gripper: { arm: right, opening: 0.05 } }, "
         "{ perform: { type: open_gripper, arm: left, opening: 0.1 } } ] }",
         ""},
        {"{ close_gripper: { arm: left, force: 6000 } }",
         "6:44: force of close_gripper is from 0 to 60 N with this robot, not 6000\n"},
        {"{ close_gripper: { arm: left, force: 0 } }",
         "6:44: force of close_gripper must be > 0, not 0\n"},
        {"{ press: { arm: left, direction: down, force: 100 } }", ""},
        {"{ guide: { arm: left, path: [[1, 0, 0, 0.1], [2.5, 0, -0.1, 0]] } }", ""},
        {"{ guide: { arm: left, path: [[1, 0, 0, \"-0.1 * 2\"]] } }", ""},
        {"{ guide: { arm: left, path: [] } }",
         "6:7: path of guide must be a list of rows [Seconds, X, Y, Z] of numbers, the first of "
         "which grow from above 0, not '[]'\n"},
        {"{ guide: { arm: left, path: [[1, 0, 0]] } }",
         "6:37: path of guide must be a list of rows [Seconds, X, Y, Z] of numbers, the first of "
         "which grow from above 0, not '[1, 0, 0]'\n"},
        {"{ guide: { arm: left, path: [[2, 0, 0, 0], [2, 0, 0, up]] } }",
         "6:51: path of guide must be a list of rows [Seconds, X, Y, Z] of numbers, the first of "
         "which grow from above 0, not '[2, 0, 0, up]'\n"},
        {"{ guide: { arm: left, path: \"[[1, 0, 0, 0] | x]\" } }",
         "6:52: path of guide must be a list of rows [Seconds, X, Y, Z] of numbers, the first of "
         "which grow from above 0, not 'x'\n"},
        {"{ guide: { arm: left, path: [[1, 0, 0, 0], [12, 0, -11, 1e308]] } }",
         "6:58: path of guide is from -10 to 10 m, not -11\n"
         "6:63: path of guide is from -10 to 10 m, not 1e+308\n"},
        {"{ guide: { arm: left, path: [[1, 0, 0, 0]], speed: 0.1 } }",
         "6:58: guide goes along its path, so that speed: has no place beside it; give either\n"},
        {"{ perform: { type: guide, arm: left, direction: down, path: [[1, 0, 0, 0]] } }",
         "6:55: guide goes along its path, so that direction: has no place beside it; give "
         "either\n"},
        {"{ guide: { arm: left, distance: 11 } }",
         "6:39: distance of guide is from 0 to 10 m, not 11\n"},
        {"{ teach: { arm: left, name: bow, seconds: 0 } }",
         "6:49: seconds of teach is from 0.1 to 3600 s, not 0\n"},
        {"{ seq: [ { teach: { arm: left, name: bow } }, "
         "{ replay: { arm: left, name: bow, stiffness: 8000 } } ] }",
         "6:98: stiffness of replay is from 10 to 5000 N/m, not 8000\n"},
        {"{ move_torso: { to: 40 } }",
         "6:27: to of move_torso is from 0 to 0.45 m with this robot, not 40\n"},
        {"{ move_torso: { to: home } }", ""},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        step_expect(cases[k].step, cases[k].expected);
}

static void only_what_a_belief_can_be_told_is_asserted(void **state) {
    (void)state;
#define WHY                                                                                        \
    " changes nothing: what the robot believes of that follows from what it senses; on, "          \
    "stands_on, in, within and object_in_hand can be asserted\n"
    static const struct {
        const char *step, *expected;
    } cases[] = {
        {"{ assert: \"on(chair_1, table_1)\" }", ""},
        {"{ assert: \"within(?x, place_1)\" }", ""},
        {"{ assert: \"object_in_hand(?x, hand(left))\" }", ""},
        {"{ assert: \"object_in_hand(?x)\" }", ""},
        {"{ assert: \"color(?x, red)\" }", "6:18: assert: color(?x, red)" WHY},
        {"{ assert: \"near(?x, robot)\" }", "6:18: assert: near(?x, robot)" WHY},
        {"{ assert: \"open(?x)\" }", "6:18: assert: open(?x)" WHY},
        {"{ assert: \"not(on(?x, table_1))\" }", "6:18: assert: not on(?x, table_1)" WHY},
        {"{ assert: \"object_in_hnd(?x)\" }",
         "6:18: unknown condition 'object_in_hnd'; did you mean 'object_in_hand'?\n"},
        {"{ assert: \"frobnicated(?x)\" }", "6:18: assert: frobnicated(?x)" WHY},
    };
#undef WHY
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        step_expect(cases[k].step, cases[k].expected);
}

// In any world: what is not known of it is not looked at.
static void shipped_plans_and_routines_have_no_slips(void **state) {
    (void)state;
    plan_names names = SCENE_NAMES;
    names.objects = names.regions = names.types = names.colors = NULL;
    glob_t files;
    size_t plans = 0;
    assert_int_equal(glob(FORESEE_SOURCE_DIR "/plans/*.yaml", 0, NULL, &files), 0);
    assert_int_equal(glob(FORESEE_SOURCE_DIR "/examples/*/*.yaml", GLOB_APPEND, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char *text = testlib_read(files.gl_pathv[i]);
        bool is = strncmp(text, "plan:", 5) == 0 || strncmp(text, "library:", 8) == 0 ||
                  strstr(text, "\nplan:") || strstr(text, "\nlibrary:");
        free(text);
        if (!is)
            continue;
        errors list = {0};
        plan *p = NULL;
        plans++;
        assert_int_equal(
            plan_read(files.gl_pathv[i], FORESEE_SOURCE_DIR "/plans", NULL, &names, &p, &list), OK);
        if (plan_check(p, &names, &list) != OK)
            fail_msg("%s:%d:%d: %s", list.items[0].file, list.items[0].line, list.items[0].column,
                     list.items[0].text);
        plan_destroy(p);
        errors_finish(&list);
    }
    assert_true(plans > 20);
    globfree(&files);
}

// ---- Parameters and flow style ------------------------------------------------------------------

static void parameters_are_checked_where_they_are_declared_and_set(void **state) {
    (void)state;
    plan_text_expect("plan: p\nparameters:\n  n: { type: integer, default: 1, doc: d }\n"
                     "  n: { type: integer, default: 2, doc: d }\nbody: { log: \"$n\" }\n",
                     NULL, "4:3: the key 'n' stands here twice, first in line 3\n");
    plan_text_expect("plan: p\nparameters:\n  n: { type: integr, default: 1, doc: d }\n"
                     "  m: { type: integer, default: x, doc: d }\n  k: { type: symbol, doc: d }\n"
                     "body: { log: \"$n $m $k $other\" }\n",
                     NULL,
                     "3:14: unknown type 'integr'; did you mean 'integer'?\n"
                     "4:32: the default of 'm' must be a whole number, not 'x'\n"
                     "5:6: the parameter 'k' needs a default\n"
                     "6:14: unknown parameter '$other'; declared are: n, m, k\n");
    // What is declared wrongly is one mistake, wherever it is used.
    plan_text_expect(
        "plan: p\nparameters:\n  n: { type: number, default: abc, min: 3, max: 1 }\n"
        "  who: { type: symbol, default: Big }\nbody:\n"
        "  - { wait: { seconds: $n } }\n  - { assert: \"on(cup#1, $who)\" }\n",
        NULL,
        "3:6: min is greater than max\n"
        "4:33: the default of 'who' must be a name of small letters, digits and _, not "
        "'Big'\n");
    const char *text = "plan: p\nparameters:\n  n: { type: integer, default: 1, max: 5, doc: d }\n"
                       "  place: { type: symbol, default: place_1, doc: d }\nbody: { log: x }\n";
    settings set = {0};
    array_push(&set, (setting){"plan", "n", "x"});
    array_push(&set, (setting){"plan", "n", "7"});
    array_push(&set, (setting){"plan", "plase", "place_2"});
    array_push(&set, (setting){"plan", "place", "Place"});
    checked c = plan_text_check(text, NULL, &SCENE_NAMES, &set);
    assert_int_equal(c.count, 4);
    assert_non_null(strstr(c.errors, "plan.n must be a whole number, not 'x'"));
    assert_non_null(strstr(c.errors, "plan.n must be at most 5.0, not '7'"));
    assert_non_null(strstr(c.errors, "no parameter 'plan.plase'; did you mean 'plan.place'?"));
    assert_non_null(strstr(c.errors, "plan.place must be a name of small letters"));
    plan_text_finish(&c);
    array_finish(&set);
}

static void what_flow_style_tears_apart_is_told_as_such(void **state) {
    (void)state;
    plan_text_expect("plan: p\nbody: { equate: [on(a, b), \"?x\"] }\n", NULL,
                     "2:18: YAML has torn a term at its commas: 'on(a'; inside [ ] or { } a term "
                     "must stand in quotes: \"on(a, b)\"\n");
    plan_text_expect(
        "plan: p\nbody: { log: x, when: [?x] }\n", NULL,
        "2:25: the '?' before this makes a key of it; a ?variable must stand in quotes "
        "here: \"?x\"\n");
    plan_text_expect("plan: p\nbody: { next: ?x }\n", NULL,
                     "2:15: this is not valid YAML: did not find expected node content; terms and "
                     "?variables inside [ ] or { } must stand in quotes\n");
}

static void what_is_never_used_is_no_mistake(void **state) {
    (void)state;
    plan_text_expect("plan: p\nparameters: { n: { type: integer, default: 1, doc: d } }\n"
                     "routines: [ { achieve: tidy(?x), with: { y: 1 }, body: { log: x } } ]\n"
                     "body: { let: { a: 1 }, in: [ { set: \"?b\", to: 2 }, { log: x } ] }\n",
                     NULL, "");
}

static void what_at_location_reads_is_told_once(void **state) {
    (void)state;
    plan_text_expect("plan: p\nroutines: [ pick_and_place.yaml ]\n"
                     "body: { at_location: { location: \"reach(?cup)\", do: { log: x } } }\n",
                     NULL,
                     "3:41: ?cup has no value here; give it one with let:, set: or into: before\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_file_with_every_kind_of_mistake_tells_them_all),
        cmocka_unit_test(motions_that_no_step_teaches_are_told_with_the_nearest),
        cmocka_unit_test(routines_of_other_files_may_do_what_another_plan_teaches),
        cmocka_unit_test(goals_that_no_routine_achieves_are_told_with_the_nearest),
        cmocka_unit_test(a_library_may_count_on_goals_of_others_unless_a_letter_is_wrong),
        cmocka_unit_test(keys_of_a_step_among_the_arguments_are_told_as_such),
        cmocka_unit_test(routines_that_are_never_come_to_may_count_on_others),
        cmocka_unit_test(steps_that_can_never_be_reached_are_told),
        cmocka_unit_test(a_guard_stands_on_a_way_to_try_and_nowhere_else),
        cmocka_unit_test(pulses_are_refused_where_nothing_can_pulse),
        cmocka_unit_test(tasks_are_asked_for_by_the_tag_of_a_step_of_the_same_body),
        cmocka_unit_test(what_is_performed_is_checked_by_its_type_and_keys),
        cmocka_unit_test(descriptions_name_things_that_there_are),
        cmocka_unit_test(slips_of_words_are_told_with_what_is_meant),
        cmocka_unit_test(numbers_are_what_the_action_and_the_robot_allow),
        cmocka_unit_test(only_what_a_belief_can_be_told_is_asserted),
        cmocka_unit_test(shipped_plans_and_routines_have_no_slips),
        cmocka_unit_test(parameters_are_checked_where_they_are_declared_and_set),
        cmocka_unit_test(what_flow_style_tears_apart_is_told_as_such),
        cmocka_unit_test(what_is_never_used_is_no_mistake),
        cmocka_unit_test(what_at_location_reads_is_told_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
