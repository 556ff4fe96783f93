// projector/recorder_int.h - what the files of the recorder share.
#ifndef FORESEE_PROJECTOR_RECORDER_INT_H
#define FORESEE_PROJECTOR_RECORDER_INT_H

#include "projector/recorder.h"
#include "projector/shares.h"
#include "projector/world/levels.h"

enum { FORCE_WINDOW = 5 }; // steps of the running mean of a contact's force: 10 ms

typedef struct touch {
    size_t a, b;       // entities
    int64_t row;       // CONTACT record; 0 while not certain
    nanos start, last; // first and last instant with contact
    int steps;         // seen so far
    int still;         // of these, the last ones with one and the same force and normal
    double approach, impulse, peak;
    vec3 point, normal;
    vec3 window[FORCE_WINDOW];
    int window_count;
    vec3 logged_force, logged_normal;
    double least_change; // N
} touch;

// A body between the fingers of a hand.
typedef struct held_body {
    size_t body, arm;
    int64_t row;          // HOLD record
    keyframe_pose motion; // in the gripper's frame
    nanos seen;           // last instant at which both fingers touched it
} held_body;

// One of the robots.
typedef struct recorder_machine {
    const robot_model *robot;
    const char *name; // in the log
    sim_part own;
    recorder_ids ids; // whose parts lie in those of all robots
    shares *shares;   // of base and joints in the tolerance of the links
    int base_keys;    // since the shares last learned of them
} recorder_machine;

struct recorder {
    const world_model *world;
    const robot_model *robot; // all of them as one
    recorder_machine *machines;
    size_t machine_count;
    const sim *sim;
    sink *log;
    robot_ids parts; // of all robots
    int64_t *entities;
    double *weights;      // by entity, N; infinity: not a free body
    keyframe_pose *poses; // by entity
    size_t *keyed;        // the entities that have pose rows
    size_t keyed_count;
    bool *resting; // by entity: asleep when it was last fed, and not fed since
    bool *present; // by entity
    size_t *lively,
        lively_count; // world bodies that did not rest when they were last fed, ascending
    size_t *scratch;
    size_t *particles, particle_count;
    keyframe_tolerance tolerances[2]; // of a body, of a particle
    keyframe_pose *hands; // of palm and fingers by arm, three each: in their parents' frames
    int64_t *fidelities, *responsibilities; // rows by entity
    bool *heaped;                           // by entity: its level is "heap"
    int64_t *joint_objects;                 // of furniture
    keyframe_value *furniture;              // by joint of the world
    ARRAY(sim_contact) told;                // the contacts of a step that are logged
    keyframe_value *joints;
    int *joint_keys;      // since the shares last learned of them
    int steps;            // since then
    nanos last, step;     // step and its length
    size_t passings;      // noted so far
    ARRAY(touch) touches; // sorted by (a, b)
    ARRAY(touch) merged;  // scratch
    ARRAY(held_body) held;
    arena *names;
};

// ---- recorder_scene.c: what there is ---------------------------------------------------------
status recorder_put_scene(recorder *rec, const projection_inputs *in, double tolerance,
                          const settings *conditions, error *err);
// Who answers for a body of the world from t on, and that nobody does from t on.
// Notes which solver has the contacts of a body that is awake, where that has changed.
status recorder_follow_solver(recorder *rec, size_t body, nanos t, error *err);
status recorder_put_presence(recorder *rec, size_t body, nanos t, error *err);
status recorder_end_presence(recorder *rec, size_t body, nanos t, error *err);

// ---- recorder_holds.c: where held bodies are in hands ----------------------------------------
// After the contacts of a step that ends at t.
status recorder_follow_holds(recorder *rec, nanos t, error *err);
// Makes what was fed so far known.
status recorder_flush_holds(recorder *rec, error *err);

#endif
