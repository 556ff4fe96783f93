// projector/robot/actions/torso.c - move_torso, and the height from which something can be served.
#include "projector/robot/actions/action_int.h"
#include "projector/robot/actions/functions.h"
#include "projector/robot/grasping/hands.h"

#include <math.h>

status move_torso_begin(action *act, const action_argument *args, size_t count) {
    mind *m = act->m;
    const term *to = action_argument_find(args, count, "to");
    if (m->robot->torso < 0)
        return action_refuse(act, "manipulation_pose_unreachable", NULL,
                             "the robot has no torso that lifts");
    size_t joint = (size_t)m->robot->torso;
    const robot_joint *j = &m->robot->joints[joint];
    double height;
    if (term_is_symbol(to, "home"))
        height = m->robot->home[joint];
    else if (!term_number(to, &height))
        return action_refuse_target(act, to);
    if (height < j->lower || height > j->upper)
        return action_refuse(act, "manipulation_pose_unreachable", NULL,
                             "%s goes from %.2f to %.2f m; closest: %.0f mm past its limit",
                             j->name, j->lower, j->upper,
                             1000 * fmax(j->lower - height, height - j->upper));
    act->motion.axes = 1;
    act->joints[0] = joint;
    const struct robot_memory *memory = m->memory;
    double q = belief_joints(m->belief)[joint];
    if (memory->sent[joint] && fabs(memory->commanded[joint] - q) < 0.02)
        q = memory->commanded[joint];
    joints_add_line(act, &q, &height);
    motion_limits limits;
    motion_limits_init(&limits, m, act->joints, 1);
    limits.velocity[0] =
        fmin(limits.velocity[0], action_argument_number(args, count, "speed", INFINITY));
    action_start_motion(act, &limits);
    return OK;
}

// ---- Where it is wanted -------------------------------------------------------------------------
static bool held_by_another(const mind *m, size_t arm) {
    const believed_object *o = belief_held(m->belief, arm, NULL);
    for (size_t a = 0; a < m->robot->arm_count && o; a++)
        if (a != arm && belief_held(m->belief, a, NULL) == o)
            return true;
    return false;
}

// Whether the arms, in their present posture, are free with the torso anywhere between two heights.
static bool torso_clear(const mind *m, double *joints, double from, double to) {
    enum { SAMPLES = 4 };
    bool is_free = true;
    for (int n = 1; n <= SAMPLES && is_free; n++) {
        joints[m->robot->torso] = from + (to - from) * n / SAMPLES;
        for (size_t a = 0; a < m->robot->arm_count && is_free; a++) {
            const robot_arm *arm = &m->robot->arms[a];
            held h = held_by(m, a);
            arm_scene scene;
            arm_scene_init_at(&scene, m, a, belief_robot(m->belief), joints, &h, hand_opening(m, a),
                              h.name, 0.01, "torso");
            // Hands that hold one thing keep as close to each other as they are.
            if (held_by_another(m, a))
                collision_scene_drop_arm(&scene.collisions);
            double q[AXES_MAX] = {0};
            for (size_t k = 0; k < arm->joint_count; k++)
                q[k] = joints[arm->joints[k]];
            is_free = arm_free(&scene, q);
            arm_scene_finish(&scene);
        }
    }
    return is_free;
}

bool torso_height_for(mind *m, const term *to, int64_t task, nanos t, double *out) {
    if (m->robot->torso < 0)
        return false;
    size_t torso = (size_t)m->robot->torso;
    const robot_joint *j = &m->robot->joints[torso];
    const double now = belief_joints(m->belief)[torso];
    const double heights[] = {m->robot->home[torso], j->lower, (j->lower + j->upper) / 2, j->upper};
    double *joints = mem_must(m->robot->joint_count + 1, sizeof *joints);
    memcpy(joints, belief_joints(m->belief), m->robot->joint_count * sizeof *joints);
    bool found = false;
    for (size_t k = 0; k < 4 && !found; k++) {
        bool other = fabs(heights[k] - now) > 0.05;
        for (size_t i = 0; i < k; i++)
            other = other && fabs(heights[k] - heights[i]) > 0.05;
        if (!other || !torso_clear(m, joints, now, heights[k]))
            continue;
        joints[torso] = heights[k];
        found = navigate_serves(m, to, joints, task, t);
        *out = found ? heights[k] : *out;
    }
    free(joints);
    return found;
}
