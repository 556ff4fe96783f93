// projector/world/particles.c - fluids and grains as soft spheres: a model of its own beside ODE.
//
// The discrete element method of Cundall and Strack (1979): a spring and a dashpot along the normal
// of each contact, a spring across it that slips at Coulomb's limit, spheres that do not turn. Each
// physics step is cut into SUBSTEPS, and the spring follows from their length h as k = m (STIFF /
// h)^2: a sphere sinks in by g (h / STIFF)^2 = 12 um under its own weight, whatever its mass, and
// by v h / STIFF when it hits at speed v; it stays out of a wall up to about 5 m/s for a radius of
// 6 mm. A particle in the midst of others has at most four times a single contact's stiffness along
// any direction, so that the largest frequency of the pile is 2 sqrt 2 STIFF / h = 0.64 / h; with
// damping DAMPED this is well inside the stability of the semi-implicit rule.
//
// Within a step the bodies of the world keep the velocities that they begin it with, except those
// that nothing holds: these answer to the particles as they would in free flight. What the
// particles exert on a body, on average over the step, acts on it in the same step of ODE.
#include "projector/world/things.h"

enum { SUBSTEPS = 8, HOLDS_MAX = 24, TOUCHES_MAX = 6, CALM_STEPS = 50 };
static const double STIFF = 0.225;    // of spring and substep: frequency times length
static const double DAMPED = 0.35;    // of critical, at most: a third of the speed comes back
static const double CALM = 3e-3;      // m/s
static const double WAKING = 0.02;    // m/s: so fast a blow wakes what sleeps
static const double NEAR = 1e-3;      // m: what is awake so near keeps awake
static const double SLACK = 2e-4;     // m, that neighbours are looked for beyond where they can get
static const double OVERLAP = 1.5e-3; // m, tolerated at the start

// The spring across a contact, while it lasts.
typedef struct hold {
    uint64_t with;
    vec3 stretch;
    int64_t seen; // substep
} hold;

// The force between a particle and one entity in the last step.
typedef struct touch {
    size_t entity;
    vec3 force, point, normal; // on the particle; normal towards it
    double approach, depth;
} touch;

typedef struct particle {
    size_t entity;
    double radius, mass, stiffness, damped;
    vec3 x, v, f;
    bool awake;
    int calm_steps;
    int next; // in its cell, or -1
    size_t hold_count, touch_count;
    hold holds[HOLDS_MAX];
    touch touches[TOUCHES_MAX];
} particle;

// An entity that particles may touch in this step.
typedef struct partner {
    size_t entity;
    bool flies, moves;
    vec3 center, v, w;   // of its centre of mass; at the step's begin, but for what flies
    vec3 shift, turn;    // since the step's begin
    vec3 force, torque;  // on it, substep by substep; about `center`
    vec3 impulse, twist; // summed over the step
    double mass;
    mat3 inverse_inertia; // world axes, of what flies
    bool hit;
} partner;

// One of its shapes.
typedef struct surface {
    size_t partner;
    const shape *shape;
    uint64_t id;
    pose at;
    mat3 r;
    bounds bounds;
    double mu;
} surface;

typedef struct near_pair {
    int i, j;
} near_pair;
typedef struct near_surface {
    int i;
    size_t surface;
} near_surface;

struct particles {
    particle *items;
    size_t count, awake_count;
    int *by_entity; // particle of a world body, or -1
    double largest; // radius
    int *cells;
    size_t cell_mask;
    int64_t substep;
    ARRAY(partner) partners;
    ARRAY(surface) surfaces;
    ARRAY(near_pair) pairs;
    ARRAY(near_surface) walls;
    ARRAY(size_t) wake;
    ARRAY(sim_contact) touches; // sorted
    ARRAY(sim_contact) all;     // with those of bodies
};

// ---- Building -------------------------------------------------------------------------

// The share of critical damping at which a spring gives back a share of the speed.
static double damping_for(double restitution) {
    if (restitution <= 0)
        return DAMPED;
    double l = log(fmin(restitution, 1));
    return fmin(DAMPED, -l / sqrt(PI * PI + l * l));
}

status particles_create(sim *s, error *err) {
    const world_model *w = s->world;
    struct particles *p = s->particles = mem_must(1, sizeof *p);
    p->by_entity = mem_must(w->body_count + 1, sizeof *p->by_entity);
    for (size_t b = 0; b < w->body_count; b++) {
        p->by_entity[b] = w->bodies[b].particle ? (int)p->count : -1;
        p->count += w->bodies[b].particle;
    }
    p->items = mem_must(p->count + 1, sizeof *p->items);
    size_t cells = 1;
    while (cells < 2 * p->count)
        cells *= 2;
    p->cells = mem_must(cells, sizeof *p->cells);
    p->cell_mask = cells - 1;
    double h = seconds(s->options.step) / SUBSTEPS, frequency = STIFF / h;
    for (size_t b = 0; b < w->body_count; b++) {
        const body_type *type = w->bodies[b].type;
        if (!w->bodies[b].particle)
            continue;
        if (type->shape_count != 1 || type->shapes[0].kind != SHAPE_SPHERE || !(type->mass > 0))
            return error_set(err, E_INPUT, "%s is a particle, which must be one sphere with a mass",
                             w->bodies[b].name);
        particle *q = &p->items[p->by_entity[b]];
        *q = (particle){.entity = b,
                        .radius = type->shapes[0].size.x,
                        .mass = type->mass,
                        .stiffness = type->mass * frequency * frequency,
                        .damped = damping_for(type->restitution),
                        .x = pose_apply(w->bodies[b].at, type->shapes[0].at.p),
                        .awake = true};
        p->largest = fmax(p->largest, q->radius);
        p->awake_count += s->colliders[b].on;
    }
    return OK;
}

void particles_destroy(sim *s) {
    struct particles *p = s->particles;
    if (!p)
        return;
    free(p->items);
    free(p->by_entity);
    free(p->cells);
    array_finish(&p->partners);
    array_finish(&p->surfaces);
    array_finish(&p->pairs);
    array_finish(&p->walls);
    array_finish(&p->wake);
    array_finish(&p->touches);
    array_finish(&p->all);
    free(p);
}

static const particle *of_entity(const sim *s, size_t entity) {
    return &s->particles->items[s->particles->by_entity[entity]];
}

pose particles_pose(const sim *s, size_t entity) {
    const particle *q = of_entity(s, entity);
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
    particle *q = &s->particles->items[s->particles->by_entity[entity]];
    s->particles->awake_count -= q->awake && s->colliders[entity].on;
    s->particles->awake_count += on;
    q->x = pose_apply(at, s->world->bodies[entity].type->shapes[0].at.p);
    q->v = v3(0, 0, 0);
    q->awake = true;
    q->calm_steps = 0;
    q->hold_count = q->touch_count = 0;
    s->colliders[entity].on = on;
}

// ---- Geometry -------------------------------------------------------------------------

static bool bounds_reach(const bounds *b, vec3 x, double reach) {
    return x.x >= b->low[0] - reach && x.x <= b->high[0] + reach && x.y >= b->low[1] - reach &&
           x.y <= b->high[1] + reach && x.z >= b->low[2] - reach && x.z <= b->high[2] + reach;
}

// ---- Waking and neighbours ------------------------------------------------------------

static void particle_wake(sim *s, particle *q) {
    if (q->awake || !s->colliders[q->entity].on)
        return;
    q->awake = true;
    q->calm_steps = 0;
    s->particles->awake_count++;
}

void particles_wake_near(sim *s, const bounds *at) {
    for (size_t i = 0; i < s->particles->count; i++)
        if (bounds_reach(at, s->particles->items[i].x, s->particles->items[i].radius + NEAR))
            particle_wake(s, &s->particles->items[i]);
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
        const particle *q = &p->items[i];
        if (q->awake || !s->colliders[q->entity].on)
            continue;
        double at[3] = {q->x.x, q->x.y, q->x.z};
        for (int k = 0; k < 3; k++) {
            all.low[k] = fmin(all.low[k], at[k] - p->largest - NEAR);
            all.high[k] = fmax(all.high[k], at[k] + p->largest + NEAR);
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

static uint64_t cell_of(const struct particles *p, int64_t x, int64_t y, int64_t z) {
    uint64_t h = (uint64_t)x * 73856093u ^ (uint64_t)y * 19349663u ^ (uint64_t)z * 83492791u;
    return (h ^ h >> 17) & p->cell_mask;
}

static void find_pairs(sim *s, double dt) {
    struct particles *p = s->particles;
    double fastest = 0;
    for (size_t i = 0; i < p->count; i++)
        fastest = fmax(fastest, p->items[i].awake ? v3_length(p->items[i].v) : 0);
    double side = 2 * (p->largest + fastest * dt) + SLACK;
    for (size_t i = 0; i <= p->cell_mask; i++)
        p->cells[i] = -1;
    for (size_t i = p->count; i-- > 0;) {
        particle *q = &p->items[i];
        if (!s->colliders[q->entity].on)
            continue;
        uint64_t c = cell_of(p, (int64_t)floor(q->x.x / side), (int64_t)floor(q->x.y / side),
                             (int64_t)floor(q->x.z / side));
        q->next = p->cells[c];
        p->cells[c] = (int)i;
    }
    p->pairs.count = 0;
    for (size_t i = 0; i < p->count; i++) {
        const particle *a = &p->items[i];
        if (!a->awake || !s->colliders[a->entity].on)
            continue;
        int64_t x = (int64_t)floor(a->x.x / side), y = (int64_t)floor(a->x.y / side),
                z = (int64_t)floor(a->x.z / side);
        uint64_t seen[27];
        int seen_count = 0;
        for (int k = 0; k < 27; k++) {
            uint64_t c = cell_of(p, x + k / 9 - 1, y + k / 3 % 3 - 1, z + k % 3 - 1);
            bool again = false; // two cells may share a place of the table
            for (int l = 0; l < seen_count; l++)
                again |= seen[l] == c;
            if (again)
                continue;
            seen[seen_count++] = c;
            for (int j = p->cells[c]; j >= 0; j = p->items[j].next) {
                const particle *b = &p->items[j];
                if ((size_t)j == i || (b->awake && (size_t)j < i))
                    continue;
                vec3 d = v3_sub(a->x, b->x);
                double reach = a->radius + b->radius + SLACK +
                               dt * (v3_length(a->v) + (b->awake ? v3_length(b->v) : 0));
                if (v3_dot(d, d) < reach * reach)
                    array_push(&p->pairs, ((near_pair){(int)i, j}));
            }
        }
    }
}

// A body that flies answers as a free one.
static partner partner_of(sim *s, size_t e) {
    const collider *c = &s->colliders[e];
    partner a = {.entity = e, .moves = collider_moves(c)};
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
    size_t mine = p->partners.count;
    bool used = false;
    for (size_t g = 0; g < c->geom_count; g++) {
        size_t index = p->surfaces.count;
        bool wanted = false;
        for (size_t i = 0; i < p->count; i++) {
            const particle *q = &p->items[i];
            if (!q->awake || !s->colliders[q->entity].on ||
                !bounds_reach(&c->geom_bounds[g], q->x, q->radius + reach))
                continue;
            array_push(&p->walls, ((near_surface){(int)i, index}));
            wanted = true;
        }
        if (!wanted)
            continue;
        pose at = pose_mul(sim_pose(s, e), c->shapes[g].at);
        surface f = {.partner = mine,
                     .shape = &c->shapes[g],
                     .id = UINT64_C(1) << 63 | (uint64_t)e << 16 | g,
                     .at = at,
                     .r = quat_matrix(at.q)};
        array_push(&p->surfaces, f);
        used = true;
    }
    if (used)
        array_push(&p->partners, partner_of(s, e));
}

static int wall_order(const void *x, const void *y) {
    const near_surface *a = x, *b = y;
    if (a->i != b->i)
        return a->i < b->i ? -1 : 1;
    return a->surface < b->surface ? -1 : a->surface > b->surface;
}

static int number_order(const void *x, const void *y) {
    const size_t *a = x, *b = y;
    return *a < *b ? -1 : *a > *b;
}

static void find_walls(sim *s, double dt) {
    struct particles *p = s->particles;
    p->partners.count = p->surfaces.count = p->walls.count = p->wake.count = 0;
    double fastest = 0;
    bounds all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = 0; i < p->count; i++) {
        const particle *q = &p->items[i];
        if (!q->awake || !s->colliders[q->entity].on)
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
    double reach = SLACK + NEAR + dt * (fastest + fmin(quickest, 20));
    for (int k = 0; k < 3; k++) {
        all.low[k] -= p->largest + reach;
        all.high[k] += p->largest + reach;
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
    if (p->walls.count > 0)
        qsort(p->walls.items, p->walls.count, sizeof *p->walls.items, wall_order);
}

// ---- Forces ---------------------------------------------------------------------------

static hold *hold_of(particle *q, uint64_t with, int64_t now) {
    hold *h = NULL;
    for (size_t i = 0; i < q->hold_count; i++)
        if (q->holds[i].with == with)
            h = &q->holds[i];
    if (h && h->seen < now - 1)
        h->stretch = v3(0, 0, 0); // it was let go in between
    for (size_t i = 0; !h && i < q->hold_count; i++)
        if (q->holds[i].seen < now - 1)
            h = &q->holds[i], *h = (hold){.with = with};
    if (!h && q->hold_count < HOLDS_MAX)
        h = &q->holds[q->hold_count++], *h = (hold){.with = with};
    if (h)
        h->seen = now;
    return h;
}

// The force on a sphere that overlaps something by `depth` and moves against it by `v`.
static vec3 contact_force(vec3 n, double depth, vec3 v, double k, double c, double mu, hold *h,
                          double dt) {
    double vn = v3_dot(v, n), press = k * depth - c * vn;
    if (press <= 0) {
        if (h)
            h->stretch = v3(0, 0, 0);
        return v3(0, 0, 0);
    }
    vec3 f = v3_scale(n, press), vt = v3_sub(v, v3_scale(n, vn));
    vec3 across = v3_scale(vt, -c);
    if (h) {
        vec3 stretch =
            v3_add(v3_sub(h->stretch, v3_scale(n, v3_dot(h->stretch, n))), v3_scale(vt, dt));
        across = v3_sub(across, v3_scale(stretch, k));
        h->stretch = stretch;
    }
    double most = mu * press, size = v3_length(across);
    if (size > most) {
        across = v3_scale(across, most / size);
        if (h) // as much as the limit holds
            h->stretch = v3_scale(v3_add(across, v3_scale(vt, c)), -1 / k);
    }
    return v3_add(f, across);
}

static double friction_of(const sim *s, size_t a, size_t b) {
    return s->friction[(size_t)s->colliders[a].surface * s->surface_count +
                       (size_t)s->colliders[b].surface];
}

static void push_pairs(sim *s, double h) {
    struct particles *p = s->particles;
    for (size_t i = 0; i < p->pairs.count; i++) {
        particle *a = &p->items[p->pairs.items[i].i], *b = &p->items[p->pairs.items[i].j];
        vec3 d = v3_sub(a->x, b->x);
        double reach = a->radius + b->radius, dd = v3_dot(d, d);
        if (dd >= reach * reach)
            continue;
        double length = sqrt(dd);
        vec3 n = length > 0 ? v3_scale(d, 1 / length) : v3(0, 0, 1);
        vec3 v = b->awake ? v3_sub(a->v, b->v) : a->v;
        double k = 2 * a->stiffness * b->stiffness / (a->stiffness + b->stiffness);
        double reduced = a->mass * b->mass / (a->mass + b->mass);
        double c = 2 * fmin(a->damped, b->damped) * sqrt(k * reduced);
        hold *grip = hold_of(a, (uint64_t)p->pairs.items[i].j, p->substep);
        vec3 f = contact_force(n, reach - length, v, k, c, friction_of(s, a->entity, b->entity),
                               grip, h);
        a->f = v3_add(a->f, f);
        if (b->awake)
            b->f = v3_sub(b->f, f);
        else if (v3_dot(v, n) < -WAKING)
            array_push(&p->wake, b->entity);
    }
}

static void note_contact(particle *q, size_t entity, vec3 f, vec3 at, vec3 n, double approach,
                         double depth) {
    touch *t = NULL;
    for (size_t i = 0; i < q->touch_count; i++)
        if (q->touches[i].entity == entity)
            t = &q->touches[i];
    if (!t && q->touch_count < TOUCHES_MAX) {
        t = &q->touches[q->touch_count++];
        *t = (touch){.entity = entity, .approach = -INFINITY};
    }
    if (!t)
        return;
    double weight = v3_dot(f, n);
    t->force = v3_add(t->force, f);
    t->normal = v3_add(t->normal, v3_scale(n, weight + 1e-12));
    t->point = at;
    t->approach = fmax(t->approach, approach);
    t->depth = fmax(t->depth, depth);
}

static void push_walls(sim *s, double h) {
    struct particles *p = s->particles;
    for (size_t i = 0; i < p->walls.count; i++) {
        particle *q = &p->items[p->walls.items[i].i];
        const surface *f = &p->surfaces.items[p->walls.items[i].surface];
        partner *b = &p->partners.items[f->partner];
        // Where the particle is in the frame that the shape had at the step's begin.
        vec3 x = q->x, arm = v3_sub(v3_sub(x, b->center), b->shift), n;
        if (b->moves)
            x = v3_sub(v3_sub(x, b->shift), v3_cross(b->turn, arm));
        double d = shape_nearest(f->shape, mat3_apply_transposed(&f->r, v3_sub(x, f->at.p)), &n);
        if (d >= q->radius)
            continue;
        n = mat3_apply(&f->r, n);
        if (b->moves)
            n = v3_unit(v3_add(n, v3_cross(b->turn, n)));
        vec3 at = v3_sub(q->x, v3_scale(n, d));
        arm = v3_sub(v3_sub(at, b->center), b->shift);
        vec3 v = b->moves ? v3_sub(q->v, v3_add(b->v, v3_cross(b->w, arm))) : q->v;
        double mass = b->flies ? q->mass * b->mass / (q->mass + b->mass) : q->mass;
        double c = 2 * q->damped * sqrt(q->stiffness * mass);
        hold *grip = hold_of(q, f->id, p->substep);
        vec3 force = contact_force(n, q->radius - d, v, q->stiffness, c,
                                   friction_of(s, q->entity, b->entity), grip, h);
        q->f = v3_add(q->f, force);
        b->force = v3_sub(b->force, force);
        b->torque = v3_sub(b->torque, v3_cross(arm, force));
        note_contact(q, b->entity, force, at, n, -v3_dot(v, n), q->radius - d);
        b->hit |= v3_dot(v, n) < -WAKING;
    }
}

static void particles_advance(sim *s, double h) {
    struct particles *p = s->particles;
    vec3 g = s->world->gravity;
    for (size_t i = 0; i < p->count; i++) {
        particle *q = &p->items[i];
        if (!q->awake || !s->colliders[q->entity].on)
            continue;
        q->v = v3_add(q->v, v3_scale(v3_add(v3_scale(q->f, 1 / q->mass), g), h));
        q->x = v3_add(q->x, v3_scale(q->v, h));
    }
    for (size_t i = 0; i < p->partners.count; i++) {
        partner *b = &p->partners.items[i];
        b->impulse = v3_add(b->impulse, v3_scale(b->force, h));
        // About the centre of mass where the step began, as ODE takes it.
        b->twist = v3_add(b->twist, v3_scale(b->torque, h));
        if (b->flies) {
            b->v = v3_add(b->v, v3_scale(v3_add(v3_scale(b->force, 1 / b->mass), g), h));
            b->w = v3_add(b->w, v3_scale(mat3_apply(&b->inverse_inertia, b->torque), h));
        }
        if (b->moves) {
            b->shift = v3_add(b->shift, v3_scale(b->v, h));
            b->turn = v3_add(b->turn, v3_scale(b->w, h));
        }
        b->force = b->torque = v3(0, 0, 0);
    }
}

// ---- Stepping -------------------------------------------------------------------------

void particles_step(sim *s, double dt) {
    struct particles *p = s->particles;
    if (p->count == 0)
        return;
    p->partners.count = p->wake.count = 0;
    wake_by_movers(s);
    if (p->awake_count == 0)
        return;
    find_pairs(s, dt);
    find_walls(s, dt);
    for (size_t i = 0; i < p->count; i++)
        if (p->items[i].awake)
            p->items[i].touch_count = 0;
    double h = dt / SUBSTEPS;
    for (int k = 0; k < SUBSTEPS; k++) {
        p->substep++;
        for (size_t i = 0; i < p->count; i++)
            p->items[i].f = v3(0, 0, 0);
        push_pairs(s, h);
        push_walls(s, h);
        particles_advance(s, h);
    }
    for (size_t i = 0; i < p->count; i++)
        for (size_t k = 0; p->items[i].awake && k < p->items[i].touch_count; k++) {
            touch *t = &p->items[i].touches[k];
            t->force = v3_scale(t->force, 1.0 / SUBSTEPS);
            t->normal = v3_unit(t->normal);
        }
    for (size_t i = 0; i < p->partners.count; i++) {
        const partner *b = &p->partners.items[i];
        const collider *c = &s->colliders[b->entity];
        if (!b->moves || !c->body || !dBodyIsEnabled(c->body))
            continue;
        vec3 f = v3_scale(b->impulse, 1 / dt), t = v3_scale(b->twist, 1 / dt);
        dBodyAddForce(c->body, f.x, f.y, f.z);
        dBodyAddTorque(c->body, t.x, t.y, t.z);
    }
}

// The particle lies still, with everything that it leans on.
static bool may_sleep(const sim *s, const particle *q) {
    if (q->calm_steps < CALM_STEPS)
        return false;
    for (size_t m = 0; m < mover_count(s); m++) {
        const collider *c = &s->colliders[mover_at(s, m)];
        if (c->on && bounds_reach(&c->bounds, q->x, q->radius + NEAR))
            return false;
    }
    return true;
}

void particles_return(sim *s, double dt) {
    struct particles *p = s->particles;
    for (size_t i = 0; i < p->partners.count; i++) {
        const partner *b = &p->partners.items[i];
        const collider *c = &s->colliders[b->entity];
        if (c->kind == COLLIDER_LINK || (c->kind == COLLIDER_HAND && !dBodyIsEnabled(c->body)))
            aba_push(&s->tree, c->node, v3_scale(b->impulse, 1 / dt), v3_scale(b->twist, 1 / dt),
                     b->center);
        if (b->hit)
            body_wake(s, b->entity);
    }
    for (size_t i = 0; i < p->wake.count; i++)
        particle_wake(s, &p->items[p->by_entity[p->wake.items[i]]]);
    if (p->awake_count == 0)
        return;
    for (size_t i = 0; i < p->count; i++) {
        particle *q = &p->items[i];
        if (!q->awake || !s->colliders[q->entity].on)
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
    for (size_t i = 0; i < p->pairs.count; i++) {
        particle *a = &p->items[p->pairs.items[i].i], *b = &p->items[p->pairs.items[i].j];
        if (a->calm_steps < CALM_STEPS && b->awake && b->calm_steps == CALM_STEPS)
            b->calm_steps = CALM_STEPS - 1;
        else if (b->awake && b->calm_steps < CALM_STEPS && a->calm_steps == CALM_STEPS)
            a->calm_steps = CALM_STEPS - 1;
    }
}

void particles_rest(sim *s) {
    struct particles *p = s->particles;
    for (size_t i = 0; p->awake_count > 0 && i < p->count; i++) {
        particle *q = &p->items[i];
        if (!q->awake || !s->colliders[q->entity].on || !may_sleep(s, q))
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
        const particle *q = &p->items[i];
        if (!s->colliders[q->entity].on)
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
        const particle *q = &p->items[i];
        if (!s->colliders[q->entity].on)
            continue;
        for (size_t k = 0; k < q->touch_count; k++) {
            const touch *t = &q->touches[k];
            bool second = t->entity < q->entity; // of the pair
            if (!s->colliders[t->entity].on)
                continue;
            array_push(&p->touches, ((sim_contact){
                                        .a = second ? t->entity : q->entity,
                                        .b = second ? q->entity : t->entity,
                                        .point = t->point,
                                        .normal = second ? t->normal : v3_scale(t->normal, -1),
                                        .force = second ? t->force : v3_scale(t->force, -1),
                                        .approach = q->awake ? t->approach : 0,
                                        .depth = t->depth,
                                        .sleeping = !q->awake,
                                    }));
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
        const particle *q = &p->items[i];
        if (!s->colliders[q->entity].on)
            continue;
        const char *with = NULL;
        double depth = 0;
        for (size_t j = 0; j < i && !with; j++) {
            const particle *o = &p->items[j];
            if (!s->colliders[o->entity].on)
                continue;
            depth = q->radius + o->radius - v3_distance(q->x, o->x);
            if (depth > OVERLAP)
                with = s->world->bodies[o->entity].name;
        }
        for (size_t e = 0; e < s->entity_count && !with; e++) {
            const collider *c = &s->colliders[e];
            for (size_t g = 0; c->on && g < c->geom_count && !with; g++) {
                if (!bounds_reach(&c->geom_bounds[g], q->x, q->radius))
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
