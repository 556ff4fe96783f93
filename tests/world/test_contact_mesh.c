// tests/world/test_contact_mesh.c - bodies of triangle meshes: at rest, in the grip, and at speed.
#include "tests/world/contact_cases.h"
#include "tests/world/meshes.h"

static const double CUP[6][2] = {{0, -0.05},     {0.0375, -0.05},  {0.0375, 0.05},
                                 {0.0345, 0.05}, {0.0345, -0.047}, {0, -0.047}};
static const double PLATE[6][2] = {{0, -0.0125},    {0.07, -0.0125},  {0.11, 0.0125},
                                   {0.107, 0.0125}, {0.068, -0.0095}, {0, -0.0095}};
static const double CAN[4][2] = {{0, -0.04}, {0.03, -0.04}, {0.03, 0.04}, {0, 0.04}};

static shape solid(shape_kind kind, vec3 size) {
    return (shape){.kind = kind, .at = POSE_IDENTITY, .size = size};
}

// Drops `thing` on `table` and compares where it comes to rest with where it should.
static void drop(const char *what, shape table, shape thing, double height) {
    static made m;
    made_open(&m);
    m.sleepless = true;
    size_t under =
        made_add_shape(&m, "table", table, (pose){v3(0, 0, -table.size.z / 2), {1, 0, 0, 0}}, 0);
    pose at = {v3(0.003, 0.002, thing.size.z / 2 + height), quat_axis_angle(v3(0, 0, 1), 0.3)};
    size_t body = made_add_shape(&m, "thing", thing, at, 0.3);
    made_start(&m);
    made_run(&m, 1.5);
    vec3 early = made_at(&m, body);
    made_run(&m, 2);
    vec3 late = made_at(&m, body), up = quat_rotate(sim_pose(m.sim, body).q, v3(0, 0, 1));
    const sim_contact *c = made_contact(&m, under, body);
    assert_non_null(c);
    if (fabs(late.z - thing.size.z / 2) > 1e-4 || hypot(late.x - 0.003, late.y - 0.002) > 1e-3 ||
        up.z < cos(2e-3) || v3_distance(early, late) > 1e-4)
        fail_msg("%s: %.3f mm high, %.3f mm aside, tilted by %.4f, moved by %.4f mm", what,
                 1e3 * (late.z - thing.size.z / 2), 1e3 * hypot(late.x - 0.003, late.y - 0.002),
                 acos(fmin(up.z, 1)), 1e3 * v3_distance(early, late));
    made_near(c->force.z, 0.3 * MADE_G, 0.01 * 0.3 * MADE_G, what);
    made_close(&m);
}

static void meshes_rest_on_boxes_cylinders_and_meshes_like_primitive_shapes(void **state) {
    (void)state;
    arena *a = arena_create();
    const shape tables[3] = {solid(SHAPE_BOX, v3(0.4, 0.4, 0.1)),
                             solid(SHAPE_CYLINDER, v3(0.2, 0, 0.1)),
                             mesh_shape(mesh_box(a, v3(0.4, 0.4, 0.1)))};
    const shape things[5] = {
        mesh_shape(mesh_box(a, v3(0.1, 0.08, 0.06))), mesh_shape(mesh_turned(a, CAN, 4, 32)),
        mesh_shape(mesh_turned(a, CUP, 6, 24)), mesh_shape(mesh_turned(a, PLATE, 6, 32)),
        solid(SHAPE_BOX, v3(0.1, 0.08, 0.06))};
    static const char *names[5] = {"mesh box", "mesh can", "mesh cup", "mesh plate", "box"};
    for (int t = 0; t < 3; t++)
        for (int k = 0; k < 5; k++)
            for (int h = 0; h < 2; h++)
                drop(names[k], tables[t], things[k], 0.05 * h);
    drop("can on mesh", tables[2], solid(SHAPE_CYLINDER, v3(0.03, 0, 0.08)), 0.05);
    arena_destroy(a);
}

static void four_mesh_plates_stand_in_each_other_and_fall_asleep(void **state) {
    (void)state;
    arena *a = arena_create();
    shape plate = mesh_shape(mesh_turned(a, PLATE, 6, 24));
    static made m;
    made_open(&m);
    made_floor(&m);
    size_t body[4];
    for (int i = 0; i < 4; i++)
        body[i] = made_add_shape(&m, "plate", plate,
                                 (pose){v3(0, 0, 0.0126 + 0.0255 * i), {1, 0, 0, 0}}, 0.3);
    made_start(&m);
    made_run(&m, 3);
    for (int i = 0; i < 4; i++) {
        vec3 p = made_at(&m, body[i]);
        assert_true(hypot(p.x, p.y) < 2e-3);
        assert_true(sim_asleep(m.sim, body[i]));
        if (i > 0) // in the plate below, not through it
            assert_true(p.z - made_at(&m, body[i - 1]).z > 2e-3);
    }
    made_close(&m);
    arena_destroy(a);
}

// Like primitive ones: within two percent. A can of 32 facets is held at one facet or at an edge.
static void a_held_mesh_slips_where_coulomb_says(void **state) {
    (void)state;
    arena *a = arena_create();
    const shape things[2] = {mesh_shape(mesh_box(a, v3(0.06, 0.06, 0.08))),
                             mesh_shape(mesh_turned(a, CAN, 4, 32))};
    for (int k = 0; k < 2; k++)
        for (int t = 0; t < 3; t++) {
            grip_case c = {things[k], 0.4, 15, 1, CASE_TURNS[t]};
            case_slip_onset(&c, 0.02);
        }
    arena_destroy(a);
}

static void held_meshes_creep_at_most_a_tenth_of_a_millimetre_in_ten_seconds(void **state) {
    (void)state;
    arena *a = arena_create();
    const shape things[3] = {mesh_shape(mesh_box(a, v3(0.06, 0.06, 0.08))),
                             mesh_shape(mesh_turned(a, CAN, 4, 32)),
                             mesh_shape(mesh_turned(a, CUP, 6, 24))};
    for (int k = 0; k < 3; k++)
        made_near(case_creep(things[k], 0.3, 10, 0, 10), 0, 1e-4, "creep");
    arena_destroy(a);
}

// What is 40 mm high or a plate, on what is 30 mm thick: flat, tilted and upside down.
static void nothing_tunnels_at_five_metres_per_second(void **state) {
    (void)state;
    arena *a = arena_create();
    static const double can[4][2] = {{0, -0.02}, {0.02, -0.02}, {0.02, 0.02}, {0, 0.02}};
    const shape tables[3] = {solid(SHAPE_BOX, v3(2, 2, 0.03)),
                             solid(SHAPE_CYLINDER, v3(1, 0, 0.03)),
                             mesh_shape(mesh_box(a, v3(2, 2, 0.03)))};
    const shape things[5] = {
        solid(SHAPE_BOX, v3(0.04, 0.04, 0.04)), mesh_shape(mesh_box(a, v3(0.04, 0.04, 0.04))),
        mesh_shape(mesh_turned(a, can, 4, 24)), mesh_shape(mesh_turned(a, CUP, 6, 24)),
        mesh_shape(mesh_turned(a, PLATE, 6, 24))};
    static const vec3 turns[3] = {{0, 0, 0}, {0.5, 0.2, 0.1}, {PI, 0, 0}};
    for (int t = 0; t < 3; t++)
        for (int k = 0; k < 5; k++)
            for (int i = 0; i < 9; i++) {
                static made m;
                made_open(&m);
                made_add_shape(&m, "table", tables[t], (pose){v3(0, 0, -0.015), {1, 0, 0, 0}}, 0);
                pose at = {v3(0.003, 0.002, 0.2 + 0.0031 * (i / 3)), quat_exp(turns[i % 3])};
                size_t body = made_add_shape(&m, "thing", things[k], at, 0.3);
                made_start(&m);
                made_throw(&m, body, v3(0, 0, -5), v3(0, 0, 0));
                made_run(&m, 0.4);
                if (made_at(&m, body).z < 0)
                    fail_msg("thing %d went through table %d", k, t);
                made_close(&m);
            }
    arena_destroy(a);
}

// A cup thrown at a mesh table, tumbling: every pose on the way.
static void tumble(pose *way, int count) {
    arena *a = arena_create();
    static made m;
    made_open(&m);
    made_add_shape(&m, "table", mesh_shape(mesh_box(a, v3(2, 2, 0.03))),
                   (pose){v3(0, 0, -0.015), {1, 0, 0, 0}}, 0);
    size_t cup = made_add_shape(&m, "cup", mesh_shape(mesh_turned(a, CUP, 6, 24)),
                                (pose){v3(0, 0, 0.3), {1, 0, 0, 0}}, 0.2);
    made_start(&m);
    made_throw(&m, cup, v3(0.5, 0.2, -1), v3(5, 3, 1));
    for (int i = 0; i < count; i++) {
        made_step(&m);
        way[i] = sim_pose(m.sim, cup);
    }
    made_close(&m);
    arena_destroy(a);
}

static void meshes_give_equal_bits_again(void **state) {
    (void)state;
    enum { COUNT = 600 };
    static pose first[COUNT], second[COUNT];
    tumble(first, COUNT);
    tumble(second, COUNT);
    assert_memory_equal(first, second, sizeof first);
    assert_true(first[COUNT - 1].p.z > 0); // and it lies on the table
}

static void a_link_of_a_mesh_carries_and_is_stopped(void **state) {
    (void)state;
    arena *a = arena_create();
    static made m;
    static shape top;
    made_open(&m);
    top = mesh_shape(mesh_box(a, v3(0.5, 0.5, 0.2)));
    top.at.p.z = 0.3;
    m.links[0].shapes = &top;
    m.links[0].shape_count = 1;
    m.world.robot_at = POSE_IDENTITY;
    size_t wall = made_add(&m, "wall", SHAPE_BOX, v3(0.1, 1, 1), v3(1.3, 0, 0.5), 0);
    size_t load = made_add(&m, "load", SHAPE_BOX, v3(0.1, 0.1, 0.1), v3(0, 0, 0.45), 1);
    made_start(&m);
    made_run(&m, 0.2);
    sim_set_base(m.sim, 0.4, 0, 0);
    made_run(&m, 2);
    vec3 on = v3_sub(made_at(&m, load), sim_base(m.sim).p);
    assert_true(sim_base(m.sim).p.x > 0.5);
    made_near(v3_distance(on, v3(0, 0, 0.45)), 0, 1e-3, "load");
    made_run(&m, 3);
    made_near(sim_base(m.sim).p.x, 1, 5e-3, "stopped");
    const sim_contact *c = made_contact(&m, wall, sim_entity_link(m.sim, 0));
    assert_non_null(c);
    made_near(fabs(c->force.x), m.robot.base_max_force, 0.05 * m.robot.base_max_force, "push");
    made_close(&m);
    arena_destroy(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_rest_on_boxes_cylinders_and_meshes_like_primitive_shapes),
        cmocka_unit_test(four_mesh_plates_stand_in_each_other_and_fall_asleep),
        cmocka_unit_test(a_held_mesh_slips_where_coulomb_says),
        cmocka_unit_test(held_meshes_creep_at_most_a_tenth_of_a_millimetre_in_ten_seconds),
        cmocka_unit_test(a_link_of_a_mesh_carries_and_is_stopped),
        cmocka_unit_test(meshes_give_equal_bits_again),
        cmocka_unit_test(nothing_tunnels_at_five_metres_per_second),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
