// projector/sense/arm_observer.h - what contacts do to an arm, from the torques and positions of
// its joints alone.
//
// Two estimates of the torques that come from outside, with the same time constant 1 / K_O:
//
//   momentum observer  r = K_O (p - integral(tau + C^T qd + g + r))
//   direct             -(tau + g), averaged exponentially
//
//   tau     what reaches the links by their joints: motors, less their friction and inertia
//   p       the joints' share of the momentum of what they carry, M qd; it begins at rest
//   C^T qd  how that turns with the links, which is Mdot qd - C qd; g: the pull of gravity
//
// (De Luca, Albu-Schaeffer, Haddadin, Hirzinger, IROS 2006.) Velocities are differenced from the
// positions. The base is taken to stand still and level: while it accelerates, both take that for a
// contact. The direct estimate does so with every motion of the arm.
//
// Owns:      a model of what hangs on the arm's joints; knows no contact and no true velocity.
// Invariant: a step of any length is stable, since both filters are implicit in it.
#ifndef FORESEE_PROJECTOR_SENSE_ARM_OBSERVER_H
#define FORESEE_PROJECTOR_SENSE_ARM_OBSERVER_H

#include "scene/robot/robot.h"

typedef struct arm_observer arm_observer;

// `r` must outlive the observer. gain: 1/s.
void arm_observer_create(const robot_model *r, size_t arm, vec3 gravity, double gain,
                         arm_observer **out);
void arm_observer_destroy(arm_observer *o); // NULL is a no-op
// Whether the estimates depend on the position of this joint of the robot.
bool arm_observer_uses(const arm_observer *o, size_t joint);
// The positions `q` of the robot's joints now, `dt` s after those of the last step, and the mean
// torques of the arm's joints since then, N m or N.
void arm_observer_step(arm_observer *o, const double *q, const double *torque, double dt);
// The estimates for the arm's joints, N m or N.
const double *arm_observer_momentum(const arm_observer *o);
const double *arm_observer_direct(const arm_observer *o);
// For each of `count` sets of torques of the arm's joints, the force (N) and the moment about the
// tool (N m), in the base's frame, that explain them best and are least among those: pinv(J^T)
// torque, with lengths in metres. What the arm hardly feels, since it stands near a singularity,
// counts as nothing.
void arm_observer_wrenches(const arm_observer *o, const double (*torques)[ARM_JOINTS_MAX],
                           size_t count, vec3 *forces, vec3 *moments);

#endif
