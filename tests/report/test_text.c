#include "report/text.h"
#include "tests/testlib.h"

static void is_text(text_buffer *b, const char *expected) {
    array_push(b, '\0');
    assert_string_equal(b->items, expected);
    b->count = 0;
}

static void json_strings_are_escaped_and_always_utf8(void **state) {
    (void)state;
    text_buffer b = {0};
    json_string(&b, "a \"quoted\\\" line\n\x01 \xc3\xa9");
    is_text(&b, "\"a \\\"quoted\\\\\\\" line\\n\\u0001 \xc3\xa9\"");
    json_string(&b, "\xff\xc3(\xe0\x80\x80");
    is_text(&b, "\"\\ufffd\\ufffd(\\ufffd\\ufffd\\ufffd\"");
    json_string(&b, NULL);
    is_text(&b, "null");
    array_finish(&b);
}

static void json_seconds_are_exact(void **state) {
    (void)state;
    text_buffer b = {0};
    json_seconds(&b, 8304000000);
    is_text(&b, "8.304");
    json_seconds(&b, 0);
    is_text(&b, "0");
    json_seconds(&b, 1);
    is_text(&b, "0.000000001");
    json_seconds(&b, -1500000000);
    is_text(&b, "-1.5");
    json_seconds(&b, 60000000000);
    is_text(&b, "60");
    array_finish(&b);
}

static void json_numbers_read_back_and_infinities_are_null(void **state) {
    (void)state;
    text_buffer b = {0};
    json_number(&b, 0.1);
    is_text(&b, "0.1");
    json_number(&b, 3);
    is_text(&b, "3");
    json_number(&b, -0.0);
    is_text(&b, "0");
    json_number(&b, 1.0 / 0.0);
    is_text(&b, "null");
    json_number(&b, 1e300);
    assert_true(b.count > 0);
    array_push(&b, '\0');
    assert_true(strtod(b.items, NULL) == 1e300);
    array_finish(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_strings_are_escaped_and_always_utf8),
        cmocka_unit_test(json_seconds_are_exact),
        cmocka_unit_test(json_numbers_read_back_and_infinities_are_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
