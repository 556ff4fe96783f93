// projector/world/dynamics/aba.c - the articulated-body algorithm with implicit controllers and
// contacts.
//
// Featherstone, "Rigid Body Dynamics Algorithms", 2008, chapter 7; the mobility recursion is that
// of Kreutz-Delgado, Jain and Rodriguez 1991.
#include "projector/world/dynamics/aba.h"
#include "base/status.h"
#include <string.h>

enum { PASSES = 6, RELEASES = 3 }; // of a step; those in which an effort's limit may be left
// rad/s or m/s: Coulomb friction is viscous below. Where it changes within the tremble of a
// contact, the mobility that hand and contacts are given changes with it, and they chatter.
static const double SLOW = 0.03;
static const double NEAR_STOP = 0.01;    // rad or m, within which a step may reach a stop
static const double SLOW_CONTACT = 0.01; // m/s: friction of contacts is viscous below
// A joint at its effort's limit is softer than one within, pushes differ with that, and both with
// each other from step to step, unless a joint is slow to leave its limit and slow to learn of
// pushes.
static const double EXPECT = 0.5;   // share of the last push in what is expected of the next
static const double NO_PUSH = 1e-9; // N or N m, of what is expected: nothing
static const double HELD = 0.15, HELD_AFTER = 0.5; // share of a limit, before and after the pushes

static double six_dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}
static void six_set(double *six, vec3 angular, vec3 linear) {
    six[0] = angular.x, six[1] = angular.y, six[2] = angular.z;
    six[3] = linear.x, six[4] = linear.y, six[5] = linear.z;
}
static vec3 six_angular(const double *six) {
    return v3(six[0], six[1], six[2]);
}
static vec3 six_linear(const double *six) {
    return v3(six[3], six[4], six[5]);
}
// Inertias are kept by columns, so that a processor multiplies several rows at once; the sums are
// those of rows, in their order.
static void inertia_multiply(const double *restrict m, const double *restrict x,
                             double *restrict y) {
    double sum[6];
    for (int i = 0; i < 6; i++)
        sum[i] = m[i] * x[0];
    for (int j = 1; j < 6; j++)
        for (int i = 0; i < 6; i++)
            sum[i] += m[6 * j + i] * x[j];
    for (int i = 0; i < 6; i++)
        y[i] = sum[i];
}
// m += k a a^T, of an inertia
static void inertia_add(double *restrict m, double k, const double *restrict a) {
    for (int j = 0; j < 6; j++)
        for (int i = 0; i < 6; i++)
            m[6 * j + i] += k * a[i] * a[j];
}
// Of a matrix by rows.
static void six_multiply(const double *m, const double *x, double *y) {
    for (int i = 0; i < 6; i++)
        y[i] = six_dot(m + 6 * i, x);
}
// m += k a b^T
static void add_rank_one(double *restrict m, double k, const double *a, const double *b) {
    for (int i = 0; i < 6; i++) {
        double f = k * a[i];
        for (int j = 0; j < 6; j++)
            m[6 * i + j] += f * b[j];
    }
}
static void six_add_scaled(double *y, double k, const double *x) {
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

// Spatial inertia about O.
static void node_inertia(const aba *t, aba_node *n) {
    vec3 r = n->com_o = v3_sub(v3_add(n->p, mat3_apply(&n->r, n->com)), t->origin);
    if (n->mass <= 0) {
        memset(n->inertia_o, 0, sizeof n->inertia_o);
        return;
    }
    mat3 back = mat3_transpose(&n->r);
    mat3 half = mat3_mul(&n->r, &n->inertia), i = mat3_mul(&half, &back);
    double m = n->mass, rr = v3_dot(r, r), x[3] = {r.x, r.y, r.z};
    double skew[3][3] = {{0, -r.z, r.y}, {r.z, 0, -r.x}, {-r.y, r.x, 0}};
    double *o = n->inertia_o;
    for (int b = 0; b < 3; b++)
        for (int a = 0; a < 3; a++) {
            o[6 * b + a] = i.m[a][b] + m * ((a == b ? rr : 0) - x[a] * x[b]);
            o[6 * (3 + b) + a] = m * skew[a][b];
            o[6 * b + 3 + a] = -m * skew[a][b];
            o[6 * (3 + b) + 3 + a] = a == b ? m : 0;
        }
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
            six_set(n->s, v3(0, 0, 0), axis);
        } else {
            mat3 turn = axis_rotation(n->axis, n->q);
            n->r = mat3_mul(&frame, &turn);
            n->p = at;
            six_set(n->s, axis, v3_cross(v3_sub(at, origin), axis));
        }
        double zero[6] = {0};
        const double *v = up ? up->v : zero;
        for (int k = 0; k < 6; k++)
            n->v[k] = v[k] + n->s[k] * n->qd;
        node_inertia(t, n);
    }
}

void aba_load(aba *t, int node, double mass, vec3 com, const mat3 *inertia) {
    aba_node *n = &t->nodes[node];
    n->mass = mass;
    n->com = com;
    n->inertia = *inertia;
    node_inertia(t, n);
}

void aba_inertia(const aba *t, const int *nodes, int count, double *inertia) {
    memset(inertia, 0, (size_t)(count * count) * sizeof *inertia);
    for (int i = 0; i < count; i++) {
        // The nodes that the node moves: all that hang on it.
        double composite[36] = {0}, f[6];
        for (int k = nodes[i]; k < t->count; k++) {
            int above = k;
            while (above > nodes[i])
                above = t->nodes[above].parent;
            for (int j = 0; above == nodes[i] && j < 36; j++)
                composite[j] += t->nodes[k].inertia_o[j];
        }
        inertia_multiply(composite, t->nodes[nodes[i]].s, f);
        for (int k = nodes[i]; k >= 0; k = t->nodes[k].parent)
            for (int j = 0; j < count; j++)
                if (nodes[j] == k)
                    inertia[i * count + j] = inertia[j * count + i] = six_dot(t->nodes[k].s, f);
        inertia[i * count + i] += t->nodes[nodes[i]].armature;
    }
}

void aba_hold_gravity(aba *t, const double *extra_mass, const vec3 *extra_com) {
    for (int i = 0; i < t->count; i++)
        memset(t->nodes[i].pa, 0, sizeof t->nodes[i].pa);
    for (int i = t->count - 1; i >= 0; i--) {
        aba_node *n = &t->nodes[i];
        vec3 f = v3_scale(t->gravity, n->mass);
        vec3 moment = v3_cross(n->com_o, f);
        if (extra_mass && extra_mass[i] > 0) {
            vec3 g = v3_scale(t->gravity, extra_mass[i]);
            moment = v3_add(moment, v3_cross(v3_sub(extra_com[i], t->origin), g));
            f = v3_add(f, g);
        }
        double w[6];
        six_set(w, moment, f);
        six_add_scaled(n->pa, 1, w);
        n->feedforward = -six_dot(n->s, n->pa);
        if (n->parent >= 0)
            six_add_scaled(t->nodes[n->parent].pa, 1, n->pa);
    }
}

void aba_contact_add(aba *t, const aba_contact *c) {
    if (t->contact_count < t->contact_capacity)
        t->contacts[t->contact_count++] = *c;
}

// The forces that do not depend on accelerations.
static void node_begin(const aba *t, aba_node *n, double dt) {
    const double zero[6] = {0}, *v = n->parent < 0 ? zero : t->nodes[n->parent].vm;
    double qd = n->qd + 0.5 * dt * n->qdd_before;
    // The axis moves with the parent: c = v x S qd.
    vec3 sw = v3_scale(six_angular(n->s), qd), sv = v3_scale(six_linear(n->s), qd);
    six_set(n->c, v3_cross(six_angular(v), sw),
            v3_add(v3_cross(six_angular(v), sv), v3_cross(six_linear(v), sw)));
    for (int k = 0; k < 6; k++)
        n->vm[k] = v[k] + n->s[k] * qd;
    memset(n->bias, 0, sizeof n->bias);
    if (n->mass > 0) {
        double h[6];
        inertia_multiply(n->inertia_o, n->vm, h);
        vec3 w = six_angular(n->vm), vo = six_linear(n->vm), hn = six_angular(h),
             hf = six_linear(h);
        vec3 g = v3_scale(t->gravity, n->mass);
        vec3 moment = v3_add(v3_cross(w, hn), v3_cross(vo, hf));
        six_set(n->bias, v3_sub(moment, v3_cross(n->com_o, g)), v3_sub(v3_cross(w, hf), g));
    }
    n->shared = n->yield = n->push_yield = 0;
    n->stop_side = 0;
    n->stopped = false;
    double next = n->q + dt * n->qd, lead = fabs(dt * n->qd) + NEAR_STOP;
    if (n->q + lead > n->upper || n->q - lead < n->lower) {
        n->stop_side = n->q + lead > n->upper ? 1 : -1;
        double limit = n->stop_side > 0 ? n->upper : n->lower;
        n->stop = -n->stop_stiffness * (next - limit);
        n->stop_implicit = dt * dt * n->stop_stiffness;
        // It damps what is in it, not what is on its way.
        if ((n->q - limit) * n->stop_side > 0) {
            n->stop -= n->stop_damping * n->qd;
            n->stop_implicit += dt * n->stop_damping;
        }
        n->stopped = n->stop * n->stop_side < 0;
    }
}

static double contact_relative(const aba *t, const aba_contact *c, const double *w) {
    double v = six_dot(w, t->nodes[c->node].v);
    return c->other < 0 ? v : v - six_dot(w, t->nodes[c->other].v);
}

static void contact_begin(const aba *t, aba_contact *c, double dt) {
    vec3 n = c->normal, r = v3_sub(c->point, t->origin);
    vec3 side = fabs(n.z) > 0.7 ? v3(1, 0, 0) : v3(0, 0, 1);
    vec3 t1 = v3_unit(v3_sub(side, v3_scale(n, v3_dot(side, n)))), t2 = v3_cross(n, t1);
    six_set(c->w[0], v3_cross(r, n), n);
    six_set(c->w[1], v3_cross(r, t1), t1);
    six_set(c->w[2], v3_cross(r, t2), t2);
    double vn = contact_relative(t, c, c->w[0]), v1 = contact_relative(t, c, c->w[1]),
           v2 = contact_relative(t, c, c->w[2]);
    c->f0[0] = c->stiffness * (c->depth - dt * vn) - c->damping * vn;
    c->implicit[0] = dt * (c->damping + dt * c->stiffness);
    c->active = c->f0[0] > 0;
    // Sliding friction as a damper that yields mu times the spring's force at the present speed.
    double drag = c->mu * c->stiffness * c->depth / fmax(sqrt(v1 * v1 + v2 * v2), SLOW_CONTACT);
    c->f0[1] = -drag * v1, c->f0[2] = -drag * v2;
    c->implicit[1] = c->implicit[2] = dt * drag;
    c->force = v3(0, 0, 0);
}

// ---- Springs through several joints -----------------------------------------------------
//
// Their rows add rows^T rows to the inertia of the joints, a change of low rank: the recursion
// solves without, and the change is made up for by (1 + R M^-1 R^T) z = R qdd, qdd -= M^-1 R^T z.

// Accelerations along the spring's path that a unit effort at one of its joints makes.
static void spring_unit(const aba *t, aba_spring *s, int joint) {
    double effort[ABA_PATH_MAX] = {0}, push[6] = {0}, a[6] = {0}, *qdd = s->unit[joint];
    int k = s->length - 1;
    while (s->path[k] != s->nodes[joint])
        k--;
    effort[k] = 1;
    for (int i = k; i >= 0; i--) {
        const aba_node *n = &t->nodes[s->path[i]];
        effort[i] += six_dot(n->s, push);
        six_add_scaled(push, -effort[i] / n->d, n->u);
    }
    for (int i = 0; i < s->length; i++) {
        const aba_node *n = &t->nodes[s->path[i]];
        qdd[i] = (effort[i] - six_dot(n->u, a)) / n->d;
        six_add_scaled(a, qdd[i], n->s);
    }
}

// After the inward recursion: how the spring's joints answer its rows.
static void spring_begin(const aba *t, aba_spring *s) {
    double response[ABA_SPRING_JOINTS][ABA_SPRING_JOINTS];
    double through[ABA_SPRING_ROWS][ABA_SPRING_JOINTS];
    for (int j = 0; j < s->count; j++) {
        spring_unit(t, s, j);
        for (int i = 0, k = 0; i < s->length; i++)
            if (k < s->count && s->path[i] == s->nodes[k])
                response[j][k++] = s->unit[j][i];
    }
    for (int r = 0; r < ABA_SPRING_ROWS; r++)
        for (int j = 0; j < s->count; j++)
            s->free_rows[r][j] = t->nodes[s->nodes[j]].clamped ? 0 : s->rows[r][j];
    for (int r = 0; r < ABA_SPRING_ROWS; r++)
        for (int j = 0; j < s->count; j++) {
            through[r][j] = 0;
            for (int k = 0; k < s->count; k++)
                through[r][j] += s->free_rows[r][k] * response[k][j];
        }
    double(*l)[ABA_SPRING_ROWS] = s->factor;
    for (int r = 0; r < ABA_SPRING_ROWS; r++)
        for (int c = 0; c <= r; c++) {
            double x = r == c;
            for (int j = 0; j < s->count; j++)
                x += through[r][j] * s->free_rows[c][j];
            for (int k = 0; k < c; k++)
                x -= l[r][k] * l[c][k];
            l[r][c] = r == c ? sqrt(x) : x / l[c][c];
        }
}

// Takes off what the springs yield to the accelerations found without that: those of the step, or
// those of the pushes.
static void springs_yield(aba *t, bool of_push) {
    for (int k = 0; k < t->spring_count; k++) {
        aba_spring *s = &t->springs[k];
        double(*l)[ABA_SPRING_ROWS] = s->factor, z[ABA_SPRING_ROWS];
        for (int r = 0; r < ABA_SPRING_ROWS; r++) {
            z[r] = 0;
            for (int j = 0; j < s->count; j++) {
                const aba_node *n = &t->nodes[s->nodes[j]];
                z[r] += s->free_rows[r][j] * (of_push ? n->push_qdd : n->qdd);
            }
            for (int c = 0; c < r; c++)
                z[r] -= l[r][c] * z[c];
            z[r] /= l[r][r];
        }
        for (int r = ABA_SPRING_ROWS - 1; r >= 0; r--) {
            for (int c = r + 1; c < ABA_SPRING_ROWS; c++)
                z[r] -= l[c][r] * z[c];
            z[r] /= l[r][r];
        }
        for (int i = 0; i < t->count; i++) {
            t->nodes[i].step_qdd = 0;
            memset(t->nodes[i].step_w, 0, sizeof t->nodes[i].step_w);
        }
        for (int j = 0; j < s->count; j++) {
            aba_node *n = &t->nodes[s->nodes[j]];
            double yield = 0;
            for (int r = 0; r < ABA_SPRING_ROWS; r++)
                yield += s->free_rows[r][j] * z[r];
            n->step_qdd = -yield;
            // Returns the acceleration that a joint at its limit would have if it took part again.
            double own = of_push ? n->push_qdd : n->qdd;
            for (int r = 0; r < ABA_SPRING_ROWS && n->clamped; r++)
                yield += s->rows[r][j] * (z[r] + s->rows[r][j] * own);
            *(of_push ? &n->push_yield : &n->yield) = yield;
        }
        for (int i = s->length - 1; i >= 0; i--) {
            aba_node *n = &t->nodes[s->path[i]];
            n->step_qdd += six_dot(n->s, n->step_w);
            if (n->parent < 0)
                continue;
            aba_node *up = &t->nodes[n->parent];
            six_add_scaled(up->step_w, 1, n->step_w);
            six_add_scaled(up->step_w, -n->step_qdd / n->d, n->u);
        }
        for (int i = 0; i < t->count; i++) {
            aba_node *n = &t->nodes[i];
            const double zero[6] = {0}, *up = n->parent < 0 ? zero : t->nodes[n->parent].step_a;
            n->step_qdd = (n->step_qdd - six_dot(n->u, up)) / n->d;
            for (int j = 0; j < 6; j++)
                n->step_a[j] = up[j] + n->s[j] * n->step_qdd;
            *(of_push ? &n->push_qdd : &n->qdd) += n->step_qdd;
            six_add_scaled(of_push ? n->push_a : n->a, 1, n->step_a);
        }
    }
}

// The part that the springs take off the mobility of the last node of a path: Z^T Z.
static void spring_stiffens(const aba *t, const aba_spring *s, const int *path, int length,
                            double *mobility) {
    double z[ABA_SPRING_ROWS][6] = {{0}};
    for (int j = 0; j < s->count; j++) {
        double a[6] = {0};
        for (int i = 0; i < length; i++) {
            const aba_node *n = &t->nodes[path[i]];
            bool shared = i < s->length && s->path[i] == path[i];
            six_add_scaled(a, shared ? s->unit[j][i] : -six_dot(n->u, a) / n->d, n->s);
        }
        for (int r = 0; r < ABA_SPRING_ROWS; r++)
            six_add_scaled(z[r], s->free_rows[r][j], a);
    }
    for (int r = 0; r < ABA_SPRING_ROWS; r++) {
        for (int c = 0; c < r; c++)
            six_add_scaled(z[r], -s->factor[r][c], z[c]);
        for (int k = 0; k < 6; k++)
            z[r][k] /= s->factor[r][r];
        add_rank_one(mobility, -1, z[r], z[r]);
    }
}

// Adds to `up` what a node passes on of its articulated inertia: all but what its joint yields.
static void inertia_pass_on(double *restrict up, const double *restrict ia,
                            const double *restrict u, double inverse) {
    double f[6];
    for (int a = 0; a < 6; a++)
        f[a] = u[a] * inverse;
    for (int b = 0; b < 6; b++)
        for (int a = 0; a < 6; a++)
            up[6 * b + a] += ia[6 * b + a] - f[a] * u[b];
}

// Inward: articulated inertias and forces; outward: accelerations.
static void solve_pass(aba *t, double dt) {
    for (int i = 0; i < t->count; i++) {
        memcpy(t->nodes[i].ia, t->nodes[i].inertia_o, sizeof t->nodes[i].ia);
        memcpy(t->nodes[i].pa, t->nodes[i].bias, sizeof t->nodes[i].pa);
    }
    for (size_t k = 0; k < t->contact_count; k++) {
        const aba_contact *c = &t->contacts[k];
        if (!c->active)
            continue;
        for (int j = 0; j < 3; j++) {
            inertia_add(t->nodes[c->node].ia, c->implicit[j], c->w[j]);
            six_add_scaled(t->nodes[c->node].pa, -c->f0[j], c->w[j]);
            if (c->other >= 0) {
                inertia_add(t->nodes[c->other].ia, c->implicit[j], c->w[j]);
                six_add_scaled(t->nodes[c->other].pa, c->f0[j], c->w[j]);
            }
        }
    }
    for (int i = t->count - 1; i >= 0; i--) {
        aba_node *n = &t->nodes[i];
        inertia_multiply(n->ia, n->s, n->u);
        double effort = n->clamped > 0 ? n->high : n->low;
        n->friction = n->viscous + (n->slip ? 0 : n->coulomb / SLOW);
        n->d = six_dot(n->s, n->u) + n->armature + dt * n->friction;
        if (n->clamped == 0) {
            n->d += dt * n->kd + dt * dt * n->kp;
            effort = n->feedforward + n->shared + n->kp * (n->target - n->q - dt * n->qd) +
                     n->kd * (n->target_velocity - n->qd);
        }
        if (n->stopped) {
            n->d += n->stop_implicit;
            effort += n->stop;
        }
        n->rest = effort - n->slip * n->coulomb - n->friction * n->qd - six_dot(n->s, n->pa);
        if (n->parent < 0)
            continue;
        aba_node *up = &t->nodes[n->parent];
        double inverse = 1 / n->d, ic[6];
        inertia_multiply(n->ia, n->c, ic);
        double k = (n->rest - six_dot(n->u, n->c)) * inverse;
        for (int j = 0; j < 6; j++)
            up->pa[j] += n->pa[j] + ic[j] + n->u[j] * k;
        inertia_pass_on(up->ia, n->ia, n->u, inverse);
    }
    for (int i = 0; i < t->count; i++) {
        aba_node *n = &t->nodes[i];
        double base[6];
        for (int j = 0; j < 6; j++)
            base[j] = n->c[j] + (n->parent < 0 ? 0 : t->nodes[n->parent].a[j]);
        n->qdd = (n->rest - six_dot(n->u, base)) / n->d;
        for (int j = 0; j < 6; j++)
            n->a[j] = base[j] + n->s[j] * n->qdd;
    }
    for (int k = 0; k < t->spring_count; k++)
        spring_begin(t, &t->springs[k]);
    springs_yield(t, false);
}

static bool tree_is_pushed(const aba *t) {
    for (int i = 0; i < t->count; i++)
        for (int j = 0; j < 6; j++)
            if (t->nodes[i].push[j] != 0)
                return true;
    return false;
}

// Adds the response to the wrenches in `push` to the accelerations; overwrites `push`.
static void tree_respond(aba *t) {
    if (!tree_is_pushed(t)) {
        for (int i = 0; i < t->count; i++) {
            t->nodes[i].push_qdd = t->nodes[i].push_yield = 0;
            memset(t->nodes[i].push_a, 0, sizeof t->nodes[i].push_a);
        }
        return;
    }
    for (int i = t->count - 1; i >= 0; i--) {
        aba_node *n = &t->nodes[i];
        if (n->parent < 0)
            continue;
        double k = six_dot(n->s, n->push) / n->d;
        for (int j = 0; j < 6; j++)
            t->nodes[n->parent].push[j] += n->push[j] - n->u[j] * k;
    }
    for (int i = 0; i < t->count; i++) {
        aba_node *n = &t->nodes[i];
        double zero[6] = {0};
        const double *up = n->parent < 0 ? zero : t->nodes[n->parent].push_a;
        n->push_qdd = (six_dot(n->s, n->push) - six_dot(n->u, up)) / n->d;
        for (int j = 0; j < 6; j++)
            n->push_a[j] = up[j] + n->s[j] * n->push_qdd;
    }
    springs_yield(t, true);
}

static void recall_pushes(aba *t) {
    for (int i = 0; i < t->count; i++)
        memcpy(t->nodes[i].push, t->nodes[i].push_before, sizeof t->nodes[i].push);
}

// The effort that the controller asks for, whatever its limits.
static double control_law(const aba_node *n, double qdd, double dt) {
    return n->feedforward + n->shared - n->yield - n->push_yield +
           n->kp * (n->target - n->q - dt * n->qd) + n->kd * (n->target_velocity - n->qd) -
           (dt * n->kd + dt * dt * n->kp) * qdd;
}

static double controller_effort(const aba_node *n, double qdd, double dt) {
    return n->clamped == 0 ? control_law(n, qdd, dt) : n->clamped > 0 ? n->high : n->low;
}

// Clamps a drive's efforts to their limit as a vector. True: solve again.
static bool correct_plane(aba *t, aba_plane *p, double dt) {
    aba_node *x = &t->nodes[p->node], *y = x + 1;
    if (p->limit <= 0 || x->clamped)
        return false;
    double fx = controller_effort(x, x->qdd + x->push_qdd, dt) - x->feedforward;
    double fy = controller_effort(y, y->qdd + y->push_qdd, dt) - y->feedforward;
    double f = sqrt(fx * fx + fy * fy);
    if (f <= p->limit)
        return false;
    // low and high hold the one value that the pair is clamped to.
    x->low = x->high = x->feedforward + fx * p->limit / f;
    y->low = y->high = y->feedforward + fy * p->limit / f;
    x->clamped = y->clamped = 1;
    p->saturated = true;
    return true;
}

// Clamps efforts beyond their limits and drops contacts and stops that would pull; takes back what
// proves wrong, of efforts only with `release`. True: solve again.
static bool correct_limits(aba *t, double dt, double held, bool release) {
    bool again = false;
    for (int i = 0; i < t->plane_count; i++)
        again |= correct_plane(t, &t->planes[i], dt);
    for (int i = 0; i < t->count; i++) {
        aba_node *n = &t->nodes[i];
        if (n->driven)
            continue;
        double qdd = n->qdd + n->push_qdd, effort = control_law(n, qdd, dt);
        // At a limit it stays there until what is asked for lies well within.
        double band = n->clamped ? held * (n->high - n->low) / 2 : 0;
        int side = effort > n->high - band ? 1 : effort < n->low + band ? -1 : 0;
        // A joint that was let go, or held, may change once another one is at its limit.
        if (side != n->clamped && (release || n->clamped == 0))
            n->clamped = side, again = true;
        double qd = n->qd + dt * qdd;
        int slip = n->coulomb <= 0 || fabs(qd) < SLOW ? 0 : qd > 0 ? 1 : -1;
        if (slip != n->slip)
            n->slip = slip, again = true;
        bool stopped = n->stop_side && (n->stop - n->stop_implicit * qdd) * n->stop_side < 0;
        if (stopped != n->stopped)
            n->stopped = stopped, again = true;
    }
    for (size_t k = 0; k < t->contact_count; k++) {
        aba_contact *c = &t->contacts[k];
        const aba_node *n = &t->nodes[c->node];
        double f =
            c->f0[0] - c->implicit[0] * (six_dot(c->w[0], n->a) + six_dot(c->w[0], n->push_a));
        if ((f > 0) != c->active)
            c->active = f > 0, again = true;
    }
    return again;
}

// The nodes from the root to `node`; their number.
static int find_path(const aba *t, int node, int path[ABA_PATH_MAX]) {
    int length = 0;
    for (int i = node; i >= 0; i = t->nodes[i].parent)
        length++;
    ASSERT(length <= ABA_PATH_MAX);
    for (int i = node, k = length; i >= 0; i = t->nodes[i].parent)
        path[--k] = i;
    return length;
}

void aba_solve(aba *t, double dt) {
    for (int i = 0; i < t->plane_count; i++) {
        aba_plane *p = &t->planes[i];
        p->saturated = false;
        for (aba_node *n = &t->nodes[p->node]; n <= &t->nodes[p->node] + 1; n++) {
            n->driven = p->limit > 0;
            if (n->driven)
                n->clamped = 0;
        }
    }
    for (int i = 0; i < t->count; i++)
        node_begin(t, &t->nodes[i], dt);
    for (size_t k = 0; k < t->contact_count; k++)
        contact_begin(t, &t->contacts[k], dt);
    for (int k = 0; k < t->spring_count; k++) {
        aba_spring *s = &t->springs[k];
        s->length = find_path(t, s->nodes[s->count - 1], s->path);
        for (int j = 0; j < s->count; j++)
            t->nodes[s->nodes[j]].shared = s->effort[j];
    }
    for (int k = 0; k < PASSES; k++) {
        solve_pass(t, dt);
        // Limits are judged as if what pushes from outside pushed as in the last step.
        recall_pushes(t);
        tree_respond(t);
        if (k + 1 == PASSES || !correct_limits(t, dt, HELD, k < RELEASES))
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
    int path[ABA_PATH_MAX], length = find_path(t, node, path);
    memset(mobility, 0, 36 * sizeof *mobility);
    for (int i = 0; i < length; i++) {
        const aba_node *n = &t->nodes[path[i]];
        // (1 - S U^T / D) M (1 - U S^T / D) + S S^T / D
        double w[6], inverse = 1 / n->d;
        six_multiply(mobility, n->u, w);
        double k = (six_dot(w, n->u) * inverse + 1) * inverse;
        for (int a = 0; a < 6; a++)
            for (int b = 0; b < 6; b++)
                mobility[6 * a + b] +=
                    k * n->s[a] * n->s[b] - inverse * (n->s[a] * w[b] + w[a] * n->s[b]);
    }
    for (int k = 0; k < t->spring_count; k++)
        spring_stiffens(t, &t->springs[k], path, length, mobility);
}

double aba_yields(const aba *t, const double mobility[36], vec3 at, vec3 axis) {
    vec3 arm = v3_cross(v3_sub(at, t->origin), axis);
    double w[6] = {arm.x, arm.y, arm.z, axis.x, axis.y, axis.z}, sum = 0;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            sum += w[i] * mobility[6 * i + j] * w[j];
    return sum;
}

void aba_push(aba *t, int node, vec3 force, vec3 torque, vec3 at) {
    double w[6];
    six_set(w, v3_add(torque, v3_cross(v3_sub(at, t->origin), force)), force);
    six_add_scaled(t->nodes[node].push, 1, w);
}

void aba_finish(aba *t, double dt) {
    for (int i = 0; i < t->count; i++)
        for (int j = 0; j < 6; j++) {
            double *before = &t->nodes[i].push_before[j];
            *before += EXPECT * (t->nodes[i].push[j] - *before);
            if (fabs(*before) < NO_PUSH)
                *before = 0;
        }
    tree_respond(t);
    // A blow may have asked more of a motor than it has.
    for (int k = 0; k < PASSES && correct_limits(t, dt, HELD_AFTER, k < RELEASES); k++) {
        solve_pass(t, dt);
        recall_pushes(t);
        tree_respond(t);
    }
    for (size_t k = 0; k < t->contact_count; k++) {
        aba_contact *c = &t->contacts[k];
        if (!c->active)
            continue;
        double f[3];
        for (int j = 0; j < 3; j++) {
            const aba_node *n = &t->nodes[c->node];
            f[j] =
                c->f0[j] - c->implicit[j] * (six_dot(c->w[j], n->a) + six_dot(c->w[j], n->push_a));
        }
        f[0] = fmax(f[0], 0);
        c->force = v3_add(
            v3_scale(six_linear(c->w[0]), f[0]),
            v3_add(v3_scale(six_linear(c->w[1]), f[1]), v3_scale(six_linear(c->w[2]), f[2])));
    }
    for (int i = 0; i < t->count; i++) {
        aba_node *n = &t->nodes[i];
        double qdd = n->qdd + n->push_qdd;
        n->effort = controller_effort(n, qdd, dt);
        n->qdd_before = qdd;
        n->qd += dt * qdd;
        n->q += dt * n->qd;
    }
}

double aba_transmitted(const aba_node *n) {
    double stop = n->stopped ? n->stop - n->stop_implicit * n->qdd_before : 0;
    return n->effort - n->slip * n->coulomb - n->friction * n->qd - n->armature * n->qdd_before +
           stop;
}
