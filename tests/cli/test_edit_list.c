// tests/cli/test_edit_list.c - several lists of edits made one.
#include "cli/mend/edit_list.h"
#include "tests/testlib.h"

static const char FORCE[] =
    "[{\"adopt\": \"pick_up\"}, {\"set_property\": \"a/b\", \"key\": \"force\", \"value\": 51}]",
                  SLOW[] = "[{\"adopt\": \"pick_up\"}, {\"set_property\": \"a/c\", \"key\": "
                           "\"speed\", \"value\": 0.1}]";

static void an_edit_that_several_lists_have_is_made_once(void **state) {
    (void)state;
    arena *a = arena_create();
    const char *lists[] = {FORCE, SLOW};
    const edit_list_part all[] = {EDITS_ALL, EDITS_ALL};
    assert_string_equal(
        edit_list_join(a, lists, all, 2),
        "[{\"adopt\": \"pick_up\"}, {\"set_property\": \"a/b\", \"key\": \"force\", "
        "\"value\": 51}, {\"set_property\": \"a/c\", \"key\": \"speed\", \"value\": 0.1}]");
    arena_destroy(a);
}

static void what_is_left_out_leaves_the_routines_that_the_others_need(void **state) {
    (void)state;
    arena *a = arena_create();
    const char *lists[] = {FORCE, SLOW, SLOW};
    const edit_list_part adopted[] = {EDITS_ADOPTED, EDITS_NONE, EDITS_NONE},
                         none[] = {EDITS_NONE, EDITS_NONE, EDITS_NONE};
    assert_string_equal(edit_list_join(a, lists, adopted, 3), "[{\"adopt\": \"pick_up\"}]");
    assert_string_equal(edit_list_join(a, lists, none, 3), "[]");
    arena_destroy(a);
}

static void the_edits_keep_their_bytes(void **state) {
    (void)state;
    arena *a = arena_create();
    const char *lists[] = {
        "[{\"insert_after\": \"x\", \"step\": {\"log\": \"a, ] \\\" \\u00e9\"}}]"};
    const edit_list_part all[] = {EDITS_ALL};
    assert_string_equal(edit_list_join(a, lists, all, 1), lists[0]);
    arena_destroy(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edit_that_several_lists_have_is_made_once),
        cmocka_unit_test(what_is_left_out_leaves_the_routines_that_the_others_need),
        cmocka_unit_test(the_edits_keep_their_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
