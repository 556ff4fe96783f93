// projector/interp/interp.c - the interpreter's life and its cycles: readings, timers, actions,
// ready tasks, livelock and deadlock.
#include "projector/interp/constructs/constructs.h"
#include "projector/interp/evaluation/designator.h"
#include "projector/interp/evaluation/eval.h"
#include "projector/interp/evaluation/watch.h"
#include "projector/interp/interp.h"
#include "projector/interp/state/claims.h"
#include "projector/interp/state/queue.h"
#include "projector/interp/state/records.h"
#include "projector/interp/state/schedule.h"
#include "projector/interp/tasks/task.h"

status interp_create(const plan *p, mind *m, nanos t, interp **out, error *err) {
    interp *i = mem_must(1, sizeof *i);
    i->plan = p;
    i->mind = m;
    i->log = m->log;
    i->now = t;
    i->scratch = arena_create();
    i->news_memory = arena_create();
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
        task_destroy(i, i->top);
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
    array_finish(&i->told);
    array_finish(&i->heard);
    arena_destroy(i->news_memory);
    designators_finish(i);
    arena_destroy(i->scratch);
    free(i);
}

static void take_readings(interp *i) {
    middleware *body = i->mind->body;
    reading r;
    while (i->failed == OK && body->next(body->self, &r)) {
        stopwatch_start(i->mind->believing);
        interp_check(i, belief_read(i->mind->belief, &r, &i->err));
        stopwatch_stop(i->mind->believing);
        for (frame *f = i->acting.first; f && i->failed == OK; f = f->chain_next)
            interp_check(i, action_read(f->action, &r, &i->err));
        watches_evaluate(i);
    }
}

// The cycle of an action may end its own task, and no other task that acts.
static void visit_acting(interp *i) {
    for (frame *f = i->acting.first, *next; f && i->failed == OK; f = next) {
        next = f->chain_next;
        arena_rewind(i->scratch, SCRATCH_KEEPS);
        acting_run(i, f);
        watches_evaluate(i);
    }
}

static void visit_placed(interp *i) {
    for (frame *f = i->placed.first; f && i->failed == OK; f = f->chain_next) {
        arena_rewind(i->scratch, SCRATCH_KEEPS);
        place_watch(i, f);
    }
}

// Steps between which no time passes are counted. At the first excess the task that made most of
// them fails, which a plan may handle; if the steps go on in the same instant, the top task fails.
static void complain_livelock(interp *i) {
    char why[120];
    frame *f = i->busiest && frame_is_live(i->busiest) ? i->busiest : i->top;
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
        // The endless steps are made by clean-ups, so these are abandoned.
        i->abandon = true;
        if (!i->top->failure && !i->top->late_class)
            i->top->failure = failure_signal(i, i->top, "livelock", why, NULL, NULL);
        i->top->outcome = TASK_FAILED;
        task_abandon(i, i->top);
    } else {
        task_fail(i, f, "livelock", why, NULL);
    }
}

static void count_step(interp *i, frame *f) {
    i->steps++;
    i->moved = i->now;
    if (f->epoch != i->epoch) {
        f->epoch = i->epoch;
        f->steps = 0;
    }
    f->steps++;
    if (!i->busiest || f->steps > i->busiest->steps)
        i->busiest = f;
}

static void run_ready(interp *i) {
    while (i->failed == OK && (queue_count(&i->ready) > 0 || i->late.count > 0)) {
        frame *f = schedule_next(i);
        if (!f)
            continue;
        arena_rewind(i->scratch, SCRATCH_KEEPS);
        designators_tidy(i);
        count_step(i, f);
        if (++i->steps_now > STEPS_MAX) {
            complain_livelock(i);
            if (frame_is_live(f))
                schedule_ready(i, f);
        } else {
            step_task(i, f);
        }
        watches_evaluate(i);
    }
}

// Returns when waits for the belief alone end; where there are several robots, never.
static nanos waits_until(const interp *i) {
    return i->mind->name ? TIME_OPEN : i->moved + WAITS_MOST;
}

// Fails a task when nothing acts, sleeps or watches the belief, so that no task could ever move
// again; or when nothing moved for an hour, and all that is left watches the belief, which nobody
// changes unasked but another robot. False: there is no such deadlock.
static bool end_deadlock(interp *i) {
    if (i->failed != OK || i->top->state >= TASK_DONE || i->acting.first || i->placed.first ||
        i->elsewhere.first || i->sleeping > 0) {
        i->moved = i->now;
        return false;
    }
    frame *stuck = NULL;
    bool believes = false;
    for (frame *f = i->watchers.first; f; f = f->chain_next) {
        if (watch_depends(f) & CHANGED_TIME)
            return false;
        believes = believes || watch_depends(f) & CHANGED_BELIEF;
        if (f->node->kind == CONSTRUCT_WAIT_FOR)
            stuck = f;
    }
    for (size_t k = 0; k < i->claims.count; k++) {
        if (!i->claims.items[k].granted)
            stuck = i->claims.items[k].by;
    }
    if (!stuck || (believes && i->now < waits_until(i)))
        return false;
    if (believes)
        task_fail(i, stuck, "action_timed_out",
                  "nothing of the plan has moved for an hour, and the condition did not come true; "
                  "only a step that looks or acts could make it true",
                  NULL);
    else
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
    schedule_take_due(i);
    interp_changed(i, CHANGED_TIME);
    watches_evaluate(i);
    visit_acting(i);
    visit_placed(i);
    do
        run_ready(i);
    while (end_deadlock(i));
    claims_note_starved(i);
    if (!i->finished && i->top->state >= TASK_DONE) {
        i->finished = true;
        i->done = i->top->state == TASK_DONE;
        if (i->mind->name)
            array_push(&i->told, ((step_news){.from = i->mind->name, .reason = ""}));
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

nanos interp_idle_until(const interp *i) {
    const queued *timer = queue_first(&i->timers);
    if (i->failed != OK || queue_count(&i->ready) > 0 || i->late.count > 0 || i->acting.first ||
        i->placed.first)
        return i->now;
    for (const frame *f = i->watchers.first; f; f = f->chain_next)
        if (watch_depends(f) & CHANGED_TIME)
            return i->now;
    for (size_t k = 0; k < i->claims.count; k++)
        if (!i->claims.items[k].granted)
            return i->now;
    nanos until = i->watchers.first ? waits_until(i) : TIME_OPEN;
    return timer && timer->at < until ? timer->at : until;
}

bool interp_finished(const interp *i, bool *done) {
    if (i->finished)
        *done = i->done;
    return i->finished;
}

unsigned interp_claims(const interp *i) {
    unsigned uses = 0;
    for (size_t k = 0; k < i->claims.count; k++)
        if (i->claims.items[k].granted)
            uses |= i->claims.items[k].uses;
    return uses;
}

uint64_t interp_step_count(const interp *i) {
    return i->steps;
}

const step_news *interp_news(const interp *i, size_t *count) {
    *count = i->told.count;
    return i->told.items;
}

void interp_forget_news(interp *i) {
    i->told.count = 0;
}

void interp_hear(interp *i, const step_news *n) {
    step_news own = {.from = n->from,
                     .path = n->path ? arena_strdup(i->news_memory, n->path) : NULL,
                     .done = n->done,
                     .class = n->class,
                     .reason = arena_strdup(i->news_memory, n->reason)};
    array_push(&i->heard, own);
    for (frame *f = i->elsewhere.first; f; f = f->chain_next)
        schedule_ready(i, f);
}
