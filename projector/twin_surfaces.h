// projector/twin_surfaces.h - where surfaces are, as the contacts that a robot's arm feels say to
// its twin.
//
// The surface that the twin's arm touches, or, where the robot's touches something and the twin's
// nothing, the one that is in its way, or a plate that is put there, moves along the normal of the
// contact until the two tools are at one place: then the two arms are held back alike. It moves no
// faster than the felt force may change. Tools are compared at one time stamp, and the answer says
// how far the surface had moved then, so that no delay makes the correction unstable.
//
// Owns:      how far which surface has moved.
#ifndef FORESEE_PROJECTOR_TWIN_SURFACES_H
#define FORESEE_PROJECTOR_TWIN_SURFACES_H

#include "projector/world/sim.h"

// Which surface a message is about, and how far it had moved; of the sender's twin, m.
typedef struct surface_stamp {
    uint64_t lesson;
    double shift;
} surface_stamp;

// What an arm reports, in the axes of the map.
typedef struct surface_felt {
    vec3 force;          // on the arm, N
    vec3 ahead;          // of its tool from that of the twin of the same stamp, m
    surface_stamp stamp; // of that twin
    bool fresh;          // a new report
} surface_felt;

typedef struct twin_surfaces twin_surfaces;

// `s` and `world`, which it was made of, are borrowed. The last bodies of the world are plates of
// world_assumed, one for each arm.
twin_surfaces *twin_surfaces_create(sim *s, const world_model *world, size_t arms);
void twin_surfaces_destroy(twin_surfaces *t); // NULL is a no-op
surface_stamp twin_surfaces_stamp(const twin_surfaces *t, size_t arm);
// A step of `dt` seconds. `stiffness`: of the springs that draw the arm's joints.
void twin_surfaces_step(twin_surfaces *t, size_t arm, const surface_felt *felt,
                        const double *stiffness, double dt);
// The body that the arm's lesson moves; SIZE_MAX: none.
size_t twin_surfaces_body(const twin_surfaces *t, size_t arm);

#endif
