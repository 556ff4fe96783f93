// projector/robot_ids.h - log ids (OBJECT records) of a robot's parts, for the mind, the body and
// the recorder.
#ifndef FORESEE_PROJECTOR_ROBOT_IDS_H
#define FORESEE_PROJECTOR_ROBOT_IDS_H

#include "scene/robot/robot.h"

typedef struct hand_ids {
    int64_t gripper, palm, fingers[2];
    int64_t wrist; // force sensor; 0: the arm has none
} hand_ids;

typedef struct robot_ids {
    int64_t *links;  // by link; the first is the base
    int64_t *joints; // by joint
    hand_ids *hands; // by arm
    int64_t camera, laser;
    int64_t tracker; // that sees the robot; 0: none does
} robot_ids;

void robot_ids_init(robot_ids *ids, const robot_model *r); // all 0
void robot_ids_finish(robot_ids *ids);

#endif
