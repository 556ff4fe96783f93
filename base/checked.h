// base/checked.h - arithmetic on numbers that a file says: what does not fit is found out, and
// never wraps.
//
// Each gives false, and leaves *out alone, where the result does not fit.
#ifndef FORESEE_BASE_CHECKED_H
#define FORESEE_BASE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool checked_add(int64_t a, int64_t b, int64_t *out) {
    int64_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return false;
    *out = sum;
    return true;
}

// How many numbers there are from `first` to before `end`; none where it ends before it begins.
static inline bool checked_span(int64_t first, int64_t end, size_t *out) {
    uint64_t span = (uint64_t)end - (uint64_t)first;
    if (end > first && span > SIZE_MAX)
        return false;
    *out = end > first ? (size_t)span : 0;
    return true;
}

// The bytes of `count` things of `size` bytes.
static inline bool checked_bytes(size_t count, size_t size, size_t *out) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return false;
    *out = bytes;
    return true;
}

#endif
