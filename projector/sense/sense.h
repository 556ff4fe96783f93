// projector/sense/sense.h - from the truth to noisy readings.
//
// Owns:      the queue of readings until they are delivered, the state of every noise stream.
// Invariant: a draw is keyed by (seed, sensor with the operation it serves, object, occurrence
// within it),
//            so that one more operation somewhere never shifts the noise of another.
//
// What a percept truly was goes to the log (PERCEPT_TRUTH, MISSED, VISIBILITY) and never into a
// reading.
#ifndef FORESEE_PROJECTOR_SENSE_SENSE_H
#define FORESEE_PROJECTOR_SENSE_SENSE_H

#include "projector/middleware.h"
#include "base/time/clock.h"
#include "projector/world/sim.h"
#include "schema/sink.h"

typedef struct sense sense;

// Another robot of the simulation.
typedef struct sense_peer {
    const char *name; // borrowed
    size_t number;    // among those of the simulation
    bool marked;      // a tracking system sees its marker
    pose marker;      // in its base's frame
} sense_peer;

typedef struct sense_setup {
    const world_model *world;
    const robot_model *robot;
    size_t number; // of the robot among those of the simulation
    const sim *sim;
    sink *log;
    int64_t agent;
    uint64_t seed;
    const settings *conditions;    // placebos among them give a stream other draws; NULL: none
    const int64_t *entity_objects; // log id of each entity of the simulation
    int64_t robot_object, camera_object, laser_object;
    int64_t tracker_object;         // 0: the robot is not tracked
    const int64_t *gripper_objects; // by arm
    const int64_t *wrist_objects;   // by arm, 0 without such a sensor; NULL: no arm has one
    const sense_peer *peers;        // the other robots; may be NULL
    size_t peer_count;
    nanos cycle;     // encoders and grippers without a rate are read once in it
    stopwatch *rays; // time spent casting rays; NULL: not measured
} sense_setup;

// `setup`, its peers and the ids of grippers and wrists are copied; all else that it points to is
// borrowed.
void sense_create(const sense_setup *setup, sense **out);
void sense_destroy(sense *s);
// The models that the setup names hold other values from now on.
void sense_follow(sense *s);
// All draws come from this seed from now on.
void sense_reseed(sense *s, uint64_t seed);

void sense_power(sense *s, command_kind which, bool on); // COMMAND_CAMERA, COMMAND_LASER
void sense_seek(sense *s, const command *c);             // COMMAND_POLE
void sense_begin(sense *s, const operation *op);
void sense_end(sense *s, const operation *op);
// After each physics step: takes the readings that are due at t.
status sense_step(sense *s, nanos t, error *err);
// When the next reading is taken, or the next one that was taken is delivered.
nanos sense_next_taken(const sense *s);
nanos sense_next_delivered(const sense *s);
// The next reading delivered at or before t; false: none.
bool sense_next(sense *s, nanos t, reading *out);
// Log id of the operation that last began with one of these uses, 0: none.
int64_t sense_operation(const sense *s, unsigned uses);
// What contacts do to the joints of an arm, as its momentum observer has it now, N m or N; NULL:
// the arm has no sensors of torque.
const double *sense_external(const sense *s, size_t arm);
// Ends the intervals of visibility.
status sense_finish(sense *s, nanos t, error *err);

#endif
