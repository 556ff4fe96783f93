// tests/world/test_urdf_arm.c - robots from URDF files in the simulation: with the controllers that
// follow from their masses they hold themselves and go where they are sent.
#include "tests/world/rig.h"

static const char EMPTY[] =
    "world: empty\nbodies:\n  ground: { shapes: [ { plane: true } ], at: [0, 0, 0], fixed: true, "
    "color: gray }\n";

static void open_empty(rig *g, const char *robot) {
    char *folder = testlib_folder(), *path = testlib_write(folder, "w.yaml", EMPTY);
    errors list = {0};
    error err = {0};
    *g = (rig){0};
    status w = world_load(path, NULL, NULL, &g->world, &list);
    status r = robot_load(robot, NULL, NULL, &g->robot, &list);
    rig_explain(&list);
    assert_int_equal(w, OK);
    assert_int_equal(r, OK);
    errors_finish(&list);
    free(path);
    testlib_remove(folder);
    status st = sim_create(g->world, g->robot, NULL, &g->sim, &err);
    if (st != OK)
        fail_msg("%s", err.text);
}

static void holds_and_moves(const char *file, size_t arm_joints) {
    rig g;
    char path[600];
    snprintf(path, sizeof path, "%s/examples/robots/%s", FORESEE_SOURCE_DIR, file);
    open_empty(&g, path);
    const robot_model *r = g.robot;
    assert_int_equal(r->arm_count > 0 ? r->arms[0].joint_count : 0, arm_joints);
    rig_run(&g, 1);
    const double *q = sim_joint_positions(g.sim);
    for (size_t j = 0; j < r->joint_count; j++)
        if (!(fabs(q[j] - r->home[j]) < 2e-3))
            fail_msg("`%s` does not hold: %g from home after 1 s", r->joints[j].name,
                     q[j] - r->home[j]);
    double goal[64];
    for (size_t j = 0; j < r->joint_count; j++) {
        const robot_joint *k = &r->joints[j];
        double step = k->kind == JOINT_PRISMATIC ? 0.1 : j % 2 ? -0.4 : 0.4;
        if (r->home[j] + step > k->upper || r->home[j] + step < k->lower)
            step = -step;
        goal[j] = r->home[j] + step;
        sim_set_joint(g.sim, j, goal[j], 0, nanos_from_seconds(2));
    }
    rig_run(&g, 1);
    for (size_t j = 0; j < r->joint_count; j++) // on its way, as it was told
        if (!(fabs(q[j] - 0.5 * (goal[j] + r->home[j])) < 2e-2))
            fail_msg("`%s` lags by %g half way", r->joints[j].name,
                     q[j] - 0.5 * (goal[j] + r->home[j]));
    rig_run(&g, 1.5);
    for (size_t j = 0; j < r->joint_count; j++)
        if (!(fabs(q[j] - goal[j]) < 2e-3))
            fail_msg("`%s` stops %g from where it was sent", r->joints[j].name, q[j] - goal[j]);
    assert_true(v3_length(sim_base(g.sim).p) < 0.01);
    rig_close(&g);
}

static void an_arm_of_seven_joints_on_a_cart_holds_and_moves(void **state) {
    (void)state;
    holds_and_moves("one_arm.yaml", 7);
}

static void an_arm_of_six_joints_holds_and_moves(void **state) {
    (void)state;
    holds_and_moves("six_axis.yaml", 6);
}

static void a_urdf_on_its_own_holds_and_moves(void **state) {
    (void)state;
    holds_and_moves("one_arm.urdf", 0);
    holds_and_moves("six_axis.urdf", 0);
}

// A lift of two stages, the second of which is coupled to the first and carries 8 kg.
#define BOX_LINK(n, m)                                                                             \
    "<link name='" n "'><inertial><mass value='" m "'/><inertia ixx='0.1' iyy='0.1' izz='0.1' "    \
    "ixy='0' ixz='0' iyz='0'/></inertial></link>"
#define SLIDE(n, p, c, rest)                                                                       \
    "<joint name='" n "' type='prismatic'><parent link='" p "'/><child link='" c                   \
    "'/><axis xyz='0 0 1'/><limit lower='0' upper='0.4' effort='400' velocity='0.5'/>" rest        \
    "</joint>"
static const char LIFT[] = "<robot name='r'>" BOX_LINK("hull", "50") BOX_LINK("stage", "5")
    BOX_LINK("top", "8") SLIDE("lift", "hull", "stage", "") SLIDE(
        "second", "stage", "top", "<mimic joint='lift' multiplier='0.5' offset='0.1'/>") "</robot>";

static void a_joint_that_mimics_goes_where_its_leader_goes(void **state) {
    (void)state;
    char *folder = testlib_folder(), *path = testlib_write(folder, "r.urdf", LIFT);
    rig g;
    open_empty(&g, path);
    size_t lift = (size_t)robot_find_joint(g.robot, "lift"),
           second = (size_t)robot_find_joint(g.robot, "second");
    const double *q = sim_joint_positions(g.sim);
    rig_run(&g, 0.5);
    assert_true(fabs(q[second] - 0.1) < 1e-3);
    sim_set_joint(g.sim, lift, 0.3, 0, nanos_from_seconds(1));
    sim_set_joint(g.sim, second, 0.9, 0, nanos_from_seconds(1)); // nobody moves it by itself
    for (int i = 0; i < 20; i++) {
        rig_run(&g, 0.1);
        if (!(fabs(q[second] - 0.5 * q[lift] - 0.1) < 2e-3))
            fail_msg("after %d steps `second` is %g, and `lift` %g", i, q[second], q[lift]);
    }
    assert_true(fabs(q[lift] - 0.3) < 2e-3);
    rig_close(&g);
    free(path);
    testlib_remove(folder);
}

static void bases_move_as_their_drives_let_them(void **state) {
    (void)state;
    static const struct {
        const char *base;
        double x, y, yaw; // after a second and a half at 0.2 m/s, 0.1 m/s and 0.2 rad/s
    } cases[] = {{"", 0.2, 0.1, 0.15},
                 {"base: { drive: differential }\n", 0.2, 0, 0.15},
                 {"base: fixed\n", 0, 0, 0}};
    for (size_t i = 0; i < 3; i++) {
        char *folder = testlib_folder(), text[200];
        char *urdf = testlib_write(folder, "r.urdf", LIFT);
        snprintf(text, sizeof text, "robot: r\nurdf: r.urdf\n%s", cases[i].base);
        char *path = testlib_write(folder, "r.yaml", text);
        rig g;
        open_empty(&g, path);
        sim_set_base(g.sim, 0.2, 0.1, 0.2);
        sim_set_joint(g.sim, (size_t)robot_find_joint(g.robot, "lift"), 0.3, 0,
                      nanos_from_seconds(1));
        rig_run(&g, 1.5);
        pose at = sim_base(g.sim);
        if (i < 2) {
            assert_true(at.p.x > cases[i].x && quat_yaw(at.q) > cases[i].yaw);
            // A differential drive goes round in a circle of the radius v / w.
            double off = hypot(at.p.x, at.p.y - 1) - 1;
            assert_true(i == 0 ? at.p.y > cases[i].y : fabs(off) < 0.01);
        } else {
            assert_true(fabs(at.p.x) < 1e-6 && fabs(at.p.y) < 1e-6 && fabs(quat_yaw(at.q)) < 1e-6);
        }
        rig_close(&g);
        free(urdf);
        free(path);
        testlib_remove(folder);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arm_of_seven_joints_on_a_cart_holds_and_moves),
        cmocka_unit_test(an_arm_of_six_joints_holds_and_moves),
        cmocka_unit_test(a_joint_that_mimics_goes_where_its_leader_goes),
        cmocka_unit_test(bases_move_as_their_drives_let_them),
        cmocka_unit_test(a_urdf_on_its_own_holds_and_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
