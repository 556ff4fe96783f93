// plans/edit/text.h - places in the text of a plan.
#ifndef FORESEE_PLANS_EDIT_TEXT_H
#define FORESEE_PLANS_EDIT_TEXT_H

#include "base/text/json.h"
#include "base/yaml/yaml_read.h"

// ---- Places in a text (span.c) ------------------------------------------------------------------

typedef struct span {
    size_t begin, end;
} span;

bool is_break(char c);
size_t line_begin(const char *text, size_t at);
size_t line_end(const char *text, size_t length, size_t at); // before the break
size_t after_break(const char *text, size_t length, size_t at);
bool has_break(const char *text, size_t begin, size_t end);
// Returns whether only spaces stand before `at` in its line.
bool begins_line(const char *text, size_t at);
size_t column_of(const char *text, size_t at); // from 0, in bytes
// Returns the end of the last line of a node in block style: behind its trailing comment, before
// the break.
size_t node_tail(const char *text, const ynode *n);
// Where an entry of a list or map begins: at its dash or key. entry_unit gives all of the entry,
// from the comment lines right above it (in its column) to those below that are indented deeper,
// without the break at the end.
size_t entry_begin(const char *text, const ynode *container, size_t i);
span entry_unit(const char *text, size_t length, const ynode *container, size_t i);

#endif
