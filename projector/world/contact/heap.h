// projector/world/contact/heap.h - islands of many contacts, beside the exact solver.
//
// A step: heap_find, once everything that touches is known; if there is a heap, heap_begin,
// heap_add for each contact of a pair with a heaped body in it, heap_solve; then ODE's step.
#ifndef FORESEE_PROJECTOR_WORLD_CONTACT_HEAP_H
#define FORESEE_PROJECTOR_WORLD_CONTACT_HEAP_H

#include "projector/world/sim_int.h"

// How the surfaces of a contact answer.
typedef struct heap_surface {
    double mu;
    double soft, friction_soft; // m/s that they yield by under 1 N: 1/(N s/m)
    double wanted;              // m/s, by which a is to leave b along the normal at least
} heap_surface;

void heap_create(sim *s);
void heap_destroy(sim *s);
// Marks the bodies of large islands as heaped. Returns whether there is any. Contact joints of the
// last step must be gone.
bool heap_find(sim *s);
void heap_begin(sim *s, double dt);
void heap_add(sim *s, const pair *p, point *x, const heap_surface *how, double dt);
// Finds all forces, hands them to the bodies and to the points, as an exact solver's feedback.
void heap_solve(sim *s, double dt);

#endif
