// tests/world/test_grip.c - grasps by friction: they hold, and slip where they should.
#include "tests/world/rig.h"

static const double G = 9.81;

static void number(char *text, size_t size, double x) {
    snprintf(text, size, "%.9g", x);
}

// Brings the hands over the objects of the grip scene and closes them.
static void take(rig *g, double force) {
    rig_lift(g, 0.05, 1, 0.5);
    rig_run(g, 0.1);
    for (size_t arm = 0; arm < 2; arm++)
        sim_set_gripper(g->sim, arm, 0, force, true);
    rig_run(g, 0.6);
}

static void a_held_box_and_cylinder_creep_less_than_a_tenth_of_a_millimetre(void **state) {
    (void)state;
    rig g;
    rig_open(&g, RIG_GRIP, NULL);
    take(&g, 10);
    size_t body[2] = {rig_body(&g, "box"), rig_body(&g, "cylinder")};
    rig_lift(&g, 0.25, 0.3, 0.15);
    rig_run(&g, 0.5);
    vec3 start[2];
    for (size_t arm = 0; arm < 2; arm++) {
        start[arm] = rig_in_hand(&g, body[arm], arm);
        assert_null(
            rig_contact(&g, body[arm], rig_body(&g, arm ? "right_pedestal" : "left_pedestal")));
        // Both pads press with the force that was asked for; together they carry the weight.
        assert_true(fabs(sim_gripper_force(g.sim, arm, 1) - 10) < 0.1);
        assert_true(fabs(sim_gripper_force(g.sim, arm, 2) - 10) < 0.1);
        double carried = 0;
        for (int finger = 1; finger <= 2; finger++) {
            const sim_contact *c =
                rig_contact(&g, body[arm], sim_entity_finger(g.sim, arm, finger));
            assert_non_null(c);
            assert_int_equal(c->a, body[arm]);
            carried -= c->force.z;
        }
        assert_true(fabs(carried - 0.4 * G) < 0.01 * 0.4 * G);
        assert_true(fabs(sim_gripper_opening(g.sim, arm) - 0.06) < 1e-3);
    }
    rig_run(&g, 10);
    for (size_t arm = 0; arm < 2; arm++)
        assert_true(v3_distance(rig_in_hand(&g, body[arm], arm), start[arm]) <= 1e-4);
    assert_int_equal(sim_message_count(g.sim), 0);
    rig_close(&g);
}

// Whether the object of an arm goes on slipping while the torso lifts it with a constant
// acceleration.
static bool slips(size_t arm, double mass, double friction, double force, double acceleration) {
    char m[32], mu[32];
    number(m, sizeof m, mass);
    number(mu, sizeof mu, friction);
    rig g;
    rig_open(&g, RIG_GRIP, (const char *const[]){"mass", m, "friction", mu, NULL});
    take(&g, force);
    size_t body = rig_body(&g, arm ? "cylinder" : "box");
    double from = g.torso, t = 0;
    vec3 late = v3(0, 0, 0);
    while (t < 0.5) {
        if (t < 0.4)
            late = rig_in_hand(&g, body, arm);
        t += 0.002;
        sim_set_joint(g.sim, 0, from + acceleration * t * t / 2, acceleration * t, RIG_STEP);
        rig_step(&g);
    }
    bool moved = v3_distance(rig_in_hand(&g, body, arm), late) > 5e-4;
    rig_close(&g);
    return moved;
}

static void slip_begins_within_two_percent_of_what_coulomb_says(void **state) {
    (void)state;
    static const double cases[3][3] = {{0.2, 10, 1}, {0.4, 15, 0.3}, {1.0, 30, 2}}; // kg, N, m/s2
    for (size_t arm = 0; arm < 2; arm++)
        for (int k = 0; k < 3; k++) {
            double m = cases[k][0], force = cases[k][1], a = cases[k][2];
            double expected = m * (G + a) / (2 * force), low = 0.8 * expected,
                   high = 1.3 * expected;
            assert_true(slips(arm, m, low, force, a));
            assert_false(slips(arm, m, high, force, a));
            for (int i = 0; i < 8; i++) {
                double mu = (low + high) / 2;
                if (slips(arm, m, mu, force, a))
                    low = mu;
                else
                    high = mu;
            }
            if (fabs((low + high) / 2 / expected - 1) > 0.02)
                fail_msg("%s of %g kg held with %g N at %g m/s2: slips below %.4f, not %.4f",
                         arm ? "cylinder" : "box", m, force, a, (low + high) / 2, expected);
        }
}

static void pressing_a_held_object_on_a_table_never_enters_it(void **state) {
    (void)state;
    rig g;
    rig_open(&g, RIG_GRIP, NULL);
    take(&g, 60);
    rig_lift(&g, 0.15, 1, 0.3);
    double depth = 0, effort = 0, force = 0, speed = 0.5;
    for (int i = 0; i < 1500; i++) {
        double x = fmin(speed * 0.002 * i, 0.15); // 5 cm further down than there is room
        sim_set_joint(g.sim, 0, 0.15 - x, x < 0.15 ? -speed : 0, RIG_STEP);
        rig_step(&g);
        depth = fmax(depth, rig_depth(&g));
        for (size_t j = 0; j < g.robot->joint_count; j++)
            effort =
                fmax(effort, fabs(sim_joint_efforts(g.sim)[j]) / g.robot->joints[j].max_effort);
        const sim_contact *c = rig_contact(&g, rig_body(&g, "left_pedestal"), rig_body(&g, "box"));
        force = fmax(force, c ? c->force.z : 0);
    }
    assert_true(force > 100); // it does press
    assert_true(depth < 2e-3);
    assert_true(effort < 2);
    rig_close(&g);
}

static void a_hand_presses_with_a_steady_force(void **state) {
    (void)state;
    rig g;
    rig_open(&g, RIG_GRIP, NULL);
    for (size_t arm = 0; arm < 2; arm++)
        sim_set_gripper(g.sim, arm, 0, 20, true);
    rig_lift(&g, 0.14, 0.3, 0.15);
    rig_run(&g, 0.3);
    rig_lift(&g, 0.103, 0.1, 0.02); // the closed pads come down on the objects
    rig_run(&g, 1);
    double sum = 0, square = 0;
    for (int i = 0; i < 500; i++) {
        rig_step(&g);
        const sim_contact *c = rig_contact(&g, rig_body(&g, "left_pedestal"), rig_body(&g, "box"));
        assert_non_null(c);
        sum += c->force.z, square += c->force.z * c->force.z;
    }
    double mean = sum / 500, deviation = sqrt(fmax(square / 500 - mean * mean, 0));
    assert_true(mean > 20 && mean < 200);
    assert_true(deviation < 0.01 * mean);
    rig_close(&g);
}

// ---- The plate at its rim -------------------------------------------------------------

// The rim scene with the kitchen's own type of plate, the wall of which ends up between the pads.
typedef struct rim {
    rig g;
    rig kitchen;
    world_body *bodies;
    world_model world;
    size_t plate;
} rim;

static void rim_open(rim *r, double friction) {
    char mu[32];
    number(mu, sizeof mu, friction);
    rig_load(&r->g, RIG_RIM, (const char *const[]){"friction", mu, NULL});
    rig_load(&r->kitchen, RIG_KITCHEN, NULL);
    const world_model *w = r->g.world;
    r->bodies = calloc(w->body_count, sizeof *r->bodies);
    assert_non_null(r->bodies);
    memcpy(r->bodies, w->bodies, w->body_count * sizeof *r->bodies);
    r->plate = rig_body(&r->g, "plate");
    r->bodies[r->plate].type = world_find_type(r->kitchen.world, "plate");
    r->world = *w;
    r->world.bodies = r->bodies;
    error err = {0};
    assert_int_equal(sim_create(&r->world, r->g.robot, NULL, &r->g.sim, &err), OK);
    r->g.torso = sim_joint_positions(r->g.sim)[r->g.robot->torso];
}

static void rim_close(rim *r) {
    rig_close(&r->g);
    rig_close(&r->kitchen);
    free(r->bodies);
}

// The robot's rule for the force of a grasp at radius r, where it believes in a friction of `mu`.
static double rule_force(const rim *r, double mu, double acceleration) {
    const body_type *t = r->bodies[r->plate].type;
    double weight = t->mass * G, hold = t->mass * (G + acceleration) / (2 * mu);
    double turn = 2 * weight * t->grasps[0].radius / r->g.robot->arms[0].gripper.pad_size.z;
    return 1.5 * fmax(hold, turn);
}

static double rim_drift(const rim *r, vec3 start) {
    return v3_distance(rig_in_hand(&r->g, r->plate, 0), start);
}

static void rim_take(rim *r, double force, vec3 *start) {
    rig_lift(&r->g, 0.0373, 1, 0.5);
    rig_run(&r->g, 0.1);
    sim_set_gripper(r->g.sim, 0, 0, force, true);
    rig_run(&r->g, 0.8);
    *start = rig_in_hand(&r->g, r->plate, 0);
}

static void a_plate_held_at_its_rim_stays_through_hard_motion(void **state) {
    (void)state;
    rim r;
    vec3 start;
    rim_open(&r, 0.8);
    rim_take(&r, rule_force(&r, 0.8, 2), &start);
    rig_lift(&r.g, 0.10, 0.3, 0.15);
    rig_lift(&r.g, 0.42, 3, 0.8);
    sim_set_base(r.g.sim, 0, 0.6, 0.5);
    rig_run(&r.g, 2);
    sim_set_base(r.g.sim, 0, 0, 0);
    rig_run(&r.g, 10);
    assert_true(rim_drift(&r, start) < 1e-4 + 1e-4);
    rim_close(&r);
}

static void a_wet_plate_is_carried_off_and_then_lost(void **state) {
    (void)state;
    static const double windows[3] = {1.05, 1.08, 1.12};
    for (int k = 0; k < 3; k++) {
        rim r;
        vec3 start;
        rim_open(&r, 0.8);
        double force = rule_force(&r, 0.8, 2), weight = r.bodies[r.plate].type->mass * G;
        rim_close(&r);
        rim_open(&r, windows[k] * weight / (2 * force));
        rim_take(&r, force, &start);
        rig_lift(&r.g, 0.10, 0.3, 0.15);
        rig_run(&r.g, 1);
        assert_true(rim_drift(&r, start) < 1e-3); // off the counter, and still
        assert_true(sim_pose(r.g.sim, r.plate).p.z > 0.32);
        rig_lift(&r.g, 0.42, 2.5, 0.6);
        rig_run(&r.g, 0.5);
        assert_true(rim_drift(&r, start) > 0.05); // lost
        rim_close(&r);
    }
}

static void a_wet_plate_stays_when_it_is_moved_gently(void **state) {
    (void)state;
    rim r;
    vec3 start;
    rim_open(&r, 0.8);
    double force = rule_force(&r, 0.8, 2), weight = r.bodies[r.plate].type->mass * G;
    rim_close(&r);
    rim_open(&r, 1.08 * weight / (2 * force));
    rim_take(&r, force, &start);
    rig_lift(&r.g, 0.42, 0.3, 0.15);
    rig_run(&r.g, 5);
    assert_true(rim_drift(&r, start) < 1e-3);
    rim_close(&r);
}

static void a_gripper_stops_on_what_it_holds_and_opens_as_far_as_it_is_told(void **state) {
    (void)state;
    rig g;
    rig_open(&g, RIG_GRIP, NULL);
    assert_true(fabs(sim_gripper_opening(g.sim, 0) - g.robot->arms[0].gripper.max_opening) < 1e-4);
    take(&g, 15);
    assert_true(fabs(sim_gripper_opening(g.sim, 0) - 0.06) < 1e-3);
    sim_set_gripper(g.sim, 0, 0.09, 0, false);
    sim_set_gripper(g.sim, 1, 1, 0, false);
    rig_run(&g, 1.5);
    assert_true(fabs(sim_gripper_opening(g.sim, 0) - 0.09) < 1e-4);
    assert_true(fabs(sim_gripper_opening(g.sim, 1) - 0.12) < 1e-4);
    assert_true(sim_gripper_force(g.sim, 0, 1) == 0);
    rig_lift(&g, 0.3, 0.3, 0.15);
    sim_set_gripper(g.sim, 0, 0, 15, true); // on nothing
    rig_run(&g, 1.5);
    assert_true(fabs(sim_gripper_opening(g.sim, 0)) < 1e-3);
    rig_close(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_held_box_and_cylinder_creep_less_than_a_tenth_of_a_millimetre),
        cmocka_unit_test(slip_begins_within_two_percent_of_what_coulomb_says),
        cmocka_unit_test(pressing_a_held_object_on_a_table_never_enters_it),
        cmocka_unit_test(a_hand_presses_with_a_steady_force),
        cmocka_unit_test(a_plate_held_at_its_rim_stays_through_hard_motion),
        cmocka_unit_test(a_wet_plate_is_carried_off_and_then_lost),
        cmocka_unit_test(a_wet_plate_stays_when_it_is_moved_gently),
        cmocka_unit_test(a_gripper_stops_on_what_it_holds_and_opens_as_far_as_it_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
