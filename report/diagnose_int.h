// report/diagnose_int.h - what a diagnosis holds, for the files that write it.
#ifndef FORESEE_REPORT_DIAGNOSE_INT_H
#define FORESEE_REPORT_DIAGNOSE_INT_H

#include "report/diagnose.h"

struct diagnosis {
    arena *arena;
    const char *log, *plan, *outcome;
    int64_t episode, seed;
    nanos end;
    bool complete;
    ARRAY(flaw) flaws;
    object_names objects; // in the order of the log
};

#endif
