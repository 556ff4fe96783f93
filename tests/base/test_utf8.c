// tests/base/test_utf8.c - characters: what is UTF-8, what is shown, what JSON gets.
#include "base/files/excerpt.h"
#include "base/text/json.h"
#include "base/term/term.h"
#include "base/utf8.h"

#include "tests/testlib.h"

static const char *written(size_t (*way)(const char *, size_t, utf8_written *), const char *text) {
    static char all[400];
    size_t n = 0, length = strlen(text);
    while (length > 0) {
        utf8_written one;
        size_t taken = way(text, length, &one);
        assert_true(taken > 0 && taken <= length);
        memcpy(all + n, one.bytes, one.count);
        n += one.count;
        text += taken;
        length -= taken;
    }
    all[n] = 0;
    return all;
}

static void characters_are_those_of_utf8_and_no_others(void **state) {
    (void)state;
    assert_int_equal(utf8_character("a", 1), 1);
    assert_int_equal(utf8_character("\xc3\xa4", 2), 2);
    assert_int_equal(utf8_character("\xe2\x82\xac", 3), 3);
    assert_int_equal(utf8_character("\xf0\x9f\x98\x80", 4), 4);
    // Cut, overlong, a surrogate, past the last code, a byte that only continues.
    assert_int_equal(utf8_character("\xe2\x82\xac", 2), 0);
    assert_int_equal(utf8_character("\xc0\xaf", 2), 0);
    assert_int_equal(utf8_character("\xe0\x80\xaf", 3), 0);
    assert_int_equal(utf8_character("\xed\xa0\x80", 3), 0);
    assert_int_equal(utf8_character("\xf4\x90\x80\x80", 4), 0);
    assert_int_equal(utf8_character("\x80", 1), 0);
    assert_int_equal(utf8_cut("ab\xe2\x82\xac", 5), 5);
    assert_int_equal(utf8_cut("ab\xe2\x82\xac", 4), 2);
    assert_int_equal(utf8_cut("ab\xe2\x82\xac", 3), 2);
    assert_int_equal(utf8_cut("ab", 2), 2);
    assert_int_equal(utf8_cut("", 0), 0);
}

static void characters_are_decoded_counted_and_found_from_within(void **state) {
    (void)state;
    uint32_t code = 7;
    assert_int_equal(utf8_decode("a", 1, &code), 1);
    assert_int_equal(code, 'a');
    assert_int_equal(utf8_decode("\xc3\xa4", 2, &code), 2);
    assert_int_equal(code, 0xe4);
    assert_int_equal(utf8_decode("\xe2\x82\xac", 3, &code), 3);
    assert_int_equal(code, 0x20ac);
    assert_int_equal(utf8_decode("\xf0\x9f\x98\x80", 4, &code), 4);
    assert_int_equal(code, 0x1f600);
    assert_int_equal(utf8_decode("\xed\xa0\x80", 3, &code), 0);
    assert_int_equal(code, 0x1f600);
    assert_int_equal(utf8_count("a\xc3\xa4\xe2\x82\xac", 6), 3);
    for (size_t i = 3; i < 6; i++)
        assert_int_equal(utf8_begin("a\xc3\xa4\xe2\x82\xac", i), 3);
    assert_int_equal(utf8_begin("a\xc3\xa4\xe2\x82\xac", 6), 6);
}

static void what_would_steer_a_terminal_is_shown(void **state) {
    (void)state;
    assert_string_equal(written(utf8_show, "a\xc3\xa4\n\tb"), "a\xc3\xa4\n\tb");
    assert_string_equal(written(utf8_show, "\x1b[2J\a\r\x7f"), "\\x1b[2J\\x07\\x0d\\x7f");
    assert_string_equal(written(utf8_show, "\xc2\x9b\x9b\xed\xa0\x80"),
                        "\\xc2\\x9b\\x9b\\xed\\xa0\\x80");
}

static void json_gets_escapes_and_no_byte_that_is_none_of_a_character(void **state) {
    (void)state;
    text_buffer b = {0};
    json_string(&b, "a\"b\\c\n\t\x1b\x7f\xc2\x9b\xc3\xa4");
    assert_string_equal(text_string(&b), "\"a\\\"b\\\\c\\n\\t\\u001b\\u007f\\u009b\xc3\xa4\"");
    b.count = 0;
    json_string(&b, "\xed\xa0\x80\xff");
    assert_string_equal(text_string(&b), "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
    text_finish(&b);
}

static void a_text_that_is_cut_ends_with_a_whole_character(void **state) {
    (void)state;
    error err = {0};
    char long_text[2000];
    for (size_t i = 0; i < sizeof long_text - 1; i++)
        long_text[i] = "\xe2\x82\xac"[i % 3];
    long_text[sizeof long_text - 1] = 0;
    for (int before = 0; before < 3; before++) {
        error_at(&err, E_INPUT, long_text + 3, 1, 1, "%.*s%s", before, "aaa", long_text);
        assert_int_equal(utf8_cut(err.text, strlen(err.text)), strlen(err.text));
        assert_int_equal(utf8_cut(err.file, strlen(err.file)), strlen(err.file));
        assert_true(strlen(err.text) + 3 >= sizeof err.text - 1);
    }
}

static void
a_mistake_shows_what_would_steer_a_terminal_and_its_caret_stands_below_the_place(void **state) {
    (void)state;
    error err = {0};
    error_at(&err, E_INPUT, "a\x1b[2J.dl", 2, 7, "no '%s' here", "\x07\xff\xc3\xa4");
    char *shown = error_excerpt(&err, "one\n\x1b\t\xc3\xa4\x9b x\x07\n", NULL);
    assert_string_equal(shown, "a\\x1b[2J.dl:2:7: error: no '\\x07\\xff\xc3\xa4' here\n"
                               "  \\x1b\t\xc3\xa4\\x9b x\\x07\n"
                               "      \t      ^\n");
    free(shown);
}

static void terms_are_printed_safely_and_read_back_as_they_were(void **state) {
    (void)state;
    static const char *const texts[] = {"\x1b[2J",  "\xc2\x9b", "\xed\xa0\x80",
                                        "\xff\xfe", "a'b\"c\\", "\xc3\xa4\n\t\r\x7f"};
    arena *a = arena_create();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const term *args[2] = {term_symbol(a, texts[i]), term_string(a, texts[i])}, *back = NULL;
        const term *t = term_compound(a, texts[i], 2, args);
        const char *text = term_text(a, t);
        for (const char *c = text; *c;) {
            size_t n = utf8_printable(c, strlen(c));
            assert_true(n > 0);
            c += n;
        }
        assert_int_equal(term_parse(a, "", text, strlen(text), 1, 1, &back, NULL), OK);
        assert_true(term_equal(t, back));
    }
    arena_destroy(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_are_those_of_utf8_and_no_others),
        cmocka_unit_test(characters_are_decoded_counted_and_found_from_within),
        cmocka_unit_test(what_would_steer_a_terminal_is_shown),
        cmocka_unit_test(json_gets_escapes_and_no_byte_that_is_none_of_a_character),
        cmocka_unit_test(a_text_that_is_cut_ends_with_a_whole_character),
        cmocka_unit_test(
            a_mistake_shows_what_would_steer_a_terminal_and_its_caret_stands_below_the_place),
        cmocka_unit_test(terms_are_printed_safely_and_read_back_as_they_were),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
