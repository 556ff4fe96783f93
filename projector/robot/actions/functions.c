// projector/robot/actions/functions.c - functions of terms that need the robot's knowledge: its
// arms, the objects it believes in, places.
#include "projector/robot/actions/functions.h"
#include "projector/robot/grasping/grasp.h"
#include "projector/robot/planning/contact_plan.h"
#include "projector/robot/planning/memory.h"
#include "projector/robot/planning/places.h"
#include "projector/robot/planning/stand.h"

#include <math.h>

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

// Names the arm that was chosen. Where none can do it (-1), a free one is named: the action that
// goes there will say why it fails.
static status name_arm(const mind *m, arena *a, const term *f, int64_t arm, const term **out,
                       error *err) {
    if (arm < 0)
        arm = free_arm(m);
    if (arm < 0)
        return no_value(f, "no arm is free", err);
    *out = arm_symbol(m, a, arm);
    return OK;
}

static const term *all_arms(const mind *m, arena *a) {
    const term **arms = arena_alloc(a, (m->robot->arm_count + 1) * sizeof *arms);
    for (size_t k = 0; k < m->robot->arm_count; k++)
        arms[k] = arm_symbol(m, a, (int64_t)k);
    return term_list(a, arms, m->robot->arm_count, NULL);
}

static status arm_function(mind *m, arena *a, robot_function g, const term *f, const term **out,
                           error *err) {
    int64_t arm = arm_named(m, f->args[0]);
    if (arm < 0)
        return no_value(f, "that is no arm", err);
    if (g == FUNCTION_hand) {
        *out = term_symbol(a, m->robot->arms[arm].gripper.name);
        return OK;
    }
    if (g == FUNCTION_held_object) {
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

static status object_function(mind *m, arena *a, robot_function g, const term *f, int64_t task,
                              nanos t, const term **out, error *err) {
    const believed_object *o =
        f->args[0]->kind == TERM_SYMBOL ? belief_find(m->belief, f->args[0]->text) : NULL;
    if (!o)
        return no_value(f, "it is not believed in", err);
    if (g == FUNCTION_arm_for) {
        stand_answer stands;
        int64_t arm = arm_choose(m, o, 0, task, t, &stands, err);
        if (arm == -2)
            return E_IO;
        return name_arm(m, a, f, arm, out, err);
    }
    if (g == FUNCTION_holding_arm) {
        for (size_t k = 0; k < m->robot->arm_count; k++)
            if (belief_held(m->belief, k, NULL) == o)
                *out = arm_symbol(m, a, (int64_t)k);
        return *out ? OK : no_value(f, "no arm holds it", err);
    }
    if (g == FUNCTION_support_of) {
        if (!o->support)
            return no_value(f, "what it stands on is not known", err);
        *out = term_symbol(a, o->support);
        return OK;
    }
    if (g == FUNCTION_taken_from) {
        if (!o->taken_from)
            return no_value(f, "no hand has taken it yet", err);
        *out = term_symbol(a, o->taken_from);
        return OK;
    }
    if (g == FUNCTION_place_of) {
        const term *at[4] = {term_float(a, o->at.p.x), term_float(a, o->at.p.y),
                             term_float(a, quat_yaw(o->at.q) * 180 / PI),
                             o->support ? term_symbol(a, o->support) : NULL};
        *out = term_compound(a, "at", o->support ? 4 : 3, at);
        return OK;
    }
    if (g == FUNCTION_type_of) {
        *out = term_symbol(a, o->type);
        return OK;
    }
    if (g == FUNCTION_color_of) {
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

// The robot's belief about its own place: robot_pos, pos_accuracy, pos_ambiguity.
static const term *own_place_function(const mind *m, arena *a, const term *f) {
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

static const struct {
    const char *name;
    uint32_t arity;
} FUNCTIONS[] = {
    {"", UINT32_MAX},
#define FUNCTION(name, arity, doc) {#name, arity},
#include "projector/robot/actions.def"
};

static robot_function function_named(const term *t) {
    uint32_t arity = t->kind == TERM_COMPOUND ? t->arity : 0;
    for (size_t k = 1; k < sizeof FUNCTIONS / sizeof *FUNCTIONS; k++)
        if (FUNCTIONS[k].arity == arity && FUNCTIONS[k].name[0] == t->text[0] &&
            strcmp(FUNCTIONS[k].name, t->text) == 0)
            return (robot_function)k;
    return FUNCTION_NONE;
}

static status joint_function(const mind *m, arena *a, const term *f, const term **out, error *err) {
    int64_t joint = door_named(m, f->args[0]);
    if (joint < 0)
        return no_value(f, "no door or drawer is known by that name", err);
    bool hinge = m->known->joints[joint].kind == WORLD_HINGE;
    *out = term_symbol(a, hinge ? "hinge" : "slider");
    return OK;
}

static status operating_arm(mind *m, arena *a, const term *f, int64_t task, nanos t,
                            const term **out, error *err) {
    int64_t joint = door_named(m, f->args[0]), arm;
    double to;
    char question[160];
    if (joint < 0)
        return no_value(f, "no door or drawer is known by that name", err);
    if (!term_number(f->args[1], &to))
        return no_value(f, "its position is no number", err);
    const believed_object *door =
        belief_find(m->belief, m->known->bodies[m->known->joints[joint].body].name);
    term_format(f, question, sizeof question);
    to = door_goal(m, (size_t)joint, to);
    arm = door ? arm_choose_operating(m, door, to, question, task, t, err) : -1;
    if (arm == -2)
        return E_IO;
    return name_arm(m, a, f, arm, out, err);
}

// Whether an object could be put at a place if the hand held it so.
static bool could_be_put(mind *m, size_t arm, const believed_place *place, held taken) {
    stand_query q = {
        .purpose = STAND_PLACE, .arm = arm, .place = place, .taken = &taken, .first = true};
    stand_answer answer;
    stand_search(m, &q, &answer);
    return answer.found;
}

// Whether one of the grasps of a kind would do; grasps of one kind differ in how the hand is turned
// about the object, and some of them stand for all.
static bool kind_fits(mind *m, const believed_object *o, size_t arm, const believed_place *place,
                      unsigned kind) {
    enum { SAMPLES = 4 };
    grasp_pose all[GRASPS_MAX];
    size_t count = grasp_candidates(m, o, arm, kind, all), step = (count + SAMPLES - 1) / SAMPLES;
    for (size_t k = 0; k < count; k += step)
        if (could_be_put(m, arm, place, (held){o->kind, all[k].in_hand, o->name}))
            return true;
    return false;
}

static status grasps_function(mind *m, arena *a, const term *f, int64_t task, nanos now,
                              const term **out, error *err) {
    const believed_object *o =
        f->args[0]->kind == TERM_SYMBOL ? belief_find(m->belief, f->args[0]->text) : NULL;
    if (!o)
        return no_value(f, "it is not believed in", err);
    believed_place place;
    status s = robot_locate(m, f->args[1], o->name, task, now, &place, err);
    if (s != OK)
        return s;
    int64_t arm = o->hand >= 0 ? o->hand : free_arm(m);
    const term *fit[GRASP_NAMES];
    size_t count = 0;
    bool held_well = o->hand >= 0 && could_be_put(m, (size_t)arm, &place, held_by(m, (size_t)arm));
    for (size_t k = 0; arm >= 0 && !held_well && k < GRASP_NAMES; k++)
        if (kind_fits(m, o, (size_t)arm, &place, grasp_names[k].bit))
            fit[count++] = term_symbol(a, grasp_names[k].name);
    *out = term_list(a, fit, count, NULL);
    return OK;
}

// The height of the torso for a location; NAN: none helps. A guard asks, and then the action that
// it guards: nothing is searched again while nothing else is believed.
static double torso_height(mind *m, const term *location, int64_t task, nanos t) {
    struct torso_answer *last = &m->memory->torso;
    char text[sizeof last->text];
    uint64_t version = belief_version(m->belief);
    bool whole = term_format(location, text, sizeof text) < sizeof text;
    if (whole && last->version == version && strcmp(last->text, text) == 0)
        return last->height;
    double height;
    if (!torso_height_for(m, location, task, t, &height))
        height = NAN;
    if (whole) {
        *last = (struct torso_answer){.version = version, .height = height};
        snprintf(last->text, sizeof last->text, "%s", text);
    }
    return height;
}

// The functions that search for motions or places, which counts as planning.
static status searched_function(mind *m, arena *a, robot_function f, const term *t, int64_t task,
                                nanos now, const term **out, error *err) {
    believed_place place;
    status s;
    robot_remember(m);
    if (f == FUNCTION_support_of_location) {
        s = robot_locate(m, t->args[0], NULL, task, now, &place, err);
        if (s == OK)
            *out = term_symbol(a, place.support);
        return s;
    }
    stopwatch_start(m->planning);
    if (f == FUNCTION_torso_for) {
        double height = torso_height(m, t->args[0], task, now);
        *out = isnan(height) ? term_symbol(a, "none") : term_float(a, height);
        stopwatch_stop(m->planning);
        return OK;
    }
    s = f == FUNCTION_views           ? robot_views(m, a, t->args[0], out, err)
        : f == FUNCTION_grasps_for    ? grasps_function(m, a, t, task, now, out, err)
        : f == FUNCTION_operating_arm ? operating_arm(m, a, t, task, now, out, err)
                                      : object_function(m, a, f, t, task, now, out, err);
    stopwatch_stop(m->planning);
    return s;
}

status robot_evaluate(mind *m, arena *a, const term *function, int64_t task, nanos t,
                      const term **out, error *err) {
    *out = NULL;
    if (function->kind != TERM_COMPOUND && function->kind != TERM_SYMBOL)
        return OK;
    robot_function f = function_named(function);
    int64_t arm;
    switch (f) {
    case FUNCTION_NONE:
        *out = own_place_function(m, a, function);
        return OK;
    case FUNCTION_arms:
        *out = all_arms(m, a);
        return OK;
    case FUNCTION_free_arm:
        arm = free_arm(m);
        if (arm < 0)
            return no_value(function, "no arm is free", err);
        *out = arm_symbol(m, a, arm);
        return OK;
    case FUNCTION_joint_kind:
        return joint_function(m, a, function, out, err);
    case FUNCTION_other_arm:
    case FUNCTION_hand:
    case FUNCTION_held_object:
        return arm_function(m, a, f, function, out, err);
    case FUNCTION_support_of_location:
    case FUNCTION_torso_for:
    case FUNCTION_views:
    case FUNCTION_grasps_for:
    case FUNCTION_arm_for:
    case FUNCTION_operating_arm:
    case FUNCTION_grip_force:
        return searched_function(m, a, f, function, task, t, out, err);
    case FUNCTION_holding_arm:
    case FUNCTION_support_of:
    case FUNCTION_taken_from:
    case FUNCTION_place_of:
    case FUNCTION_type_of:
    case FUNCTION_color_of:
        return object_function(m, a, f, function, task, t, out, err);
    default:
        return robot_reading(m, a, f, function, t, out, err);
    }
}
