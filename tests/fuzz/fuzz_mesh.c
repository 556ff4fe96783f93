// tests/fuzz/fuzz_mesh.c - any bytes as a mesh file of each format.
#include "scene/mesh/mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool count_corners(void *context, const vec3 corners[3]) {
    size_t *count = context;
    for (int k = 0; k < 3; k++)
        ASSERT(isfinite(corners[k].x) && isfinite(corners[k].y) && isfinite(corners[k].z));
    ++*count;
    return true;
}

// What a loaded mesh promises to everyone who uses it.
static void check_mesh(const mesh *m) {
    ASSERT(m->triangle_count > 0 && m->triangle_count <= 200000 && m->vertex_count >= 3);
    ASSERT(m->closed || (!m->convex && m->volume == 0));
    ASSERT(!m->closed || m->volume > 0);
    for (size_t i = 0; i < m->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            ASSERT(m->triangles[i][k] < m->vertex_count);
    for (size_t i = 0; i < m->vertex_count; i++) {
        vec3 p = m->vertices[i];
        ASSERT(fabs(p.x) <= m->size.x * 0.5000001 && fabs(p.y) <= m->size.y * 0.5000001 &&
               fabs(p.z) <= m->size.z * 0.5000001);
    }
    size_t all = 0;
    mesh_triangles(m, v3_scale(m->size, -1), m->size, count_corners, &all);
    ASSERT(all == m->triangle_count);
    double reach = v3_length(m->size), d = mesh_distance(m, v3(reach, 0.3 * reach, 0.2 * reach));
    ASSERT(d >= 0.3 * reach && d <= 2 * reach);
    ASSERT(mesh_ray(m, v3(reach, 0, 0), v3(1, 0, 0)) == INFINITY);
    double volume;
    vec3 com;
    mat3 inertia;
    mesh_mass(m, &volume, &com, &inertia);
    ASSERT(volume >= 0 && isfinite(volume));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {"a.obj", "a.stl", "a.dae"};
    for (int i = 0; i < 3; i++)
        for (int hull = 0; hull < 2; hull++) {
            arena *a = arena_create();
            const mesh *m = NULL;
            error err = {0};
            status s =
                mesh_read(a, (const char *)data, size, names[i], v3(1, 1, 1), hull, &m, &err);
            ASSERT((s == OK) == (m != NULL) && (s == OK || (s == E_INPUT && err.text[0] != 0)));
            if (m)
                check_mesh(m);
            const mesh *parts[MESH_PARTS_MAX];
            size_t count = m && !hull ? mesh_parts(a, m, parts) : 0;
            for (size_t k = 0; k < count; k++)
                check_mesh(parts[k]);
            arena_destroy(a);
        }
    return 0;
}
