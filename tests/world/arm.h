// tests/world/arm.h - one arm of a robot as a chain on a fixed base, for the tests of dynamics.
#ifndef FORESEE_TESTS_WORLD_ARM_H
#define FORESEE_TESTS_WORLD_ARM_H

#include "projector/world/dynamics/aba.h"
#include "scene/robot/robot.h"
#include "tests/testlib.h"

typedef struct arm {
    robot_model *robot;
    aba tree;
    aba_node nodes[ARM_JOINTS_MAX];
    int count;
} arm;

// Without friction, controllers, stops and hand: what is left is inertia, gravity and armature.
static inline void arm_open(arm *a, const char *path) {
    settings none = {0};
    errors list = {0};
    *a = (arm){0};
    assert_int_equal(robot_load(path, NULL, &none, &a->robot, &list), OK);
    errors_finish(&list);
    const robot_arm *from = &a->robot->arms[0];
    a->count = (int)from->joint_count;
    for (int i = 0; i < a->count; i++) {
        const robot_joint *j = &a->robot->joints[from->joints[i]];
        const robot_link *l = &a->robot->links[j->child];
        a->nodes[i] = (aba_node){.parent = i - 1,
                                 .slides = j->kind == JOINT_PRISMATIC,
                                 .origin_r = quat_matrix(j->origin.q),
                                 .origin_p = j->origin.p,
                                 .axis = j->axis,
                                 .mass = l->mass,
                                 .com = l->com,
                                 .inertia = l->inertia,
                                 .armature = j->armature,
                                 .lower = -INFINITY,
                                 .upper = INFINITY,
                                 .low = -INFINITY,
                                 .high = INFINITY};
    }
    aba_init(&a->tree, a->nodes, a->count, NULL, 0);
    a->tree.gravity = v3(0, 0, -9.81);
}

static inline void arm_close(arm *a) {
    robot_destroy(a->robot);
}

static inline double arm_noise(unsigned *state) { // in [-1, 1]
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (double)(1u << 23) - 1;
}

#endif
