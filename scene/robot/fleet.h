// scene/robot/fleet.h - several robots as one description.
#ifndef FORESEE_SCENE_ROBOT_FLEET_H
#define FORESEE_SCENE_ROBOT_FLEET_H

#include "scene/robot/robot.h"

typedef struct fleet_member {
    const char *name;         // of the robot among the others; NULL where it is alone
    const robot_model *robot; // borrowed
    pose at;                  // of its base, in the plane
} fleet_member;

// Gives links, joints and arms of all members, each member's after those of the one before, as
// those of one robot; the names of links, joints, arms and hands begin with the member's:
// `ann_left_gripper`. Base, head and senses are the first member's. The caller owns it; it borrows
// the members' shapes.
robot_model *fleet_merge(const fleet_member *members, size_t count);

#endif
