// projector/robot/actions/offset.h - places that go along with another robot, as actions name them.
#ifndef FORESEE_PROJECTOR_ROBOT_ACTIONS_OFFSET_H
#define FORESEE_PROJECTOR_ROBOT_ACTIONS_OFFSET_H

#include "base/term/term.h"

#include <stdio.h>

// Reads offset(Robot, X, Y, Last): m ahead and to the left of the other robot's base, and a height
// (m) or a heading (degrees) to go with it. False: the term is none.
static inline bool offset_read(const term *t, char *robot, size_t size, vec3 *out) {
    if (!term_is(t, "offset", 4) || t->args[0]->kind != TERM_SYMBOL ||
        !term_number(t->args[1], &out->x) || !term_number(t->args[2], &out->y) ||
        !term_number(t->args[3], &out->z))
        return false;
    snprintf(robot, size, "%s", t->args[0]->text);
    return true;
}

#endif
