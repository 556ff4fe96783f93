// projector/world/things.h - what the simulation has beside bodies and the robot: surfaces,
// furniture, particles, happenings.
#ifndef FORESEE_PROJECTOR_WORLD_THINGS_H
#define FORESEE_PROJECTOR_WORLD_THINGS_H

#include "projector/world/sim_int.h"

// ---- surfaces.c: friction ----------------------------------------------------------------
void surfaces_create(sim *s); // gives every entity its row of s->friction
void surfaces_destroy(sim *s);
void surfaces_follow(sim *s, const world_model *before); // what is wet stays wet
// The friction of a body, or of everything of a material, is `mu` from now on.
void surfaces_wet(sim *s, int64_t body, const char *material, double mu);

// ---- furniture.c: doors and drawers -------------------------------------------------------
// Joins the bodies, which stand at their joints' zeros, and moves them to where they start.
status furniture_create(sim *s, error *err);
void furniture_destroy(sim *s);
pose furniture_start(const sim *s, size_t body); // where a body of the world stands at the start
void furniture_wake(sim *s);                     // what hangs together wakes together
void furniture_step(sim *s, double dt);          // motors and damping, before the step of ODE
// A person's hand at a joint: to `to` at `rate`, with a force (N, N m) of its own, until let go.
void furniture_drive(sim *s, size_t joint, double to, double rate, double force);
void furniture_let_go(sim *s, size_t joint);

// ---- particles.c: fluids and grains --------------------------------------------------------
status particles_create(sim *s, error *err);
void particles_destroy(sim *s);
status particles_check_start(const sim *s, error *err); // E_INPUT: overlaps, named
void particles_step(sim *s,
                    double dt); // after contacts_find, before the step of ODE: pushes bodies
void particles_return(sim *s, double dt); // pushes links, wakes; before aba_finish
void particles_rest(sim *s);              // after sleep_step
void particles_report(sim *s);            // after contacts_report
const sim_contact *particles_contacts(const sim *s, size_t *count);    // all contacts, with theirs
const char *particles_diverged(const sim *s, double far, double fast); // the first such, or NULL
pose particles_pose(const sim *s, size_t entity);
vec3 particles_velocity(const sim *s, size_t entity);
bool particles_asleep(const sim *s, size_t entity);
void particles_put(sim *s, size_t entity, pose at, bool on); // at rest
void particles_wake_near(sim *s, const bounds *at);

// ---- happenings.c: events from outside -------------------------------------------------------
status happenings_create(sim *s, error *err);
void happenings_destroy(sim *s);
// Events that are known by name go on as they were; a hand whose event is gone lets go.
status happenings_follow(sim *s, const world_model *before, error *err);
// Conditions, who comes and goes, and what acts on bodies; before contacts_find.
void happenings_step(sim *s, double dt);

#endif
