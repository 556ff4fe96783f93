// projector/interp/tasks/goal.c - goals against the belief: what they are about, whether they are
// believed, and the effects that are asserted when their tasks end.
#include "projector/interp/evaluation/designator.h"
#include "projector/interp/evaluation/eval.h"
#include "projector/interp/state/failure.h"
#include "projector/interp/state/records.h"
#include "projector/interp/tasks/goal.h"

static bool is_described(const term *t) {
    return term_is(t, "a", 1);
}

bool goal_has_described(const term *t) {
    if (t->kind != TERM_COMPOUND)
        return false;
    if (is_described(t))
        return true;
    for (uint32_t k = 0; k < t->arity; k++) {
        if (goal_has_described(t->args[k]))
            return true;
    }
    return false;
}

// The believed object that a(Description) stands for: the best of those that fit. NULL: none fits;
// i->reason.
static const term *resolve_object(interp *i, const frame *f, const term *t) {
    const term *description = t->args[0];
    if (term_list_length(description) < 0) {
        const term *type = term_compound(i->scratch, "type", 1, &description);
        description = term_list(i->scratch, &type, 1, NULL);
    }
    error err = {0};
    i->found.count = 0;
    status s = belief_resolve_object(i->mind->belief, i->scratch, description, &i->found, &err);
    if (s != OK && !is_refusal(s)) {
        i->err = err;
        interp_check(i, s);
    }
    if (s != OK || i->found.count == 0) {
        char text[160];
        term_format(t, text, sizeof text);
        if (s != OK)
            snprintf(i->reason, sizeof i->reason, "%.500s", err.text);
        else
            snprintf(i->reason, sizeof i->reason, "nothing is believed in that is %s", text);
        return NULL;
    }
    const term *best = i->found.items[0];
    char reason[80];
    snprintf(reason, sizeof reason, "the nearest of %zu believed objects that fit", i->found.count);
    interp_put_choice(i, f, "object", t, term_text(i->scratch, best),
                      term_list(i->scratch, i->found.items, i->found.count, NULL), reason);
    return best;
}

const term *goal_resolve(interp *i, const frame *f, const term *t) {
    if (is_described(t))
        return resolve_object(i, f, t);
    if (t->kind != TERM_COMPOUND || !goal_has_described(t))
        return t;
    const term **args = arena_alloc(i->scratch, t->arity * sizeof *args);
    for (uint32_t k = 0; k < t->arity; k++) {
        args[k] = goal_resolve(i, f, t->args[k]);
        if (!args[k])
            return NULL;
    }
    return term_compound(i->scratch, t->text, t->arity, args);
}

// loc(Who, at(X, Y, Yaw, Support)) without the support: the robot stands on the floor.
static const term *goal_standing(interp *i, const term *goal) {
    if (!term_is(goal, "loc", 2) || goal->args[1]->kind != TERM_COMPOUND ||
        strcmp(goal->args[1]->text, "at") != 0 || goal->args[1]->arity < 4)
        return goal;
    const term *args[2] = {goal->args[0], term_compound(i->scratch, "at", 3, goal->args[1]->args)};
    return term_compound(i->scratch, "loc", 2, args);
}

const term *goal_believed(interp *i, const term *goal) {
    double yaw;
    goal = goal_standing(i, goal);
    if (term_is(goal, "loc", 2) && goal->args[1]->kind == TERM_COMPOUND &&
        !(term_is(goal->args[1], "at", 3) && term_number(goal->args[1]->args[2], &yaw)))
        return NULL;
    error err = {0};
    i->found.count = 0;
    status s = belief_solve(i->mind->belief, i->scratch, goal, &i->found, &err);
    if (s != OK && !is_refusal(s)) {
        i->err = err;
        interp_check(i, s);
    }
    return s == OK && i->found.count > 0 ? i->found.items[0] : NULL;
}

const term *goal_places(interp *i, const frame *f, const term *goal) {
    if (!term_is(goal, "loc", 2))
        return goal;
    const term *args[2] = {goal->args[0], designator_place(i, f->id, goal->args[1])};
    return args[1] == goal->args[1] ? goal : term_compound(i->scratch, "loc", 2, args);
}

// ---- Effects ------------------------------------------------------------------------------------

static bool assert_effect(interp *i, frame *f, const frame *scope, const term *effect) {
    const term *occasion;
    error err = {0};
    if (!eval_term(i, scope, f->id, effect, &occasion) ||
        !(occasion = designator_resolve(i, f->id, occasion))) {
        f->failure = failure_signal(i, f, "designator_reference_failure", i->reason, NULL, NULL);
        return false;
    }
    status s = belief_assert(i->mind->belief, occasion, f->id, i->now, &err);
    if (s == OK)
        return true;
    if (is_refusal(s)) {
        f->failure = failure_signal(i, f, "designator_reference_failure", err.text, NULL, NULL);
        return false;
    }
    i->err = err;
    interp_check(i, s);
    return true;
}

static bool assert_effects(interp *i, frame *f, const frame *scope, const plan_note *notes,
                           size_t count) {
    for (size_t k = 0; k < count; k++) {
        if (notes[k].kind == NOTE_EFFECT && !assert_effect(i, f, scope, notes[k].value))
            return false;
    }
    return true;
}

bool goal_conclude(interp *i, frame *f) {
    const plan_node *n = f->node;
    if (f->skipped || f->elsewhere)
        return true;
    if (n->note_count > 0 &&
        !assert_effects(i, f, f->boundary && f->parent ? f->parent : f, n->notes, n->note_count))
        return false;
    if (n->kind != CONSTRUCT_ACHIEVE && n->kind != CONSTRUCT_PERFORM)
        return true;
    const plan_routine *r = f->routine;
    if (r && r->effects_given && !assert_effects(i, f, f, r->notes, r->note_count))
        return false;
    if (r && !r->effects_given && !assert_effect(i, f, f, f->value))
        return false;
    if (n->verify && !goal_believed(i, designator_peek(i, f->value))) {
        char text[300], goal[200];
        term_format(designator_peek(i, f->value), goal, sizeof goal);
        snprintf(text, sizeof text, "its routine ended, but %s is not believed", goal);
        f->failure = failure_signal(i, f, "goal_not_achieved", text, NULL, NULL);
        return false;
    }
    return true;
}
