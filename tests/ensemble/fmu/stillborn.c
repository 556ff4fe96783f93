// tests/ensemble/fmu/stillborn.c - a model that writes where nothing is, before its first step.
#include "tests/ensemble/fmu/fixture.h"

const char fixture_token[] = "{stillborn}";

void fixture_start(fixture *f) {
    static double *volatile nothing;
    *nothing = f->value[0];
}

void fixture_step(fixture *f, double length) {
    f->time += length;
}

void fixture_event(fixture *f) {
    f->event = false;
}

void fixture_copy(fixture *to, const fixture *from) {
    *to = *from;
}
