// projector/ensemble/model.h - the one way anything is stepped: a model with the verbs of FMI.
//
// A model owns the state of some attributes of some entities and advances it. ODE's world with its
// articulated robot is one model, the main one of every ensemble; a cup that cools is another.
// responsibility(entity, attribute, model) says who answers for what. An observer is a model that
// answers for nothing: it tells events, and others may read its outputs.
//
// The life of a model: a class's `create` reads what the world's file says of it and declares its
// ports; the conductor connects them, and reports all at once what it cannot connect; `start`;
// then steps, each after the conductor has written the inputs; `destroy`. A model talks to nobody
// but by its ports and events, so that it may as well live in a process of its own
// (projector/ensemble/foreign).
//
// Threads:   none. Whatever a model waits for, its results depend on inputs and time alone.
// Invariant: `in` and `out` have a place for every double that the ports declare, `at` to
//            `at + model_port_width(kind)`, from `create` to `destroy`.
#ifndef FORESEE_PROJECTOR_ENSEMBLE_MODEL_H
#define FORESEE_PROJECTOR_ENSEMBLE_MODEL_H

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "base/mem.h"
#include "base/status.h"
#include "base/time/times.h"

struct robot_gripper;
struct sim_contact; // projector/world/sim.h
struct sim_grain;   // projector/world/contents.h
struct world_model;
typedef struct model model;

// What passes through a port.
typedef enum model_port_kind {
    PORT_SCALAR, // one number, in SI units
    PORT_BODY // position (m), quaternion (w x y z), linear and angular velocity (m/s, rad/s) of a
              // body's frame: 13 numbers, world axes; the velocity is that of the frame's origin
} model_port_kind;
typedef struct model_port {
    const char *name; // as `inputs` and `outputs` of the world's file name it
    model_port_kind kind;
    size_t at;        // its first double in `in` or `out`
    const char *unit; // of a scalar, as the class knows it; NULL: not known
    bool optional;    // of an input: what stands in `in` after `create` holds where nothing is
                      // connected
} model_port;
enum { MODEL_BODY_WIDTH = 13 };
static inline size_t model_port_width(model_port_kind kind) {
    return kind == PORT_BODY ? MODEL_BODY_WIDTH : 1;
}

// What a model observed: `name` lives as long as the model; `entity` is one of the simulation's,
// -1: none.
typedef struct model_event {
    const char *name;
    int64_t entity;
} model_event;

// What the world's file says of one model, resolved; lives until `destroy`.
typedef struct model_setting {
    const char *name;
    double number;    // NAN where it is a text
    const char *text; // as it is written
} model_setting;
typedef struct model_setup {
    const char *name;                // of the model, unique in its ensemble
    nanos every;                     // between two steps
    uint64_t seed;                   // of the episode
    const char *file;                // of a foreign model: as the disk has it; NULL: none
    const struct world_model *world; // for who has to know its shapes; outlives the model
    const char *const *inputs;       // names that the file connects, in its order
    size_t input_count;
    const char *const *outputs;
    size_t output_count;
    const model_setting *settings; // what else stands in the model's mapping
    size_t setting_count;
} model_setup;
// A number that the world's file gives the model. NAN: it gives none of that name.
static inline double model_setting_of(const model_setup *setup, const char *name) {
    for (size_t i = 0; i < setup->setting_count; i++)
        if (strcmp(setup->settings[i].name, name) == 0)
            return setup->settings[i].number;
    return NAN;
}

typedef struct model_class {
    const char *name; // ode, thermal, fmu, ...
    // Its time cannot be left out, nor its state be set from outside: it is stepped also while it
    // answers for nothing, and what is handed to it becomes what it gives.
    bool own_time;
    // It looks on: it is stepped also while it answers for nothing, and tells what it sees.
    bool looks_on;
    // It moves the bodies whose poses it answers for by laws of its own, and nobody else does
    // meanwhile. Its outputs are their poses, each under the body's name.
    bool moves;
    // Makes a model that is not started: its ports are declared, `out` holds what the outputs are
    // at the start. E_INPUT: what `setup` says cannot be; the sentence says why, and the caller
    // adds where it stands. NULL: made otherwise (ode).
    status (*create)(const model_setup *setup, model **out, error *err);
    // The inputs hold what they are at the start, t. NULL: nothing to do.
    status (*start)(model *m, nanos t, error *err);
    // Begins the step that the next call of `step`, with the same times, completes; `in` is read
    // before it returns. Between the two nothing else is asked of the model, and other models work.
    // NULL: `step` does it all.
    status (*post)(model *m, nanos t, nanos dt, error *err);
    // Advances from `t` to `t + dt`, or completes what `post` began: reads `in`, writes `out`,
    // tells events. A model without time of its own (`step: free`) is given dt = 0. E_DIVERGED: a
    // state left the finite numbers or its sane bounds, or its process died, hung or broke the
    // protocol: the sentence says which. Then `out` is as before.
    status (*step)(model *m, nanos t, nanos dt, error *err);
    // An event that a trigger sends to it. False: it knows none of that name. NULL: it knows none.
    bool (*receive)(model *m, nanos t, const model_event *event);
    // It answers from now on (`on`), or no longer, for an attribute of an entity. When it begins,
    // `out` holds the attribute as it is now. NULL: it makes no difference.
    void (*set_responsible)(model *m, int64_t entity, const char *attribute, bool on);
    // It holds bodies in a hand, one at a time: the pose that it gives is one in the palm's frame,
    // to which the body is drawn with a limited force. Told once, before it gets the first body;
    // both outlive the model. NULL: a pose is one in the world, and whoever answers for it binds
    // the body where it is.
    void (*holds_by)(model *m, const struct world_model *world, const struct robot_gripper *hand);
    // Of one that moves bodies or particles: their contacts in the last step, sorted by (a, b),
    // among each other (of bodies), with what they are in (of particles) and with what never moves;
    // borrowed until the next step.
    const struct sim_contact *(*contacts)(const model *m, size_t *count);
    // Of one that moves the particles in a body, `contents`: takes them over as they are, in the
    // order of the world's bodies, as many as `out` says; and tells how they are after a step, with
    // what they exert on the body on average: N, then N m about its centre of mass, world axes.
    // Borrowed until the next step. Its `contacts` are those of the particles.
    void (*fill)(model *m, const struct sim_grain *all);
    const struct sim_grain *(*contents)(const model *m, const double **load);
    // Copies the whole state, ports included, into *state of *size bytes, which the caller frees;
    // and goes back to such a copy, made by this very model: from there the same inputs give the
    // same bits. Both NULL: it cannot. `keeps` NULL: it can; else it says whether.
    status (*save)(const model *m, void **state, size_t *size, error *err);
    status (*restore)(model *m, const void *state, size_t size, error *err);
    bool (*keeps)(const model *m);
    void (*destroy)(model *m);
} model_class;

// What every model begins with.
struct model {
    const model_class *class;
    const model_port *inputs, *outputs; // declared by `create`
    size_t input_count, output_count;
    double *in;                // written by the conductor before `post` and `step`
    double *out;               // written by the model
    ARRAY(model_event) events; // told in the last step; emptied by the conductor
};

static inline status model_post(model *m, nanos t, nanos dt, error *err) {
    return m->class->post ? m->class->post(m, t, dt, err) : OK;
}
// The whole step, from its beginning on.
static inline status model_step(model *m, nanos t, nanos dt, error *err) {
    status st = model_post(m, t, dt, err);
    return st == OK ? m->class->step(m, t, dt, err) : st;
}
static inline void model_tell(model *m, const char *name, int64_t entity) {
    array_push(&m->events, ((model_event){name, entity}));
}

#endif
