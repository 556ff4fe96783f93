// projector/world/contents.h - particles in a body that another model moves by laws of its own.
//
// What a body contains are the particles that the world's file fills it with, wherever they are by
// now. Lent, they have left particles.c: they push nothing and nothing pushes them, but that their
// model says what they exert on the body, which acts on it one result late. That is harmless only
// where something else than they decides how the body moves: a hand that holds it, a bond, or that
// it never moves. They are seen by all who look, as a driven body is (drive.h).
//
// Invariant: what is lent is there, and so is its body, at full fidelity.
#ifndef FORESEE_PROJECTOR_WORLD_CONTENTS_H
#define FORESEE_PROJECTOR_WORLD_CONTENTS_H

#include "projector/world/grains.h"
#include "projector/world/sim.h"

// One particle: where it is, m, and its velocity, m/s, world axes.
typedef struct sim_grain {
    size_t entity;
    bool here; // else it has been taken away, or never came
    vec3 x, v;
} sim_grain;

// How many particles the body was filled with.
size_t sim_contents(const sim *s, size_t vessel);
// Why they cannot be lent now, or have to be given back; NULL: nothing is against it. *rule is
// `let_go` (nothing holds the body), `gone` (it or one of them is not there) or `touched` (one of
// them meets something that can move beside the body, and *met is that). The sentence lives in `a`.
const char *sim_contents_refusal(sim *s, size_t vessel, const char **rule, size_t *met, arena *a);
// How they are now; `out` has room for all.
void sim_contents_now(const sim *s, size_t vessel, sim_grain *out);
// Lends them, which sim_contents_refusal has nothing against. The body is loaded as in the last
// step.
void sim_contents_lend(sim *s, size_t vessel);
// Where they are from now on, in the order of sim_contents_now, and what they exert on the body, on
// average: N, and N m about its centre of mass, world axes.
void sim_contents_put(sim *s, size_t vessel, const sim_grain *all, vec3 force, vec3 torque);
// Gives them back, awake, as they are.
void sim_contents_return(sim *s, size_t vessel);
bool sim_contents_lent(const sim *s, size_t vessel);
// The contact of a particle with something as sim_contacts has it.
sim_contact sim_grain_contact(size_t particle, const grain_touch *t, bool sleeping);

#endif
