// scene/mesh/query.c - rays, distances, boxes and mass of triangle meshes, over a tree of bounding
// boxes.
#include "scene/mesh/mesh_int.h"

#define LEAF 4   // triangles
#define STACK 64 // deeper than any tree over 2^32 triangles halved at their median

typedef struct growing {
    const vec3 *vertices;
    triangle *triangles;
    int axis;
    ARRAY(mesh_node) nodes;
} growing;

static double axis_of(vec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static double triangle_middle(const growing *g, const triangle *t) {
    return axis_of(g->vertices[t->v[0]], g->axis) + axis_of(g->vertices[t->v[1]], g->axis) +
           axis_of(g->vertices[t->v[2]], g->axis);
}

static int by_middle(const void *a, const void *b, void *context) {
    const triangle *s = a, *t = b;
    double p = triangle_middle(context, s), q = triangle_middle(context, t);
    if (p != q)
        return p < q ? -1 : 1;
    for (int i = 0; i < 3; i++)
        if (s->v[i] != t->v[i])
            return s->v[i] < t->v[i] ? -1 : 1;
    return 0;
}

static void grow_node(growing *g, size_t first, size_t count) {
    vec3 low = v3(INFINITY, INFINITY, INFINITY), high = v3(-INFINITY, -INFINITY, -INFINITY);
    for (size_t i = first; i < first + count; i++)
        for (int k = 0; k < 3; k++) {
            vec3 p = g->vertices[g->triangles[i].v[k]];
            low = v3_min(low, p);
            high = v3_max(high, p);
        }
    size_t own = g->nodes.count;
    array_push(&g->nodes, (mesh_node){low, high, (uint32_t)first, (uint32_t)count, 0});
    if (count <= LEAF)
        return;
    vec3 e = v3_sub(high, low);
    g->axis = e.x >= e.y && e.x >= e.z ? 0 : e.y >= e.z ? 1 : 2;
    qsort_r(g->triangles + first, count, sizeof *g->triangles, by_middle, g);
    grow_node(g, first, count / 2);
    g->nodes.items[own].count = 0;
    g->nodes.items[own].right = (uint32_t)g->nodes.count;
    grow_node(g, first + count / 2, count - count / 2);
}

const mesh_node *mesh_grow_tree(arena *a, const vec3 *vertices, triangle *triangles, size_t count,
                                size_t *node_count) {
    growing g = {.vertices = vertices, .triangles = triangles};
    grow_node(&g, 0, count);
    mesh_node *out = arena_alloc(a, g.nodes.count * sizeof *out);
    memcpy(out, g.nodes.items, g.nodes.count * sizeof *out);
    *node_count = g.nodes.count;
    array_finish(&g.nodes);
    return out;
}

// Where a ray enters a box, or infinity when it misses it before `limit`.
static double box_entry(const mesh_node *n, vec3 o, vec3 inverse, double limit) {
    double x1 = (n->low.x - o.x) * inverse.x, x2 = (n->high.x - o.x) * inverse.x;
    double y1 = (n->low.y - o.y) * inverse.y, y2 = (n->high.y - o.y) * inverse.y;
    double z1 = (n->low.z - o.z) * inverse.z, z2 = (n->high.z - o.z) * inverse.z;
    // fmin and fmax ignore the NaN of a ray that lies in a face's plane.
    double near = fmax(fmax(fmin(x1, x2), fmin(y1, y2)), fmax(fmin(z1, z2), 0));
    double far = fmin(fmin(fmax(x1, x2), fmax(y1, y2)), fmin(fmax(z1, z2), limit));
    return near <= far * (1 + 1e-12) ? near : INFINITY;
}

// Möller and Trumbore: the distance along the ray, or infinity; *side is positive where the ray
// leaves through the outside of the triangle.
static double triangle_hit(const mesh *m, uint32_t t, vec3 o, vec3 d, double *side) {
    const uint32_t *v = m->triangles[t];
    vec3 a = m->vertices[v[0]], ab = v3_sub(m->vertices[v[1]], a),
         ac = v3_sub(m->vertices[v[2]], a);
    vec3 p = v3_cross(d, ac);
    double det = v3_dot(ab, p);
    *side = -det; // det > 0: the ray comes from outside
    if (det == 0)
        return INFINITY;
    double inv = 1 / det;
    vec3 s = v3_sub(o, a);
    double u = v3_dot(s, p) * inv;
    if (!(u >= 0 && u <= 1))
        return INFINITY;
    vec3 q = v3_cross(s, ab);
    double w = v3_dot(d, q) * inv;
    if (!(w >= 0 && u + w <= 1))
        return INFINITY;
    double hit = v3_dot(ac, q) * inv;
    return hit >= 0 ? hit : INFINITY;
}

static vec3 v3_reciprocal(vec3 d) {
    return v3(1 / d.x, 1 / d.y, 1 / d.z);
}

double mesh_ray(const mesh *m, vec3 origin, vec3 direction) {
    vec3 inverse = v3_reciprocal(direction);
    uint32_t stack[STACK], depth = 0;
    double best = INFINITY, side;
    stack[depth++] = 0;
    while (depth > 0) {
        const mesh_node *n = &m->tree[stack[--depth]];
        if (!(box_entry(n, origin, inverse, best) < INFINITY))
            continue;
        for (uint32_t i = n->first; i < n->first + n->count; i++)
            best = fmin(best, triangle_hit(m, i, origin, direction, &side));
        if (n->count > 0)
            continue;
        uint32_t left = (uint32_t)(n - m->tree) + 1, right = n->right;
        bool right_first = box_entry(&m->tree[right], origin, inverse, best) <
                           box_entry(&m->tree[left], origin, inverse, best);
        stack[depth++] = right_first ? left : right;
        stack[depth++] = right_first ? right : left;
    }
    return best;
}

// How often a ray leaves the mesh more often than it enters.
static int ray_winding(const mesh *m, vec3 origin, vec3 direction) {
    vec3 inverse = v3_reciprocal(direction);
    uint32_t stack[STACK], depth = 0;
    int sum = 0;
    double side;
    stack[depth++] = 0;
    while (depth > 0) {
        const mesh_node *n = &m->tree[stack[--depth]];
        if (!(box_entry(n, origin, inverse, INFINITY) < INFINITY))
            continue;
        for (uint32_t i = n->first; i < n->first + n->count; i++)
            if (triangle_hit(m, i, origin, direction, &side) < INFINITY)
                sum += side > 0 ? 1 : -1;
        if (n->count > 0)
            continue;
        stack[depth++] = n->right;
        stack[depth++] = (uint32_t)(n - m->tree) + 1;
    }
    return sum;
}

// By the vote of three rays in odd directions: one may pass through an edge, and count it twice or
// not at all.
static bool mesh_holds(const mesh *m, vec3 p) {
    static const vec3 ways[3] = {
        {0.5357, 0.7423, 0.4021}, {-0.6131, 0.3719, 0.6970}, {0.1873, -0.5519, -0.8126}};
    int votes = 0;
    for (int i = 0; i < 3; i++)
        votes += ray_winding(m, p, ways[i]) > 0;
    return votes >= 2;
}

// The point of a triangle nearest to the origin (Ericson, "Real-Time Collision Detection", 5.1.5).
static vec3 nearest_in_triangle(vec3 a, vec3 b, vec3 c) {
    vec3 ab = v3_sub(b, a), ac = v3_sub(c, a);
    double d1 = -v3_dot(ab, a), d2 = -v3_dot(ac, a);
    if (d1 <= 0 && d2 <= 0)
        return a;
    double d3 = -v3_dot(ab, b), d4 = -v3_dot(ac, b);
    if (d3 >= 0 && d4 <= d3)
        return b;
    double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0)
        return v3_add(a, v3_scale(ab, d1 / (d1 - d3)));
    double d5 = -v3_dot(ab, c), d6 = -v3_dot(ac, c);
    if (d6 >= 0 && d5 <= d6)
        return c;
    double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0)
        return v3_add(a, v3_scale(ac, d2 / (d2 - d6)));
    double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
        return v3_add(b, v3_scale(v3_sub(c, b), (d4 - d3) / ((d4 - d3) + (d5 - d6))));
    double n = 1 / (va + vb + vc);
    return v3_add(a, v3_add(v3_scale(ab, vb * n), v3_scale(ac, vc * n)));
}

static double box_distance2(const mesh_node *n, vec3 p) {
    double x = fmax(fmax(n->low.x - p.x, p.x - n->high.x), 0);
    double y = fmax(fmax(n->low.y - p.y, p.y - n->high.y), 0);
    double z = fmax(fmax(n->low.z - p.z, p.z - n->high.z), 0);
    return x * x + y * y + z * z;
}

double mesh_distance(const mesh *m, vec3 point) {
    uint32_t stack[STACK], depth = 0;
    double best = INFINITY; // squared
    stack[depth++] = 0;
    while (depth > 0) {
        const mesh_node *n = &m->tree[stack[--depth]];
        if (!(box_distance2(n, point) < best))
            continue;
        for (uint32_t i = n->first; i < n->first + n->count; i++) {
            const uint32_t *v = m->triangles[i];
            vec3 q = nearest_in_triangle(v3_sub(m->vertices[v[0]], point),
                                         v3_sub(m->vertices[v[1]], point),
                                         v3_sub(m->vertices[v[2]], point));
            double d = v3_dot(q, q);
            best = d < best ? d : best;
        }
        if (n->count > 0)
            continue;
        uint32_t left = (uint32_t)(n - m->tree) + 1, right = n->right;
        bool right_first =
            box_distance2(&m->tree[right], point) < box_distance2(&m->tree[left], point);
        stack[depth++] = right_first ? left : right;
        stack[depth++] = right_first ? right : left;
    }
    bool within = m->closed && fabs(point.x) <= m->size.x / 2 && fabs(point.y) <= m->size.y / 2 &&
                  fabs(point.z) <= m->size.z / 2 && mesh_holds(m, point);
    return within ? -sqrt(best) : sqrt(best);
}

void mesh_triangles(const mesh *m, vec3 low, vec3 high,
                    bool (*visit)(void *context, const vec3 corners[3]), void *context) {
    uint32_t stack[STACK], depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const mesh_node *n = &m->tree[stack[--depth]];
        if (n->low.x > high.x || n->high.x < low.x || n->low.y > high.y || n->high.y < low.y ||
            n->low.z > high.z || n->high.z < low.z)
            continue;
        for (uint32_t i = n->first; i < n->first + n->count; i++) {
            const uint32_t *v = m->triangles[i];
            const vec3 c[3] = {m->vertices[v[0]], m->vertices[v[1]], m->vertices[v[2]]};
            bool meets = fmin(c[0].x, fmin(c[1].x, c[2].x)) <= high.x &&
                         fmax(c[0].x, fmax(c[1].x, c[2].x)) >= low.x &&
                         fmin(c[0].y, fmin(c[1].y, c[2].y)) <= high.y &&
                         fmax(c[0].y, fmax(c[1].y, c[2].y)) >= low.y &&
                         fmin(c[0].z, fmin(c[1].z, c[2].z)) <= high.z &&
                         fmax(c[0].z, fmax(c[1].z, c[2].z)) >= low.z;
            if (meets && !visit(context, c))
                return;
        }
        if (n->count > 0)
            continue;
        stack[depth++] = n->right;
        stack[depth++] = (uint32_t)(n - m->tree) + 1;
    }
}

// Tetrahedra from the origin to each triangle: the divergence theorem, summed (Tonon 2004).
void triangles_mass(const vec3 *vertices, const triangle *triangles, size_t count, double *volume,
                    vec3 *com, mat3 *inertia) {
    double v = 0, second[3][3] = {{0}};
    vec3 first = v3(0, 0, 0);
    for (size_t i = 0; i < count; i++) {
        const uint32_t *t = triangles[i].v;
        vec3 p[3] = {vertices[t[0]], vertices[t[1]], vertices[t[2]]};
        double det = v3_dot(p[0], v3_cross(p[1], p[2]));
        vec3 sum = v3_add(p[0], v3_add(p[1], p[2]));
        v += det / 6;
        first = v3_add(first, v3_scale(sum, det / 24));
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) {
                double s = axis_of(sum, a) * axis_of(sum, b);
                for (int k = 0; k < 3; k++)
                    s += axis_of(p[k], a) * axis_of(p[k], b);
                second[a][b] += s * det / 120;
            }
    }
    *volume = v;
    *com = v != 0 ? v3_scale(first, 1 / v) : v3(0, 0, 0);
    *inertia = (mat3){{{0}}};
    if (v == 0)
        return;
    double trace = 0;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            second[a][b] = second[a][b] / v - axis_of(*com, a) * axis_of(*com, b);
            trace += a == b ? second[a][b] : 0;
        }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            inertia->m[a][b] = (a == b ? trace : 0) - second[a][b];
}

void mesh_mass(const mesh *m, double *volume, vec3 *com, mat3 *inertia) {
    if (m->closed) {
        triangles_mass(m->vertices, (const triangle *)m->triangles, m->triangle_count, volume, com,
                       inertia);
        return;
    }
    triangle_list hull = {0};
    mesh_hull(m->vertices, m->vertex_count, &hull);
    triangles_mass(m->vertices, hull.items, hull.count, volume, com, inertia);
    array_finish(&hull);
}
