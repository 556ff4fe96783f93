// projector/world/aba.c - the articulated-body algorithm with implicit controllers and contacts.
//
// Featherstone, "Rigid Body Dynamics Algorithms", 2008, chapter 7; the mobility recursion is that
// of Kreutz-Delgado, Jain and Rodriguez 1991.
#include "projector/world/aba.h"
#include "base/status.h"
#include <string.h>

enum { PASSES = 6 };
static const double SLOW = 2e-3;         // rad/s or m/s: Coulomb friction is viscous below
static const double SLOW_CONTACT = 0.01; // m/s: the same for contacts

static double dot6(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}
static void put(double *six, vec3 angular, vec3 linear) {
    six[0] = angular.x, six[1] = angular.y, six[2] = angular.z;
    six[3] = linear.x, six[4] = linear.y, six[5] = linear.z;
}
static vec3 upper(const double *six) {
    return v3(six[0], six[1], six[2]);
}
static vec3 lower(const double *six) {
    return v3(six[3], six[4], six[5]);
}
static void mul6(const double *m, const double *x, double *y) {
    for (int i = 0; i < 6; i++)
        y[i] = dot6(m + 6 * i, x);
}
// m += k a b^T
static void rank1(double *restrict m, double k, const double *a, const double *b) {
    for (int i = 0; i < 6; i++) {
        double f = k * a[i];
        for (int j = 0; j < 6; j++)
            m[6 * i + j] += f * b[j];
    }
}
static void axpy6(double *y, double k, const double *x) {
    for (int i = 0; i < 6; i++)
        y[i] += k * x[i];
}

void aba_init(aba *t, aba_node *nodes, int count, aba_contact *contacts, size_t contact_capacity) {
    *t = (aba){
        .nodes = nodes, .count = count, .contacts = contacts, .contact_capacity = contact_capacity};
}

static mat3 axis_rotation(vec3 a, double angle) {
    double s = sin(angle), c = cos(angle), k = 1 - c;
    return (mat3){{{c + k * a.x * a.x, k * a.x * a.y - s * a.z, k * a.x * a.z + s * a.y},
                   {k * a.x * a.y + s * a.z, c + k * a.y * a.y, k * a.y * a.z - s * a.x},
                   {k * a.x * a.z - s * a.y, k * a.y * a.z + s * a.x, c + k * a.z * a.z}}};
}

void aba_kinematics(aba *t, vec3 origin) {
    t->origin = origin;
    t->contact_count = 0;
    for (int i = 0; i < t->count; i++) {
        aba_node *n = &t->nodes[i];
        const aba_node *up = n->parent < 0 ? NULL : &t->nodes[n->parent];
        mat3 frame = up ? mat3_mul(&up->r, &n->origin_r) : n->origin_r;
        vec3 at = up ? v3_add(up->p, mat3_apply(&up->r, n->origin_p)) : n->origin_p;
        vec3 axis = mat3_apply(&frame, n->axis);
        if (n->slides) {
            n->r = frame;
            n->p = v3_add(at, v3_scale(axis, n->q));
            put(n->s, v3(0, 0, 0), axis);
        } else {
            mat3 turn = axis_rotation(n->axis, n->q);
            n->r = mat3_mul(&frame, &turn);
            n->p = at;
            put(n->s, axis, v3_cross(v3_sub(at, origin), axis));
        }
        double zero[6] = {0};
        const double *v = up ? up->v : zero;
        // The axis moves with the parent: c = v x S qd.
        vec3 sw = v3_scale(upper(n->s), n->qd), sv = v3_scale(lower(n->s), n->qd);
        put(n->c, v3_cross(upper(v), sw), v3_add(v3_cross(upper(v), sv), v3_cross(lower(v), sw)));
        for (int k = 0; k < 6; k++)
            n->v[k] = v[k] + n->s[k] * n->qd;
    }
}

void aba_hold_gravity(aba *t, const double *extra_mass, const vec3 *extra_com) {
    for (int i = 0; i < t->count; i++)
        memset(t->nodes[i].pa, 0, sizeof t->nodes[i].pa);
    for (int i = t->count - 1; i >= 0; i--) {
        aba_node *n = &t->nodes[i];
        vec3 r = v3_sub(v3_add(n->p, mat3_apply(&n->r, n->com)), t->origin);
        vec3 f = v3_scale(t->gravity, n->mass);
        vec3 moment = v3_cross(r, f);
        if (extra_mass && extra_mass[i] > 0) {
            vec3 g = v3_scale(t->gravity, extra_mass[i]);
            moment = v3_add(moment, v3_cross(v3_sub(extra_com[i], t->origin), g));
            f = v3_add(f, g);
        }
        double w[6];
        put(w, moment, f);
        axpy6(n->pa, 1, w);
        n->feedforward = -dot6(n->s, n->pa);
        if (n->parent >= 0)
            axpy6(t->nodes[n->parent].pa, 1, n->pa);
    }
}

void aba_contact_add(aba *t, const aba_contact *c) {
    if (t->contact_count < t->contact_capacity)
        t->contacts[t->contact_count++] = *c;
}

// Spatial inertia about O and the forces that do not depend on accelerations.
static void node_begin(const aba *t, aba_node *n, double dt) {
    memset(n->inertia_o, 0, sizeof n->inertia_o);
    memset(n->bias, 0, sizeof n->bias);
    if (n->mass > 0) {
        mat3 back = mat3_transpose(&n->r);
        mat3 half = mat3_mul(&n->r, &n->inertia), i = mat3_mul(&half, &back);
        vec3 r = v3_sub(v3_add(n->p, mat3_apply(&n->r, n->com)), t->origin);
        double m = n->mass, rr = v3_dot(r, r), x[3] = {r.x, r.y, r.z};
        double skew[3][3] = {{0, -r.z, r.y}, {r.z, 0, -r.x}, {-r.y, r.x, 0}};
        double *o = n->inertia_o;
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) {
                o[6 * a + b] = i.m[a][b] + m * ((a == b ? rr : 0) - x[a] * x[b]);
                o[6 * a + 3 + b] = m * skew[a][b];
                o[6 * (3 + a) + b] = -m * skew[a][b];
            }
        o[21] = o[28] = o[35] = m;
        double h[6];
        mul6(o, n->v, h);
        vec3 w = upper(n->v), vo = lower(n->v), hn = upper(h), hf = lower(h);
        vec3 g = v3_scale(t->gravity, m);
        vec3 moment = v3_add(v3_cross(w, hn), v3_cross(vo, hf));
        put(n->bias, v3_sub(moment, v3_cross(r, g)), v3_sub(v3_cross(w, hf), g));
    }
    n->friction = n->viscous + n->coulomb / fmax(fabs(n->qd), SLOW);
    n->clamped = 0;
    n->stop_side = 0;
    n->stop = n->stop_implicit = 0;
    double next = n->q + dt * n->qd;
    if (next > n->upper || next < n->lower) {
        double past = next > n->upper ? next - n->upper : next - n->lower;
        n->stop_side = past > 0 ? 1 : -1;
        n->stop = -n->stop_stiffness * past - n->stop_damping * n->qd;
        n->stop_implicit = dt * n->stop_damping + dt * dt * n->stop_stiffness;
        // A damper does not hold back what leaves the stop.
        if (n->stop * n->stop_side > 0)
            n->stop_side = 0, n->stop = n->stop_implicit = 0;
    }
}

static double relative(const aba *t, const aba_contact *c, const double *w) {
    double v = dot6(w, t->nodes[c->node].v);
    return c->other < 0 ? v : v - dot6(w, t->nodes[c->other].v);
}

static void contact_begin(const aba *t, aba_contact *c, double dt) {
    vec3 n = c->normal, r = v3_sub(c->point, t->origin);
    vec3 side = fabs(n.z) > 0.7 ? v3(1, 0, 0) : v3(0, 0, 1);
    vec3 t1 = v3_unit(v3_sub(side, v3_scale(n, v3_dot(side, n)))), t2 = v3_cross(n, t1);
    put(c->w[0], v3_cross(r, n), n);
    put(c->w[1], v3_cross(r, t1), t1);
    put(c->w[2], v3_cross(r, t2), t2);
    double vn = relative(t, c, c->w[0]), v1 = relative(t, c, c->w[1]), v2 = relative(t, c, c->w[2]);
    c->f0[0] = c->stiffness * (c->depth - dt * vn) - c->damping * vn;
    c->implicit[0] = dt * (c->damping + dt * c->stiffness);
    c->active = c->f0[0] > 0;
    // Sliding friction as a damper that yields mu times the spring's force at the present speed.
    double drag = c->mu * c->stiffness * c->depth / fmax(sqrt(v1 * v1 + v2 * v2), SLOW_CONTACT);
    c->f0[1] = -drag * v1, c->f0[2] = -drag * v2;
    c->implicit[1] = c->implicit[2] = dt * drag;
    c->force = v3(0, 0, 0);
}

// Inward: articulated inertias and forces; outward: accelerations.
static void pass(aba *t, double dt) {
    for (int i = 0; i < t->count; i++) {
        memcpy(t->nodes[i].ia, t->nodes[i].inertia_o, sizeof t->nodes[i].ia);
        memcpy(t->nodes[i].pa, t->nodes[i].bias, sizeof t->nodes[i].pa);
    }
    for (size_t k = 0; k < t->contact_count; k++) {
        const aba_contact *c = &t->contacts[k];
        if (!c->active)
            continue;
        for (int j = 0; j < 3; j++) {
            rank1(t->nodes[c->node].ia, c->implicit[j], c->w[j], c->w[j]);
            axpy6(t->nodes[c->node].pa, -c->f0[j], c->w[j]);
            if (c->other >= 0) {
                rank1(t->nodes[c->other].ia, c->implicit[j], c->w[j], c->w[j]);
                axpy6(t->nodes[c->other].pa, c->f0[j], c->w[j]);
            }
        }
    }
    for (int i = t->count - 1; i >= 0; i--) {
        aba_node *n = &t->nodes[i];
        mul6(n->ia, n->s, n->u);
        double effort = n->clamped > 0 ? n->high : n->low;
        n->d = dot6(n->s, n->u) + n->armature + dt * n->friction + n->stop_implicit;
        if (n->clamped == 0) {
            n->d += dt * n->kd + dt * dt * n->kp;
            effort = n->feedforward + n->kp * (n->target - n->q - dt * n->qd) +
                     n->kd * (n->target_velocity - n->qd);
        }
        n->rest = effort + n->stop - n->friction * n->qd - dot6(n->s, n->pa);
        if (n->parent < 0)
            continue;
        aba_node *up = &t->nodes[n->parent];
        double inverse = 1 / n->d, ic[6];
        mul6(n->ia, n->c, ic);
        double k = (n->rest - dot6(n->u, n->c)) * inverse;
        for (int j = 0; j < 6; j++)
            up->pa[j] += n->pa[j] + ic[j] + n->u[j] * k;
        for (int a = 0; a < 6; a++) {
            double f = n->u[a] * inverse;
            for (int b = 0; b < 6; b++)
                up->ia[6 * a + b] += n->ia[6 * a + b] - f * n->u[b];
        }
    }
    for (int i = 0; i < t->count; i++) {
        aba_node *n = &t->nodes[i];
        double base[6];
        for (int j = 0; j < 6; j++)
            base[j] = n->c[j] + (n->parent < 0 ? 0 : t->nodes[n->parent].a[j]);
        n->qdd = (n->rest - dot6(n->u, base)) / n->d;
        for (int j = 0; j < 6; j++)
            n->a[j] = base[j] + n->s[j] * n->qdd;
    }
}

// What the wrenches in `push` add to the accelerations; overwrites `push`.
static void respond(aba *t) {
    for (int i = t->count - 1; i >= 0; i--) {
        aba_node *n = &t->nodes[i];
        if (n->parent < 0)
            continue;
        double k = dot6(n->s, n->push) / n->d;
        for (int j = 0; j < 6; j++)
            t->nodes[n->parent].push[j] += n->push[j] - n->u[j] * k;
    }
    for (int i = 0; i < t->count; i++) {
        aba_node *n = &t->nodes[i];
        double zero[6] = {0};
        const double *up = n->parent < 0 ? zero : t->nodes[n->parent].push_a;
        n->push_qdd = (dot6(n->s, n->push) - dot6(n->u, up)) / n->d;
        for (int j = 0; j < 6; j++)
            n->push_a[j] = up[j] + n->s[j] * n->push_qdd;
    }
}

static void recall_pushes(aba *t) {
    for (int i = 0; i < t->count; i++)
        memcpy(t->nodes[i].push, t->nodes[i].push_before, sizeof t->nodes[i].push);
}

static double controller_effort(const aba_node *n, double qdd, double dt) {
    if (n->clamped)
        return n->clamped > 0 ? n->high : n->low;
    return n->feedforward + n->kp * (n->target - n->q - dt * n->qd) +
           n->kd * (n->target_velocity - n->qd) - (dt * n->kd + dt * dt * n->kp) * qdd;
}

// Clamps efforts beyond their limits and drops contacts and stops that would pull. True: solve
// again.
static bool correct(aba *t, double dt) {
    bool again = false;
    int first = 0;
    if (t->plane_limit > 0) {
        first = 2;
        aba_node *x = &t->nodes[0], *y = &t->nodes[1];
        if (!x->clamped) {
            double fx = controller_effort(x, x->qdd + x->push_qdd, dt) - x->feedforward;
            double fy = controller_effort(y, y->qdd + y->push_qdd, dt) - y->feedforward;
            double f = sqrt(fx * fx + fy * fy);
            if (f > t->plane_limit) {
                // low and high hold the one value that the pair is clamped to.
                x->low = x->high = x->feedforward + fx * t->plane_limit / f;
                y->low = y->high = y->feedforward + fy * t->plane_limit / f;
                x->clamped = y->clamped = 1;
                t->saturated = true;
                again = true;
            }
        }
    }
    for (int i = first; i < t->count; i++) {
        aba_node *n = &t->nodes[i];
        if (!n->clamped) {
            double effort = controller_effort(n, n->qdd + n->push_qdd, dt);
            if (effort > n->high || effort < n->low)
                n->clamped = effort > n->high ? 1 : -1, again = true;
        }
        if (n->stop_side &&
            (n->stop - n->stop_implicit * (n->qdd + n->push_qdd)) * n->stop_side > 0)
            n->stop_side = 0, n->stop = n->stop_implicit = 0, again = true;
    }
    for (size_t k = 0; k < t->contact_count; k++) {
        aba_contact *c = &t->contacts[k];
        const aba_node *n = &t->nodes[c->node];
        double f = c->f0[0] - c->implicit[0] * (dot6(c->w[0], n->a) + dot6(c->w[0], n->push_a));
        // What was let go may be needed after all once a motor is at its limit.
        if ((f > 0) != c->active)
            c->active = f > 0, again = true;
    }
    return again;
}

void aba_solve(aba *t, double dt) {
    t->saturated = false;
    for (int i = 0; i < t->count; i++)
        node_begin(t, &t->nodes[i], dt);
    for (size_t k = 0; k < t->contact_count; k++)
        contact_begin(t, &t->contacts[k], dt);
    for (int k = 0; k < PASSES; k++) {
        pass(t, dt);
        // Limits are judged as if what pushes from outside pushed as in the last step.
        recall_pushes(t);
        respond(t);
        if (k + 1 == PASSES || !correct(t, dt))
            break;
    }
    for (int i = 0; i < t->count; i++)
        memset(t->nodes[i].push, 0, sizeof t->nodes[i].push);
}

void aba_twist(const aba *t, int node, double dt, double twist[6]) {
    const aba_node *n = &t->nodes[node];
    for (int j = 0; j < 6; j++)
        twist[j] = n->v[j] + dt * n->a[j];
}

void aba_mobility(const aba *t, int node, double mobility[36]) {
    int path[64], length = 0;
    for (int i = node; i >= 0; i = t->nodes[i].parent) {
        ASSERT(length < 64);
        path[length++] = i;
    }
    memset(mobility, 0, 36 * sizeof *mobility);
    while (length > 0) {
        const aba_node *n = &t->nodes[path[--length]];
        // (1 - S U^T / D) M (1 - U S^T / D) + S S^T / D
        double w[6], inverse = 1 / n->d;
        mul6(mobility, n->u, w);
        double k = (dot6(w, n->u) * inverse + 1) * inverse;
        for (int a = 0; a < 6; a++)
            for (int b = 0; b < 6; b++)
                mobility[6 * a + b] +=
                    k * n->s[a] * n->s[b] - inverse * (n->s[a] * w[b] + w[a] * n->s[b]);
    }
}

void aba_push(aba *t, int node, vec3 force, vec3 torque, vec3 at) {
    double w[6];
    put(w, v3_add(torque, v3_cross(v3_sub(at, t->origin), force)), force);
    axpy6(t->nodes[node].push, 1, w);
}

void aba_finish(aba *t, double dt) {
    for (int i = 0; i < t->count; i++)
        memcpy(t->nodes[i].push_before, t->nodes[i].push, sizeof t->nodes[i].push);
    respond(t);
    // A blow may have asked more of a motor than it has.
    for (int k = 0; k < PASSES && correct(t, dt); k++) {
        pass(t, dt);
        recall_pushes(t);
        respond(t);
    }
    for (size_t k = 0; k < t->contact_count; k++) {
        aba_contact *c = &t->contacts[k];
        if (!c->active)
            continue;
        double f[3];
        for (int j = 0; j < 3; j++) {
            const aba_node *n = &t->nodes[c->node];
            f[j] = c->f0[j] - c->implicit[j] * (dot6(c->w[j], n->a) + dot6(c->w[j], n->push_a));
        }
        f[0] = fmax(f[0], 0);
        c->force = v3_add(v3_scale(lower(c->w[0]), f[0]),
                          v3_add(v3_scale(lower(c->w[1]), f[1]), v3_scale(lower(c->w[2]), f[2])));
    }
    for (int i = 0; i < t->count; i++) {
        aba_node *n = &t->nodes[i];
        double qdd = n->qdd + n->push_qdd;
        n->effort = controller_effort(n, qdd, dt);
        n->qd += dt * qdd;
        n->q += dt * n->qd;
    }
}
