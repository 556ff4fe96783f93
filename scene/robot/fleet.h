// scene/robot/fleet.h - several robots as one description.
#ifndef FORESEE_SCENE_ROBOT_FLEET_H
#define FORESEE_SCENE_ROBOT_FLEET_H

#include "scene/robot/robot.h"

typedef struct fleet_member {
    const char *name;         // of the robot among the others; NULL where it is alone
    const robot_model *robot; // borrowed
    pose at;                  // of its base, in the plane
    const char *file;         // where a plan names it, for messages; NULL: nowhere
    int line, column;
} fleet_member;

// The name of a robot's part where the robot is called `as`: it begins with that, in the place of
// the robot's own name if it began with it. In the arena, or `name` itself.
const char *fleet_part_name(arena *a, const char *as, const robot_model *r, const char *name);
// Gives links, joints and arms of all members, each member's after those of the one before, as
// those of one robot; the names of links, joints, arms and hands begin with the member's:
// `ann_left_gripper`, and `wholes` has the members'. Base, head and senses are the first member's.
// The caller owns it; it borrows the members' shapes.
robot_model *fleet_merge(const fleet_member *members, size_t count);

#endif
