// tests/world/test_sim.c - free bodies, the robot's base and links, and the promise of equal bits.
#include "tests/world/rig.h"
#include <sys/wait.h>

#define RIG_YARD FORESEE_SOURCE_DIR "/tests/scenes/yard.yaml"
static const double G = 9.81;

static void near(double a, double b, double tolerance) {
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.12g is not within %g of %.12g", a, tolerance, b);
}

static void a_body_falls_as_newton_says(void **state) {
    (void)state;
    rig g;
    rig_open(&g, RIG_YARD, NULL);
    size_t body = rig_body(&g, "falling");
    rig_run(&g, 0.4);
    double t = 0.4, exact = 2 - G * t * t / 2;
    vec3 v, w;
    sim_velocity(g.sim, body, &v, &w);
    near(v.z, -G * t, 1e-9);
    near(sim_pose(g.sim, body).p.z, exact - G * t * 0.001, 1e-9); // semi-implicit Euler
    near(sim_pose(g.sim, body).p.x, 3, 1e-12);
    rig_close(&g);
}

static void a_ball_bounces_back_by_its_restitution(void **state) {
    (void)state;
    rig g;
    rig_open(&g, RIG_YARD, NULL);
    size_t ball = rig_body(&g, "ball");
    double fall = sqrt(2 * 1 / G), top = 0;
    rig_run(&g, fall + 0.02);
    for (int i = 0; i < 300; i++) {
        rig_step(&g);
        top = fmax(top, sim_pose(g.sim, ball).p.z);
    }
    near(top, 0.25, 0.02);
    rig_close(&g);
}

static void a_stack_rests_falls_asleep_and_keeps_its_contacts(void **state) {
    (void)state;
    rig g;
    rig_open(&g, RIG_YARD, NULL);
    size_t lower = rig_body(&g, "lower"), middle = rig_body(&g, "middle");
    size_t upper = rig_body(&g, "upper"), floor = rig_body(&g, "floor");
    rig_run(&g, 2);
    near(sim_pose(g.sim, upper).p.z, 0.2, 1e-3);
    assert_int_equal(sim_message_count(g.sim), 0); // the solver never gave up
    near(sim_pose(g.sim, upper).p.x, 3, 1e-4);
    assert_true(sim_asleep(g.sim, lower) && sim_asleep(g.sim, middle) && sim_asleep(g.sim, upper));
    rig_run(&g, 1);
    const sim_contact *c = rig_contact(&g, floor, lower);
    assert_non_null(c);
    assert_true(c->sleeping);
    assert_true(c->a == floor && c->b == lower);
    near(c->force.z, 3 * G, 0.02 * 3 * G); // of the floor on the stack
    assert_true(c->normal.z > 0.999);
    c = rig_contact(&g, middle, upper);
    assert_non_null(c);
    near(c->force.z, G, 0.02 * G);
    vec3 v, w;
    sim_velocity(g.sim, upper, &v, &w);
    assert_true(v3_length(v) == 0 && v3_length(w) == 0);
    size_t count;
    const sim_contact *all = sim_contacts(g.sim, &count);
    for (size_t i = 0; i < count; i++) {
        assert_true(all[i].a < all[i].b);
        if (i > 0)
            assert_true(all[i - 1].a < all[i].a ||
                        (all[i - 1].a == all[i].a && all[i - 1].b < all[i].b));
    }
    rig_close(&g);
}

// The slider on a floor that is tilted in some direction of the plane: its acceleration.
static double slide(double friction, double along, double direction) {
    char x[32], y[32], mu[32];
    snprintf(x, sizeof x, "%.9g", along * cos(direction));
    snprintf(y, sizeof y, "%.9g", along * sin(direction));
    snprintf(mu, sizeof mu, "%.9g", friction);
    rig g;
    rig_open(&g, RIG_YARD,
             (const char *const[]){"gravity_x", x, "gravity_y", y, "friction", mu, NULL});
    size_t body = rig_body(&g, "slider");
    rig_run(&g, 0.2);
    vec3 a, b, w;
    sim_velocity(g.sim, body, &a, &w);
    rig_run(&g, 0.2);
    sim_velocity(g.sim, body, &b, &w);
    rig_close(&g);
    return v3_length(v3_sub(b, a)) / 0.2;
}

static void friction_is_that_of_coulomb_in_every_direction(void **state) {
    (void)state;
    for (int k = 0; k < 6; k++) {
        double direction = k * PI / 7;
        near(slide(0.3, 4, direction), 4 - 0.3 * G, 0.03);
        near(slide(0.3, 0.97 * 0.3 * G, direction), 0, 1e-3);
    }
}

static void bodies_that_overlap_at_the_start_are_refused_by_name(void **state) {
    (void)state;
    rig g;
    rig_load(&g, RIG_YARD, NULL);
    // A copy of the world in which the crate stands in the floor.
    world_model world = *g.world;
    world_body *bodies = calloc(world.body_count, sizeof *bodies);
    assert_non_null(bodies);
    memcpy(bodies, world.bodies, world.body_count * sizeof *bodies);
    bodies[rig_body(&g, "crate")].at.p.z = -0.05;
    world.bodies = bodies;
    error err = {0};
    sim *s = NULL;
    assert_int_equal(sim_create(&world, g.robot, NULL, &s, &err), E_INPUT);
    assert_null(s);
    assert_non_null(strstr(err.text, "floor"));
    assert_non_null(strstr(err.text, "crate"));
    free(bodies);
    rig_close(&g);
}

static void what_diverges_is_named(void **state) {
    (void)state;
    rig g;
    rig_load(&g, RIG_YARD, NULL);
    world_model world = *g.world;
    world_body *bodies = calloc(world.body_count, sizeof *bodies);
    assert_non_null(bodies);
    memcpy(bodies, world.bodies, world.body_count * sizeof *bodies);
    bodies[rig_body(&g, "falling")].at.p.z = 800; // deep enough to become too fast
    world.bodies = bodies;
    error err = {0};
    assert_int_equal(sim_create(&world, g.robot, NULL, &g.sim, &err), OK);
    status st = OK;
    for (int i = 0; i < 10000 && st == OK; i++, g.now += RIG_STEP)
        st = model_step(sim_model(g.sim), g.now, RIG_STEP, &err);
    assert_int_equal(st, E_DIVERGED);
    assert_non_null(strstr(err.text, "falling"));
    free(bodies);
    rig_close(&g);
}

// ---- The robot ------------------------------------------------------------------------

static void parked_arms_stay_where_they_are(void **state) {
    (void)state;
    rig g;
    rig_open(&g, RIG_KITCHEN, NULL);
    rig_run(&g, 5);
    for (size_t j = 0; j < g.robot->joint_count; j++)
        near(sim_joint_positions(g.sim)[j], g.robot->home[j], 1e-5);
    pose base = sim_base(g.sim);
    near(base.p.x, g.world->robot_at.p.x, 1e-5);
    near(base.p.y, g.world->robot_at.p.y, 1e-5);
    // The palm is where the arm's kinematics say, and so are the links.
    pose links[64];
    robot_forward(g.robot, base, sim_joint_positions(g.sim), links);
    for (size_t arm = 0; arm < g.robot->arm_count; arm++) {
        pose palm = robot_palm(g.robot, arm, links);
        pose real = sim_pose(g.sim, sim_entity_palm(g.sim, arm));
        assert_true(v3_distance(palm.p, real.p) < 2e-4);
        assert_true(quat_angle(palm.q, real.q) < 2e-3);
    }
    for (size_t l = 0; l < g.robot->link_count; l++) {
        pose real = sim_pose(g.sim, sim_entity_link(g.sim, l));
        assert_true(v3_distance(links[l].p, real.p) < 1e-9);
        assert_true(quat_angle(links[l].q, real.q) < 1e-6);
    }
    rig_close(&g);
}

static void joints_follow_a_smooth_motion_closely(void **state) {
    (void)state;
    rig g;
    rig_open(&g, RIG_KITCHEN, NULL);
    size_t joints[3] = {g.robot->arms[0].joints[0], g.robot->arms[0].joints[3],
                        g.robot->arms[0].joints[5]};
    double worst = 0, start[3];
    for (int k = 0; k < 3; k++)
        start[k] = sim_joint_positions(g.sim)[joints[k]];
    nanos cycle = 20000000;
    static const double ways[3] = {0.6, 0.6, -0.6};
    double T = 1.5; // half a cosine: 1.3 rad/s2 at most
    for (double t = 0; t < T; t += 0.02) {
        double end = fmin(t + 0.02, T);
        for (int k = 0; k < 3; k++)
            sim_set_joint(g.sim, joints[k], start[k] + ways[k] / 2 * (1 - cos(PI * end / T)),
                          ways[k] / 2 * PI / T * sin(PI * end / T), cycle);
        rig_run(&g, 0.02);
        for (int k = 0; k < 3; k++)
            worst = fmax(worst, fabs(sim_joint_positions(g.sim)[joints[k]] -
                                     (start[k] + ways[k] / 2 * (1 - cos(PI * end / T)))));
    }
    rig_run(&g, 0.5);
    for (int k = 0; k < 3; k++)
        near(sim_joint_positions(g.sim)[joints[k]], start[k] + ways[k], 1e-4);
    assert_true(worst < 4e-3);
    rig_close(&g);
}

static void the_base_keeps_its_accelerations_and_reaches_its_speed(void **state) {
    (void)state;
    rig g;
    rig_open(&g, RIG_KITCHEN, NULL);
    sim_set_base(g.sim, 5, 0, 0); // more than it can
    vec3 before, v, w;
    size_t base = sim_entity_link(g.sim, 0);
    sim_velocity(g.sim, base, &before, &w);
    for (int i = 0; i < 1000; i++) {
        rig_step(&g);
        sim_velocity(g.sim, base, &v, &w);
        assert_true(v3_distance(v, before) / 0.002 < 1.1 * g.robot->base_max_acceleration);
        before = v;
    }
    near(v3_length(v), g.robot->base_max_speed, 1e-3);
    sim_set_base(g.sim, 0, 0, 0.5);
    rig_run(&g, 3);
    sim_velocity(g.sim, base, &v, &w);
    near(v3_length(v), 0, 1e-3);
    near(w.z, 0.5, 1e-3);
    rig_close(&g);
}

// The deepest penetration of the robot into anything in the last step.
static double robot_depth(const rig *g) {
    size_t count;
    const sim_contact *c = sim_contacts(g->sim, &count);
    double depth = 0;
    for (size_t i = 0; i < count; i++)
        if (c[i].b >= sim_entity_link(g->sim, 0))
            depth = fmax(depth, c[i].depth);
    return depth;
}

static void a_wall_stalls_the_base_and_is_not_entered(void **state) {
    (void)state;
    for (int way = -1; way <= 1; way += 2) { // backwards the base touches first, forwards the hands
        rig g;
        rig_load(&g, RIG_YARD, NULL);
        world_model world = *g.world;
        world_body *bodies = calloc(world.body_count, sizeof *bodies);
        assert_non_null(bodies);
        memcpy(bodies, world.bodies, world.body_count * sizeof *bodies);
        bodies[rig_body(&g, "crate")].at.p.y = 3; // out of the way
        world.bodies = bodies;
        error err = {0};
        assert_int_equal(sim_create(&world, g.robot, NULL, &g.sim, &err), OK);
        size_t wall = rig_body(&g, way < 0 ? "back_wall" : "front_wall");
        double depth = 0, push = 0;
        sim_set_base(g.sim, 0.6 * way, 0, 0);
        for (int i = 0; i < 4000; i++) {
            rig_step(&g);
            depth = fmax(depth, robot_depth(&g));
        }
        size_t count;
        const sim_contact *c = sim_contacts(g.sim, &count);
        for (size_t i = 0; i < count; i++)
            if (c[i].a == wall)
                push += fabs(c[i].force.x);
        near(push, g.robot->base_max_force, 0.05 * g.robot->base_max_force);
        assert_true(depth < 5e-3);
        vec3 v, w;
        sim_velocity(g.sim, sim_entity_link(g.sim, 0), &v, &w);
        assert_true(v3_length(v) < 5e-3);
        double stalled = sim_base(g.sim).p.x;
        sim_set_base(g.sim, -0.3 * way, 0, 0);
        rig_run(&g, 2);
        assert_true((stalled - sim_base(g.sim).p.x) * way > 0.3);
        free(bodies);
        rig_close(&g);
    }
}

static void the_base_pushes_a_crate_and_is_stopped_by_one_that_cannot_move(void **state) {
    (void)state;
    rig g;
    rig_open(&g, RIG_YARD, NULL);
    size_t crate = rig_body(&g, "crate"), base = sim_entity_link(g.sim, 0);
    rig_lift(&g, 0.45, 0.5, 0.3); // the hands pass over the crate
    sim_set_base(g.sim, 0.3, 0, 0);
    double depth = 0, fastest = 0;
    for (int i = 0; i < 5000; i++) {
        rig_step(&g);
        vec3 v, w;
        sim_velocity(g.sim, crate, &v, &w);
        fastest = fmax(fastest, v.x);
        const sim_contact *c = rig_contact(&g, crate, base);
        depth = fmax(depth, c ? c->depth : 0);
    }
    assert_true(fastest > 0.25);
    assert_true(depth < 5e-3);
    // Pinned against the front wall.
    near(sim_pose(g.sim, crate).p.x, 1.8 - 0.1 - 0.15, 3e-3);
    const sim_contact *c = rig_contact(&g, crate, base);
    assert_non_null(c);
    near(fabs(c->force.x), g.robot->base_max_force, 0.1 * g.robot->base_max_force);
    rig_close(&g);
}

static void an_elbow_comes_to_rest_on_a_ledge(void **state) {
    (void)state;
    rig g;
    rig_open(&g, RIG_YARD, NULL);
    size_t ledge = rig_body(&g, "ledge");
    double depth = 0;
    rig_lift(&g, 0.27, 0.3, 0.15);
    for (int i = 0; i < 1500; i++) {
        rig_step(&g);
        depth = fmax(depth, robot_depth(&g));
    }
    const sim_contact *resting = NULL;
    for (size_t l = 0; l < g.robot->link_count && !resting; l++)
        resting = rig_contact(&g, ledge, sim_entity_link(g.sim, l));
    assert_non_null(resting);
    assert_true(resting->force.z > 20);
    assert_true(depth < 10e-3);
    for (size_t j = 0; j < g.robot->joint_count; j++)
        assert_true(fabs(sim_joint_velocities(g.sim)[j]) < 1e-3);
    rig_close(&g);
}

static double chance(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (double)(1u << 24);
}

static void wild_arms_in_a_kitchen_stay_within_their_strength(void **state) {
    (void)state;
    rig g;
    rig_open(&g, RIG_KITCHEN, NULL);
    unsigned seed = 7;
    for (int i = 0; i < 5000; i++) {
        if (i % 250 == 0) {
            double forward = chance(&seed), sideways = chance(&seed) - 0.5;
            sim_set_base(g.sim, forward, sideways, 2 * chance(&seed) - 1);
            for (size_t j = 0; j < g.robot->joint_count; j++) {
                double low = fmax(g.robot->joints[j].lower, -3);
                double high = fmin(g.robot->joints[j].upper, 3);
                sim_set_joint(g.sim, j, low + (high - low) * chance(&seed), 0, 250 * RIG_STEP);
            }
            for (size_t arm = 0; arm < 2; arm++)
                sim_set_gripper(g.sim, arm, 0.1 * chance(&seed), 40, chance(&seed) < 0.5);
        }
        rig_step(&g); // fails when something diverges
        for (size_t j = 0; j < g.robot->joint_count; j++)
            assert_true(fabs(sim_joint_efforts(g.sim)[j]) < 1.05 * g.robot->joints[j].max_effort);
    }
    assert_int_equal(sim_message_count(g.sim), 0);
    rig_close(&g);
}

// ---- Equal bits -----------------------------------------------------------------------

typedef ARRAY(double) trace;

static void trace_state(const rig *g, trace *out) {
    for (size_t e = 0; e < sim_entity_count(g->sim); e++) {
        pose p = sim_pose(g->sim, e);
        vec3 v, w;
        sim_velocity(g->sim, e, &v, &w);
        const double all[13] = {p.p.x, p.p.y, p.p.z, p.q.w, p.q.x, p.q.y, p.q.z,
                                v.x,   v.y,   v.z,   w.x,   w.y,   w.z};
        for (int k = 0; k < 13; k++)
            array_push(out, all[k]);
    }
    size_t count;
    const sim_contact *c = sim_contacts(g->sim, &count);
    for (size_t i = 0; i < count; i++) {
        array_push(out, (double)c[i].a);
        array_push(out, (double)c[i].b);
        array_push(out, c[i].force.x);
        array_push(out, c[i].force.z);
    }
}

// A wild ride: grasping, lifting, swinging arms, driving into things.
static void ride(trace *out) {
    rig g;
    rig_open(&g, RIG_GRIP, NULL);
    rig_lift(&g, 0.05, 1, 0.5);
    sim_set_gripper(g.sim, 0, 0, 20, true);
    sim_set_gripper(g.sim, 1, 0, 5, true);
    rig_run(&g, 0.5);
    rig_lift(&g, 0.3, 3, 0.5);
    sim_set_base(g.sim, 0.4, 0.3, 0.8);
    for (int i = 0; i < 50; i++) {
        for (size_t arm = 0; arm < 2; arm++)
            for (size_t k = 0; k < 7; k++) {
                size_t j = g.robot->arms[arm].joints[k];
                double aim = g.robot->home[j] + 0.8 * sin(0.1 * i + (double)k) * (arm ? 1 : -1);
                sim_set_joint(g.sim, j, aim, 0, 20000000);
            }
        rig_run(&g, 0.02);
        trace_state(&g, out);
    }
    rig_close(&g);
}

static void equal_commands_give_equal_bits_again_and_in_another_process(void **state) {
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(ends[0]);
        trace t = {0};
        ride(&t);
        FILE *out = fdopen(ends[1], "wb");
        bool ok = out && fwrite(t.items, sizeof *t.items, t.count, out) == t.count && !fclose(out);
        _exit(ok ? 0 : 1);
    }
    close(ends[1]);
    trace first = {0}, second = {0}, other = {0};
    FILE *in = fdopen(ends[0], "rb");
    assert_non_null(in);
    for (double x; fread(&x, sizeof x, 1, in) == 1;)
        array_push(&other, x);
    fclose(in);
    int code;
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_int_equal(code, 0);
    ride(&first);
    ride(&second);
    assert_true(first.count > 10000);
    assert_int_equal(first.count, second.count);
    assert_memory_equal(first.items, second.items, first.count * sizeof *first.items);
    assert_int_equal(first.count, other.count);
    assert_memory_equal(first.items, other.items, first.count * sizeof *first.items);
    array_finish(&first);
    array_finish(&second);
    array_finish(&other);
}

// A ball that flies and turns from the start, and a puck that slides on the floor until friction
// stops it.
static const char MOVING[] =
    "world: moving\nbodies:\n"
    "  ground: { shapes: [ { plane: true } ], fixed: true, friction: 0.5 }\n"
    "  ball: { shapes: [ { sphere: 0.05 } ], mass: 1, at: [3, 0, 2], velocity: [1, -0.5, 2], spin: "
    "[0, 0, 90] }\n"
    "  puck: { shapes: [ { box: [0.1, 0.1, 0.02] } ], mass: 1, friction: 0.5, at: [3, 3, 0.01], "
    "velocity: [1, 0, 0] }\n";

static void bodies_may_move_from_the_start(void **state) {
    (void)state;
    char *folder = testlib_folder(), *path = testlib_write(folder, "w.yaml", MOVING);
    rig g;
    rig_open(&g, path, NULL);
    size_t ball = (size_t)world_find_body(g.world, "ball"),
           puck = (size_t)world_find_body(g.world, "puck");
    rig_run(&g, 0.4);
    pose at = sim_pose(g.sim, sim_entity_body(ball));
    near(at.p.x, 3.4, 1e-3);
    near(at.p.y, -0.2, 1e-3);
    near(at.p.z, 2 + 2 * 0.4 - 0.5 * 9.81 * 0.16, 0.01);
    near(quat_yaw(at.q), 0.4 * PI / 2, 1e-3);
    rig_run(&g, 0.6);
    // v2 / (2 mu g), of the friction of both surfaces together.
    double way = sim_pose(g.sim, sim_entity_body(puck)).p.x - 3;
    assert_true(way > 0.05 && way < 0.3);
    rig_close(&g);
    free(path);
    testlib_remove(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_falls_as_newton_says),
        cmocka_unit_test(a_ball_bounces_back_by_its_restitution),
        cmocka_unit_test(a_stack_rests_falls_asleep_and_keeps_its_contacts),
        cmocka_unit_test(friction_is_that_of_coulomb_in_every_direction),
        cmocka_unit_test(bodies_that_overlap_at_the_start_are_refused_by_name),
        cmocka_unit_test(what_diverges_is_named),
        cmocka_unit_test(parked_arms_stay_where_they_are),
        cmocka_unit_test(joints_follow_a_smooth_motion_closely),
        cmocka_unit_test(the_base_keeps_its_accelerations_and_reaches_its_speed),
        cmocka_unit_test(a_wall_stalls_the_base_and_is_not_entered),
        cmocka_unit_test(the_base_pushes_a_crate_and_is_stopped_by_one_that_cannot_move),
        cmocka_unit_test(an_elbow_comes_to_rest_on_a_ledge),
        cmocka_unit_test(wild_arms_in_a_kitchen_stay_within_their_strength),
        cmocka_unit_test(equal_commands_give_equal_bits_again_and_in_another_process),
        cmocka_unit_test(bodies_may_move_from_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
