// tests/plans/test_edit_docs.c - the examples of docs/editing.md: the edits make the result that
// stands there, and lead back.
#include "plans/edit.h"
#include "plans/plan.h"
#include "tests/testlib.h"

static const char *const KINDS[] = {
#define EDIT(id, key, keys, doc) key,
#include "plans/edits.def"
#undef EDIT
    NULL};

// The next block of a kind from *at on; NULL: another kind comes first.
static char *next_block(char **at, const char *kind) {
    char head[32];
    snprintf(head, sizeof head, "```yaml %s\n", kind);
    char *begin = strstr(*at, "```yaml ");
    if (!begin || strncmp(begin, head, strlen(head)) != 0)
        return NULL;
    begin += strlen(head);
    char *end = strstr(begin, "```");
    assert_non_null(end);
    *at = end + 3;
    char *text = strndup(begin, (size_t)(end - begin));
    assert_non_null(text);
    return text;
}

static edit_result *apply(const char *old, const char *edits, const edit_file *routines) {
    edit_request request = {.plan = {"plan.yaml", old, strlen(old)},
                            .edits = {"edits.yaml", edits, strlen(edits)},
                            .routines = routines,
                            .routine_count = 1};
    errors list = {0};
    edit_result *result = NULL;
    if (edit_apply(&request, &result, &list) != OK)
        fail_msg("%s\n%s\n%s", list.items[0].text, edits, old);
    errors_finish(&list);
    return result;
}

static void check_loads(const char *text) {
    char *folder = testlib_folder();
    char *path = testlib_write(folder, "plan.yaml", text);
    errors list = {0};
    plan *p = NULL;
    if (plan_load(path, FORESEE_SOURCE_DIR "/plans", NULL, &p, &list) != OK)
        fail_msg("%d:%d: %s\n%s", list.items[0].line, list.items[0].column, list.items[0].text,
                 text);
    plan_destroy(p);
    errors_finish(&list);
    free(path);
    testlib_remove(folder);
}

static void every_example_gives_its_result_and_leads_back(void **state) {
    (void)state;
    char *text = testlib_read(FORESEE_SOURCE_DIR "/docs/editing.md"), *at = text, *old;
    char *library = testlib_read(FORESEE_SOURCE_DIR "/plans/pick_and_place.yaml");
    edit_file routines = {"pick_and_place.yaml", library, strlen(library)};
    int examples = 0;
    while ((old = next_block(&at, "plan"))) {
        char *edits = next_block(&at, "edits"), *result = next_block(&at, "result");
        assert_non_null(edits);
        edit_result *forth = apply(old, edits, &routines);
        // Without a provenance, the document shows the rest.
        size_t length;
        char *is =
            result && strstr(result, "provenance:")
                ? strdup(edit_text(forth, NULL))
                : edit_strip(edit_text(forth, NULL), strlen(edit_text(forth, NULL)), &length);
        if (result)
            assert_string_equal(is, result);
        check_loads(old);
        check_loads(edit_text(forth, NULL));
        edit_result *back = apply(edit_text(forth, NULL), edit_inverse(forth, NULL), &routines);
        char *again = edit_strip(edit_text(back, NULL), strlen(edit_text(back, NULL)), &length);
        assert_string_equal(again, old);
        examples++;
        edit_result_destroy(forth);
        edit_result_destroy(back);
        free(is);
        free(again);
        free(old);
        free(edits);
        free(result);
    }
    assert_null(strstr(at, "```yaml"));
    assert_int_equal(examples, 10);
    free(text);
    free(library);
}

static void every_kind_of_edit_is_described(void **state) {
    (void)state;
    char *text = testlib_read(FORESEE_SOURCE_DIR "/docs/editing.md");
    for (size_t k = 0; KINDS[k]; k++) {
        char word[64];
        snprintf(word, sizeof word, "`%s`", KINDS[k]);
        if (!strstr(text, word))
            fail_msg("docs/editing.md does not describe %s", KINDS[k]);
    }
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_example_gives_its_result_and_leads_back),
        cmocka_unit_test(every_kind_of_edit_is_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
