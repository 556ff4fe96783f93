// projector/ensemble/bind.c - a body that is bound to a hand or to another body.
//
// The bond itself lives in the world's solver (projector/world/bonds.h), where what it bears is
// found together with contacts; the model says to what, and how firmly. It has nothing to step.
#include "projector/ensemble/ensemble_int.h"

typedef struct binder {
    model model; // first
    double place[MODEL_BODY_WIDTH];
} binder;

static const model_port outputs[] = {{ENSEMBLE_POSE, PORT_BODY, 0, NULL, false}};

static status bind_create(const model_class *class, model **out) {
    binder *m = mem_must(1, sizeof *m);
    m->model = (model){.class = class, .outputs = outputs, .output_count = 1, .out = m->place};
    *out = &m->model;
    return OK;
}

static status rigid_create(const model_setup *setup, model **out, error *err) {
    (void)setup;
    (void)err;
    return bind_create(&RIGID_BIND_MODEL, out);
}

static status force_create(const model_setup *setup, model **out, error *err) {
    (void)setup;
    (void)err;
    return bind_create(&FORCE_BIND_MODEL, out);
}

static status bind_step(model *base, nanos t, nanos dt, error *err) {
    (void)base;
    (void)t;
    (void)dt;
    (void)err;
    return OK;
}

const model_class RIGID_BIND_MODEL = {
    .name = "rigid_bind", .create = rigid_create, .step = bind_step, .destroy = player_free};
const model_class FORCE_BIND_MODEL = {
    .name = "force_bind", .create = force_create, .step = bind_step, .destroy = player_free};
