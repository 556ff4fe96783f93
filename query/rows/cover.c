// query/rows/cover.c - sorted intervals in chunks.
#include "query/rows/cover.h"

#include "query/fault.h"

#define CHUNK_MAX 256

void cover_init(cover *c) {
    *c = (cover){.newest = ROW_NONE};
}

void cover_finish(cover *c, budget *b) {
    for (uint32_t i = 0; i < c->count; i++) {
        budget_return(b, c->chunks[i].capacity * sizeof(interval));
        free(c->chunks[i].items);
    }
    budget_return(b, c->capacity * sizeof *c->chunks);
    free(c->chunks);
    cover_init(c);
}

// Makes room for one more item. A list starts with one, for most keys hold once.
static status reserve_item(void *items, uint32_t count, uint32_t *capacity, size_t size,
                           budget *b) {
    if (count < *capacity)
        return OK;
    uint32_t wanted = *capacity < 4 ? *capacity + 1 : *capacity * 2;
    if (!budget_take(b, (wanted - *capacity) * size))
        return E_LIMIT;
    void **at = items, *moved = realloc(*at, wanted * size);
    if (!moved) {
        budget_return(b, (wanted - *capacity) * size);
        return E_MEMORY;
    }
    *at = moved;
    *capacity = wanted;
    return OK;
}

static status insert_chunk(cover *c, uint32_t at, budget *b) {
    status s = reserve_item(&c->chunks, c->count, &c->capacity, sizeof *c->chunks, b);
    if (s != OK)
        return s;
    memmove(c->chunks + at + 1, c->chunks + at, (c->count - at) * sizeof *c->chunks);
    c->chunks[at] = (cover_chunk){0};
    c->count++;
    return OK;
}

static void drop_chunk(cover *c, uint32_t at, budget *b) {
    budget_return(b, c->chunks[at].capacity * sizeof(interval));
    free(c->chunks[at].items);
    memmove(c->chunks + at, c->chunks + at + 1, (c->count - at - 1) * sizeof *c->chunks);
    c->count--;
}

// A full chunk that is appended to stays full, so that intervals that come in order pack well.
static status split_chunk(cover *c, uint32_t at, uint32_t position, budget *b) {
    status s = insert_chunk(c, at + 1, b);
    if (s != OK)
        return s;
    cover_chunk *from = &c->chunks[at], *to = &c->chunks[at + 1];
    uint32_t keep = position == from->count ? from->count : from->count / 2,
             moved = from->count - keep;
    uint32_t room = moved ? moved : 1;
    if (!budget_take(b, room * sizeof(interval)))
        s = E_LIMIT;
    else if (!(to->items = malloc(room * sizeof *to->items)))
        s = E_MEMORY;
    if (s != OK) {
        if (s == E_MEMORY)
            budget_return(b, room * sizeof(interval));
        drop_chunk(c, at + 1, b);
        return s;
    }
    to->capacity = room;
    to->count = moved;
    memcpy(to->items, from->items + keep, moved * sizeof *to->items);
    from->count = keep;
    return OK;
}

static status insert_interval(cover *c, uint32_t at, uint32_t position, interval in, budget *b) {
    status s = OK;
    if (c->count == 0)
        s = insert_chunk(c, 0, b);
    else if (c->chunks[at].count >= CHUNK_MAX) {
        s = split_chunk(c, at, position, b);
        if (s == OK && position >= c->chunks[at].count) {
            position -= c->chunks[at].count;
            at++;
        }
    }
    if (s != OK)
        return s;
    cover_chunk *k = &c->chunks[at];
    s = reserve_item(&k->items, k->count, &k->capacity, sizeof *k->items, b);
    if (s == OK) {
        memmove(k->items + position + 1, k->items + position,
                (k->count - position) * sizeof *k->items);
        k->items[position] = in;
        k->count++;
    } else if (k->count == 0) {
        drop_chunk(c, at, b);
    }
    return s;
}

static bool ends_before(interval a, nanos start) {
    return FAULT(MISSED_MERGE) ? a.end <= start : a.end < start;
}

static bool starts_behind(interval a, nanos end) {
    return FAULT(MISSED_MERGE) ? a.start >= end : a.start > end;
}

// Returns the last chunk that begins at or before `start`, or the first.
static uint32_t chunk_of(const cover *c, nanos start) {
    uint32_t low = 0, high = c->count;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (c->chunks[middle].items[0].start <= start)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// Returns the interval at (chunk, position), which move to the next chunk at the end of one; NULL:
// past the last.
static interval *interval_at(cover *c, uint32_t *chunk, uint32_t *position) {
    if (*chunk < c->count && *position == c->chunks[*chunk].count) {
        (*chunk)++;
        *position = 0;
    }
    return *chunk < c->count ? &c->chunks[*chunk].items[*position] : NULL;
}

// Takes out the `count` intervals behind (chunk, position).
static void remove_behind(cover *c, uint32_t chunk, uint32_t position, uint32_t count, budget *b) {
    position++;
    while (count > 0) {
        cover_chunk *k = &c->chunks[chunk];
        uint32_t here = k->count - position < count ? k->count - position : count;
        memmove(k->items + position, k->items + position + here,
                (k->count - position - here) * sizeof *k->items);
        k->count -= here;
        count -= here;
        if (k->count == 0)
            drop_chunk(c, chunk, b);
        else
            chunk++;
        position = 0;
    }
}

status cover_add(cover *c, interval in, budget *b, cover_piece piece, void *context) {
    uint32_t chunk = c->count ? c->count - 1 : 0, position = 0;
    if (c->count > 0) {
        cover_chunk *k = &c->chunks[chunk];
        interval *last = &k->items[k->count - 1];
        // Intervals that come in order go behind all others.
        if (ends_before(*last, in.start)) {
            status s = piece(context, c, in);
            return s == OK ? insert_interval(c, chunk, k->count, in, b) : s;
        }
        if (in.start >= last->start && !FAULT(MISSED_MERGE)) {
            if (in.end <= last->end)
                return OK;
            status s = piece(context, c, (interval){last->end, in.end});
            if (s == OK)
                last->end = in.end;
            return s;
        }
        chunk = chunk_of(c, in.start);
        k = &c->chunks[chunk];
        uint32_t high = k->count;
        while (position < high) {
            uint32_t middle = (position + high) / 2;
            if (ends_before(k->items[middle], in.start))
                position = middle + 1;
            else
                high = middle;
        }
    }
    // From here on intervals overlap or touch the new one; the gaps between them are new.
    uint32_t first_chunk = chunk, first_position = position, count = 0;
    nanos at = in.start;
    interval merged = in, *next;
    status s = OK;
    while (s == OK && (next = interval_at(c, &chunk, &position)) && !starts_behind(*next, in.end)) {
        if (count++ == 0) {
            first_chunk = chunk;
            first_position = position;
        }
        if (at < next->start)
            s = piece(context, c, (interval){at, next->start});
        at = next->end > at ? next->end : at;
        merged.start = next->start < merged.start ? next->start : merged.start;
        merged.end = next->end > merged.end ? next->end : merged.end;
        position++;
    }
    if (s == OK && at < in.end)
        s = piece(context, c, (interval){at, in.end});
    if (s != OK)
        return s;
    if (count == 0)
        return insert_interval(c, first_chunk, first_position, in, b);
    c->chunks[first_chunk].items[first_position] = merged;
    if (count > 1)
        remove_behind(c, first_chunk, first_position, count - 1, b);
    return OK;
}
