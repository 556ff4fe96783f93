// query/prepared/packed.h - numbers, texts, values, patterns and expressions as bytes.
//
// Texts, values, patterns and expressions come in lists of their own, each once, and are referred
// to by their numbers there. Numbers take as many bytes as they need, seven bits in each.
#ifndef FORESEE_QUERY_PACKED_H
#define FORESEE_QUERY_PACKED_H

#include "base/text/text.h"
#include "query/rules/program.h"

// A list that is written: what it has, and its bytes.
typedef struct packed_list {
    symtab *known;
    text_buffer bytes;
} packed_list;

typedef struct packed {
    program *p;
    text_buffer *out; // where the next number goes; NULL: they are read
    arena *arena;     // of what is read
    text_buffer body;
    packed_list texts, values, patterns, exprs;
    const unsigned char *at; // of what is read
    const char **text;
    value *value;
    const pattern **pattern;
    const expr **expr;
} packed;

// Writing: packed_begin, what is to be written, packed_finish, which appends all of it.
void packed_begin(packed *k, program *p);
void packed_finish(packed *k, text_buffer *out);
// Reading: packed_open, the same calls in the same order, packed_close. Patterns and expressions
// are made in the arena; texts stay where they are.
void packed_open(packed *k, program *p, arena *a, const unsigned char *bytes);
void packed_close(packed *k);

// Each writes what it is given, or reads what was written and returns that; what it is given then
// means nothing. NULL where it may be stays NULL.
uint64_t packed_long_number(packed *k, uint64_t n);
static inline uint64_t packed_number(packed *k, uint64_t n) {
    // most of what is read is one byte
    return !k->out && *k->at < 0x80 ? *k->at++ : packed_long_number(k, n);
}
// Passes a field that is a number, a truth or a name of an enumeration.
#define PASS(k, field) ((field) = (__typeof__(field))packed_number(k, (uint64_t)(field)))
const char *packed_text(packed *k, const char *text);
value packed_value(packed *k, value v);
const pattern *packed_pattern(packed *k, const pattern *p); // not NULL; `written` is not kept
const expr *packed_expr(packed *k, const expr *e);
// A file of the program, by its place among those that are loaded.
const char *packed_file(packed *k, const char *file);
const builtin *packed_builtin(packed *k, const builtin *b);
const struct fact *packed_fact(packed *k, const struct fact *f); // of the log

#endif
