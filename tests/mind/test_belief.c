// tests/mind/test_belief.c - what the robot comes to believe from readings and assertions alone.
#include "tests/mind/rig.h"

#include <math.h>

static size_t solutions(rig *r, const char *occasion) {
    term_list_array out = {0};
    error err = {0};
    if (belief_solve(r->belief, r->scratch, rig_term(r, occasion), &out, &err) != OK)
        fail_msg("%s", err.text);
    size_t count = out.count;
    array_finish(&out);
    return count;
}

static const believed_object *of_color(const rig *r, const char *type, const char *color) {
    for (size_t i = 0; i < belief_object_count(r->belief); i++) {
        const believed_object *o = belief_object(r->belief, i);
        if (!o->known && strcmp(o->type, type) == 0 && (!color || strcmp(o->color, color) == 0))
            return o;
    }
    return NULL;
}

// Reads one camera frame with a single percept at a pose of the map.
static void frame(rig *r, const char *type, const char *color, pose at, int count) {
    percept p = {sink_id(&r->log.head, RECORD_PERCEPT), type, color,
                 pose_mul(pose_inverse(belief_robot(r->belief)), at)};
    r->t += 20000000;
    reading in = {.kind = READING_CAMERA, .id = 1, .taken = r->t, .delivered = r->t};
    in.camera.count = (size_t)count;
    in.camera.percepts = &p;
    error err = {0};
    assert_int_equal(belief_read(r->belief, &in, &err), OK);
}

static void furniture_is_believed_from_the_start_with_its_supports(void **state) {
    (void)state;
    rig *r = rig_create(1, 1);
    assert_int_equal(solutions(r, "on(chair_1, floor)"), 1);
    assert_int_equal(solutions(r, "on(table_1, floor)"), 1);
    assert_int_equal(solutions(r, "type(X, chair)"), 4);
    assert_int_equal(solutions(r, "type(_, plate)"), 0);
    assert_true(r->log.counts[RECORD_BELIEVED] >= r->known->body_count);
    rig_destroy(r);
}

static void nothing_unseen_is_believed_in(void **state) {
    (void)state;
    rig *r = rig_create(1, 1);
    for (size_t i = 0; i < belief_object_count(r->belief); i++)
        assert_true(belief_object(r->belief, i)->known);
    rig_destroy(r);
}

static void frames_are_fused_with_the_error_of_a_mean(void **state) {
    (void)state;
    // Relative to the believed base, only the camera errs: by sigma / sqrt n in the plane.
    double sum = 0, expected = 0;
    size_t n = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        rig *r = rig_create(seed, 1);
        assert_int_equal(rig_do(r, "look_at", "at", "counter_top", NULL).state, ACTION_DONE);
        assert_int_equal(rig_do(r, "detect", "frames", "16", NULL).state, ACTION_DONE);
        pose map_from_truth = pose_mul(belief_robot(r->belief), pose_inverse(r->base));
        for (size_t i = 0; i < belief_object_count(r->belief); i++) {
            const believed_object *o = belief_object(r->belief, i);
            if (o->known || !o->confirmed)
                continue;
            pose truth = pose_mul(map_from_truth, r->objects[rig_body_of(r, o)]);
            double distance = v3_distance(truth.p, v3(r->base.p.x, r->base.p.y, 1.4));
            double sigma = r->robot->camera.position_noise +
                           r->robot->camera.position_noise_per_metre * distance;
            sum += pow(o->at.p.x - truth.p.x, 2) + pow(o->at.p.y - truth.p.y, 2);
            expected += 2 * sigma * sigma / 16;
            n++;
            assert_string_equal(o->support, "counter_1");
            assert_true(fabs(o->at.p.z - 0.88) < 1e-6);
        }
        rig_destroy(r);
    }
    assert_true(n >= 100);
    assert_in_range((int)(100 * sum / expected), 75, 130);
}

static void orientation_is_fused_too(void **state) {
    (void)state;
    rig *r = rig_create(3, 1);
    rig_do(r, "look_at", "at", "counter_top", NULL);
    rig_do(r, "detect", "frames", "40", NULL);
    for (size_t i = 0; i < belief_object_count(r->belief); i++) {
        const believed_object *o = belief_object(r->belief, i);
        if (!o->known && o->confirmed)
            assert_true(quat_angle(o->at.q, r->objects[rig_body_of(r, o)].q) <
                        3.5 * 2 * PI / 180 / sqrt(40));
    }
    rig_destroy(r);
}

static void colours_and_places_tell_objects_apart(void **state) {
    (void)state;
    rig *r = rig_create(2, 1);
    rig_do(r, "look_at", "at", "counter_top", NULL);
    rig_result x = rig_do(r, "detect", "type", "cup", "color", "green", NULL);
    assert_int_equal(x.state, ACTION_DONE);
    assert_int_equal(term_list_length(x.result), 1);
    assert_string_equal(belief_find(r->belief, term_list_item(x.result, 0)->text)->color, "green");
    x = rig_do(r, "detect", "type", "plate", "region", "on(counter_1)", NULL);
    assert_int_equal(term_list_length(x.result), 4);
    x = rig_do(r, "detect", "type", "plate", "region", "place_1", NULL);
    assert_int_equal(term_list_length(x.result), 0);
    // Objects that are seen again are no new objects.
    size_t before = belief_object_count(r->belief);
    rig_do(r, "detect", NULL);
    assert_int_equal(belief_object_count(r->belief), before);
    assert_true(r->log.counts[RECORD_ASSOCIATION] >= 7 * 30);
    rig_destroy(r);
}

static void a_percept_farther_off_than_its_noise_is_another_object(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    pose at = {v3(2.0, 4.6, 0.88), {1, 0, 0, 0}};
    belief_look(r->belief);
    for (int k = 0; k < 10; k++)
        frame(r, "cup", "red", at, 1);
    error err = {0};
    assert_int_equal(belief_fuse(r->belief, 0, r->t, NULL, &err), OK);
    const believed_object *first = of_color(r, "cup", "red");
    assert_true(first->confirmed);
    at.p.x += 0.03;
    frame(r, "cup", "red", at, 1);
    assert_int_equal(belief_find(r->belief, "cup#2") == NULL, 1);
    at.p.x += 0.4;
    frame(r, "cup", "red", at, 1);
    assert_non_null(belief_find(r->belief, "cup#2"));
    // One percept does not confirm an object.
    assert_false(belief_find(r->belief, "cup#2")->confirmed);
    assert_int_equal(solutions(r, "type(X, cup)"), 1);
    rig_destroy(r);
}

static void what_should_be_seen_and_is_not_is_no_longer_believed_there(void **state) {
    (void)state;
    rig *r = rig_create(4, 1);
    rig_do(r, "look_at", "at", "counter_top", NULL);
    rig_do(r, "detect", NULL);
    const believed_object *red = of_color(r, "cup", "red");
    size_t body = rig_body_of(r, red);
    assert_true(red->confirmed);
    r->objects[body].p = v3(5, 1, 0);
    rig_do(r, "detect", NULL);
    assert_false(of_color(r, "cup", "red")->confirmed);
    assert_int_equal(solutions(r, "color(X, red)"), 1); // the chimney
    rig_destroy(r);
}

// Puts the palm of the right hand, pointing down, between the camera's eye and a point, `far` m
// from the eye.
static void hold_before_eye(rig *r, vec3 point, double far) {
    const robot_arm *arm = &r->robot->arms[1];
    const pose *links = belief_links(r->belief);
    vec3 eye = pose_apply(links[r->robot->camera.link], r->robot->camera.at.p);
    pose tool = {v3_add(eye, v3_scale(v3_unit(v3_sub(point, eye)), far)), hand_pointing_down(0)};
    tool.p.z -= arm->gripper.pad_center_z - arm->gripper.palm_center.z;
    chain c;
    double q[AXES_MAX] = {0};
    chain_init(&c, r->robot, 1, links);
    assert_true(ik_solve(&c, tool, NULL, rng_key_make(1, "test", "eye"), 12, q));
    for (size_t k = 0; k < arm->joint_count; k++)
        r->q[arm->joints[k]] = r->target[arm->joints[k]] = q[k];
}

static void what_the_robots_own_hand_hides_is_still_believed_there(void **state) {
    (void)state;
    rig *r = rig_create(4, 1);
    rig_do(r, "look_at", "at", "counter_top", NULL);
    rig_do(r, "detect", NULL);
    const believed_object *red = of_color(r, "cup", "red");
    size_t body = rig_body_of(r, red);
    hold_before_eye(r, v3_add(red->at.p, v3(0, 0, 0.04)), 0.5);
    r->objects[body].p = v3(5, 1, 0); // the camera reports it no longer, as if it were hidden
    rig_do(r, "detect", NULL);
    assert_true(of_color(r, "cup", "red")->confirmed);
    rig_destroy(r);
}

static void an_object_in_hand_follows_the_hand_and_stays_where_it_is_let_go(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    pose tool = robot_tool(r->robot, 0, belief_links(r->belief));
    r->opening[0] = r->grip_target[0] = 0.075;
    rig_do(r, "wait", "seconds", "0.04", NULL);
    belief_look(r->belief);
    for (int k = 0; k < 10; k++)
        frame(r, "cup", "red", (pose){v3(2.0, 4.6, 0.88), {1, 0, 0, 0}}, 1);
    error err = {0};
    assert_int_equal(belief_fuse(r->belief, 0, r->t, NULL, &err), OK);
    pose in_hand = {v3(0, 0, 0.03), {0, 1, 0, 0}};
    assert_int_equal(belief_note_grasp(r->belief, 0, "cup#1", in_hand, 0.075), OK);
    assert_int_equal(solutions(r, "object_in_hand(X)"), 0);
    assert_int_equal(belief_assert(r->belief,
                                   rig_term(r, "object_in_hand('cup#1', robot_left_gripper)"), 1,
                                   r->t, &err),
                     OK);
    assert_int_equal(solutions(r, "object_in_hand(X, robot_left_gripper)"), 1);
    assert_int_equal(solutions(r, "object_in_hand(a(cup), left)"), 1);
    const believed_object *o = belief_find(r->belief, "cup#1");
    assert_true(v3_distance(o->at.p, pose_mul(tool, in_hand).p) < 1e-9);
    assert_null(o->support);
    // The cup moves with the arm.
    rig_do(r, "move_torso", "to", "0.2", NULL);
    pose moved = robot_tool(r->robot, 0, belief_links(r->belief));
    assert_true(v3_distance(o->at.p, pose_mul(moved, in_hand).p) < 1e-9);
    assert_true(fabs(moved.p.z - tool.p.z + 0.15) < 0.005);
    // A cup that is let go over nothing is believed to stay in the air.
    reading g = {.kind = READING_GRIPPER, .taken = r->t, .delivered = r->t};
    g.gripper.opening = 0.1;
    assert_int_equal(belief_read(r->belief, &g, &err), OK);
    assert_int_equal(solutions(r, "object_in_hand(X)"), 0);
    assert_string_equal(belief_find(r->belief, "cup#1")->parent, "map");
    rig_destroy(r);
}

static void feel(rig *r, double opening, bool touch) {
    r->t += 20000000;
    reading g = {.kind = READING_GRIPPER, .taken = r->t, .delivered = r->t};
    g.gripper.opening = opening;
    g.gripper.touch_1 = touch;
    error err = {0};
    assert_int_equal(belief_read(r->belief, &g, &err), OK);
}

static void a_hand_that_feels_itself_empty_lets_go_in_belief(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    belief_look(r->belief);
    for (int k = 0; k < 10; k++)
        frame(r, "cup", "red", (pose){v3(2.0, 4.6, 0.88), {1, 0, 0, 0}}, 1);
    error err = {0};
    assert_int_equal(belief_fuse(r->belief, 0, r->t, NULL, &err), OK);
    feel(r, 0.075, true);
    pose in_hand = {v3(0, 0, 0.03), {0, 1, 0, 0}};
    assert_int_equal(belief_note_grasp(r->belief, 0, "cup#1", in_hand, 0.075), OK);
    const term *occasion = rig_term(r, "object_in_hand('cup#1', robot_left_gripper)");
    assert_int_equal(belief_assert(r->belief, occasion, 1, r->t, &err), OK);
    // The hand is not empty while one finger touches or the opening is wide; a moment without touch
    // means nothing.
    for (int k = 0; k < 20; k++)
        feel(r, 0.001, true);
    for (int k = 0; k < 20; k++)
        feel(r, 0.07, false);
    for (int k = 0; k < 4; k++)
        feel(r, 0.001, false);
    feel(r, 0.001, true);
    for (int k = 0; k < 4; k++)
        feel(r, 0.001, false);
    assert_int_equal(solutions(r, "object_in_hand(X)"), 1);
    pose last = belief_find(r->belief, "cup#1")->at;
    feel(r, 0.001, false);
    assert_int_equal(solutions(r, "object_in_hand(X)"), 0);
    assert_null(belief_held(r->belief, 0, NULL));
    const believed_object *o = belief_find(r->belief, "cup#1");
    assert_false(o->confirmed);
    assert_string_equal(o->parent, "map");
    assert_true(v3_distance(o->at.p, last.p) < 1e-9 && o->cov.x >= 0.5);
    const record *written = &r->log.records.items[r->log.records.count - 1];
    assert_int_equal(written->kind, RECORD_BELIEVED_FRAME);
    assert_string_equal(written->BELIEVED_FRAME.source, "touch");
    // An assertion of the plan does not put the cup back into the empty hand.
    assert_int_equal(belief_assert(r->belief, occasion, 1, r->t, &err), OK);
    assert_int_equal(solutions(r, "object_in_hand(X)"), 0);
    // After a second grasp the cup is in the hand again.
    feel(r, 0.1, false);
    feel(r, 0.075, true);
    assert_int_equal(belief_note_grasp(r->belief, 0, "cup#1", in_hand, 0.075), OK);
    assert_int_equal(belief_assert(r->belief, occasion, 1, r->t, &err), OK);
    belief_look(r->belief);
    for (int k = 0; k < 10; k++)
        frame(r, "cup", "red", last, 1);
    assert_int_equal(belief_fuse(r->belief, 0, r->t, NULL, &err), OK);
    assert_int_equal(solutions(r, "object_in_hand(X)"), 1);
    rig_destroy(r);
}

static void no_percept_of_a_crowded_frame_is_dropped(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    enum { CROWD = 200 };
    percept seen[CROWD];
    pose base = pose_inverse(belief_robot(r->belief));
    for (int k = 0; k < CROWD; k++) {
        pose at = {v3(0.6 * (k % 20), 0.6 * (k / 20), 0.88), {1, 0, 0, 0}};
        seen[k] =
            (percept){sink_id(&r->log.head, RECORD_PERCEPT), "cup", "red", pose_mul(base, at)};
    }
    reading in = {.kind = READING_CAMERA, .id = 1, .taken = r->t, .delivered = r->t};
    in.camera.count = CROWD;
    in.camera.percepts = seen;
    error err = {0};
    size_t before = belief_object_count(r->belief);
    assert_int_equal(belief_read(r->belief, &in, &err), OK);
    assert_int_equal(belief_object_count(r->belief), before + CROWD);
    assert_int_equal(belief_read(r->belief, &in, &err), OK);
    assert_int_equal(belief_object_count(r->belief), before + CROWD);
    assert_int_equal(r->log.counts[RECORD_ASSOCIATION], 2 * CROWD);
    rig_destroy(r);
}

static void an_assertion_is_logged_as_an_effect_of_its_task(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    belief_look(r->belief);
    for (int k = 0; k < 10; k++)
        frame(r, "cup", "red", (pose){v3(3.7, 2.35, 0.745), {1, 0, 0, 0}}, 1);
    error err = {0};
    assert_int_equal(belief_fuse(r->belief, 0, r->t, NULL, &err), OK);
    assert_int_equal(belief_assert(r->belief, rig_term(r, "on('cup#1', table_1)"), 42, r->t, &err),
                     OK);
    const record *last = &r->log.records.items[r->log.records.count - 1];
    assert_int_equal(last->kind, RECORD_BELIEVED_FRAME);
    assert_string_equal(last->BELIEVED_FRAME.source, "effect");
    assert_string_equal(last->BELIEVED_FRAME.parent, "table_1");
    assert_string_equal(last->BELIEVED_FRAME.relation, "on");
    assert_int_equal(last->BELIEVED_FRAME.task, 42);
    assert_int_equal(belief_assert(r->belief, rig_term(r, "on(nothing, table_1)"), 42, r->t, &err),
                     E_INPUT);
    rig_destroy(r);
}

static void an_occasion_with_a_type_finds_its_objects(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    belief_look(r->belief);
    for (int k = 0; k < 10; k++)
        frame(r, "cup", "red", (pose){v3(3.41, 2.27, 0.74), {1, 0, 0, 0}}, 1);
    error err = {0};
    assert_int_equal(belief_fuse(r->belief, 0, r->t, NULL, &err), OK);
    assert_int_equal(solutions(r, "within(a(cup), place_1)"), 1);
    assert_int_equal(solutions(r, "within(a(cup), cup_spot_1)"), 1);
    assert_int_equal(solutions(r, "within(a(plate), place_1)"), 0);
    assert_int_equal(solutions(r, "within('cup#1', place_2)"), 0);
    assert_int_equal(solutions(r, "within('cup#1', R)"), 3); // table_top, place_1, cup_spot_1
    assert_int_equal(solutions(r, "stands_on('cup#1', B)"), 2);
    assert_int_equal(solutions(r, "on(X, X)"), 0);
    term_list_array out = {0};
    assert_int_equal(belief_solve(r->belief, r->scratch, rig_term(r, "frobnicated(X)"), &out, &err),
                     E_INPUT);
    rig_destroy(r);
}

static void descriptions_resolve_to_the_nearest_first(void **state) {
    (void)state;
    rig *r = rig_create(5, 1);
    rig_do(r, "look_at", "at", "counter_top", NULL);
    rig_do(r, "detect", NULL);
    term_list_array out = {0};
    error err = {0};
    assert_int_equal(belief_resolve_object(r->belief, r->scratch,
                                           rig_term(r, "[type(plate), on(counter_1)]"), &out, &err),
                     OK);
    assert_int_equal(out.count, 4);
    double last = 0;
    for (size_t i = 0; i < out.count; i++) {
        const believed_object *o = belief_find(r->belief, out.items[i]->text);
        double d =
            hypot(o->at.p.x - belief_robot(r->belief).p.x, o->at.p.y - belief_robot(r->belief).p.y);
        assert_true(d >= last);
        last = d;
    }
    array_finish(&out);
    rig_destroy(r);
}

static void a_place_before_a_chair_defaults_to_the_floor(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    believed_place p;
    error err = {0};
    assert_int_equal(
        belief_resolve_location(r->belief, rig_term(r, "in_front_of(chair_1)"), &p, &err), OK);
    assert_string_equal(p.support, "floor");
    assert_true(p.support_defaulted);
    assert_true(fabs(p.at.p.z) < 1e-9);
    // The chair faces the table, so that the place before it lies under the table's top.
    assert_true(p.at.p.y < 2.6 && p.at.p.y > 2.2);
    assert_int_equal(belief_resolve_location(
                         r->belief, rig_term(r, "in_front_of(chair_1, on(table_1))"), &p, &err),
                     OK);
    assert_string_equal(p.support, "table_1");
    assert_false(p.support_defaulted);
    assert_true(fabs(p.at.p.z - 0.74) < 1e-9);
    assert_int_equal(
        belief_resolve_location(r->belief, rig_term(r, "within(plate_spot_1)"), &p, &err), OK);
    assert_string_equal(p.support, "table_1");
    assert_int_equal(belief_resolve_location(r->belief, rig_term(r, "on(shelf_1)"), &p, &err), OK);
    assert_true(fabs(p.at.p.z - 0.90) < 1e-9);
    assert_int_equal(belief_resolve_location(
                         r->belief, rig_term(r, "in_front_of(chair_1, on(counter_1))"), &p, &err),
                     E_INPUT);
    assert_int_equal(belief_resolve_location(r->belief, rig_term(r, "within(nowhere)"), &p, &err),
                     E_INPUT);
    rig_destroy(r);
}

static void frames_are_given_as_of_a_time(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    error err = {0};
    pose p;
    covariance cov;
    rig_do(r, "navigate", "to", "at(2.0, 2.0, 90)", NULL);
    nanos before = r->t;
    assert_int_equal(belief_frame(r->belief, "robot", "map", before, &p, &cov, &err), OK);
    double y = p.p.y;
    rig_do(r, "navigate", "to", "at(2.0, 3.2, 90)", NULL);
    assert_int_equal(belief_frame(r->belief, "robot", "map", r->t, &p, &cov, &err), OK);
    assert_true(fabs(p.p.y - 3.2) < 0.02);
    assert_true(cov.y > 0.01); // odometry drifts
    assert_int_equal(belief_frame(r->belief, "robot", "map", before, &p, &cov, &err), OK);
    assert_true(fabs(p.p.y - y) < 0.003);
    assert_int_equal(belief_frame(r->belief, "table_1", "robot", r->t, &p, &cov, &err), OK);
    assert_true(fabs(p.p.x - (2.2 - 3.2)) < 0.02 && fabs(p.p.y - (2.0 - 4.0)) < 0.02);
    assert_int_equal(belief_frame(r->belief, "robot_left_gripper", "robot", r->t, &p, &cov, &err),
                     OK);
    assert_int_equal(belief_frame(r->belief, "plate_1", "map", r->t, &p, &cov, &err), E_INPUT);
    rig_destroy(r);
}

static void accuracy_grows_on_the_way_as_odometry_says(void **state) {
    (void)state;
    rig *r = rig_create(1, 1);
    double before, after, angle;
    belief_accuracy(r->belief, &before, &angle);
    rig_do(r, "navigate", "to", "at(2.0, 1.2, 90)", NULL);
    belief_accuracy(r->belief, &after, &angle);
    double way = 1.4;
    assert_true(after > 0.02 * sqrt(way) &&
                after < 0.02 * sqrt(way) + PI / 180 * sqrt(way) * way + before);
    assert_true(fabs(angle - PI / 180 * sqrt(way)) < 0.008);
    rig_destroy(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(furniture_is_believed_from_the_start_with_its_supports),
        cmocka_unit_test(nothing_unseen_is_believed_in),
        cmocka_unit_test(frames_are_fused_with_the_error_of_a_mean),
        cmocka_unit_test(orientation_is_fused_too),
        cmocka_unit_test(colours_and_places_tell_objects_apart),
        cmocka_unit_test(a_percept_farther_off_than_its_noise_is_another_object),
        cmocka_unit_test(what_should_be_seen_and_is_not_is_no_longer_believed_there),
        cmocka_unit_test(what_the_robots_own_hand_hides_is_still_believed_there),
        cmocka_unit_test(an_object_in_hand_follows_the_hand_and_stays_where_it_is_let_go),
        cmocka_unit_test(a_hand_that_feels_itself_empty_lets_go_in_belief),
        cmocka_unit_test(no_percept_of_a_crowded_frame_is_dropped),
        cmocka_unit_test(an_assertion_is_logged_as_an_effect_of_its_task),
        cmocka_unit_test(an_occasion_with_a_type_finds_its_objects),
        cmocka_unit_test(descriptions_resolve_to_the_nearest_first),
        cmocka_unit_test(a_place_before_a_chair_defaults_to_the_floor),
        cmocka_unit_test(frames_are_given_as_of_a_time),
        cmocka_unit_test(accuracy_grows_on_the_way_as_odometry_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
