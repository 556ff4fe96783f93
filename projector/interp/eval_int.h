// projector/interp/eval_int.h - shared by what evaluates expressions and conditions.
#ifndef FORESEE_PROJECTOR_INTERP_EVAL_INT_H
#define FORESEE_PROJECTOR_INTERP_EVAL_INT_H

#include "projector/interp/interp_int.h"

// What a compound or symbol calls; FUNCTOR_NONE: nothing, it is data.
typedef enum functor {
    FUNCTOR_NONE,
#define FUNCTION(id, name, least, most, doc) FUNCTOR_##id,
#define CONDITION(id, name, least, most, doc) FUNCTOR_##id,
#define DESCRIPTION(id, name, doc) FUNCTOR_##id,
#include "projector/interp/functions.def"
    FUNCTOR_ROBOT // a function that needs what the robot knows
} functor;

typedef struct evaluation {
    interp *i;
    const frame *scope;
    int64_t task; // for the choices of functions and descriptions
    bool asking;  // within a condition: a description that stands there is resolved in passing
} evaluation;

// eval.c
functor functor_of(const interp *i, const term *t); // of its name and number of arguments
bool eval_complain(interp *i, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool eval_complain_term(interp *i, const char *what, const term *t);
// A request that the robot or belief cannot answer is the plan's failure (its text becomes the
// reason); anything else is a broken log. False, for returning it.
bool eval_refused(interp *i, status s, const error *err);
bool eval_compute(const evaluation *e, const term *t, const term **out);
// The value of a compound, or function symbol, whose arguments are computed.
bool eval_apply(const evaluation *e, functor f, const term *t, const term **out);

// functions.c: arithmetic, lists, and what the mind knows.
bool function_apply(const evaluation *e, functor f, const term *t, const term **out);

#endif
