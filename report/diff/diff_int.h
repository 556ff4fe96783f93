// report/diff/diff_int.h - what the files of a comparison share.
#ifndef FORESEE_REPORT_DIFF_INT_H
#define FORESEE_REPORT_DIFF_INT_H

#include "report/diff/diff.h"

typedef struct diff_side {
    ask *ask;
    const diagnosis *diagnosis;
    ARRAY(const flaw *) only; // flaws that the other side does not show
} diff_side;
struct diff {
    arena *memory;
    diff_side sides[2];
    diff_tolerance tolerance;
    nanos end; // where the first of them was cut off, beyond which nothing is compared; TIME_OPEN
    difference first[DIFF_LAYERS];
    ARRAY(diff_setup) setup;
};

// Keeps a difference if it is the first of its layer; texts are copied.
void diff_note(diff *d, diff_layer layer, const difference *found);
// Compares the rows of all layers, and what the episodes were run with.
status diff_rows(diff *d, error *err);
// Compares poses and joints as functions of time.
status diff_motion(diff *d, error *err);

#endif
