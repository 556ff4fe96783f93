// scene/robot/strength.c - whether a robot's joints hold up what hangs on them.
#include "scene/robot/robot_int.h"
#include "base/math/rng.h"

#include <math.h>

static bool carries(const robot_model *r, size_t joint, size_t link) {
    while (r->links[link].joint >= 0) {
        if ((size_t)r->links[link].joint == joint)
            return true;
        link = r->joints[r->links[link].joint].parent;
    }
    return false;
}

typedef struct load_sum {
    double mass;
    vec3 moment; // sum of masses times places
} load_sum;

static void load_put(load_sum *sum, double mass, vec3 at) {
    sum->mass += mass;
    sum->moment = v3_add(sum->moment, v3_scale(at, mass));
}

double robot_holding_effort(const robot_model *r, const pose *links, vec3 gravity, size_t joint) {
    const robot_joint *j = &r->joints[joint];
    load_sum sum = {0};
    for (size_t i = 0; i < r->link_count; i++)
        if (carries(r, joint, i))
            load_put(&sum, r->links[i].mass, pose_apply(links[i], r->links[i].com));
    for (size_t a = 0; a < r->arm_count; a++) {
        const robot_gripper *g = &r->arms[a].gripper;
        if (!carries(r, joint, r->arms[a].flange))
            continue;
        load_put(&sum, g->palm_mass, pose_apply(robot_palm(r, a, links), g->palm_center));
        load_put(&sum, 2 * g->pad_mass, robot_tool(r, a, links).p);
    }
    vec3 axis = quat_rotate(links[j->child].q, j->axis);
    if (j->kind == JOINT_PRISMATIC)
        return fabs(sum.mass * v3_dot(axis, gravity));
    vec3 lever = v3_sub(sum.moment, v3_scale(links[j->child].p, sum.mass));
    return fabs(v3_dot(axis, v3_cross(lever, gravity)));
}

// Postures of an arm, all over its joints' ranges, in which it is looked at.
enum { POSTURES = 256 };

void robot_check_strength(robot_parts *p) {
    static const vec3 gravity = {0, 0, -9.81};
    const robot_model *r = p->m;
    double *q = mem_must(r->joint_count + 1, sizeof *q);
    pose *links = mem_must(r->link_count, sizeof *links);
    for (size_t a = 0; a < r->arm_count; a++) {
        const robot_arm *arm = &r->arms[a];
        double most[ARM_JOINTS_MAX] = {0}, parked[ARM_JOINTS_MAX] = {0};
        int weak[ARM_JOINTS_MAX] = {0};
        rng_key key = rng_key_make(0, "strength", arm->name);
        for (int n = -1; n < POSTURES; n++) { // first parked, then anywhere
            memcpy(q, r->home, r->joint_count * sizeof *q);
            for (size_t k = 0; k < arm->joint_count; k++) {
                const robot_joint *j = &r->joints[arm->joints[k]];
                double u = n < 0 ? 0 : rng_uniform(key, (uint64_t)n, (uint32_t)k);
                q[arm->joints[k]] = n < 0 ? arm->park[k] : j->lower + u * (j->upper - j->lower);
            }
            robot_follow(r, q);
            robot_forward(r, POSE_IDENTITY, q, links);
            for (size_t k = 0; k < arm->joint_count; k++) {
                double effort = robot_holding_effort(r, links, gravity, arm->joints[k]);
                if (n < 0)
                    parked[k] = effort;
                most[k] = fmax(most[k], effort);
                weak[k] += n >= 0 && effort > r->joints[arm->joints[k]].max_effort;
            }
        }
        for (size_t k = 0; k < arm->joint_count; k++) {
            const robot_joint *j = &r->joints[arm->joints[k]];
            const char *unit = j->kind == JOINT_PRISMATIC ? "N" : "N m";
            if (parked[k] > j->max_effort)
                robot_note_add(
                    p, p->arms.items[a].node,
                    "`%s` cannot hold the arm `%s` where it parks: its weight takes %.3g "
                    "%s there, and the effort is %.3g %s",
                    j->name, arm->name, parked[k], unit, j->max_effort, unit);
            else if (weak[k] > 0)
                robot_note_add(
                    p, p->arms.items[a].node,
                    "`%s` cannot hold the arm `%s` in %.0f %% of its postures: its weight "
                    "takes up to %.3g %s, and the effort is %.3g %s",
                    j->name, arm->name, fmax(1, 100.0 * weak[k] / POSTURES), most[k], unit,
                    j->max_effort, unit);
        }
    }
    if (r->torso >= 0) {
        const robot_joint *j = &r->joints[r->torso];
        robot_forward(r, POSE_IDENTITY, r->home, links);
        double effort = robot_holding_effort(r, links, gravity, (size_t)r->torso);
        if (effort > j->max_effort)
            robot_note_add(p, p->l.root,
                           "`%s` cannot hold the torso: what it carries weighs %.3g N, and the "
                           "effort is %.3g N",
                           j->name, effort, j->max_effort);
    }
    free(q);
    free(links);
}
