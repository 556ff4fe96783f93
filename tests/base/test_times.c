// tests/base/test_times.c - intervals and hysteresis.
#include <math.h>

#include "base/math/rng.h"
#include "base/time/times.h"
#include "tests/testlib.h"

#define MS INT64_C(1000000)

static intervals make(size_t count, const nanos *ends) {
    intervals v = {0};
    for (size_t i = 0; i < count; i++)
        array_push(&v, (interval){ends[2 * i], ends[2 * i + 1]});
    return v;
}
#define MAKE(...) make(sizeof((nanos[]){__VA_ARGS__}) / sizeof(nanos) / 2, (nanos[]){__VA_ARGS__})

static void check(intervals *v, size_t count, const nanos *ends) {
    assert_int_equal(v->count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(v->items[i].start, ends[2 * i]);
        assert_int_equal(v->items[i].end, ends[2 * i + 1]);
    }
}
#define CHECK(v, ...)                                                                              \
    check(v, sizeof((nanos[]){__VA_ARGS__}) / sizeof(nanos) / 2, (nanos[]){__VA_ARGS__})

static int by_time(const void *a, const void *b) {
    nanos x = *(const nanos *)a, y = *(const nanos *)b;
    return (x > y) - (x < y);
}

static void instants_in_any_order_are_sorted(void **state) {
    (void)state;
    rng_key key = rng_key_make(1, "instants", "");
    uint64_t n = 0;
    for (size_t count = 0; count < 300; count++) {
        nanos t[300], want[300];
        // some are a few ascending runs, some have no order
        nanos last = 0;
        double jumps = rng_uniform(key, n++, 0);
        for (size_t i = 0; i < count; i++) {
            last = rng_uniform(key, n++, 0) < jumps ? (nanos)(rng_uniform(key, n++, 0) * 100)
                                                    : last + 1;
            want[i] = t[i] = last;
        }
        nanos_sort(t, count);
        qsort(want, count, sizeof *want, by_time);
        assert_memory_equal(t, want, count * sizeof *t);
    }
}

static void seconds_become_the_nearest_nanosecond(void **state) {
    (void)state;
    assert_int_equal(nanos_from_seconds(0.002), 2000000);
    assert_int_equal(nanos_from_seconds(0.1), 100000000);
    assert_int_equal(nanos_from_seconds(-1.5), -1500000000);
    assert_int_equal(nanos_from_seconds(1e-10), 0);
    assert_int_equal(nanos_from_seconds(123.456789123), INT64_C(123456789123));
    assert_int_equal(nanos_from_seconds(INFINITY), INT64_MAX);
    assert_int_equal(nanos_from_seconds(1e300), INT64_MAX);
    assert_int_equal(nanos_from_seconds(-1e300), INT64_MIN);
    assert_int_equal(nanos_from_seconds((double)NAN), 0);
    assert_true(seconds(1500000000) == 1.5);
    for (nanos step = 0; step < 200000;
         step++) // every physics step survives the way there and back
        assert_int_equal(nanos_from_seconds(seconds(step * 2 * MS)), step * 2 * MS);
}

static void normalising_sorts_merges_and_drops_the_empty(void **state) {
    (void)state;
    intervals v = MAKE(10, 20, 5, 7, 15, 25, 7, 8, 30, 30, 40, 35, 25, 26);
    intervals_normalise(&v);
    CHECK(&v, 5, 8, 10, 26);
    array_finish(&v);
    intervals none = {0};
    intervals_normalise(&none);
    assert_int_equal(none.count, 0);
    intervals open = MAKE(0, TIME_OPEN, INT64_MIN, -5, 7, 9);
    intervals_normalise(&open);
    CHECK(&open, INT64_MIN, -5, 0, TIME_OPEN);
    array_finish(&open);
}

static void cleaning_joins_before_it_drops(void **state) {
    (void)state;
    // Each piece is shorter than 10, but joined they last.
    intervals v = MAKE(0, 4, 6, 9, 11, 14, 50, 55, 70, 80);
    intervals_clean(&v, 3, 10);
    CHECK(&v, 0, 14, 70, 80);
    array_finish(&v);
}

static void a_gap_of_just_the_limit_stays_and_a_run_of_just_the_limit_too(void **state) {
    (void)state;
    intervals v = MAKE(0, 10, 13, 23, 25, 34);
    intervals_clean(&v, 3, 10);
    CHECK(&v, 0, 10, 13, 34);
    intervals_clean(&v, 0, 11);
    CHECK(&v, 13, 34);
    array_finish(&v);
    intervals far = MAKE(INT64_MIN, INT64_MIN + 5, INT64_MAX - 5, INT64_MAX);
    intervals_clean(&far, INT64_MAX, 1); // the distance does not fit 64 bits
    assert_int_equal(far.count, 2);
    array_finish(&far);
}

static void sets_of_instants_behave_like_sets(void **state) {
    (void)state;
    intervals a = MAKE(0, 10, 20, 30), b = MAKE(5, 22, 25, 26, 30, 40), out = {0};
    intervals_intersect(&a, &b, &out);
    CHECK(&out, 5, 10, 20, 22, 25, 26);
    intervals_union(&a, &b, &out);
    CHECK(&out, 0, 40);
    intervals_complement(&a, (interval){-5, 25}, &out);
    CHECK(&out, -5, 0, 10, 20);
    intervals_complement(&a, (interval){5, 7}, &out);
    assert_int_equal(out.count, 0);
    intervals none = {0};
    intervals_complement(&none, (interval){1, 2}, &out);
    CHECK(&out, 1, 2);
    intervals_intersect(&a, &none, &out);
    assert_int_equal(out.count, 0);
    array_finish(&a);
    array_finish(&b);
    array_finish(&out);
}

static bool holds(const intervals *v, nanos t) {
    for (size_t i = 0; i < v->count; i++) {
        if (v->items[i].start <= t && t < v->items[i].end)
            return true;
    }
    return false;
}

static void check_normal(const intervals *v) {
    for (size_t i = 0; i < v->count; i++) {
        assert_true(v->items[i].start < v->items[i].end);
        assert_true(i == 0 || v->items[i - 1].end < v->items[i].start);
    }
}

static void operators_agree_with_instants_counted_one_by_one(void **state) {
    (void)state;
    rng_key key = rng_key_make(3, "times", "");
    uint64_t n = 0;
    for (int round = 0; round < 2000; round++) {
        intervals v[2] = {{0}, {0}}, raw[2] = {{0}, {0}}, both = {0}, any = {0}, none = {0};
        for (int k = 0; k < 2; k++) {
            size_t count = (size_t)(rng_uniform(key, n++, 0) * 8);
            for (size_t i = 0; i < count; i++) {
                nanos start = (nanos)(rng_uniform(key, n++, 0) * 40);
                interval x = {start, start + (nanos)(rng_uniform(key, n++, 0) * 8)};
                array_push(&v[k], x);
                array_push(&raw[k], x);
            }
            intervals_normalise(&v[k]);
            check_normal(&v[k]);
        }
        intervals_intersect(&v[0], &v[1], &both);
        intervals_union(&v[0], &v[1], &any);
        intervals_complement(&v[0], (interval){3, 44}, &none);
        check_normal(&any);
        check_normal(&none);
        for (nanos t = -1; t < 55; t++) {
            bool a = holds(&raw[0], t), b = holds(&raw[1], t);
            assert_int_equal(holds(&v[0], t), a);
            assert_int_equal(holds(&both, t), a && b);
            assert_int_equal(holds(&any, t), a || b);
            assert_int_equal(holds(&none, t), !a && t >= 3 && t < 44);
        }
        for (int k = 0; k < 2; k++) {
            array_finish(&v[k]);
            array_finish(&raw[k]);
        }
        array_finish(&both);
        array_finish(&any);
        array_finish(&none);
    }
}

static void feed(hysteresis *h, intervals *out, size_t count, const double *values) {
    for (size_t i = 0; i < count; i++)
        hysteresis_feed(h, (nanos)i, values[i], out);
}
#define FEED(h, out, ...)                                                                          \
    feed(h, out, sizeof((double[]){__VA_ARGS__}) / sizeof(double), (double[]){__VA_ARGS__})

static void a_trigger_dates_both_ends_back_to_the_raw_instants(void **state) {
    (void)state;
    hysteresis h;
    intervals out = {0};
    hysteresis_init(&h, 2, 1, false, 0, 0);
    // Inside of `off` from 1 on, over `on` at 3 only, outside of `off` at 6.
    FEED(&h, &out, 0, 1, 1.5, 2, 1.5, 1, 0.9, 0.9);
    CHECK(&out, 1, 6);
    array_finish(&out);
}

static void a_rise_that_never_reaches_on_is_nothing(void **state) {
    (void)state;
    hysteresis h;
    intervals out = {0};
    hysteresis_init(&h, 2, 1, false, 0, 0);
    FEED(&h, &out, 0, 1, 1.9, 1.9, 0, 1.5, 0);
    hysteresis_finish(&h, 10, &out);
    assert_int_equal(out.count, 0);
    array_finish(&out);
}

static void a_trigger_below_is_the_mirror(void **state) {
    (void)state;
    hysteresis h;
    intervals out = {0};
    hysteresis_init(&h, 1, 2, true, 0, 0);
    FEED(&h, &out, 3, 2, 1.5, 1, 1.5, 2, 2.1, 1.2, 3);
    CHECK(&out, 1, 6);
    array_finish(&out);
}

static void gaps_are_joined_before_short_runs_are_dropped(void **state) {
    (void)state;
    hysteresis h;
    intervals out = {0};
    hysteresis_init(&h, 1, 1, false, 3, 4);
    //                  0  1  2  3  4  5  6  7  8  9 10 11
    FEED(&h, &out, /**/ 1, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0);
    hysteresis_finish(&h, 12, &out);
    CHECK(&out, 0, 6); // the gap of 2 is joined, that of 3 stays, the run of 2 is dropped
    array_finish(&out);
}

static void a_finished_run_comes_out_as_soon_as_nothing_can_join_it(void **state) {
    (void)state;
    hysteresis h;
    intervals out = {0};
    hysteresis_init(&h, 1, 1, false, 3, 0);
    FEED(&h, &out, 1, 0, 0, 0);
    assert_int_equal(out.count, 0); // outside since 1; a run from 3 on would still join
    hysteresis_feed(&h, 4, 0, &out);
    CHECK(&out, 0, 1);
    array_finish(&out);
}

static void a_slow_rise_within_the_gap_joins_by_its_raw_start(void **state) {
    (void)state;
    hysteresis h;
    intervals out = {0};
    hysteresis_init(&h, 2, 1, false, 3, 0);
    // It leaves at 1, is inside again from 2 on, and reaches `on` only at 8.
    FEED(&h, &out, 2, 0, 1, 1, 1, 1, 1, 1, 2, 0);
    hysteresis_finish(&h, 20, &out);
    CHECK(&out, 0, 9);
    array_finish(&out);
}

static void what_is_active_at_the_end_ends_there(void **state) {
    (void)state;
    hysteresis h;
    intervals out = {0};
    hysteresis_init(&h, 1, 1, false, 2, 0);
    FEED(&h, &out, 0, 1, 1);
    hysteresis_finish(&h, 7, &out);
    CHECK(&out, 1, 7);
    // It can be fed again.
    out.count = 0;
    hysteresis_feed(&h, 10, 1, &out);
    hysteresis_finish(&h, TIME_OPEN, &out);
    CHECK(&out, 10, TIME_OPEN);
    array_finish(&out);
}

static void not_a_number_lies_outside(void **state) {
    (void)state;
    hysteresis h;
    intervals out = {0};
    hysteresis_init(&h, 1, 1, false, 0, 0);
    FEED(&h, &out, 1, 1, (double)NAN, 1);
    hysteresis_finish(&h, 4, &out);
    CHECK(&out, 0, 2, 3, 4);
    out.count = 0;
    hysteresis_init(&h, 1, 1, true, 0, 0);
    FEED(&h, &out, 1, 1, (double)NAN, 1);
    hysteresis_finish(&h, 4, &out);
    CHECK(&out, 0, 2, 3, 4);
    array_finish(&out);
}

// The runs inside of `off` that reach `on`, found by looking at the whole signal.
static void by_hand(const double *values, size_t count, double on, double off, bool below,
                    intervals *out) {
    for (size_t i = 0; i < count;) {
        size_t j = i;
        bool reached = false;
        for (; j < count && (below ? values[j] <= off : values[j] >= off); j++)
            reached = reached || (below ? values[j] <= on : values[j] >= on);
        if (reached)
            array_push(out, (interval){(nanos)i, (nanos)j});
        i = j > i ? j : i + 1;
    }
}

static void the_stream_and_the_whole_give_the_same_intervals(void **state) {
    (void)state;
    rng_key key = rng_key_make(9, "stream", "");
    uint64_t n = 0;
    size_t found = 0;
    for (int round = 0; round < 5000; round++) {
        double values[40];
        bool below = round % 2 == 1;
        double on = below ? 1 : 2, off = below ? 2 : 1;
        nanos gap = (nanos)(rng_uniform(key, n++, 0) * 6);
        nanos shortest = (nanos)(rng_uniform(key, n++, 0) * 8);
        hysteresis h;
        intervals stream = {0}, whole = {0};
        hysteresis_init(&h, on, off, below, gap, shortest);
        for (size_t i = 0; i < 40; i++) {
            values[i] = floor(rng_uniform(key, n++, 0) * 4);
            hysteresis_feed(&h, (nanos)i, values[i], &stream);
        }
        hysteresis_finish(&h, 40, &stream);
        by_hand(values, 40, on, off, below, &whole);
        intervals_clean(&whole, gap, shortest);
        assert_int_equal(stream.count, whole.count);
        for (size_t i = 0; i < whole.count; i++) {
            assert_int_equal(stream.items[i].start, whole.items[i].start);
            assert_int_equal(stream.items[i].end, whole.items[i].end);
        }
        found += whole.count;
        array_finish(&stream);
        array_finish(&whole);
    }
    assert_true(found > 5000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seconds_become_the_nearest_nanosecond),
        cmocka_unit_test(normalising_sorts_merges_and_drops_the_empty),
        cmocka_unit_test(cleaning_joins_before_it_drops),
        cmocka_unit_test(a_gap_of_just_the_limit_stays_and_a_run_of_just_the_limit_too),
        cmocka_unit_test(sets_of_instants_behave_like_sets),
        cmocka_unit_test(operators_agree_with_instants_counted_one_by_one),
        cmocka_unit_test(a_trigger_dates_both_ends_back_to_the_raw_instants),
        cmocka_unit_test(a_rise_that_never_reaches_on_is_nothing),
        cmocka_unit_test(a_trigger_below_is_the_mirror),
        cmocka_unit_test(gaps_are_joined_before_short_runs_are_dropped),
        cmocka_unit_test(a_finished_run_comes_out_as_soon_as_nothing_can_join_it),
        cmocka_unit_test(a_slow_rise_within_the_gap_joins_by_its_raw_start),
        cmocka_unit_test(what_is_active_at_the_end_ends_there),
        cmocka_unit_test(not_a_number_lies_outside),
        cmocka_unit_test(instants_in_any_order_are_sorted),
        cmocka_unit_test(the_stream_and_the_whole_give_the_same_intervals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
