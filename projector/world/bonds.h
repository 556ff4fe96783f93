// projector/world/bonds.h - bodies that are bound to a carrier, by what physics itself does not
// simulate.
//
// A bond keeps a body of the world where it was, in the frame of its carrier, when it was made: a
// palm of the robot, or another body. It acts within the solver of contacts, and equally on both:
// what the carrier bears of it the arm bears, and momentum is neither made nor lost. What touched
// before touches still.
//
// Invariant: a bond holds bodies that are there; both are awake. It ends with sim_unbind, or with
//            one of them.
#ifndef FORESEE_PROJECTOR_WORLD_BONDS_H
#define FORESEE_PROJECTOR_WORLD_BONDS_H

#include "projector/world/sim.h"

// The entity that a name of a file means: a hand by the name of its arm, or a body of the world.
// False: there is none.
bool sim_find_carrier(const sim *s, const char *name, size_t *entity);
// Whether a body can ever be bound: it can move, is no particle, and hangs on no joint.
bool sim_bindable(const sim *s, size_t body);
// Why the bindable body cannot be bound to the carrier now; NULL: it can. The sentence lives in
// `a`.
const char *sim_bond_refusal(const sim *s, size_t body, size_t carrier, arena *a);
// Binds it, which sim_bond_refusal has nothing against and which is not bound. The most that the
// bond bears are `force`, N, and `torque`, N m; both infinite: whatever comes, and rigidly. The
// body and its carrier keep their poses and their momentum, which they share from then on.
void sim_bind(sim *s, size_t body, size_t carrier, double force, double torque);
// The same, of limited force, and drawn to `at` in the carrier's frame, both frames those of the
// bodies; of the force it bears the body's weight first, so that the body does not sink.
void sim_bind_at(sim *s, size_t body, size_t carrier, pose at, double force, double torque);
// A body that was bound so is drawn to another place from now on.
void sim_bond_move(sim *s, size_t body, pose at);
// The body no longer collides with the other, or does so again. A palm stands for its whole hand.
void sim_let_pass(sim *s, size_t body, size_t other, bool on);
// Why the two cannot collide again now: the body is deep in the other. The sentence lives in `a`;
// NULL: they can.
const char *sim_pass_refusal(sim *s, size_t body, size_t other, arena *a);
// Ends the bond of a body, if there is one; the body keeps its pose and velocity.
void sim_unbind(sim *s, size_t body);
bool sim_bound(const sim *s, size_t body);
size_t sim_carrier(const sim *s, size_t body); // what a body is bound to; SIZE_MAX: nothing

#endif
