// projector/interp/evaluation/fluent.h - the parts of a condition that the interpreter itself
// knows: its own tasks ("task(tag, status)"), and the operators that are true at the instant of a
// change only ("pulsed(x)", "rises(c)", "falls(c)").
// Such an operator needs memory: the value at the last evaluation. A watch has it, which is the
// state of a watched condition (watch.c).
#ifndef FORESEE_PROJECTOR_INTERP_EVALUATION_FLUENT_H
#define FORESEE_PROJECTOR_INTERP_EVALUATION_FLUENT_H

#include "projector/interp/state/frame.h"

// One occurrence of pulsed, rises or falls in a watched condition.
typedef struct fluent_op {
    const term *t;
    bool primed;       // has been evaluated before
    bool was;          // truth of its condition at the last evaluation
    bool now;          // whether its change happens at the present evaluation
    const term *value; // value of pulsed's expression at the last evaluation, in `keep`
    arena *keep[2];    // hold that value and the one before it, in turn
} fluent_op;

struct watch {
    unsigned depends; // changes (bits of change_kind) that the condition may depend on
    bool begun, was;
    uint64_t pulses;     // that the condition has given so far
    const char *reason;  // of the first pulse, with the text that the step gives for it
    const char *trouble; // why the condition could not be evaluated; NULL: it could
    size_t op_count;
    fluent_op *ops; // an operator comes after those inside of it
};

// The state of the latest task of a step, within one run of a plan's or routine's body.
struct observation {
    const plan_node *node;
    int64_t id;
    task_state state;
    bool begun;
    observation *next;
};

// Returns whether a term is pulsed(_), rises(_) or falls(_).
bool fluent_is_operator(const term *t);
// Give the truth of an operator in the watch that is being evaluated, and of task(Tag, Status), and
// add it to i->reason. False: there is no such truth, and i->reason says why.
bool fluent_operator(interp *i, const term *t, bool *out);
bool fluent_task(interp *i, const frame *scope, const term *t, bool *out);

#endif
