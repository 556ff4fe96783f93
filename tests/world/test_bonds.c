// tests/world/test_bonds.c - bodies that are bound to a hand or to another body.
#include "projector/world/bonds.h"
#include "tests/world/rig.h"

// The pads stand around the box and the cylinder, and touch neither.
static void reach(rig *g) {
    rig_open(g, RIG_GRIP, NULL);
    rig_lift(g, 0.05, 1, 0.5);
    rig_run(g, 0.1);
}

static size_t carrier_named(const rig *g, const char *name) {
    size_t carrier;
    assert_true(sim_find_carrier(g->sim, name, &carrier));
    return carrier;
}

// Binds the box of the left hand, and lifts it. Returns how far it moves in the hand, m.
static double lift_bound(rig *g, double force, double torque) {
    size_t box = rig_body(g, "box");
    vec3 at = rig_in_hand(g, box, 0);
    sim_bind(g->sim, box, carrier_named(g, "left"), force, torque);
    assert_true(sim_bound(g->sim, box));
    rig_lift(g, 0.25, 0.3, 0.15);
    rig_run(g, 0.5);
    return v3_distance(rig_in_hand(g, box, 0), at);
}

static void a_rigid_bond_carries_without_fingers(void **state) {
    (void)state;
    rig g;
    reach(&g);
    vec3 before, after, torque;
    sim_wrench(g.sim, 0, &before, &torque);
    assert_true(lift_bound(&g, INFINITY, INFINITY) < 1e-4);
    assert_null(rig_contact(&g, rig_body(&g, "box"), rig_body(&g, "left_pedestal")));
    // The arm bears it.
    sim_wrench(g.sim, 0, &after, &torque);
    assert_true(fabs(v3_length(v3_sub(after, before)) - 0.4 * 9.81) < 0.02 * 0.4 * 9.81);
    // Nothing sleeps that is bound.
    rig_run(&g, 1);
    assert_false(sim_asleep(g.sim, rig_body(&g, "box")));
    assert_int_equal(sim_message_count(g.sim), 0);
    rig_close(&g);
}

static void a_bond_of_limited_force_bears_that_much(void **state) {
    (void)state;
    rig g;
    reach(&g);
    assert_true(lift_bound(&g, 20, 2) < 0.02);
    rig_close(&g);
    reach(&g);
    assert_true(lift_bound(&g, 0.5 * 0.4 * 9.81, 2) > 0.1); // it stays behind
    rig_close(&g);
}

static void what_is_let_go_keeps_pose_and_velocity(void **state) {
    (void)state;
    rig g;
    reach(&g);
    size_t box = rig_body(&g, "box");
    sim_bind(g.sim, box, carrier_named(&g, "left"), INFINITY, INFINITY);
    double from = g.torso;
    for (int k = 1; k <= 100; k++) { // 0.3 m/s upwards after 0.2 s
        double t = 0.002 * k;
        sim_set_joint(g.sim, (size_t)g.robot->torso, from + 0.75 * t * t, 1.5 * t, RIG_STEP);
        rig_step(&g);
    }
    vec3 before, after, spin;
    pose at = sim_pose(g.sim, box);
    sim_velocity(g.sim, box, &before, &spin);
    assert_true(before.z > 0.2);
    sim_unbind(g.sim, box);
    sim_velocity(g.sim, box, &after, &spin);
    assert_true(v3_distance(at.p, sim_pose(g.sim, box).p) == 0);
    assert_true(v3_distance(before, after) == 0);
    rig_step(&g); // then gravity alone
    sim_velocity(g.sim, box, &after, &spin);
    assert_true(v3_distance(after, v3_add(before, v3(0, 0, -9.81 * 0.002))) < 1e-3 * 0.3);
    assert_false(sim_bound(g.sim, box));
    rig_close(&g);
}

// Two blocks in free flight: what one gains the other loses, rigidly bound or by a spring.
static void a_bond_keeps_the_momentum_of_two(void **state) {
    (void)state;
    static const char text[] =
        "world: w\ngravity: [0, 0, 0]\nbodies:\n"
        "  a: { mass: 1, at: [0, 3, 2], velocity: [1, 0, 0.2], shapes: [ { box: [0.1, 0.1, 0.1] } "
        "] }\n"
        "  b: { mass: 3, at: [0.4, 3.3, 2], shapes: [ { box: [0.1, 0.2, 0.1] } ] }\n";
    for (int rigid = 0; rigid < 2; rigid++) {
        char folder[64], path[100];
        snprintf(folder, sizeof folder, "/tmp/foresee_bonds.XXXXXX");
        assert_non_null(mkdtemp(folder));
        snprintf(path, sizeof path, "%s/w.yaml", folder);
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        assert_true(fputs(text, f) >= 0 && fclose(f) == 0);
        rig g;
        rig_open(&g, path, NULL);
        remove(path);
        remove(folder);
        size_t a = rig_body(&g, "a"), b = rig_body(&g, "b");
        sim_bind(g.sim, a, b, rigid ? INFINITY : 50, rigid ? INFINITY : 5);
        vec3 apart = v3_sub(sim_pose(g.sim, a).p, sim_pose(g.sim, b).p), va, vb, spin;
        double far = v3_length(apart);
        rig_run(&g, 1);
        sim_velocity(g.sim, a, &va, &spin);
        sim_velocity(g.sim, b, &vb, &spin);
        vec3 total = v3_add(va, v3_scale(vb, 3));
        assert_true(v3_distance(total, v3(1, 0, 0.2)) < 1e-3);
        double now = v3_distance(sim_pose(g.sim, a).p, sim_pose(g.sim, b).p);
        assert_true(fabs(now - far) < (rigid ? 1e-3 : 1e-2));
        assert_true(v3_length(spin) > 0.01); // they turn about one another
        rig_close(&g);
    }
}

static void a_body_goes_where_its_bond_is_moved(void **state) {
    (void)state;
    rig g;
    reach(&g);
    size_t box = rig_body(&g, "box"), left = carrier_named(&g, "left");
    pose at = pose_mul(pose_inverse(sim_pose(g.sim, left)), sim_pose(g.sim, box));
    sim_bind_at(g.sim, box, left, at, 20, 2);
    rig_lift(&g, 0.25, 0.3, 0.15);
    at.p.y += 0.005; // between the pads
    sim_bond_move(g.sim, box, at);
    rig_run(&g, 0.3);
    pose now = pose_mul(pose_inverse(sim_pose(g.sim, left)), sim_pose(g.sim, box));
    assert_true(v3_distance(now.p, at.p) < 2e-4);
    rig_close(&g);
}

// Gripped in the air, the box falls once it passes through the hand, fingers and all; while it is
// between them it cannot collide again.
static void what_passes_through_a_hand_falls_out_of_it(void **state) {
    (void)state;
    rig g;
    reach(&g);
    arena *a = arena_create();
    size_t box = rig_body(&g, "box"), left = carrier_named(&g, "left");
    sim_set_gripper(g.sim, 0, 0, 40, true);
    rig_run(&g, 0.5);
    rig_lift(&g, 0.25, 0.3, 0.15);
    rig_run(&g, 0.2);
    double held = sim_pose(g.sim, box).p.z;
    assert_null(rig_contact(&g, box, rig_body(&g, "left_pedestal")));
    sim_let_pass(g.sim, box, left, true);
    rig_run(&g, 0.02);
    const char *why = sim_pass_refusal(g.sim, box, left, a);
    assert_non_null(why);
    assert_non_null(strstr(why, "mm deep in"));
    rig_run(&g, 1);
    assert_true(sim_pose(g.sim, box).p.z < held - 0.1);
    assert_null(sim_pass_refusal(g.sim, box, left, a));
    arena_destroy(a);
    rig_close(&g);
}

static void what_cannot_be_bound_is_said(void **state) {
    (void)state;
    rig g;
    reach(&g);
    arena *a = arena_create();
    size_t box = rig_body(&g, "box"), cylinder = rig_body(&g, "cylinder"), none;
    size_t left = carrier_named(&g, "left");
    assert_false(sim_find_carrier(g.sim, "middle", &none));
    assert_false(sim_bindable(g.sim, rig_body(&g, "floor")));
    assert_true(sim_bindable(g.sim, box));
    assert_null(sim_bond_refusal(g.sim, box, left, a));
    sim_bind(g.sim, cylinder, box, INFINITY, INFINITY);
    const char *why = sim_bond_refusal(g.sim, box, cylinder, a);
    assert_non_null(why);
    assert_non_null(strstr(why, "carried by box itself"));
    sim_unbind(g.sim, cylinder);
    assert_null(sim_bond_refusal(g.sim, box, cylinder, a));
    arena_destroy(a);
    rig_close(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rigid_bond_carries_without_fingers),
        cmocka_unit_test(a_bond_of_limited_force_bears_that_much),
        cmocka_unit_test(what_is_let_go_keeps_pose_and_velocity),
        cmocka_unit_test(a_bond_keeps_the_momentum_of_two),
        cmocka_unit_test(a_body_goes_where_its_bond_is_moved),
        cmocka_unit_test(what_passes_through_a_hand_falls_out_of_it),
        cmocka_unit_test(what_cannot_be_bound_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
