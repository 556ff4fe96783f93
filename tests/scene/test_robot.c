// tests/scene/test_robot.c - loading robots, their mirror image, and kinematics against finite
// differences.
#include "tests/scene/robot_text.h"

#include "base/math/rng.h"

enum { LINKS = 64 };

static robot_model *load_two_arms(const settings *set) {
    errors list = {0};
    robot_model *r = NULL;
    status s = robot_load(FORESEE_SOURCE_DIR "/examples/robots/two_arms.yaml",
                          FORESEE_SOURCE_DIR "/examples/table_setting", set, &r, &list);
    char text[1200] = "";
    if (list.count > 0)
        error_format(&list.items[0], text, sizeof text);
    if (s != OK)
        fail_msg("%s", text);
    errors_finish(&list);
    return r;
}

static status load_text(const char *text, robot_model **out, errors *list) {
    return robot_text(NULL, text, NULL, out, list);
}

static void random_q(const robot_model *r, uint64_t n, double *q) {
    for (uint32_t j = 0; j < r->joint_count; j++)
        q[j] = r->joints[j].lower + (r->joints[j].upper - r->joints[j].lower) *
                                        rng_uniform(rng_key_make(3, "robot", "q"), n, j);
}

static void the_robot_has_base_torso_head_and_two_arms(void **state) {
    (void)state;
    robot_model *r = load_two_arms(NULL);
    assert_string_equal(r->name, "robot");
    assert_string_equal(r->links[0].name, "base");
    assert_int_equal(r->links[0].joint, -1);
    assert_int_equal(r->joint_count, 17);
    assert_int_equal(r->link_count, 18);
    assert_int_equal(r->arm_count, 2);
    assert_int_equal(robot_find_arm(r, "left"), 0);
    assert_int_equal(robot_find_arm(r, "right"), 1);
    assert_int_equal(robot_find_arm(r, "third"), -1);
    assert_int_equal(robot_find_joint(r, "torso_lift"), r->torso);
    assert_true(r->pan >= 0 && r->tilt >= 0 && r->joints[r->torso].kind == JOINT_PRISMATIC);
    assert_string_equal(r->arms[0].gripper.name, "robot_left_gripper");
    assert_string_equal(r->arms[1].gripper.palm, "robot_right_gripper_palm");
    assert_string_equal(r->arms[1].gripper.finger_2, "robot_right_gripper_finger_2");
    for (size_t j = 0; j < r->joint_count; j++) {
        assert_true(r->joints[j].parent < r->joints[j].child); // parents come first
        assert_int_equal(r->joints[j].child, j + 1);
        assert_int_equal(r->links[j + 1].joint, j);
    }
    double arm = 0;
    for (int k = 0; k < 7; k++)
        arm += r->links[r->joints[r->arms[0].joints[k]].child].mass;
    arm += r->arms[0].gripper.palm_mass + 2 * r->arms[0].gripper.pad_mass;
    assert_true(arm > 7 && arm < 9);
    world_source s = r->sources[0];
    assert_string_equal(s.kind, "robot");
    assert_string_equal(s.name, "../robots/two_arms.yaml");
    robot_destroy(r);
    robot_destroy(NULL);
}

static void default_noise_is_what_the_documents_promise(void **state) {
    (void)state;
    robot_model *r = load_two_arms(NULL);
    assert_true(r->camera.position_noise == 0.005 && r->camera.position_noise_per_metre == 0.005);
    assert_true(fabs(r->camera.angle_noise - 2 * PI / 180) < 1e-12);
    assert_true(r->camera.detection_rate == 0.98 && r->laser.noise == 0.01);
    assert_true(r->odometry_noise == 0.02 && fabs(r->odometry_angle_noise - PI / 180) < 1e-12);
    assert_true(r->odometry_bias == 0 && r->odometry_angle_bias == 0);
    robot_destroy(r);
}

static void settings_reach_noise_bias_and_accelerations(void **state) {
    (void)state;
    settings set = {0};
    array_push(&set, (setting){"robot", "odometry_bias", "0.05"});
    array_push(&set, (setting){"robot", "odometry_angle_bias", "-3"});
    array_push(&set, (setting){"robot", "arm_acceleration", "0.3"});
    array_push(&set, (setting){"robot", "base_acceleration", "2"});
    array_push(&set, (setting){"robot", "believed_friction", "0.4"});
    array_push(&set, (setting){"world", "gripper_friction", "0.1"});
    robot_model *r = load_two_arms(&set);
    assert_true(r->odometry_bias == 0.05);
    assert_true(fabs(r->odometry_angle_bias + 3 * PI / 180) < 1e-12);
    assert_true(r->base_max_acceleration == 2);
    for (size_t a = 0; a < 2; a++) {
        assert_true(r->arms[a].gripper.believed_friction == 0.4);
        assert_true(r->arms[a].gripper.friction == 0.8);
        for (int k = 0; k < 7; k++)
            assert_true(r->joints[r->arms[a].joints[k]].max_acceleration == 0.3);
    }
    robot_destroy(r);
    array_finish(&set);
}

static void the_known_robot_is_blind_to_its_own_faults(void **state) {
    (void)state;
    settings set = {0};
    array_push(&set, (setting){"robot", "odometry_bias", "0.05"});
    array_push(&set, (setting){"robot", "odometry_angle_bias", "3"});
    array_push(&set, (setting){"robot", "believed_friction", "0.4"});
    static const char *const biases[] = {
        "percept_bias",       "percept_angle_bias",   "laser_bias", "encoder_bias",
        "gripper_force_bias", "gripper_opening_bias", "wrist_bias", "wrist_torque_bias"};
    for (size_t i = 0; i < sizeof biases / sizeof biases[0]; i++)
        array_push(&set, (setting){"robot", biases[i], "0.5"});
    robot_model *r = load_two_arms(&set), *k = robot_known(r);
    assert_true(r->camera.position_bias.x == 0.5 && r->laser.bias == 0.5);
    assert_true(r->touch.opening_bias == 0.5 && r->arms[1].wrist.torque_bias == 0.5);
    double q[LINKS];
    pose was, links[LINKS];
    random_q(r, 1, q);
    robot_forward(r, POSE_IDENTITY, q, links);
    was = robot_tool(r, 1, links);
    robot_destroy(r);
    // It stands without the other.
    robot_forward(k, POSE_IDENTITY, q, links);
    pose now = robot_tool(k, 1, links);
    assert_memory_equal(&was, &now, sizeof was);
    assert_true(k->odometry_bias == 0 && k->odometry_angle_bias == 0);
    assert_true(k->camera.position_bias.x == 0 && k->camera.angle_bias == 0);
    assert_true(k->laser.bias == 0 && k->encoder_bias == 0);
    assert_true(k->touch.force_bias == 0 && k->touch.opening_bias == 0);
    assert_true(k->arms[1].wrist.bias == 0 && k->arms[1].wrist.torque_bias == 0);
    assert_true(k->laser.short_share == 0.01 && k->camera.false_positives == 0.01);
    assert_true(k->arms[0].gripper.friction == 0.4 && k->odometry_noise == 0.02);
    assert_int_equal(k->params.count + k->source_count, 0);
    assert_int_equal(robot_find_arm(k, "right"), 1);
    assert_string_equal(k->arms[1].gripper.palm, "robot_right_gripper_palm");
    robot_destroy(k);
    array_finish(&set);
}

static pose reflected(pose p) {
    return (pose){v3(p.p.x, -p.p.y, p.p.z), {p.q.w, -p.q.x, p.q.y, -p.q.z}};
}

static void one_arm_is_the_mirror_image_of_the_other(void **state) {
    (void)state;
    robot_model *r = load_two_arms(NULL);
    pose links[LINKS];
    double q[LINKS];
    for (uint64_t n = 0; n < 50; n++) {
        random_q(r, n, q);
        q[r->pan] = 0;
        for (int k = 0; k < 7; k++)
            q[r->arms[1].joints[k]] = q[r->arms[0].joints[k]];
        robot_forward(r, POSE_IDENTITY, q, links);
        pose left = reflected(robot_tool(r, 0, links)), right = robot_tool(r, 1, links);
        assert_true(v3_distance(left.p, right.p) < 1e-12);
        assert_true(quat_angle(left.q, right.q) < 1e-6);
        for (int k = 0; k < 7; k++) {
            const robot_link *a = &r->links[r->joints[r->arms[0].joints[k]].child];
            const robot_link *b = &r->links[r->joints[r->arms[1].joints[k]].child];
            vec3 ca = pose_apply(links[a->joint + 1], a->com),
                 cb = pose_apply(links[b->joint + 1], b->com);
            assert_true(v3_distance(v3(ca.x, -ca.y, ca.z), cb) < 1e-12);
            assert_true(a->mass == b->mass && a->inertia.m[0][1] == -b->inertia.m[0][1]);
        }
    }
    robot_destroy(r);
}

static void lengths_are_those_of_the_arm(void **state) {
    (void)state;
    robot_model *r = load_two_arms(NULL);
    double q[LINKS];
    pose links[LINKS], base = pose_planar(3, 4, 0.5);
    memset(q, 0, sizeof q);
    q[r->torso] = 0.35;
    robot_forward(r, base, q, links);
    // Stretched out forward: shoulder 0.05 + 0.10, arm 0.72, hand 0.18; the shoulder at 0.75 +
    // lift.
    vec3 tool = pose_apply(pose_inverse(base), robot_tool(r, 0, links).p);
    assert_true(v3_distance(tool, v3(0.15 + 0.72 + 0.18, 0.22, 1.10)) < 1e-9);
    vec3 palm = pose_apply(pose_inverse(base), robot_palm(r, 0, links).p);
    assert_true(v3_distance(palm, v3(0.15 + 0.72 + 0.08, 0.22, 1.10)) < 1e-9);
    pose camera = pose_mul(links[r->camera.link], r->camera.at);
    assert_true(camera.p.z > 1.3 && camera.p.z < 1.5);
    pose laser = pose_mul(links[r->laser.link], r->laser.at);
    assert_true(fabs(laser.p.z - 0.3) < 1e-9);
    robot_destroy(r);
}

static void the_jacobian_agrees_with_finite_differences(void **state) {
    (void)state;
    robot_model *r = load_two_arms(NULL);
    double q[LINKS];
    for (uint64_t n = 0; n < 40; n++)
        for (size_t arm = 0; arm < 2; arm++) {
            random_q(r, n, q);
            robot_jacobian_is_right(r, arm, pose_planar(1, -2, (double)n), q);
        }
    robot_destroy(r);
}

#define BASE "base: { radius: 0.3, mass: 10, shapes: [ { cylinder: [0.3, 0.2] } ] }\n"
#define DRIVE "limits: [-90, 90], velocity: 1, acceleration: 1, effort: 1, kp: 1, kd: 1"
#define LINK(n) "  " n ": { mass: 1, shapes: [ { sphere: 0.1 } ] }\n"
#define JOINT(n, p, c) "  " n ": { parent: " p ", child: " c ", axis: [0, 0, 1], " DRIVE " }\n"

static void joints_may_stand_in_any_order(void **state) {
    (void)state;
    errors list = {0};
    robot_model *r = NULL;
    assert_int_equal(load_text("robot: r\n" BASE "links:\n" LINK("c") LINK("a")
                                   LINK("b") "joints:\n" JOINT("last", "b", "c")
                                       JOINT("first", "base", "a")
                                           JOINT("middle", "a", "b") "home: { last: 45 }\n",
                               &r, &list),
                     OK);
    assert_string_equal(r->joints[0].name, "first");
    assert_string_equal(r->joints[1].name, "middle");
    assert_string_equal(r->joints[2].name, "last");
    assert_string_equal(r->links[3].name, "c");
    assert_int_equal(r->joints[2].parent, 2);
    assert_true(fabs(r->home[2] - PI / 4) < 1e-12 && r->home[0] == 0);
    assert_int_equal(r->torso, -1);
    assert_int_equal(r->arm_count, 0);
    robot_destroy(r);
    errors_finish(&list);
}

static void mistakes_are_reported_where_they_stand(void **state) {
    (void)state;
    static const robot_mistake cases[] = {
        {"robots: r\n", 1, "robot"},
        {"robot: r\n", 1, "needs a `base`"},
        {"robot: r\nbase:\n", 1, "needs a `base`"},
        {"robot: r\nbase: [ 1 ]\n", 2, "`base` must be a mapping of names"},
        {"robot: r\nbase: fixed\n", 2, "here write `base: { drive: fixed, radius: METRES, mass: "},
        {"robot: r\nbase: bolted\n", 2, "`holonomic`, `differential` or `fixed`, not `bolted`"},
        {"robot: r\nbase: { radius: 0, mass: 10, shapes: [ { sphere: 0.3 } ] }\n", 2,
         "between 1e-05"},
        {"robot: r\nbase: { radius: 1, mass: 10, shapes: [ { plane: true } ], inertia: [1, 1, 1] "
         "}\n",
         2, "plane"},
        {"robot: r\nbase: { radius: 1, shapes: [ { sphere: 0.3 } ] }\n", 2, "mass"},
        {"robot: r\n" BASE "links:\n" LINK("a"), 4, "no joint moves"},
        {"robot: r\nbase: { radius: 1, mass: 0, shapes: [ { sphere: 0.3 } ] }\n", 2,
         "between 1e-06"},
        {"robot: r\nbase: { radius: 1, mass: .nan, shapes: [ { sphere: 0.3 } ] }\n", 2, "number"},
        {"robot: r\nbase: { radius: 1, mass: 1e300, shapes: [ { sphere: 0.3 } ] }\n", 2, "kg"},
        {"robot: r\nbase: { radius: 1e9, mass: 1, shapes: [ { sphere: 0.3 } ] }\n", 2, "1000 m"},
        {"robot: r\nbase: { radius: 1, mass: 1, shapes: [ { box: [1, 1, 1e6] } ] }\n", 2,
         "and 1000 m"},
        {"robot: r\nbase: { radius: 1, mass: 1, com: [0, 1e9, 0], shapes: [ { sphere: 1 } ] }\n", 2,
         "and 1000 m"},
        {"robot: r\n" BASE "links:\n  a: { mass: 1 }\njoints:\n" JOINT("j", "base", "a"), 4,
         "inertia"},
        {"robot: r\n" BASE "links:\n" LINK("a") "joints:\n" JOINT("j", "bas", "a"), 6,
         "did you mean `base`"},
        {"robot: r\n" BASE "links:\n" LINK("a") "joints:\n" JOINT("j", "base", "a")
             JOINT("k", "base", "a"),
         7, "already moves"},
        {"robot: r\n" BASE "links:\n" LINK(
             "a") "joints:\n  j: { parent: base, child: a, axis: [0, 0, 0], " DRIVE " }\n",
         6, "axis"},
        {"robot: r\n" BASE "links:\n" LINK(
             "a") "joints:\n  j: { kind: linear, parent: base, child: a, axis: [0, 0, 1], " DRIVE
                  " }\n",
         6, "prismatic"},
        {"robot: r\n" BASE
         "links:\n" LINK("a") "joints:\n  j: { parent: base, child: a, axis: [0, 0, 1], limits: "
                              "[1, 1], velocity: 1, acceleration: 1, effort: 1, kp: 1, kd: 1 }\n",
         6, "lower < upper"},
        {"robot: r\n" BASE
         "links:\n" LINK("a") "joints:\n" JOINT("j", "base", "a") "home: { jj: 1 }\n",
         7, "did you mean `j`"},
        {"robot: r\n" BASE
         "links:\n" LINK("a") "joints:\n" JOINT("j", "base", "a") "home: { j: 91 }\n",
         7, "outside its limits"},
        {"robot: r\n" BASE "links:\n" LINK("a") "joints:\n" JOINT("j", "base", "a") "torso: lift\n",
         7, "no joint `lift`"},
        {"robot: r\n" BASE
         "links:\n" LINK("a") "joints:\n" JOINT("j", "base", "a") "head:\n  pan: j\n  tilt: j\n",
         9, "the joint `j` is the `pan` already: give `tilt` another joint"},
        {"robot: r\n" BASE
         "links:\n" LINK("a") "joints:\n" JOINT("j", "base", "a") "torso: j\nhead: { tilt: j }\n",
         8, "the joint `j` is the `torso` already: give `tilt` another joint"},
        {"robot: r\n" BASE
         "links:\n" LINK("a") "joints:\n" JOINT("j", "base", "a") "mirror: { from: left }\n",
         7, "`to`"},
        {"robot: r\n" BASE "arms:\n  left: { joints: [a, b], park: [0, 0, 0, 0, 0, 0, 0], gripper: "
         "{ palm_size: [1, 1, 1], palm_mass: 1, pad_size: [1, 1, 1], pad_mass: "
         "1, pad_center: 1, opening: 1, force: 1, speed: 1 } }\n",
         4, "park"},
        {"robot: r\n" BASE "camera: { link: head }\n", 3, "no link `head`"},
        {"robot: r\n" BASE "camera: { near: 2, far: 1 }\n", 3, "greater than its `near`"},
        {"robot: r\n" BASE "camera: { detection_rate: 1.5 }\n", 3, "between 0 and 1"},
        {"robot: r\n" BASE "laser: { fov: 400 }\n", 3, "360"},
        {"robot: r\n" BASE "laser: { beams: 0 }\n", 3, "beams"},
        {"robot: r\n" BASE "camera: { min_visible: 0.5, full_visible: 0.4 }\n", 3,
         "less than `min_visible`"},
        {"robot: r\n" BASE "camera: { near: 1e-308 }\n", 3, "between 0.001 and 10000 m"},
        {"robot: r\n" BASE "laser: { rate: 1e308 }\n", 3, "between 0.001 and 100000 1/s"},
        {"robot: r\n" BASE "camera: { delay: .inf }\n", 3, "number"},
        {"robot: r\n" BASE
         "arms:\n  a:\n    joints: [j]\n    park: [0]\n    gripper: { palm_center: "
         "[0, 0, -1e308] }\n",
         7, "`palm_center` lies between -10 and 10 m, not at -1e+308"},
        {"robot: r\n" BASE "camera: { false_positives: 11 }\n", 3, "between 0 and 10"},
        {"robot: r\n" BASE "camera: { confusion: -0.1 }\n", 3, "confusion"},
        {"robot: r\n" BASE "laser: { short: 0.5, max: 0.4, random: 0.2 }\n", 3, "exceed 1"},
        {"robot: r\n" BASE "encoders: { delay: -1 }\n", 3, "delay"},
        {"robot: r\n" BASE "grippers: { rate: 0 }\n", 3, "rate"},
        {"robot: r\n" BASE "odometry: { biass: 1 }\n", 3, "bias"},
        {"robot: r\n" BASE "tracker: { rate: 50 }\n", 3, "the tracker needs `at`"},
        {"robot: r\n" BASE "tracker: { at: [0, 0, 3], delay: -0.1 }\n", 3, "delay"},
        {"robot: r\n" BASE "tracker: { at: [0, 0, 3], dropout: 1.5 }\n", 3, "between 0 and 1"},
        {"robot: r\n" BASE "tracker: { at: [0, 0, 3], range: 0 }\n", 3, "between 0.001 and 10000"},
        {"robot: r\n" BASE "tracker: { at: [0, 0, 3], lost: 3 }\n", 3,
         "`lost` is a list of { from: SECONDS, to: SECONDS }"},
        {"robot: r\n" BASE "tracker: { at: [0, 0, 3], lost: [3] }\n", 3,
         "an entry of `lost` is { from: SECONDS, to: SECONDS }"},
        {"robot: r\n" BASE "tracker: { at: [0, 0, 3], lost: [{ from: 3 }] }\n", 3, "needs `to`"},
        {"robot: r\n" BASE "tracker: { at: [0, 0, 3], lost: [{ from: 3, to: 3 }] }\n", 3,
         "`to` must be later than `from`, 3 s"},
        {"robot: r\n" BASE "tracker: { at: [0, 0, 3], estimator: newest }\n", 3,
         "`estimator` is snapshot or latest"},
        {"robot: r\n" BASE "tracker: { at: [0, 0, 3], dealy: 1 }\n", 3, "delay"},
        {"robot: r\n" BASE "detector: { range: 5 }\n", 3, "section `laser`"},
        {"robot: r\n" BASE "laser: {}\ndetector: { range: 0 }\n", 4, "between 0.001 and 10000"},
        {"robot: r\n" BASE "laser: {}\ndetector: { dropout: 2 }\n", 4, "between 0 and 1"},
        {"robot: r\n" BASE "laser: {}\ndetector: { angle_noise: -1 }\n", 4, "angle_noise"},
        {"robot: r\n" BASE "laser: {}\ndetector: { at: [0, 0, 0] }\n", 4, "at"},
    };
    robot_mistakes(cases, sizeof cases / sizeof *cases, NULL, false);
}

static void joints_in_a_circle_are_refused(void **state) {
    (void)state;
    errors list = {0};
    robot_model *r = NULL;
    assert_int_equal(load_text("robot: r\n" BASE "links:\n" LINK("a")
                                   LINK("b") "joints:\n" JOINT("j", "a", "b") JOINT("k", "b", "a"),
                               &r, &list),
                     E_INPUT);
    assert_int_equal(list.count, 2);
    assert_non_null(strstr(list.items[0].text, "circle"));
    errors_finish(&list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_robot_has_base_torso_head_and_two_arms),
        cmocka_unit_test(default_noise_is_what_the_documents_promise),
        cmocka_unit_test(settings_reach_noise_bias_and_accelerations),
        cmocka_unit_test(the_known_robot_is_blind_to_its_own_faults),
        cmocka_unit_test(one_arm_is_the_mirror_image_of_the_other),
        cmocka_unit_test(lengths_are_those_of_the_arm),
        cmocka_unit_test(the_jacobian_agrees_with_finite_differences),
        cmocka_unit_test(joints_may_stand_in_any_order),
        cmocka_unit_test(mistakes_are_reported_where_they_stand),
        cmocka_unit_test(joints_in_a_circle_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
