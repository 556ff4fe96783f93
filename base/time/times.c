// base/time/times.c - instants, half-open intervals, and the operators that clean them.
#include "base/time/times.h"

#include <math.h>

nanos nanos_from_seconds(double s) {
    double t = round(s * 1e9);
    if (isnan(t))
        return 0;
    if (t >= 0x1p63)
        return INT64_MAX;
    if (t < -0x1p63)
        return INT64_MIN;
    return (nanos)t;
}

// b - a, held at the greatest instant instead of running over.
static nanos time_span(nanos a, nanos b) {
    nanos d;
    if (__builtin_sub_overflow(b, a, &d))
        return b > a ? INT64_MAX : INT64_MIN;
    return d;
}

static int interval_order(const void *x, const void *y) {
    const interval *a = x, *b = y;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->end > b->end) - (a->end < b->end);
}

void intervals_normalise(intervals *v) {
    size_t kept = 0;
    bool sorted = true;
    for (size_t i = 0; i < v->count; i++) {
        if (v->items[i].start >= v->items[i].end)
            continue;
        if (kept > 0 && v->items[i].start < v->items[kept - 1].start)
            sorted = false;
        v->items[kept++] = v->items[i];
    }
    v->count = kept;
    if (!sorted)
        qsort(v->items, v->count, sizeof *v->items, interval_order);
    kept = 0;
    for (size_t i = 0; i < v->count; i++) {
        if (kept > 0 && v->items[i].start <= v->items[kept - 1].end) {
            if (v->items[i].end > v->items[kept - 1].end)
                v->items[kept - 1].end = v->items[i].end;
        } else {
            v->items[kept++] = v->items[i];
        }
    }
    v->count = kept;
}

void intervals_clean(intervals *v, nanos gap, nanos shortest) {
    size_t kept = 0;
    for (size_t i = 0; i < v->count; i++) {
        if (kept > 0 && time_span(v->items[kept - 1].end, v->items[i].start) < gap)
            v->items[kept - 1].end = v->items[i].end;
        else
            v->items[kept++] = v->items[i];
    }
    v->count = kept;
    kept = 0;
    for (size_t i = 0; i < v->count; i++) {
        if (time_span(v->items[i].start, v->items[i].end) >= shortest)
            v->items[kept++] = v->items[i];
    }
    v->count = kept;
}

void intervals_intersect(const intervals *a, const intervals *b, intervals *out) {
    out->count = 0;
    for (size_t i = 0, j = 0; i < a->count && j < b->count;) {
        interval x = a->items[i], y = b->items[j];
        interval both = {x.start > y.start ? x.start : y.start, x.end < y.end ? x.end : y.end};
        if (both.start < both.end)
            array_push(out, both);
        if (x.end < y.end)
            i++;
        else
            j++;
    }
}

void intervals_union(const intervals *a, const intervals *b, intervals *out) {
    out->count = 0;
    for (size_t i = 0; i < a->count; i++)
        array_push(out, a->items[i]);
    for (size_t j = 0; j < b->count; j++)
        array_push(out, b->items[j]);
    intervals_normalise(out);
}

void intervals_complement(const intervals *a, interval domain, intervals *out) {
    out->count = 0;
    nanos from = domain.start;
    for (size_t i = 0; i < a->count && from < domain.end; i++) {
        interval x = a->items[i];
        nanos to = x.start < domain.end ? x.start : domain.end;
        if (from < to)
            array_push(out, (interval){from, to});
        if (x.end > from)
            from = x.end;
    }
    if (from < domain.end)
        array_push(out, (interval){from, domain.end});
}

void hysteresis_init(hysteresis *h, double on, double off, bool below, nanos gap, nanos shortest) {
    *h = (hysteresis){.on = on, .off = off, .below = below, .gap = gap, .shortest = shortest};
}

static void hysteresis_emit(hysteresis *h, intervals *out) {
    h->pending = false;
    if (h->current.end > h->current.start &&
        time_span(h->current.start, h->current.end) >= h->shortest)
        array_push(out, h->current);
}

// Returns whether a run that begins at `start` is one with the run that waits; runs that touch are.
static bool hysteresis_joins(const hysteresis *h, nanos start) {
    nanos distance = time_span(h->current.end, start);
    return distance <= 0 || distance < h->gap;
}

void hysteresis_feed(hysteresis *h, nanos t, double value, intervals *out) {
    // Written so that not-a-number lies on the outer side.
    bool inside = h->below ? value <= h->off : value >= h->off;
    bool reached = h->below ? value <= h->on : value >= h->on;
    if (!inside) {
        if (h->active) {
            h->active = false;
            h->current.end = t;
            h->pending = true;
        }
    } else {
        if (!h->inside)
            h->raw_start = t;
        if (reached && !h->active) {
            if (!(h->pending && hysteresis_joins(h, h->raw_start))) {
                if (h->pending)
                    hysteresis_emit(h, out);
                h->current.start = h->raw_start;
            }
            h->pending = false;
            h->active = true;
        }
    }
    h->inside = inside;
    // An interval that no later run can join is finished.
    if (h->pending && !hysteresis_joins(h, inside ? h->raw_start : t))
        hysteresis_emit(h, out);
}

void hysteresis_finish(hysteresis *h, nanos end, intervals *out) {
    if (h->active) {
        h->current.end = end;
        h->pending = true;
    }
    if (h->pending)
        hysteresis_emit(h, out);
    h->active = h->inside = false;
}

static int nanos_order(const void *a, const void *b) {
    nanos x = *(const nanos *)a, y = *(const nanos *)b;
    return (x > y) - (x < y);
}

// Returns where the ascending run that begins at `from` ends.
static size_t run_end(const nanos *t, size_t count, size_t from) {
    size_t end = from < count ? from + 1 : count;
    while (end < count && t[end - 1] <= t[end])
        end++;
    return end;
}

// Merges the runs [first, middle) and [middle, end).
static void runs_merge(const nanos *t, size_t first, size_t middle, size_t end, nanos *out) {
    size_t i = first, k = middle;
    while (i < middle && k < end)
        *out++ = t[k] < t[i] ? t[k++] : t[i++];
    memcpy(out, t + i, (middle - i) * sizeof *t);
    memcpy(out + (middle - i), t + k, (end - k) * sizeof *t);
}

void nanos_sort(nanos *t, size_t count) {
    if (run_end(t, count, 0) == count)
        return;
    nanos *room = malloc(count * sizeof *room), *from = t, *to = room;
    if (!room) {
        qsort(t, count, sizeof *t, nanos_order);
        return;
    }
    while (run_end(from, count, 0) < count) {
        for (size_t first = 0, end; first < count; first = end) {
            size_t middle = run_end(from, count, first);
            end = run_end(from, count, middle);
            runs_merge(from, first, middle, end, to + first);
        }
        nanos *other = from;
        from = to;
        to = other;
    }
    if (from != t)
        memcpy(t, from, count * sizeof *t);
    free(room);
}
