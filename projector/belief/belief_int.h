// projector/belief/belief_int.h - the belief's state, for its own files.
#ifndef FORESEE_PROJECTOR_BELIEF_BELIEF_INT_H
#define FORESEE_PROJECTOR_BELIEF_BELIEF_INT_H

#include "base/number.h"
#include "projector/belief/belief.h"

enum { ODOMETRY_RING = 256, SCANS_MAX = 16, ARMS_MAX = 4 };

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
    size_t frames;
    vec3 sum;
    quat reference; // first orientation of the window; the others are averaged as rotations from it
    vec3 turns;
    double variance; // of one percept, summed
    int64_t percept; // last one of the window
    uint64_t frame;  // number of the last frame that reported it
} believed;

typedef struct base_past {
    nanos t;
    double x, y, yaw;
} base_past;

typedef struct grasp_note {
    bool noted;
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

    // self
    double x, y, yaw;
    double p[3][3]; // covariance of x, y, yaw in the map
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

    gripper_state grippers[ARMS_MAX];
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
    uint64_t localisations;
};

// belief.c
void belief_refresh(belief *b); // links, and what the hands carry
pose belief_world(const belief *b, const believed *o);
size_t belief_index(const belief *b, const char *name); // SIZE_MAX: none
status belief_write_frame(belief *b, size_t object, const char *source, int64_t seen_in,
                          int64_t task, nanos t, error *err);
status belief_write_variable(belief *b, const char *name, const char *value, int64_t task,
                             const char *point, nanos t, error *err);
status belief_new_object(belief *b, const char *type, const char *color, pose at, covariance cov,
                         int64_t seen_in, nanos t, size_t *out, error *err);
// Hangs an object anew, keeping the given pose in the map.
void belief_hang(belief *b, size_t object, hang how, size_t parent, const char *relation, pose at,
                 covariance cov);
// Stands an object on the surface beneath it (snapping what is within `slack`), or leaves it in the
// air.
void belief_settle(belief *b, size_t object, pose at, covariance cov, double slack);
pose belief_base_at(const belief *b, nanos t);
pose belief_tool(const belief *b, size_t arm);
status belief_release(belief *b, size_t arm, nanos t, error *err);
// What was in the hand is believed to be gone from it: last there, who knows where (unconfirmed).
status belief_lose(belief *b, size_t arm, nanos t, error *err);

// percept.c
status belief_see(belief *b, const reading *r, error *err);
// localise.c
void belief_keep_scan(belief *b, const reading *r);

#endif
