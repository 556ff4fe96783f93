// scene/mesh_int.h - what the parts of the meshes share.
#ifndef FORESEE_SCENE_MESH_INT_H
#define FORESEE_SCENE_MESH_INT_H

#include "scene/mesh.h"

typedef struct triangle {
    uint32_t v[3];
} triangle;
typedef ARRAY(triangle) triangle_list;
typedef ARRAY(vec3) point_list;

// In the order of a walk that goes left first: the left child stands right behind its parent.
struct mesh_node {
    vec3 low, high;
    uint32_t first, count; // triangles of a leaf; count 0: an inner node
    uint32_t right;        // of an inner node
};

// Sorts the triangles into a tree of boxes; the nodes live in `a`.
const mesh_node *mesh_grow_tree(arena *a, const vec3 *vertices, triangle *triangles, size_t count,
                                size_t *node_count);

// The convex hull of points as triangles that go round counter-clockwise seen from outside,
// appended to `out`. Points nearer to it than a ten-millionth of its extent count as inside. False:
// the points lie in one plane.
bool mesh_hull(const vec3 *points, size_t count, triangle_list *out);

// Volume (signed by the direction of the triangles), centre, and inertia about it for a mass of 1,
// of what closed triangles enclose.
void triangles_mass(const vec3 *vertices, const triangle *triangles, size_t count, double *volume,
                    vec3 *com, mat3 *inertia);

#endif
