// projector/fidelity/near.c - signals what the robot, or what moves, is near to.
//
// The paper inflates one box around the robot. Here each part of the robot has a box of its own,
// and so has what a hand touches, since a robot that reaches over a pile would else be near to all
// of it. A box reaches as far ahead as its corners came in the last two cycles, and half as far
// again, since what is outside of it is not looked at before the next.
#include "projector/fidelity/fidelity_int.h"

static const double AHEAD = 1.5;   // of the way in the last cycle
static const double MOVES = 0.05;  // m/s, from which on a body is looked ahead for
static const double MARGIN = 0.01; // m, around what moves

static bool boxes_meet(vec3 low, vec3 high, vec3 other_low, vec3 other_high) {
    return low.x <= other_high.x && other_low.x <= high.x && low.y <= other_high.y &&
           other_low.y <= high.y && low.z <= other_high.z && other_low.z <= high.z;
}

static box inflated(size_t entity, vec3 low, vec3 high, double by) {
    vec3 margin = v3(by, by, by);
    return (box){entity, v3_sub(low, margin), v3_add(high, margin)};
}

// Around the robot whatever runs, as long as this does.
static double least_near(const fidelity *f) {
    return fmin(f->near, f->how.near);
}

// The box of a part of the robot, where it is and where it may come before the next cycle.
static void add_part(fidelity *f, size_t entity) {
    vec3 low, high, *was = &f->last[2 * (entity - f->body_count)];
    sim_bounds(f->sim, entity, &low, &high);
    if (!(low.x <= high.x))
        return; // without shapes
    vec3 ahead_low = low, ahead_high = high;
    if (f->begun) {
        ahead_low = v3_add(low, v3_scale(v3_sub(low, was[0]), AHEAD));
        ahead_high = v3_add(high, v3_scale(v3_sub(high, was[1]), AHEAD));
    }
    was[0] = low, was[1] = high;
    array_push(&f->boxes,
               inflated(entity, v3_min(low, ahead_low), v3_max(high, ahead_high), least_near(f)));
}

// The box of a body in motion, over two cycles.
static box swept(const fidelity *f, size_t body, double by, double dt) {
    vec3 low, high, v, w;
    sim_bounds(f->sim, body, &low, &high);
    sim_velocity(f->sim, body, &v, &w);
    vec3 way = v3_scale(v, 2 * dt), none = v3(0, 0, 0);
    return inflated(body, v3_add(low, v3_min(way, none)), v3_add(high, v3_max(way, none)), by);
}

static bool is_hand(const fidelity *f, size_t entity) {
    return entity >= sim_entity_palm(f->sim, 0) && f->robot->arm_count > 0;
}

// What a hand touches is as near as the hand.
static void add_held(fidelity *f, double dt) {
    size_t count;
    const sim_contact *all = sim_contacts(f->sim, &count);
    for (size_t i = 0; i < count; i++)
        if (all[i].a < f->body_count && is_hand(f, all[i].b) && tree_is_managed(f, all[i].a))
            array_push(&f->boxes, swept(f, all[i].a, least_near(f), dt));
}

static void mark_within(fidelity *f, const box *b, rule why) {
    size_t count;
    const size_t *near = sim_near(f->sim, b->low, b->high, &count);
    for (size_t i = 0; i < count; i++) {
        vec3 low, high;
        if (near[i] == b->entity || !tree_is_managed(f, near[i]))
            continue;
        sim_bounds(f->sim, near[i], &low, &high);
        if (boxes_meet(low, high, b->low, b->high))
            tree_want(f, near[i], why, (int64_t)b->entity);
    }
}

bool near_signal(fidelity *f, nanos dt) {
    double h = seconds(dt);
    size_t awake_count;
    const size_t *awake = sim_awake(f->sim, &awake_count);
    f->boxes.count = f->movers.count = 0;
    for (size_t e = f->body_count; e < f->entity_count; e++)
        add_part(f, e);
    f->begun = true;
    add_held(f, h);
    for (size_t i = 0; i < awake_count; i++) {
        vec3 v, w;
        sim_velocity(f->sim, awake[i], &v, &w);
        if (v3_length(v) > MOVES)
            array_push(&f->movers, swept(f, awake[i], MARGIN, h));
    }
    for (size_t i = 0; i < f->boxes.count; i++)
        mark_within(f, &f->boxes.items[i], RULE_NEAR);
    for (size_t i = 0; i < f->movers.count; i++)
        mark_within(f, &f->movers.items[i], RULE_APPROACHED);
    for (size_t i = 0; f->near > f->how.near && i < f->boxes.count; i++) {
        box *b = &f->boxes.items[i];
        *b = inflated(b->entity, b->low, b->high, f->near - f->how.near);
        mark_within(f, b, RULE_OPERATION);
    }
    return awake_count > 0;
}

// Whether a box of something else than the body is in a part of space.
static bool any_meets(const box *all, size_t count, size_t body, vec3 low, vec3 high) {
    for (size_t i = 0; i < count; i++)
        if (all[i].entity != body && boxes_meet(low, high, all[i].low, all[i].high))
            return true;
    return false;
}

bool near_is_clear(const fidelity *f, size_t body, double more) {
    vec3 low, high;
    sim_bounds(f->sim, body, &low, &high);
    box b = inflated(body, low, high, more);
    return !any_meets(f->boxes.items, f->boxes.count, body, b.low, b.high) &&
           !any_meets(f->movers.items, f->movers.count, body, b.low, b.high);
}
