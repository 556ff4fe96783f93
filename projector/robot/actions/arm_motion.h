// projector/robot/actions/arm_motion.h - the state that the targets of move_arm share while one of
// them is planned.
//
// A motion collects knots; nothing moves before the action has timed them.
#ifndef FORESEE_PROJECTOR_ROBOT_ACTIONS_ARM_MOTION_H
#define FORESEE_PROJECTOR_ROBOT_ACTIONS_ARM_MOTION_H

#include "projector/robot/actions/action_int.h"
#include "projector/robot/grasping/grasp.h"
#include "projector/robot/planning/arm_plan.h"

typedef struct arm_motion {
    action *act;
    double q0[AXES_MAX]; // where it begins
    held h;
    knot_array knots;
    bool straight;
    bool well_clear;    // the whole motion keeps its margin, its end too
    bool level;         // what is held must not lean
    bool exact;         // a path ends in the very posture, not in one with its tool pose
    const char *except; // object that the hand comes down to and may touch
    int touch;          // owner that it puts the held object down on
    unsigned kinds;     // of grasps that may be used; 0: any
    double turned;      // rad that a tilt turns by
    bool operates;      // a handle is taken to move its door or drawer to
    double operates_to; // degrees or m, as plans give it
    char blocker[64];
    miss nearest;
} arm_motion;

// A posture to go to, and how it goes on from there.
typedef struct way {
    double q[AXES_MAX], down[AXES_MAX]; // above, and where it ends
    double cost;
    size_t which; // grasp or place
    bool goes_down;
} way;

// Distance kept from other things close to them; less than what is kept where a grasp or place is
// chosen, so that small errors change nothing.
#define ARM_TOUCH_MARGIN 0.003 // m

// The scene that the motion is planned in; arm_scene_finish frees it.
void arm_motion_scene(arm_motion *a, arm_scene *s, const char *except, double margin);
// Keeps the name of the scene's last blocker.
void arm_motion_note(arm_motion *a, const arm_scene *s);
// Refuses the action as manipulation_pose_unreachable, naming the blocker and the closest miss.
status arm_motion_refuse(arm_motion *a, const char *what);
// A straight line of the tool to `to`, close to things; `touch`: owner that may be touched.
bool arm_motion_straight(arm_motion *a, pose to, const char *except, int touch);
// A free path to a posture; held things are kept level where that can be, always with `level`.
bool arm_motion_go(arm_motion *a, const double q[AXES_MAX]);
// How far a posture is from q0 and how close to the joints' limits.
double arm_posture_cost(const chain *c, const double q0[AXES_MAX], const double q[AXES_MAX]);
// The posture at the tool pose `before` from which the tool comes straight to `tool`; false: there
// is none. It tries inverse kinematics from the present posture (0), the comfortable one (1) and
// others, those from `first` to before `last`.
bool arm_motion_way(arm_motion *a, arm_scene *s, pose tool, pose before, int first, int last,
                    way *out);
// The same from one posture q that holds the tool where it ends.
bool arm_motion_way_from(arm_motion *a, arm_scene *s, const double q[AXES_MAX], pose before,
                         way *out);
// Plans the path of the cheapest way that has one; reorders them. False: none has.
bool arm_motion_best(arm_motion *a, way *ways, size_t count);

// handing.c
// Plans where the held object is held out before the body for the other arm to take.
status handing_plan_offer(arm_motion *a, const believed_object *o);
// Whether this arm's fingers can close at q about an object that another hand holds, by the grasp
// g, and that hand can then come away.
bool handing_leaves_free(const arm_motion *a, const believed_object *o, const double q[AXES_MAX],
                         const grasp_pose *g);
// pouring.c
// Plans the held object upright with its lip over a container; and leaning over it by `angle` rad,
// the lip staying where it is.
status pouring_plan_over(arm_motion *a, const believed_object *into);
status pouring_plan_tilt(arm_motion *a, const believed_object *into, double angle);

#endif
