// tests/interp/rig.h - runs a plan without physics: the real belief, actions and interpreter
// between a sink that keeps all records and a body that obeys each command at once, without noise.
#ifndef FORESEE_TESTS_INTERP_RIG_H
#define FORESEE_TESTS_INTERP_RIG_H

#include "projector/interp/interp.h"

typedef struct kept {
    record r;
    bool ended;
} kept;

typedef struct rig {
    sink log;
    ARRAY(kept) records;
    bool keep; // false: records are dropped
    arena *text;
    middleware body;
    pose push;           // of the base, that the next odometry reports besides what was commanded
    double vx, vy, wz;   // as commanded last
    int sent;            // encoders, odometry: what the next call gives
    ARRAY(reading) more; // delivered in the next cycle, behind these
    size_t given;        // of them
    nanos now;
    world_model *world, *known;
    robot_model *robot;
    double *q;
    belief *belief;
    mind mind;
    plan *plan;
    interp *interp;
    uint64_t begun; // operations
    robot_ids parts;
    int64_t *objects; // by known body
} rig;

// Loads a plan from its text (its routines may name files of the library) and starts its top task.
void rig_start(rig *r, const char *plan_text);
void rig_cycles(rig *r, int count);
// Runs until the top task has ended, at most `seconds`. Returns whether it is done.
bool rig_run(rig *r, double seconds);
void rig_stop(rig *r);

// Returns whether the top task has ended; *done is whether it was done.
bool rig_ended(const rig *r, bool *done);
// Returns the number of records of a kind, and the i-th of them (from 0); NULL: there are fewer.
size_t rig_count(const rig *r, record_kind kind);
const record *rig_record(const rig *r, record_kind kind, size_t i);
// Returns the task with this dynamic path; NULL: none.
const record *rig_task(const rig *r, const char *dynamic_path);
// Returns the statuses of a task, joined by a space: "created active done".
const char *rig_statuses(rig *r, const char *dynamic_path);
// Returns the instants in s at which a task's condition pulsed, joined by a space.
const char *rig_pulses(rig *r, const char *dynamic_path);
// Lets the next cycle bring a reading that an arm's gripper is open by `opening` m.
void rig_feel(rig *r, size_t arm, double opening);
// Returns the values that a variable was given, in order, joined by a space.
const char *rig_values(rig *r, const char *variable);
// Returns the messages of `log` steps, joined by a space.
const char *rig_notes(rig *r);
// Returns the failure of the task with this dynamic path; NULL: none.
const record *rig_failure(const rig *r, const char *dynamic_path);

#endif
