// projector/robot/grasping/hands.h - the arms by name, and what their hands hold as it is believed.
#ifndef FORESEE_PROJECTOR_ROBOT_GRASPING_HANDS_H
#define FORESEE_PROJECTOR_ROBOT_GRASPING_HANDS_H

#include "projector/robot/mind.h"

typedef struct held {      // in a hand
    const body_type *kind; // NULL: nothing
    pose in_hand;          // of the object, in the tool's frame
    const char *name;
} held;

held held_by(const mind *m, size_t arm);
// The distance between the pads as read last, m; before the first reading the largest one.
double hand_opening(const mind *m, size_t arm);
// The arm that a symbol names, by its own name or its gripper's; -1: none.
int64_t arm_named(const mind *m, const term *t);

#endif
