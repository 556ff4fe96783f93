// tests/report/test_term_json.c - edits as terms (predicates/mending.dl) become the JSON that
// `foresee edit` takes.
#include "report/diagnosis/term_json.h"
#include "tests/testlib.h"

static void is_json(const char *terms, const char *expected) {
    arena *memory = arena_create();
    const term *t = NULL;
    error err = {0};
    text_buffer b = {0};
    assert_int_equal(term_parse(memory, "edits", terms, strlen(terms), 1, 1, &t, &err), OK);
    assert_int_equal(edits_json(t, &b, &err), OK);
    array_push(&b, '\0');
    assert_string_equal(b.items, expected);
    array_finish(&b);
    arena_destroy(memory);
}

static void is_refused(const char *terms, const char *why) {
    arena *memory = arena_create();
    const term *t = NULL;
    error err = {0};
    text_buffer b = {0};
    text_put(&b, "before");
    assert_int_equal(term_parse(memory, "edits", terms, strlen(terms), 1, 1, &t, &err), OK);
    assert_int_equal(edits_json(t, &b, &err), E_INPUT);
    assert_non_null(strstr(err.text, why));
    assert_int_equal(b.count, 6);
    array_finish(&b);
    arena_destroy(memory);
}

static void lists_of_terms_with_one_argument_are_maps_and_others_lists(void **state) {
    (void)state;
    is_json(
        "[[adopt(put_down)], [insert_before(\"tidy/put_down/release\"), step([log(\"here\")])]]",
        "[{\"adopt\": \"put_down\"}, {\"insert_before\": \"tidy/put_down/release\", \"step\": "
        "{\"log\": \"here\"}}]");
    is_json("[[order(body), steps([b, a])], [set_parameter(slow), value(0.25)]]",
            "[{\"order\": \"body\", \"steps\": [\"b\", \"a\"]}, {\"set_parameter\": \"slow\", "
            "\"value\": 0.25}]");
    is_json("[]", "[]");
}

static void values_are_themselves_and_goals_their_text(void **state) {
    (void)state;
    is_json("[[set_property(p), key(limit), value(3)], [set_property(p), key(x), value(null)], "
            "[set_property(p), key(y), value(\"null\")]]",
            "[{\"set_property\": \"p\", \"key\": \"limit\", \"value\": 3}, {\"set_property\": "
            "\"p\", \"key\": \"x\", \"value\": null}, {\"set_property\": \"p\", \"key\": \"y\", "
            "\"value\": \"null\"}]");
    is_json("[[replace(a), step([achieve(on(plate_1, table))])]]",
            "[{\"replace\": \"a\", \"step\": {\"achieve\": \"on(plate_1, table)\"}}]");
    is_json("[[replace(a), step([log(\"a \\\"quote\\\"\")])]]",
            "[{\"replace\": \"a\", \"step\": {\"log\": \"a \\\"quote\\\"\"}}]");
}

static void what_is_no_list_of_edits_is_refused_and_nothing_is_written(void **state) {
    (void)state;
    is_refused("delete(a)", "a list");
    is_refused("[[delete(X)]]", "X");
    is_refused("[[replace(a), step([achieve(on(X, table))])]]", "open");
    is_refused("[[delete(a), delete(b)]]", "twice");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_of_terms_with_one_argument_are_maps_and_others_lists),
        cmocka_unit_test(values_are_themselves_and_goals_their_text),
        cmocka_unit_test(what_is_no_list_of_edits_is_refused_and_nothing_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
