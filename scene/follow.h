// scene/follow.h - whether one scene can go on as another: what a model may hold otherwise in the
// midst of a projection.
//
// Friction, masses, senses, events, and what re-runs except from nature may become others at any
// instant. Where things started, their shapes and how the robot is built may not.
#ifndef FORESEE_SCENE_FOLLOW_H
#define FORESEE_SCENE_FOLLOW_H

#include "scene/robot/robot.h"

// E_INPUT: `to` or `robot_to` differs from what it would follow in what cannot change any more; the
// message names it.
status scene_follows(const world_model *from, const world_model *to, const robot_model *robot_from,
                     const robot_model *robot_to, error *err);

#endif
