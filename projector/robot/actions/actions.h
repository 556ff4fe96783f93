// projector/robot/actions/actions.h - primitive actions: run every control cycle until done; they
// command through the middleware and finish from readings, never from the truth.
//
// Each puts its OPERATION record at its begin and ends it; choices it makes (arm, stand, grasp,
// support) are CHOICE records of its task.
#ifndef FORESEE_PROJECTOR_ROBOT_ACTIONS_ACTIONS_H
#define FORESEE_PROJECTOR_ROBOT_ACTIONS_ACTIONS_H

#include "projector/robot/mind.h"

// Names, arguments and documentation: actions.def. ACTION(name, deadline_s, "doc") and
// ARGUMENT(action, key, required, "doc").
typedef struct action_argument {
    const char *key;
    const term *value; // ground
} action_argument;

typedef enum action_state { ACTION_RUNNING, ACTION_DONE, ACTION_FAILED } action_state;

typedef struct action_failure {
    const char *class; // of failures.def
    char reason[256];
    char blocker[64]; // known body or other robot that stood in the way; "" for none
} action_failure;

typedef struct action action;

// Actuators that the action would claim (use_bit), from its ground arguments. E_INPUT: unknown
// action, missing or wrong argument.
status action_uses(const mind *m, const char *name, const action_argument *args, size_t count,
                   unsigned *out, error *err);
// Starts it for a task (log id, static path: borrowed until the action is freed). An action that
// cannot even be planned is returned all the same and fails at its first step, with its typed
// failure.
status action_begin(mind *m, const char *name, const action_argument *args, size_t count,
                    int64_t task, const char *path, nanos t, action **out, error *err);
// One control cycle. ACTION_DONE: *result is the action's result term (NULL: none), in `a`.
// ACTION_FAILED: *failure is filled. The error is for a broken log or middleware only.
status action_step(action *act, arena *a, nanos t, action_state *state, const term **result,
                   action_failure *failure, error *err);
// The time before which stepping the action changes nothing and no reading matters to it, so that
// neither needs to be done; 0: there is none.
nanos action_wakes(const action *act);
// Readings are offered to every running action, after the belief took them.
status action_read(action *act, const reading *r, error *err);
// Evaporated or timed out: motions brake within their limits, then hold; a gripper keeps its force.
// The action needs stepping no more: robot_cycle goes on with the braking.
status action_cancel(action *act, nanos t, error *err);
// The names of all primitive actions, NULL-terminated.
const char *const *action_names(void);
void action_free(action *act); // NULL is a no-op

// Once in every control cycle, after the actions were stepped: goes on with the braking of what was
// cancelled.
status robot_cycle(mind *m, nanos t, error *err);

#endif
