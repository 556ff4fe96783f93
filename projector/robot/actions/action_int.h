// projector/robot/actions/action_int.h - a running action, and what the files of actions/ do for
// one another.
//
// Planning happens when an action begins and allocates; its cycles do not.
#ifndef FORESEE_PROJECTOR_ROBOT_ACTIONS_ACTION_INT_H
#define FORESEE_PROJECTOR_ROBOT_ACTIONS_ACTION_INT_H

#include "projector/robot/actions/actions.h"
#include "projector/robot/actions/contact.h"
#include "projector/robot/grasping/hands.h"
#include "projector/robot/kinematics/miss.h"
#include "projector/robot/kinematics/trajectory.h"
#include "projector/robot/planning/memory.h"

typedef enum action_kind {
#define ACTION(name, deadline_s, doc) ACTION_##name,
#include "projector/robot/actions.def"
    ACTION_KINDS
} action_kind;

// How a base that drives gives way to other robots (give_way.c).
enum { ROBOTS_NOTED = 16 };
typedef struct way_given {
    double slowed;             // share of the path's velocity that is taken off
    double waited;             // s at rest, on all of the way
    const char *whom;          // the robot that it slows down for; NULL: none
    nanos met;                 // when the path met that last
    nanos again;               // when another way is looked for next; 0: the base is not at rest
    double breadth;            // of the robot at home, m
    bool passed[ROBOTS_NOTED]; // by robot: the path was planned past where it stands,
    vec3 stood[ROBOTS_NOTED];  // which is there
} way_given;

// Large, and most of it only for what moves: a wait ends with `failure`, and nothing behind that
// may be touched for it, so that thousands of them stay small (actions.c).
struct action {
    mind *m;
    action_kind kind;
    int64_t task;
    const char *path;
    nanos begun, deadline;
    operation op;
    bool ended;   // the operation
    bool refused; // could not be planned
    bool moving;
    bool told; // camera or laser switched on
    size_t arm;
    double opening, force;  // wait, accompany, track, reach: opening is its seconds
    action_failure failure; // set where it is refused
    // as the kind needs
    trajectory motion;
    nanos motion_begun;
    size_t joints[TRACK_MAX];
    const double
        *posture; // navigate: of all joints, to look for a place to stand with; NULL: as believed
    double goal[TRACK_MAX], correction[TRACK_MAX];
    pose stand;    // navigate with `stops`: where all of the way leads, some of it left out
    bool approach; // navigate: it ends half a metre before the stand
    double speed, acceleration; // navigate: at most, m/s and m/s2
    bool stops;           // it stops where odometry cannot be relied on, localises, and drives on
    double settled_since; // s after begin; negative: not
    way_given way;        // navigate
    double stalled;
    double openings[12]; // last readings
    size_t opening_count;
    bool grasping;
    char object[64];
    size_t frames;
    const char *type, *color;
    const term *region;
    char text[256], location[256];
    contact touch;
};

// ---- For all actions (action.c) -----------------------------------------------------------------
const term *action_argument_find(const action_argument *args, size_t count, const char *key);
// A positive number among the arguments, else `fallback`.
double action_argument_number(const action_argument *args, size_t count, const char *key,
                              double fallback);
// Marks the action as one that cannot be done, with its failure; always OK. `blocker` may be NULL.
status action_refuse(action *act, const char *class, const char *blocker, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// Adds the closest miss to the sentence of a refused action; always OK.
status action_add_miss(action *act, const miss *nearest);
status action_refuse_target(action *act, const term *t); // of a target that it does not take
status action_refuse_grasp(action *act, const term *t);  // of a term that names no grasp

// ---- Motions of joints (joints.c) ---------------------------------------------------------------
// What motions of these joints may use of their limits; none for the hand.
void motion_limits_init(motion_limits *l, const mind *m, const size_t *joints, size_t axes);
// Adds a line from one posture to another, fine enough for trajectory_time to shape its speed.
void joints_add_line(action *act, const double *from, const double *to);
// Times the knots, sets the goal, and starts the motion.
void action_start_motion(action *act, const motion_limits *limits);
// One cycle of move_arm, move_arms, move_torso, look_at.
status joints_step(action *act, nanos t, action_state *state, action_failure *failure, error *err);

// ---- One kind each: begin plans, step commands --------------------------------------------------
status move_arm_begin(action *act, const action_argument *args, size_t count, nanos t, error *err);
status move_arms_begin(action *act, const action_argument *args, size_t count, nanos t, error *err);
// Whether there is a place to stand for one of navigate's targets that hands work at, with the
// robot's joints, but for its arms, at `joints`.
bool navigate_serves(mind *m, const term *to, const double *joints, int64_t task, nanos t);
status move_torso_begin(action *act, const action_argument *args, size_t count);
status look_at_begin(action *act, const action_argument *args, size_t count);
status navigate_begin(action *act, const action_argument *args, size_t count, nanos t, error *err);
status navigate_step(action *act, nanos t, action_state *state, action_failure *failure,
                     error *err);
// Plans what is left of the way to act->stand anew, past other robots that stand. False: there is
// no such way, *blocker is in it, and the path is as it was.
bool navigate_again(action *act, nanos t, char blocker[64]);
// give_way.c
// Notes where other robots stand that the path leads past; `past`: it was planned as if they did
// not.
void give_way_note(action *act, bool past);
// One cycle of a base that drives: has the path wait where it would meet another robot, and looks
// for another one where that stands. *blocked: it has waited for too long, as failure->reason says.
status give_way_step(action *act, nanos t, bool *blocked, action_failure *failure, error *err);
// Drives the base at a velocity in its own frame, m/s and rad/s.
status action_send_twist(action *act, double vx, double vy, double wz, error *err);
status gripper_begin(action *act, const action_argument *args, size_t count);
status gripper_step(action *act, action_state *state, action_failure *failure, error *err);
enum { LOCALISE_SCANS = 5 };
// One cycle of taking act->frames scans and matching them with the map; *ended: *found says how
// that went.
status localise_step(action *act, nanos t, localisation *found, bool *ended, error *err);
status sensing_begin(action *act, const action_argument *args, size_t count);
status sensing_step(action *act, arena *a, nanos t, action_state *state, const term **result,
                    action_failure *failure, error *err);
// contact.c
status operate_begin(action *act, const action_argument *args, size_t count);
status press_begin(action *act, const action_argument *args, size_t count);
status wipe_begin(action *act, const action_argument *args, size_t count);
status contact_step(action *act, nanos t, action_state *state, action_failure *failure, error *err);
// Lets springs move the arm from here on, and sends them as they are in act->touch.
void contact_start(action *act);
pose tool_in_base(const mind *m, size_t arm); // of the base, as believed
status contact_send(action *act, error *err);
status contact_hold(action *act, error *err); // no force from here on, neither of a person
// follow.c
status follow_begin(action *act, const action_argument *args, size_t count);
status follow_step(action *act, nanos t, action_state *state, action_failure *failure, error *err);
status follow_send(action *act, bool on, error *err); // tells the arm to follow, or to hold
// guide.c
status guide_begin(action *act, const action_argument *args, size_t count);
status guide_step(action *act, nanos t, action_state *state, error *err);
// teach.c
status teach_begin(action *act, const action_argument *args, size_t count);
status teach_step(action *act, nanos t, action_state *state);
void teach_end(action *act); // what was read so far is what was taught
status teach_replay_begin(action *act, const action_argument *args, size_t count);
status teach_replay_step(action *act, nanos t, action_state *state, action_failure *failure,
                         error *err);
// The motion that the arm of an action was taught under a name. NULL: there is none, and the action
// is refused.
const taught *taught_for(action *act, const term *name);
// accompany.c
status accompany_begin(action *act, const action_argument *args, size_t count, nanos t);
status accompany_step(action *act, nanos t, action_state *state, action_failure *failure,
                      error *err);
// reach.c
status reach_begin(action *act, const action_argument *args, size_t count, nanos t);
status reach_step(action *act, nanos t, action_state *state, action_failure *failure, error *err);
// track.c
status track_begin(action *act, const action_argument *args, size_t count);
status track_step(action *act, arena *a, nanos t, action_state *state, const term **result,
                  action_failure *failure, error *err);
status track_end(action *act, nanos t, error *err); // nothing is followed any more

#endif
