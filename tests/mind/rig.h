// tests/mind/rig.h - a kitchen, a robot with ideal actuators, and a mind to test.
//
// The body follows commands exactly and computes its readings from its own kinematics, with the
// noise that a test asks for. The fingers take an object when they close about it; an object that
// they let go falls straight down.
#ifndef FORESEE_TESTS_MIND_RIG_H
#define FORESEE_TESTS_MIND_RIG_H

#include "tests/testlib.h"
#include "projector/robot/actions/action_int.h"
#include "projector/robot/actions/functions.h"
#include "projector/robot/grasping/grasp.h"
#include "projector/robot/grasping/placing.h"
#include "projector/robot/planning/drive.h"
#include "projector/robot/planning/places.h"
#include "projector/robot/planning/stand.h"

typedef struct rig_sink {
    sink head;
    size_t counts[RECORD_KINDS];
    ARRAY(record) records; // texts copied
    arena *texts;
} rig_sink;

typedef struct rig {
    world_model *world, *known;
    robot_model *robot;
    rig_sink log;
    belief *belief;
    mind mind;
    middleware body;
    robot_ids ids;
    nanos t;
    // The truth:
    pose base;
    double twist[3], *q, *qd, *target, *target_velocity;
    double opening[2], grip_target[2], grip_force[2];
    bool closing[2];
    pose *objects;   // by world body
    int64_t held[2]; // world body or -1
    double width[2]; // of what is held, between the pads
    pose in_hand[2];
    bool camera, laser;
    nanos camera_at, laser_at;
    const char *pole;                  // type that the laser's driver looks for; NULL: none
    pose pole_at;                      // where, in the base
    size_t pole_scans;                 // how many of the next scans report it there
    void (*each_cycle)(struct rig *r); // what else happens, before the mind reads; may be NULL
    // Noise of the readings:
    uint64_t seed, draws;
    double noise;         // scales percepts, laser and odometry; 0: ideal
    double odometry_gain; // 1: right
    // Readings that are not yet delivered:
    ARRAY(reading) queue;
    size_t queue_at;
    arena *memory; // of the queue
    arena *scratch;
    // Of the last cycle:
    double worst_joint_speed, worst_joint_acceleration; // shares of the limits
    double *qd_before;
} rig;

rig *rig_create(uint64_t seed, double noise); // in the kitchen
rig *rig_create_in(const char *scene, uint64_t seed, double noise);
rig *rig_create_with(const char *scene, const char *machine, uint64_t seed, double noise);
// Changes how a type can be grasped, in the true world and in the known one.
void rig_grasps(rig *r, const char *type, const grasp_way *ways, size_t count);
void rig_destroy(rig *r);
// rig_sense makes readings and lets the belief read those that are due; rig_move ends the cycle and
// moves the body by one control cycle.
void rig_sense(rig *r);
void rig_move(rig *r);

typedef struct rig_result {
    action_state state;
    const term *result;
    action_failure failure;
    double seconds;
} rig_result;
// Runs one action to its end. The arguments are pairs of a key and the text of its value, then
// NULL.
rig_result rig_do(rig *r, const char *name, ...);
const term *rig_term(rig *r, const char *text);
// Returns the true body of the object's type that is closest to a believed object.
size_t rig_body_of(const rig *r, const believed_object *o);
// Returns the least distance between the robot and the true world, without the objects whose names
// stand in `except`. *who is the nearest body.
double rig_clearance(rig *r, const char *except, const char **who);
double rig_normal(rig *r);

#endif
