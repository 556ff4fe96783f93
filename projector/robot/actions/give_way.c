// projector/robot/actions/give_way.c - navigate: the base stops before it would meet another robot,
// and goes on when that has gone, or by another way around it.
#include "projector/robot/actions/action_int.h"
#include "projector/robot/planning/collision_scene.h"
#include "projector/robot/planning/drive.h"

#include <math.h>

static const double AHEAD = 3.0;    // s of the path that are looked at
static const double CLEAR = 4.5;    // s of it that have to be free again where the base has stopped
static const double STEP = 0.1;     // s between two instants of it
static const double MARGIN = 0.05;  // m that are kept from a robot that drives
static const double NEARER = 0.05;  // m; what the path brings no nearer than this it does not meet
static const double MOVED = 0.1;    // m from where it was planned past: it stands elsewhere
static const double PATIENCE = 1.0; // s at rest before another way is looked for
static const double COURTESY = 2.0; // s longer where the other one's name comes first
static const double AGAIN = 2.0;    // s between two searches
static const double WAIT_MAX = 30;  // s at rest on one way
static const double SETTLED = 0.3;  // s for which the path has to be free

void give_way_note(action *act, bool past) {
    const mind *m = act->m;
    way_given *w = &act->way;
    size_t count = belief_robot_count(m->belief);
    if (count == 0)
        return;
    w->breadth = robot_breadth(m->robot, NULL);
    for (size_t i = 0; i < count && i < ROBOTS_NOTED; i++) {
        robot_in_way o;
        w->passed[i] = !past && robot_stands_in_way(m, i, &o);
        if (w->passed[i])
            w->stood[i] = o.at;
    }
}

// How near the base's middle may come to another robot's, m. A path that was planned past it has
// room for the arms besides.
static double least_between(const action *act, size_t robot, const robot_in_way *o) {
    const way_given *w = &act->way;
    if (!o->stands)
        return w->breadth + o->radius + MARGIN;
    bool passed = robot < ROBOTS_NOTED && w->passed[robot] &&
                  hypot(o->at.x - w->stood[robot].x, o->at.y - w->stood[robot].y) < MOVED;
    return o->radius + (passed ? act->m->robot->base_radius : w->breadth);
}

// Whether the path meets another robot within the time that is looked ahead.
static bool meets(const action *act, double elapsed, size_t robot, robot_in_way *o) {
    const mind *m = act->m;
    if (!belief_robot_in_way(m->belief, robot, o))
        return false;
    vec3 here = belief_robot(m->belief).p;
    double least = least_between(act, robot, o), q[TRACK_MAX], qd[TRACK_MAX];
    double most = act->way.whom && strcmp(act->way.whom, o->name) == 0 ? CLEAR : AHEAD;
    for (double s = 0; s <= most; s += STEP) {
        trajectory_at(&act->motion, elapsed + s, q, qd);
        // What comes as near to a base that stays where it is does not come by its path.
        vec3 then = v3_add(o->at, v3_scale(o->speed, s));
        double d = hypot(q[0] - then.x, q[1] - then.y);
        if (d < least && d < hypot(here.x - then.x, here.y - then.y) - NEARER)
            return true;
    }
    return false;
}

// Logs what is done about another robot on the path.
static status log_way(const action *act, const char *chosen, const char *reason, nanos t,
                      error *err) {
    char question[100];
    snprintf(question, sizeof question, "passing(%s)", act->way.whom);
    return robot_choice(act->m, act->task, t, "way", question, chosen, "[wait, go_on, another_way]",
                        reason, err);
}

// Whether the path meets another robot, and which: the one that it slows down for already, where it
// meets that, else the first by name. What is free has to be so for a moment.
static bool looks_ahead(action *act, nanos t, robot_in_way *o) {
    const mind *m = act->m;
    way_given *w = &act->way;
    double elapsed = seconds(t - act->motion_begun);
    bool met = false;
    for (size_t i = 0; i < belief_robot_count(m->belief); i++) {
        robot_in_way other;
        if (!meets(act, elapsed, i, &other))
            continue;
        if (!met || other.name == w->whom ||
            (o->name != w->whom && strcmp(other.name, o->name) < 0))
            *o = other;
        met = true;
    }
    if (met) {
        w->met = t;
        return true;
    }
    o->stands = false;
    return w->whom && seconds(t - w->met) < SETTLED;
}

// Waits before a robot, at rest: looks for another way where that stands, or gives up.
static status wait_before(action *act, const robot_in_way *o, nanos t, bool *blocked, error *err) {
    const mind *m = act->m;
    way_given *w = &act->way;
    char blocker[64];
    w->waited += seconds(m->cycle);
    *blocked = w->waited > WAIT_MAX;
    bool courtesy = m->name && strcmp(w->whom, m->name) < 0;
    if (*blocked || !o->stands)
        return OK;
    if (w->again == 0) {
        w->again = t + nanos_from_seconds(PATIENCE + (courtesy ? COURTESY : 0));
    } else if (t >= w->again) {
        w->again = t + nanos_from_seconds(AGAIN);
        if (navigate_again(act, t, blocker)) {
            status s =
                log_way(act, "another_way", "it stands, and there is room around it", t, err);
            w->whom = NULL;
            return s;
        }
    }
    return OK;
}

status give_way_step(action *act, nanos t, bool *blocked, action_failure *failure, error *err) {
    mind *m = act->m;
    way_given *w = &act->way;
    robot_in_way o = {0};
    *blocked = false;
    bool stops = looks_ahead(act, t, &o);
    if (!stops && w->slowed <= 0 && !w->whom)
        return OK;
    status s = OK;
    if (stops && o.name && o.name != w->whom) {
        w->whom = o.name;
        s = log_way(act, "wait",
                    o.stands ? "it stands on the path" : "it will be on the path, as it drives", t,
                    err);
    } else if (!stops && w->whom) {
        s = log_way(act, "go_on", "the path is free", t, err);
        w->whom = NULL;
    }
    // The path's time goes on more slowly, as fast as the base can brake.
    double cycle = seconds(m->cycle), speed = fmin(0.95 * m->robot->base_max_speed, act->speed);
    double change = cycle * fmin(0.9 * m->robot->base_max_acceleration, act->acceleration) / speed;
    w->slowed = stops ? fmin(1, w->slowed + change) : fmax(0, w->slowed - change);
    nanos later = nanos_from_seconds(w->slowed * cycle);
    act->motion_begun += later;
    act->deadline += later;
    if (!stops || w->slowed < 1) {
        w->again = 0;
        return s;
    }
    if (s == OK)
        s = wait_before(act, &o, t, blocked, err);
    if (*blocked) {
        snprintf(failure->blocker, sizeof failure->blocker, "%s", w->whom);
        snprintf(failure->reason, sizeof failure->reason,
                 "the base has waited for %.0f s on its way, and %s is in it", WAIT_MAX, w->whom);
    }
    return s;
}
