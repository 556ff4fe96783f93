// tests/mind/test_notice.c - what the robot believes over time: the effects of its own actions at
// once, the effects of others' only when it sees them.
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

typedef struct sight {
    const char *type, *color;
    pose at; // in the map
} sight;

static void look(rig *r, const sight *seen, size_t count) {
    percept all[8];
    error err = {0};
    belief_look(r->belief);
    for (int n = 0; n < 12; n++) {
        pose base = pose_inverse(belief_robot(r->belief));
        for (size_t k = 0; k < count; k++)
            all[k] = (percept){sink_id(&r->log.head, RECORD_PERCEPT), seen[k].type, seen[k].color,
                               pose_mul(base, seen[k].at)};
        r->t += 100000000;
        reading in = {.kind = READING_CAMERA, .id = 1, .taken = r->t, .delivered = r->t};
        in.camera.count = count;
        in.camera.percepts = all;
        assert_int_equal(belief_read(r->belief, &in, &err), OK);
    }
    assert_int_equal(belief_fuse(r->belief, 5, r->t, NULL, &err), OK);
}

static pose on_table(double x, double y) {
    return (pose){v3(x, y, 0.72), {1, 0, 0, 0}};
}

static status say(rig *r, const char *occasion, error *err) {
    return belief_assert(r->belief, rig_term(r, occasion), 3, r->t, err);
}

static void must_say(rig *r, const char *occasion) {
    error err = {0};
    if (say(r, occasion, &err) != OK)
        fail_msg("%s", err.text);
}

static void feel(rig *r, size_t arm, double opening, bool touch) {
    reading g = {.kind = READING_GRIPPER, .taken = r->t, .delivered = r->t};
    g.gripper.arm = arm;
    g.gripper.opening = opening;
    g.gripper.touch_1 = g.gripper.touch_2 = touch;
    error err = {0};
    assert_int_equal(belief_read(r->belief, &g, &err), OK);
}

static void grasp(rig *r, size_t arm, const char *object) {
    pose tool = robot_tool(r->robot, arm, belief_links(r->belief));
    pose in_hand = pose_mul(pose_inverse(tool), belief_find(r->belief, object)->at);
    feel(r, arm, 0.016, true);
    assert_int_equal(belief_note_grasp(r->belief, arm, object, in_hand, 0.016), OK);
}

// Returns the last BELIEVED_FRAME of an object in the log.
static const record *last_frame(const rig *r, const char *name) {
    int64_t id = belief_find(r->belief, name)->id;
    for (size_t k = r->log.records.count; k-- > 0;) {
        const record *f = &r->log.records.items[k];
        if (f->kind == RECORD_BELIEVED_FRAME && f->BELIEVED_FRAME.believed == id)
            return f;
    }
    return NULL;
}

// ---- Others' doing ------------------------------------------------------------------------------
static void what_others_moved_is_noticed_when_it_is_seen_and_not_before(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    rig_do(r, "navigate", "to", "view(counter_top)", NULL);
    rig_do(r, "look_at", "at", "counter_top", NULL);
    rig_do(r, "detect", NULL);
    const char *name = NULL;
    for (size_t i = 0; i < belief_object_count(r->belief); i++)
        if (strcmp(belief_object(r->belief, i)->type, "plate") == 0)
            name = name ? name : belief_object(r->belief, i)->name;
    assert_non_null(name);
    pose before = belief_find(r->belief, name)->at;
    size_t body = rig_body_of(r, belief_find(r->belief, name));
    // Somebody pushes the object 25 cm back while the robot does other things.
    r->objects[body].p.y += 0.25;
    rig_do(r, "move_arm", "arm", "left", "to", "carry", NULL);
    rig_do(r, "wait", "seconds", "2", NULL);
    assert_true(v3_distance(belief_find(r->belief, name)->at.p, before.p) < 1e-9);
    assert_int_equal(solutions(r, arena_format(r->scratch, "on('%s', counter_1)", name)), 1);
    assert_string_equal(last_frame(r, name)->BELIEVED_FRAME.source, "percept");
    rig_do(r, "look_at", "at", "counter_top", NULL);
    rig_do(r, "detect", NULL);
    const believed_object *o = belief_find(r->belief, name);
    assert_true(o->confirmed);
    assert_true(fabs(o->at.p.y - before.p.y - 0.25) < 0.02);
    rig_destroy(r);
}

static void what_a_hand_lost_is_known_again_where_it_is_found(void **state) {
    (void)state;
    rig *r = pantry();
    sight s = {"cup", "red", on_table(1.0, 0)};
    look(r, &s, 1);
    grasp(r, 0, "cup#1");
    must_say(r, "object_in_hand('cup#1', left)");
    for (int k = 0; k < 6; k++)
        feel(r, 0, 0, false);
    assert_int_equal(solutions(r, "believed('cup#1')"), 0);
    pose hand = belief_find(r->belief, "cup#1")->at;
    look(r, NULL, 0);
    // The cup lies half a metre off, on the floor.
    s.at.p = v3(hand.p.x + 0.4, hand.p.y - 0.3, 0);
    look(r, &s, 1);
    assert_int_equal(solutions(r, "believed('cup#1')"), 1);
    assert_true(fabs(belief_find(r->belief, "cup#1")->at.p.x - s.at.p.x) < 0.01);
    assert_int_equal(solutions(r, "type(X, cup)"), 1);
    // A cup that appears far from where one was lost is taken for another.
    grasp(r, 0, "cup#1");
    must_say(r, "object_in_hand('cup#1', left)");
    for (int k = 0; k < 6; k++)
        feel(r, 0, 0, false);
    hand = belief_find(r->belief, "cup#1")->at;
    s.at.p = v3(hand.p.x + 1.5, hand.p.y, 0.72);
    look(r, &s, 1);
    assert_int_equal(solutions(r, "believed('cup#1')"), 0);
    assert_int_equal(solutions(r, "type(X, cup)"), 1);
    rig_destroy(r);
}

static void what_stood_on_a_thing_that_fell_has_fallen_too(void **state) {
    (void)state;
    rig *r = pantry();
    sight s[2] = {{"tray", "gray", on_table(1.0, 0)}, {"plate", "white", on_table(1.0, 0)}};
    s[1].at.p.z += 0.01;
    look(r, s, 2);
    grasp(r, 0, "tray#1");
    must_say(r, "object_in_hand('tray#1', left)");
    assert_int_equal(belief_find(r->belief, "plate#1")->hand, 0);
    for (int k = 0; k < 6; k++)
        feel(r, 0, 0, false);
    assert_int_equal(solutions(r, "believed('tray#1')"), 0);
    assert_int_equal(solutions(r, "believed('plate#1')"), 0);
    assert_string_equal(last_frame(r, "plate#1")->BELIEVED_FRAME.source, "touch");
    assert_true(last_frame(r, "plate#1")->BELIEVED_FRAME.sigma_x >= 1);
    rig_destroy(r);
}

// ---- Its own doing ------------------------------------------------------------------------------
static void what_a_plan_did_is_believed_as_derived_from_its_task(void **state) {
    (void)state;
    rig *r = pantry();
    sight s[2] = {{"cup", "red", on_table(1.0, 0)}, {"plate", "white", on_table(1.0, 0.3)}};
    look(r, s, 2);
    grasp(r, 0, "cup#1");
    must_say(r, "object_in_hand('cup#1', left)");
    const record *f = last_frame(r, "cup#1");
    assert_string_equal(f->BELIEVED_FRAME.source, "effect");
    assert_string_equal(f->BELIEVED_FRAME.relation, "held");
    assert_int_equal(f->BELIEVED_FRAME.task, 3);
    // A cup that is let go and asserted to stand on the plate stands there, at the height of the
    // plate's bottom.
    must_say(r, "on('cup#1', 'plate#1')");
    f = last_frame(r, "cup#1");
    assert_string_equal(f->BELIEVED_FRAME.source, "effect");
    assert_string_equal(f->BELIEVED_FRAME.relation, "on");
    assert_string_equal(f->BELIEVED_FRAME.parent, "plate#1");
    assert_int_equal(solutions(r, "on('cup#1', 'plate#1')"), 1);
    assert_int_equal(solutions(r, "object_in_hand('cup#1')"), 0);
    assert_int_equal(solutions(r, "stands_on('cup#1', table_1)"), 1);
    // The plate cannot stand on the cup that stands on the plate.
    error err = {0};
    assert_int_equal(say(r, "on('plate#1', 'cup#1')", &err), E_INPUT);
    assert_non_null(strstr(err.text, "cup#1"));
    assert_int_equal(say(r, "on('cup#1', 'cup#1')", &err), E_INPUT);
    // The cup moves with the plate into the other hand.
    grasp(r, 1, "plate#1");
    must_say(r, "object_in_hand('plate#1', right)");
    assert_int_equal(belief_find(r->belief, "cup#1")->hand, 1);
    assert_int_equal(solutions(r, "object_in_hand('cup#1')"), 0);
    rig_destroy(r);
}

static void what_is_handed_over_hangs_in_the_hand_that_took_it(void **state) {
    (void)state;
    rig *r = pantry();
    sight s = {"cup", "red", on_table(1.0, 0)};
    look(r, &s, 1);
    grasp(r, 0, "cup#1");
    must_say(r, "object_in_hand('cup#1', left)");
    pose before = belief_find(r->belief, "cup#1")->at;
    // Once asserted, a cup about which a second hand has closed is in both hands.
    grasp(r, 1, "cup#1");
    must_say(r, "object_in_hand('cup#1', right)");
    assert_int_equal(solutions(r, "object_in_hand('cup#1', left)"), 1);
    assert_int_equal(solutions(r, "object_in_hand('cup#1', right)"), 1);
    belief_expect_release(r->belief, 0, 9);
    feel(r, 0, 0.08, false);
    assert_int_equal(solutions(r, "object_in_hand('cup#1', left)"), 0);
    assert_int_equal(solutions(r, "object_in_hand('cup#1', right)"), 1);
    assert_int_equal(belief_find(r->belief, "cup#1")->hand, 1);
    assert_true(v3_distance(belief_find(r->belief, "cup#1")->at.p, before.p) < 1e-6);
    const record *f = last_frame(r, "cup#1");
    assert_string_equal(f->BELIEVED_FRAME.source, "effect");
    assert_int_equal(f->BELIEVED_FRAME.task, 9);
    rig_destroy(r);
}

static void what_is_put_into_a_drawer_rides_with_it(void **state) {
    (void)state;
    rig *r = pantry();
    int64_t slide = world_find_joint(r->known, "cabinet_slide");
    error err = {0};
    assert_int_equal(belief_note_joint(r->belief, (size_t)slide, 0.3, 3, r->t, &err), OK);
    pose drawer = belief_find(r->belief, "cabinet_drawer")->at;
    sight s = {"cup", "red", drawer};
    s.at.p = v3_add(drawer.p, v3(0.05, -0.05, 0.011));
    look(r, &s, 1);
    must_say(r, "in('cup#1', cabinet_drawer)");
    assert_string_equal(last_frame(r, "cup#1")->BELIEVED_FRAME.relation, "in");
    assert_int_equal(solutions(r, "in('cup#1', cabinet_drawer)"), 1);
    double y = belief_find(r->belief, "cup#1")->at.p.y;
    assert_int_equal(belief_note_joint(r->belief, (size_t)slide, 0.1, 3, r->t, &err), OK);
    assert_true(fabs(belief_find(r->belief, "cup#1")->at.p.y - y - 0.2) < 1e-9);
    assert_int_equal(solutions(r, "in('cup#1', cabinet_drawer)"), 1);
    rig_destroy(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_others_moved_is_noticed_when_it_is_seen_and_not_before),
        cmocka_unit_test(what_a_hand_lost_is_known_again_where_it_is_found),
        cmocka_unit_test(what_stood_on_a_thing_that_fell_has_fallen_too),
        cmocka_unit_test(what_a_plan_did_is_believed_as_derived_from_its_task),
        cmocka_unit_test(what_is_handed_over_hangs_in_the_hand_that_took_it),
        cmocka_unit_test(what_is_put_into_a_drawer_rides_with_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
