// projector/interp/goals.c - goals, realised through routines: achieve, perceive, at_location.
#include "projector/interp/interp_int.h"

static bool plan_is_wrong(status s) {
    return s == E_INPUT || s == E_INFEASIBLE || s == E_LIMIT || s == E_USAGE;
}

static void set_trouble(interp *i, frame *f) {
    if (!f->trouble)
        f->trouble = arena_strdup(f->memory, i->reason[0] ? i->reason : "it cannot be evaluated");
}

// ---- What a goal is about
// ------------------------------------------------------------------------

static bool is_described(const term *t) {
    return term_is(t, "a", 1);
}

static bool has_described(const term *t) {
    if (t->kind != TERM_COMPOUND)
        return false;
    if (is_described(t))
        return true;
    for (uint32_t k = 0; k < t->arity; k++) {
        if (has_described(t->args[k]))
            return true;
    }
    return false;
}

// The believed object that a(Description) stands for: the best of those that fit. NULL: none.
static const term *resolve_object(interp *i, const frame *f, const term *t) {
    const term *description = t->args[0];
    if (term_list_length(description) < 0) {
        const term *type = term_compound(i->scratch, "type", 1, &description);
        description = term_list(i->scratch, &type, 1, NULL);
    }
    error err = {0};
    i->found.count = 0;
    status s = belief_resolve_object(i->mind->belief, i->scratch, description, &i->found, &err);
    if (s != OK && !plan_is_wrong(s)) {
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
    task_choice(i, f, "object", t, term_text(i->scratch, best),
                term_list(i->scratch, i->found.items, i->found.count, NULL), reason);
    return best;
}

static const term *resolve(interp *i, const frame *f, const term *t) {
    if (is_described(t))
        return resolve_object(i, f, t);
    if (t->kind != TERM_COMPOUND || !has_described(t))
        return t;
    const term **args = arena_alloc(i->scratch, t->arity * sizeof *args);
    for (uint32_t k = 0; k < t->arity; k++) {
        args[k] = resolve(i, f, t->args[k]);
        if (!args[k])
            return NULL;
    }
    return term_compound(i->scratch, t->text, t->arity, args);
}

// The first way in which a goal is believed true; NULL: none, or it cannot be told: whether the
// robot is where it can reach something only going there settles.
static const term *believed(interp *i, const term *goal) {
    if (term_is(goal, "loc", 2) && goal->args[1]->kind == TERM_COMPOUND &&
        !term_is(goal->args[1], "at", 3))
        return NULL;
    error err = {0};
    i->found.count = 0;
    status s = belief_solve(i->mind->belief, i->scratch, goal, &i->found, &err);
    if (s != OK && !plan_is_wrong(s)) {
        i->err = err;
        interp_check(i, s);
    }
    return s == OK && i->found.count > 0 ? i->found.items[0] : NULL;
}

static void describe_achieve(interp *i, frame *f, const frame *scope, const char **expr,
                             const char **goal) {
    const plan_node *n = f->node;
    const term *value;
    if (!eval_term(i, scope, f->id, n->value, &value)) {
        set_trouble(i, f);
        value = eval_fill(i, scope, n->value);
    } else {
        const term *held = n->skip_when_true ? believed(i, value) : NULL;
        if (held) {
            f->skipped = true;
            value = held;
        } else if (has_described(value)) {
            const term *resolved = resolve(i, f, value);
            if (resolved)
                value = resolved;
            else
                set_trouble(i, f);
        }
    }
    f->value = term_copy(f->memory, value);
    *expr = term_text(i->scratch, term_compound(i->scratch, "achieve", 1, &value));
    *goal = term_text(i->scratch, value);
}

// perceive(Quantifier, Description, Region)
static void describe_perceive(interp *i, frame *f, const frame *scope, const char **expr) {
    static const char *const quantifiers[] = {"a", "the", "all"};
    const plan_node *n = f->node;
    const term *args[3] = {term_symbol(i->scratch, quantifiers[n->quantity]), n->value,
                           n->region ? n->region : term_symbol(i->scratch, "anywhere")};
    for (int k = 1; k < 3; k++) {
        const term *value;
        if (eval_term(i, scope, f->id, args[k], &value)) {
            args[k] = value;
        } else {
            set_trouble(i, f);
            args[k] = eval_fill(i, scope, args[k]);
        }
    }
    f->value = term_copy(f->memory, args[1]);
    f->region = term_copy(f->memory, args[2]);
    *expr = term_text(i->scratch, term_compound(i->scratch, "perceive", 3, args));
}

void goal_describe(interp *i, frame *f, const frame *scope, const char **expr, const char **goal) {
    const plan_node *n = f->node;
    f->given = arena_alloc(f->memory, (n->binding_count + 1) * sizeof *f->given);
    for (size_t k = 0; k < n->binding_count; k++) {
        const term *value;
        if (!eval_term(i, scope, f->id, n->bindings[k].value, &value))
            set_trouble(i, f);
        else
            f->given[f->given_count++] =
                (action_argument){n->bindings[k].name, term_copy(f->memory, value)};
    }
    if (n->kind == CONSTRUCT_ACHIEVE)
        describe_achieve(i, f, scope, expr, goal);
    else
        describe_perceive(i, f, scope, expr);
}

// ---- Routines
// ------------------------------------------------------------------------------------

// Whether the guard is believed, with the pattern's variables bound for the while.
static bool guard_holds(interp *i, frame *f, const plan_routine *r, bool *broken) {
    variable *bound = arena_alloc(i->scratch, (i->bound.count + 1) * sizeof *bound);
    for (size_t k = 0; k < i->bound.count; k++) {
        bound[k] = (variable){.name = i->bound.items[k].name, .value = i->bound.items[k].value};
        bound[k].next = f->variables;
        f->variables = &bound[k];
    }
    f->boundary = true;
    bool yes = false;
    *broken = !eval_condition(i, f, f->id, r->guard, &yes);
    f->variables = NULL;
    f->boundary = false;
    return yes && !*broken;
}

// The first routine that matches and whose guard is believed. NULL: none; i->reason says why.
static const plan_routine *choose_routine(interp *i, frame *f, const term *goal) {
    const plan_routine *chosen = NULL;
    size_t count = plan_routine_count(i->plan), matching = 0;
    const term **names = arena_alloc(i->scratch, (count + 1) * sizeof *names);
    char why[REASON_SIZE] = "";
    for (size_t k = 0; k < count; k++) {
        const plan_routine *r = plan_routine_at(i->plan, k);
        i->bound.count = 0;
        if (!term_match(r->pattern, goal, &i->bound))
            continue;
        names[matching++] = term_symbol(i->scratch, r->name);
        if (chosen)
            continue;
        bool broken;
        if (!r->guard || guard_holds(i, f, r, &broken))
            chosen = r;
        if (r->guard) {
            size_t length = strlen(why);
            snprintf(why + length, sizeof why - length, "%s%.100s: %.300s", length ? "; " : "",
                     r->name, i->reason);
        }
    }
    char text[200];
    term_format(goal, text, sizeof text);
    if (!chosen && matching == 0)
        snprintf(i->reason, sizeof i->reason, "no routine achieves %s", text);
    else if (!chosen)
        snprintf(i->reason, sizeof i->reason, "no routine for %s may be used: %.250s", text, why);
    if (!chosen)
        return NULL;
    const char *reason = why[0]         ? why
                         : matching > 1 ? "the first that matches; it has no guard"
                                        : "the only one that matches";
    task_choice(i, f, "routine", goal, chosen->name, term_list(i->scratch, names, matching, NULL),
                reason);
    i->bound.count = 0;
    term_match(chosen->pattern, goal, &i->bound);
    return chosen;
}

static const term *given_value(const frame *f, const char *name) {
    for (size_t k = 0; k < f->given_count; k++) {
        if (strcmp(f->given[k].key, name) == 0)
            return f->given[k].value;
    }
    return NULL;
}

// Gives the routine's variables their values. False: one has none, and the task has failed.
static bool bind_routine(interp *i, frame *f, const plan_routine *r) {
    f->routine = r;
    f->boundary = true;
    for (size_t k = 0; k < i->bound.count; k++)
        variable_make(i, f, i->bound.items[k].name, i->bound.items[k].value, f->id, "begin");
    for (size_t k = 0; k < r->with_count + r->let_count; k++) {
        const plan_binding *b = k < r->with_count ? &r->with[k] : &r->let[k - r->with_count];
        const term *value = k < r->with_count ? given_value(f, b->name) : NULL;
        if (!value && !eval_term(i, f, f->id, b->value, &value)) {
            step_fail_evaluation(i, f);
            return false;
        }
        variable_make(i, f, b->name, value, f->id, "begin");
    }
    return true;
}

static void enter_routine(interp *i, frame *f, const term *goal) {
    const plan_routine *r = choose_routine(i, f, goal);
    if (!r) {
        task_fail(i, f, "goal_not_achieved", i->reason, NULL);
        return;
    }
    if (!bind_routine(i, f, r))
        return;
    task_notes(i, f, f, r->notes, r->note_count);
    if (!r->effects_given && f->node->kind == CONSTRUCT_ACHIEVE) {
        plan_note own = {NOTE_EFFECT, f->value};
        task_notes(i, f, f, &own, 1);
    }
    task_start(i, f, r->body, 0, 1);
}

static const char *text_of(interp *i, const term *t) {
    return term_text(i->scratch, t);
}

// `a` and `the` take the first that was found; all of them what there is.
static void end_perceive(interp *i, frame *f, const term *found) {
    if (term_list_length(found) < 0)
        found = term_list(i->scratch, &found, 1, NULL);
    if (f->node->quantity == QUANTIFIER_ALL) {
        step_finish_with(i, f, found);
        return;
    }
    int64_t count = term_list_length(found);
    if (count == 0) {
        const char *reason = arena_format(i->scratch, "nothing was found that is %.200s, %.200s",
                                          text_of(i, f->value), text_of(i, f->region));
        task_fail(i, f, "perception_object_not_found", reason, NULL);
        return;
    }
    char reason[96];
    bool ambiguous = f->node->quantity == QUANTIFIER_THE && count > 1;
    snprintf(reason, sizeof reason,
             ambiguous ? "ambiguous: %lld fit; the first is taken" : "the first of %lld that fit",
             (long long)count);
    const term *best = term_list_item(found, 0);
    task_choice(i, f, "object", f->value, text_of(i, best), found, reason);
    step_finish_with(i, f, best);
}

void goal_step(interp *i, frame *f) {
    frame *c = task_next_ended(f);
    bool achieve = f->node->kind == CONSTRUCT_ACHIEVE;
    if (!c) {
        if (f->at++ > 0)
            return;
        const term *goal = f->value;
        if (!achieve) {
            const term *args[2] = {f->value, f->region};
            goal = term_compound(f->memory, "perceived", 2, args);
        }
        if (f->skipped)
            task_finish(i, f, TASK_DONE);
        else
            enter_routine(i, f, goal);
        return;
    }
    if (c->outcome != TASK_DONE) {
        step_pass_on(i, f, c);
        return;
    }
    const term *result = achieve ? NULL : c->result;
    if (f->routine->returns && !eval_term(i, f, f->id, f->routine->returns, &result)) {
        step_fail_evaluation(i, f);
        return;
    }
    if (achieve)
        step_finish_with(i, f, result);
    else
        end_perceive(i, f, result ? result : term_list(i->scratch, NULL, 0, NULL));
}

// ---- Effects
// -------------------------------------------------------------------------------------

static bool assert_effect(interp *i, frame *f, const frame *scope, const term *effect) {
    const term *occasion;
    error err = {0};
    if (!eval_term(i, scope, f->id, effect, &occasion)) {
        f->failure = task_signal(i, f, "designator_reference_failure", i->reason, NULL, NULL);
        return false;
    }
    status s = belief_assert(i->mind->belief, occasion, f->id, i->now, &err);
    if (s == OK)
        return true;
    if (plan_is_wrong(s)) {
        f->failure = task_signal(i, f, "designator_reference_failure", err.text, NULL, NULL);
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
    if (f->skipped)
        return true;
    if (n->note_count > 0 &&
        !assert_effects(i, f, f->boundary && f->parent ? f->parent : f, n->notes, n->note_count))
        return false;
    if (n->kind != CONSTRUCT_ACHIEVE)
        return true;
    const plan_routine *r = f->routine;
    if (r && r->effects_given && !assert_effects(i, f, f, r->notes, r->note_count))
        return false;
    if (r && !r->effects_given && !assert_effect(i, f, f, f->value))
        return false;
    if (n->verify && !believed(i, f->value)) {
        char text[300], goal[200];
        term_format(f->value, goal, sizeof goal);
        snprintf(text, sizeof text, "its routine ended, but %s is not believed", goal);
        f->failure = task_signal(i, f, "goal_not_achieved", text, NULL, NULL);
        return false;
    }
    return true;
}

// ---- At a location
// -------------------------------------------------------------------------------

enum { PLACE_CLAIMS, PLACE_GOES, PLACE_STAYS, PLACE_RETURNS };

static void go(interp *i, frame *f, size_t phase) {
    f->at = phase;
    task_start(i, f, f->node->children[0], 0, ++f->rounds);
}

static void claim_place(interp *i, frame *f) {
    if (f->waits) {
        if (!claim_is_granted(i, f))
            return;
        f->waits = false;
        task_note_status(i, f, TASK_ACTIVE);
    } else if (!claim_make(i, f, USE_BASE)) {
        return;
    }
    go(i, f, PLACE_GOES);
}

static frame *body_of(const frame *f) {
    for (frame *c = f->first; c; c = c->next) {
        if (c->index == 1 && c->state < TASK_DONE)
            return c;
    }
    return NULL;
}

void place_step(interp *i, frame *f) {
    if (f->at == PLACE_CLAIMS) {
        claim_place(i, f);
        return;
    }
    for (frame *c; (c = task_next_ended(f));) {
        if (c->outcome != TASK_DONE) {
            step_pass_on(i, f, c);
            return;
        }
        if (c->index == 1) {
            step_finish_with(i, f, c->result);
            return;
        }
        task_release(i, c);
        f->place = belief_robot(i->mind->belief);
        frame *body = body_of(f);
        if (f->at == PLACE_GOES) {
            f->at = PLACE_STAYS;
            task_start(i, f, f->node->children[1], 1, 1);
            interp_watch(i, f);
        } else {
            f->at = PLACE_STAYS;
            if (body)
                task_resume(i, body);
        }
    }
}

// Whether a task of the body has the base now: then it may go where it likes.
static bool base_is_used_below(const interp *i, const frame *f) {
    for (size_t k = 0; k < i->claims.count; k++) {
        const claim *c = &i->claims.items[k];
        if ((c->uses & USE_BASE) && c->by != f && frame_below(c->by, f))
            return true;
    }
    return false;
}

void place_watch(interp *i, frame *f) {
    if (f->at != PLACE_STAYS || f->suspended > 0 || f->concluding || base_is_used_below(i, f))
        return;
    pose now = belief_robot(i->mind->belief);
    if (v3_distance(now.p, f->place.p) <= LEFT_DISTANCE &&
        quat_angle(now.q, f->place.q) <= LEFT_ANGLE)
        return;
    frame *body = body_of(f);
    if (!body)
        return;
    task_suspend(i, body);
    go(i, f, PLACE_RETURNS);
}
