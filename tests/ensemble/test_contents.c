// tests/ensemble/test_contents.c - what a body contains, moved in a process beside physics: what
// the body bears of it, what ends that, and what is refused.
#include "projector/world/contents.h"
#include "projector/world/drive.h"
#include "tests/ensemble/stage.h"

enum { DROPS = 40 };

// A pot of water in the air beside a post, over the floor; `models` and `more` go into the section.
static const char *pot_world(const char *models, const char *more) {
    static char text[4000];
    snprintf(text, sizeof text,
             "world: pot\n"
             "materials: { tin: { friction: 0.3 } }\n"
             "particles: { water: { radius: 0.006, density: 1000, friction: 0.05 } }\n"
             "types:\n"
             "  floor: { material: tin, shapes: [ { plane: true } ] }\n"
             "  post: { material: tin, shapes: [ { box: [0.1, 0.1, 0.5], at: [0, 0, 0.25] } ] }\n"
             "  ball: { material: tin, mass: 0.1, shapes: [ { sphere: 0.02 } ] }\n"
             "  pot: { material: tin, mass: 0.3, interior: { cylinder: [0.043, 0.11], at: [0, 0, "
             "0.066] }, shapes: [ { cylinder: [0.05, 0.01], at: [0, 0, 0.005] }, { ring: { radius: "
             "0.05, thickness: 0.006, height: 0.11, facets: 8 }, at: [0, 0, 0.01] } ] }\n"
             "bodies:\n"
             "  floor_1: { type: floor, fixed: true }\n"
             "  post_1: { type: post, at: [0.3, 0, 0], fixed: true }\n"
             "  pot_1: { type: pot, at: [0, 0, 0.4], fill: { with: water, count: %d } }\n"
             "  ball_1: { type: ball, at: [0, 0, 4] }\n"
             "ensemble:\n"
             "  main: ode\n"
             "  models:\n%s%s",
             DROPS, models, more);
    return text;
}
#define GRIP_OF(force)                                                                             \
    "    grip: { class: force_bind, step: service, every: 0.002, carrier: post_1, force: " force   \
    ", torque: 5, outputs: { pose(pot_1): pose } }\n"
#define GRIP GRIP_OF("50")
#define WATER_STEPS(every)                                                                         \
    "    water: { class: particles, step: service, every: " every ", carrier: pot_1, inputs: { "   \
    "carrier: pose(pot_1) }, outputs: { contents(pot_1): contents } }\n"
#define WATER WATER_STEPS("0.002")
#define HELD "  owns: { grip: [ pose(pot_1) ], water: [ contents(pot_1) ] }\n"

static size_t pot_of(const stage *s) {
    return (size_t)world_find_body(s->world, "pot_1");
}

// The middle of the drops, and the speed of the fastest, m/s.
static vec3 middle_of(const stage *s, double *fastest) {
    vec3 sum = v3(0, 0, 0), v, w;
    size_t count = 0;
    *fastest = 0;
    for (size_t i = 0; i < s->world->body_count; i++)
        if (s->world->bodies[i].particle) {
            sum = v3_add(sum, sim_pose(s->sim, i).p);
            sim_velocity(s->sim, i, &v, &w);
            *fastest = fmax(*fastest, v3_length(v));
            count++;
        }
    assert_int_equal(count, DROPS);
    return v3_scale(sum, 1.0 / (double)count);
}

// The bond bears 3.1 N: the pot's own weight, 2.94 N, and not that of the water, 0.35 N.
static void a_body_bears_what_it_contains_wherever_that_is_simulated(void **state) {
    (void)state;
    static const char *const models[] = {GRIP_OF("3.1") WATER, GRIP_OF("3.1") WATER,
                                         GRIP_OF("3.1") WATER_STEPS("0.004")};
    double sunk[3], levels[3], fastest;
    for (int k = 0; k < 3; k++) {
        stage s;
        stage_good(&s, pot_world(models[k], k ? HELD : "  owns: { grip: [ pose(pot_1) ] }\n"));
        stage_go(&s, 0.6);
        assert_int_equal(sim_contents_lent(s.sim, pot_of(&s)), k > 0);
        sunk[k] = 0.4 - pose_of(&s, "pot_1").p.z;
        levels[k] = middle_of(&s, &fastest).z - pose_of(&s, "pot_1").p.z;
        assert_true(sunk[k] > 0.05);
        assert_true(fabs(sunk[k] / sunk[0] - 1) < 0.02);
        assert_true(fabs(levels[k] - levels[0]) < 1e-3);
        stage_close(&s);
    }
}

static void nothing_jumps_where_contents_go_and_come_back(void **state) {
    (void)state;
    stage s;
    double fastest;
    stage_good(&s, pot_world(GRIP WATER, "  owns: { grip: [ pose(pot_1) ] }\n  triggers:\n"
                                         "    - { name: away, on: \"height(ball_1) < 3.9\", give: "
                                         "contents(pot_1), to: water }\n"
                                         "    - { name: back, on: \"height(ball_1) < 2.5\", give: "
                                         "contents(pot_1), to: ode }\n"));
    vec3 last = middle_of(&s, &fastest);
    int away = 0;
    for (int i = 0; i < 350; i++) { // the ball is still over the pot then
        stage_go(&s, seconds(s.t) + 0.002);
        vec3 now = middle_of(&s, &fastest);
        assert_true(v3_distance(now, last) < 0.002 * fmax(fastest, 0.1));
        away += sim_contents_lent(s.sim, pot_of(&s));
        last = now;
    }
    assert_true(away > 100 && away < 300);
    assert_int_equal(s.kept.done, 3); // `owns` of the grip, and two
    stage_close(&s);
}

static void what_meets_them_or_lets_go_gives_them_back(void **state) {
    (void)state;
    stage s;
    double fastest;
    stage_good(&s, pot_world(GRIP WATER, HELD));
    stage_go(&s, 0.5);
    assert_true(sim_contents_lent(s.sim, pot_of(&s)));
    stage_go(&s, 1.2); // the ball has fallen into it
    assert_false(sim_contents_lent(s.sim, pot_of(&s)));
    assert_string_equal(s.kept.rule, "touched");
    stage_go(&s, 3);
    middle_of(&s, &fastest);
    assert_true(fastest < 0.5 && pose_of(&s, "ball_1").p.z > 0.4);
    stage_close(&s);

    stage_good(&s, pot_world(GRIP WATER, HELD "  triggers:\n    - { name: drops, on: "
                                              "\"height(ball_1) < 3.5\", give: pose(pot_1), to: "
                                              "ode }\n"));
    stage_go(&s, 0.34);
    assert_false(sim_contents_lent(s.sim, pot_of(&s)));
    assert_string_equal(s.kept.rule, "let_go");
    stage_close(&s);
}

static void what_nothing_holds_keeps_its_contents(void **state) {
    (void)state;
    stage s;
    stage_good(&s, pot_world(GRIP WATER, "  triggers:\n    - { name: away, on: \"height(ball_1) < "
                                         "3.9\", give: contents(pot_1), to: water }\n"));
    stage_go(&s, 0.2);
    assert_int_equal(s.kept.refused, 1);
    assert_non_null(strstr(s.kept.why, "nothing holds pot_1"));
    stage_close(&s);
}

// Poured out of a pot that hangs upside down, drops lie on the floor, which the process knows.
static void drops_fall_on_what_never_moves(void **state) {
    (void)state;
    stage s;
    size_t count, met = 0;
    char text[4000];
    snprintf(text, sizeof text, "%s", pot_world(GRIP WATER, HELD));
    const char *turned = "at: { position: [0, 0, 0.4], rpy: [180, 0, 0] }";
    char *at = strstr(text, "at: [0, 0, 0.4], fill"), rest[3000];
    assert_non_null(at);
    snprintf(rest, sizeof rest, "%s", at + strlen("at: [0, 0, 0.4]"));
    snprintf(at, sizeof text - (size_t)(at - text), "%s%s", turned, rest);
    stage_good(&s, text);
    bool fell[100] = {false};
    while (seconds(s.t) < 0.8) { // then the ball comes
        stage_go(&s, seconds(s.t) + 0.002);
        const sim_contact *all = sim_contacts(s.sim, &count);
        for (size_t i = 0; i < count; i++)
            if (all[i].a == 0 && s.world->bodies[all[i].b].particle) {
                met += !fell[all[i].b];
                fell[all[i].b] = true;
                assert_true(all[i].normal.z > 0.99 && all[i].force.z > -1e-9);
            }
    }
    assert_true(sim_contents_lent(s.sim, pot_of(&s)));
    assert_true(met > DROPS / 2); // the others lie on these
    for (size_t i = 0; i < s.world->body_count; i++)
        if (s.world->bodies[i].particle)
            assert_true(sim_pose(s.sim, i).p.z > 0.005);
    stage_close(&s);
}

static void mistakes_are_named_where_they_stand(void **state) {
    (void)state;
    static const struct {
        const char *models, *more, *words;
        int line;
    } cases[] = {
        {"    water: { class: particles, step: service, every: 0.002, carrier: post_1, inputs: { "
         "carrier: pose(post_1) }, outputs: { contents(post_1): contents } }\n",
         "", "no body of that name has a `fill`", 17},
        {"    water: { class: particles, step: clock, every: 0.002, carrier: pot_1, inputs: { "
         "carrier: pose(pot_1) }, outputs: { contents(pot_1): contents } }\n",
         "", "`step` has to be service", 17},
        {"    water: { class: particles, step: service, every: 0.002, carrier: pot_1, inputs: { "
         "carrier: pose(post_1) }, outputs: { contents(pot_1): contents } }\n",
         "", "where its carrier is: pose(pot_1)", 17},
        {"    water: { class: particles, step: service, every: 0.002, carrier: pot_1, inputs: { "
         "carrier: pose(pot_1) }, outputs: { contents(post_1): contents } }\n",
         "", "what its carrier contains: contents(pot_1)", 17},
        {"    water: { class: particles, step: service, every: 0.002, carrier: pot_1, inputs: { "
         "carrier: pose(pot_1) }, outputs: { temperature(pot_1): contents } }\n",
         "", "`contents(BODY)` is given by an output `contents`", 17},
        {WATER, "events:\n  - { name: rain, at: 1, wet: { body: pot_1, friction: 0.1 } }\n",
         "would not follow", 17},
        {WATER, "  owns: { water: [ contents(pot_1) ] }\n", "nothing holds pot_1", 17},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stage s;
        assert_int_equal(stage_open(&s, pot_world(cases[i].models, cases[i].more)), E_INPUT);
        if (s.err.line != cases[i].line || s.err.column == 0 || !strstr(s.err.text, cases[i].words))
            fail_msg("%zu: %d:%d: %s", i, s.err.line, s.err.column, s.err.text);
        stage_close(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_bears_what_it_contains_wherever_that_is_simulated),
        cmocka_unit_test(nothing_jumps_where_contents_go_and_come_back),
        cmocka_unit_test(what_meets_them_or_lets_go_gives_them_back),
        cmocka_unit_test(what_nothing_holds_keeps_its_contents),
        cmocka_unit_test(drops_fall_on_what_never_moves),
        cmocka_unit_test(mistakes_are_named_where_they_stand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
