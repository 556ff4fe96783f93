// scene/robot/robot_int.h - a robot file while it is read.
#ifndef FORESEE_SCENE_ROBOT_ROBOT_INT_H
#define FORESEE_SCENE_ROBOT_ROBOT_INT_H

#include "scene/robot/robot.h"
#include "scene/load/loading.h"

typedef struct raw_link { // as read; ordered by joints at the end
    robot_link link;
    const ynode *node;
} raw_link;

typedef struct raw_joint {
    robot_joint joint;
    const char *parent, *child;
    const ynode *node, *child_node;
    double home;
    bool home_given, mirrored;
    const char *leader; // of a joint that follows; else NULL
} raw_joint;

typedef struct raw_arm {
    robot_arm arm;
    const char *joints[ARM_JOINTS_MAX]; // as many as arm.joint_count
    bool has_joints, mirrored;
    const ynode *node;
    const char *mount_link; // the frame that the gripper's mount is given in; NULL: the flange
    const ynode *mount_node;
} raw_arm;

// A link that a URDF fixes to another: `at` is its frame in the frame of the robot's link.
typedef struct robot_frame {
    const char *name, *link;
    pose at;
} robot_frame;

typedef struct robot_parts {
    loading l;
    robot_model *m;
    ARRAY(raw_link) links;
    ARRAY(raw_joint) joints;
    ARRAY(raw_arm) arms;
    ARRAY(robot_frame) frames;
    ARRAY(robot_note) notes;
    ynode urdf_place; // of the <robot>
} robot_parts;

// Adds a note about something that is read differently than it is written.
void robot_note_add(robot_parts *r, const ynode *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Reports every one of `keys`, up to a NULL, that `n` lacks; false: there is one.
bool robot_require_keys(loading *l, const ynode *n, const char *what, const char *const *keys);
// A link of the finished tree, or a frame fixed to one, by name; reports when there is none.
bool robot_need_frame(robot_parts *r, const ynode *n, const char *name, size_t *link, pose *at);

// ---- URDF. `links` holds the base alone, and gets its parts.
struct xml_node;
void urdf_build(robot_parts *r, const struct xml_node *robot);
// Controllers and limits that the joints of the finished robot lack: docs/robots.md says how.
void urdf_drive(robot_parts *r, robot_joint *joints);
// Resolves who follows whom among the finished robot's joints, and gives followers the limits and
// the home that their leaders' leave them.
void urdf_followers(robot_parts *r, robot_joint *joints, double *home);
void urdf_base(robot_parts *r);   // the footprint, where the file gives none
void urdf_joints(robot_parts *r); // applies `joints` of the YAML file, by name or pattern
// `limits` of a joint's mapping, in degrees or metres.
void robot_read_limits(loading *l, const ynode *n, robot_joint *j);
// Its controller, its strength and what resists it.
void robot_read_drive(loading *l, const ynode *n, robot_joint *j);

// Finds what may touch, and notes what lies in one another at home or where arms park.
void robot_find_self(robot_parts *r);

// Notes the joints of arms and torso that cannot hold up what hangs on them.
void robot_check_strength(robot_parts *r);

// Camera, laser, odometry, encoders and what the hands feel; the tree of links is built.
void robot_read_senses(robot_parts *r);

#endif
