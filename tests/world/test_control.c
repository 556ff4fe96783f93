// tests/world/test_control.c - joints under velocity and effort control, at their stops, against
// each other and under loads.
#include "tests/world/rig.h"

#define RIG_YARD FORESEE_SOURCE_DIR "/tests/scenes/yard.yaml"
#define RIG_SADDLE FORESEE_SOURCE_DIR "/tests/scenes/saddle.yaml"
static const nanos CYCLE = 20000000;

static void near(double a, double b, double tolerance) {
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.12g is not within %g of %.12g", a, tolerance, b);
}

// Both arms stretched out forwards, palms inwards; the robot's description as changed by `change`.
static const double FORWARD[7] = {0, 0.15, 0, -0.15, 0, 0, 0};

typedef struct changed_robot {
    robot_model model;
    robot_joint joints[64];
    double home[64];
} changed_robot;

static void open_forward(rig *g, const char *world, changed_robot *to,
                         void (*change)(changed_robot *)) {
    rig_load(g, world, NULL);
    robot_model *own = g->robot;
    to->model = *own;
    assert_true(own->joint_count <= 64);
    for (size_t j = 0; j < own->joint_count; j++)
        to->joints[j] = own->joints[j], to->home[j] = own->home[j];
    for (size_t a = 0; a < own->arm_count; a++)
        for (size_t k = 0; k < own->arms[a].joint_count; k++)
            to->home[own->arms[a].joints[k]] = FORWARD[k];
    to->model.joints = to->joints;
    to->model.home = to->home;
    if (change)
        change(to);
    g->robot = &to->model;
    rig_start(g);
    g->robot = own;
}

static double q_of(const rig *g, size_t j) {
    return sim_joint_positions(g->sim)[j];
}

// ---- Modes ----------------------------------------------------------------------------

static void a_joint_follows_a_velocity_until_it_gets_a_position(void **state) {
    (void)state;
    rig g;
    changed_robot to;
    open_forward(&g, RIG_YARD, &to, NULL);
    size_t j = g.robot->arms[0].joints[5];
    const robot_joint *joint = &g.robot->joints[j];
    sim_set_joint_velocity(g.sim, j, 0.5);
    rig_run(&g, 1);
    // Its damping pulls against its friction.
    double v = (joint->kd * 0.5 - joint->coulomb) / (joint->kd + joint->viscous);
    near(sim_joint_velocities(g.sim)[j], v, 1e-3);
    near(q_of(&g, j), FORWARD[5] + v, 0.02);
    // No faster than the joint may.
    sim_set_joint_velocity(g.sim, j, -100);
    rig_run(&g, 0.5);
    assert_true(sim_joint_velocities(g.sim)[j] > -joint->max_velocity);
    // A position's way begins where the joint is, at the speed that it has.
    double from = q_of(&g, j);
    sim_set_joint(g.sim, j, from, 0, CYCLE);
    double far = 0;
    for (int k = 0; k < 500; k++) {
        rig_step(&g);
        far = fmax(far, fabs(q_of(&g, j) - from));
    }
    near(q_of(&g, j), from, 1e-3);
    assert_true(far < 0.15);
    rig_close(&g);
}

static void without_effort_an_arm_floats_and_with_it_it_goes_as_newton_says(void **state) {
    (void)state;
    rig g;
    changed_robot to;
    open_forward(&g, RIG_YARD, &to, NULL);
    const robot_arm *arm = &g.robot->arms[0];
    for (size_t k = 0; k < arm->joint_count; k++)
        sim_set_joint_effort(g.sim, arm->joints[k], 0);
    rig_run(&g, 1);
    for (size_t k = 0; k < arm->joint_count; k++)
        near(q_of(&g, arm->joints[k]), FORWARD[k], 1e-3);
    // The wrist's roll: effort less friction over viscosity at last.
    size_t j = arm->joints[6];
    const robot_joint *joint = &g.robot->joints[j];
    sim_set_joint_effort(g.sim, j, 0.25);
    for (int k = 0; k < 5; k++) // the rest of the arm may not turn along
        sim_set_joint(g.sim, arm->joints[k], FORWARD[k], 0, 0);
    sim_set_joint(g.sim, arm->joints[5], FORWARD[5], 0, 0);
    rig_run(&g, 3.5);
    double limit = (0.25 - joint->coulomb) / joint->viscous;
    assert_true(sim_joint_velocities(g.sim)[j] > 0.9 * limit);
    assert_true(sim_joint_velocities(g.sim)[j] < limit);
    near(sim_joint_efforts(g.sim)[j], 0.25, 0.01);
    rig_close(&g);
}

// ---- Stops ----------------------------------------------------------------------------

static const double ROOM = 0.25;

static void narrow(changed_robot *to) {
    for (size_t j = 0; j < to->model.joint_count; j++)
        if (to->joints[j].kind == JOINT_REVOLUTE)
            to->joints[j].lower = to->home[j] - ROOM, to->joints[j].upper = to->home[j] + ROOM;
}

static void a_joint_driven_into_its_stop_stops_there(void **state) {
    (void)state;
    for (int way = -1; way <= 1; way += 2)
        for (int mode = 0; mode < 2; mode++) {
            rig g;
            changed_robot to;
            open_forward(&g, RIG_YARD, &to, narrow);
            const robot_arm *arm = &g.robot->arms[0];
            double far[7] = {0};
            for (size_t k = 0; k < 7; k++)
                if (mode == 0)
                    sim_set_joint_velocity(g.sim, arm->joints[k], 1.5 * way);
                else
                    sim_set_joint_effort(g.sim, arm->joints[k], 20 * way);
            for (int i = 0; i < 1000; i++) {
                rig_step(&g);
                for (size_t k = 0; k < 7; k++)
                    far[k] = fmax(far[k], way * (q_of(&g, arm->joints[k]) - FORWARD[k]) - ROOM);
            }
            for (size_t k = 0; k < 7; k++) {
                // 20 N m hurl a joint at several radians a second.
                assert_true(far[k] < (mode == 0 ? 1e-3 : 2e-3));
                near(q_of(&g, arm->joints[k]), FORWARD[k] + way * ROOM, 2e-4);
                near(sim_joint_velocities(g.sim)[arm->joints[k]], 0, 1e-3);
            }
            rig_close(&g);
        }
}

// ---- Arm against arm, loads on links --------------------------------------------------

static void arms_that_meet_stop_each_other(void **state) {
    (void)state;
    rig g;
    changed_robot to;
    open_forward(&g, RIG_YARD, &to, NULL);
    size_t left = g.robot->arms[0].joints[0], right = g.robot->arms[1].joints[0];
    double depth = 0;
    bool met = false;
    for (int i = 0; i < 100; i++) { // inwards at 1 rad/s, each
        double angle = fmin(0.02 * (i + 1), 0.8), speed = 0.02 * (i + 1) < 0.8;
        sim_set_joint(g.sim, left, FORWARD[0] - angle, -speed, CYCLE);
        sim_set_joint(g.sim, right, FORWARD[0] - angle, -speed, CYCLE);
        for (int k = 0; k < 10; k++) {
            rig_step(&g);
            size_t count;
            const sim_contact *c = sim_contacts(g.sim, &count);
            for (size_t n = 0; n < count; n++)
                if (c[n].a >= sim_entity_link(g.sim, 0))
                    met = true, depth = fmax(depth, c[n].depth);
            for (size_t j = 0; j < g.robot->joint_count; j++)
                assert_true(fabs(sim_joint_efforts(g.sim)[j]) <=
                            g.robot->joints[j].max_effort + 1e-9);
            assert_true(sim_pose(g.sim, sim_entity_palm(g.sim, 0)).p.y >
                        sim_pose(g.sim, sim_entity_palm(g.sim, 1)).p.y);
        }
    }
    assert_true(met);
    assert_true(depth < 0.02);
    for (size_t j = 0; j < g.robot->joint_count; j++)
        near(sim_joint_velocities(g.sim)[j], 0, 0.02);
    rig_close(&g);
}

static void what_falls_on_a_forearm_pushes_it_down(void **state) {
    (void)state;
    rig g;
    changed_robot to;
    open_forward(&g, RIG_SADDLE, &to, NULL);
    size_t saddle = rig_body(&g, "saddle");
    rig_run(&g, 3);
    pose links[64];
    robot_forward(g.robot, sim_base(g.sim), sim_joint_positions(g.sim), links);
    vec3 total = v3(0, 0, 0);
    double effort[64] = {0};
    for (size_t l = 0; l < g.robot->link_count; l++) {
        const sim_contact *c = rig_contact(&g, saddle, sim_entity_link(g.sim, l));
        if (!c)
            continue;
        total = v3_add(total, c->force); // of the saddle on the link
        for (size_t at = l; g.robot->links[at].joint >= 0;) {
            size_t j = (size_t)g.robot->links[at].joint;
            const robot_joint *joint = &g.robot->joints[j];
            vec3 axis = quat_rotate(links[at].q, joint->axis);
            effort[j] += joint->kind == JOINT_PRISMATIC
                             ? v3_dot(axis, c->force)
                             : v3_dot(v3_cross(axis, v3_sub(c->point, links[at].p)), c->force);
            at = joint->parent;
        }
    }
    near(total.z, -5 * 9.81, 0.5);
    for (size_t k = 0; k < 7; k++) {
        size_t j = g.robot->arms[0].joints[k];
        double sag = effort[j] / g.robot->joints[j].kp;
        near(q_of(&g, j) - FORWARD[k], sag, 2e-4 + 0.03 * fabs(sag));
    }
    rig_close(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_joint_follows_a_velocity_until_it_gets_a_position),
        cmocka_unit_test(without_effort_an_arm_floats_and_with_it_it_goes_as_newton_says),
        cmocka_unit_test(a_joint_driven_into_its_stop_stops_there),
        cmocka_unit_test(arms_that_meet_stop_each_other),
        cmocka_unit_test(what_falls_on_a_forearm_pushes_it_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
