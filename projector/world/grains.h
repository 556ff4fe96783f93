// projector/world/grains.h - soft spheres: their forces, and their motion over one step, whoever
// has them.
//
// The discrete element method of Cundall and Strack (1979): a spring and a dashpot along the normal
// of each contact, a spring across it that slips at Coulomb's limit, spheres that do not turn. Each
// step is cut into GRAIN_SUBSTEPS, and the spring follows from their length h as k = m (STIFF /
// h)^2: a sphere sinks in by g (h / STIFF)^2 = 12 um under its own weight at steps of 2 ms,
// whatever its mass, and by v h / STIFF when it hits at speed v; it stays out of a wall up to about
// 5 m/s for a radius of 6 mm. A sphere in the midst of others has at most four times a single
// contact's stiffness along any direction, so that the largest frequency of the pile is 2 sqrt 2
// STIFF / h = 0.64 / h; with damping DAMPED this is well inside the stability of the semi-implicit
// rule.
//
// Within a step the bodies that spheres touch keep the velocities that they begin it with, except
// those that nothing holds: these answer to the spheres as they would in free flight.
//
// Owns:      the spheres, and what was found of a step. The surfaces are lent for a step.
// Invariant: results depend on the order of spheres, partners and walls, which is the caller's.
#ifndef FORESEE_PROJECTOR_WORLD_GRAINS_H
#define FORESEE_PROJECTOR_WORLD_GRAINS_H

#include "projector/world/broad.h"
#include "scene/shape/shape.h"

enum { GRAIN_SUBSTEPS = 8, GRAIN_HOLDS_MAX = 24, GRAIN_TOUCHES_MAX = 6 };
static const double GRAIN_WAKING = 0.02; // m/s: so fast a blow wakes what sleeps
static const double GRAIN_SLACK =
    2e-4; // m, that neighbours are looked for beyond where they can get

// The spring across a contact, while it lasts.
typedef struct grain_hold {
    uint64_t with;
    vec3 stretch;
    int64_t seen; // substep
} grain_hold;

// The force between a sphere and one entity, on average over the last step.
typedef struct grain_touch {
    size_t entity;
    vec3 force, point, normal; // on the sphere; normal towards it
    double approach, depth;
} grain_touch;

typedef struct grain {
    size_t entity; // of the world
    int surface;   // row of the table of frictions
    double radius, mass, stiffness, damped;
    vec3 x, v, f; // of its centre: m, m/s, N
    bool here;    // it is part of the step
    bool awake;
    bool lent; // the caller's, as is the next
    int calm_steps;
    int next; // in its cell, or -1
    size_t hold_count, touch_count;
    grain_hold holds[GRAIN_HOLDS_MAX];
    grain_touch touches[GRAIN_TOUCHES_MAX];
} grain;

// An entity that spheres may touch in this step.
typedef struct grain_partner {
    size_t entity;
    bool flies, moves;
    vec3 center, v, w;   // of its centre of mass; at the step's begin, but for what flies
    vec3 shift, turn;    // since the step's begin
    vec3 force, torque;  // on it, substep by substep; about `center`
    vec3 impulse, twist; // summed over the step: N s, N m s
    double mass;
    mat3 inverse_inertia; // world axes, of what flies
    bool hit;             // faster than GRAIN_WAKING
} grain_partner;

// One of its shapes.
typedef struct grain_surface {
    size_t partner;
    int surface; // row of the table of frictions
    const shape *shape;
    uint64_t id; // that no sphere and no other shape has
    pose at;
    mat3 r;
} grain_surface;

typedef struct grain_pair {
    int i, j;
} grain_pair;
typedef struct grain_wall {
    int i;
    size_t surface;
} grain_wall;

typedef struct grains {
    grain *items;
    size_t count;
    double largest; // radius
    vec3 gravity;
    const double *friction; // surface x surface; borrowed
    size_t surface_count;
    ARRAY(grain_partner) partners; // the caller's, before a step
    ARRAY(grain_surface) surfaces;
    ARRAY(grain_wall) walls; // spheres that may touch a surface in this step, in this order
    ARRAY(grain_pair) pairs;
    ARRAY(int) struck; // spheres that sleep and were hit
    int *cells;        // the first sphere of each, or -1
    int *looked;       // the last sphere whose neighbours were looked for in it
    size_t cell_mask;
    int64_t substep;
} grains;

// Room for so many spheres, all 0: the caller makes them. `step`, s, is the longest that there will
// be.
void grains_init(grains *g, size_t count);
grain grain_make(double radius, double mass, double restitution, double step);
void grains_finish(grains *g);
// Whether a point is within `reach` of a box.
bool grain_reaches(const bounds *b, vec3 x, double reach);
// The surface's shape, whose bounds these are, may touch any sphere that is awake and within
// `reach` of it: adds the surface and its walls. False: none, and nothing is added.
bool grains_offer(grains *g, const grain_surface *s, const bounds *at, double reach);
void grains_sort_walls(grains *g);
// Advances all that are awake by dt, s; what the partners got is in them.
void grains_step(grains *g, double dt);

#endif
