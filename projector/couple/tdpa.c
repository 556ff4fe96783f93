// projector/couple/tdpa.c - time-domain passivity: neither end gives out more energy than the other
// end is known to have put in.
//
// Per channel: W = E_in(t - T) - E_out, as the end that gives out knows it. Where W < 0 the
// follower slows its reference, v -= beta f with beta = -W / (dt f^2), and the leader is damped, f
// += alpha v with alpha = -W / (dt v^2); so the energy of this step is what is left. What the
// bounds of alpha and beta, which keep the sampled damping stable, leave over is taken in later
// steps: E_out keeps it.
#include <math.h>

#include "projector/couple/ends.h"

static void account(double power, double *put, double *taken) {
    *(power > 0 ? put : taken) += COUPLE_STEP * fabs(power);
}

double tdpa_felt(leader_end *e, double speed) {
    double force = e->any ? e->last.force : 0, allowed = e->any ? e->last.energy : 0;
    double left = allowed - e->taken - COUPLE_STEP * fmax(0, -force * speed);
    if (left < 0 && speed != 0) {
        double most = e->r->leader_mass / (2 * COUPLE_STEP);
        force += fmin(-left / (COUPLE_STEP * speed * speed), most) * speed;
    }
    account(force * speed, &e->put, &e->taken);
    return force;
}

double tdpa_pull(follower_end *e, double place, double speed) {
    double wanted = e->any ? e->last.speed : 0, allowed = e->any ? e->last.energy : 0;
    double force = coupling_force(e->r, e->reference - place, wanted - speed);
    double left = allowed - e->taken - COUPLE_STEP * fmax(0, force * wanted);
    // A force against the motion gives nothing out: it brakes a follower that runs ahead.
    if (left < 0 && force * wanted > 0) {
        double most = 1 / (e->r->stiffness * COUPLE_STEP + e->r->damping);
        wanted -= fmin(-left / (COUPLE_STEP * force * force), most) * force;
    }
    e->speed = wanted;
    e->reference += COUPLE_STEP * wanted;
    force = coupling_force(e->r, e->reference - place, wanted - speed);
    account(-force * wanted, &e->put, &e->taken);
    return force;
}
