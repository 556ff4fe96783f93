// projector/robot/actions/functions.h - functions of terms that need the robot's knowledge:
// arm_for(Object), holding_arm(Object), free_arm, ...; actions.def lists them.
#ifndef FORESEE_PROJECTOR_ROBOT_ACTIONS_FUNCTIONS_H
#define FORESEE_PROJECTOR_ROBOT_ACTIONS_FUNCTIONS_H

#include "projector/robot/mind.h"

typedef enum robot_function {
    FUNCTION_NONE,
#define FUNCTION(name, arity, doc) FUNCTION_##name,
#include "projector/robot/actions.def"
} robot_function;

// The value of a function, in `a`. OK with *out = NULL: the term is no such function. Choices are
// logged for `task`.
status robot_evaluate(mind *m, arena *a, const term *function, int64_t task, nanos t,
                      const term **out, error *err);

// For functions.c, by readings.c: the value of a function that is a reading or is measured in the
// belief; for other functions *out stays as it is. Allocates nothing but the value.
status robot_reading(const mind *m, arena *a, robot_function f, const term *t, nanos now,
                     const term **out, error *err);

// torso.c: the height of the torso with which there is a place to stand for a target of navigate:
// another than it has now, and one to which the arms can be lifted or lowered as they are. False:
// there is none.
bool torso_height_for(mind *m, const term *to, int64_t task, nanos t, double *out);

#endif
