// projector/robot/kinematics/chain.h - the kinematic chain of one arm: forward and inverse
// kinematics.
//
// Neither allocates nor knows what the robot believes.
#ifndef FORESEE_PROJECTOR_ROBOT_KINEMATICS_CHAIN_H
#define FORESEE_PROJECTOR_ROBOT_KINEMATICS_CHAIN_H

#include "base/math/rng.h"
#include "scene/robot/robot.h"

// Joint positions of an arm stand in arrays of AXES_MAX, 0 past those it has.
enum { AXES_MAX = 8, TOOL = AXES_MAX, FRAMES = AXES_MAX + 1 };

typedef struct chain {
    size_t count; // joints
    pose root;    // of the link that carries the arm, in the frame one plans in
    pose origin[AXES_MAX];
    vec3 axis[AXES_MAX];
    bool prismatic[AXES_MAX];
    pose tool; // in the flange
    double lower[AXES_MAX], upper[AXES_MAX], rest[AXES_MAX], reach;
} chain;

// `links`: all links' poses in the frame one plans in (robot_forward).
void chain_init(chain *c, const robot_model *r, size_t arm, const pose *links);
// frames: of the links the arm's joints move, and at TOOL of the tool.
void chain_forward(const chain *c, const double q[AXES_MAX], pose frames[FRAMES]);
// Inverse kinematics for the tool by damped least squares from q, which is kept within limits; the
// null space draws towards a bent, comfortable posture with `pull` (0: not at all). True: reached
// within 0.2 mm and 1 mrad, q is the solution.
bool ik_descend(const chain *c, pose target, double pull, int steps, double q[AXES_MAX]);
// The start'th posture from which to look for one: at rest, then seeded random ones all over the
// joints' ranges.
void ik_start(const chain *c, rng_key key, int start, double q[AXES_MAX]);
// The same from `first` (may be NULL), from rest and from seeded random starts, `starts` in all.
// False: q is the nearest that one of them came to, or as it was where the arm is too short.
bool ik_solve(const chain *c, pose target, const double *first, rng_key key, int starts,
              double q[AXES_MAX]);

#endif
