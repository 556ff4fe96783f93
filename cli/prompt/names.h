// cli/prompt/names.h - what can be named at the prompt, and completion by it.
//
// Owns:      copies of the names; they live until rules or the episode change.
#ifndef FORESEE_CLI_REPL_NAMES_H
#define FORESEE_CLI_REPL_NAMES_H

#include "cli/prompt/repl_int.h"

typedef struct known_argument {
    const char *name, *type; // "" where none is known
} known_argument;
typedef struct known_predicate {
    const char *label, *outer, *inner, *doc, *kind, *file; // inner NULL: not split
    size_t place;                                          // of the split argument, from 0
    bool bare;                       // declared nowhere: only the split argument is known
    ARRAY(known_argument) arguments; // of outer
    ARRAY(known_argument) parts;     // of inner
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
const known_names *repl_predicates(repl *r); // their texts live until repl_names_stale
const known_names *repl_names(repl *r);      // and the log's
void repl_names_stale(repl *r, bool log);    // rules changed, or also the episode
void repl_names_destroy(repl *r);

// ---- Completion (complete.c)

void repl_completion_begin(repl *r, const char *before); // the lines above the one that is edited
void repl_completion_finish(void);

#endif
