// projector/robot/actions/handing.c - handing over: the place where a hand holds an object out so
// that the other hand can take it. For each place before the body, and each turn about the
// vertical, inverse kinematics finds the holding arm's posture, and then, with that arm there, a
// way for the other arm to one of the object's grasps. Which grasps the first hand and its arm
// leave free is decided by collision checks alone.
#include "projector/robot/actions/arm_motion.h"

#include <math.h>

enum { TURNS = 12, OFFERS = 5 };
static const double APPROACH = 0.10; // m, approach of the hand that takes the object
static const double AWAY = 0.12;     // m, retreat of the hand that gives it
static const double RELEASE = 0.03;  // m, by which the giving hand opens
// Distance between the two arms, m: when a place is chosen, and when they are there. The second is
// smaller, so that small errors change nothing.
static const double APART = 0.010, APART_LEAST = 0.004;

typedef struct offer {
    arm_motion *a;
    const believed_object *o;
    size_t arm, other;
    double *joints; // of the whole robot
    rng_key key;
} offer;

static void keep_apart(arm_scene *s, double margin) {
    for (size_t k = 0; k < s->collisions.items.count; k++)
        if (s->collisions.items.items[k].owner == OWNER_ARM)
            s->collisions.items.items[k].margin = margin;
}

static void put_joints(offer *f, size_t arm, const double q[AXES_MAX]) {
    const robot_arm *r = &f->a->act->m->robot->arms[arm];
    for (size_t i = 0; i < r->joint_count; i++)
        f->joints[r->joints[i]] = q[i];
}

// Moves another hand's pads in the scene to where they are at an opening.
static void hand_opens_to(arm_scene *s, size_t arm, double opening) {
    const robot_gripper *g = &s->m->robot->arms[arm].gripper;
    const shape *pad = &s->collisions.made[2 * (arm < s->arm ? arm : arm - 1) + 1];
    pose tool = robot_tool(s->m->robot, arm, s->links);
    double aside = -(opening / 2 + g->pad_size.y / 2);
    for (size_t k = 0; k < s->collisions.items.count; k++)
        if (s->collisions.items.items[k].s == pad) {
            obstacle_move(&s->collisions.items.items[k],
                          pose_mul(tool, (pose){v3(0, aside, 0), {1, 0, 0, 0}}));
            aside = -aside;
        }
}

// Whether the fingers can close about the object with the arm at q: a pad that is free when the
// hand is open may meet the other hand while it closes.
static bool fingers_close(arm_scene *s, const double q[AXES_MAX], const grasp_pose *g) {
    enum { STEPS = 4 };
    limb open = s->limb; // restored below: its parts point into s->limb
    s->limb = (limb){0};
    bool is_free = true;
    for (int n = 0; n <= STEPS && is_free; n++) {
        limb_init(&s->limb, s->m, s->arm, g->opening + (g->way->width - g->opening) * n / STEPS,
                  NULL);
        is_free = arm_stands(s, q, 0);
    }
    limb_finish(&s->limb);
    s->limb = open;
    return is_free;
}

// Whether the arm at q can open its fingers and come straight back once the other hand holds the
// object at `width`, all joints being at `joints`.
static bool comes_away(const mind *m, size_t arm, const double *joints, const double q[AXES_MAX],
                       const char *object, size_t other, double width, double apart) {
    arm_scene s;
    arm_scene_init_at(&s, m, arm, belief_robot(m->belief), joints, NULL,
                      hand_opening(m, arm) + RELEASE, object, ARM_TOUCH_MARGIN, "offer");
    keep_apart(&s, apart);
    hand_opens_to(&s, other, width);
    pose frames[FRAMES];
    chain_forward(&s.chain, q, frames);
    knot_array knots = {0};
    bool away = arm_free(&s, q) && arm_track(&s, q, grasp_before(frames[TOOL], AWAY), &knots);
    array_finish(&knots);
    arm_scene_finish(&s);
    return away;
}

bool handing_leaves_free(const arm_motion *a, const believed_object *o, const double q[AXES_MAX],
                         const grasp_pose *g) {
    const mind *m = a->act->m;
    const robot_arm *taker = &m->robot->arms[a->act->arm];
    double *joints = mem_must(m->robot->joint_count + 1, sizeof *joints), giver[AXES_MAX];
    memcpy(joints, belief_joints(m->belief), m->robot->joint_count * sizeof *joints);
    for (size_t i = 0; i < taker->joint_count; i++)
        joints[taker->joints[i]] = q[i];
    joints_planned(m, (size_t)o->hand, giver);
    arm_scene s;
    arm_scene_init_at(&s, m, a->act->arm, belief_robot(m->belief), NULL, NULL, g->opening, o->name,
                      ARM_TOUCH_MARGIN, "offer");
    keep_apart(&s, APART_LEAST);
    bool away = fingers_close(&s, q, g) && comes_away(m, (size_t)o->hand, joints, giver, o->name,
                                                      a->act->arm, g->way->width, APART_LEAST);
    arm_scene_finish(&s);
    free(joints);
    return away;
}

// Whether the other arm can take the object at a pose while the first arm is at q; *cost: of the
// cheaper of two such postures.
static bool other_takes(offer *f, const double q[AXES_MAX], pose object, double *cost) {
    const mind *m = f->a->act->m;
    believed_object there = *f->o;
    there.at = object;
    grasp_pose grasps[GRASPS_MAX];
    size_t count = grasp_candidates(m, &there, f->other, f->a->kinds, grasps), found = 0;
    double now[AXES_MAX];
    joints_planned(m, f->other, now);
    put_joints(f, f->arm, q);
    arm_scene s;
    arm_scene_init_at(&s, m, f->other, belief_robot(m->belief), f->joints, NULL, 0, f->o->name,
                      0.006, "offer");
    s.key = f->key;
    s.nearest = &f->a->nearest;
    keep_apart(&s, APART);
    knot_array knots = {0};
    *cost = INFINITY;
    for (size_t k = 0; k < count && found < 2; k++) {
        double x[AXES_MAX] = {0};
        limb_init(&s.limb, m, f->other, grasps[k].opening, NULL);
        if (grasp_from_behind(&grasps[k], belief_robot(m->belief).p) ||
            !arm_solve(&s, grasps[k].tool, now, 2, x))
            continue;
        bool fits = fingers_close(&s, x, &grasps[k]) &&
                    arm_track(&s, x, grasp_before(grasps[k].tool, APPROACH), &knots);
        arm_motion_note(f->a, &s);
        if (!fits)
            continue;
        put_joints(f, f->other, x);
        if (comes_away(m, f->arm, f->joints, q, f->o->name, f->other, grasps[k].way->width,
                       APART)) {
            *cost = fmin(*cost, arm_posture_cost(&s.chain, now, x));
            found++;
        }
        put_joints(f, f->other, now);
    }
    array_finish(&knots);
    arm_scene_finish(&s);
    return found > 0;
}

// The tool's pose that brings the object before the base at (x, y), the tool at height z.
static pose tool_for(const offer *f, pose base, pose tool, double x, double y, double z,
                     double turn) {
    pose to = {v3(0, 0, 0), quat_unit(quat_mul(quat_axis_angle(v3(0, 0, 1), turn), tool.q))};
    pose object = pose_mul(to, f->a->h.in_hand);
    vec3 at = pose_apply(base, v3(x, y, 0));
    to.p = v3(at.x - object.p.x, at.y - object.p.y, z);
    return to;
}

static size_t find_offers(offer *f, way *ways) {
    static const double ahead[] = {0.52, 0.58, 0.46, 0.64}, side[] = {0, 0.08, -0.08},
                        height[] = {1.02, 1.10, 0.94};
    arm_motion *a = f->a;
    mind *m = a->act->m;
    pose base = belief_robot(m->belief);
    arm_scene s;
    arm_motion_scene(a, &s, a->h.name, 0.01);
    s.nearest = &a->nearest;
    f->key = s.key;
    pose frames[FRAMES];
    chain_forward(&s.chain, a->q0, frames);
    pose tool = frames[TOOL];
    size_t found = 0;
    for (int z = 0; z < 3; z++)
        for (int x = 0; x < 4; x++)
            for (int y = 0; y < 3; y++)
                for (int k = 0; k < TURNS && found < OFFERS; k++) {
                    pose to =
                        tool_for(f, base, tool, ahead[x], side[y], height[z], 2 * PI * k / TURNS);
                    double q[AXES_MAX] = {0}, theirs;
                    if (!arm_solve(&s, to, a->q0, 2, q) || !arm_stands(&s, q, 0) ||
                        !other_takes(f, q, pose_mul(to, a->h.in_hand), &theirs))
                        continue;
                    ways[found] = (way){.cost = arm_posture_cost(&s.chain, a->q0, q) + theirs};
                    memcpy(ways[found++].q, q, sizeof q);
                }
    arm_scene_finish(&s);
    return found;
}

status handing_plan_offer(arm_motion *a, const believed_object *o) {
    mind *m = a->act->m;
    if (!a->h.name || strcmp(a->h.name, o->name) != 0)
        return arm_motion_refuse(a, "the hand does not hold the object that it is to hand over");
    offer f = {.a = a, .o = o, .arm = a->act->arm};
    f.other = m->robot->arm_count;
    for (size_t k = 0; k < m->robot->arm_count; k++)
        if (k != f.arm && !belief_held(m->belief, k, NULL))
            f.other = k;
    if (f.other == m->robot->arm_count)
        return arm_motion_refuse(a, "no other arm is free to take it");
    f.joints = mem_must(m->robot->joint_count + 1, sizeof *f.joints);
    memcpy(f.joints, belief_joints(m->belief), m->robot->joint_count * sizeof *f.joints);
    way ways[OFFERS];
    size_t found = find_offers(&f, ways);
    free(f.joints);
    if (found == 0)
        return arm_motion_refuse(a, "no place before the body where the other arm could take it");
    return arm_motion_best(a, ways, found)
               ? OK
               : arm_motion_refuse(a, "no free path to before the body");
}
