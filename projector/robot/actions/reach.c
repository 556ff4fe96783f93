// projector/robot/actions/reach.c - reach: the hand goes to where it can close about a thing, while
// the thing, the base or both move.
//
// The hand moves on springs, so that it yields where it touches. Their target keeps to a grasp of
// the thing, wherever that is believed to be in each cycle: first behind it along the approach, and
// on to it once the hand is in line. Nothing is planned: the hand stands before the thing already,
// with room between.
#include "projector/robot/actions/action_int.h"
#include "projector/robot/grasping/grasp.h"

#include <math.h>

static const double PULL = 900, TURN = 60; // N/m, N m/rad of the springs
static const double TURNING = 1.0;         // rad/s of their target
static const double BEHIND = 0.12;         // m along the approach, until the hand is in line
static const double IN_LINE = 0.02;        // m aside
static const double THERE = 0.02;          // m along the approach and aside
static const int THERE_CYCLES = 5;         // in a row
static const double NEAR = 0.35; // m about where the hand began, within which it follows the thing

// The grasp to which the hand has the least way and turn to go.
static bool choose_grasp(action *act, const believed_object *o, unsigned kinds, double height) {
    contact *c = &act->touch;
    grasp_pose all[GRASPS_MAX];
    size_t count = grasp_candidates(act->m, o, act->arm, kinds, all);
    pose now = belief_tool(act->m->belief, act->arm);
    double least = INFINITY;
    for (size_t k = 0; k < count; k++) {
        pose tool = all[k].tool;
        if (height > 0)
            tool.p.z = height;
        double cost = v3_distance(now.p, tool.p) + 0.3 * quat_angle(now.q, tool.q);
        if (cost >= least)
            continue;
        least = cost;
        c->grasp = pose_mul(pose_inverse(o->at), tool);
    }
    return count > 0;
}

status reach_begin(action *act, const action_argument *args, size_t count, nanos t) {
    mind *m = act->m;
    contact *c = &act->touch;
    const term *to = action_argument_find(args, count, "to"),
               *kind = action_argument_find(args, count, "grasp");
    const believed_object *o = term_is(to, "grasp", 1) && to->args[0]->kind == TERM_SYMBOL
                                   ? belief_find(m->belief, to->args[0]->text)
                                   : NULL;
    unsigned kinds;
    if (!o)
        return action_refuse_target(act, to);
    if (!grasp_kinds(kind, &kinds))
        return action_refuse_grasp(act, kind);
    snprintf(act->object, sizeof act->object, "%s", o->name);
    if (!o->confirmed)
        return action_refuse(act, "perception_object_not_found", NULL,
                             "%s was not seen where it was believed to be", o->name);
    c->height = action_argument_number(args, count, "height", 0);
    char why[160];
    if (!choose_grasp(act, o, kinds, c->height)) {
        grasp_none(m, o, act->arm, kinds, why, sizeof why);
        return action_refuse(act, "manipulation_pose_unreachable", NULL, "%s", why);
    }
    contact_start(act);
    c->speed = action_argument_number(args, count, "speed", 0.25);
    act->opening = action_argument_number(args, count, "seconds", 20);
    c->depth = BEHIND;
    c->springs.stiffness = v3(PULL, PULL, PULL);
    c->springs.rotation = v3(TURN, TURN, TURN);
    c->ahead = c->start;
    c->progressed = t;
    return OK;
}

static status fail_reach(action *act, action_state *state, action_failure *failure, error *err) {
    *state = ACTION_FAILED;
    failure->class = "manipulation_goal_not_reached";
    return contact_hold(act, err);
}

// Moves the springs' target towards a pose, in the base's frame, no faster than it may go.
static void draw_nearer(action *act, pose goal) {
    contact *c = &act->touch;
    double step = c->speed * seconds(act->m->cycle), turns = TURNING * seconds(act->m->cycle);
    double way = v3_distance(goal.p, c->ahead.p), turn = quat_angle(goal.q, c->ahead.q);
    c->ahead.p =
        way > step ? v3_add(c->ahead.p, v3_scale(v3_sub(goal.p, c->ahead.p), step / way)) : goal.p;
    c->ahead.q = turn > turns ? quat_slerp(c->ahead.q, goal.q, turns / turn) : goal.q;
}

status reach_step(action *act, nanos t, action_state *state, action_failure *failure, error *err) {
    mind *m = act->m;
    contact *c = &act->touch;
    const believed_object *o = belief_find(m->belief, act->object);
    pose base = belief_robot(m->belief), now = belief_tool(m->belief, act->arm);
    pose goal = pose_mul(o->at, c->grasp);
    if (c->height > 0)
        goal.p.z = c->height;
    // Where the hand is, seen from its goal: z along the approach, x and y aside.
    vec3 off = pose_apply(pose_inverse(goal), now.p);
    double aside = hypot(off.x, off.y);
    if (!o->confirmed || seconds(t - act->begun) >= act->opening) {
        if (!o->confirmed)
            snprintf(failure->reason, sizeof failure->reason, "%s is not followed any more",
                     o->name);
        else
            snprintf(failure->reason, sizeof failure->reason,
                     "the hand is still %.0f mm before %s and %.0f mm aside", -1000 * off.z,
                     o->name, 1000 * aside);
        return fail_reach(act, state, failure, err);
    }
    if (aside < IN_LINE && quat_angle(goal.q, now.q) < 0.2)
        c->depth = fmax(0, c->depth - c->speed / 2 * seconds(m->cycle));
    bool there = c->depth == 0 && fabs(off.z) < THERE && aside < THERE;
    c->felt = there ? c->felt + 1 : 0;
    if (c->felt >= (size_t)THERE_CYCLES) {
        *state = ACTION_DONE;
        return contact_hold(act, err);
    }
    pose before = pose_mul(pose_inverse(base), grasp_before(goal, c->depth));
    draw_nearer(act, v3_distance(before.p, c->start.p) < NEAR ? before : c->start);
    c->springs.target = c->ahead;
    c->springs.place = base;
    c->sent = true;
    return contact_send(act, err);
}
