// projector/recording.h - a robot that was recorded: what a projection needs of an earlier log to
// have its robot do the same again in a world that is simulated anew, or to have it stand in for
// the robot whose arms follow a station.
//
// Owns:      nothing; who reads the log (cli/runs/recording.h) has it in an arena.
// Invariant: immutable; instants ascend in each of the arrays.
#ifndef FORESEE_PROJECTOR_RECORDING_H
#define FORESEE_PROJECTOR_RECORDING_H

#include <stdbool.h>
#include "base/math/geom.h"
#include "schema/record.h"

// What the encoders said.
typedef struct recorded_posture {
    nanos t;
    const double *positions; // rad or m, by recorded joint
} recorded_posture;

// What contacts did to an arm: about its tool, in the axes of the base; from t on, until the next.
typedef struct recorded_wrench {
    nanos t;
    int64_t gripper;    // number of its name in `objects`, from 1
    bool truth;         // else what the robot's momentum observer made of it
    vec3 force, moment; // N, N m
} recorded_wrench;

// Where the base was, in the world.
typedef struct recorded_base {
    nanos t;
    double x, y, yaw; // m, rad; the yaw goes on beyond a full turn
} recorded_base;

// A record that is put again, or the end of one. Its id is its number among those of its kind, from
// 1, and so are its references to such kinds; one to an object is the number of its name in
// `objects`, from 1; one to the agent is 1.
typedef struct recorded_row {
    nanos at;
    bool ends;
    record record;
} recorded_row;

typedef struct recording {
    const char *file, *hash; // of the log, as a log has them of its sources
    int64_t episode;
    nanos end;                 // of the recording
    bool complete, done;       // it ran to its end; its top task was done
    const char *robot;         // what it is called there
    const char *const *joints; // names in the log
    size_t joint_count;
    const char *const *objects;
    size_t object_count;
    const recorded_posture *postures; // one at least
    size_t posture_count;
    const recorded_base *bases; // one at least
    size_t base_count;
    const recorded_wrench *wrenches; // of a robot that stands in for another one
    size_t wrench_count;
    const recorded_row *rows;
    size_t row_count;
    int64_t counts[RECORD_KINDS]; // records of each kind that is replayed
} recording;

// Of a log that an episode follows, among its sources and its parameters.
#define RECORDING_SOURCE "telemetry"

#endif
