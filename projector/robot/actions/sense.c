// projector/robot/actions/sense.c - grippers, detect, localise, wait: actions that end by what is
// felt or seen, or by time.
#include "projector/robot/actions/action_int.h"
#include "projector/robot/grasping/grasp.h"

#include <math.h>

enum { FRAMES_DEFAULT = 12, FRAMES_LEAST = 10 };

static bool number_of(const action_argument *args, size_t count, const char *key, double *out) {
    const term *t = action_argument_find(args, count, key);
    return t && term_number(t, out);
}

static const believed_object *object_of(action *act, const action_argument *args, size_t count) {
    const term *t = action_argument_find(args, count, "object");
    if (!t)
        return NULL;
    const believed_object *o = t->kind == TERM_SYMBOL ? belief_find(act->m->belief, t->text) : NULL;
    if (!o) {
        char text[160];
        term_format(t, text, sizeof text);
        action_refuse(act, "designator_reference_failure", NULL, "%s is not believed in", text);
        return NULL;
    }
    snprintf(act->object, sizeof act->object, "%s", o->name);
    return o;
}

// ---- Grippers -----------------------------------------------------------------------------------
status gripper_begin(action *act, const action_argument *args, size_t count) {
    mind *m = act->m;
    const robot_gripper *g = &m->robot->arms[act->arm].gripper;
    const believed_object *o = object_of(act, args, count);
    if (act->refused)
        return OK;
    if (act->kind == ACTION_open_gripper) {
        act->force = g->max_force;
        act->opening = g->max_opening;
        unsigned kinds;
        const term *kind = action_argument_find(args, count, "grasp");
        if (!grasp_kinds(kind, &kinds))
            return action_refuse_grasp(act, kind);
        pose tool = belief_tool(m->belief, act->arm);
        const believed_object *in_hand = belief_held(m->belief, act->arm, NULL);
        // To let an object go, too, the hand opens no farther than it must: there may be a wall
        // beside it.
        const believed_object *about = o ? o : in_hand;
        double asked = about ? grasp_opening(m, about, act->arm, kinds, tool) : -1, by;
        if (asked >= 0)
            act->opening = asked;
        if (number_of(args, count, "by", &by))
            act->opening = hand_opening(m, act->arm) + by;
        number_of(args, count, "opening", &act->opening);
        act->opening = fmax(0, fmin(g->max_opening, act->opening));
        if (in_hand && !act->object[0])
            snprintf(act->object, sizeof act->object, "%s", in_hand->name);
        belief_expect_release(m->belief, act->arm, act->task);
        return OK;
    }
    double acceleration = 3;
    number_of(args, count, "acceleration", &acceleration);
    act->grasping = true;
    act->opening = 0;
    act->force = g->max_force / 2;
    if (o && o->kind) {
        grasp_pose all[GRASPS_MAX];
        pose tool = belief_tool(m->belief, act->arm);
        const grasp_pose *as =
            grasp_nearest(all, grasp_candidates(m, o, act->arm, GRASP_ANY, all), tool);
        load riders = load_on(m, o);
        act->force = grasp_force(m, o->kind, as ? as->way : NULL, &riders, act->arm, acceleration);
    }
    number_of(args, count, "force", &act->force);
    act->force = fmax(0, fmin(g->max_force, act->force));
    return OK;
}

// Whether the fingers rest: their last readings agree.
static bool fingers_rest(const action *act) {
    const size_t most = sizeof act->openings / sizeof *act->openings;
    if (act->opening_count < most)
        return false;
    double low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < most; k++) {
        low = fmin(low, act->openings[k]);
        high = fmax(high, act->openings[k]);
    }
    return high - low < 0.0008;
}

static status step_open(action *act, action_state *state, action_failure *failure) {
    const gripper_state *g = belief_gripper(act->m->belief, act->arm);
    if (!g->read)
        return OK;
    if (fabs(g->opening - act->opening) < 0.004) {
        *state = ACTION_DONE;
    } else if (fingers_rest(act)) {
        *state = ACTION_FAILED;
        failure->class = "gripper_goal_not_reached";
        snprintf(failure->reason, sizeof failure->reason,
                 "the fingers stopped %.0f mm apart, not %.0f mm", g->opening * 1000,
                 act->opening * 1000);
    }
    return OK;
}

static status step_close(action *act, action_state *state, action_failure *failure) {
    mind *m = act->m;
    const gripper_state *g = belief_gripper(m->belief, act->arm);
    if (!g->read || !fingers_rest(act))
        return OK;
    if (g->opening < 0.004) {
        *state = ACTION_FAILED;
        failure->class = "gripper_closed_completely";
        snprintf(failure->reason, sizeof failure->reason, "nothing was between the fingers of %s",
                 m->robot->arms[act->arm].gripper.name);
        return OK;
    }
    *state = ACTION_DONE;
    const believed_object *o = act->object[0] ? belief_find(m->belief, act->object) : NULL;
    if (!o)
        return OK;
    pose tool = belief_tool(m->belief, act->arm);
    return belief_note_grasp(m->belief, act->arm, o->name, grasp_settled(m, o, act->arm, tool),
                             g->opening);
}

status gripper_step(action *act, action_state *state, action_failure *failure, error *err) {
    mind *m = act->m;
    status s = act->grasping ? step_close(act, state, failure) : step_open(act, state, failure);
    if (s != OK)
        return s;
    command c = {.kind = COMMAND_GRIPPER,
                 .gripper = {act->arm, act->opening, act->force, act->grasping}};
    return m->body->send(m->body->self, &c, err);
}

// ---- Camera, laser, time ------------------------------------------------------------------------
status sensing_begin(action *act, const action_argument *args, size_t count) {
    double number;
    if (act->kind == ACTION_detect && !act->m->robot->camera.name)
        return action_refuse(act, "perception_object_not_found", NULL, "the robot has no camera");
    if (act->kind == ACTION_localise && !act->m->robot->laser.name)
        return action_refuse(act, "localisation_failed", NULL, "the robot has no laser");
    switch (act->kind) {
    case ACTION_detect: {
        const term *type = action_argument_find(args, count, "type");
        const term *color = action_argument_find(args, count, "color");
        if ((type && type->kind != TERM_SYMBOL) || (color && color->kind != TERM_SYMBOL))
            return action_refuse(act, "designator_reference_failure", NULL,
                                 "types and colours are names");
        // Terms of the arguments may be freed after the call, so the description is copied as text.
        size_t used = 0;
        if (type)
            used += (size_t)snprintf(act->text + used, sizeof act->text - used, "type('%s'), ",
                                     type->text);
        if (color)
            used += (size_t)snprintf(act->text + used, sizeof act->text - used, "color('%s'), ",
                                     color->text);
        const term *region = action_argument_find(args, count, "region");
        if (region && region->kind == TERM_SYMBOL) {
            used += (size_t)snprintf(act->text + used, sizeof act->text - used, "within(");
            used += term_format(region, act->text + used, sizeof act->text - used);
            used += (size_t)snprintf(act->text + used, sizeof act->text - used, "), ");
        } else if (region) {
            used += term_format(region, act->text + used, sizeof act->text - used);
            if (used < sizeof act->text)
                used += (size_t)snprintf(act->text + used, sizeof act->text - used, ", ");
        }
        if (used >= sizeof act->text)
            return action_refuse(act, "designator_reference_failure", NULL,
                                 "the description is too long");
        act->frames = FRAMES_DEFAULT;
        if (number_of(args, count, "frames", &number))
            act->frames = number > FRAMES_LEAST ? (size_t)fmin(number, 1000) : FRAMES_LEAST;
        return OK;
    }
    case ACTION_localise:
        act->frames = LOCALISE_SCANS;
        if (number_of(args, count, "scans", &number))
            act->frames = number > 1 ? (size_t)fmin(number, 16) : 1;
        return OK;
    default:
        if (!number_of(args, count, "seconds", &number) || number < 0)
            return action_refuse(act, "designator_reference_failure", NULL,
                                 "wait takes a number of seconds");
        act->opening = number;
        return OK;
    }
}

static status switch_sensor(action *act, bool on, error *err) {
    act->told = on;
    command c = {.kind = act->kind == ACTION_detect ? COMMAND_CAMERA : COMMAND_LASER,
                 .power = {on}};
    return act->m->body->send(act->m->body->self, &c, err);
}

// The description as a term: a list of properties.
static status parse_description(action *act, arena *a, const term **out, error *err) {
    char text[300];
    size_t length = strlen(act->text);
    if (length >= 2)
        length -= 2; // the last comma
    snprintf(text, sizeof text, "[%.*s]", (int)length, act->text);
    return term_parse(a, "detect", text, strlen(text), 1, 1, out, err);
}

static status end_detect(action *act, arena *a, nanos t, action_state *state, const term **result,
                         action_failure *failure, error *err) {
    mind *m = act->m;
    status s = switch_sensor(act, false, err);
    index_array seen = {0};
    const term *description;
    if (s == OK)
        s = belief_fuse(m->belief, act->task, t, &seen, err);
    if (s == OK)
        s = parse_description(act, a, &description, err);
    term_list_array fit = {0}, both = {0};
    error why = {0};
    if (s == OK && belief_resolve_object(m->belief, a, description, &fit, &why) != OK) {
        *state = ACTION_FAILED;
        failure->class = "designator_reference_failure";
        snprintf(failure->reason, sizeof failure->reason, "%.200s", why.text);
    } else if (s == OK) {
        for (size_t k = 0; k < fit.count; k++)
            for (size_t i = 0; i < seen.count; i++)
                if (strcmp(belief_object(m->belief, seen.items[i])->name, fit.items[k]->text) == 0)
                    array_push(&both, fit.items[k]);
        *result = term_list(a, both.items, both.count, NULL);
        *state = ACTION_DONE;
    }
    array_finish(&seen);
    array_finish(&fit);
    array_finish(&both);
    return s;
}

status localise_step(action *act, nanos t, localisation *found, bool *ended, error *err) {
    belief *b = act->m->belief;
    *ended = false;
    if (!act->told) {
        belief_localise_begin(b, act->op.path, act->op.occurrence);
        return switch_sensor(act, true, err);
    }
    if (belief_scans(b) < act->frames)
        return OK;
    *ended = true;
    status s = switch_sensor(act, false, err);
    return s == OK ? belief_localise_end(b, act->task, t, found, err) : s;
}

static status localise_to_end(action *act, nanos t, action_state *state, action_failure *failure,
                              error *err) {
    localisation found;
    bool ended;
    status s = localise_step(act, t, &found, &ended, err);
    if (s != OK || !ended)
        return s;
    *state = found.found ? ACTION_DONE : ACTION_FAILED;
    if (!found.found) {
        failure->class = "localisation_failed";
        snprintf(failure->reason, sizeof failure->reason,
                 "no pose explains what the laser sees (best: %.0f %% of the beams)",
                 found.inliers * 100);
    }
    return OK;
}

status sensing_step(action *act, arena *a, nanos t, action_state *state, const term **result,
                    action_failure *failure, error *err) {
    belief *b = act->m->belief;
    if (act->kind == ACTION_wait) {
        if (seconds(t - act->begun) >= act->opening)
            *state = ACTION_DONE;
        return OK;
    }
    if (act->kind == ACTION_localise)
        return localise_to_end(act, t, state, failure, err);
    if (!act->told) {
        belief_look(b);
        return switch_sensor(act, true, err);
    }
    return belief_frames(b) < act->frames ? OK : end_detect(act, a, t, state, result, failure, err);
}
