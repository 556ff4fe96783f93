// Reading triangle meshes with assimp, and making of their triangles what a simulation can rely on.
#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <strings.h>

#include "scene/mesh_int.h"

#define MOST_TRIANGLES 200000
#define DEEPEST 64     // nodes of a file's scene under each other
#define LARGEST 1000.0 // m
#define SMALLEST 1e-4  // m, of the greatest extent

// The bytes of a file as the only file there is.
typedef struct memory {
    const char *bytes;
    size_t length, at;
    const char *name;
    struct aiFile file;
} memory;

static size_t memory_read(struct aiFile *f, char *to, size_t size, size_t count) {
    memory *m = (memory *)f->UserData;
    size_t n = size > 0 ? (m->length - m->at) / size : 0;
    n = n < count ? n : count;
    memcpy(to, m->bytes + m->at, n * size);
    m->at += n * size;
    return n;
}

static size_t memory_write(struct aiFile *f, const char *from, size_t size, size_t count) {
    (void)f;
    (void)from;
    (void)size;
    (void)count;
    return 0;
}

static size_t memory_tell(struct aiFile *f) {
    return ((memory *)f->UserData)->at;
}

static size_t memory_size(struct aiFile *f) {
    return ((memory *)f->UserData)->length;
}

static aiReturn memory_seek(struct aiFile *f, size_t offset, enum aiOrigin origin) {
    memory *m = (memory *)f->UserData;
    size_t from = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? m->at : m->length;
    size_t to = from + offset; // wraps round for the way back
    if (to > m->length)
        return aiReturn_FAILURE;
    m->at = to;
    return aiReturn_SUCCESS;
}

static void memory_flush(struct aiFile *f) {
    (void)f;
}

static struct aiFile *memory_open(struct aiFileIO *io, const char *name, const char *mode) {
    memory *m = (memory *)io->UserData;
    if (strcmp(name, m->name) != 0 || mode[0] != 'r')
        return NULL; // materials, textures: not needed
    m->at = 0;
    return &m->file;
}

static void memory_close(struct aiFileIO *io, struct aiFile *f) {
    (void)io;
    (void)f;
}

// The file as assimp is to see it, named for its format alone; NULL: of no format that is read.
static const char *plain_name(const char *path) {
    static const char *const names[] = {"mesh.obj", "mesh.stl", "mesh.dae"};
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot && i < 3; i++)
        if (strcasecmp(dot, names[i] + 4) == 0)
            return names[i];
    return NULL;
}

static const struct aiScene *import(const char *name, const char *bytes, size_t length) {
    memory m = {.bytes = bytes, .length = length, .name = name};
    m.file = (struct aiFile){memory_read, memory_write, memory_tell,   memory_size,
                             memory_seek, memory_flush, (aiUserData)&m};
    struct aiFileIO io = {memory_open, memory_close, (aiUserData)&m};
    struct aiPropertyStore *store = aiCreatePropertyStore();
    // Axes as the file has them; assimp would turn z-up into y-up.
    aiSetImportPropertyInteger(store, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
    const struct aiScene *scene = aiImportFileExWithProperties(
        name, aiProcess_Triangulate | aiProcess_ValidateDataStructure, &io, store);
    aiReleasePropertyStore(store);
    return scene;
}

// The corners of all triangles, three by three, where the file's nodes put them.
typedef struct soup {
    const struct aiScene *scene;
    vec3 scale;
    point_list corners;
    const char *wrong; // a sentence, or NULL
} soup;

static void gather_mesh(soup *s, const struct aiMesh *part, const struct aiMatrix4x4 *t) {
    double det = (double)t->a1 * ((double)t->b2 * t->c3 - (double)t->b3 * t->c2) -
                 (double)t->a2 * ((double)t->b1 * t->c3 - (double)t->b3 * t->c1) +
                 (double)t->a3 * ((double)t->b1 * t->c2 - (double)t->b2 * t->c1);
    bool mirrored = det * s->scale.x * s->scale.y * s->scale.z < 0;
    for (unsigned i = 0; i < part->mNumFaces && !s->wrong; i++) {
        const struct aiFace *f = &part->mFaces[i];
        if (f->mNumIndices != 3)
            continue; // points and lines
        vec3 c[3];
        for (int k = 0; k < 3; k++) {
            if (f->mIndices[k] >= part->mNumVertices) {
                s->wrong = "a triangle names a vertex that does not exist";
                return;
            }
            struct aiVector3D v = part->mVertices[f->mIndices[mirrored ? 2 - k : k]];
            double x = v.x, y = v.y, z = v.z;
            c[k] = v3(s->scale.x * (t->a1 * x + t->a2 * y + t->a3 * z + t->a4),
                      s->scale.y * (t->b1 * x + t->b2 * y + t->b3 * z + t->b4),
                      s->scale.z * (t->c1 * x + t->c2 * y + t->c3 * z + t->c4));
            if (!isfinite(c[k].x) || !isfinite(c[k].y) || !isfinite(c[k].z)) {
                s->wrong = "a vertex is not finite";
                return;
            }
        }
        for (int k = 0; k < 3; k++)
            array_push(&s->corners, c[k]);
        if (s->corners.count > 3 * (size_t)MOST_TRIANGLES)
            s->wrong = "it has more than 200000 triangles; simplify it";
    }
}

static void gather(soup *s, const struct aiNode *node, struct aiMatrix4x4 above, int depth) {
    if (depth > DEEPEST) {
        s->wrong = "its nodes are nested more than 64 deep";
        return;
    }
    aiMultiplyMatrix4(&above, &node->mTransformation);
    for (unsigned i = 0; i < node->mNumMeshes && !s->wrong; i++)
        if (node->mMeshes[i] < s->scene->mNumMeshes)
            gather_mesh(s, s->scene->mMeshes[node->mMeshes[i]], &above);
    for (unsigned i = 0; i < node->mNumChildren && !s->wrong; i++)
        gather(s, node->mChildren[i], above, depth + 1);
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
static void weld(const point_list *corners, point_list *vertices, triangle_list *triangles) {
    uint32_t *order = malloc((corners->count + 1) * sizeof *order);
    uint32_t *number = malloc((corners->count + 1) * sizeof *number);
    ASSERT(order && number);
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

// Whether every edge is passed as often in one direction as in the other.
static bool is_closed(const triangle_list *triangles) {
    size_t count = 3 * triangles->count;
    uint64_t *there = malloc((count + 1) * sizeof *there),
             *back = malloc((count + 1) * sizeof *back);
    ASSERT(there && back);
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
    uint32_t *number = malloc((vertices->count + 1) * sizeof *number), kept = 0;
    ASSERT(number);
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

static void center(point_list *vertices, mesh *m) {
    vec3 low = v3(INFINITY, INFINITY, INFINITY), high = v3(-INFINITY, -INFINITY, -INFINITY);
    for (size_t i = 0; i < vertices->count; i++) {
        vec3 p = vertices->items[i];
        low = v3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = v3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    m->center = v3_scale(v3_add(low, high), 0.5);
    m->size = v3_sub(high, low);
    for (size_t i = 0; i < vertices->count; i++)
        vertices->items[i] = v3_sub(vertices->items[i], m->center);
}

// What the triangles are together: closed, convex, the right way round.
static void judge(mesh *m, const point_list *vertices, triangle_list *triangles) {
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

static status build(arena *a, soup *s, bool hull, mesh *m, error *err) {
    point_list vertices = {0};
    triangle_list triangles = {0};
    status st = OK;
    weld(&s->corners, &vertices, &triangles);
    if (triangles.count == 0) {
        st = error_set(err, E_INPUT, "the mesh `%s` is empty: it has no triangle with an area",
                       m->file);
        goto done;
    }
    center(&vertices, m);
    double extent = fmax(m->size.x, fmax(m->size.y, m->size.z));
    if (!(extent <= LARGEST && extent >= SMALLEST)) {
        st = error_set(err, E_INPUT,
                       "the mesh `%s` is %g m large; it must be between 0.1 mm and 1 km: give a "
                       "`scale` (0.001 for a file in millimetres)",
                       m->file, extent);
        goto done;
    }
    if (hull) {
        triangles.count = 0;
        if (!mesh_hull(vertices.items, vertices.count, &triangles)) {
            st = error_set(err, E_INPUT, "the mesh `%s` is flat and has no hull: leave `hull` out",
                           m->file);
            goto done;
        }
    }
    judge(m, &vertices, &triangles);
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

static const void *copied(arena *a, const void *items, size_t size) {
    return memcpy(arena_alloc(a, size), items, size);
}

const mesh *mesh_copy(arena *a, const mesh *from) {
    mesh *m = arena_alloc(a, sizeof *m);
    *m = *from;
    m->file = arena_strdup(a, from->file);
    m->vertices = copied(a, from->vertices, from->vertex_count * sizeof *from->vertices);
    m->triangles = copied(a, from->triangles, from->triangle_count * sizeof *from->triangles);
    m->tree = copied(a, from->tree, from->node_count * sizeof *from->tree);
    return m;
}

status mesh_read(arena *a, const char *bytes, size_t length, const char *name, vec3 scale,
                 bool hull, const mesh **out, error *err) {
    const char *plain = plain_name(name);
    if (!plain)
        return error_set(err, E_INPUT, "the mesh `%s` is none of .obj, .stl and .dae", name);
    if (!isfinite(scale.x) || !isfinite(scale.y) || !isfinite(scale.z) || scale.x == 0 ||
        scale.y == 0 || scale.z == 0)
        return error_set(err, E_INPUT, "the scale of the mesh `%s` must be finite and not 0", name);
    if (length == 0)
        return error_set(err, E_INPUT, "the mesh `%s` is an empty file", name);
    soup s = {.scale = scale, .scene = import(plain, bytes, length)};
    if (!s.scene)
        return error_set(err, E_INPUT, "the mesh `%s` is malformed: %s", name, aiGetErrorString());
    mesh *m = arena_alloc(a, sizeof *m);
    *m = (mesh){.file = arena_strdup(a, name), .hash = hash_bytes(bytes, length)};
    struct aiMatrix4x4 identity;
    aiIdentityMatrix4(&identity);
    if (s.scene->mRootNode)
        gather(&s, s.scene->mRootNode, identity, 0);
    status st = s.wrong ? error_set(err, E_INPUT, "the mesh `%s` is malformed: %s", name, s.wrong)
                        : build(a, &s, hull, m, err);
    aiReleaseImport(s.scene);
    array_finish(&s.corners);
    if (st == OK)
        *out = m;
    return st;
}

status mesh_load(arena *a, const char *path, const char *name, vec3 scale, bool hull,
                 const mesh **out, error *err) {
    char *bytes = NULL;
    size_t length = 0;
    error cause = {0};
    if (!plain_name(path))
        return error_set(err, E_INPUT, "the mesh `%s` is none of .obj, .stl and .dae", name);
    status st = file_read(path, &bytes, &length, &cause);
    if (st != OK)
        return error_set(err, E_INPUT, "the mesh `%s` cannot be read: %s", name, cause.text);
    st = mesh_read(a, bytes, length, name, scale, hull, out, err);
    free(bytes);
    return st;
}
