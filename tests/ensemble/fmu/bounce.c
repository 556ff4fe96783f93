// tests/ensemble/fmu/bounce.c - a mass that bounces: each impact is an event, found exactly.
#include "tests/ensemble/fmu/fixture.h"

#include <math.h>

enum { HEIGHT, VELOCITY, BOUNCES, RISING, RESTITUTION };
const char fixture_token[] = "{bounce}";
static const double g = 9.81;

void fixture_start(fixture *f) {
    f->value[HEIGHT] = 1;
    f->value[RESTITUTION] = 0.8;
}

void fixture_step(fixture *f, double length) {
    double *h = &f->value[HEIGHT], *v = &f->value[VELOCITY];
    // h + v t - g t^2 / 2 = 0
    double impact = (*v + sqrt(*v * *v + 2 * g * *h)) / g;
    f->event = impact <= length;
    double t = f->event ? impact : length;
    *h = f->event ? 0 : *h + *v * t - g * t * t / 2;
    *v -= g * t;
    f->value[RISING] = *v > 0;
    f->time += t;
}

void fixture_event(fixture *f) {
    f->value[VELOCITY] *= -f->value[RESTITUTION];
    f->value[BOUNCES] += 1;
    f->value[RISING] = 1;
    f->event = false;
}

void fixture_copy(fixture *to, const fixture *from) {
    *to = *from;
}
