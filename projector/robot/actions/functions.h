// projector/robot/actions/functions.h - for robot/: functions of terms, and words for places.
#ifndef FORESEE_PROJECTOR_ROBOT_ACTIONS_FUNCTIONS_H
#define FORESEE_PROJECTOR_ROBOT_ACTIONS_FUNCTIONS_H

#include "projector/robot/mind.h"

typedef enum robot_function {
    FUNCTION_NONE,
#define FUNCTION(name, arity, doc) FUNCTION_##name,
#include "projector/robot/actions.def"
} robot_function;

// The value of a reading, or of what is measured in the belief; *out stays as it is where it is
// neither. Takes no memory but the value's own.
status robot_reading(const mind *m, arena *a, robot_function f, const term *t, nanos now,
                     const term **out, error *err);

// What words for a place have meant since the hand closed about an object.
typedef struct located {
    char text[240], object[64];
    believed_place place;
} located;
enum { LOCATED_MAX = 4 };

// As robot_locate, of a wide place (on(table_1)): the best spot of it at which this arm can put
// down what it holds. From now on the words mean this spot, as long as the hand holds it.
status robot_locate_reached(mind *m, const term *location, size_t arm, int64_t task, nanos t,
                            believed_place *out, error *err);
// Where the robot itself stands by a description of a place (for(robot) need not be said).
status robot_stand_at(mind *m, const term *description, int64_t task, nanos t, pose *out,
                      error *err);

#endif
