// tests/sense/test_interventions.c - what interventions change of the senses: what is seen through,
// what is always seen, and placebos.
#include "scene/intervene.h"
#include "tests/sense/readings.h"

static const char SEEING[] = "tests/scenes/seeing.yaml", SENSING[] = "tests/scenes/sensing.yaml";

static void change(stage *s, const char *text) {
    arena *memory = arena_create();
    const term *t = NULL;
    error err = {0};
    assert_int_equal(term_parse(memory, "change", text, strlen(text), 1, 1, &t, &err), OK);
    if (change_make(t, s->world, s->robot, &err) != OK)
        fail_msg("%s: %s", text, err.text);
    arena_destroy(memory);
}

static void ignore(void *context, const reading *r) {
    (void)context, (void)r;
}

// In how many of ten frames of the desk with a screen a weak detector reports the body.
static int reported(const char *made, const char *name) {
    stage s;
    nanos now = 0;
    int count = 0;
    setting weak = {"robot", "detection_rate", "0.6"};
    stage_load(&s, SEEING, &weak, 1);
    if (made)
        change(&s, made);
    stage_start(&s, 5);
    sense_power(s.senses, COMMAND_CAMERA, true);
    sense_for(&s, &now, NANOS_PER_SECOND, ignore, NULL);
    for (size_t i = 0; i < s.log.truths.count; i++)
        count += s.log.truths.items[i].object == s.ids[sim_entity_body(body_named(&s, name))];
    stage_close(&s);
    return count;
}

static void nothing_hides_behind_what_is_transparent(void **state) {
    (void)state;
    assert_int_equal(reported(NULL, "hidden_cup"), 0);
    assert_true(reported("transparent(screen)", "hidden_cup") >= 2);
    assert_int_equal(reported("transparent(desk)", "hidden_cup"), 0);
}

static void what_is_seen_is_reported_in_every_frame_while_it_is_in_the_picture(void **state) {
    (void)state;
    assert_int_equal(reported("sees(hidden_cup)", "hidden_cup"), 10);
    assert_int_equal(reported("sees(open_cup)", "hidden_cup"), 0);
    assert_int_equal(reported("sees(cup_behind)", "cup_behind"), 0); // behind the robot
}

static void sure_detection_reports_what_is_visible_in_every_frame(void **state) {
    (void)state;
    assert_true(reported(NULL, "open_cup") < 10);
    assert_true(reported(NULL, "edge_cup") < 10);
    assert_int_equal(reported("sure_detection", "open_cup"), 10);
    assert_int_equal(reported("sure_detection", "edge_cup"), 10);
    assert_int_equal(reported("sure_detection", "hidden_cup"), 0);
}

// ---- Placebos -----------------------------------------------------------------------------------

// Two seconds of everything, with these conditions.
static void live(const settings *conditions, readings *k) {
    stage s;
    error err = {0};
    reading r;
    stage_load(&s, SENSING, NULL, 0);
    s.conditions = conditions;
    robot_arm *arms = (robot_arm *)s.robot->arms; // the loader's, and not yet read
    arms[0].torques =
        (robot_torques){.present = true, .rate = 50, .noise = 0.05, .observer_gain = 10};
    stage_start(&s, 41);
    sense_power(s.senses, COMMAND_CAMERA, true);
    sense_power(s.senses, COMMAND_LASER, true);
    sim_set_base(s.sim, 0.1, 0.05, 0.1);
    for (nanos t = 0; t < 2 * NANOS_PER_SECOND; t += 2000000) {
        assert_int_equal(model_step(sim_model(s.sim), t, 2000000, &err), OK);
        assert_int_equal(sense_step(s.senses, t + 2000000, &err), OK);
        while (sense_next(s.senses, t + 2000000, &r))
            readings_keep(k, &r);
    }
    stage_close(&s);
}

static bool same_numbers(const double *a, size_t a_count, const double *b, size_t b_count) {
    return a_count == b_count && a_count > 0 && memcmp(a, b, a_count * sizeof *a) == 0;
}
#define SAME(a, b) same_numbers((a).items, (a).count, (b).items, (b).count)

static bool same_percepts(const readings *a, const readings *b) {
    bool same = a->percepts.count == b->percepts.count && a->percepts.count > 0;
    for (size_t i = 0; same && i < a->percepts.count; i++)
        same = memcmp(&a->percepts.items[i].at, &b->percepts.items[i].at, sizeof(pose)) == 0;
    return same;
}

static void a_placebo_gives_one_sense_other_draws_and_no_other(void **state) {
    (void)state;
    static const char *const streams[] = {"camera",  "laser", "odometry",
                                          "gripper", "wrist", "torques"};
    enum { STREAMS = sizeof streams / sizeof *streams };
    readings plain = {0};
    live(NULL, &plain);
    for (size_t i = 0; i < STREAMS; i++) {
        setting one = {"placebo", streams[i], "1"}, two = {"placebo", streams[i], "2"};
        settings first = {.items = &one, .count = 1}, second = {.items = &two, .count = 1};
        readings a = {0}, again = {0}, b = {0};
        live(&first, &a);
        live(&first, &again);
        live(&second, &b);
        bool same[STREAMS] = {same_percepts(&plain, &a),        SAME(plain.ranges, a.ranges),
                              SAME(plain.ways, a.ways),         SAME(plain.hands, a.hands),
                              SAME(plain.wrenches, a.wrenches), SAME(plain.torques, a.torques)};
        for (size_t k = 0; k < STREAMS; k++)
            assert_true(same[k] == (k != i));
        assert_true(SAME(plain.joints, a.joints));
        // The same number the same draws, another number others.
        assert_true(same_percepts(&a, &again) && SAME(a.ranges, again.ranges));
        bool differs[STREAMS] = {!same_percepts(&a, &b),        !SAME(a.ranges, b.ranges),
                                 !SAME(a.ways, b.ways),         !SAME(a.hands, b.hands),
                                 !SAME(a.wrenches, b.wrenches), !SAME(a.torques, b.torques)};
        assert_true(differs[i]);
        readings_finish(&a);
        readings_finish(&again);
        readings_finish(&b);
    }
    readings_finish(&plain);
}

static void conditions_of_other_scopes_change_no_draw(void **state) {
    (void)state;
    setting change = {"change", "camera", "1"};
    settings conditions = {.items = &change, .count = 1};
    readings a = {0}, b = {0};
    live(NULL, &a);
    live(&conditions, &b);
    assert_true(same_percepts(&a, &b) && SAME(a.ranges, b.ranges) && SAME(a.ways, b.ways));
    readings_finish(&a);
    readings_finish(&b);
}

static void every_stream_is_in_the_documentation(void **state) {
    (void)state;
    static const char *const rows[] = {
#define STREAM(name, doc) "| `" #name "` | " doc " |\n",
#include "projector/sense/streams.def"
#undef STREAM
    };
    char *text = testlib_read(FORESEE_SOURCE_DIR "/docs/intervention.md");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strstr(text, rows[i]))
            fail_msg("docs/intervention.md does not have: %s", rows[i]);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_hides_behind_what_is_transparent),
        cmocka_unit_test(what_is_seen_is_reported_in_every_frame_while_it_is_in_the_picture),
        cmocka_unit_test(sure_detection_reports_what_is_visible_in_every_frame),
        cmocka_unit_test(a_placebo_gives_one_sense_other_draws_and_no_other),
        cmocka_unit_test(conditions_of_other_scopes_change_no_draw),
        cmocka_unit_test(every_stream_is_in_the_documentation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
