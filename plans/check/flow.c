// plans/check/flow.c - steps that can never be reached, and pulses where nothing can pulse.
#include "plans/check/check_int.h"

// ---- Steps that never let the next one begin ----------------------------------------------------

static const plan_node *step_stopper(const plan_node *n);

// Where each child has a stopper, returns that of the last; else NULL.
static const plan_node *stopper_of_all(const plan_node *n) {
    const plan_node *last = NULL;
    for (size_t i = 0; i < n->child_count; i++) {
        last = step_stopper(n->children[i]);
        if (!last)
            return NULL;
    }
    return last;
}

static const plan_node *stopper_of_any(const plan_node *n) {
    for (size_t i = 0; i < n->child_count; i++) {
        const plan_node *found = step_stopper(n->children[i]);
        if (found)
            return found;
    }
    return NULL;
}

// A step that another one waits for with `dead` may fail, even a loop or a whenever (by its body),
// and the partial order goes on.
static const plan_node *stopper_of_order(const plan_node *n) {
    for (size_t i = 0; i < n->child_count; i++) {
        const plan_node *found = step_stopper(n->children[i]);
        for (size_t k = 0; k < n->order_count; k++) {
            if (n->orders[k].before == i && n->orders[k].dead)
                found = NULL;
        }
        if (found)
            return found;
    }
    return NULL;
}

static const plan_node *stopper_of_loop(const plan_node *n) {
    bool endless = n->loop == LOOP_FOREVER ||
                   (n->loop == LOOP_WHILE && term_is_symbol(n->value, "true")) ||
                   (n->loop == LOOP_UNTIL && term_is_symbol(n->value, "false"));
    return endless ? n : NULL;
}

// A clause that retries enters the body again; one that does not may end the step well.
static const plan_node *stopper_of_failures(const plan_node *n) {
    const plan_node *clean = n->clean_up ? step_stopper(n->clean_up) : NULL;
    if (clean || n->child_count == 0)
        return clean;
    const plan_node *body = step_stopper(n->children[0]);
    for (size_t i = 0; body && i < n->clause_count; i++) {
        const plan_clause *c = &n->clauses[i];
        if (c->retry == 0 && !(c->body && step_stopper(c->body)))
            return NULL;
    }
    return body;
}

// Of a policy the body, init and clean-up can keep it from ending well. The check never ends by
// itself, and the step fails anyhow once it recovers.
static const plan_node *stopper_of_policy(const plan_node *n) {
    const plan_node *const parts[3] = {n->child_count > 0 ? n->children[0] : NULL, n->policy.init,
                                       n->clean_up};
    for (int i = 0; i < 3; i++) {
        const plan_node *found = parts[i] ? step_stopper(parts[i]) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

// Returns the fail, or the whenever or loop without an end, because of which `n` can never be done;
// NULL: it may be done. Goals and actions are not looked into.
static const plan_node *step_stopper(const plan_node *n) {
    switch (n->kind) {
    case CONSTRUCT_FAIL:
    case CONSTRUCT_WHENEVER:
        return n;
    case CONSTRUCT_LOOP:
        return stopper_of_loop(n);
    case CONSTRUCT_SEQ:
    case CONSTRUCT_PAR:
    case CONSTRUCT_LET:
    case CONSTRUCT_AT_LOCATION:
    case CONSTRUCT_USING:
        return stopper_of_any(n);
    case CONSTRUCT_PARTIAL_ORDER:
        return stopper_of_order(n);
    case CONSTRUCT_PURSUE:
    case CONSTRUCT_TRY_ALL:
    case CONSTRUCT_TRY_IN_ORDER:
        return stopper_of_all(n);
    case CONSTRUCT_IF:
        return n->child_count == 2 ? stopper_of_all(n) : NULL;
    case CONSTRUCT_ON_FAILURE:
        return stopper_of_failures(n);
    case CONSTRUCT_WITH_POLICY:
        return stopper_of_policy(n);
    default:
        return NULL;
    }
}

static void check_steps(const plan_node *n, errors *list) {
    for (size_t i = 0; i + 1 < n->child_count; i++) {
        const plan_node *why = step_stopper(n->children[i]), *lost = n->children[i + 1];
        if (!why)
            continue;
        errors_add(list, lost->file->path, lost->line, lost->column,
                   "this step can never be reached: the '%s' of line %d before it %s",
                   construct_name(why->kind), why->line,
                   why->kind == CONSTRUCT_FAIL ? "always fails" : "never ends");
        return; // those behind it are lost with it
    }
}

// ---- Pulses -------------------------------------------------------------------------------------

typedef struct moment {
    const plan_file *file;
    const char *what;
    int line, column;
    errors *list;
} moment;

static void check_still(const moment *m, const term *t) {
    static const char *const operators[] = {"pulsed", "rises", "falls"};
    for (;;) {
        if (!t || t->kind != TERM_COMPOUND || t->arity == 0)
            return;
        term_place at = place_of_term(t, m->line, m->column);
        for (int i = 0; i < 3; i++) {
            if (term_is(t, operators[i], 1))
                errors_add(m->list, m->file->path, at.line, at.column,
                           "%s is looked at once, so that nothing %s there; watch for it with "
                           "wait_for:, whenever: or with_policy:",
                           m->what, i == 0 ? "pulses" : operators[i]);
        }
        for (uint32_t i = 0; i + 1 < t->arity; i++)
            check_still(m, t->args[i]);
        t = t->args[t->arity - 1];
    }
}

static void check_node(const plan_node *n, errors *list) {
    moment m = {n->file, NULL, n->line, n->column, list};
    if (n->kind == CONSTRUCT_IF)
        m.what = "if:";
    else if (n->kind == CONSTRUCT_LOOP && n->loop == LOOP_WHILE)
        m.what = "while:";
    else if (n->kind == CONSTRUCT_LOOP && n->loop == LOOP_UNTIL)
        m.what = "until:";
    if (m.what)
        check_still(&m, n->value);
    m.what = "guard:";
    check_still(&m, n->guard);
    for (size_t i = 0; i < n->clause_count; i++)
        check_still(&m, n->clauses[i].guard);
    if (n->kind == CONSTRUCT_SEQ)
        check_steps(n, list);
    for (size_t i = 0; i < n->child_count; i++)
        check_node(n->children[i], list);
}

void check_flow(const plan *p, errors *list) {
    for (size_t i = 0; i < p->routines.count; i++) {
        const plan_routine *r = &p->routines.items[i];
        moment m = {r->file, "guard:", r->line, r->column, list};
        check_still(&m, r->guard);
        check_node(r->body, list);
    }
    if (p->body)
        check_node(p->body, list);
}
