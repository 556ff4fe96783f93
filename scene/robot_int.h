// scene/robot_int.h - a robot file while it is read.
#ifndef FORESEE_SCENE_ROBOT_INT_H
#define FORESEE_SCENE_ROBOT_INT_H

#include "scene/robot.h"
#include "scene/scene_int.h"

typedef struct raw_link { // as read; ordered by joints at the end
    robot_link link;
    const ynode *node;
} raw_link;

typedef struct raw_joint {
    robot_joint joint;
    const char *parent, *child;
    const ynode *node, *child_node;
    double home;
    bool home_given;
} raw_joint;

typedef struct raw_arm {
    robot_arm arm;
    const char *joints[7];
    bool has_joints;
    const ynode *node;
} raw_arm;

typedef struct robot_parts {
    loading l;
    robot_model *m;
    ARRAY(raw_link) links;
    ARRAY(raw_joint) joints;
    ARRAY(raw_arm) arms;
} robot_parts;

// A link's place in `links` by name; reports when there is none, and returns -1.
int64_t robot_need_link(robot_parts *r, const ynode *n, const char *name);
// Camera, laser, odometry and encoders; the tree of links is built.
void robot_read_senses(robot_parts *r);

#endif
