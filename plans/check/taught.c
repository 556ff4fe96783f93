// plans/check/taught.c - motions of arms that are done again, though no step teaches them.
#include "plans/check/check_int.h"

typedef struct teaching {
    const plan *plan;
    ARRAY(const char *) names;
    bool anything; // a step may teach under a name that shows only when it runs
    errors *list;
} teaching;

static bool does(const teaching *t, const plan_node *n, const char *action) {
    const char *own = step_action(t->plan, n);
    return own && strcmp(own, action) == 0;
}

static void find_taught(teaching *t, const plan_node *n) {
    const term *type = n->kind == CONSTRUCT_PERFORM ? step_argument(n, "type") : NULL;
    if (does(t, n, "teach")) {
        const term *name = step_argument(n, "name");
        if (name && name->kind == TERM_SYMBOL)
            array_push(&t->names, name->text);
        else
            t->anything = true;
    }
    if (n->kind == CONSTRUCT_PERFORM && (!type || type->kind != TERM_SYMBOL))
        t->anything = true;
    for (size_t i = 0; i < n->child_count; i++)
        find_taught(t, n->children[i]);
}

static void check_name(const teaching *t, const plan_node *n, const term *name) {
    if (!name || name->kind != TERM_SYMBOL)
        return;
    for (size_t i = 0; i < t->names.count; i++)
        if (strcmp(t->names.items[i], name->text) == 0)
            return;
    const char *near = nearest_name(name->text, t->names.items, t->names.count);
    term_place at = place_of_term(name, n->line, n->column);
    errors_add(t->list, t->plan->files.items[0]->path, at.line, at.column,
               "no step teaches the motion '%.60s'%s%s%s", name->text,
               near ? "; did you mean '" : "; teach: remembers one under a name", near ? near : "",
               near ? "'?" : "");
}

static void check_replays(const teaching *t, const plan_node *n) {
    const term *to = step_argument(n, "to");
    if (does(t, n, "replay"))
        check_name(t, n, step_argument(n, "name"));
    else if (does(t, n, "move_arm") && to && term_is(to, "taught", 1))
        check_name(t, n, to->args[0]);
    for (size_t i = 0; i < n->child_count; i++)
        check_replays(t, n->children[i]);
}

void check_taught(const plan *p, errors *list) {
    teaching t = {.plan = p, .list = list};
    if (!p->body) // a file of routines, which plans may teach
        return;
    find_taught(&t, p->body);
    for (size_t i = 0; i < p->routines.count; i++)
        find_taught(&t, p->routines.items[i].body);
    if (!t.anything)
        check_replays(&t, p->body);
    // The plan need not call those of other files.
    for (size_t i = 0; i < p->routines.count && !t.anything; i++)
        if (p->routines.items[i].file == p->files.items[0])
            check_replays(&t, p->routines.items[i].body);
    array_finish(&t.names);
}
