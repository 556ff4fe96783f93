// projector/robot/planning/collision_scene.h - the obstacles about an arm, as convex shapes with
// margins: the believed world and the robot's own body.
#ifndef FORESEE_PROJECTOR_ROBOT_PLANNING_COLLISION_SCENE_H
#define FORESEE_PROJECTOR_ROBOT_PLANNING_COLLISION_SCENE_H

#include "projector/robot/grasping/hands.h"
#include "projector/robot/kinematics/miss.h"

// An owner is the index of a believed object, or one of these; of what limb_free finds in the way,
// OWNER_PARTS minus the part of the robot (robot_self_margin) where it is one.
// Another robot is OWNER_ROBOTS plus its index.
enum {
    OWNER_SELF = -1,
    OWNER_ARM = -2,
    OWNER_NONE = -3,
    OWNER_PARTS = -16,
    OWNER_ROBOTS = 1 << 24
};
typedef struct obstacle {
    const shape *s;
    pose at;        // of the shape itself; obstacle_move sets it
    vec3 low, high; // its bounds there
    int owner;
    int64_t part;  // of the robot (robot_self_margin); -1: none
    bool rides;    // it stands on `except`: what the hand holds may touch it
    double margin; // distance that is kept from it, m
    bool grazed;   // the pads may come as close as GRAZE_MARGIN
    bool known;    // it is furniture: it stands where the map has it
    bool close;    // some part of the limb is in close_pairs with it
    double radius; // of its bounding sphere, m
} obstacle;

// A part of a limb that is closer to an obstacle than their margin where a path begins or ends.
typedef struct close_pair {
    size_t obstacle;
    const shape *s; // of the part, and where that is in its frame
    vec3 at;
    pose there;  // of the part at that end of the path, in the obstacle's frame
    double kept; // that the part may come as close as there, m; -infinity: it may stay overlapped
} close_pair;

// Puts an obstacle elsewhere, its bounds too.
void obstacle_move(obstacle *o, pose at);

typedef struct collision_scene {
    ARRAY(obstacle) items;
    ARRAY(size_t) near; // items whose bounds the limb comes near to: of the last limb_free
    ARRAY(close_pair) close_pairs;
    bool own;    // the arm's own links are to keep clear of one another
    int touch;   // owner that what the hand holds may touch; OWNER_NONE
    shape *made; // boxes of palms and pads, cylinders of other robots
    size_t made_count;
} collision_scene;
void collision_scene_finish(collision_scene *c);

// One convex shape that moves with the arm.
typedef struct limb_part {
    const shape *s;
    int frame; // of a link, or TOOL
    pose at;   // of the shape in that frame
    double radius;
    int64_t part; // of the robot (robot_self_margin); -1: what is held
    bool held, pad;
} limb_part;
// Two parts of one limb that may meet, and the distance that they keep, m.
typedef struct own_pair {
    size_t part, other;
    double margin;
} own_pair;
// The shapes that move with an arm, whatever else hangs on its links, and those of the object in
// its hand. Its parts point into it, so that a copy must go back to where it came from before it is
// used. It starts from {0}.
typedef struct limb {
    ARRAY(limb_part) parts;
    ARRAY(own_pair) pairs;
    ARRAY(pose) at; // of the parts: of the last limb_free
    const robot_model *robot;
    int joints; // of the arm
    shape palm, pad;
} limb;
// Replaces what it had.
void limb_init(limb *l, const mind *m, size_t arm, double opening, const held *h);
void limb_finish(limb *l);

// Gives another robot that stands, by its index, unless plans look past it (mind.past). False: it
// drives, or nothing tells where it is.
bool robot_stands_in_way(const mind *m, size_t robot, robot_in_way *out);

// Gathers the obstacles about an arm that reaches no farther than `range` from `center`; `arm` -1:
// the world only, without the robot's body, for an arm that keeps its posture while the base moves.
// Known objects keep `margin`, others `object_margin`. Objects in a hand and `except` (may be
// NULL) are left out; objects that stand on `except` are marked as riding. Other robots that stand
// count as others of these objects, as cylinders.
void collision_scene_gather(collision_scene *c, const mind *m, const pose *links, int64_t arm,
                            vec3 center, double range, double margin, double object_margin,
                            const char *except);
// Lets the parts that are closer to something than the path may be at these frames, where it ends,
// be that close; an overlap is no place to go to. From furniture, each part keeps its whole margin
// as soon as it has moved away from there (by some 10 cm).
void collision_scene_relax(collision_scene *c, const limb *l, const pose frames[FRAMES]);
// The same for where a path begins: besides, parts that overlap an obstacle there may leave it,
// since the belief is inexact and they must get away.
void collision_scene_relax_start(collision_scene *c, const limb *l, const pose frames[FRAMES]);
// Lets the pads come close to what an object stands on: a flat thing is taken right above it.
void collision_scene_graze(collision_scene *c, const mind *m, const char *object);
// Removes the other arm: it moves along, and holds the same object. No part may be in close_pairs
// yet.
void collision_scene_drop_arm(collision_scene *c);
// Whether the limb keeps every obstacle's margin with the arm's links at `frames`; *blocker (may be
// NULL): owner of the first obstacle that is too close.
bool limb_free(limb *l, collision_scene *c, const pose frames[FRAMES], int *blocker);
// Keeps as a miss what of the limb comes closest to something, or lies deepest in it, at frames at
// which it is not free; `left` as in miss.h. `nearest` may be NULL.
void limb_miss(const limb *l, const collision_scene *c, const mind *m, const pose frames[FRAMES],
               double left, miss *nearest);

// Whether two arms keep clear of each other, each with its links at its frames; what they hold
// counts for nothing. *blocker: as of limb_free, a part of the second one.
bool limbs_apart(const limb *l, const pose frames[FRAMES], const limb *other,
                 const pose other_frames[FRAMES], int *blocker);

// The radius of the bounding sphere about a shape's middle, m; infinity for a plane.
double shape_radius(const shape *s);
const char *owner_name(const mind *m, int owner);
// An object's name, or what of the robot itself it is, for a sentence; empty for OWNER_NONE.
void owner_describe(const mind *m, int owner, char *out, size_t size);
// The name of a part of the robot (robot_self_margin).
const char *part_name(const mind *m, size_t part);
int owner_of(const mind *m, const char *name); // OWNER_NONE: no such object

#endif
