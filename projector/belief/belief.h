// projector/belief/belief.h - what the robot thinks.
//
// Owns:      believed objects with their frames, self-localisation, association of percepts.
// Fed by:    readings and the plan's own assertions, and nothing else.
// Invariant: every change is a record (BELIEVED, BELIEVED_FRAME, ASSOCIATION, VARIABLE of
//            PosAccuracy, PosAmbiguity and ViewResidual), so that what was believed at any instant
//            can be read from the log.
//
// A believed object that is known a priori has the name of its body. One that is first perceived is
// called type#1, type#2, ... Names live as long as the belief.
#ifndef FORESEE_PROJECTOR_BELIEF_BELIEF_H
#define FORESEE_PROJECTOR_BELIEF_BELIEF_H

#include "base/term/term.h"
#include "projector/middleware.h"
#include "scene/robot/robot.h"
#include "schema/sink.h"

typedef struct belief belief;

// `known` comes from world_known: types, furniture, regions. All arguments are borrowed until
// belief_destroy.
status belief_create(const world_model *known, const robot_model *robot, sink *log, int64_t agent,
                     const int64_t *known_objects /* log id by body of `known`, 0: none */, nanos t,
                     belief **out, error *err);
void belief_destroy(belief *b);

// Takes a reading into the belief. Laser scans are kept only between belief_localise_begin and
// belief_localise_end; a camera frame counts for the window that belief_look began.
status belief_read(belief *b, const reading *r, error *err);
// Ends a cycle: writes the robot's believed pose where it has changed by more than 1 mm or 0.1
// degrees, as a BELIEVED_FRAME of the object named after the robot, from which the log tells the
// variable RobotPos, pose(X, Y, Yaw) in m and rad. PosAccuracy is the standard deviation in m,
// PosAmbiguity the number of poses that explain the laser.
status belief_cycle(belief *b, nanos t, error *err);

// Returns a number that grows whenever something changes that a condition or expression over the
// belief can see: objects, the robot's own place, joints, grippers, wrists, doors.
uint64_t belief_version(const belief *b);

// Sets the seed of the belief's own draws (particles of self-localisation), which is 0 otherwise.
void belief_seed(belief *b, uint64_t seed);
// Says which body (log id of link 0) is the robot's own; the BELIEVED row of the robot then refers
// to that body. Must be called before the first cycle.
void belief_own_body(belief *b, int64_t object);

// Says what the robot is called among several: its records then name it and its hands so. Must be
// called before the first cycle; without it, or with NULL, the robot's own name stands.
void belief_own_name(belief *b, const char *name);

// Another robot of the projection, as all who take part know it.
typedef struct belief_other_robot {
    const char *name;
    int64_t object; // its log id
    bool marked;
    pose marker;           // where a tracker's marker sits on its base, if it is marked
    double radius, height; // of the upright cylinder that it keeps within while it drives, m
} belief_other_robot;
// Makes another robot known. Must be called before the first cycle. E_INPUT: its name is that of a
// frame already.
status belief_meet(belief *b, const belief_other_robot *other, error *err);
// Returns what the frame of this name is in the view of `r`, called `as` among several robots
// (NULL: it is alone), beside the frames of things: "the map", "a hand". NULL: there is none.
const char *belief_frame_called(const robot_model *r, const char *as, const char *name);
// How another robot's base moves in the plane of the map.
typedef struct other_motion {
    pose at;
    vec3 speed;  // m/s, of its origin
    double spin; // rad/s
    nanos seen;  // when it was measured last; it is taken to go on as it went then
} other_motion;
// Gives where another robot's base is at a time. False: there is no such robot, or nothing has ever
// told where it is.
bool belief_other(const belief *b, const char *name, nanos t, other_motion *out);

// Another robot as something in the way: an upright cylinder.
typedef struct robot_in_way {
    const char *name;
    vec3 at;               // of its base in the map, now
    vec3 speed;            // m/s, as of late; 0: it stands
    bool stands;           // it has hardly moved as of when something told of it last
    double radius, height; // m
} robot_in_way;
size_t belief_robot_count(const belief *b); // of other robots
// Returns the log id of another robot; 0: there is none of this name.
int64_t belief_robot_object(const belief *b, const char *name);
// Gives another robot, by its index, as it is believed now. False: nothing has told of it for so
// long that it may be anywhere: 10 s where it stood, 2 s where it drove.
bool belief_robot_in_way(const belief *b, size_t i, robot_in_way *out);

// The believed pose of the base in the map, planar.
pose belief_robot(const belief *b);
// Its standard deviations: m along the worst axis in the plane, and rad.
void belief_accuracy(const belief *b, double *position, double *angle);
// Its covariance: x, y (m) and yaw (rad) in the map.
void belief_self_covariance(const belief *b, double out[3][3]);
// The number of poses that explain the laser about equally well (PosAmbiguity).
size_t belief_ambiguity(const belief *b);
// The positions and velocities of the robot's joints, as the encoders read last.
const double *belief_joints(const belief *b);
const double *belief_joint_velocities(const belief *b);
// The poses of the robot's links in the map, from the believed base and joints.
const pose *belief_links(const belief *b);
pose belief_tool(const belief *b, size_t arm); // the pose of a hand's tool in the map
// The velocity of the base in its own frame (m/s, rad/s), from odometry.
void belief_twist(const belief *b, double *vx, double *vy, double *wz);
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
// What contacts do to the arm, as its observer said last: about the tool, in the base's frame.
const wrench_state *belief_contact(const belief *b, size_t arm);
// Returns the position of a known door or drawer (a world_joint of `known`), rad or m, as last seen
// or moved by the robot's own hand. *sigma, unless NULL, is its standard deviation.
double belief_world_joint(const belief *b, size_t joint, double *sigma);
// Takes over that a joint stands at `position`, as a task knows whose hand held the handle there.
status belief_note_joint(belief *b, size_t joint, double position, int64_t task, nanos t,
                         error *err);

// The standard deviations of a pose: m along the axes of the map, and rad.
typedef struct covariance {
    double x, y, z, angle;
} covariance;
// A new BELIEVED_FRAME record of an agent, of what the BELIEVED `row` names: in the map, unless the
// caller changes that.
record belief_frame_row(sink *log, int64_t agent, int64_t row, nanos t, pose at, covariance cov,
                        const char *source);
// The pose of frame a in frame b as it was believed at time t. A frame is "map", "robot", or the
// name of a gripper, a region, an object or another robot. *cov may be NULL. E_INPUT: there is no
// such frame, or was none then. E_LIMIT: the past of that frame is not remembered.
status belief_frame(const belief *b, const char *frame_a, const char *frame_b, nanos t, pose *out,
                    covariance *cov, error *err);

typedef struct believed_object {
    const char *name, *type, *color;
    int64_t id;            // of the BELIEVED record
    bool known;            // a priori
    const body_type *kind; // the type's entry in the catalogue; NULL: the catalogue lacks it
    int64_t body;          // index of the body among those of `known`; -1: none
    bool confirmed;        // known or seen often enough; others are neither obstacles nor solutions
    int64_t hand;          // arm that holds the object, or what the object stands on; -1: none
    const char *parent;    // frame that the object moves with: "map", a gripper's name, ...
    const char *support;   // object or furniture that it stands on; NULL: unknown, or in a hand
    const char *taken_from; // what it stood on before a hand took it; NULL: unknown
    pose at;                // in the map
    covariance cov;
    nanos seen; // time of the last percept; -1: never perceived
} believed_object;
size_t belief_object_count(const belief *b);
const believed_object *belief_object(const belief *b, size_t i);
const believed_object *belief_find(const belief *b, const char *name); // NULL: none

// ---- Seeing -------------------------------------------------------------------------------------
// The percepts of every camera frame are associated with objects as the frame is read. belief_look
// begins a window of frames; belief_fuse ends it: each object that at least three frames and a
// quarter of the window's frames report is put at the mean of the reported poses, onto the surface
// beneath, and is listed in `out` (indices of objects; may be NULL). An object that should have
// been seen and was not is no longer believed to be where it was: it becomes unconfirmed, with a
// standard deviation of 1 m.
void belief_look(belief *b);
size_t belief_frames(const belief *b); // frames in the window so far
typedef ARRAY(size_t) index_array;
status belief_fuse(belief *b, int64_t task, nanos t, index_array *out, error *err);

// ---- Following a pole ---------------------------------------------------------------------------
// A thing that stands upright and is round can be followed by laser scans, whose driver reports
// where a pole stands. The view relates it, as a placement, to the map, or to another robot with
// which it moves, or to the robot's own hand once that holds it; the laser's observation estimates
// that placement, whichever it is (Schierl et al. 2017, III-B).
typedef struct pole_sought {
    const char *type;   // of the catalogue
    const char *object; // a believed one; NULL: any of the type, or a new one
    const char *with;   // another robot; NULL: the map
    pose at;            // where it is expected, in that frame
} pole_sought;
// Begins to follow a pole; one at a time. E_INPUT: there is no such type, object or robot, or the
// type is no pole.
status belief_follow_pole(belief *b, const pole_sought *sought, error *err);
// Ends it. What moved with another robot is then no longer believed to be where it was.
status belief_leave_pole(belief *b, int64_t task, nanos t, error *err);
typedef struct pole_state {
    bool placed;   // it can be told where it is expected: the robot that it moves with is known
    pose expected; // in the map, now
    double diameter;
    const char *object; // NULL: none was found yet
    bool sure;          // three scans in a row have reported it, and one within the last second
} pole_state;
void belief_pole(const belief *b, nanos t, pole_state *out);

// ---- Localising ---------------------------------------------------------------------------------
// Laser scans are kept from belief_localise_begin to belief_localise_end, which weighs poses by
// them in a particle filter. The poses are drawn from the present belief, and from anywhere in the
// map where none of these explains the scans. The belief becomes the mean and covariance of the
// likeliest cluster of particles; the other clusters are kept and move along with odometry, until a
// later localisation rules them out.
typedef struct localisation {
    bool found;         // false: no pose explains the scans, and the belief stays as it was
    double inliers;     // share of the beams that are as long as the map says
    double shift, turn; // how far the believed pose was moved: m, rad
    int ambiguity; // clusters that hold a tenth of the probability or more and explain the scans
                   // about as well as the best (PosAmbiguity)
} localisation;
// The draws are keyed by the static path of the operation and by how often that operation has begun
// (0, 1, ...).
void belief_localise_begin(belief *b, const char *path, uint64_t occurrence);
size_t belief_scans(const belief *b); // number of scans that were kept so far
status belief_localise_end(belief *b, int64_t task, nanos t, localisation *out, error *err);

// ---- Holding ------------------------------------------------------------------------------------
// Notes that the fingers have closed about an object at `in_hand` in the tool's frame (robot_tool).
// The object is believed to stay where it was until object_in_hand is asserted of it, which puts it
// at `in_hand`. Fingers that open by more than a centimetre past `opening` let the object go where
// the hand is then. Fingers that have closed to less than half of `opening` and feel nothing for
// 0.1 s have lost it: the object becomes unconfirmed, at the last place of the hand with a standard
// deviation of 1 m.
status belief_note_grasp(belief *b, size_t arm, const char *object, pose in_hand, double opening);
// Says which task is the cause if the gripper lets its object go.
void belief_expect_release(belief *b, size_t arm, int64_t task);
// Returns the object that is asserted or noted to be in a hand; NULL: none. *in_hand, unless NULL,
// is the object's pose in the tool's frame.
const believed_object *belief_held(const belief *b, size_t arm, pose *in_hand);
// Returns the height of the highest level surface beneath a point of the map, among those of known
// and confirmed objects but `except` (may be NULL); -infinity: there is none. *name, unless NULL,
// is the object that the surface belongs to.
double belief_surface(const belief *b, vec3 point, const char *except, const char **name);
// Returns the height of the lowest point of shapes at a pose.
double belief_lowest(const shape *shapes, size_t count, pose at);

// Finds all ways in which an occasion is believed to hold: matches `occasion`, which may hold
// variables and `_`, against the belief. Each solution is the ground occasion. Known are:
//   - the occasions of occasions.def;
//   - the relations of places.def: near(X, Y) within 0.5 m between the origins in the plane; the
// others within 45 degrees of that side of Y and 1 m (places.h says which side is which);
//   - tag(X, Tag), and each key of the properties of types and known bodies, as Key(X, Value).
// loc(robot, at(X, Y, YawDegrees)) holds within 0.1 m and 5 degrees; loc(X, pose(...)) binds a
// variable and compares nothing. open(J) and closed(J) name a door or drawer by its joint or its
// body. A hand is named by its gripper or its arm. a(Type) in place of an object stands for some
// object of that type. E_INPUT: an occasion that the belief does not know.
typedef ARRAY(const term *) term_list_array;
status belief_solve(const belief *b, arena *a, const term *occasion, term_list_array *out,
                    error *err);

// Takes over that an occasion holds now, as the effect of a task that was done, and logs the change
// as derived from that task. Occasions that change the belief are object_in_hand(X),
// object_in_hand(X, Hand), on(X, B), stands_on(X, B), in(X, C) and within(X, R); object_in_hand
// changes nothing where the hand has felt that it is empty. E_INPUT: there is no such object, hand,
// body or region.
status belief_assert(belief *b, const term *occasion, int64_t task, nanos t, error *err);

// Finds the objects that fit a description, which is a list of occasions without their first
// argument: [type(cup), color(red), on(counter_1), ...]. The nearest to the robot comes first.
status belief_resolve_object(const belief *b, arena *a, const term *description,
                             term_list_array *out, error *err);
// Turns a location term into a pose in the map with its support. The term is
//   - a description of a place (places.h), of which the best place is taken;
//   - within(Region), on(Body), on(Body, at(X, Y)) or in(Container);
//   - left_of(Ref), right_of(Ref), near(Ref), in_front_of(Ref), behind(Ref) or beside(Ref), each
// with an optional second argument on(Support);
//   - at(X, Y, YawDegrees), with optional arguments Support and Tolerance; YawDegrees may be `any`
// where a Support follows.
// X, Y and Tolerance are metres in the map. A support that the term does not name is taken from the
// reference object, and support_defaulted is set. E_INPUT: the term is no location, names what is
// not believed in, or asks what the belief alone cannot tell (reachable_for: see robot_locate).
// E_INFEASIBLE: no place fits the description.
typedef struct believed_place {
    pose at;             // origin of the object put there, in the map
    const char *support; // "floor_1", "dining_table", ...
    bool support_defaulted;
    double tolerance;      // m
    double half_x, half_y; // half extents of the rectangle about `at` where any point is as good
    bool yaw_free;         // any orientation will do
    bool half_turns;       // the opposite one will do as well
} believed_place;
status belief_resolve_location(const belief *b, const term *location, believed_place *out,
                               error *err);

#endif
