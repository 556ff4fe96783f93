// projector/world/follow.c - a simulation that goes on with models that hold other values.
#include "projector/world/things.h"

static void follow_body(sim *s, size_t index) {
    const body_type *type = s->world->bodies[index].type;
    collider *c = &s->colliders[index];
    c->restitution = type->restitution;
    body_raise(s, index);
    if (c->kind != COLLIDER_FREE || c->mass == type->mass)
        return;
    c->mass = type->mass;
    c->inertia = type->inertia;
    if (c->body) {
        dMass m;
        const double(*i)[3] = c->inertia.m;
        dMassSetParameters(&m, c->mass, 0, 0, 0, i[0][0], i[1][1], i[2][2], i[0][1], i[0][2],
                           i[1][2]);
        dBodySetMass(c->body, &m);
    }
    body_wake(s, index);
}

status sim_follow(sim *s, const world_model *before, error *err) {
    surfaces_follow(s, before);
    for (size_t i = 0; i < s->world->body_count; i++)
        follow_body(s, i);
    return happenings_follow(s, before, err);
}
