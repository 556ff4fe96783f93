// tests/scene/test_world.c - loading worlds: the shipped kitchen, what a file may say, and every
// mistake with its place.
#include "tests/scene/world_text.h"

#include <sys/stat.h>

#define KITCHEN FORESEE_SOURCE_DIR "/examples/worlds/kitchen.yaml"

static world_model *load_kitchen(const settings *set) {
    errors list = {0};
    world_model *w = NULL;
    status s = world_load(KITCHEN, FORESEE_SOURCE_DIR "/examples/table_setting", set, &w, &list);
    char text[1200] = "";
    if (list.count > 0)
        error_format(&list.items[0], text, sizeof text);
    if (s != OK)
        fail_msg("%s", text);
    errors_finish(&list);
    return w;
}

static const world_body *body(const world_model *w, const char *name) {
    int64_t i = world_find_body(w, name);
    assert_true(i >= 0);
    return &w->bodies[i];
}

static pose region_pose(const world_model *w, const char *name) {
    int64_t i = world_find_region(w, name);
    assert_true(i >= 0);
    return pose_mul(w->bodies[w->regions[i].body].at, w->regions[i].at);
}

static double planar(pose a, pose b) {
    return hypot(a.p.x - b.p.x, a.p.y - b.p.y);
}

static void the_kitchen_has_what_plans_need(void **state) {
    (void)state;
    world_model *w = load_kitchen(NULL);
    static const char *const fixed[] = {"floor",   "counter_1", "shelf_1", "table_1",
                                        "chair_1", "chair_2",   "chair_3", "chair_4"};
    static const char *const loose[] = {"plate_1", "plate_2", "plate_3", "plate_4",   "cup_1",
                                        "cup_2",   "cup_3",   "cup_4",   "cereal_box"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        assert_true(body(w, fixed[i])->fixed && body(w, fixed[i])->known);
    for (size_t i = 0; i < sizeof loose / sizeof *loose; i++) {
        const world_body *b = body(w, loose[i]);
        assert_false(b->fixed || b->known);
        assert_true(b->type->mass > 0 && b->type->grasps[0].width > 0);
        // Within a robot's hand: less than its opening of 0.12 m, with room to spare.
        assert_true(b->type->grasps[0].width < 0.10);
    }
    for (int i = 1; i <= 4; i++)
        for (int k = 1; k < i; k++) {
            char a[16], b[16];
            snprintf(a, sizeof a, "plate_%d", i);
            snprintf(b, sizeof b, "plate_%d", k);
            assert_true(planar(body(w, a)->at, body(w, b)->at) >= 0.3);
        }
    double top = world_support_height(w, (size_t)world_find_body(w, "counter_1"));
    assert_true(top >= 0.85 && top <= 0.9);
    assert_true(fabs(body(w, "plate_1")->at.p.z - top) < 1e-12);
    assert_true(fabs(world_support_height(w, (size_t)world_find_body(w, "table_1")) - 0.74) < 1e-9);
    assert_true(fabs(world_support_height_at(w, (size_t)world_find_body(w, "chair_1"), 0.1, 0) -
                     0.46) < 1e-9);
    world_destroy(w);
}

static void each_place_has_room_for_a_plate_and_a_cup(void **state) {
    (void)state;
    world_model *w = load_kitchen(NULL);
    for (int i = 1; i <= 4; i++) {
        char place[16], plate[24], cup[24], chair[16];
        snprintf(place, sizeof place, "place_%d", i);
        snprintf(plate, sizeof plate, "plate_spot_%d", i);
        snprintf(cup, sizeof cup, "cup_spot_%d", i);
        snprintf(chair, sizeof chair, "chair_%d", i);
        pose at = region_pose(w, place), p = region_pose(w, plate), c = region_pose(w, cup);
        const world_region *g = &w->regions[world_find_region(w, place)];
        const world_region *spot = &w->regions[world_find_region(w, plate)];
        assert_true(g->half_x == 0.2 && g->half_y == 0.2 && g->tolerance == 0);
        assert_true(spot->tolerance == 0.06 && spot->angle_tolerance == INFINITY);
        assert_true(fabs(p.p.z - 0.74) < 1e-9);
        // Both fit in the area, also 30 mm off; the hand that sets the cup down misses the plate.
        vec3 pl = pose_apply(pose_inverse(at), p.p), cl = pose_apply(pose_inverse(at), c.p);
        assert_true(fmax(fabs(pl.x), fabs(pl.y)) + 0.108 + 0.03 < 0.2);
        assert_true(fmax(fabs(cl.x), fabs(cl.y)) + 0.0375 < 0.2);
        assert_true(planar(p, c) > 0.108 + 0.0375 + 0.012 + 0.06);
        // The chair looks across its place into the table; 0.35 m before it lies under the table.
        const world_body *b = body(w, chair);
        vec3 ahead = pose_apply(b->at, v3(0.21 + 0.15, 0, 0));
        pose in_table = pose_inverse(body(w, "table_1")->at);
        vec3 under = pose_apply(in_table, ahead);
        assert_true(fabs(under.x) < 0.7 && fabs(under.y) < 0.4);
        vec3 sitter = pose_apply(pose_inverse(b->at), at.p);
        assert_true(sitter.x > 0.3 && fabs(sitter.y) < 0.02);
    }
    world_destroy(w);
}

static void the_plate_is_gripped_at_a_wall_of_its_facets(void **state) {
    (void)state;
    world_model *w = load_kitchen(NULL);
    const body_type *t = world_find_type(w, "plate");
    assert_non_null(t);
    assert_int_equal(t->grasps[0].facets, 8);
    assert_true(t->shape_count == 9);
    assert_true(t->grasps[0].high - t->grasps[0].low >= 0.03);
    // Half the width inwards and outwards of the radius the wall ends, at every facet.
    for (int i = 0; i < 8; i++)
        for (int side = -1; side <= 1; side += 2) {
            double angle = i * PI / 4, z = (t->grasps[0].low + t->grasps[0].high) / 2;
            for (double d = -0.0005; d < 0.001; d += 0.001) {
                double r = t->grasps[0].radius + side * (t->grasps[0].width / 2 + d),
                       least = INFINITY;
                for (size_t k = 0; k < t->shape_count; k++)
                    least = fmin(least, shape_distance(&t->shapes[k], t->shapes[k].at,
                                                       v3(r * cos(angle), r * sin(angle), z)));
                assert_true(d < 0 ? least < 0 : least > 0);
            }
        }
    assert_true(t->mass == 0.3);
    assert_true(fabs(t->com.x) < 1e-12 && fabs(t->com.y) < 1e-12 && t->com.z > 0.005);
    // Between a disc's and a hoop's.
    assert_true(t->inertia.m[2][2] > 0.5 * 0.3 * 0.01 && t->inertia.m[2][2] < 0.3 * 0.01);
    assert_true(fabs(t->inertia.m[0][0] - t->inertia.m[1][1]) < 1e-12);
    world_destroy(w);
}

static void the_grippers_friction_is_a_parameter_of_the_world(void **state) {
    (void)state;
    world_model *w = load_kitchen(NULL);
    const body_type *plate = world_find_type(w, "plate");
    assert_true(world_friction(w, "pad", 0.3, plate->material, plate->friction) == 0.8);
    world_destroy(w);
    settings set = {0};
    array_push(&set, (setting){"robot", "gripper_friction", "0.5"});
    array_push(&set, (setting){"world", "gripper_friction", "0.08"});
    w = load_kitchen(&set);
    assert_true(world_friction(w, "pad", 0.8, "ceramic", 0.5) == 0.08);
    assert_true(world_friction(w, "ceramic", 0.5, "pad", 0.8) == 0.08);
    assert_true(world_friction(w, "pad", 0.8, "never declared", 0.5) == 0.08);
    assert_true(world_friction(w, "ceramic", 0.5, "wood", 0.5) == 0.5);
    world_destroy(w);
    array_finish(&set);
}

static void a_wrong_setting_is_the_callers_mistake(void **state) {
    (void)state;
    errors list = {0};
    world_model *w = NULL;
    settings set = {0};
    array_push(&set, (setting){"world", "griper_friction", "0.08"});
    assert_int_equal(world_load(KITCHEN, NULL, &set, &w, &list), E_USAGE);
    assert_int_equal(list.count, 1);
    assert_non_null(strstr(list.items[0].text, "gripper_friction"));
    array_finish(&set);
    errors_finish(&list);
}

static void the_known_world_holds_no_trace_of_the_rest(void **state) {
    (void)state;
    world_model *w = load_kitchen(NULL), *k = world_known(w);
    assert_string_equal(k->name, "kitchen");
    assert_true(world_find_body(k, "plate_1") < 0 && world_find_body(k, "cereal_box") < 0);
    assert_int_equal(k->body_count, w->body_count - 9);
    assert_int_equal(k->type_count, w->type_count);
    assert_int_equal(k->region_count, w->region_count);
    assert_int_equal(k->pair_count + k->source_count + k->params.count, 0);
    for (size_t i = 0; i < k->region_count; i++) {
        const world_region *r = &k->regions[i];
        int64_t same = world_find_region(w, r->name);
        assert_string_equal(k->bodies[r->body].name, w->bodies[w->regions[same].body].name);
    }
    world_destroy(w);
    // It stands without the other.
    assert_non_null(world_find_type(k, "plate"));
    assert_string_equal(body(k, "table_1")->type->name, "table");
    assert_true(body(k, "table_1")->type == world_find_type(k, "table"));
    assert_string_equal(body(k, "pillar")->type->name, "pillar");
    assert_true(body(k, "pillar")->type->shapes[0].size.z == 2.5);
    world_destroy(k);
}

static void what_is_assumed_of_a_known_world_leaves_no_number_open(void **state) {
    (void)state;
    world_model *w = load_kitchen(NULL), *k = world_known(w), *assumed = world_assumed(k, 2, 1);
    assert_true(isnan(body(k, "table_1")->type->friction));
    size_t movable = 0;
    for (size_t i = 0; i < k->type_count; i++)
        movable += k->types[i].mass > 0;
    assert_int_equal(assumed->body_count, k->body_count + 2 * movable + 1);
    assert_true(body(assumed, "cup (1)")->absent && body(assumed, "cup (2)")->type->mass > 0);
    for (size_t i = 0; i < k->body_count; i++) {
        const world_body *b = &assumed->bodies[i];
        assert_string_equal(b->name, k->bodies[i].name);
        assert_true(b->type->friction == 0.5 && b->type->restitution == 0);
        assert_true(b->type->mass == k->bodies[i].type->mass);
    }
    for (size_t i = 0; i < assumed->joint_count; i++)
        assert_true(assumed->joints[i].friction == 0 && assumed->joints[i].damping == 0 &&
                    assumed->joints[i].latch == 0);
    world_destroy(w);
    world_destroy(k);
    assert_string_equal(body(assumed, "table_1")->type->name, "table");
    world_destroy(assumed);
}

static void what_is_set_changes_the_true_mass_and_not_the_believed_one(void **state) {
    (void)state;
    setting heavy = {"world", "plate_mass", "0.9"};
    settings set = {&heavy, 1, 1};
    world_model *w = load_kitchen(&set), *k = world_known(w);
    assert_true(world_find_type(w, "plate")->mass == 0.9);
    assert_true(world_find_type(k, "plate")->mass == 0.3);
    assert_true(world_find_type(k, "cup")->mass == world_find_type(w, "cup")->mass);
    assert_true(world_find_type(k, "cup")->mass > 0);
    world_destroy(w);
    world_destroy(k);
}

static void a_believed_mass_that_is_told_goes_before_the_mass(void **state) {
    (void)state;
    world_model *w =
        world_good("world: w\n"
                   "types:\n"
                   "  jug: { mass: 2, believed_mass: 0.5, shapes: [ { box: [1, 1, 0.1] } ] }\n");
    world_model *k = world_known(w);
    assert_true(world_find_type(w, "jug")->mass == 2);
    const body_type *jug = world_find_type(k, "jug");
    assert_true(jug->mass == 0.5);
    assert_true(fabs(jug->inertia.m[2][2] - 0.5 / 6) < 1e-12);
    world_destroy(w);
    world_destroy(k);
    world_mistake("world: w\ntypes:\n  jug: { believed_mass: 0, shapes: [ { sphere: 1 } ] }\n", 3,
                  "`believed_mass` lies between 1e-06 and 1e+07 kg, not at 0");
}

static void regions_of_unknown_bodies_and_their_types_stay_unknown(void **state) {
    (void)state;
    world_model *w =
        world_good("world: w\n"
                   "types:\n"
                   "  tray: { mass: 1, friction: 0.5, shapes: [ { box: [1, 1, 0.1] } ] }\n"
                   "bodies:\n"
                   "  hidden: { type: tray, at: [0, 0, 1], friction: 0.1 }\n"
                   "  secret: { shapes: [ { sphere: 0.1 } ], mass: 1, at: [5, 0, 1] }\n"
                   "  seen: { type: tray, at: [3, 0, 1], known: true }\n"
                   "regions:\n"
                   "  on_hidden: { on: hidden, size: [0.1, 0.1] }\n"
                   "  on_seen: { on: seen, size: [0.1, 0.1] }\n");
    world_model *k = world_known(w);
    assert_int_equal(k->body_count, 1);
    assert_int_equal(k->region_count, 1);
    assert_int_equal(k->regions[0].body, 0);
    assert_null(world_find_type(k, "secret"));
    assert_true(body(w, "secret")->type->own);
    const body_type *tray = world_find_type(k, "tray");
    assert_true(tray->mass == 1 && isnan(tray->friction) && isnan(tray->restitution) &&
                isnan(tray->break_impulse));
    assert_false(tray->own || body(w, "hidden")->type->own);
    assert_string_equal(body_type_seen_as(body(w, "secret")->type), "thing");
    assert_string_equal(body_type_seen_as(body(w, "hidden")->type), "tray");
    world_destroy(w);
    world_destroy(k);
}

static void sources_are_named_from_the_given_folder_however_paths_are_spelt(void **state) {
    (void)state;
    char *folder = testlib_folder(), *plans = testlib_path(folder, "plans");
    char *worlds = testlib_path(folder, "worlds"), there[4200], odd[4200];
    char here[4096];
    assert_true(mkdir(plans, 0700) == 0 && mkdir(worlds, 0700) == 0);
    char *path = testlib_write(worlds, "w.yaml", "world: w\n");
    snprintf(odd, sizeof odd, "%s/../plans/.././worlds//w.yaml", worlds);
    snprintf(there, sizeof there, "%s/", plans);
    const char *const spelt[][2] = {
        {path, plans}, {odd, plans}, {path, there}, {"../worlds/w.yaml", "."}};
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(plans), 0);
    for (size_t i = 0; i < 4; i++) {
        errors list = {0};
        world_model *w = NULL;
        assert_int_equal(world_load(spelt[i][0], spelt[i][1], NULL, &w, &list), OK);
        assert_int_equal(w->source_count, 1);
        assert_string_equal(w->sources[0].kind, "world");
        assert_string_equal(w->sources[0].name, "../worlds/w.yaml");
        assert_string_equal(w->sources[0].text, "world: w\n");
        assert_int_equal(w->sources[0].length, 9);
        world_destroy(w);
    }
    const struct {
        const char *base, *name;
    } more[] = {{worlds, "w.yaml"}, {folder, "worlds/w.yaml"}, {NULL, path}};
    for (size_t i = 0; i < 3; i++) {
        errors list = {0};
        world_model *w = NULL;
        assert_int_equal(world_load(path, more[i].base, NULL, &w, &list), OK);
        assert_string_equal(w->sources[0].name, more[i].name);
        world_destroy(w);
    }
    assert_int_equal(chdir(here), 0);
    free(path);
    free(worlds);
    free(plans);
    testlib_remove(folder);
}

static void standing_on_a_body_means_on_the_surface_there(void **state) {
    (void)state;
    world_model *w = world_good(
        "world: w\n"
        "types:\n"
        "  step: { shapes: [ { box: [1, 1, 0.2], at: [0, 0, 0.1] }, { box: [0.2, 1, "
        "0.5], at: [0.4, 0, 0.25] } ] }\n"
        "  ball: { mass: 1, shapes: [ { sphere: 0.05 } ] }\n"
        "bodies:\n"
        "  stair: { type: step, fixed: true, at: { position: [1, 2, 0.5], yaw: 90 } }\n"
        "  low: { type: ball, on: stair, at: [-0.2, 0.1] }\n"
        "  high: { type: ball, on: stair, at: [0.4, 0.1], yaw: 30 }\n"
        "regions:\n"
        "  upper: { on: stair, at: [0.4, 0], yaw: 10, size: [0.2, 0.4], tolerance: 0.02, "
        "angle_tolerance: 20 }\n"
        "  corner: { in: upper, at: [0.05, 0.1], size: [0.1, 0.1] }\n"
        "robot_at: [1, 2, 90]\n");
    const world_body *low = body(w, "low"), *high = body(w, "high");
    assert_true(v3_distance(low->at.p, v3(0.9, 1.8, 0.75)) < 1e-12);
    assert_true(v3_distance(high->at.p, v3(0.9, 2.4, 1.05)) < 1e-12);
    assert_true(fabs(quat_yaw(high->at.q) - 120 * PI / 180) < 1e-9);
    const world_region *r = &w->regions[0];
    assert_true(fabs(r->at.p.z - 0.5) < 1e-12 && r->half_x == 0.1 && r->half_y == 0.2);
    assert_true(fabs(r->angle_tolerance - 20 * PI / 180) < 1e-12);
    vec3 corner = pose_apply(pose_inverse(r->at), w->regions[1].at.p);
    assert_true(v3_distance(corner, v3(0.05, 0.1, 0)) < 1e-12);
    assert_true(fabs(quat_yaw(w->robot_at.q) - PI / 2) < 1e-12 && w->robot_at.p.y == 2);
    world_destroy(w);
}

static void a_body_changes_its_own_copy_of_a_type(void **state) {
    (void)state;
    world_model *w = world_good(
        "world: w\n"
        "materials: { ice: { friction: 0.05, restitution: 0.3 } }\n"
        "types:\n"
        "  t: { mass: 2, material: ice, shapes: [ { box: [1, 1, 1] } ] }\n"
        "bodies:\n"
        "  a: { type: t, at: [0, 0, 5], friction: 0.9, mass: 4 }\n"
        "  b: { type: t, at: [3, 0, 5], color: red, properties: { owner: anna, age: 3 } }\n");
    const world_body *a = body(w, "a"), *b = body(w, "b");
    assert_string_equal(a->type->name, "t");
    assert_true(b->type == world_find_type(w, "t"));
    assert_true(a->type->friction == 0.9 && b->type->friction == 0.05 &&
                b->type->restitution == 0.3);
    assert_true(fabs(a->type->inertia.m[0][0] - 4.0 / 6) < 1e-12);
    assert_true(fabs(b->type->inertia.m[2][2] - 2.0 / 6) < 1e-12);
    assert_int_equal(b->property_count, 2);
    assert_string_equal(b->properties[1].key, "age");
    assert_string_equal(b->properties[1].value, "3");
    assert_true(b->rgb.x > b->rgb.y);
    world_destroy(w);
}

static void the_closer_pair_of_materials_decides(void **state) {
    (void)state;
    world_model *w = world_good(
        "world: w\n"
        "materials: { a: { friction: 0.9 }, b: { friction: 0.4 }, c: { friction: 0.1 } }\n"
        "pairs:\n"
        "  - { a: any, b: any, friction: 0.11 }\n"
        "  - { a: a, b: any, friction: 0.22 }\n"
        "  - { a: b, b: a, friction: 0.33 }\n");
    assert_true(world_friction(w, "a", 1, "b", 1) == 0.33);
    assert_true(world_friction(w, "b", 1, "a", 1) == 0.33);
    assert_true(world_friction(w, "c", 1, "a", 1) == 0.22);
    assert_true(world_friction(w, "c", 1, "b", 1) == 0.11);
    world_destroy(w);
    w = world_good("world: w\n");
    assert_true(fabs(world_friction(w, "a", 0.9, "b", 0.4) - 0.6) < 1e-12);
    world_destroy(w);
}

#define TYPE "world: w\ntypes:\n  t: { mass: 1, shapes: [ { box: [1, 1, 1], at: [0, 0, 0.5] } ] }\n"

static void mistakes_are_reported_where_they_stand(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int line;
        const char *words;
    } cases[] = {
        {"gravity: [0, 0, -9.81]\n", 1, "world: NAME"},
        {"world: Kitchen\n", 1, "cannot name"},
        {"world: w\nbodys: {}\n", 2, "bodies"},
        {"world: w\ngravity: [0, 0]\n", 2, "gravity"},
        {"world: w\ngravity: [0, 600, -1900]\n", 2, "between -1000 and 1000 m/s2"},
        {"world: w\ntypes:\n  thing: { mass: 1, shapes: [ { sphere: 0.1 } ] }\n", 3,
         "what cameras call"},
        {"world: w\ntypes:\n  t: { friction: 1e300, shapes: [ { sphere: 1 } ] }\n", 3,
         "between 0 and 100"},
        {"world: w\nmaterials: { a: { friction: 101 } }\n", 2, "between 0 and 100"},
        {"world: w\nmaterials: { a: {} }\npairs:\n  - { a: a, b: any, friction: 1000 }\n", 4,
         "between 0 and 100"},
        {TYPE "bodies:\n  b: { type: t, friction: 1e6 }\n", 5, "between 0 and 100"},
        {"world: w\ntypes:\n  t: { mass: 1, com: [100, 0, 0], shapes: [ { box: [0.1, 0.1, 0.1] } ] "
         "}\n",
         3, "far outside of the shapes"},
        {"world: w\ntypes:\n  t: { mass: 1, com: [0, 0, -0.11], shapes: [ { box: [0.1, 0.1, 0.1] } "
         "] }\n",
         3, "z from -0.1 to 0.1"},
        {"world: w\ntypes:\n  f: { shapes: [ { plane: true } ] }\nbodies:\n  b: { type: f, mass: 1 "
         "}\n",
         5, "a plane has no mass"},
        {"- a\n", 1, "mapping"},
        {"world: w\ntypes:\n  t: { mass: 1 }\n", 3, "no `shapes`"},
        {"world: w\ntypes:\n  t: { mass: 0, shapes: [ { sphere: 1 } ] }\n", 3, "between 1e-0"},
        {"world: w\ntypes:\n  t: { mass: -2, shapes: [ { sphere: 1 } ] }\n", 3, "between 1e-0"},
        {"world: w\ntypes:\n  t: { mass: heavy, shapes: [ { sphere: 1 } ] }\n", 3, "mass"},
        {"world: w\ntypes:\n  t: { mas: 1, shapes: [ { sphere: 1 } ] }\n", 3, "mass"},
        {"world: w\ntypes:\n  t: { shapes: [ { sphere: -1 } ] }\n", 3, "between 1e-0"},
        {"world: w\ntypes:\n  t: { shapes: [ { box: [1, 0, 1] } ] }\n", 3, "between 1e-0"},
        {"world: w\ntypes:\n  t: { shapes: [ { box: [1, 1] } ] }\n", 3, "box"},
        {"world: w\ntypes:\n  t: { shapes: [ { cube: [1, 1, 1] } ] }\n", 3, "cube"},
        {"world: w\ntypes:\n  t: { shapes: [ { sphere: 1, box: [1, 1, 1] } ] }\n", 3,
         "exactly one"},
        {"world: w\ntypes:\n  t: { shapes: [] }\n", 3, "at least one"},
        {"world: w\ntypes:\n  t: { shapes: [ { ring: { radius: 1, thickness: 2, height: 1 } } ] "
         "}\n",
         3, "thickness"},
        {"world: w\ntypes:\n  t: { mass: 1, shapes: [ { plane: true } ] }\n", 3, "plane"},
        {"world: w\ntypes:\n  t: { mass: 1, inertia: [1, 1, 5], shapes: [ { sphere: 1 } ] }\n", 3,
         "inertia"},
        {"world: w\ntypes:\n  t: { mass: 1, inertia: [1, 1, 1, 2, 0, 0], shapes: [ { sphere: 1 } ] "
         "}\n",
         3, "inertia"},
        {"world: w\ntypes:\n  t: { material: wod, shapes: [ { sphere: 1 } ] }\nmaterials: { wood: "
         "{} }\n",
         3, "did you mean `wood`"},
        {"world: w\ntypes:\n  t: { restitution: 1.5, shapes: [ { sphere: 1 } ] }\n", 3,
         "between 0 and 1"},
        {"world: w\ntypes:\n  t: { up: [0, 0, 0], shapes: [ { sphere: 1 } ] }\n", 3, "direction"},
        {"world: w\ntypes:\n  t: { grasp: { width: 0.1, low: 1 }, shapes: [ { sphere: 1 } ] }\n", 3,
         "high"},
        {"world: w\ntypes:\n  t: { grasp: { width: 0.1, low: 1, high: 0.5 }, shapes: [ { sphere: 1 "
         "} ] }\n",
         3, "over its `low`"},
        {"world: w\nmaterials: { any: {} }\n", 2, "every material"},
        {"world: w\nmaterials: { a: {} }\npairs:\n  - { a: a, b: x, friction: 1 }\n", 4,
         "no material `x`"},
        {"world: w\nmaterials: { a: {} }\npairs:\n  - { a: a, b: any, friction: 1 }\n  - { a: any, "
         "b: a, friction: 2 }\n",
         5, "given twice"},
        {"world: w\npairs:\n  - { a: any, b: any }\n", 3, "friction"},
        {TYPE "bodies:\n  b: { type: tt }\n", 5, "did you mean `t`"},
        {TYPE "bodies:\n  b: { at: [0, 0, 0] }\n", 5, "needs a `type`"},
        {TYPE "bodies:\n  b.c: { type: t }\n", 5, "cannot name a body"},
        {TYPE "bodies:\n  b: { type: t }\nevents:\n  - { name: Od, at: 1, move: { body: b, to: [0, "
              "0, 1] } }\n",
         7, "cannot name an event"},
        {TYPE "bodies:\n  b: { type: t }\n  b: { type: t, at: [3, 0, 0] }\n", 6, "b"},
        {TYPE "bodies:\n  b: { type: t, color: redd }\n", 5, "did you mean `red`"},
        {TYPE "bodies:\n  b: { type: t, colour: red }\n", 5, "color"},
        {TYPE "bodies:\n  b: { type: t, up: [0, 0, 1] }\n", 5, "belongs to the type"},
        {TYPE "bodies:\n  b: { type: t }\n  c: { type: t, at: [0.5, 0, 0] }\n", 6,
         "`c` starts inside `b`"},
        {TYPE
         "bodies:\n  b: { type: t }\n  c: { type: t, at: { position: [1.1, 0, 0], yaw: 30 } }\n",
         6, "inside"},
        {TYPE "bodies:\n  b: { type: t, fixed: true, velocity: [1, 0, 0] }\n", 5,
         "it has no velocity at the start"},
        {TYPE "bodies:\n  b: { type: t, on: c, at: [0, 0] }\n  c: { type: t, at: [0, 0, -1] }\n", 5,
         "before what refers"},
        {TYPE "bodies:\n  b: { type: t }\n  c: { type: t, on: b, at: [0.6, 0] }\n", 6,
         "nothing of `b`"},
        {TYPE "bodies:\n  b: { type: t }\n  c: { type: t, on: b }\n", 6, "needs `at"},
        {TYPE "bodies:\n  b: { type: t, fixed: maybe }\n", 5, "fixed"},
        {TYPE "bodies:\n  b: { type: t, at: { position: [0, 0, 0], rpy: [0, 0, 1], yaw: 3 } }\n", 5,
         "either `rpy` or `yaw`"},
        {"world: w\ntypes:\n  t: { shapes: [ { sphere: 1 } ] }\nbodies:\n  b: { type: t }\n", 5,
         "needs a `mass`"},
        {TYPE "bodies:\n  b: { type: t }\nregions:\n  r: { on: b }\n", 7, "size"},
        {TYPE "bodies:\n  b: { type: t }\nregions:\n  r: { size: [1, 1] }\n", 7, "either"},
        {TYPE "bodies:\n  b: { type: t }\nregions:\n  r: { on: d, size: [1, 1] }\n", 7,
         "did you mean `b`"},
        {TYPE "bodies:\n  b: { type: t }\nregions:\n  r: { on: b, size: [1, -1] }\n", 7,
         "between 1e-0"},
        {TYPE "bodies:\n  b: { type: t }\nregions:\n  r: { on: b, at: [2, 0], size: [1, 1] }\n", 7,
         "under the centre"},
        {TYPE "bodies:\n  b: { type: t }\nregions:\n  b: { on: b, size: [1, 1] }\n", 7,
         "already names a body"},
        {TYPE "bodies:\n  b: { type: t }\nregions:\n  r: { in: s, size: [1, 1] }\n", 7, "region"},
        {"world: w\nregions:\n  r: { on: b, size: [1, 1] }\n  s: { in: r, size: [1, 1] }\n", 3,
         "no body `b`"},
        {"world: w\nrobot_at: [1, 2]\n", 2, "robot_at"},
        {"world: w\ngravity: [0, 0, $g]\n", 2, "g"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        world_mistake(cases[i].text, cases[i].line, cases[i].words);
}

static void all_mistakes_of_a_file_are_reported_at_once(void **state) {
    (void)state;
    errors list = {0};
    world_model *w = NULL;
    assert_int_equal(world_text("world: w\n"
                                "gravty: [0, 0, 0]\n"
                                "types:\n"
                                "  a: { mass: -1, shapes: [ { box: [1, 1, 0] } ] }\n"
                                "  b: { shapes: [ { sphere: 1 } ] }\n"
                                "bodies:\n"
                                "  x: { type: aa }\n"
                                "  y: { type: b }\n"
                                "regions:\n"
                                "  r: { on: z, size: [0, 1] }\n"
                                "robot_at: here\n",
                                &w, &list),
                     E_INPUT);
    static const int lines[] = {2, 4, 4, 7, 8, 10, 10, 11};
    bool seen[12] = {false};
    for (size_t i = 0; i < list.count; i++) {
        assert_true(list.items[i].column > 0);
        seen[list.items[i].line] = true;
    }
    assert_int_equal(list.count, sizeof lines / sizeof *lines);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        assert_true(seen[lines[i]]);
    errors_finish(&list);
}

static void a_full_list_of_errors_hides_no_mistake(void **state) {
    (void)state;
    errors list = {0};
    for (int i = 0; i < 200; i++)
        errors_add(&list, "other", 1, 1, "mistake %d", i);
    world_model *w = NULL;
    assert_int_equal(
        world_text("world: w\ntypes: { t: { mass: -1, shapes: [ { sphere: 1 } ] } }\n", &w, &list),
        E_INPUT);
    assert_null(w);
    errors_finish(&list);
}

static void a_missing_file_is_named(void **state) {
    (void)state;
    errors list = {0};
    world_model *w = NULL;
    assert_int_equal(world_load("/nowhere/w.yaml", NULL, NULL, &w, &list), E_INPUT);
    assert_string_equal(list.items[0].file, "/nowhere/w.yaml");
    assert_int_equal(list.count, 1);
    assert_null(w);
    errors_finish(&list);
    world_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kitchen_has_what_plans_need),
        cmocka_unit_test(each_place_has_room_for_a_plate_and_a_cup),
        cmocka_unit_test(the_plate_is_gripped_at_a_wall_of_its_facets),
        cmocka_unit_test(the_grippers_friction_is_a_parameter_of_the_world),
        cmocka_unit_test(a_wrong_setting_is_the_callers_mistake),
        cmocka_unit_test(the_known_world_holds_no_trace_of_the_rest),
        cmocka_unit_test(what_is_assumed_of_a_known_world_leaves_no_number_open),
        cmocka_unit_test(what_is_set_changes_the_true_mass_and_not_the_believed_one),
        cmocka_unit_test(a_believed_mass_that_is_told_goes_before_the_mass),
        cmocka_unit_test(regions_of_unknown_bodies_and_their_types_stay_unknown),
        cmocka_unit_test(sources_are_named_from_the_given_folder_however_paths_are_spelt),
        cmocka_unit_test(standing_on_a_body_means_on_the_surface_there),
        cmocka_unit_test(a_body_changes_its_own_copy_of_a_type),
        cmocka_unit_test(the_closer_pair_of_materials_decides),
        cmocka_unit_test(mistakes_are_reported_where_they_stand),
        cmocka_unit_test(all_mistakes_of_a_file_are_reported_at_once),
        cmocka_unit_test(a_full_list_of_errors_hides_no_mistake),
        cmocka_unit_test(a_missing_file_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
