// projector/robot/actions/readings.c - functions of terms that are readings, or are measured in the
// belief. They are cheap, since watched conditions ask for them after every reading.
#include "projector/robot/actions/functions.h"
#include "projector/robot/grasping/hands.h"
#include "projector/robot/planning/contact_plan.h"

#include <math.h>

static status no_value(const term *function, const char *why, error *err) {
    char text[160];
    term_format(function, text, sizeof text);
    return error_set(err, E_INPUT, "%s has no value: %s", text, why);
}

// ---- Hands --------------------------------------------------------------------------------------
static status hand_reading(const mind *m, arena *a, robot_function f, const term *t,
                           const term **out, error *err) {
    int64_t arm = arm_named(m, t->args[0]);
    if (arm < 0)
        return no_value(t, "that is no arm", err);
    if (f == FUNCTION_wrist_force || f == FUNCTION_contact_force) {
        bool wrist = f == FUNCTION_wrist_force;
        const wrench_state *w =
            wrist ? belief_wrench(m->belief, (size_t)arm) : belief_contact(m->belief, (size_t)arm);
        if (!w->read)
            return no_value(
                t, wrist ? "its wrist has not been read" : "its torques have not been read", err);
        *out = term_float(a, v3_length(w->force));
        return OK;
    }
    const gripper_state *g = belief_gripper(m->belief, (size_t)arm);
    if (!g->read)
        return no_value(t, "its gripper has not been read", err);
    if (f == FUNCTION_touched)
        *out = term_int(a, g->touch_1 || g->touch_2);
    else
        *out = term_float(a, f == FUNCTION_gripper_force ? g->force : g->opening);
    return OK;
}

// ---- Joints -------------------------------------------------------------------------------------
static status joint_reading(const mind *m, arena *a, robot_function f, const term *t,
                            const term **out, error *err) {
    if (f == FUNCTION_door_position) {
        int64_t joint = door_named(m, t->args[0]);
        if (joint < 0)
            return no_value(t, "no door or drawer is known by that name", err);
        double at = belief_world_joint(m->belief, (size_t)joint, NULL);
        bool hinge = m->known->joints[joint].kind == WORLD_HINGE;
        *out = term_float(a, hinge ? at * 180 / PI : at);
        return OK;
    }
    const char *name = t->args[0]->kind == TERM_SYMBOL ? t->args[0]->text : "";
    for (size_t j = 0; j < m->robot->joint_count; j++)
        if (strcmp(m->robot->joints[j].name, name) == 0) {
            *out = term_float(a, belief_joints(m->belief)[j]);
            return OK;
        }
    return no_value(t, "the robot has no such joint", err);
}

// ---- Distances ----------------------------------------------------------------------------------
// The position of an object, region, arm, the robot or another one; *flat: only its place in the
// plane is meant. False: the term names none.
static bool find_point(const mind *m, const term *t, nanos now, vec3 *out, bool *flat) {
    if (t->kind != TERM_SYMBOL)
        return false;
    other_motion other;
    if (belief_other(m->belief, t->text, now, &other)) {
        *out = other.at.p;
        *flat = true;
        return true;
    }
    if (strcmp(t->text, "robot") == 0 || (m->name && strcmp(t->text, m->name) == 0)) {
        *out = belief_robot(m->belief).p;
        *flat = true;
        return true;
    }
    int64_t arm = arm_named(m, t);
    if (arm >= 0) {
        *out = belief_tool(m->belief, (size_t)arm).p;
        return true;
    }
    const believed_object *o = belief_find(m->belief, t->text);
    if (o) {
        *out = o->at.p;
        return true;
    }
    int64_t region = world_find_region(m->known, t->text);
    if (region < 0)
        return false;
    const world_region *r = &m->known->regions[region];
    *out = pose_mul(belief_object(m->belief, r->body)->at, r->at).p;
    *flat = true;
    return true;
}

static status distance_of(const mind *m, arena *a, const term *t, nanos now, const term **out,
                          error *err) {
    vec3 at[2];
    bool flat = false;
    for (int i = 0; i < 2; i++)
        if (!find_point(m, t->args[i], now, &at[i], &flat))
            return no_value(t,
                            "both are objects, bodies, regions, arms, robot or other robots whose "
                            "place is known",
                            err);
    vec3 off = v3_sub(at[0], at[1]);
    if (flat)
        off.z = 0;
    *out = term_float(a, v3_length(off));
    return OK;
}

status robot_reading(const mind *m, arena *a, robot_function f, const term *t, nanos now,
                     const term **out, error *err) {
    double vx, vy, wz;
    pole_state followed;
    switch (f) {
    case FUNCTION_gripper_opening:
    case FUNCTION_gripper_force:
    case FUNCTION_touched:
    case FUNCTION_wrist_force:
    case FUNCTION_contact_force:
        return hand_reading(m, a, f, t, out, err);
    case FUNCTION_joint_position:
    case FUNCTION_door_position:
        return joint_reading(m, a, f, t, out, err);
    case FUNCTION_distance:
        return distance_of(m, a, t, now, out, err);
    case FUNCTION_tracked:
        belief_pole(m->belief, now, &followed);
        *out = term_symbol(a, followed.sure && followed.object ? followed.object : "none");
        return OK;
    case FUNCTION_base_speed:
        belief_twist(m->belief, &vx, &vy, &wz);
        *out = term_float(a, hypot(vx, vy));
        return OK;
    case FUNCTION_now:
        *out = term_float(a, seconds(now));
        return OK;
    default:
        return OK;
    }
}
