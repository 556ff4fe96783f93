// projector/interp/tasks/task.c - task frames: begin, end, evaporation, suspension, failures, and
// their records.
#include "projector/interp/evaluation/designator.h"
#include "projector/interp/evaluation/eval.h"
#include "projector/interp/evaluation/watch.h"
#include "projector/interp/state/claims.h"
#include "projector/interp/state/queue.h"
#include "projector/interp/state/records.h"
#include "projector/interp/state/schedule.h"
#include "projector/interp/state/variables.h"
#include "projector/interp/tasks/describe.h"
#include "projector/interp/tasks/elsewhere.h"
#include "projector/interp/tasks/goal.h"
#include "projector/interp/tasks/task.h"

static const char *const STATES[] = {"created", "active", "suspended",
                                     "done",    "failed", "evaporated"};

void task_note_status(interp *i, frame *f, task_state s) {
    f->state = s;
    record r = {.kind = RECORD_TASK_STATUS, .id = sink_id(i->log, RECORD_TASK_STATUS)};
    r.TASK_STATUS.task = f->id;
    r.TASK_STATUS.t_ns = i->now;
    r.TASK_STATUS.status = STATES[s];
    interp_put(i, &r);
    if (f->node->observed) {
        interp_changed(i, CHANGED_TASK);
        observation_note(i, f);
    }
}

void task_notes(interp *i, frame *f, const frame *scope, const plan_note *notes, size_t count) {
    static const char *const kinds[] = {"expects", "requires", "effect", "tolerance"};
    for (size_t k = 0; k < count; k++) {
        record r = {.kind = RECORD_TASK_NOTE, .id = sink_id(i->log, RECORD_TASK_NOTE)};
        r.TASK_NOTE.task = f->id;
        r.TASK_NOTE.kind = kinds[notes[k].kind];
        const term *value;
        if (!eval_term(i, scope, f->id, notes[k].value, &value))
            value = eval_fill(i, scope, notes[k].value);
        r.TASK_NOTE.term = term_text(i->scratch, designator_peek(i, value));
        interp_put(i, &r);
    }
}

// Writes "@12" for round 12; returns its length.
static size_t round_text(uint32_t round, char out[16]) {
    char digits[16];
    size_t count = 0, length = 0;
    for (; round > 0; round /= 10)
        digits[count++] = (char)('0' + round % 10);
    out[length++] = '@';
    while (count > 0)
        out[length++] = digits[--count];
    return length;
}

// Makes the static path, parent/segment, and the dynamic one, which has @round where that is not
// the first.
static void name_paths(frame *f) {
    const frame *p = f->parent;
    const char *segment = f->node->segment;
    size_t length = strlen(segment);
    char round[16];
    size_t extra = f->round > 1 ? round_text(f->round, round) : 0;
    size_t base = p ? p->path_length + 1 : 0, dynamic_base = p ? p->dynamic_length + 1 : 0;
    char *path = arena_alloc(f->memory, base + length + 1);
    if (p) {
        memcpy(path, p->path, base - 1);
        path[base - 1] = '/';
    }
    memcpy(path + base, segment, length);
    f->path = f->dynamic = path;
    f->path_length = f->dynamic_length = base + length;
    if (extra == 0 && (!p || p->dynamic == p->path))
        return;
    char *dynamic = arena_alloc(f->memory, dynamic_base + length + extra + 1);
    if (p) {
        memcpy(dynamic, p->dynamic, dynamic_base - 1);
        dynamic[dynamic_base - 1] = '/';
    }
    memcpy(dynamic + dynamic_base, segment, length);
    memcpy(dynamic + dynamic_base + length, round, extra);
    f->dynamic = dynamic;
    f->dynamic_length = dynamic_base + length + extra;
}

static void link_child(frame *parent, frame *f) {
    f->prev = parent->last;
    if (parent->last)
        parent->last->next = f;
    else
        parent->first = f;
    parent->last = f;
    parent->live++;
}

frame *task_start(interp *i, frame *parent, const plan_node *node, uint32_t index, uint32_t round) {
    frame *f = frame_take(i);
    f->node = node;
    f->parent = parent;
    f->index = index;
    f->round = round;
    f->depth = parent ? parent->depth + 1 : 1;
    f->boundary = !parent;
    if (parent)
        link_child(parent, f);
    name_paths(f);
    f->id = sink_id(i->log, RECORD_TASK);
    const char *expr = NULL, *goal = NULL;
    // A task is described before it has variables of its own, so with those of its surroundings.
    f->elsewhere = step_is_elsewhere(i, node);
    if (f->elsewhere)
        expr = arena_format(i->scratch, "as(%s)", node->as);
    else
        task_describe(i, f, f, &expr, &goal);
    record r = {.kind = RECORD_TASK, .id = f->id};
    r.TASK.agent = i->mind->agent;
    r.TASK.parent = parent ? parent->id : 0;
    r.TASK.construct = f->elsewhere                     ? "as"
                       : node->kind == CONSTRUCT_ACTION ? node->name
                                                        : construct_name(node->kind);
    r.TASK.path = f->path;
    r.TASK.dynamic_path = f->dynamic;
    r.TASK.expr = expr;
    r.TASK.goal = goal;
    r.TASK.file = node->file->name;
    r.TASK.line = node->line;
    r.TASK.start_ns = i->now;
    r.TASK.end_ns = TIME_OPEN;
    r.TASK.status = STATES[TASK_CREATED];
    interp_put(i, &r);
    task_note_status(i, f, TASK_CREATED);
    if (node->note_count > 0 && !f->elsewhere)
        task_notes(i, f, f, node->notes, node->note_count);
    schedule_ready(i, f);
    return f;
}

void task_destroy(interp *i, frame *f) {
    for (frame *c = f->first, *next; c; c = next) {
        next = c->next;
        task_destroy(i, c);
    }
    if (f->action)
        action_free(f->action);
    if (i->busiest == f)
        i->busiest = NULL;
    if (f->chain)
        chain_remove(f->chain, f);
    watch_end(i, f);
    schedule_stop_timer(i, f);
    variables_destroy(i, f);
    failure_destroy(i, f->failure);
    failure_destroy(i, f->source);
    for (failure *x = f->attached, *next; x; x = next) {
        next = x->next;
        failure_destroy(i, x);
    }
    arena_give(i, f->memory);
    f->action = NULL;
    f->state = TASK_EVAPORATED;
    // A frame that is queued is freed when its turn comes.
    f->gone = f->queued;
    if (!f->gone)
        array_push(&i->spare_frames, f);
}

void task_release(interp *i, frame *f) {
    frame *p = f->parent;
    if (f->prev)
        f->prev->next = f->next;
    else
        p->first = f->next;
    if (f->next)
        f->next->prev = f->prev;
    else
        p->last = f->prev;
    task_destroy(i, f);
}

frame *task_next_ended(frame *f) {
    frame *c = f->ended_first;
    if (!c)
        return NULL;
    f->ended_first = c->ended_next;
    if (!f->ended_first)
        f->ended_last = NULL;
    return c;
}

bool task_children_over(interp *i, frame *f) {
    frame *c = task_next_ended(f);
    if (c && c->outcome != TASK_DONE) {
        task_pass_on_child(i, f, c);
        return false;
    }
    if (c)
        task_release(i, c);
    return f->live == 0;
}

static void put_end(interp *i, frame *f) {
    task_note_status(i, f, f->outcome);
    record r = {.kind = RECORD_TASK, .id = f->id};
    r.TASK.end_ns = i->now;
    r.TASK.status = STATES[f->outcome];
    r.TASK.skipped = f->skipped;
    r.TASK.result = f->result && f->outcome == TASK_DONE
                        ? term_text(i->scratch, designator_peek(i, f->result))
                        : NULL;
    interp_end(i, &r);
}

static bool may_clean_up(const frame *f) {
    const plan_node *n = f->node;
    return !f->elsewhere && (n->kind == CONSTRUCT_ON_FAILURE || n->kind == CONSTRUCT_WITH_POLICY) &&
           n->clean_up;
}

// The part of the plan that a stage of the end runs; NULL: none.
static const plan_node *ending_part(const frame *f, ending stage) {
    const plan_node *n = f->node;
    if (stage == ENDING_RECOVERS)
        return f->interrupted && f->outcome == TASK_FAILED ? n->policy.recover : NULL;
    return stage == ENDING_CLEANS && may_clean_up(f) ? n->clean_up : NULL;
}

// Begins the next stage of the end that runs anything. False: there is none.
static bool end_further(interp *i, frame *f) {
    if (i->abandon || f->state == TASK_CREATED)
        f->ending = ENDING_OVER;
    while (f->ending < ENDING_OVER) {
        const plan_node *part = ending_part(f, ++f->ending);
        if (!part)
            continue;
        f->suspended = 0;
        task_start(i, f, part, node_child_index(f->node, part), 1);
        return true;
    }
    return false;
}

// A failure of recovery or clean-up is attached to the task's failure, or becomes it where the task
// was done.
static void take_failure_of_ending(interp *i, frame *f) {
    frame *c = f->last;
    if (f->ending == ENDING_CHILDREN || !c || c->outcome != TASK_FAILED || !c->failure)
        return;
    failure *second = task_take_failure(c);
    const char *what = f->ending == ENDING_RECOVERS ? "recovery" : "clean-up";
    if (f->outcome == TASK_DONE) {
        f->outcome = TASK_FAILED;
        f->late_class = second->class;
        f->late_reason = arena_strdup(f->memory, second->reason);
        f->source = second;
        return;
    }
    if (f->late_class)
        f->late_reason = arena_format(f->memory, "%s; and its %s failed: %s: %s", f->late_reason,
                                      what, second->class, second->reason);
    second->next = f->attached;
    f->attached = second;
    (void)i;
}

static void signal_late(interp *i, frame *f) {
    if (f->outcome == TASK_FAILED && f->late_class && !f->failure) {
        failure *cause = f->source;
        f->source = NULL;
        f->failure = failure_signal(i, f, f->late_class, f->late_reason, NULL, cause);
    }
    for (failure *x = f->attached; x && f->failure; x = x->next) {
        // Where a sibling's failure made the task evaporate, that failure is the cause of the
        // failure above.
        const failure *to = x->below && f->failure->cause ? f->failure->cause : f->failure;
        x->attached = to->id;
        failure_put(i, x);
    }
}

// Failures in the clean-up of an evaporated task are attached to the failure for which it
// evaporated: that of the nearest task above that fails. Where there is none they stay attached to
// nothing.
static void hand_up_attached(frame *f) {
    frame *p = f->parent;
    if (f->outcome != TASK_EVAPORATED || !f->attached || !p || !p->concluding ||
        p->outcome == TASK_DONE)
        return;
    failure **last = &p->attached;
    while (*last)
        last = &(*last)->next;
    *last = f->attached;
    for (failure *x = f->attached; x; x = x->next)
        x->below = true;
    f->attached = NULL;
}

static void release_suspended(interp *i, frame *f);
static void task_evaporate(interp *i, frame *f);
static void task_stop_action(interp *i, frame *f);

static void conclude_task(interp *i, frame *f) {
    if (f->live > 0)
        return;
    take_failure_of_ending(i, f);
    if (end_further(i, f))
        return;
    if (f->outcome == TASK_DONE && !goal_conclude(i, f))
        f->outcome = TASK_FAILED;
    signal_late(i, f);
    hand_up_attached(f);
    claim_release(i, f);
    if (f->chain)
        chain_remove(f->chain, f);
    put_end(i, f);
    elsewhere_tell(i, f);
    frame *p = f->parent;
    if (f->outcome == TASK_DONE && f->node->into && f->result && p)
        variable_set(i, p, f->node->into, f->result, f->id, "end");
    if (!p)
        return;
    p->live--;
    if (p->concluding) {
        conclude_task(i, p);
        return;
    }
    f->ended_next = NULL;
    if (p->ended_last)
        p->ended_last->ended_next = f;
    else
        p->ended_first = f;
    p->ended_last = f;
    schedule_ready(i, p);
}

static void evaporate_children(interp *i, frame *f) {
    // The task must not end before all its children are evaporated, so it counts as live itself
    // meanwhile.
    f->live++;
    for (frame *c = f->first; c; c = c->next)
        task_evaporate(i, c);
    f->live--;
}

void task_finish(interp *i, frame *f, task_state outcome) {
    if (f->concluding || f->state >= TASK_DONE)
        return;
    f->concluding = true;
    f->outcome = outcome;
    watch_end(i, f);
    schedule_stop_timer(i, f);
    if (f->action || f->waits)
        task_stop_action(i, f);
    evaporate_children(i, f);
    conclude_task(i, f);
}

static void task_evaporate(interp *i, frame *f) {
    if (f->state >= TASK_DONE)
        return;
    if (!f->concluding) {
        task_finish(i, f, TASK_EVAPORATED);
        return;
    }
    // The task is ending already. Its clean-up goes on, unless all is abandoned; a recovery does
    // not go on.
    if (f->ending == ENDING_CLEANS && !i->abandon) {
        release_suspended(i, f);
        return;
    }
    if (f->ending != ENDING_CLEANS)
        f->outcome = TASK_EVAPORATED;
    task_abandon(i, f);
}

void task_abandon(interp *i, frame *f) {
    evaporate_children(i, f);
    conclude_task(i, f);
}

static bool is_suspended(const frame *f) {
    return f->suspended > 0 || f->waits;
}

void task_suspend(interp *i, frame *f) {
    if (f->state >= TASK_DONE)
        return;
    bool before = is_suspended(f);
    f->suspended++;
    // A motion stops, and is begun anew when the task goes on.
    if (f->action || f->waits) {
        f->pending = true;
        task_stop_action(i, f);
    }
    if (!before && f->state == TASK_ACTIVE)
        task_note_status(i, f, TASK_SUSPENDED);
    for (frame *c = f->first; c; c = c->next)
        task_suspend(i, c);
}

static void resume_one(interp *i, frame *f) {
    f->suspended--;
    if (is_suspended(f))
        return;
    if (f->state == TASK_SUSPENDED)
        task_note_status(i, f, TASK_ACTIVE);
    if (f->pending) {
        f->pending = false;
        schedule_ready(i, f);
    }
}

void task_resume(interp *i, frame *f) {
    if (f->state >= TASK_DONE || f->suspended == 0)
        return;
    resume_one(i, f);
    for (frame *c = f->first; c; c = c->next)
        task_resume(i, c);
}

// Ends the suspension of a task and its children: the task that suspended them is ending, and their
// clean-up must go on.
static void release_suspended(interp *i, frame *f) {
    if (f->suspended > 1)
        f->suspended = 1;
    for (frame *c = f->first; c; c = c->next)
        release_suspended(i, c);
    if (f->suspended > 0)
        resume_one(i, f);
}

failure *task_take_failure(frame *f) {
    failure *x = f->failure;
    f->failure = NULL;
    return x;
}

void task_fail_late(interp *i, frame *f, failure *cause, const char *class, const char *reason) {
    f->source = cause;
    f->late_class = class;
    f->late_reason = arena_strdup(f->memory, reason);
    task_finish(i, f, TASK_FAILED);
}

void task_fail(interp *i, frame *f, const char *class, const char *reason, const char *blocker) {
    if (f->concluding || f->state >= TASK_DONE)
        return;
    if (may_clean_up(f)) {
        task_fail_late(i, f, NULL, class, reason);
        return;
    }
    f->failure = failure_signal(i, f, class, reason, blocker, NULL);
    task_finish(i, f, TASK_FAILED);
}

static void task_pass_on(interp *i, frame *f, failure *cause, const char *class,
                         const char *reason) {
    ASSERT(!f->failure);
    // A task that must still clean up signals its failure afterwards, since the clean-up may add to
    // the reason.
    if (may_clean_up(f)) {
        task_fail_late(i, f, cause, class, reason);
        return;
    }
    f->failure = failure_signal(i, f, class, reason, NULL, cause);
    task_finish(i, f, TASK_FAILED);
}

// ---- Helpers of constructs ----------------------------------------------------------------------

bool task_claim(interp *i, frame *f, unsigned uses) {
    claim_answer answer = claim_make(i, f, uses);
    if (answer == CLAIM_GRANTED)
        return true;
    f->waits = true;
    if (f->state == TASK_ACTIVE)
        task_note_status(i, f, TASK_SUSPENDED);
    if (answer == CLAIM_DEADLOCK)
        task_fail(i, f, "resource_deadlock",
                  "the actuators that it needs are held by tasks that wait for it in turn", NULL);
    return false;
}

bool task_claim_granted(interp *i, frame *f) {
    if (!claim_is_granted(i, f))
        return false;
    f->waits = false;
    task_note_status(i, f, TASK_ACTIVE);
    return true;
}

void task_drop_action(interp *i, frame *f) {
    action_free(f->action);
    f->action = NULL;
    chain_remove(&i->acting, f);
    schedule_stop_timer(i, f);
}

static void task_stop_action(interp *i, frame *f) {
    if (f->action) {
        interp_check(i, action_cancel(f->action, i->now, &i->err));
        task_drop_action(i, f);
    }
    f->waits = false;
    claim_release(i, f);
}

void task_fail_evaluation(interp *i, frame *f) {
    task_fail(i, f, "designator_reference_failure", i->reason, NULL);
}

void task_pass_on_child(interp *i, frame *f, frame *c) {
    failure *x = task_take_failure(c);
    task_pass_on(i, f, x, x->class, x->reason);
}

// The reason is "all 2 failed: manipulation_pose_unreachable: ...; ...", the class the nearest one
// above all of theirs.
void task_pass_on_children(interp *i, frame *f) {
    if (!f->first->next) {
        task_pass_on_child(i, f, f->first);
        return;
    }
    size_t count = 0;
    for (const frame *c = f->first; c; c = c->next)
        count++;
    const char *class = f->first->failure->class;
    char *text =
        arena_format(i->scratch, "all %zu failed: %s: %s", count, class, f->first->failure->reason);
    for (const frame *c = f->first->next; c; c = c->next) {
        class = failure_common(class, c->failure->class);
        text = arena_format(i->scratch, "%.2000s; %s: %s", text, c->failure->class,
                            c->failure->reason);
    }
    task_pass_on(i, f, task_take_failure(f->last), class, text);
}

void task_check_time(interp *i, frame *f, const char *subject, const char *what) {
    double most = f->node->seconds;
    if (most == 0 || i->now - f->began < nanos_from_seconds(most))
        return;
    char reason[96];
    snprintf(reason, sizeof reason, "%.40s %s within %g s", subject, what, most);
    task_fail(i, f, "action_timed_out", reason, NULL);
}

void task_finish_with(interp *i, frame *f, const term *result) {
    if (result)
        f->result = term_copy(f->memory, result);
    task_finish(i, f, TASK_DONE);
}

void task_finish_as(interp *i, frame *f, frame *c) {
    if (c->outcome == TASK_DONE)
        task_finish_with(i, f, c->result);
    else
        task_pass_on_child(i, f, c);
}
