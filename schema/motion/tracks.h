// schema/motion/tracks.h - poses and joint positions of one episode at any instant, from keyframes.
//
// Owns:      the keyframes that were asked for, loaded object by object.
// Threads:   one tracks belongs to one thread, that of its connection.
// Invariant: keyframes of a track are in strict order of time.
//
// Between two keys the position of a joint and the position and the turn of a body go straight, or
// along a parabola where the later key has a bow; what floats has none. Without one a turn is a
// slerp. Before the first key the first holds, after the last the object rests. An object with a
// linkage has the pose parent * origin * motion of its joint and no keys of its own, but for one
// that floats: its keys are in its parent's frame. Objects are named by their row ids in the table
// `object`.
#ifndef FORESEE_SCHEMA_TRACKS_H
#define FORESEE_SCHEMA_TRACKS_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/math/geom.h"
#include "base/status.h"
#include "base/time/times.h"

typedef struct tracks tracks;

// The connection must outlive the tracks. E_INPUT: the linkages run in a circle.
status tracks_create(sqlite3 *db, int64_t episode, tracks **out, error *err);
void tracks_destroy(tracks *t); // NULL is a no-op

// Gives the object's pose in the world. Quick (tens of nanoseconds) where calls go on in time, for
// all objects at one instant or one object at all instants alike. E_INPUT: no such object in the
// episode, or one without a pose (a joint, say).
status tracks_pose(tracks *t, int64_t object, nanos at, pose *out, error *err);
// The same for an instant that stands alone: as long as few are asked for, only the keys beside it
// are read, so that rows elsewhere are not checked.
status tracks_pose_alone(tracks *t, int64_t object, nanos at, pose *out, error *err);
// Returns whether the last call failed because the object has no pose or is none of the episode,
// and not because of the log.
bool tracks_has_none(const tracks *t);
// Gives the joint's position (rad, m). E_INPUT: no such object; a joint that was never logged
// stands at 0.
status tracks_joint(tracks *t, int64_t joint, nanos at, double *position, error *err);
// Returns whether the object's pose follows from its parent's, so that its way between two instants
// of tracks_knots may bend.
bool tracks_is_linked(const tracks *t, int64_t object);
// Returns whether a joint lies between the object and the root of its chain.
bool tracks_is_jointed(const tracks *t, int64_t object);
// How far an object's way between two instants can lie from the straight and steady one.
typedef struct tracks_way {
    double away, turned; // from the way on which all joints above it move steadily, m and rad
    double curve, twist; // that way from a parabola through its ends and its middle, m and rad
} tracks_way;
// Bounds it from the keys between, without taking poses: with the distance d between the object's
// pose half way and the middle of its ends, it strays by at most d + 2 * away + curve from the
// straight way, and likewise in orientation. Errors as tracks_pose.
status tracks_way_between(tracks *t, int64_t object, nanos from, nanos to, tracks_way *out,
                          error *err);
// Returns whether the object hangs on a linked one without a joint between, *parent: its pose is
// that of the parent times tracks_offset.
bool tracks_is_carried(const tracks *t, int64_t object, int64_t *parent);
// Gives the pose of a carried object in its parent's frame. E_INPUT: none of the log.
status tracks_offset(tracks *t, int64_t object, nanos at, pose *out, error *err);
// Gives the sorted instants at which tracks_offset may change. Borrowed until tracks_destroy.
status tracks_offset_knots(tracks *t, int64_t object, const nanos **times, size_t *count,
                           error *err);
// Gives the sorted instants at which the motion of an object or a joint may change: its own keys,
// or those of all joints and ancestors on its chain, and between two keys as many as it takes for
// the way between any two to be straight within 0.05 mm and 0.5 mrad, of a joint within 0.05 mrad
// or 0.05 mm. But there are at most a thousand for one key, and none closer than 1 ms to the next
// one of the same track but for the keys: what bows so much that this does not do is straight
// within more. Borrowed until tracks_destroy.
status tracks_knots(tracks *t, int64_t object, const nanos **times, size_t *count, error *err);
// Those of [from, to]. Borrowed until the next call for any object.
status tracks_knots_between(tracks *t, int64_t object, nanos from, nanos to, const nanos **times,
                            size_t *count, error *err);

#endif
