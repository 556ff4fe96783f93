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

// at(X, Y, Yaw, Support) of the robot itself: it stands on the floor.
static const term *standing(interp *i, const term *goal) {
    if (!term_is(goal, "loc", 2) || goal->args[1]->kind != TERM_COMPOUND ||
        strcmp(goal->args[1]->text, "at") != 0 || goal->args[1]->arity < 4)
        return goal;
    const term *args[2] = {goal->args[0], term_compound(i->scratch, "at", 3, goal->args[1]->args)};
    return term_compound(i->scratch, "loc", 2, args);
}

// The first way in which a goal is believed true; NULL: none, or it cannot be told: whether the
// robot is where it can reach something only going there settles.
static const term *believed(interp *i, const term *goal) {
    double yaw;
    goal = standing(i, goal);
    if (term_is(goal, "loc", 2) && goal->args[1]->kind == TERM_COMPOUND &&
        !(term_is(goal->args[1], "at", 3) && term_number(goal->args[1]->args[2], &yaw)))
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

// A list of properties of a place, for the robot itself, is a description.
static const term *places_named(interp *i, const frame *f, const term *goal) {
    if (!term_is(goal, "loc", 2))
        return goal;
    const term *args[2] = {goal->args[0], designator_place(i, f->id, goal->args[1])};
    return args[1] == goal->args[1] ? goal : term_compound(i->scratch, "loc", 2, args);
}

// A goal keeps the names of its descriptions, so that a routine may ask for their next solution;
// what they stand for as it begins is what is recorded and compared.
static const term *describe_goal(interp *i, frame *f, const term **value) {
    const term *resolved = designator_resolve(i, f->id, *value);
    if (!resolved) {
        set_trouble(i, f);
        return designator_peek(i, *value);
    }
    const term *held = f->node->skip_when_true ? believed(i, resolved) : NULL;
    if (held) {
        f->skipped = true;
        *value = designator_within(*value) ? *value : held;
        return held;
    }
    if (!has_described(*value))
        return resolved;
    const term *filled = resolve(i, f, *value);
    if (!filled) {
        set_trouble(i, f);
        return resolved;
    }
    *value = filled;
    return designator_peek(i, filled);
}

// Going back to a location is going to the same one.
static bool evaluate_goal(interp *i, frame *f, const frame *scope, const term **value) {
    frame *keeper = f->parent && f->parent->node->kind == CONSTRUCT_AT_LOCATION && f->index == 0
                        ? f->parent
                        : NULL;
    if (keeper && keeper->value) {
        *value = keeper->value;
        return true;
    }
    if (!eval_term(i, scope, f->id, f->node->value, value))
        return false;
    *value = places_named(i, f, *value);
    if (keeper)
        keeper->value = term_copy(keeper->memory, *value);
    return true;
}

static void describe_achieve(interp *i, frame *f, const frame *scope, const char **expr,
                             const char **goal) {
    const term *value, *resolved;
    if (evaluate_goal(i, f, scope, &value)) {
        resolved = describe_goal(i, f, &value);
    } else {
        set_trouble(i, f);
        resolved = value = eval_fill(i, scope, f->node->value);
    }
    f->value = term_copy(f->memory, value);
    *expr = term_text(i->scratch, term_compound(i->scratch, "achieve", 1, &value));
    *goal = term_text(i->scratch, resolved);
}

// perceive(Quantifier, Description, Region); a description may be one that was made before.
static void describe_perceive(interp *i, frame *f, const frame *scope, const char **expr) {
    static const char *const quantifiers[] = {"a", "the", "all"};
    const plan_node *n = f->node;
    const term *args[3] = {term_symbol(i->scratch, quantifiers[n->quantity]), n->value,
                           n->region ? n->region : term_symbol(i->scratch, "anywhere")};
    const term *meant[3] = {NULL};
    for (int k = 1; k < 3; k++) {
        const term *value;
        if (eval_term(i, scope, f->id, args[k], &value)) {
            args[k] = meant[k] = value;
            if (k == 2)
                meant[k] = designator_region(i, f->id, value);
            else if (designator_is(value))
                meant[k] = designator_description(i, f->id, value);
            else
                meant[k] = designator_resolve(i, f->id, value);
        } else {
            args[k] = eval_fill(i, scope, args[k]);
        }
        if (!meant[k]) {
            set_trouble(i, f);
            meant[k] = args[k];
        }
    }
    f->value = term_copy(f->memory, meant[1]);
    f->region = term_copy(f->memory, meant[2]);
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

bool goal_guard(interp *i, int64_t task, const plan_routine *r, const bindings *bound) {
    // A scope of its own, which only lasts as long as the question.
    frame own = {.id = task, .boundary = true};
    variable *variables = arena_alloc(i->scratch, (bound->count + 1) * sizeof *variables);
    for (size_t k = 0; k < bound->count; k++) {
        variables[k] = (variable){
            .name = bound->items[k].name, .value = bound->items[k].value, .next = own.variables};
        own.variables = &variables[k];
    }
    bool yes = false;
    return eval_condition(i, &own, task, r->guard, &yes) && yes;
}

// Where a pattern's variable stands for something that is described, it takes the description.
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
    char why[2 * REASON_SIZE]; // of each that matches, why it is taken or not
    size_t matching;
    const plan_routine *chosen;
} routine_choice;

static void say(routine_choice *c, const char *name, const char *why) {
    size_t length = strlen(c->why);
    snprintf(c->why + length, sizeof c->why - length, "%s%.100s%.300s", length ? "; " : "", name,
             why);
}

// Judges one that matches; its variables are bound in i->bound.
static void judge(interp *i, frame *f, const plan_routine *r, bool was_tried, routine_choice *c) {
    if (was_tried) {
        say(c, r->name, ": was tried");
    } else if (c->chosen) {
        say(c, r->name, ": comes later");
    } else if (!r->guard) {
        c->chosen = r;
        say(c, r->name, ": it has no guard");
    } else {
        if (goal_guard(i, f->id, r, &i->bound))
            c->chosen = r;
        char why[REASON_SIZE + 2];
        snprintf(why, sizeof why, ": %s", i->reason);
        say(c, r->name, why);
    }
}

// The first routine that matches and whose guard is believed, of those behind `last` (NULL: of
// all), with its variables bound. NULL: none; i->reason says why.
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
        judge(i, f, r, last != NULL && r <= last, &c);
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
    task_choice(i, f, "routine", resolved, c.chosen->name,
                term_list(i->scratch, names, c.matching, NULL),
                only ? "the only one that matches" : c.why);
    i->bound.count = 0;
    term_match(c.chosen->pattern, resolved, &i->bound);
    bind_described(c.chosen->pattern, goal, &i->bound);
    return c.chosen;
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

// achieve with alternatives: where a routine has failed the next one is entered. Those that failed
// stay, for the reasons.
static void next_alternative(interp *i, frame *f, frame *failed) {
    const plan_routine *last = f->routine;
    variables_free(i, f);
    f->observations = NULL; // of the steps of the routine that failed
    f->boundary = false;
    const plan_routine *r = choose_routine(i, f, f->value, last);
    if (r) {
        failure_handled(i, failed->failure, f->id);
        goal_enter(i, f, r);
        return;
    }
    size_t count = 0;
    for (frame *c = f->first; c; c = c->next)
        count++;
    frame **ended = arena_alloc(i->scratch, count * sizeof *ended);
    count = 0;
    for (frame *c = f->first; c; c = c->next)
        ended[count++] = c;
    if (count == 1)
        step_pass_on(i, f, failed);
    else
        step_pass_on_all(i, f, ended, count);
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
    char reason[96];
    bool ambiguous = f->node->quantity == QUANTIFIER_THE && count > 1;
    snprintf(reason, sizeof reason,
             ambiguous ? "ambiguous: %lld fit; the first is taken" : "the first of %lld that fit",
             (long long)count);
    const term *best = count > 0 ? term_list_item(found, 0) : NULL, *wanted;
    // A description that was looked for is resolved by what was found.
    if (best && eval_term(i, f->parent ? f->parent : f, f->id, f->node->value, &wanted) &&
        designator_is(wanted))
        best = designator_found(i, f->id, wanted, found, reason);
    else if (best)
        task_choice(i, f, "object", f->value, text_of(i, best), found, reason);
    if (best) {
        step_finish_with(i, f, best);
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
        step_pass_on(i, f, body);
        return;
    }
    const term *result = f->node->kind == CONSTRUCT_ACHIEVE ? NULL : body->result;
    if (f->routine->returns && !eval_term(i, f, f->id, f->routine->returns, &result)) {
        step_fail_evaluation(i, f);
        return;
    }
    if (!perceive)
        step_finish_with(i, f, result);
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

// ---- Effects
// -------------------------------------------------------------------------------------

static bool assert_effect(interp *i, frame *f, const frame *scope, const term *effect) {
    const term *occasion;
    error err = {0};
    if (!eval_term(i, scope, f->id, effect, &occasion) ||
        !(occasion = designator_resolve(i, f->id, occasion))) {
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
    if (n->kind != CONSTRUCT_ACHIEVE && n->kind != CONSTRUCT_PERFORM)
        return true;
    const plan_routine *r = f->routine;
    if (r && r->effects_given && !assert_effects(i, f, f, r->notes, r->note_count))
        return false;
    if (r && !r->effects_given && !assert_effect(i, f, f, f->value))
        return false;
    if (n->verify && !believed(i, designator_peek(i, f->value))) {
        char text[300], goal[200];
        term_format(designator_peek(i, f->value), goal, sizeof goal);
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
