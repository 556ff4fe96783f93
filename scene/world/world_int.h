// scene/world/world_int.h - a world file while it is read.
#ifndef FORESEE_SCENE_WORLD_WORLD_INT_H
#define FORESEE_SCENE_WORLD_WORLD_INT_H

#include "scene/load/loading.h"
#include "scene/world/world.h"

#define WORLD_FRICTION 0.5 // of what says nothing
#define WORLD_RESTITUTION 0.0

// Parts of the world's loader. `materials` and types are complete before bodies are read.
typedef struct material {
    const char *name;
    double friction, restitution;
} material;
typedef ARRAY(material) material_list;
typedef ARRAY(body_type) type_list;
typedef ARRAY(world_body) body_list;
typedef ARRAY(world_region) region_list;
typedef struct particle_kind {
    const char *name, *color;
    vec3 rgb;
    const body_type *type;
    double radius; // m
} particle_kind;
typedef struct world_parts {
    loading l;
    material_list materials;
    type_list types;
    ARRAY(bool) sound; // of each type: it was read without a mistake
    body_list bodies;
    ARRAY(const ynode *) body_nodes; // where each body stands in the file
    ARRAY(int64_t) supports;         // the body that each stands on; -1: none
    region_list regions;
    ARRAY(material_pair) pairs;
    ARRAY(particle_kind) particles;
    ARRAY(world_joint) joints;
    ARRAY(world_event) events;
} world_parts;
void world_read_materials(world_parts *w);
void world_read_types(world_parts *w);
// A type from the keys of a type's or a body's mapping; false when it has mistakes. `name` is kept.
// `defaults` is the same mapping with the parameters' defaults.
bool world_read_type(world_parts *w, const ynode *n, const ynode *defaults, const char *name,
                     body_type *out);
void world_read_bodies(world_parts *w);
void world_read_regions(world_parts *w);
// Joints of furniture; what stands on a body that starts displaced by its joint moves with it.
void world_read_joints(world_parts *w);
// Sections `particles`, and the `fill` of every body; the particles are the last bodies.
void world_read_particles(world_parts *w);
void world_fill(world_parts *w);
void world_read_events(world_parts *w);
// The section `fidelity`, or what a setting among `set` (NULL: none) replaces it by.
void world_read_fidelity(world_parts *w, const settings *set, world_fidelity *out);
// The section `ensemble`; after the bodies.
void world_read_ensemble(world_parts *w, world_ensemble *out);
// Reports bodies that start inside each other.
void world_check_overlaps(world_parts *w);
// `tags` and `properties` of a mapping, behind those that are inherited.
void world_read_properties(world_parts *w, const ynode *n, const property *inherited, size_t count,
                           const property **out, size_t *out_count);
bool world_material_known(world_parts *w, const ynode *n, const char *name); // reports what is not
int64_t world_body_named(world_parts *w, const ynode *n, const char *name);  // -1: reported
// The height of the surface straight over (x, y) of a body standing upright, in its own frame.
double surface_over(const body_type *t, double x, double y);

#endif
