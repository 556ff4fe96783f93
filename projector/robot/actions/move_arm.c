// projector/robot/actions/move_arm.c - move_arm: plans for each of its targets where the arm goes
// and how.
#include "projector/robot/actions/arm_motion.h"
#include "projector/robot/grasping/placing.h"
#include "projector/robot/planning/contact_plan.h"
#include "projector/robot/planning/places.h"

#include <math.h>

static const double APPROACH = 0.10; // m, before a grasp or above a release
// By how much a taken object should rise, and at least, m; with one hand, and with two.
static const double LIFTS[2][2] = {{0.20, 0.07}, {0.14, 0.07}};
// Where a grasp or release is chosen: the distance kept from other things, and how many postures
// are tried for each; at first, and where nothing is found with that. From FALLS_FROM on what is
// put into a container may also fall.
static const struct {
    double margin;
    int postures;
    bool leaves; // the hand can leave what it puts down
} CHOICES[] = {{0.010, 3, true}, {0.004, 3, true}, {0.004, 13, true}, {0.004, 3, false}};
enum { CHOICE_COUNT = sizeof CHOICES / sizeof *CHOICES, FALLS_FROM = 2 };
// Postures that are tried before a handle, where it is said up to where it shall be moved and where
// it is not.
enum { OPERATING = 17, HOLDING = 7 };

static int way_order(const void *a, const void *b) {
    const way *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return (x->which > y->which) - (x->which < y->which);
}

// The grasps by which this arm may take an object: as the argument `grasp` says, else all that one
// hand can do, else those of its own of two handles.
static size_t grasps_of(const arm_motion *a, const believed_object *o, grasp_pose out[GRASPS_MAX]) {
    const mind *m = a->act->m;
    size_t count = grasp_candidates(m, o, a->act->arm, a->kinds, out);
    return count > 0 ? count : grasp_of_pair(m, o, belief_robot(m->belief), a->act->arm, out);
}

static status no_grasp(arm_motion *a, const believed_object *o) {
    char why[160];
    grasp_none(a->act->m, o, a->act->arm, a->kinds, why, sizeof why);
    return arm_motion_refuse(a, why);
}

// How much dearer a way gets for each share of a handle's way that it cannot be followed with these
// margins to the door, m.
static const double OPERATING_MARGINS[2] = {0.04, 0.01}, UNFOLLOWED[2] = {10, 200};
// The share of a handle's way by which it should be possible to follow it beyond the goal.
static const double OPERATING_SPARE = 0.15;

// For a door or drawer, adds other postures for each grasp, up to `postures` for each, and makes
// those cheaper from which the hand can follow the handle farther. Ends with the first posture from
// which that goes well clear of the door all the way to beyond where it shall be moved. Returns how
// many ways there are now; the first `count` are there already.
static size_t prefer_operating(arm_motion *a, arm_scene *s, const believed_object *o,
                               const grasp_pose *grasps, size_t grasp_count, int postures,
                               way *ways, size_t count) {
    const mind *m = a->act->m;
    size_t joint = (size_t)world_joint_of(m->known, (size_t)o->body), found = count, judged = 0;
    const world_joint *j = &m->known->joints[joint];
    vec3 base = belief_robot(m->belief).p;
    double from = belief_world_joint(m->belief, joint, NULL), turn;
    double to = from - j->lower < j->upper - from ? j->upper : j->lower;
    // Neither base nor door will be quite where they are believed to be.
    if (a->operates) {
        double goal = door_goal(m, joint, a->operates_to);
        to = fmax(j->lower, fmin(j->upper, goal + OPERATING_SPARE * (goal - from)));
    }
    bool all = false;
    for (int first = 1; first <= postures && !all; first++) {
        for (; judged < found; judged++) {
            double width = grasps[ways[judged].which].way->width, *down = ways[judged].down;
            arm_arrives(s, ways[judged].q, grasps[ways[judged].which].tool, down);
            for (int k = 0; k < 2 && to != from; k++) {
                double reached = arm_operates(s, down, o, width, joint, from, to,
                                              OPERATING_MARGINS[k], false, &turn, NULL);
                ways[judged].cost += UNFOLLOWED[k] * fabs(to - reached) / fabs(to - from);
                if (reached == to) {
                    all |= a->operates && k == 0;
                    break;
                }
            }
        }
        for (size_t k = 0; k < grasp_count && !all && first < postures && found < GRASPS_MAX; k++) {
            pose tool = grasps[k].tool, before = grasp_before(tool, APPROACH);
            double q[AXES_MAX];
            ways[found].which = k;
            if (!grasp_from_behind(&grasps[k], base) &&
                arm_handle_posture(s, tool, joint, from, to, a->operates, first - 1, q))
                found += arm_motion_way_from(a, s, q, before, &ways[found]);
        }
    }
    return found;
}

// For an object that another hand holds, keeps the ways that leave that hand a way back and these
// fingers room to close. Where none is left, the object must be held out elsewhere.
static size_t keep_leaving(const arm_motion *a, const believed_object *o, const grasp_pose *grasps,
                           way *ways, size_t count) {
    size_t kept = 0;
    for (size_t k = 0; k < count; k++) {
        const grasp_pose *g = &grasps[ways[k].which];
        if (o->hand == (int64_t)a->act->arm || g->way->both > 0 ||
            handing_leaves_free(a, o, ways[k].down, g))
            ways[kept++] = ways[k];
    }
    return kept;
}

// Whether a grasp that is reached by a way also lifts the object, by as much as it should or at
// least.
static bool way_lifts(arm_scene *s, const way *w, const grasp_pose *g, const believed_object *o,
                      int least) {
    held taken = {o->kind, g->in_hand, o->name};
    return arm_lifts(s, w->down, &taken, g->way->width, LIFTS[g->way->both > 0][least]);
}

// The other postures for the grasps of ways of which none lifts the object: the first that does.
static size_t find_lifting(arm_motion *a, arm_scene *s, const grasp_pose *grasps, const way *ways,
                           size_t count, const believed_object *o, int least, way *out) {
    int last = CHOICES[CHOICE_COUNT - 2].postures;
    for (size_t k = 0; k < count; k++)
        for (int n = 1; n < last; n++) {
            const grasp_pose *g = &grasps[ways[k].which];
            out->which = ways[k].which;
            if (arm_motion_way(a, s, g->tool, grasp_before(g->tool, APPROACH), n, n + 1, out) &&
                way_lifts(s, out, g, o, least))
                return 1;
        }
    return 0;
}

static status plan_before(arm_motion *a, const believed_object *o) {
    mind *m = a->act->m;
    grasp_pose grasps[GRASPS_MAX];
    size_t count = grasps_of(a, o, grasps), found = 0;
    if (count == 0)
        return no_grasp(a, o);
    a->except = o->name;
    way ways[GRASPS_MAX];
    vec3 here = belief_robot(m->belief).p;
    arm_scene s = {0};
    for (int pass = 0; pass < CHOICE_COUNT - 1 && found == 0; pass++) { // the last one lets go
        arm_scene_finish(&s);
        arm_motion_scene(a, &s, o->name, CHOICES[pass].margin);
        s.nearest = pass == CHOICE_COUNT - 2 ? &a->nearest : NULL;
        for (size_t k = 0; k < count; k++) {
            if (grasp_from_behind(&grasps[k], here))
                continue;
            // Close to another hand the fingers open no farther than they need to.
            if (o->hand >= 0)
                limb_init(&s.limb, m, a->act->arm, grasps[k].opening, NULL);
            if (arm_motion_way(a, &s, grasps[k].tool, grasp_before(grasps[k].tool, APPROACH), 0,
                               CHOICES[pass].postures, &ways[found]))
                ways[found++].which = k;
        }
        if (grasp_jointed(m, o))
            found = prefer_operating(a, &s, o, grasps, count, a->operates ? OPERATING : HOLDING,
                                     ways, found);
        if (o->hand >= 0)
            found = keep_leaving(a, o, grasps, ways, found);
    }
    // Keeps the three cheapest ways from which the object can also be lifted, or all where there
    // are none. The other hand is left out where two hands take the object, since it lifts too.
    if (grasps[0].way->both > 0)
        collision_scene_drop_arm(&s.collisions);
    qsort(ways, found, sizeof *ways, way_order);
    way lifting[3];
    size_t good = 0;
    bool rises = !grasp_jointed(m, o) && o->hand < 0;
    for (int least = 0; least < 2 && rises && good == 0; least++) {
        for (size_t k = 0; k < found && good < 3; k++)
            if (way_lifts(&s, &ways[k], &grasps[ways[k].which], o, least))
                lifting[good++] = ways[k];
        // Of two hands, neither can go another way up than the other.
        if (good == 0 && found > 0 && grasps[ways[0].which].way->both > 0)
            good = find_lifting(a, &s, grasps, ways, found, o, least, lifting);
    }
    if (good > 0) {
        memcpy(ways, lifting, good * sizeof *ways);
        found = good;
    }
    arm_scene_finish(&s);
    if (found == 0)
        return arm_motion_refuse(a, "no way to grasp it from here");
    return arm_motion_best(a, ways, found) ? OK : arm_motion_refuse(a, "no free path to before it");
}

static status plan_grasp(arm_motion *a, const believed_object *o) {
    grasp_pose grasps[GRASPS_MAX];
    size_t count = grasps_of(a, o, grasps), best = 0;
    if (count == 0)
        return no_grasp(a, o);
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
    return arm_motion_straight(a, grasps[best].tool, o->name, OWNER_NONE)
               ? OK
               : arm_motion_refuse(a, "no straight way to it");
}

static status plan_over(arm_motion *a, const believed_place *place) {
    mind *m = a->act->m;
    place_pose *places = mem_must(PLACES_MAX, sizeof *places);
    size_t count = place_candidates(m, place, &a->h, places, PLACES_MAX, &a->nearest), found = 0,
           at = 0;
    double release = grasp_release(m, a->act->arm, &a->h);
    const char *blocker =
        place_blocker(m, place, &a->h, count ? places[0].object : place->at, &a->nearest);
    if (count > 0 && !blocker)
        a->nearest = (miss){0};
    way ways[8];
    a->touch = owner_of(m, place->support);
    for (int pass = 0; pass < CHOICE_COUNT && !blocker && count > 0 && found == 0; pass++) {
        arm_scene s;
        arm_motion_scene(a, &s, a->h.name, CHOICES[pass].margin);
        s.collisions.touch = owner_of(m, place->support);
        s.nearest = pass == CHOICE_COUNT - 1 ? &a->nearest : NULL;
        // Tries all turns at the spot nearest to the middle that has a way.
        for (size_t k = 0; k < count && found < 8; k++) {
            if (found > 0 && v3_distance(places[k].object.p, places[at].object.p) > 0.02)
                break;
            if (places[k].falls && pass < FALLS_FROM)
                continue;
            pose above = places[k].tool;
            above.p.z += APPROACH;
            if (arm_motion_way(a, &s, places[k].tool, above, 0, CHOICES[pass].postures,
                               &ways[found]) &&
                (!CHOICES[pass].leaves || arm_lets_go(&s, ways[found].down, release))) {
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
        return arm_motion_refuse(a, "nothing can be put there from above");
    }
    if (count == 0)
        return arm_motion_refuse(a, "no room is left there");
    if (found == 0)
        return arm_motion_refuse(a, "the place is out of reach from here");
    return arm_motion_best(a, ways, found)
               ? OK
               : arm_motion_refuse(a, "no free path to above the place");
}

static status plan_release(arm_motion *a, const believed_place *place) {
    mind *m = a->act->m;
    place_pose *places = mem_must(PLACES_MAX, sizeof *places);
    size_t count = place_candidates(m, place, &a->h, places, PLACES_MAX, &a->nearest), best = 0;
    pose tool = belief_tool(m->belief, a->act->arm);
    double least = INFINITY;
    for (size_t k = 0; k < count; k++) {
        places[k].turn = hypot(places[k].tool.p.x - tool.p.x, places[k].tool.p.y - tool.p.y) +
                         0.3 * quat_angle(places[k].tool.q, tool.q);
        if (places[k].turn < least) {
            least = places[k].turn;
            best = k;
        }
    }
    pose object = count ? places[best].object : place->at;
    const char *blocker = place_blocker(m, place, &a->h, object, &a->nearest);
    if (count > 0 && !blocker)
        a->nearest = (miss){0};
    place_text(place, object, a->act->location, sizeof a->act->location);
    // Down to where it stands, or as far as the hand comes where it may fall from there.
    bool found = false;
    for (size_t k = best; k < count && !blocker && !found; k++)
        if (places[k].turn < least + 1e-6)
            found = arm_motion_straight(a, places[k].tool, a->h.name, owner_of(m, place->support));
    free(places);
    if (blocker) {
        snprintf(a->blocker, sizeof a->blocker, "%s", blocker);
        return arm_motion_refuse(a, "nothing can be put there from above");
    }
    if (count == 0)
        return arm_motion_refuse(a, "no room is left there");
    return found ? OK : arm_motion_refuse(a, "no straight way down");
}

// The hand's orientation in the base's frame while it carries: pointing down, or as it is now for
// an object that was not taken from above.
static quat carrying_hand(const arm_motion *a, const chain *c, pose base) {
    const mat3 down = {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};
    pose frames[FRAMES];
    chain_forward(c, a->q0, frames);
    if (!a->h.kind || quat_rotate(frames[TOOL].q, v3(0, 0, 1)).z < -0.9)
        return quat_from_matrix(&down);
    return quat_mul(quat_inverse(base.q), frames[TOOL].q);
}

// Where no posture close to the body holds the object as it is held, it stays where it is: a little
// higher, and closer, if the arm can. Returns the number of ways, 0 or 1.
static size_t carry_near(arm_motion *a, arm_scene *s, pose base, way *out) {
    static const double up[] = {0.1, 0.05, 0}, closer[] = {0.15, 0.1, 0.05, 0};
    pose frames[FRAMES];
    chain_forward(&s->chain, a->q0, frames);
    vec3 toward = v3_sub(base.p, frames[TOOL].p);
    toward.z = 0;
    for (int z = 0; z < 3; z++)
        for (int x = 0; x < 4; x++) {
            pose to = frames[TOOL];
            to.p = v3_add(to.p, v3_add(v3_scale(v3_unit(toward), closer[x]), v3(0, 0, up[z])));
            double q[AXES_MAX] = {0};
            if (!arm_solve(s, to, a->q0, 3, q) || !arm_stands(s, q, 0))
                continue;
            *out = (way){.cost = arm_posture_cost(&s->chain, a->q0, q)};
            memcpy(out->q, q, sizeof out->q);
            return 1;
        }
    return 0;
}

// Plans a posture close to the body, high enough to pass over tables and counters, with the held
// object upright. Returns what there is none of; NULL: it is planned.
static const char *find_carry(arm_motion *a) {
    mind *m = a->act->m;
    static const double ahead[] = {0.42, 0.36, 0.48, 0.54}, height[] = {1.08, 1.0, 1.16};
    pose base = belief_robot(m->belief);
    arm_scene s;
    arm_motion_scene(a, &s, a->h.name, 0.01);
    s.nearest = &a->nearest;
    pose shoulder = pose_mul(s.chain.root, s.chain.origin[0]);
    double side = pose_apply(pose_inverse(base), shoulder.p).y;
    way ways[16];
    size_t found = 0;
    quat hand = carrying_hand(a, &s.chain, base);
    for (int z = 0; z < 3 && found < 4; z++)
        for (int x = 0; x < 4 && found < 4; x++)
            for (int k = 0; k < 8 && found < 12; k++) {
                quat turn = quat_mul(quat_axis_angle(v3(0, 0, 1), k * PI / 4), hand);
                pose tool = pose_mul(base, (pose){v3(ahead[x], 0.7 * side, height[z]), turn});
                double q[AXES_MAX] = {0};
                if (!arm_solve(&s, tool, a->q0, 3, q) || !arm_stands(&s, q, 0))
                    continue;
                memcpy(ways[found].q, q, sizeof q);
                ways[found].goes_down = false;
                ways[found++].cost = arm_posture_cost(&s.chain, a->q0, q);
            }
    if (found == 0 && a->h.kind)
        found = carry_near(a, &s, base, ways);
    arm_scene_finish(&s);
    if (found == 0)
        return "no posture to carry in";
    return arm_motion_best(a, ways, found) ? NULL : "no free path to where it carries";
}

static status plan_carry(arm_motion *a) {
    const char *missing = find_carry(a);
    return missing ? arm_motion_refuse(a, missing) : OK;
}

// The hand's orientation, level and turned by `yaw` in the map. The fingers open to the sides; of
// the two ways round the one that keeps what is held upright, which is the nearer to how it is
// held.
static quat level_hand(double yaw, quat now) {
    vec3 z = v3(cos(yaw), sin(yaw), 0), y = v3(-sin(yaw), cos(yaw), 0), x = v3_cross(y, z);
    if (quat_rotate(now, v3(1, 0, 0)).z * x.z < 0) {
        x = v3_scale(x, -1);
        y = v3_scale(y, -1);
    }
    const mat3 r = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    return quat_from_matrix(&r);
}

// Plans the hand to a point before or beside the body, from where it reaches out level.
static status plan_hold_out(arm_motion *a, const double to[4]) {
    pose base = belief_robot(a->act->m->belief), frames[FRAMES];
    arm_scene s;
    arm_motion_scene(a, &s, a->h.name, 0.01);
    s.nearest = &a->nearest;
    chain_forward(&s.chain, a->q0, frames);
    pose tool = {pose_apply(base, v3(to[0], to[1], to[2])),
                 level_hand(quat_yaw(base.q) + to[3] * PI / 180, frames[TOOL].q)};
    enum { STARTS = 16, WAYS = 4 };
    way ways[WAYS];
    size_t found = 0;
    for (int start = 0; start < STARTS && found < WAYS; start++) {
        double first[AXES_MAX] = {0}, *q = ways[found].q;
        memcpy(first, a->q0, sizeof first);
        if (start > 0)
            ik_start(&s.chain, s.key, start, first);
        ways[found] = (way){0};
        if (!arm_solve(&s, tool, first, 1, q) || !arm_stands(&s, q, 0))
            continue;
        ways[found++].cost = arm_posture_cost(&s.chain, a->q0, q);
    }
    arm_motion_note(a, &s);
    arm_scene_finish(&s);
    if (found == 0)
        return arm_motion_refuse(a, "it cannot hold the hand out there");
    return arm_motion_best(a, ways, found) ? OK : arm_motion_refuse(a, "no free path to there");
}

// Parks the arm, or holds it close to the body where something stands where it would park. Where
// neither keeps well clear of all things, both may come close to them.
static status plan_park(arm_motion *a) {
    const robot_arm *arm = &a->act->m->robot->arms[a->act->arm];
    double q[AXES_MAX] = {0};
    memcpy(q, arm->park, arm->joint_count * sizeof *q);
    for (int close = 0; close < 2; close++) {
        a->well_clear = close == 0;
        if (arm_motion_go(a, q))
            return OK;
        a->knots.count = 0;
        a->nearest = (miss){0};
        if (close == 0 && !find_carry(a))
            return OK;
        a->knots.count = 0;
        a->nearest = (miss){0};
    }
    return plan_carry(a);
}

// The object that the fingers are still about once the other hand has taken it, or the held object;
// NULL: none.
static const char *left_to_other(const arm_motion *a, pose tool) {
    const mind *m = a->act->m;
    for (size_t k = 0; k < m->robot->arm_count && !a->h.kind; k++) {
        const believed_object *o = k == a->act->arm ? NULL : belief_held(m->belief, k, NULL);
        grasp_pose all[GRASPS_MAX];
        if (o && grasp_nearest(all, grasp_candidates(m, o, a->act->arm, GRASP_ANY, all), tool))
            return o->name;
    }
    return a->h.name;
}

// Plans a straight line by an offset, in the map or along the tool's own axes. `least`: the share
// of the offset that is enough where the arm reaches no farther.
static status plan_offset(arm_motion *a, vec3 by, bool own, double least) {
    arm_scene s;
    arm_motion_scene(a, &s, a->h.name, ARM_TOUCH_MARGIN);
    pose frames[FRAMES];
    chain_forward(&s.chain, a->q0, frames);
    arm_scene_finish(&s);
    pose from = frames[TOOL];
    // The hand goes back the way it came, so that it may touch what it has just let go.
    const char *except = own && by.z < 0 ? left_to_other(a, from) : a->h.name;
    vec3 off = own ? quat_rotate(from.q, by) : by;
    for (double share = 1; share > least - 1e-9; share -= 0.25) {
        pose to = {v3_add(from.p, v3_scale(off, share)), from.q};
        if (arm_motion_straight(a, to, except, OWNER_NONE))
            return OK;
    }
    return arm_motion_refuse(a, "no straight way there");
}

// Plans the way of a hand back from what it took, or from what it has let go.
static status plan_back(arm_motion *a, double by) {
    const double least = 0.5; // of the way, where the arm reaches no farther
    if (a->h.kind)
        return plan_offset(a, v3(0, 0, -by), true, least);
    arm_scene s;
    pose frames[FRAMES];
    arm_motion_scene(a, &s, NULL, ARM_TOUCH_MARGIN);
    chain_forward(&s.chain, a->q0, frames);
    arm_scene_finish(&s);
    // The hand goes back the way it came, so that it may touch what it has just let go.
    arm_motion_scene(a, &s, left_to_other(a, frames[TOOL]), ARM_TOUCH_MARGIN);
    collision_scene_relax_start(&s.collisions, &s.limb, frames);
    a->blocker[0] = 0;
    s.nearest = &a->nearest;
    bool found = arm_retreat(&s, a->q0, by, least, &a->knots);
    arm_motion_note(a, &s);
    arm_scene_finish(&s);
    return found ? OK : arm_motion_refuse(a, "no straight way back");
}

static status refuse_limit(arm_motion *a, const robot_joint *j, double q) {
    bool slides = j->kind == JOINT_PRISMATIC;
    return action_refuse(a->act, "manipulation_pose_unreachable", NULL,
                         "%s is outside its limits; closest: %.0f %s past", j->name,
                         fmax(j->lower - q, q - j->upper) * (slides ? 1000 : 180 / PI),
                         slides ? "mm" : "degrees");
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
            return refuse_limit(a, j, q[i]);
    }
    return arm_motion_go(a, q) ? OK : arm_motion_refuse(a, "no free path to these joint positions");
}

static status plan_taught(arm_motion *a, const term *name) {
    const taught *found = taught_for(a->act, name);
    double q[AXES_MAX] = {0};
    if (!found)
        return OK;
    memcpy(q, found->samples.items[0].q, sizeof found->samples.items[0].q);
    return arm_motion_go(a, q) ? OK : arm_motion_refuse(a, "no free path to where it was taught");
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
    if (strcmp(to->text, "offer") == 0)
        return handing_plan_offer(a, o);
    if (a->h.kind && strcmp(a->h.name, o->name) != 0)
        return action_refuse(act, "manipulation_pose_unreachable", NULL,
                             "the hand already holds %s", a->h.name);
    return strcmp(to->text, "grasp") == 0 ? plan_grasp(a, o) : plan_before(a, o);
}

// The container that a target names; NULL: the action was refused.
static const believed_object *container_of(arm_motion *a, const term *name) {
    action *act = a->act;
    const believed_object *into =
        name->kind == TERM_SYMBOL ? belief_find(act->m->belief, name->text) : NULL;
    if (!into) {
        char text[160];
        term_format(name, text, sizeof text);
        action_refuse(act, "designator_reference_failure", NULL, "%s is not believed in", text);
        return NULL;
    }
    if (!into->confirmed) {
        action_refuse(act, "perception_object_not_found", NULL,
                      "%s was not seen where it was believed to be", into->name);
        return NULL;
    }
    snprintf(act->location, sizeof act->location, "%s", into->name);
    return into;
}

static status plan_pouring(arm_motion *a, const term *to, double degrees) {
    const believed_object *into = container_of(a, to->args[0]);
    if (!into)
        return OK;
    return to->arity == 1 ? pouring_plan_over(a, into)
                          : pouring_plan_tilt(a, into, degrees * PI / 180);
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
    status s = robot_locate(m, to->args[0], a->h.name, act->task, t, &place, &why);
    if (s == E_INPUT || s == E_INFEASIBLE)
        return action_refuse(act, "designator_reference_failure", NULL, "%s", why.text);
    if (s != OK)
        return error_set(err, s, "%s", why.text);
    bool over = strcmp(to->text, "over") == 0;
    return over ? plan_over(a, &place) : plan_release(a, &place);
}

static status plan_target(arm_motion *a, const term *to, nanos t, error *err) {
    action *act = a->act;
    double by = 0;
    if (term_is_symbol(to, "park"))
        return plan_park(a);
    if (term_is_symbol(to, "carry"))
        return plan_carry(a);
    if (term_is(to, "before", 2)) {
        if (door_named(act->m, to->args[0]) < 0 || !term_number(to->args[1], &a->operates_to))
            return action_refuse_target(act, to);
        a->operates = true;
        return plan_with_object(a, to);
    }
    if (term_is(to, "before", 1) || term_is(to, "above", 1) || term_is(to, "grasp", 1) ||
        term_is(to, "offer", 1))
        return plan_with_object(a, to);
    if (term_is(to, "over", 1) || term_is(to, "release", 1))
        return plan_with_place(a, to, t, err);
    if ((term_is(to, "lift", 1) || term_is(to, "raise", 1)) && term_number(to->args[0], &by))
        return plan_offset(a, v3(0, 0, by), false, term_is(to, "raise", 1) ? 0.5 : 1);
    if (term_is(to, "lower", 1) && term_number(to->args[0], &by))
        return plan_offset(a, v3(0, 0, -by), false, 1);
    if (term_is(to, "back", 1) && term_number(to->args[0], &by))
        return plan_back(a, by);
    if (term_is(to, "pour_over", 1) || (term_is(to, "tilt", 2) && term_number(to->args[1], &by)))
        return plan_pouring(a, to, by);
    double out[4];
    bool holds_out = term_is(to, "hold_out", 4);
    for (size_t i = 0; holds_out && i < 4; i++)
        holds_out = term_number(to->args[i], &out[i]);
    if (holds_out)
        return plan_hold_out(a, out);
    if (term_is(to, "joints", 1))
        return plan_joints(a, to->args[0]);
    if (term_is(to, "taught", 1))
        return plan_taught(a, to->args[0]);
    return action_refuse_target(act, to);
}

// Stretches a motion to at least `least` s: with time stretched by f, velocities are divided by f
// and accelerations by f^2.
static void slow_down(action *act, motion_limits *limits, double least) {
    if (act->motion.duration >= least || act->motion.duration <= 0)
        return;
    double f = least / act->motion.duration;
    for (size_t i = 0; i < act->motion.axes; i++) {
        limits->velocity[i] /= f;
        limits->acceleration[i] /= f * f;
    }
    limits->hand_velocity /= f;
    limits->hand_acceleration /= f * f;
    action_start_motion(act, limits);
}

status move_arm_begin(action *act, const action_argument *args, size_t count, nanos t, error *err) {
    mind *m = act->m;
    const term *to = action_argument_find(args, count, "to"),
               *line = action_argument_find(args, count, "straight");
    arm_motion a = {.act = act, .h = held_by(m, act->arm), .touch = OWNER_NONE};
    a.except = a.h.name;
    a.straight = line && term_is_symbol(line, "true");
    const term *level = action_argument_find(args, count, "level");
    a.level = level && term_is_symbol(level, "true");
    const term *kind = action_argument_find(args, count, "grasp");
    if (!grasp_kinds(kind, &a.kinds))
        return action_refuse_grasp(act, kind);
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
        motion_limits_init(&limits, m, act->joints, act->motion.axes);
        limits.hand_velocity = action_argument_number(args, count, "speed", near ? 0.25 : 0.8);
        limits.hand_acceleration = action_argument_number(
            args, count, "acceleration", fmin(near ? 1 : 2, riders_acceleration(m)));
        action_start_motion(act, &limits);
        double turning =
            term_is(to, "tilt", 2) ? action_argument_number(args, count, "turning", 30) : 0;
        if (turning > 0)
            slow_down(act, &limits, a.turned * 180 / PI / turning);
    }
    array_finish(&a.knots);
    return s;
}
