// tests/ensemble/fmu/hang.c - a model that never ends its step, after half a second.
#include "tests/ensemble/fmu/fixture.h"

#include <unistd.h>

const char fixture_token[] = "{hang}";

void fixture_start(fixture *f) {
    f->value[0] = 1;
}

void fixture_step(fixture *f, double length) {
    f->time += length;
    while (f->time > 0.5)
        pause();
}

void fixture_event(fixture *f) {
    f->event = false;
}

void fixture_copy(fixture *to, const fixture *from) {
    *to = *from;
}
