// tests/scene/test_include.c - worlds made of several files: includes, and parts that are used.
#include <sys/stat.h>

#include "tests/scene/world_text.h"

// Writes files (name, text, ..., NULL) into a folder and loads the first.
static status load_files(const char *const *files, const settings *set, world_model **out,
                         errors *list) {
    char *folder = testlib_folder(), *sub = testlib_path(folder, "sub");
    assert_int_equal(mkdir(sub, 0700), 0);
    for (size_t i = 0; files[i]; i += 2)
        free(testlib_write(folder, files[i], files[i + 1]));
    char *path = testlib_path(folder, files[0]);
    status s = world_load(path, folder, set, out, list);
    free(path);
    free(sub);
    testlib_remove(folder);
    return s;
}

static world_model *load_good(const char *const *files, const settings *set) {
    errors list = {0};
    world_model *w = NULL;
    if (load_files(files, set, &w, &list) != OK)
        fail_msg("%s:%d %s", list.items[0].file, list.items[0].line, list.items[0].text);
    errors_finish(&list);
    return w;
}

static void expect_mistake(const char *const *files, const char *file, int line,
                           const char *words) {
    errors list = {0};
    world_model *w = NULL;
    assert_int_equal(load_files(files, NULL, &w, &list), E_INPUT);
    const char *slash = strrchr(list.items[0].file, '/');
    if (list.count != 1 || !slash || strcmp(slash + 1, file) != 0 || list.items[0].line != line ||
        !strstr(list.items[0].text, words))
        fail_msg("%zu mistakes, the first: %s:%d: %s", list.count, list.items[0].file,
                 list.items[0].line, list.items[0].text);
    errors_finish(&list);
}

#define ROOM                                                                                       \
    "world: room\n"                                                                                \
    "gravity: [0, 0, -5]\n"                                                                        \
    "parameters: { m: { type: number, default: 2, min: 0.1 } }\n"                                  \
    "materials: { wood: { friction: 0.4 } }\n"                                                     \
    "pairs: [ { a: wood, b: any, friction: 0.3 } ]\n"                                              \
    "types: { ball: { mass: $m, shapes: [ { sphere: 0.1 } ] } }\n"                                 \
    "bodies:\n"                                                                                    \
    "  a: { type: ball }\n"                                                                        \
    "  b: { type: ball, at: [1, 0, 0] }\n"                                                         \
    "regions: { r: { on: b, size: [0.1, 0.1] } }\n"                                                \
    "events: [ { name: e, at: 1, remove: { body: a } } ]\n"                                        \
    "robot_at: [1, 2, 0]\n"

static void an_including_file_adds_and_replaces(void **state) {
    (void)state;
    world_model *w =
        load_good((const char *const[]){"main.yaml",
                                        "world: main\n"
                                        "include: [sub/room.yaml]\n"
                                        "parameters: { m: { default: 3 } }\n"
                                        "pairs: [ { a: any, b: wood, friction: 0.1 } ]\n"
                                        "bodies:\n"
                                        "  c: { type: ball, at: [2, 0, 0] }\n"
                                        "  a: { type: ball, at: [0, 5, 0], mass: 7 }\n"
                                        "events: [ { name: f, at: 2, remove: { body: c } "
                                        "}, { name: e, at: 9, remove: { body: b } } ]\n",
                                        "sub/room.yaml", ROOM, NULL},
                  NULL);
    assert_string_equal(w->name, "main");
    assert_true(w->gravity.z == -5 && w->robot_at.p.y == 2);
    assert_int_equal(w->body_count, 3);
    assert_string_equal(w->bodies[0].name, "a"); // in its old place
    assert_true(w->bodies[0].at.p.y == 5 && w->bodies[0].type->mass == 7);
    assert_true(w->bodies[1].type->mass == 3);
    assert_int_equal(w->pair_count, 1);
    assert_true(w->pairs[0].friction == 0.1);
    assert_int_equal(w->event_count, 2);
    assert_true(w->events[1].when->value == 9 && w->events[1].body == 1);
    // Every file is there to run the episode again.
    assert_int_equal(w->source_count, 2);
    assert_string_equal(w->sources[0].name, "main.yaml");
    assert_string_equal(w->sources[1].name, "sub/room.yaml");
    assert_string_equal(w->sources[1].text, ROOM);
    world_destroy(w);
}

static void parameters_of_included_files_are_set_from_outside(void **state) {
    (void)state;
    settings set = {0};
    array_push(&set, (setting){"world", "m", "4"});
    world_model *w =
        load_good((const char *const[]){"main.yaml", "world: main\ninclude: [room.yaml]\n",
                                        "room.yaml", ROOM, NULL},
                  &set);
    assert_true(w->bodies[0].type->mass == 4);
    assert_true(w->bodies[0].type->believed_mass == 2); // the robot is not told
    world_destroy(w);
    array_finish(&set);
}

static void a_file_included_twice_counts_once(void **state) {
    (void)state;
    world_model *w = load_good(
        (const char *const[]){
            "main.yaml", "world: main\ninclude: [x.yaml, y.yaml]\n", "x.yaml",
            "world: x\ninclude: [room.yaml]\nbodies: { a: { type: ball, mass: 9 } }\n", "y.yaml",
            "world: y\ninclude: [sub/../room.yaml]\n", "room.yaml", ROOM, NULL},
        NULL);
    assert_int_equal(w->source_count, 4);
    assert_int_equal(w->body_count, 2);
    assert_true(w->bodies[0].type->mass == 9); // not undone by the second way to the room
    world_destroy(w);
}

static void mistakes_point_into_the_file_they_stand_in(void **state) {
    (void)state;
    expect_mistake((const char *const[]){"main.yaml",
                                         "world: main\ninclude:\n  - a.yaml\n  - b.yaml\n",
                                         "a.yaml", ROOM, "b.yaml",
                                         "world: b\nbodies:\n  x: { type: bal }\n", NULL},
                   "b.yaml", 3, "did you mean `ball`");
    expect_mistake((const char *const[]){"main.yaml", "world: main\ninclude:\n  - no.yaml\n", NULL},
                   "main.yaml", 3, "there is none");
    expect_mistake((const char *const[]){"main.yaml", "world: main\ninclude: no.yaml\n", NULL},
                   "main.yaml", 2, "is a list of files");
    expect_mistake((const char *const[]){"main.yaml", "world: main\ninclude: [a.yaml]\n", "a.yaml",
                                         "world: a\ninclude: [b.yaml]\n", "b.yaml",
                                         "world: b\n\ninclude: [main.yaml]\n", NULL},
                   "b.yaml", 3, "includes itself");
    expect_mistake((const char *const[]){"main.yaml", "world: main\ninclude: [a.yaml]\n", "a.yaml",
                                         "- 1\n", NULL},
                   "a.yaml", 1, "is a mapping");
}

#define PARTS                                                                                      \
    "world: p\n"                                                                                   \
    "parts:\n"                                                                                     \
    "  desk:\n"                                                                                    \
    "    types: { top: { shapes: [ { box: [1, 1, 0.1], at: [0, 0, 0.05] } ] } }\n"                 \
    "    bodies:\n"                                                                                \
    "      board: { type: top, at: [0, 1, 0.7], fixed: true }\n"                                   \
    "      flap: { mass: 1, shapes: [ { box: [0.5, 0.5, 0.1] } ], at: { position: [0, 1, 2], "     \
    "yaw: 10 } }\n"                                                                                \
    "      pen: { mass: 0.1, shapes: [ { sphere: 0.01 } ], on: board, at: [0.2, 0] }\n"            \
    "    regions: { place: { on: board, size: [0.2, 0.2] }, inner: { in: place, size: [0.1, 0.1] " \
    "} }\n"                                                                                        \
    "    joints: { hinge: { kind: hinge, body: flap, at: [0, 0.5, 2], axis: [1, 0, 0], limits: "   \
    "[0, 90] } }\n"

static void a_part_is_used_many_times_where_it_is_put(void **state) {
    (void)state;
    world_model *w = world_good(
        PARTS "use:\n  - { part: desk, as: left, at: [10, 0, 0] }\n"
              "  - { part: desk, as: right, at: { position: [20, 0, 0], yaw: 90 } }\n"
              "bodies:\n  cup: { mass: 1, shapes: [ { sphere: 0.1 } ], on: right_board, at: [-0.2, "
              "0] }\n");
    assert_int_equal(w->body_count, 7);
    assert_int_equal(w->type_count, 1); // shared
    const world_body *b = &w->bodies[world_find_body(w, "right_board")];
    assert_true(v3_distance(b->at.p, v3(19, 0, 0.7)) < 1e-12);
    b = &w->bodies[world_find_body(w, "right_flap")];
    assert_true(fabs(quat_yaw(b->at.q) - 100 * PI / 180) < 1e-12);
    b = &w->bodies[world_find_body(w, "right_pen")];
    assert_true(v3_distance(b->at.p, v3(19, 0.2, 0.81)) < 1e-9);
    b = &w->bodies[world_find_body(w, "left_pen")];
    assert_true(v3_distance(b->at.p, v3(10.2, 1, 0.81)) < 1e-9);
    const world_region *r = &w->regions[world_find_region(w, "left_inner")];
    assert_string_equal(w->bodies[r->body].name, "left_board");
    const world_joint *j = &w->joints[world_find_joint(w, "right_hinge")];
    assert_string_equal(w->bodies[j->body].name, "right_flap");
    assert_true(v3_distance(j->origin.p, v3(19.5, 0, 2)) < 1e-12);
    assert_true(v3_distance(j->axis, v3(0, 1, 0)) < 1e-12);
    world_destroy(w);
}

static void mistakes_of_parts_have_their_places(void **state) {
    (void)state;
    world_mistake(PARTS "use:\n  - { part: dusk, as: a }\n", 12, "did you mean `desk`");
    world_mistake(PARTS "use:\n  - { part: desk }\n", 12, "{ part: NAME, as: PREFIX, at: POSE }");
    world_mistake(PARTS "use:\n  - { part: desk, as: A }\n", 12, "cannot name a part");
    world_mistake(PARTS "use: { part: desk, as: a }\n", 11, "`use` is a list");
    world_mistake(PARTS
                  "types: { top: { shapes: [ { sphere: 1 } ] } }\nuse:\n  - { part: desk, as: "
                  "a }\n",
                  4, "a type `top` outside of the part");
    world_mistake(
        "world: p\nparts: { q: { bodies: { b: { mass: 1, shapes: [ { spere: 1 } ] } } } }\n"
        "use: [ { part: q, as: a } ]\n",
        2, "did you mean");
}

static void settings_reach_parts_and_beliefs_stay(void **state) {
    (void)state;
    static const char text[] =
        "world: p\nparameters: { m: { type: number, default: 1 } }\n"
        "parts: { q: { bodies: { b: { mass: $m, shapes: [ { sphere: 0.1 } ] } } } }\n"
        "use: [ { part: q, as: a }, { part: q, as: z, at: [1, 0, 0] } ]\n"
        "bodies: { own: { mass: $m, shapes: [ { sphere: 0.1 } ], at: [3, 0, 0] } }\n";
    settings set = {0};
    array_push(&set, (setting){"world", "m", "5"});
    world_model *w = load_good((const char *const[]){"w.yaml", text, NULL}, &set);
    assert_int_equal(w->body_count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_true(w->bodies[i].type->mass == 5 && w->bodies[i].type->believed_mass == 1);
    world_destroy(w);
    array_finish(&set);
}

static void a_thousand_bodies_load_without_comparing_each_with_each(void **state) {
    (void)state;
    // Far more pairs of planks would have to be compared closely than a test could wait for.
    size_t room = 1 << 20, at = 0;
    char *text = malloc(room);
    assert_non_null(text);
    at += (size_t)snprintf(text, room,
                           "world: w\ntypes:\n  t: { mass: 1, shapes: [ { ring: { radius: 0.05, "
                           "thickness: 0.01, height: 0.1, facets: 16 } } ] }\nbodies:\n");
    for (int i = 0; i < 1000; i++)
        at += (size_t)snprintf(text + at, room - at, "  t_%d: { type: t, at: [%g, %g, %g] }\n", i,
                               0.2 * (i % 10), 0.2 * (i / 10 % 10), 0.2 * (i / 100));
    world_model *w = world_good(text);
    assert_int_equal(w->body_count, 1000);
    world_destroy(w);
    snprintf(text + at, room - at, "  late: { type: t, at: [1.81, 1.8, 1.8] }\n");
    world_mistake(text, 1004 + 1, "`late` starts inside `t_999`");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_including_file_adds_and_replaces),
        cmocka_unit_test(parameters_of_included_files_are_set_from_outside),
        cmocka_unit_test(a_file_included_twice_counts_once),
        cmocka_unit_test(mistakes_point_into_the_file_they_stand_in),
        cmocka_unit_test(a_part_is_used_many_times_where_it_is_put),
        cmocka_unit_test(mistakes_of_parts_have_their_places),
        cmocka_unit_test(settings_reach_parts_and_beliefs_stay),
        cmocka_unit_test(a_thousand_bodies_load_without_comparing_each_with_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
