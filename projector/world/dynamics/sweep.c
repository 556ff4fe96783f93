// projector/world/dynamics/sweep.c - contacts one by one: projected Gauss-Seidel on the impulses of
// a step (sequential impulses; E. Catto, Iterative Dynamics with Temporal Coherence, 2005).
#include "projector/world/dynamics/newton.h"

#include <math.h>

static const int SWEEPS = 30;
static const double UNCHANGED = 1e-7; // m/s, a sweep that changes no speed by more was the last

static void press_by(newton *n, newton_contact *c, int k, double impulse) {
    c->impulse[k] += impulse;
    for (int side = 0; side < 2; side++) {
        size_t who = side == 0 ? c->a : c->b;
        if (who == NEWTON_NOBODY)
            continue;
        newton_body *b = &n->bodies.items[who];
        double on = side == 0 ? impulse : -impulse;
        b->v = v3_add(b->v, v3_scale(c->along[k], on / b->mass));
        b->w = v3_add(b->w, v3_scale(c->spin[side][k], on));
    }
}

static double speed_along(const newton *n, const newton_contact *c, int k) {
    double u = 0;
    for (int side = 0; side < 2; side++) {
        size_t who = side == 0 ? c->a : c->b;
        if (who == NEWTON_NOBODY)
            continue;
        const newton_body *b = &n->bodies.items[who];
        double of = v3_dot(c->along[k], b->v) + v3_dot(c->turn[side][k], b->w);
        u += side == 0 ? of : -of;
    }
    return u;
}

// One contact by itself: apart as fast as is wanted, and no pull; then no slide, as far as friction
// goes. Returns by how much a speed changed.
static double sweep_contact(newton *n, newton_contact *c) {
    double before[3] = {c->impulse[0], c->impulse[1], c->impulse[2]}, change = 0;
    double push = c->moves[0] * (c->wanted - speed_along(n, c, 0) - c->soft * c->impulse[0]);
    press_by(n, c, 0, fmax(push, -c->impulse[0]));
    for (int k = 1; k < 3; k++)
        press_by(n, c, k, c->moves[k] * (-speed_along(n, c, k) - c->friction_soft * c->impulse[k]));
    double held = hypot(c->impulse[1], c->impulse[2]), most = c->mu * c->impulse[0];
    for (int k = 1; k < 3 && held > most; k++)
        press_by(n, c, k, c->impulse[k] * (most / held - 1));
    for (int k = 0; k < 3; k++)
        change = fmax(change, fabs(c->impulse[k] - before[k]) / c->moves[k]);
    return change;
}

void newton_sweep(newton *n) {
    for (size_t i = 0; i < n->bodies.count; i++) {
        newton_body *b = &n->bodies.items[i];
        b->v = b->free_v, b->w = b->free_w;
    }
    for (size_t i = 0; i < n->contacts.count; i++) {
        newton_contact *c = &n->contacts.items[i];
        double begin[3] = {c->impulse[0], c->impulse[1], c->impulse[2]};
        for (int k = 0; k < 3; k++) {
            c->impulse[k] = 0;
            press_by(n, c, k, begin[k]);
        }
    }
    double change = INFINITY;
    for (int k = 0; k < SWEEPS && change > UNCHANGED; k++) {
        change = 0;
        for (size_t i = 0; i < n->contacts.count; i++) {
            size_t at = k % 2 ? n->contacts.count - 1 - i : i;
            change = fmax(change, sweep_contact(n, &n->contacts.items[at]));
        }
    }
    for (size_t i = 0; i < n->contacts.count; i++)
        n->contacts.items[i].bound = n->contacts.items[i].impulse[0];
}
