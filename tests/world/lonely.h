// tests/world/lonely.h - a robot of one link, for worlds whose robot touches nothing.
#ifndef FORESEE_TESTS_WORLD_LONELY_H
#define FORESEE_TESTS_WORLD_LONELY_H

#include "scene/robot/robot.h"

// The same one each time.
static inline const robot_model *lonely_robot(void) {
    static robot_link link = {
        .joint = -1, .mass = 10, .name = "robot", .inertia = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    static robot_model robot = {.links = &link,
                                .link_count = 1,
                                .base_max_force = 100,
                                .base_radius = 0.2,
                                .base_max_acceleration = 1,
                                .base_max_turn_acceleration = 1,
                                .torso = -1};
    return &robot;
}

#endif
