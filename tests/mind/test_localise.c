// tests/mind/test_localise.c - self-localisation by laser scans in the known map, with an ideal
// body.
#include "tests/mind/rig.h"

#include <math.h>

// Moves the believed pose away from the true one by odometry of a motion that did not happen.
static void mislead(rig *r, double dx, double dy, double dyaw) {
    reading o = {.kind = READING_ODOMETRY, .taken = r->t, .delivered = r->t};
    o.odometry.dx = dx;
    o.odometry.dy = dy;
    error err = {0};
    assert_int_equal(belief_read(r->belief, &o, &err), OK);
    o.odometry.dx = o.odometry.dy = 0;
    o.odometry.dyaw = dyaw;
    assert_int_equal(belief_read(r->belief, &o, &err), OK);
}

static void errors_of_pose(const rig *r, double *position, double *angle) {
    pose b = belief_robot(r->belief);
    *position = hypot(b.p.x - r->base.p.x, b.p.y - r->base.p.y);
    *angle = quat_angle(b.q, r->base.q);
}

static const double places[][3] = {{2.0, 2.6, 1.57}, {1.2, 3.9, 1.6},  {2.8, 2.3, 0},
                                   {0.8, 1.4, -2},   {4.0, 3.8, -0.4}, {5.2, 2.0, 3}};

static void a_drifted_belief_comes_back_to_the_truth(void **state) {
    (void)state;
    double sum = 0, turned = 0;
    int n = 0;
    for (size_t k = 0; k < sizeof places / sizeof *places; k++)
        for (uint64_t seed = 1; seed <= 4; seed++) {
            rig *r = rig_create(seed, 1);
            r->base = pose_planar(places[k][0], places[k][1], places[k][2]);
            pose b = belief_robot(r->belief);
            pose off = pose_mul(pose_inverse(b), r->base);
            mislead(r, off.p.x + 0.04 * rig_normal(r), off.p.y + 0.04 * rig_normal(r),
                    quat_yaw(off.q) + 0.03 * rig_normal(r));
            // The covariance has grown with the motion that was read, so that the error is within
            // it.
            rig_result x = rig_do(r, "localise", NULL);
            if (x.state != ACTION_DONE)
                fail_msg("place %zu seed %d: %s", k, (int)seed, x.failure.reason);
            double position, angle;
            errors_of_pose(r, &position, &angle);
            assert_true(position < 0.03);
            assert_true(angle < 0.012);
            sum += position * position;
            turned += angle * angle;
            n++;
            double sigma, sigma_angle;
            belief_accuracy(r->belief, &sigma, &sigma_angle);
            assert_true(sigma < 0.012);
            rig_destroy(r);
        }
    print_message("localised within %.1f mm and %.2f mrad rms\n", 1000 * sqrt(sum / n),
                  1000 * sqrt(turned / n));
    assert_true(sqrt(sum / n) < 0.010);
    assert_true(sqrt(turned / n) < 0.005);
}

static void stated_accuracy_covers_the_error(void **state) {
    (void)state;
    int within = 0, n = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        rig *r = rig_create(seed, 1);
        mislead(r, 0.03 * rig_normal(r), 0.03 * rig_normal(r), 0.02 * rig_normal(r));
        rig_do(r, "localise", NULL);
        double position, angle, sigma, sigma_angle;
        errors_of_pose(r, &position, &angle);
        belief_accuracy(r->belief, &sigma, &sigma_angle);
        within += position < 3 * sigma && angle < 3 * sigma_angle;
        n++;
        rig_destroy(r);
    }
    assert_true(within >= n - 2);
}

static void what_no_pose_explains_is_a_failure_and_changes_nothing(void **state) {
    (void)state;
    rig *r = rig_create(1, 1);
    pose before = belief_robot(r->belief);
    // All bodies are moved, as if the robot had been carried into another room.
    for (size_t i = 0; i < r->world->body_count; i++)
        r->objects[i] = pose_mul(
            pose_planar(0.7 * (double)(i % 5) - 1.4, 0.9 * (double)(i % 3) - 0.9, 0.4 * (double)i),
            r->objects[i]);
    rig_result x = rig_do(r, "localise", NULL);
    assert_int_equal(x.state, ACTION_FAILED);
    assert_string_equal(x.failure.class, "localisation_failed");
    assert_true(v3_distance(before.p, belief_robot(r->belief).p) == 0);
    rig_destroy(r);
}

// How many scans were matched with the map on a drive to where the mug can be reached, by a robot
// whose wheels drift by `noise` m for each square root of a metre.
static int matches_on_a_drive(double noise) {
    rig *r = rig_create_in("tests/scenes/shelves.yaml", 1, 0);
    r->robot->odometry_noise = noise;
    rig_do(r, "look_at", "at", "shelf_1", NULL);
    rig_do(r, "detect", NULL);
    size_t first = r->log.records.count;
    rig_result x = rig_do(r, "navigate", "to", "reach(mug#1, left)", "localise", "true", NULL);
    if (x.state != ACTION_DONE)
        fail_msg("%s: %s", x.failure.class, x.failure.reason);
    int count = 0;
    for (size_t i = first; i < r->log.records.count; i++) {
        const record *k = &r->log.records.items[i];
        count += k->kind == RECORD_BELIEVED_FRAME &&
                 strcmp(k->BELIEVED_FRAME.source, "localisation") == 0;
    }
    rig_destroy(r);
    return count;
}

static void
it_localises_before_the_end_of_a_drive_where_arms_come_closer_than_wheels_drift(void **state) {
    (void)state;
    assert_int_equal(matches_on_a_drive(0.001), 0);
    assert_true(matches_on_a_drive(0.1) > 0);
}

static void a_match_is_logged_with_its_source_and_ambiguity(void **state) {
    (void)state;
    rig *r = rig_create(1, 1);
    mislead(r, 0.03, -0.02, 0.01);
    rig_do(r, "localise", NULL);
    bool frame = false, ambiguity = false;
    for (size_t i = 0; i < r->log.records.count; i++) {
        const record *k = &r->log.records.items[i];
        frame |= k->kind == RECORD_BELIEVED_FRAME &&
                 strcmp(k->BELIEVED_FRAME.source, "localisation") == 0 &&
                 k->BELIEVED_FRAME.task == 7;
        ambiguity |= k->kind == RECORD_VARIABLE && strcmp(k->VARIABLE.name, "PosAmbiguity") == 0 &&
                     k->VARIABLE.by == 7;
    }
    assert_true(frame && ambiguity);
    rig_destroy(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_drifted_belief_comes_back_to_the_truth),
        cmocka_unit_test(stated_accuracy_covers_the_error),
        cmocka_unit_test(what_no_pose_explains_is_a_failure_and_changes_nothing),
        cmocka_unit_test(
            it_localises_before_the_end_of_a_drive_where_arms_come_closer_than_wheels_drift),
        cmocka_unit_test(a_match_is_logged_with_its_source_and_ambiguity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
