// tests/plans/test_docs.c - every example of docs/plans.md loads, and its names are those of the
// robot; every construct has one, with its YAML, semantics and failures; docs/actions.md is
// current. tests/interp/test_docs.c executes the examples.
#include "plans/tree/tree_int.h"
#include "tests/plans/actions_document.h"
#include "tests/plans/plan_text.h"
#include "tests/testlib.h"

static const char *const ACTIONS[] = {
#define ACTION(name, deadline_s, doc) #name,
#include "projector/robot/actions.def"
    NULL};
static const char *const FAILURES[] = {
#define FAILURE(name, parent) #name,
#include "projector/robot/failures.def"
#undef FAILURE
    NULL};

static bool used[CONSTRUCT_COUNT];

static void note_constructs(const plan_node *n) {
    used[n->kind] = true;
    for (size_t k = 0; k < n->child_count; k++)
        note_constructs(n->children[k]);
}

static void check_plan(const char *folder, const char *text) {
    char *path = testlib_write(folder, "plan.yaml", text);
    errors list = {0};
    plan *p = NULL;
    status s = plan_load(path, FORESEE_SOURCE_DIR "/plans", NULL, &p, &list);
    if (s == OK)
        s = plan_check(p, &ROBOT_NAMES, &list);
    if (s != OK) {
        char why[1200];
        error_format(&list.items[0], why, sizeof why);
        fail_msg("%s\nin\n%s", why, text);
    }
    note_constructs(plan_body(p));
    errors_finish(&list);
    plan_destroy(p);
    free(path);
}

// A step stands alone in the document: what it reads gets a value around it.
static void check_step(const char *folder, const char *step) {
    static const char head[] = "plan: p\nroutines: [ pick_and_place.yaml ]\nbody:\n  let: { cup: "
                               "c, plate: p, plates: [], n: 1, count: 1 }\n  in:\n";
    size_t room = sizeof head + 5 * strlen(step) + 16;
    char *text = malloc(room);
    assert_non_null(text);
    strcpy(text, head);
    char *at = text + strlen(text);
    for (const char *line = step; *line;) {
        size_t length = strcspn(line, "\n");
        at += sprintf(at, "    %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    check_plan(folder, text);
    free(text);
}

static void every_example_of_the_document_loads(void **state) {
    (void)state;
    char *folder = testlib_folder();
    char *text = testlib_read(FORESEE_SOURCE_DIR "/docs/plans.md"), *at = text;
    int examples = 0;
    while ((at = strstr(at, "```yaml\n"))) {
        at += strlen("```yaml\n");
        char *end = strstr(at, "```");
        assert_non_null(end);
        *end = 0;
        examples++;
        if (strncmp(at, "plan:", 5) == 0) {
            check_plan(folder, at);
        } else if (strncmp(at, "library:", 8) == 0) {
            free(testlib_write(folder, "mine.yaml", at));
            check_plan(folder, "plan: p\nroutines: [ mine.yaml ]\nbody: { achieve: lifted(x) }\n");
        } else {
            check_step(folder, at);
        }
        at = end + 3;
    }
    assert_true(examples > 20);
    free(text);
    testlib_remove(folder);
}

// The section of the document under this heading; the caller frees it.
static char *section(const char *text, const char *name) {
    char heading[64];
    snprintf(heading, sizeof heading, "\n### %s\n", name);
    const char *begin = strstr(text, heading);
    if (!begin)
        fail_msg("%s has no section in docs/plans.md", name);
    begin += strlen(heading);
    const char *end = strstr(begin, "\n##");
    return strndup(begin, end ? (size_t)(end - begin) : strlen(begin));
}

static void check_parts(const char *text, const char *name) {
    static const char *const parts[] = {"**YAML**", "**Semantics.** ", "**Failures.** ",
                                        "**Example** ("};
    char *whole = section(text, name);
    const char *at = whole;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        at = strstr(at, parts[k]);
        if (!at)
            fail_msg("%s has no %s in docs/plans.md, or not in its place", name, parts[k]);
    }
    free(whole);
}

static void every_construct_is_described_in_four_parts(void **state) {
    (void)state;
    char *text = testlib_read(FORESEE_SOURCE_DIR "/docs/plans.md");
    for (int k = 0; k < CONSTRUCT_ACTION; k++) {
        check_parts(text, construct_name((construct)k));
        if (!used[k])
            fail_msg("%s has no example in docs/plans.md", construct_name((construct)k));
    }
    check_parts(text, "Primitive actions");
    free(text);
}

static void check_keys(const char *text, construct of, const char *const *keys) {
    char *whole = section(text, construct_name(of)), *end = strstr(whole, "**Semantics.**");
    assert_non_null(end);
    *end = 0;
    for (; *keys; keys++)
        if (!strstr(whole, *keys))
            fail_msg("%s: %s is not in its YAML", construct_name(of), *keys);
    free(whole);
}

static void every_key_of_a_construct_is_in_its_yaml(void **state) {
    (void)state;
    char *text = testlib_read(FORESEE_SOURCE_DIR "/docs/plans.md");
    for (int k = 0; k < CONSTRUCT_ACTION; k++) {
        check_keys(text, (construct)k, construct_keys_beside((construct)k));
        check_keys(text, (construct)k, construct_keys_inside((construct)k));
    }
    check_keys(text, CONSTRUCT_ON_FAILURE, clause_keys());
    free(text);
}

static void every_class_that_a_construct_signals_is_among_its_failures(void **state) {
    (void)state;
    static const struct {
        construct of;
        const char *class;
    } signals[] = {
#define SIGNALS(id, class) {CONSTRUCT_##id, #class},
#include "plans/constructs.def"
    };
    char *text = testlib_read(FORESEE_SOURCE_DIR "/docs/plans.md");
    for (size_t k = 0; k < sizeof signals / sizeof *signals; k++) {
        construct of = signals[k].of;
        if (of == CONSTRUCT_COUNT)
            continue; // whatever runs can be stopped as such
        const char *name = of == CONSTRUCT_ACTION ? "Primitive actions" : construct_name(of);
        char *whole = section(text, name), *failures = strstr(whole, "**Failures.**");
        assert_non_null(failures);
        if (!strstr(failures, signals[k].class))
            fail_msg("%s: %s is not among its failures", name, signals[k].class);
        free(whole);
    }
    free(text);
}

static void every_word_of_expressions_and_descriptions_is_named(void **state) {
    (void)state;
    static const char *const words[] = {
#define FUNCTION(id, name, least, most, doc) name,
#define CONDITION(id, name, least, most, doc) name,
#define DESCRIPTION(id, name, doc) name,
#include "projector/interp/functions.def"
#define FUNCTION(name, arity, doc) #name,
#include "projector/robot/actions.def"
#define PLACE_PROPERTY(name, least, most, doc) #name,
#define PLACE_RELATION(name, doc) #name,
#include "projector/belief/places.def"
#define TASK_STATE(name) #name,
#include "plans/task_states.def"
    };
    char *text = testlib_read(FORESEE_SOURCE_DIR "/docs/plans.md");
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (!strstr(text, words[k]))
            fail_msg("%s is not in docs/plans.md", words[k]);
    free(text);
}

static void every_example_of_a_construct_says_how_it_ends(void **state) {
    (void)state;
    char *text = testlib_read(FORESEE_SOURCE_DIR "/docs/plans.md");
    const char *at = strstr(text, "\n## Constructs"), *end = at ? strstr(at + 1, "\n## ") : NULL;
    assert_non_null(end);
    int count = 0;
    while ((at = strstr(at, "```yaml\n")) && at < end) {
        const char *line = at - 1; // the end of the line above
        while (line > text && line[-1] != '\n')
            line--;
        if (strncmp(line, "**Example** (", 13) != 0)
            fail_msg("not labelled: %.120s", at);
        at++;
        count++;
    }
    assert_true(count >= CONSTRUCT_COUNT);
    free(text);
}

static void every_action_and_failure_is_named(void **state) {
    (void)state;
    char *text = testlib_read(FORESEE_SOURCE_DIR "/docs/plans.md");
    for (size_t k = 0; ACTIONS[k]; k++)
        assert_non_null(strstr(text, ACTIONS[k]));
    for (size_t k = 0; FAILURES[k]; k++)
        assert_non_null(strstr(text, FAILURES[k]));
    free(text);
}

static void the_reference_of_actions_is_current(void **state) {
    (void)state;
    text_buffer out = {0};
    actions_document(&out);
    char *kept = testlib_read(FORESEE_SOURCE_DIR "/docs/actions.md");
    if (strcmp(kept, text_string(&out)) != 0)
        fail_msg("docs/actions.md is not current: build/tests/plans/print_actions > "
                 "docs/actions.md");
    free(kept);
    text_finish(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_example_of_the_document_loads),
        cmocka_unit_test(every_construct_is_described_in_four_parts),
        cmocka_unit_test(every_key_of_a_construct_is_in_its_yaml),
        cmocka_unit_test(every_class_that_a_construct_signals_is_among_its_failures),
        cmocka_unit_test(every_word_of_expressions_and_descriptions_is_named),
        cmocka_unit_test(every_example_of_a_construct_says_how_it_ends),
        cmocka_unit_test(every_action_and_failure_is_named),
        cmocka_unit_test(the_reference_of_actions_is_current),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
