// projector/couple/pfc.c - position-force coupling: speeds go out, the controller's force comes
// back.
#include "projector/couple/ends.h"

double coupling_force(const rig *r, double ahead, double faster) {
    return r->stiffness * ahead + r->damping * faster;
}

double pfc_felt(leader_end *e, double speed) {
    (void)speed;
    return e->any ? e->last.force : 0;
}

double pfc_pull(follower_end *e, double place, double speed) {
    e->speed = e->any ? e->last.speed : 0; // held where a message is missing
    e->reference += COUPLE_STEP * e->speed;
    return coupling_force(e->r, e->reference - place, e->speed - speed);
}
