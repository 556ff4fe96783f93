// projector/world/bonds.c - bodies that are bound to a carrier: rigidly, or with a limited force.
//
// A rigid bond is a fixed joint of ODE, solved with the contacts. A limited one is a spring and a
// damper at the body's centre of mass, whose force and torque are cut off at what the bond bears.
// Its stiffness is m w^2 and its damping 2 m w (critical), of the mass m that the two oppose to
// one another at that point, and of the inertia likewise; w dt = 0.2 is well within what explicit
// steps stand (semi-implicit Euler: 2 w dt < 2 - (w dt)^2 / 2).
#include "projector/world/bonds.h"
#include "projector/world/things.h"

static const double DEEP = 1e-3;     // m, by which something may be in what is bound
static const double QUICKNESS = 0.2; // w dt

typedef struct bond {
    size_t body, carrier;
    double force, torque;
    dJointID joint; // NULL: a limited one
    pose at;        // limited: the body's centre of mass in the frame of the carrier's
    bool bears;     // limited: the body's weight, before it gives way
} bond;

struct bonds {
    ARRAY(bond) all;
};

void bonds_create(sim *s) {
    s->bonds = mem_must(1, sizeof *s->bonds);
}

void bonds_destroy(sim *s) {
    if (s->bonds)
        array_finish(&s->bonds->all);
    free(s->bonds); // the joints go with the world of ODE
}

bool sim_find_carrier(const sim *s, const char *name, size_t *entity) {
    int64_t arm = robot_find_arm(s->robot, name);
    if (arm >= 0) {
        *entity = sim_entity_palm(s, (size_t)arm);
        return true;
    }
    for (size_t i = 0; i < s->first_link; i++)
        if (s->colliders[i].kind != COLLIDER_PARTICLE && strcmp(s->colliders[i].name, name) == 0) {
            *entity = i;
            return true;
        }
    return false;
}

bool sim_bindable(const sim *s, size_t body) {
    const world_body *b = &s->world->bodies[body];
    return !b->fixed && !b->particle && world_joint_of(s->world, body) < 0;
}

// ---- Frames -------------------------------------------------------------------------------------

// Of its centre of mass.
static pose frame_of(const collider *c) {
    if (!c->body)
        return c->rest;
    const dReal *q = dBodyGetQuaternion(c->body);
    return (pose){from_ode(dBodyGetPosition(c->body)), {q[0], q[1], q[2], q[3]}};
}

static vec3 spin_of(const collider *c) {
    return c->body ? from_ode(dBodyGetAngularVel(c->body)) : v3(0, 0, 0);
}

// ---- Making and ending --------------------------------------------------------------------------

static bond *bond_of(const sim *s, size_t body) {
    for (size_t i = 0; i < s->bonds->all.count; i++)
        if (s->bonds->all.items[i].body == body)
            return &s->bonds->all.items[i];
    return NULL;
}

bool sim_bound(const sim *s, size_t body) {
    return bond_of(s, body) != NULL;
}

size_t sim_carrier(const sim *s, size_t body) {
    const bond *b = bond_of(s, body);
    return b ? b->carrier : SIZE_MAX;
}

// Why nothing can be done with it from outside: it is not there, is lowered, or another model moves
// it.
static const char *body_lost(const collider *c, arena *a) {
    return c->absent ? arena_format(a, "%s is not there", c->name)
           : c->level != LEVEL_FULL
               ? arena_format(a, "%s is simulated at a lower fidelity", c->name)
           : c->driven ? arena_format(a, "another model moves %s", c->name)
                       : NULL;
}

const char *body_held(const sim *s, size_t body, arena *a) {
    const collider *c = &s->colliders[body];
    const char *why = body_lost(c, a);
    return !why && c->kept && !sim_bound(s, body)
               ? arena_format(a, "a person has %s in hand", c->name)
               : why;
}

const char *body_deep(const sim *s, size_t body, arena *a) {
    size_t count;
    const sim_contact *all = sim_contacts(s, &count);
    for (size_t i = 0; i < count; i++)
        if ((all[i].a == body || all[i].b == body) && all[i].depth > DEEP)
            return arena_format(a, "%s is %.1f mm deep in %s", s->colliders[body].name,
                                all[i].depth * 1e3,
                                s->colliders[all[i].a == body ? all[i].b : all[i].a].name);
    return NULL;
}

const char *sim_bond_refusal(const sim *s, size_t body, size_t carrier, arena *a) {
    const collider *b = &s->colliders[body], *c = &s->colliders[carrier];
    const char *why = body_held(s, body, a);
    if (!why)
        why = body_lost(c, a);
    if (why)
        return why;
    size_t up = carrier;
    for (const bond *held = bond_of(s, up); up != body && held; held = bond_of(s, up))
        up = held->carrier;
    if (up == body)
        return arena_format(a, "%s is carried by %s itself", c->name, b->name);
    return body_deep(s, body, a);
}

static void bond_awake(sim *s, const bond *b) {
    const size_t both[2] = {b->body, b->carrier};
    for (int k = 0; k < 2; k++) {
        collider *c = &s->colliders[both[k]];
        body_wake(s, both[k]);
        c->calm_steps = 0;
    }
}

void sim_bind(sim *s, size_t body, size_t carrier, double force, double torque) {
    ASSERT(sim_bindable(s, body) && !sim_bound(s, body) && force > 0 && torque > 0);
    bond b = {.body = body, .carrier = carrier, .force = force, .torque = torque};
    bond_awake(s, &b);
    collider *held = &s->colliders[body], *by = &s->colliders[carrier];
    held->bonds++;
    by->bonds++;
    if (isinf(force) && isinf(torque)) {
        b.joint = dJointCreateFixed(s->ode, NULL);
        dJointAttach(b.joint, held->body, by->body);
        dJointSetFixed(b.joint);
    }
    b.at = pose_mul(pose_inverse(frame_of(by)), frame_of(held));
    array_push(&s->bonds->all, b);
}

void sim_bind_at(sim *s, size_t body, size_t carrier, pose at, double force, double torque) {
    ASSERT(isfinite(force) && isfinite(torque));
    sim_bind(s, body, carrier, force, torque);
    s->bonds->all.items[s->bonds->all.count - 1].bears = true;
    sim_bond_move(s, body, at);
}

void sim_bond_move(sim *s, size_t body, pose at) {
    bond *b = bond_of(s, body);
    ASSERT(b && b->bears);
    pose held = {s->colliders[body].com, (quat){1, 0, 0, 0}};
    pose by = {s->colliders[b->carrier].com, (quat){1, 0, 0, 0}};
    b->at = pose_mul(pose_inverse(by), pose_mul(at, held));
}

void sim_let_pass(sim *s, size_t body, size_t other, bool on) {
    body_wake(s, body);
    s->colliders[body].calm_steps = 0;
    s->colliders[body].passes = on ? other + 1 : 0;
}

const char *sim_pass_refusal(sim *s, size_t body, size_t other, arena *a) {
    const collider *o = &s->colliders[other];
    double depth = contacts_depth(s, body, other);
    for (int i = 0; o->kind == COLLIDER_HAND && i < 2; i++)
        depth = fmax(depth, contacts_depth(s, body, s->hands[o->arm].fingers[i]));
    return depth > DEEP ? arena_format(a, "%s is %.1f mm deep in %s", s->colliders[body].name,
                                       depth * 1e3, s->colliders[other].name)
                        : NULL;
}

static void bond_end(sim *s, size_t number) {
    bond *b = &s->bonds->all.items[number];
    if (b->joint)
        dJointDestroy(b->joint);
    s->colliders[b->body].bonds--;
    s->colliders[b->carrier].bonds--;
    s->rested = true;
    array_remove(&s->bonds->all, number);
}

void sim_unbind(sim *s, size_t body) {
    const bond *b = bond_of(s, body);
    if (b)
        bond_end(s, (size_t)(b - s->bonds->all.items));
}

void bonds_drop(sim *s, size_t entity) {
    for (size_t i = s->bonds->all.count; i-- > 0;)
        if (s->bonds->all.items[i].body == entity || s->bonds->all.items[i].carrier == entity)
            bond_end(s, i);
}

// ---- A step -------------------------------------------------------------------------------------

void bonds_wake(sim *s) {
    for (size_t i = 0; i < s->bonds->all.count; i++)
        bond_awake(s, &s->bonds->all.items[i]);
}

// The least moment of inertia of a body about an axis through its centre of mass is no less than
// this.
static double least_inertia(const collider *c) {
    double least = INFINITY; // Gershgorin's bound of the eigenvalues
    for (int i = 0; i < 3; i++)
        least = fmin(least, c->inertia.m[i][i] - fabs(c->inertia.m[i][(i + 1) % 3]) -
                                fabs(c->inertia.m[i][(i + 2) % 3]));
    double trace = c->inertia.m[0][0] + c->inertia.m[1][1] + c->inertia.m[2][2];
    return fmax(least, 1e-3 * trace);
}

static vec3 limited(vec3 v, double most) {
    double size = v3_length(v);
    return size > most ? v3_scale(v, most / size) : v;
}

static void bond_pull(sim *s, const bond *b, double dt) {
    const collider *held = &s->colliders[b->body], *by = &s->colliders[b->carrier];
    pose now = frame_of(held), carrier = frame_of(by), goal = pose_mul(carrier, b->at);
    vec3 arm = v3_sub(now.p, carrier.p);
    double yields = 1 / held->mass, turns = 1 / least_inertia(held); // under 1 N, 1 N m
    if (by->body) {
        yields += 1 / by->mass + v3_dot(arm, arm) / least_inertia(by);
        turns += 1 / least_inertia(by);
    }
    double w = QUICKNESS / dt;
    vec3 speed = v3_sub(collider_velocity(s, by, now.p), from_ode(dBodyGetLinearVel(held->body)));
    vec3 f = v3_scale(v3_add(v3_scale(v3_sub(goal.p, now.p), w * w), v3_scale(speed, 2 * w)),
                      1 / yields);
    if (b->bears)
        f = v3_sub(f, v3_scale(s->world->gravity, held->mass));
    vec3 turn = quat_log(quat_mul(goal.q, quat_inverse(now.q)));
    vec3 spin = v3_sub(spin_of(by), spin_of(held));
    vec3 m = v3_scale(v3_add(v3_scale(turn, w * w), v3_scale(spin, 2 * w)), 1 / turns);
    f = limited(f, b->force);
    m = limited(m, b->torque);
    dBodyAddForce(held->body, f.x, f.y, f.z);
    dBodyAddTorque(held->body, m.x, m.y, m.z);
    if (!by->body)
        return;
    dBodyAddForceAtPos(by->body, -f.x, -f.y, -f.z, now.p.x, now.p.y, now.p.z);
    dBodyAddTorque(by->body, -m.x, -m.y, -m.z);
}

void bonds_pull(sim *s, double dt) {
    for (size_t i = 0; i < s->bonds->all.count; i++)
        if (!s->bonds->all.items[i].joint)
            bond_pull(s, &s->bonds->all.items[i], dt);
}
