// tests/ensemble/fmu/fixture.h - a small model without an interface; shell2.c and shell3.c make an
// FMU of it, one for each version of the standard.
#ifndef FORESEE_TESTS_ENSEMBLE_FMU_FIXTURE_H
#define FORESEE_TESTS_ENSEMBLE_FMU_FIXTURE_H

#include <stdbool.h>
#include <stddef.h>

enum { FIXTURE_VALUES = 8 };

// Value references are indexes of `value`, whatever the type of the variable; pack.py names them.
typedef struct fixture {
    double value[FIXTURE_VALUES];
    double time;
    bool event; // has happened, and is to be handled before the next step
} fixture;

extern const char fixture_token[];
void fixture_start(fixture *f); // parameters and inputs are not set yet
// Steps by `length`, or up to an event, which it notes.
void fixture_step(fixture *f, double length);
void fixture_event(fixture *f);
void fixture_copy(fixture *to, const fixture *from); // saves and restores

#endif
