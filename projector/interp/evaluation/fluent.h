// projector/interp/evaluation/fluent.h - watches of conditions, and the states of tasks that
// conditions ask for.
#ifndef FORESEE_PROJECTOR_INTERP_EVALUATION_FLUENT_H
#define FORESEE_PROJECTOR_INTERP_EVALUATION_FLUENT_H

#include "projector/interp/state/frame.h"

// An operator with an instant: pulsed, rises or falls, once for each place where it stands.
typedef struct fluent_op {
    const term *t;
    bool primed;       // has been evaluated before
    bool was;          // of a condition: its truth at the last evaluation
    bool now;          // the edge is at this evaluation
    const term *value; // pulsed: its value at the last evaluation, in `keep`
    arena *keep[2];    // the value's and the one before it, in turn
} fluent_op;

struct watch {
    unsigned depends; // change_kind, any of
    bool begun, was;
    uint64_t pulses;
    const char *reason;  // of the first pulse, with the text that the step gives for it
    const char *trouble; // it could not be evaluated; NULL: it could
    size_t op_count;
    fluent_op *ops; // an inner one before the one it stands in
};

// The latest task of a step, within a plan's or routine's body.
struct observation {
    const plan_node *node;
    int64_t id;
    task_state state;
    bool begun;
    observation *next;
};

bool fluent_is_operator(const term *t); // pulsed(_), rises(_), falls(_)
// The truth of pulsed, rises, falls in the watch that is being evaluated, and of task(Tag, Status).
// Each adds to i->reason; false: it cannot be told.
bool fluent_operator(interp *i, const term *t, bool *out);
bool fluent_task(interp *i, const frame *scope, const term *t, bool *out);

#endif
