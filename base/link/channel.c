// base/link/channel.c - one direction of a link, as a heap of messages by the instant they are due.
#include "base/link/channel.h"

#include <string.h>

#include "base/mem.h"

// Of each message, the draws by their number.
enum { DRAW_LOSS, DRAW_JITTER, DRAW_DUPLICATION, DRAW_JITTER_OF_COPY };

typedef struct flight {
    channel_stamp stamp;
    size_t slot; // where its bytes are
} flight;

struct channel {
    channel_traits traits;
    size_t size;
    rng_key key;
    ARRAY(flight) heap; // the next one due stands first
    ARRAY(unsigned char) bytes;
    ARRAY(size_t) idle; // slots that no message uses
    size_t slots;
    uint64_t highest; // the highest number delivered so far, and 1; 0: none was
    nanos latest;     // when the last message that was sent is due
    channel_counts counts;
};

status channel_check(const channel_traits *t, error *err) {
    if (t->delay < 0 || t->jitter < 0)
        return error_set(err, E_INPUT, "%s of a link must not be negative",
                         t->delay < 0 ? "the delay" : "the jitter");
    // Compared so that what is no number is refused, too.
    if (!(t->loss >= 0 && t->loss < 1) || !(t->duplication >= 0 && t->duplication < 1))
        return error_set(err, E_INPUT,
                         "%s of a link is a probability of at least 0 and less than 1",
                         t->loss >= 0 && t->loss < 1 ? "the duplication" : "the loss");
    return OK;
}

channel *channel_create(const channel_traits *traits, size_t size, rng_key key) {
    ASSERT(channel_check(traits, NULL) == OK);
    channel *c = mem_must(1, sizeof *c);
    c->traits = *traits;
    c->size = size;
    c->key = key;
    return c;
}

void channel_destroy(channel *c) {
    if (!c)
        return;
    array_finish(&c->heap);
    array_finish(&c->bytes);
    array_finish(&c->idle);
    free(c);
}

void channel_rekey(channel *c, rng_key key) {
    c->key = key;
}

static bool flight_before(const flight *a, const flight *b) {
    if (a->stamp.due != b->stamp.due)
        return a->stamp.due < b->stamp.due;
    if (a->stamp.number != b->stamp.number)
        return a->stamp.number < b->stamp.number;
    return a->stamp.copy < b->stamp.copy;
}

static void heap_push(channel *c, flight f) {
    array_push(&c->heap, f);
    size_t i = c->heap.count - 1;
    for (; i > 0 && flight_before(&f, &c->heap.items[(i - 1) / 2]); i = (i - 1) / 2)
        c->heap.items[i] = c->heap.items[(i - 1) / 2];
    c->heap.items[i] = f;
}

static flight heap_pop(channel *c) {
    flight first = c->heap.items[0], last = c->heap.items[--c->heap.count];
    size_t i = 0;
    while (2 * i + 1 < c->heap.count) {
        size_t child = 2 * i + 1;
        if (child + 1 < c->heap.count &&
            flight_before(&c->heap.items[child + 1], &c->heap.items[child]))
            child++;
        if (!flight_before(&c->heap.items[child], &last))
            break;
        c->heap.items[i] = c->heap.items[child];
        i = child;
    }
    if (c->heap.count > 0)
        c->heap.items[i] = last;
    return first;
}

static void put_under_way(channel *c, channel_stamp stamp, const void *message) {
    if (c->idle.count == 0) {
        array_reserve(&c->bytes, (c->slots + 1) * c->size);
        array_push(&c->idle, c->slots);
        c->slots++;
    }
    size_t slot = c->idle.items[--c->idle.count];
    if (c->size > 0)
        memcpy(c->bytes.items + slot * c->size, message, c->size);
    heap_push(c, (flight){stamp, slot});
}

static nanos due_at(const channel *c, nanos now, uint64_t number, uint32_t draw) {
    nanos late = c->traits.jitter > 0
                     ? (nanos)((double)c->traits.jitter * rng_uniform(c->key, number, draw))
                     : 0;
    return now + c->traits.delay + late;
}

void channel_send(channel *c, nanos now, const void *message) {
    uint64_t number = c->counts.sent++;
    if (c->traits.loss > 0 && rng_uniform(c->key, number, DRAW_LOSS) < c->traits.loss) {
        c->counts.lost++;
        return;
    }
    nanos due = due_at(c, now, number, DRAW_JITTER);
    if (c->traits.ordered && due < c->latest)
        due = c->latest;
    c->latest = due;
    put_under_way(c, (channel_stamp){number, now, due, false}, message);
    if (c->traits.duplication > 0 &&
        rng_uniform(c->key, number, DRAW_DUPLICATION) < c->traits.duplication) {
        // The copy of an ordered channel comes behind its message, and so does what follows it.
        nanos again = due_at(c, now, number, DRAW_JITTER_OF_COPY);
        if (c->traits.ordered)
            c->latest = again = again < due ? due : again;
        c->counts.doubled++;
        put_under_way(c, (channel_stamp){number, now, again, true}, message);
    }
}

bool channel_receive(channel *c, nanos now, void *message, channel_stamp *stamp) {
    if (c->heap.count == 0 || c->heap.items[0].stamp.due > now)
        return false;
    flight f = heap_pop(c);
    if (c->size > 0)
        memcpy(message, c->bytes.items + f.slot * c->size, c->size);
    array_push(&c->idle, f.slot);
    c->counts.delivered++;
    if (f.stamp.number + 1 < c->highest)
        c->counts.overtaken++;
    else
        c->highest = f.stamp.number + 1;
    if (stamp)
        *stamp = f.stamp;
    return true;
}

nanos channel_next(const channel *c) {
    return c->heap.count > 0 ? c->heap.items[0].stamp.due : -1;
}

size_t channel_under_way(const channel *c) {
    return c->heap.count;
}

channel_counts channel_count(const channel *c) {
    return c->counts;
}
