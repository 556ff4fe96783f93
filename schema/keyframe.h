// schema/keyframe.h - streams of poses and numbers as few keyframes, within a stated tolerance.
//
// A swinging door: a sample is passed over as long as one straight line from the last key can still
// come within the tolerance of every sample since. Orientation runs on three axes of log(q0^-1 q),
// so that a straight line there is the slerp that readers use; each axis has a corridor of
// tolerance / sqrt 3.
//
// Guaranteed for what schema/tracks.h decodes, at every fed instant:
//   - position within `position`, orientation within `angle`, a number within its tolerance;
//   - speed, taken as the central difference over `window` or longer, within `speed` and `rate`:
//   the
//     error at each end is held to half of speed * window.
// A tolerance of 0 keys every sample that differs from the one before: exact.
//
// After its last key a body rests. So feed a body that rests, too (it costs nanoseconds): one that
// is not fed is taken to move on straight to where it is fed next.
//
// Plain values, no allocation. Copyable.
#ifndef FORESEE_SCHEMA_KEYFRAME_H
#define FORESEE_SCHEMA_KEYFRAME_H

#include <stdbool.h>
#include <stddef.h>
#include "base/geom.h"
#include "base/times.h"

typedef struct keyframe_tolerance {
    double position; // m
    double angle;    // rad
    double speed;    // m/s, over `window`
    double rate;     // rad/s, over `window`
    nanos window;
} keyframe_tolerance;

// 0.1 mm, 0.05 degrees, 1 mm/s, 0.01 rad/s over 100 ms; each of the four times `scale` (0: exact).
keyframe_tolerance keyframe_tolerance_scaled(double scale);

// The share of a chain (a base and `joints` revolute joints) in the tolerance of its last link, at
// most `reach` metres from the base: with *base for the base's pose and *joint (rad) for each
// joint's position every link stays within `total`. A prismatic joint may take joint->position.
void keyframe_chain_tolerance(keyframe_tolerance total, int joints, double reach,
                              keyframe_tolerance *base, keyframe_tolerance *joint);

// The same with fewer keys: each joint has a share of its own, the larger the shorter its lever, in
// the proportion that needs the fewest keys in all. `levers`: by how many metres a point of the
// last link moves at most for one unit of each joint, the distance from a revolute joint's axis, 1
// for a prismatic joint; `base_lever`: its distance from the base's origin. shares[i].angle and
// .rate are for a revolute joint, .position and .speed for a prismatic one. Where chains share a
// base or joint, the smaller share is due.
void keyframe_chain_shares(keyframe_tolerance total, double base_lever, const double *levers,
                           size_t joints, keyframe_tolerance *base, keyframe_tolerance *shares);

typedef struct keyframe_pose_key {
    nanos t;
    pose pose;
} keyframe_pose_key;

typedef struct keyframe_pose {
    double corridor[2]; // half width on an axis: m, rad
    bool exact, begun;
    bool resting;                   // every sample since the anchor is the anchor, bit for bit
    keyframe_pose_key anchor, last; // the last key given out; the last sample
    double low[6], high[6];         // slopes still possible, per second
} keyframe_pose;

void keyframe_pose_init(keyframe_pose *k, keyframe_tolerance tolerance);
// Takes the pose at `t`, later than the last one (the same `t` again is ignored). True: *key is a
// new key, which may lie before `t`, never before an earlier key. The first sample is a key.
bool keyframe_pose_feed(keyframe_pose *k, nanos t, const pose *p, keyframe_pose_key *key);
// Makes what was fed so far known: true with a key for the last sample, false where the last key
// already tells where the body is, for it has not left its tolerance since.
bool keyframe_pose_flush(keyframe_pose *k, keyframe_pose_key *key);

typedef struct keyframe_value_key {
    nanos t;
    double value;
} keyframe_value_key;

typedef struct keyframe_value {
    double corridor;
    bool exact, begun, resting;
    keyframe_value_key anchor, last;
    double low, high;
} keyframe_value;

// For a joint: tolerance in its own unit, speed in that unit per second over `window`.
void keyframe_value_init(keyframe_value *k, double tolerance, double speed, nanos window);
bool keyframe_value_feed(keyframe_value *k, nanos t, double value, keyframe_value_key *key);
bool keyframe_value_flush(keyframe_value *k, keyframe_value_key *key);

#endif
