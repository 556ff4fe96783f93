// projector/interp/constructs/goals.c - achieve and perceive: goals, realised through routines.
#include "projector/interp/constructs/constructs.h"
#include "projector/interp/evaluation/candidates.h"
#include "projector/interp/evaluation/designator.h"
#include "projector/interp/evaluation/eval.h"
#include "projector/interp/state/records.h"
#include "projector/interp/state/variables.h"
#include "projector/interp/tasks/task.h"

// Gives a pattern's variable the symbol of a description where it has been bound to the
// description's solution.
static void bind_described(const term *pattern, const term *raw, bindings *bound) {
    if (pattern->kind == TERM_VAR) {
        for (size_t k = 0; designator_within(raw) && k < bound->count; k++) {
            if (strcmp(bound->items[k].name, pattern->text) == 0)
                bound->items[k].value = raw;
        }
        return;
    }
    if (pattern->kind != TERM_COMPOUND || !term_is(raw, pattern->text, pattern->arity))
        return;
    for (uint32_t k = 0; k < pattern->arity; k++)
        bind_described(pattern->args[k], raw->args[k], bound);
}

typedef struct routine_choice {
    char why[2 * REASON_SIZE]; // why each matching routine is taken or not
    size_t matching;
    const plan_routine *chosen;
} routine_choice;

static void add_reason(routine_choice *c, const char *name, const char *why) {
    size_t length = strlen(c->why);
    snprintf(c->why + length, sizeof c->why - length, "%s%.100s%.300s", length ? "; " : "", name,
             why);
}

// Judges a routine that matches; its variables are bound in i->bound.
static void judge_routine(interp *i, frame *f, const plan_routine *r, bool was_tried,
                          routine_choice *c) {
    if (was_tried) {
        add_reason(c, r->name, ": was tried");
    } else if (c->chosen) {
        add_reason(c, r->name, ": comes later");
    } else if (!r->guard) {
        c->chosen = r;
        add_reason(c, r->name, ": it has no guard");
    } else {
        if (routine_guard_holds(i, f->id, r, &i->bound))
            c->chosen = r;
        char why[REASON_SIZE + 2];
        snprintf(why, sizeof why, ": %s", i->reason);
        add_reason(c, r->name, why);
    }
}

// The first routine behind `last` (NULL: of all) that matches and whose guard is believed, with its
// variables bound. NULL: there is none; i->reason says why.
static const plan_routine *choose_routine(interp *i, frame *f, const term *goal,
                                          const plan_routine *last) {
    routine_choice c = {.matching = 0};
    const term *resolved = designator_resolve(i, f->id, goal);
    if (!resolved)
        return NULL;
    size_t count = plan_routine_count(i->plan);
    const term **names = arena_alloc(i->scratch, (count + 1) * sizeof *names);
    for (size_t k = 0; k < count; k++) {
        const plan_routine *r = plan_routine_at(i->plan, k);
        i->bound.count = 0;
        if (!term_match(r->pattern, resolved, &i->bound))
            continue;
        bind_described(r->pattern, goal, &i->bound);
        names[c.matching++] = term_symbol(i->scratch, r->name);
        judge_routine(i, f, r, last != NULL && r <= last, &c);
    }
    char text[200];
    term_format(resolved, text, sizeof text);
    if (!c.chosen && c.matching == 0)
        snprintf(i->reason, sizeof i->reason, "no routine achieves %s", text);
    else if (!c.chosen)
        snprintf(i->reason, sizeof i->reason, "no routine for %s may be used: %.250s", text, c.why);
    if (!c.chosen)
        return NULL;
    bool only = c.matching == 1 && !c.chosen->guard;
    interp_put_choice(i, f, "routine", resolved, c.chosen->name,
                      term_list(i->scratch, names, c.matching, NULL),
                      only ? "the only one that matches" : c.why);
    i->bound.count = 0;
    term_match(c.chosen->pattern, resolved, &i->bound);
    bind_described(c.chosen->pattern, goal, &i->bound);
    return c.chosen;
}

// Gives the routine's variables their values. False: a variable has none, and the task has failed.
static bool bind_routine(interp *i, frame *f, const plan_routine *r) {
    f->routine = r;
    f->boundary = true;
    for (size_t k = 0; k < i->bound.count; k++)
        variable_make(i, f, i->bound.items[k].name, i->bound.items[k].value, f->id, "begin");
    for (size_t k = 0; k < r->with_count + r->let_count; k++) {
        const plan_binding *b = k < r->with_count ? &r->with[k] : &r->let[k - r->with_count];
        const term *value = k < r->with_count ? frame_given(f, b->name) : NULL;
        if (!value && !eval_term(i, f, f->id, b->value, &value)) {
            task_fail_evaluation(i, f);
            return false;
        }
        variable_make(i, f, b->name, value, f->id, "begin");
    }
    return true;
}

bool goal_enter(interp *i, frame *f, const plan_routine *r) {
    if (!bind_routine(i, f, r))
        return false;
    task_notes(i, f, f, r->notes, r->note_count);
    if (!r->effects_given && f->node->kind != CONSTRUCT_PERCEIVE) {
        plan_note own = {NOTE_EFFECT, f->value};
        task_notes(i, f, f, &own, 1);
    }
    task_start(i, f, r->body, 0, 1);
    return true;
}

// achieve with alternatives: enters the next routine after one has failed. The children that failed
// are kept, since the task's failure gives their reasons.
static void next_alternative(interp *i, frame *f, frame *failed) {
    const plan_routine *last = f->routine;
    variables_destroy(i, f);
    f->observations = NULL; // of the steps of the routine that failed
    f->boundary = false;
    const plan_routine *r = choose_routine(i, f, f->value, last);
    if (r) {
        failure_handled(i, failed->failure, f->id);
        goal_enter(i, f, r);
        return;
    }
    if (f->first == f->last)
        task_pass_on_child(i, f, failed);
    else
        task_pass_on_children(i, f);
}

static const char *text_of(interp *i, const term *t) {
    return term_text(i->scratch, t);
}

// Ends a perceive: `a` and `the` take the first object that was found, `all` takes all of them.
static void end_perceive(interp *i, frame *f, const term *found) {
    if (term_list_length(found) < 0)
        found = term_list(i->scratch, &found, 1, NULL);
    if (f->node->quantity == QUANTIFIER_ALL) {
        task_finish_with(i, f, found);
        return;
    }
    int64_t count = term_list_length(found);
    char reason[96];
    bool ambiguous = f->node->quantity == QUANTIFIER_THE && count > 1;
    snprintf(reason, sizeof reason,
             ambiguous ? "ambiguous: %lld fit; the first is taken" : "the first of %lld that fit",
             (long long)count);
    const term *best = count > 0 ? term_list_item(found, 0) : NULL, *wanted;
    // If a description was looked for, the object that was found becomes its solution.
    if (best && eval_term(i, f->parent ? f->parent : f, f->id, f->node->value, &wanted) &&
        designator_is(wanted))
        best = designator_found(i, f->id, wanted, found, reason);
    else if (best)
        interp_put_choice(i, f, "object", f->value, text_of(i, best), found, reason);
    if (best) {
        task_finish_with(i, f, best);
        return;
    }
    const char *none =
        arena_format(i->scratch,
                     count > 0 ? "all that was found was tried before: %.200s, %.200s"
                               : "nothing was found that is %.200s, %.200s",
                     text_of(i, f->value), text_of(i, f->region));
    task_fail(i, f, "perception_object_not_found", none, NULL);
}

static void begin_goal(interp *i, frame *f) {
    const term *goal = f->value;
    if (f->node->kind == CONSTRUCT_PERCEIVE) {
        const term *args[2] = {f->value, f->region};
        goal = term_compound(f->memory, "perceived", 2, args);
    }
    const plan_routine *r = choose_routine(i, f, goal, NULL);
    if (r)
        goal_enter(i, f, r);
    else
        task_fail(i, f, "goal_not_achieved", i->reason, NULL);
}

void goal_end(interp *i, frame *f, frame *body) {
    bool perceive = f->node->kind == CONSTRUCT_PERCEIVE;
    if (body->outcome != TASK_DONE) {
        task_pass_on_child(i, f, body);
        return;
    }
    const term *result = f->node->kind == CONSTRUCT_ACHIEVE ? NULL : body->result;
    if (f->routine->returns && !eval_term(i, f, f->id, f->routine->returns, &result)) {
        task_fail_evaluation(i, f);
        return;
    }
    if (!perceive)
        task_finish_with(i, f, result);
    else
        end_perceive(i, f, result ? result : term_list(i->scratch, NULL, 0, NULL));
}

void goal_step(interp *i, frame *f) {
    frame *c = task_next_ended(f);
    if (c && c->outcome == TASK_FAILED && f->node->alternatives)
        next_alternative(i, f, c);
    else if (c)
        goal_end(i, f, c);
    else if (f->at++ == 0 && f->skipped)
        task_finish(i, f, TASK_DONE);
    else if (f->at == 1)
        begin_goal(i, f);
}
