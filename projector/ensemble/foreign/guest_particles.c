// projector/ensemble/foreign/guest_particles.c - particles in a body, by the soft spheres that
// foresee itself has them as (projector/world/grains.h), in a process beside it.
//
// Everything but the body stands still. The body moves through a step with the velocity that it has
// at its begin; what the particles exert on it is told, and acts elsewhere.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "projector/ensemble/foreign/guest.h"
#include "projector/ensemble/foreign/particles.h"
#include "projector/world/grains.h"

typedef struct thing { // one shape of the body, or of what stands around
    grain_surface surface;
    shape shape;
    bounds bounds;
    bool carried; // of the body
} thing;

typedef struct vessel {
    arena *arena;
    grains g;
    double *friction;
    thing *things;
    size_t thing_count, partner_count;
    grain_partner *partners; // the body first
    vec3 com;                // of the body, in its frame
    double handed, *given, *out;
} vessel;

static const bounds EVERYWHERE = {{-INFINITY, -INFINITY, -INFINITY},
                                  {INFINITY, INFINITY, INFINITY}};

// ---- The start ----------------------------------------------------------------------------------

static bool read_numbers(FILE *file, double *out, int count) {
    for (int i = 0; i < count; i++)
        if (fscanf(file, "%lf", &out[i]) != 1)
            return false;
    return true;
}

static pose pose_at(const double *v) {
    return (pose){v3_from(v), {v[3], v[4], v[5], v[6]}};
}

static bool read_particles(vessel *v, FILE *file, size_t count, double step) {
    grains_init(&v->g, count);
    for (size_t i = 0; i < count; i++) {
        double x[5]; // entity, surface, radius, mass, restitution
        if (!read_numbers(file, x, 5))
            return false;
        v->g.items[i] = grain_make(x[2], x[3], x[4], step);
        v->g.items[i].entity = (size_t)x[0];
        v->g.items[i].surface = (int)x[1];
        v->g.items[i].here = false; // until it is handed over
        v->g.largest = fmax(v->g.largest, x[2]);
    }
    return true;
}

static void place_thing(thing *t, pose body) {
    vec3 low, high;
    shape own = t->shape;
    t->surface.at = pose_mul(body, own.at);
    t->surface.r = quat_matrix(t->surface.at.q);
    t->bounds = EVERYWHERE; // of a plane
    if (shapes_bounds(&own, 1, body, &low, &high))
        t->bounds = (bounds){{low.x, low.y, low.z}, {high.x, high.y, high.z}};
}

static bool read_mesh(vessel *v, FILE *file, size_t length, shape *s) {
    error err = {0};
    char *text = arena_alloc(v->arena, length + 1);
    return fgetc(file) == '\n' && fread(text, 1, length, file) == length &&
           mesh_read(v->arena, text, length, "shape.obj", v3(1, 1, 1), false, &s->mesh, &err) == OK;
}

// A shape is of the partner that the one before is of, or of the next.
static bool read_thing(vessel *v, FILE *file, size_t number) {
    thing *t = &v->things[number];
    double x[22]; // entity, number of the shape, surface, kind, body, at, size, length of a mesh
    if (!read_numbers(file, x, 22))
        return false;
    if (v->partner_count == 0 || v->partners[v->partner_count - 1].entity != (size_t)x[0])
        v->partners[v->partner_count++] = (grain_partner){.entity = (size_t)x[0]};
    t->carried = v->partner_count == 1;
    t->shape = (shape){.kind = (shape_kind)x[3], .at = pose_at(x + 11), .size = v3_from(x + 18)};
    t->surface = (grain_surface){.partner = v->partner_count - 1,
                                 .surface = (int)x[2],
                                 .shape = &t->shape,
                                 .id = UINT64_C(1) << 63 | (uint64_t)x[0] << 16 | (uint64_t)x[1]};
    if (t->shape.kind == SHAPE_MESH && !read_mesh(v, file, (size_t)x[21], &t->shape))
        return false;
    place_thing(t, pose_at(x + 4));
    return true;
}

static bool read_all(vessel *v, FILE *file) {
    double head[10]; // step, gravity, com, particles, surfaces, shapes
    if (!read_numbers(file, head, 10))
        return false;
    size_t particles = (size_t)head[7], surfaces = (size_t)head[8];
    v->thing_count = (size_t)head[9];
    v->com = v3_from(head + 4);
    v->friction = arena_alloc(v->arena, (surfaces * surfaces + 1) * sizeof(double));
    v->things = arena_alloc(v->arena, (v->thing_count + 1) * sizeof *v->things);
    v->partners = arena_alloc(v->arena, (v->thing_count + 1) * sizeof *v->partners);
    if (!read_particles(v, file, particles, head[0]) ||
        !read_numbers(file, v->friction, (int)(surfaces * surfaces)))
        return false;
    v->g.gravity = v3_from(head + 1);
    v->g.friction = v->friction;
    v->g.surface_count = surfaces;
    for (size_t i = 0; i < v->thing_count; i++)
        if (!read_thing(v, file, i))
            return false;
    return true;
}

static bool particles_load(guest *g) {
    static vessel v;
    g->functions = &v;
    v.arena = arena_create();
    FILE *file = fopen(PARTICLES_FILE, "re");
    bool read = file && read_all(&v, file);
    if (file)
        fclose(file);
    if (!read)
        return guest_fail(g, REPLY_REFUSED, "its file %s cannot be read", PARTICLES_FILE);
    size_t n = v.g.count, touches = n * PARTICLES_TOUCHES * PARTICLES_TOUCH;
    if (g->page->inputs != PARTICLES_HANDED + 1 + n * PARTICLES_GIVEN ||
        g->page->outputs != n * PARTICLES_MOVED + PARTICLES_LOAD + touches)
        return guest_fail(g, REPLY_REFUSED, "it has %zu particles, and others are exchanged", n);
    v.given = arena_alloc(v.arena, g->page->inputs * sizeof(double));
    v.out = arena_alloc(v.arena, g->page->outputs * sizeof(double));
    v.out[n * PARTICLES_MOVED + PARTICLES_LOAD] = -1;
    return true;
}

static bool particles_set(guest *g, page_variable at, double value) {
    ((vessel *)g->functions)->given[at.reference] = value;
    return true;
}

static bool particles_get(guest *g, page_variable at, double *value) {
    *value = ((vessel *)g->functions)->out[at.reference];
    return true;
}

static bool particles_ready(guest *g) {
    (void)g;
    return true;
}

// ---- A step -------------------------------------------------------------------------------------

static void particles_take(vessel *v) {
    if (v->given[PARTICLES_HANDED] == v->handed)
        return;
    v->handed = v->given[PARTICLES_HANDED];
    for (size_t i = 0; i < v->g.count; i++) {
        const double *x = v->given + PARTICLES_HANDED + 1 + i * PARTICLES_GIVEN;
        grain *q = &v->g.items[i];
        q->here = x[0] != 0;
        q->x = v3_from(x + 1);
        q->v = v3_from(x + 4);
        q->hold_count = q->touch_count = 0;
    }
}

// Where the body is, and how it moves through the step.
static void body_take(vessel *v) {
    const double *x = v->given;
    pose at = pose_at(x);
    vec3 arm = quat_rotate(at.q, v->com), w = v3_from(x + 10);
    v->partners[0].moves = true;
    v->partners[0].center = v3_add(at.p, arm);
    v->partners[0].v = v3_add(v3_from(x + 7), v3_cross(w, arm));
    v->partners[0].w = w;
    for (size_t i = 0; i < v->thing_count && v->things[i].carried; i++)
        place_thing(&v->things[i], at);
}

static void walls_find(vessel *v, double dt) {
    double fastest = 0;
    for (size_t i = 0; i < v->g.count; i++)
        fastest = fmax(fastest, v->g.items[i].here ? v3_length(v->g.items[i].v) : 0);
    v->g.surfaces.count = v->g.walls.count = v->g.partners.count = 0;
    for (size_t i = 0; i < v->partner_count; i++)
        array_push(&v->g.partners, v->partners[i]);
    for (size_t i = 0; i < v->thing_count; i++) {
        const thing *t = &v->things[i];
        const grain_partner *of = &v->partners[t->surface.partner];
        double reach = of->moves ? v3_length(of->v) +
                                       v3_length(of->w) * v3_distance(t->surface.at.p, of->center)
                                 : 0;
        grains_offer(&v->g, &t->surface, &t->bounds, GRAIN_SLACK + dt * (fastest + reach));
    }
    grains_sort_walls(&v->g);
}

static void vector_put(double *to, vec3 v) {
    to[0] = v.x, to[1] = v.y, to[2] = v.z;
}

static bool touches_put(guest *g, vessel *v) {
    size_t most = v->g.count * PARTICLES_TOUCHES, count = 0;
    double *x = v->out + v->g.count * PARTICLES_MOVED + PARTICLES_LOAD;
    for (size_t i = 0; i < v->g.count; i++)
        for (size_t k = 0; v->g.items[i].here && k < v->g.items[i].touch_count; k++) {
            const grain_touch *t = &v->g.items[i].touches[k];
            if (count++ == most)
                return guest_fail(g, REPLY_FAILED, "its particles touch more than %zu things",
                                  most);
            x[0] = (double)i;
            x[1] = (double)t->entity;
            vector_put(x + 2, t->force);
            vector_put(x + 5, t->point);
            vector_put(x + 8, t->normal);
            x[11] = t->approach;
            x[12] = t->depth;
            x += PARTICLES_TOUCH;
        }
    if (count < most)
        x[0] = -1;
    return true;
}

static bool particles_advance(guest *g, double from, double length, double *reached) {
    vessel *v = g->functions;
    particles_take(v);
    body_take(v);
    walls_find(v, length);
    grains_step(&v->g, length);
    for (size_t i = 0; i < v->g.count; i++) {
        vector_put(v->out + i * PARTICLES_MOVED, v->g.items[i].x);
        vector_put(v->out + i * PARTICLES_MOVED + 3, v->g.items[i].v);
    }
    double *load = v->out + v->g.count * PARTICLES_MOVED;
    vector_put(load, v3_scale(v->g.partners.items[0].impulse, 1 / length));
    vector_put(load + 3, v3_scale(v->g.partners.items[0].twist, 1 / length));
    *reached = from + length;
    return touches_put(g, v);
}

static void particles_end(guest *g) {
    (void)g; // the process ends with it
}

const guest_class guest_particles = {.load = particles_load,
                                     .enter = particles_ready,
                                     .leave = particles_ready,
                                     .set = particles_set,
                                     .get = particles_get,
                                     .advance = particles_advance,
                                     .end = particles_end};
