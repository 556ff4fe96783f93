// projector/interp/tasks/describe.c - the expression and the goal of a task's record, with the
// values that the task begins with.
#include "projector/interp/evaluation/candidates.h"
#include "projector/interp/evaluation/designator.h"
#include "projector/interp/evaluation/eval.h"
#include "projector/interp/state/records.h"
#include "projector/interp/tasks/describe.h"
#include "projector/interp/tasks/goal.h"

// ---- Expressions --------------------------------------------------------------------------------

static const char *write_call(interp *i, const frame *scope, const char *name, const term *a,
                              const term *b) {
    const term *args[2];
    uint32_t count = 0;
    if (a)
        args[count++] = eval_fill(i, scope, a);
    if (b)
        args[count++] = eval_fill(i, scope, b);
    return term_text(i->scratch, term_compound(i->scratch, name, count, args));
}

// Writes let(x = first(?plates), ...): the variables' names are symbols, since they have no values
// yet.
static const char *write_bindings(interp *i, const frame *scope, const plan_node *n) {
    arena *a = i->scratch;
    const term **items = arena_alloc(a, (n->binding_count + 1) * sizeof *items);
    for (size_t k = 0; k < n->binding_count; k++) {
        const term *sides[2] = {term_symbol(a, n->bindings[k].name + 1),
                                eval_fill(i, scope, n->bindings[k].value)};
        items[k] = term_compound(a, "=", 2, sides);
    }
    return term_text(a,
                     term_compound(a, construct_name(n->kind), (uint32_t)n->binding_count, items));
}

static const char *write_loop(interp *i, const frame *scope, const plan_node *n) {
    static const char *const kinds[] = {"forever", "while", "until", "times", "for_each"};
    if (n->loop == LOOP_FOREVER)
        return "loop(forever)";
    const char *inner = write_call(i, scope, kinds[n->loop],
                                   n->name ? term_symbol(i->scratch, n->name + 1) : n->value,
                                   n->name ? n->value : NULL);
    return arena_format(i->scratch, "loop(%s)", inner);
}

static const char *write_text_call(interp *i, const char *name, const char *text) {
    const term *arg = term_string(i->scratch, text);
    return term_text(i->scratch, term_compound(i->scratch, name, 1, &arg));
}

static void set_trouble(interp *i, frame *f) {
    if (!f->trouble)
        f->trouble = arena_strdup(f->memory, i->reason[0] ? i->reason : "it cannot be evaluated");
}

// ---- Goals --------------------------------------------------------------------------------------

// Computes what a goal is about. *value keeps the symbols of its descriptions, so that a routine
// may ask for their next solution; the term returned has their solutions at the task's begin, and
// is recorded and compared with the belief.
static const term *describe_goal_value(interp *i, frame *f, const term **value) {
    const term *resolved = designator_resolve(i, f->id, *value);
    if (!resolved) {
        set_trouble(i, f);
        return designator_peek(i, *value);
    }
    const term *held = f->node->skip_when_true ? goal_believed(i, resolved) : NULL;
    if (held) {
        f->skipped = true;
        *value = designator_within(*value) ? *value : held;
        return held;
    }
    if (!goal_has_described(*value))
        return resolved;
    const term *filled = goal_resolve(i, f, *value);
    if (!filled) {
        set_trouble(i, f);
        return resolved;
    }
    *value = filled;
    return designator_peek(i, filled);
}

// The value of an achieve's goal. An at_location goes back to the same location, so its goal is
// evaluated only once.
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
    *value = goal_places(i, f, *value);
    if (keeper)
        keeper->value = term_copy(keeper->memory, *value);
    return true;
}

static void describe_achieve(interp *i, frame *f, const frame *scope, const char **expr,
                             const char **goal) {
    const term *value, *resolved;
    if (evaluate_goal(i, f, scope, &value)) {
        resolved = describe_goal_value(i, f, &value);
    } else {
        set_trouble(i, f);
        resolved = value = eval_fill(i, scope, f->node->value);
    }
    f->value = term_copy(f->memory, value);
    *expr = term_text(i->scratch, term_compound(i->scratch, "achieve", 1, &value));
    *goal = term_text(i->scratch, resolved);
}

// Writes perceive(Quantifier, Description, Region); the description may be one that was made
// before.
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

static void describe_goal_construct(interp *i, frame *f, const frame *scope, const char **expr,
                                    const char **goal) {
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

// ---- Actions ------------------------------------------------------------------------------------

static const char *describe_action(interp *i, frame *f, const frame *scope) {
    const plan_node *n = f->node;
    arena *a = i->scratch;
    f->given = arena_alloc(f->memory, (n->binding_count + 1) * sizeof *f->given);
    const term **parts = arena_alloc(a, (n->binding_count + 1) * sizeof *parts);
    for (size_t k = 0; k < n->binding_count; k++) {
        const plan_binding *b = &n->bindings[k];
        const term *value;
        if (!eval_term(i, scope, f->id, b->value, &value)) {
            if (!f->trouble)
                f->trouble = arena_strdup(f->memory, i->reason);
            value = eval_fill(i, scope, b->value);
        }
        parts[k] = term_compound(a, b->name, 1, &value);
        const term *meant = argument_resolve(i, f->id, n->name, b->name, value);
        if (!meant && !f->trouble)
            f->trouble = arena_strdup(f->memory, i->reason);
        f->given[f->given_count++] =
            (action_argument){b->name, term_copy(f->memory, meant ? meant : value)};
    }
    return term_text(a, term_compound(a, n->name, (uint32_t)n->binding_count, parts));
}

// Copies the values of the chosen candidate's keys into the task's own memory.
static void take_keys(interp *i, frame *f, const term *chosen, const plan_routine *r) {
    uint32_t count = chosen->kind == TERM_COMPOUND ? chosen->arity : 0;
    f->given = arena_alloc(f->memory, (count + 1) * sizeof *f->given);
    for (uint32_t k = 0; k < count; k++) {
        const term *key = chosen->args[k], *value = key->args[0];
        const char *name = key->text;
        if (!r) {
            value = argument_resolve(i, f->id, chosen->text, name, value);
            if (!value) {
                f->trouble = arena_strdup(f->memory, i->reason);
                return;
            }
        }
        // The keys of a routine's `with` are names of variables.
        name = r ? arena_format(f->memory, "?%s", name) : arena_strdup(f->memory, name);
        f->given[f->given_count++] = (action_argument){name, term_copy(f->memory, value)};
    }
}

static const term *value_given(void *context, const char *name) {
    return frame_given(context, name);
}

static void choose_candidate(interp *i, frame *f, const term *wanted, const char **goal) {
    const term *chosen = designator_solution(i, f->id, wanted);
    if (!chosen) {
        f->trouble = arena_strdup(f->memory, i->reason);
        return;
    }
    const plan_routine *r = routine_named(i, chosen->text);
    take_keys(i, f, chosen, r);
    if (f->trouble)
        return;
    if (!r) {
        f->doing = arena_strdup(f->memory, chosen->text);
        return;
    }
    f->routine = r;
    f->value = term_copy(f->memory, term_substitute(i->scratch, r->pattern, value_given, f));
    const term *resolved = designator_resolve(i, f->id, f->value);
    if (resolved)
        *goal = term_text(i->scratch, resolved);
    else
        f->trouble = arena_strdup(f->memory, i->reason);
}

static void describe_perform(interp *i, frame *f, const frame *scope, const char **expr,
                             const char **goal) {
    const term *wanted;
    if (!eval_term(i, scope, f->id, f->node->value, &wanted)) {
        f->trouble = arena_strdup(f->memory, i->reason);
        wanted = eval_fill(i, scope, f->node->value);
    } else if (term_list_length(wanted) > 0) {
        wanted = designator_make(i, f->id, "action", wanted);
    }
    if (!f->trouble)
        choose_candidate(i, f, wanted, goal);
    *expr = term_text(i->scratch, term_compound(i->scratch, "perform", 1, &wanted));
}

// ---- Any task -----------------------------------------------------------------------------------

void task_describe(interp *i, frame *f, const frame *scope, const char **expr, const char **goal) {
    const plan_node *n = f->node;
    switch (n->kind) {
    case CONSTRUCT_LET:
    case CONSTRUCT_SET:
        *expr = write_bindings(i, scope, n);
        break;
    case CONSTRUCT_IF:
    case CONSTRUCT_WAIT_FOR:
    case CONSTRUCT_ASSERT:
    case CONSTRUCT_USING:
    case CONSTRUCT_AT_LOCATION:
    case CONSTRUCT_NEXT:
    case CONSTRUCT_EQUATE:
    case CONSTRUCT_WHENEVER:
    case CONSTRUCT_WITH_POLICY:
        *expr = write_call(i, scope, construct_name(n->kind), n->value, NULL);
        break;
    case CONSTRUCT_LOOP:
        *expr = write_loop(i, scope, n);
        break;
    case CONSTRUCT_FAIL:
        *expr = arena_format(i->scratch, "fail(%s)", n->name);
        break;
    case CONSTRUCT_LOG:
        *expr = write_text_call(i, "log", n->text);
        break;
    case CONSTRUCT_ACHIEVE:
    case CONSTRUCT_PERCEIVE:
        describe_goal_construct(i, f, scope, expr, goal);
        break;
    case CONSTRUCT_ACTION:
        *expr = describe_action(i, f, scope);
        break;
    case CONSTRUCT_PERFORM:
        describe_perform(i, f, scope, expr, goal);
        break;
    default:
        *expr = construct_name(n->kind);
        break;
    }
    if (n->goal)
        *goal = term_text(i->scratch, designator_peek(i, eval_fill(i, scope, n->goal)));
}
