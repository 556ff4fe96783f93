// projector/world/dynamics/lanes.h - two numbers that a processor multiplies and adds at once.
//
// Each of the two is rounded as it would be alone, so that results do not depend on whether a
// processor can do so. gcc and clang know such vectors for every processor.
#ifndef FORESEE_PROJECTOR_WORLD_DYNAMICS_LANES_H
#define FORESEE_PROJECTOR_WORLD_DYNAMICS_LANES_H

#include <string.h>

typedef double lanes __attribute__((vector_size(2 * sizeof(double))));

static inline lanes lanes_at(const double *p) {
    lanes v;
    memcpy(&v, p, sizeof v);
    return v;
}

#endif
