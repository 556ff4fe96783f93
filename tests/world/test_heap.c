// tests/world/test_heap.c - islands of many contacts keep the laws that small ones keep.
#include <math.h>
#include <unistd.h>

#include "projector/world/sim.h"
#include "tests/testlib.h"
#include "tests/world/lonely.h"

static const nanos DT = 2000000;

typedef struct scene {
    world_model *world;
    sim *sim;
    nanos now;
} scene;

// A floor, and boxes of 0.4 kg and 10 cm where `bodies` says; mu = 0.5; gravity as it is given.
static scene scene_make(const char *gravity, const char *bodies, bool sleepless) {
    char path[] = "/tmp/test_heap_XXXXXX.yaml";
    scene s = {0};
    settings none = {0};
    errors list = {0};
    error err = {0};
    int fd = mkstemps(path, 5);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    assert_non_null(f);
    fprintf(f,
            "world: heap\ngravity: %s\nmaterials:\n  wood: { friction: 0.5 }\ntypes:\n"
            "  box: { material: wood, mass: 0.4, shapes: [ { box: [0.1, 0.1, 0.1] } ] }\nbodies:\n"
            "  floor: { material: wood, shapes: [ { plane: true } ], fixed: true }\n%s"
            "robot_at: [-50, -50, 0]\n",
            gravity, bodies);
    fclose(f);
    if (world_load(path, NULL, &none, &s.world, &list) != OK)
        fail_msg("%s", list.items[0].text);
    unlink(path);
    sim_options o = sim_options_default();
    o.sleepless = sleepless;
    if (sim_create(s.world, lonely_robot(), &o, &s.sim, &err) != OK)
        fail_msg("%s", err.text);
    return s;
}

static void scene_run(scene *s, double seconds_long) {
    error err = {0};
    for (nanos end = s->now + (nanos)(seconds_long * 1e9); s->now < end; s->now += DT)
        if (model_step(sim_model(s->sim), s->now, DT, &err) != OK)
            fail_msg("%s", err.text);
}

static void scene_end(scene *s) {
    sim_destroy(s->sim);
    world_destroy(s->world);
}

static void near(double x, double wanted, double within) {
    if (!(fabs(x - wanted) <= within))
        fail_msg("%.9g is not %.9g within %.2g", x, wanted, within);
}

static char text[20000];

static const char *stack_of(int n) {
    int used = 0;
    for (int i = 0; i < n; i++)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "  box_%d: { type: box, at: [0, 0, %g] }\n", i, 0.05 + 0.1 * i);
    return text;
}

// A stack of thirty, whose boxes touch or not as the last digit of their places says, ends where it
// was drawn.
static void the_tallest_stack_neither_sinks_nor_leans(void **state) {
    (void)state;
    scene s = scene_make("[0, 0, -9.81]", stack_of(30), true);
    scene_run(&s, 10);
    for (size_t i = 0; i < 30; i++) {
        vec3 p = sim_pose(s.sim, i + 1).p;
        assert_true(v3_length(v3_sub(p, v3(0, 0, 0.05 + 0.1 * (double)i))) < 1e-3);
    }
    scene_end(&s);
}

// Boxes that stand side by side and press on one another, `side` by `side`, all but the last row
// carrying another one.
static const char *pile_of(int side) {
    int used = 0, number = 0;
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++)
            for (int k = 0; k < (i + 1 < side && j + 1 < side ? 2 : 1); k++)
                used += snprintf(text + used, sizeof text - (size_t)used,
                                 "  box_%d: { type: box, at: [%g, %g, %g] }\n", number++,
                                 0.1 * i + 0.05 * k, 0.1 * j + 0.05 * k, 0.05 + 0.1 * k);
    return text;
}

static size_t bodies_in(const scene *s) {
    return s->world->body_count - 1;
}

// How much all contacts with the floor press on it, N.
static double pressed(const scene *s) {
    size_t count;
    const sim_contact *all = sim_contacts(s->sim, &count);
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        if (all[i].a == 0)
            sum += fabs(all[i].force.z);
    return sum;
}

static void a_tall_stack_stands_and_weighs_what_it_weighs(void **state) {
    (void)state;
    scene s = scene_make("[0, 0, -9.81]", stack_of(16), true);
    scene_run(&s, 2);
    double start[16][3];
    for (size_t i = 0; i < 16; i++) {
        vec3 p = sim_pose(s.sim, i + 1).p;
        start[i][0] = p.x, start[i][1] = p.y, start[i][2] = p.z;
        assert_true(sim_heaped(s.sim, i + 1));
    }
    scene_run(&s, 8);
    for (size_t i = 0; i < 16; i++) {
        vec3 p = sim_pose(s.sim, i + 1).p;
        assert_true(hypot(p.x, p.y) < 1e-3);
        assert_true(v3_length(v3_sub(p, v3(start[i][0], start[i][1], start[i][2]))) < 1e-4);
    }
    near(pressed(&s), 16 * 0.4 * 9.81, 0.01);
    scene_end(&s);
}

// The exact solver lets boxes sink through the contact's layer of 0.05 mm, a tall stack's come up
// in it.
static void across_the_border_between_the_solvers_boxes_sink_no_deeper(void **state) {
    (void)state;
    double low[2];
    for (int k = 0; k < 2; k++) {
        int n = k ? 16 : 10;
        scene s = scene_make("[0, 0, -9.81]", stack_of(n), true);
        scene_run(&s, 3);
        assert_int_equal(sim_heaped(s.sim, 1), k);
        low[k] = (0.1 * n - 0.05 - sim_pose(s.sim, (size_t)n).p.z) / n;
        scene_end(&s);
    }
    near(low[0], 5e-5, 5e-6);
    near(low[1], 2e-5, 1e-5);
}

// The pile holds where the floor leans a little less than friction can bear, and slides where it
// leans a little more, with the acceleration that friction leaves: within 8 %, where a thing by
// itself keeps 2 %.
static void a_pile_slides_where_friction_ends(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        double lean = atan(0.5) * (k ? 1.1 : 0.9), g = 9.81;
        char gravity[100];
        snprintf(gravity, sizeof gravity, "[%.9f, 0, %.9f]", g * sin(lean), -g * cos(lean));
        scene s = scene_make(gravity, pile_of(4), true);
        scene_run(&s, 0.5);
        assert_true(sim_heaped(s.sim, 1));
        double from = 0, to = 0, before = 0;
        size_t n = bodies_in(&s);
        vec3 v, w;
        for (size_t i = 1; i <= n; i++) {
            sim_velocity(s.sim, i, &v, &w);
            before += v.x / (double)n;
            from += sim_pose(s.sim, i).p.x / (double)n;
        }
        scene_run(&s, 0.5);
        double after = 0;
        for (size_t i = 1; i <= n; i++) {
            sim_velocity(s.sim, i, &v, &w);
            after += v.x / (double)n;
            to += sim_pose(s.sim, i).p.x / (double)n;
        }
        if (k == 0)
            near(to, from, 1e-4);
        else
            near((g * sin(lean) - (after - before) / 0.5) / (g * cos(lean)), 0.5, 0.04);
        scene_end(&s);
    }
}

// Two stacks that fly into each other far from everything keep their momentum.
static void a_crash_keeps_momentum(void **state) {
    (void)state;
    int used = 0;
    for (int i = 0; i < 24; i++)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "  box_%d: { type: box, at: [%g, %g, %g], velocity: [%g, 0, 0] }\n", i,
                         i < 12 ? 0 : 0.17 + 0.003 * (i % 5), 0.1 * (i % 3), 5 + 0.1 * (i / 3 % 4),
                         i < 12 ? 1.5 : -0.5);
    scene s = scene_make("[0, 0, 0]", text, true);
    bool heaped = false;
    for (int k = 0; k < 250; k++) {
        scene_run(&s, 0.002);
        for (size_t i = 1; i <= 24; i++)
            heaped |= sim_heaped(s.sim, i);
    }
    assert_true(heaped);
    vec3 sum = v3(0, 0, 0), v, w;
    for (size_t i = 1; i <= 24; i++) {
        sim_velocity(s.sim, i, &v, &w);
        sum = v3_add(sum, v3_scale(v, 0.4));
    }
    near(sum.x, 12 * 0.4 * (1.5 - 0.5), 1e-6);
    near(sum.y, 0, 1e-6);
    near(sum.z, 0, 1e-6);
    scene_end(&s);
}

// Boxes that are poured into a crate any way round tremble where they lie, and fall asleep.
static void what_is_poured_into_a_crate_falls_asleep(void **state) {
    (void)state;
    enum { BOXES = 36, WALLS = 4 };
    int used = 0;
    for (int k = 0; k < WALLS; k++) {
        double off = k % 2 ? 0.2 : -0.2;
        used +=
            snprintf(text + used, sizeof text - (size_t)used,
                     "  wall_%d: { shapes: [ { box: [%g, %g, 2] } ], at: [%g, %g, 1], fixed: "
                     "true }\n",
                     k, k < 2 ? 0.02 : 0.42, k < 2 ? 0.38 : 0.02, k < 2 ? off : 0, k < 2 ? 0 : off);
    }
    for (int i = 0; i < BOXES; i++)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "  box_%d: { type: box, at: { position: [%g, %g, %g], rpy: [%d, %d, %d] } "
                         "}\n",
                         i, 0.18 * (i % 2) - 0.09, 0.18 * (i / 2 % 2) - 0.09, 0.1 + 0.18 * (i / 4),
                         i * 97 % 360, i * 61 % 360, i * 151 % 360);
    scene s = scene_make("[0, 0, -9.81]", text, false);
    size_t awake = BOXES;
    for (int k = 0; k < 40 && awake > 0; k++) {
        scene_run(&s, 0.1);
        sim_awake(s.sim, &awake);
    }
    assert_int_equal(awake, 0);
    scene_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tall_stack_stands_and_weighs_what_it_weighs),
        cmocka_unit_test(the_tallest_stack_neither_sinks_nor_leans),
        cmocka_unit_test(across_the_border_between_the_solvers_boxes_sink_no_deeper),
        cmocka_unit_test(a_pile_slides_where_friction_ends),
        cmocka_unit_test(a_crash_keeps_momentum),
        cmocka_unit_test(what_is_poured_into_a_crate_falls_asleep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
