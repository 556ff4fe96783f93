// schema/motion/keyframe.h - streams of poses and numbers as few keyframes, within a stated
// tolerance.
//
// A sample is passed over as long as one way from the last key through it comes within the
// tolerance of every sample between. Ways are straight lines, or parabolas for readers who know how
// far each is off the straight one half way, its bow. Orientation runs on three axes of log(q0^-1
// q), so that a straight line there is the slerp that readers use. Each axis has a corridor of its
// own, wider where the way has lately been bent more; together they stay within the tolerance.
//
// Guaranteed for what schema/motion/tracks.h decodes, at every fed instant:
//   - position within `position`, orientation within `angle`, a number within its tolerance;
//   - speed, taken as the central difference over `window` or longer, within `speed` and `rate`:
//     the error at each end is held to half of speed * window.
// A tolerance of 0 keys every sample that differs from the one before: exact.
//
// After its last key a body rests. A body that rests must be fed, too (it costs nanoseconds), or
// keyframe_pose_rest must tell of it before it moves: else readers take it to move from its last
// key to the next.
//
// Plain values, no allocation. Copyable.
#ifndef FORESEE_SCHEMA_KEYFRAME_H
#define FORESEE_SCHEMA_KEYFRAME_H

#include <stdbool.h>
#include <stddef.h>
#include "base/math/geom.h"
#include "base/text/number.h"
#include "base/time/times.h"

typedef struct keyframe_tolerance {
    double position; // m
    double angle;    // rad
    double speed;    // m/s, over `window`
    double rate;     // rad/s, over `window`
    nanos window;
} keyframe_tolerance;

// 0.1 mm, 0.05 degrees, 1 mm/s, 0.01 rad/s over 100 ms; each of the four times `scale` (0: exact).
keyframe_tolerance keyframe_tolerance_scaled(double scale);

// The same by its first figure in millimetres: the scale that gives it, and the shortest text whose
// number gives the scale again.
double keyframe_scale_of(double millimetres);
void keyframe_scale_text(double scale, char buffer[NUMBER_SIZE]);
// Gives the scale that a log's parameter of the scope `log` tells: tolerance_mm, or tolerance,
// which was the scale itself. False: it is neither of them, or no number.
bool keyframe_scale_logged(const char *name, const char *value, double *scale);

// By how much a line may miss a sample for all four to be kept.
typedef struct keyframe_width {
    double position; // m
    double angle;    // rad
} keyframe_width;
keyframe_width keyframe_width_of(keyframe_tolerance tolerance);

// A joint of a chain, seen from a point that the chain carries.
typedef struct keyframe_joint {
    double lever;  // in: how far the point moves for one unit of the joint, m/rad, m/m
    double weight; // in: how restless it is beside the others, > 0
    bool turns;    // in: revolute
    double width;  // out: its own, rad or m
} keyframe_joint;

// Divides `whole` among a base and the joints of a chain, so that a frame which they carry stays
// within it: at most whole.position off when every joint is off by its width and the base by
// base->position (its own error and `base_lever` times that of its orientation taken together), and
// turned by whole.angle at most. Of the divisions that do it the one with the fewest keys: shares
// grow with the weight and shrink with the lever. Where chains have a base or a joint in common,
// the smaller share is due.
void keyframe_divide(keyframe_width whole, double base_lever, double base_weight,
                     keyframe_joint *joints, size_t count, keyframe_width *base);

enum { KEYFRAME_SAMPLES_MAX = 256 }; // that a way that bows may pass over

// The way of one axis from the anchor: slope * s + bend * s^2, s seconds after it.
typedef struct keyframe_axis {
    double low, high;   // of straight ways the slopes still possible, per second: a swinging door;
                        // while it rests: but for what the rest itself has ruled out
    double slope, bend; // of ways that bow one that passes all samples since the anchor
    double width;       // the least corridor since the anchor
    double most;        // the farthest from the anchor while it lasted near it
    double offsets[KEYFRAME_SAMPLES_MAX];
} keyframe_axis;

// The samples since the anchor, of ways that bow, by their times, s; and how long before them all
// was near the anchor.
typedef struct keyframe_past {
    int count;
    double rest;
    double times[KEYFRAME_SAMPLES_MAX];
} keyframe_past;

// At the share u of the time since the key before, the way is off the straight one by 4 u (1 - u)
// times the bow: position by `bow`, and the logarithm of the turn since that key by `bow_turn`.
typedef struct keyframe_pose_key {
    nanos t;
    pose pose;
    vec3 bow, bow_turn; // m, rad
} keyframe_pose_key;

typedef struct keyframe_pose {
    keyframe_width width; // of all axes together
    double lever;         // m
    double corridor[6];   // half width on each axis: m, rad
    bool exact, begun;
    bool resting;                   // every sample since the anchor is the anchor, bit for bit
    bool near;                      // every sample since the anchor lies in its corridor
    keyframe_pose_key anchor, last; // the last key given out; the last sample
    double slope[6], bend[6];       // of the last segment; how much slopes lately changed
    bool straight;
    keyframe_past past;
    keyframe_axis axes[6];
} keyframe_pose;

// Ways between keys are straight, and bows 0; or parabolas.
void keyframe_pose_init(keyframe_pose *k, keyframe_tolerance tolerance);
void keyframe_pose_init_bowed(keyframe_pose *k, keyframe_tolerance tolerance);
// From the next sample on another width holds, for all that hangs on the body at a distance of
// `lever` metres at most, too. Width 0: exact.
void keyframe_pose_allow(keyframe_pose *k, keyframe_width width, double lever);
// Takes the pose at `t`, later than the last one (the same `t` again is ignored). True: *key is a
// new key, which may lie before `t`, never before an earlier key. The first sample is a key.
bool keyframe_pose_feed(keyframe_pose *k, nanos t, const pose *p, keyframe_pose_key *key);
// Tells that the body has rested from its last sample on up to `t`. True: *key is a new key.
bool keyframe_pose_rest(keyframe_pose *k, nanos t, keyframe_pose_key *key);
// Makes what was fed so far known: true with a key for the last sample, false where the last key
// already tells where the body is, for it has not left its tolerance since.
bool keyframe_pose_flush(keyframe_pose *k, keyframe_pose_key *key);

typedef struct keyframe_value_key {
    nanos t;
    double value, bow;
} keyframe_value_key;

typedef struct keyframe_value {
    double corridor;
    bool exact, begun, resting, near;
    keyframe_value_key anchor, last;
    bool straight;
    keyframe_past past;
    keyframe_axis axis;
} keyframe_value;

// For a joint: tolerance in its own unit, speed in that unit per second over `window`.
void keyframe_value_init(keyframe_value *k, double tolerance, double speed, nanos window);
void keyframe_value_init_bowed(keyframe_value *k, double tolerance, double speed, nanos window);
// From the next sample on another width holds. Width 0: exact.
void keyframe_value_allow(keyframe_value *k, double width);
bool keyframe_value_feed(keyframe_value *k, nanos t, double value, keyframe_value_key *key);
bool keyframe_value_flush(keyframe_value *k, keyframe_value_key *key);

#endif
