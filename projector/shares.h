// projector/shares.h - divides the tolerance of the robot's links among its base and its joints.
//
// Links follow in the log from the keyframes of base and joints, whose errors add up along a chain,
// each by its lever. Levers are those of the posture, so the shares are made anew as the robot
// moves; and the one that needs more keys gets more of the tolerance.
//
// Owns:      the shares in force.
// Invariant: for every link, and every frame fixed to one, base.position + the sum of each joint's
// lever
//            times its width is at most the whole, in every posture in which shares_follow was
//            called.
#ifndef FORESEE_PROJECTOR_SHARES_H
#define FORESEE_PROJECTOR_SHARES_H

#include "scene/robot/robot.h"
#include "schema/motion/keyframe.h"

typedef struct shares shares;

// The robot is borrowed. Shares are those of the posture given (by joint).
shares *shares_create(const robot_model *r, keyframe_tolerance tolerance, const double *q);
void shares_destroy(shares *s); // NULL is a no-op
// The robot stands thus. True: the shares have changed, and are in force from this instant on.
bool shares_follow(shares *s, const double *q);
// How many keys base and joints needed since the last call: who needs more gets more, when shares
// are next made.
void shares_learn(shares *s, int base_keys, const int *joint_keys);
// The base's share, for what hangs on it at up to *lever metres from its origin (itself excepted).
keyframe_width shares_base(const shares *s, double *lever);
double shares_joint(const shares *s, size_t joint); // rad or m

#endif
