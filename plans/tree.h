// plans/tree.h - the tree of a loaded plan, for the interpreter and the checker. Immutable.
//
// A step is a plan_node. Its static path names it: the segments of its ancestors and its own, where
// a tag stands in place of role and index (set_table/bring_plate/seq[2]). Paths of a routine's
// steps begin with the routine's own segment; the interpreter puts the caller's path before them.
// Indices count from 1.
#ifndef FORESEE_PLANS_TREE_H
#define FORESEE_PLANS_TREE_H

#include "plans/plan.h"

typedef enum construct {
#define CONSTRUCT(id, key, doc) CONSTRUCT_##id,
#include "plans/constructs.def"
#undef CONSTRUCT
    CONSTRUCT_COUNT
} construct;
// Returns the construct's key in a plan; "action" for CONSTRUCT_ACTION.
const char *construct_name(construct c);
const char *construct_doc(construct c);

typedef struct plan_file {
    const char *kind; // plan | routine
    const char *path; // as it was opened: for messages
    const char *name; // relative to the plan's folder: for the log
    const char *text;
    size_t length;
} plan_file;

// A variable (with its ?) or the name of an argument, with an expression.
typedef struct plan_binding {
    const char *name;
    const term *value;
    int line, column;
} plan_binding;

typedef enum note_kind { NOTE_EXPECTS, NOTE_REQUIRES, NOTE_EFFECT, NOTE_TOLERANCE } note_kind;
typedef struct plan_note {
    note_kind kind;
    const term *value;
} plan_note;

// A clause of on_failure.
typedef struct plan_place {
    int line, column;
} plan_place;
typedef struct plan_clause {
    const char *const *classes; // any of these
    const plan_place *places;   // of each
    size_t class_count;
    const term *guard; // the clause is passed over unless it is believed; NULL: none
    const char *as;    // variable that is bound to failure(Class, "reason"); NULL: none
    int64_t retry;     // how often the body is entered again
    plan_node *body;   // `then`; NULL: none
    int line, column;
} plan_clause;

typedef enum quantifier { QUANTIFIER_A, QUANTIFIER_THE, QUANTIFIER_ALL } quantifier;
typedef enum loop_kind {
    LOOP_FOREVER,
    LOOP_WHILE,
    LOOP_UNTIL,
    LOOP_TIMES,
    LOOP_FOR_EACH
} loop_kind;

// with_policy. Its condition is the node's value, its reason (NULL: none) the node's text, its
// clean-up the node's. Each is a child too; NULL: none.
typedef struct plan_policy {
    plan_node *init, *check, *recover;
} plan_policy;

// partial_order: child `after` may begin once child `before` is done (or dead: has ended anyhow).
typedef struct plan_order {
    size_t before, after; // indices of children
    bool dead;
} plan_order;

struct plan_node {
    construct kind;
    const plan_file *file;
    const ynode *source; // what it was read from, for editors: its span in the text
    int line, column;
    const char *tag;     // NULL: none
    const char *segment; // its tag, or its role with index: seq[2], do
    const char *path;    // from the plan's or routine's root down to here
    plan_node *parent;   // NULL for a root
    plan_node **children;
    size_t child_count;
    bool implicit; // a list that stands where one step may stand

    // Any step may have these.
    const char *as;   // the robot whose step it is alone; NULL: of whoever runs it
    const term *goal; // NULL: none; of the plan's root a list too
    const plan_note *notes;
    size_t note_count;
    const char *into;  // variable that takes the result; NULL: none
    const term *guard; // of a step of try_in_order: passed over unless it is believed; NULL: none

    // The meaning of these depends on the construct.
    const char
        *name; // action: its name; set: the variable; fail: the class; loop for_each: the variable
    const term *value; // achieve: goal; if, wait_for, loop while/until: condition; set: expression;
                       // loop times, for_each: expression; at_location: location; assert: occasion;
                       // using: list of actuators;
                       // perceive: description, a list [type(cup), color(red), ...]; fail: NULL;
                       // with_policy, whenever: condition; perform: an expression or a description
                       // [type(open_gripper), arm(left)]; next: an expression (a variable); equate:
                       // a list of expressions
    const char *text;  // log: message; fail: reason (NULL: none)
    const plan_binding *bindings; // let; arguments of an action; with of achieve and perceive
    size_t binding_count;
    const term *region;          // perceive; NULL: anywhere
    quantifier quantity;         // perceive
    bool skip_when_true, verify; // achieve
    bool alternatives;           // achieve: where a routine fails, the next that matches is tried
    loop_kind loop;
    const plan_clause *clauses; // on_failure
    size_t clause_count;
    plan_node *clean_up;      // on_failure, with_policy; also its last child; NULL: none
    plan_policy policy;       // with_policy
    bool observed;            // a condition task(Tag, Status) asks for its state
    const plan_order *orders; // partial_order
    size_t order_count;
    double seconds; // deadline of an action or perform, timeout of wait_for; 0: none given
    bool misread;   // reported already; only in plans with mistakes
};
// Children by construct: the steps of seq, par, pursue, try_all, try_in_order, partial_order; let:
// [body]; if: [then] or [then, else]; loop, using: [do]; on_failure: [do, clause bodies...,
// clean-up]; at_location: [go, do], where go is an achieve of loc(robot, Location); with_policy:
// [do, init, check, recover, clean-up] of those that there are; whenever: [do].

typedef struct plan_routine {
    const plan_file *file;
    int line, column;
    const char *name; // its segment in paths
    const char *doc;
    const term *pattern;      // goal with variables
    const term *guard;        // condition; NULL: none
    const plan_binding *with; // optional arguments with their defaults
    size_t with_count;
    const plan_binding *let; // computed in order when the routine is entered
    size_t let_count;
    const plan_note *notes;
    size_t note_count;
    bool effects_given;  // else its goal is its effect
    const term *returns; // expression; NULL: none
    plan_node *body;
} plan_routine;

const plan_node *plan_body(const plan *p);
size_t plan_routine_count(const plan *p);
const plan_routine *plan_routine_at(const plan *p, size_t i);
// Returns the node with this static path, within the plan's body or a routine; NULL: there is none.
const plan_node *plan_find(const plan *p, const char *path);
// Writes the existing paths nearest to one that does not exist to `out`, the best first and at most
// `most` of them, and returns how many there are. They live as long as the plan.
size_t plan_nearest(const plan *p, const char *path, const char **out, size_t most);

#endif
