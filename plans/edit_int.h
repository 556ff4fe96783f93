// plans/edit_int.h - shared by the files that edit plans.
#ifndef FORESEE_PLANS_EDIT_INT_H
#define FORESEE_PLANS_EDIT_INT_H

#include "plans/edit.h"
#include "plans/plan_int.h"

typedef ARRAY(char) bytes;
void bytes_put(bytes *b, const char *text, size_t length); // keeps a 0 behind the end
void bytes_text(bytes *b, const char *text);
void bytes_format(bytes *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void bytes_spaces(bytes *b, size_t count);

// ---- Places in a text (edit_span.c)
// -----------------------------------------------------------------

typedef struct span {
    size_t begin, end;
} span;

bool is_break(char c);
size_t line_begin(const char *text, size_t at);
size_t line_end(const char *text, size_t length, size_t at); // before the break
size_t after_break(const char *text, size_t length, size_t at);
bool has_break(const char *text, size_t begin, size_t end);
// Whether only spaces stand before `at` in its line.
bool begins_line(const char *text, size_t at);
size_t column_of(const char *text, size_t at); // from 0, in bytes
// The end of the last line of a node of block style: behind its trailing comment, before the break.
size_t node_tail(const char *text, const ynode *n);
// An entry of a list or map: where its dash or key stands; and all of it, from the comment lines
// right above it (in its column) to those below that are indented deeper. Breaks are not counted.
size_t entry_begin(const char *text, const ynode *container, size_t i);
span entry_unit(const char *text, size_t length, const ynode *container, size_t i);

// ---- Writing nodes (edit_write.c)
// -------------------------------------------------------------------

// Nodes without a source are made here; others keep their bytes where that can be.
typedef struct writer {
    bytes *out;
    const char *newline;
    const char *own;    // the text that is written into: its line breaks stay as they are
    const char *json;   // a text in JSON, whose nodes are written in block style; NULL: none
    const ynode *whole; // a node that takes its trailing comment with it; NULL: none
} writer;

void write_flow(writer *w, const ynode *n);                     // in one line
void write_block(writer *w, const ynode *n, size_t column);     // the first byte stands at `column`
void write_value(writer *w, const ynode *n, size_t key_column); // behind "key:"
void write_scalar(writer *w, const ynode *n, bool flow);
bool write_is_block(const writer *w, const ynode *n); // it will be a block of lines
void write_json(bytes *out, const ynode *n);
void write_quoted(bytes *out, const char *text, size_t length);

ynode *make_scalar(arena *a, const char *text, bool quoted);
ynode *make_sequence(arena *a);
ynode *make_mapping(arena *a);
void make_item(arena *a, ynode *sequence, ynode *item);
void make_pair(arena *a, ynode *map, const char *key, ynode *value);
ynode *make_line(arena *a, const ynode *n); // a copy that is written in one line
ynode *edit_copy(arena *a, const ynode *n); // one whose values are
bool same_tree(const ynode *a, const ynode *b);
bool is_null(const ynode *n); // null, ~ or nothing

// ---- A text under edit (edit_doc.c)
// -----------------------------------------------------------------

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
// Where a node stands. False: nowhere.
bool doc_parent(ynode *root, const ynode *n, ynode **parent, size_t *index);

// The changes. Each writes the text anew and reads it again; what it says must be what the old tree
// says with the change made in it. False: it is not, nothing has changed, and `err` says so.
bool doc_replace(doc *d, ynode *parent, size_t i, ynode *with, bool whole, error *err);
bool doc_insert(doc *d, ynode *container, size_t i, bool after, const char *key, ynode *value,
                error *err);
bool doc_delete(doc *d, ynode *container, size_t i, error *err);
bool doc_permute(doc *d, ynode *list, const size_t *order, error *err); // new[k] = old[order[k]]
bool doc_rename(doc *d, ynode *map, size_t i, const char *key, error *err);
bool doc_splice(doc *d, size_t begin, size_t end, const char *text, size_t length, error *err);

// Notes in next->written that `text` was put at a span of d, the text before (edit_written.c). What
// earlier edits wrote there stays theirs where a line of it stands in `text` too.
void note_written(doc *next, const doc *d, span at, const bytes *text);

// The step at a path, which may be one from a log. NULL: there is none, and `err` says which are
// near, or in which file it is.
const plan_node *doc_find(doc *d, const char *path, error *err);

// ---- Edits (edit_read.c, edit_apply.c, edit_undo.c)
// ----------------------------------------------------

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

// Reads the list of edits. `reason`: of them all; NULL: none.
bool edits_read(const ynode *root, edits *out, const char **reason, errors *list);
bool edit_read(const ynode *n, edit *out, errors *list);
// Makes one edit. False: `err` says why, and the doc is not to be used any more.
bool edit_make(doc *d, const edit *e, error *err);
// Appends to `back` what undoes the edit that led from one doc to the other.
void edit_undo(const doc *before, const doc *after, const edit *e, ynode *back);
// The keys of edits that read a step's place.
const ynode *edit_get(const edit *e, const char *key);
const char *edit_name(edit_kind kind);
// Where a step's own construct stands in its map; count: nowhere (a list, or a name alone).
size_t step_main(const plan_node *n);
// The value that a set_property gives another one; NULL: there is none yet, or the key is wrong.
const ynode *property_value(const plan_node *n, const char *key);
bool property_set(doc *d, const plan_node *step, ynode *parent, size_t index, const edit *e,
                  error *err);
bool parameter_set(doc *d, const edit *e, error *err);
bool parameter_declare(doc *d, const char *name, ynode *declaration, error *err);
bool routine_adopt(doc *d, const edit *e, error *err);
bool routine_drop(doc *d, const edit *e, error *err);
span doc_deleted(const doc *d, const ynode *container, size_t i);

#endif
