// projector/world/particles_int.h - what particles.c and contents.c share.
#ifndef FORESEE_PROJECTOR_WORLD_PARTICLES_INT_H
#define FORESEE_PROJECTOR_WORLD_PARTICLES_INT_H

#include "projector/world/contents.h"
#include "projector/world/grains.h"
#include "projector/world/things.h"

// What a body contains is moved by another model.
typedef struct loan {
    size_t vessel, count;
    vec3 force, torque; // on the vessel, about its centre of mass; N, N m, world axes
} loan;

struct particles {
    grains g;
    size_t count, awake_count; // of those that are here
    int *by_entity;            // particle of a world body, or -1
    ARRAY(loan) loans;
    ARRAY(size_t) wake;         // scratch
    ARRAY(sim_contact) touches; // sorted
    ARRAY(sim_contact) all;     // with those of bodies
};

// ---- contents.c -------------------------------------------------------------------------
void loans_step(sim *s, double dt); // before the step of ODE

#endif
