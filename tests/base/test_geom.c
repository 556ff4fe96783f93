// tests/base/test_geom.c - vectors, rotations and poses.
#include "base/math/geom.h"
#include "base/math/rng.h"
#include "tests/testlib.h"

#define NEAR(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static double any(uint64_t *n, double from, double to) {
    return from + (to - from) * rng_uniform(rng_key_make(5, "geom", ""), (*n)++, 0);
}

static vec3 any_vector(uint64_t *n) {
    double x = any(n, -2, 2), y = any(n, -2, 2);
    return v3(x, y, any(n, -2, 2));
}

static quat any_rotation(uint64_t *n) {
    vec3 axis = any_vector(n);
    return quat_axis_angle(axis, any(n, -6, 6));
}

static void near_vectors(vec3 a, vec3 b, double tolerance) {
    NEAR(a.x, b.x, tolerance);
    NEAR(a.y, b.y, tolerance);
    NEAR(a.z, b.z, tolerance);
}

static void unit_vectors_have_length_one_whatever_the_scale(void **state) {
    (void)state;
    near_vectors(v3_unit(v3(0, 0, 0)), v3(0, 0, 1), 0);
    near_vectors(v3_unit(v3(3e-200, 4e-200, 0)), v3(0.6, 0.8, 0), 1e-15);
    near_vectors(v3_unit(v3(3e200, 0, -4e200)), v3(0.6, 0, -0.8), 1e-15);
}

static void rotations_turn_the_axes_the_right_way(void **state) {
    (void)state;
    near_vectors(quat_rotate(quat_axis_angle(v3(0, 0, 5), PI / 2), v3(1, 0, 0)), v3(0, 1, 0),
                 1e-15);
    near_vectors(quat_rotate(quat_axis_angle(v3(1, 0, 0), PI / 2), v3(0, 1, 0)), v3(0, 0, 1),
                 1e-15);
    near_vectors(quat_rotate(quat_axis_angle(v3(0, 1, 0), PI / 2), v3(0, 0, 1)), v3(1, 0, 0),
                 1e-15);
}

static void roll_pitch_yaw_is_z_times_y_times_x(void **state) {
    (void)state;
    uint64_t n = 0;
    for (int i = 0; i < 200; i++) {
        double roll = any(&n, -3, 3), pitch = any(&n, -3, 3), yaw = any(&n, -3, 3);
        quat expected = quat_mul(
            quat_axis_angle(v3(0, 0, 1), yaw),
            quat_mul(quat_axis_angle(v3(0, 1, 0), pitch), quat_axis_angle(v3(1, 0, 0), roll)));
        NEAR(quat_angle(quat_rpy(roll, pitch, yaw), expected), 0, 1e-14);
    }
}

static void matrices_and_quaternions_say_the_same(void **state) {
    (void)state;
    uint64_t n = 1000;
    for (int i = 0; i < 500; i++) {
        quat a = any_rotation(&n), b = any_rotation(&n);
        vec3 v = any_vector(&n);
        mat3 ma = quat_matrix(a), mb = quat_matrix(b), product = mat3_mul(&ma, &mb);
        near_vectors(mat3_apply(&ma, v), quat_rotate(a, v), 1e-14);
        near_vectors(mat3_apply(&product, v), quat_rotate(quat_mul(a, b), v), 1e-13);
        NEAR(quat_angle(quat_from_matrix(&ma), a), 0, 1e-14);
        mat3 back = mat3_transpose(&ma);
        near_vectors(mat3_apply(&back, mat3_apply(&ma, v)), v, 1e-14);
    }
}

static void half_turns_come_back_from_their_matrices(void **state) {
    (void)state;
    static const vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {0, -1, 1}, {1, 2, 3}};
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) {
        quat q = quat_axis_angle(axes[i], PI);
        mat3 m = quat_matrix(q);
        NEAR(quat_angle(quat_from_matrix(&m), q), 0, 1e-15);
    }
}

static void exp_and_log_undo_each_other(void **state) {
    (void)state;
    uint64_t n = 2000;
    for (int i = 0; i < 1000; i++) {
        vec3 axis = v3_unit(any_vector(&n));
        double angle = i % 3 == 0 ? pow(10, any(&n, -12, -6)) : any(&n, 0, PI);
        vec3 rotation = v3_scale(axis, angle);
        near_vectors(quat_log(quat_exp(rotation)), rotation, 1e-14 + 1e-9 * angle * (angle > 3.14));
        quat q = any_rotation(&n);
        vec3 v = quat_log(q);
        assert_true(v3_length(v) <= PI + 1e-15);
        NEAR(quat_angle(quat_exp(v), q), 0, 1e-14);
    }
    near_vectors(quat_log((quat){1, 0, 0, 0}), v3(0, 0, 0), 0);
    near_vectors(quat_log((quat){-1, 0, 0, 0}), v3(0, 0, 0), 0);
}

static void tiny_angles_are_measured(void **state) {
    (void)state;
    quat a = quat_axis_angle(v3(1, 2, 3), 0.7);
    quat b = quat_mul(a, quat_axis_angle(v3(0, 1, 1), 1e-9));
    NEAR(quat_angle(a, b), 1e-9, 1e-15);
    NEAR(quat_angle(a, (quat){-b.w, -b.x, -b.y, -b.z}), 1e-9, 1e-15);
    NEAR(quat_angle(a, a), 0, 1e-15);
}

static void slerp_goes_the_short_way_at_constant_speed(void **state) {
    (void)state;
    uint64_t n = 3000;
    for (int i = 0; i < 300; i++) {
        quat a = any_rotation(&n), b = any_rotation(&n);
        if (i % 3 == 0)
            b = quat_mul(a, quat_axis_angle(any_vector(&n), 1e-6));
        double whole = quat_angle(a, b), t = any(&n, 0, 1);
        quat c = quat_slerp(a, b, t);
        NEAR(quat_angle(a, c), t * whole, 1e-9);
        NEAR(quat_angle(c, b), (1 - t) * whole, 1e-9);
        NEAR(c.w * c.w + c.x * c.x + c.y * c.y + c.z * c.z, 1, 1e-14);
        NEAR(quat_angle(quat_slerp(a, b, 0), a), 0, 1e-14);
        NEAR(quat_angle(quat_slerp(a, b, 1), b), 0, 1e-14);
    }
}

static void poses_compose_and_invert(void **state) {
    (void)state;
    uint64_t n = 4000;
    for (int i = 0; i < 300; i++) {
        pose a = {any_vector(&n), any_rotation(&n)}, b = {any_vector(&n), any_rotation(&n)};
        vec3 v = any_vector(&n);
        near_vectors(pose_apply(pose_mul(a, b), v), pose_apply(a, pose_apply(b, v)), 1e-13);
        near_vectors(pose_apply(pose_inverse(a), pose_apply(a, v)), v, 1e-13);
        pose none = pose_mul(a, pose_inverse(a));
        near_vectors(none.p, v3(0, 0, 0), 1e-14);
        NEAR(quat_angle(none.q, (quat){1, 0, 0, 0}), 0, 1e-14);
    }
    near_vectors(pose_apply(POSE_IDENTITY, v3(1, 2, 3)), v3(1, 2, 3), 0);
}

static void planar_poses_keep_their_heading(void **state) {
    (void)state;
    for (double yaw = -3; yaw <= 3; yaw += 0.25)
        NEAR(quat_yaw(pose_planar(1, 2, yaw).q), yaw, 1e-14);
    NEAR(quat_yaw(quat_rpy(0.3, -0.4, 1.2)), 1.2, 1e-14);
}

static void angles_wrap_into_the_half_open_range(void **state) {
    (void)state;
    assert_true(angle_wrap(PI) == -PI);
    assert_true(angle_wrap(-PI) == -PI);
    assert_true(angle_wrap(0) == 0);
    NEAR(angle_wrap(3 * PI / 2), -PI / 2, 1e-15);
    NEAR(angle_wrap(-7), -7 + 2 * PI, 1e-15);
    uint64_t n = 5000;
    for (int i = 0; i < 100000; i++) {
        double a = any(&n, -1000, 1000), w = angle_wrap(a);
        assert_true(w >= -PI && w < PI);
        NEAR(sin(w), sin(a), 1e-12);
        NEAR(cos(w), cos(a), 1e-12);
    }
    double above = nextafter(-PI, -10);
    assert_true(angle_wrap(above) >= -PI && angle_wrap(above) < PI);
    assert_true(angle_wrap(1e300) >= -PI && angle_wrap(1e300) < PI);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unit_vectors_have_length_one_whatever_the_scale),
        cmocka_unit_test(rotations_turn_the_axes_the_right_way),
        cmocka_unit_test(roll_pitch_yaw_is_z_times_y_times_x),
        cmocka_unit_test(matrices_and_quaternions_say_the_same),
        cmocka_unit_test(half_turns_come_back_from_their_matrices),
        cmocka_unit_test(exp_and_log_undo_each_other),
        cmocka_unit_test(tiny_angles_are_measured),
        cmocka_unit_test(slerp_goes_the_short_way_at_constant_speed),
        cmocka_unit_test(poses_compose_and_invert),
        cmocka_unit_test(planar_poses_keep_their_heading),
        cmocka_unit_test(angles_wrap_into_the_half_open_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
