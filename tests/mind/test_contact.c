// tests/mind/test_contact.c - motions in contact: moving handles and wiping, and the calls that are
// refused.
#include "tests/mind/rig.h"

#include <math.h>

static void must(rig_result x, const char *what) {
    if (x.state != ACTION_DONE)
        fail_msg("%s: %s: %s", what, x.failure.class, x.failure.reason);
}

// Makes a rig whose hand holds the handle of a door or drawer, at a place from which the joint can
// be moved to `to`.
static rig *at_handle(const char *arm, const char *joint, const char *body, const char *to) {
    rig *r = rig_create_in("examples/worlds/cupboard.yaml", 1, 0);
    char text[96];
    snprintf(text, sizeof text, "operate(%s, %s, %s)", joint, to, arm);
    must(rig_do(r, "navigate", "to", text, NULL), "navigate");
    must(rig_do(r, "localise", NULL), "localise");
    must(rig_do(r, "open_gripper", "arm", arm, "object", body, "grasp", "handle", NULL), "open");
    snprintf(text, sizeof text, "before(%s)", body);
    must(rig_do(r, "move_arm", "arm", arm, "to", text, "grasp", "handle", NULL), "before");
    snprintf(text, sizeof text, "grasp(%s)", body);
    must(rig_do(r, "move_arm", "arm", arm, "to", text, "grasp", "handle", NULL), "grasp");
    must(rig_do(r, "close_gripper", "arm", arm, "object", body, NULL), "close");
    return r;
}

static pose tool(const rig *r, size_t arm) {
    pose links[64];
    robot_forward(r->robot, r->base, r->q, links);
    return robot_tool(r->robot, arm, links);
}

// Runs operate and returns the largest distance of the tool from the way of the handle.
static double off_the_way(rig *r, const char *arm, const char *joint, const char *to) {
    const action_argument args[3] = {
        {"arm", rig_term(r, arm)}, {"joint", rig_term(r, joint)}, {"to", rig_term(r, to)}};
    size_t index = (size_t)arm_named(&r->mind, args[0].value);
    size_t j = (size_t)door_named(&r->mind, args[1].value);
    const world_joint *w = &r->known->joints[j];
    vec3 start = tool(r, index).p, from = v3_sub(start, w->origin.p);
    from = v3_sub(from, v3_scale(w->axis, v3_dot(from, w->axis)));
    action *act;
    error err = {0};
    action_state s = ACTION_RUNNING;
    const term *result;
    action_failure failure = {0};
    double most = 0;
    if (action_begin(&r->mind, "operate", args, 3, 1, "test", r->t, &act, &err) != OK)
        fail_msg("%s", err.text);
    while (s == ACTION_RUNNING) {
        reading in;
        while (r->body.next(r, &in))
            assert_int_equal(belief_read(r->belief, &in, &err), OK);
        assert_int_equal(action_step(act, r->scratch, r->t, &s, &result, &failure, &err), OK);
        rig_move(r);
        vec3 now = tool(r, index).p, by = v3_sub(now, start);
        double off;
        if (w->kind == WORLD_SLIDER) {
            off = v3_length(v3_sub(by, v3_scale(w->axis, v3_dot(by, w->axis))));
        } else {
            vec3 arm_now = v3_sub(now, w->origin.p);
            double along = v3_dot(arm_now, w->axis);
            arm_now = v3_sub(arm_now, v3_scale(w->axis, along));
            off = fmax(fabs(v3_length(arm_now) - v3_length(from)), fabs(v3_dot(by, w->axis)));
        }
        most = fmax(most, off);
    }
    action_free(act);
    if (s != ACTION_DONE)
        fail_msg("operate: %s", failure.reason);
    return most;
}

static void holds(rig *r, const char *occasion, bool yes) {
    term_list_array out = {0};
    error err = {0};
    assert_int_equal(belief_solve(r->belief, r->scratch, rig_term(r, occasion), &out, &err), OK);
    assert_int_equal(out.count, yes ? 1 : 0);
    array_finish(&out);
}

static void a_hand_follows_the_arc_of_a_door_there_and_back(void **state) {
    (void)state;
    rig *r = at_handle("left", "cupboard_hinge", "cupboard_door", "80");
    size_t hinge = (size_t)world_find_joint(r->known, "cupboard_hinge");
    holds(r, "closed(cupboard_door)", true);
    assert_true(off_the_way(r, "left", "cupboard_hinge", "80") < 0.01);
    assert_true(fabs(belief_world_joint(r->belief, hinge, NULL) - 80 * PI / 180) < 0.006);
    holds(r, "open(cupboard_hinge)", true);
    holds(r, "open(cupboard_door)", true);
    assert_true(off_the_way(r, "left", "cupboard_door", "0") < 0.01);
    assert_true(fabs(belief_world_joint(r->belief, hinge, NULL)) < 0.03);
    holds(r, "closed(cupboard_hinge)", true);
    rig_destroy(r);
}

static void a_door_stops_the_base_where_it_stands_now(void **state) {
    (void)state;
    rig *r = at_handle("left", "cupboard_hinge", "cupboard_door", "80");
    size_t hinge = (size_t)world_find_joint(r->known, "cupboard_hinge");
    const believed_object *door = belief_find(r->belief, "cupboard_door");
    base_map *map = base_map_create(&r->mind);
    pose closed = door->at;
    off_the_way(r, "left", "cupboard_hinge", "80");
    base_map_refresh(map, &r->mind);
    for (size_t k = 0; k < door->kind->shape_count; k++) {
        pose now = pose_mul(world_joint_pose(r->known, hinge, 80 * PI / 180),
                            pose_inverse(world_joint_pose(r->known, hinge, 0)));
        vec3 middle = pose_mul(pose_mul(now, closed), door->kind->shapes[k].at).p;
        assert_true(base_map_line(map, middle, middle) < 2 * BASE_MAP_CELL);
    }
    base_map_destroy(map);
    rig_destroy(r);
}

static void a_handle_is_taken_as_it_can_be_moved_to_where_it_shall(void **state) {
    (void)state;
    rig *r = rig_create_in("examples/worlds/cupboard.yaml", 1, 0);
    must(rig_do(r, "navigate", "to", "operate(cupboard_door, 80, left)", NULL), "navigate");
    const char *to = "before(cupboard_door, 80)";
    must(rig_do(r, "move_arm", "arm", "left", "to", to, "grasp", "handle", NULL), "before");
    to = "before(counter_1, 80)"; // which has no handle
    rig_result x = rig_do(r, "move_arm", "arm", "left", "to", to, NULL);
    assert_string_equal(x.failure.class, "designator_reference_failure");
    rig_destroy(r);
}

static void a_handle_is_followed_from_postures_that_come_from_half_way(void **state) {
    (void)state;
    rig *r = rig_create_in("examples/worlds/cupboard.yaml", 1, 0);
    must(rig_do(r, "navigate", "to", "operate(cupboard_door, 90, left)", NULL), "navigate");
    const believed_object *door = belief_find(r->belief, "cupboard_door");
    size_t hinge = (size_t)world_find_joint(r->known, "cupboard_hinge");
    const double to = PI / 2;
    grasp_pose grasps[GRASPS_MAX];
    size_t count = grasp_candidates(&r->mind, door, 0, 0, grasps), postures = 0, whole = 0;
    arm_scene s;
    arm_scene_init(&s, &r->mind, 0, belief_robot(r->belief), NULL, grasps[0].opening, door->name,
                   0.007, "arc");
    for (size_t k = 0; k < count; k++)
        for (int n = 0; n < 20; n++) {
            double q[AXES_MAX] = {0}, turn;
            if (!arm_handle_posture(&s, grasps[k].tool, hinge, 0, to, true, n, q))
                continue;
            pose frames[FRAMES];
            chain_forward(&s.chain, q, frames);
            assert_true(v3_distance(frames[TOOL].p, grasps[k].tool.p) < 1e-3);
            assert_true(quat_angle(frames[TOOL].q, grasps[k].tool.q) < 5e-3);
            postures++;
            knot_array way = {0};
            if (arm_operates(&s, q, door, grasps[k].way->width, hinge, 0, to, 0.015, true, &turn,
                             &way) == to) {
                // The postures lead from this one along the handle's circle to its end.
                assert_true(way.count > 4 && memcmp(way.items[0].q, q, sizeof q) == 0);
                for (size_t n_at = 0; n_at < way.count; n_at++) {
                    double at = to * (double)n_at / (double)(way.count - 1);
                    pose want = door_tool(&r->mind, hinge, 0, at, turn, grasps[k].tool);
                    chain_forward(&s.chain, way.items[n_at].q, frames);
                    assert_true(v3_distance(frames[TOOL].p, want.p) < 1e-3);
                }
                whole++;
            } else {
                assert_true(way.count == 0);
            }
            array_finish(&way);
        }
    arm_scene_finish(&s);
    assert_true(postures > 0);
    assert_true(whole > 0);
    // An arm that stands elsewhere has none.
    arm_scene_init(&s, &r->mind, 0, pose_planar(0, 0, 0), NULL, 0.05, door->name, 0.007, "arc");
    for (int n = 0; n < 20; n++) {
        double q[AXES_MAX];
        assert_false(arm_handle_posture(&s, grasps[0].tool, hinge, 0, to, true, n, q));
    }
    arm_scene_finish(&s);
    rig_destroy(r);
}

static void a_door_is_moved_by_the_arm_that_has_more_room(void **state) {
    (void)state;
    rig *r = rig_create_in("examples/worlds/cupboard.yaml", 1, 0);
    const term *out;
    error err = {0};
    size_t choices = r->log.counts[RECORD_CHOICE];
    const term *f = rig_term(r, "operating_arm(cupboard_door, 90)");
    assert_int_equal(robot_evaluate(&r->mind, r->scratch, f, 1, r->t, &out, &err), OK);
    assert_true(term_is_symbol(out, "left")); // the hinge is on the right
    assert_int_equal(r->log.counts[RECORD_CHOICE], choices + 1);
    const char *none[] = {"operating_arm(counter_1, 90)", "operating_arm(cupboard_door, far)"};
    for (size_t k = 0; k < 2; k++) {
        f = rig_term(r, none[k]);
        assert_int_equal(robot_evaluate(&r->mind, r->scratch, f, 1, r->t, &out, &err), E_INPUT);
    }
    rig_destroy(r);
}

static void a_hand_follows_the_line_of_a_drawer(void **state) {
    (void)state;
    rig *r = at_handle("right", "cabinet_slide", "cabinet_drawer", "0.25");
    size_t slide = (size_t)world_find_joint(r->known, "cabinet_slide");
    assert_true(off_the_way(r, "right", "cabinet_drawer", "0.25") < 0.01);
    assert_true(fabs(belief_world_joint(r->belief, slide, NULL) - 0.25) < 0.01);
    rig_destroy(r);
}

static void only_what_the_hand_holds_is_moved(void **state) {
    (void)state;
    rig *r = rig_create_in("examples/worlds/cupboard.yaml", 1, 0);
    rig_result x = rig_do(r, "operate", "arm", "left", "joint", "cupboard_hinge", "to", "60", NULL);
    assert_int_equal(x.state, ACTION_FAILED);
    assert_string_equal(x.failure.class, "manipulation_pose_unreachable");
    x = rig_do(r, "operate", "arm", "left", "joint", "counter_1", "to", "60", NULL);
    assert_string_equal(x.failure.class, "designator_reference_failure");
    x = rig_do(r, "navigate", "to", "operate(counter_1, 60, left)", NULL);
    assert_string_equal(x.failure.class, "designator_reference_failure");
    rig_destroy(r);
}

static void a_hand_that_meets_nothing_says_so(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    must(rig_do(r, "move_arm", "arm", "left", "to", "carry", NULL), "carry");
    vec3 before = tool(r, 0).p;
    rig_result x = rig_do(r, "press", "arm", "left", "force", "20", "distance", "0.1", NULL);
    assert_int_equal(x.state, ACTION_FAILED);
    assert_string_equal(x.failure.class, "manipulation_goal_not_reached");
    double sunk = before.z - tool(r, 0).p.z;
    assert_true(sunk > 0.095 && sunk < 0.12);
    x = rig_do(r, "press", "arm", "left", "direction", "up", NULL);
    assert_string_equal(x.failure.class, "designator_reference_failure");
    rig_destroy(r);
}

static void a_place_out_of_reach_is_not_wiped(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    rig_result x = rig_do(r, "wipe", "arm", "left", "region", "place_1", NULL);
    assert_int_equal(x.state, ACTION_FAILED);
    assert_string_equal(x.failure.class, "manipulation_pose_unreachable");
    x = rig_do(r, "wipe", "arm", "left", "region", "nowhere", NULL);
    assert_string_equal(x.failure.class, "designator_reference_failure");
    rig_destroy(r);
}

static void a_place_is_wiped_from_where_all_of_it_is_reached(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    must(rig_do(r, "navigate", "to", "wipe(place_1, right)", NULL), "navigate");
    must(rig_do(r, "open_gripper", "arm", "right", "opening", "0.01", NULL), "open");
    // The hand reaches the first corner, but meets no surface: the ideal body passes through
    // everything.
    rig_result x = rig_do(r, "wipe", "arm", "right", "region", "place_1", NULL);
    assert_string_equal(x.failure.class, "manipulation_goal_not_reached");
    const world_region *g = &r->known->regions[world_find_region(r->known, "place_1")];
    pose area = pose_mul(r->known->bodies[g->body].at, g->at);
    vec3 at = pose_apply(pose_inverse(area), tool(r, 1).p);
    assert_true(fabs(fabs(at.x) - (g->half_x - 0.02)) < 0.01);
    assert_true(fabs(fabs(at.y) - (g->half_y - 0.02)) < 0.01);
    assert_true(at.z < 0);
    rig_destroy(r);
}

static void kinds_of_joints_are_known(void **state) {
    (void)state;
    rig *r = rig_create_in("examples/worlds/cupboard.yaml", 1, 0);
    const term *out;
    error err = {0};
    const struct {
        const char *function, *kind;
    } cases[] = {{"joint_kind(cupboard_door)", "hinge"},
                 {"joint_kind(cupboard_hinge)", "hinge"},
                 {"joint_kind(cabinet_drawer)", "slider"}};
    for (size_t i = 0; i < 3; i++) {
        const term *f = rig_term(r, cases[i].function);
        assert_int_equal(robot_evaluate(&r->mind, r->scratch, f, 1, r->t, &out, &err), OK);
        assert_true(term_is_symbol(out, cases[i].kind));
    }
    assert_int_equal(robot_evaluate(&r->mind, r->scratch, rig_term(r, "joint_kind(counter_1)"), 1,
                                    r->t, &out, &err),
                     E_INPUT);
    rig_destroy(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hand_follows_the_arc_of_a_door_there_and_back),
        cmocka_unit_test(a_door_stops_the_base_where_it_stands_now),
        cmocka_unit_test(a_handle_is_taken_as_it_can_be_moved_to_where_it_shall),
        cmocka_unit_test(a_handle_is_followed_from_postures_that_come_from_half_way),
        cmocka_unit_test(a_door_is_moved_by_the_arm_that_has_more_room),
        cmocka_unit_test(a_hand_follows_the_line_of_a_drawer),
        cmocka_unit_test(only_what_the_hand_holds_is_moved),
        cmocka_unit_test(a_hand_that_meets_nothing_says_so),
        cmocka_unit_test(a_place_out_of_reach_is_not_wiped),
        cmocka_unit_test(a_place_is_wiped_from_where_all_of_it_is_reached),
        cmocka_unit_test(kinds_of_joints_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
