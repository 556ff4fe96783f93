// tests/world/test_hand.c - a hand that touches nothing rides on its flange, and nothing else
// tells.
#include "tests/world/rig.h"

// `bound`: the hands are bodies of ODE all the time.
static void open_rig(rig *g, const char *world, bool bound) {
    error err = {0};
    rig_load(g, world, NULL);
    sim_options o = sim_options_default();
    o.bound = bound;
    assert_int_equal(sim_create(g->world, g->robot, &o, &g->sim, &err), OK);
    g->torso = sim_joint_positions(g->sim)[g->robot->torso];
}

// An arm that swings, a base that drives, and fingers that close and open.
static void command(rig *g, double t) {
    const robot_arm *a = &g->robot->arms[0];
    for (size_t k = 0; k < a->joint_count; k++) {
        const robot_joint *j = &g->robot->joints[a->joints[k]];
        double home = g->robot->home[a->joints[k]], middle = (j->lower + j->upper) / 2;
        double way = isfinite(middle) && middle < home ? -0.15 : 0.15, rate = 3;
        sim_set_joint(g->sim, a->joints[k], home + way * (1 - cos(rate * t)),
                      way * rate * sin(rate * t), 20000000);
    }
    sim_set_base(g->sim, t > 1 ? -0.1 : 0, 0, t > 1 ? 0.3 : 0);
    for (size_t i = 0; i < 2; i++)
        sim_set_gripper(g->sim, i, t < 1 ? 0.02 : 0.06, 20, true);
}

static void a_hand_in_the_air_moves_and_weighs_as_its_bodies_would(void **state) {
    (void)state;
    rig ride, bound;
    open_rig(&ride, RIG_KITCHEN, false);
    open_rig(&bound, RIG_KITCHEN, true);
    double joints = 0, palms = 0, opening = 0, force = 0, torque = 0;
    int samples = 0;
    for (double t = 0; t < 3; t += 0.02) {
        command(&ride, t);
        command(&bound, t);
        rig_run(&ride, 0.02);
        rig_run(&bound, 0.02);
        for (size_t j = 0; j < ride.robot->joint_count; j++)
            joints = fmax(
                joints, fabs(sim_joint_positions(ride.sim)[j] - sim_joint_positions(bound.sim)[j]));
        for (size_t i = 0; i < 2; i++) {
            size_t palm = sim_entity_palm(ride.sim, i);
            vec3 f[2], m[2];
            palms =
                fmax(palms, v3_distance(sim_pose(ride.sim, palm).p, sim_pose(bound.sim, palm).p));
            opening = fmax(opening, fabs(sim_gripper_opening(ride.sim, i) -
                                         sim_gripper_opening(bound.sim, i)));
            sim_wrench(ride.sim, i, &f[0], &m[0]);
            sim_wrench(bound.sim, i, &f[1], &m[1]);
            force += v3_distance(f[0], f[1]);
            torque += v3_distance(m[0], m[1]);
            samples++;
        }
    }
    assert_true(joints < 1e-5 && palms < 2e-4 && opening < 2e-5);
    assert_true(force / samples < 0.05 && torque / samples < 0.01);
    rig_close(&ride);
    rig_close(&bound);
}

// Takes box and cylinder, lifts them, and puts them back.
static void take_and_put(rig *g, vec3 lifted[2], vec3 put[2]) {
    size_t body[2] = {rig_body(g, "box"), rig_body(g, "cylinder")};
    rig_lift(g, 0.05, 1, 0.5);
    for (size_t arm = 0; arm < 2; arm++)
        sim_set_gripper(g->sim, arm, 0, 10, true);
    rig_run(g, 0.7);
    rig_lift(g, 0.25, 1, 0.3);
    rig_run(g, 0.3);
    for (size_t arm = 0; arm < 2; arm++)
        lifted[arm] = rig_in_hand(g, body[arm], arm);
    rig_lift(g, 0.05, 1, 0.3);
    for (size_t arm = 0; arm < 2; arm++)
        sim_set_gripper(g->sim, arm, 1, 10, false);
    rig_run(g, 1);
    rig_lift(g, 0.25, 1, 0.3);
    for (size_t arm = 0; arm < 2; arm++)
        put[arm] = sim_pose(g->sim, body[arm]).p;
}

static void a_hand_that_rides_takes_and_puts_as_its_bodies_would(void **state) {
    (void)state;
    vec3 lifted[2][2], put[2][2];
    for (int bound = 0; bound < 2; bound++) {
        rig g;
        open_rig(&g, RIG_GRIP, bound);
        take_and_put(&g, lifted[bound], put[bound]);
        rig_close(&g);
    }
    for (int arm = 0; arm < 2; arm++) {
        assert_true(v3_distance(lifted[0][arm], lifted[1][arm]) < 1e-4);
        assert_true(v3_distance(put[0][arm], put[1][arm]) < 1e-4);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hand_in_the_air_moves_and_weighs_as_its_bodies_would),
        cmocka_unit_test(a_hand_that_rides_takes_and_puts_as_its_bodies_would),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
