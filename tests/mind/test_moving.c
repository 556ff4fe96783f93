// tests/mind/test_moving.c - actions that go by what is believed in each cycle: reaching for what
// moves, holding a hand out, keeping beside another robot, following a pole.
#include "tests/mind/rig.h"
#include "projector/belief/belief_int.h"

#include <math.h>

static void must(rig_result x, const char *what) {
    if (x.state != ACTION_DONE)
        fail_msg("%s: %s: %s", what, x.failure.class, x.failure.reason);
}

static void refuses(rig_result x, const char *class, const char *reason) {
    assert_int_equal(x.state, ACTION_FAILED);
    assert_string_equal(x.failure.class, class);
    if (!strstr(x.failure.reason, reason))
        fail_msg("expected '%s', not '%s'", reason, x.failure.reason);
}

static void a_hand_is_held_out_level_where_it_is_told(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    must(rig_do(r, "move_arm", "arm", "left", "to", "hold_out(0.45, 0.35, 0.95, 60)", NULL),
         "hold_out");
    pose tool = pose_mul(pose_inverse(belief_robot(r->belief)),
                         robot_tool(r->robot, 0, belief_links(r->belief)));
    vec3 ahead = quat_rotate(tool.q, v3(0, 0, 1)), across = quat_rotate(tool.q, v3(0, 1, 0));
    assert_true(v3_distance(tool.p, v3(0.45, 0.35, 0.95)) < 0.005);
    assert_true(v3_distance(ahead, v3(0.5, sqrt(0.75), 0)) < 0.02 && fabs(across.z) < 0.02);
    refuses(rig_do(r, "move_arm", "arm", "left", "to", "hold_out(3, 0, 1, 0)", NULL),
            "manipulation_pose_unreachable", "it cannot hold the hand out there");
    refuses(rig_do(r, "move_arm", "arm", "left", "to", "hold_out(3, 0, high, 0)", NULL),
            "designator_reference_failure", "is no target of move_arm");
    rig_destroy(r);
}

// The springs take the hand from before the cup to about it, wherever the cup has gone meanwhile.
static void a_hand_reaches_for_what_has_moved(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    must(rig_do(r, "navigate", "to", "view(counter_top)", NULL), "navigate");
    must(rig_do(r, "look_at", "at", "counter_top", NULL), "look_at");
    must(rig_do(r, "detect", NULL), "detect");
    must(rig_do(r, "navigate", "to", "reach('cup#1', left)", NULL), "navigate");
    must(rig_do(r, "move_arm", "arm", "left", "to", "before('cup#1')", NULL), "before");
    size_t cup = belief_index(r->belief, "cup#1");
    const believed_object *o = belief_object(r->belief, cup);
    pose moved = o->at;
    moved.p.x += 0.05;
    belief_hang(r->belief, cup, HANG_MAP, 0, "at", moved, o->cov);
    must(rig_do(r, "reach", "arm", "left", "to", "grasp('cup#1')", NULL), "reach");
    vec3 tool = robot_tool(r->robot, 0, belief_links(r->belief)).p;
    assert_true(hypot(tool.x - moved.p.x, tool.y - moved.p.y) < 0.02);
    // What is too far away is waited for, and the hand stays.
    moved.p.x += 1;
    belief_hang(r->belief, cup, HANG_MAP, 0, "at", moved, o->cov);
    refuses(rig_do(r, "reach", "arm", "left", "to", "grasp('cup#1')", "seconds", "2", NULL),
            "manipulation_goal_not_reached", "mm before cup#1");
    refuses(rig_do(r, "reach", "arm", "left", "to", "grasp('cup#1')", "seconds", "61", NULL),
            "manipulation_goal_not_reached", "mm before cup#1"); // and it has no other deadline
    assert_true(v3_distance(robot_tool(r->robot, 0, belief_links(r->belief)).p, tool) < 0.02);
    belief_forget_place(r->belief, cup, moved);
    refuses(rig_do(r, "reach", "arm", "left", "to", "grasp('cup#1')", NULL),
            "perception_object_not_found", "was not seen where it was believed to be");
    refuses(rig_do(r, "reach", "arm", "left", "to", "over(counter_1)", NULL),
            "designator_reference_failure", "is no target of reach");
    rig_destroy(r);
}

// Teaches the left arm how it goes to a place, by two actions at once.
static void teach_motion(rig *r, const char *name, const char *to) {
    const action_argument moving[2] = {{"arm", rig_term(r, "left")}, {"to", rig_term(r, to)}};
    const action_argument learns[2] = {{"arm", moving[0].value}, {"name", rig_term(r, name)}};
    action *moves, *learner;
    error err = {0};
    const term *result;
    action_failure failure;
    action_state state = ACTION_RUNNING;
    reading in;
    assert_int_equal(action_begin(&r->mind, "move_arm", moving, 2, 1, "m", r->t, &moves, &err), OK);
    assert_int_equal(action_begin(&r->mind, "teach", learns, 2, 2, "t", r->t, &learner, &err), OK);
    while (state == ACTION_RUNNING) {
        action_state learning;
        rig_sense(r);
        while (r->body.next(r, &in))
            assert_int_equal(belief_read(r->belief, &in, &err), OK);
        assert_int_equal(action_step(moves, r->scratch, r->t, &state, &result, &failure, &err), OK);
        assert_int_equal(action_step(learner, r->scratch, r->t, &learning, &result, &failure, &err),
                         OK);
        assert_int_equal(learning, ACTION_RUNNING);
        rig_move(r);
    }
    assert_null(taught_find(&r->mind, name)); // it is there when the step has ended
    assert_int_equal(action_cancel(learner, r->t, &err), OK);
    action_free(moves);
    action_free(learner);
    assert_int_equal(state, ACTION_DONE);
}

static void a_motion_is_done_again_by_the_arm_that_was_taught_it(void **state) {
    (void)state;
    const double noise[] = {0, 1};
    for (int n = 0; n < 2; n++) {
        rig *r = rig_create(1, noise[n]);
        must(rig_do(r, "move_arm", "arm", "left", "to", "hold_out(0.45, 0.35, 0.95, 0)", NULL), "");
        teach_motion(r, "bow", "hold_out(0.55, 0.35, 0.75, 0)");
        vec3 end = robot_tool(r->robot, 0, belief_links(r->belief)).p;
        refuses(rig_do(r, "replay", "arm", "left", "name", "bow", NULL),
                "manipulation_pose_unreachable", "from where bow begins; move_arm: to taught(bow)");
        must(rig_do(r, "move_arm", "arm", "left", "to", "taught(bow)", NULL), "to its beginning");
        assert_true(v3_distance(robot_tool(r->robot, 0, belief_links(r->belief)).p, end) > 0.1);
        must(rig_do(r, "replay", "arm", "left", "name", "bow", "pace", "2", NULL), "replay");
        assert_true(v3_distance(robot_tool(r->robot, 0, belief_links(r->belief)).p, end) < 0.01);
        refuses(rig_do(r, "replay", "arm", "right", "name", "bow", NULL),
                "designator_reference_failure", "bow was taught with the left arm");
        refuses(rig_do(r, "move_arm", "arm", "right", "to", "taught(bow)", NULL),
                "designator_reference_failure", "bow was taught with the left arm");
        refuses(rig_do(r, "replay", "arm", "left", "name", "nod", NULL),
                "designator_reference_failure", "no motion was taught under the name nod");
        refuses(rig_do(r, "teach", "arm", "left", "name", "at(1, 2)", NULL),
                "designator_reference_failure", "a motion is taught under a word of at most 63");
        // The motion is over long before the hand has joined it from 4 cm away.
        must(rig_do(r, "move_arm", "arm", "left", "to", "hold_out(0.45, 0.39, 0.95, 0)", NULL), "");
        must(rig_do(r, "replay", "arm", "left", "name", "bow", "pace", "50", NULL), "fast");
        assert_true(v3_distance(robot_tool(r->robot, 0, belief_links(r->belief)).p, end) < 0.011);
        // What is taught under a name that there is takes its place.
        must(rig_do(r, "teach", "arm", "right", "name", "bow", "seconds", "0.5", NULL), "teach");
        refuses(rig_do(r, "replay", "arm", "left", "name", "bow", NULL),
                "designator_reference_failure", "bow was taught with the right arm");
        must(rig_do(r, "replay", "arm", "right", "name", "bow", NULL), "replay");
        rig_destroy(r);
    }
}

static void a_motion_is_done_again_from_where_the_torso_stood(void **state) {
    (void)state;
    rig *r = rig_create(1, 1);
    double height = belief_joints(r->belief)[r->robot->torso];
    char said[64], back[32];
    snprintf(said, sizeof said, "bow was taught with the torso at %.2f m, and it is at", height);
    snprintf(back, sizeof back, "%.4f", height + 0.005);
    must(rig_do(r, "teach", "arm", "left", "name", "bow", "seconds", "0.5", NULL), "teach");
    must(rig_do(r, "move_torso", "to", height > 0.2 ? "0.15" : "0.25", NULL), "torso");
    refuses(rig_do(r, "replay", "arm", "left", "name", "bow", NULL),
            "manipulation_pose_unreachable", said);
    refuses(rig_do(r, "move_arm", "arm", "left", "to", "taught(bow)", NULL),
            "manipulation_pose_unreachable", said);
    must(rig_do(r, "move_torso", "to", back, NULL), "torso");
    must(rig_do(r, "move_arm", "arm", "left", "to", "taught(bow)", NULL), "to its beginning");
    must(rig_do(r, "replay", "arm", "left", "name", "bow", NULL), "replay");
    rig_destroy(r);
}

// A step that is stopped before it has read a motion forgets the one of its name.
static void a_motion_that_was_never_read_cannot_be_done_again(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    action *learner;
    error err = {0};
    must(rig_do(r, "teach", "arm", "left", "name", "nod", "seconds", "0.5", NULL), "teach");
    must(rig_do(r, "teach", "arm", "left", "name", "bow", "seconds", "0.5", NULL), "teach");
    const action_argument learns[2] = {{"arm", rig_term(r, "left")}, {"name", rig_term(r, "nod")}};
    assert_int_equal(action_begin(&r->mind, "teach", learns, 2, 1, "t", r->t, &learner, &err), OK);
    assert_int_equal(action_cancel(learner, r->t, &err), OK);
    action_free(learner);
    refuses(rig_do(r, "replay", "arm", "left", "name", "nod", NULL), "designator_reference_failure",
            "no motion was taught under the name nod");
    must(rig_do(r, "replay", "arm", "left", "name", "bow", NULL), "replay");
    rig_destroy(r);
}

static void numbers_beyond_what_an_action_takes_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *action, *key, *value, *reason;
    } cases[] = {
        {"teach", "seconds", "0", "seconds of teach is from 0.1 to 3600 s, not 0"},
        {"replay", "stiffness", "8000", "stiffness of replay is from 10 to 5000 N/m, not 8000"},
        {"guide", "distance", "11", "distance of guide is from 0 to 10 m, not 11"},
        {"guide", "path", "[[1, 0, 0, 0], [2, 0, 1e300, 0]]",
         "path of guide is from -10 to 10 m, not 1e+300"},
        {"guide", "path", "[[1, 0, 0, 0 | x]]", "a path of guide is a list of rows"},
        {"guide", "path", "[[1, 0, 0, 0] | x]", "a path of guide is a list of rows"},
    };
    rig *r = rig_create(1, 0);
    must(rig_do(r, "teach", "arm", "left", "name", "bow", "seconds", "0.5", NULL), "teach");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuses(rig_do(r, cases[i].action, "arm", "left", cases[i].key, cases[i].value,
                       strcmp(cases[i].action, "guide") == 0 ? NULL : "name", "bow", NULL),
                "designator_reference_failure", cases[i].reason);
    refuses(rig_do(r, "guide", "arm", "left", "path", "[[1, 0, 0, 0]]", "speed", "0.1", NULL),
            "designator_reference_failure", "guide goes along its path");
    must(rig_do(r, "replay", "arm", "left", "name", "bow", "stiffness", "5000", NULL), "replay");
    rig_destroy(r);
}

static void nobody_is_accompanied_whom_nothing_tells_of(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    error err = {0};
    belief_other_robot bob = {"bob", 0, true, POSE_IDENTITY};
    assert_int_equal(belief_meet(r->belief, &bob, &err), OK);
    refuses(rig_do(r, "accompany", "to", "offset(bob, 0, 1, 0)", NULL),
            "navigation_pose_unreachable", "nothing tells where bob is");
    refuses(rig_do(r, "accompany", "to", "at(1, 1, 0)", NULL), "designator_reference_failure",
            "is no target of accompany");
    r->robot->base_drive = BASE_DIFFERENTIAL;
    refuses(rig_do(r, "accompany", "to", "offset(bob, 0, 1, 0)", NULL),
            "navigation_pose_unreachable", "only a base that drives to any side");
    rig_destroy(r);
}

// ---- Beside another robot -----------------------------------------------------------------------
// Bob stands at `bob_at` and turns; the tracker sees both robots until `seen_until`.
static pose bob_at;
static double bob_turns; // rad/s
static nanos seen_until;

static pose bob_now(const rig *r) {
    return pose_mul(bob_at, pose_planar(0, 0, bob_turns * seconds(r->t)));
}

static void tracker_sees(rig *r) {
    if (r->t > seen_until)
        return;
    pose eye = pose_inverse(r->robot->tracker.at), seen[] = {r->base, bob_now(r)};
    for (int i = 0; i < 2; i++) {
        reading in = {.kind = READING_TRACKER, .taken = r->t, .delivered = r->t};
        in.tracker.at = pose_mul(eye, seen[i]);
        in.tracker.of = i == 0 ? NULL : "bob";
        array_push(&r->queue, in);
    }
}

// The robot stands half a metre to the left of bob, turned as he is.
static rig *rig_beside_bob(nanos until) {
    rig *r = rig_create(1, 0);
    error err = {0};
    belief_destroy(r->belief);
    r->robot->tracker = (robot_tracker){.present = true,
                                        .at = {{1, 2, 3}, quat_rpy(PI, 0, 0)},
                                        .marker = POSE_IDENTITY,
                                        .noise = 0.001,
                                        .angle_noise = 0.001};
    assert_int_equal(belief_create(r->known, r->robot, &r->log.head, 1, NULL, 0, &r->belief, &err),
                     OK);
    r->mind.belief = r->belief;
    belief_other_robot bob = {"bob", 0, true, POSE_IDENTITY};
    assert_int_equal(belief_meet(r->belief, &bob, &err), OK);
    bob_at = pose_mul(r->base, pose_planar(0, -0.5, 0));
    bob_turns = 0;
    seen_until = until;
    r->each_cycle = tracker_sees;
    tracker_sees(r);
    must(rig_do(r, "wait", "seconds", "0.1", NULL), "wait");
    return r;
}

static void a_robot_that_turns_is_accompanied_at_the_velocity_of_the_place(void **state) {
    (void)state;
    rig *r = rig_beside_bob(100000000000);
    bob_at = pose_mul(bob_at, pose_planar(0, 0, -0.2 * seconds(r->t)));
    bob_turns = 0.2;
    must(rig_do(r, "accompany", "to", "offset(bob, 0, 0.5, 0)", "seconds", "4", NULL), "accompany");
    pose off = pose_mul(pose_inverse(pose_mul(bob_now(r), pose_planar(0, 0.5, 0))), r->base);
    // Without the velocity that the turn gives the place, 0.1 m/s, it would lag by 67 mm.
    if (v3_length(off.p) > 0.02)
        fail_msg("it is %g, %g m off its place", off.p.x, off.p.y);
    rig_destroy(r);
}

static void nobody_is_accompanied_whom_nothing_has_seen_for_two_seconds(void **state) {
    (void)state;
    rig *r = rig_beside_bob(1000000000);
    rig_result x = rig_do(r, "accompany", "to", "offset(bob, 0, 0.5, 0)", "seconds", "60", NULL);
    refuses(x, "navigation_goal_not_reached", "nothing tells any more where bob is");
    if (fabs(seconds(r->t) - 3) > 0.1)
        fail_msg("it failed at %g s", seconds(r->t));
    refuses(rig_do(r, "accompany", "to", "offset(bob, 0, 0.5, 0)", NULL),
            "navigation_pose_unreachable", "nothing tells where bob is");
    rig_destroy(r);
}

static void a_track_for_a_while_takes_three_scans_in_a_row(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    for (size_t scans = 0; scans < 3; scans++) {
        r->pole_scans = scans;
        refuses(rig_do(r, "track", "type", "cup", "at", "point(2, 2, 0.8)", "seconds", "1", NULL),
                "perception_object_not_found", "no three scans in a row report cup there");
        assert_int_equal(r->pole_scans, 0);
        assert_false(r->laser);
        assert_false(r->belief->pole.on);
    }
    r->pole_scans = 3;
    rig_result x =
        rig_do(r, "track", "type", "cup", "at", "point(2, 2, 0.8)", "seconds", "1", NULL);
    must(x, "track");
    assert_true(belief_find(r->belief, x.result->text)->confirmed);
    refuses(rig_do(r, "track", "at", "point(2, 2, 0.8)", NULL), "designator_reference_failure",
            "track needs the type of the pole");
    refuses(rig_do(r, "track", "type", "cereal_box", "at", "point(2, 2, 0.8)", NULL),
            "designator_reference_failure", "cereal_box is no pole");
    refuses(rig_do(r, "track", "type", "cup", "at", "nowhere", NULL),
            "designator_reference_failure", "nowhere is no target of track");
    rig_destroy(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hand_is_held_out_level_where_it_is_told),
        cmocka_unit_test(a_hand_reaches_for_what_has_moved),
        cmocka_unit_test(a_motion_is_done_again_by_the_arm_that_was_taught_it),
        cmocka_unit_test(a_motion_is_done_again_from_where_the_torso_stood),
        cmocka_unit_test(a_motion_that_was_never_read_cannot_be_done_again),
        cmocka_unit_test(numbers_beyond_what_an_action_takes_are_refused),
        cmocka_unit_test(nobody_is_accompanied_whom_nothing_tells_of),
        cmocka_unit_test(a_robot_that_turns_is_accompanied_at_the_velocity_of_the_place),
        cmocka_unit_test(nobody_is_accompanied_whom_nothing_has_seen_for_two_seconds),
        cmocka_unit_test(a_track_for_a_while_takes_three_scans_in_a_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
