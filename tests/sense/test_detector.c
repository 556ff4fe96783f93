// tests/sense/test_detector.c - which other robots are recognised in the plane of the laser, and
// how well they are placed.
#include "tests/sense/stage.h"

#include <math.h>

static const nanos MS = 1000000;

typedef struct met {
    size_t bob, carl;
    reading last;
    pose expected;             // of bob
    double off, square, turns; // sums of errors of bob: m, m2 along x; rad2
} met;

static void keep_detector(void *context, const reading *r) {
    met *k = context;
    if (r->kind != READING_DETECTOR)
        return;
    k->last = *r;
    k->carl += strcmp(r->detector.of, "carl") == 0;
    if (strcmp(r->detector.of, "bob") != 0)
        return;
    k->bob++;
    double off = r->detector.at.p.x - k->expected.p.x;
    double turn = angle_wrap(quat_yaw(r->detector.at.q) - quat_yaw(k->expected.q));
    k->off += off;
    k->square += off * off;
    k->turns += turn * turn;
}

static robot_detector detector(void) {
    return (robot_detector){.present = true, .range = 5, .rate = 100};
}

// A pose as ann sees it who looks away from the desk, with room all about.
static pose spot(double x, double y, double yaw) {
    return pose_mul(pose_planar(0, 0, PI / 2), pose_planar(x, y, yaw));
}

// What ann, who stands at the origin, recognises within two seconds of bob, who stands there, and
// of carl, who stands where he is out of the way, or at `carl`.
static met watch(robot_detector how, pose ann, pose bob, const pose *carl, uint64_t seed,
                 int64_t *rows) {
    stage s;
    stage_load(&s, "tests/scenes/seeing.yaml", NULL, 0);
    s.robot->detector = how;
    const fleet_member all[3] = {{.name = "ann", .robot = s.robot, .at = ann},
                                 {.name = "bob", .robot = s.robot, .at = bob},
                                 {.name = "carl", .robot = s.robot, .at = carl ? *carl : bob}};
    const sense_peer peers[2] = {{.name = "bob", .number = 1}, {.name = "carl", .number = 2}};
    s.members = all;
    s.member_count = carl ? 3 : 2;
    s.peers = peers;
    s.peer_count = s.member_count - 1;
    stage_start(&s, seed);
    met k = {.expected = pose_mul(pose_inverse(ann), bob)};
    nanos t = 0;
    int64_t before = s.log.counts[RECORD_READING];
    sense_for(&s, &t, 2000 * MS, keep_detector, &k);
    if (rows)
        *rows = s.log.counts[RECORD_READING] - before;
    stage_close(&s);
    return k;
}

static void it_places_the_others_base_in_the_own_one(void **state) {
    (void)state;
    met k = watch(detector(), spot(0.2, -0.3, 0.4), spot(1.5, 1.2, 2.5), NULL, 1, NULL);
    assert_int_equal(k.bob, 200);
    assert_string_equal(k.last.detector.of, "bob");
    assert_true(k.last.delivered == k.last.taken);
    assert_true(v3_distance(k.last.detector.at.p, k.expected.p) < 1e-9);
    assert_true(quat_angle(k.last.detector.at.q, k.expected.q) < 1e-9);
}

static void it_recognises_nobody_too_far_behind_its_back_or_behind_others(void **state) {
    (void)state;
    pose ann = spot(0, 0, 0), there = spot(2.2, 0, 1.0);
    robot_detector near = detector();
    near.range = 1.5; // his body is 2.2 - 0.22 - 0.2 m away
    assert_int_equal(watch(near, ann, there, NULL, 1, NULL).bob, 0);
    near.range = 2;
    assert_int_equal(watch(near, ann, there, NULL, 1, NULL).bob, 200);
    assert_int_equal(watch(detector(), spot(0, 0, PI), there, NULL, 1, NULL).bob, 0);
    assert_int_equal(watch(detector(), spot(0, 0, PI / 2), there, NULL, 1, NULL).bob, 200);
    // carl hides him, and is himself in view; a step aside hides nothing.
    pose between = spot(1.2, 0, 0), aside = spot(1.2, 1.2, 0);
    met hidden = watch(detector(), ann, there, &between, 1, NULL);
    assert_int_equal(hidden.bob, 0);
    assert_int_equal(hidden.carl, 200);
    met both = watch(detector(), ann, there, &aside, 1, NULL);
    assert_int_equal(both.bob, 200);
    assert_int_equal(both.carl, 200);
}

static void what_it_reads_comes_late_or_never(void **state) {
    (void)state;
    pose ann = spot(0, 0, 0), there = spot(1.5, 0.5, 0);
    robot_detector d = detector();
    d.delay = 0.2;
    met k = watch(d, ann, there, NULL, 1, NULL);
    assert_int_equal(k.bob, 180);
    assert_true(k.last.delivered - k.last.taken == 200 * MS);
    d.delay = 0;
    d.dropout = 0.25;
    k = watch(d, ann, there, NULL, 1, NULL);
    assert_true(k.bob > 125 && k.bob < 175); // 150, sigma 6.1
    assert_int_equal(watch(d, ann, there, NULL, 1, NULL).bob, k.bob);
}

static void its_noise_is_what_it_was_given_and_that_of_each_robot_its_own(void **state) {
    (void)state;
    pose ann = spot(0, 0, 0), there = spot(1.5, 0.5, 0.3), aside = spot(1.5, -0.8, 0);
    robot_detector d = detector();
    d.noise = 0.01;
    d.angle_noise = 0.02;
    met k = watch(d, ann, there, NULL, 1, NULL);
    double mean = k.off / 200, sigma = sqrt(k.square / 200 - mean * mean);
    assert_true(fabs(mean) < 0.0025 && sigma > 0.0085 && sigma < 0.0115);
    assert_true(sqrt(k.turns / 200) > 0.017 && sqrt(k.turns / 200) < 0.023);
    // One robot more changes no reading of the first.
    met two = watch(d, ann, there, &aside, 1, NULL), other = watch(d, ann, there, NULL, 2, NULL);
    assert_true(two.off == k.off && two.turns == k.turns && two.carl == 200);
    assert_true(other.off != k.off);
}

static void only_readings_that_differ_by_more_than_noise_are_rows(void **state) {
    (void)state;
    pose ann = spot(0, 0, 0), there = spot(1.5, 0.5, 0);
    robot_detector none = {0}, d = detector();
    d.noise = 0.005;
    d.angle_noise = 0.01;
    int64_t without, with;
    watch(none, ann, there, NULL, 1, &without);
    watch(d, ann, there, NULL, 1, &with);
    assert_int_equal(with, without + 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_places_the_others_base_in_the_own_one),
        cmocka_unit_test(it_recognises_nobody_too_far_behind_its_back_or_behind_others),
        cmocka_unit_test(what_it_reads_comes_late_or_never),
        cmocka_unit_test(its_noise_is_what_it_was_given_and_that_of_each_robot_its_own),
        cmocka_unit_test(only_readings_that_differ_by_more_than_noise_are_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
