// report/diagnosis/collect.h - asking the rules and the log for what a diagnosis says.
#ifndef FORESEE_REPORT_DIAGNOSE_COLLECT_H
#define FORESEE_REPORT_DIAGNOSE_COLLECT_H

#include "report/diagnosis/diagnosis_int.h"

typedef struct collector {
    ask *ask;
    diagnosis *d;
    error *err;
    arena *scratch;
    const char *plan_file; // of the plan itself; NULL: there is no task
    uint32_t *slots;       // flaws by a hash of their terms: index + 1, 0: empty
    size_t mask;
} collector;

status collect_objects(collector *c);
status collect_sources(collector *c);
// Flaws in order of time, with all that hangs on them.
status collect_flaws(collector *c);

#endif
