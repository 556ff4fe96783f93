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

// ---- Ready frames
// ------------------------------------------------------------------------------------------

static bool decides_late(const frame *f) {
    if (f->at == 0 || f->concluding)
        return false;
    return f->node->kind == CONSTRUCT_PURSUE || f->node->kind == CONSTRUCT_WITH_POLICY;
}

static void queue(interp *i, frame *f, bool late) {
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

// Which branch of a pursue ended first is known only when none can end in this cycle any more.
void interp_ready(interp *i, frame *f) {
    queue(i, f, decides_late(f));
}

void interp_hurry(interp *i, frame *f) {
    if (f->queued && f->late) {
        size_t k = 0;
        while (i->late.items[k] != f)
            k++;
        i->late.items[k] = i->late.items[--i->late.count];
        f->queued = false;
    }
    queue(i, f, false);
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

// ---- Chains by id
// --------------------------------------------------------------------------------

void chain_insert(frame_chain *chain, frame *f) {
    frame *after = chain->last;
    while (after && after->id > f->id)
        after = after->chain_prev;
    f->chain = chain;
    f->chain_prev = after;
    f->chain_next = after ? after->chain_next : chain->first;
    if (f->chain_next)
        f->chain_next->chain_prev = f;
    else
        chain->last = f;
    if (after)
        after->chain_next = f;
    else
        chain->first = f;
}

void chain_remove(frame_chain *chain, frame *f) {
    if (f->chain != chain)
        return;
    if (f->chain_prev)
        f->chain_prev->chain_next = f->chain_next;
    else
        chain->first = f->chain_next;
    if (f->chain_next)
        f->chain_next->chain_prev = f->chain_prev;
    else
        chain->last = f->chain_prev;
    f->chain = NULL;
    f->chain_prev = f->chain_next = NULL;
}

void interp_watch(interp *i, frame *f) {
    if (!f->chain)
        chain_insert(&i->placed, f);
}

// ---- Timers
// ------------------------------------------------------------------------------------------

// Times are rounded up to cycles, so that what is due in one comes in the order of ids.
void interp_wake(interp *i, frame *f, nanos t) {
    nanos cycle = i->mind->cycle;
    if (cycle > 0 && t % cycle != 0 && t < INT64_MAX - cycle)
        t += cycle - t % cycle;
    ASSERT(!f->sleeps);
    f->sleeps = true;
    f->wakes = t;
    i->sleeping++;
    queue_push(&i->timers, t, f);
}

// Frames are used again: a timer is its frame's as long as that is still the same task.
static bool timer_holds(const queued *e) {
    return e->f->sleeps && e->f->id == e->id && e->f->wakes == e->at;
}

void interp_sleep_no_more(interp *i, frame *f) {
    if (!f->sleeps)
        return;
    f->sleeps = false;
    i->sleeping--;
    // Its timer is passed over when its time comes, unless there are too many of that sort.
    if (queue_count(&i->timers) > 2 * i->sleeping + 64)
        queue_keep(&i->timers, timer_holds);
}

arena *arena_take(interp *i) {
    if (i->spare_arenas.count > 0)
        return i->spare_arenas.items[--i->spare_arenas.count];
    return arena_create_small(FRAME_BEGINS);
}

void arena_give(interp *i, arena *a) {
    arena_rewind(a, FRAME_KEEPS);
    array_push(&i->spare_arenas, a);
}

// ---- A life
// --------------------------------------------------------------------------------------

status interp_create(const plan *p, mind *m, nanos t, interp **out, error *err) {
    interp *i = mem_must(1, sizeof *i);
    i->plan = p;
    i->mind = m;
    i->log = m->log;
    i->now = t;
    i->scratch = arena_create();
    eval_init(i);
    i->version = belief_version(m->belief);
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
    for (; queue_count(&i->ready) > 0; queue_pop(&i->ready)) {
        if (queue_first(&i->ready)->f->gone)
            free(queue_first(&i->ready)->f);
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
    queue_finish(&i->ready);
    array_finish(&i->late);
    queue_finish(&i->timers);
    array_finish(&i->claims);
    array_finish(&i->found);
    array_finish(&i->bound);
    designators_finish(i);
    arena_destroy(i->scratch);
    free(i);
}

// ---- A cycle
// -------------------------------------------------------------------------------------

static void take_readings(interp *i) {
    middleware *body = i->mind->body;
    reading r;
    while (i->failed == OK && body->next(body->self, &r)) {
        stopwatch_start(i->mind->believing);
        interp_check(i, belief_read(i->mind->belief, &r, &i->err));
        stopwatch_stop(i->mind->believing);
        for (frame *f = i->acting.first; f && i->failed == OK; f = f->chain_next)
            interp_check(i, action_read(f->action, &r, &i->err));
        fluents_evaluate(i);
    }
}

// Whose time has come: an action is stepped with the others from now on.
static void take_timers(interp *i) {
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
            interp_ready(i, f);
    }
}

// A step may end the task that it is of, and no other one that acts.
static void visit_acting(interp *i) {
    for (frame *f = i->acting.first, *next; f && i->failed == OK; f = next) {
        next = f->chain_next;
        arena_rewind(i->scratch, SCRATCH_KEEPS);
        acting_run(i, f);
        fluents_evaluate(i);
    }
}

static void visit_placed(interp *i) {
    for (frame *f = i->placed.first; f && i->failed == OK; f = f->chain_next) {
        arena_rewind(i->scratch, SCRATCH_KEEPS);
        place_watch(i, f);
    }
}

static bool is_live(const frame *f) {
    return !f->gone && f->state < TASK_DONE && !f->concluding;
}

// Steps are counted where no time passes between them. At the first excess the task that made most
// of them fails, which a plan may handle; who then still goes on in the same instant takes the plan
// with it.
static void complain_livelock(interp *i) {
    char why[120];
    frame *f = i->busiest && is_live(i->busiest) ? i->busiest : i->top;
    snprintf(why, sizeof why,
             "100000 steps were made without time passing, %u of them by this task; what it "
             "repeats must take time",
             f->steps);
    i->steps_now = 0;
    i->epoch++;
    i->busiest = NULL;
    i->livelocks++;
    if (i->livelocks > 1)
        f = i->top;
    if (f->concluding) {
        // Clean-ups are at it themselves.
        i->abandon = true;
        if (!i->top->failure && !i->top->late_class)
            i->top->failure = task_signal(i, i->top, "livelock", why, NULL, NULL);
        i->top->outcome = TASK_FAILED;
        task_abandon(i, i->top);
    } else {
        task_fail(i, f, "livelock", why, NULL);
    }
}

static void count_step(interp *i, frame *f) {
    i->steps++;
    if (f->epoch != i->epoch) {
        f->epoch = i->epoch;
        f->steps = 0;
    }
    f->steps++;
    if (!i->busiest || f->steps > i->busiest->steps)
        i->busiest = f;
}

static frame *take_ready(interp *i) {
    const queued *e = queue_first(&i->ready);
    frame *f = e ? e->f : pop_late(i);
    if (e)
        queue_pop(&i->ready);
    f->queued = false;
    if (f->gone) {
        array_push(&i->spare_frames, f);
        return NULL;
    }
    if (!is_live(f))
        return NULL;
    if (f->suspended > 0) {
        f->pending = true;
        return NULL;
    }
    return f;
}

static void run_ready(interp *i) {
    while (i->failed == OK && (queue_count(&i->ready) > 0 || i->late.count > 0)) {
        frame *f = take_ready(i);
        if (!f)
            continue;
        arena_rewind(i->scratch, SCRATCH_KEEPS);
        designators_tidy(i);
        count_step(i, f);
        if (++i->steps_now > STEPS_MOST) {
            complain_livelock(i);
            if (is_live(f))
                interp_ready(i, f);
        } else {
            step_task(i, f);
        }
        fluents_evaluate(i);
    }
}

// What is left when nothing acts, sleeps or watches the belief can be moved by nothing any more.
static bool end_deadlock(interp *i) {
    if (i->failed != OK || i->top->state >= TASK_DONE || i->acting.first || i->placed.first ||
        i->sleeping > 0)
        return false;
    frame *stuck = NULL;
    for (frame *f = i->watchers.first; f; f = f->chain_next) {
        if (watch_depends(f) & (CHANGED_BELIEF | CHANGED_TIME))
            return false;
        if (f->node->kind == CONSTRUCT_WAIT_FOR)
            stuck = f;
    }
    for (size_t k = 0; k < i->claims.count; k++) {
        if (!i->claims.items[k].granted)
            stuck = i->claims.items[k].by;
    }
    if (!stuck)
        return false;
    task_fail(i, stuck, "resource_deadlock",
              "nothing can go on any more: every task waits for another one", NULL);
    return true;
}

status interp_cycle(interp *i, nanos t, error *err) {
    i->now = t;
    i->steps_now = 0;
    i->epoch++;
    i->busiest = NULL;
    i->livelocks = 0;
    take_readings(i);
    take_timers(i);
    interp_changed(i, CHANGED_TIME);
    fluents_evaluate(i);
    visit_acting(i);
    visit_placed(i);
    do
        run_ready(i);
    while (end_deadlock(i));
    claims_note_starved(i);
    if (!i->finished && i->top->state >= TASK_DONE) {
        i->finished = true;
        i->done = i->top->state == TASK_DONE;
    }
    if (i->failed == OK)
        interp_check(i, robot_cycle(i->mind, t, &i->err));
    stopwatch_start(i->mind->believing);
    if (i->failed == OK)
        interp_check(i, belief_cycle(i->mind->belief, t, &i->err));
    stopwatch_stop(i->mind->believing);
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
