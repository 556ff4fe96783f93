// projector/belief/belief_int.h - the state of the belief, for the files of projector/belief.
#ifndef FORESEE_PROJECTOR_BELIEF_BELIEF_INT_H
#define FORESEE_PROJECTOR_BELIEF_BELIEF_INT_H

#include "base/text/number.h"
#include "base/math/rng.h"
#include <math.h>
#include "projector/belief/belief.h"
#include "projector/belief/graph.h"
#include "projector/belief/places.h"
#include "projector/belief/pole.h"
#include "projector/belief/reports.h"
#include "projector/belief/told.h"
#include "projector/belief/view.h"

enum { ODOMETRY_RING = 256, SCANS_MAX = 16, MODES_MAX = 4 };

// The frame that an object moves with: the map's, another object's, a palm's, or that of another
// robot's base.
typedef enum hang { HANG_MAP, HANG_OBJECT, HANG_HAND, HANG_ROBOT } hang;

// The pose of an object as it was believed from an instant on.
typedef struct past {
    nanos t;
    hang hang;
    size_t parent; // object or arm
    pose local;
    covariance cov;
} past;

typedef struct believed {
    believed_object seen; // what other rooms see of the object
    hang hang;
    size_t parent;        // index of the object, of the arm or of the other robot that it hangs on
    const char *relation; // to the parent: at, on, in, held
    covariance cov;
    ARRAY(past) history;
    // In the view (view_things.c), which has its pose in the parent's frame, too (belief_local):
    graph_id frame, placement; // its own; the relation to the parent's, GRAPH_NONE: out of the view
    pose supposed;             // its pose in the parent's frame while it is out of the view
    graph_id observation;      // that tells the pose; GRAPH_NONE: none does
    graph_id observer;         // the frame that it tells it in
    const char *sensor;        // whose observation it is
    bool given;                // its pose is known a priori, and nothing has told another since
    bool placeless;            // nothing tells where it is (belief_forget_place)
    // What the window of camera frames says of the object:
    size_t frames, odd;    // frames that report it; that report another kind in its place
    vec3 sum;              // of the reported positions
    quat reference;        // the first orientation of the window
    vec3 turns;            // sum of the rotations from `reference` to the reported orientations
    double variance;       // sum of the variances of the single percepts
    int64_t percept;       // log id of the last percept
    uint64_t last_frame;   // number of the last camera frame that reports it
    bool lost;             // was confirmed once, and is believed to be gone from where it was
    nanos stamp;           // when what is believed of its place was so
    ARRAY(report) reports; // the last of each source
    nanos moved;           // when it was moved last, or its place forgotten: reports are of later
    bool taken_over;       // while the own hand holds it: another robot says that it does, too
} believed;

// The object that another robot's belief calls by an id (log ids of the robot's agent and of its
// BELIEVED row).
typedef struct peer_name {
    int64_t teller, believed;
    size_t object;
} peer_name;

// A known door or drawer.
typedef struct believed_joint {
    double position, sigma; // rad or m
    double written;         // the position that was logged last
    double sum;             // of the positions that the window's frames report
} believed_joint;

// The pose of the base in the map as it was believed at a time.
typedef struct base_past {
    nanos t;
    double x, y, yaw;
} base_past;

// One of the normal distributions whose mixture is the belief of the robot's own pose.
typedef struct self_mode {
    double x, y, yaw;
    double p[3][3]; // covariance of x, y, yaw in the map
    double weight;  // the weights of all modes add up to 1
} self_mode;

// A shape of the known map that the plane of the laser's beams cuts.
typedef struct solid {
    const shape *s;
    pose at;        // of the shape's own frame, in the map
    vec3 low, high; // its bounds
} solid;
typedef struct laser_map {
    ARRAY(solid) solids;
    double height;
    // The field: signed distances to the nearest surface at the nodes of a grid, cut off at 0.25 m.
    double x0, y0, cell, per_metre; // position of the first node, pitch of the grid, its inverse
    size_t nx, ny;
    float *field; // NULL: not made yet
    bool stale;   // something of the map has moved since the field was made
} laser_map;

// What is known of the grasp of one hand (belief_note_grasp).
typedef struct grasp_note {
    bool noted;
    bool asserted; // object_in_hand was asserted; the object may hang on another hand or on hinges
    size_t object;
    pose in_hand;         // of the object in the tool's frame
    double opening;       // of the fingers when they had closed, m
    int64_t release_task; // task that lets the object go (belief_expect_release)
    size_t empty;         // readings in a row by which nothing is between the fingers any more
} grasp_note;

struct belief {
    const world_model *known;
    const robot_model *robot;
    const char *called; // among several robots; NULL: it is alone
    sink *log;
    int64_t agent;
    int64_t robot_object, robot_id; // log ids of the robot's body and of its BELIEVED row
    arena *arena;
    ARRAY(believed) objects;

    uint64_t seed;
    uint64_t version; // belief_version

    // The robot itself:
    self_mode self[MODES_MAX]; // the first is the believed pose, the others are its rivals
    size_t mode_count;
    double vx, vy, wz;
    base_past ring[ODOMETRY_RING]; // the last poses by odometry, for readings that come late
    size_t ring_next, ring_count;
    ARRAY(base_past) trail; // the poses that were logged
    double *q, *qd;
    pose *links;
    nanos now;
    robot_view view;
    // What was logged last:
    double logged_x, logged_y, logged_yaw, logged_accuracy;
    bool logged;
    const char *robot_source;
    int64_t robot_task;

    believed_joint *joints; // by joint of `known`

    gripper_state grippers[ARMS_MAX];
    wrench_state wrenches[ARMS_MAX], contacts[ARMS_MAX];
    grasp_note grasps[ARMS_MAX];
    bool lost[ARMS_MAX];      // the hand felt that it is empty, and has not touched or opened since
    double lost_at[ARMS_MAX]; // opening of the fingers when the hand felt so

    // Seeing:
    uint64_t frame_count, window_start; // frames read; frames read before the window began
    pose eye_base;                      // pose of the base when the last frame was taken
    nanos eye_taken;                    // when it was
    ARRAY(bool) taken;                  // which percepts of the present frame are associated
    // Telling and being told (told.c):
    bool sharing;
    ARRAY(told) outbox;
    ARRAY(peer_name) peers;
    pole pole; // pole.c
    // Localising:
    bool localising;
    size_t scan_count;
    double *scans;                // SCANS_MAX x beams
    double scan_at[SCANS_MAX][3]; // believed x, y, yaw of the base when each scan was taken
    rng_key localise_key;
    laser_map laser_map;
};

// ---- frame.c ------------------------------------------------------------------------------------
size_t belief_index(const belief *b, const char *name); // SIZE_MAX: none
// Fills `err`: there is no object of this name in the belief. Returns E_INPUT.
status belief_unknown(const char *name, error *err);
pose belief_world(const belief *b, const believed *o); // pose of an object in the map
pose belief_local(const belief *b, const believed *o); // in the frame of what it hangs on
pose belief_base_at(const belief *b, nanos t);         // pose of the base in the map at a time
// The standard deviations of a mode along its worst axis in the plane (m) and of its heading (rad).
void belief_mode_accuracy(const self_mode *m, double *position, double *angle);
// Must be called when something changes that a condition can see: raises belief_version.
void belief_changed(belief *b);
// Hangs an object on something else, keeping the given pose in the map.
void belief_hang(belief *b, size_t object, hang how, size_t parent, const char *relation, pose at,
                 covariance cov);
// Makes an object unconfirmed, near `at` with a standard deviation of 1 m: the robot no longer
// believes that it is where it was.
void belief_forget_place(belief *b, size_t object, pose at);
// Forgets the places of all that stands on something whose own place is about to be forgotten, at
// every level, and writes so: nobody knows any more whether it still stands there.
status belief_lose_riders(belief *b, size_t carrier, const char *source, int64_t task, nanos t,
                          error *err);
status belief_new_object(belief *b, const char *type, const char *color, pose at, covariance cov,
                         int64_t seen_in, nanos t, size_t *out, error *err);
// Adds an object under a name of its own; its place is not set.
status belief_add_object(belief *b, const char *type, const char *color, nanos t, size_t *out,
                         error *err);
status belief_write_frame(belief *b, size_t object, const char *source, int64_t seen_in,
                          int64_t task, nanos t, error *err);
// Writes a BELIEVED record and sets o->id. `object` is the log id of a known body; 0: none.
status belief_write_object(belief *b, believed_object *o, int64_t object, nanos t, error *err);
status belief_write_variable(belief *b, const char *name, const char *value, int64_t task,
                             const char *point, nanos t, error *err);

// ---- surface.c ----------------------------------------------------------------------------------
// Puts an object on the surface that is nearest to its lowest point, within `slack` (m), or leaves
// it in the air where there is none.
void belief_settle(belief *b, size_t object, pose at, covariance cov, double slack);
// Returns whether an object stands within a region, on the region's body or on what stands there.
bool belief_within(const belief *b, const believed *o, const world_region *r);
// Returns the height of an object's highest level surface at the x and y of `point`, not above `z`;
// -infinity: none.
double belief_top(const believed_object *o, vec3 point, double z);
// Returns the height at which something of a kind would stand on `under` at a pose, not above `z`:
// on the rim of `under` where it is about as wide as `under`, else as belief_top says.
double belief_standing_top(const believed_object *under, const body_type *kind, pose at, double z);

// ---- relation.c ---------------------------------------------------------------------------------
// Finds the sides (places.h) of an object or body, and of a region.
void belief_sides(const belief *b, size_t reference, viewpoint *out);
void belief_region_sides(const belief *b, size_t region, viewpoint *out);
// Finds the sides of the point `of` as `who` sees them, the argument of seen_from. False: `who`
// names no viewpoint.
bool belief_sides_said(const belief *b, const term *who, vec3 of, viewpoint *out);
// Gives the unit vectors of the directions that a relation means, and returns their number: 2 for
// beside, 0 for near.
size_t relation_ways(place_relation r, const viewpoint *view, vec3 out[2]);
// Returns whether something at the offset `off` from a reference is left of it, behind it, ...:
// within 45 degrees of the direction and no farther than `most` m.
bool relation_holds(place_relation r, const viewpoint *view, vec3 off, double most);

// ---- joints.c -----------------------------------------------------------------------------------
// Computes anew the poses of the robot's links and of the objects that the hands carry.
void belief_refresh(belief *b);
// Returns the joint of `known` that moves an object; -1: none.
int64_t belief_joint_of(const belief *b, size_t object);
// Returns the position of a joint at which its body stands nearest to a pose that is known within
// `sigma` (m) and `angle` (rad). *off, unless NULL, is the distance that remains.
double belief_joint_nearest(const belief *b, size_t joint, pose at, double sigma, double angle,
                            double *off);
// Returns the standard deviation of a joint's position that follows from such a pose.
double belief_joint_sigma(const belief *b, size_t joint, double sigma, double angle);
// Puts a joint's body, and all that hangs on it by joints of its own, where the position says.
void belief_place_joint(belief *b, size_t joint, double position, double sigma);
status belief_write_joint(belief *b, size_t joint, const char *source, int64_t seen_in,
                          int64_t task, nanos t, error *err);
// Logs the doors and drawers that the hands have moved since they were logged last.
status belief_cycle_joints(belief *b, nanos t, error *err);

// ---- percept.c, localise.c ----------------------------------------------------------------------
status belief_see(belief *b, const reading *r, error *err);
void belief_keep_scan(belief *b, const reading *r);

// How far from where a thing is believed to be it may be met and still be it, by the deviation of
// both together, m.
static inline double belief_gate(double sigma) {
    return fmin(0.03 + 4 * sigma, 0.25);
}

// ---- told.c -------------------------------------------------------------------------------------
// Takes down the time of a placement, and tells it where the belief shares.
void belief_tell(belief *b, size_t object, const char *source, int64_t seen_in, nanos t);
// Whether an object and another of its kind, `off` from it, are so near in the plane that there is
// no room for both, and within `gate` (m) in height: they are the same, then.
bool belief_no_room(const believed_object *o, vec3 off, double gate);
void belief_told_finish(belief *b);

// ---- laser_map.c --------------------------------------------------------------------------------
// Makes the map anew where something has moved in it, or the beams run at another `height` (m).
void laser_map_refresh(const belief *b, laser_map *m, double height);
void laser_map_finish(laser_map *m);
// Returns how far from the nearest surface a beam ends, at most 0.3 m; (way_x, way_y) is the beam's
// unit direction. 0.05 m are added where the beam would have had to pass through that surface from
// behind.
double laser_map_off(const laser_map *m, double x, double y, double way_x, double way_y);
// Returns whether a point lies within the map and in none of its solids.
bool laser_map_is_free(const laser_map *m, double x, double y);
// Returns the length that a beam would have in the map, at most `range`.
double laser_map_cast(const laser_map *m, vec3 from, vec3 direction, double range);

#endif
