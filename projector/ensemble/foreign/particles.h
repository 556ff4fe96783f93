// projector/ensemble/foreign/particles.h - what is exchanged with a process that moves particles.
//
// The process finds what they are, what they are in and what stands around them as text in its
// folder (projector/ensemble/particles.c). Inputs: pose and velocity of the body that they are in,
// as a PORT_BODY has them; how often they were handed over so far; then PARTICLES_GIVEN numbers for
// each: whether it is there, position and velocity, which the process takes where the count is
// another than in the step before. Outputs: PARTICLES_MOVED numbers for each, position and
// velocity; the mean force on the body, and torque about its centre of mass; then PARTICLES_TOUCH
// numbers for each of PARTICLES_TOUCHES touches for each particle: its number, what it touches,
// force on it, point, normal towards it, closing speed, depth. What comes after the last touch has
// a number of -1. Units m, m/s, N, N m; world axes.
#ifndef FORESEE_PROJECTOR_ENSEMBLE_FOREIGN_PARTICLES_H
#define FORESEE_PROJECTOR_ENSEMBLE_FOREIGN_PARTICLES_H

enum {
    PARTICLES_CARRIER = 13,
    PARTICLES_HANDED = PARTICLES_CARRIER, // its place among the inputs
    PARTICLES_GIVEN = 7,
    PARTICLES_MOVED = 6,
    PARTICLES_LOAD = 6,
    PARTICLES_TOUCH = 13,
    PARTICLES_TOUCHES = 2
};
#define PARTICLES_FILE "particles.txt"

#endif
