// projector/world/sim_int.h - what the files of the simulation share. ODE appears here and nowhere
// above.
#ifndef FORESEE_PROJECTOR_WORLD_SIM_INT_H
#define FORESEE_PROJECTOR_WORLD_SIM_INT_H

#include "projector/world/aba.h"
#include "projector/world/sim.h"
#include <ode/ode.h>

enum {
    PLANE_NODES = 3,  // x, y and heading of the base come before the robot's joints
    CONTACTS_MAX = 4, // of one pair of bodies
    CANDIDATES_MAX = 256,
    LINK_CONTACTS_MAX = 256
};

typedef enum collider_kind {
    COLLIDER_FIXED, // never moves
    COLLIDER_FREE,  // a dynamic body of the world
    COLLIDER_LINK,  // of the robot: geometry moved by the articulated tree
    COLLIDER_HAND   // palm or finger: a dynamic body tied to the tree
} collider_kind;

typedef struct bounds {
    double low[3], high[3];
} bounds;

// One per entity, with the entity's number.
typedef struct collider {
    collider_kind kind;
    const char *name;
    bool on;      // false: another model answers for it; it neither moves nor collides
    int surface;  // row of sim.friction
    int node;     // of the tree: of a link, or of the flange that carries the hand
    int arm;      // of a hand
    dBodyID body; // NULL for fixed things and links
    vec3 com;     // body frame
    double mass;
    double restitution;
    int calm_steps; // of a free body: how long it has been at rest
    bool asleep;
    vec3 drawn, velocity_before; // of free bodies: what holds them must resist, m/s2; and their
    size_t ties;                 // contacts joined to it in this step, to tell them apart
                                 // last velocity
    const shape *shapes;
    size_t geom_count;
    dGeomID *geoms;
    bounds *geom_bounds; // one per geom
    bounds bounds;       // of all of them
} collider;

typedef struct hand {
    size_t palm, fingers[2]; // entities
    int node;                // flange
    pose mount;
    dJointID linear, angular, sliders[2];
    dJointFeedback linear_feedback, angular_feedback;
    double opening, force; // commanded
    double start;          // distance of each pad from the middle at slider position 0
    double mass;           // of palm and fingers
    double pad_force[2];   // of the last step
    shape palm_shape, pad_shape;
    vec3 at; // of the palm's centre of mass before the step of ODE
} hand;

// The target of one joint's controller: a cubic from (from, from_velocity) at `start` to (to,
// to_velocity) at `end`, on the line of the velocity until `coast`, then still.
typedef struct joint_target {
    nanos start, end, coast;
    double from, from_velocity, to, to_velocity;
} joint_target;

typedef struct drive {
    double vx, vy, wz;        // commanded, base frame
    double ref[3], ref_qd[3]; // x, y, heading in the world
    double mass, inertia;
} drive;

// A pair of bodies that touch in this step.
typedef struct pair {
    size_t a, b;
    size_t first, count; // of sim.points
    bool in_tree;        // both without a body of ODE: a spring of the tree
} pair;

typedef struct point {
    dContactGeom geom; // normal from b into a
    dJointFeedback feedback;
    dJointID joint;
    size_t tree_contact; // of the tree's contacts, for links against fixed things
    double sign;         // feedback.f1 acts on a (1) or on b (-1)
    int node;            // link that answers a contact joint, or -1
    double approach;     // closing speed before the step, m/s
} point;

struct sim {
    model model;
    const world_model *world;
    const robot_model *robot;
    sim_options options;
    nanos now;
    dWorldID ode;
    dJointGroupID contact_joints;
    size_t entity_count, first_link, first_hand;
    collider *colliders;
    double *friction; // surface x surface
    size_t surface_count;
    bool *ignored_fixed; // world bodies that the base rolls on
    size_t *free_bodies, *fixed_bodies, free_count, fixed_count;
    size_t (*self_pairs)[2]; // of robot entities that may collide
    size_t self_pair_count;
    hand *hands;
    aba tree;
    double *extra_mass; // by node, for the gravity that controllers hold
    vec3 *extra_com;
    joint_target *targets;
    drive drive;
    double *q, *qd, *effort; // by joint, after the step
    ARRAY(pair) pairs;
    ARRAY(point) points;
    ARRAY(sim_contact) contacts;
    ARRAY(sim_contact) previous;
    int64_t messages_before;
    int trouble; // steps left with softer contacts since the solver last gave up
};

// ---- control.c: what the controllers aim at -------------------------------------------
void control_init(sim *s);
void control_step(sim *s, double dt); // targets for the end of the step that begins at s->now

// ---- hand.c: palm and fingers in ODE, tied to the flange ------------------------------
void hand_create(sim *s, size_t arm);
void hand_drive_fingers(sim *s, hand *h);
// Sets the motors that tie the palm to the flange, from the tree as solved.
void hand_couple(sim *s, hand *h, double dt);
// Returns the motors' forces to the tree.
void hand_return(sim *s, hand *h);

// ---- sleep.c ---------------------------------------------------------------------------
void sleep_step(sim *s); // after the step of ODE

// ---- contacts.c -----------------------------------------------------------------------
// Finds what touches; links against fixed things go to the tree, everything else waits in `points`.
void contacts_find(sim *s);
void contacts_join(sim *s, double dt); // makes the contact joints, after aba_solve
void contacts_return(sim *s);          // forces on links back to the tree, after the step of ODE
void contacts_report(sim *s);          // fills s->contacts, after aba_finish
void contacts_move_links(sim *s);      // geometry of links to where the tree has them
// E_INPUT naming the first pair of bodies that overlaps; finds the robot's own ignored pairs first.
status contacts_check_start(sim *s, error *err);

static const double CONTACT_LAYER = 2e-4; // m: so deep bodies sink in without being pushed out

static inline void quat_to_ode(quat q, dReal *out) {
    out[0] = q.w, out[1] = q.x, out[2] = q.y, out[3] = q.z;
}
static inline vec3 from_ode(const dReal *v) {
    return v3(v[0], v[1], v[2]);
}
// Velocity of the material point of an entity that is now at `at`.
vec3 collider_velocity(const sim *s, const collider *c, vec3 at);

#endif
