// projector/robot/planning/base_map.c - the room that the base has: its distance to bodies, at a
// point and on a grid of the plane.
#include "projector/robot/planning/drive.h"
#include "projector/robot/planning/collision_scene.h"

#include <math.h>

// Whether the base, with what rises above it, cannot pass a shape: it lies between these heights.
// All of it counts, seen from above.
static bool shape_stops_base(const believed_object *o, const shape *s, pose *at) {
    vec3 low, high;
    if (s->kind == SHAPE_PLANE || !shapes_bounds(s, 1, o->at, &low, &high) || low.z > 1.4 ||
        high.z < 0.025)
        return false;
    *at = pose_mul(o->at, s->at);
    return true;
}

// The distance to an object where it is below `best`, else that.
static double object_clearance(const believed_object *o, double x, double y, double best) {
    for (size_t k = 0; o->kind && k < o->kind->shape_count; k++) {
        const shape *s = &o->kind->shapes[k];
        pose at = pose_mul(o->at, s->at);
        double distance = shape_distance(s, at, v3(x, y, at.p.z));
        if (distance < best && shape_stops_base(o, s, &at))
            best = distance;
    }
    return best;
}

// Objects that stand on furniture lie within its outline or above the base: of those that are not
// known, only objects on the floor stop it.
static bool object_stops_base(const believed_object *o) {
    return o->confirmed && o->kind && o->hand < 0 && (o->known || o->at.p.z < 0.35);
}

double base_clearance(const mind *m, double x, double y, int *owner) {
    double best = INFINITY;
    stopwatch_start(m->checks);
    for (size_t i = 0; i < belief_object_count(m->belief); i++) {
        const believed_object *o = belief_object(m->belief, i);
        if (!object_stops_base(o))
            continue;
        double d = object_clearance(o, x, y, best);
        if (d < best) {
            best = d;
            if (owner)
                *owner = (int)i;
        }
    }
    for (size_t i = 0; i < belief_robot_count(m->belief); i++) {
        robot_in_way o;
        if (!robot_stands_in_way(m, i, &o))
            continue;
        double d = hypot(x - o.at.x, y - o.at.y) - o.radius;
        if (d < best) {
            best = d;
            if (owner)
                *owner = OWNER_ROBOTS + (int)i;
        }
    }
    stopwatch_stop(m->checks);
    return best;
}

double base_clearance_least(const mind *m) {
    return m->robot->base_radius + 0.015;
}

void base_miss(const mind *m, double clear, double least, int owner, double left, miss *nearest) {
    if (!miss_keep(nearest, MISS_CONTACT, left + least - clear))
        return;
    nearest->left = left;
    nearest->value = clear - m->robot->base_radius;
    nearest->allowed = least - m->robot->base_radius;
    snprintf(nearest->part, sizeof nearest->part, "%s", m->robot->links[0].name);
    snprintf(nearest->other, sizeof nearest->other, "%s",
             owner >= 0 ? owner_name(m, owner) : "the map's edge");
}

// ---- The map ------------------------------------------------------------------------------------
int base_map_cell(const base_map *b, vec3 p) {
    int x = (int)round((p.x - b->x0) / BASE_MAP_CELL),
        y = (int)round((p.y - b->y0) / BASE_MAP_CELL);
    return x < 0 || y < 0 || x >= b->nx || y >= b->ny ? -1 : y * b->nx + x;
}

double base_map_x(const base_map *b, int i) {
    return b->x0 + BASE_MAP_CELL * i;
}

double base_map_y(const base_map *b, int k) {
    return b->y0 + BASE_MAP_CELL * k;
}

typedef struct known_shape {
    const shape *s;
    pose at;
    double least; // m: it is no nearer than this to the cell that is looked at
} known_shape;

// A cell farther on a distance has fallen by its size at most. That holds for primitive shapes,
// whose distances are exact; a mesh is always asked.
static double least_after_cell(const known_shape *k, double distance) {
    static const double ROUNDING = 1e-9;
    return k->s->kind == SHAPE_MESH ? -INFINITY : distance - BASE_MAP_CELL - ROUNDING;
}

// The shapes of known bodies that stop the base: of those that stay where they are, or of doors and
// drawers as they stand now.
static size_t known_shapes(const mind *m, bool jointed, known_shape *out, size_t most) {
    size_t count = 0;
    for (size_t i = 0; i < belief_object_count(m->belief); i++) {
        const believed_object *o = belief_object(m->belief, i);
        if (!o->known || !o->kind || (world_joint_of(m->known, (size_t)o->body) >= 0) != jointed)
            continue;
        for (size_t k = 0; k < o->kind->shape_count && count < most; k++) {
            pose at;
            if (shape_stops_base(o, &o->kind->shapes[k], &at))
                out[count++] = (known_shape){&o->kind->shapes[k], at, -INFINITY};
        }
    }
    return count;
}

// Lowers the distances of a grid to those from known shapes.
static void measure_known(const base_map *b, const mind *m, bool jointed, float *grid) {
    enum { SHAPES_MAX = 1024 };
    known_shape *all = mem_must(SHAPES_MAX, sizeof *all);
    size_t count = known_shapes(m, jointed, all, SHAPES_MAX);
    for (int k = 0; k < b->ny && count > 0; k++) {
        for (size_t n = 0; n < count; n++)
            all[n].least = -INFINITY;
        for (int i = 0; i < b->nx; i++) {
            double least = grid[k * b->nx + i];
            for (size_t n = 0; n < count; n++) {
                vec3 point = v3(base_map_x(b, i), base_map_y(b, k), all[n].at.p.z);
                double distance = all[n].least;
                if (distance < least) {
                    distance = shape_distance(all[n].s, all[n].at, point);
                    least = fmin(least, distance);
                }
                all[n].least = least_after_cell(&all[n], distance);
            }
            grid[k * b->nx + i] = (float)least;
        }
    }
    free(all);
}

base_map *base_map_create(const mind *m) {
    vec3 low = v3(INFINITY, INFINITY, 0), high = v3(-INFINITY, -INFINITY, 0);
    for (size_t i = 0; i < m->known->body_count; i++) {
        vec3 a, b;
        const world_body *body = &m->known->bodies[i];
        if (!shapes_bounds(body->type->shapes, body->type->shape_count, body->at, &a, &b))
            continue;
        low = v3(fmin(low.x, a.x), fmin(low.y, a.y), 0);
        high = v3(fmax(high.x, b.x), fmax(high.y, b.y), 0);
    }
    vec3 here = belief_robot(m->belief).p;
    low = v3(fmin(low.x, here.x) - 1, fmin(low.y, here.y) - 1, 0);
    high = v3(fmax(high.x, here.x) + 1, fmax(high.y, here.y) + 1, 0);
    base_map *b = mem_must(1, sizeof *b);
    b->x0 = low.x;
    b->y0 = low.y;
    b->nx = (int)fmin(800, (high.x - low.x) / BASE_MAP_CELL + 1);
    b->ny = (int)fmin(800, (high.y - low.y) / BASE_MAP_CELL + 1);
    size_t cells = (size_t)b->nx * (size_t)b->ny;
    b->known = mem_must(cells, sizeof *b->known);
    b->distance = mem_must(cells, sizeof *b->distance);
    for (size_t n = 0; n < cells; n++)
        b->known[n] = BASE_MAP_FAR;
    measure_known(b, m, false, b->known);
    return b;
}

void base_map_destroy(base_map *b) {
    if (!b)
        return;
    free(b->known);
    free(b->distance);
    free(b);
}

// The distance at a point, between those of the four cells about it; -1: it is outside.
static double distance_at(const base_map *b, vec3 p) {
    double x = (p.x - b->x0) / BASE_MAP_CELL, y = (p.y - b->y0) / BASE_MAP_CELL;
    if (x < 0 || y < 0 || x > b->nx - 1 || y > b->ny - 1)
        return -1;
    int i = (int)fmin(x, b->nx - 2), k = (int)fmin(y, b->ny - 2);
    const float *low = &b->distance[k * b->nx + i], *high = low + b->nx;
    double u = x - i, v = y - k;
    return (1 - v) * ((1 - u) * (double)low[0] + u * (double)low[1]) +
           v * ((1 - u) * (double)high[0] + u * (double)high[1]);
}

double base_map_line(const base_map *b, vec3 p, vec3 q) {
    int steps = (int)ceil(v3_distance(p, q) / (BASE_MAP_CELL / 2)) + 1;
    double least = BASE_MAP_FAR;
    for (int n = 0; n <= steps && least >= 0; n++)
        least = fmin(least, distance_at(b, v3_add(p, v3_scale(v3_sub(q, p), (double)n / steps))));
    return least;
}

// Lowers the distances to those from a circle.
static void measure_circle(base_map *b, double x, double y, double radius) {
    for (int k = 0; k < b->ny; k++)
        for (int i = 0; i < b->nx; i++) {
            double d = hypot(base_map_x(b, i) - x, base_map_y(b, k) - y) - radius;
            if (d < b->distance[k * b->nx + i])
                b->distance[k * b->nx + i] = (float)d;
        }
}

void base_map_refresh(base_map *b, const mind *m) {
    for (int k = 0; k < b->ny; k++)
        for (int i = 0; i < b->nx; i++)
            b->distance[k * b->nx + i] = b->known[k * b->nx + i];
    measure_known(b, m, true, b->distance);
    // Believed objects that lie on the floor.
    for (size_t n = 0; n < belief_object_count(m->belief); n++) {
        const believed_object *o = belief_object(m->belief, n);
        if (o->known || !o->confirmed || o->hand >= 0 || !o->kind || o->at.p.z > 0.35)
            continue;
        vec3 low, high;
        if (!shapes_bounds(o->kind->shapes, o->kind->shape_count, o->at, &low, &high))
            continue;
        measure_circle(b, o->at.p.x, o->at.p.y, hypot(high.x - low.x, high.y - low.y) / 2);
    }
    for (size_t i = 0; i < belief_robot_count(m->belief); i++) {
        robot_in_way o;
        if (robot_stands_in_way(m, i, &o))
            measure_circle(b, o.at.x, o.at.y, o.radius);
    }
}
