// projector/world/dynamics/aba.h - dynamics of trees of links in generalized coordinates.
//
// Featherstone's articulated-body algorithm with spatial vectors (angular part first, linear part
// at the point O) in world axes about one common point O, so that the recursion needs no
// transforms. Position controllers, joint friction, joint stops, springs that act through several
// joints and contacts with fixed things are implicit in the step.
//
// Velocities stand half a step before the positions they come with: what depends on velocity is
// taken at the positions' time, half a step of the last acceleration on (Verlet's leapfrog).
//
// Several trees may stand side by side: they know nothing of one another.
//
// Owns:      nothing but its arrays; knows neither ODE nor robots.
// Invariant: a node's parent has a smaller index. A step is aba_kinematics, aba_contact_add,
//            aba_solve, any of aba_twist / aba_mobility / aba_push, then aba_finish.
#ifndef FORESEE_PROJECTOR_WORLD_ABA_H
#define FORESEE_PROJECTOR_WORLD_ABA_H

#include "base/math/geom.h"
#include <stddef.h>

// One joint and the link it moves.
typedef struct aba_node {
    // Description; set once.
    int parent; // -1: the world
    bool slides;
    mat3 origin_r; // of the joint in the parent's frame
    vec3 origin_p;
    vec3 axis; // unit, joint frame
    double mass;
    vec3 com;     // link frame
    mat3 inertia; // about the centre of mass, link axes
    double viscous, coulomb, armature;
    double lower, upper;                 // stops; infinite: none
    double stop_stiffness, stop_damping; // of the stops
    // Controller; set before aba_solve. Its effort is feedforward + kp (target - q') +
    // kd (target_velocity - qd') with q', qd' at the end of the step, kept within [low, high].
    double target, target_velocity, feedforward, kp, kd, low, high;
    // State.
    double q, qd;
    double effort; // of the last step, as applied
    // Kinematics, by aba_kinematics.
    mat3 r;
    vec3 p;
    double s[6], v[6], c[6];
    // Of the step, by aba_solve.
    vec3 com_o;                       // from O
    double inertia_o[36], bias[6];    // about O, by columns
    double ia[36], pa[6], u[6], a[6]; // the inertia by columns
    double d, rest, qdd;
    double vm[6];             // spatial velocity at the time of the positions
    double qdd_before;        // of the last step, contacts' and pushes' share included
    double shared;            // effort of the springs on this joint, without what they yield,
    double yield, push_yield; // which is this, by the step and by its pushes
    double step_w[6], step_a[6], step_qdd; // scratch of the springs' yielding
    double friction, stop; // damping of the joint's friction; stop: force without the implicit part
    double stop_implicit;
    bool stopped;                        // the stop at stop_side pushes
    int slip;                            // -1, 1: moves against all of its Coulomb friction
    int clamped;                         // -1, 1: the effort lies at its limit
    double push[6], push_a[6], push_qdd; // pushes of this step, and what they do
    double push_before[6];               // expected, by those of the last steps
    int stop_side;                       // -1, 1: its lower, upper stop is near
    bool driven;                         // in the plane, limited with its neighbour
} aba_node;

// A point of a link against something fixed (or, with other >= 0, another link): a one-sided spring
// and damper along `normal`, which points into `node`, and viscous friction bounded by mu times its
// force.
typedef struct aba_contact {
    int node, other;
    vec3 point, normal;
    double depth, stiffness, damping, mu;
    // Results of the step.
    vec3 force; // on `node`
    // Working values.
    double w[3][6], f0[3], implicit[3];
    bool active;
} aba_contact;

// Springs and dampers that act through the efforts of the joints of one chain together: the
// joints' efforts are `effort` - rows^T rows qdd, beside those of their own controllers and within
// the same limits; a joint at its limit takes no part in them.
enum { ABA_SPRING_JOINTS = 7, ABA_SPRING_ROWS = 6, ABA_PATH_MAX = 64 };
typedef struct aba_spring {
    int count, nodes[ABA_SPRING_JOINTS]; // from the trunk outwards
    double effort[ABA_SPRING_JOINTS];
    double rows[ABA_SPRING_ROWS][ABA_SPRING_JOINTS];
    // Working values.
    int path[ABA_PATH_MAX], length;                       // root to the last joint
    double unit[ABA_SPRING_JOINTS][ABA_PATH_MAX];         // accelerations, by a unit effort each
    double free_rows[ABA_SPRING_ROWS][ABA_SPRING_JOINTS]; // rows of the joints within limits
    double factor[ABA_SPRING_ROWS][ABA_SPRING_ROWS];      // of 1 + rows M^-1 rows^T, Cholesky's
} aba_spring;

// Two nodes after one another that are one drive in the plane: their efforts beyond feedforward are
// limited as a vector.
typedef struct aba_plane {
    int node;       // the first
    double limit;   // 0: none
    bool saturated; // it was at its limit in the last step
} aba_plane;

typedef struct aba {
    aba_node *nodes;
    int count;
    vec3 origin; // O
    vec3 gravity;
    aba_plane *planes; // of the caller
    int plane_count;
    aba_contact *contacts;
    size_t contact_count, contact_capacity;
    aba_spring *springs; // of the caller; before aba_solve
    int spring_count;
} aba;

void aba_init(aba *t, aba_node *nodes, int count, aba_contact *contacts, size_t contact_capacity);

// Poses, spatial velocities and inertias from q and qd, about `origin`. Drops all contacts.
void aba_kinematics(aba *t, vec3 origin);
// Gives a node another mass (kg), centre of mass and inertia about that, both in its frame.
void aba_load(aba *t, int node, double mass, vec3 com, const mat3 *inertia);
// Joint-space inertia of some nodes, armature included: row-major count x count (Featherstone 2008,
// section 6.2). Of the poses of the last aba_kinematics.
void aba_inertia(const aba *t, const int *nodes, int count, double *inertia);
// Effort that holds every node still against gravity, `extra_mass[i]` riding at `extra_com[i]`
// (world) on node i. Writes the nodes' feedforward.
void aba_hold_gravity(aba *t, const double *extra_mass, const vec3 *extra_com);
// Adds a contact; beyond the capacity it is dropped.
void aba_contact_add(aba *t, const aba_contact *c);
// Accelerations under controllers, friction, stops, gravity and contacts.
void aba_solve(aba *t, double dt);
// Twist about O that the node will have at the end of the step, as solved so far (without pushes).
void aba_twist(const aba *t, int node, double dt, double twist[6]);
// How the node's twist answers a wrench about O: symmetric, 6 x 6, acceleration per force.
void aba_mobility(const aba *t, int node, double mobility[36]);
// How much faster an impulse of 1 N s along `axis` makes the node's point `at`, along it: 1/kg.
double aba_yields(const aba *t, const double mobility[36], vec3 at, vec3 axis);
// A force on a node at a point (both world) within the step just solved.
void aba_push(aba *t, int node, vec3 force, vec3 torque, vec3 at);
// Accounts for the pushes, then integrates: qd += dt qdd, q += dt qd. Contacts and efforts get
// their values.
void aba_finish(aba *t, double dt);

// After aba_finish: the effort that reached the node's link in the step, by motor, friction, stop
// and armature together.
double aba_transmitted(const aba_node *n);

// Velocity of the point of a node that is now at `at`, from the twist about the tree's origin.
static inline vec3 aba_point_velocity(const aba *t, const double twist[6], vec3 at) {
    vec3 w = v3(twist[0], twist[1], twist[2]);
    return v3_add(v3(twist[3], twist[4], twist[5]), v3_cross(w, v3_sub(at, t->origin)));
}

#endif
