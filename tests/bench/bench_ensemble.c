// tests/bench/bench_ensemble.c - what a conductor adds to a step of the physics: with nothing to
// do, and for each model that it steps. The main model does nothing, so that all of it is the
// conductor's.
#include <stdio.h>
#include <string.h>

#include "projector/ensemble/conductor.h"
#include "tests/bench/timing.h"
#include "tests/testlib.h"

enum { STEPS = 200000, REPEATS = 5, MODELS_MAX = 10 };
#define STEP 2000000
#define WORST_NS 15000 // of one exchange

static status idle_step(model *m, nanos t, nanos dt, error *err) {
    (void)m;
    (void)t;
    (void)dt;
    (void)err;
    return OK;
}
static const model_class IDLE = {.name = "idle", .step = idle_step};

static status drop(sink *s, const record *r, error *err) {
    (void)s;
    (void)r;
    (void)err;
    return OK;
}
static status drop_commit(sink *s, nanos t, error *err) {
    (void)s;
    (void)t;
    (void)err;
    return OK;
}
static const sink_class DROPPING = {drop, drop, drop_commit};

// Writes a world with so many cups that cool, of which each answers for its temperature if `owned`.
static void world_write(char *text, size_t size, int models, bool owned) {
    size_t n = (size_t)snprintf(text, size, "world: w\nbodies:\n");
    for (int i = 0; i < models; i++)
        n += (size_t)snprintf(
            text + n, size - n,
            "  cup_%d: { mass: 1, at: [%d, 0, 0], shapes: [ { sphere: 0.1 } ] }\n", i, i);
    n += (size_t)snprintf(text + n, size - n, "ensemble:\n  main: ode\n  models:\n");
    for (int i = 0; i < models; i++)
        n +=
            (size_t)snprintf(text + n, size - n,
                             "    m_%d: { class: thermal, step: service, every: 0.002, start: 350, "
                             "time_constant: 300, inputs: { ambient: 293 }, "
                             "outputs: { temperature(cup_%d): temperature } }\n",
                             i, i);
    n += (size_t)snprintf(text + n, size - n, "  owns:\n");
    for (int i = 0; owned && i < models; i++)
        n += (size_t)snprintf(text + n, size - n, "    m_%d: [ temperature(cup_%d) ]\n", i, i);
    if (!owned)
        snprintf(text + n, size - n, "    ode: []\n");
}

// Seconds of the processor for each step.
static double measure(int models, bool owned) {
    char text[8192], *folder = testlib_folder();
    world_write(text, sizeof text, models, owned);
    char *path = testlib_write(folder, "w.yaml", text);
    errors list = {0};
    error err = {0};
    world_model *w = NULL;
    conductor *c = NULL;
    int64_t objects[MODELS_MAX];
    for (int i = 0; i < MODELS_MAX; i++)
        objects[i] = i + 1;
    if (world_load(path, folder, NULL, &w, &list) != OK)
        fail_msg("%d: %s", list.items[0].line, list.items[0].text);
    sink log = {.class = &DROPPING};
    if (conductor_create(w, STEP, 1, &c, &err) != OK ||
        conductor_start(c, &log, NULL, objects, 1, &err) != OK)
        fail_msg("%s", err.text);
    model idle = {.class = &IDLE};
    double best[REPEATS];
    nanos t = 0;
    for (int k = 0; k < REPEATS; k++) {
        double begun = processor_seconds();
        for (int i = 0; i < STEPS; i++, t += STEP)
            if (conductor_step(c, &idle, t, STEP, &err) != OK)
                fail_msg("%s", err.text);
        best[k] = (processor_seconds() - begun) / STEPS;
    }
    conductor_destroy(c);
    world_destroy(w);
    free(path);
    testlib_remove(folder);
    return median(best, REPEATS);
}

static void a_step_of_the_conductor(void **state) {
    (void)state;
    double nothing = measure(1, false), one = measure(1, true), ten = measure(MODELS_MAX, true);
    printf("a conductor with nothing to do   %6.0f ns a step\n", nothing * 1e9);
    printf("one model at every step          %6.0f ns a step\n", one * 1e9);
    printf("ten models at every step         %6.0f ns a step, %.0f ns for each\n", ten * 1e9,
           (ten - nothing) / MODELS_MAX * 1e9);
    assert_true(one * 1e9 < WORST_NS);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_step_of_the_conductor)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
