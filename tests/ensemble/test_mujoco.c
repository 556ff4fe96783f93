// tests/ensemble/test_mujoco.c - bodies that MuJoCo moves beside physics: how it slides, what a
// hand-over changes, what touches, and what happens where MuJoCo cannot go on.
#include "projector/world/drive.h"
#include "tests/ensemble/stage.h"

// ---- Sliding ------------------------------------------------------------------------------------

static const double MU = 0.4;

// A box on a slope, which MuJoCo moves or physics does. How far down it is after a second, m, and
// how fast, m/s.
static double slide(double angle, bool mujoco, double *speed) {
    char text[2000];
    stage s;
    double a = angle * PI / 180;
    snprintf(text, sizeof text,
             "world: slope\n"
             "materials: { wood: { friction: %g } }\n"
             "types:\n"
             "  slope: { material: wood, shapes: [ { box: [8, 1, 0.1], at: [0, 0, -0.05] } ] }\n"
             "  box: { material: wood, mass: 2, shapes: [ { box: [0.3, 0.2, 0.06], at: [0, 0, "
             "0.03] } ] }\n"
             "bodies:\n"
             "  slope_1: { type: slope, at: { position: [0, 0, 0], rpy: [0, %.9g, 0] }, fixed: "
             "true }\n"
             "  box_1: { type: box, at: { position: [%.9g, 0, %.9g], rpy: [0, %.9g, 0] } }\n"
             "ensemble:\n"
             "  main: ode\n"
             "  models: { mj: { class: mujoco, step: service, every: 0.002, outputs: { "
             "pose(box_1): box_1 } } }\n%s",
             MU, angle, -3 * cos(a), 3 * sin(a), angle,
             mujoco ? "  owns: { mj: [ pose(box_1) ] }\n" : "");
    stage_good(&s, text);
    vec3 begin = pose_of(&s, "box_1").p, v, w;
    stage_go(&s, 1);
    assert_true(sim_driven(s.sim, 1) == mujoco);
    vec3 down = v3(cos(a), 0, -sin(a));
    sim_velocity(s.sim, 1, &v, &w);
    *speed = v3_dot(v, down);
    double way = v3_dot(v3_sub(pose_of(&s, "box_1").p, begin), down);
    stage_close(&s);
    return way;
}

static void a_box_slides_as_coulomb_and_physics_have_it(void **state) {
    (void)state;
    double a = 30 * PI / 180, g = 9.81 * (sin(a) - MU * cos(a)), speed, physics;
    double way = slide(30, true, &speed), there = slide(30, false, &physics);
    printf(
        "    30 degrees, 1 s: %.4f m and %.4f m/s; physics %.4f and %.4f; Coulomb %.4f and %.4f\n",
        way, speed, there, physics, g / 2, g);
    assert_true(fabs(speed / g - 1) < 0.05 && fabs(way / (g / 2) - 1) < 0.05);
    assert_true(fabs(speed / physics - 1) < 0.05);
}

static void it_begins_to_slide_at_the_angle_of_friction(void **state) {
    (void)state;
    double onset = atan(MU) * 180 / PI, speed;
    double below = slide(onset * 0.97, true, &speed), above = slide(onset * 1.03, true, &speed);
    double g = 9.81 * (sin(onset * 1.03 * PI / 180) - MU * cos(onset * 1.03 * PI / 180));
    printf(
        "    3 %% below the angle of friction: %.3g mm in 1 s; 3 %% above: %.4f m, Coulomb %.4f\n",
        1e3 * below, above, g / 2);
    assert_true(fabs(below) < 5e-4);
    assert_true(above > 0.8 * g / 2);
}

// ---- Hand-overs ---------------------------------------------------------------------------------

#define FLOOR                                                                                      \
    "materials: { wood: { friction: 0.5 } }\n"                                                     \
    "types:\n"                                                                                     \
    "  floor: { material: wood, shapes: [ { plane: true } ] }\n"                                   \
    "  box: { material: wood, mass: 1.5, shapes: [ { box: [0.3, 0.2, 0.1], at: [0, 0, 0.05] } ] "  \
    "}\n"                                                                                          \
    "bodies:\n"                                                                                    \
    "  floor_1: { type: floor, fixed: true }\n"
#define MUJOCO(outputs, more)                                                                      \
    "ensemble:\n  main: ode\n  models: { mj: { class: mujoco, step: service, every: 0.002, "       \
    "outputs: { " outputs " }" more " } }\n  triggers:\n"
#define TAKES "    - { name: takes, on: operation(take), give: pose(box_1), to: mj }\n"
#define RETURNS "    - { name: returns, on: operation(return), give: pose(box_1), to: ode }\n"

// A robot begins an operation, which wakes a trigger.
static void tell(stage *s, const char *operation) {
    record r = {.kind = RECORD_OPERATION, .id = 1};
    r.OPERATION.name = operation;
    assert_int_equal(sink_put(s->log, &r, &s->err), OK);
}

// A stack of five: who gives one of them gives all, and none moves by a hand-over.
static void what_rests_stays_where_it_is(void **state) {
    (void)state;
    static const char *const names[] = {"box_1", "box_2", "box_3", "box_4", "box_5"};
    stage s;
    double most = 0;
    stage_good(&s, "world: stack\n" FLOOR "  box_1: { type: box }\n"
                   "  box_2: { type: box, at: [0, 0, 0.1] }\n"
                   "  box_3: { type: box, at: [0, 0, 0.2] }\n"
                   "  box_4: { type: box, at: [0, 0, 0.3] }\n"
                   "  box_5: { type: box, at: [0, 0, 0.4] }\n" MUJOCO(
                       "pose(box_1): box_1, pose(box_2): box_2, pose(box_3): box_3, "
                       "pose(box_4): box_4, pose(box_5): box_5",
                       "") TAKES RETURNS);
    stage_go(&s, 0.5);
    pose begin[5];
    for (int i = 0; i < 5; i++)
        begin[i] = pose_of(&s, names[i]);
    tell(&s, "take");
    for (int k = 1; k <= 100; k++) {
        stage_go(&s, 0.5 + 0.02 * k);
        for (int i = 0; i < 5; i++) {
            size_t body = (size_t)world_find_body(s.world, names[i]);
            if (sim_driven(s.sim, body) != (k <= 50))
                fail_msg("%s is at %d of 100 with another: %s", names[i], k, s.kept.why);
            most = fmax(most, v3_distance(pose_of(&s, names[i]).p, begin[i].p));
        }
        if (k == 50)
            tell(&s, "return");
    }
    assert_int_equal(s.kept.done, 10);
    printf("    a stack of five, a second in MuJoCo and a second back: moved by %.3f mm\n",
           1e3 * most);
    assert_true(most < 5e-4);
    stage_close(&s);
}

// Cans that fall onto a plane and onto a box, and stand: a small tilt turns into no turning.
static void cans_stand_still(void **state) {
    (void)state;
    static const char *const names[] = {"can_1", "can_2"};
    stage s;
    double most = 0, turned = 0;
    stage_good(
        &s, "world: cans\n" FLOOR
            "  slab_1: { shapes: [ { box: [0.6, 0.6, 0.1], at: [0, 0, 0.05] } ], fixed: true }\n"
            "  can_1: { mass: 0.3, shapes: [ { cylinder: [0.05, 0.1], at: [0, 0, 0.05] } ], at: { "
            "position: [2, 0, 0.05], rpy: [0, 0, 20] } }\n"
            "  can_2: { mass: 0.3, shapes: [ { cylinder: [0.05, 0.1], at: [0, 0, 0.05] } ], at: { "
            "position: [0, 0, 0.12], rpy: [0, 0, 50] } }\n"
            "ensemble:\n  main: ode\n  models: { mj: { class: mujoco, step: service, every: "
            "0.002, outputs: { pose(can_1): can_1, pose(can_2): can_2 } } }\n"
            "  owns: { mj: [ pose(can_1), pose(can_2) ] }\n");
    stage_go(&s, 0.5);
    pose begin[2] = {pose_of(&s, names[0]), pose_of(&s, names[1])};
    for (int k = 1; k <= 50; k++) {
        stage_go(&s, 0.5 + 0.05 * k);
        for (int i = 0; i < 2; i++) {
            pose now = pose_of(&s, names[i]);
            most = fmax(most, v3_distance(now.p, begin[i].p));
            turned = fmax(turned, v3_length(quat_log(quat_mul(now.q, quat_inverse(begin[i].q)))));
        }
    }
    printf("    cans: moved by %.4f mm, turned by %.5f rad\n", 1e3 * most, turned);
    assert_true(most < 5e-4 && turned < 1e-3);
    stage_close(&s);
}

// What physics has of a spin is that of half a step before (projector/world/sleep.c).
static vec3 angular_momentum(const stage *s, size_t body) {
    vec3 v, w;
    sim_velocity(s->sim, body, &v, &w);
    vec3 back = v3_scale(w, sim_driven(s->sim, body) ? 0 : -seconds(STEP) / 2);
    mat3 r = quat_matrix(quat_mul(quat_exp(back), sim_pose(s->sim, body).q));
    return mat3_apply(
        &r, mat3_apply(&s->world->bodies[body].type->inertia, mat3_apply_transposed(&r, w)));
}

// Of its centre of mass.
static vec3 velocity_of(const stage *s, size_t body) {
    vec3 v, w;
    sim_velocity(s->sim, body, &v, &w);
    vec3 arm = quat_rotate(sim_pose(s->sim, body).q, s->world->bodies[body].type->com);
    return v3_add(v, v3_cross(w, arm));
}

// A box that tumbles as it flies, its origin far from its centre of mass.
static void what_flies_keeps_its_momentum(void **state) {
    (void)state;
    stage s;
    double linear = 0, angular = 0;
    stage_good(&s, "world: flight\n" FLOOR
                   "  box_1: { type: box, at: [0, 0, 20], velocity: [3, -1, 2], "
                   "spin: [400, 300, -200] }\n" MUJOCO("pose(box_1): box_1", "") TAKES RETURNS);
    vec3 v = velocity_of(&s, 1), l = angular_momentum(&s, 1);
    vec3 begin = pose_apply(sim_pose(s.sim, 1), s.world->bodies[1].type->com);
    for (int k = 1; k <= 60; k++) {
        stage_go(&s, 0.02 * k);
        if (k == 10)
            tell(&s, "take");
        if (k == 50)
            tell(&s, "return");
        assert_true(sim_driven(s.sim, 1) == (k > 10 && k <= 50));
        vec3 falls = v3_add(v, v3_scale(s.world->gravity, 0.02 * k));
        linear = fmax(linear, v3_distance(velocity_of(&s, 1), falls) / v3_length(falls));
        angular = fmax(angular, v3_distance(angular_momentum(&s, 1), l) / v3_length(l));
    }
    vec3 falls = v3_add(v3_scale(v, 1.2), v3_scale(s.world->gravity, 0.72));
    double aside = v3_distance(pose_apply(sim_pose(s.sim, 1), s.world->bodies[1].type->com),
                               v3_add(begin, falls));
    printf("    in flight over two hand-overs: momentum within %.4f %%, angular %.4f %%; %.1f mm "
           "beside the parabola\n",
           100 * linear, 100 * angular, 1e3 * aside);
    assert_int_equal(s.kept.done, 2);
    assert_true(linear < 1e-3 && angular < 1e-3);
    assert_true(aside < 0.02);
    stage_close(&s);
}

// ---- Who touches it -----------------------------------------------------------------------------

// The force on the floor is the weight, and the contact is among those of the world.
static void its_contacts_are_seen(void **state) {
    (void)state;
    stage s;
    size_t count = 0;
    stage_good(&s, "world: one\n" FLOOR "  box_1: { type: box }\n" MUJOCO("pose(box_1): box_1", "")
                       TAKES);
    tell(&s, "take");
    stage_go(&s, 0.4);
    const sim_contact *all = sim_contacts(s.sim, &count);
    assert_int_equal(count, 1);
    assert_true(all[0].a == 0 && all[0].b == 1 && all[0].normal.z > 0.999);
    assert_true(fabs(all[0].force.z / (1.5 * 9.81) - 1) < 1e-3 && all[0].depth < 5e-4);
    assert_true(fabs(all[0].point.z) < 5e-4 && fabs(all[0].point.x) < 1e-3);
    const size_t *awake = sim_awake(s.sim, &count);
    assert_true(count == 1 && awake[0] == 1 && !sim_asleep(s.sim, 1));
    stage_close(&s);
}

// What it cannot answer for and touches it keeps it from going there.
static void no_contact_is_cut(void **state) {
    (void)state;
    stage s;
    stage_good(&s,
               "world: two\n" FLOOR "  box_1: { type: box }\n"
               "  box_2: { type: box, at: [0, 0, 0.1] }\n" MUJOCO("pose(box_1): box_1", "") TAKES);
    stage_go(&s, 0.1);
    tell(&s, "take");
    stage_go(&s, 0.2);
    assert_true(s.kept.done == 0 && s.kept.refused == 1 && !sim_driven(s.sim, 1));
    assert_string_equal(s.kept.why, "box_1 touches box_2, for which `mj` cannot answer");
    stage_close(&s);
}

// One that slides into another goes back to physics, with its velocity, and pushes it.
static void what_it_meets_gives_it_back(void **state) {
    (void)state;
    stage s;
    stage_good(&s,
               "world: push\n" FLOOR "  box_1: { type: box, velocity: [2, 0, 0] }\n"
               "  box_2: { type: box, at: [0.5, 0, 0] }\n" MUJOCO("pose(box_1): box_1", "") TAKES);
    tell(&s, "take");
    stage_go(&s, 0.06);
    assert_true(sim_driven(s.sim, 1));
    stage_go(&s, 1);
    assert_string_equal(s.kept.rule, "touched");
    assert_int_equal(s.kept.done, 2);
    // Half of the momentum goes over at least: 1.7 m/s stop within 0.3 m under a friction of 0.5.
    double pushed = pose_of(&s, "box_2").p.x - 0.5;
    printf("    pushed by %.3f m\n", pushed);
    assert_true(pushed > 0.05 && pushed < 0.31);
    assert_true(pose_of(&s, "box_1").p.x < pose_of(&s, "box_2").p.x - 0.298);
    stage_close(&s);
}

// ---- Failure ------------------------------------------------------------------------------------

static void too_little_room_is_a_failure(void **state) {
    (void)state;
    stage s;
    stage_good(&s, "world: one\n" FLOOR
                   "  box_1: { type: box }\n" MUJOCO("pose(box_1): box_1", ", contacts: 2") TAKES);
    tell(&s, "take");
    assert_int_equal(stage_run(&s, 0.4), E_DIVERGED);
    assert_non_null(strstr(s.err.text, "`mj` failed at"));
    assert_non_null(strstr(s.err.text, "it said: Pre-allocated contact buffer is full"));
    assert_non_null(strstr(s.err.text, "its last inputs: box_1 at (0, 0, "));
    assert_int_equal(s.kept.failed, 1);
    stage_close(&s);
}

static void physics_goes_on_where_it_falls_back(void **state) {
    (void)state;
    stage s;
    stage_good(&s,
               "world: one\n" FLOOR "  box_1: { type: box, velocity: [1, 0, 0] }\n" MUJOCO(
                   "pose(box_1): box_1", ", contacts: 2, on_failure: { fall_back: ode }") TAKES);
    tell(&s, "take");
    stage_go(&s, 1);
    assert_string_equal(s.kept.rule, "on_failure");
    assert_true(s.kept.failed == 1 && !sim_driven(s.sim, 1));
    assert_true(fabs(pose_of(&s, "box_1").p.x - 1 / (2 * 0.5 * 9.81)) < 0.01);
    stage_close(&s);
}

// ---- Mistakes -----------------------------------------------------------------------------------

static void mistake(const char *text, int line, const char *words) {
    stage s;
    if (stage_open(&s, text) != E_INPUT || s.err.line != line || !strstr(s.err.text, words))
        fail_msg("%d: %s\nin: %s", s.err.line, s.err.text, text);
    stage_close(&s);
}

#define MODELS "world: one\n" FLOOR "  box_1: { type: box }\nensemble:\n  main: ode\n  models:\n"
enum { MODEL_LINE = 12 };

static void what_cannot_be_is_said_where_it_stands(void **state) {
    (void)state;
    mistake(MODELS "    mj: { class: mujoco, step: clock, every: 0.002, outputs: { pose(box_1): "
                   "box_1 } }\n",
            MODEL_LINE, "`step: service`");
    mistake(MODELS "    mj: { class: mujoco, step: service, every: 0.004, outputs: { pose(box_1): "
                   "box_1 } }\n",
            MODEL_LINE, "`every` 0.002 s");
    mistake(MODELS "    mj: { class: mujoco, step: service, every: 0.002 }\n", MODEL_LINE,
            "moves no body");
    mistake(MODELS "    mj: { class: mujoco, step: service, every: 0.002, outputs: { pose(box_1): "
                   "can } }\n",
            MODEL_LINE, "there is no body `can`");
    mistake(MODELS "    mj: { class: mujoco, step: service, every: 0.002, outputs: { "
                   "weight(box_1): box_1 } }\n",
            MODEL_LINE, "pose(box_1): box_1");
    mistake(MODELS "    mj: { class: mujoco, step: service, every: 0.002, outputs: { "
                   "pose(floor_1): floor_1 } }\n",
            MODEL_LINE, "cannot move `floor_1`: it is fixed");
    mistake(MODELS "    mj: { class: mujoco, step: service, every: 0.002, outputs: { pose(box_1): "
                   "box_1 } }\nevents:\n  - { name: rain, at: 1, wet: { material: wood, friction: "
                   "0.1 } }\n",
            MODEL_LINE, "the event `rain` changes friction");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_slides_as_coulomb_and_physics_have_it),
        cmocka_unit_test(it_begins_to_slide_at_the_angle_of_friction),
        cmocka_unit_test(what_rests_stays_where_it_is),
        cmocka_unit_test(cans_stand_still),
        cmocka_unit_test(what_flies_keeps_its_momentum),
        cmocka_unit_test(its_contacts_are_seen),
        cmocka_unit_test(no_contact_is_cut),
        cmocka_unit_test(what_it_meets_gives_it_back),
        cmocka_unit_test(too_little_room_is_a_failure),
        cmocka_unit_test(physics_goes_on_where_it_falls_back),
        cmocka_unit_test(what_cannot_be_is_said_where_it_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
