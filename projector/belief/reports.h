// projector/belief/reports.h - what each sense, and each other robot, said last of where a thing
// stands, so that two of them can be compared.
#ifndef FORESEE_PROJECTOR_BELIEF_REPORTS_H
#define FORESEE_PROJECTOR_BELIEF_REPORTS_H

#include "projector/belief/belief.h"

typedef struct believed believed; // belief_int.h

// What a sense, or another robot, says of where a thing stands (reports.c).
typedef struct report {
    const char *sensor; // "camera", "laser", "told"
    int64_t teller;     // log id of the agent that told it; 0: an own sense
    pose at;            // in the map
    double sigma;       // m, along its worst axis in the plane
    nanos t;            // when it was so
    int64_t task;       // that asked for it; 0: none
} report;

// Takes down what is reported of where a thing stands, and writes how far reports of the same while
// by several sources are apart.
status belief_report(belief *b, size_t object, report r, nanos t, error *err);
// Takes down that the thing may have been moved at a time: what was reported of it before is no
// more compared with what is reported later.
void belief_moved(believed *o, nanos t);

#endif
