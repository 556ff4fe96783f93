// projector/world/contents.c - particles that another model moves: they have left particles.c, and
// are seen.
#include "projector/world/bonds.h"
#include "projector/world/particles_int.h"

static const double AROUND = 5e-3; // m, by which boxes may be older than what is in them
enum { HOLDERS = 2 };              // parts of a hand that hold a thing together

static bool is_of(const sim *s, const grain *q, size_t vessel) {
    return s->world->bodies[q->entity].inside == (int64_t)vessel;
}

size_t sim_contents(const sim *s, size_t vessel) {
    size_t count = 0;
    for (size_t i = 0; i < s->particles->count; i++)
        count += is_of(s, &s->particles->g.items[i], vessel);
    return count;
}

static loan *loan_of(const sim *s, size_t vessel) {
    for (size_t i = 0; i < s->particles->loans.count; i++)
        if (s->particles->loans.items[i].vessel == vessel)
            return &s->particles->loans.items[i];
    return NULL;
}

bool sim_contents_lent(const sim *s, size_t vessel) {
    return loan_of(s, vessel) != NULL;
}

// ---- What is against it -------------------------------------------------------------------------

// Whether something else than what it contains decides how the body moves.
static bool is_held(const sim *s, size_t vessel) {
    size_t count, holders = 0;
    const sim_contact *all = sim_contacts(s, &count);
    for (size_t i = 0; i < count; i++) // a pair has the world's body before the robot's parts
        holders += all[i].a == vessel && all[i].b >= s->first_hand;
    return s->colliders[vessel].kind == COLLIDER_FIXED || sim_bound(s, vessel) ||
           holders >= HOLDERS;
}

// Grows a box by where a particle of the body gets in a step.
static bool box_of(const sim *s, size_t vessel, bounds *box) {
    double h = seconds(s->options.step);
    *box = (bounds){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = 0; i < s->particles->count; i++) {
        const grain *q = &s->particles->g.items[i];
        double at[3] = {q->x.x, q->x.y, q->x.z}, reach = q->radius + h * v3_length(q->v) + AROUND;
        for (int k = 0; is_of(s, q, vessel) && k < 3; k++) {
            box->low[k] = fmin(box->low[k], at[k] - reach);
            box->high[k] = fmax(box->high[k], at[k] + reach);
        }
    }
    return box->low[0] <= box->high[0];
}

static bool boxes_meet(const bounds *a, const bounds *b) {
    for (int k = 0; k < 3; k++)
        if (a->low[k] > b->high[k] || b->low[k] > a->high[k])
            return false;
    return true;
}

// Whether one of the body's particles gets to a shape within a step.
static bool shape_meets(const sim *s, size_t vessel, size_t entity, size_t number) {
    const collider *c = &s->colliders[entity];
    double h = seconds(s->options.step);
    pose at = pose_mul(sim_pose(s, entity), c->shapes[number].at);
    for (size_t i = 0; i < s->particles->count; i++) {
        const grain *q = &s->particles->g.items[i];
        double reach = q->radius + h * v3_length(q->v);
        if (is_of(s, q, vessel) && grain_reaches(&c->geom_bounds[number], q->x, reach + AROUND) &&
            shape_distance(&c->shapes[number], at, q->x) < reach)
            return true;
    }
    return false;
}

static bool particle_meets(const sim *s, size_t vessel, const grain *other) {
    for (size_t i = 0; i < s->particles->count; i++) {
        const grain *q = &s->particles->g.items[i];
        if (is_of(s, q, vessel) && v3_distance(q->x, other->x) < q->radius + other->radius)
            return true;
    }
    return false;
}

// What can move, beside the body, and one of its particles meets; SIZE_MAX: nothing.
static size_t find_met(const sim *s, size_t vessel) {
    bounds box;
    if (!box_of(s, vessel, &box))
        return SIZE_MAX;
    for (size_t e = 0; e < s->entity_count; e++) {
        const collider *c = &s->colliders[e];
        if (c->kind == COLLIDER_FIXED || e == vessel || (!c->on && !c->driven))
            continue;
        if (c->kind == COLLIDER_PARTICLE) {
            const grain *q = &s->particles->g.items[s->particles->by_entity[e]];
            if (!is_of(s, q, vessel) && grain_reaches(&box, q->x, q->radius) &&
                particle_meets(s, vessel, q))
                return e;
            continue;
        }
        for (size_t k = 0; boxes_meet(&box, &c->bounds) && k < c->geom_count; k++)
            if (boxes_meet(&box, &c->geom_bounds[k]) && shape_meets(s, vessel, e, k))
                return e;
    }
    return SIZE_MAX;
}

static bool all_are_there(const sim *s, size_t vessel) {
    const loan *l = loan_of(s, vessel);
    size_t lent = 0;
    for (size_t i = 0; l && i < s->particles->count; i++)
        lent += s->particles->g.items[i].lent && is_of(s, &s->particles->g.items[i], vessel);
    return s->colliders[vessel].on && (!l || lent == l->count);
}

const char *sim_contents_refusal(sim *s, size_t vessel, const char **rule, size_t *met, arena *a) {
    const collider *c = &s->colliders[vessel];
    *met = SIZE_MAX;
    *rule = "gone";
    if (!all_are_there(s, vessel))
        return arena_format(a,
                            "%s is not there, or moved by another model, or not all that it "
                            "was filled with is where it was",
                            c->name);
    *rule = "let_go";
    if (!is_held(s, vessel))
        return arena_format(a, "nothing holds %s, so that what it contains would push it too late",
                            c->name);
    *rule = "touched";
    *met = find_met(s, vessel);
    return *met == SIZE_MAX ? NULL
                            : arena_format(a, "something in %s touches %s, which can move", c->name,
                                           s->colliders[*met].name);
}

// ---- Going and coming back ----------------------------------------------------------------------

void sim_contents_now(const sim *s, size_t vessel, sim_grain *out) {
    for (size_t i = 0; i < s->particles->count; i++) {
        const grain *q = &s->particles->g.items[i];
        if (is_of(s, q, vessel))
            *out++ = (sim_grain){q->entity, q->here || q->lent, q->x, q->v};
    }
}

void sim_contents_lend(sim *s, size_t vessel) {
    struct particles *p = s->particles;
    double h = seconds(s->options.step);
    loan l = {.vessel = vessel};
    ASSERT(!sim_contents_lent(s, vessel));
    for (size_t i = 0; p->awake_count > 0 && i < p->g.partners.count; i++) {
        const grain_partner *b = &p->g.partners.items[i];
        if (b->entity != vessel)
            continue;
        l.force = v3_scale(b->impulse, 1 / h);
        l.torque = v3_scale(b->twist, 1 / h);
    }
    for (size_t i = 0; i < p->count; i++) {
        grain *q = &p->g.items[i];
        if (!is_of(s, q, vessel))
            continue;
        l.count += q->here;
        p->awake_count -= q->here && q->awake;
        q->lent = q->here;
        q->awake = true;
        q->here = false;
        q->hold_count = q->touch_count = 0;
    }
    body_wake(s, vessel);
    array_push(&p->loans, l);
}

void sim_contents_put(sim *s, size_t vessel, const sim_grain *all, vec3 force, vec3 torque) {
    loan *l = loan_of(s, vessel);
    ASSERT(l != NULL);
    l->force = force;
    l->torque = torque;
    for (size_t i = 0; i < s->particles->count; i++) {
        grain *q = &s->particles->g.items[i];
        if (!is_of(s, q, vessel))
            continue;
        if (q->lent)
            q->x = all->x, q->v = all->v;
        all++;
    }
}

void sim_contents_return(sim *s, size_t vessel) {
    struct particles *p = s->particles;
    for (size_t i = 0; i < p->count; i++) {
        grain *q = &p->g.items[i];
        if (!q->lent || !is_of(s, q, vessel))
            continue;
        q->lent = false;
        q->here = true;
        q->calm_steps = 0;
        p->awake_count++;
    }
    for (size_t i = 0; i < p->loans.count; i++)
        if (p->loans.items[i].vessel == vessel) {
            array_remove(&p->loans, i);
            break;
        }
}

void loans_step(sim *s, double dt) {
    struct particles *p = s->particles;
    for (size_t i = 0; i < p->loans.count; i++) {
        const loan *l = &p->loans.items[i];
        collider *c = &s->colliders[l->vessel];
        c->calm_steps = 0; // it sleeps no sooner than what lies in it
        if (c->body && dBodyIsEnabled(c->body)) {
            dBodyAddForce(c->body, l->force.x, l->force.y, l->force.z);
            dBodyAddTorque(c->body, l->torque.x, l->torque.y, l->torque.z);
        }
    }
    for (size_t i = 0; p->loans.count > 0 && i < p->count; i++) {
        grain *q = &p->g.items[i];
        if (q->lent)
            q->x = v3_add(q->x, v3_scale(q->v, dt));
    }
}

sim_contact sim_grain_contact(size_t particle, const grain_touch *t, bool sleeping) {
    bool second = t->entity < particle; // of the pair
    return (sim_contact){.a = second ? t->entity : particle,
                         .b = second ? particle : t->entity,
                         .point = t->point,
                         .normal = second ? t->normal : v3_scale(t->normal, -1),
                         .force = second ? t->force : v3_scale(t->force, -1),
                         .approach = sleeping ? 0 : t->approach,
                         .depth = t->depth,
                         .sleeping = sleeping};
}
