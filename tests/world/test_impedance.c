// tests/world/test_impedance.c - arms whose tools are on springs: pressing, yielding, stiffness and
// damping as commanded.
#include "tests/world/rig.h"

#define RIG_PRESS FORESEE_SOURCE_DIR "/tests/scenes/press.yaml"
#define RIG_HANDLE FORESEE_SOURCE_DIR "/tests/scenes/handle.yaml"
static void near(double a, double b, double tolerance) {
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.12g is not within %g of %.12g", a, tolerance, b);
}

static const double TIP = 0.02; // m, of the pads beyond the tool

// Joint positions for which an arm's tool is at `want`, by damped least squares from `start` (of
// the arm's joints); the others stand at home.
static void reach(const rig *g, size_t arm, pose want, const double *start, double *q) {
    const robot_model *r = g->robot;
    const robot_arm *a = &r->arms[arm];
    for (size_t j = 0; j < r->joint_count; j++)
        q[j] = r->home[j];
    for (size_t k = 0; k < a->joint_count; k++)
        q[a->joints[k]] = start[k];
    for (int round = 0; round < 400; round++) {
        pose links[64];
        robot_forward(r, g->world->robot_at, q, links);
        pose tool = robot_tool(r, arm, links);
        vec3 p = v3_sub(want.p, tool.p), w = quat_log(quat_mul(want.q, quat_inverse(tool.q)));
        double e[6] = {p.x, p.y, p.z, w.x, w.y, w.z}, jacobian[6][7], m[6][7] = {{0}};
        robot_jacobian(r, arm, links, jacobian);
        // (J J^T + c) y = e, by Gauss.
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 6; j++)
                for (size_t k = 0; k < a->joint_count; k++)
                    m[i][j] += jacobian[i][k] * jacobian[j][k];
            m[i][i] += 1e-4;
            m[i][6] = e[i];
        }
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) {
                double f = j == i ? 0 : m[j][i] / m[i][i];
                for (int c = 0; c < 7; c++)
                    m[j][c] -= f * m[i][c];
            }
        for (size_t k = 0; k < a->joint_count; k++) {
            const robot_joint *j = &r->joints[a->joints[k]];
            double *x = &q[a->joints[k]], step = 0;
            for (int i = 0; i < 6; i++)
                step += jacobian[i][k] * m[i][6] / m[i][i];
            *x = fmin(fmax(*x + 0.5 * step, j->lower + 0.05), j->upper - 0.05);
        }
    }
    pose links[64];
    robot_forward(r, g->world->robot_at, q, links);
    assert_true(v3_distance(robot_tool(r, arm, links).p, want.p) < 1e-4);
    assert_true(quat_angle(robot_tool(r, arm, links).q, want.q) < 1e-3);
}

static const double POSTURES[4][7] = {{0.3, 0.5, 0, -1.2, 0, 0.7, 0},
                                      {0, 0.2, 0.8, -1.6, 0.3, 1.0, 0.5},
                                      {-0.3, 0.9, -0.7, -1.4, -0.5, 0.3, 1.0},
                                      {0.6, 0.0, 1.4, -1.8, -0.8, 1.2, 0.2}};

// The fingers down.
static quat down(double turn) {
    return quat_mul(quat_axis_angle(v3(0, 0, 1), turn), quat_axis_angle(v3(1, 0, 0), PI));
}

// A simulation whose one arm starts with its tool at `tool`, with the joints' friction or without.
static void open_smooth_at(rig *g, size_t arm, pose tool, const double *posture) {
    static double q[64];
    static robot_joint joints[64];
    static robot_model moved;
    rig_load(g, RIG_PRESS, NULL);
    reach(g, arm, tool, posture, q);
    robot_model *own = g->robot;
    moved = *own;
    moved.home = q;
    assert_true(own->joint_count <= 64);
    memcpy(joints, own->joints, own->joint_count * sizeof *joints);
    for (size_t j = 0; j < own->joint_count; j++)
        joints[j].viscous = joints[j].coulomb = 0;
    moved.joints = joints;
    g->robot = &moved;
    rig_start(g);
    g->robot = own;
}

static void open_at(rig *g, size_t arm, pose tool, const double *posture) {
    static double q[64];
    static robot_model moved;
    rig_load(g, RIG_PRESS, NULL);
    reach(g, arm, tool, posture, q);
    robot_model *own = g->robot;
    moved = *own;
    moved.home = q;
    g->robot = &moved;
    rig_start(g);
    g->robot = own;
}

static sim_impedance springs(pose target, double stiffness, double rotation) {
    return (sim_impedance){.target = target,
                           .stiffness = v3(stiffness, stiffness, stiffness),
                           .rotation = v3(rotation, rotation, rotation),
                           .frame = {1, 0, 0, 0},
                           .damping = 1};
}

static pose tool_now(const rig *g, size_t arm) {
    pose links[64];
    robot_forward(g->robot, sim_base(g->sim), sim_joint_positions(g->sim), links);
    return robot_tool(g->robot, arm, links);
}

static double press_on(const rig *g, size_t entity, size_t arm) {
    double sum = 0;
    for (size_t k = 0; k < 3; k++) {
        const sim_contact *c = rig_contact(g, entity, sim_entity_palm(g->sim, arm) + k);
        if (c)
            sum += fabs(c->force.z);
    }
    return sum;
}

// The mean and the standard deviation of the force on `under` over a second, after one to settle.
static void pressed(rig *g, size_t under, size_t arm, double *mean, double *deviation) {
    rig_run(g, 1);
    double sum = 0, square = 0;
    for (int k = 0; k < 500; k++) {
        rig_step(g);
        double f = press_on(g, under, arm);
        sum += f / 500, square += f * f / 500;
    }
    *mean = sum;
    *deviation = sqrt(fmax(square - sum * sum, 0));
}

static void a_hand_presses_with_the_force_it_is_fed(void **state) {
    (void)state;
    for (size_t arm = 0; arm < 2; arm++) // the left one on the table, the right one on the block
        for (int k = 0; k < 4; k++) {
            double posture[7], mean, deviation;
            for (int j = 0; j < 7; j++) // the right arm is the left one's mirror image
                posture[j] = POSTURES[k][j] * (arm == 1 && j % 2 == 0 ? -1 : 1);
            rig g;
            double top = arm == 0 ? 0.72 : 0.78;
            pose start = {v3(0.6, arm == 0 ? 0.3 : -0.3, top + TIP + 0.002), down(0.4 * k)};
            open_at(&g, arm, start, posture);
            sim_impedance i = springs(start, 1000, 60);
            i.stiffness.z = 0;
            i.force = v3(0, 0, -20);
            sim_set_impedance(g.sim, arm, &i, 0);
            pressed(&g, rig_body(&g, arm == 0 ? "table" : "block"), arm, &mean, &deviation);
            near(mean, 20, 0.2);
            assert_true(deviation < 0.2);
            // The hand hands that on to the flange, less its own weight.
            vec3 force, torque, flange = v3(0, 0, 0);
            sim_wrench(g.sim, arm, &force, &torque);
            flange = quat_rotate(
                sim_pose(g.sim, sim_entity_link(g.sim, g.robot->arms[arm].flange)).q, force);
            const robot_gripper *hand = &g.robot->arms[arm].gripper;
            near(flange.z, mean - 9.81 * (hand->palm_mass + 2 * hand->pad_mass), 0.2);
            rig_close(&g);
        }
}

static void a_spring_presses_with_stiffness_times_way(void **state) {
    (void)state;
    rig g;
    pose start = {v3(0.6, 0.3, 0.72 + TIP + 0.002), down(0)};
    open_at(&g, 0, start, POSTURES[0]);
    sim_impedance i = springs(start, 1000, 60);
    i.target.p.z -= 0.03;
    sim_set_impedance(g.sim, 0, &i, 200000000);
    double mean, deviation;
    pressed(&g, rig_body(&g, "table"), 0, &mean, &deviation);
    near(mean, 1000 * (tool_now(&g, 0).p.z - i.target.p.z), 0.3);
    assert_true(mean > 25 && deviation < 0.3);
    // A cap on the springs' force holds.
    i.effort = 12;
    sim_set_impedance(g.sim, 0, &i, 0);
    pressed(&g, rig_body(&g, "table"), 0, &mean, &deviation);
    near(mean, 12, 0.2);
    rig_close(&g);
}

// How far beyond its new target the tool swings, of a way of 20 mm along `way`.
static double overshoot(double ratio, vec3 way) {
    rig g;
    pose start = {v3(0.6, 0.3, 1.0), down(0.3)};
    open_smooth_at(&g, 0, start, POSTURES[1]);
    sim_impedance i = springs(start, 300, 100);
    i.damping = ratio;
    sim_set_impedance(g.sim, 0, &i, 0);
    rig_run(&g, 0.5);
    i.target.p = v3_add(i.target.p, v3_scale(way, 0.02));
    sim_set_impedance(g.sim, 0, &i, 0);
    double far = 0;
    for (int k = 0; k < 1000; k++) {
        rig_step(&g);
        far = fmax(far, v3_dot(way, v3_sub(tool_now(&g, 0).p, start.p)));
    }
    rig_close(&g);
    return far / 0.02 - 1;
}

static void the_damping_is_the_ratio_that_was_asked_for(void **state) {
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        vec3 way = v3(axis == 0, axis == 1, axis == 2);
        assert_true(overshoot(1, way) < 0.01);
        near(overshoot(0.2, way), exp(-PI * 0.2 / sqrt(1 - 0.2 * 0.2)), 0.08);
    }
}

static void stiff_springs_are_stable_in_the_air_and_in_contact(void **state) {
    (void)state;
    static const double stiffness[4] = {1e4, 1e5, 1e4, 1e5};
    for (int k = 0; k < 4; k++) {
        rig g;
        pose start = {v3(0.6, 0.3, 0.72 + TIP + 0.01), down(0)};
        open_at(&g, 0, start, POSTURES[k]);
        sim_impedance i = springs(start, stiffness[k], stiffness[k] / 20);
        sim_set_impedance(g.sim, 0, &i, 0);
        rig_run(&g, 0.5);
        assert_true(v3_distance(tool_now(&g, 0).p, start.p) < 1e-3);
        i.target.p.z -= 0.02; // 10 mm into the table
        sim_set_impedance(g.sim, 0, &i, 500000000);
        double mean, deviation;
        rig_run(&g, 0.5);
        pressed(&g, rig_body(&g, "table"), 0, &mean, &deviation);
        assert_true(mean > 50 && deviation < 0.01 * mean);
        for (size_t j = 0; j < g.robot->joint_count; j++)
            assert_true(fabs(sim_joint_efforts(g.sim)[j]) <= g.robot->joints[j].max_effort + 1e-9);
        rig_close(&g);
    }
}

static void a_hand_at_the_limits_of_its_joints_presses_steadily(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) { // under position control, towards a place in the table
        static const double deep[2] = {0.03, 0.08};
        for (int d = 0; d < 2; d++) {
            rig g;
            pose start = {v3(0.6, 0.3, 0.72 + TIP + 0.01), down(0)}, into = start;
            double q[64], mean, deviation;
            bool limited = false;
            open_at(&g, 0, start, POSTURES[k]);
            into.p.z -= deep[d];
            reach(&g, 0, into, POSTURES[k], q);
            for (size_t n = 0; n < 7; n++) {
                size_t j = g.robot->arms[0].joints[n];
                sim_set_joint(g.sim, j, q[j], 0, 500000000);
            }
            rig_run(&g, 1);
            pressed(&g, rig_body(&g, "table"), 0, &mean, &deviation);
            assert_true(mean > 100 && deviation < 0.01 * mean);
            for (size_t j = 0; j < g.robot->joint_count; j++)
                limited |= fabs(sim_joint_efforts(g.sim)[j]) == g.robot->joints[j].max_effort;
            assert_true(limited);
            rig_close(&g);
        }
    }
}

static void springs_pull_no_harder_than_the_joints_can(void **state) {
    (void)state;
    rig g;
    pose start = {v3(0.6, 0.3, 1.0), down(0)};
    open_at(&g, 0, start, POSTURES[0]);
    sim_impedance i = springs(start, 2e4, 1000);
    i.target.p = v3(0.3, 0.6, 0.9);
    i.force = v3(0, 0, 300);
    sim_set_impedance(g.sim, 0, &i, 0);
    bool reached = false;
    for (int k = 0; k < 1000; k++) {
        rig_step(&g);
        for (size_t j = 0; j < g.robot->joint_count; j++) {
            double most = g.robot->joints[j].max_effort, e = fabs(sim_joint_efforts(g.sim)[j]);
            assert_true(e <= most + 1e-9);
            reached |= e == most;
        }
    }
    assert_true(reached);
    rig_close(&g);
}

static void what_the_springs_leave_free_is_drawn_to_the_posture(void **state) {
    (void)state;
    rig g;
    pose start = {v3(0.6, 0.3, 1.0), down(0)};
    open_at(&g, 0, start, POSTURES[0]);
    sim_impedance i = springs(start, 1500, 100);
    sim_set_impedance(g.sim, 0, &i, 0);
    rig_run(&g, 0.2);
    // Away and back: the elbow returns.
    double q[7];
    for (int k = 0; k < 7; k++)
        q[k] = sim_joint_positions(g.sim)[g.robot->arms[0].joints[k]];
    i.target.p.y += 0.15;
    sim_set_impedance(g.sim, 0, &i, 300000000);
    rig_run(&g, 1);
    i.target.p.y -= 0.15;
    sim_set_impedance(g.sim, 0, &i, 300000000);
    rig_run(&g, 5);
    double off = 0;
    for (int k = 0; k < 7; k++)
        off = fmax(off, fabs(q[k] - sim_joint_positions(g.sim)[g.robot->arms[0].joints[k]]));
    assert_true(off < 0.02);
    assert_true(v3_distance(tool_now(&g, 0).p, start.p) < 1e-3);
    rig_close(&g);
}

// The elbow goes from one posture to another by commands as an action sends them, one a cycle, and
// the tool stays; without them it comes back to where it is drawn.
static void the_posture_is_drawn_to_where_it_is_commanded(void **state) {
    (void)state;
    rig g;
    pose start = {v3(0.6, 0.3, 1.0), down(0)};
    open_at(&g, 0, start, POSTURES[0]);
    sim_impedance i = springs(start, 1500, 100);
    const size_t *joints = g.robot->arms[0].joints;
    double from[7], there[7], all[64];
    for (int k = 0; k < 7; k++)
        from[k] = there[k] = sim_joint_positions(g.sim)[joints[k]];
    there[2] += 0.8;
    reach(&g, 0, start, there, all);
    for (int k = 0; k < 7; k++)
        there[k] = all[joints[k]];
    double way = 0, off = 0, away = 0;
    for (int k = 0; k < 7; k++)
        way = fmax(way, fabs(there[k] - from[k]));
    assert_true(way > 0.15);
    i.drawn = true;
    for (int n = 1; n <= 100; n++) {
        for (int k = 0; k < 7; k++)
            i.posture[k] = from[k] + n / 100. * (there[k] - from[k]);
        sim_set_impedance(g.sim, 0, &i, 20000000);
        rig_run(&g, 0.02);
        away = fmax(away, v3_distance(tool_now(&g, 0).p, start.p));
    }
    // A command that gives none keeps the last one.
    i.drawn = false;
    sim_set_impedance(g.sim, 0, &i, 20000000);
    rig_run(&g, 2);
    for (int k = 0; k < 7; k++)
        off = fmax(off, fabs(there[k] - sim_joint_positions(g.sim)[joints[k]]));
    assert_true(off < 0.03);
    assert_true(away < 2e-3);
    rig_close(&g);
}

static void a_joint_command_ends_the_springs_and_the_arm_stays(void **state) {
    (void)state;
    rig g;
    pose start = {v3(0.6, 0.3, 1.0), down(0)};
    open_at(&g, 0, start, POSTURES[0]);
    sim_impedance i = springs(start, 1500, 100);
    i.target.p.x += 0.1;
    sim_set_impedance(g.sim, 0, &i, 500000000);
    rig_run(&g, 1);
    size_t elbow = g.robot->arms[0].joints[3];
    double q[7], to = sim_joint_positions(g.sim)[elbow] + 0.2;
    for (int k = 0; k < 7; k++)
        q[k] = sim_joint_positions(g.sim)[g.robot->arms[0].joints[k]];
    sim_set_joint(g.sim, elbow, to, 0, 500000000);
    rig_run(&g, 1);
    for (int k = 0; k < 7; k++)
        near(sim_joint_positions(g.sim)[g.robot->arms[0].joints[k]], k == 3 ? to : q[k], 2e-3);
    rig_close(&g);
}

static void the_target_rides_on_the_base(void **state) {
    (void)state;
    rig g;
    pose start = {v3(0.6, 0.3, 1.0), down(0)};
    open_at(&g, 0, start, POSTURES[0]);
    sim_impedance i = springs(start, 1500, 100);
    sim_set_impedance(g.sim, 0, &i, 0);
    sim_set_base(g.sim, -0.3, 0, 0.5);
    double off = 0;
    for (int k = 0; k < 1000; k++) {
        rig_step(&g);
        pose own = pose_mul(pose_inverse(sim_base(g.sim)), tool_now(&g, 0));
        off = fmax(off, v3_distance(own.p, start.p));
    }
    assert_true(off < 0.01); // what accelerating takes
    rig_close(&g);
}

// A hand that pulls a door along a circle, which is `wrong` larger than the handle's.
static void pull_door(double wrong, bool *held, double *opened, double *hardest) {
    rig g;
    rig_load(&g, RIG_HANDLE, NULL);
    vec3 hinge = v3(0.92, 0.55, 1.0), handle = v3(0.845, 0.135, 1.0);
    pose tool = {handle, quat_axis_angle(v3(0, 1, 0), PI / 2)}; // fingers on both sides of the bar
    double q[64];
    reach(&g, 0, tool, POSTURES[0], q);
    robot_model other = *g.robot, *own = g.robot;
    other.home = q;
    g.robot = &other;
    rig_start(&g);
    size_t door = rig_body(&g, "door");
    sim_set_gripper(g.sim, 0, 0, 40, true);
    rig_run(&g, 1);
    sim_impedance i = springs(tool, 600, 30);
    vec3 arm = v3_sub(handle, hinge);
    *hardest = 0;
    for (int k = 1; k <= 200; k++) { // 50 degrees in 4 s
        quat turn = quat_axis_angle(v3(0, 0, 1), -k / 200.0 * 50 * PI / 180);
        double radius = v3_length(arm) + wrong * fmin(k / 50.0, 1);
        i.target.p = v3_add(hinge, quat_rotate(turn, v3_scale(v3_unit(arm), radius)));
        i.target.q = quat_mul(turn, tool.q);
        sim_set_impedance(g.sim, 0, &i, 10 * RIG_STEP);
        for (int n = 0; n < 10; n++) {
            vec3 force, torque;
            rig_step(&g);
            sim_wrench(g.sim, 0, &force, &torque);
            *hardest = fmax(*hardest, v3_length(force));
        }
    }
    rig_run(&g, 1);
    *opened = sim_world_joint(g.sim, 0) * 180 / PI;
    *held = rig_contact(&g, door, sim_entity_finger(g.sim, 0, 1)) &&
            rig_contact(&g, door, sim_entity_finger(g.sim, 0, 2));
    g.robot = own;
    rig_close(&g);
}

static void a_door_opens_by_its_handle_and_forgives_a_wrong_circle(void **state) {
    (void)state;
    static const double wrong[3] = {0, 0.03, -0.03};
    for (int k = 0; k < 3; k++) {
        bool held;
        double opened, hardest;
        pull_door(wrong[k], &held, &opened, &hardest);
        assert_true(held);
        assert_true(opened > 44);
        // 18 N of the springs beside the hand's weight.
        assert_true(hardest < 35);
    }
}

static void an_arm_of_six_joints_presses_as_well(void **state) {
    (void)state;
    rig g;
    rig_load(&g, RIG_PRESS, NULL);
    pose start = {v3(0.6, 0.3, 0.72 + TIP + 0.002), down(0)};
    double q[64];
    reach(&g, 0, start, POSTURES[0], q);
    // The roll of the upper arm stays where it is and is none of the arm's joints.
    robot_model other = *g.robot, *own = g.robot;
    robot_arm arms[2] = {own->arms[0], own->arms[1]};
    for (int k = 2; k < 6; k++)
        arms[0].joints[k] = arms[0].joints[k + 1];
    arms[0].joint_count = 6;
    other.arms = arms;
    other.home = q;
    g.robot = &other;
    rig_start(&g);
    sim_impedance i = springs(start, 1000, 60);
    i.stiffness.z = 0;
    i.force = v3(0, 0, -20);
    sim_set_impedance(g.sim, 0, &i, 0);
    double mean, deviation;
    pressed(&g, rig_body(&g, "table"), 0, &mean, &deviation);
    near(mean, 20, 0.3);
    assert_true(deviation < 0.2);
    g.robot = own;
    rig_close(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hand_presses_with_the_force_it_is_fed),
        cmocka_unit_test(a_spring_presses_with_stiffness_times_way),
        cmocka_unit_test(the_damping_is_the_ratio_that_was_asked_for),
        cmocka_unit_test(stiff_springs_are_stable_in_the_air_and_in_contact),
        cmocka_unit_test(a_hand_at_the_limits_of_its_joints_presses_steadily),
        cmocka_unit_test(springs_pull_no_harder_than_the_joints_can),
        cmocka_unit_test(what_the_springs_leave_free_is_drawn_to_the_posture),
        cmocka_unit_test(the_posture_is_drawn_to_where_it_is_commanded),
        cmocka_unit_test(a_joint_command_ends_the_springs_and_the_arm_stays),
        cmocka_unit_test(the_target_rides_on_the_base),
        cmocka_unit_test(a_door_opens_by_its_handle_and_forgives_a_wrong_circle),
        cmocka_unit_test(an_arm_of_six_joints_presses_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
