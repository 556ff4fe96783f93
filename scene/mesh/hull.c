// scene/mesh/hull.c - the convex hull of points, by the quickhull algorithm (Barber, Dobkin,
// Huhdanpaa 1996).
//
// Each face keeps the points outside of it. The farthest one is taken in: the faces it sees go, and
// their rim is joined to it. What lies within the tolerance of a face counts as inside, so that
// points in one plane with a face never make faces of no height.
#include "scene/mesh/mesh_int.h"

#define NONE UINT32_MAX

typedef struct face {
    uint32_t v[3];
    uint32_t beside[3]; // the face across the edge v[i] to v[i + 1]
    vec3 normal;
    double offset;
    uint32_t outside; // first of the points outside, a list through `next`
    bool gone;
} face;

typedef struct edge {
    uint32_t from, to;
    uint32_t outer; // the face that stays
} edge;

typedef struct hull {
    const vec3 *points;
    size_t count;
    double eps;
    ARRAY(face) faces;
    ARRAY(uint32_t) open; // faces that may have points outside
    ARRAY(uint32_t) seen;
    ARRAY(edge) rim;
    uint32_t *next;  // of a point in its face's list
    uint32_t *leave; // of a point: the edge of the rim that begins there
    uint32_t *mark;  // of a face that is seen now: the number of the point
    size_t marks;
} hull;

static double face_height(const face *f, vec3 p) {
    return v3_dot(f->normal, p) - f->offset;
}

static uint32_t add_face(hull *h, uint32_t a, uint32_t b, uint32_t c) {
    const vec3 *p = h->points;
    vec3 n = v3_unit(v3_cross(v3_sub(p[b], p[a]), v3_sub(p[c], p[a])));
    vec3 middle = v3_scale(v3_add(p[a], v3_add(p[b], p[c])), 1.0 / 3);
    array_push(&h->faces, (face){{a, b, c}, {NONE, NONE, NONE}, n, v3_dot(n, middle), NONE, false});
    return (uint32_t)h->faces.count - 1;
}

static int edge_of(const face *f, uint32_t from) {
    return f->v[0] == from ? 0 : f->v[1] == from ? 1 : 2;
}

// Gives a point to the one of the faces from `first` on that it is farthest outside of.
static void assign_point(hull *h, uint32_t point, size_t first) {
    double best = h->eps;
    face *to = NULL;
    for (size_t i = first; i < h->faces.count; i++) {
        double d = face_height(&h->faces.items[i], h->points[point]);
        if (d > best) {
            best = d;
            to = &h->faces.items[i];
        }
    }
    if (to) {
        h->next[point] = to->outside;
        to->outside = point;
    }
}

// Four points that span a tetrahedron as large as is easily found.
static bool first_faces(hull *h) {
    const vec3 *p = h->points;
    uint32_t c[4] = {0, 0, 0, 0};
    double best = -1;
    for (uint32_t i = 0; i < h->count; i++)
        if (v3_distance(p[i], p[0]) > best) {
            best = v3_distance(p[i], p[0]);
            c[0] = i;
        }
    best = -1;
    for (uint32_t i = 0; i < h->count; i++)
        if (v3_distance(p[i], p[c[0]]) > best) {
            best = v3_distance(p[i], p[c[0]]);
            c[1] = i;
        }
    h->eps = 1e-7 * best;
    vec3 along = v3_unit(v3_sub(p[c[1]], p[c[0]]));
    best = -1;
    for (uint32_t i = 0; i < h->count; i++) {
        double d = v3_length(v3_cross(along, v3_sub(p[i], p[c[0]])));
        if (d > best) {
            best = d;
            c[2] = i;
        }
    }
    if (!(best > 10 * h->eps))
        return false;
    vec3 n = v3_unit(v3_cross(v3_sub(p[c[1]], p[c[0]]), v3_sub(p[c[2]], p[c[0]])));
    best = -1;
    for (uint32_t i = 0; i < h->count; i++) {
        double d = fabs(v3_dot(n, v3_sub(p[i], p[c[0]])));
        if (d > best) {
            best = d;
            c[3] = i;
        }
    }
    if (!(best > 10 * h->eps))
        return false;
    if (v3_dot(n, v3_sub(p[c[3]], p[c[0]])) > 0) {
        uint32_t t = c[1];
        c[1] = c[2];
        c[2] = t;
    }
    add_face(h, c[0], c[1], c[2]);
    add_face(h, c[0], c[3], c[1]);
    add_face(h, c[1], c[3], c[2]);
    add_face(h, c[2], c[3], c[0]);
    static const uint32_t beside[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    for (uint32_t f = 0; f < 4; f++) {
        memcpy(h->faces.items[f].beside, beside[f], sizeof beside[f]);
        array_push(&h->open, f);
    }
    for (uint32_t i = 0; i < h->count; i++)
        if (i != c[0] && i != c[1] && i != c[2] && i != c[3])
            assign_point(h, i, 0);
    return true;
}

static bool is_seen(const hull *h, uint32_t f, uint32_t point) {
    return f < h->marks && h->mark[f] == point;
}

static void mark_seen(hull *h, uint32_t f, uint32_t point) {
    if (h->marks < h->faces.count) {
        size_t want = h->faces.capacity;
        array_grow_must((void **)&h->mark, &want, want, sizeof *h->mark);
        for (size_t i = h->marks; i < want; i++)
            h->mark[i] = NONE;
        h->marks = want;
    }
    h->mark[f] = point;
    array_push(&h->seen, f);
}

// The faces a point sees, from one of them on, and their rim. False when the rim is not one simple
// round, which only noise within the tolerance brings about.
static bool find_rim(hull *h, uint32_t point, uint32_t from) {
    h->seen.count = h->rim.count = 0;
    mark_seen(h, from, point);
    bool simple = true;
    for (size_t i = 0; i < h->seen.count; i++)
        for (int k = 0; k < 3; k++) {
            const face *f = &h->faces.items[h->seen.items[i]];
            uint32_t other = f->beside[k], begin = f->v[k], end = f->v[(k + 1) % 3];
            if (is_seen(h, other, point))
                continue;
            if (face_height(&h->faces.items[other], h->points[point]) > h->eps) {
                mark_seen(h, other, point);
            } else {
                array_push(&h->rim, (edge){begin, end, other});
            }
        }
    // An edge whose other face was seen later is none.
    size_t kept = 0;
    for (size_t i = 0; i < h->rim.count; i++)
        if (!is_seen(h, h->rim.items[i].outer, point))
            h->rim.items[kept++] = h->rim.items[i];
    h->rim.count = kept;
    for (size_t i = 0; i < h->rim.count; i++) {
        simple &= h->leave[h->rim.items[i].from] == NONE;
        h->leave[h->rim.items[i].from] = (uint32_t)i;
    }
    size_t length = 0;
    uint32_t at = kept > 0 ? h->rim.items[0].from : 0;
    while (simple && length < kept) {
        uint32_t e = h->leave[at];
        if (e == NONE)
            break;
        at = h->rim.items[e].to;
        length++;
        if (at == h->rim.items[0].from)
            break;
    }
    return simple && kept >= 3 && length == kept;
}

static void take_in(hull *h, uint32_t point) {
    size_t first = h->faces.count;
    for (size_t i = 0; i < h->rim.count; i++) {
        edge e = h->rim.items[i];
        uint32_t f = add_face(h, e.from, e.to, point);
        h->faces.items[f].beside[0] = e.outer;
        face *outer = &h->faces.items[e.outer];
        outer->beside[edge_of(outer, e.to)] = f;
        array_push(&h->open, f);
    }
    for (size_t i = 0; i < h->rim.count; i++) {
        uint32_t f = (uint32_t)(first + i), after = (uint32_t)first + h->leave[h->rim.items[i].to];
        h->faces.items[f].beside[1] = after;
        h->faces.items[after].beside[2] = f;
    }
    for (size_t i = 0; i < h->seen.count; i++) {
        face *f = &h->faces.items[h->seen.items[i]];
        uint32_t p = f->outside;
        f->gone = true;
        f->outside = NONE;
        while (p != NONE) {
            uint32_t following = h->next[p];
            if (p != point)
                assign_point(h, p, first);
            p = following;
        }
    }
}

static void forget_point(hull *h, uint32_t f, uint32_t point) {
    uint32_t *at = &h->faces.items[f].outside;
    while (*at != point)
        at = &h->next[*at];
    *at = h->next[point];
}

static void grow_hull(hull *h) {
    while (h->open.count > 0) {
        uint32_t f = h->open.items[h->open.count - 1];
        if (h->faces.items[f].gone || h->faces.items[f].outside == NONE) {
            h->open.count--;
            continue;
        }
        uint32_t far = NONE;
        double best = -INFINITY;
        for (uint32_t p = h->faces.items[f].outside; p != NONE; p = h->next[p]) {
            double d = face_height(&h->faces.items[f], h->points[p]);
            if (d > best || (d == best && p < far)) {
                best = d;
                far = p;
            }
        }
        bool good = find_rim(h, far, f);
        if (good)
            take_in(h, far);
        else
            forget_point(h, f, far);
        for (size_t i = 0; i < h->rim.count; i++)
            h->leave[h->rim.items[i].from] = NONE;
    }
}

bool mesh_hull(const vec3 *points, size_t count, triangle_list *out) {
    if (count < 4)
        return false;
    hull h = {.points = points, .count = count};
    h.next = mem_must(count, sizeof *h.next);
    h.leave = mem_must(count, sizeof *h.leave);
    for (size_t i = 0; i < count; i++)
        h.next[i] = h.leave[i] = NONE;
    bool solid = first_faces(&h);
    if (solid) {
        grow_hull(&h);
        for (size_t i = 0; i < h.faces.count; i++) {
            const face *f = &h.faces.items[i];
            if (!f->gone)
                array_push(out, (triangle){{f->v[0], f->v[1], f->v[2]}});
        }
    }
    array_finish(&h.faces);
    array_finish(&h.open);
    array_finish(&h.seen);
    array_finish(&h.rim);
    free(h.next);
    free(h.leave);
    free(h.mark);
    return solid;
}
