// projector/interp/interp_int.h - the interpreter's state, for its own files.
//
// A task is a frame. Frames form a tree; a frame lives until its parent has taken note of its end,
// and with it goes all that it made at run time (its arena). Ready frames wait in a heap by task
// id. Nothing that a broken log or middleware does is lost: the first such error stays in `failed`
// and `err`, and the cycle ends with it.
#ifndef FORESEE_PROJECTOR_INTERP_INT_H
#define FORESEE_PROJECTOR_INTERP_INT_H

#include "plans/tree.h"
#include "projector/interp/interp.h"

#define STEPS_MOST 100000    // without time passing
#define DEPTH_MOST 1000      // of nested tasks
#define LEFT_DISTANCE 0.10   // m from where at_location arrived: left
#define LEFT_ANGLE 0.1745    // rad
#define CLOSED_OPENING 0.003 // m between the pads: closed
#define REASON_SIZE 512

typedef enum task_state {
    TASK_CREATED,
    TASK_ACTIVE,
    TASK_SUSPENDED,
    TASK_DONE,
    TASK_FAILED,
    TASK_EVAPORATED
} task_state;

typedef struct frame frame;

typedef struct failure failure;
struct failure {
    int64_t id;        // of the FAILURE record
    const char *class; // lives as long as the plan, or failures.def
    char *reason;      // own
    failure *cause;    // own; NULL: it began here
};

// Its value lives in its frame's arena when it is the first, then in one of two arenas in turn, so
// that a variable that is set again and again does not grow.
typedef struct variable variable;
struct variable {
    const char *name;
    const term *value;
    arena *now, *spare;
    variable *next;
};

// The use of actuators, granted or waited for, in the order in which they were asked for.
typedef struct claim {
    frame *by;
    unsigned uses;
    bool granted;
} claim;

struct frame {
    const plan_node *node;
    frame *parent, *first, *last, *next, *prev;
    frame *ended_first, *ended_last, *ended_next; // children that ended and were not yet looked at
    int64_t id;
    task_state state; // as logged
    bool queued;      // in the heap of ready frames
    bool gone;        // freed while it was in there
    bool pending;     // was made ready while suspended
    bool concluding;  // its outcome is settled; it ends when its children have
    bool cleaning;    // runs its clean-up
    bool skipped;
    bool waits;         // for actuators
    bool polled;        // in the list of what is looked at every cycle
    bool boundary;      // the variables of a plan's or routine's body end here
    unsigned suspended; // by how many at_locations above
    task_state outcome;
    uint32_t depth, index, round; // index: which child of its parent's node it is
    size_t live;                  // children that have not ended
    const char *path, *dynamic;
    size_t path_length, dynamic_length;
    arena *memory;
    variable *variables;
    failure *failure;    // why it failed
    failure *source;     // to be passed on at its end, behind its clean-up
    const char *trouble; // what keeps it from beginning, signalled at its first step; NULL: nothing
    const term *result;  // NULL: none
    // by construct
    size_t at;                   // next child, or phase
    uint32_t *counts;            // retries per clause
    const plan_clause *clause;   // that is handling
    const term *value;           // goal, filled in; list of a loop
    const term *region;          // of perceive
    const plan_routine *routine; // achieve, perceive
    action_argument *given;      // arguments of an action; `with` of a goal
    size_t given_count;
    uint32_t rounds; // at_location: how often it went there
    action *action;
    unsigned uses;
    nanos began;
    pose place; // of at_location: where it arrived
};

typedef ARRAY(frame *) frame_list;

struct interp {
    const plan *plan;
    mind *mind;
    sink *log;
    nanos now;
    status failed;
    error err;
    frame *top;
    bool finished, done;
    uint64_t steps;
    uint64_t steps_now; // in this cycle
    int livelocks;      // in this cycle
    bool abandon;       // no clean-up is begun any more, and those that run are evaporated
    frame_list ready;   // heap by id
    frame_list late;    // pursue: decides when nothing else can move
    frame_list acting;  // running actions, by id
    frame_list polled;  // wait_for and at_location, by id
    frame_list visit;   // those of acting or polled that this cycle began with
    ARRAY(claim) claims;
    frame_list spare_frames;
    ARRAY(arena *) spare_arenas;
    arena *scratch; // of one step
    term_list_array found;
    bindings bound;
    char reason[REASON_SIZE]; // why a condition or an evaluation came out as it did
};

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
void task_free(interp *i, frame *f);    // with all its children
void task_release(interp *i, frame *f); // the same, and takes it from its parent
// Writes a failure down and makes it; `cause` becomes its own.
failure *task_signal(interp *i, const frame *f, const char *class, const char *reason,
                     const char *blocker, failure *cause);
void task_suspend(interp *i, frame *f);
void task_resume(interp *i, frame *f);
void task_note_status(interp *i, frame *f, task_state s);
failure *task_take_failure(frame *f); // the caller owns it
void failure_free(failure *x);
void failure_handled(interp *i, const failure *x, int64_t by);
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
void interp_watch(interp *i, frame *f); // stepped every cycle from now on
void frames_remove(frame_list *list, const frame *f);
void frames_insert(frame_list *list, frame *f); // by id
arena *arena_take(interp *i);
void arena_give(interp *i, arena *a);

// eval.c: results live in the scratch arena, the plan or a variable. False: it cannot be evaluated,
// and i->reason says why.
bool eval_term(interp *i, const frame *scope, int64_t task, const term *t, const term **out);
// Variables that have values filled in, nothing computed.
const term *eval_fill(interp *i, const frame *scope, const term *t);
bool eval_condition(interp *i, const frame *scope, int64_t task, const term *t, bool *out);
const char *eval_text(interp *i, const frame *scope, const char *text); // ?names filled in
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
void step_fail_evaluation(interp *i, frame *f);                 // with i->reason
void step_pass_on(interp *i, frame *f, frame *child);           // fails as its child has
void step_finish_with(interp *i, frame *f, const term *result); // done; NULL: without a result

// goals.c
void goal_describe(interp *i, frame *f, const frame *scope, const char **expr, const char **goal);
void goal_step(interp *i, frame *f);     // achieve and perceive
bool goal_conclude(interp *i, frame *f); // asserts effects, verifies; false: it has failed instead
void place_step(interp *i, frame *f);    // at_location
void place_watch(interp *i, frame *f);

// acting.c
const char *acting_describe(interp *i, frame *f, const frame *scope);
void acting_step(interp *i, frame *f);
void acting_run(interp *i, frame *f); // one cycle of a running action
void using_step(interp *i, frame *f);
void acting_stop(interp *i, frame *f); // cancels and frees its action, gives its claim up
bool claim_make(interp *i, frame *f, unsigned uses); // true: granted at once
void claim_release(interp *i, frame *f);
bool claim_is_granted(const interp *i, const frame *f);
bool frame_below(const frame *f, const frame *above); // `above` is f or an ancestor of it

#endif
