// projector/belief/belief_int.h - the belief's state, for its own files.
#ifndef FORESEE_PROJECTOR_BELIEF_BELIEF_INT_H
#define FORESEE_PROJECTOR_BELIEF_BELIEF_INT_H

#include "base/text/number.h"
#include "base/math/rng.h"
#include "projector/belief/belief.h"
#include "projector/belief/places.h"

enum { ODOMETRY_RING = 256, SCANS_MAX = 16, ARMS_MAX = 4, MODES_MAX = 4 };

typedef enum hang { HANG_MAP, HANG_OBJECT, HANG_HAND } hang;

// A believed pose as it was from some instant on.
typedef struct past {
    nanos t;
    hang hang;
    size_t parent; // object or arm
    pose local;
    covariance cov;
} past;

typedef struct believed {
    believed_object seen; // what others see of it
    hang hang;
    size_t parent; // object's index or arm
    const char *relation;
    pose local; // in the parent's frame
    covariance cov;
    ARRAY(past) history;
    // window of frames
    size_t frames, odd; // that reported it; that reported another kind in its place
    vec3 sum;
    quat reference; // first orientation of the window; the others are averaged as rotations from it
    vec3 turns;
    double variance; // of one percept, summed
    int64_t percept; // last one of the window
    uint64_t frame;  // number of the last frame that reported it
    bool lost;       // was believed in, and is believed to be gone from where it was
} believed;

// A known door or drawer.
typedef struct believed_joint {
    double position, sigma; // rad or m
    double written;         // as logged last
    double sum;             // over the window's frames
} believed_joint;

typedef struct base_past {
    nanos t;
    double x, y, yaw;
} base_past;

// One of few normal distributions that together are the belief of the own pose.
typedef struct self_mode {
    double x, y, yaw;
    double p[3][3]; // covariance of x, y, yaw in the map
    double weight;  // all of them together: 1
} self_mode;

// What of the known map is cut at the laser's height.
typedef struct solid {
    const shape *s;
    pose at;        // of the shape's own frame, in the map
    vec3 low, high; // its bounds
} solid;
typedef struct laser_map {
    ARRAY(solid) solids;
    double height;
    double x0, y0, cell, per_metre; // of the field: place of its first node, pitch, its inverse
    size_t nx, ny;
    float *field; // signed distances to the nearest surface, cut off at 0.25 m; NULL: not made yet
    bool stale;   // something of the map has moved since
} laser_map;

typedef struct grasp_note {
    bool noted;
    bool asserted; // that it is in the hand, though it may hang in the other one or on its hinges
    size_t object;
    pose in_hand; // in the tool's frame
    double opening;
    int64_t release_task;
    size_t empty; // readings in a row by which nothing is between the fingers any more
} grasp_note;

struct belief {
    const world_model *known;
    const robot_model *robot;
    sink *log;
    int64_t agent;
    int64_t robot_object, robot_id; // log ids of its body and of the BELIEVED row
    arena *arena;
    ARRAY(believed) objects;

    uint64_t seed;
    uint64_t version; // belief_version

    // self
    self_mode self[MODES_MAX]; // the first is what is believed
    size_t mode_count;
    double vx, vy, wz;
    base_past ring[ODOMETRY_RING];
    size_t ring_next, ring_count;
    ARRAY(base_past) trail; // as logged
    double *q, *qd;
    pose *links;
    nanos now;
    // as logged last
    double logged_x, logged_y, logged_yaw, logged_accuracy;
    bool logged;
    const char *robot_source;
    int64_t robot_task;

    believed_joint *joints; // by joint of `known`

    gripper_state grippers[ARMS_MAX];
    wrench_state wrenches[ARMS_MAX];
    grasp_note grasps[ARMS_MAX];
    bool lost[ARMS_MAX];      // the hand was felt to be empty, and has not touched or opened since
    double lost_at[ARMS_MAX]; // its opening then

    // seeing
    uint64_t frame_count, window_start; // frames read; number before the window's first
    pose eye_base;                      // base when the last frame was taken
    ARRAY(bool) taken;                  // of one frame: percepts that were associated
    // localising
    bool localising;
    size_t scan_count;
    double *scans; // SCANS_MAX x beams
    double scan_at[SCANS_MAX][3];
    rng_key localise_key;
    laser_map laser_map;
};

// ---- frame.c ------------------------------------------------------------------------------------
size_t belief_index(const belief *b, const char *name); // SIZE_MAX: none
pose belief_world(const belief *b, const believed *o);  // where it is in the map
pose belief_tool(const belief *b, size_t arm);
pose belief_base_at(const belief *b, nanos t); // the base in the map, as odometry had it then
// Sigma of a mode along its worst axis in the plane (m) and of its heading (rad).
void belief_mode_accuracy(const self_mode *m, double *position, double *angle);
void belief_changed(belief *b); // something that a condition can see
// Hangs an object on something else, keeping the given pose in the map.
void belief_hang(belief *b, size_t object, hang how, size_t parent, const char *relation, pose at,
                 covariance cov);
// Believes no more that an object is where it was, nor what stands on it: it is unconfirmed, about
// `at` with a sigma of 1 m.
void belief_forget_place(belief *b, size_t object, pose at);
status belief_new_object(belief *b, const char *type, const char *color, pose at, covariance cov,
                         int64_t seen_in, nanos t, size_t *out, error *err);
void belief_fill_frame(record *r, pose at, covariance cov); // of a BELIEVED_FRAME
status belief_write_frame(belief *b, size_t object, const char *source, int64_t seen_in,
                          int64_t task, nanos t, error *err);
// Writes a BELIEVED record and sets o->id. `object`: log id of a known body, 0: none.
status belief_write_object(belief *b, believed_object *o, int64_t object, nanos t, error *err);
status belief_write_variable(belief *b, const char *name, const char *value, int64_t task,
                             const char *point, nanos t, error *err);

// ---- surface.c ----------------------------------------------------------------------------------
// Stands an object on the surface beneath it (snapping it to one within `slack`), or leaves it in
// the air.
void belief_settle(belief *b, size_t object, pose at, covariance cov, double slack);
bool belief_within(const belief *b, const believed *o, const world_region *r);
// The highest level top of one object beneath `point` and not over `z`; -infinity: none.
double belief_top(const believed_object *o, vec3 point, double z);
// The same for something of a kind that stands at a pose: on a rim where it is about as wide.
double belief_standing_top(const believed_object *under, const body_type *kind, pose at, double z);

// ---- relation.c ---------------------------------------------------------------------------------
// The sides of an object or body, and of a region.
void belief_sides(const belief *b, size_t reference, viewpoint *out);
void belief_region_sides(const belief *b, size_t region, viewpoint *out);
// The sides of a point as seen_from(Who) says; false: nobody to see it from.
bool belief_sides_said(const belief *b, const term *who, vec3 of, viewpoint *out);
// The unit vectors that a word points to; 0: near, any way.
size_t relation_ways(place_relation r, const viewpoint *view, vec3 out[2]);
// Whether something `off` a reference is left of it, ...: within 45 degrees and `most` m.
bool relation_holds(place_relation r, const viewpoint *view, vec3 off, double most);

// ---- joints.c -----------------------------------------------------------------------------------
void belief_refresh(belief *b); // the links' poses, and the objects that the hands carry
int64_t belief_joint_of(const belief *b, size_t object); // that moves it; -1: none
// The position of a joint at which its body stands nearest to a pose known within `sigma` (m) and
// `angle` (rad); *off (may be NULL): how far it then is from there.
double belief_joint_nearest(const belief *b, size_t joint, pose at, double sigma, double angle,
                            double *off);
// How well a pose known within `sigma` and `angle` tells the joint's position.
double belief_joint_sigma(const belief *b, size_t joint, double sigma, double angle);
void belief_place_joint(belief *b, size_t joint, double position, double sigma);
status belief_write_joint(belief *b, size_t joint, const char *source, int64_t seen_in,
                          int64_t task, nanos t, error *err);
status belief_cycle_joints(belief *b, nanos t, error *err); // logs what has moved so

// ---- percept.c, localise.c ----------------------------------------------------------------------
status belief_see(belief *b, const reading *r, error *err);
void belief_keep_scan(belief *b, const reading *r);

// ---- laser_map.c --------------------------------------------------------------------------------
// Makes the map anew where something has moved in it; `height` of the beams, m.
void laser_map_refresh(const belief *b, laser_map *m, double height);
void laser_map_finish(laser_map *m);
// How far from the nearest surface a beam ends that came along a unit vector, at most about 0.3 m;
// 0.05 m more where it would have come out of that surface from behind.
double laser_map_off(const laser_map *m, double x, double y, double way_x, double way_y);
// Whether a point lies within the map and in none of its solids.
bool laser_map_free(const laser_map *m, double x, double y);
// The length of a beam, at most `range`.
double laser_map_cast(const laser_map *m, vec3 from, vec3 direction, double range);

#endif
