// projector/couple/observer.c - the momentum observer: a contact's force without accelerations.
#include "projector/couple/ends.h"

double observer_step(observer *o, double speed, double effort) {
    double momentum = o->mass * speed;
    if (!o->begun) {
        o->begun = true;
        o->first = momentum;
    } else
        o->force = o->gain * (momentum - o->integral - o->first);
    o->integral += COUPLE_STEP * (effort - o->damping * speed + o->force);
    return -o->force;
}
