// projector/robot/actions/arm_motion.c - steps of planning that the targets of move_arm share:
// scenes, straight lines, free paths, the best of several ways.
#include "projector/robot/actions/arm_motion.h"

#include <math.h>

static const double MARGIN = 0.02; // m, distance kept from other things on the way

void arm_motion_scene(arm_motion *a, arm_scene *s, const char *except, double margin) {
    mind *m = a->act->m;
    arm_scene_init(s, m, a->act->arm, belief_robot(m->belief), &a->h, hand_opening(m, a->act->arm),
                   except, margin, "arm");
    s->key = planning_key(m, "arm");
}

static void relax_start(arm_scene *s, const double q[AXES_MAX]) {
    pose frames[FRAMES];
    chain_forward(&s->chain, q, frames);
    collision_scene_relax_start(&s->collisions, &s->limb, frames);
}

static void relax_end(arm_scene *s, const double q[AXES_MAX]) {
    pose frames[FRAMES];
    chain_forward(&s->chain, q, frames);
    collision_scene_relax(&s->collisions, &s->limb, frames);
}

void arm_motion_note(arm_motion *a, const arm_scene *s) {
    if (s->blocker != OWNER_NONE)
        owner_describe(a->act->m, s->blocker, a->blocker, sizeof a->blocker);
}

// Only known bodies are named as blockers: all other objects can be cleared away.
static const char *known_blocker(const arm_motion *a) {
    const believed_object *o = a->blocker[0] ? belief_find(a->act->m->belief, a->blocker) : NULL;
    return o && o->known ? a->blocker : NULL;
}

status arm_motion_refuse(arm_motion *a, const char *what) {
    action_refuse(a->act, "manipulation_pose_unreachable", known_blocker(a), "%s arm: %s%s%s",
                  a->act->m->robot->arms[a->act->arm].name, what,
                  a->blocker[0] ? "; in the way: " : "", a->blocker);
    return action_add_miss(a->act, &a->nearest);
}

bool arm_motion_straight(arm_motion *a, pose to, const char *except, int touch) {
    arm_scene s;
    arm_motion_scene(a, &s, except, ARM_TOUCH_MARGIN);
    s.collisions.touch = touch;
    s.nearest = &a->nearest;
    relax_start(&s, a->q0);
    a->blocker[0] = 0;
    bool found = arm_track(&s, a->q0, to, &a->knots);
    arm_motion_note(a, &s);
    arm_scene_finish(&s);
    return found;
}

bool arm_motion_go(arm_motion *a, const double q[AXES_MAX]) {
    const double margins[] = {MARGIN, ARM_TOUCH_MARGIN};
    bool found = false;
    for (int k = 0; k < (a->well_clear ? 1 : 2) && !found; k++) {
        arm_scene s;
        arm_motion_scene(a, &s, a->h.name, margins[k]);
        s.level = a->level;
        s.exact = a->exact;
        s.nearest = k == 1 ? &a->nearest : NULL;
        // Both ends may be closer to something than the margin of the path, but a posture that
        // overlaps something is no place to go to.
        relax_start(&s, a->q0);
        if (!a->well_clear)
            relax_end(&s, q);
        pose frames[FRAMES];
        chain_forward(&s.chain, q, frames);
        found = a->straight ? arm_track(&s, a->q0, frames[TOOL], &a->knots)
                : a->h.kind
                    ? arm_travel(&s, a->q0, q, &a->knots)
                    : arm_connect(&s, a->q0, q, &a->knots) || arm_travel(&s, a->q0, q, &a->knots);
        arm_motion_note(a, &s);
        arm_scene_finish(&s);
    }
    return found;
}

double arm_posture_cost(const chain *c, const double q0[AXES_MAX], const double q[AXES_MAX]) {
    double most = 0, strain = 0;
    for (size_t i = 0; i < c->count; i++) {
        double half = (c->upper[i] - c->lower[i]) / 2;
        most = fmax(most, fabs(q[i] - q0[i]));
        strain = fmax(strain, fabs(q[i] - (c->upper[i] + c->lower[i]) / 2) / half);
    }
    return most + (strain > 0.9 ? 5 * (strain - 0.9) : 0);
}

bool arm_motion_way_from(arm_motion *a, arm_scene *s, const double q[AXES_MAX], pose before,
                         way *out) {
    const chain *c = &s->chain;
    knot_array up = {0};
    bool found = arm_stands(s, q, 0) && arm_track(s, q, before, &up);
    if (found) {
        memcpy(out->q, up.items[up.count - 1].q, sizeof out->q);
        memcpy(out->down, q, sizeof out->down);
        out->goes_down = true;
        out->cost = arm_posture_cost(c, a->q0, out->q) + 0.3 * arm_posture_cost(c, out->q, q);
    } else {
        arm_motion_note(a, s);
    }
    array_finish(&up);
    return found;
}

bool arm_motion_way(arm_motion *a, arm_scene *s, pose tool, pose before, int first, int last,
                    way *out) {
    for (int k = first; k < last; k++) {
        double q[AXES_MAX] = {0}, start[AXES_MAX] = {0};
        memcpy(start, a->q0, sizeof start);
        if (k > 0)
            ik_start(&s->chain, s->key, k - 1, start);
        // The first ones may fall back on starts near to the comfortable posture.
        if (arm_solve(s, tool, start, k < 3 ? 4 : 1, q)) {
            if (arm_motion_way_from(a, s, q, before, out))
                return true;
        } else if (k < 3) {
            return false;
        }
    }
    return false;
}

// Whether the straight way down exists from the path's end: a path that keeps things level may end
// in another posture than the one that was planned.
static bool comes_down(arm_motion *a, const way *w) {
    const double *end = a->knots.count ? a->knots.items[a->knots.count - 1].q : a->q0;
    double off = 0;
    for (int i = 0; i < AXES_MAX; i++)
        off = fmax(off, fabs(end[i] - w->q[i]));
    if (off < 0.01 || !w->goes_down)
        return true;
    arm_scene s;
    arm_motion_scene(a, &s, a->except, ARM_TOUCH_MARGIN);
    s.collisions.touch = a->touch;
    s.nearest = &a->nearest;
    pose frames[FRAMES];
    chain_forward(&s.chain, w->down, frames);
    knot_array knots = {0};
    bool found = arm_track(&s, end, frames[TOOL], &knots);
    arm_motion_note(a, &s);
    array_finish(&knots);
    arm_scene_finish(&s);
    return found;
}

bool arm_motion_best(arm_motion *a, way *ways, size_t count) {
    enum { TRIES = 6 };
    a->nearest = (miss){0}; // the ways are there; what is missing from here on is a path to them
    for (int tries = 0; tries < TRIES && count > 0; tries++) {
        size_t best = 0;
        for (size_t k = 1; k < count; k++)
            if (ways[k].cost < ways[best].cost)
                best = k;
        for (int exact = 0; exact < 2; exact++) {
            a->exact = exact > 0;
            if (arm_motion_go(a, ways[best].q) && comes_down(a, &ways[best]))
                return true;
            bool there = a->knots.count > 0;
            a->knots.count = 0;
            if (!there) // nor is there one to this very posture
                break;
        }
        a->exact = false;
        ways[best] = ways[--count];
    }
    return false;
}
