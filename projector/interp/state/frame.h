// projector/interp/state/frame.h - the interpreter's state: task frames, failures, claims,
// variables.
//
// A task is a frame. Frames form a tree; a frame lives until its parent has taken note of its end,
// and with it goes all that it made at run time (its arena). Ready frames wait in a heap by task
// id. Nothing that a broken log or middleware does is lost: the first such error stays in `failed`
// and `err`, and the cycle ends with it.
#ifndef FORESEE_PROJECTOR_INTERP_STATE_FRAME_H
#define FORESEE_PROJECTOR_INTERP_STATE_FRAME_H

#include "plans/tree.h"
#include "projector/interp/state/news.h"
#include "projector/robot/actions/actions.h"

#define STEPS_MAX 100000                              // steps without time passing
#define WAITS_MOST (INT64_C(3600) * NANOS_PER_SECOND) // of a plan that only waits for a belief
#define DEPTH_MAX 1000                                // levels of nested tasks
#define VALUE_MAX (4 << 20)                           // bytes of a variable's value, as a tree
#define TEXT_MAX (1 << 16)   // bytes of a text; past them values are left out
#define LEFT_DISTANCE 0.10   // m from the place of an at_location: the robot has left
#define LEFT_ANGLE 0.1745    // rad
#define STARVED_AFTER 600    // s of waiting for actuators, after which a note is logged
#define CLOSED_OPENING 0.003 // m between the pads, at which a gripper is closed
#define REASON_SIZE 512
#define FRAME_BEGINS 512      // bytes of the first block of a frame's arena
#define FRAME_KEEPS 65536     // bytes that the arena of a frame or variable keeps for the next
#define SCRATCH_KEEPS 1048576 // bytes of scratch

typedef enum task_state {
    TASK_CREATED,
    TASK_ACTIVE,
    TASK_SUSPENDED,
    TASK_DONE,
    TASK_FAILED,
    TASK_EVAPORATED
} task_state;

typedef struct interp interp;
typedef struct frame frame;
typedef struct watch watch;             // of a condition (fluent.c)
typedef struct observation observation; // of a task whose state conditions ask for (fluent.c)

// Kinds of changes that watched conditions can depend on.
typedef enum change_kind {
    CHANGED_BELIEF = 1,
    CHANGED_VARIABLE = 2,
    CHANGED_TASK = 4,
    CHANGED_TIME = 8
} change_kind;

// Stages in which a task ends that has something to clean up.
typedef enum ending { ENDING_CHILDREN, ENDING_RECOVERS, ENDING_CLEANS, ENDING_OVER } ending;

typedef struct failure failure;
struct failure {
    int64_t id;         // of the FAILURE record
    const char *class;  // lives as long as the plan, or is one of failures.def
    const char *reason; // in `memory`
    int64_t handled_by; // as in its record
    int64_t attached;   // the same
    failure *cause;     // owned; NULL: the failure began here
    failure *next;      // in the list of those attached to one failure
    bool below;         // from the clean-up of a task that evaporated with its parent's failure
    arena *memory;      // holds the failure itself
};

// The first value of a variable lives in its frame's arena, later ones in two arenas in turn, so
// that a variable that is set again and again does not grow.
typedef struct variable variable;
struct variable {
    const char *name;
    const term *value;
    arena *now, *spare;
    variable *next;
};

// A claim of actuators, granted or waiting; claims stand in the order in which they were made.
typedef struct claim {
    frame *by;
    unsigned uses;
    bool granted;
    nanos since;
    bool starved; // a note on its long wait is logged
} claim;

// Frames in order of their ids; a frame is in one chain at most.
typedef struct frame_chain {
    frame *first, *last;
} frame_chain;

struct frame {
    const plan_node *node;
    frame *parent, *first, *last, *next, *prev;
    frame_chain *chain; // the one that it is in; NULL: none
    frame *chain_next, *chain_prev;
    bool sleeps; // until `wakes`; it has a timer
    nanos wakes;
    frame *ended_first, *ended_last, *ended_next; // children that ended and were not yet looked at
    int64_t id;
    task_state state; // as logged
    bool queued;      // in the heap of ready frames, or among the late
    bool late;        // queued among the late
    bool gone;        // freed while it was queued
    bool pending;     // was made ready while suspended
    bool concluding;  // its outcome is settled; it ends when its children have
    ending ending;    // stage, once its outcome is settled
    bool interrupted; // with_policy: its condition was met
    bool skipped;
    bool waits;         // it waits for actuators
    bool elsewhere;     // another robot does it: it lasts until that one has told how it ended
    bool boundary;      // the variables of a plan's or routine's body end here
    unsigned suspended; // by how many at_locations above it
    task_state outcome;
    uint32_t depth, index, round; // index: which child of its parent's node it is
    size_t live;                  // children that have not ended
    const char *path, *dynamic;
    size_t path_length, dynamic_length;
    arena *memory;
    variable *variables;
    failure *failure; // why it failed
    // The failure that is signalled at its end, after its clean-up; class NULL: none.
    const char *late_class, *late_reason;
    failure *source;     // cause of that failure; NULL: it begins here
    failure *attached;   // failures of its recovery and clean-up
    const char *trouble; // reason why it cannot begin, signalled at its first step; NULL: none
    const term *result;  // NULL: none
    // The rest is used by some constructs only.
    size_t at;                   // next child, or phase
    uint32_t *counts;            // retries per clause
    const plan_clause *clause;   // the one that is handling a failure
    const term *value;           // goal, filled in; list of a loop
    const term *region;          // of perceive
    const plan_routine *routine; // achieve, perceive
    action_argument *given;      // arguments of an action; `with` of a goal
    size_t given_count;
    watch *watch;              // of a condition; NULL: none
    observation *observations; // of a body: of its steps whose states conditions ask for
    uint32_t rounds; // at_location: how often it went there; with_policy: rounds of check;
                     // whenever: pulses that it has served or is serving
    uint64_t epoch;  // epoch in which it was stepped last
    uint32_t steps;  // how often it was stepped in that epoch
    action *action;
    const char *doing; // perform: the primitive action that it does; NULL: none
    unsigned uses;
    nanos began;
    pose place; // of at_location: where it arrived
};

typedef ARRAY(frame *) frame_list;
typedef ARRAY(step_news) news_list;

// Frames by time, then by id (queue.c).
typedef struct queued {
    nanos at;
    int64_t id;
    frame *f;
} queued;
typedef struct frame_queue {
    ARRAY(queued) run; // in order, from `head` on
    size_t head;
    ARRAY(queued) heap;
} frame_queue;

// Descriptions that the plan has made and may still ask for, by number.
typedef struct designator designator;
typedef struct designators {
    ARRAY(designator *) all;
    int64_t made;  // how many there have been
    int64_t known; // value of `made` when the present step began: later ones are named by that step
    size_t full;   // count at which those that nothing names any more are freed
} designators;

// A slot of the hash table of functions and conditions by name (eval.c).
enum { FUNCTOR_SLOTS = 256 };
typedef struct functor_slot {
    const char *name; // NULL: empty
    int id;
    unsigned least, most; // arguments
} functor_slot;

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
    nanos moved;        // when a task was stepped, acted or slept last
    uint64_t steps_now; // in this epoch, which is a cycle or, after a livelock, the rest of one
    uint64_t epoch;
    frame *busiest;        // frame stepped most often in this epoch; NULL: none
    int livelocks;         // in this cycle
    bool abandon;          // no clean-up is begun any more, and those that run are evaporated
    frame_queue ready;     // by id
    frame_list late;       // pursue, with_policy: they decide when nothing else can move
    frame_queue timers;    // by the cycle in which they are due; of those that no longer sleep too
    size_t sleeping;       // frames that sleep
    frame_chain acting;    // running actions that are stepped every cycle
    frame_chain placed;    // at_locations that are looked at every cycle
    frame_chain watchers;  // frames whose conditions are watched
    frame_chain elsewhere; // frames of steps that other robots do
    news_list told, heard; // of such steps: to be told in this cycle, and all that was heard
    arena *news_memory;    // texts of what was heard
    unsigned changed;      // change_kind since conditions were evaluated last
    uint64_t version;      // of the belief at that time
    const watch *watching; // the one that is being evaluated; NULL: none
    bool quiet;            // evaluations write no reasons and log no choices
    ARRAY(claim) claims;
    nanos starved_check; // when long waits are looked for next
    frame_list spare_frames;
    ARRAY(arena *) spare_arenas;
    arena *scratch; // memory of one step
    term_list_array found;
    bindings bound;
    designators designators;
    functor_slot functors[FUNCTOR_SLOTS];
    char reason[REASON_SIZE]; // why a condition or an evaluation came out as it did
};

// Notes that something has changed that conditions may depend on; they are evaluated after this
// step.
static inline void interp_changed(interp *i, change_kind what) {
    i->changed |= (unsigned)what;
}

// frame.c
frame *frame_take(interp *i); // an empty frame with an arena of its own
arena *arena_take(interp *i);
void arena_give(interp *i, arena *a);
bool frame_is_live(const frame *f);                       // neither ended nor ending
bool frame_below(const frame *f, const frame *above);     // `above` is f or an ancestor of it
const term *frame_given(const frame *f, const char *key); // among its arguments; NULL: none
uint32_t node_child_index(const plan_node *n, const plan_node *child);

#endif
