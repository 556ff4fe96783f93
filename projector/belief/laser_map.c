// projector/belief/laser_map.c - the known map in the plane of the laser's beams. Solids are the
// shapes that this plane cuts; beams are cast at them. The field holds, for each node of a grid in
// the plane, the signed distance to the nearest surface of a solid (negative inside); the
// likelihood of a pose is computed from the field's values at the ends of its beams.
#include "projector/belief/belief_int.h"

#include <math.h>

static const double BAND = 0.25; // m: larger distances are not told apart
static const size_t CELLS_MAX = 4000000;

static void gather_solids(const belief *b, laser_map *m) {
    m->solids.count = 0;
    for (size_t i = 0; i < b->known->body_count; i++) {
        const believed_object *o = &b->objects.items[i].seen;
        if (!o->confirmed || o->hand >= 0)
            continue;
        for (size_t k = 0; k < o->kind->shape_count; k++) {
            const shape *s = &o->kind->shapes[k];
            vec3 low, high;
            if (s->kind == SHAPE_PLANE || !shapes_bounds(s, 1, o->at, &low, &high) ||
                low.z > m->height || high.z < m->height)
                continue;
            solid part = {s, pose_mul(o->at, s->at), low, high};
            array_push(&m->solids, part);
        }
    }
}

static void lay_grid(laser_map *m) {
    vec3 low = v3(INFINITY, INFINITY, 0), high = v3(-INFINITY, -INFINITY, 0);
    for (size_t k = 0; k < m->solids.count; k++) {
        const solid *s = &m->solids.items[k];
        low.x = fmin(low.x, s->low.x - BAND);
        low.y = fmin(low.y, s->low.y - BAND);
        high.x = fmax(high.x, s->high.x + BAND);
        high.y = fmax(high.y, s->high.y + BAND);
    }
    if (m->solids.count == 0)
        low = high = v3(0, 0, 0);
    m->x0 = low.x;
    m->y0 = low.y;
    double area = (high.x - low.x) * (high.y - low.y);
    m->cell = fmax(0.01, sqrt(area / (double)CELLS_MAX));
    m->per_metre = 1 / m->cell;
    m->nx = (size_t)((high.x - low.x) / m->cell) + 2;
    m->ny = (size_t)((high.y - low.y) / m->cell) + 2;
    free(m->field);
    m->field = mem_must(m->nx * m->ny, sizeof *m->field);
    for (size_t i = 0; i < m->nx * m->ny; i++)
        m->field[i] = (float)BAND;
}

static size_t cell_at(double v, double v0, double cell, size_t n) {
    double k = floor((v - v0) / cell);
    return k <= 0 ? 0 : k >= (double)n ? n - 1 : (size_t)k;
}

// Writes the signed distances about each solid. Where several are near, the nearest surface counts.
static void fill_grid(laser_map *m) {
    for (size_t k = 0; k < m->solids.count; k++) {
        const solid *s = &m->solids.items[k];
        size_t i0 = cell_at(s->low.x - BAND, m->x0, m->cell, m->nx);
        size_t i1 = cell_at(s->high.x + BAND, m->x0, m->cell, m->nx);
        size_t j0 = cell_at(s->low.y - BAND, m->y0, m->cell, m->ny);
        size_t j1 = cell_at(s->high.y + BAND, m->y0, m->cell, m->ny);
        for (size_t j = j0; j <= j1; j++)
            for (size_t i = i0; i <= i1; i++) {
                vec3 p = v3(m->x0 + m->cell * (double)i, m->y0 + m->cell * (double)j, m->height);
                double d = fmax(-BAND, shape_distance(s->s, s->at, p));
                float *f = &m->field[j * m->nx + i];
                if (fabs(d) < fabs(*f))
                    *f = (float)d;
            }
    }
}

void laser_map_refresh(const belief *b, laser_map *m, double height) {
    // The height is computed through a chain of poses, whose rounding depends on where the robot
    // stands.
    if (m->field && !m->stale && fabs(m->height - height) < 1e-6)
        return;
    m->stale = false;
    m->height = height;
    gather_solids(b, m);
    lay_grid(m);
    fill_grid(m);
}

void laser_map_finish(laser_map *m) {
    array_finish(&m->solids);
    free(m->field);
}

// Interpolates the field bilinearly: *d is the distance in m, (*dx, *dy) its change over one cell.
// False: the point lies outside the grid.
static bool field_at(const laser_map *m, double x, double y, double *d, double *dx, double *dy) {
    double u = (x - m->x0) * m->per_metre, v = (y - m->y0) * m->per_metre;
    if (!(u >= 0 && v >= 0 && u < (double)(m->nx - 1) && v < (double)(m->ny - 1)))
        return false;
    int i = (int)u, j = (int)v;
    double fu = u - i, fv = v - j;
    const float *f = &m->field[(size_t)j * m->nx + (size_t)i];
    double f00 = (double)f[0], f10 = (double)f[1];
    double f01 = (double)f[m->nx], f11 = (double)f[m->nx + 1];
    double low = f00 + fu * (f10 - f00), high = f01 + fu * (f11 - f01);
    *d = low + fv * (high - low);
    *dx = (1 - fv) * (f10 - f00) + fv * (f11 - f01);
    *dy = high - low;
    return true;
}

double laser_map_off(const laser_map *m, double x, double y, double way_x, double way_y) {
    double d, dx, dy;
    if (!field_at(m, x, y, &d, &dx, &dy))
        return BAND;
    // The distance to the surface at which a beam ends falls along the beam. Where it grows by more
    // than 0.3 m for each metre, the beam would have come through the solid and ended at its back.
    bool behind = dx * way_x + dy * way_y > 0.3 * m->cell;
    return fabs(d) + (behind ? 0.05 : 0);
}

bool laser_map_is_free(const laser_map *m, double x, double y) {
    double d, dx, dy;
    return field_at(m, x, y, &d, &dx, &dy) && d > 0;
}

double laser_map_cast(const laser_map *m, vec3 from, vec3 direction, double range) {
    double nearest = range;
    for (size_t k = 0; k < m->solids.count; k++) {
        const solid *s = &m->solids.items[k];
        vec3 to = v3_sub(v3_scale(v3_add(s->low, s->high), 0.5), from);
        double radius = v3_distance(s->low, s->high) / 2, along = v3_dot(to, direction);
        if (v3_dot(to, to) - along * along > radius * radius || along < -radius ||
            along - radius > nearest)
            continue;
        nearest = fmin(nearest, shape_ray(s->s, s->at, from, direction));
    }
    return nearest;
}
