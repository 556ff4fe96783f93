// query/tables/expression.h - the values of expressions and patterns under bindings of variables.
//
// `env` holds the value of each variable of a rule, VALUE_NONE where it is unbound.
#ifndef FORESEE_QUERY_EXPRESSION_H
#define FORESEE_QUERY_EXPRESSION_H

#include "query/rules/rule.h"

// Returns VALUE_NONE where the expression has no value: division by zero, an operand that is no
// number, and the like.
value expr_value(values *v, const expr *e, const value *env);
// Returns the operand that is no number where the expression computes; VALUE_NONE: there is none.
value expr_misfit(values *v, const expr *e, const value *env);
value pattern_value(values *v, const pattern *p, const value *env);
// Binds the unbound variables of the pattern so that it equals `x`. False: it cannot.
bool pattern_match(const values *v, const pattern *p, value x, value *env);
// Returns whether the written number stands for this value: the same number, or an instant that
// rounds to it.
bool value_rounds_to(const values *v, value x, value written);
value value_as_time(const values *v, value x); // numbers as seconds; others as they are

#endif
