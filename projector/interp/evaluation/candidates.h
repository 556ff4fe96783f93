// projector/interp/evaluation/candidates.h - the routines and primitive actions that a description
// of an action may stand for.
#ifndef FORESEE_PROJECTOR_INTERP_EVALUATION_CANDIDATES_H
#define FORESEE_PROJECTOR_INTERP_EVALUATION_CANDIDATES_H

#include "projector/interp/state/frame.h"

enum { KEYS_MAX = 32 };

// Candidates for a list of properties, best first, as terms name(key(Value), ...); `why` says of
// each that was looked at why it is one, or not. False: i->reason says why there can be none.
bool candidates_find(interp *i, int64_t task, const term *properties, term_list_array *out,
                     char *why, size_t size);
// Whether a routine's guard is believed with these variables; i->reason says why.
bool routine_guard_holds(interp *i, int64_t task, const plan_routine *r, const bindings *bound);
const plan_routine *routine_named(const interp *i, const char *name); // NULL: none
// An argument as the primitive action takes it: descriptions resolved. NULL: one cannot be;
// i->reason.
const term *argument_resolve(interp *i, int64_t task, const char *name, const char *key,
                             const term *value);
// Adds the names of a pattern's variables, each once, at most KEYS_MAX.
void pattern_variables(const term *t, const char **names, size_t *count);

#endif
