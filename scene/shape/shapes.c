// scene/shape/shapes.c - bounds, signed distance and rays of the primitive shapes.
//
// These are the inner loops of camera, laser and planning: everything is brought into the shape's
// own frame with two rotations and decided there.
#include "scene/shape/shape.h"

#define FEW 256 // vertices of a mesh up to which its bounds are exact when it is turned

static inline vec3 rotate_fast(quat q, vec3 v) {
    vec3 t = {2 * (q.y * v.z - q.z * v.y), 2 * (q.z * v.x - q.x * v.z),
              2 * (q.x * v.y - q.y * v.x)};
    return (vec3){v.x + q.w * t.x + q.y * t.z - q.z * t.y, v.y + q.w * t.y + q.z * t.x - q.x * t.z,
                  v.z + q.w * t.z + q.x * t.y - q.y * t.x};
}

static inline vec3 unrotate_fast(quat q, vec3 v) {
    return rotate_fast((quat){q.w, -q.x, -q.y, -q.z}, v);
}

const char *shape_kind_name(shape_kind k) {
    switch (k) {
    case SHAPE_BOX:
        return "box";
    case SHAPE_CYLINDER:
        return "cylinder";
    case SHAPE_SPHERE:
        return "sphere";
    case SHAPE_CAPSULE:
        return "capsule";
    case SHAPE_PLANE:
        return "plane";
    case SHAPE_MESH:
        return "mesh";
    }
    return "unknown";
}

// Half extents of a shape along the world's axes.
static vec3 half_extents(const shape *s, quat q) {
    if (s->kind == SHAPE_SPHERE)
        return v3(s->size.x, s->size.x, s->size.x);
    if (s->kind == SHAPE_BOX || s->kind == SHAPE_MESH) {
        mat3 m = quat_matrix(q);
        double h[3] = {s->size.x / 2, s->size.y / 2, s->size.z / 2}, e[3];
        for (int i = 0; i < 3; i++)
            e[i] = fabs(m.m[i][0]) * h[0] + fabs(m.m[i][1]) * h[1] + fabs(m.m[i][2]) * h[2];
        return v3(e[0], e[1], e[2]);
    }
    vec3 axis = rotate_fast(q, v3(0, 0, 1));
    double a[3] = {axis.x, axis.y, axis.z}, e[3], r = s->size.x, half = s->size.z / 2;
    for (int i = 0; i < 3; i++) {
        // A disc reaches r times the sine of the angle to its axis, a ball r in every direction.
        double round = s->kind == SHAPE_CAPSULE ? r : r * sqrt(fmax(0, 1 - a[i] * a[i]));
        e[i] = fabs(a[i]) * half + round;
    }
    return v3(e[0], e[1], e[2]);
}

// Grows the bounds by those of a mesh, of its vertices themselves.
static void mesh_bounds(const mesh *m, pose at, vec3 *lo, vec3 *hi) {
    mat3 r = quat_matrix(at.q);
    for (size_t i = 0; i < m->vertex_count; i++) {
        vec3 p = v3_add(at.p, mat3_apply(&r, m->vertices[i]));
        *lo = v3(fmin(lo->x, p.x), fmin(lo->y, p.y), fmin(lo->z, p.z));
        *hi = v3(fmax(hi->x, p.x), fmax(hi->y, p.y), fmax(hi->z, p.z));
    }
}

bool shapes_bounds(const shape *shapes, size_t count, pose at, vec3 *low, vec3 *high) {
    bool any = false;
    vec3 lo = v3(INFINITY, INFINITY, INFINITY), hi = v3(-INFINITY, -INFINITY, -INFINITY);
    for (size_t i = 0; i < count; i++) {
        if (shapes[i].kind == SHAPE_PLANE)
            continue;
        pose own = pose_mul(at, shapes[i].at);
        if (shapes[i].kind == SHAPE_MESH && shapes[i].mesh->vertex_count <= FEW) {
            mesh_bounds(shapes[i].mesh, own, &lo, &hi);
            any = true;
            continue;
        }
        vec3 e = half_extents(&shapes[i], own.q);
        lo = v3(fmin(lo.x, own.p.x - e.x), fmin(lo.y, own.p.y - e.y), fmin(lo.z, own.p.z - e.z));
        hi = v3(fmax(hi.x, own.p.x + e.x), fmax(hi.y, own.p.y + e.y), fmax(hi.z, own.p.z + e.z));
        any = true;
    }
    if (any) {
        *low = lo;
        *high = hi;
    }
    return any;
}

double shape_distance(const shape *s, pose at, vec3 point) {
    vec3 d = v3_sub(point, at.p);
    if (s->kind == SHAPE_SPHERE)
        return v3_length(d) - s->size.x;
    vec3 p = unrotate_fast(at.q, d);
    if (s->kind == SHAPE_BOX) {
        double x = fabs(p.x) - s->size.x / 2, y = fabs(p.y) - s->size.y / 2,
               z = fabs(p.z) - s->size.z / 2;
        double most = fmax(x, fmax(y, z));
        if (most <= 0)
            return most;
        x = x > 0 ? x : 0;
        y = y > 0 ? y : 0;
        z = z > 0 ? z : 0;
        return sqrt(x * x + y * y + z * z);
    }
    if (s->kind == SHAPE_PLANE)
        return p.z;
    if (s->kind == SHAPE_MESH)
        return mesh_distance(s->mesh, p);
    double z = fabs(p.z) - s->size.z / 2, across = p.x * p.x + p.y * p.y;
    if (s->kind == SHAPE_CAPSULE)
        return sqrt(across + (z > 0 ? z * z : 0)) - s->size.x;
    double r = sqrt(across) - s->size.x;
    if (r > 0 && z > 0)
        return sqrt(r * r + z * z);
    return r > z ? r : z;
}

// The first root >= 0 of |o + t d| = r for a ray whose origin is outside, or infinity.
static inline double sphere_hit(vec3 o, vec3 d, double r) {
    double b = v3_dot(o, d), c = v3_dot(o, o) - r * r;
    if (c < 0 || b > 0)
        return INFINITY;
    double det = b * b - c;
    return det < 0 ? INFINITY : -b - sqrt(det);
}

static double box_hit(vec3 o, vec3 d, vec3 size) {
    double near = 0, far = INFINITY;
    const double oo[3] = {o.x, o.y, o.z}, dd[3] = {d.x, d.y, d.z},
                 h[3] = {size.x / 2, size.y / 2, size.z / 2};
    bool outside = false;
    for (int i = 0; i < 3; i++) {
        outside |= fabs(oo[i]) > h[i];
        if (dd[i] == 0) {
            if (fabs(oo[i]) > h[i])
                return INFINITY;
            continue;
        }
        double inv = 1 / dd[i], a = (-h[i] - oo[i]) * inv, b = (h[i] - oo[i]) * inv;
        near = fmax(near, a < b ? a : b);
        far = fmin(far, a < b ? b : a);
        if (near > far)
            return INFINITY;
    }
    return outside ? near : INFINITY;
}

static double cylinder_hit(vec3 o, vec3 d, double r, double half) {
    double a = d.x * d.x + d.y * d.y, b = o.x * d.x + o.y * d.y, c = o.x * o.x + o.y * o.y - r * r;
    if (c < 0 && fabs(o.z) < half)
        return INFINITY; // from inside
    // The slab between the end faces, then the infinite cylinder.
    double near = 0, far = INFINITY;
    if (d.z != 0) {
        double inv = 1 / d.z, t1 = (-half - o.z) * inv, t2 = (half - o.z) * inv;
        near = fmax(0, t1 < t2 ? t1 : t2);
        far = t1 < t2 ? t2 : t1;
        if (near > far)
            return INFINITY;
    } else if (fabs(o.z) > half) {
        return INFINITY;
    }
    if (a > 0) {
        double det = b * b - a * c;
        if (det < 0)
            return INFINITY;
        double root = sqrt(det);
        near = fmax(near, (-b - root) / a);
        far = fmin(far, (-b + root) / a);
    } else if (c > 0) {
        return INFINITY;
    }
    return near <= far ? near : INFINITY;
}

static double capsule_hit(vec3 o, vec3 d, double r, double half) {
    double a = d.x * d.x + d.y * d.y, b = o.x * d.x + o.y * d.y, c = o.x * o.x + o.y * o.y - r * r;
    double over = fmax(0, fabs(o.z) - half);
    if (c + over * over < 0)
        return INFINITY; // from inside
    if (a > 0) {
        double det = b * b - a * c;
        if (det < 0)
            return INFINITY; // misses even the infinite cylinder
        double t = (-b - sqrt(det)) / a, z = o.z + t * d.z;
        if (t >= 0 && fabs(z) <= half)
            return t;
    }
    double low = sphere_hit(v3(o.x, o.y, o.z + half), d, r);
    double high = sphere_hit(v3(o.x, o.y, o.z - half), d, r);
    return fmin(low, high);
}

double shape_ray(const shape *s, pose at, vec3 origin, vec3 direction) {
    vec3 o = v3_sub(origin, at.p);
    if (s->kind == SHAPE_SPHERE)
        return sphere_hit(o, direction, s->size.x);
    o = unrotate_fast(at.q, o);
    vec3 d = unrotate_fast(at.q, direction);
    switch (s->kind) {
    case SHAPE_BOX:
        return box_hit(o, d, s->size);
    case SHAPE_CYLINDER:
        return cylinder_hit(o, d, s->size.x, s->size.z / 2);
    case SHAPE_CAPSULE:
        return capsule_hit(o, d, s->size.x, s->size.z / 2);
    case SHAPE_PLANE:
        return o.z >= 0 && d.z < 0 ? -o.z / d.z : INFINITY;
    case SHAPE_MESH:
        return mesh_ray(s->mesh, o, d);
    case SHAPE_SPHERE:
        break;
    }
    return INFINITY;
}
