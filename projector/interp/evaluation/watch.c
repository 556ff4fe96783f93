// projector/interp/evaluation/watch.c - conditions that are watched, and their pulses. A watch is
// evaluated when it begins and whenever something has changed that its condition can depend on:
// after a reading, after an action's cycle, after a step, and at once when a task that some
// condition asks for changes its state. Evaluations only count pulses and make tasks ready, so that
// they may come in the middle of a step.
#include "projector/interp/evaluation/designator.h"
#include "projector/interp/evaluation/eval.h"
#include "projector/interp/evaluation/fluent.h"
#include "projector/interp/evaluation/watch.h"
#include "projector/interp/state/queue.h"
#include "projector/interp/state/records.h"
#include "projector/interp/state/schedule.h"

// The change_kinds that an expression can depend on: through its variables, and through functions
// that ask robot or belief.
static unsigned expression_depends(const interp *i, const term *t) {
    unsigned on = 0;
    for (;; t = t->args[t->arity - 1]) {
        if (t->kind == TERM_VAR)
            return on | CHANGED_VARIABLE;
        if (t->kind != TERM_COMPOUND && t->kind != TERM_SYMBOL)
            return on;
        switch (functor_of(i, t)) {
        case FUNCTOR_ROBOT:
            on |= CHANGED_BELIEF | (term_is_symbol(t, "now") ? CHANGED_TIME : 0u);
            break;
        case FUNCTOR_FITTING:
        case FUNCTOR_SORT_BY:
        case FUNCTOR_NEAREST:
        case FUNCTOR_OBJECT:
        case FUNCTOR_LOCATION:
        case FUNCTOR_ACTION:
            on |= CHANGED_BELIEF;
            break;
        default:
            break;
        }
        if (t->kind == TERM_SYMBOL)
            return on;
        for (uint32_t k = 0; k + 1 < t->arity; k++)
            on |= expression_depends(i, t->args[k]);
    }
}

// Whether a term is a condition by its name alone; *on: the change_kinds that such a condition
// depends on beside its arguments; *junction: its arguments are conditions themselves.
static bool is_condition(const interp *i, const term *t, unsigned *on, bool *junction) {
    *on = 0;
    *junction = false;
    if (t->kind != TERM_COMPOUND)
        return false;
    switch (functor_of(i, t)) {
    case FUNCTOR_NOT:
    case FUNCTOR_COMMA:
    case FUNCTOR_AND:
    case FUNCTOR_SEMICOLON:
    case FUNCTOR_OR:
    case FUNCTOR_PULSED:
    case FUNCTOR_RISES:
    case FUNCTOR_FALLS:
        *junction = true;
        return true;
    case FUNCTOR_EQUAL:
    case FUNCTOR_UNEQUAL:
    case FUNCTOR_LESS:
    case FUNCTOR_AT_MOST:
    case FUNCTOR_MORE:
    case FUNCTOR_AT_LEAST:
    case FUNCTOR_EMPTY:
    case FUNCTOR_MEMBER:
        return true;
    case FUNCTOR_GRIPPER_CLOSED:
    case FUNCTOR_RESOLVABLE:
        *on = CHANGED_BELIEF;
        return true;
    case FUNCTOR_TASK:
        *on = CHANGED_TASK;
        return true;
    default:
        return false;
    }
}

static unsigned condition_depends(const interp *i, const term *t) {
    // A condition in a variable is not known yet, so it may depend on anything.
    if (t->kind == TERM_VAR)
        return CHANGED_VARIABLE | CHANGED_BELIEF | CHANGED_TASK | CHANGED_TIME;
    if (t->kind != TERM_COMPOUND)
        return 0;
    unsigned on;
    bool junction;
    if (!is_condition(i, t, &on, &junction))
        return CHANGED_BELIEF | expression_depends(i, t);
    if (!junction)
        return on | expression_depends(i, t);
    for (uint32_t k = 0; k < t->arity; k++)
        on |= condition_depends(i, t->args[k]);
    return on;
}

static size_t count_ops(const term *t) {
    size_t count = 0;
    if (t->kind != TERM_COMPOUND)
        return 0;
    for (uint32_t k = 0; k < t->arity; k++)
        count += count_ops(t->args[k]);
    return count + fluent_is_operator(t);
}

static void list_ops(watch *w, const term *t) {
    if (t->kind != TERM_COMPOUND)
        return;
    for (uint32_t k = 0; k < t->arity; k++)
        list_ops(w, t->args[k]);
    if (fluent_is_operator(t))
        w->ops[w->op_count++] = (fluent_op){.t = t};
}

static bool update_value(interp *i, frame *f, fluent_op *op, const term *inner) {
    const term *value;
    if (!eval_term(i, f, f->id, inner, &value))
        return false;
    value = designator_peek(i, value); // a description's solution
    op->now = op->primed && !term_equal(value, op->value);
    if (op->primed && !op->now)
        return true;
    // The value to compare with lives on in one arena while the other takes the next value.
    arena *spare = op->keep[1] ? op->keep[1] : arena_take(i);
    op->value = term_copy(spare, value);
    op->keep[1] = op->keep[0];
    op->keep[0] = spare;
    if (op->keep[1])
        arena_rewind(op->keep[1], FRAME_KEEPS);
    return true;
}

// Whether a term is a condition or an occasion; a compound that is no function is asked of the
// belief.
static bool has_truth(const interp *i, const term *t) {
    unsigned on;
    bool junction;
    return is_condition(i, t, &on, &junction) ||
           (t->kind == TERM_COMPOUND && !term_is(t, "[|]", 2) && functor_of(i, t) == FUNCTOR_NONE);
}

static bool update_op(interp *i, frame *f, fluent_op *op) {
    const term *inner = op->t->args[0];
    bool pulsed = op->t->text[0] == 'p';
    // `pulsed` watches a condition's truth, or the value of any other expression.
    if (pulsed && !has_truth(i, inner)) {
        bool good = update_value(i, f, op, inner);
        op->primed = true;
        return good;
    }
    bool yes;
    if (!eval_condition(i, f, f->id, inner, &yes))
        return false;
    bool rises = !op->was && yes, falls = op->was && !yes;
    op->now = op->primed && (pulsed ? rises || falls : op->t->text[0] == 'r' ? rises : falls);
    op->was = yes;
    op->primed = true;
    return true;
}

static bool update_watch(interp *i, frame *f, watch *w, bool *yes) {
    for (size_t k = 0; k < w->op_count; k++) {
        if (!update_op(i, f, &w->ops[k]))
            return false;
    }
    return eval_condition(i, f, f->id, f->node->value, yes);
}

// Logs a pulse with the beliefs that made it; the reason of the first one begins with the text that
// the step gives.
static void put_pulse(interp *i, frame *f, watch *w) {
    bool yes;
    i->quiet = false;
    eval_condition(i, f, f->id, f->node->value, &yes);
    if (!i->reason[0])
        term_format(f->node->value, i->reason, sizeof i->reason);
    record r = {.kind = RECORD_PULSE, .id = sink_id(i->log, RECORD_PULSE)};
    r.PULSE.task = f->id;
    r.PULSE.t_ns = i->now;
    r.PULSE.number = (int64_t)++w->pulses;
    r.PULSE.reason = i->reason;
    interp_put(i, &r);
    if (w->pulses > 1)
        return;
    if (f->node->kind == CONSTRUCT_WITH_POLICY && f->node->text)
        w->reason = arena_format(f->memory, "%s (%s)", eval_text(i, f, f->node->text), i->reason);
    else
        w->reason = arena_strdup(f->memory, i->reason);
}

static void evaluate_watch(interp *i, frame *f) {
    watch *w = f->watch;
    bool yes = false;
    if (w->trouble)
        return;
    i->watching = w;
    i->quiet = true;
    if (!update_watch(i, f, w, &yes)) {
        w->trouble = arena_strdup(f->memory, i->reason);
        i->quiet = false;
        i->watching = NULL;
        schedule_hurry(i, f);
        return;
    }
    bool pulse = yes && (w->op_count > 0 || !w->was);
    w->was = yes;
    if (pulse)
        put_pulse(i, f, w);
    i->quiet = false;
    i->watching = NULL;
    if (pulse)
        schedule_hurry(i, f);
}

void watches_evaluate(interp *i) {
    uint64_t version = belief_version(i->mind->belief);
    if (version != i->version)
        i->changed |= CHANGED_BELIEF;
    i->version = version;
    unsigned changed = i->changed;
    i->changed = 0;
    if (!changed || !i->watchers.first)
        return;
    arena_rewind(i->scratch, SCRATCH_KEEPS);
    for (frame *f = i->watchers.first; f && i->failed == OK; f = f->chain_next) {
        if (f->watch->depends & changed)
            evaluate_watch(i, f);
    }
}

static void evaluate_for_task(interp *i) {
    char reason[REASON_SIZE];
    memcpy(reason, i->reason, sizeof reason);
    for (frame *f = i->watchers.first; f && i->failed == OK; f = f->chain_next) {
        if (f->watch->depends & CHANGED_TASK)
            evaluate_watch(i, f);
    }
    memcpy(i->reason, reason, sizeof reason);
}

void watch_begin(interp *i, frame *f) {
    watch *w = arena_alloc(f->memory, sizeof *w);
    const term *t = f->node->value;
    w->depends = condition_depends(i, t);
    w->ops = arena_alloc(f->memory, (count_ops(t) + 1) * sizeof *w->ops);
    list_ops(w, t);
    f->watch = w;
    chain_insert(&i->watchers, f);
    evaluate_watch(i, f);
}

void watch_end(interp *i, frame *f) {
    watch *w = f->watch;
    if (!w)
        return;
    chain_remove(&i->watchers, f);
    for (size_t k = 0; k < w->op_count; k++) {
        for (int j = 0; j < 2; j++) {
            if (w->ops[k].keep[j])
                arena_give(i, w->ops[k].keep[j]);
        }
    }
    f->watch = NULL;
}

unsigned watch_depends(const frame *f) {
    return f->watch->depends;
}

uint64_t watch_pulses(const frame *f) {
    return f->watch ? f->watch->pulses : 0;
}

const char *watch_reason(const frame *f) {
    return f->watch->reason;
}

const char *watch_trouble(const frame *f) {
    return f->watch ? f->watch->trouble : NULL;
}

static frame *body_around(frame *f) {
    while (!f->boundary)
        f = f->parent;
    return f;
}

void observation_note(interp *i, frame *f) {
    // The frame of a routine belongs to the body that called it.
    frame *body = body_around(f->parent ? f->parent : f);
    observation *o = body->observations;
    while (o && o->node != f->node)
        o = o->next;
    if (!o) {
        o = arena_alloc(body->memory, sizeof *o);
        o->node = f->node;
        o->next = body->observations;
        body->observations = o;
    }
    if (f->id < o->id)
        return;
    if (f->id > o->id)
        o->begun = false;
    o->id = f->id;
    o->state = f->state;
    o->begun = o->begun || f->state == TASK_ACTIVE;
    evaluate_for_task(i);
}
