// projector/world/sleep.c - lets free bodies sleep that have come to rest.
//
// ODE's own rule stops a calm body again and again while something awake touches it, which acts
// like friction that is not there. Here a group of touching bodies falls asleep together, and none
// does that the robot touches.
#include "projector/world/sim_int.h"

static const double CALM_LINEAR = 2e-3, CALM_ANGULAR = 1e-2; // m/s, rad/s
static const int CALM_STEPS = 50;

static bool calm(const collider *c) {
    return c->kind == COLLIDER_FIXED || (c->kind == COLLIDER_FREE && c->calm_steps >= CALM_STEPS);
}

void sleep_step(sim *s) {
    bool any = false;
    for (size_t i = 0; i < s->free_count; i++) {
        collider *c = &s->colliders[s->free_bodies[i]];
        if (!c->on || !dBodyIsEnabled(c->body))
            continue;
        bool still = v3_length(from_ode(dBodyGetLinearVel(c->body))) < CALM_LINEAR &&
                     v3_length(from_ode(dBodyGetAngularVel(c->body))) < CALM_ANGULAR;
        if (c->asleep) // something woke it
            still = c->asleep = false;
        c->calm_steps = still ? c->calm_steps + 1 : 0;
        any |= calm(c);
    }
    if (!any)
        return;
    // What touches something restless is restless, however far that has to be followed.
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < s->pairs.count; i++) {
            collider *a = &s->colliders[s->pairs.items[i].a],
                     *b = &s->colliders[s->pairs.items[i].b];
            if (calm(a) == calm(b))
                continue;
            collider *quiet = calm(a) ? a : b;
            if (quiet->kind == COLLIDER_FREE)
                quiet->calm_steps = CALM_STEPS - 1, again = true;
        }
    }
    for (size_t i = 0; i < s->free_count; i++) {
        collider *c = &s->colliders[s->free_bodies[i]];
        if (!c->on || !dBodyIsEnabled(c->body) || !calm(c))
            continue;
        dBodySetLinearVel(c->body, 0, 0, 0);
        dBodySetAngularVel(c->body, 0, 0, 0);
        dBodyDisable(c->body);
        c->asleep = true;
        c->calm_steps = 0;
    }
}
