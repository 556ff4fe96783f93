// projector/fidelity/fidelity.h - simulates no more finely than somebody looks: lowers bodies that
// the robot is far from, and raises them in time.
//
// After Tallavajhula et al., "Task-Informed Fidelity Management for Speeding Up Robotics
// Simulation". Every body of the world that can move is a tree of its own. Signallers say at which
// level each is to be (near.c, rest.c); the helper (fidelity.c) changes those for which that has
// changed, and puts a record of each change. Nothing here reaches the mind.
//
// Owns:      what it knows of each body. Borrows the simulation and the sink.
// Invariant: a body is lowered only where it has been still; what it carries and what carries it
//            is at a level of its own at every begin of a cycle.
#ifndef FORESEE_PROJECTOR_FIDELITY_FIDELITY_H
#define FORESEE_PROJECTOR_FIDELITY_FIDELITY_H

#include "projector/world/sim.h"
#include "schema/sink.h"

typedef struct fidelity fidelity;

// Who notes what changes: the recorder, of which this part knows no more.
typedef struct fidelity_notes {
    sink *log;
    void *recorder;
    int64_t robot;                                      // log id of the whole robot
    const int64_t *objects;                             // log ids, by entity of the simulation
    const char *(*name)(void *recorder, size_t entity); // its name in the log
    status (*level)(void *recorder, size_t body, nanos t, error *err); // that it has changed
    void *running;
    bool (*runs)(const void *running, const char *operation); // whether one of this name does
} fidelity_notes;

// `w` says what is managed (world_fidelity); where nothing is, the others do nothing. `notes` is
// copied.
void fidelity_create(const world_model *w, const robot_model *r, sim *s,
                     const fidelity_notes *notes, fidelity **out);
void fidelity_destroy(fidelity *f);
// The world's section says otherwise from t on. Everything is raised.
status fidelity_follow(fidelity *f, const world_model *w, nanos t, error *err);
// Before each cycle of the interpreter, at t, so that the plan decides nothing in a world in which
// something would fall: raises what the robot or what moves may meet before the next cycle, and
// what may no longer be at rest. The cycle lasts `dt`.
status fidelity_cycle(fidelity *f, nanos t, nanos dt, error *err);
// After each step of the physics and its records, at its end t: lowers what has come to rest.
status fidelity_step(fidelity *f, nanos t, error *err);
// Whether no steps need be made from t on, before *until, since nothing moves and the world's
// section says that the robot is parked then. Asked before every step; puts a record where it
// changes.
status fidelity_park(fidelity *f, nanos t, bool *parked, nanos *until, error *err);
// Raises everything, at the end t.
status fidelity_finish(fidelity *f, nanos t, error *err);

#endif
