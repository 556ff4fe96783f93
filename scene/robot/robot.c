// scene/robot/robot.c - the kinematics of a robot, and looking its parts up.
#include "scene/robot/robot.h"

void robot_destroy(robot_model *r) {
    if (!r)
        return;
    array_finish(&r->params);
    arena_destroy(r->arena);
}

static void *array_copied(arena *a, const void *items, size_t count, size_t size) {
    void *p = arena_alloc(a, count * size + 1);
    if (count > 0)
        memcpy(p, items, count * size);
    return p;
}

robot_model *robot_known(const robot_model *r) {
    arena *a = arena_create();
    robot_model *k = arena_alloc(a, sizeof *k);
    *k = *r;
    k->arena = a;
    k->name = arena_strdup(a, r->name);
    k->params = (parameters){0};
    k->sources = NULL;
    k->notes = NULL;
    k->source_count = k->note_count = 0;
    k->odometry_bias = k->odometry_angle_bias = k->encoder_bias = 0;
    k->camera.position_bias = v3(0, 0, 0);
    k->camera.angle_bias = k->laser.bias = 0;
    k->tracker.bias = v3(0, 0, 0);
    k->tracker.dropout = 0;
    k->tracker.losses = NULL;
    k->tracker.loss_count = 0;
    k->detector.dropout = 0;
    k->touch.force_bias = k->touch.opening_bias = 0;
    robot_link *links = array_copied(a, r->links, r->link_count, sizeof *links);
    for (size_t i = 0; i < r->link_count; i++) {
        links[i].name = arena_strdup(a, links[i].name);
        links[i].shapes = array_copied(a, links[i].shapes, links[i].shape_count, sizeof(shape));
    }
    robot_joint *joints = array_copied(a, r->joints, r->joint_count, sizeof *joints);
    for (size_t i = 0; i < r->joint_count; i++)
        joints[i].name = arena_strdup(a, joints[i].name);
    robot_arm *arms = array_copied(a, r->arms, r->arm_count, sizeof *arms);
    for (size_t i = 0; i < r->arm_count; i++) {
        robot_gripper *g = &arms[i].gripper;
        arms[i].name = arena_strdup(a, arms[i].name);
        g->name = arena_strdup(a, g->name);
        g->palm = arena_strdup(a, g->palm);
        g->finger_1 = arena_strdup(a, g->finger_1);
        g->finger_2 = arena_strdup(a, g->finger_2);
        g->material = arena_strdup(a, g->material);
        g->friction = g->believed_friction;
        arms[i].wrist.bias = arms[i].wrist.torque_bias = arms[i].torques.bias = 0;
    }
    k->links = links;
    k->joints = joints;
    k->arms = arms;
    k->home = array_copied(a, r->home, r->joint_count, sizeof *r->home);
    size_t parts = r->link_count + r->arm_count;
    if (r->self_margins)
        k->self_margins = array_copied(a, r->self_margins, parts * parts, sizeof *r->self_margins);
    k->camera.name = arena_strdup(a, r->camera.name);
    k->laser.name = arena_strdup(a, r->laser.name);
    return k;
}

int64_t robot_find_arm(const robot_model *r, const char *name) {
    for (size_t i = 0; i < r->arm_count; i++)
        if (strcmp(r->arms[i].name, name) == 0)
            return (int64_t)i;
    return -1;
}

int64_t robot_find_joint(const robot_model *r, const char *name) {
    for (size_t i = 0; i < r->joint_count; i++)
        if (strcmp(r->joints[i].name, name) == 0)
            return (int64_t)i;
    return -1;
}

void robot_forward(const robot_model *r, pose base, const double *q, pose *links) {
    links[0] = base;
    for (size_t i = 0; i < r->joint_count; i++) {
        const robot_joint *j = &r->joints[i];
        pose at = pose_mul(links[j->parent], j->origin);
        if (j->kind == JOINT_PRISMATIC) {
            at.p = v3_add(at.p, quat_rotate(at.q, v3_scale(j->axis, q[i])));
        } else {
            double s = sin(q[i] / 2);
            quat turn = {cos(q[i] / 2), s * j->axis.x, s * j->axis.y, s * j->axis.z};
            at.q = quat_mul(at.q, turn);
        }
        links[j->child] = at;
    }
}

void robot_follow(const robot_model *r, double *q) {
    for (size_t i = 0; i < r->joint_count; i++) {
        const robot_joint *j = &r->joints[i];
        if (j->follows)
            q[i] = j->ratio * q[j->leader] + j->offset;
    }
}

pose robot_palm(const robot_model *r, size_t arm, const pose *links) {
    const robot_arm *a = &r->arms[arm];
    return pose_mul(links[a->flange], a->gripper.mount);
}

pose robot_tool(const robot_model *r, size_t arm, const pose *links) {
    pose palm = robot_palm(r, arm, links);
    palm.p = pose_apply(palm, robot_tool_in_palm(&r->arms[arm].gripper).p);
    return palm;
}

void robot_jacobian(const robot_model *r, size_t arm, const pose *links, double jacobian[6][7]) {
    vec3 tool = robot_tool(r, arm, links).p;
    memset(jacobian, 0, 6 * sizeof *jacobian);
    for (size_t i = 0; i < r->arms[arm].joint_count; i++) {
        const robot_joint *j = &r->joints[r->arms[arm].joints[i]];
        const pose *at = &links[j->child]; // a joint leaves its own axis where it is
        vec3 axis = quat_rotate(at->q, j->axis), linear = axis, angular = v3(0, 0, 0);
        if (j->kind == JOINT_REVOLUTE) {
            angular = axis;
            linear = v3_cross(axis, v3_sub(tool, at->p));
        }
        jacobian[0][i] = linear.x;
        jacobian[1][i] = linear.y;
        jacobian[2][i] = linear.z;
        jacobian[3][i] = angular.x;
        jacobian[4][i] = angular.y;
        jacobian[5][i] = angular.z;
    }
}

// Widens a circle about the origin, and its height, by a shape at a pose.
static void widen_by(const shape *s, pose at, double *radius, double *height) {
    enum { DIRECTIONS = 36 };
    vec3 low, high;
    for (int k = 0; k < DIRECTIONS; k++) {
        pose turned = pose_mul(pose_planar(0, 0, 2 * PI * k / DIRECTIONS), at);
        if (!shapes_bounds(s, 1, turned, &low, &high))
            return;
        *radius = fmax(*radius, high.x);
        *height = fmax(*height, high.z);
    }
}

double robot_breadth(const robot_model *r, double *height) {
    pose *links = mem_must(r->link_count + 1, sizeof *links);
    double radius = r->base_radius, top = 0;
    robot_forward(r, POSE_IDENTITY, r->home, links);
    for (size_t i = 0; i < r->link_count; i++)
        for (size_t k = 0; k < r->links[i].shape_count; k++)
            widen_by(&r->links[i].shapes[k], links[i], &radius, &top);
    for (size_t i = 0; i < r->arm_count; i++) {
        const robot_gripper *g = &r->arms[i].gripper;
        double aside = (g->max_opening + g->pad_size.y) / 2 + g->pad_size.y / 2;
        shape palm = {
            .kind = SHAPE_BOX, .at = {g->palm_center, {1, 0, 0, 0}}, .size = g->palm_size};
        shape pads = {.kind = SHAPE_BOX,
                      .at = {v3(0, 0, g->pad_center_z), {1, 0, 0, 0}},
                      .size = v3(g->pad_size.x, 2 * aside, g->pad_size.z)};
        widen_by(&palm, robot_palm(r, i, links), &radius, &top);
        widen_by(&pads, robot_palm(r, i, links), &radius, &top);
    }
    free(links);
    if (height)
        *height = top;
    return radius;
}
