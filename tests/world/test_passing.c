// tests/world/test_passing.c - thin and fast things meet one another and do not pass through.
#include "tests/world/made.h"
#include "tests/world/meshes.h"

static shape plate(double side, double thick) {
    return (shape){.kind = SHAPE_BOX, .at = POSE_IDENTITY, .size = v3(side, side, thick)};
}

static void a_sheet_that_falls_on_a_sheet_lies_on_it(void **state) {
    (void)state;
    for (int i = 0; i < 24; i++) {
        static made m;
        made_open(&m);
        double drop = 0.2 + 0.0007 * i, thick = i % 2 ? 0.002 : 0.001;
        made_add_shape(&m, "shelf", plate(0.3, thick), (pose){v3(0, 0, 1), {1, 0, 0, 0}}, 0);
        quat turn = quat_exp(i % 3 == 0   ? v3(0, 0, 0)
                             : i % 3 == 1 ? v3(0, 0.2, 0)
                                          : v3(0.3, 0.1, 1));
        size_t sheet =
            made_add_shape(&m, "sheet", plate(0.08, thick), (pose){v3(0, 0, 1 + drop), turn}, 0.05);
        made_start(&m);
        made_run(&m, 1.5);
        made_near(made_at(&m, sheet).z, 1 + thick, 2e-4, "height of the sheet");
        made_close(&m);
    }
}

static double drawn(unsigned *state, double low, double high) {
    *state = *state * 1664525u + 1013904223u;
    return low + (high - low) * (*state >> 8) / 16777216.0;
}

// A cup of 3 mm walls, and a solid one, any way round.
static void cups_thrown_at_a_thin_wall_stay_on_their_side(void **state) {
    (void)state;
    arena *a = arena_create();
    static const double cup[6][2] = {{0, 0},        {0.04, 0},      {0.04, 0.09},
                                     {0.037, 0.09}, {0.037, 0.003}, {0, 0.003}};
    const shape cups[2] = {
        {.kind = SHAPE_MESH, .at = POSE_IDENTITY, .mesh = mesh_turned(a, cup, 6, 24)},
        {.kind = SHAPE_CYLINDER, .at = POSE_IDENTITY, .size = v3(0.04, 0, 0.09)}};
    unsigned draw = 5;
    for (int i = 0; i < 240; i++) {
        static made m;
        made_open(&m);
        m.gravity = v3(0, 0, 0);
        shape wall = {.kind = SHAPE_BOX, .at = POSE_IDENTITY, .size = v3(0.003, 2, 2)};
        made_add_shape(&m, "wall", wall, (pose){v3(0.3, 0, 0), {1, 0, 0, 0}}, 0);
        quat turn = quat_exp(v3(drawn(&draw, -3, 3), drawn(&draw, -3, 3), 0));
        pose at = {v3(drawn(&draw, 0, 0.01), 0, 0), turn};
        size_t body = made_add_shape(&m, "cup", cups[i % 2], at, 0.2);
        made_start(&m);
        double speed = i % 3 == 0 ? 2 : i % 3 == 1 ? 4 : 8;
        made_throw(&m, body, v3(speed, 0, 0), v3(0, 0, 0));
        made_run(&m, 0.4);
        if (made_at(&m, body).x > 0.3)
            fail_msg("the cup of case %d passed the wall at %g m/s", i, speed);
        size_t count;
        sim_passings(m.sim, &count);
        assert_int_equal(count, 0);
        made_close(&m);
    }
    arena_destroy(a);
}

static void an_arm_that_shoots_past_a_sheet_is_noted(void **state) {
    (void)state;
    for (int fast = 0; fast < 2; fast++) {
        static made m;
        made_open(&m);
        size_t sheet =
            made_add_shape(&m, "sheet", plate(0.3, 0.001), (pose){v3(0, 0, 0.7), {1, 0, 0, 0}}, 0);
        made_gantry(&m, v3(0, 0, 0.9), 0);
        made_start(&m);
        sim_set_joint_velocity(m.sim, 0, fast ? -9.5 : -0.5);
        made_run(&m, fast ? 0.1 : 0.5);
        size_t count;
        const sim_passing *p = sim_passings(m.sim, &count);
        assert_int_equal(count > 0, fast);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(p[i].a, sheet);
        made_close(&m);
    }
}

static void two_sheets_thrown_at_each_other_part_as_momentum_says(void **state) {
    (void)state;
    for (int i = 0; i < 16; i++) {
        static made m;
        made_open(&m);
        m.gravity = v3(0, 0, 0);
        size_t a =
            made_add_shape(&m, "a", plate(0.1, 0.001), (pose){v3(0, 0, 0), {1, 0, 0, 0}}, 0.1);
        size_t b = made_add_shape(&m, "b", plate(0.1, 0.001),
                                  (pose){v3(0, 0, 0.3 + 0.0013 * i), {1, 0, 0, 0}}, 0.3);
        made_start(&m);
        made_throw(&m, a, v3(0, 0, 3), v3(0, 0, 0));
        made_throw(&m, b, v3(0, 0, -2), v3(0, 0, 0));
        made_run(&m, 0.3);
        assert_true(made_at(&m, a).z < made_at(&m, b).z);
        double momentum = 0.1 * made_velocity(&m, a).z + 0.3 * made_velocity(&m, b).z;
        made_near(momentum, 0.1 * 3 - 0.3 * 2, 1e-9, "momentum");
        made_near(made_velocity(&m, a).z, -0.75, 0.01, "velocity of what does not bounce");
        made_close(&m);
    }
}

// Thin and slow things keep to the laws: a card slides as far as its energy takes it.
static void a_sliding_card_keeps_its_way(void **state) {
    (void)state;
    static made m;
    made_open(&m);
    made_add_shape(&m, "shelf", plate(4, 0.002), (pose){v3(0, 0, -0.001), {1, 0, 0, 0}}, 0);
    size_t card = made_add_shape(&m, "card", plate(0.08, 0.001),
                                 (pose){v3(-1, 0, 0.0005), {1, 0, 0, 0}}, 0.02);
    made_start(&m);
    made_throw(&m, card, v3(3, 0, 0), v3(0, 0, 0));
    made_run(&m, 2);
    double way = 9.0 / (2 * 0.5 * MADE_G);
    made_near(made_at(&m, card).x + 1, way, 0.01 * way, "way");
    made_close(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sheet_that_falls_on_a_sheet_lies_on_it),
        cmocka_unit_test(cups_thrown_at_a_thin_wall_stay_on_their_side),
        cmocka_unit_test(an_arm_that_shoots_past_a_sheet_is_noted),
        cmocka_unit_test(two_sheets_thrown_at_each_other_part_as_momentum_says),
        cmocka_unit_test(a_sliding_card_keeps_its_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
