// projector/world/dynamics/newton.h - velocities of bodies that touch, as the least of a convex
// function.
//
// Known at the step's begin: how each body would move freely, v*. Found: the velocities v that make
//
//     1/2 (v - v*)' M (v - v*) + sum over contacts of their potentials
//
// least. A contact that is closed softly has the potential p^2 R / 2 with the impulse
// p = max(0, (wanted - u) / R), u the speed along its normal and R its softness; friction has that
// of a damper 1/R_t up to its bound mu p0, p0 the impulse along the normal, and grows linearly
// beyond (A. Castro, F. Permenter, X. Han, An Unconstrained Convex Formulation of Compliant
// Contact, 2022, with friction lagged). The minimum is unique. It is found by Newton's method with
// an exact search along each step; the steps come from a Cholesky factor in the envelope where
// bodies hang together like a stack, else from conjugate gradients.
//
// Knows nothing of ODE or of time: impulses in N s, softness in 1/kg, speeds in m/s.
#ifndef FORESEE_PROJECTOR_WORLD_DYNAMICS_NEWTON_H
#define FORESEE_PROJECTOR_WORLD_DYNAMICS_NEWTON_H

#include "base/math/geom.h"
#include "base/mem.h"

static const size_t NEWTON_NOBODY = SIZE_MAX;

typedef struct newton_body {
    double mass;
    mat3 inertia; // world axes, about the centre of mass
    vec3 at;      // of that
    vec3 v, w;    // now
    vec3 free_v;  // at the step's end if nothing touched it
    vec3 turned;  // angular momentum that the body gains in the step by itself
    // Filled by newton_add_body.
    vec3 free_w;
    mat3 inverse_inertia;
    double height; // bodies that hang together stand at like heights
} newton_body;

typedef struct newton_contact {
    size_t a, b;                // bodies, or NEWTON_NOBODY: something fixed
    vec3 at, normal;            // the normal points from b into a
    double wanted;              // speed by which a is to leave b at least
    double soft, friction_soft; // R and R_t
    double mu;
    vec3 bore; // impulse on a in the last step, to begin with
    // Filled by newton_add_contact and newton_solve.
    vec3 along[3],
        turn[2][3];    // the normal and two directions along the surface; levers about a and b
    vec3 spin[2][3];   // by what an impulse along them spins a and b
    double moves[3];   // mass that such an impulse moves, softness included
    double impulse[3]; // on a, along these
    double swept[3], bound;
    double speed[3], change[3];
} newton_contact;

typedef struct newton {
    ARRAY(newton_body) bodies;
    ARRAY(newton_contact) contacts;
    ARRAY(double) numbers; // vectors and the factor
    ARRAY(size_t) order;   // of the bodies in the factor, and their envelope
    int pause, wait;       // steps that are left to sweeps, as Newton's method did not end
} newton;

void newton_clear(newton *n); // empties it, keeps its memory
void newton_finish(newton *n);
size_t newton_add_body(newton *n, newton_body b);
void newton_add_contact(newton *n, const newton_contact *c);
// Velocities and impulses that belong together, near the minimum or not, from those that contacts
// bore before; their normal ones are the bounds of friction (sweep.c).
void newton_sweep(newton *n);
// Sweeps, then Newton's method, for some steps not after it did not end: `impulse` of each contact.
void newton_solve(newton *n);

#endif
