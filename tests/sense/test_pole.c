// tests/sense/test_pole.c - poles in scans of the laser: where they are found, and what is none.
#include "base/math/rng.h"
#include "projector/sense/laser.h"
#include "projector/sense/pole.h"
#include "tests/testlib.h"

enum { BEAMS = 360 };
static const double RADIUS = 0.02; // m, of the pole

static robot_laser scanner(void) {
    return (robot_laser){
        .fov = 240 * PI / 180, .beams = BEAMS, .min_range = 0.05, .max_range = 8, .noise = 0.01};
}

// Shortens the beams that end on an upright cylinder.
static void add_cylinder(const robot_laser *l, double *ranges, vec3 at, double radius) {
    const shape s = {.kind = SHAPE_CYLINDER, .at = POSE_IDENTITY, .size = {radius, 0, 2}};
    for (int i = 0; i < BEAMS; i++) {
        double b = laser_bearing(l, i);
        ranges[i] = fmin(ranges[i], shape_ray(&s, (pose){at, POSE_IDENTITY.q}, v3(0, 0, 0),
                                              v3(cos(b), sin(b), 0)));
    }
}

// A wall across the way, seen at a slant.
static void add_wall(const robot_laser *l, double *ranges, vec3 at, double yaw) {
    const shape s = {.kind = SHAPE_BOX, .at = POSE_IDENTITY, .size = {0.02, 3, 2}};
    const pose where = {at, quat_axis_angle(v3(0, 0, 1), yaw)};
    for (int i = 0; i < BEAMS; i++) {
        double b = laser_bearing(l, i);
        ranges[i] = fmin(ranges[i], shape_ray(&s, where, v3(0, 0, 0), v3(cos(b), sin(b), 0)));
    }
}

static void clear_scan(double *ranges) {
    for (int i = 0; i < BEAMS; i++)
        ranges[i] = INFINITY;
}

static void add_noise(const robot_laser *l, double *ranges, uint64_t seed) {
    rng_key key = rng_key_make(seed, "pole", "");
    for (int i = 0; i < BEAMS; i++)
        ranges[i] += l->noise * rng_normal(key, 0, (uint32_t)i);
}

static void a_pole_is_found_within_20_mm(void **state) {
    (void)state;
    robot_laser l = scanner();
    double ranges[BEAMS];
    pole_found found;
    int near = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        rng_key key = rng_key_make(seed, "place", "");
        double bearing = (rng_uniform(key, 0, 0) - 0.5) * 3, far = 0.5 + rng_uniform(key, 0, 1);
        vec3 at = v3(far * cos(bearing), far * sin(bearing), 0);
        clear_scan(ranges);
        add_cylinder(&l, ranges, at, RADIUS);
        add_wall(&l, ranges, v3(3, 0, 0), 0.3);
        add_noise(&l, ranges, seed);
        vec3 expected = v3(at.x + 0.3 * (rng_uniform(key, 0, 2) - 0.5), at.y + 0.1, 1);
        near += pole_find(&l, ranges, expected, 2 * RADIUS, &found) &&
                v3_distance(found.center, at) < 0.02;
    }
    assert_true(near >= 195);
}

static void what_is_wider_or_a_wall_is_no_pole(void **state) {
    (void)state;
    robot_laser l = scanner();
    double ranges[BEAMS];
    pole_found found;
    int wide = 0, slant = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        clear_scan(ranges);
        add_cylinder(&l, ranges, v3(0.9, 0.2, 0), 0.08);
        add_noise(&l, ranges, seed);
        wide += pole_find(&l, ranges, v3(0.9, 0.2, 0), 2 * RADIUS, &found);
        // Along a wall beams end far from one another.
        clear_scan(ranges);
        add_wall(&l, ranges, v3(1.5, 0.2, 0), PI / 2 - 0.05);
        add_noise(&l, ranges, seed);
        slant += pole_find(&l, ranges, v3(1.5, 0.2, 0), 2 * RADIUS, &found);
    }
    assert_int_equal(wide, 0);
    assert_true(slant <= 4);
}

static void a_pole_counts_within_half_a_metre_of_where_it_is_expected(void **state) {
    (void)state;
    robot_laser l = scanner();
    double ranges[BEAMS];
    pole_found found;
    clear_scan(ranges);
    add_cylinder(&l, ranges, v3(1, 0, 0), RADIUS);
    assert_true(pole_find(&l, ranges, v3(1, 0.45, 0), 2 * RADIUS, &found));
    assert_false(pole_find(&l, ranges, v3(1, 0.55, 0), 2 * RADIUS, &found));
    // Of two the nearer one to there.
    add_cylinder(&l, ranges, v3(1, 0.4, 0), RADIUS);
    assert_true(pole_find(&l, ranges, v3(1, 0.3, 0), 2 * RADIUS, &found));
    assert_true(v3_distance(found.center, v3(1, 0.4, 0)) < 0.02);
}

static void half_a_pole_behind_something_is_none(void **state) {
    (void)state;
    robot_laser l = scanner();
    double ranges[BEAMS];
    pole_found found;
    clear_scan(ranges);
    add_cylinder(&l, ranges, v3(1, 0, 0), 0.03);
    // A thing before it hides one side, and leaves as many beams as a thinner pole would take.
    add_cylinder(&l, ranges, v3(0.6, 0.055, 0), 0.05);
    assert_false(pole_find(&l, ranges, v3(1, 0, 0), 2 * RADIUS, &found));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pole_is_found_within_20_mm),
        cmocka_unit_test(what_is_wider_or_a_wall_is_no_pole),
        cmocka_unit_test(a_pole_counts_within_half_a_metre_of_where_it_is_expected),
        cmocka_unit_test(half_a_pole_behind_something_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
