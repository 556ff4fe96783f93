// schema/motion/keyframe.h - streams of poses and numbers as few keyframes, within a stated
// tolerance.
//
// Numbers follow parabolas: a sample is passed over as long as one parabola through the last key
// and through it comes within the tolerance of every sample between. Poses follow straight lines, a
// swinging door: a sample is passed over as long as one line from the last key can still come
// within the tolerance of every sample since. Orientation runs on three axes of log(q0^-1 q),
// so that a straight line there is the slerp that readers use. Each axis has a corridor of its own,
// wider where the way has lately been bent more; together they stay within the tolerance.
//
// Guaranteed for what schema/motion/tracks.h decodes, at every fed instant:
//   - position within `position`, orientation within `angle`, a number within its tolerance;
//   - speed, taken as the central difference over `window` or longer, within `speed` and `rate`:
//     the error at each end is held to half of speed * window.
// A tolerance of 0 keys every sample that differs from the one before: exact.
//
// After its last key a body rests. A body that rests must be fed, too (it costs nanoseconds), or at
// least at the last instant before it moves: else readers take it to move straight from its last
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

typedef struct keyframe_pose_key {
    nanos t;
    pose pose;
} keyframe_pose_key;

typedef struct keyframe_pose {
    keyframe_width width; // of all axes together
    double lever;         // m
    double corridor[6];   // half width on each axis: m, rad
    bool exact, begun;
    bool resting;                   // every sample since the anchor is the anchor, bit for bit
    keyframe_pose_key anchor, last; // the last key given out; the last sample
    double low[6], high[6];         // slopes still possible, per second; while it rests: but for
                                    // what the rest itself has ruled out
    double slope[6], bend[6];       // of the last segment; how much slopes lately changed
} keyframe_pose;

void keyframe_pose_init(keyframe_pose *k, keyframe_tolerance tolerance);
// From the next sample on another width holds, for all that hangs on the body at a distance of
// `lever` metres at most, too. Width 0: exact.
void keyframe_pose_allow(keyframe_pose *k, keyframe_width width, double lever);
// Takes the pose at `t`, later than the last one (the same `t` again is ignored). True: *key is a
// new key, which may lie before `t`, never before an earlier key. The first sample is a key.
bool keyframe_pose_feed(keyframe_pose *k, nanos t, const pose *p, keyframe_pose_key *key);
// Makes what was fed so far known: true with a key for the last sample, false where the last key
// already tells where the body is, for it has not left its tolerance since.
bool keyframe_pose_flush(keyframe_pose *k, keyframe_pose_key *key);

// The way from the key before runs on the parabola through both that is off the straight way by
// `bow` half way, and by 4 * bow * u * (1 - u) at the share u of the time between.
typedef struct keyframe_value_key {
    nanos t;
    double value, bow;
} keyframe_value_key;

// A way from the anchor: value = anchor + slope * s + bend * s^2, s seconds after it.
typedef struct keyframe_way {
    double slope, bend;
} keyframe_way;

enum { KEYFRAME_CORNERS_MAX = 12 };

typedef struct keyframe_value {
    double corridor;
    bool straight; // ways do not bend
    bool exact, begun, resting;
    bool near;                       // every sample since the anchor lies in its corridor
    keyframe_value_key anchor, last; // the last key given out; the last sample
    // The ways still possible: a convex polygon of slope and bend, within which each sample leaves
    // a strip (the dual of O'Rourke, An on-line algorithm for fitting straight lines between data
    // ranges, 1981). While it rests: but for what the rest itself has ruled out.
    int corner_count;
    keyframe_way corners[KEYFRAME_CORNERS_MAX];
} keyframe_value;

// For a joint: tolerance in its own unit, speed in that unit per second over `window`.
void keyframe_value_init(keyframe_value *k, double tolerance, double speed, nanos window);
// The same where readers take the way between two keys to be straight: bows are 0.
void keyframe_value_init_straight(keyframe_value *k, double tolerance, double speed, nanos window);
// From the next sample on another width holds. Width 0: exact.
void keyframe_value_allow(keyframe_value *k, double width);
bool keyframe_value_feed(keyframe_value *k, nanos t, double value, keyframe_value_key *key);
bool keyframe_value_flush(keyframe_value *k, keyframe_value_key *key);

#endif
