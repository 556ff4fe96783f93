// projector/interp/constructs/steps.c - one step of each construct: composites, variables, control,
// failures; the others have files of their own.
#include "projector/interp/constructs/constructs.h"
#include "projector/interp/evaluation/designator.h"
#include "projector/interp/evaluation/eval.h"
#include "projector/interp/state/records.h"
#include "projector/interp/state/variables.h"
#include "projector/interp/tasks/elsewhere.h"
#include "projector/interp/tasks/task.h"

static void start_child(interp *i, frame *f, size_t index, uint32_t round) {
    task_start(i, f, f->node->children[index], (uint32_t)index, round);
}

static void step_seq(interp *i, frame *f) {
    frame *c = task_next_ended(f);
    if (c && c->outcome != TASK_DONE) {
        task_pass_on_child(i, f, c);
        return;
    }
    if (c && f->at == f->node->child_count)
        f->result = c->result ? term_copy(f->memory, c->result) : NULL;
    if (c)
        task_release(i, c);
    if (f->live > 0)
        return;
    if (f->at == f->node->child_count)
        task_finish(i, f, TASK_DONE);
    else
        start_child(i, f, f->at++, 1);
}

// Starts all children at its first step.
static bool start_all(interp *i, frame *f) {
    if (f->at > 0)
        return false;
    f->at = 1;
    for (size_t k = 0; k < f->node->child_count; k++)
        start_child(i, f, k, 1);
    return true;
}

static void step_par(interp *i, frame *f) {
    start_all(i, f);
    for (frame *c; (c = task_next_ended(f));) {
        if (c->outcome == TASK_FAILED) {
            task_pass_on_child(i, f, c);
            return;
        }
        task_release(i, c);
    }
    if (f->live == 0)
        task_finish(i, f, TASK_DONE);
}

// Of the children that ended in one cycle a failure decides before a success, and among equals the
// first in the plan's text.
static void step_pursue(interp *i, frame *f) {
    if (start_all(i, f)) {
        if (f->live == 0)
            task_finish(i, f, TASK_DONE);
        return;
    }
    frame *best = NULL;
    for (frame *c; (c = task_next_ended(f));) {
        bool failed = c->outcome == TASK_FAILED, best_failed = best && best->outcome == TASK_FAILED;
        if (!best || (failed && !best_failed) || (failed == best_failed && c->index < best->index))
            best = c;
    }
    if (best)
        task_finish_as(i, f, best);
}

// Ends a task none of whose children was done: fails because all of them have; without children it
// is done.
static void finish_without_success(interp *i, frame *f) {
    if (f->first)
        task_pass_on_children(i, f);
    else
        task_finish(i, f, TASK_DONE);
}

// Ends with the first child that is done. The children that failed are kept, since the task's
// failure gives their reasons.
static void step_try_all(interp *i, frame *f) {
    start_all(i, f);
    for (frame *c; (c = task_next_ended(f));) {
        if (c->outcome != TASK_DONE)
            continue;
        for (frame *other = f->first; other; other = other->next) {
            if (other->failure)
                failure_handled(i, other->failure, f->id);
        }
        task_finish_with(i, f, c->result);
        return;
    }
    if (f->live == 0)
        finish_without_success(i, f);
}

enum { ORDER_HELD, ORDER_STARTED, ORDER_DONE, ORDER_DEAD };

static void step_partial_order(interp *i, frame *f) {
    const plan_node *n = f->node;
    if (!f->counts)
        f->counts = arena_alloc(f->memory, (n->child_count + 1) * sizeof *f->counts);
    for (frame *c; (c = task_next_ended(f));) {
        bool done = c->outcome == TASK_DONE, awaited = false;
        f->counts[c->index] = done ? ORDER_DONE : ORDER_DEAD;
        for (size_t k = 0; k < n->order_count; k++)
            awaited = awaited || (n->orders[k].before == c->index && n->orders[k].dead);
        if (!done && !awaited) {
            task_pass_on_child(i, f, c);
            return;
        }
        // The failure of a step is handled where another step waits for it to end in any way.
        if (!done)
            failure_handled(i, c->failure, f->id);
        task_release(i, c);
    }
    size_t held = 0;
    for (size_t k = 0; k < n->child_count; k++) {
        bool ready = f->counts[k] == ORDER_HELD;
        for (size_t o = 0; o < n->order_count && ready; o++) {
            if (n->orders[o].after == k) {
                uint32_t s = f->counts[n->orders[o].before];
                ready = s == ORDER_DONE || (s == ORDER_DEAD && n->orders[o].dead);
            }
        }
        if (ready) {
            f->counts[k] = ORDER_STARTED;
            start_child(i, f, k, 1);
        }
        held += f->counts[k] == ORDER_HELD;
    }
    if (f->live > 0)
        return;
    if (held > 0)
        task_fail(i, f, "plan_failure", "what the remaining steps wait for was not done", NULL);
    else
        task_finish(i, f, TASK_DONE);
}

static void step_let(interp *i, frame *f) {
    frame *c = task_next_ended(f);
    if (c) {
        task_finish_as(i, f, c);
        return;
    }
    if (f->at++ > 0)
        return;
    for (size_t k = 0; k < f->node->binding_count; k++) {
        const term *value;
        if (!eval_term(i, f, f->id, f->node->bindings[k].value, &value)) {
            task_fail_evaluation(i, f);
            return;
        }
        variable_make(i, f, f->node->bindings[k].name, value, f->id, "begin");
    }
    start_child(i, f, 0, 1);
}

static void step_set(interp *i, frame *f) {
    for (size_t k = 0; k < f->node->binding_count; k++) {
        const term *value;
        if (!eval_term(i, f, f->id, f->node->bindings[k].value, &value)) {
            task_fail_evaluation(i, f);
            return;
        }
        variable_set(i, f->parent ? f->parent : f, f->node->bindings[k].name, value, f->id, "end");
    }
    task_finish(i, f, TASK_DONE);
}

// Evaluates a condition and logs the decision with the beliefs that led to it. False: it cannot be
// evaluated.
static bool decide(interp *i, frame *f, const char *what, const term *t, bool *yes) {
    if (!eval_condition(i, f, f->id, t, yes))
        return false;
    const term *both[2] = {term_symbol(i->scratch, "true"), term_symbol(i->scratch, "false")};
    interp_put_choice(i, f, what, eval_fill(i, f, t), *yes ? "true" : "false",
                      term_list(i->scratch, both, 2, NULL), i->reason);
    return true;
}

// The same; where the condition cannot be evaluated the task has failed.
static bool must_decide(interp *i, frame *f, const char *what, const term *t, bool *yes) {
    bool evaluated = decide(i, f, what, t, yes);
    if (!evaluated)
        task_fail_evaluation(i, f);
    return evaluated;
}

// The first step from f->at on whose guard is believed, if any; f->at is behind it. False: a guard
// cannot be evaluated, and the task has failed.
static bool next_alternative(interp *i, frame *f, size_t *out) {
    const plan_node *n = f->node;
    bool yes = false;
    while (f->at < n->child_count) {
        *out = f->at++;
        const term *guard = n->children[*out]->guard;
        if (guard && !must_decide(i, f, "guard", guard, &yes))
            return false;
        if (!guard || yes)
            return true;
    }
    *out = n->child_count;
    return true;
}

static void step_try_in_order(interp *i, frame *f) {
    frame *c = task_next_ended(f);
    if (c && c->outcome == TASK_DONE) {
        task_finish_with(i, f, c->result);
        return;
    }
    size_t next;
    if (!next_alternative(i, f, &next))
        return;
    if (next == f->node->child_count) {
        if (!f->first && next > 0)
            task_fail(i, f, "plan_failure", "the guard of none of its steps is believed", NULL);
        else
            finish_without_success(i, f);
        return;
    }
    if (c)
        failure_handled(i, c->failure, f->id);
    start_child(i, f, next, 1);
}

static void step_if(interp *i, frame *f) {
    frame *c = task_next_ended(f);
    if (c) {
        task_finish_as(i, f, c);
        return;
    }
    bool yes;
    if (f->at++ > 0 || !must_decide(i, f, "if", f->node->value, &yes))
        return;
    if (yes)
        start_child(i, f, 0, 1);
    else if (f->node->child_count > 1)
        start_child(i, f, 1, 1);
    else
        task_finish(i, f, TASK_DONE);
}

// Whether a loop goes round once more; also false when the task has failed.
static bool loop_goes_on(interp *i, frame *f) {
    const plan_node *n = f->node;
    bool yes = true;
    switch (n->loop) {
    case LOOP_FOREVER:
        return true;
    case LOOP_WHILE:
    case LOOP_UNTIL:
        return must_decide(i, f, n->loop == LOOP_WHILE ? "while" : "until", n->value, &yes) &&
               yes == (n->loop == LOOP_WHILE);
    case LOOP_TIMES: {
        double times;
        if (!f->value) {
            const term *value;
            if (!eval_term(i, f, f->id, n->value, &value) || !term_number(value, &times)) {
                snprintf(i->reason, sizeof i->reason, "times: is no number");
                task_fail_evaluation(i, f);
                return false;
            }
            f->value = term_copy(f->memory, value);
        }
        term_number(f->value, &times);
        return (double)f->at < times;
    }
    case LOOP_FOR_EACH:
        if (!f->value) {
            const term *value;
            if (!eval_term(i, f, f->id, n->value, &value)) {
                task_fail_evaluation(i, f);
                return false;
            }
            if (term_list_length(value) < 0) {
                snprintf(i->reason, sizeof i->reason, "of: is no list");
                task_fail_evaluation(i, f);
                return false;
            }
            f->value = term_copy(f->memory, value);
        }
        return term_is(f->value, "[|]", 2);
    }
    return false;
}

static void step_loop(interp *i, frame *f) {
    if (!task_children_over(i, f))
        return;
    if (!loop_goes_on(i, f)) {
        task_finish(i, f, TASK_DONE);
        return;
    }
    if (f->node->loop == LOOP_FOR_EACH) {
        if (f->at == 0)
            variable_make(i, f, f->node->name, f->value->args[0], f->id, "begin");
        else
            variable_set(i, f, f->node->name, f->value->args[0], f->id, "begin");
        f->value = f->value->args[1];
    }
    f->at++;
    start_child(i, f, 0, (uint32_t)f->at);
}

// Whether the guard of a clause is believed; one that has no value is not. The decision is logged.
static bool clause_guard_holds(interp *i, frame *f, const plan_clause *c) {
    bool yes = false;
    return decide(i, f, "guard", c->guard, &yes) && yes;
}

static bool clause_catches(const plan_clause *c, const char *class) {
    for (size_t j = 0; j < c->class_count; j++) {
        if (failure_is(class, c->classes[j]))
            return true;
    }
    return false;
}

// The clause for a failure: the first that catches its class, whose guard is believed and whose
// retries are not used up; NULL: none.
static const plan_clause *find_clause(interp *i, frame *f, const char *class) {
    const plan_node *n = f->node;
    for (size_t k = 0; k < n->clause_count; k++) {
        const plan_clause *c = &n->clauses[k];
        bool used_up = c->retry > 0 && f->counts[k] >= c->retry;
        if (!clause_catches(c, class))
            continue;
        if (!c->guard)
            return used_up ? NULL : c;
        if (!used_up && clause_guard_holds(i, f, c))
            return c;
    }
    return NULL;
}

static void enter_body(interp *i, frame *f) {
    f->clause = NULL;
    f->at++;
    start_child(i, f, 0, (uint32_t)f->at);
}

static void bind_failure(interp *i, frame *f, const failure *x) {
    const term *args[2] = {term_symbol(i->scratch, x->class), term_string(i->scratch, x->reason)};
    const term *value = term_compound(i->scratch, "failure", 2, args);
    for (const variable *v = f->variables; v; v = v->next) {
        if (strcmp(v->name, f->clause->as) == 0) {
            variable_set(i, f, f->clause->as, value, f->id, "begin");
            return;
        }
    }
    variable_make(i, f, f->clause->as, value, f->id, "begin");
}

static void handle_failure(interp *i, frame *f, frame *c) {
    const plan_node *n = f->node;
    if (!f->counts)
        f->counts = arena_alloc(f->memory, (n->clause_count + 1) * sizeof *f->counts);
    const plan_clause *clause = find_clause(i, f, c->failure->class);
    if (!clause) {
        task_pass_on_child(i, f, c);
        return;
    }
    f->counts[clause - n->clauses]++;
    f->clause = clause;
    failure_handled(i, c->failure, f->id);
    if (clause->as)
        bind_failure(i, f, c->failure);
    task_release(i, c);
    if (!clause->body) {
        enter_body(i, f);
        return;
    }
    for (size_t k = 0; k < n->child_count; k++) {
        if (n->children[k] == clause->body)
            start_child(i, f, k, f->counts[clause - n->clauses]);
    }
}

static void step_on_failure(interp *i, frame *f) {
    frame *c = task_next_ended(f);
    if (!c) {
        if (f->at == 0)
            enter_body(i, f);
        return;
    }
    if (c->outcome == TASK_FAILED) {
        if (c->index == 0)
            handle_failure(i, f, c);
        else
            task_pass_on_child(i, f, c);
        return;
    }
    if (c->index > 0 && f->clause->retry > 0) {
        task_release(i, c);
        enter_body(i, f);
        return;
    }
    task_finish_with(i, f, c->result);
}

static void step_fail(interp *i, frame *f) {
    const char *reason = f->node->text ? eval_text(i, f, f->node->text) : "the plan says so";
    task_fail(i, f, f->node->name, reason, NULL);
}

static void step_log(interp *i, frame *f) {
    record r = {.kind = RECORD_NOTE, .id = sink_id(i->log, RECORD_NOTE)};
    r.NOTE.task = f->id;
    r.NOTE.t_ns = i->now;
    r.NOTE.text = eval_text(i, f, f->node->text);
    interp_put(i, &r);
    task_finish(i, f, TASK_DONE);
}

static void step_assert(interp *i, frame *f) {
    const term *occasion;
    if (!eval_term(i, f, f->id, f->node->value, &occasion) ||
        !(occasion = designator_resolve(i, f->id, occasion))) {
        task_fail_evaluation(i, f);
        return;
    }
    error err = {0};
    status s = belief_assert(i->mind->belief, occasion, f->id, i->now, &err);
    if (s == E_INPUT) {
        task_fail(i, f, "designator_reference_failure", err.text, NULL);
    } else if (s != OK) {
        i->err = err;
        interp_check(i, s);
    } else {
        task_finish(i, f, TASK_DONE);
    }
}

void step_task(interp *i, frame *f) {
    if (f->concluding)
        return;
    if (f->state == TASK_CREATED) {
        task_note_status(i, f, TASK_ACTIVE);
        if (f->depth > DEPTH_MAX) {
            task_fail(i, f, "livelock", "tasks are nested more than 1000 deep", NULL);
            return;
        }
        if (f->trouble) {
            task_fail(i, f, "designator_reference_failure", f->trouble, NULL);
            return;
        }
    }
    if (f->elsewhere) {
        elsewhere_step(i, f);
        return;
    }
    switch (f->node->kind) {
    case CONSTRUCT_SEQ:
        step_seq(i, f);
        break;
    case CONSTRUCT_PAR:
        step_par(i, f);
        break;
    case CONSTRUCT_PURSUE:
        step_pursue(i, f);
        break;
    case CONSTRUCT_TRY_ALL:
        step_try_all(i, f);
        break;
    case CONSTRUCT_TRY_IN_ORDER:
        step_try_in_order(i, f);
        break;
    case CONSTRUCT_PARTIAL_ORDER:
        step_partial_order(i, f);
        break;
    case CONSTRUCT_LET:
        step_let(i, f);
        break;
    case CONSTRUCT_SET:
        step_set(i, f);
        break;
    case CONSTRUCT_IF:
        step_if(i, f);
        break;
    case CONSTRUCT_LOOP:
        step_loop(i, f);
        break;
    case CONSTRUCT_ON_FAILURE:
        step_on_failure(i, f);
        break;
    case CONSTRUCT_ACHIEVE:
    case CONSTRUCT_PERCEIVE:
        goal_step(i, f);
        break;
    case CONSTRUCT_AT_LOCATION:
        place_step(i, f);
        break;
    case CONSTRUCT_USING:
        using_step(i, f);
        break;
    case CONSTRUCT_FAIL:
        step_fail(i, f);
        break;
    case CONSTRUCT_LOG:
        step_log(i, f);
        break;
    case CONSTRUCT_WAIT_FOR:
        wait_for_step(i, f);
        break;
    case CONSTRUCT_ASSERT:
        step_assert(i, f);
        break;
    case CONSTRUCT_ACTION:
        acting_step(i, f);
        break;
    case CONSTRUCT_WITH_POLICY:
        policy_step(i, f);
        break;
    case CONSTRUCT_WHENEVER:
        whenever_step(i, f);
        break;
    case CONSTRUCT_PERFORM:
        perform_step(i, f);
        break;
    case CONSTRUCT_NEXT:
        next_step(i, f);
        break;
    case CONSTRUCT_EQUATE:
        equate_step(i, f);
        break;
    case CONSTRUCT_COUNT:
        break;
    }
}
