// plans/edit/write.h - nodes that are made, and the writing of nodes.
#ifndef FORESEE_PLANS_EDIT_WRITE_H
#define FORESEE_PLANS_EDIT_WRITE_H

#include "plans/edit/text.h"

// How nodes are written. Nodes without a source were made here; others keep their bytes where these
// fit.
typedef struct writer {
    text_buffer *out;
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
void write_json(text_buffer *out, const ynode *n);

ynode *make_scalar(arena *a, const char *text, bool quoted);
ynode *make_sequence(arena *a);
ynode *make_mapping(arena *a);
void make_item(arena *a, ynode *sequence, ynode *item);
void make_pair(arena *a, ynode *map, const char *key, ynode *value);
ynode *make_line(arena *a, const ynode *n); // a copy that is written in one line
ynode *edit_copy(arena *a, const ynode *n); // a copy whose values are written in one line
bool same_tree(const ynode *a, const ynode *b);
bool is_null(const ynode *n); // null, ~ or nothing

#endif
