// tests/scene/test_furniture.c - joints of furniture, fillings with particles, properties, and the
// shipped furniture.
#include "tests/scene/world_text.h"

#define CUPBOARD FORESEE_SOURCE_DIR "/examples/worlds/cupboard.yaml"

// A case with a door on its left and a drawer; lines are counted in the tests below.
#define CASE                                                                                       \
    "world: w\n"                                                                                   \
    "bodies:\n"                                                                                    \
    "  case: { shapes: [ { box: [1, 1, 1], at: [0, 0, 0.5] } ], at: [2, 0, 0], fixed: true, "      \
    "known: true }\n"                                                                              \
    "  door: { mass: 3, shapes: [ { box: [1, 0.02, 1], at: [0, 0, 0.5] } ], at: [2, -0.5, 0], "    \
    "known: true }\n"                                                                              \
    "  drawer: { mass: 1, shapes: [ { box: [0.5, 0.5, 0.2], at: [0, 0, 0.1] } ], at: [2, 0, "      \
    "0.3] }\n"
#define HINGE                                                                                      \
    "  h: { kind: hinge, body: door, on: case, at: [-0.5, -0.5, 0], axis: [0, 0, -2], "            \
    "limits: [0, 90]"
#define SLIDER "  s: { kind: slider, body: drawer, on: case, axis: [0, -1, 0], limits: [0, 0.4]"

static void a_door_turns_about_its_axis(void **state) {
    (void)state;
    world_model *w = world_good(CASE "joints:\n" HINGE
                                     ", friction: 0.3, damping: 0.2, latch: 1 }\n" SLIDER " }\n");
    assert_int_equal(w->joint_count, 2);
    const world_joint *j = &w->joints[0];
    assert_int_equal(j->kind, WORLD_HINGE);
    assert_int_equal(j->base, 0);
    assert_int_equal(j->body, 1);
    assert_true(fabs(j->upper - PI / 2) < 1e-12 && j->lower == 0 && j->start == 0);
    assert_true(j->friction == 0.3 && j->damping == 0.2 && j->latch == 1);
    assert_true(v3_distance(j->origin.p, v3(1.5, -0.5, 0)) < 1e-12);
    assert_true(v3_distance(j->axis, v3(0, 0, -1)) < 1e-12);
    pose open = world_joint_pose(w, 0, PI / 2);
    assert_true(v3_distance(open.p, v3(1.5, -1, 0)) < 1e-12);
    assert_true(fabs(quat_yaw(open.q) + PI / 2) < 1e-12);
    pose out = world_joint_pose(w, 1, 0.25);
    assert_true(v3_distance(out.p, v3(2, -0.25, 0.3)) < 1e-12);
    assert_int_equal(world_find_joint(w, "s"), 1);
    assert_int_equal(world_find_joint(w, "t"), -1);
    assert_int_equal(world_joint_of(w, 2), 1);
    assert_int_equal(world_joint_of(w, 0), -1);
    world_destroy(w);
}

static void a_base_that_is_turned_turns_the_axis(void **state) {
    (void)state;
    world_model *w = world_good(
        "world: w\nbodies:\n"
        "  case: { shapes: [ { box: [1, 1, 1] } ], at: { position: [1, 1, 1], yaw: 90 }, fixed: "
        "true }\n"
        "  box: { mass: 1, shapes: [ { box: [0.2, 0.2, 0.2] } ], at: [1, 1, 1] }\n"
        "joints:\n  s: { kind: slider, body: box, on: case, axis: [1, 0, 0], limits: [-0.1, 0.3], "
        "position: 0.1 }\n");
    assert_true(v3_distance(w->joints[0].axis, v3(0, 1, 0)) < 1e-12);
    assert_true(w->joints[0].start == 0.1 && w->joints[0].lower == -0.1);
    assert_true(v3_distance(world_joint_pose(w, 0, 0.3).p, v3(1, 1.3, 1)) < 1e-12);
    world_destroy(w);
}

static void what_lies_in_an_open_drawer_starts_with_it(void **state) {
    (void)state;
    world_model *w = world_good(
        "world: w\nbodies:\n"
        "  case: { shapes: [ { box: [1, 1, 0.1] } ], fixed: true }\n"
        "  drawer: { mass: 1, shapes: [ { box: [0.5, 0.5, 0.1] } ], at: [0, 0, 0.2] }\n"
        "  egg: { mass: 0.1, shapes: [ { sphere: 0.02 } ], on: drawer, at: [0.1, 0] }\n"
        "joints:\n  s: { kind: slider, body: drawer, on: case, axis: [0, -1, 0], limits: [0, 0.4], "
        "position: 0.3 }\n");
    assert_true(v3_distance(w->bodies[1].at.p, v3(0, 0, 0.2)) < 1e-12);
    assert_true(v3_distance(w->bodies[2].at.p, v3(0.1, -0.3, 0.27)) < 1e-9);
    world_destroy(w);
}

static void the_robot_knows_the_joints_of_what_it_knows(void **state) {
    (void)state;
    world_model *w = world_good(CASE "joints:\n" SLIDER " }\n" HINGE " }\n");
    world_model *k = world_known(w);
    assert_int_equal(k->joint_count, 1);
    assert_string_equal(k->joints[0].name, "h");
    assert_true(isnan(k->joints[0].friction) && isnan(k->joints[0].damping) &&
                isnan(k->joints[0].latch));
    assert_false(isnan(w->joints[0].friction) || isnan(w->joints[1].latch));
    assert_string_equal(k->bodies[k->joints[0].body].name, "door");
    assert_string_equal(k->bodies[k->joints[0].base].name, "case");
    assert_int_equal(k->event_count, 0);
    world_destroy(w);
    assert_true(fabs(world_joint_pose(k, 0, PI / 2).p.y + 1) < 1e-12);
    world_destroy(k);
}

static void joints_form_no_loops(void **state) {
    (void)state;
    world_mistake(CASE "joints:\n" HINGE " }\n"
                       "  t: { kind: slider, body: door, axis: [1, 0, 0], limits: [0, 1] }\n" SLIDER
                       " }\n",
                  8, "moves on the joint `h` already");
    world_mistake("world: w\nbodies:\n"
                  "  a: { mass: 1, shapes: [ { box: [1, 1, 1] } ] }\n"
                  "  b: { mass: 1, shapes: [ { box: [1, 1, 1] } ], at: [3, 0, 0] }\n"
                  "joints:\n"
                  "  p: { kind: slider, body: a, on: b, axis: [1, 0, 0], limits: [0, 1] }\n"
                  "  q: { kind: slider, body: b, on: a, axis: [1, 0, 0], limits: [0, 1] }\n",
                  7, "would hang on itself");
    world_mistake("world: w\nbodies:\n"
                  "  a: { mass: 1, shapes: [ { box: [1, 1, 1] } ] }\n"
                  "joints:\n"
                  "  p: { kind: slider, body: a, on: a, axis: [1, 0, 0], limits: [0, 1] }\n",
                  5, "would hang on itself");
}

static void mistakes_of_joints_have_their_places(void **state) {
    (void)state;
    static const char box[] = "world: w\nbodies:\n  a: { mass: 1, shapes: [ { sphere: 1 } ] }\n"
                              "  f: { fixed: true, shapes: [ { sphere: 1 } ], at: [9, 0, 0] }\n";
    static const struct {
        const char *joint, *words;
    } wrong[] = {
        {"body: a, axis: [1, 0, 0], limits: [0, 1]", "needs a `kind`"},
        {"kind: ball, at: [0, 0, 0], body: a, axis: [1, 0, 0], limits: [0, 1]", "not a `ball`"},
        {"kind: slider, axis: [1, 0, 0], limits: [0, 1]", "needs the `body`"},
        {"kind: slider, body: b, axis: [1, 0, 0], limits: [0, 1]", "no body `b`"},
        {"kind: slider, body: f, axis: [1, 0, 0], limits: [0, 1]", "is fixed"},
        {"kind: slider, body: a, on: g, axis: [1, 0, 0], limits: [0, 1]", "no body `g`"},
        {"kind: slider, body: a, limits: [0, 1]", "needs an `axis:"},
        {"kind: slider, body: a, axis: [0, 0, 0], limits: [0, 1]", "is a direction"},
        {"kind: slider, body: a, axis: [.nan, 0, 0], limits: [0, 1]", "must be"},
        {"kind: slider, body: a, axis: [1, 0, 0]", "needs `limits"},
        {"kind: slider, body: a, axis: [1, 0, 0], limits: [1, 0]", "the limits rise"},
        {"kind: slider, body: a, axis: [1, 0, 0], limits: [0, .inf]", "must be"},
        {"kind: hinge, body: a, at: [0, 0, 0], axis: [1, 0, 0], limits: [0, 400]",
         "the limits rise"},
        {"kind: hinge, body: a, at: [0, 0, 0], axis: [1, 0, 0], limits: [0, 178]",
         "between -177 and 177 degrees"},
        {"kind: hinge, body: a, axis: [1, 0, 0], limits: [0, 40]", "needs `at`"},
        {"kind: slider, body: a, axis: [1, 0, 0], limits: [0, 1], position: 2", "outside of"},
        {"kind: slider, body: a, axis: [1, 0, 0], limits: [0, 1], friction: -1", "between 0 and"},
        {"kind: slider, body: a, axis: [1, 0, 0], limits: [0, 1], latsch: 1",
         "did you mean 'latch'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[600];
        snprintf(text, sizeof text, "%sjoints:\n  j: { %s }\n", box, wrong[i].joint);
        errors list = {0};
        world_model *w = NULL;
        assert_int_equal(world_text(text, &w, &list), E_INPUT);
        if (list.items[0].line != 6 || !strstr(list.items[0].text, wrong[i].words))
            fail_msg("%d: %s\n%s", list.items[0].line, list.items[0].text, wrong[i].joint);
        errors_finish(&list);
    }
}

// A chain of `count` links, whose first hangs on the world, and drawers of a fixed case besides.
static void write_chain(char *text, size_t size, int count) {
    size_t n = (size_t)snprintf(text, size,
                                "world: w\nbodies:\n  case: { fixed: true, shapes: [ { "
                                "box: [1, 1, 1] } ], at: [0, 9, 0] }\n");
    for (int i = 0; i < 2 * count; i++)
        n += (size_t)snprintf(text + n, size - n,
                              "  b%d: { mass: 1, shapes: [ { sphere: 0.1 } ], at: [%d, 0, 0] }\n",
                              i, i);
    n += (size_t)snprintf(text + n, size - n, "joints:\n");
    for (int i = 0; i < 2 * count; i++) {
        char on[16] = "";
        if (i >= count)
            snprintf(on, sizeof on, ", on: case");
        else if (i > 0)
            snprintf(on, sizeof on, ", on: b%d", i - 1);
        n += (size_t)snprintf(
            text + n, size - n,
            "  j%d: { kind: slider, body: b%d%s, axis: [0, 0, 1], limits: [0, 0.1] }\n", i, i, on);
    }
}

static void no_more_than_twenty_joints_hang_together(void **state) {
    (void)state;
    char text[16384];
    write_chain(text, sizeof text, 20);
    world_model *w = world_good(text);
    assert_int_equal(w->joint_count, 40);
    world_destroy(w);
    write_chain(text, sizeof text, 21);
    world_mistake(text, 3 + 42 + 1 + 21, "more than 20 joints hang together on `b0`");
}

static void a_door_may_stand_in_its_frame_and_in_nothing_else(void **state) {
    (void)state;
    world_mistake(CASE "joints:\n" HINGE " }\n", 5, "`drawer` starts inside `case`");
    // Where the joint's position puts it is where it must be free.
    world_mistake(
        CASE
        "  post: { fixed: true, shapes: [ { box: [0.1, 0.1, 1], at: [0, 0, 0.5] } ], at: [1.5, "
        "-1, 0] }\njoints:\n" SLIDER " }\n" HINGE ", position: 90 }\n",
        6, "`post` starts inside `door`");
    world_destroy(world_good(
        CASE
        "  post: { fixed: true, shapes: [ { box: [0.1, 0.1, 1], at: [0, 0, 0.5] } ], at: [1.5, "
        "-1, 0] }\njoints:\n" SLIDER " }\n" HINGE ", position: 20 }\n"));
}

#define GLASS                                                                                      \
    "types:\n"                                                                                     \
    "  glass:\n"                                                                                   \
    "    mass: 0.2\n"                                                                              \
    "    shapes:\n"                                                                                \
    "      - { cylinder: [0.05, 0.01], at: [0, 0, 0.005] }\n"                                      \
    "      - { ring: { radius: 0.05, thickness: 0.005, height: 0.1 }, at: [0, 0, 0.01] }\n"        \
    "    interior: { cylinder: [0.044, 0.1], at: [0, 0, 0.06] }\n"                                 \
    "particles:\n"                                                                                 \
    "  water: { radius: 0.006, density: 1000, color: blue }\n"

static void a_glass_is_filled_with_particles_behind_all_bodies(void **state) {
    (void)state;
    world_model *w = world_good(
        "world: w\n" GLASS "bodies:\n"
        "  glass_1: { type: glass, at: { position: [1, 2, 3], rpy: [10, 0, 30] }, known: true, "
        "fill: { with: water, count: 60 } }\n"
        "  stone: { mass: 1, shapes: [ { sphere: 0.1 } ] }\n");
    assert_int_equal(w->body_count, 62);
    assert_string_equal(w->bodies[1].name, "stone");
    assert_string_equal(w->bodies[2].name, "glass_1_water_1");
    assert_string_equal(w->bodies[61].name, "glass_1_water_60");
    assert_int_equal(w->bodies[0].inside, -1);
    const shape *in = &w->bodies[0].type->interior;
    for (size_t i = 2; i < 62; i++) {
        const world_body *p = &w->bodies[i];
        assert_true(p->particle && p->inside == 0 && !p->known && !p->fixed);
        assert_true(fabs(p->type->mass - 4.0 / 3 * PI * 1000 * 2.16e-7) < 1e-12);
        assert_true(shape_distance(in, pose_mul(w->bodies[0].at, in->at), p->at.p) <=
                    -0.006 + 1e-9);
        for (size_t k = i + 1; k < 62; k++)
            assert_true(v3_distance(p->at.p, w->bodies[k].at.p) >= 0.012);
    }
    world_model *k = world_known(w);
    assert_int_equal(k->body_count, 1);
    world_destroy(k);
    world_destroy(w);
}

static void mistakes_of_fillings_have_their_places(void **state) {
    (void)state;
#define FILL(what) "world: w\n" GLASS "bodies:\n  g: { type: glass, fill: " what " }\n"
    world_mistake(FILL("{ with: water, count: 500 }"), 12, "particles of this radius fit");
    world_mistake(FILL("{ with: water, count: 501 }"), 12, "0 to 500 particles");
    world_mistake(FILL("{ with: wine, count: 5 }"), 12, "no kind of particle `wine`");
    world_mistake(FILL("{ with: water }"), 12, "{ with: PARTICLE, count: N }");
    world_mistake("world: w\n" GLASS "bodies:\n  b: { mass: 1, shapes: [ { sphere: 1 } ], fill: { "
                  "with: water, count: 1 } }\n",
                  12, "no `interior`");
    world_mistake("world: w\nparticles:\n  p: { radius: 0.01 }\n", 3,
                  "either a `mass` or a `density`");
    world_mistake("world: w\nparticles:\n  p: { radius: 0.5, mass: 1 }\n", 3,
                  "between 0.001 and 0.1 m");
    world_mistake("world: w\nparticles:\n  p: { radius: 0.01, mass: 0 }\n", 3, "between 1e-06 and");
    world_mistake("world: w\ntypes:\n  g:\n    mass: 1\n    shapes: [ { box: [0.1, 0.1, 0.1] } ]\n"
                  "    interior: { box: [0.1, 0.1, 0.1] }\n"
                  "particles:\n  p: { radius: 0.01, mass: 0.1 }\n"
                  "bodies:\n  g1: { type: g, fill: { with: p, count: 3 } }\n",
                  10, "inside the wall of `g1`");
}

static void bodies_inherit_tags_and_properties(void **state) {
    (void)state;
    world_model *w = world_good(
        "world: w\ntypes:\n  cup: { mass: 1, shapes: [ { sphere: 0.1 } ], tags: [dish], "
        "properties: { "
        "owner: anna, size: small } }\n"
        "bodies:\n  a: { type: cup, known: true }\n"
        "  b: { type: cup, at: [1, 0, 0], tags: [red_one], properties: { owner: ben } }\n"
        "  c: { mass: 1, shapes: [ { sphere: 0.1 } ], at: [2, 0, 0], tags: [lone] }\n");
    assert_int_equal(w->bodies[0].property_count, 3);
    const world_body *b = &w->bodies[1];
    static const char *const want[][2] = {
        {"tag", "dish"}, {"size", "small"}, {"tag", "red_one"}, {"owner", "ben"}};
    assert_int_equal(b->property_count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(b->properties[i].key, want[i][0]);
        assert_string_equal(b->properties[i].value, want[i][1]);
    }
    assert_int_equal(w->bodies[2].property_count, 1);
    assert_string_equal(w->bodies[2].properties[0].value, "lone");
    world_model *k = world_known(w);
    world_destroy(w);
    assert_int_equal(k->types[0].property_count, 3);
    assert_string_equal(k->bodies[0].properties[1].value, "anna");
    world_destroy(k);
    world_mistake("world: w\nbodies:\n  a: { mass: 1, shapes: [ { sphere: 1 } ], tags: dish }\n", 3,
                  "list of words");
}

static void what_is_absent_is_in_nobodys_way_and_not_known(void **state) {
    (void)state;
    world_model *w =
        world_good("world: w\nbodies:\n  a: { mass: 1, shapes: [ { sphere: 1 } ] }\n"
                   "  b: { mass: 1, shapes: [ { sphere: 1 } ], absent: true, known: true }\n");
    assert_true(w->bodies[1].absent && !w->bodies[0].absent);
    world_model *k = world_known(w);
    assert_int_equal(k->body_count, 0);
    world_destroy(k);
    world_destroy(w);
    world_mistake(
        "world: w\nbodies:\n  a: { fixed: true, shapes: [ { sphere: 1 } ], absent: true }\n", 3,
        "both fixed and absent");
}

static void inertia_counts_what_shapes_share_once(void **state) {
    (void)state;
    // Two boxes that overlap by half make one box.
    world_model *w = world_good("world: w\nbodies:\n  a:\n    mass: 2\n    shapes:\n"
                                "      - { box: [0.4, 0.2, 0.1] }\n"
                                "      - { box: [0.4, 0.2, 0.1], at: [0.2, 0, 0] }\n");
    const body_type *t = w->bodies[0].type;
    assert_true(v3_distance(t->com, v3(0.1, 0, 0)) < 1e-9);
    assert_true(fabs(t->inertia.m[2][2] - 2 * (0.36 + 0.04) / 12) < 2e-4);
    assert_true(fabs(t->inertia.m[0][0] - 2 * (0.01 + 0.04) / 12) < 2e-5);
    world_destroy(w);
    // A ball inside a box changes nothing; a third that shares with both is not taken off twice.
    w = world_good("world: w\nbodies:\n  a:\n    mass: 1\n    shapes:\n"
                   "      - { box: [0.6, 0.6, 0.6] }\n      - { sphere: 0.2 }\n"
                   "      - { cylinder: [0.1, 0.4], at: [0.05, 0, 0] }\n");
    t = w->bodies[0].type;
    assert_true(v3_length(t->com) < 1e-3);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(t->inertia.m[i][i] - 0.06) < 6e-4);
    world_destroy(w);
}

static void absurd_numbers_are_errors_before_anything_runs(void **state) {
    (void)state;
    static const struct {
        const char *body, *words;
    } wrong[] = {
        {"mass: .nan, shapes: [ { sphere: 1 } ]", "must be a number"},
        {"mass: .inf, shapes: [ { sphere: 1 } ]", "must be a number"},
        {"mass: 1e400, shapes: [ { sphere: 1 } ]", "must be"},
        {"mass: 1e-200, shapes: [ { sphere: 1 } ]", "between 1e-06 and 1e+07 kg"},
        {"mass: 1e20, shapes: [ { sphere: 1 } ]", "between 1e-06 and 1e+07 kg"},
        {"mass: 0, shapes: [ { sphere: 1 } ]", "between 1e-06 and"},
        {"mass: 1, shapes: [ { sphere: 1e9 } ]", "between 1e-05 and 1000 m"},
        {"mass: 1, shapes: [ { sphere: 1e-9 } ]", "between 1e-05 and 1000 m"},
        {"mass: 1, shapes: [ { box: [1, 1, 2000] } ]", "between 1e-05 and 1000 m"},
        {"mass: 1, shapes: [ { box: [1, .nan, 1] } ]", "must be"},
        {"mass: 1, shapes: [ { cylinder: [0, 1] } ]", "between 1e-05"},
        {"mass: 1, shapes: [ { ring: { radius: 1e9, thickness: 1, height: 1 } } ]", "and 1000 m"},
        {"mass: 1, shapes: [ { sphere: 1, at: [1e300, 0, 0] } ]",
         "between -100000 and 100000 m, not at 1e+300"},
        {"mass: 1, shapes: [ { sphere: 1 } ], at: { position: [0, 0, -1e7] }",
         "between -100000 and 100000 m"},
        {"mass: 1, shapes: [ { sphere: 1 } ], at: [0, 0, .nan]", "must be"},
        {"mass: 1, shapes: [ { sphere: 1 } ], inertia: [1, 1, 3]", "no body has this inertia"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[400];
        snprintf(text, sizeof text, "world: w\nbodies:\n  a: { %s }\n", wrong[i].body);
        world_mistake(text, 3, wrong[i].words);
    }
}

static void the_shipped_furniture_opens_freely(void **state) {
    (void)state;
    errors list = {0};
    world_model *w = NULL;
    if (world_load(CUPBOARD, NULL, NULL, &w, &list) != OK)
        fail_msg("%s", list.items[0].text);
    assert_int_equal(w->joint_count, 2);
    // At every position the moving body is clear of all that stands, but for its own case.
    for (size_t j = 0; j < w->joint_count; j++) {
        const world_joint *joint = &w->joints[j];
        assert_true(joint->known);
        const world_body *b = &w->bodies[joint->body];
        assert_int_equal(b->type->grasp_count, 1);
        assert_int_equal(b->type->grasps[0].kind, GRASP_HANDLE);
        double height = pose_apply(b->at, b->type->grasps[0].at.p).z;
        assert_true(height > 0.75 && height < 1.1);
        for (int step = 0; step <= 20; step++) {
            pose at = world_joint_pose(w, j, joint->upper * step / 20);
            for (size_t o = 0; o < w->body_count; o++) {
                const world_body *other = &w->bodies[o];
                if (!other->fixed || (int64_t)o == joint->base)
                    continue;
                for (size_t s = 0; s < b->type->shape_count; s++)
                    for (size_t t = 0; t < other->type->shape_count; t++)
                        assert_true(shape_gap(&b->type->shapes[s],
                                              pose_mul(at, b->type->shapes[s].at),
                                              &other->type->shapes[t],
                                              pose_mul(other->at, other->type->shapes[t].at)) > 0);
            }
        }
    }
    // The door never enters its own case; within the joint's gap.
    int64_t hinge = world_find_joint(w, "cupboard_hinge");
    const world_body *door = &w->bodies[w->joints[hinge].body],
                     *frame = &w->bodies[w->joints[hinge].base];
    for (int step = 0; step <= 20; step++) {
        pose at = world_joint_pose(w, (size_t)hinge, w->joints[hinge].upper * step / 20);
        for (size_t s = 0; s < door->type->shape_count; s++)
            for (size_t t = 0; t < frame->type->shape_count; t++)
                assert_true(shape_gap(&door->type->shapes[s],
                                      pose_mul(at, door->type->shapes[s].at),
                                      &frame->type->shapes[t],
                                      pose_mul(frame->at, frame->type->shapes[t].at)) > 0);
    }
    int64_t mug = world_find_body(w, "mug_1");
    size_t drops = 0;
    for (size_t i = 0; i < w->body_count; i++)
        drops += w->bodies[i].particle && w->bodies[i].inside == mug;
    assert_int_equal(drops, 30);
    const body_type *tray = world_find_type(w, "tray");
    assert_int_equal(tray->grasp_count, 2);
    assert_true(tray->grasps[0].both == 1 && tray->grasps[1].both == 1);
    world_destroy(w);
    errors_finish(&list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_door_turns_about_its_axis),
        cmocka_unit_test(a_base_that_is_turned_turns_the_axis),
        cmocka_unit_test(what_lies_in_an_open_drawer_starts_with_it),
        cmocka_unit_test(the_robot_knows_the_joints_of_what_it_knows),
        cmocka_unit_test(joints_form_no_loops),
        cmocka_unit_test(mistakes_of_joints_have_their_places),
        cmocka_unit_test(no_more_than_twenty_joints_hang_together),
        cmocka_unit_test(a_door_may_stand_in_its_frame_and_in_nothing_else),
        cmocka_unit_test(a_glass_is_filled_with_particles_behind_all_bodies),
        cmocka_unit_test(mistakes_of_fillings_have_their_places),
        cmocka_unit_test(bodies_inherit_tags_and_properties),
        cmocka_unit_test(what_is_absent_is_in_nobodys_way_and_not_known),
        cmocka_unit_test(inertia_counts_what_shapes_share_once),
        cmocka_unit_test(absurd_numbers_are_errors_before_anything_runs),
        cmocka_unit_test(the_shipped_furniture_opens_freely),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
