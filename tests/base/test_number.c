// tests/base/test_number.c - numbers as text, whatever the locale.
#include <math.h>

#include "base/text/number.h"
#include "base/math/rng.h"
#include "base/term/term.h"
#include "tests/testlib.h"

static bool parses(const char *text, double *out) {
    return number_parse(text, strlen(text), out);
}

static void numbers_are_read_exactly(void **state) {
    (void)state;
    double x;
    assert_true(parses("0", &x) && x == 0);
    assert_true(parses("-0.0", &x) && x == 0 && signbit(x));
    assert_true(parses("12", &x) && x == 12);
    assert_true(parses("+2.5", &x) && x == 2.5);
    assert_true(parses("1e-3", &x) && x == 1e-3);
    assert_true(parses("1.5E+10", &x) && x == 1.5e10);
    assert_true(parses("0.1", &x) && x == 0.1);
    assert_true(parses(".025", &x) && x == 0.025);
    assert_true(parses("-.5", &x) && x == -0.5);
    assert_true(parses(".5e1", &x) && x == 5);
    assert_true(parses("1.7976931348623157e308", &x) && x == 1.7976931348623157e308);
    assert_true(parses("5e-324", &x) && x == 5e-324);
    assert_true(number_parse("123456", 3, &x) && x == 123);
}

static void what_is_no_number_is_refused(void **state) {
    (void)state;
    static const char *const texts[] = {
        "",    "-",  "+",  ".",   "-.",  "5.",  ".e5",  "1e",   "1e+",   "1.e5",  "0x10",  "inf",
        "nan", " 1", "1 ", "1,5", "1_0", "--1", "1e5.", "1..2", "infty", "1e999", "-1e999"};
    double x = 7;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (parses(texts[i], &x))
            fail_msg("'%s' was taken for a number", texts[i]);
    }
    assert_true(x == 7);
    assert_false(number_parse("1\0002", 3, &x));
}

static void a_very_long_number_is_read(void **state) {
    (void)state;
    char text[1000];
    memset(text, '1', sizeof text);
    text[1] = '.';
    double x;
    assert_true(number_parse(text, sizeof text, &x));
    assert_true(fabs(x - 1.1111111111111112) < 1e-15);
}

static void integers_reach_both_ends_and_no_further(void **state) {
    (void)state;
    int64_t x = 5;
    assert_true(number_parse_integer("9223372036854775807", 19, &x) && x == INT64_MAX);
    assert_true(number_parse_integer("-9223372036854775808", 20, &x) && x == INT64_MIN);
    assert_true(number_parse_integer("+007", 4, &x) && x == 7);
    assert_false(number_parse_integer("9223372036854775808", 19, &x));
    assert_false(number_parse_integer("-9223372036854775809", 20, &x));
    assert_false(number_parse_integer("92233720368547758070", 20, &x));
    assert_false(number_parse_integer("", 0, &x));
    assert_false(number_parse_integer("-", 1, &x));
    assert_false(number_parse_integer("1.0", 3, &x));
    assert_int_equal(x, 7);
}

static void prints(double value, const char *expected) {
    char text[NUMBER_SIZE];
    assert_int_equal(number_format(value, text), strlen(expected));
    assert_string_equal(text, expected);
}

static void numbers_print_as_short_as_they_can(void **state) {
    (void)state;
    prints(0, "0.0");
    prints(-0.0, "-0.0");
    prints(5, "5.0");
    prints(0.1, "0.1");
    prints(0.1 + 0.2, "0.30000000000000004");
    prints(1e15, "1e+15");
    prints(123456789012345, "123456789012345.0");
    prints(1e-9, "1e-09");
    prints(-2.5e300, "-2.5e+300");
    prints(5e-324, "4.94065645841247e-324");
    prints(INFINITY, "inf");
    prints(-INFINITY, "-inf");
    prints((double)NAN, "nan");
}

static void every_double_reads_back_the_same(void **state) {
    (void)state;
    rng_key key = rng_key_make(1, "numbers", "");
    for (uint64_t i = 0; i < 100000; i++) {
        double value =
            ldexp(rng_uniform(key, i, 0) - 0.5, (int)(rng_uniform(key, i, 1) * 600) - 300);
        char text[NUMBER_SIZE];
        number_format(value, text);
        double again;
        assert_true(parses(text, &again));
        assert_true(value == again);
        assert_true(strpbrk(text, ".e") != NULL);
    }
}

static void a_locale_with_a_comma_changes_nothing(void **state) {
    (void)state;
    char *folder = testlib_folder();
    bool switched = testlib_use_comma_locale(folder);
    if (switched) {
        char witness[16], text[NUMBER_SIZE];
        snprintf(witness, sizeof witness, "%g", 1.5);
        assert_string_equal(witness, "1,5"); // the locale is in force
        double x = 0;
        assert_int_equal(number_format(1234567.25, text), 10);
        assert_string_equal(text, "1234567.25");
        assert_true(parses("2.75", &x) && x == 2.75);
        assert_false(parses("2,75", &x));
        arena *a = arena_create();
        const term *t;
        assert_int_equal(term_parse(a, "t", "p(0.5, 1e-3)", 12, 1, 1, &t, NULL), OK);
        assert_string_equal(term_text(a, t), "p(0.5, 0.001)");
        arena_destroy(a);
        snprintf(witness, sizeof witness, "%g", 1.5);
        assert_string_equal(witness, "1,5"); // and still is: nothing switched it away
    }
    setlocale(LC_ALL, "C");
    testlib_remove(folder);
    if (!switched)
        skip();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_read_exactly),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(a_very_long_number_is_read),
        cmocka_unit_test(integers_reach_both_ends_and_no_further),
        cmocka_unit_test(numbers_print_as_short_as_they_can),
        cmocka_unit_test(every_double_reads_back_the_same),
        cmocka_unit_test(a_locale_with_a_comma_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
