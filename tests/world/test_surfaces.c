// tests/world/test_surfaces.c - what a twin does with a contact that only its robot feels: which
// surface comes up to its arm, and how far.
#include "projector/twin_surfaces.h"
#include "tests/world/made.h"

static const double TOP = 0.5; // m, of the bench

typedef struct lesson_place {
    made m;
    size_t bench, plate;
    twin_surfaces *surfaces;
} lesson_place;

// A hand whose lowest point is `above` the bench.
static void open_place(lesson_place *p, double above) {
    made_open(&p->m);
    p->bench = made_add(&p->m, "bench", SHAPE_BOX, v3(1, 1, 0.1), v3(0, 0, TOP - 0.05), 0);
    p->plate = made_add(&p->m, "plate", SHAPE_BOX, v3(0.3, 0.3, 0.05), v3(0, 0, 9), 0);
    p->m.shapes[p->plate].at.p.z = -0.025;
    p->m.bodies[p->plate].absent = true;
    made_gantry(&p->m, v3(0, 0, TOP + 0.02 + above), 0);
    made_start(&p->m);
    p->surfaces = twin_surfaces_create(p->m.sim, &p->m.world, 1);
    made_step(&p->m);
}

static void close_place(lesson_place *p) {
    twin_surfaces_destroy(p->surfaces);
    made_close(&p->m);
}

// The robot's arm is held back along `way`, and is ahead of the twin's.
static void feel(lesson_place *p, vec3 way) {
    double stiffness[ARM_JOINTS_MAX] = {1e4};
    surface_felt felt = {.force = v3_scale(way, 20), .fresh = true};
    for (int i = 0; i < 200; i++)
        twin_surfaces_step(p->surfaces, 0, &felt, stiffness, 0.01);
    felt.ahead = v3_scale(way, 0.05);
    twin_surfaces_step(p->surfaces, 0, &felt, stiffness, 0.01);
}

static double raised(const lesson_place *p) {
    return made_at(&p->m, p->bench).z - (TOP - 0.05);
}

static void rise(lesson_place *p, double by) {
    double from = sim_joint_positions(p->m.sim)[0];
    for (int i = 0; i < 500; i++) {
        sim_set_joint(p->m.sim, 0, from + by * fmin(i / 400.0, 1), 0, 0);
        made_step(&p->m);
    }
}

static void what_is_near_comes_up(void **state) {
    (void)state;
    lesson_place p;
    open_place(&p, 0.1);
    feel(&p, v3(0, 0, 1));
    assert_int_equal(twin_surfaces_body(p.surfaces, 0), p.bench);
    made_near(raised(&p), 0.1, 2e-3, "bench");
    made_near(twin_surfaces_stamp(p.surfaces, 0).shift, raised(&p), 1e-9, "shift");
    close_place(&p);
}

static void what_is_too_far_stays_and_a_plate_comes(void **state) {
    (void)state;
    lesson_place p;
    open_place(&p, 0.2);
    feel(&p, v3(0, 0, 1));
    assert_int_equal(twin_surfaces_body(p.surfaces, 0), p.plate);
    made_near(raised(&p), 0, 1e-9, "bench");
    made_near(sim_arm_gap(p.m.sim, 0, p.plate), 0, 1e-3, "plate");
    close_place(&p);
}

static void lessons_in_a_row_move_a_surface_no_farther(void **state) {
    (void)state;
    lesson_place p;
    open_place(&p, 0.1);
    feel(&p, v3(0, 0, 1));
    feel(&p, v3(1, 0, 0));
    assert_int_equal(twin_surfaces_body(p.surfaces, 0), p.plate);
    rise(&p, 0.04);
    feel(&p, v3(0, 0, 1));
    assert_int_equal(twin_surfaces_body(p.surfaces, 0), p.bench);
    made_near(raised(&p), 0.14, 3e-3, "bench");
    made_near(twin_surfaces_stamp(p.surfaces, 0).shift, raised(&p), 1e-9, "shift");
    feel(&p, v3(1, 0, 0));
    rise(&p, 0.04);
    feel(&p, v3(0, 0, 1));
    assert_int_equal(twin_surfaces_body(p.surfaces, 0), p.plate);
    made_near(raised(&p), 0.14, 3e-3, "bench");
    close_place(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_near_comes_up),
        cmocka_unit_test(what_is_too_far_stays_and_a_plate_comes),
        cmocka_unit_test(lessons_in_a_row_move_a_surface_no_farther),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
