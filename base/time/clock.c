// base/time/clock.c - the clocks of the machine.
#include "base/time/clock.h"

#include <time.h>

static nanos read_clock(clockid_t which) {
    struct timespec t;
    clock_gettime(which, &t);
    return (nanos)t.tv_sec * NANOS_PER_SECOND + t.tv_nsec;
}

nanos clock_wall(void) {
    return read_clock(CLOCK_MONOTONIC);
}

nanos clock_coarse(void) {
    return read_clock(CLOCK_MONOTONIC_COARSE);
}

nanos clock_processor(void) {
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}
