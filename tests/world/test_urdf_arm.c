// Robots from URDF files in the simulation: with the controllers that follow from their masses they
// hold themselves and go where they are sent.
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arm_of_seven_joints_on_a_cart_holds_and_moves),
        cmocka_unit_test(an_arm_of_six_joints_holds_and_moves),
        cmocka_unit_test(a_urdf_on_its_own_holds_and_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
