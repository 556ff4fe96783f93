// projector/couple/wires.c - one direction of a link, and what its receiver makes of it.
#include <math.h>
#include <string.h>

#include "projector/couple/ends.h"

void wire_begin(wire *w, const channel_traits *link, nanos delay, size_t size, rng_key key) {
    ASSERT(size <= WIRE_MESSAGE_MAX);
    channel_traits traits = *link;
    traits.delay = delay;
    w->c = channel_create(&traits, size, key);
    w->arrived = (double)delay / 1e9;
}

void wire_send(wire *w, nanos now, const void *message) {
    channel_send(w->c, now, message);
}

bool wire_take(wire *w, double time, nanos now, void *message, size_t size) {
    bool fresh = false;
    char room[WIRE_MESSAGE_MAX];
    channel_stamp stamp;
    while (channel_receive(w->c, now, room, &stamp)) {
        if (stamp.number < w->next)
            continue;
        w->next = stamp.number + 1;
        memcpy(message, room, size);
        w->sent = stamp.sent;
        fresh = true;
    }
    if (fresh)
        w->arrived = time;
    w->silence = fmax(w->silence, time - w->arrived);
    return fresh;
}

wire_report wire_told(const wire *w) {
    channel_counts n = channel_count(w->c);
    return (wire_report){(double)n.sent, (double)n.lost, (double)n.doubled, (double)n.overtaken,
                         w->silence};
}

void wire_finish(wire *w) {
    channel_destroy(w->c);
}
