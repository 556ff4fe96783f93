// tests/ensemble/fmu/burst.c - a model that leaves the numbers at an instant that it is given.
#include "tests/ensemble/fmu/fixture.h"

#include <math.h>

enum { X, AT }; // 1, and then no number; s
const char fixture_token[] = "{burst}";

void fixture_start(fixture *f) {
    f->value[X] = 1;
    f->value[AT] = 1;
}

void fixture_step(fixture *f, double length) {
    f->time += length;
    if (f->time >= f->value[AT])
        f->value[X] = NAN;
}

void fixture_event(fixture *f) {
    f->event = false;
}

void fixture_copy(fixture *to, const fixture *from) {
    *to = *from;
}
