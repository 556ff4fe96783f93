// projector/robot/actions/track.c - track: the laser follows a pole, wherever it goes.
//
// In each cycle the laser's driver is told where the pole is expected; what it reports enters the
// belief, which places the object there.
#include "projector/robot/actions/action_int.h"
#include "projector/robot/actions/offset.h"

// Reads where the pole is expected: point(X, Y, Z), offset(Robot, X, Y, Z), or an object.
static bool read_expected(action *act, const term *at, pole_sought *out) {
    vec3 p;
    if (term_is(at, "point", 3) && term_number(at->args[0], &p.x) &&
        term_number(at->args[1], &p.y) && term_number(at->args[2], &p.z)) {
        out->at = (pose){p, POSE_IDENTITY.q};
        return true;
    }
    if (offset_read(at, act->location, sizeof act->location, &p)) {
        out->at = (pose){p, POSE_IDENTITY.q};
        out->with = act->location;
        return true;
    }
    const believed_object *o =
        at && at->kind == TERM_SYMBOL ? belief_find(act->m->belief, at->text) : NULL;
    if (!o)
        return false;
    snprintf(act->object, sizeof act->object, "%s", o->name);
    out->object = o->name;
    out->type = o->type;
    out->at = o->at;
    return true;
}

status track_begin(action *act, const action_argument *args, size_t count) {
    mind *m = act->m;
    const term *type = action_argument_find(args, count, "type"),
               *at = action_argument_find(args, count, "at");
    if (!m->robot->laser.name)
        return action_refuse(act, "perception_object_not_found", NULL, "the robot has no laser");
    pole_sought sought = {0};
    if (!read_expected(act, at, &sought))
        return action_refuse_target(act, at);
    if (type && type->kind == TERM_SYMBOL)
        sought.type = type->text;
    if (!sought.type)
        return action_refuse(act, "designator_reference_failure", NULL,
                             "track needs the type of the pole, unless `at` names an object");
    error why = {0};
    if (belief_follow_pole(m->belief, &sought, &why) != OK)
        return action_refuse(act, "designator_reference_failure", NULL, "%.200s", why.text);
    snprintf(act->text, sizeof act->text, "%s", sought.type);
    act->opening = action_argument_number(args, count, "seconds", 0);
    return OK;
}

static status seek_pole(action *act, const pole_state *p, error *err) {
    mind *m = act->m;
    command c = {.kind = COMMAND_POLE};
    if (p->placed) {
        pose base = pose_inverse(belief_robot(m->belief));
        c.pole.type = act->text;
        c.pole.diameter = p->diameter;
        c.pole.expected = pose_mul(base, p->expected);
    }
    return m->body->send(m->body->self, &c, err);
}

status track_end(action *act, nanos t, error *err) {
    mind *m = act->m;
    status s = seek_pole(act, &(pole_state){0}, err);
    return s == OK ? belief_leave_pole(m->belief, act->task, t, err) : s;
}

status track_step(action *act, arena *a, nanos t, action_state *state, const term **result,
                  action_failure *failure, error *err) {
    mind *m = act->m;
    pole_state p;
    belief_pole(m->belief, t, &p);
    if (!act->told) {
        act->told = true;
        command on = {.kind = COMMAND_LASER, .power = {true}};
        status s = m->body->send(m->body->self, &on, err);
        if (s != OK)
            return s;
    }
    if (act->opening <= 0 || seconds(t - act->begun) < act->opening)
        return seek_pole(act, &p, err);
    *state = p.sure ? ACTION_DONE : ACTION_FAILED;
    if (p.sure) {
        *result = term_symbol(a, p.object);
    } else {
        failure->class = "perception_object_not_found";
        snprintf(failure->reason, sizeof failure->reason,
                 "no three scans in a row report %.100s there", act->text);
    }
    return action_cancel(act, t, err);
}
