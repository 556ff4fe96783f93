// projector/ensemble/evaluators.c - what triggers look at, as it is now: numbers made of slots,
// conditions, and which body is in a hand or near it.
#include "projector/ensemble/ensemble_int.h"

static const double HOLDING = 2; // parts of one hand

static double value_now(const conductor *c, const ensemble_value *v) {
    switch (v->kind) {
    case VALUE_NUMBER:
        return v->number;
    case VALUE_SLOT:
        return c->slots[v->slot].value;
    case VALUE_SUM:
        return value_now(c, v->a) + value_now(c, v->b);
    case VALUE_DIFFERENCE:
        return value_now(c, v->a) - value_now(c, v->b);
    case VALUE_PRODUCT:
        return value_now(c, v->a) * value_now(c, v->b);
    case VALUE_QUOTIENT:
        return value_now(c, v->a) / value_now(c, v->b);
    }
    return NAN;
}

bool evaluators_read(const conductor *c, const ensemble_value *v, size_t number) {
    if (v->kind == VALUE_SLOT)
        return c->slots[v->slot].owner == (int64_t)number;
    return v->kind != VALUE_NUMBER &&
           (evaluators_read(c, v->a, number) || evaluators_read(c, v->b, number));
}

// ---- Bodies -------------------------------------------------------------------------------------

static int64_t find_held(const conductor *c, size_t arm) {
    sim *s = c->world_now;
    size_t palm = sim_entity_palm(s, arm), count;
    for (size_t i = 0; i < c->how->slot_count; i++)
        if (c->how->slots[i].is_pose && c->slots[i].owner != MODEL_MAIN &&
            c->players[c->slots[i].owner].carrier == palm)
            return (int64_t)c->how->slots[i].body;
    const sim_contact *all = sim_contacts(s, &count);
    double parts = 0;
    for (size_t i = 0; i < count; i++) { // sorted by the body, which comes before parts of a hand
        if (i == 0 || all[i].a != all[i - 1].a)
            parts = 0;
        parts += all[i].b == palm || all[i].b == sim_entity_finger(s, arm, 1) ||
                 all[i].b == sim_entity_finger(s, arm, 2);
        if (parts >= HOLDING && all[i].a < c->world->body_count)
            return (int64_t)all[i].a;
    }
    return -1;
}

static int64_t find_nearest(const conductor *c, const ensemble_finder *f, size_t arm) {
    sim *s = c->world_now;
    vec3 fingers = v3_scale(v3_add(sim_pose(s, sim_entity_finger(s, arm, 1)).p,
                                   sim_pose(s, sim_entity_finger(s, arm, 2)).p),
                            0.5);
    int64_t nearest = -1;
    double least = f->radius;
    for (size_t i = 0; i < c->world->body_count; i++) {
        const world_body *b = &c->world->bodies[i];
        if (b->fixed || b->particle || !sim_present(s, i) ||
            (f->type && strcmp(f->type, b->type->name) != 0))
            continue;
        double far = v3_length(v3_sub(pose_apply(sim_pose(s, i), b->type->com), fingers));
        if (far <= least && (nearest < 0 || far < least)) {
            least = far;
            nearest = (int64_t)i;
        }
    }
    return nearest;
}

static int64_t find_body(const conductor *c, const ensemble_finder *f) {
    if (!c->world_now)
        return -1;
    size_t arm = (size_t)robot_find_arm(sim_robots(c->world_now), f->hand);
    return f->kind == FINDER_HELD ? find_held(c, arm) : find_nearest(c, f, arm);
}

// ---- Conditions ---------------------------------------------------------------------------------

static bool compares(const conductor *c, const ensemble_condition *x) {
    double a = value_now(c, x->left), b = value_now(c, x->right);
    return x->how == LESS         ? a < b
           : x->how == LESS_EQUAL ? a <= b
           : x->how == GREATER    ? a > b
                                  : a >= b;
}

static bool finds(const conductor *c, const ensemble_condition *x, found_bodies *found) {
    int64_t body = find_body(c, &x->finder);
    if (x->variable >= 0 && found->body[x->variable] < 0)
        found->body[x->variable] = body;
    int64_t wanted = x->variable >= 0 ? found->body[x->variable] : x->body;
    return body >= 0 && (wanted < 0 || wanted == body);
}

bool evaluators_hold(const conductor *c, const ensemble_condition *x, found_bodies *found) {
    bool holds = true;
    switch (x->kind) {
    case CONDITION_COMPARES:
        holds = compares(c, x);
        break;
    case CONDITION_FINDS:
        holds = finds(c, x, found);
        break;
    case CONDITION_ALL:
        for (size_t i = 0; holds && i < x->count; i++)
            holds = evaluators_hold(c, &x->all[i], found);
        break;
    }
    return holds != x->negated;
}

static status check_hands(const conductor *c, const ensemble_condition *all, size_t count,
                          error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && i < count; i++) {
        const ensemble_finder *f = &all[i].finder;
        if (all[i].kind == CONDITION_FINDS && robot_find_arm(sim_robots(c->world_now), f->hand) < 0)
            st = error_at(err, E_INPUT, f->at.file, f->at.line, f->at.column,
                          "the robot has no arm `%s`", f->hand);
        else if (all[i].kind == CONDITION_ALL)
            st = check_hands(c, all[i].all, all[i].count, err);
    }
    return st;
}

status evaluators_check(const conductor *c, error *err) {
    status st = OK;
    for (size_t i = 0; st == OK && c->world_now && i < c->how->trigger_count; i++)
        st = check_hands(c, c->how->triggers[i].conditions, c->how->triggers[i].condition_count,
                         err);
    return st;
}
