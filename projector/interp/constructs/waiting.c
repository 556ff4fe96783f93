// projector/interp/constructs/waiting.c - whenever and wait_for.
#include "projector/interp/constructs/constructs.h"
#include "projector/interp/evaluation/eval.h"
#include "projector/interp/evaluation/watch.h"
#include "projector/interp/state/records.h"
#include "projector/interp/state/schedule.h"
#include "projector/interp/tasks/task.h"

static bool fail_watch(interp *i, frame *f) {
    const char *trouble = watch_trouble(f);
    if (!trouble)
        return false;
    task_fail(i, f, "designator_reference_failure", trouble, NULL);
    return true;
}

// f->rounds counts the pulses that were served or are being served.
void whenever_step(interp *i, frame *f) {
    if (f->at++ == 0)
        watch_begin(i, f);
    if (!task_children_over(i, f))
        return;
    if (f->rounds < watch_pulses(f))
        task_start(i, f, f->node->children[0], 0, ++f->rounds);
    else
        fail_watch(i, f);
}

void wait_for_step(interp *i, frame *f) {
    if (f->at++ == 0) {
        f->began = i->now;
        watch_begin(i, f);
        if (f->node->seconds > 0)
            schedule_wake(i, f, f->began + nanos_from_seconds(f->node->seconds));
    }
    if (watch_pulses(f) > 0) {
        const term *answer = term_symbol(i->scratch, "true");
        interp_put_choice(i, f, "wait_for", eval_fill(i, f, f->node->value), "true",
                          term_list(i->scratch, &answer, 1, NULL), watch_reason(f));
        task_finish(i, f, TASK_DONE);
        return;
    }
    if (!fail_watch(i, f))
        task_check_time(i, f, "the condition", "did not come true");
}
