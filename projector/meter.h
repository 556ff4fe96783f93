// projector/meter.h - a sink that passes records on, and measures what they cost and whose they
// are.
//
// For benchmarks: what is projected and logged is the same with it and without it.
#ifndef FORESEE_PROJECTOR_METER_H
#define FORESEE_PROJECTOR_METER_H

#include "schema/sink.h"

// Whose records: of the mind while the interpreter has its turn, else of world and senses.
typedef enum meter_side { METER_WORLD, METER_MIND, METER_SIDES } meter_side;

typedef struct meter {
    sink sink; // what is put here goes to `to`
    sink *to;
    meter_side side; // whose turn it is; set by the loops
    uint64_t rows[METER_SIDES];
    double putting[METER_SIDES]; // s in put and end of `to`
    double committing;           // s in its commit
} meter;

void meter_begin(meter *m, sink *to);
// The share of the mind in all putting, 0..1: by it what is written later is divided up.
double meter_mind_share(const meter *m);

#endif
