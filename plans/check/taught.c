// plans/check/taught.c - motions of arms that are done again, though no step teaches them.
#include "plans/check/check_int.h"

typedef struct teaching {
    ARRAY(const char *) names;
    bool anything; // a step may teach under a name that shows only when it runs
    const plan_file *file;
    errors *list;
} teaching;

static const term *argument(const plan_node *n, const char *key) {
    for (size_t i = 0; i < n->binding_count; i++)
        if (strcmp(n->bindings[i].name, key) == 0)
            return n->bindings[i].value;
    return NULL;
}

static void find_taught(teaching *t, const plan_node *n) {
    const term *type = n->kind == CONSTRUCT_PERFORM ? performed_type(n->value) : NULL;
    if (n->kind == CONSTRUCT_ACTION && strcmp(n->name, "teach") == 0) {
        const term *name = argument(n, "name");
        if (name && name->kind == TERM_SYMBOL)
            array_push(&t->names, name->text);
        else
            t->anything = true;
    }
    if (n->kind == CONSTRUCT_PERFORM &&
        (!type || type->kind != TERM_SYMBOL || term_is_symbol(type, "teach")))
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
    errors_add(t->list, t->file->path, name->line ? name->line : n->line,
               name->line ? name->column : n->column, "no step teaches the motion '%.60s'%s%s%s",
               name->text, near ? "; did you mean '" : "; teach: remembers one under a name",
               near ? near : "", near ? "'?" : "");
}

static void check_replays(const teaching *t, const plan_node *n) {
    if (n->kind == CONSTRUCT_ACTION && strcmp(n->name, "replay") == 0)
        check_name(t, n, argument(n, "name"));
    if (n->kind == CONSTRUCT_ACTION && strcmp(n->name, "move_arm") == 0) {
        const term *to = argument(n, "to");
        if (to && term_is(to, "taught", 1))
            check_name(t, n, to->args[0]);
    }
    for (size_t i = 0; i < n->child_count; i++)
        check_replays(t, n->children[i]);
}

void check_taught(const plan *p, errors *list) {
    teaching t = {.list = list};
    if (!p->body) // a file of routines, which plans may teach
        return;
    find_taught(&t, p->body);
    for (size_t i = 0; i < p->routines.count; i++)
        find_taught(&t, p->routines.items[i].body);
    t.file = p->files.items[0];
    if (!t.anything)
        check_replays(&t, p->body);
    for (size_t i = 0; i < p->routines.count && !t.anything; i++) {
        t.file = p->routines.items[i].file;
        check_replays(&t, p->routines.items[i].body);
    }
    array_finish(&t.names);
}
