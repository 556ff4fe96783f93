// projector/robot/planning/contact_plan.h - whether an arm can move a door or drawer, or wipe an
// area, from where it is.
#ifndef FORESEE_PROJECTOR_ROBOT_PLANNING_CONTACT_PLAN_H
#define FORESEE_PROJECTOR_ROBOT_PLANNING_CONTACT_PLAN_H

#include "projector/robot/planning/arm_plan.h"

// ---- Doors and drawers --------------------------------------------------------------------------
// The joint of a known door or drawer, by its own name or its body's; -1: none.
int64_t door_named(const mind *m, const term *t);
// A position as plans give it, degrees or m, in rad or m and within the joint's limits.
double door_goal(const mind *m, size_t joint, double given);
// The pose of a tool that goes along with a joint from position `from` to `to`, turning with it by
// the share `turn`.
pose door_tool(const mind *m, size_t joint, double from, double to, double turn, pose tool);
// The joint's position when a point that was at `start` with the joint at `from` is at `now`.
double door_position(const mind *m, size_t joint, double from, vec3 start, vec3 now);
// Metres that a point moves per unit of the joint: its distance from a hinge's axis; 1 for a
// slider.
double door_lever(const mind *m, size_t joint, vec3 point);
// The n'th posture with the tool at `tool`, at the handle, from which the hand may well follow it
// from position `from` of the joint to `to`: the arm is comfortable half way, or else as it is by a
// random start, and has come back from there; with `whole` it also gets to the end. What is in the
// way is not looked at. False: there is no such posture.
bool arm_handle_posture(arm_scene *s, pose tool, size_t joint, double from, double to, bool whole,
                        int n, double q[AXES_MAX]);
// How far the hand, which holds at q the handle of a door or drawer `o` with the pads `width`
// apart, can follow it from position `from` towards `to` (returns `to`: all the way), the arm clear
// of the door and of the world, and the robot by `margin` of the door. With `whole`, what it
// returns of a way that cannot be followed to its end says no more than that. *turn: the share of a
// hinge's turn that the hand makes with it; less than 1 only where it holds a bar along the joint's
// axis, which turns between the pads. `postures` (may be NULL): gets the arm's postures at equal
// steps from `from` to `to` where it can be followed all the way, else none.
double arm_operates(arm_scene *s, const double q[AXES_MAX], const believed_object *o, double width,
                    size_t joint, double from, double to, double margin, bool whole, double *turn,
                    knot_array *postures);

// ---- Wiping -------------------------------------------------------------------------------------
enum { CORNERS_MAX = 64 };
typedef struct wipe_rows {
    pose middle; // of the area, in the map
    vec3 corners[CORNERS_MAX];
    size_t count;
} wipe_rows;

// The rows in which an arm wipes an area, `spacing` m apart (0: as its pads are wide). A count of
// CORNERS_MAX means that there would be more. False: `where` names no area.
bool wipe_rows_lay(mind *m, size_t arm, const term *where, double spacing, wipe_rows *out);
// A posture over the first corner from which all rows can be passed; `from` (may be NULL) is tried
// first, then the comfortable one.
bool arm_wipes(arm_scene *s, const double *from, const wipe_rows *rows, double start[AXES_MAX]);

#endif
