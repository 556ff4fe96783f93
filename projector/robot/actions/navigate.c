// projector/robot/actions/navigate.c - navigate: chooses where to stand, plans the way, and follows
// it by odometry.
#include "base/text/text.h"
#include "projector/robot/actions/action_int.h"
#include "projector/belief/places.h"
#include "projector/robot/grasping/grasp.h"
#include "projector/robot/grasping/placing.h"
#include "projector/robot/planning/collision_scene.h"
#include "projector/robot/planning/contact_plan.h"
#include "projector/robot/planning/drive.h"
#include "projector/robot/planning/places.h"
#include "projector/robot/planning/stand.h"

#include <math.h>

static void stand_text(const stand *s, char *out, size_t size) {
    snprintf(out, size, "at(%.3f, %.3f, %.1f)", s->x, s->y, s->yaw * 180 / PI);
}

// Logs the choice of a stand. `passed`: how many better stands no free way leads to.
static status log_stand(action *act, const term *question, const stand_answer *answer,
                        size_t passed, nanos t, error *err) {
    char asked[160], chosen[64], reason[200];
    text_buffer all = {0};
    term_format(question, asked, sizeof asked);
    stand_text(&answer->best, chosen, sizeof chosen);
    text_add(&all, "[%s", chosen);
    for (size_t k = 0; k < answer->other_count; k++) {
        char text[64];
        stand_text(&answer->others[k], text, sizeof text);
        text_add(&all, ", %s", text);
    }
    text_add(&all, "]");
    snprintf(reason, sizeof reason,
             "least cost %.2f of way, distance and posture%s; %zu spots tried, %zu postures in "
             "collision, %zu out of reach",
             answer->best.cost, passed > 0 ? ", of those with a free way" : "", answer->tried,
             answer->collided, answer->unreached);
    status s =
        robot_choice(act->m, act->task, t, "stand", asked, chosen, text_string(&all), reason, err);
    text_finish(&all);
    return s;
}

// Reads the arm that a target names, or `both`; false: it names neither.
static bool arms_named(const mind *m, const term *t, size_t *arm, bool *both) {
    *both = term_is_symbol(t, "both") && m->robot->arm_count > 1;
    int64_t index = *both ? 0 : arm_named(m, t);
    *arm = index < 0 ? 0 : (size_t)index;
    return index >= 0;
}

// Refuses the action as one for which there is nowhere to stand: for what, what was in the way, and
// the closest miss.
static status refuse_stand(action *act, const stand_answer *stands, const char *what) {
    action_refuse(act, "navigation_pose_unreachable", stands->blocker,
                  "nowhere to stand from where %s%s%s", what,
                  stands->blocker[0] ? "; in the way: " : "", stands->blocker);
    return action_add_miss(act, &stands->nearest);
}

// Whether some hand can take an object in one of these ways, wherever the robot stands.
static bool graspable(const mind *m, const believed_object *o, unsigned kinds) {
    grasp_pose grasps[GRASPS_MAX];
    for (size_t k = 0; k < m->robot->arm_count; k++)
        if (grasp_candidates(m, o, k, kinds ? kinds : GRASP_ANY, grasps) > 0)
            return true;
    return false;
}

static size_t widest_hand(const mind *m) {
    size_t best = 0;
    for (size_t k = 1; k < m->robot->arm_count; k++)
        if (m->robot->arms[k].gripper.max_opening > m->robot->arms[best].gripper.max_opening)
            best = k;
    return best;
}

static status to_reach(action *act, const term *to, unsigned kinds, nanos t, stand_answer *out,
                       error *err) {
    mind *m = act->m;
    int64_t joint = term_is(to, "operate", 3) ? door_named(m, to->args[0]) : -1;
    const char *name = joint >= 0 ? m->known->bodies[m->known->joints[joint].body].name
                       : to->args[0]->kind == TERM_SYMBOL ? to->args[0]->text
                                                          : "";
    const believed_object *o = belief_find(m->belief, name);
    if (!o || (term_is(to, "operate", 3) && joint < 0)) {
        char text[160];
        term_format(to->args[0], text, sizeof text);
        return action_refuse(act, "designator_reference_failure", NULL, "%s is %s", text,
                             o ? "neither door nor drawer" : "not believed in");
    }
    snprintf(act->object, sizeof act->object, "%s", o->name);
    if (!o->confirmed)
        return action_refuse(act, "perception_object_not_found", NULL,
                             "%s was not seen where it was believed to be", o->name);
    stand_answer answer = {0};
    char what[160];
    unsigned asked;
    if (term_is(to, "reach", 3)) {
        if (!grasp_kinds(to->args[2], &asked))
            return action_refuse_grasp(act, to->args[2]);
        kinds = asked ? asked : kinds;
    }
    if (term_is(to, "operate", 3)) {
        stand_query q = {.purpose = STAND_REACH,
                         .object = o,
                         .kinds = kinds,
                         .operates = true,
                         .joints = act->posture};
        if (!arms_named(m, to->args[2], &q.arm, &q.both) || q.both ||
            !term_number(to->args[1], &q.to))
            return action_refuse_target(act, to);
        q.to = door_goal(m, (size_t)joint, q.to);
        stand_search(m, &q, &answer);
    } else if (to->arity >= 2) {
        stand_query q = {
            .purpose = STAND_REACH, .object = o, .kinds = kinds, .joints = act->posture};
        if (!arms_named(m, to->args[1], &q.arm, &q.both))
            return action_refuse_target(act, to);
        stand_search(m, &q, &answer);
    } else if (arm_choose(m, o, kinds, act->task, t, &answer, err) == -2) {
        return E_IO;
    }
    if (!answer.found && !graspable(m, o, kinds)) {
        grasp_none(m, o, widest_hand(m), kinds, what, sizeof what);
        return action_refuse(act, "navigation_pose_unreachable", NULL,
                             "nowhere to stand from where %s can be grasped: %s", o->name, what);
    }
    if (!answer.found) {
        snprintf(what, sizeof what, "%s can be grasped (%zu spots tried, %zu in collision)",
                 o->name, answer.tried, answer.collided);
        return refuse_stand(act, &answer, what);
    }
    *out = answer;
    return OK;
}

// Whether a place has more than one spot: it is described, wide, or a region about whose centre
// some way off is as good.
static bool has_spots(const mind *m, const term *where, const believed_place *place) {
    const double wide = 0.15; // m, half the width
    if (belief_describes(m->belief, where))
        return true;
    const term *region = term_is(where, "within", 1) ? where->args[0] : NULL;
    int64_t k =
        region && region->kind == TERM_SYMBOL ? world_find_region(m->known, region->text) : -1;
    return (k >= 0 && m->known->regions[k].tolerance > 0) ||
           ((region || term_is(where, "on", 1)) && fmax(place->half_x, place->half_y) > wide);
}

static status to_place(action *act, const term *to, nanos t, stand_answer *out, error *err) {
    mind *m = act->m;
    believed_place place;
    error why = {0};
    stand_query q = {.purpose = STAND_PLACE, .place = &place, .joints = act->posture};
    if (!arms_named(m, to->args[1], &q.arm, &q.both))
        return action_refuse_target(act, to);
    const believed_object *held_one = belief_held(m->belief, q.arm, NULL);
    status s =
        robot_locate(m, to->args[0], held_one ? held_one->name : NULL, act->task, t, &place, &why);
    if (s == E_INPUT || s == E_INFEASIBLE)
        return action_refuse(act, "designator_reference_failure", NULL, "%s", why.text);
    if (s != OK)
        return error_set(err, s, "%s", why.text);
    place_text(&place, place.at, act->location, sizeof act->location);
    held h = held_by(m, q.arm);
    if (!h.kind)
        return action_refuse(act, "navigation_pose_unreachable", NULL,
                             "the %s hand holds nothing to put down", m->robot->arms[q.arm].name);
    snprintf(act->object, sizeof act->object, "%s", h.name);
    stand_search(m, &q, out);
    // Where the middle of a wide place is out of reach or taken, any other spot of it is as good.
    if (!out->found && !q.both && has_spots(m, to->args[0], &place) &&
        robot_locate_reached(m, to->args[0], q.arm, act->task, t, &place, &why) == OK) {
        place_text(&place, place.at, act->location, sizeof act->location);
        stand_search(m, &q, out);
    }
    if (out->found)
        return OK;
    char what[160];
    snprintf(what, sizeof what, "%s can be put on %s there", h.name, place.support);
    return refuse_stand(act, out, what);
}

static status to_wipe(action *act, const term *to, stand_answer *out) {
    mind *m = act->m;
    wipe_rows rows;
    int64_t arm = arm_named(m, to->args[1]);
    if (arm < 0 || !wipe_rows_lay(m, (size_t)arm, to->args[0], 0, &rows))
        return action_refuse_target(act, to);
    stand_query q = {
        .purpose = STAND_WIPE, .arm = (size_t)arm, .rows = &rows, .joints = act->posture};
    stand_search(m, &q, out);
    return out->found ? OK : refuse_stand(act, out, "all of it can be wiped");
}

static status to_pour(action *act, const term *to, stand_answer *out) {
    mind *m = act->m;
    const believed_object *into =
        to->args[0]->kind == TERM_SYMBOL ? belief_find(m->belief, to->args[0]->text) : NULL;
    int64_t arm = arm_named(m, to->args[1]);
    if (!into || arm < 0)
        return action_refuse_target(act, to);
    if (!into->confirmed)
        return action_refuse(act, "perception_object_not_found", NULL,
                             "%s was not seen where it was believed to be", into->name);
    held h = held_by(m, (size_t)arm);
    if (!h.kind)
        return action_refuse(act, "navigation_pose_unreachable", NULL,
                             "the %s hand holds nothing to pour from", m->robot->arms[arm].name);
    snprintf(act->object, sizeof act->object, "%s", h.name);
    stand_query q = {
        .purpose = STAND_POUR, .arm = (size_t)arm, .object = into, .joints = act->posture};
    stand_search(m, &q, out);
    if (out->found)
        return OK;
    char what[160];
    snprintf(what, sizeof what, "%s can be poured into %s", h.name, into->name);
    return refuse_stand(act, out, what);
}

static status to_view(action *act, const term *to, stand_answer *out) {
    mind *m = act->m;
    if (!m->robot->camera.name)
        return action_refuse(act, "navigation_pose_unreachable", NULL, "the robot has no camera");
    stand_query q;
    error why = {0};
    if (view_query(m, to->args[0], &q, &why) != OK)
        return to->args[0]->kind == TERM_COMPOUND
                   ? action_refuse(act, "designator_reference_failure", NULL, "%s", why.text)
                   : action_refuse_target(act, to);
    stand_search(m, &q, out);
    return out->found ? OK : refuse_stand(act, out, "it is in view");
}

static status to_described(action *act, const term *to, nanos t, stand_answer *out, error *err) {
    pose at;
    error why = {0};
    status s = robot_stand_at(act->m, to, act->task, t, &at, &why);
    if (s == E_INPUT || s == E_INFEASIBLE)
        return action_refuse(act, "designator_reference_failure", NULL, "%s", why.text);
    if (s != OK)
        return error_set(err, s, "%s", why.text);
    *out = (stand_answer){.found = true, .best = {at.p.x, at.p.y, quat_yaw(at.q), 0}};
    return OK;
}

static status find_stand(action *act, const term *to, unsigned kinds, nanos t, stand_answer *out,
                         error *err) {
    double v[3];
    if (term_is(to, "reach", 1) || term_is(to, "reach", 2) || term_is(to, "reach", 3) ||
        term_is(to, "operate", 3))
        return to_reach(act, to, kinds, t, out, err);
    if (term_is(to, "place", 2))
        return to_place(act, to, t, out, err);
    if (term_is(to, "wipe", 2))
        return to_wipe(act, to, out);
    if (term_is(to, "pour", 2))
        return to_pour(act, to, out);
    if (term_is(to, "view", 1))
        return to_view(act, to, out);
    if (term_list_length(to) > 0)
        return to_described(act, to, t, out, err);
    bool at = to->kind == TERM_COMPOUND && strcmp(to->text, "at") == 0 && to->arity >= 3 &&
              to->arity <= 5;
    bool any = at && to->arity > 3 && term_is_symbol(to->args[2], "any");
    if (!at)
        return action_refuse_target(act, to);
    v[2] = quat_yaw(belief_robot(act->m->belief).q) * 180 / PI;
    for (int i = 0; i < (any ? 2 : 3); i++)
        if (!term_number(to->args[i], &v[i]))
            return action_refuse_target(act, to);
    *out = (stand_answer){.found = true, .best = {v[0], v[1], v[2] * PI / 180, 0}};
    return OK;
}

bool navigate_serves(mind *m, const term *to, const double *joints, int64_t task, nanos t) {
    static const struct {
        const char *functor;
        uint32_t arity;
    } targets[] = {{"reach", 2}, {"reach", 3}, {"operate", 3},
                   {"place", 2}, {"wipe", 2},  {"pour", 2}};
    bool known = false;
    for (size_t k = 0; k < sizeof targets / sizeof *targets; k++)
        known = known || term_is(to, targets[k].functor, targets[k].arity);
    if (!known)
        return false;
    action *probe = mem_must(1, sizeof *probe);
    *probe = (action){.m = m, .kind = ACTION_navigate, .task = task, .posture = joints};
    stand_answer answer = {0};
    error err = {0};
    bool found =
        find_stand(probe, to, 0, t, &answer, &err) == OK && !probe->refused && answer.found;
    free(probe);
    return found;
}

// Cuts off the last `length` m of a path; a shorter path needs no driving at all.
static void cut_short(trajectory *path, double length) {
    size_t count = path->knots.count;
    double rest = 0;
    while (count > 1 && rest < length) {
        rest += v3_distance(path->knots.items[count - 1].hand, path->knots.items[count - 2].hand);
        count--;
    }
    path->knots.count = count;
}

static double path_length(const trajectory *path) {
    double all = 0;
    for (size_t k = 1; k < path->knots.count; k++)
        all += v3_distance(path->knots.items[k - 1].hand, path->knots.items[k].hand);
    return all;
}

// Leaves the last half a metre of a path out, and what is beyond the first `length` m; true: that
// is more than the half.
static bool cut_approach(trajectory *path, double length) {
    const double left_out = 0.5, least = 0.5; // m; a stop for less than this is none
    cut_short(path, left_out);
    double all = path_length(path);
    if (all < length + least)
        return false;
    cut_short(path, all - length);
    return true;
}

// The distance from the base's middle to the farthest object in a hand, m; 0: the hands are empty.
static double held_reach(const mind *m) {
    vec3 base = belief_robot(m->belief).p;
    double reach = 0;
    for (size_t a = 0; a < m->robot->arm_count; a++) {
        const believed_object *o = belief_held(m->belief, a, NULL);
        if (o)
            reach = fmax(reach, hypot(o->at.p.x - base.x, o->at.p.y - base.y));
    }
    return reach;
}

// Where arms pass by things closer than odometry can be relied on over a way, its last piece is
// left out, to localise before; true: it is.
static bool cut_before_end(const mind *m, trajectory *path, double kept) {
    const double left_out = 0.15, shortest = 0.3, sure = 2.5; // m, m; standard deviations
    double all = path_length(path);
    if (all < shortest || kept >= sure * drive_drift(m, all))
        return false;
    cut_short(path, left_out);
    return true;
}

// Plans the way to the best stand that a free way leads to, and makes that stand the best; *passed:
// how many better ones have none, *kept: what arms keep from things on the way, m. False: no stand
// has a way; *blocker names what is in the way of the best, and *nearest the closest miss of its
// ways.
static bool find_way(action *act, stand_answer *stands, size_t *passed, double *kept,
                     char blocker[64], miss *nearest) {
    const stand first = stands->best;
    size_t count = stands->other_count + 1;
    // A thorough search comes where no stand has a simple way.
    for (size_t n = 0; n < 2 * count; n++) {
        size_t k = n % count;
        stand at = k == 0 ? first : stands->others[k - 1];
        char in_the_way[64];
        if (drive_plan(act->m, belief_robot(act->m->belief), pose_planar(at.x, at.y, at.yaw),
                       n >= count, &act->motion, kept, k == 0 ? blocker : in_the_way,
                       n == 0 ? nearest : NULL)) {
            if (k > 0)
                stands->others[k - 1] = first;
            stands->best = at;
            *passed = k;
            return true;
        }
        trajectory_finish(&act->motion);
        act->motion = (trajectory){0};
    }
    return false;
}

// Whether another robot stands somewhere that plans can lead past.
static bool any_stands(const mind *m) {
    robot_in_way o;
    bool any = false;
    for (size_t i = 0; i < belief_robot_count(m->belief) && !any; i++)
        any = robot_stands_in_way(m, i, &o);
    return any;
}

// Times the path, and sets the goal to its end.
static void time_drive(action *act) {
    const mind *m = act->m;
    double speed = fmin(0.95 * m->robot->base_max_speed, act->speed);
    double acceleration = fmin(0.9 * m->robot->base_max_acceleration, act->acceleration);
    // In turns of the base, too, the objects in the hands keep to both limits.
    double reach = fmax(1e-3, held_reach(m));
    double turn =
        fmin(0.9 * m->robot->base_max_turn, fmin(speed, sqrt(acceleration * reach)) / reach);
    double spin = fmin(0.85 * m->robot->base_max_turn_acceleration, acceleration / reach);
    motion_limits limits = {.velocity = {speed, speed, turn},
                            .acceleration = {acceleration, acceleration, spin},
                            .hand_velocity = speed,
                            .hand_acceleration = acceleration};
    trajectory_time(&act->motion, &limits);
    memcpy(act->goal, act->motion.knots.items[act->motion.knots.count - 1].q,
           3 * sizeof *act->goal);
}

status navigate_begin(action *act, const action_argument *args, size_t count, nanos t, error *err) {
    mind *m = act->m;
    const term *to = action_argument_find(args, count, "to");
    bool short_of = term_is(to, "approach", 1);
    stand_answer stands = {0};
    unsigned kinds;
    const term *kind = action_argument_find(args, count, "grasp"),
               *localises = action_argument_find(args, count, "localise");
    if (!grasp_kinds(kind, &kinds))
        return action_refuse_grasp(act, kind);
    status s = find_stand(act, short_of ? to->args[0] : to, kinds, t, &stands, err);
    if (s != OK || act->refused)
        return s;
    char blocker[64];
    size_t passed = 0;
    miss nearest = {0};
    double kept = INFINITY;
    bool way = find_way(act, &stands, &passed, &kept, blocker, &nearest), past = false;
    // Where other robots leave no way, the base drives up to them, and waits.
    if (!way && any_stands(m)) {
        m->past = EVERY_ROBOT;
        past = way = find_way(act, &stands, &passed, &kept, blocker, &nearest);
        m->past = NULL;
    }
    if (stands.tried > 0)
        s = log_stand(act, short_of ? to->args[0] : to, &stands, passed, t, err);
    if (s != OK)
        return s;
    if (!way && m->robot->base_drive == BASE_FIXED) {
        vec3 here = belief_robot(m->belief).p;
        return action_refuse(
            act, "navigation_pose_unreachable", NULL, "the base is fixed, %.2f m from (%.2f, %.2f)",
            hypot(stands.best.x - here.x, stands.best.y - here.y), stands.best.x, stands.best.y);
    }
    if (!way) {
        action_refuse(act, "navigation_pose_unreachable", blocker,
                      "no free way to (%.2f, %.2f)%s%s", stands.best.x, stands.best.y,
                      blocker[0] ? "; in the way: " : "", blocker);
        return action_add_miss(act, &nearest);
    }
    act->stand = pose_planar(stands.best.x, stands.best.y, stands.best.yaw);
    act->speed = action_argument_number(args, count, "speed", INFINITY);
    act->acceleration = action_argument_number(args, count, "acceleration", riders_acceleration(m));
    act->approach = short_of;
    if (short_of)
        act->stops = cut_approach(
            &act->motion, m->robot->laser.name ? drive_reliance(m, &act->motion) : INFINITY);
    else
        act->stops = localises && term_is_symbol(localises, "true") && m->robot->laser.name &&
                     cut_before_end(m, &act->motion, kept);
    time_drive(act);
    const double *end = act->goal,
                 stood[] = {stands.best.x, stands.best.y, angle_wrap(stands.best.yaw)};
    if (act->stops && !act->approach)
        end = stood;
    if (!act->location[0])
        snprintf(act->location, sizeof act->location, "at(%.4f, %.4f, %.2f)", end[0], end[1],
                 end[2] * 180 / PI);
    act->frames = LOCALISE_SCANS;
    act->moving = true;
    give_way_note(act, past);
    return OK;
}

// Starts on a path that leads from here to act->stand.
static void set_out(action *act, nanos t) {
    if (act->approach)
        act->stops = cut_approach(&act->motion, drive_reliance(act->m, &act->motion));
    time_drive(act);
    act->motion_begun = t;
    act->settled_since = -1;
    act->moving = true;
}

bool navigate_again(action *act, nanos t, char blocker[64]) {
    trajectory other = {0};
    double kept = INFINITY;
    if (!drive_plan(act->m, belief_robot(act->m->belief), act->stand, false, &other, &kept, blocker,
                    NULL)) {
        trajectory_finish(&other);
        return false;
    }
    trajectory_finish(&act->motion);
    act->motion = other;
    act->way.slowed = 0;
    act->way.again = 0;
    act->stalled = 0;
    if (!act->approach)
        act->stops = act->stops && cut_before_end(act->m, &act->motion, kept);
    set_out(act, t);
    nanos enough = t + nanos_from_seconds(2 * act->motion.duration + 5);
    act->deadline = act->deadline > enough ? act->deadline : enough;
    give_way_note(act, false);
    return true;
}

status action_send_twist(action *act, double vx, double vy, double wz, error *err) {
    command c = {.kind = COMMAND_BASE, .base = {vx, vy, wz}};
    return act->m->body->send(act->m->body->self, &c, err);
}

// Plans what is left of the way from where the base has stopped.
static bool plan_rest(action *act, char blocker[64]) {
    trajectory_finish(&act->motion);
    act->motion = (trajectory){0};
    return drive_plan(act->m, belief_robot(act->m->belief), act->stand, !act->approach,
                      &act->motion, NULL, blocker, NULL);
}

// One cycle of a stop on the way: matches the laser with the map, then plans what is left of it.
// Where no way is free from there after all, an approach ends here, and a drive to a stand fails.
static status stop_on_the_way(action *act, nanos t, action_state *state, action_failure *failure,
                              error *err) {
    mind *m = act->m;
    localisation found;
    bool ended;
    char blocker[64];
    status s = localise_step(act, t, &found, &ended, err);
    if (s != OK || !ended)
        return s;
    act->stops = false;
    bool way = plan_rest(act, blocker), past = false;
    if (!way && any_stands(m)) {
        m->past = EVERY_ROBOT;
        past = way = plan_rest(act, blocker);
        m->past = NULL;
    }
    if (!way) {
        *state = act->approach ? ACTION_DONE : ACTION_FAILED;
        failure->class = "navigation_pose_unreachable";
        snprintf(failure->reason, sizeof failure->reason,
                 "no free way for what is left to (%.2f, %.2f); in the way: %s", act->stand.p.x,
                 act->stand.p.y, blocker);
        return OK;
    }
    set_out(act, t);
    give_way_note(act, past);
    return OK;
}

status navigate_step(action *act, nanos t, action_state *state, action_failure *failure,
                     error *err) {
    mind *m = act->m;
    if (act->stops && !act->moving)
        return stop_on_the_way(act, t, state, failure, err);
    bool blocked;
    status given = give_way_step(act, t, &blocked, failure, err);
    if (given != OK)
        return given;
    if (blocked) {
        *state = ACTION_FAILED;
        act->moving = false;
        failure->class = "navigation_way_blocked";
        return action_send_twist(act, 0, 0, 0, err);
    }
    double elapsed = seconds(t - act->motion_begun), q[TRACK_MAX], qd[TRACK_MAX];
    trajectory_at(&act->motion, elapsed, q, qd);
    for (int k = 0; k < 3; k++)
        qd[k] *= 1 - act->way.slowed;
    pose here = belief_robot(m->belief);
    double yaw = quat_yaw(here.q), ex = q[0] - here.p.x, ey = q[1] - here.p.y,
           et = angle_wrap(q[2] - yaw);
    double c = cos(yaw), s = sin(yaw), ahead = c * ex + s * ey, aside = c * ey - s * ex;
    bool differential = m->robot->base_drive == BASE_DIFFERENTIAL;
    double off = hypot(ex, ey), vx, vy, wz;
    // What a differential drive is off to the side at the end stays: it cannot slide there.
    bool there = differential ? fabs(ahead) < 0.008 && fabs(aside) < 0.03 : off < 0.008;
    bool over = elapsed >= act->motion.duration;
    belief_twist(m->belief, &vx, &vy, &wz);
    if (over && there && fabs(et) < 0.01) {
        if (act->settled_since < 0)
            act->settled_since = elapsed;
        if (hypot(vx, vy) < 0.01 && fabs(wz) < 0.02) {
            act->moving = false;
            *state = act->stops ? ACTION_RUNNING : ACTION_DONE;
        }
        return action_send_twist(act, 0, 0, 0, err);
    }
    act->stalled = off > 0.15 || fabs(et) > 0.4 ? act->stalled + seconds(m->cycle) : 0;
    if (act->stalled > 2 || elapsed > act->motion.duration + 6) {
        *state = ACTION_FAILED;
        act->moving = false;
        failure->class = "navigation_goal_not_reached";
        snprintf(failure->reason, sizeof failure->reason,
                 "the base is %.2f m and %.1f degrees off its path", off, fabs(et) * 180 / PI);
        return action_send_twist(act, 0, 0, 0, err);
    }
    // The commanded twist is the path's velocity plus a correction back onto the path.
    const double gain = 2.5;
    double wx = qd[0] + gain * ex, wy = qd[1] + gain * ey, turn = qd[2] + gain * et;
    if (differential) {
        // Kanayama et al. 1990: what it is off to the side turns it back onto the path.
        const double back = 8; // 1/m2
        double forward = c * qd[0] + s * qd[1];
        return action_send_twist(act, forward * cos(et) + gain * ahead, 0,
                                 turn + back * forward * aside, err);
    }
    return action_send_twist(act, c * wx + s * wy, -s * wx + c * wy, turn, err);
}
