// Mass properties of compounds, and the test whether bodies overlap.
#include "scene/scene_int.h"

// Volume and principal moments (density 1) of a primitive about its centre.
static double primitive(const shape *s, vec3 *moments) {
    double r = s->size.x, h = s->size.z;
    switch (s->kind) {
    case SHAPE_BOX: {
        double v = s->size.x * s->size.y * s->size.z;
        double xx = s->size.x * s->size.x, yy = s->size.y * s->size.y, zz = s->size.z * s->size.z;
        *moments = v3(v * (yy + zz) / 12, v * (xx + zz) / 12, v * (xx + yy) / 12);
        return v;
    }
    case SHAPE_CYLINDER: {
        double v = PI * r * r * h, across = v * (3 * r * r + h * h) / 12;
        *moments = v3(across, across, v * r * r / 2);
        return v;
    }
    case SHAPE_SPHERE: {
        double v = 4.0 / 3 * PI * r * r * r, i = 0.4 * v * r * r;
        *moments = v3(i, i, i);
        return v;
    }
    case SHAPE_CAPSULE: {
        double c = PI * r * r * h, b = 4.0 / 3 * PI * r * r * r; // cylinder, and both half balls
        double across =
            c * (3 * r * r + h * h) / 12 + b * (0.4 * r * r + h * h / 4 + 0.375 * h * r);
        *moments = v3(across, across, c * r * r / 2 + 0.4 * b * r * r);
        return c + b;
    }
    case SHAPE_PLANE:
        break;
    }
    *moments = v3(0, 0, 0);
    return 0;
}

bool shapes_mass(const shape *shapes, size_t count, vec3 *com, mat3 *inertia) {
    double volume = 0;
    vec3 c = v3(0, 0, 0), moments;
    for (size_t i = 0; i < count; i++) {
        double v = primitive(&shapes[i], &moments);
        volume += v;
        c = v3_add(c, v3_scale(shapes[i].at.p, v));
    }
    if (!(volume > 0))
        return false;
    c = v3_scale(c, 1 / volume);
    mat3 sum = {{{0}}};
    for (size_t i = 0; i < count; i++) {
        double v = primitive(&shapes[i], &moments);
        mat3 r = quat_matrix(shapes[i].at.q);
        const double m[3] = {moments.x, moments.y, moments.z};
        vec3 d = v3_sub(shapes[i].at.p, c);
        const double o[3] = {d.x, d.y, d.z};
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) {
                for (int k = 0; k < 3; k++)
                    sum.m[a][b] += r.m[a][k] * m[k] * r.m[b][k];
                sum.m[a][b] += v * ((a == b ? v3_dot(d, d) : 0) - o[a] * o[b]);
            }
    }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            sum.m[a][b] /= volume;
    *com = c;
    *inertia = sum;
    return true;
}

// The shape made smaller by `d` on every side, as far as it has room.
static shape shrunk(const shape *s, double d) {
    shape t = *s;
    if (s->kind == SHAPE_BOX) {
        t.size =
            v3(fmax(0, s->size.x - 2 * d), fmax(0, s->size.y - 2 * d), fmax(0, s->size.z - 2 * d));
    } else {
        t.size.x = fmax(0, s->size.x - d);
        if (s->kind == SHAPE_CYLINDER)
            t.size.z = fmax(0, s->size.z - 2 * d);
    }
    return t;
}

bool shapes_overlap(const shape *a, size_t a_count, pose a_at, const shape *b, size_t b_count,
                    pose b_at, double depth) {
    vec3 al, ah, bl, bh;
    bool bounded = shapes_bounds(a, a_count, a_at, &al, &ah);
    bounded = shapes_bounds(b, b_count, b_at, &bl, &bh) && bounded;
    bool plane = false;
    for (size_t i = 0; i < a_count; i++)
        plane |= a[i].kind == SHAPE_PLANE;
    for (size_t i = 0; i < b_count; i++)
        plane |= b[i].kind == SHAPE_PLANE;
    if (!plane && (!bounded || al.x > bh.x || bl.x > ah.x || al.y > bh.y || bl.y > ah.y ||
                   al.z > bh.z || bl.z > ah.z))
        return false;
    for (size_t i = 0; i < a_count; i++)
        for (size_t j = 0; j < b_count; j++) {
            if (a[i].kind == SHAPE_PLANE && b[j].kind == SHAPE_PLANE)
                continue;
            shape s = a[i].kind == SHAPE_PLANE ? a[i] : shrunk(&a[i], depth / 2);
            shape t = b[j].kind == SHAPE_PLANE ? b[j] : shrunk(&b[j], depth / 2);
            pose sp = pose_mul(a_at, a[i].at), tp = pose_mul(b_at, b[j].at);
            // A plane is pushed down instead.
            if (s.kind == SHAPE_PLANE)
                sp.p = v3_sub(sp.p, v3_scale(quat_rotate(sp.q, v3(0, 0, 1)), depth / 2));
            if (t.kind == SHAPE_PLANE)
                tp.p = v3_sub(tp.p, v3_scale(quat_rotate(tp.q, v3(0, 0, 1)), depth / 2));
            if (shape_gap(&s, sp, &t, tp) <= 0)
                return true;
        }
    return false;
}
