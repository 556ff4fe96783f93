// scene/shape/nearest.c - the distance of a point from a shape, with the normal of the surface.
#include "scene/shape/shape.h"

static double sign_of(double x) {
    return x < 0 ? -1 : 1;
}

double shape_nearest(const shape *g, vec3 p, vec3 *n) {
    switch (g->kind) {
    case SHAPE_PLANE:
        *n = v3(0, 0, 1);
        return p.z;
    case SHAPE_SPHERE: {
        double d = v3_length(p);
        *n = v3_unit(p);
        return d - g->size.x;
    }
    case SHAPE_CAPSULE: {
        double z = p.z, half = g->size.z / 2;
        p.z -= z > half ? half : z < -half ? -half : z;
        double d = v3_length(p);
        *n = v3_unit(p);
        return d - g->size.x;
    }
    case SHAPE_BOX: {
        vec3 q =
            v3(fabs(p.x) - g->size.x / 2, fabs(p.y) - g->size.y / 2, fabs(p.z) - g->size.z / 2);
        if (q.x <= 0 && q.y <= 0 && q.z <= 0) {
            bool x = q.x >= q.y && q.x >= q.z, y = !x && q.y >= q.z;
            *n = x ? v3(sign_of(p.x), 0, 0) : y ? v3(0, sign_of(p.y), 0) : v3(0, 0, sign_of(p.z));
            return x ? q.x : y ? q.y : q.z;
        }
        vec3 out = v3(fmax(q.x, 0) * sign_of(p.x), fmax(q.y, 0) * sign_of(p.y),
                      fmax(q.z, 0) * sign_of(p.z));
        double d = v3_length(out);
        *n = v3_scale(out, 1 / d);
        return d;
    }
    case SHAPE_CYLINDER: {
        double r = sqrt(p.x * p.x + p.y * p.y);
        double across = r - g->size.x, along = fabs(p.z) - g->size.z / 2;
        vec3 side = r > 0 ? v3(p.x / r, p.y / r, 0) : v3(1, 0, 0), end = v3(0, 0, sign_of(p.z));
        if (across <= 0 && along <= 0) {
            *n = across >= along ? side : end;
            return fmax(across, along);
        }
        double a = fmax(across, 0), b = fmax(along, 0), d = sqrt(a * a + b * b);
        *n = v3_add(v3_scale(side, a / d), v3_scale(end, b / d));
        return d;
    }
    case SHAPE_MESH: {
        double d = mesh_distance(g->mesh, p), e = 1e-5;
        vec3 grad = v3(mesh_distance(g->mesh, v3(p.x + e, p.y, p.z)) -
                           mesh_distance(g->mesh, v3(p.x - e, p.y, p.z)),
                       mesh_distance(g->mesh, v3(p.x, p.y + e, p.z)) -
                           mesh_distance(g->mesh, v3(p.x, p.y - e, p.z)),
                       mesh_distance(g->mesh, v3(p.x, p.y, p.z + e)) -
                           mesh_distance(g->mesh, v3(p.x, p.y, p.z - e)));
        *n = v3_unit(grad);
        return d;
    }
    }
    *n = v3(0, 0, 1);
    return INFINITY;
}
