// scene/scene_int.h - what the loaders of world and robot share.
#ifndef FORESEE_SCENE_SCENE_INT_H
#define FORESEE_SCENE_SCENE_INT_H

#include "scene/world.h"

typedef ARRAY(shape) shape_list;

// One file that is being read.
typedef struct loading {
    arena *arena;
    errors *list;
    ynode *root;
    ynode *defaults; // the same file with the parameters' defaults; `root` where nothing was set
    parameters *params;
    world_source source;
} loading;

// Reads `path`, applies the settings of scope `scope` and fills the parameters in.
status loading_begin(loading *l, const char *path, const char *base, const char *scope,
                     const settings *set);
// The counterpart in `defaults` of entry `i` of the root's mapping `key`.
const ynode *loading_default(const loading *l, const char *key, size_t i);
// Reports what stands in the root's `key` when it is not a mapping; NULL then, and when it is
// absent.
ynode *loading_section(loading *l, const char *key);
// The name of the world or robot under `key`; reports its absence.
bool loading_name(loading *l, const char *key, const char **out);

// Readers of what both files hold. Each reports its mistakes and then returns false; an absent
// optional value (`key` of `map`) leaves *out as it is and is fine.
bool read_number(loading *l, const ynode *map, const char *key, double *out);
bool read_positive(loading *l, const ynode *map, const char *key, double *out);    // > 0
bool read_nonnegative(loading *l, const ynode *map, const char *key, double *out); // >= 0
bool read_angle(loading *l, const ynode *map, const char *key, double *out); // degrees to radians
bool read_vector(loading *l, const ynode *map, const char *key, vec3 *out);
bool read_text(loading *l, const ynode *map, const char *key, const char **out);
bool read_bool(loading *l, const ynode *map, const char *key, bool *out);
// [x, y, z], or { position: [x, y, z], rpy: [r, p, y] } or { position, yaw }, in degrees.
bool read_pose(loading *l, const ynode *n, const char *what, pose *out);
bool read_shapes(loading *l, const ynode *n, shape_list *out);
// [xx, yy, zz] or [xx, yy, zz, xy, xz, yz]; reports what no rigid body can have.
bool read_inertia(loading *l, const ynode *n, mat3 *out);
// Lower-case letters, digits and underscores, beginning with a letter.
bool name_check(loading *l, const ynode *n, const char *what, const char *name);
// Reports that `name` is not among `names`, with the nearest one.
void name_unknown(loading *l, const ynode *n, const char *what, const char *name,
                  const char *const *names, size_t count);

// Volume, centre and inertia (about that centre, for a mass of 1) at uniform density. Volumes that
// overlap count twice. False: nothing that has a volume.
bool shapes_mass(const shape *shapes, size_t count, vec3 *com, mat3 *inertia);
// Whether the shapes of two bodies certainly overlap by more than `depth`.
bool shapes_overlap(const shape *a, size_t a_count, pose a_at, const shape *b, size_t b_count,
                    pose b_at, double depth);

// The name of a colour, and what it is.
bool read_color(loading *l, const ynode *map, const char *key, const char **name, vec3 *rgb);

// Parts of the world's loader. `materials` and types are complete before bodies are read.
typedef struct material {
    const char *name;
    double friction, restitution;
} material;
typedef ARRAY(material) material_list;
typedef ARRAY(body_type) type_list;
typedef ARRAY(world_body) body_list;
typedef ARRAY(world_region) region_list;
typedef struct world_parts {
    loading l;
    material_list materials;
    type_list types;
    body_list bodies;
    ARRAY(const ynode *) body_nodes; // where each body stands in the file
    region_list regions;
    ARRAY(material_pair) pairs;
} world_parts;
void world_read_materials(world_parts *w);
void world_read_types(world_parts *w);
// A type from the keys of a type's or a body's mapping; false when it has mistakes. `name` is kept.
// `defaults` is the same mapping with the parameters' defaults.
bool world_read_type(world_parts *w, const ynode *n, const ynode *defaults, const char *name,
                     body_type *out);
// Keys that a body with shapes of its own shares with a type.
extern const char *const world_type_keys[];
void world_read_bodies(world_parts *w);
void world_read_regions(world_parts *w);
// The height of the surface straight over (x, y) of a body standing upright, in its own frame.
double surface_over(const body_type *t, double x, double y);

#endif
