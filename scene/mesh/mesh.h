// scene/mesh/mesh.h - triangle meshes: read from OBJ, STL and DAE files, immutable.
//
// A mesh lives in the arena it was loaded into. Vertices are scaled and given about the centre of
// their bounds, which is the shape's frame: the loader moves the shape there. The triangles'
// corners go round counter-clockwise seen from outside.
#ifndef FORESEE_SCENE_MESH_MESH_H
#define FORESEE_SCENE_MESH_MESH_H

#include "base/math/geom.h"
#include "base/mem.h"
#include "base/status.h"

typedef struct mesh_node mesh_node; // of the tree of bounding boxes over the triangles

typedef struct mesh {
    const char *file; // as the scene names it
    uint64_t hash;    // of the file's bytes, for the log
    const vec3 *vertices;
    size_t vertex_count;
    const uint32_t (*triangles)[3];
    size_t triangle_count;
    vec3 center;   // of the bounds, in the file's frame, scaled
    vec3 size;     // full extents of the bounds
    bool closed;   // every edge belongs to two triangles of opposite direction: it has an inside
    bool convex;   // the surface is that of a convex body
    double volume; // m^3; 0 unless closed
    const mesh_node *tree;
    size_t node_count;
} mesh;

// Reads a file and scales it. Several meshes of one file become one. E_INPUT: missing, malformed,
// empty, not finite, with more than 200000 triangles, larger than 1 km or smaller than 0.1 mm;
// `hull` keeps the convex hull alone, of a flat mesh a plate of 1 mm. Axes are as the file has
// them; the unit of length of a DAE file is heeded. *out lives in `a`. Triangles without an area
// are dropped.
status mesh_load(arena *a, const char *path, const char *name, vec3 scale, bool hull,
                 const mesh **out, error *err);
// The same of bytes; their format is told by how `name` ends: .obj, .stl, .dae.
status mesh_read(arena *a, const char *bytes, size_t length, const char *name, vec3 scale,
                 bool hull, const mesh **out, error *err);
const mesh *mesh_copy(arena *a, const mesh *m); // into another arena
// Takes a mesh apart into convex parts, at most MESH_PARTS_MAX, into `a`; returns how many. A mesh
// that is convex, or nearly so, is one: its hull. The file of one of several is `FILE#1` and so on.
enum { MESH_PARTS_MAX = 8 };
size_t mesh_parts(arena *a, const mesh *m, const mesh *out[MESH_PARTS_MAX]);
// Volume, centre of mass and inertia about it for a mass of 1, at uniform density. A mesh that is
// not closed counts as its convex hull.
void mesh_mass(const mesh *m, double *volume, vec3 *com, mat3 *inertia);
// First hit of a ray in the mesh's frame with its surface, or infinity; either side counts.
double mesh_ray(const mesh *m, vec3 origin, vec3 direction);
// Signed distance of a point (mesh's frame): negative inside a closed mesh, positive elsewhere.
double mesh_distance(const mesh *m, vec3 point);
// Calls `visit` for each triangle whose bounding box meets low..high (mesh's frame), in order of
// their numbers' tree, until it returns false.
void mesh_triangles(const mesh *m, vec3 low, vec3 high,
                    bool (*visit)(void *context, const vec3 corners[3]), void *context);

#endif
