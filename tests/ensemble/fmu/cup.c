// tests/ensemble/fmu/cup.c - a cup that cools: dT/dt = k (ambient - T), by Runge and Kutta's
// method.
#include "tests/ensemble/fmu/fixture.h"

enum { T, AMBIENT, RATE };
const char fixture_token[] = "{cup}";

void fixture_start(fixture *f) {
    f->value[T] = 80; // degrees Celsius
    f->value[AMBIENT] = 20;
    f->value[RATE] = 0.01;
}

void fixture_step(fixture *f, double length) {
    enum { PIECES = 16 };
    double h = length / PIECES, k = f->value[RATE], around = f->value[AMBIENT], *t = &f->value[T];
    for (int i = 0; i < PIECES; i++) {
        double a = k * (around - *t), b = k * (around - *t - h / 2 * a);
        double c = k * (around - *t - h / 2 * b), d = k * (around - *t - h * c);
        *t += h / 6 * (a + 2 * b + 2 * c + d);
    }
    f->time += length;
}

void fixture_event(fixture *f) {
    f->event = false;
}

void fixture_copy(fixture *to, const fixture *from) {
    *to = *from;
}
