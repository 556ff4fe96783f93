// projector/ensemble/conductor.h - several models of one world, each responsible where it is best.
//
// After Bauer, Koepken and Leidner, "Multi-Agent Heterogeneous Digital Twin Framework with Dynamic
// Responsibility Allocation for Complex Task Simulation". The main model times the others. A step
// from t to t + dt: triggers look at what happened in the last step and may move responsibility
// from one model to another; models that are due get their inputs and are posted; the main model
// steps; models whose results are due by t + dt complete, in the order of the world's file; what
// they answer for is written and logged. Nothing here reaches the mind.
//
// Owns:      the models and the values of all slots. Borrows world, simulation and sink.
// Invariant: every slot has one owner at every instant, and a row of the log says which.
#ifndef FORESEE_PROJECTOR_ENSEMBLE_CONDUCTOR_H
#define FORESEE_PROJECTOR_ENSEMBLE_CONDUCTOR_H

#include "projector/world/sim.h"
#include "scene/world/world.h"
#include "schema/sink.h"

typedef struct conductor conductor;

// Makes the models of the world's section `ensemble` and connects their ports; `step` is that of
// the main model. E_INPUT, with the place in the world's file: a model that cannot be made, a port
// that there is not or that nothing is connected to, a period that is no multiple of `step`.
status conductor_create(const world_model *w, nanos step, uint64_t seed, conductor **out,
                        error *err);
void conductor_destroy(conductor *c);
// Whether there are models beside the main one, so that no step may be left out.
bool conductor_conducts(const conductor *c);
// A sink that passes everything on to `log` and tells the conductor which operations begin and how
// grippers are read; `log` itself where nothing asks for that. To be asked for before any record is
// put.
sink *conductor_listen(conductor *c, sink *log);
// Who answers for the pose of a body is told to others, such as the recorder, from `t` on.
typedef struct conductor_poses {
    status (*answers)(void *context, size_t entity, const char *by, nanos t, error *err);
    void *context;
} conductor_poses;
void conductor_tell_poses(conductor *c, conductor_poses to);
// Starts the models at 0 and puts their records, with `tolerance` as that of keyframes. `objects`
// are log ids by entity; `world` is the main model's (NULL: nothing is told of bodies, and none is
// bound). E_INPUT: a trigger names an actuator that there is not, or a model a carrier; a body
// cannot be bound, or not now.
status conductor_start(conductor *c, sink *log, sim *world, const int64_t *objects,
                       double tolerance, error *err);
// Steps all models from t to t + dt, which is the `step`. E_DIVERGED: a model failed, the main one
// or one that does not fall back; the sentence names it, the time, and its last inputs.
status conductor_step(conductor *c, model *main, nanos t, nanos dt, error *err);
// Puts the last keyframes.
status conductor_finish(conductor *c, error *err);
// The value of a slot of the world's section, as it is now.
double conductor_value(const conductor *c, size_t slot);

#endif
