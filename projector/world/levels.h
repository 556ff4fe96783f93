// projector/world/levels.h - at which fidelity the bodies of a simulation are stepped.
//
// Invariant: a lowered body stands where it was lowered, and nothing moves or wakes it but
// sim_raise, an event of the world, or a change of its model (sim_follow).
#ifndef FORESEE_PROJECTOR_WORLD_LEVELS_H
#define FORESEE_PROJECTOR_WORLD_LEVELS_H

#include "projector/world/sim.h"

// Whether a body of the world can be lowered now: it can move, is there, and neither a joint nor a
// person's hand holds it. A particle cannot.
bool sim_lowerable(const sim *s, size_t entity);
// Lowers a body that can be, to stand where it is. Between the levels below full it changes without
// being looked at.
void sim_lower(sim *s, size_t entity, fidelity_level level);
// Raises a body to full: with the pose that it has and no twist, asleep until something touches it
// unless `wake`. False: something is over a millimetre deep in it, and it stays as it is; *depth
// says how deep, m.
bool sim_raise(sim *s, size_t entity, bool wake, double *depth);
fidelity_level sim_level(const sim *s, size_t entity);
// In how many pairs a part of the robot touched a lowered body in the last step.
size_t sim_lowered_touched(const sim *s);
// How many steps it has been still, up to those after which it falls asleep; asleep: the latter.
int sim_calm_steps(const sim *s, size_t entity);
int sim_calm_enough(void); // after which a body falls asleep
// The box in which it was at the begin of the last step, world axes.
void sim_bounds(sim *s, size_t entity, vec3 *low, vec3 *high);
// The bodies of the world whose boxes may meet this one, in no particular order but always the
// same. Valid until the next call.
const size_t *sim_near(sim *s, vec3 low, vec3 high, size_t *count);
// The friction between two entities.
double sim_friction(const sim *s, size_t a, size_t b);

// ---- A world in which nothing moves -------------------------------------------------------------
// Whether nothing moves, and nothing would if no command came before `until` (exclusive), at which
// an event may happen; TIME_OPEN: never.
bool sim_rests(const sim *s, nanos *until);
// Time passes up to t, at most to the `until` of sim_rests: nothing else changes.
void sim_pass(sim *s, nanos t);

#endif
