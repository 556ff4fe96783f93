// scene/robot/robot.h - the immutable description of a robot, and its kinematics.
//
// A tree of links joined by one-degree joints, on a base that moves in the plane or stands fast.
// Link 0 is the base. Joints are numbered in an order in which parents come first; `q` and `qd` are
// indexed by joint.
#ifndef FORESEE_SCENE_ROBOT_ROBOT_H
#define FORESEE_SCENE_ROBOT_ROBOT_H

#include "scene/world/world.h"

// How the base moves: in any direction; ahead, back and about itself, as on two driven wheels; not
// at all, bolted to where it stands.
typedef enum base_drive { BASE_HOLONOMIC, BASE_DIFFERENTIAL, BASE_FIXED } base_drive;

typedef enum joint_kind { JOINT_REVOLUTE, JOINT_PRISMATIC } joint_kind;

typedef struct robot_joint {
    const char *name;
    joint_kind kind;
    size_t parent, child;                  // links
    pose origin;                           // of the joint in the parent link's frame
    vec3 axis;                             // unit, in the joint's frame
    double lower, upper;                   // rad or m
    double max_velocity, max_acceleration; // trajectories keep these
    double max_effort;                     // N m or N
    double kp, kd;                         // of the position controller
    double viscous, coulomb, armature;
    // A joint that is coupled to another one by gears, a belt or links, and has no motor of its
    // own: its position is ratio times that of the leader, plus offset. Leaders follow nobody.
    bool follows;
    size_t leader;
    double ratio, offset;
} robot_joint;

typedef struct robot_link {
    const char *name;
    int64_t joint; // that moves it; -1 for the base
    double mass;
    vec3 com;            // link frame
    mat3 inertia;        // about the centre of mass, link axes
    const shape *shapes; // collision, link frame
    size_t shape_count;
} robot_link;

// A parallel gripper. Frame: x to the fingertips' side is +z (approach), fingers open along +-y.
// Its palm and two fingers are bodies of the simulation, carried by the arm's flange.
typedef struct robot_gripper {
    const char *name, *palm, *finger_1,
        *finger_2;  // robot_left_gripper, ..._palm, ..._finger_1, ..._finger_2
    pose mount;     // palm frame in the flange link's frame
    vec3 palm_size; // box, its centre `palm_center` in the palm frame
    vec3 palm_center;
    double palm_mass;
    vec3 pad_size; // box of each finger: x width, y thickness, z height (along approach)
    double pad_mass;
    double pad_center_z;      // of the pads' centre along the approach axis, palm frame
    double max_opening;       // between the pads, m
    double max_force;         // N, between the pads
    double speed;             // m/s of each finger
    double friction;          // of the pads, true
    double believed_friction; // what the robot takes it to be
    double least_friction;    // of the pads with anything, whatever the materials; 0: no bound
    const char *material;
} robot_gripper;

// Force and torque between the last link and the hand.
typedef struct robot_wrist {
    bool present;
    double rate, delay;         // Hz, s
    double noise, torque_noise; // sigma per axis, N and N m
    double bias, torque_bias;   // N and N m along each axis: an uncalibrated sensor
} robot_wrist;

// Torques of an arm's joints, and what an observer makes of them.
typedef struct robot_torques {
    bool present;
    double rate, delay;   // Hz, s
    double noise, bias;   // N m (or N), of every joint in every step
    double observer_gain; // 1/s
} robot_torques;

enum { ARM_JOINTS_MAX = 7 };
typedef struct robot_arm {
    const char *name; // left, right
    size_t joint_count;
    size_t joints[ARM_JOINTS_MAX];
    size_t flange; // link that carries the gripper
    robot_gripper gripper;
    robot_wrist wrist;
    robot_torques torques;
    double park[ARM_JOINTS_MAX]; // joint positions with the arm out of the way
} robot_arm;

typedef struct robot_camera {
    const char *name;
    size_t link;
    pose at;             // x forward, y left, z up, in the link's frame
    double fov_x, fov_y; // full angles, rad
    double near, far;    // m
    double rate, delay;  // Hz, s
    int rays;            // per object
    double position_noise, position_noise_per_metre, angle_noise; // sigma per axis
    vec3 position_bias;                                           // m, camera's frame
    double angle_bias;                                            // rad, about the base's z axis
    // A body of which the share v of the sample rays is free is reported at distance d with
    // probability detection_rate * f(v) * g(d) in each frame. f rises from 0 at min_visible to 1
    // at full_visible; g is 1 up to clear_range and falls to far_detection at `far`; both linearly.
    double detection_rate, min_visible, full_visible, clear_range, far_detection;
    double false_positives;                           // mean number of ghosts in a frame
    double confusion, color_confusion, color_unknown; // per percept
} robot_camera;

typedef struct robot_laser {
    const char *name;
    size_t link;
    pose at; // beams in the xy plane, from -fov/2 to +fov/2 about x
    double fov, min_range, max_range;
    int beams;
    double rate, delay; // Hz, s
    double noise, bias; // m, of a beam that hits
    // Shares of the beams that do not hit (Thrun, Burgard, Fox: Probabilistic Robotics, 6.3): cut
    // short by something that is not there, exponentially by short_decay per metre; no echo (reads
    // infinity); anywhere within range.
    double short_share, max_share, random_share;
    double short_decay;
} robot_laser;

// A motion-capture system in the room that sees a marker on the base.
typedef struct tracker_loss {
    double from, to; // s since the beginning
} tracker_loss;
typedef struct robot_tracker {
    bool present;
    pose at;                   // of the system in the map; it sees from its origin
    pose marker;               // on the base, base's frame
    double range;              // m from its origin
    double rate, delay;        // Hz, s
    double noise, angle_noise; // sigma, m per axis and rad about each
    vec3 bias;                 // m, system's frame
    double dropout;            // share of its readings that are never delivered
    bool latest;               // the robot's belief takes the newest data, of whatever instants
    const tracker_loss *losses;
    size_t loss_count;
} robot_tracker;

// What recognises other robots in the plane of the laser, and measures where their bases are.
typedef struct robot_detector {
    bool present;
    double range;              // m
    double rate, delay;        // Hz, s
    double noise, angle_noise; // sigma, m along x and y of the own base, and rad
    double dropout;            // share of what it recognises that it never reports
} robot_detector;

// The sensors of the hands: opening, force and touch.
typedef struct robot_touch {
    double rate, delay;                 // Hz (0: once per control cycle), s
    double force_noise;                 // sigma, share of the force
    double force_bias;                  // N
    double opening_noise, opening_bias; // m
    double touch;                       // N that a pad feels
} robot_touch;

// A note on something that the loader read otherwise than the file says it, or not at all.
typedef struct robot_note {
    const char *file, *text;
    int line, column;
} robot_note;

typedef struct robot_model {
    arena *arena;
    const char *name; // "robot": prefix of its bodies' names in the log
    const robot_link *links;
    size_t link_count;
    const robot_joint *joints;
    size_t joint_count;
    const robot_arm *arms;
    size_t arm_count;
    int64_t torso; // joint, -1: none
    int64_t pan, tilt;
    robot_camera camera;
    robot_laser laser;
    robot_tracker tracker;
    robot_detector detector;
    // base
    base_drive base_drive;
    double base_radius; // of the footprint, for planning
    double base_max_speed, base_max_turn, base_max_acceleration, base_max_turn_acceleration;
    double base_max_force; // N, what drives it; more stalls it
    double base_mass;
    robot_touch touch;
    // odometry and encoders
    double odometry_noise;                // metres per metre driven
    double odometry_angle_noise;          // rad per sqrt metre
    double odometry_bias;                 // metres per metre, systematic, to the left of the motion
    double odometry_angle_bias;           // rad per metre driven, systematic
    double odometry_rate, odometry_delay; // Hz, s
    double encoder_noise, encoder_bias;   // rad or m, sigma
    double encoder_rate, encoder_delay;   // Hz (0: once per control cycle), s
    const double *home;                   // initial q, by joint
    parameters params;
    const world_source *sources;
    size_t source_count;
    const double *self_margins; // of robot_self_margin, by both parts; NULL: as if nothing touched
    const robot_note *notes;    // in the order of the file
    size_t note_count;
    const char *const *wholes; // robots that these are, as one (scene/robot/fleet.h); NULL: itself
    size_t whole_count;
} robot_model;

// As world_load, for scope "robot". A path that ends in .urdf is read as such: a robot without arms
// that has the senses' defaults.
status robot_load(const char *path, const char *base, const settings *set, robot_model **out,
                  errors *list);
// The same from files in memory (NULL: the disk).
status robot_load_from(const file_set *files, const char *path, const char *base,
                       const settings *set, robot_model **out, errors *list);
void robot_destroy(robot_model *r);
// Gives what the robot may know of itself: the same, with its pads' friction as it believes it to
// be, no bias of any sense, and without parameters and sources. The caller owns it; it holds no
// reference to `r`.
robot_model *robot_known(const robot_model *r);
// Adds what is legal in a world and cannot be meant with this robot: handles so low that no hand's
// pads have room about them. `path`: the world's file.
void robot_remarks(const robot_model *r, const world_model *w, const char *path, errors *warnings);
int64_t robot_find_arm(const robot_model *r, const char *name);
int64_t robot_find_joint(const robot_model *r, const char *name);

// Poses of all links (link_count of them) in the frame that `base` is given in.
void robot_forward(const robot_model *r, pose base, const double *q, pose *links);
// Gives the joints that follow others the positions that these have in `q`. What a robot measures
// has them already; positions that are only thought of do not.
void robot_follow(const robot_model *r, double *q);
// The tool's frame in the palm's: the point between the pads' centres, oriented as the palm is.
static inline pose robot_tool_in_palm(const robot_gripper *g) {
    return (pose){v3(0, 0, g->pad_center_z), POSE_IDENTITY.q};
}
// The pose of an arm's palm frame (robot_gripper.mount) and of the point between the pads' centres
// (same orientation), from the links' poses.
pose robot_palm(const robot_model *r, size_t arm, const pose *links);
pose robot_tool(const robot_model *r, size_t arm, const pose *links);
// The radius about the base's origin, m, within which the robot keeps at home, hands included, seen
// from above, and *height (may be NULL) of what it has there.
double robot_breadth(const robot_model *r, double *height);
// The effort that a joint needs to hold still what it carries, hands included and nothing in them:
// N m or N. `links` and `gravity` in one frame.
double robot_holding_effort(const robot_model *r, const pose *links, vec3 gravity, size_t joint);
// Two parts of the robot keep this distance, m: parts are links, and behind them the hand of each
// arm (link_count + arm), open. Less where they are closer at home or where the arms park; 0 for
// parts that may touch: neighbours (two joints apart at most), and what overlaps at home, which the
// simulation does not let collide either.
#define ROBOT_SELF_MARGIN 0.01
double robot_self_margin(const robot_model *r, size_t a, size_t b);
// Geometric Jacobian of the tool of an arm with respect to its joints: rows linear xyz, angular
// xyz; columns past its joint_count are zero.
void robot_jacobian(const robot_model *r, size_t arm, const pose *links, double jacobian[6][7]);

#endif
