// tests/plans/test_load.c - loading plans: trees, routines, parameters, and every mistake with its
// line.
#include "plans/tree.h"
#include "tests/testlib.h"

// The plan of a text, or its errors, each "line:column: text\n".
typedef struct loaded {
    status s;
    plan *p;
    char errors[8192];
    char *folder;
} loaded;

static void add_errors(loaded *l, const errors *list) {
    for (size_t k = 0; k < list->count; k++) {
        size_t length = strlen(l->errors);
        const char *name = strrchr(list->items[k].file, '/');
        snprintf(l->errors + length, sizeof l->errors - length, "%s%s%d:%d: %s\n",
                 name && strcmp(name + 1, "plan.yaml") != 0 ? name + 1 : "",
                 name && strcmp(name + 1, "plan.yaml") != 0 ? ":" : "", list->items[k].line,
                 list->items[k].column, list->items[k].text);
    }
}

static loaded load_with(const char *text, const char *routines, const settings *set) {
    loaded l = {.folder = testlib_folder()};
    char *path = testlib_write(l.folder, "plan.yaml", text);
    if (routines)
        free(testlib_write(l.folder, "mine.yaml", routines));
    errors list = {0};
    l.s = plan_load(path, FORESEE_SOURCE_DIR "/plans", set, &l.p, &list);
    add_errors(&l, &list);
    errors_finish(&list);
    free(path);
    return l;
}

static loaded load(const char *text) {
    return load_with(text, NULL, NULL);
}

static void finish(loaded *l) {
    if (l->s == OK)
        plan_destroy(l->p);
    testlib_remove(l->folder);
}

static void assert_refused(const char *text, const char *expected) {
    loaded l = load(text);
    assert_int_not_equal(l.s, OK);
    if (!strstr(l.errors, expected))
        fail_msg("expected\n%s\nin\n%s", expected, l.errors);
    finish(&l);
}

static void a_plan_becomes_a_tree_with_static_paths(void **state) {
    (void)state;
    loaded l =
        load("plan: set\nprojection: { world: ../w.yaml, robot: r.yaml, set: { "
             "world.gripper_friction: 0.8, log.tolerance_mm: 0 } }\n"
             "body:\n  tag: top\n  goal: on(?plate, table)\n  seq:\n    - tag: see\n      act: "
             "{}\n    - par:\n        - { log: a }\n        - [ { log: b }, { log: c } ]\n"
             "    - tag: bring\n      on_failure:\n        do:\n          - { log: d }\n          "
             "- { log: e }\n        handle:\n          - { failure: x, retry: 2 }\n          - { "
             "failure: [ y, z ], then: { log: f } }\n        clean_up: { log: g }\n");
    assert_string_equal(l.errors, "");
    const plan_node *top = plan_body(l.p);
    assert_string_equal(top->path, "top");
    assert_int_equal(top->kind, CONSTRUCT_SEQ);
    assert_int_equal(top->child_count, 3);
    static const char *const paths[] = {"top/see",
                                        "top/seq[2]",
                                        "top/seq[2]/par[1]",
                                        "top/seq[2]/par[2]/seq[2]",
                                        "top/bring/do/seq[1]",
                                        "top/bring/handle[2]",
                                        "top/bring/clean_up"};
    for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) {
        const plan_node *n = plan_find(l.p, paths[k]);
        assert_non_null(n);
        assert_string_equal(n->path, paths[k]);
    }
    assert_null(plan_find(l.p, "top/bring/handle[1]"));
    assert_int_equal(plan_find(l.p, "top/see")->kind, CONSTRUCT_ACTION);
    assert_string_equal(plan_find(l.p, "top/see")->name, "act");
    assert_int_equal(plan_find(l.p, "top/bring")->clauses[0].retry, 2);
    assert_string_equal(plan_find(l.p, "top/bring")->clauses[1].classes[1], "z");
    assert_string_equal(plan_name(l.p), "set");
    assert_non_null(strstr(plan_world(l.p), "/../w.yaml"));
    assert_string_equal(plan_settings(l.p)->items[0].scope, "world");
    assert_string_equal(plan_settings(l.p)->items[0].value, "0.8");
    assert_int_equal(term_list_length(plan_goal(l.p)), 1);
    assert_string_equal(plan_source_at(l.p, 0)->name, "plan.yaml");
    finish(&l);
}

static void paths_survive_edits_elsewhere_where_steps_have_tags(void **state) {
    (void)state;
    loaded a = load("plan: p\nbody: { tag: top, seq: [ { tag: x, log: x }, { tag: y, par: [ { log: "
                    "y } ] } ] }\n");
    loaded b = load("plan: p\nbody: { tag: top, seq: [ { log: new }, { tag: y, par: [ { log: y } ] "
                    "}, { tag: x, log: x } ] }\n");
    assert_non_null(plan_find(a.p, "top/y/par[1]"));
    assert_non_null(plan_find(b.p, "top/y/par[1]"));
    finish(&a);
    finish(&b);
}

static void parameters_fill_the_plan_and_its_routines(void **state) {
    (void)state;
    const char *text = "plan: p\nparameters: { n: { type: integer, default: 3, doc: d } "
                       "}\nroutines: [ mine.yaml ]\n"
                       "body: { loop: { times: $n, do: { achieve: \"tidy($n)\" } } }\n";
    const char *mine = "parameters: { n: { type: integer, default: 7, doc: d }, m: { type: number, "
                       "default: 0.5, doc: d } }\n"
                       "routines: [ { achieve: tidy(?x), body: { log: \"$n $m\" } } ]\n";
    loaded l = load_with(text, mine, NULL);
    assert_string_equal(l.errors, "");
    // The plan's declaration goes before the routines' of the same name.
    assert_string_equal(plan_routine_at(l.p, 0)->body->text, "3 0.5");
    assert_int_equal(plan_parameters(l.p)->count, 2);
    finish(&l);
    settings set = {0};
    array_push(&set, (setting){"plan", "n", "5"});
    array_push(&set, (setting){"plan", "m", "0.25"});
    array_push(&set, (setting){"world", "unknown", "1"});
    l = load_with(text, mine, &set);
    assert_string_equal(l.errors, "");
    assert_string_equal(plan_routine_at(l.p, 0)->body->text, "5 0.25");
    finish(&l);
    set.items[0].name = "nn";
    l = load_with(text, mine, &set);
    assert_int_equal(l.s, E_USAGE);
    assert_non_null(strstr(l.errors, "no parameter 'plan.nn'; did you mean 'plan.n'?"));
    finish(&l);
    array_finish(&set);
}

// The text that a step of this path has under a key; NULL: none.
static const char *step_text(const plan *p, const char *path, const char *key) {
    for (size_t i = 0; i < plan_step_text_count(p); i++) {
        const plan_step_text *t = plan_step_text_at(p, i);
        if (strcmp(t->path, path) == 0 && strcmp(t->key, key) == 0)
            return t->text;
    }
    return NULL;
}

static void the_texts_of_steps_are_kept_as_the_file_has_them(void **state) {
    (void)state;
    loaded l = load("plan: p\nparameters: { side: { type: symbol, default: left, doc: d } }\n"
                    "routines: [ pick_and_place.yaml,"
                    " { achieve: \"put(?x, ?y)\", body: { log: x } } ]\n"
                    "body:\n"
                    "  - { tag: look, perceive: { a: cup, into: \"?cup\" } }\n"
                    "  - achieve: put(?cup,  \"a\\\"b\") # as it stands\n"
                    "    into: ?done\n"
                    "  - move_arm:\n"
                    "      arm: '$side'\n"
                    "      to: \"before(?cup)\"\n"
                    "  - log: nothing\n");
    assert_string_equal(l.errors, "");
    assert_string_equal(step_text(l.p, "body/look", "into"), "?cup");
    assert_string_equal(step_text(l.p, "body/seq[2]", "achieve"), "put(?cup,  \"a\\\"b\")");
    assert_string_equal(step_text(l.p, "body/seq[2]", "into"), "?done");
    assert_string_equal(step_text(l.p, "body/seq[3]", "arm"), "$side");
    assert_string_equal(step_text(l.p, "body/seq[3]", "to"), "before(?cup)");
    assert_null(step_text(l.p, "body/seq[4]", "log"));
    assert_int_equal(plan_step_text_at(l.p, 4)->line, 8);
    assert_string_equal(plan_step_text_at(l.p, 4)->file, plan_source_at(l.p, 0)->name);
    finish(&l);
}

static void routines_are_found_beside_the_plan_then_in_the_library(void **state) {
    (void)state;
    loaded l = load_with(
        "plan: p\nroutines: [ mine.yaml, pick_and_place.yaml ]\nbody: { achieve: object_in_hand(x) "
        "}\n",
        "routines: [ { achieve: object_in_hand(?o), name: mine, body: { log: mine } } ]\n", NULL);
    assert_string_equal(l.errors, "");
    // In the order in which they are named: the first that matches is asked first.
    assert_string_equal(plan_routine_at(l.p, 0)->name, "mine");
    assert_true(plan_routine_count(l.p) > 5);
    assert_int_equal(plan_source_count(l.p), 3);
    assert_string_equal(plan_source_at(l.p, 2)->name, "pick_and_place.yaml");
    assert_string_equal(plan_source_at(l.p, 2)->kind, "routine");
    finish(&l);
}

static void a_routine_of_a_file_named_earlier_overrides_one_of_the_same_name(void **state) {
    (void)state;
    loaded l = load("plan: p\nroutines:\n  - { achieve: \"loc(robot, ?p)\", name: go, body: { log: "
                    "own } }\n  - pick_and_place.yaml\nbody: { log: x }\n");
    assert_string_equal(l.errors, "");
    size_t named_go = 0;
    for (size_t k = 0; k < plan_routine_count(l.p); k++)
        named_go += strcmp(plan_routine_at(l.p, k)->name, "go") == 0;
    assert_int_equal(named_go, 1);
    assert_int_equal(plan_routine_at(l.p, 0)->body->kind, CONSTRUCT_LOG);
    finish(&l);
}

static void all_mistakes_are_told_at_once_each_with_its_place(void **state) {
    (void)state;
    loaded l = load("plan: p\nbodi: 1\nprojection: { wrld: a, set: { friction: 1, wrold.x: 2 } "
                    "}\nroutines: [ nowhere.yaml ]\n"
                    "body:\n  seq:\n    - sequence: [ ]\n    - log: ?y is\n    - { tag: Bad, log: "
                    "x }\n    - { loop: { times: 2, while: \"1 < 2\", do: { log: x } } }\n");
    assert_int_equal(l.s, E_INPUT);
    static const char *const expected[] = {
        "2:1: unknown key 'bodi'; did you mean 'body'?",
        "3:15: unknown key 'wrld'; did you mean 'world'?",
        "3:31: 'friction' must be written scope.name, as world.gripper_friction",
        "3:44: unknown scope of 'wrold.x'; known: world, robot, log",
        "4:13: no routines 'nowhere.yaml'",
        "7:7: unknown construct 'sequence'; did you mean 'seq'?",
        "8:12: ?y has no value here",
        "9:14: tag must be a name",
        "a loop has one of while:"};
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        if (!strstr(l.errors, expected[k]))
            fail_msg("expected\n%s\nin\n%s", expected[k], l.errors);
    }
    finish(&l);
}

static const char *const SOME_ACTIONS[] = {"navigate", "wait", "open_gripper", NULL};
static const char *const SOME_ARGUMENTS[] = {"!navigate.to", "navigate.speed", "!wait.seconds",
                                             "!open_gripper.arm", NULL};

static void a_mistake_hides_no_other(void **state) {
    (void)state;
    loaded l = {.folder = testlib_folder()};
    char *path = testlib_write(l.folder, "plan.yaml",
                               "plan: p\nprojection: { world: w.yaml }\nbody:\n"
                               "  - wait: 1\n  - navigate: 3\n  - navigat: { to: home }\n"
                               "  - sequence: [ { wiat: { seconds: 1 } } ]\n"
                               "  - wait: { second: 1 }\n  - frobnicate: 3\n    into: ?x\n"
                               "  - log: ?x\n  - achieve: on(cup, tabel_1)\n");
    static const char *const things[] = {"table_1", "cup", NULL}, *const none[] = {NULL};
    plan_names names = {
        .objects = things, .regions = none, .actions = SOME_ACTIONS, .arguments = SOME_ARGUMENTS};
    errors list = {0};
    assert_int_equal(plan_read(path, NULL, NULL, &names, &l.p, &list), E_INPUT);
    assert_non_null(l.p);
    assert_non_null(strstr(plan_world(l.p), "w.yaml"));
    assert_int_equal(plan_check(l.p, &names, &list), E_INPUT);
    add_errors(&l, &list);
    static const char *const expected[] = {
        "4:5: `wait` takes a map: wait: { seconds: 1 }",
        "5:5: `navigate` takes a map: navigate: { to: 3 }",
        "6:5: unknown construct or action 'navigat'; did you mean 'navigate'?",
        "7:5: unknown construct 'sequence'; did you mean 'seq'?",
        "7:17: unknown construct or action 'wiat'; did you mean 'wait'?",
        "8:5: wait needs seconds:",
        "9:5: unknown construct 'frobnicate'",
        "12:5: no routine achieves on",
        "12:22: unknown object 'tabel_1'; did you mean 'table_1'?"};
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        if (!strstr(l.errors, expected[k]))
            fail_msg("expected\n%s\nin\n%s", expected[k], l.errors);
    }
    assert_null(strstr(l.errors, "11:")); // ?x has its value from the step that is wrong
    errors_finish(&list);
    plan_destroy(l.p);
    testlib_remove(l.folder);
    free(path);
}

static void routines_are_read_without_a_plan(void **state) {
    (void)state;
    plan_names names = {.actions = SOME_ACTIONS, .arguments = SOME_ARGUMENTS};
    errors list = {0};
    loaded l = {.folder = testlib_folder()};
    char *path = testlib_write(l.folder, "mine.yaml",
                               "library: mine\nroutines:\n  - achieve: tidy(?x)\n    body:\n"
                               "      - achieve: elsewhere(?x)\n      - wait: { seconds: 1 }\n");
    assert_int_equal(plan_read(path, NULL, NULL, &names, &l.p, &list), OK);
    assert_int_equal(plan_routine_count(l.p), 1);
    assert_int_equal(plan_check(l.p, &names, &list), OK);
    plan_destroy(l.p);
    free(path);
    path = testlib_write(l.folder, "mine.yaml",
                         "library: mine\nroutines:\n  - achieve: tidy(?x)\n    body:\n"
                         "      - wait: 1\n      - log: ?y\n      - achieve: tydy(?x)\n");
    assert_int_equal(plan_read(path, NULL, NULL, &names, &l.p, &list), E_INPUT);
    add_errors(&l, &list);
    assert_non_null(strstr(l.errors, "mine.yaml:5:9: `wait` takes a map"));
    assert_non_null(strstr(l.errors, "mine.yaml:6:14: ?y has no value here"));
    assert_non_null(strstr(l.errors, "mine.yaml:7:9: no routine achieves tydy/1; did you mean"));
    plan_destroy(l.p);
    errors_finish(&list);
    plan *none = NULL;
    assert_int_not_equal(plan_load(path, NULL, NULL, &none, &list), OK); // it cannot be run
    assert_null(none);
    errors_finish(&list);
    testlib_remove(l.folder);
    free(path);
}

static void wrong_steps_are_refused(void **state) {
    (void)state;
    assert_refused("plan: p\n", "a plan needs a body:");
    assert_refused("body: { log: x }\n", "a plan needs plan: with its name");
    assert_refused("[ 1 ]\n", "this must be a map with the key 'plan:'");
    assert_refused("plan: p\nbody:\n", "a step is missing here");
    assert_refused("plan: p\nbody: { tag: x }\n", "this step says nothing to do");
    assert_refused("plan: p\nbody: { seq: [], par: [] }\n",
                   "a step is one construct; this one is both 'seq' and 'par'");
    assert_refused("plan: p\nbody: { seq: x }\n", "'seq' takes a list of steps");
    assert_refused("plan: p\nbody: seq\n", "'seq' needs a value");
    assert_refused("plan: p\nbody: { if: \"true\" }\n", "'if' needs then:");
    assert_refused("plan: p\nbody: { let: x, be: 1, in: { log: x } }\n",
                   "let must be a variable, written ?name, not 'x'");
    assert_refused("plan: p\nbody: { log: x, thn: y }\n", "unknown key 'thn'");
    assert_refused("plan: p\nbody: { achieve: \"on(Plate, table)\" }\n", "did you mean '?plate'");
    assert_refused("plan: p\nbody: { on_failure: { do: { log: x } } }\n",
                   "'on_failure' needs handle: or clean_up:");
    assert_refused(
        "plan: p\nbody: { on_failure: { do: { log: x }, handle: [ { failure: y } ] } }\n",
        "a clause needs retry: or then:");
    assert_refused(
        "plan: p\nbody: { on_failure: { do: { log: x }, handle: [ { failure: y, retry: 0 } ] } }\n",
        "retry: must be at least 1");
    assert_refused("plan: p\nbody: { perceive: { region: on(x) } }\n",
                   "perceive: needs one of a:, the: and all:");
    assert_refused("plan: p\nbody: { wait_for: \"true\", timeout: -1 }\n",
                   "timeout must be seconds over 0");
    assert_refused("plan: p\nbody: { seq: [ { tag: a, log: x }, { tag: a, log: y } ] }\n",
                   "two steps have the path 'body/a'");
    assert_refused("plan: p\nbody: { partial_order: [ { tag: a, log: x }, { tag: b, log: y } ], "
                   "before: [ [a, c] ] }\n",
                   "no step here has the tag 'c'");
    assert_refused("plan: p\nbody: { partial_order: [ { tag: a, log: x }, { tag: b, log: y } ], "
                   "before: [ [a, b], [b, a] ] }\n",
                   "these orderings form a cycle");
    assert_refused("plan: p\nbody: { fail: { reason: x } }\n",
                   "2:15: 'fail' needs class: with a failure class");
    assert_refused("plan: p\nbody: { achieve: fly(x) }\n",
                   "1 arguments; name its file under routines:");
    assert_refused(
        "plan: p\nroutines: [ pick_and_place.yaml ]\nbody: { achieve: object_in_hnd(x) }\n",
        "did you mean 'object_in_hand'?");
    assert_refused("plan: p\nroutines: [ { achieve: a(?x), with: { speed: 1 }, body: { log: x } } "
                   "]\nbody: { achieve: a(1), with: { sped: 2 } }\n",
                   "no routine for this takes 'sped'; did you mean 'speed'?");
    assert_refused("plan: p\nroutines: [ { achieve: a(?x), body: { log: x } }, { achieve: a(?x), "
                   "body: { log: x } } ]\nbody: { log: x }\n",
                   "another routine here is named 'a' (line 2); give this one a name:");
    assert_refused(
        "plan: p\nroutines: [ pick_and_place.yaml, pick_and_place.yaml ]\nbody: { log: x }\n",
        "named twice");
    assert_refused("plan: p\nroutines: [ { achieve: tidy(?x), guard: \"on(?y, ?x)\", body: { log: "
                   "x } } ]\nbody: { log: x }\n",
                   "?y has no value here");
}

static void variables_have_values_only_where_they_are_in_scope(void **state) {
    (void)state;
    assert_refused("plan: p\nbody: { seq: [ { let: \"?x\", be: 1, in: { log: \"?x\" } }, { log: "
                   "\"?x\" } ] }\n",
                   "2:64: ?x has no value here");
    assert_refused("plan: p\nbody: { let: \"?plates\", be: \"[]\", in: { if: \"empty(?plate)\", "
                   "then: { log: x } } }\n",
                   "?plate has no value here; did you mean ?plates?");
    assert_refused("plan: p\nbody: { loop: { for_each: \"?i\", of: \"?i\", do: { log: x } } }\n",
                   "?i has no value here");
    loaded l = load(
        "plan: p\nbody: { seq: [ { do_it: {}, into: \"?r\" }, { log: \"?r\" }, { on_failure: { do: "
        "{ log: x }, handle: [ { failure: a, as: \"?w\", then: { log: \"?w\" } } ] } },\n"
        "  { loop: { for_each: \"?i\", of: \"[1]\", do: { set: \"?n\", to: \"?i\" } } }, { log: "
        "\"?n\" } ] }\n");
    assert_string_equal(l.errors, "");
    finish(&l);
}

static void names_are_checked_against_the_scene(void **state) {
    (void)state;
    static const char *const objects[] = {"table_1", "counter_1", NULL},
                             *const regions[] = {"place_1", NULL}, *const types[] = {"plate", NULL};
    static const char *const actions[] = {"navigate", "wait", NULL}, *const arguments[] = {
                                                                         "!navigate.to",
                                                                         "navigate.speed",
                                                                         "!wait.seconds", NULL};
    static const char *const failures[] = {"plan_failure", "searching_failed", NULL};
    plan_names names = {.objects = objects,
                        .regions = regions,
                        .types = types,
                        .actions = actions,
                        .arguments = arguments,
                        .failures = failures};
    loaded l = load("plan: p\nroutines: [ { achieve: \"on(?x, ?y)\", body: { log: a } }, { "
                    "achieve: \"within(?x, ?y)\", body: { log: b } }, { achieve: \"perceived(?x, "
                    "?y)\", body: { log: c } } ]\nbody:\n  tag: top\n  seq:\n"
                    "    - { navigat: { to: \"at(1, 2, 3)\" } }\n    - { navigate: { sped: 1 } }\n "
                    "   - { achieve: \"on(plate#1, tabel_1)\" }\n"
                    "    - { achieve: \"within(a(plat), plac_1)\" }\n    - { fail: serching_failed "
                    "}\n    - { perceive: { all: { type: plate }, region: on(counter_1) } }\n"
                    "    - { on_failure: { do: { wait: { seconds: 1 } }, handle: [ { failure: "
                    "plan_failur, retry: 1 } ] } }\n");
    assert_string_equal(l.errors, "");
    errors list = {0};
    assert_int_equal(plan_check(l.p, &names, &list), E_INPUT);
    add_errors(&l, &list);
    errors_finish(&list);
    static const char *const expected[] = {
        "6:7: unknown construct or action 'navigat'; did you mean 'navigate'?",
        "7:21: unknown argument of navigate 'sped'; did you mean 'speed'?",
        "7:7: navigate needs to:",
        "8:31: unknown object 'tabel_1'; did you mean 'table_1'?",
        "9:28: unknown type 'plat'; did you mean 'plate'?",
        "9:35: unknown region 'plac_1'; did you mean 'place_1'?",
        "10:7: unknown failure class 'serching_failed'; did you mean 'searching_failed'?",
        "12:74: unknown failure class 'plan_failur'; did you mean 'plan_failure'?"};
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        if (!strstr(l.errors, expected[k]))
            fail_msg("expected\n%s\nin\n%s", expected[k], l.errors);
    }
    finish(&l);
}

static void shipped_plans_and_routines_load(void **state) {
    (void)state;
    static const char *const plans[] = {"default", "wet_grippers", "hidden_cup", "odometry_bias",
                                        "household_instructions"};
    for (size_t k = 0; k < sizeof plans / sizeof *plans; k++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/examples/table_setting/%s.yaml", FORESEE_SOURCE_DIR,
                 plans[k]);
        loaded l = {.folder = testlib_folder()};
        errors list = {0};
        l.s = plan_load(path, FORESEE_SOURCE_DIR "/plans", NULL, &l.p, &list);
        add_errors(&l, &list);
        errors_finish(&list);
        assert_string_equal(l.errors, "");
        assert_true(term_list_length(plan_goal(l.p)) >= 1);
        finish(&l);
    }
}

static void every_construct_has_a_name_and_documentation(void **state) {
    (void)state;
    for (int k = 0; k < CONSTRUCT_COUNT; k++) {
        assert_true(strlen(construct_name((construct)k)) > 0);
        assert_true(strlen(construct_doc((construct)k)) > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_becomes_a_tree_with_static_paths),
        cmocka_unit_test(paths_survive_edits_elsewhere_where_steps_have_tags),
        cmocka_unit_test(parameters_fill_the_plan_and_its_routines),
        cmocka_unit_test(the_texts_of_steps_are_kept_as_the_file_has_them),
        cmocka_unit_test(routines_are_found_beside_the_plan_then_in_the_library),
        cmocka_unit_test(a_routine_of_a_file_named_earlier_overrides_one_of_the_same_name),
        cmocka_unit_test(all_mistakes_are_told_at_once_each_with_its_place),
        cmocka_unit_test(a_mistake_hides_no_other),
        cmocka_unit_test(routines_are_read_without_a_plan),
        cmocka_unit_test(wrong_steps_are_refused),
        cmocka_unit_test(variables_have_values_only_where_they_are_in_scope),
        cmocka_unit_test(names_are_checked_against_the_scene),
        cmocka_unit_test(shipped_plans_and_routines_load),
        cmocka_unit_test(every_construct_has_a_name_and_documentation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
