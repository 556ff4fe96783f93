// projector/world/sim_int.h - what the files of the simulation share. ODE appears here and nowhere
// above.
#ifndef FORESEE_PROJECTOR_WORLD_SIM_INT_H
#define FORESEE_PROJECTOR_WORLD_SIM_INT_H

#include "projector/world/broad.h"
#include "projector/world/machine.h"

enum {
    PLANE_NODES = 3,  // x, y and heading of each base come before the joints of all robots
    CONTACTS_MAX = 4, // of one pair of bodies
    CANDIDATES_MAX = 1024,
    LINK_CONTACTS_MAX = 256,
    SLEEP_STEPS = 50 // that a body has been still before it falls asleep
};

typedef enum collider_kind {
    COLLIDER_FIXED,   // never moves
    COLLIDER_FREE,    // a dynamic body of the world
    COLLIDER_LINK,    // of the robot: geometry moved by the articulated tree
    COLLIDER_HAND,    // palm or finger: a dynamic body tied to the tree
    COLLIDER_PARTICLE // a world body that particles.c answers for; unknown to ODE
} collider_kind;

// One per entity, with the entity's number.
typedef struct collider {
    collider_kind kind;
    const char *name;
    bool on;      // false: another model answers for it; it neither moves nor collides
    bool absent;  // not in the world (and off)
    int surface;  // row of sim.friction
    int node;     // of the tree: of a link, or of the flange that carries the hand
    int arm;      // of a hand
    int machine;  // the robot that it is a part of, or -1
    bool base;    // of a robot
    dBodyID body; // NULL for fixed things, links, and free bodies at rest that are not `kept`
    vec3 com;     // body frame
    double mass;
    mat3 inertia; // of a free body, about the centre of mass
    double restitution;
    bool round_shape; // can roll
    double thin;      // m, what its thinnest shape measures through; infinite for planes
    // Of a free body. At rest it has left ODE, unless joints keep it there, and stands at `rest`.
    bool awake, kept;
    int bonds;            // that it belongs to, which keep it in ODE as well (bonds.c)
    fidelity_level level; // below full it counts as fixed, whatever it is (levels.c)
    bool heaped;          // its contacts were solved by heap.c in this step
    bool tangled;         // of what is heaped: bodies of its heap rest on several others
    size_t held_to;       // by a joint of furniture: entity + 1; 0: none, or the world
    size_t passes; // through this entity + 1, as a model has it (bonds.c), a palm with its fingers;
                   // 0: none
    bool driven;   // another model moves it (drive.c): it is off, and stands at `rest`
    vec3 drive_linear, drive_angular; // then: of its centre of mass, m/s; rad/s
    pose rest;                        // of its centre of mass
    int calm_steps;                   // how long it has been still
    pose stood;                       // in a heap: its centre of mass when it was looked at last,
    int stay_steps;                   // so many steps ago,
    bool stays;                       // and whether it had got nowhere by then
    int round;                        // of contacts_find, in which it was looked at as an awake one
    size_t group; // while it is decided who may sleep: a body that it hangs together with
    bool restless;
    vec3 drawn, velocity_before; // of free bodies: what holds them must resist, m/s2; and their
    size_t ties;                 // contacts joined to it in this step, to tell them apart
                                 // last velocity
    const shape *shapes;
    size_t geom_count;
    dGeomID *geoms;
    mat3 *geom_turns;    // of the shapes, in the frame of what they are of
    bounds *geom_bounds; // one per geom
    bounds bounds;       // of all of them
    // Of a part of the robot, for which boxes around all of it will do until something is near: the
    // box around its shapes, in the frame of what carries them, and the pose of that frame in this
    // step. Settled: its geoms and bounds are where it is, and not such boxes.
    vec3 middle, half;
    mat3 turn;
    vec3 origin;
    bool settled;
    size_t touched; // pairs of this step that it belongs to
} collider;

// A pair of bodies that touch in this step.
typedef struct pair {
    size_t a, b;
    size_t first, count; // of sim.points
    size_t slot;         // of sim.contacts, where it is reported
    bool fresh;          // did not touch in the step before
    bool in_tree;        // both without a body of ODE: a spring of the tree,
    bool between;        // unless they are links of two robots, which push one another (meet.c)
} pair;

typedef struct point {
    dContactGeom geom; // normal from b into a
    dJointFeedback feedback;
    dJointID joint;
    size_t tree_contact; // of the tree's contacts, for links against fixed things
    double sign;         // feedback.f1 acts on a (1) or on b (-1)
    int node;            // link that answers a contact joint, or -1
    double approach;     // closing speed before the step, m/s
    double leaves;       // speed along the normal that a bounce leaves with; 0: none
} point;

// A mesh as ODE wants it; the arrays belong to the mesh or to this.
typedef struct trimesh {
    const mesh *mesh;
    dTriMeshDataID data;
} trimesh;

struct sim {
    model model;
    const world_model *world;
    const robot_model *robot; // of all machines together
    robot_model *fleet;       // the same where there are several, and owned
    machine *machines;
    size_t machine_count;
    int first_joint; // node
    sim_options options;
    nanos now;
    dWorldID ode;
    dJointGroupID contact_joints;
    size_t entity_count, first_link, first_hand, surface_count, self_pair_count;
    collider *colliders;
    double *friction;           // surface x surface
    broad *broad;               // of the world's bodies
    struct vicinity *vicinity;  // what the robot may touch soon (contacts.c)
    size_t *awake, awake_count; // free bodies that are stepped, ascending
    ARRAY(trimesh) meshes;      // that shapes use, as ODE wants them
    size_t (*self_pairs)[2];    // of robot entities that may collide
    hand *hands;
    aba tree;
    double *extra_mass; // by node, for the gravity that controllers hold
    vec3 *extra_com;
    joint_target *targets;
    double *pushes;                // by joint: effort beside what its controller gives
    impedance_control *impedances; // by arm
    double *q, *qd, *effort;       // by joint, after the step
    struct surface_kind *surface_kinds;
    struct furniture *furniture; // by world joint
    struct particles *particles;
    nanos commanded;              // when the last command to the robot came
    size_t lowered_touched;       // pairs of this step of a lowered body with a part of the robot
    struct heap *heap;            // islands of many contacts
    struct exact *exact;          // and of few
    struct bonds *bonds;          // bodies bound to others
    struct drives *drives;        // bodies that another model moves
    struct happening *happenings; // by world event
    ARRAY(size_t) happened;       // in the last step
    ARRAY(pair) pairs;
    ARRAY(point) points;
    bool settles_all; // particles meet the robot's links in every step
    double thinnest;  // m, of all colliders
    ARRAY(sim_passing) passings;
    ARRAY(size_t) passing_near; // scratch of passing.c
    ARRAY(sim_contact) contacts;
    ARRAY(sim_contact) previous;
    ARRAY(pair) reported; // pairs of the last report, with their slots
    bool rested;          // a body fell asleep, woke or was taken out since the last report
    int64_t messages_before;
    int trouble; // steps left with softer contacts since the solver last gave up
};

// ---- control.c: what the controllers aim at -------------------------------------------
void control_init(sim *s);
void control_step(sim *s, double dt);    // targets for the end of the step that begins at s->now
void control_hold(sim *s, size_t joint); // position control, where the joint is

// ---- impedance.c: arms whose tools are on springs --------------------------------------
void impedance_end(sim *s, size_t joint); // of the arm that the joint belongs to, if it has one
void impedance_step(sim *s, double dt);

pose arm_tool(const sim *s, size_t arm); // in the world

// ---- guard.c: arms that keep a margin, and are led by a person --------------------------
// Adds to the efforts of an arm on springs what keeps it off what the robot knows. `base`: where
// the base is.
void guard_arm(sim *s, size_t arm, pose base, aba_spring *spring);
void guard_lead(sim *s); // after aba_solve
bool node_hangs_on(const sim *s, int node, int above);
// Whether a collider is a part of the arm: of its hand, or a link that one of its joints moves.
bool part_of_arm(const sim *s, size_t arm, const collider *c);

// ---- hand.c: palm and fingers in ODE, tied to the flange; or riding on it --------------
void hand_create(sim *s, size_t arm);
void hands_settle(sim *s); // which ride in this step, after contacts_find
// Of hands that ride: moves the fingers, and pushes the flange by what that takes; what the flange
// bears, after aba_finish; puts the bodies where the flange is, after aba_kinematics.
void hand_slide(sim *s, hand *h, double dt);
void hand_feel(sim *s, hand *h);
void hand_place(sim *s, hand *h);
// Of hands that do not ride.
void hand_drive_fingers(sim *s, hand *h);
// Sets the motors that tie the palm to the flange, from the tree as solved.
void hand_couple(sim *s, hand *h, double dt);
vec3 hand_com(const sim *s, const hand *h); // of palm and fingers together, world
// Returns the motors' forces to the tree.
void hand_return(sim *s, hand *h);

// ---- meet.c: links of two robots -------------------------------------------------------
// Pushes both with equal and opposite forces, after aba_solve.
void machines_push(sim *s, double dt);

// ---- geoms.c: shapes as ODE has them ----------------------------------------------------
// Geometry of a collider: attached to its body at its centre of mass, or standing at `at`.
void geoms_create(sim *s, collider *c, const shape *shapes, size_t count, pose at);
// Attaches the geoms to the collider's body, or lets them stand where they are.
void geoms_attach(collider *c);
void geoms_detach(collider *c);
void geoms_destroy(sim *s); // of all colliders

// ---- sleep.c ---------------------------------------------------------------------------
// From then on the free body is stepped, and may be pushed or moved; what was lowered is raised.
// Nothing for what is awake, fixed or off.
void body_wake(sim *s, size_t entity);
// Stops a free body where it is and steps it no longer.
void body_rest(sim *s, size_t entity);
void sleep_step(sim *s);             // after the step of ODE
void bodies_spin(sim *s, double dt); // the gyroscopic torques, before the step of ODE
// The angular velocity that the body would have where it is turned by `to` s of it from `now`
// halved, of the momentum that it has with `w` where it is turned by `from` so. What ODE has is
// that of half a step before.
vec3 spin_shifted(const collider *c, quat now, vec3 w, double from, double to);

// ---- levels.c --------------------------------------------------------------------------
// A body that was lowered is full again, and asleep; nothing for others.
void body_raise(sim *s, size_t entity);

// ---- touch.c ------------------------------------------------------------------------
void contacts_report(sim *s); // fills s->contacts, after aba_finish

// ---- contacts.c -----------------------------------------------------------------------
// Finds what touches; links against fixed things go to the tree, everything else waits in `points`.
void contacts_find(sim *s);
void contacts_destroy(sim *s);
void contacts_join(sim *s, double dt); // makes the contact joints, after aba_solve
void contacts_return(sim *s);          // forces on links back to the tree, after the step of ODE
// Makes geoms and bounds of a link exact; nothing for others.
void contacts_settle(sim *s, size_t entity);
// Whether two entities may touch at all; whether they touched in this step; how deep they are in
// one another where their geoms are by now, m, or -1.
bool contacts_may_meet(const sim *s, size_t a, size_t b);
bool contacts_met(const sim *s, size_t a, size_t b);
double contacts_depth(sim *s, size_t a, size_t b);
// Others look for the body of the world where its geoms are by now.
void contacts_follow(sim *s, size_t body);
// Puts a body of the world where its geoms are by now. How deep something else is in it, m.
double contacts_place(sim *s, size_t body);
void contacts_move_links(sim *s); // links are where the tree has them
// E_INPUT naming the first pair of bodies that overlaps; finds the robot's own ignored pairs first.
status contacts_check_start(sim *s, error *err);

static const double LINK_STIFFNESS = 5e5, LINK_DAMPING = 5e3; // N/m, N s/m: of a link's surface
static const double CORRECT = 0.3;        // m/s, fastest correction of a penetration
static const double FRICTION_CFM = 1e-6;  // creeps a micrometre in a second under 1 N
static const double CONTACT_LAYER = 5e-5; // m: so deep bodies sink in without being pushed out

static inline void quat_to_ode(quat q, dReal *out) {
    out[0] = q.w, out[1] = q.x, out[2] = q.y, out[3] = q.z;
}
// Pairs in the order of their bodies' numbers.
static inline int pair_order(const pair *p, const pair *q) {
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}
static inline machine *machine_of_arm(const sim *s, size_t arm) {
    return &s->machines[s->colliders[s->hands[arm].palm].machine];
}
static inline bool collider_asleep(const collider *c) {
    return c->kind == COLLIDER_FIXED || (c->kind == COLLIDER_FREE && !c->awake);
}
// The body that leads the group that an awake one hangs together with.
static inline size_t collider_group(sim *s, size_t entity) {
    while (s->colliders[entity].group != entity)
        entity = s->colliders[entity].group = s->colliders[s->colliders[entity].group].group;
    return entity;
}
static inline vec3 from_ode(const dReal *v) {
    return v3(v[0], v[1], v[2]);
}
// Velocity of the material point of an entity that is now at `at`.
vec3 collider_velocity(const sim *s, const collider *c, vec3 at);

#endif
