// projector/world/passing.c - thin and fast things, which could pass through one another in a step.
//
// Contacts are found where bodies are after each step. Two that come closer within one by more than
// half of what the thinner measures through may be past each other by then, or be pushed out on the
// wrong side. Such pairs are looked at on their way, at poses so close together that none is missed
// (conservative sampling of the motion), and put back to where they first touch, with their
// velocities, so that the next step computes the impact. Everything else is not looked at, and
// costs a comparison. What cannot be put back, as an arm, or a door on its hinge, is noted.
#include "projector/world/things.h"

static const double FAST = 0.6;    // share of the pair's thickness that a step may bring
static const double APART = 0.5;   // the same of two poses that are looked at
static const double DEEPER = 1e-5; // m, that a step may press those in which touch and are deep
enum { POSES_MAX = 256 };

// How a collider moves in the step that has just been made.
typedef struct motion {
    pose end; // of its centre of mass
    vec3 v, w;
    double way; // of the point that moves farthest, m
} motion;

static pose center_pose(const collider *c) {
    const dReal *q = dBodyGetQuaternion(c->body);
    return (pose){from_ode(dBodyGetPosition(c->body)), {q[0], q[1], q[2], q[3]}};
}

static double bounds_radius(const bounds *b) {
    return v3_length(v3(b->high[0] - b->low[0], b->high[1] - b->low[1], b->high[2] - b->low[2])) /
           2;
}

static motion motion_of(const sim *s, const collider *c, double dt) {
    motion m = {.v = v3(0, 0, 0), .w = v3(0, 0, 0)};
    if (c->body && (c->awake || c->kind == COLLIDER_HAND)) {
        m.end = center_pose(c);
        m.v = from_ode(dBodyGetLinearVel(c->body));
        m.w = from_ode(dBodyGetAngularVel(c->body));
    } else if (c->kind == COLLIDER_LINK) {
        const double *twist = s->tree.nodes[c->node].v;
        m.end.p = s->tree.nodes[c->node].p;
        m.v = aba_point_velocity(&s->tree, twist, m.end.p);
        m.w = v3(twist[0], twist[1], twist[2]);
    }
    double spin = v3_length(m.w);
    m.way = dt * (v3_length(m.v) + (spin > 0 ? spin * bounds_radius(&c->bounds) : 0));
    return m;
}

// Returns whether the step may take the collider back to an earlier moment.
static bool collider_yields(const collider *c) {
    return c->kind == COLLIDER_FREE && c->awake && !c->kept && c->bonds == 0;
}

// Puts a body where it was at a share of the step.
static void put_at(const collider *c, const motion *m, double share, double dt) {
    double back = (1 - share) * dt;
    vec3 p = v3_sub(m->end.p, v3_scale(m->v, back));
    dQuaternion q;
    quat_to_ode(quat_mul(quat_exp(v3_scale(m->w, -back)), m->end.q), q);
    dBodySetPosition(c->body, p.x, p.y, p.z);
    dBodySetQuaternion(c->body, q);
}

static void note_passing(sim *s, size_t a, size_t b) {
    sim_passing p = {a < b ? a : b, a < b ? b : a};
    for (size_t i = 0; i < s->passings.count; i++)
        if (s->passings.items[i].a == p.a && s->passings.items[i].b == p.b)
            return;
    array_push(&s->passings, p);
}

// The share of the step after which the two first touch, or are deeper in one another than before;
// 1: not before its end.
static double first_touch(sim *s, size_t e, const motion *m, size_t other, double dt) {
    collider *c = &s->colliders[e], *o = &s->colliders[other];
    contacts_settle(s, other);
    motion n = motion_of(s, o, dt);
    double through = fmin(c->thin, o->thin);
    // Of the points of the first against the second.
    vec3 u = v3_sub(v3_sub(m->v, n.v), v3_cross(n.w, v3_sub(m->end.p, n.end.p)));
    vec3 turn = v3_sub(m->w, n.w);
    double way = dt * (v3_length(u) + v3_length(turn) * bounds_radius(&c->bounds));
    if (way <= FAST * through)
        return 1;
    if (!collider_yields(o) && n.way > (c->thin + o->thin) / 2)
        note_passing(s, e, other);
    int poses = (int)fmin(ceil(way / (APART * through)), POSES_MAX);
    // What touches already may slide on, or turn about where it touches until it is in too deep.
    double share = 1, deep = -0.5;
    bool met = contacts_met(s, e, other);
    for (int k = met ? 0 : 1; k < poses && share == 1; k++) {
        put_at(c, m, (double)k / poses, dt);
        if (collider_yields(o))
            put_at(o, &n, (double)k / poses, dt);
        double depth = contacts_depth(s, e, other);
        if (k == 0)
            deep = fmax(depth, APART / 2 * through) + DEEPER;
        else if (depth > deep)
            share = (double)k / poses;
    }
    put_at(c, m, 1, dt);
    if (collider_yields(o))
        put_at(o, &n, share, dt);
    return share;
}

static void sweep_body(sim *s, size_t e, double dt) {
    collider *c = &s->colliders[e];
    motion m = motion_of(s, c, dt);
    if (!collider_yields(c) || m.way <= FAST * s->thinnest)
        return; // who is slower is looked at from the other's side
    // Everything that its boxes meet on the way.
    bounds all = c->bounds; // of the step's beginning
    for (int i = 0; i < 3; i++)
        all.low[i] -= m.way, all.high[i] += m.way;
    size_t count;
    const size_t *near = broad_query(s->broad, &all, &count);
    s->passing_near.count = 0;
    for (size_t i = 0; i < count; i++)
        array_push(&s->passing_near, near[i]);
    for (size_t i = s->first_link; i < s->entity_count; i++)
        array_push(&s->passing_near, i);
    double share = 1;
    for (size_t i = 0; i < s->passing_near.count; i++) {
        size_t other = s->passing_near.items[i];
        if (other != e && contacts_may_meet(s, e, other))
            share = fmin(share, first_touch(s, e, &m, other, dt));
    }
    if (share < 1)
        put_at(c, &m, share, dt);
}

// Whether a part of the robot may come farther in a step than a limit, by sums of magnitudes.
static bool moves_farther(const sim *s, const collider *c, double limit, double dt) {
    const double *twist = s->tree.nodes[c->node].v;
    vec3 w = v3_from(twist), v = aba_point_velocity(&s->tree, twist, s->tree.nodes[c->node].p);
    if (c->body) {
        v = from_ode(dBodyGetLinearVel(c->body));
        w = from_ode(dBodyGetAngularVel(c->body));
    }
    double radius = 2 * (c->half.x + c->half.y + c->half.z);
    double speed = fabs(v.x) + fabs(v.y) + fabs(v.z);
    return !(dt * (speed + radius * (fabs(w.x) + fabs(w.y) + fabs(w.z))) <= limit);
}

// The robot's parts are not put back: what thin things they may have passed is noted.
static void look_at_robot(sim *s, double dt) {
    for (size_t e = s->first_link; e < s->entity_count; e++) {
        const collider *c = &s->colliders[e];
        if (c->geom_count == 0 || !moves_farther(s, c, (c->thin + s->thinnest) / 2, dt))
            continue;
        contacts_settle(s, e);
        motion m = motion_of(s, c, dt);
        if (m.way <= (c->thin + s->thinnest) / 2)
            continue;
        size_t count;
        const size_t *near = broad_query(s->broad, &c->bounds, &count);
        for (size_t i = 0; i < count; i++)
            if (contacts_may_meet(s, e, near[i]) && !contacts_met(s, near[i], e) &&
                m.way > (c->thin + s->colliders[near[i]].thin) / 2)
                note_passing(s, near[i], e);
    }
}

void passing_step(sim *s, double dt) {
    for (size_t i = 0; i < s->awake_count; i++)
        sweep_body(s, s->awake[i], dt);
    look_at_robot(s, dt);
}

const sim_passing *sim_passings(const sim *s, size_t *count) {
    *count = s->passings.count;
    return s->passings.items;
}
