// projector/world/park.c - whether nothing moves, and for how long.
//
// Controllers that hold a robot bring its joints to rest in theory after an infinite time only; a
// joint slower than STILL goes less than a tenth of a millimetre in an hour at an arm's length.
#include "projector/world/things.h"

static const double STILL = 2e-8;         // rad/s or m/s, of the robot's joints and base
static const nanos RESPONSE = 100000000;  // after a command, in which what it moves has begun to
static const double STILL_FINGERS = 1e-6; // m/s, of palms and fingers

static bool bases_rest(const sim *s) {
    bool rest = true;
    for (size_t m = 0; m < s->machine_count; m++) {
        const drive *d = &s->machines[m].drive;
        rest &= d->vx == 0 && d->vy == 0 && d->wz == 0;
        for (int i = 0; i < PLANE_NODES; i++)
            rest &= fabs(d->ref_qd[i]) < STILL &&
                    fabs(s->tree.nodes[s->machines[m].root + i].qd) < STILL;
    }
    return rest;
}

static bool joints_rest(const sim *s) {
    for (size_t j = 0; j < s->robot->joint_count; j++) {
        const joint_target *g = &s->targets[j];
        bool there = g->mode == CONTROL_POSITION && s->now >= g->end &&
                     (g->to_velocity == 0 || s->now >= g->coast);
        if ((!there && !s->robot->joints[j].follows) ||
            fabs(s->tree.nodes[s->first_joint + (int)j].qd) >= STILL)
            return false;
    }
    for (size_t a = 0; a < s->robot->arm_count; a++)
        if (s->impedances[a].on)
            return false;
    return true;
}

static bool hands_rest(const sim *s) {
    for (size_t e = s->first_hand; e < s->entity_count; e++) {
        vec3 v, w;
        sim_velocity(s, e, &v, &w);
        if (v3_length(v) >= STILL_FINGERS)
            return false;
    }
    return true;
}

static bool grains_rest(const sim *s) {
    for (size_t b = 0; b < s->first_link; b++)
        if (s->colliders[b].kind == COLLIDER_PARTICLE && s->colliders[b].on &&
            !particles_asleep(s, b))
            return false;
    return true;
}

bool sim_rests(const sim *s, nanos *until) {
    if (s->awake_count > 0 || s->now < s->commanded + RESPONSE || !bases_rest(s) ||
        !joints_rest(s) || !hands_rest(s) || !grains_rest(s))
        return false;
    *until = happenings_next(s);
    return *until > s->now;
}

void sim_pass(sim *s, nanos t) {
    ASSERT(t >= s->now);
    s->happened.count = 0;
    s->now = t;
}
