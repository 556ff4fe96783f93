// scene/world/assumed.c - the world that a simulation of what a robot knows is made of.
#include "scene/world/world_int.h"

#include <math.h>

static const double PLATE = 0.3, PLATE_THICK = 0.02; // m

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

// A level plate whose frame lies in the middle of its upper side.
static const body_type *make_plate(arena *a) {
    shape *s = arena_alloc(a, sizeof *s);
    *s = (shape){.kind = SHAPE_BOX, .at = POSE_IDENTITY, .size = {PLATE, PLATE, PLATE_THICK}};
    s->at.p.z = -PLATE_THICK / 2;
    body_type *t = arena_alloc(a, sizeof *t);
    *t = (body_type){.name = "surface",
                     .shapes = s,
                     .shape_count = 1,
                     .friction = WORLD_FRICTION,
                     .restitution = WORLD_RESTITUTION,
                     .material = "",
                     .up = {0, 0, 1},
                     .break_impulse = INFINITY};
    return t;
}

world_model *world_assumed(const world_model *known, size_t spare, size_t plates) {
    world_model *w = world_known(known);
    arena *a = w->arena;
    size_t count = w->body_count, room = count + spare * w->type_count + plates;
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
    const body_type *plate = make_plate(a);
    for (size_t k = 0; k < plates; k++)
        bodies[count++] = (world_body){.name = arena_format(a, "surface (%zu)", k + 1),
                                       .type = plate,
                                       .color = "",
                                       .at = POSE_IDENTITY,
                                       .fixed = true,
                                       .absent = true,
                                       .inside = -1,
                                       .on = -1};
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
