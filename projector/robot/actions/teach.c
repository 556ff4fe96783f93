// projector/robot/actions/teach.c - teach and replay: how an arm moves is remembered under a name,
// and done again.
//
// What is remembered is what the encoders read in each control cycle: the joints, and the tool's
// pose by them. A replay goes by the tool, and not by the joints, so that the hand yields to what
// it meets on its way: springs draw the tool to its pose of each moment, and what the tool leaves
// free of the joints is drawn to their positions of that moment (Elsner et al. 2022, equation 4,
// with the posture held at its first one there). The time of the motion goes on whether the hand
// follows or not.
#include "projector/robot/actions/action_int.h"

#include <math.h>

static const double LEVEL = 0.01;     // m that the torso may stand elsewhere than at the teaching
static const double TURN = 60;        // N m/rad that turn the hand
static const double TURN_AHEAD = 0.2; // rad that they may turn it from where it is
static const double BEGINS = 0.05;    // m, and
static const double BEGINS_TURN =
    0.3;                       // rad from where the motion begins, within which the hand may begin
static const double JOINS = 1; // s in which the hand comes from there to its way
static const double ENDS = 0.01, ENDS_TURN = 0.1; // m, rad from its end at which it is there
static const double PATIENCE = 2;                 // s for which that is waited for

static double torso_of(const mind *m) {
    return m->robot->torso < 0 ? 0 : belief_joints(m->belief)[m->robot->torso];
}

const taught *taught_for(action *act, const term *name) {
    const mind *m = act->m;
    const taught *found = name->kind == TERM_SYMBOL ? taught_find(m, name->text) : NULL;
    char text[64];
    term_format(name, text, sizeof text);
    if (!found)
        action_refuse(act, "designator_reference_failure", NULL,
                      "no motion was taught under the name %s; teach: does that", text);
    else if (found->arm != act->arm)
        action_refuse(act, "designator_reference_failure", NULL,
                      "%s was taught with the %s arm, whose joints the %s arm has not", text,
                      m->robot->arms[found->arm].name, m->robot->arms[act->arm].name);
    else if (fabs(torso_of(m) - found->torso) > LEVEL)
        action_refuse(act, "manipulation_pose_unreachable", NULL,
                      "%s was taught with the torso at %.2f m, and it is at %.2f m; "
                      "move_torso: { to: %.2f } takes it there",
                      text, found->torso, torso_of(m), found->torso);
    return act->refused ? NULL : found;
}

// ---- teach --------------------------------------------------------------------------------------

status teach_begin(action *act, const action_argument *args, size_t count) {
    taught *learnt = &act->touch.taught;
    const term *name = action_argument_find(args, count, "name");
    if (name->kind != TERM_SYMBOL || strlen(name->text) >= sizeof learnt->name) {
        char text[160];
        term_format(name, text, sizeof text);
        return action_refuse(act, "designator_reference_failure", NULL,
                             "a motion is taught under a word of at most %zu bytes, not %s",
                             sizeof learnt->name - 1, text);
    }
    snprintf(learnt->name, sizeof learnt->name, "%s", name->text);
    learnt->arm = act->arm;
    learnt->torso = torso_of(act->m);
    act->touch.lasts = action_argument_number(args, count, "seconds", 0);
    return OK;
}

status teach_step(action *act, nanos t, action_state *state) {
    const mind *m = act->m;
    const robot_arm *arm = &m->robot->arms[act->arm];
    taught_sample now = {.tool = tool_in_base(m, act->arm)};
    for (size_t i = 0; i < arm->joint_count; i++)
        now.q[i] = belief_joints(m->belief)[arm->joints[i]];
    array_push(&act->touch.taught.samples, now);
    if (act->touch.lasts > 0 && seconds(t - act->begun) >= act->touch.lasts) {
        teach_end(act);
        *state = ACTION_DONE;
    }
    return OK;
}

void teach_end(action *act) {
    struct robot_memory *memory = robot_remember(act->m);
    taught *learnt = &act->touch.taught;
    size_t k = 0;
    while (k < memory->taught.count && strcmp(memory->taught.items[k].name, learnt->name) != 0)
        k++;
    if (k < memory->taught.count) {
        array_finish(&memory->taught.items[k].samples);
        memory->taught.items[k] = memory->taught.items[--memory->taught.count];
    }
    if (learnt->samples.count < 2) // no motion
        return;
    array_push(&memory->taught, *learnt);
    *learnt = (taught){0};
}

// ---- replay -------------------------------------------------------------------------------------

// The motion at a time, in samples from its beginning.
static taught_sample taught_at(const taught *motion, double at) {
    size_t before = (size_t)fmin(floor(at), (double)motion->samples.count - 2);
    const taught_sample *a = &motion->samples.items[before], *b = a + 1;
    double part = at - (double)before;
    taught_sample out = {.tool = {v3_add(a->tool.p, v3_scale(v3_sub(b->tool.p, a->tool.p), part)),
                                  quat_slerp(a->tool.q, b->tool.q, part)}};
    for (size_t i = 0; i < ARM_JOINTS_MAX; i++)
        out.q[i] = a->q[i] + part * (b->q[i] - a->q[i]);
    return out;
}

status teach_replay_begin(action *act, const action_argument *args, size_t count) {
    contact *c = &act->touch;
    const term *name = action_argument_find(args, count, "name");
    const taught *motion = taught_for(act, name);
    if (!motion)
        return OK;
    pose first = motion->samples.items[0].tool, now = tool_in_base(act->m, act->arm);
    double off = v3_distance(first.p, now.p), turned = quat_angle(first.q, now.q);
    if (off > BEGINS || turned > BEGINS_TURN)
        return action_refuse(act, "manipulation_pose_unreachable", NULL,
                             "the %s hand is %.2f m and %.0f degrees from where %s begins; "
                             "move_arm: to taught(%s) brings it there",
                             act->m->robot->arms[act->arm].name, off, turned * 180 / PI,
                             motion->name, motion->name);
    contact_start(act);
    snprintf(c->taught.name, sizeof c->taught.name, "%s", motion->name);
    for (size_t i = 0; i < motion->samples.count; i++)
        array_push(&c->taught.samples, motion->samples.items[i]);
    double stiffness = action_argument_number(args, count, "stiffness", 2000);
    c->springs.stiffness = v3(stiffness, stiffness, stiffness);
    c->springs.rotation = v3(TURN, TURN, TURN);
    c->springs.drawn = true;
    c->lead = action_argument_number(args, count, "force", 40) / stiffness;
    c->speed = action_argument_number(args, count, "pace", 1) / seconds(act->m->cycle);
    c->lasts = (double)(motion->samples.count - 1) / c->speed + PATIENCE;
    return OK;
}

// Draws the hand's way from where it began to the taught one.
static pose joined(const contact *c, pose target, double since) {
    double share = fmax(0, 1 - since / JOINS);
    pose first = c->taught.samples.items[0].tool;
    vec3 off = v3_sub(c->start.p, first.p);
    quat turn = quat_mul(c->start.q, quat_inverse(first.q));
    return (pose){v3_add(target.p, v3_scale(off, share)),
                  quat_slerp(target.q, quat_mul(turn, target.q), share)};
}

status teach_replay_step(action *act, nanos t, action_state *state, action_failure *failure,
                         error *err) {
    contact *c = &act->touch;
    const double last = (double)c->taught.samples.count - 1, since = seconds(t - act->begun);
    // The world takes the springs' target to where it is to be at the end of the cycle.
    const double at = fmin((since + seconds(act->m->cycle)) * c->speed, last);
    taught_sample goal = taught_at(&c->taught, at);
    pose target = joined(c, goal.tool, since), now = tool_in_base(act->m, act->arm);
    bool over = at >= last, late = since * c->speed - last > PATIENCE * c->speed;
    // A short motion is over before the hand has joined it: what counts is where the motion ends.
    double left = v3_distance(goal.tool.p, now.p), left_turn = quat_angle(goal.tool.q, now.q);
    if (over && left < ENDS && left_turn < ENDS_TURN) {
        *state = ACTION_DONE;
        return contact_hold(act, err);
    }
    if (late) {
        *state = ACTION_FAILED;
        failure->class = "manipulation_goal_not_reached";
        snprintf(failure->reason, sizeof failure->reason,
                 "the hand is still %.0f mm and %.0f degrees from where %s ends", 1000 * left,
                 left_turn * 180 / PI, c->taught.name);
        return contact_hold(act, err);
    }
    vec3 way = v3_sub(target.p, now.p);
    double off = v3_length(way), turned = quat_angle(target.q, now.q);
    // The springs pull no harder than they may: their target waits for a hand that is held back.
    if (off > c->lead)
        target.p = v3_add(now.p, v3_scale(way, c->lead / off));
    if (turned > TURN_AHEAD)
        target.q = quat_slerp(now.q, target.q, TURN_AHEAD / turned);
    c->springs.target = target;
    memcpy(c->springs.posture, goal.q, sizeof c->springs.posture);
    c->sent = true;
    return contact_send(act, err);
}
