// scene/world/particles.c - fluids and grains: kinds of particles, and the bodies that are filled
// with them.
#include "scene/world/world_int.h"

#define MOST 500      // particles in a world
#define SPACING 2.002 // radii between the centres of particles at the start

void world_read_particles(world_parts *w) {
    loading *l = &w->l;
    ynode *section = loading_section(l, "particles");
    for (size_t i = 0; section && i < section->count; i++) {
        const ynode *n = section->items[i];
        particle_kind k = {.name = section->keys[i]->scalar,
                           .color = "blue",
                           .rgb = {0.20, 0.35, 0.75},
                           .radius = 0};
        double mass = 0, density = 0, friction = 0.1, restitution = 0;
        name_check(l, section->keys[i], "kind of particle", k.name);
        if (n->kind != YNODE_MAPPING) {
            ynode_error(n, l->list, "a kind of particle is { radius: R, density: D }");
            continue;
        }
        size_t before = l->list->count;
        keys_check(n, MAP_PARTICLE, l->list);
        if (!ynode_get(n, "radius"))
            ynode_missing(n, l->list, "the particle `%s` needs a `radius`", k.name);
        if (!ynode_get(n, "mass") == !ynode_get(n, "density"))
            ynode_missing(n, l->list,
                          "the particle `%s` needs either a `mass` or a `density` (kg/m3)", k.name);
        read_number(l, n, "radius", Q_GRAIN, &k.radius);
        read_number(l, n, "mass", Q_MASS, &mass);
        read_number(l, n, "density", Q_DENSITY, &density);
        read_number(l, n, "friction", Q_FRICTION, &friction);
        read_number(l, n, "restitution", Q_SHARE, &restitution);
        read_color(l, n, "color", &k.color, &k.rgb);
        if (l->list->count == before) {
            body_type *t = arena_alloc(l->arena, sizeof *t);
            shape *ball = arena_alloc(l->arena, sizeof *ball);
            double r = k.radius;
            *ball = (shape){SHAPE_SPHERE, POSE_IDENTITY, v3(r, r, r), NULL};
            if (mass == 0)
                mass = density * 4 / 3 * PI * r * r * r;
            double moment = 0.4 * mass * r * r;
            *t = (body_type){.name = k.name,
                             .shapes = ball,
                             .shape_count = 1,
                             .mass = mass,
                             .believed_mass = mass,
                             .inertia = {{{moment, 0, 0}, {0, moment, 0}, {0, 0, moment}}},
                             .friction = friction,
                             .restitution = restitution,
                             .material = k.name,
                             .up = {0, 0, 1},
                             .break_impulse = INFINITY};
            k.type = t;
        }
        array_push(&w->particles, k);
    }
}

// Puts up to `count` particles into the interior, layer by layer from below, as many as fit.
static size_t pour_particles(world_parts *w, size_t body, const particle_kind *k, size_t count) {
    world_body b = w->bodies.items[body]; // the list moves as it grows
    const shape *in = &b.type->interior;
    vec3 low, high;
    shapes_bounds(in, 1, POSE_IDENTITY, &low, &high);
    double d = SPACING * k->radius, r = k->radius;
    vec3 middle = v3_scale(v3_add(low, high), 0.5);
    // A column of particles stands on the axis.
    long nx = (long)floor(((high.x - low.x) / 2 - r) / d),
         ny = (long)floor(((high.y - low.y) / 2 - r) / d);
    size_t poured = 0;
    for (long z = 0; poured < count && low.z + r + (double)z * d <= high.z - r + 1e-9; z++)
        for (long y = -ny; y <= ny; y++)
            for (long x = -nx; x <= nx && poured < count; x++) {
                vec3 p = v3(middle.x + (double)x * d, middle.y + (double)y * d,
                            low.z + 1.001 * r + (double)z * d);
                if (shape_distance(in, in->at, p) > -r)
                    continue;
                world_body one = {
                    .name = arena_format(w->l.arena, "%s_%s_%zu", b.name, k->name, ++poured),
                    .type = k->type,
                    .color = k->color,
                    .rgb = k->rgb,
                    .at = {pose_apply(b.at, p), {1, 0, 0, 0}},
                    .particle = true,
                    .absent = b.absent,
                    .inside = (int64_t)body};
                array_push(&w->bodies, one);
                array_push(&w->body_nodes, w->body_nodes.items[body]);
                array_push(&w->supports, -1);
            }
    return poured;
}

static void fill_body(world_parts *w, const ynode *n, size_t body, size_t *total) {
    loading *l = &w->l;
    const world_body *b = &w->bodies.items[body];
    const char *name = NULL;
    int64_t count = 0;
    if (n->kind != YNODE_MAPPING || !ynode_get(n, "with") || !ynode_get(n, "count")) {
        ynode_error(n, l->list, "`fill` is { with: PARTICLE, count: N }");
        return;
    }
    keys_check(n, MAP_FILL, l->list);
    if (!ynode_text(ynode_get(n, "with"), "with", &name, l->list) ||
        !ynode_integer(ynode_get(n, "count"), "count", &count, l->list) || !b->type)
        return;
    const char **names = arena_alloc(l->arena, (w->particles.count + 1) * sizeof *names);
    const particle_kind *k = NULL;
    for (size_t i = 0; i < w->particles.count; i++) {
        names[i] = w->particles.items[i].name;
        if (strcmp(names[i], name) == 0)
            k = &w->particles.items[i];
    }
    if (!k) {
        name_unknown(l, ynode_get(n, "with"), "kind of particle", name, names, w->particles.count);
        return;
    }
    if (b->absent) {
        ynode_error(n, l->list, "`%s` is absent and cannot be filled", b->name);
        return;
    }
    if (!b->type->has_interior) {
        ynode_error(n, l->list, "`%s` has no `interior` that could be filled", b->name);
        return;
    }
    if (count < 0 || count > MOST || *total + (size_t)count > MOST) {
        ynode_error(ynode_get(n, "count"), l->list,
                    "there are 0 to %d particles in a world, all fillings together", MOST);
        return;
    }
    if (!k->type)
        return; // its mistake is reported
    *total += (size_t)count;
    size_t first = w->bodies.count, poured = pour_particles(w, body, k, (size_t)count);
    if (poured < (size_t)count)
        ynode_error(ynode_get(n, "count"), l->list,
                    "only %zu particles of this radius fit into the interior of `%s`", poured,
                    w->bodies.items[body].name);
    b = &w->bodies.items[body];
    for (size_t i = first; i < w->bodies.count; i++) {
        const world_body *p = &w->bodies.items[i];
        bool taken = false;
        for (size_t o = 0; o < first; o++)
            taken = taken || strcmp(w->bodies.items[o].name, p->name) == 0;
        if (taken || strlen(p->name) > 63) {
            ynode_error(n, l->list, "the particle's name `%s` is %s: rename `%s`", p->name,
                        taken ? "a body's already" : "longer than 63 letters", b->name);
            return;
        }
        if (shapes_overlap(p->type->shapes, 1, p->at, b->type->shapes, b->type->shape_count, b->at,
                           0.001)) {
            ynode_error(n, l->list,
                        "particles would start inside the wall of `%s`: its `interior` reaches "
                        "into its shapes",
                        b->name);
            return;
        }
    }
}

void world_fill(world_parts *w) {
    size_t count = w->bodies.count, total = 0;
    for (size_t i = 0; i < count; i++) {
        const ynode *n = w->body_nodes.items[i];
        const ynode *fill = n->kind == YNODE_MAPPING ? ynode_get(n, "fill") : NULL;
        if (fill)
            fill_body(w, fill, i, &total);
    }
}
