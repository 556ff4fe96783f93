// projector/world/dynamics/newton.c - see newton.h.
#include "projector/world/dynamics/newton.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int STEPS = 12, STACK_STEPS = 60, GRADIENTS = 100, SEARCHES = 20;
static const double SLIPS = 0.1;    // of the curvature across a slide: what is taken along it
static const double STILL = 1e-7;   // m/s, a smaller mean change is none
static const double ROUGHLY = 1e-2; // of a step by conjugate gradients: its residual
static const double SLOPE = 1e-2;   // of the function's at the begin of a search: where it ends
static const int PAUSE_MOST = 20;   // steps by sweeps alone while things are in motion
// Products of blocks that a factor in the envelope may cost.
static const size_t FACTOR_MOST = 4000;

enum { SIX = 6, BLOCK = 36 };

// The vectors and blocks of one solution, in n->numbers.
typedef struct room {
    size_t bodies;
    double *x, *free, *gradient, *step; // 6 each body: linear, then angular
    double *r, *z, *p, *q;              // of conjugate gradients
    double *diagonal;                   // a block each body
    double *factor;
    size_t *place, *first, *offset; // of each body in the factor's order; by place: where its row
                                    // begins, and stands in `factor`
    bool direct, stack;
} room;

void newton_clear(newton *n) {
    n->bodies.count = n->contacts.count = 0;
}

void newton_finish(newton *n) {
    array_finish(&n->bodies);
    array_finish(&n->contacts);
    array_finish(&n->numbers);
    array_finish(&n->order);
}

static mat3 symmetric_inverse(const mat3 *m) {
    vec3 r[3] = {v3(m->m[0][0], m->m[0][1], m->m[0][2]), v3(m->m[1][0], m->m[1][1], m->m[1][2]),
                 v3(m->m[2][0], m->m[2][1], m->m[2][2])};
    vec3 c[3] = {v3_cross(r[1], r[2]), v3_cross(r[2], r[0]), v3_cross(r[0], r[1])};
    double d = 1 / v3_dot(r[0], c[0]);
    return (mat3){{{c[0].x * d, c[1].x * d, c[2].x * d},
                   {c[0].y * d, c[1].y * d, c[2].y * d},
                   {c[0].z * d, c[1].z * d, c[2].z * d}}};
}

size_t newton_add_body(newton *n, newton_body b) {
    b.inverse_inertia = symmetric_inverse(&b.inertia);
    b.free_w = v3_add(b.w, mat3_apply(&b.inverse_inertia, b.turned));
    array_push(&n->bodies, b);
    return n->bodies.count - 1;
}

void newton_add_contact(newton *n, const newton_contact *from) {
    newton_contact c = *from;
    vec3 t = fabs(c.normal.z) > 0.7 ? v3(1, 0, 0) : v3(0, 0, 1);
    c.along[0] = c.normal;
    c.along[1] = v3_unit(v3_sub(t, v3_scale(c.normal, v3_dot(t, c.normal))));
    c.along[2] = v3_cross(c.normal, c.along[1]);
    double yields[3] = {c.soft, c.friction_soft, c.friction_soft};
    for (int side = 0; side < 2; side++) {
        size_t who = side == 0 ? c.a : c.b;
        if (who == NEWTON_NOBODY)
            continue;
        const newton_body *b = &n->bodies.items[who];
        vec3 arm = v3_sub(c.at, b->at);
        for (int k = 0; k < 3; k++) {
            c.turn[side][k] = v3_cross(arm, c.along[k]);
            c.spin[side][k] = mat3_apply(&b->inverse_inertia, c.turn[side][k]);
            yields[k] += 1 / b->mass + v3_dot(c.turn[side][k], c.spin[side][k]);
        }
    }
    for (int k = 0; k < 3; k++) {
        c.moves[k] = 1 / yields[k];
        c.impulse[k] = v3_dot(from->bore, c.along[k]);
    }
    c.impulse[0] = fmax(c.impulse[0], 0);
    array_push(&n->contacts, c);
}

// ---- Contacts -----------------------------------------------------------------------------

// What a body's velocity adds to the contact's speed in each direction. False: nothing is there.
static bool contact_rows(const newton_contact *c, int side, double out[3][SIX]) {
    if ((side == 0 ? c->a : c->b) == NEWTON_NOBODY)
        return false;
    double sign = side == 0 ? 1 : -1;
    for (int k = 0; k < 3; k++) {
        vec3 v = v3_scale(c->along[k], sign), w = v3_scale(c->turn[side][k], sign);
        double row[SIX] = {v.x, v.y, v.z, w.x, w.y, w.z};
        memcpy(out[k], row, sizeof row);
    }
    return true;
}

static double dot6(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

// Speeds that velocities mean at a contact.
static void contact_speed(const newton_contact *c, const double *x, double out[3]) {
    double rows[3][SIX];
    out[0] = out[1] = out[2] = 0;
    for (int side = 0; side < 2; side++) {
        if (!contact_rows(c, side, rows))
            continue;
        const double *of = x + SIX * (side == 0 ? c->a : c->b);
        for (int k = 0; k < 3; k++)
            out[k] += dot6(rows[k], of);
    }
}

// The impulse at a speed, and where `bend` is not NULL how it falls with the speed: along the
// normal; along and across the slide; the slide's direction.
typedef struct bending {
    double normal, along, across, direction[2];
} bending;

static void contact_impulse(const newton_contact *c, const double u[3], double out[3],
                            bending *bend) {
    double press = (c->wanted - u[0]) / c->soft;
    double most = c->mu * c->bound, slide = hypot(u[1], u[2]);
    bool slips = slide > most * c->friction_soft;
    double per = slips ? (slide > 0 ? most / slide : 0) : 1 / c->friction_soft;
    out[0] = fmax(press, 0);
    out[1] = -per * u[1];
    out[2] = -per * u[2];
    if (bend)
        *bend =
            (bending){.normal = press > 0 ? 1 / c->soft : 0,
                      .along = slips ? SLIPS * per : per,
                      .across = per,
                      .direction = {slide > 0 ? u[1] / slide : 1, slide > 0 ? u[2] / slide : 0}};
}

// The impulse's fall with the speed, as a matrix, times the rows.
static void bend_rows(const bending *b, double rows[3][SIX], double out[3][SIX]) {
    double c = b->direction[0], s = b->direction[1];
    double tt = b->along * c * c + b->across * s * s, uu = b->along * s * s + b->across * c * c,
           tu = (b->along - b->across) * c * s;
    for (int i = 0; i < SIX; i++) {
        out[0][i] = b->normal * rows[0][i];
        out[1][i] = tt * rows[1][i] + tu * rows[2][i];
        out[2][i] = tu * rows[1][i] + uu * rows[2][i];
    }
}

static void add_product(double *block, double a[3][SIX], double b[3][SIX]) {
    for (int i = 0; i < SIX; i++)
        for (int j = 0; j < SIX; j++)
            block[SIX * i + j] += a[0][i] * b[0][j] + a[1][i] * b[1][j] + a[2][i] * b[2][j];
}

// ---- Vectors ------------------------------------------------------------------------------

static void mass_times(const newton_body *b, const double *x, double *out) {
    vec3 w = mat3_apply(&b->inertia, v3(x[3], x[4], x[5]));
    out[0] = b->mass * x[0], out[1] = b->mass * x[1], out[2] = b->mass * x[2];
    out[3] = w.x, out[4] = w.y, out[5] = w.z;
}

// Contacts' speeds and impulses at x, and the function's gradient there.
static void find_gradient(newton *n, room *m) {
    for (size_t i = 0; i < m->bodies; i++) {
        double off[SIX];
        for (size_t k = 0; k < SIX; k++)
            off[k] = m->x[SIX * i + k] - m->free[SIX * i + k];
        mass_times(&n->bodies.items[i], off, m->gradient + SIX * i);
    }
    for (size_t i = 0; i < n->contacts.count; i++) {
        newton_contact *c = &n->contacts.items[i];
        double rows[3][SIX];
        contact_speed(c, m->x, c->speed);
        contact_impulse(c, c->speed, c->impulse, NULL);
        for (int side = 0; side < 2; side++) {
            if (!contact_rows(c, side, rows))
                continue;
            double *of = m->gradient + SIX * (side == 0 ? c->a : c->b);
            for (int k = 0; k < 3; k++)
                for (int j = 0; j < SIX; j++)
                    of[j] -= rows[k][j] * c->impulse[k];
        }
    }
}

static double dot(const double *a, const double *b, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

// ---- Blocks: Cholesky ----------------------------------------------------------------------

// Turns a symmetric block into its lower factor.
static void block_factor(double *a) {
    for (int i = 0; i < SIX; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = a[SIX * i + j];
            for (int k = 0; k < j; k++)
                sum -= a[SIX * i + k] * a[SIX * j + k];
            a[SIX * i + j] = i == j ? sqrt(fmax(sum, 1e-300)) : sum / a[SIX * j + j];
        }
    }
}

static void block_forward(const double *l, double *x) {
    for (int i = 0; i < SIX; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= l[SIX * i + k] * x[k];
        x[i] /= l[SIX * i + i];
    }
}

static void block_backward(const double *l, double *x) {
    for (int i = SIX - 1; i >= 0; i--) {
        for (int k = i + 1; k < SIX; k++)
            x[i] -= l[SIX * k + i] * x[k];
        x[i] /= l[SIX * i + i];
    }
}

// a -= b c'
static void block_subtract(double *a, const double *b, const double *c) {
    for (int i = 0; i < SIX; i++)
        for (int j = 0; j < SIX; j++)
            a[SIX * i + j] -= dot6(b + SIX * i, c + SIX * j);
}

static double *factor_block(const room *m, size_t row, size_t column) {
    return m->factor + BLOCK * (m->offset[row] + column - m->first[row]);
}

static void put_mass(const newton_body *b, double *block) {
    memset(block, 0, BLOCK * sizeof *block);
    for (int i = 0; i < 3; i++) {
        block[SIX * i + i] = b->mass;
        for (int j = 0; j < 3; j++)
            block[SIX * (i + 3) + j + 3] = b->inertia.m[i][j];
    }
}

// Adds what the contacts contribute: to the blocks of the bodies, and where `m->direct` to those
// between them.
static void add_contacts(newton *n, room *m) {
    for (size_t i = 0; i < n->contacts.count; i++) {
        const newton_contact *c = &n->contacts.items[i];
        double rows[2][3][SIX], bent[3][SIX], impulse[3];
        bending bend;
        bool there[2];
        contact_impulse(c, c->speed, impulse, &bend);
        for (int side = 0; side < 2; side++)
            there[side] = contact_rows(c, side, rows[side]);
        for (int side = 0; side < 2; side++) {
            if (!there[side])
                continue;
            size_t who = side == 0 ? c->a : c->b, at = m->place[who];
            bend_rows(&bend, rows[side], bent);
            add_product(m->direct ? factor_block(m, at, at) : m->diagonal + BLOCK * who, bent,
                        rows[side]);
            size_t other = m->place[side == 0 ? (there[1] ? c->b : who) : (there[0] ? c->a : who)];
            if (m->direct && there[!side] && other < at)
                add_product(factor_block(m, at, other), bent, rows[!side]);
        }
    }
}

static void step_direct(newton *n, room *m) {
    for (size_t i = 0; i < m->bodies; i++)
        memset(factor_block(m, i, m->first[i]), 0,
               BLOCK * (i - m->first[i] + 1) * sizeof *m->factor);
    for (size_t i = 0; i < m->bodies; i++)
        put_mass(&n->bodies.items[i], factor_block(m, m->place[i], m->place[i]));
    add_contacts(n, m);
    for (size_t i = 0; i < m->bodies; i++) {
        for (size_t j = m->first[i]; j <= i; j++) {
            double *at = factor_block(m, i, j);
            for (size_t k = m->first[i] > m->first[j] ? m->first[i] : m->first[j]; k < j; k++)
                block_subtract(at, factor_block(m, i, k), factor_block(m, j, k));
            if (i == j)
                block_factor(at);
            else
                for (int row = 0; row < SIX; row++)
                    block_forward(factor_block(m, j, j), at + SIX * row);
        }
    }
    double *y = m->r; // in the factor's order
    for (size_t i = 0; i < m->bodies; i++)
        for (size_t k = 0; k < SIX; k++)
            y[SIX * m->place[i] + k] = -m->gradient[SIX * i + k];
    for (size_t i = 0; i < m->bodies; i++) {
        for (size_t j = m->first[i]; j < i; j++)
            for (size_t k = 0; k < SIX; k++)
                y[SIX * i + k] -= dot6(factor_block(m, i, j) + SIX * k, y + SIX * j);
        block_forward(factor_block(m, i, i), y + SIX * i);
    }
    for (size_t i = m->bodies; i-- > 0;) {
        block_backward(factor_block(m, i, i), y + SIX * i);
        for (size_t j = m->first[i]; j < i; j++)
            for (size_t k = 0; k < SIX; k++)
                for (size_t l = 0; l < SIX; l++)
                    y[SIX * j + l] -= factor_block(m, i, j)[SIX * k + l] * y[SIX * i + k];
    }
    for (size_t i = 0; i < m->bodies; i++)
        memcpy(m->step + SIX * i, y + SIX * m->place[i], SIX * sizeof *y);
}

// ---- Conjugate gradients --------------------------------------------------------------------

static void curvature_times(const newton *n, const room *m, const double *x, double *out) {
    for (size_t i = 0; i < m->bodies; i++)
        mass_times(&n->bodies.items[i], x + SIX * i, out + SIX * i);
    for (size_t i = 0; i < n->contacts.count; i++) {
        const newton_contact *c = &n->contacts.items[i];
        double rows[3][SIX], u[3], impulse[3];
        bending b;
        contact_impulse(c, c->speed, impulse, &b);
        if (b.normal == 0 && b.across == 0)
            continue;
        contact_speed(c, x, u);
        double slide = b.direction[0] * u[1] + b.direction[1] * u[2];
        double f[3] = {b.normal * u[0],
                       b.across * u[1] + (b.along - b.across) * slide * b.direction[0],
                       b.across * u[2] + (b.along - b.across) * slide * b.direction[1]};
        for (int side = 0; side < 2; side++) {
            if (!contact_rows(c, side, rows))
                continue;
            double *of = out + SIX * (side == 0 ? c->a : c->b);
            for (int k = 0; k < 3; k++)
                for (int j = 0; j < SIX; j++)
                    of[j] += rows[k][j] * f[k];
        }
    }
}

static void step_by_gradients(newton *n, room *m) {
    size_t count = SIX * m->bodies;
    for (size_t i = 0; i < m->bodies; i++)
        put_mass(&n->bodies.items[i], m->diagonal + BLOCK * i);
    add_contacts(n, m);
    for (size_t i = 0; i < m->bodies; i++)
        block_factor(m->diagonal + BLOCK * i);
    memset(m->step, 0, count * sizeof *m->step);
    for (size_t i = 0; i < count; i++)
        m->r[i] = -m->gradient[i];
    double before = 0, begin = 0;
    for (int k = 0; k < GRADIENTS; k++) {
        memcpy(m->z, m->r, count * sizeof *m->z);
        for (size_t i = 0; i < m->bodies; i++) {
            block_forward(m->diagonal + BLOCK * i, m->z + SIX * i);
            block_backward(m->diagonal + BLOCK * i, m->z + SIX * i);
        }
        double now = dot(m->r, m->z, count);
        if (k == 0)
            begin = now;
        if (now <= ROUGHLY * ROUGHLY * begin)
            break;
        for (size_t i = 0; i < count; i++)
            m->p[i] = m->z[i] + (k > 0 ? now / before * m->p[i] : 0);
        curvature_times(n, m, m->p, m->q);
        double far = now / dot(m->p, m->q, count);
        for (size_t i = 0; i < count; i++) {
            m->step[i] += far * m->p[i];
            m->r[i] -= far * m->q[i];
        }
        before = now;
    }
}

// ---- Newton's method --------------------------------------------------------------------------

// Slope and curvature of the function along the step, `far` of it from x.
static double slope_at(const newton *n, double mass_slope, double mass_bend, double far,
                       double *bend) {
    double slope = mass_slope + far * mass_bend;
    *bend = mass_bend;
    for (size_t i = 0; i < n->contacts.count; i++) {
        const newton_contact *c = &n->contacts.items[i];
        double u[3], p[3];
        bending b;
        for (int k = 0; k < 3; k++)
            u[k] = c->speed[k] + far * c->change[k];
        contact_impulse(c, u, p, &b);
        for (int k = 0; k < 3; k++)
            slope -= p[k] * c->change[k];
        double slide = b.direction[0] * c->change[1] + b.direction[1] * c->change[2];
        double all = c->change[1] * c->change[1] + c->change[2] * c->change[2];
        *bend += b.normal * c->change[0] * c->change[0] + b.across * (all - slide * slide) +
                 b.along * slide * slide;
    }
    return slope;
}

// How far along the step the function is least.
static double search(newton *n, const room *m) {
    double mass_slope = 0, mass_bend = 0;
    for (size_t i = 0; i < m->bodies; i++) {
        double off[SIX], out[SIX];
        const double *d = m->step + SIX * i;
        for (size_t k = 0; k < SIX; k++)
            off[k] = m->x[SIX * i + k] - m->free[SIX * i + k];
        mass_times(&n->bodies.items[i], d, out);
        mass_slope += dot6(out, off);
        mass_bend += dot6(out, d);
    }
    for (size_t i = 0; i < n->contacts.count; i++)
        contact_speed(&n->contacts.items[i], m->step, n->contacts.items[i].change);
    double low = 0, high = INFINITY, far = 1, bend;
    double begin = fabs(slope_at(n, mass_slope, mass_bend, 0, &bend));
    for (int k = 0; k < SEARCHES; k++) {
        double slope = slope_at(n, mass_slope, mass_bend, far, &bend);
        if (fabs(slope) <= SLOPE * begin)
            break;
        if (slope > 0)
            high = far;
        else
            low = far;
        double next = far - slope / bend;
        if (!(next > low && next < high))
            next = isinf(high) ? 2 * far : (low + high) / 2;
        far = next;
    }
    return far;
}

static int by_height(const void *x, const void *y) {
    const double *a = x, *b = y; // height, number
    return a[0] != b[0] ? (a[0] < b[0] ? -1 : 1) : a[1] < b[1] ? -1 : a[1] > b[1];
}

// The order of the bodies in a factor, its envelope, and whether it is cheap enough.
static size_t plan_factor(newton *n, room *m) {
    double *heights = n->numbers.items;
    for (size_t i = 0; i < m->bodies; i++)
        heights[2 * i] = n->bodies.items[i].height, heights[2 * i + 1] = (double)i;
    qsort(heights, m->bodies, 2 * sizeof *heights, by_height);
    for (size_t i = 0; i < m->bodies; i++)
        m->place[(size_t)heights[2 * i + 1]] = i, m->first[i] = i;
    for (size_t i = 0; i < n->contacts.count; i++) {
        const newton_contact *c = &n->contacts.items[i];
        if (c->a == NEWTON_NOBODY || c->b == NEWTON_NOBODY)
            continue;
        size_t pa = m->place[c->a], pb = m->place[c->b], low = pa < pb ? pa : pb,
               high = pa < pb ? pb : pa;
        if (low < m->first[high])
            m->first[high] = low;
    }
    size_t cost = 0, blocks = 0;
    for (size_t i = 0; i < m->bodies; i++) {
        m->offset[i] = blocks;
        blocks += i - m->first[i] + 1;
        cost += (i - m->first[i]) * (i - m->first[i]) / 2;
    }
    m->direct = cost <= FACTOR_MOST;
    m->stack = cost <= m->bodies;
    return m->direct ? blocks : 0;
}

static room make_room(newton *n) {
    size_t bodies = n->bodies.count, vectors = 8 * SIX + BLOCK;
    room m = {.bodies = bodies};
    array_reserve(&n->order, 3 * bodies);
    array_reserve(&n->numbers, vectors * bodies);
    m.place = n->order.items, m.first = m.place + bodies, m.offset = m.first + bodies;
    size_t blocks = plan_factor(n, &m);
    array_reserve(&n->numbers, vectors * bodies + BLOCK * blocks);
    double *next = n->numbers.items;
    double **all[] = {&m.x, &m.free, &m.gradient, &m.step, &m.r, &m.z, &m.p, &m.q};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++, next += SIX * bodies)
        *all[k] = next;
    m.diagonal = next;
    m.factor = next + BLOCK * bodies;
    for (size_t i = 0; i < bodies; i++) {
        const newton_body *b = &n->bodies.items[i];
        double now[SIX] = {b->v.x, b->v.y, b->v.z, b->w.x, b->w.y, b->w.z};
        double freely[SIX] = {b->free_v.x, b->free_v.y, b->free_v.z,
                              b->free_w.x, b->free_w.y, b->free_w.z};
        memcpy(m.x + SIX * i, now, sizeof now);
        memcpy(m.free + SIX * i, freely, sizeof freely);
    }
    return m;
}

// What a step could gain at most if the bodies were free: the square of the gradient, by mass.
static double free_gain(const newton *n, const room *m) {
    double gain = 0;
    for (size_t i = 0; i < m->bodies; i++) {
        const newton_body *b = &n->bodies.items[i];
        const double *g = m->gradient + SIX * i;
        vec3 turn = v3(g[3], g[4], g[5]);
        gain += (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) / b->mass +
                v3_dot(turn, mat3_apply(&b->inverse_inertia, turn));
    }
    return gain;
}

// Newton's method from what the sweeps have found. Returns whether it reached the minimum.
static bool refine(newton *n, room *m) {
    double mass = 0;
    for (size_t i = 0; i < m->bodies; i++)
        mass += n->bodies.items[i].mass;
    find_gradient(n, m);
    for (int k = 0; k < (m->stack ? STACK_STEPS : STEPS); k++) {
        // The function bends by mass at least, so that this bounds what a step could gain.
        if (!(free_gain(n, m) > mass * STILL * STILL))
            return true;
        if (m->direct)
            step_direct(n, m);
        else
            step_by_gradients(n, m);
        // The square of the step, measured by the function's curvature: at least that by mass.
        double decrement = -dot(m->gradient, m->step, SIX * m->bodies);
        if (!(decrement > mass * STILL * STILL))
            return true;
        double far = search(n, m);
        for (size_t i = 0; i < SIX * m->bodies; i++)
            m->x[i] += far * m->step[i];
        find_gradient(n, m);
    }
    return false;
}

void newton_solve(newton *n) {
    newton_sweep(n);
    if (n->wait > 0) {
        n->wait--;
        return;
    }
    for (size_t i = 0; i < n->contacts.count; i++)
        memcpy(n->contacts.items[i].swept, n->contacts.items[i].impulse,
               sizeof n->contacts.items[i].swept);
    room m = make_room(n);
    bool found = refine(n, &m);
    n->pause = found ? 0 : n->pause < PAUSE_MOST ? n->pause + 1 : PAUSE_MOST;
    n->wait = n->pause;
    for (size_t i = 0; i < n->contacts.count && !found; i++)
        memcpy(n->contacts.items[i].impulse, n->contacts.items[i].swept,
               sizeof n->contacts.items[i].swept);
}
