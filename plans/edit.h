// plans/edit.h - plans as data: a list of edits applied to the text of a plan.
//
// Owns:      the texts of a result. Reads and writes no files (but edit_moved), prints nothing.
// Threads:   calls share nothing.
// Invariant: text that no edit touches keeps its bytes. After each edit the new text is read again;
//            its tree must be the old tree with that edit made in it, else the edit is an error.
//
// Edits are YAML or JSON: a list of maps, or { reason: TEXT, edits: [...] }. docs/editing.md says
// what each means; edits.def lists them. They are made one after another: a path means the plan as
// the edits before have left it. Whether the result is a right plan (its names, goals, variables)
// only plan_load and plan_check can say.
#ifndef FORESEE_PLANS_EDIT_H
#define FORESEE_PLANS_EDIT_H

#include "base/mem.h"

typedef struct edit_file {
    const char *name; // for messages
    const char *text;
    size_t length;
} edit_file;

typedef struct edit_request {
    edit_file plan;  // a plan, or a file of routines
    edit_file edits; // YAML or JSON
    edit_file then;  // further edits, which are made after these; its text may be NULL
    // The files of routines that the plan names, for `adopt` and for paths that lead into them;
    // each by the name that the plan gives it. None is fine.
    const edit_file *routines;
    size_t routine_count;
} edit_request;

typedef struct edit_result edit_result;

// Makes the edits. On OK the caller owns *out. Mistakes go to `list` with their place in the edits
// (or in the plan, where that cannot be read): E_INPUT, and *out is untouched.
status edit_apply(const edit_request *request, edit_result **out, errors *list);
void edit_result_destroy(edit_result *r); // NULL is a no-op

// Texts end with a 0 that the length does not count, and live as long as the result; `length` may
// be NULL.
const char *edit_text(const edit_result *r, size_t *length); // the new plan, with its provenance
// Returns edits, as YAML, that lead from the new plan back to the old one except for the
// provenance.
const char *edit_inverse(const edit_result *r, size_t *length);
// { "schema": 1, "parent": HASH, "plan": HASH, "reason": TEXT|null, "edits": [...],
//   "inverse": [...] } - hashes are "fnv1a64 ................", of the texts with their provenance.
const char *edit_json(const edit_result *r, size_t *length);
size_t edit_count(const edit_result *r);
// Finds the edit (from 0) that wrote the text at a place of the new plan, and the place of that
// edit in the edits. False: no edit did.
bool edit_blame(const edit_result *r, int line, int column, size_t *index, int *edit_line,
                int *edit_column);

// Returns the edits, as YAML, that keep the names of world, robot and routines right where the plan
// `p`, whose name is its path, becomes `made` and is written as the file `to`. Names that `p` has,
// too, are relative to its folder; others were written for the new one. NULL: none is needed, or
// the plan cannot be read. The caller frees them. Finds out which files are there.
char *edit_moved(const edit_file *p, const edit_file *made, const char *to);

// Returns the text without its provenance, in memory that the caller frees; NULL where the text is
// no map in YAML.
char *edit_strip(const char *text, size_t length, size_t *stripped);

#endif
