// tests/ensemble/test_conductor.c - the conductor beside a main model that does nothing: what is
// written when, who answers for it, and what happens where a model fails.
#include "projector/ensemble/conductor.h"
#include "tests/ensemble/ensemble_text.h"

#define STEP 2000000

static status idle_step(model *m, nanos t, nanos dt, error *err) {
    (void)m;
    (void)t;
    (void)dt;
    (void)err;
    return OK;
}
static const model_class IDLE = {.name = "idle", .step = idle_step};

// A sink that keeps what the ensemble says.
typedef struct kept {
    sink sink;
    int states, switches, done, skipped, failed, refused, told;
    nanos told_at[4];
    double value;               // of the last state
    nanos at, switched, steady; // steady: of the last state that is 350
    char why[300], owner[40];
} kept;

static status keep(sink *s, const record *r, error *err) {
    kept *k = (kept *)s;
    (void)err;
    if (r->kind == RECORD_ATTRIBUTE_STATE) {
        k->states++;
        k->value = r->ATTRIBUTE_STATE.value;
        k->at = r->ATTRIBUTE_STATE.t;
        if (k->value == 350)
            k->steady = k->at;
    } else if (r->kind == RECORD_SWITCH) {
        k->switches++;
        k->done += r->SWITCH.done != 0;
        k->switched = r->SWITCH.t_ns;
        snprintf(k->why, sizeof k->why, "%s", r->SWITCH.why ? r->SWITCH.why : "");
    } else if (r->kind == RECORD_RESPONSIBILITY) {
        snprintf(k->owner, sizeof k->owner, "%s", r->RESPONSIBILITY.model);
    } else if (r->kind == RECORD_MODEL_EVENT) {
        if (strcmp(r->MODEL_EVENT.kind, "told") == 0 && k->told < 4)
            k->told_at[k->told++] = r->MODEL_EVENT.t_ns;
        k->skipped += strcmp(r->MODEL_EVENT.kind, "skipped") == 0;
        k->failed += strcmp(r->MODEL_EVENT.kind, "failed") == 0;
        k->refused += strcmp(r->MODEL_EVENT.kind, "refused") == 0;
    }
    return OK;
}
static status keep_end(sink *s, const record *r, error *err) {
    (void)s;
    (void)r;
    (void)err;
    return OK;
}
static status keep_commit(sink *s, nanos t, error *err) {
    (void)s;
    (void)t;
    (void)err;
    return OK;
}
static const sink_class KEEPING = {keep, keep_end, keep_commit};

typedef struct stage {
    world_model *world;
    conductor *conductor;
    sink *log;
    kept kept;
    nanos t;
    error err;
} stage;

static status stage_open(stage *s, const char *text) {
    *s = (stage){.world = world_good(text)};
    s->kept.sink.class = &KEEPING;
    status st = conductor_create(s->world, STEP, 1, &s->conductor, &s->err);
    if (st != OK)
        return st;
    static const int64_t objects[] = {1, 2};
    s->log = conductor_listen(s->conductor, &s->kept.sink);
    return conductor_start(s->conductor, s->log, NULL, objects, 1, &s->err);
}

static void stage_good(stage *s, const char *text) {
    if (stage_open(s, text) != OK)
        fail_msg("%s", s->err.text);
}

static status stage_run(stage *s, double until) {
    model idle = {.class = &IDLE};
    status st = OK;
    for (; st == OK && seconds(s->t) < until - 1e-9; s->t += STEP)
        st = conductor_step(s->conductor, &idle, s->t, STEP, &s->err);
    return st;
}

static void stage_close(stage *s) {
    conductor_destroy(s->conductor);
    world_destroy(s->world);
}

static double cooled(double t) {
    return 293 + 57 * exp(-t / 20);
}

#define MAIN "  main: ode\n  models:\n"
#define OWNS "  owns: { hot: [ temperature(cup) ] }\n"

static void a_cup_cools_by_the_exponential(void **state) {
    (void)state;
    stage s;
    stage_good(&s, CUPS MAIN COOLS("hot", "step: service, every: 0.01") OWNS);
    for (double t = 0; t < 20; t += 2.5) {
        assert_int_equal(stage_run(&s, t), OK);
        assert_true(fabs(conductor_value(s.conductor, 0) - cooled(t)) < 1e-9);
        assert_true(fabs(s.kept.value - cooled(seconds(s.kept.at))) < 1e-6);
    }
    assert_int_equal(conductor_finish(s.conductor, &s.err), OK);
    assert_true(fabs(s.kept.value - cooled(seconds(s.kept.at))) < 1e-6);
    assert_true(s.kept.states > 1);
    stage_close(&s);
}

// The results of a clock's tick appear after its cost, and ticks meanwhile are left out.
static void a_clock_shows_its_result_late_and_skips(void **state) {
    (void)state;
    stage s;
    stage_good(&s, CUPS MAIN COOLS("hot", "step: clock, every: 0.1, cost: 0.15") OWNS);
    assert_int_equal(stage_run(&s, 0.248), OK);
    assert_true(conductor_value(s.conductor, 0) == 350);
    assert_int_equal(s.kept.skipped, 1); // at 0.2 s
    assert_int_equal(stage_run(&s, 0.25), OK);
    assert_true(fabs(conductor_value(s.conductor, 0) - cooled(0.1)) < 1e-9);
    assert_int_equal(stage_run(&s, 0.45), OK);
    assert_true(fabs(conductor_value(s.conductor, 0) - cooled(0.3)) < 1e-9); // it caught up
    assert_int_equal(s.kept.skipped, 2);
    stage_close(&s);
}

static void what_is_kept_by_the_main_model_stays_as_it_was_given(void **state) {
    (void)state;
    stage s;
    stage_good(&s, CUPS MAIN COOLS("hot", "step: service, every: 0.01")
                       COOLS("other", "step: service, every: 0.01") OWNS
               "  triggers:\n"
               "    - { name: lid, on: \"temperature(cup) < 349\", give: temperature(cup), "
               "to: ode }\n"
               "    - { name: late, on: \"temperature(cup) < 349\", give: temperature(cup), "
               "to: other }\n"
               "    - { name: opens, on: \"operation(wait)\", if: \"temperature(cup) < 349\", "
               "give: temperature(cup), to: other }\n"
               "    - { name: calls, on: \"operation(wait)\", send: bell, to: other }\n");
    assert_int_equal(stage_run(&s, 2), OK);
    double kept_at = conductor_value(s.conductor, 0);
    assert_true(kept_at < 349 && kept_at > 348.9);
    assert_int_equal(s.kept.switches, 2); // the second trigger of the same step is refused
    assert_int_equal(s.kept.done, 1);
    assert_non_null(strstr(s.kept.why, "same step"));
    assert_string_equal(s.kept.owner, "ode");
    // The robot waits: the other model goes on from what it is given.
    record operation = {.kind = RECORD_OPERATION, .id = 1};
    operation.OPERATION.name = "wait";
    nanos given = s.t;
    assert_int_equal(sink_put(s.log, &operation, &s.err), OK);
    assert_int_equal(stage_run(&s, 4), OK);
    assert_int_equal(s.kept.done, 2);
    assert_int_equal(s.kept.switched, given);
    assert_string_equal(s.kept.owner, "other");
    assert_int_equal(s.kept.refused, 1); // it knows no event `bell`
    double expected = 293 + (kept_at - 293) * exp(-(4 - seconds(given)) / 20);
    assert_true(fabs(conductor_value(s.conductor, 0) - expected) < 1e-9);
    stage_close(&s);
}

// A value that the main model has kept for two seconds is in the log up to the hand-over, from
// which on it changes: not as if it had changed evenly all the time.
static void a_value_that_was_kept_is_logged_until_another_takes_it(void **state) {
    (void)state;
    stage s;
    stage_good(
        &s,
        CUPS MAIN COOLS(
            "hot", "step: service, every: 0.002") "  triggers:\n"
                                                  "    - { name: opens, on: \"operation(wait)\", "
                                                  "give: temperature(cup), to: hot }\n");
    assert_int_equal(stage_run(&s, 2), OK);
    record operation = {.kind = RECORD_OPERATION, .id = 1};
    operation.OPERATION.name = "wait";
    assert_int_equal(sink_put(s.log, &operation, &s.err), OK);
    nanos given = s.t;
    assert_int_equal(stage_run(&s, 4), OK);
    assert_int_equal(s.kept.done, 1);
    assert_int_equal(s.kept.steady, given);
    stage_close(&s);
}

#define DIVERGES(more)                                                                             \
    "    wild: { class: thermal, step: service, every: 0.1, start: 1.7e308, time_constant: 1, "    \
    "inputs: { ambient: -1.7e308 }, outputs: { temperature(cup): temperature }" more " }\n"

static void a_failure_ends_the_episode_or_falls_back(void **state) {
    (void)state;
    stage s;
    stage_good(&s, CUPS MAIN DIVERGES("") "  owns: { wild: [ temperature(cup) ] }\n");
    assert_int_equal(stage_run(&s, 1), E_DIVERGED);
    assert_non_null(strstr(s.err.text, "`wild` failed at 0.1 s"));
    assert_non_null(strstr(s.err.text, "ambient = -1.7e+308"));
    assert_int_equal(s.kept.failed, 1);
    stage_close(&s);
    stage_good(&s,
               CUPS MAIN DIVERGES(
                   ", on_failure: { fall_back: ode }") "  owns: { wild: [ temperature(cup) ] }\n");
    assert_int_equal(stage_run(&s, 1), OK);
    assert_int_equal(s.kept.failed, 1);
    assert_string_equal(s.kept.owner, "ode");
    assert_true(conductor_value(s.conductor, 0) == 1.7e308); // the last good state
    stage_close(&s);
}

// What it counts falls from 3 to below 2 after 0.405 s: the monitor, which looks every 0.1 s, tells
// each state at its second look.
static void an_observer_tells_what_two_looks_show(void **state) {
    (void)state;
    stage s;
    stage_good(&s, CUPS MAIN
               "    count: { class: thermal, step: service, every: 0.002, start: 3, "
               "time_constant: 1, inputs: { ambient: 0 }, outputs: { touching(cup): temperature } "
               "}\n"
               "    monitor: { class: grasp_monitor, step: free, every: 0.1, inputs: { fingers: "
               "touching(cup) } }\n"
               "  owns: { count: [ touching(cup) ] }\n"
               "  triggers:\n"
               "    - { name: lets_go, on: \"event(monitor, released)\", give: touching(cup), to: "
               "ode }\n");
    assert_int_equal(stage_run(&s, 1), OK);
    assert_int_equal(s.kept.told, 2);
    assert_int_equal(s.kept.told_at[0], 102000000);
    assert_int_equal(s.kept.told_at[1], 602000000);
    // The trigger acts in the step after the event.
    assert_int_equal(s.kept.done, 1);
    assert_int_equal(s.kept.switched, 602000000);
    stage_close(&s);
}

static void what_cannot_be_connected_is_named_with_its_place(void **state) {
    (void)state;
    static const struct {
        const char *model, *words;
    } cases[] = {
        {"start: 1, time_constant: 1, every: 0.1, outputs: { temperature(cup): heat }",
         "no output `heat`"},
        {"start: 1, time_constant: 1, every: 0.1, inputs: { ambient: 2 }, "
         "outputs: { pose(cup): temperature }",
         "`temperature` of `hot` is a number, and `pose(cup)` is a pose"},
        {"start: 1, time_constant: 1, every: 0.1, inputs: { ambient: pose(cup) }",
         "`ambient` of `hot` is a number, and `pose(cup)` is a pose"},
        {"start: 1, time_constant: 1, every: 0.1, inputs: { ambient: 2 }, "
         "outputs: { collision(cup): temperature }",
         "`collision(BODY)` is given by an output `collision`"},
        {"start: 1, time_constant: 1, every: 0.1, inputs: { ambience: 2 }", "no input `ambience`"},
        {"start: 1, time_constant: 1, every: 0.1", "needs the input `ambient`"},
        {"start: 1, time_constant: 1, every: 0.003, inputs: { ambient: 2 }", "multiples of 0.002"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1000];
        snprintf(text, sizeof text, CUPS MAIN "    hot: { class: thermal, step: service, %s }\n",
                 cases[i].model);
        stage s;
        assert_int_equal(stage_open(&s, text), E_INPUT);
        assert_int_equal(s.err.line, 8);
        if (!strstr(s.err.text, cases[i].words))
            fail_msg("%s", s.err.text);
        stage_close(&s);
    }
}

static void what_holds_is_stepped_in_every_step(void **state) {
    (void)state;
    stage s;
    assert_int_equal(stage_open(&s, CUPS MAIN
                                "    grip: { class: in_hand, step: clock, every: 0.1, carrier: "
                                "left, sigma: 0.01, turn: 5, slip: 1, force: 1, torque: 1, inputs: "
                                "{ opening: 0.1, touches: 2 }, outputs: { pose(cup): pose } }\n"),
                     E_INPUT);
    assert_int_equal(s.err.line, 8);
    assert_non_null(strstr(s.err.text, "`step` has to be service"));
    stage_close(&s);
}

static void what_binds_gives_poses_alone(void **state) {
    (void)state;
    stage s;
    assert_int_equal(stage_open(&s, CUPS MAIN
                                "    grip: { class: rigid_bind, step: service, every: 0.1, "
                                "carrier: left, outputs: { warmth(cup): pose } }\n"),
                     E_INPUT);
    assert_int_equal(s.err.line, 8);
    assert_non_null(strstr(s.err.text, "is a pose, and `warmth(cup)` is a number"));
    stage_close(&s);
}

// The trigger acts in the first step of the main model after the value has crossed, not at the next
// tick, which is 1 s on; from there the other model goes on.
static void a_step_ends_where_a_trigger_is_woken(void **state) {
    (void)state;
    stage s;
    stage_good(
        &s, CUPS MAIN COOLS("hot", "step: service, every: 0.5") OWNS
        "  evaluators: { gap: \"temperature(cup) - 293\" }\n"
        "  triggers:\n    - { name: lid, on: \"gap < 50\", give: temperature(cup), to: ode }\n");
    double crosses = 20 * log(57 / 50.0);
    assert_int_equal(stage_run(&s, 4), OK);
    assert_int_equal(s.kept.done, 1);
    assert_true(seconds(s.kept.switched) >= crosses);
    assert_true(seconds(s.kept.switched) < crosses + 2 * seconds(STEP));
    assert_true(fabs(conductor_value(s.conductor, 0) - cooled(seconds(s.kept.switched))) < 1e-9);
    stage_close(&s);
}

// What cools in a room that cools itself: in one step after the other, or both at once.
#define ROOM                                                                                       \
    "    room: { class: thermal, step: service, every: 1, start: 300, time_constant: 10, inputs: " \
    "{ ambient: 280 }, outputs: { air(mug): temperature } }\n"
static void what_comes_after_another_has_its_results_of_the_same_step(void **state) {
    (void)state;
    stage s;
    double room = 280 + 20 * exp(-0.1);
    for (int after = 0; after < 2; after++) {
        char text[2000];
        snprintf(text, sizeof text,
                 CUPS MAIN "    hot: { class: thermal, step: service, every: 1, start: 350, "
                           "time_constant: 20, inputs: { ambient: air(mug) }, outputs: { "
                           "temperature(cup): temperature }%s }\n" ROOM
                           "  owns: { hot: [ temperature(cup) ], room: [ air(mug) ] }\n",
                 after ? ", after: room" : "");
        stage_good(&s, text);
        assert_int_equal(stage_run(&s, 1), OK);
        double ambient = after ? room : 300, expected = ambient + (350 - ambient) * exp(-1 / 20.0);
        assert_true(fabs(conductor_value(s.conductor, 0) - expected) < 1e-9);
        assert_true(fabs(conductor_value(s.conductor, 1) - room) < 1e-9);
        stage_close(&s);
    }
}

// Two models of one thing, each with a figure of how far it is off: the better one answers.
static void models_are_compared_by_what_they_say_of_themselves(void **state) {
    (void)state;
    stage s;
    stage_good(&s, CUPS MAIN COOLS("hot", "step: service, every: 0.01") COOLS(
                       "other",
                       "step: service, every: 0.01") "    doubt: { class: thermal, step: service, "
                                                     "every: 0.002, start: 0, time_constant: "
                                                     "1, inputs: { ambient: 1 }, outputs: { "
                                                     "doubt(cup): temperature } }\n"
                                                     "    trust: { class: thermal, step: service, "
                                                     "every: 0.002, start: 1, time_constant: "
                                                     "1, inputs: { ambient: 0 }, outputs: { "
                                                     "doubt(mug): temperature } }\n"
                                                     "  owns: { hot: [ temperature(cup) ], doubt: "
                                                     "[ doubt(cup) ], trust: [ doubt(mug) ] }\n"
                                                     "  evaluators: { better: \"doubt(mug) / "
                                                     "doubt(cup) < 1\" }\n"
                                                     "  triggers:\n"
                                                     "    - { name: early, on: \"doubt(cup) > "
                                                     "0.3\", if: better, give: temperature(cup), "
                                                     "to: other }\n"
                                                     "    - { name: late, on: \"doubt(cup) > "
                                                     "0.6\", if: better, give: temperature(cup), "
                                                     "to: other }\n");
    assert_int_equal(stage_run(&s, 2), OK);
    assert_int_equal(s.kept.done, 1);
    assert_true(fabs(seconds(s.kept.switched) - log(1 / 0.4)) < 2 * seconds(STEP));
    assert_string_equal(s.kept.owner, "other");
    stage_close(&s);
}

// What is left out gives its slot the value of its start, and is otherwise not there.
static void what_is_left_out_leaves_what_it_starts_with(void **state) {
    (void)state;
    stage s = {.world = world_good(CUPS MAIN COOLS("hot", "step: service, every: 0.01") OWNS)};
    ensemble_drop_model(s.world->arena, &s.world->ensemble, 0);
    s.kept.sink.class = &KEEPING;
    static const int64_t objects[] = {1, 2};
    assert_int_equal(conductor_create(s.world, STEP, 1, &s.conductor, &s.err), OK);
    s.log = conductor_listen(s.conductor, &s.kept.sink);
    assert_int_equal(conductor_start(s.conductor, s.log, NULL, objects, 1, &s.err), OK);
    assert_int_equal(stage_run(&s, 1), OK);
    assert_true(conductor_value(s.conductor, 0) == 350 && s.kept.value == 350);
    assert_string_equal(s.kept.owner, "ode");
    stage_close(&s);
}

// A clock's step begins at 0.1 s and ends at 0.25 s. Meanwhile the slot goes away and comes back:
// the step no longer counts.
static void what_comes_back_in_the_middle_of_a_step_keeps_its_value(void **state) {
    (void)state;
    stage s;
    stage_good(
        &s, CUPS MAIN COOLS("hot", "step: clock, every: 0.1, cost: 0.15") OWNS
        "  triggers:\n"
        "    - { name: lid, on: \"operation(wait)\", give: temperature(cup), to: ode }\n"
        "    - { name: opens, on: \"operation(detect)\", give: temperature(cup), to: hot }\n");
    record operation = {.kind = RECORD_OPERATION, .id = 1};
    assert_int_equal(stage_run(&s, 0.15), OK);
    operation.OPERATION.name = "wait";
    assert_int_equal(sink_put(s.log, &operation, &s.err), OK);
    assert_int_equal(stage_run(&s, 0.2), OK);
    operation.OPERATION.name = "detect";
    assert_int_equal(sink_put(s.log, &operation, &s.err), OK);
    assert_int_equal(stage_run(&s, 0.3), OK);
    assert_int_equal(s.kept.done, 2);
    assert_true(conductor_value(s.conductor, 0) == 350);
    // From 0.2 s, when it got it back, it cools on: the tick of 0.3 s shows at 0.45 s.
    assert_int_equal(stage_run(&s, 0.452), OK);
    assert_true(fabs(conductor_value(s.conductor, 0) - cooled(0.1)) < 1e-9);
    stage_close(&s);
}

static void an_actuator_that_there_is_not_is_named(void **state) {
    (void)state;
    stage s;
    assert_int_equal(stage_open(&s, CUPS MAIN COOLS("hot", "step: free, every: 1") OWNS
                                "  triggers:\n    - { name: t, on: \"operation(wait, lift)\", "
                                "give: temperature(cup), to: ode }\n"),
                     E_INPUT);
    assert_int_equal(s.err.line, 11);
    assert_non_null(strstr(s.err.text, "`lift`"));
    stage_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cup_cools_by_the_exponential),
        cmocka_unit_test(a_clock_shows_its_result_late_and_skips),
        cmocka_unit_test(what_is_kept_by_the_main_model_stays_as_it_was_given),
        cmocka_unit_test(a_value_that_was_kept_is_logged_until_another_takes_it),
        cmocka_unit_test(a_failure_ends_the_episode_or_falls_back),
        cmocka_unit_test(an_observer_tells_what_two_looks_show),
        cmocka_unit_test(what_cannot_be_connected_is_named_with_its_place),
        cmocka_unit_test(what_holds_is_stepped_in_every_step),
        cmocka_unit_test(what_binds_gives_poses_alone),
        cmocka_unit_test(what_comes_back_in_the_middle_of_a_step_keeps_its_value),
        cmocka_unit_test(a_step_ends_where_a_trigger_is_woken),
        cmocka_unit_test(what_comes_after_another_has_its_results_of_the_same_step),
        cmocka_unit_test(models_are_compared_by_what_they_say_of_themselves),
        cmocka_unit_test(what_is_left_out_leaves_what_it_starts_with),
        cmocka_unit_test(an_actuator_that_there_is_not_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
