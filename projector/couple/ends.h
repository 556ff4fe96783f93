// projector/couple/ends.h - the two ends of a coupling, and what each kind does there.
#ifndef FORESEE_PROJECTOR_COUPLE_ENDS_H
#define FORESEE_PROJECTOR_COUPLE_ENDS_H

#include "projector/couple/couple.h"

#define STEP_NANOS ((nanos)(COUPLE_STEP * 1e9 + 0.5))

// What moves in one degree of freedom, by semi-implicit Euler.
typedef struct mover {
    double place, speed;
} mover;
static inline void mover_step(mover *m, double force, double mass) {
    m->speed += COUPLE_STEP * force / mass;
    m->place += COUPLE_STEP * m->speed;
}

// One direction of the link and what its receiver has.
enum { WIRE_MESSAGE_MAX = 1024 }; // bytes
typedef struct wire {
    channel *c;
    uint64_t next;  // the lowest number that would be new
    double arrived; // s, when something new came last
    double silence;
    nanos sent; // when that was sent
} wire;
void wire_begin(wire *w, const channel_traits *link, nanos delay, size_t size, rng_key key);
void wire_send(wire *w, nanos now, const void *message);
// Takes what has arrived; of several messages the one that was sent last. False: nothing is new.
bool wire_take(wire *w, double time, nanos now, void *message, size_t size);
wire_report wire_told(const wire *w);
void wire_finish(wire *w);

// A message has arrived at least once where `any`; `fresh`: in this step.
typedef struct leader_end {
    const rig *r;
    bool any, fresh;
    up_message last;
    double put, taken;                // tdpa: energy into and out of the link at this end, J
    double twin, twin_speed;          // mmt
    double model_at, model_stiffness; // mmt: the wall of the twin, as believed now
    double target;                    // mmt: where observed contacts say that the wall is
    bool model, targeted;
} leader_end;

typedef struct follower_end {
    const rig *r;
    bool any, fresh;
    down_message last;
    double put, taken;       // tdpa
    double reference, speed; // of the controller: what it pulls the follower to
} follower_end;

// The force that pulls the leader back, N, and what the end keeps of it.
double pfc_felt(leader_end *e, double speed);
double tdpa_felt(leader_end *e, double speed);
double mmt_felt(leader_end *e, double place, double speed);
// Moves the reference by one step and gives the force that pulls the follower.
double pfc_pull(follower_end *e, double place, double speed);
double tdpa_pull(follower_end *e, double place, double speed);
double mmt_pull(follower_end *e, double place, double speed);
double coupling_force(const rig *r, double ahead, double faster);

// The momentum observer: r = K (p - integral(u - b v + r) - p0), of which -r is the contact force
// that pushes back.
typedef struct observer {
    double mass, damping, gain, integral, first, force;
    bool begun;
} observer;
// `speed` is differenced from encoders; `effort` is the controller's force. Gives the force of a
// contact that holds the joint back, positive in the sense of the wall.
double observer_step(observer *o, double speed, double effort);

// The direct estimator, a baseline: the controller's force, averaged exponentially over the time
// 1 / gain. It takes inertia and friction for a contact.
typedef struct direct_estimator {
    double gain, force;
} direct_estimator;
double direct_step(direct_estimator *d, double effort);

#endif
