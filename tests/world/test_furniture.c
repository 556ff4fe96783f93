// tests/world/test_furniture.c - doors and drawers: joints between bodies of the world, against
// what can be computed.
#include "tests/world/made.h"

typedef struct room {
    made m;
    world_joint joints[4];
    size_t door, base;
} room;

static world_joint *joint(room *r, size_t number) {
    r->m.world.joints = r->joints;
    if (r->m.world.joint_count <= number)
        r->m.world.joint_count = number + 1;
    return &r->joints[number];
}

// A door of 8 kg, 0.6 m wide, on a hinge at the origin that stands upright, lying along x.
static void open_door(room *r) {
    memset(r, 0, sizeof *r);
    made_open(&r->m);
    r->base = made_add(&r->m, "frame", SHAPE_BOX, v3(0.1, 0.1, 2), v3(0, 0, 1), 0);
    r->door = made_add(&r->m, "door", SHAPE_BOX, v3(0.6, 0.04, 1), v3(0.3, 0, 1), 8);
    *joint(r, 0) = (world_joint){.name = "hinge",
                                 .kind = WORLD_HINGE,
                                 .base = (int64_t)r->base,
                                 .body = r->door,
                                 .origin = {{0, 0, 1}, {1, 0, 0, 0}},
                                 .axis = {0, 0, 1},
                                 .lower = 0,
                                 .upper = 2};
}

static double inertia(const room *r) { // about the hinge
    return r->m.types[r->door].inertia.m[2][2] + 8 * 0.3 * 0.3;
}

// Turns the door at `rate` about its hinge.
static void swing(room *r, double rate) {
    made_throw(&r->m, r->door, v3(0, 0.3 * rate, 0), v3(0, 0, rate));
}

static void a_flap_swings_as_a_pendulum_does(void **state) {
    (void)state;
    room r;
    open_door(&r);
    r.joints[0].axis = v3(0, 1, 0); // hangs from a horizontal hinge, thrown off its lowest place
    r.m.bodies[r.door].at = (pose){{0, 0, 0.7}, quat_axis_angle(v3(0, 1, 0), PI / 2)};
    r.joints[0].lower = -1, r.joints[0].upper = 1;
    r.joints[0].start = 0.1;
    made_start(&r.m);
    made_near(sim_world_joint(r.m.sim, 0), 0.1, 1e-9, "start");
    double i = r.m.types[r.door].inertia.m[1][1] + 8 * 0.3 * 0.3;
    double period = 2 * PI * sqrt(i / (8 * MADE_G * 0.3)) * (1 + 0.1 * 0.1 / 16);
    double last = 0.1, first = 0, count = 0, now = 0;
    for (int k = 0; k < 5000; k++) {
        made_step(&r.m);
        double x = sim_world_joint(r.m.sim, 0), t = seconds(r.m.now);
        if (last > 0 && x <= 0) { // crosses downwards, between two steps
            now = t - 0.002 * x / (x - last);
            first = count == 0 ? now : first;
            count++;
        }
        last = x;
    }
    assert_true(count > 5);
    made_near((now - first) / (count - 1), period, 0.003 * period, "period");
    made_close(&r.m);
}

static void a_damped_door_slows_down_exponentially(void **state) {
    (void)state;
    room r;
    open_door(&r);
    r.joints[0].damping = 0.8;
    made_start(&r.m);
    swing(&r, 0.5);
    made_run(&r.m, 1);
    vec3 v, w;
    sim_velocity(r.m.sim, r.door, &v, &w);
    double exact = 0.5 * exp(-0.8 / inertia(&r));
    made_near(w.z, exact, 0.01 * exact, "rate");
    made_near(sim_world_joint(r.m.sim, 0), (0.5 - exact) * inertia(&r) / 0.8, 0.005, "angle");
    made_close(&r.m);
}

static void damping_of_any_size_is_stable(void **state) {
    (void)state;
    room r;
    open_door(&r);
    r.joints[0].damping = 1e6;
    made_start(&r.m);
    swing(&r, 1);
    made_run(&r.m, 0.5);
    assert_true(sim_world_joint(r.m.sim, 0) < 0.01);
    made_close(&r.m);
}

static void friction_brings_it_to_a_stop_where_it_should(void **state) {
    (void)state;
    room r;
    open_door(&r);
    r.joints[0].friction = 1.5;
    made_start(&r.m);
    swing(&r, 1);
    made_run(&r.m, 3);
    double exact = inertia(&r) / (2 * 1.5);
    made_near(sim_world_joint(r.m.sim, 0), exact, 0.01 * exact, "angle");
    assert_true(sim_asleep(r.m.sim, r.door)); // and sleeps there
    made_close(&r.m);
}

static void a_door_stops_at_its_limit(void **state) {
    (void)state;
    room r;
    open_door(&r);
    r.joints[0].upper = 0.8;
    made_start(&r.m);
    swing(&r, 3);
    double most = 0, back = 0, before = sim_world_joint(r.m.sim, 0);
    for (int k = 0; k < 1000; k++) {
        made_step(&r.m);
        double now = sim_world_joint(r.m.sim, 0);
        most = fmax(most, now);
        back = fmax(back, (before - now) / (1e-9 * (double)MADE_STEP));
        before = now;
    }
    made_near(most, 0.8, 0.01, "limit");
    assert_true(back <= 0.02 * 3 + 1e-6); // it does not rebound
    made_close(&r.m);
}

// Pulls at the door's free edge for a second; how far it opens.
static double pull(double latch, double force) {
    room r;
    open_door(&r);
    r.joints[0].latch = latch;
    r.joints[0].friction = 0.1;
    made_start(&r.m);
    made_run(&r.m, 0.2);
    for (int k = 0; k < 250; k++) {
        body_wake(r.m.sim, r.door);
        pose at = sim_pose(r.m.sim, r.door);
        vec3 f = quat_rotate(at.q, v3(0, force, 0)), p = pose_apply(at, v3(0.3, 0, 0));
        dBodyAddForceAtPos(r.m.sim->colliders[r.door].body, f.x, f.y, f.z, p.x, p.y, p.z);
        made_step(&r.m);
    }
    double angle = sim_world_joint(r.m.sim, 0);
    made_close(&r.m);
    return angle;
}

static void a_latch_holds_until_it_is_overcome(void **state) {
    (void)state;
    assert_true(pull(6, 9) < 3e-3); // 5.4 N m
    // It is drawn out against latch and friction over 2 mrad, then only friction is left.
    double i = 8 * (0.36 + 0.04 * 0.04 / 4) / 3, slow = (12 * 0.6 - 6.1) / i, fast = 7.1 / i;
    double out = sqrt(2 * 2e-3 / slow), rest = 0.5 - out;
    double exact = 2e-3 + slow * out * rest + fast * rest * rest / 2;
    made_near(pull(6, 12), exact, 0.02 * exact, "opened");
}

// A drawer of 2 kg with a floor and four walls, open above, that slides along -y.
static void open_drawer(room *r, shape *parts) {
    memset(r, 0, sizeof *r);
    made_open(&r->m);
    vec3 at[5] = {{0, 0, -0.045}, {0, 0.19, 0}, {0, -0.19, 0}, {0.19, 0, 0}, {-0.19, 0, 0}};
    vec3 size[5] = {
        {0.4, 0.4, 0.01}, {0.4, 0.02, 0.1}, {0.4, 0.02, 0.1}, {0.02, 0.4, 0.1}, {0.02, 0.4, 0.1}};
    for (int k = 0; k < 5; k++)
        parts[k] = (shape){.kind = SHAPE_BOX, .at = {at[k], {1, 0, 0, 0}}, .size = size[k]};
    r->base = made_add(&r->m, "chest", SHAPE_BOX, v3(0.5, 0.5, 0.3), v3(0, 0, 0.3), 0);
    r->door = made_add(&r->m, "drawer", SHAPE_BOX, v3(0.4, 0.4, 0.1), v3(0, 0, 0.3), 2);
    r->m.types[r->door].shapes = parts;
    r->m.types[r->door].shape_count = 5;
    *joint(r, 0) = (world_joint){.name = "slide",
                                 .kind = WORLD_SLIDER,
                                 .base = (int64_t)r->base,
                                 .body = r->door,
                                 .origin = {{0, 0, 0.3}, {1, 0, 0, 0}},
                                 .axis = {0, -1, 0},
                                 .lower = 0,
                                 .upper = 0.35,
                                 .friction = 2};
}

static void a_drawer_takes_along_what_lies_in_it(void **state) {
    (void)state;
    room r;
    shape parts[5];
    open_drawer(&r, parts);
    // The chest is a shell around the drawer: a plate over and one under it.
    shape shell[2] = {
        {.kind = SHAPE_BOX, .at = {{0, 0, 0.2}, {1, 0, 0, 0}}, .size = {0.5, 0.5, 0.02}},
        {.kind = SHAPE_BOX, .at = {{0, 0, -0.1}, {1, 0, 0, 0}}, .size = {0.5, 0.5, 0.02}}};
    r.m.types[r.base].shapes = shell;
    r.m.types[r.base].shape_count = 2;
    size_t thing =
        made_add(&r.m, "thing", SHAPE_BOX, v3(0.05, 0.05, 0.05), v3(0.05, 0.05, 0.285), 0.3);
    made_start(&r.m);
    made_run(&r.m, 0.5);
    vec3 before = made_at(&r.m, thing);
    for (int k = 0; k < 400; k++) {
        body_wake(r.m.sim, r.door);
        // 2.3 kg, 2 N of friction: 0.65 m/s2, by which friction holds the thing
        dBodyAddForce(r.m.sim->colliders[r.door].body, 0, -3.5, 0);
        made_step(&r.m);
    }
    double out = sim_world_joint(r.m.sim, 0), exact = 0.5 * (1.5 / 2.3) * 0.8 * 0.8;
    made_near(out, exact, 0.01 * exact, "drawn out");
    made_near(made_at(&r.m, thing).y, before.y - out, 1e-3, "thing");
    made_run(&r.m, 3);
    assert_true(sim_asleep(r.m.sim, r.door) && sim_asleep(r.m.sim, thing));
    vec3 p = made_at(&r.m, thing);
    assert_true(p.z > 0.27 && p.z < 0.29);
    made_close(&r.m);
}

static void an_open_door_bears_a_load(void **state) {
    (void)state;
    room r;
    open_door(&r);
    // An oven's door: a flap that lies level at its stop.
    r.m.bodies[r.door].at = (pose){{0.3, 0, 1}, quat_axis_angle(v3(1, 0, 0), PI / 2)};
    r.joints[0].axis = v3(0, 1, 0);
    r.joints[0].lower = -1.5, r.joints[0].upper = 0;
    size_t load = made_add(&r.m, "load", SHAPE_BOX, v3(0.2, 0.2, 0.2), v3(0.45, 0, 1.12), 10);
    made_start(&r.m);
    made_run(&r.m, 2);
    made_near(sim_world_joint(r.m.sim, 0), 0, 0.005, "sag");
    const sim_contact *c = made_contact(&r.m, r.door, load);
    assert_non_null(c);
    made_near(fabs(c->force.z), 10 * MADE_G, 0.5, "load");
    assert_null(made_contact(&r.m, r.door, r.base)); // it does not collide with what it hangs on
    made_close(&r.m);
}

static void what_hits_a_sleeping_door_wakes_and_moves_it(void **state) {
    (void)state;
    room r;
    open_door(&r);
    r.joints[0].friction = 0.3;
    r.m.gravity = v3(0, 0, 0);
    size_t ball = made_add(&r.m, "ball", SHAPE_SPHERE, v3(0.05, 0, 0), v3(0.5, -0.6, 1), 1);
    made_start(&r.m);
    made_run(&r.m, 0.5);
    assert_true(sim_asleep(r.m.sim, r.door));
    made_throw(&r.m, ball, v3(0, 2, 0), v3(0, 0, 0));
    made_run(&r.m, 1);
    assert_true(sim_world_joint(r.m.sim, 0) > 0.1);
    made_close(&r.m);
}

static void a_cabinet_that_can_move_wakes_and_sleeps_with_its_door(void **state) {
    (void)state;
    room r;
    open_door(&r);
    made_floor(&r.m);
    size_t cabinet = made_add(&r.m, "cabinet", SHAPE_BOX, v3(0.7, 0.4, 2), v3(0.3, 0.3, 1), 60);
    r.joints[0].base = (int64_t)cabinet;
    r.joints[0].axis = v3(0, 0, -1);
    r.joints[0].friction = 0.5;
    r.m.bodies[r.door].at.p = v3(0.36, 0.07, 1);
    r.joints[0].origin.p = v3(0.06, 0.07, 1);
    made_start(&r.m);
    made_run(&r.m, 1);
    assert_true(sim_asleep(r.m.sim, r.door) && sim_asleep(r.m.sim, cabinet));
    swing(&r, -1);
    made_step(&r.m);
    assert_true(!sim_asleep(r.m.sim, r.door) && !sim_asleep(r.m.sim, cabinet));
    made_run(&r.m, 4);
    assert_true(sim_asleep(r.m.sim, r.door) && sim_asleep(r.m.sim, cabinet));
    assert_true(sim_world_joint(r.m.sim, 0) > 0.3);
    made_near(made_at(&r.m, cabinet).z, 1, 2e-3, "cabinet");
    made_close(&r.m);
}

// A sash that slides upwards, with a handle between the pads of a gantry that lifts it.
static void a_hand_lifts_a_sash_by_its_handle_without_chatter(void **state) {
    (void)state;
    room r;
    memset(&r, 0, sizeof r);
    made_open(&r.m);
    r.m.friction = 0.8;
    r.base = made_add(&r.m, "frame", SHAPE_BOX, v3(0.6, 0.02, 2), v3(0.5, 0, 1), 0);
    shape parts[2] = {
        {.kind = SHAPE_BOX, .at = {{0, 0, 0}, {1, 0, 0, 0}}, .size = {0.4, 0.02, 0.4}},
        {.kind = SHAPE_BOX, .at = {{-0.3, 0, 0}, {1, 0, 0, 0}}, .size = {0.3, 0.02, 0.04}}};
    r.door = made_add(&r.m, "sash", SHAPE_BOX, v3(0.4, 0.02, 0.4), v3(0.5, 0, 0.6), 1);
    r.m.types[r.door].shapes = parts;
    r.m.types[r.door].shape_count = 2;
    *joint(&r, 0) = (world_joint){.name = "slide",
                                  .kind = WORLD_SLIDER,
                                  .base = (int64_t)r.base,
                                  .body = r.door,
                                  .origin = {{0.5, 0, 0.6}, {1, 0, 0, 0}},
                                  .axis = {0, 0, 1},
                                  .upper = 0.5,
                                  .friction = 14};
    made_gantry(&r.m, v3(0.1, 0, 0.6), 0);
    made_start(&r.m);
    sim_set_gripper(r.m.sim, 0, 0, 60, true);
    made_run(&r.m, 1.5);
    assert_true(sim_gripper_force(r.m.sim, 0, 1) > 50);
    made_near(sim_world_joint(r.m.sim, 0), 0, 2e-3, "held by its friction");
    made_lift(&r.m, 0.5, 0.5);
    made_lift(&r.m, -0.5, 0.5);
    made_near(sim_world_joint(r.m.sim, 0), 0.125, 3e-3, "lifted");
    double least = INFINITY, most = -INFINITY, fastest = 0;
    for (int k = 0; k < 500; k++) {
        made_step(&r.m);
        double f = sim_gripper_force(r.m.sim, 0, 1);
        least = fmin(least, f), most = fmax(most, f);
        fastest = fmax(fastest, k < 100 ? 0 : v3_length(made_velocity(&r.m, r.door)));
    }
    assert_true(most - least < 3); // N
    assert_true(fastest < 1e-3);
    made_close(&r.m);
}

static void a_robot_that_starts_within_furniture_is_refused_by_name(void **state) {
    (void)state;
    room r;
    open_door(&r);
    shape trunk = {.kind = SHAPE_CYLINDER, .at = {{0, 0, 0.5}, {1, 0, 0, 0}}, .size = {0.25, 0, 1}};
    r.m.links[0].shapes = &trunk;
    r.m.links[0].shape_count = 1;
    r.m.world.robot_at.p = v3(0.2, 0.1, 0);
    r.m.world.gravity = r.m.gravity;
    r.m.world.bodies = r.m.bodies;
    r.m.world.body_count = r.m.count;
    error err = {0};
    assert_int_equal(sim_create(&r.m.world, &r.m.robot, NULL, &r.m.sim, &err), E_INPUT);
    assert_non_null(strstr(err.text, "frame"));
    assert_non_null(strstr(err.text, "base"));
}

static void joints_that_cannot_be_are_refused_by_name(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        room r;
        open_door(&r);
        const char *say = NULL;
        if (k == 0)
            r.joints[0].start = 3, say = "hinge";
        if (k == 1)
            r.m.bodies[r.door].fixed = true, say = "door";
        if (k == 2) {
            *joint(&r, 1) = r.joints[0];
            r.joints[1].name = "second", say = "second";
        }
        if (k == 3)
            r.joints[0].base = (int64_t)r.door, say = "itself";
        r.m.world.gravity = r.m.gravity;
        r.m.world.bodies = r.m.bodies;
        r.m.world.body_count = r.m.count;
        error err = {0};
        assert_int_equal(sim_create(&r.m.world, &r.m.robot, NULL, &r.m.sim, &err), E_INPUT);
        assert_non_null(strstr(err.text, say));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flap_swings_as_a_pendulum_does),
        cmocka_unit_test(a_damped_door_slows_down_exponentially),
        cmocka_unit_test(damping_of_any_size_is_stable),
        cmocka_unit_test(friction_brings_it_to_a_stop_where_it_should),
        cmocka_unit_test(a_door_stops_at_its_limit),
        cmocka_unit_test(a_latch_holds_until_it_is_overcome),
        cmocka_unit_test(a_drawer_takes_along_what_lies_in_it),
        cmocka_unit_test(an_open_door_bears_a_load),
        cmocka_unit_test(what_hits_a_sleeping_door_wakes_and_moves_it),
        cmocka_unit_test(a_cabinet_that_can_move_wakes_and_sleeps_with_its_door),
        cmocka_unit_test(a_hand_lifts_a_sash_by_its_handle_without_chatter),
        cmocka_unit_test(a_robot_that_starts_within_furniture_is_refused_by_name),
        cmocka_unit_test(joints_that_cannot_be_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
