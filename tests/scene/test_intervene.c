// tests/scene/test_intervene.c - causes taken away from a world and a robot: each change does what
// interventions.def says, and nothing else.
#include "scene/intervene.h"
#include "tests/scene/world_text.h"

#define ROBOT FORESEE_SOURCE_DIR "/examples/robots/two_arms.yaml"

// A cupboard with a drawer, in it a mug with grains; a heavy box; things that happen.
static const char WORLD[] =
    "world: w\n"
    "parameters:\n  mass: { type: number, default: 0.2, doc: \"kg\" }\n"
    "materials:\n  pad: { friction: 0.8 }\n  steel: { friction: 0.3 }\n"
    "types:\n"
    "  mug: { mass: $mass, shapes: [ { box: [0.08, 0.08, 0.1], at: [0, 0, 0.05] } ] }\n"
    "bodies:\n"
    "  case: { shapes: [ { box: [1, 1, 0.3], at: [0, 0, 0.15] } ], at: [2, 0, 0], fixed: true, "
    "known: true }\n"
    "  drawer: { mass: 1, shapes: [ { box: [0.5, 0.5, 0.02], at: [0, 0, 0.01] } ], at: [2, 0, "
    "0.4], known: true }\n"
    "  mug_1: { type: mug, on: drawer, at: [0, 0] }\n"
    "  mug_2: { type: mug, at: [3, 2, 0] }\n"
    "joints:\n"
    "  slide: { kind: slider, body: drawer, on: case, axis: [0, -1, 0], limits: [0, 0.4] }\n"
    "events:\n"
    "  - { name: rain, at: 1, wet: { material: pad, friction: 0.1 } }\n"
    "  - { name: visit, at: 2, move: { body: mug_2, to: [3, 3, 0], over: 1 } }\n"
    "  - { name: theft, at: 9, remove: { body: mug_2 } }\n";

typedef struct scene {
    world_model *world;
    robot_model *robot;
} scene;

static scene scene_open(void) {
    errors list = {0};
    scene s = {0};
    settings set = {0};
    array_push(&set, (setting){"world", "mass", "0.6"});
    char *folder = testlib_folder(), *path = testlib_write(folder, "w.yaml", WORLD);
    status w = world_load(path, folder, &set, &s.world, &list);
    status r = robot_load(ROBOT, NULL, NULL, &s.robot, &list);
    for (size_t i = 0; i < list.count; i++)
        fprintf(stderr, "%d: %s\n", list.items[i].line, list.items[i].text);
    assert_int_equal(w, OK);
    assert_int_equal(r, OK);
    free(path);
    testlib_remove(folder);
    errors_finish(&list);
    array_finish(&set);
    return s;
}

static void scene_close(scene *s) {
    world_destroy(s->world);
    robot_destroy(s->robot);
}

static status make(scene *s, const char *change, error *err) {
    arena *memory = arena_create();
    const term *t = NULL;
    assert_int_equal(term_parse(memory, "change", change, strlen(change), 1, 1, &t, err), OK);
    status st = change_make(t, s->world, s->robot, err);
    arena_destroy(memory);
    return st;
}

static void made(scene *s, const char *change) {
    error err = {0};
    if (make(s, change, &err) != OK)
        fail_msg("%s: %s", change, err.text);
}

static const world_body *body(const scene *s, const char *name) {
    int64_t i = world_find_body(s->world, name);
    assert_true(i >= 0);
    return &s->world->bodies[i];
}

static void pads_grip_as_the_robot_believes_and_stay_dry(void **state) {
    (void)state;
    scene s = scene_open();
    assert_int_equal(s.world->event_count, 3);
    made(&s, "pads_as_believed");
    for (size_t i = 0; i < s.robot->arm_count; i++) {
        const robot_gripper *g = &s.robot->arms[i].gripper;
        assert_true(g->least_friction == g->believed_friction);
    }
    assert_int_equal(s.world->event_count, 2); // the rain wets what the pads are made of
    made(&s, "firm_grip");
    assert_true(s.robot->arms[0].gripper.least_friction == 5);
    scene_close(&s);
}

static void a_mass_becomes_what_the_robot_believes(void **state) {
    (void)state;
    scene s = scene_open();
    double before = body(&s, "mug_2")->type->inertia.m[2][2];
    assert_true(body(&s, "mug_2")->type->mass == 0.6);
    made(&s, "mass_as_believed(mug_2)");
    assert_true(body(&s, "mug_2")->type->mass == 0.2);
    assert_true(fabs(body(&s, "mug_2")->type->inertia.m[2][2] - before / 3) < 1e-12);
    assert_true(body(&s, "mug_1")->type->mass == 0.6);
    scene_close(&s);
}

static void events_are_dropped_by_their_name_or_as_the_log_names_them(void **state) {
    (void)state;
    scene s = scene_open();
    made(&s, "no_event(visit)");
    assert_int_equal(s.world->event_count, 2);
    made(&s, "no_event(removed(mug_2))");
    assert_int_equal(s.world->event_count, 1);
    assert_string_equal(s.world->events[0].name, "rain");
    made(&s, "no_events");
    assert_int_equal(s.world->event_count, 0);
    scene_close(&s);
}

static void a_body_that_is_absent_is_known_no_more_and_nothing_happens_to_it(void **state) {
    (void)state;
    scene s = scene_open();
    made(&s, "[absent(mug_2), absent(drawer)]");
    assert_true(body(&s, "mug_2")->absent);
    assert_false(body(&s, "mug_1")->absent);
    assert_int_equal(s.world->event_count, 1);
    world_model *known = world_known(s.world);
    assert_true(world_find_body(known, "case") >= 0);
    assert_true(world_find_body(known, "drawer") < 0);
    world_destroy(known);
    scene_close(&s);
}

static void an_opened_drawer_takes_along_what_lies_in_it(void **state) {
    (void)state;
    scene s = scene_open();
    pose before = body(&s, "mug_1")->at, other = body(&s, "mug_2")->at;
    made(&s, "opened(slide)");
    assert_true(s.world->joints[0].start == 0.4);
    vec3 moved = v3_sub(body(&s, "mug_1")->at.p, before.p);
    assert_true(v3_distance(moved, v3(0, -0.4, 0)) < 1e-9);
    assert_true(v3_distance(body(&s, "mug_2")->at.p, other.p) == 0);
    scene_close(&s);
}

static void senses_lose_one_error_and_keep_the_others(void **state) {
    (void)state;
    scene s = scene_open();
    const robot_model *r = s.robot;
    robot_model was = *r;
    made(&s, "no_ghosts");
    assert_true(r->camera.false_positives == 0 && was.camera.false_positives > 0);
    assert_true(r->camera.confusion == was.camera.confusion && was.camera.confusion > 0);
    made(&s, "no_confusion");
    assert_true(r->camera.confusion == 0 && r->camera.color_confusion == 0);
    assert_true(r->camera.position_noise == was.camera.position_noise);
    made(&s, "exact_percepts");
    assert_true(r->camera.position_noise == 0 && r->camera.angle_noise == 0);
    assert_true(r->camera.detection_rate == was.camera.detection_rate);
    made(&s, "sure_detection");
    assert_true(r->camera.detection_rate == 1 && r->camera.far_detection == 1);
    assert_true(r->odometry_noise == was.odometry_noise && was.odometry_noise > 0);
    made(&s, "exact_place");
    assert_true(r->odometry_noise == 0 && r->laser.noise == 0 && r->laser.short_share == 0);
    assert_true(r->encoder_noise == was.encoder_noise && was.encoder_noise > 0);
    scene_close(&s);
}

static void exceptions_name_bodies_parts_and_whole_hands(void **state) {
    (void)state;
    scene s = scene_open();
    assert_null(s.world->exceptions);
    made(&s, "transparent(case)");
    made(&s, "sees(mug_2)");
    made(&s, "ghostly(mug_2, robot_left_gripper)");
    made(&s, "ghostly(robot_base, case)");
    const world_exceptions *x = s.world->exceptions;
    size_t things = s.world->body_count + s.robot->link_count, through = 0;
    for (size_t i = 0; i < things; i++)
        through += x->transparent[i];
    assert_int_equal(through, 1);
    assert_true(x->transparent[world_find_body(s.world, "case")]);
    assert_true(x->seen[world_find_body(s.world, "mug_2")]);
    assert_int_equal(x->ghostly_count, 4); // palm and two fingers, and the base
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(x->ghostly[i][0], world_find_body(s.world, "mug_2"));
        assert_int_equal(x->ghostly[i][1], things + i);
    }
    assert_int_equal(x->ghostly[3][1], s.world->body_count);
    scene_close(&s);
}

static void wrong_names_are_refused_with_what_there_is(void **state) {
    (void)state;
    static const struct {
        const char *change, *words;
    } rows[] = {{"transparnt(case)", "did you mean 'transparent'"},
                {"nonsense", "pads_as_believed, mass_as_believed, firm_grip"},
                {"transparent", "transparent(Body)"},
                {"transparent(casee)", "did you mean 'case'"},
                {"absent(thing)", "case, drawer, mug_1, mug_2"},
                {"absent(robot_base)", "there is no body"},
                {"mass_as_believed(case)", "no mass"},
                {"no_event(storm)", "rain, visit, theft"},
                {"opened(door)", "slide"},
                {"ghostly(case, robot_tail)", "robot_tail"},
                {"transparent(f(x))", "a name"},
                {"[no_ghosts, 3]", "no such change"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        scene s = scene_open();
        error err = {0};
        assert_int_equal(make(&s, rows[i].change, &err), E_INPUT);
        if (!strstr(err.text, rows[i].words))
            fail_msg("%s: %s", rows[i].change, err.text);
        scene_close(&s);
    }
}

static void every_change_is_in_the_documentation(void **state) {
    (void)state;
    char *text = testlib_read(FORESEE_SOURCE_DIR "/docs/intervention.md"), row[400];
    for (int k = 0; k < CHANGE_COUNT; k++) {
        change_info c = change_about((change_kind)k);
        snprintf(row, sizeof row, "| `%s%s%s%s` | %s |\n", c.name, c.arity ? "(" : "", c.arguments,
                 c.arity ? ")" : "", c.doc);
        if (!strstr(text, row))
            fail_msg("docs/intervention.md does not have: %s", row);
    }
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pads_grip_as_the_robot_believes_and_stay_dry),
        cmocka_unit_test(a_mass_becomes_what_the_robot_believes),
        cmocka_unit_test(events_are_dropped_by_their_name_or_as_the_log_names_them),
        cmocka_unit_test(a_body_that_is_absent_is_known_no_more_and_nothing_happens_to_it),
        cmocka_unit_test(an_opened_drawer_takes_along_what_lies_in_it),
        cmocka_unit_test(senses_lose_one_error_and_keep_the_others),
        cmocka_unit_test(exceptions_name_bodies_parts_and_whole_hands),
        cmocka_unit_test(wrong_names_are_refused_with_what_there_is),
        cmocka_unit_test(every_change_is_in_the_documentation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
