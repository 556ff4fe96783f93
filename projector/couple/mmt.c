// projector/couple/mmt.c - model-mediated coupling: the hand feels a twin of the follower at a
// believed wall, without delay; what the follower observes corrects where that wall is.
#include <math.h>

#include "projector/couple/ends.h"

#define TOUCH 0.3 // N from which on an observed force is a contact ...
#define SIGMAS 5  // ... where the observer's noise, by the encoder's, is small beside it
#define BLEND 0.1 // share of a new observation in where the wall is thought to be

// Places with the noise sigma, differenced, make of the observer's force a noise of
// sqrt(2) K m sigma / h.
static double touch_of(const rig *r) {
    double noise = sqrt(2) * r->observer_gain * r->follower_mass * r->encoder_noise / COUPLE_STEP;
    return fmax(TOUCH, SIGMAS * noise);
}

// What the newest message of the follower says of the wall. The stiffness stays as believed: the
// place is chosen so that the twin's force is right where the follower is.
static void learn(leader_end *e) {
    const up_message *m = &e->last;
    double touch = touch_of(e->r);
    if (m->observed > touch) {
        double seen = m->place - m->observed / e->model_stiffness;
        bool first = !e->targeted || isinf(e->target);
        e->target = first ? seen : e->target + BLEND * (seen - e->target);
        e->targeted = true;
        if (!e->model) { // a wall nobody believed in begins where the twin is, without a force
            e->model = true;
            e->model_at = fmax(seen, e->twin);
        }
    } else if (e->model && m->place > e->model_at + touch / e->model_stiffness) {
        e->target = INFINITY; // the wall is not there: it recedes until there is a contact
        e->targeted = true;
    }
}

double mmt_felt(leader_end *e, double place, double speed) {
    const rig *r = e->r;
    if (r->updates && e->fresh)
        learn(e);
    if (e->targeted) {
        // A wall that moves by 1 m moves the force of the springs in series by K_s.
        double series = r->stiffness * e->model_stiffness / (r->stiffness + e->model_stiffness);
        double most = COUPLE_STEP * r->change / series;
        e->model_at += fmax(-most, fmin(e->target - e->model_at, most));
    }
    double force = coupling_force(r, place - e->twin, speed - e->twin_speed);
    double wall = e->model ? e->model_stiffness * fmax(0, e->twin - e->model_at) : 0;
    e->twin_speed +=
        COUPLE_STEP * (force - r->follower_damping * e->twin_speed - wall) / r->follower_mass;
    e->twin += COUPLE_STEP * e->twin_speed;
    return force;
}

double mmt_pull(follower_end *e, double place, double speed) {
    if (e->any) {
        e->reference = e->last.place;
        e->speed = e->last.speed;
    }
    return coupling_force(e->r, e->reference - place, e->speed - speed);
}
