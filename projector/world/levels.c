// projector/world/levels.c - bodies at lower fidelity: they stand, and collide or do not.
//
// A body that is lowered leaves ODE as one that falls asleep does, but counts as fixed: a touch
// does not wake it, and what touches it is solved without it. Its pose is cached as that of a
// sleeping body; it is raised as a sleeping body.
#include "projector/world/things.h"

static const double DEEP = 1e-3; // m, by which something may be in what is raised

bool sim_lowerable(const sim *s, size_t entity) {
    const collider *c = &s->colliders[entity];
    return entity < s->first_link && c->on && !c->absent && !c->kept && c->bonds == 0 &&
           (c->kind == COLLIDER_FREE || c->level != LEVEL_FULL);
}

fidelity_level sim_level(const sim *s, size_t entity) {
    return s->colliders[entity].level;
}

void body_raise(sim *s, size_t entity) {
    collider *c = &s->colliders[entity];
    if (c->level == LEVEL_FULL)
        return;
    c->level = LEVEL_FULL;
    c->kind = COLLIDER_FREE;
    s->rested = true;
}

void sim_lower(sim *s, size_t entity, fidelity_level level) {
    collider *c = &s->colliders[entity];
    ASSERT(level != LEVEL_FULL && sim_lowerable(s, entity));
    body_rest(s, entity);
    c->kind = COLLIDER_FIXED;
    c->level = level;
    c->heaped = false;
    s->rested = true;
}

bool sim_raise(sim *s, size_t entity, bool wake, double *depth) {
    const collider *c = &s->colliders[entity];
    size_t count;
    *depth = 0;
    if (c->level == LEVEL_FULL)
        return true;
    const sim_contact *all = sim_contacts(s, &count);
    for (size_t i = 0; i < count; i++)
        if ((all[i].a == entity || all[i].b == entity) && !all[i].sleeping)
            *depth = fmax(*depth, all[i].depth);
    if (*depth > DEEP)
        return false;
    body_raise(s, entity);
    if (wake)
        body_wake(s, entity);
    return true;
}

size_t sim_lowered_touched(const sim *s) {
    return s->lowered_touched;
}

int sim_calm_steps(const sim *s, size_t entity) {
    const collider *c = &s->colliders[entity];
    return c->awake ? c->calm_steps : SLEEP_STEPS;
}

int sim_calm_enough(void) {
    return SLEEP_STEPS;
}

static vec3 corner(const double *v) {
    return v3(v[0], v[1], v[2]);
}

void sim_bounds(sim *s, size_t entity, vec3 *low, vec3 *high) {
    const bounds *b = &s->colliders[entity].bounds;
    contacts_settle(s, entity);
    *low = corner(b->low);
    *high = corner(b->high);
}

const size_t *sim_near(sim *s, vec3 low, vec3 high, size_t *count) {
    bounds at = {{low.x, low.y, low.z}, {high.x, high.y, high.z}};
    return broad_query(s->broad, &at, count);
}

double sim_friction(const sim *s, size_t a, size_t b) {
    return s->friction[(size_t)s->colliders[a].surface * s->surface_count +
                       (size_t)s->colliders[b].surface];
}
