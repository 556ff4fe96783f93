// tests/ensemble/fmu/crash.c - a model that writes where nothing is, after half a second.
#include "tests/ensemble/fmu/fixture.h"

const char fixture_token[] = "{crash}";

void fixture_start(fixture *f) {
    f->value[0] = 1;
}

void fixture_step(fixture *f, double length) {
    static double *volatile nothing;
    f->time += length;
    if (f->time > 0.5)
        *nothing = f->time;
}

void fixture_event(fixture *f) {
    f->event = false;
}

void fixture_copy(fixture *to, const fixture *from) {
    *to = *from;
}
