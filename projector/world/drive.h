// projector/world/drive.h - bodies that another model moves by laws of its own.
//
// A driven body has left ODE: it pushes nothing, and nothing pushes it. It stands where it was
// driven to last, with the velocity that it was given, for all who look: senses, recorder, signals.
// Its contacts are those that its driver reports. What could push it, such as a finger, is not
// held up by it: sim_drive_meets tells when the two meet, so that the driver can give it back.
//
// Invariant: what is driven can move, is there, is at full fidelity, and belongs to no bond.
#ifndef FORESEE_PROJECTOR_WORLD_DRIVE_H
#define FORESEE_PROJECTOR_WORLD_DRIVE_H

#include "projector/world/sim.h"

// Why the body, which is one that can be bound (sim_bindable), cannot be driven now; NULL: it can.
// That something which can move touches it is no reason. The sentence lives in `a`.
const char *sim_drive_refusal(const sim *s, size_t body, arena *a);
// Takes it out of ODE, which sim_drive_refusal has nothing against. It keeps pose and velocity.
void sim_drive_begin(sim *s, size_t body);
// Where it is now. `linear`, m/s, is the velocity of its frame's origin, and `angular`, rad/s;
// both in world axes.
void sim_drive_to(sim *s, size_t body, pose at, vec3 linear, vec3 angular);
// Gives it back to ODE as it is, awake, with its velocity.
void sim_drive_end(sim *s, size_t body);
bool sim_driven(const sim *s, size_t body);
// An entity that can move and is not driven, and that the driven body is in where both are now;
// SIZE_MAX: none. So are furniture that hangs on joints, and what stands at a lower fidelity.
size_t sim_drive_meets(sim *s, size_t body);
// The contacts, sorted by (a, b), of the bodies that `driver` drives: they stand among
// sim_contacts, in place of those that it reported before, until it reports again or the body is
// given back.
void sim_drive_contacts(sim *s, size_t driver, const sim_contact *all, size_t count);

#endif
