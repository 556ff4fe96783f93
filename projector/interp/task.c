// projector/interp/task.c - task frames: begin, end, evaporation, suspension, failures, and their
// records.
#include "projector/interp/interp_int.h"

static const char *const STATES[] = {"created", "active", "suspended",
                                     "done",    "failed", "evaporated"};

void task_note_status(interp *i, frame *f, task_state s) {
    f->state = s;
    record r = {.kind = RECORD_TASK_STATUS, .id = sink_id(i->log, RECORD_TASK_STATUS)};
    r.TASK_STATUS.task = f->id;
    r.TASK_STATUS.t_ns = i->now;
    r.TASK_STATUS.status = STATES[s];
    interp_put(i, &r);
}

void task_choice(interp *i, const frame *f, const char *what, const term *question,
                 const char *chosen, const term *candidates, const char *reason) {
    record r = {.kind = RECORD_CHOICE, .id = sink_id(i->log, RECORD_CHOICE)};
    r.CHOICE.task = f->id;
    r.CHOICE.t_ns = i->now;
    r.CHOICE.what = what;
    r.CHOICE.question = term_text(i->scratch, question);
    r.CHOICE.chosen = chosen;
    r.CHOICE.candidates = term_text(i->scratch, candidates);
    r.CHOICE.reason = reason;
    interp_put(i, &r);
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
        r.TASK_NOTE.term = term_text(i->scratch, value);
        interp_put(i, &r);
    }
}

// ---- Begin
// ---------------------------------------------------------------------------------------

static frame *frame_take(interp *i) {
    frame *f = i->spare_frames.count > 0 ? i->spare_frames.items[--i->spare_frames.count]
                                         : malloc(sizeof *f);
    ASSERT(f);
    memset(f, 0, sizeof *f);
    f->memory = arena_take(i);
    return f;
}

// parent/segment, and the same with @round where it is not the first.
static void name_paths(frame *f) {
    const frame *p = f->parent;
    const char *segment = f->node->segment;
    size_t length = strlen(segment);
    char round[24] = "";
    size_t extra = f->round > 1 ? (size_t)snprintf(round, sizeof round, "@%u", f->round) : 0;
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
    // A task is described with the variables of where it stands, before it has any of its own.
    step_describe(i, f, f, &expr, &goal);
    record r = {.kind = RECORD_TASK, .id = f->id};
    r.TASK.agent = i->mind->agent;
    r.TASK.parent = parent ? parent->id : 0;
    r.TASK.construct = node->kind == CONSTRUCT_ACTION ? node->name : construct_name(node->kind);
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
    if (node->note_count > 0)
        task_notes(i, f, f, node->notes, node->note_count);
    interp_ready(i, f);
    return f;
}

// ---- End
// -----------------------------------------------------------------------------------------

void task_free(interp *i, frame *f) {
    for (frame *c = f->first, *next; c; c = next) {
        next = c->next;
        task_free(i, c);
    }
    if (f->action)
        action_free(f->action);
    variables_free(i, f);
    failure_free(f->failure);
    failure_free(f->source);
    arena_give(i, f->memory);
    f->action = NULL;
    f->polled = false;
    f->state = TASK_EVAPORATED;
    // The heap lets go of it when its turn comes.
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
    task_free(i, f);
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

static void put_end(interp *i, frame *f) {
    task_note_status(i, f, f->outcome);
    record r = {.kind = RECORD_TASK, .id = f->id};
    r.TASK.end_ns = i->now;
    r.TASK.status = STATES[f->outcome];
    r.TASK.skipped = f->skipped;
    r.TASK.result = f->result && f->outcome == TASK_DONE ? term_text(i->scratch, f->result) : NULL;
    interp_end(i, &r);
}

static void conclude(interp *i, frame *f);

static bool clean_up(interp *i, frame *f) {
    if (f->node->kind != CONSTRUCT_ON_FAILURE || !f->node->clean_up || f->cleaning || i->abandon ||
        f->state == TASK_CREATED)
        return false;
    f->cleaning = true;
    f->suspended = 0;
    task_start(i, f, f->node->clean_up, (uint32_t)f->node->child_count - 1, 1);
    return true;
}

// The end of a clean-up: its failure is attached to that of the task, or becomes it.
static void attach_clean_up(interp *i, frame *f) {
    frame *c = f->last;
    if (!f->cleaning || !c || c->outcome != TASK_FAILED)
        return;
    char *reason = NULL;
    failure *second = c->failure;
    if (f->outcome == TASK_DONE) {
        f->outcome = TASK_FAILED;
        f->source = task_take_failure(c);
    } else if (f->source) {
        reason = arena_format(i->scratch, "%s; and its clean-up failed: %s: %s", f->source->reason,
                              second->class, second->reason);
        free(f->source->reason);
        f->source->reason = strdup(reason);
        ASSERT(f->source->reason);
    }
}

static void conclude(interp *i, frame *f) {
    if (f->live > 0)
        return;
    if (clean_up(i, f))
        return;
    attach_clean_up(i, f);
    if (f->outcome == TASK_DONE && !goal_conclude(i, f))
        f->outcome = TASK_FAILED;
    if (f->source && f->outcome == TASK_FAILED && !f->failure) {
        failure *source = f->source;
        f->source = NULL;
        task_pass_on(i, f, source, source->class, source->reason);
    }
    claim_release(i, f);
    if (f->polled) {
        frames_remove(&i->polled, f);
        f->polled = false;
    }
    put_end(i, f);
    frame *p = f->parent;
    if (f->outcome == TASK_DONE && f->node->into && f->result && p)
        variable_set(i, p, f->node->into, f->result, f->id, "end");
    if (!p)
        return;
    p->live--;
    if (p->concluding) {
        conclude(i, p);
        return;
    }
    f->ended_next = NULL;
    if (p->ended_last)
        p->ended_last->ended_next = f;
    else
        p->ended_first = f;
    p->ended_last = f;
    interp_ready(i, p);
}

void task_finish(interp *i, frame *f, task_state outcome) {
    if (f->concluding || f->state >= TASK_DONE)
        return;
    f->concluding = true;
    f->outcome = outcome;
    if (f->action || f->waits)
        acting_stop(i, f);
    // Evaporating a child may end this task too, when it is the last.
    f->live++;
    for (frame *c = f->first; c; c = c->next)
        task_evaporate(i, c);
    f->live--;
    conclude(i, f);
}

void task_evaporate(interp *i, frame *f) {
    if (f->state >= TASK_DONE)
        return;
    if (!f->concluding) {
        task_finish(i, f, TASK_EVAPORATED);
        return;
    }
    // It is ending already. Its clean-up goes on, unless nothing may any more.
    if (!f->cleaning)
        f->outcome = TASK_EVAPORATED;
    if (i->abandon)
        task_abandon(i, f);
}

void task_abandon(interp *i, frame *f) {
    f->live++;
    for (frame *c = f->first; c; c = c->next)
        task_evaporate(i, c);
    f->live--;
    conclude(i, f);
}

// ---- Suspension
// ----------------------------------------------------------------------------------

static bool is_suspended(const frame *f) {
    return f->suspended > 0 || f->waits;
}

void task_suspend(interp *i, frame *f) {
    if (f->state >= TASK_DONE)
        return;
    bool before = is_suspended(f);
    f->suspended++;
    // A motion stops; it is begun anew when the task goes on.
    if (f->action || f->waits) {
        f->pending = true;
        acting_stop(i, f);
    }
    if (!before && f->state == TASK_ACTIVE)
        task_note_status(i, f, TASK_SUSPENDED);
    for (frame *c = f->first; c; c = c->next)
        task_suspend(i, c);
}

void task_resume(interp *i, frame *f) {
    if (f->state >= TASK_DONE || f->suspended == 0)
        return;
    f->suspended--;
    if (!is_suspended(f)) {
        if (f->state == TASK_SUSPENDED)
            task_note_status(i, f, TASK_ACTIVE);
        if (f->pending) {
            f->pending = false;
            interp_ready(i, f);
        }
    }
    for (frame *c = f->first; c; c = c->next)
        task_resume(i, c);
}

// ---- Failures
// ------------------------------------------------------------------------------------

static const struct {
    const char *name, *parent;
} CLASSES[] = {
#define FAILURE(name, parent) {#name, parent},
#include "projector/robot/failures.def"
#undef FAILURE
};

// The class above; a class that is not declared stands right under plan_failure.
static const char *class_above(const char *class) {
    for (size_t k = 0; k < sizeof CLASSES / sizeof *CLASSES; k++) {
        if (strcmp(CLASSES[k].name, class) == 0)
            return CLASSES[k].parent;
    }
    return "plan_failure";
}

bool failure_is(const char *class, const char *ancestor) {
    for (; class; class = class_above(class)) {
        if (strcmp(class, ancestor) == 0)
            return true;
    }
    return false;
}

const char *failure_common(const char *a, const char *b) {
    for (; a; a = class_above(a)) {
        if (failure_is(b, a))
            return a;
    }
    return "plan_failure";
}

void failure_free(failure *x) {
    while (x) {
        failure *cause = x->cause;
        free(x->reason);
        free(x);
        x = cause;
    }
}

failure *task_take_failure(frame *f) {
    failure *x = f->failure;
    f->failure = NULL;
    return x;
}

// The whole chain is handled: what it began with too.
void failure_handled(interp *i, const failure *x, int64_t by) {
    for (; x; x = x->cause) {
        record r = {.kind = RECORD_FAILURE, .id = x->id};
        r.FAILURE.handled_by = by;
        interp_end(i, &r);
    }
}

static int64_t blocker_object(const interp *i, const char *name) {
    const mind *m = i->mind;
    if (!name || !name[0] || !m->known || !m->known_objects)
        return 0;
    int64_t body = world_find_body(m->known, name);
    return body < 0 ? 0 : m->known_objects[body];
}

failure *task_signal(interp *i, const frame *f, const char *class, const char *reason,
                     const char *blocker, failure *cause) {
    failure *x = calloc(1, sizeof *x);
    ASSERT(x);
    x->id = sink_id(i->log, RECORD_FAILURE);
    x->class = class;
    x->reason = strdup(reason);
    ASSERT(x->reason);
    x->cause = cause;
    record r = {.kind = RECORD_FAILURE, .id = x->id};
    r.FAILURE.task = f->id;
    r.FAILURE.t_ns = i->now;
    r.FAILURE.class = class;
    r.FAILURE.reason = reason;
    r.FAILURE.blocker = blocker_object(i, blocker);
    r.FAILURE.cause = cause ? cause->id : 0;
    interp_put(i, &r);
    return x;
}

void task_fail(interp *i, frame *f, const char *class, const char *reason, const char *blocker) {
    if (f->concluding || f->state >= TASK_DONE)
        return;
    f->failure = task_signal(i, f, class, reason, blocker, NULL);
    task_finish(i, f, TASK_FAILED);
}

void task_pass_on(interp *i, frame *f, failure *cause, const char *class, const char *reason) {
    ASSERT(!f->failure);
    // What the task must still clean up may have to add to its reason.
    if (!f->concluding && f->node->kind == CONSTRUCT_ON_FAILURE && f->node->clean_up) {
        f->source = cause;
        task_finish(i, f, TASK_FAILED);
        return;
    }
    f->failure = task_signal(i, f, class, reason, NULL, cause);
    task_finish(i, f, TASK_FAILED);
}
