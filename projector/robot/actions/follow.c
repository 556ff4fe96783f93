// projector/robot/actions/follow.c - follow: an arm is led by an operator's station.
//
// The mind only lends the arm: the coupling moves it in every step of the world, and what it does
// there comes back as readings.
#include "projector/robot/actions/action_int.h"

status follow_begin(action *act, const action_argument *args, size_t count) {
    contact *c = &act->touch;
    const robot_arm *arm = &act->m->robot->arms[act->arm];
    if (!(act->m->follows >> act->arm & 1))
        return action_refuse(act, "designator_reference_failure", NULL,
                             "no station leads the arm %s; projection: needs teleoperation: with "
                             "this robot as follower:",
                             arm->name);
    contact_start(act);
    c->press_for = action_argument_number(args, count, "seconds", 0);
    c->lasts = c->press_for;
    return OK;
}

status follow_send(action *act, bool on, error *err) {
    command c = {.kind = COMMAND_FOLLOW, .follow = {act->arm, on}};
    return act->m->body->send(act->m->body->self, &c, err);
}

status follow_step(action *act, nanos t, action_state *state, action_failure *failure, error *err) {
    contact *c = &act->touch;
    if (act->m->unlinked) {
        failure->class = "manipulation_goal_not_reached";
        snprintf(failure->reason, sizeof failure->reason,
                 "the arm %s follows no more: its link to the station has ended",
                 act->m->robot->arms[act->arm].name);
        *state = ACTION_FAILED;
        return contact_hold(act, err);
    }
    if (c->press_for > 0 && seconds(t - act->begun) >= c->press_for) {
        *state = ACTION_DONE;
        return contact_hold(act, err);
    }
    if (c->follows)
        return OK;
    c->follows = true;
    return follow_send(act, true, err);
}
