// scene/mesh/mesh.c - making of a file's triangles what a simulation can rely on.
#include <strings.h>

#include "scene/mesh/mesh_int.h"
#include "base/files/files.h"
#include "base/hash.h"

#define LARGEST 1000.0 // m
#define SMALLEST 1e-4  // m, of the greatest extent
#define PLATE 1e-3     // m, thickness of the hull of a flat mesh
#define FARTHEST 1e4   // m, of its centre from the origin of its file

typedef bool (*mesh_reader)(mesh_soup *s, const char *bytes, size_t length);

// The reader of the format that the name ends with; NULL: of none that is read.
static mesh_reader find_reader(const char *path) {
    static const struct {
        const char *ending;
        mesh_reader read;
    } formats[] = {{".obj", mesh_read_obj}, {".stl", mesh_read_stl}, {".dae", mesh_read_dae}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof formats / sizeof *formats; i++)
        if (strcasecmp(dot, formats[i].ending) == 0)
            return formats[i].read;
    return NULL;
}

// A scale that mirrors turns the triangles round.
static bool scale_soup(mesh_soup *s, vec3 scale) {
    bool mirrored = scale.x * scale.y * scale.z < 0;
    for (size_t i = 0; i < s->corners.count; i++) {
        vec3 *p = &s->corners.items[i];
        *p = v3(p->x * scale.x, p->y * scale.y, p->z * scale.z);
        if (!isfinite(p->x) || !isfinite(p->y) || !isfinite(p->z))
            return soup_wrong(s, "a vertex is not finite");
    }
    for (size_t i = 0; mirrored && i < s->corners.count; i += 3) {
        vec3 first = s->corners.items[i];
        s->corners.items[i] = s->corners.items[i + 2];
        s->corners.items[i + 2] = first;
    }
    return true;
}

static int by_place(const void *a, const void *b, void *context) {
    const vec3 *points = context, *p = &points[*(const uint32_t *)a],
               *q = &points[*(const uint32_t *)b];
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return p->z != q->z ? (p->z < q->z ? -1 : 1) : 0;
}

// Corners at the same place become one vertex; triangles that so lose a side are dropped.
static void weld_corners(const point_list *corners, point_list *vertices,
                         triangle_list *triangles) {
    uint32_t *order = mem_must(corners->count + 1, sizeof *order);
    uint32_t *number = mem_must(corners->count + 1, sizeof *number);
    for (size_t i = 0; i < corners->count; i++)
        order[i] = (uint32_t)i;
    qsort_r(order, corners->count, sizeof *order, by_place, corners->items);
    for (size_t i = 0; i < corners->count; i++) {
        if (i == 0 || by_place(&order[i - 1], &order[i], corners->items) != 0)
            array_push(vertices, corners->items[order[i]]);
        number[order[i]] = (uint32_t)vertices->count - 1;
    }
    for (size_t i = 0; i + 2 < corners->count; i += 3) {
        triangle t = {{number[i], number[i + 1], number[i + 2]}};
        if (t.v[0] != t.v[1] && t.v[1] != t.v[2] && t.v[2] != t.v[0])
            array_push(triangles, t);
    }
    free(order);
    free(number);
}

static int by_value(const void *a, const void *b) {
    uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;
    return p < q ? -1 : p > q;
}

// Returns whether every edge is passed as often in one direction as in the other.
static bool is_closed(const triangle_list *triangles) {
    size_t count = 3 * triangles->count;
    uint64_t *there = mem_must(count + 1, sizeof *there), *back = mem_must(count + 1, sizeof *back);
    for (size_t i = 0; i < count; i++) {
        uint64_t a = triangles->items[i / 3].v[i % 3], b = triangles->items[i / 3].v[(i + 1) % 3];
        there[i] = a << 32 | b;
        back[i] = b << 32 | a;
    }
    qsort(there, count, sizeof *there, by_value);
    qsort(back, count, sizeof *back, by_value);
    bool closed = memcmp(there, back, count * sizeof *there) == 0;
    free(there);
    free(back);
    return closed;
}

static void drop_slivers(const point_list *vertices, triangle_list *triangles) {
    size_t kept = 0;
    for (size_t i = 0; i < triangles->count; i++) {
        const uint32_t *t = triangles->items[i].v;
        vec3 ab = v3_sub(vertices->items[t[1]], vertices->items[t[0]]);
        vec3 ac = v3_sub(vertices->items[t[2]], vertices->items[t[0]]);
        double longest = fmax(v3_dot(ab, ab), v3_dot(ac, ac));
        if (v3_length(v3_cross(ab, ac)) > 1e-12 * longest)
            triangles->items[kept++] = triangles->items[i];
    }
    triangles->count = kept;
}

// Vertices that no triangle uses go.
static void drop_unused(point_list *vertices, triangle_list *triangles) {
    uint32_t *number = mem_must(vertices->count + 1, sizeof *number), kept = 0;
    for (size_t i = 0; i < vertices->count; i++)
        number[i] = UINT32_MAX;
    for (size_t i = 0; i < triangles->count; i++)
        for (int k = 0; k < 3; k++)
            number[triangles->items[i].v[k]] = 0;
    for (size_t i = 0; i < vertices->count; i++)
        if (number[i] == 0) {
            vertices->items[kept] = vertices->items[i];
            number[i] = kept++;
        }
    vertices->count = kept;
    for (size_t i = 0; i < triangles->count; i++)
        for (int k = 0; k < 3; k++)
            triangles->items[i].v[k] = number[triangles->items[i].v[k]];
    free(number);
}

static void center_vertices(point_list *vertices, mesh *m) {
    vec3 low = v3(INFINITY, INFINITY, INFINITY), high = v3(-INFINITY, -INFINITY, -INFINITY);
    for (size_t i = 0; i < vertices->count; i++) {
        vec3 p = vertices->items[i];
        low = v3_min(low, p);
        high = v3_max(high, p);
    }
    vec3 middle = v3_scale(v3_add(low, high), 0.5);
    m->center = v3_add(m->center, middle);
    m->size = v3_sub(high, low);
    for (size_t i = 0; i < vertices->count; i++)
        vertices->items[i] = v3_sub(vertices->items[i], middle);
}

// Makes the convex hull of the vertices. Vertices in one plane become a plate. False: they lie in
// one line.
static bool make_hull(point_list *vertices, triangle_list *triangles, mesh *m) {
    vec3 normal = v3(0, 0, 0);
    for (size_t i = 0; i < triangles->count; i++) {
        const uint32_t *t = triangles->items[i].v;
        vec3 a = vertices->items[t[0]],
             n = v3_cross(v3_sub(vertices->items[t[1]], a), v3_sub(vertices->items[t[2]], a));
        if (v3_dot(n, n) > v3_dot(normal, normal))
            normal = n;
    }
    triangles->count = 0;
    if (mesh_hull(vertices->items, vertices->count, triangles))
        return true;
    double area = v3_length(normal);
    if (!(area > 0))
        return false;
    vec3 aside = v3_scale(normal, PLATE / 2 / area);
    for (size_t i = 0, count = vertices->count; i < count; i++) {
        vec3 p = vertices->items[i];
        vertices->items[i] = v3_add(p, aside);
        array_push(vertices, v3_sub(p, aside));
    }
    center_vertices(vertices, m);
    triangles->count = 0;
    return mesh_hull(vertices->items, vertices->count, triangles);
}

// Finds out what the triangles are together: closed, convex, the right way round.
static void judge_surface(mesh *m, const point_list *vertices, triangle_list *triangles) {
    double volume, hull_volume;
    vec3 com;
    mat3 inertia;
    m->closed = is_closed(triangles);
    drop_slivers(vertices, triangles);
    if (!m->closed || triangles->count == 0)
        return;
    triangles_mass(vertices->items, triangles->items, triangles->count, &volume, &com, &inertia);
    double extent = fmax(m->size.x, fmax(m->size.y, m->size.z));
    if (fabs(volume) <= 1e-9 * extent * extent * extent) {
        m->closed = false; // a sheet with two sides
        return;
    }
    m->volume = fabs(volume);
    for (size_t i = 0; volume < 0 && i < triangles->count; i++) {
        uint32_t t = triangles->items[i].v[1];
        triangles->items[i].v[1] = triangles->items[i].v[2];
        triangles->items[i].v[2] = t;
    }
    triangle_list hull = {0};
    if (mesh_hull(vertices->items, vertices->count, &hull)) {
        triangles_mass(vertices->items, hull.items, hull.count, &hull_volume, &com, &inertia);
        m->convex = fabs(hull_volume - m->volume) <= 1e-5 * hull_volume;
    }
    array_finish(&hull);
}

static status build_mesh(arena *a, mesh_soup *s, bool hull, mesh *m, error *err) {
    point_list vertices = {0};
    triangle_list triangles = {0};
    status st = OK;
    weld_corners(&s->corners, &vertices, &triangles);
    if (triangles.count == 0) {
        st = error_set(err, E_INPUT, "the mesh `%s` is empty: it has no triangle with an area",
                       m->file);
        goto done;
    }
    center_vertices(&vertices, m);
    double extent = fmax(m->size.x, fmax(m->size.y, m->size.z));
    if (!(extent <= LARGEST && extent >= SMALLEST)) {
        st = error_set(err, E_INPUT,
                       "the mesh `%s` is %g m large; it must be between 0.1 mm and 1 km: give a "
                       "`scale` (0.001 for a file in millimetres)",
                       m->file, extent);
        goto done;
    }
    if (!(v3_length(m->center) <= FARTHEST)) {
        st = error_set(err, E_INPUT,
                       "the mesh `%s` lies %g m from the origin of its file, and may lie %g m: "
                       "give a `scale`, or move it",
                       m->file, v3_length(m->center), FARTHEST);
        goto done;
    }
    if (hull && !make_hull(&vertices, &triangles, m))
        triangles.count = 0;
    judge_surface(m, &vertices, &triangles);
    if (triangles.count == 0) {
        st = error_set(err, E_INPUT, "the mesh `%s` is empty: it has no triangle with an area",
                       m->file);
        goto done;
    }
    drop_unused(&vertices, &triangles);
    m->convex |= hull && m->closed;
    vec3 *points = arena_alloc(a, vertices.count * sizeof *points);
    triangle *own = arena_alloc(a, triangles.count * sizeof *own);
    memcpy(points, vertices.items, vertices.count * sizeof *points);
    memcpy(own, triangles.items, triangles.count * sizeof *own);
    m->tree = mesh_grow_tree(a, points, own, triangles.count, &m->node_count);
    m->vertices = points;
    m->vertex_count = vertices.count;
    m->triangles = (const uint32_t(*)[3])own;
    m->triangle_count = triangles.count;
done:
    array_finish(&vertices);
    array_finish(&triangles);
    return st;
}

static const void *array_copied(arena *a, const void *items, size_t size) {
    return memcpy(arena_alloc(a, size), items, size);
}

const mesh *mesh_copy(arena *a, const mesh *from) {
    mesh *m = arena_alloc(a, sizeof *m);
    *m = *from;
    m->file = arena_strdup(a, from->file);
    m->vertices = array_copied(a, from->vertices, from->vertex_count * sizeof *from->vertices);
    m->triangles = array_copied(a, from->triangles, from->triangle_count * sizeof *from->triangles);
    m->tree = array_copied(a, from->tree, from->node_count * sizeof *from->tree);
    return m;
}

status mesh_read(arena *a, const char *bytes, size_t length, const char *name, vec3 scale,
                 bool hull, const mesh **out, error *err) {
    mesh_reader read = find_reader(name);
    if (!read)
        return error_set(err, E_INPUT, "the mesh `%s` is none of .obj, .stl and .dae", name);
    if (!isfinite(scale.x) || !isfinite(scale.y) || !isfinite(scale.z) || scale.x == 0 ||
        scale.y == 0 || scale.z == 0)
        return error_set(err, E_INPUT, "the scale of the mesh `%s` must be finite and not 0", name);
    if (length == 0)
        return error_set(err, E_INPUT, "the mesh `%s` is an empty file", name);
    mesh_soup s = {0};
    mesh *m = arena_alloc(a, sizeof *m);
    *m = (mesh){.file = arena_strdup(a, name), .hash = hash_bytes(bytes, length)};
    status st = read(&s, bytes, length) && scale_soup(&s, scale)
                    ? build_mesh(a, &s, hull, m, err)
                    : error_set(err, E_INPUT, "the mesh `%s` is malformed: %s", name, s.wrong);
    array_finish(&s.corners);
    if (st == OK)
        *out = m;
    return st;
}

const mesh *mesh_hull_of(arena *a, const mesh *from, const char *file, const point_list *corners) {
    mesh_soup s = {0};
    error err = {0};
    mesh *m = arena_alloc(a, sizeof *m);
    *m = (mesh){.file = file, .hash = from->hash};
    for (size_t i = 0; i < corners->count; i++)
        array_push(&s.corners, v3_add(corners->items[i], from->center));
    status st = build_mesh(a, &s, true, m, &err);
    array_finish(&s.corners);
    return st == OK ? m : NULL;
}

status mesh_load(arena *a, const char *path, const char *name, vec3 scale, bool hull,
                 const mesh **out, error *err) {
    char *bytes = NULL;
    size_t length = 0;
    error cause = {0};
    if (!find_reader(path))
        return error_set(err, E_INPUT, "the mesh `%s` is none of .obj, .stl and .dae", name);
    status st = file_read(path, &bytes, &length, &cause);
    if (st != OK)
        return error_set(err, E_INPUT, "the mesh `%s` cannot be read: %s", name, cause.text);
    st = mesh_read(a, bytes, length, name, scale, hull, out, err);
    free(bytes);
    return st;
}
