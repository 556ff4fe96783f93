// projector/interp/evaluation/fluent.c - the truth of pulsed, rises and falls, which watch.c has
// computed, and of task(Tag, Status).
#include "projector/interp/evaluation/fluent.h"

bool fluent_is_operator(const term *t) {
    return t->kind == TERM_COMPOUND && t->arity == 1 &&
           (strcmp(t->text, "rises") == 0 || strcmp(t->text, "falls") == 0 ||
            strcmp(t->text, "pulsed") == 0);
}

// Adds "rises(...): now" to the reason of the condition's truth, unless nobody reads it.
static void add_reason(interp *i, const term *t, const char *truth) {
    if (i->quiet)
        return;
    size_t length = strlen(i->reason);
    char text[160];
    term_format(t, text, sizeof text);
    snprintf(i->reason + length, sizeof i->reason - length, "%s%s: %s", length ? "; " : "", text,
             truth);
}

bool fluent_operator(interp *i, const term *t, bool *out) {
    const watch *w = i->watching;
    for (size_t k = 0; w && k < w->op_count; k++) {
        if (w->ops[k].t != t)
            continue;
        *out = w->ops[k].now;
        add_reason(i, t, *out ? "now" : "not now");
        return true;
    }
    snprintf(i->reason, sizeof i->reason,
             "%.20s(...) has no truth here, since nothing watches this condition for changes: use "
             "it in whenever, wait_for or with_policy",
             t->text);
    return false;
}

// Returns whether a task (NULL: there is none yet) has a status. *known: there is such a status.
static bool state_is(const observation *o, const char *what, bool *known) {
    static const char *const names[] = {"created", "active", "suspended",
                                        "done",    "failed", "evaporated"};
    *known = true;
    if (strcmp(what, "begun") == 0)
        return o && o->begun;
    if (strcmp(what, "ended") == 0)
        return o && o->state >= TASK_DONE;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (strcmp(what, names[k]) == 0)
            return o && o->state == (task_state)k;
    }
    *known = false;
    return false;
}

bool fluent_task(interp *i, const frame *scope, const term *t, bool *out) {
    const term *which = t->args[0], *asked = t->args[1];
    // Only tasks of the same run of the routine's or plan's body are meant.
    const frame *body = scope;
    while (!body->boundary)
        body = body->parent;
    const observation *latest = NULL;
    for (const observation *o = body->observations; o; o = o->next) {
        // A text names the step's path, a symbol its tag.
        bool meant = which->kind == TERM_STRING ? strcmp(o->node->path, which->text) == 0
                                                : which->kind == TERM_SYMBOL && o->node->tag &&
                                                      strcmp(o->node->tag, which->text) == 0;
        if (meant && (!latest || o->id > latest->id))
            latest = o;
    }
    bool known = false;
    if (asked->kind == TERM_SYMBOL)
        *out = state_is(latest, asked->text, &known);
    if (known) {
        add_reason(i, t, *out ? "true" : "false");
        return true;
    }
    char text[160];
    term_format(t, text, sizeof text);
    snprintf(i->reason, sizeof i->reason,
             "%s: a task is created, active, suspended, done, failed, evaporated, begun or ended",
             text);
    return false;
}
