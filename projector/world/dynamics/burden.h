// projector/world/dynamics/burden.h - what hangs rigidly on a frame.
#ifndef FORESEE_PROJECTOR_WORLD_BURDEN_H
#define FORESEE_PROJECTOR_WORLD_BURDEN_H

#include "base/math/geom.h"

typedef struct burden {
    double mass; // kg
    vec3 com;
    mat3 inertia; // about the centre of mass, in the frame's axes
} burden;

// Adds a body that hangs on the same frame. Nothing without any mass.
void burden_add(burden *l, burden part);
// A box of these extents (m) about `center`, both in `frame`; as it hangs on what `frame` is given
// in.
burden burden_of_box(double mass, vec3 size, pose frame, vec3 center);

#endif
