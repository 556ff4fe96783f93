// projector/interp/tasks/task.h - the life of a task frame: begin, end, evaporation, suspension.
#ifndef FORESEE_PROJECTOR_INTERP_TASKS_TASK_H
#define FORESEE_PROJECTOR_INTERP_TASKS_TASK_H

#include "projector/interp/state/failure.h"

// ---- Begin --------------------------------------------------------------------------------------
frame *task_start(interp *i, frame *parent, const plan_node *node, uint32_t index, uint32_t round);
void task_note_status(interp *i, frame *f, task_state s);
void task_notes(interp *i, frame *f, const frame *scope, const plan_note *notes, size_t count);
// Claims actuators for a task. False: it is suspended until they are granted, or has failed for
// resource_deadlock.
bool task_claim(interp *i, frame *f, unsigned uses);
// Goes on with a task that waits for its claim. False: the claim is not granted yet.
bool task_claim_granted(interp *i, frame *f);

// ---- End ----------------------------------------------------------------------------------------
// Settles how a task ends; its children that still run are evaporated, and it ends when all of them
// have.
void task_finish(interp *i, frame *f, task_state outcome);
void task_finish_with(interp *i, frame *f, const term *result); // as done; NULL: without a result
void task_abandon(interp *i, frame *f); // of a task that is ending: ends its clean-ups too
void task_destroy(interp *i, frame *f); // with all its children
void task_release(interp *i, frame *f); // takes it from its parent and frees it
frame *task_next_ended(frame *f);       // takes the next child that ended; NULL: none
// Takes the child of a task whose children run one after another. True: no child runs, and the task
// may start the next one. False: a child runs, or has failed and the task with it.
bool task_children_over(interp *i, frame *f);
void task_drop_action(interp *i, frame *f);

// ---- Suspension ---------------------------------------------------------------------------------
void task_suspend(interp *i, frame *f);
void task_resume(interp *i, frame *f);

// ---- Failing ------------------------------------------------------------------------------------
// Fails a task with a failure that begins here.
void task_fail(interp *i, frame *f, const char *class, const char *reason, const char *blocker);
void task_fail_evaluation(interp *i, frame *f);             // with i->reason
void task_pass_on_child(interp *i, frame *f, frame *child); // fails as its child has
// Ends as its child has ended: done with the child's result, or failed as the child has.
void task_finish_as(interp *i, frame *f, frame *child);
void task_pass_on_children(interp *i, frame *f); // fails because all of its children have
// Fails a task that has run since f->began for as long as its step allows; the reason is "tidy was
// not done within 5 s" for the subject "tidy" and `what` "was not done".
void task_check_time(interp *i, frame *f, const char *subject, const char *what);
// Fails a task with a failure that is signalled when it has recovered and cleaned up. `cause` (may
// be NULL) becomes the failure's own.
void task_fail_late(interp *i, frame *f, failure *cause, const char *class, const char *reason);
failure *task_take_failure(frame *f); // the caller owns it

#endif
