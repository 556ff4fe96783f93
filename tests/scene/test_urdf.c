// tests/scene/test_urdf.c - robots from URDF files: what is read, against values worked out by
// hand, what is refused, and what is noted.
#include "tests/scene/robot_text.h"

static robot_model *load(const char *urdf, const char *yaml) {
    errors list = {0};
    robot_model *r = NULL;
    status s = robot_text(urdf, yaml, NULL, &r, &list);
    if (s != OK)
        fail_msg("%d: %s", list.count > 0 ? list.items[0].line : 0,
                 list.count > 0 ? list.items[0].text : "no message");
    errors_finish(&list);
    return r;
}

static bool noted(const robot_model *r, int line, const char *words) {
    for (size_t i = 0; i < r->note_count; i++)
        if ((line == 0 || r->notes[i].line == line) && strstr(r->notes[i].text, words))
            return true;
    return false;
}

static void near(double a, double b) {
    if (!(fabs(a - b) < 1e-9 * fmax(1, fabs(b))))
        fail_msg("%.12g is not %.12g", a, b);
}

#define BALL(m)                                                                                    \
    "<inertial><mass value='" m "'/><inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' "       \
    "iyz='0'/></inertial>"
#define LINK(n) "<link name='" n "'>" BALL("2") "</link>"
#define ENDS(p, c) "<parent link='" p "'/><child link='" c "'/>"
#define LIMIT "<limit lower='-1' upper='2' effort='50' velocity='1.5'/>"
#define JOINT(n, t, p, c) "<joint name='" n "' type='" t "'>" ENDS(p, c) LIMIT "</joint>"

// clang-format off
static const char TREE[] =
    "<robot name='My-Robot 2'>\n"
    "<link name='Base_Link'/>\n"
    "<link name='world-frame'/>\n"
    "<joint name='stand' type='fixed'>" ENDS("world-frame", "Base_Link")
    "<origin xyz='0 0 0.5' rpy='0 0 1.5707963267948966'/></joint>\n"
    "<link name='Arm'><inertial><origin xyz='0.1 0 0'/><mass value='3'/>"
    "<inertia ixx='0.1' iyy='0.2' izz='0.25' ixy='0' ixz='0' iyz='0'/></inertial>"
    "<collision><origin xyz='0.2 0 0' rpy='0 1.5707963267948966 0'/><geometry>"
    "<cylinder radius='0.05' length='0.4'/></geometry></collision></link>\n"
    "<joint name='Turn' type='revolute'>" ENDS("Base_Link", "Arm")
    "<origin xyz='1 0 0.25'/><axis xyz='0 0 2'/>" LIMIT
    "<dynamics damping='0.7' friction='0.3'/></joint>\n"
    "<link name='weight'><inertial><origin xyz='0 0 0.1' rpy='1.5707963267948966 0 0'/>"
    "<mass value='1'/><inertia ixx='0.01' iyy='0.02' izz='0.025' ixy='0' ixz='0' iyz='0'/>"
    "</inertial><collision><geometry><box size='0.1 0.2 0.3'/></geometry></collision></link>\n"
    "<joint name='bolt' type='fixed'>" ENDS("Arm", "weight") "<origin xyz='0.4 0 0'/></joint>\n"
    "<link name='Slide'>" BALL("0.5") "</link>\n"
    "<joint name='Push' type='prismatic'>" ENDS("weight", "Slide")
    "<origin xyz='0.1 0 0' rpy='0 0 1.5707963267948966'/><axis xyz='1 0 0'/>"
    "<limit lower='0.1' upper='0.3' effort='20' velocity='0.2'/></joint>\n"
    "<link name='wheel'>" BALL("0.4") "</link>\n"
    "<joint name='spin' type='continuous'>" ENDS("Base_Link", "wheel")
    "<axis xyz='0 0 1'/></joint>\n"
    "<transmission name='t'/><gazebo/><gazebo/>\n"
    "</robot>\n";

static const char ODD[] =
    "<robot name='r'>\n"
    "<link name='w'/> <link name='a'/>\n"
    "<link name='b'>" BALL("2") "</link> <link name='c'>" BALL("2") "</link> <link name='d'/>\n"
    "<joint name='float' type='floating'>" ENDS("w", "a") "</joint>\n"
    "<joint name='j' type='revolute'>" ENDS("a", "b") LIMIT "</joint>\n"
    "<joint name='m' type='revolute'>" ENDS("b", "c") LIMIT
    "<origin xyz='1 0 0'/><axis xyz='0 0 1'/>\n"
    "<mimic joint='j' multiplier='2' offset='0.5'/></joint>\n"
    "<joint name='k' type='revolute'>" ENDS("b", "d") LIMIT "</joint></robot>\n";

static const char CART[] =
    "<robot name='r'><link name='hull'>" BALL("9") "</link>\n"
    "<link name='caster'/><link name='rear'/><link name='front'>" BALL("1")
    "<collision><geometry><sphere radius='0.1'/></geometry></collision></link>\n"
    "<joint name='swivel' type='continuous'>" ENDS("hull", "caster") "<axis xyz='0 0 1'/></joint>\n"
    "<joint name='roll' type='continuous'>" ENDS("caster", "rear") "<axis xyz='0 1 0'/></joint>\n"
    "<joint name='drive' type='continuous'>" ENDS("hull", "front")
    "<origin xyz='0.2 0 -0.3'/><axis xyz='0 1 0'/></joint>\n"
    "<link name='scanner'>" BALL("1") "</link><joint name='scan' type='continuous'>"
    ENDS("hull", "scanner") "<axis xyz='0 0 1'/></joint></robot>\n";
// clang-format on

static void fixed_joints_melt_and_their_links_become_frames(void **state) {
    (void)state;
    robot_model *r = load(TREE, NULL);
    assert_string_equal(r->name, "my_robot_2");
    assert_int_equal(r->link_count, 4);
    assert_int_equal(r->joint_count, 3);
    assert_string_equal(r->links[0].name, "base");
    assert_string_equal(r->links[1].name, "Arm");
    // 3 kg at x = 0.1 and 1 kg at (0.4, 0, 0.1).
    const robot_link *arm = &r->links[1];
    near(arm->mass, 4);
    near(arm->com.x, 0.175);
    near(arm->com.z, 0.025);
    // The bolted part's axes are turned about x: its y and z moments change places.
    near(arm->inertia.m[0][0], 0.1 + 3 * 0.025 * 0.025 + 0.01 + 0.075 * 0.075);
    near(arm->inertia.m[1][1],
         0.2 + 3 * (0.075 * 0.075 + 0.025 * 0.025) + 0.025 + 0.225 * 0.225 + 0.075 * 0.075);
    near(arm->inertia.m[2][2], 0.25 + 3 * 0.075 * 0.075 + 0.02 + 0.225 * 0.225);
    near(arm->inertia.m[0][2], -3 * 0.075 * 0.025 - 0.225 * 0.075);
    assert_int_equal(arm->shape_count, 2);
    assert_int_equal(arm->shapes[0].kind, SHAPE_CYLINDER);
    near(arm->shapes[0].size.z, 0.4);
    near(arm->shapes[1].at.p.x, 0.4);
    assert_string_equal(r->sources[0].kind, "robot");
    assert_true(noted(r, 0, "<gazebo> is not read (2 in all)"));
    assert_true(noted(r, 0, "<transmission> is not read"));
    robot_destroy(r);
}

static void forward_kinematics_are_those_of_the_file(void **state) {
    (void)state;
    robot_model *r = load(TREE, NULL);
    pose links[4];
    double q[3] = {0};
    int64_t turn = robot_find_joint(r, "Turn"), push = robot_find_joint(r, "Push");
    assert_true(turn >= 0 && push >= 0);
    q[turn] = PI / 2;
    q[push] = 0.2;
    robot_forward(r, POSE_IDENTITY, q, links);
    // The stand turns by 90 degrees, so that the arm's joint is at (0, 1, 0.75); turned by another
    // 90 degrees the arm points to -x; the slide is 0.5 m along it and slides to the arm's left.
    vec3 arm = links[r->joints[turn].child].p, slide = links[r->joints[push].child].p;
    near(arm.x, 0);
    near(arm.y, 1);
    near(arm.z, 0.75);
    near(slide.x, -0.5);
    near(slide.y, 0.8);
    near(slide.z, 0.75);
    robot_destroy(r);
}

static void limits_damping_and_defaults_are_read(void **state) {
    (void)state;
    robot_model *r = load(TREE, NULL);
    const robot_joint *t = &r->joints[robot_find_joint(r, "Turn")];
    const robot_joint *p = &r->joints[robot_find_joint(r, "Push")];
    const robot_joint *w = &r->joints[robot_find_joint(r, "spin")];
    assert_true(t->lower == -1 && t->upper == 2 && t->max_effort == 50 && t->max_velocity == 1.5);
    assert_true(t->viscous == 0.7 && t->coulomb == 0.3 && t->axis.z == 1);
    assert_true(p->kind == JOINT_PRISMATIC && p->lower == 0.1);
    assert_true(r->home[robot_find_joint(r, "Push")] == 0.1); // the nearest to 0
    near(w->upper, 2 * PI);
    near(w->lower, -2 * PI);
    assert_true(noted(r, 0, "`spin` has no limit of velocity"));
    for (size_t j = 0; j < r->joint_count; j++) {
        const robot_joint *k = &r->joints[j];
        assert_true(k->kp > 0 && k->kd > 0 && k->armature > 0 && k->max_effort > 0);
        assert_true(k->max_velocity > 0 && k->max_acceleration > 0);
    }
    robot_destroy(r);
}

#define ARM(n)                                                                                     \
    "arms:\n  left:\n    joints: [Turn, Push]\n    park: [30, 0.2]\n    gripper: { link: " n       \
    ", mount: [0, 0, 0.05], palm_size: [0.1, 0.1, 0.1], palm_mass: 0.5, pad_size: [0.04, 0.01, "   \
    "0.04], pad_mass: 0.1, pad_center: 0.1, opening: 0.1, force: $squeeze, speed: 0.1 }\n"         \
    "    wrist: { rate: 50, delay: 0.01, noise: 0.2, torque_noise: 0.01, bias: 2, torque_bias: 1 " \
    "}\n"                                                                                          \
    "    torques: { rate: 25, bias: 3, observer_gain: 20 }\n"
#define PARAMETERS "parameters: { squeeze: { type: number, default: 30, doc: force } }\n"

static void yaml_on_top_gives_arms_senses_and_controllers(void **state) {
    (void)state;
    settings set = {0};
    errors list = {0};
    robot_model *r = NULL;
    array_push(&set, (setting){"robot", "squeeze", "12"});
    assert_int_equal(robot_text(TREE,
                                "robot: r\nurdf: r.urdf\n" PARAMETERS
                                "base: { radius: 0.4, mass: 10, shapes: [ { box: [0.2, 0.2, 0.2], "
                                "at: [0, 0, 0.2] } ] }\nmount: [0, 0, 0.1]\n"
                                "joints:\n  '*': { kd: 7 }\n  'T*n': { kp: 123, limits: [-45, 90] "
                                "}\n" ARM("Slide") "laser: { link: world-frame, at: [0, 0, 0.2] }\n"
                                                   "camera: { link: weight, at: [0, 0, 0.3] }\n"
                                                   "without: [wheel]\nhome: { Turn: 10 }\n",
                                &set, &r, &list),
                     OK);
    assert_int_equal(r->joint_count, 2);
    const robot_joint *t = &r->joints[robot_find_joint(r, "Turn")];
    assert_true(t->kp == 123 && t->kd == 7 && r->joints[1].kd == 7);
    near(t->upper, PI / 2);
    assert_int_equal(r->arms[0].joint_count, 2);
    near(r->arms[0].park[0], PI / 6);
    near(r->arms[0].park[1], 0.2);
    assert_true(r->arms[0].gripper.max_force == 12);
    assert_true(r->arms[0].wrist.present && r->arms[0].wrist.delay == 0.01);
    assert_true(r->arms[0].wrist.bias == 2 && r->arms[0].wrist.torque_bias == 1);
    const robot_torques *torques = &r->arms[0].torques;
    assert_true(torques->present && torques->rate == 25 && torques->bias == 3);
    assert_true(torques->observer_gain == 20 && torques->noise == 0.05 && torques->delay == 0);
    near(r->home[robot_find_joint(r, "Turn")], PI / 18);
    // Senses on links that are fixed to others.
    assert_int_equal(r->laser.link, 0);
    near(r->laser.at.p.z, 0.3);
    assert_string_equal(r->links[r->camera.link].name, "Arm");
    near(r->camera.at.p.x, 0.4);
    near(r->links[0].mass, 10);
    assert_int_equal(r->source_count, 2);
    assert_string_equal(r->sources[1].kind, "urdf");
    // What the robot knows of itself.
    robot_model *k = robot_known(r);
    assert_true(k->arms[0].joint_count == 2 && k->arms[0].wrist.present);
    assert_true(k->arms[0].wrist.bias == 0 && k->arms[0].wrist.torque_bias == 0);
    assert_true(k->arms[0].torques.present && k->arms[0].torques.bias == 0);
    assert_int_equal(k->note_count, 0);
    robot_destroy(k);
    robot_destroy(r);
    array_finish(&set);
    errors_finish(&list);
}

// An arm on a cart as every UR is: a fixed link `base`, turned by half a turn, beside the chain.
#define TURNED_BASE                                                                                \
    "<robot name='r'>" LINK("base_link") "\n<link name='base'/>" LINK(                             \
        "upper") "<joint name='b' type='fixed'>" ENDS("base_link",                                 \
                                                      "base") "<origin rpy='0 0 "                  \
                                                              "3.14159265358979'/></"              \
                                                              "joint>" JOINT("j",                  \
                                                                             "revolu"              \
                                                                             "te",                 \
                                                                             "base_"               \
                                                                             "link",               \
                                                                             "upper") "</robot>"

static void a_link_called_base_takes_nobody_for_the_robots_own_base(void **state) {
    (void)state;
    static const char *const lasers[] = {"", "laser: { at: [0.2, 0, 0.1] }\n",
                                         "laser: { link: base, at: [0.2, 0, 0.1] }\n",
                                         "laser: { link: urdf_base, at: [0.2, 0, 0.1] }\n"};
    for (int i = 0; i < 4; i++) {
        char yaml[200];
        snprintf(yaml, sizeof yaml, "robot: r\nurdf: r.urdf\nmount: [0, 0, 0.3]\n%s", lasers[i]);
        robot_model *r = load(TURNED_BASE, yaml);
        vec3 ahead = quat_rotate(r->laser.at.q, v3(1, 0, 0));
        assert_int_equal(r->laser.link, 0);
        near(ahead.x, i == 3 ? -1 : 1);
        near(r->laser.at.p.x, i == 0 ? 0 : i == 3 ? -0.2 : 0.2);
        near(r->laser.at.p.z, i == 0 ? 0 : i == 3 ? 0.4 : 0.1);
        assert_true(noted(r, 2, "the URDF's own link `base` is called `urdf_base`"));
        robot_destroy(r);
    }
}

static void a_link_called_base_may_move(void **state) {
    (void)state;
    robot_model *r = load("<robot name='r'>" LINK("urdf_base") LINK("base") LINK("tip")
                              JOINT("j", "revolute", "urdf_base", "base")
                                  JOINT("k", "revolute", "base", "tip") "</robot>",
                          "robot: r\nurdf: r.urdf\nwithout: [tip]\n");
    assert_int_equal(r->link_count, 2);
    assert_string_equal(r->links[1].name, "urdf_base_2");
    robot_destroy(r);
    r = load("<robot name='r'>" LINK("base") LINK("tip")
                 JOINT("k", "revolute", "base", "tip") "</robot>",
             "robot: r\nurdf: r.urdf\nmount: [0, 0, 0.3]\nlaser: { link: urdf_base }\n");
    assert_string_equal(r->links[r->joints[0].child].name, "tip");
    near(r->laser.at.p.z, 0.3);
    robot_destroy(r);
}

#define MOMENTS(m, x, y, z)                                                                        \
    "<robot name='r'><link name='a'><collision><geometry><box size='1 1 1'/></geometry>"           \
    "</collision><inertial><mass value='" m "'/>\n<inertia ixx='" x "' iyy='" y "' izz='" z        \
    "' ixy='0' ixz='0' iyz='0'/></inertial></link></robot>"

static void inertias_that_rounding_made_negative_are_repaired(void **state) {
    (void)state;
    static const struct {
        const char *urdf, *words;
        double xx, yy;
    } cases[] = {
        {MOMENTS("2", "0.01", "0.01", "-2.4e-35"), "negative by rounding", 0.01, 0.01},
        {MOMENTS("0.1", "1.2e-7", "1.2e-7", "-3.5e-8"), "negative by rounding", 1.2e-7, 1.2e-7},
        {MOMENTS("0.3", "-2.4e-35", "0", "0"), "that of its shapes", 0.05, 0.05},
        {MOMENTS("6", "-1e-9", "-2e-9", "-1e-9"), "that of its shapes", 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        robot_model *r = load(cases[i].urdf, NULL);
        const mat3 *m = &r->links[0].inertia;
        double e[3];
        mat3_eigenvalues(*m, e);
        assert_true(e[0] > 0 && e[1] > 0 && e[2] > 0);
        assert_true(fabs(m->m[0][0] - cases[i].xx) < 0.5 * cases[i].xx);
        assert_true(fabs(m->m[1][1] - cases[i].yy) < 0.5 * cases[i].yy);
        assert_true(noted(r, 2, cases[i].words) && noted(r, 2, "`a`"));
        robot_destroy(r);
    }
}

static void what_says_that_there_is_none_is_taken_as_such(void **state) {
    (void)state;
    robot_model *r = load(
        "<robot name='r'>" LINK("a") "<link name='b'>" BALL(
            "1") "\n<collision><geometry><cylinder radius='0' "
                 "length='0'/></geometry></collision></link>" LINK(
                     "c") "<joint name='j' type='revolute'>" ENDS("a",
                                                                  "b") "\n<axis xyz='1 0 "
                                                                       "0'/><limit lower='-inf' "
                                                                       "upper='1e16' effort='-1' "
                                                                       "velocity='inf'/></joint>"
                                                                       "<joint name='k' "
                                                                       "type='revolute'>" ENDS(
                                                                           "b",
                                                                           "c") "\n<axis xyz='1 0 "
                                                                                "0'/><limit "
                                                                                "lower='-1' "
                                                                                "upper='1' "
                                                                                "effort='inf' "
                                                                                "velocity='-1'/></"
                                                                                "joint></robot>",
        NULL);
    assert_true(noted(r, 2, "a `cylinder` without a volume is left out"));
    assert_true(noted(r, 3, "`j` turns without end"));
    assert_true(noted(r, 3, "`j` has no limit of effort"));
    assert_true(noted(r, 3, "`j` has no limit of velocity"));
    assert_true(noted(r, 4, "`k` has no limit of effort"));
    near(r->joints[0].upper, 2 * PI);
    near(r->joints[1].upper, 1);
    assert_int_equal(r->links[1].shape_count, 0);
    robot_destroy(r);
}

static void missing_masses_mimics_and_floating_roots_are_noted(void **state) {
    (void)state;
    robot_model *r = load(ODD, NULL);
    assert_int_equal(r->joint_count, 3);
    assert_true(noted(r, 4, "floating joint `float`"));
    assert_true(noted(r, 7, "`m` follows `j`: it is 2 times that, plus 0.5"));
    assert_true(noted(r, 3, "`d` has no mass"));
    assert_true(noted(r, 0, "`base` has no mass"));
    near(r->links[1].mass, 2);
    robot_destroy(r);
}

// A lift of two stages and a gripper whose fingers follow one another, the first a fixed one.
#define MIMIC(n, t, p, c, rest)                                                                    \
    "<joint name='" n "' type='" t "'>" ENDS(p, c) "<axis xyz='0 0 1'/><mimic " rest "/></joint>"
static const char COUPLED[] = "<robot name='r'>" LINK("hull") LINK("stage") LINK("top") LINK(
    "cap") LINK("bolt") LINK("claw")
    LINK("tooth") "\n"
                  "<joint name='lift' type='prismatic'>" ENDS(
                      "hull",
                      "stage") "<axis xyz='0 0 1'/>"
                               "<limit lower='0.1' upper='0.4' effort='500' "
                               "velocity='0.2'/></joint>\n" MIMIC(
                                   "second", "prismatic", "stage", "top",
                                   "joint='lift' multiplier='0.5' offset='0.1'")
                                   MIMIC(
                                       "third", "prismatic", "top", "cap",
                                       "joint='second' multiplier='-2'") "\n"
                                                                         "<joint "
                                                                         "name='weld' "
                                                                         "type='fixed'"
                                                                         ">" ENDS("hull", "bolt") "</joint>\n" MIMIC(
                                                                             "grip", "prismatic",
                                                                             "bolt", "claw",
                                                                             "joint='weld'"
                                                                             " offset='0."
                                                                             "3'") "\n" MIMIC("los"
                                                                                              "t",
                                                                                              "revo"
                                                                                              "lut"
                                                                                              "e",
                                                                                              "bol"
                                                                                              "t",
                                                                                              "toot"
                                                                                              "h",
                                                                                              "join"
                                                                                              "t='"
                                                                                              "nobo"
                                                                                              "dy'") "</robot>";

static void joints_that_mimic_follow_their_leaders(void **state) {
    (void)state;
    robot_model *r = load(COUPLED, "robot: r\nurdf: r.urdf\nhome: { lift: 0.2 }\n");
    assert_int_equal(r->joint_count, 3);
    size_t lift = (size_t)robot_find_joint(r, "lift");
    const robot_joint *second = &r->joints[robot_find_joint(r, "second")];
    const robot_joint *third = &r->joints[robot_find_joint(r, "third")];
    assert_true(second->follows && second->leader == lift && third->leader == lift);
    assert_false(r->joints[lift].follows);
    near(second->lower, 0.15);
    near(second->upper, 0.3);
    near(third->lower, -0.6);
    near(third->upper, -0.3);
    double q[3];
    memcpy(q, r->home, sizeof q);
    near(q[robot_find_joint(r, "second")], 0.2);
    near(q[robot_find_joint(r, "third")], -0.4);
    q[lift] = 0.3;
    robot_follow(r, q);
    near(q[robot_find_joint(r, "second")], 0.25);
    near(q[robot_find_joint(r, "third")], -0.5);
    assert_true(noted(r, 5, "`grip` follows a joint that does not move: it is fixed at 0.3"));
    assert_true(noted(r, 6, "`lost` follows a joint that the file does not have"));
    assert_true(noted(r, 3, "`third` follows `lift`: it is -1 times that, plus -0.2"));
    robot_destroy(r);
    // What follows a joint that is left out stays.
    r = load(COUPLED, "robot: r\nurdf: r.urdf\nwithout: [stage]\n");
    assert_int_equal(r->joint_count, 0);
    robot_destroy(r);
    static const robot_mistake cases[] = {
        {"robot: r\nurdf: r.urdf\ntorso: second\n", 3, "follows `lift`, and cannot be moved"},
        {"robot: r\nurdf: r.urdf\nhome: { second: 0.2 }\n", 3, "give the home of that"},
        {"robot: r\nurdf: r.urdf\njoints: { second: { limits: [0, 1] } }\n", 3, "whose `limits`"},
    };
    robot_mistakes(cases, sizeof cases / sizeof *cases, COUPLED, false);
}

static void wheels_are_fixed_and_the_base_stands_on_the_floor(void **state) {
    (void)state;
    robot_model *r = load(CART, NULL);
    pose links[2];
    assert_int_equal(r->joint_count, 1);
    assert_string_equal(r->joints[0].name, "scan");
    assert_true(noted(r, 3, "`swivel` is taken as a wheel"));
    assert_true(noted(r, 5, "`drive` is taken as a wheel"));
    near(r->links[0].mass, 10);
    near(r->links[0].shapes[0].at.p.z, 0.1);
    near(r->links[0].com.z, 0.4 - 0.03);
    robot_forward(r, POSE_IDENTITY, r->home, links);
    near(links[1].p.z, 0.4);
    assert_true(noted(r, 1, "lifted onto the floor"));
    robot_destroy(r);
}

// A tetrahedron with corners at the origin and 0.3 m along each axis; text STL.
static const char TETRAHEDRON[] =
    "solid t\n"
    "facet normal 0 0 -1\nouter loop\nvertex 0 0 0\nvertex 0 0.3 0\nvertex 0.3 0 0\nendloop\n"
    "endfacet\n"
    "facet normal 0 -1 0\nouter loop\nvertex 0 0 0\nvertex 0.3 0 0\nvertex 0 0 0.3\nendloop\n"
    "endfacet\n"
    "facet normal -1 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 0.3\nvertex 0 0.3 0\nendloop\n"
    "endfacet\n"
    "facet normal 1 1 1\nouter loop\nvertex 0.3 0 0\nvertex 0 0.3 0\nvertex 0 0 0.3\nendloop\n"
    "endfacet\nendsolid t\n";

static void meshes_are_found_in_packages(void **state) {
    (void)state;
    static const char *const uris[] = {"t.stl", "package://%s/t.stl", "package://given/t.stl"};
    for (int i = 0; i < 3; i++) {
        char *folder = testlib_folder(), uri[600], text[2000];
        const char *own = strrchr(folder, '/') + 1;
        char *stl = testlib_write(folder, "t.stl", TETRAHEDRON);
        snprintf(uri, sizeof uri, "%s", uris[i]);
        if (i == 1)
            snprintf(uri, sizeof uri, "package://%s/t.stl", own);
        snprintf(
            text, sizeof text,
            "<robot name='r'><link name='a'>" BALL(
                "1") "<collision><origin xyz='1 0 0'/><geometry><mesh filename='%s' scale='2 2 "
                     "2'/></geometry></collision></link></robot>",
            uri);
        char *urdf = testlib_write(folder, "r.urdf", text);
        char *yaml =
            testlib_write(folder, "r.yaml", "robot: r\nurdf: r.urdf\npackages: { given: . }\n");
        errors list = {0};
        robot_model *r = NULL;
        status s = robot_load(i == 2 ? yaml : urdf, folder, NULL, &r, &list);
        if (s != OK)
            fail_msg("%s: %s", uri, list.items[0].text);
        const shape *k = &r->links[0].shapes[0];
        assert_int_equal(k->kind, SHAPE_MESH);
        assert_true(fabs(k->size.x - 0.6) < 1e-6 && fabs(k->at.p.x - 1.3) < 1e-6);
        assert_true(k->mesh->convex);
        robot_destroy(r);
        errors_finish(&list);
        free(stl);
        free(urdf);
        free(yaml);
        testlib_remove(folder);
    }
}

#define MESHED                                                                                     \
    "<robot name='r'><link name='a'>" BALL(                                                        \
        "1") "<collision>\n<geometry><mesh "                                                       \
             "filename='package://nowhere/a.stl'/></geometry></collision></link></robot>"

static void missing_meshes_are_errors_unless_skipped(void **state) {
    (void)state;
    errors list = {0};
    robot_model *r = NULL;
    assert_int_equal(robot_text(MESHED, NULL, NULL, &r, &list), E_INPUT);
    assert_int_equal(list.items[0].line, 2);
    assert_non_null(strstr(list.items[0].text, "missing_meshes: skip"));
    errors_finish(&list);
    r = load(MESHED, "robot: r\nurdf: r.urdf\nmissing_meshes: skip\n");
    assert_true(noted(r, 2, "1 missing meshes"));
    assert_int_equal(r->links[0].shape_count, 0);
    robot_destroy(r);
}

static void mistakes_in_a_urdf_are_reported_where_they_stand(void **state) {
    (void)state;
    static const robot_mistake cases[] = {
        {"<robot name='r'>\n<link name='a'>\n</robot>", 3, "not valid XML"},
        {"", 1, "not valid XML"},
        {"<sdf/>", 1, "SDF"},
        {"<!DOCTYPE r [\n<!ENTITY a 'aaaa'>\n<!ENTITY b '&a;&a;'>]>\n<robot name='&b;'/>", 2,
         "entities"},
        {"<!DOCTYPE r [\n<!ENTITY a SYSTEM '/etc/passwd'>]>\n<robot name='r'/>", 2, "entities"},
        {"<robot name='r'>\n<xacro:macro/></robot>", 2, "xacro"},
        {"<robot name='r'/>", 1, "no links"},
        {"<robot name='r'>\n" LINK("a") "\n" LINK("b") "</robot>", 3, "no joint holds"},
        {"<robot name='r'>\n" LINK("a") "\n" LINK("a") "</robot>", 3, "given twice"},
        {"<robot name='r'>" LINK("a") LINK("b") LINK("c") JOINT("j", "revolute", "a", "b")
             JOINT("k", "revolute", "a", "c") "\n" JOINT("l", "revolute", "b", "c") "</robot>",
         2, "two parents"},
        {"<robot name='r'>" LINK("a") "\n" LINK("b") LINK("c") JOINT("j", "revolute", "b", "c")
             JOINT("k", "revolute", "c", "b") "</robot>",
         2, "circle"},
        {"<robot name='r'>" LINK("arm")
             LINK("b") "\n" JOINT("j", "revolute", "amr", "b") "</robot>",
         2, "did you mean `arm`"},
        {"<robot name='r'>" LINK("a") LINK("b") "\n" JOINT("j", "ball", "a", "b") "</robot>", 2,
         "not `ball`"},
        {"<robot name='r'>" LINK("a") LINK("b") LINK("c")
             JOINT("j", "fixed", "a", "b") "\n" JOINT("k", "planar", "b", "c") "</robot>",
         2, "planar joint `k` is not supported"},
        {"<robot name='r'>" LINK("a")
             LINK("b") "\n<joint name='j' type='revolute'>" ENDS("a", "b") "</joint></robot>",
         2, "<limit>"},
        {"<robot name='r'>" LINK("a") LINK("b") "<joint name='j' type='revolute'>" ENDS(
             "a", "b") "\n<limit lower='2' upper='1'/></joint></robot>",
         2, "lower < upper"},
        {"<robot name='r'>" LINK("a") LINK("b") "<joint name='j' type='revolute'>" ENDS("a", "b")
             LIMIT "\n<axis xyz='0 0 0'/></joint></robot>",
         2, "axis"},
        {"<robot name='r'>" LINK("a") LINK("b") "<joint name='j' type='revolute'>" ENDS("a", "b")
             LIMIT "\n<origin xyz='0 nan 0'/></joint></robot>",
         2, "finite"},
        {"<robot name='r'>" LINK("a") LINK("b") "<joint name='j' type='revolute'>" ENDS("a", "b")
             LIMIT "\n<origin xyz='0 1e9 0'/></joint></robot>",
         2, "1000 m"},
        {"<robot name='r'>" LINK("a") LINK("b") "<joint name='j' type='revolute'>" ENDS("a", "b")
             LIMIT "\n<origin xyz='0 ${x} 0'/></joint></robot>",
         2, "xacro"},
        {"<robot name='r'>" LINK("a") "<link name='b'>\n" BALL("0") "</link>" JOINT(
             "j", "revolute", "a", "b") "</robot>",
         2, "no mass"},
        {"<robot name='r'><link name='a'>\n" BALL("-1") "</link></robot>", 2, "and 1e+07 kg"},
        {"<robot name='r'><link name='a'>\n" BALL("inf") "</link></robot>", 2, "finite"},
        {"<robot name='r'><link name='a'><inertial><mass value='1'/>\n<inertia ixx='-1' iyy='1' "
         "izz='1'/></inertial></link></robot>",
         2, "principal moments"},
        {MOMENTS("2", "0.1", "0.1", "-0.02"), 2, "principal moments of `a`"},
        {MOMENTS("2", "-0.1", "-0.1", "-0.1"), 2, "must not be negative"},
        {MOMENTS("2", "1e8", "1e8", "1e8"), 2, "radius of gyration"},
        {"<robot name='r'><link name='a'><collision><geometry>\n<box size='1 1'/></geometry>"
         "</collision></link></robot>",
         2, "3 numbers"},
        {"<robot name='r'><link name='a'><collision><geometry>\n<sphere radius='-1'/></geometry>"
         "</collision></link></robot>",
         2, "between 1e-06 and 1000 m"},
        {"<robot name='r'><link name='a'><collision><geometry>\n<sphere radius='1e7'/></geometry>"
         "</collision></link></robot>",
         2, "and 1000 m"},
        {"<robot name='r'>\n<link/></robot>", 2, "needs a `name`"},
        {"<robot name='r'>\n<link name='a b'/></robot>", 2, "no spaces"},
    };
    robot_mistakes(cases, sizeof cases / sizeof *cases, NULL, true);
}

static void mistakes_on_top_of_a_urdf_are_reported(void **state) {
    (void)state;
    static const robot_mistake cases[] = {
        {"robot: r\nurdf: none.urdf\n", 2, "no file"},
        {"robot: r\nurdf: r.urdf\njoints: { Trun: { kp: 1 } }\n", 3, "did you mean `Turn`"},
        {"robot: r\nurdf: r.urdf\njoints: { Turn: { axis: 1 } }\n", 3, "axis"},
        {"robot: r\nurdf: r.urdf\nlinks: {}\n", 3, "exclude"},
        {"robot: r\nurdf: r.urdf\nbase: floating\n", 3, "`holonomic`, `differential` or `fixed`"},
        {"robot: r\nurdf: r.urdf\nbase: { drive: [1] }\n", 3, "drive"},
        {"robot: r\nurdf: r.urdf\nwithout: [arm]\n", 3, "did you mean `Arm`"},
        {"robot: r\nurdf: r.urdf\nwithout: [world-frame]\n", 3, "root"},
        {"robot: r\nurdf: r.urdf\nmissing_meshes: maybe\n", 3, "`skip` or `error`"},
        {"robot: r\nurdf: r.urdf\ncamera: { link: whee }\n", 3, "did you mean `wheel`"},
        {"robot: r\nurdf: r.urdf\nhome: { Turn: 200 }\n", 3, "outside its limits"},
        {"robot: r\nurdf: r.urdf\n" PARAMETERS ARM("wheel"), 8, "not fixed to the last link"},
        {"robot: r\nbase: { radius: 1, mass: 1, shapes: [ { sphere: 1 } ] }\nmount: [0, 0, 0]\n", 3,
         "`urdf`"},
    };
    robot_mistakes(cases, sizeof cases / sizeof *cases, TREE, false);
}

static void an_arm_of_six_joints_has_six_columns(void **state) {
    (void)state;
    errors list = {0};
    robot_model *r = NULL;
    assert_int_equal(
        robot_load(FORESEE_SOURCE_DIR "/examples/robots/six_axis.yaml", NULL, NULL, &r, &list), OK);
    double q[16] = {0};
    pose links[16];
    assert_true(r->joint_count <= 16 && r->arms[0].joint_count == 6);
    robot_forward(r, POSE_IDENTITY, q, links);
    // Straight up: the heights of the joints' origins on one another, and the hand to the left.
    vec3 tool = robot_tool(r, 0, links).p;
    near(tool.x, 0);
    near(tool.y, 0.13 - 0.11 + 0.093 + 0.082 + 0.08);
    near(tool.z, 0.8 + 0.15 + 0.425 + 0.392 + 0.095);
    for (size_t k = 0; k < 6; k++)
        q[r->arms[0].joints[k]] = 0.3 * (double)k - 0.8;
    robot_jacobian_is_right(r, 0, POSE_IDENTITY, q);
    robot_destroy(r);
    errors_finish(&list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_joints_melt_and_their_links_become_frames),
        cmocka_unit_test(forward_kinematics_are_those_of_the_file),
        cmocka_unit_test(limits_damping_and_defaults_are_read),
        cmocka_unit_test(yaml_on_top_gives_arms_senses_and_controllers),
        cmocka_unit_test(a_link_called_base_takes_nobody_for_the_robots_own_base),
        cmocka_unit_test(a_link_called_base_may_move),
        cmocka_unit_test(inertias_that_rounding_made_negative_are_repaired),
        cmocka_unit_test(what_says_that_there_is_none_is_taken_as_such),
        cmocka_unit_test(missing_masses_mimics_and_floating_roots_are_noted),
        cmocka_unit_test(joints_that_mimic_follow_their_leaders),
        cmocka_unit_test(wheels_are_fixed_and_the_base_stands_on_the_floor),
        cmocka_unit_test(meshes_are_found_in_packages),
        cmocka_unit_test(missing_meshes_are_errors_unless_skipped),
        cmocka_unit_test(an_arm_of_six_joints_has_six_columns),
        cmocka_unit_test(mistakes_in_a_urdf_are_reported_where_they_stand),
        cmocka_unit_test(mistakes_on_top_of_a_urdf_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
