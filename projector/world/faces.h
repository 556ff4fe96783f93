// projector/world/faces.h - boxes that lie face to face touch over a patch.
#ifndef FORESEE_PROJECTOR_WORLD_FACES_H
#define FORESEE_PROJECTOR_WORLD_FACES_H

#include <ode/ode.h>
#include <stddef.h>

// Completes the `count` contacts, with room for `most` of at most 8, that ODE found between two
// geoms. Boxes whose faces lie on one another sink in by micrometres. Where the faces' tilt makes
// as much, two edges that cross are where the boxes overlap least, and ODE tells of that one point:
// a grip or a stack then stands on a point, about which everything turns. Here such boxes touch
// over all of the patch that overlaps, as they do when they have sunk in deeper. Points of the
// patch that are less than `gap` apart, m, touch too, and three make no patch then; with a gap of 0
// none does that is apart. Others, and those that tilt by more than 14 mrad, keep what was found.
// Returns how many contacts there are.
size_t faces_complete(dGeomID a, dGeomID b, double gap, dContactGeom *out, size_t count,
                      size_t most);

#endif
