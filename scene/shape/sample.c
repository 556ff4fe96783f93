// scene/shape/sample.c - points spread evenly in primitive shapes and over the surface of meshes.
#include "scene/shape/shape.h"

// Point i of a low-discrepancy sequence (additive recurrence, generalised golden ratio in 3-D).
static vec3 spread_point(int i) {
    const double g = 1.2207440846057596;
    double x = 0.5 + (i + 1) / g, y = 0.5 + (i + 1) / (g * g), z = 0.5 + (i + 1) / (g * g * g);
    return v3(x - floor(x), y - floor(y), z - floor(z));
}

vec3 shape_sample(const shape *s, int i) {
    vec3 u = spread_point(i);
    switch (s->kind) {
    case SHAPE_BOX:
        return v3((u.x - 0.5) * s->size.x, (u.y - 0.5) * s->size.y, (u.z - 0.5) * s->size.z);
    case SHAPE_CYLINDER:
    case SHAPE_CAPSULE: {
        double radius = s->size.x * sqrt(u.x), turn = 2 * PI * u.y;
        return v3(radius * cos(turn), radius * sin(turn), (u.z - 0.5) * s->size.z);
    }
    case SHAPE_SPHERE: {
        double radius = s->size.x * cbrt(u.x), turn = 2 * PI * u.y, up = 2 * u.z - 1;
        double flat = sqrt(fmax(0, 1 - up * up));
        return v3(radius * flat * cos(turn), radius * flat * sin(turn), radius * up);
    }
    case SHAPE_PLANE:
    case SHAPE_MESH:
        break;
    }
    return v3(0, 0, 0);
}

static double triangle_area(const mesh *m, size_t i) {
    const uint32_t *c = m->triangles[i];
    vec3 a = m->vertices[c[0]];
    return 0.5 * v3_length(v3_cross(v3_sub(m->vertices[c[1]], a), v3_sub(m->vertices[c[2]], a)));
}

// To each triangle go as many points as its area is due: one draw goes along the triangles, two
// more within the one that it ends in.
void mesh_sample(const mesh *m, vec3 *points, int count) {
    double total = 0, before = 0;
    for (size_t i = 0; i < m->triangle_count; i++)
        total += triangle_area(m, i);
    size_t k = 0;
    double area = triangle_area(m, 0);
    for (int i = 0; i < count; i++) {
        // The places along the triangles rise; a bit reversal mixes them, so that the first few
        // points cover the whole of it.
        while (k + 1 < m->triangle_count && before + area < total * (i + 0.5) / count) {
            before += area;
            area = triangle_area(m, ++k);
        }
        int mixed = 0;
        for (int bit = 1; bit < count; bit <<= 1)
            mixed = mixed << 1 | ((i & bit) != 0);
        vec3 u = spread_point(i);
        double root = sqrt(u.x);
        const uint32_t *c = m->triangles[k];
        points[mixed] = v3_add(v3_scale(m->vertices[c[0]], 1 - root),
                               v3_add(v3_scale(m->vertices[c[1]], root * (1 - u.y)),
                                      v3_scale(m->vertices[c[2]], root * u.y)));
    }
}
