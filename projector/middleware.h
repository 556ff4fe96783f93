// projector/middleware.h - the boundary between mind and body.
//
// Commands go down, readings come up with the times they were taken and delivered. The simulated
// robot implements it; a recording or a real robot can too. Nothing above it can see the truth:
// what is here is all that interp/, robot/ and belief/ ever learn of the world.
#ifndef FORESEE_PROJECTOR_MIDDLEWARE_H
#define FORESEE_PROJECTOR_MIDDLEWARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/math/geom.h"
#include "base/status.h"
#include "base/time/times.h"
#include "scene/robot/robot.h"

// ---- Readings -----------------------------------------------------------------------------------
typedef enum reading_kind {
    READING_ENCODERS, // joint positions and velocities, every control cycle
    READING_ODOMETRY, // motion of the base since the last odometry reading
    READING_LASER,    // only while switched on
    READING_CAMERA,   // one frame, only while switched on
    READING_GRIPPER,  // every control cycle, one per arm
    READING_WRENCH,   // at the wrist's own rate, one per arm that has such a sensor
    READING_TORQUES,  // at its own rate, one per arm that has such sensors in its joints
    READING_TRACKER,  // only of a robot that is tracked; late, or never
    READING_DETECTOR  // of another robot that the robot recognises; at its own rate
} reading_kind;

typedef struct percept {
    int64_t id;       // of the log's percept record
    const char *type; // recognised type and colour; partial description, never an identity
    const char *color;
    pose at; // in the robot's base frame at the time the frame was taken, noisy
} percept;

typedef struct reading {
    reading_kind kind;
    int64_t id; // of the log's reading record; 0 where it is not logged
    nanos taken, delivered;
    union {
        struct {
            size_t count;                      // joints
            const double *position, *velocity; // by joint of the robot model; velocity: smoothed
                                               // change of the noisy positions
        } encoders;
        struct {
            double dx, dy, dyaw; // in the base frame at the last reading; m, rad
            double vx, vy, wz;   // m/s, rad/s, base frame; smoothed from the noisy motion
        } odometry;
        struct {
            size_t count;
            const double *ranges; // m, from -fov/2; infinity: nothing in range
            const percept *pole;  // that the scan's driver found where one is sought; NULL: none
        } laser;
        struct {
            size_t count;
            const percept *percepts; // by their bearing from the base, right to left
        } camera;
        struct {
            size_t arm;
            double opening;        // between the pads, m
            double force;          // N, between the pads, noisy
            bool touch_1, touch_2; // a pad feels contact
            bool moving;
        } gripper;
        struct {
            size_t arm;
            vec3 force,
                torque; // N, N m: what the hand exerts on the flange, with the hand's own
                        // weight taken off as the encoders tell it; flange's frame and origin
        } wrench;
        struct {
            size_t arm;
            double torque[ARM_JOINTS_MAX]; // of the arm's joints as measured, N m or N
            vec3 force, moment;            // of all contacts on the arm, as its momentum observer
                                           // estimates it: N, N m about the tool, base's frame
        } torques;
        struct {
            pose at;        // of the marker in the tracking system's frame
            const char *of; // the other robot whose marker it is; NULL: the robot's own
        } tracker;
        struct {
            pose at;        // of the other robot's base in the own one, planar
            const char *of; // its name
        } detector;
    };
} reading; // arrays are borrowed until the next call of `next`

// ---- Commands -----------------------------------------------------------------------------------
typedef enum command_kind {
    COMMAND_JOINT, // target of one joint; the world interpolates to it over the cycle, then follows
                   // the velocity's line
    COMMAND_IMPEDANCE, // the arm's tool as a mass on springs, until another command for its joints
    COMMAND_LEAD,      // a person's hand at the arm's tool: the plan's, and no controller's
    COMMAND_FOLLOW,  // an arm follows the operator's station, until another command for its joints
    COMMAND_BASE,    // twist of the base in its own frame
    COMMAND_GRIPPER, // moves the fingers and keeps the force
    COMMAND_CAMERA,  // on, off
    COMMAND_LASER,   // on, off
    COMMAND_POLE     // what the laser's driver looks for in each scan from here on, and where
} command_kind;

typedef enum joint_mode {
    JOINT_POSITION, // the position controller's stiffness and damping
    JOINT_VELOCITY, // its damping alone, towards `velocity`
    JOINT_TORQUE    // `effort`, with the joint's friction as the only damping
} joint_mode;

// Cartesian impedance of one arm: force = K (target - tool) + D (target's velocity - velocity) +
// wrench, as joint torques of the arm beside what holds its own weight; joints keep their effort
// limits. The redundancy is drawn to the posture that the command gives, or else to the last one
// that held, at first the one at which the command came.
typedef struct impedance {
    size_t arm;
    pose target;              // of the tool, in the base's frame; the world interpolates to it
                              // over the cycle
    vec3 stiffness, rotation; // N/m along, N m/rad about the axes of `frame`; 0: free
    quat frame;               // in the base's frame
    vec3 force, torque;       // exerted on the world beside the springs, N, N m, base's frame
    double damping;           // ratio, of the springs against the arm's own inertia; 1: critical
    double effort;            // N: the springs together pull no harder; 0: no such limit
    bool drawn;               // `posture` is given
    double posture[ARM_JOINTS_MAX]; // of the arm's joints; interpolated to as the target is
    double margin; // m: efforts keep the arm this far from known, fixed bodies; 0: no such
    pose place;    // of the base in the map, as believed: where the controller looks for them from
} impedance;

typedef struct command {
    command_kind kind;
    union {
        struct {
            size_t joint;
            double position, velocity;
            joint_mode mode; // 0: position
            double effort;   // JOINT_TORQUE: N m or N, beside what holds the robot's own weight
        } joint;
        impedance impedance;
        struct {
            size_t arm;
            vec3 to;      // where the hand pulls the tool to, base's frame
            double force; // N, at most; 0: it lets go
        } lead;
        struct {
            size_t arm;
            bool on; // false: it holds where it is
        } follow;
        struct {
            double vx, vy, wz;
        } base;
        struct {
            size_t arm;
            double opening; // target distance between the pads, m
            double force;   // at most, N
            bool close;     // the hand means to hold (close) or to let go (open)
        } gripper;
        struct {
            bool on;
        } power;
        struct {
            const char *type; // that percepts of it bear; NULL: nothing is sought any more
            double diameter;  // m
            pose expected;    // in the base's frame: it is looked for near there, and height and
                              // orientation, which a scan does not tell, are those expected
        } pole;
    };
} command;

// ---- Annotation ---------------------------------------------------------------------------------
// The actuators and sensors that an operation uses. By them the log can say for which operation a
// command was given or a reading taken, and noise is keyed by the step of the plan that it serves.
typedef enum use_bit {
    USE_BASE = 1,
    USE_TORSO = 2,
    USE_HEAD = 4,
    USE_CAMERA = 8,
    USE_LASER = 16,
    USE_ARM_0 = 32,    // the arm with index i: USE_ARM_0 << (2 * i)
    USE_GRIPPER_0 = 64 // its gripper: USE_GRIPPER_0 << (2 * i)
} use_bit;
static inline unsigned use_arm(size_t i) {
    return (unsigned)USE_ARM_0 << (2 * i);
}
static inline unsigned use_gripper(size_t i) {
    return (unsigned)USE_GRIPPER_0 << (2 * i);
}

typedef struct operation {
    int64_t id;       // of the log's operation record
    const char *path; // static code path of its task; lives as long as the operation
    const char *name; // navigate, detect, ...
    unsigned uses;
    uint64_t occurrence; // counts operations of the same path: 0, 1, ...
} operation;

typedef struct middleware middleware;
struct middleware {
    void *self;
    // Takes effect at the next physics step. The operation last begun for the actuator is its
    // cause.
    status (*send)(void *self, const command *c, error *err);
    // The next delivered reading, in order of delivery; false when the queue is empty.
    bool (*next)(void *self, reading *out);
    void (*begin)(void *self, const operation *op);
    void (*end)(void *self, const operation *op);
};

#endif
