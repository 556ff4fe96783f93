// tests/interp/rig.h - a plan run without physics: a sink that keeps records, a body that does at
// once what it is told, without noise, and the real belief, actions and interpreter between them.
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

// Loads the plan given as text (its routines may name files of the library), and puts the top task.
void rig_start(rig *r, const char *plan_text);
void rig_cycles(rig *r, int count);
// Runs until the top task has ended, at most `seconds`. Returns whether it is done.
bool rig_run(rig *r, double seconds);
void rig_stop(rig *r);

// Whether, and how, the top task ended.
bool rig_ended(const rig *r, bool *done);
size_t rig_count(const rig *r, record_kind kind);
const record *rig_record(const rig *r, record_kind kind, size_t i);
// The i-th task (from 0) with this dynamic path; NULL: none.
const record *rig_task(const rig *r, const char *dynamic_path);
// Statuses of a task, joined by a space: "created active done".
const char *rig_statuses(rig *r, const char *dynamic_path);
// Instants in s of the pulses that a task's condition gave, joined by a space.
const char *rig_pulses(rig *r, const char *dynamic_path);
// The opening of an arm's gripper, as a reading says that comes in the next cycle.
void rig_feel(rig *r, size_t arm, double opening);
// Values that a variable was given, in order, joined by a space.
const char *rig_values(rig *r, const char *variable);
// Messages of `log`, joined by a space.
const char *rig_notes(rig *r);
// The failure of the task with this dynamic path; NULL: none.
const record *rig_failure(const rig *r, const char *dynamic_path);

#endif
