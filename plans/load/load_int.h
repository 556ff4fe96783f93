// plans/load/load_int.h - shared by the files that read plans.
#ifndef FORESEE_PLANS_LOAD_LOAD_INT_H
#define FORESEE_PLANS_LOAD_LOAD_INT_H

#include "base/symtab.h"
#include "plans/tree/tree_int.h"

typedef struct loader {
    plan *p;
    arena *a;
    errors *list;
    const plan_file *file;   // that is being read
    const file_set *files;   // NULL: the disk
    symtab *paths;           // static paths of the root that is being read
    const plan_names *names; // NULL: unknown
    const char *folder;      // that the log puts before names of files: "", or as "plans/"
    bool lost;               // a routine could not be read, so that goals may miss it
} loader;

// ---- What stands outside of steps (projection.c) ------------------------------------------------

typedef enum file_map {
    MAP_PLAN,
    MAP_LIBRARY,
    MAP_PROJECTION,
    MAP_MEMBER,
    MAP_LINK,
    MAP_TELEOPERATION,
    MAP_WIRE,
    MAP_ROUTINE
} file_map;
// Reports the keys that a mapping of this kind does not have.
void file_keys_check(const ynode *n, file_map map, errors *list);
// Returns the path of `name`, relative to the folder that the file `beside` lies in.
const char *path_beside(arena *a, const char *beside, const char *name);
// Reads `projection:` of the plan at `path`; NULL: there is none.
void projection_read(loader *l, const ynode *n, const char *path);

// ---- Steps
// ---------------------------------------------------------------------------------------

// Reads one step, or a list of them, under `parent` (NULL: a root) in `role`, with `index` (from 1;
// 0: the role stands alone). NULL after a mistake, which is in the loader's list; what can be read
// below is read.
plan_node *body_read(loader *l, const ynode *n, plan_node *parent, const char *role, size_t index);
// Makes the node for `n`; node_place then gives it its name among its siblings and its path.
plan_node *node_create(loader *l, const ynode *n, construct kind, plan_node *parent);
void node_place(loader *l, plan_node *node, const ynode *n, const char *role, size_t index);
// Reads a body that must stand under `key` of `map`; `of` names the construct for the message.
plan_node *child_read(loader *l, const ynode *map, const char *key, plan_node *parent,
                      const char *of);
void children_set(loader *l, plan_node *node, plan_node *const *children,
                  size_t count);                             // not NULLs
void steps_read(loader *l, const ynode *n, plan_node *node); // a list of them
void orders_read(loader *l, const ynode *n,
                 plan_node *node); // before: of partial_order; NULL: none
// Adds what the steps from `node` down say to the plan's texts. (texts.c)
void texts_collect(loader *l, const plan_node *node);
// Reads what stands under a construct's own key (`n`), and beside it in `map`.
void construct_read(loader *l, const ynode *map, const ynode *n, plan_node *node);
// Reads the notes that any step may have (expects, requires, effects, tolerance) from a map.
void notes_read(loader *l, const ynode *map, const plan_note **notes, size_t *count);
// Reads a term, whose variables must all be written ?name; a map is a description: { object: {
// type: cup } } is object([type(cup)]). False after a mistake.
bool term_read(loader *l, const ynode *n, const char *what, const term **out);
bool bindings_read(loader *l, const ynode *map, const char *what, bool variables,
                   const plan_binding **out, size_t *count);
bool name_is_plain(const char *text);
// `{ type: cup, color: red }` as the description [type(cup), color(red)]; `cup` stands for { type:
// cup }. NULL after a mistake.
const term *description_read(loader *l, const ynode *n);
// Returns whether a map is { object: ... }, { location: ... } or { action: ... }.
bool is_description(const ynode *n);
bool is_description_term(const term *t); // object(_), location(_), action(_)
// Reads a name: letters, digits and _, the first one a small letter. False after a mistake.
bool name_read(loader *l, const ynode *n, const char *what, const char **out);
bool variable_read(loader *l, const ynode *n, const char *what, const char **out);

#endif
