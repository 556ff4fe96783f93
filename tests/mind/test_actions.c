// tests/mind/test_actions.c - primitive actions in the kitchen: reaching, grasping, carrying,
// putting down, being refused.
#include "tests/mind/rig.h"

#include <math.h>

static void must(rig_result x, const char *what) {
    if (x.state != ACTION_DONE)
        fail_msg("%s: %s: %s", what, x.failure.class, x.failure.reason);
}

static void look_at_the_counter(rig *r) {
    must(rig_do(r, "navigate", "to", "view(counter_top)", NULL), "navigate");
    must(rig_do(r, "localise", NULL), "localise");
    must(rig_do(r, "look_at", "at", "counter_top", NULL), "look_at");
    must(rig_do(r, "detect", NULL), "detect");
}

static const term *value(rig *r, const char *function) {
    const term *out;
    error err = {0};
    if (robot_evaluate(&r->mind, r->scratch, rig_term(r, function), 1, r->t, &out, &err) != OK)
        fail_msg("%s: %s", function, err.text);
    return out;
}

// Runs an action and returns the least distance that the robot had from the true world meanwhile.
static double least_clearance(rig *r, const char *except, const char *name, const char *k1,
                              const char *v1, const char *k2, const char *v2) {
    const action_argument args[2] = {{k1, rig_term(r, v1)},
                                     {k2 ? k2 : "", k2 ? rig_term(r, v2) : NULL}};
    action *act;
    error err = {0};
    action_state s = ACTION_RUNNING;
    const term *result;
    action_failure failure = {0};
    double least = INFINITY;
    if (action_begin(&r->mind, name, args, k2 ? 2 : 1, 1, "test", r->t, &act, &err) != OK)
        fail_msg("%s", err.text);
    for (int n = 0; s == ACTION_RUNNING; n++) {
        reading in;
        while (r->body.next(r, &in)) {
            assert_int_equal(belief_read(r->belief, &in, &err), OK);
            assert_int_equal(action_read(act, &in, &err), OK);
        }
        assert_int_equal(action_step(act, r->scratch, r->t, &s, &result, &failure, &err), OK);
        rig_move(r);
        const char *who;
        double now = n % 2 == 0 ? rig_clearance(r, except, &who) : INFINITY;
        if (now < 0.002 && least > 0.002)
            print_message("%s %s touches %s at (%.2f, %.2f)\n", name, k2 ? v2 : v1, who,
                          r->base.p.x, r->base.p.y);
        least = fmin(least, now);
    }
    action_free(act);
    if (s != ACTION_DONE)
        fail_msg("%s %s %s: %s", name, v1, k2 ? v2 : "", failure.reason);
    return least;
}

// Fetches an object and puts it down in a region, as the routines do; *clearance is the least
// distance on the ways through free space.
static void bring(rig *r, const char *object, const char *region, double *clearance) {
    char text[128], arm[16];
    snprintf(text, sizeof text, "arm_for('%s')", object);
    snprintf(arm, sizeof arm, "%s", value(r, text)->text);
    const char *body = r->world->bodies[rig_body_of(r, belief_find(r->belief, object))].name;
    snprintf(text, sizeof text, "approach(reach('%s', %s))", object, arm);
    *clearance = fmin(*clearance, least_clearance(r, NULL, "navigate", "to", text, NULL, NULL));
    must(rig_do(r, "localise", NULL), "localise");
    snprintf(text, sizeof text, "reach('%s', %s)", object, arm);
    *clearance = fmin(*clearance, least_clearance(r, NULL, "navigate", "to", text, NULL, NULL));
    must(rig_do(r, "localise", NULL), "localise");
    snprintf(text, sizeof text, "'%s'", object);
    must(rig_do(r, "look_at", "at", text, NULL), "look_at");
    must(rig_do(r, "detect", NULL), "detect");
    must(rig_do(r, "open_gripper", "arm", arm, "object", text, NULL), "open_gripper");
    snprintf(text, sizeof text, "above('%s')", object);
    *clearance = fmin(*clearance, least_clearance(r, NULL, "move_arm", "arm", arm, "to", text));
    snprintf(text, sizeof text, "grasp('%s')", object);
    *clearance = fmin(*clearance, least_clearance(r, body, "move_arm", "arm", arm, "to", text));
    snprintf(text, sizeof text, "'%s'", object);
    must(rig_do(r, "close_gripper", "arm", arm, "object", text, NULL), "close_gripper");
    snprintf(text, sizeof text, "object_in_hand('%s', %s)", object, arm);
    error err = {0};
    assert_int_equal(belief_assert(r->belief, rig_term(r, text), 1, r->t, &err), OK);
    must(rig_do(r, "move_arm", "arm", arm, "to", "lift(0.06)", "acceleration", "0.3", "speed",
                "0.1", NULL),
         "lift");
    must(rig_do(r, "move_arm", "arm", arm, "to", "lift(0.14)", NULL), "lift");
    *clearance = fmin(*clearance, least_clearance(r, NULL, "move_arm", "arm", arm, "to", "carry"));
    // The hand is level, so that the object stands upright in it.
    assert_true(quat_rotate(belief_find(r->belief, object)->at.q, v3(0, 0, 1)).z > 0.99);
    snprintf(text, sizeof text, "approach(place(within(%s), %s))", region, arm);
    *clearance = fmin(*clearance, least_clearance(r, NULL, "navigate", "to", text, NULL, NULL));
    must(rig_do(r, "localise", NULL), "localise");
    snprintf(text, sizeof text, "place(within(%s), %s)", region, arm);
    *clearance = fmin(*clearance, least_clearance(r, NULL, "navigate", "to", text, NULL, NULL));
    must(rig_do(r, "localise", NULL), "localise");
    snprintf(text, sizeof text, "over(within(%s))", region);
    *clearance = fmin(*clearance, least_clearance(r, NULL, "move_arm", "arm", arm, "to", text));
    snprintf(text, sizeof text, "release(within(%s))", region);
    must(rig_do(r, "move_arm", "arm", arm, "to", text, NULL), "release");
    must(rig_do(r, "open_gripper", "arm", arm, NULL), "open_gripper");
    snprintf(text, sizeof text, "within('%s', %s)", object, region);
    assert_int_equal(belief_assert(r->belief, rig_term(r, text), 1, r->t, &err), OK);
    must(rig_do(r, "move_arm", "arm", arm, "to", "raise(0.12)", NULL), "raise");
    *clearance = fmin(*clearance, least_clearance(r, NULL, "move_arm", "arm", arm, "to", "park"));
    term_list_array out = {0};
    assert_int_equal(belief_solve(r->belief, r->scratch, rig_term(r, text), &out, &err), OK);
    assert_int_equal(out.count, 1);
    array_finish(&out);
}

static double off_goal(const rig *r, const char *object, const char *region) {
    const world_region *g = &r->known->regions[world_find_region(r->known, region)];
    vec3 goal = pose_mul(r->known->bodies[g->body].at, g->at).p;
    return v3_distance(goal, r->objects[rig_body_of(r, belief_find(r->belief, object))].p);
}

static void a_plate_and_a_cup_come_to_every_place(void **state) {
    (void)state;
    for (int place = 1; place <= 4; place++) {
        rig *r = rig_create((uint64_t)place, 1);
        char plate[32], cup[32];
        double clearance = INFINITY;
        snprintf(plate, sizeof plate, "plate_spot_%d", place);
        snprintf(cup, sizeof cup, "cup_spot_%d", place);
        look_at_the_counter(r);
        bring(r, "plate#1", plate, &clearance);
        bring(r, "cup#1", cup, &clearance);
        print_message(
            "place %d: plate %.0f mm, cup %.0f mm off, %.1f s, never nearer than %.0f mm\n", place,
            1000 * off_goal(r, "plate#1", plate), 1000 * off_goal(r, "cup#1", cup), seconds(r->t),
            1000 * clearance);
        assert_true(off_goal(r, "plate#1", plate) < 0.04);
        assert_true(off_goal(r, "cup#1", cup) < 0.04);
        assert_true(clearance > 0);
        assert_true(seconds(r->t) < 150);
        rig_destroy(r);
    }
}

static void every_object_on_the_counter_has_a_stand_and_an_arm(void **state) {
    (void)state;
    rig *r = rig_create(3, 1);
    look_at_the_counter(r);
    for (size_t i = 0; i < belief_object_count(r->belief); i++) {
        const believed_object *o = belief_object(r->belief, i);
        if (o->known || !o->confirmed)
            continue;
        for (size_t arm = 0; arm < 2; arm++) {
            stand_answer answer;
            stand_query q = {.purpose = STAND_REACH, .arm = arm, .object = o};
            stand_search(&r->mind, &q, &answer);
            if (!answer.found)
                fail_msg("%s with arm %zu", o->name, arm);
            assert_true(base_clearance(&r->mind, answer.best.x, answer.best.y, NULL) >
                        r->robot->base_radius);
        }
    }
    rig_destroy(r);
}

// The mug can rise there by 18 cm at most, and many postures that reach it have an elbow in the
// shelf.
static void a_mug_under_a_board_has_a_stand_and_can_be_grasped_from_there(void **state) {
    (void)state;
    rig *r = rig_create_in("tests/scenes/shelves.yaml", 1, 0);
    must(rig_do(r, "look_at", "at", "shelf_1", NULL), "look_at");
    must(rig_do(r, "detect", NULL), "detect");
    const believed_object *o = belief_find(r->belief, "mug#1");
    assert_non_null(o);
    for (size_t arm = 0; arm < 2; arm++) {
        stand_answer answer;
        stand_query q = {.purpose = STAND_REACH, .arm = arm, .object = o};
        stand_search(&r->mind, &q, &answer);
        if (!answer.found)
            fail_msg("arm %zu: %zu tried, %zu in collision, %zu out of reach", arm, answer.tried,
                     answer.collided, answer.unreached);
    }
    must(rig_do(r, "navigate", "to", "reach(mug#1, left)", NULL), "navigate");
    must(rig_do(r, "move_arm", "arm", "left", "to", "before(mug#1)", NULL), "before");
    must(rig_do(r, "move_arm", "arm", "left", "to", "grasp(mug#1)", NULL), "grasp");
    rig_destroy(r);
}

static void a_flat_thing_is_taken_right_above_its_board_and_put_down_again(void **state) {
    (void)state;
    rig *r = rig_create_in("tests/scenes/shelves.yaml", 1, 0);
    must(rig_do(r, "navigate", "to", "at(2.5, 1.3, -90)", NULL), "navigate");
    must(rig_do(r, "look_at", "at", "table_1", NULL), "look_at");
    must(rig_do(r, "detect", NULL), "detect");
    must(rig_do(r, "navigate", "to", "reach(remote#1, left)", NULL), "reach");
    must(rig_do(r, "move_arm", "arm", "left", "to", "before(remote#1)", NULL), "before");
    must(rig_do(r, "move_arm", "arm", "left", "to", "grasp(remote#1)", NULL), "grasp");
    must(rig_do(r, "close_gripper", "arm", "left", "object", "remote#1", NULL), "close");
    must(rig_do(r, "move_arm", "arm", "left", "to", "lift(0.1)", NULL), "lift");
    const char *there = "at(2.65, 0.25, any, table_1)";
    char place[80];
    snprintf(place, sizeof place, "place(%s, left)", there);
    must(rig_do(r, "navigate", "to", place, NULL), "place");
    snprintf(place, sizeof place, "over(%s)", there);
    must(rig_do(r, "move_arm", "arm", "left", "to", place, NULL), "over");
    snprintf(place, sizeof place, "release(%s)", there);
    must(rig_do(r, "move_arm", "arm", "left", "to", place, NULL), "release");
    rig_destroy(r);
}

static void a_plate_on_the_floor_under_the_table_is_refused_for_the_table(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    look_at_the_counter(r);
    error err = {0};
    r->opening[0] = r->grip_target[0] = 0.01;
    rig_do(r, "wait", "seconds", "0.04", NULL);
    pose in_hand = {v3(0, -0.095, 0.035), {0, 1, 0, 0}};
    assert_int_equal(belief_note_grasp(r->belief, 0, "plate#1", in_hand, 0.01), OK);
    assert_int_equal(
        belief_assert(r->belief, rig_term(r, "object_in_hand('plate#1', left)"), 1, r->t, &err),
        OK);
    rig_result x = rig_do(r, "navigate", "to", "place(in_front_of(chair_1), left)", NULL);
    assert_int_equal(x.state, ACTION_FAILED);
    assert_string_equal(x.failure.class, "navigation_pose_unreachable");
    assert_string_equal(x.failure.blocker, "table_1");
    must(rig_do(r, "navigate", "to", "at(2.85, 2.45, 0)", NULL), "navigate");
    x = rig_do(r, "move_arm", "arm", "left", "to", "release(in_front_of(chair_1))", NULL);
    assert_int_equal(x.state, ACTION_FAILED);
    assert_string_equal(x.failure.class, "manipulation_pose_unreachable");
    assert_string_equal(x.failure.blocker, "table_1");
    // The log says which support was assumed, with the location and the pose that it resolved to.
    const record *choice = NULL, *moved = NULL;
    for (size_t i = 0; i < r->log.records.count; i++) {
        const record *k = &r->log.records.items[i];
        if (k->kind == RECORD_CHOICE && strcmp(k->CHOICE.what, "support") == 0)
            choice = k;
        if (k->kind == RECORD_OPERATION && strcmp(k->OPERATION.name, "move_arm") == 0)
            moved = k;
    }
    assert_non_null(choice);
    assert_string_equal(choice->CHOICE.chosen, "floor");
    assert_string_equal(choice->CHOICE.question, "in_front_of(chair_1)");
    assert_non_null(strstr(moved->OPERATION.location, "floor"));
    // With a support that is said, the same location can be reached.
    must(rig_do(r, "navigate", "to", "place(in_front_of(chair_1, on(table_1)), left)", NULL),
         "navigate");
    rig_destroy(r);
}

static void closing_on_nothing_is_noticed(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    rig_result x = rig_do(r, "close_gripper", "arm", "right", NULL);
    assert_int_equal(x.state, ACTION_FAILED);
    assert_string_equal(x.failure.class, "gripper_closed_completely");
    rig_destroy(r);
}

static void grip_force_follows_from_mass_friction_and_leverage(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    const body_type *cup = world_find_type(r->known, "cup"),
                    *plate = world_find_type(r->known, "plate");
    double g = 9.81, mu = r->robot->arms[0].gripper.believed_friction;
    double slide = 1.5 * cup->mass * (g + 3) / (2 * mu);
    assert_true(fabs(grasp_force(&r->mind, cup, NULL, NULL, 0, 3) - fmax(5, slide)) < 1e-9);
    double patch = fmin(0.04, plate->grasps[0].high - plate->grasps[0].low);
    double turn = 1.5 * 2 * plate->mass * g * plate->grasps[0].radius / patch;
    assert_true(fabs(grasp_force(&r->mind, plate, NULL, NULL, 0, 3) - turn) < 1e-9);
    assert_true(turn < r->robot->arms[0].gripper.max_force);
    rig_destroy(r);
}

static world_model *kitchen(const settings *set) {
    errors list = {0};
    world_model *w = NULL;
    char *path = testlib_path(FORESEE_SOURCE_DIR, "examples/worlds/kitchen.yaml");
    assert_int_equal(world_load(path, NULL, set, &w, &list), OK);
    free(path);
    errors_finish(&list);
    return w;
}

static void grip_force_knows_nothing_of_the_true_mass(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    setting heavy = {"world", "plate_mass", "0.9"};
    settings set = {&heavy, 1, 1};
    world_model *w = kitchen(&set), *told = world_known(w);
    double force = grasp_force(&r->mind, world_find_type(r->known, "plate"), NULL, NULL, 0, 3);
    assert_true(grasp_force(&r->mind, world_find_type(told, "plate"), NULL, NULL, 0, 3) == force);
    // The true plate would need another force.
    assert_true(grasp_force(&r->mind, world_find_type(w, "plate"), NULL, NULL, 0, 3) != force);
    world_destroy(told);
    world_destroy(w);
    rig_destroy(r);
}

static void the_occurrences_of_each_path_are_counted(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    const term *moment = rig_term(r, "0.02");
    action_argument args[] = {{"seconds", moment}};
    char paths[60][16];
    for (int round = 0; round < 3; round++)
        for (int k = 0; k < 60; k++) {
            snprintf(paths[k], sizeof paths[k], "plan/step_%d", k);
            action *act = NULL;
            error err = {0};
            assert_int_equal(action_begin(&r->mind, "wait", args, 1, 1, paths[k], r->t, &act, &err),
                             OK);
            assert_int_equal(act->op.occurrence, round);
            assert_int_equal(action_cancel(act, r->t, &err), OK);
            action_free(act);
        }
    rig_destroy(r);
}

static void driving_into_furniture_is_refused_by_name(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    rig_result x = rig_do(r, "navigate", "to", "at(4.0, 2.2, 0)", NULL);
    assert_int_equal(x.state, ACTION_FAILED);
    assert_string_equal(x.failure.class, "navigation_pose_unreachable");
    assert_string_equal(x.failure.blocker, "table_1");
    x = rig_do(r, "navigate", "to", "reach(nothing)", NULL);
    assert_string_equal(x.failure.class, "designator_reference_failure");
    rig_destroy(r);
}

static void the_base_gets_round_the_table_and_never_nearer_than_its_radius(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    static const char *const ways[] = {"at(5.3, 2.4, 180)", "at(2.2, 1.0, 0)", "at(0.9, 3.6, 90)",
                                       "at(3.2, 3.6, -90)"};
    for (int k = 0; k < 4; k++) {
        double least = least_clearance(r, NULL, "navigate", "to", ways[k], NULL, NULL);
        assert_true(least > 0.005);
        pose goal = belief_robot(r->belief);
        assert_true(v3_distance(goal.p, r->base.p) < 1e-6);
    }
    assert_true(fabs(r->base.p.x - 3.2) < 0.01 && fabs(r->base.p.y - 3.6) < 0.01);
    rig_destroy(r);
}

static void a_biased_odometry_is_followed_blindly(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    r->odometry_gain = 0.9;
    must(rig_do(r, "navigate", "to", "at(2.0, 1.2, 90)", NULL), "navigate");
    // The robot believes to be where it was sent, and is farther on in truth.
    assert_true(fabs(belief_robot(r->belief).p.y - 1.2) < 0.02);
    assert_true(r->base.p.y < 1.2 - 0.1);
    rig_destroy(r);
}

static void unknown_arguments_are_named_with_the_nearest(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    const action_argument args[1] = {{"typ", rig_term(r, "cup")}};
    unsigned uses;
    error err = {0};
    assert_int_equal(action_uses(&r->mind, "detect", args, 1, &uses, &err), E_INPUT);
    assert_non_null(strstr(err.text, "type"));
    assert_int_equal(action_uses(&r->mind, "detekt", NULL, 0, &uses, &err), E_INPUT);
    assert_non_null(strstr(err.text, "detect"));
    assert_int_equal(action_uses(&r->mind, "move_arm", args, 0, &uses, &err), E_INPUT);
    assert_int_equal(action_uses(&r->mind, "detect", NULL, 0, &uses, &err), OK);
    assert_int_equal(uses, USE_CAMERA);
    rig_destroy(r);
}

static void a_robot_without_senses_says_so(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    r->robot->camera.name = r->robot->laser.name = NULL;
    r->robot->pan = r->robot->torso = -1;
    static const struct {
        const char *action, *key, *value, *class;
    } tries[] = {{"detect", NULL, NULL, "perception_object_not_found"},
                 {"localise", NULL, NULL, "localisation_failed"},
                 {"navigate", "to", "view(counter_top)", "navigation_pose_unreachable"},
                 {"look_at", "at", "counter_top", NULL},
                 {"move_torso", "to", "0.1", NULL}};
    for (size_t k = 0; k < sizeof tries / sizeof *tries; k++) {
        rig_result x = rig_do(r, tries[k].action, tries[k].key, tries[k].value, NULL);
        assert_int_equal(x.state, ACTION_FAILED);
        if (tries[k].class)
            assert_string_equal(x.failure.class, tries[k].class);
    }
    rig_destroy(r);
}

static void operations_are_recorded_from_begin_to_end(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    rig_result x = rig_do(r, "wait", "seconds", "0.5", NULL);
    assert_true(fabs(x.seconds - 0.52) < 0.021);
    const record *last = NULL;
    for (size_t i = 0; i < r->log.records.count; i++)
        if (r->log.records.items[i].kind == RECORD_OPERATION)
            last = &r->log.records.items[i];
    assert_non_null(last);
    assert_string_equal(last->OPERATION.name, "wait");
    assert_true(last->OPERATION.end_ns >= last->OPERATION.start_ns + 500000000);
    rig_destroy(r);
}

static void the_same_seed_gives_the_same_motions(void **state) {
    (void)state;
    pose end[2];
    nanos t[2];
    for (int k = 0; k < 2; k++) {
        rig *r = rig_create(9, 1);
        double clearance = INFINITY;
        look_at_the_counter(r);
        bring(r, "cup#2", "cup_spot_1", &clearance);
        end[k] = r->base;
        t[k] = r->t;
        rig_destroy(r);
    }
    assert_memory_equal(&end[0], &end[1], sizeof end[0]);
    assert_int_equal(t[0], t[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plate_and_a_cup_come_to_every_place),
        cmocka_unit_test(every_object_on_the_counter_has_a_stand_and_an_arm),
        cmocka_unit_test(a_mug_under_a_board_has_a_stand_and_can_be_grasped_from_there),
        cmocka_unit_test(a_flat_thing_is_taken_right_above_its_board_and_put_down_again),
        cmocka_unit_test(a_plate_on_the_floor_under_the_table_is_refused_for_the_table),
        cmocka_unit_test(closing_on_nothing_is_noticed),
        cmocka_unit_test(grip_force_follows_from_mass_friction_and_leverage),
        cmocka_unit_test(grip_force_knows_nothing_of_the_true_mass),
        cmocka_unit_test(the_occurrences_of_each_path_are_counted),
        cmocka_unit_test(driving_into_furniture_is_refused_by_name),
        cmocka_unit_test(the_base_gets_round_the_table_and_never_nearer_than_its_radius),
        cmocka_unit_test(a_biased_odometry_is_followed_blindly),
        cmocka_unit_test(unknown_arguments_are_named_with_the_nearest),
        cmocka_unit_test(a_robot_without_senses_says_so),
        cmocka_unit_test(operations_are_recorded_from_begin_to_end),
        cmocka_unit_test(the_same_seed_gives_the_same_motions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
