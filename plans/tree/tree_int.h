// plans/tree/tree_int.h - the loaded plan itself, for the parts that make it, check it and edit it.
#ifndef FORESEE_PLANS_TREE_TREE_INT_H
#define FORESEE_PLANS_TREE_TREE_INT_H

#include "plans/tree.h"

// A robot of several, and where the plan names its files.
typedef struct named_member {
    plan_member is;
    const ynode *robot_at, *plan_at;
} named_member;

#define PLAN_NO_MEMBER SIZE_MAX
// Returns the number of the robot of this name under `robots:`; PLAN_NO_MEMBER: there is none.
size_t plan_find_member(const plan *p, const char *name);

struct plan {
    arena *arena;
    const char *name, *world, *robot; // world, robot: resolved, NULL: none
    const ynode *world_at, *robot_at; // where the plan names them
    ARRAY(named_member) members;
    ARRAY(plan_link) links;
    bool shares, coupled;
    plan_coupling coupling; // where `coupled`
    settings set;
    parameters params;
    ARRAY(const plan_file *) files; // the plan first
    ARRAY(plan_source) sources;
    const term *goal; // list
    plan_node *body;
    ARRAY(plan_routine) routines;
    ARRAY(plan_step_text) texts;
};

// An occasion that at_location achieves, and one that perceive does: goals of routines.
#define GOAL_AT "loc"
#define GOAL_PERCEIVED "perceived"

// ---- Keys of steps (constructs.c) ---------------------------------------------------------------

enum { KEYS_COMMON_COUNT = 9, CONSTRUCT_KEYS_MAX = 8 };

// Finds the construct that a key names. False: the key names none.
bool construct_find(const char *key, construct *out);
// The key of the construct; NULL: CONSTRUCT_ACTION, which has none.
const char *construct_key(construct c);
// The keys of constructs.def, each list fewer than CONSTRUCT_KEYS_MAX and ended by NULL: those that
// may stand beside the construct's own key, those of the map that its key takes, those that each
// step of the construct may have, those of a clause.
const char *const *construct_keys_beside(construct c);
const char *const *construct_keys_inside(construct c);
const char *const *construct_keys_of_child(construct c);
const char *const *clause_keys(void);
// The keys that any step may have, KEYS_COMMON_COUNT of them.
const char *const *step_keys_common(void);
bool step_key_is_common(const char *key);
bool step_key_is_beside(construct c, const char *key);
bool step_key_is_of_child(construct c, const char *key);
// Returns whether a step of this construct may have `key` itself: as its own key, as one beside it,
// or as one that any step may have.
bool step_key(construct c, const char *key);

#endif
