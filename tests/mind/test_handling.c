// tests/mind/test_handling.c - handing over and pouring: where an object is held out, how far the
// fingers open, and how the lip of a jug stays over a mouth while the jug leans.
#include "tests/mind/rig.h"

#include <math.h>

static void must(rig_result x, const char *what) {
    if (x.state != ACTION_DONE)
        fail_msg("%s: %s: %s", what, x.failure.class, x.failure.reason);
}

static void refused(rig_result x, const char *class, const char *words) {
    assert_int_equal(x.state, ACTION_FAILED);
    assert_string_equal(x.failure.class, class);
    if (!strstr(x.failure.reason, words))
        fail_msg("'%s' says nothing of '%s'", x.failure.reason, words);
}

static void look(rig *r, const char *region) {
    char text[64];
    snprintf(text, sizeof text, "view(%s)", region);
    must(rig_do(r, "navigate", "to", text, NULL), text);
    must(rig_do(r, "localise", NULL), "localise");
    must(rig_do(r, "look_at", "at", region, NULL), "look_at");
    must(rig_do(r, "detect", NULL), "detect");
}

// Takes an object as the routines do: grasps it, lifts it, and moves the arm to the posture for
// carrying.
static void pick(rig *r, const char *object, const char *arm, const char *grasp) {
    char text[96], quoted[32];
    error err = {0};
    snprintf(quoted, sizeof quoted, "'%s'", object);
    snprintf(text, sizeof text, "reach('%s', %s, %s)", object, arm, grasp);
    must(rig_do(r, "navigate", "to", text, NULL), text);
    must(rig_do(r, "localise", NULL), "localise");
    must(rig_do(r, "look_at", "at", quoted, NULL), "look_at");
    must(rig_do(r, "detect", NULL), "detect");
    snprintf(text, sizeof text, "before('%s')", object);
    must(rig_do(r, "move_arm", "arm", arm, "to", text, "grasp", grasp, NULL), text);
    must(rig_do(r, "open_gripper", "arm", arm, "object", quoted, "grasp", grasp, NULL), "open");
    snprintf(text, sizeof text, "grasp('%s')", object);
    must(rig_do(r, "move_arm", "arm", arm, "to", text, "grasp", grasp, NULL), text);
    must(rig_do(r, "close_gripper", "arm", arm, "object", quoted, NULL), "close");
    snprintf(text, sizeof text, "object_in_hand('%s', %s)", object, arm);
    assert_int_equal(belief_assert(r->belief, rig_term(r, text), 1, r->t, &err), OK);
    must(rig_do(r, "move_arm", "arm", arm, "to", "lift(0.10)", NULL), "lift");
    must(rig_do(r, "move_arm", "arm", arm, "to", "carry", NULL), "carry");
}

static vec3 up_of(const believed_object *o) {
    return quat_rotate(o->at.q, v3(0, 0, 1));
}

// Returns the least distance between the believed pads and palms of the two hands.
static double between_the_hands(rig *r) {
    const mind *m = &r->mind;
    limb hands[2] = {0};
    pose tools[2];
    double least = INFINITY;
    for (size_t a = 0; a < 2; a++) {
        limb_init(&hands[a], m, a, belief_gripper(r->belief, a)->opening, NULL);
        tools[a] = robot_tool(m->robot, a, belief_links(r->belief));
    }
    for (size_t i = 0; i < hands[0].parts.count; i++)
        for (size_t k = 0; k < hands[1].parts.count; k++)
            if (hands[0].parts.items[i].frame == TOOL && hands[1].parts.items[k].frame == TOOL)
                least = fmin(least, shape_gap(hands[0].parts.items[i].s,
                                              pose_mul(tools[0], hands[0].parts.items[i].at),
                                              hands[1].parts.items[k].s,
                                              pose_mul(tools[1], hands[1].parts.items[k].at)));
    limb_finish(&hands[0]);
    limb_finish(&hands[1]);
    return least;
}

// ---- Ways of taking hold ------------------------------------------------------------------------
static void ways_of_taking_hold_have_names_of_their_own(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    unsigned kinds = 99;
    assert_true(grasp_kinds(NULL, &kinds));
    assert_int_equal(kinds, 0);
    assert_true(grasp_kinds(rig_term(r, "any"), &kinds));
    assert_int_equal(kinds, 0);
    assert_true(grasp_kinds(rig_term(r, "[side, rim]"), &kinds));
    assert_int_equal(kinds, 1u << GRASP_SIDE | GRASP_RIM);
    assert_false(grasp_kinds(rig_term(r, "tail"), &kinds));
    assert_false(grasp_kinds(rig_term(r, "[side, tail]"), &kinds));
    look(r, "counter_top");
    grasp_pose all[GRASPS_MAX];
    const believed_object *plate = belief_find(r->belief, "plate#1"),
                          *cup = belief_find(r->belief, "cup#1");
    // A plate is taken at its rim and not over its whole width; a cup over its whole width and not
    // at its rim.
    assert_true(grasp_candidates(&r->mind, plate, 0, GRASP_RIM, all) > 0);
    assert_int_equal(grasp_candidates(&r->mind, plate, 0, 1u << GRASP_TOP, all), 0);
    assert_true(grasp_candidates(&r->mind, cup, 0, 1u << GRASP_TOP, all) > 0);
    assert_int_equal(grasp_candidates(&r->mind, cup, 0, GRASP_RIM, all), 0);
    refused(rig_do(r, "move_arm", "arm", "left", "to", "before('cup#1')", "grasp", "rim", NULL),
            "manipulation_pose_unreachable", "cannot be grasped in this way");
    refused(rig_do(r, "move_arm", "arm", "left", "to", "before('cup#1')", "grasp", "tail", NULL),
            "designator_reference_failure", "tail");
    refused(rig_do(r, "navigate", "to", "reach('cup#1', left, rim)", NULL),
            "navigation_pose_unreachable", "nowhere to stand");
    rig_destroy(r);
}

static void the_fingers_open_for_the_way_before_which_the_hand_stands(void **state) {
    (void)state;
    rig *r = rig_create_in("examples/worlds/cupboard.yaml", 1, 0);
    look(r, "sideboard_top");
    const believed_object *mug = belief_find(r->belief, "mug#1");
    assert_non_null(mug);
    grasp_pose all[GRASPS_MAX];
    double widest = 0;
    size_t count = grasp_candidates(&r->mind, mug, 0, 0, all), seen = 0;
    for (size_t k = 0; k < count; k++)
        widest = fmax(widest, all[k].opening);
    for (size_t k = 0; k < count; k++) {
        bool rim = all[k].way->radius > 0;
        double before = grasp_opening(&r->mind, mug, 0, 0, grasp_before(all[k].tool, 0.1));
        assert_true(fabs(before - all[k].opening) < 1e-9);
        assert_true(rim ? before < 0.06 : before > 0.1);
        seen |= rim ? 1 : 2;
    }
    assert_int_equal(seen, 3);
    pose elsewhere = all[0].tool;
    elsewhere.p.z += 0.5;
    assert_true(fabs(grasp_opening(&r->mind, mug, 0, 0, elsewhere) - widest) < 1e-9);
    assert_true(grasp_opening(&r->mind, mug, 0, GRASP_RIM, elsewhere) < 0.06);
    must(rig_do(r, "open_gripper", "arm", "left", "opening", "0.02", NULL), "open");
    must(rig_do(r, "open_gripper", "arm", "left", "by", "0.03", NULL), "open by");
    assert_true(fabs(r->opening[0] - 0.05) < 0.005);
    rig_destroy(r);
}

static void the_fingers_open_for_a_handle_of_two_hands(void **state) {
    (void)state;
    rig *r = rig_create_in("examples/worlds/cupboard.yaml", 1, 0);
    static const pose at = {{0.05, 0, 0.05}, {0, 1, 0, 0}},
                      opposite = {{-0.05, 0, 0.05}, {0, 1, 0, 0}};
    const grasp_way handles[2] = {{.kind = GRASP_HANDLE, .at = at, .width = 0.02, .both = 1},
                                  {.kind = GRASP_HANDLE, .at = opposite, .width = 0.02, .both = 1}};
    rig_grasps(r, "mug", handles, 2);
    look(r, "sideboard_top");
    const believed_object *mug = belief_find(r->belief, "mug#1");
    assert_non_null(mug);
    double opening = grasp_opening(&r->mind, mug, 0, 1u << GRASP_HANDLE, pose_planar(0, 0, 0));
    assert_true(opening > 0.02 && opening < 0.07);
    rig_destroy(r);
}

// ---- From hand to hand --------------------------------------------------------------------------
static void hands_over(rig *r, const char *object, const char *from, const char *to, size_t giver) {
    char text[64], quoted[32];
    error err = {0};
    snprintf(quoted, sizeof quoted, "'%s'", object);
    size_t body = rig_body_of(r, belief_find(r->belief, object));
    snprintf(text, sizeof text, "offer('%s')", object);
    must(rig_do(r, "move_arm", "arm", from, "to", text, "level", "true", NULL), text);
    assert_true(up_of(belief_find(r->belief, object)).z > 0.98);
    snprintf(text, sizeof text, "before('%s')", object);
    must(rig_do(r, "move_arm", "arm", to, "to", text, NULL), text);
    must(rig_do(r, "open_gripper", "arm", to, "object", quoted, NULL), "open");
    assert_true(between_the_hands(r) > 0.004);
    snprintf(text, sizeof text, "grasp('%s')", object);
    must(rig_do(r, "move_arm", "arm", to, "to", text, NULL), text);
    assert_true(between_the_hands(r) > 0.002);
    must(rig_do(r, "close_gripper", "arm", to, "object", quoted, NULL), "close");
    // The pads do not meet the other hand on their way in.
    assert_true(between_the_hands(r) > 0.002);
    // The object belongs to the first hand until that lets go.
    snprintf(text, sizeof text, "object_in_hand('%s', %s)", object, to);
    assert_int_equal(belief_assert(r->belief, rig_term(r, text), 1, r->t, &err), OK);
    assert_int_equal(belief_find(r->belief, object)->hand, (int64_t)giver);
    must(rig_do(r, "open_gripper", "arm", from, "by", "0.03", NULL), "let go");
    rig_sense(r);
    must(rig_do(r, "move_arm", "arm", from, "to", "back(0.12)", NULL), "back");
    assert_int_equal(belief_find(r->belief, object)->hand, (int64_t)(1 - giver));
    assert_null(belief_held(r->belief, giver, NULL));
    assert_int_equal(r->held[1 - giver], (int64_t)body);
    must(rig_do(r, "move_arm", "arm", from, "to", "park", NULL), "park");
    must(rig_do(r, "move_arm", "arm", to, "to", "carry", NULL), "carry");
    assert_true(v3_distance(belief_find(r->belief, object)->at.p, r->objects[body].p) < 0.03);
}

static void a_plate_goes_from_hand_to_hand_and_back(void **state) {
    (void)state;
    rig *r = rig_create(3, 1);
    look(r, "counter_top");
    pick(r, "plate#1", "right", "rim");
    size_t right = r->held[0] >= 0 ? 0 : 1;
    hands_over(r, "plate#1", "right", "left", right);
    hands_over(r, "plate#1", "left", "right", 1 - right);
    rig_destroy(r);
}

static void a_mug_held_from_the_side_is_taken_at_its_rim(void **state) {
    (void)state;
    rig *r = rig_create_in("examples/worlds/cupboard.yaml", 2, 1);
    look(r, "sideboard_top");
    pick(r, "mug#1", "right", "side");
    hands_over(r, "mug#1", "right", "left", r->held[0] >= 0 ? 0 : 1);
    rig_destroy(r);
}

static void what_is_not_held_is_not_handed_over(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    look(r, "counter_top");
    refused(rig_do(r, "move_arm", "arm", "left", "to", "offer('plate#1')", NULL),
            "manipulation_pose_unreachable", "does not hold");
    refused(rig_do(r, "move_arm", "arm", "left", "to", "offer('plate#9')", NULL),
            "designator_reference_failure", "not believed in");
    rig_destroy(r);
}

// ---- Pouring ------------------------------------------------------------------------------------
static double lean_of(const believed_object *o) {
    return acos(fmax(-1, fmin(1, up_of(o).z))) * 180 / PI;
}

static void the_lip_stays_over_the_mouth_while_it_leans(void **state) {
    (void)state;
    rig *r = rig_create_in("examples/handling/kitchen.yaml", 1, 1);
    look(r, "sideboard_top");
    const believed_object *from = NULL, *into = NULL;
    for (size_t i = 0; i < belief_object_count(r->belief); i++) {
        const believed_object *o = belief_object(r->belief, i);
        if (o->confirmed && strcmp(o->type, "mug") == 0 && o->color) {
            from = strcmp(o->color, "green") == 0 ? o : from;
            into = strcmp(o->color, "red") == 0 ? o : into;
        }
    }
    assert_non_null(from);
    assert_non_null(into);
    char name[32], target[32], text[64];
    snprintf(name, sizeof name, "%s", from->name);
    snprintf(target, sizeof target, "%s", into->name);
    pick(r, name, "right", "side");
    snprintf(text, sizeof text, "tilt('%s', 90)", target);
    refused(rig_do(r, "move_arm", "arm", "right", "to", text, NULL),
            "manipulation_pose_unreachable", "not over");
    snprintf(text, sizeof text, "pour('%s', right)", target);
    must(rig_do(r, "navigate", "to", text, NULL), text);
    must(rig_do(r, "localise", NULL), "localise");
    snprintf(text, sizeof text, "'%s'", target);
    must(rig_do(r, "look_at", "at", text, NULL), "look_at");
    must(rig_do(r, "detect", NULL), "detect");
    snprintf(text, sizeof text, "pour_over('%s')", target);
    must(rig_do(r, "move_arm", "arm", "right", "to", text, NULL), text);
    assert_true(lean_of(belief_find(r->belief, name)) < 5);
    static const int leans[] = {40, 75, 100, 118, 0};
    for (int k = 0; k < 5; k++) {
        snprintf(text, sizeof text, "tilt('%s', %d)", target, leans[k]);
        rig_result x = rig_do(r, "move_arm", "arm", "right", "to", text, "turning", "20", NULL);
        must(x, text);
        from = belief_find(r->belief, name);
        into = belief_find(r->belief, target);
        assert_true(fabs(lean_of(from) - leans[k]) < 4);
        assert_true(x.seconds >
                    (k == 0 ? 1.7 : fabs((double)(leans[k] - leans[k - 1])) / 20.0 - 0.3));
        // The stream leaves the jug at the lowest point of the rim.
        if (leans[k] < 45)
            continue;
        vec3 up = up_of(from), down = v3_sub(v3_scale(up, up.z), v3(0, 0, 1));
        vec3 lip = v3_add(pose_apply(from->at, v3(0, 0, 0.09)), v3_scale(v3_unit(down), 0.037));
        vec3 off = v3_sub(lip, into->at.p);
        if (hypot(off.x, off.y) > 0.0335 || off.z < 0.09 || off.z > 0.16)
            fail_msg("leaning by %d the lip is %.0f mm beside the middle, %.0f mm over the rim",
                     leans[k], 1000 * hypot(off.x, off.y), 1000 * (off.z - 0.09));
    }
    // The target was not pushed.
    const believed_object *other = belief_find(r->belief, target);
    assert_true(v3_distance(other->at.p, r->objects[rig_body_of(r, other)].p) < 0.02);
    rig_destroy(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_of_taking_hold_have_names_of_their_own),
        cmocka_unit_test(the_fingers_open_for_the_way_before_which_the_hand_stands),
        cmocka_unit_test(the_fingers_open_for_a_handle_of_two_hands),
        cmocka_unit_test(a_plate_goes_from_hand_to_hand_and_back),
        cmocka_unit_test(a_mug_held_from_the_side_is_taken_at_its_rim),
        cmocka_unit_test(what_is_not_held_is_not_handed_over),
        cmocka_unit_test(the_lip_stays_over_the_mouth_while_it_leans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
