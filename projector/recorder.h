// projector/recorder.h - writes what truly happens: the scene once, then motion and contacts as
// changes.
//
// Owns:      keyframe streams, open contacts, the log ids of everything that is named in the world.
// Invariant: contacts are intervals; a row is put when one is certain, dated back to its first
// instant.
#ifndef FORESEE_PROJECTOR_RECORDER_H
#define FORESEE_PROJECTOR_RECORDER_H

#include "projector/inputs.h"
#include "projector/robot_ids.h"
#include "projector/world/sim.h"
#include "schema/motion/keyframe.h"
#include "schema/sink.h"

typedef struct recorder recorder;

// Log ids (OBJECT records) of what is in the world; borrowed from the recorder.
typedef struct recorder_ids {
    size_t number;           // of the robot among those of the simulation
    const int64_t *entities; // by entity of the simulation
    robot_ids parts;         // of the robot
    int64_t robot;           // the whole robot
    int64_t agent;           // AGENT record
} recorder_ids;

// `s` says which robots there are; where there are several, each has its own objects and its own
// agent, called as the robot is, and its parts' names begin with that. Puts sources, parameters,
// fingerprint, objects, shapes, linkages, agent, responsibilities and fidelities, and the state at
// t = 0. `tolerance` scales that of the keyframes: 1 is the default, 0 records every step exactly.
// `conditions` are put down as parameters; NULL: none.
status recorder_create(const projection_inputs *in, const world_model *w, const sim *s, sink *log,
                       double tolerance, const settings *conditions, recorder **out, error *err);
void recorder_destroy(recorder *rec);
const recorder_ids *recorder_identities(const recorder *rec, size_t robot);
// Puts more conditions down as parameters.
status recorder_put_conditions(recorder *rec, const settings *conditions, error *err);
// The name in the log of an entity of the simulation; lives as long as the recorder.
const char *recorder_name(recorder *rec, size_t entity);
// Notes at which level of fidelity a body of the world is simulated from t on.
status recorder_put_level(recorder *rec, size_t body, nanos t, error *err);
// Notes that another model answers for the pose of a body that is there, from t on.
status recorder_put_answer(recorder *rec, size_t body, const char *by, nanos t, error *err);
// After each physics step of length dt, at its end t.
status recorder_step(recorder *rec, nanos t, nanos dt, error *err);
// Makes everything up to t known and durable: keys every body that moved, then commits.
status recorder_commit(recorder *rec, nanos t, error *err);
// Ends what is open at t, except what lasts (contacts that still hold stay without an end).
status recorder_finish(recorder *rec, nanos t, error *err);

#endif
