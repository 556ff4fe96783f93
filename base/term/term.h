// base/term/term.h - the one term language: goals in plans, occasions in beliefs, atoms in queries.
//
// Terms are immutable trees in an arena; they compare by structure, across arenas. Lists are the
// compounds '[|]'(Head, Tail) ending in the symbol '[]', and print as [a, b | T].
#ifndef FORESEE_BASE_TERM_TERM_H
#define FORESEE_BASE_TERM_TERM_H

#include <stdbool.h>
#include <stdint.h>
#include "base/mem.h"
#include "base/status.h"
#include "base/text/text.h"

typedef enum term_kind {
    TERM_INT,
    TERM_FLOAT,
    TERM_STRING,  // "text"
    TERM_SYMBOL,  // plate_1, plate#1, 'any text'
    TERM_VAR,     // Plate, _x, _ (each `_` is one of its own), ?plate
    TERM_COMPOUND // functor(args...)
} term_kind;

typedef struct term term;
struct term {
    term_kind kind;
    uint32_t arity;
    int32_t line, column; // where it was read; 0 when made at run time
    union {
        int64_t integer;
        double real;
    };
    const char *text; // of strings, symbols and variables; a compound's functor
    const term *const *args;
};

const term *term_int(arena *a, int64_t value);
const term *term_float(arena *a, double value);
const term *term_string(arena *a, const char *text);
const term *term_symbol(arena *a, const char *text);
const term *term_var(arena *a, const char *name);
const term *term_compound(arena *a, const char *functor, uint32_t arity, const term *const *args);
const term *term_list(arena *a, const term *const *items, size_t count,
                      const term *tail); // tail NULL: []
const term *term_copy(arena *a, const term *t);

bool term_equal(const term *a, const term *b);
int term_order(const term *a,
               const term *b); // a total order: numbers < symbols < strings < compounds
bool term_ground(const term *t);
bool term_mentions(const term *t, const char *variable);
static inline bool term_is(const term *t, const char *functor, uint32_t arity) {
    return t && t->kind == TERM_COMPOUND && t->arity == arity && strcmp(t->text, functor) == 0;
}
static inline bool term_is_symbol(const term *t, const char *text) {
    return t && t->kind == TERM_SYMBOL && strcmp(t->text, text) == 0;
}
// A `_`: matches anything, is never looked up. The reader names them `_#1`, `_#2`, ..., which no
// text can; they print as `_`.
static inline bool term_is_anonymous(const term *t) {
    return t->kind == TERM_VAR && t->text[0] == '_' && (t->text[1] == 0 || t->text[1] == '#');
}
bool term_number(const term *t, double *out); // an int or a float
// Lists: the number of items, or -1 when `t` is not a proper list; the i-th item.
int64_t term_list_length(const term *t);
const term *term_list_item(const term *t, size_t i);

// Writes the term as it would be read again (symbols quoted where needed; floats in the shortest
// form that reads back the same, always with a '.' or an exponent). Like snprintf. Locale plays no
// part.
size_t term_format(const term *t, char *buffer, size_t size);
char *term_text(arena *a, const term *t);
void term_put(text_buffer *b, const term *t); // the same, appended

// Replaces variables by what `lookup` gives (NULL leaves the variable).
typedef const term *(*term_lookup)(void *context, const char *variable);
const term *term_substitute(arena *a, const term *t, term_lookup lookup, void *context);
// One-way matching: binds the variables of `pattern` against the ground `t` in `bindings`
// (name, value pairs, appended; a repeated variable must match the same). `_` matches anything.
typedef struct binding {
    const char *name;
    const term *value;
} binding;
typedef ARRAY(binding) bindings;
bool term_match(const term *pattern, const term *t, bindings *out);

// ---- Reading
//
// Operators, from loose to tight (priority, associativity):
//   :-  1200 xfx, prefix fx    ;  1100 xfy     ,  1000 xfy     not, why  900 fy
//   = != < =< <= > >= is  700 xfx     + -  500 yfx     * / mod  400 yfx     - prefix 200 fy
// `=<` is read as `<=`. A braced aggregate `count { X : Goal }` reads as '{}'(count, X, Goal), with
// `count { Goal }` as '{}'(count, '_', Goal), '_' a symbol (functors count sum min max avg list).
// `why not G` reads as why(not(G)); module:name, without blanks, as one symbol. Comments: % to the
// end of the line, /* ... */. Depth at most 200 (E_INPUT past it). Numbers: 12, -3 (when prefix
// minus stands before a literal), 2.5, 1e-3.
typedef struct reader {
    const char *file, *text;
    size_t length, at;
    int line, column;
    arena *arena;
    uint32_t fresh; // numbers the `_`s
} reader;
// Returns whether a `:-` that ends `ahead` bytes ahead begins a directive and no rule's body: a
// word stands behind it, and then, without a bracket, what it is about.
bool reader_directive_behind(const reader *r, size_t ahead);
void reader_init(reader *r, arena *a, const char *file, const char *text, size_t length, int line,
                 int column);
// The character `ahead` of where it stands, 0 past the end; and one character on.
// Letters, digits and _, of ASCII, whatever the locale; of a symbol behind its first letter also #.
static inline bool name_goes_on(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
static inline bool symbol_goes_on(char c) {
    return name_goes_on(c) || c == '#';
}

static inline char reader_look(const reader *r, size_t ahead) {
    return r->at + ahead < r->length ? r->text[r->at + ahead] : 0;
}
static inline void reader_step(reader *r) {
    if (r->at >= r->length)
        return;
    if (r->text[r->at++] == '\n') {
        r->line++;
        r->column = 1;
    } else {
        r->column++;
    }
}
// Returns whether a clause goes on behind a '.' that stands within so many open brackets, as one
// does in which the '.' should have been a ',': the next '.' stands outside of them.
bool reader_goes_on(const reader *r, int open);
// Returns whether a '.' stands before the reader, with nothing but blanks between.
bool reader_stopped(const reader *r);
// The next clause up to its '.', as one term; *out = NULL at the end of the text. After an error
// the reader stands behind the next '.', so that reading can go on.
status reader_clause(reader *r, const term **out, error *err);
// The rest of the reader's text as one term (a trailing '.' is allowed).
status reader_whole(reader *r, const term **out, error *err);
// A whole text as one term (a trailing '.' is allowed).
status term_parse(arena *a, const char *file, const char *text, size_t length, int line, int column,
                  const term **out, error *err);

#endif
