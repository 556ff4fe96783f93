// tests/robot_numbers.h - numbers for the parts of a robot, where no recorder gives them ids.
#ifndef FORESEE_TESTS_ROBOT_NUMBERS_H
#define FORESEE_TESTS_ROBOT_NUMBERS_H

#include "projector/robot_ids.h"

// Numbers all parts from `first` on and returns the next number. robot_ids_finish frees them.
static inline int64_t robot_ids_number(robot_ids *ids, const robot_model *r, int64_t first) {
    robot_ids_init(ids, r);
    for (size_t i = 0; i < r->link_count; i++)
        ids->links[i] = first++;
    for (size_t i = 0; i < r->joint_count; i++)
        ids->joints[i] = first++;
    for (size_t i = 0; i < r->arm_count; i++) {
        ids->hands[i] = (hand_ids){first, first + 1, {first + 2, first + 3}, 0};
        first += 4;
    }
    ids->camera = first++;
    ids->laser = first++;
    return first;
}

#endif
