// report/diagnosis/collect.h - asks the rules and the log for everything that a diagnosis tells.
#ifndef FORESEE_REPORT_COLLECT_H
#define FORESEE_REPORT_COLLECT_H

#include "report/diagnosis/diagnosis_int.h"

typedef struct collector {
    ask *ask;
    diagnosis *d;
    error *err;
    arena *scratch;
    uint32_t *slots; // hash table of flaws by their terms: index + 1, 0: empty
    size_t mask;
} collector;

status collect_objects(collector *c);
status collect_sources(collector *c);
// Collects the flaws, in order of time, with all of their properties.
status collect_flaws(collector *c);

#endif
