// scene/world/remarks.c - what is legal in a world and hardly meant.
#include "scene/world/world.h"

#include <math.h>

// m: who leaves a gap of more between a thing and what is below it means it to fall.
static const double DROP = 0.02;

double world_gap_below(const world_model *w, size_t body, vec3 from) {
    double gap = INFINITY;
    for (size_t i = 0; i < w->body_count; i++) {
        const world_body *b = &w->bodies[i];
        for (size_t s = 0; i != body && !b->absent && s < b->type->shape_count; s++) {
            const shape *p = &b->type->shapes[s];
            gap = fmin(gap, shape_ray(p, pose_mul(b->at, p->at), from, v3(0, 0, -1)));
        }
    }
    return gap;
}

// How far a body would fall at least, by points of its bounds, from a hair above its lowest point.
static double drop_of(const world_model *w, size_t body) {
    const world_body *b = &w->bodies[body];
    vec3 low, high;
    double drop = INFINITY;
    if (!shapes_bounds(b->type->shapes, b->type->shape_count, b->at, &low, &high))
        return 0;
    for (int i = 0; i < 9; i++) {
        double x = 0.05 + 0.45 * (i % 3), y = 0.05 + 0.45 * (double)(i / 3);
        vec3 from = v3(low.x + x * (high.x - low.x), low.y + y * (high.y - low.y), low.z + 1e-3);
        drop = fmin(drop, world_gap_below(w, body, from));
    }
    return drop;
}

enum { ACROSS = 9 }; // points between the pads

static double distance_from_type(const body_type *t, vec3 point) {
    double least = INFINITY;
    for (size_t s = 0; s < t->shape_count; s++)
        least = fmin(least, shape_distance(&t->shapes[s], t->shapes[s].at, point));
    return least;
}

// How far what a grasp says is between the pads is from the nearest of the type's shapes, m; 0 or
// less: part of a shape is there. Of a handle it lies across its bar, ...
static double air_at_handle(const body_type *t, const grasp_way *way) {
    double least = INFINITY;
    for (int i = 0; i < ACROSS; i++) {
        double off = way->width * ((double)i / (ACROSS - 1) - 0.5);
        least = fmin(least, distance_from_type(t, pose_apply(way->at, v3(0, off, 0))));
    }
    return least;
}

// ... else across a wall, all the way round.
static double air_at_wall(const body_type *t, const grasp_way *way) {
    enum { LEVELS = 5, TURNS = 24 };
    double least = INFINITY;
    for (int level = 0; level < LEVELS; level++)
        for (int turn = 0; turn < TURNS; turn++)
            for (int i = 0; i < ACROSS; i++) {
                double z = way->low + (way->high - way->low) * level / (LEVELS - 1);
                double r = way->radius + way->width * ((double)i / (ACROSS - 1) - 0.5);
                double at = 2 * PI * turn / TURNS;
                least = fmin(least, distance_from_type(t, v3(r * cos(at), r * sin(at), z)));
            }
    return least;
}

static void remark_grasps(const body_type *t, const char *path, errors *warnings) {
    static const struct {
        const char *name, *means;
    } kinds[] = {
        [GRASP_TOP] = {"top", "`radius` and `width` describe the wall that the fingers straddle"},
        [GRASP_SIDE] = {"side", "`width` is that of the body between `low` and `high`"},
        [GRASP_HANDLE] = {"handle", "the pose and `width` are those of the bar"}};
    const double hair = 0.001; // m
    for (size_t k = 0; k < t->grasp_count; k++) {
        const grasp_way *way = &t->grasps[k];
        double air = way->kind == GRASP_HANDLE ? air_at_handle(t, way) : air_at_wall(t, way);
        if (air > hair && isfinite(air))
            errors_add(warnings, path, 0, 0,
                       "the pads that take a `%s` by its grasp `%s` have air between them: the "
                       "nearest of its shapes is %.0f mm away; %s",
                       t->name, kinds[way->kind].name, 1000 * air, kinds[way->kind].means);
    }
}

void world_remarks(const world_model *w, const char *path, errors *warnings) {
    if (w->gravity.z > 0)
        errors_add(warnings, path, 0, 0,
                   "gravity points upwards: %g m/s2 along z, and what is loose flies away; did you "
                   "mean -%g?",
                   w->gravity.z, w->gravity.z);
    for (size_t i = 0; i < w->type_count; i++)
        remark_grasps(&w->types[i], path, warnings);
    for (size_t i = 0; i < w->body_count && w->gravity.z < 0; i++) {
        const world_body *b = &w->bodies[i];
        if (b->fixed || b->absent || b->particle || world_joint_of(w, i) >= 0 ||
            v3_length(b->velocity) > 0)
            continue;
        double drop = drop_of(w, i);
        if (isinf(drop))
            errors_add(warnings, path, 0, 0, "there is nothing below `%s`: it falls for ever",
                       b->name);
        else if (drop > DROP)
            errors_add(warnings, path, 0, 0,
                       "`%s` starts %.3g m above what is below it, and falls; `on: BODY` lets it "
                       "stand there",
                       b->name, drop);
    }
}
