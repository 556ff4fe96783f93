// projector/ensemble/grasp_monitor.c - an observer: whether a thing is grasped, not how.
//
// A thing is grasped while two parts of a hand touch it. A change counts when two looks in a row
// show it, so that a finger that bounces tells nothing.
#include "projector/ensemble/ensemble_int.h"

static const double GRASPING = 2; // parts of hands

typedef struct grasp_monitor {
    model model; // first
    double fingers;
    bool grasped, changing; // as it was told; the last look showed the opposite
} grasp_monitor;

// A count has no unit, whatever gives it.
static const model_port inputs[] = {{"fingers", PORT_SCALAR, 0, NULL, false}};

static status monitor_create(const model_setup *setup, model **out, error *err) {
    (void)setup;
    (void)err;
    grasp_monitor *m = mem_must(1, sizeof *m);
    m->model = (model){
        .class = &GRASP_MONITOR_MODEL, .inputs = inputs, .input_count = 1, .in = &m->fingers};
    *out = &m->model;
    return OK;
}

static status monitor_step(model *base, nanos t, nanos dt, error *err) {
    (void)t;
    (void)dt;
    (void)err;
    grasp_monitor *m = (grasp_monitor *)base;
    bool differs = (m->fingers >= GRASPING) != m->grasped;
    if (differs && m->changing) {
        m->grasped = !m->grasped;
        model_tell(base, m->grasped ? "grasped" : "released", -1);
        differs = false;
    }
    m->changing = differs;
    return OK;
}

const model_class GRASP_MONITOR_MODEL = {.name = "grasp_monitor",
                                         .create = monitor_create,
                                         .step = monitor_step,
                                         .destroy = player_free};
