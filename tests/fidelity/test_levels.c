// tests/fidelity/test_levels.c - bodies that are lowered stand, collide or do not, and come back as
// they were.
#include <math.h>

#include "projector/world/levels.h"
#include "tests/scene/world_text.h"
#include "tests/world/lonely.h"

static const nanos DT = 2000000;

typedef struct scene {
    world_model *world;
    sim *sim;
    nanos now;
} scene;

// A floor, and boxes of 10 cm and 0.4 kg where `bodies` says. Body 0 is the floor.
static scene scene_make(const char *bodies) {
    char text[4000];
    error err = {0};
    scene s = {0};
    snprintf(
        text, sizeof text,
        "world: levels\ntypes:\n  box: { friction: 0.5, mass: 0.4, shapes: [ { box: [0.1, 0.1, "
        "0.1] } ] }\nbodies:\n  floor: { friction: 0.5, shapes: [ { plane: true } ], fixed: "
        "true }\n%srobot_at: [-50, -50, 0]\n",
        bodies);
    s.world = world_good(text);
    if (sim_create(s.world, lonely_robot(), NULL, &s.sim, &err) != OK)
        fail_msg("%s", err.text);
    return s;
}

static void scene_run(scene *s, double seconds_long) {
    error err = {0};
    for (nanos end = s->now + nanos_from_seconds(seconds_long); s->now < end; s->now += DT)
        if (model_step(sim_model(s->sim), s->now, DT, &err) != OK)
            fail_msg("%s", err.text);
}

static void scene_end(scene *s) {
    sim_destroy(s->sim);
    world_destroy(s->world);
}

// One box on another, and one that falls beside them onto the floor.
#define TOWER                                                                                      \
    "  low: { type: box, at: [0, 0, 0.05] }\n"                                                     \
    "  high: { type: box, at: [0, 0, 0.15] }\n"                                                    \
    "  falls: { type: box, at: [0, 0.02, 0.45] }\n"

static void a_standing_body_is_not_woken_by_what_falls_on_it(void **state) {
    (void)state;
    scene s = scene_make(TOWER);
    sim_lower(s.sim, 2, LEVEL_STANDING);
    pose before = sim_pose(s.sim, 2);
    scene_run(&s, 2);
    assert_int_equal(sim_level(s.sim, 2), LEVEL_STANDING);
    assert_true(sim_asleep(s.sim, 2));
    pose after = sim_pose(s.sim, 2);
    assert_true(before.p.x == after.p.x && before.p.y == after.p.y && before.p.z == after.p.z);
    // It bears what fell on it, and that has come to rest.
    assert_true(sim_asleep(s.sim, 3));
    assert_true(fabs(sim_pose(s.sim, 3).p.z - 0.25) < 1e-3);
    scene_end(&s);
}

static void scenery_is_no_obstacle(void **state) {
    (void)state;
    scene s = scene_make(TOWER);
    scene_run(&s, 0.01);
    sim_lower(s.sim, 1, LEVEL_STANDING);
    sim_lower(s.sim, 2, LEVEL_SCENERY);
    scene_run(&s, 2);
    assert_true(fabs(sim_pose(s.sim, 3).p.z - 0.15) < 1e-3); // through it, onto the one below
    scene_end(&s);
}

static void what_is_raised_moves_again(void **state) {
    (void)state;
    scene s = scene_make("  box_1: { type: box, at: [0, 0, 0.05] }\n"
                         "  box_2: { type: box, at: [0, 0, 0.5] }\n");
    double depth;
    sim_lower(s.sim, 2, LEVEL_STANDING);
    scene_run(&s, 0.5);
    assert_true(fabs(sim_pose(s.sim, 2).p.z - 0.5) < 1e-9);
    assert_true(sim_raise(s.sim, 2, false, &depth));
    scene_run(&s, 0.2);
    assert_true(fabs(sim_pose(s.sim, 2).p.z - 0.5) < 1e-9); // asleep until something touches it
    sim_lower(s.sim, 2, LEVEL_STANDING);
    assert_true(sim_raise(s.sim, 2, true, &depth));
    scene_run(&s, 1);
    assert_int_equal(sim_level(s.sim, 2), LEVEL_FULL);
    assert_true(fabs(sim_pose(s.sim, 2).p.z - 0.15) < 1e-3);
    scene_end(&s);
}

static void what_is_raised_as_it_was_wakes_by_a_touch(void **state) {
    (void)state;
    scene s = scene_make(TOWER);
    double depth;
    sim_lower(s.sim, 2, LEVEL_STANDING);
    assert_true(sim_raise(s.sim, 2, false, &depth) && sim_asleep(s.sim, 2));
    scene_run(&s, 0.25); // the third box has come down on it by now
    assert_false(sim_asleep(s.sim, 2));
    scene_end(&s);
}

static void an_event_raises_what_it_moves(void **state) {
    (void)state;
    scene s =
        scene_make("  box_1: { type: box, at: [0, 0, 0.05] }\n"
                   "events:\n"
                   "  - { name: push, at: 0.1, force: { body: box_1, force: [20, 0, 0] } }\n");
    sim_lower(s.sim, 1, LEVEL_STANDING);
    scene_run(&s, 1);
    assert_int_equal(sim_level(s.sim, 1), LEVEL_FULL);
    assert_true(sim_pose(s.sim, 1).p.x > 0.05);
    scene_end(&s);
}

static void what_cannot_move_by_itself_cannot_be_lowered(void **state) {
    (void)state;
    scene s = scene_make("  door: { mass: 1, shapes: [ { box: [0.1, 1, 1] } ], at: [6, 0, 1] }\n"
                         "  box_1: { type: box, at: [0, 0, 0.05] }\n"
                         "  later: { type: box, at: [3, 0, 0.05], absent: true }\n"
                         "joints:\n  h: { kind: hinge, body: door, at: [6, 0.5, 1], axis: [0, 0, "
                         "1], limits: [0, 90] }\n");
    assert_false(sim_lowerable(s.sim, 0));
    assert_false(sim_lowerable(s.sim, 1));
    assert_true(sim_lowerable(s.sim, 2));
    assert_false(sim_lowerable(s.sim, 3));
    scene_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_standing_body_is_not_woken_by_what_falls_on_it),
        cmocka_unit_test(scenery_is_no_obstacle),
        cmocka_unit_test(what_is_raised_moves_again),
        cmocka_unit_test(what_is_raised_as_it_was_wakes_by_a_touch),
        cmocka_unit_test(an_event_raises_what_it_moves),
        cmocka_unit_test(what_cannot_move_by_itself_cannot_be_lowered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
