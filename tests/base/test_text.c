// tests/base/test_text.c - text that grows, and values as JSON.
#include "base/term/term.h"
#include "base/text/json.h"

#include "tests/testlib.h"

// The address sanitizer would end the test where realloc answers NULL.
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}

static void is_text(text_buffer *b, const char *expected) {
    assert_string_equal(text_string(b), expected);
    assert_int_equal(b->count, strlen(expected));
    text_finish(b);
}

static void a_text_grows_and_ends_with_a_0_all_the_time(void **state) {
    (void)state;
    text_buffer b = {0};
    assert_string_equal(text_string(&b), "");
    for (int i = 0; i < 1000; i++) {
        text_add(&b, "%d,", i % 10);
        assert_int_equal(strlen(b.items), b.count);
    }
    assert_int_equal(b.count, 2000);
    text_finish(&b);
    text_put_bytes(&b, "abc", 2);
    text_put_repeated(&b, ' ', 3);
    text_put(&b, "c");
    is_text(&b, "ab   c");
}

static void a_text_is_given_away_also_when_it_is_empty(void **state) {
    (void)state;
    text_buffer b = {0};
    char *text = text_take(&b);
    assert_string_equal(text, "");
    free(text);
    text_put(&b, "x");
    text = text_take(&b);
    assert_string_equal(text, "x");
    assert_null(b.items);
    free(text);
}

static void a_text_that_may_fail_says_that_bytes_are_missing(void **state) {
    (void)state;
    text_buffer b = {.may_fail = true};
    text_put(&b, "before");
    assert_null(text_extend(&b, SIZE_MAX / 2));
    assert_true(b.failed);
    text_put(&b, "after");
    assert_string_equal(text_string(&b), "before");
    assert_null(text_take(&b));
}

static void a_text_past_its_limit_takes_no_more(void **state) {
    (void)state;
    text_buffer b = {.limit = 4};
    text_put(&b, "abcd");
    text_put(&b, "ef");
    text_put(&b, "gh");
    assert_false(b.failed);
    is_text(&b, "abcdef");
}

static void a_term_is_appended_whatever_its_length(void **state) {
    (void)state;
    arena *a = arena_create();
    char name[1000];
    memset(name, 'a', sizeof name - 1);
    name[sizeof name - 1] = 0;
    text_buffer b = {0};
    term_put(&b, term_symbol(a, "on"));
    term_put(&b, term_symbol(a, name));
    assert_int_equal(b.count, 2 + sizeof name - 1);
    assert_string_equal(text_string(&b) + 2, name);
    text_finish(&b);
    arena_destroy(a);
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
}

static void a_surrogate_is_no_character_for_any_escaper(void **state) {
    (void)state;
    static const char surrogate[] = "\xed\xa0\x80";
    text_buffer b = {0};
    json_string(&b, surrogate);
    is_text(&b, "\"\\ufffd\\ufffd\\ufffd\"");
    yaml_string(&b, surrogate, strlen(surrogate));
    is_text(&b, "\"\\ufffd\\ufffd\\ufffd\"");
    text_put_shown(&b, surrogate, strlen(surrogate));
    is_text(&b, "\\xed\\xa0\\x80");
}

static void breaks_that_only_yaml_knows_are_escaped_for_yaml(void **state) {
    (void)state;
    static const char text[] = "\r\t\xc2\x85\xe2\x80\xa8\xef\xbb\xbf\xe2\x82\xac";
    text_buffer b = {0};
    yaml_string(&b, text, strlen(text));
    is_text(&b, "\"\\r\\t\\u0085\\u2028\\ufeff\xe2\x82\xac\"");
    json_string(&b, text);
    is_text(&b, "\"\\u000d\\t\\u0085\xe2\x80\xa8\xef\xbb\xbf\xe2\x82\xac\"");
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
    assert_true(strtod(text_string(&b), NULL) == 1e300);
    text_finish(&b);
}

static void bytes_become_base64(void **state) {
    (void)state;
    static const char *const pairs[][2] = {{"", ""},
                                           {"f", "Zg=="},
                                           {"fo", "Zm8="},
                                           {"foo", "Zm9v"},
                                           {"foobar", "Zm9vYmFy"}}; // RFC 4648
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        text_buffer b = {0};
        text_put_base64(&b, pairs[i][0], strlen(pairs[i][0]));
        is_text(&b, pairs[i][1]);
    }
}

static void long_lines_are_folded_at_blanks_or_cut(void **state) {
    (void)state;
    static const struct {
        const char *text, *folded, *cut;
    } pairs[] = {
        {"short\nlines\n", "short\nlines\n", "short\nlines\n"},
        {"  a line that is longer than thirty columns\nnext",
         "  a line that is longer than\n      thirty columns\nnext",
         "  a line that is longer tha...\nnext"},
        {"\033[1ma line of just thirty columns.\033[0m",
         "\033[1ma line of just thirty columns.\033[0m",
         "\033[1ma line of just thirty columns.\033[0m"},
        {"a/path/without/a/blank/that/is/too/long", "a/path/without/a/blank/that/is\n    /too/long",
         "a/path/without/a/blank/that..."},
        {"\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc thirty columns in all",
         "\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc thirty columns in\n    all",
         "\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc thirty columns in..."}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        text_buffer b = {0};
        text_put_folded(&b, pairs[i].text, strlen(pairs[i].text), 30, false);
        is_text(&b, pairs[i].folded);
        text_put_folded(&b, pairs[i].text, strlen(pairs[i].text), 30, true);
        is_text(&b, pairs[i].cut);
        text_put_folded(&b, pairs[i].text, strlen(pairs[i].text), 0, false);
        is_text(&b, pairs[i].text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_become_base64),
        cmocka_unit_test(long_lines_are_folded_at_blanks_or_cut),
        cmocka_unit_test(a_text_grows_and_ends_with_a_0_all_the_time),
        cmocka_unit_test(a_text_is_given_away_also_when_it_is_empty),
        cmocka_unit_test(a_text_that_may_fail_says_that_bytes_are_missing),
        cmocka_unit_test(a_text_past_its_limit_takes_no_more),
        cmocka_unit_test(a_term_is_appended_whatever_its_length),
        cmocka_unit_test(json_strings_are_escaped_and_always_utf8),
        cmocka_unit_test(a_surrogate_is_no_character_for_any_escaper),
        cmocka_unit_test(breaks_that_only_yaml_knows_are_escaped_for_yaml),
        cmocka_unit_test(json_seconds_are_exact),
        cmocka_unit_test(json_numbers_read_back_and_infinities_are_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
