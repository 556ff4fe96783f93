// Mass properties of compounds, and the test whether bodies overlap.
#include "scene/scene_int.h"

#define GRID 16 // cells of the grid over what two shapes have in common, along each axis

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
    case SHAPE_MESH:
        break;
    }
    *moments = v3(0, 0, 0);
    return 0;
}

// Volume, centre and inertia about it (density 1) of one shape, in the body's frame.
static double one_mass(const shape *s, vec3 *com, mat3 *inertia) {
    mat3 own = {{{0}}}, r = quat_matrix(s->at.q), t = mat3_transpose(&r);
    double v;
    *com = s->at.p;
    if (s->kind == SHAPE_MESH) {
        vec3 c;
        mesh_mass(s->mesh, &v, &c, &own);
        *com = pose_apply(s->at, c);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                own.m[a][b] *= v;
    } else {
        vec3 moments;
        v = primitive(s, &moments);
        own.m[0][0] = moments.x;
        own.m[1][1] = moments.y;
        own.m[2][2] = moments.z;
    }
    mat3 half = mat3_mul(&r, &own);
    *inertia = mat3_mul(&half, &t);
    return v;
}

// Sums of density 1 about the body's origin.
typedef struct moments {
    double volume;
    vec3 first;
    double second[3][3]; // of x x, x y, ...
} moments;

static void add_point(moments *m, vec3 p, double weight) {
    const double o[3] = {p.x, p.y, p.z};
    m->volume += weight;
    m->first = v3_add(m->first, v3_scale(p, weight));
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            m->second[a][b] += weight * o[a] * o[b];
}

static void add_shape(moments *m, const shape *s) {
    vec3 c;
    mat3 inertia;
    double v = one_mass(s, &c, &inertia);
    double trace = (inertia.m[0][0] + inertia.m[1][1] + inertia.m[2][2]) / 2;
    add_point(m, c, v);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            m->second[a][b] += (a == b ? trace : 0) - inertia.m[a][b];
}

static bool has_volume(const shape *s) {
    return s->kind != SHAPE_PLANE && (s->kind != SHAPE_MESH || s->mesh->closed);
}

// What shapes i and j have in common, sampled on a grid over the box in which it lies. A point
// inside k shapes counts k times and is met by k (k - 1) / 2 pairs: each takes 2 / k off.
static void take_common(moments *m, const shape *shapes, size_t count, size_t i, size_t j,
                        double least) {
    vec3 al, ah, bl, bh;
    shapes_bounds(&shapes[i], 1, POSE_IDENTITY, &al, &ah);
    shapes_bounds(&shapes[j], 1, POSE_IDENTITY, &bl, &bh);
    vec3 low = v3(fmax(al.x, bl.x), fmax(al.y, bl.y), fmax(al.z, bl.z));
    vec3 high = v3(fmin(ah.x, bh.x), fmin(ah.y, bh.y), fmin(ah.z, bh.z));
    vec3 step = v3_scale(v3_sub(high, low), 1.0 / GRID);
    double cell = step.x * step.y * step.z;
    if (!(step.x > 0 && step.y > 0 && step.z > 0 && cell * GRID * GRID * GRID > least) ||
        shape_gap(&shapes[i], shapes[i].at, &shapes[j], shapes[j].at) > 0)
        return;
    for (int x = 0; x < GRID; x++)
        for (int y = 0; y < GRID; y++)
            for (int z = 0; z < GRID; z++) {
                vec3 p = v3(low.x + (x + 0.5) * step.x, low.y + (y + 0.5) * step.y,
                            low.z + (z + 0.5) * step.z);
                if (shape_distance(&shapes[i], shapes[i].at, p) > 0 ||
                    shape_distance(&shapes[j], shapes[j].at, p) > 0)
                    continue;
                int k = 2;
                for (size_t o = 0; o < count; o++)
                    k += o != i && o != j && has_volume(&shapes[o]) &&
                         shape_distance(&shapes[o], shapes[o].at, p) <= 0;
                add_point(m, p, -2 * cell / k);
            }
}

bool shapes_mass(const shape *shapes, size_t count, vec3 *com, mat3 *inertia) {
    moments m = {0};
    for (size_t i = 0; i < count; i++)
        if (shapes[i].kind != SHAPE_PLANE)
            add_shape(&m, &shapes[i]);
    if (!(m.volume > 0))
        return false;
    double least = 1e-6 * m.volume;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count && has_volume(&shapes[i]); j++)
            if (has_volume(&shapes[j]))
                take_common(&m, shapes, count, i, j, least);
    double volume = m.volume;
    *com = v3_scale(m.first, 1 / volume);
    add_point(&m, *com, -volume); // what is left is about the centre of mass
    double trace = m.second[0][0] + m.second[1][1] + m.second[2][2];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            inertia->m[a][b] = ((a == b ? trace : 0) - m.second[a][b]) / volume;
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

// One of them is a mesh, which cannot be made smaller: they overlap by no more than `depth` when
// some way of that length parts them.
static bool mesh_overlap(const shape *a, pose a_at, const shape *b, pose b_at, double depth) {
    vec3 apart = v3_unit(v3_sub(a_at.p, b_at.p));
    if (a->kind == SHAPE_PLANE || b->kind == SHAPE_PLANE)
        apart = a->kind == SHAPE_PLANE ? quat_rotate(a_at.q, v3(0, 0, -1))
                                       : quat_rotate(b_at.q, v3(0, 0, 1));
    const vec3 ways[] = {{0, 0, 0}, apart,      {0, 0, 1}, {0, 0, -1},
                         {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        pose moved = {v3_add(a_at.p, v3_scale(ways[i], depth)), a_at.q};
        if (shape_gap(a, moved, b, b_at) > 0)
            return false;
    }
    return true;
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
            if (a[i].kind == SHAPE_MESH || b[j].kind == SHAPE_MESH) {
                if (mesh_overlap(&a[i], pose_mul(a_at, a[i].at), &b[j], pose_mul(b_at, b[j].at),
                                 depth))
                    return true;
                continue;
            }
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
