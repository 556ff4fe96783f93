// tests/mind/test_views.c - from where else something can be looked at, and how high things stand
// on one another.
#include "projector/robot/grasping/grasp.h"
#include "tests/mind/rig.h"

#include <math.h>

static const term *views_of(rig *r, const char *what) {
    const term *out = NULL, *function = rig_term(r, what);
    error err = {0};
    assert_int_equal(robot_evaluate(&r->mind, r->scratch, function, 0, r->t, &out, &err), OK);
    assert_non_null(out);
    return out;
}

static double number_of(const term *at, uint32_t i) {
    double v = 0;
    assert_true(term_is(at, "at", 3) && term_number(at->args[i], &v));
    return v;
}

static void a_shelf_at_a_wall_is_seen_from_several_sides_in_front_of_it(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    const term *views = views_of(r, "views(on(shelf_1))");
    int64_t count = term_list_length(views);
    assert_true(count >= 3);
    vec3 shelf = belief_find(r->belief, "shelf_1")->at.p;
    for (int64_t i = 0; i < count; i++) {
        const term *a = term_list_item(views, (size_t)i);
        double x = number_of(a, 0), y = number_of(a, 1), yaw = number_of(a, 2) * PI / 180;
        // The robot stands inside the room on free floor, and looks towards the shelf.
        assert_true(x > r->robot->base_radius);
        assert_true(base_clearance(&r->mind, x, y, NULL) > r->robot->base_radius);
        assert_true(fabs(angle_wrap(atan2(shelf.y - y, shelf.x - x) - yaw)) < 1.25);
        for (int64_t k = 0; k < i; k++) {
            // No two views have the same direction.
            const term *b = term_list_item(views, (size_t)k);
            double one = atan2(y - shelf.y, x - shelf.x),
                   other = atan2(number_of(b, 1) - shelf.y, number_of(b, 0) - shelf.x);
            assert_true(fabs(angle_wrap(one - other)) > 0.01);
        }
    }
    rig_destroy(r);
}

static stand_answer stand_to_see(rig *r, const char *region) {
    stand_query q;
    stand_answer answer;
    error err = {0};
    assert_int_equal(view_query(&r->mind, rig_term(r, region), &q, &err), OK);
    stand_search(&r->mind, &q, &answer);
    assert_true(answer.found);
    return answer;
}

// The eye of this robot stands behind its arm. A head that turns looks past it.
static void a_base_turns_aside_where_an_arm_hides_what_is_before_it(void **state) {
    (void)state;
    rig *r = rig_create_with("examples/worlds/kitchen.yaml", "examples/robots/one_arm.yaml", 1, 0);
    static const char *const postures[] = {"joints([0, -1.05, 0, 2.27, 0, 0.35, 0])", "park"};
    const int64_t pan = r->robot->pan;
    double cost[2][2];
    for (int parked = 0; parked < 2; parked++) {
        rig_result x = rig_do(r, "move_arm", "arm", "left", "to", postures[parked], NULL);
        if (x.state != ACTION_DONE)
            fail_msg("%s", x.failure.reason);
        for (int turns = 0; turns < 2; turns++) {
            r->robot->pan = turns ? pan : -1;
            cost[parked][turns] = stand_to_see(r, "place_1").best.cost;
        }
    }
    // More than half of the region is hidden from a head that cannot turn.
    assert_true(cost[0][0] > cost[1][0] + 1.5);
    assert_true(cost[0][1] < cost[0][0] - 1);
    assert_true(cost[1][1] <= cost[1][0]);
    rig_do(r, "move_arm", "arm", "left", "to", postures[0], NULL);
    vec3 place = belief_find(r->belief, "table_1")->at.p;
    stand at = stand_to_see(r, "place_1").best;
    assert_true(fabs(angle_wrap(atan2(place.y - at.y, place.x - at.x) - at.yaw)) > 0.4);
    rig_destroy(r);
}

static void what_is_no_region_has_no_views(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    const term *out = NULL;
    error err = {0};
    assert_int_equal(
        robot_evaluate(&r->mind, r->scratch, rig_term(r, "views(nowhere)"), 0, r->t, &out, &err),
        E_INPUT);
    assert_non_null(strstr(err.text, "nowhere"));
    rig_destroy(r);
}

static void a_plate_stands_on_the_rim_of_a_plate_and_a_cup_within_it(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    rig_do(r, "navigate", "to", "view(on(counter_1))", NULL);
    rig_do(r, "look_at", "at", "on(counter_1)", NULL);
    rig_do(r, "detect", NULL);
    const believed_object *below = belief_find(r->belief, "plate#1"),
                          *cup = belief_find(r->belief, "cup#1");
    assert_non_null(below);
    assert_non_null(cup);
    pose at = below->at;
    at.p.z += 0.01; // the upper side of its base
    held plate = {below->kind, POSE_IDENTITY, "plate#2"}, drink = {cup->kind, POSE_IDENTITY, "x"};
    // A plate's base is 10 mm thick and its wall 35 mm high: the upper plate stands on the wall.
    assert_true(fabs(rest_height(&r->mind, "plate#1", &plate, at) - 0.035) < 0.002);
    assert_true(fabs(rest_height(&r->mind, "plate#1", &drink, at) - 0) < 0.002);
    // Furniture has no rim.
    assert_true(rest_height(&r->mind, "counter_1", &plate, at) == 0);
    rig_destroy(r);
}

static void a_head_turns_to_whatever_its_joints_allow(void **state) {
    (void)state;
    rig *r = rig_create_with("examples/worlds/kitchen.yaml", "examples/robots/six_axis.yaml", 1, 0);
    pose base = belief_robot(r->belief);
    for (int angle = -140; angle <= 140; angle += 20) {
        char point[80];
        double yaw = quat_yaw(base.q) + angle * PI / 180;
        snprintf(point, sizeof point, "point(%.3f, %.3f, 0.7)", base.p.x + 0.7 * cos(yaw),
                 base.p.y + 0.7 * sin(yaw));
        rig_result x = rig_do(r, "look_at", "at", point, NULL);
        if (x.state != ACTION_DONE)
            fail_msg("%d degrees aside: %s", angle, x.failure.reason);
    }
    rig_destroy(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shelf_at_a_wall_is_seen_from_several_sides_in_front_of_it),
        cmocka_unit_test(a_base_turns_aside_where_an_arm_hides_what_is_before_it),
        cmocka_unit_test(what_is_no_region_has_no_views),
        cmocka_unit_test(a_head_turns_to_whatever_its_joints_allow),
        cmocka_unit_test(a_plate_stands_on_the_rim_of_a_plate_and_a_cup_within_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
