// projector/interp/constructs/descriptions.c - next and equate: a description goes on to its next
// solution; several are made one.
#include "projector/interp/constructs/constructs.h"
#include "projector/interp/evaluation/designator.h"
#include "projector/interp/evaluation/eval.h"
#include "projector/interp/tasks/task.h"

// Computes the description, or list of descriptions, of the step.
static bool description_value(interp *i, frame *f, const term **out) {
    return eval_term(i, f, f->id, f->node->value, out);
}

void next_step(interp *i, frame *f) {
    const term *value, *solution = NULL;
    if (description_value(i, f, &value))
        solution = designator_next(i, f->id, value);
    if (solution)
        task_finish_with(i, f, designator_peek(i, solution));
    else
        task_fail_evaluation(i, f);
}

void equate_step(interp *i, frame *f) {
    const term *list;
    if (!description_value(i, f, &list)) {
        task_fail_evaluation(i, f);
        return;
    }
    if (term_list_length(list) < 2) {
        snprintf(i->reason, sizeof i->reason, "equate takes a list of two or more");
        task_fail_evaluation(i, f);
    } else if (!designator_equate(i, f->id, list)) {
        task_fail_evaluation(i, f);
    } else {
        task_finish(i, f, TASK_DONE);
    }
}
