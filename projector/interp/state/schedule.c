// projector/interp/state/schedule.c - which task is stepped when: ready frames, late ones, timers.
#include "projector/interp/state/queue.h"
#include "projector/interp/state/schedule.h"

// ---- Ready frames -------------------------------------------------------------------------------

static bool decides_late(const frame *f) {
    if (f->at == 0 || f->concluding)
        return false;
    return f->node->kind == CONSTRUCT_PURSUE || f->node->kind == CONSTRUCT_WITH_POLICY;
}

static void enqueue_frame(interp *i, frame *f, bool late) {
    if (f->state >= TASK_DONE || f->queued)
        return;
    if (f->suspended > 0) {
        f->pending = true;
        return;
    }
    f->queued = true;
    f->late = late;
    if (late)
        array_push(&i->late, f);
    else
        queue_push(&i->ready, 0, f);
}

// The branch of a pursue that ended first is known only when no other can end in this cycle.
void schedule_ready(interp *i, frame *f) {
    enqueue_frame(i, f, decides_late(f));
}

void schedule_hurry(interp *i, frame *f) {
    if (f->queued && f->late) {
        size_t k = 0;
        while (i->late.items[k] != f)
            k++;
        i->late.items[k] = i->late.items[--i->late.count];
        f->queued = false;
    }
    enqueue_frame(i, f, false);
}

static frame *take_late(interp *i) {
    size_t best = 0;
    for (size_t k = 1; k < i->late.count; k++) {
        if (i->late.items[k]->id > i->late.items[best]->id)
            best = k;
    }
    frame *f = i->late.items[best];
    i->late.items[best] = i->late.items[--i->late.count];
    return f;
}

frame *schedule_next(interp *i) {
    const queued *e = queue_first(&i->ready);
    frame *f = e ? e->f : take_late(i);
    if (e)
        queue_pop(&i->ready);
    f->queued = false;
    if (f->gone) {
        array_push(&i->spare_frames, f);
        return NULL;
    }
    if (!frame_is_live(f))
        return NULL;
    if (f->suspended > 0) {
        f->pending = true;
        return NULL;
    }
    return f;
}

// ---- Timers -------------------------------------------------------------------------------------

void schedule_watch_place(interp *i, frame *f) {
    if (!f->chain)
        chain_insert(&i->placed, f);
}

// Times are rounded up to cycles, so that all frames that are due in one cycle are woken in the
// order of their ids.
void schedule_wake(interp *i, frame *f, nanos t) {
    nanos cycle = i->mind->cycle;
    if (cycle > 0 && t % cycle != 0 && t < INT64_MAX - cycle)
        t += cycle - t % cycle;
    ASSERT(!f->sleeps);
    f->sleeps = true;
    f->wakes = t;
    i->sleeping++;
    queue_push(&i->timers, t, f);
}

// Frames are used again: a timer belongs to its frame as long as that is still the same task.
static bool timer_holds(const queued *e) {
    return e->f->sleeps && e->f->id == e->id && e->f->wakes == e->at;
}

void schedule_stop_timer(interp *i, frame *f) {
    if (!f->sleeps)
        return;
    f->sleeps = false;
    i->sleeping--;
    // The timer stays in the queue and is ignored when its time comes; they are removed when there
    // are too many.
    if (queue_count(&i->timers) > 2 * i->sleeping + 64)
        queue_keep(&i->timers, timer_holds);
}

// A frame with an action is stepped in every cycle from now on; any other is made ready.
void schedule_take_due(interp *i) {
    for (const queued *e; (e = queue_first(&i->timers)) && e->at <= i->now;) {
        frame *f = timer_holds(e) ? e->f : NULL;
        queue_pop(&i->timers);
        if (!f)
            continue;
        f->sleeps = false;
        i->sleeping--;
        if (f->action)
            chain_insert(&i->acting, f);
        else
            schedule_ready(i, f);
    }
}
