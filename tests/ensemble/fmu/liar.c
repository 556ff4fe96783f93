// tests/ensemble/fmu/liar.c - a model that says it can save its state, and forgets a part of it.
#include "tests/ensemble/fmu/fixture.h"

const char fixture_token[] = "{liar}";
static double hidden;

void fixture_start(fixture *f) {
    f->value[0] = 1;
    hidden = 1;
}

void fixture_step(fixture *f, double length) {
    hidden *= 1 - 1e-12;
    f->value[0] = f->value[0] * (1 - length) + length * hidden / 2;
    f->time += length;
}

void fixture_event(fixture *f) {
    f->event = false;
}

void fixture_copy(fixture *to, const fixture *from) {
    *to = *from; // all but what is hidden
}
