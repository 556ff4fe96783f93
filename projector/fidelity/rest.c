// projector/fidelity/rest.c - signals what follows from what rests on what.
//
// Pairs that touch are known also of bodies that sleep or are lowered, with the force that each had
// last. So the list of contacts is the graph of supports.
#include "projector/fidelity/fidelity_int.h"

#include <string.h>

static const double UPWARDS = 0.5;  // of a contact's normal, that makes it a support
static const double CONE = 0.8;     // of the friction and of the tipping moment, which raise a body
static const double PRESSES = 0.05; // N, below which a force is none

void rest_look(fidelity *f) {
    size_t count, bodies = f->body_count;
    const sim_contact *all = sim_contacts(f->sim, &count);
    if (2 * count > f->others_room) {
        f->others_room = 4 * count;
        free(f->others);
        f->others = mem_must(f->others_room, sizeof *f->others);
    }
    memset(f->first, 0, (bodies + 2) * sizeof *f->first);
    for (size_t i = 0; i < count; i++) {
        if (all[i].a < bodies)
            f->first[all[i].a + 2]++;
        if (all[i].b < bodies)
            f->first[all[i].b + 2]++;
    }
    for (size_t b = 0; b < bodies; b++)
        f->first[b + 2] += f->first[b + 1];
    for (size_t i = 0; i < count; i++) {
        if (all[i].a < bodies)
            f->others[f->first[all[i].a + 1]++] = i;
        if (all[i].b < bodies)
            f->others[f->first[all[i].b + 1]++] = i;
    }
    for (size_t b = 0; b < bodies; b++) {
        tree *x = &f->trees[b];
        if (x->level != LEVEL_FULL && !x->counted) {
            x->links = f->first[b + 1] - f->first[b];
            x->counted = true;
        }
    }
}

static size_t partner(const sim_contact *c, size_t body) {
    return c->a == body ? c->b : c->a;
}

// How far up the contact's normal points from the body to its partner: 1 straight up.
static double rises(const fidelity *f, const sim_contact *c, size_t body) {
    vec3 g = f->world->gravity;
    double size = v3_length(g);
    double up = size > 0 ? -v3_dot(c->normal, g) / size : 0;
    return c->a == body ? up : -up;
}

void rest_signal_carried(fidelity *f) {
    size_t count, waiting = 0;
    const sim_contact *all = sim_contacts(f->sim, &count);
    for (size_t b = 0; b < f->body_count; b++) {
        tree *x = &f->trees[b];
        bool moves = !sim_asleep(f->sim, b) && sim_calm_steps(f->sim, b) < f->how.still;
        x->carried = tree_is_managed(f, b) && (x->why != RULE_NONE || moves);
        if (x->carried)
            f->queue[waiting++] = b;
    }
    while (waiting > 0) {
        size_t b = f->queue[--waiting];
        for (size_t k = f->first[b]; k < f->first[b + 1]; k++) {
            const sim_contact *c = &all[f->others[k]];
            size_t up = partner(c, b);
            if (up >= f->body_count || !tree_is_managed(f, up) || f->trees[up].carried ||
                rises(f, c, b) < UPWARDS)
                continue;
            f->trees[up].carried = true;
            tree_want(f, up, RULE_CARRIED, (int64_t)b);
            f->queue[waiting++] = up;
        }
    }
}

// Of what presses on a lowered body: whether it and the body's own weight would make it slide or
// turn over an edge of its box. What else stands on it would only hold it the better.
static bool slips_or_tips(const fidelity *f, size_t body, vec3 force, vec3 at, double mu) {
    const body_type *type = f->world->bodies[body].type;
    vec3 g = f->world->gravity, low, high;
    double size = v3_length(g);
    if (size == 0)
        return v3_length(force) > PRESSES;
    vec3 down = v3_scale(g, 1 / size);
    double press = v3_dot(force, down) + type->mass * size;
    vec3 aside = v3_sub(force, v3_scale(down, v3_dot(force, down)));
    if (v3_length(aside) < PRESSES && press > 0)
        return false;
    sim_bounds(f->sim, body, &low, &high);
    vec3 middle = v3_scale(v3_add(low, high), 0.5), extent = v3_sub(high, low);
    double half = fmin(extent.x, fmin(extent.y, extent.z)) / 2;
    vec3 foot = v3_add(middle, v3_scale(down, fabs(v3_dot(down, extent)) / 2));
    double lever = v3_dot(v3_sub(foot, at), down);
    return v3_length(aside) > CONE * mu * press ||
           v3_length(aside) * fmax(lever, 0) > CONE * press * half;
}

void rest_signal_loaded(fidelity *f, nanos t) {
    size_t count;
    const sim_contact *all = sim_contacts(f->sim, &count);
    for (size_t b = 0; b < f->body_count; b++) {
        tree *x = &f->trees[b];
        vec3 force = v3(0, 0, 0), at = v3(0, 0, 0);
        double mu = INFINITY, weight = 0;
        if (x->level == LEVEL_FULL)
            continue;
        for (size_t k = f->first[b]; k < f->first[b + 1]; k++) {
            const sim_contact *c = &all[f->others[k]];
            size_t other = partner(c, b);
            bool lies_on = rises(f, c, b) < -UPWARDS;
            if (lies_on)
                mu = fmin(mu, sim_friction(f->sim, b, other));
            if (c->sleeping || other >= f->body_count || sim_asleep(f->sim, other))
                continue;
            double size = v3_length(c->force);
            force = v3_add(force, v3_scale(c->force, c->a == b ? -1 : 1));
            at = v3_add(at, v3_scale(c->point, size));
            weight += size;
        }
        if (weight > PRESSES &&
            slips_or_tips(f, b, force, v3_scale(at, 1 / weight), isfinite(mu) ? mu : 0)) {
            tree_want(f, b, RULE_LOADED, -1);
            x->wake = true;
            x->hold = t + nanos_from_seconds(f->how.every);
        }
    }
}

// ---- What may no longer be at rest --------------------------------------------------------------

static size_t group_of(fidelity *f, size_t b) {
    while (f->group[b] != b)
        b = f->group[b] = f->group[f->group[b]];
    return b;
}

// Bodies that touch one another are a heap. Counts its bodies in queue[leader].
static void find_heaps(fidelity *f) {
    size_t count;
    const sim_contact *all = sim_contacts(f->sim, &count);
    for (size_t b = 0; b < f->body_count; b++)
        f->group[b] = b, f->held[b] = f->lively[b] = false, f->queue[b] = 0;
    for (size_t i = 0; i < count; i++) {
        size_t a = all[i].a, b = all[i].b;
        if (b >= f->body_count || !tree_is_managed(f, a) || !tree_is_managed(f, b))
            continue;
        size_t ga = group_of(f, a), gb = group_of(f, b);
        f->group[ga > gb ? ga : gb] = ga < gb ? ga : gb;
    }
    for (size_t b = 0; b < f->body_count; b++) {
        size_t lead = group_of(f, b);
        f->queue[lead]++;
        f->lively[lead] |= !sim_asleep(f->sim, b);
    }
    for (size_t i = 0; i < count; i++)
        if (all[i].a < f->body_count && all[i].b >= f->body_count && tree_is_managed(f, all[i].a))
            f->held[group_of(f, all[i].a)] = true;
}

static void mark_unsettled(fidelity *f, size_t body, rule why) {
    tree *x = &f->trees[body];
    tree_want(f, body, why, -1);
    x->wake |= why == RULE_UNSETTLED; // what touches something awake wakes by that
    x->settling = true;
}

void rest_signal_unsettled(fidelity *f, bool all) {
    bool any = false;
    for (size_t b = 0; b < f->body_count && !any; b++) {
        const tree *x = &f->trees[b];
        any =
            x->level != LEVEL_FULL && (all || x->hasty || f->first[b + 1] - f->first[b] < x->links);
    }
    if (!any)
        return;
    find_heaps(f);
    for (size_t b = 0; b < f->body_count; b++) {
        tree *x = &f->trees[b];
        size_t lead = group_of(f, b);
        // A heap is raised whole, but not around a hand that is in a large one. One in which
        // nothing is awake would stay as it is.
        bool big = f->held[lead] && f->queue[lead] > (size_t)f->how.big;
        if (x->level == LEVEL_FULL)
            continue;
        if (f->first[b + 1] - f->first[b] < x->links || (x->hasty && !f->held[lead]))
            mark_unsettled(f, b, RULE_UNSETTLED);
        else if (all && !big && f->lively[lead])
            mark_unsettled(f, b, RULE_INTERVAL);
    }
}

bool rest_is_inside(const fidelity *f, size_t body) {
    size_t count;
    const sim_contact *all = sim_contacts(f->sim, &count);
    for (size_t k = f->first[body]; k < f->first[body + 1]; k++) {
        size_t other = partner(&all[f->others[k]], body);
        if (other >= f->body_count ||
            (tree_is_managed(f, other) && f->trees[other].level == LEVEL_FULL))
            return false;
    }
    return true;
}
