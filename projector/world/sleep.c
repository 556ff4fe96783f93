// projector/world/sleep.c - lets free bodies sleep that have come to rest.
//
// ODE's own rule stops a calm body again and again while something awake touches it, which acts
// like friction that is not there. Here a group of touching bodies falls asleep together, and none
// does that the robot touches. Who sleeps leaves ODE, whose step costs something for every body it
// knows, and comes back with the first touch.
#include "projector/world/sim_int.h"

enum { ROUNDS = 5 };              // of substitution
static const double SPINS = 0.01; // rad/s, below which the gyroscopic torque is nothing
static const double CALM_LINEAR = 2e-3, CALM_ANGULAR = 1e-2; // m/s, rad/s
// In a heap some body always trembles, as its contacts change places, and gets nowhere.
static const double NOWHERE = 1e-3, NOWHERE_ANGULAR = 1e-2; // m, rad, within SLEEP_STEPS

// ---- In and out -------------------------------------------------------------------------

static void sleep_enter(sim *s, collider *c) {
    c->body = dBodyCreate(s->ode);
    dMass m;
    const double(*i)[3] = c->inertia.m;
    dMassSetParameters(&m, c->mass, 0, 0, 0, i[0][0], i[1][1], i[2][2], i[0][1], i[0][2], i[1][2]);
    dBodySetMass(c->body, &m);
    dQuaternion q;
    quat_to_ode(c->rest.q, q);
    dBodySetPosition(c->body, c->rest.p.x, c->rest.p.y, c->rest.p.z);
    dBodySetQuaternion(c->body, q);
    dBodySetAngularDamping(c->body, 0);
    dBodySetGyroscopicMode(c->body, 0); // bodies_spin
    geoms_attach(c);
}

void body_wake(sim *s, size_t entity) {
    collider *c = &s->colliders[entity];
    body_raise(s, entity);
    if (c->kind != COLLIDER_FREE || c->awake || !c->on)
        return;
    if (c->body)
        dBodyEnable(c->body);
    else
        sleep_enter(s, c);
    c->awake = true;
    c->round = -1;
    c->calm_steps = c->stay_steps = 0;
    c->stays = false;
    c->drawn = s->world->gravity;
    c->velocity_before = v3(0, 0, 0);
    s->rested = true;
    size_t k = s->awake_count++;
    for (; k > 0 && s->awake[k - 1] > entity; k--)
        s->awake[k] = s->awake[k - 1];
    s->awake[k] = entity;
}

static void sleep_leave(sim *s, collider *c) {
    const dReal *q = dBodyGetQuaternion(c->body);
    c->rest = (pose){from_ode(dBodyGetPosition(c->body)), {q[0], q[1], q[2], q[3]}};
    dBodySetLinearVel(c->body, 0, 0, 0);
    dBodySetAngularVel(c->body, 0, 0, 0);
    if (c->kept || c->bonds > 0) {
        dBodyDisable(c->body);
    } else {
        geoms_detach(c);
        dBodyDestroy(c->body);
        c->body = NULL;
    }
    c->awake = false;
    s->rested = true;
}

void body_rest(sim *s, size_t entity) {
    collider *c = &s->colliders[entity];
    if (c->kind != COLLIDER_FREE || !c->awake)
        return;
    sleep_leave(s, c);
    size_t kept = 0;
    for (size_t i = 0; i < s->awake_count; i++)
        if (s->awake[i] != entity)
            s->awake[kept++] = s->awake[i];
    s->awake_count = kept;
}

// ---- Spin -------------------------------------------------------------------------------

// Half of the turn that ODE makes in a step, whose quaternion is 1 + w dt / 2, made unit again.
static quat half_turn(vec3 w, double dt) {
    double speed = v3_length(w);
    return quat_exp(v3_scale(w, speed > 0 ? atan(speed * dt / 2) / speed : 0));
}

// A body that nothing touches keeps its angular momentum L. Its angular velocity is that of the
// middle of a step: with R the rotation half a step on, R I R^T w = L, which substitution
// solves. ODE turns the body by w, and would add a torque of its own that loses energy;
// it gets the torque that leads to this w instead. (The implicit midpoint rule, symmetric in time,
// so that the energy does not drift; Hairer, Lubich and Wanner 2006, section VII.5.)
vec3 spin_shifted(const collider *c, quat now, vec3 w, double from, double to) {
    mat3 inverse = mat3_inverse(&c->inertia);
    mat3 r = quat_matrix(quat_mul(half_turn(w, from), now));
    vec3 l = mat3_apply(&r, mat3_apply(&c->inertia, mat3_apply_transposed(&r, w))), next = w;
    for (int k = 0; k < ROUNDS; k++) {
        r = quat_matrix(quat_mul(half_turn(next, to), now));
        next = mat3_apply(&r, mat3_apply(&inverse, mat3_apply_transposed(&r, l)));
    }
    return next;
}

static void body_spin(const collider *c, double dt) {
    vec3 w = from_ode(dBodyGetAngularVel(c->body));
    if (v3_length(w) < SPINS)
        return;
    const dReal *q = dBodyGetQuaternion(c->body);
    quat now = {q[0], q[1], q[2], q[3]};
    vec3 next = spin_shifted(c, now, w, -dt, dt);
    mat3 r = quat_matrix(now);
    vec3 gain = mat3_apply_transposed(&r, v3_scale(v3_sub(next, w), 1 / dt));
    vec3 torque = mat3_apply(&r, mat3_apply(&c->inertia, gain));
    dBodyAddTorque(c->body, torque.x, torque.y, torque.z);
}

void bodies_spin(sim *s, double dt) {
    for (size_t i = 0; i < s->awake_count; i++)
        body_spin(&s->colliders[s->awake[i]], dt);
    for (size_t e = s->first_hand; e < s->entity_count; e++)
        if (!s->hands[s->colliders[e].arm].rides)
            body_spin(&s->colliders[e], dt);
}

// ---- Who may sleep ----------------------------------------------------------------------

static bool collider_is_still(const collider *c) {
    return v3_length(from_ode(dBodyGetLinearVel(c->body))) < CALM_LINEAR &&
           v3_length(from_ode(dBodyGetAngularVel(c->body))) < CALM_ANGULAR;
}

// Whether a body of a heap got nowhere while it was last looked at.
static bool collider_stays(collider *c) {
    if (++c->stay_steps < SLEEP_STEPS)
        return c->stays;
    const dReal *q = dBodyGetQuaternion(c->body);
    pose now = {from_ode(dBodyGetPosition(c->body)), {q[0], q[1], q[2], q[3]}};
    quat turn = quat_mul(now.q, quat_inverse(c->stood.q));
    c->stays = v3_distance(now.p, c->stood.p) < NOWHERE &&
               2 * v3_length(v3(turn.x, turn.y, turn.z)) < NOWHERE_ANGULAR;
    c->stood = now;
    c->stay_steps = 0;
    return c->stays;
}

void sleep_step(sim *s) {
    bool any = false;
    for (size_t j = 0; j < s->world->joint_count; j++) { // what a joint of ODE has woken
        size_t e = s->world->joints[j].body;
        if (s->colliders[e].body && dBodyIsEnabled(s->colliders[e].body))
            body_wake(s, e);
    }
    for (size_t i = 0; i < s->awake_count; i++) {
        collider *c = &s->colliders[s->awake[i]];
        c->calm_steps = !collider_is_still(c)         ? 0
                        : c->calm_steps < SLEEP_STEPS ? c->calm_steps + 1
                                                      : SLEEP_STEPS;
        c->restless = c->calm_steps < SLEEP_STEPS && !(c->heaped && collider_stays(c));
        c->group = s->awake[i];
        any |= !c->restless;
    }
    if (!any || s->options.sleepless)
        return;
    // A body that touches a restless one is restless, however far that has to be followed.
    for (size_t i = 0; i < s->pairs.count; i++) {
        const pair *p = &s->pairs.items[i];
        const collider *a = &s->colliders[p->a], *b = &s->colliders[p->b];
        if (a->kind != COLLIDER_FREE || b->kind == COLLIDER_FIXED)
            continue; // bodies that are fixed hold nothing together
        size_t ga = collider_group(s, p->a);
        if (b->kind != COLLIDER_FREE) {
            s->colliders[ga].restless = true;
            continue;
        }
        size_t gb = collider_group(s, p->b), low = ga < gb ? ga : gb, high = ga < gb ? gb : ga;
        s->colliders[high].group = low;
        s->colliders[low].restless |= s->colliders[high].restless;
    }
    for (size_t i = 0; i < s->world->joint_count; i++) {
        const world_joint *j = &s->world->joints[i];
        if (j->base < 0 || !s->colliders[j->body].awake || !s->colliders[j->base].awake)
            continue;
        size_t ga = collider_group(s, j->body), gb = collider_group(s, (size_t)j->base);
        s->colliders[ga > gb ? ga : gb].group = ga < gb ? ga : gb;
        s->colliders[ga < gb ? ga : gb].restless |= s->colliders[ga > gb ? ga : gb].restless;
    }
    for (size_t i = 0; i < s->awake_count; i++)
        if (s->colliders[s->awake[i]].restless)
            s->colliders[collider_group(s, s->awake[i])].restless = true;
    size_t kept = 0;
    for (size_t i = 0; i < s->awake_count; i++) {
        size_t e = s->awake[i];
        if (s->colliders[collider_group(s, e)].restless)
            s->awake[kept++] = e;
        else
            sleep_leave(s, &s->colliders[e]);
    }
    s->awake_count = kept;
}
