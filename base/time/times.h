// base/time/times.h - instants, half-open intervals, and the operators that clean them.
//
// Time is int64 nanoseconds from the start of the episode; intervals are [start, end). Seconds
// appear only where people read or write.
#ifndef FORESEE_BASE_TIME_TIMES_H
#define FORESEE_BASE_TIME_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/mem.h"

typedef int64_t nanos;
#define NANOS_PER_SECOND INT64_C(1000000000)
#define TIME_OPEN INT64_MAX         // the end of an interval that has not ended
#define TIME_MAX (INT64_C(1) << 59) // 18 years, either way: two times can be added

typedef struct interval {
    nanos start, end;
} interval;
typedef ARRAY(interval) intervals;

static inline double seconds(nanos t) {
    return (double)t * 1e-9;
}
nanos nanos_from_seconds(double s); // rounds to the nearest

// Sorts and merges what overlaps or touches.
void intervals_normalise(intervals *v);
// Joins neighbours (normalised input) with a gap shorter than `gap`, then drops what is shorter
// than `shortest`. In this order: SEMANTICS of hygiene.
void intervals_clean(intervals *v, nanos gap, nanos shortest);
// Of normalised vectors; the result, normalised too, replaces what `out` held. `out` is a third
// vector.
void intervals_intersect(const intervals *a, const intervals *b, intervals *out);
void intervals_union(const intervals *a, const intervals *b, intervals *out);
void intervals_complement(const intervals *a, interval domain, intervals *out);

// A Schmitt trigger with hygiene, fed sample by sample in order of time: it opens when the value
// reaches `on`, closes when it falls under `off` (on >= off: above; on <= off with `below` set: the
// mirror), dates both ends back to the raw first and last instant, joins gaps, drops short runs.
typedef struct hysteresis {
    double on, off;
    bool below;
    nanos gap, shortest;
    // state
    bool active, pending;
    nanos raw_start; // since when the value lies on the inner side of `off`
    bool inside;     // the last value lay on the inner side of `off`
    interval current;
} hysteresis;
void hysteresis_init(hysteresis *h, double on, double off, bool below, nanos gap, nanos shortest);
// Appends finished intervals to `out`.
void hysteresis_feed(hysteresis *h, nanos t, double value, intervals *out);
// Ends the stream: what is active ends at `end`.
void hysteresis_finish(hysteresis *h, nanos end, intervals *out);

// Sorts instants. Quick where they consist of a few ascending runs.
void nanos_sort(nanos *t, size_t count);

#endif
