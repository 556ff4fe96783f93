// scene/world/assumed.c - the world that a simulation of what a robot knows is made of.
#include "scene/world/world_int.h"

#include <math.h>

static body_type *assume_type(arena *a, const body_type *known) {
    body_type *t = arena_alloc(a, sizeof *t);
    *t = *known;
    t->friction = WORLD_FRICTION;
    t->restitution = WORLD_RESTITUTION;
    t->break_impulse = INFINITY;
    return t;
}

world_model *world_assumed(const world_model *known) {
    world_model *w = world_known(known);
    world_body *bodies = arena_alloc(w->arena, w->body_count * sizeof *bodies + 1);
    for (size_t i = 0; i < w->body_count; i++) {
        bodies[i] = w->bodies[i];
        bodies[i].type = assume_type(w->arena, bodies[i].type);
    }
    w->bodies = bodies;
    world_joint *joints = arena_alloc(w->arena, w->joint_count * sizeof *joints + 1);
    for (size_t i = 0; i < w->joint_count; i++) {
        joints[i] = w->joints[i];
        joints[i].friction = joints[i].damping = joints[i].latch = 0;
    }
    w->joints = joints;
    return w;
}
