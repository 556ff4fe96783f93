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
// The end of the last line of a node of block style: behind its trailing comment, before the break.
size_t node_tail(const char *text, const ynode *n);
// An entry of a list or map: where its dash or key stands; and all of it, from the comment lines
// right above it (in its column) to those below that are indented deeper. Breaks are not counted.
size_t entry_begin(const char *text, const ynode *container, size_t i);
span entry_unit(const char *text, size_t length, const ynode *container, size_t i);

#endif
