// projector/robot/actions/pouring.c - pour_over and tilt: the motions of move_arm that pour.
#include "projector/robot/actions/arm_motion.h"
#include "projector/robot/planning/pour_plan.h"

#include <math.h>

static const double UPRIGHT = 0.15; // rad: an object that leans less stands upright
// Distance kept from other things, m: where a way is chosen (at first, and where nothing is found
// with that), and on the way.
static const double CHOICE_MARGINS[] = {0.010, 0.004}, MARGIN = 0.001;

// Finds postures over the container from which the held object can lean all the way; returns how
// many.
static size_t find_pourings(arm_motion *a, pouring *p, double margin, way *ways, size_t most) {
    size_t found = 0;
    arm_scene s;
    arm_motion_scene(a, &s, a->h.name, margin);
    s.nearest = &a->nearest;
    pose frames[FRAMES];
    chain_forward(&s.chain, a->q0, frames);
    for (int k = 0; k < 4 && (k != 2 || found == 0); k++)
        for (int n = 0; n < POUR_TURNS && found < most; n++) {
            quat upright = pouring_upright(&a->h, frames[TOOL], 2 * PI * n / POUR_TURNS);
            way *w = &ways[found];
            *w = (way){0};
            if (!pouring_aim(p, &a->h, pouring_direction(&a->h, upright, k), upright))
                continue;
            if (!pouring_start(&s, a->q0, p, w->q)) {
                arm_motion_note(a, &s);
                continue;
            }
            w->cost = arm_posture_cost(&s.chain, a->q0, w->q);
            found++;
        }
    arm_scene_finish(&s);
    return found;
}

status pouring_plan_over(arm_motion *a, const believed_object *into) {
    enum { FOUND = 6 };
    pouring p;
    way ways[FOUND];
    size_t found = 0;
    if (!pouring_init(&p, a->act->m, a->act->arm, &a->h, into))
        return arm_motion_refuse(a, "the hand holds nothing to pour from");
    pouring_set_way(&p, 0, POUR_LEAN_MAX);
    for (int pass = 0; pass < 2 && found == 0; pass++)
        found = find_pourings(a, &p, CHOICE_MARGINS[pass], ways, FOUND);
    if (found == 0)
        return arm_motion_refuse(a, "it cannot be poured into from here");
    a->level = true;
    return arm_motion_best(a, ways, found) ? OK : arm_motion_refuse(a, "no level way to over it");
}

// Aims the pouring as the held object leans now, or where it stands upright over the container.
// False: the object has no shape.
static bool take_up(pouring *p, const held *h, pose tool, double *lean) {
    pose object = pose_mul(tool, h->in_hand);
    vec3 up = quat_rotate(object.q, h->kind->up);
    *lean = acos(fmax(-1, fmin(1, up.z)));
    quat upright = pouring_upright(h, tool, 0);
    if (*lean > UPRIGHT)
        return pouring_aim(p, h, v3_unit(v3(up.x, up.y, 0)), upright);
    // An upright object gets the one of four directions whose way begins nearest to the tool.
    pouring best = *p;
    double least = INFINITY;
    *lean = 0;
    for (int k = 0; k < 4; k++) {
        if (!pouring_aim(p, h, pouring_direction(h, upright, k), upright))
            return false;
        double d = v3_distance(pouring_tool(p, 0).p, tool.p);
        if (d < least) {
            least = d;
            best = *p;
        }
    }
    *p = best;
    return true;
}

status pouring_plan_tilt(arm_motion *a, const believed_object *into, double angle) {
    pouring p;
    double lean;
    arm_scene s;
    if (!pouring_init(&p, a->act->m, a->act->arm, &a->h, into))
        return arm_motion_refuse(a, "the hand holds nothing to pour from");
    arm_motion_scene(a, &s, a->h.name, MARGIN);
    s.nearest = &a->nearest;
    pose frames[FRAMES];
    chain_forward(&s.chain, a->q0, frames);
    collision_scene_relax_start(&s.collisions, &s.limb, frames);
    bool there = take_up(&p, &a->h, frames[TOOL], &lean) &&
                 v3_distance(pouring_tool(&p, lean).p, frames[TOOL].p) < 0.06;
    bool found = false;
    if (there) {
        pouring_set_way(&p, lean, fmax(0, fmin(POUR_LEAN_MAX, angle)));
        a->turned = fabs(p.to - p.from);
        found = arm_follow(&s, a->q0, pouring_way_pose, &p, p.steps, &a->knots);
        arm_motion_note(a, &s);
    }
    arm_scene_finish(&s);
    if (!there)
        return arm_motion_refuse(a, "what it holds is not over the container");
    return found ? OK : arm_motion_refuse(a, "it cannot lean so far over the container");
}
