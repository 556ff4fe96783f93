// projector/ensemble/thermal.c - a body that exchanges heat with what surrounds it.
//
// Newton's law of cooling, dT/dt = (A - T) / tau, with the ambient temperature A held over a step:
// T(t + dt) = A + (T(t) - A) exp(-dt / tau), exact for any dt.
#include "projector/ensemble/ensemble_int.h"

typedef struct thermal {
    model model; // first
    double time_constant, ambient, temperature;
} thermal;

static const model_port inputs[] = {{"ambient", PORT_SCALAR, 0, "K", false}};
static const model_port outputs[] = {{"temperature", PORT_SCALAR, 0, "K", false}};

static status thermal_create(const model_setup *setup, model **out, error *err) {
    (void)err;
    thermal *m = mem_must(1, sizeof *m);
    m->model = (model){.class = &THERMAL_MODEL,
                       .inputs = inputs,
                       .outputs = outputs,
                       .input_count = 1,
                       .output_count = 1,
                       .in = &m->ambient,
                       .out = &m->temperature};
    m->temperature = model_setting_of(setup, "start");
    m->time_constant = model_setting_of(setup, "time_constant");
    *out = &m->model;
    return OK;
}

static status thermal_step(model *base, nanos t, nanos dt, error *err) {
    (void)t;
    (void)err;
    thermal *m = (thermal *)base;
    m->temperature =
        m->ambient + (m->temperature - m->ambient) * exp(-seconds(dt) / m->time_constant);
    return OK;
}

static status thermal_save(const model *base, void **state, size_t *size, error *err) {
    (void)err;
    const thermal *m = (const thermal *)base;
    double *kept = mem_must(2, sizeof *kept);
    kept[0] = m->ambient;
    kept[1] = m->temperature;
    *state = kept;
    *size = 2 * sizeof *kept;
    return OK;
}

static status thermal_restore(model *base, const void *state, size_t size, error *err) {
    (void)err;
    thermal *m = (thermal *)base;
    const double *kept = state;
    ASSERT(size == 2 * sizeof *kept);
    m->ambient = kept[0];
    m->temperature = kept[1];
    return OK;
}

const model_class THERMAL_MODEL = {.name = "thermal",
                                   .create = thermal_create,
                                   .step = thermal_step,
                                   .save = thermal_save,
                                   .restore = thermal_restore,
                                   .destroy = player_free};
