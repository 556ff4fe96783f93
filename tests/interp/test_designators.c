// tests/interp/test_designators.c - descriptions of objects, places and actions: what they resolve
// to, next and equate, and what the log says of them.
#include "tests/interp/rig.h"
#include "tests/testlib.h"

// Returns the i-th choice (from 0) of a kind; NULL: there are fewer.
static const record *choice(const rig *r, const char *what, size_t i) {
    for (size_t k = 0; rig_record(r, RECORD_CHOICE, k); k++) {
        const record *x = rig_record(r, RECORD_CHOICE, k);
        if (strcmp(x->CHOICE.what, what) == 0 && i-- == 0)
            return x;
    }
    return NULL;
}

static void assert_reason(const rig *r, const char *path, const char *class, const char *part) {
    const record *x = rig_failure(r, path);
    assert_non_null(x);
    assert_string_equal(x->FAILURE.class, class);
    if (!strstr(x->FAILURE.reason, part))
        fail_msg("'%s' does not say '%s'", x->FAILURE.reason, part);
}

// Runs a plan to its end; the caller stops the rig.
static bool run(rig *r, const char *text) {
    rig_start(r, text);
    return rig_run(r, 60);
}

#define TIDY "{ achieve: tidy(?x), effects: [], body: { log: \"?x\" } }"
#define ROUTINES "plan: p\nroutines: [ " TIDY " ]\n"
// The routines of a goal that fails for every object but one.
#define ONLY(x)                                                                                    \
    "plan: p\nroutines:\n  - { achieve: \"moved(?x)\", effects: [], body: [ { log: \"?x\" }, { "   \
    "if: \"?x != " x "\", then: { fail: { class: object_unreachable, reason: \"?x is too far\" "   \
    "} } } ] }\n"

static void the_next_solution_of_a_description_is_a_pulse_of_it(void **state) {
    (void)state;
    rig r;
    assert_true(run(&r, ROUTINES "body:\n  tag: top\n  let: { c: \"object([type(chair)])\" }\n  "
                                 "in:\n    seq:\n      - achieve: tidy(?c)\n      - pursue:\n      "
                                 "    - { tag: w, wait_for: \"pulsed(?c)\" }\n          - seq: [ { "
                                 "wait: { seconds: 1 } }, { next: \"?c\" }, { wait: { seconds: 9 } "
                                 "} ]\n"));
    assert_string_equal(rig_pulses(&r, "top/in/seq[2]/w"), "1");
    rig_stop(&r);
}

static void an_alternative_does_not_see_the_steps_of_the_routine_that_failed(void **state) {
    (void)state;
    rig r;
    assert_true(run(&r,
                    "plan: p\nroutines:\n"
                    "  - { achieve: g(a), name: one, effects: [], body: [ { tag: look, log: one "
                    "}, { fail: searching_failed } ] }\n"
                    "  - { achieve: g(a), name: two, effects: [], body: [ { if: \"task(look, "
                    "done)\", then: { log: stale } }, { tag: look, log: two } ] }\n"
                    "body: { tag: top, achieve: g(a), alternatives: true }\n"));
    assert_string_equal(rig_notes(&r), "one two");
    rig_stop(&r);
}

static void who_asks_whether_a_place_has_a_solution_resolves_what_it_is_described_by(void **state) {
    (void)state;
    rig r;
    assert_true(run(&r, "plan: p\nbody:\n  tag: top\n  let: { c: \"object([type(chair), "
                        "color(brown)])\", l: \"location([near(?c)])\" }\n  in: { tag: ask, if: "
                        "resolvable(?l), then: { log: yes }, else: { log: no } }\n"));
    const record *c = choice(&r, "object", 0);
    assert_non_null(c);
    assert_int_equal(c->CHOICE.task, rig_task(&r, "top/ask")->id);
    assert_null(choice(&r, "location", 0));
    assert_null(choice(&r, "support", 0));
    rig_stop(&r);
}

static void a_description_is_resolved_when_it_is_first_used(void **state) {
    (void)state;
    rig r;
    assert_true(run(&r, ROUTINES "body: { tag: top, seq: [ { set: \"?c\", to: "
                                 "\"object([type(chair), color(brown)])\" }, { log: \"made ?c;\" "
                                 "}, { achieve: tidy(?c) }, { log: \"and is ?c\" } ] }\n"));
    assert_string_equal(rig_notes(&r), "made des#1; chair_1 and is chair_1");
    assert_string_equal(rig_values(&r, "c"), "des#1");
    assert_string_equal(rig_values(&r, "x"), "des#1");
    const record *d = rig_record(&r, RECORD_DESIGNATOR, 0);
    assert_string_equal(d->DESIGNATOR.name, "des#1");
    assert_string_equal(d->DESIGNATOR.kind, "object");
    assert_string_equal(d->DESIGNATOR.description, "[type(chair), color(brown)]");
    assert_int_equal(d->DESIGNATOR.task, rig_task(&r, "top/seq[1]")->id);
    assert_int_equal(rig_count(&r, RECORD_DESIGNATOR), 1);
    const record *c = choice(&r, "object", 0), *goal = rig_task(&r, "top/seq[3]");
    assert_string_equal(c->CHOICE.question, "object([type(chair), color(brown)])");
    assert_string_equal(c->CHOICE.chosen, "chair_1");
    assert_string_equal(c->CHOICE.candidates, "[chair_1, chair_3, chair_4, chair_2]");
    assert_non_null(strstr(c->CHOICE.reason, "the nearest of 4"));
    assert_int_equal(c->CHOICE.designator, d->id);
    assert_int_equal(c->CHOICE.task, goal->id);
    assert_null(choice(&r, "object", 1));
    assert_string_equal(goal->TASK.expr, "achieve(tidy(des#1))");
    assert_string_equal(goal->TASK.goal, "tidy(chair_1)");
    rig_stop(&r);
}

static void functions_conditions_and_effects_see_what_is_described(void **state) {
    (void)state;
    rig r;
    assert_true(
        run(&r, "plan: p\nroutines: [ { achieve: \"on(?x, ?y)\", expects: [ \"collision(?x, ?y)\" "
                "], body: { log: \"?x\" } } ]\n"
                "body:\n  tag: top\n  let: { c: \"object([type(chair)])\", t: "
                "\"object([type(table)])\" }\n  in:\n"
                "    - { log: \"now\" }\n"
                "    - { let: { kind: \"type_of(?c)\" }, in: { log: \"?kind\" } }\n"
                "    - { if: \"type(?c, chair)\", then: { log: believed } }\n"
                "    - { if: \"?c = chair_1\", then: { log: equal } }\n"
                "    - { if: \"member(?c, [table_1, chair_1])\", then: { log: among } }\n"
                "    - { if: \"on(object([type(chair)]), floor)\", then: { log: inline } }\n"
                "    - { achieve: \"on(?c, floor)\", skip_when_true: false, verify: true }\n"
                "    - { assert: \"on(?c, floor)\" }\n"));
    assert_string_equal(rig_notes(&r), "now chair believed equal among inline chair_1");
    assert_int_equal(rig_count(&r, RECORD_DESIGNATOR), 2);
    assert_null(choice(&r, "object", 1)); // the table was never asked for
    bool noted = false, effect = false;
    for (size_t k = 0; rig_record(&r, RECORD_TASK_NOTE, k); k++) {
        const record *x = rig_record(&r, RECORD_TASK_NOTE, k);
        noted = noted || strcmp(x->TASK_NOTE.term, "collision(chair_1, floor)") == 0;
        effect = effect || strcmp(x->TASK_NOTE.term, "on(chair_1, floor)") == 0;
    }
    assert_true(noted && effect);
    rig_stop(&r);
}

static void next_takes_what_was_not_tried_and_survives_retry(void **state) {
    (void)state;
    rig r;
    assert_true(run(&r, ONLY("chair_4") "body:\n  tag: top\n  let: ?c\n"
                                        "  be: object([type(chair)])\n  in:\n"
                                        "    tag: try\n    on_failure:\n"
                                        "      do: { achieve: moved(?c) }\n      handle:\n"
                                        "        - failure: object_unreachable\n"
                                        "          retry: 5\n          then: { next: \"?c\" }\n"));
    assert_string_equal(rig_notes(&r), "chair_1 chair_3 chair_4");
    assert_string_equal(rig_task(&r, "top/try/do@3")->TASK.goal, "moved(chair_4)");
    assert_string_equal(rig_task(&r, "top/try/do@3")->TASK.expr, "achieve(moved(des#1))");
    const record *c = choice(&r, "object", 2);
    assert_string_equal(c->CHOICE.chosen, "chair_4");
    assert_string_equal(c->CHOICE.candidates, "[chair_1, chair_3, chair_4, chair_2]");
    assert_non_null(strstr(c->CHOICE.reason, "tried before: chair_1, chair_3"));
    assert_string_equal(rig_task(&r, "top/try/handle[1]")->TASK.expr, "next(des#1)");
    assert_string_equal(rig_task(&r, "top/try/handle[1]")->TASK.result, "chair_3");
    // The failure names the object, not the description's symbol.
    assert_reason(&r, "top/try/do", "object_unreachable", "chair_1 is too far");
    rig_stop(&r);
}

static void when_none_is_left_next_fails_and_says_how_many_were_tried(void **state) {
    (void)state;
    rig r;
    assert_false(run(&r, ONLY("nothing") "body:\n  tag: top\n  let: ?c\n"
                                         "  be: object([type(chair)])\n  in:\n"
                                         "    on_failure:\n"
                                         "      do: { achieve: moved(?c) }\n      handle:\n"
                                         "        - failure: object_unreachable\n"
                                         "          retry: 9\n          then: { next: \"?c\" }\n"));
    assert_string_equal(rig_notes(&r), "chair_1 chair_3 chair_4 chair_2");
    assert_reason(&r, "top", "designator_reference_failure",
                  "4 tried (chair_1, chair_3, chair_4, chair_2)");
    rig_stop(&r);
    // A description that has run out of solutions stays without one.
    assert_true(run(&r,
                    ROUTINES "body:\n  tag: top\n  let: ?c\n  be: object([type(table)])\n  in:\n"
                             "    - { achieve: tidy(?c) }\n"
                             "    - { if: resolvable(?c), then: { log: yes } }\n"
                             "    - try_in_order: [ { next: \"?c\" }, { log: none } ]\n"
                             "    - { if: not(resolvable(?c)), then: { log: unresolvable } }\n"
                             "    - try_in_order: [ { achieve: tidy(?c) }, { log: still } ]\n"));
    assert_string_equal(rig_notes(&r), "table_1 yes none unresolvable still");
    rig_stop(&r);
}

static void nested_retries_go_through_every_pair(void **state) {
    (void)state;
    rig r;
    // For each table or counter every chair is tried, each time by a description of its own.
    assert_false(run(
        &r,
        "plan: p\nroutines:\n  - { achieve: \"joined(?x, ?y)\", effects: [], body: [ { log: \"?x "
        "?y\" }, { fail: object_unreachable } ] }\n"
        "body:\n  tag: top\n  let: ?place\n  be: object([color(brown), type(table)])\n  in:\n"
        "    on_failure:\n      do:\n"
        "        let: ?c\n        be: object([type(chair)])\n        in:\n"
        "          on_failure:\n            do: { achieve: \"joined(?c, ?place)\" }\n"
        "            handle:\n              - failure: object_unreachable\n"
        "                retry: 1\n                then: { next: \"?c\" }\n"
        "      handle:\n        - failure: object_unreachable\n          retry: 1\n"
        "          then: { log: again }\n"));
    assert_string_equal(rig_notes(&r), "chair_1 table_1 chair_3 table_1 again chair_1 table_1 "
                                       "chair_3 table_1");
    rig_stop(&r);
}

static void a_description_may_name_another_which_is_resolved_first(void **state) {
    (void)state;
    rig r;
    assert_true(run(&r, ROUTINES "body:\n  tag: top\n  let: { f: \"object([type(floor)])\", c: "
                                 "\"object([type(chair), on(?f)])\" }\n"
                                 "  in: { achieve: tidy(?c) }\n"));
    assert_string_equal(rig_notes(&r), "chair_1");
    assert_string_equal(choice(&r, "object", 0)->CHOICE.chosen, "floor");
    assert_string_equal(choice(&r, "object", 1)->CHOICE.question,
                        "object([type(chair), on(floor)])");
    assert_string_equal(rig_record(&r, RECORD_DESIGNATOR, 1)->DESIGNATOR.description,
                        "[type(chair), on(des#1)]");
    rig_stop(&r);
    // A description that names another without a solution has none either.
    assert_false(run(&r, ROUTINES "body:\n  tag: top\n  let: { p: \"object([type(plate)])\", c: "
                                  "\"object([type(chair), on(?p)])\" }\n"
                                  "  in: { achieve: tidy(?c) }\n"));
    assert_reason(&r, "top/in", "designator_reference_failure", "object([type(plate)])");
    rig_stop(&r);
}

static void descriptions_without_or_with_contradictory_properties(void **state) {
    (void)state;
    rig r;
    // Every object fits a description without properties.
    assert_true(run(&r, ROUTINES "body:\n  tag: top\n  let: ?c\n  be: object([])\n"
                                 "  in: { achieve: tidy(?c) }\n"));
    assert_non_null(strstr(choice(&r, "object", 0)->CHOICE.candidates, "table_1"));
    rig_stop(&r);
    assert_false(run(&r, ROUTINES "body:\n  tag: top\n  let: ?c\n"
                                  "  be: \"object([color(brown), color(red)])\"\n"
                                  "  in: { achieve: tidy(?c) }\n"));
    assert_reason(&r, "top/in", "designator_reference_failure",
                  "nothing is believed in that is object([color(brown), color(red)])");
    rig_stop(&r);
    assert_false(run(&r, ROUTINES "body:\n  tag: top\n  let: ?c\n"
                                  "  be: \"object([taste(sweet)])\"\n"
                                  "  in: { achieve: tidy(?c) }\n"));
    assert_reason(&r, "top/in", "designator_reference_failure", "taste");
    rig_stop(&r);
    assert_false(run(&r,
                     ROUTINES "body:\n  tag: top\n  let: ?c\n"
                              "  be: \"object([type(table)])\"\n"
                              "  in: [ { set: \"?c\", to: \"object([type(table), on(?c)])\" }, { "
                              "achieve: tidy(?c) } ]\n"));
    rig_stop(&r);
}

static void descriptions_of_one_object_are_equated(void **state) {
    (void)state;
    rig r;
    assert_true(run(&r, ROUTINES "body:\n  tag: top\n"
                                 "  let: { a: \"object([type(chair)])\", b: \"object([color(brown),"
                                 " on(floor), type(chair)])\" }\n  in:\n"
                                 "    - { achieve: tidy(?a) }\n    - { achieve: tidy(?b) }\n"
                                 "    - { next: \"?a\" }\n"
                                 "    - { achieve: tidy(?b) }\n    - { achieve: tidy(?a) }\n"));
    assert_int_equal(rig_count(&r, RECORD_EQUATION), 1);
    const record *e = rig_record(&r, RECORD_EQUATION, 0);
    assert_string_equal(e->EQUATION.reason, "resolved");
    assert_string_equal(e->EQUATION.solution, "chair_1");
    assert_int_equal(e->EQUATION.designator, rig_record(&r, RECORD_DESIGNATOR, 1)->id);
    assert_int_equal(e->EQUATION.other, rig_record(&r, RECORD_DESIGNATOR, 0)->id);
    assert_int_equal(e->EQUATION.task, rig_task(&r, "top/in/seq[2]")->id);
    // When one goes on to an object that fits both, the other stands for that object, too.
    assert_string_equal(rig_notes(&r), "chair_1 chair_1 chair_3 chair_3");
    rig_stop(&r);
    // Where the object does not fit the other, that one is resolved alone, without what was tried.
    assert_true(run(&r, ROUTINES
                    "body:\n  tag: top\n"
                    "  let: { a: \"object([color(brown)])\", b: \"object([type(table)])\" }\n"
                    "  in:\n    - { equate: [ \"?a\", table_1 ] }\n"
                    "    - { achieve: tidy(?b) }\n    - { next: \"?a\" }\n"
                    "    - { achieve: tidy(?a) }\n"
                    "    - { if: not(resolvable(?b)), then: { log: gone } }\n"));
    assert_string_equal(rig_notes(&r), "table_1 chair_1 gone");
    rig_stop(&r);
}

static void equate_says_that_descriptions_are_of_one_thing(void **state) {
    (void)state;
    rig r;
    // In a chain of equals, the properties of any count for all: only an object that fits all of
    // them fits.
    assert_true(run(&r, ROUTINES
                    "body:\n  tag: top\n"
                    "  let: { a: \"object([color(brown)])\", b: \"object([on(floor)])\", c: "
                    "\"object([type(table)])\" }\n  in:\n"
                    "    - { equate: [ \"?a\", \"?b\" ] }\n    - { equate: [ \"?b\", \"?c\" ] }\n"
                    "    - { achieve: tidy(?a) }\n    - { achieve: tidy(?b) }\n"
                    "    - try_in_order: [ { next: \"?c\" }, { log: none } ]\n"));
    assert_string_equal(rig_notes(&r), "table_1 table_1 none");
    assert_int_equal(rig_count(&r, RECORD_EQUATION), 2);
    assert_string_equal(rig_record(&r, RECORD_EQUATION, 0)->EQUATION.reason, "stated");
    assert_null(rig_record(&r, RECORD_EQUATION, 0)->EQUATION.solution);
    assert_string_equal(choice(&r, "object", 0)->CHOICE.question,
                        "object([color(brown), on(floor), type(table)])");
    assert_string_equal(rig_task(&r, "top/in/seq[1]")->TASK.expr, "equate([des#1, des#2])");
    rig_stop(&r);
    // A description that is equated with an object stands for it, whatever else would fit.
    assert_true(run(&r, ROUTINES "body:\n  tag: top\n  let: ?a\n  be: object([type(chair)])\n"
                                 "  in:\n    - { achieve: tidy(?a) }\n"
                                 "    - { equate: [ \"?a\", chair_2 ] }\n"
                                 "    - { achieve: tidy(?a) }\n    - { next: \"?a\" }\n"
                                 "    - { achieve: tidy(?a) }\n"));
    assert_string_equal(rig_notes(&r), "chair_1 chair_2 chair_1");
    assert_string_equal(rig_record(&r, RECORD_EQUATION, 0)->EQUATION.solution, "chair_2");
    assert_int_equal(rig_record(&r, RECORD_EQUATION, 0)->EQUATION.other, 0);
    rig_stop(&r);
}

static void what_one_has_tried_its_equal_does_not_take(void **state) {
    (void)state;
    rig r;
    assert_true(run(&r, ROUTINES
                    "body:\n  tag: top\n"
                    "  let: { a: \"object([type(chair)])\", b: \"object([type(chair)])\" }\n"
                    "  in:\n    - { achieve: tidy(?a) }\n    - { next: \"?a\" }\n"
                    "    - { equate: [ \"?b\", \"?a\" ] }\n    - { next: \"?b\" }\n"
                    "    - { achieve: tidy(?b) }\n    - { achieve: tidy(?a) }\n"));
    assert_string_equal(rig_notes(&r), "chair_1 chair_4 chair_4");
    rig_stop(&r);
}

static void what_cannot_be_one_thing_is_a_failure(void **state) {
    (void)state;
    static const struct {
        const char *what, *says;
    } cases[] = {{"\"?a\", \"?l\"", "des#1 is of an object, des#2 of an location"},
                 {"\"?a\", table_1, chair_1", "table_1 and chair_1 are not the same"},
                 {"\"?a\", cup_9", "cup_9 is not believed in"},
                 {"\"?a\", cup#9", "cup#9 is not believed in"}};
    for (size_t k = 0; k < 4; k++) {
        rig r;
        char text[400];
        snprintf(text, sizeof text,
                 "plan: p\nbody:\n  tag: top\n  let: { a: \"object([type(chair)])\", l: "
                 "\"location([on(table_1)])\" }\n  in: { equate: [ %s ] }\n",
                 cases[k].what);
        assert_false(run(&r, text));
        assert_reason(&r, "top/in", "designator_reference_failure", cases[k].says);
        rig_stop(&r);
    }
    rig r;
    assert_false(run(&r, "plan: p\nbody: { tag: top, seq: [ { set: \"?x\", to: chair_1 }, { next: "
                         "\"?x\" } ] }\n"));
    assert_reason(&r, "top/seq[2]", "designator_reference_failure", "chair_1 is no description");
    rig_stop(&r);
}

static void routines_take_and_return_descriptions(void **state) {
    (void)state;
    rig r;
    // A routine can take its caller's description on to the next solution.
    assert_true(run(&r, "plan: p\nroutines:\n"
                        "  - { achieve: moved(?x), effects: [], returns: \"?x\", with: { where: "
                        "\"object([type(table)])\" }, body: { on_failure: { do: [ { log: \"?x\" }, "
                        "{ if: \"?x = chair_1\", then: { fail: object_unreachable } } ], handle: [ "
                        "{ failure: object_unreachable, retry: 1, then: { next: \"?x\" } } ] } } "
                        "}\n"
                        "body:\n  tag: top\n  let: ?c\n  be: object([type(chair)])\n  in:\n"
                        "    - { achieve: moved(?c), into: \"?moved\" }\n"
                        "    - { log: \"?c ?moved\" }\n"
                        "    - { if: \"?moved = chair_3\", then: { log: same } }\n"));
    assert_string_equal(rig_notes(&r), "chair_1 chair_3 chair_3 chair_3 same");
    assert_string_equal(rig_task(&r, "top/in/seq[1]")->TASK.result, "chair_3");
    assert_string_equal(rig_values(&r, "moved"), "des#1");
    rig_stop(&r);
    // A pattern matches the object that a description stands for.
    assert_true(run(&r, "plan: p\nroutines:\n"
                        "  - { achieve: \"put(?x, chair_1)\", name: a, effects: [], body: { log: a "
                        "} }\n"
                        "  - { achieve: \"put(?x, ?y)\", name: b, effects: [], body: { log: b } }\n"
                        "body:\n  tag: top\n  let: ?c\n  be: object([type(chair)])\n  in:\n"
                        "    - { achieve: \"put(table_1, ?c)\" }\n    - { next: \"?c\" }\n"
                        "    - { achieve: \"put(table_1, ?c)\" }\n"));
    assert_string_equal(rig_notes(&r), "a b");
    rig_stop(&r);
}

static void descriptions_that_nothing_names_any_more_are_freed(void **state) {
    (void)state;
    rig r;
    rig_start(&r, ROUTINES
              "body:\n  tag: top\n  seq:\n    - { set: \"?kept\", to: \"object([type(table)])\" }\n"
              "    - { set: \"?list\", to: \"[object([type(chair)])]\" }\n"
              "    - { equate: [ \"?kept\", \"object([color(brown)])\" ] }\n"
              "    - loop: { times: 3000, do: { set: \"?c\", to: \"object([type(chair), "
              "on(object([type(floor)]))])\" } }\n"
              "    - { achieve: tidy(?c) }\n    - { achieve: tidy(?kept) }\n"
              "    - { achieve: tidy(first(?list)) }\n"
              "    - { log: \"?c\" }\n");
    assert_true(rig_run(&r, 60));
    assert_string_equal(rig_notes(&r), "chair_1 table_1 chair_1 chair_1");
    // Symbols are not used again: the last one tells how many there were.
    assert_int_equal(rig_count(&r, RECORD_DESIGNATOR), 3 + 2 * 3000);
    const char *values = rig_values(&r, "c");
    assert_string_equal(values + strlen(values) - strlen("des#6003"), "des#6003");
    // The properties of an equal that is gone still hold for the other.
    assert_string_equal(choice(&r, "object", 2)->CHOICE.question,
                        "object([type(table), color(brown)])");
    rig_stop(&r);
}

static void the_same_plan_gives_the_same_names(void **state) {
    (void)state;
    const char *text =
        ROUTINES "body:\n  tag: top\n  par:\n"
                 "    - { let: \"?a\", be: \"object([type(chair)])\", in: { achieve: tidy(?a) } }\n"
                 "    - { let: \"?b\", be: \"object([type(chair)])\", in: { achieve: tidy(?b) } }\n"
                 "    - loop: { times: 200, do: { set: \"?c\", to: \"object([type(table)])\" } }\n";
    char *first = NULL;
    for (int k = 0; k < 2; k++) {
        rig r;
        assert_true(run(&r, text));
        char *all = arena_strdup(r.text, "");
        for (size_t j = 0; rig_record(&r, RECORD_TASK, j); j++)
            all = arena_format(r.text, "%s|%s", all, rig_record(&r, RECORD_TASK, j)->TASK.expr);
        if (k == 0)
            first = strdup(all);
        else
            assert_string_equal(first, all);
        rig_stop(&r);
    }
    free(first);
}

// ---- Places -------------------------------------------------------------------------------------

static void a_described_place_is_gone_to_and_next_is_another(void **state) {
    (void)state;
    rig r;
    assert_true(run(&r, "plan: p\nroutines: [ { achieve: \"loc(robot, ?place)\", name: drive, "
                        "effects: [], body: { log: \"?place\" } }, { achieve: \"put(?x, ?where)\", "
                        "effects: [], body: { log: \"?where\" } } ]\n"
                        "body:\n  tag: top\n  let: { t: \"object([type(table)])\", w: "
                        "\"location([on(?t), near(chair_1)])\" }\n  in:\n"
                        "    - { achieve: \"put(chair_2, ?w)\" }\n    - { next: \"?w\" }\n"
                        "    - { achieve: \"put(chair_2, ?w)\" }\n"));
    const record *first = choice(&r, "location", 0), *second = choice(&r, "location", 1);
    assert_string_equal(first->CHOICE.question, "location([on(table_1), near(chair_1)])");
    assert_non_null(strstr(first->CHOICE.chosen, "table_1"));
    assert_true(strncmp(first->CHOICE.chosen, "at(", 3) == 0);
    assert_string_not_equal(first->CHOICE.chosen, second->CHOICE.chosen);
    assert_non_null(strstr(second->CHOICE.reason, "tried before: at("));
    assert_non_null(strstr(rig_task(&r, "top/in/seq[1]")->TASK.goal, first->CHOICE.chosen));
    assert_string_equal(rig_task(&r, "top/in/seq[3]")->TASK.expr, "achieve(put(chair_2, des#2))");
    rig_stop(&r);
    assert_false(run(&r, ROUTINES "body:\n  tag: top\n  let: ?w\n"
                                  "  be: \"location([on(table_1), on(counter_1)])\"\n"
                                  "  in: { achieve: tidy(?w) }\n"));
    assert_reason(&r, "top/in", "designator_reference_failure", "location([on(table_1)");
    rig_stop(&r);
}

static void a_place_for_the_robot_may_be_described(void **state) {
    (void)state;
    rig r;
    assert_true(run(&r, "plan: p\nroutines: [ { achieve: \"loc(robot, ?place)\", name: drive, "
                        "effects: [], body: { navigate: { to: \"?place\" } } } ]\n"
                        "body:\n  tag: top\n  seq:\n"
                        "    - at_location: { location: \"location([in_front_of(counter_1), "
                        "on(floor), for(robot)])\", do: { log: there } }\n"));
    assert_string_equal(rig_notes(&r), "there");
    const record *c = choice(&r, "location", 0);
    assert_non_null(strstr(rig_task(&r, "top/seq[1]/go")->TASK.goal, c->CHOICE.chosen));
    assert_true(v3_distance(belief_robot(r.belief).p, v3(2, 2.6, 0)) > 0.5);
    rig_stop(&r);
    // A robot that is pushed away goes back to the same place. A list is a description, too.
    rig_start(&r,
              "plan: p\nroutines: [ { achieve: \"loc(robot, ?place)\", name: drive, effects: [], "
              "body: { navigate: { to: \"?place\" } } } ]\n"
              "body:\n  tag: top\n  at_location: { location: \"[in_front_of(counter_1), "
              "on(floor)]\", do: { wait: { seconds: 3 } } }\n");
    while (!rig_task(&r, "top/do"))
        rig_cycles(&r, 1);
    rig_cycles(&r, 10);
    pose before = belief_robot(r.belief);
    r.push = pose_planar(-0.5, 0.2, 0);
    assert_true(rig_run(&r, 60));
    assert_string_equal(rig_task(&r, "top/go@2")->TASK.goal, rig_task(&r, "top/go")->TASK.goal);
    assert_true(v3_distance(belief_robot(r.belief).p, before.p) < 0.1);
    assert_int_equal(rig_count(&r, RECORD_DESIGNATOR), 1);
    rig_stop(&r);
}

static void a_described_region_is_looked_at(void **state) {
    (void)state;
    rig r;
    const char *form = "plan: p\nroutines: [ { achieve: \"perceived(?what, ?region)\", returns: "
                       "\"fitting([chair_1, table_1, chair_2], ?what)\", body: { log: "
                       "\"?region\" } } ]\n"
                       "body:\n  tag: top\n  let: { l: \"location([on(counter_1), near(table_1)])\""
                       ", c: \"object([type(chair)])\" }\n  in:\n"
                       "    - perceive: { a: \"?c\", region: %s, into: \"?found\" }\n"
                       "    - { log: \"?found\" }\n    - { next: \"?c\" }\n"
                       "    - perceive: { a: \"?c\", into: \"?found\", region: on(floor) }\n"
                       "    - { log: \"?found ?c\" }\n";
    static const char *const regions[] = {"\"?l\"", "\"[on(counter_1), near(table_1)]\""};
    for (int k = 0; k < 2; k++) {
        char text[1500];
        snprintf(text, sizeof text, form, regions[k]);
        assert_true(run(&r, text));
        // The object that is found becomes the description's solution; next looks for another.
        assert_string_equal(rig_notes(&r), "on(counter_1) chair_1 on(floor) chair_2 chair_2");
        const record *c = choice(&r, "object", 0);
        assert_int_equal(c->CHOICE.designator, rig_record(&r, RECORD_DESIGNATOR, 1)->id);
        assert_string_equal(c->CHOICE.candidates, "[chair_1, chair_2]");
        rig_stop(&r);
    }
}

// ---- What is believed of them -------------------------------------------------------------------

// Lets the belief see a red cup at each place of the map, in twelve frames that are fused as detect
// does.
static void see_cups(rig *r, const vec3 *places, size_t count) {
    percept seen[4];
    error err = {0};
    belief_look(r->belief);
    for (int frames = 0; frames < 12; frames++) {
        for (size_t k = 0; k < count; k++) {
            pose at = {places[k], {1, 0, 0, 0}};
            seen[k] = (percept){sink_id(&r->log, RECORD_PERCEPT), "cup", "red",
                                pose_mul(pose_inverse(belief_robot(r->belief)), at)};
        }
        reading in = {.kind = READING_CAMERA, .id = 1, .taken = r->now, .delivered = r->now};
        in.camera.count = count;
        in.camera.percepts = seen;
        assert_int_equal(belief_read(r->belief, &in, &err), OK);
    }
    assert_int_equal(belief_fuse(r->belief, 0, r->now, NULL, &err), OK);
}

// Steps after which the robot looks straight ahead at a cup that is a metre before it on the
// counter.
#define AT_COUNTER                                                                                 \
    "    - { navigate: { to: \"at(1.8, 3.6, 90)\" } }\n    - { look_at: { at: counter_1 } }\n"

static void run_until(rig *r, const char *note) {
    while (!strstr(rig_notes(r), note)) {
        bool done;
        assert_false(rig_ended(r, &done));
        rig_cycles(r, 1);
    }
}

static void next_follows_what_is_believed_then(void **state) {
    (void)state;
    rig r;
    static const vec3 both[2] = {{1.8, 4.55, 0.88}, {2.1, 4.55, 0.88}};
    rig_start(&r, ROUTINES "body:\n  tag: top\n  seq:\n" AT_COUNTER
                           "    - { log: there }\n    - { wait: { seconds: 1 } }\n"
                           "    - { set: \"?c\", to: \"object([type(cup)])\" }\n"
                           "    - { achieve: tidy(?c) }\n    - { log: seen }\n"
                           "    - { wait: { seconds: 1 } }\n"
                           "    - { achieve: tidy(?c) }\n    - { next: \"?c\" }\n"
                           "    - { achieve: tidy(?c) }\n"
                           "    - try_in_order: [ { next: \"?c\" }, { log: none } ]\n");
    run_until(&r, "there");
    see_cups(&r, both, 2);
    run_until(&r, "seen");
    // Both cups are gone from their places, and one has appeared elsewhere, which keeps a name.
    const vec3 moved = {1.5, 4.55, 0.88};
    see_cups(&r, &moved, 1);
    see_cups(&r, &moved, 1);
    size_t confirmed = 0;
    for (size_t k = 0; k < belief_object_count(r.belief); k++) {
        const believed_object *o = belief_object(r.belief, k);
        confirmed += strcmp(o->type, "cup") == 0 && o->confirmed;
    }
    assert_int_equal(confirmed, 1);
    assert_true(rig_run(&r, 60));
    // Until next, the description keeps its solution, although that is no longer believed to be
    // anywhere.
    const record *second = choice(&r, "object", 1);
    assert_string_equal(choice(&r, "object", 0)->CHOICE.candidates, "[cup#1, cup#2]");
    assert_string_not_equal(second->CHOICE.chosen, "cup#1");
    assert_null(strstr(second->CHOICE.candidates, "cup#1"));
    assert_non_null(strstr(rig_notes(&r), "seen cup#1"));
    assert_non_null(strstr(rig_notes(&r), "none"));
    rig_stop(&r);
}

static void what_is_gone_is_noticed_by_perception_and_not_before(void **state) {
    (void)state;
    rig r;
    static const vec3 place = {1.8, 4.55, 0.88}, elsewhere = {2.2, 4.55, 0.88};
    rig_start(&r, "plan: p\nroutines: [ { achieve: \"on(?x, ?y)\", effects: [], body: { log: "
                  "\"bring ?x\" } } ]\n"
                  "body:\n  tag: top\n  seq:\n" AT_COUNTER
                  "    - { log: there }\n    - { wait: { seconds: 1 } }\n"
                  "    - { set: \"?c\", to: \"object([type(cup)])\" }\n"
                  "    - { tag: first, achieve: \"on(?c, counter_1)\" }\n"
                  "    - { tag: move, assert: \"on(?c, table_1)\" }\n"
                  "    - { tag: second, achieve: \"on(?c, table_1)\" }\n"
                  "    - { log: placed }\n    - { wait: { seconds: 1 } }\n"
                  "    - { tag: third, achieve: \"on(?c, table_1)\" }\n");
    run_until(&r, "there");
    see_cups(&r, &place, 1);
    run_until(&r, "placed");
    // The robot believes the effects that the plan asserts, and the belief names the task.
    assert_true(rig_task(&r, "top/first")->TASK.skipped);
    assert_true(rig_task(&r, "top/second")->TASK.skipped);
    assert_string_equal(rig_task(&r, "top/second")->TASK.goal, "on(cup#1, table_1)");
    bool derived = false;
    for (size_t k = 0; rig_record(&r, RECORD_BELIEVED_FRAME, k); k++) {
        const record *x = rig_record(&r, RECORD_BELIEVED_FRAME, k);
        derived = derived || (strcmp(x->BELIEVED_FRAME.source, "effect") == 0 &&
                              strcmp(x->BELIEVED_FRAME.parent, "table_1") == 0 &&
                              x->BELIEVED_FRAME.task == rig_task(&r, "top/move")->id);
    }
    assert_true(derived);
    // The camera sees the cup on the counter, so that it is no longer believed to be on the table.
    see_cups(&r, &elsewhere, 1);
    assert_true(rig_run(&r, 60));
    assert_false(rig_task(&r, "top/third")->TASK.skipped);
    assert_non_null(strstr(rig_notes(&r), "placed bring cup#1"));
    rig_stop(&r);
}

// ---- Actions ------------------------------------------------------------------------------------

static void perform_does_a_primitive_action(void **state) {
    (void)state;
    rig r;
    assert_true(run(&r, "plan: p\nbody: { tag: top, perform: { type: wait, seconds: 2 } }\n"));
    const record *t = rig_task(&r, "top");
    assert_int_equal(t->TASK.end_ns, 2 * NANOS_PER_SECOND);
    assert_string_equal(t->TASK.construct, "perform");
    assert_string_equal(t->TASK.expr, "perform(des#1)");
    const record *c = choice(&r, "action", 0);
    assert_string_equal(c->CHOICE.chosen, "wait(seconds(2))");
    assert_string_equal(c->CHOICE.question, "action([type(wait), seconds(2)])");
    assert_int_equal(rig_record(&r, RECORD_OPERATION, 0)->OPERATION.task, t->id);
    rig_stop(&r);
    // The action claims actuators, waits for them, and ends when its task evaporates.
    rig_start(&r, "plan: p\nbody:\n  tag: top\n  pursue:\n"
                  "    - wait: { seconds: 1 }\n"
                  "    - using: { actuators: base, do: { wait: { seconds: 5 } } }\n"
                  "    - perform: \"action([type(navigate), to(at(3, 2.6, 90))])\"\n");
    assert_true(rig_run(&r, 60));
    assert_string_equal(rig_statuses(&r, "top/pursue[3]"), "created active suspended evaporated");
    rig_stop(&r);
    rig_start(&r, "plan: p\nbody:\n  tag: top\n  pursue: [ { wait: { seconds: 1 } }, { perform: "
                  "\"action([type(navigate), to(at(3, 2.6, 90))])\" } ]\n");
    assert_true(rig_run(&r, 60));
    rig_cycles(&r, 100);
    assert_true(r.vx == 0 && r.vy == 0 && r.wz == 0);
    for (size_t k = 0; rig_record(&r, RECORD_OPERATION, k); k++)
        assert_int_not_equal(rig_record(&r, RECORD_OPERATION, k)->OPERATION.end_ns, TIME_OPEN);
    rig_stop(&r);
    assert_false(run(&r, "plan: p\nbody: { tag: top, perform: { type: wait, seconds: 5 }, "
                         "deadline: 1 }\n"));
    assert_string_equal(rig_failure(&r, "top")->FAILURE.class, "action_timed_out");
    assert_int_equal(rig_task(&r, "top")->TASK.end_ns, NANOS_PER_SECOND);
    rig_stop(&r);
}

static void perform_does_a_routine_with_its_effects_and_result(void **state) {
    (void)state;
    rig r;
    assert_true(run(
        &r, "plan: p\nroutines:\n"
            "  - { achieve: \"on(?x, ?y)\", name: put, with: { how: slowly }, returns: \"?how\", "
            "body: [ { log: \"?x ?y ?how\" }, { wait: { seconds: 1 } } ] }\n"
            "body: { tag: top, perform: { type: put, x: chair_1, y: floor, how: fast }, into: "
            "\"?r\" }\n"));
    assert_string_equal(rig_notes(&r), "chair_1 floor fast");
    const record *t = rig_task(&r, "top");
    assert_string_equal(t->TASK.goal, "on(chair_1, floor)");
    assert_string_equal(t->TASK.result, "fast");
    assert_false(t->TASK.skipped);
    assert_string_equal(choice(&r, "action", 0)->CHOICE.chosen,
                        "put(x(chair_1), y(floor), how(fast))");
    assert_string_equal(choice(&r, "routine", 0)->CHOICE.chosen, "put");
    assert_non_null(rig_task(&r, "top/put"));
    bool derived = false;
    for (size_t k = 0; rig_record(&r, RECORD_BELIEVED_FRAME, k); k++) {
        const record *x = rig_record(&r, RECORD_BELIEVED_FRAME, k);
        derived = derived || (x->BELIEVED_FRAME.task == t->id &&
                              strcmp(x->BELIEVED_FRAME.source, "effect") == 0);
    }
    assert_true(derived);
    rig_stop(&r);
    assert_false(
        run(&r, "plan: p\nroutines: [ { achieve: \"long(?x)\", body: { wait: { seconds: 9 } } } ]\n"
                "body: { tag: top, perform: { type: long, x: 1 }, deadline: 2 }\n"));
    assert_reason(&r, "top", "action_timed_out", "long was not done within 2 s");
    assert_int_equal(rig_task(&r, "top")->TASK.end_ns, 2 * NANOS_PER_SECOND);
    assert_string_equal(rig_statuses(&r, "top/long"), "created active evaporated");
    rig_stop(&r);
}

#define TAKE                                                                                       \
    "plan: p\nroutines:\n"                                                                         \
    "  - { achieve: \"taken(?object, ?arm)\", name: take, guard: \"?arm != %s\", effects: [], "    \
    "body: [ { log: \"?object ?arm\" }, { fail: object_unreachable } ] }\n"                        \
    "  - { achieve: \"taken(?object, ?arm)\", name: take_slowly, effects: [], body: { log: "       \
    "\"slowly ?object ?arm\" } }\n"

static void next_of_an_action_goes_through_arms_and_routines(void **state) {
    (void)state;
    rig r;
    char text[2000];
    const char *form = TAKE "body:\n  tag: top\n  let: ?act\n"
                            "  be: \"action([type(taken), object(object([type(chair)]))])\"\n"
                            "  in:\n    on_failure:\n      do: { perform: \"?act\" }\n"
                            "      handle:\n        - failure: object_unreachable\n"
                            "          retry: 5\n          then: { next: \"?act\" }\n";
    snprintf(text, sizeof text, form, "none");
    assert_true(run(&r, text));
    assert_string_equal(rig_notes(&r), "chair_1 left chair_1 right slowly chair_1 left");
    assert_string_equal(choice(&r, "action", 0)->CHOICE.candidates,
                        "[take(object(chair_1), arm(left)), take(object(chair_1), arm(right)), "
                        "take_slowly(object(chair_1), arm(left)), take_slowly(object(chair_1), "
                        "arm(right))]");
    assert_non_null(strstr(choice(&r, "action", 2)->CHOICE.reason, "tried before: take(object("));
    rig_stop(&r);
    // An action that a guard forbids is no candidate, and the choice says so.
    snprintf(text, sizeof text, form, "left");
    assert_true(run(&r, text));
    assert_string_equal(rig_notes(&r), "chair_1 right slowly chair_1 left");
    assert_non_null(strstr(choice(&r, "action", 0)->CHOICE.reason, "left != left: false"));
    rig_stop(&r);
}

static void an_action_that_cannot_be_done_says_why(void **state) {
    (void)state;
    static const struct {
        const char *what, *says;
    } cases[] = {
        {"{ type: putt, x: 1 }", "no routine and no action is named putt; did you mean 'put'?"},
        {"{ type: put, x: 1 }", "put needs y"},
        {"{ type: put, x: 1, y: 2, z: 3 }", "put takes no 'z'"},
        {"{ x: 1 }", "needs one type(Name)"},
        {"{ type: wait }", "wait"},
        {"{ type: wait, second: 2 }", "second"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rig r;
        char text[400];
        snprintf(text, sizeof text,
                 "plan: p\nroutines: [ { achieve: \"put(?x, ?y)\", body: { log: x } } ]\nbody: { "
                 "tag: top, perform: %s }\n",
                 cases[k].what);
        assert_false(run(&r, text));
        assert_reason(&r, "top", "designator_reference_failure", cases[k].says);
        rig_stop(&r);
    }
    rig r;
    assert_false(run(&r, "plan: p\nbody: { tag: top, let: \"?x\", be: chair_1, in: { perform: "
                         "\"?x\" } }\n"));
    assert_reason(&r, "top/in", "designator_reference_failure",
                  "chair_1 is no description of an action");
    rig_stop(&r);
}

// ---- Routines to choose from --------------------------------------------------------------------

#define THREE                                                                                      \
    "plan: p\nroutines:\n"                                                                         \
    "  - { achieve: tidy(?x), name: never, guard: \"on(_, ?x)\", effects: [], body: { log: never " \
    "} }\n"                                                                                        \
    "  - { achieve: tidy(?x), name: one, effects: [], body: [ { log: one }, { fail: "              \
    "object_unreachable } ] }\n"                                                                   \
    "  - { achieve: tidy(?x), name: two, guard: \"type(?x, %s)\", effects: [], body: [ { log: two" \
    " }, { fail: searching_failed } ] }\n"                                                         \
    "  - { achieve: tidy(?x), name: three, effects: [], body: %s }\n"

static void alternatives_are_entered_one_after_another(void **state) {
    (void)state;
    rig r;
    char text[1500];
    const char *form = THREE "body: { tag: top, achieve: tidy(table_1), alternatives: true }\n";
    snprintf(text, sizeof text, form, "table", "{ log: three }");
    assert_true(run(&r, text));
    assert_string_equal(rig_notes(&r), "one two three");
    assert_string_equal(choice(&r, "routine", 1)->CHOICE.chosen, "two");
    assert_string_equal(choice(&r, "routine", 1)->CHOICE.candidates, "[never, one, two, three]");
    assert_string_equal(choice(&r, "routine", 1)->CHOICE.reason,
                        "never: was tried; one: was tried; two: type(table_1, table): believed; "
                        "three: comes later");
    // The failure of the first routine is handled.
    assert_int_equal(rig_failure(&r, "top/one")->FAILURE.handled_by, rig_task(&r, "top")->id);
    assert_string_equal(rig_values(&r, "x"), "table_1 table_1 table_1");
    rig_stop(&r);
    // When all fail, the goal's failure has their nearest common class and all of their reasons.
    snprintf(text, sizeof text, form, "table", "{ fail: searching_failed }");
    assert_false(run(&r, text));
    assert_reason(&r, "top", "high_level_failure", "all 3 failed: object_unreachable");
    rig_stop(&r);
    // A routine whose guard is not believed when its turn comes is left out.
    snprintf(text, sizeof text, form, "chair", "{ log: three }");
    assert_true(run(&r, text));
    assert_string_equal(rig_notes(&r), "one three");
    rig_stop(&r);
    // Without the key `alternatives`, the goal fails as its first routine.
    snprintf(text, sizeof text, THREE "body: { tag: top, achieve: tidy(table_1) }\n", "table",
             "{ log: three }");
    assert_false(run(&r, text));
    assert_string_equal(rig_notes(&r), "one");
    assert_string_equal(rig_failure(&r, "top")->FAILURE.class, "object_unreachable");
    rig_stop(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_description_is_resolved_when_it_is_first_used),
        cmocka_unit_test(the_next_solution_of_a_description_is_a_pulse_of_it),
        cmocka_unit_test(an_alternative_does_not_see_the_steps_of_the_routine_that_failed),
        cmocka_unit_test(who_asks_whether_a_place_has_a_solution_resolves_what_it_is_described_by),
        cmocka_unit_test(functions_conditions_and_effects_see_what_is_described),
        cmocka_unit_test(next_takes_what_was_not_tried_and_survives_retry),
        cmocka_unit_test(when_none_is_left_next_fails_and_says_how_many_were_tried),
        cmocka_unit_test(nested_retries_go_through_every_pair),
        cmocka_unit_test(a_description_may_name_another_which_is_resolved_first),
        cmocka_unit_test(descriptions_without_or_with_contradictory_properties),
        cmocka_unit_test(descriptions_of_one_object_are_equated),
        cmocka_unit_test(equate_says_that_descriptions_are_of_one_thing),
        cmocka_unit_test(what_one_has_tried_its_equal_does_not_take),
        cmocka_unit_test(what_cannot_be_one_thing_is_a_failure),
        cmocka_unit_test(routines_take_and_return_descriptions),
        cmocka_unit_test(descriptions_that_nothing_names_any_more_are_freed),
        cmocka_unit_test(the_same_plan_gives_the_same_names),
        cmocka_unit_test(a_described_place_is_gone_to_and_next_is_another),
        cmocka_unit_test(a_place_for_the_robot_may_be_described),
        cmocka_unit_test(a_described_region_is_looked_at),
        cmocka_unit_test(next_follows_what_is_believed_then),
        cmocka_unit_test(what_is_gone_is_noticed_by_perception_and_not_before),
        cmocka_unit_test(perform_does_a_primitive_action),
        cmocka_unit_test(perform_does_a_routine_with_its_effects_and_result),
        cmocka_unit_test(next_of_an_action_goes_through_arms_and_routines),
        cmocka_unit_test(an_action_that_cannot_be_done_says_why),
        cmocka_unit_test(alternatives_are_entered_one_after_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
