// projector/interp/interp_int.h - what the interpreter's files do for one another.
#ifndef FORESEE_PROJECTOR_INTERP_INT_H
#define FORESEE_PROJECTOR_INTERP_INT_H

#include "projector/interp/frame.h"

// task.c
frame *task_start(interp *i, frame *parent, const plan_node *node, uint32_t index, uint32_t round);
// Settles how a task ends; what still runs below it is evaporated, and it ends when all of that
// has.
void task_finish(interp *i, frame *f, task_state outcome);
void task_evaporate(interp *i, frame *f);
void task_abandon(interp *i, frame *f); // of a task that is ending: its clean-ups end too
// Fails a task: a failure that begins here, or one passed on (`cause` becomes the task's own).
void task_fail(interp *i, frame *f, const char *class, const char *reason, const char *blocker);
void task_pass_on(interp *i, frame *f, failure *cause, const char *class, const char *reason);
// The same, signalled when the task has recovered and cleaned up. `cause` may be NULL.
void task_fail_late(interp *i, frame *f, failure *cause, const char *class, const char *reason);
void task_free(interp *i, frame *f);    // with all its children
void task_release(interp *i, frame *f); // the same, and takes it from its parent
// Writes a failure down and makes it; `cause` becomes its own.
failure *task_signal(interp *i, const frame *f, const char *class, const char *reason,
                     const char *blocker, failure *cause);
void task_suspend(interp *i, frame *f);
void task_resume(interp *i, frame *f);
void task_note_status(interp *i, frame *f, task_state s);
failure *task_take_failure(frame *f); // the caller owns it
void failure_free(interp *i, failure *x);
void failure_handled(interp *i, failure *x, int64_t by);
bool failure_is(const char *class, const char *ancestor);
const char *failure_common(const char *a, const char *b); // the nearest class above both
frame *task_next_ended(frame *f); // takes the next child that ended; NULL: none
void task_choice(interp *i, const frame *f, const char *what, const term *question,
                 const char *chosen, const term *candidates, const char *reason);
void task_notes(interp *i, frame *f, const frame *scope, const plan_note *notes, size_t count);

// interp.c
void interp_check(interp *i, status s); // keeps the first error of a broken log or middleware
void interp_put(interp *i, const record *r);
void interp_end(interp *i, const record *r);
void interp_ready(interp *i, frame *f);
void interp_hurry(interp *i, frame *f); // as ready, even where it would wait for others' ends
void interp_watch(interp *i, frame *f); // at_location: looked at every cycle from now on
void interp_wake(interp *i, frame *f, nanos t); // made ready, or its action stepped, at t
void interp_sleep_no_more(interp *i, frame *f); // takes its timer away
// Something changed that conditions may depend on; they are evaluated after this step.
static inline void interp_changed(interp *i, change_kind what) {
    i->changed |= (unsigned)what;
}
// queue.c
void queue_push(frame_queue *q, nanos at, frame *f);
const queued *queue_first(const frame_queue *q); // NULL: it is empty
void queue_pop(frame_queue *q);                  // takes away what queue_first gives
size_t queue_count(const frame_queue *q);
void queue_keep(frame_queue *q, bool (*keeps)(const queued *)); // drops all others
void queue_finish(frame_queue *q);
void chain_insert(frame_chain *chain, frame *f);
void chain_remove(frame_chain *chain, frame *f); // no-op where it is not in it
arena *arena_take(interp *i);
void arena_give(interp *i, arena *a);

// eval.c: results live in the scratch arena, the plan or a variable. False: it cannot be evaluated,
// and i->reason says why.
bool eval_term(interp *i, const frame *scope, int64_t task, const term *t, const term **out);
// Variables that have values filled in, nothing computed.
const term *eval_fill(interp *i, const frame *scope, const term *t);
bool eval_condition(interp *i, const frame *scope, int64_t task, const term *t, bool *out);
const char *eval_text(interp *i, const frame *scope, const char *text); // ?names filled in
void eval_init(interp *i);                                              // once
variable *variable_find(const frame *scope, const char *name);
// A new variable of `f`; a new value of one in scope (else of the body's outermost frame).
void variable_make(interp *i, frame *f, const char *name, const term *value, int64_t by,
                   const char *point);
void variable_set(interp *i, frame *scope, const char *name, const term *value, int64_t by,
                  const char *point);
void variables_free(interp *i, frame *f);

// steps.c
void step_task(interp *i, frame *f); // one step of a ready frame
// What stands in a task's record (in scratch; *goal NULL: none), computed before the record is
// written.
void step_describe(interp *i, frame *f, const frame *scope, const char **expr, const char **goal);
void step_fail_evaluation(interp *i, frame *f);       // with i->reason
void step_pass_on(interp *i, frame *f, frame *child); // fails as its child has
// Fails because all of these children have.
void step_pass_on_all(interp *i, frame *f, frame **ended, size_t count);
void step_finish_with(interp *i, frame *f, const term *result); // done; NULL: without a result

// goals.c
void goal_describe(interp *i, frame *f, const frame *scope, const char **expr, const char **goal);
void goal_step(interp *i, frame *f); // achieve and perceive
// Enters a routine whose pattern's variables are bound in i->bound. False: the task has failed.
bool goal_enter(interp *i, frame *f, const plan_routine *r);
// Whether its guard is believed with these variables; i->reason says why.
bool goal_guard(interp *i, int64_t task, const plan_routine *r, const bindings *bound);
// A routine's body has ended: so does the task.
void goal_end(interp *i, frame *f, frame *body);
bool goal_conclude(interp *i, frame *f); // asserts effects, verifies; false: it has failed instead
void place_step(interp *i, frame *f);    // at_location
void place_watch(interp *i, frame *f);

// fluent.c: conditions that are watched. A watch begins with an evaluation, and ends with the task.
void watch_begin(interp *i, frame *f);
void watch_end(interp *i, frame *f);
unsigned watch_depends(const frame *f); // change_kind, any of
uint64_t watch_pulses(const frame *f);
const char *watch_reason(const frame *f);   // of the first pulse; NULL: none
const char *watch_trouble(const frame *f);  // why the condition cannot be evaluated; NULL: it can
void fluents_evaluate(interp *i);           // what depends on what has changed
void observation_note(interp *i, frame *f); // of an observed step: its task's state has changed
// For eval.c: pulsed, rises and falls, and task(Tag, Status), which give i->reason a note.
bool fluent_is_operator(const term *t);
bool fluent_operator(interp *i, const term *t, bool *out);
bool fluent_task(interp *i, const frame *scope, const term *t, bool *out);
void whenever_step(interp *i, frame *f);
void wait_for_step(interp *i, frame *f);

// policy.c: with_policy. designator.c: descriptions.
void policy_step(interp *i, frame *f);
//
// Makes a description (kind: object, location, action; its properties evaluated) and gives the
// symbol des#N that stands for it in expressions.
const term *designator_make(interp *i, int64_t task, const char *kind, const term *properties);
bool designator_is(const term *t); // a symbol des#N
bool designator_within(const term *t);
// A term with what its descriptions stand for; those that have no solution yet are resolved. NULL:
// one cannot be, and i->reason says why.
const term *designator_resolve(interp *i, int64_t task, const term *t);
// The same without resolving any: those without a solution stay.
const term *designator_peek(interp *i, const term *t);
// What properties stand for now, without making a description. NULL: nothing, and i->reason.
const term *designator_passing(interp *i, int64_t task, const char *kind, const term *properties);
// What des#N of an action was resolved to, with further descriptions left in it. NULL: nothing, or
// it is none of an action; i->reason says so.
const term *designator_solution(interp *i, int64_t task, const term *t);
// The properties of des#N; NULL: there is no such description, or i->reason.
const term *designator_description(interp *i, int64_t task, const term *t);
// des#N was looked for and these were found, best first: it is the one that it was, else the first
// that was not tried. NULL: none.
const term *designator_found(interp *i, int64_t task, const term *t, const term *list,
                             const char *why);
// Whether it would have a solution now. Descriptions that it names are resolved, for the task that
// asks.
bool designator_resolvable(interp *i, int64_t task, const term *t, bool *out);
// A list of properties of a place as a description; any other term as it is. For where the robot
// itself shall be: actions resolve such lists themselves, with what is in the hand.
const term *designator_place(interp *i, int64_t task, const term *t);
// What a location says as a region to look at: on(Body), within(Region), in(Container), else the
// support it resolves to.
const term *designator_region(interp *i, int64_t task, const term *t);
void designators_tidy(interp *i); // between steps
void designators_finish(interp *i);
void next_step(interp *i, frame *f);
void equate_step(interp *i, frame *f);

// perform.c: what action descriptions stand for.
// Candidates for a list of properties, best first, as terms name(key(Value), ...); `why` says of
// each that was looked at why it is one, or not. False: i->reason says why there can be none.
bool perform_candidates(interp *i, int64_t task, const term *properties, term_list_array *out,
                        char *why, size_t size);
void perform_describe(interp *i, frame *f, const frame *scope, const char **expr,
                      const char **goal);
void perform_step(interp *i, frame *f);

// acting.c
const char *acting_describe(interp *i, frame *f, const frame *scope);
// An argument as the action takes it: descriptions resolved. NULL: one cannot be; i->reason.
const term *acting_argument(interp *i, int64_t task, const char *name, const char *key,
                            const term *value);
void acting_step(interp *i, frame *f);
void acting_run(interp *i, frame *f); // one cycle of a running action
void using_step(interp *i, frame *f);
void acting_stop(interp *i, frame *f); // cancels and frees its action, gives its claim up
bool claim_make(interp *i, frame *f, unsigned uses); // true: granted at once
void claim_release(interp *i, frame *f);
void claims_note_starved(interp *i); // writes down who waits for long, and for whom
bool claim_is_granted(const interp *i, const frame *f);
bool frame_below(const frame *f, const frame *above); // `above` is f or an ancestor of it

#endif
