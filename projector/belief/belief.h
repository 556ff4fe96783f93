// projector/belief/belief.h - what the robot thinks.
//
// Owns:      believed objects with their frames, self-localisation, association of percepts.
// Fed by:    readings and the plan's own assertions, and nothing else.
// Invariant: every change is a record (BELIEVED, BELIEVED_FRAME, ASSOCIATION, VARIABLE of RobotPos,
//            PosAccuracy, PosAmbiguity), so that what was believed at any instant can be read from
//            the log.
//
// Believed objects have names of their own: what is known a priori that of its body, what is first
// perceived type#1, type#2, ... Names live as long as the belief.
#ifndef FORESEE_PROJECTOR_BELIEF_BELIEF_H
#define FORESEE_PROJECTOR_BELIEF_BELIEF_H

#include "base/term/term.h"
#include "projector/middleware.h"
#include "scene/robot/robot.h"
#include "schema/sink.h"

typedef struct belief belief;

// `known` is what world_known gives: types, furniture, regions. All arguments are borrowed.
status belief_create(const world_model *known, const robot_model *robot, sink *log, int64_t agent,
                     const int64_t *known_objects /* log id by body of `known`, 0: none */, nanos t,
                     belief **out, error *err);
void belief_destroy(belief *b);

// Every reading passes here first: encoders, odometry; camera and laser only as detect and localise
// ask.
status belief_read(belief *b, const reading *r, error *err);
// Ends a cycle: writes RobotPos and friends when they changed by more than 1 mm or 0.1 degrees.
// RobotPos is pose(X, Y, Yaw) in m and rad; the same as a BELIEVED_FRAME of the row named after the
// robot. PosAccuracy is the sigma in m, PosAmbiguity the number of poses that explain the laser.
status belief_cycle(belief *b, nanos t, error *err);

// Grows whenever something changes that a condition or expression over the belief can see: objects,
// the robot's own place, joints, grippers, wrists, doors.
uint64_t belief_version(const belief *b);

// The seed of its own draws (particles of self-localisation); 0 where it is not set.
void belief_seed(belief *b, uint64_t seed);
// Names the robot's own body (log id of link 0), which its BELIEVED row `robot` then refers to.
// Call it before the first cycle.
void belief_own_body(belief *b, int64_t object);

pose belief_robot(const belief *b); // base in the map, planar
void belief_accuracy(const belief *b, double *position,
                     double *angle); // sigma: m (worst axis), rad
size_t
belief_ambiguity(const belief *b); // poses that explain the laser about as well; PosAmbiguity
// The covariance of x, y (m) and yaw (rad) in the map, of the pose that is believed.
void belief_self_covariance(const belief *b, double out[3][3]);
const double *belief_joints(const belief *b); // by joint, as the encoders said last
const double *belief_joint_velocities(const belief *b);
const pose *
belief_links(const belief *b); // by link, in the map, of robot and joints as last believed
void belief_twist(const belief *b, double *vx, double *vy,
                  double *wz); // of the base, from odometry
typedef struct gripper_state {
    bool read; // a reading has come
    double opening, force;
    bool touch_1, touch_2, moving;
} gripper_state;
const gripper_state *belief_gripper(const belief *b, size_t arm); // as read last
typedef struct wrench_state {
    bool read;          // a reading has come
    vec3 force, torque; // of the hand on the flange, flange's frame; N, N m
} wrench_state;
const wrench_state *belief_wrench(const belief *b, size_t arm); // as read last
// Position of a known door or drawer (world_joint of `known`), rad or m, as last seen or moved by
// the robot's own hand; *sigma may be NULL.
double belief_world_joint(const belief *b, size_t joint, double *sigma);
// The plan's own knowledge that a joint now stands at `position` (its hand held the handle there).
status belief_note_joint(belief *b, size_t joint, double position, int64_t task, nanos t,
                         error *err);

// As of time t: the pose of frame a in frame b ("map", "robot", a gripper's or an object's name),
// with the standard deviations (x, y, z, angle). E_INPUT: no such frame.
typedef struct covariance {
    double x, y, z, angle;
} covariance;
status belief_frame(const belief *b, const char *frame_a, const char *frame_b, nanos t, pose *out,
                    covariance *cov, error *err);

typedef struct believed_object {
    const char *name, *type, *color;
    int64_t id;            // of the BELIEVED record
    bool known;            // a priori
    const body_type *kind; // of the catalogue; NULL: a type it does not know
    int64_t body;          // body of `known`; -1: none
    bool confirmed;     // known, or seen often enough; what is not is neither obstacle nor solution
    int64_t hand;       // arm that holds it or carries what it stands on; -1: none
    const char *parent; // "map", a gripper's name, ...
    const char *support; // believed object or furniture it stands on; NULL: unknown or in a hand
    pose at;             // in the map
    covariance cov;
    nanos seen; // last percept; -1 never
} believed_object;
size_t belief_object_count(const belief *b);
const believed_object *belief_object(const belief *b, size_t i);
const believed_object *belief_find(const belief *b, const char *name); // NULL: none

// ---- Seeing -------------------------------------------------------------------------------------
// Every camera frame is associated as it is read. belief_look begins a window of frames;
// belief_fuse ends it: each object that at least a quarter of the window's frames (and three)
// report gets the mean of what they said, stands on the surface beneath it, and is listed in `out`
// (indices of objects; may be NULL). What should have been seen and was not is believed no more to
// be where it was (unconfirmed, sigma 1 m).
void belief_look(belief *b);
size_t belief_frames(const belief *b); // frames in the window so far
typedef ARRAY(size_t) index_array;
status belief_fuse(belief *b, int64_t task, nanos t, index_array *out, error *err);

// ---- Localising ---------------------------------------------------------------------------------
// Between these two laser scans are kept. A particle filter then weighs poses by them: drawn from
// the present belief, moved by odometry since the last time, and where none of these explains the
// scans, from anywhere in the map. The belief becomes the mean and covariance of the largest
// cluster of particles; the others are remembered and move along until a later localisation finds
// them out. `found` false: no pose explains the scans, and the belief stays as it was. ambiguity:
// number of clusters that hold a tenth of the probability or more and explain the scans about as
// well as the best (PosAmbiguity).
typedef struct localisation {
    bool found;
    double inliers;     // share of the beams that are as long as the map says
    double shift, turn; // how far the belief was moved: m, rad
    int ambiguity;
} localisation;
// The draws are keyed by the operation's static path and how often it has begun (0, 1, ...).
void belief_localise_begin(belief *b, const char *path, uint64_t occurrence);
size_t belief_scans(const belief *b); // kept so far
status belief_localise_end(belief *b, int64_t task, nanos t, localisation *out, error *err);

// ---- Holding ------------------------------------------------------------------------------------
// The fingers have closed about an object, which stands at `in_hand` in the tool's frame
// (robot_tool). What it is asserted to be later (object_in_hand) takes it from here; until then the
// object is believed where it was. Opening by more than a centimetre past `opening` lets it go
// where the hand is then. Fingers that have closed to less than half of `opening` and feel nothing
// for 0.1 s have lost it: it is believed to be last where the hand was, with a sigma of 1 m,
// unconfirmed.
status belief_note_grasp(belief *b, size_t arm, const char *object, pose in_hand, double opening);
// For which task an opening of the gripper would let go.
void belief_expect_release(belief *b, size_t arm, int64_t task);
// The object asserted or noted to be in a hand, NULL: none; *in_hand (may be NULL): its pose in the
// tool's frame.
const believed_object *belief_held(const belief *b, size_t arm, pose *in_hand);
// The surface right beneath a point of the map, not higher than `z`: its height; *name (may be
// NULL): of what. Of known and confirmed objects, `except` (may be NULL) left out. -infinity: none.
double belief_surface(const belief *b, vec3 point, const char *except, const char **name);
// The lowest point of shapes at a pose.
double belief_lowest(const shape *shapes, size_t count, pose at);

// All ways in which an occasion is believed to hold: matches `occasion` (variables, `_` allowed)
// against the belief; each solution is the ground occasion. Understands on(X, B), in(X, C),
// within(X, Region), object_in_hand(X), object_in_hand(X, Hand), loc(X, pose(...)) ungrounded pose
// ignored, near(X, Y), left_of(X, Y), right_of(X, Y), in_front_of(X, Y), behind(X, Y) and beside(X,
// Y) (within 45 degrees of that side of Y and 1 m, sides as in places.h), type(X, T), color(X, C),
// object_visible(X), believed(X), touched(Arm), stands_on(X, Y), open(J) and closed(J) of a door or
// drawer by its joint's or its body's name, tag(X, Tag), any other key of the properties of types
// and known bodies as Key(X, Value), loc(robot, at(X, Y, YawDegrees)) within 0.1 m and 5 degrees.
// Goals may name a(Type) in place of an object: some object of that type. Near is 0.5 m between
// origins, in the plane. A Hand is a gripper's or an arm's name. E_INPUT: an occasion it does not
// know.
typedef ARRAY(const term *) term_list_array;
status belief_solve(const belief *b, arena *a, const term *occasion, term_list_array *out,
                    error *err);

// The plan's own assertion that an occasion holds now (the effect of a task that was done), logged
// as derived from that task: object_in_hand(X, Hand), on(X, B), in(X, C), within(X, R); others
// change nothing, nor does object_in_hand of a hand that has felt itself empty since it closed.
// E_INPUT: no such object, hand, body or region.
status belief_assert(belief *b, const term *occasion, int64_t task, nanos t, error *err);

// Objects that fit a description, a list of properties [type(cup), color(red), on(counter_1), ...]
// each holding of the object as its first argument; best (nearest to the robot) first.
status belief_resolve_object(const belief *b, arena *a, const term *description,
                             term_list_array *out, error *err);
// A location term as a pose in the map with its support: a description of a place (a list of
// properties, places.h; the best that fits), or one of within(Region), on(Body), on(Body, at(X,
// Y)), in(Container), left_of(Ref), right_of(Ref), near(Ref), in_front_of(Ref), behind(Ref),
// beside(Ref), each of these also with on(Support) behind the Ref, at(X, Y, YawDegrees), at(X, Y,
// YawDegrees, Support) and at(X, Y, YawDegrees, Support, Tolerance), where YawDegrees may be `any`.
// X, Y: map, m. A support that was not said is taken from the reference object, and
// *support_defaulted is set. E_INPUT: no location, or of what is not believed in; of a list also
// what only the robot can tell (reachable_for: robot_locate). E_INFEASIBLE: nothing fits the
// description.
typedef struct believed_place {
    pose at;             // origin of the object put there, in the map
    const char *support; // "floor_1", "dining_table", ...
    bool support_defaulted;
    double tolerance;      // m
    double half_x, half_y; // about `at`, in its axes: anywhere in here is as good
    bool yaw_free;
} believed_place;
status belief_resolve_location(const belief *b, const term *location, believed_place *out,
                               error *err);

#endif
