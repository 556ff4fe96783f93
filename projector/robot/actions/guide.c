// projector/robot/actions/guide.c - guide: a person leads the hand, and the arm yields.
//
// The arm floats: springs hold the hand's orientation alone. The person is the plan's: a hand on a
// spring that goes along a line, or from point to point, and pulls no harder than it can. What
// keeps the arm from things is its own controller.
#include "projector/robot/actions/action_int.h"
#include "projector/robot/planning/arm_plan.h"

#include <math.h>

static const double TURN = 60; // N m/rad that keep the hand's orientation

// Refuses a margin that the arm does not keep from the map where it begins: it would be thrown
// back.
static status check_margin(action *act, double margin) {
    const mind *m = act->m;
    double q[AXES_MAX];
    arm_scene s;
    held h = held_by(m, act->arm);
    joints_planned(m, act->arm, q);
    arm_scene_init(&s, m, act->arm, belief_robot(m->belief), &h, hand_opening(m, act->arm), h.name,
                   margin, "guide");
    const char *near = arm_free(&s, q) ? NULL : owner_name(m, s.blocker);
    const believed_object *thing = near ? belief_find(m->belief, near) : NULL;
    arm_scene_finish(&s);
    if (!thing || !thing->known)
        return OK;
    return action_refuse(act, "designator_reference_failure", thing->name,
                         "%s arm: it begins nearer to %s than its margin of %.3f m; begin farther "
                         "away, or with less",
                         m->robot->arms[act->arm].name, thing->name, margin);
}

// Reads [[Seconds, X, Y, Z], ...], whose times grow. False: it is no such list.
static bool read_path(const term *list, lead_array *out) {
    double before = 0;
    for (; term_is(list, "[|]", 2); list = list->args[1]) {
        double row[4];
        size_t n = 0;
        const term *k = list->args[0];
        for (; n < 4 && term_is(k, "[|]", 2) && term_number(k->args[0], &row[n]); n++)
            k = k->args[1];
        if (n < 4 || !term_is_symbol(k, "[]") || !(row[0] > before))
            return false;
        before = row[0];
        array_push(out, ((lead_point){row[0], v3(row[1], row[2], row[3])}));
    }
    return out->count > 0 && term_is_symbol(list, "[]");
}

static status refuse_path(action *act, const term *path) {
    char text[160];
    term_format(path, text, sizeof text);
    return action_refuse(act, "designator_reference_failure", NULL,
                         "a path of guide is a list of rows [Seconds, X, Y, Z] of numbers, the "
                         "first of which grow from above 0, not %s",
                         text);
}

// Where the hand is `since` seconds after it took the tool: from each point it goes straight to the
// next, with the least jerk that this takes, as people's hands do (Flash & Hogan 1985).
static vec3 path_at(const lead_array *path, double since) {
    lead_point from = {0, v3(0, 0, 0)};
    for (size_t i = 0; i < path->count; i++) {
        const lead_point *to = &path->items[i];
        if (since < to->t) {
            double u = (since - from.t) / (to->t - from.t);
            double share = u * u * u * (10 + u * (6 * u - 15));
            return v3_add(from.by, v3_scale(v3_sub(to->by, from.by), share));
        }
        from = *to;
    }
    return from.by;
}

status guide_begin(action *act, const action_argument *args, size_t count) {
    contact *c = &act->touch;
    const term *way = action_argument_find(args, count, "direction");
    const term *path = action_argument_find(args, count, "path");
    if (way && !term_is_symbol(way, "down") && !term_is_symbol(way, "forward"))
        return action_refuse_target(act, way);
    if (path && !read_path(path, &c->path))
        return refuse_path(act, path);
    if (path && (way || action_argument_find(args, count, "distance") ||
                 action_argument_find(args, count, "speed")))
        return action_refuse(act, "designator_reference_failure", NULL,
                             "guide goes along its path, so direction, distance and speed have no "
                             "place beside it; give either");
    contact_start(act);
    c->way = way && term_is_symbol(way, "forward") ? v3(1, 0, 0) : v3(0, 0, -1);
    c->far = action_argument_number(args, count, "distance", 0.15);
    c->speed = action_argument_number(args, count, "speed", 0.1);
    c->led = action_argument_number(args, count, "force", 30);
    c->press_for = action_argument_number(args, count, "seconds", 1);
    c->springs.margin = action_argument_number(args, count, "margin", 0);
    c->springs.rotation = v3(TURN, TURN, TURN);
    c->lasts = c->path.count ? c->path.items[c->path.count - 1].t : c->far / c->speed;
    c->lasts += c->press_for;
    return c->springs.margin > 0 ? check_margin(act, c->springs.margin) : OK;
}

status guide_step(action *act, nanos t, action_state *state, error *err) {
    mind *m = act->m;
    contact *c = &act->touch;
    double since = seconds(t - act->begun);
    if (since >= c->lasts) {
        *state = ACTION_DONE;
        return contact_hold(act, err);
    }
    vec3 by =
        c->path.count ? path_at(&c->path, since) : v3_scale(c->way, fmin(c->far, c->speed * since));
    command lead = {.kind = COMMAND_LEAD,
                    .lead = {.arm = act->arm, .to = v3_add(c->start.p, by), .force = c->led}};
    status s = m->body->send(m->body->self, &lead, err);
    if (s != OK)
        return s;
    c->sent = true;
    c->springs.place = belief_robot(m->belief);
    return contact_send(act, err);
}
