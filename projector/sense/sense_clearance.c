// projector/sense/sense_clearance.c - how far arms that keep a margin truly are from things. The
// robot never sees this.
#include "projector/sense/sense_int.h"

#include <math.h>

static const double TOLD = 1e-3; // m that a distance has changed by when it is told anew
static const double REACH = 4;   // margins up to which a distance is told

status sense_clearance(sense *s, size_t arm, nanos t, error *err) {
    double margin = sim_margin(s->setup.sim, s->own.arm + arm), *last = &s->clearances[arm];
    if (margin <= 0) {
        *last = NAN;
        return OK;
    }
    size_t entity;
    double reach = REACH * margin;
    double distance = sim_clearance(s->setup.sim, s->own.arm + arm, reach, &entity);
    if (distance >= reach || fabs(distance - *last) < TOLD)
        return OK;
    *last = distance;
    record r = {.kind = RECORD_CLEARANCE, .id = sink_id(s->setup.log, RECORD_CLEARANCE)};
    r.CLEARANCE = (struct record_CLEARANCE){.gripper = s->setup.gripper_objects[arm],
                                            .object = s->setup.entity_objects[entity],
                                            .t_ns = t,
                                            .distance = distance,
                                            .margin = margin};
    return sink_put(s->setup.log, &r, err);
}
