// scene/shape/mass.c - mass properties of compounds, and the test whether bodies overlap.
#include "scene/shape/shape.h"

#define GRID 16      // cells of the grid over what two shapes have in common, along each axis
#define WORK_MAX 2e7 // points looked up in shapes, for one body: well under a second
#define MESH_COST 30 // of looking one up in a mesh, beside that of a primitive

// Volume and principal moments (density 1) of a primitive about its centre.
static double primitive_mass(const shape *s, vec3 *moments) {
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
        v = primitive_mass(s, &moments);
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

// ---- What shapes have in common, which counts once

typedef struct box {
    vec3 low, high;
} box;

// The shapes of a compound that have a volume, and how much looking at them may cost.
typedef struct compound {
    moments *m;
    const shape **shapes;
    box *boxes;   // of the shapes
    size_t *near; // of the shape or pair that is sampled: others that may share a part of it
    size_t count, near_count;
    double least;  // m^3: boxes smaller than this are left alone
    size_t looked; // how often a point was looked up in a shape
} compound;

static bool boxes_meet(box a, box b, box *out) {
    out->low = v3_max(a.low, b.low);
    out->high = v3_min(a.high, b.high);
    return out->low.x < out->high.x && out->low.y < out->high.y && out->low.z < out->high.z;
}

static bool compound_holds(compound *c, size_t i, vec3 p) {
    const box *b = &c->boxes[i];
    if (p.x < b->low.x || p.y < b->low.y || p.z < b->low.z || p.x > b->high.x || p.y > b->high.y ||
        p.z > b->high.z)
        return false;
    c->looked++;
    return shape_distance(c->shapes[i], c->shapes[i]->at, p) <= 0;
}

// Finds the shapes other than i and j whose boxes meet a box.
static void find_near(compound *c, box where, size_t i, size_t j) {
    box ignored;
    c->near_count = 0;
    for (size_t o = 0; o < c->count; o++)
        if (o != i && o != j && boxes_meet(c->boxes[o], where, &ignored))
            c->near[c->near_count++] = o;
}

// Samples what shapes i and j have in common on a grid over the box in which it lies. A point
// inside k shapes counts k times and is met by k (k - 1) / 2 pairs: each takes 2 / k off.
static void sample_pair(compound *c, box common, size_t i, size_t j) {
    vec3 low = common.low, step = v3_scale(v3_sub(common.high, low), 1.0 / GRID);
    double cell = step.x * step.y * step.z;
    if (!(cell * GRID * GRID * GRID > c->least))
        return;
    find_near(c, common, i, j);
    for (int x = 0; x < GRID; x++)
        for (int y = 0; y < GRID; y++)
            for (int z = 0; z < GRID; z++) {
                vec3 p = v3(low.x + (x + 0.5) * step.x, low.y + (y + 0.5) * step.y,
                            low.z + (z + 0.5) * step.z);
                if (!compound_holds(c, i, p) || !compound_holds(c, j, p))
                    continue;
                int k = 2;
                for (size_t o = 0; o < c->near_count; o++)
                    k += compound_holds(c, c->near[o], p);
                add_point(c->m, p, -2 * cell / k);
            }
}

static void sample_pairs(compound *c) {
    for (size_t i = 0; i < c->count; i++)
        for (size_t j = i + 1; j < c->count; j++) {
            box common;
            if (boxes_meet(c->boxes[i], c->boxes[j], &common) &&
                shape_gap(c->shapes[i], c->shapes[i]->at, c->shapes[j], c->shapes[j]->at) <= 0)
                sample_pair(c, common, i, j);
        }
}

// Samples one shape on a grid in its own frame: of a point inside k shapes it has 1 / k.
static void sample_shape(compound *c, size_t i, int grid) {
    const shape *s = c->shapes[i];
    shape own = *s;
    own.at = POSE_IDENTITY;
    moments part = {0};
    vec3 low, high;
    double inside = 0, share[3][3] = {{0}};
    if (!shapes_bounds(&own, 1, POSE_IDENTITY, &low, &high))
        return;
    vec3 step = v3_scale(v3_sub(high, low), 1.0 / grid);
    find_near(c, c->boxes[i], i, i);
    for (int n = 0; n < grid * grid * grid; n++) {
        vec3 p = v3(low.x + (n % grid + 0.5) * step.x, low.y + (n / grid % grid + 0.5) * step.y,
                    low.z + (n / grid / grid + 0.5) * step.z);
        if (shape_distance(&own, own.at, p) > 0)
            continue;
        int k = 1;
        p = pose_apply(s->at, p);
        for (size_t o = 0; o < c->near_count; o++)
            k += compound_holds(c, c->near[o], p);
        add_point(&part, p, 1.0 / k);
        inside++;
    }
    c->looked += (size_t)grid * (size_t)grid * (size_t)grid;
    if (inside == 0) { // thin and hollow: as if no other shared it
        add_shape(c->m, s);
        return;
    }
    // Each cell is a small box, not a point.
    mat3 r = quat_matrix(s->at.q);
    const double cell[3] = {step.x * step.x / 12, step.y * step.y / 12, step.z * step.z / 12};
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            for (int axis = 0; axis < 3; axis++)
                share[a][b] += cell[axis] * r.m[a][axis] * r.m[b][axis];
    vec3 center;
    mat3 inertia;
    double weight = one_mass(s, &center, &inertia) / inside;
    c->m->first = v3_add(c->m->first, v3_scale(part.first, weight));
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            c->m->second[a][b] += weight * (part.second[a][b] + part.volume * share[a][b]);
    c->m->volume += weight * part.volume;
}

// How many shapes have to be asked about a point of shape i. A mesh takes longer.
static double neighbour_cost(const compound *c, size_t i) {
    double cost = 0;
    box ignored;
    for (size_t o = 0; o < c->count; o++)
        if (o != i && boxes_meet(c->boxes[i], c->boxes[o], &ignored))
            cost += c->shapes[o]->kind == SHAPE_MESH ? MESH_COST : 1;
    return cost;
}

// Where very many shapes meet, pairs cost too much: then each shape is sampled by itself, the more
// coarsely the more meet it.
static void take_common(compound *c) {
    double pairs = 0;
    for (size_t i = 0; i < c->count; i++) {
        double near = neighbour_cost(c, i);
        pairs += near * near / 2 * GRID * GRID * GRID;
    }
    if (pairs <= WORK_MAX) {
        sample_pairs(c);
        return;
    }
    moments exact = *c->m;
    *c->m = (moments){0};
    for (size_t i = 0; i < c->count; i++) {
        double near = neighbour_cost(c, i), share = WORK_MAX / (double)c->count;
        if (near > 0)
            sample_shape(c, i, (int)fmin(fmax(cbrt(share / near), 3), GRID));
        else
            add_shape(c->m, c->shapes[i]);
    }
    if (!(c->m->volume > 0))
        *c->m = exact;
}

bool shapes_mass(const shape *shapes, size_t count, vec3 *com, mat3 *inertia, size_t *looked) {
    moments m = {0};
    for (size_t i = 0; i < count; i++)
        if (shapes[i].kind != SHAPE_PLANE)
            add_shape(&m, &shapes[i]);
    if (looked)
        *looked = 0;
    if (!(m.volume > 0))
        return false;
    compound c = {.m = &m, .least = 1e-6 * m.volume};
    c.shapes = mem_must(count, sizeof *c.shapes);
    c.boxes = mem_must(count, sizeof *c.boxes);
    c.near = mem_must(count, sizeof *c.near);
    for (size_t i = 0; i < count; i++)
        if (has_volume(&shapes[i]) && shapes_bounds(&shapes[i], 1, POSE_IDENTITY,
                                                    &c.boxes[c.count].low, &c.boxes[c.count].high))
            c.shapes[c.count++] = &shapes[i];
    take_common(&c);
    if (looked)
        *looked = c.looked;
    free(c.shapes);
    free(c.boxes);
    free(c.near);
    double volume = m.volume;
    *com = v3_scale(m.first, 1 / volume);
    add_point(&m, *com, -volume); // what is left is about the centre of mass
    double trace = m.second[0][0] + m.second[1][1] + m.second[2][2];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            inertia->m[a][b] = ((a == b ? trace : 0) - m.second[a][b]) / volume;
    return true;
}

// ---- Whether bodies overlap

// The shape made smaller by `d` on every side, as far as it has room.
static shape shape_shrunk(const shape *s, double d) {
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

static bool boxes_touch(box a, box b) {
    return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y &&
           b.low.y <= a.high.y && a.low.z <= b.high.z && b.low.z <= a.high.z;
}

static const box everywhere = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};

static bool pair_overlaps(const shape *a, pose a_at, const shape *b, pose b_at, double depth) {
    pose ap = pose_mul(a_at, a->at), bp = pose_mul(b_at, b->at);
    if (a->kind == SHAPE_PLANE && b->kind == SHAPE_PLANE)
        return false;
    if (a->kind == SHAPE_MESH || b->kind == SHAPE_MESH)
        return mesh_overlap(a, ap, b, bp, depth);
    shape s = a->kind == SHAPE_PLANE ? *a : shape_shrunk(a, depth / 2);
    shape t = b->kind == SHAPE_PLANE ? *b : shape_shrunk(b, depth / 2);
    // A plane is pushed down instead.
    if (s.kind == SHAPE_PLANE)
        ap.p = v3_sub(ap.p, v3_scale(quat_rotate(ap.q, v3(0, 0, 1)), depth / 2));
    if (t.kind == SHAPE_PLANE)
        bp.p = v3_sub(bp.p, v3_scale(quat_rotate(bp.q, v3(0, 0, 1)), depth / 2));
    return shape_gap(&s, ap, &t, bp) <= 0;
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
    box whole_b = {bl, bh}, *boxes = mem_must(b_count, sizeof *boxes);
    bool overlap = false;
    for (size_t j = 0; j < b_count; j++)
        if (!shapes_bounds(&b[j], 1, b_at, &boxes[j].low, &boxes[j].high))
            boxes[j] = everywhere;
    for (size_t i = 0; i < a_count && !overlap; i++) {
        box own;
        if (!shapes_bounds(&a[i], 1, a_at, &own.low, &own.high))
            own = everywhere;
        for (size_t j = 0; j < b_count && !overlap && (plane || boxes_touch(own, whole_b)); j++)
            overlap = boxes_touch(own, boxes[j]) && pair_overlaps(&a[i], a_at, &b[j], b_at, depth);
    }
    free(boxes);
    return overlap;
}
