// projector/interp/constructs/acting.c - primitive actions as tasks, and using.
#include "projector/interp/constructs/constructs.h"
#include "projector/interp/evaluation/designator.h"
#include "projector/interp/evaluation/eval.h"
#include "projector/interp/state/claims.h"
#include "projector/interp/state/queue.h"
#include "projector/interp/state/records.h"
#include "projector/interp/state/schedule.h"
#include "projector/interp/tasks/task.h"

// The name of the primitive action that the task does: the step's own, or the one that its
// description stands for.
static const char *action_of(const frame *f) {
    return f->doing ? f->doing : f->node->name;
}

// Takes the status of a call to an action: a mistake of the plan fails the task, any other error
// ends the cycle. True: the status is OK.
static bool accept_status(interp *i, frame *f, status s, const error *err) {
    if (s == OK)
        return true;
    if (is_refusal(s)) {
        task_fail(i, f, "designator_reference_failure", err->text, NULL);
        return false;
    }
    i->err = *err;
    interp_check(i, s);
    return false;
}

// An action that only time can end is not stepped until it is due.
static void sleep_until_due(interp *i, frame *f) {
    nanos wakes = f->action ? action_wakes(f->action) : 0;
    if (wakes <= i->now)
        return;
    if (f->node->seconds > 0) {
        nanos most = f->began + nanos_from_seconds(f->node->seconds);
        wakes = wakes < most ? wakes : most;
    }
    chain_remove(&i->acting, f);
    schedule_wake(i, f, wakes);
}

static void begin_action(interp *i, frame *f) {
    error err = {0};
    status s = action_begin(i->mind, action_of(f), f->given, f->given_count, f->id, f->path, i->now,
                            &f->action, &err);
    if (!accept_status(i, f, s, &err)) {
        f->action = NULL;
        return;
    }
    f->began = i->now;
    chain_insert(&i->acting, f);
    acting_run(i, f);
    sleep_until_due(i, f);
}

void acting_step(interp *i, frame *f) {
    if (f->action)
        return;
    if (f->waits) {
        if (task_claim_granted(i, f))
            begin_action(i, f);
        return;
    }
    error err = {0};
    status s = action_uses(i->mind, action_of(f), f->given, f->given_count, &f->uses, &err);
    if (accept_status(i, f, s, &err) && task_claim(i, f, f->uses))
        begin_action(i, f);
}

void acting_run(interp *i, frame *f) {
    action_state state = ACTION_RUNNING;
    action_failure why = {0};
    const term *result = NULL;
    interp_check(i, action_step(f->action, i->scratch, i->now, &state, &result, &why, &i->err));
    if (i->failed != OK)
        return;
    if (state == ACTION_DONE) {
        task_drop_action(i, f);
        task_finish_with(i, f, result);
    } else if (state == ACTION_FAILED) {
        task_drop_action(i, f);
        task_fail(i, f, why.class, why.reason, why.blocker);
    } else {
        // The action keeps its own deadline; a plan may give a shorter one.
        task_check_time(i, f, action_of(f), "was not done");
    }
}

// Adds the use_bits of base, torso, head, camera, laser, or of an arm with its gripper. False: the
// robot has no such actuator.
static bool actuator_bits(const interp *i, const term *t, unsigned *out) {
    static const struct {
        const char *name;
        unsigned bits;
    } known[] = {{"base", USE_BASE},
                 {"torso", USE_TORSO},
                 {"head", USE_HEAD},
                 {"camera", USE_CAMERA},
                 {"laser", USE_LASER}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (term_is_symbol(t, known[k].name)) {
            *out |= known[k].bits;
            return true;
        }
    }
    const robot_model *r = i->mind->robot;
    for (size_t k = 0; k < r->arm_count; k++) {
        if (term_is_symbol(t, r->arms[k].name) || term_is_symbol(t, r->arms[k].gripper.name)) {
            *out |= use_arm(k) | use_gripper(k);
            return true;
        }
    }
    return false;
}

static bool using_bits(interp *i, frame *f, unsigned *out) {
    const term *list;
    *out = 0;
    if (!eval_term(i, f, f->id, f->node->value, &list) ||
        !(list = designator_resolve(i, f->id, list)))
        return false;
    if (term_list_length(list) < 0)
        list = term_list(i->scratch, &list, 1, NULL);
    for (; term_is(list, "[|]", 2); list = list->args[1]) {
        if (actuator_bits(i, list->args[0], out))
            continue;
        char text[100];
        term_format(list->args[0], text, sizeof text);
        snprintf(i->reason, sizeof i->reason, "the robot has no actuator %s", text);
        return false;
    }
    return true;
}

void using_step(interp *i, frame *f) {
    frame *c = task_next_ended(f);
    if (c) {
        task_finish_as(i, f, c);
        return;
    }
    if (f->at > 0)
        return;
    if (f->waits) {
        if (!task_claim_granted(i, f))
            return;
    } else if (!using_bits(i, f, &f->uses)) {
        task_fail_evaluation(i, f);
        return;
    } else if (!task_claim(i, f, f->uses)) {
        return;
    }
    f->at = 1;
    task_start(i, f, f->node->children[0], 0, 1);
}
