// tests/plans/test_edit.c - each kind of edit: what it writes, which bytes it keeps, what leads
// back, and what is refused.
#include "plans/edit.h"
#include "tests/testlib.h"

static const char *const LIBRARY = "library: lib\n"
                                   "parameters:\n"
                                   "  lift: { type: number, default: 0.06, doc: \"how high\" }\n"
                                   "  other: { type: number, default: 1, doc: \"unused\" }\n"
                                   "routines:\n"
                                   "  # general\n"
                                   "  - achieve: on(?x, anywhere)\n"
                                   "    name: anyhow\n"
                                   "    body: { log: any }\n"
                                   "  - achieve: held(?x)\n"
                                   "    name: hold\n"
                                   "    body: { log: held }\n"
                                   "  - achieve: on(?x, ?y)\n"
                                   "    name: put_on\n"
                                   "    body:\n"
                                   "      - tag: grab # first\n"
                                   "        achieve: held(?x)\n"
                                   "      - log: \"lift $lift\"\n";

static edit_result *apply(const char *plan, const char *edits, errors *list) {
    edit_file library = {"lib.yaml", LIBRARY, strlen(LIBRARY)};
    edit_request request = {.plan = {"plan.yaml", plan, strlen(plan)},
                            .edits = {"edits.yaml", edits, strlen(edits)},
                            .routines = &library,
                            .routine_count = 1};
    edit_result *result = NULL;
    status s = edit_apply(&request, &result, list);
    assert_int_equal(s == OK, result != NULL);
    assert_int_equal(s == OK, list->count == 0);
    return result;
}

static edit_result *apply_well(const char *plan, const char *edits) {
    errors list = {0};
    edit_result *result = apply(plan, edits, &list);
    if (!result)
        fail_msg("%d:%d: %s\n%s\n%s", list.items[0].line, list.items[0].column, list.items[0].text,
                 edits, plan);
    errors_finish(&list);
    return result;
}

static void expect_text(const char *text, const char *expected) {
    size_t length;
    char *is = edit_strip(text, strlen(text), &length);
    assert_non_null(is);
    assert_string_equal(is, expected);
    free(is);
}

// The edits make `expected` of the plan, and the inverse, as YAML and out of the JSON, the plan of
// it again.
static void expect_edit(const char *plan, const char *edits, const char *expected) {
    edit_result *forth = apply_well(plan, edits);
    const char *text = edit_text(forth, NULL);
    expect_text(text, expected);
    edit_result *back = apply_well(text, edit_inverse(forth, NULL));
    expect_text(edit_text(back, NULL), plan);
    edit_result_destroy(back);
    const char *json = strstr(edit_json(forth, NULL), "\"inverse\": ");
    assert_non_null(json);
    char *edits_json = strdup(json + strlen("\"inverse\": "));
    assert_non_null(edits_json);
    *strrchr(edits_json, '}') = 0;
    back = apply_well(text, edits_json);
    expect_text(edit_text(back, NULL), plan);
    free(edits_json);
    edit_result_destroy(back);
    edit_result_destroy(forth);
}

static void expect_wrong(const char *plan, const char *edits, int line, int column,
                         const char *what) {
    errors list = {0};
    edit_result *result = apply(plan, edits, &list);
    if (result || !strstr(list.items[0].text, what))
        fail_msg("expected '%s', not '%s'\n%s", what, result ? "success" : list.items[0].text,
                 edits);
    assert_string_equal(list.items[0].file, "edits.yaml");
    assert_int_equal(list.items[0].line, line);
    assert_int_equal(list.items[0].column, column);
    errors_finish(&list);
}

// ---- Kinds --------------------------------------------------------------------------------------

#define HEAD "plan: p # name\n\n# scenario\n"
#define LIST                                                                                       \
    HEAD "body:\n"                                                                                 \
         "  # the first\n"                                                                         \
         "  - tag: a # of a\n"                                                                     \
         "    log: one\n"                                                                          \
         "\n"                                                                                      \
         "  # loose\n"                                                                             \
         "\n"                                                                                      \
         "  # about b\n"                                                                           \
         "  # more\n"                                                                              \
         "  - tag: b\n"                                                                            \
         "    wait: { seconds: 1 }   # slow\n"                                                     \
         "      # below b\n"                                                                       \
         "  - { tag: c, log: three } # of c\n"

static void a_deleted_step_takes_its_comments_along(void **state) {
    (void)state;
    expect_edit(LIST, "- delete: body/b\n",
                HEAD "body:\n  # the first\n  - tag: a # of a\n    log: one\n\n  # loose\n\n"
                     "  - { tag: c, log: three } # of c\n");
    expect_edit(LIST, "- delete: body/a\n",
                HEAD "body:\n\n  # loose\n\n  # about b\n  # more\n  - tag: b\n"
                     "    wait: { seconds: 1 }   # slow\n      # below b\n"
                     "  - { tag: c, log: three } # of c\n");
    expect_edit(LIST, "- delete: body/c\n- delete: body/b\n- delete: body/a\n",
                HEAD "body: []\n\n  # loose\n\n");
}

static void steps_are_put_before_and_behind_others(void **state) {
    (void)state;
    expect_edit(LIST, "- insert_before: body/b\n  step: { log: new }\n",
                HEAD "body:\n  # the first\n  - tag: a # of a\n    log: one\n\n  # loose\n\n"
                     "  - { log: new }\n  # about b\n  # more\n  - tag: b\n"
                     "    wait: { seconds: 1 }   # slow\n      # below b\n"
                     "  - { tag: c, log: three } # of c\n");
    expect_edit("plan: p\nbody:\n- log: a",
                "- insert_after: body/seq[1]\n  step:\n      seq:\n"
                "          # in it\n          - log: b # b\n",
                "plan: p\nbody:\n- log: a\n- seq:\n      # in it\n      - log: b # b");
    expect_edit("plan: p\nbody: { seq: [ { log: a } , localise ] }\n",
                "- insert_before: body/seq[2]\n  step:\n    log: on(b, ?c)\n",
                "plan: p\nbody: { seq: [ { log: a } , { log: \"on(b, ?c)\" }, localise ] }\n");
}

static void a_step_that_stands_alone_becomes_a_list(void **state) {
    (void)state;
    expect_edit("plan: p\nbody:\n  loop:\n    times: 2\n    do: { log: a } # why\n",
                "- insert_after: body/do\n  step: { log: b }\n",
                "plan: p\nbody:\n  loop:\n    times: 2\n    do:\n      - { log: a } # why\n"
                "      - { log: b }\n");
}

static void a_step_is_replaced_by_another(void **state) {
    (void)state;
    expect_edit(LIST,
                "- replace: body/b\n  step:\n    par:\n    - localise\n    - log: |\n"
                "        two\n        lines\n",
                HEAD "body:\n  # the first\n  - tag: a # of a\n    log: one\n\n  # loose\n\n"
                     "  # about b\n  # more\n  - par:\n    - localise\n    - log: |\n"
                     "        two\n        lines\n      # below b\n"
                     "  - { tag: c, log: three } # of c\n");
    expect_edit("plan: p\r\nbody: # main\r\n- log: a\r\n", "- replace: body\n  step: localise\n",
                "plan: p\r\nbody: # main\r\n  localise\r\n");
}

static void a_step_is_wrapped_and_unwrapped(void **state) {
    (void)state;
    expect_edit(LIST,
                "- wrap: body/b\n  in:\n    tag: careful\n    on_failure:\n"
                "      clean_up: { log: over }\n",
                HEAD "body:\n  # the first\n  - tag: a # of a\n    log: one\n\n  # loose\n\n"
                     "  # about b\n  # more\n  - tag: careful\n    on_failure:\n      do:\n"
                     "        tag: b\n        wait: { seconds: 1 }   # slow\n"
                     "      clean_up: { log: over }\n      # below b\n"
                     "  - { tag: c, log: three } # of c\n");
    expect_edit("plan: p\nbody: { loop: { times: 2, do: [ { log: a }, localise ] } }\n",
                "- wrap: body/do\n  in: { if: true }\n",
                "plan: p\nbody: { loop: { times: 2, do: { if: true, then: [ { log: a }, localise ] "
                "} } }\n");
    expect_edit("plan: p\nbody:\n  let: { n: 1 }\n  in:\n    - log: a # a\n    - log: b\n",
                "- unwrap: body\n", "plan: p\nbody:\n  - log: a # a\n  - log: b\n");
    // Orderings go on to name it.
    expect_edit(
        "plan: p\nbody:\n  partial_order:\n    - { tag: a, log: a }\n    - { tag: b, log: b }\n"
        "  before: [[a, b]]\n",
        "- wrap: body/b\n  in: { loop: { times: 2 } }\n",
        "plan: p\nbody:\n  partial_order:\n    - { tag: a, log: a }\n"
        "    - tag: b\n      loop:\n        do: { tag: b, log: b }\n        times: 2\n"
        "  before: [[a, b]]\n");
    expect_wrong(LIST, "- wrap: body/a\n  in: { log: x }\n", 2, 7, "must be a step that takes");
    expect_wrong(LIST, "- wrap: body/a\n  in: { if: true, then: localise }\n", 2, 7,
                 "is the step that is wrapped");
    expect_wrong(LIST, "- unwrap: body/a\n", 1, 11, "wraps no step");
}

static void steps_change_their_order(void **state) {
    (void)state;
    expect_edit(LIST, "- order: body\n  steps: [ c, a, 2 ]\n",
                HEAD "body:\n  - { tag: c, log: three } # of c\n\n  # loose\n\n"
                     "  # the first\n  - tag: a # of a\n    log: one\n  # about b\n  # more\n"
                     "  - tag: b\n    wait: { seconds: 1 }   # slow\n      # below b\n");
    expect_wrong(LIST, "- order: body\n  steps: [ c, a ]\n", 2, 10, "each of the 3 steps");
    expect_wrong(LIST, "- order: body\n  steps: [ c, a, c ]\n", 2, 18, "twice");
    expect_wrong(LIST, "- order: body\n  steps: [ c, a, d ]\n", 2, 18, "no such step");
}

#define PAR                                                                                        \
    "plan: p\nbody:\n  par:\n    - { tag: a, log: a }\n    - { tag: b, log: b }\n"                 \
    "    - { tag: c, log: c }\n"

static void a_par_becomes_a_partial_order(void **state) {
    (void)state;
    const char *once = "plan: p\nbody:\n  before: [ [a, b] ]\n  partial_order:\n"
                       "    - { tag: a, log: a }\n    - { tag: b, log: b }\n"
                       "    - { tag: c, log: c }\n";
    expect_edit(PAR, "- order: body\n  add: [ [a, b] ]\n", once);
    expect_edit(once, "- order: body\n  add: [ [b, c, dead] ]\n  remove: [ [a, b] ]\n",
                "plan: p\nbody:\n  before: [ [b, c, dead] ]\n  partial_order:\n"
                "    - { tag: a, log: a }\n    - { tag: b, log: b }\n    - { tag: c, log: c }\n");
    expect_wrong(once, "- order: body\n  remove: [ [a, c] ]\n", 2, 13, "no such ordering");
    expect_wrong(LIST, "- order: body\n  add: [ [a, b] ]\n", 1, 10, "is a seq");
}

static void properties_are_set_and_taken_away(void **state) {
    (void)state;
    expect_edit(LIST,
                "- set_property: body/b\n  key: seconds\n  value: 2.5\n"
                "- set_property: body/a\n  key: tag\n  value: first\n"
                "- set_property: body/c\n  key: tag\n  value: null\n",
                HEAD "body:\n  # the first\n  - tag: first # of a\n    log: one\n\n  # loose\n\n"
                     "  # about b\n  # more\n  - tag: b\n    wait: { seconds: 2.5 }   # slow\n"
                     "      # below b\n  - { log: three } # of c\n");
    expect_edit("plan: p\nbody:\n  - localise\n",
                "- set_property: body/seq[1]\n  key: deadline\n"
                "  value: 9\n",
                "plan: p\nbody:\n  - localise:\n    deadline: 9\n");
    expect_edit("plan: p\nbody:\n  - move_arm:\n      to: park\n    deadline: 5\n",
                "- set_property: body/seq[1]\n  key: move_arm.speed\n  value: 0.3\n"
                "- set_property: body/seq[1]\n  key: deadline\n  value: ~\n",
                "plan: p\nbody:\n  - move_arm:\n      to: park\n      speed: 0.3\n");
    expect_edit("plan: p\nbody:\n  on_failure:\n    do: localise\n    handle:\n"
                "      - failure: plan_failure\n        retry: 2 # twice\n",
                "- set_property: body\n  key: on_failure.handle[1].retry\n  value: 5\n"
                "- set_property: body\n  key: on_failure.clean_up\n  value: { log: over }\n",
                "plan: p\nbody:\n  on_failure:\n    do: localise\n    handle:\n"
                "      - failure: plan_failure\n        retry: 5 # twice\n"
                "    clean_up: { log: over }\n");
    expect_wrong(LIST, "- set_property: body/b\n  key: deadlin\n  value: null\n", 1, 17,
                 "no key 'deadlin'");
    expect_wrong(LIST, "- set_property: body/b\n  key: wait.\n  value: 1\n", 2, 8, "written as");
}

static void a_list_gets_a_tag_as_a_seq(void **state) {
    (void)state;
    expect_edit("plan: p\nbody:\n  - log: a # a\n  - log: b\n",
                "- set_property: body\n  key: tag\n  value: all\n",
                "plan: p\nbody:\n  tag: all\n  seq:\n    - log: a # a\n    - log: b\n");
}

#define USES                                                                                       \
    "plan: p\nroutines: [ lib.yaml ]\nbody:\n  tag: top\n  seq:\n    - tag: bring\n"               \
    "      achieve: on(cup, table)\n"

static void parameters_get_other_defaults(void **state) {
    (void)state;
    expect_edit("plan: p\nparameters:\n  n: { type: integer, default: 1, doc: d } # n\n"
                "body: { log: $n }\n",
                "{\"set_parameter\": \"n\", \"value\": 2}",
                "plan: p\nparameters:\n  n: { type: integer, default: 2, doc: d } # n\n"
                "body: { log: $n }\n");
    // One of a library is declared by the plan as well.
    expect_edit(USES, "- set_parameter: lift\n  value: 0.1\n",
                "plan: p\nparameters:\n  lift: { type: number, default: 0.1, doc: \"how high\" }\n"
                "routines: [ lib.yaml ]\nbody:\n  tag: top\n  seq:\n    - tag: bring\n"
                "      achieve: on(cup, table)\n");
    expect_wrong(USES, "- set_parameter: lft\n  value: 0.1\n", 1, 18, "did you mean 'lift'");
}

#define PROJECTED                                                                                  \
    "plan: p\nprojection:\n  world: w.yaml\n  share: nothing # yet\n  set: { world.mass: 1 }\n"    \
    "body: { log: a }\n"

static void keys_of_the_projection_get_other_values(void **state) {
    (void)state;
    expect_edit(PROJECTED, "- set_projection: share\n  value: all\n",
                "plan: p\nprojection:\n  world: w.yaml\n  share: all # yet\n"
                "  set: { world.mass: 1 }\nbody: { log: a }\n");
    expect_edit(PROJECTED,
                "- set_projection: set.world.mass\n  value: 2\n- set_projection: share\n"
                "  value: null\n- set_projection: robot\n  value: r.yaml\n",
                "plan: p\nprojection:\n  world: w.yaml\n  set: { world.mass: 2 }\n"
                "  robot: r.yaml\nbody: { log: a }\n");
    expect_wrong(PROJECTED, "- set_projection: links[1].delay\n  value: 1\n", 1, 19,
                 "'projection' has no key 'links' there");
    expect_wrong(PROJECTED, "- set_projection: share..x\n  value: 1\n", 1, 19,
                 "a key of the projection is written as share");
    expect_wrong(USES, "- set_projection: share\n  value: all\n", 1, 19,
                 "this file has no projection");
}

static void a_routine_is_adopted_with_what_it_needs(void **state) {
    (void)state;
    // What matches the same goals before it comes along, so that the same routine is chosen.
    expect_edit(USES, "- adopt: put_on\n- delete: top/bring/put_on/grab\n",
                "plan: p\nparameters:\n"
                "  lift: { type: number, default: 0.06, doc: \"how high\" }\n"
                "routines:\n"
                "  - achieve: on(?x, anywhere)\n    name: anyhow\n    body: { log: any }\n"
                "  - achieve: on(?x, ?y)\n    name: put_on\n    body:\n"
                "      - log: \"lift $lift\"\n"
                "  - lib.yaml\n"
                "body:\n  tag: top\n  seq:\n    - tag: bring\n      achieve: on(cup, table)\n");
    expect_wrong(USES, "- adopt: put_onn\n", 1, 10, "did you mean 'put_on'");
    expect_wrong(USES, "- adopt: hold\n- adopt: hold\n", 2, 10, "already");
    expect_wrong(USES, "- drop: hold\n", 1, 9, "no routine 'hold' of its own");
    expect_edit("plan: p\nroutines:\n  # mine\n  - achieve: g(?x)\n    body: { log: a }\n"
                "  - lib.yaml\nbody: { achieve: g(a) }\n",
                "- drop: g\n", "plan: p\nroutines:\n  - lib.yaml\nbody: { achieve: g(a) }\n");
}

static void a_file_of_routines_is_named(void **state) {
    (void)state;
    expect_edit("plan: p\nroutines:\n  # all\n  - lib.yaml # ours\nbody: { achieve: g(a) }\n",
                "- use: more.yaml\n",
                "plan: p\nroutines:\n  # all\n  - lib.yaml # ours\n  - more.yaml\n"
                "body: { achieve: g(a) }\n");
    expect_edit("plan: p\nroutines: [ lib.yaml ] # ours\nbody: { achieve: g(a) }\n",
                "- use: more.yaml\n",
                "plan: p\nroutines: [ lib.yaml, more.yaml ] # ours\nbody: { achieve: g(a) }\n");
    expect_edit("plan: p\nroutines: []\nbody: { log: a }\n", "- use: more.yaml\n",
                "plan: p\nroutines: [ more.yaml ]\nbody: { log: a }\n");
    expect_edit("plan: p\nbody: { log: a }\n", "- use: more.yaml\n",
                "plan: p\nroutines: [ more.yaml ]\nbody: { log: a }\n");
    expect_wrong(USES, "- use: lib.yaml\n", 1, 8, "already");
}

// ---- Paths --------------------------------------------------------------------------------------

static void a_path_of_a_log_leads_into_routines(void **state) {
    (void)state;
    const char *own = "plan: p\nroutines:\n  - achieve: g(?x)\n    name: do_g\n    body:\n"
                      "      - tag: it\n        log: a\nbody:\n  tag: top\n  loop:\n    times: 2\n"
                      "    do: { achieve: g(1) }\n";
    edit_result *r =
        apply_well(own, "- set_property: top/do@2/do_g/it@3\n  key: log\n  value: b\n");
    assert_non_null(strstr(edit_text(r, NULL), "        log: b\n"));
    edit_result_destroy(r);
    expect_wrong(USES, "- delete: top/bring@2/put_on/grab\n", 1, 11,
                 "the step 'top/bring/put_on/grab' is in another file: 'lib.yaml', at the path "
                 "'put_on/grab'; edit that file, or copy the routine into the plan first: adopt: "
                 "put_on");
    expect_wrong(USES, "- delete: top/bring/put_on/grab/hold\n", 1, 11, "adopt: hold");
}

static void a_path_that_is_none_lists_the_nearest(void **state) {
    (void)state;
    expect_wrong(LIST, "- delete: bodi/b\n", 1, 11, "no step has the path 'bodi/b'; the nearest");
    expect_wrong(LIST, "- delete: bodi/b\n", 1, 11, "'body/b'");
    expect_wrong(LIST, "- delete: body\n", 1, 11, "a plan needs its body");
}

static void paths_mean_the_plan_as_the_edits_before_have_left_it(void **state) {
    (void)state;
    expect_wrong(LIST, "- delete: body/a\n- delete: body/a\n", 2, 11, "no step has the path");
    expect_edit("plan: p\nbody:\n  - log: a\n  - log: b\n",
                "- delete: body/seq[1]\n- set_property: body/seq[1]\n  key: log\n  value: c\n",
                "plan: p\nbody:\n  - log: c\n");
}

// ---- Form ---------------------------------------------------------------------------------------

static void wrong_edits_are_all_told_with_their_places(void **state) {
    (void)state;
    errors list = {0};
    const char *edits = "edits:\n  - delet: a\n  - { wrap: a }\n  - { delete: a, step: b }\n"
                        "  - replace: a\n  - 7\n";
    assert_null(apply(LIST, edits, &list));
    assert_int_equal(list.count, 5);
    static const struct {
        int line;
        const char *text;
    } expected[] = {{2, "did you mean 'delete'"},
                    {3, "needs in:"},
                    {4, "unknown key 'step'"},
                    {5, "needs step:"},
                    {6, "an edit is a map"}};
    for (size_t i = 0; i < list.count; i++) {
        assert_int_equal(list.items[i].line, expected[i].line);
        assert_non_null(strstr(list.items[i].text, expected[i].text));
    }
    errors_finish(&list);
}

static void json_from_other_programs_is_read(void **state) {
    (void)state;
    expect_edit(
        "plan: p\nbody:\n  - { tag: a, log: a }\n",
        "{\n\t\"reason\": \"\\ud83d\\ude00\",\n\t\"edits\": [ {\"insert_after\": \"body\\/a\","
        " \"step\": {\"tag\": \"b\", \"navigate\": {\"to\": \"at(1, 2)\"}, \"deadline\": 5}}, "
        "{\"replace\": \"body/a\", \"step\": [\"localise\", {\"log\": \"5\"}]} ] }\n",
        "plan: p\nbody:\n  - - localise\n    - log: \"5\"\n  - tag: b\n    navigate: { to: "
        "\"at(1, 2)\" }\n    deadline: 5\n");
}

static void the_provenance_names_parent_edits_and_reason(void **state) {
    (void)state;
    edit_result *one = apply_well(LIST, "reason: too slow\nedits:\n  - delete: body/b\n");
    const char *first = edit_text(one, NULL);
    const char *block = "plan: p # name\n\nprovenance:\n  - parent: fnv1a64 ";
    assert_int_equal(strncmp(first, block, strlen(block)), 0);
    assert_non_null(strstr(first, "    reason: too slow\n    edits:\n      - { delete: body/b }\n"
                                  "# scenario\nbody:\n"));
    edit_result *two = apply_well(first, "- delete: body/a\n");
    const char *second = edit_text(two, NULL), *hash = strstr(edit_json(one, NULL), "\"plan\": \"");
    assert_non_null(hash);
    char parent[64];
    snprintf(parent, sizeof parent, "  - parent: %.24s\n", hash + strlen("\"plan\": \""));
    assert_non_null(strstr(second, parent));
    assert_non_null(strstr(second, "- { delete: body/b }\n  - parent:"));
    // The same again gives the same bytes.
    edit_result *again = apply_well(first, "- delete: body/a\n");
    assert_string_equal(edit_text(again, NULL), second);
    edit_result_destroy(again);
    edit_result_destroy(two);
    edit_result_destroy(one);
}

static void an_older_edit_is_undone_while_a_later_one_stays(void **state) {
    (void)state;
    edit_result *one = apply_well(LIST, "- wrap: body/b\n  in: { on_failure: { clean_up: "
                                        "localise } }\n");
    edit_result *two = apply_well(edit_text(one, NULL), "- set_property: body/a\n  key: log\n"
                                                        "  value: other\n");
    edit_result *back = apply_well(edit_text(two, NULL), edit_inverse(one, NULL));
    const char *text = edit_text(back, NULL);
    assert_non_null(strstr(text, "    log: other\n"));
    assert_non_null(strstr(text, "  - tag: b\n    wait: { seconds: 1 }   # slow\n"));
    edit_result_destroy(back);
    edit_result_destroy(two);
    edit_result_destroy(one);
}

static void bytes_are_only_put_where_they_were(void **state) {
    (void)state;
    expect_edit(LIST, "- splice: body/a\n  at: 0\n  was: 'tag: a'\n  text: 'tag: z'\n",
                HEAD "body:\n  # the first\n  - tag: z # of a\n    log: one\n\n  # loose\n\n"
                     "  # about b\n  # more\n  - tag: b\n    wait: { seconds: 1 }   # slow\n"
                     "      # below b\n  - { tag: c, log: three } # of c\n");
    expect_wrong(LIST, "- splice: body/a\n  at: 0\n  was: 'tag: b'\n  text: ''\n", 1, 11,
                 "is not what it was");
    expect_wrong(LIST, "- splice: .\n  at: 99999\n  was: ''\n  text: ''\n", 1, 11,
                 "is not what it was");
    expect_wrong(LIST, "- splice: body/a\n  at: 0\n  was: 'tag: a'\n  text: '[ {'\n", 1, 11,
                 "cannot be read");
}

static void an_edit_is_blamed_for_what_it_wrote(void **state) {
    (void)state;
    edit_result *r = apply_well("plan: p\nbody:\n  - log: a\n  - log: b\n",
                                "- insert_after: body/seq[2]\n  step: { log: c }\n"
                                "- insert_before: body/seq[1]\n  step: { log: d }\n");
    // The provenance names the step too; what was written stands behind it.
    const char *text = edit_text(r, NULL), *body = strstr(text, "\nbody:");
    int line = 1;
    for (const char *c = text; c < strstr(body, "log: c"); c++)
        line += *c == '\n';
    size_t index;
    int at, column;
    assert_true(edit_blame(r, line, 7, &index, &at, &column));
    assert_int_equal(index, 0);
    assert_int_equal(at, 1);
    assert_int_equal(column, 3);
    assert_false(edit_blame(r, 1, 1, &index, &at, &column));
    edit_result_destroy(r);
}

// The edit that is blamed for the first place behind body: at which `words` stand; -1: none is.
static int blamed(const edit_result *r, const char *words) {
    const char *text = edit_text(r, NULL), *found = strstr(strstr(text, "\nbody:"), words);
    assert_non_null(found);
    int line = 1, column = 1;
    for (const char *c = text; c < found; c++) {
        column = *c == '\n' ? 1 : column + 1;
        line += *c == '\n';
    }
    size_t index;
    return edit_blame(r, line, column, &index, &line, &column) ? (int)index : -1;
}

static void what_a_later_edit_only_moves_stays_the_earlier_ones(void **state) {
    (void)state;
    // The second edit puts a list around x, so that all of it stands deeper.
    edit_result *r =
        apply_well("plan: p\nbody:\n  tag: x\n  seq:\n    - { tag: a, log: a }\n    - log: b\n",
                   "- replace: x/a\n  step: { navigat: {} }\n"
                   "- insert_after: x\n  step: { log: zz }\n"
                   "- insert_before: body/x/seq[2]\n  step: { log: yy }\n");
    assert_int_equal(blamed(r, "navigat"), 0);
    assert_int_equal(blamed(r, "log: zz"), 1);
    assert_int_equal(blamed(r, "log: yy"), 2);
    edit_result_destroy(r);
    // The order changes, the words do not.
    r = apply_well("plan: p\nbody:\n  - log: a\n  - log: b\n",
                   "- insert_after: body/seq[2]\n  step: { log: c }\n"
                   "- order: body\n  steps: [ 3, 1, 2 ]\n");
    assert_int_equal(blamed(r, "log: c"), 0);
    edit_result_destroy(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_deleted_step_takes_its_comments_along),
        cmocka_unit_test(steps_are_put_before_and_behind_others),
        cmocka_unit_test(a_step_that_stands_alone_becomes_a_list),
        cmocka_unit_test(a_step_is_replaced_by_another),
        cmocka_unit_test(a_step_is_wrapped_and_unwrapped),
        cmocka_unit_test(steps_change_their_order),
        cmocka_unit_test(a_par_becomes_a_partial_order),
        cmocka_unit_test(properties_are_set_and_taken_away),
        cmocka_unit_test(a_list_gets_a_tag_as_a_seq),
        cmocka_unit_test(parameters_get_other_defaults),
        cmocka_unit_test(keys_of_the_projection_get_other_values),
        cmocka_unit_test(a_routine_is_adopted_with_what_it_needs),
        cmocka_unit_test(a_file_of_routines_is_named),
        cmocka_unit_test(a_path_of_a_log_leads_into_routines),
        cmocka_unit_test(a_path_that_is_none_lists_the_nearest),
        cmocka_unit_test(paths_mean_the_plan_as_the_edits_before_have_left_it),
        cmocka_unit_test(wrong_edits_are_all_told_with_their_places),
        cmocka_unit_test(json_from_other_programs_is_read),
        cmocka_unit_test(the_provenance_names_parent_edits_and_reason),
        cmocka_unit_test(an_older_edit_is_undone_while_a_later_one_stays),
        cmocka_unit_test(bytes_are_only_put_where_they_were),
        cmocka_unit_test(an_edit_is_blamed_for_what_it_wrote),
        cmocka_unit_test(what_a_later_edit_only_moves_stays_the_earlier_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
