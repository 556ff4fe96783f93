// tests/robots/test_body.c - what a robot takes its own body for: parts that may touch, parts that
// must not, and drives of robots whose arms are folded.
#include "projector/robot/planning/arm_plan.h"
#include "tests/mind/rig.h"

#include <math.h>

static const char KITCHEN[] = "examples/worlds/kitchen.yaml";

static size_t link_of(const robot_model *r, const char *name) {
    for (size_t i = 0; i < r->link_count; i++)
        if (strcmp(r->links[i].name, name) == 0)
            return i;
    fail_msg("no link `%s`", name);
    return 0;
}

static robot_model *load_robot(const char *file) {
    errors list = {0};
    robot_model *r = NULL;
    char path[600];
    snprintf(path, sizeof path, "%s/%s", FORESEE_SOURCE_DIR, file);
    if (robot_load(path, NULL, NULL, &r, &list) != OK)
        fail_msg("%s", list.items[0].text);
    errors_finish(&list);
    return r;
}

static void parts_that_lie_in_one_another_at_home_are_noted_and_may_touch(void **state) {
    (void)state;
    robot_model *r = load_robot("tests/robots/folded.yaml");
    size_t cart = link_of(r, "base"), upper = link_of(r, "upper"), fore = link_of(r, "fore"),
           wrist = link_of(r, "wrist"), hand = r->link_count;
    bool noted = false;
    for (size_t i = 0; i < r->note_count; i++)
        noted |= strstr(r->notes[i].text, "`wrist` lies in `upper` at home") != NULL &&
                 r->notes[i].line == 6;
    assert_true(noted);
    assert_true(robot_self_margin(r, upper, wrist) == 0);
    assert_true(robot_self_margin(r, cart, upper) == 0); // neighbours
    assert_true(robot_self_margin(r, hand, wrist) == 0);
    assert_true(robot_self_margin(r, hand, link_of(r, "pan")) == 0);
    // Whatever else could meet keeps away: the forearm from the body that carries the arm, too.
    assert_true(robot_self_margin(r, cart, fore) == ROBOT_SELF_MARGIN);
    assert_true(robot_self_margin(r, cart, hand) == ROBOT_SELF_MARGIN);
    robot_model *known = robot_known(r);
    robot_destroy(r);
    assert_true(robot_self_margin(known, cart, fore) == ROBOT_SELF_MARGIN);
    assert_true(robot_self_margin(known, upper, wrist) == 0);
    robot_destroy(known);
}

static void a_park_that_lies_in_the_body_is_noted(void **state) {
    (void)state;
    // At home the arm is stretched out, so that what its park touches is no part of how it is
    // built.
    char *folder = testlib_folder(), text[4000], urdf[600];
    snprintf(urdf, sizeof urdf, "%s/tests/robots/folded.urdf", FORESEE_SOURCE_DIR);
    snprintf(text, sizeof text,
             "robot: robot\nurdf: %s\narms:\n  left:\n    joints: [arm_pan, arm_lift, arm_elbow, "
             "arm_roll, arm_bend, arm_turn]\n    park: [0, -80, 172, 0, 30, 0]\n    gripper: { "
             "link: tool, palm_size: [0.06, 0.1, 0.05], palm_mass: 0.4, pad_size: [0.03, 0.01, "
             "0.04], pad_mass: 0.1, pad_center: 0.08, opening: 0.1, force: 40, speed: 0.1 }\n"
             "home: { arm_lift: -80, arm_elbow: 60, arm_bend: 30 }\n",
             urdf);
    char *path = testlib_write(folder, "r.yaml", text);
    errors list = {0};
    robot_model *r = NULL;
    if (robot_load(path, NULL, NULL, &r, &list) != OK)
        fail_msg("%s", list.items[0].text);
    bool noted = false;
    for (size_t i = 0; i < r->note_count; i++)
        noted |=
            r->notes[i].line == 4 &&
            strstr(r->notes[i].text, "`wrist` lies in `upper` where the arm `left` parks") != NULL;
    assert_true(noted);
    assert_true(robot_self_margin(r, link_of(r, "upper"), link_of(r, "wrist")) > 0);
    robot_destroy(r);
    errors_finish(&list);
    free(path);
    testlib_remove(folder);
}

static void a_folded_arm_does_not_keep_the_base_from_driving(void **state) {
    (void)state;
    rig *r = rig_create_with(KITCHEN, "tests/robots/folded.yaml", 1, 0);
    pose from = belief_robot(r->belief);
    trajectory way = {0};
    char blocker[64];
    pose to = pose_planar(from.p.x - 0.3, from.p.y, quat_yaw(from.q));
    assert_true(drive_plan(&r->mind, from, to, true, &way, NULL, blocker, NULL));
    trajectory_finish(&way);
    rig_destroy(r);
}

static void an_arm_takes_along_what_hangs_on_it(void **state) {
    (void)state;
    rig *r = rig_create_with(KITCHEN, "tests/robots/folded.yaml", 1, 0);
    const robot_arm *arm = &r->robot->arms[0];
    arm_scene s;
    arm_scene_init(&s, &r->mind, 0, belief_robot(r->belief), NULL, 0.1, NULL, 0.01, "test");
    double q[AXES_MAX] = {0};
    for (size_t i = 0; i < arm->joint_count; i++)
        q[i] = arm->park[i];
    // The URDF's finger lies between the pads, wherever the hand is.
    assert_true(arm_free(&s, q));
    q[2] -= 0.1;
    assert_true(arm_free(&s, q));
    // The forearm through the body that carries the arm.
    const double back[AXES_MAX] = {0, PI / 2, PI / 2};
    assert_false(arm_free(&s, back));
    char way[64];
    owner_describe(&r->mind, s.blocker, way, sizeof way);
    assert_string_equal(way, "its own base");
    arm_scene_finish(&s);
    rig_destroy(r);
}

static bool is_noted(const robot_model *r, const char *words) {
    for (size_t i = 0; i < r->note_count; i++)
        if (strstr(r->notes[i].text, words))
            return true;
    return false;
}

static void joints_that_cannot_hold_the_arm_are_noted(void **state) {
    (void)state;
    robot_model *r = load_robot("tests/robots/weak.yaml");
    assert_true(is_noted(r, "`Joint-2` cannot hold the arm `left` in"));
    assert_true(is_noted(r, "the effort is 30 N m"));
    assert_false(is_noted(r, "`Joint-3` cannot"));
    // Straight up nothing hangs on the shoulder's lever but what stands aside of it: level, all
    // does.
    double q[16] = {0}, level;
    pose links[16];
    size_t lift = (size_t)robot_find_joint(r, "Joint-2");
    assert_true(r->joint_count <= 16 && r->link_count <= 16);
    robot_forward(r, POSE_IDENTITY, q, links);
    assert_true(robot_holding_effort(r, links, v3(0, 0, -9.81), lift) < 1e-6);
    q[lift] = PI / 2;
    robot_forward(r, POSE_IDENTITY, q, links);
    level = robot_holding_effort(r, links, v3(0, 0, -9.81), lift);
    assert_true(level > 50 && level < 60);
    robot_destroy(r);
    r = load_robot("examples/robots/two_arms.yaml");
    assert_false(is_noted(r, "cannot hold"));
    robot_destroy(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_that_lie_in_one_another_at_home_are_noted_and_may_touch),
        cmocka_unit_test(a_park_that_lies_in_the_body_is_noted),
        cmocka_unit_test(joints_that_cannot_hold_the_arm_are_noted),
        cmocka_unit_test(a_folded_arm_does_not_keep_the_base_from_driving),
        cmocka_unit_test(an_arm_takes_along_what_hangs_on_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
