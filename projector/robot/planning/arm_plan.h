// projector/robot/planning/arm_plan.h - paths of one arm through the believed world, and of both
// arms with one thing (pair_plan.c).
//
// Planning happens when an action begins, and allocates; an action's cycles do not.
#ifndef FORESEE_PROJECTOR_ROBOT_PLANNING_ARM_PLAN_H
#define FORESEE_PROJECTOR_ROBOT_PLANNING_ARM_PLAN_H

#include "projector/robot/kinematics/trajectory.h"
#include "projector/robot/planning/collision_scene.h"

typedef struct arm_scene {
    const mind *m;
    size_t arm;
    chain chain;
    limb limb;
    collision_scene collisions;
    pose *links;
    rng_key key;
    uint64_t draws;
    vec3 up;     // of the tool's frame: points up while what is held stands upright
    double tilt; // rad that it may lean; infinity: free
    bool level;  // it must not lean, or there is no path
    bool exact;  // a path ends in the very posture that is asked for, not in one with its tool pose
    bool unchecked; // arm_step and arm_track follow a line whatever is in the way
    int blocker;    // owner of the last obstacle met
    size_t checks;
    miss *nearest; // of what is tried in it; NULL, as it begins: nobody asks
} arm_scene;
// The arm with the base at `base` and all other joints at `joints` (NULL: as believed). `h` (may be
// NULL): what it holds; `opening`: between its pads, m; `except` and `margin`: as in
// collision_scene_gather; `purpose` keys the random draws.
void arm_scene_init_at(arm_scene *s, const mind *m, size_t arm, pose base, const double *joints,
                       const held *h, double opening, const char *except, double margin,
                       const char *purpose);
void arm_scene_init(arm_scene *s, const mind *m, size_t arm, pose base, const held *h,
                    double opening, const char *except, double margin, const char *purpose);
void arm_scene_finish(arm_scene *s);

// Whether the arm at q touches nothing and does not tilt what it holds too far.
bool arm_free(arm_scene *s, const double q[AXES_MAX]);
// The same, where a search comes to an end if it is not: q is noted as a miss with `left` m of a
// straight way before it.
bool arm_stands(arm_scene *s, const double q[AXES_MAX], double left);
// Inverse kinematics (ik_solve); noted as a miss where there is none.
bool arm_solve(arm_scene *s, pose tool, const double *first, int starts, double q[AXES_MAX]);
// Notes as a miss that the tool does not get from q to a pose, with `left` m behind that.
void arm_note_pose(const arm_scene *s, const double q[AXES_MAX], pose tool, double left);
// Notes as a miss what a joint, by its place in the chain, lacks.
void arm_note_joint(const arm_scene *s, miss_kind kind, size_t joint, double value, double allowed,
                    double left);
// Moves a posture on to the next pose of the tool, `left` m before the end of a way. False: out of
// reach, too far in joint space, or blocked, which is noted as a miss.
bool arm_step(arm_scene *s, pose target, double left, double q[AXES_MAX]);
// A straight line of the tool from where q stands to `to`; appends knots (without the first).
// False: it cannot be followed or is blocked (s->blocker), which is noted as a miss.
bool arm_track(arm_scene *s, const double q[AXES_MAX], pose to, knot_array *out);
// The posture to which the tool comes straight to `to` from q: with one joint too many, another
// than that from which it went there. Fails as arm_track does.
bool arm_arrives(arm_scene *s, const double q[AXES_MAX], pose to, double out[AXES_MAX]);
// The tool along `steps` poses, pose_of(way, 1..steps) in turn, from where q stands; appends knots.
// Fails as arm_track does.
bool arm_follow(arm_scene *s, const double q[AXES_MAX], pose (*pose_of)(const void *way, int n),
                const void *way, int steps, knot_array *out);
// Whether an object that the hand would hold at q, its pads `width` apart, can be lifted by
// `height` from there.
bool arm_lifts(arm_scene *s, const double q[AXES_MAX], const held *h, double width, double height);
// A straight way by which an empty hand leaves what it has let go, at least `least` of `far` m:
// back along its approach, up, or between the two; appends knots. False: none is free.
bool arm_retreat(arm_scene *s, const double q[AXES_MAX], double far, double least, knot_array *out);
// Whether a hand that puts something down at q can leave it: its pads open to `opening`.
bool arm_lets_go(arm_scene *s, const double q[AXES_MAX], double opening);
// A path in joint space: straight, with one stop on the way, else by random trees; appends knots.
// False: none found.
bool arm_connect(arm_scene *s, const double from[AXES_MAX], const double to[AXES_MAX],
                 knot_array *out);
// As arm_connect, but with the held object kept level where that is possible: the tool goes
// straight by way of safe points, else by arm_connect. With s->level the object never leans by more
// than 0.3 rad.
bool arm_travel(arm_scene *s, const double from[AXES_MAX], const double to[AXES_MAX],
                knot_array *out);

// ---- Both arms ----------------------------------------------------------------------------------
typedef struct arm_pair {
    const mind *m;
    arm_scene scenes[2];
    double q[2][AXES_MAX]; // postures at the end of the knots
    held h[2];
    bool holding;      // both hold the same object
    pose object;       // its pose at q, or the middle between empty hands
    pose in_object[2]; // the tools' poses in the object's frame
    knot_array knots;  // the left arm's joints, then the right one's
    int blocker;       // owner of what kept them from going on last
    miss *nearest;     // of what is tried
} arm_pair;
// Both arms as they are, with the base at `base`; `except`: the object that they are about to take,
// NULL: the one that they hold. `margin` is kept from other things, m. Misses are noted in
// `nearest`.
void pair_init(arm_pair *p, const mind *m, pose base, const char *except, double margin,
               const char *purpose, miss *nearest);
void pair_finish(arm_pair *p);
// Where a plan has come to, and going back there.
typedef struct pair_mark {
    double q[2][AXES_MAX];
    pose object;
    size_t knots;
} pair_mark;
pair_mark pair_remember(const arm_pair *p);
void pair_return(arm_pair *p, const pair_mark *mark);
// The pose of an arm's tool at q.
pose pair_tool(const arm_pair *p, size_t arm);
// Appends what q is now.
void pair_add_knot(arm_pair *p, bool corner);
// Moves both tools straight to `to`, in step; of an object that both hold they keep their place on
// it. Appends knots. False: they cannot, and nothing has changed but the blocker.
bool pair_track(arm_pair *p, const pose to[2]);
// Moves the held object straight to a pose, or up first and then over. As pair_track.
bool pair_travel(arm_pair *p, pose to);
// Moves the held object straight to a pose. As pair_track.
bool pair_track_object(arm_pair *p, pose to);
// Plans the way to `height` above a place from which the object also goes straight down. As
// pair_track.
bool pair_comes_over(arm_pair *p, pose to, double height);

#endif
