// projector/robot/actions/move_arms.c - move_arms: both arms on one timed path (pair_plan.c).
#include "projector/robot/actions/action_int.h"
#include "projector/robot/grasping/grasp.h"
#include "projector/robot/grasping/placing.h"
#include "projector/robot/planning/arm_plan.h"
#include "projector/robot/planning/places.h"

#include <math.h>

// How high above a release both hands come first, and for how many places that is tried: where
// arms are stretched out, they reach less high.
static const struct {
    double height; // m
    size_t places;
} APPROACHES[] = {{0.10, 12}, {0.04, PLACES_MAX}};
enum { APPROACH_COUNT = sizeof APPROACHES / sizeof *APPROACHES };
static const double MARGIN = 0.003; // m, kept from other things

static status refuse_pair(action *act, const arm_pair *p, const char *what) {
    char blocker[64];
    owner_describe(act->m, p->blocker, blocker, sizeof blocker);
    const believed_object *o = blocker[0] ? belief_find(act->m->belief, blocker) : NULL;
    action_refuse(act, "manipulation_pose_unreachable", o && o->known ? blocker : NULL,
                  "both arms: %s%s%s", what, blocker[0] ? "; in the way: " : "", blocker);
    return action_add_miss(act, p->nearest);
}

static status plan_shift(action *act, arm_pair *p, vec3 by, bool own) {
    pose to[2];
    for (size_t a = 0; a < 2; a++) {
        to[a] = pair_tool(p, a);
        to[a].p = v3_add(to[a].p, own ? quat_rotate(to[a].q, by) : by);
    }
    return pair_track(p, to) ? OK : refuse_pair(act, p, "no straight way there");
}

static status plan_grasp(action *act, arm_pair *p, const believed_object *o) {
    const mind *m = act->m;
    pose to[2];
    for (size_t a = 0; a < 2; a++) {
        grasp_pose all[GRASPS_MAX];
        size_t count = grasp_of_pair(m, o, belief_robot(m->belief), a, all);
        const grasp_pose *best = grasp_nearest(all, count, pair_tool(p, a));
        if (count == 0)
            return refuse_pair(act, p, "it has no handles for two hands");
        if (!best)
            return refuse_pair(act, p, "a hand is not before its handle");
        to[a] = best->tool;
    }
    return pair_track(p, to) ? OK : refuse_pair(act, p, "no straight way to its handles");
}

static status plan_carry(action *act, arm_pair *p) {
    static const double ahead[] = {0.52, 0.58, 0.46, 0.64}, height[] = {1.0, 1.08, 0.92, 1.16};
    if (!p->holding)
        return refuse_pair(act, p, "they hold nothing together");
    pose base = belief_robot(act->m->belief);
    // The object is turned square to the base, the nearer way round.
    double yaw = quat_yaw(quat_mul(quat_inverse(base.q), p->object.q));
    yaw = round(yaw / (PI / 2)) * (PI / 2);
    for (int z = 0; z < 4; z++)
        for (int x = 0; x < 4; x++) {
            pose to = pose_mul(base, pose_planar(ahead[x], 0, yaw));
            to.p.z = height[z];
            if (pair_travel(p, to))
                return OK;
        }
    // Where the arms do not come so far, it stays before the body: a little higher, and closer, if
    // they can.
    static const double up[] = {0.1, 0.05, 0}, closer[] = {0.15, 0.1, 0.05, 0};
    vec3 way = v3_sub(base.p, p->object.p);
    way.z = 0;
    for (int z = 0; z < 3; z++)
        for (int x = 0; x < 4; x++) {
            pose to = p->object;
            to.p = v3_add(to.p, v3_add(v3_scale(v3_unit(way), closer[x]), v3(0, 0, up[z])));
            if (pair_travel(p, to))
                return OK;
        }
    return refuse_pair(act, p, "no posture to carry in");
}

// Orders places by how little the held object must be turned.
static int turn_order(const void *a, const void *b) {
    const place_pose *x = a, *y = b;
    double d = x->turn - y->turn;
    if (fabs(d) > 1e-6)
        return d < 0 ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static status plan_place(action *act, arm_pair *p, const believed_place *place, bool over) {
    mind *m = act->m;
    if (!p->holding)
        return refuse_pair(act, p, "they hold nothing together");
    place_pose *places = mem_must(PLACES_MAX, sizeof *places);
    size_t count = place_candidates(m, place, &p->h[0], places, PLACES_MAX, p->nearest);
    const char *blocker =
        place_blocker(m, place, &p->h[0], count ? places[0].object : place->at, p->nearest);
    if (count > 0 && !blocker)
        *p->nearest = (miss){0};
    while (count > 0 && places[count - 1].falls)
        count--;
    double here = quat_yaw(p->object.q);
    for (size_t k = 0; k < count; k++) {
        double off = fabs(angle_wrap(quat_yaw(places[k].object.q) - here));
        vec3 d = v3_sub(places[k].object.p, p->object.p);
        // For a release, the place nearest to where the object is now comes first.
        places[k].turn = over ? round(off / 0.3) : off + 3 * hypot(d.x, d.y);
        places[k].rank = k;
    }
    qsort(places, count, sizeof *places, turn_order);
    for (size_t a = 0; a < 2; a++)
        p->scenes[a].collisions.touch = owner_of(m, place->support);
    bool found = false;
    for (size_t n = 0; n < (over ? APPROACH_COUNT : 1) && !blocker && !found; n++) {
        size_t most = over ? APPROACHES[n].places : 1;
        for (size_t k = 0; k < count && k < most && !found; k++) {
            place_text(place, places[k].object, act->location, sizeof act->location);
            found = over ? pair_comes_over(p, places[k].object, APPROACHES[n].height)
                         : pair_track_object(p, places[k].object);
        }
    }
    free(places);
    if (blocker) {
        p->blocker = owner_of(m, blocker);
        return refuse_pair(act, p, "nothing can be put there from above");
    }
    if (count == 0)
        return refuse_pair(act, p, "no room is left there");
    return found
               ? OK
               : refuse_pair(act, p,
                             over ? "the place is out of reach from here" : "no straight way down");
}

static status plan_target(action *act, arm_pair *p, const term *to) {
    mind *m = act->m;
    double by;
    if (term_is(to, "grasp", 1)) {
        const believed_object *o =
            to->args[0]->kind == TERM_SYMBOL ? belief_find(m->belief, to->args[0]->text) : NULL;
        return o ? plan_grasp(act, p, o) : action_refuse_target(act, to);
    }
    if ((term_is(to, "lift", 1) || term_is(to, "raise", 1)) && term_number(to->args[0], &by))
        return plan_shift(act, p, v3(0, 0, by), false);
    if (term_is(to, "lower", 1) && term_number(to->args[0], &by))
        return plan_shift(act, p, v3(0, 0, -by), false);
    if (term_is(to, "back", 1) && term_number(to->args[0], &by))
        return plan_shift(act, p, v3(0, 0, -by), true);
    if (term_is_symbol(to, "carry"))
        return plan_carry(act, p);
    if (term_is(to, "over", 1) || term_is(to, "release", 1)) {
        believed_place place;
        error why = {0};
        if (robot_locate(m, to->args[0], p->h[0].name, act->task, act->begun, &place, &why) != OK)
            return action_refuse(act, "designator_reference_failure", NULL, "%s", why.text);
        return plan_place(act, p, &place, term_is(to, "over", 1));
    }
    return action_refuse_target(act, to);
}

status move_arms_begin(action *act, const action_argument *args, size_t count, nanos t,
                       error *err) {
    (void)t;
    (void)err;
    mind *m = act->m;
    const term *to = action_argument_find(args, count, "to");
    const char *object =
        term_is(to, "grasp", 1) && to->args[0]->kind == TERM_SYMBOL ? to->args[0]->text : NULL;
    arm_pair p;
    miss nearest = {0};
    pair_init(&p, m, belief_robot(m->belief), object, MARGIN, "pair", &nearest);
    if (object || p.h[0].name)
        snprintf(act->object, sizeof act->object, "%s", object ? object : p.h[0].name);
    for (size_t a = 0; a < 2; a++)
        for (size_t i = 0; i < m->robot->arms[a].joint_count; i++)
            act->joints[act->motion.axes++] = m->robot->arms[a].joints[i];
    pair_add_knot(&p, true);
    knot first = p.knots.items[0];
    p.knots.count = 0;
    status s = plan_target(act, &p, to);
    if (s == OK && !act->refused) {
        trajectory_add(&act->motion, first.q, first.hand, true);
        for (size_t k = 0; k < p.knots.count; k++) {
            const knot *n = &p.knots.items[k];
            trajectory_add(&act->motion, n->q, n->hand, n->corner);
        }
        motion_limits limits;
        motion_limits_init(&limits, m, act->joints, act->motion.axes);
        limits.hand_velocity = action_argument_number(args, count, "speed", 0.25);
        limits.hand_acceleration =
            action_argument_number(args, count, "acceleration", fmin(1, riders_acceleration(m)));
        action_start_motion(act, &limits);
    }
    pair_finish(&p);
    return s;
}
