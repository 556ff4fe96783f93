// schema/ids.h - finding rows of the log by their ids.
#ifndef FORESEE_SCHEMA_IDS_H
#define FORESEE_SCHEMA_IDS_H

#include <stddef.h>
#include <stdint.h>

#define IDS_NONE SIZE_MAX

// Which of `count` items has this id; IDS_NONE: none has. The items lie `size` bytes apart, each
// begins with its id, an int64_t, and they are in the order of ids, which within an episode mostly
// have no gaps.
static inline size_t ids_find(const void *items, size_t size, size_t count, int64_t id) {
#define ID_AT(i) (*(const int64_t *)(const void *)((const char *)items + (i)*size))
    if (count == 0 || id < ID_AT(0))
        return IDS_NONE;
    uint64_t guess = (uint64_t)id - (uint64_t)ID_AT(0);
    if (guess < count && ID_AT(guess) == id)
        return (size_t)guess;
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ID_AT(middle) < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && ID_AT(low) == id ? low : IDS_NONE;
#undef ID_AT
}

#endif
