// tests/sense/test_tracker.c - the motion-capture system: what it sees, when that arrives, and what
// it loses.
#include "tests/sense/stage.h"

#include <math.h>

static const nanos MS = 1000000;

typedef struct seen {
    size_t count;
    reading last;
    double off, square; // sums of the positions' errors along an axis
    pose expected;
    nanos gap; // longest time between two readings
} seen;

static void keep_tracker(void *context, const reading *r) {
    seen *k = context;
    if (r->kind != READING_TRACKER)
        return;
    if (k->count > 0 && r->taken - k->last.taken > k->gap)
        k->gap = r->taken - k->last.taken;
    k->count++;
    k->last = *r;
    double off = r->tracker.at.p.x - k->expected.p.x;
    k->off += off;
    k->square += off * off;
}

// The robot stands at the origin, its marker 1 m above; the screen's lower edge is at 0.9 m.
static robot_tracker tracker_at(double x, double y, double z) {
    return (robot_tracker){.present = true,
                           .at = {{x, y, z}, quat_rpy(0.2, 0.3, 0.4)},
                           .marker = {{0, 0, 1}, {1, 0, 0, 0}},
                           .range = 10,
                           .rate = 100};
}

// What arrives within two seconds.
static seen watch(robot_tracker tracker, uint64_t seed, int64_t *rows) {
    stage s;
    stage_load(&s, "tests/scenes/seeing.yaml", NULL, 0);
    s.robot->tracker = tracker;
    stage_start(&s, seed);
    seen k = {.expected = pose_mul(pose_inverse(tracker.at), tracker.marker)};
    nanos t = 0;
    int64_t before = s.log.counts[RECORD_READING];
    sense_for(&s, &t, 2000 * MS, keep_tracker, &k);
    if (rows)
        *rows = s.log.counts[RECORD_READING] - before;
    stage_close(&s);
    return k;
}

static void it_sees_the_marker_in_its_own_frame(void **state) {
    (void)state;
    seen k = watch(tracker_at(2.8, 1.5, 2), 1, NULL);
    assert_int_equal(k.count, 200);
    assert_true(v3_distance(k.last.tracker.at.p, k.expected.p) < 1e-3);
    assert_true(quat_angle(k.last.tracker.at.q, k.expected.q) < 1e-3);
    assert_true(k.last.delivered == k.last.taken);
}

static void it_sees_neither_too_far_nor_through_things(void **state) {
    (void)state;
    robot_tracker far = tracker_at(2.8, 1.5, 2);
    far.range = 3.2; // 3.33 m
    assert_int_equal(watch(far, 1, NULL).count, 0);
    far.range = 3.4;
    assert_int_equal(watch(far, 1, NULL).count, 200);
    assert_int_equal(watch(tracker_at(2.8, 0, 1.1), 1, NULL).count, 0);     // behind the screen
    assert_int_equal(watch(tracker_at(2.8, 0.8, 1.1), 1, NULL).count, 200); // beside it
    assert_int_equal(watch(tracker_at(3.5, 0, 2), 1, NULL).count, 0);       // behind the wall
}

static void what_it_sees_comes_late_or_never(void **state) {
    (void)state;
    robot_tracker t = tracker_at(2.8, 1.5, 2);
    t.delay = 0.2;
    seen k = watch(t, 1, NULL);
    assert_int_equal(k.count, 180);
    assert_true(k.last.delivered - k.last.taken == 200 * MS);
    t.delay = 0;
    tracker_loss losses[] = {{0.5, 1.0}, {1.5, 1.6}};
    t.losses = losses;
    t.loss_count = 2;
    k = watch(t, 1, NULL);
    assert_int_equal(k.count, 140);
    assert_true(k.gap == 510 * MS);
    t.loss_count = 0;
    t.dropout = 0.25;
    k = watch(t, 1, NULL);
    assert_true(k.count > 125 && k.count < 175); // 150, sigma 6.1
    assert_int_equal(watch(t, 1, NULL).count, k.count);
    assert_true(watch(t, 2, NULL).last.taken != 0);
}

static void its_noise_and_bias_are_what_it_was_given(void **state) {
    (void)state;
    robot_tracker t = tracker_at(2.8, 1.5, 2);
    t.noise = 0.01;
    t.angle_noise = 0.02;
    seen k = watch(t, 1, NULL);
    double mean = k.off / 200, sigma = sqrt(k.square / 200 - mean * mean);
    assert_true(fabs(mean) < 0.0025 && sigma > 0.0085 && sigma < 0.0115);
    assert_true(quat_angle(k.last.tracker.at.q, k.expected.q) > 1e-4);
    t.bias = v3(0.5, 0, 0);
    assert_true(fabs(watch(t, 1, NULL).off / 200 - mean - 0.5) < 1e-9);
}

static void only_readings_that_differ_by_more_than_noise_are_rows(void **state) {
    (void)state;
    robot_tracker t = tracker_at(2.8, 1.5, 2);
    int64_t without, with, rows;
    t.range = 1;
    watch(t, 1, &without);
    t.range = 10;
    t.noise = 0.001;
    t.angle_noise = 0.001;
    watch(t, 1, &with);
    assert_int_equal(with, without + 1);
    tracker_loss loss = {0.5, 1.0}; // when it is found again there is a row again
    t.losses = &loss;
    t.loss_count = 1;
    watch(t, 1, &rows);
    assert_int_equal(rows, with + 1);
}

// Of the robot's own marker and of another's, which sits on the same base here.
typedef struct pair {
    size_t own, other;
    pose at, other_at;
} pair;

static void keep_pair(void *context, const reading *r) {
    pair *k = context;
    if (r->kind != READING_TRACKER)
        return;
    if (!r->tracker.of) {
        k->own++;
        k->at = r->tracker.at;
        return;
    }
    assert_string_equal(r->tracker.of, "bob");
    k->other++;
    k->other_at = r->tracker.at;
}

static void other_robots_are_seen_by_their_markers_with_noise_of_their_own(void **state) {
    (void)state;
    stage s;
    stage_load(&s, "tests/scenes/seeing.yaml", NULL, 0);
    robot_tracker t = tracker_at(2.8, 1.5, 2);
    t.noise = 0.01;
    s.robot->tracker = t;
    sense_peer bob = {.name = "bob", .marked = true, .marker = {{0, 0.1, 1}, {1, 0, 0, 0}}};
    s.peers = &bob;
    s.peer_count = 1;
    stage_start(&s, 1);
    pair k = {0};
    nanos now = 0;
    sense_for(&s, &now, 1000 * MS, keep_pair, &k);
    assert_int_equal(k.own, 100);
    assert_int_equal(k.other, 100);
    vec3 own = pose_apply(t.at, k.at.p), other = pose_apply(t.at, k.other_at.p);
    double off = v3_distance(v3_sub(other, own), v3(0, 0.1, 0));
    assert_true(off > 1e-4 && off < 0.08); // noise of two, along three axes
    stage_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_sees_the_marker_in_its_own_frame),
        cmocka_unit_test(it_sees_neither_too_far_nor_through_things),
        cmocka_unit_test(what_it_sees_comes_late_or_never),
        cmocka_unit_test(its_noise_and_bias_are_what_it_was_given),
        cmocka_unit_test(only_readings_that_differ_by_more_than_noise_are_rows),
        cmocka_unit_test(other_robots_are_seen_by_their_markers_with_noise_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
