// projector/robot/actions/joints.c - motions of joints: they follow a timed path, and end when the
// encoders say that the goal is reached.
#include "projector/robot/actions/action_int.h"

#include <math.h>

static status send_joint(action *act, size_t joint, double position, double velocity, error *err) {
    struct robot_memory *memory = robot_remember(act->m);
    memory->brakes[joint].active = false;
    memory->commanded[joint] = position;
    memory->sent[joint] = true;
    command c = {.kind = COMMAND_JOINT, .joint = {joint, position, velocity}};
    return act->m->body->send(act->m->body->self, &c, err);
}

void motion_limits_init(motion_limits *out, const mind *m, const size_t *joints, size_t axes) {
    *out = (motion_limits){0};
    for (size_t i = 0; i < axes; i++) {
        out->velocity[i] = 0.95 * m->robot->joints[joints[i]].max_velocity;
        out->acceleration[i] = 0.95 * m->robot->joints[joints[i]].max_acceleration;
    }
}

void action_start_motion(action *act, const motion_limits *limits) {
    trajectory_time(&act->motion, limits);
    const knot *last = &act->motion.knots.items[act->motion.knots.count - 1];
    memcpy(act->goal, last->q, act->motion.axes * sizeof *act->goal);
    act->moving = true;
}

void joints_add_line(action *act, const double *from, const double *to) {
    enum { STEPS = 24 };
    for (int n = 0; n <= STEPS; n++) {
        double q[AXES_MAX];
        for (size_t i = 0; i < act->motion.axes; i++)
            q[i] = from[i] + (to[i] - from[i]) * n / STEPS;
        trajectory_add(&act->motion, q, v3(0, 0, 0), n == 0 || n == STEPS);
    }
}

static const char *joint_name(const action *act, size_t axis) {
    return act->m->robot->joints[act->joints[axis]].name;
}

// Says of the first joint of the motion whose effort the robot's own weight takes up, that it does.
// A robot may have less than its file says it needs, as one without its counterbalance.
static void add_weakness(const action *act, char *out, size_t size) {
    const mind *m = act->m;
    const double most = 0.95; // of the effort
    for (size_t i = 0; i < act->motion.axes; i++) {
        const robot_joint *j = &m->robot->joints[act->joints[i]];
        double weight = robot_holding_effort(m->robot, belief_links(m->belief), m->known->gravity,
                                             act->joints[i]);
        if (weight < most * j->max_effort)
            continue;
        const char *unit = j->kind == JOINT_PRISMATIC ? "N" : "N m";
        snprintf(out, size,
                 "; the effort of %s ran out: the robot's own weight takes %.3g of its %.3g %s",
                 j->name, weight, j->max_effort, unit);
        return;
    }
}

status joints_step(action *act, nanos t, action_state *state, action_failure *failure, error *err) {
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
        // Beside its stop a joint cannot be told to go so far beyond its goal that a load is made
        // up for.
        double told = act->goal[i] + act->correction[i];
        tolerance *= told > j->upper || told < j->lower ? 2 : 1;
        there = there && fabs(off) < tolerance && fabs(speed[act->joints[i]]) < 0.03;
        // An offset that a load or friction leaves is corrected slowly.
        if (elapsed > act->motion.duration + 0.2 && fabs(off) > tolerance / 2)
            act->correction[i] = fmax(-0.1, fmin(0.1, act->correction[i] + 0.08 * off));
    }
    if (there) {
        act->moving = false;
        *state = ACTION_DONE;
        return OK;
    }
    // A joint that stays far behind its path is held back by something.
    act->stalled = worst_off > 0.2 ? act->stalled + seconds(m->cycle) : 0;
    if (act->stalled > 1 || elapsed > act->motion.duration + 3) {
        *state = ACTION_FAILED;
        failure->class = "manipulation_goal_not_reached";
        int written =
            snprintf(failure->reason, sizeof failure->reason, "%s is %.3f off where it should be",
                     joint_name(act, worst), worst_off);
        if (written > 0 && (size_t)written < sizeof failure->reason)
            add_weakness(act, failure->reason + written, sizeof failure->reason - (size_t)written);
        for (size_t i = 0; i < act->motion.axes; i++) {
            status s = send_joint(act, act->joints[i], now[act->joints[i]], 0, err);
            if (s != OK)
                return s;
        }
        act->moving = false;
        return OK;
    }
    for (size_t i = 0; i < act->motion.axes; i++) {
        status s = send_joint(act, act->joints[i], q[i] + act->correction[i], qd[i], err);
        if (s != OK)
            return s;
    }
    return OK;
}
