// tests/episodes/test_shares.c - what base and joints may be off by leaves every link within the
// whole.
#include "tests/testlib.h"
#include <math.h>
#include "base/math/rng.h"
#include "projector/shares.h"

enum { MOST = 64, STEPS = 3000 };

typedef struct draws {
    rng_key key;
    uint64_t count;
} draws;

static double draw(draws *d, double low, double high) {
    return low + (high - low) * rng_uniform(d->key, d->count++, 0);
}

static double side(draws *d) {
    return draw(d, 0, 1) < 0.5 ? -1 : 1;
}

static robot_model *load_robot(void) {
    robot_model *r = NULL;
    errors list = {0};
    assert_int_equal(
        robot_load(FORESEE_SOURCE_DIR "/examples/robots/two_arms.yaml", NULL, NULL, &r, &list), OK);
    assert_true(r->link_count <= MOST && r->joint_count <= MOST);
    errors_finish(&list);
    return r;
}

static void check_frame(pose truth, pose read, vec3 at, keyframe_width whole, double *worst) {
    double off = v3_distance(pose_apply(truth, at), pose_apply(read, at)) / whole.position;
    *worst = fmax(*worst, off);
    assert_true(off <= 1);
    assert_true(quat_angle(truth.q, read.q) <= whole.angle * (1 + 1e-9) + 1e-12);
}

// Everything is off by its share at once: the joints by all of it, the base partly turned, partly
// moved.
static void check_posture(const robot_model *r, const shares *s, keyframe_width whole,
                          const double *q, draws *d, double *worst) {
    pose truth[MOST], read[MOST];
    double wrong[MOST], lever;
    keyframe_width base = shares_base(s, &lever);
    double turn = fmin(base.angle, base.position * draw(d, 0, 1) / fmax(lever, 1e-6)),
           yaw = draw(d, -3, 3);
    double way = base.position - turn * lever, to = draw(d, -3, 3);
    for (size_t j = 0; j < r->joint_count; j++)
        wrong[j] = q[j] + side(d) * shares_joint(s, j);
    robot_forward(r, pose_planar(2, 1, yaw), q, truth);
    robot_forward(r, pose_planar(2 + way * cos(to), 1 + way * sin(to), yaw + side(d) * turn), wrong,
                  read);
    for (size_t i = 0; i < r->link_count; i++)
        check_frame(truth[i], read[i], v3(0, 0, 0), whole, worst);
    check_frame(truth[r->camera.link], read[r->camera.link], r->camera.at.p, whole, worst);
    check_frame(truth[r->laser.link], read[r->laser.link], r->laser.at.p, whole, worst);
}

static void every_link_stays_within_the_whole_as_the_robot_moves(void **state) {
    (void)state;
    robot_model *r = load_robot();
    keyframe_tolerance tolerance = keyframe_tolerance_scaled(1);
    keyframe_width whole = keyframe_width_of(tolerance);
    double worst = 0;
    int made = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        draws d = {rng_key_make(seed, "shares", "motion"), 0};
        double q[MOST], speed[MOST];
        int keys[MOST];
        for (size_t j = 0; j < r->joint_count; j++) {
            q[j] = draw(&d, r->joints[j].lower, r->joints[j].upper);
            speed[j] = 0;
        }
        shares *s = shares_create(r, tolerance, q);
        for (int i = 0; i < STEPS; i++) {
            for (size_t j = 0; j < r->joint_count; j++) {
                if (draw(&d, 0, 1) < 0.003)
                    speed[j] =
                        draw(&d, 0, 1) < 0.5 ? 0 : draw(&d, -1, 1) * r->joints[j].max_velocity;
                q[j] = fmin(fmax(q[j] + 0.002 * speed[j], r->joints[j].lower), r->joints[j].upper);
                keys[j] = speed[j] != 0 ? (int)draw(&d, 0, 20) : 0;
            }
            if (i % 50 == 49)
                shares_learn(s, (int)draw(&d, 0, 20), keys);
            made += shares_follow(s, q);
            check_posture(r, s, whole, q, &d, &worst);
        }
        shares_destroy(s);
    }
    assert_true(made > STEPS / 2 && made < 10 * STEPS);
    assert_true(worst > 0.6); // and little is given away
    robot_destroy(r);
}

static void the_base_gets_more_while_the_arms_are_still(void **state) {
    (void)state;
    robot_model *r = load_robot();
    double lever;
    int none[MOST] = {0}, some[MOST];
    for (size_t j = 0; j < r->joint_count; j++)
        some[j] = 10;
    shares *s = shares_create(r, keyframe_tolerance_scaled(1), r->home);
    double alike = shares_base(s, &lever).position, joint = shares_joint(s, 3);
    for (int i = 0; i < 5; i++) {
        shares_learn(s, 10, none);
        assert_true(shares_follow(s, r->home));
        assert_false(shares_follow(s, r->home));
    }
    assert_true(shares_base(s, &lever).position > 2 * alike);
    for (int i = 0; i < 5; i++) {
        shares_learn(s, 0, some);
        assert_true(shares_follow(s, r->home));
    }
    assert_true(shares_base(s, &lever).position < alike && shares_joint(s, 3) > joint);
    shares_destroy(s);
    robot_destroy(r);
}

static void a_tolerance_of_zero_leaves_no_share(void **state) {
    (void)state;
    robot_model *r = load_robot();
    double lever;
    shares *s = shares_create(r, keyframe_tolerance_scaled(0), r->home);
    keyframe_width base = shares_base(s, &lever);
    assert_true(base.position == 0 && base.angle == 0);
    for (size_t j = 0; j < r->joint_count; j++)
        assert_true(shares_joint(s, j) == 0);
    shares_destroy(s);
    robot_destroy(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_link_stays_within_the_whole_as_the_robot_moves),
        cmocka_unit_test(the_base_gets_more_while_the_arms_are_still),
        cmocka_unit_test(a_tolerance_of_zero_leaves_no_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
