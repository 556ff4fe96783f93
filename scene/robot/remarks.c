// scene/robot/remarks.c - what is legal in a world and cannot be meant with this robot.
#include "scene/robot/robot.h"

#include <math.h>

// How far the pads of a hand that has closed on a handle reach below the tool, m; `tool`: its pose
// in the world.
static double pads_below(const robot_gripper *g, const grasp_way *way, pose tool) {
    vec3 x = quat_rotate(tool.q, v3(1, 0, 0)), y = quat_rotate(tool.q, v3(0, 1, 0)),
         z = quat_rotate(tool.q, v3(0, 0, 1));
    return fabs(x.z) * g->pad_size.x / 2 + fabs(y.z) * (way->width / 2 + g->pad_size.y) +
           fabs(z.z) * g->pad_size.z / 2;
}

// How far the pads of the hand that reaches least deep end within what is below a handle, m; 0 or
// less: they are clear of it.
static double pads_within(const world_model *w, const robot_model *r, size_t body,
                          const grasp_way *way) {
    pose tool = pose_mul(w->bodies[body].at, way->at);
    double gap = world_gap_below(w, body, tool.p), least = INFINITY;
    for (size_t a = 0; a < r->arm_count; a++)
        least = fmin(least, pads_below(&r->arms[a].gripper, way, tool) - gap);
    return r->arm_count > 0 ? least : 0;
}

void robot_remarks(const robot_model *r, const world_model *w, const char *path, errors *warnings) {
    const double hair = 1e-4; // m
    for (size_t i = 0; i < w->body_count; i++) {
        const world_body *b = &w->bodies[i];
        if (b->fixed || b->absent || b->particle || world_joint_of(w, i) >= 0)
            continue;
        for (size_t k = 0; k < b->type->grasp_count; k++) {
            const grasp_way *way = &b->type->grasps[k];
            double within =
                way->kind == GRASP_HANDLE && way->width > 0 ? pads_within(w, r, i, way) : 0;
            if (within > hair)
                errors_add(warnings, path, 0, 0,
                           "`%s` cannot be taken at its handle (%g, %g, %g) as it stands: the "
                           "robot's pads would reach %.0f mm into what is below it; a handle that "
                           "is higher by that, or turned, leaves room for them",
                           b->name, way->at.p.x, way->at.p.y, way->at.p.z, ceil(1000 * within));
        }
    }
}
