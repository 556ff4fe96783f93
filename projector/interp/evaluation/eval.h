// projector/interp/evaluation/eval.h - the values of expressions, and the truth of conditions.
//
// Results live in the scratch arena, the plan or a variable. A function that returns false leaves
// in i->reason why there is no value.
#ifndef FORESEE_PROJECTOR_INTERP_EVALUATION_EVAL_H
#define FORESEE_PROJECTOR_INTERP_EVALUATION_EVAL_H

#include "projector/interp/state/frame.h"

// The function, condition or description that a compound or symbol calls; FUNCTOR_NONE: none, it is
// data.
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

void eval_init(interp *i); // once
bool eval_term(interp *i, const frame *scope, int64_t task, const term *t, const term **out);
bool eval_condition(interp *i, const frame *scope, int64_t task, const term *t, bool *out);
// The term with the values of those variables that have any, and nothing computed.
const term *eval_fill(interp *i, const frame *scope, const term *t);
const char *eval_text(interp *i, const frame *scope, const char *text); // ?names filled in

// The functor of a term's name and number of arguments.
functor functor_of(const interp *i, const term *t);
// The value of a compound, or function symbol, whose arguments are computed.
bool eval_apply(const evaluation *e, functor f, const term *t, const term **out);
// Each writes i->reason and returns false.
bool eval_complain(interp *i, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool eval_complain_term(interp *i, const char *what, const term *t);
// Takes an error of belief or robot: a refusal's text becomes the reason, any other is a broken
// log.
bool eval_refused(interp *i, status s, const error *err);

// functions.c: arithmetic, lists, and what the belief says of the items of a list.
bool function_apply(const evaluation *e, functor f, const term *t, const term **out);

#endif
