// plans/edit/doc.h - a plan's text under edit, and the changes that can be made in it.
#ifndef FORESEE_PLANS_EDIT_DOC_H
#define FORESEE_PLANS_EDIT_DOC_H

#include "plans/edit.h"
#include "plans/edit/write.h"
#include "plans/tree/tree_int.h"

typedef struct library {
    edit_file file;
    ynode *root; // NULL: it cannot be read
    plan *tree;
} library;

typedef struct written {
    span at;
    size_t edit;
} written;

// The text without its provenance.
typedef struct doc {
    arena *a;
    const char *name, *text;
    size_t length;
    const char *newline;
    ynode *root;
    plan *tree; // body and own routines alone
    edit_file edits;
    bool edits_json;
    library *libraries;
    size_t library_count;
    ynode *undo;            // splices (as edits) that lead back, the last first
    span last;              // what the last change wrote
    size_t current;         // the edit that is being made
    ARRAY(written) written; // by each change, in the present text
} doc;

// Reads `text` into d->root and d->tree. False: it is no map in YAML, and `err` says why.
bool doc_read(doc *d, const char *text, size_t length, error *err);
plan *tree_read(arena *a, const char *name, const ynode *root);
// Finds the list or map that a node is an item of. False: there is none.
bool doc_parent(ynode *root, const ynode *n, ynode **parent, size_t *index);

// The changes. Each writes the text anew and reads it again; the tree that is read must equal the
// old tree with the change made in it. False: it does not, nothing has changed, and `err` says so.
bool doc_replace(doc *d, ynode *parent, size_t i, ynode *with, bool whole, error *err);
bool doc_insert(doc *d, ynode *container, size_t i, bool after, const char *key, ynode *value,
                error *err);
bool doc_delete(doc *d, ynode *container, size_t i, error *err);
bool doc_permute(doc *d, ynode *list, const size_t *order, error *err); // new[k] = old[order[k]]
bool doc_rename(doc *d, ynode *map, size_t i, const char *key, error *err);
bool doc_splice(doc *d, size_t begin, size_t end, const char *text, size_t length, error *err);

// Notes in next->written that `text` was put at a span of d, the text before (written.c). A line
// that an earlier edit wrote there stays noted as that edit's where it stands in `text`, too.
void note_written(doc *next, const doc *d, span at, const text_buffer *text);

// Returns the step at a path, which may be a path from a log. NULL: there is none, and `err` names
// the nearest paths, or the file that has the step.
const plan_node *doc_find(doc *d, const char *path, error *err);

#endif
