// tests/mind/test_motion.c - inverse kinematics, trajectories and paths.
#include "tests/mind/rig.h"

#include <math.h>

static const double tau = 2 * PI;

// Returns for how many of `n` random postures inverse kinematics finds a posture with the same pose
// of the tool.
static int found_again(const chain *c, rng_key key, int n, int starts) {
    int found = 0;
    for (int k = 0; k < n; k++) {
        double q[AXES_MAX] = {0}, x[AXES_MAX];
        for (size_t i = 0; i < c->count; i++)
            q[i] = c->lower[i] + (c->upper[i] - c->lower[i]) *
                                     (0.05 + 0.9 * rng_uniform(key, (uint64_t)k, (uint32_t)i));
        pose frames[FRAMES], again[FRAMES];
        chain_forward(c, q, frames);
        if (!ik_solve(c, frames[TOOL], NULL, key, starts, x))
            continue;
        found++;
        chain_forward(c, x, again);
        assert_true(v3_distance(frames[TOOL].p, again[TOOL].p) < 2.1e-4);
        assert_true(quat_angle(frames[TOOL].q, again[TOOL].q) < 1.1e-3);
        for (size_t i = 0; i < c->count; i++)
            assert_true(x[i] >= c->lower[i] && x[i] <= c->upper[i]);
    }
    print_message("%d of %d random postures found again\n", found, n);
    return found;
}

static void inverse_kinematics_finds_what_forward_kinematics_reached(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    for (size_t arm = 0; arm < 2; arm++) {
        chain c;
        chain_init(&c, r->robot, arm, belief_links(r->belief));
        const int n = 500;
        assert_true(found_again(&c, rng_key_make(7, "test", "reach"), n, 12) >= n * 99 / 100);
    }
    rig_destroy(r);
}

static void arms_of_six_joints_are_solved_and_moved(void **state) {
    (void)state;
    rig *r = rig_create_with("examples/worlds/kitchen.yaml", "examples/robots/six_axis.yaml", 1, 0);
    chain c;
    chain_init(&c, r->robot, 0, belief_links(r->belief));
    assert_int_equal(c.count, 6);
    const int n = 300;
    assert_true(found_again(&c, rng_key_make(7, "test", "six"), n, 24) >= n * 98 / 100);
    static const char *const targets[] = {"joints([0.3, -0.8, 1.6, 0.4, 1.2, 0])", "park"};
    for (int k = 0; k < 2; k++) {
        rig_result x = rig_do(r, "move_arm", "arm", "left", "to", targets[k], NULL);
        if (x.state != ACTION_DONE)
            fail_msg("%s: %s", targets[k], x.failure.reason);
    }
    // This robot has neither a torso nor a second arm.
    rig_result x = rig_do(r, "move_torso", "to", "0.2", NULL);
    assert_int_equal(x.state, ACTION_FAILED);
    unsigned uses;
    error err = {0};
    const action_argument args[1] = {{"to", rig_term(r, "carry")}};
    assert_int_equal(action_uses(&r->mind, "move_arms", args, 1, &uses, &err), E_INPUT);
    rig_destroy(r);
}

static void the_chain_agrees_with_the_robot_model(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    for (size_t arm = 0; arm < 2; arm++) {
        chain c;
        chain_init(&c, r->robot, arm, belief_links(r->belief));
        double q[AXES_MAX] = {0};
        for (size_t i = 0; i < c.count; i++)
            q[i] = belief_joints(r->belief)[r->robot->arms[arm].joints[i]];
        pose frames[FRAMES], tool = robot_tool(r->robot, arm, belief_links(r->belief));
        chain_forward(&c, q, frames);
        assert_true(v3_distance(tool.p, frames[TOOL].p) < 1e-12 &&
                    quat_angle(tool.q, frames[TOOL].q) < 1e-7);
    }
    rig_destroy(r);
}

static void beyond_reach_there_is_no_solution(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    chain c;
    chain_init(&c, r->robot, 0, belief_links(r->belief));
    pose far = c.root;
    far.p.x += 1.5;
    double q[AXES_MAX] = {0};
    assert_false(ik_solve(&c, far, NULL, rng_key_make(1, "a", "b"), 8, q));
    rig_destroy(r);
}

static void a_straight_line_is_the_trapezoid_of_its_limits(void **state) {
    (void)state;
    trajectory t = {.axes = 1};
    for (int n = 0; n <= 100; n++) {
        double q = 0.01 * n;
        trajectory_add(&t, &q, v3(q, 0, 0), n == 0 || n == 100);
    }
    motion_limits l = {
        .velocity = {9}, .acceleration = {9}, .hand_velocity = 0.5, .hand_acceleration = 1};
    trajectory_time(&t, &l);
    // 1 m at 0.5 m/s takes 2 s, and 0.5 s more for speeding up and braking at 1 m/s^2.
    assert_true(fabs(t.duration - 2.5) < 0.02);
    double q, qd, before = 0;
    for (double time = 0; time <= t.duration; time += 0.01) {
        trajectory_at(&t, time, &q, &qd);
        assert_true(qd <= 0.501);
        assert_true(fabs(qd - before) <= 0.0105);
        before = qd;
    }
    trajectory_at(&t, t.duration, &q, &qd);
    assert_true(q == 1 && qd == 0);
    trajectory_finish(&t);
}

// A planner ends a path in a knot of its own and says once more that it ends there.
static void a_path_whose_end_is_given_twice_is_as_short_as_without(void **state) {
    (void)state;
    double lasts[2];
    for (int twice = 0; twice < 2; twice++) {
        trajectory t = {.axes = 1};
        const double from = 0, to = 0.0025;
        trajectory_add(&t, &from, v3(0, 0, 0), true);
        trajectory_add(&t, &to, v3(0, 0, 0), twice == 0);
        if (twice)
            trajectory_add(&t, &to, v3(0, 0, 0), true);
        motion_limits l = {.velocity = {1}, .acceleration = {2}};
        trajectory_time(&t, &l);
        lasts[twice] = t.duration;
        trajectory_finish(&t);
    }
    assert_true(lasts[0] < 0.2);
    assert_true(lasts[1] == lasts[0]);
}

static void a_bent_path_stays_within_every_limit(void **state) {
    (void)state;
    trajectory t = {.axes = 3};
    for (int n = 0; n <= 80; n++) {
        double u = n / 80.0;
        const double q[3] = {sin(tau * u), 0.7 * cos(3 * u), u * u};
        trajectory_add(&t, q, v3(0, 0, 0), n == 0 || n == 80 || n == 30);
    }
    motion_limits l = {.velocity = {1, 0.5, 0.8}, .acceleration = {2, 3, 1}};
    trajectory_time(&t, &l);
    double last[3], now[3], q[3], p[3] = {0, 0.7, 0};
    trajectory_at(&t, 0, q, last);
    for (double time = 0.002; time < t.duration; time += 0.002) {
        trajectory_at(&t, time, q, now);
        for (int i = 0; i < 3; i++) {
            assert_true(fabs(now[i]) <= 1.03 * l.velocity[i]);
            assert_true(fabs(q[i] - p[i]) / 0.002 <= 1.05 * l.velocity[i]);
            // The speed is averaged over a cycle, as the body interpolates.
            last[i] = now[i];
            p[i] = q[i];
        }
    }
    for (double time = 0.02; time < t.duration; time += 0.02) {
        trajectory_at(&t, time - 0.02, q, last);
        trajectory_at(&t, time, q, now);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(now[i] - last[i]) / 0.02 <= 1.15 * l.acceleration[i]);
    }
    // The motion comes to rest at the corner.
    double slow = INFINITY;
    for (double time = 0.1; time < t.duration - 0.1; time += 0.001) {
        trajectory_at(&t, time, q, now);
        slow = fmin(slow, fabs(now[0]) + fabs(now[1]) + fabs(now[2]));
    }
    assert_true(slow < 0.02);
    trajectory_finish(&t);
}

static void commands_keep_the_joints_limits(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    static const char *const targets[] = {"carry", "joints([0.5, 0.6, 0.2, -1.2, 0.3, 0.7, 1])",
                                          "park"};
    for (int k = 0; k < 3; k++) {
        const action_argument args[2] = {{"arm", rig_term(r, "right")},
                                         {"to", rig_term(r, targets[k])}};
        action *act;
        error err = {0};
        action_state s = ACTION_RUNNING;
        const term *result;
        action_failure failure;
        reading in;
        if (action_begin(&r->mind, "move_arm", args, 2, 1, "test", r->t, &act, &err) != OK)
            fail_msg("%s", err.text);
        while (s == ACTION_RUNNING) {
            while (r->body.next(r, &in))
                assert_int_equal(belief_read(r->belief, &in, &err), OK);
            assert_int_equal(action_step(act, r->scratch, r->t, &s, &result, &failure, &err), OK);
            rig_move(r);
            assert_true(r->worst_joint_speed <= 1.001);
            assert_true(r->worst_joint_acceleration <= 1.1);
        }
        if (s != ACTION_DONE)
            fail_msg("%s: %s", targets[k], failure.reason);
        action_free(act);
    }
    rig_destroy(r);
}

static void stand_before_counter(rig *r, const believed_object *counter) {
    char before_it[80];
    snprintf(before_it, sizeof before_it, "at(%.3f, %.3f, 90)", counter->at.p.x,
             counter->at.p.y - 0.85);
    rig_result x = rig_do(r, "navigate", "to", before_it, NULL);
    if (x.state != ACTION_DONE)
        fail_msg("%s", x.failure.reason);
}

static void a_posture_that_overlaps_furniture_is_no_place_to_go_to(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    const believed_object *counter = belief_find(r->belief, "counter_1");
    assert_non_null(counter);
    char joints[160];
    rig_result x = {0};
    stand_before_counter(r, counter);
    // The hand points down, above the counter's board at first and then inside of it.
    chain c;
    chain_init(&c, r->robot, 0, belief_links(r->belief));
    const mat3 down = {{{0, 1, 0}, {1, 0, 0}, {0, 0, -1}}};
    for (int inside = 0; inside < 2; inside++) {
        pose tool = {v3(counter->at.p.x - 0.2, counter->at.p.y - 0.15, inside ? 0.83 : 1.0),
                     quat_from_matrix(&down)};
        double q[AXES_MAX] = {0};
        assert_true(ik_solve(&c, tool, NULL, rng_key_make(1, "test", "board"), 12, q));
        snprintf(joints, sizeof joints, "joints([%.6f, %.6f, %.6f, %.6f, %.6f, %.6f, %.6f])", q[0],
                 q[1], q[2], q[3], q[4], q[5], q[6]);
        x = rig_do(r, "move_arm", "arm", "left", "to", joints, NULL);
        assert_int_equal(x.state, inside ? ACTION_FAILED : ACTION_DONE);
    }
    assert_non_null(strstr(x.failure.reason, "in the way: counter_1"));
    rig_destroy(r);
}

static bool solve_down(arm_scene *s, vec3 at, double q[AXES_MAX]) {
    const mat3 down = {{{0, 1, 0}, {1, 0, 0}, {0, 0, -1}}};
    pose tool = {at, quat_from_matrix(&down)};
    return arm_solve(s, tool, NULL, 12, q);
}

static void close_to_furniture_at_its_beginning_a_path_keeps_its_margin_farther_on(void **state) {
    (void)state;
    const double margin = 0.02;
    rig *r = rig_create(1, 0);
    const believed_object *counter = belief_find(r->belief, "counter_1");
    stand_before_counter(r, counter);
    arm_scene s;
    arm_scene_init(&s, &r->mind, 0, belief_robot(r->belief), NULL, 0.05, NULL, margin, "test");
    // Down to where the pads are closer to the board than the margin by 5 mm.
    vec3 at = v3(counter->at.p.x - 0.2, counter->at.p.y - 0.15, 1.0);
    double q[AXES_MAX] = {0}, aside[AXES_MAX] = {0}, there[AXES_MAX] = {0};
    do {
        at.z -= 0.001;
        assert_true(solve_down(&s, at, q));
    } while (arm_free(&s, q));
    at.z -= 0.005;
    assert_true(solve_down(&s, at, q));
    pose frames[FRAMES];
    chain_forward(&s.chain, q, frames);
    collision_scene_relax_start(&s.collisions, &s.limb, frames);
    assert_true(arm_free(&s, q));
    // As close it may go on for a little, and not where it has left.
    assert_true(solve_down(&s, v3_add(at, v3(0.02, 0, 0)), aside));
    assert_true(arm_free(&s, aside));
    assert_true(solve_down(&s, v3_add(at, v3(0.25, 0, 0)), there));
    assert_false(arm_free(&s, there));
    assert_true(solve_down(&s, v3_add(at, v3(0.25, 0, 0.01)), there));
    assert_true(arm_free(&s, there));
    arm_scene_finish(&s);
    rig_destroy(r);
}

static void a_base_that_turns_on_a_short_way_has_every_heading_looked_at(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    pose from = belief_robot(r->belief);
    trajectory way = {0};
    char blocker[64];
    pose to = pose_planar(from.p.x + 0.3, from.p.y, quat_yaw(from.q) + PI / 2);
    assert_true(drive_plan(&r->mind, from, to, false, &way, NULL, blocker, NULL));
    for (size_t k = 1; k < way.knots.count; k++)
        assert_true(fabs(way.knots.items[k].q[2] - way.knots.items[k - 1].q[2]) < 0.11);
    // At 1 rad/s and 1 rad/s2 the turn alone takes 2.6 s.
    motion_limits limits = {.velocity = {0.6, 0.6, 1}, .acceleration = {0.5, 0.5, 1}};
    trajectory_time(&way, &limits);
    assert_true(way.duration < 5);
    trajectory_finish(&way);
    rig_destroy(r);
}

static void a_cancelled_motion_brakes_within_its_limits_and_holds(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    const action_argument args[2] = {{"arm", rig_term(r, "left")}, {"to", rig_term(r, "carry")}};
    action *act;
    error err = {0};
    action_state s;
    const term *result;
    action_failure failure;
    reading in;
    assert_int_equal(action_begin(&r->mind, "move_arm", args, 2, 1, "test", r->t, &act, &err), OK);
    for (int k = 0; k < 40; k++) {
        while (r->body.next(r, &in))
            assert_int_equal(belief_read(r->belief, &in, &err), OK);
        assert_int_equal(action_step(act, r->scratch, r->t, &s, &result, &failure, &err), OK);
        rig_move(r);
    }
    assert_int_equal(s, ACTION_RUNNING);
    assert_int_equal(action_cancel(act, r->t, &err), OK);
    action_free(act);
    double still[64];
    for (int k = 0; k < 100; k++) {
        assert_int_equal(robot_cycle(&r->mind, r->t, &err), OK);
        rig_move(r);
        assert_true(r->worst_joint_acceleration <= 1.1);
        if (k == 60)
            memcpy(still, r->q, r->robot->joint_count * sizeof *still);
    }
    assert_memory_equal(still, r->q, r->robot->joint_count * sizeof *still);
    rig_destroy(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_chain_agrees_with_the_robot_model),
        cmocka_unit_test(arms_of_six_joints_are_solved_and_moved),
        cmocka_unit_test(inverse_kinematics_finds_what_forward_kinematics_reached),
        cmocka_unit_test(beyond_reach_there_is_no_solution),
        cmocka_unit_test(a_straight_line_is_the_trapezoid_of_its_limits),
        cmocka_unit_test(a_path_whose_end_is_given_twice_is_as_short_as_without),
        cmocka_unit_test(a_posture_that_overlaps_furniture_is_no_place_to_go_to),
        cmocka_unit_test(close_to_furniture_at_its_beginning_a_path_keeps_its_margin_farther_on),
        cmocka_unit_test(a_base_that_turns_on_a_short_way_has_every_heading_looked_at),
        cmocka_unit_test(a_bent_path_stays_within_every_limit),
        cmocka_unit_test(commands_keep_the_joints_limits),
        cmocka_unit_test(a_cancelled_motion_brakes_within_its_limits_and_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
