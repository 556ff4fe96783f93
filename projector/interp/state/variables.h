// projector/interp/state/variables.h - variables of frames; each value is a VARIABLE record.
#ifndef FORESEE_PROJECTOR_INTERP_STATE_VARIABLES_H
#define FORESEE_PROJECTOR_INTERP_STATE_VARIABLES_H

#include "projector/interp/state/frame.h"

variable *variable_find(const frame *scope, const char *name); // NULL: none in scope
// Makes a new variable of `f`. `by`: the task that gives the value; `point`: at its begin or end.
void variable_make(interp *i, frame *f, const char *name, const term *value, int64_t by,
                   const char *point);
// Gives a variable in scope a new value; where there is none, makes one of the body's outermost
// frame.
void variable_set(interp *i, frame *scope, const char *name, const term *value, int64_t by,
                  const char *point);
void variables_destroy(interp *i, frame *f);

#endif
