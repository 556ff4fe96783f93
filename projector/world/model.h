// projector/world/model.h - the one way anything is stepped: a model with the verbs of FMI.
//
// A model owns the state of some attributes of some entities and advances it. ODE's world with its
// articulated robot is one model; responsibility(entity, attribute, model) says who answers for
// what.
#ifndef FORESEE_PROJECTOR_WORLD_MODEL_H
#define FORESEE_PROJECTOR_WORLD_MODEL_H

#include "base/status.h"
#include <stdbool.h>
#include "base/time/times.h"

typedef struct model model;
typedef struct model_class {
    const char *name; // ode, ...
    // Advances from `t` to `t + dt`. E_DIVERGED: a state left the finite numbers or its sane
    // bounds.
    status (*step)(model *m, nanos t, nanos dt, error *err);
    void (*set_responsible)(model *m, int64_t entity, const char *attribute, bool on);
    void (*destroy)(model *m);
} model_class;
struct model {
    const model_class *class;
};
static inline status model_step(model *m, nanos t, nanos dt, error *err) {
    return m->class->step(m, t, dt, err);
}

#endif
