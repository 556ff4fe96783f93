// tests/report/test_chart.c - quantities over time as SVG: no peak is lost, nothing is drawn twice.
#include <math.h>
#include <string.h>

#include "report/chart/chart.h"
#include "tests/testlib.h"

static size_t count_of(const char *text, const char *what) {
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, what)); at++)
        n++;
    return n;
}

static void a_peak_of_one_step_among_a_million_is_drawn(void **state) {
    (void)state;
    chart *c = chart_create(1, 1, 10);
    chart_title(c, 0, "peak", "N");
    size_t l = chart_line(c, 0, "felt", "#123456", false);
    for (int k = 0; k < 1000000; k++)
        chart_put(c, 0, l, k * 1e-5, k == 345678 ? 7 : 0);
    text_buffer svg = {0};
    chart_svg(c, "below", &svg);
    // The range is -0.35 to 7.35, whose heights are 34 and 144 pixels: 7 lies at 39, 0 at 139.
    assert_non_null(strstr(text_string(&svg), " 39.0L"));
    assert_non_null(strstr(text_string(&svg), "d=\"M52.5 139.0L"));
    // At rest only the ends are drawn, before the peak and behind it, and a line of the grid.
    assert_int_equal(count_of(text_string(&svg), " 139.0"), 5);
    text_finish(&svg);
    chart_destroy(c);
}

static void what_is_no_number_or_outside_is_left_out(void **state) {
    (void)state;
    chart *c = chart_create(2, 1, 1);
    size_t l = chart_line(c, 0, "felt", "#123456", true);
    chart_line(c, 1, "empty", "#abcdef", false);
    chart_put(c, 0, l, 0, 1);
    chart_put(c, 0, l, 0.2, NAN);
    chart_put(c, 0, l, 0.4, INFINITY);
    chart_put(c, 0, l, 1.5, 1e9);
    chart_put(c, 0, l, -1, 1e9);
    chart_put(c, 0, l, 1, 1);
    chart_shade(c, 0, NAN);
    text_buffer svg = {0};
    chart_svg(c, "below", &svg);
    const char *text = text_string(&svg);
    assert_true(strncmp(text, CHART_BEGINS, strlen(CHART_BEGINS)) == 0);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    assert_null(strstr(text, "e+0"));
    assert_non_null(
        strstr(text, "d=\"M52.5 89.0L321.5 89.0\" stroke=\"#123456\" stroke-dasharray"));
    assert_non_null(strstr(text, "d=\"\" stroke=\"#abcdef\"/>"));
    assert_int_equal(count_of(text, "#e4e4e4"), 0);
    text_finish(&svg);
    chart_destroy(c);
}

static void shades_that_touch_are_one(void **state) {
    (void)state;
    chart *c = chart_create(1, 1, 270);
    for (int k = 10; k < 20; k++)
        chart_shade(c, 0, k);
    chart_shade(c, 0, 270);
    text_buffer svg = {0};
    chart_svg(c, "below", &svg);
    assert_non_null(strstr(text_string(&svg), "<rect x=\"62\" y=\"34\" width=\"10\" height"));
    assert_non_null(strstr(text_string(&svg), "<rect x=\"321\" y=\"34\" width=\"1\" height"));
    assert_int_equal(count_of(text_string(&svg), "#e4e4e4"), 2);
    text_finish(&svg);
    chart_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_peak_of_one_step_among_a_million_is_drawn),
        cmocka_unit_test(what_is_no_number_or_outside_is_left_out),
        cmocka_unit_test(shades_that_touch_are_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
