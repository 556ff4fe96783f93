// projector/robot/planning/stand.c - the search for places where the base can stand to reach an
// object, put one down, wipe, pour, or see a region.
#include "projector/robot/planning/stand.h"
#include "projector/robot/grasping/placing.h"
#include "projector/robot/planning/drive.h"
#include "projector/robot/planning/memory.h"
#include "projector/robot/planning/pour_plan.h"

#include <math.h>

enum {
    STANDS_MAX = 2048,
    TRIED_MAX = 40,
    TRIED_DEMANDING = 200,
    FOUND_ENOUGH = 5,
    BODIES_MAX = 256
};

// Distances leave room for odometry, which drifts by centimetres on the way.
static const double CLEAR_WISHED = 0.14; // m, between base and furniture
static const double PAIR_MARGIN = 0.008; // m, that two hands keep from other things

// What a search asks for, at first and where nothing is found with that.
typedef struct demand {
    double clear, arm; // m, that base and arms keep from furniture
    double arc_spare;  // share of a handle's way that must be left beyond the goal
    double door;       // m, that the robot keeps from a door that it moves
    double lift;       // m, by which a taken object must rise
    double pair_lift;  // the same, with two hands
    double pair_over;  // how high over a place two hands come first, m
    double hand;       // m, that the reaching arm keeps from things
    double away;       // m, that the hand goes straight to a grasp and from above a place
    int postures;      // that are tried for each way of reaching
    int at_handle;     // the same, at a handle that is followed
    double clear_view; // share of a region that is in view
    bool arms_aside;   // it is in view past the arms, too
    bool leaves;       // the hand can leave what it puts down
    double wipe_spare; // m, by which an area that is wiped could lie farther out
} demand;
static const demand DEMANDS[] = {
    {0.08, 0.07, 0.35, 0.04, 0.22, 0.14, 0.12, 0.012, 0.12, 1, 5, 0.44, true, true, 0.03},
    // Under a board there is less room to rise, and most postures have an elbow in the way.
    {0.08, 0.07, 0.35, 0.04, 0.07, 0.14, 0.06, 0.012, 0.12, 10, 11, 0.44, true, true, 0.02},
    // In a narrow room base and arms come closer, at first as close as the base can be relied on.
    {0.05, 0.04, 0.2, 0.03, 0.07, 0.14, 0.06, 0.010, 0.12, 4, 6, 0.44, true, true, 0.02},
    {0.03, 0.015, 0.1, 0.015, 0.07, 0.14, 0.06, 0.007, 0.10, 10, 21, 0.2, false, false, 0.01},
};
_Static_assert(sizeof DEMANDS / sizeof *DEMANDS == STAND_DEMANDS, "the header says how many");

typedef struct spot {
    stand s;
    double order;
} spot;

// How far a spot came: the base has room there, the arms as they are now, the hand reaches, and its
// way is free. Misses are compared at one stage: a spot that nearly has room says little where
// another has it.
typedef enum stage { STAGE_BASE, STAGE_ARMS, STAGE_REACH, STAGE_WAY, STAGE_COUNT } stage;

typedef struct search {
    mind *m;
    const stand_query *q;
    stand_answer *answer;
    held h;                  // the object that is put down, as the arm or the first of two holds it
    double opening, release; // m between the pads: on the way, and to let go
    grasp_pose grasps[GRASPS_MAX];
    place_pose places[PLACES_MAX];
    size_t way_count;
    rng_key key;
    const demand *asks;
    miss missed[STAGE_COUNT];     // in the last, least demanding search
    unsigned own[BODIES_MAX];     // by part of the robot: how often it was in the way
    unsigned blocked[BODIES_MAX]; // by believed object: the same
    double seen;                  // the share of a region that is in view from the spot tried last
    double seen_best;             // the same, from the best spot
    bool turned; // the base stands turned aside from the region, its head towards it
} search;

static bool demands_least(const search *s) {
    return s->asks == &DEMANDS[STAND_DEMANDS - 1];
}

// Where a stage of the search notes its misses: NULL while it asks for more than in the end.
static miss *missed_at(search *s, stage at) {
    return demands_least(s) ? &s->missed[at] : NULL;
}

// Whether the arms, in their present posture, keep clear of the world with the base at a pose.
static bool arms_free(search *s, arm_scene *scenes, pose base, int *owner) {
    const robot_model *r = s->m->robot;
    pose here = pose_inverse(belief_robot(s->m->belief));
    pose shift = pose_mul(base, here);
    bool is_free = true;
    stopwatch_start(s->m->checks);
    for (size_t a = 0; a < r->arm_count && is_free; a++) {
        chain c = scenes[a].chain;
        c.root = pose_mul(shift, c.root);
        double q[AXES_MAX] = {0};
        pose frames[FRAMES];
        for (size_t i = 0; i < c.count; i++)
            q[i] = belief_joints(s->m->belief)[r->arms[a].joints[i]];
        chain_forward(&c, q, frames);
        is_free = limb_free(&scenes[a].limb, &scenes[a].collisions, frames, owner);
        if (!is_free)
            limb_miss(&scenes[a].limb, &scenes[a].collisions, s->m, frames, 0,
                      missed_at(s, STAGE_ARMS));
    }
    stopwatch_stop(s->m->checks);
    return is_free;
}

// ---- Trying one spot ----------------------------------------------------------------------------
static bool posture_found(search *s, arm_scene *scene, pose tool, const double *first, int starts,
                          double q[AXES_MAX]) {
    scene->nearest = missed_at(s, STAGE_REACH);
    bool found = arm_solve(scene, tool, first, starts, q);
    scene->nearest = missed_at(s, STAGE_WAY);
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

static void count_blocker(search *s, int owner) {
    if (owner <= OWNER_PARTS && OWNER_PARTS - owner < BODIES_MAX)
        s->own[OWNER_PARTS - owner]++;
    if (owner >= 0 && owner < BODIES_MAX && belief_object(s->m->belief, (size_t)owner)->known)
        s->blocked[owner]++;
}

// How far the hand must be able to go from where it reaches, m.
static double way_length(const search *s, const arm_scene *scene, const double q[AXES_MAX]) {
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
static void handle_way(const search *s, size_t *joint, double *from, double *to) {
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
static bool way_free(search *s, arm_scene *scene, size_t k, const double q[AXES_MAX],
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
static bool reach_left(search *s, arm_scene *scene, const double q[AXES_MAX]) {
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
    scene->nearest = missed_at(s, STAGE_REACH);
    arm_note_pose(scene, stretched, farther, 0);
    return false;
}

// The posture in which the arm reaches farthest: at a grasp that is level, else above it or above
// the place.
static const double *farthest_of(const search *s, size_t k, const double q[AXES_MAX],
                                 const double end[AXES_MAX]) {
    bool level = s->q->purpose == STAND_REACH && s->grasps[k].way->kind != GRASP_TOP;
    return level ? q : end;
}

// The n'th posture that is tried for a grasp or placement. At a handle that is followed, the last
// one is where the arm is comfortable at the handle itself.
static bool posture_tried(search *s, arm_scene *scene, pose tool, int n, double q[AXES_MAX]) {
    double first[AXES_MAX] = {0};
    if (s->q->operates && (n == 0 || n + 1 < s->asks->at_handle)) {
        size_t joint;
        double from, to;
        handle_way(s, &joint, &from, &to);
        scene->nearest = missed_at(s, STAGE_REACH);
        bool found = arm_handle_posture(scene, tool, joint, from, to, true, n, q);
        scene->nearest = missed_at(s, STAGE_WAY);
        return found;
    }
    bool rests = n == 0 || s->q->operates;
    if (!rests)
        ik_start(&scene->chain, s->key, n, first);
    return posture_found(s, scene, tool, rests ? NULL : first, rests ? 2 : 1, q);
}

// Whether one posture of those that are tried for a grasp or placement is free, and how it is left.
static bool way_stands(search *s, arm_scene *scene, size_t k, double q[AXES_MAX],
                       double end[AXES_MAX]) {
    pose tool = s->q->purpose == STAND_REACH ? s->grasps[k].tool : s->places[k].tool;
    int postures = s->q->operates ? s->asks->at_handle : s->asks->postures;
    for (int n = 0; n < postures; n++) {
        if (!posture_tried(s, scene, tool, n, q)) {
            s->answer->unreached++;
        } else if (!way_free(s, scene, k, q, end)) {
            s->answer->collided++;
            count_blocker(s, scene->blocker);
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
static bool try_ways(search *s, arm_scene *scene, double *cost) {
    *cost = INFINITY;
    size_t good = 0;
    for (size_t k = 0; k < s->way_count && good < 2; k++) {
        bool reach = s->q->purpose == STAND_REACH;
        if (reach ? grasp_from_behind(&s->grasps[k], scene->links[0].p)
                  : s->places[k].falls && !demands_least(s))
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
static bool pair_arm_takes(search *s, pose base, size_t arm, const grasp_pose *g, double *cost) {
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
            count_blocker(s, scene.blocker);
        }
        array_finish(&knots);
    }
    arm_scene_finish(&scene);
    return there;
}

static bool pair_takes(search *s, pose base, double *cost) {
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
static bool pair_places(search *s, pose base, double *cost) {
    arm_pair p;
    pair_init(&p, s->m, base, NULL, PAIR_MARGIN, "stand", missed_at(s, STAGE_WAY));
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
            count_blocker(s, p.blocker);
        }
    }
    pair_finish(&p);
    return found;
}

static bool try_pair(search *s, const stand *at, double *cost) {
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
static bool try_wipe(search *s, const stand *at, double *cost) {
    arm_scene scene;
    arm_scene_init_at(&scene, s->m, s->q->arm, pose_planar(at->x, at->y, at->yaw), s->q->joints,
                      &s->h, hand_opening(s->m, s->q->arm), s->h.name, 0.022, "stand");
    scene.nearest = missed_at(s, STAGE_WAY);
    double q[AXES_MAX] = {0};
    wipe_rows farther = rows_farther(s->q->rows, scene.links[0].p, s->asks->wipe_spare);
    bool found = arm_wipes(&scene, NULL, &farther, q) && arm_wipes(&scene, NULL, s->q->rows, q);
    *cost = found ? joint_strain(&scene.chain, q) : 0;
    if (!found) {
        s->answer->collided++;
        count_blocker(s, scene.blocker);
    }
    arm_scene_finish(&scene);
    return found;
}

static bool try_pour(search *s, const stand *at, double *cost) {
    arm_scene scene;
    arm_scene_init_at(&scene, s->m, s->q->arm, pose_planar(at->x, at->y, at->yaw), s->q->joints,
                      &s->h, s->opening, s->h.name, 0.006, "stand");
    scene.nearest = missed_at(s, STAGE_WAY);
    double q[AXES_MAX] = {0};
    bool found = arm_pours(&scene, &s->h, s->q->object, q);
    *cost = found ? joint_strain(&scene.chain, q) : 0;
    if (!found) {
        s->answer->collided++;
        count_blocker(s, scene.blocker);
    }
    arm_scene_finish(&scene);
    return found;
}

static bool try_manipulation(search *s, const stand *at, double *cost) {
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

// ---- Views --------------------------------------------------------------------------------------
// Points of a region, in rows of three, that should be in the picture and not hidden: how far out
// they lie, as a share of its half extents, and how high above its ground, m.
enum { VIEW_POINTS = 9 };
static const double VIEW_SPREAD = 0.7, VIEW_HEIGHT = 0.03;
// What lies farther from the picture's middle may be out of it, as a share of the way to the edge.
static const double VIEW_EDGE = 0.93;
// The share of a region that should be seen past furniture and the robot's own arms, or the base is
// turned aside.
static const double SEEN_WELL = 0.95;

// How far from the picture's middle something is, 1 at the edge; its position is given along the
// camera's directions forward, left and up.
static double off_middle(const robot_camera *c, vec3 to) {
    return fmax(fabs(atan2(to.y, to.x)) / (c->fov_x / 2), fabs(atan2(to.z, to.x)) / (c->fov_y / 2));
}

// Whether nothing known hides a point from the eye. Furniture close by is what a thing there stands
// on or at.
static bool point_clear(search *s, vec3 eye, vec3 point, int *hidden_by) {
    const double close_by = 0.02; // m
    const mind *m = s->m;
    vec3 way = v3_unit(v3_sub(point, eye));
    double far = v3_distance(point, eye);
    for (size_t i = 0; i < belief_object_count(m->belief); i++) {
        const believed_object *o = belief_object(m->belief, i);
        for (size_t k = 0; o->known && o->kind && k < o->kind->shape_count; k++) {
            const shape *p = &o->kind->shapes[k];
            if (shape_ray(p, pose_mul(o->at, p->at), eye, way) < far - close_by) {
                count_blocker(s, (int)i);
                *hidden_by = (int)i;
                return false;
            }
        }
    }
    return true;
}

// Notes how much of a region is in view past what hides the rest (OWNER_NONE: the picture's edge).
static void note_view(search *s, double clear, int hidden_by) {
    miss *view = missed_at(s, STAGE_WAY);
    if (!miss_keep(view, MISS_VIEW, s->asks->clear_view - clear))
        return;
    view->value = clear;
    view->allowed = s->asks->clear_view;
    owner_describe(s->m, hidden_by, view->other, sizeof view->other);
}

// Notes that part of a region is too far from the camera, or too near to it.
static void note_far(search *s, double far) {
    const robot_camera *c = &s->m->robot->camera;
    double allowed = far > c->far ? c->far : c->near;
    miss *reach = missed_at(s, STAGE_REACH);
    if (!miss_keep(reach, MISS_FAR, fabs(far - allowed)))
        return;
    reach->value = far;
    reach->allowed = allowed;
}

// How much of a region the robot's arms, with what they hold, hide from the eye: the share of
// points in rows of ARM_ROW, the robot being moved by `shift` with its arms as they are now. An arm
// is near the eye and narrow, so that the points lie closer together than those which furniture may
// hide.
static double hidden_by_arms(const search *s, const arm_scene *scenes, pose shift, vec3 eye,
                             pose ground, vec3 half) {
    enum { ARM_ROW = 6, ARM_POINTS = ARM_ROW * ARM_ROW };
    const double spread = 0.85;
    const mind *m = s->m;
    vec3 way[ARM_POINTS];
    double far[ARM_POINTS];
    bool hidden[ARM_POINTS] = {0};
    for (int k = 0; k < ARM_POINTS; k++) {
        double u = 2.0 * (k % ARM_ROW) / (ARM_ROW - 1) - 1,
               v = 2.0 * (k / ARM_ROW) / (ARM_ROW - 1) - 1; // NOLINT(bugprone-integer-division)
        vec3 to = v3_sub(pose_apply(ground, v3(spread * u * half.x, spread * v * half.y, 0)), eye);
        far[k] = v3_length(to);
        way[k] = v3_unit(to);
    }
    for (size_t a = 0; a < m->robot->arm_count; a++) {
        chain c = scenes[a].chain;
        c.root = pose_mul(shift, c.root);
        double q[AXES_MAX] = {0};
        pose frames[FRAMES];
        for (size_t i = 0; i < c.count; i++)
            q[i] = belief_joints(m->belief)[m->robot->arms[a].joints[i]];
        chain_forward(&c, q, frames);
        for (size_t n = 0; n < scenes[a].limb.parts.count; n++) {
            const limb_part *part = &scenes[a].limb.parts.items[n];
            pose at = pose_mul(frames[part->frame], part->at);
            vec3 to = v3_sub(at.p, eye);
            for (int k = 0; k < ARM_POINTS; k++) {
                vec3 aside = v3_sub(to, v3_scale(way[k], v3_dot(to, way[k])));
                if (!hidden[k] && v3_length(aside) <= part->radius)
                    hidden[k] = shape_ray(part->s, at, eye, way[k]) < far[k];
            }
        }
    }
    int count = 0;
    for (int k = 0; k < ARM_POINTS; k++)
        count += hidden[k];
    return (double)count / ARM_POINTS;
}

// Where the camera is once the head has turned towards a point, the robot being moved by `shift`
// from where it is believed to be: the camera may stand well off the axis of the head's pan.
static vec3 eye_turned(const mind *m, pose shift, vec3 target) {
    const robot_camera *c = &m->robot->camera;
    pose eye = pose_mul(shift, pose_mul(belief_links(m->belief)[c->link], c->at));
    if (m->robot->pan < 0)
        return eye.p;
    const robot_joint *pan = &m->robot->joints[m->robot->pan];
    vec3 axis = pose_mul(shift, belief_links(m->belief)[pan->child]).p,
         ahead = quat_rotate(eye.q, v3(1, 0, 0));
    double now = belief_joints(m->belief)[m->robot->pan],
           by = angle_wrap(atan2(target.y - axis.y, target.x - axis.x) - atan2(ahead.y, ahead.x));
    by = fmax(pan->lower, fmin(pan->upper, now + by)) - now;
    quat turn = quat_axis_angle(v3(0, 0, 1), by);
    return v3_add(axis, quat_rotate(turn, v3_sub(eye.p, axis)));
}

// Whether the camera can be turned from a spot so that all corners lie in its picture and enough of
// the region is not hidden behind furniture or the robot's own arms.
static bool try_view(search *s, const arm_scene *scenes, const stand *at, double *cost) {
    const mind *m = s->m;
    const robot_camera *c = &m->robot->camera;
    pose shift =
        pose_mul(pose_planar(at->x, at->y, at->yaw), pose_inverse(belief_robot(m->belief)));
    vec3 low = s->q->low, high = s->q->high, middle = v3_scale(v3_add(low, high), 0.5);
    vec3 eye = eye_turned(m, shift, middle);
    vec3 forward = v3_unit(v3_sub(middle, eye)), left = v3_unit(v3_cross(v3(0, 0, 1), forward)),
         up = v3_cross(forward, left);
    pose frame = pose_planar(middle.x, middle.y, s->q->yaw);
    vec3 half = v3_scale(v3_sub(high, low), 0.5);
    double worst = 0;
    for (int k = 0; k < 8; k++) {
        vec3 corner = pose_apply(frame, v3(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y,
                                           middle.z + (k & 4 ? half.z : -half.z)));
        vec3 to = v3_sub(corner, eye);
        to = v3(v3_dot(to, forward), v3_dot(to, left), v3_dot(to, up));
        if (to.x < c->near || to.x > c->far) {
            note_far(s, to.x);
            return false;
        }
        worst = fmax(worst, off_middle(c, to));
    }
    double distance = v3_distance(middle, eye), clear = 0;
    int hidden_by = OWNER_NONE;
    for (int k = 0; k < VIEW_POINTS; k++) {
        vec3 point = pose_apply(frame, v3((k % 3 - 1) * VIEW_SPREAD * half.x,
                                          (k / 3 - 1) * VIEW_SPREAD * half.y, low.z + VIEW_HEIGHT));
        vec3 to = v3_sub(point, eye);
        to = v3(v3_dot(to, forward), v3_dot(to, left), v3_dot(to, up));
        if (off_middle(c, to) >= VIEW_EDGE || !point_clear(s, eye, point, &hidden_by))
            continue;
        clear += 1.0 / VIEW_POINTS;
    }
    frame.p.z = low.z + VIEW_HEIGHT;
    double seen = clear * (1 - hidden_by_arms(s, scenes, shift, eye, frame, half));
    // An arm that is always before the camera is no reason not to look at all.
    if ((s->asks->arms_aside ? seen : clear) < s->asks->clear_view) {
        note_view(s, clear, hidden_by);
        return false;
    }
    // A spot costs more where part of the region is hidden or out of the picture's middle, and the
    // farther it is, since a near view is more exact.
    s->seen = seen;
    *cost = (worst > VIEW_EDGE ? 3 + worst : 0) + 0.15 * distance + 5 * (1 - seen);
    return true;
}

// ---- Spots to try -------------------------------------------------------------------------------
static int spot_order(const void *a, const void *b) {
    const spot *x = a, *y = b;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    // The order is total, since qsort is not stable.
    if (x->s.x != y->s.x)
        return x->s.x < y->s.x ? -1 : 1;
    return x->s.y != y->s.y ? (x->s.y < y->s.y ? -1 : 1)
                            : (x->s.yaw < y->s.yaw ? -1 : x->s.yaw > y->s.yaw);
}

static bool on_side(const stand_query *q, vec3 target, double x, double y) {
    double angle = atan2(y - target.y, x - target.x);
    return q->side_half <= 0 || fabs(angle_wrap(angle - q->side)) <= q->side_half + 1e-9;
}

// The yaw from which the target can be seen without moving: the present one, or towards the target
// where the head cannot turn that far.
static double yaw_to_see(pose here, vec3 target) {
    const double pan_most = 1.2; // rad
    double yaw = quat_yaw(here.q), toward = atan2(target.y - here.p.y, target.x - here.p.x);
    return fabs(angle_wrap(toward - yaw)) < pan_most ? yaw : toward;
}

// The yaw nearest to a given one with which what two hands take or put down lies square before the
// body.
static double square_yaw(const stand_query *q, double yaw) {
    double turned = quat_yaw(q->purpose == STAND_REACH ? q->object->at.q : q->place->at.q);
    return angle_wrap(turned + round(angle_wrap(yaw - turned) / (PI / 2)) * (PI / 2));
}

static size_t make_spots(search *s, vec3 target, double least, spot *out) {
    static const double reach_radii[] = {0.50, 0.58, 0.66, 0.74, 0.82};
    static const double view_radii[] = {0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.1};
    bool view = s->q->purpose == STAND_VIEW;
    const double *radii = view ? view_radii : reach_radii;
    size_t radius_count = view ? 7 : 5, count = 0;
    pose here = belief_robot(s->m->belief);
    double yaw_now = quat_yaw(here.q), radius = s->m->robot->base_radius;
    if (s->m->robot->base_drive == BASE_FIXED) { // whatever it stands on
        out[0] = (spot){{here.p.x, here.p.y, yaw_now, 0}, 0};
        return 1;
    }
    const double aside = 0.8; // rad, by which a turned base stands
    // The spot where the robot stands already needs no driving.
    if (!s->turned && on_side(s->q, target, here.p.x, here.p.y) &&
        base_clearance(s->m, here.p.x, here.p.y, NULL) >= s->m->robot->base_radius)
        out[count++] =
            (spot){{here.p.x, here.p.y, view ? yaw_to_see(here, target) : yaw_now, 0}, -0.1};
    // The base is turned so that the arm's shoulder, rather than its own middle, is before the
    // target, wholly or in part.
    double side = 0;
    if (!view && !s->q->both) {
        pose root = pose_mul(
            pose_inverse(here),
            belief_links(
                s->m->belief)[s->m->robot->joints[s->m->robot->arms[s->q->arm].joints[0]].child]);
        side = root.p.y;
    }
    for (size_t r = 0; r < radius_count; r++)
        for (int k = 0; k < 48; k++) {
            double angle = 2 * PI * k / 48;
            double x = target.x + radii[r] * cos(angle), y = target.y + radii[r] * sin(angle);
            int owner = OWNER_NONE;
            double clear = base_clearance(s->m, x, y, &owner);
            if (!on_side(s->q, target, x, y))
                continue;
            if (clear < radius + least) {
                base_miss(s->m, clear, radius + least, owner, 0, missed_at(s, STAGE_BASE));
                continue;
            }
            for (int n = 0; n < (s->turned || s->q->both ? 2 : view ? 1 : 3); n++) {
                double yaw = angle_wrap(
                    angle + PI - (n == 0 ? 0 : (n == 1 ? 0.7 : 1.0) * asin(side / radii[r])));
                if (s->turned)
                    yaw = angle_wrap(angle + PI + (n == 0 ? aside : -aside));
                if (n > 0 && s->q->both)
                    yaw = square_yaw(s->q, yaw);
                double travel =
                    hypot(x - here.p.x, y - here.p.y) + 0.2 * fabs(angle_wrap(yaw - yaw_now));
                double order = 0.25 * travel + 2 * fmax(0, radius + CLEAR_WISHED - clear);
                if (view) {
                    // Spots square on to the region are preferred: a shelf is looked at from the
                    // front.
                    double off = angle_wrap(angle - s->q->yaw);
                    double square = fabs(off - round(off / (PI / 2)) * (PI / 2));
                    order += 0.8 * square;
                } else {
                    order += 0.4 * fabs(radii[r] - 0.64);
                }
                if (count < STANDS_MAX)
                    out[count++] = (spot){{x, y, yaw, 0}, order};
            }
        }
    qsort(out, count, sizeof *out, spot_order);
    return count;
}

static void name_blocker(search *s) {
    size_t worst = SIZE_MAX;
    for (size_t i = 0; i < BODIES_MAX; i++)
        if (s->blocked[i] > 0 && (worst == SIZE_MAX || s->blocked[i] > s->blocked[worst]))
            worst = i;
    if (worst != SIZE_MAX)
        snprintf(s->answer->blocker, sizeof s->answer->blocker, "%s",
                 belief_object(s->m->belief, worst)->name);
    // The robot's own part, where it was in the way more often than any body.
    int own = -1;
    unsigned most = worst != SIZE_MAX ? s->blocked[worst] : 0;
    for (int i = 0; i < BODIES_MAX; i++)
        if (s->own[i] > most) {
            most = s->own[i];
            own = i;
        }
    if (own >= 0)
        owner_describe(s->m, OWNER_PARTS - own, s->answer->blocker, sizeof s->answer->blocker);
}

static void keep_stand(stand_answer *answer, stand at) {
    if (answer->found && at.cost >= answer->best.cost) {
        if (answer->other_count < 5)
            answer->others[answer->other_count++] = at;
        return;
    }
    if (answer->found && answer->other_count < 5)
        answer->others[answer->other_count++] = answer->best;
    answer->best = at;
    answer->found = true;
}

// The middle between where the handle is and where it will be.
static vec3 handle_middle(const search *s) {
    const mind *m = s->m;
    size_t joint = (size_t)world_joint_of(m->known, (size_t)s->q->object->body);
    double from = belief_world_joint(m->belief, joint, NULL);
    pose tool = s->grasps[0].tool, end = door_tool(m, joint, from, s->q->to, 1, tool);
    return v3_scale(v3_add(tool.p, end.p), 0.5);
}

static bool prepare_search(search *s, vec3 *target) {
    const stand_query *q = s->q;
    if (q->purpose == STAND_REACH) {
        s->way_count =
            q->both ? grasp_of_pair(s->m, q->object, belief_robot(s->m->belief), 0, s->grasps)
                    : grasp_candidates(s->m, q->object, q->arm, q->kinds, s->grasps);
        for (size_t k = 0; k < s->way_count; k++)
            s->opening = fmax(s->opening, s->grasps[k].opening);
        *target = q->object->at.p;
        if (q->operates && s->way_count > 0)
            *target = handle_middle(s);
        return s->way_count > 0;
    }
    if (q->purpose == STAND_WIPE) {
        s->h = held_by(s->m, q->arm);
        *target = q->rows->middle.p;
        return true;
    }
    if (q->purpose == STAND_POUR) {
        s->h = held_by(s->m, q->arm);
        s->opening = hand_opening(s->m, q->arm);
        *target = q->object->at.p;
        return s->h.kind != NULL;
    }
    if (q->purpose == STAND_PLACE) {
        s->h = q->taken ? *q->taken : held_by(s->m, q->arm);
        if (!s->h.kind || (q->both && held_by(s->m, 1).kind != s->h.kind))
            return false;
        s->opening = hand_opening(s->m, q->arm);
        s->release = grasp_release(s->m, q->arm, &s->h);
        s->way_count = place_candidates(s->m, q->place, &s->h, s->places, 24, &s->answer->nearest);
        *target = q->place->at.p;
        const char *blocker =
            place_blocker(s->m, q->place, &s->h, s->way_count ? s->places[0].object : q->place->at,
                          &s->answer->nearest);
        if (blocker) {
            snprintf(s->answer->blocker, sizeof s->answer->blocker, "%s", blocker);
            return false;
        }
        return s->way_count > 0;
    }
    *target = v3_scale(v3_add(q->low, q->high), 0.5);
    return true;
}

static void search_spots(search *s, vec3 target, const demand *asks, spot *spots,
                         arm_scene *scenes) {
    const mind *m = s->m;
    stand_answer *out = s->answer;
    s->asks = asks;
    for (size_t a = 0; a < m->robot->arm_count; a++) {
        held h = held_by(m, a);
        arm_scene_init_at(&scenes[a], m, a, belief_robot(m->belief), s->q->joints, &h,
                          hand_opening(m, a), h.name, 0.01, "stand");
        // The scenes serve for all spots, so the world is gathered in a wide circle, without the
        // robot's body.
        collision_scene_gather(&scenes[a].collisions, m, scenes[a].links, -1, target, 2.5,
                               asks->arm, asks->arm, h.name);
    }
    size_t count = make_spots(s, target, asks->clear, spots), found = 0, tried = 0;
    bool demanding = s->q->operates || s->q->purpose == STAND_WIPE || s->q->purpose == STAND_POUR;
    size_t most = demanding ? TRIED_DEMANDING : TRIED_MAX;
    for (size_t k = 0; k < count && tried < most && found < (s->q->first ? 1 : FOUND_ENOUGH); k++) {
        stand at = spots[k].s;
        int owner = OWNER_NONE;
        tried++;
        if (!arms_free(s, scenes, pose_planar(at.x, at.y, at.yaw), &owner)) {
            out->collided++;
            count_blocker(s, owner);
            continue;
        }
        double cost = 0;
        bool fits = s->q->purpose == STAND_VIEW ? try_view(s, scenes, &at, &cost)
                                                : try_manipulation(s, &at, &cost);
        if (!fits)
            continue;
        found += !s->turned || cost < 1; // a turned base shall see it well
        at.cost = spots[k].order + cost;
        if (!out->found || at.cost < out->best.cost)
            s->seen_best = s->seen;
        keep_stand(out, at);
    }
    out->tried += tried;
    for (size_t a = 0; a < m->robot->arm_count; a++)
        arm_scene_finish(&scenes[a]);
}

// Whether a search for more postures, or with less reach to spare, is another search: pouring and
// looking choose their postures on their own.
static bool query_has_postures(const stand_query *q) {
    return q->purpose != STAND_POUR && q->purpose != STAND_VIEW;
}

void stand_search(mind *m, const stand_query *query, stand_answer *out) {
    *out = (stand_answer){0};
    search s = {.m = m, .q = query, .answer = out};
    s.key = rng_key_make(m->seed, "stand", m->robot->name);
    vec3 target;
    if (!prepare_search(&s, &target))
        return;
    spot *spots = mem_must(STANDS_MAX, sizeof *spots);
    arm_scene *scenes = mem_must(m->robot->arm_count + 1, sizeof *scenes);
    for (size_t n = 0; n < STAND_DEMANDS && !out->found; n++)
        if (query->demand ? n == query->demand - 1 : n != 1 || query_has_postures(query))
            search_spots(&s, target, &DEMANDS[n], spots, scenes);
    // An arm that hides what is before the body hides less of what the head sees to its side.
    if (out->found && query->purpose == STAND_VIEW && s.seen_best < SEEN_WELL &&
        m->robot->pan >= 0 && m->robot->base_drive != BASE_FIXED) {
        s.turned = true;
        search_spots(&s, target, s.asks, spots, scenes);
    }
    free(scenes);
    free(spots);
    if (out->found)
        return;
    name_blocker(&s);
    for (size_t k = 0; k < STAGE_COUNT; k++)
        if (s.missed[k].kind != MISS_NONE)
            out->nearest = s.missed[k];
}
