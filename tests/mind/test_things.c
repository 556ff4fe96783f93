// tests/mind/test_things.c - what the robot comes to believe of things that are seen badly, that
// move on hinges and rails, and that hands carry.
#include "tests/mind/rig.h"

#include <math.h>

static rig *pantry(void) {
    return rig_create_in("tests/scenes/pantry.yaml", 1, 0);
}

static size_t solutions(rig *r, const char *occasion) {
    term_list_array out = {0};
    error err = {0};
    if (belief_solve(r->belief, r->scratch, rig_term(r, occasion), &out, &err) != OK)
        fail_msg("%s", err.text);
    size_t count = out.count;
    array_finish(&out);
    return count;
}

static size_t confirmed(const rig *r) {
    size_t count = 0;
    for (size_t i = 0; i < belief_object_count(r->belief); i++) {
        const believed_object *o = belief_object(r->belief, i);
        count += !o->known && o->confirmed;
    }
    return count;
}

typedef struct sight {
    const char *type, *color;
    pose at; // in the map
} sight;

// Lets the belief read one camera frame, with the camera's noise if `noisy`.
static void frame(rig *r, const sight *seen, size_t count, bool noisy) {
    percept all[16];
    pose base = pose_inverse(belief_robot(r->belief));
    for (size_t k = 0; k < count; k++) {
        all[k] = (percept){sink_id(&r->log.head, RECORD_PERCEPT), seen[k].type, seen[k].color,
                           pose_mul(base, seen[k].at)};
        double sigma = noisy ? 0.01 : 0;
        all[k].at.p = v3_add(
            all[k].at.p, v3(sigma * rig_normal(r), sigma * rig_normal(r), sigma * rig_normal(r)));
    }
    r->t += 100000000;
    reading in = {.kind = READING_CAMERA, .id = 1, .taken = r->t, .delivered = r->t};
    in.camera.count = count;
    in.camera.percepts = all;
    error err = {0};
    assert_int_equal(belief_read(r->belief, &in, &err), OK);
}

static void fuse(rig *r) {
    error err = {0};
    assert_int_equal(belief_fuse(r->belief, 5, r->t, NULL, &err), OK);
}

// Lets the belief fuse a window of twelve equal frames.
static void look(rig *r, const sight *seen, size_t count) {
    belief_look(r->belief);
    for (int k = 0; k < 12; k++)
        frame(r, seen, count, false);
    fuse(r);
}

static pose on_table(double x, double y) {
    return (pose){v3(x, y, 0.72), {1, 0, 0, 0}};
}

// ---- Percepts -----------------------------------------------------------------------------------
static void a_thing_taken_for_another_now_and_then_stays_one_thing(void **state) {
    (void)state;
    rig *r = pantry();
    size_t before = belief_object_count(r->belief);
    for (int window = 0; window < 20; window++) {
        belief_look(r->belief);
        for (int k = 0; k < 12; k++) {
            // In every third window the camera reports another type in the seventh frame; in every
            // fourth one, another colour in the ninth.
            sight s = {"cup", "red", on_table(1.0, 0.1)};
            if (k == 6 && window % 3 == 2)
                s.type = "glass";
            if (k == 8 && window % 4 == 1)
                s.color = "orange";
            frame(r, &s, 1, true);
        }
        fuse(r);
    }
    assert_int_equal(confirmed(r), 1);
    assert_int_equal(belief_object_count(r->belief), before + 1);
    assert_string_equal(belief_find(r->belief, "cup#1")->color, "red");
    rig_destroy(r);
}

static void what_is_confused_when_first_seen_comes_to_be_known_rightly(void **state) {
    (void)state;
    rig *r = pantry();
    belief_look(r->belief);
    for (int k = 0; k < 12; k++) {
        sight s = {k == 0 ? "glass" : "cup", "red", on_table(1.0, 0.1)};
        frame(r, &s, 1, true);
    }
    fuse(r);
    assert_int_equal(confirmed(r), 1);
    assert_int_equal(solutions(r, "type(X, cup)"), 1);
    rig_destroy(r);
}

static void ghosts_are_never_believed_in(void **state) {
    (void)state;
    rig *r = pantry();
    rng_key key = rng_key_make(4, "test", "ghosts");
    for (int window = 0; window < 30; window++) {
        belief_look(r->belief);
        for (int k = 0; k < 12; k++) {
            uint64_t n = (uint64_t)(12 * window + k);
            sight s[2] = {
                {"cup", "red", on_table(1.0, 0.1)},
                {"glass", "blue",
                 on_table(0.7 + 0.6 * rng_uniform(key, n, 0), rng_uniform(key, n, 1) - 0.5)}};
            frame(r, s, rng_uniform(key, n, 2) < 0.1 ? 2 : 1, true);
        }
        fuse(r);
        assert_int_equal(confirmed(r), 1);
    }
    assert_true(belief_object_count(r->belief) > r->known->body_count + 5); // there were some
    rig_destroy(r);
}

static void two_things_side_by_side_stay_two(void **state) {
    (void)state;
    rig *r = pantry();
    sight s[2] = {{"cup", "red", on_table(1.0, 0.0)}, {"cup", "red", on_table(1.0, 0.085)}};
    for (int window = 0; window < 10; window++) {
        belief_look(r->belief);
        for (int k = 0; k < 12; k++) // now and then one of them is missed
            frame(r, s + (k == 5), k == 5 || k == 9 ? 1 : 2, true);
        fuse(r);
    }
    assert_int_equal(confirmed(r), 2);
    const believed_object *a = belief_find(r->belief, "cup#1"),
                          *b = belief_find(r->belief, "cup#2");
    assert_true(fabs(v3_distance(a->at.p, b->at.p) - 0.085) < 0.015);
    rig_destroy(r);
}

static void a_thing_that_was_moved_keeps_its_name(void **state) {
    (void)state;
    rig *r = pantry();
    rig_do(r, "look_at", "at", "table_1", NULL);
    sight s = {"cup", "red", on_table(1.0, 0.2)};
    look(r, &s, 1);
    s.at = on_table(1.0, -0.3);
    look(r, &s, 1);
    assert_int_equal(confirmed(r), 1);
    assert_true(belief_find(r->belief, "cup#1")->confirmed);
    assert_true(v3_distance(belief_find(r->belief, "cup#1")->at.p, s.at.p) < 1e-6);
    rig_destroy(r);
}

static void another_thing_in_its_place_is_another_thing(void **state) {
    (void)state;
    rig *r = pantry();
    rig_do(r, "look_at", "at", "table_1", NULL);
    sight s = {"cup", "red", on_table(1.0, 0.2)};
    look(r, &s, 1);
    s.type = "glass";
    look(r, &s, 1);
    assert_non_null(belief_find(r->belief, "glass#1"));
    assert_true(belief_find(r->belief, "glass#1")->confirmed);
    assert_int_equal(solutions(r, "type(X, cup)"), 0);
    rig_destroy(r);
}

static void things_stand_on_the_level_parts_of_a_mesh(void **state) {
    (void)state;
    rig *r = pantry();
    const char *name = NULL;
    assert_true(fabs(belief_surface(r->belief, v3(-1.65, 0.1, 1), NULL, &name) - 0.3) < 1e-6);
    assert_string_equal(name, "stair");
    assert_true(fabs(belief_surface(r->belief, v3(-1.3, 0.1, 1), NULL, &name) - 0.6) < 1e-6);
    // Beneath a point that is lower than the upper step, there is only the floor.
    assert_true(fabs(belief_surface(r->belief, v3(-1.3, 0.1, 0.4), NULL, &name)) < 1e-6);
    sight s = {"cup", "red", {v3(-1.65, 0.1, 0.31), {1, 0, 0, 0}}};
    look(r, &s, 1);
    assert_string_equal(belief_find(r->belief, "cup#1")->support, "stair");
    assert_true(fabs(belief_find(r->belief, "cup#1")->at.p.z - 0.3) < 1e-5);
    rig_destroy(r);
}

// ---- Doors and drawers --------------------------------------------------------------------------
static void a_door_that_is_seen_open_is_believed_open(void **state) {
    (void)state;
    rig *r = pantry();
    int64_t hinge = world_find_joint(r->known, "cupboard_hinge");
    assert_true(hinge >= 0);
    double sigma;
    assert_true(belief_world_joint(r->belief, (size_t)hinge, &sigma) == 0);
    assert_int_equal(solutions(r, "open(X)"), 0);
    assert_int_equal(solutions(r, "closed(cupboard_hinge)"), 1);
    const believed_object *door = belief_find(r->belief, "cupboard_door");
    for (double angle = 0.3; angle < 1.8; angle += 0.4) {
        sight s = {door->type, door->color, world_joint_pose(r->known, (size_t)hinge, angle)};
        belief_look(r->belief);
        for (int k = 0; k < 12; k++)
            frame(r, &s, 1, true);
        fuse(r);
        assert_true(fabs(belief_world_joint(r->belief, (size_t)hinge, &sigma) - angle) < 0.02);
        assert_true(sigma > 0.001 && sigma < 0.03);
        pose at = world_joint_pose(r->known, (size_t)hinge,
                                   belief_world_joint(r->belief, (size_t)hinge, NULL));
        assert_true(v3_distance(door->at.p, at.p) < 1e-9);
    }
    assert_int_equal(solutions(r, "open(cupboard_hinge)"), 1);
    assert_int_equal(solutions(r, "open(cupboard_door)"), 1);
    // No new object was made: the percepts are associated with the known door, and the log says so.
    assert_int_equal(confirmed(r), 0);
    const record *last = &r->log.records.items[r->log.records.count - 1];
    assert_int_equal(last->kind, RECORD_BELIEVED_FRAME);
    assert_int_equal(last->BELIEVED_FRAME.believed, door->id);
    assert_string_equal(last->BELIEVED_FRAME.source, "percept");
    rig_destroy(r);
}

static void what_lies_in_a_drawer_moves_with_it(void **state) {
    (void)state;
    rig *r = pantry();
    int64_t slide = world_find_joint(r->known, "cabinet_slide");
    error err = {0};
    assert_int_equal(belief_note_joint(r->belief, (size_t)slide, 0.3, 9, r->t, &err), OK);
    assert_true(belief_world_joint(r->belief, (size_t)slide, NULL) == 0.3);
    pose drawer = belief_find(r->belief, "cabinet_drawer")->at;
    assert_true(fabs(drawer.p.y - (-1.0 - 0.01 - 0.3)) < 1e-9);
    sight s = {"cup", "red", drawer};
    s.at.p = v3_add(drawer.p, v3(0.1, -0.05, 0.01));
    look(r, &s, 1);
    const believed_object *cup = belief_find(r->belief, "cup#1");
    assert_string_equal(cup->support, "cabinet_drawer");
    assert_int_equal(belief_note_joint(r->belief, (size_t)slide, 0.0, 9, r->t, &err), OK);
    assert_true(v3_distance(cup->at.p, v3_add(s.at.p, v3(0, 0.3, 0))) < 1e-6);
    // The position is cut off at the stop.
    assert_int_equal(belief_note_joint(r->belief, (size_t)slide, 2.0, 9, r->t, &err), OK);
    assert_true(belief_world_joint(r->belief, (size_t)slide, NULL) == 0.32);
    rig_destroy(r);
}

static void feel(rig *r, size_t arm, double opening, bool touch) {
    reading g = {.kind = READING_GRIPPER, .taken = r->t, .delivered = r->t};
    g.gripper.arm = arm;
    g.gripper.opening = opening;
    g.gripper.touch_1 = g.gripper.touch_2 = touch;
    error err = {0};
    assert_int_equal(belief_read(r->belief, &g, &err), OK);
}

static void drive_belief(rig *r, double dx, double dy) {
    reading o = {.kind = READING_ODOMETRY, .taken = r->t, .delivered = r->t};
    o.odometry.dx = dx;
    o.odometry.dy = dy;
    error err = {0};
    assert_int_equal(belief_read(r->belief, &o, &err), OK);
}

static void a_drawer_follows_the_hand_that_pulls_it(void **state) {
    (void)state;
    rig *r = pantry();
    int64_t slide = world_find_joint(r->known, "cabinet_slide");
    pose tool = robot_tool(r->robot, 0, belief_links(r->belief));
    const believed_object *drawer = belief_find(r->belief, "cabinet_drawer");
    pose in_hand = pose_mul(pose_inverse(tool), drawer->at);
    feel(r, 0, 0.016, true);
    assert_int_equal(belief_note_grasp(r->belief, 0, drawer->name, in_hand, 0.016), OK);
    error err = {0};
    assert_int_equal(belief_assert(r->belief, rig_term(r, "object_in_hand(cabinet_drawer, left)"),
                                   3, r->t, &err),
                     OK);
    assert_int_equal(solutions(r, "object_in_hand(cabinet_drawer, left)"), 1);
    drive_belief(r, 0, -0.2); // the robot goes back with the handle in its hand
    assert_true(fabs(belief_world_joint(r->belief, (size_t)slide, NULL) - 0.2) < 1e-6);
    drive_belief(r, 0.05, 0); // what the rail does not allow does not move it
    assert_true(fabs(belief_world_joint(r->belief, (size_t)slide, NULL) - 0.2) < 1e-6);
    assert_int_equal(belief_cycle(r->belief, r->t, &err), OK);
    bool logged = false;
    for (size_t i = 0; i < r->log.records.count; i++) {
        const record *k = &r->log.records.items[i];
        logged |= k->kind == RECORD_BELIEVED_FRAME && k->BELIEVED_FRAME.believed == drawer->id &&
                  strcmp(k->BELIEVED_FRAME.source, "touch") == 0;
    }
    assert_true(logged);
    // A drawer that is let go stays where it was pulled to.
    feel(r, 0, 0.05, false);
    drive_belief(r, 0, -0.1);
    assert_true(fabs(belief_world_joint(r->belief, (size_t)slide, NULL) - 0.2) < 1e-6);
    assert_int_equal(solutions(r, "object_in_hand(X)"), 0);
    rig_destroy(r);
}

// ---- Hands --------------------------------------------------------------------------------------
static void grasp(rig *r, size_t arm, const char *object) {
    pose tool = robot_tool(r->robot, arm, belief_links(r->belief));
    pose in_hand = pose_mul(pose_inverse(tool), belief_find(r->belief, object)->at);
    feel(r, arm, 0.016, true);
    assert_int_equal(belief_note_grasp(r->belief, arm, object, in_hand, 0.016), OK);
}

static void what_two_hands_hold_stays_with_the_one_that_holds_on(void **state) {
    (void)state;
    rig *r = pantry();
    sight s = {"tray", "gray", on_table(1.0, 0)};
    look(r, &s, 1);
    grasp(r, 0, "tray#1");
    grasp(r, 1, "tray#1");
    error err = {0};
    assert_int_equal(
        belief_assert(r->belief, rig_term(r, "object_in_hand('tray#1', left)"), 3, r->t, &err), OK);
    assert_int_equal(solutions(r, "object_in_hand('tray#1', left)"), 1);
    assert_int_equal(solutions(r, "object_in_hand('tray#1', right)"), 1);
    assert_int_equal(solutions(r, "object_in_hand(X)"), 1);
    assert_ptr_equal(belief_held(r->belief, 0, NULL), belief_held(r->belief, 1, NULL));
    pose before = belief_find(r->belief, "tray#1")->at;
    feel(r, 0, 0.06, false);
    assert_int_equal(solutions(r, "object_in_hand('tray#1', left)"), 0);
    assert_int_equal(solutions(r, "object_in_hand('tray#1', right)"), 1);
    assert_true(v3_distance(belief_find(r->belief, "tray#1")->at.p, before.p) < 1e-9);
    feel(r, 1, 0.06, false);
    assert_int_equal(solutions(r, "object_in_hand(X)"), 0);
    assert_string_equal(belief_find(r->belief, "tray#1")->support, "table_1");
    rig_destroy(r);
}

static void what_is_seen_lower_than_the_tray_that_carries_it_stands_on_the_tray(void **state) {
    (void)state;
    rig *r = pantry();
    sight s[2] = {{"tray", "gray", on_table(1.0, 0)}, {"plate", "white", on_table(1.0, 0)}};
    s[1].at.p.z -= 0.01; // the camera tells heights no better
    look(r, s, 2);
    assert_string_equal(belief_find(r->belief, "tray#1")->support, "table_1");
    assert_string_equal(belief_find(r->belief, "plate#1")->support, "tray#1");
    rig_destroy(r);
}

static void a_stack_goes_where_what_carries_it_goes(void **state) {
    (void)state;
    rig *r = pantry();
    sight s[3] = {{"tray", "gray", on_table(1.0, 0)},
                  {"plate", "white", on_table(1.0, 0)},
                  {"plate", "white", on_table(1.0, 0)}};
    s[1].at.p.z += 0.01;
    s[2].at.p.z += 0.04;
    look(r, s, 3);
    assert_string_equal(belief_find(r->belief, "plate#1")->support, "tray#1");
    assert_string_equal(belief_find(r->belief, "plate#2")->support, "plate#1");
    grasp(r, 0, "tray#1");
    grasp(r, 1, "tray#1");
    error err = {0};
    assert_int_equal(
        belief_assert(r->belief, rig_term(r, "object_in_hand('tray#1', left)"), 3, r->t, &err), OK);
    assert_int_equal(belief_find(r->belief, "plate#2")->hand, 0);
    assert_string_equal(belief_held(r->belief, 0, NULL)->name, "tray#1");
    assert_int_equal(solutions(r, "object_in_hand('plate#2')"), 0);
    assert_int_equal(solutions(r, "stands_on('plate#2', 'tray#1')"), 1);
    drive_belief(r, -0.3, 0.1);
    assert_true(v3_distance(belief_find(r->belief, "plate#2")->at.p,
                            v3_add(s[2].at.p, v3(-0.3, 0.1, 0))) < 1e-3);
    rig_destroy(r);
}

static void the_wrist_tells_the_load_on_it(void **state) {
    (void)state;
    rig *r = pantry();
    assert_false(belief_wrench(r->belief, 1)->read);
    reading w = {.kind = READING_WRENCH, .taken = r->t, .delivered = r->t};
    w.wrench.arm = 1;
    w.wrench.force = v3(0, 0, -5);
    error err = {0};
    assert_int_equal(belief_read(r->belief, &w, &err), OK);
    assert_true(belief_wrench(r->belief, 1)->read && belief_wrench(r->belief, 1)->force.z == -5);
    assert_false(belief_wrench(r->belief, 0)->read);
    rig_destroy(r);
}

// ---- Descriptions -------------------------------------------------------------------------------
static size_t fitting(rig *r, const char *description) {
    term_list_array out = {0};
    error err = {0};
    assert_int_equal(
        belief_resolve_object(r->belief, r->scratch, rig_term(r, description), &out, &err), OK);
    size_t count = out.count;
    array_finish(&out);
    return count;
}

static void tags_and_properties_describe_what_is_believed_in(void **state) {
    (void)state;
    rig *r = pantry();
    // Only objects that were seen fit, whatever types the catalogue has.
    assert_int_equal(fitting(r, "[tag(fragile)]"), 0);
    assert_int_equal(fitting(r, "[owner(anna)]"), 1);
    sight s[3] = {{"plate", "white", on_table(1.0, 0.4)},
                  {"cup", "red", on_table(1.0, 0)},
                  {"glass", "blue", on_table(1.0, -0.4)}};
    look(r, s, 3);
    assert_int_equal(fitting(r, "[tag(fragile)]"), 2);
    assert_int_equal(fitting(r, "[tag(dish)]"), 2);
    assert_int_equal(fitting(r, "[tag(dish), tag(fragile)]"), 1);
    assert_int_equal(fitting(r, "[wash(by_hand)]"), 1);
    assert_int_equal(fitting(r, "[wash(machine)]"), 0);
    assert_int_equal(solutions(r, "tag(X, T)"), 4);
    term_list_array out = {0};
    error err = {0};
    assert_int_equal(
        belief_resolve_object(r->belief, r->scratch, rig_term(r, "[flavour(sweet)]"), &out, &err),
        E_INPUT);
    rig_destroy(r);
}

static double value_of(rig *r, const char *function) {
    const term *out = NULL;
    error err = {0};
    double value;
    assert_int_equal(
        robot_evaluate(&r->mind, r->scratch, rig_term(r, function), 0, r->t, &out, &err), OK);
    assert_non_null(out);
    assert_true(term_number(out, &value));
    return value;
}

static void a_plan_can_ask_how_well_the_robot_knows_its_place(void **state) {
    (void)state;
    rig *r = pantry();
    assert_true(value_of(r, "pos_ambiguity") == 1);
    double before = value_of(r, "pos_accuracy"), after, angle;
    drive_belief(r, 0.5, 0);
    belief_accuracy(r->belief, &after, &angle);
    assert_true(after > before && value_of(r, "pos_accuracy") == after);
    rig_destroy(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thing_taken_for_another_now_and_then_stays_one_thing),
        cmocka_unit_test(what_is_confused_when_first_seen_comes_to_be_known_rightly),
        cmocka_unit_test(ghosts_are_never_believed_in),
        cmocka_unit_test(two_things_side_by_side_stay_two),
        cmocka_unit_test(a_thing_that_was_moved_keeps_its_name),
        cmocka_unit_test(another_thing_in_its_place_is_another_thing),
        cmocka_unit_test(things_stand_on_the_level_parts_of_a_mesh),
        cmocka_unit_test(a_door_that_is_seen_open_is_believed_open),
        cmocka_unit_test(what_lies_in_a_drawer_moves_with_it),
        cmocka_unit_test(a_drawer_follows_the_hand_that_pulls_it),
        cmocka_unit_test(what_two_hands_hold_stays_with_the_one_that_holds_on),
        cmocka_unit_test(what_is_seen_lower_than_the_tray_that_carries_it_stands_on_the_tray),
        cmocka_unit_test(a_stack_goes_where_what_carries_it_goes),
        cmocka_unit_test(the_wrist_tells_the_load_on_it),
        cmocka_unit_test(tags_and_properties_describe_what_is_believed_in),
        cmocka_unit_test(a_plan_can_ask_how_well_the_robot_knows_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
