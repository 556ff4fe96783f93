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
// The steps' common notes (expects, requires, effects, tolerance) of a mapping.
void notes_read(loader *l, const ynode *map, const plan_note **notes, size_t *count);
// A term whose variables are all written ?name. False after a mistake.
bool term_read(loader *l, const ynode *n, const char *what, const term **out);
bool bindings_read(loader *l, const ynode *map, const char *what, bool variables,
                   const plan_binding **out, size_t *count);
bool name_is_plain(const char *text);
// `{ type: cup, color: red }` as the description [type(cup), color(red)]; `cup` stands for { type:
// cup }.
const term *description_read(loader *l, const ynode *n);
// A name: small letters, digits and _.
bool name_read(loader *l, const ynode *n, const char *what, const char **out);
bool variable_read(loader *l, const ynode *n, const char *what, const char **out);

// Variables that are read but never given a value, and goals that no routine achieves.
void check_variables(const plan *p, errors *list);
void check_goals(const plan *p, errors *list);

#endif
