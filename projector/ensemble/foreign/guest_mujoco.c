// projector/ensemble/foreign/guest_mujoco.c - MuJoCo 2.2.2, whose library is opened by name; its
// header alone is needed to compile this.
//
// Where MuJoCo cannot go on it calls a handler that must not return: the process then waits to be
// ended. What MuJoCo only warns of, such as contacts that it has no room for or a state that it
// reset, is a failure here.
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "projector/ensemble/foreign/guest.h"
#include "projector/ensemble/foreign/mujoco.h"

// clang-format off
#define MUJOCO_FUNCTIONS(F) \
    F(mj_version) \
    F(mj_loadXML) \
    F(mj_makeData) \
    F(mj_step) \
    F(mj_contactForce) \
    F(mj_id2name) \
    F(mju_rotVecQuat) \
    F(mju_negQuat) \
    F(mju_mulQuat) \
    F(mju_quatIntegrate) \
    F(mjCOLLISIONFUNC) \
    F(mju_user_error) \
    F(mju_user_warning)
// clang-format on

static const double NEVER = -1e9;     // m, a margin within which no two geoms are
static const double BOX_SLACK = 1e-6; // m, by which rounding may be wrong
static const double PARALLEL = 1e-9;  // of an axis, beside the normal

enum { QPOS = 7, QVEL = 6, TURN = 7 }; // of a free body; how it is turned, and spins
enum { SPIN_ROUNDS = 5 };              // of substitution

// What two entities did to each other in the steps of MuJoCo within one of the physics.
typedef struct touching {
    int a, b;
    double force[3], normal[3], point[3], plain[3]; // sums; the first two weighted points by force
    double weight, approach, depth;
    int points;
} touching;

typedef struct mujoco {
#define FUNCTION(name) __typeof__(&name) name;
    MUJOCO_FUNCTIONS(FUNCTION)
#undef FUNCTION
    mjfCollision collide_boxes, collide_cylinder; // MuJoCo's own
    mjModel *model;
    mjData *data;
    int count;       // of bodies
    int *entities;   // by geom
    double *handed;  // by body: which hand-over it goes on from
    double *given;   // inputs
    double *out;     // outputs
    double *turns;   // by body: before a step, TURN numbers each
    touching *pairs; // room for one more than can be told
    int pair_count;
    bool warned;
} mujoco;

static guest *current; // MuJoCo's handlers take no context

static void on_error(const char *text) {
    guest_say(current, text);
    guest_fail(current, REPLY_FAILED, "MuJoCo cannot go on");
    page_give(current->page, TURN_FORESEE);
    while (true)
        pause(); // foresee ends the process
}

static void on_warning(const char *text) {
    ((mujoco *)current->functions)->warned = true;
    guest_say(current, text);
}

// ---- Collisions that MuJoCo 2.2.2 has wrong ----------------------------------------------------

// How far a point is outside of a box, m; negative: inside.
static double box_distance(const mjModel *m, const mjData *d, int box, const double *point) {
    const double *center = d->geom_xpos + 3 * box, *turn = d->geom_xmat + 9 * box;
    double most = -INFINITY;
    for (int i = 0; i < 3; i++) {
        double along = 0;
        for (int k = 0; k < 3; k++)
            along += (point[k] - center[k]) * turn[3 * k + i];
        most = fmax(most, fabs(along) - m->geom_size[3 * box + i]);
    }
    return most;
}

// MuJoCo takes edges that are parallel but for 1e-6 to cross somewhere near, and gives that
// place any depth: stacks burst. A contact is one only where either box has the other's surface in
// it.
static int boxes_collide(const mjModel *m, const mjData *d, mjContact *c, int a, int b,
                         mjtNum margin) {
    const mujoco *j = current->functions;
    int count = j->collide_boxes(m, d, c, a, b, margin), kept = 0;
    for (int i = 0; i < count; i++) {
        double of_a[3], of_b[3], slack = BOX_SLACK + fabs(c[i].dist) / 10;
        for (int k = 0; k < 3; k++) {
            of_a[k] = c[i].pos[k] - c[i].frame[k] * c[i].dist / 2;
            of_b[k] = c[i].pos[k] + c[i].frame[k] * c[i].dist / 2;
        }
        if (box_distance(m, d, a, of_a) <= slack && box_distance(m, d, b, of_b) <= slack)
            c[kept++] = c[i];
    }
    return kept;
}

// MuJoCo takes the lowest point of the rim of a cylinder on a plane from the tilt of its axis, and
// where that is nothing but rounding, from the rounding: what stands falls through. A rim that is
// parallel to the plane touches it in four points.
static int cylinder_collides(const mjModel *m, const mjData *d, mjContact *c, int plane,
                             int cylinder, mjtNum margin) {
    const mujoco *j = current->functions;
    const double *p = d->geom_xmat + 9 * plane, *q = d->geom_xmat + 9 * cylinder;
    const double n[3] = {p[2], p[5], p[8]}, axis[3] = {q[2], q[5], q[8]};
    double radius = m->geom_size[3 * cylinder], half = m->geom_size[3 * cylinder + 1];
    double upright = n[0] * axis[0] + n[1] * axis[1] + n[2] * axis[2], tilt = 0;
    for (int i = 0; i < 3; i++)
        tilt = fmax(tilt, fabs(axis[i] - upright * n[i]));
    if (tilt > PARALLEL)
        return j->collide_cylinder(m, d, c, plane, cylinder, margin);
    int count = 0;
    for (int k = 0; k < 4; k++) {
        double point[3], dist = 0;
        for (int i = 0; i < 3; i++) {
            double side = (k % 2 ? -radius : radius) * q[3 * i + k / 2];
            point[i] = d->geom_xpos[3 * cylinder + i] - copysign(half, upright) * axis[i] + side;
            dist += n[i] * (point[i] - d->geom_xpos[3 * plane + i]);
        }
        if (dist > margin)
            continue;
        c[count].dist = dist;
        for (int i = 0; i < 3; i++) {
            c[count].pos[i] = point[i] - n[i] * dist / 2;
            c[count].frame[i] = n[i];
            c[count].frame[3 + i] = 0; // MuJoCo finds the tangents
        }
        count++;
    }
    return count;
}

static void collisions_replace(mujoco *j) {
    mjfCollision *boxes = &(*j->mjCOLLISIONFUNC)[mjGEOM_BOX][mjGEOM_BOX];
    mjfCollision *cylinder = &(*j->mjCOLLISIONFUNC)[mjGEOM_PLANE][mjGEOM_CYLINDER];
    j->collide_boxes = *boxes;
    j->collide_cylinder = *cylinder;
    *boxes = boxes_collide;
    *cylinder = cylinder_collides;
}

// ---- The start ----------------------------------------------------------------------------------

static int pairs_most(const mujoco *j) {
    return j->count * MUJOCO_CONTACTS_EACH;
}

// Geoms are called gENTITY_NUMBER.
static bool find_entities(guest *g, mujoco *j) {
    j->entities = calloc((size_t)j->model->ngeom + 1, sizeof *j->entities);
    for (int i = 0; j->entities && i < j->model->ngeom; i++) {
        const char *name = j->mj_id2name(j->model, mjOBJ_GEOM, i);
        j->entities[i] = name && name[0] == 'g' ? atoi(name + 1) : -1;
        if (j->entities[i] < 0)
            return guest_fail(g, REPLY_REFUSED, "its geom %d has no entity", i);
    }
    return j->entities || guest_fail(g, REPLY_REFUSED, "there is no memory for its geoms");
}

static bool mujoco_load(guest *g) {
    static mujoco j;
    char why[PAGE_TEXT / 2] = "";
    current = g;
    g->functions = &j;
    if (!guest_open(g))
        return false;
#define FUNCTION(name)                                                                             \
    if (!(*(void **)(void *)&j.name = guest_function(g, #name)))                                   \
        return false;
    MUJOCO_FUNCTIONS(FUNCTION)
#undef FUNCTION
    if (j.mj_version() != mjVERSION_HEADER)
        return guest_fail(g, REPLY_REFUSED, "MuJoCo is of version %d, and %d is needed",
                          j.mj_version(), mjVERSION_HEADER);
    collisions_replace(&j);
    *j.mju_user_error = on_error;
    *j.mju_user_warning = on_warning;
    j.model = j.mj_loadXML(MUJOCO_FILE, NULL, why, sizeof why);
    if (!j.model)
        return guest_fail(g, REPLY_REFUSED, "MuJoCo does not take its bodies: %s", why);
    j.data = j.mj_makeData(j.model);
    j.count = j.model->nq / QPOS;
    size_t n = (size_t)j.count, most = (size_t)pairs_most(&j);
    if (g->page->inputs != n * MUJOCO_GIVEN ||
        g->page->outputs != n * MUJOCO_BODY + most * MUJOCO_CONTACT)
        return guest_fail(g, REPLY_REFUSED, "it has %d bodies, and others are exchanged", j.count);
    j.handed = calloc(n + 1, sizeof *j.handed);
    j.given = calloc(n * MUJOCO_GIVEN + 1, sizeof *j.given);
    j.out = calloc(n * MUJOCO_BODY + most * MUJOCO_CONTACT + 1, sizeof *j.out);
    j.turns = calloc(n * TURN + 1, sizeof *j.turns);
    j.pairs = calloc(most + 1, sizeof *j.pairs);
    if (!j.data || !j.handed || !j.given || !j.out || !j.turns || !j.pairs)
        return guest_fail(g, REPLY_REFUSED, "there is no memory for its bodies");
    return find_entities(g, &j);
}

static bool mujoco_set(guest *g, page_variable v, double value) {
    ((mujoco *)g->functions)->given[v.reference] = value;
    return true;
}

static bool mujoco_get(guest *g, page_variable v, double *value) {
    *value = ((mujoco *)g->functions)->out[v.reference];
    return true;
}

// ---- Hand-overs ---------------------------------------------------------------------------------

static bool is_owned(const mujoco *j, int entity) {
    for (int k = 0; k < j->count; k++)
        if (j->entities[j->model->body_geomadr[1 + k]] == entity)
            return j->handed[k] > 0;
    return true; // it stands there
}

// What somebody else answers for touches nothing.
static void pairs_choose(mujoco *j) {
    mjModel *m = j->model;
    for (int i = 0; i < m->npair; i++)
        m->pair_margin[i] =
            is_owned(j, j->entities[m->pair_geom1[i]]) && is_owned(j, j->entities[m->pair_geom2[i]])
                ? 0
                : NEVER;
}

// MuJoCo has a free body's angular velocity in the body's frame.
static void body_take(mujoco *j, int k) {
    const double *x = j->given + k * MUJOCO_GIVEN + 1;
    double *q = j->data->qpos + k * QPOS, *v = j->data->qvel + k * QVEL, back[4];
    memcpy(q, x, QPOS * sizeof *q);
    memcpy(v, x + QPOS, 3 * sizeof *v);
    j->mju_negQuat(back, q + 3);
    j->mju_rotVecQuat(v + 3, x + QPOS + 3, back);
}

static void bodies_take(mujoco *j) {
    bool changed = false;
    for (int k = 0; k < j->count; k++) {
        double handed = j->given[k * MUJOCO_GIVEN];
        if (handed == j->handed[k])
            continue;
        j->handed[k] = handed;
        changed = true;
        if (handed > 0)
            body_take(j, k);
    }
    if (!changed)
        return;
    pairs_choose(j);
    memset(j->data->qacc_warmstart, 0, (size_t)j->model->nv * sizeof *j->data->qacc_warmstart);
}

// Where somebody else answers for it, it stays where it is.
static void bodies_park(mujoco *j) {
    for (int k = 0; k < j->count; k++)
        if (j->handed[k] == 0) {
            memcpy(j->data->qpos + k * QPOS, j->model->qpos0 + k * QPOS, QPOS * sizeof(double));
            memset(j->data->qvel + k * QVEL, 0, QVEL * sizeof(double));
        }
}

static void bodies_put(mujoco *j) {
    for (int k = 0; k < j->count; k++) {
        double *x = j->out + k * MUJOCO_BODY;
        const double *q = j->data->qpos + k * QPOS, *v = j->data->qvel + k * QVEL;
        memcpy(x, q, QPOS * sizeof *x);
        memcpy(x + QPOS, v, 3 * sizeof *x);
        j->mju_rotVecQuat(x + QPOS + 3, v + 3, q + 3);
    }
}

// ---- Contacts -----------------------------------------------------------------------------------

// The place of a pair, a < b; NULL: there is no room.
static touching *pair_of(mujoco *j, int a, int b) {
    int i = 0;
    while (i < j->pair_count && (j->pairs[i].a < a || (j->pairs[i].a == a && j->pairs[i].b < b)))
        i++;
    if (i < j->pair_count && j->pairs[i].a == a && j->pairs[i].b == b)
        return &j->pairs[i];
    if (j->pair_count == pairs_most(j))
        return NULL;
    memmove(&j->pairs[i + 1], &j->pairs[i], (size_t)(j->pair_count++ - i) * sizeof *j->pairs);
    j->pairs[i] = (touching){.a = a, .b = b, .approach = -INFINITY};
    return &j->pairs[i];
}

// Adds the contacts of a step of MuJoCo. MuJoCo's normal, and the force on it, point into the
// second geom.
static bool contacts_add(guest *g, mujoco *j) {
    for (int i = 0; i < j->data->ncon; i++) {
        const mjContact *c = &j->data->contact[i];
        int a = j->entities[c->geom1], b = j->entities[c->geom2];
        double sign = a < b ? 1 : -1, force[6];
        if (c->efc_address < 0)
            continue;
        touching *t = pair_of(j, a < b ? a : b, a < b ? b : a);
        if (!t)
            return guest_fail(g, REPLY_FAILED, "more than %d pairs of bodies touch", pairs_most(j));
        j->mj_contactForce(j->model, j->data, i, force);
        double press = fmax(force[0], 0);
        for (int k = 0; k < 3; k++) {
            t->force[k] += sign * (force[0] * c->frame[k] + force[1] * c->frame[3 + k] +
                                   force[2] * c->frame[6 + k]);
            t->normal[k] += sign * (press + 1e-9) * c->frame[k];
            t->point[k] += press * c->pos[k];
            t->plain[k] += c->pos[k];
        }
        t->weight += press;
        t->points++;
        t->approach = fmax(t->approach, -j->data->efc_vel[c->efc_address]);
        t->depth = fmax(t->depth, -c->dist);
    }
    return true;
}

static void contacts_put(mujoco *j) {
    double *x = j->out + j->count * MUJOCO_BODY;
    for (int i = 0; i < j->pair_count; i++, x += MUJOCO_CONTACT) {
        const touching *t = &j->pairs[i];
        double length = sqrt(t->normal[0] * t->normal[0] + t->normal[1] * t->normal[1] +
                             t->normal[2] * t->normal[2]);
        x[0] = t->a;
        x[1] = t->b;
        for (int k = 0; k < 3; k++) {
            x[2 + k] = t->weight > 0 ? t->point[k] / t->weight : t->plain[k] / t->points;
            x[5 + k] = t->normal[k] / fmax(length, 1e-300);
            x[8 + k] = t->force[k] / MUJOCO_SUBSTEPS;
        }
        x[11] = t->approach;
        x[12] = t->depth;
    }
    if (j->pair_count < pairs_most(j))
        x[0] = -1;
}

// ---- A step -------------------------------------------------------------------------------------

static bool is_touched(const mujoco *j, int k) {
    for (int i = 0; i < j->data->ncon; i++) {
        const mjContact *c = &j->data->contact[i];
        if (c->efc_address >= 0 &&
            (j->model->geom_bodyid[c->geom1] == 1 + k || j->model->geom_bodyid[c->geom2] == 1 + k))
            return true;
    }
    return false;
}

// A body that nothing touches keeps its angular momentum L, which the explicit steps of MuJoCo do
// not. In its principal axes, whose turn is q, it spins by w = I^-1 q^-1 L, taken half a step on:
// the implicit midpoint rule, solved by substitution. `before`: its turn, and its spin in its own
// axes, at the begin of the step.
static void body_spin(mujoco *j, int k, const double *before, double h) {
    const double *inertia = j->model->body_inertia + 3 * (1 + k);
    const double *axes = j->model->body_iquat + 4 * (1 + k);
    double start[4], now[4], back[4], w[3], l[3], inward[4];
    j->mju_negQuat(inward, axes);
    j->mju_mulQuat(start, before, axes);
    j->mju_rotVecQuat(w, before + 4, inward);
    for (int i = 0; i < 3; i++)
        l[i] = inertia[i] * w[i];
    j->mju_rotVecQuat(l, (const double[]){l[0], l[1], l[2]}, start);
    for (int round = 0; round <= SPIN_ROUNDS; round++) { // the last is the end of the step
        memcpy(now, start, sizeof now);
        j->mju_quatIntegrate(now, w, round < SPIN_ROUNDS ? h / 2 : h);
        j->mju_negQuat(back, now);
        j->mju_rotVecQuat(w, l, back);
        for (int i = 0; i < 3; i++)
            w[i] /= inertia[i];
    }
    j->mju_mulQuat(j->data->qpos + k * QPOS + 3, now, inward);
    j->mju_rotVecQuat(j->data->qvel + k * QVEL + 3, w, axes);
}

static void bodies_step(mujoco *j, double h) {
    for (int k = 0; k < j->count; k++) {
        memcpy(j->turns + k * TURN, j->data->qpos + k * QPOS + 3, 4 * sizeof(double));
        memcpy(j->turns + k * TURN + 4, j->data->qvel + k * QVEL + 3, 3 * sizeof(double));
    }
    j->mj_step(j->model, j->data);
    for (int k = 0; k < j->count; k++)
        if (!is_touched(j, k))
            body_spin(j, k, j->turns + k * TURN, h);
}

static bool mujoco_ready(guest *g) {
    mujoco *j = g->functions;
    pairs_choose(j);
    bodies_put(j);
    contacts_put(j);
    return true;
}

static bool mujoco_enter(guest *g) {
    (void)g;
    return true;
}

static bool mujoco_advance(guest *g, double from, double length, double *reached) {
    mujoco *j = g->functions;
    j->model->opt.timestep = length / MUJOCO_SUBSTEPS;
    j->data->time = from;
    j->pair_count = 0;
    bodies_take(j);
    for (int i = 0; i < MUJOCO_SUBSTEPS; i++) {
        bodies_park(j);
        bodies_step(j, j->model->opt.timestep);
        if (j->warned)
            return guest_fail(g, REPLY_FAILED, "what MuJoCo goes on with would be wrong");
        if (!contacts_add(g, j))
            return false;
    }
    bodies_put(j);
    contacts_put(j);
    *reached = from + length;
    return true;
}

static void mujoco_end(guest *g) {
    (void)g; // the process ends with it
}

const guest_class guest_mujoco = {.load = mujoco_load,
                                  .enter = mujoco_enter,
                                  .leave = mujoco_ready,
                                  .set = mujoco_set,
                                  .get = mujoco_get,
                                  .advance = mujoco_advance,
                                  .end = mujoco_end};
