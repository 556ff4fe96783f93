// projector/world/surfaces.c - what each entity is made of, and the friction between any
// two.
#include "projector/world/things.h"

static const double LINK_FRICTION = 0.5;

struct surface_kind {
    const char *material;
    double mu;
    double least; // friction with anything
    bool wet;     // a film lies between it and whatever it touches: declared pairs hold no longer
};

static void tabulate_friction(sim *s) {
    size_t n = s->surface_count;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const struct surface_kind *a = &s->surface_kinds[i], *b = &s->surface_kinds[j];
            double mu = a->wet || b->wet
                            ? sqrt(a->mu * b->mu)
                            : world_friction(s->world, a->material, a->mu, b->material, b->mu);
            s->friction[i * n + j] = fmax(mu, fmax(a->least, b->least));
        }
}

// Bodies that may get wet by themselves have a surface of their own.
static bool own_surface(const sim *s, size_t entity) {
    for (size_t i = 0; i < s->world->event_count; i++) {
        const world_event *e = &s->world->events[i];
        if (e->kind == EVENT_WET && e->body == (int64_t)entity)
            return true;
    }
    return false;
}

// What an entity is made of, dry.
static struct surface_kind surface_of(const sim *s, size_t entity) {
    struct surface_kind k = {"", LINK_FRICTION, 0, false};
    const collider *c = &s->colliders[entity];
    if (entity < s->first_link) {
        k.material = s->world->bodies[entity].type->material;
        k.mu = s->world->bodies[entity].type->friction;
    } else if (c->kind == COLLIDER_HAND) {
        const robot_gripper *g = &s->robot->arms[c->arm].gripper;
        k.material = g->material, k.mu = g->friction, k.least = g->least_friction;
    }
    if (!k.material)
        k.material = "";
    return k;
}

static bool same_kind(const struct surface_kind *a, const struct surface_kind *b) {
    return a->mu == b->mu && a->least == b->least && a->wet == b->wet &&
           strcmp(a->material, b->material) == 0;
}

// Gives every entity the row of its kind.
static void give_surfaces(sim *s, const struct surface_kind *kinds) {
    s->surface_count = 0;
    s->surface_kinds = mem_must(s->entity_count + 1, sizeof *s->surface_kinds);
    bool *own = mem_must(s->entity_count + 1, sizeof *own);
    for (size_t e = 0; e < s->entity_count; e++) {
        size_t i = 0;
        bool alone = e < s->first_link && own_surface(s, e);
        while (i < s->surface_count &&
               (alone || own[i] || !same_kind(&s->surface_kinds[i], &kinds[e])))
            i++;
        if (i == s->surface_count) {
            own[i] = alone;
            s->surface_kinds[s->surface_count++] = kinds[e];
        }
        s->colliders[e].surface = (int)i;
    }
    free(own);
    s->friction = mem_must(s->surface_count * s->surface_count, sizeof *s->friction);
    tabulate_friction(s);
}

void surfaces_create(sim *s) {
    struct surface_kind *kinds = mem_must(s->entity_count + 1, sizeof *kinds);
    for (size_t e = 0; e < s->entity_count; e++)
        kinds[e] = surface_of(s, e);
    give_surfaces(s, kinds);
    free(kinds);
}

static bool same_pairs(const world_model *a, const world_model *b) {
    bool same = a->pair_count == b->pair_count;
    for (size_t i = 0; same && i < a->pair_count; i++)
        same = a->pairs[i].friction == b->pairs[i].friction;
    return same;
}

void surfaces_follow(sim *s, const world_model *before) {
    struct surface_kind *was = s->surface_kinds;
    struct surface_kind *kinds = mem_must(s->entity_count + 1, sizeof *kinds);
    bool *other = mem_must(s->entity_count + 1, sizeof *other);
    for (size_t e = 0; e < s->entity_count; e++) {
        const struct surface_kind *old = &was[s->colliders[e].surface];
        kinds[e] = surface_of(s, e);
        if (old->wet) {
            kinds[e].mu = old->mu;
            kinds[e].wet = true;
        }
        other[e] = !same_kind(old, &kinds[e]);
    }
    free(s->friction);
    give_surfaces(s, kinds);
    bool all = !same_pairs(before, s->world);
    for (size_t b = 0; b < s->first_link; b++)
        if (all || other[b])
            body_wake(s, b);
    free(was);
    free(kinds);
    free(other);
}

void surfaces_destroy(sim *s) {
    free(s->friction);
    free(s->surface_kinds);
}

void surfaces_wet(sim *s, int64_t body, const char *material, double mu) {
    for (size_t i = 0; i < s->surface_count; i++) {
        struct surface_kind *k = &s->surface_kinds[i];
        if (body >= 0 ? s->colliders[body].surface != (int)i
                      : strcmp(k->material, material ? material : "") != 0)
            continue;
        k->mu = mu;
        k->wet = true;
    }
    tabulate_friction(s);
    // A body that rested by the old friction may slide by the new one.
    for (size_t b = 0; b < s->first_link; b++)
        if (s->surface_kinds[s->colliders[b].surface].wet)
            body_wake(s, b);
}
