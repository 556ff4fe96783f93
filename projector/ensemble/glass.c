// projector/ensemble/glass.c - a glass that checks whether an impact broke it.
//
// It does so when a trigger sends it the event `check`, and not by itself. What is broken stays so.
#include "projector/ensemble/ensemble_int.h"

typedef struct glass {
    model model; // first
    double breaks_at, approach, broken;
    bool breaks; // found out, and not told yet
} glass;

static const model_port inputs[] = {{"approach", PORT_SCALAR, 0, "m/s", false}};
static const model_port outputs[] = {{"broken", PORT_SCALAR, 0, "1", false}};

static status glass_create(const model_setup *setup, model **out, error *err) {
    (void)err;
    glass *m = mem_must(1, sizeof *m);
    m->model = (model){.class = &GLASS_MODEL,
                       .inputs = inputs,
                       .outputs = outputs,
                       .input_count = 1,
                       .output_count = 1,
                       .in = &m->approach,
                       .out = &m->broken};
    m->breaks_at = model_setting_of(setup, "breaks_at");
    *out = &m->model;
    return OK;
}

static bool glass_receive(model *base, nanos t, const model_event *event) {
    (void)t;
    glass *m = (glass *)base;
    if (strcmp(event->name, "check") != 0)
        return false;
    m->breaks = m->breaks || m->approach > m->breaks_at;
    return true;
}

static status glass_step(model *base, nanos t, nanos dt, error *err) {
    (void)t;
    (void)dt;
    (void)err;
    glass *m = (glass *)base;
    if (m->breaks && m->broken == 0) {
        m->broken = 1;
        model_tell(base, "broke", -1);
    }
    m->breaks = false;
    return OK;
}

const model_class GLASS_MODEL = {.name = "glass",
                                 .create = glass_create,
                                 .step = glass_step,
                                 .receive = glass_receive,
                                 .destroy = player_free};
