// projector/robot/kinematics/trajectory.h - paths as knots, timed as fast as the limits allow.
#ifndef FORESEE_PROJECTOR_ROBOT_KINEMATICS_TRAJECTORY_H
#define FORESEE_PROJECTOR_ROBOT_KINEMATICS_TRAJECTORY_H

#include "base/geom.h"
#include "base/mem.h"

// Joint positions of an arm stand in arrays of AXES_MAX, 0 past those it has.
enum { AXES_MAX = 8, TOOL = AXES_MAX, FRAMES = AXES_MAX + 1 };
enum { TRACK_MAX = 2 * AXES_MAX }; // joints of a motion: those of two arms

typedef struct knot {
    double q[TRACK_MAX];
    vec3 hand;   // where the hand is; unused where no limit on it
    bool corner; // comes to rest here
    double s, v, t, share;
} knot;
typedef struct trajectory {
    size_t axes;
    ARRAY(knot) knots;
    double duration;
} trajectory;
typedef struct motion_limits {
    double velocity[TRACK_MAX], acceleration[TRACK_MAX];
    double hand_velocity, hand_acceleration; // 0: none
} motion_limits;
void trajectory_add(trajectory *t, const double *q, vec3 hand, bool corner);
// Times the knots: as fast as every limit allows, at rest at both ends and at corners.
void trajectory_time(trajectory *t, const motion_limits *limits);
void trajectory_at(const trajectory *t, double time, double *q, double *qd);
void trajectory_finish(trajectory *t);

#endif
