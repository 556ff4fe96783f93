// projector/robot/robot_int.h - what the files of robot/ share: kinematic chains, collision checks,
// trajectories, and the state of a running action.
//
// Planning happens when an action begins and allocates; its cycles do not.
#ifndef FORESEE_PROJECTOR_ROBOT_ROBOT_INT_H
#define FORESEE_PROJECTOR_ROBOT_ROBOT_INT_H

#include "base/rng.h"
#include "projector/robot/actions/actions.h"
#include "projector/robot/actions/contact.h"
#include "projector/robot/actions/functions.h"
#include "projector/robot/grasping/grasp.h"
#include "projector/robot/kinematics/trajectory.h"
#include "projector/robot/planning/stand.h"

// ---- Kinematics of one arm (ik.c) ---------------------------------------------------------------
typedef struct chain {
    size_t count; // joints
    pose root;    // of the link that carries the arm, in the frame one plans in
    pose origin[AXES_MAX];
    vec3 axis[AXES_MAX];
    bool prismatic[AXES_MAX];
    pose tool; // in the flange
    double lower[AXES_MAX], upper[AXES_MAX], rest[AXES_MAX], reach;
} chain;
// `links`: all links' poses in the frame one plans in (robot_forward).
void chain_init(chain *c, const robot_model *r, size_t arm, const pose *links);
// frames: of the links the arm's joints move, and at TOOL of the tool.
void chain_forward(const chain *c, const double q[AXES_MAX], pose frames[FRAMES]);
// Inverse kinematics for the tool by damped least squares from q, which is kept within limits; the
// null space draws towards a bent, comfortable posture with `pull` (0: not at all). True: reached
// within 0.2 mm and 1 mrad, q is the solution.
bool ik_descend(const chain *c, pose target, double pull, int steps, double q[AXES_MAX]);
// The same from `first` (may be NULL), from rest and from seeded random starts, `starts` in all.
bool ik_solve(const chain *c, pose target, const double *first, rng_key key, int starts,
              double q[AXES_MAX]);

// ---- What is in the way (clutter.c) -------------------------------------------------------------
enum { OWNER_SELF = -1, OWNER_ARM = -2, OWNER_NONE = -3 };
typedef struct obstacle {
    const shape *s;
    pose at;       // of the shape itself
    int owner;     // believed object, or OWNER_SELF, OWNER_ARM
    bool shoulder; // the link that carries the arm, which its first links always touch
    bool rides;    // stands on `except`: what is taken or held may touch it
    double margin; // distance that is kept from it
    double radius; // bounding sphere
} obstacle;
typedef struct clutter {
    ARRAY(obstacle) items;
    int touch;   // owner that what the hand holds may touch; OWNER_NONE
    shape *made; // boxes of palms and pads
    size_t made_count;
} clutter;
void clutter_finish(clutter *c);

typedef struct limb_part {
    const shape *s;
    int frame; // of a link, or TOOL
    pose at;   // of the shape in that frame
    double radius;
    bool held, hand;
} limb_part;
typedef struct limb { // the shapes that move with an arm, and what its hand holds
    limb_part parts[96];
    size_t count;
    int joints; // of the arm
    shape palm, pad;
} limb;
void limb_init(limb *l, const mind *m, size_t arm, double opening, const held *h);
// World and own body about an arm that reaches no farther than `range` from `center`. Known objects
// keep `margin`, others `object_margin`. Left out: objects in a hand, `except` (may be NULL); what
// stands on that is marked.
void clutter_gather(clutter *c, const mind *m, const pose *links, int64_t arm, vec3 center,
                    double range, double margin, double object_margin, const char *except);
// Free of every obstacle's margin, for the arm's frames; *blocker (may be NULL): owner of the first
// in the way.
bool limb_free(const limb *l, const clutter *c, const pose frames[FRAMES], int *blocker);
// Takes margins back to what they are at these frames, so that what touches may part.
void clutter_relax(clutter *c, const limb *l, const pose frames[FRAMES]);
double shape_radius(const shape *s);
const char *owner_name(const mind *m, int owner);
int owner_of(const mind *m, const char *name); // OWNER_NONE: no such object
// Leaves the other arm out: it moves along, and holds the same.
void clutter_of_pair(clutter *c);

// ---- Planning for one arm (arm_plan.c) ----------------------------------------------------------
typedef struct arm_scene {
    const mind *m;
    size_t arm;
    chain chain;
    limb limb;
    clutter clutter;
    pose *links;
    rng_key key;
    uint64_t draws;
    vec3 up;     // of the tool's frame: points up while what is held stands upright
    double tilt; // rad that it may lean; infinity: free
    bool level;  // it must not lean, or there is no way
    int blocker; // last owner met
    size_t checks;
} arm_scene;
// The arm with the base at `base` and all other joints at `joints` (NULL: as believed).
void arm_scene_init_at(arm_scene *s, const mind *m, size_t arm, pose base, const double *joints,
                       const held *h, double opening, const char *except, double margin,
                       const char *purpose);
void arm_scene_init(arm_scene *s, const mind *m, size_t arm, pose base, const held *h,
                    double opening, const char *except, double margin, const char *purpose);
void arm_scene_finish(arm_scene *s);
bool arm_free(arm_scene *s, const double q[AXES_MAX]);
typedef ARRAY(knot) knot_array;
// A straight line of the tool from where q stands to `to`; appends knots (without the first).
// False: it cannot be followed or is blocked (s->blocker).
bool arm_track(arm_scene *s, const double q[AXES_MAX], pose to, knot_array *out);
// The tool along a way of `steps` poses, pose_of(way, 1..steps) in turn, from where q stands;
// appends knots. Fails as arm_track does.
bool arm_follow(arm_scene *s, const double q[AXES_MAX], pose (*pose_of)(const void *way, int n),
                const void *way, int steps, knot_array *out);
// Whether what the hand would hold at q can be lifted by `height` from there,
// with the pads `width` apart.
bool arm_lifts(arm_scene *s, const double q[AXES_MAX], const held *h, double width, double height);
// How far the hand, which holds at q what a joint of the known world moves with the pads `width`
// apart, can follow it from position `from` towards `to` (== to: all the way), the arm clear of it
// and of the world, and the robot by `margin` of it. *turn: the share of a hinge's turn that the
// hand makes with it; less than 1 only where it holds a bar along the joint's axis, which turns
// between the pads.
double arm_operates(arm_scene *s, const double q[AXES_MAX], const believed_object *o, double width,
                    size_t joint, double from, double to, double margin, double *turn);
// A path in joint space: straight, with one stop on the way, else by random trees; appends knots.
// False: none found.
bool arm_connect(arm_scene *s, const double from[AXES_MAX], const double to[AXES_MAX],
                 knot_array *out);
// With what is held kept level where that is possible: tracked by way of safe points, else
// arm_connect; with s->level it never leans by more than 0.3 rad.
bool arm_travel(arm_scene *s, const double from[AXES_MAX], const double to[AXES_MAX],
                knot_array *out);

// ---- Standing and driving (stand.c, drive.c) ----------------------------------------------------
typedef struct base_map base_map; // distances to known obstacles in the plane, made once
base_map *base_map_create(const mind *m);
void base_map_destroy(base_map *b);
// Distance from a point of the plane to the nearest body, known or believed; *owner (may be NULL):
// whose.
double base_clearance(const mind *m, double x, double y, int *owner);
size_t base_obstacles(const mind *m, obstacle *out,
                      size_t most);         // shapes of known bodies that stop the base
double base_clearance_least(const mind *m); // what the base keeps
// A path of x, y, yaw knots; false: none, *blocker says what is in the way.
bool drive_plan(mind *m, pose from, pose to, trajectory *out, char blocker[64]);

// ---- Remembered between actions -----------------------------------------------------------------
typedef struct braking { // a cancelled joint motion
    bool active;
    double position, velocity, acceleration;
} braking;
struct robot_memory {
    symtab *paths;         // of actions begun
    ARRAY(uint64_t) begun; // by path: how often
    base_map *map;
    braking *brakes;   // by joint
    double *commanded; // by joint: last position sent
    bool *sent;
    uint64_t plans; // keys the draws
    located located[LOCATED_MAX];
    ARRAY(struct action *) spare, spare_waits; // that have ended
};
struct robot_memory *robot_remember(mind *m);

// ---- Running actions ----------------------------------------------------------------------------
typedef enum action_kind {
#define ACTION(name, deadline_s, doc) ACTION_##name,
#include "projector/robot/actions.def"
    ACTION_KINDS
} action_kind;

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
    double opening, force;  // wait: opening is its seconds
    action_failure failure; // set where it is refused
    // as the kind needs
    trajectory motion;
    nanos motion_begun;
    size_t joints[TRACK_MAX];
    double goal[TRACK_MAX], correction[TRACK_MAX];
    double settled_since; // s after begin; negative: not
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

// actions.c
const term *action_argument_find(const action_argument *args, size_t count, const char *key);
status action_refuse(action *act, const char *class, const char *blocker, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
status action_send_joint(action *act, size_t joint, double position, double velocity, error *err);
status robot_choice(mind *m, int64_t task, nanos t, const char *what, const char *question,
                    const char *chosen, const char *candidates, const char *reason, error *err);
int64_t arm_named(const mind *m, const term *t); // -1: none
held held_by(const mind *m, size_t arm);
double hand_opening(const mind *m, size_t arm);
void joints_planned(const mind *m, size_t arm,
                    double q[AXES_MAX]); // as commanded last, else as read
rng_key planning_key(mind *m, const char *what);

// What joint motions share.
double argument_number(const action_argument *args, size_t count, const char *key, double fallback);
void joint_limits(const mind *m, const size_t *joints, size_t axes, motion_limits *out);
void start_motion(action *act, const motion_limits *limits); // times the knots and sets the goal
status bad_target(action *act, const term *t);
status bad_grasp(action *act, const term *t);

// actions_arm.c, actions_base.c, actions_sense.c: begin plans, step commands.
status begin_move_arm(action *act, const action_argument *args, size_t count, nanos t, error *err);
status begin_move_arms(action *act, const action_argument *args, size_t count, nanos t, error *err);
status begin_move_torso(action *act, const action_argument *args, size_t count, nanos t,
                        error *err);
status begin_look_at(action *act, const action_argument *args, size_t count, nanos t, error *err);
status step_joints(action *act, nanos t, action_state *state, action_failure *failure, error *err);
status begin_navigate(action *act, const action_argument *args, size_t count, nanos t, error *err);
status step_navigate(action *act, nanos t, action_state *state, action_failure *failure,
                     error *err);
status begin_gripper(action *act, const action_argument *args, size_t count, nanos t, error *err);
status step_gripper(action *act, nanos t, action_state *state, action_failure *failure, error *err);
status begin_sense(action *act, const action_argument *args, size_t count, nanos t, error *err);
status step_sense(action *act, arena *a, nanos t, action_state *state, const term **result,
                  action_failure *failure, error *err);
// actions_contact.c
status begin_operate(action *act, const action_argument *args, size_t count);
status begin_press(action *act, const action_argument *args, size_t count);
status begin_wipe(action *act, const action_argument *args, size_t count);
status step_contact(action *act, nanos t, action_state *state, action_failure *failure, error *err);
status contact_hold(action *act, error *err); // no force from here on
// The rows in which an arm wipes an area, `spacing` m apart (0: as its pads are wide); CORNERS_MAX
// of them: there would be more. False: no such area.
bool lay_wipe(mind *m, size_t arm, const term *where, double spacing, wipe_rows *out);
// A posture over the first corner from which all rows can be passed; `from` (may be NULL): tried
// first.
bool arm_wipes(arm_scene *s, const double *from, const wipe_rows *rows, double start[AXES_MAX]);
// Whether what the hand holds can be poured into a container from here; q: the posture before it
// leans (pouring.c).
bool arm_pours(arm_scene *s, const held *h, const believed_object *into, double q[AXES_MAX]);
// A known joint by its own name or its body's; -1: none.
int64_t joint_named(const mind *m, const term *t);
// As plans give it, degrees or m, in rad or m and within the joint's limits.
double joint_goal(const mind *m, size_t joint, double given);
// Where the tool goes with a joint that moves from `from` to `to`, turning with it by a share.
pose joint_tool(const mind *m, size_t joint, double from, double to, double turn, pose tool);
// The arm that takes an object with the least effort among the free ones, with its stand; -1: none.
int64_t choose_arm(mind *m, const believed_object *o, unsigned kinds, int64_t task, nanos t,
                   stand_answer *stands, error *err);

#endif
