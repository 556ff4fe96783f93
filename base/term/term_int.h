// base/term/term_int.h - what reading and printing terms share: the operators and the letters of
// names.
#ifndef FORESEE_BASE_TERM_TERM_INT_H
#define FORESEE_BASE_TERM_TERM_INT_H

#include "base/term/term.h"

#define PRIORITY_MAX 1200
#define PRIORITY_ARGUMENT 999
#define PRIORITY_BRACED 1100

typedef struct operator_info {
    const char *text;
    int priority;
    int left, right; // the loosest that may stand on either side; left is 0 for prefix operators
} operator_info;

const operator_info *operator_infix(const char *text);  // NULL: not one
const operator_info *operator_prefix(const char *text); // NULL: not one
bool operator_is_word(const char *text); // reads as an operator though it is made of letters
bool aggregate_is_known(const char *text);

#endif
