// tests/base/test_status.c - statuses, errors, lists of errors, nearest names.
#include "base/status.h"
#include "tests/testlib.h"

static void every_status_has_a_name_and_a_sentence(void **state) {
    (void)state;
    assert_string_equal(status_name(OK), "OK");
    assert_string_equal(status_name(E_DIVERGED), "E_DIVERGED");
    for (int s = OK; s <= E_INFEASIBLE; s++) {
        assert_true(strlen(status_name((status)s)) >= 2);
        assert_true(strlen(status_sentence((status)s)) > 5);
    }
    assert_string_equal(status_name((status)99), "?");
}

static void an_error_is_filled_and_its_code_returned(void **state) {
    (void)state;
    error err;
    memset(&err, 0x55, sizeof err);
    assert_int_equal(error_set(&err, E_FULL, "%d left", 3), E_FULL);
    assert_int_equal(err.code, E_FULL);
    assert_string_equal(err.text, "3 left");
    assert_string_equal(err.file, "");
    assert_int_equal(err.line, 0);
    assert_int_equal(error_at(&err, E_INPUT, "a.yaml", 3, 7, "bad %s", "key"), E_INPUT);
    assert_string_equal(err.file, "a.yaml");
    assert_int_equal(err.line, 3);
    assert_int_equal(err.column, 7);
    assert_int_equal(error_set(NULL, E_IO, "nobody listens"), E_IO);
    assert_int_equal(error_at(NULL, E_IO, NULL, 0, 0, "nobody listens"), E_IO);
}

static void long_texts_and_file_names_are_cut_not_overrun(void **state) {
    (void)state;
    char name[2000];
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = 0;
    error err;
    error_at(&err, E_INPUT, name, 1, 1, "%s", name);
    assert_int_equal(strlen(err.file), sizeof err.file - 1);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
}

static void context_can_be_added_to_an_error_from_itself(void **state) {
    (void)state;
    error err;
    error_at(&err, E_INPUT, "w.yaml", 2, 4, "unknown material");
    error_at(&err, err.code, err.file, err.line, err.column, "body cup_1: %s", err.text);
    assert_string_equal(err.text, "body cup_1: unknown material");
    assert_string_equal(err.file, "w.yaml");
}

static void errors_print_like_a_compiler_prints_them(void **state) {
    (void)state;
    error err;
    char text[128];
    error_at(&err, E_INPUT, "plans/table.yaml", 14, 9, "unknown construct 'sequence'");
    int length = error_format(&err, text, sizeof text);
    assert_string_equal(text, "plans/table.yaml:14:9: error: unknown construct 'sequence'");
    assert_int_equal(length, strlen(text));
    err.column = 0;
    error_format(&err, text, sizeof text);
    assert_string_equal(text, "plans/table.yaml:14: error: unknown construct 'sequence'");
    err.line = 0;
    error_format(&err, text, sizeof text);
    assert_string_equal(text, "plans/table.yaml: error: unknown construct 'sequence'");
    error_set(&err, E_USAGE, "no plan");
    assert_int_equal(error_format(&err, text, 6), strlen("error: no plan"));
    assert_string_equal(text, "error");
}

static void a_list_keeps_the_first_hundred_errors(void **state) {
    (void)state;
    errors list = {0};
    for (int i = 1; i <= 130; i++)
        errors_add(&list, "f", i, 1, "mistake %d", i);
    assert_int_equal(list.count, 100);
    assert_string_equal(list.items[99].text, "mistake 100");
    assert_int_equal(list.items[0].code, E_INPUT);
    errors_finish(&list);
    assert_int_equal(list.count, 0);
    assert_null(list.items);
    errors_finish(&list);
    errors_finish(NULL);
    errors_add(NULL, "f", 1, 1, "nobody listens");
}

static void an_appended_error_is_copied(void **state) {
    (void)state;
    errors list = {0};
    error err;
    error_set(&err, E_LIMIT, "first");
    errors_append(&list, &err);
    error_set(&err, E_LIMIT, "second");
    errors_append(&list, &err);
    assert_int_equal(list.items[0].code, E_LIMIT);
    assert_string_equal(list.items[0].text, "first");
    assert_string_equal(list.items[1].text, "second");
    errors_finish(&list);
}

static void the_nearest_name_is_found(void **state) {
    (void)state;
    static const char *const names[] = {"seq", "par", "pursue", "try_all", "try_in_order"};
    assert_string_equal(nearest_name("pursu", names, 5), "pursue");
    assert_string_equal(nearest_name("try_al", names, 5), "try_all");
    assert_string_equal(nearest_name("tyr_in_order", names, 5), "try_in_order");
    assert_string_equal(nearest_name("seq", names, 5), "seq");
    assert_string_equal(nearest_name("sqe", names, 5), "seq"); // swapped letters are one slip
    assert_null(nearest_name("navigate", names, 5));
    assert_null(nearest_name("", names, 5));
    assert_null(nearest_name("seq", names, 0));
}

static void a_name_that_begins_with_another_is_near(void **state) {
    (void)state;
    static const char *const names[] = {"if", "seq", "partial_order"};
    assert_string_equal(nearest_name("sequence", names, 3), "seq");
    assert_string_equal(nearest_name("partial", names, 3), "partial_order");
    assert_null(nearest_name("iffffff", names, 3)); // two letters prove nothing
}

static void very_long_names_are_not_compared(void **state) {
    (void)state;
    char name[300];
    memset(name, 'a', sizeof name);
    name[sizeof name - 1] = 0;
    const char *const names[] = {"seq", name};
    assert_null(nearest_name(name, names, 2));
    assert_string_equal(nearest_name("seqq", names, 2), "seq");
}

static void what_is_said_twice_of_a_file_is_one_error_with_all_lines(void **state) {
    (void)state;
    errors list = {0};
    errors_add(&list, "a.yaml", 3, 1, "no type 'x'");
    errors_add(&list, "a.yaml", 4, 1, "no type 'y'");
    errors_add(&list, "a.yaml", 5, 1, "no type 'x'");
    errors_add(&list, "b.yaml", 6, 1, "no type 'x'");
    errors_add(&list, "a.yaml", 5, 9, "no type 'x'");
    errors_add(&list, "a.yaml", 7, 1, "no type 'x'");
    errors_merge(&list);
    assert_int_equal(list.count, 3);
    assert_string_equal(list.items[0].text, "no type 'x' (also in lines 5 and 7)");
    assert_int_equal(list.items[0].line, 3);
    assert_string_equal(list.items[1].text, "no type 'y'");
    assert_string_equal(list.items[2].file, "b.yaml");
    for (int i = 0; i < 6; i++)
        errors_add(&list, "c.yaml", 10 + i, 1, "no type 'z'");
    errors_merge(&list);
    assert_int_equal(list.count, 4);
    assert_string_equal(list.items[3].text, "no type 'z' (also in lines 11, 12, 13, 14 and 15)");
    errors_finish(&list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_name_and_a_sentence),
        cmocka_unit_test(an_error_is_filled_and_its_code_returned),
        cmocka_unit_test(long_texts_and_file_names_are_cut_not_overrun),
        cmocka_unit_test(context_can_be_added_to_an_error_from_itself),
        cmocka_unit_test(errors_print_like_a_compiler_prints_them),
        cmocka_unit_test(a_list_keeps_the_first_hundred_errors),
        cmocka_unit_test(an_appended_error_is_copied),
        cmocka_unit_test(what_is_said_twice_of_a_file_is_one_error_with_all_lines),
        cmocka_unit_test(the_nearest_name_is_found),
        cmocka_unit_test(a_name_that_begins_with_another_is_near),
        cmocka_unit_test(very_long_names_are_not_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
