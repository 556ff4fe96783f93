// scene/world/world.h - the immutable description of a world: what planner, belief, simulation and
// drawing know.
//
// Everything is loaded once and never changes; strings and arrays live in the model's arena. Units
// are metres, kilograms, radians, seconds. A body's frame is where its shapes, centre of mass and
// interior are given; its origin rests on the lower face unless the file says otherwise.
#ifndef FORESEE_SCENE_WORLD_WORLD_H
#define FORESEE_SCENE_WORLD_WORLD_H

#include "base/files/files.h"
#include "base/math/geom.h"
#include "base/mem.h"
#include "base/status.h"
#include "base/time/times.h"
#include "base/yaml/yaml_read.h"
#include "scene/load/colors.h"
#include "scene/load/source.h"
#include "scene/shape/shape.h"
#include "scene/world/ensemble.h"

typedef struct property {
    const char *key, *value;
} property;

// One way in which hands take hold of a body, given in the body's frame. The robot's catalogue
// knows them.
typedef enum grasp_kind {
    GRASP_TOP,  // from above: fingers straddle a wall at `radius` from the z axis (0: the whole
                // width at the centre), `width` thick there, in the height band low..high
    GRASP_SIDE, // from beside, hand level: fingers straddle the body's whole `width` at its z axis,
                // pads within low..high; `facets` 0: from any direction (round)
    GRASP_HANDLE // a bar: `at` is where the tool goes (z approaches, y across the fingers), `width`
                 // thick; two of them with the same `both` > 0 are taken by two hands at once
} grasp_kind;
typedef struct grasp_way {
    grasp_kind kind;
    double radius, width, low, high; // m
    size_t facets;                   // of a wall of flat facets, 0 for round or straddled whole
    pose at;                         // of a handle
    int both;                        // 0: one hand is enough
} grasp_way;

// The kind of thing that a body is; the robot knows the types a priori (its catalogue), not the
// instances.
typedef struct body_type {
    const char *name;
    bool own; // of one body alone, which declares its shapes itself: no type of the catalogue
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
    double break_impulse;    // N s; infinity: cannot break
    const grasp_way *grasps; // all the ways, best first
    size_t grasp_count;
    const property *properties; // of every body of this type; tags are properties with key `tag`
    size_t property_count;
} body_type;

typedef struct world_body {
    const char *name;
    const body_type *type; // of its own for bodies that declare shapes themselves
    const char *color;     // a name: red, white, ...
    vec3 rgb;              // 0..1
    pose at;               // initial, world frame
    vec3 velocity, spin;   // initial, of the centre of mass, world frame: m/s, rad/s
    bool fixed;            // part of the building or furniture that never moves
    bool known;            // the robot knows it and its pose a priori
    bool absent;           // not there until an event adds it
    bool particle;         // one drop or grain of a fill: a sphere that the camera does not report
    int64_t inside;        // of a particle: the body it was poured into; -1 otherwise
    int64_t on;            // the body that it was put on or in, as the file says; -1: none
    const property *properties;
    size_t property_count;
    const char *file; // where it is named, for messages; NULL: nowhere
    int line, column;
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

// Articulated furniture: `body` (a door, a drawer; never `fixed`) moves against `base` by one
// joint. At position 0 `body` stands at its own world_body.at. Positions in rad or m.
typedef enum world_joint_kind { WORLD_HINGE, WORLD_SLIDER } world_joint_kind;
typedef struct world_joint {
    const char *name;
    world_joint_kind kind;
    int64_t base; // body; -1: the world
    size_t body;
    pose origin;         // of the joint in the world, at the start; unit x is the reference
    vec3 axis;           // unit, world frame, at the start
    double lower, upper; // stops
    double start;        // initial position
    double friction;     // Coulomb, N m or N
    double damping;      // N m s or N s/m
    double latch;        // N m or N that holds it at `lower` until overcome; 0: none
    bool known;          // the robot knows of it (its body's `known`)
} world_joint;

// An event that neither the robot nor physics brings about.
typedef enum condition_kind {
    WHEN_AT,       // time >= value (s)
    WHEN_NEAR,     // distance of the origins of a and b in the plane <= value (m)
    WHEN_TOUCHING, // a touches b
    WHEN_ABOVE,    // origin of a at least `value` m high
    WHEN_BELOW,    // at most
    WHEN_MOVED,    // a is more than `value` m from where it started
    WHEN_OPEN,     // joint `joint` at least at `value` (rad, m)
    WHEN_AND,
    WHEN_OR,
    WHEN_NOT
} condition_kind;
typedef struct condition {
    condition_kind kind;
    int64_t a, b; // bodies; -1: the robot (its base for places, any of its parts for touching)
    size_t joint;
    double value;
    const struct condition *left, *right;
} condition;
typedef enum event_kind {
    EVENT_MOVE,  // a person takes `body` and puts it at `to` within `over`: a strong hand, not a
                 // jump
    EVENT_FORCE, // `force` (N, world) acts at `point` (body frame) of `body` for `over`
    EVENT_WET,   // friction of everything with `material`, or of `body`, becomes `value`
    EVENT_JOINT, // someone moves joint `joint` to `value` within `over`
    EVENT_ADD,   // an absent body appears at `to`
    EVENT_REMOVE // a body is taken away
} event_kind;
typedef struct world_event {
    const char *name;
    const condition *when; // fires once, at the first physics step where it holds
    const char *when_text; // the same, as a term
    double after;          // s from then until it happens
    event_kind kind;
    int64_t body; // -1: none
    size_t joint;
    const char *material;
    pose to; // world
    vec3 force, point;
    double over, value; // s; coefficient, rad or m
    const char *term;   // as the log names it: moved_by_person(cup_1), wet(pad), ...
} world_event;

// Where a re-run departs from nature (intervene.h). Things are numbered as the simulation's
// entities: bodies, links, palm and fingers of each arm.
typedef struct world_exceptions {
    bool *transparent;    // hides nothing from the camera
    bool *seen;           // of bodies: reported whenever it is in picture and range
    size_t (*ghostly)[2]; // pairs that pass through each other, the smaller number first
    size_t ghostly_count;
} world_exceptions;

// How finely a body is simulated, from the finest to the coarsest.
typedef enum fidelity_level {
#define LEVEL(id, name, doc) LEVEL_##id,
#include "scene/world/levels.def"
#undef LEVEL
    LEVEL_COUNT
} fidelity_level;
const char *fidelity_level_name(fidelity_level level);

// How near counts as near while an operation of this name runs.
typedef struct fidelity_operation {
    const char *name;
    double near; // m
    ensemble_place at;
} fidelity_operation;

// What is simulated less finely while nobody looks, as the section `fidelity` says.
typedef struct world_fidelity {
    bool bodies; // the bodies that can move are managed
    double near; // m around the robot, within which they are at full fidelity
    const fidelity_operation *operations; // instead, while one of these runs: the largest
    size_t operation_count;
    fidelity_level medium, far; // beyond; and where nothing that moves can come
    int64_t still;              // steps of the physics that a body has been still, to be lowered
    double every;               // s, how often everything is raised
    int64_t big;                // bodies of a heap, beyond which a hand in it does not raise it all
    bool parked;                // no steps are made while nothing moves
    const char *from;           // the file, or FIDELITY_FULL, that stands for the section; NULL: it
} world_fidelity;
// A setting of this scope replaces the section: by nothing, or by the section in a file.
#define FIDELITY_SCOPE "fidelity"
#define FIDELITY_FULL "full"

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
    const world_joint *joints;
    size_t joint_count;
    const world_event *events;
    size_t event_count;
    const world_exceptions *exceptions; // NULL: none
    world_fidelity fidelity;
    world_ensemble ensemble;
    pose robot_at; // where the robot's base starts (planar), as the robot is told too
    parameters params;
    const world_source *sources;
    size_t source_count;
} world_model;

// Loads a world file, with `set` of scope "world" applied. `base` is the folder that names of files
// are given relative to in sources (NULL: as `path` is written). On OK the caller owns *out.
status world_load(const char *path, const char *base, const settings *set, world_model **out,
                  errors *list);
// The same from files in memory (NULL: the disk).
status world_load_from(const file_set *files, const char *path, const char *base,
                       const settings *set, world_model **out, errors *list);
void world_destroy(world_model *w);
// Gives what the robot may know: types, regions and the bodies marked `known`, and nothing else. Of
// a type it knows the shapes and the believed mass, spread evenly; true friction, restitution and
// what breaks it are unknown (NAN). Of a joint it knows how it moves, its stops and how it stands
// at the start; friction, damping and latch are unknown (NAN). The caller owns *out; it holds no
// reference to `w`.
world_model *world_known(const world_model *w);
// Gives the world that a simulation of what a robot knows is made of. `known` comes from
// world_known, and its bodies keep their numbers. What it leaves unknown is assumed: friction and
// restitution are those of a type that says nothing, nothing breaks, and joints move freely. Behind
// its bodies come `spare` absent ones of each type of the catalogue that can move, for what the
// robot comes to know, and last so many `plates`, fixed, level and absent: surfaces that it feels.
// The caller owns *out; it holds no reference to `known`.
world_model *world_assumed(const world_model *known, size_t spare, size_t plates);
int64_t world_find_body(const world_model *w, const char *name);  // -1: none
int64_t world_find_joint(const world_model *w, const char *name); // -1: none
int64_t world_joint_of(const world_model *w, size_t body);        // that moves this body; -1: none
bool world_carries_joints(const world_model *w, size_t body);     // a joint moves a body against it
// The pose in the world of a joint's body with the joint at `position` and its base where it
// started.
pose world_joint_pose(const world_model *w, size_t joint, double position);
int64_t world_find_region(const world_model *w, const char *name); // -1: none
// How a joint at `position` displaces what stands at `at` when it is at 0.
pose joint_displaced(const world_joint *j, pose at, double position);
const body_type *world_find_type(const world_model *w,
                                 const char *name); // of the catalogue; NULL: none
// The name that cameras give things of this type: its name, and TYPE_UNKNOWN for a body's own type,
// whose name would tell which body it is.
#define TYPE_UNKNOWN "thing"
const char *body_type_seen_as(const body_type *t);
// Returns whether cameras may take one for the other: their extents differ by no more than a
// quarter of the larger in any direction.
bool body_types_alike(const body_type *a, const body_type *b);
// Friction between two materials: the declared pair, else the geometric mean of the two
// coefficients.
double world_friction(const world_model *w, const char *material_a, double mu_a,
                      const char *material_b, double mu_b);
// The height (world z) of the highest point of a body, and of the surface straight over a point
// (x, y) of the body's own frame for a body that stands upright; -infinity where there is nothing.
double world_support_height(const world_model *w, size_t body);
double world_support_height_at(const world_model *w, size_t body, double x, double y);
// The lowest point of a body (z in the body's frame), given as it stands upright.
double body_type_lowest(const body_type *t);
// How far straight below a point (world frame, m) the nearest body other than `body` lies;
// infinite: there is none.
double world_gap_below(const world_model *w, size_t body, vec3 from);

// Adds what is legal in a world and hardly meant: gravity that points upwards, things in mid-air.
// `path`: its file.
void world_remarks(const world_model *w, const char *path, errors *warnings);

#endif
