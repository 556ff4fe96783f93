// projector/world/heap.c - islands of many contacts, which ones and what they bear.
//
// ODE's exact solver costs the cube of an island's contacts: 100 boxes in a heap take 0.2 s a step.
// An island of free bodies that has many contacts, and that neither the robot nor a joint takes
// part in, is solved by newton.c instead. Softness, correction of depth and bounce of a contact are
// those that the exact solver gets; friction is bounded by mu times what the contact bore in the
// last step, as between free bodies there, but by a disc and not by a pyramid. The bodies' own
// motion, gravity among it, stays with ODE: it gets the forces that were found.
#include "projector/world/dynamics/newton.h"
#include "projector/world/things.h"

// Contacts of an island that come here, and with how few it goes back.
static const size_t ENTER = 60, LEAVE = 40;
static const double SAME_PLACE = 5e-3; // m, how far a contact wanders in a step and is the same
// What lies in a stack comes up to this depth, m, within as long, s. Nothing else holds it in the
// contact's layer, and each would sink through it on the one below.
static const double STACK_DEPTH = 1e-5, STACK_RISE = 0.1;

// What a contact bore in the last step.
typedef struct memory {
    size_t a, b;      // entities
    vec3 at, impulse; // on a, N s
    bool taken;
} memory;

typedef struct press {
    size_t a, b; // entities
    point *at;
} press;

struct heap {
    size_t *slot; // by entity: its body in `system`
    bool *was;    // by entity that leads an island: one of its bodies was here in the last step
    bool *apart;  // by entity that leads an island: the exact solver keeps it
    size_t *count;
    ptrdiff_t *loops; // by entity that leads an island: pairs that touch, less its bodies
    newton system;
    ARRAY(press) presses; // the contacts of `system`
    ARRAY(memory) memories;
    size_t reached; // of the memories, as contacts are added
};

void heap_create(sim *s) {
    struct heap *h = mem_must(1, sizeof *h);
    h->slot = mem_must(s->entity_count, sizeof *h->slot);
    h->was = mem_must(s->entity_count, sizeof *h->was);
    h->apart = mem_must(s->entity_count, sizeof *h->apart);
    h->count = mem_must(s->entity_count, sizeof *h->count);
    h->loops = mem_must(s->entity_count, sizeof *h->loops);
    s->heap = h;
}

void heap_destroy(sim *s) {
    struct heap *h = s->heap;
    if (!h)
        return;
    newton_finish(&h->system);
    array_finish(&h->presses);
    array_finish(&h->memories);
    free(h->slot);
    free(h->was);
    free(h->apart);
    free(h->count);
    free(h->loops);
    free(h);
}

// ---- Islands ------------------------------------------------------------------------------

static bool is_free(const sim *s, size_t entity) {
    return s->colliders[entity].kind == COLLIDER_FREE;
}

// Joins bodies that touch, the lower number leading.
static void join_islands(sim *s) {
    for (size_t i = 0; i < s->awake_count; i++)
        s->colliders[s->awake[i]].group = s->awake[i];
    for (size_t i = 0; i < s->pairs.count; i++) {
        const pair *p = &s->pairs.items[i];
        if (!is_free(s, p->a) || !is_free(s, p->b))
            continue;
        size_t ga = collider_group(s, p->a), gb = collider_group(s, p->b);
        s->colliders[ga > gb ? ga : gb].group = ga < gb ? ga : gb;
    }
}

bool heap_find(sim *s) {
    struct heap *h = s->heap;
    size_t before = 0;
    bool any = false;
    for (size_t i = 0; i < s->awake_count; i++)
        before += s->colliders[s->awake[i]].heaped;
    if (s->points.count <= (before > 0 ? LEAVE : ENTER)) {
        for (size_t i = 0; before > 0 && i < s->awake_count; i++)
            s->colliders[s->awake[i]].heaped = false;
        h->memories.count = 0;
        return false;
    }
    join_islands(s);
    for (size_t i = 0; i < s->awake_count; i++) {
        size_t e = s->awake[i], lead = collider_group(s, e);
        const collider *c = &s->colliders[e];
        if (lead == e)
            h->count[e] = 0, h->loops[e] = 0, h->apart[e] = false, h->was[e] = false;
        h->loops[lead]--;
        // Contacts have no joints yet: what has one hangs on something.
        h->apart[lead] |= c->kept || c->bonds > 0 || dBodyGetNumJoints(c->body) > 0;
        h->was[lead] |= c->heaped;
    }
    for (size_t i = 0; i < s->pairs.count; i++) {
        const pair *p = &s->pairs.items[i];
        size_t e = is_free(s, p->a) ? p->a : p->b, other = e == p->a ? p->b : p->a;
        if (!is_free(s, e))
            continue;
        size_t lead = collider_group(s, e);
        h->count[lead] += p->count;
        h->loops[lead]++;
        h->apart[lead] |=
            s->colliders[other].kind == COLLIDER_LINK || s->colliders[other].kind == COLLIDER_HAND;
    }
    for (size_t i = 0; i < s->awake_count; i++) {
        size_t lead = collider_group(s, s->awake[i]);
        s->colliders[s->awake[i]].heaped =
            !h->apart[lead] && h->count[lead] > (h->was[lead] ? LEAVE : ENTER);
        s->colliders[s->awake[i]].tangled = h->loops[lead] > 0;
        any |= s->colliders[s->awake[i]].heaped;
    }
    if (!any)
        h->memories.count = 0;
    return any;
}

// ---- A step ---------------------------------------------------------------------------------

// The body, and how it would move at the step's end if nothing touched it.
static newton_body free_body(const sim *s, const collider *c, double dt) {
    const dReal *q = dBodyGetQuaternion(c->body);
    mat3 r = quat_matrix((quat){q[0], q[1], q[2], q[3]}), rt = mat3_transpose(&r);
    mat3 turned = mat3_mul(&r, &c->inertia);
    newton_body b = {.mass = c->mass, .inertia = mat3_mul(&turned, &rt)};
    vec3 v = from_ode(dBodyGetLinearVel(c->body)), w = from_ode(dBodyGetAngularVel(c->body));
    vec3 pull = v3_add(s->world->gravity, v3_scale(from_ode(dBodyGetForce(c->body)), 1 / c->mass));
    vec3 torque = from_ode(dBodyGetTorque(c->body));
    b.v = v, b.w = w;
    b.free_v = v3_add(v, v3_scale(pull, dt));
    b.turned = v3_scale(torque, dt);
    b.at = from_ode(dBodyGetPosition(c->body));
    b.height = -v3_dot(s->world->gravity, b.at);
    return b;
}

void heap_begin(sim *s, double dt) {
    struct heap *h = s->heap;
    newton_clear(&h->system);
    h->presses.count = h->reached = 0;
    for (size_t i = 0; i < s->awake_count; i++)
        if (s->colliders[s->awake[i]].heaped)
            h->slot[s->awake[i]] =
                newton_add_body(&h->system, free_body(s, &s->colliders[s->awake[i]], dt));
}

// What a contact bore in the last step, found by its place. Contacts come in the order of their
// pairs, then and now.
static vec3 bore_before(struct heap *h, const pair *p, const point *x) {
    const memory *all = h->memories.items;
    while (h->reached < h->memories.count &&
           (all[h->reached].a < p->a || (all[h->reached].a == p->a && all[h->reached].b < p->b)))
        h->reached++;
    memory *best = NULL;
    double least = SAME_PLACE * SAME_PLACE;
    for (size_t k = h->reached; k < h->memories.count && all[k].a == p->a && all[k].b == p->b;
         k++) {
        memory *m = &h->memories.items[k];
        vec3 way = v3_sub(m->at, from_ode(x->geom.pos));
        if (!m->taken && v3_dot(way, way) < least)
            best = m, least = v3_dot(way, way);
    }
    if (!best)
        return v3(0, 0, 0);
    best->taken = true;
    return best->impulse;
}

// The speed by which a contact of a stack comes up within its layer. Where bodies rest on several
// others nothing adds up, and the search for their forces would take longer.
static double stack_rise(const collider *c, double depth) {
    return c->tangled ? 0 : fmax(fmin(depth, CONTACT_LAYER) - STACK_DEPTH, 0) / STACK_RISE;
}

void heap_add(sim *s, const pair *p, point *x, const heap_surface *how, double dt) {
    struct heap *h = s->heap;
    const collider *rests = &s->colliders[is_free(s, p->a) ? p->a : p->b];
    newton_contact c = {.a = is_free(s, p->a) ? h->slot[p->a] : NEWTON_NOBODY,
                        .b = is_free(s, p->b) ? h->slot[p->b] : NEWTON_NOBODY,
                        .at = from_ode(x->geom.pos),
                        .normal = from_ode(x->geom.normal),
                        .wanted = fmax(how->wanted, stack_rise(rests, x->geom.depth)),
                        .soft = how->soft / dt,
                        .friction_soft = how->friction_soft / dt,
                        .mu = how->mu,
                        .bore = bore_before(h, p, x)};
    newton_add_contact(&h->system, &c);
    array_push(&h->presses, ((press){p->a, p->b, x}));
}

void heap_solve(sim *s, double dt) {
    struct heap *h = s->heap;
    newton_solve(&h->system);
    h->memories.count = 0;
    for (size_t i = 0; i < h->presses.count; i++) {
        const press *x = &h->presses.items[i];
        const newton_contact *c = &h->system.contacts.items[i];
        vec3 f = v3(0, 0, 0);
        for (int k = 0; k < 3; k++)
            f = v3_add(f, v3_scale(c->along[k], c->impulse[k] / dt));
        for (int side = 0; side < 2; side++) {
            const collider *who = &s->colliders[side == 0 ? x->a : x->b];
            vec3 g = side == 0 ? f : v3_scale(f, -1);
            if (who->kind == COLLIDER_FREE)
                dBodyAddForceAtPos(who->body, g.x, g.y, g.z, c->at.x, c->at.y, c->at.z);
        }
        x->at->sign = 1;
        x->at->feedback.f1[0] = f.x, x->at->feedback.f1[1] = f.y, x->at->feedback.f1[2] = f.z;
        memory m = {.a = x->a, .b = x->b, .at = c->at, .impulse = v3_scale(f, dt)};
        array_push(&h->memories, m);
    }
}
