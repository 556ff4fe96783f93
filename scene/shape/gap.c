// scene/shape/gap.c - the distance between two shapes, by the algorithm of Gilbert, Johnson and
// Keerthi; a mesh that is not convex is taken apart into its triangles.
//
// Spheres and capsules are a point and a segment with a radius, which is taken off at the end. The
// closest point of a simplex follows Ericson, "Real-Time Collision Detection", 5.1.5 and 5.1.6.
#include "scene/mesh/mesh_int.h"
#include "scene/shape/shape.h"

typedef struct simplex {
    vec3 p[4];
    int count;
} simplex;

// A convex core with a radius around it: of a primitive, or the hull of corners.
typedef struct core {
    const shape *shape; // NULL: of corners
    const vec3 *corners;
    size_t count;
    pose at;
    mat3 m; // of at.q
    double radius;
} core;

static core shape_core(const shape *s, pose at) {
    core c = {.shape = s, .at = at, .m = quat_matrix(at.q)};
    if (s->kind == SHAPE_SPHERE || s->kind == SHAPE_CAPSULE)
        c.radius = s->size.x;
    if (s->kind == SHAPE_MESH) {
        c.shape = NULL;
        c.corners = s->mesh->vertices;
        c.count = s->mesh->vertex_count;
    }
    return c;
}

static vec3 farthest_corner(const core *c, vec3 l) {
    size_t best = 0;
    double most = -INFINITY;
    for (size_t i = 0; i < c->count; i++) {
        double d = v3_dot(c->corners[i], l);
        if (d > most) {
            most = d;
            best = i;
        }
    }
    return c->corners[best];
}

// The farthest point of a core in a direction, in the frame that `at` is given in.
static vec3 core_support(const core *c, vec3 d) {
    const mat3 *m = &c->m;
    vec3 l = mat3_apply_transposed(m, d);
    vec3 q = v3(0, 0, 0);
    const shape *s = c->shape;
    if (!s) {
        q = farthest_corner(c, l);
    } else if (s->kind == SHAPE_BOX) {
        q = v3(copysign(s->size.x / 2, l.x), copysign(s->size.y / 2, l.y),
               copysign(s->size.z / 2, l.z));
    } else if (s->kind == SHAPE_CYLINDER || s->kind == SHAPE_CAPSULE) {
        q.z = copysign(s->size.z / 2, l.z);
        double across = sqrt(l.x * l.x + l.y * l.y);
        if (s->kind == SHAPE_CYLINDER && across > 0) {
            q.x = s->size.x * l.x / across;
            q.y = s->size.x * l.y / across;
        }
    }
    return v3_add(c->at.p, mat3_apply(m, q));
}

static vec3 closest_segment(simplex *s) {
    vec3 a = s->p[0], ab = v3_sub(s->p[1], a);
    double t = -v3_dot(a, ab), n = v3_dot(ab, ab);
    if (t <= 0 || n <= 0) {
        s->count = 1;
        return a;
    }
    if (t >= n) {
        s->p[0] = s->p[1];
        s->count = 1;
        return s->p[0];
    }
    return v3_add(a, v3_scale(ab, t / n));
}

static vec3 keep_edge(simplex *s, vec3 a, vec3 b, double t) {
    s->p[0] = a;
    s->p[1] = b;
    s->count = 2;
    return v3_add(a, v3_scale(v3_sub(b, a), t));
}

static vec3 keep_point(simplex *s, vec3 a) {
    s->p[0] = a;
    s->count = 1;
    return a;
}

static vec3 closest_triangle(simplex *s) {
    vec3 a = s->p[0], b = s->p[1], c = s->p[2], ab = v3_sub(b, a), ac = v3_sub(c, a);
    double d1 = -v3_dot(ab, a), d2 = -v3_dot(ac, a);
    if (d1 <= 0 && d2 <= 0)
        return keep_point(s, a);
    double d3 = -v3_dot(ab, b), d4 = -v3_dot(ac, b);
    if (d3 >= 0 && d4 <= d3)
        return keep_point(s, b);
    double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0)
        return keep_edge(s, a, b, d1 - d3 > 0 ? d1 / (d1 - d3) : 0);
    double d5 = -v3_dot(ab, c), d6 = -v3_dot(ac, c);
    if (d6 >= 0 && d5 <= d6)
        return keep_point(s, c);
    double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0)
        return keep_edge(s, a, c, d2 - d6 > 0 ? d2 / (d2 - d6) : 0);
    double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        double n = (d4 - d3) + (d5 - d6);
        return keep_edge(s, b, c, n > 0 ? (d4 - d3) / n : 0);
    }
    double n = 1 / (va + vb + vc);
    return v3_add(a, v3_add(v3_scale(ab, vb * n), v3_scale(ac, vc * n)));
}

// Returns whether the origin lies on the other side of the plane through a, b, c than d does.
static bool origin_beyond(vec3 a, vec3 b, vec3 c, vec3 d) {
    vec3 n = v3_cross(v3_sub(b, a), v3_sub(c, a));
    double origin = -v3_dot(a, n), inner = v3_dot(v3_sub(d, a), n);
    return origin * inner <= 0;
}

static vec3 closest_tetrahedron(simplex *s) {
    static const int faces[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
    double best = INFINITY;
    vec3 point = v3(0, 0, 0);
    simplex kept = *s;
    bool outside = false;
    for (int i = 0; i < 4; i++) {
        const int *f = faces[i];
        if (!origin_beyond(s->p[f[0]], s->p[f[1]], s->p[f[2]], s->p[f[3]]))
            continue;
        outside = true;
        simplex t = {{s->p[f[0]], s->p[f[1]], s->p[f[2]], v3(0, 0, 0)}, 3};
        vec3 q = closest_triangle(&t);
        double d = v3_dot(q, q);
        if (d < best) {
            best = d;
            point = q;
            kept = t;
        }
    }
    if (outside)
        *s = kept;
    return point;
}

static vec3 simplex_closest(simplex *s) {
    switch (s->count) {
    case 1:
        return s->p[0];
    case 2:
        return closest_segment(s);
    case 3:
        return closest_triangle(s);
    default:
        return closest_tetrahedron(s);
    }
}

static double plane_gap(pose plane, const shape *s, pose at) {
    vec3 normal = quat_rotate(plane.q, v3(0, 0, 1));
    core c = shape_core(s, at);
    vec3 lowest = core_support(&c, v3_scale(normal, -1));
    return fmax(0, v3_dot(v3_sub(lowest, plane.p), normal) - c.radius);
}

static double core_gap(core a, core b) {
    // Work about a's centre: differences keep their digits far from the origin.
    b.at.p = v3_sub(b.at.p, a.at.p);
    a.at.p = v3(0, 0, 0);
    vec3 v = v3_scale(b.at.p, -1);
    if (v3_dot(v, v) == 0)
        v = v3(1, 0, 0);
    simplex s = {.count = 0};
    double length = INFINITY;
    for (int i = 0; i < 60; i++) {
        vec3 w = v3_sub(core_support(&a, v3_scale(v, -1)), core_support(&b, v));
        double n = v3_dot(v, v);
        if (s.count > 0 && n - v3_dot(v, w) <= 1e-6 * sqrt(n))
            break; // no point is nearer by more than a micrometre
        s.p[s.count++] = w;
        v = simplex_closest(&s);
        double now = v3_length(v);
        if (s.count == 4 || now < 1e-9)
            return 0;
        if (now >= length)
            break; // rounding stops the descent
        length = now;
    }
    return fmax(0, v3_length(v) - (a.radius + b.radius));
}

// The squared distance of two boxes.
static double boxes_apart(const mesh_node *n, vec3 low, vec3 high) {
    double x = fmax(fmax(n->low.x - high.x, low.x - n->high.x), 0);
    double y = fmax(fmax(n->low.y - high.y, low.y - n->high.y), 0);
    double z = fmax(fmax(n->low.z - high.z, low.z - n->high.z), 0);
    return x * x + y * y + z * z;
}

static void core_bounds(const core *c, vec3 *low, vec3 *high) {
    const vec3 x = v3(1, 0, 0), y = v3(0, 1, 0), z = v3(0, 0, 1),
               r = v3(c->radius, c->radius, c->radius);
    *high = v3_add(v3(core_support(c, x).x, core_support(c, y).y, core_support(c, z).z), r);
    *low = v3_sub(v3(core_support(c, v3_scale(x, -1)).x, core_support(c, v3_scale(y, -1)).y,
                     core_support(c, v3_scale(z, -1)).z),
                  r);
}

// The distance from a core, given in the mesh's frame, to the triangles of a mesh, if it is less
// than `best`.
static double triangles_gap(const mesh *m, const core *c, double best) {
    uint32_t stack[64], depth = 0;
    vec3 low, high;
    core_bounds(c, &low, &high);
    stack[depth++] = 0;
    while (depth > 0 && best > 0) {
        const mesh_node *n = &m->tree[stack[--depth]];
        if (boxes_apart(n, low, high) >= best * best)
            continue;
        for (uint32_t i = n->first; i < n->first + n->count; i++) {
            const uint32_t *v = m->triangles[i];
            vec3 corners[3] = {m->vertices[v[0]], m->vertices[v[1]], m->vertices[v[2]]};
            vec3 middle = v3_scale(v3_add(corners[0], v3_add(corners[1], corners[2])), 1.0 / 3);
            for (int k = 0; k < 3; k++)
                corners[k] = v3_sub(corners[k], middle);
            core t = {.corners = corners, .count = 3, .at = {middle, {1, 0, 0, 0}}};
            t.m = quat_matrix(t.at.q);
            best = fmin(best, core_gap(t, *c));
        }
        if (n->count > 0)
            continue;
        uint32_t left = (uint32_t)(n - m->tree) + 1, right = n->right;
        bool right_first =
            boxes_apart(&m->tree[right], low, high) < boxes_apart(&m->tree[left], low, high);
        stack[depth++] = right_first ? left : right;
        stack[depth++] = right_first ? right : left;
    }
    return best;
}

static bool shape_is_hollow(const shape *s) {
    return s->kind == SHAPE_MESH && !s->mesh->convex;
}

// `a` is a mesh that is not convex.
static double mesh_gap(const shape *a, pose at_a, const shape *b, pose at_b) {
    pose to = pose_mul(pose_inverse(at_a), at_b);
    bool triangles = shape_is_hollow(b);
    // One wholly inside the other touches none of its triangles.
    vec3 some = triangles ? pose_apply(to, b->mesh->vertices[0]) : to.p;
    if (a->mesh->closed && mesh_distance(a->mesh, some) < 0)
        return 0;
    if (!triangles) {
        core c = shape_core(b, to);
        return triangles_gap(a->mesh, &c, INFINITY);
    }
    if (b->mesh->closed &&
        mesh_distance(b->mesh, pose_apply(pose_inverse(to), a->mesh->vertices[0])) < 0)
        return 0;
    double best = INFINITY;
    for (size_t i = 0; i < b->mesh->triangle_count && best > 0; i++) {
        const uint32_t *v = b->mesh->triangles[i];
        vec3 corners[3];
        for (int k = 0; k < 3; k++)
            corners[k] = b->mesh->vertices[v[k]];
        vec3 middle = v3_scale(v3_add(corners[0], v3_add(corners[1], corners[2])), 1.0 / 3);
        for (int k = 0; k < 3; k++)
            corners[k] = v3_sub(corners[k], middle);
        core t = {.corners = corners, .count = 3, .at = {pose_apply(to, middle), to.q}};
        t.m = quat_matrix(to.q);
        best = triangles_gap(a->mesh, &t, best);
    }
    return best;
}

double shape_gap(const shape *a, pose at_a, const shape *b, pose at_b) {
    if (a->kind == SHAPE_PLANE)
        return b->kind == SHAPE_PLANE ? 0 : plane_gap(at_a, b, at_b);
    if (b->kind == SHAPE_PLANE)
        return plane_gap(at_b, a, at_a);
    if (shape_is_hollow(a))
        return mesh_gap(a, at_a, b, at_b);
    if (shape_is_hollow(b))
        return mesh_gap(b, at_b, a, at_a);
    return core_gap(shape_core(a, at_a), shape_core(b, at_b));
}

// How far a core reaches along a unit direction.
static double core_extent(const core *c, vec3 d) {
    return v3_dot(core_support(c, d), d) + c->radius;
}

double shape_overlap(const shape *a, pose at_a, const shape *b, pose at_b) {
    if (shape_gap(a, at_a, b, at_b) > 0)
        return 0;
    if (a->kind == SHAPE_PLANE && b->kind == SHAPE_PLANE)
        return 0;
    if (a->kind == SHAPE_PLANE)
        return shape_overlap(b, at_b, a, at_a);
    core p = shape_core(a, at_a), q = shape_core(b, at_b);
    if (b->kind == SHAPE_PLANE) {
        vec3 normal = quat_rotate(at_b.q, v3(0, 0, 1));
        return fmax(0, core_extent(&p, v3_scale(normal, -1)) + v3_dot(at_b.p, normal));
    }
    vec3 ways[16];
    size_t count = 0;
    for (int i = 0; i < 3; i++) {
        ways[count++] = v3(p.m.m[0][i], p.m.m[1][i], p.m.m[2][i]);
        ways[count++] = v3(q.m.m[0][i], q.m.m[1][i], q.m.m[2][i]);
    }
    for (size_t i = 0; i < 6; i += 2)
        for (size_t k = 1; k < 6; k += 2)
            ways[count++] = v3_cross(ways[i], ways[k]);
    ways[count++] = v3_sub(at_a.p, at_b.p);
    double least = INFINITY;
    for (size_t k = 0; k < count; k++) {
        double length = v3_length(ways[k]);
        if (length < 1e-6)
            continue;
        vec3 d = v3_scale(ways[k], 1 / length), back = v3_scale(d, -1);
        least = fmin(least, core_extent(&p, d) + core_extent(&q, back));
        least = fmin(least, core_extent(&p, back) + core_extent(&q, d));
    }
    return isfinite(least) ? fmax(0, least) : 0;
}
