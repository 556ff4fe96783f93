// plans/check/variables.c - variables that are read but never given a value.
#include "plans/check/check_int.h"

// The variables that have a value at a place. Those of `let` have one within its body alone; those
// of `into` and `set` have one from there on in the whole body of the plan or routine.
typedef struct scope {
    const plan_file *file;
    errors *list;
    const char *robot; // that runs it; steps of others are nothing to it. NULL: whoever does
    name_list inner, whole;
} scope;

static void complain_unbound(const scope *s, const char *name, int line, int column) {
    name_list all = {0};
    for (size_t i = 0; i < s->inner.count; i++)
        array_push(&all, s->inner.items[i]);
    for (size_t i = 0; i < s->whole.count; i++)
        array_push(&all, s->whole.items[i]);
    const char *near = nearest_name(name, all.items, all.count);
    if (near)
        errors_add(s->list, s->file->path, line, column, "%s has no value here; did you mean %s?",
                   name, near);
    else
        errors_add(s->list, s->file->path, line, column,
                   "%s has no value here; give it one with let:, set: or into: before", name);
    errors_mark(s->list, ERROR_MISSING);
    array_finish(&all);
}

static bool is_bound(const scope *s, const char *name) {
    return has_name(&s->inner, name) || has_name(&s->whole, name);
}

static void check_term(const scope *s, const term *t) {
    for (;;) {
        if (!t)
            return;
        if (t->kind == TERM_VAR && !term_is_anonymous(t) && !is_bound(s, t->text))
            complain_unbound(s, t->text, t->line, t->column);
        if (t->kind != TERM_COMPOUND || t->arity == 0)
            return;
        for (uint32_t i = 0; i + 1 < t->arity; i++)
            check_term(s, t->args[i]);
        t = t->args[t->arity - 1];
    }
}

// The text's own place in its step.
static const ynode *find_text(const ynode *n, const char *text, int depth) {
    const ynode *found = n->scalar == text ? n : NULL;
    for (size_t i = 0; depth > 0 && !found && i < n->count; i++)
        found = find_text(n->items[i], text, depth - 1);
    return found;
}

static void check_text(const scope *s, const plan_node *n) {
    char name[64];
    for (const char *at = n->text ? strchr(n->text, '?') : NULL; at; at = strchr(at + 1, '?')) {
        size_t length = 1;
        while ((at[length] >= 'a' && at[length] <= 'z') ||
               (at[length] >= 'A' && at[length] <= 'Z') ||
               (length > 1 && at[length] >= '0' && at[length] <= '9') || at[length] == '_')
            length++;
        if (length == 1 || length >= sizeof name)
            continue;
        memcpy(name, at, length);
        name[length] = 0;
        const ynode *own = find_text(n->source, n->text, 2);
        if (!is_bound(s, name))
            complain_unbound(s, name, own ? own->line : n->line, own ? own->column : n->column);
    }
}

static void bind_whole(scope *s, const char *name) {
    if (name && !is_bound(s, name))
        array_push(&s->whole, name);
}

static void check_node(scope *s, const plan_node *n);

static void check_child(scope *s, const plan_node *n, const plan_node *child) {
    size_t before = s->inner.count;
    for (size_t j = 0; j < n->clause_count; j++) {
        if (n->clauses[j].body == child && n->clauses[j].as)
            array_push(&s->inner, n->clauses[j].as);
    }
    check_node(s, child);
    s->inner.count = before;
}

// Checks the variables that a step reads itself, before its children do.
static void check_own(scope *s, const plan_node *n) {
    check_term(s, n->guard);
    for (size_t i = 0; i < n->clause_count; i++)
        check_term(s, n->clauses[i].guard);
    if (n->kind != CONSTRUCT_AT_LOCATION) // its location is its first child's
        check_term(s, n->value);
    check_term(s, n->region);
    if (n->parent)
        check_term(s, n->goal);
    for (size_t i = 0; i < n->note_count; i++)
        check_term(s, n->notes[i].value);
    check_text(s, n);
}

static void check_node(scope *s, const plan_node *n) {
    if (n->as && s->robot && strcmp(n->as, s->robot) != 0)
        return;
    size_t depth = s->inner.count;
    // The condition of a policy is watched once init has run.
    const plan_node *first = n->policy.init;
    if (first)
        check_child(s, n, first);
    check_own(s, n);
    for (size_t i = 0; i < n->binding_count; i++) {
        check_term(s, n->bindings[i].value);
        if (n->kind == CONSTRUCT_LET)
            array_push(&s->inner, n->bindings[i].name);
        else if (n->kind == CONSTRUCT_SET)
            bind_whole(s, n->bindings[i].name);
    }
    if (n->kind == CONSTRUCT_LOOP && n->name)
        array_push(&s->inner, n->name);
    for (size_t i = 0; i < n->child_count; i++) {
        if (n->children[i] != first)
            check_child(s, n, n->children[i]);
    }
    s->inner.count = depth;
    bind_whole(s, n->into);
}

static void bind_pattern(scope *s, const term *t) {
    if (t->kind == TERM_VAR && !term_is_anonymous(t))
        bind_whole(s, t->text);
    for (uint32_t i = 0; t->kind == TERM_COMPOUND && i < t->arity; i++)
        bind_pattern(s, t->args[i]);
}

static void check_routine(const plan_routine *r, errors *list) {
    scope s = {.file = r->file, .list = list};
    bind_pattern(&s, r->pattern);
    check_term(&s, r->guard);
    for (size_t i = 0; i < r->with_count; i++) {
        check_term(&s, r->with[i].value);
        bind_whole(&s, r->with[i].name);
    }
    for (size_t i = 0; i < r->let_count; i++) {
        check_term(&s, r->let[i].value);
        bind_whole(&s, r->let[i].name);
    }
    for (size_t i = 0; i < r->note_count; i++)
        check_term(&s, r->notes[i].value);
    check_node(&s, r->body);
    check_term(&s, r->returns);
    array_finish(&s.inner);
    array_finish(&s.whole);
}

static bool was_told(const errors *list, size_t from, const error *e) {
    for (size_t i = from; i < list->count; i++)
        if (list->items[i].line == e->line && list->items[i].column == e->column)
            return true;
    return false;
}

// Each robot has the variables of the steps that it does; what is wrong for several is told once,
// of the errors from `from` on.
static void check_body(const plan *p, const char *robot, size_t from, errors *list) {
    errors own = {0};
    scope s = {.file = p->files.items[0], .list = &own, .robot = robot};
    check_node(&s, p->body);
    for (size_t i = 0; i < own.count; i++)
        if (!was_told(list, from, &own.items[i]))
            errors_append(list, &own.items[i]);
    errors_finish(&own);
    array_finish(&s.inner);
    array_finish(&s.whole);
}

void check_variables(const plan *p, errors *list) {
    for (size_t i = 0; i < p->routines.count; i++)
        check_routine(&p->routines.items[i], list);
    if (!p->body)
        return;
    size_t before = list->count;
    if (!plan_is_divided(p))
        check_body(p, NULL, before, list);
    for (size_t i = 0; plan_is_divided(p) && i < p->members.count; i++)
        if (!p->members.items[i].is.plan)
            check_body(p, p->members.items[i].is.name, before, list);
}
