// projector/interp/tasks/elsewhere.c - steps that another robot does: see elsewhere.h.
#include "projector/interp/tasks/elsewhere.h"

#include <string.h>

#include "projector/interp/state/queue.h"
#include "projector/interp/tasks/task.h"

bool step_is_elsewhere(const interp *i, const plan_node *n) {
    return n->as && i->mind->name && strcmp(n->as, i->mind->name) != 0;
}

void elsewhere_tell(interp *i, const frame *f) {
    if (!f->node->as || f->elsewhere || f->outcome == TASK_EVAPORATED)
        return;
    const failure *x = f->outcome == TASK_FAILED ? f->failure : NULL;
    step_news n = {.from = i->mind->name,
                   .path = arena_strdup(i->news_memory, f->dynamic),
                   .done = f->outcome == TASK_DONE,
                   .class = x ? x->class : "plan_failure",
                   .reason = x ? arena_strdup(i->news_memory, x->reason) : ""};
    array_push(&i->told, n);
}

// What was heard of a step; else that its robot has ended the plan; NULL: nothing.
static const step_news *find_news(const interp *i, const frame *f) {
    const step_news *over = NULL;
    for (size_t k = 0; k < i->heard.count; k++) {
        const step_news *n = &i->heard.items[k];
        if (n->path && strcmp(n->path, f->dynamic) == 0)
            return n;
        if (!n->path && strcmp(n->from, f->node->as) == 0)
            over = n;
    }
    return over;
}

void elsewhere_step(interp *i, frame *f) {
    char text[REASON_SIZE];
    if (f->at++ == 0)
        chain_insert(&i->elsewhere, f);
    const step_news *n = find_news(i, f);
    if (!n)
        return;
    if (n->path && n->done) {
        task_finish(i, f, TASK_DONE);
        return;
    }
    if (n->path)
        snprintf(text, sizeof text, "%.60s: %.400s", n->from, n->reason);
    else
        snprintf(text, sizeof text, "%.60s has ended the plan without this step", n->from);
    task_fail(i, f, n->path ? n->class : "plan_failure", text, NULL);
}
