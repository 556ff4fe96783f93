// plans/check/tasks.c - conditions that ask for the state of a task: task(Tag, Status).
#include "plans/check/check_int.h"

static const char *const STATES[] = {
#define TASK_STATE(name) #name,
#include "plans/task_states.def"
#undef TASK_STATE
};
#define STATE_COUNT (sizeof STATES / sizeof *STATES)

// The plan's body or a routine's, within which tags are looked up.
typedef struct asking {
    plan_node *root;
    const plan_file *file;
    int line, column; // where terms have no place of their own
    errors *list;
} asking;

static void complain_task(const asking *q, const term *t, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void complain_task(const asking *q, const term *t, const char *format, ...) {
    char text[700];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    term_place at = place_of_term(t, q->line, q->column);
    errors_add(q->list, q->file->path, at.line, at.column, "%s", text);
}

typedef struct tagged {
    const char *name;
    bool by_path;
    plan_node *first, *second;
} tagged;

static void find_tagged(plan_node *n, tagged *out) {
    const char *own = out->by_path ? n->path : n->tag;
    if (own && strcmp(own, out->name) == 0) {
        if (!out->first)
            out->first = n;
        else if (!out->second)
            out->second = n;
    }
    for (size_t i = 0; i < n->child_count; i++)
        find_tagged(n->children[i], out);
}

// Those of all steps, for a message.
static void add_names(const plan_node *n, bool by_path, name_list *out) {
    const char *own = by_path ? n->path : n->tag;
    if (own)
        array_push(out, own);
    for (size_t i = 0; i < n->child_count; i++)
        add_names(n->children[i], by_path, out);
}

static void complain_step(const asking *q, const term *name, bool by_path) {
    name_list known = {0};
    add_names(q->root, by_path, &known);
    const char *near = nearest_name(name->text, known.items, known.count);
    complain_task(q, name,
                  near ? "no step here has the %s '%.200s'; did you mean '%.200s'?"
                       : "no step here has the %s '%.200s'",
                  by_path ? "path" : "tag", name->text, near ? near : "");
    array_finish(&known);
}

static void ask_step(const asking *q, const term *t) {
    const term *name = t->args[0];
    if (name->kind != TERM_SYMBOL && name->kind != TERM_STRING) {
        complain_task(q, t,
                      "task: needs the tag of a step here, or its path as a string: "
                      "task(bring, done)");
        return;
    }
    tagged found = {.name = name->text, .by_path = name->kind == TERM_STRING};
    find_tagged(q->root, &found);
    if (found.second) {
        complain_task(q, name,
                      "several steps have the tag '%.60s'; say which by its path: \"%.200s\"",
                      name->text, found.first->path);
    } else if (found.first) {
        found.first->observed = true;
    } else {
        complain_step(q, name, found.by_path);
    }
}

static void ask_status(const asking *q, const term *t) {
    const term *asked = t->args[1];
    if (asked->kind == TERM_VAR)
        return;
    for (size_t i = 0; i < STATE_COUNT; i++) {
        if (term_is_symbol(asked, STATES[i]))
            return;
    }
    char text[64];
    term_format(asked, text, sizeof text);
    const char *near =
        asked->kind == TERM_SYMBOL ? nearest_name(asked->text, STATES, STATE_COUNT) : NULL;
    if (near)
        complain_task(q, asked, "unknown status of a task '%.60s'; did you mean '%s'?", text, near);
    else
        complain_task(
            q, asked,
            "unknown status of a task '%.60s'; there are: created, active, suspended, done, "
            "failed, evaporated, begun, ended",
            text);
}

// Depth is bounded by the reader; lists are walked along their spine.
static void ask_term(const asking *q, const term *t) {
    for (;;) {
        if (!t || t->kind != TERM_COMPOUND || t->arity == 0)
            return;
        if (term_is(t, "task", 2)) {
            ask_step(q, t);
            ask_status(q, t);
            return;
        }
        for (uint32_t i = 0; i + 1 < t->arity; i++)
            ask_term(q, t->args[i]);
        t = t->args[t->arity - 1];
    }
}

// Every expression may come to stand in a condition, by way of a variable.
static void ask_node(asking *q, const plan_node *n) {
    q->line = n->line;
    q->column = n->column;
    ask_term(q, n->guard);
    for (size_t i = 0; i < n->clause_count; i++)
        ask_term(q, n->clauses[i].guard);
    if (n->kind != CONSTRUCT_ACHIEVE && n->kind != CONSTRUCT_AT_LOCATION)
        ask_term(q, n->value);
    for (size_t i = 0; i < n->binding_count; i++) {
        q->line = n->bindings[i].line;
        q->column = n->bindings[i].column;
        ask_term(q, n->bindings[i].value);
    }
    for (size_t i = 0; i < n->child_count; i++)
        ask_node(q, n->children[i]);
}

void check_tasks(plan *p, errors *list) {
    for (size_t i = 0; i < p->routines.count; i++) {
        const plan_routine *r = &p->routines.items[i];
        asking q = {.root = r->body, .file = r->file, .list = list};
        q.line = r->line;
        q.column = r->column;
        ask_term(&q, r->guard);
        ask_node(&q, r->body);
    }
    if (!p->body)
        return;
    asking q = {.root = p->body, .file = p->files.items[0], .list = list};
    ask_node(&q, p->body);
}
