// Functions of terms that need the robot's knowledge.
#include "projector/robot/robot_int.h"

static status no_value(const term *function, const char *why, error *err) {
    char text[160];
    term_format(function, text, sizeof text);
    return error_set(err, E_INPUT, "%s has no value: %s", text, why);
}

static int64_t free_arm(const mind *m) {
    for (size_t a = 0; a < m->robot->arm_count; a++)
        if (!belief_held(m->belief, a, NULL))
            return (int64_t)a;
    return -1;
}

static const term *arm_symbol(const mind *m, arena *a, int64_t arm) {
    return term_symbol(a, m->robot->arms[arm].name);
}

static status of_arm(mind *m, arena *a, const term *f, const term **out, error *err) {
    int64_t arm = arm_named(m, f->args[0]);
    if (arm < 0)
        return no_value(f, "that is no arm", err);
    if (term_is(f, "hand", 1)) {
        *out = term_symbol(a, m->robot->arms[arm].gripper.name);
        return OK;
    }
    if (term_is(f, "held_object", 1)) {
        const believed_object *o = belief_held(m->belief, (size_t)arm, NULL);
        if (!o)
            return no_value(f, "it holds nothing", err);
        *out = term_symbol(a, o->name);
        return OK;
    }
    if (m->robot->arm_count < 2)
        return no_value(f, "the robot has one arm only", err);
    *out = arm_symbol(m, a, arm == 0 ? 1 : 0);
    return OK;
}

static status of_object(mind *m, arena *a, const term *f, int64_t task, nanos t, const term **out,
                        error *err) {
    const believed_object *o =
        f->args[0]->kind == TERM_SYMBOL ? belief_find(m->belief, f->args[0]->text) : NULL;
    if (!o)
        return no_value(f, "it is not believed in", err);
    if (term_is(f, "arm_for", 1)) {
        stand_answer stands;
        int64_t arm = choose_arm(m, o, 0, task, t, &stands, err);
        if (arm == -2)
            return E_IO;
        // Where none reaches it, going there will say why.
        if (arm < 0)
            arm = free_arm(m);
        if (arm < 0)
            return no_value(f, "no arm is free", err);
        *out = arm_symbol(m, a, arm);
        return OK;
    }
    if (term_is(f, "holding_arm", 1)) {
        for (size_t k = 0; k < m->robot->arm_count; k++)
            if (belief_held(m->belief, k, NULL) == o)
                *out = arm_symbol(m, a, (int64_t)k);
        return *out ? OK : no_value(f, "no arm holds it", err);
    }
    if (term_is(f, "support_of", 1)) {
        if (!o->support)
            return no_value(f, "what it stands on is not known", err);
        *out = term_symbol(a, o->support);
        return OK;
    }
    if (term_is(f, "type_of", 1)) {
        *out = term_symbol(a, o->type);
        return OK;
    }
    if (term_is(f, "color_of", 1)) {
        if (!o->color)
            return no_value(f, "its colour is not known", err);
        *out = term_symbol(a, o->color);
        return OK;
    }
    if (!o->kind)
        return no_value(f, "its type is not in the catalogue", err);
    load riders = load_on(m, o);
    *out = term_float(a, grasp_force(m, o->kind, NULL, &riders, 0, 3));
    return OK;
}

// What it believes about its own place: robot_pos, pos_accuracy, pos_ambiguity.
static const term *of_itself(const mind *m, arena *a, const term *f) {
    if (term_is_symbol(f, "pos_ambiguity"))
        return term_int(a, (int64_t)belief_ambiguity(m->belief));
    if (term_is_symbol(f, "pos_accuracy")) {
        double position, angle;
        belief_accuracy(m->belief, &position, &angle);
        return term_float(a, position);
    }
    if (!term_is_symbol(f, "robot_pos"))
        return NULL;
    pose at = belief_robot(m->belief);
    const term *args[3] = {term_float(a, at.p.x), term_float(a, at.p.y),
                           term_float(a, quat_yaw(at.q))};
    return term_compound(a, "pose", 3, args);
}

status robot_evaluate(mind *m, arena *a, const term *function, int64_t task, nanos t,
                      const term **out, error *err) {
    static const char *const arms[] = {"other_arm", "hand", "held_object"};
    static const char *const objects[] = {"arm_for",    "holding_arm", "support_of",
                                          "grip_force", "type_of",     "color_of"};
    *out = of_itself(m, a, function);
    if (*out)
        return OK;
    robot_remember(m);
    if (term_is_symbol(function, "free_arm")) {
        int64_t arm = free_arm(m);
        if (arm < 0)
            return no_value(function, "no arm is free", err);
        *out = arm_symbol(m, a, arm);
        return OK;
    }
    if (term_is(function, "support_of_location", 1)) {
        believed_place place;
        status s = belief_resolve_location(m->belief, function->args[0], &place, err);
        if (s == OK)
            *out = term_symbol(a, place.support);
        return s;
    }
    if (term_is(function, "joint_kind", 1)) {
        int64_t joint = joint_named(m, function->args[0]);
        if (joint < 0)
            return no_value(function, "no door or drawer is known by that name", err);
        bool hinge = m->known->joints[joint].kind == WORLD_HINGE;
        *out = term_symbol(a, hinge ? "hinge" : "slider");
        return OK;
    }
    for (size_t i = 0; i < sizeof arms / sizeof *arms; i++)
        if (term_is(function, arms[i], 1))
            return of_arm(m, a, function, out, err);
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        if (term_is(function, objects[i], 1)) {
            stopwatch_start(m->planning);
            status s = of_object(m, a, function, task, t, out, err);
            stopwatch_stop(m->planning);
            return s;
        }
    return OK;
}
