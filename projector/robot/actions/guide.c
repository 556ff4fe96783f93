// projector/robot/actions/guide.c - guide: a person leads the hand, and the arm yields.
//
// The arm floats: springs hold the hand's orientation alone. The person is the plan's: a hand on a
// spring that goes along a line, and pulls no harder than it can. What keeps the arm from things is
// its own controller.
#include "projector/robot/actions/action_int.h"

#include <math.h>

static const double TURN = 60; // N m/rad that keep the hand's orientation

status guide_begin(action *act, const action_argument *args, size_t count) {
    contact *c = &act->touch;
    const term *way = action_argument_find(args, count, "direction");
    if (way && !term_is_symbol(way, "down") && !term_is_symbol(way, "forward"))
        return action_refuse_target(act, way);
    contact_start(act);
    c->way = way && term_is_symbol(way, "forward") ? v3(1, 0, 0) : v3(0, 0, -1);
    c->far = action_argument_number(args, count, "distance", 0.15);
    c->speed = action_argument_number(args, count, "speed", 0.1);
    c->led = action_argument_number(args, count, "force", 30);
    c->press_for = action_argument_number(args, count, "seconds", 1);
    c->springs.margin = action_argument_number(args, count, "margin", 0);
    c->springs.rotation = v3(TURN, TURN, TURN);
    c->lasts = c->far / c->speed + c->press_for;
    return OK;
}

status guide_step(action *act, nanos t, action_state *state, error *err) {
    mind *m = act->m;
    contact *c = &act->touch;
    double since = seconds(t - act->begun);
    if (since >= c->lasts) {
        *state = ACTION_DONE;
        return contact_hold(act, err);
    }
    command lead = {
        .kind = COMMAND_LEAD,
        .lead = {.arm = act->arm,
                 .to = v3_add(c->start.p, v3_scale(c->way, fmin(c->far, c->speed * since))),
                 .force = c->led}};
    status s = m->body->send(m->body->self, &lead, err);
    if (s != OK)
        return s;
    c->sent = true;
    c->springs.place = belief_robot(m->belief);
    return contact_send(act, err);
}
