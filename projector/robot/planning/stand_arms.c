// projector/robot/planning/stand_arms.c - whether the arms can do from one place to stand what is
// asked: grasp, put down, follow a handle, wipe, pour, with one hand or two.
#include "projector/robot/planning/pour_plan.h"
#include "projector/robot/planning/stand_int.h"

#include <math.h>

static const double PAIR_MARGIN = 0.008; // m, that two hands keep from other things

// ---- With one hand ------------------------------------------------------------------------------
static bool posture_found(stand_hunt *s, arm_scene *scene, pose tool, const double *first,
                          int starts, double q[AXES_MAX]) {
    scene->nearest = stand_missed(s, STAGE_REACH);
    bool found = arm_solve(scene, tool, first, starts, q);
    scene->nearest = stand_missed(s, STAGE_WAY);
    return found;
}

// How close the worst joint is to its limits: 0 in the middle, 1 at a limit.
static double joint_strain(const chain *c, const double q[AXES_MAX]) {
    double worst = 0;
    for (size_t i = 0; i < c->count; i++) {
        double half = (c->upper[i] - c->lower[i]) / 2, middle = (c->upper[i] + c->lower[i]) / 2;
        worst = fmax(worst, fabs(q[i] - middle) / half);
    }
    return worst;
}

// How far the hand must be able to go from where it reaches, m.
static double way_length(const stand_hunt *s, const arm_scene *scene, const double q[AXES_MAX]) {
    if (!s->q->operates)
        return s->asks->away;
    const mind *m = s->m;
    size_t joint = (size_t)world_joint_of(m->known, (size_t)s->q->object->body);
    pose frames[FRAMES];
    chain_forward(&scene->chain, q, frames);
    return fabs(s->q->to - belief_world_joint(m->belief, joint, NULL)) *
           door_lever(m, joint, frames[TOOL].p);
}

// Where the handle's joint is, and up to where it must be followed: somewhat beyond the goal, since
// the base will not stand quite there.
static void handle_way(const stand_hunt *s, size_t *joint, double *from, double *to) {
    const mind *m = s->m;
    *joint = (size_t)world_joint_of(m->known, (size_t)s->q->object->body);
    const world_joint *j = &m->known->joints[*joint];
    *from = belief_world_joint(m->belief, *joint, NULL);
    *to = s->q->to + s->asks->arc_spare * (s->q->to - *from);
    *to = fmax(j->lower, fmin(j->upper, *to));
}

// A way to a grasp or placement is tried from its end. A miss that was noted since one was `before`
// as close is told as the hand comes to it: what is left of the way from there.
static void turn_miss(miss *nearest, double before, double length) {
    if (nearest && nearest->kind != MISS_NONE && nearest->by < before)
        nearest->left = fmax(0, length - nearest->left);
}

// Whether a grasp or placement that can be reached is also free: the arm goes there, away from it
// again and, with a taken object, up. *end: the posture away from it.
static bool way_free(stand_hunt *s, arm_scene *scene, size_t k, const double q[AXES_MAX],
                     double end[AXES_MAX]) {
    const stand_query *query = s->q;
    bool reach = query->purpose == STAND_REACH;
    pose away = reach ? s->grasps[k].tool : s->places[k].tool;
    if (reach)
        away = grasp_before(away, s->asks->away);
    else
        away.p.z += s->asks->away;
    knot_array knots = {0};
    miss *nearest = scene->nearest;
    double before = nearest && nearest->kind != MISS_NONE ? nearest->by : INFINITY;
    bool free_way =
        arm_stands(scene, q, way_length(s, scene, q)) && arm_track(scene, q, away, &knots);
    if (!query->operates)
        turn_miss(nearest, before, s->asks->away);
    if (free_way)
        memcpy(end, knots.items[knots.count - 1].q, AXES_MAX * sizeof *end);
    array_finish(&knots);
    if (free_way && query->operates) {
        size_t joint;
        double from, to, turn;
        handle_way(s, &joint, &from, &to);
        double there[AXES_MAX];
        return arm_arrives(scene, end, s->grasps[k].tool, there) &&
               arm_operates(scene, there, query->object, s->grasps[k].way->width, joint, from, to,
                            s->asks->door, true, &turn, NULL) == to;
    }
    if (free_way && !reach && s->asks->leaves)
        return arm_lets_go(scene, q, s->release);
    if (!free_way || !reach || grasp_jointed(s->m, query->object))
        return free_way;
    // A taken object must also be lifted clear of its neighbours.
    held taken = {query->object->kind, s->grasps[k].in_hand, query->object->name};
    return arm_lifts(scene, q, &taken, s->grasps[k].way->width, s->asks->lift);
}

// Whether some reach is left at a posture, since the base will not stand quite there.
static bool reach_left(stand_hunt *s, arm_scene *scene, const double q[AXES_MAX]) {
    double stretched[AXES_MAX];
    pose frames[FRAMES];
    memcpy(stretched, q, sizeof stretched);
    chain_forward(&scene->chain, stretched, frames);
    pose farther = frames[TOOL];
    vec3 out = v3_sub(farther.p, scene->links[0].p);
    out.z = 0;
    farther.p = v3_add(farther.p, v3_add(v3_scale(v3_unit(out), 0.04), v3(0, 0, 0.02)));
    if (ik_descend(&scene->chain, farther, 0.05, 30, stretched))
        return true;
    scene->nearest = stand_missed(s, STAGE_REACH);
    arm_note_pose(scene, stretched, farther, 0);
    return false;
}

// The posture in which the arm reaches farthest: at a grasp that is level, else above it or above
// the place.
static const double *farthest_of(const stand_hunt *s, size_t k, const double q[AXES_MAX],
                                 const double end[AXES_MAX]) {
    bool level = s->q->purpose == STAND_REACH && s->grasps[k].way->kind != GRASP_TOP;
    return level ? q : end;
}

// The n'th posture that is tried for a grasp or placement. At a handle that is followed, the last
// one is where the arm is comfortable at the handle itself.
static bool posture_tried(stand_hunt *s, arm_scene *scene, pose tool, int n, double q[AXES_MAX]) {
    double first[AXES_MAX] = {0};
    if (s->q->operates && (n == 0 || n + 1 < s->asks->at_handle)) {
        size_t joint;
        double from, to;
        handle_way(s, &joint, &from, &to);
        scene->nearest = stand_missed(s, STAGE_REACH);
        bool found = arm_handle_posture(scene, tool, joint, from, to, true, n, q);
        scene->nearest = stand_missed(s, STAGE_WAY);
        return found;
    }
    bool rests = n == 0 || s->q->operates;
    if (!rests)
        ik_start(&scene->chain, s->key, n, first);
    return posture_found(s, scene, tool, rests ? NULL : first, rests ? 2 : 1, q);
}

// Whether one posture of those that are tried for a grasp or placement is free, and how it is left.
static bool way_stands(stand_hunt *s, arm_scene *scene, size_t k, double q[AXES_MAX],
                       double end[AXES_MAX]) {
    pose tool = s->q->purpose == STAND_REACH ? s->grasps[k].tool : s->places[k].tool;
    int postures = s->q->operates ? s->asks->at_handle : s->asks->postures;
    for (int n = 0; n < postures; n++) {
        if (!posture_tried(s, scene, tool, n, q)) {
            s->answer->unreached++;
        } else if (!way_free(s, scene, k, q, end)) {
            s->answer->collided++;
            stand_count_blocker(s, scene->blocker);
        } else if (!reach_left(s, scene, farthest_of(s, k, q, end))) {
            s->answer->unreached++;
        } else {
            return true;
        }
    }
    return false;
}

// Whether the hand can go there and away again from a spot by one of the grasps or placements;
// *cost: of the more comfortable of the first two.
static bool try_ways(stand_hunt *s, arm_scene *scene, double *cost) {
    *cost = INFINITY;
    size_t good = 0;
    for (size_t k = 0; k < s->way_count && good < 2; k++) {
        bool reach = s->q->purpose == STAND_REACH;
        if (reach ? grasp_from_behind(&s->grasps[k], scene->links[0].p)
                  : s->places[k].falls && !stand_demands_least(s))
            continue;
        double q[AXES_MAX] = {0}, end[AXES_MAX];
        if (!way_stands(s, scene, k, q, end))
            continue;
        good++;
        *cost = fmin(*cost, fmax(joint_strain(&scene->chain, q), joint_strain(&scene->chain, end)));
    }
    return good > 0;
}

// ---- With two hands -----------------------------------------------------------------------------
// How close the worst joint of both arms is to its limits at the end of what was planned.
static double pair_strain(const arm_pair *p) {
    return fmax(joint_strain(&p->scenes[0].chain, p->q[0]),
                joint_strain(&p->scenes[1].chain, p->q[1]));
}

// One arm's part of a grasp with two hands: its tool goes to the handle, then away from it again
// and, with the taken object, up.
static bool pair_arm_takes(stand_hunt *s, pose base, size_t arm, const grasp_pose *g,
                           double *cost) {
    const believed_object *o = s->q->object;
    arm_scene scene;
    arm_scene_init_at(&scene, s->m, arm, base, s->q->joints, NULL, s->opening, o->name, PAIR_MARGIN,
                      "stand");
    collision_scene_drop_arm(&scene.collisions);
    scene.key = s->key;
    held taken = {o->kind, g->in_hand, o->name};
    bool there = false;
    for (int n = 0; n < s->asks->postures && !there; n++) {
        double q[AXES_MAX] = {0}, first[AXES_MAX] = {0};
        if (n > 0)
            ik_start(&scene.chain, s->key, n, first);
        if (!posture_found(s, &scene, g->tool, n > 0 ? first : NULL, n > 0 ? 1 : 3, q)) {
            s->answer->unreached++;
            continue;
        }
        knot_array knots = {0};
        there = arm_stands(&scene, q, 0) &&
                arm_track(&scene, q, grasp_before(g->tool, s->asks->away), &knots) &&
                arm_lifts(&scene, q, &taken, g->way->width, s->asks->pair_lift) &&
                reach_left(s, &scene, q);
        if (there) {
            const double *end = knots.items[knots.count - 1].q;
            *cost =
                fmax(*cost, fmax(joint_strain(&scene.chain, q), joint_strain(&scene.chain, end)));
        } else {
            s->answer->collided++;
            stand_count_blocker(s, scene.blocker);
        }
        array_finish(&knots);
    }
    arm_scene_finish(&scene);
    return there;
}

static bool pair_takes(stand_hunt *s, pose base, double *cost) {
    *cost = 0;
    for (size_t arm = 0; arm < 2; arm++) {
        grasp_pose grasps[GRASPS_MAX];
        size_t count = grasp_of_pair(s->m, s->q->object, base, arm, grasps);
        bool any = false;
        for (size_t k = 0; k < count && !any; k++)
            any = pair_arm_takes(s, base, arm, &grasps[k], cost);
        if (!any)
            return false;
    }
    return true;
}

// Whether both arms reach somewhat farther than over the place, since the base will not stand quite
// there.
static bool pair_reach_left(arm_pair *p, pose base) {
    const double spare = 0.03; // m
    vec3 out = v3_sub(p->object.p, base.p);
    out.z = 0;
    pose farther = p->object;
    farther.p = v3_add(farther.p, v3_scale(v3_unit(out), spare));
    return pair_track_object(p, farther);
}

// Whether what both hands hold comes over the place, down, and up again, without their letting go:
// the postures are those that move_arms will go through.
static bool pair_places(stand_hunt *s, pose base, double *cost) {
    arm_pair p;
    pair_init(&p, s->m, base, NULL, PAIR_MARGIN, "stand", stand_missed(s, STAGE_WAY));
    for (size_t a = 0; a < 2; a++)
        p.scenes[a].collisions.touch = owner_of(s->m, s->q->place->support);
    pair_mark mark = pair_remember(&p);
    bool found = false;
    for (size_t k = 0; k < s->way_count && !found; k++) {
        if (s->places[k].falls) // two hands lower what they hold to the bottom
            continue;
        pair_return(&p, &mark);
        found = pair_comes_over(&p, s->places[k].object, s->asks->pair_over) &&
                pair_reach_left(&p, base);
        if (found) {
            *cost = pair_strain(&p);
        } else if (p.blocker == OWNER_NONE) {
            s->answer->unreached++;
        } else {
            s->answer->collided++;
            stand_count_blocker(s, p.blocker);
        }
    }
    pair_finish(&p);
    return found;
}

static bool try_pair(stand_hunt *s, const stand *at, double *cost) {
    pose base = pose_planar(at->x, at->y, at->yaw);
    return s->q->purpose == STAND_REACH ? pair_takes(s, base, cost) : pair_places(s, base, cost);
}

// The rows, moved away from the base.
static wipe_rows rows_farther(const wipe_rows *rows, vec3 base, double by) {
    wipe_rows out = *rows;
    vec3 way = v3_sub(rows->middle.p, base);
    way.z = 0;
    for (size_t k = 0; k < rows->count; k++)
        out.corners[k] = v3_add(rows->corners[k], v3_scale(v3_unit(way), by));
    return out;
}

// Whether all rows can be wiped from a spot, and the same farther out, since the base will not
// stand quite there.
static bool try_wipe(stand_hunt *s, const stand *at, double *cost) {
    arm_scene scene;
    arm_scene_init_at(&scene, s->m, s->q->arm, pose_planar(at->x, at->y, at->yaw), s->q->joints,
                      &s->h, hand_opening(s->m, s->q->arm), s->h.name, 0.022, "stand");
    scene.nearest = stand_missed(s, STAGE_WAY);
    double q[AXES_MAX] = {0};
    wipe_rows farther = rows_farther(s->q->rows, scene.links[0].p, s->asks->wipe_spare);
    bool found = arm_wipes(&scene, NULL, &farther, q) && arm_wipes(&scene, NULL, s->q->rows, q);
    *cost = found ? joint_strain(&scene.chain, q) : 0;
    if (!found) {
        s->answer->collided++;
        stand_count_blocker(s, scene.blocker);
    }
    arm_scene_finish(&scene);
    return found;
}

static bool try_pour(stand_hunt *s, const stand *at, double *cost) {
    arm_scene scene;
    arm_scene_init_at(&scene, s->m, s->q->arm, pose_planar(at->x, at->y, at->yaw), s->q->joints,
                      &s->h, s->opening, s->h.name, 0.006, "stand");
    scene.nearest = stand_missed(s, STAGE_WAY);
    double q[AXES_MAX] = {0};
    bool found = arm_pours(&scene, &s->h, s->q->object, q);
    *cost = found ? joint_strain(&scene.chain, q) : 0;
    if (!found) {
        s->answer->collided++;
        stand_count_blocker(s, scene.blocker);
    }
    arm_scene_finish(&scene);
    return found;
}

bool stand_try_arms(stand_hunt *s, const stand *at, double *cost) {
    if (s->q->purpose == STAND_WIPE)
        return try_wipe(s, at, cost);
    if (s->q->purpose == STAND_POUR)
        return try_pour(s, at, cost);
    if (s->q->both)
        return try_pair(s, at, cost);
    arm_scene scene;
    const char *except = s->q->purpose == STAND_REACH ? s->q->object->name : s->h.name;
    arm_scene_init_at(&scene, s->m, s->q->arm, pose_planar(at->x, at->y, at->yaw), s->q->joints,
                      s->q->purpose == STAND_PLACE ? &s->h : NULL, s->opening, except,
                      s->asks->hand, "stand");
    scene.key = s->key;
    if (s->q->purpose == STAND_PLACE)
        scene.collisions.touch = owner_of(s->m, s->q->place->support);
    bool found = try_ways(s, &scene, cost);
    arm_scene_finish(&scene);
    return found;
}
