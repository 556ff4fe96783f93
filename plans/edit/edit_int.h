// plans/edit/edit_int.h - edits as they are read, made and undone.
#ifndef FORESEE_PLANS_EDIT_EDIT_INT_H
#define FORESEE_PLANS_EDIT_EDIT_INT_H

#include "plans/edit/doc.h"

// ---- Edits (read.c, apply.c, undo.c) ------------------------------------------------------------

typedef enum edit_kind {
#define EDIT(id, key, keys, doc) EDIT_##id,
#include "plans/edits.def"
#undef EDIT
    EDIT_COUNT
} edit_kind;

typedef struct edit {
    edit_kind kind;
    const ynode *node;   // the whole of it
    const ynode *target; // path or name
    const char *path;
} edit;
typedef ARRAY(edit) edits;

// Reads the list of edits, and the reason that is given for all of them (NULL: none is).
bool edits_read(const ynode *root, edits *out, const char **reason, errors *list);
bool edit_read(const ynode *n, edit *out, errors *list);
// Makes one edit. False: `err` says why, and the doc is not to be used any more.
bool edit_make(doc *d, const edit *e, error *err);
// Appends to `back` the edits that undo the one that led from `before` to `after`.
void edit_undo(const doc *before, const doc *after, const edit *e, ynode *back);
// Returns the value of a key of the edit; NULL: the edit does not have the key.
const ynode *edit_get(const edit *e, const char *key);
const char *edit_name(edit_kind kind);
// Returns the index of the step's own construct in its map; the map's count: it has none there (the
// step is a list, or a name alone).
size_t step_main(const plan_node *n);
// Returns the present value of a step's property; NULL: there is none yet, or the key is wrong.
const ynode *property_value(const plan_node *n, const char *key);
bool property_set(doc *d, const plan_node *step, ynode *parent, size_t index, const edit *e,
                  error *err);
// Returns the present value of a key under projection:; NULL: there is none yet, or the key is
// wrong.
const ynode *projection_value(const doc *d, const char *key);
bool projection_set(doc *d, const edit *e, error *err);
bool parameter_set(doc *d, const edit *e, error *err);
bool parameter_declare(doc *d, const char *name, ynode *declaration, error *err);
bool routines_use(doc *d, const edit *e, error *err);
bool routine_adopt(doc *d, const edit *e, error *err);
bool routine_drop(doc *d, const edit *e, error *err);
span doc_deleted(const doc *d, const ynode *container, size_t i);

#endif
