// tests/mind/test_descriptions.c - the places that fit a description, and what is assumed where the
// description is silent.
#include "tests/mind/rig.h"
#include "projector/belief/places.h"

#include <math.h>

// Makes a rig whose robot has looked at the counter, on which plates and cups stand in a row.
static rig *before_the_counter(void) {
    rig *r = rig_create(1, 0);
    assert_int_equal(rig_do(r, "navigate", "to", "view(counter_top)", NULL).state, ACTION_DONE);
    assert_int_equal(rig_do(r, "look_at", "at", "counter_top", NULL).state, ACTION_DONE);
    assert_int_equal(rig_do(r, "detect", NULL).state, ACTION_DONE);
    return r;
}

typedef struct found {
    term_list_array places;
    char reason[240];
    status s;
    error err;
} found;

static found places(rig *r, const char *description, size_t most) {
    found f = {0};
    f.s = robot_places(&r->mind, r->scratch, rig_term(r, description), most, 7, r->t, &f.places,
                       f.reason, sizeof f.reason, &f.err);
    return f;
}

static vec3 spot_of(const term *place) {
    double x = 0, y = 0;
    assert_true(place->kind == TERM_COMPOUND && strcmp(place->text, "at") == 0);
    assert_true(term_number(place->args[0], &x) && term_number(place->args[1], &y));
    return v3(x, y, 0);
}

static const believed_object *nearest(const rig *r, const char *type, double x) {
    const believed_object *best = NULL;
    for (size_t i = 0; i < belief_object_count(r->belief); i++) {
        const believed_object *o = belief_object(r->belief, i);
        if (!o->known && o->confirmed && strcmp(o->type, type) == 0 &&
            (!best || fabs(o->at.p.x - x) < fabs(best->at.p.x - x)))
            best = o;
    }
    assert_non_null(best);
    return best;
}

static const record *choice(const rig *r, const char *what) {
    for (size_t k = r->log.records.count; k-- > 0;)
        if (r->log.records.items[k].kind == RECORD_CHOICE &&
            strcmp(r->log.records.items[k].CHOICE.what, what) == 0)
            return &r->log.records.items[k];
    return NULL;
}

static const char *text(rig *r, const char *format, const char *a, const char *b) {
    return arena_format(r->scratch, format, a, b);
}

static void places_on_a_support_are_free_and_apart_and_the_same_again(void **state) {
    (void)state;
    rig *r = before_the_counter();
    found f = places(r, "[on(counter_1), for(a(plate))]", 10), again;
    assert_int_equal(f.s, OK);
    assert_int_equal(f.places.count, 10);
    for (size_t i = 0; i < f.places.count; i++) {
        vec3 p = spot_of(f.places.items[i]);
        assert_true(term_is_symbol(f.places.items[i]->args[2], "any"));
        assert_true(term_is_symbol(f.places.items[i]->args[3], "counter_1"));
        // The plate stands wholly on the board, which is 2.0 x 0.6 m about (1.8, 4.69).
        assert_true(fabs(p.x - 1.8) < 1.0 - 0.105 && fabs(p.y - 4.69) < 0.3 - 0.105);
        for (size_t k = 0; k < belief_object_count(r->belief); k++) {
            const believed_object *o = belief_object(r->belief, k);
            if (!o->known && o->confirmed && strcmp(o->type, "plate") == 0)
                assert_true(hypot(o->at.p.x - p.x, o->at.p.y - p.y) > 0.2);
        }
        for (size_t k = 0; k < i; k++)
            assert_true(v3_distance(p, spot_of(f.places.items[k])) >= 0.079);
    }
    // The same words mean the same place wherever the robot stands.
    rig_do(r, "navigate", "to", "at(2.4, 3.2, 0)", NULL);
    again = places(r, "[on(counter_1), for(a(plate))]", 10);
    for (size_t i = 0; i < f.places.count; i++)
        assert_true(term_equal(f.places.items[i], again.places.items[i]));
    array_finish(&f.places);
    array_finish(&again.places);
    rig_destroy(r);
}

static void what_was_not_said_is_a_choice_of_the_task(void **state) {
    (void)state;
    rig *r = before_the_counter();
    const believed_object *cup = nearest(r, "cup", 2.4);
    found f = places(r, text(r, "[left_of('%s')]%s", cup->name, ""), 3);
    assert_int_equal(f.s, OK);
    static const struct {
        const char *what, *chosen;
    } said[] = {{"support", "counter_1"},
                {"viewpoint", "robot"},
                {"orientation", "any"},
                {"tolerance", "0.05"},
                {"for", "anything"}};
    for (size_t k = 0; k < sizeof said / sizeof *said; k++) {
        const record *c = choice(r, said[k].what);
        assert_non_null(c);
        assert_string_equal(c->CHOICE.chosen, said[k].chosen);
        assert_int_equal(c->CHOICE.task, 7);
        assert_non_null(strstr(c->CHOICE.question, "left_of"));
    }
    assert_true(fabs(atof(choice(r, "distance")->CHOICE.chosen) - (0.0375 + 0.04 + 0.05)) < 0.002);
    assert_non_null(strstr(choice(r, "support")->CHOICE.reason, cup->name));
    array_finish(&f.places);
    // Nothing is assumed, and so nothing logged, about what the description says; nor is anything
    // logged for a call without a task.
    size_t before = r->log.counts[RECORD_CHOICE];
    f = places(r,
               text(r,
                    "[on(counter_1), left_of('%s'), distance(0.2), seen_from(robot), at(%s, 0), "
                    "tolerance(0.03), for(a(cup))]",
                    cup->name, "2.4"),
               1);
    assert_int_equal(r->log.counts[RECORD_CHOICE], before); // at(2.4, 0) is not on the counter
    assert_int_equal(f.s, E_INFEASIBLE);
    array_finish(&f.places);
    term_list_array out = {0};
    char reason[64];
    error err = {0};
    assert_int_equal(robot_places(&r->mind, r->scratch, rig_term(r, "[on(table_1)]"), 1, 0, r->t,
                                  &out, reason, sizeof reason, &err),
                     OK);
    assert_int_equal(r->log.counts[RECORD_CHOICE], before);
    array_finish(&out);
    rig_destroy(r);
}

static void left_and_right_are_those_of_whose_they_are(void **state) {
    (void)state;
    rig *r = before_the_counter();
    const believed_object *cup = nearest(r, "cup", 2.4);
    // The robot looks north, so that its left is west.
    found left = places(r, text(r, "[left_of('%s')]%s", cup->name, ""), 1);
    found right = places(r, text(r, "[right_of('%s')]%s", cup->name, ""), 1);
    found front = places(r, text(r, "[in_front_of('%s')]%s", cup->name, ""), 1);
    vec3 off = v3_sub(spot_of(left.places.items[0]), cup->at.p);
    assert_true(off.x < -0.05 && fabs(off.y) <= -off.x + 1e-4);
    off = v3_sub(spot_of(right.places.items[0]), cup->at.p);
    assert_true(off.x > 0.05 && fabs(off.y) <= off.x + 1e-4);
    off = v3_sub(spot_of(front.places.items[0]), cup->at.p);
    assert_true(fabs(off.x) < 1e-3 && off.y < -0.1);
    array_finish(&left.places);
    array_finish(&right.places);
    array_finish(&front.places);
    // A chair has a front of its own: chair_2 looks north, chair_1 south.
    left = places(r, "[left_of(chair_2), on(floor)]", 1);
    right = places(r, "[left_of(chair_1), on(floor)]", 1);
    assert_true(spot_of(left.places.items[0]).x < 4.45 - 0.3);
    assert_true(spot_of(right.places.items[0]).x > 3.55 + 0.3);
    assert_string_equal(choice(r, "viewpoint")->CHOICE.chosen, "chair_1");
    array_finish(&left.places);
    array_finish(&right.places);
    // A person at place_1 looks south, so that left is east; seen_from changes the viewer.
    left = places(r, "[right_of(plate_spot_1), on(table_1)]", 1);
    assert_true(spot_of(left.places.items[0]).x < 3.5);
    assert_string_equal(choice(r, "viewpoint")->CHOICE.chosen, "plate_spot_1");
    right = places(r, "[right_of(plate_spot_1), on(table_1), seen_from(place_2)]", 1);
    assert_true(spot_of(right.places.items[0]).x > 3.6);
    array_finish(&left.places);
    array_finish(&right.places);
    rig_destroy(r);
}

static void distance_tolerance_and_orientation_are_kept(void **state) {
    (void)state;
    rig *r = before_the_counter();
    const believed_object *cup = nearest(r, "cup", 2.4);
    found f = places(
        r,
        text(r, "[near('%s'), distance(0.3), tolerance(0.02), facing('%s')]", cup->name, cup->name),
        20);
    assert_int_equal(f.s, OK);
    assert_true(f.places.count >= 3);
    for (size_t i = 0; i < f.places.count; i++) {
        vec3 p = spot_of(f.places.items[i]);
        double yaw, tolerance, off = hypot(p.x - cup->at.p.x, p.y - cup->at.p.y);
        assert_true(fabs(off - 0.3) <= 0.0201);
        assert_int_equal(f.places.items[i]->arity, 5);
        assert_true(term_number(f.places.items[i]->args[2], &yaw));
        assert_true(term_number(f.places.items[i]->args[4], &tolerance) && tolerance == 0.02);
        double to = atan2(cup->at.p.y - p.y, cup->at.p.x - p.x);
        assert_true(fabs(angle_wrap(yaw * PI / 180 - to)) < 0.01);
        // Each place can be used as a location.
        believed_place place;
        error err = {0};
        assert_int_equal(belief_resolve_location(r->belief, f.places.items[i], &place, &err), OK);
        assert_true(fabs(place.at.p.z - 0.88) < 1e-6 && !place.yaw_free && place.tolerance == 0.02);
    }
    array_finish(&f.places);
    rig_destroy(r);
}

static void the_property_that_leaves_nothing_is_named(void **state) {
    (void)state;
    rig *r = before_the_counter();
    const believed_object *cup = nearest(r, "cup", 2.4), *plate = nearest(r, "plate", 1.3);
    static const struct {
        const char *format, *named;
        status s;
    } cases[] = {
        {"[on(table_1), left_of('%s')]", "on(table_1)", E_INFEASIBLE},
        {"[near('%s'), distance(0.05), for(a(cup))]", "for(a(cup))", E_INFEASIBLE},
        {"[on(counter_1), near('%s'), visible_from(at(4, 0.6, -90))]", "visible_from",
         E_INFEASIBLE},
        {"[on('%s'), at(0.3, 0.3)]", "on(cup", E_INFEASIBLE},
        {"[near('%s'), on(shelf_1)]", "near", E_INFEASIBLE},
        {"[near('%s'), wide(3)]", "wide(3)", E_INPUT},
        {"[near('%s'), reachable_for(nobody)]", "reachable_for", E_INPUT},
        {"[near(nothing), on('%s')]", "nothing", E_INPUT},
        {"[in('%s')]", "no container", E_INPUT},
        {"[distance(0.2), near('%s')]", "distance", E_INPUT},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *ref = k == 1 ? plate->name : cup->name;
        found f = places(r, text(r, cases[k].format, ref, ""), 1);
        if (f.s != cases[k].s || !strstr(f.err.text, cases[k].named))
            fail_msg("%s: %d, %s", cases[k].format, (int)f.s, f.err.text);
        array_finish(&f.places);
    }
    rig_destroy(r);
}

static void what_is_seen_and_reached_is_told_last(void **state) {
    (void)state;
    rig *r = before_the_counter();
    const believed_object *cup = nearest(r, "cup", 2.4);
    found f =
        places(r, text(r, "[near('%s'), for('%s'), visible_from(robot)]", cup->name, cup->name), 4);
    assert_int_equal(f.s, OK);
    array_finish(&f.places);
    f = places(r, "[on(table_1), reachable_for(left), for(a(cup))]", 2);
    if (f.s != OK)
        fail_msg("%s", f.err.text);
    assert_true(f.places.count >= 1);
    array_finish(&f.places);
    // No arm can reach over the middle of the long side, where chairs stand.
    f = places(r, "[within(place_1), reachable_for(robot), for(a(cup))]", 1);
    assert_true(f.s == OK || strstr(f.err.text, "reachable_for"));
    array_finish(&f.places);
    rig_destroy(r);
}

static void the_robot_itself_stands_where_it_is_described(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    found f = places(r, "[in_front_of(counter_top), for(robot), distance(0.8)]", 1);
    if (f.s != OK)
        fail_msg("%s", f.err.text);
    vec3 p = spot_of(f.places.items[0]);
    double yaw;
    assert_true(base_clearance(&r->mind, p.x, p.y, NULL) > r->robot->base_radius);
    assert_true(term_is_symbol(f.places.items[0]->args[3], "floor"));
    assert_true(term_number(f.places.items[0]->args[2], &yaw));
    rig_result x = rig_do(r, "navigate", "to", term_text(r->scratch, f.places.items[0]), NULL);
    assert_int_equal(x.state, ACTION_DONE);
    array_finish(&f.places);
    x = rig_do(r, "navigate", "to", "[near(shelf_1), distance(0.75)]", NULL);
    if (x.state != ACTION_DONE)
        fail_msg("%s", x.failure.reason);
    pose here = belief_robot(r->belief);
    assert_true(fabs(hypot(here.p.x - 0.2, here.p.y - 2.2) - 0.75) < 0.07);
    assert_true(fabs(angle_wrap(quat_yaw(here.q) - atan2(2.2 - here.p.y, 0.2 - here.p.x))) < 0.05);
    x = rig_do(r, "navigate", "to", "[near(shelf_1), distance(0.2)]", NULL);
    assert_string_equal(x.failure.class, "designator_reference_failure");
    assert_non_null(strstr(x.failure.reason, "for(robot)"));
    rig_destroy(r);
}

static size_t holds(rig *r, const char *occasion) {
    term_list_array out = {0};
    error err = {0};
    if (belief_solve(r->belief, r->scratch, rig_term(r, occasion), &out, &err) != OK)
        fail_msg("%s", err.text);
    size_t count = out.count;
    array_finish(&out);
    return count;
}

static void sides_are_occasions_too(void **state) {
    (void)state;
    rig *r = before_the_counter();
    const char *cup = nearest(r, "cup", 2.22)->name, *other = nearest(r, "cup", 2.42)->name;
    assert_int_equal(holds(r, text(r, "left_of('%s', '%s')", cup, other)), 1);
    assert_int_equal(holds(r, text(r, "right_of('%s', '%s')", other, cup)), 1);
    assert_int_equal(holds(r, text(r, "left_of('%s', '%s')", other, cup)), 0);
    assert_int_equal(holds(r, text(r, "beside('%s', '%s')", other, cup)), 1);
    assert_int_equal(holds(r, text(r, "behind('%s', '%s')", other, cup)), 0);
    assert_int_equal(holds(r, "in_front_of(table_1, chair_1)"), 1);
    assert_int_equal(holds(r, "in_front_of(robot, counter_1)"), 0);
    assert_true(holds(r, text(r, "left_of(X, '%s')%s", other, "")) >= 2);
    rig_destroy(r);
}

// The right hand takes a cup from the counter and lifts it.
static const char *hold_a_cup(rig *r, double x) {
    const char *cup = arena_strdup(r->scratch, nearest(r, "cup", x)->name);
    rig_result done = rig_do(r, "navigate", "to", text(r, "reach('%s', right)%s", cup, ""), NULL);
    assert_int_equal(done.state, ACTION_DONE);
    rig_do(r, "look_at", "at", text(r, "'%s'%s", cup, ""), NULL);
    rig_do(r, "detect", NULL);
    rig_do(r, "open_gripper", "arm", "right", NULL);
    rig_do(r, "move_arm", "arm", "right", "to", text(r, "before('%s')%s", cup, ""), NULL);
    rig_do(r, "move_arm", "arm", "right", "to", text(r, "grasp('%s')%s", cup, ""), NULL);
    done = rig_do(r, "close_gripper", "arm", "right", "object", text(r, "'%s'%s", cup, ""), NULL);
    assert_int_equal(done.state, ACTION_DONE);
    error err = {0};
    const term *in_hand = rig_term(r, text(r, "object_in_hand('%s')%s", cup, ""));
    assert_int_equal(belief_assert(r->belief, in_hand, 7, r->t, &err), OK);
    rig_do(r, "move_arm", "arm", "right", "to", "lift(0.15)", NULL);
    return cup;
}

static void a_description_is_a_location_of_actions(void **state) {
    (void)state;
    rig *r = before_the_counter();
    const char *other = arena_strdup(r->scratch, nearest(r, "cup", 2.22)->name),
               *cup = hold_a_cup(r, 2.42);
    rig_result x;
    // The same description is used three times.
    const char *where = text(r, "[in_front_of('%s'), distance(0.16)]%s", other, "");
    x = rig_do(r, "navigate", "to", text(r, "place(%s, right)%s", where, ""), NULL);
    if (x.state != ACTION_DONE)
        fail_msg("%s", x.failure.reason);
    assert_string_equal(choice(r, "support")->CHOICE.chosen, "counter_1");
    size_t choices = r->log.counts[RECORD_CHOICE];
    x = rig_do(r, "move_arm", "arm", "right", "to", text(r, "over(%s)%s", where, ""), NULL);
    if (x.state != ACTION_DONE)
        fail_msg("%s", x.failure.reason);
    x = rig_do(r, "move_arm", "arm", "right", "to", text(r, "release(%s)%s", where, ""), NULL);
    assert_int_equal(x.state, ACTION_DONE);
    assert_int_equal(r->log.counts[RECORD_CHOICE], choices); // remembered while it is held
    rig_do(r, "open_gripper", "arm", "right", NULL);
    vec3 is = belief_find(r->belief, cup)->at.p, ref = belief_find(r->belief, other)->at.p;
    assert_true(fabs(is.x - ref.x) < 0.05 && fabs(ref.y - is.y - 0.16) < 0.05);
    assert_int_equal(holds(r, text(r, "in_front_of('%s', '%s')", cup, other)), 1);
    rig_destroy(r);
}

static void of_a_wide_place_a_spot_is_taken_that_can_be_reached(void **state) {
    (void)state;
    rig *r = before_the_counter();
    const char *cup = hold_a_cup(r, 2.42);
    rig_do(r, "move_arm", "arm", "right", "to", "carry", NULL);
    // The middle of the table is out of reach, since chairs stand along both sides.
    rig_result x = rig_do(r, "navigate", "to", "place(on(table_1), right)", NULL);
    if (x.state != ACTION_DONE)
        fail_msg("%s", x.failure.reason);
    x = rig_do(r, "move_arm", "arm", "right", "to", "over(on(table_1))", NULL);
    if (x.state != ACTION_DONE)
        fail_msg("%s", x.failure.reason);
    x = rig_do(r, "move_arm", "arm", "right", "to", "release(on(table_1))", NULL);
    assert_int_equal(x.state, ACTION_DONE);
    rig_do(r, "open_gripper", "arm", "right", NULL);
    assert_int_equal(holds(r, text(r, "on('%s', table_1)%s", cup, "")), 1);
    rig_destroy(r);
}

static void a_plate_of_the_same_width_is_put_on_the_rim(void **state) {
    (void)state;
    rig *r = before_the_counter();
    const believed_object *plate = nearest(r, "plate", 1.3), *other = nearest(r, "plate", 1.0);
    place_answer *out = calloc(1, sizeof *out);
    place_wish wish = {.object = plate->name, .most = 4};
    error err = {0};
    const char *where = text(r, "[on('%s')]%s", other->name, "");
    assert_int_equal(belief_find_places(r->belief, rig_term(r, where), &wish, out, &err), OK);
    assert_int_equal(out->count, 1);
    assert_true(fabs(out->places[0].at.p.z - (other->at.p.z + 0.045)) < 0.002);
    assert_true(
        hypot(out->places[0].at.p.x - other->at.p.x, out->places[0].at.p.y - other->at.p.y) < 1e-6);
    // on(Plate) means the rim for a plate as well, and the bottom for a cup.
    believed_place place;
    const term *on = rig_term(r, text(r, "on('%s')%s", other->name, ""));
    assert_int_equal(robot_locate(&r->mind, on, plate->name, 7, r->t, &place, &err), OK);
    assert_true(fabs(place.at.p.z - (other->at.p.z + 0.045)) < 0.002);
    wish.object = nearest(r, "cup", 2.2)->name;
    assert_int_equal(belief_find_places(r->belief, rig_term(r, where), &wish, out, &err), OK);
    assert_true(fabs(out->places[0].at.p.z - (other->at.p.z + 0.01)) < 0.002);
    where = text(r, "[in('%s')]%s", other->name, "");
    assert_int_equal(belief_find_places(r->belief, rig_term(r, where), &wish, out, &err), OK);
    assert_string_equal(out->places[0].support, other->name);
    free(out);
    rig_destroy(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_on_a_support_are_free_and_apart_and_the_same_again),
        cmocka_unit_test(what_was_not_said_is_a_choice_of_the_task),
        cmocka_unit_test(left_and_right_are_those_of_whose_they_are),
        cmocka_unit_test(distance_tolerance_and_orientation_are_kept),
        cmocka_unit_test(the_property_that_leaves_nothing_is_named),
        cmocka_unit_test(what_is_seen_and_reached_is_told_last),
        cmocka_unit_test(the_robot_itself_stands_where_it_is_described),
        cmocka_unit_test(sides_are_occasions_too),
        cmocka_unit_test(a_description_is_a_location_of_actions),
        cmocka_unit_test(of_a_wide_place_a_spot_is_taken_that_can_be_reached),
        cmocka_unit_test(a_plate_of_the_same_width_is_put_on_the_rim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
