// tests/mind/test_misses.c - what failures of planning say of the closest miss: which part against
// what, which limit, and how far.
#include "rig.h"

#include <ctype.h>
#include <math.h>

// The number before `unit` in what a refusal says of the closest miss; fails where it says nothing
// of `what`.
static double closest(rig_result x, const char *what, const char *unit) {
    const char *said = strstr(x.failure.reason, "; closest: ");
    if (x.state != ACTION_FAILED || !said || !strstr(said, what) || !strstr(said, unit))
        fail_msg("'%s' says nothing of '%s' in%s", x.failure.reason, what, unit);
    const char *end = strstr(said, unit), *start = end;
    while (start > said && (isdigit((unsigned char)start[-1]) || start[-1] == '.'))
        start--;
    return atof(start);
}

static void look_at_the_counter(rig *r) {
    static const char *const steps[][3] = {{"navigate", "to", "view(counter_top)"},
                                           {"localise", NULL, NULL},
                                           {"look_at", "at", "counter_top"},
                                           {"detect", NULL, NULL}};
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        rig_result x = rig_do(r, steps[k][0], steps[k][1], steps[k][2], NULL);
        if (x.state != ACTION_DONE)
            fail_msg("%s", x.failure.reason);
    }
}

static void an_overlap_is_as_deep_as_the_shortest_way_out(void **state) {
    (void)state;
    const shape box = {.kind = SHAPE_BOX, .at = POSE_IDENTITY, .size = {1, 0.4, 0.2}},
                ball = {.kind = SHAPE_SPHERE, .at = POSE_IDENTITY, .size = {0.1, 0, 0}},
                floor = {.kind = SHAPE_PLANE, .at = POSE_IDENTITY};
    pose beside = {v3(0.3, 0.1, 0.15), {1, 0, 0, 0}}, on = {v3(0, 0, 0.17), {1, 0, 0, 0}},
         sunk = {v3(0, 0, 0.06), {1, 0, 0, 0}}, away = {v3(0, 0, 0.3), {1, 0, 0, 0}};
    assert_true(fabs(shape_overlap(&box, POSE_IDENTITY, &box, beside) - (0.05)) < 1e-6);
    assert_true(fabs(shape_overlap(&box, POSE_IDENTITY, &ball, on) - (0.03)) < 1e-6);
    assert_true(fabs(shape_overlap(&box, sunk, &floor, POSE_IDENTITY) - (0.04)) < 1e-6);
    assert_true(fabs(shape_overlap(&floor, POSE_IDENTITY, &box, sunk) - (0.04)) < 1e-6);
    assert_true(shape_overlap(&box, POSE_IDENTITY, &box, away) == 0);
}

static void the_least_miss_is_kept(void **state) {
    (void)state;
    miss nearest = {0};
    assert_true(miss_keep(&nearest, MISS_LEAN, 0.2));
    assert_false(miss_keep(&nearest, MISS_CONTACT, 0.3));
    assert_true(miss_keep(&nearest, MISS_CONTACT, 0.1));
    assert_int_equal(nearest.kind, MISS_CONTACT);
    assert_false(miss_keep(NULL, MISS_CONTACT, 0.1));
}

// Where a joint could turn farther, the pose would be reached: that joint is named, and by how much
// it would pass its limit.
static void a_pose_behind_a_limit_names_the_joint_and_the_angle(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    arm_scene s;
    arm_scene_init(&s, &r->mind, 0, belief_robot(r->belief), NULL, 0.05, NULL, 0.01, "test");
    chain free_chain = s.chain;
    double q[AXES_MAX] = {0}, x[AXES_MAX];
    memcpy(q, s.chain.rest, sizeof q);
    size_t wrist = s.chain.count - 2;
    q[wrist] = s.chain.upper[wrist];
    memcpy(x, q, sizeof x);
    x[wrist] += 0.2;
    pose frames[FRAMES];
    chain_forward(&free_chain, x, frames);
    miss nearest = {0};
    s.nearest = &nearest;
    arm_note_pose(&s, q, frames[TOOL], 0);
    char said[160];
    miss_describe(&nearest, r->robot, said, sizeof said);
    const char *joint = r->robot->joints[r->robot->arms[0].joints[wrist]].name;
    double degrees = 0;
    assert_memory_equal(said, joint, strlen(joint));
    assert_int_equal(sscanf(said + strlen(joint), " %lf degrees past its limit", &degrees), 1);
    assert_true(degrees > 3 && degrees < 12); // 11.5, of which other joints can take over a part
    arm_scene_finish(&s);
    rig_destroy(r);
}

static void out_of_reach_says_how_far(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    look_at_the_counter(r);
    vec3 there = belief_find(r->belief, "plate#1")->at.p, here = belief_robot(r->belief).p;
    rig_result x = rig_do(r, "move_arm", "arm", "left", "to", "before('plate#1')", NULL);
    double mm = closest(x, "out of reach", " mm"), away = hypot(there.x - here.x, there.y - here.y);
    assert_true(mm > 100 && mm < 1000 * away);
    rig_destroy(r);
}

static void an_arm_in_furniture_says_which_link_and_how_deep(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    const believed_object *counter = belief_find(r->belief, "counter_1");
    char text[160];
    snprintf(text, sizeof text, "at(%.3f, %.3f, 90)", counter->at.p.x, counter->at.p.y - 0.85);
    assert_int_equal(rig_do(r, "navigate", "to", text, NULL).state, ACTION_DONE);
    chain c;
    chain_init(&c, r->robot, 0, belief_links(r->belief));
    const mat3 down = {{{0, 1, 0}, {1, 0, 0}, {0, 0, -1}}};
    pose tool = {v3(counter->at.p.x - 0.2, counter->at.p.y - 0.15, 0.83), quat_from_matrix(&down)};
    double q[AXES_MAX] = {0};
    assert_true(ik_solve(&c, tool, NULL, rng_key_make(1, "test", "board"), 12, q));
    snprintf(text, sizeof text, "joints([%.6f, %.6f, %.6f, %.6f, %.6f, %.6f, %.6f])", q[0], q[1],
             q[2], q[3], q[4], q[5], q[6]);
    rig_result x = rig_do(r, "move_arm", "arm", "left", "to", text, NULL);
    double mm = closest(x, "into counter_1", " mm");
    assert_true(mm > 5 && mm < 200);
    rig_destroy(r);
}

static void a_joint_past_its_limit_says_by_how_much(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    double past = r->robot->joints[r->robot->arms[0].joints[0]].upper + 10 * PI / 180;
    char text[120];
    snprintf(text, sizeof text, "joints([%.6f, 0, 0, 0, 0, 0, 0])", past);
    rig_result x = rig_do(r, "move_arm", "arm", "left", "to", text, NULL);
    assert_true(fabs(closest(x, "past", " degrees") - (10)) < 0.5);
    x = rig_do(r, "look_at", "at", "point(1.5, 0.6, 0)", NULL);
    assert_true(closest(x, "head_", " degrees short") > 1);
    rig_destroy(r);
}

static void a_base_without_room_says_how_much_is_missing(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    rig_result x = rig_do(r, "navigate", "to", "at(4.0, 2.2, 0)", NULL);
    double clear = base_clearance(&r->mind, 4.0, 2.2, NULL);
    assert_true(fabs(closest(x, "base", " mm into table_1") -
                     1000 * (r->robot->base_radius - clear)) < 0.6);
    // As wide as this it does not get round the table.
    r->robot->base_radius = 0.75;
    miss nearest = {0};
    trajectory way = {0};
    char blocker[64];
    bool found = drive_plan(&r->mind, belief_robot(r->belief), pose_planar(5.3, 2.4, PI), false,
                            &way, NULL, blocker, &nearest);
    trajectory_finish(&way);
    assert_false(found);
    assert_int_equal(nearest.kind, MISS_CONTACT);
    assert_string_equal(nearest.part, r->robot->links[0].name);
    assert_true(nearest.value < nearest.allowed);
    rig_destroy(r);
}

static void a_full_place_says_what_is_too_near(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    look_at_the_counter(r);
    const believed_object *plate = belief_find(r->belief, "plate#1");
    const held h = {plate->kind, POSE_IDENTITY, "another"};
    believed_place place = {.at = plate->at, .support = "counter_1"};
    place_pose out[PLACES_MAX];
    miss nearest = {0};
    assert_int_equal(place_candidates(&r->mind, &place, &h, out, 4, &nearest), 0);
    assert_int_equal(nearest.kind, MISS_CONTACT);
    assert_string_equal(nearest.part, "another");
    assert_true(nearest.value < 0); // one in the other
    char asked[160], said[160];
    miss_describe(&nearest, r->robot, said, sizeof said);
    assert_non_null(strstr(said, "mm into "));
    snprintf(asked, sizeof asked, "[on(counter_1), at(%.3f, %.3f), for(a(plate))]", plate->at.p.x,
             plate->at.p.y);
    term_list_array found = {0};
    error err = {0};
    assert_int_equal(robot_places(&r->mind, r->scratch, rig_term(r, asked), 1, 0, r->t, &found,
                                  said, sizeof said, &err),
                     E_INFEASIBLE);
    assert_non_null(strstr(err.text, "; closest: "));
    assert_non_null(strstr(err.text, "mm too near to plate#"));
    array_finish(&found);
    rig_destroy(r);
}

static void what_lies_says_how_far_it_leans(void **state) {
    (void)state;
    rig *r = rig_create(1, 0);
    look_at_the_counter(r);
    believed_object lying = *belief_find(r->belief, "cup#1");
    lying.at.q = quat_axis_angle(v3(1, 0, 0), 40 * PI / 180);
    char why[160];
    grasp_none(&r->mind, &lying, 0, 1u << GRASP_TOP, why, sizeof why);
    assert_non_null(strstr(why, "it leans 40 degrees, at most 18 may be"));
    rig_destroy(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_overlap_is_as_deep_as_the_shortest_way_out),
        cmocka_unit_test(the_least_miss_is_kept),
        cmocka_unit_test(a_pose_behind_a_limit_names_the_joint_and_the_angle),
        cmocka_unit_test(out_of_reach_says_how_far),
        cmocka_unit_test(an_arm_in_furniture_says_which_link_and_how_deep),
        cmocka_unit_test(a_joint_past_its_limit_says_by_how_much),
        cmocka_unit_test(a_base_without_room_says_how_much_is_missing),
        cmocka_unit_test(a_full_place_says_what_is_too_near),
        cmocka_unit_test(what_lies_says_how_far_it_leans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
