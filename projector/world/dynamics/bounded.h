// projector/world/dynamics/bounded.h - linear equations whose unknowns are bounded.
//
// Finds x with lo <= x <= hi such that A x - b is 0 where x lies between its bounds, at least 0
// where x is at lo, and at most 0 where it is at hi. A is symmetric and positive definite, so that
// there is one such x.
//
// Which unknowns are at their bounds is guessed, the equations of the others are solved by
// Cholesky's factor in their envelope, and all that this proves wrong is exchanged, or only the
// last of it while that gets no better (block principal pivoting; Portugal, Judice and Vicente
// 1994). From one step of a simulation to the next hardly any unknown changes sides, so that the
// guess of the last step costs one factor, where a method that takes up unknown by unknown costs
// one update each.
#ifndef FORESEE_PROJECTOR_WORLD_DYNAMICS_BOUNDED_H
#define FORESEE_PROJECTOR_WORLD_DYNAMICS_BOUNDED_H

#include <stdbool.h>
#include <stddef.h>

typedef struct bounded {
    size_t count, capacity;
    double *a; // count x count, row-major; its lower triangle is given
    double *b, *lo, *hi;
    double *x;       // what was found
    signed char *at; // -1, 0, 1: x is at lo, between, at hi; the guess, then what was found
    size_t *first;   // of each row of `a`, the first column that is not 0
    // Working values.
    double *factor, *inverse, *rest;
    size_t factored; // rows of the factor that belong to `at`
} bounded;

// Makes room for so many equations, whose `a` is 0, and whose x are free, without bounds.
void bounded_begin(bounded *p, size_t count);
// Solves the first `count` of them, as if the others were not there. Between two calls bounds of
// later unknowns may change. Returns false where no answer was
// found, as where `a` or `b` is not finite.
bool bounded_solve(bounded *p, size_t count);
void bounded_finish(bounded *p);

#endif
