// projector/robot/planning/pair_plan.c - paths of both arms in step. An object that both hold goes
// straight, and the tools keep their place on it: at every knot inverse kinematics solves both arms
// for the object's pose there.
#include "projector/robot/planning/arm_plan.h"
#include "projector/robot/planning/memory.h"

#include <math.h>

pose pair_tool(const arm_pair *p, size_t arm) {
    pose frames[FRAMES];
    chain_forward(&p->scenes[arm].chain, p->q[arm], frames);
    return frames[TOOL];
}

void pair_init(arm_pair *p, const mind *m, pose base, const char *except, double margin,
               const char *purpose, miss *nearest) {
    *p = (arm_pair){.m = m, .blocker = OWNER_NONE, .nearest = nearest};
    for (size_t a = 0; a < 2; a++) {
        arm_scene *s = &p->scenes[a];
        p->h[a] = held_by(m, a);
        joints_planned(m, a, p->q[a]);
        arm_scene_init(s, m, a, base, &p->h[a], hand_opening(m, a), except ? except : p->h[a].name,
                       margin, purpose);
        s->nearest = nearest;
        collision_scene_drop_arm(&s->collisions);
        pose frames[FRAMES];
        chain_forward(&s->chain, p->q[a], frames);
        collision_scene_relax_start(&s->collisions, &s->limb, frames);
    }
    p->holding = p->h[0].name && p->h[1].name && strcmp(p->h[0].name, p->h[1].name) == 0;
    pose tools[2] = {pair_tool(p, 0), pair_tool(p, 1)};
    p->object = p->holding ? pose_mul(tools[0], p->h[0].in_hand)
                           : (pose){v3_scale(v3_add(tools[0].p, tools[1].p), 0.5), {1, 0, 0, 0}};
    for (size_t a = 0; a < 2; a++)
        p->in_object[a] = pose_mul(pose_inverse(p->object), tools[a]);
}

void pair_finish(arm_pair *p) {
    for (size_t a = 0; a < 2; a++)
        arm_scene_finish(&p->scenes[a]);
    array_finish(&p->knots);
}

void pair_add_knot(arm_pair *p, bool corner) {
    knot k = {.corner = corner};
    vec3 middle = v3(0, 0, 0);
    size_t axis = 0;
    for (size_t a = 0; a < 2; a++) {
        for (size_t i = 0; i < p->scenes[a].chain.count; i++)
            k.q[axis++] = p->q[a][i];
        middle = v3_add(middle, v3_scale(pair_tool(p, a).p, 0.5));
    }
    k.hand = middle;
    array_push(&p->knots, k);
}

// ---- Going back to where a plan began -----------------------------------------------------------
pair_mark pair_remember(const arm_pair *p) {
    pair_mark mark = {.object = p->object, .knots = p->knots.count};
    memcpy(mark.q, p->q, sizeof mark.q);
    return mark;
}

void pair_return(arm_pair *p, const pair_mark *mark) {
    memcpy(p->q, mark->q, sizeof p->q);
    p->object = mark->object;
    p->knots.count = mark->knots;
}

// ---- Straight ways ------------------------------------------------------------------------------
static bool arms_apart(arm_pair *p) {
    pose frames[2][FRAMES];
    for (size_t a = 0; a < 2; a++)
        chain_forward(&p->scenes[a].chain, p->q[a], frames[a]);
    stopwatch_start(p->m->checks);
    bool apart =
        limbs_apart(&p->scenes[0].limb, frames[0], &p->scenes[1].limb, frames[1], &p->blocker);
    stopwatch_stop(p->m->checks);
    return apart;
}

bool pair_track(arm_pair *p, const pose to[2]) {
    pose from[2];
    double far = 0, off = 0;
    for (size_t a = 0; a < 2; a++) {
        from[a] = pair_tool(p, a);
        far = fmax(far, v3_distance(from[a].p, to[a].p));
        off = fmax(off, quat_angle(from[a].q, to[a].q));
    }
    pair_mark mark = pair_remember(p);
    int steps = far < 1e-5 && off < 1e-4 ? 0 : (int)fmax(8, ceil(fmax(far / 0.015, off / 0.06)));
    // Where both hands hold one object, the object's pose is interpolated.
    pose start = pose_mul(from[0], pose_inverse(p->in_object[0])),
         end = pose_mul(to[0], pose_inverse(p->in_object[0]));
    for (int n = 1; n <= steps; n++) {
        double f = (double)n / steps;
        pose object = {v3_add(start.p, v3_scale(v3_sub(end.p, start.p), f)),
                       quat_slerp(start.q, end.q, f)};
        for (size_t a = 0; a < 2; a++) {
            pose target = p->holding
                              ? pose_mul(object, p->in_object[a])
                              : (pose){v3_add(from[a].p, v3_scale(v3_sub(to[a].p, from[a].p), f)),
                                       quat_slerp(from[a].q, to[a].q, f)};
            p->scenes[a].blocker = OWNER_NONE;
            if (!arm_step(&p->scenes[a], target, (1 - f) * far, p->q[a])) {
                p->blocker = p->scenes[a].blocker;
                pair_return(p, &mark);
                return false;
            }
        }
        if (!arms_apart(p)) {
            pair_return(p, &mark);
            return false;
        }
        pair_add_knot(p, n == steps);
    }
    return true;
}

bool pair_track_object(arm_pair *p, pose to) {
    const pose tools[2] = {pose_mul(to, p->in_object[0]), pose_mul(to, p->in_object[1])};
    if (!pair_track(p, tools))
        return false;
    p->object = to;
    return true;
}

bool pair_travel(arm_pair *p, pose to) {
    static const double lifts[] = {0.04, 0.12, 0.2};
    if (pair_track_object(p, to))
        return true;
    pair_mark mark = pair_remember(p);
    for (int k = 0; k < 3; k++) {
        pose up = mark.object, over = to;
        up.p.z = over.p.z = fmax(up.p.z, to.p.z) + lifts[k];
        if (pair_track_object(p, up) && pair_track_object(p, over) && pair_track_object(p, to))
            return true;
        pair_return(p, &mark);
    }
    return false;
}

bool pair_comes_over(arm_pair *p, pose to, double height) {
    pair_mark mark = pair_remember(p);
    pose above = to;
    above.p.z += height;
    bool found = pair_travel(p, above);
    pair_mark there = pair_remember(p);
    found = found && pair_track_object(p, to);
    pair_return(p, found ? &there : &mark);
    return found;
}
