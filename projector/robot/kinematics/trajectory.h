// projector/robot/kinematics/trajectory.h - paths as knots, timed as fast as the limits allow.
#ifndef FORESEE_PROJECTOR_ROBOT_KINEMATICS_TRAJECTORY_H
#define FORESEE_PROJECTOR_ROBOT_KINEMATICS_TRAJECTORY_H

#include "base/math/geom.h"
#include "base/mem.h"
#include "projector/robot/kinematics/chain.h"

enum { TRACK_MAX = 2 * AXES_MAX }; // joints of a motion: those of two arms

typedef struct knot {
    double q[TRACK_MAX];
    vec3 hand;   // position of the hand; unused where no limit applies to it
    bool corner; // the motion comes to rest here
    // set by trajectory_time: path parameter, its rate, seconds, and the share of the limits used
    double s, v, t, share;
} knot;
typedef ARRAY(knot) knot_array;

typedef struct trajectory {
    size_t axes;
    knot_array knots;
    double duration; // s
} trajectory;

typedef struct motion_limits {
    double velocity[TRACK_MAX], acceleration[TRACK_MAX];
    double hand_velocity, hand_acceleration; // 0: none
} motion_limits;

void trajectory_add(trajectory *t, const double *q, vec3 hand, bool corner);
// Times the knots: as fast as every limit allows, at rest at both ends and at corners.
void trajectory_time(trajectory *t, const motion_limits *limits);
// Positions and velocities of the axes at `time` s after the start, at rest before it and past the
// end.
void trajectory_at(const trajectory *t, double time, double *q, double *qd);
void trajectory_finish(trajectory *t);

#endif
