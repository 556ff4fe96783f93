// projector/world/drive.c - bodies that another model moves: they have left ODE, and are seen.
#include "projector/world/drive.h"
#include "projector/world/bonds.h"
#include "projector/world/things.h"

static const double AROUND = 5e-3; // m, by which boxes may be older than what is in them

// A contact that a driver reported.
typedef struct reported_contact {
    sim_contact contact;
    size_t driver;
} reported_contact;

struct drives {
    size_t *moving;               // room for sim_awake: the awake and the driven, ascending
    size_t count;                 // of driven bodies
    ARRAY(reported_contact) told; // by their drivers, in the order of (a, b)
    ARRAY(sim_contact) all;       // with those of the simulation itself
};

void drives_create(sim *s) {
    s->drives = mem_must(1, sizeof *s->drives);
    s->drives->moving = mem_must(s->first_link + 1, sizeof *s->drives->moving);
}

void drives_destroy(sim *s) {
    if (!s->drives)
        return;
    array_finish(&s->drives->told);
    array_finish(&s->drives->all);
    free(s->drives->moving);
    free(s->drives);
}

bool sim_driven(const sim *s, size_t body) {
    return s->colliders[body].driven;
}

// ---- Going and coming back ----------------------------------------------------------------------

const char *sim_drive_refusal(const sim *s, size_t body, arena *a) {
    const collider *c = &s->colliders[body];
    const char *why = body_held(s, body, a);
    int own = sim_bound(s, body); // its own bond ends before it is driven
    if (!why && c->bonds > own)
        why = arena_format(a, "something is bound to %s", c->name);
    return why ? why : body_deep(s, body, a);
}

void sim_drive_begin(sim *s, size_t body) {
    collider *c = &s->colliders[body];
    ASSERT(c->kind == COLLIDER_FREE && c->on && !c->driven && c->bonds == 0 && !c->kept);
    c->drive_linear = c->body ? from_ode(dBodyGetLinearVel(c->body)) : v3(0, 0, 0);
    vec3 w = c->body ? from_ode(dBodyGetAngularVel(c->body)) : v3(0, 0, 0);
    body_rest(s, body);
    c->drive_angular = spin_shifted(c, c->rest.q, w, -seconds(s->options.step), 0);
    c->on = false;
    c->driven = true;
    s->drives->count++;
    s->rested = true;
}

void sim_drive_to(sim *s, size_t body, pose at, vec3 linear, vec3 angular) {
    collider *c = &s->colliders[body];
    ASSERT(c->driven);
    vec3 arm = quat_rotate(at.q, c->com);
    c->rest = (pose){v3_add(at.p, arm), at.q};
    c->drive_linear = v3_add(linear, v3_cross(angular, arm));
    c->drive_angular = angular;
    for (size_t g = 0; g < c->geom_count; g++) {
        pose own = pose_mul(at, c->shapes[g].at);
        dQuaternion q;
        quat_to_ode(own.q, q);
        dGeomSetPosition(c->geoms[g], own.p.x, own.p.y, own.p.z);
        dGeomSetQuaternion(c->geoms[g], q);
    }
    contacts_follow(s, body);
}

void sim_drive_end(sim *s, size_t body) {
    collider *c = &s->colliders[body];
    ASSERT(c->driven);
    c->driven = false;
    c->on = !c->absent;
    s->drives->count--;
    s->rested = true;
    for (size_t i = s->drives->told.count; i-- > 0;) {
        const sim_contact *told = &s->drives->told.items[i].contact;
        if (told->a == body || told->b == body)
            array_remove(&s->drives->told, i);
    }
    if (c->absent)
        return;
    body_wake(s, body);
    dBodySetLinearVel(c->body, c->drive_linear.x, c->drive_linear.y, c->drive_linear.z);
    vec3 w = spin_shifted(c, c->rest.q, c->drive_angular, 0, -seconds(s->options.step));
    dBodySetAngularVel(c->body, w.x, w.y, w.z);
    c->velocity_before = c->drive_linear;
    drives_report(s);
}

// ---- Meeting others -----------------------------------------------------------------------------

static bool is_near(const bounds *a, const bounds *b) {
    for (int i = 0; i < 3; i++)
        if (a->low[i] > b->high[i] + AROUND || b->low[i] > a->high[i] + AROUND)
            return false;
    return true;
}

// A particle in the driven body, or -1.
static int64_t find_particle(const sim *s, size_t body) {
    const collider *c = &s->colliders[body];
    for (size_t e = 0; e < s->first_link; e++) {
        if (s->colliders[e].kind != COLLIDER_PARTICLE || !s->colliders[e].on)
            continue;
        vec3 p = sim_pose(s, e).p;
        double radius = s->world->bodies[e].type->shapes[0].size.x;
        bounds at = {{p.x, p.y, p.z}, {p.x, p.y, p.z}};
        for (size_t g = 0; is_near(&c->bounds, &at) && g < c->geom_count; g++)
            if (shape_distance(&c->shapes[g], pose_mul(sim_pose(s, body), c->shapes[g].at), p) <
                radius)
                return (int64_t)e;
    }
    return -1;
}

size_t sim_drive_meets(sim *s, size_t body) {
    const collider *c = &s->colliders[body];
    bounds around = c->bounds;
    for (int i = 0; i < 3; i++)
        around.low[i] -= AROUND, around.high[i] += AROUND;
    size_t count;
    const size_t *near = broad_query(s->broad, &around, &count);
    for (size_t i = 0; i < count; i++) {
        const collider *other = &s->colliders[near[i]];
        bool moves = other->kind == COLLIDER_FREE || other->level != LEVEL_FULL;
        if (near[i] != body && moves && other->on && is_near(&c->bounds, &other->bounds) &&
            contacts_depth(s, body, near[i]) >= 0)
            return near[i];
    }
    for (size_t e = s->first_link; e < s->entity_count; e++)
        if (is_near(&c->bounds, &s->colliders[e].bounds) && contacts_depth(s, body, e) >= 0)
            return e;
    int64_t particle = find_particle(s, body);
    return particle < 0 ? SIZE_MAX : (size_t)particle;
}

// ---- What others see ----------------------------------------------------------------------------

static bool comes_before(const sim_contact *x, const sim_contact *y) {
    return x->a != y->a ? x->a < y->a : x->b < y->b;
}

// Puts what drivers told among the contacts of the simulation itself.
void drives_report(sim *s) {
    struct drives *d = s->drives;
    size_t count, own = 0;
    const sim_contact *all = particles_contacts(s, &count);
    d->all.count = 0;
    if (d->told.count == 0)
        return;
    for (size_t i = 0; i <= d->told.count; i++) {
        const sim_contact *told = i < d->told.count ? &d->told.items[i].contact : NULL;
        for (; own < count && (!told || comes_before(&all[own], told)); own++)
            array_push(&d->all, all[own]);
        if (told)
            array_push(&d->all, *told);
    }
}

void sim_drive_contacts(sim *s, size_t driver, const sim_contact *all, size_t count) {
    struct drives *d = s->drives;
    for (size_t i = d->told.count; i-- > 0;)
        if (d->told.items[i].driver == driver)
            array_remove(&d->told, i);
    for (size_t i = 0; i < count; i++) {
        array_push(&d->told, ((reported_contact){all[i], driver}));
        for (size_t k = d->told.count - 1;
             k > 0 && comes_before(&d->told.items[k].contact, &d->told.items[k - 1].contact); k--) {
            reported_contact later = d->told.items[k - 1];
            d->told.items[k - 1] = d->told.items[k];
            d->told.items[k] = later;
        }
    }
    drives_report(s);
}

const sim_contact *sim_contacts(const sim *s, size_t *count) {
    if (s->drives->told.count == 0)
        return particles_contacts(s, count);
    *count = s->drives->all.count;
    return s->drives->all.items;
}

const size_t *sim_awake(const sim *s, size_t *count) {
    size_t *all = s->drives->moving, own = 0;
    *count = s->awake_count;
    if (s->drives->count == 0)
        return s->awake;
    *count = 0;
    for (size_t e = 0; e < s->first_link; e++) {
        bool awake = own < s->awake_count && s->awake[own] == e;
        own += awake;
        if (awake || s->colliders[e].driven)
            all[(*count)++] = e;
    }
    return all;
}
