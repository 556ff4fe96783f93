// projector/robot/actions/contact.c - operate, press and wipe: the hand moves on springs (Cartesian
// impedance), so that the surface or handle that it touches decides its way. The springs' target
// goes ahead of the hand, no farther than their largest pull allows, and waits for the hand.
// Planning and control use the base's frame as it is believed when the action begins, since the
// base stands still meanwhile.
#include "projector/robot/actions/action_int.h"
#include "projector/robot/grasping/grasp.h"
#include "projector/robot/planning/arm_plan.h"

#include <math.h>

static const double LEAST_PULL = 5; // N, pull of the springs at which something counts as met
static const double FELT = 2;       // N, force at the wrist at which something counts as met
static const double PATIENCE = 2;   // s without progress after which the action fails
// Distance kept from other things on the way there, m, and where there is no way with that.
static const double MARGINS[] = {0.02, 0.006};
static const double SETTLE = 0.3;     // s in which a force grows to its full size
static const double GIVEN_WAY = 0.04; // m past the surface's first place: the surface has moved
static const int FELT_CYCLES = 3;     // in a row; a single reading of the wrist may be noise
// The share of its tolerance within which a joint is quite there, and s without progress after
// which it comes no closer.
static const double QUITE = 0.25, STANDS = 0.3;
// Stiffness of the hand that presses: N/m along its way unless the plan says it, and across, where
// the hand shall keep its line; N m/rad, by which it keeps its orientation.
static const double PRESS_ALONG = 600, PRESS_ACROSS = 1000, PRESS_TURN = 60;
// Stiffness of the hand at a handle: N/m along its path, and N m/rad, soft so that the handle turns
// the hand. Across the path the plan says it, 400 N/m unless given.
static const double HANDLE_ALONG = 1000, HANDLE_TURN = 20;

// ---- Common -------------------------------------------------------------------------------------
static quat quat_of_axes(vec3 x, vec3 y, vec3 z) {
    const mat3 r = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    return quat_from_matrix(&r);
}

// An orientation whose x axis is `x`; the other axes are arbitrary.
static quat frame_along(vec3 x) {
    vec3 other = fabs(x.z) < 0.9 ? v3(0, 0, 1) : v3(1, 0, 0), y = v3_unit(v3_cross(other, x));
    return quat_of_axes(x, y, v3_cross(x, y));
}

pose tool_in_base(const mind *m, size_t arm) {
    pose tool = belief_tool(m->belief, arm);
    return pose_mul(pose_inverse(belief_robot(m->belief)), tool);
}

// Gives the force on the hand as the wrist's sensor reads it, in the base's frame. False: the wrist
// has no sensor.
static bool wrist_force(const mind *m, size_t arm, vec3 *out) {
    const wrench_state *w = belief_wrench(m->belief, arm);
    const pose *links = belief_links(m->belief);
    if (!w->read)
        return false;
    quat flange =
        quat_mul(quat_inverse(belief_robot(m->belief).q), links[m->robot->arms[arm].flange].q);
    *out = quat_rotate(flange, w->force);
    return true;
}

static void force_text(const action *act, char *out, size_t size) {
    vec3 f;
    out[0] = 0;
    if (wrist_force(act->m, act->arm, &f))
        snprintf(out, size, "; the wrist feels %.0f N", v3_length(v3_sub(f, act->touch.bias)));
}

status contact_send(action *act, error *err) {
    command c = {.kind = COMMAND_IMPEDANCE, .impedance = act->touch.springs};
    return act->m->body->send(act->m->body->self, &c, err);
}

// Makes the present pose of the hand the springs' target.
status contact_hold(action *act, error *err) {
    contact *c = &act->touch;
    if (c->follows) {
        c->follows = false;
        return follow_send(act, false, err);
    }
    if (!c->sent)
        return OK;
    if (c->led > 0) {
        command release = {.kind = COMMAND_LEAD, .lead = {.arm = act->arm}};
        status s = act->m->body->send(act->m->body->self, &release, err);
        if (s != OK)
            return s;
        c->led = 0;
    }
    c->springs.target = tool_in_base(act->m, act->arm);
    c->springs.force = c->springs.torque = v3(0, 0, 0);
    return contact_send(act, err);
}

static status contact_fail(action *act, action_state *state, error *err) {
    *state = ACTION_FAILED;
    return contact_hold(act, err);
}

// Lets springs move the arm; earlier commands for its joints no longer hold.
void contact_start(action *act) {
    mind *m = act->m;
    contact *c = &act->touch;
    struct robot_memory *memory = robot_remember(m);
    for (size_t i = 0; i < m->robot->arms[act->arm].joint_count; i++) {
        size_t j = m->robot->arms[act->arm].joints[i];
        memory->sent[j] = memory->brakes[j].active = false;
    }
    c->base = belief_robot(m->belief);
    c->start = c->springs.target = tool_in_base(m, act->arm);
    c->springs.arm = act->arm;
    c->springs.frame = POSE_IDENTITY.q;
    c->springs.damping = 1;
    c->springs.place = c->base;
    c->progressed = act->begun;
    if (!wrist_force(m, act->arm, &c->bias))
        c->bias = v3(0, 0, 0);
}

// ---- operate ------------------------------------------------------------------------------------
// Draws the arm to the posture that was planned for where the target is: left alone it would keep
// the one in which it took hold, as far as the hand's way lets it, and come upon the door that way.
static void draw_to_posture(contact *c) {
    double steps = (double)c->postures.count - 1, n = steps * (c->at - c->from) / (c->to - c->from);
    n = fmax(0, fmin(n, steps));
    size_t before = (size_t)fmin(floor(n), steps - 1);
    const knot *k = &c->postures.items[before];
    for (size_t i = 0; i < ARM_JOINTS_MAX; i++)
        c->springs.posture[i] = k[0].q[i] + (n - (double)before) * (k[1].q[i] - k[0].q[i]);
    c->springs.drawn = true;
}

status operate_begin(action *act, const action_argument *args, size_t count) {
    mind *m = act->m;
    contact *c = &act->touch;
    const term *which = action_argument_find(args, count, "joint");
    int64_t joint = door_named(m, which);
    double to;
    if (joint < 0)
        return action_refuse_target(act, which);
    if (!term_number(action_argument_find(args, count, "to"), &to))
        return action_refuse_target(act, action_argument_find(args, count, "to"));
    const world_joint *j = &m->known->joints[joint];
    const believed_object *o = belief_find(m->belief, m->known->bodies[j->body].name);
    const char *arm = m->robot->arms[act->arm].name;
    if (!o || !o->kind)
        return action_refuse_target(act, which);
    snprintf(act->object, sizeof act->object, "%s", o->name);
    if (belief_held(m->belief, act->arm, NULL) != o)
        return action_refuse(act, "manipulation_pose_unreachable", NULL,
                             "the %s hand does not hold %s", arm, o->name);
    c->joint = (size_t)joint;
    c->from = c->reached = c->best = c->at = belief_world_joint(m->belief, c->joint, NULL);
    c->to = door_goal(m, c->joint, to);
    c->sign = c->to >= c->from ? 1 : -1;
    double q[AXES_MAX], width = hand_opening(m, act->arm);
    arm_scene s;
    joints_planned(m, act->arm, q);
    arm_scene_init(&s, m, act->arm, belief_robot(m->belief), NULL, width, o->name, 0.003, "arc");
    miss nearest = {0};
    s.nearest = &nearest;
    // The hand goes about the handle as it keeps the arm farthest from the door.
    static const double margins[] = {0.04, 0.02, 0.01}; // m
    double reached = c->from;
    for (size_t k = 0; k < sizeof margins / sizeof *margins && reached != c->to; k++)
        reached = arm_operates(&s, q, o, width, c->joint, c->from, c->to, margins[k], false,
                               &c->turn, &c->postures);
    int blocker = s.blocker;
    arm_scene_finish(&s);
    const double unit = j->kind == WORLD_HINGE ? 180 / PI : 1;
    char way[64];
    owner_describe(m, blocker, way, sizeof way);
    if (reached != c->to) {
        action_refuse(act, "manipulation_pose_unreachable",
                      blocker >= 0 ? owner_name(m, blocker) : NULL,
                      "%s arm: %s can be followed only to %.3g %s from here%s%s", arm, o->name,
                      reached * unit, j->kind == WORLD_HINGE ? "degrees" : "m",
                      way[0] ? "; in the way: " : "", way);
        return action_add_miss(act, &nearest);
    }
    contact_start(act);
    c->held = width;
    c->lever = door_lever(m, c->joint, pose_apply(c->base, c->start.p));
    c->speed = action_argument_number(args, count, "speed", 0.1) / c->lever;
    c->springs.stiffness =
        v3(HANDLE_ALONG, action_argument_number(args, count, "stiffness", 400), 0);
    c->springs.stiffness.z = c->springs.stiffness.y;
    c->springs.rotation = v3(HANDLE_TURN, HANDLE_TURN, HANDLE_TURN);
    c->lead = action_argument_number(args, count, "force", 40) / c->springs.stiffness.x / c->lever;
    c->lasts = fabs(c->to - c->from) / c->speed;
    return OK;
}

static status end_operate(action *act, nanos t, error *err) {
    mind *m = act->m;
    status s =
        belief_held(m->belief, act->arm, NULL)
            ? belief_note_joint(m->belief, act->touch.joint, act->touch.reached, act->task, t, err)
            : OK;
    return s == OK ? contact_hold(act, err) : s;
}

static status step_operate(action *act, nanos t, action_state *state, action_failure *failure,
                           error *err) {
    mind *m = act->m;
    contact *c = &act->touch;
    const world_joint *j = &m->known->joints[c->joint];
    const gripper_state *g = belief_gripper(m->belief, act->arm);
    bool hinge = j->kind == WORLD_HINGE;
    double dt = seconds(m->cycle), tolerance = hinge ? PI / 180 : 0.004,
           unit = hinge ? 180 / PI : 1;
    pose start = pose_mul(c->base, c->start), now = pose_mul(c->base, tool_in_base(m, act->arm));
    double before = c->reached;
    c->reached = door_position(m, c->joint, c->from, start.p, now.p);
    if (hinge) // the angle may pass half a turn
        c->reached = before + angle_wrap(c->reached - before);
    char force[48];
    force_text(act, force, sizeof force);
    if (g->read && g->opening < c->held / 2 && !g->touch_1 && !g->touch_2) {
        failure->class = "gripper_closed_completely";
        snprintf(failure->reason, sizeof failure->reason, "%s slipped out of %s at %.3g %s",
                 act->object, m->robot->arms[act->arm].gripper.name, c->reached * unit,
                 hinge ? "degrees" : "m");
        return contact_fail(act, state, err);
    }
    double left = c->sign * (c->to - c->reached);
    // Within the tolerance it is done when it is quite there or comes no closer.
    bool there = left < tolerance && c->sign * (c->to - c->at) < tolerance;
    if (there && (left < QUITE * tolerance || seconds(t - c->progressed) > STANDS)) {
        *state = ACTION_DONE;
        return end_operate(act, t, err);
    }
    if (c->sign * (c->reached - c->best) > tolerance / 2) {
        c->best = c->reached;
        c->progressed = t;
    }
    if (seconds(t - c->progressed) > PATIENCE) {
        failure->class = "manipulation_goal_not_reached";
        snprintf(failure->reason, sizeof failure->reason, "%s stays at %.3g %s, not %.3g%s",
                 act->object, c->reached * unit, hinge ? "degrees" : "m", c->to * unit, force);
        status s = end_operate(act, t, err);
        *state = ACTION_FAILED;
        return s;
    }
    // The target goes ahead of the hand, no farther than the springs may pull. It slows down
    // towards the goal, and goes on past the goal at a fifth of its speed where something still
    // holds the hand back.
    double ahead = c->sign * (c->at - c->reached), rest = c->sign * (c->to - c->at);
    double ramp = fmin(1, seconds(t - act->begun) / SETTLE);
    double speed = c->speed * (rest > 0 ? fmax(0.2, fmin(ramp, rest / (0.5 * c->speed))) : 0.2);
    if (ahead < c->lead)
        c->at += c->sign * fmin(speed * dt, c->lead - ahead);
    pose target = door_tool(m, c->joint, c->from, c->at, c->turn, start);
    pose next = door_tool(m, c->joint, c->from, c->at + c->sign * 0.01, c->turn, start);
    pose back = pose_inverse(c->base);
    vec3 along = v3_unit(quat_rotate(back.q, v3_sub(next.p, target.p)));
    c->springs.target = pose_mul(back, target);
    c->springs.frame = frame_along(along);
    if (c->postures.count > 1 && c->to != c->from)
        draw_to_posture(c);
    c->sent = true;
    return contact_send(act, err);
}

// ---- press --------------------------------------------------------------------------------------
// Sets the springs of a hand that goes along `way` until it meets something. The target leads by
// half again what counts as met, so that the pull can grow to that.
static void set_press_springs(contact *c, double along) {
    c->springs.frame = frame_along(c->way);
    c->springs.stiffness = v3(along, PRESS_ACROSS, PRESS_ACROSS);
    c->springs.rotation = v3(PRESS_TURN, PRESS_TURN, PRESS_TURN);
    c->lead = 1.5 * LEAST_PULL / along;
}

status press_begin(action *act, const action_argument *args, size_t count) {
    contact *c = &act->touch;
    const term *way = action_argument_find(args, count, "direction");
    if (way && !term_is_symbol(way, "down") && !term_is_symbol(way, "forward"))
        return action_refuse_target(act, way);
    contact_start(act);
    c->way = way && term_is_symbol(way, "forward") ? v3(1, 0, 0) : v3(0, 0, -1);
    c->force = action_argument_number(args, count, "force", 10);
    c->speed = action_argument_number(args, count, "speed", 0.04);
    c->far = action_argument_number(args, count, "distance", 0.15);
    c->press_for = action_argument_number(args, count, "seconds", 1);
    set_press_springs(c, action_argument_number(args, count, "stiffness", PRESS_ALONG));
    const believed_object *o = belief_held(act->m->belief, act->arm, NULL);
    if (o)
        snprintf(act->object, sizeof act->object, "%s", o->name);
    c->lasts = c->press_for + c->far / c->speed;
    return OK;
}

// Moves on until something is met, which is felt at the wrist or by the pull of the springs.
static status feel_along(action *act, nanos t, bool *failed, action_failure *failure, error *err) {
    mind *m = act->m;
    contact *c = &act->touch;
    pose now = tool_in_base(m, act->arm);
    double come = v3_dot(v3_sub(now.p, c->start.p), c->way), dt = seconds(m->cycle);
    double lag = c->at - come, pull = lag * c->springs.stiffness.x;
    vec3 f;
    bool felt = wrist_force(m, act->arm, &f) && -v3_dot(v3_sub(f, c->bias), c->way) > FELT;
    // What the wrist feels counts once the springs pull a little, too: the hand's own inertia is
    // felt as well.
    c->felt = (felt && pull > 0.3 * LEAST_PULL) || pull > LEAST_PULL ? c->felt + 1 : 0;
    if (c->felt >= FELT_CYCLES) {
        c->met = true;
        c->met_at = t;
        c->depth = come;
        return OK;
    }
    if (come > c->far) {
        *failed = true;
        failure->class = "manipulation_goal_not_reached";
        snprintf(failure->reason, sizeof failure->reason, "nothing was met within %.2f m", c->far);
        return OK;
    }
    if (lag < c->lead)
        c->at += c->speed * fmin(1, seconds(t - act->begun) / SETTLE) * dt;
    c->springs.target.p = v3_add(c->start.p, v3_scale(c->way, c->at));
    c->sent = true;
    return contact_send(act, err);
}

// Returns whether the surface under the hand has given way.
static bool gave_way(action *act, double depth, action_failure *failure) {
    const contact *c = &act->touch;
    if (depth < c->depth + GIVEN_WAY)
        return false;
    failure->class = "manipulation_goal_not_reached";
    snprintf(failure->reason, sizeof failure->reason, "what it pressed on gave way by %.0f mm",
             1000 * (depth - c->depth));
    return true;
}

// Along the way of the hand a constant force replaces the spring.
static status push_on(action *act, nanos t, error *err) {
    contact *c = &act->touch;
    double grown = fmin(1, seconds(t - c->met_at) / SETTLE);
    c->springs.stiffness.x = 0;
    c->springs.force = v3_scale(c->way, grown * c->force);
    return contact_send(act, err);
}

static status step_press(action *act, nanos t, action_state *state, action_failure *failure,
                         error *err) {
    contact *c = &act->touch;
    bool failed = false;
    if (!c->met) {
        status s = feel_along(act, t, &failed, failure, err);
        return s == OK && failed ? contact_fail(act, state, err) : s;
    }
    pose now = tool_in_base(act->m, act->arm);
    if (gave_way(act, v3_dot(v3_sub(now.p, c->start.p), c->way), failure))
        return contact_fail(act, state, err);
    if (seconds(t - c->met_at) >= SETTLE + c->press_for) {
        *state = ACTION_DONE;
        return contact_hold(act, err);
    }
    return push_on(act, t, err);
}

// ---- wipe ---------------------------------------------------------------------------------------
// Plans the way of the hand to above the first corner, turned so that it can pass all rows, and
// from there straight down.
static bool plan_to_rows(action *act, double margin, int *blocker, miss *nearest) {
    const mind *m = act->m;
    double q[AXES_MAX], x[AXES_MAX] = {0};
    arm_scene s;
    held h = held_by(m, act->arm);
    joints_planned(m, act->arm, q);
    arm_scene_init(&s, m, act->arm, belief_robot(m->belief), &h, hand_opening(m, act->arm), h.name,
                   margin, "wipe");
    s.nearest = nearest;
    pose frames[FRAMES];
    chain_forward(&s.chain, q, frames);
    collision_scene_relax_start(&s.collisions, &s.limb, frames);
    knot_array knots = {0};
    bool found = arm_wipes(&s, q, &act->touch.rows, x) && arm_connect(&s, q, x, &knots);
    act->motion.axes = s.chain.count;
    if (found)
        trajectory_add(&act->motion, q, frames[TOOL].p, true);
    for (size_t n = 0; n < knots.count && found; n++)
        trajectory_add(&act->motion, knots.items[n].q, knots.items[n].hand, knots.items[n].corner);
    array_finish(&knots);
    *blocker = s.blocker;
    arm_scene_finish(&s);
    return found;
}

status wipe_begin(action *act, const action_argument *args, size_t count) {
    mind *m = act->m;
    contact *c = &act->touch;
    const term *where = action_argument_find(args, count, "region");
    if (!wipe_rows_lay(m, act->arm, where, action_argument_number(args, count, "spacing", 0),
                       &c->rows))
        return action_refuse_target(act, where);
    if (c->rows.count == CORNERS_MAX)
        return action_refuse(act, "manipulation_pose_unreachable", NULL,
                             "too many rows: at most %d", CORNERS_MAX / 2 - 1);
    term_format(where, act->location, sizeof act->location);
    miss nearest = {0};
    int blocker = OWNER_NONE;
    bool found = plan_to_rows(act, MARGINS[0], &blocker, NULL) ||
                 plan_to_rows(act, MARGINS[1], &blocker, &nearest);
    if (!found) {
        action_refuse(
            act, "manipulation_pose_unreachable", blocker >= 0 ? owner_name(m, blocker) : NULL,
            "%s arm: not all of %s can be wiped from here%s%s", m->robot->arms[act->arm].name,
            act->location, blocker >= 0 ? "; in the way: " : "",
            blocker >= 0 ? owner_name(m, blocker) : "");
        return action_add_miss(act, &nearest);
    }
    c->force = action_argument_number(args, count, "force", 8);
    c->far = 0.06;
    double length = 0;
    for (size_t k = 1; k < c->rows.count; k++)
        length += v3_distance(c->rows.corners[k], c->rows.corners[k - 1]);
    c->wipe_speed = action_argument_number(args, count, "speed", 0.12);
    for (size_t i = 0; i < act->motion.axes; i++)
        act->joints[i] = m->robot->arms[act->arm].joints[i];
    motion_limits limits;
    motion_limits_init(&limits, m, act->joints, act->motion.axes);
    limits.hand_velocity = 0.5;
    limits.hand_acceleration = fmin(2, riders_acceleration(m));
    action_start_motion(act, &limits);
    c->lasts = 2 * act->motion.duration + length / c->wipe_speed + 10;
    return OK;
}

static void start_rows(action *act) {
    contact *c = &act->touch;
    contact_start(act);
    c->way = v3(0, 0, -1);
    c->speed = 0.04;
    set_press_springs(c, PRESS_ALONG);
    c->in_contact = true;
}

static status step_wipe(action *act, nanos t, action_state *state, action_failure *failure,
                        error *err) {
    mind *m = act->m;
    contact *c = &act->touch;
    if (!c->in_contact) {
        action_state there = ACTION_RUNNING;
        status s = joints_step(act, t, &there, failure, err);
        if (there == ACTION_FAILED)
            *state = there;
        if (there == ACTION_DONE)
            start_rows(act);
        return s;
    }
    bool failed = false;
    if (!c->met) {
        status s = feel_along(act, t, &failed, failure, err);
        return s == OK && failed ? contact_fail(act, state, err) : s;
    }
    pose now = tool_in_base(m, act->arm), back = pose_inverse(c->base);
    vec3 goal = pose_apply(back, c->rows.corners[c->corner]), at = c->springs.target.p;
    goal.z = at.z = 0;
    vec3 way = v3_sub(goal, at), off = v3_sub(at, v3(now.p.x, now.p.y, 0));
    if (gave_way(act, v3_dot(v3_sub(now.p, c->start.p), c->way), failure))
        return contact_fail(act, state, err);
    double lag = v3_length(off), rest = v3_length(way), step = c->wipe_speed * seconds(m->cycle);
    if (lag > 0.05 && seconds(t - c->progressed) > PATIENCE) {
        char force[48];
        force_text(act, force, sizeof force);
        failure->class = "manipulation_goal_not_reached";
        snprintf(failure->reason, sizeof failure->reason, "something holds the hand back%s", force);
        return contact_fail(act, state, err);
    }
    if (lag <= 0.05)
        c->progressed = t;
    if (seconds(t - c->met_at) > SETTLE && lag < 0.03) {
        if (rest < 1e-4 && lag < 0.015 && ++c->corner == c->rows.count) {
            *state = ACTION_DONE;
            return contact_hold(act, err);
        }
        if (rest >= 1e-4) {
            vec3 by = v3_scale(way, fmin(1, step / rest));
            c->springs.target.p = v3_add(c->springs.target.p, by);
        }
    }
    return push_on(act, t, err);
}

status contact_step(action *act, nanos t, action_state *state, action_failure *failure,
                    error *err) {
    switch (act->kind) {
    case ACTION_operate:
        return step_operate(act, t, state, failure, err);
    case ACTION_press:
        return step_press(act, t, state, failure, err);
    default:
        return step_wipe(act, t, state, failure, err);
    }
}
