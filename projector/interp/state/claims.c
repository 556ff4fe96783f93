// projector/interp/state/claims.c - the actuators that tasks claim: granted first come, first
// served.
#include "projector/interp/state/claims.h"
#include "projector/interp/state/records.h"
#include "projector/interp/state/schedule.h"

// Whether a claim `c` waits for an actuator that a task above `f` holds. The tasks below may use
// that actuator, so that such a claim does not hold them up.
static bool waits_for_above(const interp *i, const claim *c, const frame *f) {
    for (size_t k = 0; k < i->claims.count; k++) {
        const claim *h = &i->claims.items[k];
        if (h->granted && (h->uses & c->uses) && h->by != f && frame_below(f, h->by))
            return true;
    }
    return false;
}

// Whether the claim `earlier` keeps the claim `c` waiting.
static bool claim_blocks(const interp *i, const claim *earlier, const claim *c) {
    if (!(earlier->uses & c->uses) || frame_below(c->by, earlier->by) ||
        frame_below(earlier->by, c->by))
        return false;
    return earlier->granted || !waits_for_above(i, earlier, c->by);
}

static bool can_be_granted(const interp *i, size_t k) {
    for (size_t j = 0; j < k; j++) {
        if (claim_blocks(i, &i->claims.items[j], &i->claims.items[k]))
            return false;
    }
    return true;
}

// Whether claim `from` waits for claim `to`, directly or by way of others. A task that holds an
// actuator for its body waits for whatever a task of its body waits for.
static bool waits_for(const interp *i, size_t from, size_t to, bool *seen) {
    if (seen[from])
        return false;
    seen[from] = true;
    for (size_t j = 0; j < from; j++) {
        const claim *c = &i->claims.items[j];
        if (!claim_blocks(i, c, &i->claims.items[from]))
            continue;
        if (!c->granted) {
            if (j == to || waits_for(i, j, to, seen))
                return true;
            continue;
        }
        for (size_t k = 0; k < i->claims.count; k++) {
            const claim *w = &i->claims.items[k];
            if (w->granted || w->by == c->by || !frame_below(w->by, c->by))
                continue;
            if (k == to || waits_for(i, k, to, seen))
                return true;
        }
    }
    return false;
}

bool claim_is_granted(const interp *i, const frame *f) {
    for (size_t k = 0; k < i->claims.count; k++) {
        if (i->claims.items[k].by == f)
            return i->claims.items[k].granted;
    }
    return true;
}

claim_answer claim_make(interp *i, frame *f, unsigned uses) {
    if (uses == 0)
        return CLAIM_GRANTED;
    array_push(&i->claims, (claim){.by = f, .uses = uses, .since = i->now});
    size_t k = i->claims.count - 1;
    i->claims.items[k].granted = can_be_granted(i, k);
    if (i->claims.items[k].granted)
        return CLAIM_GRANTED;
    bool *seen = arena_alloc(i->scratch, i->claims.count * sizeof *seen);
    return waits_for(i, k, k, seen) ? CLAIM_DEADLOCK : CLAIM_WAITS;
}

void claim_release(interp *i, frame *f) {
    size_t kept = 0;
    for (size_t k = 0; k < i->claims.count; k++) {
        if (i->claims.items[k].by != f)
            i->claims.items[kept++] = i->claims.items[k];
    }
    bool released = kept < i->claims.count;
    i->claims.count = kept;
    for (size_t k = 0; released && k < i->claims.count; k++) {
        claim *c = &i->claims.items[k];
        if (!c->granted && can_be_granted(i, k)) {
            c->granted = true;
            schedule_ready(i, c->by);
        }
    }
}

void claims_note_starved(interp *i) {
    if (i->now < i->starved_check)
        return;
    i->starved_check = i->now + NANOS_PER_SECOND;
    for (size_t k = 0; k < i->claims.count; k++) {
        claim *c = &i->claims.items[k];
        if (c->granted || c->starved || i->now - c->since < STARVED_AFTER * NANOS_PER_SECOND)
            continue;
        size_t j = 0;
        while (j < k && !claim_blocks(i, &i->claims.items[j], c))
            j++;
        if (j == k)
            continue;
        c->starved = true;
        record r = {.kind = RECORD_NOTE, .id = sink_id(i->log, RECORD_NOTE)};
        r.NOTE.task = c->by->id;
        r.NOTE.t_ns = i->now;
        r.NOTE.text = arena_format(i->scratch, "starves: has waited %d s for actuators of %s",
                                   STARVED_AFTER, i->claims.items[j].by->dynamic);
        interp_put(i, &r);
    }
}
