// Every example of docs/plans.md loads, and its names are those of the robot; every construct has
// one.
#include "plans/tree.h"
#include "tests/testlib.h"

static const char *const ACTIONS[] = {
#define ACTION(name, deadline_s, doc) #name,
#include "projector/robot/actions.def"
    NULL};
static const char *const ARGUMENTS[] = {
#define ARGUMENT(action, key, required, doc) #action "." #key,
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
    plan_names names = {.actions = ACTIONS, .arguments = ARGUMENTS, .failures = FAILURES};
    if (s == OK)
        s = plan_check(p, &names, &list);
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

static void every_construct_is_described_with_an_example(void **state) {
    (void)state;
    char *text = testlib_read(FORESEE_SOURCE_DIR "/docs/plans.md");
    for (int k = 0; k < CONSTRUCT_ACTION; k++) {
        char heading[64];
        snprintf(heading, sizeof heading, "\n### %s\n", construct_name((construct)k));
        if (!strstr(text, heading) || !used[k])
            fail_msg("%s has no %s in docs/plans.md", construct_name((construct)k),
                     used[k] ? "section" : "example");
    }
    for (size_t k = 0; ACTIONS[k]; k++)
        assert_non_null(strstr(text, ACTIONS[k]));
    for (size_t k = 0; FAILURES[k]; k++)
        assert_non_null(strstr(text, FAILURES[k]));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_example_of_the_document_loads),
        cmocka_unit_test(every_construct_is_described_with_an_example),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
