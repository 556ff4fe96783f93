// plans/plan_int.h - shared by the loader's files.
#ifndef FORESEE_PLANS_PLAN_INT_H
#define FORESEE_PLANS_PLAN_INT_H

#include "plans/tree.h"

struct plan {
    arena *arena;
    const char *name, *world, *robot; // world, robot: resolved, NULL: none
    settings set;
    parameters params;
    ARRAY(const plan_file *) files; // the plan first
    ARRAY(plan_source) sources;
    const term *goal; // list
    plan_node *body;
    ARRAY(plan_routine) routines;
};

typedef struct loader {
    plan *p;
    arena *a;
    errors *list;
    const plan_file *file;   // that is being read
    const file_set *files;   // NULL: the disk
    symtab *paths;           // static paths of the root that is being read
    const plan_names *names; // NULL: unknown
    bool lost;               // a routine could not be read, so that goals may miss it
} loader;

// What a location leads to and what perceive asks for, as goals of routines.
#define GOAL_AT "loc"
#define GOAL_PERCEIVED "perceived"

// Reads one step, or a list of them, under `parent` (NULL: a root) in `role`, with `index` (from 1;
// 0: the role stands alone). NULL after a mistake, which is in the loader's list; what can be read
// below is read.
plan_node *body_read(loader *l, const ynode *n, plan_node *parent, const char *role, size_t index);
// Whether `key` stands in a step of this construct itself: its own, one beside it, or one that any
// step may have.
bool step_key(construct c, const char *key);
// A node of its own for `n`, not yet placed; gives it its name among its siblings.
plan_node *node_create(loader *l, const ynode *n, construct kind, plan_node *parent);
void node_place(loader *l, plan_node *node, const ynode *n, const char *role, size_t index);
// A body that must stand under `key` of `map`; `of` names the construct for the message.
plan_node *child_read(loader *l, const ynode *map, const char *key, plan_node *parent,
                      const char *of);
void children_set(loader *l, plan_node *node, plan_node *const *children,
                  size_t count);                             // not NULLs
void steps_read(loader *l, const ynode *n, plan_node *node); // a list of them
void orders_read(loader *l, const ynode *n,
                 plan_node *node); // before: of partial_order; NULL: none
// What stands under a construct's own key (`n`), and beside it in `map`.
void construct_read(loader *l, const ynode *map, const ynode *n, plan_node *node);
// The steps' common notes (expects, requires, effects, tolerance) of a mapping.
void notes_read(loader *l, const ynode *map, const plan_note **notes, size_t *count);
// A term whose variables are all written ?name; a map is a description: { object: { type: cup } }
// is object([type(cup)]). False after a mistake.
bool term_read(loader *l, const ynode *n, const char *what, const term **out);
bool bindings_read(loader *l, const ynode *map, const char *what, bool variables,
                   const plan_binding **out, size_t *count);
bool name_is_plain(const char *text);
// `{ type: cup, color: red }` as the description [type(cup), color(red)]; `cup` stands for { type:
// cup }. NULL after a mistake.
const term *description_read(loader *l, const ynode *n);
// The file beside the plan or in the library whose name is nearest to one that cannot be read;
// NULL: none is.
const char *files_nearest(arena *a, const char *plan_path, const char *library, const char *name);
// The files in `library` with a routine for goals of this functor and arity, "a.yaml, b.yaml";
// returns how many there are.
size_t files_achieving(arena *a, const char *library, const char *functor, uint32_t arity,
                       const char **out);
// Whether a map is one of { object: ... }, { location: ... }, { action: ... }.
bool is_description(const ynode *n);
bool is_description_term(const term *t); // object(_), location(_), action(_)
// A name: small letters, digits and _.
bool name_read(loader *l, const ynode *n, const char *what, const char **out);
bool variable_read(loader *l, const ynode *n, const char *what, const char **out);

// While it is read: variables without a value, goals that no routine achieves, and conditions that
// ask for the task of a step that there is not.
void check_variables(const plan *p, errors *list);
// `names`, `library` (folder of the shipped routines): NULL: unknown.
void check_goals(const plan *p, const plan_names *names, const char *library, errors *list);
void check_tasks(plan *p, errors *list); // sets `observed` of the steps that are asked for

// Once the scene is known.
void check_names(const plan *p, const plan_names *names, errors *list);
// Words that are slips of what conditions, expressions, targets and descriptions know.
void check_words(const plan *p, const plan_names *names, errors *list);
// One letter more, less or another, or two swapped: what is surely meant.
bool is_slip(const char *a, const char *b);
// Steps that can never be reached, and pulses where nothing can pulse.
void check_flow(const plan *p, errors *list);
// Clauses that can never catch anything.
void check_handlers(const plan *p, const plan_names *names, errors *list);
// Whether some values of the variables of both could make them equal; functions may become
// anything.
// `names`: NULL where they are not known.
bool may_match(const term *pattern, const term *goal, const plan_names *names);

// The type of an action description, [type(T), ...] or action([type(T), ...]); NULL: it gives none.
const term *performed_type(const term *t);
// A routine is performed under its own name or under that of its goal.
bool routine_performs(const plan_routine *r, const char *type);

typedef ARRAY(const char *) name_list;
bool has_name(const name_list *names, const char *name);
// "unknown WHAT 'name'", with the nearest of those that are known.
void complain_name(const name_list *known, const char *what, const char *name, const char *file,
                   int line, int column, errors *list);

#endif
