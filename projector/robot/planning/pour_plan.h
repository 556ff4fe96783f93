// projector/robot/planning/pour_plan.h - the way of a tool that pours: the held object leans about
// its own lip over a container. pour_plan.c has the formula.
#ifndef FORESEE_PROJECTOR_ROBOT_PLANNING_POUR_PLAN_H
#define FORESEE_PROJECTOR_ROBOT_PLANNING_POUR_PLAN_H

#include "projector/robot/planning/arm_plan.h"

enum { POUR_TURNS = 16, BULGES_MAX = 3 };
#define POUR_LEAN_MAX 2.1 // rad

// A part that stands out from the held object's wall: how far below the lip it begins, how far it
// stands out, and how far behind the lip the container's edge is there; m.
typedef struct bulge {
    double a, w, d;
} bulge;

typedef struct pouring {
    vec3 u;        // direction in which it leans: map, unit, horizontal
    quat upright;  // orientation of the held object when it does not lean
    vec3 lip;      // in the object's own frame
    double height; // H, m
    bulge bulges[BULGES_MAX];
    size_t bulge_count;
    vec3 mouth;                 // middle of the container's rim
    double half, out;           // half widths of its mouth and of its rim
    pose in_hand;               // of the held object
    vec3 centers[2], halves[2]; // of pads (both together) and palm, in the tool's frame
    double from, to;            // lean at the beginning and the end of the way, rad
    int steps;                  // poses of the way
} pouring;

// All but `u` and `upright`, and no way yet. False: the hand holds nothing to pour from, or the
// container has no shape.
bool pouring_init(pouring *p, const mind *m, size_t arm, const held *h,
                  const believed_object *into);
void pouring_set_way(pouring *p, double from, double to);
// Leans along `u` from then on, the object turned as `upright`. False: the object has no shape.
bool pouring_aim(pouring *p, const held *h, vec3 u, quat upright);
// The tool's pose where the held object leans by `lean`; of the n-th step of a way (for
// arm_follow).
pose pouring_tool(const pouring *p, double lean);
pose pouring_way_pose(const void *pour, int n);
// The orientation that the held object has without its lean, the hand at `tool`, turned by `yaw`.
quat pouring_upright(const held *h, pose tool, double yaw);
// The k-th of four directions in which it can lean: to the hand's sides first, then the others.
vec3 pouring_direction(const held *h, quat upright, int k);
// The posture at the beginning of a way that can be followed to its end; `first` (may be NULL) is
// tried first.
bool pouring_start(arm_scene *s, const double *first, const pouring *p, double q[AXES_MAX]);

// Whether what the hand holds can be poured into a container from here; q: the posture before it
// leans.
bool arm_pours(arm_scene *s, const held *h, const believed_object *into, double q[AXES_MAX]);

#endif
