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

static bool can_move(const body_type *t) {
    for (size_t i = 0; i < t->shape_count; i++)
        if (t->shapes[i].kind == SHAPE_PLANE)
            return false;
    return t->mass > 0 && t->inertia.m[0][0] > 0 && t->inertia.m[1][1] > 0 &&
           t->inertia.m[2][2] > 0;
}

world_model *world_assumed(const world_model *known, size_t spare) {
    world_model *w = world_known(known);
    arena *a = w->arena;
    size_t count = w->body_count, room = count + spare * w->type_count;
    world_body *bodies = arena_alloc(a, room * sizeof *bodies + 1);
    for (size_t i = 0; i < count; i++) {
        bodies[i] = w->bodies[i];
        bodies[i].type = assume_type(a, bodies[i].type);
    }
    for (size_t i = 0; i < w->type_count; i++) {
        const body_type *type = assume_type(a, &w->types[i]);
        for (size_t k = 0; can_move(type) && k < spare; k++)
            bodies[count++] = (world_body){.name = arena_format(a, "%s (%zu)", type->name, k + 1),
                                           .type = type,
                                           .color = "",
                                           .at = POSE_IDENTITY,
                                           .absent = true,
                                           .inside = -1,
                                           .on = -1};
    }
    w->bodies = bodies;
    w->body_count = count;
    world_joint *joints = arena_alloc(w->arena, w->joint_count * sizeof *joints + 1);
    for (size_t i = 0; i < w->joint_count; i++) {
        joints[i] = w->joints[i];
        joints[i].friction = joints[i].damping = joints[i].latch = 0;
    }
    w->joints = joints;
    return w;
}
