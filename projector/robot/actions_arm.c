// move_arm: where an arm has to go and how; and what all motions of joints share, which follow a
// timed path and finish from the encoders.
#include "projector/robot/robot_int.h"

#include <math.h>

static const double APPROACH = 0.10; // m, before a grasp or above a release
static const double LIFT = 0.20;     // m, that what is taken should rise
// What is kept from other things: where a grasp or release is chosen, if that can be, while going
// down to it, and on the way. Each is less than what was kept when it was chosen, so that small
// errors change nothing.
static const double CHOICE_MARGINS[] = {0.010, 0.004};
static const double TOUCH_MARGIN = 0.003;
static const double MARGIN = 0.02;

// ---- Common to all joint motions ----------------------------------------------------------------
double argument_number(const action_argument *args, size_t count, const char *key,
                       double fallback) {
    const term *t = action_argument_find(args, count, key);
    double v;
    return t && term_number(t, &v) && v > 0 ? v : fallback;
}

void joint_limits(const mind *m, const size_t *joints, size_t axes, motion_limits *out) {
    *out = (motion_limits){0};
    for (size_t i = 0; i < axes; i++) {
        out->velocity[i] = 0.95 * m->robot->joints[joints[i]].max_velocity;
        out->acceleration[i] = 0.95 * m->robot->joints[joints[i]].max_acceleration;
    }
}

void start_motion(action *act, const motion_limits *limits) {
    trajectory_time(&act->motion, limits);
    const knot *last = &act->motion.knots.items[act->motion.knots.count - 1];
    memcpy(act->goal, last->q, act->motion.axes * sizeof *act->goal);
    act->moving = true;
}

static const char *joint_name(const action *act, size_t axis) {
    return act->m->robot->joints[act->joints[axis]].name;
}

status step_joints(action *act, nanos t, action_state *state, action_failure *failure, error *err) {
    mind *m = act->m;
    double elapsed = seconds(t - act->motion_begun), next = elapsed + seconds(m->cycle);
    double q[TRACK_MAX], qd[TRACK_MAX];
    trajectory_at(&act->motion, next, q, qd);
    const double *now = belief_joints(m->belief), *speed = belief_joint_velocities(m->belief);
    bool over = elapsed >= act->motion.duration, there = over;
    size_t worst = 0;
    double worst_off = 0;
    for (size_t i = 0; i < act->motion.axes; i++) {
        const robot_joint *j = &m->robot->joints[act->joints[i]];
        double tolerance = j->kind == JOINT_PRISMATIC    ? 0.002
                           : act->kind == ACTION_look_at ? 0.01
                                                         : 0.004;
        double off = (over ? act->goal[i] : q[i]) - now[act->joints[i]];
        if (fabs(off) > worst_off) {
            worst_off = fabs(off);
            worst = i;
        }
        if (!over)
            continue;
        there = there && fabs(off) < tolerance && fabs(speed[act->joints[i]]) < 0.03;
        // What a load or friction keeps the joint from is made up for slowly.
        if (elapsed > act->motion.duration + 0.2 && fabs(off) > tolerance / 2)
            act->correction[i] = fmax(-0.1, fmin(0.1, act->correction[i] + 0.08 * off));
    }
    if (there) {
        act->moving = false;
        *state = ACTION_DONE;
        return OK;
    }
    // Something holds it back.
    act->stalled = worst_off > 0.2 ? act->stalled + seconds(m->cycle) : 0;
    if (act->stalled > 1 || elapsed > act->motion.duration + 3) {
        *state = ACTION_FAILED;
        failure->class = "manipulation_goal_not_reached";
        snprintf(failure->reason, sizeof failure->reason, "%s is %.3f off where it should be",
                 joint_name(act, worst), worst_off);
        for (size_t i = 0; i < act->motion.axes; i++) {
            status s = action_send_joint(act, act->joints[i], now[act->joints[i]], 0, err);
            if (s != OK)
                return s;
        }
        act->moving = false;
        return OK;
    }
    for (size_t i = 0; i < act->motion.axes; i++) {
        status s = action_send_joint(act, act->joints[i], q[i] + act->correction[i], qd[i], err);
        if (s != OK)
            return s;
    }
    return OK;
}

// ---- Arms ---------------------------------------------------------------------------------------
typedef struct arm_motion {
    action *act;
    double q0[AXES_MAX];
    held h;
    knot_array knots;
    bool straight;
    const char *except; // what the hand comes down to, may be touched
    int touch;          // and what it puts it down on
    unsigned kinds;     // of grasps that may be used; 0: any
    char blocker[64];
} arm_motion;

static void scene_of(arm_motion *a, arm_scene *s, const char *except, double margin) {
    mind *m = a->act->m;
    arm_scene_init(s, m, a->act->arm, belief_robot(m->belief), &a->h, hand_opening(m, a->act->arm),
                   except, margin, "arm");
    s->key = planning_key(m, "arm");
}

static void relax_at(arm_scene *s, const double q[AXES_MAX]) {
    pose frames[FRAMES];
    chain_forward(&s->chain, q, frames);
    clutter_relax(&s->clutter, &s->limb, frames);
}

static void note_blocker(arm_motion *a, const arm_scene *s) {
    const char *who = s->blocker >= 0            ? owner_name(a->act->m, s->blocker)
                      : s->blocker == OWNER_SELF ? "its own body"
                      : s->blocker == OWNER_ARM  ? "the other arm"
                                                 : NULL;
    if (who)
        snprintf(a->blocker, sizeof a->blocker, "%s", who);
}

// Known bodies only are named as blockers: others can be cleared away.
static const char *known_blocker(const arm_motion *a) {
    const believed_object *o = a->blocker[0] ? belief_find(a->act->m->belief, a->blocker) : NULL;
    return o && o->known ? a->blocker : NULL;
}

static status unreachable(arm_motion *a, const char *what) {
    return action_refuse(a->act, "manipulation_pose_unreachable", known_blocker(a),
                         "%s arm: %s%s%s", a->act->m->robot->arms[a->act->arm].name, what,
                         a->blocker[0] ? "; in the way: " : "", a->blocker);
}

// A straight line to `to`, close to things.
static bool go_straight(arm_motion *a, pose to, const char *except, int touch) {
    arm_scene s;
    scene_of(a, &s, except, TOUCH_MARGIN);
    s.clutter.touch = touch;
    relax_at(&s, a->q0);
    a->blocker[0] = 0;
    bool found = arm_track(&s, a->q0, to, &a->knots);
    note_blocker(a, &s);
    arm_scene_finish(&s);
    return found;
}

// A free way to a posture; held things are kept level where that can be.
static bool go_to(arm_motion *a, const double q[AXES_MAX]) {
    const double margins[] = {MARGIN, TOUCH_MARGIN};
    bool found = false;
    for (int k = 0; k < 2 && !found; k++) {
        arm_scene s;
        scene_of(a, &s, a->h.name, margins[k]);
        relax_at(&s, a->q0);
        pose frames[FRAMES];
        chain_forward(&s.chain, q, frames);
        found = a->straight ? arm_track(&s, a->q0, frames[TOOL], &a->knots)
                : a->h.kind
                    ? arm_travel(&s, a->q0, q, &a->knots)
                    : arm_connect(&s, a->q0, q, &a->knots) || arm_travel(&s, a->q0, q, &a->knots);
        note_blocker(a, &s);
        arm_scene_finish(&s);
    }
    return found;
}

static double posture_cost(const chain *c, const double q0[AXES_MAX], const double q[AXES_MAX]) {
    double most = 0, strain = 0;
    for (size_t i = 0; i < c->count; i++) {
        double half = (c->upper[i] - c->lower[i]) / 2;
        most = fmax(most, fabs(q[i] - q0[i]));
        strain = fmax(strain, fabs(q[i] - (c->upper[i] + c->lower[i]) / 2) / half);
    }
    return most + (strain > 0.9 ? 5 * (strain - 0.9) : 0);
}

typedef struct way {
    double q[AXES_MAX], down[AXES_MAX]; // above, and where it ends
    double cost;
    size_t which; // grasp or place
    bool goes_down;
} way;

// The posture from which the tool comes straight to `tool`, when there is one: from above it, or
// back along its own approach. `first`: of the postures that are tried, 0 to 2.
static bool find_way(arm_motion *a, arm_scene *s, pose tool, pose before, int first, way *out) {
    // Several postures reach it: the one nearest to where the arm is, the comfortable one, another.
    const chain *c = &s->chain;
    double another[AXES_MAX] = {0};
    for (size_t i = 0; i < c->count; i++)
        another[i] = c->lower[i] + (c->upper[i] - c->lower[i]) *
                                       (0.2 + 0.6 * rng_uniform(s->key, 1000, (uint32_t)i));
    const double *starts[] = {a->q0, NULL, another};
    bool found = false;
    knot_array up = {0};
    for (int k = first; k < 3 && !found; k++) {
        double q[AXES_MAX] = {0};
        if (!ik_solve(c, tool, starts[k], s->key, 4, q))
            break;
        found = arm_free(s, q) && arm_track(s, q, before, &up);
        if (found) {
            memcpy(out->q, up.items[up.count - 1].q, sizeof out->q);
            memcpy(out->down, q, sizeof q);
            out->goes_down = true;
            out->cost = posture_cost(c, a->q0, out->q) + 0.3 * posture_cost(c, out->q, q);
        } else {
            note_blocker(a, s);
        }
    }
    array_finish(&up);
    return found;
}

// A path that keeps things level may end in another posture than it was meant for: the way down
// must be there from this one too.
static bool comes_down(arm_motion *a, const way *w) {
    const double *end = a->knots.count ? a->knots.items[a->knots.count - 1].q : a->q0;
    double off = 0;
    for (int i = 0; i < AXES_MAX; i++)
        off = fmax(off, fabs(end[i] - w->q[i]));
    if (off < 0.01 || !w->goes_down)
        return true;
    arm_scene s;
    scene_of(a, &s, a->except, TOUCH_MARGIN);
    s.clutter.touch = a->touch;
    pose frames[FRAMES];
    chain_forward(&s.chain, w->down, frames);
    knot_array knots = {0};
    bool found = arm_track(&s, end, frames[TOOL], &knots);
    note_blocker(a, &s);
    array_finish(&knots);
    arm_scene_finish(&s);
    return found;
}

// The best of several ways whose path can be found.
static bool take_best(arm_motion *a, way *ways, size_t count) {
    for (int tries = 0; tries < 3 && count > 0; tries++) {
        size_t best = 0;
        for (size_t k = 1; k < count; k++)
            if (ways[k].cost < ways[best].cost)
                best = k;
        if (go_to(a, ways[best].q) && comes_down(a, &ways[best]))
            return true;
        a->knots.count = 0;
        ways[best] = ways[--count];
    }
    return false;
}

static int way_order(const void *a, const void *b) {
    const way *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return (x->which > y->which) - (x->which < y->which);
}

// How this arm may take it: as was asked, else in any way that one hand can, else by its own of two
// handles.
static size_t grasps_of(const arm_motion *a, const believed_object *o, grasp_pose out[GRASPS_MAX]) {
    const mind *m = a->act->m;
    size_t count = grasp_candidates(m, o, a->act->arm, a->kinds, out);
    return count > 0 ? count : grasp_of_pair(m, o, belief_robot(m->belief), a->act->arm, out);
}

static status no_grasp(arm_motion *a) {
    return unreachable(a, a->kinds ? "it cannot be grasped in this way"
                                   : "it cannot be grasped as it lies");
}

// With a door or drawer, the postures from which the hand can follow the handle farther.
static size_t prefer_operating(arm_motion *a, arm_scene *s, const believed_object *o,
                               const grasp_pose *grasps, way *ways, size_t count) {
    const mind *m = a->act->m;
    size_t joint = (size_t)world_joint_of(m->known, (size_t)o->body), found = count;
    const world_joint *j = &m->known->joints[joint];
    double from = belief_world_joint(m->belief, joint, NULL), turn;
    double to = from - j->lower < j->upper - from ? j->upper : j->lower;
    for (size_t k = 0; k < count; k++)
        for (int first = 1; first < 3 && found < GRASPS_MAX; first++) {
            const grasp_pose *g = &grasps[ways[k].which];
            way *other = &ways[found];
            other->which = ways[k].which;
            found += find_way(a, s, g->tool, grasp_before(g->tool, APPROACH), first, other);
        }
    for (size_t k = 0; k < found; k++) {
        double width = grasps[ways[k].which].way->width;
        double reached = arm_operates(s, ways[k].down, o, width, joint, from, to, 0.01, &turn);
        ways[k].cost += 200 * fabs(to - reached) / fabs(to - from);
    }
    return found;
}

static status plan_before(arm_motion *a, const believed_object *o) {
    mind *m = a->act->m;
    grasp_pose grasps[GRASPS_MAX];
    size_t count = grasps_of(a, o, grasps), found = 0;
    if (count == 0)
        return no_grasp(a);
    a->except = o->name;
    way ways[GRASPS_MAX];
    vec3 here = belief_robot(m->belief).p;
    arm_scene s = {0};
    for (int pass = 0; pass < 2 && found == 0; pass++) {
        arm_scene_finish(&s);
        scene_of(a, &s, o->name, CHOICE_MARGINS[pass]);
        for (size_t k = 0; k < count; k++)
            if (!grasp_from_behind(&grasps[k], here) &&
                find_way(a, &s, grasps[k].tool, grasp_before(grasps[k].tool, APPROACH), 0,
                         &ways[found]))
                ways[found++].which = k;
        if (grasp_jointed(m, o))
            found = prefer_operating(a, &s, o, grasps, ways, found);
    }
    // The cheapest few from which what is taken can also be lifted; all when there are none. What
    // two hands take, the other one lifts too.
    if (grasps[0].way->both > 0)
        clutter_of_pair(&s.clutter);
    qsort(ways, found, sizeof *ways, way_order);
    way lifting[3];
    size_t good = 0;
    for (size_t k = 0; k < found && good < 3 && !grasp_jointed(m, o); k++) {
        const grasp_pose *g = &grasps[ways[k].which];
        held taken = {o->kind, g->in_hand, o->name};
        if (arm_lifts(&s, ways[k].down, &taken, g->way->width, LIFT))
            lifting[good++] = ways[k];
    }
    if (good > 0) {
        memcpy(ways, lifting, good * sizeof *ways);
        found = good;
    }
    arm_scene_finish(&s);
    if (found == 0)
        return unreachable(a, "no way to grasp it from here");
    return take_best(a, ways, found) ? OK : unreachable(a, "no free path to before it");
}

static status plan_grasp(arm_motion *a, const believed_object *o) {
    grasp_pose grasps[GRASPS_MAX];
    size_t count = grasps_of(a, o, grasps), best = 0;
    if (count == 0)
        return no_grasp(a);
    pose tool = robot_tool(a->act->m->robot, a->act->arm, belief_links(a->act->m->belief));
    double least = INFINITY;
    for (size_t k = 0; k < count; k++) {
        double d =
            v3_distance(grasps[k].tool.p, tool.p) + 0.3 * quat_angle(grasps[k].tool.q, tool.q);
        if (d < least) {
            least = d;
            best = k;
        }
    }
    return go_straight(a, grasps[best].tool, o->name, OWNER_NONE)
               ? OK
               : unreachable(a, "no straight way to it");
}

static status plan_over(arm_motion *a, const believed_place *place) {
    mind *m = a->act->m;
    place_pose *places = malloc(PLACES_MAX * sizeof *places);
    ASSERT(places);
    size_t count = place_candidates(m, place, &a->h, places, PLACES_MAX), found = 0, at = 0;
    const char *blocker = place_blocker(m, place, &a->h, count ? places[0].object : place->at);
    way ways[8];
    a->touch = owner_of(m, place->support);
    for (int pass = 0; pass < 2 && !blocker && count > 0 && found == 0; pass++) {
        arm_scene s;
        scene_of(a, &s, a->h.name, CHOICE_MARGINS[pass]);
        s.clutter.touch = owner_of(m, place->support);
        // All turns at the spot nearest to the middle that has any.
        for (size_t k = 0; k < count && found < 8; k++) {
            if (found > 0 && v3_distance(places[k].object.p, places[at].object.p) > 0.02)
                break;
            pose above = places[k].tool;
            above.p.z += APPROACH;
            if (find_way(a, &s, places[k].tool, above, 0, &ways[found])) {
                found++;
                at = k;
            }
        }
        arm_scene_finish(&s);
    }
    place_text(place, count ? places[at].object : place->at, a->act->location,
               sizeof a->act->location);
    free(places);
    if (blocker) {
        snprintf(a->blocker, sizeof a->blocker, "%s", blocker);
        return unreachable(a, "nothing can be put there from above");
    }
    if (count == 0)
        return unreachable(a, "no room is left there");
    if (found == 0)
        return unreachable(a, "the place is out of reach from here");
    return take_best(a, ways, found) ? OK : unreachable(a, "no free path to above the place");
}

static status plan_release(arm_motion *a, const believed_place *place) {
    mind *m = a->act->m;
    place_pose *places = malloc(PLACES_MAX * sizeof *places);
    ASSERT(places);
    size_t count = place_candidates(m, place, &a->h, places, PLACES_MAX), best = 0;
    pose tool = robot_tool(m->robot, a->act->arm, belief_links(m->belief));
    double least = INFINITY;
    for (size_t k = 0; k < count; k++) {
        double d = hypot(places[k].tool.p.x - tool.p.x, places[k].tool.p.y - tool.p.y) +
                   0.3 * quat_angle(places[k].tool.q, tool.q);
        if (d < least) {
            least = d;
            best = k;
        }
    }
    pose to = count ? places[best].tool : tool;
    pose object = count ? places[best].object : place->at;
    free(places);
    const char *blocker = place_blocker(m, place, &a->h, object);
    place_text(place, object, a->act->location, sizeof a->act->location);
    if (blocker) {
        snprintf(a->blocker, sizeof a->blocker, "%s", blocker);
        return unreachable(a, "nothing can be put there from above");
    }
    if (count == 0)
        return unreachable(a, "no room is left there");
    return go_straight(a, to, a->h.name, owner_of(m, place->support))
               ? OK
               : unreachable(a, "no straight way down");
}

// The hand's turn in the base's frame while it carries: pointing down, or as it holds what was not
// taken from above.
static quat carrying_hand(const arm_motion *a, const chain *c, pose base) {
    const mat3 down = {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};
    pose frames[FRAMES];
    chain_forward(c, a->q0, frames);
    if (!a->h.kind || quat_rotate(frames[TOOL].q, v3(0, 0, 1)).z < -0.9)
        return quat_from_matrix(&down);
    return quat_mul(quat_inverse(base.q), frames[TOOL].q);
}

// Close to the body, high enough to pass over tables and counters, what is held upright.
static status plan_carry(arm_motion *a) {
    mind *m = a->act->m;
    static const double ahead[] = {0.42, 0.36, 0.48, 0.54}, height[] = {1.08, 1.0, 1.16};
    pose base = belief_robot(m->belief);
    arm_scene s;
    scene_of(a, &s, a->h.name, 0.01);
    double side = pose_apply(pose_inverse(base), s.chain.root.p).y;
    pose root = pose_mul(s.chain.root, s.chain.origin[0]);
    side = pose_apply(pose_inverse(base), root.p).y;
    way ways[16];
    size_t found = 0;
    quat hand = carrying_hand(a, &s.chain, base);
    for (int z = 0; z < 3 && found < 4; z++)
        for (int x = 0; x < 4 && found < 4; x++)
            for (int k = 0; k < 8 && found < 12; k++) {
                quat turn = quat_mul(quat_axis_angle(v3(0, 0, 1), k * PI / 4), hand);
                pose tool = pose_mul(base, (pose){v3(ahead[x], 0.7 * side, height[z]), turn});
                double q[AXES_MAX] = {0};
                if (!ik_solve(&s.chain, tool, a->q0, s.key, 3, q) || !arm_free(&s, q))
                    continue;
                memcpy(ways[found].q, q, sizeof q);
                ways[found].goes_down = false;
                ways[found++].cost = posture_cost(&s.chain, a->q0, q);
            }
    arm_scene_finish(&s);
    if (found == 0)
        return unreachable(a, "no posture to carry in");
    return take_best(a, ways, found) ? OK : unreachable(a, "no free path to where it carries");
}

// Straight by an offset, in the map or along the tool's own axes.
static status plan_offset(arm_motion *a, vec3 by, bool own) {
    arm_scene s;
    scene_of(a, &s, a->h.name, TOUCH_MARGIN);
    pose frames[FRAMES];
    chain_forward(&s.chain, a->q0, frames);
    arm_scene_finish(&s);
    pose to = frames[TOOL];
    to.p = v3_add(to.p, own ? quat_rotate(to.q, by) : by);
    return go_straight(a, to, a->h.name, OWNER_NONE) ? OK : unreachable(a, "no straight way there");
}

status bad_target(action *act, const term *t) {
    char text[160];
    term_format(t, text, sizeof text);
    return action_refuse(act, "designator_reference_failure", NULL, "%s is no target of %s", text,
                         action_names()[act->kind]);
}

status bad_grasp(action *act, const term *t) {
    char text[160];
    term_format(t, text, sizeof text);
    return action_refuse(act, "designator_reference_failure", NULL,
                         "a grasp is top, side or handle, not %s", text);
}

static status plan_joints(arm_motion *a, const term *list) {
    const robot_arm *arm = &a->act->m->robot->arms[a->act->arm];
    double q[AXES_MAX] = {0};
    if (term_list_length(list) != (int64_t)arm->joint_count)
        return action_refuse(a->act, "designator_reference_failure", NULL,
                             "joints takes a list of %zu numbers", arm->joint_count);
    for (size_t i = 0; i < arm->joint_count; i++) {
        const robot_joint *j = &a->act->m->robot->joints[arm->joints[i]];
        if (!term_number(term_list_item(list, i), &q[i]) || q[i] < j->lower || q[i] > j->upper)
            return action_refuse(a->act, "manipulation_pose_unreachable", NULL,
                                 "%s is outside its limits", j->name);
    }
    return go_to(a, q) ? OK : unreachable(a, "no free path to these joint positions");
}

static status plan_with_object(arm_motion *a, const term *to) {
    action *act = a->act;
    const believed_object *o =
        to->args[0]->kind == TERM_SYMBOL ? belief_find(act->m->belief, to->args[0]->text) : NULL;
    if (!o) {
        char text[160];
        term_format(to->args[0], text, sizeof text);
        return action_refuse(act, "designator_reference_failure", NULL, "%s is not believed in",
                             text);
    }
    snprintf(act->object, sizeof act->object, "%s", o->name);
    if (!o->confirmed)
        return action_refuse(act, "perception_object_not_found", NULL,
                             "%s was not seen where it was believed to be", o->name);
    if (a->h.kind && strcmp(a->h.name, o->name) != 0)
        return action_refuse(act, "manipulation_pose_unreachable", NULL,
                             "the hand already holds %s", a->h.name);
    return strcmp(to->text, "grasp") == 0 ? plan_grasp(a, o) : plan_before(a, o);
}

static status plan_with_place(arm_motion *a, const term *to, nanos t, error *err) {
    action *act = a->act;
    mind *m = act->m;
    believed_place place;
    error why = {0};
    if (!a->h.kind)
        return action_refuse(act, "manipulation_pose_unreachable", NULL,
                             "the %s hand holds nothing to put down",
                             m->robot->arms[act->arm].name);
    snprintf(act->object, sizeof act->object, "%s", a->h.name);
    if (belief_resolve_location(m->belief, to->args[0], &place, &why) != OK)
        return action_refuse(act, "designator_reference_failure", NULL, "%s", why.text);
    bool over = strcmp(to->text, "over") == 0;
    if (over && place.support_defaulted) {
        char question[160];
        term_format(to->args[0], question, sizeof question);
        status s = robot_choice(m, act->task, t, "support", question, place.support, NULL,
                                "not said: taken from what the location refers to", err);
        if (s != OK)
            return s;
    }
    return over ? plan_over(a, &place) : plan_release(a, &place);
}

static status plan_target(arm_motion *a, const term *to, nanos t, error *err) {
    action *act = a->act;
    double by;
    if (term_is_symbol(to, "park")) {
        const robot_arm *arm = &act->m->robot->arms[act->arm];
        double q[AXES_MAX] = {0};
        memcpy(q, arm->park, arm->joint_count * sizeof *q);
        if (go_to(a, q))
            return OK;
        // Something stands where it would park: close to the body will do.
        a->knots.count = 0;
        return plan_carry(a);
    }
    if (term_is_symbol(to, "carry"))
        return plan_carry(a);
    if (term_is(to, "before", 1) || term_is(to, "above", 1) || term_is(to, "grasp", 1))
        return plan_with_object(a, to);
    if (term_is(to, "over", 1) || term_is(to, "release", 1))
        return plan_with_place(a, to, t, err);
    if ((term_is(to, "lift", 1) || term_is(to, "raise", 1)) && term_number(to->args[0], &by))
        return plan_offset(a, v3(0, 0, by), false);
    if (term_is(to, "lower", 1) && term_number(to->args[0], &by))
        return plan_offset(a, v3(0, 0, -by), false);
    if (term_is(to, "back", 1) && term_number(to->args[0], &by))
        return plan_offset(a, v3(0, 0, -by), true);
    if (term_is(to, "joints", 1))
        return plan_joints(a, to->args[0]);
    return bad_target(act, to);
}

status begin_move_arm(action *act, const action_argument *args, size_t count, nanos t, error *err) {
    mind *m = act->m;
    const term *to = action_argument_find(args, count, "to"),
               *line = action_argument_find(args, count, "straight");
    arm_motion a = {.act = act, .h = held_by(m, act->arm), .touch = OWNER_NONE};
    a.except = a.h.name;
    a.straight = line && term_is_symbol(line, "true");
    const term *kind = action_argument_find(args, count, "grasp");
    if (!grasp_kinds(kind, &a.kinds))
        return bad_grasp(act, kind);
    joints_planned(m, act->arm, a.q0);
    act->motion.axes = m->robot->arms[act->arm].joint_count;
    for (size_t i = 0; i < act->motion.axes; i++)
        act->joints[i] = m->robot->arms[act->arm].joints[i];
    if (a.h.name)
        snprintf(act->object, sizeof act->object, "%s", a.h.name);
    chain c;
    chain_init(&c, m->robot, act->arm, belief_links(m->belief));
    pose frames[FRAMES];
    chain_forward(&c, a.q0, frames);
    trajectory_add(&act->motion, a.q0, frames[TOOL].p, true);
    status s = plan_target(&a, to, t, err);
    if (s == OK && !act->refused) {
        for (size_t k = 0; k < a.knots.count; k++) {
            const knot *n = &a.knots.items[k];
            trajectory_add(&act->motion, n->q, n->hand, n->corner);
        }
        const char *f = to->text;
        bool near = a.straight || strcmp(f, "grasp") == 0 || strcmp(f, "lift") == 0 ||
                    strcmp(f, "raise") == 0 || strcmp(f, "lower") == 0 || strcmp(f, "back") == 0 ||
                    strcmp(f, "release") == 0;
        motion_limits limits;
        joint_limits(m, act->joints, act->motion.axes, &limits);
        limits.hand_velocity = argument_number(args, count, "speed", near ? 0.25 : 0.8);
        limits.hand_acceleration = argument_number(args, count, "acceleration",
                                                   fmin(near ? 1 : 2, riders_acceleration(m)));
        start_motion(act, &limits);
    }
    array_finish(&a.knots);
    return s;
}
