// scene/mesh/parts.c - takes a mesh apart into convex parts, which together reach no farther than
// its surface does, or not much.
//
// Greedy: of all cuts along the axes the one that takes most from the volume of the hulls is made,
// until no cut takes enough (in the manner of Mamou and Ghorbel 2009, whose measure is concavity).
// The surface alone is cut, so that a mesh need not be closed.
#include "scene/mesh/mesh_int.h"

static const double WORTHWHILE = 0.04; // share of the whole hull that a cut has to take off
static const double SMALLEST = 2e-5;   // m3 that it has to take off
static const double HOLLOW = 1.25;     // hulls of more than this times the volume are not the mesh
enum { FORCED = 2, CUTS = 7, FEW = 3000, COARSE = 64 };

typedef struct part {
    point_list corners; // of triangles, three by three
    point_list coarse;  // the same of fewer triangles, to judge cuts by
    double volume;      // of its hull
    double saving;      // m3 that its best cut takes off
    int axis;
    double at;
} part;

static double axis_of(vec3 p, int axis) {
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

static void part_finish(part *p) {
    array_finish(&p->corners);
    array_finish(&p->coarse);
}

static double hull_volume(const point_list *corners) {
    triangle_list hull = {0};
    double volume = 0;
    vec3 com;
    mat3 inertia;
    if (corners->count >= 4 && mesh_hull(corners->items, corners->count, &hull))
        triangles_mass(corners->items, hull.items, hull.count, &volume, &com, &inertia);
    array_finish(&hull);
    return fabs(volume);
}

// Keeps the part of each triangle that lies below `at` (side -1) or above it (1).
static void cut_side(const point_list *from, int axis, double at, int side, point_list *out) {
    for (size_t i = 0; i + 2 < from->count; i += 3) {
        vec3 kept[4];
        int count = 0;
        for (int k = 0; k < 3; k++) {
            vec3 a = from->items[i + (size_t)k], b = from->items[i + (size_t)(k + 1) % 3];
            double da = side * (axis_of(a, axis) - at), db = side * (axis_of(b, axis) - at);
            if (da >= 0)
                kept[count++] = a;
            if ((da > 0 && db < 0) || (da < 0 && db > 0))
                kept[count++] = v3_add(a, v3_scale(v3_sub(b, a), da / (da - db)));
        }
        for (int k = 1; k + 1 < count; k++) {
            array_push(out, kept[0]);
            array_push(out, kept[k]);
            array_push(out, kept[k + 1]);
        }
    }
}

// Fewer triangles of nearly the same surface: corners move to a grid, and what so collapses goes.
static void make_coarse(part *p, double cell) {
    const point_list *c = &p->corners;
    bool few = c->count <= 3 * (size_t)FEW;
    for (size_t i = 0; i + 2 < c->count; i += 3) {
        vec3 t[3];
        for (int k = 0; k < 3; k++) {
            t[k] = c->items[i + (size_t)k];
            if (!few)
                t[k] = v3(cell * round(t[k].x / cell), cell * round(t[k].y / cell),
                          cell * round(t[k].z / cell));
        }
        bool flat = v3_distance(t[0], t[1]) == 0 || v3_distance(t[1], t[2]) == 0 ||
                    v3_distance(t[2], t[0]) == 0;
        for (int k = 0; k < 3 && (few || !flat); k++)
            array_push(&p->coarse, t[k]);
    }
}

static void find_cut(part *p) {
    const point_list *c = &p->coarse;
    p->volume = hull_volume(c);
    p->saving = 0;
    for (int axis = 0; axis < 3 && p->volume > SMALLEST; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < c->count; i++) {
            low = fmin(low, axis_of(c->items[i], axis));
            high = fmax(high, axis_of(c->items[i], axis));
        }
        for (int n = 1; n <= CUTS; n++) {
            double at = low + (high - low) * n / (CUTS + 1), rest = 0;
            for (int side = -1; side <= 1; side += 2) {
                point_list half = {0};
                cut_side(c, axis, at, side, &half);
                rest += hull_volume(&half);
                array_finish(&half);
            }
            if (p->volume - rest > p->saving) {
                p->saving = p->volume - rest;
                p->axis = axis;
                p->at = at;
            }
        }
    }
}

// Makes the cut of a part one through its middle, across its longest axis.
static void halve_part(part *p) {
    double most = 0;
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < p->corners.count; i++) {
            low = fmin(low, axis_of(p->corners.items[i], axis));
            high = fmax(high, axis_of(p->corners.items[i], axis));
        }
        if (high - low > most) {
            most = high - low;
            p->axis = axis;
            p->at = (low + high) / 2;
        }
    }
}

static void part_prepare(part *p, double cell) {
    make_coarse(p, cell);
    find_cut(p);
}

size_t mesh_parts(arena *a, const mesh *m, const mesh *out[MESH_PARTS_MAX]) {
    part parts[MESH_PARTS_MAX] = {0};
    size_t count = 1, made = 0;
    double extent = fmax(m->size.x, fmax(m->size.y, m->size.z)), cell = extent / COARSE;
    for (size_t i = 0; i < m->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            array_push(&parts[0].corners, m->vertices[m->triangles[i][k]]);
    if (!m->convex)
        part_prepare(&parts[0], cell);
    double enough = fmax(WORTHWHILE * parts[0].volume, SMALLEST);
    while (count < MESH_PARTS_MAX) {
        size_t best = 0, largest = 0;
        double sum = 0;
        for (size_t i = 0; i < count; i++) {
            best = parts[i].saving > parts[best].saving ? i : best;
            largest = parts[i].volume > parts[largest].volume ? i : largest;
            sum += parts[i].volume;
        }
        // No single cut opens a ring: its largest part is halved all the same.
        if (parts[best].saving < enough) {
            if (!m->closed || count > FORCED || sum < HOLLOW * m->volume)
                break;
            best = largest;
            halve_part(&parts[best]);
        }
        part whole = parts[best];
        parts[best] = (part){0};
        cut_side(&whole.corners, whole.axis, whole.at, -1, &parts[best].corners);
        cut_side(&whole.corners, whole.axis, whole.at, 1, &parts[count].corners);
        part_prepare(&parts[best], cell);
        part_prepare(&parts[count++], cell);
        part_finish(&whole);
    }
    for (size_t i = 0; i < count; i++) {
        const char *name = count == 1 ? m->file : arena_format(a, "%s#%zu", m->file, i + 1);
        const mesh *hull = mesh_hull_of(a, m, name, &parts[i].corners);
        if (hull)
            out[made++] = hull;
        part_finish(&parts[i]);
    }
    return made;
}
