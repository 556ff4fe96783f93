// report/view/moves.h - the motion of a thing as few keys, for a page that plays it.
//
// Between two keys position is linear and orientation slerp: those of schema/motion/tracks.h, whose
// ways may bow, are not taken over. A page needs no more than an eye sees, so that keys are few.
#ifndef FORESEE_REPORT_MOVES_H
#define FORESEE_REPORT_MOVES_H

#include "base/text/text.h"
#include "schema/motion/keyframe.h"
#include "schema/motion/tracks.h"

typedef struct move {
    keyframe_pose simplify;
    ARRAY(keyframe_pose_key) keys;
} move;

// Begins a motion that is kept within `within` metres, and within an angle of five times as many
// radians.
void move_begin(move *m, double within);
void move_add(move *m, nanos t, const pose *p); // `t` grows
// Adds the whole motion of an object of the tracks, from its first instant to `end`.
status move_follow(move *m, tracks *of, int64_t object, nanos from, nanos end, error *err);
// Writes the keys as base64 of little-endian numbers, in three runs: their times in 0.1 ms
// (uint32), positions in 0.1 mm (3 x int32), and orientations w, x, y, z in 1/32767 (4 x int16).
// Then the motion is finished.
void move_put(move *m, text_buffer *out);

#endif
