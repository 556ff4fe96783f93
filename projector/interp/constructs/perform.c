// projector/interp/constructs/perform.c - perform: does the routine or primitive action that a
// description stands for.
#include "projector/interp/constructs/constructs.h"
#include "projector/interp/evaluation/candidates.h"
#include "projector/interp/evaluation/designator.h"
#include "projector/interp/state/records.h"
#include "projector/interp/state/schedule.h"
#include "projector/interp/tasks/task.h"

static void begin_routine(interp *i, frame *f) {
    const char *names[KEYS_MAX];
    size_t count = 0;
    pattern_variables(f->routine->pattern, names, &count);
    i->bound.count = 0;
    for (size_t k = 0; k < count; k++)
        array_push(&i->bound, (binding){names[k], frame_given(f, names[k])});
    const term *name = term_symbol(i->scratch, f->routine->name);
    interp_put_choice(i, f, "routine", designator_peek(i, f->value), f->routine->name,
                      term_list(i->scratch, &name, 1, NULL), "the description resolved to it");
    f->began = i->now;
    if (!goal_enter(i, f, f->routine) || f->node->seconds == 0)
        return;
    schedule_wake(i, f, i->now + nanos_from_seconds(f->node->seconds));
}

void perform_step(interp *i, frame *f) {
    if (f->doing) {
        acting_step(i, f);
        return;
    }
    frame *body = task_next_ended(f);
    if (body)
        goal_end(i, f, body);
    else if (f->at++ == 0)
        begin_routine(i, f);
    else
        task_check_time(i, f, f->routine->name, "was not done");
}
