// scene/shape/shape.h - primitive shapes and meshes as shapes: their bounds, distances, rays,
// masses.
#ifndef FORESEE_SCENE_SHAPE_SHAPE_H
#define FORESEE_SCENE_SHAPE_SHAPE_H

#include "base/math/geom.h"
#include "scene/mesh/mesh.h"

typedef enum shape_kind {
    SHAPE_BOX,      // size: full extents
    SHAPE_CYLINDER, // size.x radius, size.z length, along z
    SHAPE_SPHERE,   // size.x radius
    SHAPE_CAPSULE,  // size.x radius, size.z length of the cylindric part, along z
    SHAPE_PLANE,    // the half space under z = 0 of its pose
    SHAPE_MESH      // triangles about the centre of their bounds; size: full extents
} shape_kind;
const char *shape_kind_name(shape_kind k);

typedef struct shape {
    shape_kind kind;
    pose at; // in the body's or link's frame
    vec3 size;
    const mesh *mesh; // of SHAPE_MESH, else NULL
} shape;

// The axis-aligned bounds of shapes at a pose. Planes are left out; false when nothing is left.
bool shapes_bounds(const shape *shapes, size_t count, pose at, vec3 *low, vec3 *high);
// Where a function below has `at`, it is the pose of the shape's own frame, that is the body's or
// link's pose times `shape.at`, which the callers compute once: pose_mul(body, s->at). `shape.at`
// is not read. Signed distance from a point to a shape's surface (negative inside); exact outside.
double shape_distance(const shape *s, pose at, vec3 point);
// The same in the shape's own frame, with the surface's outward unit normal nearest to the point.
double shape_nearest(const shape *s, vec3 point, vec3 *normal);
// Point i of a sequence that fills a primitive shape evenly, in its own frame; (0, 0, 0) for planes
// and meshes.
vec3 shape_sample(const shape *s, int i);
// Spreads points over a mesh's surface, the first few over the whole of it. `count` is a power
// of 2.
void mesh_sample(const mesh *m, vec3 *points, int count);
// First hit of a ray (unit direction) with the shape's surface from outside: its distance, or
// infinity.
double shape_ray(const shape *s, pose at, vec3 origin, vec3 direction);
// The distance between two shapes (within 0.01 mm), 0 where they overlap; two planes: 0.
double shape_gap(const shape *a, pose at_a, const shape *b, pose at_b);
// How far one of two shapes that overlap must move to be clear of the other, m; at most as far as
// along one of their axes, the normals of two of these, or the line between their middles. A mesh
// counts as its hull; 0 where they do not overlap.
double shape_overlap(const shape *a, pose at_a, const shape *b, pose at_b);
// Centre and inertia (about that centre, for a mass of 1) at uniform density. What shapes have in
// common counts once; its part is sampled, coarser where very many meet. *looked, unless NULL, is
// how often a point was looked up in a shape. False: nothing that has a volume.
bool shapes_mass(const shape *shapes, size_t count, vec3 *com, mat3 *inertia, size_t *looked);
// Returns whether the shapes of two bodies certainly overlap by more than `depth`.
bool shapes_overlap(const shape *a, size_t a_count, pose a_at, const shape *b, size_t b_count,
                    pose b_at, double depth);

#endif
