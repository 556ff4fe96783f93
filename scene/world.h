// scene/world.h - the immutable description of a world: what planner, belief, simulation and
// drawing know.
//
// Everything is loaded once and never changes; strings and arrays live in the model's arena. Units
// are metres, kilograms, radians, seconds. A body's frame is where its shapes, centre of mass and
// interior are given; its origin rests on the lower face unless the file says otherwise.
#ifndef FORESEE_SCENE_WORLD_H
#define FORESEE_SCENE_WORLD_H

#include "base/geom.h"
#include "base/mem.h"
#include "base/status.h"
#include "base/times.h"
#include "base/yaml_read.h"

typedef enum shape_kind {
    SHAPE_BOX,      // size: full extents
    SHAPE_CYLINDER, // size.x radius, size.z length, along z
    SHAPE_SPHERE,   // size.x radius
    SHAPE_CAPSULE,  // size.x radius, size.z length of the cylindric part, along z
    SHAPE_PLANE     // the half space under z = 0 of its pose
} shape_kind;
const char *shape_kind_name(shape_kind k);

typedef struct shape {
    shape_kind kind;
    pose at; // in the body's or link's frame
    vec3 size;
} shape;

typedef struct property {
    const char *key, *value;
} property;

// What kind of thing a body is; the robot knows these a priori (its catalogue), not the instances.
typedef struct body_type {
    const char *name;
    const shape *shapes;
    size_t shape_count;
    double mass;          // kg; 0 for fixed things
    double believed_mass; // what the robot's catalogue says, whatever was set
    vec3 com;             // centre of mass, body frame
    mat3 inertia;         // about the centre of mass, body axes, kg m^2
    double friction;      // Coulomb coefficient of its material against an average partner
    double restitution;
    const char *material; // for pairs of materials
    vec3 up;              // the axis that points up when it stands as it should, body frame
    bool has_interior;    // a container
    shape interior;
    double break_impulse; // N s; infinity: cannot break
    // How it is grasped from above: the radius at which the fingers straddle its wall (0: the whole
    // width at the centre), the width there and the height band of the wall, body frame.
    double grasp_radius, grasp_width, grasp_low, grasp_high;
    size_t grasp_facets; // of a wall of flat facets, 0 for round or straddled whole
} body_type;

typedef struct world_body {
    const char *name;
    const body_type *type; // of its own for bodies that declare shapes themselves
    const char *color;     // a name: red, white, ...
    vec3 rgb;              // 0..1
    pose at;               // initial, world frame
    bool fixed;            // part of the building or furniture that never moves
    bool known;            // the robot knows it and its pose a priori
    const property *properties;
    size_t property_count;
} world_body;

// A named area on top of a body: a place at the table, the counter's top.
typedef struct world_region {
    const char *name;
    size_t body; // index of the body it belongs to (its support)
    pose at;     // centre, in the body's frame, z up; a body put there has its origin here
    double half_x, half_y; // metres
    double
        tolerance; // metres: how far from the centre counts as within; 0: anywhere inside the area
    double angle_tolerance; // radians; infinity where orientation is free
} world_region;

typedef struct material_pair {
    const char *a, *b;
    double friction;
} material_pair;

typedef struct world_source { // a file that was read
    const char *kind, *name,
        *text; // world | robot | plan | routine | rules; name relative to the plan's folder
    size_t length;
} world_source;

typedef struct world_model {
    arena *arena;
    const char *name;
    vec3 gravity;
    const body_type *types;
    size_t type_count;
    const world_body *bodies;
    size_t body_count;
    const world_region *regions;
    size_t region_count;
    const material_pair *pairs;
    size_t pair_count;
    pose robot_at; // where the robot's base starts (planar), as the robot is told too
    parameters params;
    const world_source *sources;
    size_t source_count;
} world_model;

// Loads a world file, with `set` of scope "world" applied. `base` is the folder that names of files
// are given relative to in sources (NULL: as `path` is written). On OK the caller owns *out.
status world_load(const char *path, const char *base, const settings *set, world_model **out,
                  errors *list);
void world_destroy(world_model *w);
// What the robot may know: types, regions and the bodies marked `known`, and nothing else. Of a
// type it knows the shapes and the believed mass, spread evenly; true friction, restitution and
// what breaks it are unknown (NAN). The caller owns *out; it holds no reference to `w`.
world_model *world_known(const world_model *w);
int64_t world_find_body(const world_model *w, const char *name);   // -1: none
int64_t world_find_region(const world_model *w, const char *name); // -1: none
const body_type *world_find_type(const world_model *w, const char *name);
// Friction between two materials: the declared pair, else the geometric mean of the two
// coefficients.
double world_friction(const world_model *w, const char *material_a, double mu_a,
                      const char *material_b, double mu_b);
// The axis-aligned bounds of shapes at a pose. Planes are left out; false when nothing is left.
bool shapes_bounds(const shape *shapes, size_t count, pose at, vec3 *low, vec3 *high);
// In the three functions below `at` is the pose of the shape's own frame, that is the body's or
// link's pose times `shape.at`, which the callers compute once: pose_mul(body, s->at). `shape.at`
// is not read. Signed distance from a point to a shape's surface (negative inside); exact outside.
double shape_distance(const shape *s, pose at, vec3 point);
// First hit of a ray (unit direction) with the shape's surface from outside: its distance, or
// infinity.
double shape_ray(const shape *s, pose at, vec3 origin, vec3 direction);
// The distance between two shapes (within 0.01 mm), 0 where they overlap; two planes: 0.
double shape_gap(const shape *a, pose at_a, const shape *b, pose at_b);
// The height (world z) of the highest point of a body, and of the surface straight over a point
// (x, y) of the body's own frame for a body that stands upright; -infinity where there is nothing.
double world_support_height(const world_model *w, size_t body);
double world_support_height_at(const world_model *w, size_t body, double x, double y);
// The lowest point of a body (z in the body's frame), given as it stands upright.
double body_type_lowest(const body_type *t);

#endif
