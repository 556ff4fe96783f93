// projector/robot/actions/accompany.c - accompany: the base keeps to a place beside another robot.
//
// The place moves and turns as the other robot does. The base drives at the place's own velocity,
// with a correction back to it, as navigate follows a path; nothing is planned, so it stops where
// the map leaves no room ahead.
#include "projector/robot/actions/action_int.h"
#include "projector/robot/actions/offset.h"
#include "projector/robot/grasping/grasp.h"
#include "projector/robot/planning/collision_scene.h"
#include "projector/robot/planning/drive.h"

#include <math.h>

static const double GAIN = 1.5;    // 1/s, by which what it is off grows less
static const double AHEAD = 0.4;   // s, for which there shall be room
static const double MISSING = 2.0; // s for which nothing need measure where the other robot is
static const double SMOOTH = 0.3;  // s, of the place's velocity, which is told with noise

// Where the other robot is. False: nothing has told it lately.
static bool find_other(const action *act, nanos t, other_motion *out) {
    return belief_other(act->m->belief, act->object, t, out) && seconds(t - out->seen) <= MISSING;
}

status accompany_begin(action *act, const action_argument *args, size_t count, nanos t) {
    mind *m = act->m;
    const term *to = action_argument_find(args, count, "to");
    vec3 by;
    other_motion other;
    if (!offset_read(to, act->object, sizeof act->object, &by))
        return action_refuse_target(act, to);
    if (m->robot->base_drive != BASE_HOLONOMIC)
        return action_refuse(act, "navigation_pose_unreachable", NULL,
                             "only a base that drives to any side can accompany another robot");
    if (!find_other(act, t, &other))
        return action_refuse(
            act, "navigation_pose_unreachable", NULL,
            "nothing tells where %s is: a tracker has to see both, or a detector %s", act->object,
            act->object);
    act->stand = pose_planar(by.x, by.y, by.z * PI / 180);
    act->speed = fmin(0.95 * m->robot->base_max_speed,
                      action_argument_number(args, count, "speed", INFINITY));
    act->opening = action_argument_number(args, count, "seconds", 0);
    act->moving = true;
    return OK;
}

static status stop_base(action *act, error *err) {
    act->moving = false;
    return action_send_twist(act, 0, 0, 0, err);
}

static status fail_drive(action *act, action_state *state, action_failure *failure, error *err) {
    *state = ACTION_FAILED;
    failure->class = "navigation_goal_not_reached";
    return stop_base(act, err);
}

// Moves the last commanded velocity to another one, in the map, within the limits.
static vec3 within_limits(const action *act, vec3 wanted) {
    double most = act->acceleration * seconds(act->m->cycle), speed = hypot(wanted.x, wanted.y);
    if (speed > act->speed)
        wanted = v3_scale(wanted, act->speed / speed);
    vec3 by = v3_sub(wanted, act->touch.way);
    double change = v3_length(by);
    return change > most ? v3_add(act->touch.way, v3_scale(by, most / change)) : wanted;
}

status accompany_step(action *act, nanos t, action_state *state, action_failure *failure,
                      error *err) {
    mind *m = act->m;
    contact *c = &act->touch;
    pose here = belief_robot(m->belief);
    other_motion other;
    if (act->opening > 0 && seconds(t - act->begun) >= act->opening) {
        *state = ACTION_DONE;
        return stop_base(act, err);
    }
    if (!find_other(act, t, &other)) {
        snprintf(failure->reason, sizeof failure->reason, "nothing tells any more where %s is",
                 act->object);
        return fail_drive(act, state, failure, err);
    }
    // What stands on a thing that the hands hold shall not slide.
    act->acceleration = fmin(0.9 * m->robot->base_max_acceleration, riders_acceleration(m));
    pose place = pose_mul(other.at, act->stand);
    vec3 arm = v3_sub(place.p, other.at.p);
    vec3 speed = v3_add(other.speed, v3(-other.spin * arm.y, other.spin * arm.x, 0));
    double share = fmin(1, seconds(m->cycle) / SMOOTH);
    c->drift = v3_add(c->drift, v3_scale(v3_sub(speed, c->drift), share));
    vec3 off = v3_sub(place.p, here.p);
    off.z = 0;
    // It brakes in time: no faster towards the place than it can stop within what is left.
    double left = v3_length(off), most = sqrt(2 * 0.5 * act->acceleration * left);
    vec3 back = v3_scale(off, left > 0 ? fmin(GAIN, most / left) : 0);
    c->way = within_limits(act, v3_add(c->drift, back));
    vec3 then = v3_add(here.p, v3_scale(c->way, AHEAD));
    int owner = -1;
    m->past = act->object;
    double clear = base_clearance(m, then.x, then.y, &owner);
    m->past = NULL;
    if (clear < base_clearance_least(m)) {
        snprintf(failure->reason, sizeof failure->reason, "no room beside %s; in the way: %s",
                 act->object, owner >= 0 ? owner_name(m, owner) : "something");
        return fail_drive(act, state, failure, err);
    }
    double yaw = quat_yaw(here.q), turn = angle_wrap(quat_yaw(place.q) - yaw);
    double spin = fmax(-0.5, fmin(0.5, GAIN * turn)) * fmin(1, m->robot->base_max_turn / 0.5);
    return action_send_twist(act, cos(yaw) * c->way.x + sin(yaw) * c->way.y,
                             cos(yaw) * c->way.y - sin(yaw) * c->way.x, spin, err);
}
