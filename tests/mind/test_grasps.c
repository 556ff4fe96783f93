// tests/mind/test_grasps.c - grasps from the side, by handles and with two hands.
#include "tests/mind/rig.h"

#include <math.h>

static void must(rig_result x, const char *what) {
    if (x.state != ACTION_DONE)
        fail_msg("%s: %s: %s", what, x.failure.class, x.failure.reason);
}

static void look_at_the_counter(rig *r) {
    must(rig_do(r, "navigate", "to", "view(counter_top)", NULL), "navigate");
    must(rig_do(r, "look_at", "at", "counter_top", NULL), "look_at");
    must(rig_do(r, "detect", NULL), "detect");
}

static void hold(rig *r, const char *text) {
    error err = {0};
    assert_int_equal(belief_assert(r->belief, rig_term(r, text), 1, r->t, &err), OK);
}

static double upright(const rig *r, const char *object) {
    return quat_rotate(belief_find(r->belief, object)->at.q, v3(0, 0, 1)).z;
}

// ---- From the side ------------------------------------------------------------------------------
static const grasp_way FROM_SIDE = {
    .kind = GRASP_SIDE, .width = 0.075, .low = 0.02, .high = 0.10, .at = {.q = {1, 0, 0, 0}}};

static void from_the_side_the_hand_is_level_and_the_pads_straddle_the_axis(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    rig_grasps(r, "cup", &FROM_SIDE, 1);
    look_at_the_counter(r);
    const believed_object *cup = belief_find(r->belief, "cup#1");
    grasp_pose all[GRASPS_MAX];
    size_t count = grasp_candidates(&r->mind, cup, 0, 0, all);
    assert_int_equal(count, 32);
    for (size_t k = 0; k < count; k++) {
        vec3 approach = quat_rotate(all[k].tool.q, v3(0, 0, 1)),
             across = quat_rotate(all[k].tool.q, v3(0, 1, 0));
        assert_true(fabs(approach.z) < 0.03 && fabs(across.z) < 0.03);
        vec3 off = v3_sub(all[k].tool.p, cup->at.p);
        assert_true(hypot(off.x, off.y) < 0.01 && off.z > 0.03 && off.z < 0.09);
        pose before = grasp_before(all[k].tool, 0.1);
        assert_true(fabs(v3_distance(before.p, all[k].tool.p) - 0.1) < 1e-9);
        assert_true(v3_dot(v3_sub(all[k].tool.p, before.p), approach) > 0.0999);
    }
    // No grasp from above is left then.
    assert_int_equal(grasp_candidates(&r->mind, cup, 0, 1u << GRASP_TOP, all), 0);
    rig_destroy(r);
}

// The pads are 4 cm high and 4 cm wide; docs/worlds.md says what follows from that.
static void the_measures_of_the_pads_bound_where_a_hand_takes_hold(void **state) {
    (void)state;
    static const struct {
        const char *type, *name;
        grasp_kind kind;
        double low, high, tool; // height of the pads' centres over the body's origin
    } cases[] = {
        {"plate", "plate#1", GRASP_TOP, 0, 0.02, 0.023}, // half a pad and 3 mm over `low`
        {"plate", "plate#1", GRASP_TOP, 0.01, 0.03, 0.033},
        {"plate", "plate#1", GRASP_TOP, 0, 0.06, 0.03}, // the middle, where that is higher
        {"cup", "cup#1", GRASP_TOP, 0, 0.05, 0.065},    // the palm 5 mm over the top
        {"cup", "cup#1", GRASP_SIDE, 0, 0.10, 0.065},   // half the palm and 3 cm over its stand
        {"cup", "cup#1", GRASP_SIDE, 0, 0.06, 0.04}};   // half a pad under `high`
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rig *r = rig_create(1, 0);
        grasp_way way = {.kind = cases[i].kind,
                         .width = 0.01,
                         .low = cases[i].low,
                         .high = cases[i].high,
                         .at = {.q = {1, 0, 0, 0}}};
        rig_grasps(r, cases[i].type, &way, 1);
        look_at_the_counter(r);
        const believed_object *o = belief_find(r->belief, cases[i].name);
        grasp_pose all[GRASPS_MAX];
        size_t count = grasp_candidates(&r->mind, o, 0, 0, all);
        assert_true(count > 0);
        for (size_t k = 0; k < count; k++) {
            double z = pose_mul(pose_inverse(o->at), all[k].tool).p.z;
            if (fabs(z - cases[i].tool) > 1e-6)
                fail_msg("case %zu: the pads' centres are %.4f m over the body", i, z);
        }
        rig_destroy(r);
    }
}

static void a_cup_is_taken_from_the_side_carried_upright_and_put_down(void **state) {
    (void)state;
    for (int cup = 1; cup <= 3; cup++) {
        rig *r = rig_create((uint64_t)cup, 1);
        rig_grasps(r, "cup", &FROM_SIDE, 1);
        look_at_the_counter(r);
        char object[16], text[96];
        snprintf(object, sizeof object, "'cup#%d'", cup);
        snprintf(text, sizeof text, "reach(%s, left)", object);
        must(rig_do(r, "navigate", "to", text, NULL), text);
        must(rig_do(r, "localise", NULL), "localise");
        must(rig_do(r, "look_at", "at", object, NULL), "look_at");
        must(rig_do(r, "detect", NULL), "detect");
        must(rig_do(r, "open_gripper", "arm", "left", "object", object, NULL), "open");
        snprintf(text, sizeof text, "before(%s)", object);
        must(rig_do(r, "move_arm", "arm", "left", "to", text, "grasp", "side", NULL), text);
        snprintf(text, sizeof text, "grasp(%s)", object);
        must(rig_do(r, "move_arm", "arm", "left", "to", text, "grasp", "side", NULL), text);
        must(rig_do(r, "close_gripper", "arm", "left", "object", object, NULL), "close");
        snprintf(text, sizeof text, "object_in_hand(%s, left)", object);
        hold(r, text);
        must(rig_do(r, "move_arm", "arm", "left", "to", "lift(0.08)", NULL), "lift");
        must(rig_do(r, "move_arm", "arm", "left", "to", "carry", NULL), "carry");
        snprintf(text, sizeof text, "cup#%d", cup);
        assert_true(upright(r, text) > 0.99);
        must(rig_do(r, "navigate", "to", "place(within(cup_spot_1), left)", NULL), "navigate");
        must(rig_do(r, "localise", NULL), "localise");
        must(rig_do(r, "move_arm", "arm", "left", "to", "over(within(cup_spot_1))", NULL), "over");
        must(rig_do(r, "move_arm", "arm", "left", "to", "release(within(cup_spot_1))", NULL),
             "release");
        assert_true(upright(r, text) > 0.999);
        must(rig_do(r, "open_gripper", "arm", "left", NULL), "open");
        must(rig_do(r, "move_arm", "arm", "left", "to", "back(0.12)", NULL), "back");
        must(rig_do(r, "move_arm", "arm", "left", "to", "park", NULL), "park");
        const world_region *g = &r->known->regions[world_find_region(r->known, "cup_spot_1")];
        vec3 goal = pose_mul(r->known->bodies[g->body].at, g->at).p;
        const believed_object *o = belief_find(r->belief, text);
        assert_true(v3_distance(goal, r->objects[rig_body_of(r, o)].p) < 0.04);
        rig_destroy(r);
    }
}

// ---- With two hands -----------------------------------------------------------------------------
static double between_hands(const rig *r, pose *relative) {
    pose links[64];
    robot_forward(r->robot, r->base, r->q, links);
    *relative =
        pose_mul(pose_inverse(robot_tool(r->robot, 0, links)), robot_tool(r->robot, 1, links));
    return v3_length(relative->p);
}

// Moves both arms, and checks that the pose of one hand in the frame of the other stays the same.
static void move_together(rig *r, const char *to) {
    const action_argument args[1] = {{"to", rig_term(r, to)}};
    pose before, now;
    between_hands(r, &before);
    action *act;
    error err = {0};
    action_state s = ACTION_RUNNING;
    const term *result;
    action_failure failure = {0};
    if (action_begin(&r->mind, "move_arms", args, 1, 1, "test", r->t, &act, &err) != OK)
        fail_msg("%s", err.text);
    double shift = 0, turn = 0;
    while (s == ACTION_RUNNING) {
        reading in;
        while (r->body.next(r, &in))
            assert_int_equal(belief_read(r->belief, &in, &err), OK);
        assert_int_equal(action_step(act, r->scratch, r->t, &s, &result, &failure, &err), OK);
        rig_move(r);
        assert_true(r->worst_joint_speed <= 1.001);
        assert_true(r->worst_joint_acceleration <= 1.1);
        between_hands(r, &now);
        shift = fmax(shift, v3_distance(now.p, before.p));
        turn = fmax(turn, quat_angle(now.q, before.q));
    }
    action_free(act);
    if (s != ACTION_DONE)
        fail_msg("%s: %s", to, failure.reason);
    if (shift > 0.001 || turn > 0.004)
        fail_msg("%s: the hands moved %.2f mm, %.2f mrad against one another", to, shift * 1000,
                 turn * 1000);
}

static void a_tray_is_carried_by_its_two_handles(void **state) {
    (void)state;
    rig *r = rig_create_in("examples/worlds/pantry.yaml", 1, 0);
    must(rig_do(r, "navigate", "to", "view(pantry_top)", NULL), "navigate");
    must(rig_do(r, "look_at", "at", "pantry_top", NULL), "look_at");
    must(rig_do(r, "detect", NULL), "detect");
    assert_non_null(belief_find(r->belief, "tray#1"));
    must(rig_do(r, "navigate", "to", "reach('tray#1', both)", NULL), "navigate");
    must(rig_do(r, "move_arm", "arm", "left", "to", "before('tray#1')", NULL), "before");
    must(rig_do(r, "move_arm", "arm", "right", "to", "before('tray#1')", NULL), "before");
    must(rig_do(r, "move_arms", "to", "grasp('tray#1')", NULL), "grasp");
    must(rig_do(r, "close_gripper", "arm", "left", "object", "'tray#1'", NULL), "close");
    must(rig_do(r, "close_gripper", "arm", "right", "object", "'tray#1'", NULL), "close");
    hold(r, "object_in_hand('tray#1', left)");
    pose relative;
    assert_true(fabs(between_hands(r, &relative) - 0.486) < 0.01);
    // The load is that of all four plates.
    load plates = load_on(&r->mind, belief_find(r->belief, "tray#1"));
    assert_int_equal(plates.count, 4);
    assert_true(fabs(plates.mass - 1.2) < 1e-9 && fabs(plates.com.x) < 0.01);
    move_together(r, "lift(0.12)");
    assert_true(upright(r, "tray#1") > 0.9999);
    move_together(r, "carry");
    assert_true(upright(r, "tray#1") > 0.9999);
    must(rig_do(r, "navigate", "to", "place(within(tray_spot), both)", NULL), "navigate");
    move_together(r, "over(within(tray_spot))");
    move_together(r, "release(within(tray_spot))");
    assert_true(upright(r, "tray#1") > 0.9999);
    must(rig_do(r, "open_gripper", "arm", "left", NULL), "open");
    must(rig_do(r, "open_gripper", "arm", "right", NULL), "open");
    hold(r, "on('tray#1', table)");
    must(rig_do(r, "move_arms", "to", "back(0.12)", NULL), "back");
    must(rig_do(r, "move_arm", "arm", "left", "to", "park", NULL), "park");
    must(rig_do(r, "move_arm", "arm", "right", "to", "park", NULL), "park");
    const world_region *g = &r->known->regions[world_find_region(r->known, "tray_spot")];
    vec3 goal = pose_mul(r->known->bodies[g->body].at, g->at).p;
    assert_true(v3_distance(goal, belief_find(r->belief, "tray#1")->at.p) < 0.04);
    rig_destroy(r);
}

// The forces of grasp.h, computed by hand: each hand bears half of the weight, and no moment while
// the load is on the line between the hands.
static void two_hands_share_what_they_grip(void **state) {
    (void)state;
    rig *r = rig_create_in("examples/worlds/pantry.yaml", 1, 0);
    const body_type *tray = world_find_type(r->known, "tray");
    double mu = r->robot->arms[0].gripper.believed_friction, g = 9.81;
    load plates = {4, 1.2, v3(0, 0, 0.1)};
    double hold = 1.5 * (0.5 * (0.8 + 1.2)) * (g + 2) / (2 * mu);
    assert_true(fabs(grasp_force(&r->mind, tray, NULL, &plates, 0, 2) - hold) < 1e-9);
    // A stack 5 cm off that line turns the tray about the line.
    plates.com.x = 0.05;
    double rho = hypot(0.04, 0.04) / 4, moment = 0.5 * 1.2 * g * 0.05;
    hold += 1.5 * moment / (2 * mu * rho);
    assert_true(fabs(grasp_force(&r->mind, tray, NULL, &plates, 0, 2) - hold) < 1e-6);
    rig_destroy(r);
}

// ---- By a handle --------------------------------------------------------------------------------
static void handles_of_doors_and_drawers_are_reached_where_they_are_believed(void **state) {
    (void)state;
    static const char *const things[] = {"cupboard_door", "cabinet_drawer"};
    for (int k = 0; k < 2; k++) {
        rig *r = rig_create_in("examples/worlds/cupboard.yaml", 1, 0);
        char text[96];
        const believed_object *o = belief_find(r->belief, things[k]);
        assert_non_null(o);
        assert_true(grasp_jointed(&r->mind, o));
        snprintf(text, sizeof text, "reach(%s, left)", things[k]);
        must(rig_do(r, "navigate", "to", text, NULL), text);
        must(rig_do(r, "open_gripper", "arm", "left", "object", things[k], NULL), "open");
        snprintf(text, sizeof text, "before(%s)", things[k]);
        must(rig_do(r, "move_arm", "arm", "left", "to", text, "grasp", "handle", NULL), text);
        snprintf(text, sizeof text, "grasp(%s)", things[k]);
        must(rig_do(r, "move_arm", "arm", "left", "to", text, NULL), text);
        pose tool = robot_tool(r->robot, 0, belief_links(r->belief));
        pose handle = pose_mul(o->at, o->kind->grasps[0].at);
        assert_true(v3_distance(tool.p, handle.p) < 0.004);
        vec3 approach = quat_rotate(tool.q, v3(0, 0, 1));
        assert_true(v3_dot(approach, quat_rotate(handle.q, v3(0, 0, 1))) > 0.999);
        must(rig_do(r, "move_arm", "arm", "left", "to", "back(0.1)", NULL), "back");
        rig_destroy(r);
    }
}

static void an_unknown_grasp_is_named(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    look_at_the_counter(r);
    rig_result x =
        rig_do(r, "move_arm", "arm", "left", "to", "before('cup#1')", "grasp", "below", NULL);
    assert_int_equal(x.state, ACTION_FAILED);
    assert_string_equal(x.failure.class, "designator_reference_failure");
    assert_non_null(strstr(x.failure.reason, "below"));
    // A plate has a rim and no handle.
    x = rig_do(r, "move_arm", "arm", "left", "to", "before('plate#1')", "grasp", "handle", NULL);
    assert_int_equal(x.state, ACTION_FAILED);
    assert_string_equal(x.failure.class, "manipulation_pose_unreachable");
    rig_destroy(r);
}

// What goes into a container is lowered to the bottom, or let go a little higher where walls keep
// the hand from that; on a board it is always lowered.
static void only_within_a_container_a_thing_may_fall(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    look_at_the_counter(r);
    const believed_object *plate = belief_find(r->belief, "plate#1"),
                          *cup = belief_find(r->belief, "cup#1");
    const held h = {cup->kind, POSE_IDENTITY, "another"};
    place_pose out[PLACES_MAX];
    believed_place in = {.at = plate->at, .support = "plate#1"},
                   on = {.at = pose_planar(plate->at.p.x, plate->at.p.y, 0), .support = "table_1"};
    on.at.p = belief_find(r->belief, "table_1")->at.p;
    in.at.p.z += 0.02; // clear of the counter beneath
    size_t count = place_candidates(&r->mind, &in, &h, out, 4, NULL);
    assert_true(count >= 2 && !out[0].falls && out[count - 1].falls);
    assert_true(fabs(out[count - 1].object.p.z - out[0].object.p.z - 0.015) < 1e-9);
    count = place_candidates(&r->mind, &on, &h, out, 4, NULL);
    for (size_t k = 0; k < count; k++)
        assert_false(out[k].falls);
    assert_true(count > 0);
    rig_destroy(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(from_the_side_the_hand_is_level_and_the_pads_straddle_the_axis),
        cmocka_unit_test(the_measures_of_the_pads_bound_where_a_hand_takes_hold),
        cmocka_unit_test(a_cup_is_taken_from_the_side_carried_upright_and_put_down),
        cmocka_unit_test(a_tray_is_carried_by_its_two_handles),
        cmocka_unit_test(two_hands_share_what_they_grip),
        cmocka_unit_test(handles_of_doors_and_drawers_are_reached_where_they_are_believed),
        cmocka_unit_test(an_unknown_grasp_is_named),
        cmocka_unit_test(only_within_a_container_a_thing_may_fall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
