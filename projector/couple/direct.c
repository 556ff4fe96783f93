// projector/couple/direct.c - the direct estimator of a contact's force, without a model of the
// joint.
#include <math.h>

#include "projector/couple/ends.h"

double direct_step(direct_estimator *d, double effort) {
    d->force += fmin(1, d->gain * COUPLE_STEP) * (effort - d->force);
    return d->force;
}
