// projector/world/particles.c - fluids and grains as soft spheres: a model of its own beside ODE.
//
// grains.h has their forces. What they exert on a body, on average over the step, acts on it in the
// same step of ODE. What another model moves (contents.h) is no part of that: it moves on evenly
// between two results, and its last known force acts on the body that it is in.
#include "projector/world/particles_int.h"

enum { CALM_STEPS = 50 };
static const double CALM = 3e-3;      // m/s
static const double NEAR = 1e-3;      // m: what is awake so near keeps awake
static const double OVERLAP = 1.5e-3; // m, tolerated at the start

// ---- Building -------------------------------------------------------------------------

status particles_create(sim *s, error *err) {
    const world_model *w = s->world;
    struct particles *p = s->particles = mem_must(1, sizeof *p);
    p->by_entity = mem_must(w->body_count + 1, sizeof *p->by_entity);
    for (size_t b = 0; b < w->body_count; b++) {
        p->by_entity[b] = w->bodies[b].particle ? (int)p->count : -1;
        p->count += w->bodies[b].particle;
    }
    s->settles_all = p->count > 0;
    grains_init(&p->g, p->count);
    p->g.gravity = w->gravity;
    for (size_t b = 0; b < w->body_count; b++) {
        const body_type *type = w->bodies[b].type;
        if (!w->bodies[b].particle)
            continue;
        if (type->shape_count != 1 || type->shapes[0].kind != SHAPE_SPHERE || !(type->mass > 0))
            return error_set(err, E_INPUT, "%s is a particle, which must be one sphere with a mass",
                             w->bodies[b].name);
        grain *q = &p->g.items[p->by_entity[b]];
        *q = grain_make(type->shapes[0].size.x, type->mass, type->restitution,
                        seconds(s->options.step));
        q->entity = b;
        q->x = pose_apply(w->bodies[b].at, type->shapes[0].at.p);
        q->here = s->colliders[b].on;
        p->g.largest = fmax(p->g.largest, q->radius);
        p->awake_count += s->colliders[b].on;
    }
    return OK;
}

void particles_destroy(sim *s) {
    struct particles *p = s->particles;
    if (!p)
        return;
    free(p->by_entity);
    grains_finish(&p->g);
    array_finish(&p->loans);
    array_finish(&p->wake);
    array_finish(&p->touches);
    array_finish(&p->all);
    free(p);
}

static const grain *of_entity(const sim *s, size_t entity) {
    return &s->particles->g.items[s->particles->by_entity[entity]];
}

pose particles_pose(const sim *s, size_t entity) {
    const grain *q = of_entity(s, entity);
    const world_body *b = &s->world->bodies[entity];
    return (pose){v3_sub(q->x, quat_rotate(b->at.q, b->type->shapes[0].at.p)), b->at.q};
}

vec3 particles_velocity(const sim *s, size_t entity) {
    return of_entity(s, entity)->v;
}

bool particles_asleep(const sim *s, size_t entity) {
    return !of_entity(s, entity)->awake;
}

void particles_put(sim *s, size_t entity, pose at, bool on) {
    grain *q = &s->particles->g.items[s->particles->by_entity[entity]];
    s->particles->awake_count -= q->awake && q->here;
    s->particles->awake_count += on;
    q->x = pose_apply(at, s->world->bodies[entity].type->shapes[0].at.p);
    q->v = v3(0, 0, 0);
    q->awake = true;
    q->calm_steps = 0;
    q->hold_count = q->touch_count = 0;
    q->here = s->colliders[entity].on = on;
    q->lent = false;
}

// ---- Waking and neighbours ------------------------------------------------------------

static void particle_wake(sim *s, grain *q) {
    if (q->awake || !q->here)
        return;
    q->awake = true;
    q->calm_steps = 0;
    s->particles->awake_count++;
}

void particles_wake_near(sim *s, const bounds *at) {
    for (size_t i = 0; i < s->particles->count; i++)
        if (grain_reaches(at, s->particles->g.items[i].x, s->particles->g.items[i].radius + NEAR))
            particle_wake(s, &s->particles->g.items[i]);
}

// Returns whether an entity may move in this step.
static bool collider_moves(const collider *c) {
    return c->on && ((c->kind == COLLIDER_FREE && c->awake) || c->kind == COLLIDER_LINK ||
                     c->kind == COLLIDER_HAND);
}

// Calls for every entity that may move: bodies, then the robot.
static size_t mover_count(const sim *s) {
    return s->awake_count + (s->entity_count - s->first_link);
}
static size_t mover_at(const sim *s, size_t i) {
    return i < s->awake_count ? s->awake[i] : s->first_link + (i - s->awake_count);
}

static void wake_by_movers(sim *s) {
    struct particles *p = s->particles;
    size_t asleep = 0;
    bounds all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = 0; i < p->count; i++) {
        const grain *q = &p->g.items[i];
        if (q->awake || !q->here)
            continue;
        double at[3] = {q->x.x, q->x.y, q->x.z};
        for (int k = 0; k < 3; k++) {
            all.low[k] = fmin(all.low[k], at[k] - p->g.largest - NEAR);
            all.high[k] = fmax(all.high[k], at[k] + p->g.largest + NEAR);
        }
        asleep++;
    }
    for (size_t m = 0; asleep > 0 && m < mover_count(s); m++) {
        const collider *c = &s->colliders[mover_at(s, m)];
        bool near = c->on;
        for (int k = 0; k < 3; k++)
            near = near && c->bounds.low[k] <= all.high[k] && c->bounds.high[k] >= all.low[k];
        if (near)
            particles_wake_near(s, &c->bounds);
    }
}

// A body that flies answers as a free one.
static grain_partner partner_of(sim *s, size_t e) {
    const collider *c = &s->colliders[e];
    grain_partner a = {.entity = e, .moves = collider_moves(c)};
    if (c->body) {
        a.center = from_ode(dBodyGetPosition(c->body));
    } else if (c->kind == COLLIDER_LINK) {
        a.center = s->tree.nodes[c->node].p;
    }
    if (!a.moves)
        return a;
    a.v = collider_velocity(s, c, a.center);
    if (c->body) {
        a.w = from_ode(dBodyGetAngularVel(c->body));
    } else {
        const double *v = s->tree.nodes[c->node].v;
        a.w = v3(v[0], v[1], v[2]);
    }
    // By then contacts are known, and have their joints or are those of exact.c.
    a.flies = c->kind == COLLIDER_FREE && dBodyGetNumJoints(c->body) == 0 && !exact_holds(s, e);
    if (a.flies) {
        a.mass = c->mass;
        dMass m;
        dBodyGetMass(c->body, &m);
        mat3 i = {{{m.I[0], m.I[1], m.I[2]}, {m.I[4], m.I[5], m.I[6]}, {m.I[8], m.I[9], m.I[10]}}};
        mat3 inverse = mat3_inverse(&i);
        const dReal *q = dBodyGetQuaternion(c->body);
        mat3 r = quat_matrix((quat){q[0], q[1], q[2], q[3]}), back = mat3_transpose(&r);
        mat3 half = mat3_mul(&r, &inverse);
        a.inverse_inertia = mat3_mul(&half, &back);
    }
    return a;
}

// The shapes of one entity that some awake particle may reach in this step.
static void offer_shapes(sim *s, size_t e, const bounds *all, double reach) {
    struct particles *p = s->particles;
    const collider *c = &s->colliders[e];
    if (!c->on)
        return;
    for (int k = 0; k < 3; k++)
        if (c->bounds.low[k] > all->high[k] || c->bounds.high[k] < all->low[k])
            return;
    bool used = false;
    for (size_t k = 0; k < c->geom_count; k++) {
        pose at = pose_mul(sim_pose(s, e), c->shapes[k].at);
        grain_surface f = {.partner = p->g.partners.count,
                           .surface = c->surface,
                           .shape = &c->shapes[k],
                           .id = UINT64_C(1) << 63 | (uint64_t)e << 16 | k,
                           .at = at,
                           .r = quat_matrix(at.q)};
        used |= grains_offer(&p->g, &f, &c->geom_bounds[k], reach);
    }
    if (used)
        array_push(&p->g.partners, partner_of(s, e));
}

static int number_order(const void *x, const void *y) {
    const size_t *a = x, *b = y;
    return *a < *b ? -1 : *a > *b;
}

static void find_walls(sim *s, double dt) {
    struct particles *p = s->particles;
    p->g.partners.count = p->g.surfaces.count = p->g.walls.count = p->wake.count = 0;
    double fastest = 0;
    bounds all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = 0; i < p->count; i++) {
        const grain *q = &p->g.items[i];
        if (!q->awake || !q->here)
            continue;
        double at[3] = {q->x.x, q->x.y, q->x.z};
        for (int k = 0; k < 3; k++) {
            all.low[k] = fmin(all.low[k], at[k]);
            all.high[k] = fmax(all.high[k], at[k]);
        }
        fastest = fmax(fastest, v3_length(q->v));
    }
    double quickest = 0; // of what moves; bounds turn with it
    for (size_t i = 0; i < mover_count(s); i++) {
        const collider *c = &s->colliders[mover_at(s, i)];
        if (c->body)
            quickest = fmax(quickest, v3_length(from_ode(dBodyGetLinearVel(c->body))) +
                                          0.2 * v3_length(from_ode(dBodyGetAngularVel(c->body))));
    }
    double reach = GRAIN_SLACK + NEAR + dt * (fastest + fmin(quickest, 20));
    for (int k = 0; k < 3; k++) {
        all.low[k] -= p->g.largest + reach;
        all.high[k] += p->g.largest + reach;
    }
    size_t count;
    const size_t *near = broad_query(s->broad, &all, &count);
    // Numbers of bodies in ascending order, whatever the tree's.
    for (size_t i = 0; i < count; i++)
        array_push(&p->wake, near[i]);
    if (p->wake.count > 0)
        qsort(p->wake.items, p->wake.count, sizeof *p->wake.items, number_order);
    for (size_t i = 0; i < p->wake.count; i++)
        offer_shapes(s, p->wake.items[i], &all, reach);
    p->wake.count = 0;
    for (size_t e = s->first_link; e < s->entity_count; e++)
        offer_shapes(s, e, &all, reach);
    grains_sort_walls(&p->g);
}

// ---- Stepping -------------------------------------------------------------------------

void particles_step(sim *s, double dt) {
    struct particles *p = s->particles;
    if (p->count == 0)
        return;
    p->g.partners.count = p->g.struck.count = 0;
    loans_step(s, dt);
    wake_by_movers(s);
    if (p->awake_count == 0)
        return;
    p->g.friction = s->friction;
    p->g.surface_count = s->surface_count;
    for (size_t i = 0; i < p->count; i++)
        p->g.items[i].surface = s->colliders[p->g.items[i].entity].surface;
    find_walls(s, dt);
    grains_step(&p->g, dt);
    for (size_t i = 0; i < p->g.partners.count; i++) {
        const grain_partner *b = &p->g.partners.items[i];
        const collider *c = &s->colliders[b->entity];
        if (!b->moves || !c->body || !dBodyIsEnabled(c->body))
            continue;
        vec3 f = v3_scale(b->impulse, 1 / dt), t = v3_scale(b->twist, 1 / dt);
        dBodyAddForce(c->body, f.x, f.y, f.z);
        dBodyAddTorque(c->body, t.x, t.y, t.z);
    }
}

// The particle lies still, with everything that it leans on.
static bool may_sleep(const sim *s, const grain *q) {
    if (q->calm_steps < CALM_STEPS)
        return false;
    for (size_t m = 0; m < mover_count(s); m++) {
        const collider *c = &s->colliders[mover_at(s, m)];
        if (c->on && grain_reaches(&c->bounds, q->x, q->radius + NEAR))
            return false;
    }
    return true;
}

void particles_return(sim *s, double dt) {
    struct particles *p = s->particles;
    for (size_t i = 0; i < p->g.partners.count; i++) {
        const grain_partner *b = &p->g.partners.items[i];
        const collider *c = &s->colliders[b->entity];
        if (c->kind == COLLIDER_LINK || (c->kind == COLLIDER_HAND && !dBodyIsEnabled(c->body)))
            aba_push(&s->tree, c->node, v3_scale(b->impulse, 1 / dt), v3_scale(b->twist, 1 / dt),
                     b->center);
        if (b->hit)
            body_wake(s, b->entity);
    }
    for (size_t i = 0; i < p->g.struck.count; i++)
        particle_wake(s, &p->g.items[p->g.struck.items[i]]);
    if (p->awake_count == 0)
        return;
    for (size_t i = 0; i < p->count; i++) {
        grain *q = &p->g.items[i];
        if (!q->awake || !q->here)
            continue;
        q->calm_steps = v3_length(q->v) >= CALM      ? 0
                        : q->calm_steps < CALM_STEPS ? q->calm_steps + 1
                                                     : CALM_STEPS;
        // A body sleeps no sooner than what lies in it.
        for (size_t k = 0; q->calm_steps < CALM_STEPS && k < q->touch_count; k++)
            s->colliders[q->touches[k].entity].calm_steps = 0;
    }
    // Particles that lean on restless ones are restless; a chain of them settles within a few
    // steps.
    for (size_t i = 0; i < p->g.pairs.count; i++) {
        grain *a = &p->g.items[p->g.pairs.items[i].i], *b = &p->g.items[p->g.pairs.items[i].j];
        if (a->calm_steps < CALM_STEPS && b->awake && b->calm_steps == CALM_STEPS)
            b->calm_steps = CALM_STEPS - 1;
        else if (b->awake && b->calm_steps < CALM_STEPS && a->calm_steps == CALM_STEPS)
            a->calm_steps = CALM_STEPS - 1;
    }
}

void particles_rest(sim *s) {
    struct particles *p = s->particles;
    for (size_t i = 0; p->awake_count > 0 && i < p->count; i++) {
        grain *q = &p->g.items[i];
        if (!q->awake || !q->here || !may_sleep(s, q))
            continue;
        q->awake = false;
        q->v = v3(0, 0, 0);
        q->calm_steps = 0;
        p->awake_count--;
    }
}

const char *particles_diverged(const sim *s, double far, double fast) {
    const struct particles *p = s->particles;
    for (size_t i = 0; p->awake_count > 0 && i < p->count; i++) {
        const grain *q = &p->g.items[i];
        if (!q->here)
            continue;
        // A value that is no number fails the comparison.
        if (!(v3_length(q->x) <= far) || !(v3_length(q->v) <= fast))
            return s->world->bodies[q->entity].name;
    }
    return NULL;
}

// ---- Reporting ------------------------------------------------------------------------

static int contact_order(const void *x, const void *y) {
    const sim_contact *p = x, *q = y;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

void particles_report(sim *s) {
    struct particles *p = s->particles;
    if (p->count == 0)
        return;
    p->touches.count = 0;
    for (size_t i = 0; i < p->count; i++) {
        const grain *q = &p->g.items[i];
        if (!q->here)
            continue;
        for (size_t k = 0; k < q->touch_count; k++) {
            const grain_touch *t = &q->touches[k];
            if (s->colliders[t->entity].on)
                array_push(&p->touches, sim_grain_contact(q->entity, t, !q->awake));
        }
    }
    if (p->touches.count > 0)
        qsort(p->touches.items, p->touches.count, sizeof *p->touches.items, contact_order);
    p->all.count = 0;
    size_t i = 0, k = 0;
    while (i < s->contacts.count || k < p->touches.count) {
        bool body = k == p->touches.count ||
                    (i < s->contacts.count &&
                     contact_order(&s->contacts.items[i], &p->touches.items[k]) < 0);
        array_push(&p->all, body ? s->contacts.items[i++] : p->touches.items[k++]);
    }
}

const sim_contact *particles_contacts(const sim *s, size_t *count) {
    if (s->particles->count == 0) {
        *count = s->contacts.count;
        return s->contacts.items;
    }
    *count = s->particles->all.count;
    return s->particles->all.items;
}

status particles_check_start(const sim *s, error *err) {
    const struct particles *p = s->particles;
    for (size_t i = 0; i < p->count; i++) {
        const grain *q = &p->g.items[i];
        if (!q->here)
            continue;
        const char *with = NULL;
        double depth = 0;
        for (size_t j = 0; j < i && !with; j++) {
            const grain *o = &p->g.items[j];
            if (!o->here)
                continue;
            depth = q->radius + o->radius - v3_distance(q->x, o->x);
            if (depth > OVERLAP)
                with = s->world->bodies[o->entity].name;
        }
        for (size_t e = 0; e < s->entity_count && !with; e++) {
            const collider *c = &s->colliders[e];
            for (size_t g = 0; c->on && g < c->geom_count && !with; g++) {
                if (!grain_reaches(&c->geom_bounds[g], q->x, q->radius))
                    continue;
                pose at = pose_mul(sim_pose(s, e), c->shapes[g].at);
                vec3 n;
                depth = q->radius -
                        shape_nearest(&c->shapes[g], pose_apply(pose_inverse(at), q->x), &n);
                if (depth > OVERLAP)
                    with = c->name;
            }
        }
        if (with)
            return error_set(err, E_INPUT,
                             "%s and %s overlap by %.1f mm at the start; move one of them", with,
                             s->world->bodies[q->entity].name, 1e3 * depth);
    }
    return OK;
}
