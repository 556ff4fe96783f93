// projector/interp/interp.c - the scheduler: cycles, ready frames, livelock.
#include "projector/interp/interp_int.h"

void interp_check(interp *i, status s) {
    if (s != OK && i->failed == OK)
        i->failed = s;
}

void interp_put(interp *i, const record *r) {
    if (i->failed == OK)
        i->failed = sink_put(i->log, r, &i->err);
}

void interp_end(interp *i, const record *r) {
    if (i->failed == OK)
        i->failed = sink_end(i->log, r, &i->err);
}

// ---- Ready frames: a heap by id
// ------------------------------------------------------------------

static void heap_push(frame_list *h, frame *f) {
    array_push(h, f);
    size_t at = h->count - 1;
    while (at > 0 && h->items[(at - 1) / 2]->id > f->id) {
        h->items[at] = h->items[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    h->items[at] = f;
}

static frame *heap_pop(frame_list *h) {
    frame *first = h->items[0], *last = h->items[--h->count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= h->count)
            break;
        if (child + 1 < h->count && h->items[child + 1]->id < h->items[child]->id)
            child++;
        if (h->items[child]->id >= last->id)
            break;
        h->items[at] = h->items[child];
        at = child;
    }
    if (h->count > 0)
        h->items[at] = last;
    return first;
}

void interp_ready(interp *i, frame *f) {
    if (f->state >= TASK_DONE || f->queued)
        return;
    if (f->suspended > 0) {
        f->pending = true;
        return;
    }
    f->queued = true;
    // Which branch of a pursue ended first is known only when none can end in this cycle any more.
    if (f->node->kind == CONSTRUCT_PURSUE && f->at > 0 && !f->concluding)
        array_push(&i->late, f);
    else
        heap_push(&i->ready, f);
}

static frame *pop_late(interp *i) {
    size_t best = 0;
    for (size_t k = 1; k < i->late.count; k++) {
        if (i->late.items[k]->id > i->late.items[best]->id)
            best = k;
    }
    frame *f = i->late.items[best];
    i->late.items[best] = i->late.items[--i->late.count];
    return f;
}

void frames_remove(frame_list *list, const frame *f) {
    for (size_t k = 0; k < list->count; k++) {
        if (list->items[k] != f)
            continue;
        memmove(&list->items[k], &list->items[k + 1], (list->count - k - 1) * sizeof *list->items);
        list->count--;
        return;
    }
}

void frames_insert(frame_list *list, frame *f) {
    array_push(list, f);
    size_t at = list->count - 1;
    for (; at > 0 && list->items[at - 1]->id > f->id; at--)
        list->items[at] = list->items[at - 1];
    list->items[at] = f;
}

void interp_watch(interp *i, frame *f) {
    if (!f->polled)
        frames_insert(&i->polled, f);
    f->polled = true;
}

arena *arena_take(interp *i) {
    if (i->spare_arenas.count > 0)
        return i->spare_arenas.items[--i->spare_arenas.count];
    return arena_create();
}

void arena_give(interp *i, arena *a) {
    arena_reset(a);
    array_push(&i->spare_arenas, a);
}

// ---- A life
// --------------------------------------------------------------------------------------

status interp_create(const plan *p, mind *m, nanos t, interp **out, error *err) {
    interp *i = calloc(1, sizeof *i);
    ASSERT(i);
    i->plan = p;
    i->mind = m;
    i->log = m->log;
    i->now = t;
    i->scratch = arena_create();
    i->top = task_start(i, NULL, plan_body(p), 0, 1);
    if (i->failed != OK) {
        status s = i->failed;
        if (err)
            *err = i->err;
        interp_destroy(i);
        return s;
    }
    *out = i;
    return OK;
}

void interp_destroy(interp *i) {
    if (!i)
        return;
    if (i->top)
        task_free(i, i->top);
    for (size_t k = 0; k < i->ready.count; k++) {
        if (i->ready.items[k]->gone)
            free(i->ready.items[k]);
    }
    for (size_t k = 0; k < i->late.count; k++) {
        if (i->late.items[k]->gone)
            free(i->late.items[k]);
    }
    for (size_t k = 0; k < i->spare_frames.count; k++)
        free(i->spare_frames.items[k]);
    for (size_t k = 0; k < i->spare_arenas.count; k++)
        arena_destroy(i->spare_arenas.items[k]);
    array_finish(&i->spare_frames);
    array_finish(&i->spare_arenas);
    array_finish(&i->ready);
    array_finish(&i->late);
    array_finish(&i->acting);
    array_finish(&i->polled);
    array_finish(&i->visit);
    array_finish(&i->claims);
    array_finish(&i->found);
    array_finish(&i->bound);
    arena_destroy(i->scratch);
    free(i);
}

// ---- A cycle
// -------------------------------------------------------------------------------------

static void take_readings(interp *i) {
    middleware *body = i->mind->body;
    reading r;
    while (i->failed == OK && body->next(body->self, &r)) {
        interp_check(i, belief_read(i->mind->belief, &r, &i->err));
        for (size_t k = 0; k < i->acting.count && i->failed == OK; k++)
            interp_check(i, action_read(i->acting.items[k]->action, &r, &i->err));
    }
}

static void watch_one(interp *i, frame *f) {
    if (f->node->kind == CONSTRUCT_AT_LOCATION)
        place_watch(i, f);
    else
        interp_ready(i, f);
}

// Frames of `list` as they are now: their steps may change the list. None is freed meanwhile, since
// only steps of ready frames do that.
static void visit_acting(interp *i) {
    i->visit.count = 0;
    for (size_t k = 0; k < i->acting.count; k++)
        array_push(&i->visit, i->acting.items[k]);
    for (size_t k = 0; k < i->visit.count && i->failed == OK; k++) {
        frame *f = i->visit.items[k];
        arena_reset(i->scratch);
        if (f->action)
            acting_run(i, f);
    }
}

static void visit_watched(interp *i) {
    i->visit.count = 0;
    for (size_t k = 0; k < i->polled.count; k++)
        array_push(&i->visit, i->polled.items[k]);
    for (size_t k = 0; k < i->visit.count && i->failed == OK; k++) {
        frame *f = i->visit.items[k];
        arena_reset(i->scratch);
        if (f->polled)
            watch_one(i, f);
    }
}

// Steps are counted where no time passes between them: the first excess is the running task's own
// failure, which a plan may handle; who then still goes on in the same instant takes the plan with
// it.
static void complain_livelock(interp *i, frame *f) {
    static const char why[] = "100000 steps were made without time passing";
    i->steps_now = 0;
    i->livelocks++;
    if (i->livelocks > 1)
        f = i->top;
    if (f->concluding) {
        // Clean-ups are at it themselves.
        i->abandon = true;
        if (!i->top->failure)
            i->top->failure = task_signal(i, i->top, "livelock", why, NULL, NULL);
        i->top->outcome = TASK_FAILED;
        task_abandon(i, i->top);
    } else {
        task_fail(i, f, "livelock", why, NULL);
    }
}

static void run_ready(interp *i) {
    while (i->failed == OK && (i->ready.count > 0 || i->late.count > 0)) {
        frame *f = i->ready.count > 0 ? heap_pop(&i->ready) : pop_late(i);
        f->queued = false;
        if (f->gone) {
            array_push(&i->spare_frames, f);
            continue;
        }
        if (f->state >= TASK_DONE || (f->concluding && !f->cleaning))
            continue;
        if (f->suspended > 0) {
            f->pending = true;
            continue;
        }
        arena_reset(i->scratch);
        i->steps++;
        if (++i->steps_now > STEPS_MOST) {
            complain_livelock(i, f);
            continue;
        }
        step_task(i, f);
    }
}

status interp_cycle(interp *i, nanos t, error *err) {
    i->now = t;
    i->steps_now = 0;
    i->livelocks = 0;
    take_readings(i);
    visit_acting(i);
    visit_watched(i);
    run_ready(i);
    if (!i->finished && i->top->state >= TASK_DONE) {
        i->finished = true;
        i->done = i->top->state == TASK_DONE;
    }
    if (i->failed == OK)
        interp_check(i, robot_cycle(i->mind, t, &i->err));
    if (i->failed == OK)
        interp_check(i, belief_cycle(i->mind->belief, t, &i->err));
    if (i->failed != OK && err)
        *err = i->err;
    return i->failed;
}

bool interp_finished(const interp *i, bool *done) {
    if (i->finished)
        *done = i->done;
    return i->finished;
}

uint64_t interp_step_count(const interp *i) {
    return i->steps;
}
