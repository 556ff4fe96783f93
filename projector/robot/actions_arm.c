// move_arm: where an arm has to go and how; and what all motions of joints share, which follow a
// timed path and finish from the encoders.
#include "projector/robot/robot_int.h"

#include <math.h>

static const double APPROACH = 0.10; // m, above a grasp or a release
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
    double q[AXES_MAX], qd[AXES_MAX];
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
    double q0[7];
    held h;
    knot_array knots;
    bool straight;
    const char *except; // what the hand comes down to, may be touched
    int touch;          // and what it puts it down on
    char blocker[64];
} arm_motion;

static void scene_of(arm_motion *a, arm_scene *s, const char *except, double margin) {
    mind *m = a->act->m;
    arm_scene_init(s, m, a->act->arm, belief_robot(m->belief), &a->h, hand_opening(m, a->act->arm),
                   except, margin, "arm");
    s->key = planning_key(m, "arm");
}

static void relax_at(arm_scene *s, const double q[7]) {
    pose frames[8];
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
static bool go_to(arm_motion *a, const double q[7]) {
    const double margins[] = {MARGIN, TOUCH_MARGIN};
    bool found = false;
    for (int k = 0; k < 2 && !found; k++) {
        arm_scene s;
        scene_of(a, &s, a->h.name, margins[k]);
        relax_at(&s, a->q0);
        pose frames[8];
        chain_forward(&s.chain, q, frames);
        found = a->straight ? arm_track(&s, a->q0, frames[7], &a->knots)
                : a->h.kind
                    ? arm_travel(&s, a->q0, q, &a->knots)
                    : arm_connect(&s, a->q0, q, &a->knots) || arm_travel(&s, a->q0, q, &a->knots);
        note_blocker(a, &s);
        arm_scene_finish(&s);
    }
    return found;
}

static double posture_cost(const chain *c, const double q0[7], const double q[7]) {
    double most = 0, strain = 0;
    for (int i = 0; i < 7; i++) {
        double half = (c->upper[i] - c->lower[i]) / 2;
        most = fmax(most, fabs(q[i] - q0[i]));
        strain = fmax(strain, fabs(q[i] - (c->upper[i] + c->lower[i]) / 2) / half);
    }
    return most + (strain > 0.9 ? 5 * (strain - 0.9) : 0);
}

typedef struct way {
    double q[7], down[7]; // above, and where it ends
    double cost;
    size_t which; // grasp or place
    bool goes_down;
} way;

// The posture from which the tool comes straight down to `tool`, when there is one.
static bool find_way(arm_motion *a, arm_scene *s, pose tool, way *out) {
    double q[7];
    if (!ik_solve(&s->chain, tool, a->q0, s->key, 4, q))
        return false;
    knot_array up = {0};
    pose above = tool;
    above.p.z += APPROACH;
    bool found = arm_free(s, q) && arm_track(s, q, above, &up);
    if (found) {
        memcpy(out->q, up.items[up.count - 1].q, sizeof out->q);
        memcpy(out->down, q, sizeof q);
        out->goes_down = true;
        out->cost =
            posture_cost(&s->chain, a->q0, out->q) + 0.3 * posture_cost(&s->chain, out->q, q);
    } else {
        note_blocker(a, s);
    }
    array_finish(&up);
    return found;
}

// A path that keeps things level may end in another posture than it was meant for: the way down
// must be there from this one too.
static bool comes_down(arm_motion *a, const way *w) {
    const double *end = a->knots.count ? a->knots.items[a->knots.count - 1].q : a->q0;
    double off = 0;
    for (int i = 0; i < 7; i++)
        off = fmax(off, fabs(end[i] - w->q[i]));
    if (off < 0.01 || !w->goes_down)
        return true;
    arm_scene s;
    scene_of(a, &s, a->except, TOUCH_MARGIN);
    s.clutter.touch = a->touch;
    pose frames[8];
    chain_forward(&s.chain, w->down, frames);
    knot_array knots = {0};
    bool found = arm_track(&s, end, frames[7], &knots);
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

static status plan_above(arm_motion *a, const believed_object *o) {
    mind *m = a->act->m;
    grasp_pose grasps[GRASPS_MAX];
    size_t count = grasp_candidates(m, o, a->act->arm, grasps), found = 0;
    if (count == 0)
        return unreachable(a, "it cannot be grasped from above as it lies");
    a->except = o->name;
    way ways[GRASPS_MAX];
    arm_scene s = {0};
    for (int pass = 0; pass < 2 && found == 0; pass++) {
        arm_scene_finish(&s);
        scene_of(a, &s, o->name, CHOICE_MARGINS[pass]);
        for (size_t k = 0; k < count; k++)
            if (find_way(a, &s, grasps[k].tool, &ways[found]))
                ways[found++].which = k;
    }
    // The cheapest few from which what is taken can also be lifted; all when there are none.
    qsort(ways, found, sizeof *ways, way_order);
    way lifting[3];
    size_t good = 0;
    for (size_t k = 0; k < found && good < 3; k++) {
        held taken = {o->kind, grasps[ways[k].which].in_hand, o->name};
        if (arm_lifts(&s, ways[k].down, &taken, LIFT))
            lifting[good++] = ways[k];
    }
    if (good > 0) {
        memcpy(ways, lifting, good * sizeof *ways);
        found = good;
    }
    arm_scene_finish(&s);
    if (found == 0)
        return unreachable(a, "no way to grasp it from here");
    return take_best(a, ways, found) ? OK : unreachable(a, "no free path to above it");
}

static status plan_grasp(arm_motion *a, const believed_object *o) {
    grasp_pose grasps[GRASPS_MAX];
    size_t count = grasp_candidates(a->act->m, o, a->act->arm, grasps), best = 0;
    if (count == 0)
        return unreachable(a, "it cannot be grasped from above as it lies");
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

static void support_term(const mind *m, const believed_place *place, pose at, char *out,
                         size_t size) {
    (void)m;
    snprintf(out, size, "at(%.4f, %.4f, %.2f, %s)", at.p.x, at.p.y, quat_yaw(at.q) * 180 / PI,
             place->support);
}

static int support_owner(const mind *m, const char *name) {
    for (size_t i = 0; i < belief_object_count(m->belief); i++)
        if (strcmp(belief_object(m->belief, i)->name, name) == 0)
            return (int)i;
    return OWNER_NONE;
}

static status plan_over(arm_motion *a, const believed_place *place) {
    mind *m = a->act->m;
    place_pose *places = malloc(PLACES_MAX * sizeof *places);
    ASSERT(places);
    size_t count = place_candidates(m, place, &a->h, places, PLACES_MAX), found = 0, at = 0;
    const char *blocker = place_blocker(m, place, &a->h, count ? places[0].object : place->at);
    way ways[8];
    a->touch = support_owner(m, place->support);
    for (int pass = 0; pass < 2 && !blocker && count > 0 && found == 0; pass++) {
        arm_scene s;
        scene_of(a, &s, a->h.name, CHOICE_MARGINS[pass]);
        s.clutter.touch = support_owner(m, place->support);
        // All turns at the spot nearest to the middle that has any.
        for (size_t k = 0; k < count && found < 8; k++) {
            if (found > 0 && v3_distance(places[k].object.p, places[at].object.p) > 0.02)
                break;
            if (find_way(a, &s, places[k].tool, &ways[found])) {
                found++;
                at = k;
            }
        }
        arm_scene_finish(&s);
    }
    support_term(m, place, count ? places[at].object : place->at, a->act->location,
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
    support_term(m, place, object, a->act->location, sizeof a->act->location);
    if (blocker) {
        snprintf(a->blocker, sizeof a->blocker, "%s", blocker);
        return unreachable(a, "nothing can be put there from above");
    }
    if (count == 0)
        return unreachable(a, "no room is left there");
    return go_straight(a, to, a->h.name, support_owner(m, place->support))
               ? OK
               : unreachable(a, "no straight way down");
}

// Close to the body, high enough to pass over tables and counters, the hand pointing down.
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
    for (int z = 0; z < 3 && found < 4; z++)
        for (int x = 0; x < 4 && found < 4; x++)
            for (int k = 0; k < 8 && found < 12; k++) {
                mat3 down = {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};
                quat turn =
                    quat_mul(quat_axis_angle(v3(0, 0, 1), k * PI / 4), quat_from_matrix(&down));
                pose tool = pose_mul(base, (pose){v3(ahead[x], 0.7 * side, height[z]), turn});
                double q[7];
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

static status plan_vertical(arm_motion *a, double by) {
    arm_scene s;
    scene_of(a, &s, a->h.name, TOUCH_MARGIN);
    pose frames[8];
    chain_forward(&s.chain, a->q0, frames);
    arm_scene_finish(&s);
    pose to = frames[7];
    to.p.z += by;
    int touch = OWNER_NONE;
    return go_straight(a, to, a->h.name, touch) ? OK : unreachable(a, "no straight way there");
}

status bad_target(action *act, const term *t) {
    char text[160];
    term_format(t, text, sizeof text);
    return action_refuse(act, "designator_reference_failure", NULL, "%s is no target of %s", text,
                         action_names()[act->kind]);
}

static status plan_joints(arm_motion *a, const term *list) {
    double q[7];
    if (term_list_length(list) != 7)
        return action_refuse(a->act, "designator_reference_failure", NULL,
                             "joints takes a list of seven numbers");
    for (size_t i = 0; i < 7; i++) {
        const robot_joint *j =
            &a->act->m->robot->joints[a->act->m->robot->arms[a->act->arm].joints[i]];
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
    return strcmp(to->text, "above") == 0 ? plan_above(a, o) : plan_grasp(a, o);
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
        if (go_to(a, act->m->robot->arms[act->arm].park))
            return OK;
        // Something stands where it would park: close to the body will do.
        a->knots.count = 0;
        return plan_carry(a);
    }
    if (term_is_symbol(to, "carry"))
        return plan_carry(a);
    if (term_is(to, "above", 1) || term_is(to, "grasp", 1))
        return plan_with_object(a, to);
    if (term_is(to, "over", 1) || term_is(to, "release", 1))
        return plan_with_place(a, to, t, err);
    if ((term_is(to, "lift", 1) || term_is(to, "raise", 1)) && term_number(to->args[0], &by))
        return plan_vertical(a, by);
    if (term_is(to, "lower", 1) && term_number(to->args[0], &by))
        return plan_vertical(a, -by);
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
    joints_planned(m, act->arm, a.q0);
    act->motion.axes = 7;
    for (int i = 0; i < 7; i++)
        act->joints[i] = m->robot->arms[act->arm].joints[i];
    if (a.h.name)
        snprintf(act->object, sizeof act->object, "%s", a.h.name);
    chain c;
    chain_init(&c, m->robot, act->arm, belief_links(m->belief));
    pose frames[8];
    chain_forward(&c, a.q0, frames);
    trajectory_add(&act->motion, a.q0, frames[7].p, true);
    status s = plan_target(&a, to, t, err);
    if (s == OK && !act->refused) {
        for (size_t k = 0; k < a.knots.count; k++) {
            const knot *n = &a.knots.items[k];
            trajectory_add(&act->motion, n->q, n->hand, n->corner);
        }
        const char *f = to->text;
        bool near = a.straight || strcmp(f, "grasp") == 0 || strcmp(f, "lift") == 0 ||
                    strcmp(f, "raise") == 0 || strcmp(f, "lower") == 0 || strcmp(f, "release") == 0;
        motion_limits limits;
        joint_limits(m, act->joints, 7, &limits);
        limits.hand_velocity = argument_number(args, count, "speed", near ? 0.25 : 0.8);
        limits.hand_acceleration = argument_number(args, count, "acceleration", near ? 1 : 2);
        start_motion(act, &limits);
    }
    array_finish(&a.knots);
    return s;
}
