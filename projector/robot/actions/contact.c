// operate, press, wipe: the hand on springs, where what it touches decides its way.
//
// The target goes ahead of the hand, never farther than what the springs may pull with, and waits
// for it. All is planned and followed in the base's frame as it is believed when the action begins:
// the base stands still meanwhile.
#include "projector/robot/robot_int.h"

#include <math.h>

static const double LEAST_PULL = 5; // N, that the springs pull with before something counts as met
static const double FELT = 2;       // N, at the wrist that does
static const double PATIENCE = 2;   // s without progress
static const double LEAVE = 0.1;    // m, back from a handle that was moved
static const double HOVER = 0.03;   // m, over what is wiped
static const double MARGIN = 0.02;  // m, kept from other things on the way there
static const double SETTLE = 0.3;   // s in which a force grows to what it shall be

// ---- Common -------------------------------------------------------------------------------------
static quat quat_of_axes(vec3 x, vec3 y, vec3 z) {
    const mat3 r = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    return quat_from_matrix(&r);
}

// Any frame whose x axis is that way.
static quat frame_along(vec3 x) {
    vec3 other = fabs(x.z) < 0.9 ? v3(0, 0, 1) : v3(1, 0, 0), y = v3_unit(v3_cross(other, x));
    return quat_of_axes(x, y, v3_cross(x, y));
}

static pose tool_in_base(const mind *m, size_t arm) {
    pose tool = robot_tool(m->robot, arm, belief_links(m->belief));
    return pose_mul(pose_inverse(belief_robot(m->belief)), tool);
}

// The force on the hand, as the wrist reads it, in the base's frame; false: it has no such sensor.
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

static status send_springs(action *act, error *err) {
    command c = {.kind = COMMAND_IMPEDANCE, .impedance = act->touch.springs};
    return act->m->body->send(act->m->body->self, &c, err);
}

// The springs let go where the hand is.
status contact_hold(action *act, error *err) {
    contact *c = &act->touch;
    if (!c->sent)
        return OK;
    c->springs.target = tool_in_base(act->m, act->arm);
    c->springs.force = c->springs.torque = v3(0, 0, 0);
    return send_springs(act, err);
}

static status contact_fail(action *act, action_state *state, error *err) {
    *state = ACTION_FAILED;
    return contact_hold(act, err);
}

// From here on springs move the arm: what its joints were told before is over.
static void contact_start(action *act) {
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
    c->progressed = act->begun;
    if (!wrist_force(m, act->arm, &c->bias))
        c->bias = v3(0, 0, 0);
}

// ---- The way of a door's handle -----------------------------------------------------------------
pose joint_tool(const mind *m, size_t joint, double from, double to, double turn, pose tool) {
    pose moved = pose_mul(world_joint_pose(m->known, joint, to),
                          pose_inverse(world_joint_pose(m->known, joint, from)));
    quat turned = quat_exp(v3_scale(quat_log(moved.q), turn));
    return (pose){pose_apply(moved, tool.p), quat_unit(quat_mul(turned, tool.q))};
}

// How far a joint has come from `from` when what was at `start` then is at `now`.
static double joint_at(const mind *m, size_t joint, double from, vec3 start, vec3 now) {
    const world_joint *j = &m->known->joints[joint];
    if (j->kind == WORLD_SLIDER)
        return from + v3_dot(v3_sub(now, start), j->axis);
    vec3 a = v3_sub(start, j->origin.p), b = v3_sub(now, j->origin.p);
    a = v3_sub(a, v3_scale(j->axis, v3_dot(a, j->axis)));
    b = v3_sub(b, v3_scale(j->axis, v3_dot(b, j->axis)));
    return from + atan2(v3_dot(v3_cross(a, b), j->axis), v3_dot(a, b));
}

// Of a point, from the joint's axis; 1 for what slides: metres along per unit of the joint.
static double joint_lever(const mind *m, size_t joint, vec3 point) {
    const world_joint *j = &m->known->joints[joint];
    if (j->kind == WORLD_SLIDER)
        return 1;
    vec3 a = v3_sub(point, j->origin.p);
    return fmax(0.02, v3_length(v3_sub(a, v3_scale(j->axis, v3_dot(a, j->axis)))));
}

// The body that the joint moves, where it is with the joint there, keeps clear of the robot.
static bool door_clear(arm_scene *s, const body_type *kind, pose at, double margin) {
    for (size_t k = 0; k < s->clutter.items.count; k++) {
        const obstacle *o = &s->clutter.items.items[k];
        if (o->owner != OWNER_SELF && o->owner != OWNER_ARM)
            continue;
        for (size_t n = 0; n < kind->shape_count; n++) {
            pose there = pose_mul(at, kind->shapes[n].at);
            double apart = o->radius + shape_radius(&kind->shapes[n]) + margin;
            if (v3_distance(there.p, o->at.p) < apart &&
                shape_gap(&kind->shapes[n], there, o->s, o->at) < margin) {
                s->blocker = OWNER_SELF;
                return false;
            }
        }
    }
    return true;
}

// On springs the arm goes the shortest way, and a joint that has come to its limit stays there.
static bool at_limit(const chain *c, const double q[AXES_MAX]) {
    const double room = 0.05;
    for (size_t i = 0; i < c->count; i++)
        if (q[i] < c->lower[i] + room || q[i] > c->upper[i] - room)
            return true;
    return false;
}

// Follows the handle with one share of the door's turn, as far as it goes.
static double follow_arc(arm_scene *s, const double q[AXES_MAX], const believed_object *o,
                         size_t joint, double from, double to, double margin, double turn,
                         const obstacle *kept, size_t first) {
    pose frames[FRAMES], door = world_joint_pose(s->m->known, joint, from);
    chain_forward(&s->chain, q, frames);
    pose tool = frames[TOOL];
    double way = fabs(to - from) * joint_lever(s->m, joint, tool.p), reached = from;
    double x[AXES_MAX];
    memcpy(x, q, sizeof x);
    int steps = (int)fmax(4, ceil(way / 0.03));
    for (int n = 1; n <= steps; n++) {
        double p = n == steps ? to : from + (to - from) * n / steps, last[AXES_MAX], most = 0;
        pose moved = pose_mul(world_joint_pose(s->m->known, joint, p), pose_inverse(door));
        pose at = pose_mul(moved, o->at);
        for (size_t k = 0; k < o->kind->shape_count; k++)
            s->clutter.items.items[first + k].at = pose_mul(at, o->kind->shapes[k].at);
        // What stands in a drawer comes along.
        for (size_t k = 0; k < first; k++)
            if (kept[k].rides)
                s->clutter.items.items[k].at = pose_mul(moved, kept[k].at);
        memcpy(last, x, sizeof last);
        bool found = ik_descend(&s->chain, joint_tool(s->m, joint, from, p, turn, tool), 0, 30, x);
        for (int i = 0; i < AXES_MAX; i++)
            most = fmax(most, fabs(x[i] - last[i]));
        if (!found || most > 0.6 || at_limit(&s->chain, x) || !arm_free(s, x) ||
            !door_clear(s, o->kind, at, margin))
            break;
        // In the end the hand must also come away from it.
        pose frames_there[FRAMES];
        knot_array away = {0};
        chain_forward(&s->chain, x, frames_there);
        bool leaves = n < steps || arm_track(s, x, grasp_before(frames_there[TOOL], LEAVE), &away);
        array_finish(&away);
        if (leaves)
            reached = p;
    }
    return reached;
}

double arm_operates(arm_scene *s, const double q[AXES_MAX], const believed_object *o, double width,
                    size_t joint, double from, double to, double margin, double *turn) {
    // A bar along the joint's own axis can turn between the pads.
    static const double turns[] = {1, 0.75, 0.5, 0.25, 0};
    const world_joint *j = &s->m->known->joints[joint];
    pose frames[FRAMES];
    limb before = s->limb; // its parts point into s->limb, where it comes back to
    limb_init(&s->limb, s->m, s->arm, width, NULL);
    chain_forward(&s->chain, q, frames);
    size_t first = s->clutter.items.count;
    obstacle *kept = mem_must(first + 1, sizeof *kept);
    if (first > 0)
        memcpy(kept, s->clutter.items.items, first * sizeof *kept);
    for (size_t k = 0; k < o->kind->shape_count; k++) {
        const shape *p = &o->kind->shapes[k];
        array_push(&s->clutter.items, (obstacle){p, pose_mul(o->at, p->at), owner_of(s->m, o->name),
                                                 false, false, 0.004, shape_radius(p)});
    }
    clutter_relax(&s->clutter, &s->limb, frames);
    vec3 along = quat_rotate(frames[TOOL].q, v3(1, 0, 0));
    bool turns_in_hand = j->kind == WORLD_HINGE && fabs(v3_dot(along, j->axis)) > 0.95;
    double best = from;
    *turn = 1;
    for (int k = 0; k < (turns_in_hand ? 5 : 1) && best != to; k++) {
        double reached = follow_arc(s, q, o, joint, from, to, margin, turns[k], kept, first);
        if (fabs(reached - from) > fabs(best - from)) {
            best = reached;
            *turn = turns[k];
        }
    }
    s->clutter.items.count = first;
    if (first > 0)
        memcpy(s->clutter.items.items, kept, first * sizeof *kept);
    free(kept);
    s->limb = before;
    return best;
}

int64_t joint_named(const mind *m, const term *t) {
    if (!t || t->kind != TERM_SYMBOL)
        return -1;
    int64_t joint = world_find_joint(m->known, t->text);
    int64_t body = joint < 0 ? world_find_body(m->known, t->text) : -1;
    return body >= 0 ? world_joint_of(m->known, (size_t)body) : joint;
}

double joint_goal(const mind *m, size_t joint, double given) {
    const world_joint *j = &m->known->joints[joint];
    double v = j->kind == WORLD_HINGE ? given * PI / 180 : given;
    return fmax(j->lower, fmin(j->upper, v));
}

// ---- operate ------------------------------------------------------------------------------------
status begin_operate(action *act, const action_argument *args, size_t count) {
    mind *m = act->m;
    contact *c = &act->touch;
    const term *which = action_argument_find(args, count, "joint");
    int64_t joint = joint_named(m, which);
    double to;
    if (joint < 0)
        return bad_target(act, which);
    if (!term_number(action_argument_find(args, count, "to"), &to))
        return bad_target(act, action_argument_find(args, count, "to"));
    const world_joint *j = &m->known->joints[joint];
    const believed_object *o = belief_find(m->belief, m->known->bodies[j->body].name);
    const char *arm = m->robot->arms[act->arm].name;
    if (!o || !o->kind)
        return bad_target(act, which);
    snprintf(act->object, sizeof act->object, "%s", o->name);
    if (belief_held(m->belief, act->arm, NULL) != o)
        return action_refuse(act, "manipulation_pose_unreachable", NULL,
                             "the %s hand does not hold %s", arm, o->name);
    c->joint = (size_t)joint;
    c->from = c->reached = c->best = c->at = belief_world_joint(m->belief, c->joint, NULL);
    c->to = joint_goal(m, c->joint, to);
    c->sign = c->to >= c->from ? 1 : -1;
    double q[AXES_MAX], width = hand_opening(m, act->arm);
    arm_scene s;
    joints_planned(m, act->arm, q);
    arm_scene_init(&s, m, act->arm, belief_robot(m->belief), NULL, width, o->name, 0.003, "arc");
    double reached = arm_operates(&s, q, o, width, c->joint, c->from, c->to, 0.01, &c->turn);
    int blocker = s.blocker;
    arm_scene_finish(&s);
    const double unit = j->kind == WORLD_HINGE ? 180 / PI : 1;
    if (reached != c->to)
        return action_refuse(act, "manipulation_pose_unreachable",
                             blocker >= 0 ? owner_name(m, blocker) : NULL,
                             "%s arm: %s can be followed only to %.3g %s from here%s%s", arm,
                             o->name, reached * unit, j->kind == WORLD_HINGE ? "degrees" : "m",
                             blocker == OWNER_NONE ? "" : "; in the way: ",
                             blocker >= 0            ? owner_name(m, blocker)
                             : blocker == OWNER_SELF ? "its own body"
                             : blocker == OWNER_ARM  ? "the other arm"
                                                     : "");
    contact_start(act);
    c->held = width;
    c->lever = joint_lever(m, c->joint, pose_apply(c->base, c->start.p));
    c->speed = argument_number(args, count, "speed", 0.1) / c->lever;
    c->springs.stiffness = v3(1000, argument_number(args, count, "stiffness", 400), 400);
    c->springs.stiffness.z = c->springs.stiffness.y;
    c->springs.rotation = v3(20, 20, 20);
    c->lead = argument_number(args, count, "force", 40) / c->springs.stiffness.x / c->lever;
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
    c->reached = joint_at(m, c->joint, c->from, start.p, now.p);
    if (hinge) // past half a turn
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
    if (left < tolerance && c->sign * (c->to - c->at) < tolerance) {
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
    // Ahead of the hand, no farther than the springs may pull; at the goal past it, slowly, where
    // something resists.
    double ahead = c->sign * (c->at - c->reached), rest = c->sign * (c->to - c->at);
    double ramp = fmin(1, seconds(t - act->begun) / SETTLE);
    double speed = c->speed * (rest > 0 ? fmax(0.2, fmin(ramp, rest / (0.5 * c->speed))) : 0.2);
    if (ahead < c->lead)
        c->at += c->sign * fmin(speed * dt, c->lead - ahead);
    pose target = joint_tool(m, c->joint, c->from, c->at, c->turn, start);
    pose next = joint_tool(m, c->joint, c->from, c->at + c->sign * 0.01, c->turn, start);
    pose back = pose_inverse(c->base);
    vec3 along = v3_unit(quat_rotate(back.q, v3_sub(next.p, target.p)));
    c->springs.target = pose_mul(back, target);
    c->springs.frame = frame_along(along);
    c->sent = true;
    return send_springs(act, err);
}

// ---- press --------------------------------------------------------------------------------------
status begin_press(action *act, const action_argument *args, size_t count) {
    contact *c = &act->touch;
    const term *way = action_argument_find(args, count, "direction");
    if (way && !term_is_symbol(way, "down") && !term_is_symbol(way, "forward"))
        return bad_target(act, way);
    contact_start(act);
    c->way = way && term_is_symbol(way, "forward") ? v3(1, 0, 0) : v3(0, 0, -1);
    c->force = argument_number(args, count, "force", 10);
    c->speed = argument_number(args, count, "speed", 0.04);
    c->far = argument_number(args, count, "distance", 0.15);
    c->lasts = argument_number(args, count, "seconds", 1);
    c->springs.frame = frame_along(c->way);
    c->springs.stiffness = v3(argument_number(args, count, "stiffness", 600), 1000, 1000);
    c->springs.rotation = v3(60, 60, 60);
    c->lead = 1.5 * LEAST_PULL / c->springs.stiffness.x;
    const believed_object *o = belief_held(act->m->belief, act->arm, NULL);
    if (o)
        snprintf(act->object, sizeof act->object, "%s", o->name);
    c->lasts += c->far / c->speed;
    act->opening = argument_number(args, count, "seconds", 1);
    return OK;
}

// Moves on until something is met: felt at the wrist, or by what the springs pull with.
static status feel_along(action *act, nanos t, bool *failed, action_failure *failure, error *err) {
    mind *m = act->m;
    contact *c = &act->touch;
    pose now = tool_in_base(m, act->arm);
    double come = v3_dot(v3_sub(now.p, c->start.p), c->way), dt = seconds(m->cycle);
    double lag = c->at - come, pull = lag * c->springs.stiffness.x;
    vec3 f;
    bool felt = wrist_force(m, act->arm, &f) && -v3_dot(v3_sub(f, c->bias), c->way) > FELT;
    c->felt = (felt && pull > 0.3 * LEAST_PULL) || pull > LEAST_PULL ? c->felt + 1 : 0;
    if (c->felt >= 3) {
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
    return send_springs(act, err);
}

// What it presses on gave way.
static bool gave_way(action *act, double depth, action_failure *failure) {
    const contact *c = &act->touch;
    if (depth < c->depth + 0.04)
        return false;
    failure->class = "manipulation_goal_not_reached";
    snprintf(failure->reason, sizeof failure->reason, "what it pressed on gave way by %.0f mm",
             1000 * (depth - c->depth));
    return true;
}

// The force takes the place of the spring along the way.
static status push(action *act, nanos t, error *err) {
    contact *c = &act->touch;
    double grown = fmin(1, seconds(t - c->met_at) / SETTLE);
    c->springs.stiffness.x = 0;
    c->springs.force = v3_scale(c->way, grown * c->force);
    return send_springs(act, err);
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
    if (seconds(t - c->met_at) >= SETTLE + act->opening) {
        *state = ACTION_DONE;
        return contact_hold(act, err);
    }
    return push(act, t, err);
}

// ---- wipe ---------------------------------------------------------------------------------------
static bool wiped_area(const mind *m, const term *where, pose *middle, double *half_x,
                       double *half_y) {
    int64_t region = where->kind == TERM_SYMBOL ? world_find_region(m->known, where->text) : -1;
    if (region >= 0) {
        const world_region *r = &m->known->regions[region];
        *middle = pose_mul(belief_object(m->belief, r->body)->at, r->at);
        *half_x = r->half_x;
        *half_y = r->half_y;
        return true;
    }
    believed_place place;
    error why = {0};
    if (where->kind != TERM_COMPOUND ||
        belief_resolve_location(m->belief, where, &place, &why) != OK)
        return false;
    *middle = place.at;
    *half_x = place.half_x;
    *half_y = place.half_y;
    return true;
}

// The corners of rows up and down over an area, in its own frame, `spacing` apart.
static size_t lay_rows(double half_x, double half_y, double spacing, vec3 *out, size_t most) {
    bool along_x = half_x >= half_y;
    double length = along_x ? half_x : half_y, width = along_x ? half_y : half_x;
    int rows = (int)fmax(1, ceil(2 * width / spacing - 1e-9) + (width > 0 ? 1 : 0));
    size_t count = 0;
    for (int r = 0; r < rows && count + 2 <= most; r++) {
        double b = rows == 1 ? 0 : -width + 2 * width * r / (rows - 1);
        for (int e = 0; e < 2; e++) {
            double a = (e == 0) == (r % 2 == 0) ? -length : length;
            out[count++] = along_x ? v3(a, b, 0) : v3(b, a, 0);
        }
    }
    return count;
}

// The hand can be everywhere on the rows, turned like this, `above` the surface.
static bool rows_reached(arm_scene *s, const double q[AXES_MAX], const vec3 *rows, size_t count,
                         quat turn, double above) {
    knot_array knots = {0};
    double x[AXES_MAX];
    bool found = true;
    memcpy(x, q, sizeof x);
    for (size_t k = 0; k < count && found; k++) {
        pose to = {v3_add(rows[k], v3(0, 0, above)), turn};
        found = arm_track(s, x, to, &knots);
        if (knots.count > 0)
            memcpy(x, knots.items[knots.count - 1].q, sizeof x);
    }
    array_finish(&knots);
    return found;
}

bool lay_wipe(mind *m, size_t arm, const term *where, double spacing, wipe_rows *out) {
    const robot_gripper *g = &m->robot->arms[arm].gripper;
    pose middle;
    double half_x, half_y;
    if (!wiped_area(m, where, &middle, &half_x, &half_y))
        return false;
    // What goes over the surface is wide itself.
    half_x = fmax(0, half_x - g->pad_size.x / 2);
    half_y = fmax(0, half_y - g->pad_size.x / 2);
    spacing = spacing > 0 ? spacing : 2 * g->pad_size.x;
    out->count = lay_rows(half_x, half_y, spacing, out->corners, CORNERS_MAX);
    for (size_t k = 0; k < out->count; k++)
        out->corners[k] = pose_apply(middle, out->corners[k]);
    out->middle = middle;
    return true;
}

bool arm_wipes(arm_scene *s, const double *from, const wipe_rows *rows, double start[AXES_MAX]) {
    const quat down = quat_axis_angle(v3(1, 0, 0), PI);
    double above = s->m->robot->arms[s->arm].gripper.pad_size.z / 2 + HOVER;
    for (int k = 0; k < 8; k++) {
        double yaw = quat_yaw(rows->middle.q) + k * PI / 4;
        quat turn = quat_mul(quat_axis_angle(v3(0, 0, 1), yaw), down);
        pose first = {v3_add(rows->corners[0], v3(0, 0, above)), turn};
        if (ik_solve(&s->chain, first, from, s->key, 3, start) && arm_free(s, start) &&
            rows_reached(s, start, rows->corners, rows->count, turn, above))
            return true;
    }
    return false;
}

status begin_wipe(action *act, const action_argument *args, size_t count) {
    mind *m = act->m;
    contact *c = &act->touch;
    const term *where = action_argument_find(args, count, "region");
    if (!lay_wipe(m, act->arm, where, argument_number(args, count, "spacing", 0), &c->rows))
        return bad_target(act, where);
    if (c->rows.count == CORNERS_MAX)
        return action_refuse(act, "manipulation_pose_unreachable", NULL,
                             "too many rows: at most %d", CORNERS_MAX / 2 - 1);
    term_format(where, act->location, sizeof act->location);
    // Above the first corner, turned as it can go everywhere; from there straight down.
    double q[AXES_MAX], x[AXES_MAX] = {0};
    arm_scene s;
    held h = held_by(m, act->arm);
    joints_planned(m, act->arm, q);
    arm_scene_init(&s, m, act->arm, belief_robot(m->belief), &h, hand_opening(m, act->arm), h.name,
                   MARGIN, "wipe");
    pose frames[FRAMES];
    chain_forward(&s.chain, q, frames);
    clutter_relax(&s.clutter, &s.limb, frames);
    knot_array knots = {0};
    bool found = arm_wipes(&s, q, &c->rows, x) && arm_connect(&s, q, x, &knots);
    act->motion.axes = s.chain.count;
    trajectory_add(&act->motion, q, frames[TOOL].p, true);
    for (size_t n = 0; n < knots.count; n++)
        trajectory_add(&act->motion, knots.items[n].q, knots.items[n].hand, knots.items[n].corner);
    array_finish(&knots);
    int blocker = s.blocker;
    arm_scene_finish(&s);
    if (!found)
        return action_refuse(
            act, "manipulation_pose_unreachable", blocker >= 0 ? owner_name(m, blocker) : NULL,
            "%s arm: not all of %s can be wiped from here%s%s", m->robot->arms[act->arm].name,
            act->location, blocker >= 0 ? "; in the way: " : "",
            blocker >= 0 ? owner_name(m, blocker) : "");
    c->force = argument_number(args, count, "force", 8);
    c->far = 0.06;
    double length = 0;
    for (size_t k = 1; k < c->rows.count; k++)
        length += v3_distance(c->rows.corners[k], c->rows.corners[k - 1]);
    act->opening = argument_number(args, count, "speed", 0.12);
    for (size_t i = 0; i < act->motion.axes; i++)
        act->joints[i] = m->robot->arms[act->arm].joints[i];
    motion_limits limits;
    joint_limits(m, act->joints, act->motion.axes, &limits);
    limits.hand_velocity = 0.5;
    limits.hand_acceleration = fmin(2, riders_acceleration(m));
    start_motion(act, &limits);
    c->lasts = 2 * act->motion.duration + length / act->opening + 10;
    return OK;
}

static void start_rows(action *act) {
    contact *c = &act->touch;
    contact_start(act);
    c->way = v3(0, 0, -1);
    c->speed = 0.04;
    c->springs.frame = frame_along(c->way);
    c->springs.stiffness = v3(600, 1000, 1000);
    c->springs.rotation = v3(60, 60, 60);
    c->lead = 1.5 * LEAST_PULL / c->springs.stiffness.x;
    c->in_contact = true;
}

static status step_wipe(action *act, nanos t, action_state *state, action_failure *failure,
                        error *err) {
    mind *m = act->m;
    contact *c = &act->touch;
    if (!c->in_contact) {
        action_state there = ACTION_RUNNING;
        status s = step_joints(act, t, &there, failure, err);
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
    double lag = v3_length(off), rest = v3_length(way), step = act->opening * seconds(m->cycle);
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
    return push(act, t, err);
}

status step_contact(action *act, nanos t, action_state *state, action_failure *failure,
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
