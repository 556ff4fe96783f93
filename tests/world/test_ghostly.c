// tests/world/test_ghostly.c - what an intervention takes away from contacts: pairs that pass
// through each other, and pads that grip whatever they hold.
#include "scene/intervene.h"
#include "tests/world/rig.h"

#define RIG_YARD FORESEE_SOURCE_DIR "/tests/scenes/yard.yaml"

static void change(rig *g, const char *text) {
    arena *memory = arena_create();
    const term *t = NULL;
    error err = {0};
    assert_int_equal(term_parse(memory, "change", text, strlen(text), 1, 1, &t, &err), OK);
    if (change_make(t, g->world, g->robot, &err) != OK)
        fail_msg("%s: %s", text, err.text);
    arena_destroy(memory);
}

// How far back the base comes within eight seconds.
static double driven(const char *made) {
    rig g;
    rig_load(&g, RIG_YARD, NULL);
    if (made)
        change(&g, made);
    rig_start(&g);
    double start = sim_base(g.sim).p.x;
    sim_set_base(g.sim, -0.6, 0, 0);
    rig_run(&g, 8);
    double way = start - sim_base(g.sim).p.x;
    rig_close(&g);
    return way;
}

static void a_pair_that_is_ghostly_passes_and_others_collide_as_before(void **state) {
    (void)state;
    double stalled = driven(NULL);
    assert_true(stalled < 1);
    assert_true(driven("ghostly(robot, back_wall)") > 4);
    assert_true(driven("ghostly(back_wall, robot)") > 4);
    assert_true(driven("ghostly(robot, front_wall)") == stalled);
}

// How far the box in the left hand moves in it while it is lifted.
static double sunk(const char *friction, const char *made) {
    rig g;
    rig_load(&g, RIG_GRIP, (const char *const[]){"friction", friction, NULL});
    if (made)
        change(&g, made);
    rig_start(&g);
    rig_lift(&g, 0.05, 1, 0.5);
    rig_run(&g, 0.1);
    sim_set_gripper(g.sim, 0, 0, 10, true);
    rig_run(&g, 0.6);
    size_t box = rig_body(&g, "box");
    double before = rig_in_hand(&g, box, 0).z;
    rig_lift(&g, 0.25, 0.3, 0.15);
    rig_run(&g, 0.5);
    double way = fabs(rig_in_hand(&g, box, 0).z - before);
    rig_close(&g);
    return way;
}

static void pads_that_are_too_smooth_grip_with_the_friction_that_is_believed(void **state) {
    (void)state;
    assert_true(sunk("0.6", NULL) < 1e-3);
    assert_true(sunk("0.05", NULL) > 0.01);
    assert_true(sunk("0.05", "pads_as_believed") < 1e-3);
    assert_true(sunk("0.05", "firm_grip") < 1e-3);
    assert_true(sunk("0.05", "no_ghosts") > 0.01);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pair_that_is_ghostly_passes_and_others_collide_as_before),
        cmocka_unit_test(pads_that_are_too_smooth_grip_with_the_friction_that_is_believed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
