// tests/ensemble/stage.h - a world's text played by its ensemble, with a robot that touches
// nothing, and what it told last.
#ifndef FORESEE_TESTS_ENSEMBLE_STAGE_H
#define FORESEE_TESTS_ENSEMBLE_STAGE_H

#include <stdio.h>

#include "projector/ensemble/conductor.h"
#include "tests/scene/world_text.h"
#include "tests/world/lonely.h"

static const nanos STEP = 2000000;

// A sink that keeps the last hand-over and failure.
typedef struct kept {
    sink sink;
    int done, refused, failed;
    char rule[40], why[300], failure[400];
} kept;

static inline status keep(sink *s, const record *r, error *err) {
    kept *k = (kept *)s;
    (void)err;
    if (r->kind == RECORD_SWITCH) {
        k->done += r->SWITCH.done != 0;
        k->refused += r->SWITCH.done == 0;
        snprintf(k->rule, sizeof k->rule, "%s", r->SWITCH.rule);
        snprintf(k->why, sizeof k->why, "%s", r->SWITCH.why ? r->SWITCH.why : "");
    } else if (r->kind == RECORD_MODEL_EVENT && strcmp(r->MODEL_EVENT.kind, "failed") == 0) {
        k->failed++;
        snprintf(k->failure, sizeof k->failure, "%s", r->MODEL_EVENT.why);
    }
    return OK;
}
static inline status keep_end(sink *s, const record *r, error *err) {
    (void)s;
    (void)r;
    (void)err;
    return OK;
}
static inline status keep_commit(sink *s, nanos t, error *err) {
    (void)s;
    (void)t;
    (void)err;
    return OK;
}
static const sink_class KEEPING = {keep, keep_end, keep_commit};

typedef struct stage {
    world_model *world;
    sim *sim;
    conductor *conductor;
    sink *log;
    kept kept;
    nanos t;
    error err;
} stage;

static inline status stage_open(stage *s, const char *text) {
    static const int64_t objects[40] = {1};
    sim_options how = sim_options_default();
    *s = (stage){.world = world_good(text)};
    s->kept.sink.class = &KEEPING;
    how.sleepless = true;
    if (sim_create(s->world, lonely_robot(), &how, &s->sim, &s->err) != OK)
        return E_INPUT;
    status st = conductor_create(s->world, STEP, 1, &s->conductor, &s->err);
    if (st != OK)
        return st;
    s->log = conductor_listen(s->conductor, &s->kept.sink);
    return conductor_start(s->conductor, s->log, s->sim, objects, 1, &s->err);
}

static inline void stage_good(stage *s, const char *text) {
    if (stage_open(s, text) != OK)
        fail_msg("%s", s->err.text);
}

static inline status stage_run(stage *s, double until) {
    status st = OK;
    for (; st == OK && seconds(s->t) < until - 1e-9; s->t += STEP)
        st = conductor_step(s->conductor, sim_model(s->sim), s->t, STEP, &s->err);
    return st;
}

static inline void stage_go(stage *s, double until) {
    if (stage_run(s, until) != OK)
        fail_msg("%s", s->err.text);
}

static inline void stage_close(stage *s) {
    conductor_destroy(s->conductor);
    sim_destroy(s->sim);
    world_destroy(s->world);
}

static inline pose pose_of(const stage *s, const char *name) {
    return sim_pose(s->sim, (size_t)world_find_body(s->world, name));
}

#endif
