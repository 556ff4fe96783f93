// scene/mesh/mesh_int.h - what the parts of the meshes share.
#ifndef FORESEE_SCENE_MESH_MESH_INT_H
#define FORESEE_SCENE_MESH_MESH_INT_H

#include "scene/mesh/mesh.h"

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

// The readers of files fill this: corners of triangles, three by three, where the file puts them.
// Files come from anywhere: a reader trusts no number in one, allocates no more than some times
// the file's length, and never gives more than MESH_TRIANGLES_MAX triangles.
enum { MESH_TRIANGLES_MAX = 200000 };
typedef struct mesh_soup {
    point_list corners;
    size_t work;     // that taking concave polygons apart has cost, in points looked at
    char wrong[200]; // the first thing that is wrong, without its full stop; empty: nothing
} mesh_soup;
// Keeps the first sentence that it is given, and returns false.
bool soup_wrong(mesh_soup *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Adds a polygon, taken apart into triangles; of fewer than three points, nothing.
bool soup_face(mesh_soup *s, const vec3 *points, size_t count);

// Words of a text, parted by white space.
typedef struct mesh_word {
    const char *at;
    size_t length;
} mesh_word;
typedef struct mesh_scan {
    const char *at, *end;
    int line; // of `at`, from 1
} mesh_scan;
bool scan_word(mesh_scan *scan, mesh_word *out); // the next one; false: there is none
void scan_past_line(mesh_scan *scan);
bool word_is(mesh_word w, const char *text); // in any case of letters
// A coordinate, as precise as a float: files repeat vertices that differ in later digits. Says what
// is wrong in line `line`.
bool soup_number(mesh_soup *s, int line, mesh_word w, double *out);

// One reader for each format; false: *s says what is wrong.
bool mesh_read_obj(mesh_soup *s, const char *bytes, size_t length);
bool mesh_read_stl(mesh_soup *s, const char *bytes, size_t length);
bool mesh_read_dae(mesh_soup *s, const char *bytes, size_t length);

// The convex hull of points as triangles that go round counter-clockwise seen from outside,
// appended to `out`. Points nearer to it than a ten-millionth of its extent count as inside. False:
// the points lie in one plane.
bool mesh_hull(const vec3 *points, size_t count, triangle_list *out);

// The convex hull of triangles' corners, given about the centre of `from`, whose hash it keeps, as
// `file`; in `a`. NULL: nothing that has a size.
const mesh *mesh_hull_of(arena *a, const mesh *from, const char *file, const point_list *corners);

// Volume (signed by the direction of the triangles), centre, and inertia about it for a mass of 1,
// of what closed triangles enclose.
void triangles_mass(const vec3 *vertices, const triangle *triangles, size_t count, double *volume,
                    vec3 *com, mat3 *inertia);

#endif
