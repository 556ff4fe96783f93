// base/search.h - binary search in arrays that are ordered by an integer: an id, an instant.
//
// The items lie `stride` bytes apart, and each begins with its key, an int64_t.
#ifndef FORESEE_BASE_SEARCH_H
#define FORESEE_BASE_SEARCH_H

#include <stddef.h>
#include <stdint.h>

#define IDS_NONE SIZE_MAX

static inline int64_t search_key(const void *items, size_t stride, size_t i) {
    return *(const int64_t *)(const void *)((const char *)items + i * stride);
}

// Returns the index of the first item whose key is at least `key`; `count`: there is none.
static inline size_t lower_bound(const void *items, size_t stride, size_t count, int64_t key) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (search_key(items, stride, middle) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Returns the index of the first item whose key is greater than `key`, so that the item before it
// is the last one not after `key`; `count`: there is none.
static inline size_t upper_bound(const void *items, size_t stride, size_t count, int64_t key) {
    return key < INT64_MAX ? lower_bound(items, stride, count, key + 1) : count;
}

// Returns the index of the item with this id; IDS_NONE: there is none. Ids mostly have no gaps, so
// the place where the item then is comes first.
static inline size_t ids_find(const void *items, size_t stride, size_t count, int64_t id) {
    if (count == 0 || id < search_key(items, stride, 0))
        return IDS_NONE;
    uint64_t guess = (uint64_t)id - (uint64_t)search_key(items, stride, 0);
    if (guess < count && search_key(items, stride, (size_t)guess) == id)
        return (size_t)guess;
    size_t i = lower_bound(items, stride, count, id);
    return i < count && search_key(items, stride, i) == id ? i : IDS_NONE;
}

#endif
