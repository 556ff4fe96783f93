// projector/robot/kinematics/miss.h - the closest miss of a search that failed: of all that it
// tried, what was least wrong, for the sentence of its failure.
//
// A search that nobody asks for its misses has no `miss`, and notes none.
#ifndef FORESEE_PROJECTOR_ROBOT_KINEMATICS_MISS_H
#define FORESEE_PROJECTOR_ROBOT_KINEMATICS_MISS_H

#include "projector/robot/kinematics/chain.h"

typedef enum miss_kind {
    MISS_NONE,
    MISS_CONTACT, // `part` comes `value` m near to `other`, overlaps it where that is negative, and
                  // `allowed` m are kept
    MISS_COVER,   // `other` is `value` m above the place
    MISS_POSE,    // the tool of `chain` does not get from q to `target`
    MISS_LIMIT,   // the joint `part` is `value` short of its limit, and `allowed` are kept
    MISS_JUMP,    // the joint `part` would turn by `value` at once, `allowed` are at most possible
    MISS_LEAN,    // what is held leans by `value` rad, `allowed` are possible
    MISS_VIEW,    // a share `value` of a region is in view, `allowed` is asked for
    MISS_FAR,     // a region's corner is `value` m from the camera, which sees as far as `allowed`
} miss_kind;

// An angle of 1 rad counts as much as this distance, m, as it does in inverse kinematics.
#define MISS_LEVER 0.3

typedef struct miss {
    miss_kind kind;
    double by;   // m, by which misses are compared
    double left; // m of the way that was left where it ended
    double value, allowed;
    char part[64], other[64];
    size_t arm; // of MISS_POSE
    chain chain;
    pose target;
    double q[AXES_MAX];
    bool slides; // the joint of MISS_LIMIT or MISS_JUMP is prismatic
} miss;

// Whether a miss by so much would be the closest; false where nobody asks (`nearest` NULL).
bool miss_counts(const miss *nearest, double by);
// Keeps a miss where it is the closest; returns whether it is. The caller fills in what its kind
// needs.
bool miss_keep(miss *nearest, miss_kind kind, double by);
// Writes which part is too close to what, which limit it is, and how far; "" where nothing was
// missed.
void miss_describe(const miss *nearest, const robot_model *r, char *out, size_t size);

#endif
