// tests/world/test_fleet.c - several robots in one world: each moves as if it were alone until they
// meet, and then they push one another with equal and opposite forces.
#include "tests/world/rig.h"

static const char EMPTY[] =
    "world: empty\nbodies:\n  ground: { shapes: [ { plane: true } ], at: [0, 0, 0], fixed: true, "
    "color: gray }\n";

#define LINK(n, m, x)                                                                              \
    "<link name='" n "'><inertial><mass value='" m                                                 \
    "'/><inertia ixx='0.5' iyy='0.5' izz='0.5' ixy='0' ixz='0' iyz='0'/></inertial>"               \
    "<collision><origin xyz='" x " 0 0.5'/><geometry><box size='0.4 0.4 0.4'/></geometry>"         \
    "</collision></link>"
// A ram of `m` kg that slides ahead on a hull, without friction.
#define RAM(m)                                                                                     \
    "<robot name='r'>" LINK("hull", "50", "0") LINK(                                               \
        "ram", m,                                                                                  \
        "0.5") "<joint name='slide' type='prismatic'><parent link='hull'/><child link='ram'/>"     \
               "<axis xyz='1 0 0'/><limit lower='-1' upper='2' effort='400' velocity='2'/>"        \
               "<dynamics damping='0' friction='0'/></joint></robot>"
static const char LIGHT[] = RAM("5"), HEAVY[] = RAM("8");

typedef struct pair_rig {
    world_model *world;
    robot_model *robots[2];
    fleet_member members[2];
    sim *sim;
    nanos now;
} pair_rig;

static status pair_open(pair_rig *g, const char *ann, const char *bob, double apart, double turned,
                        error *err) {
    char *folder = testlib_folder(), *path = testlib_write(folder, "w.yaml", EMPTY);
    errors list = {0};
    *g = (pair_rig){0};
    status st = world_load(path, NULL, NULL, &g->world, &list);
    st = st == OK ? robot_load(ann, NULL, NULL, &g->robots[0], &list) : st;
    st = st == OK ? robot_load(bob, NULL, NULL, &g->robots[1], &list) : st;
    rig_explain(&list);
    assert_int_equal(st, OK);
    errors_finish(&list);
    free(path);
    testlib_remove(folder);
    g->members[0] = (fleet_member){.name = "ann", .robot = g->robots[0], .at = POSE_IDENTITY};
    g->members[1] =
        (fleet_member){.name = "bob", .robot = g->robots[1], .at = pose_planar(apart, 0, turned)};
    return sim_create_fleet(g->world, g->members, 2, NULL, &g->sim, err);
}

static void pair_close(pair_rig *g) {
    sim_destroy(g->sim);
    robot_destroy(g->robots[0]);
    robot_destroy(g->robots[1]);
    world_destroy(g->world);
}

static void pair_step(pair_rig *g) {
    error err = {0};
    if (model_step(sim_model(g->sim), g->now, RIG_STEP, &err) != OK)
        fail_msg("%s", err.text);
    g->now += RIG_STEP;
}

static void rams_open(pair_rig *g, const char *base, const char *light, const char *heavy,
                      double apart) {
    char *folder = testlib_folder(), text[200];
    const char *urdfs[2] = {light, heavy}, *files[2] = {"a.urdf", "b.urdf"};
    char *paths[2], *written[2];
    for (int i = 0; i < 2; i++) {
        written[i] = testlib_write(folder, files[i], urdfs[i]);
        snprintf(text, sizeof text, "robot: r\nurdf: %s\n%s", files[i], base);
        paths[i] = testlib_write(folder, i == 0 ? "a.yaml" : "b.yaml", text);
    }
    error err = {0};
    if (pair_open(g, paths[0], paths[1], apart, PI, &err) != OK)
        fail_msg("%s", err.text);
    for (int i = 0; i < 2; i++) {
        free(paths[i]);
        free(written[i]);
    }
    testlib_remove(folder);
}

// Of both rams along x; what their motors' rotors add counts as mass.
static double momentum(const pair_rig *g) {
    const double *qd = sim_joint_velocities(g->sim);
    double sum = 0;
    for (int i = 0; i < 2; i++) {
        const robot_model *r = g->robots[i];
        double mass = r->links[r->joints[0].child].mass + r->joints[0].armature;
        sum += (i == 0 ? 1 : -1) * mass * qd[i];
    }
    return sum;
}

static const sim_contact *contact_of(const pair_rig *g, size_t a, size_t b) {
    size_t count;
    const sim_contact *c = sim_contacts(g->sim, &count);
    for (size_t i = 0; i < count; i++)
        if (c[i].a == a && c[i].b == b)
            return &c[i];
    return NULL;
}

static void two_robots_that_meet_keep_their_momentum(void **state) {
    (void)state;
    pair_rig g;
    rams_open(&g, "base: fixed\n", LIGHT, HEAVY, 2);
    size_t rams[2] = {sim_entity_link(g.sim, 1), sim_entity_link(g.sim, 3)};
    assert_string_equal(sim_entity_name(g.sim, rams[0]), "ann_ram");
    assert_string_equal(sim_entity_name(g.sim, rams[1]), "bob_ram");
    sim_set_joint_effort(g.sim, 0, 20);
    sim_set_joint_effort(g.sim, 1, 4);
    while (g.now < NANOS_PER_SECOND / 5)
        pair_step(&g);
    sim_set_joint_effort(g.sim, 0, 0);
    sim_set_joint_effort(g.sim, 1, 0);
    pair_step(&g);
    double before = momentum(&g), off = 0, impulse = 0;
    const double start = sim_joint_velocities(g.sim)[0];
    while (g.now < 3 * NANOS_PER_SECOND) {
        pair_step(&g);
        const sim_contact *c = contact_of(&g, rams[0], rams[1]);
        impulse += c ? 2e-3 * c->force.x : 0; // of ann on bob
        off = fmax(off, fabs(momentum(&g) - before));
    }
    const double *qd = sim_joint_velocities(g.sim);
    double mass = g.robots[0]->links[1].mass + g.robots[0]->joints[0].armature;
    assert_true(before > 1 && impulse > 0.5);
    if (!(off < 1e-6 * before))
        fail_msg("a momentum of %g N s changes by %g", before, off);
    // What the log tells of the contact is what changed the robots' ways.
    if (!(fabs(mass * (start - qd[0]) - impulse) < 1e-6 * impulse))
        fail_msg("ann loses %g N s, and pushes with %g", mass * (start - qd[0]), impulse);
    assert_true(-qd[1] >= qd[0] - 1e-9); // they do not come closer any more
    pair_close(&g);
}

static void who_is_first_changes_nothing_but_the_numbers(void **state) {
    (void)state;
    double ends[2][2];
    for (int turn = 0; turn < 2; turn++) {
        pair_rig g;
        rams_open(&g, "base: fixed\n", turn ? HEAVY : LIGHT, turn ? LIGHT : HEAVY, 2);
        sim_set_joint_effort(g.sim, turn ? 1 : 0, 10);
        sim_set_joint_effort(g.sim, turn ? 0 : 1, 0);
        while (g.now < 3 * NANOS_PER_SECOND / 2)
            pair_step(&g);
        for (int i = 0; i < 2; i++)
            ends[turn][i] = sim_joint_positions(g.sim)[turn ? 1 - i : i];
        assert_true(ends[turn][1] < -1e-3); // it was pushed back
        pair_close(&g);
    }
    for (int i = 0; i < 2; i++)
        if (!(fabs(ends[0][i] - ends[1][i]) < 1e-6))
            fail_msg("%g and %g", ends[0][i], ends[1][i]);
}

static void a_robot_stops_at_another_one(void **state) {
    (void)state;
    pair_rig g;
    rams_open(&g, "", LIGHT, HEAVY, 2);
    size_t rams[2] = {sim_entity_link(g.sim, 1), sim_entity_link(g.sim, 3)};
    double deepest = 0;
    sim_set_base_of(g.sim, 0, 0.3, 0, 0);
    while (g.now < 4 * NANOS_PER_SECOND) {
        pair_step(&g);
        const sim_contact *c = contact_of(&g, rams[0], rams[1]);
        deepest = fmax(deepest, c ? c->depth : 0);
    }
    const sim_contact *c = contact_of(&g, rams[0], rams[1]);
    assert_non_null(c);
    assert_true(c->force.x > 50 && c->normal.x > 0.99);
    if (!(deepest > 0 && deepest < 5e-3))
        fail_msg("it enters the other one by %g m", deepest);
    // Both drives are equally strong: neither gets far.
    double way = sim_base_of(g.sim, 0).p.x, pushed = sim_base_of(g.sim, 1).p.x - 2;
    if (!(way > 0.4 && way < 0.9 && fabs(pushed) < 0.3))
        fail_msg("it drove %g m and pushed the other one by %g m", way, pushed);
    pair_close(&g);
}

static void drive_and_reach(sim *s, size_t robot, size_t joint) {
    sim_set_base_of(s, robot, 0.2, 0.1, 0.3);
    sim_set_joint(s, joint, 0.3, 0, NANOS_PER_SECOND);
}

static void apart_each_moves_as_if_it_were_alone(void **state) {
    (void)state;
    pair_rig g;
    error err = {0};
    if (pair_open(&g, RIG_ROBOT, FORESEE_SOURCE_DIR "/examples/robots/one_arm.yaml", 20, 1, &err) !=
        OK)
        fail_msg("%s", err.text);
    size_t before = g.robots[0]->joint_count;
    drive_and_reach(g.sim, 0, (size_t)g.robots[0]->torso);
    drive_and_reach(g.sim, 1, before);
    while (g.now < NANOS_PER_SECOND)
        pair_step(&g);
    for (int i = 0; i < 2; i++) {
        sim *alone = NULL;
        world_model w = *g.world;
        w.robot_at = g.members[i].at;
        assert_int_equal(sim_create(&w, g.robots[i], NULL, &alone, &err), OK);
        drive_and_reach(alone, 0, i == 0 ? (size_t)g.robots[0]->torso : 0);
        for (nanos t = 0; t < NANOS_PER_SECOND; t += RIG_STEP)
            assert_int_equal(model_step(sim_model(alone), t, RIG_STEP, &err), OK);
        // Sums about another origin are rounded otherwise.
        double most = i == 0 ? 0 : 1e-9;
        const double *own = sim_joint_positions(alone), *of = sim_joint_positions(g.sim);
        for (size_t j = 0; j < g.robots[i]->joint_count; j++)
            if (!(fabs(own[j] - of[(size_t)i * before + j]) <= most))
                fail_msg("`%s` is off by %g", g.robots[i]->joints[j].name,
                         own[j] - of[(size_t)i * before + j]);
        vec3 gap = v3_sub(sim_base(alone).p, sim_base_of(g.sim, (size_t)i).p);
        assert_true(v3_length(gap) <= most);
        sim_destroy(alone);
    }
    pair_close(&g);
}

static void robots_that_overlap_at_the_start_are_an_error(void **state) {
    (void)state;
    pair_rig g;
    error err = {0};
    assert_int_equal(pair_open(&g, RIG_ROBOT, RIG_ROBOT, 0.3, 0, &err), E_INPUT);
    assert_non_null(strstr(err.text, "ann_"));
    assert_non_null(strstr(err.text, "bob_"));
    assert_non_null(strstr(err.text, "overlap"));
    g.sim = NULL;
    pair_close(&g);
}

static void parts_of_several_robots_are_called_after_them(void **state) {
    (void)state;
    pair_rig g;
    error err = {0};
    assert_int_equal(pair_open(&g, RIG_ROBOT, RIG_ROBOT, 5, 0, &err), OK);
    size_t arms = g.robots[0]->arm_count;
    assert_string_equal(sim_entity_name(g.sim, sim_entity_palm(g.sim, 0)), "ann_left_gripper_palm");
    assert_string_equal(sim_entity_name(g.sim, sim_entity_finger(g.sim, arms, 1)),
                        "bob_left_gripper_finger_1");
    pair_close(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_robots_that_meet_keep_their_momentum),
        cmocka_unit_test(who_is_first_changes_nothing_but_the_numbers),
        cmocka_unit_test(a_robot_stops_at_another_one),
        cmocka_unit_test(apart_each_moves_as_if_it_were_alone),
        cmocka_unit_test(robots_that_overlap_at_the_start_are_an_error),
        cmocka_unit_test(parts_of_several_robots_are_called_after_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
