// tests/plans/test_tree.c - what the constructs and descriptions of a text become in the tree, and
// the paths that name them.
#include "tests/plans/plan_text.h"
#include "tests/testlib.h"

static checked read_plan(const char *text) {
    checked c = plan_text_check(text, NULL, &ROBOT_NAMES, NULL);
    assert_string_equal(c.errors, "");
    return c;
}

static void assert_term(const term *t, const char *expected) {
    char text[512];
    assert_non_null(t);
    term_format(t, text, sizeof text);
    assert_string_equal(text, expected);
}

// ---- Descriptions -------------------------------------------------------------------------------

// The value that `let: ?x` with this `be:` has.
static void assert_description(const char *yaml, const char *expected) {
    char text[1024];
    snprintf(
        text, sizeof text,
        "plan: p\nroutines: [ { achieve: \"pour(?object, ?arm)\", body: { log: x } } ]\n"
        "body:\n  let: { plate: plate#1 }\n  in:\n    let: ?x\n    be: %s\n    in: { log: x }\n",
        yaml);
    checked c = read_plan(text);
    const plan_node *inner = plan_body(c.p)->children[0];
    assert_int_equal(inner->binding_count, 1);
    assert_term(inner->bindings[0].value, expected);
    plan_text_finish(&c);
}

static void a_map_is_a_description_wherever_an_expression_may_stand(void **state) {
    (void)state;
    assert_description("{ object: { type: cup, color: red } }", "object([type(cup), color(red)])");
    assert_description("{ object: cup }", "object([type(cup)])");
    assert_description("{ object: \"?plate\" }", "object(?plate)");
    assert_description("{ object: [ type(cup), color(red) ] }", "object([type(cup), color(red)])");
    assert_description("{ location: { on: table_1, left_of: \"?plate\", tolerance: 0.05 } }",
                       "location([on(table_1), left_of(?plate), tolerance(0.05)])");
    assert_description("{ location: within(place_1) }", "location([within(place_1)])");
    assert_description("{ location: \"?plate\" }", "location(?plate)");
    assert_description("\n      location:\n        on: table_1\n        near: ?plate",
                       "location([on(table_1), near(?plate)])");
    assert_description("{ action: { type: open_gripper, arm: left } }",
                       "action([type(open_gripper), arm(left)])");
    // A key without a value is a symbol; maps stand within maps and lists.
    assert_description("{ object: { type: cup, graspable: } }", "object([type(cup), graspable])");
    assert_description("{ object: { type: cup, on: { object: { type: tray } } } }",
                       "object([type(cup), on(object([type(tray)]))])");
    assert_description("{ action: { type: pour, object: { type: cup } } }",
                       "action([type(pour), object(object([type(cup)]))])");
    assert_description("{ action: { type: pour, object: \"?plate\" } }",
                       "action([type(pour), object(?plate)])");
    assert_description("[ 1, { object: cup }, [ { object: plate } ] ]",
                       "[1, object([type(cup)]), [object([type(plate)])]]");
}

static void descriptions_stand_in_every_place_for_an_expression(void **state) {
    (void)state;
    checked c = read_plan(
        "plan: p\nroutines:\n  - { achieve: \"loc(robot, ?p)\", body: { log: x } }\n"
        "  - { achieve: tidy(?x), with: { what: { object: cup } }, body: { log: x } }\n"
        "body:\n"
        "  - set: ?a\n    to: { object: cup }\n"
        "  - { tag: tidy, achieve: \"tidy(?a)\", with: { what: { object: plate } } }\n"
        "  - { tag: drive, navigate: { to: { location: { near: table_1 } } } }\n"
        "  - tag: there\n    at_location: { location: { on: table_1, near: \"?a\" }, do: { log: x "
        "} }\n"
        "  - tag: each\n    loop: { for_each: \"?i\", of: [ { object: cup } ], do: { log: x } }\n");
    assert_term(plan_routine_at(c.p, 1)->with[0].value, "object([type(cup)])");
    assert_term(plan_find(c.p, "body/seq[1]")->bindings[0].value, "object([type(cup)])");
    assert_term(plan_find(c.p, "body/tidy")->bindings[0].value, "object([type(plate)])");
    assert_term(plan_find(c.p, "body/drive")->bindings[0].value, "location([near(table_1)])");
    assert_term(plan_find(c.p, "body/there")->value, "location([on(table_1), near(?a)])");
    assert_term(plan_find(c.p, "body/there/go")->value,
                "loc(robot, location([on(table_1), near(?a)]))");
    assert_term(plan_find(c.p, "body/each")->value, "[object([type(cup)])]");
    plan_text_finish(&c);
}

static void what_is_no_description_is_told(void **state) {
    (void)state;
    plan_text_expect("plan: p\nbody: { set: \"?x\", to: { objct: cup } }\n", NULL,
                     "2:26: to: unknown kind of description 'objct'; did you mean 'object'?\n");
    plan_text_expect("plan: p\nbody: { set: \"?x\", to: { type: cup, color: red } }\n", NULL,
                     "2:24: to: a map here is a description: { object: { type: cup } }, or "
                     "location: or action:\n");
    plan_text_expect("plan: p\nbody: { set: \"?x\", to: { object: { Type: cup } } }\n", NULL,
                     "2:36: 'Type' is no name of a property\n");
    plan_text_expect("plan: p\nbody: { set: \"?x\", to: { object: } }\n", NULL,
                     "2:34: a description is a map of properties: { type: cup, color: red }\n");
    plan_text_expect("plan: p\nbody: { set: \"?x\", to: { object: { type: \"?y\" } } }\n", NULL,
                     "2:43: ?y has no value here; give it one with let:, set: or into: before\n");
}

// ---- Constructs ---------------------------------------------------------------------------------

static void a_policy_has_its_parts_as_children(void **state) {
    (void)state;
    checked c = read_plan("plan: p\nbody:\n  with_policy:\n    clean_up: { log: d }\n"
                          "    recover: { log: \"?n\" }\n    check: { wait: { seconds: 1 } }\n"
                          "    init: { set: \"?n\", to: 3 }\n    when: \"?n > 3\"\n"
                          "    reason: \"?n is too much\"\n    do: [ { log: a } ]\n");
    const plan_node *n = plan_body(c.p);
    assert_int_equal(n->kind, CONSTRUCT_WITH_POLICY);
    assert_int_equal(n->child_count, 5);
    assert_term(n->value, "?n > 3");
    assert_string_equal(n->text, "?n is too much");
    assert_ptr_equal(n->children[0], plan_find(c.p, "body/do"));
    assert_ptr_equal(n->children[1], n->policy.init);
    assert_ptr_equal(n->children[2], n->policy.check);
    assert_ptr_equal(n->children[3], n->policy.recover);
    assert_ptr_equal(n->children[4], n->clean_up);
    assert_string_equal(n->policy.check->path, "body/check");
    assert_string_equal(n->clean_up->path, "body/clean_up");
    plan_text_finish(&c);
    c = read_plan("plan: p\nbody: { with_policy: { when: \"1 < 2\", do: { log: a } } }\n");
    n = plan_body(c.p);
    assert_int_equal(n->child_count, 1);
    assert_true(!n->policy.init && !n->policy.check && !n->policy.recover && !n->clean_up);
    plan_text_finish(&c);
}

static void the_other_constructs_have_what_they_need(void **state) {
    (void)state;
    checked c = read_plan("plan: p\nroutines: [ { achieve: tidy(?x), body: { log: x } } ]\nbody:\n"
                          "  let: { a: { object: cup }, b: x }\n  in:\n    pursue:\n"
                          "      - { tag: w, whenever: \"rises(1 < 2)\", do: { log: x } }\n"
                          "      - { tag: act, perform: { type: wait, seconds: 1 }, deadline: 3 }\n"
                          "      - { tag: var, perform: \"?a\" }\n"
                          "      - { tag: n, next: \"?a\" }\n"
                          "      - { tag: e, equate: [ \"?a\", \"?b\", plate#1 ] }\n"
                          "      - { tag: t, achieve: tidy(x), alternatives: true }\n"
                          "      - { tag: u, achieve: tidy(x) }\n");
    static const char at[] = "body/in/";
    char path[64];
    const plan_node *nodes[7];
    static const char *const tags[] = {"w", "act", "var", "n", "e", "t", "u"};
    for (int k = 0; k < 7; k++) {
        snprintf(path, sizeof path, "%s%s", at, tags[k]);
        nodes[k] = plan_find(c.p, path);
        assert_non_null(nodes[k]);
    }
    assert_int_equal(nodes[0]->kind, CONSTRUCT_WHENEVER);
    assert_int_equal(nodes[0]->child_count, 1);
    assert_string_equal(nodes[0]->children[0]->path, "body/in/w/do");
    assert_int_equal(nodes[1]->kind, CONSTRUCT_PERFORM);
    assert_term(nodes[1]->value, "[type(wait), seconds(1)]");
    assert_true(nodes[1]->seconds == 3);
    assert_term(nodes[2]->value, "?a");
    assert_int_equal(nodes[3]->kind, CONSTRUCT_NEXT);
    assert_int_equal(nodes[4]->kind, CONSTRUCT_EQUATE);
    assert_term(nodes[4]->value, "[?a, ?b, plate#1]");
    assert_true(nodes[5]->alternatives);
    assert_false(nodes[6]->alternatives);
    plan_text_finish(&c);
}

static void wrong_forms_of_them_are_refused_all_at_once(void **state) {
    (void)state;
    plan_text_expect(
        "plan: p\nbody:\n  par:\n"
        "    - with_policy: x\n"
        "    - with_policy: { do: { log: x }, whn: \"1 < 2\" }\n"
        "    - with_policy: { when: \"1 < 2\" }\n"
        "    - whenever: \"1 < 2\"\n"
        "    - { whenever: \"1 < 2\", doo: { log: x } }\n"
        "    - { equate: \"?x\" }\n"
        "    - { equate: [ cup#1 ] }\n"
        "    - { next: 3 }\n"
        "    - { achieve: x(1), alternatives: maybe }\n"
        "    - partial_order: [ { tag: a, log: x }, { tag: b, log: x }, { tag: c, log: x }, { tag: "
        "d, log: x } ]\n"
        "      before: [ [ a, b ], [ b, c ], [ c, b ], [ c, d ] ]\n"
        "    - partial_order: [ { tag: e, log: x } ]\n"
        "      before: [ [ e, e ] ]\n",
        NULL,
        "4:20: 'with_policy' takes a map: { when: CONDITION, do: STEPS, init, check, recover, "
        "clean_up: STEPS, reason: TEXT }\n"
        "5:38: unknown key 'whn'; did you mean 'when'?\n"
        "5:20: 'with_policy' needs when: with the condition that interrupts\n"
        "6:20: 'with_policy' needs do:\n"
        "7:7: 'whenever' needs do:\n"
        "8:28: unknown key 'doo'; did you mean 'do'?\n"
        "8:7: 'whenever' needs do:\n"
        "9:17: equate: takes a list of two or more: [\"?a\", \"?b\"], each a variable with a "
        "description, or an object\n"
        "10:17: equate: takes a list of two or more: [\"?a\", \"?b\"], each a variable with a "
        "description, or an object\n"
        "11:15: next: takes a variable with a description, as ?cup; nothing else has another "
        "solution\n"
        "12:38: alternatives must be true or false, not 'maybe'\n"
        "12:7: no routine achieves x with 1 arguments; name its file under routines:\n"
        "14:15: these orderings form a cycle: b before c before b\n"
        "16:15: these orderings form a cycle: e before e\n");
}

// ---- Paths --------------------------------------------------------------------------------------

typedef struct path_list {
    char paths[64][128];
    size_t count;
} path_list;

// The paths that consist of tags alone.
static void add_tagged(const plan_node *n, bool tagged, path_list *out) {
    tagged = tagged && n->tag;
    if (tagged) {
        assert_true(out->count < 64);
        snprintf(out->paths[out->count++], sizeof out->paths[0], "%s", n->path);
    }
    for (size_t k = 0; k < n->child_count; k++)
        add_tagged(n->children[k], tagged, out);
}

// A step put in before any line that begins one, at any depth, renames no tagged step.
static void tagged_paths_stay_wherever_a_step_is_put_in(void **state) {
    (void)state;
    static const char *const lines[] = {
        "plan: p",
        "body:",
        "  tag: top",
        "  seq:",
        "    - tag: see",
        "      log: a",
        "    - log: b",
        "    - tag: bring",
        "      par:",
        "        - tag: left",
        "          log: c",
        "        - log: d",
        "        - tag: right",
        "          seq:",
        "            - tag: take",
        "              log: e",
        "            - log: f",
        "            - tag: put",
        "              log: g",
        "    - tag: last",
        "      log: h",
    };
    size_t count = sizeof lines / sizeof *lines;
    path_list before = {0};
    size_t inserted = 0;
    for (size_t k = 0; k <= count; k++) {
        size_t at = k == 0 ? count : k - 1; // first the text as it is
        bool whole = at == count;
        size_t indent = whole ? 0 : strspn(lines[at], " ");
        if (!whole && lines[at][indent] != '-')
            continue;
        char text[2048] = "";
        for (size_t line = 0; line < count; line++) {
            if (line == at)
                sprintf(text + strlen(text), "%.*s- log: new\n", (int)indent, lines[at]);
            sprintf(text + strlen(text), "%s\n", lines[line]);
        }
        checked c = read_plan(text);
        if (whole)
            add_tagged(plan_body(c.p), true, &before);
        assert_int_equal(before.count, 8);
        for (size_t path = 0; path < before.count; path++) {
            const plan_node *n = plan_find(c.p, before.paths[path]);
            const char *slash = strrchr(before.paths[path], '/');
            assert_non_null(n);
            assert_string_equal(n->tag, slash ? slash + 1 : before.paths[path]);
        }
        inserted += !whole;
        plan_text_finish(&c);
    }
    assert_int_equal(inserted, 10);
}

static void assert_nearest(const plan *p, const char *path, const char *first, size_t least) {
    const char *near[5] = {NULL};
    size_t count = plan_nearest(p, path, near, 5);
    if (count < least || (first && strcmp(near[0], first) != 0))
        fail_msg("%s: %zu found, the first %s, not %s", path, count, count ? near[0] : "none",
                 first ? first : "none");
    if (!first)
        assert_int_equal(count, 0);
}

static void the_nearest_paths_come_best_first(void **state) {
    (void)state;
    checked c = read_plan(
        "plan: p\nroutines: [ { achieve: tidy(?x), name: tidy_up, body: { tag: tidy_up, seq: [ { "
        "tag: wipe, log: x }, { tag: dry, log: x } ] } } ]\n"
        "body:\n  tag: set_table\n  seq:\n"
        "    - { tag: bring_plate, seq: [ { log: a }, { log: b }, { tag: take, log: x } ] }\n"
        "    - { tag: bring_cup, seq: [ { log: a }, { log: b }, { tag: take, log: x } ] }\n"
        "    - tag: lay\n"
        "      on_failure: { do: { par: [ { tag: knife, log: x } ] }, clean_up: { log: x } }\n");
    assert_nearest(c.p, "set_table/bring_plat", "set_table/bring_plate", 1);
    assert_nearest(c.p, "set_table/bring_cup/tak", "set_table/bring_cup/take", 2);
    assert_nearest(c.p, "set_table/bring_cup/seq[3]", "set_table/bring_cup/seq[1]", 2);
    assert_nearest(c.p, "set_table/bring_plate/do/take", "set_table/bring_plate/take", 1);
    // It was wrapped meanwhile.
    assert_nearest(c.p, "set_table/lay/knife", "set_table/lay/do/knife", 1);
    assert_nearest(c.p, "tidy_up/dri", "tidy_up/dry", 1);
    assert_nearest(c.p, "tidy/wipe", "tidy_up/wipe", 1);
    assert_nearest(c.p, "a/b/c/d/e/f", NULL, 0);
    assert_nearest(c.p, "", NULL, 0);
    const char *one[1];
    assert_int_equal(plan_nearest(c.p, "set_table/bring", one, 0), 0);
    assert_int_equal(plan_nearest(c.p, "set_table/bring_cu", one, 1), 1);
    assert_string_equal(one[0], "set_table/bring_cup");
    plan_text_finish(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_is_a_description_wherever_an_expression_may_stand),
        cmocka_unit_test(descriptions_stand_in_every_place_for_an_expression),
        cmocka_unit_test(what_is_no_description_is_told),
        cmocka_unit_test(a_policy_has_its_parts_as_children),
        cmocka_unit_test(the_other_constructs_have_what_they_need),
        cmocka_unit_test(wrong_forms_of_them_are_refused_all_at_once),
        cmocka_unit_test(tagged_paths_stay_wherever_a_step_is_put_in),
        cmocka_unit_test(the_nearest_paths_come_best_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
