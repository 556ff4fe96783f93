// plans/check/remarks.c - what is legal in a plan and hardly meant.
#include "plans/check/check_int.h"

typedef struct remarking {
    const plan *plan;
    const plan_names *names;
    errors *list;
} remarking;

// Whether only steps that look or act make it true: no sensor says it by itself. One such part of a
// conjunction suffices; a disjunction may become true by any part.
static bool waits_for_steps(const term *t, const plan_names *names) {
    if (t->kind != TERM_COMPOUND)
        return false;
    bool all = strcmp(t->text, "and") == 0 || strcmp(t->text, ",") == 0,
         any = strcmp(t->text, "or") == 0 || strcmp(t->text, ";") == 0;
    if (all || any) {
        uint32_t waits = 0;
        for (uint32_t i = 0; i < t->arity; i++)
            waits += waits_for_steps(t->args[i], names);
        return waits > 0 && (all || waits == t->arity);
    }
    for (size_t i = 0; names->stepwise && names->stepwise[i]; i++)
        if (strcmp(names->stepwise[i], t->text) == 0)
            return true;
    return false;
}

static bool runs_together(const plan_node *n) {
    return n->kind == CONSTRUCT_PAR || n->kind == CONSTRUCT_PURSUE ||
           n->kind == CONSTRUCT_TRY_ALL || n->kind == CONSTRUCT_PARTIAL_ORDER ||
           n->kind == CONSTRUCT_WITH_POLICY || n->kind == CONSTRUCT_WHENEVER;
}

// Tells of waits that no other step of the body runs beside; routines may be called from anywhere.
static void remark_waits(const remarking *m, const plan_node *n) {
    if (runs_together(n))
        return;
    if (n->kind == CONSTRUCT_WAIT_FOR && n->value && n->seconds <= 0 &&
        waits_for_steps(n->value, m->names)) {
        char text[160];
        term_format(n->value, text, sizeof text);
        errors_add(m->list, m->plan->files.items[0]->path, n->line, n->column,
                   "wait_for: %s may wait for ever: only a step that looks or acts could make it "
                   "true, and none runs beside this one; give it a `timeout:`, or look before",
                   text);
    }
    for (size_t i = 0; i < n->child_count; i++)
        remark_waits(m, n->children[i]);
}

void plan_remarks(const plan *p, const plan_names *names, errors *warnings) {
    const remarking m = {p, names, warnings};
    // What one of several robots sees others may be told.
    if (p->body && p->members.count == 0)
        remark_waits(&m, p->body);
}
