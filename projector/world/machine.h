// projector/world/machine.h - what the simulation keeps of a robot: hands, controllers, drive.
#ifndef FORESEE_PROJECTOR_WORLD_MACHINE_H
#define FORESEE_PROJECTOR_WORLD_MACHINE_H

#include "projector/world/dynamics/aba.h"
#include "projector/world/dynamics/burden.h"
#include "projector/world/sim.h"
#include <ode/ode.h>

typedef struct hand {
    size_t palm, fingers[2]; // entities
    int node;                // flange
    pose mount;
    dJointID linear, angular, sliders[2];
    dJointFeedback linear_feedback, angular_feedback;
    double opening, force;            // commanded
    double start;                     // distance of each pad from the middle at slider position 0
    double mass;                      // of palm and fingers
    double pad_force[2];              // of the last step
    vec3 wrench_force, wrench_torque; // of the last step, on the flange, in its frame
    shape palm_shape, pad_shape;
    vec3 finger_at[2]; // from the palm's centre, at slider position 0
    vec3 at;           // of the palm's centre of mass before the step of ODE
    double linear_axes[3][3], angular_axes[3][3]; // of the motors, as columns
    // While nothing touches the hand, it rides: a part of the flange, and its bodies of ODE rest.
    bool rides;
    int quiet;                      // steps since something touched it
    pose offset;                    // of the palm from where it belongs, in its frame; dies away
    double slide[2], slide_rate[2]; // of the fingers, outwards from `start`: m, m/s
    double slide_before[2];         // the same in the step before
    int unmoved;                    // steps in which nothing moved in the flange's frame, 2 at most
    burden burden;                  // palm and fingers together, in the flange's frame
} hand;

typedef enum control_mode {
    CONTROL_POSITION,
    CONTROL_VELOCITY,  // towards to_velocity
    CONTROL_EFFORT,    // `effort` beside what holds the robot's own weight
    CONTROL_IMPEDANCE, // of the arm's tool; the joint itself holds the posture softly
    CONTROL_SPRING     // towards `to`, which moves at to_velocity, by `stiffness` and `damping`
} control_mode;

// The target of one joint's controller. Of positions: a cubic from (from, from_velocity) at `start`
// to (to, to_velocity) at `end`, on the line of the velocity until `coast`, then still.
typedef struct joint_target {
    control_mode mode;
    double effort, stiffness, damping;
    nanos start, end, coast;
    double from, from_velocity, to, to_velocity;
} joint_target;

// One arm's tool on springs; the target moves from `from` at `start` to the goal's at `end`.
typedef struct impedance_control {
    bool on;
    sim_impedance goal;
    pose from; // in the base's frame
    nanos start, end;
    // That the redundancy is drawn to: from one at `start` to another at `end`.
    double posture_from[ARM_JOINTS_MAX], posture[ARM_JOINTS_MAX];
    int age; // steps since the command
    // A person's hand at the tool: where it pulls to, in the base's frame, how hard at most (0:
    // there is none), and how hard in the last step, in the world.
    vec3 led_to, led;
    double led_by;
    // Square roots of the stiffness about the frame's axes, its modes as columns, and what the
    // damping of each is over the root's.
    double root[6], modes[6][6], damping[6];
} impedance_control;

// How a base is driven.
typedef struct drive {
    double vx, vy, wz;        // commanded, base frame
    double ref[3], ref_qd[3]; // x, y, heading in the world
    double mass, inertia;
} drive;

// One of the robots, all of which are one model and one forest of trees to the rest: robots after
// one another.
typedef struct machine {
    fleet_member member;                 // by itself
    size_t first_joint, first_arm, base; // base: entity
    int root;                            // the first node of its plane
    drive drive;
    bool *ignored_fixed; // world bodies that the base rolls on
} machine;

#endif
