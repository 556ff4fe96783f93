// tests/sense/readings.h - what the sensors read, kept for tests.
#ifndef FORESEE_TESTS_SENSE_READINGS_H
#define FORESEE_TESTS_SENSE_READINGS_H

#include "tests/sense/stage.h"

typedef struct seen_percept {
    pose at;
    char type[24], color[24]; // what the reading points to goes with its stage
    nanos taken;
} seen_percept;

typedef struct readings {
    ARRAY(seen_percept) percepts;
    ARRAY(double) ranges, joints, hands, ways, wrenches, torques;
    ARRAY(nanos) taken[READING_DETECTOR + 1], delivered[READING_DETECTOR + 1];
    size_t frames;
} readings;

void readings_keep(void *context, const reading *r); // a reader_fn, of a `readings`
void readings_finish(readings *k);
// Camera switched on, the world at rest: `frames` frames, one for each step of 2 ms.
void readings_watch(stage *s, readings *k, int frames);

#endif
