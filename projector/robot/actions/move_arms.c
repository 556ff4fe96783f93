// projector/robot/actions/move_arms.c - move_arms: both arms on one timed path. An object that both
// hold goes straight, and the tools keep their place on it: at every knot inverse kinematics solves
// both arms for the object's pose there.
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

typedef struct pair {
    action *act;
    arm_scene scenes[2];
    double q[2][AXES_MAX]; // postures at the end of the knots
    held h[2];
    bool holding;      // both hold the same object
    pose object;       // its pose at q, or the middle between empty hands
    pose in_object[2]; // the tools' poses in the object's frame
    knot_array knots;
    char blocker[64];
    miss nearest;
} pair;

static pose tool_at(const arm_scene *s, const double q[AXES_MAX]) {
    pose frames[FRAMES];
    chain_forward(&s->chain, q, frames);
    return frames[TOOL];
}

static void pair_init(pair *p, action *act, const char *except) {
    mind *m = act->m;
    *p = (pair){.act = act};
    for (size_t a = 0; a < 2; a++) {
        arm_scene *s = &p->scenes[a];
        p->h[a] = held_by(m, a);
        joints_planned(m, a, p->q[a]);
        arm_scene_init(s, m, a, belief_robot(m->belief), &p->h[a], hand_opening(m, a),
                       except ? except : p->h[a].name, MARGIN, "pair");
        s->nearest = &p->nearest;
        collision_scene_drop_arm(&s->collisions);
        pose frames[FRAMES];
        chain_forward(&s->chain, p->q[a], frames);
        collision_scene_relax_start(&s->collisions, &s->limb, frames);
    }
    p->holding = p->h[0].name && p->h[1].name && strcmp(p->h[0].name, p->h[1].name) == 0;
    pose tools[2] = {tool_at(&p->scenes[0], p->q[0]), tool_at(&p->scenes[1], p->q[1])};
    p->object = p->holding ? pose_mul(tools[0], p->h[0].in_hand)
                           : (pose){v3_scale(v3_add(tools[0].p, tools[1].p), 0.5), {1, 0, 0, 0}};
    for (size_t a = 0; a < 2; a++)
        p->in_object[a] = pose_mul(pose_inverse(p->object), tools[a]);
}

static void pair_finish(pair *p) {
    for (size_t a = 0; a < 2; a++)
        arm_scene_finish(&p->scenes[a]);
    array_finish(&p->knots);
}

static void add_knot(pair *p, bool corner) {
    knot k = {.corner = corner};
    vec3 middle = v3(0, 0, 0);
    size_t axis = 0;
    for (size_t a = 0; a < 2; a++) {
        for (size_t i = 0; i < p->scenes[a].chain.count; i++)
            k.q[axis++] = p->q[a][i];
        middle = v3_add(middle, v3_scale(tool_at(&p->scenes[a], p->q[a]).p, 0.5));
    }
    k.hand = middle;
    array_push(&p->knots, k);
}

static void note_blocker(pair *p, const arm_scene *s) {
    owner_describe(p->act->m, s->blocker, p->blocker, sizeof p->blocker);
}

// Moves both tools straight to `to`, in step. False: they cannot, and `q` and the knots are
// unchanged.
static bool track_tools(pair *p, const pose to[2]) {
    pose from[2];
    double far = 0, off = 0, before[2][AXES_MAX];
    for (size_t a = 0; a < 2; a++) {
        from[a] = tool_at(&p->scenes[a], p->q[a]);
        far = fmax(far, v3_distance(from[a].p, to[a].p));
        off = fmax(off, quat_angle(from[a].q, to[a].q));
    }
    memcpy(before, p->q, sizeof before);
    size_t kept = p->knots.count;
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
                note_blocker(p, &p->scenes[a]);
                memcpy(p->q, before, sizeof before);
                p->knots.count = kept;
                return false;
            }
        }
        add_knot(p, n == steps);
    }
    return true;
}

static bool track_object(pair *p, pose to) {
    const pose tools[2] = {pose_mul(to, p->in_object[0]), pose_mul(to, p->in_object[1])};
    if (!track_tools(p, tools))
        return false;
    p->object = to;
    return true;
}

// Moves the object straight to a pose, or up first and then over.
static bool travel_object(pair *p, pose to) {
    static const double lifts[] = {0.04, 0.12, 0.2};
    if (track_object(p, to))
        return true;
    pose start = p->object;
    double before[2][AXES_MAX];
    memcpy(before, p->q, sizeof before);
    size_t kept = p->knots.count;
    for (int k = 0; k < 3; k++) {
        pose up = start, over = to;
        up.p.z = over.p.z = fmax(start.p.z, to.p.z) + lifts[k];
        if (track_object(p, up) && track_object(p, over) && track_object(p, to))
            return true;
        memcpy(p->q, before, sizeof before);
        p->knots.count = kept;
        p->object = start;
    }
    return false;
}

static status refuse_pair(pair *p, const char *what) {
    const believed_object *o = p->blocker[0] ? belief_find(p->act->m->belief, p->blocker) : NULL;
    action_refuse(p->act, "manipulation_pose_unreachable", o && o->known ? p->blocker : NULL,
                  "both arms: %s%s%s", what, p->blocker[0] ? "; in the way: " : "", p->blocker);
    return action_add_miss(p->act, &p->nearest);
}

static status plan_shift(pair *p, vec3 by, bool own) {
    pose to[2];
    for (size_t a = 0; a < 2; a++) {
        to[a] = tool_at(&p->scenes[a], p->q[a]);
        to[a].p = v3_add(to[a].p, own ? quat_rotate(to[a].q, by) : by);
    }
    return track_tools(p, to) ? OK : refuse_pair(p, "no straight way there");
}

static status plan_grasp(pair *p, const believed_object *o) {
    const mind *m = p->act->m;
    pose to[2];
    for (size_t a = 0; a < 2; a++) {
        grasp_pose all[GRASPS_MAX];
        size_t count = grasp_of_pair(m, o, belief_robot(m->belief), a, all);
        const grasp_pose *best = grasp_nearest(all, count, tool_at(&p->scenes[a], p->q[a]));
        if (count == 0)
            return refuse_pair(p, "it has no handles for two hands");
        if (!best)
            return refuse_pair(p, "a hand is not before its handle");
        to[a] = best->tool;
    }
    return track_tools(p, to) ? OK : refuse_pair(p, "no straight way to its handles");
}

static status plan_carry(pair *p) {
    static const double ahead[] = {0.52, 0.58, 0.46, 0.64}, height[] = {1.0, 1.08, 0.92, 1.16};
    if (!p->holding)
        return refuse_pair(p, "they hold nothing together");
    pose base = belief_robot(p->act->m->belief);
    // The object is turned square to the base, the nearer way round.
    double yaw = quat_yaw(quat_mul(quat_inverse(base.q), p->object.q));
    yaw = round(yaw / (PI / 2)) * (PI / 2);
    for (int z = 0; z < 4; z++)
        for (int x = 0; x < 4; x++) {
            pose to = pose_mul(base, pose_planar(ahead[x], 0, yaw));
            to.p.z = height[z];
            if (travel_object(p, to))
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
            if (travel_object(p, to))
                return OK;
        }
    return refuse_pair(p, "no posture to carry in");
}

// Orders places by how little the held object must be turned.
static int turn_order(const void *a, const void *b) {
    const place_pose *x = a, *y = b;
    double d = x->turn - y->turn;
    if (fabs(d) > 1e-6)
        return d < 0 ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

// Plans the way to above a place from which the object also goes straight down. False: there is
// none, and nothing has changed.
static bool comes_over(pair *p, pose to, double height) {
    pose start = p->object, above = to;
    above.p.z += height;
    bool found = travel_object(p, above);
    if (found) {
        size_t kept = p->knots.count;
        double end[2][AXES_MAX];
        memcpy(end, p->q, sizeof end);
        found = track_object(p, to);
        memcpy(p->q, end, sizeof end);
        p->knots.count = kept;
        p->object = above;
    }
    if (!found) {
        for (size_t a = 0; a < 2; a++)
            joints_planned(p->act->m, a, p->q[a]);
        p->knots.count = 0;
        p->object = start;
    }
    return found;
}

static status plan_place(pair *p, const believed_place *place, bool over) {
    mind *m = p->act->m;
    if (!p->holding)
        return refuse_pair(p, "they hold nothing together");
    place_pose *places = mem_must(PLACES_MAX, sizeof *places);
    size_t count = place_candidates(m, place, &p->h[0], places, PLACES_MAX, &p->nearest);
    const char *blocker =
        place_blocker(m, place, &p->h[0], count ? places[0].object : place->at, &p->nearest);
    if (count > 0 && !blocker)
        p->nearest = (miss){0};
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
            place_text(place, places[k].object, p->act->location, sizeof p->act->location);
            found = over ? comes_over(p, places[k].object, APPROACHES[n].height)
                         : track_object(p, places[k].object);
        }
    }
    free(places);
    if (blocker) {
        snprintf(p->blocker, sizeof p->blocker, "%s", blocker);
        return refuse_pair(p, "nothing can be put there from above");
    }
    if (count == 0)
        return refuse_pair(p, "no room is left there");
    return found ? OK
                 : refuse_pair(p, over ? "the place is out of reach from here"
                                       : "no straight way down");
}

static status plan_target(pair *p, const term *to) {
    action *act = p->act;
    mind *m = act->m;
    double by;
    if (term_is(to, "grasp", 1)) {
        const believed_object *o =
            to->args[0]->kind == TERM_SYMBOL ? belief_find(m->belief, to->args[0]->text) : NULL;
        return o ? plan_grasp(p, o) : action_refuse_target(act, to);
    }
    if ((term_is(to, "lift", 1) || term_is(to, "raise", 1)) && term_number(to->args[0], &by))
        return plan_shift(p, v3(0, 0, by), false);
    if (term_is(to, "lower", 1) && term_number(to->args[0], &by))
        return plan_shift(p, v3(0, 0, -by), false);
    if (term_is(to, "back", 1) && term_number(to->args[0], &by))
        return plan_shift(p, v3(0, 0, -by), true);
    if (term_is_symbol(to, "carry"))
        return plan_carry(p);
    if (term_is(to, "over", 1) || term_is(to, "release", 1)) {
        believed_place place;
        error why = {0};
        if (robot_locate(m, to->args[0], p->h[0].name, act->task, act->begun, &place, &why) != OK)
            return action_refuse(act, "designator_reference_failure", NULL, "%s", why.text);
        return plan_place(p, &place, term_is(to, "over", 1));
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
    pair p;
    pair_init(&p, act, object);
    if (object || p.h[0].name)
        snprintf(act->object, sizeof act->object, "%s", object ? object : p.h[0].name);
    for (size_t a = 0; a < 2; a++)
        for (size_t i = 0; i < m->robot->arms[a].joint_count; i++)
            act->joints[act->motion.axes++] = m->robot->arms[a].joints[i];
    add_knot(&p, true);
    knot first = p.knots.items[0];
    p.knots.count = 0;
    status s = plan_target(&p, to);
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
