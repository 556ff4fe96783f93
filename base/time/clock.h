// base/time/clock.h - the clocks of the machine. Nothing that is projected, logged or answered may
// depend on them.
#ifndef FORESEE_BASE_TIME_CLOCK_H
#define FORESEE_BASE_TIME_CLOCK_H

#include "base/time/times.h"

nanos clock_wall(void);      // monotonic, from an arbitrary beginning
nanos clock_coarse(void);    // the same to a few milliseconds, and cheaper
nanos clock_processor(void); // the processor time that this process has used

// Adds up wall time for benchmarks; a NULL stopwatch measures nothing.
typedef struct stopwatch {
    nanos spent, begun;
} stopwatch;
static inline void stopwatch_start(stopwatch *w) {
    if (w)
        w->begun = clock_wall();
}
static inline void stopwatch_stop(stopwatch *w) {
    if (w)
        w->spent += clock_wall() - w->begun;
}

#endif
