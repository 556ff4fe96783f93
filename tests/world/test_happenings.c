// tests/world/test_happenings.c - what happens to the world from outside: people, water, draughts,
// things that come and go.
#include "tests/world/made.h"

typedef struct place {
    made m;
    world_event events[4];
    condition when[8];
    world_joint joint;
    size_t floor, box, plate, told;
} place;

// A box of 1 kg on the floor with a lighter one on top.
static void open_place(place *p) {
    memset(p, 0, sizeof *p);
    made_open(&p->m);
    p->floor = made_floor(&p->m);
    p->box = made_add(&p->m, "box", SHAPE_BOX, v3(0.2, 0.2, 0.1), v3(0, 0, 0.05), 1);
    p->plate = made_add(&p->m, "plate", SHAPE_CYLINDER, v3(0.06, 0, 0.02), v3(0, 0, 0.11), 0.2);
    p->m.world.events = p->events;
    for (int i = 0; i < 8; i++)
        p->when[i] = (condition){.kind = WHEN_AT, .a = -1, .b = -1};
}

static world_event *event(place *p, event_kind kind, size_t body, double at) {
    size_t n = p->m.world.event_count++;
    p->when[n].value = at;
    p->events[n] = (world_event){.name = "event",
                                 .when = &p->when[n],
                                 .kind = kind,
                                 .body = (int64_t)body,
                                 .to = POSE_IDENTITY,
                                 .term = "happened"};
    return &p->events[n];
}

// Runs and counts what is told; the time of the last one, or -1.
static double run(place *p, double time) {
    double last = -1;
    for (nanos end = p->m.now + nanos_from_seconds(time); p->m.now < end;) {
        made_step(&p->m);
        size_t count;
        sim_events(p->m.sim, &count);
        p->told += count;
        last = count ? seconds(p->m.now) : last;
    }
    return last;
}

static void a_person_carries_a_box_with_what_lies_on_it(void **state) {
    (void)state;
    place p;
    open_place(&p);
    world_event *e = event(&p, EVENT_MOVE, p.box, 0.5);
    e->to = (pose){{0.8, 0.4, 0.05}, quat_axis_angle(v3(0, 0, 1), 1)};
    e->over = 2;
    made_start(&p.m);
    double highest = 0, fastest = 0;
    vec3 before = made_at(&p.m, p.box);
    for (int k = 0; k < 1500; k++) {
        run(&p, 0.002);
        vec3 now = made_at(&p.m, p.box);
        highest = fmax(highest, now.z);
        fastest = fmax(fastest, v3_distance(now, before) / 0.002);
        before = now;
    }
    assert_int_equal(p.told, 1);
    assert_true(highest > 0.12 && fastest < 2); // lifted, and no jump
    vec3 at = made_at(&p.m, p.box), on = made_at(&p.m, p.plate);
    made_near(at.x, 0.8, 0.01, "x");
    made_near(at.y, 0.4, 0.01, "y");
    made_near(at.z, 0.05, 0.003, "z");
    made_near(quat_yaw(sim_pose(p.m.sim, p.box).q), 1, 0.03, "yaw");
    made_near(on.x, 0.8, 0.02, "x of the plate");
    made_near(on.z, 0.11, 0.004, "z of the plate");
    run(&p, 2);
    assert_true(sim_asleep(p.m.sim, p.box)); // the hand has let go
    made_close(&p.m);
}

static void a_hand_is_not_stronger_than_it_is(void **state) {
    (void)state;
    place p;
    open_place(&p);
    size_t anvil = made_add(&p.m, "anvil", SHAPE_BOX, v3(0.2, 0.2, 0.2), v3(2, 0, 0.1), 40);
    world_event *e = event(&p, EVENT_MOVE, anvil, 0);
    e->to = (pose){{3, 0, 0.1}, {1, 0, 0, 0}};
    e->over = 1;
    made_start(&p.m);
    run(&p, 3);
    vec3 at = made_at(&p.m, anvil);
    made_near(at.z, 0.1, 0.01, "height"); // 80 N do not lift 390
    assert_true(at.x < 2.2);
    made_close(&p.m);
}

static void a_force_acts_for_its_time(void **state) {
    (void)state;
    place p;
    open_place(&p);
    p.m.gravity = v3(0, 0, 0);
    size_t ball = made_add(&p.m, "ball", SHAPE_SPHERE, v3(0.05, 0, 0), v3(0, 0, 2), 0.5);
    world_event *e = event(&p, EVENT_FORCE, ball, 0.1);
    e->force = v3(3, 0, 0);
    e->over = 0.2;
    made_start(&p.m);
    run(&p, 1);
    made_near(made_velocity(&p.m, ball).x, 3 * 0.2 / 0.5, 0.02, "speed");
    made_close(&p.m);
}

// The floor tilts by a pull of 3 m/s2; whether the box has begun to slide before and after.
static void a_wet_material_slips(void **state) {
    (void)state;
    for (int own = 0; own < 2; own++) {
        place p;
        open_place(&p);
        p.m.gravity = v3(3, 0, -MADE_G);
        p.m.types[p.box].material = "wood";
        world_event *e = event(&p, EVENT_WET, p.box, 2);
        if (!own)
            e->body = -1, e->material = "wood";
        e->value = 0.05; // with the floor's 0.5: 0.158 < 3 / 9.81
        made_start(&p.m);
        run(&p, 1.9);
        made_near(made_at(&p.m, p.box).x, 0, 2e-3, "held");
        assert_true(sim_asleep(p.m.sim, p.box));
        run(&p, 1.1);
        double mu = sqrt(0.05 * 0.5), exact = (3 - mu * MADE_G) / 2;
        made_near(made_at(&p.m, p.box).x, exact, 0.04 * exact, "slid");
        made_close(&p.m);
    }
}

static void a_person_closes_a_door_against_its_latch_and_friction(void **state) {
    (void)state;
    place p;
    open_place(&p);
    size_t door = made_add(&p.m, "door", SHAPE_BOX, v3(0.6, 0.04, 1), v3(3.3, 0, 1), 8);
    p.joint = (world_joint){.name = "hinge",
                            .kind = WORLD_HINGE,
                            .base = -1,
                            .body = door,
                            .origin = {{3, 0, 1}, {1, 0, 0, 0}},
                            .axis = {0, 0, 1},
                            .upper = 2,
                            .friction = 1,
                            .latch = 5};
    p.m.world.joints = &p.joint;
    p.m.world.joint_count = 1;
    world_event *open = event(&p, EVENT_JOINT, 0, 0.2);
    open->value = 1.2, open->over = 1.5;
    p.when[1] = (condition){.kind = WHEN_OPEN, .value = 1.19};
    world_event *close = event(&p, EVENT_JOINT, 0, 1.19);
    close->after = 1, close->over = 1;
    made_start(&p.m);
    run(&p, 2);
    made_near(sim_world_joint(p.m.sim, 0), 1.2, 0.01, "open");
    run(&p, 3);
    made_near(sim_world_joint(p.m.sim, 0), 0, 0.006, "closed");
    assert_int_equal(p.told, 2);
    made_close(&p.m);
}

static void conditions_are_met_once_and_when_they_hold(void **state) {
    (void)state;
    place p;
    open_place(&p);
    size_t ball = made_add(&p.m, "ball", SHAPE_SPHERE, v3(0.05, 0, 0), v3(0, 0, 1.05), 0.5);
    size_t far = made_add(&p.m, "far", SHAPE_SPHERE, v3(0.05, 0, 0), v3(5, 0, 0.05), 0.5);
    // Once the ball is below 0.8 and has not touched the floor, and 0.1 s later.
    p.when[2] = (condition){.kind = WHEN_BELOW, .a = (int64_t)ball, .value = 0.8};
    p.when[3] =
        (condition){.kind = WHEN_TOUCHING, .a = (int64_t)ball, .b = (int64_t)p.plate, .value = 0};
    p.when[4] = (condition){.kind = WHEN_NOT, .left = &p.when[3]};
    world_event *e = event(&p, EVENT_FORCE, far, 0);
    p.when[0] = (condition){.kind = WHEN_AND, .left = &p.when[2], .right = &p.when[4]};
    e->after = 0.1;
    e->force = v3(10, 0, 0);
    made_start(&p.m);
    double at = run(&p, 2);
    made_near(at, sqrt(2 * 0.25 / MADE_G) + 0.1, 0.004, "instant");
    assert_int_equal(p.told, 1);
    made_close(&p.m);
}

static void what_was_absent_appears_once_its_place_is_free(void **state) {
    (void)state;
    place p;
    open_place(&p);
    size_t guest = made_add(&p.m, "guest", SHAPE_BOX, v3(0.1, 0.1, 0.1), v3(9, 9, 9), 0.5);
    p.m.bodies[guest].absent = true;
    world_event *come = event(&p, EVENT_ADD, guest, 0.2);
    come->to = (pose){{0, 0, 0.08}, {1, 0, 0, 0}}; // where the box stands
    world_event *go = event(&p, EVENT_REMOVE, p.box, 1);
    (void)go;
    made_start(&p.m);
    assert_false(sim_present(p.m.sim, guest));
    run(&p, 0.9);
    assert_false(sim_present(p.m.sim, guest));
    assert_int_equal(p.told, 0);
    assert_true(sim_asleep(p.m.sim, p.plate));
    double z = made_at(&p.m, p.plate).z;
    run(&p, 0.102);
    assert_false(sim_present(p.m.sim, p.box));
    assert_null(made_contact(&p.m, p.box, p.plate));
    run(&p, 1.5);
    assert_int_equal(p.told, 2);
    assert_true(sim_present(p.m.sim, guest));
    made_near(made_at(&p.m, p.plate).z, z - 0.1, 2e-3, "plate"); // the box was taken from under it
    made_near(made_at(&p.m, guest).z, 0.07, 2e-3, "guest");
    made_close(&p.m);
}

static void a_body_is_put_where_nothing_is_and_taken_away(void **state) {
    (void)state;
    place p;
    open_place(&p);
    size_t guest = made_add(&p.m, "guest", SHAPE_BOX, v3(0.1, 0.1, 0.1), v3(9, 9, 9), 0.5);
    p.m.bodies[guest].absent = true;
    made_start(&p.m);
    run(&p, 0.5);
    pose in_box = {{0, 0, 0.08}, {1, 0, 0, 0}}, beside = {{0.5, 0, 0.05}, {1, 0, 0, 0}};
    assert_false(sim_put(p.m.sim, guest, in_box, 1e-3));
    assert_false(sim_present(p.m.sim, guest));
    assert_true(sim_put(p.m.sim, guest, beside, 1e-3));
    run(&p, 0.5);
    made_near(made_at(&p.m, guest).x, 0.5, 1e-4, "guest");
    // Where it cannot go it stays, and nothing but it has moved.
    assert_false(sim_put(p.m.sim, guest, in_box, 1e-3));
    made_near(made_at(&p.m, guest).x, 0.5, 1e-4, "guest");
    double z = made_at(&p.m, p.plate).z;
    // What lay on a body that goes falls.
    assert_true(sim_put(p.m.sim, p.box, (pose){{0, 0.6, 0.05}, {1, 0, 0, 0}}, 1e-3));
    run(&p, 1);
    made_near(made_at(&p.m, p.box).y, 0.6, 1e-3, "box");
    made_near(made_at(&p.m, p.plate).z, z - 0.1, 2e-3, "plate");
    sim_take(p.m.sim, guest);
    assert_false(sim_present(p.m.sim, guest));
    run(&p, 0.1);
    assert_true(sim_put(p.m.sim, guest, beside, 1e-3));
    made_close(&p.m);
}

static void a_body_in_flight_that_cannot_be_put_flies_on(void **state) {
    (void)state;
    double end[2];
    for (int refused = 0; refused < 2; refused++) {
        place p;
        open_place(&p);
        size_t guest = made_add(&p.m, "guest", SHAPE_BOX, v3(0.1, 0.1, 0.1), v3(1, 0, 2), 0.5);
        p.m.bodies[guest].velocity = v3(0.5, 0, 0);
        p.m.bodies[guest].spin = v3(0, 0, 2);
        made_start(&p.m);
        run(&p, 0.2);
        if (refused)
            assert_false(sim_put(p.m.sim, guest, (pose){{0, 0, 0.08}, {1, 0, 0, 0}}, 1e-3));
        run(&p, 0.2);
        pose at = sim_pose(p.m.sim, guest);
        made_near(at.p.x, 1.2, 1e-3, "x");
        made_near(at.p.z, 2 - 9.81 * 0.4 * 0.4 / 2, 1e-2, "z");
        made_near(quat_yaw(at.q), 0.8, 1e-3, "yaw");
        end[refused] = at.p.z;
        made_close(&p.m);
    }
    made_near(end[0], end[1], 1e-6, "z of both");
}

static void a_cup_that_is_added_brings_its_fill(void **state) {
    (void)state;
    place p;
    open_place(&p);
    size_t tub = made_add(&p.m, "tub", SHAPE_BOX, v3(0.1, 0.1, 0.01), v3(0, 0, 5), 0.3);
    p.m.bodies[tub].absent = true;
    p.m.types[tub].has_interior = true;
    p.m.types[tub].interior =
        (shape){.kind = SHAPE_BOX, .at = {{0, 0, 0.03}, {1, 0, 0, 0}}, .size = {0.1, 0.1, 0.05}};
    size_t drop = made_add(&p.m, "drop", SHAPE_SPHERE, v3(0.006, 0, 0), v3(0, 0, 5.011), 0.002);
    p.m.bodies[drop].particle = p.m.bodies[drop].absent = true;
    p.m.bodies[drop].inside = (int64_t)tub;
    event(&p, EVENT_ADD, tub, 0.1)->to = (pose){{2, 0, 0.006}, {1, 0, 0, 0}};
    event(&p, EVENT_REMOVE, tub, 2);
    made_start(&p.m);
    run(&p, 1.9);
    assert_true(sim_present(p.m.sim, drop));
    made_near(made_at(&p.m, drop).x, 2, 1e-3, "x");
    made_near(made_at(&p.m, drop).z, 0.016, 1e-3, "z");
    run(&p, 1);
    assert_false(sim_present(p.m.sim, tub) || sim_present(p.m.sim, drop));
    made_close(&p.m);
}

static void an_absurd_force_ends_it_naming_body_and_time(void **state) {
    (void)state;
    place p;
    open_place(&p);
    world_event *e = event(&p, EVENT_FORCE, p.plate, 0.1);
    e->force = v3(1e9, 0, 0);
    e->over = 1;
    made_start(&p.m);
    error err = {0};
    status st = OK;
    while (st == OK && p.m.now < NANOS_PER_SECOND) {
        st = model_step(sim_model(p.m.sim), p.m.now, MADE_STEP, &err);
        p.m.now += MADE_STEP;
    }
    assert_int_equal(st, E_DIVERGED);
    assert_non_null(strstr(err.text, "plate"));
    assert_non_null(strstr(err.text, "0.102 s"));
    made_close(&p.m);
}

static void events_that_cannot_be_are_refused_by_name(void **state) {
    (void)state;
    place p;
    open_place(&p);
    event(&p, EVENT_MOVE, p.floor, 1);
    p.m.world.bodies = p.m.bodies;
    p.m.world.body_count = p.m.count;
    error err = {0};
    assert_int_equal(sim_create(&p.m.world, &p.m.robot, NULL, &p.m.sim, &err), E_INPUT);
    assert_non_null(strstr(err.text, "floor"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_person_carries_a_box_with_what_lies_on_it),
        cmocka_unit_test(a_hand_is_not_stronger_than_it_is),
        cmocka_unit_test(a_force_acts_for_its_time),
        cmocka_unit_test(a_wet_material_slips),
        cmocka_unit_test(a_person_closes_a_door_against_its_latch_and_friction),
        cmocka_unit_test(conditions_are_met_once_and_when_they_hold),
        cmocka_unit_test(what_was_absent_appears_once_its_place_is_free),
        cmocka_unit_test(a_body_is_put_where_nothing_is_and_taken_away),
        cmocka_unit_test(a_body_in_flight_that_cannot_be_put_flies_on),
        cmocka_unit_test(a_cup_that_is_added_brings_its_fill),
        cmocka_unit_test(an_absurd_force_ends_it_naming_body_and_time),
        cmocka_unit_test(events_that_cannot_be_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
