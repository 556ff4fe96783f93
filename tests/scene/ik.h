// tests/scene/ik.h - a small numeric inverse kinematics for tests: damped least squares from
// several seeds, and the clearance of the arm to fixed bodies.
#ifndef FORESEE_TESTS_SCENE_IK_H
#define FORESEE_TESTS_SCENE_IK_H

#include "base/math/rng.h"
#include "scene/robot/robot.h"

enum { IK_LINKS = 64 };

// The tool with its approach straight down and its fingers opening along the heading `yaw`.
static inline pose ik_top_down(vec3 at, double yaw) {
    // z down, y along the heading, x what is left.
    vec3 y = v3(cos(yaw), sin(yaw), 0), z = v3(0, 0, -1), x = v3_cross(y, z);
    mat3 m = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    return (pose){at, quat_from_matrix(&m)};
}

static inline void ik_error(pose goal, pose tool, double e[6]) {
    vec3 p = v3_sub(goal.p, tool.p), r = quat_log(quat_mul(goal.q, quat_inverse(tool.q)));
    e[0] = p.x, e[1] = p.y, e[2] = p.z, e[3] = r.x, e[4] = r.y, e[5] = r.z;
}

// Solves A x = b for a symmetric positive definite A.
static inline void ik_solve(double a[6][6], double b[6]) {
    for (int k = 0; k < 6; k++)
        for (int i = k + 1; i < 6; i++) {
            double f = a[i][k] / a[k][k];
            for (int j = k; j < 6; j++)
                a[i][j] -= f * a[k][j];
            b[i] -= f * b[k];
        }
    for (int i = 5; i >= 0; i--) {
        for (int j = i + 1; j < 6; j++)
            b[i] -= a[i][j] * b[j];
        b[i] /= a[i][i];
    }
}

// Moves the arm's joints of `q` until the tool is within 0.5 mm and 0.1 degrees of the goal.
static inline bool ik_descend(const robot_model *r, size_t arm, pose base, pose goal, double *q,
                              int iterations) {
    pose links[IK_LINKS];
    for (int n = 0; n < iterations; n++) {
        double e[6], j[6][7], a[6][6];
        robot_forward(r, base, q, links);
        ik_error(goal, robot_tool(r, arm, links), e);
        double p = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
        double w = sqrt(e[3] * e[3] + e[4] * e[4] + e[5] * e[5]);
        if (p < 5e-4 && w < 1.7e-3)
            return true;
        double step = fmin(1, fmin(0.2 / p, 0.6 / w));
        for (int i = 0; i < 6; i++)
            e[i] *= step;
        robot_jacobian(r, arm, links, j);
        for (int i = 0; i < 6; i++)
            for (int k = 0; k < 6; k++) {
                a[i][k] = i == k ? 1e-4 : 0;
                for (int m = 0; m < 7; m++)
                    a[i][k] += j[i][m] * j[k][m];
            }
        ik_solve(a, e);
        for (int m = 0; m < 7; m++) {
            const robot_joint *joint = &r->joints[r->arms[arm].joints[m]];
            double d = 0;
            for (int i = 0; i < 6; i++)
                d += j[i][m] * e[i];
            double *v = &q[r->arms[arm].joints[m]];
            *v = fmin(joint->upper, fmax(joint->lower, *v + d));
        }
    }
    return false;
}

// The smallest distance between the arm (links, palm) and the world's fixed bodies.
static inline double ik_clearance(const robot_model *r, size_t arm, const world_model *w, pose base,
                                  const double *q) {
    pose links[IK_LINKS];
    double best = INFINITY;
    robot_forward(r, base, q, links);
    const robot_gripper *g = &r->arms[arm].gripper;
    shape palm = {SHAPE_BOX, {g->palm_center, {1, 0, 0, 0}}, g->palm_size};
    for (int k = 0; k < 8; k++) {
        size_t link = k < 7 ? r->joints[r->arms[arm].joints[k]].child : r->arms[arm].flange;
        const shape *shapes = k < 7 ? r->links[link].shapes : &palm;
        size_t count = k < 7 ? r->links[link].shape_count : 1;
        pose at = k < 7 ? links[link] : robot_palm(r, arm, links);
        for (size_t s = 0; s < count; s++)
            for (size_t b = 0; b < w->body_count; b++)
                for (size_t t = 0; w->bodies[b].fixed && t < w->bodies[b].type->shape_count; t++) {
                    const shape *other = &w->bodies[b].type->shapes[t];
                    best = fmin(best, shape_gap(&shapes[s], pose_mul(at, shapes[s].at), other,
                                                pose_mul(w->bodies[b].at, other->at)));
                }
    }
    return best;
}

// Between the arm's outer half (elbow to palm) and the base, torso and head.
static inline double ik_self_clearance(const robot_model *r, size_t arm, const double *q) {
    pose links[IK_LINKS];
    double best = INFINITY;
    robot_forward(r, POSE_IDENTITY, q, links);
    const robot_gripper *g = &r->arms[arm].gripper;
    shape palm = {SHAPE_BOX, {g->palm_center, {1, 0, 0, 0}}, g->palm_size};
    bool of_arm[IK_LINKS] = {false};
    for (size_t a = 0; a < r->arm_count; a++)
        for (int k = 0; k < 7; k++)
            of_arm[r->joints[r->arms[a].joints[k]].child] = a == arm || k < 2;
    for (int k = 2; k < 8; k++) {
        size_t link = k < 7 ? r->joints[r->arms[arm].joints[k]].child : r->arms[arm].flange;
        const shape *shapes = k < 7 ? r->links[link].shapes : &palm;
        size_t count = k < 7 ? r->links[link].shape_count : 1;
        pose at = k < 7 ? links[link] : robot_palm(r, arm, links);
        for (size_t s = 0; s < count; s++)
            for (size_t b = 0; b < r->link_count; b++)
                for (size_t t = 0; !of_arm[b] && t < r->links[b].shape_count; t++) {
                    const shape *other = &r->links[b].shapes[t];
                    best = fmin(best, shape_gap(&shapes[s], pose_mul(at, shapes[s].at), other,
                                                pose_mul(links[b], other->at)));
                }
    }
    return best;
}

// A solution with at least `clearance` to furniture and the robot's own body, searched from the
// given joints and from drawn seeds. `q` holds all joints; on success the arm's are set.
static inline bool ik_find(const robot_model *r, size_t arm, const world_model *w, pose base,
                           pose goal, double clearance, double *q) {
    double best[IK_LINKS];
    for (uint32_t n = 0; n < 24; n++) {
        memcpy(best, q, r->joint_count * sizeof *q);
        rng_key key = rng_key_make(1, "ik", r->arms[arm].name);
        for (uint32_t m = 0; n > 0 && m < 7; m++) {
            const robot_joint *j = &r->joints[r->arms[arm].joints[m]];
            double u = 0.1 + 0.8 * rng_uniform(key, n, m);
            best[r->arms[arm].joints[m]] = j->lower + u * (j->upper - j->lower);
        }
        if (ik_descend(r, arm, base, goal, best, 80) &&
            ik_self_clearance(r, arm, best) >= clearance &&
            (!w || ik_clearance(r, arm, w, base, best) >= clearance)) {
            memcpy(q, best, r->joint_count * sizeof *q);
            return true;
        }
    }
    return false;
}

#endif
