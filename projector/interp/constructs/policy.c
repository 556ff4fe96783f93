// projector/interp/constructs/policy.c - with_policy: init, then a body beside a check that is
// repeated, both interrupted when the watched condition is met. Children that end in a cycle are
// looked at when no other task can move in it, so that a condition met in the same cycle wins over
// the body's end; the condition itself interrupts at once. Recovery and clean-up are stages of the
// task's end (task.c).
#include "projector/interp/constructs/constructs.h"
#include "projector/interp/evaluation/watch.h"
#include "projector/interp/state/schedule.h"
#include "projector/interp/tasks/task.h"

enum { POLICY_BEGIN, POLICY_INIT, POLICY_BODY };

static void start_part(interp *i, frame *f, const plan_node *part, uint32_t round) {
    task_start(i, f, part, node_child_index(f->node, part), round);
}

static void begin_body(interp *i, frame *f) {
    const plan_node *n = f->node;
    f->at = POLICY_BODY;
    start_part(i, f, n->children[0], 1);
    if (n->policy.check)
        start_part(i, f, n->policy.check, ++f->rounds);
    watch_begin(i, f);
    // The condition may be true at once, or impossible to evaluate.
    if (watch_pulses(f) > 0 || watch_trouble(f))
        schedule_hurry(i, f);
}

// Fails the task because the condition was met; a failure of the body in the same cycle becomes its
// cause.
static void interrupt_body(interp *i, frame *f, frame *failed) {
    f->interrupted = true;
    task_fail_late(i, f, failed ? task_take_failure(failed) : NULL, "policy_condition_met",
                   watch_reason(f));
}

static void step_body(interp *i, frame *f) {
    frame *body = NULL, *check = NULL;
    for (frame *c; (c = task_next_ended(f));) {
        if (c->index == 0)
            body = c;
        else
            check = c;
    }
    frame *failed = body && body->outcome == TASK_FAILED     ? body
                    : check && check->outcome == TASK_FAILED ? check
                                                             : NULL;
    if (watch_pulses(f) > 0) {
        interrupt_body(i, f, failed);
    } else if (watch_trouble(f)) {
        task_fail_late(i, f, failed ? task_take_failure(failed) : NULL,
                       "designator_reference_failure", watch_trouble(f));
    } else if (failed) {
        task_pass_on_child(i, f, failed);
    } else if (body) {
        task_finish_with(i, f, body->result);
    } else if (check) {
        task_release(i, check);
        start_part(i, f, f->node->policy.check, ++f->rounds);
    }
}

void policy_step(interp *i, frame *f) {
    const plan_node *n = f->node;
    if (f->at == POLICY_BEGIN && n->policy.init) {
        f->at = POLICY_INIT;
        start_part(i, f, n->policy.init, 1);
    } else if (f->at == POLICY_BEGIN) {
        begin_body(i, f);
    } else if (f->at == POLICY_INIT) {
        if (task_children_over(i, f))
            begin_body(i, f);
    } else {
        step_body(i, f);
    }
}
