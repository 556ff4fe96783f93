// cli/prompt/names.h - the names that can be typed, and completion by them.
//
// Owns:      copies of the names, until the rules or the episode change.
#ifndef FORESEE_CLI_NAMES_H
#define FORESEE_CLI_NAMES_H

#include "cli/prompt/repl_int.h"

typedef struct known_argument {
    const char *name, *type; // "": unknown
} known_argument;
typedef struct known_predicate {
    const char *label, *outer, *inner, *doc, *kind, *file; // inner NULL: the predicate is not split
    size_t place;                    // index of the argument by which it is split
    bool bare;                       // no declaration: only that argument is known
    ARRAY(known_argument) arguments; // of the predicate `outer`
    ARRAY(known_argument) parts;     // of the functor `inner`
} known_predicate;
typedef struct known_texts {
    const char **items;
    size_t count, capacity;
} known_texts;
struct known_names {
    arena *predicate_arena, *log_arena;
    ARRAY(known_predicate) predicates;
    known_texts objects, tasks, paths, agents, believed;
    bool predicates_read, log_read;
};
const known_names *repl_predicates(repl *r); // borrowed until repl_names_stale
const known_names *repl_names(repl *r);      // the same with the names in the log
void repl_names_stale(repl *r,
                      bool log); // the rules have changed; `log`: the episode has changed as well
void repl_names_destroy(repl *r);

// ---- Completion (complete.c)

void repl_completion_begin(repl *r,
                           const char *before); // `before`: the lines above the one that is edited
void repl_completion_finish(void);

#endif
